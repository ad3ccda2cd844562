"""A table in memory, and where its commands come from."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

import msgspec

from ludotheque.server.audience import Audience, Guest
from ludotheque.server.commands import Command, Who
from ludotheque.server.refusals import Refusal
from ludotheque.server.table import Table


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
        "advising",
        "audience",
        "away",
        "away_timer",
        "behind",
        "broken",
        "busy",
        "clock_timer",
        "deadline",
        "elsewhere",
        "looked",
        "queue",
        "table",
        "thinking",
        "told_presence",
        "used",
    )

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.audience = Audience(table)
        self.busy = False
        """Whether an event is being stored, or others' events are being read."""
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
