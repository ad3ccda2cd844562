"""The players of Loba: what they see in a hand, what they take, keep and lay, and what they think of a match."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ludotheque.bots.ladder import make_contestant, make_player
from ludotheque.core.chance import key_from_seed, set_key
from ludotheque.core.jit import plain
from ludotheque.core.ladder import LEVELS
from ludotheque.core.match import Match
from ludotheque.games.loba import audit, bots, imagining, melds, planning, rules
from ludotheque.games.loba.cards import JOKER, NO_CARD, NUM_ACTIONS
from ludotheque.games.loba.notation import CARDS
from ludotheque.games.loba.state import CONTRACT_RUNS, CONTRACT_SETS, NUM_ROUNDS, OVER
from ludotheque.lab.duels import play_deal
from tests.games.loba.test_stories import BEN, DULL, GAME, at, cards, first_turn, later_turn
from tests.games.playing import chances, ratings, record

policy, rate, worth = plain(bots.policy), plain(bots.rate), plain(bots.worth)
legal, apply = plain(rules.legal), plain(rules.apply)
survey, can_complete = plain(planning.survey), plain(melds.can_complete)

CORNERS: list[dict[str, Any]] = [
    {},
    {"runs": "any_suit"},
    {"out_by_discard": True},
    {"runs": "any_suit", "out_by_discard": True},
]
SENSIBLE = ["club", "planner", "strong"]


def by_thumb(match: Match, style: tuple[float, ...] = ()) -> str:
    """The best rated move of the seat at turn."""
    found = ratings(match, style)
    return max(found, key=found.__getitem__)


def by_plan(match: Match) -> str:
    """What the playout player does for the seat at turn; its ratings agree, but for chance between equals."""
    s = record(match)
    move = GAME.moves.texts[policy(s, s.actor, 1, np.zeros(NUM_ACTIONS, np.int16))]
    found = ratings(match, bots.PLANNER)
    assert found[move] >= max(found.values()) - 1
    return move


def heap(hand: list[str]) -> tuple[int, int, int]:
    """Cards once, twice and jokers."""
    once = twice = 0
    for card in hand:
        if card != "*":
            bit = 1 << CARDS.index(card)
            twice |= once & bit
            once |= bit
    return once, twice, hand.count("*")


def to_draw(hand: str, top: str, round_no: int = 1, **table: Any) -> Match:
    """Ana is to draw with these cards, filled up to eleven with dull ones, and this one on top of the pile."""
    own = hand.split()
    spare = [card for card in DULL if card not in own]
    hands = [own + spare[: 11 - len(own)], None, None]
    return at({"hands": hands, "round": round_no, "pile": [top], **table})


# Planning


@pytest.mark.parametrize(
    ("hand", "sets", "runs", "lack"),
    [
        ("5S 5H 5D 9S 9H 9D", 2, 0, 0),
        ("5S 5H 5D 9S 9H", 2, 0, 1),
        ("5S 5H 5D 9S 9H *", 2, 0, 0),
        ("5S 5H 5D 9S", 2, 0, 2),
        ("5S 5S 5H 5H 5D 5D", 2, 0, 0),
        ("5S 6S 7S 8S", 0, 1, 0),
        ("5S 6S 8S KH", 0, 1, 1),
        ("JS QS KS AS", 0, 1, 0),
        ("QS KS AS 2S", 0, 1, 1),
        ("5S 6S 7S 8S 5H 5D", 1, 1, 1),
        ("5S 6S 7S 8S 5S 5H 5D", 1, 1, 0),
        ("5S 6S * * 5H 5D", 1, 1, 1),
    ],
)
def test_how_many_cards_a_hand_lacks(hand: str, sets: int, runs: int, lack: int) -> None:
    assert survey(*heap(cards(hand)), sets, runs, 0).lack == lack


def test_B7_in_mixed_suits_any_suit_follows() -> None:
    hand = heap(cards("5S 6H 7D 8C"))
    assert survey(*hand, 0, 1, 0).lack == 3
    assert survey(*hand, 0, 1, 1).lack == 0


def test_a_survey_names_the_cards_that_help() -> None:
    found = survey(*heap(cards("5S 6S 8S KH")), 0, 1, 0)
    assert [card for number, card in enumerate(CARDS[:JOKER]) if found.wants >> number & 1] == ["7S"]
    assert found.joker_helps == 1  # so would a joker
    assert [card for number, card in enumerate(CARDS[:JOKER]) if found.keep >> number & 1] == ["5S", "6S", "8S"]


@pytest.mark.parametrize("any_suit", [0, 1])
@pytest.mark.parametrize("round_no", range(1, NUM_ROUNDS + 1))
def test_a_survey_agrees_with_the_rules_and_with_itself(round_no: int, any_suit: int) -> None:
    """It lacks nothing if and only if all can be laid; with one joker at most exactly the cards it names help."""
    sets, runs = CONTRACT_SETS[round_no], CONTRACT_RUNS[round_no]
    rng = random.Random(10 * round_no + any_suit)
    box = [*CARDS[:JOKER], *CARDS[:JOKER], *["*"] * 4]
    for _ in range(25):
        hand = rng.sample(box, 11) + ["*"] * rng.randrange(2)
        hand = [card for number, card in enumerate(hand) if card != "*" or hand[:number].count("*") < 4]
        found = survey(*heap(hand), sets, runs, any_suit)
        assert (found.lack == 0) == can_complete(melds.Hand(*heap(hand)), melds.Rest(sets, runs, NO_CARD, any_suit))
        if hand.count("*") > 1:
            continue
        for number, card in enumerate(CARDS[:JOKER]):
            if hand.count(card) < 2:
                nearer = survey(*heap([*hand, card]), sets, runs, any_suit).lack
                assert nearer == found.lack - (found.wants >> number & 1), (hand, card)


# Moves


@pytest.mark.parametrize("choose", [by_thumb, by_plan])
def test_both_players_take_a_card_that_completes_the_contract(choose: Any) -> None:
    assert choose(to_draw("5S 5H 5D 9S 9H", "9D")) == "take"
    assert choose(to_draw("5S 5H 5D 9S 9H", "*")) == "take"
    assert choose(to_draw("5S 6S 7S 9H 9D 9C", "8S", 2)) == "take"
    assert choose(to_draw("5S 5H 5D 9S 9H", "QC")) == "stock"


@pytest.mark.parametrize("choose", [by_thumb, by_plan])
def test_both_players_lay_the_contract_when_they_can(choose: Any) -> None:
    match = first_turn("5S 5H 5D 9S 9H 9D")
    assert choose(match) == "lay 9S 9H 9D"
    match.play(choose(match))
    assert choose(match) == "lay 5S 5H 5D"


@pytest.mark.parametrize("hand", ["5S 5H 5D 9S 9H 9D KC QC", "5S 5H 5D 5C 9S 9H 9D 9C * KC QC 2C"])
def test_to_hold_the_contract_for_a_turn_is_the_second_choice_however_many_ways_there_are_to_lay_it(hand: str) -> None:
    found = ratings(first_turn(hand), bots.PLANNER)
    best, second = sorted(found, key=found.__getitem__)[:-3:-1]
    assert best.startswith("lay")
    assert second == "drop KC"


@pytest.mark.compiled_only
def test_an_expert_weighs_laying_against_holding() -> None:
    bot = make_player(GAME, "expert", 1)
    thought = bot.think(first_turn("5S 5H 5D 5C 9S 9H 9D 9C * KC QC 2C"), budget="200it")
    assert {candidate.move.split()[0] for candidate in thought.candidates} == {"lay", "drop"}


@pytest.mark.parametrize("choose", [by_thumb, by_plan])
def test_both_players_keep_what_goes_together_and_drop_the_highest_of_the_rest(choose: Any) -> None:
    assert choose(first_turn("KH KD QS QH * 9S 3D 6C 4C AD 8H 2H")) == "drop 9S"
    assert choose(first_turn("KH QH JH 9S 9D 9C 3D 6C 4C AD 7H 2S", 2)) in ("drop 6C", "drop 7H")


def test_only_the_planner_lets_a_pair_go_that_the_contract_does_not_need() -> None:
    match = first_turn("5S 5H 5D 9S 9H KS KH AS 3D 2H 4C 6C", 1)
    assert by_plan(match) in ("drop 6C", "drop 4C")
    done = first_turn("5S 6S 7S 8S 2H 3H 4H KD KC 9C 10C AD", 3)  # two quartes: no pair counts
    assert by_plan(done) in ("drop KD", "drop KC")


@pytest.mark.parametrize("choose", [by_thumb, by_plan])
def test_both_players_add_before_they_discard(choose: Any) -> None:
    assert choose(later_turn("9S KD", "5S 6S 7S 8S")) == "add 9S m1"


@pytest.mark.compiled_only
@pytest.mark.parametrize("level", SENSIBLE)
def test_every_sensible_player_adds_its_last_cards_and_ends_the_round(level: str) -> None:
    match = later_turn("9S 4S KD", "5S 6S 7S 8S")
    bot = make_contestant(GAME, level, 1)
    while match.position()["table"]["round"] == 1:
        match.play(bot.choose(match, budget="400it"))
    assert match.scores[0] == 0


@pytest.mark.parametrize("choose", [by_thumb, by_plan])
def test_no_card_goes_to_a_neighbour_who_collects_its_rank(choose: Any) -> None:
    hand = "QH JD AS 3S 5S 7S 2H 4H 6H 8H 10C 9D"
    hands = [cards(hand), ["QS", "QD", *cards("2C 2D 3C 4C 4D 6C 6D 7C 8C")], None]
    table = {"hands": hands, "phase": "play", "turn": 7}
    assert choose(at(table)) == "drop QH"
    assert choose(at(table | {"known": [[], ["QS"], []]})) == "drop JD"


def test_a_blind_player_does_not_look_at_the_neighbour() -> None:
    hands = [cards("QH JD AS 3S 5S 7S 2H 4H 6H 8H 10C 9D"), ["QS", "QD", *cards("2C 2D 3C 4C 4D 6C 6D 7C 8C")], None]
    match = at({"hands": hands, "phase": "play", "turn": 7, "known": [[], ["QS"], []]})
    assert by_thumb(match, (1.0,)) == "drop QH"


def test_a_greedy_player_takes_more() -> None:
    match = to_draw("5S 9H", "5D")
    assert by_thumb(match) == "stock"
    assert by_thumb(match, (0.0, 0.0, 8.0)) == "take"


def test_who_leads_far_in_the_last_round_gets_rid_of_points() -> None:
    hand = "KS QS JS KD QD JD 4H 4D 2C 3H 7H *"
    even = first_turn(hand, NUM_ROUNDS)
    assert by_plan(even) in ("drop 7H", "drop 3H", "drop 2C")
    table = {"hands": [cards(hand), None, None], "round": NUM_ROUNDS, "phase": "play", "points": [60, 170, 180]}
    assert by_plan(at(table)) in ("drop *", "drop KS", "drop KD")


# The record as players use it


@pytest.mark.parametrize("options", CORNERS)
@pytest.mark.parametrize("players", [3, 5])
def test_the_playout_player_makes_legal_moves_to_the_end(players: int, options: dict[str, Any]) -> None:
    s = record(GAME.new(players, seed=players, **options))
    ids, spare = np.zeros(NUM_ACTIONS, np.int16), np.zeros(NUM_ACTIONS, np.int16)
    rng = random.Random(players)
    while not s.over:
        s.num_events = 0
        action = policy(s, s.actor, rng.getrandbits(60), spare)
        assert action in ids[: legal(s, s.actor, ids)]
        apply(s, s.actor, action)
    assert sum(chances(GAME, s)) == pytest.approx(1)


@pytest.mark.parametrize("options", CORNERS)
def test_imagined_hands_that_have_matured_are_still_in_line_with_all_that_is_known(options: dict[str, Any]) -> None:
    """Every card of the box is there once, the known ones where they are known to be, and nobody else's hand grows."""
    match = GAME.new(4, seed=8, **options)
    spare = np.zeros(NUM_ACTIONS, np.int16)
    resample, mature = plain(rules.resample), plain(imagining.mature)
    number = 0
    while not match.over:
        number += 1
        s = record(match)
        if number % 20 == 7:
            buf = match.concealed(s.actor)
            imagined = GAME.read(buf)
            plain(set_key)(imagined, key_from_seed(number))
            resample(imagined, s.actor)
            mature(imagined, s.actor)
            assert plain(audit.audit)(imagined) == 0
            GAME.kernels.hide(buf, s.actor)
            assert bytes(buf) == bytes(match.concealed(s.actor))
        match.play(GAME.moves[policy(s, s.actor, number, spare)])


