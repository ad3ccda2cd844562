"""What players of Volle Lotte! are shown: points and chances of each choice, sentences, the screen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ludotheque.core.match import Match
from ludotheque.games.volle_lotte import view
from tests.games.volle_lotte.helpers import BOX, GAME, at


def keeps(match: Match) -> dict[str, dict[str, Any]]:
    return {keep["move"]: keep for keep in match.view()["table"]["keeps"]}


def test_what_each_keep_brings() -> None:
    match = at({"card": "bonus 300", "turn_points": 1000, "aside": "1 1", "roll": "2 2 2 5"})
    shown = keeps(match)
    assert set(shown) == {move for move in match.legal() if move != "stop"}
    assert shown["keep 5"] == {
        "move": "keep 5",
        "dice": [5],
        "points": 50,
        "turn_points": 1250,
        "lotte": False,
        "rolls": 3,
        "bust": [60, 216],
    }
    whole = shown["keep 2 2 2 5"]
    assert (whole["points"], whole["turn_points"], whole["lotte"]) == (250, 1000 + 200 + 250 + 300, True)
    assert (whole["rolls"], whole["bust"]) == (0, None)


def test_dice_that_bring_nothing_are_shown_so() -> None:
    match = at({"card": "plusminus", "scores": [0, 500, 500], "aside": "1 1", "roll": "2 2 2 5"})
    table = match.view()["table"]
    assert (table["roll_points"], table["leaders"]) == (0, [1, 2])
    shown = keeps(match)
    assert shown["keep 5"]["points"] == 0
    assert shown["keep 2 2 2 5"]["turn_points"] == 1000


def test_a_volle_lotte_that_goes_on_shows_six_dice() -> None:
    for card, lottes, rolls in (("fireworks", 0, 6), ("clover", 0, 6), ("clover", 1, 0)):
        match = at({"card": card, "lottes": lottes, "roll": "1 1 1 5 5 5"})
        shown = keeps(match)["keep 1 1 1 5 5 5"]
        assert (shown["rolls"], shown["bust"]) == (rolls, [1440, 46656] if rolls else None)


@pytest.mark.parametrize(
    ("aside", "roll", "chance"),
    [("", "1 1 1 1 1 1", [1, 7776]), ("1", "1 1 2 2 3", [27, 216]), ("1 2 3", "1 4 5", [5, 6])],
)
def test_chance_of_the_straight(aside: str, roll: str, chance: list[int]) -> None:
    assert at({"card": "straight", "aside": aside, "roll": roll}).view()["table"]["go_bust"] == chance


def test_chance_of_a_stop() -> None:
    match = at({"discard": {"stop": 3, "double": 3}, "card": "stop"})
    assert match.view()["table"]["stop_chance"] == [7, 50]


@pytest.mark.parametrize("options", [{}, {"ending": "round", "leader_loses": "at_once", "straight_goes_on": True}])
def test_what_is_shown_comes_true(options: dict[str, Any]) -> None:
    """Points announced for a keep and for stopping are those the table then shows."""
    choices = random.Random(5)
    for seed in range(12):
        match = GAME.new(players=3, seed=seed, target=3000, **options)
        while not match.over:
            seat, table = match.actor, match.view()["table"]
            scores = match.scores
            move = choices.choice(match.legal())
            match.play(move)
            after = match.view()["table"]
            types = [event["type"] for event in match.events()[-1]]
            if move == "stop":
                assert match.scores[seat] - scores[seat] == table["stop_points"]
            elif move.startswith("keep") and "lost" not in types and match.actor == seat:
                if not {"bust", "burnt_out", "score", "clover_wins"} & set(types):
                    shown = next(keep for keep in table["keeps"] if keep["move"] == move)
                    assert after["turn_points"] + after["card_points"] == shown["turn_points"]
                    assert len(after["roll"]) == shown["rolls"]


def observation(match: Match, seat: int) -> dict[str, list[int]]:
    """The observation of a seat, by the names of its pieces."""
    out = np.zeros(GAME.info.observation_size, np.int16)
    GAME.kernels.watch(np.frombuffer(match.to_bytes(), np.uint8).copy(), seat, out)
    pieces, start = {}, 0
    for piece in GAME.info.observation:
        pieces[piece.name] = out[start : start + piece.size].tolist()
        start += piece.size
    return pieces


def test_the_observation_says_what_lies_there() -> None:
    table = {"first": 2, "actor": 1, "scores": [50, 2000, 300], "card": "double", "aside": "1 1", "roll": "2 2 2 5"}
    facts = {"turn_points": 1750, "losses": 1, "discard": {"double": 2, "stop": 4}, "round": 3}
    seen = observation(at({**table, **facts}, ending="round", negative=True, fireworks_stop=True), seat=1)
    assert (seen["phase"], seen["card"].index(1), sum(seen["card"])) == ([1], 7, 1)
    assert (seen["roll"], seen["aside"]) == ([0, 3, 0, 0, 1, 0], [2, 0, 0, 0, 0, 0])
    assert (seen["roll_points"], seen["card_points"], seen["turn_points"]) == ([5], [4], [35])
    assert (seen["losses"], seen["lottes"]) == ([1], [0])
    assert seen["scores"] == [40, 6, 1, 0, 0, 0, 0, 0]
    assert (seen["actor"], seen["first"], seen["closing"], seen["round"]) == ([0], [1], [0], [3])
    assert seen["pile"] == [6, 5, 5, 5, 5, 5, 5, 3, 5, 5, 1]
    assert (seen["target"], seen["options"]) == ([6000], [1, 1, 0, 0, 1])


def test_the_observation_leaves_out_what_is_over() -> None:
    lying = {"card": "double", "aside": "1 1", "roll": "2 3 4 6", "phase": "turn"}
    assert observation(at(lying), seat=0) == observation(at({"discard": {"double": 1}}), seat=0)


def test_nobody_sees_the_order_of_the_pile() -> None:
    table = {"card": "double", "roll": "1 2 3 4 6 6"}
    one = at({**table, "pile": ["stop", "clover", "double"]})
    two = at({**table, "pile": ["double", "stop", "clover"]})
    for seat in (None, 0, 1):
        assert one.view(seat) == two.view(seat)
        assert one.concealed(seat).tobytes() == two.concealed(seat).tobytes()


LOTTE = {"card": "double", "aside": "1 1 1 5 5 5", "turn_points": 3000}
CLOVER = {"card": "clover", "roll": "1 1 1 5 5 5"}
STRAIGHT = {"card": "straight", "aside": "1 3 5", "roll": "3 4 6"}
PLUS_MINUS = {"card": "plusminus", "aside": "1 5", "roll": "3 3 3 1"}
REACHED = {"scores": [5900, 0, 0], "card": "double", "roll": "1 2 2 3 4 6"}

TOLD: list[tuple[dict[str, Any], list[str], list[str], dict[str, Any]]] = [
    ({"pile": ["stop"], "discard": {**BOX, "stop": 9}}, [], ["go", "go"], {}),
    ({**LOTTE, "pile": ["stop"]}, [], ["go"], {}),
    ({"card": "double", "roll": "1 5 2 3 4 6"}, ["1 1 1 1 1"], ["keep 1", "stop"], {}),
    ({"card": "double", "roll": "1 5 2 3 4 6"}, ["2 2 3 3 4"], ["keep 1"], {}),
    ({"pile": ["fireworks"]}, ["2 2 3 3 4 6"], ["go"], {}),
    ({"pile": ["straight"]}, ["1 1 2 2 3 3", "5 4 3", "6"], ["go", "go", "go"], {}),
    (STRAIGHT, ["1"], ["go"], {}),
    ({**PLUS_MINUS, "scores": [0, 2000, 1000]}, [], ["stop"], {}),
    ({**PLUS_MINUS, "scores": [0, 2000, 2000]}, [], ["stop"], {}),
    ({**REACHED, "pile": ["stop"]}, [], ["stop", "go"], {}),
    (REACHED, [], ["stop"], {"ending": "round"}),
    (CLOVER, ["1 1 1 5 5 5"], ["keep 1 1 1 5 5 5"] * 2, {}),
]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_everything_can_be_said(lang: str) -> None:
    words = GAME.catalogue(lang)
    told = {event["type"] for event in GAME.new(seed=1).events()[0]}
    for table, rolls, moves, options in TOLD:
        match = at(table, rolls, **options)
        for move in moves:
            match.play(move)
        assert len(match.log(lang)) == sum(len(step) for step in match.events())
        told |= {event["type"] for step in match.events() for event in step}
    assert told == set(words.find("events"))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_screen_is_never_too_large(lang: str) -> None:
    words = GAME.catalogue(lang)
    choices = random.Random(2)
    for seed in range(15):
        match = GAME.new(players=["Ana", "Ben", "Cleo"], seed=seed, target=1500)
        while not match.over:
            match.play(choices.choice(match.legal()))
            lines = view.lines(match.view(None, lang), words)
            assert len(lines) <= 20
            assert all(0 < len(line) <= 80 for line in lines), lines


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_eight_players_and_many_keeps_fit_the_screen(lang: str) -> None:
    names = [f"Player {'x' * 12} {seat}" for seat in range(8)]
    table = {
        "card": "bonus 600",
        "turn_points": 12000,
        "roll": "1 1 1 5 5 5",
        "closing": True,
        "scores": [20000] * 8,
    }
    match = GAME.position({"players": names, "table": table})
    lines = view.lines(match.view(0, lang), GAME.catalogue(lang))
    assert len(lines) <= 22
    assert all(len(line) <= 80 for line in lines), lines


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_refusal_is_explained(lang: str) -> None:
    tables: list[dict[str, Any]] = [{}, {"card": "double", "aside": "1 1 1 5 5 5", "turn_points": 3000}]
    tables += [
        {"card": card, "roll": "1 5 2 2 4 4"} for card in ("double", "plusminus", "straight", "clover", "fireworks")
    ]
    keys = set()
    for table in tables:
        match = at(table)
        for move in GAME.moves:
            for seat in (0, 1):
                error = match.explain(move, seat)
                assert (error is None) == (move in match.legal(seat))
                if error is not None:
                    assert match.refusal_text(error, lang)
                    keys.add(error.key)
    assert keys == set(GAME.catalogue(lang).find("why"))


def test_both_languages_have_the_same_messages() -> None:
    def words(lang: str) -> Iterator[str]:
        return GAME.catalogue(lang).keys()

    def shape(lang: str) -> set[str]:
        return {key.removesuffix(".one").removesuffix(".other") for key in words(lang)}

    assert shape("en") == shape("fr")
