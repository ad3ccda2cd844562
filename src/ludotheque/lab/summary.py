"""What a simulation found out: everything that is shown, in tables, pages and files, comes from a `Summary`.

Its numbers are computed from a part's whole numbers, so the same counts give the same summary anywhere. The unit of all
intervals is the match: what happens within one is correlated.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludotheque.core import registry
from ludotheque.core.figures import HISTOGRAM, MEAN, SHARE, TABLE
from ludotheque.lab import playing as templates
from ludotheque.lab.shards import WHOLE, Array, Part, Plan

Z = 1.959963984540054
"""Standard errors to each side of an interval that holds with 95 % confidence."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
KINDS = (SHARE, MEAN, HISTOGRAM, TABLE)
MOST_BARS = 40


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of values, both ends included, and how many fell into it."""

    low: int
    high: int
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How a whole number is spread over matches (or over matches and seats)."""

    count: int
    mean: float
    low: float
    """The interval of the mean,"""
    high: float
    sd: float
    least: int
    most: int
    quantiles: tuple[int, ...]
    """At 5, 25, 50, 75 and 95 %, as `QUANTILES` has them."""
    histogram: tuple[Bar, ...]
    """At most 40 stretches of equal width, next to each other, empty ones too."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat over all matches."""

    seat: int
    """0 is the first."""
    bot: str
    """Who sat there; `random` if moves were random."""
    wins: float
    """Share of first places, equals sharing one,"""
    wins_low: float
    """and its interval."""
    wins_high: float
    places: tuple[int, ...]
    """How often it came first, second, and so on."""
    score: Spread


@dataclass(frozen=True, slots=True)
class Row:
    """One number of a figure."""

    label: str
    column: str
    """In a table; else empty."""
    value: float | None
    """A share from 0 to 1, or a mean; None if there was nothing to count."""
    low: float | None
    """The interval,"""
    high: float | None
    count: int
    """Of how many things it is the share or mean,"""
    error: float | None
    """and its standard error."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Something that fits the game. `figure_title` and `row_label` put it into words."""

    name: str
    kind: str
    """`share`: each row a share by itself. `mean`: each row a mean. `histogram`: rows that make a whole. `table`:
    shares by label and column."""
    rows: tuple[Row, ...]
    words: str
    column_words: str

    @property
    def is_share(self) -> bool:
        """Whether its values are shares, to be shown in percent."""
        return self.kind != MEAN


