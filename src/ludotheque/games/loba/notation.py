"""Loba as text: cards `5S 10H KD *`; moves `stock`, `take`, `lay 5S 5H *`, `add 9S m2`, `drop KD`; positions as JSON.

Cards of a laying may come in any order; in a run the joker stands where it is written. In French: `5P 10Co RCa`,
`pioche`, `prends`, `pose`, `ajoute`, `jette`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from ludotheque.core.errors import InvalidMove, InvalidPosition
from ludotheque.core.jit import plain
from ludotheque.core.moves import MoveTable, fold
from ludotheque.core.position import Fields
from ludotheque.core.record import NOBODY, Record
from ludotheque.core.sets import members
from ludotheque.games.loba import cards as compiled
from ludotheque.games.loba import melds
from ludotheque.games.loba.cards import (
    ACE_SLOT,
    BRELAN,
    JOKER,
    LAST_PLACE,
    MAX_MELDS,
    NO_CARD,
    NO_PLACE,
    NUM_CARDS,
    NUM_CODES,
    NUM_JOKERS,
    NUM_SLOTS,
    NUM_STARTS,
    QUARTE,
    RANKS,
    RUN,
    SET,
    SUITS,
)
from ludotheque.games.loba.melds import Meld
from ludotheque.games.loba.state import DRAW, MAX_TURNS, NUM_DEALT, NUM_ROUNDS, OVER

laid_meld = plain(melds.laid_meld)
meld_at = plain(melds.meld_at)
penalty = plain(compiled.penalty)
rank_at = plain(compiled.rank_at)
slot_card = plain(compiled.slot_card)

CARDS = (*(rank + suit for rank in RANKS for suit in SUITS), "*")
"""Notation of each card."""

PHASES = ("draw", "play", "contract", "discard", "over")

ENDS = ("low", "high")

Heap = tuple[int, int, int]
"""Cards in no order: once at least, twice, jokers."""


def format_meld(meld: Meld) -> list[str]:
    """The cards of a combination: a set by suits, the joker last; a run from low to high."""
    kind, low, length, joker, suits = meld
    if kind == SET:
        naturals = [
            CARDS[4 * low + suit] for suit in range(4) for _ in range((suits >> suit & 1) + (suits >> suit + 4 & 1))
        ]
        return naturals if joker == NO_PLACE else [*naturals, "*"]
    return [
        "*" if place == joker else CARDS[4 * rank_at(place) + (suits >> (2 * place) & 3)]
        for place in range(low, low + length)
    ]


def slot_text(slot: int) -> tuple[str, str]:
    """The card of a slot, and the end of the run if it names one."""
    end = "" if slot < ACE_SLOT else ENDS[(slot - ACE_SLOT) & 1]
    return CARDS[slot_card(slot)], end


def _texts() -> Iterator[str]:
    yield "stock"
    yield "take"
    yield from (f"drop {card}" for card in CARDS)
    for action in range(BRELAN, QUARTE + NUM_STARTS * NUM_CODES):
        yield "lay " + " ".join(format_meld(laid_meld(action)))
    for number in range(1, MAX_MELDS + 1):
        for slot in range(NUM_SLOTS):
            card, end = slot_text(slot)
            yield f"add {card} m{number} {end}".rstrip()


_CARD = re.compile(r"(10|[2-9]|[1ajqkvdr])(s|h|d|c|p|co|ca|t|♠|♥|♦|♣)")
_RANK_LETTERS = {"1": "A", "V": "J", "D": "Q", "R": "K"}
_SUIT_LETTERS = {"p": "S", "♠": "S", "co": "H", "♥": "H", "ca": "D", "♦": "D", "t": "C", "♣": "C"}
_VERBS = {
    **dict.fromkeys(("stock", "draw", "pioche", "piocher"), "stock"),
    **dict.fromkeys(("take", "prends", "prendre", "ramasse"), "take"),
    **dict.fromkeys(("lay", "meld", "pose", "poser"), "lay"),
    **dict.fromkeys(("add", "ajoute", "ajouter"), "add"),
    **dict.fromkeys(("drop", "discard", "jette", "jeter", "defausse"), "drop"),
}
_END_WORDS = {"low": "low", "bas": "low", "high": "high", "haut": "high"}


def find_card(text: str) -> int:
    """The card a text names, in English or French letters; NO_CARD if none."""
    word = fold(text).replace("\N{VARIATION SELECTOR-16}", "")
    if word in ("*", "joker"):
        return JOKER
    match = _CARD.fullmatch(word)
    if match is None:
        return NO_CARD
    rank, suit = match[1].upper(), match[2]
    return CARDS.index(_RANK_LETTERS.get(rank, rank) + _SUIT_LETTERS.get(suit, suit.upper()))


def find_rank(text: str) -> str | None:
    """The rank a text names without a suit, in English or French letters."""
    rank = fold(text).upper()
    rank = _RANK_LETTERS.get(rank, rank)
    return rank if rank in RANKS else None


def as_set(cards: Sequence[int]) -> Meld | None:
    """The set that cards are, in whatever order; None if they are none."""
    naturals = [card for card in cards if card != JOKER]
    jokers = len(cards) - len(naturals)
    if len(cards) < 3 or jokers > 1 or len({card >> 2 for card in naturals}) != 1:
        return None
    counts = Counter(card & 3 for card in naturals)
    if max(counts.values()) > 2:
        return None
    suits = sum((1 << suit) | (16 << suit if number == 2 else 0) for suit, number in counts.items())
    return SET, naturals[0] >> 2, len(cards), 0 if jokers else NO_PLACE, suits


def as_run(cards: Sequence[int]) -> Meld | None:
    """The run that cards are, written from low to high; None if they are none. Suits may be mixed."""
    if len(cards) < 4 or list(cards).count(JOKER) > 1:
        return None
    for low in range(LAST_PLACE - len(cards) + 2):
        if all(card == JOKER or card >> 2 == rank_at(low + step) for step, card in enumerate(cards)):
            joker = low + list(cards).index(JOKER) if JOKER in cards else NO_PLACE
            suits = sum((card & 3) << (2 * (low + step)) for step, card in enumerate(cards) if card != JOKER)
            return RUN, low, len(cards), joker, suits
    return None


def _orders(cards: Sequence[int]) -> Iterator[Sequence[int]]:
    """Orders in which cards may be meant as a run: as written, backwards, by rank with the joker where it fits."""
    yield cards
    yield cards[::-1]
    naturals = sorted(card for card in cards if card != JOKER)
    aces = [card for card in naturals if card < 4]
    for row in (naturals, naturals[len(aces) :] + aces):
        if JOKER in cards:
            places = range(len(row) + 1) if cards[0] == JOKER else range(len(row), -1, -1)
            yield from ([*row[:place], JOKER, *row[place:]] for place in places)
        else:
            yield row


def why_no_meld(cards: Sequence[int]) -> tuple[str, str, dict[str, Any]]:
    """Why cards are no combination: the rule, a key under `why`, and what fills it."""
    naturals = sorted(card for card in cards if card != JOKER)
    jokers = len(cards) - len(naturals)
    ranks = [card >> 2 for card in naturals]
    if jokers > 1:
        return "B9", "two_jokers", {}
    if len(cards) < 3 or len(set(ranks)) == 1:
        return "B6", "too_few", {}
    if len({card & 3 for card in naturals}) > 1:
        return "B6", "neither", {}
    if len(set(ranks)) < len(ranks):
        return "B7", "same_card", {}
    ace, two, king = 0, 1, len(RANKS) - 1
    if {ace, two, king} <= set(ranks):
        return "B8", "corner", {}
    places = [rank + len(RANKS) if rank == ace and max(ranks) > len(RANKS) // 2 else rank for rank in ranks]
    gaps = [place for place in range(min(places), max(places)) if place not in places]
    if len(gaps) > jokers:
        missing = [CARDS[4 * (place % len(RANKS)) + (naturals[0] & 3)] for place in gaps]
        return "B7", "gap_joker" if jokers else "gap", {"cards": missing}
    return "B7", "short_run", {}


class Moves(MoveTable):
    """The moves, and the other ways in which people write them."""

    def parse(self, text: str) -> int:
        """The action id of a text; `InvalidMove` says what a move looks like."""
        action = self._exact.get(text)
        if action is not None:
            return action
        verb, *words = fold(text).split() or [""]
        kind = _VERBS.get(verb)
        if kind in ("stock", "take") and not words:
            return self._exact[kind]
        if kind == "drop" and len(words) == 1 and find_card(words[0]) != NO_CARD:
            return self._exact[f"drop {CARDS[find_card(words[0])]}"]
        if kind == "add":
            return self._parse_add(text, words)
        if kind == "lay":
            return self._parse_lay(text, words)
        raise InvalidMove(f"{text!r} is not a move: stock, take, lay 5S 5H *, add 9S m2, drop KD")

    def _parse_add(self, text: str, words: list[str]) -> int:
        end = f" {_END_WORDS[words.pop()]}" if words and words[-1] in _END_WORDS else ""
        if len(words) == 2:
            card, number = find_card(words[0]), words[1].removeprefix("m")
            if card != NO_CARD and number.isascii() and number.isdecimal() and len(number) < 3:
                if 4 <= card < JOKER:
                    end = ""  # it fits at one end only
                action = self._exact.get(f"add {CARDS[card]} m{int(number)}{end}")
                if action is not None:
                    return action
        raise InvalidMove(f"{text!r} does not add a card: add 9S m2; an ace or a joker may need an end: add * m2 high")

    def _parse_lay(self, text: str, words: list[str]) -> int:
        cards = [find_card(word) for word in words]
        if NO_CARD in cards:
            raise InvalidMove(f"{words[cards.index(NO_CARD)]!r} is not a card: 5S, 10H, KD or *")
        meld = as_set(cards) or next(filter(None, map(as_run, _orders(cards))), None)
        action = None if meld is None else self._exact.get("lay " + " ".join(format_meld(meld)))
        if action is not None:
            return action
        if meld is not None:
            raise InvalidMove(f"{text!r} is too long: lay three of a rank or four in a row, then add the others")
        rule, key, params = why_no_meld(cards)
        plain_text = f"{text!r} is neither three of a rank nor four in a row, with one joker at most"
        raise InvalidMove(plain_text, rule, key, params)


MOVES = Moves(list(_texts()))


def parse_card(text: str) -> int:
    """The card a notation names; `InvalidPosition` if none."""
    card = find_card(text)
    if card == NO_CARD:
        raise InvalidPosition(f"{text!r} is not a card: 5S, 10H, KD or *")
    return card


def format_heap(heap: Heap) -> list[str]:
    """Cards in no order, ace to king, then jokers."""
    once, twice, jokers = heap
    naturals = [CARDS[card] for card in members(once)]
    if twice:
        naturals = [CARDS[card] for card in sorted(members(once) + members(twice))]
    return naturals + ["*"] * jokers


def parse_heap(texts: Sequence[str]) -> Heap:
    """Cards in no order; none more often than the box has it."""
    counts = Counter(map(parse_card, texts))
    for card, number in counts.items():
        if number > (NUM_JOKERS if card == JOKER else 2):
            raise InvalidPosition(f"there are not {number} of {CARDS[card]}")
    jokers = counts.pop(JOKER, 0)
    twice = sum(1 << card for card, number in counts.items() if number == 2)
    return sum(1 << card for card in counts), twice, jokers


def hand_of(s: Record, seat: int) -> Heap:
    """A seat's hand."""
    return s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat]


