"""Playing whole matches and counting what happens in them: templates that `kernels` binds to each game.

The names declared below are the game's: its rules; from its `bots.py` the hooks `rate` and `reflex`; from its
`figures.py` the hooks `note`, which reads off the journal what the last move did, and `sum_up`, which is called when a
match is over. Players who choose by ratings alone, and random ones, are played here, whole matches in one call; whoever
searches is played move by move in `shards.py`. Counts are kept by match, so that
intervals can be taken over matches: what happens within one is correlated.

A match of a run depends on the run's key and on its own number alone, so it does not matter who plays it.
"""

# ruff: noqa: F821 (templates: the names they use are the game's, put in place when they are bound)

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludotheque.bots import searches
from ludotheque.bots.bot import STYLE_LENGTH
from ludotheque.core import registry, warm
from ludotheque.core.chance import chacha_block
from ludotheque.core.chooser import MASK, advance, choose
from ludotheque.core.figures import MATCHES, Figure
from ludotheque.core.game import Game
from ludotheque.core.jit import LAB_TEMPLATES
from ludotheque.core.ladder import RULES, Level
from ludotheque.core.record import Buffer

# The game's, see docs/adding-a-game.md.
legal: Any
others: Any
apply: Any
outcome: Any
conceal: Any
sample: Any
begin: Any
rate: Any
reflex: Any
note: Any
sum_up: Any
record: Any
records: Any
IDS: Any
RATINGS: Any
STATE: Any
NUM_ACTIONS: int
MAX_SEATS: int

MEMO = 16
"""Numbers that `note` may keep from one call to the next; all 0 when a match begins."""

MOST_COUNTERS = 256
"""How many counters a game may have."""

BOOK = np.dtype((np.record, [("memo", "<i8", (MEMO,)), ("tally", "<i8", (MOST_COUNTERS,))]))
"""What is kept of a match: `note` writes into it. A record is passed as one pointer, without a reference count."""


STYLE = np.dtype((np.record, [("cells", "<f8", (STYLE_LENGTH,))]))
"""What `rate` gets to know about a player, passed likewise."""


class Results(NamedTuple):
    """How matches ended, a row for each."""

    scores: Any
    places: Any
    lengths: Any
    """Moves and rounds."""


class Players(NamedTuple):
    """How each seat chooses: see `core/ladder.py`, Level."""

    rated: Any
    """1 for a seat that goes by the game's ratings, 0 for one that plays anything."""
    temperatures: Any
    caps: Any
    styles: Any
    """One for each seat."""


class Sums(NamedTuple):
    """The counts of matches added up."""

    pairs: Any
    """The pairs of counters whose products are summed."""
    totals: Any
    squares: Any
    products: Any


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


def add_up(tally: Any, sums: Sums) -> None:
    """Add a match's counts to the sums over matches, with their squares and the products that pairs ask for."""
    pairs, totals, squares, products = sums
    for k in range(len(totals)):
        totals[k] += tally[k]
        squares[k] += tally[k] * tally[k]
    for k in range(len(pairs)):
        products[k] += tally[pairs[k, 0]] * tally[pairs[k, 1]]


def deals(bufs: Any, choosers: Any, first: int, base: Any, num_seats: int, opts: Any) -> None:
    """Deal the matches number `first` and on, and set what their moves will be chosen by.

    Separate from `matches`: compiled together the two are slower.
    """
    words = np.zeros(16, np.uint32)
    for row in range(len(bufs)):
        chacha_block(base, first + row, 0, 8, words)
        begin(bufs[row], words, num_seats, opts)
        choosers[row] = advance(((int(words[8]) << 30) ^ int(words[9])) & MASK)


def pick(ratings: Any, n: int, temperature: float, cap: float, x: int) -> int:
    """The place of the best rated move, or softly one of the good ones: as `Bot` picks, with chance from `x`."""
    best = ratings[0]
    for i in range(1, n):
        best = max(best, ratings[i])
    if temperature <= 0:
        good = 0
        for i in range(n):
            good += best - ratings[i] <= 1e-12
        left = choose(x, good)
        for i in range(n):
            if best - ratings[i] <= 1e-12:
                if left == 0:
                    return i
                left -= 1
    total = 0.0
    for i in range(n):
        if best - ratings[i] <= cap:
            total += math.exp(-(best - ratings[i]) / temperature)
    at = (choose(x, 1 << 30) + 0.5) / (1 << 30) * total
    last = 0
    for i in range(n):
        if best - ratings[i] <= cap:
            at -= math.exp(-(best - ratings[i]) / temperature)
            last = i
            if at < 0:
                return i
    return last


def copy_row(bufs: Any, row: int, seen: Any) -> None:
    """The match in a row, as the first of the others."""
    for i in range(bufs.shape[1]):
        seen[0, i] = bufs[row, i]


