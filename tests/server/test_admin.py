"""`ludotheque admin` as people run it: backup, restore, prune."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from ludotheque.cli import main
from ludotheque.server.domain import events
from ludotheque.server.store.base import Entry, Store
from ludotheque.server.store.sqlite import FILE, LAST, SqliteStore
from tests.server.house import run
from tests.server.services import Postgres
from tests.server.test_store import address as address  # a fixture
from tests.server.test_store import head, listed, make_old, opened, put, put_all, store_at


def said(at: float, text: str) -> str:
    return events.encode(events.Said(text, at=at))


async def fill(store: Store, at: float = 0.0) -> None:
    """Five tables of five events; the first has a recent one."""
    async with opened(store):
        for number in range(5):
            when = at if number else time.time()
            data = [said(when, f"{number} {seq}") for seq in range(5)]
            heads = [head(f"t{number}", float(number), public=number != 3)]
            await put(store, f"t{number}", 1, *data[:3])
            await put(store, f"t{number}", 4, *data[3:], heads=heads)
        await store.setting("key", b"the key")


async def content(store: Store) -> tuple[list[list[str]], list[str], bytes]:
    async with opened(store):
        rows = [await store.read(f"t{number}") for number in range(5)]
        assert store.lost_events == 0
        return rows, await listed(store), await store.setting("key", b"another")


def option(address: str) -> list[str]:
    return ["--database" if "://" in address else "--data", address]


def test_backup_and_restore(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(fill(SqliteStore(tmp_path / "data")))
    file = str(tmp_path / "copy.sqlite3")
    assert main(["admin", "backup", file, "--data", str(tmp_path / "data"), "--lang", "en"]) == 0
    assert main(["admin", "restore", file, "--data", str(tmp_path / "new"), "--lang", "fr"]) == 0
    printed = capsys.readouterr().out
    assert "5 tables are in" in printed and "5 tables sont revenues" in printed
    whole = run(content(SqliteStore(tmp_path / "data")))
    assert run(content(SqliteStore(tmp_path / "new"))) == whole
    assert [len(rows) for rows in whole[0]] == [5] * 5 and whole[1:] == (["t4", "t2", "t1", "t0"], b"the key")
    assert main(["admin", "restore", file, "--data", str(tmp_path / "new"), "--lang", "en"]) == 2
    assert "tables in" in capsys.readouterr().err
    (tmp_path / "text").write_text("no backup")
    assert main(["admin", "restore", str(tmp_path / "text"), "--data", str(tmp_path / "other")]) == 2
    assert main(["admin", "restore", str(tmp_path / "missing"), "--data", str(tmp_path / "other")]) == 2
    assert main(["admin", "backup", file, "--data", str(tmp_path / "nothing")]) == 2
    assert main(["admin", "backup", "--data", str(tmp_path / "data")]) == 2


@pytest.mark.slow
def test_a_backup_moves_to_postgresql_and_back(tmp_path: Path, database: Postgres) -> None:
    run(fill(SqliteStore(tmp_path / "data")))
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    assert main(["admin", "backup", one, "--data", str(tmp_path / "data")]) == 0
    assert main(["admin", "restore", one, "--database", database.url]) == 0
    assert main(["admin", "backup", two, "--database", database.url]) == 0
    assert main(["admin", "restore", two, "--data", str(tmp_path / "back")]) == 0
    whole = run(content(SqliteStore(tmp_path / "data")))
    assert run(content(store_at(database.url))) == whole == run(content(SqliteStore(tmp_path / "back")))
    orders = []
    for file in (one, two):
        with closing(sqlite3.connect(file)) as copy:
            orders.append(copy.execute("SELECT table_id, seq FROM events ORDER BY number").fetchall())
    assert orders[0] == orders[1]


async def test_old_tables_are_pruned(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    await fill(store_at(address), at=1000.0)
    async with opened(store_at(address)) as store:  # as a running server has it
        assert main(["admin", "prune", "--days", "30", *option(address), "--lang", "en"]) == 0
        assert "4 tables were removed" in capsys.readouterr().out
        assert [len(await store.read(f"t{number}")) for number in range(5)] == [5, 0, 0, 0, 0]
        assert await listed(store) == ["t0"]
        await put(store, "t0", 6, "6")
        await put(store, "t1", 1, "1")
    rows, _, key = await content(store_at(address))
    assert [len(one) for one in rows] == [6, 1, 0, 0, 0] and key == b"the key"
    assert main(["admin", "prune", *option(address)]) == 2


async def test_a_backup_while_a_server_writes_is_whole(tmp_path: Path) -> None:
    """Every entry is in it or not, none in part, and none that was acknowledged before it began is missing."""
    async with opened(SqliteStore(tmp_path / "data")) as store:
        is_over = threading.Event()

        async def write() -> int:
            seq = 1
            while not is_over.is_set():
                entries = [Entry(f"t{n}", seq, [said(1.0, "a"), said(1.0, "b")]) for n in range(20)]
                assert await put_all(store, entries) == [None] * 20
                seq += 2
            return seq - 1

        writing = asyncio.create_task(write())
        await asyncio.sleep(0.2)
        at_least = len(await store.read("t0"))
        command = ["admin", "backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data")]
        assert await asyncio.to_thread(main, command) == 0
        is_over.set()
        at_most = await writing
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        counts = [row[0] for row in copy.execute("SELECT count(*) FROM events GROUP BY table_id")]
    assert len(counts) == 20 and len(set(counts)) == 1 and counts[0] % 2 == 0
    assert at_least <= counts[0] <= at_most


async def test_the_files_of_a_killed_server_can_be_restored(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    async with opened(SqliteStore(tmp_path / "data")) as store:
        await put(store, "t0", 1, said(1.0, "x"))
        shutil.copytree(tmp_path / "data", killed)
    before = (killed / FILE).read_bytes()
    assert main(["admin", "restore", str(killed / FILE), "--data", str(tmp_path / "new")]) == 0
    assert (killed / FILE).read_bytes() == before
    assert len((await content(SqliteStore(tmp_path / "new")))[0][0]) == 1


def test_restoring_after_the_file_was_taken_away_reports_no_loss(tmp_path: Path) -> None:
    data = tmp_path / "data"
    run(fill(SqliteStore(data)))
    assert main(["admin", "backup", str(tmp_path / "copy"), "--data", str(data)]) == 0
    (data / LAST).write_bytes(b"%020d\n" % 75)  # fifty more were stored
    (data / FILE).unlink()
    assert main(["admin", "restore", str(tmp_path / "copy"), "--data", str(data)]) == 0
    assert [len(rows) for rows in run(content(SqliteStore(data)))[0]] == [5] * 5


def test_files_of_another_version_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_old(tmp_path / FILE)
    before = (tmp_path / FILE).read_bytes()
    for command in (
        ["backup", str(tmp_path / "copy"), "--data", str(tmp_path)],
        ["prune", "--days", "30", "--data", str(tmp_path)],
        ["restore", str(tmp_path / FILE), "--data", str(tmp_path / "new")],
    ):
        assert main(["admin", *command]) == 2
        assert "another version" in capsys.readouterr().err
    assert (tmp_path / FILE).read_bytes() == before and not (tmp_path / "copy").exists()
