"""How Double Lucky 7 is played: rules of thumb, players for playouts, chances to win, and the levels.

Two kinds of player meet in playouts: the careful one of `planning.py`, and one who plays by the rules of thumb, as
most people do. A search that expects only careful rivals bids too high: they leave tricks that others would take.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core.bits import count, lowest
from ludotheque.core.chooser import choose
from ludotheque.core.jit import jit
from ludotheque.core.ladder import FLAT, TREE, Level
from ludotheque.core.record import Ids
from ludotheque.core.record import State as S
from ludotheque.games.double_lucky_7.planning import (
    DEMAND_NONE,
    DEMAND_PER_TRICK,
    USUAL_DEMAND,
    bid_value,
    card_value,
    careful_bid,
    careful_card,
    decay,
    expected_tricks,
    need_of,
    strength,
    takes,
    tricks_to_bid,
)
from ludotheque.games.double_lucky_7.rules import (
    BID,
    BIDDING,
    CHOOSE_TRUMP,
    COLOUR_MASK,
    JOKER,
    MAX_SEATS,
    NO_COLOUR,
    NUM_NUMBERS,
    PLAYING,
    TRUMP,
    legal,
    round_points,
)

# What `style` holds.
OPTIMISM = 0  # tricks a player expects too many
APPETITE = 1  # how much of the wish to stay below the bid is forgotten
RASH = 2  # 1: leads the lowest trump too before other colours when tricks are needed
PLANNING = 3  # 1: rates as the careful player does, and nothing else counts

# Rules of thumb for a hand: the highest trump takes a trick, the lowest so much of one; of other colours the high cards
# take a little each, more with every step. By the number of seats, so that all hands together take about all tricks.
LOWEST_TRUMP = (0.0, 0.0, 0.65, 0.35, 0.25, 0.25, 0.25, 0.25)
FIRST_HIGH = (0, 0, 3, 7, 9, 9, 9, 9)
PER_STEP = (0.0, 0.0, 0.1, 0.1, 0.12, 0.096, 0.08, 0.0686)

LOW_TRUMPS = 4  # the lowest trumps are led for a trick like cards of other colours; so many
JOKER_LED = 1.5  # the joker comes before lower trumps than the middle one; other trumps count 1 and their height

BID_FIT = 2.0  # one over twice the variance of a bid against what the hand would take
BID_SURPLUS = 0.05  # people bid a little more than that, for each card


@jit
def thumb_trump(s: S, seat: int, colour: int) -> float:
    """D5: many trumps and high ones."""
    cards = (s.hand[seat] >> (NUM_NUMBERS * colour)) & COLOUR_MASK
    value = 0.0
    while cards:
        value += 1 + lowest(cards) / 10
        cards &= cards - 1
    return value


@jit
def thumb_count(s: S, seat: int) -> float:
    """The tricks in a hand as people count them."""
    cards = s.hand[seat] & ((1 << JOKER) - 1)
    tricks = 1.0 * (s.hand[seat] >> JOKER)
    lowest_trump, first_high = LOWEST_TRUMP[s.num_seats], FIRST_HIGH[s.num_seats]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        height = card % NUM_NUMBERS
        if card // NUM_NUMBERS == s.trump:
            tricks += lowest_trump + (1.0 - lowest_trump) * height / (NUM_NUMBERS - 1)
        elif height >= first_high:
            tricks += (height - first_high + 1) * PER_STEP[s.num_seats]
    return tricks


@jit
def thumb_bid(bid: int, tricks: float) -> float:
    """The nearer to the tricks counted, the better."""
    return -(bid - tricks) * (bid - tricks)


@jit
def thumb_lead(s: S, card: int) -> float:
    """To take a trick from the lead: a trump that is not low, then the joker, then what is high in its colour."""
    if card == JOKER:
        return JOKER_LED
    height = card % NUM_NUMBERS
    is_trump = card // NUM_NUMBERS == s.trump and height >= LOW_TRUMPS
    return (height + 1) / NUM_NUMBERS + (1.0 if is_trump else 0.0)


@jit
def thumb_card(s: S, seat: int, card: int, appetite: float, rash: float) -> float:
    """Who needs tricks takes them, cheaply when last, and throws low cards away; who does not gets rid of high ones."""
    colour = card // NUM_NUMBERS
    height = (card - NUM_NUMBERS * colour + 1) / NUM_NUMBERS + (1 if colour == s.trump else 0)
    if card == JOKER:
        height = 2.5
    last = s.num_played == s.num_seats - 1
    if s.bid[seat] > s.tricks[seat]:
        if s.num_played == 0 and rash == 0:
            return thumb_lead(s, card)
        if takes(s, card):
            return 5 - height if last else 2 + height
        return -height
    if takes(s, card):
        return (height if last else -height) - 5 * (1 - appetite)
    return height


@jit
def _rate_by_thumb(s: S, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    tricks = thumb_count(s, seat) + style[OPTIMISM] if s.phase == BIDDING else 0.0
    for i in range(n):
        action = int(ids[i])
        if s.phase == PLAYING:
            scores[i] = thumb_card(s, seat, action, style[APPETITE], style[RASH])
        else:
            scores[i] = thumb_bid(action - BID, tricks)


@jit
def _rate_by_plan(s: S, seat: int, ids: Ids, n: int, scores: Any) -> None:
    if s.phase == PLAYING:
        need = need_of(s, seat)
        for i in range(n):
            scores[i] = card_value(s, seat, int(ids[i]), need)
    else:
        expected = tricks_to_bid(s, seat)
        for i in range(n):
            scores[i] = bid_value(s, int(ids[i]) - BID, expected)


@jit
def rate(s: S, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    """By the rules of thumb, or as the careful player does; both choose trumps alike."""
    if s.phase == CHOOSE_TRUMP:
        for i in range(n):
            scores[i] = thumb_trump(s, seat, int(ids[i]) - TRUMP)
    elif style[PLANNING] > 0:
        _rate_by_plan(s, seat, ids, n, scores)
    else:
        _rate_by_thumb(s, seat, ids, n, scores, style)


@jit
def thumb_move(s: S, seat: int, out: Ids) -> int:
    """The best move by the rules of thumb."""
    n = legal(s, seat, out)
    tricks = thumb_count(s, seat) if s.phase == BIDDING else 0.0
    best, result = -1e9, 0
    for i in range(n):
        action = int(out[i])
        if s.phase == PLAYING:
            value = thumb_card(s, seat, action, 0.0, 1.0)
        elif s.phase == BIDDING:
            value = thumb_bid(action - BID, tricks)
        else:
            value = thumb_trump(s, seat, action - TRUMP)
        if value > best:
            best, result = value, action
    return result


@jit
def trick_strength(s: S, card: int, led: int) -> int:
    """What decides a trick; -1 for a card that cannot win it."""
    colour = card // NUM_NUMBERS
    return strength(s, card) if card == JOKER or colour == s.trump or colour == led else -1


@jit
def colour_led(card: int) -> int:
    """What a card that opens a trick asks for."""
    return NO_COLOUR if card == JOKER else card // NUM_NUMBERS


@jit
def last_winners(s: S, choices: int) -> int:
    """Who takes the last two tricks, as 8 times the first and the second, if those to play choose like this.

    Each bit stands for one of them, the next first: 0 for the lower card. What is not allowed counts as the other card.
    """
    n = s.num_seats
    rest = 0  # eight bits a seat: the card kept for the last trick
    led, best, winner = s.led_colour, s.best_strength, s.best_seat
    seat = s.actor
    for i in range(n):
        hand = int(s.hand[seat])
        card = lowest(hand)
        if i < n - s.num_played:
            other = lowest(hand & (hand - 1))
            if (choices >> i) & 1:
                card, other = other, card
            opens = s.num_played + i == 0
            follows = opens or led == NO_COLOUR or card == JOKER or card // NUM_NUMBERS == led
            if not follows and other != JOKER and other // NUM_NUMBERS == led:
                card, other = other, card
            if opens:
                led = colour_led(card)
            height = trick_strength(s, card, led)
            if height > best:
                best, winner = height, seat
            card = other
        rest |= card << (8 * seat)
        seat = seat + 1 if seat + 1 < n else 0
    seat = winner if s.lead == 1 else int(s.dealer)  # D8
    led, best, last = colour_led((rest >> (8 * seat)) & 255), -1, seat
    for _ in range(n):
        height = trick_strength(s, (rest >> (8 * seat)) & 255, led)
        if height > best:
            best, last = height, seat
        seat = seat + 1 if seat + 1 < n else 0
    return 8 * winner + last


@jit
def gain(s: S, seat: int, winners: int) -> int:
    """What a seat gets out of that: its own points first, then that the others get none."""
    total = 0
    for other in range(s.num_seats):
        tricks = s.tricks[other] + (winners >> 3 == other) + (winners & 7 == other)
        points = round_points(s.bid[other], tricks, s.round_no)
        total += 8 * points if other == seat else -points
    return total


@jit
def exact_card(s: S, seat: int, out: Ids) -> int:
    """The best card with two tricks to go, if everybody sees all cards and plays for their own points."""
    n = legal(s, seat, out)
    if n == 1:
        return int(out[0])
    to_play = s.num_seats - s.num_played
    found = np.empty(1 << MAX_SEATS, np.int8)
    for choices in range(1 << to_play):
        found[choices] = last_winners(s, choices)
    higher = False
    for i in range(to_play - 1, -1, -1):  # the last to play knows what it leads to, then the one before
        chooser = (seat + i) % s.num_seats
        for choices in range(1 << i):
            other = choices | (1 << i)
            higher = gain(s, chooser, found[other]) > gain(s, chooser, found[choices])
            if higher:
                found[choices] = found[other]
    return int(out[1] if higher else out[0])


@jit
def policy(s: S, seat: int, x: int, out: Ids) -> int:
    if s.phase == CHOOSE_TRUMP:
        return thumb_move(s, seat, out)
    if s.phase == BIDDING:
        return careful_bid(s, seat)
    if s.num_cards - s.num_tricks == 2:
        return exact_card(s, seat, out)
    return careful_card(s, seat, out)


@jit
def rival(s: S, seat: int, habit: int, x: int, out: Ids) -> int:
    """As careful, or by the rules of thumb: in every playout a seat is one or the other."""
    if choose(habit, 1 << MAX_SEATS) >> seat & 1:
        return thumb_move(s, seat, out)
    return policy(s, seat, x, out)


@jit
def plausible(s: S, seat: int) -> float:
    """How well the imagined hands fit what their holders still need; who has missed the bid tells nothing."""
    likelihood = 1.0
    for other in range(s.num_seats):
        left = count(s.hand[other])
        need = s.bid[other] - s.tricks[other]
        if other == seat or s.bid[other] < 0 or left == 0 or need < 0 or need > left:
            continue
        wanted = DEMAND_NONE + DEMAND_PER_TRICK * USUAL_DEMAND
        off = need - expected_tricks(s, other, s.hand[other], left, wanted) - BID_SURPLUS * left
        likelihood *= decay(BID_FIT * off * off)
    return likelihood


def _temperatures() -> npt.NDArray[np.float64]:
    """By rounds of the match (7, 14), seats and rounds played: how many points weigh e times in the chance to win.

    The spread of the points to come, times a factor that careful players' matches gave for each number of seats.
    """
    factors = (0.0, 0.0, 1.15, 0.80, 0.74, 0.70, 0.66, 0.64)
    result = np.ones((2, MAX_SEATS + 1, 15))
    for rounds in (7, 14):
        for seats in range(2, MAX_SEATS + 1):
            for played in range(rounds):
                variance = 0.0
                for number in range(played + 1, rounds + 1):
                    cards = number if number <= 7 else 15 - number
                    deviation = 6.7 - 0.45 * seats + 0.3 * cards
                    variance += (2 * deviation if number == 7 else deviation) ** 2
                result[rounds // 14, seats, played] = factors[seats] * math.sqrt(variance)
    return result


TEMPERATURES = _temperatures()


@jit
def worth(s: S, values: Any) -> None:
    n = s.num_seats
    total = 0.0
    top = -1.0
    for seat in range(n):
        values[seat] = s.points[seat]
        need = s.bid[seat] - s.tricks[seat]
        if s.phase == PLAYING and 0 <= need <= s.num_cards - s.num_tricks:  # a bid that can still come true
            values[seat] += 0.5 * round_points(s.bid[seat], s.bid[seat], s.round_no)
        top = max(top, values[seat])
    for seat in range(n):
        if s.over:
            values[seat] = 1.0 if values[seat] == top else 0.0
        else:
            values[seat] = math.exp((values[seat] - top) / TEMPERATURES[s.rounds // 14, n, s.round_no - 1])
        total += values[seat]
    for seat in range(n):
        values[seat] /= total


POINTS_TO_WIN = 24.0  # what it is worth to be sure of the match


@jit
def aim(s: S, seat: int, values: Any) -> float:
    """The own points, and the chance to win. That alone hangs on what the others make too, which no card decides."""
    return s.points[seat] + POINTS_TO_WIN * values[seat]


PLANNER = (0.0, 0.0, 0.0, 1.0)
"""The style of the careful player."""

LADDER = {
    "beginner": Level(temperature=1.2, cap=5.0, style=(0.6, 0.6, 1.0)),
    "casual": Level(temperature=0.6, cap=2.5, style=(0.3, 0.2, 1.0)),
    "club": Level(),
    "strong": Level(FLAT, playouts=40, style=PLANNER),
    "expert": Level(FLAT, seconds=0.2, style=PLANNER),
}

EXTRAS = {
    "planner": Level(style=PLANNER),
    "tree": Level(TREE, seconds=0.2, exploration=0.25, style=PLANNER),
    "expert-1": Level(FLAT, playouts=100_000, ties=0.0, style=(0.0, 0.0, 1.0)),
}
"""The expert without its search, and with another; and as it was."""
