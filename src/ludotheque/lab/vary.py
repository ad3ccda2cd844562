"""Comparing simulations that differ in one thing: which runs those are, and which differences mean something."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

from ludotheque.core.errors import InvalidOptions
from ludotheque.core.figures import TABLE
from ludotheque.core.game import Game
from ludotheque.core.texts import worded
from ludotheque.lab.statistics import Estimate
from ludotheque.lab.summary import Spread, Summary, Z, figure_title, row_label

CONFIDENCE = 0.95
PLAYERS, BOTS, BUDGET = "players", "bots", "budget"
MOST_VALUES = 12


Vary = str | Mapping[str, Sequence[Any]]
"""What is varied and its values: `"stock=10,20,30"` or `{"stock": [10, 20, 30]}`."""


def vary_text(vary: Vary) -> str:
    """The same as it is written at the command line."""
    if isinstance(vary, str):
        return vary
    if len(vary) != 1:
        raise worded(InvalidOptions, "simulate.vary_one", names=", ".join(vary) or "–")
    ((name, values),) = vary.items()
    listed = [values] if isinstance(values, str) else values
    return f"{name}={','.join(_value_text(value) for value in listed)}"


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "+".join(value) if isinstance(value, (list, tuple)) else str(value)


def parse_vary(game: Game, vary: Vary) -> tuple[str, list[str]]:
    """A name and its values out of `stock=10,20,30`, `players=2,3` or `bots=club+club,expert+club`."""
    text = vary_text(vary)
    known = [PLAYERS, BOTS, BUDGET, *(option.name for option in game.info.options if option.kind != "texts")]
    name, _, listed = text.partition("=")
    name = name.strip().replace("-", "_")
    values = [value.strip() for value in listed.split(",")]
    if name not in known or not all(values):
        raise worded(InvalidOptions, "simulate.vary", text=f"{text!r:.60}", known=", ".join(known))
    if not 2 <= len(values) <= MOST_VALUES or len(set(values)) != len(values):
        raise worded(InvalidOptions, "simulate.values", name=name, most=MOST_VALUES, values=f"{listed!r:.60}")
    return name, values


def settings(name: str, value: str) -> dict[str, Any]:
    """What one value sets: arguments of `make_plan`."""
    if name == PLAYERS:
        # What is no number stays text: the plan says what is wrong with it.
        return {"players": int(value) if value.isdecimal() and len(value) < 4 else value}
    if name == BOTS:
        return {"bots": tuple(bot.strip() for bot in value.split("+"))}
    if name == BUDGET:
        return {"budget": value}
    return {"options": {name: value}}


@dataclass(frozen=True, slots=True)
class Entry:
    """One run's number in a row."""

    value: float | None
    low: float | None
    high: float | None
    error: float | None
    """The standard error."""
    mark: int
    """1 or -1 if it is surely higher, or lower, than in the first run; 0 if that is uncertain."""
    change: Estimate | None
    """By how much, with an interval that allows for the number of comparisons; None of the first run."""


@dataclass(frozen=True, slots=True)
class Line:
    """One number in all runs."""

    group: str
    """What it belongs to: `wins`, `score`, `length`, or the name of a figure."""
    label: str
    """A seat's number, `moves`, `rounds`, or the label of the figure's row."""
    is_share: bool
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs side by side. Significance is corrected over all lines and runs together (Bonferroni)."""

    name: str
    """What was varied,"""
    values: tuple[str, ...]
    """and how; all runs are compared with the first."""
    lines: tuple[Line, ...]
    comparisons: int
    """How many differences were looked at."""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


_Numbers = dict[tuple[str, str], tuple[bool, float | None, float | None, float | None, float | None]]


def _numbers(summary: Summary) -> _Numbers:
    """The numbers of a run that are compared: whether a share, value, interval, standard error."""
    found: _Numbers = {}
    for seat in summary.seats:
        error = math.sqrt(seat.wins * (1 - seat.wins) / summary.games)
        found["wins", str(seat.seat)] = True, seat.wins, seat.wins_low, seat.wins_high, error
    found["score", ""] = _mean(summary.score)
    found["length", "moves"] = _mean(summary.moves_spread)
    found["length", "rounds"] = _mean(summary.rounds_spread)
    for figure in summary.figures:
        if figure.kind != TABLE:
            for row in figure.rows:
                found[figure.name, row.label] = figure.is_share, row.value, row.low, row.high, row.error
    return found


def _mean(spread: Spread) -> tuple[bool, float, float, float, float]:
    return False, spread.mean, spread.low, spread.high, (spread.high - spread.mean) / Z


def compare(name: str, values: Sequence[str], summaries: Sequence[Summary]) -> Comparison:
    """The runs side by side."""
    runs = [_numbers(summary) for summary in summaries]
    groups = list(dict.fromkeys(group for run in runs for group, _ in run))
    keys = sorted(dict.fromkeys(key for run in runs for key in run), key=lambda key: groups.index(key[0]))
    pairs = [
        (key, run)
        for key in keys
        for run in runs[1:]
        if _error(runs[0], key) is not None and _error(run, key) is not None
    ]
    count = len(pairs)
    wide = limit(count)
    lines = []
    for key in keys:
        is_share = next(run[key][0] for run in runs if key in run)
        entries = tuple(_entry(run, runs[0], key, wide) for run in runs)
        lines.append(Line(*key, is_share, entries))
    return Comparison(name, tuple(values), tuple(lines), count)


def limit(comparisons: int) -> float:
    """Standard errors beyond which one of so many differences is taken to be more than chance (Bonferroni)."""
    return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / (2 * max(comparisons, 1)))


def _error(run: _Numbers, key: tuple[str, str]) -> float | None:
    return run[key][4] if key in run else None


def _entry(run: _Numbers, first: _Numbers, key: tuple[str, str], wide: float) -> Entry:
    if key not in run:
        return Entry(None, None, None, None, 0, None)
    _, value, low, high, error = run[key]
    base, base_error = (first[key][1], first[key][4]) if key in first else (None, None)
    if run is first or value is None or base is None or error is None or base_error is None:
        return Entry(value, low, high, error, 0, None)
    change, half = value - base, wide * math.hypot(error, base_error)
    mark = 0 if abs(change) <= half else 1 if change > 0 else -1
    return Entry(value, low, high, error, mark, Estimate(change, change - half, change + half))


def labelled(comparison: Comparison, summaries: Sequence[Summary], lang: str) -> Iterator[tuple[str, str, Line]]:
    """The lines with their group's title and their label in words; empty titles for what is not a figure's."""
    figures = {figure.name: (summary.plan.game, figure) for summary in summaries for figure in summary.figures}
    for line in comparison.lines:
        if line.group in figures:
            game, figure = figures[line.group]
            yield figure_title(game, figure, lang), row_label(game, figure, line.label, lang), line
        else:
            yield "", line.label, line
