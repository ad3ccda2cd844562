"""The score pad of Pig: after each turn its points, 0 if it was lost."""

from __future__ import annotations

from ludotheque.core.jit import plain
from ludotheque.core.pad_entry import Entry, Field, Form, Refused
from ludotheque.core.record import Record

from pig_game import rules

hold = plain(rules._hold)
lose = plain(rules._lose)

NOTES = (rules.MATCH_END,)


def begin(s: Record, first: int) -> None:
    """A fresh record in which `first` begins."""
    s.first = s.actor = first


def form(s: Record) -> Form:
    """What the turn of one player brought; the roll that reaches the target ends it."""
    most = s.target - s.score[s.actor] + rules.NUM_FACES - 1
    fields = (Field("points", "int", range(most + 1), "P3"),)
    return Form("pad.head", {"round": s.round_no, "seat": s.actor}, fields, s.actor)


def write(s: Record, values: Entry) -> None:
    """P4, P5, P6: end the turn as the rules do."""
    if values["points"] == rules.LOSING_FACE:
        raise Refused("P4", "pad.why.losing_face")
    s.turn_points = values["points"]
    if s.turn_points:
        hold(s)
    else:
        lose(s)
