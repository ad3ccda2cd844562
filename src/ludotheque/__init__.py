"""Ludothèque: table games on one fast engine, to play, record, replay, simulate and learn.

Importing this package loads neither NumPy nor Numba: that waits until a game, or one of the classes, is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludotheque.core.errors import (
    BrokenGame,
    GameWarning,
    IllegalMove,
    InvalidMove,
    InvalidOptions,
    InvalidPosition,
    InvalidRecord,
    LudothequeError,
    MatchOver,
    UnknownGame,
)
from ludotheque.core.registry import ids as game_ids
from ludotheque.core.registry import register

if TYPE_CHECKING:
    from ludotheque.bots.bot import Bot, Candidate, Thought
    from ludotheque.bots.budget import Budget
    from ludotheque.core.arena import Arena
    from ludotheque.core.game import Game
    from ludotheque.core.info import Options
    from ludotheque.core.match import Match
    from ludotheque.core.moves import Move
    from ludotheque.core.pad import Pad
    from ludotheque.core.pad_entry import InvalidEntry
    from ludotheque.core.records import Record, Verdict
    from ludotheque.games.typed import game  # knows every game's options
else:
    from ludotheque.core.registry import load as game

__version__ = "0.1.0"

__all__ = [
    "Arena",
    "Bot",
    "BrokenGame",
    "Budget",
    "Candidate",
    "Game",
    "GameWarning",
    "IllegalMove",
    "InvalidEntry",
    "InvalidMove",
    "InvalidOptions",
    "InvalidPosition",
    "InvalidRecord",
    "LudothequeError",
    "Match",
    "MatchOver",
    "Move",
    "Options",
    "Pad",
    "Record",
    "Thought",
    "UnknownGame",
    "Verdict",
    "__version__",
    "bot",
    "game",
    "game_ids",
    "pad",
    "register",
    "replay",
    "verify",
]

_FROM = {
    "Arena": "core.arena",
    "Bot": "bots.bot",
    "Budget": "bots.budget",
    "Candidate": "bots.bot",
    "Game": "core.game",
    "InvalidEntry": "core.pad_entry",
    "Match": "core.match",
    "Move": "core.moves",
    "Options": "core.info",
    "Pad": "core.pad",
    "Record": "core.records",
    "Thought": "bots.bot",
    "Verdict": "core.records",
}
"""Where the classes come from that are loaded when they are first asked for."""

if not TYPE_CHECKING:  # for a type checker this would make every name a good one

    def __getattr__(name: str) -> Any:
        if name not in _FROM:
            text = f"module 'ludotheque' has no attribute {name!r}"
            raise AttributeError(text, name=name, obj=import_module(__name__))  # Python adds what is near
        found = globals()[name] = getattr(import_module(f"ludotheque.{_FROM[name]}"), name)
        return found


def __dir__() -> list[str]:
    return sorted(__all__)


def bot(game: str, level: str, seed: int | str | None = None) -> Bot:
    """A bot of a game.

    Args:
        game: The id of the game.
        level: `beginner`, `casual`, `club`, `strong` or `expert`.
        seed: The same seed makes the same choices.

    Raises:
        UnknownGame: If there is no such game.
        InvalidOptions: If there is no such level.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("lobo77").new(3, seed=1)
        >>> bot = ludotheque.bot("lobo77", "club", seed=1)
        >>> match.play(bot.choose(match))
    """
    from ludotheque.bots.ladder import make_bot

    return make_bot(game, level, seed)


def pad(game: str, names: int | Sequence[str], **options: Any) -> Pad:
    """An empty score sheet for a real table.

    Args:
        game: The id of the game.
        names: The players' names, clockwise; or their number.
        **options: The game's options; `first` is the seat that deals first, or begins, and is drawn by lot without it.

    Raises:
        UnknownGame: If there is no such game.
        InvalidOptions: If the game has no pad, or does not take the options or the number of players.

    Examples:
        >>> import ludotheque
        >>> pad = ludotheque.pad("loba", ["Ann", "Ben", "Cleo"], first=0)
        >>> pad.enter({"points": [0, 25, 40]}).totals
        [0, 25, 40]
    """
    from ludotheque.core.pad import new_pad

    return new_pad(game, names, **options)


def replay(record: Any, key: bytes | None = None) -> Match:
    """The match that a record tells, played again move by move.

    Args:
        record: What `Match.record` wrote, as a dictionary.
        key: The key of the deal, 32 bytes: needed for one seat's own record, which does not say it.

    Raises:
        InvalidRecord: If the record is cut short, edited, or of other rules.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("lobo77").new(3, seed=1)
        >>> match.play(match.legal()[0])
        >>> ludotheque.replay(match.record()).to_bytes() == match.to_bytes()
        True
    """
    from ludotheque.core.records import read_record

    return read_record(record, key)


def verify(record: Any, key: bytes | None = None) -> Verdict:
    """Deal and play a record again and say whether everything in it is true.

    Args:
        record: What `Match.record` wrote, as a dictionary.
        key: The key of the deal, 32 bytes: needed for one seat's own record, which does not say it.

    Raises:
        InvalidRecord: If it is no record, or cannot be played.

    Examples:
        >>> import ludotheque
        >>> record = ludotheque.game("lobo77").new(3, seed=1).record()
        >>> ludotheque.verify(record).true
        True
        >>> record["commitment"] = "0" * 64
        >>> ludotheque.verify(record).true
        False
    """
    from ludotheque.core.records import verify as check

    return check(record, key)