def matches(bufs: Any, choosers: Any, players: Players, results: Results, sums: Sums) -> int:
    """Play matches that have been dealt to their end. Returns the moves made."""
    scores, places, lengths = results
    ids = np.zeros(1, IDS)
    ratings = np.zeros(1, RATINGS)
    books = np.zeros(1, BOOK)
    seen = np.zeros((1, bufs.shape[1]), np.uint8)  # the match as a seat sees it
    views = records(seen)
    states = records(bufs)
    decisions = 0
    for row in range(len(bufs)):
        s = states[row]
        book = books[0]
        x = int(choosers[row])
        clear(book, len(sums.totals))
        while True:
            note(s, book)  # the deal first; called in one place only, it is compiled into the loop
            if s.over:
                break
            seat = s.actor
            action = -1
            idlers = others(s)
            if idlers != 0:
                x = advance(x)
                chosen = choose(x, 2 * MAX_SEATS)  # a random player's move out of turn now and then
                for idler in range(s.num_seats):
                    if (idlers >> idler) & 1 and idler != s.actor:
                        if players.rated[idler]:
                            copy_row(bufs, row, seen)
                            conceal(views[0], idler)
                            wanted = reflex(views[0], idler)
                            if wanted >= 0:
                                seat, action = idler, wanted
                        elif idler == chosen:
                            seat, action = idler, -1
            x = advance(x)
            if action < 0:
                if players.rated[seat]:
                    n = legal(s, seat, ids[0].cells)
                    best = 0
                    if n > 1:
                        copy_row(bufs, row, seen)
                        conceal(views[0], seat)
                        rate(views[0], seat, ids[0].cells, n, ratings[0].cells, players.styles[seat].cells)
                        best = pick(ratings[0].cells, n, players.temperatures[seat], players.caps[seat], x)
                    action = int(ids[0].cells[best])
                else:
                    action = sample(s, seat, x, ids[0].cells)
            s.ply += 1
            s.num_events = 0
            apply(s, seat, action)
        outcome(s, scores[row], places[row])
        lengths[row, 0] = s.ply
        lengths[row, 1] = s.round_no
        decisions += s.ply
        sum_up(s, book.tally)
        add_up(book.tally, sums)
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


INNER: tuple[Callable[..., Any], ...] = (pick, copy_row, clear, add_up)
"""Called by entries only."""

ENTRIES: tuple[Callable[..., Any], ...] = (deals, matches, follow)
"""Called from Python."""

HOOKS: dict[str, Callable[..., Any]] = {
    "note": note_nothing,
    "sum_up": sum_up_nothing,
    "rate": searches.rate_alike,
    "reflex": searches.stay_calm,
}
"""What a game's `figures.py` and `bots.py` may define, and what stands in for it."""

SIMULATE = "simulate"
warm.PURPOSES.setdefault(SIMULATE, warm.Purpose((("matches",), ("deals", "follow")), LAB_TEMPLATES, __name__, 3))

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
    modules = (searches.hooks(game), hooks(game))
    found = SimpleNamespace(**{name: getattr(m, name) for m in modules for name in HOOKS if hasattr(m, name)})
    ratings = np.dtype((np.record, [("cells", "<f8", (game.info.num_actions,))]))
    return game.bind(LAB_TEMPLATES, INNER, ENTRIES, hooks=found, stand_ins=HOOKS, given={"RATINGS": ratings})


def is_compiled(level: Level | None) -> bool:
    """Whether a player (None: one who plays anything) is played by `matches`."""
    return level is None or level.way == RULES


def make_players(levels: Sequence[Level | None]) -> Players:
    """How these seats choose; None plays anything."""
    players = Players(
        np.array([level is not None for level in levels], np.int8),
        np.array([level.temperature if level is not None else 0.0 for level in levels], np.float64),
        np.array([level.cap if level is not None else 0.0 for level in levels], np.float64),
        np.zeros(len(levels), STYLE),
    )
    for seat, level in enumerate(levels):
        if level is not None:
            players.styles["cells"][seat, : len(level.style)] = level.style
    return players


def compile_entries(game_id: str, names: Sequence[str], done: Callable[[], None]) -> None:
    """Compile some entries for a game in this process, by calling each once; that puts them into the cache too."""
    game = registry.load(game_id)
    info, seats = game.info, game.info.min_seats
    tally = np.zeros(num_counters(game), np.int64)
    none = np.zeros((0, info.state.itemsize), np.uint8)
    choosers = np.zeros(0, np.int64)
    results = Results(*(np.zeros((0, width), np.int32) for width in (info.max_seats, info.max_seats, 2)))
    sums = Sums(pairs(game), tally, tally.copy(), np.zeros(len(pairs(game)), np.int64))
    base = np.zeros(8, np.uint32)
    opts = game.options(seats, {}).codes
    over = np.zeros(info.state.itemsize, np.uint8)
    calls: dict[str, Callable[[], object]] = {
        "deals": lambda: kernels(game).deals(none, choosers, 0, base, seats, opts),
        "matches": lambda: kernels(game).matches(none, choosers, make_players([None] * seats), results, sums),
        "follow": lambda: kernels(game).follow(over, np.zeros(1, BOOK)),
    }
    for name in names:
        calls[name]()
        done()
