"""Where compiled code is kept: a directory for each game and set of templates, named after what the sources say.

Two checkouts or environments with the same sources and versions share it. What was used last is kept, up to a size.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ludotheque.core import jit, locks, registry
from ludotheque.core.errors import LudothequeError
from ludotheque.core.jit import BOT_TEMPLATES, LAB_TEMPLATES, PACKAGE, RULES_TEMPLATES, VIEW_TEMPLATES
from ludotheque.core.pages import game_name
from ludotheque.core.texts import shared, worded

CORE_SOURCES = (
    "bits.py", "chance.py", "chooser.py", "entries.py", "game.py", "jit.py", "numba_private.py", "ranking.py",
    "record.py",
)  # fmt: skip
"""The core's modules with compiled functions in them, or with a say in how they are compiled."""

NEVER_COMPILED = ("notation.py", "pad.py", "reasons.py", "recap.py")
"""The modules of a game that have no compiled functions."""

ONLY_READS = ("recap.py",)
"""The modules of a game that no compiled code depends on: they read what happened."""

WITH = {VIEW_TEMPLATES: (PACKAGE / "core" / "views.py",), LAB_TEMPLATES: (BOT_TEMPLATES,)}
"""More files that the compiled code of some templates depends on."""

HOOKS = {VIEW_TEMPLATES: {"view.py"}, BOT_TEMPLATES: {"bots.py"}, LAB_TEMPLATES: {"bots.py", "figures.py"}}
"""A game's modules that only the compiled code of its views, its bots, or its simulations depends on."""

SIZE = "LUDOTHEQUE_CACHE_SIZE"
DEFAULT_SIZE = "1 GB"
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}
DAY = 86400.0
"""Seconds for which a directory is taken to be in use where that cannot be known."""
DONE = "compiled-"
"""How the files begin that say what a directory is complete for."""


@cache
def source_digest(folder: Path, templates: Path) -> str:
    """A digest of all that compiled code of the game in a folder depends on: sources, tools, processor.

    Numba notices a change in a cached function's own file only, not in the functions it calls: the cache directory
    is named after this digest, so stale rules cannot run. No path, no time and no build of Python is in it.
    """
    digest = hashlib.sha256(f"{sys.platform} {sys.implementation.cache_tag} {sys.version_info} {jit.TOOLS}\0".encode())
    sources = [templates, *WITH.get(templates, ()), *(PACKAGE / "core" / name for name in CORE_SOURCES)]
    left_out = {*NEVER_COMPILED}.union(*HOOKS.values()) - HOOKS.get(templates, set())
    if templates == VIEW_TEMPLATES:  # how large a view is may depend on how things are written
        left_out -= {"notation.py"}
    left_out |= {*ONLY_READS}
    names = [(path.relative_to(PACKAGE), path) for path in sources]
    names += [(p.relative_to(folder), p) for p in sorted(folder.rglob("*.py")) if p.name not in left_out]
    for name, path in names:
        text = path.read_bytes()
        digest.update(f"{name.as_posix()}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where compiled code is kept: `LUDOTHEQUE_CACHE`, or `ludotheque` in the user's cache directory."""
    named = os.environ.get("LUDOTHEQUE_CACHE")
    if named:
        return Path(named).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ludotheque"


def _shelf(game_id: str, templates: Path) -> str:
    """The name of the directory with all versions of a game's code that is made from a file of templates."""
    return game_id if templates == RULES_TEMPLATES else f"{game_id}-{templates.parent.name}"


@cache
def cache_dir(game_id: str, folder: Path, templates: Path = RULES_TEMPLATES) -> Path:
    """The cache directory of a game with exactly these sources, in use by this process from now on."""
    name = Path(_shelf(game_id, templates), source_digest(folder, templates))
    directory = cache_root() / name
    if not jit.COMPILED:
        return directory
    try:
        locks.hold_directory(directory)
        os.utime(directory)
    except OSError as error:
        if _is_complete(directory, templates):
            return directory
        _turn_away(error)
    for root in _unwritable:
        directory = cache_root() / name
        if not directory.exists() and (root / name).is_dir():
            shutil.copytree(root / name, directory)
        locks.hold_directory(directory)
    return directory


_unwritable: list[Path] = []
"""The cache that cannot be written, once that is known,"""
complaints: list[LudothequeError] = []
"""and what was said about it."""


def _is_complete(directory: Path, templates: Path) -> bool:
    """Whether a directory that is only read has all that could be compiled into it."""
    from ludotheque.core.warm import PURPOSES

    wanted = [name for name, purpose in PURPOSES.items() if purpose.templates == templates]
    return all((directory / f"{DONE}{name}").exists() for name in wanted)


def _turn_away(error: OSError) -> None:
    """Keep compiled code in a temporary directory, of this process and those that it starts."""
    _unwritable.append(cache_root())
    owner, root = os.getpid(), Path(tempfile.mkdtemp(prefix="ludotheque-"))
    atexit.register(lambda: shutil.rmtree(root, ignore_errors=True) if os.getpid() == owner else None)
    os.environ["LUDOTHEQUE_CACHE"] = str(root)
    complaints.append(worded(LudothequeError, "cache.unwritable", directory=str(_unwritable[0]), reason=error.strerror))
    print(f"ludotheque: {complaints[0]}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class Kept:
    """A directory of the cache."""

    path: Path
    game_id: str
    purposes: tuple[str, ...]
    """What it is complete for."""
    size: int
    """Bytes."""
    used: float
    """When a process last began to use it, in seconds since 1970."""

    def is_in_use(self) -> bool:
        """Whether a running process uses it."""
        return locks.is_held(self.path) or (sys.platform == "win32" and time.time() - self.used < DAY)

    def remove(self) -> bool:
        """Remove it unless it is in use."""
        try:
            if self.is_in_use():
                return False
            shutil.rmtree(self.path)
        except OSError:  # somebody else removes it, or we may not
            return not self.path.exists()
        return True


def kept() -> list[Kept]:
    """What is in the cache, that used last first."""
    return sorted(_find(), key=lambda one: one.used, reverse=True)


def _find() -> Iterator[Kept]:
    for path in cache_root().glob("*/*"):
        if not re.fullmatch("[0-9a-f]{16}", path.name):
            continue
        with suppress(OSError):  # it is being removed
            files = list(path.iterdir())
            purposes = tuple(sorted(f.name.removeprefix(DONE) for f in files if f.name.startswith(DONE)))
            size = sum(file.stat().st_size for file in files)
            yield Kept(path, path.parent.name.partition("-")[0], purposes, size, path.stat().st_mtime)


def is_current(one: Kept, folder: Path) -> bool:
    """Whether a directory is of the sources and versions that run now; `folder` is the game's."""
    found = [templates for templates in _TEMPLATES if _shelf(one.game_id, templates) == one.path.parent.name]
    return any(source_digest(folder, templates) == one.path.name for templates in found)


_TEMPLATES = (RULES_TEMPLATES, VIEW_TEMPLATES, BOT_TEMPLATES, LAB_TEMPLATES)


def size_limit() -> int:
    """How many bytes are kept: `LUDOTHEQUE_CACHE_SIZE`, such as `500 MB` or `2G`."""
    text = os.environ.get(SIZE) or DEFAULT_SIZE
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMG]?)(?:I?B)?\s*", text, re.IGNORECASE)
    if found is None:
        raise worded(LudothequeError, "cache.size", text=repr(text), example=DEFAULT_SIZE)
    return int(float(found[1]) * UNITS[found[2].upper()])


