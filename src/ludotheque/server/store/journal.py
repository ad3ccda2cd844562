"""The journal of an SQLite file: a group of events is written as one row or a few, and moved to its place later.

In `events` rows are found by table and number, so a group of moves at many tables would change pages of each. In
`journal` it changes one or two. Later the events are moved, a slice at a time: those of one table, which directly
follow each other, become a run, a single row of `events` with the number of the last one and how many there are.

An event goes into the journal only if it directly follows the newest of its table, and nobody else has written to the
file since this writer knows which that is. Every other event goes into `events`, where conflicts are looked for. Who
writes after somebody else moves the whole journal first. So the journal never has events of two writers, and `events`
has all there is whenever it is asked about conflicts.

What waits is of two epochs at most: one that is being moved, one that grows. Rows of the journal are not deleted when
they have been moved, but written over two epochs later: that changes no page but their own.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from threading import Lock

import msgspec

from ludotheque.server.store.base import Conflict, Row, StoreError
from ludotheque.server.store.group import HeadRow

EPOCH = 4096
"""How many events wait in the journal until they are moved; meanwhile as many again may come."""
PER_TABLE = 8
"""As many as make so many for each table, if that is more: else runs would be short where many tables are in play."""
SLICE = 1024
"""How many are moved at a time: that takes a few milliseconds at most."""
RUNS = 64
"""How many runs they make at most: each changes pages of its own."""
RUN = 256
"""How many events a run has at most."""
GROUPS = 4
"""How many groups are written from one slice to the next, if they are small."""
KNOWN = 4096
"""Of how many tables that have no event in the journal the newest is known."""
SIZES = (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""How many rows a statement has room for: few kinds of statements, since each that was ever run is kept."""
HALF = 1 << 32
"""Where the numbers of every second epoch begin."""
PAGE = 3800
"""How many bytes a row of the journal should have: a page has room for it, and is its own."""
PARTS = 8
"""How many rows of the journal a group has at most."""

Run = tuple[str, int, bytearray, int]
"""A row of `events`: a table, the number of its last event here, the data, how many events they are."""

# `data_version` changes when another connection has committed. It is asked where the file is locked already.
_IS_CURRENT = "(SELECT data_version FROM pragma_data_version) = ?"
_NEWEST = (
    "SELECT NULL, data_version FROM pragma_data_version UNION ALL "
    "SELECT value, (SELECT coalesce(MAX(seq), 0) FROM events WHERE table_id = value) FROM json_each(?)"
)
_IS_THERE = "SELECT 1 FROM events WHERE table_id = ? AND seq >= ? AND seq - num < ? LIMIT 1"
_HEAD = "INSERT OR REPLACE INTO tables (id, public, updated, summary) VALUES (?, ?, ?, ?)"
_LAST = "INSERT INTO events (table_id, seq, data) SELECT ?, coalesce(MAX(seq), 0) + 1, ? FROM events WHERE table_id = ?"
_HAS_JOURNAL = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'journal'"
# Older rows were moved, and wait to be written over.
_RECENT = "epoch >= (SELECT MAX(epoch) - 1 FROM journal)"
# One statement sees the file as it is at one moment. All of the journal is by one writer: its second part tells whether
# that is oneself, the third has the journal of somebody else.
_WRITER = "(SELECT writer AS author FROM journal ORDER BY number LIMIT 1)"
_READ = (
    "SELECT seq, data, num FROM events WHERE table_id = ? AND seq > ? UNION ALL "
    f"SELECT NULL, NULL, NULL FROM {_WRITER} WHERE author = ? UNION ALL "
    f"SELECT NULL, rows, NULL FROM {_WRITER} CROSS JOIN journal WHERE author <> ? AND {_RECENT}"
)

_NO_ROW = (None, None, None, None)
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Row]).decode
_decode_run = msgspec.msgpack.Decoder(list[bytes]).decode


def unpack(data: bytes, num: int) -> list[bytes]:
    """The events of a row of `events`."""
    return [data] if num == 1 else _decode_run(data)


def _pack(rows: Sequence[Row]) -> Iterator[Run]:
    """Events of one table that follow each other, as runs."""
    for start in range(0, len(rows), RUN):
        part = rows[start : start + RUN]
        table, seq, data = part[-1]
        # For bytes, but not for an array of them, SQLite's module looks up how they are to be adapted.
        packed = data if len(part) == 1 else _encode([row[2] for row in part])
        yield table, seq, bytearray(packed), len(part)


