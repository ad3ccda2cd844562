"""The journal of an SQLite file: a group of events is written as one row, and moved to its place later.

In `events` each table has pages of its own, so a group of moves at many tables would change as many pages. In `journal`
it changes one or two. Later the events are moved, sorted by table, a slice at a time.

An event goes into the journal only if it directly follows the newest of its table, and nobody else has written to the
file since this writer knows which that is. Every other event goes into `events`, where the key finds conflicts. Who
writes after somebody else moves the whole journal first. So the journal never has events of two writers, and `events`
has all there is whenever it is asked about conflicts.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from bisect import bisect_left
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from threading import Lock

import msgspec

from ludotheque.server.store.base import Conflict, Row, StoreError
from ludotheque.server.store.group import HeadRow

EPOCH = 4096
"""How many events wait in the journal until they are moved; meanwhile as many again may come."""
SLICE = 256
"""How many are moved at a time: that takes a few milliseconds at most."""
GROUPS = 4
"""How many groups are written from one slice to the next, if they are small."""
KNOWN = 4096
"""Of how many tables that have no event in the journal the newest is known."""
SIZES = (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
"""How many rows a statement has room for: few kinds of statements, since each that was ever run is kept."""

# `data_version` changes when another connection has committed. It is asked where the file is locked already.
_JOURNAL = (
    "INSERT INTO journal (number, writer, rows) SELECT ?, ?, ? WHERE (SELECT data_version FROM pragma_data_version) = ?"
)
_NEWEST = (
    "SELECT NULL, data_version FROM pragma_data_version UNION ALL "
    "SELECT value, (SELECT coalesce(MAX(seq), 0) FROM events WHERE table_id = value) FROM json_each(?)"
)
_MOVED = "DELETE FROM journal WHERE number <= ? AND writer = ?"
_HEAD = "INSERT OR REPLACE INTO tables (id, public, updated, summary) VALUES (?, ?, ?, ?)"
_LAST = "INSERT INTO events SELECT ?, coalesce(MAX(seq), 0) + 1, ? FROM events WHERE table_id = ?"
_HAS_JOURNAL = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'journal'"
# One statement sees the file as it is at one moment. All of the journal is by one writer: its second part tells whether
# that is oneself, the third has the journal of somebody else.
_WRITER = "(SELECT writer AS author FROM journal ORDER BY number LIMIT 1)"
_READ = (
    "SELECT seq, data FROM events WHERE table_id = ? AND seq > ? UNION ALL "
    f"SELECT NULL, NULL FROM {_WRITER} WHERE author = ? UNION ALL "
    f"SELECT NULL, rows FROM {_WRITER} CROSS JOIN journal WHERE author <> ?"
)

_NO_ROW = (None, None, None)
_decode = msgspec.msgpack.Decoder(list[Row]).decode


@cache
def _insert(num_rows: int, way: str) -> str:
    rows = ",".join(["(?, ?, ?)"] * num_rows)
    return f"INSERT {way} INTO events (table_id, seq, data) SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL"


def _insert_events(connection: sqlite3.Connection, rows: Sequence[Row], way: str = "") -> None:
    """Write events to their place, many with one statement.

    SQLite's module lets go of the interpreter lock for every statement, and gets it back only after a while when the
    event loop is busy.
    """
    for start in range(0, len(rows), SIZES[-1]):
        # For bytes, but not for an array of them, the module looks up how they are to be adapted.
        part = [(table, seq, bytearray(data)) for table, seq, data in rows[start : start + SIZES[-1]]]
        size = SIZES[bisect_left(SIZES, len(part))]
        connection.execute(_insert(size, way), [*chain.from_iterable(part), *(_NO_ROW * (size - len(part)))])


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """Errors are told as the store's."""
    try:
        yield
    except (sqlite3.Error, msgspec.DecodeError) as error:
        kind = Conflict if isinstance(error, sqlite3.IntegrityError) else StoreError
        raise kind(str(error)) from None


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is done within is committed, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _drain(connection: sqlite3.Connection) -> None:
    groups = connection.execute("SELECT rows FROM journal").fetchall()
    if groups:
        connection.execute("DELETE FROM journal")
        _insert_events(connection, sorted(chain.from_iterable(_decode(rows) for (rows,) in groups)), "OR IGNORE")


def drain(connection: sqlite3.Connection) -> None:
    """Move the whole journal, whoever wrote it, if the file has one. Servers that run on it notice."""
    with _refusing(), _transaction(connection):
        if connection.execute(_HAS_JOURNAL).fetchone() is not None:
            _drain(connection)


def append_last(connection: sqlite3.Connection, table: str, data: bytes) -> None:
    """Write an event after all others of its table."""
    with _refusing(), _transaction(connection):
        _drain(connection)
        connection.execute(_LAST, (table, data, table))


