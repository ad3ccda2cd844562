"""The record of a match of Volle Lotte!: action ids, phases, events and fields."""

from __future__ import annotations

from ludotheque.core.record import state_dtype
from ludotheque.games.volle_lotte.cards import NUM_CARDS, NUM_KINDS
from ludotheque.games.volle_lotte.dice import KEEPS

MAX_SEATS = 8

# Actions: their table stands at the top of rules.py.
STOP = 0
GO = 1
KEEP = 2
NUM_ACTIONS = KEEP + len(KEEPS)

# Phases. In TURN, what the last turn left still lies on the table: card, roll and dice aside.
TURN, ROLLED, LOTTE, OVER = 0, 1, 2, 3

# Values of options
LOWEST, ROUND = 0, 1  # ending
WHEN_SCORED, AT_ONCE = 0, 1  # leader_loses

# Events: kind, then what seat and arguments mean
FIRST_SEAT = 1  # seat: who begins
SHUFFLE = 2  # number of cards that make the new pile
CARD = 3  # seat; card, cards left in the pile
STOPPED = 4  # seat: who turned a stop
ROLL = 5  # seat; roll, points of its scoring dice
STRAIGHT_ROLL = 6  # seat; roll, new faces (packed)
KEPT = 7  # seat; keep, its points, dice left
STOPS = 8  # seat: who stops
VOLLE_LOTTE = 9  # seat; card, points of the turn now
CLOVER_LOTTE = 10  # seat: who needs one more to win
STRAIGHT_MADE = 11  # seat; points of the turn now
BUST = 12  # seat: whose roll brings nothing; card
BURNT_OUT = 13  # seat: whose fireworks are over
LOST = 14  # seat; points of the turn that are lost
SCORED = 15  # seat; points, score now
LEADERS_LOSE = 16  # set of seats, points each
LAST_TURN = 17  # seat: who has it
LAST_LAP = 18  # seat: who reached the target
CLOVER_WINS = 19  # seat
ROUND_END = 20  # round; points are in last_points
MATCH_END = 21

# Held at these so that they fit their fields, however long luck lasts.
MOST_LOSSES = 100
MOST_ROUNDS = 32_767
MOST_SCORE = 2_000_000_000  # no score gets there from a position that can be written down

State = state_dtype(
    [
        ("target", "<i2"),  # option
        ("ending", "i1"),  # option: LOWEST or ROUND
        ("negative", "i1"),  # option: 0 or 1
        ("leader_loses", "i1"),  # option: WHEN_SCORED or AT_ONCE
        ("straight_goes_on", "i1"),  # option: 0 or 1
        ("fireworks_stop", "i1"),  # option: 0 or 1
        ("first", "i1"),  # the seat that began the match
        ("deck", "i1", (NUM_CARDS,)),  # kinds; the next card is the last one; 0 behind the end
        ("num_deck", "i1"),
        (
            "discard",
            "i1",
            (NUM_KINDS,),
        ),  # cards turned since the pile was shuffled, by kind, the one in force too
        ("card", "i1"),  # the card in force; NO_CARD before the first
        ("roll", "<i2"),  # the dice rolled last and not set aside, a number of dice.py; NO_ROLL
        (
            "aside",
            "<i4",
        ),  # the dice set aside since the last Volle Lotte, packed; under the straight a bit a face
        ("card_points", "<i4"),  # points of the dice aside; 0 under cards whose dice bring nothing
        ("turn_points", "<i4"),  # points of this turn before them
        ("losses", "i1"),  # how many times 1000 the leader loses when this turn is scored
        ("lottes", "i1"),  # Volle Lotte under this clover, 0 or 1
        ("score", "<i4", (MAX_SEATS,)),
        ("closing", "i1"),  # 1: the target was reached, last turns are played
        ("clover_winner", "i1"),  # who won by the clover; NOBODY
        ("lap_points", "<i4", (MAX_SEATS,)),  # how the scores changed in this round
        ("last_points", "<i4", (MAX_SEATS,)),  # and in the round before
    ]
)
