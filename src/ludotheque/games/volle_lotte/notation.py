"""Volle Lotte! as text: moves `go`, `stop`, `keep 1 5 5`; positions as JSON, both ways; scripted rolls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ludotheque.core.errors import InvalidMove, InvalidPosition
from ludotheque.core.jit import plain
from ludotheque.core.moves import MoveTable, fold
from ludotheque.core.position import Fields
from ludotheque.core.record import NOBODY, Record
from ludotheque.games.volle_lotte.cards import (
    BOX,
    MOST_POINTS,
    NO_CARD,
    NUM_CARDS,
    NUM_KINDS,
    STOP_CARD,
)
from ludotheque.games.volle_lotte.cards import dice_count as compiled_dice_count
from ludotheque.games.volle_lotte.dice import (
    KEEPS,
    NUM_DICE,
    ROLL_IDS,
    ROLLS,
    Dice,
    draw_for,
    pack,
    points_of,
    unpack,
)
from ludotheque.games.volle_lotte.state import LOTTE, MOST_LOSSES, MOST_ROUNDS, OVER, ROLLED, TURN

dice_count = plain(compiled_dice_count)

CARDS = (
    "stop",
    "fireworks",
    "bonus 200",
    "bonus 300",
    "bonus 400",
    "bonus 500",
    "bonus 600",
    "double",
    "plusminus",
    "straight",
    "clover",
)
"""Notation of each kind of card."""

PHASES = ("turn", "rolled", "lotte", "over")

MOST_WRITTEN = 1_000_000_000
"""No score in a position goes beyond this, so that turns on top of it still fit the record."""

_STOP_WORDS = "s score arret arrete arreter j'arrete marque marquer fin"
_GO_WORDS = "g r l c roll card continue lance lancer relance relancer carte continuer"
_ALIASES = {word: "stop" for word in _STOP_WORDS.split()} | {word: "go" for word in _GO_WORDS.split()}

_KEEP = re.compile(r"(?:keep|k|garde|garder|g)?[ :]*((?:[1-6][ ,.;+]*)+)")


class Moves(MoveTable):
    """The fixed texts, and dice to keep in any order and with any spacing, with or without the verb."""

    def parse(self, text: str) -> int:
        """The action id of a text; `InvalidMove` says what a move looks like."""
        try:
            return super().parse(text)
        except InvalidMove:
            keep = _KEEP.fullmatch(fold(text))
        if keep is None:
            raise InvalidMove(f"{text!r} is not a move: go, stop, or keep and the dice, as in keep 1 5 5")
        dice = tuple(sorted(int(c) for c in keep[1] if c.isdecimal()))
        if dice not in KEEPS:
            raise InvalidMove(f"{text!r}: dice to keep are 1s, 5s and three of a kind, six in all")
        return super().parse(format_keep(dice))


def format_keep(dice: Dice) -> str:
    """The move that keeps these dice."""
    return " ".join(["keep", *map(str, dice)])


MOVES = Moves(["stop", "go", *(format_keep(dice) for dice in KEEPS)], _ALIASES)


def parse_dice(value: Any) -> Dice:
    """Dice as a list of faces or as text such as `1 5 5`; `InvalidPosition` if they are none."""
    faces = [int(c) if c.isdecimal() else 0 for c in value if c not in " ,"] if isinstance(value, str) else value
    if not isinstance(faces, list) or len(faces) > NUM_DICE:
        raise InvalidPosition(f"dice are at most six faces, not {value!r:.80}")
    if not all(type(face) is int and 1 <= face <= 6 for face in faces):
        raise InvalidPosition(f"dice show 1 to 6, not {value!r:.80}")
    return tuple(sorted(faces))


def script_rolls(*rolls: str | Sequence[int]) -> list[list[int]]:
    """What to write under `draws` in a position's `chance` for these to be the next rolls, in order."""
    return [list(draw_for(parse_dice(roll if isinstance(roll, str) else list(roll)))) for roll in rolls]


def parse_card(text: Any) -> int:
    """The kind of card a notation names; `InvalidPosition` if none."""
    if text not in CARDS:
        raise InvalidPosition(f"{text!r} is not a card: {', '.join(CARDS)}")
    return CARDS.index(text)


