"""Stands in for what is compiled: notes down that it was asked to, and takes as long as the environment says."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ludotheque.core import warm
from ludotheque.core.jit import RULES_TEMPLATES

PURPOSE = "play"
NOTES, SECONDS = "TEST_COMPILER_NOTES", "TEST_COMPILER_SECONDS"
REPLACEMENT = warm.Purpose((("start",), ("moves",)), RULES_TEMPLATES, "tests.core.compiler_for_tests", 0)


def compile_entries(game_id: str, names: Sequence[str], done: Callable[[], None]) -> None:
    """Write a line for each entry, with the id of this process; then take a while."""
    for name in names:
        with Path(os.environ[NOTES]).open("a") as notes:
            notes.write(f"{game_id} {name} {os.getpid()}\n")
        time.sleep(float(os.environ[SECONDS]))
        done()


def main() -> None:
    """A process that needs a game compiled."""
    warm.PURPOSES[PURPOSE] = REPLACEMENT
    warm.ensure("lobo77", PURPOSE)
    print("ready")


if __name__ == "__main__":
    main()
