"""Bots for Volle Lotte!: ratings in points, a fast policy, an estimate of the standing, the fixed rule, the ladder.

`strong` and `expert` weigh moves by exact chances: see `advisor.py`. The other levels think in points: what a turn
brings on average after each move, with an eye on the end of the match.
"""

from __future__ import annotations

import math
from typing import Any

from ludotheque.core.jit import jit
from ludotheque.core.ladder import EXACT, Level
from ludotheque.core.record import NOBODY, Ids
from ludotheque.core.record import State as S
from ludotheque.games.volle_lotte.advisor import Advisor as Advisor
from ludotheque.games.volle_lotte.audit import POINT_UNIT
from ludotheque.games.volle_lotte.cards import BONUS, DOUBLE, FIREWORKS, STRAIGHT, dice_count, lotte_points
from ludotheque.games.volle_lotte.dice import KEEP_DICE, KEEP_POINTS, ROLL_DICE, ROLL_POINTS, ROLL_SCORING
from ludotheque.games.volle_lotte.gains import CAP, GOING_ON, ROLLING
from ludotheque.games.volle_lotte.rules import legal
from ludotheque.games.volle_lotte.state import KEEP, LOTTE, ROLLED, STOP
from ludotheque.games.volle_lotte.turns import LOTTE_CHANCE

# What `style` holds. All zeros: a good player at the table.
FIXED = 0  # 1: the fixed rule and nothing else
BOLD = 1  # points by which stopping seems less worth than it is; negative: more
CARD_BLIND = 2  # 1: plays every card as if it were the smallest bonus
END_BLIND = 3  # 1: plays the end of the match as any other turn
GREEDY = 4  # how much more than to a good player the points left lying seem lost

PITY = 1.0  # to people at a table, points that a keep leaves lying seem lost: they keep too many dice
LATE = 1500  # points from the target at which a leader makes the others hurry
HURRY = 0.3  # how much less stopping is worth to them at most
TEMPO = 200.0  # points that it is worth to be at turn one seat earlier
REPLY_SCALE, REPLY_POWER, BEST_REPLY = 550.0, 1.6, 0.65  # the chance to catch up a lead in the last turn


@jit
def stop_points(s: S) -> int:
    """V5, V7: the points that stopping scores."""
    if s.phase == LOTTE:
        return s.turn_points
    gained = s.card_points + (int(ROLL_POINTS[s.roll]) if dice_count(s.card) else 0)
    if int(ROLL_SCORING[s.roll]) == int(ROLL_DICE[s.roll]):
        return lotte_points(s.card, s.turn_points, gained)
    return s.turn_points + gained


@jit
def best_other(s: S, seat: int) -> int:
    """The highest score of the others."""
    best = s.score[(seat + 1) % s.num_seats]
    for other in range(s.num_seats):
        if other != seat:
            best = max(best, s.score[other])
    return best


@jit
def lowest_other(s: S, seat: int) -> int:
    """The lowest score of the others."""
    lowest = s.score[(seat + 1) % s.num_seats]
    for other in range(s.num_seats):
        if other != seat:
            lowest = min(lowest, s.score[other])
    return lowest


@jit
def stop_rating(s: S, seat: int) -> float:
    """What stopping is worth, in points: those it scores, and at the end of the match what they mean."""
    points = stop_points(s)
    total = s.score[seat] + points
    best = best_other(s, seat)
    if s.closing:
        return 10_000.0 if total > best else 0.5 * points if total == best else -1.0
    if total >= s.target:
        lead = max(total - lowest_other(s, seat), 0)
        reply = BEST_REPLY / (1.0 + (lead / REPLY_SCALE) ** REPLY_POWER)
        return points + 2000.0 * (0.5 - reply)
    if best > total and best > s.target - LATE:
        return points * (1.0 - HURRY * (best - s.target + LATE) / LATE)
    return float(points)


