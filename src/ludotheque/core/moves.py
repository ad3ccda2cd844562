"""Moves as text: one canonical spelling per action id, and everything people type instead."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from ludotheque.core.errors import InvalidMove


def fold(text: str) -> str:
    """Text as people type it, made comparable: case, accents, spaces and kinds of dashes do not matter."""
    plain = unicodedata.normalize("NFKD", text.strip().lower().replace("\N{MINUS SIGN}", "-"))
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


class MoveTable:
    """The moves of a game whose every action has one fixed text."""

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
