"""How Pig is played: when to hold, chances to win, and the levels."""

from __future__ import annotations

import math
from typing import Any

from ludotheque.core.jit import jit
from ludotheque.core.ladder import FLAT, Level
from ludotheque.core.record import Ids
from ludotheque.core.record import State as S

from pig_game.rules import HOLD, ROLL

# What `style` holds: how many points a player rolls on for beyond what is wise.
GREED = 0

ENOUGH = 20  # another roll loses a sixth of the turn's points and adds 20 / 6: here the two are even
SPREAD = 25.0  # how many points weigh e times in the chance to win


@jit
def goal(s: S, seat: int) -> int:
    """The points at which to hold: enough, or all that is missing if somebody else is about to win."""
    lead = 0
    for other in range(s.num_seats):
        if other != seat:
            lead = max(lead, s.score[other])
    missing = s.target - s.score[seat]
    return missing if s.target - lead < ENOUGH else min(ENOUGH, missing)


@jit
def rate(s: S, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    for i in range(n):
        scores[i] = s.turn_points - goal(s, seat) - style[GREED] if ids[i] == HOLD else 0.0


@jit
def policy(s: S, seat: int, x: int, out: Ids) -> int:
    return HOLD if s.turn_points >= goal(s, seat) else ROLL


@jit
def worth(s: S, values: Any) -> None:
    total = 0.0
    for seat in range(s.num_seats):
        points = s.score[seat] + (s.turn_points / 2 if seat == s.actor else 0.0)
        if s.over:
            values[seat] = 1.0 if points >= s.target else 0.0
        else:
            values[seat] = math.exp(points / SPREAD)
        total += values[seat]
    for seat in range(s.num_seats):
        values[seat] /= total


LADDER = {
    "beginner": Level(temperature=8.0, cap=30.0, style=(15.0,)),
    "casual": Level(temperature=3.0, cap=12.0, style=(5.0,)),
    "club": Level(),
    "strong": Level(FLAT, playouts=100, rounds=0),
    "expert": Level(FLAT, seconds=0.1, rounds=0),
}
