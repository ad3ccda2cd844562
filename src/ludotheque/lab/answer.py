"""What a report begins with: a warning where its figures are about something degenerate, then its answer in a sentence.

Sentences are made from the figures with their intervals, and say where a difference cannot be told from chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt

from ludotheque.bots.ladder import RANDOM
from ludotheque.core import registry
from ludotheque.core.game import Game
from ludotheque.lab import playing
from ludotheque.lab.luck import Finding, Skill
from ludotheque.lab.statistics import Estimate
from ludotheque.lab.summary import Row, Seat, Summary, Z
from ludotheque.lab.tournament import Cell, Result
from ludotheque.lab.vary import BOTS, limit
from ludotheque.lab.words import SPACE, level, number, option_name, option_value, percent, say

TOO_MANY = 0.05
"""A share of degenerate rounds or matches above this is said first."""


def degenerate(summary: Summary) -> list[Row]:
    """The shares of rounds or matches that did not end as they should, where there are too many of them."""
    found = []
    for figure in playing.figures(registry.load(summary.plan.game)):
        labels = {cell.label for cell in figure.cells if cell.is_degenerate}
        if labels:
            rows = summary.figure(figure.name).rows
            found += [row for row in rows if row.label in labels and (row.value or 0) > TOO_MANY]
    return found


def warnings(summaries: Sequence[Summary], lang: str) -> list[str]:
    """A sentence for each degenerate end that is too frequent in a run."""
    game = registry.load(summaries[0].plan.game)
    worst: dict[str, tuple[float, Summary]] = {}
    for summary in summaries:
        for row in degenerate(summary):
            if row.label not in worst or (row.value or 0) > worst[row.label][0]:
                worst[row.label] = row.value or 0, summary
    sentences = []
    for label, (share, summary) in worst.items():
        what = game.catalogue(lang).say(f"degenerate.{label}", {"share": percent(lang, share, 0)})
        where = "" if len(summaries) == 1 else f" ({_value(game, summary, lang)})"
        key = "answer.degenerate_random" if set(summary.plan.bots) == {RANDOM} else "answer.degenerate"
        sentences.append(say(lang, key, what=what + where))
    return sentences


def simulation_answer(summaries: Sequence[Summary], lang: str) -> str:
    """What one run says, or what the last value of several changes."""
    if len(summaries) == 1:
        return _answer_of_one(summaries[0], lang)
    first, other = summaries[0], _telling(summaries)
    game = registry.load(first.plan.game)
    length = _length_change(first, other, lang)
    edge = _edge_change(first, other, lang)
    name = first.value.partition("=")[0]
    facts = {"value": _value(game, other, lang), "base": _value(game, first, lang)}
    return say(lang, "answer.change", name=_opened(option_name(game, lang, name)), length=length, edge=edge, **facts)


def _opened(name: str) -> str:
    """A name as it stands at the beginning of a sentence."""
    return name[:1].upper() + name[1:]


def _value(game: Game, summary: Summary, lang: str) -> str:
    name, _, value = summary.value.partition("=")
    if name == BOTS:
        return ", ".join(level(lang, bot) for bot in value.split("+"))
    return option_value(game, lang, name, value)


def _telling(summaries: Sequence[Summary]) -> Summary:
    """The run to set against the first: the last of numbers, else the one whose length differs most."""
    values = [summary.value.partition("=")[2] for summary in summaries]
    if all(value.lstrip("-").isdigit() for value in values):
        return summaries[-1]
    base = summaries[0].moves_spread.mean
    return max(summaries[1:], key=lambda summary: abs(summary.moves_spread.mean - base))


def seat_error(run: Summary) -> float:
    """The standard error of a seat's share of wins where all seats are alike."""
    fair = 1 / run.plan.players
    return sqrt(fair * (1 - fair) / run.games)


def _answer_of_one(run: Summary, lang: str) -> str:
    fair = 1 / run.plan.players
    best = max(run.seats, key=lambda seat: abs(seat.wins - fair))
    edge = say(lang, "answer.level")
    # The seat that is furthest off is the worst of several: the limit allows for their number.
    if abs(best.wins - fair) > limit(run.plan.players) * seat_error(run):
        interval = _percent_range(lang, Estimate(best.wins, best.wins_low, best.wins_high))
        facts = {"n": best.seat + 1, "wins": percent(lang, best.wins), "interval": interval}
        edge = say(lang, "answer.seat", fair=percent(lang, fair), **facts)
    moves = run.moves_spread
    if moves.least == moves.most:
        return say(lang, "answer.one_always", edge=edge, moves=number(lang, moves.mean))
    mean = Estimate(moves.mean, moves.low, moves.high)
    digits = 0 if mean.high - mean.low > 2 else 1 if mean.high - mean.low > 0.2 else 2
    interval = _range(lang, mean.low, mean.high, digits)
    return say(lang, "answer.one", edge=edge, moves=number(lang, mean.mean, digits), interval=interval)


def _error_of(seat: Seat, run: Summary) -> float:
    return sqrt(seat.wins * (1 - seat.wins) / run.games)


