"""Writing in groups: what all stores share.

One thread writes. It is woken once for all that the event loop has read in one go, and whatever comes in while it is
busy with a transaction goes into the next one: flushing costs the same for one move as for hundreds. Reading happens in
other threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

import msgspec

from ludotheque.server.protocol import Summary
from ludotheque.server.store.base import Conflict, Done, Head, Row, StoreError, Uncertain

log = logging.getLogger("ludotheque.store")

C = TypeVar("C")
T = TypeVar("T")

SUMMARY_SECONDS = 0.02
"""How long the summary of a table waits for events to be written with."""

HeadRow = tuple[str, bool, float, bytes]
Item = tuple[list[Row], Head | None, Done]


class GroupStore(Generic[C]):
    """A store over connections of some kind, each used by one thread at a time."""

    def __init__(self, num_readers: int = 2) -> None:
        self._pending: deque[Item] = deque()
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._is_waking = False
        self._closing = False
        self._thread: threading.Thread | None = None
        self._readers = ThreadPoolExecutor(num_readers, "ludotheque-read")
        self._local = threading.local()
        self._opened: list[C] = []

    # What each kind of store says.

    @abstractmethod
    def _prepare(self) -> None:
        """Bring the schema up to date."""

    @abstractmethod
    def _connect(self) -> C:
        """A fresh connection. May raise a `StoreError`."""

    @abstractmethod
    def _disconnect(self, connection: C) -> None:
        """Close a connection, whatever state it is in."""

    @abstractmethod
    def _store(self, connection: C, rows: Sequence[Row], heads: Sequence[HeadRow]) -> None:
        """Write all of it in one transaction, or nothing: `Conflict`, `StoreError`, or `Uncertain`."""

    @abstractmethod
    def _query(self, connection: C, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Run a query written with question marks. May raise a `StoreError`."""

    # What they share.

    def _revision(self, connection: C) -> str | None:
        """The last migration that was run; None if there was none yet."""
        try:
            rows = self._query(connection, "SELECT version_num FROM alembic_version", ())
        except StoreError:
            return None
        return rows[0][0] if rows else None

    async def open(self) -> None:
        """See `Store.open`."""
        self._loop = asyncio.get_running_loop()
        await self._loop.run_in_executor(self._readers, self._prepare)
        self._thread = threading.Thread(target=self._write_on, name="ludotheque-write", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """See `Store.close`."""
        self._closing = True
        self._wake.put(None)
        if self._thread is not None:
            await self._loop.run_in_executor(None, self._thread.join)
        await asyncio.sleep(0)  # the last answers
        self._readers.shutdown()
        for connection in self._opened:
            self._disconnect(connection)

    def append(self, table: str, seq: int, data: Sequence[bytes], head: Head | None, done: Done) -> None:
        """See `Store.append`."""
        self._append(([(table, seq + n, event) for n, event in enumerate(data)], head, done))

    def append_rows(self, rows: list[Row], done: Done) -> None:
        """See `Store.append_rows`."""
        self._append((rows, None, done))

    def _append(self, item: Item) -> None:
        self._pending.append(item)
        if not item[0]:
            self._loop.call_later(SUMMARY_SECONDS, self._wake_writer)
        elif not self._is_waking:
            self._is_waking = True
            self._loop.call_soon(self._wake_writer)

    def _wake_writer(self) -> None:
        self._is_waking = False
        self._wake.put(None)

    def _write_on(self) -> None:
        connection: C | None = None
        while not (self._closing and not self._pending):
            if not self._pending:
                self._wake.get()
            batch = [self._pending.popleft() for _ in range(len(self._pending))]
            if not batch:
                continue
            try:
                if connection is None:
                    connection = self._connect()
                results = self._write(connection, batch)
            except StoreError as error:
                results = [(done, error) for _, _, done in batch]
            if connection is not None and any(isinstance(error, Uncertain) for _, error in results):
                self._disconnect(connection)
                connection = None
            with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits for an answer
                self._loop.call_soon_threadsafe(self._tell, results)
        if connection is not None:
            self._disconnect(connection)

    def _tell(self, results: list[tuple[Done, StoreError | None]]) -> None:
        """Pass answers on, in the order in which the events were stored."""
        for done, error in results:
            try:
                done(error)
            except Exception:  # others wait for an answer as well
                log.exception("an answer could not be given")

    def _write(self, connection: C, batch: Sequence[Item]) -> list[tuple[Done, StoreError | None]]:
        """Store a batch in one transaction; if one of them is in conflict, each by itself."""
        rows = batch[0][0] if len(batch) == 1 else [row for rows, _, _ in batch for row in rows]
        heads = [_head_row(head) for _, head, _ in batch if head is not None]
        try:
            self._store(connection, rows, heads)
            return [(done, None) for _, _, done in batch]
        except Conflict as conflict:
            if len(batch) == 1:
                return [(batch[0][2], conflict)]
            return [result for item in batch for result in self._write(connection, [item])]
        except StoreError as error:
            return [(done, error) for _, _, done in batch]

    def append_now(self, table: str, data: bytes) -> None:
        """See `Store.append_now`."""
        connection = self._connect()
        last = self._query(connection, "SELECT MAX(seq) FROM events WHERE table_id = ?", (table,))[0][0]
        self._store(connection, [(table, (last or 0) + 1, data)], ())
        self._disconnect(connection)

    async def _ask(self, work: Callable[[C], T]) -> T:
        def run() -> T:
            connection: C | None = getattr(self._local, "connection", None)
            if connection is not None:
                try:
                    return work(connection)
                except StoreError:  # it may have broken since; a fresh one decides
                    self._local.connection = None
                    self._opened.remove(connection)
                    self._disconnect(connection)
            connection = self._connect()
            try:
                result = work(connection)
            except StoreError:
                self._disconnect(connection)
                raise
            self._local.connection = connection
            self._opened.append(connection)
            return result

        return await self._loop.run_in_executor(self._readers, run)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """See `Store.read`."""
        select = "SELECT data FROM events WHERE table_id = ? AND seq > ? ORDER BY seq"
        rows = await self._ask(lambda connection: self._query(connection, select, (table, after)))
        return [bytes(row[0]) for row in rows]

    async def public_tables(self, limit: int) -> list[Summary]:
        """See `Store.public_tables`."""
        select = "SELECT summary FROM tables WHERE public ORDER BY updated DESC LIMIT ?"
        rows = await self._ask(lambda connection: self._query(connection, select, (limit,)))
        return [msgspec.json.decode(row[0], type=Summary) for row in rows]

    async def setting(self, name: str, fresh: bytes) -> bytes:
        """See `Store.setting`."""
        insert = "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
        select = "SELECT value FROM settings WHERE name = ?"

        def work(connection: C) -> bytes:
            self._query(connection, insert, (name, fresh))
            return bytes(self._query(connection, select, (name,))[0][0])

        return await self._ask(work)

    async def check(self) -> None:
        """See `Store.check`."""
        await self._ask(lambda connection: self._query(connection, "SELECT 1 FROM settings LIMIT 1", ()))


def _head_row(head: Head) -> HeadRow:
    return head.summary.id, head.public, head.summary.updated, msgspec.json.encode(head.summary)
