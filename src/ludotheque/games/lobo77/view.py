"""What one seat, or a spectator, is shown of LOBO 77, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.info import Options
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.texts import Catalogue
from ludotheque.core.views import NOTHING, BySeat, Constant, Each, Fields, Flag, Maybe, Number, Seat, Seats, View, Word
from ludotheque.games.lobo77 import cards, state
from ludotheque.games.lobo77.cards import CARD_76, CARDS, MAX_CARDS, NUM_TYPES, first_type, one, types_in
from ludotheque.games.lobo77.notation import format_hand, seats_out
from ludotheque.games.lobo77.state import DOUBLET_STEP, HAND_SIZE, LIMIT, MAX_SEATS

copies_in = plain(cards.copies_in)

_TRAPS = [*range(DOUBLET_STEP, LIMIT, DOUBLET_STEP), LIMIT]
"""The totals that cost a token; the last of them ends the round."""


_NUMBERS = BySeat(Number(), MAX_SEATS)

VIEW = Fields(
    round=Number(),
    dealer=Seat(),
    opener=Seat("who opened the round"),
    total=Number(),
    traps=Constant(_TRAPS, "the totals that cost a token; the last of them ends the round"),
    direction=Number("1 clockwise, -1 the other way"),
    next=Maybe(Seat("who is at turn after the actor")),
    owed=Number("how many cards whoever is at turn has still to play"),
    next_two=Flag("whether whoever comes next will owe two"),
    tokens=_NUMBERS,
    swimming=Seats(range(MAX_SEATS), "who has no token left and is still in"),
    out=Each(Seat(), MAX_SEATS, "who is out, the first to go first"),
    hand_sizes=_NUMBERS,
    draw_pile=Number("cards in the draw pile"),
    top=Maybe(Word(CARDS)),
    played=Each(Word(CARDS), MAX_CARDS, "the played cards, the last on top"),
    pending=BySeat(Number(), MAX_SEATS, "the draws each seat may still make by hand"),
    sure_2x=BySeat(Number(), MAX_SEATS, "the 2x cards each seat is known to hold"),
    reshuffled=Maybe(Each(Word(CARDS), MAX_CARDS, "what the last reshuffle made the draw pile of")),
    hand=Maybe(Each(Word(CARDS), HAND_SIZE)),
)
"""What the table shows. Lists of numbers are by seat."""


@jit
def view(s: State, seat: int, v: View) -> None:
    """Show a seat the table, from its concealed record."""
    v.round = s.round_no
    v.dealer = s.dealer
    v.opener = s.opener
    v.total = s.total
    v.direction = s.direction
    v.next = _next(s)
    v.owed = s.owed
    v.next_two = s.next_two
    v.draw_pile = s.pile_size - s.num_drawn
    v.num_played = s.num_played
    for i in range(s.num_played):
        v.played[i] = s.played[i]
    if s.num_played > 0:
        v.top = s.played[s.num_played - 1]
    _show_seats(s, v)
    if s.reshuffled:
        _show_reshuffled(s, v)
    if seat != NOBODY:
        _show_hand(s.hand[seat], v)


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
def _show_seats(s: State, v: View) -> None:
    n = s.num_seats
    v.num_tokens = v.num_hand_sizes = v.num_pending = v.num_sure_2x = n
    v.num_out = s.num_out
    v.swimming = 0
    for other in range(n):
        v.tokens[other] = s.tokens[other]
        v.hand_sizes[other] = s.hand_size[other]
        v.pending[other] = s.pending if other == s.pending_seat else 0
        v.sure_2x[other] = s.sure_2x[other]
        if s.out_at[other] > 0:
            v.out[s.out_at[other] - 1] = other
        elif s.tokens[other] == 0:
            v.swimming |= 1 << other


@jit
def _show_reshuffled(s: State, v: View) -> None:
    size = 0
    for card in range(NUM_TYPES):
        for _ in range(s.shuffled[card]):
            v.reshuffled[size] = card
            size += 1
    v.num_reshuffled = size


@jit
def _show_hand(hand: int, v: View) -> None:
    size = 0
    while hand:
        v.hand[size] = first_type(types_in(hand))
        hand -= one(v.hand[size])
        size += 1
    v.num_hand = size


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
        return {"type": "reshuffle_under" if b else "reshuffle", "seat": seat, "n": a}
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
