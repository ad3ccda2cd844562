"""The engine against the slow referee: whole matches, at random and cautious, compared after every move."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ludotheque.core.jit import COMPILED
from ludotheque.core.match import Match
from tests.games.lobo77.helpers import EIGHT, FIFTEEN, GAME, at
from tests.referee.lobo77 import Lobo77, Lobo77Options, card_value

Choice = tuple[int, str]


def at_random(match: Match, chance: random.Random) -> Choice:
    """Any move of anybody who has one."""
    seat = chance.choice(match.movers())
    return seat, chance.choice(match.legal(seat))


def cautious(match: Match, chance: random.Random) -> Choice:
    """Small steps, no doublets: rounds long enough for the draw pile to run out."""
    seat, total = chance.choice(match.movers()), match.state.total

    def cost(move: str) -> float:
        if move == "draw":
            return chance.choice([-1, 20])
        after = total + card_value(move)
        trouble = 100 if after >= 77 else 50 if after > 0 and after % 11 == 0 else 0
        return trouble + abs(card_value(move) - 2) + chance.random()

    return seat, min(match.legal(seat), key=cost)


def compare(match: Match, referee: Lobo77) -> None:
    """Both must agree on everything there is to know."""
    facts = match.position()["table"]
    assert match.over == referee.match_over
    assert (facts["total"], facts["tokens"], facts["out"]) == (referee.total, referee.tokens, referee.out)
    assert facts["hands"] == [sorted(hand, key=lambda card: GAME.moves.parse(card).id) for hand in referee.hands]
    assert facts["draw"] == referee.draw_pile
    assert sorted(facts["played"]) == sorted(referee.played)
    assert facts["played"][-1:] == referee.played[-1:]
    if match.over:
        assert match.places == referee.places
        return
    assert (match.actor, facts["owed"], facts["next_two"]) == (referee.actor, referee.owed, referee.next_owes_two)
    assert (facts["direction"], facts["opener"]) == (referee.direction, referee.opener)
    assert facts["pending"] == referee.pending_draws
    for seat in range(match.num_seats):
        assert set(match.legal(seat)) == referee.legal(seat)
    assert match.movers() == [seat for seat in range(match.num_seats) if referee.legal(seat)]


def follow(match: Match, options: dict[str, Any], choose: Any, chance: random.Random) -> int:
    """Play a match with both to its end. Returns how often the played cards were shuffled."""
    reshuffles = 0
    start = match.position()["table"]

    def same_order(cards: list[str]) -> list[str]:
        """The referee shuffles as the engine has just done."""
        nonlocal reshuffles
        reshuffles += 1
        facts = match.position()["table"]
        order: list[str] = facts["reshuffle"]["drawn"] + facts["draw"]
        assert sorted(order) == sorted(cards)
        return order

    referee = Lobo77(
        hands=start["hands"],
        draw=start["draw"],
        played=start["played"],
        total=start["total"],
        direction=start["direction"],
        actor=start["actor"],
        owed=start["owed"],
        tokens=start["tokens"],
        out=start["out"],
        opener=start["opener"],
        shuffle=same_order,
        options=Lobo77Options(**options),
    )
    compare(match, referee)
    while not match.over:
        seat, move = choose(match, chance)
        match.play(move, seat)
        referee.play(seat, move)
        if referee.round_over:
            facts = match.position()["table"]
            assert (facts["dealer"], facts["opener"]) == (referee.next_dealer, referee.next_opener)
            referee.deal(facts["hands"], facts["draw"])
        compare(match, referee)
    return reshuffles


def some_options(draw: str, chance: random.Random) -> dict[str, Any]:
    """Options at random, but for how cards are drawn."""
    return {
        "tokens": chance.randint(1, 2),
        "repeat_costs": chance.random() < 0.5,
        "swim": chance.random() < 0.5,
        "keep_top": chance.random() < 0.5,
        "draw": draw,
        "end": chance.choice(["last_standing", "last_tokens"]),
        "card_76": chance.random() < 0.5,
    }


@pytest.mark.slow
@pytest.mark.parametrize("choose", [at_random, cautious])
@pytest.mark.parametrize("draw", ["auto", "manual"])
@pytest.mark.parametrize("players", range(2, 9))
def test_whole_matches(players: int, draw: str, choose: Any) -> None:
    chance = random.Random(players)
    for seed in range(6 if COMPILED else 1):
        options = some_options(draw, chance)
        follow(GAME.new(players, seed=seed, **options), options, choose, chance)


@pytest.mark.slow
@pytest.mark.parametrize("choose", [at_random, cautious])
@pytest.mark.parametrize("keep_top", [False, True])
@pytest.mark.parametrize("draw", ["auto", "manual"])
def test_matches_that_begin_without_a_draw_pile(draw: str, keep_top: bool, choose: Any) -> None:
    chance = random.Random(1)
    for _ in range(10 if COMPILED else 2):
        options = {**some_options(draw, chance), "card_76": False, "keep_top": keep_top}
        match = at(*EIGHT, table={"draw": [], "played": FIFTEEN, "total": -50}, **options)
        reshuffles = follow(match, options, choose, chance)
        assert reshuffles > 0 or draw == "manual"
