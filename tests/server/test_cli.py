"""`ludotheque serve` and `verify` as people run them; `admin` is in `test_admin.py`."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ludotheque.cli import main
from ludotheque.server.settings import Settings
from ludotheque.server.store.sqlite import FILE
from tests.server.house import House, play
from tests.server.process import Server


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


async def test_verify_reads_the_rooms_files(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, tokens, clients = await house.match("Ann", "Bob", options={"rounds": 7})
    await play(clients)
    data = await house.get(f"/api/tables/{table}/record", tokens[0])
    file = tmp_path / "match.json"

    def run_on(command: str, lang: str, **changed: object) -> tuple[int, str]:
        file.write_text(json.dumps({**data, **changed}))
        return main([command, str(file), "--lang", lang]), capsys.readouterr().out

    code, printed = run_on("verify", "en")
    assert code == 0 and "mixed from the committed secret" in printed
    code, printed = run_on("replay", "en")
    assert code == 0 and "The match is over" in printed
    code, printed = run_on("verify", "fr", deal={**data["deal"], "contributions": ["ab" * 16, ""]})
    assert code == 1 and "PAS" in printed
    assert run_on("verify", "en", deal={"secret": 1})[0] == 2


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
