"""A story for each rule of Pig, named for its number."""

from __future__ import annotations

from typing import Any

import ludotheque
import pytest
from ludotheque.core.match import Match
from ludotheque.core.pad_entry import InvalidEntry

from pig_game.notation import script_rolls

GAME = ludotheque.game("pig")
NAMES = ["Ana", "Ben", "Cleo"]
ANA, BEN, CLEO = range(3)


def at(table: dict[str, Any], *faces: int, **options: Any) -> Match:
    """A match in a position, with the next rolls of the die."""
    chance = {"draws": script_rolls(*faces)}
    return GAME.position({"players": NAMES, "options": options, "table": table, "chance": chance})


def play(match: Match, *moves: str) -> Match:
    """Play moves for whoever is at turn."""
    for move in moves:
        match.play(move)
    return match


def test_P1_who_begins_is_drawn_by_lot_and_turns_go_clockwise() -> None:
    beginners = {GAME.new(3, seed=seed).actor for seed in range(30)}
    assert beginners == {ANA, BEN, CLEO}
    match = at({"actor": CLEO}, 1, 1)
    assert [play(match, "roll").actor for _ in range(2)] == [ANA, BEN]


def test_P2_a_turn_begins_with_a_roll() -> None:
    match = at({}, 4)
    with pytest.raises(ludotheque.IllegalMove, match="roll first") as caught:
        match.play("hold")
    assert caught.value.rule == "P2"
    assert play(match, "roll").legal() == ["roll", "hold"]


def test_P3_rolls_add_up() -> None:
    match = play(at({}, 2, 6, 5), "roll", "roll", "roll")
    assert match.view()["table"]["turn_points"] == 13
    assert match.actor == ANA and match.scores == [0, 0, 0]


def test_P4_a_1_loses_the_turn_and_nothing_else() -> None:
    match = play(at({"scores": [30, 0, 0], "turn_points": 12}, 1), "roll")
    assert match.scores == [30, 0, 0] and match.actor == BEN
    assert match.view()["table"]["turn_points"] == 0


def test_P5_who_holds_keeps_the_points() -> None:
    match = play(at({"scores": [30, 0, 0], "turn_points": 12}), "hold")
    assert match.scores == [42, 0, 0] and match.actor == BEN


def test_P6_who_reaches_the_target_has_won_at_once() -> None:
    match = play(at({"scores": [90, 99, 0]}, 4, 6), "roll")
    assert not match.over
    play(match, "roll")
    assert match.over and match.scores == [100, 99, 0] and match.places == [1, 2, 3]
    assert play(at({"scores": [18, 0, 0]}, 2, target=20), "roll").over


def test_impossible_positions_are_refused() -> None:
    for table in ({"scores": [100, 100, 0]}, {"scores": [1, 0, 0]}, {"turn_points": 5, "die": 1}):
        with pytest.raises(ludotheque.InvalidPosition):
            GAME.position({"players": NAMES, "table": table})


def test_a_score_pad_keeps_the_same_score() -> None:
    pad = ludotheque.pad("pig", NAMES, first=BEN, target=20)
    for points in (12, 0, 7, 9):
        pad = pad.enter({"points": points})
    assert pad.over and pad.totals == [7, 21, 0]
    with pytest.raises(InvalidEntry, match="a 1 loses") as caught:
        ludotheque.pad("pig", NAMES, first=ANA).enter({"points": 1})
    assert caught.value.rule == "P4"
