"""The page of a simulation, or of several that differ in one thing, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from math import hypot, sqrt

from ludotheque.bots.ladder import RANDOM
from ludotheque.core import registry
from ludotheque.core.figures import TABLE
from ludotheque.core.game import Game
from ludotheque.lab import charts
from ludotheque.lab.answer import seat_error, simulation_answer, warnings
from ludotheque.lab.charts import Axis, Row, Scale, scale
from ludotheque.lab.sheet import answers, by_clock, details, facts, footer, opening, section, shell
from ludotheque.lab.statistics import Estimate
from ludotheque.lab.summary import Figure, Seat, Spread, Summary, Z, column_label, figure_axis, figure_title, row_label
from ludotheque.lab.vary import compare, limit
from ludotheque.lab.words import even, level, mark, number, option_name, option_value, percent, percent_range, say

SHOWN = 0.999
"""The part of a histogram that is drawn; the rest is given in words."""
NARROWEST = 0.1
"""How far a scale of wins goes to either side of the fair share at least: chance is not blown up to look like more."""

Found = Sequence[Sequence[tuple[Estimate, float] | None]]
"""Values with their standard errors, by run, then by group."""


def simulation_page(summaries: Sequence[Summary], lang: str = "en") -> str:
    """Who wins from which seat, scores, length, the game's own figures; several runs are compared with the first."""
    return _Page(summaries, lang).html()


