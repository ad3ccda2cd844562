"""What can go wrong, as a caller may want to tell it apart. Everything is a `LudothequeError`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class LudothequeError(Exception):
    """Base of every error this package raises on purpose.

    Examples:
        >>> import ludotheque
        >>> try:
        ...     ludotheque.bot("skipbo", "godlike")
        ... except ludotheque.LudothequeError as error:
        ...     print(type(error).__name__)
        InvalidOptions
    """

    said: tuple[str, Mapping[str, Any]] | None = None
    """The message's key under `errors` in the shared texts, and what fills it, if every language has it."""


class UnknownGame(LudothequeError):
    """No game is registered under that id.

    Examples:
        >>> import ludotheque
        >>> try:
        ...     ludotheque.game("skipboo")
        ... except ludotheque.UnknownGame as error:
        ...     print(error)
        no game 'skipboo'; there are: ...; did you mean skipbo?
    """


class BrokenGame(LudothequeError):
    """A game, mostly one of another package, that cannot be loaded.

    Examples:
        >>> import ludotheque
        >>> for game_id in ludotheque.game_ids():
        ...     try:
        ...         game = ludotheque.game(game_id)
        ...     except ludotheque.BrokenGame as error:
        ...         print(error)  # which one, of which package, and why
    """


class GameWarning(UserWarning):
    """A game of another package that was left out.

    Examples:
        >>> import warnings
        >>> import ludotheque
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("error", ludotheque.GameWarning)  # rather fail than go on without a game
        ...     games = ludotheque.game_ids()
    """

    said: tuple[str, Mapping[str, Any]]
    """The message's key under `errors` in the shared texts, and what fills it."""


class InvalidOptions(LudothequeError):
    """An option, a number of players or a seed that the game does not take.

    Examples:
        >>> import ludotheque
        >>> try:
        ...     ludotheque.game("lobo77").new(9)
        ... except ludotheque.InvalidOptions as error:
        ...     print(error)
        LOBO 77 is for 2 to 8 players, not 9
    """


class InvalidPosition(LudothequeError):
    """A position that cannot be: cards too many or too few, a phase without its facts, unknown keys.

    Examples:
        >>> import ludotheque
        >>> try:
        ...     ludotheque.game("lobo77").position({"players": 2, "table": {"total": "much"}})
        ... except ludotheque.InvalidPosition as error:
        ...     print(error)
        table.total must be of type int, not 'much'
    """


class InvalidRecord(LudothequeError):
    """A record that is cut short, edited, or of another kind.

    Examples:
        >>> import ludotheque
        >>> try:
        ...     ludotheque.replay({"game": "lobo77"})
        ... except ludotheque.InvalidRecord as error:
        ...     print(error)
        the record lacks 'commitment'; it may have been cut short
    """


class InvalidMove(LudothequeError):
    """Text or a number that is no move of the game at all. `rule` is the number of the rule that says so, if one does.

    Examples:
        >>> import ludotheque
        >>> try:
        ...     ludotheque.game("lobo77").new(2, seed=1).play("castle")
        ... except ludotheque.InvalidMove as error:
        ...     print(error)
        'castle' is not a move: a card such as 7, 44, -10, 0, 2x or rev, or draw
    """

    def __init__(self, message: str, rule: str = "", key: str = "", params: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        """The rule that it breaks whatever the position; empty if none is to blame."""
        self.key = key
        """The message's key in the game's catalogue, if it can be said in every language."""
        self.params: Mapping[str, Any] = params or {}
        """What the message's template is filled with."""


class IllegalMove(LudothequeError):
    """A move of the game that is not allowed now. `rule` is its number in the rules page, if one says so.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("double_lucky_7").new(2, seed=1)
        >>> try:
        ...     match.play("R2")
        ... except ludotheque.IllegalMove as error:
        ...     print(error, error.rule)
        Everyone bids before the first card is played. [D6] D6
    """

    def __init__(self, message: str, rule: str = "", key: str = "", params: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        """The rule that forbids it, such as `D9`; empty if none is to blame (a card not in the hand)."""
        self.key = key
        """The message's key in the game's catalogue, for saying it in another language."""
        self.params: Mapping[str, Any] = params or {}
        """What the message's template is filled with."""


class MatchOver(LudothequeError):
    """A move after the end of the match.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("volle_lotte").new(2, seed=1, target=1000)
        >>> while not match.over:
        ...     match.play(match.legal()[-1])
        >>> try:
        ...     match.play("roll")
        ... except ludotheque.MatchOver as error:
        ...     print(error)
        The match is over.
    """
