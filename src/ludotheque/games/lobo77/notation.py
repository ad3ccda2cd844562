"""LOBO 77 as text: moves `7 10 44 -10 0 2x rev draw`; positions as JSON, both ways."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ludotheque.core.errors import InvalidMove, InvalidPosition
from ludotheque.core.jit import plain
from ludotheque.core.moves import MoveTable, fold
from ludotheque.core.position import Fields
from ludotheque.core.record import NOBODY, Record
from ludotheque.games.lobo77 import cards, state
from ludotheque.games.lobo77.cards import CARDS, NO_CARD, NUM_TYPES, PACK_SIZE, TWICE
from ludotheque.games.lobo77.state import HAND_SIZE, OVER, PLAYING

box_copies = plain(cards.box_copies)
copies_in = plain(cards.copies_in)
has_ended = plain(state.has_ended)
one = plain(cards.one)

LOWEST_TOTAL = -1_000_000_000
HIGHEST_TOTAL = 200

_ALIASES = {
    "reverse": "rev",
    "r": "rev",
    "sens": "rev",
    "changement": "rev",
    "changement de sens": "rev",
    "inversion": "rev",
    "x2": "2x",
    "2×": "2x",
    "×2": "2x",
    "zero": "0",
    "minus 10": "-10",
    "moins 10": "-10",
    "pioche": "draw",
    "piocher": "draw",
    "d": "draw",
    "p": "draw",
}


def _aliases() -> dict[str, str]:
    cards = {**{card: card for card in CARDS}, **{text: to for text, to in _ALIASES.items() if to != "draw"}}
    verbs = ("play", "jouer", "joue")
    return {**_ALIASES, **{f"{verb} {text}": to for verb in verbs for text, to in cards.items()}}


class LoboMoves(MoveTable):
    """The moves, with an error that says what they look like."""

    def parse(self, text: str) -> int:
        """The action id of a text; `InvalidMove` if it is none."""
        try:
            return super().parse(text)
        except InvalidMove:
            example = "a card such as 7, 44, -10, 0, 2x or rev, or draw"
            raise InvalidMove(f"{text!r} is not a move: {example}") from None


MOVES = LoboMoves([*CARDS, "draw"], _aliases())

_CARD_IDS = {fold(text): MOVES.parse(text) for text in (*CARDS, *_ALIASES) if MOVES.parse(text) < NUM_TYPES}


def parse_card(text: str) -> int:
    """The card a notation names; `InvalidPosition` if none."""
    card = _CARD_IDS.get(fold(text))
    if card is None:
        raise InvalidPosition(f"{text!r} is not a card: {' '.join(CARDS)}")
    return card


def format_hand(hand: int) -> list[str]:
    """A hand's cards, in the order of the types."""
    return [CARDS[card] for card in range(NUM_TYPES) for _ in range(copies_in(hand, card))]


def parse_hand(texts: list[str]) -> int:
    """A hand of at most five cards."""
    if len(texts) > HAND_SIZE:
        raise InvalidPosition(f"a hand has at most {HAND_SIZE} cards, not {len(texts)}")
    return sum(one(parse_card(text)) for text in texts)


def format_position(s: Record) -> dict[str, Any]:
    """The table as JSON."""
    seats = range(s.num_seats)
    result: dict[str, Any] = {
        "round": s.round_no,
        "dealer": s.dealer,
        "opener": s.opener,
        "actor": s.actor,
        "direction": s.direction,
        "total": s.total,
        "owed": s.owed,
        "next_two": bool(s.next_two),
        "tokens": [s.tokens[seat] for seat in seats],
        "out": seats_out(s),
        "hands": [format_hand(s.hand[seat]) for seat in seats],
        "draw": [CARDS[s.pile[k]] for k in range(s.num_drawn, s.pile_size)],
        "played": [CARDS[s.played[k]] for k in range(s.num_played)],
        "pending": open_draws(s),
        "sure_2x": [s.sure_2x[seat] for seat in seats],
        "round_tokens": [s.round_tokens[seat] for seat in seats],
        "last_points": [s.last_points[seat] for seat in seats],
    }
    if s.reshuffled:
        result["reshuffle"] = {
            "drawn": [CARDS[s.pile[k]] for k in range(s.num_drawn)],
            "drawn_by": [s.drawn_by[k] for k in range(s.num_drawn)],
            "played_by": [s.played_by[k] for k in range(s.num_played)],
            "played_at": [s.played_at[k] for k in range(s.num_played)],
            "sure_at": [s.sure_at[seat] for seat in seats],
        }
    return result


