"""The audit of a Skip-Bo record: every card of the box, and every other invariant. Also what rejects positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY
from ludotheque.core.record import State as S
from ludotheque.games.skipbo.piles import first_word, get, words_below
from ludotheque.games.skipbo.state import (
    DISCARD,
    DRAW_PILE,
    DRAWING,
    END,
    HAND,
    MAX_SEATS,
    MAX_WORDS,
    NO_ACTION,
    NO_CARD,
    NUM_PILES,
    NUM_PLACES,
    NUM_TYPES,
    NUMBER_COPIES,
    OVER,
    OWN_STOCK,
    PARTNERS_STOCK,
    PLAYING,
    POINTS,
    PUBLIC,
    SEAT_PILES,
    TOP_NUMBER,
    WILD,
    WILD_COPIES,
)

FAULTS = {
    1: "cards are missing or too many: there are twelve of each number and eighteen Skip-Bo",
    2: "a hand has the wrong number of cards",
    4: "a building pile that cannot be",
    8: "a pile does not agree with its height",
    16: "the seat at turn does not fit the phase",
    32: "a hand that should have been filled",
    64: "a stock that is gone, but the round is not over",
    128: "points that cannot be",
    256: "an open play, a penalty or a silence broken that does not fit the options or the table",
    512: "what has been seen does not fit the cards",
    1024: "the round is blocked, but not over",
    2048: "cards of a seat that nobody sits on",
    4096: "too many turns in a row without a card",
}

# Rows of `counts`: all cards, unseen ones, those in the draw pile, unseen ones in stocks.
ALL, UNSEEN, DRAWABLE, IN_STOCKS = 0, 1, 2, 3


@jit
def audit(s: S) -> int:
    """0, or a bit for each broken invariant."""
    if s.over != (1 if s.phase == OVER else 0) or s.phase < PLAYING or s.phase > OVER:
        return 16
    if s.dealer < 0 or s.dealer >= s.num_seats:
        return 16
    if s.over != (1 if s.actor == NOBODY else 0) or s.actor < NOBODY or s.actor >= s.num_seats:
        return 16
    counts = np.zeros((4, NUM_TYPES), np.int64)
    faults = _audit_piles(s)
    if faults != 0:
        return faults
    faults = _count_piles(s, counts) | _count_hands(s, counts) | _count_middle(s, counts)
    for card in range(1, NUM_TYPES):
        if counts[ALL, card] != (WILD_COPIES if card == WILD else NUMBER_COPIES):  # S1
            faults |= 1
    faults |= _audit_seen(s, counts) | _audit_manners(s) | _audit_points(s)
    if not s.over:
        faults |= _audit_turn(s)
    return faults


@jit
def _audit_piles(s: S) -> int:
    """Whether the packing of piles.py is in order: only then they can be counted."""
    num_words = 0
    for pile in range(NUM_PILES):
        if s.height[pile] < 0:
            return 8
        num_words += words_below(s, pile)
    if s.num_words != num_words or num_words > MAX_WORDS:
        return 8
    for i in range(num_words, MAX_WORDS):
        if s.words[i] != 0:
            return 8
    for pile in range(NUM_PILES):
        in_top = s.height[pile] - 15 * words_below(s, pile)
        if s.top_word[pile] < 0 or s.top_word[pile] >> (4 * in_top) != 0:
            return 8
        if pile != DRAW_PILE and pile >= SEAT_PILES * s.num_seats and s.height[pile] != 0:
            return 2048
    return 0


@jit
def _count_piles(s: S, counts: Any) -> int:
    faults = 0
    for pile in range(NUM_PILES):
        first = first_word(s, pile)
        height = s.height[pile]
        seen = height
        if pile == DRAW_PILE:
            seen = 0
        elif pile % SEAT_PILES == 0:
            seen = min(height, 1 + s.next_seen[pile // SEAT_PILES])
        for index in range(height):
            card = get(s, pile, first, index)
            if card == NO_CARD or card > WILD:
                return 1
            counts[ALL, card] += 1
            if index < height - seen:
                counts[UNSEEN, card] += 1
                counts[DRAWABLE if pile == DRAW_PILE else IN_STOCKS, card] += 1
    return faults


@jit
def _count_hands(s: S, counts: Any) -> int:
    faults = 0
    for seat in range(MAX_SEATS):
        if s.hand[seat] < 0 or s.hand[seat] >> (4 * NUM_TYPES) != 0 or s.hand[seat] & 15:
            return 2
        if s.shown[seat] < 0 or s.shown[seat] >> (4 * NUM_TYPES) != 0 or s.shown[seat] & 15:
            return 512
        size = 0
        for card in range(1, NUM_TYPES):
            held = (s.hand[seat] >> (4 * card)) & 15
            shown = (s.shown[seat] >> (4 * card)) & 15
            if shown > held:
                faults |= 512
            counts[ALL, card] += held
            counts[UNSEEN, card] += held - shown
            size += held
        if size != s.hand_size[seat] or size > HAND:
            faults |= 2
        if seat >= s.num_seats and size > 0:
            faults |= 2048
    return faults


@jit
def _count_middle(s: S, counts: Any) -> int:
    faults = 0
    for place in range(NUM_PLACES):
        height = s.built[place]
        finished = s.open_action != NO_ACTION and s.open_action < DISCARD and s.open_action % NUM_PLACES == place
        if height < 0 or height > (TOP_NUMBER if finished else TOP_NUMBER - 1):  # S8
            return 4
        if s.wild[place] & ~((2 << height) - 2):
            return 4
        for number in range(1, height + 1):
            counts[ALL, WILD if (s.wild[place] >> number) & 1 else number] += 1
    total = 0
    for card in range(1, NUM_TYPES):
        if s.aside[card] < 0:
            faults |= 1
        counts[ALL, card] += s.aside[card]
        total += s.aside[card]
    if total != s.num_aside or s.aside[0] != 0 or total % TOP_NUMBER != 0:
        faults |= 1
    return faults


@jit
def _audit_seen(s: S, counts: Any) -> int:
    if s.unseen[0] != 0 or s.remade < 0 or s.remade > 1:
        return 512
    for seat in range(MAX_SEATS):
        if s.next_seen[seat] < 0 or s.next_seen[seat] > 1:
            return 512
        if s.next_seen[seat] and s.height[SEAT_PILES * seat] < 2:
            return 512
    for card in range(NUM_TYPES):
        copies = WILD_COPIES if card == WILD else NUMBER_COPIES
        if card == NO_CARD:
            copies = 0
        elif s.unseen[card] != counts[UNSEEN, card]:
            return 512
        for row in range(MAX_SEATS + 1):
            drawn = s.most_drawn[row, card]
            stock = s.most_stock[row, card]
            if row != PUBLIC and row >= s.num_seats:
                if drawn != 0 or stock != 0:
                    return 512
                continue
            if not s.remade and (drawn != copies or stock != copies):
                return 512
            if drawn < counts[DRAWABLE, card] or drawn > copies or drawn > s.most_drawn[PUBLIC, card]:
                return 512
            if stock < counts[IN_STOCKS, card] or stock > copies:
                return 512
    return 0


@jit
def _audit_manners(s: S) -> int:
    for seat in range(MAX_SEATS):
        bad = s.no_fill[seat] < 0 or s.no_fill[seat] > 1 or (seat >= s.num_seats and s.no_fill[seat])
        if bad or (not s.manners and (s.no_fill[seat] or s.shown[seat] or s.next_seen[seat])):
            return 256
    if s.barred < 0 or s.barred > 1 or s.spoken < 0 or s.spoken > 1 or s.played < 0 or s.played > 1:
        return 256
    if (s.barred and not s.manners) or (s.spoken and not (s.manners and s.teams)):
        return 256
    if s.open_seat == NOBODY:
        return 0 if s.open_action == NO_ACTION else 256
    if not s.manners or s.over or s.open_seat < 0 or s.open_seat >= s.num_seats or s.open_seat == s.actor:
        return 256
    action = s.open_action
    if action < 0 or action >= END:
        return 256
    if action >= DISCARD:
        pile = SEAT_PILES * s.open_seat + 1 + action % NUM_PLACES
        card = (action - DISCARD) // NUM_PLACES + 1
        good = s.height[pile] > 0 and (s.top_word[pile] & 15) == card and s.hand_size[s.open_seat] < HAND
        return 0 if good else 256
    height = s.built[action % NUM_PLACES]
    source = action // NUM_PLACES
    if height == 0 or (source >= PARTNERS_STOCK and not s.teams):
        return 256
    laid = WILD if (s.wild[action % NUM_PLACES] >> height) & 1 else height
    if source < OWN_STOCK and (laid != source + 1 or s.hand_size[s.open_seat] >= HAND):
        return 256
    return 0


@jit
def _audit_points(s: S) -> int:
    most = 0
    for seat in range(MAX_SEATS):
        if s.points[seat] < 0 or s.points[seat] % 5 or (s.points[seat] and seat >= s.num_seats):
            return 128
        if s.teams and s.points[seat] != s.points[seat ^ 2]:
            return 128
        if s.match != POINTS and s.points[seat]:
            return 128
        most = max(most, s.points[seat])
    if s.match == POINTS and s.over != (1 if most >= s.target else 0):
        return 128
    return 128 if s.round_no < 1 or (s.match != POINTS and s.round_no != 1) else 0


@jit
def _audit_turn(s: S) -> int:
    faults = 0
    can_draw = s.height[DRAW_PILE] > 0 or s.num_aside > 0
    size = s.hand_size[s.actor]
    due = size < HAND and not s.played and not s.barred and can_draw
    if s.phase != (DRAWING if due and s.manners else PLAYING):
        faults |= 32
    if due and not s.manners:
        faults |= 32
    if size == 0 and s.phase == PLAYING and can_draw and not s.barred:
        faults |= 32
    if s.idle_turns < 0 or s.idle_turns >= s.num_seats:
        faults |= 4096
    for seat in range(s.num_seats):
        gone = s.height[SEAT_PILES * seat] == 0
        if s.teams:
            gone = gone and s.height[SEAT_PILES * (seat ^ 2)] == 0
        # S17: until it stands, a play out of turn does not win
        if gone and s.open_seat == NOBODY:
            faults |= 64
    if not can_draw and s.open_seat == NOBODY and _nobody_can_lay(s):
        faults |= 1024
    return faults


@jit
def _nobody_can_lay(s: S) -> bool:
    for seat in range(s.num_seats):
        if s.hand_size[seat] > 0:
            return False
        for pile in range(SEAT_PILES * seat, SEAT_PILES * seat + SEAT_PILES):
            card = s.top_word[pile] & 15
            for place in range(NUM_PLACES):
                if card == WILD or (card != NO_CARD and card == s.built[place] + 1):
                    return False
    return True