class _Page:
    def __init__(self, summaries: Sequence[Summary], lang: str) -> None:
        self.runs = list(summaries)
        self.lang = lang
        self.first = self.runs[0]
        self.game: Game = registry.load(self.first.plan.game)
        self.varied = self.first.value.partition("=")[0]
        self.labels = [self._label(run) for run in self.runs]
        self.is_one = len(self.runs) == 1
        self.limit = limit(compare(self.varied, self.labels, self.runs).comparisons)

    def say(self, key: str, **params: object) -> str:
        return say(self.lang, f"simulation.{key}", **params)

    def number(self, value: float, digits: int | None = None) -> str:
        return number(self.lang, value, digits)

    def percent(self, share: float, digits: int = 1) -> str:
        return percent(self.lang, share, digits)

    def tick(self, share: float) -> str:
        """A share without digits that say nothing."""
        return self.percent(share, _digits(share))

    def _label(self, run: Summary) -> str:
        name, _, value = run.value.partition("=")
        if name == "players":
            return say(self.lang, "num_players", n=run.plan.players)
        if name == "bots":
            return ", ".join(level(self.lang, bot) for bot in value.split("+"))
        return option_value(self.game, self.lang, name, value)

    def html(self) -> str:
        name = self.game.info.name
        games = say(self.lang, "num_matches", n=self.first.games).replace(
            str(self.first.games), self.number(self.first.games)
        )
        title = self.say("title", game=name, games=games)
        if not self.is_one:
            title = self.say("title_vary", game=name, name=option_name(self.game, self.lang, self.varied))
        body = opening(simulation_answer(self.runs, self.lang), warnings(self.runs, self.lang))
        body += answers(self._answers())
        body += "" if self.is_one else f'<p class="note">{escape(self.say("star"))}</p>\n'
        body += section(self.say("who"), [self._wins(), self._places()])
        body += section(self.say("scores"), [self._spreads("score"), self._scores()])
        body += section(self.say("length"), [self._lengths(), self._spreads("moves"), self._spreads("rounds")])
        body += section(self.say("own"), [self._figure(figure) for figure in self.first.figures])
        body += details(self.lang, self._tables())
        clock = by_clock(self.game, self.first.plan.bots, self.first.plan.budget)
        foot = [self.say("how"), footer(self.lang, self.first.plan.seed, clock)]
        return shell(self.lang, self.say("kicker"), title, self._lede(games), body, foot)

    def _lede(self, games: str) -> list[str]:
        plan = self.first.plan
        changed = {
            option.name: plan.options[option.name]
            for option in self.game.info.options
            if option.kind != "texts" and plan.options[option.name] != option.default and option.name != self.varied
        }
        names = [level(self.lang, name) for name in dict.fromkeys(plan.bots)]
        seated = self.say("random") if set(plan.bots) == {RANDOM} else self.say("bots", bots=", ".join(names))
        players = "" if self.varied == "players" else say(self.lang, "num_players", n=plan.players)
        seated = "" if self.varied == "bots" else seated
        games = games if self.is_one else self.say("each", games=games)
        lines = facts(self.game, self.lang, players, seated, games, options=changed)
        for run in self.runs:
            if not run.is_whole:
                lines.append(self.say("stopped", done=self.number(run.games), asked=self.number(run.plan.games)))
        return lines

    def _answers(self) -> list[tuple[str, str, str]]:
        return self._answers_of_one() if self.is_one else self._answers_of_many()

    def _answers_of_one(self) -> list[tuple[str, str, str]]:
        run = self.first
        fair = 1 / run.plan.players
        best = max(run.seats, key=lambda seat: abs(seat.wins - fair))
        # The seat that is furthest off is the worst of several: the limit allows for their number.
        is_fair = abs(best.wins - fair) <= limit(run.plan.players) * seat_error(run)
        wins = Estimate(best.wins, best.wins_low, best.wins_high)
        facts = {"fair": self.tick(fair), "wins": self.percent(best.wins), "interval": percent_range(self.lang, wins)}
        seat = (self.percent(best.wins), self.say("best_seat", n=best.seat + 1), self.say("fair_is", **facts))
        if is_fair:
            more = self.say("furthest", n=best.seat + 1, **facts)
            seat = (self.tick(fair), self.say("best_seat_level"), more)
        moves, rounds, score = run.moves_spread, run.rounds_spread, run.score
        return [
            seat,
            (
                self.number(rounds.quantiles[2]),
                self.say("lasts", n=rounds.quantiles[2]),
                self.say(
                    "lasts_more",
                    moves=self.number(moves.quantiles[2]),
                    low=self.number(moves.quantiles[0]),
                    high=self.number(moves.quantiles[4]),
                ),
            ),
            (
                self.number(score.mean),
                self.say("typical"),
                self.say("typical_more", low=self.number(score.quantiles[1]), high=self.number(score.quantiles[3])),
            ),
        ]

    def _answers_of_many(self) -> list[tuple[str, str, str]]:
        """The length, and the seat whose wins change most if any do."""
        last, label = self.runs[-1], self.labels[-1]
        old, new = self.first.moves_spread.mean, last.moves_spread.mean
        more = self.say("longer_more", before=self.number(old), first=self.labels[0])
        cards = [(self.number(new), self.say("longer", last=label), more)]
        pairs = list(zip(self.first.seats, last.seats, strict=False))
        before, after = max(pairs, key=lambda pair: abs(pair[1].wins - pair[0].wins))
        cells = _wins(after, last), _wins(before, self.first)
        if self.varied != "players" and abs(after.wins - before.wins) > self._by_chance(*cells):
            names = {"label": self._seat(after), "before": self.percent(before.wins), "after": self.percent(after.wins)}
            change = number(self.lang, 100 * (after.wins - before.wins), 1, sign=True)
            what = self.say("largest_more", first=self.labels[0], last=label)
            cards.insert(0, (change, self.say("largest", **names), what))
        return cards

    def _seat(self, seat: Seat) -> str:
        bots = {one.bot for one in self.first.seats}
        if len(bots) > 1 and self.varied != "bots":
            return self.say("seat_bot", n=seat.seat + 1, bot=level(self.lang, seat.bot))
        return self.say("seat", n=seat.seat + 1)

    def _by_chance(self, one: tuple[Estimate, float], other: tuple[Estimate, float]) -> float:
        """By how much two values may differ by chance alone.

        The limit is that of the comparison in text: all of it together errs once in twenty times.
        """
        return self.limit * hypot(one[1], other[1])

    def _compare(
        self,
        groups: Sequence[str],
        found: Found,
        axis: Callable[[list[float]], Axis],
        *,
        is_share: bool,
        show: Callable[[float], str] | None = None,
        reference: tuple[float, str] | None = None,
        centre: float | None = None,
        zero: bool = False,
    ) -> str:
        """Rows for each group, with those of all runs below each other.

        A band shows what chance alone would give: around the first run's value, or around `centre` if there is one run
        only. Empty if there is nothing to draw.
        """
        show = show or (self.percent if is_share else self.number)
        rows = []
        for k, group in enumerate(groups):
            for n, column in enumerate(found):
                cell = column[k] if k < len(column) else None
                if cell is None:
                    continue
                base = found[0][k] if n and k < len(found[0]) else None
                band, sign = None, ""
                if base is not None:
                    middle, half = base[0].mean, self._by_chance(cell, base)
                    band = middle - half, middle + half
                    sign = mark(self.lang, cell[0].mean - middle, is_share) if abs(cell[0].mean - middle) > half else ""
                elif centre is not None and self.is_one:
                    half = limit(len(groups)) * cell[1]
                    band = centre - half, centre + half
                label, heading = (group, "") if self.is_one else (self.labels[n], group)
                text = show(cell[0].mean)
                rows.append(Row.of(label, cell[0], text, series=n % 8, mark=sign, group=heading, band=band))
        if not rows:
            return ""
        ends = [x for row in rows for x in (row.low, row.high, *(row.band or ()), *([0.0] if zero else []))]
        return charts.intervals(rows, axis(ends), reference, zero)

    def _with_band(self, key: str) -> str:
        """A note, with what bands mean in it if there is one run only; for several the page says so once."""
        return f"{self.say(key)} {self.say('band')}" if self.is_one else self.say(key)

    def _wins(self) -> str:
        widest = max(self.runs, key=lambda run: run.plan.players)
        groups = [self._seat(seat) for seat in widest.seats]
        found = [[_wins(seat, run) for seat in run.seats] for run in self.runs]
        if self.varied == "players":  # what is fair differs: how far from it?
            shifted = [
                [_less(cell, 1 / run.plan.players) for cell in row] for run, row in zip(self.runs, found, strict=True)
            ]
            points = partial(number, self.lang, digits=1, sign=True)

            def beyond(values: list[float]) -> Axis:
                ends = scale([-NARROWEST, NARROWEST, *values], 4)
                return Axis(ends, lambda x: number(self.lang, 100 * x, 0, sign=True), self.say("beyond_axis"))

            chart = self._compare(
                groups,
                shifted,
                beyond,
                is_share=True,
                show=lambda x: points(100 * x),
                reference=(0.0, self.say("fair_share")),
            )
            return charts.figure(self.say("wins"), chart, self.say("beyond_note"))
        fair = 1 / self.first.plan.players
        reference = (fair, self.say("fair", fair=self.tick(fair)))

        def axis(values: list[float]) -> Axis:
            ends = scale([*values, max(fair - NARROWEST, 0), fair + NARROWEST], 4, (0.0, 1.0))
            return Axis(ends, self.tick, self.say("wins_axis"))

        chart = self._compare(groups, found, axis, is_share=True, reference=reference, centre=fair)
        return charts.figure(self.say("wins"), chart, self._with_band("wins_note"))

    def _places(self) -> str:
        """The places of each seat as a heat map, for one run."""
        run = self.first
        if not self.is_one or run.plan.players < 3:
            return ""
        fair = 1 / run.plan.players
        by_chance = limit(run.plan.players**2) * seat_error(run)

        def warmth(share: float) -> float:
            """Half again as often as the fair share is as warm as it gets; what chance alone gives has no warmth."""
            return 0.0 if abs(share - fair) <= by_chance else (share - fair) / fair / 0.5

        rows: list[tuple[str, list[tuple[float, str, str] | None]]] = []
        for seat in run.seats:
            shares = [count / run.games for count in seat.places]
            rows.append((self._seat(seat), [(warmth(share), self.percent(share), "") for share in shares]))
        head = [self.say("place", n=n + 1) for n in range(run.plan.players)]
        body = charts.heat(head, rows, self.say("seats_corner"))
        return charts.figure(self.say("places"), body, self.say("places_note"), wide=run.plan.players > 4)

    def _lengths(self) -> str:
        """The mean length of each run."""
        if self.is_one:
            return ""
        found = [[(_mean(run.moves_spread), _error(run.moves_spread))] for run in self.runs]
        axis = partial(self._axis, name=self.say("moves_axis"))
        chart = self._compare([""], found, axis, is_share=False, zero=True)
        return charts.figure(self.say("lengths"), chart, self.say("lengths_note"))

    def _axis(self, values: list[float], name: str, is_share: bool = False) -> Axis:
        ends = scale(values, 4, (0.0, 1.0) if is_share else (None, None))
        return Axis(ends, self.tick if is_share else even(self.lang, ends.ticks), name)

    def _spreads(self, what: str) -> str:
        """A histogram for each run, on common scales; nothing if the number is always the same."""
        spreads = [getattr(run, what if what == "score" else f"{what}_spread") for run in self.runs]
        if all(spread.least == spread.most == spreads[0].least for spread in spreads):
            return ""
        bars = [_bars(spread) for spread in spreads]
        ends = _over(
            scale([x for one in bars for low, high, *_ in one for x in (low + 0.5, high - 0.5)], 6, whole=True),
            [x for one in bars for low, high, *_ in one for x in (low, high)],
        )
        axis = Axis(ends, even(self.lang, ends.ticks), self.say(f"{what}_axis"))
        top = scale([0.0, *(share for one in bars for _, _, share, _ in one)], 3)
        side = Axis(top, self.tick, self.say("players_share" if what == "score" else "matches_share"))
        body = ""
        for n, (spread, columns) in enumerate(zip(spreads, bars, strict=True)):
            note = self._spread_note(what, spread)
            mean = (spread.mean, self.say("mean_mark", mean=self.number(spread.mean)))
            chart = charts.histogram(columns, axis, side, note, [mean], n % 8)
            head = "" if self.is_one else f"<h4>{escape(self.labels[n])}</h4>"
            body += f'<div class="panel">{head}{chart}</div>'
        title = self.say("score_spread" if what == "score" else what)
        return charts.figure(title, body, self._spread_note(what, spreads[0]) if self.is_one else "")

    def _spread_note(self, what: str, spread: Spread) -> str:
        mean, most = self.number(spread.mean), self.number(spread.most)
        if what == "score":
            return self.say(
                "score_note", mean=mean, sd=self.number(spread.sd), least=self.number(spread.least), most=most
            )
        median, most_all = self.number(spread.quantiles[2]), self.number(spread.quantiles[4])
        return self.say("length_note", mean=mean, median=median, most_all=most_all, most=most)

    def _scores(self) -> str:
        """The mean score of each seat, on a scale as wide as scores spread by themselves."""
        widest = max(self.runs, key=lambda run: run.plan.players)
        found = [[(_mean(seat.score), _error(seat.score)) for seat in run.seats] for run in self.runs]
        groups = [self._seat(seat) for seat in widest.seats]
        usual = [run.score.mean + side * run.score.sd / 2 for run in self.runs for side in (-1, 1)]
        chart = self._compare(
            groups,
            found,
            lambda values: self._axis([*usual, *values], self.say("score_axis")),
            is_share=False,
            centre=self.first.score.mean,
        )
        return charts.figure(self.say("score_seats"), chart, self._with_band("score_seats_note"))

    def _figure(self, figure: Figure) -> str:
        """One of the game's own figures; nothing if nothing of it happened."""
        title = figure_title(self.game.id, figure, self.lang)
        name = figure_axis(self.game.id, figure, self.lang)
        if figure.kind == TABLE:
            heats = [self._heat(run.figure(figure.name)) for run in self.runs]
            body = "".join(
                ("" if self.is_one else f"<h4>{escape(label)}</h4>") + heat
                for heat, label in zip(heats, self.labels, strict=True)
                if heat
            )
            return charts.figure(title, body, name, wide=True) if body else ""
        labels = [row.label for row in figure.rows]
        found: list[list[tuple[Estimate, float] | None]] = []
        for run in self.runs:
            by_label = {row.label: row for row in run.figure(figure.name).rows}
            found.append(
                [
                    (Estimate(row.value, row.low, row.high), row.error or 0.0)
                    if row is not None and row.value is not None and row.low is not None and row.high is not None
                    else None
                    for row in map(by_label.get, labels)
                ]
            )
        kept = [k for k in range(len(labels)) if any(column[k] is not None and _counts(column[k]) for column in found)]
        groups = [row_label(self.game.id, figure, labels[k], self.lang) for k in kept]
        found = [[column[k] for k in kept] for column in found]
        is_share = figure.is_share
        axis = partial(self._axis, name=name, is_share=is_share)
        chart = self._compare(groups, found, axis, is_share=is_share, zero=True)
        return charts.figure(title, chart) if chart else ""

    def _heat(self, figure: Figure) -> str:
        labels = list(dict.fromkeys(row.label for row in figure.rows))
        columns = list(dict.fromkeys(row.column for row in figure.rows))
        cells = {(row.label, row.column): row for row in figure.rows}
        most = max((row.value or 0.0 for row in figure.rows), default=0.0) or 1.0
        rows = []
        for label in labels:
            line: list[tuple[float, str, str] | None] = []
            for column in columns:
                row = cells.get((label, column))
                known = row is not None and row.value is not None and row.count
                line.append(((row.value or 0.0) / most, self.percent(row.value or 0.0), "") if row and known else None)
            if any(cell is not None for cell in line):
                rows.append((row_label(self.game.id, figure, label, self.lang), line))
        head = [column_label(self.game.id, figure, column, self.lang) for column in columns]
        return charts.heat(head, rows, "") if rows else ""

    def _tables(self) -> list[str]:
        keys = ("seat", "wins", "mean", "sd", "low", "median", "high")
        head = [self.say(f"{key}_column") for key in keys]
        head.insert(2, say(self.lang, "interval"))
        tables = []
        for run, label in zip(self.runs, self.labels, strict=True):
            rows = []
            for seat in run.seats:
                wins = Estimate(seat.wins, seat.wins_low, seat.wins_high)
                quantiles = [self.number(seat.score.quantiles[k]) for k in (0, 2, 4)]
                score = [self.number(seat.score.mean), self.number(seat.score.sd), *quantiles]
                rows.append([self._seat(seat), self.percent(seat.wins, 2), percent_range(self.lang, wins, 2), *score])
            tables += ["" if self.is_one else f"<h4>{escape(label)}</h4>", charts.table(head, rows)]
            tables += [self._figure_table(run, figure) for figure in run.figures if any(r.count for r in figure.rows)]
        return tables

    def _figure_table(self, run: Summary, figure: Figure) -> str:
        title = figure_title(self.game.id, figure, self.lang)
        head = [title, self.say("value_column"), say(self.lang, "interval"), self.say("count_column")]
        rows = []
        for row in figure.rows:
            label = row_label(self.game.id, figure, row.label, self.lang)
            if row.column:
                label = f"{label} · {column_label(self.game.id, figure, row.column, self.lang)}"
            if row.value is None or row.low is None or row.high is None:
                rows.append([label, "–", "–", "0"])
            elif figure.is_share:
                interval = percent_range(self.lang, Estimate(row.value, row.low, row.high), 2)
                rows.append([label, self.percent(row.value, 2), interval, self.number(row.count)])
            else:
                interval = f"{self.number(row.low)} – {self.number(row.high)}"
                rows.append([label, self.number(row.value), interval, self.number(row.count)])
        return charts.table(head, rows)


