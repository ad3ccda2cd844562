"""The players of LOBO 77: their ratings, playout moves, chances and levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludotheque.bots.ladder import levels, make_bot
from ludotheque.core.jit import plain
from ludotheque.core.ladder import LEVELS
from ludotheque.core.match import Match
from ludotheque.games.lobo77 import bots, rules
from ludotheque.games.lobo77.state import DRAW, NUM_ACTIONS
from tests.games import playing
from tests.games.lobo77.helpers import ANA, BEN, GAME, at
from tests.games.playing import ratings, record

policy, worth, reflex, rate = plain(bots.policy), plain(bots.worth), plain(bots.reflex), plain(bots.rate)
legal, apply, others = plain(rules.legal), plain(rules.apply), plain(rules.others)

CORNERS: list[dict[str, Any]] = [
    {},
    {"draw": "manual", "card_76": True},
    {"tokens": 1, "swim": False, "repeat_costs": True},
    {"end": "last_tokens", "tokens": 2},
]


def says(match: Match) -> str:
    """What the playout player does for the seat at turn."""
    s = record(match)
    return GAME.moves.texts[policy(s, s.actor, 1, np.zeros(NUM_ACTIONS, np.int16))]


def chances(match: Match) -> list[float]:
    """Each seat's chance to win the match."""
    return playing.chances(GAME, record(match))


@pytest.mark.parametrize("options", CORNERS)
@pytest.mark.parametrize("players", [2, 5])
def test_the_playout_player_makes_legal_moves_to_the_end(players: int, options: dict[str, Any]) -> None:
    s = record(GAME.new(players, seed=players, **options))
    ids = np.zeros(NUM_ACTIONS, np.int16)
    values = np.zeros(8)
    while not s.over:
        s.num_events = 0
        idlers = others(s)
        for seat in range(players):
            if (idlers >> seat) & 1:
                assert reflex(s, seat) == DRAW == policy(s, seat, 1, ids)
        action = policy(s, s.actor, 1, ids)
        assert action in ids[: legal(s, s.actor, ids)]
        worth(s, values)
        assert values.sum() == pytest.approx(1)
        apply(s, s.actor, action)
    worth(s, values)
    assert sorted(values[:players])[-2:] == [pytest.approx(0), pytest.approx(1)]
    assert s.out_at[int(values.argmax())] == 0


def test_chances_go_by_losses_to_the_end() -> None:
    assert chances(at("", "", table={"tokens": [3, 3]})) == pytest.approx([0.5, 0.5])
    # One life against two: the other loses twice before it does once.
    assert chances(at("", "", table={"tokens": [0, 1]})) == pytest.approx([0.25, 0.75], abs=0.01)
    three = chances(at("", "", "", table={"tokens": [3, 1, 1]}))
    assert three[1] == pytest.approx(three[2])
    assert three[0] > 0.6


def test_L21_a_swimmer_has_no_chance_where_only_tokens_count() -> None:
    assert chances(at("", "", "", end="last_tokens", table={"tokens": [0, 2, 2]})) == pytest.approx([0, 0.5, 0.5])


def test_the_playout_player_keeps_clear_of_77_and_doublets() -> None:
    assert says(at("10 9 8 7 0", "", table={"total": 70})) == "0"
    assert says(at("10 10 10 10 9", "", table={"total": 23})) == "9"


def test_the_playout_player_gets_rid_of_the_66_while_it_can() -> None:
    assert says(at("66 9 8 rev 0", "", table={"total": 5})) == "66"


def test_people_play_high_cards_first_and_keep_what_saves_them() -> None:
    found = ratings(at("9 4 -10 0 rev", "", table={"total": 10}))
    assert sorted(found, key=lambda move: -found[move]) == ["9", "4", "-10", "rev", "0"]


def test_a_careless_player_overlooks_doublets_but_not_77() -> None:
    match = at("10 9 0 rev -10", "", table={"total": 45})
    assert max(ratings(match), key=ratings(match).__getitem__) == "9"
    careless = ratings(match, (1.0,))
    assert max(careless, key=careless.__getitem__) == "10"
    late = ratings(at("10 9 0 rev -10", "", table={"total": 70}), (1.0,))
    assert late["10"] < late["0"]


def test_a_card_that_is_due_is_drawn() -> None:
    match = at("9 4 3 0 rev", "", draw="manual", table={"total": 10})
    match.play("9")
    assert make_bot(GAME, "club", 1).unasked(match, ANA) == "draw"
    assert make_bot(GAME, "club", 1).unasked(match, BEN) is None


def test_there_is_every_level() -> None:
    assert tuple(levels(GAME)) == LEVELS


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_saves_itself_with_the_only_safe_card(level: str) -> None:
    match = at("10 9 8 66 0", "", table={"total": 76, "tokens": [0, 3]})
    bot = make_bot(GAME, level, 1)
    budget = "400it" if level in ("strong", "expert") else None
    assert bot.choose(match, ANA, budget) == "0"
