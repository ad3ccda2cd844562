"""What is told of a match of LOBO 77: tokens lost and why, narrow escapes, and the cards that help out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludotheque.core.recap import Course, Event, Moment, Told
from ludotheque.games.lobo77.state import DOUBLET_STEP, LIMIT

HELPERS = ("-10", "0", "2x", "rev")
"""The cards that do not raise the total."""
_COSTS = ("token", "last_token")
_TIGHT = LIMIT - DOUBLET_STEP
"""From this total on a card may well be too much."""


def reason(events: Sequence[Event], seat: int) -> Told | None:
    """What it cost a seat to reach which totals."""
    own = [event for event in events if event.get("seat") == seat]
    if any(event["type"] == "sunk" for event in own):
        return Told("sunk", {"total": next(event["total"] for event in own if event["type"] == "sunk")})
    lost = [event["total"] for event in own if event["type"] in _COSTS]
    if lost:
        swims = any(event["type"] == "swims" for event in own)
        return Told("lost_all" if swims else "lost", {"n": len(lost), "totals": lost})
    return None if _is_out(events, seat) else Told("unhurt", {})


def _is_out(events: Sequence[Event], seat: int) -> bool:
    return any(event["type"] == "round_end" and seat in event["out"] for event in events)


def result(course: Course, seat: int) -> Told:
    """When a seat went out; what the winner had left."""
    for number, events in enumerate(course.rounds):
        if any(event["type"] == "out" and event["seat"] == seat for event in events):
            return Told("out_in", {"round": course.closing(number)["round"]})
    tokens = course.closing(-1)["scores"][seat]
    return Told("kept", {"n": tokens}) if tokens else Told("swam", {})


def moments(course: Course, seat: int) -> Iterator[Moment]:
    """Tokens lost in a round, and cards that help out at a high total."""
    for number, events in enumerate(course.rounds):
        facts = {"round": course.closing(number)["round"]}
        lost = sum(event["type"] in (*_COSTS, "sunk") and event["seat"] == seat for event in events)
        if lost:
            yield Moment(-lost, Told("lost_in", {**facts, "n": lost}))
        total = 0
        for event, after in zip(events, [*events[1:], {"type": ""}], strict=True):
            if event["type"] != "play":
                continue
            is_paid = after["type"] in (*_COSTS, "sunk")
            if event["seat"] == seat and total >= _TIGHT and event["card"] in HELPERS and not is_paid:
                yield Moment(total, Told("escaped", {**facts, "card": event["card"], "total": total}))
            total = event["total"]


def luck(course: Course) -> Iterable[Told]:
    """How many of the cards each seat was given help out."""
    counts = []
    for seat, events in enumerate(course.own):
        cards = [card for event in events if event["type"] == "deal" for card in event["dealt"]]
        own = [event for event in events if event.get("seat") == seat]
        cards += [event["drew"] for event in own if event["type"] == "play" and event["drew"]]
        cards += [event["card"] for event in own if event["type"] in ("draw", "draw_empty") and event["card"]]
        counts.append(Told("of", {"few": sum(card in HELPERS for card in cards), "n": len(cards)}))
    return [Told("helpers", {"counts": counts})]
