"""How LOBO 77 is played well: ratings of moves, a fast player for playouts, chances to win, and the levels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ludotheque.core.jit import jit
from ludotheque.core.ladder import FLAT, Level
from ludotheque.core.record import Ids
from ludotheque.core.record import State as S
from ludotheque.games.lobo77.cards import REVERSE, TWICE, VALUE
from ludotheque.games.lobo77.rules import open_cards
from ludotheque.games.lobo77.state import DRAW, LIMIT
from ludotheque.games.lobo77.values import TOKEN, best_card, costs_token, kept_worth, left_worth

# What `style` tells `rate` about a player.
CARELESS = 0  # 0: minds the doublets; 1: does not look out for them
HASTY = 1  # by how much cards that save one late are rated up, and so played early
HOARDING = 2  # 0: gets rid of high cards; 1: does not care; 2: plays the low ones first
PLANNING = 3  # 1: goes by what positions are worth, and nothing else counts

LOSS = 100.0
"""What the token for ending a round counts in ratings,"""
DOUBLET_LOSS = 80.0
"""and the one for a doublet."""

MINUS_TEN, ZERO = 0, 1


@jit
def _rate_by_worth(s: S, seat: int, ids: Ids, n: int, scores: Any) -> None:
    early, late = kept_worth(s, s.hand[seat])
    for i in range(n):
        card = int(ids[i])
        scores[i] = 10.0 * TOKEN if card == DRAW else 1.0 * left_worth(s, card, early, late)


@jit
def rate(s: S, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    """By what positions are worth; or as people play: no doublet, high cards first, and the cards that save one kept
    for the end.
    """
    if style[PLANNING] > 0:
        _rate_by_worth(s, seat, ids, n, scores)
        return
    for i in range(n):
        card = int(ids[i])
        if card == DRAW:
            scores[i] = 10 * LOSS
            continue
        value = int(VALUE[card])
        if card == MINUS_TEN:
            scores[i] = style[HASTY]
        elif card == TWICE:
            scores[i] = style[HASTY] - 3
        elif card == REVERSE:
            scores[i] = style[HASTY] - 4
        elif card == ZERO:
            scores[i] = style[HASTY] - 5
        else:
            scores[i] = min(value, 11) * (1 - style[HOARDING]) + 0.01 * value
        if costs_token(s, card):
            # People shrink from ending the round and would rather pay for a doublet, though that is often worse.
            scores[i] -= LOSS if s.total + value >= LIMIT else DOUBLET_LOSS * (1 - style[CARELESS])


@jit
def policy(s: S, seat: int, x: int, out: Ids) -> int:
    """The card that leaves the best position; a card that is due is drawn first."""
    if s.pending > 0 and s.pending_seat == seat:
        return DRAW
    return best_card(s, s.hand[seat], open_cards(s, seat))


@jit
def reflex(s: S, seat: int) -> int:
    """Nobody leaves a card that is due (L20)."""
    return DRAW if s.pending > 0 and s.pending_seat == seat else -1


NUM_MOMENTS = 24
MAX_LIVES = 7  # six tokens and swimming


def _race() -> tuple[Any, Any]:
    """For each number of lives, how likely they are gone by each moment, and that they go there.

    Losses strike each player alike: in a time of their own they come to each independently, so that lives run out
    after a time with an Erlang distribution. Who is out no longer loses, which only makes the clock run faster.
    """
    edges = np.concatenate(([0.0], np.geomspace(0.25, 24.0, NUM_MOMENTS)))
    middles = (edges[1:] + edges[:-1]) / 2

    def gone(lives: int, time: float) -> float:
        return 1 - math.exp(-time) * sum(time**k / math.factorial(k) for k in range(lives))

    gone_by = np.array([[gone(lives, t) for t in middles] for lives in range(MAX_LIVES + 1)])
    goes_at = np.array([np.diff([gone(lives, t) for t in edges]) for lives in range(MAX_LIVES + 1)])
    return gone_by, goes_at


GONE_BY, GOES_AT = _race()


@jit
def lives(s: S, seat: int) -> int:
    """How many losses away from the match a seat is: those left with `last_tokens` must still own a token (L21)."""
    if s.out_at[seat] != 0:
        return 0
    return s.tokens[seat] + (s.swim if not s.last_tokens else 0)


@jit
def worth(s: S, values: Any) -> None:
    """The chance of each seat to be the last with lives, if losses strike all alike."""
    for seat in range(s.num_seats):
        values[seat] = 0.0
    for k in range(NUM_MOMENTS):
        all_gone = 1.0
        for seat in range(s.num_seats):
            all_gone *= GONE_BY[lives(s, seat), k]
        for seat in range(s.num_seats):
            left = lives(s, seat)
            values[seat] += all_gone / GONE_BY[left, k] * GOES_AT[left, k]
    whole = 0.0
    for seat in range(s.num_seats):
        whole += values[seat]
    for seat in range(s.num_seats):
        values[seat] /= whole


PLANNER = (0.0, 0.0, 0.0, 1.0)
"""The style of one who knows what positions are worth."""

LADDER = {
    "beginner": Level(temperature=3.0, cap=60.0, style=(0.85, 5.0, 0.2)),
    "casual": Level(temperature=3.0, cap=40.0, style=(0.0, 3.0)),
    "club": Level(),
    "strong": Level(FLAT, playouts=250, style=PLANNER),
    "expert": Level(FLAT, seconds=0.2, style=PLANNER),
}
"""From one who overlooks doublets and wastes good cards to one who plays the round out in thousands of worlds."""

EXTRAS = {
    "planner": Level(style=PLANNER),
    "expert-1": Level(FLAT, playouts=200_000, ties=0.0),
}
"""The expert without its search, and as it was."""
