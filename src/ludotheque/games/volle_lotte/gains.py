"""How many points a turn of Volle Lotte! brings on average, for a player who wants points and nothing else.

What a good player at the table has in the fingers. Worked out once, when this is imported; the cards are those of the
whole box, and the clover is taken to bring nothing. Points are counted in fifties.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludotheque.games.volle_lotte.audit import POINT_UNIT
from ludotheque.games.volle_lotte.cards import BONUS, BOX, DOUBLE, FIREWORKS, NUM_CARDS, PLUS_MINUS, STRAIGHT
from ludotheque.games.volle_lotte.dice import NUM_DICE
from ludotheque.games.volle_lotte.turns import (
    BUST,
    CHANCE,
    COLUMNS,
    KEPT,
    KEPT_AT,
    LOTTE_CHANCE,
    OUTCOMES_AT,
    OVERHANG,
    STEPS,
    STOP_AT,
    STRAIGHT_CHANCE,
    THOUSAND,
)

CAP = 5000 // POINT_UNIT  # a player with as many points stops

Floats = npt.NDArray[np.float64]


def _expected() -> tuple[Floats, Floats]:
    points = np.arange(2 * (CAP + OVERHANG), dtype=np.float64)
    best = points.copy()  # after a Volle Lotte
    go = points.copy()  # of turning a new card
    rows = np.repeat(points[: CAP + OVERHANG + 1], STEPS * COLUMNS).reshape(-1, COLUMNS)
    cards = np.array(BOX) / NUM_CARDS
    bonuses = (200 + 100 * np.arange(DOUBLE - BONUS)) // POINT_UNIT
    for x in range(CAP - 1, -1, -1):
        at = x * STEPS
        for n in range(1, STEPS):
            first, last = OUTCOMES_AT[n], OUTCOMES_AT[n + 1]
            keeps = rows[at + KEPT[KEPT_AT[first] : KEPT_AT[last]]]
            top = np.maximum.reduceat(keeps, KEPT_AT[first:last] - KEPT_AT[first])
            stops = np.where(STOP_AT[first:last] >= 0, x + STOP_AT[first:last], -1)
            top[:, 1:] = np.maximum(top[:, 1:], stops[:, None])  # V9: under fireworks nobody stops
            rows[at + n] = CHANCE[first:last] @ top
            rows[at + n, 0] += BUST[n] * x  # V9
        rows[at, 0] = rows[at + NUM_DICE, 0]  # V9
        rows[at, BONUS - FIREWORKS : DOUBLE - FIREWORKS] = best[x + bonuses]  # V10
        rows[at, DOUBLE - FIREWORKS] = best[2 * x]  # V11
        go[x] = cards[FIREWORKS : DOUBLE + 1] @ rows[at + NUM_DICE]
        go[x] += cards[PLUS_MINUS] * LOTTE_CHANCE[NUM_DICE] * best[x + THOUSAND]
        go[x] += cards[STRAIGHT] * STRAIGHT_CHANCE[0] * (x + 2 * THOUSAND)
        best[x] = max(x, go[x])
    return rows[: (CAP + 1) * STEPS].reshape(CAP + 1, STEPS, COLUMNS), go[: CAP + 1]


ROLLING, GOING_ON = _expected()
"""The points expected of the turn: `ROLLING[points so far, dice to roll, card - FIREWORKS]`, and `GOING_ON[points so
far]` of a new card."""
