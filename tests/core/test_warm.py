"""Compiling ahead: once, however many threads and processes ask, visibly, and without leftovers."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from ludotheque.core import cache, jit, progress, warm
from ludotheque.core.errors import LudothequeError
from tests.core import compiler_for_tests as compiler

pytestmark = pytest.mark.compiled_only

GAME = "lobo77"
ROOT = Path(__file__).parents[2]


class Bench:
    """A cache of one's own, and a compiler that only takes notes."""

    def __init__(self, tmp_path: Path) -> None:
        self.notes = tmp_path / "notes"
        self.root = tmp_path / "cache"
        self.environment = {
            **os.environ,
            "LUDOTHEQUE_CACHE": str(self.root),
            "PYTHONPATH": os.pathsep.join([str(jit.PACKAGE.parent), str(ROOT)]),
            compiler.NOTES: str(self.notes),
            compiler.SECONDS: "1",
        }

    def start(self, seconds: float) -> subprocess.Popen[str]:
        """A process that needs the game; compiling each half takes so long."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.core.compiler_for_tests"],
            env={**self.environment, compiler.SECONDS: str(seconds)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def compiled(self) -> list[str]:
        """What was compiled so far: game, entry, process."""
        return sorted(self.notes.read_text().splitlines()) if self.notes.exists() else []


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def here(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """The same, for this process."""
    for name, value in bench.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setitem(warm.PURPOSES, compiler.PURPOSE, compiler.REPLACEMENT)
    monkeypatch.setattr(warm, "KNOWN", set())
    monkeypatch.delenv(warm._CHILD, raising=False)
    monkeypatch.setattr(warm, "cache_dir", cache.cache_dir.__wrapped__)
    return bench


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + 300
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_threads_that_need_the_same_game_wait_for_each_other(here: Bench) -> None:
    threads = [threading.Thread(target=warm.ensure, args=(GAME,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [line.split()[1] for line in here.compiled()] == ["moves", "start"]
    assert warm.is_warm(GAME, warm.PLAY)


def test_two_starts_at_once_compile_once(bench: Bench) -> None:
    starts = [bench.start(2), bench.start(2)]
    for start in starts:
        out, err = start.communicate(timeout=300)
        assert out == "ready\n", err
        assert "LOBO 77" in err
    assert [line.split()[1] for line in bench.compiled()] == ["moves", "start"]


def test_a_killed_start_leaves_neither_a_lock_nor_children(bench: Bench) -> None:
    killed = bench.start(600)
    wait_for(lambda: len(bench.compiled()) == 2)
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=300)
    children = [int(line.split()[2]) for line in bench.compiled()]
    wait_for(lambda: not any(map(is_running, children)))
    out, err = bench.start(0).communicate(timeout=300)
    assert out == "ready\n", err
    assert len(bench.compiled()) == 4


def test_interrupting_ends_the_children(bench: Bench) -> None:
    start = bench.start(600)
    wait_for(lambda: len(bench.compiled()) == 2)
    start.send_signal(signal.SIGINT)
    start.communicate(timeout=300)
    assert not any(is_running(int(line.split()[2])) for line in bench.compiled())


def test_progress_ticks_while_one_entry_takes_long(here: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiler.SECONDS, "3")
    shown: list[int] = []
    warm.compile_one(GAME, warm.PLAY, shown.append, threading.Event())
    assert shown.count(0) >= 4


def test_compiling_can_be_stopped(here: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiler.SECONDS, "600")
    is_stopped = threading.Event()
    worker = threading.Thread(target=warm.compile_one, args=(GAME, warm.PLAY, lambda done: None, is_stopped))
    worker.start()
    wait_for(lambda: len(here.compiled()) == 2)
    is_stopped.set()
    worker.join(300)
    assert not worker.is_alive()
    assert not warm.is_warm(GAME, warm.PLAY)


def test_compiling_that_fails_says_so(here: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiler.SECONDS, "soon")
    with pytest.raises(LudothequeError, match=r"LOBO 77 failed.*ludotheque warm lobo77"):
        warm.ensure(GAME)
    assert not warm.is_warm(GAME, warm.PLAY)


def test_sources_that_change_while_they_are_compiled_are_not_taken_for_the_old_ones(
    here: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = here.root / "elsewhere"
    elsewhere.mkdir(parents=True)
    monkeypatch.setattr(warm, "_directory", lambda *_: elsewhere)
    with pytest.raises(LudothequeError, match="LOBO 77 failed"):
        warm.ensure(GAME)
    assert not here.compiled() and not list(elsewhere.glob(f"{cache.DONE}*"))


def test_a_size_that_is_none_is_refused_before_the_work(here: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SIZE, "large")
    with pytest.raises(LudothequeError, match="'large'"):
        warm.ensure(GAME)
    assert not here.compiled()


def test_the_bar_names_the_game_and_counts_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    now = iter([100.0, 100.0, 101.0, 102.0])
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(now)))
    bar = progress.Bar("Compiling LOBO 77")
    for _ in range(3):
        bar.show(0, 12)
    lines = shown.getvalue().split("\r")[1:]
    assert [re.sub(r".*\] +", "", line) for line in lines] == ["0 s", "1 s", "2 s"]
    assert all("LOBO 77" in line for line in lines)
