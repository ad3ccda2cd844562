"""One turn of Volle Lotte! solved exactly: what every choice in it is worth, given what each way to end it is worth.

Points are counted in fifties here. Within a turn only this matters: the points `x` that stopping would score, the
±1000 made so far `k`, the card and the dice left to roll; for every card whose dice count, earlier points and those of
its own dice go together. Each roll that leaves a choice adds points, so one pass from many points down to none, and
from many ±1000 to none, settles it without iteration.

What everything is measured in is up to the caller: the chance to win, for the best play; a clover that succeeds is 1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import factorial
from typing import Any, NamedTuple

import numpy as np

from ludotheque.core.jit import jit
from ludotheque.games.volle_lotte.audit import POINT_UNIT
from ludotheque.games.volle_lotte.cards import (
    BONUS,
    CLOVER,
    DOUBLE,
    FIREWORKS,
    NUM_KINDS,
    PLUS_MINUS,
    STOP_CARD,
    STRAIGHT,
)
from ludotheque.games.volle_lotte.dice import (
    BUSTS,
    CHOICES,
    CHOICES_AT,
    KEEP_DICE,
    KEEP_POINTS,
    NUM_DICE,
    ROLL_POINTS,
    ROLL_SCORING,
    ROLLS,
    WAYS,
    Dice,
)

THOUSAND = 1000 // POINT_UNIT
COLUMNS = DOUBLE - FIREWORKS + 1  # a column for each card whose dice count
STEPS = NUM_DICE + 1  # rows for each number of points, by dice left to roll; 0: a Volle Lotte
OVERHANG = int(ROLL_POINTS.max()) // POINT_UNIT  # how far beyond the last row a roll can reach


class Turn(NamedTuple):
    """A turn that is being solved: what is given, and what is worked out. Arrays may reach beyond `cap`."""

    cap: int
    """A turn of so many points is taken to be scored there."""
    goes_on: int
    """V13: whether a turn goes on after a straight."""
    fireworks_stop: int
    """V9: whether a player may stop under fireworks."""
    chances: Any
    """The chance of each kind to be the next card."""
    stand: Any
    """`[k, x]`: what scoring the turn is worth."""
    lose: Any
    """`[k]`: what losing it is worth."""
    best: Any
    """`[k, x]`: what it is worth after a Volle Lotte."""
    opened: Any
    """`[k, x, column]`: what it is worth when a card has just been turned."""
    rows: Any
    """What it is worth when the dice left are about to be rolled, for the `k` that was solved last."""


def ways(dice: Dice) -> int:
    """In how many ways these dice can fall."""
    result = factorial(len(dice))
    for face in set(dice):
        result //= factorial(dice.count(face))
    return result


def _keeps(roll: int) -> frozenset[tuple[int, int]]:
    """What may be kept of a roll: dice left and points."""
    keeps = CHOICES[CHOICES_AT[roll] : CHOICES_AT[roll + 1]]
    return frozenset((len(ROLLS[roll]) - int(KEEP_DICE[k]), int(KEEP_POINTS[k]) // POINT_UNIT) for k in keeps)


def _outcomes(num_dice: int) -> dict[tuple[int, frozenset[tuple[int, int]]], int]:
    """The rolls that leave a choice, those with the same choices together, and in how many ways they fall.

    A choice is the points of stopping (-1 where all dice score: that is the same as keeping all and stopping then),
    and the keeps.
    """
    found: dict[tuple[int, frozenset[tuple[int, int]]], int] = {}
    for roll, dice in enumerate(ROLLS):
        if len(dice) == num_dice and ROLL_POINTS[roll] > 0:
            stop = -1 if ROLL_SCORING[roll] == num_dice else int(ROLL_POINTS[roll]) // POINT_UNIT
            key = stop, _keeps(roll)
            found[key] = found.get(key, 0) + ways(dice)
    return found


_by_dice = [_outcomes(n) if n else {} for n in range(STEPS)]
_all = [(n, stop, keeps, count) for n in range(STEPS) for (stop, keeps), count in _by_dice[n].items()]

# The outcomes of n dice are numbers OUTCOMES_AT[n] to OUTCOMES_AT[n + 1] - 1.
OUTCOMES_AT = np.array([0, *np.cumsum([len(outcomes) for outcomes in _by_dice])], np.int32)
CHANCE = np.array([count / WAYS[n] for n, _, _, count in _all])
STOP_AT = np.array([stop for _, stop, _, _ in _all], np.int32)
# The keeps of an outcome are KEPT[KEPT_AT[outcome]] to KEPT[KEPT_AT[outcome + 1] - 1]: how many rows on they lead.
KEPT_AT = np.array([0, *np.cumsum([len(keeps) for _, _, keeps, _ in _all])], np.int32)
KEPT = np.array([pts * STEPS + left for _, _, keeps, _ in _all for left, pts in sorted(keeps)], np.int32)
BUST = np.array([0.0, *(BUSTS[n] / WAYS[n] for n in range(1, STEPS))])


@cache
def _lotte_chance(num_dice: int, wanted: bool) -> Fraction:
    """The chance that all dice get to score, if the player wants just that, or wants to avoid it."""
    if num_dice == 0:
        return Fraction(1)
    pick = max if wanted else min
    return Fraction(0) + sum(
        Fraction(count, WAYS[num_dice]) * pick(_lotte_chance(left, wanted) for left, _ in keeps)
        for (_, keeps), count in _by_dice[num_dice].items()
    )


@cache
def _straight_chance(num_aside: int) -> Fraction:
    """V13: the chance to get all faces, with so many aside."""
    if num_aside == NUM_DICE:
        return Fraction(1)
    left = NUM_DICE - num_aside
    # Of the ways the dice left can fall, those that bring exactly so many given new faces.
    result = Fraction(0)
    for new in range(1, left + 1):
        exactly = sum((-1) ** (new - m) * _choose(new, m) * (num_aside + m) ** left for m in range(new + 1))
        result += Fraction(exactly * _choose(left, new), WAYS[left]) * _straight_chance(num_aside + new)
    return result


def _choose(n: int, k: int) -> int:
    return factorial(n) // factorial(k) // factorial(n - k)


LOTTE_CHANCE = np.array([float(_lotte_chance(n, True)) for n in range(STEPS)])
"""The best chance of a Volle Lotte, by dice left to roll."""
LOTTE_AVOIDED = np.array([float(_lotte_chance(n, False)) for n in range(STEPS)])
"""The least chance of one while keeping no more than must be, by dice left to roll."""
STRAIGHT_CHANCE = np.array([float(_straight_chance(n)) for n in range(STEPS)])
"""The chance of a straight, by faces aside."""


@jit
def card_chances(left: Any, chances: Any) -> None:
    """The chance of each kind to be the next card, with these left."""
    total = 0
    for kind in range(NUM_KINDS):
        total += left[kind]
    for kind in range(NUM_KINDS):
        chances[kind] = left[kind] / total


@jit
def work_back(turn: Turn, k: int, low: int, settle: bool) -> None:
    """Solve all of a turn with `k` ±1000 and at least `low` points; what has more ±1000 must be solved already.

    With `settle`, `best` is worked out from the chances of the next card; without, it is there already.
    """
    cap, stand, lose, best, opened, rows = turn.cap, turn.stand, turn.lose, turn.best, turn.opened, turn.rows
    top = np.empty(COLUMNS)
    total = np.empty(COLUMNS)
    for i in range(cap * STEPS, (cap + OVERHANG + 1) * STEPS):
        for column in range(COLUMNS):
            rows[i, column] = stand[k, cap]
    for column in range(COLUMNS):
        opened[k, cap, column] = stand[k, cap]
    if settle:
        best[k, cap] = stand[k, cap]
    for x in range(cap - 1, low - 1, -1):
        at = x * STEPS
        for n in range(1, STEPS):
            for column in range(COLUMNS):
                total[column] = BUST[n] * lose[k]  # V4
            total[0] = BUST[n] * stand[k, x]  # V9
            for outcome in range(OUTCOMES_AT[n], OUTCOMES_AT[n + 1]):
                stop = -1.0
                if STOP_AT[outcome] >= 0:
                    stop = stand[k, min(x + STOP_AT[outcome], cap)]
                for column in range(COLUMNS):
                    top[column] = stop
                if not turn.fireworks_stop:  # V9
                    top[0] = -1.0
                for i in range(KEPT_AT[outcome], KEPT_AT[outcome + 1]):
                    row = at + KEPT[i]
                    for column in range(COLUMNS):
                        value = rows[row, column]
                        top[column] = value if value > top[column] else top[column]
                for column in range(COLUMNS):
                    total[column] += CHANCE[outcome] * top[column]
            for column in range(COLUMNS):
                rows[at + n, column] = total[column]
        for column in range(COLUMNS):
            opened[k, x, column] = rows[at + NUM_DICE, column]
        rows[at, 0] = rows[at + NUM_DICE, 0]  # V9: fireworks go on with six dice,
        if turn.fireworks_stop:  # unless the player stops after the roll that made the Volle Lotte
            rows[at, 0] = max(rows[at, 0], stand[k, x])
        for card in range(BONUS, DOUBLE):  # V10
            rows[at, card - FIREWORKS] = best[k, min(x + bonus_units(card), cap)]
        rows[at, DOUBLE - FIREWORKS] = best[k, min(max(2 * x, x + 1), cap)]  # V11
        if settle:
            best[k, x] = max(stand[k, x], next_card(turn, k, x))


@jit
def bonus_units(card: int) -> int:
    """V10: the bonus of a card, in fifties."""
    return (200 + 100 * (card - BONUS)) // POINT_UNIT


@jit
def next_card(turn: Turn, k: int, x: int) -> float:
    """What going on with a new card is worth."""
    chances, opened = turn.chances, turn.opened
    go = chances[STOP_CARD] * turn.lose[k]  # V8
    for card in range(FIREWORKS, DOUBLE + 1):
        go += chances[card] * opened[k, x, card - FIREWORKS]
    go += chances[PLUS_MINUS] * plus_minus(turn, k, x, NUM_DICE)
    go += chances[STRAIGHT] * straight(turn, k, x, 0)
    return go + chances[CLOVER] * clover(turn, k, NUM_DICE, 0)


@jit
def plus_minus(turn: Turn, k: int, x: int, num_dice: int) -> float:
    """V12: with so many dice left to roll under ±1000."""
    lose, best = turn.lose, turn.best
    gain = best[min(k + 1, len(best) - 1), min(x + THOUSAND, turn.cap)] - lose[k]
    # Near the end more points can be worth less than none: then the player would rather not get there.
    return lose[k] + (LOTTE_CHANCE[num_dice] if gain >= 0 else LOTTE_AVOIDED[num_dice]) * gain


@jit
def straight(turn: Turn, k: int, x: int, num_aside: int) -> float:
    """V13: with so many faces aside, about to roll."""
    lose = turn.lose
    points = min(x + 2 * THOUSAND, turn.cap)
    made = turn.best[k, points] if turn.goes_on else turn.stand[k, points]
    return lose[k] + STRAIGHT_CHANCE[num_aside] * (made - lose[k])


@jit
def clover(turn: Turn, k: int, num_dice: int, lottes: int) -> float:
    """V14: with so many dice left to roll."""
    lose = turn.lose
    chance = LOTTE_CHANCE[num_dice]
    if lottes == 0:
        chance *= LOTTE_CHANCE[NUM_DICE]
    return lose[k] + chance * (1.0 - lose[k])
