"""Playing before a game is compiled: at once, and to the byte as afterwards; what is wanted is compiled first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.core import background, jit, registry, warm
from ludotheque.core.background import Background
from ludotheque.core.chance import key_from_seed
from ludotheque.core.errors import LudothequeError
from ludotheque.core.game import Game

GAMES = registry.ids()
PLAY, BATCH = warm.PLAY, warm.BATCH
PATIENCE = 300

AT_ONCE = """
import json, subprocess, sys
import numpy as np
import ludotheque
from ludotheque.core import warm

children = []

def start_children(*_):
    pipe = subprocess.PIPE
    children.append(subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=pipe, stdout=pipe))
    return children[-1:]

warm._start_children = start_children

def play(game_id):
    game = ludotheque.game(game_id)
    match = game.new(4, seed=7)
    bots = [ludotheque.bot(game_id, level, seed=3) for level in ("beginner", "casual", "club")]
    bots = [bot for bot in bots if bot.level.way == "rules"]
    while not match.over and len(match.moves) < 40:
        bot = bots[len(match.moves) % len(bots)]
        bot.unasked(match.concealed(match.actor), match.actor)
        match.play(bot.choose(match))
    seen = np.zeros(game.info.observation_size, np.int16)
    game.kernels.watch(match.buffer, 0, seen)
    again = ludotheque.replay(match.record())
    assert game.position(match.position()).to_bytes() and again.to_bytes() == match.to_bytes()
    print(json.dumps([game_id, match.moves, match.to_bytes().hex(), match.view(0), seen.tolist()]))
    print(json.dumps([game.kernels.compiled.play.stats.cache_misses == {}, children[0].pid]))

play(sys.argv[1])
"""


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", GAMES)
def test_python_plays_at_once_after_a_fresh_install_and_leaves_no_process(game_id: str, tmp_path: Path) -> None:
    environment = {**os.environ, "LUDOTHEQUE_CACHE": str(tmp_path), "PYTHONPATH": str(jit.PACKAGE.parent)}
    command = [sys.executable, "-c", AT_ONCE, game_id]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not done.stderr, "nobody waited, so nothing is said"
    assert not list(tmp_path.rglob("*.nbc")), "something was compiled"
    told, (is_interpreted, child) = map(json.loads, done.stdout.splitlines())
    assert is_interpreted
    _, moves, state, view, seen = told
    game = ludotheque.game(game_id)
    match = game.new(4, seed=7)
    for seat, action in moves:
        match.play(action, seat)
    assert match.to_bytes().hex() == state
    assert json.loads(json.dumps(match.view(0))) == view
    numbers = np.zeros(game.info.observation_size, np.int16)
    game.kernels.watch(match.buffer, 0, numbers)
    assert numbers.tolist() == seen
    wait_for(lambda: not is_running(child))


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Game]:
    """Games of one's own that are not compiled until `warm.KNOWN` says so; nothing is compiled in the background."""
    monkeypatch.setattr(warm, "KNOWN", set())
    monkeypatch.setattr(warm, "is_warm", lambda *step: step in warm.KNOWN)
    monkeypatch.setattr(background, "want", lambda *_: None)
    return lambda game_id: Game(registry.package(game_id))


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", GAMES)
def test_a_match_goes_on_compiled(game_id: str, cold: Callable[[str], Game]) -> None:
    warm.KNOWN.add((game_id, PLAY))
    twins = cold(game_id)
    assert not hasattr(twins.kernels, "compiled")
    warm.KNOWN.clear()
    game = cold(game_id)
    match, twin = game.new(3, seed=5), twins.new(3, seed=5)
    chance = np.random.default_rng(1)
    for count in range(60):
        if match.over:
            break
        if count == 30:
            warm.KNOWN.add((game_id, PLAY))
            warm.load(game)
            assert game.kernels.play.py_func
        assert match.movers() == twin.movers()
        assert match.legal_ids() == twin.legal_ids()
        move = match.legal()[int(chance.integers(len(match.legal())))]
        match.play(move)
        twin.play(move)
        assert match.to_bytes() == twin.to_bytes()
        assert match.result() == twin.result()
        for seat in (*range(3), None):
            assert np.array_equal(match.concealed(seat), twin.concealed(seat))
        worlds = [match.concealed(0), twin.concealed(0)]
        for one, world in zip((game, twins), worlds, strict=True):
            one.kernels.imagine(world, 0, key_from_seed(count))
        assert np.array_equal(worlds[0], worlds[1])
    assert match.log() == twin.log()


