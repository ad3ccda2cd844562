"""What a seat of Loba does not know: erasing it, and filling it in again at random.

Everybody sees the table, the discard pile, and which cards were taken from it by whom. After discards have become the
stock (B21), everybody knows which these were: what is not among them lies in hands.
"""

from __future__ import annotations

from typing import Any

from ludotheque.core.chance import below
from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY, clear_chance, clear_stale_events
from ludotheque.core.record import State as S
from ludotheque.games.loba.cards import (
    ALL_TYPES,
    BRELAN,
    JOKER,
    JOKER_CODE,
    NO_CARD,
    NUM_CODES,
    NUM_JOKERS,
    NUM_STARTS,
    QUARTE,
    SEXTUPLE,
    laid_cards,
    merge,
    num_cards,
    put,
    take_out,
)
from ludotheque.games.loba.melds import can_go_on, meld_at, meld_cards
from ludotheque.games.loba.state import ANY_SUIT, CONTRACT, DRAWN

NUM_BRELANS = SEXTUPLE - BRELAN
NUM_TRIES = 64


@jit
def conceal(s: S, seat: int) -> None:
    """A seat knows its own hand and its own draws. When the match is over all hands have been counted openly."""
    clear_chance(s)
    clear_stale_events(s)
    for i in range(s.num_stock):
        s.stock[i] = NO_CARD
    for other in range(s.num_seats):
        if other != seat:
            s.drawn[other] = 0
            s.drawn_twice[other] = 0
            s.drawn_jokers[other] = 0
            if not s.over:
                s.hand[other] = 0
                s.hand_twice[other] = 0
                s.hand_jokers[other] = 0
    for i in range(s.num_events):
        if s.event_kind[i] == DRAWN and s.event_seat[i] != seat:
            s.event_args[i, 0] = NO_CARD


@jit
def table_cards(s: S) -> tuple[int, int, int]:
    """All cards in combinations: once, twice and jokers."""
    once, twice, jokers = 0, 0, 0
    for number in range(s.num_melds):
        a, b, c = meld_cards(meld_at(s, number))
        once, twice = merge(once, twice, a, b)
        jokers += c
    return once, twice, jokers


@jit
def pile_cards(cards: Any, number: int) -> tuple[int, int, int]:
    """The cards of a pile: once, twice and jokers."""
    once, twice, jokers = 0, 0, 0
    for i in range(number):
        if cards[i] == JOKER:
            jokers += 1
        else:
            once, twice = merge(once, twice, 1 << (cards[i]), 0)
    return once, twice, jokers


@jit
def resample(s: S, seat: int) -> None:
    """Deal the unseen cards to the other seats, on top of what they are known to hold, and to the stock.

    A seat in the middle of its contract can complete it. Nearly always one of some deals is such that it can, and all
    of these are equally likely; if none is, the cards it needs are found first.
    """
    for _ in range(NUM_TRIES):
        _keep_known(s, seat)
        _deal_unseen(s, seat)
        if s.phase != CONTRACT or s.actor == seat or can_go_on(s, s.actor, s.sets_left, s.runs_left):
            return
    _keep_known(s, seat)
    _give_contract(s, seat)
    _deal_unseen(s, seat)


@jit
def _keep_known(s: S, seat: int) -> None:
    """Leave the other seats only what everybody knows they hold."""
    for other in range(s.num_seats):
        if other != seat and not s.over:
            s.hand[other] = s.known[other]
            s.hand_twice[other] = s.known_twice[other]
            s.hand_jokers[other] = s.known_jokers[other]
        if other != seat:
            s.drawn[other] = 0
            s.drawn_twice[other] = 0
            s.drawn_jokers[other] = 0


@jit
def _unseen(s: S) -> tuple[int, int, int]:
    """The cards that are neither on the table nor in the pile nor, as the record stands, in a hand."""
    once, twice, jokers = table_cards(s)
    a, b, c = pile_cards(s.pile, s.num_pile)
    once, twice = merge(once, twice, a, b)
    jokers += c
    for seat in range(s.num_seats):
        once, twice = merge(once, twice, s.hand[seat], s.hand_twice[seat])
        jokers += s.hand_jokers[seat]
    return ALL_TYPES & ~twice, ALL_TYPES & ~once, NUM_JOKERS - jokers


