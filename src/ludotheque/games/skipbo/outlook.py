"""What a position is worth to a side, in stock cards: how far it is ahead, and how much better it stands besides.

A side is a seat, or two partners. What counts is what a player can see: how many cards are missing to lay the top of
a stock, for the side and for its rivals; how much of what a stock may turn up could be laid at once; Skip-Bo in hand;
whether the discard piles can be played off. The weights are a linear fit to what had become of some 900,000 positions
of matches of two, and as many of teams, two turns later, when players planned (planning.py). There is a set for each
point where a plan stops: the turn is over; a stock card has been laid, and the next is not known yet; the hand is
empty, and five cards come.

Piles are words of four bits a card, the top card lowest. So are the heights of the building piles.
"""

from __future__ import annotations

from typing import Any

from ludotheque.core.bits import count, lowest
from ludotheque.core.jit import jit
from ludotheque.core.record import State as S
from ludotheque.games.skipbo.piles import first_word, get
from ludotheque.games.skipbo.rules import partner
from ludotheque.games.skipbo.state import (
    MAX_SEATS,
    NO_CARD,
    NUM_PLACES,
    NUM_TYPES,
    SEAT_PILES,
    TOP_NUMBER,
    WILD,
)

ENDED, TURNED_UP, REFILLED = 0, 1, 2
SOLO, TEAM = 0, 3

# Weights: by these kinds for those who play alone, then for teams, fitted to matches of two and of teams. NEAR and
# RIVAL_NEAR are for each building place, by the cards missing there to lay the top of a stock; a Skip-Bo in the own
# hand stands for one. The NEAREST are for the place where the fewest are missing.
BASIS = (-0.58, -2.56, -1.25, -0.23, -1.77, -1.71)
NEAR = (
    (0.70, 0.58, 0.41, 0.33, 0.26, 0.19, 0.11),
    (0.70, 0.58, 0.41, 0.33, 0.26, 0.19, 0.11),
    (0.76, 0.30, 0.33, 0.25, 0.15, 0.15, 0.13),
    (1.14, 1.08, 0.94, 0.81, 0.69, 0.59, 0.52),
    (1.41, 0.95, 0.95, 0.95, 0.90, 0.80, 0.68),
    (1.30, 1.00, 0.92, 0.83, 0.90, 0.77, 0.72),
)
NEAREST = (-0.10, -0.10, -0.43, 0.04, -0.34, -0.20)  # for each card missing there, not counting Skip-Bo
RIVAL_NEAR = (
    (-0.22, -0.47, -0.50, -0.45, -0.37, -0.27, -0.17),
    (-0.69, -0.60, -0.51, -0.41, -0.31, -0.21, -0.13),
    (-0.83, -0.69, -0.41, -0.44, -0.28, -0.26, -0.11),
    (-1.61, -0.87, -0.91, -0.85, -0.72, -0.57, -0.43),
    (-1.02, -1.00, -0.83, -0.65, -0.51, -0.36, -0.25),
    (-1.01, -0.93, -0.80, -0.57, -0.55, -0.42, -0.28),
)
RIVAL_NEAREST = (
    (0.00, 1.08, 1.48, 1.73, 1.95, 2.10, 2.26, 2.61),
    (0.00, 0.06, 0.12, 0.27, 0.45, 0.63, 0.91, 1.64),
    (0.00, 0.00, 0.00, 0.10, 0.25, 0.36, 0.48, 0.82),
    (0.00, -0.32, 0.20, 0.37, 0.44, 0.41, 0.35, 0.58),
    (0.00, 0.10, 0.07, 0.03, 0.01, 0.08, 0.29, 0.91),
    (0.00, 0.06, 0.06, -0.01, -0.01, -0.52, -0.07, -0.31),
)
# By the share of the unseen cards that could be laid if a stock turned them up: at once, but for one, but for two;
# the last of the side's own, with the Skip-Bo in hand.
REACH = (
    (-0.70, 0.22, 0.05, 0.24),
    (2.91, 1.54, 0.32, 1.36),
    (0.07, 1.36, 0.53, 0.07),
    (-1.15, -0.14, -0.08, -1.21),
    (0.08, 0.56, -0.19, 2.00),
    (-0.23, 1.63, 0.30, -0.23),
)
RIVAL_REACH = (
    (-1.45, -0.95, -0.72),
    (-2.30, -1.16, -0.56),
    (-0.81, -0.41, 0.04),
    (-1.57, -1.15, -1.47),
    (-3.33, -1.99, -1.35),
    (-1.66, -1.08, -0.21),
)
WILDS = (
    (0.00, 0.78, 1.40, 1.65, 1.65),
    (0.00, 1.08, 2.35, 3.16, 3.16),
    (0.00, 0.00, 0.00, 0.00, 0.00),
    (0.00, 0.87, 1.52, 1.72, 2.03),
    (0.00, 0.48, 1.22, 1.92, 2.96),
    (0.00, 0.00, 0.00, 0.00, 0.00),
)
HELD = (-0.19, -0.04, 0.00, -0.28, 0.01, 0.00)  # for each card in hand: the fewer are kept, the more are drawn
TWINS = (-0.16, -0.38, 0.00, -0.08, -0.16, 0.00)  # for each further card of a number in hand
# By how the top of a discard pile lies on the next card: equal, one below it, lower, higher; then the cards deeper
# down: each that lies higher on the next, each that does not.
TOP_PAIRS = (
    (0.08, 0.11, 0.06, -0.05),
    (0.10, 0.21, 0.16, 0.04),
    (0.12, 0.10, 0.12, 0.11),
    (0.25, 0.26, 0.17, -0.06),
    (0.32, 0.45, 0.28, 0.08),
    (0.29, 0.15, 0.22, 0.05),
)
BURYING = (-0.08, -0.04, -0.01, -0.27, -0.26, -0.04)
ORDERED = (0.05, 0.08, 0.12, 0.16, 0.24, 0.20)
TOPS = (0.01, 0.19, 0.22, 0.30, 0.43, 0.23)  # for each different number on top of the discard piles
HEIGHTS = (-0.10, 0.43, 0.44, -0.13, 0.63, 0.37)  # for each different height of the building piles

