"""Observations in words, for language models: the table as a seat sees it, what happened, and its moves in notation."""

from __future__ import annotations

from pathlib import Path

from ludotheque.core.game import Game
from ludotheque.core.match import Match, check_names
from ludotheque.core.record import Buffer
from ludotheque.core.texts import catalogue

_TEXTS = Path(__file__).with_name("texts")

WAIT = "wait"
"""The notation for doing nothing where a seat is asked out of turn."""


def describe(match: Match, seat: int, lang: str = "en", asked: bool | None = None, may_wait: bool = False) -> str:
    """What a seat may know, in words, and its moves if it is asked.

    Args:
        match: The match.
        seat: The seat that looks.
        lang: `en` or `fr`.
        asked: Whether the moves are listed; None: if the seat has any.
        may_wait: Whether waiting is listed among them.

    Returns:
        What happened since the seat last moved, the table as it sees it, and its moves in notation.

    Raises:
        InvalidMove: If there is no such seat.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.rl.text import describe
        >>> match = ludotheque.game("double_lucky_7").new(2, seed=1)
        >>> print(describe(match, match.actor).splitlines()[-1])
        bid 1: Bid 1 trick
    """
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


def describe_record(game: Game, record: Buffer, seat: int, lang: str = "en") -> str:
    """What a seat may know, in words, out of the record that a bot from outside is given.

    A record has no history: of what happened it tells the last move. Players have no names in it.

    Args:
        game: The game.
        record: A record concealed for the seat.
        seat: The seat that looks.
        lang: `en` or `fr`.

    Returns:
        The same as `describe`.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.rl.text import describe_record
        >>> match = ludotheque.game("double_lucky_7").new(2, seed=1)
        >>> record = match.concealed(match.actor)
        >>> print(describe_record(match.game, record, match.actor).splitlines()[-1])
        bid 1: Bid 1 trick
    """
    players = int(record.view(game.info.state)["num_seats"][0])
    return describe(Match(game, check_names(players), game.options(players, {}), record, None), seat, lang)


def _news(match: Match, seat: int, lang: str) -> list[str]:
    """What the seat saw happen since it last moved, in sentences; since the deal if it has not."""
    last = max((number for number, (who, _) in enumerate(match.moves, 1) if who == seat), default=0)
    return [match.sentence(event, lang) for step in match.events(seat)[last:] for event in step]
