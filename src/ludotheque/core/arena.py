"""An arena: thousands of matches in one array, stepped together in compiled code on all cores."""

from __future__ import annotations

import copy
import os
import threading
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from ludotheque.core import arena_file, warm
from ludotheque.core import entries as templates
from ludotheque.core.chance import chacha_block, key_from_seed
from ludotheque.core.errors import IllegalMove, InvalidMove, InvalidOptions
from ludotheque.core.files import read_bytes, write_bytes
from ludotheque.core.jit import COMPILED, plain, set_num_threads
from ludotheque.core.moves import Move
from ludotheque.core.record import Buffer, Cells

if TYPE_CHECKING:
    from ludotheque.core.game import Game

MAX_MATCHES = 1 << 22  # four million records are the memory of a large machine

NO_ACTION = -2
"""Replaces a number that is no action; -1 plays nothing."""

_ONE_AT_A_TIME = threading.Lock()
"""Numba's simplest scheduler cannot be entered from two threads at once."""


def num_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_in_use: tuple[int, int] = (0, 0)
"""The thread that ran a batch last, and how many cores it was set to use."""


def _use_cores(count: int) -> None:
    """Let this thread's parallel loops use so many cores. Setting it again costs as much as a small step."""
    global _in_use
    wanted = threading.get_ident(), count
    if wanted != _in_use:
        set_num_threads(count)
        _in_use = wanted


_is_forked = False
"""Whether this process was forked from one whose parallel loops had begun: in it, GNU OpenMP would end the process."""


def _after_fork() -> None:
    global _is_forked, _ONE_AT_A_TIME
    _is_forked = _is_forked or _in_use != (0, 0)
    _ONE_AT_A_TIME = threading.Lock()  # the thread that held it is not in this process


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _as_rules_read(array: Any) -> Any:
    """An array whose numbers are Python integers in interpreted mode: NumPy's would overflow."""
    return array if COMPILED else Cells(array)


_SAVED = ("records", "done", "scores", "places", "episodes", "_base", "_chooser", "_drawn")
"""The arrays that are saved; the others are read off the records."""

_BOUND = ("_kernel", "_kernel_alone", "_status", "_no_observations", "_batch", "_setup")
"""What `_bind` makes of the rest."""

_OWN = (*_BOUND, "threads", "_parts", "_ids", "_is_listed", "_drawn", "_handed_out")
"""What does not matter when two arenas are compared: how they work, and what they have worked out."""


def _same(one: Any, two: Any) -> bool:
    return np.array_equal(one, two) if isinstance(one, np.ndarray) else bool(one == two)


