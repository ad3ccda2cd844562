"""What the room asks of a store: append events for good, read them back, list tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ludotheque.core.errors import LudothequeError
from ludotheque.server.domain.protocol import Summary


class StoreError(LudothequeError):
    """Nothing could be stored or read just now: a full disk, a database that is away."""


class Conflict(StoreError):
    """Another writer has stored this event of the table: read it, and decide again."""


class Uncertain(StoreError):
    """The connection broke during a commit, so it may or may not have been stored: read to find out."""


class Entry(NamedTuple):
    """The events one command leads to at one table: all of them are stored, or none."""

    table: str
    seq: int
    """The number of the first event."""
    data: Sequence[str]
    """The events as JSON text."""


class Head(NamedTuple):
    """A row of the list of tables."""

    summary: Summary
    public: bool


Done = Callable[[list[StoreError | None]], None]
"""Called in the event loop with a result for each entry, in order: None once it is on disk, else why it is not."""


class Store(Protocol):
    """A place where tables are kept. `(table, seq)` is unique: two writers cannot both store event 17."""

    lost_events: int
    """How many acknowledged events were found missing when the store was opened."""

    async def open(self) -> None:
        """Connect, and bring the schema up to date."""

    async def close(self) -> None:
        """Store what is still waiting, then stop."""

    def append(self, entries: Sequence[Entry], heads: Sequence[Head], done: Done) -> None:
        """Store a batch in one transaction, together with other batches that are waiting.

        If an entry is in conflict, only that one is refused, with its head and with later entries of the same table
        that are waiting: they were judged on events that do not exist.
        """

    def append_now(self, table: str, data: str) -> None:
        """Store a last event of a table at once, from any thread: the event loop may be blocked."""

    async def read(self, table: str, after: int = 0) -> list[str]:
        """The events of a table after event number `after`, in order."""

    async def public_tables(self, limit: int) -> list[Summary]:
        """The public tables, the latest first."""

    async def setting(self, name: str, fresh: bytes) -> bytes:
        """A value that all servers on this store share: the one stored first."""

    async def check(self) -> None:
        """Raise a `StoreError` unless something can be written now; really tried once a second at most."""
