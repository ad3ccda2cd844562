"""What is shown of Volle Lotte!, and how it is said. All is public here but the order of the pile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.info import Options
from ludotheque.core.jit import plain
from ludotheque.core.record import NOBODY, Record
from ludotheque.core.texts import Catalogue
from ludotheque.games.volle_lotte import cards, rules, state
from ludotheque.games.volle_lotte.cards import (
    BOX,
    CLOVER,
    NO_CARD,
    NUM_CARDS,
    PLUS_MINUS,
    STOP_CARD,
    STRAIGHT,
)
from ludotheque.games.volle_lotte.dice import (
    BUSTS,
    CHOICES,
    CHOICES_AT,
    KEEPS,
    NUM_DICE,
    ROLLS,
    WAYS,
    Dice,
    points_of,
    scoring_dice,
    straight_busts,
    unpack,
)
from ludotheque.games.volle_lotte.notation import CARDS, PHASES, format_keep
from ludotheque.games.volle_lotte.state import GO, KEEP, LOTTE, ROLLED, STOP, TURN

dice_count = plain(cards.dice_count)
goes_on = plain(cards.goes_on)
leaders = plain(rules.leaders)
lotte_points = plain(cards.lotte_points)
may_stop = plain(cards.may_stop)
outcome = plain(rules.outcome)

# The cards that forbid to stop after a roll, and where they say so.
_NO_STOP = {cards.FIREWORKS: "V9", cards.PLUS_MINUS: "V12", cards.STRAIGHT: "V13", cards.CLOVER: "V14"}


def common(s: Record) -> dict[str, Any]:
    """The table as everybody sees it, from a concealed record. A chance is a pair: in how many of how many ways.

    In phase `turn`, card, roll and dice aside are what the last turn left lying there.
    """
    roll = ROLLS[s.roll]
    rolled = s.phase == ROLLED
    counts = rolled and dice_count(s.card)
    straight = rolled and s.card == STRAIGHT
    new = sorted(set(roll) - set(unpack(s.aside))) if straight else []
    left = {name: BOX[kind] - s.discard[kind] for kind, name in enumerate(CARDS)}
    hit = s.losses > 0 or (rolled and s.card == PLUS_MINUS)
    return {
        "phase": PHASES[s.phase],
        "first": s.first,
        "target": s.target,
        "scores": [s.score[other] for other in range(s.num_seats)],
        "card": None if s.card == NO_CARD else CARDS[s.card],
        "pile": s.num_deck,
        "left": left,  # cards in the pile, by kind
        "discard": {name: s.discard[kind] for kind, name in enumerate(CARDS)},
        "stop_chance": _stop_chance(s),  # that the next card is a stop
        "roll": list(roll),
        "aside": list(unpack(s.aside)),
        "roll_points": points_of(roll) if counts else 0,  # with every scoring die
        "card_points": s.card_points,  # of the dice aside
        "turn_points": s.turn_points,  # before them
        "stop_points": _stop_points(s),  # what stopping now would score; None: not allowed
        "keeps": _keeps(s) if rolled and not straight else [],
        "new_faces": new,  # under the straight: what this roll brings
        "go_bust": _straight_chance(s, len(new)) if straight else None,  # that the next one brings nothing
        "leaders": _seats(leaders(s)) if hit else [],  # who loses when a ±1000 of this turn is scored
        "loss": 1000 * s.losses,  # what they lose so far
        "lottes": s.lottes,  # Volle Lotte under this clover
        "closing": bool(s.closing),
        "clover_winner": None if s.clover_winner == NOBODY else s.clover_winner,
    }


def own(s: Record, seat: int) -> dict[str, Any]:
    """What else the table shows a seat: nothing, all dice and cards lie open."""
    return {}


def _seats(mask: int) -> list[int]:
    return [seat for seat in range(state.MAX_SEATS) if mask >> seat & 1]


def _stop_chance(s: Record) -> list[int]:
    if s.num_deck == 0:
        return [BOX[STOP_CARD], NUM_CARDS]
    return [BOX[STOP_CARD] - s.discard[STOP_CARD], s.num_deck]


def _straight_chance(s: Record, num_new: int) -> list[int]:
    aside = len(unpack(s.aside)) + num_new
    return [straight_busts(aside), WAYS[NUM_DICE - aside]]


def _stop_points(s: Record) -> int | None:
    """V5, V7: what stopping now would score; None where that is not allowed."""
    if s.phase == LOTTE:
        return int(s.turn_points)
    roll = ROLLS[s.roll]
    all_score = scoring_dice(roll) == roll
    if s.phase != ROLLED or not may_stop(s.card, all_score):
        return None
    points = s.card_points + (points_of(roll) if dice_count(s.card) else 0)
    return int(lotte_points(s.card, s.turn_points, points) if all_score else s.turn_points + points)


def _keeps(s: Record) -> list[dict[str, Any]]:
    """Every keep that is legal, with what comes of it."""
    choices = CHOICES[CHOICES_AT[s.roll] : CHOICES_AT[s.roll + 1]]
    return [_keep(s, KEEPS[choice]) for choice in choices.tolist()]


def _keep(s: Record, dice: Dice) -> dict[str, Any]:
    points = points_of(dice) if dice_count(s.card) else 0
    rolls = len(ROLLS[s.roll]) - len(dice)
    lotte = rolls == 0
    turn = s.turn_points + s.card_points + points
    if lotte:
        if s.card != CLOVER:
            turn = lotte_points(s.card, s.turn_points, s.card_points + points)
        if goes_on(s.card) and s.lottes == 0:
            rolls = NUM_DICE
    return {
        "move": format_keep(dice),
        "dice": list(dice),
        "points": points,  # what these dice bring
        "turn_points": turn,  # what the turn is worth then, with what the card pays
        "lotte": lotte,
        "rolls": rolls,  # dice rolled next
        "bust": [BUSTS[rolls], WAYS[rolls]] if rolls else None,  # that none of them scores
    }


NOT_BY_NUMBERS = frozenset({state.ROUND_END, state.MATCH_END})
"""Kinds of events that take more to tell than their own numbers."""


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
        return "V6", "keep_or_stop" if _stop_points(s) is not None else "keep_first", {}
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
