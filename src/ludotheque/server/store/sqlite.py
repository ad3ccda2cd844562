"""The SQLite store: one file, written ahead (WAL) and flushed to disk before anything counts (synchronous=FULL)."""

from __future__ import annotations

import contextlib
import sqlite3
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from ludotheque.server.store.base import Conflict, Row, StoreError
from ludotheque.server.store.group import GroupStore, HeadRow
from ludotheque.server.store.schema import newest, upgrade_apart

FILE = "tables.sqlite3"
CHECKPOINT_PAGES = 8000
BUSY_SECONDS = 10
SIZES = (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
"""How many rows a statement has room for: few kinds of statements, since each that was ever run is kept."""

_HEAD = "INSERT OR REPLACE INTO tables (id, public, updated, summary) VALUES (?, ?, ?, ?)"


_NO_ROW = (None, None, None)


@cache
def _insert(num_rows: int) -> str:
    rows = ",".join(["(?, ?, ?)"] * num_rows)
    return f"INSERT INTO events (table_id, seq, data) SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL"


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
    return connection


class SqliteStore(GroupStore[sqlite3.Connection]):
    """Tables in one file of a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.path = folder / FILE

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

    def _connect(self) -> sqlite3.Connection:
        try:
            return connect(self.path)
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    def _disconnect(self, connection: sqlite3.Connection) -> None:
        connection.close()

    def _store(self, connection: sqlite3.Connection, rows: Sequence[Row], heads: Sequence[HeadRow]) -> None:
        # One statement for many rows: SQLite's module lets go of the interpreter lock for every statement, and gets it
        # back only after a while when the event loop is busy. A single statement is a transaction by itself.
        try:
            if heads or len(rows) > SIZES[-1]:
                connection.execute("BEGIN IMMEDIATE")
            for start in range(0, len(rows), SIZES[-1]):
                part = rows[start : start + SIZES[-1]]
                size = SIZES[bisect_left(SIZES, len(part))]
                values = [*chain.from_iterable(part), *(_NO_ROW * (size - len(part)))]
                connection.execute(_insert(size), values)
            if heads:
                connection.executemany(_HEAD, heads)
            if connection.in_transaction:
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.IntegrityError):
                raise Conflict(str(error)) from None
            raise StoreError(str(error)) from None

    def _query(self, connection: sqlite3.Connection, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        try:
            return connection.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None
