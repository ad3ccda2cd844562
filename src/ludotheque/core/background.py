"""Nobody waits for the compiler: rules run interpreted until they have been compiled in the background.

`until_compiled` gives entries that change over by themselves, in the middle of a match too: both ways compute the same,
to the byte. Games are compiled one after the other in child processes (see `warm.py`) that a thread of this process
watches; what somebody wants comes before what is compiled ahead.
"""

from __future__ import annotations

import atexit
import importlib
import logging
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ludotheque.core import registry, warm
from ludotheque.core.errors import LudothequeError
from ludotheque.core.jit import plain, set_plain

if TYPE_CHECKING:
    from ludotheque.core.game import Game

log = logging.getLogger("ludotheque.compiling")

Step = tuple[str, str]
"""A game, and what it is compiled for."""

AHEAD = 10
"""How far what nobody wants yet stands back for others who want the processor."""


def until_compiled(game: Game, purpose: str, bound: SimpleNamespace, names: Sequence[str]) -> SimpleNamespace:
    """The entries of a purpose: those named run interpreted until they are compiled, which begins now."""
    if warm.is_warm(game.id, purpose):
        return bound
    for name, reader in game.readers().items():
        set_plain(getattr(bound, name), reader)
    want(game.id, purpose)
    doors = {name: _door((game.id, purpose), getattr(bound, name)) for name in names}
    return SimpleNamespace(**{**vars(bound), **doors, "compiled": bound})


def _door(step: Step, compiled: Callable[..., Any]) -> Callable[..., Any]:
    interpreted = plain(compiled)

    def door(*given: Any) -> Any:
        if step in warm.KNOWN:
            return compiled(*given)
        _background.go_on()
        return interpreted(*given)

    return door


class Background:
    """What is to be compiled, and the thread that sees to it while there is something."""

    def __init__(self, wanted: Iterable[Step] = ()) -> None:
        self._wanted = list(wanted)
        self._ahead: list[Step] = []
        self._failed: set[Step] = set()
        self._now: Step | None = None
        self._is_stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def want(self, step: Step) -> None:
        """Somebody waits for this: it comes before what nobody wants yet."""
        with self._lock:
            if step not in self._wanted and step not in self._failed:
                self._wanted.append(step)
                if self._now is not None and self._now not in self._wanted:
                    self._is_stopped.set()
                self._start()

    def add_ahead(self, steps: Iterable[Step]) -> None:
        """Compile these when nothing is wanted."""
        with self._lock:
            self._ahead += steps
            self._start()

    def go_on(self) -> None:
        """Begin again in a process that was forked in the midst of it: threads do not come along."""
        if self._thread is None and self._wanted:
            with self._lock:
                self._start()

    def stop(self) -> None:
        """Compile nothing more of what was asked for."""
        with self._lock:
            self._wanted, self._ahead = [], []
            self._is_stopped.set()

    def remaining(self) -> list[Step]:
        """What is wanted and not done."""
        return list(self._wanted)

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="ludotheque-compile", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while (step := self._begin_next()) is not None:
            is_done = self._compile(step)
            if not self._end(step, is_done):
                continue
            if is_done:
                _load(*step)
            else:
                log.warning("%s could not be compiled: it is played interpreted, and bots do not search", step[0])

    def _begin_next(self) -> Step | None:
        """What to do now: what is wanted, people at tables first; then what is ahead."""
        with self._lock:
            wanted = sorted(self._wanted, key=lambda step: warm.PURPOSES[step[1]].urgency)
            self._now = next(iter([*wanted, *self._ahead]), None)
            self._is_stopped = threading.Event()
            if self._now is None:
                self._thread = None
            return self._now

    def _compile(self, step: Step) -> bool:
        try:
            if not warm.is_warm(*step):
                niceness = 0 if step in self._wanted else AHEAD
                warm.compile_one(*step, lambda done: None, self._is_stopped, niceness, is_quiet=True)
            return warm.is_warm(*step)
        except (LudothequeError, OSError) as error:  # it fails, or there is no such game any more
            log.info("%s", error)
            return False

    def _end(self, step: Step, is_done: bool) -> bool:
        """Cross it off, unless it was stopped; True if somebody wanted it."""
        with self._lock:
            self._now = None
            if self._is_stopped.is_set() and not is_done:
                return False
            was_wanted = step in self._wanted or not is_done
            self._wanted = [one for one in self._wanted if one != step]
            self._ahead = [one for one in self._ahead if one != step]
            if not is_done:
                self._failed.add(step)
            return was_wanted


def _load(game_id: str, purpose: str) -> None:
    """Read what was compiled into this process, here, so that nobody else waits for it."""
    load = getattr(importlib.import_module(warm.PURPOSES[purpose].module), "load", None)
    if load is not None:
        try:
            load(registry.load(game_id))
        except Exception:
            log.exception("%s was compiled and cannot be loaded", game_id)


_background = Background()


def want(game_id: str, purpose: str) -> None:
    """Compile a game for a purpose in the background, before what nobody wants yet."""
    if not warm.is_warm(game_id, purpose):
        _background.want((game_id, purpose))


def compile_ahead(steps: Iterable[Step]) -> None:
    """Compile all these in the background, when nothing is wanted."""
    _background.add_ahead(steps)


def is_pending(game_id: str) -> bool:
    """Whether something of a game is wanted and not compiled yet."""
    return any(step[0] == game_id for step in _background.remaining())


def stop() -> None:
    """Compile nothing more in the background; what is compiled stays."""
    _background.stop()


def _begin_anew() -> None:
    global _background
    _background = Background(_background.remaining())


atexit.register(stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
