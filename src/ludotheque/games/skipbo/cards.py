"""Moving cards: the deal, the draw pile and its remake, stocks and hands, and what all see of it.

Drawing at random from what is put aside, card by card, is how all shuffling is done here.
"""

from __future__ import annotations

from ludotheque.core.chance import below
from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY, emit
from ludotheque.core.record import State as S
from ludotheque.games.skipbo.piles import insert, pop, push, top
from ludotheque.games.skipbo.state import (
    CARDS_PER_WORD,
    DRAW_PILE,
    FILL,
    HAND,
    MAX_SEATS,
    MAX_WORDS,
    NO_CARD,
    NUM_CARDS,
    NUM_PILES,
    NUM_PLACES,
    NUM_TYPES,
    NUMBER_COPIES,
    PILE_DONE,
    PUBLIC,
    REMAKE,
    SEAT_PILES,
    TOP_NUMBER,
    TURN_UP,
    WILD,
    WILD_COPIES,
)


@jit
def deal_cards(s: S) -> None:
    """S2: shuffle all cards, a stock for each seat with its top card turned up, the rest is the draw pile."""
    for pile in range(NUM_PILES):
        s.height[pile] = 0
        s.top_word[pile] = 0
    for i in range(MAX_WORDS):
        s.words[i] = 0
    s.num_words = 0
    for place in range(NUM_PLACES):
        s.built[place] = 0
        s.wild[place] = 0
    for card in range(1, NUM_TYPES):
        copies = WILD_COPIES if card == WILD else NUMBER_COPIES  # S1
        s.aside[card] = copies
        s.unseen[card] = copies
        for row in range(MAX_SEATS + 1):
            known = row == PUBLIC or row < s.num_seats
            s.most_drawn[row, card] = copies if known else 0
            s.most_stock[row, card] = copies if known else 0
    s.num_aside = NUM_CARDS
    s.remade = 0
    for seat in range(MAX_SEATS):
        s.hand[seat] = 0
        s.hand_size[seat] = 0
        s.shown[seat] = 0
        s.next_seen[seat] = 0
    for seat in range(s.num_seats):
        _lay_out(s, SEAT_PILES * seat, s.stock_size)
        s.unseen[top(s, SEAT_PILES * seat)] -= 1
    _lay_out(s, DRAW_PILE, s.num_aside)


@jit
def _random_aside(s: S) -> int:
    """Take a random card of those put aside: card by card this is a shuffle."""
    k = below(s, s.num_aside)
    card = 1
    passed = 0
    for other in range(1, WILD):  # to the end without a branch: where to stop cannot be foreseen
        passed += s.aside[other]
        card += 1 if k >= passed else 0
    s.aside[card] -= 1
    s.num_aside -= 1
    return card


@jit
def _lay_out(s: S, pile: int, num_cards: int) -> None:
    """Put random cards of those put aside onto an empty pile, behind all others: word by word."""
    height = 0
    while True:
        word = 0
        for _ in range(min(num_cards - height, CARDS_PER_WORD)):
            word = (word << 4) | _random_aside(s)
        height += CARDS_PER_WORD
        if height >= num_cards:
            break
        s.words[s.num_words] = word
        s.num_words += 1
    s.top_word[pile] = word
    s.height[pile] = num_cards


@jit
def can_draw(s: S) -> bool:
    """Whether there is a card to draw, now or after a remake."""
    return s.height[DRAW_PILE] > 0 or s.num_aside > 0


@jit
def take(s: S) -> int:
    """The next card of the draw pile, which is remade at this moment if it is empty (S11); NO_CARD if none is left."""
    if s.height[DRAW_PILE] == 0:
        if s.num_aside == 0:
            return NO_CARD
        _remake(s)
    return pop(s, DRAW_PILE)


@jit
def _remake(s: S) -> None:
    """S11: the piles put aside become the draw pile. All know which cards it has, and so which the rest has."""
    for card in range(1, NUM_TYPES):
        for row in range(MAX_SEATS + 1):
            if row == PUBLIC or row < s.num_seats:
                most = s.unseen[card]
                if row != PUBLIC:
                    most -= ((s.hand[row] - s.shown[row]) >> (4 * card)) & 15
                s.most_stock[row, card] = min(s.most_stock[row, card], most)
                s.most_drawn[row, card] = s.aside[card]
        s.unseen[card] += s.aside[card]
    s.remade = 1
    emit(s, REMAKE, NOBODY, s.num_aside, 0, 0)
    _lay_out(s, DRAW_PILE, s.num_aside)


@jit
def draw_into_hand(s: S, seat: int) -> int:
    card = take(s)
    if card != NO_CARD:
        s.hand[seat] += 1 << (4 * card)
        s.hand_size[seat] += 1
        if s.remade:
            s.most_drawn[seat, card] -= 1
    return card


@jit
def fill(s: S, seat: int) -> None:
    """S4, S9: draw until the hand has five cards, or as many as there are (S11)."""
    drawn = 0
    cards = 0
    while s.hand_size[seat] < HAND:
        card = draw_into_hand(s, seat)
        if card == NO_CARD:
            break
        cards |= card << (4 * drawn)
        drawn += 1
    if drawn > 0:
        emit(s, FILL, seat, drawn, cards, 0)


@jit
def show_from_hand(s: S, seat: int, card: int) -> None:
    """A card leaves the hand, for all to see."""
    one = 1 << (4 * card)
    s.hand[seat] -= one
    s.hand_size[seat] -= 1
    if (s.shown[seat] >> (4 * card)) & 15:
        s.shown[seat] -= one
    else:
        s.unseen[card] -= 1


@jit
def back_into_hand(s: S, seat: int, card: int) -> None:
    s.hand[seat] += 1 << (4 * card)
    s.hand_size[seat] += 1
    s.shown[seat] += 1 << (4 * card)


@jit
def turn_up(s: S, seat: int) -> None:
    """S2: the new top card of a stock lies face up."""
    left = s.height[SEAT_PILES * seat]
    card = top(s, SEAT_PILES * seat)
    if left > 0 and not s.next_seen[seat]:
        _see_stock_card(s, card)
    s.next_seen[seat] = 0
    emit(s, TURN_UP, seat, card, left, 0)


@jit
def _see_stock_card(s: S, card: int) -> None:
    s.unseen[card] -= 1
    if s.remade:
        for row in range(MAX_SEATS + 1):
            if row == PUBLIC or row < s.num_seats:
                s.most_stock[row, card] -= 1


@jit
def into_stock(s: S, seat: int, index: int) -> None:
    """A card of the draw pile goes unseen into a stock; on an empty one it is the top card, and turned up."""
    card = take(s)
    stock = SEAT_PILES * seat
    if s.remade:
        for row in range(MAX_SEATS + 1):
            for other in range(1, NUM_TYPES):
                copies = WILD_COPIES if other == WILD else NUMBER_COPIES
                if s.most_drawn[row, other] > 0 and s.most_stock[row, other] < copies:
                    s.most_stock[row, other] += 1
    if s.height[stock] == 0:
        push(s, stock, card)
        turn_up(s, seat)
    else:
        insert(s, stock, index, card)


@jit
def put_aside(s: S, place: int) -> None:
    """S8: a finished pile leaves the middle."""
    wild = s.wild[place]
    for number in range(1, TOP_NUMBER + 1):
        s.aside[WILD if (wild >> number) & 1 else number] += 1
    s.num_aside += TOP_NUMBER
    s.built[place] = 0
    s.wild[place] = 0
    emit(s, PILE_DONE, NOBODY, place, 0, 0)
