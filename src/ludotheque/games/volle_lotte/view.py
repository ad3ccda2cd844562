"""What is shown of Volle Lotte!, and how it is said. All is public here but the order of the pile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.info import Options
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.shape import (
    NOTHING,
    Numbers,
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
from ludotheque.games.volle_lotte import cards, rules, state
from ludotheque.games.volle_lotte.cards import (
    BOX,
    CLOVER,
    NO_CARD,
    NUM_CARDS,
    NUM_KINDS,
    PLUS_MINUS,
    STOP_CARD,
    STRAIGHT,
    dice_count,
    goes_on,
    lotte_points,
    may_stop,
)
from ludotheque.games.volle_lotte.dice import (
    BUSTS,
    CHOICES,
    CHOICES_AT,
    KEEP_DICE,
    KEEP_POINTS,
    KEEPS,
    NUM_DICE,
    NUM_FACES,
    ROLL_DICE,
    ROLL_FACES,
    ROLL_POINTS,
    ROLL_SCORING,
    ROLLS,
    WAYS,
    num_packed,
    straight_busts,
    unpack,
)
from ludotheque.games.volle_lotte.notation import CARDS, PHASES, format_keep
from ludotheque.games.volle_lotte.rules import leaders
from ludotheque.games.volle_lotte.state import GO, KEEP, LOTTE, MAX_SEATS, ROLLED, STOP, TURN

outcome = plain(rules.outcome)

# The cards that forbid to stop after a roll, and where they say so.
_NO_STOP = {cards.FIREWORKS: "V9", cards.PLUS_MINUS: "V12", cards.STRAIGHT: "V13", cards.CLOVER: "V14"}

_FACE_OF_BIT = [1 + bit // 3 for bit in range(3 * NUM_FACES)]
"""The faces of a packed number that has each at most once."""

_BUST = [[BUSTS[n], WAYS[n]] for n in range(NUM_DICE + 1)]
"""The chance that no die scores, by dice rolled."""

_STRAIGHT_BUST = [[straight_busts(n), WAYS[NUM_DICE - n]] for n in range(NUM_DICE + 1)]
"""The chance of no new face, by faces aside."""

_BY_KIND = fields({name: number for name in CARDS})

_KEEP = fields(
    move=word([format_keep(dice) for dice in KEEPS]),
    dice=word([list(dice) for dice in KEEPS]),
    points=number,  # what these dice bring
    turn_points=number,  # what the turn is worth then, with what the card pays
    lotte=flag,
    rolls=number,  # dice rolled next
    bust=word(_BUST),  # that none of them scores
)

COMMON = fields(
    phase=word(PHASES),
    first=number,
    target=number,
    scores=each(number),
    card=word(CARDS),
    pile=number,
    left=_BY_KIND,  # cards in the pile, by kind
    discard=_BY_KIND,
    stop_chance=each(number),  # that the next card is a stop
    roll=word([list(dice) for dice in ROLLS]),
    aside=each(number),
    roll_points=number,  # with every scoring die
    card_points=number,  # of the dice aside
    turn_points=number,  # before them
    stop_points=number,  # what stopping now would score; null: not allowed
    keeps=each(_KEEP),  # every keep that is legal, with what comes of it
    new_faces=members_of(_FACE_OF_BIT),  # under the straight: what this roll brings
    go_bust=word(_STRAIGHT_BUST),  # that the next one brings nothing
    leaders=members_of(range(MAX_SEATS)),  # who loses when a ±1000 of this turn is scored
    loss=number,  # what they lose so far
    lottes=number,  # Volle Lotte under this clover
    closing=flag,
    clover_winner=number,
)
"""The table as everybody sees it. A chance is a pair: in how many of how many ways.

