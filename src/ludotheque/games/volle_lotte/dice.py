"""The dice of Volle Lotte! as tables: every roll of up to six dice, what it scores, what may be kept of it.

A roll is a multiset of dice: which die shows what does not matter. There are 923 of them for one to six dice,
and roll 0 of no dice. A keep is a multiset of dice that all score (V3, V6). The tables are made here, once;
the rules only look things up.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np

from ludotheque.core.chance import below
from ludotheque.core.jit import jit
from ludotheque.core.record import State as S

NUM_DICE = 6
NUM_FACES = 6

Dice = tuple[int, ...]
"""Faces 1 to 6 in ascending order."""

TRIPLE_POINTS = (1000, 200, 300, 400, 500, 600)  # V3: three 1s, three 2s, ...
SINGLE_POINTS = (100, 0, 0, 0, 50, 0)


def points_of(dice: Dice) -> int:
    """V3: the most points that the dice of one roll bring, each counted once."""
    total = 0
    for face in range(NUM_FACES):
        triples, singles = divmod(dice.count(face + 1), 3)
        total += triples * TRIPLE_POINTS[face] + singles * SINGLE_POINTS[face]
    return total


def scoring_dice(dice: Dice) -> Dice:
    """V3: all dice of a roll that score: 1s, 5s and threes."""
    kept: list[int] = []
    for face in range(1, NUM_FACES + 1):
        n = dice.count(face)
        kept += [face] * (n if SINGLE_POINTS[face - 1] else n - n % 3)
    return tuple(kept)


def pack(dice: Dice) -> int:
    """Dice as one number: three bits a face, the 1s lowest. Packed numbers add up as their dice do."""
    return sum(1 << (3 * (face - 1)) for face in dice)


def unpack(packed: int) -> Dice:
    """The dice of a packed number."""
    return tuple(face for face in range(1, NUM_FACES + 1) for _ in range(packed >> (3 * (face - 1)) & 7))


# Rolls of fewer dice come first, so the 84 rolls of at most three dice have the lowest numbers.
ROLLS: tuple[Dice, ...] = tuple(
    dice for n in range(NUM_DICE + 1) for dice in combinations_with_replacement(range(1, NUM_FACES + 1), n)
)
ROLL_IDS = {dice: roll for roll, dice in enumerate(ROLLS)}
NO_ROLL = 0
NUM_ROLLS = len(ROLLS)  # 924

KEEPS: tuple[Dice, ...] = tuple(dice for dice in ROLLS if dice and scoring_dice(dice) == dice)
"""All dice that can be kept at once, 77 of them."""

_kept_of = [
    [k for k, keep in enumerate(KEEPS) if all(keep.count(face) <= dice.count(face) for face in keep)] for dice in ROLLS
]

ROLL_DICE = np.array([len(dice) for dice in ROLLS], np.int8)
ROLL_POINTS = np.array([points_of(dice) for dice in ROLLS], np.int16)  # with every scoring die
ROLL_SCORING = np.array([len(scoring_dice(dice)) for dice in ROLLS], np.int8)  # how many dice score
ROLL_FACES = np.array([pack(tuple(sorted(set(dice)))) for dice in ROLLS], np.int32)  # packed, each face once
ROLL_PACKED = np.array([pack(dice) for dice in ROLLS], np.int32)
ALL_FACES = pack((1, 2, 3, 4, 5, 6))

# The keeps of a roll are CHOICES[CHOICES_AT[roll]] to CHOICES[CHOICES_AT[roll + 1] - 1].
CHOICES = np.array([k for keeps in _kept_of for k in keeps], np.int8)
CHOICES_AT = np.array([0, *np.cumsum([len(keeps) for keeps in _kept_of])], np.int16)

MAX_KEEPS = max(map(len, _kept_of))

KEEP_DICE = np.array([len(keep) for keep in KEEPS], np.int8)
KEEP_POINTS = np.array([points_of(keep) for keep in KEEPS], np.int16)
KEEP_PACKED = np.array([pack(keep) for keep in KEEPS], np.int32)

WAYS = tuple(NUM_FACES**n for n in range(NUM_DICE + 1))
"""In how many ways so many dice can fall."""

# A roll is one draw below 6**n, whose digits to base 6 are the dice. Three dice are looked up at a time:
# THROWN[THROWN_AT[n] + digits] is the roll of n dice, JOINED[a, b] the roll of a and b together.
_NUM_SMALL = sum(len(dice) <= 3 for dice in ROLLS)
THROWN = np.array(
    [ROLL_IDS[tuple(sorted(dice))] for n in range(4) for dice in product(range(1, NUM_FACES + 1), repeat=n)],
    np.int8,
)
THROWN_AT = np.array([0, 1, 7, 43], np.int16)
JOINED = np.array([[ROLL_IDS[tuple(sorted(a + b))] for b in ROLLS[:_NUM_SMALL]] for a in ROLLS[:_NUM_SMALL]], np.int16)
POWERS = np.array(WAYS, np.int32)


@jit
def throw(s: S, num_dice: int) -> int:
    """Roll so many dice."""
    digits = below(s, int(POWERS[num_dice]))
    low = num_dice if num_dice <= 3 else 3
    a = int(THROWN[int(THROWN_AT[low]) + digits % 216])
    b = int(THROWN[int(THROWN_AT[num_dice - low]) + digits // 216])
    return int(JOINED[a, b])


@jit
def num_packed(packed: int) -> int:
    """How many dice a packed number holds."""
    dice = 0
    for face in range(NUM_FACES):
        dice += (packed >> (3 * face)) & 7
    return dice


@jit
def all_can_score(packed: int) -> bool:
    """V3: whether each of these dice can have scored: of 2s, 3s, 4s and 6s only threes do."""
    odd = 0
    for face in (1, 2, 3, 5):
        odd += ((packed >> (3 * face)) & 7) % 3
    return odd == 0


@jit
def are_worth(packed: int, points: int) -> bool:
    """Whether dice set aside in one or several rolls can have brought these points."""
    rest = points
    for face in (1, 2, 3, 5):
        rest -= ((packed >> (3 * face)) & 7) // 3 * TRIPLE_POINTS[face]
    ones, fives = packed & 7, (packed >> 12) & 7
    for a in range(ones // 3 + 1):
        for b in range(fives // 3 + 1):
            if rest == 1000 * a + 100 * (ones - 3 * a) + 500 * b + 50 * (fives - 3 * b):
                return True
    return False


def draw_for(dice: Dice) -> tuple[int, int]:
    """The draw (value, n) that throws these dice, for scripting chance."""
    return sum((face - 1) * WAYS[i] for i, face in enumerate(dice)), WAYS[len(dice)]


def _count_busts() -> tuple[int, ...]:
    busts = [0] * (NUM_DICE + 1)
    for dice in ROLLS[1:]:
        if points_of(dice) == 0:
            ways = 1
            for i, face in enumerate(dice):  # the multinomial coefficient, factor by factor
                ways = ways * (i + 1) // dice[: i + 1].count(face)
            busts[len(dice)] += ways
    return tuple(busts)


BUSTS = _count_busts()
"""V4: in how many of the `WAYS` no die scores, by number of dice."""


def straight_busts(num_aside: int) -> int:
    """V13: in how many of the `WAYS` the dice left bring no new face, with so many faces aside."""
    return int(num_aside ** (NUM_DICE - num_aside))
