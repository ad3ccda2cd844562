"""Gymnasium: one seat learns, bots play the others. One match (`env`) or many at once (`vector_env`).

Importing this module registers the games with Gymnasium too, as `ludotheque/<id>-v0`.

An observation is a dictionary, `observation` and `action_mask`, or with `flat=True` the first of them alone. The mask
is in the info too, and `action_masks()` gives it as sb3-contrib asks for it. When a match is over it offers one action,
`AFTER_THE_END`, which a batch takes and ignores: no learner has to choose among none. An illegal action ends the match
with a reward of -1 and `illegal` in the info. A learner who is out of a match waits for its end.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ludotheque.bots.ladder import RANDOM, make_player
from ludotheque.core import extras, registry
from ludotheque.core.errors import IllegalMove, InvalidMove, InvalidOptions
from ludotheque.core.game import Game
from ludotheque.core.record import Buffer
from ludotheque.core.texts import check_language
from ludotheque.rl.comparing import same_state, whole_copy
from ludotheque.rl.rewards import BatchRewards
from ludotheque.rl.sitting import Sitting

extras.need("rl", "gymnasium")
import gymnasium
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

ILLEGAL_REWARD = -1.0
AFTER_THE_END = 0
"""The only action that the mask of an ended match offers. Nothing is played: the next step of a batch deals."""
MASK = "action_mask"
RENDER_MODES = ["ansi", "rgb_array"]

Mask = npt.NDArray[np.int8]
Observation = Any
"""A dictionary of arrays, `observation` and `action_mask`, or the first alone."""


class Player(Protocol):
    """Whoever can sit at an environment's table: our bots, and anything like them.

    Examples:
        >>> from ludotheque.rl import gymnasium
        >>> class Stubborn:
        ...     def choose(self, table, seat):
        ...         return 0
        >>> env = gymnasium.env("lobo77", [Stubborn(), "random"], players=3)
    """

    def choose(self, table: Buffer, seat: int) -> str:
        """A move for the seat at turn, given its concealed record."""


Opponents = str | Player | Sequence[str | Player]
"""One bot, for all other seats, or one for each, clockwise from the learner's left: levels by name, or players."""


def env(game: str, opponents: Opponents = RANDOM, players: int | None = None, **settings: Any) -> SeatEnv:
    """One match of a game for a learner among bots.

    Args:
        game: The id of the game.
        opponents: A level of bots, `random` or a `Player`, for all other seats; or a list with one for each, clockwise
            from the learner's left.
        players: How many play; as few as can without it.
        **settings: Those of `SeatEnv`, and the game's options.

    Raises:
        InvalidOptions: If a setting, an option or the number of opponents does not fit.

    Examples:
        >>> from ludotheque.rl import gymnasium
        >>> env = gymnasium.env("double_lucky_7", "random", players=3)
        >>> observation, info = env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.step(observation["action_mask"].argmax())
        >>> reward, terminated
        (0.0, False)
    """
    return SeatEnv(game, opponents, players, **settings)


def vector_env(
    game: str, num_envs: int, opponents: Opponents = RANDOM, players: int | None = None, **settings: Any
) -> SeatVectorEnv:
    """Many matches for a learner among bots.

    Args:
        game: The id of the game.
        num_envs: How many matches.
        opponents: As for `env`.
        players: How many play in each; as few as can without it.
        **settings: Those of `SeatVectorEnv`, and the game's options.

    Raises:
        InvalidOptions: If a setting, an option or the number of opponents does not fit.

    Examples:
        >>> from ludotheque.rl import gymnasium
        >>> env = gymnasium.vector_env("double_lucky_7", 4, "random", players=3)
        >>> observations, info = env.reset(seed=1)
        >>> observations, rewards, ended, cut, info = env.step(observations["action_mask"].argmax(1))
        >>> rewards.shape
        (4,)
    """
    return SeatVectorEnv(game, num_envs, opponents, players, **settings)


def _seat_players(
    game: Game, opponents: Opponents, players: int, seat: int, seed: int | None
) -> dict[int, Player | None]:
    """Who plays each other seat; None plays at random."""
    if type(seat) is not int or not 0 <= seat < players:
        raise InvalidOptions(f"seat goes from 0 to {players - 1}, not {seat!r:.40}")
    listed = list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else None
    named = [opponents] * (players - 1) if listed is None else listed
    if len(named) != players - 1:
        raise InvalidOptions(f"{players} players have {players - 1} opponents, not {len(named)}")
    found: dict[int, Player | None] = {}
    player: Player | None
    for step, who in enumerate(named, 1):
        if who == RANDOM:
            player = None
        elif isinstance(who, str):
            player = make_player(game, who, seed)
        elif hasattr(who, "choose"):
            player = who
        else:
            raise InvalidOptions(f"an opponent is the name of a level, or has a method `choose`, not {who!r:.40}")
        found[(seat + step) % players] = player
    return found


