"""Worlds as they are likely to be: seats that have had some turns hold better hands than chance deals.

`resample` deals what is unseen at random. Here the imagined seats exchange cards with the imagined stock, until those
who still build are about as near to their contract as their turns make likely, and those who are down hold few cards
that they could have laid. Cards everybody knows about stay where they are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludotheque.core.bits import lowest
from ludotheque.core.chance import below
from ludotheque.core.jit import jit
from ludotheque.core.record import State as S
from ludotheque.games.loba.cards import JOKER, NO_PLACE, take_out
from ludotheque.games.loba.melds import fitting, meld_at, ranks_of
from ludotheque.games.loba.planning import Survey, at_least, survey, whole
from ludotheque.games.loba.state import CONTRACT_RUNS, CONTRACT_SETS, NUM_DEALT

# The chance in percent to come a card nearer in a turn, measured between good players: by the suits of runs, by round,
# by the number of cards lacking.
MOST_LACKING = 7
STEPS: npt.NDArray[np.int64] = np.array(
    [
        [
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 35, 45, 95, 99, 99, 99, 99],
            [0, 20, 41, 65, 90, 99, 99, 99],
            [0, 17, 25, 41, 45, 95, 99, 99],
            [0, 31, 39, 57, 85, 91, 99, 99],
            [0, 21, 34, 49, 70, 91, 99, 99],
            [0, 15, 24, 36, 51, 70, 99, 99],
        ],
        [
            [0, 0, 0, 0, 0, 0, 0, 0],
            [0, 35, 45, 95, 99, 99, 99, 99],
            [0, 37, 75, 99, 99, 99, 99, 99],
            [0, 38, 54, 79, 85, 99, 99, 99],
            [0, 31, 40, 57, 85, 93, 99, 99],
            [0, 30, 47, 74, 95, 99, 99, 99],
            [0, 31, 47, 74, 87, 99, 99, 99],
        ],
    ],
    dtype=np.int64,
)
NUM_CHAINS = 8  # tries to find a course of turns after which a seat is not down
NUM_SWAPS = 24  # cards exchanged at most until a hand lacks what it should
ONE_KEPT = 32  # of so many cards that fit on the table a seat that is down keeps one


@jit
def table_fits(s: S) -> int:
    """The cards that can be added to something on the table, the joker as bit 52."""
    cards = 0
    for number in range(s.num_melds):
        cards |= fitting(meld_at(s, number), s.runs)
        if s.meld_joker[number] == NO_PLACE:
            cards |= 1 << JOKER
    return cards


@jit
def turns_had(s: S, seat: int) -> int:
    """How many turns a seat has finished in this round."""
    n = s.num_seats
    first = (seat - s.dealer - 1) % n + 1
    return max(s.turn_no - first + n - 1, 0) // n


@jit
def likely_lack(s: S, lack: int, turns: int) -> int:
    """What a seat that is not down lacks after so many turns that began with this lack, drawn at random."""
    for _ in range(NUM_CHAINS):
        left = min(lack, MOST_LACKING)
        if left == 0:
            left = 1
        for _ in range(turns):
            if below(s, 100) < STEPS[s.runs, s.round_no, left]:
                left -= 1
                if left == 0:
                    break
        if left > 0:
            return left
    return 1


@jit
def _exchange(s: S, seat: int, card: int, place: int) -> None:
    """A card of a hand goes into the stock, for the one at a place there."""
    other = s.stock[place] + 0
    s.stock[place] = card
    if card == JOKER:
        s.hand_jokers[seat] -= 1
    else:
        a, b = take_out(s.hand[seat], s.hand_twice[seat], 1 << card, 0)
        s.hand[seat] = a
        s.hand_twice[seat] = b
    if other == JOKER:
        s.hand_jokers[seat] += 1
    else:
        s.hand_twice[seat] |= s.hand[seat] & (1 << other)
        s.hand[seat] |= 1 << other


@jit
def _find(s: S, cards: int) -> int:
    """A random place in the stock with one of these cards, the joker as bit 52; -1 if there is none."""
    start = below(s, s.num_stock)
    for i in range(s.num_stock):
        place = start + i
        if place >= s.num_stock:
            place -= s.num_stock
        if cards >> s.stock[place] & 1:
            return place
    return -1


@jit
def _unknown(s: S, seat: int) -> tuple[int, int]:
    """The cards of a hand, once and twice, that others do not know about, jokers apart."""
    return take_out(s.hand[seat], s.hand_twice[seat], s.known[seat], s.known_twice[seat])


@jit
def _highest(cards: int) -> int:
    """The highest card of some."""
    highest = 0
    while cards:
        highest = lowest(cards)
        cards &= cards - 1
    return highest


@jit
def build(s: S, seat: int, turns: int) -> None:
    """Bring a seat that is not down as near to its contract as is likely."""
    sets, runs = CONTRACT_SETS[s.round_no], CONTRACT_RUNS[s.round_no]
    found = survey(s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat], sets, runs, s.runs)
    wanted = likely_lack(s, found.lack, turns)
    for _ in range(NUM_SWAPS):
        if found.lack == wanted:
            break
        once, _ = _unknown(s, seat)
        if found.lack > wanted:
            place = _find(s, found.wants | found.joker_helps << JOKER)
            if place >= 0 and s.stock[place] == JOKER and below(s, 2) == 0:
                place = _find(s, found.wants)  # half the cards that help come from the pile, where jokers are rare
            free = once & ~(found.firm & ~(s.hand_twice[seat] & ~found.firm_twice))
            if free == 0:  # single cards count as well, but none of them in particular
                free = once & ~whole(at_least(ranks_of(s.hand[seat], s.hand_twice[seat]), 2))
            if place < 0 or free == 0:
                break
            card = _highest(free)
        else:
            place = below(s, s.num_stock)
            if once == 0:
                break
            card = _highest(once)
            for _ in range(below(s, 11)):
                once &= once - 1
                if once:
                    card = lowest(once)
        _exchange(s, seat, card, place)
        found = survey(s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat], sets, runs, s.runs)
        turns -= 1
    _tidy(s, seat, found, turns)


@jit
def _tidy(s: S, seat: int, found: Survey, turns: int) -> None:
    """Let a seat have thrown away high cards that it does not need, in so many turns that brought it no nearer."""
    for _ in range(turns):
        place = below(s, s.num_stock)
        once, _ = _unknown(s, seat)
        free = once & ~(found.firm & ~(s.hand_twice[seat] & ~found.firm_twice))
        drawn = s.stock[place] + 0
        if free and drawn >> 2 < _highest(free) >> 2 and not found.wants >> drawn & 1:
            _exchange(s, seat, _highest(free), place)


@jit
def shed(s: S, seat: int, fits: int) -> None:
    """Let a seat that is down hold few cards that it could have added to the table."""
    left = NUM_DEALT - 3 * CONTRACT_SETS[s.round_no] - 4 * CONTRACT_RUNS[s.round_no]
    if s.size[seat] == left and below(s, 3) == 0:
        return  # it may have laid its contract just now
    once, _ = _unknown(s, seat)
    once &= fits
    while once:
        card = lowest(once)
        once &= once - 1
        if below(s, ONE_KEPT) > 0:
            place = _find(s, ~fits)
            if place >= 0:
                _exchange(s, seat, card, place)
    if fits >> JOKER & 1:
        for _ in range(s.hand_jokers[seat] - s.known_jokers[seat]):
            place = _find(s, ~fits)
            if place >= 0:
                _exchange(s, seat, JOKER, place)


@jit
def mature(s: S, seat: int) -> None:
    """Make the hands of the others, just dealt at random, as good as their turns make likely."""
    if s.is_recycled or s.num_stock == 0:
        return  # B21: then many of their cards are known not to come from the stock, so cannot go there
    fits = table_fits(s)
    for other in range(s.num_seats):
        if other == seat or other == s.actor:
            continue
        if s.is_down[other]:
            shed(s, other, fits)
            continue
        turns = turns_had(s, other)
        if turns > 0:
            build(s, other, turns)
