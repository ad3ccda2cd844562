"""What benchmarks print and keep: lines of ours against a peer, in sections of `benchmarks/RESULTS.md`."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).with_name("RESULTS.md")


@dataclass(frozen=True)
class Line:
    """One line of the results: what was measured, ours, the peer's, and what we want of the ratio; 0: nothing."""

    what: str
    ours: float
    peer: float
    wanted: float
    unit: str = "decisions/s"
    at_most: bool = False
    """The ratio shall stay below `wanted`, not above."""

    @property
    def ratio(self) -> float:
        return self.ours / self.peer

    @property
    def good(self) -> bool:
        if not self.wanted:
            return True
        return self.ratio <= self.wanted if self.at_most else self.ratio >= self.wanted


def show(line: Line) -> None:
    """Print a line as it comes."""
    figures = f"{line.ours:>14,.4g} {line.peer:>14,.4g} {line.ratio:>10,.2f}"
    wanted = f"{'≤' if line.at_most else '≥'} {line.wanted:g}" if line.wanted else ""
    verdict = "" if line.good else "   short of it"
    print(f"{line.what:<88} {figures} {wanted}{verdict}", flush=True)


def table(lines: Sequence[Line]) -> list[str]:
    """Lines as a Markdown table."""
    text = ["| what | ours | peer | ratio | wanted |", "|---|---:|---:|---:|---|"]
    for line in lines:
        sign = "≤" if line.at_most else "≥"
        wanted = f"{sign} {line.wanted:g}" + ("" if line.good else " **short of it**") if line.wanted else "–"
        text.append(f"| {line.what} | {line.ours:,.4g} | {line.peer:,.4g} | {line.ratio:,.2f} | {wanted} |")
    return text


def rows(name: str, file: Path = RESULTS) -> dict[str, str]:
    """The rows of the table in a section, by what stands in their first column."""
    old = file.read_text(encoding="utf-8") if file.exists() else ""
    for part in re.split(r"^(?=## )", old, flags=re.MULTILINE):
        if part.startswith(f"## {name}\n"):
            lines = [line for line in part.splitlines() if line.startswith("| ")]
            return {line.split(" | ")[0].removeprefix("| "): line for line in lines[1:]}
    return {}


def commit() -> str:
    """The commit that is measured, in short."""
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()


def write_section(name: str, body: Sequence[str], command: str, file: Path = RESULTS) -> None:
    """Put a section in place of the one of that name, with commit and date; the others stay."""
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}, NumPy {np.__version__}"
    head = f"Written by `{command}` on {date} at commit {commit()} ({machine})."
    old = file.read_text(encoding="utf-8") if file.exists() else "# Results\n"
    sections = re.split(r"^(?=## )", old, flags=re.MULTILINE)
    new = "\n".join([f"## {name}", "", head, "", *body]) + "\n"
    kept = [part.rstrip() + "\n" for part in sections]
    places = [n for n, part in enumerate(kept) if part.startswith(f"## {name}\n")]
    if places:
        kept[places[0]] = new
    else:
        kept.append(new)
    file.write_text("\n".join(kept), encoding="utf-8")
