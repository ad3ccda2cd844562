"""The games for OpenSpiel: importing this module registers them, as `python_ludotheque_<id>`.

    import pyspiel
    import ludotheque.rl.openspiel

    game = pyspiel.load_game("python_ludotheque_<id>(players=3)")

A game's options are parameters of the same names; there are also `players`, `returns`, `deals`, `small` and
`out_of_turn`, see docs/openspiel.md. Chance is explicit in all of them: eight chance nodes at the beginning draw the
bytes of a seed that nobody sees, or one draws a deal out of a few (`deals`, `small`). What follows is decided by that
alone.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import extras, registry
from ludotheque.core.chance import key_from_seed
from ludotheque.core.errors import InvalidOptions, LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.info import Option
from ludotheque.core.record import Buffer
from ludotheque.rl import openspiel_small, rewards
from ludotheque.rl.observations import Encoder

extras.need("openspiel")
import pyspiel

PREFIX = "python_ludotheque_"

SEED_BYTES = 8
MOST_DEALS = 10_000
MAX_LENGTH = 1_000_000
"""OpenSpiel requires a bound. Some of these games have none, but no match comes near this."""
MOST_POINTS = 100_000.0
"""The same for scores."""
RECALL = 64
"""Moves that the tensor of an information state holds, the latest."""

RETURNS = (rewards.CENTRED, rewards.SCORE)

SHARED: dict[str, Any] = {
    "players": 0,  # how many; 0: as few as can play
    "returns": rewards.CENTRED,
    "deals": 0,  # 0: any deal; n: one of n, each as likely
    "small": "",  # the name or the file of a small game
    "out_of_turn": False,  # ask seats that may move although it is not their turn
}
"""The parameters all games have, with their defaults."""


class Setup:
    """What all states of a loaded game share. It is neither copied nor pickled with them, but found again."""

    def __init__(self, game_id: str, params: Mapping[str, Any]) -> None:
        self.game: Game = registry.load(game_id)
        self.params = dict(params)
        self.out_of_turn: bool = params["out_of_turn"]
        self.worlds: tuple[Buffer, ...]
        """The deals there can be, if they are few."""
        self.by_round = False
        """Whether the end of the round is the end."""
        given = {option.name: params[option.name] for option in _options(self.game)}
        if params["small"]:
            self._use_small(given)
        else:
            self.players: int = params["players"] or self.game.info.min_seats
            self.options = self.game.options(self.players, given)
            self.chances: tuple[float, ...] = ()
            self._use_deals(params["deals"])
        if params["returns"] not in RETURNS:
            raise InvalidOptions(f"returns is {' or '.join(RETURNS)}, not {params['returns']!r:.40}")
        self.sign = rewards.direction(game_id) if params["returns"] == rewards.SCORE else 0
        """1 where many points are good, -1 where few are; 0 if only winning counts."""
        self.num_actions = self.game.info.num_actions
        self.wait = self.num_actions
        """The action of a seat that is asked out of turn and does nothing."""
        self.encoder = Encoder(self.game)
        outcomes = self.chances or (1 / 256,) * 256
        self.outcomes = list(enumerate(outcomes))
        """What each chance node draws from."""
        self.num_draws = 1 if self.worlds else SEED_BYTES
        """How many chance nodes there are."""
        self.first: list[tuple[bytes, ...]] = [self.memories(world) for world in self.worlds]
        """What each seat knows when a deal begins, by deal."""

    def __deepcopy__(self, memo: Any) -> Setup:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return setup_of, (self.game.id, tuple(self.params.items()))

    def _use_small(self, given: dict[str, Any]) -> None:
        others = {name: self.params[name] for name in ("players", "deals")} | given
        if any(others[name] != default for name, default in _defaults(self.game).items() if name in others):
            raise InvalidOptions("a small game has its own players and options: leave them out")
        small = openspiel_small.load(self.game, self.params["small"])
        self.players, self.options, self.by_round = small.players, small.options, small.by_round
        self.worlds, self.chances = small.worlds, small.chances

    def _use_deals(self, deals: int) -> None:
        if not 0 <= deals <= MOST_DEALS:
            raise InvalidOptions(f"deals is a number from 0 to {MOST_DEALS}, not {deals}")
        self.worlds = tuple(
            self.game.deal(key_from_seed(f"deal {n}"), self.players, self.options) for n in range(deals)
        )
        self.chances = (1 / deals,) * deals if deals else ()

    def memories(self, buf: Buffer) -> tuple[bytes, ...]:
        """What each seat knows who has seen nothing before."""
        return tuple(memory(self.game, buf, seat) for seat in range(self.players))


@cache
def setup_of(game_id: str, params: tuple[tuple[str, Any], ...]) -> Setup:
    """The setup for a game and all its parameters."""
    return Setup(game_id, dict(params))


def memory(game: Game, buf: Buffer, seat: int, before: bytes = b"", action: int = -1) -> bytes:
    """A seat's memory as a short key: what it sees now, its own action that led here, and its memory before that."""
    seen = buf.copy()
    game.kernels.hide(seen, seat)
    return hashlib.blake2b(before + action.to_bytes(2, "little", signed=True) + seen.tobytes(), digest_size=8).digest()


class LudothequeGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """One of the games, with parameters. Each has a subclass of its own."""

    game_type: Any

    def __init__(self, params: Mapping[str, Any]) -> None:
        game_id = self.game_type.short_name.removeprefix(PREFIX)
        defaults = _defaults(registry.load(game_id))
        full = {**defaults, **params}
        if full["small"].endswith(".json"):
            setup_of.cache_clear()  # the file may have changed
        self.setup = setup_of(game_id, tuple(full.items()))
        players, is_centred = self.setup.players, full["returns"] == rewards.CENTRED
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.num_actions + self.setup.out_of_turn,
            max_chance_outcomes=len(self.setup.outcomes),
            num_players=players,
            min_utility=-1 / players if is_centred else -MOST_POINTS,
            max_utility=1 - 1 / players if is_centred else MOST_POINTS,
            utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(self.game_type, info, {k: v for k, v in full.items() if v != defaults[k]})

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (str(self),)

    def new_initial_state(self) -> LudothequeState:
        """Before the deal."""
        return LudothequeState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Chance decides everything at the beginning."""
        return self.setup.num_draws

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What looks at states for a seat."""
        return Observer(self.setup, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class LudothequeState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A match. OpenSpiel copies and pickles the attributes: they are few and small."""

    def __init__(self, game: LudothequeGame) -> None:
        super().__init__(game)
        self.setup = game.setup
        self.drawn = b""
        """The outcomes of the chance nodes so far, a byte each; only the first if it is the number of a deal."""
        self.buf: Buffer | None = None
        """The record; None before the deal."""
        self.memories: tuple[bytes, ...] = ()
        """A key for all each seat has seen and done."""
        self.moves = b""
        """The latest moves: seat and action, four bytes each."""
        self.first_round = 0
        self.waited = 0
        """Seats that were asked out of turn since the last move and did nothing, a bit each."""
        self.player = int(pyspiel.PlayerId.CHANCE)

    def current_player(self) -> int:
        """The seat at turn, or asked out of turn."""
        return self.player

    def is_terminal(self) -> bool:
        """Whether the match, or in some small games the round, has ended."""
        return self.player == int(pyspiel.PlayerId.TERMINAL)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """A byte of the seed, or a deal."""
        return self.setup.outcomes

    def _legal_actions(self, player: int) -> list[int]:
        ids = np.empty(self.setup.num_actions, np.int16)
        count = self.setup.game.kernels.moves(self.buf, player, ids)
        actions: list[int] = sorted(ids[:count].tolist())
        if self.buf is not None and player != int(self.buf.view(self.setup.game.info.state)["actor"][0]):
            actions.append(self.setup.wait)
        return actions

    def _apply_action(self, action: int) -> None:
        setup = self.setup
        if self.buf is None:
            self._draw(action)
            return
        seat = self.player
        if action == setup.wait:
            self.waited |= 1 << seat
            before = self.memories[seat]
            changed = memory(setup.game, self.buf, seat, before, action)
            self.memories = (*self.memories[:seat], changed, *self.memories[seat + 1 :])
        else:
            ids = np.empty(setup.num_actions, np.int16)
            if setup.game.kernels.play(self.buf, seat, action, ids) != 0:
                raise LudothequeError(f"action {action} is not legal for seat {seat}")
            self.waited = 0
            own = [action if viewer == seat else -1 for viewer in range(setup.players)]
            self.memories = tuple(
                memory(setup.game, self.buf, viewer, before, own[viewer]) for viewer, before in enumerate(self.memories)
            )
            self.moves = (self.moves + np.array([seat, action], np.int16).tobytes())[-4 * RECALL :]
        self._find_player()

    def _draw(self, outcome: int) -> None:
        """Take an outcome of a chance node; after the last one the cards are dealt."""
        setup = self.setup
        if setup.worlds:
            self.drawn = outcome.to_bytes(2, "little")
            self._begin(setup.worlds[outcome].copy(), setup.first[outcome])
            return
        self.drawn += outcome.to_bytes(1, "little")
        if len(self.drawn) == SEED_BYTES:
            buf = setup.game.deal(key_from_seed(f"openspiel {self.drawn.hex()}"), setup.players, setup.options)
            self._begin(buf, setup.memories(buf))

    def _begin(self, buf: Buffer, memories: tuple[bytes, ...]) -> None:
        self.buf, self.memories = buf, memories
        self.first_round = int(buf.view(self.setup.game.info.state)["round_no"][0])
        self._find_player()

    def _find_player(self) -> None:
        """Who decides next: seats that may move out of turn are asked first, clockwise from the one at turn."""
        setup = self.setup
        assert self.buf is not None
        state = self.buf.view(setup.game.info.state)
        if state["over"][0] or (setup.by_round and int(state["round_no"][0]) != self.first_round):
            self.player = int(pyspiel.PlayerId.TERMINAL)
            return
        self.player = int(state["actor"][0])
        if setup.out_of_turn:
            idle = setup.game.kernels.idle(self.buf) & ~self.waited
            for step in range(1, setup.players):
                seat = (int(state["actor"][0]) + step) % setup.players
                if idle >> seat & 1:
                    self.player = seat
                    return

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"deal {action}" if self.setup.worlds else f"seed byte {action}"
        return "wait" if action == self.setup.wait else self.setup.game.moves.texts[action]

    def returns(self) -> list[float]:
        """What the match was worth to each seat; nothing before its end. They add up to 0."""
        setup = self.setup
        if self.buf is None or not self.is_terminal():
            return [0.0] * setup.players
        scores, places = (np.zeros(setup.game.info.max_seats, np.int32) for _ in range(2))
        setup.game.kernels.result(self.buf, scores, places)
        if not setup.sign:
            winners = (places[: setup.players] == 1).tolist()
            return [won / sum(winners) - 1 / setup.players for won in winners]
        points = setup.sign * scores[: setup.players].astype(np.int64)
        lead: list[float] = ((setup.players * points - points.sum()) / (setup.players - 1)).tolist()
        return lead

    def __str__(self) -> str:
        if self.buf is None:
            return f"before the deal: {self.drawn.hex()}"
        texts = self.setup.game.moves.texts
        moves = np.frombuffer(self.moves, np.int16).reshape(-1, 2)
        told = " ".join(f"{seat}:{texts[action]}" for seat, action in moves)
        return f"{told} #{hashlib.blake2b(self.buf.tobytes(), digest_size=8).hexdigest()} {self.waited}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> LudothequeState:
        """Another state that the player cannot tell from this one: what it does not know is drawn anew."""
        if self.buf is None:
            raise LudothequeError("before the deal there is nothing to draw anew")
        return self._from_worlds(player, sampler) if self.setup.worlds else self._imagined(player, sampler)

    def _from_worlds(self, player: int, sampler: Callable[[], float]) -> LudothequeState:
        """One of the deals there can be, in which the same moves look the same to the player."""
        setup, rng = self.setup, random.Random(sampler())
        first = setup.first[int.from_bytes(self.drawn, "little")][player]
        fits = [world for world, known in enumerate(setup.first) if known[player] == first]
        # In this order the first one that goes on fitting is drawn by the chances of the deals.
        for world in sorted(fits, key=lambda world: -(rng.random() ** (1 / setup.chances[world]))):
            state = self.get_game().new_initial_state()
            state.apply_action(world)
            for action in self.history()[1:]:
                if action not in state.legal_actions():
                    break
                state.apply_action(action)
            else:
                if state.memories[player] == self.memories[player]:
                    return state  # type: ignore[no-any-return]
        raise AssertionError("the true deal fits")

    def _imagined(self, player: int, sampler: Callable[[], float]) -> LudothequeState:
        """The engine's own resampling. The state has no history: it would tell the seed."""
        assert self.buf is not None
        game, state = self.setup.game, self.get_game().new_initial_state()
        buf = self.buf.copy()
        game.kernels.hide(buf, player)
        game.kernels.imagine(buf, player, np.array([int(sampler() * 2**32) for _ in range(8)], np.uint32))
        state.buf, state.first_round, state.waited, state.player = buf, self.first_round, self.waited, self.player
        state.moves = self.moves
        # What the others have seen before is not known: they begin to remember now.
        state.memories = tuple(
            kept if seat == player else memory(game, buf, seat) for seat, kept in enumerate(self.memories)
        )
        return state  # type: ignore[no-any-return]


class Observer:
    """What a seat sees, as named tensors and as text; with perfect recall, the moves so far and a key to all it saw."""

    def __init__(self, setup: Setup, kind: Any, params: Any) -> None:
        if params:
            raise InvalidOptions(f"observers take no parameters, not {params}")
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
            raise InvalidOptions("an observer sees what one player sees: public and own private information")
        self._setup = setup
        self._recalls: bool = kind.perfect_recall
        planes = setup.encoder.planes
        shapes: dict[str, tuple[int, ...]] = {"player": (setup.players,)}
        shapes |= {plane.name: (plane.size,) for plane in planes}
        if self._recalls:
            shapes["moves"] = (RECALL, 2)
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(sizes), np.float32)
        """All of it in a row,"""
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}
        """and by name."""
        self._seen = self.tensor[setup.players : setup.players + setup.encoder.size]

    def set_from(self, state: LudothequeState, player: int) -> None:
        """Look at a state as a player."""
        self.tensor.fill(0)
        if state.buf is None:
            return
        setup = self._setup
        self.dict["player"][player] = 1
        setup.encoder.encode(self._watch(state, player), self._seen)
        if self._recalls:
            moves = np.frombuffer(state.moves, np.int16).reshape(-1, 2)
            target = self.dict["moves"]
            target[: len(moves), 0] = ((moves[:, 0] - player) % setup.players + 1) / setup.players
            target[: len(moves), 1] = (moves[:, 1] + 1) / setup.num_actions

    def string_from(self, state: LudothequeState, player: int) -> str:
        """What a player sees in a state, in short: of each piece the numbers that are not 0."""
        if state.buf is None:
            return f"player {player}"
        seen = self._watch(state, player).tolist()
        parts = [f"player {player}"]
        for plane in self._setup.encoder.planes:
            cells = [(n, value) for n, value in enumerate(seen[plane.cells]) if value]
            if plane.size == 1:
                parts += [f"{plane.name} {value}" for _, value in cells]
            elif cells:
                told = " ".join(str(n) if value == 1 else f"{n}:{value}" for n, value in cells)
                parts.append(f"{plane.name} {told}")
        if self._recalls:
            parts.append(f"memory {state.memories[player].hex()}")
        return ", ".join(parts)

    def _watch(self, state: LudothequeState, player: int) -> npt.NDArray[np.int16]:
        seen = np.zeros(self._setup.encoder.size, np.int16)
        self._setup.game.kernels.watch(state.buf, player, seen)
        return seen


