"""The page of `skill`: luck or skill?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ludotheque.core import registry
from ludotheque.core.game import Game
from ludotheque.lab import charts
from ludotheque.lab.answer import skill_answer
from ludotheque.lab.charts import Axis, Row, scale
from ludotheque.lab.luck import Finding, Shares, Skill
from ludotheque.lab.sheet import answers, by_clock, details, facts, footer, opening, section, shell
from ludotheque.lab.words import (
    SPACE,
    level,
    mark,
    number,
    option_name,
    option_value,
    percent,
    percent_range,
    range_of,
    say,
)


def skill_page(result: Skill, lang: str = "en") -> str:
    """How much skill decides, as a hundred matches, on a scale, and as parts of the variance."""
    game = registry.load(result.game)
    tell = partial(say, lang)
    first = result.findings[0]
    figures = []
    if len(result.findings) == 1:
        figures += [_hundred(first, lang), _parts(first, lang)]
    else:
        figures += [_scale(result, lang), _all_parts(result, lang)]
    body = opening(skill_answer(result, lang))
    body += answers(_answers(first, lang) if len(result.findings) == 1 else _extremes(result, lang))
    body += section("", figures) + details(lang, [_table(result, lang)])
    players = "" if result.varied == "players" else tell("num_players", n=first.players)
    options = {name: value for name, value in first.options.items() if name != result.varied}
    pair = _pair(first, lang) if len(result.bots) == 2 else ""
    lede = facts(game, lang, players, pair, tell("num_deals", n=result.deals), options=options)
    if result.deals < result.asked:
        lede.append(tell("skill.stopped", done=result.deals, asked=result.asked))
    foot = [tell("skill.how"), footer(lang, result.seed, by_clock(game, result.bots, result.budget))]
    return shell(lang, tell("skill.kicker"), tell("skill.title", game=game.info.name), lede, body, foot)


def table_label(game: Game, finding: Finding, varied: str | None, lang: str) -> str:
    """What tells one table from the others, in words."""
    if varied is None:
        return ""
    if varied == "players":
        return say(lang, "num_players", n=finding.players)
    value = option_value(game, lang, varied, finding.options[varied])
    return f"{option_name(game, lang, varied)}: {value}"


def difference_mark(finding: Finding, lang: str) -> str:
    """The mark of a table at which skill decides more, or less, than at the first one."""
    return mark(lang, finding.difference.mean, True) if finding.difference is not None and finding.differs else ""


def _out_of_100(value: float) -> str:
    return str(round(100 * value)).replace("-", "−")


def _answers(finding: Finding, lang: str) -> list[tuple[str, str, str]]:
    tell = partial(say, lang)
    decided = finding.decided
    interval = percent_range(lang, finding.wins)
    cards = [
        (
            _out_of_100(decided.mean),
            tell("skill.decided_card"),
            tell("skill.decided_more", low=_out_of_100(decided.low), high=_out_of_100(decided.high)),
        ),
        (
            percent(lang, finding.wins.mean),
            tell("skill.wins_card"),
            tell("skill.wins_more", fair=percent(lang, finding.fair, 0), interval=interval),
        ),
    ]
    if finding.needed is not None:
        needed = number(lang, finding.needed)
        cards.append((needed, tell("skill.needed_card", n=finding.needed), tell("skill.needed_more")))
    return cards


def _extremes(result: Skill, lang: str) -> list[tuple[str, str, str]]:
    """Where skill decides least, and where most."""
    game = registry.load(result.game)
    ordered = sorted(result.findings, key=lambda finding: finding.decided.mean)
    cards = []
    for finding in (ordered[0], ordered[-1]):
        label = table_label(game, finding, result.varied, lang)
        pair = _pair(finding, lang) if len(result.bots) > 2 or not label else ""
        where = " · ".join(part for part in (pair, label) if part)
        low, high = _out_of_100(finding.decided.low), _out_of_100(finding.decided.high)
        what = say(lang, "skill.extreme", table=where)
        cards.append((_out_of_100(finding.decided.mean), what, say(lang, "skill.decided_more", low=low, high=high)))
    return cards


def _hundred(finding: Finding, lang: str) -> str:
    tell = partial(say, lang)
    skill = min(max(round(100 * finding.decided.mean), 0), 100)
    lucky = round((100 - skill) * finding.fair)
    body = charts.hundred(
        [
            (skill, tell("skill.by_skill")),
            (lucky, tell("skill.by_lot_won")),
            (100 - skill - lucky, tell("skill.by_lot_lost")),
        ]
    )
    names = {"better": level(lang, finding.better), "weaker": level(lang, finding.weaker)}
    return charts.figure(tell("skill.hundred"), body, tell("skill.hundred_note", **names))


PARTS = ("who", "deal", "rest")


def _bars(rows: Sequence[tuple[str, Shares]], lang: str) -> str:
    """The parts of a result's variance, a bar each."""
    names = [say(lang, f"skill.column_{key}") for key in PARTS]
    drawn = []
    for label, shares in rows:
        means = [shares.who.mean, shares.deal.mean, shares.rest.mean]
        drawn.append((label, means, " · ".join(number(lang, 100 * mean, 0) for mean in means) + f"{SPACE}%"))
    axis = Axis(scale([0.0, 1.0], 4), partial(percent, lang, digits=0), say(lang, "skill.parts_axis"))
    return charts.parts(names, drawn, axis)


