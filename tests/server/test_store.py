"""Stores: what is acknowledged is there, conflicts are found, groups do not harm each other."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy import inspect

from ludotheque.server.protocol import Summary
from ludotheque.server.store import group
from ludotheque.server.store.base import Conflict, Head, Row, Store, StoreError
from ludotheque.server.store.group import HeadRow
from ludotheque.server.store.postgres import PostgresStore
from ludotheque.server.store.schema import alembic_url, newest, upgrade
from ludotheque.server.store.sqlite import FILE, SqliteStore
from tests.server.house import run
from tests.server.services import Postgres

KINDS = ("sqlite", pytest.param("postgres", marks=pytest.mark.slow))


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A fresh store of each kind."""
    if request.param == "sqlite":
        return SqliteStore(tmp_path)
    service: Postgres = request.getfixturevalue("postgres")
    with psycopg.connect(service.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return PostgresStore(service.url)


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def put(store: Store, table: str, seq: int, data: Sequence[bytes], head: Head | None = None) -> None:
    """Append, and wait."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(error: StoreError | None) -> None:
        future.set_exception(error) if error is not None else future.set_result(None)

    store.append(table, seq, data, head, done)
    await future


def head(table: str, updated: float, public: bool = True) -> Head:
    return Head(Summary(table, "game", "title", "waiting", 1, 2, updated), public)


def test_events_come_back_in_order(store: Store) -> None:
    async def story() -> None:
        async with opened(store):
            await put(store, "a", 1, [b"one", b"two"])
            await asyncio.gather(put(store, "a", 3, [b"three"]), put(store, "b", 1, [b"\x00\xff"]))
            assert await store.read("a") == [b"one", b"two", b"three"]
            assert await store.read("a", 2) == [b"three"]
            assert await store.read("b") == [b"\x00\xff"]
            assert await store.read("c") == []
            await store.check()

    run(story())


def test_one_writer_wins_and_the_others_of_the_group_are_stored(store: Store) -> None:
    async def story() -> None:
        async with opened(store):
            await put(store, "a", 1, [b"one"])
            work = [put(store, f"t{n}", 1, [b"x"]) for n in range(20)]
            work.insert(10, put(store, "a", 1, [b"other"]))
            results = await asyncio.gather(*work, return_exceptions=True)
            assert isinstance(results[10], Conflict)
            assert [r for n, r in enumerate(results) if n != 10] == [None] * 20
            assert await store.read("a") == [b"one"]
            assert await store.read("t19") == [b"x"]

    run(story())


def test_events_of_one_append_are_stored_together_or_not_at_all(store: Store) -> None:
    async def story() -> None:
        async with opened(store):
            await put(store, "a", 2, [b"two"])
            with pytest.raises(Conflict):
                await put(store, "a", 1, [b"one", b"other two"])
            assert await store.read("a") == [b"two"]

    run(story())


def test_large_groups(store: Store) -> None:
    async def story() -> None:
        async with opened(store):
            await asyncio.gather(*(put(store, f"t{n}", 1, [b"x", b"y"]) for n in range(700)))
            assert await store.read("t699") == [b"x", b"y"]

    run(story())


def test_public_tables_are_listed_the_latest_first(store: Store) -> None:
    async def story() -> None:
        async with opened(store):
            await put(store, "a", 1, [b"x"], head("a", 1.0))
            await put(store, "b", 1, [b"x"], head("b", 2.0))
            await put(store, "c", 1, [b"x"], head("c", 3.0, public=False))
            assert [one.id for one in await store.public_tables(10)] == ["b", "a"]
            await put(store, "a", 0, [], head("a", 4.0))
            assert [one.id for one in await store.public_tables(1)] == ["a"]

    run(story())


def test_a_summary_is_written_together_with_the_next_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[tuple[int, int]] = []
    really = SqliteStore._store

    def count(self: SqliteStore, connection: Any, rows: Sequence[Row], heads: Sequence[HeadRow]) -> None:
        groups.append((len(rows), len(heads)))
        really(self, connection, rows, heads)

    monkeypatch.setattr(SqliteStore, "_store", count)
    monkeypatch.setattr(group, "SUMMARY_SECONDS", 600.0)

    async def story() -> None:
        async with opened(SqliteStore(tmp_path)) as store:
            for updated in (1.0, 2.0):
                store.append("a", 0, [], head("a", updated), lambda error: None)
                await asyncio.sleep(0.02)
            await put(store, "a", 1, [b"x"])
            assert groups == [(1, 2)]
            store.append("a", 0, [], head("a", 3.0), lambda error: None)
        assert groups == [(1, 2), (0, 1)]  # the last one when it was closed

    run(story())


def test_a_setting_is_the_one_stored_first(store: Store) -> None:
    async def story() -> None:
        async with opened(store):
            assert await store.setting("key", b"one") == b"one"
            assert await store.setting("key", b"two") == b"one"

    run(story())


def test_closing_writes_what_is_waiting(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path)
        await store.open()
        for number in range(300):
            store.append(f"t{number}", 1, [b"x"], None, lambda error: None)
        await store.close()
        again = SqliteStore(tmp_path)
        async with opened(again):
            assert all([await again.read(f"t{number}") for number in range(300)])

    run(story())


def test_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path)
        async with opened(store):
            await put(store, "a", 1, [b"x"])
            connection = store._connect()
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.close()
            limited = store._connect

            def small() -> sqlite3.Connection:
                found = limited()
                found.execute(f"PRAGMA max_page_count={pages + 2}")
                return found

            full = SqliteStore(tmp_path)
            full._connect = small  # type: ignore[method-assign]  # as if the disk were that small
            await full.open()
            with pytest.raises(StoreError, match="full"):
                for number in range(50):
                    await put(full, "b", number + 1, [b"x" * 4000])
            stored = len(await full.read("b"))
            full._connect = limited  # type: ignore[method-assign]  # there is room again
            await full.close()
            await put(store, "b", stored + 1, [b"y"])
            assert (await store.read("b"))[-1] == b"y"

    run(story())


def tables_of(url: str) -> dict[str, list[str]]:
    engine = sa.create_engine(url)
    try:
        found = inspect(engine)
        return {name: sorted(c["name"] for c in found.get_columns(name)) for name in sorted(found.get_table_names())}
    finally:
        engine.dispose()


EXPECTED = {
    "alembic_version": ["version_num"],
    "events": ["data", "seq", "table_id"],
    "settings": ["name", "value"],
    "tables": ["id", "public", "summary", "updated"],
}
EXPECTED_OF_SQLITE = {
    **EXPECTED,
    "events": ["data", "num", "seq", "table_id"],
    "journal": ["epoch", "number", "rows", "writer"],
}


def test_migrations_run_from_every_released_schema(tmp_path: Path) -> None:
    for revision in ("base", "0001", "0002", "0003"):
        url = f"sqlite:///{tmp_path / revision}.db"
        if revision != "base":
            upgrade(url, revision)
        upgrade(url)
        upgrade(url)
        assert tables_of(url) == EXPECTED_OF_SQLITE


def test_servers_that_start_at_once_migrate_once(postgres: Postgres) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")

    code = f"from ludotheque.server.store.schema import upgrade; upgrade({alembic_url(postgres.url)!r})"
    servers = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [server.wait() for server in servers] == [0, 0, 0]
    assert tables_of(alembic_url(postgres.url)) == EXPECTED


def test_a_folder_that_cannot_be_written_is_said_clearly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be used"):
        run(SqliteStore(tmp_path / "file").open())
    (tmp_path / FILE).write_text("this is no database, but a text that somebody put here")
    with pytest.raises(StoreError, match="cannot be used"):
        run(SqliteStore(tmp_path).open())


@pytest.mark.parametrize("count", [1, 5, 47, 300])
def test_any_number_of_events_is_written(tmp_path: Path, count: int) -> None:
    async def work() -> None:
        async with opened(SqliteStore(tmp_path)) as store:
            data = [b"%d" % number for number in range(count)]
            await asyncio.gather(*(put(store, f"t{number}", 1, [one]) for number, one in enumerate(data)))
            await put(store, "all", 1, data)
            assert await store.read("all") == data
            assert [(await store.read(f"t{number}"))[0] for number in range(count)] == data

    run(work())


def test_a_schema_is_made_by_a_process_that_ends(tmp_path: Path) -> None:
    make = "import sys; from pathlib import Path; from ludotheque.server.store.sqlite import SqliteStore;"
    make += "SqliteStore(Path(sys.argv[1]))._prepare(); assert 'alembic' not in sys.modules"
    for _ in range(2):
        subprocess.run([sys.executable, "-c", make, str(tmp_path)], check=True)
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(newest(),)]


def test_a_schema_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("CREATE TABLE events (other TEXT)")
    make = "import sys; from pathlib import Path; from ludotheque.server.store.sqlite import SqliteStore;"
    make += "SqliteStore(Path(sys.argv[1]))._prepare()"
    done = subprocess.run([sys.executable, "-c", make, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode and "StoreError" in done.stderr and "could not be brought up to date" in done.stderr
