"""OpenSpiel's stock Python ISMCTSBot at our tables: an outside opponent for any game.

The bot searches to the end of the round, for its own points in it or, in games of other kinds, for the chance to win
that the game's `worth` says it has then. It gets its worlds from our `resample` through `set_resampler`, and its random
rollouts from our compiled playouts: the same search as with OpenSpiel's own rollout evaluator, only sooner done.

In a tournament it is `benchmarks/openspiel_player.py:ismcts_player`; a number of simulations may follow after a colon.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts

from ludotheque.bots import searches as templates
from ludotheque.bots.bot import Bot, Ratings, Seeds
from ludotheque.bots.outside import Choose
from ludotheque.core.game import Game
from ludotheque.core.jit import plain
from ludotheque.core.ladder import Level
from ludotheque.core.moves import Move
from ludotheque.core.record import Buffer, Ids

SIMULATIONS = 300
"""For each move in a tournament, unless a number is given."""
MOST_POINTS = 24.0  # of one round that is not doubled: returns are then between 0 and 2
MOST_CHANCE = 0.5  # likewise


Value = Callable[[Buffer], list[float]]
"""What a position is worth to each seat."""


class State:
    """A record, with the part of OpenSpiel's state that the search uses. What it is asked again and again it notes."""

    def __init__(self, game: Game, buf: Buffer, round_no: int, value: Value) -> None:
        self.game, self.buf, self.round_no, self.value = game, buf, round_no, value
        self._row = buf.view(game.info.state)
        self._ids = np.empty(game.info.num_actions, np.int16)
        self._forget()

    def _forget(self) -> None:
        self._actor = int(self._row["actor"][0])
        self._legal: list[int] | None = None
        self._key: bytes | None = None

    def get_game(self) -> Any:
        """What the bot asks about the game."""
        kinds = pyspiel.GameType
        facts = SimpleNamespace(dynamics=kinds.Dynamics.SEQUENTIAL, information=kinds.Information.IMPERFECT_INFORMATION)
        return SimpleNamespace(get_type=lambda: facts)

    def clone(self) -> State:
        """A copy."""
        return State(self.game, self.buf.copy(), self.round_no, self.value)

    def current_player(self) -> int:
        """The seat at turn."""
        return self._actor

    def is_chance_node(self) -> bool:
        """Chance is in the record."""
        return False

    def is_terminal(self) -> bool:
        """Whether the round has ended."""
        return bool(self._row["over"][0]) or int(self._row["round_no"][0]) != self.round_no

    def legal_actions(self) -> list[int]:
        """Action ids."""
        if self._legal is None:
            count = self.game.kernels.moves(self.buf, self._actor, self._ids)
            self._legal = self._ids[:count].tolist()
        return self._legal

    def apply_action(self, action: int) -> None:
        """Play."""
        self.game.kernels.play(self.buf, self._actor, int(action), self._ids)
        self._forget()

    def information_state_string(self) -> bytes:
        """What the seat at turn knows, as a key."""
        if self._key is None:
            buf = self.buf.copy()
            self.game.kernels.hide(buf, self._actor)
            self._key = buf.tobytes()
        return self._key

    def returns(self) -> list[float]:
        """What the end of the round brings."""
        return self.value(self.buf)


def scores_of(game: Game, buf: Buffer) -> Any:
    """The score of each seat."""
    scores, places = np.zeros(game.info.max_seats, np.int32), np.zeros(game.info.max_seats, np.int32)
    game.kernels.result(buf, scores, places)
    return scores


def points_since(game: Game, before: Buffer) -> Value:
    """Points that each seat has made since then."""
    start = scores_of(game, before)
    return lambda buf: [float(points) for points in (scores_of(game, buf) - start) / MOST_POINTS]


def chances(game: Game) -> Value:
    """Each seat's chance to win, as the game's bots see it."""
    worth = plain(templates.kernels(game).worth)

    def value(buf: Buffer) -> list[float]:
        values = np.zeros(game.info.max_seats, np.float64)
        worth(game.read(buf), values)
        return [float(chance) / MOST_CHANCE for chance in values]

    return value


class Rollouts:
    """OpenSpiel's evaluator by one random rollout to the end of the round."""

    def __init__(self, game: Game, seed: int, by_chance: bool) -> None:
        self.game, self._by_chance = game, by_chance
        self._kernels = templates.kernels(game)
        self._limits = np.zeros(templates.NUM_LIMITS, np.int64)
        self._limits[templates.ROUNDS] = 1
        self._limits[templates.AT_RANDOM] = 1
        self._values = np.zeros(game.info.max_seats, np.float64)
        self._rng = np.random.RandomState(seed)

    def prior(self, state: State) -> list[tuple[int, float]]:
        """Every move as likely."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]

    def evaluate(self, state: State) -> list[float]:
        """What one rollout brings."""
        buf = state.buf.copy()
        self._kernels.rollout(buf, int(self._rng.randint(1 << 31)), self._limits, self._values)
        if self._by_chance:
            return [float(chance) / MOST_CHANCE for chance in self._values]
        return state.value(buf)


class OpenSpielBot(Bot):
    """The stock bot as a contestant. Its budget is its number of simulations."""

    def __init__(self, game: Game, name: str, simulations: int, seed: int = 1, by_chance: bool = False) -> None:
        super().__init__(game, name, Level(), seed)
        self._chances = chances(game) if by_chance else None
        self._rng = np.random.RandomState(seed)
        kinds = ismcts.ISMCTSFinalPolicyType
        self._bot = ismcts.ISMCTSBot(
            game, Rollouts(game, seed, by_chance), 2.0, simulations, random_state=self._rng,
            final_policy_type=kinds.MAX_VISIT_COUNT, allow_inconsistent_action_sets=False,
        )  # fmt: skip
        self._bot.set_resampler(self._resample)

    def _resample(self, state: State, seat: int) -> State:
        world = state.clone()
        key = self._rng.randint(0, 1 << 32, 8, dtype=np.uint64).astype(np.uint32)
        self.game.kernels.imagine(world.buf, seat, key)
        return world

    def search(self, buf: Buffer) -> int:
        """The action that it finds for the seat at turn of a concealed record."""
        round_no = int(buf.view(self.game.info.state)["round_no"][0])
        value = self._chances or points_since(self.game, buf)
        return int(self._bot.step(State(self.game, buf, round_no, value)))

    def _pick(self, buf: Buffer, seat: int, ids: Ids, ratings: Ratings, seeds: Seeds) -> int:
        return int(np.flatnonzero(ids == self.search(buf))[0])


def ismcts_player(game: Game, seed: int | str | None, simulations: str = "") -> Choose:
    """The bot for tournaments, by chances to win."""
    number = zlib.crc32(str(seed).encode())
    bot = OpenSpielBot(game, "ismcts", int(simulations or SIMULATIONS), number, by_chance=True)

    def choose(buf: Buffer, seat: int, legal: list[Move]) -> str:
        if len(legal) == 1:
            return legal[0]
        action = bot.search(buf)
        return next(move for move in legal if move.id == action)

    return choose
