"""The game room under load: `python -m benchmarks.room`.

Three rooms as people use them, on loopback, every move on disk before it is acknowledged:

- *pairs*: 2,000 tables of two people;
- *bots*: 1,000 tables of one person and two `club` bots, which think in the server's processor time too;
- *clocks*: 500 tables of two people with a clock of 30 s, and a spectator at each.

People think 2 to 4 s before each move, bots answer after the half second that is the server's default. Tables play the
games that fit in turn. *Saturated* tables, where Double Lucky 7 is played as fast as it goes, and *paced* ones with a
move a second each, are what `benchmarks.room_compare` sets beside other servers; here they run for our own alone.

The server runs on one core, the players on another: `players` is the part of theirs that they took.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import uvloop

from benchmarks.results import write_section
from benchmarks.room_loads import EVERY_SECOND, ROOMS, Load, Measurement, idle_memory, measure, show
from benchmarks.room_process import CLIENT_CORE, NO_LIMITS, Server

LOADS = {
    **ROOMS,
    "saturated-50": Load(50),
    "saturated-500": Load(500),
    "saturated-2000": Load(2000),
    "paced-2000": Load(2000, EVERY_SECOND),
}
SATURATED = 0.9
"""A load generator that takes more of its core than this measures itself."""


def run(load: Load, seconds: float, name: str = "") -> Measurement:
    """A fresh server under a load."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), **NO_LIMITS) as server:
        server.settle()
        found = uvloop.run(measure(server, load, seconds, name))
    if found.client_load > SATURATED:
        print(f"The players took {found.client_load:.0%} of their core: the server could do more.", flush=True)
    return found


def run_idle(tables: int) -> float:
    """Megabytes of a server with so many tables where nothing happens."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), **NO_LIMITS) as server:
        return uvloop.run(idle_memory(server, tables))


def room_table(found: Sequence[Measurement]) -> list[str]:
    """Rooms as a Markdown table."""
    heads = "room|tables|moves/s|answer p50 ms|answer p99 ms|seen p99 ms|µs/move|server's core|players' core|MB"
    text = [f"| {heads.replace('|', ' | ')} |", "|---|" + "---:|" * 9]
    for one in found:
        seen = f"{one.p99:.1f}" if one.load != "bots" else "–"
        text.append(
            f"| {one.load} | {one.tables:,} | {one.rate:,.0f} | {one.answer_p50:.1f} | {one.answer_p99:.1f} | {seen} | "
            f"{one.cpu:.0f} | {one.rate * one.cpu / 1e6:.0%} | {one.client_load:.0%} | {one.memory:.0f} |"
        )
    return text


def main() -> None:
    """Measure, print, and write what the rooms showed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(ROOMS), help="of " + ", ".join([*LOADS, "idle-N"]) + ", with commas")
    parser.add_argument("--seconds", type=float, default=20.0, help="that count in each run")
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    names = args.only.split(",")
    for name in names:
        if name not in LOADS and not name.removeprefix("idle-").isdecimal():
            parser.error(f"no load {name!r}: choose from {', '.join(LOADS)}, idle-N")
    os.sched_setaffinity(0, {CLIENT_CORE})
    measured = []
    for name in names:
        print(f"{name} ...", flush=True)
        if name.startswith("idle-"):
            print(f"idle, {int(name[5:]):,} tables: {run_idle(int(name[5:])):.0f} MB", flush=True)
            continue
        measured.append(run(LOADS[name], args.seconds, name if name in ROOMS else ""))
        show(measured[-1])
    rooms = [one for one in measured if one.load in ROOMS]
    if not args.dry and len(rooms) == len(ROOMS):
        notes = [
            f"One server on one core with SQLite, {args.seconds:g} s each. People think 2 to 4 s before moving.",
            "*pairs*: two people at each table; *bots*: one person and two `club` bots, whose thinking is in the",
            "processor time; *clocks*: two people, a clock of 30 s and a spectator. *Answer*: from sending a move to",
            "hearing that it is stored; *seen*: to the first other client's seeing it. A move is anybody's, bots' too.",
        ]
        write_section("Rooms as people use them", [*room_table(rooms), "", *notes], "python -m benchmarks.room")


if __name__ == "__main__":
    main()
