"""An arena: thousands of matches in one array, stepped together in compiled code on all cores."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import kernels as templates
from ludotheque.core import warm
from ludotheque.core.chance import chacha_block, key_from_seed
from ludotheque.core.errors import IllegalMove, InvalidMove, InvalidOptions
from ludotheque.core.jit import COMPILED, plain, set_num_threads
from ludotheque.core.record import Buffer, Cells

if TYPE_CHECKING:
    from ludotheque.core.game import Game

MAX_MATCHES = 1 << 22  # four million records are the memory of a large machine

NO_ACTION = -2
"""What stands for a number that is no action; -1 plays nothing."""

_ONE_AT_A_TIME = threading.Lock()
"""Numba's simplest scheduler cannot be entered from two threads at once."""


def num_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_in_use: tuple[int, int] = (0, 0)
"""The thread that ran a batch last, and how many cores it was told to use."""


def _use_cores(count: int) -> None:
    """Let this thread's parallel loops use so many cores. Telling Numba again costs as much as a small step."""
    global _in_use
    wanted = threading.get_ident(), count
    if wanted != _in_use:
        set_num_threads(count)
        _in_use = wanted


def _as_rules_read(array: Any) -> Any:
    """An array whose numbers are Python integers in interpreted mode: NumPy's would overflow."""
    return array if COMPILED else Cells(array)


