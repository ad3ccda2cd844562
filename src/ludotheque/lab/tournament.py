"""A tournament: every bot against every other on duplicate deals, as a cross-table with intervals and ratings."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludotheque.bots.budget import Budget
from ludotheque.bots.ladder import make_contestant
from ludotheque.bots.searches import THINK
from ludotheque.core import extras, registry, warm
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.game import Game
from ludotheque.core.texts import worded
from ludotheque.lab.duels import Deal, play_deal
from ludotheque.lab.limits import MOST_DEALS, MOST_JOBS
from ludotheque.lab.statistics import Estimate, bootstrap, confidence_sequence, ratings
from ludotheque.lab.tasks import spread

CHECKED_EVERY = 16
"""Deals between looks at whether wins are known well enough: the same on any machine."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A hero against rivals of one kind, over all deals.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.lab import tournament
        >>> found = tournament.run(ludotheque.game("double_lucky_7"), ["club", "random"], 3, 2, {"rounds": 7})
        >>> found.cell("club", "random").fair
        0.5
    """

    hero: str
    rival: str
    wins: Estimate
    """The hero's share of first places."""
    fair: float
    """What that would be among equals."""
    points: Estimate
    """The hero's score less the rivals' mean score, by deal."""
    score: float
    """The hero's mean score,"""
    rival_score: float
    """and the rivals'."""
    above: float
    """How often the hero came before a rival."""
    matches: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot over the whole tournament.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.lab import tournament
        >>> found = tournament.run(ludotheque.game("double_lucky_7"), ["club", "random"], 3, 2, {"rounds": 7})
        >>> found.standings[0].rating > found.standings[1].rating
        True
    """

    name: str
    rating: float
    """On Elo's scale,"""
    rating_low: float
    """and its interval."""
    rating_high: float
    moves: int
    ms_per_move: float


@dataclass(frozen=True, slots=True)
class Result:
    """What a tournament found out.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.lab import tournament
        >>> found = tournament.run(ludotheque.game("double_lucky_7"), ["club", "random"], 3, 2, {"rounds": 7})
        >>> found.deals, found.cell("club", "random").wins.mean > 0.5
        (3, True)
    """

    game: str
    players: int
    options: dict[str, Any]
    budget: str | None
    seed: str
    deals: int
    """Deals played by the pair that played most,"""
    asked: int
    """and how many were to be played at most."""
    until: float | None
    """How well wins were to be known, if that was asked."""
    is_whole: bool
    """Whether it was played to its end."""
    cells: tuple[Cell, ...]
    standings: tuple[Standing, ...]
    """Best first."""

    def cell(self, hero: str, rival: str) -> Cell:
        """One field of the cross-table."""
        return next(cell for cell in self.cells if (cell.hero, cell.rival) == (hero, rival))

    def to_json(self) -> str:
        """Everything, for other programs."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"


def pairings(bots: Sequence[str], players: int, teams: bool) -> Iterator[tuple[str, str]]:
    """Who is hero against whom. Between two sides one order says it all."""
    two_sides = players == 2 or teams
    for i, hero in enumerate(bots):
        for j, rival in enumerate(bots):
            if i < j or (i != j and not two_sides):
                yield hero, rival


def _one_deal(
    game_id: str, hero: str, rival: str, players: int, seed: str, options: dict[str, Any], budget: Budget | None
) -> Deal:
    return play_deal(registry.load(game_id), hero, rival, players, seed, options, budget)


def _one_deal_there(game_id: str, *rest: Any) -> Deal:
    """The same on a machine of a cluster."""
    from ludotheque.lab.cluster import compile_once

    compile_once(game_id, (warm.PLAY, THINK))
    return _one_deal(game_id, *rest)


def run(
    game: Game,
    bots: Sequence[str],
    deals: int,
    players: int,
    options: dict[str, Any],
    *,
    budget: Budget | None = None,
    seed: str = "tournament",
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    ray: str | None = None,
    until: float | None = None,
) -> Result:
    """Play the tournament, on a Ray cluster if its address is given. The same seed deals the same cards anywhere.

    With `until`, a share such as 0.02, a pair stops as soon as its wins are known to so much either way; intervals of
    wins are then ones that stay valid however often they are looked at. Interrupted, it answers from the deals that all
    pairs have played, if there are two or more.

    Args:
        game: The game.
        bots: Who takes part: levels, `random`, `cheater`, or `file.py:NAME`.
        deals: How many deals, at most; each is played once for every seat of every hero.
        players: How many sit at a table.
        options: The game's options.
        budget: How long bots think; each level's own without it.
        seed: Another seed, other deals.
        jobs: How many processes.
        progress: Called with how many deals have been played, and of how many.
        ray: The address of a Ray cluster.
        until: How well the wins of each pair are to be known.

    Raises:
        InvalidOptions: If the game does not take the players or an option, or there is no such bot.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.lab import tournament
        >>> found = tournament.run(ludotheque.game("double_lucky_7"), ["club", "random"], 3, 2, {"rounds": 7})
        >>> [standing.name for standing in found.standings]
        ['club', 'random']
    """
    extras.need("lab", "choix")  # for the ratings, at the end
    _check(game, bots, deals, jobs, until)
    checked = game.options(players, options)  # refuses what does not fit before anything is played
    options = {name: checked[name] for name in options}
    pairs = list(pairings(bots, players, bool(options.get("teams"))))
    found: dict[tuple[str, str], list[Deal]] = {pair: [] for pair in pairs}
    going, first = list(pairs), 0
    step = deals if until is None else CHECKED_EVERY
    total = deals * len(pairs)
    with _play_on(ray, jobs) as play:
        progress(0, total)
        try:
            while going and first < deals:
                numbers = range(first, min(first + step, deals))
                tasks = [(pair, number) for number in numbers for pair in going]
                given = [(game.id, *pair, players, f"{seed} {number}", options, budget) for pair, number in tasks]
                played: dict[int, Deal] = {}
                base = sum(map(len, found.values()))
                try:
                    with closing(play(given)) as results:
                        for place, deal in results:
                            played[place] = deal
                            progress(base + len(played), total)
                finally:
                    _keep(found, going, played)
                first = numbers.stop
                going = [pair for pair in going if until is None or _half(_wins(found[pair], len(pairs))) > until]
        except KeyboardInterrupt:
            if min(map(len, found.values())) < 2:
                raise
    result = Result(
        game=game.id,
        players=players,
        options=dict(options),
        budget=str(budget) if budget is not None else None,
        seed=seed,
        deals=max(map(len, found.values())),
        asked=deals,
        until=until,
        is_whole=not going or first >= deals,
        cells=tuple(_cells(found, options, players, until)),
        standings=tuple(_standings(bots, found)),
    )
    return result


def _keep(found: dict[tuple[str, str], list[Deal]], going: Sequence[tuple[str, str]], played: dict[int, Deal]) -> None:
    """Keep the deals that all have played without a gap: those that happen to be done first are the short ones."""
    whole = 0
    while all(whole * len(going) + n in played for n in range(len(going))):
        for n, pair in enumerate(going):
            found[pair].append(played[whole * len(going) + n])
        whole += 1


Play = Callable[[Sequence[tuple[Any, ...]]], Generator[tuple[int, Deal]]]
"""Plays deals somewhere and gives place and result of each."""


@contextmanager
def _play_on(address: str | None, jobs: int) -> Iterator[Play]:
    """Who plays: this machine, or a cluster."""
    if address is None:
        yield lambda tasks: spread(_one_deal, tasks, jobs)
        return
    from ludotheque.lab.cluster import Cluster

    with Cluster(address) as cluster:
        yield lambda tasks: cluster.spread(_one_deal_there, tasks)


def _wins(deals: Sequence[Deal], num_pairs: int) -> Estimate:
    """The hero's wins with an interval that stays valid at every look; those of all pairs hold together."""
    return confidence_sequence([deal.wins for deal in deals], 0.05 / num_pairs)


