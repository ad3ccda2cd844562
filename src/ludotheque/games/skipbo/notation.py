"""Skip-Bo as text: cards `7`, `*`; moves `S>1`, `7>2`, `d3>1`, `pS>1`, `7>d2`, `end`; positions as JSON, both ways."""

from __future__ import annotations

import re
from typing import Any

from ludotheque.core.errors import InvalidMove, InvalidPosition
from ludotheque.core.jit import plain
from ludotheque.core.moves import MoveTable, fold
from ludotheque.core.position import Fields
from ludotheque.core.record import NOBODY, Record
from ludotheque.games.skipbo import piles
from ludotheque.games.skipbo.state import (
    CARDS_PER_WORD,
    DRAW_PILE,
    DRAWING,
    HAND,
    MAX_SEATS,
    NO_ACTION,
    NUM_CARDS,
    NUM_PLACES,
    NUM_TYPES,
    NUMBER_COPIES,
    OVER,
    PLAYING,
    PUBLIC,
    SEAT_PILES,
    TOP_NUMBER,
    WILD,
    WILD_COPIES,
)

first_word = plain(piles.first_word)
pop = plain(piles.pop)
push = plain(piles.push)
words_below = plain(piles.words_below)

CARDS = ("", *(str(number) for number in range(1, TOP_NUMBER + 1)), "*")
"""Notation of each card."""

SOURCES = (*CARDS[1:], "S", "d1", "d2", "d3", "d4", "pS", "pd1", "pd2", "pd3", "pd4")
"""Where a card for a building pile comes from: a card of the hand, a stock, a discard pile; p is the partner's."""

PHASES = ("playing", "drawing", "over")

REST = "..."
"""In a pile of a position: here, all cards that are mentioned nowhere else."""

_WORDS = {
    "end": "e pass fin finir passe passer",
    "draw": "pioche piocher tirer",
    "say": "speak talk parle parler dire",
    "call": "stop objection appel appeler signale signaler hors-tour",
}
_ALIASES = {word: text for text, words in _WORDS.items() for word in words.split()}

_WILD_WORDS = r"\*|skip ?-?bo|sb|wild|joker|w|j"
_SOURCE = (
    rf"(?P<card>\d+|{_WILD_WORDS})|(?P<partner>p(?:artner|artenaire)?(?:'s)? ?)?"
    r"(?P<pile>s(?:tock)?|(?:d(?:iscard|efausse)?) ?(?P<number>[1-4]))"
)
_TARGET = r"(?:pile ?)?(?P<place>[1-4])|(?:d(?:iscard|efausse)?) ?(?P<discard>[1-4])"
_MOVE = re.compile(rf"(?:{_SOURCE}) ?(?:>|->|=>|→|-|:| to | on | onto | sur | vers | ) ?(?:{_TARGET})")


class Moves(MoveTable):
    """The fixed texts, and looser ways to write them: arrows, spaces, names of the piles, words for the Skip-Bo."""

    def parse(self, text: str) -> int:
        """The action id of a text; `InvalidMove` says what a move looks like."""
        try:
            return super().parse(text)
        except InvalidMove:
            found = _MOVE.fullmatch(fold(text))
        if found is not None:
            if found["card"] is not None:
                source = str(int(found["card"])) if found["card"].isdecimal() else "*"
            else:
                pile = "S" if found["number"] is None else f"d{found['number']}"
                source = f"p{pile}" if found["partner"] else pile
            target = found["place"] or f"d{found['discard']}"
            if f"{source}>{target}" in self._exact:
                return self._exact[f"{source}>{target}"]
        raise InvalidMove(
            f"{text!r} is not a move: card or pile > pile, as in 7>2, *>3, S>1, d3>1, pS>1, pd2>1, or 7>d2 to "
            "discard; or end, draw, say, call"
        )


MOVES = Moves(
    [
        *(f"{source}>{place}" for source in SOURCES for place in range(1, NUM_PLACES + 1)),
        *(f"{card}>d{pile}" for card in CARDS[1:] for pile in range(1, NUM_PLACES + 1)),
        *_WORDS,
    ],
    _ALIASES,
)

_CARD_IDS = {fold(text): card for card, text in enumerate(CARDS) if text}
_CARD_IDS |= {word: WILD for word in ("skip-bo", "skipbo", "sb", "joker", "j", "w")}


def parse_card(text: str) -> int:
    """The card a notation names; `InvalidPosition` if none."""
    card = _CARD_IDS.get(fold(text))
    if card is None:
        raise InvalidPosition(f"{text!r} is not a card: 1 to 12, or * for a Skip-Bo")
    return card


