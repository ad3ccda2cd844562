"""Stores: what is acknowledged is there, conflicts are found, entries of a group do not harm each other."""

from __future__ import annotations

import asyncio
import logging
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
import sqlalchemy as sa

from ludotheque.server.domain.protocol import Summary
from ludotheque.server.store import group, sqlite
from ludotheque.server.store.base import Conflict, Entry, Head, Store, StoreError, Uncertain
from ludotheque.server.store.group import EventRow, HeadRow
from ludotheque.server.store.postgres import PostgresStore
from ludotheque.server.store.schema import alembic_url, revisions, sqlite_url
from ludotheque.server.store.sqlite import FILE, LAST, SqliteStore, connect
from tests.server.attack import eventually
from tests.server.house import run
from tests.server.services import Postgres


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place of each kind: a folder, or the address of a database."""
    if request.param == "sqlite":
        return str(tmp_path / "data")
    database: Postgres = request.getfixturevalue("database")
    return database.url


def store_at(address: str) -> SqliteStore | PostgresStore:
    """The store of an address; the child processes below use this too."""
    return PostgresStore(address) if "://" in address else SqliteStore(Path(address))


@pytest.fixture
def store(address: str) -> AbstractAsyncContextManager[Store]:
    """A fresh store of each kind."""
    return opened(store_at(address))


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def put_all(store: Store, entries: Sequence[Entry], heads: Sequence[Head] = ()) -> list[StoreError | None]:
    """Append a batch, and wait for the results."""
    future: asyncio.Future[list[StoreError | None]] = asyncio.get_running_loop().create_future()
    store.append(entries, heads, future.set_result)
    return await future


async def put(store: Store, table: str, seq: int, *data: str, heads: Sequence[Head] = ()) -> None:
    """Append an entry, wait, and raise what went wrong."""
    (error,) = await put_all(store, [Entry(table, seq, data)], heads)
    if error is not None:
        raise error


def head(table: str, updated: float, public: bool = True) -> Head:
    return Head(Summary(table, "game", "title", "waiting", 1, 2, updated), public)


async def listed(store: Store, limit: int = 10) -> list[str]:
    return [summary.id for summary in await store.public_tables(limit)]


# Appending and reading


async def test_events_come_back_in_order(store: Store) -> None:
    await put(store, "a", 1, "one", "two")
    await asyncio.gather(put(store, "a", 3, "three"), put(store, "b", 1, '"é\\u0000"'))
    found = [await store.read("a"), await store.read("a", 2), await store.read("b"), await store.read("c")]
    assert found == [["one", "two", "three"], ["three"], ['"é\\u0000"'], []]
    assert store.lost_events == 0


async def test_an_event_is_a_row_that_anybody_can_read(tmp_path: Path) -> None:
    async with opened(SqliteStore(tmp_path)) as store:
        await put_all(store, [Entry("a", 1, ["{}", '{"x":1}']), Entry("b", 1, ["{}"])])
        await put(store, "a", 3, "[]")
        with closing(sqlite3.connect(tmp_path / FILE)) as connection:
            rows = connection.execute("SELECT number, table_id, seq, data FROM events ORDER BY number").fetchall()
        assert rows == [(1, "a", 1, "{}"), (2, "a", 2, '{"x":1}'), (3, "b", 1, "{}"), (4, "a", 3, "[]")]


@pytest.mark.parametrize("place", [0, 10, 20])
async def test_only_the_entry_in_conflict_is_refused(store: Store, place: int) -> None:
    await put(store, "a", 1, "one", heads=[head("a", 1.0)])
    entries = [Entry(f"t{n}", 1, ["x"]) for n in range(20)]
    entries.insert(place, Entry("a", 1, ["other"]))
    heads = [head("a", 9.0, public=False), head("t3", 3.0), head("t19", 2.0)]
    results = await put_all(store, entries, heads)
    assert isinstance(results.pop(place), Conflict)
    assert results == [None] * 20
    assert await store.read("a") == ["one"]
    assert [await store.read(f"t{n}") for n in range(20)] == [["x"]] * 20
    assert await listed(store) == ["t3", "t19", "a"]  # the head of what was refused was not stored


def hold(store: SqliteStore | PostgresStore, monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, list[int]]:
    """Let a store write nothing until the event is set; the sizes of the groups that it writes."""
    groups: list[int] = []
    really, is_free = store._store, threading.Event()

    def wait_and_store(connection: Any, events: Sequence[EventRow], heads: Sequence[HeadRow]) -> None:
        is_free.wait(10)
        groups.append(len(events))
        really(connection, events, heads)

    monkeypatch.setattr(store, "_store", wait_and_store)
    return is_free, groups


async def test_batches_that_wait_share_a_transaction_but_not_their_conflicts(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_at(address)
    is_free, groups = hold(store, monkeypatch)
    async with opened(store):
        first = asyncio.create_task(put(store, "a", 1, "first"))
        await asyncio.sleep(0.05)  # the writer is busy with it
        others = [asyncio.create_task(put(store, f"t{n}", 1, "x")) for n in range(4)]
        others.append(asyncio.create_task(put(store, "a", 1, "second")))
        await asyncio.sleep(0)
        is_free.set()
        await first
        results = await asyncio.gather(*others, return_exceptions=True)
        assert results[:4] == [None] * 4 and isinstance(results[4], Conflict)
        assert groups[:2] == [1, 5]


async def test_entries_that_follow_a_refused_one_are_refused(store: Store) -> None:
    """An entry is stored as a whole or not at all."""
    await put(store, "a", 1, "one", "two")
    await put(store, "c", 2, "two")
    entries = [Entry("b", 1, ["x"]), Entry("a", 2, ["other"]), Entry("b", 2, ["y"]), Entry("a", 3, ["next"])]
    results = await put_all(store, [*entries, Entry("c", 1, ["one", "other two"])])
    assert [type(result) for result in results] == [type(None), Conflict, type(None), Conflict, Conflict]
    assert [await store.read(table) for table in "abc"] == [["one", "two"], ["x", "y"], ["two"]]


async def test_large_groups(store: Store) -> None:
    assert await put_all(store, [Entry(f"t{n}", 1, ["x", "y"]) for n in range(3000)]) == [None] * 3000
    await put(store, "all", 1, *(str(n) for n in range(3000)))
    assert await store.read("t2999") == ["x", "y"]
    assert await store.read("all") == [str(n) for n in range(3000)]


async def test_public_tables_are_listed_the_latest_first(store: Store) -> None:
    heads = [head("a", 1.0), head("b", 2.0), head("c", 3.0, public=False)]
    await put_all(store, [Entry(name, 1, ["x"]) for name in "abc"], heads)
    assert await listed(store) == ["b", "a"]
    assert await put_all(store, [], [head("a", 4.0), head("b", 2.5)]) == []
    assert await listed(store, 1) == ["a"]
    assert (await store.public_tables(1))[0] == head("a", 4.0).summary


async def test_a_setting_is_the_one_stored_first(address: str) -> None:
    async with opened(store_at(address)) as one, opened(store_at(address)) as two:
        assert await one.setting("key", b"\x00one") == b"\x00one"
        assert await two.setting("key", b"two") == b"\x00one"


async def test_closing_stores_what_is_waiting_and_refuses_the_rest(address: str) -> None:
    store = store_at(address)
    await store.open()
    results: list[StoreError | None] = []
    for number in range(300):
        store.append([Entry(f"t{number}", 1, ["x"])], [], results.extend)
    await store.close()
    assert results == [None] * 300
    (late,) = await put_all(store, [Entry("late", 1, ["x"])])
    assert isinstance(late, StoreError)
    async with opened(store_at(address)) as again:
        assert all([await again.read(f"t{number}") for number in range(300)])
        assert not await again.read("late") and again.lost_events == 0


async def test_a_caller_that_fails_does_not_keep_others_from_their_results(store: Store) -> None:
    store.append([Entry("a", 1, ["x"])], [], lambda results: results[5])  # type: ignore[arg-type]  # it raises
    await put(store, "b", 1, "x")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "begin"),
    [
        ("events", "INSERT INTO events (table_id, seq, data) VALUES ('m', 1, 'x')"),
        ("heads", "INSERT INTO tables (id, public, updated, summary) VALUES ('m', true, 1, '')"),
    ],
)
async def test_two_servers_do_not_end_in_a_deadlock(database: Postgres, what: str, begin: LiteralString) -> None:
    """They write the same rows in opposite order, and a third one makes sure that both have begun."""
    entries = [Entry(name, 1, ["x"]) for name in "amz"] if what == "events" else []
    heads = [head(name, 1.0) for name in "amz"] if what == "heads" else []
    async with opened(PostgresStore(database.url)) as one, opened(PostgresStore(database.url)) as two:
        with psycopg.connect(database.url) as third:
            third.execute(begin)
            works = asyncio.gather(
                put_all(one, [Entry("one", 1, ["x"]), *entries], heads),
                put_all(two, [Entry("two", 1, ["x"]), *entries[::-1]], heads[::-1]),
            )
            await asyncio.sleep(0.5)
            third.rollback()
        errors = [error for results in await works for error in results if error is not None]
        assert len(errors) == len(entries) and all(isinstance(error, Conflict) for error in errors)
        assert await one.read("z") == (["x"] if entries else [])
        assert len(await listed(one)) == len(heads)


async def test_a_last_event_is_stored_from_any_thread(store: Store) -> None:
    await put(store, "a", 1, "one")
    threads = [threading.Thread(target=store.append_now, args=("a", str(n))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:  # the event loop is blocked here
        thread.join()
    found = await store.read("a")
    assert found[0] == "one" and sorted(found[1:]) == [str(n) for n in range(8)]


# When things go wrong


async def test_a_check_writes_once_a_second_at_most(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_at(address)
    written: list[str] = []
    really = store._query

    def count(connection: Any, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        written.extend(["check"] * ("checked" in query))
        return really(connection, query, values)

    monkeypatch.setattr(store, "_query", count)
    async with opened(store):
        await asyncio.gather(*(store.check() for _ in range(20)))
        await store.check()
        assert len(written) == 1
        monkeypatch.setattr(group, "CHECK_SECONDS", 0.0)
        await store.check()
        assert len(written) == 2


async def test_a_store_that_stalls_fails_the_check(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "CHECK_TIMEOUT", 0.1)
    store = store_at(address)
    is_free, _ = hold(store, monkeypatch)
    async with opened(store):
        stalled = asyncio.create_task(put(store, "a", 1, "x"))
        await asyncio.sleep(0.05)
        with pytest.raises(StoreError, match=r"for 0\.1 seconds"):
            await store.check()
        is_free.set()
        await stalled
        await store.check()


async def test_a_full_disk_refuses_shows_and_recovers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "CHECK_SECONDS", 0.0)
    async with opened(SqliteStore(tmp_path)) as store:
        await store.check()
        acknowledged = 0
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        size = (tmp_path / f"{FILE}-wal").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100_000, limits[1]))  # no file may grow beyond this
        try:
            with pytest.raises(StoreError):
                for number in range(0, 1000, 5):
                    await put(store, "a", number + 1, *("x" * 1000 for _ in range(5)))
                    acknowledged += 5
            assert 0 < acknowledged < 1000
            with pytest.raises(StoreError):
                while True:  # each takes a little of the room that is left
                    await store.check()
            assert len(await store.read("a")) == acknowledged
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        await store.check()
        await put(store, "a", acknowledged + 1, "y")
        assert await store.read("a", acknowledged) == ["y"]
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    async with opened(SqliteStore(tmp_path)) as again:
        assert again.lost_events == 0


async def test_a_disk_without_room_fails_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "CHECK_SECONDS", 0.0)
    async with opened(SqliteStore(tmp_path)) as store:
        monkeypatch.setattr(sqlite, "MIN_FREE_BYTES", 1 << 62)
        with pytest.raises(StoreError, match="disk is full"):
            await store.check()


@pytest.mark.slow
async def test_a_connection_that_breaks_leaves_the_outcome_uncertain(database: Postgres) -> None:
    async with opened(PostgresStore(database.url)) as store:
        await put(store, "a", 1, "one")
        await store.read("a")
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
        with pytest.raises(Uncertain):
            await put(store, "a", 2, "two")
        assert await store.read("a") == ["one"]
        await put(store, "a", 2, "two")
        await store.check()
        assert await store.read("a") == ["one", "two"]


@pytest.mark.slow
async def test_a_database_that_is_away_refuses_and_comes_back(
    database: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group, "CHECK_SECONDS", 0.0)
    async with opened(PostgresStore(database.url)) as store:
        await put(store, "a", 1, "one")
        database.stop(signal.SIGINT)
        try:
            for work in (put(store, "a", 2, "two"), put(store, "a", 2, "two"), store.read("a"), store.check()):
                with pytest.raises(StoreError):
                    await work
        finally:
            database.start()
        await store.check()
        await put(store, "a", 2, "two")
        assert await store.read("a") == ["one", "two"]


# A write-ahead log that lost its end


async def fill(folder: Path, count: int, then: Callable[[], object] = lambda: None) -> None:
    """Store single events; `then` runs while the store is still open."""
    async with opened(SqliteStore(folder)) as store:
        first = len(await store.read("a"))
        for number in range(first, first + count):
            await put(store, "a", number + 1, f"{number}")
        then()


async def find(folder: Path) -> tuple[int, int]:
    """How many events are reported lost, and how many are there."""
    async with opened(SqliteStore(folder)) as store:
        return store.lost_events, len(await store.read("a"))


@pytest.mark.parametrize("damage", ["torn", "gone", "overwritten"])
def test_lost_events_are_reported_once(tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str) -> None:
    twin = tmp_path / "twin"
    run(fill(tmp_path / "data", 3))  # the first part is not in the log any more
    run(fill(tmp_path / "data", 50, lambda: shutil.copytree(tmp_path / "data", twin)))
    wal = twin / f"{FILE}-wal"
    data = wal.read_bytes()
    half = len(data) // 2 + 100
    if damage == "gone":
        wal.unlink()
    else:
        wal.write_bytes(data[:half] + (b"\xa5" * 8192 + data[half + 8192 :] if damage == "overwritten" else b""))
    with caplog.at_level(logging.CRITICAL, "ludotheque.store"):
        lost, left = run(find(twin))
    assert 3 <= left < 53 and lost == 53 - left
    assert f"{lost} acknowledged events are missing" in caplog.text
    assert run(find(twin)) == (0, left)
    run(fill(twin, 5))
    assert run(find(twin)) == (0, left + 5)


@pytest.mark.parametrize("note", [None, b"", b"garbage", b"9" * 40, b"\xff" * 21, b"00000000000000000003\n"])
def test_a_note_that_is_missing_or_unreadable_reports_nothing(tmp_path: Path, note: bytes | None) -> None:
    run(fill(tmp_path, 5))
    assert int((tmp_path / LAST).read_bytes()) == 5
    (tmp_path / LAST).unlink()
    if note is not None:
        (tmp_path / LAST).write_bytes(note)
    assert run(find(tmp_path)) == (0, 5)
    run(fill(tmp_path, 5))
    assert int((tmp_path / LAST).read_bytes()[:20]) == 10


async def test_removed_tables_and_several_servers_are_no_loss(tmp_path: Path) -> None:
    async with opened(SqliteStore(tmp_path)) as one, opened(SqliteStore(tmp_path)) as two:
        for number in range(10):
            await asyncio.gather(put(one, "a", number + 1, "x"), put(two, "b", number + 1, "x"))
            async with opened(SqliteStore(tmp_path)) as three:
                assert three.lost_events == 0
    with closing(connect(tmp_path / FILE)) as connection:
        connection.execute("DELETE FROM events")
    assert await find(tmp_path) == (0, 0)
    await fill(tmp_path, 3)
    assert await find(tmp_path) == (0, 3)
    assert (tmp_path / LAST).read_bytes() == b"%020d\n" % 23


# The schema

EXPECTED = {
    "alembic_version": ["version_num"],
    "events": ["data", "number", "seq", "table_id"],
    "settings": ["name", "value"],
    "tables": ["id", "public", "summary", "updated"],
}

MIGRATE = """
import os, signal, sys
import sqlalchemy as sa
from tests.server.test_store import store_at

