"""The engine against the slow referee: whole matches by random moves, compared after every move."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ludotheque.core.jit import COMPILED
from ludotheque.core.match import Match
from tests.games.volle_lotte.helpers import GAME
from tests.referee.volle_lotte import VolleLotte, VolleLotteOptions, full_box

UNTOLD = {"first_seat", "round_end"}
"""Events that say nothing the referee decides."""
NOBODYS = {"shuffle", "leader_loses", "match_end"}


def compare(match: Match, referee: VolleLotte) -> None:
    """Both must agree on everything there is to know."""
    facts = match.position()["table"]
    assert facts["scores"] == referee.scores
    assert (facts["closing"], facts["clover_winner"]) == (referee.closing, referee.clover_winner)
    assert facts["pile"] == referee.pile
    assert match.over == referee.match_over
    if match.over:
        assert match.places == referee.places
        return
    assert match.actor == referee.actor
    assert (facts["phase"] == "turn") == (referee.card is None)
    assert (facts["phase"] == "lotte") == referee.lotte
    assert facts["round"] == referee.round_no or referee.closing
    if referee.card is not None:
        assert facts["card"] == referee.card
        assert sorted(facts["aside"]) == sorted(referee.aside)
        assert (facts["turn_points"], facts["card_points"]) == (referee.turn_points, referee.card_points)
        assert (facts["losses"], facts["lottes"]) == (referee.losses, referee.lottes)
        if not referee.lotte:
            assert facts["roll"] == sorted(referee.roll)
    for seat in range(match.num_seats):
        assert set(match.legal(seat)) == referee.legal(seat)


def compare_events(match: Match, referee: VolleLotte) -> None:
    """What happened, in order: each fact that the referee tells is the engine's."""
    told = [event for event in match.events()[-1] if event["type"] not in UNTOLD]
    assert [event["type"] for event in told] == [event["type"] for event in referee.events]
    for event, ours in zip(told, referee.events, strict=True):
        for name, value in ours.items():
            if name != "seat" or event["type"] not in NOBODYS:
                assert event[name] == value, event


def follow(match: Match, options: dict[str, Any], chance: random.Random, most: int = 10_000) -> int:
    """Play a match with both, by random moves. Returns how many were made."""
    start = match.position()["table"]
    assert sorted(start["pile"]) == sorted(full_box())

    def same_dice(number: int) -> list[int]:
        rolls = [event["dice"] for event in match.events()[-1] if event["type"] in ("roll", "straight_roll")]
        assert len(rolls) == 1 and len(rolls[0]) == number
        return list(rolls[0])

    def same_order(cards: list[str]) -> list[str]:
        facts = match.position()["table"]
        order = [facts["card"], *facts["pile"]]
        assert sorted(order) == sorted(cards) == sorted(full_box())
        return order

    given = VolleLotteOptions(**options)
    referee = VolleLotte(match.num_seats, start["first"], start["pile"], same_dice, same_order, given)
    compare(match, referee)
    made = 0
    while not match.over and made < most:
        seat = match.actor
        move = chance.choice(match.legal())
        if move == "stop" and chance.random() < 0.5:
            move = chance.choice(match.legal())  # long turns, or some cards never meet
        match.play(move, seat)
        referee.play(seat, move)
        compare(match, referee)
        compare_events(match, referee)
        made += 1
    return made


def some_options(fireworks_stop: bool, chance: random.Random) -> dict[str, Any]:
    """Options at random, but for stopping under fireworks."""
    return {
        "target": chance.choice([1000, 1500, 3000]),
        "ending": chance.choice(["lowest", "round"]),
        "negative": chance.random() < 0.5,
        "leader_loses": chance.choice(["when_scored", "at_once"]),
        "straight_goes_on": chance.random() < 0.5,
        "fireworks_stop": fireworks_stop,
    }


@pytest.mark.slow
@pytest.mark.parametrize("fireworks_stop", [False, True])
@pytest.mark.parametrize("players", range(2, 9))
def test_whole_matches(players: int, fireworks_stop: bool) -> None:
    chance = random.Random(players)
    for seed in range(8 if COMPILED else 2):
        options = some_options(fireworks_stop, chance)
        follow(GAME.new(players, seed=seed, **options), options, chance)
