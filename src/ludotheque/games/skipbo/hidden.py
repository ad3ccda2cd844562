"""Who knows what: erasing what a seat cannot know, imagining it anew, and the observation for learners.

Hidden are the draw pile, the stocks below their top cards (from everybody, their owners too) and the other hands.
Whoever has watched knows how many of each card are among them. When the draw pile is remade out of cards that all
have seen, its contents are known, and with them those of the rest: `most_drawn` and `most_stock` keep that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.core.chance import below
from ludotheque.core.info import Piece
from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY, clear_chance, clear_stale_events
from ludotheque.core.record import State as S
from ludotheque.games.skipbo.piles import FEW, first_word, get, put, top, topmost, words_below
from ludotheque.games.skipbo.state import (
    DRAW_PILE,
    FILL,
    MAX_SEATS,
    NUM_PLACES,
    NUM_TYPES,
    PUBLIC,
    SEAT_PILES,
    WILD,
)

DEPTH = FEW  # cards of each discard pile that are observed

OBSERVATION = (
    Piece("hand", WILD, "how many of each card the hand holds: 1 to 12, Skip-Bo"),
    Piece("unseen", WILD, "how many of each card the seat cannot place"),
    Piece("shown", (MAX_SEATS, WILD), "how many of each card a hand is known to hold, by seat from here clockwise"),
    Piece("hand_sizes", MAX_SEATS, "cards in hand, by seat from here clockwise"),
    Piece("stock_tops", MAX_SEATS, "top card of the stock, by seat from here clockwise; 13 Skip-Bo, 0 none"),
    Piece("stock_next", MAX_SEATS, "the card below it where it has been seen, by seat from here clockwise"),
    Piece("stock_sizes", MAX_SEATS, "cards in the stock, by seat from here clockwise"),
    Piece("discard_sizes", (MAX_SEATS, NUM_PLACES), "cards in each discard pile, by seat from here clockwise"),
    Piece(
        "discards",
        (MAX_SEATS, NUM_PLACES, DEPTH),
        "the topmost cards of each discard pile, top first, by seat from here clockwise",
    ),
    Piece("built", NUM_PLACES, "height of each building pile"),
    Piece("draw_pile", 1, "cards in the draw pile"),
    Piece("aside", 1, "cards put aside"),
    Piece("points", MAX_SEATS, "points by seat from here clockwise"),
    Piece("no_fill", MAX_SEATS, "1: may not fill the hand at the next turn, by seat from here clockwise"),
    Piece("open_play", 2, "how far clockwise plus 1 who played out of turn sits, 0: nobody; and the action plus 1"),
    Piece("dealer", 1, "how far clockwise the dealer sits"),
    Piece("actor", 1, "how far clockwise the seat at turn sits"),
    Piece("phase", 1, "0 playing, 1 drawing, 2 over"),
    Piece("played", 1, "1: the player at turn has played a card in this turn"),
    Piece("idle_turns", 1, "turns in a row that ended without a card"),
    Piece("round", 1, "number of the round"),
)


@jit
def unseen_in_stock(s: S, seat: int) -> int:
    """How many cards of a stock nobody has seen."""
    return max(s.height[SEAT_PILES * seat] - 1 - s.next_seen[seat], 0)


@jit
def _clear_pile(s: S, pile: int, first: int, seen: int) -> None:
    """Erase a pile but for the topmost cards."""
    for i in range(words_below(s, pile)):
        last = i == words_below(s, pile) - 1 and s.height[pile] % 15 == 1 and seen == 2
        s.words[first + i] = s.words[first + i] & 15 if last else 0
    s.top_word[pile] &= (1 << (4 * seen)) - 1


@jit
def conceal(s: S, seat: int) -> None:
    """A seat knows its own hand and what it has drawn; of the others' only cards that were shown."""
    clear_chance(s)
    clear_stale_events(s)
    for i in range(s.num_events):
        if s.event_kind[i] == FILL and s.event_seat[i] != seat:
            s.event_args[i, 1] = 0
    for other in range(s.num_seats):
        pile = SEAT_PILES * other
        _clear_pile(s, pile, first_word(s, pile), 1 + s.next_seen[other])
        if other == seat:
            continue
        s.hand[other] = s.shown[other]
        for card in range(NUM_TYPES):
            s.most_drawn[other, card] = 0
            s.most_stock[other, card] = 0
    _clear_pile(s, DRAW_PILE, first_word(s, DRAW_PILE), 0)


