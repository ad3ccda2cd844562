"""Why a card of LOBO 77 is a good one to play, in the game's terms, from what the table shows its seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

SPECIAL = ("0", "-10", "rev", "2x")
"""What one is glad to hold when the total is high."""
ORDINARY = range(2, 11)
MANY = 4
"""So many of the ordinary cards cost a token: that is a bad place to play from."""


def reasons(table: dict[str, Any], seat: int, move: str, legal: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Reasons for a move, the weightiest first."""
    if move == "draw":
        yield "draw", {}
        return
    total, hand, traps = table["total"], table["hand"], table["traps"]
    after = total + _value(move)
    dear = [card for card in dict.fromkeys(legal) if card != move and _costs(total, _value(card), traps)]
    left = list(hand)
    left.remove(move)
    kept = [card for card in SPECIAL if card in left]
    if _costs(total, _value(move), traps):
        if len(dear) == len(set(legal)) - 1:
            yield "all_cost", {"total": total}
        if kept:
            yield "costs_keeps", {"cards": kept}
        return
    if dear and len(dear) == len(set(legal)) - 1:
        yield "only", {"total": total}
    elif dear:
        yield "avoids", {"cards": dear, "total": total}
    if move == "2x" and table["next"] is not None:
        yield "two", {"other": table["next"], "total": after}
    if table["next"] is not None and sum(_costs(after, value, traps) for value in ORDINARY) >= MANY:
        yield "presses", {"other": table["next"], "total": after}
    if kept and move not in SPECIAL:
        yield "keeps", {"cards": kept}
    if move == "-10":
        yield "lowers", {"total": after}
    if not dear and move not in SPECIAL and all(_value(card) <= _value(move) for card in left):
        yield "high_first", {"total": total}


def _value(card: str) -> int:
    return 0 if card in ("rev", "2x") else int(card)


def _costs(total: int, value: int, traps: Sequence[int]) -> bool:
    """Whether a card of this value brings the total onto a doublet, or to the end (L7, L8, L16)."""
    return total + value >= traps[-1] or (value != 0 and total + value in traps)
