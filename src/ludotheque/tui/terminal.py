"""What this terminal can show."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from ludotheque.core import extras

COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python itself sets LC_CTYPE to in the locale C, whatever the terminal is."""


@dataclass(frozen=True)
class Look:
    """How to draw."""

    ascii: bool = False
    colour: bool = True


def look(environ: Mapping[str, str] | None = None, ascii_wanted: bool = False) -> Look:
    """How to draw here: in ASCII if the locale is not one of UTF-8, without colour if `NO_COLOR` is set."""
    environ = os.environ if environ is None else environ
    names = ["LC_ALL", "LC_CTYPE", "LANG"]
    if environ.get("LANG") in ("C", "POSIX") and environ.get("LC_CTYPE") in COERCED:
        names.remove("LC_CTYPE")
    named = next((environ[name] for name in names if environ.get(name)), "")
    encoding = (named or sys.stdout.encoding or "").lower().replace("-", "")
    return Look(ascii_wanted or "utf8" not in encoding, not environ.get("NO_COLOR"))


def why_plain(environ: Mapping[str, str] | None = None) -> str:
    """Why the plain prompt must do: `pipe`, `dumb` or `missing` (Textual is not installed); empty if it need not."""
    environ = os.environ if environ is None else environ
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return "pipe"
    if environ.get("TERM", "") in ("dumb", "unknown"):
        return "dumb"
    return "" if extras.has("tui", "textual") else "missing"
