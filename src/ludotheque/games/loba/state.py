"""The record of a match of Loba: phases, events and fields."""

from __future__ import annotations

from ludotheque.core.record import state_dtype
from ludotheque.games.loba.cards import MAX_MELDS, NUM_CARDS

MAX_SEATS = 5
NUM_DEALT = 11  # cards each
NUM_ROUNDS = 6
MAX_TURNS = 40  # by each player in a round, B21

# B5, by round from 1 on
CONTRACT_SETS = (0, 2, 1, 0, 3, 2, 1)
CONTRACT_RUNS = (0, 0, 1, 2, 0, 1, 2)

# Phases of a turn. CONTRACT: a first laying down has begun and goes on. DISCARD: it is done, nothing else is left.
DRAW, PLAY, CONTRACT, DISCARD, OVER = 0, 1, 2, 3, 4

# Values of option runs
SUITED, ANY_SUIT = 0, 1

# Events: kind, then what seat and arguments mean
FIRST_DEALER = 1  # seat: who deals first
DEAL = 2  # seat: dealer; round, card turned
DRAWN = 3  # seat; card, NO_CARD for those who do not see it
TAKEN = 4  # seat; card
LAID = 5  # seat; action, number of the combination, cards left in the hand
ADDED = 6  # seat; action, 1 if a joker moved on, cards left in the hand
DROPPED = 7  # seat; card, cards left in the hand
IS_DOWN = 8  # seat: who has laid the contract
RESHUFFLED = 9  # number of cards that make the new stock
WENT_OUT = 10  # seat
TURNS_OVER = 11  # nobody went out, B21
ROUND_END = 12  # seat: who went out, or NOBODY; round. Points and hands are in last_points, last_hand...
MATCH_END = 13

# A hand is three fields: cards held once at least, cards held twice (sets of 52 types), and the number of jokers.
# So are all other heaps of cards whose order does not matter.
State = state_dtype(
    [
        ("runs", "i1"),  # option: SUITED or ANY_SUIT
        ("out_by_discard", "i1"),  # option: 0 or 1
        ("dealer", "i1"),
        ("turn_no", "<i2"),  # turns begun in this round, 1 to 40 a seat
        ("hand", "<i8", (MAX_SEATS,)),
        ("hand_twice", "<i8", (MAX_SEATS,)),
        ("hand_jokers", "i1", (MAX_SEATS,)),
        ("size", "i1", (MAX_SEATS,)),  # cards in the hand: known to all
        ("is_down", "i1", (MAX_SEATS,)),  # 1: has laid the contract in this round
        ("sets_left", "i1"),  # phase CONTRACT: brelans still to lay; else 0
        ("runs_left", "i1"),  # phase CONTRACT: quartes still to lay; else 0
        ("taken", "i1"),  # the card taken in this turn while it is in the hand, B22; NO_CARD
        ("stock", "i1", (NUM_CARDS,)),  # the next card is the last one; NO_CARD behind it, and where hidden
        ("num_stock", "i1"),
        ("pile", "i1", (NUM_CARDS,)),  # the discard pile, its top last; NO_CARD behind it
        ("num_pile", "i1"),
        ("num_melds", "i1"),
        # Combinations on the table, as melds.py has them; 0 behind the last.
        ("meld_kind", "i1", (MAX_MELDS,)),
        ("meld_low", "i1", (MAX_MELDS,)),
        ("meld_length", "i1", (MAX_MELDS,)),
        ("meld_joker", "i1", (MAX_MELDS,)),
        ("meld_suits", "<i4", (MAX_MELDS,)),
        # What everybody knows each seat to hold: cards seen when they were taken from the pile.
        ("known", "<i8", (MAX_SEATS,)),
        ("known_twice", "<i8", (MAX_SEATS,)),
        ("known_jokers", "i1", (MAX_SEATS,)),
        # Since discards were last made the stock in this round (B21): which cards that was, known to all; what each
        # seat has drawn of them, its own secret; and how many of its unknown cards can be such at most, known to all.
        ("is_recycled", "i1"),
        ("recycled", "<i8"),
        ("recycled_twice", "<i8"),
        ("recycled_jokers", "i1"),
        ("drawn", "<i8", (MAX_SEATS,)),
        ("drawn_twice", "<i8", (MAX_SEATS,)),
        ("drawn_jokers", "i1", (MAX_SEATS,)),
        ("fresh", "i1", (MAX_SEATS,)),
        ("points", "<i2", (MAX_SEATS,)),
        # Of the round before, known to all: points, and the hands that were counted.
        ("last_points", "<i2", (MAX_SEATS,)),
        ("last_hand", "<i8", (MAX_SEATS,)),
        ("last_twice", "<i8", (MAX_SEATS,)),
        ("last_jokers", "i1", (MAX_SEATS,)),
    ]
)
