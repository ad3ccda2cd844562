"""Planning a whole turn: every way to lay cards, each position once, up to the card that ends it.

A plan stops where chance comes in, when a stock card is laid and the next turned up, or when the hand is empty and
five cards come; and with each discard. Where it stops, outlook.py says what the position is worth. A move is worth
what the best plan that begins with it is. Of several orders of the same plays only the first found is a plan, and of
places or piles that are alike only the first is looked at: the other moves are ruled out.

`_foresee` looks beyond chance: for the best moves it plans on with every card that the stock may turn up, and with
hands drawn at random.

What a search needs is handed around as two tuples. `sight` is what the seat sees: piles, goals, number of rivals,
shares (see `outlook.see`), how much rivals count, SOLO or TEAM, how eager it is to lay a stock card. `work` is where it
works: nodes, the slots of their hash table, the best plan's worth for each first move, and where that plan stops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.core.chooser import MASK, advance, choose
from ludotheque.core.jit import jit
from ludotheque.core.record import Ids
from ludotheque.core.record import State as S
from ludotheque.games.skipbo.cards import can_draw
from ludotheque.games.skipbo.outlook import (
    ENDED,
    HEED,
    MOST_RIVALS,
    REFILLED,
    SIDE_PILES,
    SOLO,
    TEAM,
    TURNED_UP,
    heights_word,
    repeats,
    rivals_outlook,
    see,
    side_outlook,
)
from ludotheque.games.skipbo.state import (
    DISCARD,
    END,
    HAND,
    NO_CARD,
    NUM_ACTIONS,
    NUM_PLACES,
    NUM_TYPES,
    OWN_STOCK,
    PARTNERS_STOCK,
    TOP_NUMBER,
    WILD,
)

RULED_OUT = -1000.0
WON = 6.0  # what winning is worth, in cards, besides those the rivals have left
# What laying a stock card is worth besides, divided by the cards that the side has left: the fit of outlook.py is to
# whole matches, and towards their end a card counts for more.
EAGERNESS, MOST_EAGER = 4.0, 1.5

MAX_NODES = 2048  # positions of one turn; more than that are seen once in 10,000 turns
SLOTS = 4 * MAX_NODES

# A node of the search: what is in hand, the heights, cards taken off each discard pile, the first move of the turn.
IN_HAND, HEIGHTS, TAKEN, FIRST = 0, 1, 2, 3
# Where the best plan for a move stops: kind, node, and the discard pile and card, or the place and whose stock.
KIND, NODE, WHERE, WHAT = 0, 1, 2, 3

# How far `_foresee` looks.
FORESEEN = 6  # moves
CLOSE = 1.0  # and only those that are behind the best by less than this
HANDS = 24  # drawn at random
OPTIMISM = 0.2  # by how much the best of many plans seems better than it is


@jit
def laid(heights: int, place: int) -> int:
    """The heights after a card is laid; a finished pile goes (S8)."""
    height = ((heights >> (4 * place)) & 15) + 1
    return (heights & ~(15 << (4 * place))) | ((height % TOP_NUMBER) << (4 * place))


@jit
def in_order(heights: int) -> int:
    """The same heights, the lowest first: which place is which does not matter after the first move."""
    a, b, c, d = heights & 15, (heights >> 4) & 15, (heights >> 8) & 15, heights >> 12
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return a | (b << 4) | (c << 8) | (d << 12)


@jit
def _pile_source(k: int) -> int:
    """The source of a play from a discard pile of the side."""
    return OWN_STOCK + 1 + k if k < NUM_PLACES else PARTNERS_STOCK + 1 + k - NUM_PLACES


@jit
def _stop(best: Any, stops: Any, action: int, value: float, kind: int, node: int, where: int, what: int) -> None:
    """A plan for a move stops here; keep it if none is better."""
    if value > best[action]:
        best[action] = value
        stops[action, KIND] = kind
        stops[action, NODE] = node
        stops[action, WHERE] = where
        stops[action, WHAT] = what


@jit
def _add(nodes: Any, slots: Any, num: int, hand: int, heights: int, taken: int, first: int) -> int:
    """Add a position unless it has been seen; how many there are now."""
    slot = (hand % 1000003 * 331 + heights * 7919 + taken % 1000003 * 613) % SLOTS
    while slots[slot] > 0:
        node = slots[slot]
        if nodes[node, IN_HAND] == hand and nodes[node, HEIGHTS] == heights and nodes[node, TAKEN] == taken:
            return num
        slot = (slot + 1) % SLOTS
    if num == len(nodes):
        return num
    slots[slot] = num
    nodes[num, IN_HAND] = hand
    nodes[num, HEIGHTS] = heights
    nodes[num, TAKEN] = taken
    nodes[num, FIRST] = first
    return num + 1


@jit
def _lay_from_stocks(node: int, ahead: int, sight: Any, work: Any, piles: Any) -> bool:
    """Plans that lay the top of a stock now. Whether there are any."""
    all_piles, goals, rivals, shares, heed, play, eager = sight
    nodes, _, best, stops = work
    hand, heights = nodes[node, IN_HAND], nodes[node, HEIGHTS]
    found = False
    for place in range(NUM_PLACES):
        if repeats(heights, place):
            continue
        height = (heights >> (4 * place)) & 15
        for whose in range(2):
            goal = goals[0, whose]
            if goal != WILD and goal != height + 1:
                continue
            found = True
            action = nodes[node, FIRST]
            if action < 0:
                action = NUM_PLACES * (OWN_STOCK if whose == 0 else PARTNERS_STOCK) + place
            after = laid(heights, place)
            if goals[0, 2] + goals[0, 3] == 1:
                value = ahead + 1 + WON
            else:
                other = goals[0, 1 - whose]
                value = ahead + 1 + side_outlook(play + TURNED_UP, hand, after, piles, NO_CARD, other, shares)
                value += eager + heed * rivals_outlook(play + TURNED_UP, after, all_piles, goals, rivals, shares)
            _stop(best, stops, action, value, TURNED_UP, node, place, whose)
    return found


@jit
def _lay_others(node: int, num: int, work: Any, piles: Any) -> int:
    """The positions after laying a card from the hand or a discard pile; how many there are now."""
    nodes, slots, _, _ = work
    hand, heights, taken = nodes[node, IN_HAND], nodes[node, HEIGHTS], nodes[node, TAKEN]
    for place in range(NUM_PLACES):
        if repeats(heights, place):
            continue
        height = (heights >> (4 * place)) & 15
        number = height + 1
        after = in_order(laid(heights, place))
        first = nodes[node, FIRST]
        for card in (number, WILD):
            if (hand >> (4 * card)) & 15:
                action = NUM_PLACES * (card - 1) + place if first < 0 else first
                num = _add(nodes, slots, num, hand - (1 << (4 * card)), after, taken, action)
        for k in range(SIDE_PILES):
            if piles[k] & 15 in (number, WILD):
                action = NUM_PLACES * _pile_source(k) + place if first < 0 else first
                num = _add(nodes, slots, num, hand, after, taken + (1 << (4 * k)), action)
    return num


@jit
def _end_turn(node: int, ahead: int, sight: Any, work: Any, piles: Any) -> None:
    """Plans that end the turn here, with each discard (S10), or without one when no hand is left (S11)."""
    all_piles, goals, rivals, shares, heed, play, _ = sight
    nodes, _, best, stops = work
    hand, heights, first = nodes[node, IN_HAND], nodes[node, HEIGHTS], nodes[node, FIRST]
    basis = ahead + heed * rivals_outlook(play + ENDED, heights, all_piles, goals, rivals, shares)
    if hand == 0:
        value = basis + side_outlook(play + ENDED, hand, heights, piles, goals[0, 0], goals[0, 1], shares)
        _stop(best, stops, END if first < 0 else first, value, ENDED, node, 0, 0)
    only_wilds = hand >> (4 * WILD) << (4 * WILD) == hand
    empty_seen = False
    for k in range(NUM_PLACES):
        pile = piles[k]
        if pile == 0 and empty_seen:
            continue
        empty_seen = empty_seen or pile == 0
        for card in range(1, NUM_TYPES if only_wilds else WILD):
            if (hand >> (4 * card)) & 15:
                piles[k] = (pile << 4) | card
                rest = hand - (1 << (4 * card))
                value = basis + side_outlook(play + ENDED, rest, heights, piles, goals[0, 0], goals[0, 1], shares)
                action = DISCARD + NUM_PLACES * (card - 1) + k if first < 0 else first
                _stop(best, stops, action, value, ENDED, node, k, card)
        piles[k] = pile


@jit
def explore(hand: int, heights: int, ahead: int, refills: bool, sight: Any, work: Any, piles: Any) -> None:
    """All plans for a turn: what the best one for each first move is worth, and where it stops."""
    all_piles, goals, rivals, shares, heed, play, _ = sight
    nodes, slots, best, stops = work
    for i in range(SLOTS):
        slots[i] = 0
    for action in range(NUM_ACTIONS):
        best[action] = RULED_OUT
    nodes[0, IN_HAND] = hand
    nodes[0, HEIGHTS] = heights
    nodes[0, TAKEN] = 0
    nodes[0, FIRST] = -1
    num = 1
    node = 0
    while node < num:
        taken = nodes[node, TAKEN]
        for k in range(SIDE_PILES):
            piles[k] = all_piles[0, k] >> (4 * ((taken >> (4 * k)) & 15))
        first = nodes[node, FIRST]
        if nodes[node, IN_HAND] == 0 and refills:
            reached = nodes[node, HEIGHTS]
            value = ahead + side_outlook(play + REFILLED, 0, reached, piles, goals[0, 0], goals[0, 1], shares)
            value += heed * rivals_outlook(play + REFILLED, reached, all_piles, goals, rivals, shares)
            _stop(best, stops, first, value, REFILLED, node, 0, 0)
        else:
            # Nobody ends a turn who can lay a stock card; and only the first move may be another then.
            found = _lay_from_stocks(node, ahead, sight, work, piles)
            if not found or node == 0:
                num = _lay_others(node, num, work, piles)
            if not found:
                _end_turn(node, ahead, sight, work, piles)
        node += 1


@jit
def _draw_hand(x: int, shares: Any) -> tuple[int, int]:
    """Five cards as they may come, and the chooser's next state."""
    hand = 0
    for _ in range(HAND):
        x = advance(x)
        left = choose(x, 1 << 20) / (1 << 20)
        card = 1
        while card < WILD and left >= shares[card]:
            left -= shares[card]
            card += 1
        hand += 1 << (4 * card)
    return hand, x