In phase `turn`, card, roll and dice aside are what the last turn left lying there.
"""


@jit
def common(s: State, out: Numbers) -> None:
    """Put down what `COMMON` shows, from a concealed record."""
    rolled = s.phase == ROLLED
    put(out, s.phase)
    put(out, s.first)
    put(out, s.target)
    put_first(out, s.num_seats, s.score)
    put(out, NOTHING if s.card == NO_CARD else s.card)
    _put_cards(s, out)
    put(out, s.roll)
    _put_dice(out, s.aside)
    put(out, int(ROLL_POINTS[s.roll]) if rolled and dice_count(s.card) else 0)
    put(out, s.card_points)
    put(out, s.turn_points)
    put(out, _stop_points(s))
    if rolled and s.card == STRAIGHT:
        faces = int(ROLL_FACES[s.roll])
        put(out, 0)
        put(out, faces & ~s.aside)
        put(out, num_packed(faces | s.aside))
    else:
        _put_keeps(s, out)
        put(out, 0)
        put(out, NOTHING)
    put(out, leaders(s) if s.losses > 0 or (rolled and s.card == PLUS_MINUS) else 0)
    put(out, 1000 * s.losses)
    put(out, s.lottes)
    put(out, s.closing)
    put(out, NOTHING if s.clover_winner == NOBODY else s.clover_winner)


@jit
def _put_cards(s: State, out: Numbers) -> None:
    """The pile, what is left in it, the discard, and the chance of a stop."""
    put(out, s.num_deck)
    for kind in range(NUM_KINDS):
        put(out, BOX[kind] - s.discard[kind])
    for kind in range(NUM_KINDS):
        put(out, s.discard[kind])
    put(out, 2)
    if s.num_deck == 0:  # V2: the box is shuffled anew
        put(out, BOX[STOP_CARD])
        put(out, NUM_CARDS)
    else:
        put(out, BOX[STOP_CARD] - s.discard[STOP_CARD])
        put(out, s.num_deck)


@jit
def _put_dice(out: Numbers, packed: int) -> None:
    put(out, num_packed(packed))
    for face in range(NUM_FACES):
        for _ in range((packed >> (3 * face)) & 7):
            put(out, face + 1)


@jit
def _stop_points(s: State) -> int:
    """V5, V7: what stopping now would score; `NOTHING` where that is not allowed."""
    if s.phase == LOTTE:
        return s.turn_points
    all_score = int(ROLL_SCORING[s.roll]) == int(ROLL_DICE[s.roll])
    if s.phase != ROLLED or not may_stop(s.card, all_score):
        return NOTHING
    points = s.card_points + (int(ROLL_POINTS[s.roll]) if dice_count(s.card) else 0)
    return lotte_points(s.card, s.turn_points, points) if all_score else s.turn_points + points


stop_points = plain(_stop_points)


@jit
def _put_keeps(s: State, out: Numbers) -> None:
    if s.phase != ROLLED:
        put(out, 0)
        return
    first, end = int(CHOICES_AT[s.roll]), int(CHOICES_AT[s.roll + 1])
    put(out, end - first)
    for i in range(first, end):
        _put_keep(s, int(CHOICES[i]), out)


@jit
def _put_keep(s: State, keep: int, out: Numbers) -> None:
    points = int(KEEP_POINTS[keep]) if dice_count(s.card) else 0
    rolls = int(ROLL_DICE[s.roll]) - int(KEEP_DICE[keep])
    lotte = rolls == 0
    turn = s.turn_points + s.card_points + points
    if lotte:
        if s.card != CLOVER:
            turn = lotte_points(s.card, s.turn_points, s.card_points + points)
        if goes_on(s.card) and s.lottes == 0:
            rolls = NUM_DICE
    put(out, keep)
    put(out, keep)
    put(out, points)
    put(out, turn)
    put(out, lotte)
    put(out, rolls)
    put(out, rolls if rolls > 0 else NOTHING)


OWN = fields()
"""What else the table shows a seat: nothing, all dice and cards lie open."""


@jit
def own(s: State, seat: int, out: Numbers) -> None:
    """Put down what `OWN` shows: nothing."""


def _seats(mask: int) -> list[int]:
    return [seat for seat in range(MAX_SEATS) if mask >> seat & 1]


NOT_BY_NUMBERS = frozenset({state.ROUND_END, state.MATCH_END})
"""Kinds of events that take more to tell than their own numbers."""
TOLD_APART: frozenset[int] = frozenset()
"""Those of them that are not told everybody alike."""


def event(s: Record, viewer: int, kind: int, seat: int, a: int, b: int, c: int) -> dict[str, Any]:
    """A journal entry. Nothing in it is hidden from anybody."""
    if kind == state.CARD:
        return {"type": "card", "seat": seat, "card": CARDS[a], "pile": b}
    if kind == state.STRAIGHT_ROLL and b:
        new = list(unpack(b))
        return {"type": "straight_roll", "seat": seat, "dice": list(ROLLS[a]), "new": new, "n": len(new)}
    if kind in (state.ROLL, state.STRAIGHT_ROLL):
        return {"type": "roll", "seat": seat, "dice": list(ROLLS[a]), "points": b}
    if kind == state.KEPT:
        return {"type": "keep", "seat": seat, "dice": list(KEEPS[a]), "points": b, "left": c}
    if kind == state.VOLLE_LOTTE:
        return {"type": "volle_lotte", "seat": seat, "card": CARDS[a], "points": b}
    if kind == state.BUST:
        return {"type": "no_new_face" if a == STRAIGHT else "bust", "seat": seat}
    if kind == state.SCORED:
        return {"type": "score", "seat": seat, "points": a, "score": b}
    if kind == state.LEADERS_LOSE:
        seats = _seats(a)
        return {"type": "leader_loses", "seats": seats, "points": b, "n": len(seats)}
    if kind == state.SHUFFLE:
        return {"type": "shuffle", "cards": a}
    if kind == state.ROUND_END:
        return {
            "type": "round_end",
            "round": a,
            "points": _by_seat(s, s.last_points),
            "scores": _by_seat(s, s.score),
        }
    if kind == state.MATCH_END:
        return {"type": "match_end", "seats": _winners(s), "scores": _by_seat(s, s.score)}
    if kind in (state.LOST, state.STRAIGHT_MADE):
        return {"type": "lost" if kind == state.LOST else "straight", "seat": seat, "points": a}
    return {"type": _PLAIN_EVENTS[kind], "seat": seat}


# Events that say no more than whose they are.
_PLAIN_EVENTS = {
    state.FIRST_SEAT: "first_seat",
    state.STOPPED: "stop_card",
    state.STOPS: "stop",
    state.CLOVER_LOTTE: "clover_lotte",
    state.CLOVER_WINS: "clover_wins",
    state.BURNT_OUT: "burnt_out",
    state.LAST_TURN: "last_turn",
    state.LAST_LAP: "last_lap",
}


def _by_seat(s: Record, values: Any) -> list[int]:
    return [values[seat] for seat in range(s.num_seats)]


def _winners(s: Record) -> list[int]:
    scores, places = [0] * s.num_seats, [0] * s.num_seats
    outcome(s, scores, places)
    return [seat for seat, place in enumerate(places) if place == 1]


def localise(event: Mapping[str, Any], words: Catalogue, options: Options) -> Mapping[str, Any]:
    """The event with what depends on the language or on the table's own texts: here nothing."""
    return event


