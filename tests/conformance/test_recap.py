"""What is told of rounds and of a match that is over, in every game and both languages."""

from __future__ import annotations

from functools import cache

import pytest

import ludotheque
from ludotheque import testing
from ludotheque.core.match import Match
from ludotheque.core.recap import tell_ending, tell_rounds
from ludotheque.core.texts import LANGUAGES
from tests.wording import notation

GAMES = ludotheque.game_ids()


@cache
def finished(game_id: str, corner: int) -> Match:
    """A match in which somebody always plays some legal move."""
    match = testing.corners(ludotheque.game(game_id))[corner].new(7)
    turn = 0
    while not match.over:
        legal = match.legal()
        match.play(legal[7 * turn % len(legal)])
        turn += 1
    return match


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("corner", range(2))
@pytest.mark.parametrize("game_id", GAMES)
def test_everybody_is_told_why_and_how_it_went(game_id: str, corner: int, lang: str) -> None:
    match = finished(game_id, corner)
    rounds = tell_rounds(match, None, lang)
    assert [one.points for one in rounds] == [event["points"] for event in match.rounds()]
    assert all(str(one.number) in one.title for one in rounds)
    assert any(one.reasons[seat] for one in rounds for seat in range(match.num_seats))
    ending = tell_ending(match, lang)
    assert ending is not None
    assert all(name in ending.places for name in match.names)
    assert len(ending.results) == match.num_seats and all(ending.results) and ending.luck
    assert bool(ending.decided) == (len(rounds) > 1 and len(match.ranking) > 1)
    said = [ending.places, ending.decided, *ending.results, *ending.best, *ending.worst, *ending.luck]
    said += [reason for one in rounds for reason in one.reasons]
    assert not [text for text in said if notation(match.game).search(text)]


@pytest.mark.parametrize("game_id", GAMES)
def test_nobody_learns_of_anothers_cards_before_the_end(game_id: str) -> None:
    match = finished(game_id, 0)
    half = match.at(len(match.moves) // 2)
    assert tell_ending(half, "en") is None
    assert [one.points for one in tell_rounds(half, 0, "en")] == [event["points"] for event in half.rounds()]
