"""What a simulation found out, as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludotheque.bots.ladder import RANDOM
from ludotheque.core import registry
from ludotheque.core.figures import TABLE
from ludotheque.core.texts import shared
from ludotheque.lab.answer import simulation_answer, warnings
from ludotheque.lab.report import columns
from ludotheque.lab.summary import Figure, Row, Spread, Summary, column_label, figure_title, row_label
from ludotheque.lab.vary import CONFIDENCE, Comparison, Entry, labelled
from ludotheque.lab.words import DOWN, UP, level, mark, number, option_name, option_value, options_line, percent

NONE = "–"


def _say(lang: str, key: str, **params: Any) -> str:
    return shared(lang).say(f"simulate.{key}", params)


def _mean(lang: str, value: float, scale: float | None = None) -> str:
    """A mean with as many digits as fit its size, or that of `scale`."""
    size = abs(value if scale is None else scale)
    return number(lang, value, 0 if size >= 1000 else 1 if size >= 100 else 2)


def title(summary: Summary, lang: str = "en") -> str:
    """What was played, in a line."""
    plan = summary.plan
    names = dict.fromkeys(plan.bots) if len(set(plan.bots)) == 1 else plan.bots
    who = ", ".join(_say(lang, "random_play") if bot == RANDOM else level(lang, bot) for bot in names)
    name = registry.load(plan.game).info.name
    return _say(lang, "title", game=name, players=plan.players, n=number(lang, summary.games), who=who)


def conditions(summary: Summary, lang: str = "en") -> str:
    """The options that are not the game's own choice, and the seed, in a line."""
    game, given = registry.load(summary.plan.game), summary.plan.options
    told = {
        option.name: given[option.name]
        for option in game.info.options
        if option.kind != "texts" and given[option.name] != option.default
    }
    seed = _say(lang, "seed", seed=summary.plan.seed)
    return " · ".join([options_line(game, lang, told), seed] if told else [seed])


def simulation_lines(summary: Summary, lang: str = "en") -> list[str]:
    """A run: seats, scores, length, and the game's own figures."""
    lines = [*_opening([summary], lang), title(summary, lang), conditions(summary, lang)]
    if not summary.is_whole:
        lines.append(_say(lang, "stopped", done=number(lang, summary.games), total=number(lang, summary.plan.games)))
    lines += ["", *_seat_lines(summary, lang), "", *_spread_lines(summary, lang)]
    for figure in summary.figures:
        if any(row.count for row in figure.rows):
            lines += ["", figure_title(summary.plan.game, figure, lang)]
            make = _table_lines if figure.kind == TABLE else _figure_lines
            lines += [f"  {line}" for line in make(summary.plan.game, figure, lang)]
    return [*lines, "", _say(lang, "note")]


def _opening(summaries: Sequence[Summary], lang: str) -> list[str]:
    """What there is to beware of, and the answer."""
    return [*warnings(summaries, lang), simulation_answer(summaries, lang), ""]


def _seat_lines(summary: Summary, lang: str) -> list[str]:
    rows = [[_say(lang, key) for key in ("seat", "player", "wins", "interval")]]
    for seat in summary.seats:
        interval = _interval(lang, seat.wins_low, seat.wins_high, True)
        rows.append([str(seat.seat + 1), level(lang, seat.bot), percent(lang, seat.wins, 2), interval])
    return columns(rows, 2)


def _spread_lines(summary: Summary, lang: str) -> list[str]:
    head = [_say(lang, key) for key in ("per_match", "mean", "interval", "sd", "least")]
    rows = [[*head, "5 %", "25 %", "50 %", "75 %", "95 %", _say(lang, "most")]]

    def add(name: str, spread: Spread) -> None:
        rows.append(
            [
                name,
                _mean(lang, spread.mean),
                _interval(lang, spread.low, spread.high, False),
                _mean(lang, spread.sd),
                *(number(lang, value) for value in (spread.least, *spread.quantiles, spread.most)),
            ]
        )

    for seat in summary.seats:
        add(_say(lang, "score_of", seat=seat.seat + 1), seat.score)
    add(_say(lang, "score_of_all"), summary.score)
    add(_say(lang, "moves"), summary.moves_spread)
    add(_say(lang, "rounds"), summary.rounds_spread)
    return columns(rows, 1)


