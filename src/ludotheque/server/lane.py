"""The quick way of moves: compiled code reads them from the sockets, judges them, and sends what became of them.

A table takes it as long as nothing is unusual there: only people play, they all look on in one language, on one device
each and over plain connections, and no clock runs; those who do not read do not count. Whatever else comes over these
connections goes the ordinary way, through picows and `Turns`, and so does a move with which anything is amiss. Whoever
makes a table busy in the ordinary way, or changes who looks on, takes it off the lane, see `Live.shut`; after the next
move it is put there again.

What has come is read while the store is busy, and just before it gets the next group: many moves at once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ludotheque.core.desks import MOST_READY, MOST_TAKEN, Desks, Tray
from ludotheque.core.game import Game
from ludotheque.core.painter import Painter, bit
from ludotheque.core.raw import CAN_RECEIVE
from ludotheque.core.shape import Sheet, seconds
from ludotheque.core.shape import number as digits
from ludotheque.server import protocol
from ludotheque.server.audience import Guest
from ludotheque.server.events import Moved
from ludotheque.server.live import Live, Player
from ludotheque.server.store.base import Row
from ludotheque.server.table import Table
from ludotheque.server.views import Stage
from ludotheque.server.watchdog import Work

if TYPE_CHECKING:
    from ludotheque.server.room import Room
    from ludotheque.server.turns import MoveTurn

log = logging.getLogger("ludotheque.lane")

MOST_READS = 16
"""How often a lane is read before others have their turn."""


class Rider(Player, Protocol):
    """A connection that compiled code reads from."""

    def pass_on(self, data: bytes, is_whole: bool) -> None:
        """Something has come that is no usual move; b"": the connection has ended. It may be made of whole frames."""


class Spot(NamedTuple):
    """A seat at a table on a lane."""

    live: Live
    table: Table
    """Which may not know of the last moves, see `Live`."""
    stage: Stage
    guests: dict[int, Guest]
    """All who look on, by their lines."""
    seat: int
    desk: int
    rider: Rider


class Batch:
    """Moves of one lane that are stored and played together."""

    __slots__ = ("lane", "moves", "rows", "tray")

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.tray = Tray()
        self.clear()

    def clear(self) -> None:
        """Forget them."""
        self.tray.clear()
        self.moves: list[tuple[Spot, int, str]] = []
        """Who has moved, the action, and the id of the message."""
        self.rows: list[Row] = []
        """Their events, for the store."""

    def __getitem__(self, place: int) -> str:
        """The id of a table."""
        return self.moves[place][0].table.id

    def turns(self, first: int = 0) -> list[MoveTurn]:
        """Those from one on as `Turns` has them; their tables leave the lane."""
        return [self.turn(place) for place in range(first, len(self.moves))]

    def turn(self, place: int) -> MoveTurn:
        """One of them; its table leaves the lane."""
        spot, action, message_id = self.moves[place]
        live, rider = spot.live, spot.rider
        live.shut()
        live.table.forget(spot.seat, message_id)
        self.lane.free(spot.desk)
        command = protocol.Move(message_id, live.table.seq, action)
        event = Moved(self.tray.time_of(place) / 1000, spot.seat, action, message_id)
        return live, command, rider.who, rider, event


class Lane:
    """The tables of one game whose people read one language."""

    def __init__(self, room: Room, painter: Painter, game: Game) -> None:
        self.painter = painter
        self.desks = Desks(game, _lay_event)
        self.riders: dict[int, Rider] = {}
        """The connections, by their lines."""
        self._spots: dict[int, Spot] = {}
        """Who moves, by their lines."""
        self._ids: dict[int, str] = {}
        """The tables, by their desks."""
        self._cleared: set[int] = set()
        """Desks of tables that have left although a move from there is on its way to the store, or back."""
        self._room = room
        self._loop = asyncio.get_running_loop()
        self._batch = Batch(self)
        self._full: list[Batch] = []
        self._spare: list[Batch] = []
        self._has_news = False
        """Whether something has come that is not read yet."""
        self._loop.add_reader(self.desks.poll.fileno(), self._came)

    def close(self) -> None:
        """Read no more."""
        self._loop.remove_reader(self.desks.poll.fileno())
        self.desks.close()

    def _came(self) -> None:
        """Something has come. If something is about to be stored, it is read just before."""
        self._has_news = True
        turns = self._room.turns
        if not turns.is_waking:
            self.read()
            turns.wake()

    def lay(self, live: Live, stage: Stage, fresh: int, viewers: int, guests: dict[int, tuple[Guest, int]]) -> None:
        """Put a table on the lane: the connections of its viewers, and their lines."""
        job = stage.job(0, 0, viewers, live.table.seq + 1)
        desk = self.desks.lay(job, fresh, {viewer: line for viewer, (_, line) in guests.items()})
        if desk:
            self._ids[desk] = live.table.id
            by_line = {line: guest for guest, line in guests.values()}
            for viewer, (_, line) in guests.items():
                self._spots[line] = Spot(live, live.table, stage, by_line, viewer, desk, self.riders[line])
            live.lane, live.desk = self, desk

    def clear(self, desk: int) -> None:
        """Take a table off the lane."""
        if self.desks.is_open(desk):
            self.desks.close_desk(desk)
            self.desks.free(desk)
        else:
            self._cleared.add(desk)
        del self._ids[desk]

    def free(self, desk: int) -> None:
        """A move that was on its way when its table left has arrived."""
        self._cleared.remove(desk)
        self.desks.free(desk)

    def has_all(self, batch: Batch) -> bool:
        """Whether the tables of all moves are still here."""
        return not self._cleared or self._cleared.isdisjoint([spot.desk for spot, _, _ in batch.moves])

    def leave(self, line: int) -> None:
        """Compiled code reads from a connection no longer."""
        self.admit()
        if self.riders.pop(line, None) is not None:
            self._spots.pop(line, None)
            self.desks.leave(line)

    @property
    def num_waiting(self) -> int:
        """How many moves wait to be stored."""
        return MOST_TAKEN * len(self._full) + self._batch.tray.count

    def take(self) -> list[Batch]:
        """The moves that wait."""
        self.admit()
        taken, self._full = self._full, []
        if self._batch.moves:
            taken.append(self._batch)
            self._batch = self._new_batch()
        return taken

    def _new_batch(self) -> Batch:
        return self._spare.pop() if self._spare else Batch(self)

    def give_back(self, batch: Batch) -> None:
        """A batch is done with."""
        batch.clear()
        self._spare.append(batch)

    def read(self) -> None:
        """Read what has come, unless nothing has."""
        for _ in range(MOST_READS if self._has_news else 0):
            self._has_news = self._read_some()
            if not self._has_news:
                break

    def _read_some(self) -> bool:
        """Read once from lines over which something has come. Whether more may have come."""
        batch, room = self._batch, self._room
        before = batch.tray.count
        room.work = Work(self._ids, self.desks.doing)
        is_more = False
        try:
            passed = self.desks.take_in(batch.tray, self._loop.time(), round(time.time() * 1000))
        except Exception:  # the room meets it too, and knows what to say
            log.exception("rules failed")
            passed, is_more = self.desks.passed(), True
        finally:
            room.work = None
        count = batch.tray.count - before
        if batch.tray.count == MOST_TAKEN:
            self.admit()
        for line, data, is_whole in passed:
            rider = self.riders.get(line)
            if rider is not None:
                rider.pass_on(data, is_whole)
        return is_more or count + len(passed) == MOST_READY or batch is not self._batch

    def admit(self) -> None:
        """Take note of the moves that were taken in. Those whose message was carried out already are no moves."""
        batch = self._batch
        moves, rows, first = batch.moves, batch.rows, len(batch.moves)
        if first == batch.tray.count:
            return
        again: dict[int, tuple[Spot, int, str]] = {}
        for place, (line, number, action, message_id, event) in enumerate(batch.tray.taken(first), first):
            spot = self._spots[line]
            live, table, _, _, seat, _, _ = spot
            if table.remember(seat, message_id):
                live.lag.append((seat, action))
                moves.append((spot, action, message_id))
                rows.append((table.id, number, event))
            else:
                again[place] = spot, action, message_id
        if again:
            batch.tray.keep([place for place in range(batch.tray.count) if place not in again])
        elif batch.tray.count == MOST_TAKEN:
            self._full.append(batch)
            self._batch = self._new_batch()
        for spot, action, message_id in again.values():
            self.desks.open(spot.desk)
            command = protocol.Move(message_id, spot.live.table.seq, action)
            self._room.submit(spot.live, command, spot.rider.who, spot.rider)


class Lanes:
    """All lanes of a room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._lanes: dict[Painter, Lane] = {}

    def close(self) -> None:
        """Read no more."""
        for lane in self._lanes.values():
            lane.close()

    @property
    def num_waiting(self) -> int:
        """How many moves wait to be stored."""
        return sum([lane.num_waiting for lane in self._lanes.values()])

    def read(self) -> None:
        """Read what has come."""
        for lane in list(self._lanes.values()):
            lane.read()

    def take(self) -> list[Batch]:
        """The moves that wait."""
        return [batch for lane in self._lanes.values() for batch in lane.take()]

    def lay(self, live: Live) -> None:
        """Put a table on its lane, if it is as usual there."""
        table, audience = live.table, live.audience
        if (
            not CAN_RECEIVE
            or live.desk
            or live.busy
            or live.broken
            or live.queue
            or live.behind
            or live.away
            or live.away_timer is not None
            or table.has_bots
            or table.created.clock
            or table.match is None
            or table.match.over
        ):
            return
        scene = audience.scene()
        if scene is None:
            return
        painter, stage, group, _ = scene
        # Whoever is behind comes back as somebody new.
        readers = {viewer: [one for one in guests if not one.is_behind] for viewer, guests in group.guests.items()}
        if any(len(guests) > 1 for guests in readers.values()):
            return
        lane = self._lanes.get(painter)
        if lane is None:
            lane = self._lanes[painter] = Lane(self._room, painter, table.game)
            self._room.outbox.keepers.append(lane.desks)
        found = {viewer: (guest, guest.enlist(lane)) for viewer, guests in readers.items() for guest in guests}
        if found and all(line >= 0 for _, line in found.values()):
            lane.lay(live, stage, table.match_seq, sum(map(bit, found)), found)


def _lay_event(sheet: Sheet) -> None:
    """How a `Moved` is stored, up to its id."""
    for text, shape in (b'{"type":"moved","at":', seconds), (b',"seat":', digits), (b',"action":', digits):
        sheet.literal(text)
        shape.lay(sheet)
    sheet.literal(b',"id":')
