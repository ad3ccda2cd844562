"""Moves and positions of Loba as text: both ways, in both languages, and refused where they make no sense."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque import InvalidMove, InvalidPosition
from tests.games.loba.test_secrecy import CORNERS, random_match
from tests.games.loba.test_stories import DULL, at, cards, later_turn
from tests.games.playing import table_of

GAME = ludotheque.game("loba")


def test_every_action_has_a_text_of_its_own() -> None:
    assert len(GAME.moves.texts) == GAME.info.num_actions
    for action, text in enumerate(GAME.moves.texts):
        assert GAME.moves.parse(text).id == action


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("Pioche", "stock"),
        ("draw", "stock"),
        ("prends", "take"),
        ("ramasse", "take"),
        ("jette RCa", "drop KD"),
        ("défausse vt", "drop JC"),
        ("discard joker", "drop *"),
        ("drop 1s", "drop AS"),
        ("drop Q♥️", "drop QH"),
        ("jette DCo", "drop QH"),
        ("pose 5P 5Co *", "lay 5S 5H *"),
        ("lay * 5h 5s", "lay 5S 5H *"),
        ("lay 7D 7H 7S * 7H 7S", "lay 7S 7S 7H 7H 7D *"),
        ("lay 8S 7S 6S 5S", "lay 5S 6S 7S 8S"),
        ("lay 8S 5S 7S 6S", "lay 5S 6S 7S 8S"),
        ("lay 8S 7S * 5S", "lay 5S * 7S 8S"),
        ("lay 5S 7S 8S *", "lay 5S * 7S 8S"),
        ("lay 5S 6S 7S *", "lay 5S 6S 7S *"),
        ("lay * 5S 6S 7S", "lay * 5S 6S 7S"),
        ("lay * 7S 6S 5S", "lay 5S 6S 7S *"),
        ("lay 7S 5S 6S *", "lay 5S 6S 7S *"),
        ("lay * 7S 5S 6S", "lay * 5S 6S 7S"),
        ("lay QS KS AS *", "lay * QS KS AS"),
        ("lay AS KS QS JS", "lay JS QS KS AS"),
        ("lay 4S 3S 2S AS", "lay AS 2S 3S 4S"),
        ("pose VP DP RP AP", "lay JS QS KS AS"),
        ("pose 4Ca 5P 6P 7Co", "lay 4D 5S 6S 7H"),
        ("ajoute 9P m2", "add 9S m2"),
        ("add 9S 2", "add 9S m2"),
        ("add 9S m2 high", "add 9S m2"),
        ("ajoute * m2 haut", "add * m2 high"),
        ("ajoute AP m3 bas", "add AS m3 low"),
    ],
)
def test_people_type_moves_in_many_ways(typed: str, move: str) -> None:
    assert GAME.moves.parse(typed) == move


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "pass",
        "stock 2",
        "drop",
        "drop 5X",
        "drop 11S",
        "drop 5S 6S",
        "lay",
        "lay 5S 5H",
        "lay 5S 5S 5S",
        "lay 5S * *",
        "lay 5S 6S 7S",
        "lay 5S 6S 7S 9S",
        "lay 5S 6S 7S 8S 9S",
        "lay 5S 5H 5D 5C",
        "lay KS AS 2S 3S",
        "lay 5S hello 5D",
        "add",
        "add 9S",
        "add 9S m0",
        "add 9S m18",
        "add hello m1",
        "add 9S m1 left",
    ],
)
def test_other_texts_are_no_moves(typed: str) -> None:
    with pytest.raises(InvalidMove):
        GAME.moves.parse(typed)


@pytest.mark.parametrize(("players", "options"), CORNERS)
@pytest.mark.parametrize("num_moves", [0, 7, 60, 150, 400, 5000])
def test_positions_round_trip(players: int, options: dict[str, Any], num_moves: int) -> None:
    match = random_match(players, options, num_moves, num_moves, eager=0.3)
    position = json.loads(json.dumps(match.position()))
    again = GAME.position(position)
    assert again.position() == position
    for name in GAME.info.state.names or ():
        if not name.startswith(("event_", "num_events")):
            assert np.array_equal(getattr(again.state, name), getattr(match.state, name)), name
    assert again.legal() == match.legal()


def test_what_is_left_out_has_a_sensible_value() -> None:
    table = table_of(at({"hands": [None, None, None]}))
    assert (table["round"], table["phase"], table["dealer"], table["turn"]) == (1, "draw", 2, 1)
    assert [len(hand) for hand in table["hands"]] == [11, 11, 11]
    assert table["hands"][0] == cards("AS AS AH AH AD AD AC AC 2S 2S 2H")
    assert (table["pile"], table["stock"][:2], table["stock"][-1]) == (["5S"], ["5H", "5H"], "*")
    assert table["known"] == [[], [], []]
    table = table_of(at({"hands": [DULL, None, None], "phase": "play", "taken": "KS", "stock": ["QD", "9C"]}))
    assert table["stock"][:3] == ["QD", "9C", "4H"]
    assert table["known"] == [["KS"], [], []]
    table = table_of(later_turn("9S 2C", "5S 6S 7S 8S"))
    assert table["turn"] == 4  # whoever is down has had a turn
    assert [len(hand) for hand in table["hands"]] == [2, 5, 11]


BAD: list[tuple[str, dict[str, Any]]] = [
    ("lists of cards", {"hands": [None, None]}),
    ("hands", {}),
    ("not a card", {"hands": [["11S"], None, None]}),
    ("list of cards", {"hands": ["5S", None, None]}),
    ("unknown key", {"hands": [None] * 3, "hand": []}),
    ("wrong number", {"hands": [["5S"], None, None]}),
    ("wrong number", {"hands": [DULL, None, None]}),
    ("wrong number", {"hands": [DULL[:11], None, None], "phase": "discard", "down": [True, False, False]}),
    ("too often", {"hands": [None] * 3, "pile": ["5S", "5S", "5S"]}),
    ("no combination", {"hands": [None] * 3, "melds": [["5S", "6S", "7S"]]}),
    ("combination", {"hands": [None] * 3, "melds": [["5S", "5H", "5D"]]}),
    ("number of cards", {"hands": [None, None, None], "melds": [["5S", "5H", "5D"]] * 2, "down": [True, True, True]}),
    ("is not seat", {"hands": [None] * 3, "actor": 1, "turn": 1}),
    ("turn", {"hands": [None] * 3, "turn": 121}),
    ("round", {"hands": [None] * 3, "round": 7}),
    ("phase", {"hands": [None] * 3, "phase": "night"}),
    ("pile", {"hands": [None] * 3, "pile": []}),
    ("stock is empty", {"hands": [None] * 3, "stock": [], "rest": "pile"}),
    ("points", {"hands": [None] * 3, "points": [5, 0, 0]}),
    ("points", {"hands": [None] * 3, "round": 2, "points": [0, 0, 0], "last_hands": [["5S"], [], []]}),
    ("points", {"hands": [None] * 3, "round": 2, "points": [192, 0, 0]}),
    ("known", {"hands": [None] * 3, "known": [["KD"], [], []]}),
    ("taken", {"hands": [None] * 3, "taken": "KD"}),
    ("taken", {"hands": [DULL, None, None], "phase": "play", "taken": "KD"}),
    ("taken", {"hands": [None] * 3, "taken": "AS", "phase": "draw"}),
    ("contract", {"hands": [None] * 3, "needed": {"brelans": 1, "quartes": 0}}),
    ("contract", {"hands": [DULL[:9], None, None], "phase": "contract", "melds": [["QS", "QH", "QD"]]}),
    (
        "no way to finish",
        {
            "hands": [DULL[:9], None, None],
            "phase": "contract",
            "melds": [["QS", "QH", "QD"]],
            "needed": {"brelans": 1, "quartes": 0},
        },
    ),
    ("stock of discards", {"hands": [None] * 3, "recycled": {"cards": ["5S"]}}),
    ("stock of discards", {"hands": [None] * 3, "recycled": {"cards": [], "fresh": [1, 0, 0]}}),
    ("whose turn", {"hands": [None] * 3, "phase": "over"}),
    ("down", {"hands": [None] * 3, "down": [1, 0, 0]}),
]


@pytest.mark.parametrize(("reason", "table"), BAD)
def test_impossible_positions_are_refused(reason: str, table: dict[str, Any]) -> None:
    with pytest.raises(InvalidPosition, match=reason):
        GAME.position({"table": table})


def test_a_run_of_mixed_suits_needs_the_option() -> None:
    table = {"hands": [None] * 3, "round": 3, "down": [True, False, False], "actor": 0}
    table["melds"] = [["5S", "6H", "7S", "8S"], ["9D", "10D", "JD", "QD"]]
    with pytest.raises(InvalidPosition, match="combination"):
        GAME.position({"table": table})
    GAME.position({"table": table, "options": {"runs": "any_suit"}})
