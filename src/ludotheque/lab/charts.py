"""A small toolkit of charts for the lab's pages: HTML for the words, SVG for the marks.

Marks are placed in percent of the width, so that a chart fits any screen while its words keep their size. Colours are
custom properties of `page.css`, which follow light and dark. Shapes tell series apart where colours might not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Any

from ludotheque.lab.statistics import Estimate

SHAPES = (
    "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0z",  # disc
    "M-5 -5h10v10h-10z",  # square
    "M0 -6.5l6.5 6.5l-6.5 6.5l-6.5 -6.5z",  # diamond
    "M0 -6.5l6.2 11h-12.4z",  # triangle
    "M0 6.5l6.2 -11h-12.4z",  # triangle on its point
    "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",  # cross
    "M-6 -2.5h12v5h-12z",  # bar
    "M-2.5 -6h5v12h-5z",  # upright bar
)
"""Marks of about 12 pixels around their middle, one for each series."""

Format = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Scale:
    """A stretch of numbers laid over the width of a chart."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Where a value lies, in percent of the width; what is outside at the edge."""
        return round(100 * min(max((value - self.low) / (self.high - self.low), 0), 1), 2)


def scale(
    values: Iterable[float],
    count: int = 5,
    ends: tuple[float | None, float | None] = (None, None),
    whole: bool = False,
) -> Scale:
    """A scale with round ticks that holds all values, and goes no further than `ends`."""
    known = [value for value in values if isfinite(value)] or [0.0]
    low, high = min(known), max(known)
    if low == high:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / count
    unit = 10 ** floor(log10(rough))
    step = next(unit * m for m in (1, 2, 2.5, 5, 10) if unit * m >= rough * 0.999)
    if whole:
        step = max(1.0, float(round(step)))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = [round(k * step, 12) for k in range(first, last + 1)]
    if ends[0] is not None:
        ticks = [tick for tick in ticks if tick >= ends[0]]
    if ends[1] is not None:
        ticks = [tick for tick in ticks if tick <= ends[1]]
    return Scale(ticks[0], ticks[-1], tuple(ticks))


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale with its name, which says what is measured, and how its numbers are written, with their unit."""

    scale: Scale
    show: Format
    name: str

    def at(self, value: float) -> float:
        """Where a value lies, in percent of the width."""
        return self.scale.at(value)


@dataclass(frozen=True, slots=True)
class Row:
    """A value with its interval, a line of a chart."""

    label: str
    value: float
    low: float
    high: float
    text: str
    """The value in words, beside the mark."""
    series: int = 0
    mark: str = ""
    """What follows the value where it differs: a sign and by how much."""
    group: str = ""
    """A heading above the row, where it is another than that of the row before."""
    band: tuple[float, float] | None = None
    """Where the value would lie by chance alone."""

    @classmethod
    def of(cls, label: str, estimate: Estimate, text: str, **more: Any) -> Row:
        """A row for an estimate."""
        return cls(label, estimate.mean, estimate.low, estimate.high, text, **more)


def around(centre: float, one: Estimate) -> tuple[float, float]:
    """Where an estimate would lie by chance alone if the truth were `centre`: inside if its interval holds that."""
    return centre - (one.high - one.mean), centre + (one.mean - one.low)


def figure(title: str, body: str, note: str = "", wide: bool = False) -> str:
    """A chart under the question that it answers."""
    below = f'<p class="note">{escape(note)}</p>' if note else ""
    name = "chart wide" if wide else "chart"
    return f'<figure class="{name}"><figcaption><h3>{escape(title)}</h3></figcaption>{body}{below}</figure>\n'


def intervals(rows: Sequence[Row], axis: Axis, reference: tuple[float, str] | None = None, zero: bool = False) -> str:
    """Dots with whiskers on a common scale, one below the other; with `zero`, bars that start there."""
    grid = "".join(_rule(axis.at(tick), "grid") for tick in axis.scale.ticks)
    parts = [f'<div class="{_rows_class(row.label for row in rows)}">']
    line = ""
    if reference is not None:
        line = _rule(axis.at(reference[0]), "ref")
        parts.append(f'<i></i><svg class="axis" aria-hidden="true">{_above(axis, *reference)}</svg><span></span>')
    heading = ""
    for row in rows:
        if row.group != heading:
            heading = row.group
            parts.append(f'<span class="group">{escape(row.group)}</span>')
        bar = _bar(axis.at(0), axis.at(row.value), row.series) if zero else ""
        marks = grid + _band(axis, row) + line + bar + _whisker(axis, row)
        sign = f' <b class="sign">{escape(row.mark)}</b>' if row.mark else ""
        parts.append(
            f'<span class="label s{row.series}">{escape(row.label)}</span>'
            f'<svg class="track" aria-hidden="true"><title>{escape(row.label)}: {escape(row.text)}</title>{marks}</svg>'
            f'<span class="value">{escape(row.text)}{sign}</span>'
        )
    parts.append(f"{_below(axis)}</div>")
    return "".join(parts)


def histogram(
    bins: Sequence[tuple[float, float, float, str]],
    axis: Axis,
    side: Axis,
    summary: str,
    marks: Sequence[tuple[float, str]] = (),
    series: int = 0,
) -> str:
    """Columns over a scale: each bin has a low and a high end, a share and a name. `marks` are values worth a line."""
    height = 132
    levels = [_level(height * (1 - side.at(tick) / 100)) for tick in side.scale.ticks]
    columns = []
    for low, high, share, name in bins:
        left, tall = axis.at(low), height * side.at(share) / 100
        if share > 0:
            columns.append(
                f'<rect class="f{series}" x="{left}%" y="{height - tall:.1f}" width="{axis.at(high) - left:.2f}%" '
                f'height="{max(tall, 0.7):.1f}"><title>{escape(name)}: '
                f"{escape(side.show(share))}</title></rect>"
            )
    labels = "".join(_above(axis, value, text) for value, text in marks)
    rules = [_rule(axis.at(value), "ref") for value, _ in marks]
    shares = "".join(
        f'<text x="100%" y="{height * (1 - side.at(t) / 100) + 4:.1f}" text-anchor="end">{escape(side.show(t))}</text>'
        for t in side.scale.ticks
    )
    head = f'<span></span><svg class="axis" aria-hidden="true">{labels}</svg>' if marks else ""
    drawn = "".join([*levels, *columns, *rules])
    return (
        f'<div class="plot"><p class="side">{escape(side.name)}</p>{head}'
        f'<svg class="levels" style="height:{height}px" aria-hidden="true">{shares}</svg>'
        f'<svg role="img" style="height:{height}px" aria-label="{escape(summary)}">{drawn}</svg>'
        f'<span></span><svg class="axis" aria-hidden="true">{_ticks(axis)}</svg>'
        f'<span></span><p class="axis-name">{escape(axis.name)}</p></div>'
    )


def heat(head: Sequence[str], rows: Sequence[tuple[str, Sequence[tuple[float, str, str] | None]]], corner: str) -> str:
    """A cross-table: each cell has a warmth from -1 (cold) over 0 to 1 (warm), a value and a small line below it."""
    columns = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = []
    for name, cells in rows:
        shown = []
        for cell in cells:
            if cell is None:
                shown.append('<td class="none">·</td>')
                continue
            warmth, value, small = cell
            name_of = "warm" if warmth >= 0 else "cold"
            strength = round(100 * min(abs(warmth), 1) * 0.8)
            shown.append(
                f'<td class="{name_of}" style="--heat:{strength}%">{escape(value)}<small>{escape(small)}</small></td>'
            )
        body.append(f'<tr><th scope="row">{escape(name)}</th>{"".join(shown)}</tr>')
    return (
        f'<div class="scroll"><table class="heat"><thead><tr><td>{escape(corner)}</td>{columns}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def parts(names: Sequence[str], rows: Sequence[tuple[str, Sequence[float], str]], axis: Axis) -> str:
    """Bars cut into named parts: each row has a label, its shares and some words."""
    keys = "".join(f'<li><i class="k{n}"></i>{escape(name)}</li>' for n, name in enumerate(names))
    drawn = [f'<ul class="legend">{keys}</ul><div class="{_rows_class(label for label, _, _ in rows)}">']
    for label, shares, text in rows:
        left, bars = 0.0, []
        for n, (name, share) in enumerate(zip(names, shares, strict=True)):
            width = 100 * max(share, 0)
            bars.append(
                f'<rect class="p{n}" x="{left:.2f}%" y="15%" width="{width:.2f}%" height="70%">'
                f"<title>{escape(name)}: {escape(axis.show(share))}</title></rect>"
            )
            left += width
        drawn.append(
            f'<span class="label">{escape(label)}</span><svg class="track" aria-hidden="true">{"".join(bars)}</svg>'
            f'<span class="value">{escape(text)}</span>'
        )
    return "".join(drawn) + f"{_below(axis)}</div>"


def hundred(counts: Sequence[tuple[int, str]]) -> str:
    """A hundred matches as dots: up to three kinds in turn, full, half and hollow, with what they are."""
    kinds = [kind for kind, (count, _) in enumerate(counts) for _ in range(count)]
    dots = []
    for n, kind in enumerate(kinds):
        x, y = 10 + 20 * (n % 20), 10 + 20 * (n // 20)
        dots.append(f'<circle class="d{kind}" cx="{x}" cy="{y}" r="7"/>')
        if kind == 1:
            dots.append(f'<path class="d1h" d="M{x} {y - 7}a7 7 0 0 0 0 14z"/>')
    items = []
    for kind, (count, text) in enumerate(counts):
        half = '<path class="d1h" d="M8 1a7 7 0 0 0 0 14z"/>' if kind == 1 else ""
        key = f'<svg class="key" aria-hidden="true"><circle class="d{kind}" cx="8" cy="8" r="7"/>{half}</svg>'
        items.append(f"<li>{key}<b>{count}</b> {escape(text)}</li>")
    return (
        f'<svg class="hundred" viewBox="0 0 400 100" aria-hidden="true">{"".join(dots)}</svg>'
        f'<ul class="legend column">{"".join(items)}</ul>'
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A plain table: the first `left` columns are words, the others numbers."""
    columns = "".join(f'<th scope="col"{_side(k, left)}>{escape(name)}</th>' for k, name in enumerate(head))
    body = "".join(
        "<tr>" + "".join(f"<td{_side(k, left)}>{escape(cell)}</td>" for k, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div>'


def _side(column: int, left: int) -> str:
    return ' class="word"' if column < left else ""


def _rows_class(labels: Iterable[str]) -> str:
    """On a phone long labels stand above their marks."""
    return "rows long" if any(len(label) > 12 for label in labels) else "rows"


def _rule(place: float, name: str) -> str:
    return f'<line class="{name}" x1="{place}%" x2="{place}%" y1="0" y2="100%"/>'


def _level(y: float) -> str:
    return f'<line class="grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'


def _bar(start: float, end: float, series: int) -> str:
    left = min(start, end)
    return f'<rect class="f{series} soft" x="{left}%" y="30%" width="{abs(end - start):.2f}%" height="40%"/>'


def _band(axis: Axis, row: Row) -> str:
    if row.band is None:
        return ""
    low, high = (axis.at(end) for end in row.band)
    return f'<rect class="band" x="{low}%" y="0" width="{high - low:.2f}%" height="100%"/>'


def _whisker(axis: Axis, row: Row) -> str:
    low, high = axis.at(row.low), axis.at(row.high)
    return (
        f'<line class="l{row.series}" x1="{low}%" x2="{high}%" y1="50%" y2="50%"/>'
        f'<svg x="{axis.at(row.value)}%" y="50%" overflow="visible">'
        f'<path class="m{row.series}" d="{SHAPES[row.series % len(SHAPES)]}"/></svg>'
    )


def _anchor(place: float) -> str:
    return "start" if place < 12 else "end" if place > 88 else "middle"


def _above(axis: Axis, value: float, text: str) -> str:
    place = axis.at(value)
    return f'<text class="ref-name" x="{place}%" y="14" text-anchor="{_anchor(place)}">{escape(text)}</text>'


def _below(axis: Axis) -> str:
    """The last lines of rows: the numbers of the axis and its name."""
    return (
        f'<i></i><svg class="axis" aria-hidden="true">{_ticks(axis)}</svg><span></span>'
        f'<i></i><p class="axis-name">{escape(axis.name)}</p><span></span>'
    )


def _ticks(axis: Axis) -> str:
    """The numbers below an axis; every other one is left out where there is little room."""
    names = [(_minor(axis.scale, n), axis.at(tick), escape(axis.show(tick))) for n, tick in enumerate(axis.scale.ticks)]
    return "".join(f'<text{minor} x="{at}%" y="15" text-anchor="middle">{name}</text>' for minor, at, name in names)


def _minor(axis: Scale, place: int) -> str:
    """Zero stays, else the first."""
    zero = axis.ticks.index(0) if 0 in axis.ticks else 0
    return ' class="minor"' if len(axis.ticks) > 3 and (place - zero) % 2 else ""
