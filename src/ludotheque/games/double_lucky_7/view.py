"""What one seat, or a spectator, is shown of Double Lucky 7, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.bits import count
from ludotheque.core.info import Options
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.sets import members
from ludotheque.core.shape import (
    NOTHING,
    More,
    Numbers,
    constant,
    each,
    fields,
    flag,
    members_of,
    number,
    put,
    put_first,
    word,
)
from ludotheque.core.texts import Catalogue
from ludotheque.core.view import read_more
from ludotheque.games.double_lucky_7 import rules
from ludotheque.games.double_lucky_7.notation import CARDS, PHASES
from ludotheque.games.double_lucky_7.rules import (
    BIDDING,
    COLOURS,
    DEAL,
    MAX_SEATS,
    NO_CARD,
    NO_COLOUR,
    NUM_CARDS,
    ROUND_END,
    forbidden_bid,
    hand_size,
    round_points,
    trick_card,
)

points_of = plain(round_points)

_DOUBLE_ROUNDS = [round_no for round_no in range(1, 15) if points_of(0, 0, round_no) > points_of(0, 0, 1)]
"""D13: the rounds in which a bid made brings more."""

_COLOURS_OF = ["".join(COLOURS[i] for i in members(mask)) for mask in range(1 << len(COLOURS))]
"""A set of colours in letters."""

COMMON = fields(
    phase=word(PHASES),
    round=number,
    rounds=number,
    cards=number,
    dealer=number,
    deck=number,  # cards that were not dealt, without the turned one
    turned=word(CARDS),
    trump=word(COLOURS),
    hand_sizes=each(number),
    bids=each(number),
    forbidden_bid=number,
    tricks=each(number),
    leader=number,
    trick=each(word(CARDS)),
    played=members_of(CARDS),
    void=each(word(_COLOURS_OF)),
    points=each(number),
    double_round=flag,
    double_rounds=constant(_DOUBLE_ROUNDS),
)
"""The table as everybody sees it."""


@jit
def common(s: State, out: Numbers) -> None:
    """Put down what `COMMON` shows, from a concealed record."""
    n = s.num_seats
    put(out, s.phase)
    put(out, s.round_no)
    put(out, s.rounds)
    put(out, s.num_cards)
    put(out, s.dealer)
    dealt = count(s.played)
    for other in range(n):
        dealt += hand_size(s, other)
    put(out, NUM_CARDS - 1 - dealt)
    put(out, s.turned)
    put(out, NOTHING if s.trump == NO_COLOUR else s.trump)
    put(out, n)
    for other in range(n):
        put(out, hand_size(s, other))
    put(out, n)
    for other in range(n):
        put(out, s.bid[other] if s.bid[other] >= 0 else NOTHING)
    forbidden = forbidden_bid(s) if s.phase == BIDDING else -1
    put(out, forbidden if 0 <= forbidden <= s.num_cards else NOTHING)
    put_first(out, n, s.tricks)
    put(out, s.leader)
    put(out, n)
    for other in range(n):
        card = trick_card(s, other)
        put(out, card if card != NO_CARD else NOTHING)
    put(out, s.played)
    put_first(out, n, s.void)
    put_first(out, n, s.points)
    put(out, round_points(0, 0, s.round_no) > round_points(0, 0, 1))


OWN = fields(hand=members_of(CARDS))
"""What else the table shows a seat."""


@jit
def own(s: State, seat: int, out: Numbers) -> None:
    """Put down what `OWN` shows, from the seat's own concealed record."""
    put(out, NOTHING if seat == NOBODY else s.hand[seat])


NOT_BY_NUMBERS = frozenset({rules.FIRST_DEALER, rules.DEAL, rules.ROUND_END, rules.FORFEIT, rules.MATCH_END})
"""Kinds of events that take more to tell than their own numbers."""
TOLD_APART = frozenset({rules.DEAL})
"""Those of them that are not told everybody alike."""

MORE = {
    DEAL: More(fields(card=word(CARDS), dealt=members_of(CARDS)), covers=(4,)),
    ROUND_END: More(
        fields(
            points=each(number),
            bids=each(number),
            tricks=each(number),
            scores=each(number),
            seats=members_of(range(MAX_SEATS)),  # who got points
        )
    ),
}
"""What some of them tell more: fields that `more` puts down."""


