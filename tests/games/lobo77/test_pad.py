"""The score pad of LOBO 77: a story per scoring rule, and the same results as matches on the engine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludotheque
from ludotheque import MatchOver
from ludotheque.core.pad import Pad
from ludotheque.core.pad_entry import InvalidEntry
from tests.games.playing import played_at_random

GAME = ludotheque.game("lobo77")
NAMES = ["Ana", "Ben", "Cleo", "Dan"]
ANA, BEN, CLEO, DAN = range(4)


def start(players: int = 4, **options: Any) -> Pad:
    return ludotheque.pad("lobo77", NAMES[:players], **{"first": ANA, **options})


def lose(pad: Pad, *losses: tuple[int, int]) -> Pad:
    for player, total in losses:
        pad = pad.enter({"player": player, "total": total})
    return pad


def dealer_and_opener(pad: Pad) -> tuple[int, int]:
    assert pad.form is not None
    return pad.form.params["seat"], pad.form.params["other"]


@pytest.mark.parametrize("tokens", [1, 3, 6])
def test_L2_everybody_starts_with_the_tokens_agreed(tokens: int) -> None:
    assert start(tokens=tokens).totals == [tokens] * 4


def test_L4_left_of_the_dealer_opens() -> None:
    assert dealer_and_opener(start(first=DAN)) == (DAN, ANA)
    title = start(first=DAN).form_view("en")
    assert title is not None and title["title"] == "Round 1: Dan deals, Ana opens."


def test_L7_a_doublet_costs_a_token_and_play_goes_on() -> None:
    pad = lose(start(), (BEN, 33), (BEN, 66))
    assert pad.totals == [3, 1, 3, 3]
    assert len(pad.rounds) == 1 and not pad.rounds[0].is_done
    assert pad.rounds[0].points == [0, -2, 0, 0]


@pytest.mark.parametrize("total", [0, 12, 76, 88, -11])
def test_L7_other_totals_cost_nothing(total: int) -> None:
    with pytest.raises(InvalidEntry, match=r"\[L7\]"):
        start().enter({"player": ANA, "total": total})


def test_L16_77_costs_one_token_and_ends_the_round() -> None:
    pad = lose(start(), (BEN, 33), (CLEO, 77))
    assert pad.rounds[0].is_done and pad.rounds[0].points == [0, -1, -1, 0]
    assert pad.form is not None and pad.form.params["round"] == 2


def test_L17_who_opened_deals_next() -> None:
    pad = lose(start(), (CLEO, 77))
    assert dealer_and_opener(pad) == (BEN, CLEO)
    assert dealer_and_opener(lose(pad, (ANA, 77))) == (CLEO, DAN)


def test_L17_if_the_opener_is_out_the_next_to_the_left_deals() -> None:
    pad = lose(start(tokens=1), (BEN, 11), (BEN, 22), (ANA, 77))
    assert dealer_and_opener(pad) == (CLEO, DAN)


def test_L18_who_has_no_token_swims_and_is_out_on_the_next_loss() -> None:
    pad = lose(start(tokens=1), (BEN, 77))
    assert [pad.note_text(note) for note in pad.rounds[0].notes] == ["Ben is swimming: one more loss and they are out."]
    pad = lose(pad, (BEN, 44))
    assert pad.note_text(pad.rounds[1].notes[0]) == "Ben is out of the match, in 4th place."
    with pytest.raises(InvalidEntry, match=r"one of Ana, Cleo, Dan, not 1. \[L18\]"):
        lose(pad, (BEN, 55))


def test_L18_without_swimming_the_last_token_is_the_end() -> None:
    pad = lose(start(tokens=1, swim=False), (BEN, 77))
    assert pad.rounds[0].notes[0]["type"] == "out"
    assert pad.places[BEN] == 4


def test_L21_the_match_ends_with_one_player_left_also_in_mid_round() -> None:
    pad = lose(start(3, tokens=1, swim=False), (BEN, 77), (ANA, 33))
    assert pad.over
    assert pad.places == [2, 3, 1]
    assert pad.rounds[-1].is_done
    assert pad.note_text(pad.rounds[-1].notes[-1]) == "The match is over: Cleo wins!"
    with pytest.raises(MatchOver):
        lose(pad, (CLEO, 77))


def test_L21_a_swimmer_can_win() -> None:
    pad = lose(start(2, tokens=1), (ANA, 77), (BEN, 77), (ANA, 11))
    assert (pad.over, pad.totals, pad.places) == (True, [0, 0], [2, 1])


def test_L21_the_literal_end_stops_with_one_owner_of_tokens() -> None:
    pad = lose(start(tokens=1, end="last_tokens"), (ANA, 77), (ANA, 11), (BEN, 22))
    assert not pad.over
    pad = lose(pad, (CLEO, 33))
    assert pad.over
    assert pad.places == [4, 2, 2, 1]


def test_a_correction_gives_the_token_back() -> None:
    pad = lose(start(tokens=1), (BEN, 77), (BEN, 11), (CLEO, 77))
    corrected = pad.correct(1, {"player": DAN, "total": 11})
    assert corrected.totals == [1, 0, 0, 0]
    assert [note["type"] for row in corrected.rounds for note in row.notes] == ["swims"] * 3


options = st.fixed_dictionaries(
    {
        "tokens": st.integers(1, 3),
        "swim": st.booleans(),
        "repeat_costs": st.booleans(),
        "end": st.sampled_from(["last_standing", "last_tokens"]),
        "card_76": st.booleans(),
    }
)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 8), options=options)
def test_the_pad_agrees_with_the_engine(seed: int, players: int, options: dict[str, Any]) -> None:
    match = played_at_random(GAME, players, seed, **options)
    events = [event for step in match.events() for event in step]
    pad = ludotheque.pad("lobo77", players, first=events[0]["seat"], **options)
    for event in events:
        if event["type"] == "deal":
            assert dealer_and_opener(pad) == (event["seat"], event["other"])
            assert pad.form is not None and pad.form.params["round"] == event["round"]
        elif event["type"] in ("token", "last_token", "sunk"):
            pad = lose(pad, (event["seat"], min(event["total"], 77)))
        elif event["type"] == "round_end":
            assert (pad.rounds[-1].points, pad.totals) == (event["points"], event["scores"])
    assert (pad.over, pad.totals, pad.places) == (True, match.scores, match.places)