class Arena:
    """A batch of matches of one game with the same options. Get one with `Game.arena`.

    The arrays below are the arena's own and change with every step. Match i of episode e has the key `key(i)`:
    the same moves on `game.new(seed=arena.key(i))` give the same bytes.
    """

    def __init__(
        self,
        game: Game,
        num_matches: int,
        players: int | None,
        seed: int | str | bytes | None,
        threads: int | None,
        auto_reset: bool,
        options: Mapping[str, Any],
    ) -> None:
        if type(num_matches) is not int or not 1 <= num_matches <= MAX_MATCHES:
            raise InvalidOptions(f"an arena holds 1 to {MAX_MATCHES} matches, not {num_matches!r}")
        if threads is not None and (type(threads) is not int or not 1 <= threads <= 1024):
            raise InvalidOptions(f"threads is a number from 1 to 1024, not {threads!r}")
        warm.ensure(game.id, warm.BATCH)
        info = game.info
        self.game = game
        self.players = info.min_seats if players is None else players
        self.options = game.options(self.players, options)
        self.auto_reset = auto_reset
        self.threads = threads or num_cores()
        self.num_matches = num_matches
        self._parts = min(self.threads, num_matches)
        self.records: npt.NDArray[np.uint8] = np.zeros((num_matches, info.state.itemsize), np.uint8)
        """The matches, a row each."""
        self.actors: npt.NDArray[np.int8] = np.zeros(num_matches, np.int8)
        """The seat each match waits for; -1 where it is over."""
        self.masks: npt.NDArray[np.uint8] = np.zeros((num_matches, info.num_actions), np.uint8)
        """1 for each legal action of the actor."""
        self.counts: npt.NDArray[np.int32] = np.zeros(num_matches, np.int32)
        """How many legal actions the actor has."""
        self._ids: npt.NDArray[np.int16] = np.zeros((num_matches, info.num_actions), np.int16)
        self._is_listed = False
        self.done: npt.NDArray[np.uint8] = np.zeros(num_matches, np.uint8)
        """1 where the last step ended the match."""
        self.scores: npt.NDArray[np.int32] = np.zeros((num_matches, info.max_seats), np.int32)
        """Final scores of the match that last ended in that row."""
        self.places: npt.NDArray[np.int32] = np.zeros((num_matches, info.max_seats), np.int32)
        """Final places of the match that last ended in that row."""
        self.episodes: npt.NDArray[np.int64] = np.zeros(num_matches, np.int64)
        """How many matches ended before in that row."""
        self._kernel = game.kernels.arena
        self._base = key_from_seed(seed)
        states = np.frombuffer(self._base.tobytes(), np.int64)[0] + np.arange(num_matches) * 0x9E3779B97F4A7C1
        self._chooser: npt.NDArray[np.int64] = states.astype(np.int64) & ((1 << 62) - 1)
        self._drawn: npt.NDArray[np.int16] = np.full(num_matches, -1, np.int16)
        self._handed_out: npt.NDArray[np.int16] = self._drawn.copy()
        self._is_drawn = False
        self._status: npt.NDArray[np.int64] = np.zeros(self._parts, np.int64)
        self._no_observations: npt.NDArray[np.int16] = np.zeros((0, 0), np.int16)
        self._do(templates.START)
        self._do(templates.STEP)  # plays nothing, for nothing is drawn: fills actors, ids and masks

    def __len__(self) -> int:
        return self.num_matches

    @property
    def ids(self) -> npt.NDArray[np.int16]:
        """The actor's legal actions; only the first `counts` of a row mean something. Listed when asked for."""
        if not self._is_listed:
            self._do(templates.LIST)
            self._is_listed = True
        return self._ids

    def key(self, index: int) -> bytes:
        """The key of the match now in a row."""
        key = np.zeros(16, np.uint32)
        plain(chacha_block)(self._base, index, int(self.episodes[index]), 8, key)
        return key[:8].astype("<u4").tobytes()

    def record(self, index: int) -> Buffer:
        """A copy of one match's record."""
        return self.records[index].copy()

    def sample(self) -> npt.NDArray[np.int16]:
        """A uniformly random legal action for each match (-1 where it is over). Two arrays serve in turn."""
        if not self._is_drawn:
            self._do(templates.SAMPLE)
        self._is_drawn = False
        self._drawn, self._handed_out = self._handed_out, self._drawn
        return self._handed_out

    def step(
        self,
        actions: npt.ArrayLike,
        seats: npt.ArrayLike | None = None,
        observations: npt.NDArray[np.int16] | None = None,
        partly: bool = False,
    ) -> int:
        """Play one action in every match that is not over; returns how many ended.

        The seats are the actors' unless given. If any action is illegal, `IllegalMove` names the first match where,
        and no match changes. An array for observations is filled with what the next actors see: that costs less here
        than in a call of its own. With `partly` nothing is played where the action is -1.
        """
        chosen = self._column(actions, "actions")
        who = self.actors if seats is None else self._column(seats, "seats")
        if observations is not None:
            self._check_out(observations)
        self._do(templates.PARTLY if partly else templates.CHECK_AND_STEP, chosen, who, observations)
        refused = -1 - int(self._status[0])
        if refused >= 0:
            action, seat = np.asarray(actions)[refused], who[refused]
            raise IllegalMove(f"match {refused}: action {action} is not legal for seat {seat}")
        self._is_drawn = True
        self._is_listed = False
        return sum(self._status.tolist())  # a few numbers: faster than asking NumPy

    def observe(self, seats: npt.ArrayLike, out: npt.NDArray[np.int16] | None = None) -> npt.NDArray[np.int16]:
        """The observation of one seat in each match, a row each; into `out` if given."""
        who = self._column(seats, "seats")
        if out is None:
            out = np.zeros((self.num_matches, self.game.info.observation_size), np.int16)
        self._check_out(out)
        self._do(templates.OBSERVE, seats=who, observations=out)
        return out

    def _check_out(self, out: npt.NDArray[np.int16]) -> None:
        shape = (self.num_matches, self.game.info.observation_size)
        if out.shape != shape or out.dtype != np.int16 or not out.flags.c_contiguous:
            raise InvalidOptions(f"an array for observations is contiguous, int16 and of shape {shape}")

    def _do(
        self,
        work: int,
        actions: npt.NDArray[Any] | None = None,
        seats: npt.NDArray[Any] | None = None,
        observations: npt.NDArray[np.int16] | None = None,
    ) -> None:
        """One kind of work on the whole batch, see `kernels.arena`."""
        batch: tuple[Any, ...] = (
            self.records,
            self._drawn if actions is None else actions,
            self.actors if seats is None else seats,
            self.actors,
            self._ids,
            self.counts,
            self.masks,
            self.done,
            self.scores,
            self.places,
            self.episodes,
        )
        if not COMPILED:
            batch = (self.records, *(Cells(array) for array in batch[1:]))
        with _ONE_AT_A_TIME:
            _use_cores(self._parts)
            self._kernel(
                work,
                self._parts,
                batch,
                _as_rules_read(self._chooser),
                _as_rules_read(self._drawn),
                _as_rules_read(self._no_observations if observations is None else observations),
                _as_rules_read(self._base),
                self.auto_reset,
                self.players,
                self.options.codes,
                self._status,
            )

    def _column(self, values: npt.ArrayLike, what: str) -> npt.NDArray[Any]:
        column = np.asarray(values)
        if column.shape != (self.num_matches,) or column.dtype.kind not in "iu":
            raise InvalidMove(f"{what} is an array of {self.num_matches} integers, one for each match")
        if what == "seats":
            if column.size and not (column.min() >= -1 and column.max() < self.players):
                raise InvalidMove(f"seats go from 0 to {self.players - 1}")
            return np.ascontiguousarray(column, np.int8)
        if column.dtype != np.int16:
            limit = self.game.info.num_actions
            column = np.where((column < -1) | (column >= limit), NO_ACTION, column).astype(np.int16)
        return np.ascontiguousarray(column)
