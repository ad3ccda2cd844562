"""The record of a match of Skip-Bo: cards, action ids, phases, events and fields."""

from __future__ import annotations

from ludotheque.core.record import state_dtype

MAX_SEATS = 4
NUM_PLACES = 4  # building piles, and also discard piles of each seat
HAND = 5
TOP_NUMBER = 12

# Cards: 1 to 12 are their number, 13 is the Skip-Bo. 0 is no card, or one that is hidden.
NO_CARD = 0
WILD = 13
NUM_TYPES = WILD + 1  # length of an array that is indexed by card
NUMBER_COPIES = 12
WILD_COPIES = 18
NUM_CARDS = TOP_NUMBER * NUMBER_COPIES + WILD_COPIES

# Actions: their table stands at the top of rules.py.
FROM_PILES = 52
DISCARD = 92
END = 144
DRAW = 145
SAY = 146
CALL = 147
NUM_ACTIONS = 148
OWN_STOCK = 13
PARTNERS_STOCK = 18

# Piles in order, see piles.py: five for each seat, its stock and its discard piles 1..4; then the draw pile.
SEAT_PILES = 5
DRAW_PILE = MAX_SEATS * SEAT_PILES
NUM_PILES = DRAW_PILE + 1
CARDS_PER_WORD = 15
MAX_WORDS = NUM_CARDS // CARDS_PER_WORD

# Phases. DRAWING only with manners: the player at turn has to fill the hand.
PLAYING, DRAWING, OVER = 0, 1, 2

# Values of option `match`
SINGLE, POINTS = 0, 1

NO_ACTION = -1
PUBLIC = MAX_SEATS  # the row of what everybody knows

# Events: kind, then what seat and arguments mean
DEAL = 1  # seat: dealer; round, cards in each stock
FILL = 2  # seat; number of cards drawn, the cards (4 bits each; known to the seat only)
REMAKE = 3  # number of cards that make the new draw pile
PLAY = 4  # seat; source, card, place * 16 + height reached
TURN_UP = 5  # seat: whose stock; card turned up, cards left in the stock
PILE_DONE = 6  # place
DISCARDED = 7  # seat; card, pile
ENDED = 8  # seat: who ended the turn without a discard
PLAY_EARLY = 9  # as PLAY, out of turn
DISCARDED_EARLY = 10  # as DISCARDED, out of turn
STANDS = 11  # seat: whose play out of turn stands
CALLED = 12  # seat: who calls; the culprit, the card taken back
SPOKE = 13  # seat: who spoke; number of cards taken under the stock
TOO_MANY = 14  # seat: who drew too many; cards in the stock now
NO_FILL = 15  # seat: who may not fill the hand in this turn
ROUND_END = 16  # round, 1 if blocked, set of winners; the rest is in last_points and last_stock
MATCH_END = 17

State = state_dtype(
    [
        # options
        ("stock_size", "i1"),
        ("match", "i1"),  # SINGLE or POINTS
        ("target", "<i2"),
        ("teams", "i1"),
        ("manners", "i1"),
        # the round
        ("dealer", "i1"),
        ("played", "i1"),  # 1 once the player at turn has played a card in this turn
        ("idle_turns", "i1"),  # turns in a row that ended without a card, nothing being left to draw
        ("hand", "<i8", (MAX_SEATS,)),  # how many of each card, 4 bits each: bits 4 * card and up
        ("hand_size", "i1", (MAX_SEATS,)),
        ("built", "i1", (NUM_PLACES,)),  # height of each building pile; 12 only while a play out of turn is open
        ("wild", "<i2", (NUM_PLACES,)),  # which heights are Skip-Bo, bits 1..12
        ("aside", "i1", (NUM_TYPES,)),  # piles put aside: how many of each card
        ("num_aside", "<i2"),
        ("height", "<i2", (NUM_PILES,)),  # piles in order, see piles.py
        ("top_word", "<i8", (NUM_PILES,)),
        ("words", "<i8", (MAX_WORDS,)),
        ("num_words", "i1"),
        # the match
        ("points", "<i2", (MAX_SEATS,)),
        ("last_points", "<i2", (MAX_SEATS,)),  # of the round before: points
        ("last_stock", "<i2", (MAX_SEATS,)),  # and cards left in the stocks
        # manners
        ("open_seat", "i1"),  # who played out of turn, as long as it can be called; NOBODY
        ("open_action", "<i2"),  # what; NO_ACTION
        ("no_fill", "i1", (MAX_SEATS,)),  # 1: may not fill the hand at the next turn
        ("barred", "i1"),  # 1: the player at turn may not fill the hand, and has not emptied it since
        ("spoken", "i1"),  # 1: the partner has spoken in this turn
        # what has been seen
        ("unseen", "i1", (NUM_TYPES,)),  # how many of each card the whole table cannot place
        ("shown", "<i8", (MAX_SEATS,)),  # cards of a hand that all have seen, as `hand`
        ("next_seen", "i1", (MAX_SEATS,)),  # 1: all have seen the card below the top of that stock
        # At least one remake ago nothing more is known than `unseen`. Since then, for each seat and for the table:
        # most cards of each type that the draw pile, and the unseen part of all stocks together, can hold.
        ("remade", "i1"),  # 1: the draw pile has been remade in this round
        ("most_drawn", "i1", (MAX_SEATS + 1, NUM_TYPES)),
        ("most_stock", "i1", (MAX_SEATS + 1, NUM_TYPES)),
    ]
)
