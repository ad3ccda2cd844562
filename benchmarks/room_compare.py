"""The game room against its peers, in one run: `python -m benchmarks.room_compare`.

Ours runs before and after each peer, in several rounds, and what counts is the mean of them. Ours has Double Lucky 7
with its real rules, a view for each seat, and every move on disk before it is told; the peers have the smallest card
game.

When others use the machine too, a server does not get all of its core, and rates say little. So the moves per second
of the server's processor time are told as well, and how much of its core each server had.

With SERVER_PYTHON, see `benchmarks/room.py`, the results stand beside those of this Python, not in their place.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import uvloop

from benchmarks import room
from benchmarks.results import Line, show, table, write_section
from benchmarks.room_peers import CLIENT_CORE, PEERS, Measurement, Mode, install, measure
from benchmarks.room_peers import show as show_measurement

OURS = "Ludothèque, on disk"
LOADING = 4.0
"""Seconds a fresh server of ours needs to load all games in the background."""
IDLE_TABLES = 10_000

Figure = Callable[[Measurement], float]


@dataclass(frozen=True)
class Want:
    """A peer, a figure, and what we want of the ratio; 0 to tell it only."""

    peer: str
    figure: str
    wanted: float


@dataclass(frozen=True)
class Condition:
    """So many tables in a mode, and what is wanted there."""

    tables: int
    mode: Mode
    wants: tuple[Want, ...]


CONDITIONS = (
    Condition(50, "saturated", (Want("memory", "rate", 2), Want("files", "rate", 10), Want("colyseus", "rate", 0.8))),
    Condition(
        500,
        "saturated",
        (
            Want("memory", "rate", 2),
            Want("memory", "memory", 0.6),
            Want("files", "rate", 10),
            Want("colyseus", "rate", 1),
        ),
    ),
    Condition(
        2000, "saturated", (Want("memory", "rate", 0), Want("memory", "memory", 0.6), Want("colyseus", "rate", 1))
    ),
    Condition(2000, "paced", (Want("memory", "p99", 0.25), Want("colyseus", "p99", 0.5))),
)

FIGURES: dict[str, tuple[Figure, str, bool]] = {
    "rate": (lambda found: found.rate, "moves/s", False),
    "capacity": (lambda found: 1e6 / found.cpu, "moves per second of processor time", False),
    "p99": (lambda found: found.p99, "p99 in ms", True),
    "memory": (lambda found: found.memory, "MB", True),
}
"""How a figure is read, what it is called, and whether less is better."""


def measure_ours(tables: int, mode: Mode, seconds: float) -> Measurement:
    """One run of our own server."""
    with tempfile.TemporaryDirectory() as folder:
        server, port = room.start_server(folder)
        try:
            time.sleep(LOADING)
            found = uvloop.run(room.measure(port, server.pid, tables, seconds, mode == "paced"))
        finally:
            server.terminate()
            server.wait()
    if found.refused:
        print(f"{found.refused} moves were refused", flush=True)
    return Measurement(OURS, tables, mode, found.rate, found.p50, found.p99, found.memory, found.cpu)


def idle_memory(tables: int) -> float:
    """Megabytes of our server with so many tables where nothing happens, a connection at each."""
    with tempfile.TemporaryDirectory() as folder:
        server, port = room.start_server(folder)
        try:
            return uvloop.run(room.idle(port, server.pid, tables))
        finally:
            server.terminate()
            server.wait()


def compare(condition: Condition, seconds: float, rounds: int) -> tuple[list[Measurement], list[Line]]:
    """Ours and the peers by turns: all measurements, and the lines that are wanted."""
    tables, mode = condition.tables, condition.mode
    measured: list[Measurement] = []

    def add(found: Measurement) -> Measurement:
        measured.append(found)
        show_measurement(found)
        return found

    after = add(measure_ours(tables, mode, seconds))
    lines = []
    for name in dict.fromkeys(want.peer for want in condition.wants):
        ours, theirs = [after], []
        for _ in range(rounds):
            theirs.append(add(measure(PEERS[name], tables, mode, seconds)))
            after = add(measure_ours(tables, mode, seconds))
            ours.append(after)
        for want in (*condition.wants, *([Want(name, "capacity", 0)] if mode == "saturated" else [])):
            if want.peer == name:
                figure, unit, at_most = FIGURES[want.figure]
                what = f"{mode}, {tables:,} tables, {unit} ÷ {PEERS[name].name}"
                mean, other = (statistics.fmean(map(figure, runs)) for runs in (ours, theirs))
                lines.append(Line(what, mean, other, want.wanted, unit, at_most))
    return measured, lines


def flatness(measured: Sequence[Measurement]) -> Line:
    """Our processor time for a move where it is dearest, against where it is cheapest."""
    costs: dict[int, list[float]] = {}
    for found in measured:
        if found.peer == OURS and found.mode == "saturated":
            costs.setdefault(found.tables, []).append(found.cpu)
    means = [statistics.fmean(values) for values in costs.values()]
    sizes = " to ".join(f"{size:,}" for size in (min(costs), max(costs)))
    return Line(
        f"µs of processor time for a move, dearest ÷ cheapest, {sizes} tables", max(means), min(means), 1.25, "µs", True
    )


def raw_table(measured: Sequence[Measurement]) -> list[str]:
    """All runs in their order as a Markdown table."""
    text = ["| server | run | moves/s | p50 ms | p99 ms | µs/move | of its core | MB |", "|---|---|" + "---:|" * 6]
    for found in measured:
        text.append(
            f"| {found.peer} | {found.mode}, {found.tables:,} tables | {found.rate:,.0f} | {found.p50:.1f} | "
            f"{found.p99:.1f} | {found.cpu:.0f} | {found.rate * found.cpu / 1e6:.0%} | {found.memory:.0f} |"
        )
    return text


def main() -> None:
    """Measure everything and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="that count in each run")
    parser.add_argument("--rounds", type=int, default=1, help="how often each peer runs, between two runs of ours")
    parser.add_argument("--tables", default="50,500,2000", help="the sizes to measure")
    parser.add_argument("--idle", type=int, default=IDLE_TABLES, help="tables for the idle run; 0: none")
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    sizes = {int(count) for count in args.tables.split(",")}
    conditions = [condition for condition in CONDITIONS if condition.tables in sizes]
    if not conditions:
        parser.error("--tables takes one or more of 50, 500 and 2000, with commas")
    install()
    os.sched_setaffinity(0, {CLIENT_CORE})
    measured: list[Measurement] = []
    lines: list[Line] = []
    for condition in conditions:
        found, wanted = compare(condition, args.seconds, args.rounds)
        measured += found
        lines += wanted
    if len(sizes) > 1:
        lines.append(flatness(measured))
    if args.idle:
        what = f"idle, {args.idle:,} tables with a connection each, MB ÷ 1,000"
        lines.append(Line(what, idle_memory(args.idle), 1000, 1, "MB", at_most=True))
    print()
    for line in lines:
        show(line)
    if not args.dry:
        version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
        notes = [
            f"One server process on one core, {args.seconds:g} s a run, in this order; what is compared are means;",
            f"Node.js {version}. Ours plays Double Lucky 7 with every move on disk before it is told, the peers the",
            "smallest card game. A saturated",
            "server that had much less than its whole core shared it with other work: then compare processor time.",
        ]
        title, command = "Game room", "python -m benchmarks.room_compare"
        if args.rounds > 1:
            command += f" --rounds {args.rounds}"
        if sys.executable != room.SERVER_PYTHON:
            asked = [room.SERVER_PYTHON, "--version"]
            other = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
            title, command = f"{title}, on another build of Python", f"SERVER_PYTHON=… {command}"
            notes.append(f"Our server ran on another build: {other}.")
        if not {condition.tables for condition in CONDITIONS} <= sizes:  # beside the results of a whole run
            title, command = f"{title}, tables: {args.tables}", f"{command} --tables {args.tables}"
        write_section(title, [*table(lines), "", *notes, "", *raw_table(measured)], command)


if __name__ == "__main__":
    main()