@jit
def _best_plan(best: Any) -> float:
    value = RULED_OUT
    for action in range(NUM_ACTIONS):
        value = max(value, best[action])
    return value


@jit
def _beyond(action: int, ahead: int, refills: bool, x: int, sight: Any, work: Any, later: Any, spare: Any) -> float:
    """What the best plan for a move is worth if it is planned anew where chance has spoken.

    `later` is what will be seen then: room for a copy of the piles and goals.
    """
    all_piles, goals, _, shares, _, _, _ = sight
    nodes, _, _, stops = work
    piles, then_goals, _, _, _, _, _ = later
    node = stops[action, NODE]
    hand, heights, taken = nodes[node, IN_HAND], nodes[node, HEIGHTS], nodes[node, TAKEN]
    for k in range(SIDE_PILES):
        piles[0, k] = all_piles[0, k] >> (4 * ((taken >> (4 * k)) & 15))
    for column in range(4):
        then_goals[0, column] = goals[0, column]
    value = 0.0
    if stops[action, KIND] == REFILLED:
        for _ in range(HANDS):
            hand, x = _draw_hand(x, shares)
            explore(hand, heights, ahead, refills, later, spare, piles[MOST_RIVALS + 1])
            value += _best_plan(spare[2]) / HANDS
        return value - OPTIMISM
    whose = stops[action, WHAT]
    heights = laid(heights, stops[action, WHERE])
    then_goals[0, 2 + whose] -= 1
    if then_goals[0, 2 + whose] == 0:  # S14: the partner's is left
        then_goals[0, whose] = NO_CARD
        explore(hand, heights, ahead + 1, refills, later, spare, piles[MOST_RIVALS + 1])
        return _best_plan(spare[2]) - OPTIMISM
    for card in range(1, NUM_TYPES):
        if shares[card] > 0:
            then_goals[0, whose] = card
            explore(hand, heights, ahead + 1, refills, later, spare, piles[MOST_RIVALS + 1])
            value += shares[card] * _best_plan(spare[2])
    return value - OPTIMISM