def _half(one: Estimate) -> float:
    return (one.high - one.low) / 2


def _check(game: Game, bots: Sequence[str], deals: int, jobs: int, until: float | None) -> None:
    if len(bots) < 2 or len(set(bots)) != len(bots):
        raise InvalidOptions(f"a tournament needs two or more different bots, not {', '.join(bots) or 'none'}")
    if not 1 <= deals <= MOST_DEALS:
        raise InvalidOptions(f"the number of deals is 1 to {MOST_DEALS}, not {deals}")
    if not 1 <= jobs <= MOST_JOBS:
        raise InvalidOptions(f"the number of jobs is 1 to {MOST_JOBS}, not {jobs}")
    if until is not None and not 0 < until < 1:
        raise worded(InvalidOptions, "tournament.until", until=until)
    for name in bots:
        make_contestant(game, name)


def _cells(
    found: dict[tuple[str, str], list[Deal]], options: dict[str, Any], players: int, until: float | None
) -> Iterator[Cell]:
    sides = 2 if options.get("teams") else players
    for (hero, rival), deals in found.items():
        wins = bootstrap([deal.wins for deal in deals]) if until is None else _wins(deals, len(found))
        yield Cell(
            hero,
            rival,
            wins,
            1 / sides,
            bootstrap([deal.points - deal.others for deal in deals]),
            float(np.mean([deal.points for deal in deals])),
            float(np.mean([deal.others for deal in deals])),
            float(np.mean([deal.above for deal in deals])),
            sum(deal.matches for deal in deals),
        )


def _standings(bots: Sequence[str], found: dict[tuple[str, str], list[Deal]]) -> list[Standing]:
    above = np.zeros((max(map(len, found.values())), len(bots), len(bots)))
    moves: dict[str, int] = dict.fromkeys(bots, 0)
    seconds: dict[str, float] = dict.fromkeys(bots, 0.0)
    for (hero, rival), deals in found.items():
        i, j = bots.index(hero), bots.index(rival)
        for number, deal in enumerate(deals):
            above[number, i, j] += deal.above * deal.matches
            above[number, j, i] += (1 - deal.above) * deal.matches
            for name in deal.moves:
                moves[name] += deal.moves[name]
                seconds[name] += deal.seconds[name]
    standings = [
        Standing(name, rated.mean, rated.low, rated.high, moves[name], 1000 * seconds[name] / max(moves[name], 1))
        for name, rated in zip(bots, ratings(above), strict=True)
    ]
    return sorted(standings, key=lambda standing: -standing.rating)
