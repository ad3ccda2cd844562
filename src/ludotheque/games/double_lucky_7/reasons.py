"""Why a bid, a trump or a card of Double Lucky 7 is a good one, in the game's terms, from what its seat is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

JOKER = "joker"
HIGHEST = 14
HIGH = 11
"""Cards from here on take most tricks of their colour."""


def reasons(table: dict[str, Any], seat: int, move: str, legal: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Reasons for a move, the weightiest first."""
    verb, _, what = move.partition(" ")
    if verb == "bid":
        yield from _bidding(table, int(what))
    elif verb == "trump":
        held = Counter(card[0] for card in table["hand"] if card != JOKER)
        if held[what]:
            yield "longest", {"colour": what, "n": held[what]}
    else:
        yield from _playing(table, seat, move, legal)


def _bidding(table: dict[str, Any], bid: int) -> Iterator[tuple[str, dict[str, Any]]]:
    trump = table["trump"]
    strong = [card for card in table["hand"] if card == JOKER or card[0] == trump or int(card[1:]) >= HIGH]
    if strong:
        yield "strong", {"cards": strong}
    else:
        yield "nothing", {}
    if table["forbidden_bid"] is not None and abs(table["forbidden_bid"] - bid) == 1:
        yield "hook", {"n": table["forbidden_bid"]}
    said = [one for one in table["bids"] if one is not None]
    if len(said) >= 2:
        spare = table["cards"] - sum(said)
        yield ("few_left" if spare <= bid else "many_left"), {"n": max(spare, 0)}


def _playing(table: dict[str, Any], seat: int, card: str, legal: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    needed = table["bids"][seat] - table["tricks"][seat]
    down = [(other, played) for other, played in enumerate(table["trick"]) if played is not None]
    if not down:
        yield from _leading(table, card, needed)
        return
    led = table["trick"][table["leader"]]
    best = max((played for _, played in down), key=lambda one: _rank(one, led, table["trump"]))
    wins = _rank(card, led, table["trump"]) > _rank(best, led, table["trump"])
    is_last = len(down) == len(table["trick"]) - 1
    could = any(_rank(one, led, table["trump"]) > _rank(best, led, table["trump"]) for one in legal)
    could_lose = any(_rank(one, led, table["trump"]) < _rank(best, led, table["trump"]) for one in legal)
    if wins and needed > 0:
        yield ("takes" if is_last else "tries"), {"n": needed}
        if could and _is_cheapest(card, legal, best, led, table["trump"]):
            yield "cheapest", {}
    elif wins and not could_lose:
        yield "cannot_duck", {}
    elif wins:
        yield "spoils", {}
    elif needed <= 0:
        yield "enough", {"n": table["bids"][seat]}
        if _strength(card, table["trump"]) == max(_strength(one, table["trump"]) for one in legal) and len(legal) > 1:
            yield "sheds", {"card": card}
    elif not could:
        yield "cannot_win", {"card": best}
    else:
        yield "waits", {"n": needed}


def _leading(table: dict[str, Any], card: str, needed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    if card == JOKER:
        yield "joker", {}
    elif needed <= 0:
        yield "leads_low", {}
    elif card[0] == table["trump"]:
        yield "leads_trump", {"n": needed}
    elif _is_highest(table, card):
        yield "leads_highest", {"colour": card[0]}
    elif int(card[1:]) >= HIGH:
        yield "leads_high", {"n": needed}
    else:
        yield "leads_low_keeps", {"n": needed}


def _is_highest(table: dict[str, Any], card: str) -> bool:
    """Whether no card of its colour that is still about beats it."""
    seen = {*table["played"], *table["hand"], table["turned"]}
    return all(f"{card[0]}{number}" in seen for number in range(int(card[1:]) + 1, HIGHEST + 1))


def _rank(card: str, led: str | None, trump: str | None) -> int:
    """What counts in a trick (D10, D11): the joker, then trump, then the colour led; anything else takes nothing."""
    if card == JOKER:
        return 3 * HIGHEST
    if card[0] == trump:
        return 2 * HIGHEST - (HIGHEST - int(card[1:]))
    return int(card[1:]) if led not in (None, JOKER) and led is not None and card[0] == led[0] else 0


def _strength(card: str, trump: str | None) -> int:
    if card == JOKER:
        return 3 * HIGHEST
    return int(card[1:]) + (HIGHEST if card[0] == trump else 0)


def _is_cheapest(card: str, legal: Sequence[str], best: str, led: str | None, trump: str | None) -> bool:
    winners = [one for one in legal if _rank(one, led, trump) > _rank(best, led, trump)]
    return len(winners) > 1 and min(winners, key=lambda one: _strength(one, trump)) == card