@jit
def _surely_held(s: S, seat: int, once: int, twice: int, jokers: int) -> tuple[int, int, int]:
    """Which of the unseen cards cannot be in the stock, since it was made of others."""
    if not s.is_recycled:
        return 0, 0, 0
    a, b, c = s.recycled, s.recycled_twice, s.recycled_jokers
    if seat != NOBODY:  # what the seat itself has drawn is no longer there
        a, b = take_out(a, b, s.drawn[seat], s.drawn_twice[seat])
        c -= s.drawn_jokers[seat]
    once, twice = take_out(once, twice, a, b)
    return once, twice, max(jokers - c, 0)


@jit
def _open_slots(s: S, seat: int) -> int:
    """How many cards a seat still lacks."""
    return s.size[seat] - num_cards(s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat])


@jit
def _old_slots(s: S, seat: int) -> int:
    """How many of these it must have held already when discards became the stock."""
    return max(_open_slots(s, seat) - s.fresh[seat], 0) if s.is_recycled else 0


@jit
def _lay_out(s: S, at: int, once: int, twice: int, jokers: int) -> int:
    """Write cards into the stock from a place on; returns the place behind them."""
    for card in range(JOKER):
        if once >> card & 1:
            s.stock[at] = card
            at += 1
        if twice >> card & 1:
            s.stock[at] = card
            at += 1
    for _ in range(jokers):
        s.stock[at] = JOKER
        at += 1
    return at


@jit
def _shuffle_part(s: S, first: int, end: int) -> None:
    for i in range(end - 1, first, -1):
        j = first + below(s, i - first + 1)
        card = s.stock[i]
        s.stock[i] = s.stock[j]
        s.stock[j] = card


@jit
def _deal_unseen(s: S, seat: int) -> None:
    """Fill the hands up, and leave the rest as the stock."""
    once, twice, jokers = _unseen(s)
    old, old_twice, old_jokers = _surely_held(s, seat, once, twice, jokers)
    rest, rest_twice = take_out(once, twice, old, old_twice)
    # In the stock's array: cards that must go to hands, then those that may; each part shuffled.
    num_old = _lay_out(s, 0, old, old_twice, old_jokers)
    number = _lay_out(s, num_old, rest, rest_twice, jokers - old_jokers)
    _shuffle_part(s, 0, num_old)
    _shuffle_part(s, num_old, number)
    num_slots = 0
    num_old_slots = 0
    for other in range(s.num_seats):
        num_slots += _open_slots(s, other)
        num_old_slots += _old_slots(s, other)
    if num_old > num_old_slots:
        _shuffle_part(s, num_old_slots, num_slots)
    # The old ones first where only such can be, what follows anywhere.
    at = 0
    later = num_old_slots
    for other in range(s.num_seats):
        first = _old_slots(s, other)
        then = _open_slots(s, other) - first
        for _ in range(first):
            put(s.hand, s.hand_twice, s.hand_jokers, other, s.stock[at])
            at += 1
        for _ in range(then):
            put(s.hand, s.hand_twice, s.hand_jokers, other, s.stock[later])
            later += 1
    for i in range(number):
        s.stock[i] = s.stock[num_slots + i] if num_slots + i < number else NO_CARD


@jit
def _num_layings(s: S) -> int:
    """How many brelans and quartes there are: quartes of four suits, or of one of them."""
    return NUM_BRELANS + NUM_STARTS * (NUM_CODES if s.runs == ANY_SUIT else 4 * 5)


@jit
def _laying(s: S, index: int) -> int:
    """The brelans and quartes in one row: the action of each."""
    if index < NUM_BRELANS:
        return BRELAN + index
    index -= NUM_BRELANS
    if s.runs == ANY_SUIT:
        return QUARTE + index
    start, suit, joker = index // 20, index // 5 % 4, index % 5  # joker at a place, or 4: none
    code = 0b01010101 * suit if joker == 4 else JOKER_CODE + 64 * joker + 0b010101 * suit
    return QUARTE + NUM_CODES * start + code


