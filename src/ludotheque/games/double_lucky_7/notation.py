"""Double Lucky 7 as text: cards `R14`, `joker`; moves `bid 2`, `trump R`, `B7`; positions as JSON, both ways."""

from __future__ import annotations

from typing import Any

from ludotheque.core.errors import InvalidPosition
from ludotheque.core.jit import plain
from ludotheque.core.moves import MoveTable, fold
from ludotheque.core.position import Fields
from ludotheque.core.record import NOBODY, Record
from ludotheque.core.sets import members
from ludotheque.games.double_lucky_7.rules import (
    BIDDING,
    CHOOSE_TRUMP,
    COLOURS,
    EMPTY_TRICK,
    JOKER,
    MAX_CARDS,
    NO_CARD,
    NO_COLOUR,
    NUM_NUMBERS,
    OVER,
    PLAYING,
)
from ludotheque.games.double_lucky_7.rules import trick_card as compiled_trick_card

trick_card = plain(compiled_trick_card)

CARDS = tuple(f"{colour}{number}" for colour in COLOURS for number in range(1, NUM_NUMBERS + 1)) + ("joker",)
"""Notation of each card."""

PHASES = ("trump", "bids", "play", "over")

# Rouge Vert Bleu Jaune, for Red Green Blue Yellow.
_FRENCH_COLOURS = dict(zip("RVBJ", COLOURS, strict=True))


def _aliases() -> dict[str, str]:
    result = {"j": "joker", "*": "joker"}
    for french, colour in _FRENCH_COLOURS.items():
        result |= {f"{french}{n}": f"{colour}{n}" for n in range(1, NUM_NUMBERS + 1)}
        result |= {f"{verb} {letter}": f"trump {colour}" for verb in ("trump", "atout") for letter in (french, colour)}
    for bid in range(MAX_CARDS + 1):
        result |= {f"{verb} {bid}": f"bid {bid}" for verb in ("mise", "annonce", "b", "m")}
    return result


MOVES = MoveTable(
    [*CARDS, *(f"trump {colour}" for colour in COLOURS), *(f"bid {bid}" for bid in range(MAX_CARDS + 1))],
    _aliases(),
)

_CARD_IDS = {fold(text): MOVES.parse(text) for text in (*CARDS, *_aliases()) if MOVES.parse(text) <= JOKER}


def parse_card(text: str) -> int:
    """The card a notation names; `InvalidPosition` if none."""
    card = _CARD_IDS.get(fold(text))
    if card is None:
        raise InvalidPosition(f"{text!r} is not a card: R14, G1, B7, Y10 or joker")
    return card


def format_cards(cards: int) -> list[str]:
    """A set of cards, lowest first."""
    return [CARDS[card] for card in members(cards)]


def parse_cards(texts: list[str]) -> int:
    """A set of cards, none twice."""
    cards = 0
    for text in texts:
        card = parse_card(text)
        if cards >> card & 1:
            raise InvalidPosition(f"there is only one {CARDS[card]}")
        cards |= 1 << card
    return cards


def format_position(s: Record) -> dict[str, Any]:
    """The table as JSON."""
    n = s.num_seats
    return {
        "round": s.round_no,
        "phase": PHASES[s.phase],
        "dealer": s.dealer,
        "actor": s.actor,
        "turned": CARDS[s.turned],
        "trump": None if s.trump == NO_COLOUR else COLOURS[s.trump],
        "hands": [format_cards(s.hand[seat]) for seat in range(n)],
        "played": format_cards(s.played),
        "trick": {str(seat): CARDS[card] for seat in range(n) if (card := trick_card(s, seat)) != NO_CARD},
        "leader": s.leader,
        "bids": [s.bid[seat] if s.bid[seat] >= 0 else None for seat in range(n)],
        "tricks": [s.tricks[seat] for seat in range(n)],
        "void": ["".join(c for i, c in enumerate(COLOURS) if s.void[seat] >> i & 1) for seat in range(n)],
        "points": [s.points[seat] for seat in range(n)],
        "dealer_draw": [CARDS[s.dealer_draw[seat]] for seat in range(n)],
        "last": {
            "points": [s.last_points[seat] for seat in range(n)],
            "bids": [s.last_bid[seat] for seat in range(n)],
            "tricks": [s.last_tricks[seat] for seat in range(n)],
        },
    }