def _options(game: Game) -> list[Option]:
    """The options that can be parameters: not lists of lines, which mean nothing to the rules."""
    return [option for option in game.info.options if option.kind != "texts"]


def _defaults(game: Game) -> dict[str, Any]:
    return SHARED | {option.name: option.default for option in _options(game)}


def _register(game: Game) -> None:
    game_type = pyspiel.GameType(
        short_name=PREFIX + game.id,
        long_name=f"{game.info.name} (Ludothèque)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.info.max_seats,
        min_num_players=game.info.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(game),
    )
    # A class, like OpenSpiel's own games: OpenSpiel releases a function after Python has shut down, and crashes.
    pyspiel.register_game(game_type, type(f"Game_{game.id}", (LudothequeGame,), {"game_type": game_type}))


def load(text: str) -> Any:
    """`pyspiel.load_game`; what unpickles a game, and thereby registers it first."""
    return pyspiel.load_game(text)


def register_all() -> None:
    """Make the registered games known to OpenSpiel, those that it does not know yet.

    Importing `ludotheque.rl.openspiel` does it once; call it again after `ludotheque.register`.

    Examples:
        >>> import pyspiel
        >>> import ludotheque.rl.openspiel
        >>> ludotheque.rl.openspiel.register_all()
        >>> "python_ludotheque_loba" in pyspiel.registered_names()
        True
    """
    known = set(pyspiel.registered_names())
    for game in registry.load_all():
        if PREFIX + game.id not in known:
            _register(game)


register_all()
