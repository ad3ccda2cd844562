"""Compiling a game's rules ahead of time, once per version of the sources, with a progress bar.

Compiling holds Python's interpreter lock, so it is done in child processes, two side by side, which leave the result
in the cache on disk. `python -m ludotheque.core.warm MODULE PURPOSE GAME PACKAGE NICENESS ENTRY...` is such a child. A
lock for each game and purpose lets processes that want the same wait for the one that compiles it.
"""

from __future__ import annotations

import importlib
import os
import selectors
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ludotheque.core import jit, registry
from ludotheque.core.cache import DONE, cache_dir, size_limit, trim
from ludotheque.core.errors import LudothequeError
from ludotheque.core.locks import FileLock
from ludotheque.core.pages import game_name
from ludotheque.core.progress import Bar
from ludotheque.core.texts import shared, worded

if TYPE_CHECKING:
    from ludotheque.core.game import Game

PLAY, BATCH = "play", "batch"


@dataclass(frozen=True, slots=True)
class Purpose:
    """What is compiled together."""

    entries: tuple[tuple[str, ...], ...]
    """The entries' names, by the child process that compiles them."""
    templates: Path
    """Where they are written."""
    module: str
    """The module with `compile_entries(game_id, names, done)` that compiles them, and perhaps `load(game)` that reads
    them into a process where they were interpreted."""
    urgency: int
    """What comes first when several are wanted: 0 is what a match cannot do without."""


PURPOSES = {
    PLAY: Purpose(
        (("start", "moves", "idle", "play"), ("allows", "result", "hide", "faults", "watch", "imagine")),
        jit.RULES_TEMPLATES,
        "ludotheque.core.warm",
        0,
    ),
    BATCH: Purpose(
        (("arena",), ("playouts",)),
        jit.RULES_TEMPLATES,
        "ludotheque.core.warm",
        3,
    ),
}
"""What one match needs, and what many at once need besides; bots add theirs. `fuzz` is compiled when tests need it."""

KNOWN: set[tuple[str, str]] = set()
"""What this process has found compiled: game and what for."""

_CHILD = "LUDOTHEQUE_COMPILING"
"""Set in the environment of a process that is compiling, to where: it must not ask for what it is about to make."""

TICK = 0.5
"""Seconds after which progress is shown again, whether or not there is any."""

Progress = Callable[[int], None]
"""Is told how many entries are compiled, every half second or so."""


def _directory(game_id: str, purpose: str) -> Path:
    return cache_dir(game_id, registry.folder(game_id), PURPOSES[purpose].templates)


def _marker(game_id: str, purpose: str) -> Path:
    return _directory(game_id, purpose) / f"{DONE}{purpose}"


def is_warm(game_id: str, purpose: str) -> bool:
    """Whether the compiled rules of a game lie in the cache, or are not needed."""
    key = game_id, purpose
    if key not in KNOWN and (not jit.COMPILED or _CHILD in os.environ or _marker(*key).exists()):
        KNOWN.add(key)
    return key in KNOWN


def ensure(game_id: str, purpose: str = PLAY) -> None:
    """Compile the game's rules for a purpose if that has not been done yet, visibly."""
    if not is_warm(game_id, purpose):
        warm([game_id], purposes=[purpose])


def warm(game_ids: list[str], lang: str = "en", purposes: Sequence[str] = ()) -> None:
    """Compile these games, with a progress bar on standard error. What is compiled already costs nothing."""
    for purpose in purposes or PURPOSES:
        missing = [game_id for game_id in game_ids if not is_warm(registry.check_id(game_id), purpose)]
        if missing:
            names = ", ".join(game_name(game_id) for game_id in missing)
            _compile_games(missing, purpose, Bar(shared(lang).say(f"warm.{purpose}", {"game": names})))


def _compile_games(game_ids: Sequence[str], purpose: str, bar: Bar) -> None:
    """Two games at a time: their children rarely end together, and a core would wait for the slower."""
    total = len(game_ids) * sum(len(names) for names in PURPOSES[purpose].entries)
    done = dict.fromkeys(game_ids, 0)
    is_stopped = threading.Event()
    showing = threading.Lock()

    def work(game_id: str) -> None:
        def progress(entries: int) -> None:
            done[game_id] = entries
            with showing:
                bar.show(sum(done.values()), total)

        compile_one(game_id, purpose, progress, is_stopped)

    with ThreadPoolExecutor(2) as pool:
        try:
            list(pool.map(work, game_ids))
        except BaseException:  # Ctrl-C as well: no child stays behind
            is_stopped.set()
            raise
    bar.show(total, total)


