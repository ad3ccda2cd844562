"""Tables of Skip-Bo for stories: setting one up, playing on it, looking at it."""

from __future__ import annotations

from typing import Any

import ludotheque
from ludotheque.core.match import Match

GAME = ludotheque.game("skipbo")
ANA, BEN, CLEO, DAN = 0, 1, 2, 3
NAMES = ["Ana", "Ben", "Cleo", "Dan"]
BOX = {str(number): 12 for number in range(1, 13)} | {"*": 18}
QUIET = [["12"], ["12"], ["12"], ["12"]]  # stocks that nobody can play from, as long as no pile is at 11


def at(
    stocks: list[list[str]] | None = None,
    draws: list[tuple[int, int]] | None = None,
    players: int = 2,
    options: dict[str, Any] | None = None,
    **table: Any,
) -> Match:
    """A match in a position: Ana is at turn unless said otherwise, and all other cards are in the draw pile."""
    return GAME.position(
        {
            "players": NAMES[:players],
            "options": options or {},
            "table": {"stocks": stocks or QUIET[:players], **table},
            "chance": {"draws": draws or []},
        }
    )


def play(match: Match, *moves: str, seat: int | None = None) -> Match:
    """Play moves, for whoever is at turn unless a seat is named."""
    for move in moves:
        match.play(move, seat)
    return match


def table(match: Match, seat: int | None = None) -> dict[str, Any]:
    """What a seat sees, or what everybody sees."""
    view: dict[str, Any] = match.view(seat)["table"]
    return view


def hand(match: Match, seat: int) -> list[str]:
    """The cards a seat holds."""
    cards: list[str] = table(match, seat)["hand"]
    return cards


def stock(match: Match, seat: int) -> list[str]:
    """The whole stock, top card first, hidden cards and all."""
    cards: list[str] = match.position()["table"]["stocks"][seat]
    return cards


def last_events(match: Match, seat: int | None = None) -> list[str]:
    """The types of what the last move did."""
    return [event["type"] for event in match.events(seat)[-1]]


def all_cards(match: Match) -> list[str]:
    """Every card on the table, wherever it lies."""
    t = match.position()["table"]
    piles = [*t["hands"], *t["stocks"], *(pile for seat in t["discards"] for pile in seat), t["draw"], t["aside"]]
    built = [[str(n) for n in range(1, p + 1)] if isinstance(p, int) else p for p in t["built"]]
    return [card for pile in [*piles, *built] for card in pile]


SINK: list[Any] = [[["9", "..."], [], [], []], [[]] * 4]
"""Discard piles that hold all cards mentioned nowhere else."""