SIDE_PILES = 2 * NUM_PLACES  # discard piles that a side plays from: the own ones, then the partner's
SEEN_DEPTH = 12  # cards of a discard pile that are looked at
PAIRS_DEPTH = 4  # pairs of neighbours in it that count
FARTHEST = 8  # cards missing: what is farther does not count
MOST_RIVALS = MAX_SEATS - 1
RIVAL_SHARES = (1.0, 0.5, 0.25)  # those who move later count less: much will have changed by then
HEED = (0.0, 1.0, 0.35, 0.25)  # by their number: where all block one another, the round is blocked for good (S11)
NOWHERE = 15

EACH_PILE = 0x11111111  # the lowest bit of each of eight tops
EACH_PILES_LAST = 0x88888888


@jit
def pile_word(s: S, pile: int) -> int:
    """The topmost cards of a pile."""
    height = s.height[pile]
    first = first_word(s, pile)
    word = 0
    for depth in range(min(height, SEEN_DEPTH)):
        word |= get(s, pile, first, height - 1 - depth) << (4 * depth)
    return word


@jit
def heights_word(s: S) -> int:
    """The heights of the building piles; a finished one that can still be called back counts as free."""
    heights = 0
    for place in range(NUM_PLACES):
        heights |= (s.built[place] % TOP_NUMBER) << (4 * place)
    return heights


