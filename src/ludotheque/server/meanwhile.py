"""Playing before a game is compiled: the same rules, interpreted, which is fast enough for people.

That way nobody waits for the compiler. What was begun interpreted goes on compiled as soon as it can: both compute the
same, to the byte. Bots do not search until then, which would take too long: those that would play as the club's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from ludotheque.bots import kernels as bot_templates
from ludotheque.bots.bot import Bot
from ludotheque.bots.ladder import levels
from ludotheque.core import kernels as templates
from ludotheque.core import warm
from ludotheque.core.game import Game
from ludotheque.core.jit import plain, set_plain
from ludotheque.core.ladder import RULES, Level

ANYTHING = Level(temperature=1e9, cap=1e9)
"""Whoever plays at random finds all moves as good."""
CLUB = "club"

_begun: set[str] = set()
"""The games that somebody wanted before they were compiled."""
_compiled: set[str] = set()
"""The games whose compiled rules have been loaded."""


@cache
def begin(game: Game) -> None:
    """Play a game interpreted until `end`; matches that have begun by then change over too."""
    warm.excuse(game.id)
    _begun.add(game.id)
    interpreted = _interpreted(game, game.kernels, templates.ENTRIES)
    doors = {name: _door(game.id, slow, getattr(game.kernels, name)) for name, slow in interpreted.items()}
    game.kernels = SimpleNamespace(**{**vars(game.kernels), **doors})


def end(game: Game) -> None:
    """The game's rules are compiled now."""
    _compiled.add(game.id)


def lacks_bots(game: Game) -> bool:
    """Whether its bots are not compiled yet, and nobody waits for them."""
    return game.id in _begun and not all(warm.is_warm(game.id, purpose) for purpose in (warm.PLAY, bot_templates.THINK))


def _door(game_id: str, slow: Callable[..., Any], fast: Callable[..., Any]) -> Callable[..., Any]:
    def door(*given: Any) -> Any:
        return (fast if game_id in _compiled else slow)(*given)

    return door


def _interpreted(game: Game, kernels: SimpleNamespace, entries: Sequence[templates.Template]) -> dict[str, Any]:
    """Entries that run without being compiled; they read records as Python does."""
    set_plain(kernels.record, game.read)
    return {entry.__name__: plain(getattr(kernels, entry.__name__)) for entry in entries}


class Interim(Bot):
    """What plays for a level of the ladder, on interpreted rules. Reasons would take a search."""

    explains = False

    def __init__(self, game: Game, name: str) -> None:
        ladder = levels(game)
        level = ladder.get(name, ANYTHING)
        super().__init__(game, name, level if level.way == RULES else ladder[CLUB])
        entries = (bot_templates.ratings, bot_templates.impulse)
        self._kernels = SimpleNamespace(**_interpreted(game, self._kernels, entries))


@cache
def interim(game: Game, name: str) -> Bot:
    """The bot that plays for one of a level until that is compiled."""
    return Interim(game, name)
