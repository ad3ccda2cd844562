"""Two ways of doing the same work, in short slices by turns, on a machine that is not ours alone.

A virtual machine's host takes cores away at any moment, which the kernel counts as stolen time, and its other guests
slow ours down, which nobody counts. With work on two cores one slow core stops both. So slices in which time was stolen
are left out, and of the others the faster ones speak: a neighbour can only slow us down.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

SLICE = 0.02
PAIRS = 40
PATIENCE = 10.0
"""Seconds after which a round ends with whatever pairs there are."""


class Turns:
    """Two works that return how much they did, timed by turns."""

    def __init__(self, one: Callable[[], int], two: Callable[[], int]) -> None:
        self._works = one, two
        self._calm: list[tuple[float, ...]] = []
        self._every: list[tuple[float, ...]] = []

    def round(self) -> None:
        """Time some more pairs of slices. Rounds minutes apart see more than one mood of the machine."""
        begin = time.perf_counter()
        calm = 0
        while calm < PAIRS and (time.perf_counter() - begin < PATIENCE or len(self._every) < 2):
            before = _stolen()
            self._every.append(tuple(_rate(work) for work in self._works))
            if _stolen() == before:
                self._calm.append(self._every[-1])
                calm += 1

    @property
    def num_calm(self) -> int:
        """In how many pairs nothing was stolen; with fewer than two, all slices count."""
        return len(self._calm)

    def rates(self) -> tuple[float, float]:
        """Work per second of each: nine of ten slices are slower."""
        slices = self._calm if len(self._calm) > 1 else self._every
        first, second = (statistics.quantiles(column, n=10)[-1] for column in zip(*slices, strict=True))
        return first, second


def _rate(work: Callable[[], int]) -> float:
    done = 0
    begin = time.perf_counter()
    while (passed := time.perf_counter() - begin) < SLICE:
        done += work()
    return done / passed


def _stolen() -> int:
    """Hundredths of a second that the host took from all cores since it started; 0 where nobody counts."""
    try:
        return int(Path("/proc/stat").read_text().split(maxsplit=9)[8])
    except (OSError, IndexError, ValueError):
        return 0
