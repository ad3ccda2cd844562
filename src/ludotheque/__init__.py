"""Ludothèque: LOBO 77, Loba, Skip-Bo De Luxe, Volle Lotte! and Double Lucky 7 on one fast engine.

Importing this package loads neither NumPy nor Numba: that waits until a game is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludotheque import games as _games
from ludotheque.core.errors import (
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
from ludotheque.core.registry import load as game
from ludotheque.core.registry import register

if TYPE_CHECKING:
    from ludotheque.bots.bot import Bot
    from ludotheque.core.match import Match
    from ludotheque.core.pad import Pad
    from ludotheque.core.records import Verdict

__version__ = "0.1.0"

__all__ = [
    "IllegalMove",
    "InvalidMove",
    "InvalidOptions",
    "InvalidPosition",
    "InvalidRecord",
    "LudothequeError",
    "MatchOver",
    "UnknownGame",
    "bot",
    "game",
    "game_ids",
    "pad",
    "register",
    "replay",
    "verify",
]

_games.register_all()


def bot(game: str, level: str, seed: int | str | None = None) -> Bot:
    """A bot: level beginner, casual, club, strong or expert. The same seed makes the same choices."""
    from ludotheque.bots.ladder import make_bot

    return make_bot(game, level, seed)


def pad(game: str, names: int | Sequence[str], **options: Any) -> Pad:
    """An empty score pad for a real table. `first` among the options is the seat that deals first, or begins."""
    from ludotheque.core.pad import new_pad

    return new_pad(game, names, **options)


def replay(record: Any, key: bytes | None = None) -> Match:
    """The match that a record tells, played again; a seat's own record needs the key of the deal as well."""
    from ludotheque.core.records import read_record

    return read_record(record, key)


def verify(record: Any, key: bytes | None = None) -> Verdict:
    """Deal and play a record again and say whether everything in it is true."""
    from ludotheque.core.records import verify as check

    return check(record, key)
