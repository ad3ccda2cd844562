"""How Skip-Bo is played well: ratings of moves, a fast player for playouts, chances to win, and the levels.

Up to `club` the levels play by rules of thumb: lay the stock card if there is a way, with as few Skip-Bo as possible;
else lay what does not help the next player; keep the discard piles in order. `strong` and `expert` plan whole turns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ludotheque.core.bits import lowest
from ludotheque.core.jit import jit
from ludotheque.core.ladder import TREE, Level
from ludotheque.core.record import NOBODY, Ids
from ludotheque.core.record import State as S
from ludotheque.games.skipbo.outlook import EACH_PILE, EACH_PILES_LAST
from ludotheque.games.skipbo.planning import rate_plans
from ludotheque.games.skipbo.rules import legal, may_call, partner, shrunk, stock_left
from ludotheque.games.skipbo.state import (
    CALL,
    DISCARD,
    DRAW,
    END,
    NO_CARD,
    NUM_PLACES,
    NUM_TYPES,
    OWN_STOCK,
    PARTNERS_STOCK,
    PLAYING,
    POINTS,
    SAY,
    SEAT_PILES,
    TOP_NUMBER,
    WILD,
)

# What `style` says, all zero for `club`.
PLANS = 0  # 1: plans whole turns; 2: and looks beyond the cards that chance brings
HEEDLESS = 1  # how little the others' stocks count in plans: 0 as much as they should, 1 not at all
SIGHT = 2  # sees ways to the stock card of at most so many cards; 0: of any length
THRIFT = 3  # spends at most so many Skip-Bo on one, less one; 0: as many as it takes

# Ratings by rules of thumb: kinds of moves are far apart.
NEVER, TO_STOCK, ON_THE_WAY, UNLOADING = -100.0, 100.0, 80.0, 40.0
NO_WAY = 1 << 20
WILD_COST, PILE_COST = 100, 10  # of a way to the stock card; each card costs 1 besides
GUARDED = 3  # a card is not laid if the next player is then less than so many cards from laying the stock's top

# Ratings of a discard.
ON_EQUAL, ON_HIGHER, EACH_STEP, ON_EMPTY, BURYING = 5.0, 4.0, 0.5, 4.0, -3.0
HIGH_CARD, NEEDED, COVERING = 0.1, 2.0, 2.0


@jit
def tops_of(s: S, seat: int) -> int:
    """The tops of the discard piles a seat plays from, four bits each: the own ones, then the partner's (S14)."""
    tops = 0
    for k in range(NUM_PLACES):
        tops |= (s.top_word[SEAT_PILES * seat + 1 + k] & 15) << (4 * k)
    if s.teams:
        for k in range(NUM_PLACES):
            tops |= (s.top_word[SEAT_PILES * partner(seat) + 1 + k] & 15) << (4 * (NUM_PLACES + k))
    return tops


@jit
def way_to(s: S, seat: int, goal: int, source: int, sight: int, thrift: int) -> tuple[int, int]:
    """The cheapest way to lay the top of a stock, built up on one place: its cost, NO_WAY for none; its first move."""
    hand = s.hand[seat]
    wilds = min((hand >> (4 * WILD)) & 15, thrift)
    first_tops = tops_of(s, seat)
    best, action = NO_WAY, NO_WAY
    for place in range(NUM_PLACES):
        height = s.built[place] % TOP_NUMBER
        steps = 0 if goal == WILD else (goal - 1 - height) % TOP_NUMBER
        if steps > sight:
            continue
        held, tops, taken, cost, first = hand, first_tops, 0, steps, NUM_PLACES * source + place
        spent = 0
        for step in range(steps):
            number = height + 1
            height = number % TOP_NUMBER
            other = tops ^ (number * EACH_PILE)
            equal = (other - EACH_PILE) & ~other & EACH_PILES_LAST
            if (held >> (4 * number)) & 15:
                held -= 1 << (4 * number)
                played = number - 1
            elif equal:
                k = lowest(equal) >> 2
                taken += 1 << (4 * k)
                owner, pile = (seat, k) if k < NUM_PLACES else (partner(seat), k - NUM_PLACES)
                below = (s.top_word[SEAT_PILES * owner + 1 + pile] >> (4 * ((taken >> (4 * k)) & 15))) & 15
                tops = (tops & ~(15 << (4 * k))) | (below << (4 * k))
                cost += PILE_COST
                played = (OWN_STOCK if k < NUM_PLACES else PARTNERS_STOCK) + 1 + pile
            elif spent < wilds:
                spent += 1
                cost += WILD_COST
                played = WILD - 1
            else:
                cost = NO_WAY
                break
            if step == 0:
                first = NUM_PLACES * played + place
        if cost < best:
            best, action = cost, first
    return best, action


