"""What is known of a game without loading its rules: its name, texts and options. It needs neither NumPy nor Numba."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ludotheque.core import registry
from ludotheque.core.pages import game_name, rules_page
from ludotheque.core.texts import Catalogue, catalogue

if TYPE_CHECKING:
    from ludotheque.core.info import Option


@dataclass(frozen=True)
class GameWords:
    """What a screen or a command says about a game."""

    id: str
    folder: Path

    @property
    def name(self) -> str:
        """Its name on the box: the title of its rules page."""
        return game_name(self.id)

    def catalogue(self, lang: str) -> Catalogue:
        """The game's messages."""
        return catalogue(self.folder, lang)

    def rules(self, lang: str) -> str:
        """The rules page, in Markdown."""
        return rules_page(self.folder, lang)

    @property
    def options(self) -> tuple[Option, ...]:
        """What a table may choose: `OPTIONS` in the game's `options.py`. Without that file the rules are asked."""
        module = f"{registry.package(self.id)}.options"
        if find_spec(module) is None:
            return registry.load(self.id).info.options
        declared: tuple[Option, ...] = import_module(module).OPTIONS
        return declared


@cache
def game_words(game_id: str) -> GameWords:
    """The words of a game."""
    return GameWords(game_id, registry.folder(game_id) / "texts")
