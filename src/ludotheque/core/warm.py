"""Compiling a game's rules ahead of time, once per version of the sources, where somebody can see it happen."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ludotheque.core import jit, registry
from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import shared


def _marker(game_id: str) -> Path:
    return jit.cache_dir() / f"{game_id}.warm"


_known: set[str] = set()
"""Games that this process has found compiled, or is compiling itself."""


def is_warm(game_id: str) -> bool:
    """Whether the compiled rules of a game lie in the cache, or are not needed."""
    if game_id not in _known and (not jit.COMPILED or _marker(game_id).exists()):
        _known.add(game_id)
    return game_id in _known


def compile_game(game_id: str, step: Callable[[int, int], None]) -> None:
    """Compile all entries of a game in this process by calling each once, which also puts them into the cache."""
    _known.add(game_id)
    game = registry.load(game_id)
    kernels, info = game.kernels, game.info
    buf = np.zeros(info.state.itemsize, np.uint8)
    key = np.zeros(8, np.uint32)
    seats = info.min_seats
    opts = game.options(seats, {}).codes
    ids = np.empty(info.num_actions, np.int16)
    wide = np.zeros(info.max_seats, np.int32)
    obs = np.zeros(info.observation_size, np.int16)
    report = np.zeros(4, np.int64)
    calls: list[Callable[[], object]] = [
        lambda: kernels.start(buf, key, seats, opts),
        lambda: kernels.moves(buf, 0, ids),
        lambda: kernels.idle(buf),
        lambda: kernels.play(buf, 0, info.num_actions - 1, ids),
        lambda: kernels.result(buf, wide, wide.copy()),
        lambda: kernels.faults(buf),
        lambda: kernels.watch(buf, 0, obs),
        lambda: kernels.playouts(buf, 1, 1, np.zeros(info.max_seats, np.int64)),
        lambda: kernels.fuzz(buf, 1, 1, key, seats, opts, report),
        lambda: kernels.hide(buf, 0),
        lambda: kernels.imagine(buf, 0, key),
        lambda: _touch_arena(game_id),
    ]
    for number, call in enumerate(calls):
        step(number, len(calls))
        call()
    step(len(calls), len(calls))
    _marker(game_id).touch()


def _touch_arena(game_id: str) -> None:
    arena = registry.load(game_id).arena(1, seed=1)
    arena.step(arena.sample())
    arena.observe(arena.actors)


def ensure(game_id: str) -> None:
    """Compile the game's rules if that has not been done yet: in a child process, with a progress bar."""
    if is_warm(game_id):
        return
    command = [sys.executable, "-m", "ludotheque", "warm", game_id]
    done = subprocess.run(command, stdout=sys.stderr.fileno() if _has_stderr() else subprocess.DEVNULL)
    if done.returncode != 0:
        raise LudothequeError(f"compiling the rules of {game_id} failed; run: ludotheque warm {game_id}")


def _has_stderr() -> bool:
    try:
        sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return False
    return True


def warm(game_ids: list[str], lang: str = "en") -> None:
    """Compile these games, with a progress bar on standard error. What is compiled already costs nothing."""
    words = shared(lang)
    for game_id in game_ids:
        if is_warm(game_id):
            continue
        began = time.monotonic()
        text = words.say("warm.compiling", {"game": game_id})

        def bar(done: int, total: int, text: str = text, began: float = began) -> None:
            if sys.stderr.isatty():
                filled = 24 * done // total
                line = f"\r{text} [{'#' * filled}{'.' * (24 - filled)}] {time.monotonic() - began:3.0f} s"
                sys.stderr.write(line + ("\n" if done == total else ""))
            elif done == 0:
                sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

        compile_game(game_id, bar)