@jit
def way_to_stock(s: S, seat: int, sight: int, thrift: int) -> int:
    """The first move of the cheapest way to lay a stock's top; NO_WAY if there is none."""
    cost, action = NO_WAY, NO_WAY
    goal = s.top_word[SEAT_PILES * seat] & 15
    if goal != NO_CARD:
        cost, action = way_to(s, seat, goal, OWN_STOCK, sight, thrift)
    if s.teams:
        goal = s.top_word[SEAT_PILES * partner(seat)] & 15
        if goal != NO_CARD:
            mates_cost, mates_action = way_to(s, seat, goal, PARTNERS_STOCK, sight, thrift)
            if mates_cost < cost:
                action = mates_action
    return action


@jit
def serves_next(s: S, seat: int, number: int) -> bool:
    """Whether a building pile that reaches a number brings the next player close to laying a stock's top."""
    other = seat + 1 if seat + 1 < s.num_seats else 0
    goal = s.top_word[SEAT_PILES * other] & 15
    if (goal - 1 - number) % TOP_NUMBER < GUARDED:
        return True
    if s.teams:
        goal = s.top_word[SEAT_PILES * partner(other)] & 15
        return goal != NO_CARD and (goal - 1 - number) % TOP_NUMBER < GUARDED
    return False


@jit
def unload(s: S, seat: int) -> int:
    """A card of the hand to lay so that more are drawn: one that does not help the next player; NO_WAY if none.

    Skip-Bo are laid for that only if nothing else is left: that empties the hand.
    """
    hand, size = s.hand[seat], s.hand_size[seat]
    wilds = (hand >> (4 * WILD)) & 15
    for place in range(NUM_PLACES):
        number = s.built[place] % TOP_NUMBER + 1
        if (hand >> (4 * number)) & 15 and (size == 1 or not serves_next(s, seat, number)):
            return NUM_PLACES * (number - 1) + place
    if size == 1 and wilds == 1:
        for place in range(NUM_PLACES):
            if not serves_next(s, seat, s.built[place] % TOP_NUMBER + 1):
                return NUM_PLACES * (WILD - 1) + place
        return NUM_PLACES * (WILD - 1)
    return NO_WAY


def _rate_discard(goal: int, below: int, card: int) -> float:
    """How good it is to discard a card onto another while the stock shows `goal`: in descending order, no card buried
    that is needed soon, Skip-Bo never.
    """
    if card == WILD:
        return NEVER / 2
    rating = HIGH_CARD * card
    if below == NO_CARD:
        rating += ON_EMPTY
    elif below == card:
        rating += ON_EQUAL
    elif below == WILD:
        rating += NEVER / 4
    elif below > card:
        rating += ON_HIGHER - EACH_STEP * (below - card - 1)
    else:
        rating += BURYING - HIGH_CARD * (card - below)
    if goal not in (NO_CARD, WILD):
        distance = (goal - card) % TOP_NUMBER
        if 0 < distance < 5:
            rating -= NEEDED * (5 - distance) / 4
        if below not in (NO_CARD, card) and 0 < (goal - below) % TOP_NUMBER < 4:
            rating -= COVERING
    return rating


_CARDS = range(NUM_TYPES)
DISCARDS = np.array([[[_rate_discard(goal, below, card) for card in _CARDS] for below in _CARDS] for goal in _CARDS])
"""The ratings of all discards: most of a decision is to look at them."""


@jit
def rate_discard(s: S, seat: int, card: int, pile: int) -> float:
    """How good a discard is."""
    goal, below = s.top_word[SEAT_PILES * seat] & 15, s.top_word[SEAT_PILES * seat + 1 + pile] & 15
    return DISCARDS[goal, below, card]


@jit
def is_friendly(s: S, seat: int) -> bool:
    """Whether the play out of turn that lies open is one's partner's."""
    return s.teams == 1 and s.open_seat == partner(seat)


@jit
def reflex(s: S, seat: int) -> int:
    """S17: call a play out of turn, unless it is the partner's."""
    return CALL if may_call(s, seat) and not is_friendly(s, seat) else -1


