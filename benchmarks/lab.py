"""The lab in one run: simulations against bare playouts, on one core and two, in memory, with players that think, and
against the peers.

`python -m benchmarks.lab` prints the ratios and writes its section of `benchmarks/RESULTS.md`. Simulations are what
`ludotheque simulate` does with random play: deals, playing, counting, rows. Bare playouts are whole matches too, from
the deal to the end: the engine deals as many, and its own loop plays as many, but nothing is counted and nothing kept.
A peer's game is one round of cards, so rounds are compared with its games.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np

import ludotheque
from benchmarks.games import SEATS
from benchmarks.results import Line, show, table, write_section
from benchmarks.undisturbed import Turns
from ludotheque.lab.playing import kernels
from ludotheque.lab.shards import BATCH, Plan, make_plan, play_shard, run_key, run_local

DEALS = 16  # positions that bare playouts start from: one alone would not be typical
SHARDS = 4
SECONDS = 2.0
MILLION = 1_000_000
MOST_MEMORY = 500.0  # megabytes
MANY = 20_000  # matches a second with players that think
CLUB_GOAL = ("skipbo", "double_lucky_7")


def plan_of(game_id: str, bot: str = "random") -> Plan:
    """A run without end."""
    return make_plan(game_id, 10**10, SEATS[game_id], bots=[bot], seed="benchmark")


def bare_work(game_id: str) -> Callable[[], int]:
    """As many deals as a shard has, and as many bare playouts; returns the moves made."""
    game = ludotheque.game(game_id)
    plan = plan_of(game_id)
    starts = [game.new(plan.players, seed=deal).to_bytes() for deal in range(DEALS)]
    positions = [np.frombuffer(start, np.uint8).copy() for start in starts]
    wins = np.zeros(game.info.max_seats, np.int64)
    seeds = count(1)
    bufs = np.empty((BATCH, game.info.state.itemsize), np.uint8)
    choosers = np.empty(BATCH, np.int64)
    opts = game.options(plan.players, plan.options).codes

    def work() -> int:
        for first in range(0, plan.shard // DEALS * DEALS, BATCH):
            kernels(game).deals(bufs, choosers, first, run_key(plan), plan.players, opts)
        return sum(int(game.kernels.playouts(buf, plan.shard // DEALS, next(seeds), wins)) for buf in positions)

    return work


def simulate_work(game_id: str) -> Callable[[], int]:
    """Shards of a simulation; returns the moves made."""
    plan = plan_of(game_id)
    numbers = count()
    return lambda: int(play_shard(plan, next(numbers)).sums["moves"][0])


def cores_work(game_id: str, jobs: int) -> Callable[[], int]:
    """Some shards on so many cores; returns the moves made."""
    plan = plan_of(game_id)
    numbers = count()

    def work() -> int:
        first = SHARDS * next(numbers)
        parts = run_local(plan, range(first, first + SHARDS), jobs)
        return sum(int(part.sums["moves"][0]) for _, part in parts)

    return work


def against_ourselves(rounds: int) -> list[Line]:
    """Simulations against bare playouts, and two cores against one."""
    lines = []
    one_core = {game_id: Turns(simulate_work(game_id), bare_work(game_id)) for game_id in SEATS}
    two_cores = {game_id: Turns(cores_work(game_id, 2), cores_work(game_id, 1)) for game_id in SEATS}
    for _ in range(rounds):
        for timed in (*one_core.values(), *two_cores.values()):
            timed.round()
    for game_id, timed in one_core.items():
        ours, bare = timed.rates()
        lines.append(Line(f"{game_id}, simulate ÷ bare matches, one core ({timed.num_calm} pairs)", ours, bare, 0.7))
    if (os.cpu_count() or 1) > 1:
        for game_id, timed in two_cores.items():
            two, one = timed.rates()
            lines.append(Line(f"{game_id}, simulate on two cores ÷ on one ({timed.num_calm} pairs)", two, one, 1.7))
    for line in lines:
        show(line)
    return lines


def memory() -> Line:
    """The most memory that a million matches take, in a child of its own, with all rows written to a file."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.lab", "--child", str(Path(folder) / "games.parquet")]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]
    line = Line(
        "a million Double Lucky 7 matches with --out, most memory in MB", float(told), MOST_MEMORY, 1, "MB", True
    )
    show(line)
    return line


