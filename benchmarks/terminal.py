"""How soon the terminal shows something: `python -m benchmarks.terminal`.

Each program is started in a terminal of its own, 80 × 24, and ended as soon as its first frame is there: that of
Textual's smallest application, the menu of `ludotheque play`, and a table of each game, all by turns. Compiled rules
are in the cache. Processor time is compared, which neighbours on the machine hardly change, and so is the clock where
others had next to nothing of the machine.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.cluster import CALM, machine_time
from benchmarks.results import Line, show, table, write_section
from ludotheque import game_ids
from ludotheque.core.warm import warm

RUNS = 10
LIMIT = 60.0
"""Seconds until a frame that does not come is given up."""
GOAL = 1.0
"""Seconds until a table is there."""
SMALLEST = """
from textual.app import App
from textual.widgets import Static

class Smallest(App):
    def compose(self):
        yield Static("Hello there")

Smallest().run()
"""


@dataclass(frozen=True)
class Start:
    """What it took until the first frame, in seconds."""

    clock: float
    cpu: float
    others: float
    """Processor time of everybody else meanwhile."""

    @property
    def is_calm(self) -> bool:
        return self.others < CALM * self.clock * (os.cpu_count() or 1)


def start(arguments: Sequence[str], shown: str) -> Start:
    """Start Python with these arguments in a terminal, and end it when the text shows."""
    began, machine = time.perf_counter(), machine_time()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {"TERM": "xterm-256color", "LANG": "C.UTF-8", "COLUMNS": "80", "LINES": "24"}
        os.execv(sys.executable, [sys.executable, *arguments])
    seen = b""
    try:
        while shown.encode() not in re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", seen):
            if not select.select([terminal], [], [], LIMIT)[0]:
                raise TimeoutError(f"no frame with {shown!r}: {seen[-500:]!r}")
            seen += os.read(terminal, 65536)
        clock = time.perf_counter() - began
    finally:
        os.kill(pid, signal.SIGKILL)
        used = os.wait4(pid, 0)[2]
        os.close(terminal)
    cpu = used.ru_utime + used.ru_stime
    return Start(clock, cpu, max(0.0, machine_time() - machine - cpu))


def main() -> int:
    """Measure, print and write down; an exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="how often each is started")
    parser.add_argument("--dry", action="store_true", help="print only")
    given = parser.parse_args()
    warm(game_ids(), "en")
    play = ("-m", "ludotheque", "play", "--lang", "en")
    programs = {
        "smallest": (("-c", SMALLEST), "Hello there"),
        "menu": (play, "Double Lucky 7"),
        **{f"{name}, table": ((*play, name), "F1 rules") for name in game_ids()},
    }
    starts: dict[str, list[Start]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as home:
        os.environ["LUDOTHEQUE_HOME"] = home
        for number in range(given.runs + 1):
            for name, (arguments, shown) in programs.items():
                found = start(arguments, shown)
                if number:  # the first leaves bytecode for the others
                    starts[name].append(found)
    smallest = statistics.median(one.cpu for one in starts.pop("smallest"))
    lines = []
    for name, found_starts in starts.items():
        cpu = statistics.median(one.cpu for one in found_starts)
        if name == "menu":
            lines.append(Line(f"{name}, processor s ÷ Textual's smallest application", cpu, smallest, 2.0, "s", True))
        else:
            what = f"(for the record) {name}, processor s ÷ Textual's smallest application"
            lines.append(Line(what, cpu, smallest, 0.0, "s"))
        lines.append(Line(f"{name}, processor s ÷ {GOAL:g} s", cpu, GOAL, 1.0, "s", True))
        calm = [one.clock for one in found_starts if one.is_calm]
        if len(calm) > 1:
            what = f"{name}, s by the clock ÷ {GOAL:g} s ({len(calm)} calm runs)"
            lines.append(Line(what, statistics.median(calm), GOAL, 1.0, "s", True))
    for line in lines:
        show(line)
    if not given.dry:
        write_section("Terminal", table(lines), "python -m benchmarks.terminal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