def seats_out(s: Record) -> list[int]:
    """The seats that went out, the first to go first."""
    return sorted((seat for seat in range(s.num_seats) if s.out_at[seat]), key=lambda seat: s.out_at[seat])


def open_draws(s: Record) -> list[int]:
    """The draws each seat may still make (L20)."""
    return [s.pending if seat == s.pending_seat else 0 for seat in range(s.num_seats)]


def parse_position(fields: Fields, s: Record) -> None:
    """Fill the record. Needed: `hands`. The defaults are those of a round's beginning: `total` 0,
    `owed` 1, all `tokens`, nobody `out`, clockwise (`direction` 1). The `opener` sits left of the
    `dealer` (seat 0 if neither is named) and is at turn (`actor`).

    `draw` is the draw pile, the next card first; `played` are the played cards, the last one on top.
    Whichever is left out is all cards not named, in the order of the types; if both are, nothing is
    played. `next` puts cards onto a draw pile that is left out. With manual draws (L20) `pending` says
    how many each seat may still make, and `sure_2x` how many 2x cards it has been seen to hold.

    `reshuffle` is what everybody remembers of the last reshuffle (L19): the cards `drawn` since, by
    whom (`drawn_by`), whose each played card was (`played_by`), and how many were drawn before it was
    played (`played_at`). With `keep_top` the card that was left lying is nobody's, -1. Without
    `reshuffle` nobody remembers one.
    """
    names = "round dealer opener actor direction total owed next_two tokens out hands draw next played"
    names += " pending sure_2x round_tokens last_points reshuffle"
    fields.only(set(names.split()))
    n = s.num_seats
    start = s.start_tokens
    s.round_no = fields.number("round", 1, 2**15 - 1, 1)
    s.opener = fields.number("opener", 0, n - 1, (fields.number("dealer", 0, n - 1, n - 1) + 1) % n)
    s.dealer = fields.number("dealer", 0, n - 1, (s.opener - 1) % n)
    s.direction = fields.number("direction", -1, 1, 1)
    s.total = fields.number("total", LOWEST_TOTAL, HIGHEST_TOTAL, 0)
    _parse_out(fields.get("out", list, []), s)
    full = [0 if s.out_at[seat] else start for seat in range(n)]
    s.tokens[:n] = fields.numbers("tokens", n, 0, start, full)
    s.round_tokens[:n] = fields.numbers("round_tokens", n, 0, start, [s.tokens[seat] for seat in range(n)])
    s.last_points[:n] = fields.numbers("last_points", n, -start, 0, [0] * n)
    s.sure_2x[:n] = fields.numbers("sure_2x", n, 0, cards.COPIES[TWICE], [0] * n)
    for seat, texts in enumerate(fields.lists("hands", n)):
        s.hand[seat] = parse_hand(texts)
        s.hand_size[seat] = len(texts)
    _parse_piles(fields, s)
    _parse_turn(fields, s)


def _parse_out(out: list[Any], s: Record) -> None:
    n = s.num_seats
    if any(type(seat) is not int or not 0 <= seat < n for seat in out) or len(set(out)) != len(out):
        raise InvalidPosition(f"out is a list of different seats from 0 to {n - 1}, the first to go out first")
    s.num_out = len(out)
    s.out_at[:] = 0
    for number, seat in enumerate(out, 1):
        s.out_at[seat] = number
    if len(out) >= n:
        raise InvalidPosition("somebody is still in")