@cache
def _put(num_rows: int) -> str:
    rows = ",".join(["(?, ?, ?, ?)"] * num_rows)
    found = "SELECT ?, ?, ?, ?" if num_rows == 1 else f"SELECT * FROM (VALUES {rows})"
    return f"INSERT OR REPLACE INTO journal (number, writer, epoch, rows) {found} WHERE {_IS_CURRENT}"


@cache
def _insert(num_rows: int) -> str:
    # It is undone with the whole transaction if it fails: SQLite need not be able to undo it alone.
    rows = ",".join(["(?, ?, ?, ?)"] * num_rows)
    place = "INSERT OR FAIL INTO events (table_id, seq, data, num)"
    return f"{place} SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL"


def _insert_runs(connection: sqlite3.Connection, runs: Sequence[Run]) -> None:
    """Write events to their place, many with one statement.

    SQLite's module lets go of the interpreter lock for every statement, and gets it back only after a while when the
    event loop is busy.
    """
    for start in range(0, len(runs), SIZES[-1]):
        part = runs[start : start + SIZES[-1]]
        size = SIZES[bisect_left(SIZES, len(part))]
        connection.execute(_insert(size), [*chain.from_iterable(part), *(_NO_ROW * (size - len(part)))])


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


def _look(connection: sqlite3.Connection, tables: Collection[str]) -> tuple[int, dict[str, int]]:
    """The version of the file, and the newest event of some tables in `events`."""
    found = dict(connection.execute(_NEWEST, (msgspec.json.encode(list(tables)).decode(),)).fetchall())
    return found.pop(None), found