def _length_change(first: Summary, other: Summary, lang: str) -> str:
    base, new = first.moves_spread, other.moves_spread
    change = new.mean / base.mean - 1
    error = hypot((new.high - new.mean) / Z / base.mean, new.mean * (base.high - base.mean) / Z / base.mean**2)
    one = Estimate(change, change - Z * error, change + Z * error)
    if one.low <= 0 <= one.high:
        return say(lang, "answer.length_same")
    key = "answer.longer" if change > 0 else "answer.shorter"
    return say(lang, key, by=percent(lang, abs(change), _digits(one)), interval=_percent_range(lang, _size(one)))


def _edge_change(first: Summary, other: Summary, lang: str) -> str:
    """The first seat's share of wins beyond the fair one."""
    seats = first.seats[0], other.seats[0]
    edges = [seat.wins - 1 / run.plan.players for seat, run in zip(seats, (first, other), strict=True)]
    change = edges[1] - edges[0]
    error = hypot(_error_of(seats[0], first), _error_of(seats[1], other))
    one = Estimate(change, change - Z * error, change + Z * error)
    if one.low <= 0 <= one.high:
        return say(lang, "answer.edge_same")
    key = "answer.edge_more" if change > 0 else "answer.edge_less"
    size = _size(one)
    interval = _range(lang, 100 * size.low, 100 * size.high, 1)
    return say(lang, key, by=number(lang, 100 * size.mean, 1), interval=interval)


def skill_answer(result: Skill, lang: str) -> str:
    """How much skill decides between the best and the weakest, or what the last table changes about it."""
    pair = result.bots[0], result.bots[-1]
    tables = [finding for finding in result.findings if (finding.better, finding.weaker) == pair]
    first, other = tables[0], tables[-1]
    game = registry.load(result.game)
    names = {"better": level(lang, first.better), "weaker": level(lang, first.weaker)}
    if result.varied is None:
        if first.decided.low > 0:
            return say(lang, "answer.skill", decided=_of_100(lang, first), **names)
        interval = _percent_range(lang, first.wins)
        facts = {"wins": percent(lang, first.wins.mean), "interval": interval, "fair": percent(lang, first.fair)}
        return say(lang, "answer.skill_none" if first.decided.high >= 0 else "answer.skill_other", **facts, **names)
    facts = {
        "name": _opened(option_name(game, lang, result.varied)),
        "value": option_value(game, lang, result.varied, _setting(other, result.varied)),
        "base": option_value(game, lang, result.varied, _setting(first, result.varied)),
        "decided": _of_100(lang, other),
        "before": _of_100(lang, first),
    }
    key = "answer.skill_same"
    if other.differs:
        key = "answer.skill_more" if other.decided.mean > first.decided.mean else "answer.skill_less"
    return say(lang, key, **facts, **names)


def _setting(finding: Finding, varied: str) -> object:
    return finding.options.get(varied, finding.players)


def _of_100(lang: str, finding: Finding) -> str:
    one = finding.decided
    mean, low, high = (number(lang, 100 * max(end, 0), 0) for end in (one.mean, one.low, one.high))
    return say(lang, "answer.of_100", n=mean, low=low, high=high)


def lead(result: Result) -> tuple[str, str]:
    """How the best rated came out, `strongest`, `even` or `lost`, and against whom that is to be seen."""
    best, *others = (standing.name for standing in result.standings)
    contests = {name: _wins(result.cells, best, name) for name in others}
    lost = [name for name, (wins, fair) in contests.items() if wins.high < fair]
    even = [name for name, (wins, fair) in contests.items() if wins.low <= fair <= wins.high]
    return ("lost", lost[0]) if lost else ("even", even[0]) if even else ("strongest", others[0])


def tournament_answer(result: Result, lang: str) -> str:
    """Who is the strongest, and how sure that is: told by the contest that leaves most doubt about it."""
    key, rival = lead(result)
    best = result.standings[0].name
    wins, fair = _wins(result.cells, best, rival)
    facts = {
        "best": level(lang, best),
        "second": level(lang, rival),
        "wins": percent(lang, wins.mean),
        "interval": _percent_range(lang, wins),
        "fair": percent(lang, fair),
    }
    return say(lang, f"answer.{key}", **facts)


def _wins(cells: Sequence[Cell], hero: str, rival: str) -> tuple[Estimate, float]:
    """What one wins at a table of the other; between two sides one order says it all."""
    for cell in cells:
        if (cell.hero, cell.rival) == (hero, rival):
            return cell.wins, cell.fair
    other = next(cell for cell in cells if (cell.hero, cell.rival) == (rival, hero))
    return Estimate(1 - other.wins.mean, 1 - other.wins.high, 1 - other.wins.low), other.fair


def _size(one: Estimate) -> Estimate:
    """How large a difference is, whatever its direction."""
    return one if one.mean >= 0 else Estimate(-one.mean, -one.high, -one.low)


def _digits(one: Estimate) -> int:
    """Digits of a share in percent that its interval allows."""
    return 0 if one.high - one.low > 0.004 else 1


def _range(lang: str, low: float, high: float, digits: int) -> str:
    return f"{number(lang, low, digits)}{SPACE}–{SPACE}{number(lang, high, digits)}"


def _percent_range(lang: str, one: Estimate) -> str:
    digits = _digits(one)
    return _range(lang, 100 * one.low, 100 * one.high, digits)
