"""What is told of a match of Skip-Bo: what is left of the stocks, good turns and dry spells, and who had the jokers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludotheque.core.recap import Course, Event, Moment, Told

_STOCKS = ("S", "pS")
_TURN_ENDS = ("discard", "ended", "round_end")
_DRY = 3
"""So many turns without a card of the stock are worth telling."""


def reason(events: Sequence[Event], seat: int) -> Told:
    """What was left of the stock."""
    end = next(event for event in events if event["type"] == "round_end")
    left = end["stocks"][seat]
    if not left:
        return Told("stock_out", {})
    is_best = end["ending"] == "blocked" and seat in end["seats"]
    return Told("stock_best" if is_best else "stock_left", {"n": left})


def result(course: Course, seat: int) -> Told | None:
    """In a single round: what was left of the stock. Otherwise the points say it."""
    return None if course.options["match"] == "points" else reason(course.rounds[-1], seat)


def moments(course: Course, seat: int) -> Iterator[Moment]:
    """Turns with many cards from the stock, and rows of turns with none."""
    for events in course.rounds:
        played = dry = 0
        for event in events:
            if event["type"] == "play" and event["seat"] == seat:
                played += event["source"] in _STOCKS
            elif event["type"] in _TURN_ENDS and event.get("seat", seat) == seat:
                dry = 0 if played else dry + (event["type"] != "round_end")
                if played > 1:
                    yield Moment(played, Told("good_turn", {"n": played}))
                if dry >= _DRY:
                    yield Moment(-dry, Told("dry_spell", {"n": dry}))
                played = 0


def luck(course: Course) -> Iterable[Told]:
    """Jokers that came into the hand or lay in the stock."""
    counts = []
    for seat, events in enumerate(course.own):
        own = [event for event in events if event.get("seat") == seat]
        jokers = sum(list(event["cards"] or ()).count("*") for event in own if event["type"] == "draw")
        jokers += sum(event["card"] == "*" for event in own if event["type"] == "turn_up")
        jokers += sum(event["tops"][seat] == "*" for event in events if event["type"] == "deal")
        counts.append(jokers)
    return [Told("jokers" if any(counts) else "no_joker", {"counts": counts})]