def trim() -> None:
    """Remove what was used longest ago and is not in use, until the rest fits."""
    left, total = size_limit(), 0
    for one in kept():
        total += one.size
        if total > left and one.remove():
            total -= one.size


def clear(game_ids: Sequence[str], lang: str) -> str:
    """Remove what is kept of these games, or of all, and is not in use; what was done, in a sentence."""
    went = stayed = 0
    for one in _of(game_ids):
        if one.remove():
            went += one.size
        else:
            stayed += one.size
    facts = {"size": _megabytes(went), "left": _megabytes(stayed), "directory": str(cache_root())}
    return shared(lang).say("cache.cleared_partly" if stayed else "cache.cleared", facts)


def describe(game_ids: Sequence[str], lang: str) -> list[str]:
    """What is kept of these games, or of all: a line each, that used last first."""
    words = shared(lang)
    head = [words.say(f"cache.{name}") for name in ("game", "purposes", "size", "used", "state")]
    rows = [_row(one, lang) for one in _of(game_ids)]
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)]
    total = {"size": _megabytes(sum(one.size for one in _of(game_ids))), "most": _megabytes(size_limit())}
    return [*(line.rstrip() for line in lines), words.say("cache.total", {**total, "directory": str(cache_root())})]


def _of(game_ids: Sequence[str]) -> list[Kept]:
    return [one for one in kept() if not game_ids or one.game_id in game_ids]


def _row(one: Kept, lang: str) -> list[str]:
    words = shared(lang)
    is_known = one.game_id in registry.ids()
    fresh = is_known and is_current(one, registry.folder(one.game_id))
    return [
        game_name(one.game_id) if is_known else one.game_id,
        ", ".join(words.say(f"cache.{purpose}") for purpose in one.purposes) or words.say("cache.unfinished"),
        _megabytes(one.size),
        time.strftime("%Y-%m-%d %H:%M", time.localtime(one.used)),
        words.say("cache.current" if fresh else "cache.old"),
    ]


def _megabytes(size: int) -> str:
    return f"{size / UNITS['M']:.1f} MB"