def _parts(finding: Finding, lang: str) -> str:
    both = [("parts_wins", finding.win_shares), ("parts_points", finding.point_shares)]
    body = _bars([(say(lang, f"skill.{key}"), shares) for key, shares in both], lang)
    head = ["", *(say(lang, f"skill.column_{key}") for key in PARTS)]
    rows = []
    for key, shares in both:
        intervals = [percent_range(lang, one, 0) for one in (shares.who, shares.deal, shares.rest)]
        rows.append([say(lang, f"skill.{key}"), *intervals])
    body += charts.table(head, rows)
    return charts.figure(say(lang, "skill.parts"), body, say(lang, "skill.parts_note"))


def _pair(finding: Finding, lang: str) -> str:
    return say(lang, "skill.scale_row", better=level(lang, finding.better), weaker=level(lang, finding.weaker))


def _scale(result: Skill, lang: str) -> str:
    """How much skill decides for each table and pair; what chance alone would give is around the first table's."""
    game = registry.load(result.game)
    tell = partial(say, lang)
    pairs = list(dict.fromkeys((f.better, f.weaker) for f in result.findings))
    rows = []
    for finding in result.findings:
        label, group = _pair(finding, lang), ""
        if result.varied is not None:
            label = table_label(game, finding, result.varied, lang)
            group = _pair(finding, lang) if len(pairs) > 1 else ""
        if finding.difference is None:
            first = finding.decided.mean
        rows.append(
            Row.of(
                label,
                finding.decided,
                percent(lang, finding.decided.mean, 0),
                series=pairs.index((finding.better, finding.weaker)) % 8 if result.varied is not None else 0,
                mark=difference_mark(finding, lang),
                group=group,
                band=charts.around(first, finding.difference) if finding.difference is not None else None,
            )
        )
    ends = scale([min(0.0, *(row.low for row in rows)), 1.0], 4, (-1.0, 1.0))
    axis = Axis(ends, partial(percent, lang, digits=0), tell("skill.scale_axis"))
    body = charts.intervals(rows, axis, (0.0, tell("skill.luck")))
    notes = [tell("skill.scale_note")]
    if result.varied is not None:
        notes.append(tell("skill.band"))
    if any(finding.differs for finding in result.findings):
        notes.append(tell("skill.star_note"))
    return charts.figure(tell("skill.scale"), body, " ".join(notes))


def _all_parts(result: Skill, lang: str) -> str:
    """The parts of who wins for each table or pair."""
    game = registry.load(result.game)
    rows = []
    for finding in result.findings:
        label = table_label(game, finding, result.varied, lang)
        pair = _pair(finding, lang) if len(result.bots) > 2 or not label else ""
        rows.append((" · ".join(part for part in (pair, label) if part), finding.win_shares))
    return charts.figure(say(lang, "skill.shares"), _bars(rows, lang), say(lang, "skill.all_parts_note"))


def _table(result: Skill, lang: str) -> str:
    game = registry.load(result.game)
    tell = partial(say, lang)
    keys = ("wins", "fair", "decided", "who", "deal", "rest", "points", "needed")
    head = [tell("skill.table_pair"), *(tell(f"skill.column_{key}") for key in keys)]
    rows = []
    for finding in result.findings:
        label = table_label(game, finding, result.varied, lang)
        shares = finding.win_shares
        rows.append(
            [
                " · ".join(part for part in (_pair(finding, lang), label) if part),
                f"{percent(lang, finding.wins.mean)} ({percent_range(lang, finding.wins)})",
                percent(lang, finding.fair),
                f"{percent(lang, finding.decided.mean)} ({percent_range(lang, finding.decided)})",
                *(f"{percent(lang, one.mean)}" for one in (shares.who, shares.deal, shares.rest)),
                f"{number(lang, finding.points.mean, sign=True)} ({range_of(lang, finding.points)})",
                "–" if finding.needed is None else number(lang, finding.needed),
            ]
        )
    return charts.table(head, rows)
