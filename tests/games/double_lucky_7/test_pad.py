"""The score pad of Double Lucky 7: a story per scoring rule, and the same results as matches on the engine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludotheque
from ludotheque.core.pad import Pad
from ludotheque.core.pad_entry import InvalidEntry
from tests.games.playing import played_at_random

GAME = ludotheque.game("double_lucky_7")
NAMES = ["Ana", "Ben", "Cleo", "Dan"]


def start(**options: Any) -> Pad:
    return ludotheque.pad("double_lucky_7", NAMES, **{"first": 1, "seed": 7, **options})


def play(pad: Pad, *rounds: tuple[list[int], list[int]]) -> Pad:
    for bids, tricks in rounds:
        pad = pad.enter({"bids": bids}).enter({"tricks": tricks})
    return pad


def to_round(number: int, **options: Any) -> Pad:
    """A pad before that round; nobody has a point, since everybody has missed every bid."""
    pad = start(**options)
    for k in range(1, number):
        cards = k if k <= 7 else 15 - k
        pad = play(pad, ([cards] * 4, [1, cards - 1, 0, 0])) if cards > 1 else play(pad, ([1, 1, 1, 0], [0, 0, 0, 1]))
    return pad


def test_D2_the_cards_go_up_to_seven_and_down_again() -> None:
    pad = start()
    cards = []
    while pad.form is not None:
        n = pad.form.params["n"]
        cards.append(n)
        pad = play(pad, ([0] * 4, [n, 0, 0, 0]))
    assert cards == [1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1]


def test_D2_the_short_game_ends_after_the_seventh_round() -> None:
    pad = to_round(7, rounds=7)
    assert not pad.over and pad.form is not None
    assert pad.form.params["rounds"] == 7
    assert play(pad, ([0] * 4, [7, 0, 0, 0])).over


@pytest.mark.parametrize("tricks", [[0, 0, 0, 0], [1, 1, 0, 0], [1, 2, 0, 0]])
def test_D2_the_tricks_add_up_to_the_cards_of_the_round(tricks: list[int]) -> None:
    pad = to_round(3).enter({"bids": [1, 0, 1, 0]})
    before = pad.view()
    if sum(tricks) == 3:
        assert pad.enter({"tricks": tricks}).rounds[-1].is_done
        return
    with pytest.raises(InvalidEntry, match=rf"There are 3 tricks .* add up to {sum(tricks)}. \[D2\]") as caught:
        pad.enter({"tricks": tricks})
    assert caught.value.rule == "D2"
    assert pad.refusal_text(caught.value, "fr") == (
        f"Il y a 3 plis dans cette manche, mais le total inscrit est {sum(tricks)}. [D2]"
    )
    assert pad.view() == before


def test_D3_the_deal_moves_left() -> None:
    dealers = []
    pad = start()
    for n in (1, 2, 3, 4, 5):
        assert pad.form is not None
        dealers.append(pad.form.seat)
        pad = play(pad, ([0] * 4, [n, 0, 0, 0]))
    assert dealers == [1, 2, 3, 0, 1]


def test_D6_the_dealer_bids_first_then_clockwise() -> None:
    form = start().form_view("en")
    assert form is not None
    assert form["order"] == [1, 2, 3, 0]
    assert form["title"] == "Round 1 of 14, one card each: bids. Ben deals and bids first."
    assert (form["fields"][0]["low"], form["fields"][0]["high"]) == (0, 1)


def test_D7_the_bids_may_not_add_up_to_the_tricks() -> None:
    pad = to_round(2)
    with pytest.raises(InvalidEntry, match=r"the 2 tricks of this round, so the last player cannot bid 1. \[D7\]"):
        pad.enter({"bids": [0, 1, 0, 1]})  # Cleo deals, so Ben was the last
    assert pad.enter({"bids": [0, 2, 0, 1]}).entries[-1] == {"bids": [0, 2, 0, 1]}
    assert pad.enter({"bids": [0, 0, 0, 1]})


def test_D12_only_the_exact_bid_scores() -> None:
    pad = play(to_round(4), ([0, 2, 1, 2], [0, 2, 2, 0]))
    assert pad.rounds[-1].points == [10, 14, 0, 0]


def test_D13_the_seventh_round_counts_double_and_the_eighth_does_not() -> None:
    assert play(to_round(7), ([7, 0, 1, 0], [7, 0, 0, 0])).rounds[-1].points == [48, 20, 0, 20]
    assert play(to_round(8), ([7, 0, 1, 0], [7, 0, 0, 0])).rounds[-1].points == [24, 10, 0, 10]


def test_D13_the_form_of_the_double_round_says_so() -> None:
    for round_no in (6, 7, 8):
        bids = to_round(round_no)
        titles = [pad.form_view(lang) for pad in (bids, bids.enter({"bids": [0] * 4})) for lang in ("en", "fr")]
        assert ["double" in str(form and form["title"]) for form in titles] == [round_no == 7] * 4


def test_D14_equal_points_share_the_place() -> None:
    pad = play(to_round(14), ([0, 1, 0, 1], [0, 1, 0, 0]))
    assert pad.over
    assert (pad.totals, pad.places) == ([10, 12, 10, 0], [2, 1, 2, 4])
    assert [pad.note_text(note) for note in pad.rounds[-1].notes] == ["The match is over: Ben won with 12 points."]


def test_D15_forfeits_are_drawn_once_and_stay() -> None:
    pad = play(start(forfeits=True), ([0, 1, 0, 1], [0, 1, 0, 0]), ([1] * 4, [1, 1, 0, 0]))
    assert [note["seat"] for row in pad.rounds for note in row.notes] == [3, 2, 3]
    assert pad.rounds[0].notes[0]["draw"] != pad.rounds[1].notes[0]["draw"]
    assert Pad.from_json(pad.to_json()).rounds == pad.rounds
    corrected = pad.correct(1, {"tricks": [1, 0, 0, 0]})
    assert [note["seat"] for note in corrected.rounds[0].notes] == [0, 1, 3]
    assert corrected.rounds[1].notes == pad.rounds[1].notes
    own = play(start(forfeits=True, forfeit_list=["Danser."]), ([1, 1, 1, 0], [0, 0, 0, 1]))
    assert own.note_text(own.rounds[0].notes[0], "fr") == "Un gage pour Ana\N{NO-BREAK SPACE}: Danser."
    assert not play(start(), ([0, 1, 0, 1], [0, 1, 0, 0])).rounds[0].notes


def test_bids_stand_on_the_sheet_before_the_tricks_do() -> None:
    pad = start().enter({"bids": [0, 1, 0, 1]})
    assert not pad.rounds[0].is_done and pad.rounds[0].points == [0] * 4
    assert pad.entry_text(0) == "Bid: Ana 0, Ben 1, Cleo 0, Dan 1"


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 7), rounds=st.sampled_from([7, 14]))
def test_the_pad_agrees_with_the_engine(seed: int, players: int, rounds: int) -> None:
    match = played_at_random(GAME, players, seed, rounds=rounds)
    events = [event for step in match.events() for event in step]
    pad = ludotheque.pad("double_lucky_7", players, first=events[0]["seat"], rounds=rounds)
    deals = [event for event in events if event["type"] == "deal"]
    for deal, told in zip(deals, match.rounds(), strict=True):
        assert pad.form is not None
        assert (pad.form.seat, pad.form.params["n"]) == (deal["seat"], deal["n"])
        pad = play(pad, (told["bids"], told["tricks"]))
        assert (pad.rounds[-1].points, pad.totals) == (told["points"], told["scores"])
    assert (pad.over, pad.totals, pad.places) == (True, match.scores, match.places)