def known_of(s: Record, seat: int) -> Heap:
    """What everybody knows a seat to hold."""
    return s.known[seat], s.known_twice[seat], s.known_jokers[seat]


def last_hand_of(s: Record, seat: int) -> Heap:
    """What a seat held when the last round ended."""
    return s.last_hand[seat], s.last_twice[seat], s.last_jokers[seat]


def format_position(s: Record) -> dict[str, Any]:
    """The table as JSON."""
    n = s.num_seats
    return {
        "round": s.round_no,
        "phase": PHASES[s.phase],
        "dealer": s.dealer,
        "turn": s.turn_no,
        "hands": [format_heap(hand_of(s, seat)) for seat in range(n)],
        "down": [bool(s.is_down[seat]) for seat in range(n)],
        "needed": {"brelans": s.sets_left, "quartes": s.runs_left},
        "taken": None if s.taken == NO_CARD else CARDS[s.taken],
        "stock": [CARDS[s.stock[i]] for i in range(s.num_stock - 1, -1, -1)],
        "pile": [CARDS[s.pile[i]] for i in range(s.num_pile - 1, -1, -1)],
        "melds": [format_meld(meld_at(s, number)) for number in range(s.num_melds)],
        "known": [format_heap(known_of(s, seat)) for seat in range(n)],
        "recycled": _format_recycled(s),
        "points": [s.points[seat] for seat in range(n)],
        "last_hands": [format_heap(last_hand_of(s, seat)) for seat in range(n)],
    }


