"""The words of the terminal, and those of a game without loading the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludotheque.core.pages import rules_page
from ludotheque.core.registry import check_id, package
from ludotheque.core.texts import Catalogue, catalogue

TEXTS = Path(__file__).resolve().parent / "texts"


def texts(lang: str) -> Catalogue:
    """The words of the terminal in a language."""
    return catalogue(TEXTS, lang)


def say(lang: str, key: str, params: Mapping[str, Any] | None = None, names: Sequence[str] = ()) -> str:
    """A message of the terminal's own."""
    return texts(lang).say(key, params, names)


@dataclass(frozen=True)
class GameWords:
    """What a screen says about a game. It needs neither NumPy nor Numba."""

    id: str
    folder: Path

    @property
    def name(self) -> str:
        """Its name on the box: the title of its rules page."""
        return self.rules("en").partition("\n")[0].removeprefix("#").strip()

    def catalogue(self, lang: str) -> Catalogue:
        """The game's messages."""
        return catalogue(self.folder, lang)

    def rules(self, lang: str) -> str:
        """The rules page, in Markdown."""
        return rules_page(self.folder, lang)


@cache
def game_words(game_id: str) -> GameWords:
    """The words of a game."""
    spec = find_spec(package(check_id(game_id)))
    assert spec is not None and spec.origin is not None
    return GameWords(game_id, Path(spec.origin).parent / "texts")