# Where an unseen card can be. Rows of `most`; the hands take whatever there is.
IN_DRAW_PILE, IN_STOCKS, IN_HANDS = 0, 1, 2


@jit
def resample(s: S, seat: int) -> None:
    """Deal the cards the seat cannot place at random: to the other hands, under the stocks, into the draw pile.

    Before the first remake all deals are equally likely. After it each card goes to a random place of those that
    the limits allow, and that leave the cards still to be dealt a place.
    """
    row = seat if seat != NOBODY else PUBLIC
    cards = np.zeros(NUM_TYPES, np.int64)
    most = np.zeros((2, NUM_TYPES), np.int64)
    total = 0
    for card in range(1, NUM_TYPES):
        cards[card] = s.unseen[card]
        if seat != NOBODY:
            cards[card] -= ((s.hand[seat] - s.shown[seat]) >> (4 * card)) & 15
        total += cards[card]
        most[IN_DRAW_PILE, card] = s.most_drawn[row, card]
        most[IN_STOCKS, card] = s.most_stock[row, card]
    free = np.zeros(3, np.int64)
    free[IN_DRAW_PILE] = s.height[DRAW_PILE]
    for other in range(s.num_seats):
        free[IN_STOCKS] += unseen_in_stock(s, other)
    free[IN_HANDS] = total - free[IN_DRAW_PILE] - free[IN_STOCKS]
    for other in range(s.num_seats):
        if other == seat:
            continue
        s.hand[other] = s.shown[other]
        for card in range(NUM_TYPES):
            s.most_drawn[other, card] = s.most_drawn[PUBLIC, card]
            s.most_stock[other, card] = s.most_stock[PUBLIC, card]
    where = np.zeros((2, 3), np.int64)  # the next hand to deal to; the next stock, and the next card in it
    for left in range(total, 0, -1):
        k = below(s, left)
        card = 1
        while k >= cards[card]:
            k -= cards[card]
            card += 1
        cards[card] -= 1
        kind = _choose_place(s, card, left, cards, most, free)
        free[kind] -= 1
        if kind == IN_DRAW_PILE:
            put(s, DRAW_PILE, first_word(s, DRAW_PILE), free[kind], card)
        elif kind == IN_STOCKS:
            _deal_to_stock(s, card, where[0])
        else:
            _deal_to_hand(s, seat, card, where[1])


@jit
def _choose_place(s: S, card: int, left: int, cards: Any, most: Any, free: Any) -> int:
    """A kind of place for the card that has just been taken out of `cards`, each free one as likely."""
    if not s.remade:
        k = below(s, left)
        if k < free[IN_DRAW_PILE]:
            return IN_DRAW_PILE
        return IN_STOCKS if k < free[IN_DRAW_PILE] + free[IN_STOCKS] else IN_HANDS
    refused = 0
    places = left
    while True:
        k = below(s, places)
        kind = 0
        while (refused >> kind) & 1 or k >= free[kind]:
            if not (refused >> kind) & 1:
                k -= free[kind]
            kind += 1
        if _leaves_room(kind, card, cards, most, free):
            if kind != IN_HANDS:
                most[kind, card] -= 1
            return kind
        refused |= 1 << kind
        places -= free[kind]


