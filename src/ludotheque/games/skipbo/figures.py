"""What simulations count in Skip-Bo: turns, where cards come from, and draw piles that run out."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.core.figures import MEAN, SHARE, Cell, Figure, histogram
from ludotheque.core.jit import jit
from ludotheque.core.record import State as S
from ludotheque.games.skipbo.state import (
    DISCARDED,
    DRAW_PILE,
    ENDED,
    OWN_STOCK,
    PILE_DONE,
    PLAY,
    PLAY_EARLY,
    REMAKE,
    ROUND_END,
    STANDS,
)

MOST_REMAKES = 3  # rounds with more are counted with these
HAND, STOCK, PILES, PARTNER = 0, 1, 2, 3

# Counters
ROUNDS = 1
TURNS = 2
PLAYS = 3
SOURCES = 4  # plays by where the card comes from: HAND, STOCK, PILES (own discards) or PARTNER
REMAKES = SOURCES + 4  # rounds by how often the draw pile was made anew, 0 to 3 and more
REMADE = REMAKES + MOST_REMAKES + 1  # rounds in which it was at all,
DRY = REMADE + 1  # in which there was nothing left to draw after a move,
BLOCKED = DRY + 1  # and in which nobody could go on
NUM_COUNTERS = BLOCKED + 1

# What is kept from one move to the next
REMAKES_NOW, DRY_NOW, ROUND_NOW, HEIGHT_NOW = 0, 1, 2, 3

FIGURES = (
    Figure("turns", MEAN, (Cell("round", TURNS, ROUNDS), Cell("turn", PLAYS, TURNS)), "turns"),
    histogram("sources", ("hand", "stock", "piles", "partner"), SOURCES, PLAYS, "origin"),
    Figure(
        "draw_pile",
        SHARE,
        (
            Cell("remade", REMADE, ROUNDS),
            Cell("dry", DRY, ROUNDS),
            Cell("blocked", BLOCKED, ROUNDS, is_degenerate=True),
        ),
        "draw_pile",
    ),
    histogram("remakes", ("0", "1", "2", "3+"), REMAKES, ROUNDS),
)


ORIGINS = np.array([HAND] * OWN_STOCK + [STOCK] + 4 * [PILES] + 5 * [PARTNER])
"""Where a play's card comes from, by its source."""


@jit
def note(s: S, book: Any) -> None:
    """The move itself stands first in the journal; what it was is counted without a branch, for nobody foresees it."""
    own = 0
    if s.event_kind[0] == STANDS:  # a play out of turn counts now, before the move
        own = 2 if s.event_kind[1] == PILE_DONE else 1
    kind = s.event_kind[own]
    is_play = 1 if kind in (PLAY, PLAY_EARLY) else 0
    book.tally[PLAYS] += is_play
    book.tally[SOURCES + ORIGINS[is_play * s.event_args[own, 0]]] += is_play
    book.tally[TURNS] += 1 if kind in (DISCARDED, ENDED) else 0
    has_ended = False
    if s.over or s.round_no != book.memo[ROUND_NOW] or s.height[DRAW_PILE] > book.memo[HEIGHT_NOW]:
        has_ended = _note_rare(s, book)
        book.memo[ROUND_NOW] = s.round_no
    book.memo[HEIGHT_NOW] = s.height[DRAW_PILE]
    if not has_ended and s.height[DRAW_PILE] == 0 and s.num_aside == 0:
        book.memo[DRY_NOW] = 1


@jit
def _note_rare(s: S, book: Any) -> bool:
    """Draw piles made anew, which makes them higher, and the end of a round; whether it has ended."""
    for i in range(s.num_events):
        if s.event_kind[i] == REMAKE:
            book.memo[REMAKES_NOW] += 1
        elif s.event_kind[i] == ROUND_END:
            blocked = s.event_args[i, 1]
            book.tally[ROUNDS] += 1
            book.tally[TURNS] += 1 - blocked  # the winner's last
            book.tally[REMAKES + min(book.memo[REMAKES_NOW], MOST_REMAKES)] += 1
            book.tally[REMADE] += 1 if book.memo[REMAKES_NOW] > 0 else 0
            book.tally[DRY] += book.memo[DRY_NOW]
            book.tally[BLOCKED] += blocked
            book.memo[REMAKES_NOW] = 0
            book.memo[DRY_NOW] = 0
            return True
    return False