def format_counts(packed: int) -> list[str]:
    """The cards of a hand, lowest first."""
    return [CARDS[card] for card in range(1, NUM_TYPES) for _ in range(packed >> 4 * card & 15)] if packed else []


def format_pile(s: Record, pile: int) -> list[str]:
    """The cards of a pile, the top card first; hidden ones are empty."""
    height = s.height[pile]
    if height == 0:
        return []
    full = words_below(s, pile)
    first = first_word(s, pile) if full else 0
    words = [(s.top_word[pile], height - full * CARDS_PER_WORD)]
    words += [(s.words[first + index], CARDS_PER_WORD) for index in range(full - 1, -1, -1)]
    return [CARDS[word >> 4 * index & 15] for word, count in words for index in range(count)]


def format_built(s: Record, place: int) -> list[str]:
    """The cards of a building pile from the 1 up."""
    return [CARDS[WILD if s.wild[place] >> n & 1 else n] for n in range(1, s.built[place] + 1)]


def format_position(s: Record) -> dict[str, Any]:
    """The table as JSON."""
    n = s.num_seats
    position: dict[str, Any] = {
        "round": s.round_no,
        "phase": PHASES[s.phase],
        "dealer": s.dealer,
        "actor": s.actor,
        "played": bool(s.played),
        "hands": [format_counts(s.hand[seat]) for seat in range(n)],
        "stocks": [format_pile(s, SEAT_PILES * seat) for seat in range(n)],
        "discards": [[format_pile(s, SEAT_PILES * seat + 1 + k) for k in range(NUM_PLACES)] for seat in range(n)],
        "built": [format_built(s, p) if s.wild[p] else s.built[p] for p in range(NUM_PLACES)],
        "draw": format_pile(s, DRAW_PILE),
        "aside": [CARDS[card] for card in range(1, NUM_TYPES) for _ in range(s.aside[card])],
        "idle_turns": s.idle_turns,
        "points": [s.points[seat] for seat in range(n)],
        "last": {
            "points": [s.last_points[seat] for seat in range(n)],
            "stocks": [s.last_stock[seat] for seat in range(n)],
        },
    }
    if s.manners:
        open_play = None
        if s.open_seat != NOBODY:
            open_play = {"seat": s.open_seat, "move": MOVES.texts[s.open_action]}
        position["manners"] = {
            "open": open_play,
            "no_fill": [bool(s.no_fill[seat]) for seat in range(n)],
            "barred": bool(s.barred),
            "spoken": bool(s.spoken),
            "shown": [format_counts(s.shown[seat]) for seat in range(n)],
            "next_seen": [bool(s.next_seen[seat]) for seat in range(n)],
        }
    if s.remade:
        rows = [*range(n), PUBLIC]
        position["remade"] = {
            "draw": [[s.most_drawn[row, card] for card in range(1, NUM_TYPES)] for row in rows],
            "stocks": [[s.most_stock[row, card] for card in range(1, NUM_TYPES)] for row in rows],
        }
    return position


def parse_position(fields: Fields, s: Record) -> None:
    """Fill the record. Needed: `stocks`. Piles are lists of cards, the top card or the next to be drawn first.

    One of them may end in "...", which stands for all cards mentioned nowhere, in the order 1 to 12, Skip-Bo, and
    again. Without any "..." and without `draw`, these cards are the draw pile. A building pile is its height, or the
    list of its cards from the 1 up; `aside` is a list too, or a number of piles without a Skip-Bo. Without `hands` the
    player at turn has just filled an empty hand (with manners: is about to) and the others hold nothing. `played` says
    whether a card was played in this turn; by default if the player at turn has fewer than five cards (with manners:
    no, so that a draw is due). `remade` holds, for each seat and for the
    table, how many of each card the draw pile and the stocks can hold at most, after the draw pile was remade.
    """
    names = (
        "round phase dealer actor played hands stocks discards built draw aside idle_turns points last manners remade"
    )
    fields.only(set(names.split()))
    n = s.num_seats
    s.round_no = fields.number("round", 1, 32767, 1)
    s.dealer = fields.number("dealer", 0, n - 1, n - 1)
    hands = fields.lists("hands", n, [[] for _ in range(n)])
    s.hand[:] = [pack_cards(hand) for hand in hands] + [0] * (MAX_SEATS - n)
    s.hand_size[:] = [len(hand) for hand in hands] + [0] * (MAX_SEATS - n)
    _parse_built(fields.get("built", list, [0] * NUM_PLACES), s)
    _parse_piles(fields, s, hands)
    s.points[:] = _padded(fields.numbers("points", n, 0, 2000, [0] * n))
    last = Fields(fields.get("last", dict, {}), "table.last")
    last.only({"points", "stocks"})
    s.last_points[:] = _padded(last.numbers("points", n, -2 * NUM_CARDS, 1000, [0] * n))
    s.last_stock[:] = _padded(last.numbers("stocks", n, 0, NUM_CARDS, [0] * n))
    _parse_manners(fields, s)
    _find_turn(fields, s)
    _parse_seen(fields, s)


