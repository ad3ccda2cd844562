"""The players of Skip-Bo: what they rate highly, that they play by the rules, and what they think of a match."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludotheque.bots.ladder import make_contestant
from ludotheque.core.jit import plain
from ludotheque.core.ladder import LEVELS
from ludotheque.core.match import Match
from ludotheque.games.skipbo import bots, outlook, planning, rules
from ludotheque.games.skipbo.state import NUM_ACTIONS, OVER, WILD
from ludotheque.lab.duels import play_deal
from tests.games.playing import chances, record
from tests.games.skipbo.tables import ANA, BEN, CLEO, DAN, GAME, at, play

PLAYERS = ["club", "strong", "expert"]
NONE: list[list[str]] = [[], [], [], []]


def best(match: Match, level: str) -> str:
    """What a level plays, as text."""
    return make_contestant(GAME, level, 1).choose(match, match.actor)


def heights(*values: int) -> int:
    """A word of heights."""
    return sum(value << (4 * place) for place, value in enumerate(values))


def cards(*held: int) -> int:
    """A hand as a word."""
    return sum(1 << (4 * card) for card in held)


@pytest.mark.parametrize("level", PLAYERS)
def test_the_stock_card_is_laid_when_it_can_be(level: str) -> None:
    match = at([["5", "9"], ["12"]], built=[4, 0, 0, 0], hands=[["2", "7", "9", "9", "10"], []])
    assert best(match, level) == "S>1"


@pytest.mark.parametrize("level", PLAYERS)
def test_a_chain_through_hand_and_discard_piles_leads_to_the_stock_card(level: str) -> None:
    match = at(
        [["6", "9"], ["12"]],
        built=[2, 7, 0, 0],
        discards=[[["4"], [], [], []], NONE],
        hands=[["3", "5", "9", "11", "11"], []],
    )
    for move in ("3>1", "d1>1", "5>1", "S>1"):
        assert best(match, level) == move
        play(match, move)


@pytest.mark.parametrize("level", PLAYERS)
def test_no_skip_bo_is_spent_where_a_number_does(level: str) -> None:
    match = at([["6", "9"], ["12"]], built=[4, 0, 0, 0], hands=[["5", "*", "9", "11", "11"], []])
    assert best(match, level) == "5>1"


@pytest.mark.parametrize("level", PLAYERS)
def test_a_skip_bo_is_spent_on_the_stock_card(level: str) -> None:
    match = at([["6", "9"], ["12"]], built=[4, 0, 0, 0], hands=[["8", "*", "9", "11", "11"], []])
    assert best(match, level) == "*>1"


@pytest.mark.parametrize("level", ["beginner", "club"])
def test_the_last_card_of_the_hand_is_laid_for_five_new_ones(level: str) -> None:
    match = at([["12", "9"], ["11"]], built=[2, 0, 0, 0], hands=[["3"], []], played=True)
    assert best(match, level) == "3>1"


@pytest.mark.parametrize("level", [*PLAYERS, "planner"])
def test_a_card_is_not_laid_that_lets_the_next_player_lay_theirs(level: str) -> None:
    match = at([["9", "9"], ["4", "9"]], built=[2, 0, 0, 0], hands=[["3", "10", "10", "11", "12"], []])
    assert best(match, level) != "3>1"
    harmless = at([["9", "9"], ["12", "9"]], built=[2, 0, 0, 0], hands=[["3", "10", "10", "11", "12"], []])
    assert best(harmless, level) == "3>1"


def test_club_discards_in_descending_order() -> None:
    match = at(
        [["1", "9"], ["1", "9"]],
        built=[5, 5, 5, 5],
        discards=[[["9"], ["3"], ["2"], ["2"]], NONE],
        hands=[["8", "10", "10", "12", "12"], []],
    )
    assert best(match, "club") == "8>d1"


@pytest.mark.parametrize("level", PLAYERS)
def test_S14_the_partners_stock_is_laid_too(level: str) -> None:
    stocks = [["9", "9"], ["12"], ["5", "9"], ["12"]]
    match = at(
        stocks, players=4, options={"teams": True}, built=[3, 0, 0, 0], hands=[["4", "8", "8", "11"], [], [], []]
    )
    if level != "expert":  # who might keep the 4
        assert best(match, level) == "4>1"
    assert best(play(match, "4>1"), level) == "pS>1"


@pytest.mark.parametrize("level", PLAYERS)
def test_S12_whoever_can_win_wins(level: str) -> None:
    match = at([["6"], ["5", "9"]], built=[3, 0, 0, 0], hands=[["4", "5", "*", "9", "9"], []])
    while not match.over:
        assert match.actor == ANA
        match.play(best(match, level))
    assert match.places[ANA] == 1


@pytest.mark.parametrize("level", LEVELS)
def test_S15_to_S17_manners_are_kept(level: str) -> None:
    options = {"manners": True, "teams": True}
    bot = make_contestant(GAME, level, 1)
    match = at(players=4, options=options, hands=[["3"], ["1", "2"], ["4"], ["5"]])
    while match.legal() == ["draw"]:
        match.play("draw")
    assert bot.choose(match, ANA) != "draw"  # a sixth card would go into the stock
    assert all(bot.unasked(match, seat) is None for seat in (BEN, CLEO, DAN))  # nobody speaks or plays out of turn
    play(match, "1>1", seat=BEN)
    assert bot.unasked(match, DAN) is None  # the partner keeps quiet
    for seat in (ANA, CLEO):
        called = bot.choose(match, ANA) if seat == ANA else bot.unasked(match, seat)
        assert called is not None
        assert called == "call"


OPTIONS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"match": "points", "target": 50}),
    (4, {"manners": True}),
    (4, {"teams": True}),
    (4, {"teams": True, "manners": True, "match": "points", "target": 60}),
]


@pytest.mark.parametrize(("seats", "options"), OPTIONS)
def test_the_player_for_playouts_plays_by_the_rules(seats: int, options: dict[str, Any]) -> None:
    policy, legal = plain(bots.policy), plain(rules.legal)
    out = np.zeros(NUM_ACTIONS, np.int16)
    match = GAME.new(seats, seed=seats, stock=5, **options)
    while not match.over:
        s = record(match)
        for seat in range(seats):
            if legal(s, seat, out):
                action = policy(s, seat, 1, out)
                assert action in out[: legal(s, seat, out)]
        match.play(GAME.moves[policy(s, s.actor, 1, out)])


@pytest.mark.parametrize(("seats", "options"), OPTIONS)
def test_every_level_plays_a_short_match(seats: int, options: dict[str, Any]) -> None:
    for shift in range(2):
        match = GAME.new(seats, seed=shift, stock=5, **options)
        players = [make_contestant(GAME, LEVELS[(3 * shift + seat) % 5], 1) for seat in range(seats)]
        while not match.over:
            match.play(players[match.actor].choose(match, match.actor))
        assert min(match.places) == 1


def test_missing_cards_are_counted_along_each_pile() -> None:
    piles = np.zeros(outlook.SIDE_PILES, np.int64)
    piles[0] = 4 | 6 << 4  # a 4 on a 6
    fewest, at_places, _ = plain(outlook.climb)(cards(5), piles, heights(3, 0, 0, 11), 7, 0)
    assert [at_places >> (4 * place) & 15 for place in range(4)] == [0, 3, outlook.NOWHERE, 4]
    assert [fewest >> (4 * number) & 15 for number in (1, 4, 7, 8, 12)] == [0, 0, 0, 1, 0]
    _, anywhere, _ = plain(outlook.climb)(0, piles, heights(3, 0, 0, 11), WILD, 0)
    assert [anywhere >> (4 * place) & 15 for place in range(4)] == [0, 0, outlook.NOWHERE, 0]


def test_the_order_of_building_piles_does_not_matter() -> None:
    in_order = plain(planning.in_order)
    assert in_order(heights(7, 0, 11, 3)) == heights(0, 3, 7, 11)
    assert in_order(heights(3, 3, 0, 3)) == heights(0, 3, 3, 3)
    assert plain(planning.laid)(heights(0, 11, 4, 4), 1) == heights(0, 0, 4, 4)


def test_chances_add_up_and_follow_the_stocks() -> None:
    even = chances(GAME, record(at([["9"] * 5, ["9"] * 5, ["10"] * 5], players=3)))
    ahead = chances(GAME, record(at([["9"] * 5, ["9"] * 2, ["10"] * 8], players=3)))
    assert sum(even) == pytest.approx(1)
    assert sum(ahead) == pytest.approx(1)
    assert even[ANA] > even[BEN] == pytest.approx(even[CLEO])  # Ana is at turn
    assert ahead[BEN] > ahead[ANA] > ahead[CLEO]


def test_S13_chances_follow_the_points() -> None:
    options = {"match": "points", "target": 500}
    values = chances(GAME, record(at([["9"] * 5, ["10"] * 5], options=options, points=[50, 400])))
    assert sum(values) == pytest.approx(1)
    assert values[BEN] > 0.8


def test_S14_partners_share_their_chance() -> None:
    stocks = [["9"] * 3, ["10"] * 6, ["9"] * 4, ["10"] * 5]
    values = chances(GAME, record(at(stocks, players=4, options={"teams": True})))
    assert sum(values) == pytest.approx(1)
    assert values[ANA] == values[CLEO] > values[BEN] == values[DAN]


def test_a_finished_match_is_won_by_the_smallest_stock_and_shared_by_equals() -> None:
    s = record(at([["9"] * 3, ["10"] * 3, ["9"] * 4], players=3))
    s.over, s.phase, s.actor = 1, OVER, -1
    assert chances(GAME, s) == [0.5, 0.5, 0.0]


@pytest.mark.parametrize("level", ["beginner", "expert"])
def test_random_players_lose(level: str) -> None:
    deals = [play_deal(GAME, level, "random", 2, deal, {"stock": 8}) for deal in range(4)]
    assert sum(deal.wins for deal in deals) >= 3