class Arena:
    """A batch of matches of one game with the same options. Get one with `Game.arena`.

    The arrays below are the arena's own and change with every step. Match i of episode e has the key `key(i)`:
    the same moves on `game.new(seed=arena.key(i))` give the same bytes.

    Examples:
        >>> import ludotheque
        >>> arena = ludotheque.game("double_lucky_7").arena(4, players=3, seed=1)
        >>> arena.step(arena.sample())  # how many matches ended
        0
        >>> arena.masks.shape == (4, arena.game.info.num_actions)
        True
        >>> arena.observe(arena.actors).shape == (4, arena.game.info.observation_size)
        True
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
        self._base = key_from_seed(seed)
        states = np.frombuffer(self._base.tobytes(), np.int64)[0] + np.arange(num_matches) * 0x9E3779B97F4A7C1
        self._chooser: npt.NDArray[np.int64] = states.astype(np.int64) & ((1 << 62) - 1)
        self._drawn: npt.NDArray[np.int16] = np.full(num_matches, -1, np.int16)
        self._handed_out: npt.NDArray[np.int16] = self._drawn.copy()
        self._is_drawn = False
        self._bind()
        self._do(templates.START)
        self._look()

    def _look(self) -> None:
        """Fill what is read off the records: actors, counts and masks. A step that plays nothing."""
        self._drawn.fill(-1)
        self._do(templates.STEP)

    def _bind(self) -> None:
        """Put together what the compiled code is given."""
        self._kernel = self.game.kernels.arena
        self._kernel_alone = self.game.kernels.arena_alone
        self._status: npt.NDArray[np.int64] = np.zeros(self._parts, np.int64)
        self._no_observations: npt.NDArray[np.int16] = np.zeros((0, 0), np.int16)
        self._batch = templates.Batch(
            records=self.records,
            actors=_as_rules_read(self.actors),
            ids=_as_rules_read(self._ids),
            counts=_as_rules_read(self.counts),
            masks=_as_rules_read(self.masks),
            done=_as_rules_read(self.done),
            scores=_as_rules_read(self.scores),
            places=_as_rules_read(self.places),
            episodes=_as_rules_read(self.episodes),
            chooser=_as_rules_read(self._chooser),
            status=self._status,
        )
        self._setup = templates.Setup(_as_rules_read(self._base), self.players, self.options.codes, self.auto_reset)

    def __repr__(self) -> str:
        return f"<Arena {self.num_matches} matches of {self.game.id}, {self.players} players>"

    def __len__(self) -> int:
        """How many matches there are."""
        return self.num_matches

    def __eq__(self, other: object) -> bool:
        """The same matches, which go on the same way: game, options, records, and the state of their chance."""
        if not isinstance(other, Arena):
            return NotImplemented
        one, two = ({**arena.__dict__, **dict.fromkeys(_OWN)} for arena in (self, other))
        return one.keys() == two.keys() and all(_same(one[name], two[name]) for name in one)

    __hash__ = None  # type: ignore[assignment]  # an arena changes

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in _BOUND}
        return {**state, "rules_version": self.game.info.rules_version}

    def __setstate__(self, state: dict[str, Any]) -> None:
        game: Game = state["game"]
        game.info.check_version(state.pop("rules_version"))
        warm.ensure(game.id, warm.BATCH)
        self.__dict__.update(state)
        self._bind()

    def __copy__(self) -> Arena:
        """A copy has matches of its own."""
        return copy.deepcopy(self)

    def save(self, file: str | Path | None = None) -> bytes:
        """The batch as bytes, for `load`: the matches, and all that decides how they go on.

        Args:
            file: Where to write them too.

        Returns:
            The bytes.

        Raises:
            LudothequeError: If the file cannot be written.

        Examples:
            >>> import ludotheque
            >>> arena = ludotheque.game("double_lucky_7").arena(4, players=3, seed=1)
            >>> saved = arena.save()
            >>> ludotheque.Arena.load(saved) == arena
            True
        """
        content = arena_file.pack(self, {name: getattr(self, name) for name in _SAVED})
        if file is not None:
            write_bytes(Path(file), content)
        return content

    @staticmethod
    def load(source: str | Path | bytes, threads: int | None = None) -> Arena:
        """The batch that was saved. It goes on as the original would. Nothing in a file is run.

        Args:
            source: A file, or the bytes of one.
            threads: How many cores to use; all of them without it.

        Raises:
            LudothequeError: If that is no saved batch, or a damaged one, or one of other rules.

        Examples:
            >>> import tempfile
            >>> import ludotheque
            >>> arena = ludotheque.game("double_lucky_7").arena(4, players=3, seed=1)
            >>> with tempfile.NamedTemporaryFile() as file:
            ...     saved = arena.save(file.name)
            ...     again = ludotheque.Arena.load(file.name)
            >>> again.step(again.sample()), again.num_matches
            (0, 4)
        """
        saved = arena_file.unpack(source if isinstance(source, bytes) else read_bytes(Path(source)))
        arena = Arena(saved.game, saved.num_matches, saved.players, 0, threads, saved.auto_reset, saved.options)
        saved.check({name: getattr(arena, name) for name in _SAVED})
        arena.records[:] = saved.arrays["records"]
        arena._look()
        for name in _SAVED:
            getattr(arena, name)[:] = saved.arrays[name]
        arena._is_drawn = saved.is_drawn
        return arena

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

    def legal(self, index: int) -> list[Move]:
        """The legal moves of the actor in one match; none where it is over."""
        made = self.game.moves.made
        return [made[action] for action in np.flatnonzero(self.masks[index]).tolist()]

    def record(self, index: int) -> Buffer:
        """A copy of one match's record."""
        return self.records[index].copy()

    def sample(self) -> npt.NDArray[np.int16]:
        """A uniformly random legal action for each match (-1 where it is over). Two arrays are used alternately."""
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

        Actions are an array of action ids, or a list of moves. The seats are the actors' unless given. If any action
        is illegal, `IllegalMove` names the first match where, and no match changes. An array for observations is
        filled with what the next actors see: that costs less here than in a call of its own. With `partly` nothing is
        played where the action is -1.
        """
        chosen = self._column(actions, "actions")
        who = self.actors if seats is None else self._column(seats, "seats")
        if observations is not None:
            self._check_out(observations)
        self._do(templates.PARTLY if partly else templates.CHECK_AND_STEP, chosen, who, observations)
        refused = -1 - int(self._status[0])
        if refused >= 0:
            action, seat = int(chosen[refused]), who[refused]
            is_move = 0 <= action < self.game.info.num_actions
            name = f"{action} ({self.game.moves[action]})" if is_move else np.asarray(actions)[refused]
            raise IllegalMove(f"match {refused}: action {name} is not legal for seat {seat}")
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
        """One kind of work on the whole batch, see `entries.arena`."""
        given = (
            work,
            self._parts,
            self._batch,
            self._setup,
            _as_rules_read(self._drawn if actions is None else actions),
            _as_rules_read(self.actors if seats is None else seats),
            _as_rules_read(self._drawn),
            self._no_observations if observations is None else observations,
        )
        with _ONE_AT_A_TIME:
            if not _is_forked:
                _use_cores(self._parts)
                self._kernel(*given)
                return
            with warnings.catch_warnings():  # Numba's, of records that begin alike, if this is compiled only now
                warnings.simplefilter("ignore")
                self._kernel_alone(*given)

    def _column(self, values: npt.ArrayLike, what: str) -> npt.NDArray[Any]:
        column = np.asarray(values)
        if column.dtype.kind == "U" and what == "actions":
            column = np.array([self.game.moves.parse(move).id for move in cast("Iterable[str]", values)], np.int16)
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
