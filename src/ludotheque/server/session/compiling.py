"""The games of the room: all are compiled ahead, those that are played first; only those that are played are loaded.

Nobody waits for the compiler, see `core/background.py`. Loading a compiled game takes a tenth of a second, and
megabytes.
"""

from __future__ import annotations

import threading

from ludotheque.bots.searches import THINK
from ludotheque.core import background, registry
from ludotheque.core.jit import prepare
from ludotheque.core.warm import PLAY
from ludotheque.server.views import SHOW, is_ready
from ludotheque.server.views import load as load_writer

PURPOSES = (PLAY, SHOW, THINK)


def start() -> threading.Thread:
    """Begin to compile all games. The thread that gets the compiler ready for that is soon over."""

    def work() -> None:
        prepare()
        background.compile_ahead([(game_id, purpose) for purpose in PURPOSES for game_id in registry.ids()])

    thread = threading.Thread(target=work, name="ludotheque-prepare", daemon=True)
    thread.start()
    return thread


def stop() -> None:
    """Compile nothing more: the server stops."""
    background.stop()


_firsts: set[str] = set()
_ONE_AT_A_TIME = threading.Lock()


def load_first(game_id: str) -> None:
    """Load a game before all others, once. What is not compiled yet runs interpreted."""
    if game_id not in _firsts:
        with _ONE_AT_A_TIME:  # people who want a first table at the same time wait for each other
            if game_id not in _firsts:
                _load_first(game_id)
                _firsts.add(game_id)


def _load_first(game_id: str) -> None:
    for purpose in PURPOSES:
        background.want(game_id, purpose)
    game = registry.load(game_id)
    if is_ready(game):
        load_writer(game)
    match = game.new()  # whatever a table does, so that nobody waits for it there
    match.play(match.legal()[0])
    match.view(match.movers()[0])