def _padded(values: list[int]) -> list[int]:
    return values + [0] * (MAX_SEATS - len(values))


def pack_cards(texts: list[str]) -> int:
    """Cards of a hand as the record holds them."""
    if len(texts) > HAND:
        raise InvalidPosition(f"a hand has at most {HAND} cards, not {texts!r:.80}")
    return sum(1 << (4 * parse_card(text)) for text in texts)


def _parse_built(built: list[Any], s: Record) -> None:
    if len(built) != NUM_PLACES:
        raise InvalidPosition(f"built is {NUM_PLACES} heights or lists of cards")
    for place, pile in enumerate(built):
        if type(pile) is int and 0 <= pile <= TOP_NUMBER:
            pile = [str(number) for number in range(1, pile + 1)]
        if not isinstance(pile, list) or len(pile) > TOP_NUMBER or not all(isinstance(t, str) for t in pile):
            raise InvalidPosition(f"a building pile is a height or a list of cards, not {pile!r:.80}")
        cards = [parse_card(text) for text in pile]
        if any(card not in (height, WILD) for height, card in enumerate(cards, 1)):
            raise InvalidPosition(f"a building pile goes up from 1, * standing for any number, not {pile!r}")
        s.built[place] = len(cards)
        s.wild[place] = sum(1 << height for height, card in enumerate(cards, 1) if card == WILD)


def _parse_piles(fields: Fields, s: Record, hands: list[list[str]]) -> None:
    """Stocks, discard piles, draw pile and what is put aside; the cards not mentioned go where "..." stands."""
    n = s.num_seats
    empty: list[list[str]] = [[] for _ in range(NUM_PLACES)]
    discards = fields.get("discards", list, [empty] * n)
    if len(discards) != n:
        raise InvalidPosition(f"discards is {NUM_PLACES} lists for each of {n} seats")
    texts: list[list[str]] = []
    for seat, stock in enumerate(fields.lists("stocks", n)):
        of_seat = Fields({"discards": discards[seat]}, f"table.discards[{seat}]")
        texts += [stock, *of_seat.lists("discards", NUM_PLACES)]
    aside = fields.data.get("aside", [])
    if type(aside) is int and 0 <= aside <= TOP_NUMBER:
        aside = [str(number) for number in range(1, TOP_NUMBER + 1)] * aside
    texts.append(Fields({"aside": aside}, "table").texts("aside"))
    rested = any(text == REST for pile in texts for text in pile)
    texts.append(fields.texts("draw", [] if rested else [REST]))
    marks = sum(pile.count(REST) for pile in texts)
    if marks > 1 or any(REST in pile[:-1] for pile in texts):
        raise InvalidPosition(f'"{REST}" stands once, at the end of a pile')
    cards = [[parse_card(text) for text in pile if text != REST] for pile in texts]
    built = [WILD if s.wild[place] >> h & 1 else h for place in range(NUM_PLACES) for h in range(1, s.built[place] + 1)]
    mentioned = [card for pile in cards for card in pile] + built + [parse_card(t) for hand in hands for t in hand]
    rest = _rest(mentioned)
    if marks:
        next(pile for pile, text in zip(cards, texts, strict=True) if REST in text).extend(rest)
    elif rest:
        raise InvalidPosition(f"cards are missing: {', '.join(CARDS[card] for card in rest):.80}")
    s.height[:] = 0
    s.top_word[:] = 0
    s.words[:] = 0
    s.num_words = 0
    draw = cards.pop()
    put_aside = cards.pop()
    for pile, content in [*enumerate(cards), (DRAW_PILE, draw)]:
        for card in reversed(content):
            push(s, pile, card)
    s.aside[:] = [put_aside.count(card) for card in range(NUM_TYPES)]
    s.num_aside = len(put_aside)


