"""Exact advice for the present turn of Volle Lotte!: the chance to win after every legal move.

The turn is solved to its end (`turns.py`) with the cards that are really left in the pile; what its end is worth says
`standing.py`. The next card is drawn from what is left, those after it from what is left on average when one that lets
the turn go on is gone.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core.cache import cache_dir
from ludotheque.core.game import Game
from ludotheque.core.jit import BOT_TEMPLATES, COMPILED, entry, jit, rebind
from ludotheque.core.record import Buffer, Ids, Record
from ludotheque.core.record import State as S
from ludotheque.games.volle_lotte.audit import POINT_UNIT
from ludotheque.games.volle_lotte.cards import (
    BOX,
    CLOVER,
    FIREWORKS,
    NUM_CARDS,
    NUM_KINDS,
    PLUS_MINUS,
    STOP_CARD,
    STRAIGHT,
    dice_count,
    lotte_points,
)
from ludotheque.games.volle_lotte.dice import (
    KEEP_DICE,
    KEEP_POINTS,
    NUM_DICE,
    ROLL_DICE,
    ROLL_FACES,
    ROLL_POINTS,
    ROLL_SCORING,
    num_packed,
)
from ludotheque.games.volle_lotte.solver import ENOUGH, FOLDER, MAX_LOSSES, Table, load_table
from ludotheque.games.volle_lotte.standing import SOLVED_TARGET, Stage, chance_at_end_of_turn, take_from_leaders
from ludotheque.games.volle_lotte.state import AT_ONCE, KEEP, MAX_SEATS, ROLLED, STOP, State
from ludotheque.games.volle_lotte.turns import (
    COLUMNS,
    OVERHANG,
    STEPS,
    THOUSAND,
    Turn,
    card_chances,
    clover,
    next_card,
    plus_minus,
    straight,
    work_back,
)

LONGEST = 32_000 // POINT_UNIT  # more points than these are all the same to a turn

if COMPILED:

    @jit
    def record(buf: Buffer) -> S:
        """The match in a row of bytes."""
        return buf.view(State)[0]

else:

    def record(buf: Buffer) -> S:
        """The match in a row of bytes."""
        return Record(buf, State)


@jit
def _units(points: int) -> int:
    return points // POINT_UNIT


@jit
def fill_ends(s: S, values: Any, replies: Any, cap: int, stand: Any, lose: Any) -> None:
    """What scoring the present turn is worth with `[k, x]`, k ±1000 from now on and x points; and losing it."""
    scores = np.zeros(MAX_SEATS, np.int64)
    seat, n = s.actor, s.num_seats
    stage = Stage(n, seat, s.first, -((-s.target) // POINT_UNIT), s.ending, s.closing)
    own = _units(s.score[seat])
    for k in range(len(stand)):
        for other in range(n):
            scores[other] = _units(s.score[other])
        if s.leader_loses == AT_ONCE:
            for _ in range(k):
                take_from_leaders(scores, n, seat, THOUSAND, s.negative)
            lose[k] = chance_at_end_of_turn(values, replies, scores, stage)
        elif k == 0:
            lose[:] = chance_at_end_of_turn(values, replies, scores, stage)
        if s.leader_loses != AT_ONCE and s.losses + k > 0:
            take_from_leaders(scores, n, seat, THOUSAND * (s.losses + k), s.negative)
        for x in range(cap + 1):
            scores[seat] = own + x
            stand[k, x] = chance_at_end_of_turn(values, replies, scores, stage)


@jit
def turn_cap(s: S) -> int:
    """How many points of a turn are worth telling apart: to the target, and far enough ahead of everybody."""
    seat = s.actor
    own, points = s.score[seat], s.turn_points + s.card_points
    best = own
    for other in range(s.num_seats):
        if other != seat:
            best = max(best, s.score[other])
    cap = max(_units(s.target + POINT_UNIT - 1 - own), _units(best - own) + ENOUGH, _units(points) + OVERHANG)
    return min(cap, LONGEST)


@jit
def count_left(s: S, left: Any) -> None:
    """The cards in the pile, by kind; those of the box when it is empty and will be shuffled anew (V2)."""
    for kind in range(NUM_KINDS):
        left[kind] = BOX[kind] - s.discard[kind] if s.num_deck > 0 else BOX[kind]


@jit
def later_chances(left: Any, chances: Any) -> None:
    """The chance of each kind for the card after the next, on average over next cards that are no stop."""
    total = -1
    for kind in range(NUM_KINDS):
        total += left[kind]
    going = total + 1 - left[STOP_CARD]
    for kind in range(NUM_KINDS):
        if total == 0 or going == 0:  # V2: the pile is shuffled anew; or there is no such next card
            chances[kind] = BOX[kind] / NUM_CARDS
        elif kind == STOP_CARD:
            chances[kind] = left[kind] / total
        else:
            chances[kind] = left[kind] / total * (going - 1) / going


@jit
def plan_turn(s: S, values: Any, replies: Any, slant: float, low: int) -> Turn:
    """Solve the present turn from `low` points on, those before the dice of the card in force or more.

    Returns the `Turn` that `value_of` needs, with the chances of the next card.
    """
    cap, goes_on, fireworks_stop = turn_cap(s), s.straight_goes_on, s.fireworks_stop
    low = min(low, cap)
    scores = np.zeros(MAX_SEATS, np.int64)
    for seat in range(s.num_seats):
        scores[seat] = s.score[seat]
    losses = MAX_LOSSES if take_from_leaders(scores, s.num_seats, s.actor, 0, 1) else 1
    stand, best, first = np.empty((losses, cap + 1)), np.empty((losses, cap + 1)), np.empty((losses, cap + 1))
    opened = np.empty((losses, cap + 1, COLUMNS))
    rows = np.empty(((cap + 1 + OVERHANG) * STEPS, COLUMNS))
    lose, left = np.empty(losses), np.empty(NUM_KINDS, np.int64)
    chances, later = np.empty(NUM_KINDS), np.empty(NUM_KINDS)
    fill_ends(s, values, replies, cap, stand, lose)
    for k in range(losses):
        for x in range(cap + 1):
            stand[k, x] += slant * x
    count_left(s, left)
    card_chances(left, chances)
    later_chances(left, later)
    for k in range(losses - 1, -1, -1):
        work_back(Turn(cap, goes_on, fireworks_stop, later, stand, lose, best, opened, rows), k, low, True)
    turn = Turn(cap, goes_on, fireworks_stop, chances, stand, lose, best, opened, rows)
    if s.phase != ROLLED:
        return turn
    for k in range(losses):
        first[k, cap] = stand[k, cap]
        for x in range(low, cap):
            first[k, x] = max(stand[k, x], next_card(turn, k, x))
    turn = Turn(cap, goes_on, fireworks_stop, chances, stand, lose, first, opened, rows)
    if dice_count(s.card):
        work_back(turn, 0, low, False)
    return turn


@jit
def value_of(s: S, action: int, turn: Turn) -> float:
    """What an action is worth in the turn that was planned."""
    cap, stand = turn.cap, turn.stand
    before = min(_units(s.turn_points), cap)
    if s.phase != ROLLED:
        if action == STOP:
            return stand[0, before]
        return next_card(turn, 0, before)
    card, roll = s.card, s.roll
    if card == STRAIGHT:
        aside = num_packed(s.aside | int(ROLL_FACES[roll]))
        return straight(turn, 0, before, aside)
    gained = s.card_points
    if action == STOP:
        if dice_count(card):
            gained += int(ROLL_POINTS[roll])
        if int(ROLL_SCORING[roll]) < int(ROLL_DICE[roll]):
            return stand[0, min(_units(s.turn_points + gained), cap)]
        made = 1 if card == PLUS_MINUS and len(stand) > 1 else 0
        return stand[made, min(_units(lotte_points(card, s.turn_points, gained)), cap)]
    keep = action - KEEP
    left = int(ROLL_DICE[roll]) - int(KEEP_DICE[keep])
    if card == PLUS_MINUS:
        return plus_minus(turn, 0, before, left)
    if card == CLOVER:
        return clover(turn, 0, left, s.lottes)
    if card == FIREWORKS and left == 0:  # V9: this is to go on, not to stop
        left = NUM_DICE
    points = s.turn_points + gained + int(KEEP_POINTS[keep])
    return turn.rows[min(_units(points), cap) * STEPS + left, card - FIREWORKS]


def advise(buf: Buffer, ids: Ids, values: Any, replies: Any, slant: float, wins: Any) -> None:
    """The chance to win after each of the actions of the seat at turn.

    `slant` is added for each fifty points that the turn scores.
    """
    s = record(buf)
    low = _units(s.turn_points + s.card_points)
    turn = plan_turn(s, values, replies, slant, low)
    for i in range(len(ids)):
        wins[i] = value_of(s, int(ids[i]), turn)


SLANT = 1e-8
"""So small that it decides nothing: by how much chances grow with it tells the expected points."""


class Advisor:
    """Weighs moves by exact chances to win. Threads may share it."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def _advise(self) -> Any:
        directory = cache_dir(self.game.id, FOLDER, BOT_TEMPLATES)
        return entry(rebind(advise, {}, f"{self.game.id}_"), directory)

    def table(self, buf: Buffer) -> Table:
        """The table to read for a match."""
        s = self.game.read(buf)
        return load_table(bool(s.negative) or s.target > SOLVED_TARGET * POINT_UNIT)

    def weigh(
        self, buf: Buffer, seat: int, ids: npt.NDArray[np.int16]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """For each legal action of the seat at turn: the chance to win the match, and the points expected of this turn.

        `buf` is a record concealed for the seat.
        """
        table = self.table(buf)
        wins, slanted = np.empty(len(ids)), np.empty(len(ids))
        self._advise(buf, ids, table.values, table.replies, 0.0, wins)
        self._advise(buf, ids, table.values, table.replies, SLANT, slanted)
        return wins, (slanted - wins) / SLANT * POINT_UNIT
