"""Volle Lotte!: turn a card, roll six dice, then set scoring dice aside and roll the others, or stop and
write the points down. A roll without a scoring die loses the turn. All six dice aside are a Volle Lotte: the
card pays, and the player stops or goes on under a new card. A round is one lap of the table.

Options: `target`, `ending` (V15), `negative`, `leader_loses` (V12), `straight_goes_on` (V13), `fireworks_stop` (V9).

Bounds: points come in fifties. A turn can be doubled again and again, so it is held at a hundred million;
scores then fit 32 bits, since nobody plays on for long after the target.

Actions:
    id      meaning
    0       stop: score the turn
    1       go: turn a card and roll, or roll on under the straight
    2..78   keep these dice (KEEPS of dice.py) and roll the others
"""

from __future__ import annotations

from typing import Any

from ludotheque.core.bits import count
from ludotheque.core.chance import below, shuffle
from ludotheque.core.chooser import choose
from ludotheque.core.info import Info, Piece
from ludotheque.core.jit import jit
from ludotheque.core.ranking import rank_highest_first
from ludotheque.core.record import NOBODY, Ids, clear_chance, clear_stale_events, emit
from ludotheque.core.record import State as S
from ludotheque.games.volle_lotte import audit as checks
from ludotheque.games.volle_lotte.cards import (
    BOX,
    CLOVER,
    FIREWORKS,
    NO_CARD,
    NUM_KINDS,
    PLUS_MINUS,
    STOP_CARD,
    STRAIGHT,
    dice_count,
    goes_on,
    lotte_points,
    may_stop,
    straight_points,
)
from ludotheque.games.volle_lotte.dice import (
    ALL_FACES,
    CHOICES,
    CHOICES_AT,
    KEEP_DICE,
    KEEP_PACKED,
    KEEP_POINTS,
    NO_ROLL,
    NUM_DICE,
    ROLL_DICE,
    ROLL_FACES,
    ROLL_PACKED,
    ROLL_POINTS,
    ROLL_SCORING,
    throw,
)
from ludotheque.games.volle_lotte.options import OPTIONS
from ludotheque.games.volle_lotte.state import (
    AT_ONCE,
    BURNT_OUT,
    BUST,
    CARD,
    CLOVER_LOTTE,
    CLOVER_WINS,
    FIRST_SEAT,
    GO,
    KEEP,
    KEPT,
    LAST_LAP,
    LAST_TURN,
    LEADERS_LOSE,
    LOST,
    LOTTE,
    LOWEST,
    MATCH_END,
    MAX_SEATS,
    MOST_LOSSES,
    MOST_ROUNDS,
    NUM_ACTIONS,
    OVER,
    ROLL,
    ROLLED,
    ROUND_END,
    SCORED,
    SHUFFLE,
    STOP,
    STOPPED,
    STOPS,
    STRAIGHT_MADE,
    STRAIGHT_ROLL,
    TURN,
    VOLLE_LOTTE,
    State,
)

# What a move leads to: so many dice to roll, or one of these.
CHOICE, SCORE, LOSE, WIN = 0, -1, -2, -3

POINT_UNIT = checks.POINT_UNIT  # observations give points in fifties, which fit 16 bits
MOST_UNITS = 32_767

OBSERVATION = (
    Piece("phase", 1, "0 start of a turn, 1 a roll lies there, 2 after a Volle Lotte"),
    Piece("card", NUM_KINDS, "1 for the card in force"),
    Piece("roll", 6, "dice of the last roll by face"),
    Piece("aside", 6, "dice set aside by face"),
    Piece("roll_points", 1, "points of the last roll's scoring dice, in fifties"),
    Piece("card_points", 1, "points of the dice aside, in fifties"),
    Piece("turn_points", 1, "points of the turn before them, in fifties"),
    Piece("losses", 1, "how many times 1000 the leader loses when the turn is scored"),
    Piece("lottes", 1, "Volle Lotte made under this clover"),
    Piece("scores", MAX_SEATS, "scores by seat from here clockwise, in fifties"),
    Piece("actor", 1, "how far clockwise the seat at turn sits"),
    Piece("first", 1, "how far clockwise the seat that began the match sits"),
    Piece("pile", NUM_KINDS, "cards left in the pile by kind"),
    Piece("closing", 1, "1: last turns are played"),
    Piece("round", 1, "number of the round"),
    Piece("target", 1, "points that end the match"),
    Piece("options", 5, "ending, negative, leader_loses, straight_goes_on, fireworks_stop"),
)

