"""Places from scores: 1 is first, equals share a place, and the next place counts them all."""

from __future__ import annotations

from typing import Any

from ludotheque.core.jit import jit


@jit
def rank_highest_first(scores: Any, num_seats: int, places: Any) -> None:
    """The most points come first."""
    for seat in range(num_seats):
        better = 0
        for other in range(num_seats):
            if scores[other] > scores[seat]:
                better += 1
        places[seat] = better + 1


@jit
def rank_lowest_first(scores: Any, num_seats: int, places: Any) -> None:
    """The fewest points come first."""
    for seat in range(num_seats):
        better = 0
        for other in range(num_seats):
            if scores[other] < scores[seat]:
                better += 1
        places[seat] = better + 1
