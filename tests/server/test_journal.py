"""The journal of an SQLite file: what was acknowledged is there once, wherever it is kept just now."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from ludotheque.cli import main
from ludotheque.server import events
from ludotheque.server.store import journal
from ludotheque.server.store.base import Conflict, Row, Store, StoreError
from ludotheque.server.store.sqlite import FILE, SqliteStore, connect
from tests.server.house import run
from tests.server.test_store import head, opened, put


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events are moved all the time."""
    monkeypatch.setattr(journal, "EPOCH", 30)
    monkeypatch.setattr(journal, "SLICE", 7)
    monkeypatch.setattr(journal, "RUN", 4)
    monkeypatch.setattr(journal, "GROUPS", 2)
    monkeypatch.setattr(journal, "KNOWN", 6)


async def put_rows(store: Store, rows: list[Row]) -> None:
    """Append events of several tables, and wait."""
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(error: StoreError | None) -> None:
        future.set_exception(error) if error is not None else future.set_result(None)

    store.append_rows(rows, done)
    await future


def placed(folder: Path) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Which events are in their place, and which in the journal."""
    with closing(connect(folder / FILE)) as connection:
        connection.execute("BEGIN")
        runs = connection.execute("SELECT table_id, seq, num FROM events ORDER BY table_id, seq").fetchall()
        groups = connection.execute(
            f"SELECT rows FROM journal WHERE {journal._RECENT} ORDER BY epoch, number"
        ).fetchall()
    there = [(table, seq) for table, last, num in runs for seq in range(last - num + 1, last + 1)]
    return there, [row[:2] for (rows,) in groups for row in journal._decode(rows)]


def test_a_statement_sees_what_others_have_committed_since(tmp_path: Path) -> None:
    SqliteStore(tmp_path)._prepare()
    with closing(connect(tmp_path / FILE)) as one, closing(connect(tmp_path / FILE)) as two:
        put = journal._put(1)
        version = one.execute("PRAGMA data_version").fetchone()[0]
        for number in range(5):  # what it commits itself does not count
            assert one.execute(put, (number % 2, 1, 0, b"x", version)).rowcount == 1
        two.execute("INSERT INTO settings VALUES ('a', x'00')")
        assert one.execute(put, (6, 1, 0, b"x", version)).rowcount == 0
        version = one.execute("PRAGMA data_version").fetchone()[0]
        two.execute("BEGIN IMMEDIATE")
        two.execute("DELETE FROM settings")
        two.execute("ROLLBACK")
        assert one.execute(put, (6, 1, 0, b"x", version)).rowcount == 1
        other = (
            "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute('DELETE FROM settings')"
        )
        subprocess.run([sys.executable, "-c", other, str(tmp_path / FILE)], check=True)
        assert one.execute(put, (7, 1, 0, b"x", version)).rowcount == 0


@pytest.mark.usefixtures("small")
def test_events_are_read_in_the_journal_on_their_way_and_in_place(tmp_path: Path) -> None:
    async def story() -> None:
        seen: Counter[str] = Counter()
        async with opened(SqliteStore(tmp_path)) as store:
            for seq in range(1, 120):
                await put(store, "a", seq, [b"%d" % seq], head("a", seq) if seq % 10 == 0 else None)
                await put(store, "b", seq, [b"%d" % -seq])
                assert await store.read("a") == [b"%d" % number for number in range(1, seq + 1)]
                assert await store.read("b", seq - 3) == [b"%d" % -n for n in range(max(1, seq - 2), seq + 1)]
                there, waiting = placed(tmp_path)
                assert {*there, *waiting} == {(table, n) for table in "ab" for n in range(1, seq + 1)}
                assert len(waiting) <= 2 * journal.EPOCH + 2 * journal.SLICE
                seen["in the journal"] += ("a", seq) in waiting and ("a", seq) not in there
                seen["on the way"] += bool({*there} & {*waiting})
                seen["moved"] += len(there) > 2 and not {*there} & {*waiting}
        assert min(seen.values()) > 5 and len(seen) == 3
        assert placed(tmp_path) == ([(table, n) for table in "ab" for n in range(1, 120)], [])

    run(story())


@pytest.mark.usefixtures("small")
def test_many_tables_are_readable_throughout(tmp_path: Path) -> None:
    async def story() -> None:
        chance = random.Random(1)
        stored = {f"t{number}": 0 for number in range(100)}
        async with opened(SqliteStore(tmp_path)) as store:

            async def look() -> None:
                while True:
                    table = chance.choice([*stored])
                    least, after = stored[table], chance.randint(0, 3)
                    found = await store.read(table, after)
                    assert len(found) >= least - after
                    assert found == [f"{table} {n}".encode() for n in range(after + 1, after + 1 + len(found))]

            looking = [asyncio.create_task(look()) for _ in range(4)]
            for number in range(300):
                rows = [(table, stored[table] + 1, b"") for table in chance.sample([*stored], chance.randint(1, 20))]
                await put_rows(store, [(table, seq, f"{table} {seq}".encode()) for table, seq, _ in rows])
                for table, seq, _ in rows:
                    stored[table] = seq
                if number % 50 == 7:
                    await put(store, f"n{number}", 1, [b"x"], head(f"n{number}", number))
            for task in looking:
                assert not task.done(), task.exception()
                task.cancel()
            for table, seq in stored.items():
                assert len(await store.read(table)) == seq
        assert placed(tmp_path)[1] == []

    run(story())


def test_what_is_in_the_journal_is_not_written_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(SqliteStore(tmp_path)) as store:
            await put(store, "a", 1, [b"1"])
            await put(store, "a", 2, [b"2"])
            assert placed(tmp_path) == ([("a", 1)], [("a", 2)])
            with pytest.raises(Conflict):
                await put(store, "a", 2, [b"other"])
            assert await store.read("a") == [b"1", b"2"]
            await put(store, "a", 3, [b"3"])
            await put(store, "a", 4, [b"4"])
            assert placed(tmp_path)[1] == [("a", 4)]
            results = await asyncio.gather(
                put(store, "a", 5, [b"5"]),
                put(store, "a", 5, [b"other"]),
                put(store, "b", 1, [b"b"]),
                put(store, "a", 4, [b"other"]),
                return_exceptions=True,
            )
            assert [type(result) for result in results] == [type(None), Conflict, type(None), Conflict]
            assert await store.read("a") == [b"1", b"2", b"3", b"4", b"5"] and await store.read("b") == [b"b"]

    run(story())


def test_a_gap_that_is_filled_hides_nothing(tmp_path: Path) -> None:
    """What follows the event that was written last may be there already."""

    async def story() -> None:
        async with opened(SqliteStore(tmp_path)) as store:
            await put(store, "a", 3, [b"3"])
            await put(store, "a", 1, [b"1"])
            await put(store, "a", 2, [b"2"])
            with pytest.raises(Conflict):
                await put(store, "a", 3, [b"other"])
            await put(store, "a", 4, [b"4"])
            await put(store, "a", 5, [b"5"])
            await put(store, "a", 7, [b"7"])
            with pytest.raises(Conflict):
                await put(store, "a", 6, [b"6", b"other"])
            assert await store.read("a") == [b"1", b"2", b"3", b"4", b"5", b"7"]

    run(story())


@pytest.mark.usefixtures("small")
def test_an_event_in_the_middle_of_a_run_is_not_written_again(tmp_path: Path) -> None:
    """The key of `events` has only its last one."""

    async def story() -> None:
        data = [b"%d" % seq for seq in range(1, 61)]
        async with opened(SqliteStore(tmp_path)) as store:
            for seq, one in enumerate(data, 1):
                await put(store, "a", seq, [one])
        with closing(connect(tmp_path / FILE)) as connection:
            runs = dict(connection.execute("SELECT seq, num FROM events").fetchall())
        assert sum(runs.values()) == 60 and Counter(runs.values())[journal.RUN] > 10
        async with opened(SqliteStore(tmp_path)) as store:
            for seq in range(1, 61):
                with pytest.raises(Conflict):
                    await put(store, "a", seq, [b"other"])
            with pytest.raises(Conflict):
                await put(store, "a", 60, [b"other", b"new"])
            for after in range(62):
                assert await store.read("a", after) == data[after:]
            await put(store, "a", 61, [b"61"])
            assert await store.read("a", 59) == [b"60", b"61"]

    run(story())


@pytest.mark.usefixtures("small")
def test_rows_of_the_journal_are_written_over(tmp_path: Path) -> None:
    """So it does not grow, and what is left of older epochs does not count."""
    store, other = SqliteStore(tmp_path), SqliteStore(tmp_path)
    store._prepare()
    counts: list[int] = []
    with closing(connect(tmp_path / FILE)) as writer, closing(connect(tmp_path / FILE)) as reader:
        for seq in range(1, 1000):
            store._store(writer, [("a", seq, b"%d" % seq), ("b", seq, b"x")], ())
            counts.append(reader.execute("SELECT count(*) FROM journal").fetchone()[0])
            assert other._journal.read(reader, "a", seq - 3)[-1] == b"%d" % seq
            there, waiting = placed(tmp_path)
            assert {*there, *waiting} == {(table, n) for table in "ab" for n in range(1, seq + 1)}
        assert 10 < counts[200] == counts[-1] < 100
        assert store._journal._epoch > 30
        assert other._journal.read(reader, "a", 0) == [b"%d" % seq for seq in range(1, 1000)]
        # In an epoch of large groups the numbers of small ones before it are not reached.
        for seq in range(1000, 1300, 10):
            store._store(writer, [("a", n, b"%d" % n) for n in range(seq, seq + 10)], ())
        assert reader.execute("SELECT min(epoch) < max(epoch) - 1 FROM journal").fetchone() == (1,)
        assert len(placed(tmp_path)[1]) < 2 * journal.EPOCH + 30
        other._drain()
        assert other._journal.read(reader, "a", 0) == [b"%d" % seq for seq in range(1, 1300)]
    assert placed(tmp_path)[1] == []


@pytest.mark.usefixtures("small")
def test_an_epoch_lasts_until_the_one_before_is_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SLICE", 1000)
    monkeypatch.setattr(journal, "GROUPS", 70)
    store = SqliteStore(tmp_path)
    store._prepare()
    with closing(connect(tmp_path / FILE)) as writer, closing(connect(tmp_path / FILE)) as reader:
        for seq in range(1, 500):
            store._store(writer, [("a", seq, b"%d" % seq)], ())
            assert len(store._journal.read(reader, "a", 0)) == seq
            there, waiting = placed(tmp_path)
            assert {*there, *waiting} == {("a", n) for n in range(1, seq + 1)}
    assert store._journal._epoch > 4


def test_an_epoch_has_several_events_of_every_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else every event would have a row of its own where very many tables are in play."""
    monkeypatch.setattr(journal, "EPOCH", 30)
    store = SqliteStore(tmp_path)
    store._prepare()
    with closing(connect(tmp_path / FILE)) as writer:
        for seq in range(1, 3 * journal.PER_TABLE):
            store._store(writer, [(f"t{number}", seq, b"x") for number in range(50)], ())
        (shortest,) = writer.execute("SELECT min(num) FROM events WHERE seq > 1").fetchone()
        assert shortest >= journal.PER_TABLE


