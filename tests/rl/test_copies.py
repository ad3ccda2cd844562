"""Every learning environment is pickled, copied and compared, also from one process to another, and goes on alike."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from ludotheque.rl import gymnasium, pettingzoo, vector
from tests.needs import module

COPIES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))]


def aec(reward: str = "win", **options: Any) -> Any:
    env = pettingzoo.env("double_lucky_7", players=3, reward=reward, rounds=7, **options)
    env.reset(seed=1)
    return env


def out_of_turn() -> Any:
    env = pettingzoo.raw_env("lobo77", players=3, draw="manual")
    env.reset(seed=2)
    return env


def seat(opponents: Any = "random", flat: bool = False) -> Any:
    env = gymnasium.env("double_lucky_7", opponents, players=3, reward="rounds", rounds=7, flat=flat)
    env.reset(seed=1)
    return env


def seats(opponents: Any = "random") -> Any:
    env = gymnasium.vector_env("double_lucky_7", 3, opponents, players=3, reward="rounds", rounds=7)
    env.reset(seed=1)
    return env


def self_play(observations: str = "int16") -> Any:
    return vector.make("double_lucky_7", 3, players=3, seed=1, reward="rounds", observations=observations)


MAKERS: dict[str, Callable[[], Any]] = {
    "pettingzoo": aec,
    "pettingzoo by rounds": lambda: aec("rounds"),
    "pettingzoo out of turn": out_of_turn,
    "gymnasium": seat,
    "gymnasium with a bot": lambda: seat("club"),
    "gymnasium vector": seats,
    "gymnasium vector with a bot": lambda: seats(["club", "random"]),
    "gymnasium flat": lambda: seat(flat=True),
    "self-play": self_play,
    "self-play scaled": lambda: self_play("float32"),
}


def first_legal(mask: Any) -> Any:
    """The first legal action, or those of many rows."""
    return int(np.argmax(mask)) if mask.ndim == 1 else np.argmax(mask, axis=1).astype(np.int16)


def stepped(env: Any, steps: int = 12) -> list[Any]:
    """What some steps of an environment show."""
    shown: list[Any] = []
    for _ in range(steps):
        if isinstance(env, vector.SelfPlay):
            seen, rewards, done = env.step(first_legal(env.masks))
            shown += [seen.copy(), rewards.copy(), done.copy()]
        elif isinstance(env, pettingzoo.raw_env):
            seen, reward, over, *_ = env.last()
            shown += [env.agent_selection, seen["observation"], reward, over]
            env.step(None if over else first_legal(seen["action_mask"]))
        else:
            seen, reward, over, _, _ = env.step(first_legal(env.action_masks()))
            shown += [seen if env.flat else seen["observation"], reward, over]
    return shown


def go_on(env: Any) -> tuple[Any, list[Any]]:
    shown = stepped(env)
    return env, shown


def same(one: list[Any], other: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("name", MAKERS)
def test_an_environment_goes_on_from_its_copies(name: str) -> None:
    env = MAKERS[name]()
    stepped(env, 4)
    for make in COPIES:
        twin = make(env)
        assert twin == env and twin is not env
        shown = stepped(twin)
        assert twin != env  # the environment itself did not go on
        again = make(env)
        assert same(shown, stepped(again)) and twin == again
    assert env == make(env) and env != "environment"
    with pytest.raises(TypeError, match="unhashable"):
        hash(env)


@pytest.mark.parametrize("name", ["pettingzoo", "gymnasium"])
def test_one_that_was_not_reset_yet(name: str) -> None:
    env = (
        pettingzoo.env("double_lucky_7", players=3) if name == "pettingzoo" else gymnasium.env("double_lucky_7", "club")
    )
    for make in COPIES:
        twin = make(env)
        for one in (env, twin):
            one.reset(seed=3)
        assert twin == env


def test_when_two_are_equal() -> None:
    assert aec() == aec() and aec() != aec("score") and seat() != seat("club") and seats() == seats()
    one, other = aec(), aec()
    one._chance.random()
    assert one != other  # the next match will be another


@pytest.mark.parametrize("kind", ["spawn", "fork"])
@pytest.mark.parametrize("name", ["pettingzoo", "gymnasium with a bot", "gymnasium vector", "self-play"])
def test_an_environment_in_another_process(kind: str, name: str) -> None:
    env = MAKERS[name]()
    stepped(env, 4)
    with warnings.catch_warnings():  # of forking while threads run, which later Pythons tell
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context(kind).Pool(1) as pool:
            twin, shown = pool.apply(go_on, (env,))
    assert same(shown, stepped(env)) and twin == env


@pytest.mark.parametrize("kind", ["here", "spawn", "fork"])
def test_a_game_and_a_state_of_openspiel(kind: str) -> None:
    pyspiel = module("pyspiel")
    load = import_module("ludotheque.rl.openspiel").load
    game = pyspiel.load_game("python_ludotheque_double_lucky_7(players=3,deals=4)")
    state = game.new_initial_state()
    for _ in range(6):
        state.apply_action(state.legal_actions()[0])
    if kind == "here":
        for make in COPIES:
            twin = make(state)
            assert (str(twin), twin.history()) == (str(state), state.history())
            assert str(make(game)) == str(game)
        return
    with multiprocessing.get_context(kind).Pool(1) as pool:
        assert str(pool.apply(load, (str(game),))) == str(game)
        assert str(pool.apply(one_more, (state,))) == str(one_more(state))


def one_more(state: Any) -> Any:
    state.apply_action(state.legal_actions()[0])
    return state
