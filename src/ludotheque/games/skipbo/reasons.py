"""Why a move of Skip-Bo is a good one, in the game's terms, from what the table shows its seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

WILD = "*"
TOP = 12


def reasons(table: dict[str, Any], seat: int, move: str, legal: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Reasons for a move, the weightiest first."""
    source, _, target = move.partition(">")
    if not target:
        return
    stock = table["stocks"][seat]
    if target.startswith("d"):
        yield from _discarding(table, seat, source, int(target[1:]) - 1)
        return
    pile = int(target) - 1
    number = table["next"][pile]
    if source in ("S", "pS"):
        yield ("stock" if source == "S" else "partner_stock"), {}
        return
    gap = _gap(stock["top"], number)
    if gap is not None and gap >= 1:
        yield ("opens" if gap == 1 else "leads"), {"card": stock["top"]}
    if source.startswith(("d", "pd")):
        owner = seat if source.startswith("d") else table["partners"][seat]
        below = table["discards"][owner][int(source[-1]) - 1]
        if len(below) > 1:
            yield "uncovers", {"card": below[1]}
    elif len(table["hand"]) == 1:
        yield "refills", {}
    elif source == WILD and gap is None:
        yield "wild", {"n": number}
    if number == TOP:
        yield "completes", {}


def _discarding(table: dict[str, Any], seat: int, card: str, pile: int) -> Iterator[tuple[str, dict[str, Any]]]:
    below = table["discards"][seat][pile]
    if not below:
        yield "empty_pile", {}
    elif below[0] == card:
        yield "same_number", {"card": card}
    elif WILD not in (card, below[0]) and int(below[0]) == int(card) + 1:
        yield "one_below", {"card": card, "other_card": below[0]}
    elif WILD not in (card, below[0]) and int(below[0]) > int(card):
        yield "descending", {}
    kept = [held for held in dict.fromkeys(table["hand"]) if held == WILD and held != card]
    if kept:
        yield "keeps_wild", {}
    elif table["hand"].count(card) > 1:
        yield "has_another", {"card": card}
    waiting = [
        (other, stocks["top"])
        for other, stocks in enumerate(table["stocks"])
        if other != seat and stocks["top"] not in (None, WILD) and not _is_partner(table, seat, other)
    ]
    for other, top in waiting:
        if any(str(number) == card and _gap(top, number) == 1 for number in table["next"]):
            yield "helps_nobody", {"other": other, "card": top}
            break


def _gap(top: str | None, number: int) -> int | None:
    """How many cards above the next one of a pile the card on a stock is; None if it is not on the way."""
    if top is None or top == WILD:
        return None
    gap = int(top) - number
    return gap if gap >= 0 else None


def _is_partner(table: dict[str, Any], seat: int, other: int) -> bool:
    return table["partners"] is not None and table["partners"][seat] == other
