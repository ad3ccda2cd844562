"""The record of a match of LOBO 77: action ids, phases, events and fields."""

from __future__ import annotations

from ludotheque.core.jit import jit
from ludotheque.core.record import State as S
from ludotheque.core.record import state_dtype
from ludotheque.games.lobo77.cards import MAX_CARDS, NUM_TYPES

MAX_SEATS = 8
HAND_SIZE = 5
LIMIT = 77
DOUBLET_STEP = 11

# Actions: their table stands at the top of rules.py.
DRAW = NUM_TYPES
NUM_ACTIONS = 21

# Phases
PLAYING, OVER = 0, 1

# Events: kind, then what seat and arguments mean
FIRST_DEALER = 1  # seat: who deals first
DEALT = 2  # seat: dealer; round, who opens
PLAYED = 3  # seat; card, total, card drawn at once + 1 (hidden from the others) or 0
TURNED = 4  # seat; direction from now on
TOKEN_LOST = 5  # seat; total, tokens left
SWIMS = 6  # seat
SUNK = 7  # seat: had no token to pay with; total
OUT = 8  # seat; its place
BURIED = 9  # seat: whose hand goes under the played cards; 60 bits of packed counts in three parts
RESHUFFLED = 10  # seat: who wants a card; cards in the new draw pile, 1 if the last one played stays
DREW = 11  # seat; card + 1 (hidden from the others), 1 if it was drawn by itself
OWES_TWO = 12  # seat
ROUND_END = 13  # seat: who brought the total to its end; round. Points are in last_points
MATCH_END = 14

PART_BITS = 20  # BURIED: counts of 20 types of 3 bits are three parts of 20 bits

State = state_dtype(
    [
        ("start_tokens", "i1"),  # option tokens: 1..6
        ("repeat_costs", "i1"),  # option: 0 or 1
        ("swim", "i1"),  # option: 0 or 1
        ("keep_top", "i1"),  # option: 0 or 1
        ("manual", "i1"),  # option draw: 0 auto, 1 manual
        ("last_tokens", "i1"),  # option end: 0 last_standing, 1 last_tokens
        ("card_76", "i1"),  # option: 0 or 1
        ("dealer", "i1"),
        ("opener", "i1"),  # who opened this round
        ("direction", "i1"),  # 1 clockwise, -1 the other way
        ("total", "<i4"),
        ("owed", "i1"),  # cards the actor still has to play in this turn, 1 or 2; 0 when over
        ("next_two", "i1"),  # 1: a 2x was played in this turn, the next player owes two
        ("tokens", "i1", (MAX_SEATS,)),  # 0..6
        ("out_at", "i1", (MAX_SEATS,)),  # 0: in; 1: was the first to go out, 2: the second...
        ("num_out", "i1"),
        ("hand", "<i8", (MAX_SEATS,)),  # packed counts, see cards.py
        ("hand_size", "i1", (MAX_SEATS,)),  # cards in hand: known to all
        # The draw pile as it was shuffled; the next card is at num_drawn. What is drawn becomes NO_CARD, but
        # after a reshuffle it is remembered with who drew it.
        ("pile", "i1", (MAX_CARDS,)),  # NO_CARD from pile_size on
        ("pile_size", "i1"),
        ("num_drawn", "i1"),
        (
            "played",
            "i1",
            (MAX_CARDS,),
        ),  # the last is on top; NO_CARD from num_played on
        ("num_played", "i1"),
        ("pending", "i1"),  # draws that may still be made (L20), 0..2
        ("pending_seat", "i1"),  # by whom; NOBODY
        ("sure_2x", "i1", (MAX_SEATS,)),  # 2x cards a hand must hold: it has begun with one of them (L13)
        ("sure_at", "i1", (MAX_SEATS,)),  # num_drawn when that was seen
        # Memory of the last reshuffle of this round; all 0 if there was none.
        ("reshuffled", "i1"),  # 1: there was one
        ("shuffled", "i1", (NUM_TYPES,)),  # how many of each type went into the pile
        ("drawn_by", "i1", (MAX_CARDS,)),  # who drew each card of the pile
        ("played_by", "i1", (MAX_CARDS,)),  # whose each played card was; NOBODY: it was left lying (L19, keep_top)
        ("played_at", "i1", (MAX_CARDS,)),  # num_drawn when it was played
        ("round_tokens", "i1", (MAX_SEATS,)),  # tokens when the round began
        ("last_points", "i1", (MAX_SEATS,)),  # what the round before did to them
    ]
)


@jit
def has_ended(s: S) -> bool:
    """L21: one player is left, or one who owns tokens."""
    if s.num_seats - s.num_out == 1:
        return True
    if not s.last_tokens:
        return False
    owners = 0
    for seat in range(s.num_seats):
        if s.tokens[seat] > 0:
            owners += 1
    return owners == 1
