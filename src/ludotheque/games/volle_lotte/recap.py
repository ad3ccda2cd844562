"""What is told of a match of Volle Lotte!: what turns brought or lost, and who turned the stop cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludotheque.core.recap import Course, Event, Moment, Told

_ENDS = {"stop_card": "stop_card", "bust": "bust", "no_new_face": "no_new_face"}
"""What ends a turn without points, and how that is told."""


def reason(events: Sequence[Event], seat: int) -> Told | None:
    """How the turn of a seat ended."""
    for event in events:
        if event["type"] == "leader_loses" and seat in event["seats"]:
            return Told("led_and_lost", {"points": event["points"]})
    own = [event for event in events if event.get("seat") == seat]
    lottes = sum(event["type"] in ("volle_lotte", "clover_lotte") for event in own)
    for event in own:
        if event["type"] == "score":
            return Told("scored_lotte" if lottes else "scored", {"points": event["points"], "n": lottes})
    lost = sum(event["points"] for event in own if event["type"] == "lost")
    for event in own:
        if event["type"] in _ENDS:
            return Told(f"{_ENDS[event['type']]}_lost" if lost else _ENDS[event["type"]], {"points": lost})
    return None


def result(course: Course, seat: int) -> Told | None:
    """The clover wins whatever the points are."""
    is_clover = any(event["type"] == "clover_wins" and event["seat"] == seat for event in course.rounds[-1])
    return Told("clover", {"n": course.closing(-1)["scores"][seat]}) if is_clover else None


def moments(course: Course, seat: int) -> Iterator[Moment]:
    """Turns: what they brought, or what was lost in them."""
    for number, events in enumerate(course.rounds):
        facts = {"round": course.closing(number)["round"]}
        for event in events:
            if event["type"] == "leader_loses" and seat in event["seats"]:
                yield Moment(-event["points"], Told("leader_lost_in", {**facts, "points": event["points"]}))
            elif event["type"] == "score" and event["seat"] == seat:
                yield Moment(event["points"], Told("scored_in", {**facts, "points": event["points"]}))
            elif event["type"] == "lost" and event["seat"] == seat:
                yield Moment(-event["points"], Told("lost_in", {**facts, "points": event["points"]}))


def luck(course: Course) -> Iterable[Told]:
    """Stop cards, which nobody can help."""
    counts = course.count("stop_card")
    return [Told("stop_cards" if any(counts) else "no_stop_card", {"counts": counts})]
