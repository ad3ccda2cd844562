"""Which bots there are: five levels of every game, and a few for measuring that no table offers."""

from __future__ import annotations

from dataclasses import replace

from ludotheque.bots import searches as templates
from ludotheque.bots.bot import Bot
from ludotheque.bots.cheater import Cheater
from ludotheque.bots.outside import is_outside, load_bot
from ludotheque.bots.random import RandomBot
from ludotheque.core import registry, warm
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.game import Game
from ludotheque.core.ladder import LEVELS, TREE, Level
from ludotheque.core.texts import nearest, worded

RANDOM, CLUB, CHEATER = "random", "club", "cheater"

PLAYABLE = (*LEVELS, RANDOM)
"""Who may sit down with people."""


def levels(game: Game) -> dict[str, Level]:
    """The ladder of a game from weak to strong."""
    hooks = templates.hooks(game)
    return getattr(hooks, "LADDER", None) or {name: Level() for name in LEVELS}


def extras(game: Game) -> dict[str, Level]:
    """Bots of a game that are there to measure against."""
    return getattr(templates.hooks(game), "EXTRAS", {})


def cheater_level(game: Game) -> Level:
    """How the cheater searches: as the game says, or by a tree over what the expert would look at."""
    own: Level | None = getattr(templates.hooks(game), "CHEATER", None)
    return own or replace(levels(game)["expert"], way=TREE, playouts=2000, rounds=1, exploration=0.3, ties=0.0)


def make_bot(game: str | Game, level: str, seed: int | str | None = None) -> Bot:
    """A bot of a level that tables offer."""
    loaded = registry.load(game) if isinstance(game, str) else game
    ladder = levels(loaded)
    if level not in ladder:
        near = nearest(level, ladder)
        raise worded(InvalidOptions, "level", level=f"{level!r:.40}", levels=", ".join(ladder), near=near)
    return Bot(loaded, level, ladder[level], seed)


def make_player(game: Game, name: str, seed: int | str | None = None) -> Bot:
    """A bot to sit down with people: a level, or `random`."""
    return RandomBot(game, name, Level(), seed) if name == RANDOM else make_bot(game, name, seed)


def make_contestant(game: Game, name: str, seed: int | str | None = None) -> Bot:
    """A bot for a tournament: any level, `random`, the game's extras, the `cheater`, who sees everything, or
    one from outside, named `file.py:NAME` or `module:NAME`. Tournaments are no place for interpreted rules: what is
    not compiled yet is compiled first.
    """
    for purpose in (warm.PLAY, templates.THINK):
        warm.ensure(game.id, purpose)
    if is_outside(name):
        return load_bot(game, name, seed)
    if name == CHEATER:
        return Cheater(game, name, cheater_level(game), seed)
    if name == RANDOM:
        return make_player(game, name, seed)
    known = {**levels(game), **extras(game)}
    if name not in known:
        names = [*known, RANDOM, CHEATER]
        raise worded(InvalidOptions, "bot", name=f"{name!r:.40}", names=", ".join(names), near=nearest(name, names))
    return Bot(game, name, known[name], seed)
