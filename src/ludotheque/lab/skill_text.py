"""What `skill` found out, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ludotheque.core import registry
from ludotheque.lab.answer import skill_answer
from ludotheque.lab.luck import Finding, Skill
from ludotheque.lab.page_skill import difference_mark, table_label
from ludotheque.lab.report import columns
from ludotheque.lab.sheet import by_clock
from ludotheque.lab.statistics import Estimate
from ludotheque.lab.words import SPACE, level, number, options_line, percent, percent_range, say


def skill_lines(result: Skill, lang: str = "en") -> list[str]:
    """The answer in sentences for one pair at one table, in a table for more."""
    lines = [skill_answer(result, lang), "", *_title(result, lang)]
    if len(result.findings) == 1:
        lines += _sentences(result.findings[0], lang)
        lines += ["", *columns(_shares(result.findings[0], lang), 1)]
    else:
        lines += columns(_table(result, lang), 2 if result.varied is not None else 1)
        if any(finding.differs for finding in result.findings):
            lines += ["", say(lang, "skill.star_note")]
    lines += ["", say(lang, "skill.note")]
    if by_clock(registry.load(result.game), result.bots, result.budget):
        lines.append(say(lang, "skill.clock"))
    return [line.replace(SPACE, " ") for line in lines]


def _title(result: Skill, lang: str) -> Iterator[str]:
    game, first = registry.load(result.game), result.findings[0]
    players = "" if result.varied == "players" else say(lang, "num_players", n=first.players)
    pair = _pair(first, lang) if len(result.bots) == 2 else ""
    parts = [game.info.name, pair, players, say(lang, "num_deals", n=result.deals)]
    yield ", ".join(part for part in parts if part)
    options = {name: value for name, value in first.options.items() if name != result.varied}
    if options:
        yield options_line(game, lang, options)
    if result.deals < result.asked:
        yield say(lang, "skill.stopped", done=result.deals, asked=result.asked)
    yield ""


def _pair(finding: Finding, lang: str) -> str:
    return say(lang, "skill.scale_row", better=level(lang, finding.better), weaker=level(lang, finding.weaker))


def _sentences(finding: Finding, lang: str) -> Iterator[str]:
    tell = partial(say, lang)
    decided = finding.decided
    yield tell(
        "skill.wins",
        wins=percent(lang, finding.wins.mean),
        interval=percent_range(lang, finding.wins),
        fair=percent(lang, finding.fair, 0),
    )
    if decided.mean < 0:
        names = {"better": level(lang, finding.better), "weaker": level(lang, finding.weaker)}
        yield tell("skill.weaker", **names)
        return
    low, high = (number(lang, 100 * max(x, 0), 0) for x in (decided.low, decided.high))
    yield tell("skill.decided", skill=number(lang, 100 * decided.mean, 0), low=low, high=high)
    yield tell("skill.never") if finding.needed is None else tell("skill.needed", n=finding.needed)


def _shares(finding: Finding, lang: str) -> list[list[str]]:
    rows = [[say(lang, "skill.what"), *(say(lang, f"skill.column_{key}") for key in ("who", "deal", "rest"))]]
    for key, shares in (("of_wins", finding.win_shares), ("of_points", finding.point_shares)):
        parts = (shares.who, shares.deal, shares.rest)
        rows.append([say(lang, f"skill.{key}"), *(_with_range(one, lang) for one in parts)])
    return rows


def _with_range(one: Estimate, lang: str) -> str:
    return f"{percent(lang, one.mean, 0)} ({percent_range(lang, one, 0)})"


def _table(result: Skill, lang: str) -> list[list[str]]:
    game = registry.load(result.game)
    keys = ("wins", "fair", "decided", "who", "deal", "rest", "needed")
    titles = [say(lang, f"skill.column_{key}") for key in keys]
    rows = [[say(lang, "skill.table_pair"), *([say(lang, "table")] if result.varied else []), *titles]]
    marks = [difference_mark(finding, lang) for finding in result.findings]
    width = max(map(len, marks))
    for finding, sign in zip(result.findings, marks, strict=True):
        shares = finding.win_shares
        rows.append(
            [
                _pair(finding, lang),
                *([table_label(game, finding, result.varied, lang)] if result.varied else []),
                percent(lang, finding.wins.mean),
                percent(lang, finding.fair, 0),
                f"{_with_range(finding.decided, lang)} {sign.ljust(width)}",
                *(percent(lang, one.mean, 0) for one in (shares.who, shares.deal, shares.rest)),
                "–" if finding.needed is None else str(finding.needed),
            ]
        )
    return rows
