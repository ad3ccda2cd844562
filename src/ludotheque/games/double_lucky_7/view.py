"""What one seat, or a spectator, is shown of Double Lucky 7, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.bits import count
from ludotheque.core.info import Options
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.sets import members
from ludotheque.core.texts import Catalogue
from ludotheque.core.views import BySeat, Constant, Fields, Flag, Maybe, MembersOf, Number, Seat, View, Word
from ludotheque.games.double_lucky_7 import rules
from ludotheque.games.double_lucky_7.notation import CARDS, PHASES
from ludotheque.games.double_lucky_7.rules import (
    BIDDING,
    COLOURS,
    MAX_SEATS,
    NO_CARD,
    NO_COLOUR,
    NUM_CARDS,
    forbidden_bid,
    hand_size,
    round_points,
    trick_card,
)

points_of = plain(round_points)

_DOUBLE_ROUNDS = [round_no for round_no in range(1, 15) if points_of(0, 0, round_no) > points_of(0, 0, 1)]
"""D13: the rounds in which a bid made brings more."""

_COLOURS_OF = ["".join(COLOURS[i] for i in members(mask)) for mask in range(1 << len(COLOURS))]
"""A set of colours in letters."""

_NUMBERS = BySeat(Number(), MAX_SEATS)

VIEW = Fields(
    phase=Word(PHASES),
    round=Number(),
    rounds=Number("rounds of the match"),
    cards=Number("cards each in this round"),
    dealer=Seat(),
    deck=Number("cards that were not dealt, without the turned one"),
    turned=Word(CARDS),
    trump=Maybe(Word(COLOURS)),
    hand_sizes=_NUMBERS,
    bids=BySeat(Maybe(Number()), MAX_SEATS),
    forbidden_bid=Maybe(Number("what the next bid must not be")),
    tricks=_NUMBERS,
    leader=Seat("who led, or leads, the trick"),
    trick=BySeat(Maybe(Word(CARDS)), MAX_SEATS, "the card each seat has played to it"),
    winning=Maybe(Seat("whose card would take the trick as it lies (D11)")),
    played=MembersOf(CARDS, "cards played in this round"),
    void=BySeat(Word(_COLOURS_OF), MAX_SEATS, "colours each seat has shown it lacks"),
    points=_NUMBERS,
    double_round=Flag("whether a bid made brings more in this round"),
    double_rounds=Constant(_DOUBLE_ROUNDS, "the rounds in which it does"),
    hand=Maybe(MembersOf(CARDS)),
)
"""What the table shows. Lists of numbers are by seat."""


@jit
def view(s: State, seat: int, v: View) -> None:
    """Show a seat the table, from its concealed record."""
    v.phase = s.phase
    v.round = s.round_no
    v.rounds = s.rounds
    v.cards = s.num_cards
    v.dealer = s.dealer
    v.turned = s.turned
    if s.trump != NO_COLOUR:
        v.trump = s.trump
    v.leader = s.leader
    if s.best_seat != NOBODY:  # D10, D11
        v.winning = s.best_seat
    v.played = s.played
    v.double_round = round_points(0, 0, s.round_no) > round_points(0, 0, 1)
    if s.phase == BIDDING:
        forbidden = forbidden_bid(s)
        if 0 <= forbidden <= s.num_cards:
            v.forbidden_bid = forbidden
    if seat != NOBODY:
        v.hand = s.hand[seat]
    _show_seats(s, v)


@jit
def _show_seats(s: State, v: View) -> None:
    n = s.num_seats
    v.num_hand_sizes = v.num_bids = v.num_tricks = v.num_trick = v.num_void = v.num_points = n
    dealt = count(s.played)
    for other in range(n):
        v.hand_sizes[other] = hand_size(s, other)
        dealt += hand_size(s, other)
        if s.bid[other] >= 0:
            v.bids[other] = s.bid[other]
        v.tricks[other] = s.tricks[other]
        card = trick_card(s, other)
        if card != NO_CARD:
            v.trick[other] = card
        v.void[other] = s.void[other]
        v.points[other] = s.points[other]
    v.deck = NUM_CARDS - 1 - dealt


def event(s: Record, viewer: int, kind: int, seat: int, a: int, b: int, c: int) -> dict[str, Any]:
    """A journal entry as the viewer may know it. Nothing in this game's journal is hidden but the viewer's cards."""
    if kind == rules.FIRST_DEALER:
        drawn = [CARDS[s.dealer_draw[other]] for other in range(s.num_seats)]
        return {"type": "first_dealer", "seat": seat, "drawn": drawn}
    if kind == rules.DEAL:
        dealt = "" if viewer == NOBODY else [CARDS[card] for card in members(s.hand[viewer])]
        return {"type": "deal", "seat": seat, "round": a, "n": b, "card": CARDS[s.turned], "dealt": dealt}
    if kind == rules.TRUMP_CHOSEN:
        return {"type": "trump", "seat": seat, "colour": COLOURS[a]}
    if kind == rules.BID_MADE:
        return {"type": "bid", "seat": seat, "n": a, "sum": b}
    if kind == rules.PLAY:
        return {"type": "play", "seat": seat, "card": CARDS[a]}
    if kind == rules.TRICK:
        return {"type": "trick", "seat": seat, "tricks": a, "bid": b}
    if kind == rules.FORFEIT:
        return {"type": "forfeit", "seat": seat, "draw": a}
    seats = range(s.num_seats)
    if kind == rules.ROUND_END:
        return {
            "type": "round_end",
            "round": a,
            "points": [s.last_points[other] for other in seats],
            "bids": [s.last_bid[other] for other in seats],
            "tricks": [s.last_tricks[other] for other in seats],
            "scores": [s.points[other] for other in seats],
            "seats": [other for other in seats if s.last_points[other] != 0],  # who got points
        }
    best = max(s.points[other] for other in seats)
    return {"type": "match_end", "seats": [other for other in seats if s.points[other] == best], "n": max(s.points)}


def localise(event: Mapping[str, Any], words: Catalogue, options: Options) -> Mapping[str, Any]:
    """The event with what depends on the language or on the table's own texts: here the forfeit."""
    if event["type"] != "forfeit":
        return event
    forfeits: Any = options["forfeit_list"] or words.find("forfeits.list")
    return {**event, "forfeit": forfeits[event["draw"] % len(forfeits)]}