@jit
def _foresee(ids: Ids, n: int, ahead: int, refills: bool, x: int, scores: Any, sight: Any, work: Any) -> None:
    """Rate the best moves anew, looking beyond chance; the others fall behind them."""
    all_piles, goals, rivals, shares, heed, play, eager = sight
    _, slots, best, stops = work
    top = _best_plan(best)
    close = 0
    for i in range(n):
        close += best[ids[i]] > top - CLOSE
    if close < 2 or (goals[0, 2] + goals[0, 3] == 1 and top > ahead + WON):
        return
    later = (all_piles.copy(), goals.copy(), rivals, shares, heed, play, eager)
    spare = (np.empty((MAX_NODES, 4), np.int64), slots, np.empty(NUM_ACTIONS, np.float64), stops.copy())
    for i in range(n):
        scores[i] = RULED_OUT
    for _ in range(min(close, FORESEEN)):
        chosen = 0
        for i in range(1, n):
            if best[ids[i]] > best[ids[chosen]]:
                chosen = i
        action = int(ids[chosen])
        scores[chosen] = best[action]
        if stops[action, KIND] != ENDED:
            scores[chosen] = _beyond(action, ahead, refills, x, sight, work, later, spare)
        best[action] = RULED_OUT


@jit
def rate_plans(s: S, seat: int, ids: Ids, n: int, scores: Any, heed: float, foresees: bool) -> None:
    """Rate the moves of the seat at turn by the best plan for each.

    `heed` is how much the rivals count, 1 for as much as they should; `foresees` looks beyond chance.
    """
    # The last row of piles is scratch: those of the position that is being looked at.
    all_piles = np.zeros((MOST_RIVALS + 2, SIDE_PILES), np.int64)
    goals = np.zeros((MOST_RIVALS + 1, 4), np.int64)
    shares = np.zeros(NUM_TYPES, np.float64)
    rivals = see(s, seat, all_piles, goals, shares)
    smallest = goals[1, 2] + goals[1, 3]
    for rival in range(2, rivals + 1):
        smallest = min(smallest, goals[rival, 2])
    ahead = smallest - goals[0, 2] - goals[0, 3]
    eager = min(MOST_EAGER, EAGERNESS / (goals[0, 2] + goals[0, 3]))
    sight = (all_piles, goals, rivals, shares, HEED[rivals] * heed, TEAM if s.teams else SOLO, eager)
    slots = np.empty(SLOTS, np.int16)
    best = np.empty(NUM_ACTIONS, np.float64)
    work = (np.empty((MAX_NODES, 4), np.int64), slots, best, np.zeros((NUM_ACTIONS, 4), np.int64))
    hand = s.hand[seat] + 0
    heights = heights_word(s)
    refills = hand != 0 and can_draw(s)
    explore(hand, heights, ahead, refills, sight, work, all_piles[MOST_RIVALS + 1])
    for i in range(n):
        scores[i] = best[ids[i]]
    if foresees:
        _foresee(ids, n, ahead, refills, advance((hand ^ heights) & MASK), scores, sight, work)