def _format_recycled(s: Record) -> dict[str, Any] | None:
    if not s.is_recycled:
        return None
    n = s.num_seats
    return {
        "cards": format_heap((s.recycled, s.recycled_twice, s.recycled_jokers)),
        "drawn": [format_heap((s.drawn[seat], s.drawn_twice[seat], s.drawn_jokers[seat])) for seat in range(n)],
        "fresh": [s.fresh[seat] for seat in range(n)],
    }


def parse_position(fields: Fields, s: Record) -> None:
    """Fill the record. Needed: `hands`, a list of cards a seat; null stands for cards nobody minds, as many as are due.

    The first card of `stock` is drawn next, the first of `pile` is its top. Cards that are named nowhere follow in the
    stock, or with `rest: pile` lie at the bottom of the pile; without a `pile` the first of them is turned. `melds` are
    lists of cards, runs from low to high; `down` says who has laid the contract. `turn` counts the turns of the round:
    it and the `dealer` (the last seat) say whose turn it is; without it, the first one possible of `actor` (0). `phase`
    is draw; contract needs `needed`. `taken` is known to be held if `known` is left out. `recycled` tells of a stock
    made of discards: its `cards`, what each seat has `drawn` of them, how many of its unknown cards can be `fresh`.
    """
    names = (
        "round phase dealer turn actor hands down needed taken stock pile rest melds known recycled points last_hands"
    )
    fields.only(set(names.split()))
    n = s.num_seats
    s.round_no = fields.number("round", 1, NUM_ROUNDS, 1)
    s.phase = fields.choice("phase", PHASES, PHASES[DRAW])
    s.over = int(s.phase == OVER)
    down = fields.get("down", list, [False] * n)
    if len(down) != n or not all(isinstance(flag, bool) for flag in down):
        raise InvalidPosition(f"down is true or false for each of {n} seats")
    s.is_down[:n] = down
    _parse_turn(fields, s)
    _parse_melds(fields, s)
    _parse_cards(fields, s)
    needed = Fields(fields.get("needed", dict, {}), "table.needed")
    needed.only({"brelans", "quartes"})
    s.sets_left = needed.number("brelans", 0, 3, 0)
    s.runs_left = needed.number("quartes", 0, 2, 0)
    _parse_known(fields, s)
    _parse_recycled(fields, s)
    s.points[:n] = fields.numbers("points", n, 0, 2000, [0] * n)
    for seat, hand in enumerate(fields.lists("last_hands", n, [[]] * n)):
        s.last_hand[seat], s.last_twice[seat], s.last_jokers[seat] = heap = parse_heap(hand)
        s.last_points[seat] = penalty(*heap)