@jit
def _see_side(s: S, seat: int, piles: Any, goals: Any) -> None:
    """The discard piles a seat plays from, and the tops and sizes of the stocks (S6, S14)."""
    for k in range(NUM_PLACES):
        piles[k] = pile_word(s, SEAT_PILES * seat + 1 + k)
    goals[0] = s.top_word[SEAT_PILES * seat] & 15
    goals[2] = s.height[SEAT_PILES * seat]
    if s.teams:
        mate = partner(seat)
        for k in range(NUM_PLACES):
            piles[NUM_PLACES + k] = pile_word(s, SEAT_PILES * mate + 1 + k)
        goals[1] = s.top_word[SEAT_PILES * mate] & 15
        goals[3] = s.height[SEAT_PILES * mate]


@jit
def see(s: S, seat: int, piles: Any, goals: Any, shares: Any) -> int:
    """Write down what the seat sees; returns how many rivals it has.

    Rows of `piles` and `goals`: the own side, then the rivals in turn; columns of `goals`: the tops of the stock and
    of the partner's, then their sizes. `shares`: how likely a card is among those the seat cannot place.
    """
    _see_side(s, seat, piles[0], goals[0])
    rivals = 0
    for step in range(1, s.num_seats):
        # Partners play from the same piles and stocks: they are one rival.
        if not s.teams or step == 1:
            rivals += 1
            _see_side(s, (seat + step) % s.num_seats, piles[rivals], goals[rivals])
    total = 0
    for card in range(1, NUM_TYPES):
        total += s.unseen[card] - (((s.hand[seat] - s.shown[seat]) >> (4 * card)) & 15)
    for card in range(1, NUM_TYPES):
        unseen = s.unseen[card] - (((s.hand[seat] - s.shown[seat]) >> (4 * card)) & 15)
        shares[card] = unseen / max(total, 1)
    return rivals


@jit
def repeats(heights: int, place: int) -> bool:
    """Whether a place before has the same height: what can be done here can be done there."""
    height = (heights >> (4 * place)) & 15
    found = False
    for before in range(place):
        found = found or (heights >> (4 * before)) & 15 == height
    return found


@jit
def climb(hand: int, piles: Any, heights: int, goal: int, mates_goal: int) -> tuple[int, int, int]:
    """How many cards are missing to lay a number, the Skip-Bo in hand not counted.

    Three words of four bits: for each number, at the place where the fewest are missing; for two goals, at each place.
    Of two places of one height the second is NOWHERE.
    """
    first_tops = 0
    for k in range(SIDE_PILES):
        first_tops |= (piles[k] & 15) << (4 * k)
    fewest, at_places, mates = 0xFFFFFFFFFFFF0, 0xFFFF, 0xFFFF
    for place in range(NUM_PLACES):
        if repeats(heights, place):
            continue
        height = (heights >> (4 * place)) & 15
        held, tops, taken, missing = hand, first_tops, 0, 0
        for _ in range(TOP_NUMBER):
            number = height + 1
            height = number % TOP_NUMBER
            if ((fewest >> (4 * number)) & 15) > missing:
                fewest = (fewest & ~(15 << (4 * number))) | (missing << (4 * number))
            # A Skip-Bo on a stock can be laid anywhere.
            if number == goal or (goal == WILD and (at_places >> (4 * place)) & 15 == NOWHERE):
                at_places ^= (NOWHERE ^ missing) << (4 * place)
            if number == mates_goal or (mates_goal == WILD and (mates >> (4 * place)) & 15 == NOWHERE):
                mates ^= (NOWHERE ^ missing) << (4 * place)
            if (held >> (4 * number)) & 15:
                held -= 1 << (4 * number)
                continue
            other = tops ^ (number * EACH_PILE)
            equal = (other - EACH_PILE) & ~other & EACH_PILES_LAST  # the lowest bit that is set is right
            if equal:
                k = lowest(equal) >> 2
                taken += 1 << (4 * k)
                below = (piles[k] >> (4 * ((taken >> (4 * k)) & 15))) & 15
                tops = (tops & ~(15 << (4 * k))) | (below << (4 * k))
            else:
                missing += 1
                if missing > FARTHEST:
                    break
    return fewest, at_places, mates