@jit
def going_on_rating(s: S, action: int, blind: bool) -> float:
    """What rolling on is worth, in points: what such turns bring on average."""
    if s.phase != ROLLED:
        return POINT_UNIT * GOING_ON[min(s.turn_points // POINT_UNIT, CAP)]
    if s.card == STRAIGHT:
        return 0.0  # there is no choice
    keep = action - KEEP
    left = int(ROLL_DICE[s.roll]) - int(KEEP_DICE[keep])
    if not dice_count(s.card):
        return 1000.0 * LOTTE_CHANCE[left]
    points = s.turn_points + s.card_points + int(KEEP_POINTS[keep])
    card = BONUS if blind and BONUS <= s.card <= DOUBLE else s.card
    return POINT_UNIT * ROLLING[min(points // POINT_UNIT, CAP), left, card - FIREWORKS]


@jit
def rate(s: S, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    """Ratings in points."""
    if style[FIXED] > 0:
        chosen = fixed_rule(s, seat, ids, n)
        for i in range(n):
            scores[i] = 1.0 if ids[i] == chosen else 0.0
        return
    for i in range(n):
        action = int(ids[i])
        if action == STOP:
            scores[i] = (stop_points(s) if style[END_BLIND] > 0 else stop_rating(s, seat)) - style[BOLD]
        else:
            scores[i] = going_on_rating(s, action, style[CARD_BLIND] > 0)
            if action >= KEEP:
                lying = int(ROLL_POINTS[s.roll]) - int(KEEP_POINTS[action - KEEP])
                scores[i] -= (PITY + style[GREEDY]) * lying


@jit
def best_rated(s: S, seat: int, ids: Ids, n: int) -> int:
    """The move that is worth the most points."""
    best, top = int(ids[0]), -1e9
    for i in range(n):
        action = int(ids[i])
        value = stop_rating(s, seat) if action == STOP else going_on_rating(s, action, False)
        if value > top:
            best, top = action, value
    return best


@jit
def policy(s: S, seat: int, x: int, out: Ids) -> int:
    """The best rated move."""
    return best_rated(s, seat, out, legal(s, seat, out))


@jit
def worth(s: S, values: Any) -> None:
    """Chances to win: at the end of the match as it is, before it by how far everybody is from the target."""
    n = s.num_seats
    if s.over and s.clover_winner != NOBODY:
        for seat in range(n):
            values[seat] = 1.0 if seat == s.clover_winner else 0.0
        return
    best = s.score[0]
    for seat in range(1, n):
        best = max(best, s.score[seat])
    scale = 850.0 + 0.3 * max(s.target - best, 0)  # fitted to the solved match of two
    total = 0.0
    for seat in range(n):
        lead = float(s.score[seat] - best)
        if s.over:
            values[seat] = 1.0 if lead == 0 else 0.0
        else:
            wait = (seat - s.actor) % n
            values[seat] = math.exp((lead - TEMPO * wait) / scale)
        total += values[seat]
    for seat in range(n):
        values[seat] /= total


@jit
def fixed_rule(s: S, seat: int, ids: Ids, n: int) -> int:
    """Stop at 300 with three dice or fewer left, at 600 always; else set all scoring dice aside and roll on.

    Under fireworks nothing can be lost, so roll on (V9). In a last turn only to be ahead counts, and the rule gives way
    to the best rated move.
    """
    if s.closing:
        return best_rated(s, seat, ids, n)
    if ids[0] == STOP and s.card != FIREWORKS:
        points = stop_points(s)
        left = 0 if s.phase == LOTTE else int(ROLL_DICE[s.roll]) - int(ROLL_SCORING[s.roll])
        if points >= 600 or (points >= 300 and left <= 3):
            return STOP
    chosen, most = int(ids[n - 1]), -1
    for i in range(n):
        action = int(ids[i])
        if action >= KEEP and int(KEEP_DICE[action - KEEP]) > most:
            chosen, most = action, int(KEEP_DICE[action - KEEP])
    return chosen


LADDER = {
    "beginner": Level(temperature=160.0, cap=500.0, style=(0.0, 200.0, 1.0, 1.0, 0.5)),
    "casual": Level(temperature=25.0, cap=120.0, style=(0.0, -130.0, 0.0, 1.0)),
    "club": Level(temperature=12.0, cap=80.0),
    "strong": Level(way=EXACT, temperature=0.003, cap=0.015),
    "expert": Level(way=EXACT),
}

EXTRAS = {
    "fixed": Level(style=(1.0,)),
    "expert-1": Level(way=EXACT),
}
"""The fixed rule, and the expert as it was."""
