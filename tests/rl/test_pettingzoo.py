"""PettingZoo's own tests on every game, and what they do not ask."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque import IllegalMove, InvalidMove, InvalidOptions
from ludotheque.core.errors import LudothequeError
from ludotheque.rl import pettingzoo
from ludotheque.testing import corners

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of other environments that it imports along
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.utils import wrappers

GAMES = ludotheque.game_ids()
OUT_OF_TURN: list[tuple[str, dict[str, Any]]] = [
    ("lobo77", {"players": 3, "draw": "manual"}),
    ("skipbo", {"players": 4, "teams": True, "manners": True}),
]
CASES: list[tuple[str, dict[str, Any]]] = [*((game, {}) for game in GAMES), *OUT_OF_TURN]

ours_is_a_dictionary = pytest.mark.filterwarnings("ignore:Observation")
"""PettingZoo knows by name which of its own environments have dictionaries for observations, and warns of others."""


def play(env: Any, rng: random.Random, moves: int = 10_000) -> int:
    """Play an environment at random, up to its end; how many steps that was."""
    steps = 0
    for _ in env.agent_iter(moves):
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        steps += 1
    return steps


@ours_is_a_dictionary
@pytest.mark.parametrize(("game", "settings"), CASES, ids=str)
def test_api(game: str, settings: dict[str, Any]) -> None:
    api_test(pettingzoo.env(game, **settings), num_cycles=100)


@ours_is_a_dictionary
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_api_at_every_corner(game: str) -> None:
    for corner in corners(ludotheque.game(game), every_count=False):
        api_test(pettingzoo.env(game, corner.players, **corner.options), num_cycles=20)


@pytest.mark.parametrize("kind", ["int16", "int8"])
@ours_is_a_dictionary
def test_api_with_other_observations(kind: str) -> None:
    api_test(pettingzoo.env("volle_lotte", observations=kind, reward="rounds"), num_cycles=50)


@pytest.mark.parametrize(("game", "settings"), CASES, ids=str)
def test_seeds(game: str, settings: dict[str, Any]) -> None:
    seed_test(lambda: pettingzoo.env(game, **settings), num_cycles=50)


@pytest.mark.parametrize(("game", "settings"), CASES, ids=str)
def test_rendering(game: str, settings: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    def make(render_mode: str) -> Any:
        return pettingzoo.env(game, render_mode=render_mode, **settings)

    has_words: Callable[[str], bool] = lambda screen: "player_0" in screen  # noqa: E731 - for a dictionary
    has_colours: Callable[[Any], bool] = lambda image: image.shape == (720, 960, 3) and len(np.unique(image)) > 50  # noqa: E731
    render_test(make, {"ansi": has_words, "rgb_array": has_colours})
    assert "player_0" in capsys.readouterr().out


@pytest.mark.slow
def test_performance_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import performance_benchmark

    performance_benchmark(pettingzoo.env("double_lucky_7"))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize(("game", "settings"), CASES, ids=str)
def test_it_does_what_pettingzoos_wrappers_do(game: str, settings: dict[str, Any]) -> None:
    """Step by step, an illegal action every now and then."""
    ours = pettingzoo.env(game, **settings)
    theirs: Any = wrappers.TerminateIllegalWrapper(pettingzoo.raw_env(game, **settings), illegal_reward=-1.0)
    theirs = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(theirs))
    rng = random.Random(2)
    for seed in range(8):
        for env in (ours, theirs):
            env.reset(seed=seed)
        for _ in range(120):
            assert ours.agents == theirs.agents
            if not ours.agents:
                break
            assert ours.agent_selection == theirs.agent_selection
            (one, *ours_last), (other, *theirs_last) = ours.last(), theirs.last()
            assert ours_last == theirs_last
            assert np.array_equal(one["observation"], other["observation"])
            action = None
            if not (ours_last[1] or ours_last[2]):
                assert np.array_equal(one["action_mask"], other["action_mask"])
                want = 0 if rng.random() < 0.03 and not one["action_mask"].all() else 1
                action = rng.choice(np.flatnonzero(one["action_mask"] == want).tolist())
            for env in (ours, theirs):
                env.step(action)
            assert (ours.rewards, ours.terminations, ours.truncations) == (
                theirs.rewards,
                theirs.terminations,
                theirs.truncations,
            )


def test_mistakes_in_the_order_of_calls() -> None:
    env = pettingzoo.env("loba")
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.state, env.render):
        with pytest.raises(AssertionError, match="reset"):
            call()
    env.reset(seed=1)
    for action in (-1, 7434, 1.5, "stock", None):
        with pytest.raises(AssertionError, match="action space"):
            env.step(action)  # type: ignore[arg-type]


def test_the_raw_environment_says_why() -> None:
    env = pettingzoo.raw_env("double_lucky_7")
    env.reset(seed=1)
    before = env.sitting.match.to_bytes()
    wrong = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove):
        env.step(wrong)
    with pytest.raises(InvalidMove):
        env.step("nonsense")  # type: ignore[arg-type]
    assert env.sitting.match.to_bytes() == before


def test_bad_settings() -> None:
    for wrong in ({"players": 1}, {"no_such": 1}, {"reward": "x"}, {"observations": "x"}, {"out_of_turn": 2}):
        with pytest.raises(InvalidOptions):
            pettingzoo.env("loba", **wrong)
    with pytest.raises(InvalidOptions, match="rgb_array"):
        pettingzoo.env("loba", render_mode="video")
    with pytest.raises(LudothequeError):
        pettingzoo.env("loba", lang="xx")
    with pytest.raises(ludotheque.UnknownGame):
        pettingzoo.env("chess")


@pytest.mark.parametrize("game", GAMES)
def test_rewards_come_at_the_end(game: str) -> None:
    env = pettingzoo.env(game, reward="centred")
    rng = random.Random(4)
    env.reset(seed=4)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        total[agent] += reward
        env.step(None if terminated else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    places = env.sitting.match.places
    assert sum(total.values()) == pytest.approx(0, abs=1e-6)
    assert total["player_0"] == pytest.approx((places[0] == 1) / places.count(1) - 1 / len(places), abs=1e-6)


def test_rounds_are_rewarded_as_they_end() -> None:
    env = pettingzoo.env("double_lucky_7", players=3, reward="rounds")
    env.reset(seed=1)
    rng = random.Random(1)
    sums = dict.fromkeys(env.possible_agents, 0.0)
    paid = 0
    while env.agents and not env.terminations[env.agent_selection]:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice(np.flatnonzero(mask).tolist()))
        paid += any(env.rewards.values())
        for agent, reward in env.rewards.items():
            sums[agent] += reward
    scores = env.sitting.match.scores
    leads = [score - (sum(scores) - score) / 2 for score in scores]
    assert list(sums.values()) == pytest.approx(leads)
    assert paid > 3


@pytest.mark.parametrize(("game", "settings"), OUT_OF_TURN, ids=str)
def test_who_may_move_out_of_turn_is_asked_first(game: str, settings: dict[str, Any]) -> None:
    env = pettingzoo.env(game, **settings)
    sitting = env.sitting
    rng = random.Random(1)
    env.reset(seed=1)
    asked_early = waited = 0
    for _ in range(300):
        if sitting.seat < 0:
            break
        movers, actor, seat = sitting.match.movers(), sitting.match.actor, sitting.seat
        mask = env.observe(env.agent_selection)["action_mask"]
        assert seat in movers
        assert sorted(np.flatnonzero(mask[: sitting.wait])) == sorted(sitting.match.legal_ids(seat))
        assert bool(mask[sitting.wait]) == (seat != actor)
        action = rng.choice(np.flatnonzero(mask).tolist())
        before = sitting.match.to_bytes()
        env.step(action)
        if seat != actor:
            asked_early += 1
            if action == sitting.wait:
                waited += 1
                assert sitting.match.to_bytes() == before
                assert (sitting.seat - actor) % sitting.players in (0, *range((seat - actor) % sitting.players, 8))
    assert 0 < waited < asked_early


def test_waiting_is_for_those_out_of_turn() -> None:
    env = pettingzoo.raw_env("lobo77", draw="manual")
    env.reset(seed=1)
    assert env.sitting.seat == env.sitting.match.actor
    with pytest.raises(IllegalMove):
        env.step(env.sitting.wait)


def test_asking_can_be_left_out() -> None:
    env = pettingzoo.env("lobo77", draw="manual", out_of_turn=False)
    env.reset(seed=1)
    assert env.action_space("player_0").n == 21
    play(env, random.Random(1))
    assert not env.agents


def test_a_deal_can_be_named() -> None:
    env = pettingzoo.env("skipbo")
    env.reset(options={"deal": "tuesday"})
    match = ludotheque.game("skipbo").new(seed="tuesday")
    assert env.sitting.match.to_bytes() == match.to_bytes()


def test_a_critic_sees_all_hands() -> None:
    env = pettingzoo.env("double_lucky_7", players=3)
    env.reset(seed=1)
    state = env.state()
    assert env.state_space.contains(state)
    assert np.array_equal(state, np.concatenate([env.observe(agent)["observation"] for agent in env.agents]))
