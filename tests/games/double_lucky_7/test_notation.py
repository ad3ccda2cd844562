"""Double Lucky 7 as text: moves and positions, both ways."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque import InvalidMove, InvalidPosition
from ludotheque.core.jit import COMPILED
from ludotheque.core.match import Match

GAME = ludotheque.game("double_lucky_7")


@pytest.mark.parametrize("action", range(GAME.info.num_actions))
def test_every_move_has_a_text_that_is_read_back(action: int) -> None:
    text = GAME.moves.texts[action]
    assert GAME.moves.parse(text).id == action
    assert GAME.moves.parse(f"  {text.lower()} ").id == action
    assert GAME.moves.parse(text.upper()).id == action


def test_texts_of_moves() -> None:
    texts = GAME.moves.texts
    assert (texts[0], texts[13], texts[14], texts[28], texts[55], texts[56]) == (
        "R1",
        "R14",
        "G1",
        "B1",
        "Y14",
        "joker",
    )
    assert texts[57:61] == ("trump R", "trump G", "trump B", "trump Y")
    assert texts[61:] == tuple(f"bid {bid}" for bid in range(8))


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("V7", "G7"),
        ("v14", "G14"),
        ("J10", "Y10"),
        ("R3", "R3"),
        ("B3", "B3"),
        ("*", "joker"),
        ("Joker", "joker"),
        ("atout V", "trump G"),
        ("atout j", "trump Y"),
        ("atout r", "trump R"),
        ("Atout B", "trump B"),
        ("mise 2", "bid 2"),
        ("annonce 0", "bid 0"),
        ("m 7", "bid 7"),
    ],
)
def test_french_is_understood(typed: str, move: str) -> None:
    assert GAME.moves.parse(typed) == move


@pytest.mark.parametrize(
    "text", ["", " ", "R0", "R15", "Z3", "7", "G", "bid", "bid 8", "bid -1", "trump X", "trump", "0: R1"]
)
def test_other_texts_are_no_moves(text: str) -> None:
    match = GAME.new(2, seed=1)
    before = match.to_bytes()
    with pytest.raises(InvalidMove):
        match.play(text)
    assert match.to_bytes() == before


# Positions


def without_journal(match: Match) -> bytes:
    """The record, but for what the last move did."""
    row = np.frombuffer(match.to_bytes(), GAME.info.state).copy()
    for name in ("num_events", "event_kind", "event_seat", "event_args"):
        row[name] = 0
    return row.tobytes()


OPTIONS: list[dict[str, Any]] = [
    {},
    {"lead": "winner", "rounds": 7},
    {"forfeits": True, "forfeit_list": ["Sing.", "Dance."]},
]


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("options", OPTIONS)
def test_positions_of_whole_matches_are_read_back(players: int, options: dict[str, Any]) -> None:
    chooser = random.Random(players)
    match = GAME.new(players, seed=players, **options)
    stride = 1 if COMPILED else 7
    while True:
        if match.over or len(match.moves) % stride == 0:
            written = json.loads(json.dumps(match.position()))
            again = GAME.position(written)
            assert without_journal(again) == without_journal(match)
            assert again.position() == match.position()
            assert again.legal() == match.legal()
        if match.over:
            break
        match.play(chooser.choice(match.legal()))


BIDDING: dict[str, Any] = {"round": 2, "turned": "Y1", "hands": [["R1", "R2"], ["G1", "G2"]]}
PLAYING: dict[str, Any] = {
    "round": 3,
    "turned": "Y1",
    "dealer": 1,
    "hands": [["R1", "R2"], ["G1"]],
    "played": ["B1", "B2"],
    "bids": [1, 1],
    "tricks": [1, 0],
    "trick": {"1": "R14"},
}
DISCARDED: dict[str, Any] = {
    "round": 2,
    "turned": "Y1",
    "hands": [["G1"], ["B3"], ["B4", "Y3"]],
    "bids": [1, 1, 1],
    "trick": {"0": "R14", "1": "G14"},
}
OVER: dict[str, Any] = {
    "round": 14,
    "turned": "Y1",
    "hands": [[], []],
    "played": ["R1", "R2"],
    "bids": [1, 1],
    "tricks": [1, 0],
}


def read(table: dict[str, Any], players: int = 2, **others: Any) -> Match:
    """The match in a position."""
    return GAME.position({"players": players, "table": table, **others})


def test_what_is_left_out_has_a_default() -> None:
    match = read(BIDDING)
    assert (match.num_seats, match.actor, match.legal()) == (2, 0, ["bid 0", "bid 1", "bid 2"])
    assert match.scores == [0, 0]
    match = read(PLAYING)
    assert (match.actor, match.legal()) == (0, ["R1", "R2"])
    assert read(OVER).over
    match = read(DISCARDED, 3)
    assert match.view()["table"]["void"] == ["", "R", ""]  # as the trick shows


def test_cards_may_be_written_in_french() -> None:
    assert read({**BIDDING, "turned": "J1", "hands": [["r1", "R2"], ["V1", "*"]]}).position()["table"]["hands"] == [
        ["R1", "R2"],
        ["G1", "joker"],
    ]


@pytest.mark.parametrize(
    ("base", "change"),
    [
        # cards
        (BIDDING, {"hands": [["R1", "R1"], ["G1", "G2"]]}),
        (BIDDING, {"hands": [["R1", "R1", "R2"], ["G1", "G2"]]}),
        (BIDDING, {"hands": [["R1", "R2"], ["R1", "G2"]]}),
        (BIDDING, {"hands": [["R1", "Y1"], ["G1", "G2"]]}),
        (BIDDING, {"played": ["Y1"]}),
        (BIDDING, {"played": ["B1"]}),
        (BIDDING, {"hands": [["R1"], ["G1", "G2"]]}),
        (BIDDING, {"hands": [["R1", "R2", "R3"], ["G1", "G2"]]}),
        (BIDDING, {"hands": [["R1", "R2"]]}),
        (BIDDING, {"hands": [["R1", "R2"], ["G1", "G2"], ["B1", "B2"]]}),
        (BIDDING, {"hands": [["R1", "R15"], ["G1", "G2"]]}),
        (BIDDING, {"turned": "X1"}),
        (PLAYING, {"played": ["B1", "R1"]}),
        (PLAYING, {"played": ["B1"]}),
        (PLAYING, {"played": ["B1", "B2", "B3"]}),
        (PLAYING, {"played": ["B1", "B1"]}),
        (PLAYING, {"trick": {"1": "R1"}}),
        (PLAYING, {"trick": {"1": "Y1"}}),
        (PLAYING, {"trick": {"1": "B1"}}),
        # the round
        (BIDDING, {"round": 3}),
        (BIDDING, {"round": 0}),
        (BIDDING, {"round": 15}),
        (BIDDING, {"dealer": 2}),
        (BIDDING, {"phase": "play"}),
        (BIDDING, {"phase": "dance"}),
        (BIDDING, {"actor": 1}),
        # trump
        (BIDDING, {"trump": "R"}),
        (BIDDING, {"trump": "X"}),
        (BIDDING, {"trump": "RG"}),
        (BIDDING, {"trump": ""}),
        (BIDDING, {"turned": "joker", "bids": [1, None]}),
        (PLAYING, {"turned": "joker"}),
        # bids
        (BIDDING, {"bids": [3, None]}),
        (BIDDING, {"bids": [None, 1]}),
        (BIDDING, {"bids": [1, 1]}),
        (BIDDING, {"bids": [1]}),
        (BIDDING, {"bids": [-1, None]}),
        (BIDDING, {"bids": [True, None]}),
        (BIDDING, {"bids": ["1", None]}),
        (PLAYING, {"bids": [1, 2]}),
        (PLAYING, {"bids": [4, 4]}),
        (PLAYING, {"bids": [None, None]}),
        (PLAYING, {"bids": [None, 1]}),
        # tricks
        (BIDDING, {"tricks": [1, 0]}),
        (BIDDING, {"bids": [1, 2], "tricks": [1, 0]}),
        (PLAYING, {"tricks": [1, 1]}),
        (PLAYING, {"tricks": [0, 0]}),
        (PLAYING, {"trick": {"0": "R14"}}),
        (PLAYING, {"trick": {"2": "R14"}}),
        (PLAYING, {"trick": {"1": "R14", "0": "R13"}}),
        (PLAYING, {"trick": {"1": "R14", "0": "R13"}, "hands": [["R1"], ["G1"]]}),
        (PLAYING, {"trick": {"1": 14}}),
        (PLAYING, {"void": ["R", ""]}),
        (PLAYING, {"void": ["Q", ""]}),
        (PLAYING, {"void": [""]}),
        (PLAYING, {"leader": 5}),
        (DISCARDED, {"hands": [["G1"], ["R3"], ["B4", "Y3"]]}),
        # other numbers
        (BIDDING, {"points": [0]}),
        (BIDDING, {"points": [0, 401]}),
        (BIDDING, {"points": [-2, 0]}),
        (BIDDING, {"points": [11, 0]}),
        (BIDDING, {"dealer_draw": ["R1"]}),
        (BIDDING, {"dealer_draw": ["R1", "?"]}),
        (BIDDING, {"last": {"points": [0, 49]}}),
        (BIDDING, {"last": {"points": [0, 0], "luck": 1}}),
        (OVER, {"round": 13}),
        (OVER, {"round": 1}),
        (OVER, {"played": []}),
        (OVER, {"hands": [["R5"], []]}),
        (OVER, {"bids": [1, 0]}),
        # types and names
        (BIDDING, {"weather": "fine"}),
        (BIDDING, {"hands": "R1"}),
        (BIDDING, {"hands": [["R1", 2], ["G1", "G2"]]}),
        (BIDDING, {"hands": None}),
        (BIDDING, {"turned": 3}),
        (BIDDING, {"turned": None}),
        (BIDDING, {"round": "2"}),
        (BIDDING, {"round": True}),
        (BIDDING, {"round": 2.0}),
        (BIDDING, {"played": "B1"}),
        (BIDDING, {"bids": {}}),
        (BIDDING, {"trick": []}),
        (BIDDING, {"last": []}),
        (BIDDING, {"points": ["0", "0"]}),
    ],
)
def test_impossible_positions_are_refused(base: dict[str, Any], change: dict[str, Any]) -> None:
    players = len(base["hands"])
    read(base, players)  # which is possible
    with pytest.raises(InvalidPosition):
        read({**base, **change}, players)


@pytest.mark.parametrize("name", ["turned", "hands"])
def test_these_facts_are_needed(name: str) -> None:
    with pytest.raises(InvalidPosition, match=name):
        read({key: value for key, value in BIDDING.items() if key != name})


def test_the_leader_is_the_dealer_where_the_dealer_leads() -> None:
    other = {**PLAYING, "leader": 0, "trick": {}, "hands": [["R1", "R2"], ["G1", "G2"]]}
    with pytest.raises(InvalidPosition):
        read(other)
    assert read(other, options={"lead": "winner"}).actor == 0
    with pytest.raises(InvalidPosition):  # who has no trick did not win the last one
        read({**PLAYING, "tricks": [1, 0]}, options={"lead": "winner"})
    with pytest.raises(InvalidPosition):  # the first trick is the dealer's
        read({**BIDDING, "bids": [1, 2], "leader": 1}, options={"lead": "winner"})


JUNK: list[Any] = [None, True, -1, 3, 10**30, 1.5, float("nan"), "", "x", "R1", [], [None], [[]], [-1, 10**30], {}]
JUNK += [{"0": None}, {"0": "R1"}, [["R1"], ["R1"]], [{}, []], ["R1", "R2"], [True, False], [[3, 0]], ["1", "2"]]


def test_no_junk_gets_through_or_breaks_anything() -> None:
    good = read(PLAYING).position()
    places = [("table", name) for name in good["table"]] + [("chance", name) for name in good["chance"]]
    places += [("chance", "seed"), ("chance", "draws"), ("table", "x"), ("chance", "x")]
    for part, name in places:
        for junk in JUNK:
            try:
                match = GAME.position({**good, part: {**good[part], name: junk}})
            except InvalidPosition:
                continue
            assert match.state.over or match.legal(), (part, name, junk)
    for name in [*good, "x"]:
        for junk in JUNK:
            try:
                GAME.position({**good, name: junk})
            except InvalidPosition:
                continue
            assert (name, junk) in [("ply", 3), ("options", {}), ("chance", {})] or name == "players"
    for junk in JUNK:
        with pytest.raises(InvalidPosition):
            GAME.position(junk)