@jit
def _rate_by_rules(s: S, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    sight = int(style[SIGHT]) if style[SIGHT] > 0 else TOP_NUMBER
    thrift = int(style[THRIFT]) - 1 if style[THRIFT] > 0 else TOP_NUMBER
    way = way_to_stock(s, seat, sight, thrift)
    unloading = unload(s, seat)
    for i in range(n):
        action = int(ids[i])
        source = action // NUM_PLACES
        if action >= END:
            scores[i] = 0.0
        elif action >= DISCARD:
            scores[i] = rate_discard(s, seat, (action - DISCARD) // NUM_PLACES + 1, action % NUM_PLACES)
        elif source in (OWN_STOCK, PARTNERS_STOCK):
            scores[i] = TO_STOCK + (1.0 if action == way else 0.0)
        elif action == way:
            scores[i] = ON_THE_WAY
        elif action == unloading:
            scores[i] = UNLOADING
        else:
            scores[i] = NEVER / 2


@jit
def rate(s: S, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    """By rules of thumb or by plans, see `style`; with manners: call, never speak, draw what is due and no more."""
    if seat != s.actor or s.phase != PLAYING:
        for i in range(n):
            scores[i] = NEVER
    elif style[PLANS] > 0:
        rate_plans(s, seat, ids, n, scores, 1.0 - style[HEEDLESS], style[PLANS] > 1)
    else:
        _rate_by_rules(s, seat, ids, n, scores, style)
    if not s.manners:
        return
    for i in range(n):
        if ids[i] == CALL:
            scores[i] = 2 * NEVER if is_friendly(s, seat) else 2 * TO_STOCK
        elif ids[i] == SAY:
            scores[i] = 2 * NEVER
        elif ids[i] == DRAW:  # S16: past five it costs
            scores[i] = TO_STOCK if s.phase != PLAYING else 2 * NEVER


@jit
def policy(s: S, seat: int, x: int, out: Ids) -> int:
    """As `club` plays: on the way to the stock card, else unload, else the best discard."""
    if s.open_seat != NOBODY and reflex(s, seat) == CALL:
        return CALL
    if seat != s.actor or s.phase != PLAYING:
        legal(s, seat, out)
        return out[0] + 0
    action = way_to_stock(s, seat, TOP_NUMBER, TOP_NUMBER)
    if action != NO_WAY:
        return action
    hand = s.hand[seat]
    if hand == 0:
        return END
    action = unload(s, seat)
    if action != NO_WAY:
        return action
    best = 4 * NEVER
    for pile in range(NUM_PLACES):
        for card in range(1, NUM_TYPES):
            if (hand >> (4 * card)) & 15:
                rating = rate_discard(s, seat, card, pile)
                if rating > best:
                    best = rating
                    action = DISCARD + NUM_PLACES * (card - 1) + pile
    return action


# Chances to win, fitted to matches of `policy`. A round: by cards left, the more surely the nearer its end is.
SPREAD, TEAM_SPREAD = 1.1, 0.8
TEMPO = 1.0  # being at turn, in cards
# A match in points (S13): by points, and those to be expected from this round; likewise.
POINTS_SPREAD, GAIN = 0.014, 0.8


@jit
def _soften(s: S, values: Any) -> None:
    """Turn ratings of seats into chances; partners share theirs."""
    best = values[0]
    for seat in range(s.num_seats):
        best = max(best, values[seat])
    total = 0.0
    for seat in range(s.num_seats):
        values[seat] = math.exp(values[seat] - best)
        total += values[seat]
    for seat in range(s.num_seats):
        values[seat] /= total


@jit
def _round_chances(s: S, values: Any) -> None:
    smallest, second = 1000, 1000
    for seat in range(2 if s.teams else s.num_seats):
        left = stock_left(s, seat)
        smallest, second = min(smallest, left), min(second, max(smallest, left))
    spread = (TEAM_SPREAD if s.teams else SPREAD) / math.sqrt(smallest + second + 4.0)
    for seat in range(s.num_seats):
        values[seat] = -spread * stock_left(s, seat)
        if seat == s.actor or (s.teams and seat == partner(s.actor)):
            values[seat] += spread * TEMPO
    _soften(s, values)


@jit
def _score(s: S, seat: int) -> int:
    """S13: what decides a finished match."""
    return s.points[seat] + 0 if s.match == POINTS else shrunk(s, seat)


@jit
def worth(s: S, values: Any) -> None:
    """Chances by the stocks that are left, or by the points that are to be expected (S13)."""
    if s.over:
        best = 0
        for seat in range(s.num_seats):
            best = max(best, _score(s, seat))
        winners = 0
        for seat in range(s.num_seats):
            winners += _score(s, seat) == best
        for seat in range(s.num_seats):
            values[seat] = 1.0 / winners if _score(s, seat) == best else 0.0
        return
    _round_chances(s, values)
    if s.match == POINTS:
        most, lost = 0, 0
        for seat in range(s.num_seats):
            most = max(most, s.points[seat])
            lost += s.height[SEAT_PILES * seat]
        spread = POINTS_SPREAD / math.sqrt(1.0 + (s.target - most) / 100)
        for seat in range(s.num_seats):
            # The chance of a team is what both partners have.
            chance = 2 * values[seat] if s.teams else values[seat]
            gain = 25 + 5 * (lost - stock_left(s, seat))
            values[seat] = spread * (s.points[seat] + GAIN * chance * gain)
        _soften(s, values)


LADDER = {
    "beginner": Level(style=(0, 0, 3, 2), temperature=2.0, cap=8.0),
    "casual": Level(style=(0, 0, 4), temperature=1.5, cap=8.0),
    "club": Level(),
    "strong": Level(style=(1, 0.65)),
    "expert": Level(style=(2,)),
}
"""`expert` thinks for a few milliseconds: its search ends by itself, and a budget does not change it."""

EXTRAS = {
    "planner": Level(style=(1,)),
    "expert-1": Level(style=(2,)),
}
"""`expert` without foresight, and as it was."""

CHEATER = Level(TREE, playouts=10_000, width=8, plies=6, exploration=0.03, ties=0.0, style=(2,))
"""A turn is a chain of plays, and the cards it brings are known: the tree goes through it, and a few moves on."""
