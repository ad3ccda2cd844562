"""Pig as text: moves `roll` and `hold`; positions as JSON, both ways; scripted rolls."""

from __future__ import annotations

from typing import Any

from ludotheque.core.moves import MoveTable
from ludotheque.core.position import Fields
from ludotheque.core.record import NOBODY, Record

from pig_game.rules import MOST_ROUNDS, NUM_FACES

_ROLL_WORDS = "r go lance lancer relance relancer l"
_HOLD_WORDS = "h stop garde garder arrete arreter g"

MOVES = MoveTable(
    ["roll", "hold"],
    {word: "roll" for word in _ROLL_WORDS.split()} | {word: "hold" for word in _HOLD_WORDS.split()},
)


def script_rolls(*faces: int) -> list[list[int]]:
    """What to write under `draws` in a position's `chance` for these to be the next rolls, in order."""
    return [[face - 1, NUM_FACES] for face in faces]


def format_position(s: Record) -> dict[str, Any]:
    """The table as JSON."""
    return {
        "round": s.round_no,
        "first": s.first,
        "actor": s.actor,
        "scores": [s.score[seat] for seat in range(s.num_seats)],
        "turn_points": s.turn_points,
        "die": s.die,
    }


def parse_position(fields: Fields, s: Record) -> None:
    """Fill the record. Nothing is needed: an empty object is the start of the first turn.

    The match is over if somebody has reached the target. `die` is the face rolled last, 0 if there was none; with
    `turn_points` and without `die` the turn's points came from the last roll, as far as a die has so many.
    """
    fields.only({"round", "first", "actor", "scores", "turn_points", "die"})
    n = s.num_seats
    most = s.target + NUM_FACES
    s.score[:n] = fields.numbers("scores", n, 0, most, [0] * n)
    s.over = int(max(s.score[seat] for seat in range(n)) >= s.target)
    s.round_no = fields.number("round", 1, MOST_ROUNDS, 1)
    s.first = fields.number("first", 0, n - 1, 0)
    s.actor = NOBODY if s.over else fields.number("actor", 0, n - 1, s.first)
    s.turn_points = fields.number("turn_points", 0, most, 0)
    s.die = fields.number("die", 0, NUM_FACES, min(s.turn_points, NUM_FACES))
