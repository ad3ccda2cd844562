"""Moves: what people and programs hold, one canonical spelling per action id, and everything people type instead.

A game's `notation.py` has a `MoveTable`, which knows texts and action ids. `Game.moves` makes `Move`s of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from ludotheque.core.errors import InvalidMove
from ludotheque.core.texts import worded

if TYPE_CHECKING:
    from ludotheque.core.game import Game


def fold(text: str) -> str:
    """Text as people type it, made comparable: case, accents, spaces and kinds of dashes do not matter."""
    plain = unicodedata.normalize("NFKD", text.strip().lower().replace("\N{MINUS SIGN}", "-"))
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


class Move(str):
    """A move of a game. It is its notation, a string, and knows its action id besides.

    `match.legal`, `bot.choose`, `match.moves` and all others give these, and there is one for each action of a game:
    `game.move("S>1")` or `game.moves[4]`.

    Examples:
        >>> import ludotheque
        >>> move = ludotheque.game("lobo77").move("REV")
        >>> move == "rev", move.id, move.label("fr")
        (True, 19, 'Jouer un changement de sens')
    """

    __slots__ = ("game", "id")

    game: str
    """The id of the game whose move it is."""
    id: int
    """The action id: the place of the move in masks and other arrays."""

    def __new__(cls, text: str, game: str, action: int) -> Move:
        move = super().__new__(cls, text)
        move.game, move.id = game, action
        return move

    def label(self, lang: str = "en") -> str:
        """What a button for the move says: `Play 7 on pile 2`."""
        from ludotheque.core.registry import load

        game = load(self.game)
        key, params = game.views.label(self.id)
        return game.catalogue(lang).say(f"moves.{key}", params)

    def __reduce__(self) -> tuple[Any, ...]:
        from ludotheque.core.registry import load

        return _again, (load(self.game), str(self))  # by its text, which outlives a change of the ids


def _again(game: Game, text: str) -> Move:
    return game.moves.parse(text)


class MoveTable:
    """The texts of a game whose every action has one fixed text, by action id."""

    def __init__(self, texts: Sequence[str], aliases: Mapping[str, str] | None = None) -> None:
        self.texts = tuple(texts)
        """The canonical text of each action id."""
        self._exact = {text: action for action, text in enumerate(self.texts)}
        self._folded = {fold(text): action for text, action in self._exact.items()}
        for other, text in (aliases or {}).items():
            self._folded.setdefault(fold(other), self._exact[text])
        assert len(self._exact) == len(self.texts), "two actions with the same text"

    def parse(self, text: str) -> int:
        """The action id of a text; `InvalidMove` if it is none."""
        action = self._exact.get(text)
        if action is None:
            action = self._folded.get(fold(text))
            if action is None:
                raise InvalidMove(f"{text!r} is not a move of this game")
        return action


class Moves(Sequence[Move]):
    """All moves of a game by action id, each made when it is first asked for."""

    def __init__(self, game: str, table: MoveTable) -> None:
        self.game = game
        """The game's id."""
        self.texts = table.texts
        """The notation of each action id."""
        self.made = _Made(game, table.texts)
        """The moves by action id, for loops: faster than `moves[action]`."""
        self.played = _Played(self.made)
        """Seats and their moves, by seat and action id: the same pairs are in the lists of thousands of matches."""
        self._parse = table.parse
        self._spelt: dict[str, Move] = {}  # by notation, those that were read

    def __repr__(self) -> str:
        return f"<{len(self)} moves of {self.game}>"

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, action: int) -> Move: ...
    @overload
    def __getitem__(self, action: slice) -> list[Move]: ...
    def __getitem__(self, action: int | slice) -> Move | list[Move]:
        """The move of an action id."""
        if isinstance(action, slice):
            return [self.made[place] for place in range(len(self))[action]]
        return self.made[action]

    def __contains__(self, move: object) -> bool:
        return isinstance(move, str) and move in self.texts

    def parse(self, text: str) -> Move:
        """The move that a text is, in any spelling; `InvalidMove` if it is none, or a move of another game."""
        if type(text) is str:
            found = self._spelt.get(text)
            if found is None:
                found = self.made[self._parse(text)]
                self._spelt[str(found)] = found
            return found
        if type(text) is Move:
            if text.game != self.game:
                raise worded(InvalidMove, "move.other_game", move=text, game=text.game, own=self.game)
            return text
        if isinstance(text, str):
            return self.parse(str(text))
        raise worded(InvalidMove, "move.text", move=f"{text!r:.80}")


class _Made(dict[int, Move]):
    """Moves by action id."""

    def __init__(self, game: str, texts: Sequence[str]) -> None:
        super().__init__()
        self._game = game
        self._texts = texts

    def __missing__(self, action: int) -> Move:
        place = range(len(self._texts))[action]  # what a list would take: -1 is the last
        return self.setdefault(place, Move(self._texts[place], self._game, place))


class _Played(dict[tuple[int, int], tuple[int, Move]]):
    """Seats and their moves, by seat and action id."""

    def __init__(self, made: _Made) -> None:
        super().__init__()
        self._made = made

    def __missing__(self, played: tuple[int, int]) -> tuple[int, Move]:
        seat, action = played
        return self.setdefault(played, (seat, self._made[action]))
