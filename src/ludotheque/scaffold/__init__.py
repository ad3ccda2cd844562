"""A game in a package of its own, to begin with: `ludotheque new-game` copies `project/` under another name.

`project/` is the dice game Pig with everything a game can have. It is code like any other here, linted, typed and
tested; its words `pig`, `Pig` and `pig_game` are replaced.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from ludotheque.core import registry
from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import worded

PROJECT = Path(__file__).resolve().parent / "project"


def new_game(game_id: str, to: Path | None = None) -> Path:
    """Write a project with a small game under this id into a directory that is not there yet; the directory.

    Without `to` it is named after the game, in the current one. An error leaves nothing behind.
    """
    registry.check_new_id(game_id)
    if game_id in registry.ids():
        raise worded(LudothequeError, "game_taken", package=registry.package(game_id))
    target = Path(game_id) if to is None else to
    if target.exists() or target.is_symlink():
        raise worded(LudothequeError, "new_game.exists", path=str(target))
    if not target.parent.is_dir():
        raise worded(LudothequeError, "new_game.no_directory", path=str(target), parent=str(target.parent))
    try:
        with tempfile.TemporaryDirectory(prefix=".new-game-", dir=target.parent) as beside:
            made = Path(beside) / "project"
            _copy(game_id, made)
            os.rename(made, target)
    except OSError as error:
        raise worded(LudothequeError, "new_game.unwritable", path=str(target), why=error.strerror) from None
    return target


def _copy(game_id: str, to: Path) -> None:
    words = {"pig": game_id, "Pig": game_id.replace("_", " ").title(), "pig_game": f"{game_id}_game"}

    def renamed(text: str) -> str:
        return re.sub(r"\b(pig_game|pig|Pig)\b", lambda found: words[found[0]], text)

    shutil.copytree(PROJECT, to, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    (to / "pig_game").rename(to / words["pig_game"])
    for path in to.rglob("*"):
        if path.is_file():
            path.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
