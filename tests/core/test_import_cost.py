"""Starting is cheap: NumPy and Numba wait until a game is asked for."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

import ludotheque
from tests import needs

SOURCES = str(Path(ludotheque.__file__).parent.parent)
HEAVY = {"numpy", "numba", "llvmlite"}
RUNS = 15

LIST_MODULES = "import sys; print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter with our sources and nothing else of this process's environment."""
    environment = {"PYTHONPATH": SOURCES, "PATH": os.environ.get("PATH", "")}
    command = [sys.executable, "-s", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def test_importing_loads_neither_numpy_nor_numba() -> None:
    loaded = set(run("-c", f"import ludotheque; {LIST_MODULES}").stderr.split())
    assert "ludotheque" in loaded
    assert not loaded & HEAVY


@pytest.mark.parametrize(
    "arguments",
    [
        "--help",
        "--version",
        "rules double_lucky_7",
        "play --help",
        *(f"{command} volle_lotte --help" for command in ("play", "pad", "simulate", "tournament", "skill", "solve")),
        "completion bash",
        "__complete fish play skipbo --",
    ],
)
def test_commands_that_need_no_game_load_neither(arguments: str) -> None:
    code = (
        "import atexit, runpy, sys\n"
        f"atexit.register(lambda: exec({LIST_MODULES!r}))\n"
        f"sys.argv[1:] = {arguments.split()!r}\n"
        "runpy.run_module('ludotheque', run_name='__main__', alter_sys=True)"
    )
    done = run("-c", code)
    assert done.stdout.strip()
    assert "ludotheque" in done.stderr.split()
    assert not set(done.stderr.split()) & HEAVY


def test_help_is_printed_by_the_package() -> None:
    done = run("-m", "ludotheque", "--help")
    assert "ludotheque" in done.stdout and not done.stderr


def cpu_seconds(code: str) -> float:
    """The processor time that a fresh interpreter takes for a line of code."""
    resource = needs.module("resource", "knows the processor time of child processes; it is on Unix only")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run("-c", code)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def test_importing_costs_less_than_three_bare_starts() -> None:
    run("-c", "import ludotheque")  # leaves the bytecode for those that are measured
    pairs = [(cpu_seconds("pass"), cpu_seconds("import ludotheque")) for _ in range(RUNS)]
    bare, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    assert ours < 3 * bare
