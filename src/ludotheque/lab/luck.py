"""How much of a game is luck and how much is skill, measured on duplicate deals.

One better player sits down among weaker ones, and the same deal is played once for every seat of the better player:
all get the same luck in turn. Two answers come out of it.

*Decided by skill.* Among equals every side of `n` wins `1/n` of the matches. If the better player wins the share `p`,
that is as if skill alone decided a share `(p - 1/n) / (1 - 1/n)` of the matches and lots were drawn for the others:
0 for a game of pure luck, 1 if the better player always wins.

*Explained.* The result of a side (won or not, or its points), less the mean of the table, is the sum of

    who plays       the better player, or a weaker one
    the deal        this seat of this deal: what repeats when others play it, the seat's advantage included
    the rest        how it was played this time

and its variance the sum of theirs. With `a` the better player's mean, who plays contributes `a² / (n - 1)`: the square
of the share that skill decides, if there are no ties. The deal contributes what results of the same seat and deal
in two different matches have in common, their covariance. The deal is the unit of all intervals (bootstrap, 95 %).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.bots.budget import Budget, parse_budget
from ludotheque.bots.ladder import make_contestant
from ludotheque.core import registry
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.game import Game
from ludotheque.core.texts import worded
from ludotheque.lab.duels import Deal, hero_seats, play_match
from ludotheque.lab.limits import MOST_JOBS, MOST_SKILL_DEALS
from ludotheque.lab.statistics import Estimate
from ludotheque.lab.tasks import spread
from ludotheque.lab.vary import BOTS, BUDGET, PLAYERS, Vary, parse_vary, settings

RESAMPLES = 2000
SURE = 1.6449
"""How many standard deviations a sum must be above zero to be positive with 95 % probability."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Setting:
    """A table to measure at: what is varied, and everything that follows.

    Examples:
        >>> from ludotheque.lab.luck import Setting
        >>> Setting("rounds=7", 3, {"rounds": 7}).players
        3
    """

    label: str
    players: int
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shares:
    """Where the variance of a result comes from; together 1.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.lab import luck
        >>> found = luck.run(ludotheque.game("double_lucky_7"), ["club", "random"], 3)
        >>> shares = found.findings[0].win_shares
        >>> round(shares.who.mean + shares.deal.mean + shares.rest.mean, 6)
        1.0
    """

    who: Estimate
    deal: Estimate
    rest: Estimate


@dataclass(frozen=True, slots=True)
class Finding:
    """One better player among weaker ones at one kind of table.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.lab import luck
        >>> found = luck.run(ludotheque.game("double_lucky_7"), ["club", "random"], 3)
        >>> found.findings[0].better, found.findings[0].fair
        ('club', 0.5)
    """

    better: str
    weaker: str
    label: str
    players: int
    options: dict[str, Any]
    matches: int
    fair: float
    """The share of wins among equals."""
    wins: Estimate
    """The better player's share of wins."""
    decided: Estimate
    """The share of matches that skill decides; below 0 if the other one is better."""
    difference: Estimate | None
    """`decided` less that of the first table, at a level that allows for the number of comparisons."""
    win_shares: Shares
    points: Estimate
    """The better player's points less the others' mean."""
    point_shares: Shares
    needed: int | None
    """After so many matches the better player has won more of them than a given rival, with 95 % probability."""

    @property
    def differs(self) -> bool:
        """Whether skill decides more here, or less, than at the first table, beyond chance."""
        return self.difference is not None and not self.difference.low <= 0 <= self.difference.high