def _wins(seat: Seat, run: Summary) -> tuple[Estimate, float]:
    return Estimate(seat.wins, seat.wins_low, seat.wins_high), sqrt(seat.wins * (1 - seat.wins) / run.games)


def _less(cell: tuple[Estimate, float], amount: float) -> tuple[Estimate, float]:
    one, error = cell
    return Estimate(one.mean - amount, one.low - amount, one.high - amount), error


def _mean(spread: Spread) -> Estimate:
    return Estimate(spread.mean, spread.low, spread.high)


def _error(spread: Spread) -> float:
    return (spread.high - spread.low) / (2 * Z)


def _counts(cell: tuple[Estimate, float] | None) -> bool:
    """Whether something happened at all."""
    return cell is not None and cell[0].mean != 0


def _digits(share: float) -> int:
    """Digits that a share on an axis needs."""
    return 0 if abs(100 * share - round(100 * share)) < 1e-9 else 1


def _over(axis: Scale, values: Sequence[float]) -> Scale:
    """The same ticks over no more than the values need."""
    low, high = min(values), max(values)
    margin = 0.02 * (high - low)
    ticks = tuple(tick for tick in axis.ticks if low - margin <= tick <= high + margin)
    return Scale(low - margin, high + margin, ticks)


def _bars(spread: Spread) -> list[tuple[float, float, float, str]]:
    """The bars that hold nearly all, as ends, share and name."""
    shown, total = [], 0
    for bar in spread.histogram:
        if total >= SHOWN * spread.count:
            break
        total += bar.count
        name = f"{bar.low}" if bar.low == bar.high else f"{bar.low} – {bar.high}"
        shown.append((bar.low - 0.5, bar.high + 0.5, bar.count / spread.count, name))
    return shown
