"""Group commit: what both stores share.

One thread writes. All batches that arrive while it is busy with a transaction go into the next one, because a flush
costs the same for one event as for hundreds. Reads run in a pool of other threads, each with its own connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from ludotheque.server.domain.protocol import Summary
from ludotheque.server.store.base import Conflict, Done, Entry, Head, StoreError

log = logging.getLogger("ludotheque.store")

C = TypeVar("C")
T = TypeVar("T")

CHECK_SECONDS = 1.0
"""How long the result of a check holds."""
CHECK_TIMEOUT = 5.0
"""A store that has written nothing for so long fails the check."""

EventRow = tuple[str, int, str]
"""A row of `events`, without its number: table, seq, data."""
HeadRow = tuple[str, bool, float, str]
"""A row of `tables`: id, public, updated, summary."""

_NOTHING = Entry("", 0, ())
"""An entry without events, for heads that come without any and for checks."""

_SELECT_EVENTS = "SELECT data FROM events WHERE table_id = ? AND seq > ? ORDER BY seq"
_SELECT_LAST = "SELECT MAX(seq) FROM events WHERE table_id = ?"
_SELECT_PUBLIC = "SELECT summary FROM tables WHERE public ORDER BY updated DESC LIMIT ?"
_SELECT_SETTING = "SELECT value FROM settings WHERE name = ?"
_INSERT_SETTING = "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
_NOTE_CHECK = (
    "INSERT INTO settings (name, value) VALUES ('checked', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


class Write(NamedTuple):
    """What is stored or refused as one: an entry, and the head of its table if that changes."""

    entry: Entry
    head: Head | None


class Batch(NamedTuple):
    """What one call of `append` asked for."""

    writes: list[Write]
    num_entries: int
    """The first so many writes are the caller's entries; the others are heads without one."""
    done: Done


