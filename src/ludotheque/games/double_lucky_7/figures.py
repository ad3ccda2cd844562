"""What simulations count in Double Lucky 7: bids that were made, and what the hook of the last bidder costs (D7)."""

from __future__ import annotations

from typing import Any

from ludotheque.core.figures import SHARE, TABLE, Cell, Figure, shares
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import State as S
from ludotheque.games.double_lucky_7.rules import JOKER, MAX_CARDS

NUM_BIDS = MAX_CARDS + 1
NUM_CELLS = MAX_CARDS * (MAX_CARDS + 3) // 2  # bids of 0 to n in rounds of n cards

# Counters. Of each pair the first counts what came off, the second how often it could have.
LATER_ROUNDS = 1  # all but the first,
JOKERS = 2  # and those of them in which the joker is turned
HITS, BIDS = 3, 3 + NUM_CELLS  # by cards and bid, see cell
SIZE_HITS = BIDS + NUM_CELLS  # by cards, 1 to 7
SIZE_BIDS = SIZE_HITS + MAX_CARDS
BID_HITS = SIZE_BIDS + MAX_CARDS  # by bid, 0 to 7
BID_BIDS = BID_HITS + NUM_BIDS
WHO_HITS = BID_BIDS + NUM_BIDS  # by who bids: OTHERS, FREE, BARRED
WHO_BIDS = WHO_HITS + 3
HOOKED = WHO_BIDS + 3  # the last bidder took exactly as many tricks as the bid that was barred
NUM_COUNTERS = HOOKED + 1

OTHERS, FREE, BARRED = 0, 1, 2

ROUND_AT = 2  # where in the journal ROUND_END stands, if it does
HALF = 32
LOWER = (1 << HALF) - 1

SIZES = tuple(str(size) for size in range(1, NUM_BIDS))


@jit
def _cell(size: int, bid: int) -> int:
    """The counter of a bid in rounds of so many cards, from the first."""
    return size * (size + 1) // 2 - 1 + bid


FIGURES = (
    shares("hit_by_size", SIZES, SIZE_HITS, SIZE_BIDS),
    shares("hit_by_bid", tuple(str(bid) for bid in range(NUM_BIDS)), BID_HITS, BID_BIDS),
    Figure(
        "hit_table",
        TABLE,
        tuple(
            Cell(str(bid), HITS + plain(_cell)(size, bid), BIDS + plain(_cell)(size, bid), str(size))
            for bid in range(NUM_BIDS)
            for size in range(max(bid, 1), NUM_BIDS)
        ),
    ),
    shares("hook", ("others", "free", "barred"), WHO_HITS, WHO_BIDS, "bidder"),
    Figure("hook_cost", SHARE, (Cell("hooked", HOOKED, WHO_BIDS + BARRED),), "bidder"),
    Figure("joker", SHARE, (Cell("joker", JOKERS, LATER_ROUNDS),), "turned_card"),
)


@jit
def note(s: S, book: Any) -> None:
    """Only the end of a round has more events than a card and its trick; it is the third.

    Until the match is over a hit is counted in the upper half of the counter of its bid, which is faster.
    """
    if s.num_events > ROUND_AT:
        size = s.event_args[ROUND_AT, 1]
        first = BIDS + _cell(size, 0)
        bids = 0
        for seat in range(s.num_seats):
            bid = s.last_bid[seat]
            bids += bid
            book.tally[first + bid] += 1 + ((1 if bid == s.last_tricks[seat] else 0) << HALF)
        last = s.dealer - (1 if s.over else 2)  # before the dealer of this round; the next is dealt already
        last = last + s.num_seats if last < 0 else last
        bid = s.last_bid[last] + 0
        tricks = s.last_tricks[last] + 0
        barred = size - bids + bid  # D7
        book.tally[WHO_BIDS + (BARRED if barred >= 0 else FREE)] += 1 + ((1 if bid == tricks else 0) << HALF)
        book.tally[HOOKED] += 1 if barred == tricks else 0
        book.tally[JOKERS] += 1 if s.turned == JOKER and not s.over else 0


@jit
def sum_up(s: S, tally: Any) -> None:
    """Hits in counters of their own, and what follows from the others."""
    for cell in range(NUM_CELLS):
        tally[HITS + cell] = tally[BIDS + cell] >> HALF
        tally[BIDS + cell] &= LOWER
    for who in (FREE, BARRED):
        tally[WHO_HITS + who] = tally[WHO_BIDS + who] >> HALF
        tally[WHO_BIDS + who] &= LOWER
    cell = 0
    hits = 0
    for size in range(1, MAX_CARDS + 1):
        for bid in range(size + 1):
            tally[SIZE_HITS + size - 1] += tally[HITS + cell]
            tally[SIZE_BIDS + size - 1] += tally[BIDS + cell]
            tally[BID_HITS + bid] += tally[HITS + cell]
            tally[BID_BIDS + bid] += tally[BIDS + cell]
            hits += tally[HITS + cell]
            cell += 1
    tally[LATER_ROUNDS] = s.round_no - 1
    tally[WHO_BIDS + OTHERS] = (s.num_seats - 1) * s.round_no
    tally[WHO_HITS + OTHERS] = hits - tally[WHO_HITS + FREE] - tally[WHO_HITS + BARRED]
