"""Who sits down with people: the bot that was asked for, or one that stands in until its search is compiled."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ludotheque.bots.bot import Bot
from ludotheque.bots.ladder import RANDOM, levels, make_player
from ludotheque.bots.searches import THINK
from ludotheque.core import warm
from ludotheque.core.game import Game
from ludotheque.core.jit import COMPILED
from ludotheque.core.ladder import RULES

CLUB = "club"
"""The level that those who would search play at."""


class StandIn(Bot):
    """Plays for a level on interpreted rules, without a search. Reasons would take one."""

    explains = False

    def __init__(self, game: Game, name: str, seed: int | str | None = None) -> None:
        ladder = levels(game)
        level = ladder[name]
        super().__init__(game, name, level if level.way == RULES else ladder[CLUB], seed)

    def _identity(self) -> tuple[Any, ...]:
        return self.game, self.name, self.seed


def can_search(game: Game) -> bool:
    """Whether the bots of a game are compiled, so that their searches take seconds and not minutes."""
    return COMPILED and warm.is_warm(game.id, THINK)


def player(game: Game, name: str, seed: int | str | None = None) -> Bot:
    """A bot that people need not wait for: a level, or `random`. Threads share it. To be asked for at every move."""
    return _make_player(game, name, seed) if name == RANDOM or can_search(game) else _stand_in(game, name, seed)


_make_player = lru_cache(256)(make_player)
_stand_in = lru_cache(256)(StandIn)