def _parse_turn(fields: Fields, s: Record) -> None:
    n = s.num_seats
    s.dealer = fields.number("dealer", 0, n - 1, n - 1)
    first = (fields.number("actor", 0, n - 1, 0) - s.dealer - 1) % n + 1
    if any(s.is_down[seat] for seat in range(n)):
        first += n  # they have had a turn
    s.turn_no = fields.number("turn", 1, MAX_TURNS * n, first)
    s.actor = NOBODY if s.over else (s.dealer + s.turn_no) % n
    if "actor" in fields and fields.number("actor", 0, n - 1) != s.actor:
        raise InvalidPosition(f"in turn {s.turn_no} it is not seat {fields.data['actor']} who plays")


def _card_list(value: Any, where: str) -> list[int]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InvalidPosition(f"{where} is a list of cards, not {value!r:.80}")
    return [parse_card(text) for text in value]


def _parse_melds(fields: Fields, s: Record) -> None:
    rows = [_card_list(row, "table.melds") for row in fields.get("melds", list, [])]
    if len(rows) > MAX_MELDS:
        raise InvalidPosition(f"there are at most {MAX_MELDS} combinations")
    s.num_melds = len(rows)
    for number in range(MAX_MELDS):
        meld: Meld | None = (0, 0, 0, 0, 0)
        if number < len(rows):
            meld = as_set(rows[number]) or as_run(rows[number])
        if meld is None:
            text = " ".join(CARDS[card] for card in rows[number])
            raise InvalidPosition(f"{text} is no combination; runs are written from low to high")
        s.meld_kind[number], s.meld_low[number], s.meld_length[number], s.meld_joker[number], s.meld_suits[number] = (
            meld
        )