def _parse_piles(fields: Fields, s: Record) -> None:
    memory = Fields(fields.get("reshuffle", dict, {}), "table.reshuffle")
    memory.only({"drawn", "drawn_by", "played_by", "played_at", "sure_at"})
    drawn = [parse_card(text) for text in memory.texts("drawn", [])]
    on_top = [parse_card(text) for text in fields.texts("next", [])]
    if on_top and "draw" in fields:
        raise InvalidPosition("next goes onto a draw pile that is left out")
    draw = on_top + [parse_card(text) for text in fields.texts("draw", [])]
    played = [parse_card(text) for text in fields.texts("played", [])]
    rest = Counter({card: box_copies(s, card) for card in range(NUM_TYPES)})
    rest.subtract(draw)
    rest.subtract(played)
    for seat in range(s.num_seats):
        rest.subtract({card: copies_in(s.hand[seat], card) for card in range(NUM_TYPES)})
    over = [CARDS[card] for card, left in rest.items() if left < 0]
    if over:
        raise InvalidPosition(f"there are not so many of these cards: {' '.join(over)}")
    unnamed = sorted(rest.elements())
    if "draw" not in fields:
        draw += unnamed
    elif "played" not in fields:
        played = unnamed
    s.reshuffled = int("reshuffle" in fields)
    size = PACK_SIZE + s.card_76
    if not s.reshuffled:
        drawn = [NO_CARD] * (size - len(draw))
    pile = drawn + draw
    if len(pile) > size:
        raise InvalidPosition("the reshuffled pile has more cards than there are")
    _write(s.pile, pile, NO_CARD)
    _write(s.played, played, NO_CARD)
    s.pile_size, s.num_drawn, s.num_played = len(pile), len(drawn), len(played)
    _parse_memory(memory, pile, s)


def _write(cells: Any, values: list[int], fill: int) -> None:
    cells[:] = values + [fill] * (len(cells) - len(values))


def _parse_memory(memory: Fields, pile: list[int], s: Record) -> None:
    n = s.num_seats
    num_drawn, num_played = (s.num_drawn, s.num_played) if s.reshuffled else (0, 0)
    nobody = NOBODY if s.keep_top else 0
    _write(s.drawn_by, memory.numbers("drawn_by", num_drawn, 0, n - 1, None if num_drawn else []), 0)
    _write(s.played_by, memory.numbers("played_by", num_played, nobody, n - 1, None if num_played else []), 0)
    latest = [num_drawn] * num_played
    _write(s.played_at, memory.numbers("played_at", num_played, 0, num_drawn, latest), 0)
    _write(s.sure_at, memory.numbers("sure_at", n, 0, num_drawn, [0] * n), 0)
    for card in range(NUM_TYPES):
        s.shuffled[card] = pile.count(card) if s.reshuffled else 0


def _parse_turn(fields: Fields, s: Record) -> None:
    n = s.num_seats
    s.next_two = fields.flag("next_two")
    draws = fields.numbers("pending", n, 0, 2, [0] * n)
    drawers = [seat for seat in range(n) if draws[seat]]
    if len(drawers) > 1:
        raise InvalidPosition("only the seat that played last may still draw")
    s.pending_seat = drawers[0] if drawers else NOBODY
    s.pending = sum(draws)
    if has_ended(s):
        s.over, s.phase = 1, OVER
        s.actor = fields.number("actor", NOBODY, n - 1, NOBODY)
        s.owed = fields.number("owed", 0, 2, 0)
    else:
        s.over, s.phase = 0, PLAYING
        s.actor = fields.number("actor", 0, n - 1, s.opener)
        s.owed = fields.number("owed", 1, 2, 1)
