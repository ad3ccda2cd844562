"""A table in memory, and where its commands come from.

While its moves go the quick way (`lane.py`), compiled code plays and shows them, and Python is not told of each. Who
asks for the table, or for those who look on, gets them as they are now: see `Live.table`. Whoever changes anything
takes the table off its lane first: see `Live.shut`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Protocol

import msgspec

from ludotheque.core.match import Move
from ludotheque.server.audience import Audience, Guest
from ludotheque.server.commands import Command, Who
from ludotheque.server.refusals import Refusal
from ludotheque.server.table import Table

if TYPE_CHECKING:
    from ludotheque.server.lane import Lane


class Origin(Protocol):
    """Where a command came from, and where its answer goes."""

    def done(self, live: Live, message_id: str, shown: bool) -> None:
        """It is carried out and stored. `shown`: just now, and everybody at the table was told."""

    def refused(self, live: Live, refusal: Refusal, message_id: str) -> None:
        """It was refused."""


class Player(Guest, Origin, Protocol):
    """A connection that sends messages and gets the answers."""


class Stats:
    """What the room counts."""

    def __init__(self) -> None:
        self.events = 0
        self.moves = 0
        self.refusals = 0
        self.conflicts = 0
        self.store_errors = 0
        self.failures = 0


class Elsewhere(msgspec.Struct):
    """Who is connected to a table at another server."""

    told: float
    """When it was told, on the loop's clock."""
    here: list[int]
    watching: int


class Live:
    """A table in memory."""

    __slots__ = (
        "_audience",
        "_is_busy",
        "_table",
        "advising",
        "away",
        "away_timer",
        "behind",
        "broken",
        "clock_timer",
        "deadline",
        "desk",
        "elsewhere",
        "lag",
        "lane",
        "looked",
        "queue",
        "thinking",
        "told_presence",
        "used",
    )

    def __init__(self, table: Table, now: float) -> None:
        self._table = table
        self._audience = Audience(table, self.shut)
        self._is_busy = False
        self.lane: Lane | None = None
        self.desk = 0
        """Where the table lies on its lane; 0 if it is on none."""
        self.lag: list[Move] = []
        """Moves that came the quick way, and that the table does not know of; the last one may not be stored yet."""
        self.broken = False
        """Whether its rules have failed; then nothing more is done."""
        self.queue: deque[tuple[Command, Who, Origin]] | None = None
        self.thinking = False
        self.advising: set[int] = set()
        self.away: dict[int, float] = {}
        """People who are not connected, and since when."""
        self.away_timer: asyncio.TimerHandle | None = None
        self.deadline: float | None = None
        """When this turn's time is up, on the loop's clock."""
        self.clock_timer: asyncio.TimerHandle | None = None
        self.used = now
        self.looked = now
        self.elsewhere: dict[str, Elsewhere] = {}
        """Other servers with connections to this table."""
        self.told_presence = 0.0
        """When other servers were told who is here."""
        self.behind = False
        """Whether there are news of events written elsewhere."""

    @property
    def table(self) -> Table:
        """The table as it is now."""
        if self.desk:
            self._catch_up()
        return self._table

    @property
    def audience(self) -> Audience:
        """Those who look on."""
        if self.desk:
            self._catch_up()
        return self._audience

    @property
    def busy(self) -> bool:
        """Whether an event is being stored, or others' events are being read."""
        return self._is_busy or (self.lane is not None and self.desk > 0 and not self.lane.desks.is_open(self.desk))

    @busy.setter
    def busy(self, is_busy: bool) -> None:
        self.shut()
        self._is_busy = is_busy

    def _catch_up(self) -> None:
        """Let the table know of the moves that were played since it was last asked for."""
        assert self.lane is not None
        count = self.lane.desks.number(self.desk) - 1 - self._table.seq
        if count:
            self._table.note_all(self.lag[:count])
            self._audience.follow(count)
            del self.lag[:count]

    def shut(self) -> None:
        """Take the table off its lane: from now on its moves go the ordinary way, also the one that is being stored."""
        if self.desk and self.lane is not None:
            self.lane.admit()
        if self.desk and self.lane is not None:
            self._catch_up()
            self._is_busy = self.busy
            self.lane.clear(self.desk)
            self.desk = 0
            self.lag.clear()


class Nobody:
    """The origin of what the room does by itself."""

    def done(self, live: Live, message_id: str, shown: bool) -> None:
        """Nobody waits."""

    def refused(self, live: Live, refusal: Refusal, message_id: str) -> None:
        """The table has moved on meanwhile."""


class Waiter:
    """The origin of an HTTP request."""

    def __init__(self) -> None:
        self.future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(self, live: Live, message_id: str, shown: bool) -> None:
        """Go on."""
        if not self.future.done():
            self.future.set_result(None)

    def refused(self, live: Live, refusal: Refusal, message_id: str) -> None:
        """Raise it."""
        if not self.future.done():
            self.future.set_exception(refusal)


NOBODY = Nobody()
