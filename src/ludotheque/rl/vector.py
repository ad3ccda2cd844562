"""Thousands of matches stepped together, for self-play: observations, masks and rewards as arrays.

    env = make(game, num_envs=4096, players=4, seed=1)
    while training:
        observations, rewards, done = env.step(policy(env.observations, env.masks))

Every match waits for one seat, `actors`; `observations` and `masks` are that seat's. A step plays one move in every
match. A match that ends is followed by another in the same row at once. Arrays are the environment's own, filled
anew by every step: copy what you keep. For one learner among bots see `ludotheque.rl.gymnasium`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import registry
from ludotheque.core.arena import Arena
from ludotheque.core.match import Match, check_names
from ludotheque.rl.comparing import same_state, whole_copy
from ludotheque.rl.observations import Encoder
from ludotheque.rl.rewards import BatchRewards, Floats, check_reward

Seed = int | str | bytes | None


class SelfPlay:
    """A batch of matches of one game in which every seat is played from outside. `make` is another name for it.

    Args:
        game: The id of the game.
        num_envs: How many matches.
        players: How many play in each; as few as can without it.
        seed: The same seed deals the same matches; without one nobody can foresee them.
        threads: How many cores to use; all of them without it.
        reward: One of those in `ludotheque.rl.rewards`.
        observations: `int16`, as the engine writes them and without a copy, or scaled: `float32`, `int8`.
        **options: The game's options.

    Raises:
        UnknownGame: If there is no such game.
        InvalidOptions: If a setting or an option is not one that there is.

    Examples:
        >>> from ludotheque.rl import vector
        >>> env = vector.make("double_lucky_7", num_envs=4, players=3, seed=1)
        >>> observations, rewards, done = env.step(env.sample())
        >>> observations.shape[0], rewards.shape, int(done.sum())
        (4, (4, 3), 0)
        >>> env.match(0).over
        False
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        players: int | None = None,
        seed: Seed = None,
        threads: int | None = None,
        reward: str = "win",
        observations: str = "int16",
        **options: Any,
    ) -> None:
        self.game = registry.load(game)
        self.encoder = Encoder(self.game, observations)
        self.reward = check_reward(reward)
        self._threads = threads
        self._options = options
        self.num_envs = num_envs
        self.num_actions = self.game.info.num_actions
        self.players = self.game.info.min_seats if players is None else players
        self.arena: Arena
        """The engine's batch underneath: scores, places, episodes, records."""
        self.reset(seed)

    __eq__ = same_state
    __copy__ = whole_copy
    __hash__ = None  # type: ignore[assignment]  # it changes

    def reset(self, seed: Seed = None) -> npt.NDArray[Any]:
        """Begin anew in all rows. The arrays are new ones."""
        self.arena = self.game.arena(self.num_envs, self.players, seed, self._threads, True, **self._options)
        self._raw: npt.NDArray[np.int16] = self.arena.observe(self.arena.actors)
        self._is_raw = self.encoder.kind == "int16"
        self.observations: npt.NDArray[Any] = self._raw if self._is_raw else self.encoder.encode(self._raw)
        """What the seats at turn see, a row for each match."""
        self._rewards = BatchRewards(self.arena, self.reward)
        return self.observations

    @property
    def actors(self) -> npt.NDArray[np.int8]:
        """The seat each match waits for."""
        return self.arena.actors

    @property
    def masks(self) -> npt.NDArray[np.uint8]:
        """1 for each legal action of the seats at turn."""
        return self.arena.masks

    @property
    def done(self) -> npt.NDArray[np.uint8]:
        """1 where the last step ended a match; its row shows the next one already."""
        return self.arena.done

    @property
    def rewards(self) -> Floats:
        """What the last step brought every seat, a row for each match."""
        return self._rewards.values

    def step(
        self, actions: npt.ArrayLike, seats: npt.ArrayLike | None = None
    ) -> tuple[npt.NDArray[Any], Floats, npt.NDArray[np.uint8]]:
        """Play one action in every match; the new observations, everybody's rewards, and which matches ended.

        An illegal action is an `IllegalMove` that names the first match where, and no match changes. The seats are
        those at turn, unless others, who may move out of turn under some options, are given.
        """
        ended = self.arena.step(actions, seats, self._raw)
        self._rewards.update(ended)
        if not self._is_raw:
            self.encoder.encode(self._raw, self.observations)
        return self.observations, self._rewards.values, self.arena.done

    def sample(self) -> npt.NDArray[np.int16]:
        """A random legal action for each match."""
        return self.arena.sample()

    def observe(self, seats: npt.ArrayLike) -> npt.NDArray[Any]:
        """What one seat of each match sees, at turn or not."""
        return self.encoder.encode(self.arena.observe(seats))

    def state(self) -> npt.NDArray[Any]:
        """What all seats see together, for a critic: their observations side by side, from the seat at turn on."""
        around = [(self.arena.actors + step) % self.players for step in range(self.players)]
        return np.concatenate([self.observe(seats) for seats in around], axis=1)

    def match(self, index: int) -> Match:
        """A copy of one match as it stands, to look at: `view`, `legal`, `position`."""
        record = self.arena.record(index)
        return Match(self.game, check_names(self.players), self.arena.options, record, None)


make = SelfPlay
