"""Compiling a game's rules ahead of time, once per version of the sources, where somebody can see it happen.

Compiling holds Python's interpreter lock, so it is done in child processes, two side by side, which leave the result
in the cache on disk. `python -m ludotheque.core.warm MODULE GAME PACKAGE ENTRY...` is such a child.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import selectors
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludotheque.core import jit, registry
from ludotheque.core.errors import LudothequeError
from ludotheque.core.progress import Bar
from ludotheque.core.texts import shared

PLAY, BATCH = "play", "batch"


@dataclass(frozen=True, slots=True)
class Purpose:
    """What is compiled together."""

    entries: tuple[tuple[str, ...], ...]
    """The entries' names, by the child process that compiles them."""
    templates: Path
    """Where they are written."""
    module: str
    """The module with `compile_entries(game_id, names, done)` that compiles them."""


PURPOSES = {
    PLAY: Purpose(
        (("start", "moves", "idle", "play"), ("allows", "result", "hide", "faults", "watch", "imagine")),
        jit.RULES_TEMPLATES,
        "ludotheque.core.warm",
    ),
    BATCH: Purpose(
        (("arena",), ("playouts",)),
        jit.RULES_TEMPLATES,
        "ludotheque.core.warm",
    ),
}
"""What one match needs, and what many at once need besides; bots add theirs. `fuzz` is compiled when tests need it."""

_known: set[tuple[str, str]] = set()
"""What this process has found compiled: game and what for."""

_excused: set[str] = set()
"""Games that this process goes on without."""

_ONE_AT_A_TIME = threading.Lock()
"""Threads that need the same game wait for each other, instead of compiling it twice."""

_CHILD = "LUDOTHEQUE_COMPILING"
"""Set in the environment of a process that is compiling: it must not ask for what it is about to make."""


def _marker(game_id: str, purpose: str) -> Path:
    spec = importlib.util.find_spec(registry.package(game_id))
    if spec is None or spec.origin is None:
        raise LudothequeError(f"the package of {game_id} cannot be found")
    folder = Path(spec.origin).parent
    return jit.cache_dir(game_id, folder, PURPOSES[purpose].templates) / f"compiled-{purpose}"


def is_warm(game_id: str, purpose: str) -> bool:
    """Whether the compiled rules of a game lie in the cache, or are not needed."""
    key = game_id, purpose
    if key not in _known and (not jit.COMPILED or _CHILD in os.environ or _marker(*key).exists()):
        _known.add(key)
    return key in _known


def ensure(game_id: str, purpose: str = PLAY) -> None:
    """Compile the game's rules for a purpose if that has not been done yet, visibly."""
    if game_id not in _excused and not is_warm(game_id, purpose):
        warm([game_id], purposes=[purpose])


def excuse(game_id: str) -> None:
    """Let this process go on without: whoever says so has interpreted rules in their place meanwhile."""
    _excused.add(game_id)


def warm(game_ids: list[str], lang: str = "en", purposes: Sequence[str] = ()) -> None:
    """Compile these games, with a progress bar on standard error. What is compiled already costs nothing."""
    for purpose in purposes or PURPOSES:
        if all(is_warm(registry.check_id(game_id), purpose) for game_id in game_ids):
            continue
        with _ONE_AT_A_TIME:
            missing = [game_id for game_id in game_ids if not is_warm(game_id, purpose)]
            if missing:
                text = shared(lang).say(f"warm.{purpose}", {"game": ", ".join(missing)})
                _compile_games(missing, purpose, Bar(text))