@sa.event.listens_for(sa.Engine, "after_cursor_execute")
def kill(connection, cursor, statement, *_):
    if sys.argv[2] and sys.argv[2] in statement:
        os.kill(os.getpid(), signal.SIGKILL)

store_at(sys.argv[1])._prepare()
"""


def columns_at(address: str) -> dict[str, list[str]]:
    engine = sa.create_engine(alembic_url(address) if "://" in address else sqlite_url(Path(address) / FILE))
    try:
        found = sa.inspect(engine)
        return {name: sorted(c["name"] for c in found.get_columns(name)) for name in sorted(found.get_table_names())}
    finally:
        engine.dispose()


@pytest.mark.parametrize("statement", ["CREATE TABLE events", "CREATE TABLE settings", "INSERT INTO alembic_version"])
async def test_a_migration_that_is_killed_leaves_nothing_behind(address: str, statement: str) -> None:
    killed = subprocess.run([sys.executable, "-c", MIGRATE, address, statement], check=False)
    assert killed.returncode == -signal.SIGKILL

    async def is_clean() -> bool:  # PostgreSQL takes a moment to notice
        return columns_at(address) == {}

    assert await eventually(is_clean)
    async with opened(store_at(address)) as store:
        await put(store, "a", 1, "one")
        assert await store.read("a") == ["one"]
    assert columns_at(address) == EXPECTED


def test_servers_that_start_at_once_migrate_once(address: str) -> None:
    servers = [subprocess.Popen([sys.executable, "-c", MIGRATE, address, ""]) for _ in range(3)]
    assert [server.wait() for server in servers] == [0, 0, 0]
    assert columns_at(address) == EXPECTED


def make_old(file: Path) -> None:
    """A file of another version, with what a killed server left in its write-ahead log."""
    with closing(connect(file.with_name("old"))) as connection:
        connection.execute("CREATE TABLE journal (number INTEGER PRIMARY KEY, rows BLOB)")
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('0003')")
        for end in ("", "-wal"):
            shutil.copy(f"{file.with_name('old')}{end}", f"{file}{end}")


def test_tables_of_another_version_are_refused_and_not_touched(tmp_path: Path) -> None:
    make_old(tmp_path / FILE)
    before = [(tmp_path / f"{FILE}{end}").read_bytes() for end in ("", "-wal")]
    assert before[1]
    with pytest.raises(StoreError, match=r"another version .*schema 0003.*Nothing was changed"):
        run(SqliteStore(tmp_path).open())
    assert [(tmp_path / f"{FILE}{end}").read_bytes() for end in ("", "-wal")] == before


@pytest.mark.slow
def test_a_database_of_another_version_is_refused(database: Postgres) -> None:
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('0003')")
    with pytest.raises(StoreError, match="another version"):
        run(PostgresStore(database.url).open())
    assert columns_at(database.url) == {"alembic_version": ["version_num"]}


def test_a_file_that_cannot_be_used_is_reported_clearly(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("this is no database, but a text that somebody put here")
    with pytest.raises(StoreError, match="cannot be used"):
        run(SqliteStore(tmp_path).open())
    (tmp_path / FILE).unlink()
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute("CREATE TABLE events (other TEXT)")
    with pytest.raises(StoreError, match=r"could not be brought up to date.*already exists"):
        run(SqliteStore(tmp_path).open())
    assert revisions()[-1] == "202611"
