"""What can be where: dealing the hidden cards of LOBO 77 so that they fit everything a seat has seen.

As long as nothing was reshuffled, every card not seen may lie anywhere. A reshuffle (L19) sets two kinds
apart: *old* cards, which were in hands at that moment, and *new* ones, which were played before and now lie
in the pile or have been drawn from it. Everybody knows how many old cards each hand had and who drew how
many since; which of the two a played card was, often not. So for each card another seat has shown since
then, one of the two is assumed: an old one uses up one of the seat's old cards and one of that type outside
the pile, a new one uses up one of the draws the seat had made by then and one of that type in the pile.
Cards never shown fill the rest. The card that was left lying (`keep_top`) is neither: all saw it before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.core.bits import count, lowest, nth
from ludotheque.core.chance import below, shuffle
from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY
from ludotheque.core.record import State as S
from ludotheque.games.lobo77.cards import MAX_CARDS, NO_CARD, NUM_TYPES, TWICE, box_copies, copies_in, one
from ludotheque.games.lobo77.state import MAX_SEATS


@jit
def resample(s: S, seat: int) -> None:
    """Fill all that is hidden from the seat with the cards it does not see."""
    if s.reshuffled:
        _deal_by_memory(s, seat)
    else:
        _deal_freely(s, seat)


@jit
def _deal_freely(s: S, seat: int) -> None:
    """Nothing was reshuffled: beside the 2x cards known to be held, all deals are equally likely."""
    first = s.num_drawn  # the pool lies in the pile, the hidden hands' cards before the pile's own
    sure = 0
    for other in range(s.num_seats):
        if other != seat:
            s.hand[other] = s.sure_2x[other] * one(TWICE)
            first -= s.hand_size[other] - s.sure_2x[other]
            sure += s.sure_2x[other]
    k = first
    for card in range(NUM_TYPES):
        left = box_copies(s, card)
        if seat != NOBODY:
            left -= copies_in(s.hand[seat], card)
        if card == TWICE:
            left -= sure
        for i in range(s.num_played):
            left -= s.played[i] == card
        for _ in range(left):
            s.pile[k] = card
            k += 1
    _shuffle_from(s, first)
    k = first
    for other in range(s.num_seats):
        if other != seat:
            for _ in range(s.hand_size[other] - s.sure_2x[other]):
                s.hand[other] += one(s.pile[k])
                s.pile[k] = NO_CARD
                k += 1


@jit
def _shuffle_from(s: S, first: int) -> None:
    """Shuffle the pile's cards from an index on."""
    for k in range(s.pile_size - 1, first, -1):
        j = first + below(s, k + 1 - first)
        card = s.pile[k]
        s.pile[k] = s.pile[j]
        s.pile[j] = card


WHO, CARD, WHEN = 0, 1, 2


@jit
def _deal_by_memory(s: S, seat: int) -> None:
    shown = np.zeros((MAX_CARDS, 3), np.int64)
    num_shown = _shown_cards(s, seat, shown)
    old = np.zeros(NUM_TYPES, np.int64)  # old cards of each type not accounted for
    new = np.zeros(NUM_TYPES, np.int64)  # new cards of each type not accounted for
    room = np.zeros(MAX_SEATS, np.int64)  # old cards of each other seat not accounted for
    draws = np.zeros(MAX_SEATS, np.int64)  # its draws not accounted for: places in the pile
    _set_out(s, seat, old, new, room, draws)
    # What really happened is one way to account for all, and any way can come up, mostly at the first try.
    while not _account(s, shown, num_shown, old, new, room, draws):
        _set_out(s, seat, old, new, room, draws)
    _fill(s, seat, old, new, room, draws)


@jit
def _shown_cards(s: S, seat: int, shown: Any) -> int:
    """The cards other seats have shown since the reshuffle: played, buried, known to be 2x. How many."""
    n = 0
    for k in range(s.num_played):
        if s.played_by[k] != seat and s.played_by[k] != NOBODY:
            shown[n, WHO] = s.played_by[k]
            shown[n, CARD] = s.played[k]
            shown[n, WHEN] = s.played_at[k]
            n += 1
    for other in range(s.num_seats):
        if other == seat:
            continue
        s.hand[other] = s.sure_2x[other] * one(TWICE)
        for _ in range(s.sure_2x[other]):
            shown[n, WHO] = other
            shown[n, CARD] = TWICE
            shown[n, WHEN] = s.sure_at[other]
            n += 1
    return n


@jit
def _set_out(s: S, seat: int, old: Any, new: Any, room: Any, draws: Any) -> None:
    """Before anything is accounted for. Of its own cards the seat knows which are old and which are new."""
    for card in range(NUM_TYPES):
        old[card] = box_copies(s, card) - s.shuffled[card]
        new[card] = s.shuffled[card]
        if seat != NOBODY:
            old[card] -= copies_in(s.hand[seat], card)
    for other in range(s.num_seats):
        room[other] = s.hand_size[other]
        draws[other] = 0
    for k in range(s.num_played):
        who = s.played_by[k]
        if who != NOBODY:
            room[who] += 1
        if who in (seat, NOBODY):
            old[s.played[k]] -= 1
    for k in range(s.num_drawn):
        who = s.drawn_by[k]
        room[who] -= 1
        if who == seat:
            old[s.pile[k]] += 1
            new[s.pile[k]] -= 1
        else:
            draws[who] |= 1 << k
            s.pile[k] = NO_CARD