def test_imagined_hands_mature_with_the_turns() -> None:
    """After six turns somebody who has not laid lacks less than a fresh hand does."""
    lacking = {}
    for turn in (1, 19):
        match = at({"hands": [DULL[:11], None, None], "round": 5, "turn": turn})
        total = 0
        for number in range(20):
            s = GAME.read(match.concealed(0))
            plain(set_key)(s, key_from_seed(number))
            plain(rules.resample)(s, 0)
            assert plain(bots.plausible)(s, 0) == 1
            total += survey(s.hand[BEN], s.hand_twice[BEN], s.hand_jokers[BEN], 2, 1, 0).lack
        lacking[turn] = total
    assert lacking[19] < 0.7 * lacking[1]


def test_chances_add_up_and_follow_the_points() -> None:
    tables = [{"hands": [None] * 4, "round": number, "points": [40, 60, 60, 130]} for number in (2, NUM_ROUNDS)]
    early, late = (chances(GAME, record(at(table))) for table in tables)
    for values in (early, late):
        assert sum(values) == pytest.approx(1)
        assert values[0] > values[1] > values[3]
        assert values[1] == pytest.approx(values[2])
    assert late[0] > early[0]


def test_B20_equals_share_a_finished_match() -> None:
    s = record(at({"hands": [None] * 3, "round": NUM_ROUNDS, "points": [80, 80, 130]}))
    s.over, s.phase = 1, OVER
    assert chances(GAME, s) == [0.5, 0.5, 0.0]


# Levels


@pytest.mark.compiled_only
@pytest.mark.parametrize("options", CORNERS)
def test_every_level_plays_a_whole_match(options: dict[str, Any]) -> None:
    match = GAME.new(5, seed=3, **options)
    players = [make_player(GAME, level, 1) for level in LEVELS]
    while not match.over:
        match.play(players[match.actor].choose(match, budget="40it"))
    assert len(match.scores) == 5


@pytest.mark.slow
@pytest.mark.compiled_only
def test_each_level_beats_the_one_below() -> None:
    for weak, better in pairwise(LEVELS[:4]):
        deals = [play_deal(GAME, better, weak, 3, seed, {}) for seed in range(8)]
        assert sum(deal.points - deal.others for deal in deals) < 0
