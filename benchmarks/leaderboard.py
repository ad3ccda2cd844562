"""The leaderboards: `python -m benchmarks.leaderboard` lets everybody play `club` on the same deals of each game, and
writes `docs/leaderboard.md`.

The deals are a block that nothing is tuned on, those of `ludotheque tournament --seed leaderboard`, and each is played
once for every seat of the contestant. Who thinks by the clock gets a number of playouts instead, so that rows can be
repeated on any machine; milliseconds are the processor's. With `--only` some rows are played anew and the others stay.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import ludotheque
from benchmarks.games import ALL_GAMES
from benchmarks.results import commit, rows, write_section
from ludotheque.bots.budget import parse_budget
from ludotheque.bots.ladder import CLUB, RANDOM, levels
from ludotheque.core.game import Game
from ludotheque.core.progress import Bar
from ludotheque.lab.duels import Deal, play_deal
from ludotheque.lab.sheet import by_clock
from ludotheque.lab.statistics import bootstrap
from ludotheque.rl.rewards import direction

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "leaderboard.md"
AGENT = ROOT / "build" / "agent.pt"
UPDATES = 40
SEED = "leaderboard"
BUDGET = "2000it"
ISMCTS = "ISMCTS of OpenSpiel"
TRAINED = "agent of the worked example"
OUTSIDE = {
    ISMCTS: f"{ROOT}/benchmarks/openspiel_player.py:ismcts_player",
    TRAINED: f"{ROOT}/examples/train_double_lucky_7.py:player:{AGENT}",
}
LEARNT = "double_lucky_7"
"""What the worked example plays,"""
LEARNT_FOR = 4
"""and with how many."""
HEAD = (
    "| contestant | wins (95 %) | points more than theirs (95 %) | ms a move | deals | commit |",
    "|---|---:|---:|---:|---:|---|",
)


def seats(game: Game) -> int:
    """How many play."""
    return LEARNT_FOR if game.id == LEARNT else game.info.min_seats


def contestants(game: Game) -> list[str]:
    """Who is on the board of a game, beside `club`, whom they all play."""
    return [*(name for name in levels(game) if name != CLUB), RANDOM, ISMCTS, *([TRAINED] if game.id == LEARNT else [])]


def one_deal(game_id: str, name: str, number: int) -> Deal:
    """One deal, as `ludotheque tournament` plays it."""
    game = ludotheque.game(game_id)
    bot = OUTSIDE.get(name, name)
    budget = parse_budget(BUDGET) if by_clock(game, [name], None) else None
    return play_deal(game, bot, CLUB, seats(game), f"{SEED} {number}", {}, budget)


def play(game_id: str, name: str, deals: int, jobs: int) -> str:
    """A contestant's row."""
    bar = Bar(f"{game_id}: {name}")
    found: list[Deal] = []
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        for deal in pool.map(partial(one_deal, game_id, name), range(deals)):
            found.append(deal)
            bar.show(len(found), deals)
    wins = bootstrap([100 * deal.wins for deal in found])
    ahead = bootstrap([deal.points - deal.others for deal in found])
    bot = OUTSIDE.get(name, name)
    took = 1000 * sum(deal.busy[bot] for deal in found) / sum(deal.moves[bot] for deal in found)
    row = (
        f"| {name} | {wins.mean:.1f} % ({wins.low:.1f}–{wins.high:.1f}) "
        f"| {ahead.mean:+.1f} ({ahead.low:+.1f} … {ahead.high:+.1f}) | {took:.2g} | {deals} | {commit()} |"
    )
    print(row, flush=True)
    return row


def keep(game: Game, name: str, row: str) -> None:
    """Put a row into its board, the best first; `club` stands where it must, at its fair share."""
    section = game.info.name
    fair = 100 / seats(game)
    played = {**rows(section, PAGE), name: row, CLUB: f"| {CLUB} | {fair:.1f} %, by definition | 0 | – | – | – |"}
    ordered = sorted(played.values(), key=lambda line: -float(line.split(" | ")[1].split(" %")[0]))
    few = " Few points are good." if direction(game.id) < 0 else ""
    told = f"{seats(game)} at the table, {CLUB} in all other seats; an equal wins {fair:.0f} %.{few}"
    write_section(section, [told, "", *HEAD, *ordered], f"python -m benchmarks.leaderboard {game.id}", PAGE)


def train() -> None:
    """Let the worked example learn, unless it has."""
    if AGENT.exists():
        return
    AGENT.parent.mkdir(exist_ok=True)
    script = str(ROOT / "examples" / "train_double_lucky_7.py")
    command = [sys.executable, script, "--updates", str(UPDATES), "--minutes", "60", "--deals", "2", "--out"]
    subprocess.run([*command, str(AGENT)], check=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Play for the boards of the games named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(ALL_GAMES))
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these: levels, or file.py:NAME for one's own")
    args = parser.parse_args(argv)
    for game_id in args.games or ALL_GAMES:
        game = ludotheque.game(game_id)
        for name in args.only or contestants(game):
            if name == TRAINED:
                train()
            keep(game, name, play(game_id, name, args.deals, args.jobs))


if __name__ == "__main__":
    main()
