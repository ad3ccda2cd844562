"""The page of a tournament."""

from __future__ import annotations

from functools import partial

from ludotheque.core import registry
from ludotheque.lab import charts
from ludotheque.lab.answer import lead, tournament_answer
from ludotheque.lab.charts import Axis, Row, scale
from ludotheque.lab.sheet import answers, by_clock, details, facts, footer, opening, section, shell
from ludotheque.lab.statistics import Estimate
from ludotheque.lab.tournament import Cell, Result, Standing
from ludotheque.lab.words import even, level, number, percent, percent_range, range_of, say


def tournament_page(result: Result, lang: str = "en") -> str:
    """Standings, the cross-table as a heat map, and how sure it all is."""
    game = registry.load(result.game)
    tell = partial(say, lang)
    share = partial(percent, lang, digits=0)
    deals = tell("num_deals", n=result.deals)
    best = result.standings[0]
    widest = max(result.cells, key=lambda cell: abs(cell.wins.mean - cell.fair))
    matches = sum(cell.matches for cell in result.cells)
    fair = share(widest.fair)
    body = opening(tournament_answer(result, lang))
    body += answers(
        [
            (
                level(lang, best.name),
                tell("tournament.best" if lead(result)[0] == "strongest" else "tournament.best_perhaps"),
                tell("tournament.best_rating", rating=_rating(lang, best.rating), interval=_range(lang, best)),
            ),
            (
                percent(lang, widest.wins.mean),
                tell("tournament.gap", hero=level(lang, widest.hero), rival=level(lang, widest.rival)),
                tell("tournament.gap_fair", fair=fair, interval=percent_range(lang, widest.wins)),
            ),
            (number(lang, matches), tell("tournament.played"), tell("tournament.played_deals", deals=deals)),
        ]
    )
    body += section(
        "", [_ladder(result, lang), _cross_table(result, lang), _pairings(result, lang), _points(result, lang)]
    )
    body += details(lang, _tournament_tables(result, lang))
    lede = facts(game, lang, tell("num_players", n=result.players), deals, result.budget or "", options=result.options)
    title = tell("tournament.title", game=game.info.name)
    foot = [
        tell("tournament.how"),
        footer(lang, result.seed, by_clock(game, [s.name for s in result.standings], result.budget)),
    ]
    return shell(lang, tell("tournament.kicker"), title, lede, body, foot)


def _rating(lang: str, value: float) -> str:
    return number(lang, value, 0, sign=True)


def _range(lang: str, standing: Standing) -> str:
    return f"{_rating(lang, standing.rating_low)} … {_rating(lang, standing.rating_high)}"


def _ladder(result: Result, lang: str) -> str:
    rows = [
        Row(level(lang, s.name), s.rating, s.rating_low, s.rating_high, _rating(lang, s.rating))
        for s in result.standings
    ]
    ends = scale([0.0, *(x for row in rows for x in (row.low, row.high))])
    axis = Axis(ends, partial(_rating, lang), say(lang, "tournament.ladder_axis"))
    body = charts.intervals(rows, axis, zero=True)
    return charts.figure(
        say(lang, "tournament.ladder"), body, say(lang, "tournament.ladder_note", ten=400), len(rows) > 4
    )


def _cross_table(result: Result, lang: str) -> str:
    names = [standing.name for standing in result.standings]
    found = {(cell.hero, cell.rival): cell for cell in result.cells}
    fair = result.cells[0].fair
    rows = []
    for hero in names:
        cells: list[tuple[float, str, str] | None] = []
        for rival in names:
            cell, other = found.get((hero, rival)), found.get((rival, hero))
            if cell is not None:
                wins, low, high = cell.wins.mean, cell.wins.low, cell.wins.high
            elif other is not None:  # between two sides one order says it all
                wins, low, high = 1 - other.wins.mean, 1 - other.wins.high, 1 - other.wins.low
            else:
                cells.append(None)
                continue
            warmth = (wins - fair) / (1 - fair) if wins >= fair else (wins - fair) / fair
            small = f"{number(lang, 100 * low, 0)}–{number(lang, 100 * high, 0)}"
            cells.append((warmth, percent(lang, wins, 0), small))
        rows.append((level(lang, hero), cells))
    body = charts.heat([level(lang, name) for name in names], rows, say(lang, "tournament.wins_corner"))
    note = say(lang, "tournament.wins_note", fair=percent(lang, fair, 0))
    return charts.figure(say(lang, "tournament.wins"), body, note, wide=len(names) > 4)


def _row(cell: Cell, lang: str, estimate: Estimate, text: str, even: float) -> Row:
    """A pairing, under the name of the one who is alone; what chance alone would give is around `even`."""
    against = say(lang, "tournament.among", rival=level(lang, cell.rival))
    return Row.of(against, estimate, text, group=level(lang, cell.hero), band=charts.around(even, estimate))


def _pairings(result: Result, lang: str) -> str:
    tell = partial(say, lang)
    fair = result.cells[0].fair
    rows = [_row(cell, lang, cell.wins, percent(lang, cell.wins.mean), fair) for cell in result.cells]
    reference = (fair, tell("tournament.fair", fair=percent(lang, fair, 0)))
    axis = Axis(scale([0.0, 1.0], 4), partial(percent, lang, digits=0), tell("tournament.pairings_axis"))
    note = f"{tell('tournament.pairings_note')} {tell('tournament.band')}"
    return charts.figure(tell("tournament.pairings"), charts.intervals(rows, axis, reference), note)


def _points(result: Result, lang: str) -> str:
    tell = partial(say, lang)
    rows = [_row(cell, lang, cell.points, number(lang, cell.points.mean, sign=True), 0.0) for cell in result.cells]
    ends = scale([0.0, *(x for row in rows for x in (row.low, row.high, *(row.band or ())))], 4)
    axis = Axis(ends, even(lang, ends.ticks, sign=True), tell("tournament.points_axis"))
    note = f"{tell('tournament.points_note')} {tell('tournament.band')}"
    return charts.figure(tell("tournament.points"), charts.intervals(rows, axis, (0.0, tell("tournament.even"))), note)


def _tournament_tables(result: Result, lang: str) -> list[str]:
    tell = partial(say, lang)
    head = [tell(key) for key in ("tournament.hero", "tournament.rivals", "tournament.share", "interval")]
    head += [tell(key) for key in ("tournament.fair_column", "tournament.ahead", "interval")]
    cells = [
        [
            level(lang, cell.hero),
            level(lang, cell.rival),
            percent(lang, cell.wins.mean),
            percent_range(lang, cell.wins),
            percent(lang, cell.fair, 0),
            number(lang, cell.points.mean, sign=True),
            range_of(lang, cell.points),
        ]
        for cell in result.cells
    ]
    standings = [
        [
            level(lang, s.name),
            _rating(lang, s.rating),
            _range(lang, s),
            number(lang, s.moves),
            number(lang, s.ms_per_move, 2),
        ]
        for s in result.standings
    ]
    titles = [tell("bot"), tell("tournament.rating"), tell("interval"), tell("tournament.moves"), tell("tournament.ms")]
    return [charts.table(head, cells, 2), charts.table(titles, standings)]
