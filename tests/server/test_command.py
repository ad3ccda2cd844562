"""`ludotheque serve`, `admin` and `verify` as people run them."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from ludotheque.cli import main
from ludotheque.server import events
from ludotheque.server.settings import Settings
from ludotheque.server.store.postgres import PostgresStore
from ludotheque.server.store.sqlite import FILE, SqliteStore
from tests.server.house import run, running
from tests.server.process import Server
from tests.server.services import Postgres
from tests.server.test_store import opened, put


async def fill(folder: Path, at: float = 0.0) -> None:
    store = SqliteStore(folder)
    async with opened(store):
        for number in range(5):
            when = at if number else time.time()
            said = [events.encode(events.Said(when, f"{number} {seq}")) for seq in range(5)]
            await put(store, f"t{number}", 1, said[:3])
            await put(store, f"t{number}", 4, said[3:])  # these become a run when the store is closed
        await store.setting("key", b"the key")


async def content(store: SqliteStore | PostgresStore) -> list[list[bytes]]:
    async with opened(store):
        return [await store.read(f"t{number}") for number in range(5)] + [[await store.setting("key", b"another")]]


def test_backup_and_restore(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(fill(tmp_path / "data"))
    file = str(tmp_path / "copy.sqlite3")
    assert main(["admin", "backup", file, "--data", str(tmp_path / "data"), "--lang", "en"]) == 0
    assert main(["admin", "restore", file, "--data", str(tmp_path / "new"), "--lang", "fr"]) == 0
    told = capsys.readouterr().out
    assert "5 tables are in" in told and "5 tables sont revenues" in told
    whole = run(content(SqliteStore(tmp_path / "data")))
    assert run(content(SqliteStore(tmp_path / "new"))) == whole and whole[-1] == [b"the key"]
    assert main(["admin", "restore", file, "--data", str(tmp_path / "new"), "--lang", "en"]) == 2
    assert "tables in" in capsys.readouterr().err
    (tmp_path / "text").write_text("no backup")
    assert main(["admin", "restore", str(tmp_path / "text"), "--data", str(tmp_path / "other")]) == 2
    assert main(["admin", "backup", file, "--data", str(tmp_path / "nothing")]) == 2
    assert main(["admin", "backup", "--data", str(tmp_path / "data")]) == 2


def test_a_backup_moves_to_postgresql_and_back(tmp_path: Path, postgres: Postgres) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    run(fill(tmp_path / "data"))
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    assert main(["admin", "backup", one, "--data", str(tmp_path / "data")]) == 0
    assert main(["admin", "restore", one, "--database", postgres.url]) == 0
    assert main(["admin", "backup", two, "--database", postgres.url]) == 0
    assert main(["admin", "restore", two, "--data", str(tmp_path / "back")]) == 0
    whole = run(content(SqliteStore(tmp_path / "data")))
    assert run(content(PostgresStore(postgres.url))) == whole == run(content(SqliteStore(tmp_path / "back")))


def test_old_tables_are_pruned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(fill(tmp_path, at=1000.0))
    assert main(["admin", "prune", "--days", "30", "--data", str(tmp_path), "--lang", "en"]) == 0
    assert "4 tables were removed" in capsys.readouterr().out
    left = run(content(SqliteStore(tmp_path)))
    assert [bool(rows) for rows in left[:5]] == [True, False, False, False, False]
    assert main(["admin", "prune", "--data", str(tmp_path)]) == 2


def test_a_backup_while_the_server_runs_is_whole(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path / "data") as house:
            table, _, clients = await house.match("Ann", "Bob")
            assert clients[0].view is not None
            await clients[clients[0].view["actor"]].move()
            assert main(["admin", "backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data")]) == 0
            assert main(["admin", "restore", str(tmp_path / "copy"), "--data", str(tmp_path / "new")]) == 0
            kept = await house.room.stored(table)
        async with opened(SqliteStore(tmp_path / "new")) as store:
            assert [events.decode(row) for row in await store.read(table)] == kept

    run(story())


def test_the_server_starts_tells_its_address_and_stops(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    assert (tmp_path / FILE).exists()
    assert server.stop(signal.SIGINT) == 0


def test_a_taken_port_is_said_clearly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", port, "--data", str(tmp_path), "--lang", "en"]) == 2
    assert f"Port {port} is taken" in capsys.readouterr().err


def test_verify_reads_the_rooms_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> dict[str, object]:
        async with running(tmp_path) as house:
            table, tokens, clients = await house.match("Ann", "Bob", options={"rounds": 7})
            while clients[0].view is not None and not clients[0].view["over"]:
                while clients[0].seq != clients[1].seq:
                    await clients[1].next("update")
                if not clients[0].view["over"]:
                    await clients[clients[0].view["actor"]].move()
            answer: dict[str, object] = await house.get(f"/api/tables/{table}/record", tokens[0])
            return answer

    data = run(story())
    file = tmp_path / "match.json"
    file.write_text(json.dumps(data))
    assert main(["verify", str(file), "--lang", "en"]) == 0
    assert "mixed from the committed secret" in capsys.readouterr().out
    assert main(["replay", str(file), "--lang", "en"]) == 0
    assert "The match is over" in capsys.readouterr().out
    deal = data["deal"]
    assert isinstance(deal, dict)
    file.write_text(json.dumps({**data, "deal": {**deal, "contributions": ["ab" * 16, ""]}}))
    assert main(["verify", str(file), "--lang", "fr"]) == 1
    assert "PAS" in capsys.readouterr().out
    file.write_text(json.dumps({**data, "deal": {"secret": 1}}))
    assert main(["verify", str(file)]) == 2


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTHEQUE_AWAY_SECONDS", "7")
    monkeypatch.setenv("LUDOTHEQUE_ORIGINS", "https://a.example,https://b.example")
    monkeypatch.setenv("LUDOTHEQUE_TRUST_PROXY", "yes")
    found = Settings.from_environment(bus=None, data=Path("x"))
    assert (found.away_seconds, found.origins) == (7.0, ("https://a.example", "https://b.example"))
    assert found.trust_proxy and found.bus == "" and found.data == Path("x")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--data", "file"], "cannot be used"),
        (["--database", "postgresql://nobody@127.0.0.1:1/x"], "cannot be reached"),
    ],
)
def test_a_store_that_cannot_be_used_is_said_clearly(tmp_path: Path, arguments: list[str], why: str) -> None:
    (tmp_path / "file").write_text("in the way")
    command = [sys.executable, "-m", "ludotheque", "serve", "--port", "0", "--lang", "en", *arguments]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert told.returncode == 2 and why in told.stderr
    assert "Traceback" not in told.stderr and told.stdout == ""


def test_a_setting_that_is_no_number_is_said_clearly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LUDOTHEQUE_AWAY_SECONDS", "soon")
    assert main(["serve", "--port", "0", "--data", str(tmp_path), "--lang", "en"]) == 2
    assert "LUDOTHEQUE_AWAY_SECONDS" in capsys.readouterr().err
