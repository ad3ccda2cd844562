"""Setting up situations of LOBO 77 in a line."""

from __future__ import annotations

from collections import Counter
from typing import Any

import ludotheque
from ludotheque.core.match import Match

GAME = ludotheque.game("lobo77")
ANA, BEN, CLEO, DAN, EVA, FINN, GIL, HUGO = range(8)
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hugo"]

ACTIONS = ["-10"] * 4 + ["0"] * 4 + ["2x"] * 4 + ["rev"] * 5
DOUBLETS = ["11", "22", "33", "44", "55", "66"]
NUMBERS = [str(number) for number in range(2, 10) for _ in range(3)] + ["10"] * 8
BOX = [*ACTIONS, *DOUBLETS, *NUMBERS]
# Hands are filled up with these first: cards that most stories do not name.
FILLERS = [*DOUBLETS, *sorted(NUMBERS, key=int, reverse=True), *ACTIONS]

# Eight hands, and all cards that they leave.
EIGHT = (
    *("2 3 4 5 6", "2 3 4 5 6", "2 3 4 5 6", "7 7 7 8 8"),
    *("8 9 9 9 10", "10 10 10 10 10", "10 10 0 0 0", "0 rev rev rev rev"),
)
FIFTEEN = ["-10", "-10", "-10", "-10", *DOUBLETS, "rev", "2x", "2x", "2x", "2x"]

Draws = list[tuple[int, int]]


def at(
    *hands: str, draws: Draws | None = None, fill: bool = True, table: dict[str, Any] | None = None, **options: Any
) -> Match:
    """A match in a position: a hand per seat in notation, filled up to five cards with others unless told not to.

    A hand "-" is that of a player who is out. `table` holds the other facts, `draws` the next draws of chance.
    """
    facts = dict(table or {})
    given = [[] if hand == "-" else hand.split() for hand in hands]
    named = [*facts.get("next", []), *facts.get("draw", []), *facts.get("played", [])]
    spare = Counter(FILLERS) - Counter(named) - Counter(card for hand in given for card in hand)
    cards = list(spare.elements())
    if fill:
        for hand, cards_given in zip(hands, given, strict=True):
            while hand != "-" and len(cards_given) < 5:
                cards_given.append(cards.pop(0))
    position = {"players": NAMES[: len(hands)], "options": options, "table": {"hands": given, **facts}}
    return GAME.position({**position, "chance": {"draws": draws or []}})


def play(match: Match, *moves: str) -> Match:
    """Play moves for whoever is at turn."""
    for move in moves:
        match.play(move)
    return match


def table(match: Match, seat: int | None = None) -> dict[str, Any]:
    """The table as a seat sees it; as everybody does, if none is named."""
    view: dict[str, Any] = match.view(seat)["table"]
    return view


def hand(match: Match, seat: int) -> list[str]:
    """A seat's cards, sorted as text."""
    return sorted(table(match, seat)["hand"])


def pile(match: Match) -> list[str]:
    """The draw pile, the next card first."""
    cards: list[str] = match.position()["table"]["draw"]
    return cards


def events(match: Match, seat: int | None = None) -> list[str]:
    """The types of what the last move did."""
    return [event["type"] for event in match.events(seat)[-1]]


def says(match: Match, lang: str = "en", seat: int | None = None) -> list[str]:
    """What is said after the last move."""
    return [event["text"] for event in match.view(seat, lang)["events"]]


def in_order(size: int) -> Draws:
    """The draws of chance by which shuffling so many cards leaves them as they are.

    Each card changes places with itself. Down to the last four, four places come out of one number.
    """
    draws: Draws = []
    while size > 4:
        ways = size * (size - 1) * (size - 2) * (size - 3)
        draws.append((ways - 1, ways))
        size -= 4
    return draws + [(place - 1, place) for place in range(size, 1, -1)]
