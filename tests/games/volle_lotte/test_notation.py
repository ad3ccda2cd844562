"""Moves and positions of Volle Lotte! as text, both ways."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from ludotheque import InvalidMove, InvalidPosition
from ludotheque.games.volle_lotte.notation import MOVES, script_rolls
from tests.games.volle_lotte.helpers import BOX, GAME


def test_every_move_reads_back() -> None:
    for action, text in enumerate(MOVES.texts):
        assert MOVES.parse(text) == action


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("keep 5 1 5", "keep 1 5 5"),
        ("155", "keep 1 5 5"),
        ("5, 1, 5", "keep 1 5 5"),
        ("k 515", "keep 1 5 5"),
        ("KEEP 1  5 5", "keep 1 5 5"),
        ("garde 5 1 5", "keep 1 5 5"),
        ("g 222", "keep 2 2 2"),
        ("Garder 3 3 3", "keep 3 3 3"),
        ("lance", "go"),
        ("Relancer", "go"),
        ("carte", "go"),
        ("roll", "go"),
        ("Arrêter", "stop"),
        ("j'arrête", "stop"),
        ("S", "stop"),
    ],
)
def test_what_people_type(typed: str, move: str) -> None:
    assert MOVES.texts[MOVES.parse(typed)] == move


@pytest.mark.parametrize("typed", ["", "keep", "keep 2", "keep 1 2", "keep 7", "0", "1111111", "keep all", "gogo", "±"])
def test_what_is_no_move(typed: str) -> None:
    with pytest.raises(InvalidMove, match=r"keep"):
        MOVES.parse(typed)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"ending": "round", "negative": True, "target": 20000},
    {"leader_loses": "at_once", "straight_goes_on": True, "target": 1000, "negative": True},
]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [2, 5, 8])
def test_positions_read_back_to_the_byte(options: dict[str, Any], players: int) -> None:
    choices = random.Random(players)
    for seed in range(2):
        match = GAME.new(players=players, seed=seed, **options)
        while not match.over and len(match.moves) < 120:
            match.play(choices.choice(match.legal()))
            twin = GAME.position(json.loads(json.dumps(match.position())))
            fields = GAME.info.state.names
            assert fields is not None
            for name in fields:
                if "event" not in name:
                    assert np.array_equal(getattr(twin.state, name), getattr(match.state, name)), name
            assert twin.legal_ids() == match.legal_ids()


def test_an_empty_table_is_the_start_of_a_match() -> None:
    match = GAME.position({"table": {}})
    assert match.legal() == ["go"]
    assert match.actor == 0
    position = match.position()["table"]
    assert len(position["pile"]) == 56
    assert position["pile"][-10:] == ["stop"] * 10


def test_cards_named_nowhere_lie_under_the_pile() -> None:
    match = GAME.position({"table": {"card": "clover", "roll": "1 2 3 4 6 6", "pile": ["stop", "double"]}})
    position = match.position()["table"]
    assert position["pile"][:2] == ["stop", "double"]
    assert len(position["pile"]) == 55
    assert position["discard"] == {"clover": 1}


def test_dice_are_lists_or_text() -> None:
    text = GAME.position({"table": {"card": "double", "roll": "5 1 3 2", "aside": "1,1"}})
    numbers = GAME.position({"table": {"card": "double", "roll": [1, 2, 3, 5], "aside": [1, 1]}})
    assert text.to_bytes() == numbers.to_bytes()
    assert text.position()["table"]["card_points"] == 200


def test_scripted_rolls_are_rolled() -> None:
    rolls = ["1 2 3 4 6 6", "5 5 5 2 3", "2 5"]
    chance = {"draws": script_rolls(*rolls)}
    match = GAME.position({"table": {"pile": ["bonus 200"]}, "chance": chance})
    for move in ("go", "keep 1", "keep 5 5 5"):
        match.play(move)
    seen = [event["dice"] for step in match.events() for event in step if event["type"] == "roll"]
    assert seen == [[1, 2, 3, 4, 6, 6], [2, 3, 5, 5, 5], [2, 5]]


ROLLED = {"card": "double", "roll": "1 2 3 4 6 6"}
LOTTE = {"card": "double", "aside": "1 1 1 5 5 5", "turn_points": 3000}

IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"dice": [1]}, "unknown key"),
    ({"card": "joker"}, "not a card"),
    ({"card": 3}, "not a card"),
    ({"pile": ["clover", "clover"]}, "only 1 card"),
    ({"pile": "stop"}, "pile"),
    ({"discard": {"stop": 11}}, "only 10 cards"),
    ({"discard": {"stop": 300}}, "only 10 cards"),
    ({"discard": {"stop": -1}}, "how many"),
    ({"discard": {"stop": "2"}}, "how many"),
    ({"discard": ["stop"]}, "discard"),
    ({**ROLLED, "discard": {"stop": 1}}, "not in the discard"),
    ({**ROLLED, "roll": "1 2 3"}, "add up to six"),
    ({**ROLLED, "roll": "1 2 3 4 5 6 6"}, "at most six"),
    ({**ROLLED, "roll": "1 2 3 4 5 7"}, "1 to 6"),
    ({**ROLLED, "roll": [1, 2, 3, 4, 5, True]}, "1 to 6"),
    ({**ROLLED, "roll": 123456}, "at most six"),
    ({**ROLLED, "roll": "2 2 3 3 4 6"}, "leaves a choice"),
    ({**ROLLED, "roll": "1 2 3 4 6", "aside": "2"}, "set aside"),
    ({**ROLLED, "aside": "1 1", "roll": "1 2 3 4", "card_points": 150}, "cannot have brought"),
    ({**ROLLED, "turn_points": 70}, "points of the turn"),
    ({**ROLLED, "turn_points": -50}, "turn_points"),
    ({**ROLLED, "losses": 1}, "more ±1000"),
    ({**ROLLED, "lottes": 1}, "Volle Lotte"),
    ({**ROLLED, "card": "stop"}, "fit the phase"),
    ({**ROLLED, "card": None}, "fit the phase"),
    ({**ROLLED, "phase": "turn", "turn_points": 50}, "points of the turn"),
    ({**ROLLED, "phase": "dancing"}, "phase"),
    ({**ROLLED, "actor": -1}, "whose turn"),
    ({**ROLLED, "actor": 2}, "actor"),
    ({"card": "straight", "aside": "1 1", "roll": "2 3 4 5"}, "set aside"),
    ({"card": "straight", "aside": "1 3", "roll": "1 1 3 3"}, "leaves a choice"),
    ({"card": "straight", "aside": "1 3", "roll": "2 4 5 6"}, "leaves a choice"),
    ({"card": "plusminus", "aside": "1 1", "roll": "1 2 3 4", "card_points": 200}, "cannot have brought"),
    ({**LOTTE, "card": "fireworks"}, "fit the phase"),
    ({**LOTTE, "card": "clover"}, "fit the phase"),
    ({**LOTTE, "card": "straight", "aside": "1 2 3 4 5 6"}, "fit the phase"),
    ({**LOTTE, "aside": "1 1 1 2 5 5"}, "set aside"),
    ({**LOTTE, "turn_points": 50}, "points of the turn"),
    ({**LOTTE, "card_points": 50}, "cannot have brought"),
    ({"scores": [6000, 0]}, "target is reached"),
    ({"scores": [25, 0]}, "score that cannot be"),
    ({"scores": [-50, 0]}, "score that cannot be"),
    ({"scores": [0]}, "scores"),
    ({"scores": [0, 10**10]}, "scores"),
    ({"lap_points": [10, 0]}, "score that cannot be"),
    ({"phase": "over", "scores": [100, 0]}, "end of the match"),
    ({"phase": "over", "actor": 1, "closing": True}, "whose turn"),
    ({"clover_winner": 0}, "end of the match"),
    ({"clover_winner": "Ana"}, "clover_winner"),
    ({"closing": 1}, "closing"),
    ({"round": 0}, "round"),
]


@pytest.mark.parametrize(("table", "reason"), IMPOSSIBLE)
def test_impossible_positions(table: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidPosition, match=reason):
        GAME.position({"table": table})


def test_the_least_a_volle_lotte_brings() -> None:
    for card, aside, least in (
        ("bonus 200", "5 5 5 5 5 5", 500),
        ("double", "5 5 5 5 5 5", 600),
        ("plusminus", "5 5 5 5 5 5", 1000),
        ("straight", "1 2 3 4 5 6", 2000),
    ):
        table = {"card": card, "aside": aside, "turn_points": least}
        options = {"straight_goes_on": True}
        GAME.position({"table": table, "options": options})
        with pytest.raises(InvalidPosition, match="points of the turn"):
            GAME.position({"table": {**table, "turn_points": least - 50}, "options": options})


def test_positions_that_options_forbid() -> None:
    lost = {"card": "double", "roll": "1 2 3 4 6 6", "losses": 1, "turn_points": 1000}
    GAME.position({"table": lost})
    with pytest.raises(InvalidPosition, match="more ±1000"):
        GAME.position({"table": lost, "options": {"leader_loses": "at_once"}})
    GAME.position({"table": {"scores": [-50, 0]}, "options": {"negative": True}})
    with pytest.raises(InvalidPosition, match="end of the match"):
        GAME.position({"table": {"scores": [6000, 0], "closing": True}, "options": {"ending": "round"}})


def test_any_nonsense_is_an_invalid_position() -> None:
    nonsense: list[Any] = [None, -1, 99, 1.5, "x", [], [[]], {}, {"x": 1}, True, 10**30, ["stop", 3]]
    for name in GAME.new(seed=1).position()["table"]:
        for value in nonsense:
            try:
                match = GAME.position({"table": {name: value}})
            except InvalidPosition:
                continue
            assert match.legal() in (["go"], [])


def test_the_box_is_complete() -> None:
    match = GAME.position({"table": {"discard": BOX, "pile": []}})
    assert match.view()["table"]["pile"] == 0
