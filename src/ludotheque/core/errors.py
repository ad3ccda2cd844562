"""What can go wrong, as a caller may want to tell it apart. Everything is a `LudothequeError`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class LudothequeError(Exception):
    """Base of every error this package raises on purpose."""

    said: tuple[str, Mapping[str, Any]] | None = None
    """The message's key under `errors` in the shared texts, and what fills it, if every language has it."""


class UnknownGame(LudothequeError):
    """No game is registered under that id."""


class InvalidOptions(LudothequeError):
    """An option, a number of players or a seed that the game does not take."""


class InvalidPosition(LudothequeError):
    """A position that cannot be: cards too many or too few, a phase without its facts, unknown keys."""


class InvalidRecord(LudothequeError):
    """A record that is cut short, edited, or of another kind."""


class InvalidMove(LudothequeError):
    """Text or a number that is no move of the game at all."""


class IllegalMove(LudothequeError):
    """A move of the game that is not allowed now. `rule` is its number in the rules page, if one says so."""

    def __init__(self, message: str, rule: str = "", key: str = "", params: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        """The rule that forbids it, such as `D9`; empty if none is to blame (a card not in the hand)."""
        self.key = key
        """The message's key in the game's catalogue, for saying it in another language."""
        self.params: Mapping[str, Any] = params or {}
        """What the message's template is filled with."""


class MatchOver(LudothequeError):
    """A move after the end of the match."""