@jit
def _leaves_room(kind: int, card: int, cards: Any, most: Any, free: Any) -> bool:
    """Whether the rest can still be dealt: enough cards for the draw pile, for the stocks, for both together."""
    if kind != IN_HANDS and most[kind, card] == 0:
        return False
    for_draw_pile = 0
    for_stocks = 0
    for_both = 0
    for other in range(1, NUM_TYPES):
        drawn = most[IN_DRAW_PILE, other]
        stock = most[IN_STOCKS, other]
        if other == card:
            drawn -= 1 if kind == IN_DRAW_PILE else 0
            stock -= 1 if kind == IN_STOCKS else 0
        for_draw_pile += min(cards[other], drawn)
        for_stocks += min(cards[other], stock)
        for_both += min(cards[other], drawn + stock)
    draw_pile = free[IN_DRAW_PILE] - (1 if kind == IN_DRAW_PILE else 0)
    stocks = free[IN_STOCKS] - (1 if kind == IN_STOCKS else 0)
    return for_draw_pile >= draw_pile and for_stocks >= stocks and for_both >= draw_pile + stocks


@jit
def _deal_to_stock(s: S, card: int, where: Any) -> None:
    while where[1] >= unseen_in_stock(s, where[0]):
        where[0] += 1
        where[1] = 0
    pile = SEAT_PILES * where[0]
    put(s, pile, first_word(s, pile), where[1], card)
    where[1] += 1


@jit
def _deal_to_hand(s: S, seat: int, card: int, where: Any) -> None:
    while where[0] == seat or where[1] >= s.hand_size[where[0]] - num_shown(s, where[0]):
        where[0] += 1
        where[1] = 0
    s.hand[where[0]] += 1 << (4 * card)
    where[1] += 1


@jit
def num_shown(s: S, seat: int) -> int:
    """How many cards of a hand all have seen."""
    number = 0
    shown = s.shown[seat]
    while shown:
        number += shown & 15
        shown >>= 4
    return number


@jit
def _clockwise(seat: int, base: int, num_seats: int) -> int:
    """How far clockwise from `base` a seat sits."""
    return seat - base if seat >= base else seat - base + num_seats


@jit
def observe(s: S, seat: int, out: Any) -> None:
    """What the seat may know. A spectator sees it from seat 0."""
    n = s.num_seats
    base = 0
    if seat != NOBODY:
        base = seat
        held = s.hand[seat]
        for card in range(1, NUM_TYPES):
            out.hand[card - 1] = (held >> (4 * card)) & 15
    secret = s.hand[seat] - s.shown[seat] if seat != NOBODY else 0
    for card in range(1, NUM_TYPES):
        out.unseen[card - 1] = s.unseen[card] - ((secret >> (4 * card)) & 15)
    for other in range(n):
        step = _clockwise(other, base, n)
        stock = SEAT_PILES * other
        shown = s.shown[other]
        if shown:
            for card in range(1, NUM_TYPES):
                out.shown[step, card - 1] = (shown >> (4 * card)) & 15
        out.hand_sizes[step] = s.hand_size[other]
        out.stock_tops[step] = top(s, stock)
        if s.next_seen[other]:
            out.stock_next[step] = get(s, stock, first_word(s, stock), s.height[stock] - 2)
        out.stock_sizes[step] = s.height[stock]
        for k in range(NUM_PLACES):
            pile = stock + 1 + k
            out.discard_sizes[step, k] = s.height[pile]
            cards = topmost(s, pile)
            for depth in range(DEPTH):
                out.discards[step, k, depth] = (cards >> (4 * depth)) & 15
        out.points[step] = s.points[other]
        out.no_fill[step] = s.no_fill[other]
    for place in range(NUM_PLACES):
        out.built[place] = s.built[place]
    out.draw_pile = s.height[DRAW_PILE]
    out.aside = s.num_aside
    if s.open_seat != NOBODY:
        out.open_play[0] = _clockwise(s.open_seat, base, n) + 1
        out.open_play[1] = s.open_action + 1
    out.dealer = _clockwise(s.dealer, base, n)
    out.actor = _clockwise(s.actor, base, n) if not s.over else 0
    out.phase = s.phase
    out.played = s.played
    out.idle_turns = s.idle_turns
    out.round = s.round_no