def label(action: int) -> tuple[str, dict[str, Any]]:
    """What a button for the action says: a key under `moves` and what fills it."""
    if action >= KEEP:
        return "keep", {"dice": list(KEEPS[action - KEEP])}
    return ("go" if action == GO else "stop"), {}


def explain(s: Record, seat: int, action: int) -> tuple[str, str, dict[str, Any]]:
    """Why an action is not legal: the rule, a key under `why`, and what fills it."""
    if seat != s.actor:
        return "", "not_your_turn", {}
    if s.phase == TURN:
        return "V2", "card_first", {}
    if s.phase == LOTTE:
        return "V7", "all_aside", {}
    card = {"card": CARDS[s.card]}
    if action == STOP:
        return _NO_STOP[s.card], "no_stop", card
    if s.card == STRAIGHT:
        return "V13", "straight_keeps", {}
    if action == GO:
        return "V6", "keep_or_stop" if stop_points(s) != NOTHING else "keep_first", {}
    return "V6", "not_in_roll", {"dice": list(KEEPS[action - KEEP]), "roll": list(ROLLS[s.roll])}


def lines(view: dict[str, Any], words: Catalogue) -> list[str]:
    """The view as plain text for the prompt."""
    t = view["table"]
    say = words.say
    result = [say("screen.head", {**t, "round": view["round"]})]
    width = max(len(name) for name in view["players"])
    for seat, name in enumerate(view["players"]):
        mark = ">" if seat == view["actor"] else " "
        result.append(f" {mark} {name:<{width}}  {words.word('score', t['scores'][seat]):>6}")
    if t["closing"] and not view["over"]:
        result.append(say("screen.closing"))
    if t["card"] is not None:
        result.append(say("screen.card" if t["phase"] in ("rolled", "lotte") else "screen.last_card", t))
    dice = [say(f"screen.{name}", {name: _row(t[name])}) for name in ("aside", "roll") if t[name]]
    if dice:
        result.append("   ".join(dice))
    if t["phase"] in ("rolled", "lotte"):
        result.append(say("screen.turn", {"n": t["turn_points"] + t["card_points"]}))
        if t["stop_points"] is not None:
            result.append(say("screen.stop", {"n": t["stop_points"]}))
        if t["leaders"]:
            result.append(say("screen.leaders", {"seats": t["leaders"], "n": len(t["leaders"])}, view["players"]))
    if t["new_faces"]:
        result.append(say("screen.new", {"new": _row(t["new_faces"]), "chance": _percent(t["go_bust"])}))
    if t["phase"] in ("turn", "lotte"):
        result.append(say("screen.next", {"chance": _percent(t["stop_chance"])}))
    keeps = [_keep_text(keep, words) for keep in t["keeps"]]
    for i in range(0, len(keeps), 2):
        result.append("  " + f"{keeps[i]:<39}{keeps[i + 1] if i + 1 < len(keeps) else ''}".rstrip())
    return result


def _row(dice: list[int]) -> str:
    return " ".join(map(str, dice))


def _percent(chance: list[int]) -> int:
    return round(100 * chance[0] / chance[1])


def _keep_text(keep: dict[str, Any], words: Catalogue) -> str:
    facts = {"dice": _row(keep["dice"]), "points": keep["points"], "n": keep["rolls"]}
    if keep["lotte"]:
        return words.say("screen.keep_lotte", {**facts, "points": keep["turn_points"]})
    return words.say("screen.keep", {**facts, "chance": _percent(keep["bust"])})
