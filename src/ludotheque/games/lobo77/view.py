"""What one seat, or a spectator, is shown of LOBO 77, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.info import Options
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.shape import (
    NOTHING,
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
from ludotheque.games.lobo77 import cards, state
from ludotheque.games.lobo77.cards import CARD_76, CARDS, NUM_TYPES, first_type, num_cards, one, types_in
from ludotheque.games.lobo77.notation import format_hand, seats_out
from ludotheque.games.lobo77.state import DOUBLET_STEP, LIMIT, MAX_SEATS

copies_in = plain(cards.copies_in)

_TRAPS = [*range(DOUBLET_STEP, LIMIT, DOUBLET_STEP), LIMIT]
"""The totals that cost a token; the last of them ends the round."""


COMMON = fields(
    round=number,
    dealer=number,
    opener=number,
    total=number,
    traps=constant(_TRAPS),
    direction=number,
    next=number,
    owed=number,
    next_two=flag,
    tokens=each(number),
    swimming=members_of(range(MAX_SEATS)),
    out=each(number),  # the first to go first
    hand_sizes=each(number),
    draw_pile=number,
    top=word(CARDS),
    played=each(word(CARDS)),
    pending=each(number),
    sure_2x=each(number),
    reshuffled=each(word(CARDS)),
)
"""The table as everybody sees it."""


@jit
def common(s: State, out: Numbers) -> None:
    """Put down what `COMMON` shows, from a concealed record."""
    n = s.num_seats
    put(out, s.round_no)
    put(out, s.dealer)
    put(out, s.opener)
    put(out, s.total)
    put(out, s.direction)
    put(out, _next(s))
    put(out, s.owed)
    put(out, s.next_two)
    put_first(out, n, s.tokens)
    swimming = 0
    for other in range(n):
        if s.tokens[other] == 0 and s.out_at[other] == 0:
            swimming |= 1 << other
    put(out, swimming)
    _put_seats_out(s, out)
    put_first(out, n, s.hand_size)
    put(out, s.pile_size - s.num_drawn)
    put(out, s.played[s.num_played - 1] if s.num_played > 0 else NOTHING)
    put_first(out, s.num_played, s.played)
    put(out, n)
    for other in range(n):
        put(out, s.pending if other == s.pending_seat else 0)
    put_first(out, n, s.sure_2x)
    _put_reshuffled(s, out)


@jit
def _next(s: State) -> int:
    """Who is at turn after the actor, as play goes round now."""
    n = s.num_seats
    if not s.over:
        for step in range(1, n):
            seat = (s.actor + step * s.direction) % n
            if s.out_at[seat] == 0:
                return seat
    return NOTHING


@jit
def _put_seats_out(s: State, out: Numbers) -> None:
    """Put down `seats_out`."""
    put(out, s.num_out)
    for place in range(1, s.num_out + 1):
        for seat in range(s.num_seats):
            if s.out_at[seat] == place:
                put(out, seat)


@jit
def _put_reshuffled(s: State, out: Numbers) -> None:
    """Put down the cards that the last reshuffle made the draw pile of."""
    if not s.reshuffled:
        put(out, NOTHING)
        return
    put(out, s.pile_size)
    for card in range(NUM_TYPES):
        for _ in range(s.shuffled[card]):
            put(out, card)


OWN = fields(hand=each(word(CARDS)))
"""What else the table shows a seat."""


@jit
def own(s: State, seat: int, out: Numbers) -> None:
    """Put down what `OWN` shows, from the seat's own concealed record."""
    if seat == NOBODY:
        put(out, NOTHING)
        return
    hand = s.hand[seat]
    put(out, num_cards(hand))
    while hand:
        card = first_type(types_in(hand))
        put(out, card)
        hand -= one(card)


NOT_BY_NUMBERS = frozenset({state.DEALT, state.ROUND_END, state.MATCH_END})
"""Kinds of events that take more to tell than their own numbers."""
TOLD_APART = frozenset({state.DEALT})
"""Those of them that are not told everybody alike."""


