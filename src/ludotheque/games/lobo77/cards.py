"""The cards of LOBO 77: what there is in the box, what each adds, and hands as packed counts."""

from __future__ import annotations

import numpy as np

from ludotheque.core.bits import count, lowest
from ludotheque.core.jit import jit
from ludotheque.core.record import State as S

# Types of cards (L1, L22): cards of a type are all alike, so a card is its type.
#   0     1   2..10    11..16              17   18   19
#   -10   0   2..10    11 22 33 44 55 66   76   2x   reverse
CARDS = ("-10", "0", *(str(n) for n in range(2, 11)), "11", "22", "33", "44", "55", "66", "76", "2x", "rev")
"""Each type in notation."""
NUM_TYPES = 20
CARD_76 = 17
TWICE = 18
REVERSE = 19
NO_CARD = -1

_COPIES = (4, 4, *(3,) * 8, 8, *(1,) * 6, 1, 4, 5)
COPIES = np.array(_COPIES, np.int64)
"""How many of each type the box has, the 76 included."""
VALUE = np.array([-10, 0, *range(2, 11), 11, 22, 33, 44, 55, 66, 76, 0, 0], np.int64)
"""What each type adds to the total."""
_SORTED = [card for card, copies in enumerate(_COPIES) for _ in range(copies)]
PACK = np.array([card for card in _SORTED if card != CARD_76] + [CARD_76], np.int8)
"""All cards, the 76 last: the first 55 are the game without it."""
PACK_SIZE = 55
MAX_CARDS = 56

# A hand is 20 counts of 3 bits: no hand has more than 5 cards.
COUNT_BITS = 3
UNITS = sum(1 << (COUNT_BITS * card) for card in range(NUM_TYPES))


@jit
def one(card: int) -> int:
    """A hand of this one card: add it to a hand, or subtract it."""
    return 1 << (COUNT_BITS * card)


@jit
def copies_in(hand: int, card: int) -> int:
    """How many cards of a type a hand has."""
    return (hand >> (COUNT_BITS * card)) & 7


@jit
def types_in(hand: int) -> int:
    """The types in a hand as a set: read them off with `first_type`."""
    return (hand | (hand >> 1) | (hand >> 2)) & UNITS


@jit
def type_at(bit: int) -> int:
    """The type of a bit in a set made by `types_in`: a third of it, as (x * 11) >> 5 is for all bits."""
    return (bit * 11) >> 5


@jit
def first_type(types: int) -> int:
    """The lowest type of a set made by `types_in`."""
    return type_at(lowest(types))


@jit
def num_cards(hand: int) -> int:
    """How many cards a hand has."""
    return count(hand & UNITS) + 2 * count((hand >> 1) & UNITS) + 4 * count((hand >> 2) & UNITS)


@jit
def box_copies(s: S, card: int) -> int:
    """How many of a type this match is played with (L1, L22)."""
    if card == CARD_76:
        return s.card_76
    return int(COPIES[card])