def _spaces(sitting: Sitting, flat: bool) -> tuple[Space[Any], Discrete[np.int64]]:
    encoder = sitting.encoder
    seen = Box(encoder.low, encoder.high, dtype=encoder.dtype.type)
    mask = Box(0, 1, (sitting.num_actions,), np.int8)
    return seen if flat else Dict({"observation": seen, MASK: mask}), Discrete(sitting.num_actions)


def _check_flat(flat: bool) -> bool:
    if not isinstance(flat, bool):
        raise InvalidOptions(f"flat is True or False, not {flat!r:.40}")
    return flat


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One match of a game in which one seat learns and bots play the others. Get one with `env`.

    Args:
        game: The id of the game.
        opponents: Who plays the other seats, see `env`.
        players: How many play; as few as can without it.
        seat: The learner's seat.
        reward: One of those in `ludotheque.rl.rewards`.
        observations: `float32` and scaled, `int16` as the engine writes them, or `int8`.
        flat: Whether an observation is the array alone, without the mask.
        render_mode: `ansi`, `rgb_array` or None.
        out_of_turn: Whether seats are asked out of turn; None: if the options let them move then.
        lang: The language of what is drawn, `en` or `fr`.
        bot_seed: The bots' seed: the same one makes the same choices.
        **options: The game's options.

    Examples:
        >>> from ludotheque.rl.gymnasium import SeatEnv
        >>> env = SeatEnv("lobo77", "random", players=3, seat=1, render_mode="ansi", tokens=1)
        >>> observation, info = env.reset(seed=1)
        >>> "Your hand" in env.render()
        True
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str,
        opponents: Opponents = RANDOM,
        players: int | None = None,
        seat: int = 0,
        reward: str = "win",
        observations: str = "float32",
        flat: bool = False,
        render_mode: str | None = None,
        out_of_turn: bool | None = None,
        lang: str = "en",
        bot_seed: int | None = 0,
        **options: Any,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InvalidOptions(f"render_mode is {', '.join(RENDER_MODES)} or None, not {render_mode!r:.40}")
        self.render_mode = render_mode
        self.lang = check_language(lang)
        self.sitting = Sitting(game, players, reward, observations, out_of_turn, options)
        """The match, and who is asked."""
        self.seat = seat
        self._players = _seat_players(self.sitting.game, opponents, self.sitting.players, seat, bot_seed)
        self._names = [f"player_{number}" for number in range(self.sitting.players)]
        self.flat = _check_flat(flat)
        self.observation_space, self.action_space = _spaces(self.sitting, flat)
        self._chance = random.Random()

    __eq__ = same_state
    __copy__ = whole_copy
    __hash__ = None  # type: ignore[assignment]  # it changes

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a match and let the bots play up to the learner's first move; `options["deal"]` names one deal."""
        super().reset(seed=seed)
        if seed is not None:
            self._chance = random.Random(int(seed))
        deal = (options or {}).get("deal")
        while True:
            self.sitting.begin(self._chance.randbytes(32) if deal is None else deal, self._names)
            self._let_bots_play()
            if self.sitting.seat >= 0:
                return self._look()
            deal = None  # the learner never had a move: another match

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play for the learner, then let the bots play up to its next move."""
        if self.sitting.seat < 0:
            raise InvalidMove("the match is over: call reset()")
        try:
            brought = self.sitting.play(action)
        except IllegalMove as error:
            self.sitting.seat = -1
            seen, info = self._look()
            return seen, ILLEGAL_REWARD, True, False, {**info, "illegal": str(error)}
        reward = 0.0 if brought is None else float(brought[self.seat])
        reward += self._let_bots_play()
        seen, info = self._look()
        return seen, reward, self.sitting.seat < 0, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions the learner may take now, under the name that sb3-contrib asks for."""
        return self._mask().view(np.bool_)

    def render(self) -> Any:
        """The table as the learner sees it, as text or as a picture, by `render_mode`."""
        from ludotheque.rl import render

        if self.render_mode == "rgb_array":
            return render.picture(self.sitting.match, self.seat, self.lang)
        return render.screen(self.sitting.match, self.seat, self.lang) if self.render_mode == "ansi" else None

    def _mask(self) -> Mask:
        mask = self.sitting.mask(self.seat)
        if self.sitting.seat < 0:
            mask[AFTER_THE_END] = 1
        return mask

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        """What the learner sees, and the info."""
        seen, mask = self.sitting.observe(self.seat), self._mask()
        return seen if self.flat else {"observation": seen, MASK: mask}, {MASK: mask}

    def _let_bots_play(self) -> float:
        """Everybody else moves until the learner is asked or the match is over; what that brings the learner."""
        sitting = self.sitting
        reward = 0.0
        while sitting.seat >= 0 and sitting.seat != self.seat:
            brought = sitting.play(self._bot_action(sitting.seat))
            if brought is not None:
                reward += float(brought[self.seat])
        return reward

    def _bot_action(self, seat: int) -> int:
        sitting, player = self.sitting, self._players[seat]
        is_early = seat != sitting.match.actor
        if player is None:
            legal = sitting.match.legal_ids(seat)
            return self._chance.choice([*legal, sitting.wait] if is_early else legal)
        record = sitting.match.concealed(seat)
        if is_early:
            unasked = player.unasked(record, seat) if hasattr(player, "unasked") else None
            return sitting.wait if unasked is None else sitting.game.move(unasked).id
        return sitting.game.move(player.choose(record, seat)).id


