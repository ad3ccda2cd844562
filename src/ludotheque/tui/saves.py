"""The player's own folder: matches and score pads under way, and the seats taken in game rooms."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ludotheque.core.errors import LudothequeError
from ludotheque.core.files import read_text, write_text


def home() -> Path:
    """The folder, named by `LUDOTHEQUE_HOME` or where the system keeps such things. It may not exist yet."""
    named = os.environ.get("LUDOTHEQUE_HOME")
    if named:
        return Path(named)
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "share") / "ludotheque"


def saves() -> Path:
    """Matches under way."""
    return home() / "matches"


def pads() -> Path:
    """Score pads under way."""
    return home() / "pads"


def free_name(folder: Path, game_id: str, now: datetime) -> Path:
    """A file that does not exist yet."""
    stem = f"{game_id}-{now:%Y%m%d-%H%M%S}"
    names = (folder / f"{stem}{tail}.json" for tail in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(path for path in names if not path.exists())


@dataclass(frozen=True)
class Saved:
    """A file in the folder, as far as one glance tells."""

    path: Path
    game: str
    """Empty if the file is broken."""
    players: tuple[str, ...] = ()
    moves: int = 0
    changed: float = 0


def list_saved(folder: Path) -> list[Saved]:
    """What there is to go on with, the latest first; broken files too, so that they are noticed."""
    if not folder.is_dir():
        return []
    found = [_glance(path) for path in folder.glob("*.json")]
    return sorted(found, key=lambda saved: -saved.changed)


def _glance(path: Path) -> Saved:
    changed = 0.0
    try:
        changed = path.stat().st_mtime
        data: Any = json.loads(read_text(path))
        data = data.get("record", data)
        told = data.get("moves", data.get("entries"))
        return Saved(path, str(data["game"]), tuple(map(str, data["players"])), len(told), changed)
    except (LudothequeError, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Saved(path, "", changed=changed)


def read_seats() -> dict[str, dict[str, Any]]:
    """The seats taken in game rooms, by address of the table."""
    try:
        data = json.loads(read_text(home() / "seats.json"))
    except (LudothequeError, ValueError):
        return {}
    return {key: seat for key, seat in data.items() if isinstance(seat, dict)} if isinstance(data, dict) else {}


def keep_seat(address: str, seat: dict[str, Any] | None) -> None:
    """Remember the seat at a table, with its secret, or forget it. Only the user can read the file."""
    seats = read_seats()
    seats.pop(address, None)
    if seat is not None:
        seats[address] = seat
    home().mkdir(parents=True, exist_ok=True)
    write_text(home() / "seats.json", json.dumps(dict(list(seats.items())[-50:]), indent=1), private=True)
