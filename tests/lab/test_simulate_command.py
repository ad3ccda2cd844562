"""`ludotheque simulate`: what it prints and writes, stopping and resuming, refusals."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ludotheque.cli import main
from ludotheque.lab.runlog import RunLog, log_path
from ludotheque.lab.shards import make_plan, play_shard
from ludotheque.lab.simulation import Run, play
from tests import needs

pytestmark = pytest.mark.compiled_only

COMMAND = ["simulate", "double_lucky_7", "--games", "3000", "--players", "3", "--rounds", "7", "--seed", "9"]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the output of COMMAND, played by two threads."""
    folder = tmp_path_factory.mktemp("simulate")
    outputs = ["--out", str(folder / "games.parquet"), "--json", str(folder / "summary.json")]
    assert main([*COMMAND, *outputs, "--jobs", "2"]) == 0
    return folder


def test_a_summary_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(COMMAND) == 0
    told = capsys.readouterr()
    assert "Double Lucky 7, 3 players, 3\u202f000 matches: club" in told.out
    assert "Rounds: 7 · seed 9" in told.out
    for words in ("95 % interval", "score of seat 3", "moves", "rounds", "not allowed", "Bids that came true"):
        assert words in told.out
    assert "Simulating Double Lucky 7" in told.err


def test_it_speaks_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, "--lang", "fr"]) == 0
    told = capsys.readouterr().out
    assert "3 joueurs" in told
    assert "victoires" in told
    assert "Annonces réussies" in told


def test_values_are_compared_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "volle_lotte", "--games", "500", "--vary", "target=1000,6000"]) == 0
    told = capsys.readouterr().out
    lines = {line[:5]: line for line in told.splitlines()}
    marked = re.search(r"([\d.]+) +([\d.]+)  ▲\s([\d.]+)$", lines["moves"].rstrip())
    assert marked is not None  # a mark says how large the difference is
    few, many, size = map(float, marked.groups())
    assert size == pytest.approx(many - few, abs=0.5)
    assert "Bonferroni" in told


def test_the_parquet_file_opens_everywhere(written: Path) -> None:
    duckdb, pandas, polars = (needs.module(name) for name in ("duckdb", "pandas", "polars"))
    file = str(written / "games.parquet")
    summary = json.loads((written / "summary.json").read_text())
    wins = [seat["wins"] for seat in summary["seats"]]
    frame = pandas.read_parquet(file)
    assert list(frame.columns) == ["run", "match", "seat", "bot", "score", "place", "win", "moves", "rounds"]
    assert len(frame) == 9000
    assert frame.groupby("seat")["win"].mean().tolist() == pytest.approx(wins)
    found = polars.read_parquet(file).group_by("seat").agg(polars.col("win").mean()).sort("seat")
    assert found["win"].to_list() == pytest.approx(wins)
    rows = duckdb.sql(f"select seat, avg(win) from '{file}' group by seat order by seat").fetchall()
    assert [win for _, win in rows] == pytest.approx(wins)


def test_one_thread_and_two_write_the_same_bytes(written: Path, tmp_path: Path) -> None:
    outputs = ["--out", str(tmp_path / "games.parquet"), "--json", str(tmp_path / "summary.json")]
    assert main([*COMMAND, *outputs, "--jobs", "1"]) == 0
    for name in ("games.parquet", "summary.json"):
        assert (tmp_path / name).read_bytes() == (written / name).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.parquet", "summary.json"]


def _stopped(folder: Path, kept: int, tail: bytes = b"") -> list[str]:
    """The files of COMMAND with a small shard, broken off after some shards; the command to go on."""
    plan = make_plan("double_lucky_7", 3000, 3, options={"rounds": 7}, seed="9")
    log = RunLog.create(log_path(folder / "games.parquet"), [plan], True)
    for number in range(kept):
        log.append(0, number, play_shard(plan, number))
    log.close()
    with log.path.open("ab") as file:
        file.write(tail)
    return [*COMMAND, "--out", str(folder / "games.parquet"), "--json", str(folder / "summary.json"), "--resume"]


@pytest.mark.parametrize(("kept", "tail"), [(0, b""), (0, b"shrd half a head"), (1, b""), (1, b"shrd" + b"\1" * 99)])
def test_a_resumed_run_writes_the_same_bytes(written: Path, tmp_path: Path, kept: int, tail: bytes) -> None:
    assert main(_stopped(tmp_path, kept, tail)) == 0
    for name in ("games.parquet", "summary.json"):
        assert (tmp_path / name).read_bytes() == (written / name).read_bytes()
    assert not log_path(tmp_path / "games.parquet").exists()


