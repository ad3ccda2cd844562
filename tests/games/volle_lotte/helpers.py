"""What the stories of Volle Lotte! share: positions with scripted rolls, and short ways to ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ludotheque
from ludotheque.core.match import Match
from ludotheque.games.volle_lotte.notation import script_rolls

GAME = ludotheque.game("volle_lotte")
ANA, BEN, CLEO, DAN = 0, 1, 2, 3
NAMES = ["Ana", "Ben", "Cleo", "Dan"]
BOX = {"stop": 10, "fireworks": 5, "double": 5, "plusminus": 5, "straight": 5, "clover": 1}
BOX |= {f"bonus {points}": 5 for points in (200, 300, 400, 500, 600)}
PLUS_MINUS: dict[str, Any] = {"card": "plusminus", "aside": "1 5", "roll": "3 3 3 1"}
"""All four dice of the roll score: a Volle Lotte under ±1000."""


def at(table: dict[str, Any], rolls: Sequence[str] = (), players: int = 3, **options: Any) -> Match:
    """A match in a position, with the next rolls of the dice."""
    position = {"players": NAMES[:players], "options": options, "table": table}
    return GAME.position({**position, "chance": {"draws": script_rolls(*rolls)}})


def play(match: Match, *moves: str) -> Match:
    """Play moves for whoever is at turn."""
    for move in moves:
        match.play(move)
    return match


def table(match: Match) -> dict[str, Any]:
    """What everybody sees."""
    view: dict[str, Any] = match.view()["table"]
    return view


def last_events(match: Match) -> list[str]:
    """The types of what the last move did."""
    return [event["type"] for event in match.events()[-1]]
