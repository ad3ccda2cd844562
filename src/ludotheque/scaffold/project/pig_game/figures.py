"""What simulations count in Pig: turns that are lost, and what those that are held bring."""

from __future__ import annotations

from typing import Any

from ludotheque.core.figures import MEAN, SHARE, Cell, Figure
from ludotheque.core.jit import jit
from ludotheque.core.record import State as S

from pig_game.rules import HELD, LOST

# Counters
TURNS = 1
LOST_TURNS = 2  # turns that end with a 1
HELD_TURNS = 3  # the others,
HELD_POINTS = 4  # and their points
NUM_COUNTERS = 5

FIGURES = (
    Figure("lost_turns", SHARE, (Cell("lost", LOST_TURNS, TURNS),), "turn"),
    Figure("held_points", MEAN, (Cell("held", HELD_POINTS, HELD_TURNS),), "turn"),
)


@jit
def note(s: S, book: Any) -> None:
    for i in range(s.num_events):
        kind = s.event_kind[i]
        if kind == LOST:
            book.tally[TURNS] += 1
            book.tally[LOST_TURNS] += 1
        elif kind == HELD:
            book.tally[TURNS] += 1
            book.tally[HELD_TURNS] += 1
            book.tally[HELD_POINTS] += s.event_args[i, 0]
