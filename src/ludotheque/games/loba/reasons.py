"""Why a move of Loba is a good one, in the game's terms, from what the table shows its seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ludotheque.games.loba.cards import RANKS

JOKER = "*"
JOKER_POINTS = 25  # B19
NEAR = 2
"""Cards of a suit that are no farther apart than this may meet in a run."""


def reasons(table: dict[str, Any], seat: int, move: str, legal: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Reasons for a move, the weightiest first."""
    verb, *cards = move.split()
    if verb in ("take", "stock"):
        yield from _drawing(table, verb)
    elif verb == "lay":
        yield from _laying(table, seat, cards)
    elif verb == "add":
        if len(table["hand"]) <= 2:
            yield "nearly_out", {}
        yield "rids", {"n": _points(cards[0]), "card": cards[0]}
    elif verb == "drop":
        yield from _dropping(table, seat, cards[0])


def _drawing(table: dict[str, Any], verb: str) -> Iterator[tuple[str, dict[str, Any]]]:
    top = table["pile"][0]
    friends = _friends(top, table["hand"])
    if verb == "take":
        if top == JOKER:
            yield "take_joker", {}
        elif friends:
            yield "take_fits", {"cards": friends}
        else:
            yield "take", {}
    else:
        yield ("stock_no_use" if not friends and top != JOKER else "stock_hidden"), {"card": top}


def _laying(table: dict[str, Any], seat: int, cards: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    if table["down"][seat]:
        yield "rids", {"n": sum(map(_points, cards)), "card": list(cards)}
        return
    yield "contract", {"n": sum(map(_points, cards))}
    low = [size for other, size in enumerate(table["hand_sizes"]) if other != seat]
    if min(low) <= NEAR + 1:
        yield "hurry", {"n": min(low)}


def _dropping(table: dict[str, Any], seat: int, card: str) -> Iterator[tuple[str, dict[str, Any]]]:
    rest = list(table["hand"])
    rest.remove(card)
    if not rest:
        yield "out", {}
        return
    friends = _friends(card, rest)
    loose = [one for one in rest if one != JOKER and not _friends(one, [*rest, card], one)]
    if not friends:
        yield "loose", {"card": card}
    elif card in rest:
        yield "double", {"card": card}
    if all(_points(card) >= _points(one) for one in loose) and _points(card) >= 8:
        yield "dear", {"n": _points(card), "card": card}
    if JOKER in rest and card != JOKER:
        yield "keeps_joker", {}


def _friends(card: str, hand: Sequence[str], itself: str | None = None) -> list[str]:
    """Cards of a hand that could be laid with a card: of its rank, or near it in its suit."""
    found = []
    skipped = itself is None
    for other in hand:
        if not skipped and other == itself:
            skipped = True
            continue
        if JOKER in (card, other):
            continue
        near = abs(_place(card) - _place(other)) <= NEAR and card[-1] == other[-1] and other != card
        if other[:-1] == card[:-1] or near:
            found.append(other)
    return list(dict.fromkeys(found))


def _place(card: str) -> int:
    return RANKS.index(card[:-1])


def _points(card: str) -> int:
    """What a card costs who is left with it (B19)."""
    return JOKER_POINTS if card == JOKER else _place(card) + 1
