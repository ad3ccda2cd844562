"""The words of the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludotheque.core.texts import Catalogue, catalogue

TEXTS = Path(__file__).resolve().parent / "texts"


def texts(lang: str) -> Catalogue:
    """The words of the terminal in a language."""
    return catalogue(TEXTS, lang)


def say(lang: str, key: str, params: Mapping[str, Any] | None = None, names: Sequence[str] = ()) -> str:
    """A message of the terminal's own."""
    return texts(lang).say(key, params, names)
