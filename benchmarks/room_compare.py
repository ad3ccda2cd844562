"""The game room against its peers, in one run: `python -m benchmarks.room_compare`.

Ours runs before and after each peer, in several rounds, and what counts is the mean of them. Ours has Double Lucky 7
with its real rules, a view for each seat, and every move on disk before it is shown; the peers have the smallest card
game. Beside each ratio stands the floor, or the ceiling, that is wanted of it.

When others use the machine too, a server does not get all of its core, and rates say little. So the moves per second
of the server's processor time are printed as well, and how much of its core each server had.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks import room
from benchmarks.results import Line, show, table, write_section
from benchmarks.room_loads import EVERY_SECOND, OURS, Load, Measurement
from benchmarks.room_loads import show as show_measurement
from benchmarks.room_peers import PEERS, Mode, install, measure
from benchmarks.room_process import CLIENT_CORE

IDLE_TABLES = 10_000
IDLE_MEGABYTES = 500
FLAT = 1.25
"""How much dearer a move may be with one number of tables than with another."""

Figure = Callable[[Measurement], float]


@dataclass(frozen=True)
class Want:
    """A peer, a figure, and what we want of the ratio; 0: it is only printed."""

    peer: str
    figure: str
    wanted: float


@dataclass(frozen=True)
class Condition:
    """So many tables in a mode, and what is wanted there."""

    tables: int
    mode: Mode
    wants: tuple[Want, ...]

    @property
    def name(self) -> str:
        """How `--only` calls it."""
        return f"{self.mode}-{self.tables}"


CONDITIONS = (
    Condition(50, "saturated", (Want("memory", "rate", 3), Want("files", "rate", 12), Want("colyseus", "rate", 0.45))),
    Condition(
        500,
        "saturated",
        (
            Want("memory", "rate", 3),
            Want("memory", "memory", 1.2),
            Want("files", "rate", 12),
            Want("colyseus", "rate", 0.9),
        ),
    ),
    Condition(
        2000, "saturated", (Want("memory", "rate", 0), Want("memory", "memory", 0.8), Want("colyseus", "rate", 0.9))
    ),
    Condition(2000, "paced", (Want("memory", "p99", 0), Want("colyseus", "p99", 0.5), Want("colyseus", "cpu", 1.5))),
)

FIGURES: dict[str, tuple[Figure, str, bool]] = {
    "rate": (lambda found: found.rate, "moves/s", False),
    "capacity": (lambda found: 1e6 / found.cpu, "moves per second of processor time", False),
    "cpu": (lambda found: found.cpu, "µs of processor time for a move", True),
    "p99": (lambda found: found.p99, "p99 in ms", True),
    "memory": (lambda found: found.memory, "MB", True),
}
"""How a figure is read, what it is called, and whether less is better."""


def compare(condition: Condition, seconds: float, rounds: int) -> tuple[list[Measurement], list[Line]]:
    """Ours and the peers by turns: all measurements, and the lines that are wanted."""
    tables, mode = condition.tables, condition.mode
    load = Load(tables, EVERY_SECOND if mode == "paced" else None)
    measured: list[Measurement] = []

    def add(found: Measurement) -> Measurement:
        measured.append(found)
        show_measurement(found)
        return found

    after = add(room.run(load, seconds))
    lines = []
    for name in dict.fromkeys(want.peer for want in condition.wants):
        ours, theirs = [after], []
        for _ in range(rounds):
            theirs.append(add(measure(PEERS[name], tables, mode, seconds)))
            after = add(room.run(load, seconds))
            ours.append(after)
        for want in (*condition.wants, *([Want(name, "capacity", 0)] if mode == "saturated" else [])):
            if want.peer == name:
                figure, unit, at_most = FIGURES[want.figure]
                what = f"{mode}, {tables:,} tables, {unit} ÷ {PEERS[name].name}"
                mean, other = (statistics.fmean(map(figure, runs)) for runs in (ours, theirs))
                lines.append(Line(what, mean, other, want.wanted, unit, at_most))
                show(lines[-1])
    return measured, lines


def flatness(measured: Sequence[Measurement]) -> Line:
    """Our processor time for a move where it is dearest, against where it is cheapest."""
    costs: dict[int, list[float]] = {}
    for found in measured:
        if found.server == OURS and found.load == "saturated":
            costs.setdefault(found.tables, []).append(found.cpu)
    means = [statistics.fmean(values) for values in costs.values()]
    sizes = " to ".join(f"{size:,}" for size in (min(costs), max(costs)))
    what = f"µs of processor time for a move, dearest ÷ cheapest, {sizes} tables"
    return Line(what, max(means), min(means), FLAT, "µs", True)


def raw_table(measured: Sequence[Measurement]) -> list[str]:
    """All runs in their order as a Markdown table."""
    heads = "| server | run | moves/s | p50 ms | p99 ms | µs/move | of its core | players' core | MB |"
    text = [heads, "|---|---|" + "---:|" * 7]
    for found in measured:
        text.append(
            f"| {found.server} | {found.load}, {found.tables:,} tables | {found.rate:,.0f} | {found.p50:.1f} | "
            f"{found.p99:.1f} | {found.cpu:.0f} | {found.rate * found.cpu / 1e6:.0%} | {found.client_load:.0%} | "
            f"{found.memory:.0f} |"
        )
    return text


def main() -> None:
    """Measure everything and write the results."""
    names = [*(condition.name for condition in CONDITIONS), "idle"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(names), help="some of these, with commas: %(default)s")
    parser.add_argument("--seconds", type=float, default=10.0, help="that count in each run")
    parser.add_argument("--rounds", type=int, default=1, help="how often each peer runs, between two runs of ours")
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    only = args.only.split(",")
    for name in only:
        if name not in names:
            parser.error(f"no condition {name!r}: choose from {', '.join(names)}")
    conditions = [condition for condition in CONDITIONS if condition.name in only]
    if conditions:
        install()
    os.sched_setaffinity(0, {CLIENT_CORE})
    measured: list[Measurement] = []
    lines: list[Line] = []
    for number, condition in enumerate(conditions, 1):
        print(f"{condition.name} ({number} of {len(conditions)}) ...", flush=True)
        found, wanted = compare(condition, args.seconds, args.rounds)
        measured += found
        lines += wanted
    if sum(condition.mode == "saturated" for condition in conditions) > 1:
        lines.append(flatness(measured))
    if "idle" in only:
        print("idle ...", flush=True)
        what = f"idle, {IDLE_TABLES:,} tables with a connection each, MB ÷ {IDLE_MEGABYTES}"
        lines.append(Line(what, room.run_idle(IDLE_TABLES), IDLE_MEGABYTES, 1, "MB", at_most=True))
    print()
    for line in lines:
        show(line)
    if not args.dry:
        version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
        notes = [
            f"One server process on one core, {args.seconds:g} s a run, in this order; what is compared are means;",
            f"Node.js {version}. Ours plays Double Lucky 7 with every move on disk before it is shown, the peers the",
            "smallest card game. A saturated server that had much less than its whole core shared it with other work:",
            "then compare processor time. Players that took nearly all of their core set the rate themselves.",
        ]
        title, command = "Game room", "python -m benchmarks.room_compare"
        if args.rounds > 1:
            command += f" --rounds {args.rounds}"
        if only != names:  # beside the results of a whole run
            title, command = f"{title}: {args.only}", f"{command} --only {args.only}"
        write_section(title, [*table(lines), "", *notes, "", *raw_table(measured)], command)


if __name__ == "__main__":
    main()