def _drain(connection: sqlite3.Connection) -> None:
    groups = connection.execute(f"SELECT rows FROM journal WHERE {_RECENT}").fetchall()
    if groups:
        connection.execute("DELETE FROM journal")
        tables: defaultdict[str, list[Row]] = defaultdict(list)
        for row in sorted(chain.from_iterable(_decode(rows) for (rows,) in groups)):
            tables[row[0]].append(row)
        # Some may have been moved: those of a table are moved in order.
        _, newest = _look(connection, tables)
        runs = (_pack([row for row in rows if row[1] > newest[table]]) for table, rows in tables.items())
        _insert_runs(connection, [*chain.from_iterable(runs)])


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
        self._fit = 1
        """How many events fit a row of the journal."""
        self._forget()

    def _forget(self) -> None:
        """Begin anew as another writer: what it wrote so far is read from the file, and moved with the next group."""
        with self._lock:
            self._writer = secrets.randbits(62)
            self._waiting: defaultdict[str, list[Row]] = defaultdict(list)
            self._moving: dict[str, list[Row]] = {}
        self._version: int | None = None
        self._epoch = 0
        self._number = 0
        """The next one of the journal in this epoch."""
        self._newest: dict[str, int] = {}
        self._num_waiting = 0
        self._to_move: Iterator[Run] = iter(())
        self._num_groups = self._num_rows = 0
        """What was written since the last slice."""

    def store(self, connection: sqlite3.Connection, rows: Sequence[Row], heads: Sequence[HeadRow]) -> None:
        """Write all of it in one transaction, or nothing."""
        if connection is not self._connection:  # each connection counts versions for itself
            self._forget()
            self._connection = connection
        newest, loose = self._follow(rows)
        try:
            # A single statement is a transaction by itself.
            if loose or heads or self._is_due() or not self._put(connection, rows):
                with _refusing():
                    self._store_more(connection, rows, heads, newest, loose)
            else:
                self._note(rows, newest)
        except sqlite3.Error as error:
            self._forget()
            raise StoreError(str(error)) from None
        except BaseException:  # what is remembered must be on disk
            self._forget()
            raise

    def _follow(self, rows: Sequence[Row]) -> tuple[dict[str, int], set[str]]:
        """The newest event of each table after these, and the tables where they do not follow what is known."""
        known = self._newest
        newest = {table: seq for table, seq, _ in rows}
        if len(newest) == len(rows):
            loose = {table for table, seq in newest.items() if known.get(table) != seq - 1}
        else:
            loose = set()
            last: dict[str, int] = {}
            for table, seq, _ in rows:
                if last.get(table, known.get(table)) != seq - 1:
                    loose.add(table)
                last[table] = seq
        for table in loose:
            del newest[table]
        return newest, loose

    def _put(self, connection: sqlite3.Connection, rows: Sequence[Row]) -> bool:
        """Write events into the journal: False, and nothing, if somebody else has written since."""
        if not rows:
            return True
        number = self._number + (HALF if self._epoch % 2 else 0)
        values: list[object] = []
        num_parts = num_bytes = 0
        step = max(self._fit, -(-len(rows) // PARTS))
        for start in range(0, len(rows), step):
            data = _encode(rows[start : start + step])
            values += number + num_parts, self._writer, self._epoch, bytearray(data)
            num_parts += 1
            num_bytes += len(data)
        values.append(self._version)
        self._number += num_parts
        self._fit = max(1, PAGE * len(rows) // num_bytes)
        return connection.execute(_put(num_parts), values).rowcount == num_parts

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
            version, known = _look(connection, loose) if loose or not rows else (self._version, {})
            is_clear = version == self._version and not any(t in self._waiting or t in self._moving for t in loose)
            if not (is_clear and self._put(connection, following)):
                _drain(connection)
                self._forget()
                following, newest, loose = [], {}, {row[0] for row in rows}
                self._version, known = _look(connection, loose)
            others = [row for row in rows if row[0] in loose]
            self._place(connection, others, known)
            is_last = self._is_due() and self._move(connection)
            if heads:
                connection.executemany(_HEAD, heads)
        for table, seq, _ in others:
            known[table] = max(known[table], seq)
        if is_last:
            with self._lock:
                self._moving = {}
        self._note(following, newest | known)

    def _place(self, connection: sqlite3.Connection, rows: Sequence[Row], newest: dict[str, int]) -> None:
        """Write events to their place, each a row of its own, whose tables have none in the journal."""
        for table, seq, _ in rows:
            # The key knows only the last event of a run.
            if seq <= newest[table] and connection.execute(_IS_THERE, (table, seq, seq)).fetchone() is not None:
                raise Conflict(f"event {seq} of table {table} is there")
        _insert_runs(connection, [run for row in rows for run in _pack([row])])

    def _is_due(self) -> bool:
        return bool(self._moving) and (self._num_groups >= GROUPS or self._num_rows >= SLICE)

    def _move(self, connection: sqlite3.Connection) -> bool:
        """Move a slice, at least twice what was written since the one before. Whether it is the last."""
        runs: list[Run] = []
        count = 0
        is_last = True
        for run in self._to_move:
            runs.append(run)
            count += run[3]
            if (count >= SLICE or len(runs) >= RUNS) and count >= 2 * self._num_rows:
                is_last = False
                break
        _insert_runs(connection, runs)
        self._num_groups = self._num_rows = 0
        return is_last

    def _note(self, following: Sequence[Row], newest: dict[str, int]) -> None:
        """Remember what is on disk now."""
        self._num_groups += 1
        self._num_rows += len(following)
        self._newest.update(newest)
        if following:
            self._num_waiting += len(following)
            waiting = self._waiting
            with self._lock:
                for row in following:
                    waiting[row[0]].append(row)
        if not self._moving and self._num_waiting > max(EPOCH, PER_TABLE * len(self._waiting)):
            self._begin_epoch()
        if len(self._newest) > KNOWN + len(self._waiting) + len(self._moving):
            self._newest = {t: seq for t, seq in self._newest.items() if t in self._waiting or t in self._moving}

    def _begin_epoch(self) -> None:
        """Move what waits from now on, a slice now and then. All of the epoch before is in its place."""
        with self._lock:
            self._moving, self._waiting = self._waiting, defaultdict(list)
        self._to_move = _pack_all([rows for _, rows in sorted(self._moving.items())])
        self._epoch += 1
        self._number = self._num_waiting = self._num_groups = self._num_rows = 0

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
            for last, data, num in connection.execute(_READ, (table, after, writer, writer)).fetchall():
                if last is not None:
                    found.update(enumerate(unpack(data, num), last - num + 1))
                elif data is not None:
                    others.append(data)
                else:
                    is_own = True
            journal = [row for rows in others for row in _decode(rows) if row[0] == table]
        # If the journal is gone from the file all of it was moved; and what was moved may have been pruned.
        for _, seq, data in chain(journal, own if is_own else ()):
            found[seq] = data
        return [found[seq] for seq in sorted(found) if seq > after]


def _pack_all(tables: Iterable[Sequence[Row]]) -> Iterator[Run]:
    return chain.from_iterable(map(_pack, tables))
