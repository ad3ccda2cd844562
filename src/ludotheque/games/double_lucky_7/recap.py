"""What is told of a match of Double Lucky 7: bids made and missed, and who was dealt the trumps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludotheque.core.recap import Course, Event, Moment, Told

_JOKER = "joker"


def reason(events: Sequence[Event], seat: int) -> Told:
    """The bid and the tricks taken."""
    end = next(event for event in events if event["type"] == "round_end")
    bid, tricks = end["bids"][seat], end["tricks"][seat]
    return Told("made", {"n": bid}) if bid == tricks else Told("missed", {"bid": bid, "n": tricks})


def moments(course: Course, seat: int) -> Iterator[Moment]:
    """Bids: those made bring points, those missed are the worse the further off."""
    for number in range(len(course.rounds)):
        end = course.closing(number)
        bid, tricks = end["bids"][seat], end["tricks"][seat]
        facts = {"round": end["round"], "points": end["points"][seat], "bid": bid, "n": tricks}
        if bid == tricks:
            yield Moment(end["points"][seat], Told("made_in", facts))
        else:
            yield Moment(-abs(bid - tricks), Told("missed_in", facts))


def luck(course: Course) -> Iterable[Told]:
    """How many of the cards each seat was dealt were trumps or jokers."""
    counts = []
    for events in course.own:
        trumps = dealt = 0
        hand: Sequence[str] = ()
        for event in events:
            if event["type"] == "deal":
                hand = event["dealt"]
                dealt += len(hand)
                trumps += hand.count(_JOKER) + _of_colour(hand, event["card"][0] if event["card"] != _JOKER else "")
            elif event["type"] == "trump":
                trumps += _of_colour(hand, event["colour"])
        counts.append(Told("of", {"few": trumps, "n": dealt}))
    return [Told("trumps", {"counts": counts})]


def _of_colour(hand: Sequence[str], colour: str) -> int:
    return sum(card != _JOKER and card[0] == colour for card in hand)
