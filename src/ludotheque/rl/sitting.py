"""One match as environments play it: which seat is asked next, what it sees, what a move brings.

The seat at turn is asked. Some options let others move out of turn (a draw still due, a fault to call): then, after
every move, each of those who could is asked first, clockwise from the seat at turn, and may play or `wait`. Only when
all have waited is the seat at turn asked.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import registry
from ludotheque.core.chance import key_from_seed
from ludotheque.core.errors import IllegalMove, InvalidMove, InvalidOptions
from ludotheque.core.info import OptionValue
from ludotheque.core.match import Match
from ludotheque.rl.comparing import same_state
from ludotheque.rl.observations import Encoder
from ludotheque.rl.rewards import Floats, Reckoner

_PROBE = 200
"""Random moves after which a game that never let anybody move out of turn is taken not to."""


@cache
def _moves_out_of_turn(game_id: str, players: int, options: tuple[tuple[str, OptionValue], ...]) -> bool:
    rng = random.Random(1)
    match = registry.load(game_id).new(players, seed=1, **dict(options))
    for _ in range(_PROBE):
        if match.over:
            return False
        if len(match.movers()) > 1:
            return True
        match.play(rng.choice(match.legal()))
    return False


_BOUND = ("_kernels", "_ids", "_raw", "_buf", "_round")
"""What a sitting works with, which belongs to one process."""


class Sitting:
    """A match of a game with options that stay; `begin` deals the next one."""

    def __init__(
        self,
        game: str,
        players: int | None,
        reward: str,
        observations: str,
        out_of_turn: bool | None,
        options: Mapping[str, Any],
    ) -> None:
        self.game = registry.load(game)
        info = self.game.info
        self.players = info.min_seats if players is None else players
        self.options = self.game.options(self.players, options)
        self.encoder = Encoder(self.game, observations)
        self.reckoner = Reckoner(self.game, self.players, reward)
        if out_of_turn is not None and not isinstance(out_of_turn, bool):
            raise InvalidOptions(f"out_of_turn is True, False or None, not {out_of_turn!r:.40}")
        if out_of_turn is None:
            out_of_turn = _moves_out_of_turn(game, self.players, tuple(self.options.items()))
        self.out_of_turn = out_of_turn
        """Whether seats are asked out of turn."""
        self.wait = info.num_actions
        """The action of a seat that is asked out of turn and does nothing. There is none if nobody is ever asked."""
        self.num_actions = info.num_actions + out_of_turn
        self.match: Match
        self.seat = 0
        """The seat that is asked; -1 when the match is over."""
        self._queue: list[int] = []
        self._bind()

    def _bind(self) -> None:
        """Look up what is called at every step, and make room for what it writes."""
        info = self.game.info
        self._kernels = self.game.kernels
        self._ids = np.empty(info.num_actions, np.int16)
        self._raw = np.zeros(info.observation_size, np.int16)

    def begin(self, seed: int | str | bytes | None, names: list[str]) -> None:
        """Deal a match."""
        self.match = Match.start(self.game, names, self.options, key_from_seed(seed))
        self._look_into_match()
        self._round_seen = int(self._round[0])
        self._rewarded = self.reckoner.standing(self._buf) if self.reckoner.by_round else None
        self._ask()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _BOUND}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()
        if "match" in state:
            self._look_into_match()

    __eq__ = same_state
    __hash__ = None  # type: ignore[assignment]  # it changes

    def _look_into_match(self) -> None:
        self._buf = self.match.buffer  # read at every step: a copy each time would cost more than the move
        self._round = self._buf.view(self.game.info.state)["round_no"]

    def play(self, action: Any) -> Floats | None:
        """Play for the seat that is asked; what that brings every seat, None for nothing. An error changes nothing."""
        if action == self.wait and self.out_of_turn:
            if not self._is_early():
                raise IllegalMove("who is at turn cannot wait")
            self.seat = self._queue.pop(0) if self._queue else self.match.actor
            return None
        try:
            chosen = int(action)
        except (TypeError, ValueError):
            raise InvalidMove(f"an action is a number below {self.num_actions}, not {action!r:.40}") from None
        self.match.play(self.game.move(chosen), self.seat)
        self._ask()
        if self.seat < 0:
            scores, places = (np.array(column, np.int32) for column in self.match.result())
            return self.reckoner.final(scores, places, self._rewarded)
        if self._rewarded is not None and self._round[0] != self._round_seen:
            self._round_seen = int(self._round[0])
            before, self._rewarded = self._rewarded, self.reckoner.standing(self._buf)
            return self.reckoner.between(self._rewarded, before)
        return None

    def _ask(self) -> None:
        """Who comes after a move."""
        actor = self.match.actor
        if self.out_of_turn and actor >= 0:
            idle = self._kernels.idle(self._buf)
            clockwise = ((actor + step) % self.players for step in range(1, self.players))
            self._queue = [seat for seat in clockwise if idle >> seat & 1]
            if self._queue:
                actor = self._queue.pop(0)
        self.seat = actor

    def _is_early(self) -> bool:
        """Whether the seat that is asked is not at turn."""
        return self.out_of_turn and self.seat != self.match.actor

    def observe(self, seat: int) -> npt.NDArray[Any]:
        """What a seat sees."""
        self._kernels.watch(self._buf, seat, self._raw)
        return self.encoder.encode(self._raw)

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """1 for each action the seat may take now: none if it is not asked."""
        mask = np.zeros(self.num_actions, np.int8)
        if seat == self.seat and seat >= 0:
            count = self._kernels.moves(self._buf, seat, self._ids)
            mask[self._ids[:count]] = 1
            if self._is_early():
                mask[self.wait] = 1
        return mask

    def state(self) -> npt.NDArray[Any]:
        """What all seats see together: their observations side by side, from seat 0 on."""
        return np.concatenate([self.observe(seat) for seat in range(self.players)])
