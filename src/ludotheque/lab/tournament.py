"""A tournament: every bot against every other on duplicate deals, as a cross-table with intervals and ratings."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludotheque.bots.budget import Budget
from ludotheque.bots.kernels import THINK
from ludotheque.bots.ladder import make_contestant
from ludotheque.core import registry, warm
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.files import write_text
from ludotheque.core.game import Game
from ludotheque.lab.duels import Deal, play_deal
from ludotheque.lab.statistics import Estimate, bootstrap, ratings

MOST_DEALS = 1_000_000


@dataclass(frozen=True, slots=True)
class Cell:
    """A hero against rivals of one kind, over all deals."""

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
    """One bot over the whole tournament."""

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
    """What a tournament found out."""

    game: str
    players: int
    options: dict[str, Any]
    budget: str | None
    seed: str
    deals: int
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
    budget: Budget | None = None,
    seed: str = "tournament",
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    ray: str | None = None,
) -> Result:
    """Play the tournament, on a Ray cluster if its address is given. The same seed deals the same cards anywhere."""
    _check(game, bots, deals, jobs)
    checked = game.options(players, options)  # refuses what does not fit before anything is played
    options = {name: checked[name] for name in options}
    pairs = list(pairings(bots, players, bool(options.get("teams"))))
    tasks = [
        (pair, (game.id, *pair, players, f"{seed} {number}", options, budget))
        for number in range(deals)
        for pair in pairs
    ]
    found: dict[tuple[str, str], list[Deal]] = {pair: [] for pair in pairs}
    if ray is not None:
        for (pair, _), deal in zip(tasks, _on_ray(ray, [task for _, task in tasks], progress), strict=True):
            found[pair].append(deal)
        return _summary(game, bots, deals, players, options, budget, seed, found)
    progress(0, len(tasks))
    if jobs == 1:
        for done, (pair, task) in enumerate(tasks, 1):
            found[pair].append(_one_deal(*task))
            progress(done, len(tasks))
    else:
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
            futures = {pool.submit(_one_deal, *task): n for n, (_, task) in enumerate(tasks)}
            for done, _ in enumerate(as_completed(futures), 1):
                progress(done, len(tasks))
            for future, n in futures.items():  # in the order of the deals
                found[tasks[n][0]].append(future.result())
    return _summary(game, bots, deals, players, options, budget, seed, found)


def _on_ray(address: str, tasks: Sequence[tuple[Any, ...]], progress: Callable[[int, int], None]) -> list[Deal]:
    """The tasks' deals, in their order."""
    from ludotheque.lab.cluster import Cluster

    played: dict[int, Deal] = {}
    with Cluster(address) as cluster:
        progress(0, len(tasks))
        for place, deal in cluster.spread(_one_deal_there, tasks):
            played[place] = deal
            progress(len(played), len(tasks))
    return [played[place] for place in range(len(tasks))]


def _check(game: Game, bots: Sequence[str], deals: int, jobs: int) -> None:
    if len(bots) < 2 or len(set(bots)) != len(bots):
        raise InvalidOptions(f"a tournament needs two or more different bots, not {', '.join(bots) or 'none'}")
    if not 1 <= deals <= MOST_DEALS:
        raise InvalidOptions(f"the number of deals is 1 to {MOST_DEALS}, not {deals}")
    if not 1 <= jobs <= 256:
        raise InvalidOptions(f"the number of jobs is 1 to 256, not {jobs}")
    for name in bots:
        make_contestant(game, name)


def _summary(
    game: Game,
    bots: Sequence[str],
    deals: int,
    players: int,
    options: dict[str, Any],
    budget: Budget | None,
    seed: str,
    found: dict[tuple[str, str], list[Deal]],
) -> Result:
    cells = []
    above = np.zeros((deals, len(bots), len(bots)))
    sides = 2 if options.get("teams") else players
    moves: dict[str, int] = dict.fromkeys(bots, 0)
    seconds: dict[str, float] = dict.fromkeys(bots, 0.0)
    for (hero, rival), results in found.items():
        mean_above = float(np.mean([deal.above for deal in results]))
        matches = sum(deal.matches for deal in results)
        cells.append(
            Cell(
                hero,
                rival,
                bootstrap([deal.wins for deal in results]),
                1 / sides,
                bootstrap([deal.points - deal.others for deal in results]),
                float(np.mean([deal.points for deal in results])),
                float(np.mean([deal.others for deal in results])),
                mean_above,
                matches,
            )
        )
        i, j = bots.index(hero), bots.index(rival)
        for number, deal in enumerate(results):
            above[number, i, j] += deal.above * deal.matches
            above[number, j, i] += (1 - deal.above) * deal.matches
            for name in deal.moves:
                moves[name] += deal.moves[name]
                seconds[name] += deal.seconds[name]
    standings = [
        Standing(name, rated.mean, rated.low, rated.high, moves[name], 1000 * seconds[name] / max(moves[name], 1))
        for name, rated in zip(bots, ratings(above), strict=True)
    ]
    standings.sort(key=lambda standing: -standing.rating)
    given = str(budget) if budget is not None else None
    return Result(game.id, players, dict(options), given, seed, deals, tuple(cells), tuple(standings))


def save_json(result: Result, path: Path) -> None:
    """Write everything to a file."""
    write_text(path, result.to_json())
