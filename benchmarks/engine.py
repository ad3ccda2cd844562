"""The engine against its peers, in one run: `make bench` prints the ratios and writes `benchmarks/RESULTS.md`.

Rates count players' decisions per second. Everything but the line on two cores runs pinned to one core. Ours is
measured before and after each peer, so that a machine that slows down slows both. Our playouts are whole matches
with every deal in them; OpenSpiel's rollouts start behind the deal.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

import ludotheque
from benchmarks.games import SEATS
from benchmarks.results import Line, show, table, write_section
from benchmarks.undisturbed import Turns

if TYPE_CHECKING:
    from benchmarks import peers

SECONDS = 0.7
RUNS = 3


def playout_rate(game_id: str) -> float:
    """Random playouts of whole matches in compiled code."""
    game = ludotheque.game(game_id)
    match = game.new(SEATS[game_id], seed=1)
    start = np.frombuffer(match.to_bytes(), np.uint8).copy()
    wins = np.zeros(game.info.max_seats, np.int64)
    num = 16
    while True:
        begin = time.perf_counter()
        game.kernels.playouts(start, num, 1, wins)
        if time.perf_counter() - begin > SECONDS / 5:
            break
        num *= 2
    return _median_rate(lambda seed: game.kernels.playouts(start, 5 * num, seed, wins))


def match_rate(game_id: str) -> float:
    """`Match.legal` and `Match.play` from Python with random moves; the deals are in it."""
    game = ludotheque.game(game_id)

    def run(seed: int) -> int:
        rng = random.Random(seed)
        decisions = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < SECONDS:
            match = game.new(SEATS[game_id], seed=rng.getrandbits(64))
            while not match.over:
                match.play(rng.choice(match.legal()))
            decisions += len(match.moves)
        return decisions

    return _median_rate(run)


def arena_rate(game_id: str, threads: int) -> float:
    """An arena of 4096 with random moves, timed for a while."""
    work = arena_work(game_id, threads)

    def run(_: int) -> int:
        decisions = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < SECONDS:
            decisions += work()
        return decisions

    return _median_rate(run)


def arena_work(game_id: str, threads: int, size: int = 4096) -> Callable[[], int]:
    """One step of an arena with random moves: sampling, checking, playing, masks. Returns how many moves that was."""
    arena = ludotheque.game(game_id).arena(size, SEATS[game_id], seed=1, threads=threads)

    def step() -> int:
        arena.step(arena.sample())
        return size

    for _ in range(50):  # the matches come apart
        step()
    return step


def _median_rate(run: Callable[[int], int]) -> float:
    rates = []
    for seed in range(RUNS):
        begin = time.perf_counter()
        decisions = run(seed + 1)
        rates.append(decisions / (time.perf_counter() - begin))
    return statistics.median(rates)


def against(what: str, ours: Callable[[], float], peer: Callable[[], peers.Rate], wanted: float) -> Line:
    """Ours, the peer, ours again."""
    before = ours()
    other = peer()
    line = Line(f"{what} ÷ {other.name}", (before + ours()) / 2, other.rate, wanted)
    show(line)
    return line


def compare() -> list[Line]:
    """All comparisons with peers, on one core."""
    from benchmarks import peers  # here, so that the children that time our start do not load them

    def rollouts(name: str) -> Callable[[], peers.Rate]:
        return lambda: peers.openspiel_rollouts(name)

    def playouts(game_id: str) -> Callable[[], float]:
        return lambda: playout_rate(game_id)

    lines = [
        against("Double Lucky 7 playouts", playouts("double_lucky_7"), rollouts("oh_hell(players=4)"), 8),
        against("Loba playouts", playouts("loba"), rollouts("gin_rummy"), 50),
        against("LOBO 77 playouts", playouts("lobo77"), rollouts("hearts"), 3),
        against("Skip-Bo playouts", playouts("skipbo"), rollouts("hearts"), 3),
        against("Volle Lotte playouts", playouts("volle_lotte"), rollouts("pig"), 1),
    ]
    slow = peers.rlcard_random("gin-rummy")
    for game_id in SEATS:
        lines.append(Line(f"{game_id} playouts ÷ {slow.name}", playout_rate(game_id), slow.rate, 500))
        show(lines[-1])

    def stepped() -> peers.Rate:
        return peers.openspiel_python("oh_hell(players=4)")

    def stepped_after_deal() -> peers.Rate:
        return peers.openspiel_python("oh_hell(players=4)", deal=False)

    lines += [
        against("Double Lucky 7, Match.legal + Match.play", lambda: match_rate("double_lucky_7"), stepped, 2),
        against("Double Lucky 7, Arena of 4096", lambda: arena_rate("double_lucky_7", 1), stepped, 100),
    ]
    deal_free = stepped_after_deal()
    note = Line(f"(for the record) Match ÷ {deal_free.name}", match_rate("double_lucky_7"), deal_free.rate, 0)
    show(note)
    return [*lines, note]


def own() -> list[Line]:
    """Comparisons with ourselves: two cores, record sizes, starting and compiling."""
    lines = []
    if (os.cpu_count() or 1) > 1:
        turns = {game_id: Turns(arena_work(game_id, 1), arena_work(game_id, 2)) for game_id in SEATS}
        for _ in range(8):
            for timed in turns.values():
                timed.round()
        for game_id, timed in turns.items():
            one, two = timed.rates()
            lines.append(Line(f"{game_id}, Arena on two cores ÷ on one ({timed.num_calm} pairs)", two, one, 1.7))
            show(lines[-1])
    for game_id in SEATS:
        limit = 2048 if game_id == "loba" else 1024
        size = ludotheque.game(game_id).info.state.itemsize
        lines.append(Line(f"{game_id}, record in bytes ÷ {limit}", size, limit, 1, "bytes", at_most=True))
        show(lines[-1])
    for game_id in SEATS:
        first = statistics.median(_first_move(game_id) for _ in range(5))
        lines.append(Line(f"{game_id}, warm start to first move ÷ 1 s", first, 1, 1.5, "s", at_most=True))
        show(lines[-1])
    for game_id in SEATS:
        lines.append(Line(f"{game_id}, first compile for playing ÷ 1 s", _compile(game_id), 1, 15, "s", at_most=True))
        show(lines[-1])
    return lines


def _child(*arguments: str, environment: dict[str, str] | None = None) -> str:
    command = [sys.executable, "-m", "benchmarks.engine", "--child", *arguments]
    env = {**os.environ, **(environment or {})}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout


def _first_move(game_id: str) -> float:
    begin = time.perf_counter()
    _child("first_move", game_id)
    return time.perf_counter() - begin


def _compile(game_id: str) -> float:
    with tempfile.TemporaryDirectory() as directory:
        begin = time.perf_counter()
        _child("warm", game_id, environment={"LUDOTHEQUE_CACHE": directory})
        return time.perf_counter() - begin


def _be_child(job: str, game_id: str) -> None:
    if job == "first_move":
        match = ludotheque.game(game_id).new(seed=1)
        match.play(match.legal()[0])
    else:
        from ludotheque.core.warm import ensure

        ensure(game_id)


def main() -> None:
    """Measure everything and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    if args.child:
        _be_child(*args.child)
        return
    from ludotheque.core.warm import warm

    warm(list(SEATS), purposes=("play", "batch"))
    lines = own()
    os.sched_setaffinity(0, {0})
    lines = compare() + lines
    if not args.dry:
        write_section("Engine", table(lines), "make bench")


if __name__ == "__main__":
    main()
