"""The two-player match of Volle Lotte! solved: the chance to win of the player at turn, for every pair of scores.

Every card is taken to be drawn from the whole box; else the solution is exact. A turn is solved by `turns.py` once it
is known what each way to end it is worth, and that is the other player's chance at the new scores. When the leader
loses points only with a turn that is scored, a turn never lowers the sum of both scores: it brings at least as many
points as it takes. So pairs of scores are solved from the highest sum to the lowest. Among pairs of the same sum there
are circles: turns that are lost, and turns of nothing but ±1000. They are closed by iteration; a lost turn, which
leads to the same scores with the other player at turn, is taken out of it by solving each two such pairs for both
values at once (a chord method: how much a value depends on that of a lost turn is found once in each layer).

`python -m ludotheque.games.volle_lotte.solver` makes the tables that the bots use.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludotheque.core.cache import cache_dir
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.info import Options
from ludotheque.core.jit import BOT_TEMPLATES, entry, jit, rebind
from ludotheque.games.volle_lotte.audit import POINT_UNIT
from ludotheque.games.volle_lotte.cards import BOX
from ludotheque.games.volle_lotte.rules import INFO
from ludotheque.games.volle_lotte.turns import (
    COLUMNS,
    OVERHANG,
    STEPS,
    THOUSAND,
    Turn,
    card_chances,
    next_card,
    work_back,
)

Progress = Callable[[int, int], None]
"""Called with how much is done, and how much there is to do."""

FOLDER = Path(__file__).parent

LOWEST_SCORE = -2000  # with `negative`: nobody is taken to fall lower; that takes three ±1000 in one turn
MAX_LOSSES = 3  # a turn's ±1000 are told apart up to this many, less one; more count as that many
ENOUGH = 6000 // POINT_UNIT  # a turn that takes the lead by this at the end is taken to be scored at once
MAX_REPLY = 10_000 // POINT_UNIT  # beyond, the last turn is as hopeless as that far behind
PRECISION = 1e-10
NUDGE = 1e-4


@dataclass(frozen=True, slots=True)
class Table:
    """A solved match. Scores are counted in fifties."""

    values: npt.NDArray[np.float64]
    """The chance to win of the player at turn, `[own score - floor, other score - floor]`, below the target."""
    replies: npt.NDArray[np.float64]
    """The chance to win of the player who has the last turn and is so many fifties behind."""
    floor: int
    """The lowest score."""

    def start(self) -> float:
        """The chance to win of the player who begins the match."""
        return float(self.values[-self.floor, -self.floor])


@jit
def fill_reply(behind: int, cap: int, stand: Any) -> None:
    """V15: what scoring is worth in the last turn of the match, with two players."""
    for k in range(len(stand)):
        for x in range(cap + 1):
            lead = x + THOUSAND * k - behind
            stand[k, x] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


@jit
def fill_stand(values: Any, replies: Any, own: int, other: int, cap: int, stand: Any) -> None:
    """What scoring a turn is worth, from the solved pairs: the other player is at turn, or has the last turn."""
    size = len(values)
    for k in range(len(stand)):
        rest = max(other - THOUSAND * k, 0)  # V12
        for x in range(cap + 1):
            score = own + x
            if score < size:
                stand[k, x] = 1.0 - values[rest, score]
            else:
                stand[k, x] = 1.0 - replies[min(score - rest, len(replies) - 1)]


@jit
def turn_value(turn: Turn) -> float:
    """What a whole turn is worth."""
    for k in range(len(turn.stand) - 1, -1, -1):
        work_back(turn, k, 0, True)
    return next_card(turn, 0, 0)


def last_turns(replies: Any, box: Any, goes_on: int, fireworks_stop: int) -> None:
    """The chance to win in the last turn, by how far behind the player is."""
    longest, losses = len(replies), 2 * MAX_LOSSES
    stand, best = np.empty((losses, longest + 1)), np.empty((losses, longest + 1))
    opened = np.empty((losses, longest + 1, COLUMNS))
    rows = np.empty(((longest + 1 + OVERHANG) * STEPS, COLUMNS))
    lose, chances = np.zeros(losses), np.empty(len(box))
    card_chances(box, chances)
    for behind in range(longest):
        cap, most = behind + 1, min(behind // THOUSAND + 2, losses)
        fill_reply(behind, cap, stand[:most])
        turn = Turn(cap, goes_on, fireworks_stop, chances, stand[:most], lose[:most], best[:most], opened, rows)
        replies[behind] = turn_value(turn)


class Solving(NamedTuple):
    """A match that is being solved."""

    box: Any
    """How many cards of each kind there are."""
    goes_on: int
    """V13: whether a turn goes on after a straight."""
    fireworks_stop: int
    """V9: whether a player may stop under fireworks."""
    values: Any
    """As in the table, so far."""
    replies: Any
    """As in the table."""
    better: Any
    """The values of a layer after the next round of iteration, by the score at turn."""
    slopes: Any
    """How much a value of a layer changes with that of a lost turn, by the score at turn."""


def improve(match: Solving, total: int, first: int, last: int, begin: bool) -> float:
    """One round of iteration for some pairs of scores of the same sum: the lower scores `first` to `last` - 1.

    Reads `values`, writes `better`. Returns the largest change. The first round of a layer finds `slopes`.
    """
    values, slopes, box = match.values, match.slopes, match.box
    size = len(values)
    longest = size + ENOUGH
    stand, best = np.empty((MAX_LOSSES, longest + 1)), np.empty((MAX_LOSSES, longest + 1))
    opened = np.empty((MAX_LOSSES, longest + 1, COLUMNS))
    rows = np.empty(((longest + 1 + OVERHANG) * STEPS, COLUMNS))
    lose, chances, constant = np.empty(MAX_LOSSES), np.empty(len(box)), np.empty(2)
    card_chances(box, chances)
    change = 0.0
    for low in range(first, last):
        for side in range(2):
            own, other = (low, total - low) if side == 0 else (total - low, low)
            losses = MAX_LOSSES if other > own else 1  # V12: only a leader loses
            cap = max(size - own, other - own + ENOUGH)
            fill_stand(values, match.replies, own, other, cap, stand[:losses])
            lost = 1.0 - values[other, own]
            lose[:] = lost
            goes_on, fireworks_stop = match.goes_on, match.fireworks_stop
            turn = Turn(
                cap, goes_on, fireworks_stop, chances, stand[:losses], lose[:losses], best[:losses], opened, rows
            )
            value = turn_value(turn)
            if begin:
                lose[:] = lost + NUDGE
                slopes[own] = (turn_value(turn) - value) / NUDGE
            # The value is about constant[side] - slope * the other's value.
            constant[side] = value + slopes[own] * (1.0 - lost)
        mine, yours = slopes[low], slopes[total - low]
        for side in range(2):
            own, other = (low, total - low) if side == 0 else (total - low, low)
            value = (constant[side] - slopes[own] * constant[1 - side]) / (1.0 - mine * yours)
            change = max(change, abs(value - values[own, other]))
            match.better[own] = value
    return change


@cache
def _kernels() -> SimpleNamespace:
    directory = cache_dir(INFO.id, FOLDER, BOT_TEMPLATES)
    owner = f"{INFO.id}_"
    return SimpleNamespace(
        last_turns=entry(rebind(last_turns, {}, owner), directory),
        improve=entry(rebind(improve, {}, owner), directory),
    )


def solve(options: Mapping[str, Any], jobs: int = 1, progress: Progress | None = None) -> Table:
    """Solve the match of two under these options, on so many cores.

    Not all options allow it: `ending` must be `lowest` and `leader_loses` `when_scored`.
    """
    checked = Options(INFO.options, options).to_json()
    for name, wanted in (("ending", "lowest"), ("leader_loses", "when_scored")):
        if checked[name] != wanted:
            raise InvalidOptions(f"solved for {name} {wanted} only, not {checked[name]}")
    goes_on, fireworks_stop = int(checked["straight_goes_on"]), int(checked["fireworks_stop"])
    floor = LOWEST_SCORE // POINT_UNIT if checked["negative"] else 0
    size = -(-checked["target"] // POINT_UNIT) - floor
    kernels, box = _kernels(), np.array(BOX, np.int64)
    replies = np.empty(MAX_REPLY)
    kernels.last_turns(replies, box, goes_on, fireworks_stop)
    values = np.full((size, size), 0.5)
    better = np.empty(size)
    match = Solving(box, goes_on, fireworks_stop, values, replies, better, np.empty(size))
    done = 0
    with ThreadPoolExecutor(jobs) as pool:
        for total in range(2 * size - 2, -1, -1):
            lowest, highest = max(0, total - size + 1), min(total, size - 1)
            scores = np.arange(lowest, highest + 1)
            _guess(values, scores, total)
            bounds = np.linspace(lowest, total // 2 + 1, jobs + 1).astype(int).tolist()
            begin, change = True, 1.0
            while change > PRECISION:
                parts = [pool.submit(kernels.improve, match, total, a, b, begin) for a, b in pairwise(bounds) if a < b]
                change = max(part.result() for part in parts)
                values[scores, total - scores] = better[scores]
                begin = False
            done += len(scores)
            if progress is not None:
                progress(done, size * size)
    return Table(values, replies, floor)


def _guess(values: npt.NDArray[np.float64], scores: npt.NDArray[np.int64], total: int) -> None:
    """Begin a layer with values like those of the layer above it."""
    inner = scores[(scores + 1 < len(values)) & (total - scores + 1 < len(values))]
    values[inner, total - inner] = (values[inner + 1, total - inner] + values[inner, total - inner + 1]) / 2


def table_path(negative: bool) -> Path:
    """Where the table for the printed target lies, without or with scores below 0."""
    return FOLDER / ("table_negative.npz" if negative else "table.npz")


def write_table(table: Table, path: Path) -> None:
    """Keep a table in a file."""
    np.savez_compressed(
        path, values=table.values.astype(np.float32), replies=table.replies.astype(np.float32), floor=table.floor
    )


def read_table(path: Path) -> Table:
    """The table in a file."""
    with np.load(path) as data:
        return Table(data["values"].astype(np.float64), data["replies"].astype(np.float64), int(data["floor"]))


@cache
def load_table(negative: bool = False) -> Table:
    """The table that comes with the game, for the printed target."""
    return read_table(table_path(negative))


def solve_and_write(path: Path, options: Mapping[str, Any], jobs: int = 1, progress: Progress | None = None) -> Table:
    """Solve the match of two and keep the table in a file."""
    table = solve(options, jobs, progress)
    write_table(table, path)
    return table


def _show(done: int, total: int) -> None:
    sys.stderr.write(f"\r{100 * done // total} %")
    sys.stderr.flush()


if __name__ == "__main__":
    for below_zero in (False, True):
        solved = solve_and_write(table_path(below_zero), {"negative": below_zero}, progress=_show)
        print(f"\n{table_path(below_zero).name}: the first player wins {solved.start():.6f}")
