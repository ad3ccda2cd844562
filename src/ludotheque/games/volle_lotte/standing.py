"""What the scores are worth at the end of a turn of Volle Lotte!: a seat's chance to win the match from there.

Two players under the options that were solved: read off the table, exactly. Everything else is estimated from it.
Another target: what counts is how far it is, so the table is read as far below its own. Targets farther than it
reaches: as in any long race, leads count by the square root of the way left. More players: the chances against each
other player are put together as those of a race whose finishing times are independent. The end of the match (V15) is
as the rules have it, but for last turns, which are taken one by one as if only that player and the seat were left.

Scores are counted in fifties here.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ludotheque.core.jit import jit
from ludotheque.games.volle_lotte.audit import POINT_UNIT
from ludotheque.games.volle_lotte.state import LOWEST

SOLVED_TARGET = 6000 // POINT_UNIT
SURE = 0.9999  # when several chances are put together, none is taken to be surer than this


@jit
def chance_to_move(values: Any, own: int, other: int, target: int) -> float:
    """The chance to win of a player at turn against one other."""
    size = len(values)
    mine, yours = target - own, target - other  # still to go
    longest = max(mine, yours)
    if longest > size:
        # Whoever has the longer way stands at the edge of the table, the other ahead of that.
        lead = math.sqrt(size * longest) * abs(mine - yours) / longest
        short = max(float(size) - lead, float(min(mine, yours)) * size / longest)
        if mine > yours:
            mine, yours = size, round(short)
        else:
            mine, yours = round(short), size
    return float(values[size - max(mine, 1), size - max(yours, 1)])


@jit
def chance_after(values: Any, scores: Any, num_seats: int, seat: int, target: int) -> float:
    """The chance to win of a seat that has just ended its turn, before anybody is at the target."""
    if num_seats == 2:
        return 1.0 - chance_to_move(values, scores[1 - seat], scores[seat], target)
    total = 0.0
    result = 0.0
    for step in range(1, num_seats + 1):  # in the order in which they will be at turn
        one = (seat + step) % num_seats
        odds = 2.0 - num_seats
        for other_step in range(1, num_seats + 1):
            if other_step == step:
                continue
            two = (seat + other_step) % num_seats
            if step < other_step:
                chance = chance_to_move(values, scores[one], scores[two], target)
            else:
                chance = 1.0 - chance_to_move(values, scores[two], scores[one], target)
            odds += 1.0 / min(max(chance, 1.0 - SURE), SURE)
        result = 1.0 / odds  # of a race with exponential times; the last one is the seat's
        total += result
    return result / total


@jit
def share_of_first(scores: Any, num_seats: int, seat: int) -> float:
    """V15: what a seat has of the win if the match ends with these scores."""
    equals = 0
    for other in range(num_seats):
        if scores[other] > scores[seat]:
            return 0.0
        equals += scores[other] == scores[seat]
    return 1.0 / equals


@jit
def chance_of_lead(replies: Any, lead: int) -> float:
    """The chance that a lead of so many fifties outlasts another player's last turn."""
    if lead < 0:
        return 0.0
    return 1.0 - replies[min(lead, len(replies) - 1)]


class Stage(NamedTuple):
    """Where a match is, as the seat that ends its turn stands in it; but for the target as in the record."""

    num_seats: int
    seat: int
    first: int
    target: int
    """In fifties."""
    ending: int
    closing: int
    """Whether the turn was a last turn already."""


@jit
def chance_at_end_of_turn(values: Any, replies: Any, scores: Any, stage: Stage) -> float:
    """The chance to win of a seat whose turn has just ended with these scores."""
    num_seats, seat, first, target, ending, closing = stage
    if not closing and scores[seat] < target:
        return chance_after(values, scores, num_seats, seat, target)
    if ending == LOWEST:
        if closing:
            return share_of_first(scores, num_seats, seat)
        lowest = 1 << 40
        for other in range(num_seats):
            if other != seat:
                lowest = min(lowest, scores[other])
        return chance_of_lead(replies, scores[seat] - lowest)
    chance = share_of_first(scores, num_seats, seat)
    other = (seat + 1) % num_seats
    while other != first:
        chance *= chance_of_lead(replies, scores[seat] - scores[other])
        other = (other + 1) % num_seats
    return chance


@jit
def take_from_leaders(scores: Any, num_seats: int, seat: int, points: int, negative: int) -> bool:
    """V12: whoever leads loses points, unless the seat is among them; whether anybody does."""
    best = scores[0]
    for other in range(1, num_seats):
        best = max(best, scores[other])
    if scores[seat] == best:
        return False
    rest = best - points if negative else max(best - points, 0)
    for other in range(num_seats):
        if scores[other] == best:
            scores[other] = rest
    return True
