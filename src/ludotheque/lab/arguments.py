"""The arguments that the lab's commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludotheque.shell.arguments import Parser, games

INTERRUPTED = 130
"""The exit code of a command that was interrupted and has shown what it had so far."""


def share(text: str) -> float:
    """A share as people write it: `2%` or `0.02`."""
    return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)


_FILE: dict[str, Any] = {"metavar": "FILE", "type": Path}
_FLAG: dict[str, Any] = {"action": "store_true"}

_KINDS: dict[str, dict[str, Any]] = {
    "games": {"metavar": "N"},
    "deals": {"metavar": "N"},
    "until": {"metavar": "2%", "type": share},
    "players": {"metavar": "N", "bounds": (1, None)},
    "bots": {"metavar": "BOT,BOT,…"},
    "budget": {"metavar": "50ms|2000it"},
    "seed": {},
    "vary": {"metavar": "NAME=A,B,…"},
    "jobs": {"metavar": "N"},
    "ray": {"metavar": "HOST:PORT"},
    "out": _FILE,
    "json": _FILE,
    "plot": _FILE,
    "report": _FILE,
    "resume": _FLAG,
    "force": _FLAG,
}


def add_arguments(parser: Parser, names: str, **own: dict[str, Any]) -> None:
    """A game and these options, by their names; `own` is what an option is in this command alone."""
    parser.argument("game", games())
    for name in names.split():
        parser.option(name, **_KINDS[name], **own.get(name, {}))


def bot_names(text: str) -> list[str]:
    """Bots as they are written at the command line."""
    return [name.strip() for name in text.split(",")]