@dataclass(frozen=True, slots=True)
class Skill:
    """What was found out.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.lab import luck
        >>> found = luck.run(ludotheque.game("double_lucky_7"), ["club", "random"], 3)
        >>> found.deals, len(found.findings)
        (3, 1)
    """

    game: str
    rules_version: int
    bots: tuple[str, ...]
    varied: str | None
    """The option whose values are compared."""
    budget: str | None
    seed: str
    deals: int
    """Deals played to the end,"""
    asked: int
    """and how many were to be: more if it was stopped."""
    findings: tuple[Finding, ...]
    """By pair of bots, then by table."""

    def to_json(self) -> str:
        """Everything, for other programs."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"


def make_settings(
    game: Game, players: int | None, options: Mapping[str, Any], vary: Vary | None = None
) -> tuple[str | None, list[Setting]]:
    """What is varied, an option or `players` (`stock=10,20,30`), and a table for each value; or one table."""
    count = game.info.min_seats if players is None else players
    checked = game.options(count, options)
    chosen = {name: checked[name] for name in options}
    if vary is None:
        return None, [Setting("", count, chosen)]
    name, values = parse_vary(game, vary)
    if name in (BOTS, BUDGET):
        raise worded(InvalidOptions, "skill.vary", name=name)
    if name in options or (name == PLAYERS and players is not None):
        raise worded(InvalidOptions, "skill.twice", name=name)
    tables = []
    for value in values:
        given = settings(name, value)
        seats, table = given.get("players", count), {**options, **given.get("options", {})}
        checked = game.options(seats, table)
        tables.append(Setting(value, seats, {key: checked[key] for key in table}))
    return name, tables


def skill(
    game: str | Game,
    bots: str | Sequence[str] = ("club", "beginner"),
    deals: int = 400,
    players: int | None = None,
    vary: Vary | None = None,
    budget: str | None = None,
    seed: str = "skill",
    jobs: int = 1,
    **options: Any,
) -> Skill:
    """Measure how much is luck and how much is skill, as the command `ludotheque skill` does.

    The same arguments give the same figures, however many `jobs` play side by side.

    Args:
        game: The game, or its id.
        bots: Who is compared, pair by pair, the best first.
        deals: How many deals; each is played once for every seat of the better player.
        players: How many sit at a table; as few as can without it.
        vary: An option or `players`, and its values: a table is measured for each.
        budget: How long bots think, such as `2000it`; each level's own without it.
        seed: Another seed, other deals.
        jobs: How many processes.
        **options: The game's options.

    Returns:
        A finding for each pair and table.

    Raises:
        InvalidOptions: If the game does not take the players, the bots or an option; nothing is played.

    Examples:
        >>> from ludotheque import lab
        >>> found = lab.skill("double_lucky_7", bots="club,random", deals=3, rounds=7)
        >>> [(finding.better, finding.weaker, finding.matches) for finding in found.findings]
        [('club', 'random', 6)]
    """
    loaded = registry.load(game) if isinstance(game, str) else game
    names = bots.split(",") if isinstance(bots, str) else list(bots)
    varied, tables = make_settings(loaded, players, options, vary)
    return run(loaded, names, deals, tables, varied=varied, budget=parse_budget(budget), seed=seed, jobs=jobs)


def play_around(
    game: Game, better: str, weaker: str, players: int, seed: str, options: dict[str, Any], budget: Budget | None = None
) -> tuple[Array, Array]:
    """One deal, played once for every side of the better player: wins and points, a row per match, a column per side.

    Both are less the mean of the table.
    """
    sides = hero_seats(game, players, options)
    wins, points = np.zeros((2, len(sides), len(sides)))
    for row, seats in enumerate(sides):
        match = game.new(players, seed=f"deal {seed}", **options)
        names = [better if seat in seats else weaker for seat in range(players)]
        bots = [make_contestant(game, name, f"{seed} {seat}") for seat, name in enumerate(names)]
        play_match(match, bots, [budget] * players, Deal())
        scores, places = match.result()
        for column, side in enumerate(sides):
            wins[row, column] = sum(places[seat] == 1 for seat in side) / places.count(1)
            points[row, column] = sum(scores[seat] for seat in side) / len(side)
    return wins - wins.mean(axis=1, keepdims=True), points - points.mean(axis=1, keepdims=True)


def moments(results: Array) -> Array:
    """What variance components need of one deal: the better player's mean, the mean product of two results of the
    same side in different matches, and the mean square."""
    num = len(results)
    sums, squares = results.sum(axis=0), (results**2).sum(axis=0)
    products = (sums**2 - squares) / (num * (num - 1))
    return np.array([results.diagonal().mean(), products.mean(), (results**2).mean()])


def variance_shares(means: Array, noise: float, num_sides: int) -> Array:
    """Who plays, the deal and the rest, from mean moments; `noise` is by how much the square of the first is too large
    on average. Leading dimensions are kept."""
    mean, product, square = np.moveaxis(means, -1, 0)
    skill = mean**2 - noise
    total = np.where(square > 0, square, 1.0)
    who = np.clip(skill / (num_sides - 1) / total, 0, 1)
    deal = np.clip((product + skill / (num_sides - 1) ** 2) / total, 0, 1 - who)
    return np.stack([who, deal, 1 - who - deal], axis=-1)


def _resample(data: Array) -> Array:
    """Means over deals of as many resamples of them."""
    num = len(data)
    columns = data.reshape(num, -1)
    rng = np.random.default_rng(1)
    means = [np.bincount(rng.integers(0, num, num), minlength=num) @ columns / num for _ in range(RESAMPLES)]
    return np.array(means).reshape(RESAMPLES, *data.shape[1:])


def _interval(value: float, resampled: Array, level: float = 0.95) -> Estimate:
    low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(float(value), float(low), float(high))


def _shares(data: Array, resampled: Array, num_sides: int) -> Shares:
    # The square of a noisy mean is too large by the variance of the mean; in a resample it is by twice that.
    noise = data[:, 0].var() / (len(data) - 1)
    values = variance_shares(data.mean(axis=0), noise, num_sides)
    spread = variance_shares(resampled, 2 * noise, num_sides)
    return Shares(*(_interval(values[k], spread[:, k]) for k in range(3)))


def matches_needed(wins: float, num_sides: int) -> int | None:
    """After how many matches the better player leads a given rival in wins with 95 % probability; None for never."""
    rival = (1 - wins) / (num_sides - 1)
    lead = wins - rival
    if lead <= 0:
        return None
    return max(1, ceil((SURE / lead) ** 2 * (wins + rival - lead**2)))


def _one_deal(
    game_id: str, better: str, weaker: str, players: int, seed: str, options: dict[str, Any], budget: Budget | None
) -> Array:
    game = registry.load(game_id)
    return np.array([moments(r) for r in play_around(game, better, weaker, players, seed, options, budget)])


def run(
    game: Game,
    bots: Sequence[str] = ("club", "beginner"),
    deals: int = 400,
    tables: Sequence[Setting] | None = None,
    *,
    varied: str | None = None,
    budget: Budget | None = None,
    seed: str = "skill",
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Skill:
    """Measure. The same seed gives the same figures, whatever the number of processes.

    Interrupted, it answers from the deals that were played with all bots at all tables, if there are two or more.

    Args:
        game: The game.
        bots: Whom to compare, the best first; every pair is measured.
        deals: How many deals; each is played once for every seat of the better player.
        tables: The tables to measure at; one with the fewest players without it.
        varied: The option whose values the tables compare.
        budget: How long bots think; each level's own without it.
        seed: Another seed, other deals.
        jobs: How many processes.
        progress: Called with how many deals have been played, and of how many.

    Raises:
        InvalidOptions: If a table, a bot or a number does not fit.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.lab import luck
        >>> found = luck.run(ludotheque.game("double_lucky_7"), ["club", "random"], 3)
        >>> found.findings[0].wins.mean > 0.5
        True
    """
    tables = list(tables or [Setting("", game.info.min_seats, {})])
    _check(game, bots, deals, tables, jobs)
    rows = [(pair, setting) for pair in combinations(bots, 2) for setting in tables]
    tasks = [
        (game.id, *pair, setting.players, f"{seed} {number}", setting.options, budget)
        for number in range(deals)
        for pair, setting in rows
    ]
    found: list[Array | None] = [None] * len(tasks)
    progress(0, len(tasks))
    try:
        with closing(spread(_one_deal, tasks, jobs)) as results:
            for done, (place, moment) in enumerate(results, 1):
                found[place] = moment
                progress(done, len(tasks))
    except KeyboardInterrupt:
        pass
    # Deals without a gap from the first: those that happen to be done first are the short ones.
    missing = next((n for n, one in enumerate(found) if one is None), len(found))
    done = missing // len(rows)
    if done < 2:
        raise KeyboardInterrupt
    data = np.array(found[: done * len(rows)]).reshape(done, len(rows), 2, 3)
    findings = _findings(rows, data, len(tables))
    given = str(budget) if budget is not None else None
    return Skill(game.id, game.info.rules_version, tuple(bots), varied, given, seed, done, deals, findings)


def _check(game: Game, bots: Sequence[str], deals: int, tables: Sequence[Setting], jobs: int) -> None:
    if len(bots) < 2 or len(set(bots)) != len(bots):
        raise worded(InvalidOptions, "skill.bots", bots=", ".join(bots) or repr(""))
    if not 2 <= deals <= MOST_SKILL_DEALS:
        raise worded(InvalidOptions, "skill.deals", most=MOST_SKILL_DEALS, deals=deals)
    if not 1 <= jobs <= MOST_JOBS:
        raise worded(InvalidOptions, "skill.jobs", jobs=jobs)
    for name in bots:
        make_contestant(game, name)
    for setting in tables:
        game.options(setting.players, setting.options)


def _findings(rows: Sequence[tuple[tuple[str, str], Setting]], data: Array, num_settings: int) -> tuple[Finding, ...]:
    """The findings from the moments: deal, row, wins or points, moment."""
    means, resampled = data.mean(axis=0), _resample(data)
    level = 1 - 0.05 / max(num_settings - 1, 1)
    findings = []
    for n, ((better, weaker), setting) in enumerate(rows):
        sides = 2 if setting.options.get("teams") else setting.players
        fair = 1 / sides
        # What is less the mean of the table is 1 - 1/n of what it is less the mean of the others.
        lead, ahead = means[n, :, 0] / (1 - fair)
        leads, aheads = resampled[:, n, :, 0].T / (1 - fair)
        if n % num_settings == 0:
            first, firsts = lead, leads
        findings.append(
            Finding(
                better,
                weaker,
                setting.label,
                setting.players,
                dict(setting.options),
                len(data) * sides,
                fair,
                _interval(fair + (1 - fair) * lead, fair + (1 - fair) * leads),
                _interval(lead, leads),
                _interval(lead - first, leads - firsts, level) if n % num_settings else None,
                _shares(data[:, n, 0], resampled[:, n, 0], sides),
                _interval(ahead, aheads),
                _shares(data[:, n, 1], resampled[:, n, 1], sides),
                matches_needed(fair + (1 - fair) * lead, sides),
            )
        )
    return tuple(findings)
