"""Moves and positions of Skip-Bo as text: both ways, in both languages, and refused where they make no sense."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque import InvalidMove, InvalidPosition
from ludotheque.core.match import Match

GAME = ludotheque.game("skipbo")
CORNERS: list[tuple[int, dict[str, Any]]] = [
    (2, {"stock": 5}),
    (3, {"stock": 5, "match": "points", "target": 50, "manners": True}),
    (4, {"stock": 12, "teams": True, "manners": True}),
    (4, {"stock": 30, "teams": True, "match": "points", "target": 50}),
]


def random_match(players: int, options: dict[str, Any], seed: int, num_moves: int) -> Match:
    """A match somewhere in its middle, or at its end; players like to build."""
    choose = random.Random(seed)
    match = GAME.new(players=players, seed=seed, **options)
    for _ in range(num_moves):
        if match.over:
            break
        seat = choose.choice(match.movers()) if choose.random() < 0.2 else match.actor
        moves = match.legal(seat)
        building = [move for move in moves if move[-2:] in (">1", ">2", ">3", ">4")]
        match.play(choose.choice(building if building and choose.random() < 0.8 else moves), seat)
    return match


def test_every_action_has_a_text_of_its_own() -> None:
    assert len(GAME.moves.texts) == GAME.info.num_actions
    for action, text in enumerate(GAME.moves.texts):
        assert GAME.moves.parse(text).id == action


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("s>1", "S>1"),
        ("stock > 1", "S>1"),
        ("Stock sur pile 3", "S>3"),
        ("7 2", "7>2"),
        ("7->2", "7>2"),
        ("7 → 2", "7>2"),
        ("07>2", "7>2"),
        ("12 sur 4", "12>4"),
        ("joker>3", "*>3"),
        ("Skip-Bo > 3", "*>3"),
        ("sb>d1", "*>d1"),
        ("D3>1", "d3>1"),
        ("défausse 3 > 1", "d3>1"),
        ("discard 3 to 1", "d3>1"),
        ("ps>1", "pS>1"),
        ("PD2>1", "pd2>1"),
        ("partenaire stock > 1", "pS>1"),
        ("partner d2 > 4", "pd2>4"),
        ("7 > défausse 2", "7>d2"),
        ("7 d2", "7>d2"),
        ("fin", "end"),
        ("Piocher", "draw"),
        ("parler", "say"),
        ("signaler", "call"),
    ],
)
def test_people_type_moves_in_many_ways(typed: str, move: str) -> None:
    assert GAME.moves.parse(typed) == move


@pytest.mark.parametrize("typed", ["", "13>1", "0>1", "7>5", "7>0", "S>d1", "d5>1", "7>pd1", "7", ">1", "S", "x>1"])
def test_other_texts_are_no_moves(typed: str) -> None:
    with pytest.raises(InvalidMove, match="7>2"):
        GAME.moves.parse(typed)


@pytest.mark.parametrize(("players", "options"), CORNERS)
@pytest.mark.parametrize("num_moves", [0, 7, 60, 150, 2000])
def test_positions_round_trip(players: int, options: dict[str, Any], num_moves: int) -> None:
    match = random_match(players, options, num_moves, num_moves)
    position = match.position()
    again = GAME.position(position)
    assert again.position() == position
    for name in GAME.info.state.names or ():
        if not name.startswith(("event_", "num_events")):
            assert np.array_equal(getattr(again.state, name), getattr(match.state, name)), name


def test_what_is_left_out_has_a_sensible_value() -> None:
    match = GAME.position({"table": {"stocks": [["3"], ["*"]]}, "players": 2})
    table = match.position()["table"]
    assert (table["dealer"], table["actor"], table["round"]) == (1, 0, 1)
    assert table["hands"] == [["1", "2", "3", "4", "5"], []]
    assert table["draw"][:2] == ["6", "7"]
    assert table["built"] == [0, 0, 0, 0]


def test_the_cards_not_mentioned_follow_in_order() -> None:
    match = GAME.position({"table": {"stocks": [["1"], ["*"]], "hands": [["5"], []], "draw": ["9", "..."]}})
    draw = match.position()["table"]["draw"]
    assert draw[:15] == ["9", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "*", "1"]
    assert len(draw) == 162 - 3


def test_a_building_pile_is_a_height_or_its_cards() -> None:
    table = {"stocks": [["1"], ["2"]], "hands": [["5"], []], "built": [3, ["1", "*"], 0, []]}
    match = GAME.position({"table": table})
    assert match.view()["table"]["built"] == [["1", "2", "3"], ["1", "*"], [], []]


STOCKS: dict[str, Any] = {"stocks": [["1"], ["2"]], "hands": [["5"], []]}


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"stocks": [["1"]]},
        {"stocks": [["1"], ["13"]]},
        {"stocks": [["1"], ["0"]]},
        {"stocks": [["1"], [7]]},
        {"stocks": [["1"] * 13, ["2"]]},
        {"stocks": [["*"] * 19, ["2"]]},
        {**STOCKS, "draw": []},
        {**STOCKS, "draw": ["...", "5"]},
        {**STOCKS, "draw": ["..."], "discards": [[["..."], [], [], []], [[], [], [], []]]},
        {**STOCKS, "hands": [["1", "2", "3", "4", "5", "6"], []]},
        {**STOCKS, "hands": [["1"]]},
        {**STOCKS, "hands": [[], []]},  # a hand that would have been filled
        {**STOCKS, "played": False},  # the same
        {**STOCKS, "built": [12, 0, 0, 0]},
        {**STOCKS, "built": [["1", "3"], 0, 0, 0]},
        {**STOCKS, "built": [0, 0, 0]},
        {**STOCKS, "built": [-1, 0, 0, 0]},
        {**STOCKS, "built": [True, 0, 0, 0]},
        {**STOCKS, "aside": ["1"]},
        {**STOCKS, "aside": 13},
        {**STOCKS, "discards": [[[], [], []], [[], [], [], []]]},
        {**STOCKS, "discards": [7, 8]},
        {**STOCKS, "stocks": [[], ["2"]]},  # the round would be over
        {**STOCKS, "actor": 2},
        {**STOCKS, "actor": -1},
        {**STOCKS, "dealer": 2},
        {**STOCKS, "phase": "drawing"},
        {**STOCKS, "phase": "dealing"},
        {**STOCKS, "phase": "over", "actor": 0},
        {**STOCKS, "points": [5, 0]},  # a single match has none
        {**STOCKS, "round": 2},
        {**STOCKS, "idle_turns": 2},
        {**STOCKS, "hats": 3},
        {**STOCKS, "manners": {"no_fill": [True, False]}},
        {**STOCKS, "manners": {"barred": True}},
        {**STOCKS, "manners": {"shown": [["5"], []]}},
        {**STOCKS, "manners": {"open": {"seat": 1, "move": "1>1"}}},
        {**STOCKS, "manners": 3},
        {**STOCKS, "remade": {"draw": [[12] * 13] * 2}},
        {**STOCKS, "remade": {"draw": [[0] * 13] * 3}},
        {**STOCKS, "remade": {"stocks": [[19] * 13] * 3}},
        {**STOCKS, "remade": {"draw": [3, 4, 5]}},
        {  # blocked, and yet not over
            "stocks": [["7"], ["8"]],
            "draw": [],
            "discards": [[["9", "..."], [], [], []], [[], [], [], []]],
        },
    ],
)
def test_impossible_positions_are_refused(table: dict[str, Any]) -> None:
    with pytest.raises(InvalidPosition):
        GAME.position({"players": 2, "table": table})


@pytest.mark.parametrize(
    "manners",
    [
        {"open": {"seat": 0, "move": "5>1"}},  # the player at turn
        {"open": {"seat": 1, "move": "6>1"}},  # another card lies there
        {"open": {"seat": 1, "move": "5>2"}},  # no card lies there
        {"open": {"seat": 1, "move": "pS>1"}},  # no partner
        {"open": {"seat": 1, "move": "9>d1"}},  # nothing discarded
        {"open": {"seat": 1, "move": "draw"}},
        {"open": {"seat": 1, "move": "zzz"}},
        {"open": {"seat": 2, "move": "5>1"}},
        {"shown": [["9"], []]},
        {"next_seen": [True, False]},
        {"next_seen": [1, 0]},
        {"spoken": True},
    ],
)
def test_impossible_manners_are_refused(manners: dict[str, Any]) -> None:
    table = {"stocks": [["1"], ["2"]], "hands": [["5"], ["6"]], "built": [5, 0, 0, 0]}
    good = {"players": 2, "options": {"manners": True}, "table": table}
    GAME.position(good)
    with pytest.raises(InvalidPosition):
        GAME.position({**good, "table": {**table, "manners": manners}})


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("players", "options"), CORNERS)
def test_everything_can_be_said(players: int, options: dict[str, Any], lang: str) -> None:
    match = random_match(players, options, 5, 400)
    words = GAME.catalogue(lang)
    for seat in (None, *range(players)):
        assert all(match.log(lang, seat))
        lines = GAME.views.lines(match.view(seat, lang), words)
        assert len(lines) <= 20
    earlier = match.at(len(match.moves) // 2)
    for seat in range(players):
        for move in GAME.moves:
            refused = earlier.explain(move, seat)
            assert (refused is None) == (move in earlier.legal(seat)) == earlier.allows(move, seat)
            if refused is not None:
                assert earlier.refusal_text(refused, lang)
