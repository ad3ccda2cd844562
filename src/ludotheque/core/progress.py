"""A progress bar: drawn on a terminal, one line elsewhere."""

from __future__ import annotations

import sys
import time

WIDTH = 24


class Bar:
    """Progress of long work, on standard error."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.began = time.monotonic()
        self._told = False

    def show(self, done: int, total: int) -> None:
        """So much of it is done. The time left is a guess once a little has been done."""
        elapsed = time.monotonic() - self.began
        if sys.stderr.isatty():
            filled = WIDTH * done // max(total, 1)
            bar = "#" * filled + "." * (WIDTH - filled)
            left = f", {elapsed * (total - done) / done:.0f} s left" if 0 < done < total and elapsed > 2 else ""
            end = "\n" if done >= total else ""
            sys.stderr.write(f"\r\x1b[K{self.text} [{bar}] {elapsed:3.0f} s{left}{end}")
        elif not self._told:
            sys.stderr.write(f"{self.text}\n")
        self._told = True
        sys.stderr.flush()
