"""Everybody who looks at a table just now, and what is sent to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from ludotheque.core.match import Match
from ludotheque.core.painter import Painter, Painting, Written, bit
from ludotheque.core.portray import ANSWERS, BETWEEN, LETTER
from ludotheque.core.record import NOBODY
from ludotheque.server import events, protocol
from ludotheque.server.commands import Who
from ludotheque.server.events import Event
from ludotheque.server.outbox import Addressee, Letter
from ludotheque.server.table import Table
from ludotheque.server.told import tell
from ludotheque.server.views import UPDATE, Phrases, Shown, Stage, encode, last_seen, phrases, raw

if TYPE_CHECKING:
    from ludotheque.server.lane import Lane
    from ludotheque.server.turns import MoveTurn

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


class Guest(Addressee, Protocol):
    """A connection of somebody to a table."""

    who: Who
    lang: str

    @property
    def is_behind(self) -> bool:
        """Whether it has missed something because it does not read: it gets nothing more until it is told anew."""

    def enlist(self, lane: Lane) -> int:
        """Let compiled code read from this connection: the line by which that knows it, -1 if it cannot be."""


class Group:
    """The viewers of a table who read one language."""

    __slots__ = ("guests", "viewers")

    def __init__(self) -> None:
        self.guests: dict[int, list[Guest]] = {}
        """The connections that see the same: those of a seat, or of spectators (`NOBODY`), who come first."""
        self.viewers = 0
        """Those for whom there are any, as a set for `Stage.show`."""

    def count(self) -> None:
        """Put it in order after a change."""
        self.guests = dict(sorted((viewer, guests) for viewer, guests in self.guests.items() if guests))
        self.viewers = sum(map(bit, self.guests))


Scene = tuple[Painter, Stage, Group, Phrases]
"""A match on its stage, who looks at it, and what it is shown with."""


class Audience:
    """The viewers of a table."""

    __slots__ = ("_change", "_scene", "_stage", "_table", "groups")

    def __init__(self, table: Table, change: Callable[[], None] = lambda: None) -> None:
        self._table = table
        self._change = change
        """Called before somebody comes or goes."""
        self._stage: Stage | None = None
        """The match as it is shown; None if there is none, or nobody has looked yet."""
        self._scene: Scene | None = None
        """As it was last time, until somebody comes or goes."""
        self.groups: dict[str, Group] = {}
        """All connections, by language."""

    def __bool__(self) -> bool:
        return bool(self.groups)

    def __iter__(self) -> Iterator[Guest]:
        return (guest for group in self.groups.values() for guests in group.guests.values() for guest in guests)

    def follow(self, count: int) -> None:
        """So many moves were shown by compiled code."""
        if self._stage is not None:
            self._stage.ply += count

    def join(self, guest: Guest) -> None:
        """Somebody looks at the table from now on."""
        self._change()
        group = self.groups.setdefault(guest.lang, Group())
        group.guests.setdefault(_viewer(guest.who.seat), []).append(guest)
        group.count()
        self._scene = None

    def leave(self, guest: Guest) -> bool:
        """Somebody is gone. False if they were not here."""
        group = self.groups.get(guest.lang)
        guests = group.guests.get(_viewer(guest.who.seat), []) if group is not None else []
        if group is None or guest not in guests:
            return False
        self._change()
        guests.remove(guest)
        group.count()
        if not group.guests:
            del self.groups[guest.lang]
        self._scene = None
        return True

    def here(self) -> list[int]:
        """The seats whose people are connected."""
        return sorted({viewer for group in self.groups.values() for viewer in group.guests if viewer != NOBODY})

    def watching(self) -> int:
        """How many connections watch."""
        return sum(len(group.guests.get(NOBODY, ())) for group in self.groups.values())

    def view(self, seat: int | None, lang: str) -> protocol.View | None:
        """What a viewer may see of the match now."""
        table = self._table
        if table.pad is not None:
            return table.pad.view(lang)
        if table.match is None:
            return None
        return cast(protocol.View, self._staged(table.match).show(bit(_viewer(seat)), lang)[0][0])

    def _staged(self, match: Match) -> Stage:
        if self._stage is None or self._stage.match is not match:
            self._stage = Stage(match, before=self._stage)
        return self._stage

    def show(
        self, event: Event, origin: object, message_id: str, clock: float | None, painting: Painting | None = None
    ) -> None:
        """Send what an event that was just applied has changed, to everybody as they may know it.

        `painting` is what the painter of the scene has made of it, if it has.
        """
        table, match, kind = self._table, self._table.match, type(event)
        if not self.groups or kind is events.Undone:
            self._stage = None  # what is not shown is not followed either
            if not self.groups:
                return
        happened: Any = tell(table, event)
        update: Any = protocol.Update(table.seq, [happened], None, None, clock)
        if kind in ARRANGING or (kind is events.Moved and match is not None and match.over):
            update.table = raw(encode(table.info()))
        for lang, group in self.groups.items():
            shown: Sequence[Shown] = ()
            if match is not None and kind in _TURNS:
                shown = self._staged(match).show(group.viewers, lang, painting)
            elif table.pad is not None and kind in _ENTRIES:
                update.view = table.pad.view(lang)
            for number, guests in enumerate(group.guests.values()):
                if shown:
                    update.view, seen = shown[number]
                    if kind in SHOWING:
                        happened.seen = seen
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

    def scene(self) -> Scene | None:
        """How the match is shown by compiled code; None if it is not, or not to people who read one language."""
        match, scene = self._table.match, self._scene
        if match is None or len(self.groups) != 1:
            return None
        if scene is None or scene[1] is not self._stage or scene[1].match is not match:
            [(lang, group)] = self.groups.items()
            said = phrases(match.game, lang)
            painter = said.painter()
            if painter is None:
                return None
            scene = self._scene = painter, self._staged(match), group, said
        return scene if scene[1].ply == len(match.moves) else None

    def show_move(self, scene: Scene, event: events.Moved, origin: object, message_id: str, painting: Painting) -> None:
        """`show` for a move of a person after which the match goes on, as the scene's painter has painted it."""
        _, stage, group, said = scene
        seq = self._table.seq
        head = UPDATE % (seq, seq, encode(event.at), event.seat, said.notation[event.action])
        for guests, (begin, rounds, rest, seen) in zip(group.guests.values(), stage.tell(painting, said), strict=True):
            letter = b"".join((head, seen, BETWEEN, begin, rounds, rest))
            for guest in guests:
                guest.send(letter + (ANSWERS + encode(message_id) + b"}" if guest is origin else b"}"), seq)

    def address(self, scene: Scene, turn: MoveTurn, painting: Painting, out: Written, letters: list[Letter]) -> None:
        """`show_move` for a move that letters tell: add to them who gets which."""
        _, stage, group, _ = scene
        stage.ply += 1
        seq, places = self._table.seq, painting.letters
        at = 0
        for viewer, guests in group.guests.items():
            if len(guests) == 1 or viewer != turn[4].seat:
                for guest in guests:
                    letters.append((guest, places[at], places[at + 1], seq, viewer == painting.patient))
            else:
                self._address_apart(guests, turn, places[at], places[at + 1], out, letters)
            at += LETTER
        if at < len(places):  # a round has ended
            stage.add_round(out[places[at] : places[at + 1]].tobytes() + b"}")

    def _address_apart(
        self, guests: Sequence[Guest], turn: MoveTurn, first: int, last: int, out: Written, letters: list[Letter]
    ) -> None:
        """Several connections of the seat that has moved: only the one that sent it gets the answer."""
        origin: object = turn[3]
        seq = self._table.seq
        others = out[first:last].tobytes()
        if origin in guests:
            others = others.removesuffix(ANSWERS + encode(turn[1].id) + b"}") + b"}"
        for guest in guests:
            if guest is origin:
                letters.append((guest, first, last, seq, False))
            else:
                guest.send(others, seq)


def _viewer(seat: int | None) -> int:
    return NOBODY if seat is None else seat


_ENTRIES = (events.PadEntered, events.PadBack)
"""Events after which a pad looks different."""
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
        happened: Any = tell(table, event)
        if table.match is not None and type(event) in SHOWING:
            happened.seen = last_seen(table.match, seat, lang)
        result.append(happened)
    return result
