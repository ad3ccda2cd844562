"""The score pad of Loba: after each round, what everybody still holds. A hand can be typed as cards and is counted.

What a card counts does not depend on its suit, so ranks alone will do: `5 10 K *`.
"""

from __future__ import annotations

from collections import Counter

from ludotheque.core.jit import plain
from ludotheque.core.pad_entry import Entry, Field, Form, Question, Reckoning, Refused
from ludotheque.core.record import NOBODY, Record
from ludotheque.games.loba import rules, state
from ludotheque.games.loba.cards import JOKER, NO_CARD, NUM_JOKERS, RANKS, SUITS
from ludotheque.games.loba.notation import CARDS, find_card, find_rank, penalty

close_round = plain(rules._close_round)

NOTES = (state.WENT_OUT, state.TURNS_OVER, state.MATCH_END)

# B1, B19: what each card of the box counts, the heaviest first.
_HEAVIEST = sorted(
    [penalty(1 << card, 0, 0) for card in range(JOKER)] * 2 + [penalty(0, 0, 1)] * NUM_JOKERS, reverse=True
)

_COUNTS = {rank: penalty(1 << 4 * place, 0, 0) for place, rank in enumerate(RANKS)} | {"*": penalty(0, 0, 1)}
"""B19: what a card counts, by its rank."""


def most_points(num_hands: int) -> int:
    """B1, B2, B19: the most that so many full hands out of one box can count together."""
    return sum(_HEAVIEST[: num_hands * state.NUM_DEALT])


def begin(s: Record, first: int) -> None:
    """A fresh record in which `first` deals."""
    s.dealer = first


def form(s: Record) -> Form:
    """B19: the points of each hand; 0 for who went out."""
    facts = {"round": s.round_no, "rounds": state.NUM_ROUNDS, "seat": s.dealer}
    points = Field("points", "int", range(most_points(1) + 1), "B19", each=True)
    return Form("pad.head", facts, (points,), s.dealer, counts=_COUNTS)


def write(s: Record, values: Entry) -> None:
    """B17, B19 to B21: at most one player is out, and the box must have cards for all those points."""
    points = values["points"]
    out = [seat for seat, each in enumerate(points) if each == 0]
    if len(out) > 1:
        raise Refused("B17", "pad.why.several_out", field="points", seats=out)
    largest = sorted(points, reverse=True)
    for k in range(2, len(points) + 1):
        if sum(largest[:k]) > most_points(k):
            raise Refused("B19", "pad.why.too_heavy", field="points", n=k, total=sum(largest[:k]), most=most_points(k))
    for seat, each in enumerate(points):
        s.hand[seat] = s.hand_twice[seat] = s.hand_jokers[seat] = 0  # counted already
        s.points[seat] += each
    close_round(s, out[0] if out else NOBODY)


def questions(s: Record, values: Entry) -> list[Question]:
    """B21: that nobody goes out is rare, and a 0 that was forgotten is not."""
    if 0 in values["points"]:
        return []
    return [Question("pad.ask.nobody_out", {"n": state.MAX_TURNS}, "points")]


def reckon(s: Record, text: str) -> Reckoning:
    """B19: what cards such as `5S 10H *` count, or ranks such as `5 10 *`."""
    texts = text.replace(",", " ").split()
    if not texts:
        raise Refused("", "entry.missing", field="points")
    if len(texts) > state.NUM_DEALT:
        raise Refused("B2", "pad.why.too_many_cards", n=len(texts), most=state.NUM_DEALT)
    cards: Counter[str] = Counter()
    for one in texts:
        card, rank = find_card(one), find_rank(one)
        if card == NO_CARD and rank is None:
            raise Refused("", "pad.why.no_card", text=one)
        cards[CARDS[card] if rank is None else rank] += 1
    of_rank = Counter({rank: cards[rank] + sum(cards[rank + suit] for suit in SUITS) for rank in RANKS})
    most = {card: NUM_JOKERS if card == "*" else 2 for card in CARDS} | dict.fromkeys(RANKS, 2 * len(SUITS))
    for name, number in [*cards.items(), *of_rank.items()]:
        if number > most[name]:
            raise Refused("B1", "pad.why.not_in_box", card=name, n=number)
    points = cards["*"] * _COUNTS["*"] + sum(number * _COUNTS[rank] for rank, number in of_rank.items())
    return Reckoning({"points": points})
