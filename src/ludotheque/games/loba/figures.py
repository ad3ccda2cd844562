"""What simulations count in Loba: who lays the contract of each round and when, and what hands cost in the end."""

from __future__ import annotations

from typing import Any

from ludotheque.core.figures import SHARE, Cell, Figure, histogram, means, shares
from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY
from ludotheque.core.record import State as S
from ludotheque.games.loba.state import DRAWN, IS_DOWN, NUM_ROUNDS, ROUND_END, TAKEN

SHARD = 256  # matches are long

# Laps in which players go down: each of the first ten, then more at a time.
LAPS = (*(str(lap) for lap in range(1, 11)), "11–20", "21–40")

# Counters; those by round have one for each
HANDS = 1  # players by round,
DOWN = HANDS + NUM_ROUNDS  # those who laid the contract,
LAP = DOWN + NUM_ROUNDS  # the laps in which they did,
PENALTY = LAP + NUM_ROUNDS  # what all had to count,
ROUNDS = PENALTY + NUM_ROUNDS  # rounds,
OUT = ROUNDS + NUM_ROUNDS  # and those in which somebody went out
BY_LAP = OUT + NUM_ROUNDS  # layings of the contract by lap
ALL_DOWN = BY_LAP + len(LAPS)
DRAWS = ALL_DOWN + 1
TAKES = DRAWS + 1  # draws from the discard pile
ENDED = TAKES + 1  # rounds,
CUT_OFF = ENDED + 1  # and those that the limit of turns ended
NUM_COUNTERS = CUT_OFF + 1

CONTRACTS = tuple(str(number) for number in range(1, NUM_ROUNDS + 1))

FIGURES = (
    shares("down", CONTRACTS, DOWN, HANDS, "contract"),
    means("down_lap", CONTRACTS, LAP, DOWN, "contract"),
    histogram("down_laps", LAPS, BY_LAP, ALL_DOWN),
    means("penalty", CONTRACTS, PENALTY, HANDS, "contract"),
    shares("out", CONTRACTS, OUT, ROUNDS, "contract"),
    Figure("limit", SHARE, (Cell("cut_off", CUT_OFF, ENDED, is_degenerate=True),), "round_end"),
    Figure("taken", SHARE, (Cell("pile", TAKES, DRAWS),), "drawn_from"),
)


@jit
def note(s: S, book: Any) -> None:
    for i in range(s.num_events):
        kind = s.event_kind[i]
        if kind in (DRAWN, TAKEN):
            book.tally[DRAWS] += 1
            book.tally[TAKES] += 1 if kind == TAKEN else 0
        elif kind == IS_DOWN:
            lap = (s.turn_no - 1) // s.num_seats + 1
            book.tally[DOWN + s.round_no - 1] += 1
            book.tally[LAP + s.round_no - 1] += lap
            book.tally[BY_LAP + (lap - 1 if lap <= 10 else 10 if lap <= 20 else 11)] += 1
            book.tally[ALL_DOWN] += 1
        elif kind == ROUND_END:
            number = s.event_args[i, 0] - 1  # the next round is dealt already
            book.tally[ROUNDS + number] += 1
            book.tally[OUT + number] += 1 if s.event_seat[i] != NOBODY else 0
            book.tally[ENDED] += 1
            book.tally[CUT_OFF] += 1 if s.event_seat[i] == NOBODY else 0
            book.tally[HANDS + number] += s.num_seats
            for seat in range(s.num_seats):
                book.tally[PENALTY + number] += s.last_points[seat]
