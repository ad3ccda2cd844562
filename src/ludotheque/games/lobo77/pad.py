"""The score pad of LOBO 77: who has just lost a token, and at which total. At 77 the round is over."""

from __future__ import annotations

from ludotheque.core.jit import plain
from ludotheque.core.pad_entry import Entry, Field, Form
from ludotheque.core.record import Record
from ludotheque.games.lobo77 import rules, state

close_round = plain(rules._close_round)
has_ended = plain(state.has_ended)
lose_token = plain(rules._lose_token)
next_in = plain(rules._next_in)

NOTES = (state.SWIMS, state.OUT, state.MATCH_END)

TOTALS = tuple(range(state.DOUBLET_STEP, state.LIMIT + 1, state.DOUBLET_STEP))
"""L7, L16: the totals that cost a token; the last stands for all above it too."""


def begin(s: Record, first: int) -> None:
    """A fresh record in which `first` deals."""
    s.dealer = first
    s.opener = next_in(s, first, 1)


def form(s: Record) -> Form:
    """One token lost by a player who is still in."""
    seats = tuple(seat for seat in range(s.num_seats) if s.out_at[seat] == 0)
    facts = {"round": s.round_no, "seat": s.dealer, "other": s.opener}
    fields = (Field("player", "seat", seats, "L18"), Field("total", "choice", TOTALS, "L7"))
    return Form("events.deal", facts, fields, s.dealer)


def write(s: Record, values: Entry) -> None:
    """L7, L16, L18, L21, as after a card that brings the total there."""
    s.total = values["total"]
    lose_token(s, values["player"])
    if s.total == state.LIMIT or has_ended(s):
        close_round(s, values["player"])
