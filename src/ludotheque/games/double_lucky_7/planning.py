"""What a hand of Double Lucky 7 is worth, and a careful player who bids and plays by it.

Every card has a chance to take a trick; their sum is what the hand will probably take. Bidding is naming the number
that fits this sum best. Playing is choosing the card after which what is still needed and what is left fit best,
whether the trick is won or lost. Only the own hand and what everybody has seen is looked at.

The constants were found by letting variants of this player play against each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludotheque.core.bits import count, lowest
from ludotheque.core.jit import jit
from ludotheque.core.record import Ids
from ludotheque.core.record import State as S
from ludotheque.games.double_lucky_7.rules import (
    ALL_CARDS,
    BID,
    COLOUR_MASK,
    JOKER,
    NUM_NUMBERS,
    forbidden_bid,
    legal,
)

# How fast the chance of a card falls with the higher cards that others may hold, and with the danger of a ruff.
TRUMP_LED = 0.103
TRUMP_EARLY, TRUMP_LATE = 0.222, 0.150  # for the seat after the dealer, and towards the last one
SIDE_LED, SIDE_LED_RUFF = 0.210, 1.591
SIDE, SIDE_RUFF = 0.740, 1.082
TRUMP_USABLE = 0.890
COLOUR_ASKED = 0.333  # how fast the hope that somebody leads a colour grows with the tricks left
CROWDED = 0.266  # how much several cards of a colour stand in each other's way

# The more tricks the others want, the less a card takes.
DEMAND_NONE, DEMAND_PER_TRICK = 0.689, 0.991
USUAL_DEMAND = 0.75

# How far off the sum may be: for a bid, and while playing; a part of it grows with the cards left.
BID_SPREAD, BID_SPREAD_PER_CARD = 0.332, 0.088
PLAY_SPREAD, PLAY_SPREAD_PER_CARD = 0.447, 0.122
BID_OFFSET = 0.073
BID_SUM_WEIGHT = 0.263  # others who bid high hold high cards

# How likely a seat beats a card if it can: one that needs tricks, one that has enough, one that has missed its bid.
HUNGRY, SATED, BUST = 0.794, 0.129, 0.747
SPOIL = 0.016  # what it is worth to make the tricks come out badly for the others

DECAY_STEPS = 64
DECAY = np.exp(-np.arange(1024) / DECAY_STEPS)


class Outlook(NamedTuple):
    """What a seat goes by when it weighs its cards."""

    hand: int
    left: int
    """How many tricks are left."""
    wanted: float
    """How much the others want them."""
    unseen: int
    """The cards that may be anywhere."""
    density: float
    """How likely a seat holds a given one of these."""


@jit
def decay(x: float) -> float:
    """exp(-x) in steps fine enough for a guess, and much faster."""
    return DECAY[min(int(x * DECAY_STEPS + 0.5), 1023)]


@jit
def colour_cards(colour: int) -> int:
    """All cards of a colour."""
    return COLOUR_MASK << (NUM_NUMBERS * colour)


@jit
def strength(s: S, card: int) -> int:
    """What decides a trick: the joker before trumps before the rest. Whether a card can win at all is not in it."""
    if card == JOKER:
        return 150
    colour = card // NUM_NUMBERS
    return card - NUM_NUMBERS * colour + (50 if colour == s.trump else 0)


@jit
def takes(s: S, card: int) -> bool:
    """Whether a card would be the best of the trick so far."""
    if card == JOKER:
        return True
    colour = card // NUM_NUMBERS
    if s.num_played > 0 and colour != s.led_colour and colour != s.trump:
        return False
    return strength(s, card) > s.best_strength


@jit
def unseen_by(s: S, hand: int) -> int:
    """The cards that may be anywhere, for whoever holds this hand."""
    return ALL_CARDS & ~(s.played | hand | (1 << s.turned))


@jit
def outlook(s: S, hand: int, left: int, wanted: float) -> Outlook:
    """What whoever holds this hand goes by."""
    unseen = unseen_by(s, hand)
    return Outlook(hand, left, wanted, unseen, left / count(unseen))


@jit
def demand(s: S, seat: int, left: int) -> float:
    """How many of the tricks left the others want, per trick."""
    total = 0.0
    for other in range(s.num_seats):
        if other == seat:
            continue
        if s.bid[other] < 0:
            total += s.num_cards / s.num_seats
        else:
            need = s.bid[other] - s.tricks[other]
            if 0 < need <= left:
                total += need
    return total / left


@jit
def ruff_risk(s: S, unseen: int, colour: int, density: float) -> float:
    """How many of the others probably lack a colour and hold a trump or the joker."""
    if colour == s.trump:
        return 0.0
    trumps = count(unseen & (colour_cards(s.trump) | (1 << JOKER)))
    return (s.num_seats - 1) * decay(density * count(unseen & colour_cards(colour))) * (1 - decay(density * trumps))


@jit
def card_chance(s: S, seat: int, card: int, known: Outlook, ruff: float) -> float:
    """The chance that a card takes a trick some time."""
    if card == JOKER:
        return 1.0
    hand, left, wanted, unseen, density = known
    n = s.num_seats
    colour = card // NUM_NUMBERS
    suit = colour_cards(colour)
    higher = count(unseen & suit & (-1 << card))
    among_others = density * (n - 1)
    leads_all = s.lead == 0 and seat == s.dealer  # D8
    if colour == s.trump:
        higher += unseen >> JOKER
        if leads_all:
            return decay(TRUMP_LED * wanted * among_others * higher)
        place = (seat - s.dealer + n) % n
        rate = TRUMP_EARLY + (TRUMP_LATE - TRUMP_EARLY) * (place - 1) / (n - 1)
        return TRUMP_USABLE * decay(rate * wanted * among_others * higher)
    if leads_all:
        return decay(wanted * (SIDE_LED * among_others * higher + SIDE_LED_RUFF * ruff))
    chance = decay(wanted * (SIDE * among_others * higher + SIDE_RUFF * ruff)) * (1 - decay(COLOUR_ASKED * left))
    return chance / (1 + CROWDED * (count(hand & suit) - 1))


@jit
def expected_tricks(s: S, seat: int, hand: int, left: int, wanted: float) -> float:
    """What a hand will probably take."""
    known = outlook(s, hand, left, wanted)
    total = 1.0 * (hand >> JOKER)
    for colour in range(4):
        cards = hand & colour_cards(colour)
        if cards:
            ruff = ruff_risk(s, known.unseen, colour, known.density)
            while cards:
                total += card_chance(s, seat, lowest(cards), known, ruff)
                cards &= cards - 1
    return total


@jit
def closeness(need: float, expected: float, spread: float) -> float:
    """1 if what is needed is what is expected, falling to 0."""
    distance = 1 + (need - expected) * (need - expected) / spread
    return 1 / (distance * distance)


@jit
def prospect(need: int, expected: float, left: int, spread: float) -> float:
    """How good it looks to take exactly `need` of the tricks left."""
    return closeness(need, expected, spread) if 0 <= need <= left else 0.0


@jit
def tricks_to_bid(s: S, seat: int) -> float:
    """What a hand will probably take, before the first card and after the bids so far."""
    size = s.num_cards
    wanted = DEMAND_NONE + DEMAND_PER_TRICK * demand(s, seat, size)
    expected = expected_tricks(s, seat, s.hand[seat], size, wanted) + BID_OFFSET
    expected -= BID_SUM_WEIGHT * (s.bid_sum - s.num_bids * size / s.num_seats)
    return max(expected, 0.0)


@jit
def bid_value(s: S, bid: int, expected: float) -> float:
    """How good a bid is: its prospects, by points."""
    return (10 + 2 * bid) * closeness(bid, expected, BID_SPREAD + BID_SPREAD_PER_CARD * s.num_cards)


@jit
def careful_bid(s: S, seat: int) -> int:
    """The best bid."""
    expected = tricks_to_bid(s, seat)
    forbidden = forbidden_bid(s)
    best, bid = -1.0, 0
    for k in range(s.num_cards + 1):
        value = bid_value(s, k, expected)
        if k != forbidden and value > best:
            best, bid = value, k
    return BID + bid


@jit
def holds(s: S, seat: int, card: int, unseen: int, density: float, left: int) -> float:
    """The chance that a card which takes the trick so far is not beaten by those who play after it."""
    chance = 1.0
    later = s.num_seats - s.num_played - 1
    if later == 0 or card == JOKER:
        return chance
    colour = card // NUM_NUMBERS
    led = s.led_colour if s.num_played > 0 else colour
    joker = density * (unseen >> JOKER)
    over = 1 - decay(density * count(unseen & colour_cards(colour) & (-1 << card)))
    if led == s.trump:
        by_any, by_void = over + joker, joker
    else:
        lacking = decay(density * count(unseen & colour_cards(led)))
        if colour == s.trump:
            by_any, by_void = lacking * over + joker, over + joker
        else:
            trump = 1 - decay(density * count(unseen & colour_cards(s.trump)))
            by_any, by_void = over + lacking * trump + joker, trump + joker
    other = seat
    for _ in range(later):
        other = other + 1 if other + 1 < s.num_seats else 0
        need = s.bid[other] - s.tricks[other]
        will = HUNGRY if need > 0 else SATED
        if need < 0 or need > left:
            will = BUST
        can = by_any
        if (s.void[other] >> led) & 1:
            can = joker if (s.void[other] >> s.trump) & 1 else by_void
        chance *= 1 - will * min(can, 1.0)
    return chance


class Need(NamedTuple):
    """What a seat goes by when it chooses a card."""

    tricks: int
    """Those still needed."""
    is_bust: bool
    """Whether the bid can no longer come true."""
    expected: float
    """What the hand will probably take."""
    spread: float
    """How far off that may be, after this trick."""
    spoil: float
    """1 where taking tricks hurts the others, -1 where leaving them does."""
    known: Outlook


@jit
def need_of(s: S, seat: int) -> Need:
    """What the seat at turn needs, and what it has for it."""
    hand = s.hand[seat]
    left = s.num_cards - s.num_tricks
    need = s.bid[seat] - s.tricks[seat]
    bust = need < 0 or need > left
    others_want = demand(s, seat, left)
    wanted = DEMAND_NONE + DEMAND_PER_TRICK * others_want
    expected = 0.0 if bust else expected_tricks(s, seat, hand, left, wanted)
    spread = PLAY_SPREAD + PLAY_SPREAD_PER_CARD * (left - 1)
    # Where tricks are scarce, taking one hurts; where nobody wants them, leaving them does.
    spoil = 1.0 if others_want * left + (0 if bust else need) > left else -1.0
    return Need(need, bust, expected, spread, spoil, outlook(s, hand, left, wanted))


@jit
def card_value(s: S, seat: int, card: int, need: Need) -> float:
    """How well need and expectation fit after a card; who has missed the bid spoils the others' instead."""
    known = need.known
    win = holds(s, seat, card, known.unseen, known.density, known.left) if takes(s, card) else 0.0
    value = need.spoil * win
    if need.is_bust:
        return value
    ruff = 0.0 if card == JOKER else ruff_risk(s, known.unseen, card // NUM_NUMBERS, known.density)
    rest = need.expected - card_chance(s, seat, card, known, ruff)
    won = prospect(need.tricks - 1, rest, known.left - 1, need.spread)
    lost = prospect(need.tricks, rest, known.left - 1, need.spread)
    return win * won + (1 - win) * lost + SPOIL * value


@jit
def careful_card(s: S, seat: int, out: Ids) -> int:
    """The best card."""
    n = legal(s, seat, out)
    if n == 1:
        return int(out[0])
    need = need_of(s, seat)
    best, result = -2.0, 0
    for i in range(n):
        value = card_value(s, seat, int(out[i]), need)
        if value > best:
            best, result = value, int(out[i])
    return result
