"""What one seat, or a spectator, is shown of Pig, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.info import Options
from ludotheque.core.jit import jit
from ludotheque.core.record import Record, State
from ludotheque.core.texts import Catalogue
from ludotheque.core.views import BySeat, Fields, Maybe, Number, Seat, View

from pig_game import rules
from pig_game.notation import MOVES
from pig_game.rules import MAX_SEATS

VIEW = Fields(
    target=Number("points to reach"),
    first=Seat("who began"),
    die=Maybe(Number("the face rolled last")),
    turn_points=Number("points of this turn"),
    scores=BySeat(Number(), MAX_SEATS),
)
"""What the table shows: everybody the same."""


@jit
def view(s: State, seat: int, v: View) -> None:
    """Show a seat the table, from its concealed record."""
    v.target = s.target
    v.first = s.first
    if s.die != 0:
        v.die = s.die
    v.turn_points = s.turn_points
    v.num_scores = s.num_seats
    for other in range(s.num_seats):
        v.scores[other] = s.score[other]


def event(s: Record, viewer: int, kind: int, seat: int, a: int, b: int, c: int) -> dict[str, Any]:
    """A journal entry as the viewer may know it. Nothing in this game's journal is hidden."""
    if kind == rules.FIRST:
        return {"type": "first", "seat": seat}
    if kind == rules.ROLLED:
        return {"type": "roll", "seat": seat, "die": a, "n": b}
    if kind == rules.LOST:
        return {"type": "lose", "seat": seat, "n": a}
    if kind == rules.HELD:
        return {"type": "hold", "seat": seat, "n": a, "score": b}
    return {"type": "match_end", "seats": [seat], "n": a}


def localise(event: Mapping[str, Any], words: Catalogue, options: Options) -> Mapping[str, Any]:
    """The event with what depends on the language or on the table's own texts: nothing here."""
    return event


def label(action: int) -> tuple[str, dict[str, Any]]:
    """What a button for the action says: a key under `moves` and what fills it."""
    return MOVES.texts[action], {}


def explain(s: Record, seat: int, action: int) -> tuple[str, str, dict[str, Any]]:
    """Why an action is not legal: the rule, a key under `why`, and what fills it."""
    if seat != s.actor:
        return "", "not_your_turn", {}
    return "P2", "roll_first", {}


def lines(view: dict[str, Any], words: Catalogue) -> list[str]:
    """The view as plain text for the prompt."""
    t = view["table"]
    result = [words.say("screen.head", {"round": view["round"], "target": t["target"]})]
    if t["die"] is not None:
        result.append(words.say("screen.turn", {"die": t["die"], "n": t["turn_points"]}))
    width = max(len(name) for name in view["players"])
    for seat, name in enumerate(view["players"]):
        mark = ">" if seat == view["actor"] else " "
        result.append(f" {mark} {name:<{width}}  {t['scores'][seat]:>3}")
    return result
