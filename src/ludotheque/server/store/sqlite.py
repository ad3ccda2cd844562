"""The SQLite store: one file, written ahead (WAL) and flushed to disk before anything counts (synchronous=FULL)."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ludotheque.server.store.base import Row, StoreError
from ludotheque.server.store.group import GroupStore, HeadRow
from ludotheque.server.store.journal import SIZES, Journal, append_last, drain
from ludotheque.server.store.schema import newest, upgrade_apart

FILE = "tables.sqlite3"
CHECKPOINT_PAGES = 4000
BUSY_SECONDS = 10
CACHE_KIB = 4096
"""Room for all pages of the journal, which are written over."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection with our settings, in manual transaction mode; any one thread at a time may use it."""
    connection = sqlite3.connect(
        path,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=4 * len(SIZES),
    )
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
    return connection


class SqliteStore(GroupStore[sqlite3.Connection]):
    """Tables in one file of a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.path = folder / FILE
        self._journal = Journal()

    def _prepare(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = connect(self.path)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{self.path} cannot be used: {error}") from None
        try:
            is_new = self._revision(connection) == newest()
        finally:
            connection.close()
        if not is_new:
            upgrade_apart(f"sqlite:///{self.path}")
        self._drain()

    def _connect(self) -> sqlite3.Connection:
        try:
            return connect(self.path)
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    def _disconnect(self, connection: sqlite3.Connection) -> None:
        connection.close()

    def _store(self, connection: sqlite3.Connection, rows: Sequence[Row], heads: Sequence[HeadRow]) -> None:
        self._journal.store(connection, rows, heads)

    def append_now(self, table: str, data: bytes) -> None:
        """See `Store.append_now`."""
        with closing(self._connect()) as connection:
            append_last(connection, table, data)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """See `Store.read`."""
        return await self._ask(lambda connection: self._journal.read(connection, table, after))

    async def close(self) -> None:
        """See `Store.close`."""
        await super().close()
        if self._thread is not None:
            await self._loop.run_in_executor(None, self._drain)

    def _drain(self) -> None:
        # Where there is no room for it just now, the first group that is written does it.
        with contextlib.suppress(StoreError), closing(self._connect()) as connection:
            drain(connection)

    def _query(self, connection: sqlite3.Connection, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        try:
            return connection.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None