class Journal:
    """How one thread writes to a file, and what it remembers of that for those that read."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._forget()

    def _forget(self) -> None:
        """Begin anew as another writer: what it wrote so far is read from the file, and moved with the next group."""
        with self._lock:
            self._writer = secrets.randbits(62)
            self._waiting: defaultdict[str, list[Row]] = defaultdict(list)
            self._moving: dict[str, list[Row]] = {}
        self._version: int | None = None
        self._number = 0
        self._newest: OrderedDict[str, int] = OrderedDict()
        self._num_waiting = 0
        self._to_move: Iterator[Row] = iter(())
        self._boundary = 0
        self._num_groups = self._num_rows = 0
        """What was written since the last slice."""

    def store(self, connection: sqlite3.Connection, rows: Sequence[Row], heads: Sequence[HeadRow]) -> None:
        """Write all of it in one transaction, or nothing."""
        if connection is not self._connection:  # each connection counts versions for itself
            self._forget()
            self._connection = connection
        newest, loose = self._follow(rows)
        try:
            with _refusing():
                # A single statement is a transaction by itself.
                if loose or heads or self._is_due() or not self._put(connection, rows):
                    self._store_more(connection, rows, heads, newest, loose)
                else:
                    self._note(rows, newest)
        except BaseException:  # what is remembered must be on disk
            self._forget()
            raise

    def _follow(self, rows: Sequence[Row]) -> tuple[dict[str, int], set[str]]:
        """The newest event of each table after these, and the tables where they do not follow what is known."""
        known = self._newest
        newest: dict[str, int] = {}
        loose: set[str] = set()
        for table, seq, _ in rows:
            if newest.get(table, known.get(table)) == seq - 1 and table not in loose:
                newest[table] = seq
            else:
                loose.add(table)
        return newest, loose

    def _put(self, connection: sqlite3.Connection, rows: Sequence[Row]) -> bool:
        """Write events into the journal: False, and nothing, if somebody else has written since."""
        if not rows:
            return True
        values = (self._number + 1, self._writer, msgspec.msgpack.encode(rows), self._version)
        return connection.execute(_JOURNAL, values).rowcount == 1

    def _store_more(
        self,
        connection: sqlite3.Connection,
        rows: Sequence[Row],
        heads: Sequence[HeadRow],
        newest: dict[str, int],
        loose: set[str],
    ) -> None:
        """Write a group that is more than a row of the journal."""
        with _transaction(connection):
            following = [row for row in rows if row[0] not in loose]
            version, known = self._look(connection, loose) if loose or not rows else (self._version, {})
            is_clear = version == self._version and not any(t in self._waiting or t in self._moving for t in loose)
            if not (is_clear and self._put(connection, following)):
                _drain(connection)
                self._forget()
                following, newest, loose = [], {}, {row[0] for row in rows}
                self._version, known = self._look(connection, loose)
            others = [row for row in rows if row[0] in loose]
            _insert_events(connection, others)
            is_last = self._is_due() and self._move(connection)
            if heads:
                connection.executemany(_HEAD, heads)
        for table, seq, _ in others:
            known[table] = max(known[table], seq)
        if is_last:
            with self._lock:
                self._moving = {}
        self._note(following, newest | known)

    def _look(self, connection: sqlite3.Connection, tables: Collection[str]) -> tuple[int, dict[str, int]]:
        """The version of the file, and the newest event of some tables there."""
        found = dict(connection.execute(_NEWEST, (msgspec.json.encode(list(tables)).decode(),)).fetchall())
        return found.pop(None), found

    def _is_due(self) -> bool:
        return bool(self._moving) and (self._num_groups >= GROUPS or self._num_rows >= SLICE)

    def _move(self, connection: sqlite3.Connection) -> bool:
        """Move a slice, at least as much as was written since the one before. Whether it is the last."""
        count = max(SLICE, self._num_rows)
        rows = list(islice(self._to_move, count))
        _insert_events(connection, rows, "OR IGNORE")
        self._num_groups = self._num_rows = 0
        if len(rows) == count:
            return False
        connection.execute(_MOVED, (self._boundary, self._writer))
        return True

    def _note(self, following: Sequence[Row], newest: dict[str, int]) -> None:
        """Remember what is on disk now."""
        self._num_groups += 1
        self._num_rows += len(following)
        self._newest.update(newest)
        if following:
            self._number += 1
            self._num_waiting += len(following)
            with self._lock:
                for row in following:
                    self._waiting[row[0]].append(row)
        if self._num_waiting > EPOCH and not self._moving:
            with self._lock:
                self._moving, self._waiting = self._waiting, defaultdict(list)
            self._to_move = chain.from_iterable([rows for _, rows in sorted(self._moving.items())])
            self._boundary = self._number
            self._num_waiting = self._num_groups = self._num_rows = 0
        for _ in range(min(2 * len(newest), len(self._newest) - KNOWN)):
            table, seq = self._newest.popitem(last=False)
            if table in self._waiting or table in self._moving:
                self._newest[table] = seq

    def read(self, connection: sqlite3.Connection, table: str, after: int) -> list[bytes]:
        """The events of a table after the first so many, in order. In any thread, on a connection of its own."""
        # First what is remembered, then what is in the file: an event that is moved meanwhile is found twice.
        with self._lock:
            writer = self._writer
            own = [*self._moving.get(table, ()), *self._waiting.get(table, ())]
        found: dict[int, bytes] = {}
        others: list[bytes] = []
        is_own = False
        with _refusing():
            for seq, data in connection.execute(_READ, (table, after, writer, writer)).fetchall():
                if seq is not None:
                    found[seq] = data
                elif data is not None:
                    others.append(data)
                else:
                    is_own = True
            journal = [row for rows in others for row in _decode(rows) if row[0] == table]
        # If the journal is gone from the file all of it was moved; and what was moved may have been pruned.
        for _, seq, data in chain(journal, own if is_own else ()):
            if seq > after:
                found[seq] = data
        return [found[seq] for seq in sorted(found)]