@dataclass(frozen=True, slots=True)
class Summary:
    """A run, or as much of it as has been played.

    Examples:
        >>> from ludotheque import lab
        >>> found = lab.simulate("double_lucky_7", games=20, players=2, bots="random", seed=1, jobs=1)
        >>> summary = found.summary
        >>> summary.is_whole, summary.rounds_spread.mean
        (True, 14.0)
        >>> round(sum(seat.wins for seat in summary.seats), 6)
        1.0
    """

    plan: Plan
    games: int
    """Matches played: `plan.games`, unless the run was stopped."""
    moves: int
    """Moves made in all of them."""
    seats: tuple[Seat, ...]
    score: Spread
    """Over all seats."""
    moves_spread: Spread
    """Moves of a match."""
    rounds_spread: Spread
    """Rounds of a match."""
    figures: tuple[Figure, ...]
    value: str = ""
    """In a comparison, what was varied and how: `stock=20`."""

    @property
    def is_whole(self) -> bool:
        """Whether the run was played to its end."""
        return self.games == self.plan.games

    def figure(self, name: str) -> Figure:
        """One of the game's own figures."""
        return next(figure for figure in self.figures if figure.name == name)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {**asdict(self), "plan": self.plan.to_json()}

    def dumps(self) -> str:
        """The same as text."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"


def summarise(plan: Plan, part: Part, value: str = "") -> Summary:
    """The summary of a run's counts."""
    games = int(part.sums["games"][0])
    seats = []
    for seat in range(plan.players):
        wins = int(part.sums["wins"][seat]) / (WHOLE * games)
        low, high = wilson(wins, games)
        places = tuple(int(n) for n in part.sums["places"][seat])
        bot = plan.bots[seat]
        seats.append(Seat(seat, bot, wins, low, high, places, spread(part.histograms[f"score {seat}"])))
    scores = [part.histograms[f"score {seat}"] for seat in range(plan.players)]
    return Summary(
        plan=plan,
        games=games,
        moves=int(part.sums["moves"][0]),
        seats=tuple(seats),
        score=spread(np.concatenate(scores, axis=1), games),
        moves_spread=spread(part.histograms["moves"]),
        rounds_spread=spread(part.histograms["rounds"]),
        figures=tuple(_figures(plan, part)),
        value=value,
    )


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's interval of a share of `count`; a little wide where first places are shared."""
    if count == 0:
        return 0.0, 1.0
    centre = (share + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z / (1 + Z * Z / count) * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    return max(0.0, centre - half), min(1.0, centre + half)


def spread(histogram: Array, units: int | None = None) -> Spread:
    """The spread of a histogram: values and counts as two rows. `units` is how many of them are independent."""
    order = np.argsort(histogram[0], kind="stable")
    values, counts = histogram[0][order], histogram[1][order]
    number = int(counts.sum())
    total = sum(int(v) * int(c) for v, c in zip(values, counts, strict=True))
    squares = sum(int(v) * int(v) * int(c) for v, c in zip(values, counts, strict=True))
    mean = total / number
    variance = (squares * number - total * total) / (number * max(number - 1, 1))
    half = Z * math.sqrt(variance / (units or number))
    reached = np.cumsum(counts)
    quantiles = tuple(int(values[np.searchsorted(reached, q * number)]) for q in QUANTILES)
    least, most = int(values[0]), int(values[-1])
    bars = _bars(values, counts)
    return Spread(number, mean, mean - half, mean + half, math.sqrt(variance), least, most, quantiles, bars)


def _bars(values: Array, counts: Array) -> tuple[Bar, ...]:
    least, most = int(values[0]), int(values[-1])
    width = _width(most - least + 1, int(np.gcd.reduce(values - least)))
    first = least - least % width
    heights = np.zeros((most - first) // width + 1, np.int64)
    np.add.at(heights, (values - first) // width, counts)
    return tuple(Bar(first + k * width, first + (k + 1) * width - 1, int(n)) for k, n in enumerate(heights))


def _width(length: int, step: int) -> int:
    """A round width of bars: at least the step between values, and such that there are not too many."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power >= step and length / (factor * power) < MOST_BARS:
                return factor * power
        power *= 10


def ratio(total: int, of: int, squares: int, of_squares: int, product: int) -> tuple[float, float]:
    """One counter over another, and its standard error over matches, from their sums, squares and product."""
    value = total / of
    variance = squares - 2 * value * product + value * value * of_squares
    return value, math.sqrt(max(variance, 0.0)) / of


def _figures(plan: Plan, part: Part) -> list[Figure]:
    totals, squares = part.sums["totals"], part.sums["squares"]
    place = 0
    found = []
    for figure in templates.figures(registry.load(plan.game)):
        rows = []
        for cell in figure.cells:
            product = int(part.sums["products"][place])
            place += 1
            if plan.players < cell.seats:
                continue
            count = int(totals[cell.of])
            if count == 0:
                rows.append(Row(cell.label, cell.column, None, None, None, 0, None))
                continue
            value, error = ratio(
                int(totals[cell.counter]), count, int(squares[cell.counter]), int(squares[cell.of]), product
            )
            low, high = value - Z * error, value + Z * error
            if figure.kind == MEAN:
                if count == 1:
                    rows.append(Row(cell.label, cell.column, value, None, None, 1, None))
                    continue
            else:
                # Nothing ever happening, or always, leaves no spread to go by; Wilson's interval of as many does.
                if error == 0.0 and figure.kind != HISTOGRAM:
                    low, high = wilson(value, count)
                low, high = max(low, 0.0), min(high, 1.0)
            rows.append(Row(cell.label, cell.column, value, low, high, count, error))
        found.append(Figure(figure.name, figure.kind, tuple(rows), figure.words, figure.column_words))
    return found


def figure_title(game: str, figure: Figure, lang: str = "en") -> str:
    """A figure's title."""
    return registry.load(game).catalogue(lang).say(f"figures.{figure.name}")


def figure_axis(game: str, figure: Figure, lang: str = "en") -> str:
    """What a figure's axis measures."""
    return registry.load(game).catalogue(lang).say(f"axes.{figure.name}")


def row_label(game: str, figure: Figure, label: str, lang: str = "en") -> str:
    """A row's label in words."""
    return registry.load(game).catalogue(lang).word(figure.words, label) if figure.words else label


def column_label(game: str, figure: Figure, column: str, lang: str = "en") -> str:
    """A column's label in words."""
    return registry.load(game).catalogue(lang).word(figure.column_words, column) if figure.column_words else column
