"""Observations in words, for language models: the table as a seat sees it, what happened, and its moves in notation."""

from __future__ import annotations

from pathlib import Path

from ludotheque.core.match import Match
from ludotheque.core.texts import catalogue

_TEXTS = Path(__file__).with_name("texts")

WAIT = "wait"
"""The notation for doing nothing where a seat is asked out of turn."""


def describe(match: Match, seat: int, lang: str = "en", asked: bool | None = None, may_wait: bool = False) -> str:
    """What a seat may know, and its moves, if it is asked: unless said otherwise, if it has any."""
    words = catalogue(_TEXTS, lang)
    view = match.view(seat, lang)
    said = [words.say("text.game", {"name": match.game.info.name, "seat": seat}, match.names), ""]
    news = _news(match, seat, lang)
    if news:
        said += [words.say("text.since"), *news, ""]
    said += [*match.game.views.lines(view, match.game.catalogue(lang)), ""]
    if match.over:
        winners = ", ".join(match.names[winner] for winner in match.ranking[0])
        said.append(words.say("text.over", {"winners": winners}))
    elif view["legal"] and asked is not False:
        said.append(words.say("text.moves"))
        said += [f"{move['move']}: {move['label']}" for move in view["legal"]]
        if may_wait:
            said.append(f"{WAIT}: {words.say('text.wait')}")
    else:
        said.append(words.say("text.not_asked"))
    return "\n".join(said)


def _news(match: Match, seat: int, lang: str) -> list[str]:
    """What the seat saw happen since it last moved, in sentences; since the deal if it has not."""
    last = max((number for number, (who, _) in enumerate(match.moves, 1) if who == seat), default=0)
    return [match.sentence(event, lang) for step in match.events(seat)[last:] for event in step]
