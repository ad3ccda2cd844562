"""What one seat, or a spectator, is shown of LOBO 77, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.info import Options
from ludotheque.core.jit import plain
from ludotheque.core.record import NOBODY, Record
from ludotheque.core.texts import Catalogue
from ludotheque.games.lobo77 import cards, state
from ludotheque.games.lobo77.cards import CARD_76, CARDS, NUM_TYPES
from ludotheque.games.lobo77.notation import format_hand, open_draws, seats_out
from ludotheque.games.lobo77.state import DOUBLET_STEP, LIMIT

copies_in = plain(cards.copies_in)

_TRAPS = [*range(DOUBLET_STEP, LIMIT, DOUBLET_STEP), LIMIT]
"""The totals that cost a token; the last of them ends the round."""


def common(s: Record) -> dict[str, Any]:
    """The table as everybody sees it, from a concealed record."""
    seats = range(s.num_seats)
    played = [CARDS[s.played[k]] for k in range(s.num_played)]
    shuffled = [CARDS[card] for card in range(NUM_TYPES) for _ in range(s.shuffled[card])]
    return {
        "round": s.round_no,
        "dealer": s.dealer,
        "opener": s.opener,
        "total": s.total,
        "traps": _TRAPS,
        "direction": s.direction,
        "next": _next(s),
        "owed": s.owed,
        "next_two": bool(s.next_two),
        "tokens": [s.tokens[other] for other in seats],
        "swimming": [other for other in seats if s.tokens[other] == 0 and s.out_at[other] == 0],
        "out": seats_out(s),
        "hand_sizes": [s.hand_size[other] for other in seats],
        "draw_pile": s.pile_size - s.num_drawn,
        "top": played[-1] if played else None,
        "played": played,
        "pending": open_draws(s),
        "sure_2x": [s.sure_2x[other] for other in seats],
        "reshuffled": shuffled if s.reshuffled else None,
    }


def own(s: Record, seat: int) -> dict[str, Any]:
    """What else the table shows a seat, from its own concealed record."""
    return {"hand": None if seat == NOBODY else format_hand(s.hand[seat])}


def _next(s: Record) -> int | None:
    """Who is at turn after the actor, as play goes round now."""
    n = s.num_seats
    after = ((s.actor + step * s.direction) % n for step in range(1, n))
    return None if s.over else next((seat for seat in after if s.out_at[seat] == 0), None)


NOT_BY_NUMBERS = frozenset({state.DEALT, state.ROUND_END, state.MATCH_END})
"""Kinds of events that take more to tell than their own numbers."""


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
