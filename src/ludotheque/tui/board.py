"""What the screens of the games have in common: a game's own file draws its table from the view, and knows no rule."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ludotheque.core.registry import package
from ludotheque.core.texts import Catalogue
from ludotheque.core.words import game_words
from ludotheque.tui.canvas import Canvas, wrap
from ludotheque.tui.palette import TEXT
from ludotheque.tui.pieces import Moves
from ludotheque.tui.words import texts

View = dict[str, Any]


class Board:
    """A game's table on the screen. A game's file defines a `Screen` made from this."""

    def __init__(self, game_id: str, lang: str) -> None:
        self.game_id = game_id
        self.words: Catalogue = game_words(game_id).catalogue(lang)
        """The game's own words."""
        self.own: Catalogue = texts(lang)
        """The words of the terminal."""

    def say(self, key: str, params: Mapping[str, Any] | None = None, view: View | None = None) -> str:
        """A message of the game's own screens."""
        return self.words.say(f"screen.{key}", params, view["players"] if view else ())

    def label(self, key: str) -> str:
        """A word over a pile or a column."""
        return self.own.say(f"board.{key}")

    def heading(self, view: View) -> str:
        """What stands over the table: the round, and what is special about it."""
        return self.lines(view)[0]

    def draw(self, c: Canvas, view: View) -> None:
        """Draw the table."""
        line = 1
        for text in self.lines(view)[1:]:
            for part in wrap(text, c.width - 2, "  "):
                c.put(1, line, part, TEXT)
                line += 1

    def details(self, view: View) -> dict[str, str]:
        """What else is worth knowing about a move, by notation."""
        return {}

    def lines(self, view: View) -> list[str]:
        """The table as the plain prompt shows it, for a game without a screen of its own."""
        views = import_module(f"{package(self.game_id)}.view")
        lines: list[str] = views.lines(view, self.words)
        return lines


def board(game_id: str, lang: str) -> Board:
    """The screen of a game in a language."""
    name = f"ludotheque.tui.games.{game_id}"
    if find_spec(name) is None:
        return Board(game_id, lang)
    screen: Board = import_module(name).Screen(game_id, lang)
    return screen


def legal(view: View, text: str = "", begins: str = "", ends: str = "", word: str = "") -> Moves:
    """The legal moves in notation that are a text, begin or end so, or have a word."""
    return tuple(
        move["move"]
        for move in view["legal"]
        if move["move"] == text
        or (begins and move["move"].startswith(begins))
        or (ends and move["move"].endswith(ends))
        or (word and word in move["move"].split())
    )


def marks(view: View, dealer: int | None = None) -> list[str]:
    """Whose turn it is, and who deals, as two characters for each seat."""
    return [
        ("▸" if seat == view["actor"] else " ") + ("D" if seat == dealer else " ")
        for seat in range(len(view["players"]))
    ]