def _compile_games(game_ids: Sequence[str], purpose: str, bar: Bar) -> None:
    """Two games at a time: their children rarely end together, and a core would wait for the slower."""
    total = len(game_ids) * sum(len(names) for names in PURPOSES[purpose].entries)
    done = dict.fromkeys(game_ids, 0)
    bar.show(0, total)

    def work(game_id: str) -> None:
        def progress(entries: int) -> None:
            done[game_id] = entries
            bar.show(sum(done.values()), total)

        try:
            _compile_in_children(game_id, purpose, progress)
            _marker(game_id, purpose).touch()
        except (LudothequeError, OSError):  # another version of the project may have cleared the cache meanwhile
            _compile_in_children(game_id, purpose, progress)
            _marker(game_id, purpose).touch()
        _known.add((game_id, purpose))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, game_ids))


def _compile_in_children(game_id: str, purpose: str, progress: Callable[[int], None]) -> None:
    path = os.pathsep.join([str(jit.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path, _CHILD: game_id}
    package = registry.package(game_id)
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "ludotheque.core.warm", PURPOSES[purpose].module, game_id, package, *names],
            env=environment,
            stdout=subprocess.PIPE,
        )
        for names in PURPOSES[purpose].entries
    ]
    done = 0
    with selectors.DefaultSelector() as selector:
        for child in children:
            assert child.stdout is not None
            selector.register(child.stdout, selectors.EVENT_READ)
        while selector.get_map():
            for ready, _ in selector.select():
                if os.read(ready.fd, 1):  # a byte for each entry compiled
                    done += 1
                    progress(done)
                else:
                    selector.unregister(ready.fileobj)
    for child in children:
        assert child.stdout is not None
        child.stdout.close()
        if child.wait() != 0:
            raise LudothequeError(f"compiling the rules of {game_id} failed; run: ludotheque warm {game_id}")


def compile_entries(game_id: str, names: Sequence[str], done: Callable[[], None]) -> None:
    """Compile some entries of a game in this process, by calling each once; that puts them into the cache too."""
    import numpy as np

    game = registry.load(game_id)
    kernels, info = game.kernels, game.info
    buf = np.zeros(info.state.itemsize, np.uint8)
    key = np.zeros(8, np.uint32)
    seats = info.min_seats
    ids = np.empty(info.num_actions, np.int16)
    wide = np.zeros(info.max_seats, np.int32)

    def touch_arena() -> None:
        game.arena(1, seed=1)

    calls: dict[str, Callable[[], object]] = {
        "start": lambda: kernels.start(buf, key, seats, game.options(seats, {}).codes),
        "moves": lambda: kernels.moves(buf, 0, ids),
        "idle": lambda: kernels.idle(buf),
        "allows": lambda: kernels.allows(buf, 0, 0, ids),
        "play": lambda: kernels.play(buf, 0, 0, ids),
        "result": lambda: kernels.result(buf, wide, wide.copy()),
        "faults": lambda: kernels.faults(buf),
        "watch": lambda: kernels.watch(buf, 0, np.zeros(info.observation_size, np.int16)),
        "hide": lambda: kernels.hide(buf, 0),
        "imagine": lambda: kernels.imagine(buf, 0, key),
        "arena": touch_arena,
        "playouts": lambda: kernels.playouts(buf, 0, 1, np.zeros(info.max_seats, np.int64)),
    }
    for name in names:
        calls[name]()
        done()


def _optimise_entries_only(game_id: str) -> None:
    """Spare Numba from optimising every rule by itself: it is optimised again within each entry that calls it.

    This reaches into Numba; where its insides look different, compiling just takes a third longer.
    """
    from numba.core import codegen

    library = codegen.CPUCodeLibrary
    optimise = getattr(library, "_optimize_final_module", None)
    if optimise is None:
        return

    def entries_only(self: Any) -> None:
        if self.name.startswith(f"{game_id}_") or "parfor" in self.name:
            optimise(self)

    library._optimize_final_module = entries_only


def _child(module: str, game_id: str, package: str, *names: str) -> None:
    _optimise_entries_only(game_id)
    registry.register(game_id, package)
    importlib.import_module(module).compile_entries(game_id, names, lambda: print(".", end="", flush=True))


if __name__ == "__main__":
    _child(*sys.argv[1:])