@jit
def _nearness(kind: int, at_places: int, wilds: int) -> float:
    """How near the top of a stock is to being laid."""
    value = 0.0
    nearest = len(NEAR[0]) - 1
    for place in range(NUM_PLACES):
        missing = (at_places >> (4 * place)) & 15
        if missing < NOWHERE:
            nearest = min(nearest, missing)
            if missing - wilds < len(NEAR[0]):
                value += NEAR[kind][max(missing - wilds, 0)]
    return value + NEAREST[kind] * nearest


@jit
def _in_hand(kind: int, hand: int) -> float:
    value = WILDS[kind][min((hand >> (4 * WILD)) & 15, len(WILDS[0]) - 1)]
    while hand:
        value += HELD[kind] * (hand & 15)
        if hand & 15 > 1:
            value += TWINS[kind] * ((hand & 15) - 1)
        hand >>= 4
    return value


@jit
def _in_discards(kind: int, piles: Any) -> float:
    value = 0.0
    tops = 0
    for k in range(SIDE_PILES):
        word = piles[k]
        if word == 0:
            continue
        upper = word & 15
        tops |= 1 << upper
        word >>= 4
        for depth in range(PAIRS_DEPTH):
            lower = word & 15
            if lower == NO_CARD:
                break
            if depth == 0:
                value += TOP_PAIRS[kind][3 if upper > lower else min(lower - upper, 2)]
            else:
                value += BURYING[kind] if upper > lower else ORDERED[kind]
            upper = lower
            word >>= 4
    return value + TOPS[kind] * count(tops)


@jit
def side_outlook(kind: int, hand: int, heights: int, piles: Any, goal: int, mates_goal: int, shares: Any) -> float:
    """What a side has of its own; a goal that is not known yet, or gone, is NO_CARD."""
    fewest, at_places, mates = climb(hand, piles, heights, goal, mates_goal)
    wilds = (hand >> (4 * WILD)) & 15
    value = BASIS[kind] + _in_hand(kind, hand) + _in_discards(kind, piles)
    if goal != NO_CARD:
        value += _nearness(kind, at_places, wilds)
    if mates_goal != NO_CARD:
        value += _nearness(kind, mates, wilds)
    value += (REACH[kind][0] + REACH[kind][3]) * shares[WILD]
    for number in range(1, TOP_NUMBER + 1):
        missing = (fewest >> (4 * number)) & 15
        if missing < 3:
            value += REACH[kind][missing] * shares[number]
        if missing <= wilds:
            value += REACH[kind][3] * shares[number]
    different = 0
    for place in range(NUM_PLACES):
        different |= 1 << ((heights >> (4 * place)) & 15)
    return value + HEIGHTS[kind] * count(different)


@jit
def _rival_nearness(kind: int, at_places: int) -> float:
    value = 0.0
    nearest = len(RIVAL_NEAREST[0]) - 1
    for place in range(NUM_PLACES):
        missing = (at_places >> (4 * place)) & 15
        nearest = min(nearest, missing)
        if missing < len(RIVAL_NEAR[0]):
            value += RIVAL_NEAR[kind][missing]
    return value + RIVAL_NEAREST[kind][nearest]


@jit
def rivals_outlook(kind: int, heights: int, piles: Any, goals: Any, rivals: int, shares: Any) -> float:
    """What the building piles are worth for a side in that they are of no use to its rivals, whose hands are hidden."""
    value = 0.0
    for rival in range(1, rivals + 1):
        fewest, at_places, mates = climb(0, piles[rival], heights, goals[rival, 0], goals[rival, 1])
        part = 0.0
        if goals[rival, 0] != NO_CARD:
            part += _rival_nearness(kind, at_places)
        if goals[rival, 1] != NO_CARD:
            part += _rival_nearness(kind, mates)
        for number in range(1, TOP_NUMBER + 1):
            missing = (fewest >> (4 * number)) & 15
            if missing < 3:
                part += RIVAL_REACH[kind][missing] * shares[number]
        value += RIVAL_SHARES[rival - 1] * part
    return value