def _interval(lang: str, low: float | None, high: float | None, is_share: bool) -> str:
    if low is None or high is None:
        return NONE
    if is_share:
        return f"{number(lang, 100 * low, 2)} – {number(lang, 100 * high, 2)}"
    return f"{_mean(lang, low, high)} – {_mean(lang, high)}"


def _value(lang: str, value: float | None, is_share: bool) -> str:
    if value is None:
        return NONE
    return percent(lang, value, 2) if is_share else _mean(lang, value)


def _figure_lines(game: str, figure: Figure, lang: str) -> list[str]:
    rows = [
        [
            row_label(game, figure, row.label, lang),
            _value(lang, row.value, figure.is_share),
            _interval(lang, row.low, row.high, figure.is_share),
            number(lang, row.count),
        ]
        for row in figure.rows
    ]
    return columns([["", "", _say(lang, "interval"), _say(lang, "of")], *rows], 1)


def _table_lines(game: str, figure: Figure, lang: str) -> list[str]:
    across = list(dict.fromkeys(row.column for row in figure.rows))
    down = list(dict.fromkeys(row.label for row in figure.rows))
    cells: dict[tuple[str, str], Row] = {(row.label, row.column): row for row in figure.rows}
    rows = [["", *(column_label(game, figure, column, lang) for column in across)]]
    for label in down:
        found = [cells.get((label, column)) for column in across]
        told = ["" if row is None else NONE if row.value is None else percent(lang, row.value, 1) for row in found]
        rows.append([row_label(game, figure, label, lang), *told])
    return columns(rows, 1)


def comparison_lines(comparison: Comparison, summaries: Sequence[Summary], lang: str = "en") -> list[str]:
    """Runs side by side, with marks where a run differs from the first."""
    game = registry.load(summaries[0].plan.game)
    name = option_name(game, lang, comparison.name)
    values = [option_value(game, lang, comparison.name, value) for value in comparison.values]
    rows = [[name, *(cell for value in values for cell in (value, ""))]]
    group = ""
    for heading, label, line in labelled(comparison, summaries, lang):
        if all(entry.value is None for entry in line.entries):
            continue
        if heading and heading != group:
            rows.append([heading, *[""] * 2 * len(values)])
        group = heading
        text = f"  {label}" if heading else _plain_label(line.group, label, lang)
        rows.append([text, *(cell for entry in line.entries for cell in _entry(lang, entry, line.is_share))])
    _pad_marks(rows)
    first = f"{name} {values[0]}"
    sure = number(lang, 100 * CONFIDENCE)
    note = _say(lang, "compare_note", first=first, up=UP, down=DOWN, sure=sure, n=comparison.comparisons)
    games = number(lang, summaries[0].games)
    heading = _say(lang, "compare_title", game=game.info.name, n=games)
    return [*_opening(summaries, lang), heading, "", *columns(rows, 1), "", note]


def _pad_marks(rows: list[list[str]]) -> None:
    """Marks begin below each other, right after their values."""
    for column in range(2, len(rows[0]), 2):
        width = max(len(row[column]) for row in rows)
        for row in rows:
            row[column] = row[column].ljust(width)


def _plain_label(group: str, label: str, lang: str) -> str:
    if group == "wins":
        return _say(lang, "wins_of", seat=int(label) + 1)
    return _say(lang, "score_of_all" if group == "score" else label)


def _entry(lang: str, entry: Entry, is_share: bool) -> tuple[str, str]:
    """A value, and where it differs from the first run's a mark with the size of the difference."""
    value = _value(lang, entry.value, is_share)
    if entry.change is None or not entry.mark:
        return value, ""
    return value, mark(lang, entry.change.mean, is_share)
