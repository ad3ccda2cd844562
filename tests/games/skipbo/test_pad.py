"""The score pad of Skip-Bo De Luxe: a story per scoring rule, and the same results as matches on the engine."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludotheque
from ludotheque import InvalidOptions
from ludotheque.core.jit import COMPILED
from ludotheque.core.pad import Pad
from ludotheque.core.pad_entry import InvalidEntry
from ludotheque.games.skipbo.state import DISCARD, FROM_PILES, SAY

GAME = ludotheque.game("skipbo")
NAMES = ["Ana", "Ben", "Cleo", "Dan"]


def start(players: int = 3, **options: Any) -> Pad:
    return ludotheque.pad("skipbo", NAMES[:players], **{"first": 1, "match": "points", **options})


def left(pad: Pad, *rounds: list[int]) -> Pad:
    for stocks in rounds:
        pad = pad.enter({"stocks": stocks})
    return pad


def blocked(pad: Pad, *stocks: int) -> Pad:
    return pad.enter({"stocks": list(stocks), "blocked": True})


def test_S2_no_stock_is_larger_than_it_was_dealt() -> None:
    assert left(start(stock=20), [0, 20, 20])
    with pytest.raises(InvalidEntry, match=r"goes from 0 to 20; Cleo cannot have 21. \[S2\]"):
        left(start(stock=20), [0, 20, 21])


def test_S3_the_deal_moves_left() -> None:
    pad = start()
    dealers = []
    for _ in range(4):
        assert pad.form is not None
        dealers.append(pad.form.seat)
        pad = left(pad, [0, 1, 1])
    assert dealers == [1, 2, 0, 1]


def test_S11_the_smallest_stock_wins_a_blocked_round_and_equals_share() -> None:
    assert blocked(start(), 5, 3, 8).totals == [0, 25 + 5 * 13, 0]
    pad = blocked(start(), 3, 3, 8)
    assert pad.totals == [65, 65, 0]
    assert pad.rounds[0].notes[0]["ending"] == "blocked"


def test_S11_a_round_with_an_empty_stock_was_not_blocked() -> None:
    with pytest.raises(InvalidEntry, match=r"Ana has no stock left, so the round was not blocked. \[S11\]"):
        blocked(start(), 0, 3, 8)
    with pytest.raises(InvalidEntry, match=r"Ana and Cleo have no stock left.* \[S11\]"):
        blocked(start(4, teams=True), 0, 3, 0, 8)


def test_S11_the_teams_stocks_count_together() -> None:
    assert blocked(start(4, teams=True), 0, 3, 8, 4).totals == [0, 65, 0, 65]
    assert blocked(start(4, teams=True), 4, 3, 3, 4).totals == [25] * 4


def test_S12_the_round_goes_to_the_one_without_a_stock() -> None:
    pad = start()
    before = pad.view()
    with pytest.raises(InvalidEntry, match=r"enter 0 there, or say that nobody could go on. \[S12\]") as caught:
        left(pad, [1, 2, 3])
    assert "plus personne ne pouvait jouer" in pad.refusal_text(caught.value, "fr")
    with pytest.raises(InvalidEntry, match=r"Ana and Cleo cannot all have 0 left. \[S12\]"):
        left(pad, [0, 2, 0])
    assert pad.view() == before
    assert left(pad, [4, 0, 6]).totals == [0, 75, 0]


def test_S13_points_until_the_target() -> None:
    pad = left(start(target=100), [0, 7, 7])
    assert (pad.totals, pad.over) == ([95, 0, 0], False)
    pad = left(pad, [1, 0, 1])
    assert (pad.totals, pad.over) == ([95, 35, 0], False)
    pad = left(pad, [0, 1, 1])
    assert (pad.totals, pad.over, pad.places) == ([130, 35, 0], True, [1, 2, 3])


def test_S13_the_target_itself_is_enough_and_the_printed_one_is_500() -> None:
    pad = left(start(2), *[[0, 5]] * 9)
    assert (pad.totals, pad.over) == ([450, 0], False)
    assert left(pad, [0, 5]).over
    assert not left(pad, [0, 4]).over


def test_S13_the_target_ranges_from_50_to_1000() -> None:
    for target in (49, 1001):
        with pytest.raises(InvalidOptions):
            start(2, target=target)
    assert left(start(2, target=50), [0, 5]).over
    assert not left(start(2, target=1000), *[[0, 5]] * 19).over
    assert left(start(2, target=1000), *[[0, 5]] * 20).over


def test_S13_several_past_the_target_the_highest_wins_and_equals_share() -> None:
    pad = blocked(left(start(target=100), [0, 1, 9], [2, 0, 6]), 2, 2, 8)
    assert (pad.totals, pad.over, pad.places) == ([140, 130, 0], True, [1, 2, 3])
    even = blocked(left(start(target=100), [0, 1, 9], [1, 0, 9]), 2, 2, 8)
    assert (even.totals, even.places) == ([140, 140, 0], [1, 1, 3])


def test_S13_in_a_single_match_places_go_by_fewest_stock_cards() -> None:
    pad = left(start(4, match="single", stock=30), [7, 0, 3, 7])
    assert (pad.over, pad.places) == (True, [3, 1, 2, 3])
    assert pad.totals == [23, 30, 27, 23]
    assert (pad.score_text("en"), pad.score_text("fr")) == ("Stock cards played", "Cartes de stock jouées")
    assert start().score_text("fr") == "Points"


def test_S14_partners_score_as_one() -> None:
    pad = left(start(4, teams=True), [3, 0, 4, 0])
    assert pad.sides == [[0, 2], [1, 3]]
    assert pad.totals == [0, 60, 0, 60]
    assert left(pad, [0, 30, 0, 30]).places == [1, 3, 1, 3]
    with pytest.raises(InvalidEntry, match=r"\[S14\]"):
        left(pad, [0, 3, 4, 5])
    with pytest.raises(ludotheque.InvalidOptions, match="four players"):
        start(3, teams=True)


def test_S15_S16_with_manners_a_stock_can_have_grown() -> None:
    pad = left(start(stock=10, manners=True), [0, 14, 3])
    assert pad.totals == [25 + 5 * 17, 0, 0]
    with pytest.raises(InvalidEntry, match=r"cannot add up to 170 cards: there are only 162 in the box. \[S1\]"):
        left(start(manners=True), [0, 85, 85])
    single = left(start(stock=10, manners=True, match="single"), [0, 14, 3])
    assert (single.totals, single.places) == ([10, -4, 7], [1, 3, 2])


tables = st.sampled_from([(2, False), (3, False), (4, False), (4, True)])


@settings(max_examples=20 if COMPILED else 8, deadline=None)
@given(
    seed=st.integers(0, 2**32), table=tables, match_kind=st.sampled_from(["single", "points"]), manners=st.booleans()
)
def test_the_pad_agrees_with_the_engine(seed: int, table: tuple[int, bool], match_kind: str, manners: bool) -> None:
    rng = random.Random(seed)
    players, teams = table
    options: dict[str, Any] = {"stock": 5, "match": match_kind, "target": 150, "teams": teams, "manners": manners}
    match = GAME.new(players, seed, **options)
    while not match.over:
        seat = match.actor
        if manners and rng.random() < 0.02:
            seat = rng.choice([mover for mover in match.movers() if SAY in match.legal_ids(mover)] or [seat])
        ids = match.legal_ids(seat)
        plays = [action for action in ids if FROM_PILES <= action < DISCARD] or [a for a in ids if a < DISCARD]
        action = SAY if seat != match.actor else rng.choice(plays if plays and rng.random() < 0.9 else ids)
        match.play(GAME.moves[action], seat)
    events = [event for step in match.events() for event in step]
    deals = [event for event in events if event["type"] == "deal"]
    pad = ludotheque.pad("skipbo", players, first=deals[0]["seat"], **options)
    for deal, told in zip(deals, match.rounds(), strict=True):
        assert pad.form is not None
        assert (pad.form.seat, pad.form.params["round"]) == (deal["seat"], deal["round"])
        pad = pad.enter({"stocks": told["stocks"], "blocked": told["ending"] == "blocked"})
        assert (pad.rounds[-1].points, pad.totals) == (told["points"], told["scores"])
        assert pad.rounds[-1].notes[0] == told
    assert (pad.over, pad.totals, pad.places) == (True, match.scores, match.places)


def test_S13_a_pad_is_a_match_for_points_unless_told_otherwise() -> None:
    assert ludotheque.pad("skipbo", 3, first=0).enter({"stocks": [0, 7, 7]}).totals == [95, 0, 0]
    single = ludotheque.pad("skipbo", 3, first=0, match="single").enter({"stocks": [0, 7, 7]})
    assert single.over and Pad.from_json(single.to_json()) == single
    assert GAME.options(3, {})["match"] == "single"


def test_S16_a_stock_that_has_grown_is_asked_about() -> None:
    polite = start(manners=True, stock=20)
    (question,) = polite.check({"stocks": [0, 20, 31]}).questions
    assert polite.question_text(question) == "Cleo has 31 cards left in the stock, and 20 were dealt: is that right?"
    assert not polite.check({"stocks": [0, 20, 20]}).questions
