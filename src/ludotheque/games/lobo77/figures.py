"""What simulations count in LOBO 77: who ends rounds and how, and what costs tokens."""

from __future__ import annotations

from typing import Any

from ludotheque.core.figures import HISTOGRAM, MATCHES, MEAN, Cell, Figure, histogram
from ludotheque.core.jit import jit
from ludotheque.core.record import State as S
from ludotheque.games.lobo77.cards import CARDS, NUM_TYPES
from ludotheque.games.lobo77.state import (
    DEALT,
    DOUBLET_STEP,
    LIMIT,
    MAX_SEATS,
    ROUND_END,
    SUNK,
    TOKEN_LOST,
)

NUM_TOTALS = LIMIT // DOUBLET_STEP  # six doublets, and 77 or more
EXACTLY, BEYOND, DOUBLET = 0, 1, 2

# Counters
ROUNDS = 1
LOSSES = 2
BY_TOTAL = 3  # losses by total: 11 to 66, 77 or more; a loss without a token to pay counts too
DOUBLET_TOKENS = BY_TOTAL + NUM_TOTALS  # tokens paid for doublets,
LIMIT_TOKENS = DOUBLET_TOKENS + 1  # and for 77 or more
HOW = LIMIT_TOKENS + 1  # rounds by their end: EXACTLY 77, BEYOND, or a DOUBLET that ended the match
WHO = HOW + 3  # rounds by who ended them: the opener, the next clockwise...
WITH = WHO + MAX_SEATS  # rounds by the card that ended them
NUM_COUNTERS = WITH + NUM_TYPES

# What is kept from one move to the next
OPENER = 0

FIGURES = (
    histogram("losses", ("11", "22", "33", "44", "55", "66", "77"), BY_TOTAL, LOSSES, "cause"),
    Figure(
        "tokens",
        MEAN,
        (Cell("doublets", DOUBLET_TOKENS, MATCHES), Cell("limit", LIMIT_TOKENS, MATCHES)),
        "cause",
    ),
    histogram("round_end", ("exactly", "beyond", "doublet"), HOW, ROUNDS, "cause"),
    Figure(
        "round_end_seat",
        HISTOGRAM,
        tuple(Cell(str(step), WHO + step, ROUNDS, seats=step + 1) for step in range(MAX_SEATS)),
        "from_opener",
    ),
    histogram("round_end_card", CARDS, WITH, ROUNDS, "face"),
)


@jit
def note(s: S, book: Any) -> None:
    """A card that only adds to the total is a single event, and of no interest."""
    if s.num_events < 2:
        return
    for i in range(1, s.num_events):
        kind = s.event_kind[i]
        if kind in (TOKEN_LOST, SUNK):
            total = s.event_args[i, 0]
            paid = 1 if kind == TOKEN_LOST else 0
            book.tally[LOSSES] += 1
            if total >= LIMIT:
                book.tally[BY_TOTAL + NUM_TOTALS - 1] += 1
                book.tally[LIMIT_TOKENS] += paid
            else:
                book.tally[BY_TOTAL + total // DOUBLET_STEP - 1] += 1
                book.tally[DOUBLET_TOKENS] += paid
        elif kind == ROUND_END:
            card = s.event_args[0, 0]  # the card's own event is the first of the move
            total = s.event_args[0, 1]
            step = s.event_seat[i] - book.memo[OPENER]
            book.tally[ROUNDS] += 1
            book.tally[HOW + (DOUBLET if total < LIMIT else EXACTLY if total == LIMIT else BEYOND)] += 1
            book.tally[WHO + (step + s.num_seats if step < 0 else step)] += 1
            book.tally[WITH + card] += 1
        elif kind == DEALT:
            book.memo[OPENER] = s.event_args[i, 1]