INFO = Info(
    id="volle_lotte",
    name="Volle Lotte!",
    min_seats=2,
    max_seats=MAX_SEATS,
    usual_seats=3,
    num_actions=NUM_ACTIONS,
    rules_version=1,
    state=State,
    options=OPTIONS,
    observation=OBSERVATION,
)


@jit
def new_match(s: S, opts: Any) -> None:
    s.target = opts[0]
    s.ending = opts[1]
    s.negative = opts[2]
    s.leader_loses = opts[3]
    s.straight_goes_on = opts[4]
    s.fireworks_stop = opts[5]
    s.first = below(s, s.num_seats)  # V2
    s.actor = s.first
    s.phase = TURN
    s.round_no = 1
    s.card = NO_CARD
    s.clover_winner = NOBODY
    _shuffle_pile(s)
    emit(s, FIRST_SEAT, s.first, 0, 0, 0)


@jit
def _shuffle_pile(s: S) -> None:
    """V2: all cards of the box that are not in the discard, in a random order."""
    n = 0
    for kind in range(NUM_KINDS):
        for _ in range(BOX[kind] - s.discard[kind]):
            s.deck[n] = kind
            n += 1
    s.num_deck = n
    shuffle(s, s.deck, n)


@jit
def _turn_card(s: S) -> int:
    """V2: the next card, then six dice."""
    if s.num_deck == 0:
        for kind in range(NUM_KINDS):
            s.discard[kind] = 0
        _shuffle_pile(s)
        emit(s, SHUFFLE, NOBODY, s.num_deck, 0, 0)
    s.num_deck -= 1
    card = s.deck[s.num_deck]
    s.deck[s.num_deck] = 0
    s.discard[card] += 1
    s.card = card
    s.aside = 0
    emit(s, CARD, s.actor, card, s.num_deck, 0)
    if card != STOP_CARD:
        return NUM_DICE
    s.roll = NO_ROLL
    emit(s, STOPPED, s.actor, 0, 0, 0)
    return LOSE  # V8


@jit
def _roll(s: S, num_dice: int) -> int:
    """Roll so many dice and see whether they leave a choice."""
    roll = throw(s, num_dice)
    s.roll = roll
    s.phase = ROLLED
    if s.card == STRAIGHT:
        return _look_for_faces(s, int(ROLL_FACES[roll]) & ~s.aside)
    points = int(ROLL_POINTS[roll])
    emit(s, ROLL, s.actor, roll, points, 0)
    if points > 0:
        return CHOICE
    if s.card == FIREWORKS:
        emit(s, BURNT_OUT, s.actor, 0, 0, 0)
        return SCORE  # V9
    emit(s, BUST, s.actor, s.card, 0, 0)
    return LOSE  # V4


@jit
def _look_for_faces(s: S, new: int) -> int:
    """V13: `new` are the faces of a roll under the straight that are not aside yet."""
    emit(s, STRAIGHT_ROLL, s.actor, s.roll, new, 0)
    if new == 0:
        emit(s, BUST, s.actor, s.card, 0, 0)
        return LOSE
    if (s.aside | new) != ALL_FACES:
        return CHOICE
    s.aside = ALL_FACES
    s.roll = NO_ROLL
    s.turn_points = straight_points(s.turn_points)
    emit(s, STRAIGHT_MADE, s.actor, s.turn_points, 0, 0)
    if s.straight_goes_on:
        s.phase = LOTTE
        return CHOICE
    return SCORE


@jit
def _pay_lotte(s: S) -> None:
    """All six dice are aside: the card pays."""
    s.turn_points = lotte_points(s.card, s.turn_points, s.card_points)
    s.card_points = 0
    emit(s, VOLLE_LOTTE, s.actor, s.card, s.turn_points, 0)
    if s.card == PLUS_MINUS:  # V12
        if s.leader_loses == AT_ONCE:
            _take_from(s, leaders(s), 1000)
        elif s.losses < MOST_LOSSES:
            s.losses += 1


@jit
def leaders(s: S) -> int:
    """V12: the seats that lose on a ±1000: all that are highest, or none if the player is among them."""
    best = s.score[0]
    seats = 1
    for seat in range(1, s.num_seats):
        if s.score[seat] > best:
            best = s.score[seat]
            seats = 0
        if s.score[seat] == best:
            seats |= 1 << seat
    return 0 if (seats >> s.actor) & 1 else seats


@jit
def _take_from(s: S, seats: int, points: int) -> None:
    """V12: the leaders' loss. They all have the same score."""
    if seats == 0:
        return
    loss = points
    for seat in range(s.num_seats):
        if (seats >> seat) & 1:
            if not s.negative:
                loss = min(points, s.score[seat])
            s.score[seat] -= loss
            s.lap_points[seat] -= loss
    emit(s, LEADERS_LOSE, NOBODY, seats, loss, 0)


