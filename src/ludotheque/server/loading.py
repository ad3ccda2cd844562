"""Compiling all games ahead; the one somebody wants a table of comes first. Only what is played is loaded.

What is not compiled yet is compiled in the background by a process that can be stopped, as soon as somebody wants
another game. Nobody waits for it: see `meanwhile`. `python -m ludotheque.server.loading` is the process. What has been
compiled is loaded in a tenth of a second, and would take megabytes for every game that nobody plays.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence

from ludotheque.bots.kernels import THINK
from ludotheque.core import painter, registry
from ludotheque.core.jit import prepare
from ludotheque.core.painter import SHOW
from ludotheque.core.warm import PLAY, is_warm, warm
from ludotheque.server import meanwhile, memory

log = logging.getLogger("ludotheque.loading")

Step = tuple[str, str]
"""A game, and what it is compiled for."""

PURPOSES = (PLAY, SHOW, THINK)
AHEAD = 10
"""How far a game that nobody plays yet stands back for others who want the processor."""
TIDY_SECONDS = 5.0
"""How often memory is given back."""


class Loader:
    """Compiles all games, those that are wanted first. `run` does the work, in a thread; `tidy` goes on there."""

    def __init__(self, game_ids: Sequence[str], lang: str) -> None:
        self.lang = lang
        self._left: list[Step] = [(game_id, purpose) for purpose in PURPOSES for game_id in game_ids]
        self._wanted: set[str] = set()
        self._closed = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._compiling = ""
        self._lock = threading.Lock()

    def run(self) -> None:
        """Compile one game after the other, and load those that are wanted. One that cannot be stays interpreted."""
        while (step := self._next()) is not None:
            if not is_warm(*step) and not self._compile(step):
                continue
            self._left.remove(step)
            if not is_warm(*step):
                log.warning("%s could not be compiled: it is played interpreted, and bots do not search", step[0])
            elif step[0] in self._wanted:
                load(*step)

    def tidy(self) -> None:
        """Give memory back, until stopped: bots load what they need when they first play."""
        memory.give_back_free()
        while not self._closed.is_set():
            memory.give_back_code()
            self._closed.wait(TIDY_SECONDS)

    def want(self, game_id: str) -> None:
        """Somebody plays this game: it comes before those that nobody plays."""
        with self._lock:
            self._wanted.add(game_id)
            if self._compiling not in self._wanted and not all(is_warm(game_id, purpose) for purpose in PURPOSES):
                self._stop_child()

    def stop(self) -> None:
        """Load nothing more."""
        with self._lock:
            self._closed.set()
            self._stop_child()

    def _next(self) -> Step | None:
        """What to do now: wanted games for people, then for bots; then all games, those that are compiled first."""

        def rank(step: Step) -> tuple[bool, int, bool]:
            game_id, purpose = step
            return game_id not in self._wanted, PURPOSES.index(purpose), not is_warm(*step)

        return None if self._closed.is_set() else min(self._left, key=rank, default=None)

    def _compile(self, step: Step) -> bool:
        """Try to compile it; False if something else has come in between."""
        with self._lock:
            if self._next() != step:
                return False
            self._compiling = step[0]
            niceness = 0 if step[0] in self._wanted else AHEAD
            self._child = child = _start([*_COMMAND, str(niceness), *step, self.lang])
        child.wait()
        with self._lock:
            was_stopped, self._child = self._child is None, None
        return not was_stopped

    def _stop_child(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(child.pid, signal.SIGTERM)
            else:
                child.terminate()


_COMMAND = (sys.executable, "-m", "ludotheque.server.loading")


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """A process with a group of its own: it has children too."""
    return subprocess.Popen(command, process_group=0) if hasattr(os, "killpg") else subprocess.Popen(command)


def load(game_id: str, purpose: str) -> None:
    """Read what was compiled of a game into this process."""
    game = registry.load(game_id)
    if purpose == PLAY:
        meanwhile.end(game)
        game.new()
    elif purpose == SHOW:
        painter.load(game)


_loader: Loader | None = None


def start(lang: str) -> None:
    """Begin to compile all games."""
    global _loader
    _loader = loader = Loader(registry.ids(), lang)

    def work() -> None:
        prepare()
        loader.run()
        loader.tidy()

    threading.Thread(target=work, name="ludotheque-load", daemon=True).start()


def stop() -> None:
    """Load nothing more: the server stops."""
    if _loader is not None:
        _loader.stop()


_firsts: set[str] = set()
_ONE_AT_A_TIME = threading.Lock()


def load_first(game_id: str) -> None:
    """Load a game before all others, once. If it is not compiled yet, its rules are interpreted meanwhile."""
    if game_id not in _firsts:
        with _ONE_AT_A_TIME:  # people who want a first table at the same time wait for each other
            if game_id not in _firsts:
                _load_first(game_id)
                _firsts.add(game_id)


def _load_first(game_id: str) -> None:
    if _loader is not None:
        _loader.want(game_id)
        if not all(is_warm(game_id, purpose) for purpose in PURPOSES):
            meanwhile.begin(registry.load(game_id))
        if not is_warm(game_id, PLAY):
            return
    for purpose in (PLAY, SHOW):
        if is_warm(game_id, purpose):
            load(game_id, purpose)
    match = registry.load(game_id).new()  # whatever a table does, so that nobody waits for it there
    match.play(match.legal_ids()[0])
    match.view(match.movers()[0])


def _main(niceness: str, game_id: str, purpose: str, lang: str) -> None:
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    warm([game_id], lang, [purpose])


if __name__ == "__main__":
    _main(*sys.argv[1:])
