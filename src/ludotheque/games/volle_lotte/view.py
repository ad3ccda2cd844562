"""What is shown of Volle Lotte!, and how it is said. All is public here but the order of the pile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.info import Options
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.texts import Catalogue
from ludotheque.core.views import (
    NOTHING,
    BySeat,
    Each,
    Exactly,
    Fields,
    Flag,
    Keyed,
    Maybe,
    MembersOf,
    Number,
    Seat,
    Seats,
    View,
    Word,
)
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
    MAX_KEEPS,
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

_KEEP = Fields(
    move=Word([format_keep(dice) for dice in KEEPS]),
    dice=Word([list(dice) for dice in KEEPS]),
    points=Number("what these dice bring"),
    turn_points=Number("what the turn is worth then, with what the card pays"),
    lotte=Flag("whether all dice are aside then"),
    rolls=Number("dice rolled next"),
    bust=Maybe(Word(_BUST, "the chance that none of them scores")),
)

VIEW = Fields(
    "A chance is a pair: in how many of how many ways. In phase `turn`, card, roll and dice aside are what the last "
    "turn left lying there.",
    phase=Word(PHASES),
    first=Seat("who began"),
    target=Number(),
    scores=BySeat(Number(), MAX_SEATS),
    card=Maybe(Word(CARDS)),
    pile=Number(),
    left=Keyed(CARDS, Number(), "cards in the pile, by kind"),
    discard=Keyed(CARDS, Number()),
    stop_chance=Exactly(2, Number(), "the chance that the next card is a stop"),
    roll=Word([list(dice) for dice in ROLLS]),
    aside=Each(Number(), NUM_DICE),
    roll_points=Number("what the roll brings with every scoring die"),
    card_points=Number("what the dice aside bring"),
    turn_points=Number("what the turn had brought before them"),
    stop_points=Maybe(Number("what stopping now would score; null: not allowed")),
    keeps=Each(_KEEP, MAX_KEEPS, "every keep that is legal, with what comes of it"),
    new_faces=MembersOf(_FACE_OF_BIT, "under the straight: what this roll brings"),
    go_bust=Maybe(Word(_STRAIGHT_BUST, "under the straight: the chance that the next roll brings nothing")),
    leaders=Seats(range(MAX_SEATS), "who loses when a ±1000 of this turn is scored"),
    loss=Number("what they lose so far"),
    lottes=Number("Volle Lotte under this clover"),
    closing=Flag("whether these are the last turns"),
    clover_winner=Maybe(Seat()),
)
"""What the table shows: everybody the same."""


@jit
def view(s: State, seat: int, v: View) -> None:
    """Show the table, from a concealed record."""
    v.phase = s.phase
    v.first = s.first
    v.target = s.target
    v.num_scores = s.num_seats
    for other in range(s.num_seats):
        v.scores[other] = s.score[other]
    v.loss = 1000 * s.losses
    v.lottes = s.lottes
    v.closing = s.closing
    if s.clover_winner != NOBODY:
        v.clover_winner = s.clover_winner
    _show_cards(s, v)
    _show_turn(s, v)
    if s.phase == ROLLED and s.card == STRAIGHT:
        faces = int(ROLL_FACES[s.roll])
        v.num_keeps = 0
        v.new_faces = faces & ~s.aside
        v.go_bust = num_packed(faces | s.aside)
    else:
        _show_keeps(s, v)
        v.new_faces = 0


@jit
def _show_cards(s: State, v: View) -> None:
    """The card, the pile, what is left in it, the discard, and the chance of a stop."""
    if s.card != NO_CARD:
        v.card = s.card
    v.pile = s.num_deck
    for kind in range(NUM_KINDS):
        v.left[kind] = BOX[kind] - s.discard[kind]
        v.discard[kind] = s.discard[kind]
    if s.num_deck == 0:  # V2: the box is shuffled anew
        v.stop_chance[0] = BOX[STOP_CARD]
        v.stop_chance[1] = NUM_CARDS
    else:
        v.stop_chance[0] = BOX[STOP_CARD] - s.discard[STOP_CARD]
        v.stop_chance[1] = s.num_deck


@jit
def _show_turn(s: State, v: View) -> None:
    """The dice, and what they are worth."""
    is_rolled = s.phase == ROLLED
    v.roll = s.roll
    size = 0
    for face in range(NUM_FACES):
        for _ in range((s.aside >> (3 * face)) & 7):
            v.aside[size] = face + 1
            size += 1
    v.num_aside = size
    v.roll_points = int(ROLL_POINTS[s.roll]) if is_rolled and dice_count(s.card) else 0
    v.card_points = s.card_points
    v.turn_points = s.turn_points
    v.stop_points = _stop_points(s)
    v.leaders = leaders(s) if s.losses > 0 or (is_rolled and s.card == PLUS_MINUS) else 0


@jit
def _stop_points(s: State) -> int:
    """V5, V7: what stopping now would score; `NOTHING` where that is not allowed."""
    if s.phase == LOTTE:
        return s.turn_points
    all_score = int(ROLL_SCORING[s.roll]) == int(ROLL_DICE[s.roll])
    if s.phase != ROLLED or not may_stop(s.card, all_score, s.fireworks_stop):
        return NOTHING
    points = s.card_points + (int(ROLL_POINTS[s.roll]) if dice_count(s.card) else 0)
    return lotte_points(s.card, s.turn_points, points) if all_score else s.turn_points + points


stop_points = plain(_stop_points)


@jit
def _show_keeps(s: State, v: View) -> None:
    v.num_keeps = 0
    if s.phase == ROLLED:
        first, end = int(CHOICES_AT[s.roll]), int(CHOICES_AT[s.roll + 1])
        v.num_keeps = end - first
        for i in range(end - first):
            _show_keep(s, int(CHOICES[first + i]), v.keeps[i])


@jit
def _show_keep(s: State, keep: int, v: View) -> None:
    points = int(KEEP_POINTS[keep]) if dice_count(s.card) else 0
    rolls = int(ROLL_DICE[s.roll]) - int(KEEP_DICE[keep])
    v.move = keep
    v.dice = keep
    v.points = points
    v.lotte = rolls == 0
    v.turn_points = s.turn_points + s.card_points + points
    if rolls == 0:
        if s.card != CLOVER:
            v.turn_points = lotte_points(s.card, s.turn_points, s.card_points + points)
        if goes_on(s.card) and s.lottes == 0:
            rolls = NUM_DICE
    v.rolls = rolls
    if rolls > 0:
        v.bust = rolls


def _seats(mask: int) -> list[int]:
    return [seat for seat in range(MAX_SEATS) if mask >> seat & 1]


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
