"""Everybody who looks at a table just now, and what is sent to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from ludotheque.server import events, protocol
from ludotheque.server.commands import Who
from ludotheque.server.events import Event
from ludotheque.server.table import Table
from ludotheque.server.told import show_to, tell
from ludotheque.server.views import NOTHING, Eye, Said, encode

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
}
"""Events after which everybody is told the table anew."""

SHOWING = (events.Started, events.Moved)
"""Events of which people see something at the table of the game."""


class Guest(Protocol):
    """A connection of somebody to a table."""

    who: Who
    lang: str
    seq: int
    """The last event that was sent."""

    def send(self, data: bytes, seq: int) -> None:
        """Send the table as it is after an event. Who does not read gets the newest later."""


class Viewer:
    """All connections that see the same: one seat, or the spectators, in one language."""

    __slots__ = ("eye", "guests")

    def __init__(self) -> None:
        self.eye: Eye | None = None
        self.guests: list[Guest] = []


class Audience:
    """The viewers of a table."""

    __slots__ = ("_table", "viewers")

    def __init__(self, table: Table) -> None:
        self._table = table
        self.viewers: dict[tuple[int | None, str], Viewer] = {}

    def __bool__(self) -> bool:
        return bool(self.viewers)

    def __iter__(self) -> Iterator[Guest]:
        return (guest for viewer in self.viewers.values() for guest in viewer.guests)

    def join(self, guest: Guest) -> None:
        """Somebody looks at the table from now on."""
        key = guest.who.seat, guest.lang
        viewer = self.viewers.get(key)
        if viewer is None:
            viewer = self.viewers[key] = Viewer()
            if self._table.match is not None:
                viewer.eye = Eye(self._table.match, *key)
        viewer.guests.append(guest)

    def leave(self, guest: Guest) -> bool:
        """Somebody is gone. False if they were not here."""
        key = guest.who.seat, guest.lang
        viewer = self.viewers.get(key)
        if viewer is None or guest not in viewer.guests:
            return False
        viewer.guests.remove(guest)
        if not viewer.guests:
            del self.viewers[key]
        return True

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return sorted({seat for seat, _ in self.viewers if seat is not None})

    def watching(self) -> int:
        """How many connections watch."""
        return sum(len(viewer.guests) for (seat, _), viewer in self.viewers.items() if seat is None)

    def view(self, seat: int | None, lang: str) -> dict[str, Any] | None:
        """What a viewer may see of the match now."""
        table = self._table
        if table.pad is not None:
            return table.pad.view(lang)
        if table.match is None:
            return None
        viewer = self.viewers.get((seat, lang))
        eye = viewer.eye if viewer is not None and viewer.eye is not None else Eye(table.match, seat, lang)
        return eye.view(table.match, table.match.result())

    def show(self, event: Event, origin: object, message_id: str, clock: float | None) -> None:
        """Send what an event that was just applied has changed, to everybody as they may know it."""
        table = self._table
        match = table.match
        kind = type(event)
        told_table = None
        if kind in ARRANGING or (kind is events.Moved and match is not None and match.over):
            told_table = table.info()
        result = match.result() if match is not None and kind in _TURNS else None
        said: dict[str, Said] = {}
        happened = tell(table, event)
        update = protocol.Update(table.seq, [happened], None, told_table, clock)
        for (seat, lang), viewer in self.viewers.items():
            if match is None:
                viewer.eye = None
                if table.pad is not None and kind in (events.PadEntered, events.PadBack):
                    update.view = table.pad.view(lang)
            elif result is not None:
                seen = NOTHING
                if kind is events.Moved and viewer.eye is not None:
                    seen, update.view = viewer.eye.after_move(match, result, said.setdefault(lang, {}))
                else:
                    viewer.eye = Eye(match, seat, lang)
                    if kind in SHOWING:
                        seen = viewer.eye.seen(match)
                    update.view = viewer.eye.view(match, result)
                show_to(happened, seen)
            shared: bytes | None = None
            for guest in viewer.guests:
                if guest is origin:
                    update.re = message_id
                    guest.send(encode(update), table.seq)
                    update.re = None
                    continue
                if shared is None:
                    shared = encode(update)
                guest.send(shared, table.seq)


_TURNS = (events.Started, events.Moved, events.Undone)
"""Events after which the match looks different."""


def catch_up(table_id: str, stored: list[Event], after: int, seat: int | None, lang: str) -> list[protocol.Happened]:
    """What happened after event `after`, as a viewer was told it or would have been."""
    first = stored[0]
    assert isinstance(first, events.Created)
    table = Table(table_id, first)
    result = []
    for event in stored[1:]:
        table.apply(event)
        if table.seq <= after:
            continue
        happened = tell(table, event)
        if table.match is not None and isinstance(event, SHOWING):
            show_to(happened, Eye(table.match, seat, lang, fresh=True).seen(table.match))
        result.append(happened)
    return result
