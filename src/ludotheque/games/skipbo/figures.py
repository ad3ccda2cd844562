"""What simulations count in Skip-Bo: turns, where cards come from, and draw piles that run out."""

from __future__ import annotations

from typing import Any

from ludotheque.core.figures import MEAN, SHARE, Cell, Figure, histogram
from ludotheque.core.jit import jit
from ludotheque.core.record import State as S
from ludotheque.games.skipbo.state import (
    DISCARDED,
    DRAW_PILE,
    ENDED,
    FILL,
    OWN_STOCK,
    PARTNERS_STOCK,
    PLAY,
    PLAY_EARLY,
    REMAKE,
    ROUND_END,
    TURN_UP,
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
REMAKES_NOW, DRY_NOW = 0, 1

FIGURES = (
    Figure("turns", MEAN, (Cell("round", TURNS, ROUNDS), Cell("turn", PLAYS, TURNS)), "turns"),
    histogram("sources", ("hand", "stock", "piles", "partner"), SOURCES, PLAYS, "origin"),
    Figure(
        "draw_pile",
        SHARE,
        (Cell("remade", REMADE, ROUNDS), Cell("dry", DRY, ROUNDS), Cell("blocked", BLOCKED, ROUNDS)),
        "draw_pile",
    ),
    histogram("remakes", ("0", "1", "2", "3+"), REMAKES, ROUNDS),
)


@jit
def note(s: S, memo: Any, tally: Any) -> None:
    for i in range(s.num_events):
        kind = s.event_kind[i]
        if kind in (FILL, TURN_UP):
            continue
        if kind in (PLAY, PLAY_EARLY):
            source = s.event_args[i, 0]
            origin = HAND
            if source >= PARTNERS_STOCK:
                origin = PARTNER
            elif source >= OWN_STOCK:
                origin = STOCK if source == OWN_STOCK else PILES
            tally[PLAYS] += 1
            tally[SOURCES + origin] += 1
        elif kind in (DISCARDED, ENDED):
            tally[TURNS] += 1
        elif kind == REMAKE:
            memo[REMAKES_NOW] += 1
        elif kind == ROUND_END:
            blocked = s.event_args[i, 1]
            tally[ROUNDS] += 1
            tally[TURNS] += 1 - blocked  # the winner's last
            tally[REMAKES + min(memo[REMAKES_NOW], MOST_REMAKES)] += 1
            tally[REMADE] += 1 if memo[REMAKES_NOW] > 0 else 0
            tally[DRY] += memo[DRY_NOW]
            tally[BLOCKED] += blocked
            memo[REMAKES_NOW] = 0
            memo[DRY_NOW] = 0
            return
    if s.height[DRAW_PILE] == 0 and s.num_aside == 0:
        memo[DRY_NOW] = 1
