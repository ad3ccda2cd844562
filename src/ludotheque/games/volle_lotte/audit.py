"""The audit of a record of Volle Lotte!: every card of the box, and dice, points and turns that can be."""

from __future__ import annotations

from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY
from ludotheque.core.record import State as S
from ludotheque.games.volle_lotte.cards import (
    BOX,
    CLOVER,
    MOST_POINTS,
    NO_CARD,
    NUM_CARDS,
    NUM_KINDS,
    STOP_CARD,
    STRAIGHT,
    dice_count,
    goes_on,
    lotte_points,
    straight_points,
)
from ludotheque.games.volle_lotte.dice import (
    ALL_FACES,
    NO_ROLL,
    NUM_DICE,
    ROLL_DICE,
    ROLL_FACES,
    ROLL_POINTS,
    all_can_score,
    are_worth,
    num_packed,
)
from ludotheque.games.volle_lotte.state import (
    AT_ONCE,
    MOST_LOSSES,
    MOST_SCORE,
    OVER,
    ROLLED,
    ROUND,
    TURN,
)

POINT_UNIT = 50  # all points are multiples of this
LEAST_OF_SIX = 300  # six dice that all score: 5s one by one

FAULTS = {
    1: "the pile and the discard are not the cards of the box",
    2: "the card in force is not in the discard, or does not fit the phase",
    4: "the dice do not add up to six, or to a roll that leaves a choice",
    8: "dice aside that cannot have been set aside under this card",
    16: "points of the dice aside that they cannot have brought",
    32: "points of the turn that cannot be",
    64: "more ±1000 or Volle Lotte than this turn can have",
    128: "a score that cannot be",
    256: "the target is reached, or not, but the end of the match does not fit that",
    512: "whose turn it is does not fit the phase",
}


@jit
def faults(s: S) -> int:
    """0, or a bit of `FAULTS` for each broken invariant."""
    found = _audit_cards(s) | _audit_scores(s)
    if s.phase == TURN or s.phase == OVER:
        found |= _audit_leftovers(s)
    else:
        found |= _audit_turn(s)
    if (s.over == 1) != (s.phase == OVER) or (s.over == 1) != (s.actor == NOBODY):
        found |= 512
    if s.actor < NOBODY or s.actor >= s.num_seats or s.first < 0 or s.first >= s.num_seats or s.round_no < 1:
        found |= 512
    return found


@jit
def _audit_cards(s: S) -> int:
    total = 0
    for kind in range(NUM_KINDS):
        cards = s.discard[kind]
        if cards < 0:
            return 1
        for i in range(s.num_deck):
            cards += s.deck[i] == kind
        if cards != BOX[kind]:
            return 1
        total += cards
    if total != NUM_CARDS:
        return 1
    for i in range(s.num_deck, NUM_CARDS):
        if s.deck[i] != 0:
            return 1
    return 2 if s.card != NO_CARD and s.discard[s.card] == 0 else 0


@jit
def _audit_scores(s: S) -> int:
    found = 0
    reached = False
    for seat in range(s.num_seats):
        score = s.score[seat]
        if score % POINT_UNIT or abs(score) > MOST_SCORE or (score < 0 and not s.negative):
            found |= 128
        if s.lap_points[seat] % POINT_UNIT or s.last_points[seat] % POINT_UNIT:
            found |= 128
        reached = reached or score >= s.target
    if s.clover_winner < NOBODY or s.clover_winner >= s.num_seats:
        return found | 256
    if reached and not s.closing:
        found |= 256
    if s.over and not s.closing and s.clover_winner == NOBODY:
        found |= 256
    if not s.over:
        if s.clover_winner != NOBODY or (s.closing and s.ending == ROUND and s.actor == s.first):
            found |= 256
    return found


@jit
def _audit_leftovers(s: S) -> int:
    """Between turns: what still lies there, and nothing of a turn."""
    found = 0
    dice = int(ROLL_DICE[s.roll]) + num_packed(s.aside)
    if dice != 0 and (dice != NUM_DICE or s.card in (NO_CARD, STOP_CARD)):
        found |= 4
    if s.turn_points != 0 or s.card_points != 0:
        found |= 32
    if s.losses != 0 or s.lottes != 0:
        found |= 64
    return found


@jit
def _audit_turn(s: S) -> int:
    card = s.card
    if card in (NO_CARD, STOP_CARD):
        return 2
    found = _audit_rolled(s) if s.phase == ROLLED else _audit_lotte(s)
    if card == STRAIGHT:
        if s.aside & ~ALL_FACES:
            found |= 8
    elif not all_can_score(s.aside):
        found |= 8
    if s.turn_points < 0 or s.turn_points > MOST_POINTS or s.turn_points % POINT_UNIT:
        found |= 32
    if s.losses < 0 or s.losses > MOST_LOSSES or 1000 * s.losses > s.turn_points:
        found |= 64
    if s.leader_loses == AT_ONCE and s.losses != 0:
        found |= 64
    if s.lottes < 0 or s.lottes > (1 if card == CLOVER else 0):
        found |= 64
    return found


@jit
def _audit_rolled(s: S) -> int:
    found = 0
    if s.roll == NO_ROLL or int(ROLL_DICE[s.roll]) + num_packed(s.aside) != NUM_DICE:
        found |= 4
    elif s.card == STRAIGHT:
        faces = s.aside | int(ROLL_FACES[s.roll])
        if faces == s.aside or faces == ALL_FACES:
            found |= 4
    elif int(ROLL_POINTS[s.roll]) == 0:
        found |= 4
    if dice_count(s.card):
        if not are_worth(s.aside, s.card_points):
            found |= 16
    elif s.card_points != 0:
        found |= 16
    return found


@jit
def _audit_lotte(s: S) -> int:
    found = 0
    if goes_on(s.card) or (s.card == STRAIGHT and not s.straight_goes_on):
        found |= 2
    if s.roll != NO_ROLL or num_packed(s.aside) != NUM_DICE:
        found |= 4
    if s.card_points != 0:
        found |= 16
    if s.turn_points < _least_after_lotte(s.card):
        found |= 32
    return found


@jit
def _least_after_lotte(card: int) -> int:
    if card == STRAIGHT:
        return straight_points(0)
    return lotte_points(card, 0, LEAST_OF_SIX if dice_count(card) else 0)
