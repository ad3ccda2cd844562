"""PettingZoo: every game as an AEC environment with action masks. See docs/learning.md."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import extras
from ludotheque.core.errors import IllegalMove, InvalidOptions
from ludotheque.core.texts import check_language
from ludotheque.rl import text
from ludotheque.rl.comparing import same_state, whole_copy
from ludotheque.rl.sitting import Sitting

extras.need("rl", "gymnasium", "pettingzoo")
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

RENDER_MODES = ["human", "ansi", "rgb_array"]
ILLEGAL_REWARD = -1.0

Observation = dict[str, npt.NDArray[Any]]


def env(game: str, players: int | None = None, **settings: Any) -> checked_env:
    """A game as an AEC environment that treats mistakes as PettingZoo's own do, see `checked_env`.

    Args:
        game: The id of the game.
        players: How many play; as few as can without it.
        **settings: Those of `raw_env` (`reward`, `observations`, `render_mode`, `out_of_turn`, `lang`), and the game's
            options by their names.

    Raises:
        UnknownGame: If there is no such game.
        InvalidOptions: If a setting or an option is not one that there is.

    Examples:
        >>> from ludotheque.rl import pettingzoo
        >>> env = pettingzoo.env("double_lucky_7", players=3, reward="centred", rounds=7)
        >>> env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.last()
        >>> env.step(int(observation["action_mask"].argmax()))
        >>> env.agents
        ['player_0', 'player_1', 'player_2']
    """
    return checked_env(game, players, **settings)


class raw_env(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # noqa: N801 - PettingZoo's name; untyped
    """A game as an AEC environment. An illegal action is an `IllegalMove` that says why, and changes nothing.

    Args:
        game: The id of the game.
        players: How many play; as few as can without it.
        reward: One of those in `ludotheque.rl.rewards`.
        observations: `float32` and scaled, `int16` as the engine writes them, or `int8`.
        render_mode: `human`, `ansi`, `rgb_array` or None.
        out_of_turn: Whether seats are asked out of turn; None: if the options let them move then.
        lang: The language of what is drawn and said, `en` or `fr`.
        **options: The game's options.

    Examples:
        >>> from ludotheque import IllegalMove
        >>> from ludotheque.rl.pettingzoo import raw_env
        >>> env = raw_env("double_lucky_7")
        >>> env.reset(seed=1)
        >>> mask = env.observe(env.agent_selection)["action_mask"]
        >>> try:
        ...     env.step(int(mask.argmin()))
        ... except IllegalMove as error:
        ...     print("refused:", error.rule)
        refused: D6
    """

    def __init__(
        self,
        game: str,
        players: int | None = None,
        reward: str = "win",
        observations: str = "float32",
        render_mode: str | None = None,
        out_of_turn: bool | None = None,
        lang: str = "en",
        **options: Any,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InvalidOptions(f"render_mode is {', '.join(RENDER_MODES)} or None, not {render_mode!r:.40}")
        self.lang = check_language(lang)
        self.sitting = Sitting(game, players, reward, observations, out_of_turn, options)
        """The match, and who is asked."""
        self.render_mode = render_mode
        name = f"{game}_v{self.sitting.game.info.rules_version}"
        self.metadata = {"render_modes": RENDER_MODES, "name": name, "is_parallelizable": False, "render_fps": 2}
        self.possible_agents = [f"player_{seat}" for seat in range(self.sitting.players)]
        self.agents: list[str] = []
        encoder = self.sitting.encoder
        seen = Box(encoder.low, encoder.high, dtype=encoder.dtype.type)
        mask = Box(0, 1, (self.sitting.num_actions,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self.sitting.num_actions) for agent in self.possible_agents}
        low, high = (np.tile(end, self.sitting.players) for end in (encoder.low, encoder.high))
        self.state_space = Box(low, high, dtype=encoder.dtype.type)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._chance = random.Random()
        self._paid = False
        self._has_match = False

    __eq__ = same_state
    __copy__ = whole_copy
    __hash__ = None  # type: ignore[assignment]  # it changes

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a match. After a seed, further matches follow from it; `options["deal"]` names one deal."""
        if seed is not None:
            self._chance = random.Random(int(seed))
        deal = (options or {}).get("deal")
        self.sitting.begin(self._chance.randbytes(32) if deal is None else deal, list(self.possible_agents))
        self._has_match = True
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._paid = False
        self._skip_agent_selection = None
        self.agent_selection = self.agents[self.sitting.seat]

    def step(self, action: int | None) -> None:
        """Play for the agent that is asked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        brought = self.sitting.play(action)
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
        self._paid = brought is not None
        if brought is not None:
            self.rewards = dict(zip(self.agents, brought.tolist(), strict=True))
            self._accumulate_rewards()
        if self.sitting.seat >= 0:
            self.agent_selection = self.possible_agents[self.sitting.seat]
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its mask is empty unless it is asked."""
        seat = self._seats[agent]
        return {"observation": self.sitting.observe(seat), "action_mask": self.sitting.mask(seat)}

    def state(self) -> npt.NDArray[Any]:
        """What all agents see together, for a critic: their observations side by side, from player_0 on."""
        return self.sitting.state()

    def text(self, agent: str, lang: str | None = None) -> str:
        """What an agent sees, in words, with its moves in notation if it is asked."""
        sitting, seat = self.sitting, self._seats[agent]
        asked = seat == sitting.seat
        may_wait = asked and sitting.match.actor != seat
        return text.describe(sitting.match, seat, lang or self.lang, asked, may_wait)

    def parse(self, move: str) -> int:
        """The action of a move in notation."""
        if self.sitting.out_of_turn and move.strip() == text.WAIT:
            return self.sitting.wait
        return self.sitting.game.moves.parse(move).id

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The table as the agent that is asked sees it: printed, as text or as a picture, by `render_mode`."""
        from ludotheque.rl import render

        seat = self.sitting.seat if self.sitting.seat >= 0 else None
        if self.render_mode == "rgb_array":
            return render.picture(self.sitting.match, seat, self.lang)
        screen = render.screen(self.sitting.match, seat, self.lang)
        if self.render_mode == "ansi":
            return screen
        if self.render_mode == "human":
            print(screen)
        return None

    def close(self) -> None:
        """Nothing is held open."""


class checked_env(raw_env):  # noqa: N801 - named as raw_env is
    """Does what PettingZoo's wrappers do (TerminateIllegal, AssertOutOfBounds, OrderEnforcing), but leaner.

    An illegal action ends the match for all, with a reward of -1 for who played it and a warning. An action outside of
    the space fails an assertion, and so does whatever needs a match before `reset`. A step after the end is a warning.

    Examples:
        >>> import warnings
        >>> from ludotheque.rl.pettingzoo import checked_env
        >>> env = checked_env("double_lucky_7")
        >>> env.reset(seed=1)
        >>> agent, mask = env.agent_selection, env.observe(env.agent_selection)["action_mask"]
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     env.step(int(mask.argmin()))
        >>> env.terminations[agent], env.rewards[agent]
        (True, -1.0)
    """

    def step(self, action: int | None) -> None:
        """Play for the agent that is asked."""
        self._need_match()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if not self.terminations[agent]:
            in_space = isinstance(action, (int, np.integer)) and 0 <= action < self.sitting.num_actions
            assert in_space, "action is not in action space"
        try:
            super().step(action)
        except IllegalMove:
            EnvLogger.warn_on_illegal_move()
            self._end_illegally(agent)

    def _end_illegally(self, agent: str) -> None:
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._deads_step_first()
        self.sitting.seat = -1

    def _need_match(self) -> None:
        assert self._has_match, "reset() needs to be called first"

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its mask is empty unless it is asked."""
        self._need_match()
        return super().observe(agent)

    def state(self) -> npt.NDArray[Any]:
        """What all agents see together, for a critic: their observations side by side, from player_0 on."""
        self._need_match()
        return super().state()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The table as the agent that is asked sees it: printed, as text or as a picture, by `render_mode`."""
        self._need_match()
        return super().render()