def parse_position(fields: Fields, s: Record) -> None:
    """Fill the record. Needed: `hands` and `turned`; then `round`, `dealer` (0), `bids` (none), `trump` if the joker
    is turned, and in the middle of play `played`, `trick` (seat to card), `leader`, `tricks`, `void`. Whose turn it is
    follows from these.
    """
    names = "round phase dealer actor turned trump hands played trick leader bids tricks void points dealer_draw last"
    fields.only(set(names.split()))
    n = s.num_seats
    s.round_no = fields.number("round", 1, s.rounds, 1)
    s.num_cards = s.round_no if s.round_no <= 7 else 15 - s.round_no
    s.dealer = fields.number("dealer", 0, n - 1, 0)
    s.turned = parse_card(fields.get("turned", str))
    for seat, hand in enumerate(fields.lists("hands", n)):
        s.hand[seat] = parse_cards(hand)
    s.played = parse_cards(fields.texts("played", []))
    s.points[:n] = fields.numbers("points", n, 0, 400, [0] * n)
    s.tricks[:n] = fields.numbers("tricks", n, 0, MAX_CARDS, [0] * n)
    s.num_tricks = sum(s.tricks)
    _parse_bids(fields.get("bids", list, [None] * n), s)
    _parse_void(fields.texts("void", [""] * n), s)
    draws = fields.texts("dealer_draw", [CARDS[0]] * n)
    if len(draws) != n:
        raise InvalidPosition("dealer_draw is a card for each seat")
    s.dealer_draw[:n] = [parse_card(text) for text in draws]
    last = Fields(fields.get("last", dict, {}), "table.last")
    last.only({"points", "bids", "tricks"})
    s.last_points[:n] = last.numbers("points", n, 0, 48, [0] * n)
    s.last_bid[:n] = last.numbers("bids", n, 0, MAX_CARDS, [0] * n)
    s.last_tricks[:n] = last.numbers("tricks", n, 0, MAX_CARDS, [0] * n)
    _parse_trump(fields, s)
    _parse_trick(fields, s)
    _find_turn(fields, s)


def _parse_bids(bids: list[Any], s: Record) -> None:
    n = s.num_seats
    if len(bids) != n:
        raise InvalidPosition("bids is a number or null for each seat")
    s.num_bids = sum(bid is not None for bid in bids)
    s.bid_sum = 0
    for step in range(n):
        bid = bids[(s.dealer + step) % n]
        if (bid is None) != (step >= s.num_bids) or not (bid is None or (type(bid) is int and 0 <= bid <= 7)):
            raise InvalidPosition("bids are numbers from 0 to 7, made in turn from the dealer clockwise")
        s.bid[(s.dealer + step) % n] = -1 if bid is None else bid
        s.bid_sum += bid or 0


def _parse_void(void: list[str], s: Record) -> None:
    if len(void) != s.num_seats or any(c not in COLOURS for text in void for c in text):
        raise InvalidPosition(f"void is a text of the letters {COLOURS} for each seat")
    for seat, text in enumerate(void):
        s.void[seat] = sum(1 << i for i, c in enumerate(COLOURS) if c in text)


def _parse_trump(fields: Fields, s: Record) -> None:
    trump = fields.data.get("trump")
    if trump is not None and (not isinstance(trump, str) or trump not in COLOURS or len(trump) != 1):
        raise InvalidPosition(f"trump is one of {', '.join(COLOURS)}, or null")
    own = NO_COLOUR if s.turned == JOKER else s.turned // NUM_NUMBERS
    s.trump = own if trump is None else COLOURS.index(trump)


def _parse_trick(fields: Fields, s: Record) -> None:
    n = s.num_seats
    s.trick = EMPTY_TRICK
    trick = fields.get("trick", dict, {})
    s.leader = fields.number("leader", 0, n - 1, s.dealer)
    s.num_played = len(trick)
    s.led_colour = NO_COLOUR
    s.best_seat = NOBODY
    s.best_strength = -1
    for step in range(s.num_played):
        seat = (s.leader + step) % n
        if not isinstance(trick.get(str(seat)), str):
            raise InvalidPosition("trick maps seats to cards, from the leader clockwise without a gap")
        card = parse_card(trick[str(seat)])
        s.trick ^= (NO_CARD ^ card) << (8 * seat)
        s.played |= 1 << card
        colour = NO_COLOUR if card == JOKER else card // NUM_NUMBERS
        if step == 0:
            s.led_colour = colour
        elif s.led_colour != NO_COLOUR and card != JOKER and colour != s.led_colour:
            s.void[seat] |= 1 << s.led_colour
        strength = -1
        if card == JOKER:
            strength = 100
        elif colour == s.trump:
            strength = 50 + card % NUM_NUMBERS
        elif colour == s.led_colour:
            strength = card % NUM_NUMBERS
        if strength > s.best_strength:
            s.best_strength, s.best_seat = strength, seat


def _find_turn(fields: Fields, s: Record) -> None:
    n = s.num_seats
    s.over = 0
    if s.num_bids == n and s.num_tricks == s.num_cards:
        if s.round_no != s.rounds:
            raise InvalidPosition("the round is finished: give the next one, or its last card still unplayed")
        s.over, s.phase, s.actor = 1, OVER, NOBODY
        return
    if s.trump == NO_COLOUR:
        s.phase, s.actor = CHOOSE_TRUMP, s.dealer
    elif s.num_bids < n:
        s.phase, s.actor = BIDDING, (s.dealer + s.num_bids) % n
    else:
        s.phase, s.actor = PLAYING, (s.leader + s.num_played) % n
    if s.num_played >= n:
        raise InvalidPosition("the trick is complete: give the tricks taken instead")
    if "phase" in fields and fields.choice("phase", PHASES) != s.phase:
        raise InvalidPosition(f"these facts belong to phase {PHASES[s.phase]!r}")
    if "actor" in fields and fields.number("actor", -1, n - 1) != s.actor:
        raise InvalidPosition(f"by these facts it is the turn of seat {s.actor}")
