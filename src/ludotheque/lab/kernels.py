"""Playing whole matches and counting what happens in them: templates that `kernels` makes into entries, per game.

The names declared below are the game's: its rules, and from its `figures.py` the hooks `note`, which reads off the
journal what the last move did, and `sum_up`, which is called when a match is over. Counts are kept by match, so that
intervals can be taken over matches: what happens within one hangs together.

A match of a run depends on the run's key and on its own number alone, so it does not matter who plays it.
"""

# ruff: noqa: F821 (templates: the names they use are the game's, put in place when they are bound)

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import registry, warm
from ludotheque.core.chance import chacha_block
from ludotheque.core.chooser import MASK, advance, choose
from ludotheque.core.figures import MATCHES, Figure
from ludotheque.core.game import Game
from ludotheque.core.jit import LAB_TEMPLATES
from ludotheque.core.record import Buffer

# The game's, see docs/adding-a-game.md.
others: Any
apply: Any
outcome: Any
sample: Any
begin: Any
note: Any
sum_up: Any
record: Any
records: Any
IDS: Any
MAX_SEATS: int

MEMO = 16
"""Numbers that `note` may keep from one call to the next; all 0 when a match begins."""

MOST_COUNTERS = 256
"""How many counters a game may have."""

BOOK = np.dtype((np.record, [("memo", "<i8", (MEMO,)), ("tally", "<i8", (MOST_COUNTERS,))]))
"""What is kept of a match: `note` writes into it. A record is handed on as one pointer, and not counted."""


def note_nothing(s: Any, book: Any) -> None:
    """`note` for games without figures of their own."""


def sum_up_nothing(s: Any, tally: Any) -> None:
    """`sum_up` for games whose counters need nothing more in the end."""


def clear(book: Any, num_counters: int) -> None:
    """Nothing has happened yet in this match."""
    for k in range(MEMO):
        book.memo[k] = 0
    for k in range(num_counters):
        book.tally[k] = 0
    book.tally[MATCHES] = 1


def add_up(tally: Any, pairs: Any, totals: Any, squares: Any, products: Any) -> None:
    """Add a match's counts to the sums over matches, with their squares and the products that pairs ask for."""
    for k in range(len(totals)):
        totals[k] += tally[k]
        squares[k] += tally[k] * tally[k]
    for k in range(len(pairs)):
        products[k] += tally[pairs[k, 0]] * tally[pairs[k, 1]]


def deals(bufs: Any, choosers: Any, first: int, base: Any, num_seats: int, opts: Any) -> None:
    """Deal the matches number `first` and on, and set what their moves will be chosen by.

    Apart from playing them: compiled together the two are slower.
    """
    words = np.zeros(16, np.uint32)
    for row in range(len(bufs)):
        chacha_block(base, first + row, 0, 8, words)
        begin(bufs[row], words, num_seats, opts)
        choosers[row] = advance(((int(words[8]) << 30) ^ int(words[9])) & MASK)


def matches(
    bufs: Any,
    choosers: Any,
    scores: Any,
    places: Any,
    lengths: Any,
    pairs: Any,
    totals: Any,
    squares: Any,
    products: Any,
) -> int:
    """Play matches that have been dealt to their end with random moves. Returns the moves made.

    Each has a row of `scores`, `places` and `lengths`, which are moves and rounds.
    """
    ids = np.zeros(1, IDS)
    books = np.zeros(1, BOOK)
    states = records(bufs)
    decisions = 0
    for row in range(len(bufs)):
        s = states[row]
        book = books[0]
        x = int(choosers[row])
        clear(book, len(totals))
        while True:
            note(s, book)  # the deal first; called in one place only, it is compiled into the loop
            if s.over:
                break
            seat = s.actor
            idlers = others(s)
            if idlers != 0:
                x = advance(x)
                pick = choose(x, 2 * MAX_SEATS)  # an idle seat's move now and then
                if pick < MAX_SEATS and (idlers >> pick) & 1:
                    seat = pick
            x = advance(x)
            s.ply += 1
            s.num_events = 0
            apply(s, seat, sample(s, seat, x, ids[0].cells))
        outcome(s, scores[row], places[row])
        lengths[row, 0] = s.ply
        lengths[row, 1] = s.round_no
        decisions += s.ply
        sum_up(s, book.tally)
        add_up(book.tally, pairs, totals, squares, products)
    return decisions


def follow(buf: Buffer, books: Any) -> None:
    """Count what the last move of a match did, or its deal, in the first book."""
    s = record(buf)
    book = books[0]
    if s.ply == 0:
        clear(book, MOST_COUNTERS)
    note(s, book)
    if s.over:
        sum_up(s, book.tally)


INNER: tuple[Callable[..., Any], ...] = (clear, add_up)
"""Called by entries only."""

ENTRIES: tuple[Callable[..., Any], ...] = (deals, matches, follow)
"""Called from Python."""

HOOKS: dict[str, Callable[..., Any]] = {"note": note_nothing, "sum_up": sum_up_nothing}
"""What a game's `figures.py` may define, and what stands in for it."""

SIMULATE = "simulate"
warm.PURPOSES.setdefault(SIMULATE, warm.Purpose((("matches",), ("deals", "follow")), LAB_TEMPLATES, __name__))

Counts = npt.NDArray[np.int64]


def hooks(game: Game) -> Any:
    """The game's `figures.py`."""
    return game.module("figures")


def figures(game: Game) -> tuple[Figure, ...]:
    """What the game counts."""
    found: tuple[Figure, ...] = getattr(hooks(game), "FIGURES", ())
    return found


def num_counters(game: Game) -> int:
    """How many counters a match has."""
    return int(getattr(hooks(game), "NUM_COUNTERS", MATCHES + 1))


@cache
def pairs(game: Game) -> Counts:
    """The pairs of counters whose products are summed: those of every cell, in order."""
    found = [(cell.counter, cell.of) for figure in figures(game) for cell in figure.cells]
    return np.array(found, np.int64).reshape(len(found), 2)


@cache
def kernels(game: Game) -> SimpleNamespace:
    """The compiled entry points of this module for a game."""
    return game.bind(LAB_TEMPLATES, INNER, ENTRIES, hooks=hooks(game), stand_ins=HOOKS)


def compile_entries(game_id: str, names: Sequence[str], done: Callable[[], None]) -> None:
    """Compile some entries for a game in this process, by calling each once; that puts them into the cache too."""
    game = registry.load(game_id)
    info, seats = game.info, game.info.min_seats
    tally = np.zeros(num_counters(game), np.int64)
    none = np.zeros((0, info.state.itemsize), np.uint8)
    choosers = np.zeros(0, np.int64)
    rows = [np.zeros((0, width), np.int32) for width in (info.max_seats, info.max_seats, 2)]
    products = np.zeros(len(pairs(game)), np.int64)
    base = np.zeros(8, np.uint32)
    opts = game.options(seats, {}).codes
    over = np.zeros(info.state.itemsize, np.uint8)
    calls: dict[str, Callable[[], object]] = {
        "deals": lambda: kernels(game).deals(none, choosers, 0, base, seats, opts),
        "matches": lambda: kernels(game).matches(none, choosers, *rows, pairs(game), tally, tally.copy(), products),
        "follow": lambda: kernels(game).follow(over, np.zeros(1, BOOK)),
    }
    for name in names:
        calls[name]()
        done()
