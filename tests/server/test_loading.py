"""Loading games ahead: a game that is wanted comes first. Compiling takes long, so here it is only noted down."""

from __future__ import annotations

import json
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import ludotheque
from ludotheque.bots.kernels import THINK
from ludotheque.core.painter import SHOW
from ludotheque.core.warm import PLAY
from ludotheque.server import loading
from ludotheque.server.loading import Loader
from tests.server.process import Server

GAMES = ["a", "b", "c"]
SLEEP = (sys.executable, "-c", "import time; time.sleep(60)")
SUCCEED = (sys.executable, "-c", "pass")


class Compiler:
    """Stands in for the compiler: writes down what is made, in which order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[str] = []
        self.ready: set[tuple[str, str]] = set()
        self.loaded: list[str] = []
        self.started = threading.Event()
        self.asleep = ""
        """The game whose process does not come to an end."""
        self._start = loading._start
        monkeypatch.setattr(loading, "is_warm", lambda game, purpose: (game, purpose) in self.ready)
        monkeypatch.setattr(loading, "load", lambda game, purpose: self.loaded.append(f"{game} {purpose}"))
        monkeypatch.setattr(loading, "_start", self.aside)

    def aside(self, command: list[str]) -> object:
        game_id, purpose, _ = command[-3:]
        if game_id == self.asleep:
            self.asleep = ""
            self.started.set()
            return self._start(SLEEP)
        self.made.append(f"{game_id} {purpose}")
        self.ready.add((game_id, purpose))
        return self._start(SUCCEED)


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[Compiler]:
    yield Compiler(monkeypatch)


def compile_without_end(compiler: Compiler) -> tuple[Loader, threading.Thread]:
    """A loader at work on the first game, whose process does not come to an end."""
    compiler.asleep = "a"
    loader = Loader(GAMES, "en")
    worker = threading.Thread(target=loader.run, daemon=True)
    worker.start()
    assert compiler.started.wait(20)
    return loader, worker


def assert_undisturbed(loader: Loader, worker: threading.Thread) -> None:
    """The process goes on, until the loader is stopped."""
    child = loader._child
    assert child is not None and child.poll() is None
    loader.stop()
    worker.join(20)
    assert not worker.is_alive()


def test_all_games_are_compiled_for_people_first(compiler: Compiler) -> None:
    compiler.ready.add(("c", PLAY))
    Loader(GAMES, "en").run()
    assert compiler.made == ["a play", "b play", "a show", "b show", "c show", "a think", "b think", "c think"]


def test_only_games_that_are_wanted_are_loaded(compiler: Compiler) -> None:
    loader = Loader(GAMES, "en")
    loader.want("b")
    loader.run()
    assert compiler.made[:3] == [f"b {PLAY}", f"b {SHOW}", f"b {THINK}"]
    assert compiler.loaded == [f"b {PLAY}", f"b {SHOW}", f"b {THINK}"]


def test_a_game_that_is_wanted_stops_the_others(compiler: Compiler) -> None:
    loader, worker = compile_without_end(compiler)
    loader.want("b")
    worker.join(20)
    assert not worker.is_alive()
    assert compiler.made[:4] == [f"b {PLAY}", f"b {SHOW}", f"b {THINK}", f"a {PLAY}"]


def test_what_is_there_already_disturbs_nobody(compiler: Compiler) -> None:
    compiler.ready |= {("b", PLAY), ("b", SHOW), ("b", THINK)}
    loader, worker = compile_without_end(compiler)
    loader.want("b")
    assert_undisturbed(loader, worker)


def test_a_wanted_game_that_is_being_compiled_goes_on(compiler: Compiler) -> None:
    loader, worker = compile_without_end(compiler)
    loader.want("a")
    loader.want("b")
    assert_undisturbed(loader, worker)


def test_a_game_that_cannot_be_compiled_keeps_nobody_waiting(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fail = (sys.executable, "-c", "raise SystemExit(1)")

    def start(command: list[str]) -> object:
        return compiler._start(fail) if command[-3] == "a" else compiler.aside(command)

    monkeypatch.setattr(loading, "_start", start)
    Loader(GAMES, "en").run()
    assert compiler.made == ["b play", "c play", "b show", "c show", "b think", "c think"]
    assert "a could not be compiled" in caplog.text


def test_a_game_is_loaded_once_however_many_want_it_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def slowly(game_id: str) -> None:
        time.sleep(0.2)
        done.append(game_id)

    monkeypatch.setattr(loading, "_load_first", slowly)
    monkeypatch.setattr(loading, "_firsts", set())

    def want(_: int) -> bool:
        loading.load_first("a")
        return done == ["a"]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(want, range(8)))
    assert done == ["a"]


@pytest.mark.slow
def test_everybody_gets_a_table_right_after_the_start(tmp_path: Path) -> None:
    """Games are loaded when they are first wanted, in several threads at once, while the compiler gets ready."""

    def ask(url: str, game: str) -> int:
        body = json.dumps({"game": game, "name": "Ann"}).encode()
        request = urllib.request.Request(f"{url}/api/tables", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return int(answer.status)

    for number in range(4):
        folder = tmp_path / str(number)
        folder.mkdir()
        with Server(folder) as server, ThreadPoolExecutor(10) as pool:
            assert set(pool.map(ask, [server.url] * 10, ludotheque.game_ids() * 2)) == {200}