@jit
def _account(s: S, shown: Any, num_shown: int, old: Any, new: Any, room: Any, draws: Any) -> bool:
    """Say of each card shown whether it was old or new: where only one can be, that one, else by chance."""
    open_ones = (1 << num_shown) - 1
    while open_ones:
        settled = 0
        rest = open_ones
        while rest:
            i = lowest(rest)
            rest &= rest - 1
            who = int(shown[i, WHO])
            card = int(shown[i, CARD])
            earlier = draws[who] & ((1 << shown[i, WHEN]) - 1)
            can_be_old = old[card] > 0 and room[who] > 0
            can_be_new = new[card] > 0 and earlier != 0
            if not can_be_old and not can_be_new:
                return False
            if not can_be_new:
                old[card] -= 1
                room[who] -= 1
                settled |= 1 << i
            elif not can_be_old:
                new[card] -= 1
                draws[who] &= ~(1 << _use_draw(s, int(earlier), card))
                settled |= 1 << i
        if settled == 0:
            i = nth(open_ones, below(s, count(open_ones)))
            who = int(shown[i, WHO])
            card = int(shown[i, CARD])
            settled = 1 << i
            if below(s, int(old[card] + new[card])) < old[card]:
                old[card] -= 1
                room[who] -= 1
            else:
                new[card] -= 1
                earlier = draws[who] & ((1 << shown[i, WHEN]) - 1)
                draws[who] &= ~(1 << _use_draw(s, int(earlier), card))
        open_ones &= ~settled
    return True


@jit
def _use_draw(s: S, places: int, card: int) -> int:
    """The card was drawn at the last of these places: cards played earlier have only the earlier ones."""
    while places & (places - 1):
        places &= places - 1
    place = lowest(places)
    s.pile[place] = card
    return place


@jit
def _fill(s: S, seat: int, old: Any, new: Any, room: Any, draws: Any) -> None:
    """Cards never shown: old ones are in the hands, new ones with who drew them or in the pile."""
    cards = np.zeros(MAX_CARDS, np.int64)
    n = _list_cards(old, cards)
    shuffle(s, cards, n)
    for other in range(s.num_seats):
        if other != seat:
            for _ in range(room[other]):
                n -= 1
                s.hand[other] += one(int(cards[n]))
    n = _list_cards(new, cards)
    shuffle(s, cards, n)
    for k in range(s.pile_size):
        if k >= s.num_drawn:
            n -= 1
            s.pile[k] = cards[n]
        elif (draws[s.drawn_by[k]] >> k) & 1:
            n -= 1
            s.pile[k] = cards[n]
            s.hand[s.drawn_by[k]] += one(int(cards[n]))


@jit
def _list_cards(counts: Any, cards: Any) -> int:
    n = 0
    for card in range(NUM_TYPES):
        for _ in range(counts[card]):
            cards[n] = card
            n += 1
    return n


@jit
def audit_memory(s: S) -> bool:
    """Whether all can have held what they played and hold, and the pile is what was shuffled into it."""
    for card in range(NUM_TYPES):
        left = int(s.shuffled[card])
        for k in range(s.pile_size):
            left -= s.pile[k] == card
        if left != 0:
            return False
    for k in range(s.num_drawn):
        if s.drawn_by[k] < 0 or s.drawn_by[k] >= s.num_seats or _held(s, s.drawn_by[k], s.pile[k], -1) < 0:
            return False
    lying = 0
    for k in range(s.num_played):
        who, moment = s.played_by[k], s.played_at[k]
        if who == NOBODY:  # L19, keep_top
            lying += 1
            continue
        if who < 0 or who >= s.num_seats or moment < 0 or moment > s.num_drawn:
            return False
        if _held(s, who, s.played[k], moment) < 0:
            return False
    for seat in range(s.num_seats):
        if s.sure_at[seat] < 0 or s.sure_at[seat] > s.num_drawn:
            return False
        if _held(s, seat, TWICE, s.sure_at[seat]) < s.sure_2x[seat]:
            return False
    return lying == s.keep_top


@jit
def _held(s: S, seat: int, card: int, moment: int) -> int:
    """How many of a type a seat held when so many cards were drawn and it had played; -1: before the first draw.

    It is what the seat holds now, with what it has played since and without what it has drawn since.
    """
    held = int(copies_in(s.hand[seat], card))
    for k in range(s.num_played):
        held += s.played_by[k] == seat and s.played[k] == card and s.played_at[k] > moment
    for k in range(s.num_drawn):
        held -= s.drawn_by[k] == seat and s.pile[k] == card and k >= moment
    return held
