"""Pig: roll a die as often as you like and add up what it shows.

Hold, and the points are yours. A 1 ends the turn and takes its points away. Who reaches the target first wins.

Options: `target` (P6).

Bounds: the match ends as soon as somebody reaches the target, so nobody has more than the target and 5.
"""

from __future__ import annotations

from typing import Any

from ludotheque.core.chance import below
from ludotheque.core.info import Info, Piece
from ludotheque.core.jit import jit
from ludotheque.core.ranking import rank_highest_first
from ludotheque.core.record import NOBODY, Ids, clear_chance, clear_stale_events, emit, state_dtype
from ludotheque.core.record import State as S

from pig_game.options import OPTIONS

MAX_SEATS = 8
NUM_FACES = 6
LOSING_FACE = 1
MOST_ROUNDS = 32_767  # counting stops there; the match goes on

# Actions
#   id   meaning
#   0    roll the die
#   1    hold: end the turn and keep its points
ROLL, HOLD = 0, 1
NUM_ACTIONS = 2

# Events: kind, then what seat and arguments mean
FIRST = 1  # seat: who begins
ROLLED = 2  # seat; face, points of the turn now
LOST = 3  # seat; points lost
HELD = 4  # seat; points of the turn, score now
MATCH_END = 5  # seat: who has won; score

State = state_dtype(
    [
        ("target", "<i2"),  # option: 20 to 200
        ("first", "i1"),  # who began
        ("die", "i1"),  # the face rolled last; 0: none yet
        ("turn_points", "<i2"),  # points of this turn, lost with a 1
        ("score", "<i2", (MAX_SEATS,)),  # points held
    ]
)

OBSERVATION = (
    Piece("scores", MAX_SEATS, "points by seat from here clockwise"),
    Piece("turn_points", 1, "points of this turn"),
    Piece("target", 1, "points to reach"),
    Piece("die", 1, "the face rolled last, 0: none yet"),
    Piece("actor", 1, "how far clockwise the seat at turn sits"),
)

INFO = Info(
    id="pig",
    name="Pig",
    min_seats=2,
    max_seats=MAX_SEATS,
    num_actions=NUM_ACTIONS,
    rules_version=1,
    state=State,
    options=OPTIONS,
    observation=OBSERVATION,
)


@jit
def new_match(s: S, opts: Any) -> None:
    s.target = opts[0]
    s.first = below(s, s.num_seats)  # P1
    s.actor = s.first
    s.round_no = 1
    emit(s, FIRST, s.first, 0, 0, 0)


@jit
def legal(s: S, seat: int, out: Ids) -> int:
    if seat != s.actor:
        return 0
    out[0] = ROLL
    if s.turn_points == 0:  # P2
        return 1
    out[1] = HOLD
    return 2


@jit
def others(s: S) -> int:
    """Nobody moves out of turn."""
    return 0


@jit
def apply(s: S, seat: int, action: int) -> None:
    if action == HOLD:
        _hold(s)
    else:
        _roll(s)


@jit
def _roll(s: S) -> None:
    s.die = below(s, NUM_FACES) + 1
    if s.die == LOSING_FACE:
        emit(s, ROLLED, s.actor, s.die, 0, 0)
        _lose(s)
        return
    s.turn_points += s.die  # P3
    emit(s, ROLLED, s.actor, s.die, s.turn_points, 0)
    if s.score[s.actor] + s.turn_points >= s.target:  # P6
        _hold(s)


@jit
def _lose(s: S) -> None:
    """P4: the points of the turn are gone."""
    emit(s, LOST, s.actor, s.turn_points, 0, 0)
    _pass_turn(s)


@jit
def _hold(s: S) -> None:
    """P5: the points of the turn are kept for good."""
    s.score[s.actor] += s.turn_points
    emit(s, HELD, s.actor, s.turn_points, s.score[s.actor], 0)
    if s.score[s.actor] < s.target:
        _pass_turn(s)
        return
    emit(s, MATCH_END, s.actor, s.score[s.actor], 0, 0)
    s.turn_points = 0
    s.over = 1
    s.actor = NOBODY


@jit
def _pass_turn(s: S) -> None:
    s.turn_points = 0
    s.actor = s.actor + 1 if s.actor + 1 < s.num_seats else 0
    if s.actor == s.first:
        s.round_no = min(s.round_no + 1, MOST_ROUNDS)


@jit
def outcome(s: S, scores: Any, places: Any) -> None:
    for seat in range(s.num_seats):
        scores[seat] = s.score[seat]
    rank_highest_first(scores, s.num_seats, places)


FAULTS = {
    1: "a score that cannot be",
    2: "points of the turn that cannot be",
    4: "the die does not fit the points of the turn",
    8: "the match is over and nobody has reached the target, or the other way round",
}


@jit
def audit(s: S) -> int:
    faults = 0
    num_winners = 0
    for seat in range(s.num_seats):
        points = s.score[seat]
        if points < 0 or points == 1 or points >= s.target + NUM_FACES:
            faults |= 1
        num_winners += 1 if points >= s.target else 0
    if num_winners != s.over:
        faults |= 8
    if s.over:
        return faults | (2 if s.turn_points != 0 else 0)
    if s.turn_points < 0 or s.score[s.actor] + s.turn_points >= s.target:
        faults |= 2
    if s.turn_points != 0 and (s.die <= LOSING_FACE or s.turn_points < s.die or s.turn_points == s.die + 1):
        faults |= 4
    return faults


@jit
def conceal(s: S, seat: int) -> None:
    """Everything lies open but what the die will show."""
    clear_chance(s)
    clear_stale_events(s)


@jit
def resample(s: S, seat: int) -> None:
    """Chance has a new key already, and nothing else is hidden."""


@jit
def observe(s: S, seat: int, out: Any) -> None:
    n = s.num_seats
    for step in range(n):
        out.scores[step] = s.score[(seat + step) % n]
    out.turn_points = s.turn_points
    out.target = s.target
    out.die = s.die
    out.actor = 0 if s.over else (s.actor - seat + n) % n
