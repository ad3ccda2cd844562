"""The players of Double Lucky 7: what they rate highly, that they play by the rules, and what they think of a match."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.bots.ladder import make_contestant
from ludotheque.core.chooser import MASK
from ludotheque.core.jit import plain
from ludotheque.core.ladder import LEVELS
from ludotheque.core.match import Match
from ludotheque.games.double_lucky_7 import bots, planning, rules
from ludotheque.lab.duels import play_deal
from tests.games.playing import chances, record

GAME = ludotheque.game("double_lucky_7")
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil"]


def at(hands: list[list[str]], **table: Any) -> Match:
    """A match in a position: red is trump unless another card is turned."""
    position = {"turned": "R1", "round": len(hands[0]), "hands": hands, **table}
    return GAME.position({"players": NAMES[: len(hands)], "options": {}, "table": position})


def best(match: Match, level: str = "club") -> str:
    """What a level plays, as text."""
    return make_contestant(GAME, level, 1).think(match, budget="400it").move


def third_seat(bid: int) -> Match:
    """Cleo plays last to blue 4 and blue 10, and may play under or over."""
    hands = [["B2", "G2"], ["B3", "G3"], ["B9", "B12", "G5"]]
    return at(hands, round=3, bids=[0, 3, bid] if bid else [0, 2, 0], dealer=0, leader=0, trick={"0": "B4", "1": "B10"})


def test_club_takes_a_trick_it_needs_and_ducks_one_it_does_not() -> None:
    assert best(third_seat(1)) == "B12"
    assert best(third_seat(0)) == "B9"


def test_club_leads_no_low_trump_for_a_trick() -> None:
    hands = [["R2", "B13", "G12"], ["G3", "G4", "G5"], ["B1", "B2", "B3"]]
    match = at(hands, bids=[2, 0, 0], dealer=0, leader=0)
    assert best(match) == "B13"
    high = [["R9", "B13", "G12"], *hands[1:]]
    assert best(at(high, bids=[2, 0, 0], dealer=0, leader=0)) == "R9"


def test_club_bids_what_it_counts() -> None:
    strong = [["joker", "R14", "R13"], ["G1", "G2", "G3"], ["B1", "B2", "B3"]]
    assert best(at(strong)) == "bid 3"
    weak = [["G2", "B2", "Y2"], ["G4", "G5", "G6"], ["B4", "B5", "B6"]]
    assert best(at(weak)) == "bid 0"


@pytest.mark.parametrize("level", ["club", "strong"])
def test_D5_trump_is_the_best_colour(level: str) -> None:
    hands = [["G14", "G13", "G12", "B1"], ["R1", "R2", "R3", "R4"], ["Y1", "Y2", "Y3", "Y4"]]
    assert best(at(hands, turned="joker"), level) == "trump G"


def test_a_search_takes_the_last_trick_it_needs() -> None:
    assert best(third_seat(1), "strong") == "B12"
    assert best(third_seat(0), "strong") == "B9"


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("lead", ["dealer", "winner"])
def test_both_kinds_of_player_play_by_the_rules(seats: int, lead: Any) -> None:
    policy, rival = plain(bots.policy), plain(bots.rival)
    out = np.zeros(rules.NUM_ACTIONS, np.int16)
    match = GAME.new(seats, seed=seats, rounds=7, lead=lead)
    while not match.over:
        s = record(match)
        careful = policy(s, s.actor, 1, out)
        assert rival(s, s.actor, 0, 1, out) == careful
        by_thumb = rival(s, s.actor, MASK, 1, out)  # everybody but the thinker follows the rules of thumb
        assert by_thumb == plain(bots.thumb_move)(s, s.actor, out)
        assert {careful, by_thumb} <= set(out[: plain(rules.legal)(s, s.actor, out)].tolist())
        match.play(GAME.moves[careful])


def test_every_level_plays_a_short_match() -> None:
    match = GAME.new(5, seed=3, rounds=7)
    players = [make_contestant(GAME, level, 1) for level in LEVELS]
    while not match.over:
        match.play(players[match.actor].choose(match, budget="40it"))
    assert len(match.scores) == 5


def test_chances_add_up_and_follow_the_points() -> None:
    hands = [["G1"], ["B1"], ["Y1"], ["G2"]]
    late = chances(GAME, record(at(hands, round=14, points=[100, 90, 90, 20])))
    early = chances(GAME, record(at(hands, round=1, points=[100, 90, 90, 20])))
    for values in (late, early):
        assert sum(values) == pytest.approx(1)
        assert values[0] > values[1] > values[3]
        assert values[1] == pytest.approx(values[2])
    assert late[0] > early[0]


def test_D14_equals_share_a_finished_match() -> None:
    s = record(at([["G1"], ["B1"], ["Y1"]], round=14, points=[80, 80, 30]))
    s.over, s.phase = 1, rules.OVER
    assert chances(GAME, s) == [0.5, 0.5, 0.0]


def test_high_bids_go_with_high_cards() -> None:
    plausible = plain(bots.plausible)
    fits = record(at([["G1", "G2", "G3"], ["R14", "R13", "joker"], ["B1", "B2", "B3"]], bids=[0, 3, None]))
    does_not = record(at([["G1", "G2", "G3"], ["B1", "B2", "B3"], ["R14", "R13", "joker"]], bids=[0, 3, None]))
    assert plausible(fits, 2) > 10 * plausible(does_not, 2)


def test_expected_tricks_grow_with_the_cards() -> None:
    expected = plain(planning.expected_tricks)
    s = record(at([["B1", "B2", "B3"], ["R2", "G3", "B4"], ["R14", "G13", "joker"]]))
    low, high = (expected(s, seat, s.hand[seat], 3, 1.0) for seat in (1, 2))
    assert 0 < low < 2 < high <= 3


@pytest.mark.slow
@pytest.mark.compiled_only
def test_each_level_beats_the_one_below() -> None:
    for weak, better in pairwise(LEVELS[:4]):
        deals = [play_deal(GAME, better, weak, 4, seed, {}) for seed in range(12)]
        assert sum(deal.points - deal.others for deal in deals) > 0


def best_for_each(match: Match) -> tuple[list[int], list[int]]:
    """What everybody makes of the rest of the round if all see all cards, and the best cards to play now."""
    round_no, seat, found = record(match).round_no, match.actor, []
    before = list(match.scores)
    for move in match.legal():
        after = match.copy()
        after.play(move)
        if after.over or record(after).round_no != round_no:
            points = [now - then for now, then in zip(after.scores, before, strict=True)]
        else:
            points = [a + b - c for a, b, c in zip(best_for_each(after)[0], after.scores, before, strict=True)]
        found.append((8 * points[seat] - (sum(points) - points[seat]), points, move.id))
    best = max(value for value, _, _ in found)
    return next(points for value, points, _ in found if value == best), [a for value, _, a in found if value == best]


@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {"lead": "winner"}), (4, {}), (4, {"lead": "winner"})])
def test_the_last_two_tricks_are_played_exactly(players: int, options: dict[str, Any]) -> None:
    out = np.zeros(GAME.info.num_actions, np.int16)
    chance, checked = random.Random(7), 0
    for seed in range(3):
        match = GAME.new(players, seed=seed, **options)
        while not match.over:
            s = record(match)
            if s.phase == rules.PLAYING and s.num_cards - s.num_tricks == 2 and len(match.legal_ids()) > 1:
                assert plain(bots.exact_card)(s, s.actor, out) in best_for_each(match)[1]
                checked += 1
            match.play(chance.choice(match.legal()))
    assert checked > 30