def test_what_is_in_the_log_is_not_played_again(tmp_path: Path) -> None:
    plan = make_plan("lobo77", 10_000, 2, ["random"], seed=1)
    log = RunLog.create(tmp_path / "log", [plan], False)
    asked: list[int] = []

    def runner(plan: Any, numbers: Any) -> Any:
        for number in numbers:
            asked.append(number)
            yield number, play_shard(plan, number)
            if number == 1 and len(asked) == 2:
                raise KeyboardInterrupt

    first = play([Run(plan)], runner, log)
    assert not first.is_whole
    assert first.summaries()[0].games == 2 * plan.shard
    second = play([Run(plan)], runner, log)
    assert second.is_whole
    assert asked == [0, 1, 2]
    assert second.summaries()[0].games == 10_000
    log.remove()


@pytest.mark.slow
def test_ctrl_c_shows_and_keeps_what_is_done(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ludotheque", "simulate", "lobo77", "--games", "5000000", "--jobs", "1"]
    command += ["--out", str(tmp_path / "games.parquet")]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    log = log_path(tmp_path / "games.parquet")
    while child.poll() is None and not (log.exists() and log.stat().st_size > 100_000):
        time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=240)
    assert child.returncode == 130, err
    assert "Stopped after" in out
    assert "--resume" in err
    assert log.exists()
    assert not (tmp_path / "games.parquet").exists()


# Refusals: what is there stays as it is


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["simulate", *arguments]) == 2
    told = capsys.readouterr()
    assert not told.out
    return told.err


def test_existing_files_are_not_replaced(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for option in ("--out", "--json", "--report"):
        file = tmp_path / f"there{option}"
        file.write_text("mine")
        assert "--force" in refused(capsys, "lobo77", "--games", "10", option, str(file))
        assert file.read_text() == "mine"
    assert main(["simulate", "lobo77", "--games", "10", "--json", str(tmp_path / "there--json"), "--force"]) == 0
    assert json.loads((tmp_path / "there--json").read_text())["games"] == 10


def test_a_run_that_was_stopped_is_not_thrown_away(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = _stopped(tmp_path, 1)[1:-1]
    log = log_path(tmp_path / "games.parquet")
    before = log.read_bytes()
    assert "--resume goes on" in refused(capsys, *command)
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (["--seed", "10"], "seed was 9 there and is 10 here"),
        (["--rounds", "14"], "rounds was 7 there and is 14 here"),
        (["--games", "3001"], "games was 3000 there"),
        (["--players", "4"], "players was 3 there"),
        (["--vary", "lead=dealer,winner"], "other values to vary"),
    ],
)
def test_the_log_of_another_run_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, change: list[str], said: str
) -> None:
    command = [*_stopped(tmp_path, 1)[1:], *change]
    before = log_path(tmp_path / "games.parquet").read_bytes()
    assert said in refused(capsys, *command)
    assert log_path(tmp_path / "games.parquet").read_bytes() == before


def test_there_must_be_something_to_resume(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "does not exist" in refused(capsys, "loba", "--resume", "--out", str(tmp_path / "games.parquet"))
    assert "--out or --json" in refused(capsys, "loba", "--resume")
    (tmp_path / "games.parquet.part").write_bytes(b"a picture")
    said = refused(capsys, "loba", "--resume", "--out", str(tmp_path / "games.parquet"))
    assert "not the file of a run" in said


def test_files_that_cannot_be_written_are_refused_first(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "no directory" in refused(capsys, "loba", "--out", str(tmp_path / "nowhere" / "games.parquet"))
    assert "directory" in refused(capsys, "loba", "--json", str(tmp_path))
    assert "twice" in refused(capsys, "loba", "--json", str(tmp_path / "a"), "--out", str(tmp_path / "a"))
    assert "ordinary file" in refused(capsys, "loba", "--out", "/dev/full")


def test_a_full_disk_is_an_error_and_keeps_what_fits(tmp_path: Path) -> None:
    """No file of the child may grow past the limit: writing fails as it does on a full disk."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    command = [sys.executable, "-m", "ludotheque", "simulate", "double_lucky_7", "--games", "12000", "--jobs", "1"]
    command += ["--out", str(tmp_path / "games.parquet")]
    child = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, env={**os.environ, "LANG": "C"})
    assert child.returncode == 2, child.stderr
    assert "cannot be written" in child.stderr
    assert "Traceback" not in child.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet.part"]
    assert main([*command[3:], "--resume"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_impossible_numbers_are_refused(capsys: pytest.CaptureFixture[str], lang: str) -> None:
    assert refused(capsys, "loba", "--games", "0", "--lang", lang)
    assert refused(capsys, "loba", "--players", "9", "--lang", lang)
    assert refused(capsys, "loba", "--jobs", "1000", "--lang", lang)
    assert refused(capsys, "loba", "--bots", "club,club", "--lang", lang)
    assert refused(capsys, "loba", "--vary", "stock=1,2", "--lang", lang)


def test_unknown_arguments_are_refused() -> None:
    with pytest.raises(SystemExit) as stop:
        main(["simulate", "loba", "--stock", "3"])
    assert stop.value.code == 2
