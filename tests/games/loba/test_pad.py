"""The score pad of Loba: a story per scoring rule, counting hands, and the same results as matches on the engine."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludotheque
from ludotheque.core.jit import COMPILED
from ludotheque.core.pad import Pad
from ludotheque.core.pad_entry import InvalidEntry
from ludotheque.games.loba.cards import BRELAN
from ludotheque.games.loba.notation import CARDS
from ludotheque.games.loba.pad import most_points

GAME = ludotheque.game("loba")
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eve"]


def start(players: int = 4, **options: Any) -> Pad:
    return ludotheque.pad("loba", NAMES[:players], **{"first": 2, **options})


def count(pad: Pad, *rounds: list[Any]) -> Pad:
    for points in rounds:
        pad = pad.enter({"points": points})
    return pad


def test_B3_the_deal_moves_left() -> None:
    pad = start()
    dealers = []
    while pad.form is not None:
        dealers.append(pad.form.seat)
        pad = count(pad, [0, 1, 2, 3])
    assert dealers == [2, 3, 0, 1, 2, 3]


def test_B5_six_rounds_each_with_its_contract() -> None:
    pad = start()
    titles = []
    while pad.form is not None:
        form = pad.form_view("en")
        assert form is not None
        titles.append(form["title"].partition(": ")[2].partition(".")[0])
        pad = count(pad, [0, 1, 2, 3])
    assert titles == [
        "two sets",
        "a set and a run",
        "two runs",
        "three sets",
        "two sets and a run",
        "a set and two runs",
    ]
    assert pad.over and pad.totals == [0, 6, 12, 18]


def test_B17_only_one_player_goes_out() -> None:
    pad = start()
    with pytest.raises(InvalidEntry, match=r"Ana and Cleo cannot all have 0. \[B17\]"):
        count(pad, [0, 5, 0, 7])
    assert not pad.rounds
    assert count(pad, [3, 5, 0, 7]).rounds[0].notes == [{"type": "out", "seat": 2}]


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("5S 10H *", 40),
        ("AS AH AD", 3),
        ("JS QS KS", 36),
        ("* * * *", 100),
        ("5P, 10Co, RCa", 28),
        ("5 10 K *", 53),
        ("V D R", 36),
        ("10H 10 a", 21),
    ],
)
def test_B19_cards_are_counted(cards: str, points: int) -> None:
    assert start().reckon(cards).values == {"points": points}


def test_B19_a_hand_may_be_written_as_cards() -> None:
    pad = count(start(), ["5S 10H *", 0, "KD", 12])
    assert pad.totals == [40, 0, 13, 12]
    assert pad.entries[0] == {"points": [40, 0, 13, 12]}


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("5S 10X", "10X is not a card"),
        ("5S 5S 5S", r"There are not 3 of 5♠ in the box. \[B1\]"),
        ("* * * * *", r"There are not 5 of .*\[B1\]"),
        ("5 5 5 5 5 5 5 5 5S", r"There are not 9 of 5 in the box. \[B1\]"),
        ("5 11", "11 is not a card: write ranks"),
        (" , ", "Points in hand: nothing is written yet"),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS", r"That is 12 cards; nobody holds more than 11. \[B2\]"),
    ],
)
def test_B19_what_is_no_hand_is_refused(cards: str, reason: str) -> None:
    with pytest.raises(InvalidEntry, match=reason) as caught:
        start().reckon(cards)
    with pytest.raises(InvalidEntry, match=reason):
        count(start(), [cards, 1, 2, 3])
    assert start().refusal_text(caught.value, "fr") != str(caught.value)


def test_B19_no_hand_counts_more_than_its_cards_can() -> None:
    assert start().reckon("* * * * KS KS KH KH KD KD KC").values == {"points": 191}
    assert count(start(), [191, 0, 1, 1]).totals == [191, 0, 1, 1]
    with pytest.raises(InvalidEntry, match=r"goes from 0 to 191; Ana cannot have 192. \[B19\]"):
        count(start(), [192, 0, 1, 1])
    assert most_points(2) == 4 * 25 + 8 * 13 + 8 * 12 + 2 * 11
    assert count(start(), [191, most_points(2) - 191, 0, 1])
    with pytest.raises(
        InvalidEntry, match=r"2 fullest hands cannot add up to 323 points: the cards allow 322 .*\[B19\]"
    ):
        count(start(), [191, 0, 1, most_points(2) - 190])


def test_B20_the_lowest_sum_wins_and_equals_share() -> None:
    pad = count(start(), *[[0, 10, 10, 20]] * 6)
    assert (pad.over, pad.totals, pad.places) == (True, [0, 60, 60, 120], [1, 2, 2, 4])
    shared = pad.correct(0, {"points": [60, 0, 10, 20]}).correct(1, {"points": [1, 11, 10, 20]})
    assert (shared.totals, shared.places) == ([61, 51, 60, 120], [3, 1, 2, 4])
    even = count(start(3), *[[0, 7, 9], [7, 0, 9]] * 3)
    assert even.places == [1, 1, 3]
    assert even.note_text(even.rounds[-1].notes[-1]) == "The match is over: Ana and Ben won with 21 points."


def test_B21_nobody_went_out_and_everybody_counts() -> None:
    pad = count(start(), [5, 6, 7, 8])
    assert pad.totals == [5, 6, 7, 8]
    assert pad.note_text(pad.rounds[0].notes[0]) == "Everyone has had 40 turns: the round ends here."


@settings(max_examples=15 if COMPILED else 5, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    players=st.integers(3, 5),
    runs=st.sampled_from(["suited", "any_suit"]),
    out_by_discard=st.booleans(),
)
def test_the_pad_agrees_with_the_engine(seed: int, players: int, runs: Any, out_by_discard: bool) -> None:
    rng = random.Random(seed)
    match = GAME.new(players, seed, runs=runs, out_by_discard=out_by_discard)
    while not match.over:
        legal = match.legal()
        match.play(rng.choice([move for move in legal if move.id >= BRELAN] or legal))  # lay what can be laid
    events = [event for step in match.events() for event in step]
    pad = ludotheque.pad("loba", players, first=events[0]["seat"], runs=runs, out_by_discard=out_by_discard)
    deals = [event for event in events if event["type"] == "deal"]
    for deal, told in zip(deals, match.rounds(), strict=True):
        assert pad.form is not None and pad.form.seat == deal["seat"]
        for hand, points in zip(told["hands"], told["points"], strict=True):
            assert set(hand) <= set(CARDS)
            assert not hand or pad.reckon(" ".join(hand)).values == {"points": points}
        pad = count(pad, told["points"])
        assert (pad.rounds[-1].points, pad.totals) == (told["points"], told["scores"])
        out = [note["seat"] for note in pad.rounds[-1].notes if note["type"] == "out"]
        assert out == ([] if told["seat"] is None else [told["seat"]])
    assert (pad.over, pad.totals, pad.places) == (True, match.scores, match.places)


def test_b19_the_form_tells_what_each_card_counts() -> None:
    form = start().form_view()
    assert form is not None
    assert [form["counts"][rank] for rank in ("A", "7", "10", "J", "Q", "K", "*")] == [1, 7, 10, 11, 12, 13, 25]


def test_B21_a_round_without_a_0_is_asked_about() -> None:
    (question,) = start().check({"points": [3, 5, 1, 7]}).questions
    assert start().question_text(question) == "Nobody has 0, so nobody went out: did everybody play 40 turns?"
    assert start().question_text(question, "fr").endswith("a joué 40 tours\N{NO-BREAK SPACE}?")
    assert not start().check({"points": [3, 5, 0, 7]}).questions
    assert not start().check({"points": [3, 5, "", 7]}).questions
    assert count(start(), [3, 5, 1, 7]).totals == [3, 5, 1, 7]  # who says so writes it