def _rest(mentioned: list[int]) -> list[int]:
    """The cards of the box that are not mentioned: 1 to 12, Skip-Bo, and again."""
    left = {card: WILD_COPIES if card == WILD else NUMBER_COPIES for card in range(1, NUM_TYPES)}
    for card in mentioned:
        left[card] -= 1
        if left[card] < 0:
            raise InvalidPosition(f"too many cards: there are not so many {CARDS[card]}")
    return [card for turn in range(WILD_COPIES) for card in left if left[card] > turn]


def _flags(fields: Fields, name: str, n: int) -> list[int]:
    values = fields.get(name, list, [False] * n)
    if len(values) != n or not all(isinstance(value, bool) for value in values):
        raise InvalidPosition(f"{fields.where}.{name} is true or false for each seat")
    return _padded([int(value) for value in values])


def _parse_manners(fields: Fields, s: Record) -> None:
    n = s.num_seats
    manners = Fields(fields.get("manners", dict, {}), "table.manners")
    manners.only({"open", "no_fill", "barred", "spoken", "shown", "next_seen"})
    s.open_seat, s.open_action = NOBODY, NO_ACTION
    if manners.data.get("open") is not None:
        open_play = Fields(manners.data["open"], "table.manners.open")
        open_play.only({"seat", "move"})
        s.open_seat = open_play.number("seat", 0, n - 1)
        try:
            s.open_action = MOVES.parse(open_play.get("move", str))
        except InvalidMove as error:
            raise InvalidPosition(str(error)) from None
    s.no_fill[:] = _flags(manners, "no_fill", n)
    s.next_seen[:] = _flags(manners, "next_seen", n)
    s.barred = int(manners.flag("barred"))
    s.spoken = int(manners.flag("spoken"))
    s.shown[:] = [pack_cards(cards) for cards in manners.lists("shown", n, [[] for _ in range(n)])] + [0] * (
        MAX_SEATS - n
    )


def _find_turn(fields: Fields, s: Record) -> None:
    n = s.num_seats
    s.idle_turns = fields.number("idle_turns", 0, n, 0)
    s.over = int(fields.choice("phase", PHASES, "playing") == OVER)
    if s.over:
        s.phase, s.actor = OVER, NOBODY
        s.played = int(fields.flag("played"))
        if fields.number("actor", -1, n - 1, NOBODY) != NOBODY:
            raise InvalidPosition("the match is over: actor is -1")
        return
    s.actor = fields.number("actor", 0, n - 1, (s.dealer + 1) % n)
    if "hands" not in fields and not s.manners:
        for _ in range(min(HAND, s.height[DRAW_PILE])):
            s.hand[s.actor] += 1 << (4 * pop(s, DRAW_PILE))
            s.hand_size[s.actor] += 1
    can_draw = s.height[DRAW_PILE] > 0 or s.num_aside > 0
    short = s.hand_size[s.actor] < HAND and can_draw
    s.played = int(fields.flag("played", short and not s.manners))
    s.phase = DRAWING if s.manners and short and not s.played and not s.barred else PLAYING
    if "phase" in fields and fields.choice("phase", PHASES) != s.phase:
        raise InvalidPosition(f"these facts belong to phase {PHASES[s.phase]!r}")


def _parse_seen(fields: Fields, s: Record) -> None:
    """`unseen` follows from the cards; the limits since a remake are given, or there has been none."""
    n = s.num_seats
    s.unseen[:] = 0
    for seat in range(n):
        for card in range(1, NUM_TYPES):
            s.unseen[card] += ((s.hand[seat] >> 4 * card) & 15) - ((s.shown[seat] >> 4 * card) & 15)
        hidden = format_pile(s, SEAT_PILES * seat)[1 + s.next_seen[seat] :]
        for text in hidden:
            s.unseen[parse_card(text)] += 1
    for text in format_pile(s, DRAW_PILE):
        s.unseen[parse_card(text)] += 1
    s.remade = int("remade" in fields)
    remade = Fields(fields.get("remade", dict, {}), "table.remade")
    remade.only({"draw", "stocks"})
    copies = [NUMBER_COPIES] * TOP_NUMBER + [WILD_COPIES]
    for name, field in (("draw", s.most_drawn), ("stocks", s.most_stock)):
        rows = remade.get(name, list, [copies] * (n + 1))
        if len(rows) != n + 1:
            raise InvalidPosition(f"table.remade.{name} is a row for each seat and one for the table")
        field[:] = 0
        for row, values in zip([*range(n), PUBLIC], rows, strict=True):
            field[row, 1:] = Fields({name: values}, "table.remade").numbers(name, WILD, 0, WILD_COPIES)
