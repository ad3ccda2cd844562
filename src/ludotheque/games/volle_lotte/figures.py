"""What simulations count in Volle Lotte!: rolls that bring nothing, and what becomes of turns under each card."""

from __future__ import annotations

from typing import Any

from ludotheque.core.figures import histogram, means, shares
from ludotheque.core.jit import jit
from ludotheque.core.record import State as S
from ludotheque.games.volle_lotte.cards import NUM_KINDS
from ludotheque.games.volle_lotte.dice import NUM_DICE, ROLL_DICE
from ludotheque.games.volle_lotte.notation import CARDS
from ludotheque.games.volle_lotte.state import (
    BUST,
    CARD,
    CLOVER_LOTTE,
    CLOVER_WINS,
    KEPT,
    ROLL,
    SCORED,
    STOPPED,
    STRAIGHT_MADE,
    STRAIGHT_ROLL,
    VOLLE_LOTTE,
)

MOST_LOTTES = 3  # turns with more are counted with these

# Counters
TURNS = 1
LOTTES = 2  # turns by their number of Volle Lotte, 0 to 3 and more
DRY = LOTTES + MOST_LOTTES + 1  # rolls without a scoring die, by dice thrown, 1 to 6
ROLLS = DRY + NUM_DICE
STALE = ROLLS + NUM_DICE  # the same under the straight: rolls without a new face
STRAIGHT_ROLLS = STALE + NUM_DICE
LOST = STRAIGHT_ROLLS + NUM_DICE  # by card: turns lost under it,
MADE = LOST + NUM_KINDS  # cards under which there was a Volle Lotte (or the straight),
TURNED = MADE + NUM_KINDS  # of all that were turned,
POINTS = TURNED + NUM_KINDS  # points of turns that ended under it, lost or not,
ENDED = POINTS + NUM_KINDS  # and how many did
NUM_COUNTERS = ENDED + NUM_KINDS

# What is kept from one move to the next
LOTTES_NOW, MADE_NOW = 0, 1  # Volle Lotte in this turn; 1 if there was one under this card

DICE = tuple(str(n) for n in range(1, NUM_DICE + 1))

FIGURES = (
    shares("bust_by_dice", DICE, DRY, ROLLS),
    shares("straight_by_dice", DICE, STALE, STRAIGHT_ROLLS),
    histogram("lottes", ("0", "1", "2", "3+"), LOTTES, TURNS),
    shares("lost_by_card", CARDS, LOST, TURNED, "kind"),
    shares("lotte_by_card", CARDS, MADE, TURNED, "kind"),
    means("points_by_card", CARDS, POINTS, ENDED, "kind"),
)


@jit
def note(s: S, book: Any) -> None:
    for i in range(s.num_events):
        kind = s.event_kind[i]
        if kind == KEPT:
            continue
        if kind == ROLL:
            dice = int(ROLL_DICE[s.event_args[i, 0]]) - 1
            book.tally[ROLLS + dice] += 1
            if s.event_args[i, 1] == 0:
                book.tally[DRY + dice] += 1
        elif kind == STRAIGHT_ROLL:
            dice = int(ROLL_DICE[s.event_args[i, 0]]) - 1
            book.tally[STRAIGHT_ROLLS + dice] += 1
            if s.event_args[i, 1] == 0:
                book.tally[STALE + dice] += 1
        elif kind == CARD:
            book.tally[TURNED + s.event_args[i, 0]] += 1
            book.memo[MADE_NOW] = 0
        else:
            if kind in (VOLLE_LOTTE, CLOVER_LOTTE, STRAIGHT_MADE, CLOVER_WINS):
                book.memo[LOTTES_NOW] += 1
                book.tally[MADE + s.card] += 1 - book.memo[MADE_NOW]
                book.memo[MADE_NOW] = 1
            elif kind == SCORED:
                book.tally[POINTS + s.card] += s.event_args[i, 0]
            elif kind in (BUST, STOPPED):
                book.tally[LOST + s.card] += 1
            if kind in (SCORED, BUST, STOPPED, CLOVER_WINS):
                book.tally[ENDED + s.card] += 1
                book.tally[TURNS] += 1
                book.tally[LOTTES + min(book.memo[LOTTES_NOW], MOST_LOTTES)] += 1
                book.memo[LOTTES_NOW] = 0
