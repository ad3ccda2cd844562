"""Advice in the terminal: chances where they are known, words where they are not, and why."""

from __future__ import annotations

import pytest

import ludotheque
from ludotheque.bots.bot import Candidate, Thought
from ludotheque.tui.advice import Adviser
from ludotheque.tui.table import Advice


def told(error: float, equal: bool, lang: str = "en") -> list[Advice]:
    game = ludotheque.game("double_lucky_7")
    match = game.new(["Ann", "Ben"], seed=1)
    first, second = (game.move(move) for move in ("bid 1", "bid 0"))
    candidates = (Candidate(first, 0.62, 0.0, 0.5, error, True), Candidate(second, 0.58, 0.0, 0.5, error, equal))
    thought = Thought(first, candidates, 100, 0.1)
    return Adviser(game, 1).advice(match.concealed(match.actor), match.actor, thought, match.names, lang)


@pytest.mark.parametrize(
    ("error", "equal", "verdicts"),
    [
        (0.0, False, ["62 % to win", "58 % to win"]),
        (0.02, False, ["62 % to win", "58 % to win"]),
        (0.02, True, ["62 % to win", "as good"]),
        (0.021, False, ["", "weaker"]),
        (0.2, True, ["", "as good"]),
    ],
)
def test_what_is_said_is_known(error: float, equal: bool, verdicts: list[str]) -> None:
    assert [one.verdict for one in told(error, equal)] == verdicts


def test_the_first_has_a_reason() -> None:
    first, second = told(0.2, True, "fr")
    assert first.reason and not second.reason
    assert str(second) == f"{second.label} (aussi bon)"


def test_without_reasons_there_is_a_move() -> None:
    game = ludotheque.game("double_lucky_7")
    match = game.new(["Ann", "Ben"], seed=1)
    thought = Thought(game.moves[61], (), 0, 0.1)
    (only,) = Adviser(game, 1).advice(match.concealed(match.actor), match.actor, thought, match.names, "fr")
    assert only.move == "bid 0" and str(only) == only.label


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_the_expert_advises_a_move_that_is_legal(game_id: str) -> None:
    game = ludotheque.game(game_id)
    match = game.new(seed=3)
    buf = match.concealed(match.actor)
    adviser = Adviser(game, 1)
    found = adviser.advice(buf, match.actor, adviser.think(buf, match.actor), match.names, "en")
    assert 1 <= len(found) <= 3
    assert {one.move for one in found} <= {str(move) for move in match.legal()}
