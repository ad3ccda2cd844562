"""The arguments that the lab's commands share, and how each is said."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ludotheque.core.texts import Catalogue

INTERRUPTED = 130
"""What a command answers that was stopped and has shown what it had."""

_NUMBER: dict[str, Any] = {"type": int, "metavar": "N"}
_FILE: dict[str, Any] = {"type": Path, "metavar": "FILE"}
_FLAG: dict[str, Any] = {"action": "store_true"}

_KINDS: dict[str, dict[str, Any]] = {
    "games": _NUMBER,
    "deals": _NUMBER,
    "players": _NUMBER,
    "bots": {"metavar": "BOT,BOT,…"},
    "budget": {"metavar": "50ms|2000it"},
    "seed": {},
    "vary": {"metavar": "NAME=A,B,…"},
    "jobs": _NUMBER,
    "ray": {"metavar": "HOST:PORT"},
    "out": _FILE,
    "json": _FILE,
    "plot": _FILE,
    "report": _FILE,
    "resume": _FLAG,
    "force": _FLAG,
}


def add_arguments(
    parser: argparse.ArgumentParser, words: Catalogue, ids: str, command: str, names: str, **defaults: Any
) -> None:
    """A game and these options, by their names, for a command. Its texts lie under `cli.<command>`."""
    parser.add_argument("game", metavar="GAME", help=ids)
    for name in names.split():
        text = words.say(f"cli.{command}.{name}").replace("%", "%%")
        default = {"default": defaults[name]} if name in defaults else {}
        parser.add_argument(f"--{name}", **_KINDS[name], **default, help=text)


def bot_names(text: str) -> list[str]:
    """Bots as they are written at the command line."""
    return [name.strip() for name in text.split(",")]