@jit
def more(s: State, viewer: int, kind: int, field: int, out: Numbers) -> None:
    """Put down a field of `MORE`, from the viewer's own concealed record."""
    n = s.num_seats
    if kind == DEAL and field == 0:
        put(out, s.turned)
    elif kind == DEAL:
        if viewer != NOBODY:
            put(out, s.hand[viewer])
    elif field == 0:
        put_first(out, n, s.last_points)
    elif field == 1:
        put_first(out, n, s.last_bid)
    elif field == 2:
        put_first(out, n, s.last_tricks)
    elif field == 3:
        put_first(out, n, s.points)
    else:
        scorers = 0
        for other in range(n):
            if s.last_points[other] != 0:
                scorers |= 1 << other
        put(out, scorers)


def event(s: Record, viewer: int, kind: int, seat: int, a: int, b: int, c: int) -> dict[str, Any]:
    """A journal entry as the viewer may know it. Nothing in this game's journal is hidden but the viewer's cards."""
    if kind == rules.FIRST_DEALER:
        drawn = [CARDS[s.dealer_draw[other]] for other in range(s.num_seats)]
        return {"type": "first_dealer", "seat": seat, "drawn": drawn}
    if kind == rules.DEAL:
        return {"type": "deal", "seat": seat, "round": a, "n": b, **read_more(MORE[kind], more, s, viewer, kind)}
    if kind == rules.TRUMP_CHOSEN:
        return {"type": "trump", "seat": seat, "colour": COLOURS[a]}
    if kind == rules.BID_MADE:
        return {"type": "bid", "seat": seat, "n": a, "sum": b}
    if kind == rules.PLAY:
        return {"type": "play", "seat": seat, "card": CARDS[a]}
    if kind == rules.TRICK:
        return {"type": "trick", "seat": seat, "tricks": a, "bid": b}
    if kind == rules.FORFEIT:
        return {"type": "forfeit", "seat": seat, "draw": a}
    if kind == rules.ROUND_END:
        return {"type": "round_end", "round": a, **read_more(MORE[kind], more, s, viewer, kind)}
    n = s.num_seats
    places = [1 + sum(s.points[j] > s.points[i] for j in range(n)) for i in range(n)]
    return {"type": "match_end", "seats": [i for i in range(n) if places[i] == 1], "n": max(s.points)}


def localise(event: Mapping[str, Any], words: Catalogue, options: Options) -> Mapping[str, Any]:
    """The event with what depends on the language or on the table's own texts: here the forfeit."""
    if event["type"] != "forfeit":
        return event
    forfeits: Any = options["forfeit_list"] or words.find("forfeits.list")
    return {**event, "forfeit": forfeits[event["draw"] % len(forfeits)]}


def label(action: int) -> tuple[str, dict[str, Any]]:
    """What a button for the action says: a key under `moves` and what fills it."""
    if action >= rules.BID:
        return "bid", {"n": action - rules.BID}
    if action >= rules.TRUMP:
        return "trump", {"colour": COLOURS[action - rules.TRUMP]}
    return "play", {"card": CARDS[action]}


def explain(s: Record, seat: int, action: int) -> tuple[str, str, dict[str, Any]]:
    """Why an action is not legal: the rule, a key under `why`, and what fills it."""
    if seat != s.actor:
        return "", "not_your_turn", {}
    if action >= rules.BID:
        if s.phase != rules.BIDDING:
            return "D6", "not_bidding", {}
        if action - rules.BID > s.num_cards:
            return "D6", "bid_too_high", {"n": s.num_cards}
        return "D7", "hook", {"bid": action - rules.BID, "n": s.num_cards}
    if action >= rules.TRUMP:
        return "D5", "not_choosing", {}
    if s.phase == rules.CHOOSE_TRUMP:
        return "D5", "trump_first", {}
    if s.phase == rules.BIDDING:
        return "D6", "bid_first", {}
    if not s.hand[seat] >> action & 1:
        return "", "not_in_hand", {"card": CARDS[action]}
    return "D9", "must_follow", {"colour": COLOURS[s.led_colour]}


def lines(view: dict[str, Any], words: Catalogue) -> list[str]:
    """The view as plain text for the prompt."""
    t = view["table"]
    say = words.say
    result = [say("screen.head", {**t, "n": t["cards"], "trump": t["trump"] or "?"})]
    if t["double_round"]:
        result.append(say("screen.double"))
    width = max(len(name) for name in view["players"])
    for seat, name in enumerate(view["players"]):
        bid = "–" if t["bids"][seat] is None else t["bids"][seat]
        card = words.word("card", t["trick"][seat] or "")
        marks = ("D" if seat == t["dealer"] else " ") + (">" if seat == view["actor"] else " ")
        facts = {"bid": bid, "tricks": t["tricks"][seat], "points": t["points"][seat]}
        result.append(f" {marks} {name:<{width}}  {say('screen.seat', facts)}  {card}".rstrip())
    if t["hand"] is not None:
        result.append(say("screen.hand", t))
    return result
