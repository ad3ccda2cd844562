"""What is told of a match of Loba: who went out, what the others still held, and who had the jokers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludotheque.core.recap import Course, Event, Moment, Told


def reason(events: Sequence[Event], seat: int) -> Told:
    """Why a seat was given points: what it still held."""
    end = next(event for event in events if event["type"] == "round_end")
    if end["seat"] == seat:
        return Told("out", {})
    is_down = any(event["type"] == "down" and event["seat"] == seat for event in events)
    return Told("held" if is_down else "no_contract", {"n": len(end["hands"][seat])})


def moments(course: Course, seat: int) -> Iterator[Moment]:
    """Rounds: going out, or being caught with more than the others."""
    for number in range(len(course.rounds)):
        end = course.closing(number)
        points, facts = end["points"], {"round": end["round"], "n": end["points"][seat]}
        if end["seat"] == seat:
            yield Moment(sum(points), Told("out_in", facts))
        elif points[seat] > sum(points) / len(points):
            yield Moment(-points[seat], Told("caught_in", facts))


def luck(course: Course) -> Iterable[Told]:
    """Jokers that were dealt or drawn from the stock."""
    counts = []
    for seat, events in enumerate(course.own):
        jokers = sum(event["dealt"].count("*") for event in events if event["type"] == "deal")
        jokers += sum(e["card"] == "*" for e in events if e["type"] == "draw" and e["seat"] == seat)
        counts.append(jokers)
    return [Told("jokers" if any(counts) else "no_joker", {"counts": counts})]
