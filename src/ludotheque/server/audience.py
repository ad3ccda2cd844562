"""Everybody who looks at a table just now, and what is sent to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ludotheque.server import events, protocol
from ludotheque.server.commands import Who
from ludotheque.server.events import Event
from ludotheque.server.table import Table
from ludotheque.server.told import show_to, tell
from ludotheque.server.views import Scene, Stage, encode

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

    def send(self, data: bytes, seq: int = 0) -> None:
        """Send something; `seq` is the last event it tells, if any. Who does not read gets the newest later."""


class Audience:
    """The viewers of a table."""

    __slots__ = ("_stage", "_table", "viewers")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._stage: Stage | None = None
        """The match as it is shown; None if there is none, or nobody has looked yet."""
        self.viewers: dict[tuple[int | None, str], list[Guest]] = {}
        """All connections that see the same: one seat, or the spectators, in one language."""

    def __bool__(self) -> bool:
        return bool(self.viewers)

    def __iter__(self) -> Iterator[Guest]:
        return (guest for guests in self.viewers.values() for guest in guests)

    def join(self, guest: Guest) -> None:
        """Somebody looks at the table from now on."""
        self.viewers.setdefault((guest.who.seat, guest.lang), []).append(guest)

    def leave(self, guest: Guest) -> bool:
        """Somebody is gone. False if they were not here."""
        key = guest.who.seat, guest.lang
        guests = self.viewers.get(key, [])
        if guest not in guests:
            return False
        guests.remove(guest)
        if not guests:
            del self.viewers[key]
        return True

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return sorted({seat for seat, _ in self.viewers if seat is not None})

    def watching(self) -> int:
        """How many connections watch."""
        return sum(len(guests) for (seat, _), guests in self.viewers.items() if seat is None)

    def view(self, seat: int | None, lang: str) -> protocol.View | None:
        """What a viewer may see of the match now."""
        table = self._table
        if table.pad is not None:
            return table.pad.view(lang)
        if table.match is None:
            return None
        if self._stage is None:
            self._stage = Stage(table.match)
        return self._stage.now().show(seat, lang)[0]

    def show(self, event: Event, origin: object, message_id: str, clock: float | None) -> None:
        """Send what an event that was just applied has changed, to everybody as they may know it."""
        table = self._table
        match = table.match
        kind = type(event)
        told_table = None
        if kind in ARRANGING or (kind is events.Moved and match is not None and match.over):
            told_table = table.info()
        scene = self._scene(kind)
        happened = tell(table, event)
        update = protocol.Update(table.seq, [happened], None, told_table, clock)
        for (seat, lang), guests in self.viewers.items():
            if scene is not None:
                update.view, seen = scene.show(seat, lang)
                show_to(happened, seen)
            elif kind in (events.PadEntered, events.PadBack):
                update.view = self.view(seat, lang)
            shared: bytes | None = None
            for guest in guests:
                if guest is origin:
                    update.re = message_id
                    guest.send(encode(update), table.seq)
                    update.re = None
                    continue
                if shared is None:
                    shared = encode(update)
                guest.send(shared, table.seq)

    def _scene(self, kind: type) -> Scene | None:
        """The match as an event of some kind has left it; None if it did not change it."""
        match = self._table.match
        if match is None or not self.viewers:
            self._stage = None  # what is not shown is not followed either
            return None
        if kind not in _TURNS:
            return None
        if kind is events.Moved and self._stage is not None:
            return self._stage.after_move()
        self._stage = Stage(match)
        return self._stage.now()


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
            show_to(happened, Stage(table.match, []).now().show(seat, lang)[1])
        result.append(happened)
    return result
