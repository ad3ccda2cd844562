"""How strong the bots are: `python -m benchmarks.strength GAME` plays the contests of a game on deals that nothing was
tuned on, and writes a section of RESULTS.md.

Contests are duplicate: the hero goes through every seat of each deal, the deal is the unit of the intervals. Times are
the processor's. Experts think 200 ms a move unless a budget is given; it then stands beside the time. One in
iterations, as many as 200 ms of a calm core give, keeps other work on the machine from weakening them.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import zlib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import ludotheque
from benchmarks.results import commit, rows, write_section
from ludotheque.bots.bot import Bot
from ludotheque.bots.budget import parse_budget
from ludotheque.bots.ladder import make_contestant
from ludotheque.core.game import Game
from ludotheque.core.progress import Bar
from ludotheque.lab.duels import Deal, play_deal
from ludotheque.lab.statistics import bootstrap

APART = "55–70 %"
"""How far apart neighbours of the ladder are to be,"""
APART_AMONG_THREE = "38–54 %"
"""and what that is with two rivals at the table: as many times likelier to win than either."""
REPORTED = 1_000_000
"""The first deal of the block that is reported; tuning uses small numbers."""
SIMULATIONS = 5000
OUTSIDER = "openspiel"
HEAD = (
    "| contest | deals | wins (95 %) | points, hero / rivals | ahead by (95 %) | ms a move | wanted | commit |",
    "|---|---:|---|---|---|---|---|---|",
)


@dataclass(frozen=True)
class Contest:
    """A hero against rivals of one kind."""

    hero: str
    rival: str
    players: int = 2
    options: dict[str, Any] = field(default_factory=dict)
    deals: float = 1.0
    """How many deals, relative to what is asked for."""
    wanted: str = ""

    @property
    def name(self) -> str:
        """What stands in the table."""
        options = [f"{key} {value}" for key, value in self.options.items()]
        return ", ".join([f"{self.hero} against {self.rival}", f"{self.players} seats", *options])


CONTESTS: dict[str, tuple[Contest, ...]] = {
    "double_lucky_7": (
        Contest("expert", "club", 4, wanted="≥ 45 %"),
        Contest("cheater", "club", 4),
        Contest("expert", OUTSIDER, 4, {"rounds": 7}, 0.16, "points ahead, interval above 0"),
        Contest("cheater", OUTSIDER, 4, {"rounds": 7}, 0.16),
        Contest("strong", "club", 4),
        Contest("expert", "strong", 2, {}, 1, APART),
        Contest("strong", "club", 2, {}, 4, APART),
        Contest("club", "casual", 2, {}, 20, APART),
        Contest("casual", "beginner", 2, {}, 20, APART),
        Contest("strong", "planner", 2, {}, 4, "≥ 50 %"),
        Contest("expert", "expert-1", 2, {}, 0.5),
        Contest("cheater", "expert-1", 2, {}, 0.5, "above 50 %"),
    ),
    "skipbo": (
        Contest("expert", "club", 2, wanted="≥ 65 %"),
        Contest("expert", "random", 2, deals=0.5, wanted="≥ 99 %"),
        Contest("expert", "club", 4, {"teams": True}, 0.5, "≥ 65 %"),
        Contest("cheater", "club", 2, deals=0.5),
        Contest("expert", "strong", 2, wanted=APART),
        Contest("strong", "club", 2, deals=4, wanted=APART),
        Contest("club", "casual", 2, deals=10, wanted=APART),
        Contest("casual", "beginner", 2, deals=10, wanted=APART),
        Contest("expert", "planner", 2),
        Contest("expert", "expert-1", 2, deals=0.5),
        Contest("cheater", "expert-1", 2, deals=0.5, wanted="above 50 %"),
    ),
    "loba": (
        Contest("expert", "club", 3, wanted="≥ 50 %, penalty ≤ 70 % of theirs"),
        Contest("cheater", "club", 3, deals=0.5),
        Contest("expert", "strong", 3, wanted=APART_AMONG_THREE),
        Contest("strong", "club", 3, deals=4, wanted=APART_AMONG_THREE),
        Contest("club", "casual", 3, deals=10, wanted=APART_AMONG_THREE),
        Contest("casual", "beginner", 3, deals=10, wanted=APART_AMONG_THREE),
        Contest("planner", "club", 3, deals=10),
        Contest("strong", "planner", 3, deals=4, wanted="≥ 33 %"),
        Contest("expert", "planner", 3),
        Contest("expert", "expert-1", 3, deals=0.2),
        Contest("cheater", "planner", 3, wanted="above 33 %"),
    ),
    "lobo77": (
        Contest("expert", "club", 2, wanted="≥ 60 %"),
        Contest("expert", "random", 2, wanted="≥ 85 %"),
        Contest("expert", "club", 4, deals=0.5, wanted="≥ 35 %"),
        Contest("cheater", "club", 2),
        Contest("cheater", "club", 4, deals=0.5),
        Contest("expert", "strong", 2, wanted=APART),
        Contest("strong", "club", 2, deals=4, wanted=APART),
        Contest("club", "casual", 2, deals=20, wanted=APART),
        Contest("casual", "beginner", 2, deals=20, wanted=APART),
        Contest("strong", "planner", 2, deals=4, wanted="≥ 50 %"),
        Contest("expert", "expert-1", 2),
        Contest("cheater", "expert-1", 2, wanted="above 50 %"),
    ),
    "volle_lotte": (
        Contest("expert", "fixed", 2, {"negative": True}, 20, "57.8 ± 0.5 %"),
        Contest("expert", "club", 2, {}, 20),
        Contest("expert", "strong", 2, {}, 20),
        Contest("strong", "club", 2, {}, 20),
        Contest("club", "casual", 2, {}, 20, APART),
        Contest("casual", "beginner", 2, {}, 20, APART),
        Contest("expert", "club", 4, {}, 5),
        Contest("expert", "expert-1", 2, {}, 0.5),
        Contest("cheater", "expert-1", 2, {}, 0.5, "above 50 %"),
    ),
}


def make(game: Game, name: str, seed: str) -> Bot:
    """Our bots and the outsider."""
    if name != OUTSIDER:
        return make_contestant(game, name, seed)
    from benchmarks.openspiel_player import OpenSpielBot

    return OpenSpielBot(game, name, SIMULATIONS, zlib.crc32(seed.encode()))


def one_deal(game_id: str, contest: Contest, budget: str | None, number: int) -> Deal:
    """One deal of a contest."""
    game, given = ludotheque.game(game_id), parse_budget(budget)
    return play_deal(game, contest.hero, contest.rival, contest.players, number, contest.options, given, make)


def play(game_id: str, contest: Contest, deals: int, budget: str | None, jobs: int) -> str:
    """Play all deals of a contest; its line in the table."""
    count = max(2, math.ceil(deals * contest.deals))
    bar = Bar(f"{game_id}: {contest.name}")
    found: list[Deal] = []
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        numbers = range(REPORTED, REPORTED + count)
        for deal in pool.map(partial(one_deal, game_id, contest, budget), numbers):
            found.append(deal)
            bar.show(len(found), count)
    line = line_of(contest, found, budget)
    print(line, flush=True)
    return line


def line_of(contest: Contest, found: Sequence[Deal], budget: str | None) -> str:
    """The deals of a contest as its line in the table."""
    count = len(found)
    wins = bootstrap([100 * deal.wins for deal in found])
    ahead = bootstrap([deal.points - deal.others for deal in found])
    mine = sum(deal.points for deal in found) / count
    theirs = sum(deal.others for deal in found) / count
    took = [
        1000 * sum(d.busy.get(bot, 0) for d in found) / max(1, sum(d.moves.get(bot, 0) for d in found))
        for bot in (contest.hero, contest.rival)
    ]
    given = f", {budget}" if budget else ""
    return (
        f"| {contest.name} | {count} | {wins.mean:.1f} % ({wins.low:.1f}–{wins.high:.1f}) | {mine:.1f} / {theirs:.1f} "
        f"| {ahead.mean:+.1f} ({ahead.low:+.1f} … {ahead.high:+.1f}) | {took[0]:.1f} / {took[1]:.1f}{given} "
        f"| {contest.wanted or '–'} | {commit()} |"
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Play the contests of the games named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", choices=list(CONTESTS))
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--budget", help="instead of the levels' own")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, nargs="+", help="the contests of these numbers only, from 1 on")
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args(argv)
    for game_id in args.games:
        contests = CONTESTS[game_id]
        for number, contest in enumerate(contests, 1):
            if args.only is None or number in args.only:
                line = play(game_id, contest, args.deals, args.budget, args.jobs)
                if not args.dry:
                    keep(game_id, contest, line)


def keep(game_id: str, contest: Contest, line: str) -> None:
    """Put the line of a contest into the game's table; those played before stay."""
    section = f"Strength: {game_id}"
    played = {**rows(section), contest.name: line}
    lines = [played[other.name] for other in CONTESTS[game_id] if other.name in played]
    write_section(section, [*HEAD, *lines], f"python -m benchmarks.strength {game_id}")


if __name__ == "__main__":
    main()
