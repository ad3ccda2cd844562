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
NUM_ACTIONS: int
MAX_SEATS: int

MEMO = 16
"""Numbers that `note` may keep from one call to the next; all 0 when a match begins."""


def note_nothing(s: Any, memo: Any, tally: Any) -> None:
    """`note` for games without figures of their own."""


def sum_up_nothing(s: Any, tally: Any) -> None:
    """`sum_up` for games whose counters need nothing more in the end."""


def clear(memo: Any, tally: Any) -> None:
    """Nothing has happened yet in this match."""
    for k in range(len(memo)):
        memo[k] = 0
    for k in range(len(tally)):
        tally[k] = 0
    tally[MATCHES] = 1


def add_up(tally: Any, pairs: Any, totals: Any, squares: Any, products: Any) -> None:
    """Add a match's counts to the sums over matches, with their squares and the products that pairs ask for."""
    for k in range(len(tally)):
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
    out = np.empty(NUM_ACTIONS, np.int16)
    memo = np.zeros(MEMO, np.int64)
    tally = np.zeros(len(totals), np.int64)
    states = records(bufs)
    decisions = 0
    for row in range(len(bufs)):
        s = states[row]
        x = int(choosers[row])
        clear(memo, tally)
        while True:
            note(s, memo, tally)  # the deal first; called in one place only, it is compiled into the loop
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
            apply(s, seat, sample(s, seat, x, out))
        outcome(s, scores[row], places[row])
        lengths[row, 0] = s.ply
        lengths[row, 1] = s.round_no
        decisions += s.ply
        sum_up(s, tally)
        add_up(tally, pairs, totals, squares, products)
    return decisions


def follow(buf: Buffer, memo: Any, tally: Any) -> None:
    """Count what the last move of a match did, or its deal."""
    s = record(buf)
    if s.ply == 0:
        clear(memo, tally)
    note(s, memo, tally)
    if s.over:
        sum_up(s, tally)


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
        "follow": lambda: kernels(game).follow(over, np.zeros(MEMO, np.int64), tally),
    }
    for name in names:
        calls[name]()
        done()