def event(s: Record, viewer: int, kind: int, seat: int, a: int, b: int, c: int) -> dict[str, Any]:
    """A journal entry as the viewer may know it: cards drawn by others are hidden."""
    if kind == state.PLAYED:
        drew = CARDS[c - 1] if c else None
        return {"type": "play", "seat": seat, "card": CARDS[a], "total": b, "drew": drew}
    if kind == state.DREW:
        card = CARDS[a - 1] if a else None
        return {"type": "draw_empty" if b else "draw", "seat": seat, "card": card}
    if kind == state.TURNED:
        return {"type": "turn", "seat": seat, "direction": a}
    if kind == state.OWES_TWO:
        return {"type": "owes_two", "seat": seat}
    if kind == state.RESHUFFLED:
        return {"type": "reshuffle", "seat": seat, "n": a}
    if kind == state.TOKEN_LOST:
        return {"type": "token" if b else "last_token", "seat": seat, "total": a, "n": b}
    if kind == state.SWIMS:
        return {"type": "swims", "seat": seat}
    if kind == state.SUNK:
        return {"type": "sunk", "seat": seat, "total": a}
    if kind == state.OUT:
        return {"type": "out", "seat": seat, "place": a}
    if kind == state.BURIED:
        hand = a | b << state.PART_BITS | c << 2 * state.PART_BITS
        return {"type": "buried", "seat": seat, "cards": format_hand(hand)}
    return _round_event(s, viewer, kind, seat, a, b)


def _round_event(s: Record, viewer: int, kind: int, seat: int, a: int, b: int) -> dict[str, Any]:
    if kind == state.FIRST_DEALER:
        return {"type": "first_dealer", "seat": seat}
    seats = range(s.num_seats)
    if kind == state.DEALT:
        hand = [] if viewer == NOBODY else format_hand(s.hand[viewer])
        return {"type": "deal", "seat": seat, "round": a, "other": b, "dealt": hand}
    if kind == state.ROUND_END:
        return {
            "type": "round_end",
            "seat": seat,
            "round": a,
            "points": [s.last_points[other] for other in seats],
            "scores": [s.tokens[other] for other in seats],
            "out": seats_out(s),
        }
    winner = max((other for other in seats if s.out_at[other] == 0), key=lambda other: s.tokens[other])
    return {"type": "match_end", "seat": winner, "seats": [winner]}


def localise(event: Mapping[str, Any], words: Catalogue, options: Options) -> Mapping[str, Any]:
    """Nothing in an event depends on the language or on the table's own texts."""
    return event


def label(action: int) -> tuple[str, dict[str, Any]]:
    """What a button for the action says: a key under `moves` and what fills it."""
    if action == state.DRAW:
        return "draw", {}
    return "play", {"card": CARDS[action]}


def explain(s: Record, seat: int, action: int) -> tuple[str, str, dict[str, Any]]:
    """Why an action is not legal: the rule, a key under `why`, and what fills it."""
    if s.out_at[seat]:
        return "L18", "out", {}
    if action == state.DRAW:
        return ("L20", "no_draw", {}) if s.manual else ("L20", "drawn_for_you", {})
    if seat != s.actor:
        return "", "not_your_turn", {}
    if action == CARD_76 and not s.card_76:
        return "L22", "no_76", {}
    if not copies_in(s.hand[seat], action):
        return "", "not_in_hand", {"card": CARDS[action]}
    return "L13", "no_2x_first", {}


def lines(view: dict[str, Any], words: Catalogue) -> list[str]:
    """The view as plain text for the prompt."""
    t = view["table"]
    names = view["players"]

    def say(key: str, params: Mapping[str, Any]) -> str:
        return words.say(f"screen.{key}", params, names)

    recent = (["…"] if len(t["played"]) > 10 else []) + t["played"][-10:]
    result = [say("head", t), say("piles", {"n": t["draw_pile"], "played": recent or "–"})]
    width = max(len(name) for name in names)
    for seat, name in enumerate(names):
        marks = ("D" if seat == t["dealer"] else " ") + (">" if seat == view["actor"] else " ")
        key = "out" if seat in t["out"] else "swims" if seat in t["swimming"] else "seat"
        facts = {"tokens": t["tokens"][seat], "cards": t["hand_sizes"][seat], "place": view["places"][seat]}
        result.append(f" {marks} {name:<{width}}  {say(key, facts)}".rstrip())
    if t["owed"] == 2 or t["next_two"]:
        result.append(say("owes_two" if t["owed"] == 2 else "next_two", {"seat": view["actor"]}))
    result += [say("pending", {"seat": seat, "n": n}) for seat, n in enumerate(t["pending"]) if n]
    if t["hand"]:
        result.append(say("hand", t))
    return result