def test_a_large_group_is_several_rows_of_the_journal(tmp_path: Path) -> None:
    store, other = SqliteStore(tmp_path), SqliteStore(tmp_path)
    store._prepare()
    with closing(connect(tmp_path / FILE)) as writer:
        for seq in range(1, 6):
            store._store(writer, [(f"t{number}", seq, b"x" * 80) for number in range(100)], ())
        parts = [len(rows) for (rows,) in writer.execute("SELECT rows FROM journal WHERE number >= 8").fetchall()]
        assert len(parts) == 9 and max(parts) < 4000
        store._store(writer, [(f"t{number}", 6, b"x" * 8000) for number in range(100)], ())
        assert other._journal.read(writer, "t99", 4) == [b"x" * 80, b"x" * 8000]
        with closing(connect(tmp_path / FILE)) as connection:
            connection.execute("DELETE FROM settings")  # somebody else writes
        with pytest.raises(Conflict):
            store._store(writer, [(f"t{number}", 6 + (number < 99), b"y") for number in range(100)], ())
        assert other._journal.read(writer, "t0", 5) == [b"x" * 8000]


def test_what_others_write_is_noticed(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(SqliteStore(tmp_path)) as one, opened(SqliteStore(tmp_path)) as two:
            await put(one, "a", 1, [b"1"])
            await put(one, "a", 2, [b"2"])
            assert placed(tmp_path)[1] == [("a", 2)]
            assert await two.read("a") == [b"1", b"2"] and await two.read("a", 1) == [b"2"]
            with pytest.raises(Conflict):
                await put(two, "a", 2, [b"other"])
            await put(two, "a", 3, [b"3"])
            await put(two, "a", 4, [b"4"])
            assert placed(tmp_path)[1] == [("a", 4)]
            with pytest.raises(Conflict):
                await put(one, "a", 3, [b"other"])
            one.append_now("a", b"5")
            assert placed(tmp_path)[1] == []
            with pytest.raises(Conflict):
                await put(two, "a", 5, [b"other"])
            assert await one.read("a") == await two.read("a") == [b"1", b"2", b"3", b"4", b"5"]

    run(story())


def test_a_lost_connection_is_no_reason_to_trust_the_next(tmp_path: Path) -> None:
    """Another connection counts versions anew: the same number does not mean that nobody has written."""

    async def story() -> None:
        async with opened(SqliteStore(tmp_path)) as store:
            with closing(connect(tmp_path / FILE)) as first:
                for seq in (1, 2, 3):
                    store._store(first, [("a", seq, b"x")], ())  # type: ignore[attr-defined]  # an SqliteStore
            with closing(connect(tmp_path / FILE)) as other:
                other.execute("INSERT INTO events (table_id, seq, data) VALUES ('a', 4, x'00')")
            with closing(connect(tmp_path / FILE)) as second, pytest.raises(Conflict):
                store._store(second, [("a", 4, b"y")], ())  # type: ignore[attr-defined]  # the same

    run(story())


def test_a_full_disk_refuses_and_recovers_with_a_journal(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store._prepare()
    data = b"x" * 1000
    with closing(connect(tmp_path / FILE)) as writer, closing(connect(tmp_path / FILE)) as reader:
        store._store(writer, [("a", 1, data)], ())
        store._store(writer, [("a", 2, data)], ())
        writer.execute(f"PRAGMA max_page_count={writer.execute('PRAGMA page_count').fetchone()[0] + 3}")
        last = 2
        with pytest.raises(StoreError, match="full"):
            while True:
                store._store(writer, [("a", last + 1, data)], ())
                last += 1
        assert 2 < last < 100 and len(store._journal.read(reader, "a", 0)) == last
        with pytest.raises(StoreError, match="full"):
            store._store(writer, [("a", last + 1, data * 20)], ())
        assert len(store._journal.read(reader, "a", 0)) == last
        writer.execute("PRAGMA max_page_count=100000")
        for _ in range(3):
            store._store(writer, [("a", last + 1, data)], ())
            last += 1
        assert len(store._journal.read(reader, "a", 0)) == last and len(placed(tmp_path)[1]) == 2


@pytest.mark.usefixtures("small")
def test_an_error_while_events_are_moved_loses_none(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store._prepare()
    with closing(connect(tmp_path / FILE)) as writer, closing(connect(tmp_path / FILE)) as reader:
        seq = 0
        for least in range(1, 200, 37):
            while seq < least or not store._journal._is_due():
                seq += 1
                store._store(writer, [("a", seq, b"%d" % seq), ("b", seq, b"x")], ())
            writer.execute("CREATE TEMP TRIGGER fail BEFORE INSERT ON tables BEGIN SELECT RAISE(ABORT, 'no'); END")
            with pytest.raises(StoreError):
                store._store(writer, [("a", seq + 1, b"lost")], [("a", True, 1.0, b"")])
            writer.execute("DROP TRIGGER fail")
            assert store._journal.read(reader, "a", 0) == [b"%d" % number for number in range(1, seq + 1)]
    store._drain()
    assert placed(tmp_path) == ([(table, number) for table in "ab" for number in range(1, seq + 1)], [])


@pytest.mark.usefixtures("small")
def test_a_head_alone_does_not_touch_the_journal_of_another(tmp_path: Path) -> None:
    one, two = SqliteStore(tmp_path), SqliteStore(tmp_path)
    one._prepare()
    with closing(connect(tmp_path / FILE)) as first, closing(connect(tmp_path / FILE)) as second:
        seq = 0
        while not one._journal._is_due():
            seq += 1
            one._store(first, [("a", seq, b"x")], ())
        for number in range(1, 6):
            two._store(second, [("a", seq + number, b"y")], ())
        for _ in range(10):
            one._store(first, [], [("a", True, 1.0, b"")])
        assert one._journal.read(first, "a", seq) == two._journal.read(second, "a", seq) == [b"y"] * 5


@pytest.mark.usefixtures("small")
def test_few_tables_are_remembered(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store._prepare()
    with closing(connect(tmp_path / FILE)) as writer:
        store._store(writer, [("busy", 1, b"x")], ())
        first = store._journal._writer
        for number in range(200):
            store._store(writer, [("busy", number + 2, b"x")], ())
            store._store(writer, [(f"t{number}", 1, b"x")], ())
        assert len(store._journal._newest) <= journal.KNOWN + 2 and "busy" in store._journal._newest
        assert store._journal._writer == first
        for number in range(200):
            store._store(writer, [(f"t{number}", 2, b"x")], ())
            with pytest.raises(Conflict):
                store._store(writer, [(f"t{number}", 1, b"x")], ())


@pytest.mark.slow
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", range(3))
def test_two_stores_on_one_file_write_each_event_once(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    names = [f"t{number}" for number in range(8)]
    written: dict[tuple[str, int], bytes] = {}
    told: Counter[str] = Counter()

    async def play(store: Store, me: str) -> None:
        newest = dict.fromkeys(names, 0)

        def note(table: str, seq: int, data: bytes) -> None:
            assert (table, seq) not in written
            written[table, seq] = data
            newest[table] = max(newest[table], seq)

        for number in range(300):
            tables = chance.sample(names, chance.randint(1, 4))
            rows = [(table, newest[table] + 1, f"{me} {number} {table}".encode()) for table in tables]
            try:
                if chance.random() < 0.5:
                    seq, data = rows[0][1], [rows[0][2], rows[0][2] + b" more"][: chance.randint(1, 2)]
                    await put(store, tables[0], seq, data, head(tables[0], number) if chance.random() < 0.1 else None)
                    rows = [(tables[0], seq + n, one) for n, one in enumerate(data)]
                else:
                    await put_rows(store, rows)
                told["stored"] += 1
                for row in rows:
                    note(*row)
            except Conflict:
                told["conflicts"] += 1
                for table in tables:
                    least = {seq: data for (t, seq), data in written.items() if t == table}
                    found = await store.read(table)
                    assert all(found[seq - 1] == data for seq, data in least.items())
                    newest[table] = len(found)
            if chance.random() < 0.1:
                await put(store, tables[0], 0, [], head(tables[0], number))
            if chance.random() < 0.3:  # one of them has it for itself for a while
                await asyncio.sleep(chance.random() * 0.02)

    async def story() -> None:
        async with opened(SqliteStore(tmp_path)) as one, opened(SqliteStore(tmp_path)) as two:
            await asyncio.gather(*(play(store, name) for store, name in ((one, "1a"), (one, "1b"), (two, "2"))))
            assert told["conflicts"] > 10 and told["stored"] > 100
            for store in (one, two):
                for table in names:
                    mine = sorted((seq, data) for (t, seq), data in written.items() if t == table)
                    assert await store.read(table) == [data for _, data in mine]
                    assert [seq for seq, _ in mine] == list(range(1, len(mine) + 1))
        assert placed(tmp_path) == (sorted(written), [])

    run(story())


WRITER = """
import asyncio, random, sys
from pathlib import Path
from ludotheque.server.store import journal
from ludotheque.server.store.base import Conflict
from ludotheque.server.store.sqlite import SqliteStore

journal.EPOCH, journal.SLICE, journal.GROUPS, journal.PAGE = 60, 9, 2, 100
me = sys.argv[2]

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    await store.open()
    newest = {f"t{n}": len(await store.read(f"t{n}")) for n in range(20)}
    number = 0
    while True:
        await asyncio.sleep(random.choice((0, 0, 0, 0, 0, 0, 0, 0.05)))  # another has it for itself
        work = []
        for table in random.sample([*newest], 8):
            number += 1
            future = asyncio.get_running_loop().create_future()
            data = f"{me}-{number}"
            store.append(table, newest[table] + 1, [data.encode()], None, future.set_result)
            work.append((table, data, future))
        for table, data, future in work:
            error = await future
            if error is None:
                newest[table] += 1
                print(table, newest[table], data, flush=True)
            elif isinstance(error, Conflict):
                newest[table] = len(await store.read(table))

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("num_writers", [1, 2])
def test_what_was_acknowledged_survives_kill(tmp_path: Path, num_writers: int) -> None:
    told: dict[tuple[str, int], str] = {}
    num_left = 0
    for number in range(4):
        command = [sys.executable, "-c", WRITER, str(tmp_path / "data")]
        (tmp_path / "data").mkdir(exist_ok=True)
        SqliteStore(tmp_path / "data")._prepare()
        files = [open(tmp_path / f"{number}-{n}", "w+") for n in range(num_writers)]  # noqa: SIM115  # closed below
        writers = [subprocess.Popen([*command, f"{number}{n}"], stdout=file) for n, file in enumerate(files)]
        while any(not (tmp_path / f"{number}-{n}").stat().st_size for n in range(num_writers)):
            assert all(writer.poll() is None for writer in writers)
            time.sleep(0.02)
        time.sleep(random.random() * 0.7)
        for writer in writers:
            writer.kill()
            writer.wait()
        for file in files:
            file.close()
            for line in Path(file.name).read_text().splitlines(keepends=True):
                table, seq, data = line.split() if line.endswith("\n") else ("", "0", "")  # cut off in the middle
                if table:
                    assert told.setdefault((table, int(seq)), data) == data

        num_left += len(placed(tmp_path / "data")[1])

        async def check() -> None:
            async with opened(SqliteStore(tmp_path / "data")) as store:
                found = {f"t{n}": [row.decode() for row in await store.read(f"t{n}")] for n in range(20)}
            for (table, seq), data in told.items():
                assert found[table][seq - 1] == data
            every = [data for rows in found.values() for data in rows]
            assert len(set(every)) == len(every)

        run(check())
        there, waiting = placed(tmp_path / "data")
        assert not waiting and Counter(t for t, _ in there) == Counter({t: s for t, s in there})
    assert num_left > 0 or num_writers > 1


async def fill(store: Store, at: float) -> None:
    """Five tables, with their last two events in the journal."""
    for number in range(5):
        for seq in range(1, 4):
            when = at if seq < 3 or number else time.time()
            await put(store, f"t{number}", seq, [events.encode(events.Said(when, f"{number} {seq}"))])


def test_backup_and_pruning_find_what_is_in_the_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        async with opened(SqliteStore(tmp_path / "data")) as store:
            await fill(store, 1000.0)
            whole = [await store.read(f"t{number}") for number in range(5)]
            assert len(placed(tmp_path / "data")[1]) == 10
            assert main(["admin", "backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data")]) == 0
            assert len(placed(tmp_path / "data")[1]) == 10
            with closing(sqlite3.connect(tmp_path / "copy")) as copy:
                assert copy.execute("SELECT sum(num) FROM events").fetchone() == (15,)
                assert copy.execute("SELECT count(*) FROM journal").fetchone() == (0,)
            # The files of a server that was killed are accepted as well.
            (tmp_path / "killed").mkdir()
            for name in (FILE, f"{FILE}-wal"):
                shutil.copy(tmp_path / "data" / name, tmp_path / "killed" / name)
            source = str(tmp_path / "killed" / FILE)
            capsys.readouterr()
            assert main(["admin", "restore", source, "--data", str(tmp_path / "new"), "--lang", "en"]) == 0
            assert "5 tables" in capsys.readouterr().out
            assert main(["admin", "restore", source, "--data", str(tmp_path / "killed"), "--lang", "en"]) == 2
            async with opened(SqliteStore(tmp_path / "new")) as new:
                assert [await new.read(f"t{number}") for number in range(5)] == whole

            assert main(["admin", "prune", "--days", "30", "--data", str(tmp_path / "data"), "--lang", "en"]) == 0
            assert "4 tables were removed" in capsys.readouterr().out
            # Those that were removed are not read from memory, and the server goes on.
            assert [await store.read(f"t{number}") for number in range(5)] == [whole[0], [], [], [], []]
            await put(store, "t0", 4, [b"4"])
            await put(store, "t1", 1, [b"1"])
            assert await store.read("t1") == [b"1"] and len(await store.read("t0")) == 4

    run(story())


def test_the_journal_of_an_older_version_is_kept(tmp_path: Path) -> None:
    """Its server was killed while events were moved."""
    from ludotheque.server.store.schema import upgrade

    upgrade(f"sqlite:///{tmp_path / FILE}", "0002")
    rows = [(table, seq, events.encode(events.Said(1000.0, str(seq)))) for seq in range(1, 9) for table in "ab"]
    with closing(connect(tmp_path / FILE)) as connection:
        for number in range(0, 16, 4):
            group = journal._encode(rows[number : number + 4])
            connection.execute("INSERT INTO journal VALUES (?, 7, ?)", (number, group))
        connection.executemany("INSERT INTO events VALUES (?, ?, ?)", [row for row in rows if row < ("a", 4)])
    shutil.copytree(tmp_path, tmp_path / "twin")
    whole = [data for table, _, data in rows if table == "a"]
    assert main(["admin", "backup", str(tmp_path / "copy"), "--data", str(tmp_path / "twin")]) == 0
    assert main(["admin", "restore", str(tmp_path / "copy"), "--data", str(tmp_path / "new")]) == 0

    async def story() -> None:
        for folder in (tmp_path, tmp_path / "new"):
            async with opened(SqliteStore(folder)) as store:
                assert await store.read("a") == whole and len(await store.read("b", 3)) == 5
            assert placed(folder) == ([(table, seq) for table in "ab" for seq in range(1, 9)], [])

    run(story())
    assert main(["admin", "prune", "--days", "30", "--data", str(tmp_path / "twin")]) == 0
    assert placed(tmp_path / "twin") == ([], [])


def test_a_file_without_a_journal_is_copied_and_pruned(tmp_path: Path) -> None:
    """It was made by an older version."""
    from ludotheque.server.store.schema import upgrade

    (tmp_path / "old").mkdir()
    upgrade(f"sqlite:///{tmp_path / 'old' / FILE}", "0001")
    with closing(connect(tmp_path / "old" / FILE)) as connection:
        connection.execute("INSERT INTO events VALUES ('a', 1, ?)", (events.encode(events.Said(1000.0, "x")),))
    assert main(["admin", "backup", str(tmp_path / "copy"), "--data", str(tmp_path / "old")]) == 0
    assert main(["admin", "restore", str(tmp_path / "copy"), "--data", str(tmp_path / "new")]) == 0
    assert placed(tmp_path / "new") == ([("a", 1)], [])
    assert main(["admin", "prune", "--days", "30", "--data", str(tmp_path / "old")]) == 0
