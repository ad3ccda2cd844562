"""What a game says in its `figures.py` about what is worth counting, and the lab's simulations read.

A game counts into an array of counters, one array a match; counter 0 is always 1, the match itself. A figure is a list
of cells, each the sum of one counter over that of another.
"""

from __future__ import annotations

from dataclasses import dataclass

MATCHES = 0
"""The counter that is 1 in every match."""

SHARE, MEAN, HISTOGRAM, TABLE = "share", "mean", "histogram", "table"
"""Kinds of figures: how often something comes off, or a mean, each cell for itself; how a whole splits up; shares by
two things at once."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a figure: a counter over another."""

    label: str
    counter: int
    of: int
    column: str = ""
    """In a table, the column."""
    seats: int = 0
    """Left out with fewer players than these."""
    is_degenerate: bool = False
    """A share of rounds or matches that did not end as they should: where it is large, a report begins with the
    sentence under `degenerate.<label>` in the game's texts."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Something a game counts. Its title stands under `figures.<name>` in the game's texts."""

    name: str
    kind: str
    cells: tuple[Cell, ...]
    words: str = ""
    """The table under `[words]` that puts labels into words; without it they stand as they are."""
    column_words: str = ""
    """The same for columns."""


def histogram(name: str, labels: list[str] | tuple[str, ...], first: int, of: int, words: str = "") -> Figure:
    """A figure whose counters follow each other, all over the same whole."""
    return Figure(name, HISTOGRAM, tuple(Cell(label, first + k, of) for k, label in enumerate(labels)), words)


def shares(name: str, labels: list[str] | tuple[str, ...], first: int, of: int, words: str = "") -> Figure:
    """A figure of shares: counters that follow each other over counters that follow each other."""
    return Figure(name, SHARE, tuple(Cell(label, first + k, of + k) for k, label in enumerate(labels)), words)


def means(name: str, labels: list[str] | tuple[str, ...], first: int, of: int, words: str = "") -> Figure:
    """The same for means."""
    return Figure(name, MEAN, tuple(Cell(label, first + k, of + k) for k, label in enumerate(labels)), words)