@jit
def _end_turn(s: S, how: int) -> None:
    """Score the turn or lose it, and pass on; or win the match on the spot."""
    seat = s.actor
    if how == SCORE:
        _write_points(s)
    elif how == LOSE:
        lost = s.turn_points + s.card_points
        if lost > 0:
            emit(s, LOST, seat, lost, 0, 0)
    s.turn_points = 0
    s.card_points = 0
    s.losses = 0
    s.lottes = 0
    s.phase = TURN
    s.actor = seat + 1 if seat + 1 < s.num_seats else 0
    if how == WIN or _is_last_turn(s, seat):
        _close_round(s)
        s.over = 1
        s.phase = OVER
        s.actor = NOBODY
        emit(s, MATCH_END, NOBODY, 0, 0, 0)
    elif s.actor == s.first and not s.closing:
        _close_round(s)
        s.round_no = min(s.round_no + 1, MOST_ROUNDS)


@jit
def _write_points(s: S) -> None:
    """V5: the points of the turn, and what its ±1000 cost the leader (V12)."""
    seat = s.actor
    points = s.turn_points + s.card_points
    losers = leaders(s) if s.losses > 0 else 0
    s.score[seat] += points
    s.lap_points[seat] += points
    emit(s, SCORED, seat, points, s.score[seat], 0)
    _take_from(s, losers, 1000 * s.losses)


@jit
def _is_last_turn(s: S, seat: int) -> bool:
    """V15: whether the match ends with the turn of `seat`. The next seat is at turn already."""
    if not s.closing:
        if s.score[seat] < s.target:
            return False
        s.closing = 1
        if s.ending == LOWEST:
            s.actor = _lowest_after(s, seat)
            emit(s, LAST_TURN, s.actor, 0, 0, 0)
            return False
        if s.actor != s.first:
            emit(s, LAST_LAP, seat, 0, 0, 0)
    return s.ending == LOWEST or s.actor == s.first


@jit
def _lowest_after(s: S, seat: int) -> int:
    """V15: who has the fewest points, the first of them after `seat`."""
    n = s.num_seats
    lowest = seat
    for step in range(n - 1, 0, -1):
        other = (seat + step) % n
        if s.score[other] <= s.score[lowest]:
            lowest = other
    return lowest


@jit
def _close_round(s: S) -> None:
    for seat in range(s.num_seats):
        s.last_points[seat] = s.lap_points[seat]
        s.lap_points[seat] = 0
    emit(s, ROUND_END, NOBODY, s.round_no, 0, 0)


@jit
def _legal_turn(s: S, out: Ids) -> int:
    out[0] = GO  # V2
    return 1


@jit
def _apply_turn(s: S, action: int) -> int:
    return _turn_card(s)


@jit
def _can_stop(s: S) -> bool:
    return may_stop(s.card, int(ROLL_SCORING[s.roll]) == int(ROLL_DICE[s.roll]), s.fireworks_stop)


@jit
def _legal_rolled(s: S, out: Ids) -> int:
    if s.card == STRAIGHT:  # V13
        out[0] = GO
        return 1
    n = 0
    if _can_stop(s):
        out[0] = STOP
        n = 1
    for i in range(int(CHOICES_AT[s.roll]), int(CHOICES_AT[s.roll + 1])):  # V6
        out[n] = KEEP + int(CHOICES[i])
        n += 1
    return n


@jit
def _apply_rolled(s: S, action: int) -> int:
    if action >= KEEP:
        return _keep(s, action - KEEP)
    if action == GO:  # V13
        s.aside |= int(ROLL_FACES[s.roll])
        return NUM_DICE - count(s.aside)
    emit(s, STOPS, s.actor, 0, 0, 0)
    if dice_count(s.card):  # V5: with every scoring die
        s.card_points += int(ROLL_POINTS[s.roll])
    if int(ROLL_SCORING[s.roll]) == int(ROLL_DICE[s.roll]):
        _pay_lotte(s)
    return SCORE


