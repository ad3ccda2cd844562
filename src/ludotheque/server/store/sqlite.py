"""The SQLite store: one file, with a write-ahead log that is flushed before anything counts (`synchronous=FULL`)."""

from __future__ import annotations

import contextlib
import logging
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ludotheque.server.store.base import Conflict, StoreError
from ludotheque.server.store.group import EventRow, GroupStore, HeadRow
from ludotheque.server.store.last import LastEvent
from ludotheque.server.store.schema import is_current, sqlite_url, upgrade

log = logging.getLogger("ludotheque.store")

FILE = "tables.sqlite3"
LAST = f"{FILE}-last"
CHECKPOINT_PAGES = 4000
"""The write-ahead log is folded into the file at 16 MB. At 4 MB events take a tenth more processor time, at 48 MB no
less."""
BUSY_SECONDS = 10
MIN_FREE_BYTES = 1 << 20
"""With less room than that on the disk a check fails. Writing may still succeed inside the write-ahead log."""

_INSERT_EVENT = "INSERT INTO events (table_id, seq, data) VALUES (?, ?, ?)"
_INSERT_HEAD = "INSERT OR REPLACE INTO tables (id, public, updated, summary) VALUES (?, ?, ?, ?)"
_LAST_NUMBER = "SELECT seq FROM sqlite_sequence WHERE name = 'events'"


def connect(path: Path) -> sqlite3.Connection:
    """A connection with our settings that commits each statement by itself; one thread at a time may use it."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
    return connection


def connect_read_only(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, not even by folding the write-ahead log into the file."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)


def revision_of(path: Path) -> str | None:
    """The revision of a file's schema; None if it has none."""
    with closing(connect_read_only(path)) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone() is None:
            return None
        found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return found[0] if found else None


def prepare(path: Path) -> None:
    """Create a file with our schema, or bring the schema of an existing one up to date."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if is_current(revision_of(path) if path.exists() else None):
            return
        connect(path).close()
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path} cannot be used: {error}") from None
    upgrade(sqlite_url(path))


class SqliteStore(GroupStore[sqlite3.Connection]):
    """Tables in one file of a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(num_readers=2)
        self.path = folder / FILE
        self._last = LastEvent(folder / LAST)

    def _prepare(self) -> None:
        prepare(self.path)
        self._last.open()
        noted = self._last.read()  # first: what another server commits now must not look like a loss
        with closing(self._connect()) as connection:
            found = self._query(connection, _LAST_NUMBER, ())
        stored = found[0][0] if found else 0
        self.lost_events = max(0, noted - stored)
        if self.lost_events:
            log.critical(
                "%d acknowledged events are missing from %s: its write-ahead log is damaged, or the file was replaced "
                "by an older one. The room goes on without them; consider restoring a backup.",
                self.lost_events,
                self.path,
            )
            self._last.set(stored)

    async def close(self) -> None:
        """See `Store.close`."""
        await super().close()
        self._last.close()

    def _connect(self) -> sqlite3.Connection:
        try:
            return connect(self.path)
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    def _disconnect(self, connection: sqlite3.Connection) -> None:
        with contextlib.suppress(sqlite3.Error):
            connection.close()

    def _store(self, connection: sqlite3.Connection, events: Sequence[EventRow], heads: Sequence[HeadRow]) -> None:
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.executemany(_INSERT_EVENT, events)
                last = connection.execute("SELECT last_insert_rowid()").fetchone()[0]
                connection.executemany(_INSERT_HEAD, heads)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # after some errors SQLite has rolled back already
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from None
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None
        if events:
            self._last.raise_to(last)

    def _query(self, connection: sqlite3.Connection, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        try:
            return connection.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    async def _try_writing(self) -> None:
        try:
            free = shutil.disk_usage(self.path.parent).free
        except OSError as error:
            raise StoreError(str(error)) from None
        if free < MIN_FREE_BYTES:
            raise StoreError(f"the disk is full: {free} bytes are free")
        await super()._try_writing()
