"""What positions of LOBO 77 are worth, in hundredths of a token, as learnt from millions of rounds of self-play.

The worth of a position to the seat that has just played is what it can expect of the rest of the round: tokens lost
by each other seat, shared out evenly, less its own. It is the sum of a number for the total it leaves and one for
each card it keeps. Rounds between two seats and rounds of more are worlds apart, so there are two sets of numbers.

Read them as advice: a 2x is the best card to keep, then 0 and reverse, while the 66 wants to be played before the
total has passed 10; up to 69 every step up is a little worse for whoever makes it; to leave 75 or 76 is good, with a
2x as good as half a token.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.core.jit import jit
from ludotheque.games.lobo77.cards import TWICE, VALUE, copies_in, first_type, types_in
from ludotheque.games.lobo77.state import DOUBLET_STEP, LIMIT

TOKEN = 100
"""A token in the units of this module."""

# Who has to play next: the next seat, one card or two; or the same seat its second card.
ONE_CARD, TWO_CARDS, SECOND_CARD = 0, 1, 2

LATE = 64
"""From this total on cards in hand have their late worth."""

LOWEST = -10
"""Totals below this are worth the same."""

CRITICAL = 55
"""From this total on every total has a worth of its own."""

# Below CRITICAL: a number for totals below 0, 0 to 10, 11 to 21, and so on; one for all if a second card is due.
_EARLY = (
    (-14, -10, -14, -18, -22, -25),
    (-7, -6, -8, -9, -11, -13),
)
_EARLY_SECOND = (-8, -5)

# 55 to 65 and 66 to 76, for each of who has to play next.
_CRITICAL = (
    (
        (-13, -23, -24, -22, -23, -23, -24, -24, -25, -32, -28, -16, -29, -27, -26, -23, -20, -18, -12, -2, 7, 8),
        (-21, -24, -27, -24, -23, -22, -22, -21, -16, -23, -21, -7, -30, -26, -19, -15, -8, -2, 5, 12, 25, 50),
        (-23, -12, -10, -7, 1, 5, 8, 6, 6, 11, 9, 13, -12, -12, -8, -10, -14, -24, -26, -23, -30, -24),
    ),
    (
        (-3, -13, -14, -14, -14, -15, -14, -13, -13, -11, -8, 6, -12, -10, -9, -9, -8, -7, -5, -3, 1, 14),
        (-6, -15, -15, -14, -15, -14, -13, -11, -10, -9, -6, -3, -14, -14, -13, -11, -8, -3, -1, 3, 6, 17),
        (-5, -14, -8, -10, -2, -2, -2, 0, 1, 3, 6, 17, -3, -2, -6, -15, -15, -20, -22, -23, -26, -24),
    ),
)

CARD_WORTH = np.array(
    [  # -10   0  2   3   4   5   6   7   8   9  10  11   22   33   44   55   66   76  2x rev
        [
            [5, 15, 2, -3, -3, -7, -6, -7, -7, -8, -8, -6, -10, -13, -16, -19, -23, -24, 30, 15],
            [3, 24, -5, -6, -8, -6, -7, -9, -9, -8, -9, -9, -11, -12, -13, -15, -17, -16, 32, 17],
        ],
        [
            [2, 15, 0, -3, -4, -5, -5, -6, -7, -6, -7, -4, -6, -7, -9, -9, -9, -11, 15, 15],
            [-1, 14, -2, -5, -5, -5, -5, -5, -5, -6, -6, -5, -6, -7, -8, -7, -8, -8, 16, 17],
        ],
    ],
    np.int64,
)
"""What a card in hand is worth: with two seats in or more, before LATE and after, for each type."""


def _total_worth() -> Any:
    """The numbers above laid out by total, LOWEST first."""
    table = np.zeros((2, 3, LIMIT - LOWEST), np.int64)
    for more in range(2):
        for total in range(LOWEST, CRITICAL):
            early = _EARLY[more][max(total, -1) // DOUBLET_STEP + 1]
            table[more, :, total - LOWEST] = early, early, _EARLY_SECOND[more]
        table[more, :, CRITICAL - LOWEST :] = _CRITICAL[more]
    return table


TOTAL_WORTH = _total_worth()
"""What it is worth to have left a total: with two seats in or more, for each of who has to play next."""


@jit
def costs_token(s: Any, card: int) -> bool:
    """Whether the seat at turn loses a token by playing a card (L7, L8, L16)."""
    total = s.total + VALUE[card]
    if total >= LIMIT:
        return True
    return total > 0 and total % DOUBLET_STEP == 0 and (VALUE[card] != 0 or s.repeat_costs)


@jit
def kept_worth(s: Any, hand: int) -> tuple[int, int]:
    """What the cards of a hand are worth, before LATE and after."""
    more = int(s.num_seats - s.num_out > 2)
    early = 0
    late = 0
    types = types_in(hand)
    while types:
        card = first_type(types)
        types &= types - 1
        copies = copies_in(hand, card)
        early += copies * CARD_WORTH[more, 0, card]
        late += copies * CARD_WORTH[more, 1, card]
    return early, late


@jit
def left_worth(s: Any, card: int, kept_early: int, kept_late: int) -> int:
    """What the position is worth that the seat at turn leaves by playing a card out of a hand that is worth so much."""
    more = int(s.num_seats - s.num_out > 2)
    total = s.total + VALUE[card]
    worth = 0
    if total < LIMIT:  # else the round is over
        then = ONE_CARD
        if s.owed == 2:
            then = SECOND_CARD
        elif card == TWICE or s.next_two:
            then = TWO_CARDS
        worth = TOTAL_WORTH[more, then, max(total, LOWEST) - LOWEST]
        if total < LATE:
            worth += kept_early - CARD_WORTH[more, 0, card]
        else:
            worth += kept_late - CARD_WORTH[more, 1, card]
    if costs_token(s, card):
        worth -= TOKEN
    return worth


@jit
def best_card(s: Any, hand: int, moves: int) -> int:
    """The card out of a set of types that leaves the seat at turn with the position that is worth most."""
    early, late = kept_worth(s, hand)
    best = -1
    best_worth = 0
    while moves:
        card = first_type(moves)
        moves &= moves - 1
        worth = left_worth(s, card, early, late)
        if best < 0 or worth > best_worth:
            best = card
            best_worth = worth
    return best
