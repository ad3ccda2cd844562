"""A table in memory, and where its commands come from."""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from ludotheque.server.domain.commands import Command, Who
from ludotheque.server.domain.refusals import Refusal
from ludotheque.server.domain.table import Table
from ludotheque.server.session.audience import Audience, Viewer


class Origin(Protocol):
    """Where a command came from, and where its answer goes."""

    def accepted(self, live: LiveTable, message_id: str, is_shown: bool) -> None:
        """It is carried out and stored. `is_shown`: just now, so the update that shows it is the answer."""

    def refused(self, live: LiveTable, refusal: Refusal, message_id: str) -> None:
        """It was refused, and nothing has changed."""


class Player(Viewer, Origin, Protocol):
    """A connection that sends messages and gets the answers."""


class Pending(NamedTuple):
    """A command that waits to be judged."""

    command: Command
    who: Who
    origin: Origin


class State(Enum):
    """What a table is doing."""

    IDLE = "idle"
    STORING = "storing"
    """An event is being stored. Commands wait."""
    READING = "reading"
    """Events that another server wrote are being read. Commands wait."""
    BROKEN = "broken"
    """Its rules have failed. Commands are refused."""


class Elsewhere(msgspec.Struct):
    """Who is connected to a table at another server."""

    heard: float
    """When that was heard, on the loop's clock."""
    here: list[int]
    watching: int


class Pause(NamedTuple):
    """The pause after a round."""

    waiting: set[int]
    """The seats that have not pressed on yet."""
    timer: asyncio.TimerHandle


class Haste(Enum):
    """How fast bots play once nobody else is left to play."""

    NONE = "none"
    FASTER = "faster"
    TO_THE_END = "to_the_end"
    """At once, also if nobody looks."""


class LiveTable:
    """A table in memory."""

    __slots__ = (
        "advising",
        "announced",
        "audience",
        "away",
        "away_timer",
        "checked",
        "clock_timer",
        "deadline",
        "elsewhere",
        "haste",
        "is_outdated",
        "is_overdue",
        "is_thinking",
        "pause",
        "queue",
        "state",
        "table",
        "used",
    )

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.audience = Audience(table)
        self.state = State.IDLE
        self.queue: list[Pending] = []
        self.is_outdated = False
        """Whether another server has written events that are not read yet."""
        self.is_thinking = False
        """Whether a bot thinks about a move here."""
        self.pause: Pause | None = None
        """While people look at how a round ended."""
        self.haste = Haste.NONE
        self.advising: set[int] = set()
        """Seats that wait for a hint."""
        self.away: dict[int, float] = {}
        """People who are not connected, and since when."""
        self.away_timer: asyncio.TimerHandle | None = None
        self.deadline: float | None = None
        """When this turn's time is up, on the loop's clock."""
        self.clock_timer: asyncio.TimerHandle | None = None
        self.is_overdue = False
        """Whether this turn's time is up, and a move is being chosen."""
        self.used = now
        """When somebody last came or went."""
        self.checked = now
        """When it was last compared with the store."""
        self.elsewhere: dict[str, Elsewhere] = {}
        """Other servers with connections to this table."""
        self.announced = 0.0
        """When other servers were last told who is here."""


class Nobody:
    """The origin of what the room does by itself."""

    def accepted(self, live: LiveTable, message_id: str, is_shown: bool) -> None:
        """Nobody waits."""

    def refused(self, live: LiveTable, refusal: Refusal, message_id: str) -> None:
        """The table has moved on."""


class Waiter:
    """The origin of an HTTP request."""

    def __init__(self) -> None:
        self.future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def accepted(self, live: LiveTable, message_id: str, is_shown: bool) -> None:
        """Go on."""
        if not self.future.done():
            self.future.set_result(None)

    def refused(self, live: LiveTable, refusal: Refusal, message_id: str) -> None:
        """Raise it."""
        if not self.future.done():
            self.future.set_exception(refusal)


NOBODY = Nobody()