def _parse_cards(fields: Fields, s: Record) -> None:
    """Hands, stock and pile; the cards that are named nowhere go where some are missing."""
    rows = fields.get("hands", list)
    if len(rows) != s.num_seats:
        raise InvalidPosition(f"table.hands are {s.num_seats} lists of cards, or null for any")
    hands = [None if row is None else _card_list(row, "table.hands") for row in rows]
    stock = _card_list(fields.data.get("stock", []), "table.stock")
    pile = _card_list(fields.data.get("pile", []), "table.pile")
    table = [_card_list(row, "table.melds") for row in fields.data.get("melds", [])]
    left = Counter({card: 2 for card in range(JOKER)} | {JOKER: NUM_JOKERS})
    left.subtract(chain(stock, pile, *table, *(hand for hand in hands if hand is not None)))
    for card, number in left.items():
        if number < 0:
            raise InvalidPosition(f"{CARDS[card]} is there too often")
    rest = sorted(left.elements())
    sizes = _hand_sizes(s, hands)
    for seat, hand in enumerate(hands):
        if hand is None:
            hand, rest = rest[: sizes[seat]], rest[sizes[seat] :]
        s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat] = parse_heap([CARDS[card] for card in hand])
        s.size[seat] = len(hand)
    if "pile" not in fields:
        pile, rest = rest[:1], rest[1:]
    if fields.choice("rest", ("stock", "pile"), "stock") == 0:
        stock += rest
    else:
        pile += rest
    s.num_stock, s.num_pile = len(stock), len(pile)
    s.stock[:] = stock[::-1] + [NO_CARD] * (NUM_CARDS - len(stock))
    s.pile[:] = pile[::-1] + [NO_CARD] * (NUM_CARDS - len(pile))


def _hand_sizes(s: Record, hands: Sequence[Sequence[int] | None]) -> list[int]:
    """How many cards each hand has: cards leave hands only for the table, so those given say what is left."""
    sizes = [NUM_DEALT + int(seat == s.actor and s.phase != DRAW) for seat in range(s.num_seats)]
    left = sum(sizes) - sum(s.meld_length[number] for number in range(s.num_melds))
    open_seats = []
    for seat, hand in enumerate(hands):
        if hand is None and s.is_down[seat]:
            open_seats.append(seat)
        else:
            sizes[seat] = sizes[seat] if hand is None else len(hand)
            left -= sizes[seat]
    for number, seat in enumerate(open_seats):
        sizes[seat] = max(left + number, 0) // len(open_seats)
    return sizes


def _parse_known(fields: Fields, s: Record) -> None:
    n = s.num_seats
    taken = fields.data.get("taken")
    s.taken = NO_CARD if taken is None else parse_card(fields.get("taken", str))
    known: list[list[str]] = [[] for _ in range(n)]
    if taken is not None and s.actor != NOBODY:
        known[s.actor].append(taken)
    for seat, cards in enumerate(fields.lists("known", n, known)):
        s.known[seat], s.known_twice[seat], s.known_jokers[seat] = parse_heap(cards)


def _parse_recycled(fields: Fields, s: Record) -> None:
    n = s.num_seats
    s.is_recycled = int(fields.data.get("recycled") is not None)
    data = Fields(fields.get("recycled", dict) if s.is_recycled else {}, "table.recycled")
    data.only({"cards", "drawn", "fresh"})
    s.recycled, s.recycled_twice, s.recycled_jokers = parse_heap(data.texts("cards", []))
    for seat, cards in enumerate(data.lists("drawn", n, [[]] * n)):
        s.drawn[seat], s.drawn_twice[seat], s.drawn_jokers[seat] = parse_heap(cards)
    s.fresh[:n] = data.numbers("fresh", n, 0, NUM_DEALT + 1, [0] * n)