def _be_child(file: str) -> None:
    from ludotheque.cli import main as command

    assert (
        command(
            ["simulate", "double_lucky_7", "--games", str(MILLION), "--players", "4", "--bots", "random", "--out", file]
        )
        == 0
    )
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def matches_rate(game_id: str, bot: str) -> float:
    """Matches of one core in a second of its time."""
    plan = plan_of(game_id, bot)
    play_shard(plan, 0)
    matches = 0
    begin = time.process_time()
    for number in count(1):
        matches += len(play_shard(plan, number).rows["match"])
        if (passed := time.process_time() - begin) > SECONDS:
            return matches / passed
    raise AssertionError


def sensible_players() -> list[Line]:
    """What `simulate` does unless players are named, beside random play; two games are to reach a number."""
    lines = []
    for game_id in SEATS:
        club, random = matches_rate(game_id, "club"), matches_rate(game_id, "random")
        lines.append(Line(f"{game_id}, matches/s with club ÷ with random, one core", club, random, 0, "matches/s"))
        show(lines[-1])
        if game_id in CLUB_GOAL:
            goal = f"{game_id}, matches/s with club ÷ {MANY:,}, one core"
            lines.append(Line(goal, club, MANY, 1, "matches/s"))
            show(lines[-1])
    return lines


def rounds_rate(game_id: str) -> tuple[float, float]:
    """Rounds and matches per second of a simulation on one core."""
    plan = plan_of(game_id)
    rounds = matches = 0
    begin = time.perf_counter()
    for number in count():
        part = play_shard(plan, number)
        rounds += int(part.rows["rounds"].sum())
        matches += len(part.rows["match"])
        if (passed := time.perf_counter() - begin) > SECONDS:
            break
    return rounds / passed, matches / passed


def openspiel_games(game_string: str) -> float:
    """Games per second of OpenSpiel as its Python examples step it."""
    import random

    import pyspiel

    from benchmarks import peers

    game = pyspiel.load_game(game_string)
    rng = random.Random(peers.SEED)
    games = 0
    begin = time.perf_counter()
    while (passed := time.perf_counter() - begin) < SECONDS:
        peers._play_out(peers._deal(game, rng), rng)
        games += 1
    return games / passed


def rlcard_games(name: str) -> float:
    """Games per second of RLCard as its documentation runs it."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name, config={"seed": 7})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    games = 0
    begin = time.perf_counter()
    while (passed := time.perf_counter() - begin) < SECONDS:
        env.run(is_training=False)
        games += 1
    return games / passed


def against_peers() -> list[Line]:
    """Rounds per second against the games per second of the nearest game of a peer; whole matches for the record."""
    nearest: list[tuple[str, str, Callable[[], float]]] = [
        ("double_lucky_7", "OpenSpiel oh_hell(players=4)", lambda: openspiel_games("oh_hell(players=4)")),
        ("loba", "OpenSpiel gin_rummy", lambda: openspiel_games("gin_rummy")),
        ("loba", "RLCard gin-rummy", lambda: rlcard_games("gin-rummy")),
        ("skipbo", "RLCard uno", lambda: rlcard_games("uno")),
    ]
    lines = []
    for game_id, name, measure in nearest:
        rounds, matches = rounds_rate(game_id)
        theirs = measure()
        lines.append(Line(f"{game_id}, rounds/s ÷ games/s of {name}", rounds, theirs, 100, "rounds/s"))
        lines.append(Line(f"(for the record) {game_id}, whole matches/s ÷ the same", matches, theirs, 0, "matches/s"))
        for line in lines[-2:]:
            show(line)
    return lines


def main() -> None:
    """Measure everything and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=4, help="how often every comparison with ourselves is taken up")
    parser.add_argument("--club", action="store_true", help="only how fast matches of players that think are")
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    if args.child:
        _be_child(args.child)
        return
    from ludotheque.core.warm import warm

    warm(list(SEATS), purposes=("play", "batch", "simulate"))
    thinking = sensible_players()
    if not args.dry:
        write_section("Simulations with club", table(thinking), "python -m benchmarks.lab --club")
    if args.club:
        return
    lines = [*against_ourselves(args.rounds), memory()]
    os.sched_setaffinity(0, {0})
    lines += against_peers()
    if not args.dry:
        write_section("Lab", table(lines), "python -m benchmarks.lab")


if __name__ == "__main__":
    main()
