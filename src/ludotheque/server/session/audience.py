"""Everybody who looks at a table, and what they are sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, cast

from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY
from ludotheque.server.domain import events, pad_table, protocol
from ludotheque.server.domain.commands import Who
from ludotheque.server.domain.events import Event
from ludotheque.server.domain.redact import redact
from ludotheque.server.domain.table import Table
from ludotheque.server.views.shown import ShownMatch, last_seen

ARRANGING = {
    events.Seated,
    events.BotSeated,
    events.Left,
    events.TookSeat,
    events.Arranged,
    events.Contributed,
    events.Started,
    events.StoodIn,
    events.Returned,
    events.Rematched,
    events.PadRenamed,
}
"""Events after which everybody gets the table's facts anew."""
_TURNS = {events.Started, events.Moved, events.Undone}
"""Events after which the match looks different."""
_SEEN = {events.Started, events.Moved}
"""Events that carry what a viewer saw of the game."""


class Viewer(Protocol):
    """A connection of somebody to a table."""

    who: Who
    lang: str
    pauses: bool
    """Whether the person presses on after a round."""

    def send(self, data: bytes, seq: int = 0) -> None:
        """Send a message. `seq` is the last event that it shows; 0: it shows none."""


class Audience:
    """The viewers of a table, in groups that see the same: one seat, or spectators, in one language."""

    __slots__ = ("_groups", "_shown", "_table")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._groups: dict[tuple[str, int], list[Viewer]] = {}
        """By language and seat; the seat of spectators is `NOBODY`."""
        self._shown: ShownMatch | None = None
        """The match as it is shown; None if there is none, or nobody has looked yet."""

    def __bool__(self) -> bool:
        return bool(self._groups)

    def __iter__(self) -> Iterator[Viewer]:
        return (viewer for group in self._groups.values() for viewer in group)

    def join(self, viewer: Viewer) -> None:
        """Somebody looks at the table from now on."""
        self._groups.setdefault(_group(viewer), []).append(viewer)

    def leave(self, viewer: Viewer) -> bool:
        """Somebody is gone. False if they were not here."""
        key = _group(viewer)
        group = self._groups.get(key, [])
        if viewer not in group:
            return False
        group.remove(viewer)
        if not group:
            del self._groups[key]
        return True

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return sorted({seat for _, seat in self._groups if seat != NOBODY})

    def pausing(self) -> list[int]:
        """The seats whose people press on after a round."""
        return sorted({viewer.who.seat for viewer in self if viewer.pauses and viewer.who.seat is not None})

    def watching(self) -> int:
        """How many connections watch."""
        return sum(len(group) for (_, seat), group in self._groups.items() if seat == NOBODY)

    def view(self, seat: int | None, lang: str) -> protocol.View | None:
        """What a viewer may see of the match, or of the pad, now."""
        table = self._table
        if table.pad is not None:
            return table.pad.view(lang)
        if table.match is None:
            return None
        return cast(protocol.View, self._follow(table.match).look(NOBODY if seat is None else seat, lang).view)

    def _follow(self, match: Match) -> ShownMatch:
        if self._shown is None or self._shown.match is not match:
            self._shown = ShownMatch(match)
        return self._shown

    def show(self, event: Event, origin: object, message_id: str, clock: float | None) -> list[int]:
        """Send what an event that was just applied has changed, to everybody as they may know it.

        Whoever sent the message that led to it is told so by `re`. If it closed a round, but not the match: the seats
        whose people are to press on.
        """
        if not self._groups:
            self._shown = None  # what nobody looks at is not followed
            return []
        table, match, kind = self._table, self._table.match, type(event)
        happened: Any = redact(table, event)
        update: Any = protocol.Update(table.seq, [happened], clock=clock)
        if kind in ARRANGING or (kind is events.Moved and match is not None and match.over):
            update.table = table.info()
        for (lang, seat), group in list(self._groups.items()):  # sending may end a connection
            if match is not None and kind in _TURNS:
                look = self._follow(match).look(seat, lang)
                update.view = look.view
                if kind in _SEEN:
                    happened.seen = look.seen
                if look.has_ended and kind is events.Moved and not match.over:
                    update.waiting = update.waiting or self.pausing()
                    update.clock = None if update.waiting else clock
            elif table.pad is not None and kind in pad_table.EVENTS:
                update.view = table.pad.view(lang)
            _send(update, group, origin, message_id)
        return list(update.waiting)


def _send(update: protocol.Update, group: list[Viewer], origin: object, message_id: str) -> None:
    """Send an update to viewers who see the same; only the origin's says what it answers."""
    shared = b""
    for viewer in tuple(group):
        if viewer is origin:
            update.re = message_id
            viewer.send(protocol.encode(update), update.seq)
            update.re = None
        else:
            shared = shared or protocol.encode(update)
            viewer.send(shared, update.seq)


def _group(viewer: Viewer) -> tuple[str, int]:
    seat = viewer.who.seat
    return viewer.lang, NOBODY if seat is None else seat


def missed_events(
    table_id: str, stored: Sequence[str], after: int, seat: int | None, lang: str
) -> list[protocol.Happened]:
    """What happened after event `after`, as a viewer was shown it or would have been."""
    first = events.decode(stored[0])
    assert isinstance(first, events.Created)
    table = Table(table_id, first)
    missed = []
    for row in stored[1:]:
        event = events.decode(row)
        table.apply(event)
        if table.seq <= after:
            continue
        happened: Any = redact(table, event)
        if table.match is not None and type(event) in _SEEN:
            happened.seen = last_seen(table.match, seat, lang)
        missed.append(happened)
    return missed