def format_position(s: Record) -> dict[str, Any]:
    """The table as JSON."""
    n = s.num_seats
    return {
        "phase": PHASES[s.phase],
        "round": s.round_no,
        "first": s.first,
        "actor": s.actor,
        "scores": [s.score[seat] for seat in range(n)],
        "card": None if s.card == NO_CARD else CARDS[s.card],
        "roll": list(ROLLS[s.roll]),
        "aside": list(unpack(s.aside)),
        "card_points": s.card_points,
        "turn_points": s.turn_points,
        "losses": s.losses,
        "lottes": s.lottes,
        "pile": [CARDS[s.deck[i]] for i in range(s.num_deck - 1, -1, -1)],
        "discard": {CARDS[kind]: s.discard[kind] for kind in range(NUM_KINDS) if s.discard[kind]},
        "closing": bool(s.closing),
        "clover_winner": None if s.clover_winner == NOBODY else s.clover_winner,
        "lap_points": [s.lap_points[seat] for seat in range(n)],
        "last_points": [s.last_points[seat] for seat in range(n)],
    }


def parse_position(fields: Fields, s: Record) -> None:
    """Fill the record. Nothing is needed: an empty object is the start of the first turn.

    `card` is the card in force, `roll` the dice that lie there, `aside` those set aside; `pile` the next
    cards, the first one on top; `discard` how many of each kind were turned, the card in force included
    (only that one, if it is left out). Cards named nowhere lie under the pile, stops at the bottom. `phase`
    is `rolled` if there is a roll, `lotte` if six dice are aside, else `turn`. `card_points` are those of
    the dice aside, as if they came from one roll; `turn_points` those of earlier cards; `losses` the ±1000
    made in this turn; `lottes` 1 after the first Volle Lotte under the clover; `closing` true once the
    target was reached; `lap_points` and `last_points` what each seat scored in this round and the one before.
    """
    names = "phase round first actor scores card roll aside card_points turn_points losses lottes pile discard"
    fields.only({*names.split(), "closing", "clover_winner", "lap_points", "last_points"})
    n = s.num_seats
    roll = parse_dice(fields.data.get("roll", []))
    aside = parse_dice(fields.data.get("aside", []))
    phase = PHASES[ROLLED if roll else LOTTE if len(aside) == NUM_DICE else TURN]
    s.phase = fields.choice("phase", PHASES, phase)
    s.over = int(s.phase == OVER)
    s.round_no = fields.number("round", 1, MOST_ROUNDS, 1)
    s.first = fields.number("first", 0, n - 1, 0)
    s.actor = fields.number("actor", NOBODY, n - 1, NOBODY if s.over else s.first)
    _parse_cards(fields, s)
    s.roll = ROLL_IDS[roll]
    s.aside = pack(aside)
    counted = points_of(aside) if s.phase == ROLLED and dice_count(s.card) else 0
    s.card_points = fields.number("card_points", 0, MOST_POINTS, counted)
    s.turn_points = fields.number("turn_points", 0, MOST_POINTS, 0)
    s.losses = fields.number("losses", 0, MOST_LOSSES, 0)
    s.lottes = fields.number("lottes", 0, 1, 0)
    s.closing = int(fields.flag("closing"))
    winner = fields.data.get("clover_winner")
    s.clover_winner = NOBODY if winner is None else fields.number("clover_winner", 0, n - 1)
    for name, cells in (("scores", s.score), ("lap_points", s.lap_points), ("last_points", s.last_points)):
        cells[:] = 0
        cells[:n] = fields.numbers(name, n, -MOST_WRITTEN, MOST_WRITTEN, [0] * n)


def _parse_cards(fields: Fields, s: Record) -> None:
    card = fields.data.get("card")
    s.card = NO_CARD if card is None else parse_card(card)
    discard = [0] * NUM_KINDS
    for name, number in fields.get("discard", dict, {} if card is None else {card: 1}).items():
        if type(number) is not int or number < 0:
            raise InvalidPosition(f"discard says how many cards of each kind, not {number!r:.80}")
        discard[parse_card(name)] = number
    pile = [parse_card(text) for text in fields.texts("pile", [])]
    left = [BOX[kind] - discard[kind] - pile.count(kind) for kind in range(NUM_KINDS)]
    for kind, number in enumerate(left):
        if number < 0:
            raise InvalidPosition(f"there are only {BOX[kind]} cards {CARDS[kind]!r}")
    for kind in (*range(STOP_CARD + 1, NUM_KINDS), STOP_CARD):
        pile += [kind] * left[kind]
    s.discard[:] = discard
    s.deck[:] = [*reversed(pile), *[0] * (NUM_CARDS - len(pile))]
    s.num_deck = len(pile)
