"""Refusals: why something was not done, for programs (a code) and for people (a sentence in their language)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludotheque.core.errors import IllegalMove, InvalidMove, LudothequeError
from ludotheque.core.match import Match
from ludotheque.core.pad import Pad
from ludotheque.core.pad_entry import InvalidEntry, Question
from ludotheque.core.texts import Catalogue, catalogue, error_text

TEXTS = Path(__file__).resolve().parent.parent / "texts"


def words(lang: str) -> Catalogue:
    """The room's own messages."""
    return catalogue(TEXTS, lang)


class Refusal(LudothequeError):
    """Something was refused; nothing has changed. `code` is a key under `refused` in the room's texts."""

    def __init__(
        self, code: str, params: Mapping[str, Any] | None = None, cause: LudothequeError | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.params = params or {}
        self.cause = cause
        """The game's own error, which says it better."""

    @property
    def rule(self) -> str | None:
        """The number of the rule that forbids it."""
        return self.cause.rule or None if isinstance(self.cause, IllegalMove | InvalidMove) else None

    @property
    def field(self) -> str | None:
        """Of an entry on a pad: the field that it is about,"""
        return self.cause.field or None if isinstance(self.cause, InvalidEntry) else None

    @property
    def seats(self) -> list[int]:
        """and whose values."""
        return self.cause.seats if isinstance(self.cause, InvalidEntry) else []

    @property
    def question(self) -> str | None:
        """The key under which it can be confirmed."""
        return None

    def say(self, lang: str, subject: Match | Pad | None = None) -> str:
        """The sentence. A refusal of the game's needs the match or pad it is about."""
        if isinstance(self.cause, IllegalMove) and subject is not None:
            return subject.refusal_text(self.cause, lang)
        if isinstance(self.cause, InvalidMove) and self.cause.key and isinstance(subject, Match):
            return subject.refusal_text(self.cause, lang)
        params = self.params
        if self.cause is not None:
            params = {**params, "reason": error_text(self.cause, lang)}
        return words(lang).say(f"refused.{self.code}", params)


class Doubt(Refusal):
    """An entry can be but hardly is: it is asked about first, and written if that is confirmed."""

    def __init__(self, asked: Question) -> None:
        super().__init__("doubtful")
        self.asked = asked

    @property
    def field(self) -> str | None:
        """See `Refusal.field`."""
        return self.asked.field or None

    @property
    def seats(self) -> list[int]:
        """See `Refusal.seats`."""
        return self.asked.seats

    @property
    def question(self) -> str | None:
        """See `Refusal.question`."""
        return self.asked.key

    def say(self, lang: str, subject: Match | Pad | None = None) -> str:
        """See `Refusal.say`."""
        return subject.question_text(self.asked, lang) if isinstance(subject, Pad) else super().say(lang)