@jit
def _keep(s: S, keep: int) -> int:
    """V6: set these dice aside and roll the others; if none are left it is a Volle Lotte."""
    left = int(ROLL_DICE[s.roll]) - int(KEEP_DICE[keep])
    points = int(KEEP_POINTS[keep]) if dice_count(s.card) else 0
    s.aside += int(KEEP_PACKED[keep])
    s.card_points += points
    emit(s, KEPT, s.actor, keep, points, left)
    if left > 0:
        return left
    s.roll = NO_ROLL
    if s.card == CLOVER:  # V14
        s.lottes += 1
        if s.lottes == 2:
            s.clover_winner = s.actor
            emit(s, CLOVER_WINS, s.actor, 0, 0, 0)
            return WIN
        emit(s, CLOVER_LOTTE, s.actor, 0, 0, 0)
    else:
        _pay_lotte(s)
    if goes_on(s.card):
        s.aside = 0
        return NUM_DICE
    s.phase = LOTTE  # V7
    return CHOICE


@jit
def _legal_lotte(s: S, out: Ids) -> int:
    out[0] = STOP  # V7
    out[1] = GO
    return 2


@jit
def _apply_lotte(s: S, action: int) -> int:
    if action == GO:
        return _turn_card(s)
    emit(s, STOPS, s.actor, 0, 0, 0)
    return SCORE


@jit
def legal(s: S, seat: int, out: Ids) -> int:
    if seat != s.actor:
        return 0
    if s.phase == ROLLED:
        return _legal_rolled(s, out)
    if s.phase == TURN:
        return _legal_turn(s, out)
    return _legal_lotte(s, out)


@jit
def sample(s: S, seat: int, x: int, out: Ids) -> int:
    """A uniformly random legal action, as `legal` has them, without listing them."""
    if s.phase == ROLLED and s.card != STRAIGHT:
        first = int(CHOICES_AT[s.roll])
        last = int(CHOICES_AT[s.roll + 1])
        pick = first + choose(x, last - first + (1 if _can_stop(s) else 0))
        return KEEP + int(CHOICES[pick]) if pick < last else STOP
    return choose(x, 2) if s.phase == LOTTE else GO


@jit
def others(s: S) -> int:
    """Nobody moves out of turn."""
    return 0


@jit
def apply(s: S, seat: int, action: int) -> None:
    if s.phase == ROLLED:
        next_step = _apply_rolled(s, action)
    elif s.phase == TURN:
        next_step = _apply_turn(s, action)
    else:
        next_step = _apply_lotte(s, action)
    if next_step > 0:
        next_step = _roll(s, next_step)
    if next_step < 0:
        _end_turn(s, next_step)


@jit
def outcome(s: S, scores: Any, places: Any) -> None:
    for seat in range(s.num_seats):
        scores[seat] = s.score[seat]
    rank_highest_first(scores, s.num_seats, places)  # V15
    if s.clover_winner != NOBODY:  # V14: first, and those who were level or ahead move down a place
        for seat in range(s.num_seats):
            if scores[seat] >= scores[s.clover_winner]:
                places[seat] += 1
        places[s.clover_winner] = 1


FAULTS = checks.FAULTS


@jit
def audit(s: S) -> int:
    return checks.faults(s)


@jit
def conceal(s: S, seat: int) -> None:
    """Nobody knows the order of the pile. Which cards are left in it follows from the discard."""
    clear_chance(s)
    clear_stale_events(s)
    for i in range(s.num_deck):
        s.deck[i] = 0


@jit
def resample(s: S, seat: int) -> None:
    """Shuffle the pile."""
    _shuffle_pile(s)


@jit
def _units(points: int) -> int:
    return max(-MOST_UNITS, min(points // POINT_UNIT, MOST_UNITS))


@jit
def observe(s: S, seat: int, out: Any) -> None:
    n = s.num_seats
    if s.phase == ROLLED or s.phase == LOTTE:
        out.phase = s.phase
        out.card[s.card] = 1
        for face in range(6):
            out.roll[face] = (int(ROLL_PACKED[s.roll]) >> (3 * face)) & 7
            out.aside[face] = (s.aside >> (3 * face)) & 7
        if s.card != STRAIGHT:
            out.roll_points = _units(int(ROLL_POINTS[s.roll]))
        out.card_points = _units(s.card_points)
        out.turn_points = _units(s.turn_points)
        out.losses = s.losses
        out.lottes = s.lottes
    for step in range(n):
        out.scores[step] = _units(s.score[(seat + step) % n])
    out.actor = (s.actor - seat) % n if not s.over else 0
    out.first = (s.first - seat) % n
    for kind in range(NUM_KINDS):
        out.pile[kind] = BOX[kind] - s.discard[kind]
    out.closing = s.closing
    out.round = s.round_no
    out.target = s.target
    out.options[0] = s.ending
    out.options[1] = s.negative
    out.options[2] = s.leader_loses
    out.options[3] = s.straight_goes_on
    out.options[4] = s.fireworks_stop