def compile_one(
    game_id: str,
    purpose: str,
    progress: Progress,
    is_stopped: threading.Event,
    niceness: int = 0,
    is_quiet: bool = False,
) -> None:
    """Compile a game for a purpose, or wait while another process does. Once stopped it leaves things as they are.

    If it is quiet, what children write to standard error is lost.
    """
    size_limit()  # complains before the work, not after it
    with _locked(game_id, purpose, progress, is_stopped) as is_ours:
        if not is_ours:
            return
        if not _marker(game_id, purpose).exists():
            children = _start_children(game_id, purpose, niceness, subprocess.DEVNULL if is_quiet else None)
            try:
                _watch(children, progress, is_stopped)
            finally:
                codes = [_end(child) for child in children]
            if is_stopped.is_set():
                return
            if any(codes):
                raise worded(LudothequeError, "cache.failed", game=game_name(game_id), id=game_id)
            _marker(game_id, purpose).touch()
            trim()
    KNOWN.add((game_id, purpose))


@contextmanager
def _locked(game_id: str, purpose: str, progress: Progress, is_stopped: threading.Event) -> Iterator[bool]:
    """Wait for the lock of a game and purpose; False if stopped before."""
    directory = _directory(game_id, purpose)
    lock = FileLock(directory / f"{purpose}.lock")
    is_ours = lock.try_acquire()
    while not is_ours and not is_stopped.wait(TICK):
        progress(_count_compiled(directory, game_id, purpose))
        is_ours = lock.try_acquire()
    try:
        yield is_ours
    finally:
        if is_ours:
            lock.release()


def _count_compiled(directory: Path, game_id: str, purpose: str) -> int:
    """How many entries another process has compiled so far."""
    names = [name for group in PURPOSES[purpose].entries for name in group]
    return sum(any(directory.glob(f"*.{game_id}_{name}-*.nbi")) for name in names)


def _start_children(game_id: str, purpose: str, niceness: int, errors: int | None) -> Sequence[subprocess.Popen[bytes]]:
    """The processes that compile. One whose standard input ends has lost its parent, and ends too."""
    path = os.pathsep.join([str(jit.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path, _CHILD: str(_directory(game_id, purpose))}
    what = PURPOSES[purpose].module, purpose, game_id, registry.package(game_id), str(niceness)
    pipe = subprocess.PIPE
    return [
        subprocess.Popen(
            [sys.executable, "-m", "ludotheque.core.warm", *what, *names],
            env=environment,
            stdin=pipe,
            stdout=pipe,
            stderr=errors,
        )
        for names in PURPOSES[purpose].entries
    ]


def _watch(children: Sequence[subprocess.Popen[bytes]], progress: Progress, is_stopped: threading.Event) -> None:
    """Count what the children have compiled until they end, or are to be stopped."""
    done = 0
    with selectors.DefaultSelector() as selector:
        for child in children:
            assert child.stdout is not None
            selector.register(child.stdout, selectors.EVENT_READ)
        while selector.get_map() and not is_stopped.is_set():
            progress(done)
            for ready, _ in selector.select(TICK):
                if os.read(ready.fd, 1):  # a byte for each entry compiled
                    done += 1
                else:
                    selector.unregister(ready.fileobj)


def _end(child: subprocess.Popen[bytes]) -> int:
    """Let a child end, which it has done unless it was stopped; its exit code."""
    assert child.stdin is not None and child.stdout is not None
    with suppress(OSError):
        child.stdin.close()
    child.stdout.close()
    return child.wait()


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


def load(game: Game) -> None:
    """Use the compiled rules of a game from now on; matches that have begun interpreted change over by themselves."""
    game.kernels = getattr(game.kernels, "compiled", game.kernels)  # no call looks any more whether it is compiled
    match = game.new(game.info.min_seats)
    match.play(match.legal()[0])


def _child(module: str, purpose: str, game_id: str, package: str, niceness: str, *names: str) -> None:
    from ludotheque.core.numba_private import optimise_only

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    optimise_only(lambda name: name.startswith(f"{game_id}_") or "parfor" in name)  # the entries
    registry.register(game_id, package)
    compiler = importlib.import_module(module)
    if str(_directory(game_id, purpose)) != os.environ[_CHILD]:
        raise SystemExit("the sources have changed since this process was asked to compile them")
    compiler.compile_entries(game_id, names, lambda: print(".", end="", flush=True))
    os._exit(0)  # the thread still reads, which keeps Python from closing its input


def _end_with_parent() -> None:
    """Wait until the parent lets go of our standard input."""
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    importlib.import_module("ludotheque.core.warm")._child(*sys.argv[1:])  # the module that others add purposes to
