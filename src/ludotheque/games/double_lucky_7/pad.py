"""The score pad of Double Lucky 7: all bids before a round, the tricks of each player after it."""

from __future__ import annotations

from ludotheque.core.jit import plain
from ludotheque.core.pad_entry import Entry, Field, Form, Refused
from ludotheque.core.record import Record
from ludotheque.games.double_lucky_7 import rules

apply = plain(rules.apply)
close_round = plain(rules._close_round)
forbidden_bid = plain(rules.forbidden_bid)
round_points = plain(rules.round_points)

NOTES = (rules.FORFEIT, rules.MATCH_END)


def begin(s: Record, first: int) -> None:
    """A fresh record in which `first` deals."""
    s.dealer = first
    _wait_for_bids(s)


def _wait_for_bids(s: Record) -> None:
    """The trump is the table's business: nobody chooses one here."""
    s.phase = rules.BIDDING
    s.actor = s.dealer


def form(s: Record) -> Form:
    """D6: bids from the dealer on; then tricks."""
    n = s.num_seats
    order = tuple((s.dealer + step) % n for step in range(n))
    facts = {"round": s.round_no, "rounds": s.rounds, "n": s.num_cards, "seat": s.dealer}
    name, rule = ("bids", "D6") if s.phase == rules.BIDDING else ("tricks", "D2")
    fields = (Field(name, "int", range(s.num_cards + 1), rule, each=True),)
    head = f"pad.head_{name}_double" if _counts_double(s.round_no) else f"pad.head_{name}"
    return Form(head, facts, fields, s.dealer, order)


def _counts_double(round_no: int) -> bool:
    """D13: whether a bid made brings more here than in the first round."""
    return round_points(0, 0, round_no) > round_points(0, 0, 1)


def write(s: Record, values: Entry) -> None:
    """The bids as the rules take them (D7); or the tricks, which close the round (D12 to D15)."""
    if s.phase == rules.BIDDING:
        for _ in range(s.num_seats):
            bid = values["bids"][s.actor]
            if bid == forbidden_bid(s):
                raise Refused("D7", "why.hook", field="bids", seat=s.actor, bid=bid, n=s.num_cards)
            apply(s, s.actor, rules.BID + bid)
        return
    total = sum(values["tricks"])
    if total != s.num_cards:
        raise Refused("D2", "pad.why.tricks", field="tricks", n=s.num_cards, total=total)
    for seat, tricks in enumerate(values["tricks"]):
        s.tricks[seat] = tricks
    close_round(s)
    if not s.over:
        _wait_for_bids(s)
