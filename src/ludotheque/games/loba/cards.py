"""Loba's cards, and the moves by number: what each action id stands for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core.bits import count
from ludotheque.core.jit import jit

# Cards: 4 * rank + suit; then the joker. All cards of a kind are alike: two of each, four jokers (B1).
# Many cards are two masks of 52 bits, `once` (held at least once) and `twice` (held twice), and a number of jokers.
# In such a mask a rank is a digit of four bits, and the same suit of the next rank is four bits further up.
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
NUM_RANKS = 13
JOKER = 52
NUM_TYPES = 53
NUM_JOKERS = 4
NUM_CARDS = 108
ALL_TYPES = (1 << JOKER) - 1
NO_CARD = -1

# Combinations: brelans and longer sets of a rank, quartes and longer runs. A run's places go from 0 (the low ace)
# to 13 (the high ace), B8.
SET, RUN = 0, 1
NO_PLACE = -1
LAST_PLACE = 13
NUM_STARTS = 11  # where four in a row can begin

# A brelan or sextuple of a rank is one of 26 choices of suits, the same number for both by chance: what a sextuple
# leaves of the eight cards of a rank is a pair, or with a joker three.
NUM_CHOICES = 26

# At most 17 combinations lie on the table. Cards leave the hands only for it, so hands and table together have 11 cards
# a player and the one just drawn. Of 5 players four still hold a card, so at most 52 lie there, in threes or more.
MAX_MELDS = 17

# Actions: their table stands at the top of rules.py.
STOCK = 0
TAKE = 1
DROP = 2
BRELAN = 55
SEXTUPLE = 393
QUARTE = 731
NUM_CODES = 512
JOKER_CODE = 256
ADD = 6363
NUM_SLOTS = 63
ACE_SLOT = 53
JOKER_LOW = 61
JOKER_HIGH = 62
NUM_ACTIONS = ADD + NUM_SLOTS * MAX_MELDS


def _choices() -> Iterator[tuple[int, int, int, int]]:
    """Suits there once at least, suits there twice, joker or not, cards: 26 brelans, then 26 sextuples."""
    for size in (3, 6):
        for joker in (0, 1):
            for suits in combinations_with_replacement(range(4), size - joker):
                counts = [suits.count(suit) for suit in range(4)]
                if max(counts) <= 2:
                    once = sum(1 << suit for suit in range(4) if counts[suit] > 0)
                    twice = sum(1 << suit for suit in range(4) if counts[suit] == 2)
                    yield once, twice, joker, size


CHOICES: npt.NDArray[np.int64] = np.array(list(_choices()), dtype=np.int64)


@jit
def set_cards(action: int) -> tuple[int, int, int, int, int]:
    """A brelan or sextuple by its id: rank, suits once, suits twice, joker or not, number of cards."""
    code = action - BRELAN
    first = 0
    if action >= SEXTUPLE:
        code = action - SEXTUPLE
        first = NUM_CHOICES
    rank = code // NUM_CHOICES
    row = first + code - NUM_CHOICES * rank
    return rank, int(CHOICES[row, 0]), int(CHOICES[row, 1]), int(CHOICES[row, 2]), int(CHOICES[row, 3])


@jit
def run_cards(action: int) -> tuple[int, int, int, int]:
    """A quarte by its id: start, place of the joker or NO_PLACE, cards as a mask, suits as on the table (melds.py)."""
    start = (action - QUARTE) // NUM_CODES
    code = (action - QUARTE) % NUM_CODES
    joker = NO_PLACE
    if code >= JOKER_CODE:
        joker = start + (code - JOKER_CODE) // 64
        code = (code - JOKER_CODE) % 64
    cards = 0
    suits = 0
    for place in range(start, start + 4):
        if place != joker:
            suit = code & 3
            code >>= 2
            cards |= 1 << (4 * rank_at(place) + suit)
            suits |= suit << (2 * place)
    return start, joker, cards, suits


@jit
def laid_cards(action: int) -> tuple[int, int, int, int]:
    """What a laying takes out of the hand: types once at least, types twice, jokers, number of cards."""
    if action >= QUARTE:
        _, joker, cards, _ = run_cards(action)
        return cards, 0, 1 if joker != NO_PLACE else 0, 4
    rank, once, twice, jokers, size = set_cards(action)
    return once << (4 * rank), twice << (4 * rank), jokers, size


@jit
def rank_at(place: int) -> int:
    """The rank at a place of a run; the last is an ace again (B8)."""
    return place if place < NUM_RANKS else 0


@jit
def slot_card(slot: int) -> int:
    """The card that is added with a slot."""
    if slot <= JOKER:
        return slot
    return JOKER if slot >= JOKER_LOW else (slot - ACE_SLOT) >> 1


@jit
def take_out(once: int, twice: int, gone: int, gone_twice: int) -> tuple[int, int]:
    """The masks after cards have gone, `gone` once at least and `gone_twice` twice; none go below zero."""
    return once & ~((gone & ~twice) | gone_twice), twice & ~gone


@jit
def merge(once: int, twice: int, more: int, more_twice: int) -> tuple[int, int]:
    """The masks of two heaps together."""
    return once | more, twice | more_twice | (once & more)


@jit
def num_cards(once: int, twice: int, jokers: int) -> int:
    """How many cards a heap has."""
    return count(once) + count(twice) + jokers


@jit
def put(once: Any, twice: Any, jokers: Any, seat: int, card: int) -> None:
    """Put a card into a seat's heap."""
    if card == JOKER:
        jokers[seat] += 1
    else:
        twice[seat] |= once[seat] & (1 << card)
        once[seat] |= 1 << card


@jit
def take(once: Any, twice: Any, jokers: Any, seat: int, gone: int, gone_twice: int, gone_jokers: int) -> None:
    """Take cards out of a seat's heap; what is not there is left out."""
    a, b = take_out(once[seat], twice[seat], gone, gone_twice)
    once[seat] = a
    twice[seat] = b
    jokers[seat] = max(jokers[seat] - gone_jokers, 0)


@jit
def held(once: int, twice: int, jokers: int, card: int) -> int:
    """How many of a card a heap has."""
    if card == JOKER:
        return jokers
    return (once >> card & 1) + (twice >> card & 1)


@jit
def penalty(once: int, twice: int, jokers: int) -> int:
    """What the cards left in a hand count (B19)."""
    points = 25 * jokers
    for rank in range(NUM_RANKS):
        points += (rank + 1) * (count(once >> (4 * rank) & 15) + count(twice >> (4 * rank) & 15))
    return points
