"""What Ray costs: the same shards on this machine without it and with it, in turns; and tasks with nothing to do.

    python -m benchmarks.cluster

Ray is started for it on this machine alone (`--ray local`), with a worker per core. Joining is not in the rates.

The processor time of all processes of a run is compared first: neighbours on the machine hardly change it. Rates by the
clock are compared only where others had next to nothing of the machine: cores are shared among sessions, of which Ray
opens many, so on a busy machine it would look faster than without. Of several runs the fastest counts.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.results import Line, show, table, write_section
from ludotheque.lab.cluster import Cluster
from ludotheque.lab.ray_driver import LOCAL
from ludotheque.lab.shards import make_plan, run_local

RUNS = 5
GAMES = {"double_lucky_7": 400_000, "loba": 8_000}
EMPTY = 3000
"""Tasks with nothing to do."""
CALM = 0.1
"""The share of the machine that others may have while rates by the clock are compared."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Run:
    """What a run took, in seconds."""

    clock: float
    ours: float
    """Processor time of this process and all below it,"""
    others: float
    """and of everybody else on the machine."""


def processor_time() -> float:
    """What this process and all below it have used so far."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        parents[int(process.name)] = int(fields[1])
        used[int(process.name)] = (int(fields[11]) + int(fields[12])) / TICKS

    def is_ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    return sum(seconds for pid, seconds in used.items() if is_ours(pid))


def machine_time() -> float:
    """What all processes on the machine have used so far."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()
    return sum(int(field) for field in (*fields[1:4], *fields[6:8])) / TICKS


def measure(work: Iterable[object]) -> Run:
    """Do some work, whose results are thrown away."""
    began, ours, machine = time.perf_counter(), processor_time(), machine_time()
    for _ in work:
        pass
    used = processor_time() - ours
    return Run(time.perf_counter() - began, used, max(0.0, machine_time() - machine - used))


def fastest(works: Iterable[Callable[[], Iterable[object]]]) -> list[Run]:
    """The fastest run of each work, done in turns."""
    turns = [[measure(work()) for work in works] for _ in range(RUNS)]
    return [min(column, key=lambda run: run.clock) for column in zip(*turns, strict=True)]


def taken(*runs: Run) -> float:
    """The share of the machine that others had."""
    return sum(run.others for run in runs) / sum(run.clock for run in runs) / (os.cpu_count() or 1)


def main() -> None:
    """Measure both in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    lines: list[Line] = []

    def add(what: str, ours: float, peer: float) -> None:
        lines.append(Line(what, ours, peer, 0))
        show(lines[-1])

    starting = time.perf_counter()
    with Cluster(LOCAL) as cluster:
        starting = time.perf_counter() - starting
        for game_id, games in GAMES.items():
            plan = make_plan(game_id, games, bots=["random"])
            shards = range(plan.num_shards)
            measure(cluster.run(plan, range(8)))  # workers start and load the rules
            measure(run_local(plan, range(8)))
            there, here = fastest([partial(cluster.run, plan, shards), partial(run_local, plan, shards)])
            add(
                f"{game_id}, matches per second of processor time, on Ray ÷ without",
                games / there.ours,
                games / here.ours,
            )
            what = f"{game_id}, matches/s on {os.cpu_count()} cores, on Ray ÷ without"
            if taken(there, here) <= CALM:
                add(what, games / there.clock, games / here.clock)
            else:
                print(f"{what}: left out, others had {taken(there, here):.0%} of the machine")
        (run,) = fastest([lambda: cluster.spread(abs, ((n,) for n in range(EMPTY)))])
        add("a task with nothing to do, processor time in ms ÷ 1 ms", 1000 * run.ours / EMPTY, 1)
        add(
            f"tasks with nothing to do, tasks/s ÷ 1/s (others had {taken(run):.0%} of the machine)",
            EMPTY / run.clock,
            1,
        )
    add("starting Ray here and joining it, in s ÷ 1 s", starting, 1)
    if not args.dry:
        write_section("Cluster", table(lines), "python -m benchmarks.cluster")


if __name__ == "__main__":
    main()