def label(action: int) -> tuple[str, dict[str, Any]]:
    """What a button for the action says: a key under `moves` and what fills it."""
    if action >= rules.BID:
        return "bid", {"n": action - rules.BID}
    if action >= rules.TRUMP:
        return "trump", {"colour": COLOURS[action - rules.TRUMP]}
    return "play", {"card": CARDS[action]}


def explain(s: Record, seat: int, action: int) -> tuple[str, str, dict[str, Any]]:
    """Why an action is not legal: the rule, a key under `why`, and what fills it."""
    if seat != s.actor:
        return "", "not_your_turn", {}
    if action >= rules.BID:
        if s.phase != rules.BIDDING:
            return "D6", "not_bidding", {}
        if action - rules.BID > s.num_cards:
            return "D6", "bid_too_high", {"n": s.num_cards}
        return "D7", "hook", {"bid": action - rules.BID, "n": s.num_cards}
    if action >= rules.TRUMP:
        return "D5", "not_choosing", {}
    if s.phase == rules.CHOOSE_TRUMP:
        return "D5", "trump_first", {}
    if s.phase == rules.BIDDING:
        return "D6", "bid_first", {}
    if not s.hand[seat] >> action & 1:
        return "", "not_in_hand", {"card": CARDS[action]}
    return "D9", "must_follow", {"colour": COLOURS[s.led_colour]}


def lines(view: dict[str, Any], words: Catalogue) -> list[str]:
    """The view as plain text for the prompt."""
    t = view["table"]
    say = words.say
    result = [say("screen.head", {**t, "n": t["cards"], "trump": t["trump"] or "?"})]
    if t["double_round"]:
        result.append(say("screen.double"))
    width = max(len(name) for name in view["players"])
    for seat, name in enumerate(view["players"]):
        bid = "–" if t["bids"][seat] is None else t["bids"][seat]
        card = words.word("face", t["trick"][seat] or "")
        marks = ("D" if seat == t["dealer"] else " ") + (">" if seat == view["actor"] else " ")
        facts = {"bid": bid, "tricks": t["tricks"][seat], "points": t["points"][seat]}
        result.append(f" {marks} {name:<{width}}  {say('screen.seat', facts)}  {card}".rstrip())
    if t["hand"] is not None:
        result.append(say("screen.hand", t))
    return result
