"""LOBO 77 as text: moves and positions, both ways."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from ludotheque import InvalidMove, InvalidPosition
from ludotheque.core.jit import COMPILED
from ludotheque.testing import without_journal
from tests.games.lobo77.helpers import ANA, BEN, EIGHT, FIFTEEN, GAME, at, in_order, play
from tests.games.lobo77.test_against_referee import cautious


@pytest.mark.parametrize("action", range(GAME.info.num_actions))
def test_every_move_has_a_text_that_is_read_back(action: int) -> None:
    text = GAME.moves.texts[action]
    for typed in (text, f"  {text} ", text.upper()):
        assert GAME.moves.parse(typed).id == action


def test_texts_of_moves() -> None:
    numbers = "-10 0 2 3 4 5 6 7 8 9 10 11 22 33 44 55 66 76"
    assert GAME.moves.texts == (*numbers.split(), "2x", "rev", "draw")


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("sens", "rev"),
        ("Sens", "rev"),
        ("changement de sens", "rev"),
        ("reverse", "rev"),
        ("pioche", "draw"),
        ("piocher", "draw"),
        ("2×", "2x"),
        ("x2", "2x"),
        ("2X", "2x"),
        ("−10", "-10"),
        ("moins 10", "-10"),
        ("zéro", "0"),
        ("joue 7", "7"),
        ("jouer sens", "rev"),
        ("play 44", "44"),
    ],
)
def test_what_people_type_is_understood(typed: str, move: str) -> None:
    assert GAME.moves.parse(typed) == move


@pytest.mark.parametrize(
    "text", ["", " ", "1", "12", "77", "-7", "+7", "3x", "joker", "7 7", "play", "play draw", "0: 7"]
)
def test_other_texts_are_no_moves(text: str) -> None:
    match = at("2", "3")
    before = match.to_bytes()
    with pytest.raises(InvalidMove, match="7, 44, -10, 0, 2x or rev"):
        match.play(text)
    assert match.to_bytes() == before


def test_a_position_in_a_line_has_the_rest_by_default() -> None:
    match = GAME.position({"table": {"hands": [["2"] * 3 + ["sens", "2×"], ["3"] * 3 + ["−10", "10"]]}})
    facts = match.position()["table"]
    assert facts["hands"] == [["2", "2", "2", "2x", "rev"], ["-10", "3", "3", "3", "10"]]
    assert (facts["dealer"], facts["opener"], facts["actor"]) == (BEN, ANA, ANA)
    assert (facts["total"], facts["owed"], facts["tokens"], facts["direction"]) == (0, 1, [3, 3], 1)
    assert facts["draw"][:3] == ["-10", "-10", "-10"]
    assert (len(facts["draw"]), facts["played"]) == (45, [])


def test_next_puts_cards_onto_the_draw_pile() -> None:
    facts = at("2", "3", table={"next": ["rev", "5"]}).position()["table"]
    assert facts["draw"][:2] == ["rev", "5"]
    assert len(facts["draw"]) == 45


def test_without_played_cards_the_rest_is_played() -> None:
    facts = at("2", "3", table={"draw": ["rev", "5"]}).position()["table"]
    assert facts["draw"] == ["rev", "5"]
    assert len(facts["played"]) == 43


HANDS = [["2", "2", "2", "3", "3"], ["3", "4", "4", "4", "5"], ["5", "5", "6", "6", "6"]]


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"hands": None}, "hands"),
        ({"hands": HANDS[:2]}, "hands"),
        ({"hands": [*HANDS[:2], ["1"] * 5]}, "not a card"),
        ({"hands": [*HANDS[:2], ["draw"] * 5]}, "not a card"),
        ({"hands": [*HANDS[:2], [6] * 5]}, "hands"),
        ({"hands": [*HANDS[:2], [*HANDS[2], "7"]]}, "at most 5"),
        ({"hands": [*HANDS[:2], HANDS[2][:4]]}, "number of cards"),
        ({"hands": [*HANDS[:2], []]}, "number of cards"),
        ({"hands": HANDS, "colour": "red"}, "unknown key"),
        ({"hands": HANDS, "total": 77}, "77 or more"),
        ({"hands": HANDS, "total": "12"}, "total"),
        ({"hands": HANDS, "total": True}, "total"),
        ({"hands": HANDS, "direction": 0}, "direction"),
        ({"hands": HANDS, "direction": 2}, "direction"),
        ({"hands": HANDS, "owed": 0}, "owed"),
        ({"hands": HANDS, "owed": 3}, "owed"),
        ({"hands": HANDS, "next_two": True}, "owes"),
        ({"hands": HANDS, "actor": 3}, "actor"),
        ({"hands": HANDS, "actor": -1}, "actor"),
        ({"hands": HANDS, "dealer": 0, "opener": 0}, "opener"),
        ({"hands": HANDS, "tokens": [3, 3, 4]}, "tokens"),
        ({"hands": HANDS, "tokens": [3, 3]}, "tokens"),
        ({"hands": HANDS, "round_tokens": [2, 3, 3]}, "tokens"),
        ({"hands": HANDS, "last_points": [1, 0, 0]}, "last_points"),
        ({"hands": HANDS, "out": [2]}, "number of cards"),
        ({"hands": HANDS, "out": [3]}, "out"),
        ({"hands": HANDS, "out": [1, 1]}, "out"),
        ({"hands": HANDS, "out": [0, 1, 2]}, "still in"),
        ({"hands": HANDS, "out": "12"}, "out"),
        ({"hands": [*HANDS[:2], []], "out": [2], "actor": 2}, "turn"),
        ({"hands": [*HANDS[:2], []], "out": [2], "tokens": [1, 1, 1]}, "tokens"),
        ({"hands": [HANDS[0], [], []], "out": [2, 1], "actor": 0}, "turn"),
        ({"hands": HANDS, "pending": [1, 0, 0]}, "draw"),
        ({"hands": HANDS, "pending": [1, 1, 0]}, "played last"),
        ({"hands": HANDS, "sure_2x": [1, 0, 0]}, "2x"),
        ({"hands": [["2x", "2", "2", "3", "3"], *HANDS[1:]], "sure_2x": [1, 0, 0]}, "2x"),
        ({"hands": HANDS, "draw": ["7"], "next": ["8"]}, "left out"),
        ({"hands": HANDS, "draw": ["7"], "played": ["8"]}, "missing"),
        ({"hands": HANDS, "draw": ["2"]}, "not so many"),
        ({"hands": HANDS, "played": ["76"]}, "not so many"),
        ({"hands": HANDS, "reshuffle": {"drawn": ["2"]}}, "drawn_by"),
        ({"hands": HANDS, "reshuffle": {"drawn": ["7"], "drawn_by": [0]}}, "remembered"),
        ({"hands": HANDS, "reshuffle": {"drawn": ["2"], "drawn_by": [3]}}, "drawn_by"),
        ({"hands": HANDS, "reshuffle": {"drawn": ["2"] * 50, "drawn_by": [0] * 50}}, "more cards"),
        ({"hands": HANDS, "reshuffle": {"sure_at": [1, 0, 0]}}, "sure_at"),
        ({"hands": HANDS, "played": ["7"], "reshuffle": {}}, "played_by"),
        ({"hands": HANDS, "reshuffle": {"shuffled": []}}, "unknown key"),
        ({"hands": HANDS, "reshuffle": []}, "reshuffle"),
    ],
)
def test_impossible_positions_are_refused(facts: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidPosition, match=reason):
        GAME.position({"players": 3, "table": facts})


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"pending": [3, 0, 0]}, "pending"),
        ({"pending": [0, 2, 0], "hands": [["2"], ["3"] * 3 + ["4"], ["5"]]}, "draw"),
        ({"pending": [2, 0, 0]}, "draw"),
        ({"pending": [1, 0, 0], "owed": 2}, "draw"),
        ({"next_two": True, "owed": 2}, "owes"),
        ({"sure_2x": [1, 0, 0]}, "2x"),
        ({"hands": [["2"], [], ["5"]]}, "number of cards"),
    ],
)
def test_impossible_positions_with_manual_draws_are_refused(facts: dict[str, Any], reason: str) -> None:
    hands = [["2"], ["3"], ["5"]]
    with pytest.raises(InvalidPosition, match=reason):
        GAME.position({"players": 3, "options": {"draw": "manual"}, "table": {"hands": hands, **facts}})


def test_options_make_positions_impossible() -> None:
    swimming = {"hands": HANDS, "tokens": [0, 1, 1]}
    assert GAME.position({"players": 3, "table": swimming}).scores == [0, 1, 1]
    with pytest.raises(InvalidPosition, match="tokens"):
        GAME.position({"players": 3, "options": {"swim": False}, "table": swimming})


def test_a_card_played_before_it_was_drawn_is_refused() -> None:
    memory = {"drawn": ["44"], "drawn_by": [ANA], "played_by": [ANA]}
    facts = {"hands": HANDS, "played": ["44"], "total": 30}
    assert GAME.position({"players": 3, "table": {**facts, "reshuffle": {**memory, "played_at": [1]}}})
    for bad in ({"played_at": [0]}, {"played_at": [1], "played_by": [BEN]}, {"played_at": [1], "drawn_by": [BEN]}):
        with pytest.raises(InvalidPosition, match="remembered"):
            GAME.position({"players": 3, "table": {**facts, "reshuffle": {**memory, **bad}}})


def test_what_is_remembered_of_a_reshuffle_is_written_down() -> None:
    match = play(at(*EIGHT, table={"draw": [], "played": FIFTEEN, "total": -60}, draws=in_order(16)), "2", "3")
    memory = match.position()["table"]["reshuffle"]
    assert memory["drawn"] == FIFTEEN[:2]
    assert (memory["drawn_by"], memory["played_by"], memory["played_at"]) == ([ANA, BEN], [BEN], [1])


@pytest.mark.parametrize("draw", ["auto", "manual"])
@pytest.mark.parametrize("players", [2, 5, 8])
def test_positions_are_read_back_to_the_byte(players: int, draw: Any) -> None:
    chance = random.Random(players)
    match = GAME.new(players, seed=players, draw=draw, tokens=1, card_76=True)
    for _ in range(600 if COMPILED else 150):
        data = json.loads(json.dumps(match.position()))
        assert without_journal(GAME.position(data)) == without_journal(match)
        if match.over:
            break
        seat, move = cautious(match, chance)
        match.play(move, seat)