@jit
def _give_contract(s: S, seat: int) -> None:
    """Put cards into the hand of the seat at turn with which it can complete its contract.

    They are known or unseen ones, so that the known cards not among them find a place in the hand, and those that
    cannot be in the stock a place in some hand. What the seat really holds fits, so something is found; where the
    search begins is random.
    """
    actor = s.actor
    once, twice, jokers = _unseen(s)
    once, twice = merge(once, twice, s.hand[actor], s.hand_twice[actor])
    jokers += s.hand_jokers[actor]
    number = _num_layings(s)
    start = below(s, number)
    second_start = below(s, number)
    for i in range(number):
        action = _laying(s, (start + i) % number)
        gone, gone_twice, gone_jokers, _ = laid_cards(action)
        if gone & ~once or gone_twice & ~twice or gone_jokers > jokers:
            continue
        sets, runs = s.sets_left, s.runs_left
        if action >= QUARTE:
            runs -= 1
        else:
            sets -= 1
        if sets < 0 or runs < 0 or not _leaves_room(s, gone, gone_twice, gone_jokers, 3 * sets + 4 * runs):
            continue
        if sets + runs == 0:
            if _take_contract(s, seat, gone, gone_twice, gone_jokers):
                return
            continue
        a, b = take_out(once, twice, gone, gone_twice)
        for k in range(number):
            index = (second_start + k) % number
            if (runs == 0) != (index < NUM_BRELANS):
                continue
            more, more_twice, more_jokers, _ = laid_cards(_laying(s, index))
            if more & ~a or more_twice & ~b or more_jokers > jokers - gone_jokers:
                continue
            all_once, all_twice = merge(gone, gone_twice, more, more_twice)
            if _take_contract(s, seat, all_once, all_twice, gone_jokers + more_jokers):
                return


@jit
def _leaves_room(s: S, gone: int, gone_twice: int, gone_jokers: int, number: int) -> bool:
    """Whether the known cards of the seat at turn that are not laid can stay, if so many more cards are laid."""
    actor = s.actor
    spare = s.size[actor] - 3 * s.sets_left - 4 * s.runs_left
    a, b = take_out(s.hand[actor], s.hand_twice[actor], gone, gone_twice)
    return num_cards(a, b, max(s.hand_jokers[actor] - gone_jokers, 0)) <= spare + number


@jit
def _take_contract(s: S, seat: int, gone: int, gone_twice: int, gone_jokers: int) -> bool:
    """Give the seat at turn these cards, besides those it is known to hold, if that can be."""
    actor = s.actor
    known, known_twice, known_jokers = s.hand[actor], s.hand_twice[actor], s.hand_jokers[actor]
    if not _leaves_room(s, gone, gone_twice, gone_jokers, 0):
        return False
    spare = s.size[actor] - 3 * s.sets_left - 4 * s.runs_left
    taken = s.taken
    if spare == 1 and taken != NO_CARD and (gone_jokers == 0 if taken == JOKER else gone >> taken & 1 == 0):
        return False  # B22
    new, new_twice = take_out(gone, gone_twice, known, known_twice)
    new_jokers = max(gone_jokers - known_jokers, 0)
    once, twice, jokers = _unseen(s)
    old, old_twice, old_jokers = _surely_held(s, seat, once, twice, jokers)
    a, b = take_out(new, new_twice, old, old_twice)
    num_slots = 0
    for other in range(s.num_seats):
        num_slots += _open_slots(s, other)
    if num_cards(a, b, max(new_jokers - old_jokers, 0)) > num_slots - num_cards(old, old_twice, old_jokers):
        return False
    a, b = merge(known, known_twice, new, new_twice)
    s.hand[actor] = a
    s.hand_twice[actor] = b
    s.hand_jokers[actor] = known_jokers + new_jokers
    return True
