"""What is told of a match: who gained what in a round and why, and how the whole went.

What is common to all games is told here. A game adds its own terms in its `recap.py`, found by name; all of it is
optional, and every text stands under `[recap]` in the game's catalogue:

- `reason(told, seat)`: why a seat gained or lost in a round, from the events of that round.
- `result(course, seat)`: how a seat came out, where its score does not say it.
- `moments(course, seat)`: what a seat did or suffered, each with what it was worth. The best and the worst are told.
- `luck(course)`: what chance alone dealt out, as plain counts.

Each gives a `Told`: a key and what fills it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from ludotheque.core.match import Match
from ludotheque.core.texts import Catalogue

Event = Mapping[str, Any]
ROUND_END = "round_end"


class Told(NamedTuple):
    """A sentence: a key under `[recap]` and what fills it; a list of them can fill a hole too."""

    key: str
    params: Mapping[str, Any]


class Moment(NamedTuple):
    """Something that a seat did or suffered; the more it was worth, the better."""

    worth: float
    told: Told


@dataclass(frozen=True, slots=True)
class Course:
    """A match as it went."""

    num_seats: int
    options: Mapping[str, Any]
    rounds: list[list[Event]]
    """The events of each round that has ended; its `round_end` is among them."""
    own: list[list[Event]]
    """What each seat saw itself, its own cards included. Empty while the match goes on."""

    def closing(self, number: int) -> Event:
        """The event that closed a round, counted from 0."""
        return next(event for event in self.rounds[number] if event["type"] == ROUND_END)

    def count(self, *kinds: str) -> list[int]:
        """How often events of these kinds happened to each seat."""
        told = [event for events in self.rounds for event in events if event["type"] in kinds]
        return [sum(event["seat"] == seat for event in told) for seat in range(self.num_seats)]


class RoundRecap(NamedTuple):
    """A round that has ended."""

    number: int
    title: str
    points: list[int]
    """What each seat gained or lost."""
    scores: list[int]
    """Where that left them."""
    reasons: list[str]
    """Why, by seat; empty where there is nothing to say."""


class Ending(NamedTuple):
    """How a match went that is over."""

    places: str
    results: list[str]
    """How each seat came out, in words."""
    decided: str
    """The round that decided it; empty where there was one round only."""
    best: list[str]
    """The best moment of each seat,"""
    worst: list[str]
    """and the worst; empty where there is none."""
    luck: list[str]


def follow(match: Match, seat: int | None) -> Course:
    """A match as a seat saw it; whole once it is over."""
    rounds: list[list[Event]] = []
    events: list[Event] = []
    for event in (event for step in match.events(seat) for event in step):
        events.append(event)
        if event["type"] == ROUND_END:
            rounds.append(events)
            events = []
    if match.over and rounds:
        rounds[-1] += events
    own: list[list[Event]] = []
    if match.over:
        own = [[event for step in match.events(other) for event in step] for other in range(match.num_seats)]
    return Course(match.num_seats, match.options, rounds, own)


class Teller:
    """Tells a match in a language."""

    def __init__(self, match: Match, course: Course, lang: str) -> None:
        self._match = match
        self._course = course
        self._words: Catalogue = match.game.catalogue(lang)
        self._own = match.game.module("recap")

    def _say(self, told: Told | None) -> str:
        if told is None:
            return ""
        params = {name: self._filled(value) for name, value in told.params.items()}
        return self._words.say(f"recap.{told.key}", params, self._match.names)

    def _filled(self, value: Any) -> Any:
        return [self._say(one) if isinstance(one, Told) else one for one in value] if type(value) is list else value

    def rounds(self) -> list[RoundRecap]:
        """Every round that has ended."""
        reason = getattr(self._own, "reason", None)
        recaps = []
        for number, events in enumerate(self._course.rounds):
            end = self._course.closing(number)
            reasons = ["" if reason is None else self._say(reason(events, seat)) for seat in range(len(end["points"]))]
            title = self._say(Told("title", {"round": end["round"]}))
            recaps.append(RoundRecap(end["round"], title, list(end["points"]), list(end["scores"]), reasons))
        return recaps

    def ending(self) -> Ending:
        """How the match went, once it is over."""
        seats = range(self._match.num_seats)
        best, worst = zip(*(self._moments(seat) for seat in seats), strict=True)
        luck: Iterable[Told] = getattr(self._own, "luck", lambda course: ())(self._course)
        return Ending(
            self._places(),
            [self._result(seat) for seat in seats],
            self._decided(),
            list(best),
            list(worst),
            [self._say(told) for told in luck],
        )

    def _places(self) -> str:
        """All places in one sentence."""
        first, *rest = self._match.ranking
        is_team = self._match.options.get("teams", False) is True
        key = "win" if len(first) == 1 else "team_wins" if is_team else "share_win"
        parts = [self._say(Told(key, {"seats": first, "n": len(first)}))]
        for seats in rest:
            place = self._match.places[seats[0]]
            key = "place" if len(seats) == 1 else "team_place" if is_team else "share_place"
            parts.append(self._say(Told(key, {"seats": seats, "ordinal": place, "n": len(seats)})))
        return self._say(Told("places", {"parts": parts}))

    def _result(self, seat: int) -> str:
        own = getattr(self._own, "result", None)
        told = own(self._course, seat) if own is not None else None
        return self._say(told if told is not None else Told("points", {"n": self._match.scores[seat]}))

    def _moments(self, seat: int) -> tuple[str, str]:
        """The best and the worst moment of a seat. What is neither good nor bad is no moment."""
        tell = getattr(self._own, "moments", None)
        found: list[Moment] = list(tell(self._course, seat) if tell is not None else self._gains(seat))
        if not found:
            return "", ""
        best, worst = max(found, key=_worth), min(found, key=_worth)
        return (self._say(best.told) if best.worth > 0 else ""), (self._say(worst.told) if worst.worth < 0 else "")

    def _gains(self, seat: int) -> list[Moment]:
        """What a seat gained or lost in each round, beside what the others did on average."""
        sign = self._sign()
        found = []
        for number in range(len(self._course.rounds)):
            end = self._course.closing(number)
            points = end["points"]
            worth = sign * (points[seat] - sum(points) / len(points))
            found.append(Moment(worth, Told("round_points", {"n": points[seat], "round": end["round"]})))
        return found

    def _sign(self) -> int:
        """1 where many points are good, -1 where few are."""
        scores, ranking = self._match.scores, self._match.ranking
        return -1 if scores[ranking[0][0]] < scores[ranking[-1][0]] else 1

    def _decided(self) -> str:
        """The round after which the winner was ahead for good; if that is the first, the one that made the gap."""
        numbers = range(len(self._course.rounds))
        if len(numbers) < 2:
            return ""
        first = self._match.ranking[0]
        if len(first) == self._match.num_seats:
            return ""
        leads = [self._lead(self._course.closing(number)["scores"], first) for number in numbers]
        behind = [number for number in numbers if leads[number] <= 0]
        turning = behind[-1] + 1 if behind else 0
        facts = {"seats": first, "n": len(first)}
        if turning > 0:
            last = min(turning, len(leads) - 1)
            key = "decided_last" if last == len(leads) - 1 else "decided"
            return self._say(Told(key, {**facts, "round": self._course.closing(last)["round"]}))
        gains = [leads[0], *(after - before for before, after in pairwise(leads))]
        number = max(numbers[1:], key=lambda one: gains[one])
        if gains[number] <= 0:
            return self._say(Told("led_throughout", facts))
        return self._say(Told("pulled_away", {**facts, "round": self._course.closing(number)["round"]}))

    def _lead(self, scores: Sequence[int], winners: Sequence[int]) -> int:
        """By how much the winners are ahead of everybody else."""
        sign = self._sign()
        others = [sign * score for seat, score in enumerate(scores) if seat not in winners]
        return min(sign * scores[seat] for seat in winners) - max(others)


def _worth(moment: Moment) -> float:
    return moment.worth


def tell_rounds(match: Match, seat: int | None, lang: str) -> list[RoundRecap]:
    """The rounds of a match that have ended, as a seat saw them."""
    return Teller(match, follow(match, seat), lang).rounds()


def tell_ending(match: Match, lang: str) -> Ending | None:
    """How a match went; None while it goes on."""
    return Teller(match, follow(match, None), lang).ending() if match.over else None
