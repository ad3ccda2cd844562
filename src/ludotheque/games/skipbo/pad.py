"""The score pad of Skip-Bo De Luxe: after each round, how many cards are left in the stocks."""

from __future__ import annotations

from ludotheque.core.jit import plain, rebind
from ludotheque.core.pad_entry import Entry, Field, Form, Question, Refused
from ludotheque.core.record import Record
from ludotheque.games.skipbo import rules, state

partner = plain(rules.partner)

NOTES = (state.ROUND_END, state.MATCH_END)
DEFAULTS = {"match": "points"}
"""S13: who keeps score at a real table plays for points."""


def _next_round(s: Record) -> None:
    """In place of the deal: shuffling 162 cards that nobody will see takes milliseconds."""
    s.round_no += 1


close_round = rebind(plain(rules._close_round), {"_deal": _next_round})


def begin(s: Record, first: int) -> None:
    """A fresh record in which `first` deals."""
    s.dealer = first


def sides(s: Record) -> list[list[int]]:
    """S14: partners score as one."""
    if s.teams:
        return [[seat, partner(seat)] for seat in range(2)]
    return [[seat] for seat in range(s.num_seats)]


def score(s: Record) -> str:
    """S13: the message that says what is counted: points, or in a single match how far the stocks have shrunk."""
    return "pad.score" if s.match == state.POINTS else "pad.score_single"


def form(s: Record) -> Form:
    """S11 to S13: the stocks, and whether nobody could go on."""
    most = state.NUM_CARDS if s.manners else s.stock_size  # S15, S16: with manners a stock can grow
    fields = (
        Field("stocks", "int", range(most + 1), "S16" if s.manners else "S2", each=True),
        Field("blocked", "flag", rule="S11", default=False),
    )
    return Form("pad.head", {"round": s.round_no, "seat": s.dealer}, fields, s.dealer)


def write(s: Record, values: Entry) -> None:
    """S12: one player, or team (S14), has no stock left; S11: nobody, if the round was blocked."""
    stocks = values["stocks"]
    gone = [side for side in sides(s) if not any(stocks[seat] for seat in side)]
    if len(gone) > 1:
        raise Refused("S12", "pad.why.several_gone", field="stocks", seats=[seat for side in gone for seat in side])
    if gone and values["blocked"]:
        raise Refused("S11", "pad.why.not_blocked", field="blocked", seats=gone[0], n=len(gone[0]))
    if not gone and not values["blocked"]:
        raise Refused("S14" if s.teams else "S12", "pad.why.nobody_won", field="stocks")
    if sum(stocks) > state.NUM_CARDS:
        raise Refused("S1", "pad.why.too_many", field="stocks", n=state.NUM_CARDS, total=sum(stocks))
    for seat, left in enumerate(stocks):
        s.height[state.SEAT_PILES * seat] = left
    close_round(s, values["blocked"])


def questions(s: Record, values: Entry) -> list[Question]:
    """S2, S16: a stock can grow, but seldom beyond what was dealt."""
    more = [seat for seat, left in enumerate(values["stocks"]) if left > s.stock_size]
    return [
        Question("pad.ask.grown", {"seat": seat, "n": s.stock_size, "left": values["stocks"][seat]}, "stocks")
        for seat in more[:1]
    ]
