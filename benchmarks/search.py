"""How fast the search is: our tree search with random playouts against OpenSpiel's C++ ISMCTSBot on its nearest game.

Both search the bid that opens a round of seven cards for four players, to the end of that round, with one random
playout an iteration and as many iterations. `python -m benchmarks.search` prints the ratio and writes it to RESULTS.md.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable

import pyspiel

import ludotheque
from benchmarks.peers import _deal
from benchmarks.results import Line, show, table, write_section
from ludotheque.bots.bot import Bot
from ludotheque.core.ladder import TREE, Level
from ludotheque.core.match import Match

ITERATIONS = 5000
DEALS = 8
RUNS = 5
PEER = "oh_hell(players=4,num_tricks_fixed=7)"


def ours() -> Callable[[int], float]:
    """Iterations per second of our tree."""
    game = ludotheque.game("double_lucky_7")
    starts = [_seventh_round(seed) for seed in range(DEALS)]
    bot = Bot(game, "random playouts", Level(way=TREE, at_random=True), 1)

    def run(_: int) -> float:
        began = time.perf_counter()
        for match in starts:
            bot.choose(match, budget=f"{ITERATIONS}it")
        return DEALS * ITERATIONS / (time.perf_counter() - began)

    return run


def _seventh_round(seed: int) -> Match:
    match = ludotheque.game("double_lucky_7").new(4, seed=seed)
    while match.state.round_no < 7 or match.legal()[0].startswith("trump"):
        match.play(match.legal()[0])
    return match


def theirs() -> Callable[[int], float]:
    """Iterations per second of the peer's."""
    game = pyspiel.load_game(PEER)
    rng = random.Random(7)
    starts = [_deal(game, rng) for _ in range(DEALS)]

    def run(seed: int) -> float:
        began = time.perf_counter()
        for start in starts:
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            pyspiel.ISMCTSBot(seed, evaluator, 1.0, ITERATIONS).step(start)
        return DEALS * ITERATIONS / (time.perf_counter() - began)

    return run


def main() -> None:
    """Measure both in turn, on one core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {0})
    mine, other = ours(), theirs()
    mine(0)
    rates = [(mine(seed), other(seed)) for seed in range(1, RUNS + 1)]
    fast, slow = (statistics.median(column) for column in zip(*rates, strict=True))
    what = f"Double Lucky 7 tree search, random playouts, iterations/s ÷ OpenSpiel {PEER}, C++ ISMCTSBot"
    line = Line(what, fast, slow, 8)
    show(line)
    if not args.dry:
        write_section("Search", table([line]), "python -m benchmarks.search")


if __name__ == "__main__":
    main()