class Compiler:
    """Stands in for the compiler: notes down what is made, in which order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[str] = []
        self.ready: set[tuple[str, str]] = set()
        self.loaded: list[str] = []
        self.started = threading.Event()
        self.endless = ""
        """The game that is compiled until that is stopped."""
        self.broken = ""
        monkeypatch.setattr(warm, "is_warm", lambda *step: step in self.ready)
        monkeypatch.setattr(warm, "compile_one", self.compile_one)
        monkeypatch.setattr(background, "_load", lambda *step: self.loaded.append(" ".join(step)))

    def compile_one(
        self, game_id: str, purpose: str, progress: Any, is_stopped: threading.Event, niceness: int, is_quiet: bool
    ) -> None:
        assert is_quiet
        self.started.set()
        if game_id == self.endless:
            assert is_stopped.wait(PATIENCE)
            self.endless = ""
        elif game_id == self.broken:
            raise LudothequeError("broken")
        else:
            self.made.append(f"{game_id} {purpose} {niceness}")
            self.ready.add((game_id, purpose))


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    return Compiler(monkeypatch)


def finish(work: Background) -> None:
    wait_for(lambda: work._thread is None)


def test_what_is_wanted_comes_first_and_is_loaded(compiler: Compiler) -> None:
    compiler.endless = "a"
    work = Background()
    work.add_ahead([("a", PLAY), ("b", PLAY), ("c", PLAY)])
    assert compiler.started.wait(PATIENCE)
    work.want(("c", BATCH))
    work.want(("c", PLAY))
    finish(work)
    assert compiler.made[0].startswith("c ")
    assert sorted(compiler.made[:2]) == [f"c {BATCH} 0", f"c {PLAY} 0"]
    assert compiler.made[2:] == [f"a {PLAY} 10", f"b {PLAY} 10"]
    assert sorted(compiler.loaded) == [f"c {BATCH}", f"c {PLAY}"]


def test_a_match_comes_before_batches(compiler: Compiler) -> None:
    work = Background([("a", BATCH), ("b", PLAY)])
    work.go_on()
    finish(work)
    assert compiler.made == [f"b {PLAY} 0", f"a {BATCH} 0"]


def test_what_is_wanted_while_it_is_compiled_goes_on(compiler: Compiler) -> None:
    compiler.endless = "a"
    work = Background()
    work.add_ahead([("a", PLAY)])
    assert compiler.started.wait(PATIENCE)
    work.want(("a", PLAY))
    work.want(("b", PLAY))
    assert compiler.endless == "a"
    assert not work._is_stopped.is_set()
    work.stop()
    finish(work)
    assert not compiler.made


def test_what_cannot_be_compiled_is_tried_once(compiler: Compiler, caplog: pytest.LogCaptureFixture) -> None:
    compiler.broken = "a"
    work = Background([("a", PLAY), ("b", PLAY)])
    work.go_on()
    finish(work)
    assert compiler.made == [f"b {PLAY} 0"]
    assert "a could not be compiled" in caplog.text
    work.want(("a", PLAY))
    assert work._thread is None


@pytest.mark.compiled_only
def test_a_forked_process_changes_over_too(tmp_path: Path) -> None:
    """Threads do not survive a fork: the child compiles, or waits, on its own."""
    code = """
import os, sys, threading, time
import ludotheque
from ludotheque.core import warm

def compile_one(game_id, purpose, progress, is_stopped, niceness, is_quiet):
    if os.getpid() == parent:
        is_stopped.wait(600)
    else:
        warm.KNOWN.add((game_id, purpose))

parent = os.getpid()
warm.compile_one = compile_one
warm.load = lambda game: print("compiled", flush=True) or os._exit(0)
match = ludotheque.game("lobo77").new(3, seed=1)
if os.fork() == 0:
    while True:
        match.legal_ids()
        time.sleep(0.01)
os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    environment = {**os.environ, "LUDOTHEQUE_CACHE": str(tmp_path), "PYTHONPATH": str(jit.PACKAGE.parent)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert ran.stdout == "compiled\n", ran.stderr