class SeatVectorEnv(VectorEnv[Observation, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many matches in each of which one seat learns and bots play the others. Get one with `vector_env`.

    Opponents who play at random are played in compiled code; others choose one after the other. By default a row whose
    match has ended shows its last position and deals with the next step, as Gymnasium's own do: its mask offers one
    action, 0, which is not played. With `autoreset_mode="SameStep"` it deals at once, and `final_obs` in the info keeps
    the last position.

    Args:
        game: The id of the game.
        num_envs: How many matches.
        opponents: Who plays the other seats, see `env`.
        players: How many play; as few as can without it.
        seat: The learner's seat.
        reward: One of those in `ludotheque.rl.rewards`.
        observations: `float32` and scaled, `int16` as the engine writes them, or `int8`.
        flat: Whether an observation is the array alone, without the mask.
        threads: How many cores to use; all of them without it.
        autoreset_mode: `NextStep` or `SameStep`.
        bot_seed: The bots' seed: the same one makes the same choices.
        **options: The game's options; none under which seats may move out of turn.

    Examples:
        >>> from ludotheque.rl.gymnasium import SeatVectorEnv
        >>> env = SeatVectorEnv("double_lucky_7", 4, players=2, autoreset_mode="SameStep", rounds=7)
        >>> observations, info = env.reset(seed=1)
        >>> observations["action_mask"].shape == (4, env.single_action_space.n)
        True
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        opponents: Opponents = RANDOM,
        players: int | None = None,
        seat: int = 0,
        reward: str = "win",
        observations: str = "float32",
        flat: bool = False,
        threads: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        bot_seed: int | None = 0,
        **options: Any,
    ) -> None:
        sitting = Sitting(game, players, reward, observations, None, options)
        if sitting.out_of_turn:
            raise InvalidOptions(
                "with these options seats may move out of turn: put single environments into a SyncVectorEnv"
            )
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        if self.autoreset_mode == AutoresetMode.DISABLED:
            raise InvalidOptions("autoreset_mode is NextStep or SameStep")
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.seat = seat
        self.game = sitting.game
        self.players = sitting.players
        self.encoder = sitting.encoder
        self._reward = reward
        self._options = options
        self._threads = threads
        self._players = _seat_players(self.game, opponents, self.players, seat, bot_seed)
        self._all_random = all(player is None for player in self._players.values())
        self.flat = _check_flat(flat)
        self.single_observation_space, self.single_action_space = _spaces(sitting, flat)
        self._begin(None)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    __eq__ = same_state
    __copy__ = whole_copy
    __hash__ = None  # type: ignore[assignment]  # it changes

    def _begin(self, seed: int | None) -> None:
        self.arena = self.game.arena(self.num_envs, self.players, seed, self._threads, False, **self._options)
        self._rewards = BatchRewards(self.arena, self._reward)
        self._brought = np.zeros(self.num_envs, np.float64)
        self._rows = np.arange(self.num_envs)
        self._seats = np.full(self.num_envs, self.seat, np.int8)
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._raw = np.zeros((self.num_envs, self.encoder.size), np.int16)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal in all rows and let the bots play up to the learner's first moves."""
        super().reset(seed=seed)
        self._begin(seed)
        self._let_bots_play()
        self._deal(np.flatnonzero(self.arena.actors < 0))
        return self._look(self._ended)

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Play for the learner in every row, then let the bots play up to its next moves."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise InvalidMove(f"actions is an array of {self.num_envs} integers, one for each match")
        if not 0 <= chosen.min() <= chosen.max() < self.game.info.num_actions:
            raise InvalidMove(f"actions are numbers below {self.game.info.num_actions}")
        ended_before = self._ended
        illegal = ~ended_before & (self.arena.masks[self._rows, chosen] == 0)
        self._brought[:] = 0
        self._play(np.where(ended_before | illegal, -1, chosen).astype(np.int16))
        self._let_bots_play()
        rewards = np.where(illegal, ILLEGAL_REWARD, self._brought)
        over = ~ended_before & (illegal | (self.arena.actors < 0))
        more: dict[str, Any] = {"illegal": illegal, "_illegal": illegal.copy()} if illegal.any() else {}
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            self._ended = over
            self._deal(np.flatnonzero(ended_before))
        elif over.any():
            more |= self._final(over)
            self._deal(np.flatnonzero(over))
        seen, info = self._look(self._ended)
        return seen, rewards, over, np.zeros(self.num_envs, np.bool_), info | more

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions the learner may take now, a row for each match."""
        return self._masks(self._ended).view(np.bool_)

    def _play(self, actions: npt.NDArray[np.int16]) -> None:
        """Play in some rows, and nothing in those where the action is -1."""
        self._rewards.update(self.arena.step(actions, partly=True))
        self._brought += self._rewards.values[:, self.seat]

    def _let_bots_play(self) -> None:
        """Everybody else moves until every row waits for the learner or is over."""
        arena = self.arena
        while True:
            waiting = (arena.actors >= 0) & (arena.actors != self.seat)
            if not waiting.any():
                return
            actions = np.where(waiting, arena.sample(), -1).astype(np.int16)
            if not self._all_random:
                for row in np.flatnonzero(waiting).tolist():
                    seat = int(arena.actors[row])
                    player = self._players[seat]
                    if player is not None:
                        record = arena.record(row)
                        self.game.kernels.hide(record, seat)
                        actions[row] = self.game.move(player.choose(record, seat)).id
            self._play(actions)

    def _deal(self, rows: npt.NDArray[np.intp]) -> None:
        """New matches in some rows, played up to the learner's first move; others where it never has one."""
        while rows.size:
            for row in rows.tolist():
                self.arena.episodes[row] += 1
                key = np.frombuffer(self.arena.key(row), "<u4").astype(np.uint32)
                self.game.kernels.start(self.arena.records[row], key, self.players, self.arena.options.codes)
            self._rewards.begin(rows)
            self._play(np.full(self.num_envs, -1, np.int16))  # fills actors, ids and masks
            self._let_bots_play()
            rows = rows[self.arena.actors[rows] < 0]

    def _final(self, over: npt.NDArray[np.bool_]) -> dict[str, Any]:
        last, _ = self._look(over)
        final = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(over):
            final[row] = {name: array[row] for name, array in last.items()} if isinstance(last, dict) else last[row]
        return {"final_obs": final, "_final_obs": over.copy()}

    def _masks(self, ended: npt.NDArray[np.bool_]) -> Mask:
        masks = self.arena.masks.view(np.int8).copy()
        masks[ended] = 0
        masks[ended, AFTER_THE_END] = 1
        return masks

    def _look(self, ended: npt.NDArray[np.bool_]) -> tuple[Observation, dict[str, Any]]:
        """What the learner sees in every row, and the info."""
        self.arena.observe(self._seats, self._raw)
        seen, masks = self.encoder.encode(self._raw), self._masks(ended)
        info = {MASK: masks, f"_{MASK}": np.ones(self.num_envs, np.bool_)}
        return seen if self.flat else {"observation": seen, MASK: masks}, info


for _game in registry.ids():
    gymnasium.register(
        f"ludotheque/{_game}-v0",
        entry_point="ludotheque.rl.gymnasium:SeatEnv",
        vector_entry_point="ludotheque.rl.gymnasium:SeatVectorEnv",
        kwargs={"game": _game},
    )