class GroupStore(ABC, Generic[C]):
    """A store over connections of some kind, each used by one thread at a time."""

    def __init__(self, num_readers: int) -> None:
        self.lost_events = 0
        self._queue: SimpleQueue[Batch | None] = SimpleQueue()
        self._is_closed = False
        self._writer = threading.Thread(target=self._write_loop, name="ludotheque-write", daemon=True)
        self._readers = ThreadPoolExecutor(num_readers, "ludotheque-read")
        self._local = threading.local()
        self._reading: set[C] = set()
        self._is_well = True
        """Whether the last write succeeded; conflicts are no failure."""
        self._check: asyncio.Task[None] | None = None
        self._checked_at = 0.0

    # What each kind of store defines.

    @abstractmethod
    def _prepare(self) -> None:
        """Bring the schema up to date."""

    @abstractmethod
    def _connect(self) -> C:
        """A fresh connection that commits each query by itself. May raise a `StoreError`."""

    @abstractmethod
    def _disconnect(self, connection: C) -> None:
        """Close a connection, whatever state it is in."""

    @abstractmethod
    def _store(self, connection: C, events: Sequence[EventRow], heads: Sequence[HeadRow]) -> None:
        """Write all of it in one transaction, or nothing: `Conflict`, `StoreError`, or `Uncertain`."""

    @abstractmethod
    def _query(self, connection: C, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Run a query written with question marks. May raise a `StoreError`."""

    # Opening and closing.

    async def open(self) -> None:
        """See `Store.open`."""
        self._loop = asyncio.get_running_loop()
        await self._loop.run_in_executor(self._readers, self._prepare)
        self._writer.start()

    async def close(self) -> None:
        """See `Store.close`."""
        if self._writer.is_alive() and not self._is_closed:
            self._is_closed = True
            self._queue.put(None)
            await self._loop.run_in_executor(None, self._writer.join)
            await asyncio.sleep(0)  # lets the last results be delivered
        self._readers.shutdown()
        for connection in self._reading:
            self._disconnect(connection)
        self._reading.clear()

    # Writing.

    def append(self, entries: Sequence[Entry], heads: Sequence[Head], done: Done) -> None:
        """See `Store.append`."""
        if self._is_closed:
            refused: list[StoreError | None] = [StoreError("the store is closed")] * len(entries)
            self._loop.call_soon(done, refused)
            return
        left = {head.summary.id: head for head in heads}
        writes = [Write(entry, left.pop(entry.table, None)) for entry in entries]
        writes += [Write(_NOTHING, head) for head in left.values()]
        self._queue.put(Batch(writes, len(entries), done))

    def _write_loop(self) -> None:
        connection: C | None = None
        is_open = True
        while is_open:
            found = [self._queue.get()]
            while not self._queue.empty():
                found.append(self._queue.get())
            batches = [batch for batch in found if batch is not None]
            is_open = len(batches) == len(found)
            writes = [write for batch in batches for write in batch.writes]
            results: list[StoreError | None]
            try:
                if connection is None:
                    connection = self._connect()
                results = self._write(connection, writes, set())
            except StoreError as error:
                results = [error] * len(writes)
            except Exception as error:  # the thread must live on, whatever a driver raises
                log.exception("writing failed")
                results = [StoreError(f"{type(error).__name__}: {error}")] * len(writes)
            if connection is not None and any(error and not isinstance(error, Conflict) for error in results):
                self._disconnect(connection)  # it may be broken; a fresh one finds out
                connection = None
            self._is_well = all(error is None or isinstance(error, Conflict) for error in results)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for the results
                self._loop.call_soon_threadsafe(self._deliver, batches, results)
        if connection is not None:
            self._disconnect(connection)

    def _write(self, connection: C, writes: Sequence[Write], refused: set[str]) -> list[StoreError | None]:
        """Store all in one transaction. If some are in conflict, try both halves, until it is clear which.

        `refused` collects the tables that had a conflict: their later entries are refused too.
        """
        if not writes:
            return []
        try:
            if any(write.entry.table in refused for write in writes):
                raise Conflict("it follows an event that is in conflict")
            events = [
                (entry.table, seq, data) for entry, _ in writes for seq, data in enumerate(entry.data, start=entry.seq)
            ]
            heads = [_head_row(head) for _, head in writes if head is not None]
            if events or heads:
                self._store(connection, events, heads)
            else:
                self._query(connection, _NOTE_CHECK, (str(time.time()).encode(),))
            return [None] * len(writes)
        except Conflict as conflict:
            if len(writes) == 1:
                refused.add(writes[0].entry.table)
                return [conflict]
        except StoreError as error:
            return [error] * len(writes)
        half = len(writes) // 2
        first = self._write(connection, writes[:half], refused)
        return first + self._write(connection, writes[half:], refused)

    def _deliver(self, batches: Sequence[Batch], results: Sequence[StoreError | None]) -> None:
        at = 0
        for batch in batches:
            try:
                batch.done(list(results[at : at + batch.num_entries]))
            except Exception:  # the other callers wait for their results too
                log.exception("a result could not be delivered")
            at += len(batch.writes)

    def append_now(self, table: str, data: str) -> None:
        """See `Store.append_now`."""
        connection = self._connect()
        try:
            while True:
                last = self._query(connection, _SELECT_LAST, (table,))[0][0] or 0
                with contextlib.suppress(Conflict):  # another server was faster: this goes behind its event
                    return self._store(connection, [(table, last + 1, data)], [])
        finally:
            self._disconnect(connection)

    async def check(self) -> None:
        """See `Store.check`."""
        now = self._loop.time()
        is_fresh = now - self._checked_at < CHECK_SECONDS and self._is_well
        if self._check is None or (self._check.done() and not is_fresh):
            self._checked_at = now
            self._check = asyncio.create_task(self._try_writing())
        try:
            await asyncio.wait_for(asyncio.shield(self._check), CHECK_TIMEOUT)
        except TimeoutError:
            raise StoreError(f"nothing could be written for {CHECK_TIMEOUT:g} seconds") from None

    async def _try_writing(self) -> None:
        """Pass an entry without events through the writer: it shares its fate with events, or is noted by itself."""
        future: asyncio.Future[list[StoreError | None]] = self._loop.create_future()
        self.append([_NOTHING], [], future.set_result)
        error = (await future)[0]
        if error is not None:
            raise error

    # Reading.

    async def _ask(self, work: Callable[[C], T]) -> T:
        return await self._loop.run_in_executor(self._readers, self._read, work)

    def _read(self, work: Callable[[C], T]) -> T:
        """Run with this thread's connection; if that one has broken since its last use, with a fresh one."""
        connection: C | None = getattr(self._local, "connection", None)
        if connection is not None:
            try:
                return work(connection)
            except StoreError:
                self._forget(connection)
        connection = self._local.connection = self._connect()
        self._reading.add(connection)
        try:
            return work(connection)
        except StoreError:
            self._forget(connection)
            raise

    def _forget(self, connection: C) -> None:
        self._local.connection = None
        self._reading.discard(connection)
        self._disconnect(connection)

    async def read(self, table: str, after: int = 0) -> list[str]:
        """See `Store.read`."""
        rows = await self._ask(lambda connection: self._query(connection, _SELECT_EVENTS, (table, after)))
        return [row[0] for row in rows]

    async def public_tables(self, limit: int) -> list[Summary]:
        """See `Store.public_tables`."""
        rows = await self._ask(lambda connection: self._query(connection, _SELECT_PUBLIC, (limit,)))
        return [msgspec.json.decode(row[0], type=Summary) for row in rows]

    async def setting(self, name: str, fresh: bytes) -> bytes:
        """See `Store.setting`."""

        def work(connection: C) -> bytes:
            self._query(connection, _INSERT_SETTING, (name, fresh))
            return bytes(self._query(connection, _SELECT_SETTING, (name,))[0][0])

        return await self._ask(work)


def _head_row(head: Head) -> HeadRow:
    return head.summary.id, head.public, head.summary.updated, msgspec.json.encode(head.summary).decode()
