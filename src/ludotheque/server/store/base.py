"""What the room asks of a store: append events for good, read them back, list tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ludotheque.core.errors import LudothequeError
from ludotheque.server.protocol import Summary


class StoreError(LudothequeError):
    """Nothing could be stored or read just now: a full disk, a database that is away."""


class Conflict(StoreError):
    """Somebody else has written this event of the table: read it, and decide again."""


class Uncertain(StoreError):
    """The connection broke while storing: it may or may not have been written. Read, to know."""


Done = Callable[[StoreError | None], None]
"""Called in the event loop: with None once everything is on disk, else with the reason why nothing was written."""


Row = tuple[str, int, bytes]
"""An event: its table, its number there, and itself."""


class Head:
    """What the list of tables shows of one; written together with events that change it."""

    __slots__ = ("public", "summary")

    def __init__(self, summary: Summary, public: bool) -> None:
        self.summary = summary
        self.public = public


class Store(Protocol):
    """A place where tables are kept. `(table, seq)` is unique: two writers cannot both write event 17."""

    async def open(self) -> None:
        """Get ready; bring the schema up to date."""

    async def close(self) -> None:
        """Write what is still waiting, then stop."""

    def append(self, table: str, seq: int, data: Sequence[bytes], head: Head | None, done: Done) -> None:
        """Store events `seq`, `seq + 1`, … of a table, all or none, together with others that wait just now."""

    def append_rows(self, rows: list[Row], done: Done) -> None:
        """Store events of several tables, all or none, together with others that wait just now."""

    def append_now(self, table: str, data: bytes) -> None:
        """Store a last event of a table at once, in any thread: the loop may be held up."""

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The events of a table after the first so many, in order."""

    async def public_tables(self, limit: int) -> list[Summary]:
        """The public tables, the latest first."""

    async def setting(self, name: str, fresh: bytes) -> bytes:
        """A value that all servers on this store share: the one stored first."""

    async def check(self) -> None:
        """Whether the store can be read, or a `StoreError`."""
