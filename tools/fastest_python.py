"""Print the fastest build of this very version of Python that is at hand: `python3 tools/fastest_python.py`.

A Python that was built without optimisation takes a third longer, or more, for all that is not compiled. Where there
are several builds, say the system's and one's own, the one that runs this is kept unless another is clearly faster.
"""

from __future__ import annotations

import os
import subprocess
import sys

CLEARLY = 0.85
"""Another build must need less than this part of the time."""

PROBE = """
import ensurepip, sqlite3, ssl, sys, timeit, venv

def work():
    found = {}
    for number in range(3000):
        name = f"{number % 97} of"
        found[name] = found.get(name, 0) + len([(number, name)])

print(*sys.version_info[:2], min(timeit.repeat(work, number=10, repeat=7)))
"""


def builds() -> list[str]:
    """The interpreters of our version: ourselves, and those on the path and in the system's folders."""
    major, minor = sys.version_info[:2]
    folders = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/bin", "/usr/local/bin"]
    places = [sys.executable, *(os.path.join(folder, f"python{major}.{minor}") for folder in folders if folder)]
    found: dict[str, str] = {}
    for place in places:
        if os.access(place, os.X_OK):
            found.setdefault(os.path.realpath(place), place)
    return list(found.values())


def seconds(python: str) -> float:
    """How long a build takes for a little work; forever if it cannot make an environment, or is another version."""
    try:
        ran = subprocess.run([python, "-I", "-c", PROBE], capture_output=True, text=True, timeout=60, check=True)
        major, minor, took = map(float, ran.stdout.split())
    except (OSError, subprocess.SubprocessError, ValueError):
        return float("inf")
    return took if (major, minor) == sys.version_info[:2] else float("inf")


def fastest() -> str:
    """The build to take."""
    own, *others = builds()
    if not others:
        return own
    time, best = min((seconds(python), python) for python in others)
    return best if time < CLEARLY * seconds(own) else own


if __name__ == "__main__":
    print(fastest())
