"""Advice is no finer than it is certain."""

from __future__ import annotations

import pytest

import ludotheque
from ludotheque.bots.bot import Candidate, Thought
from ludotheque.tui.advice import Adviser, advice
from ludotheque.tui.table import Advice


@pytest.mark.parametrize(
    ("win", "error", "shown"),
    [
        (0.617, 0.0, "62 %"),
        (0.617, 0.01, "62 %"),
        (0.617, 0.011, "~60 %"),
        (0.64, 0.04, "~65 %"),
        (0.64, 0.06, "~60 %"),
        (0.64, 0.15, "~60 %"),
        (0.64, 0.21, ""),
        (-1, 0.0, ""),
    ],
)
def test_percentages_are_rounded_to_what_is_known(win: float, error: float, shown: str) -> None:
    move = ludotheque.game("double_lucky_7").moves[61]
    assert Advice(move, "Play x", win, error).chance == shown
    assert str(Advice(move, "Play x", win, error)) == (f"Play x ({shown})" if shown else "Play x")


def test_more_playouts_are_more_certain() -> None:
    moves = ludotheque.game("double_lucky_7").moves

    def shown(iterations: int, win: float = 0.5) -> str:
        candidates = tuple(Candidate(moves[action], win, 0.0, 0.5) for action in (61, 62))
        return advice(Thought(moves[61], candidates, iterations, 0.1), "en")[0].chance

    assert [shown(n) for n in (2, 20, 100, 1000, 100_000, 0)] == ["", "~40 %", "~50 %", "~50 %", "50 %", "50 %"]
    assert shown(2, 1.0) == "" and shown(40, 1.0) == "~100 %"  # a few wins in a row are no certainty


def test_without_reasons_there_is_a_move() -> None:
    game = ludotheque.game("double_lucky_7")
    (only,) = advice(Thought(game.moves[61], (), 0, 0.1), "fr")
    assert (only.move, str(only)) == ("bid 0", "Annoncer 0 pli")


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_the_expert_advises_a_move_that_is_legal(game_id: str) -> None:
    game = ludotheque.game(game_id)
    match = game.new(seed=3)
    thought = Adviser(game, 1).think(match.concealed(match.actor), match.actor)
    found = advice(thought, "en")
    assert 1 <= len(found) <= 3
    assert {one.move for one in found} <= {str(move) for move in match.legal()}
