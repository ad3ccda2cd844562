"""One learner among bots: Gymnasium's checker, and the batch against single environments."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import ludotheque
from ludotheque import InvalidMove, InvalidOptions, Move
from ludotheque.rl import gymnasium as ours
from ludotheque.rl.observations import Encoder

GAMES = ludotheque.game_ids()
SHORT: dict[str, dict[str, Any]] = {
    "lobo77": {"tokens": 1},
    "skipbo": {"stock": 5},
    "volle_lotte": {"target": 1000},
    "double_lucky_7": {"rounds": 7},
}


class First:
    """Plays the first legal move, so that two tables can be compared."""

    def __init__(self, game: str) -> None:
        self.game = ludotheque.game(game)
        self.ids = np.empty(self.game.info.num_actions, np.int16)

    def choose(self, table: Any, seat: int) -> Move:
        """The first of its moves."""
        assert self.game.kernels.moves(table, seat, self.ids) > 0
        return self.game.moves[int(self.ids[0])]


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_checker(game: str) -> None:
    for mode in (None, "ansi", "rgb_array"):
        check_env(gymnasium.make(f"ludotheque/{game}-v0", render_mode=mode).unwrapped, skip_render_check=mode is None)


@pytest.mark.parametrize("opponents", ["random", "club"])
@pytest.mark.parametrize("game", GAMES)
def test_matches_to_their_end(game: str, opponents: str) -> None:
    env = ours.env(game, opponents, **SHORT.get(game, {}))
    rng = random.Random(1)
    seen, _ = env.reset(seed=1)
    for _ in range(300):
        assert env.observation_space.contains(seen)
        assert env.sitting.seat == env.seat
        seen, reward, over, truncated, info = env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        assert not truncated and list(info) == ["action_mask"]
        if over:
            places = env.sitting.match.places
            assert reward == pytest.approx((places[0] == 1) / places.count(1))
            assert np.flatnonzero(seen["action_mask"]).tolist() == [ours.AFTER_THE_END]
            with pytest.raises(InvalidMove, match="reset"):
                env.step(0)
            break
        assert reward == 0


@pytest.mark.slow
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("reward", ["win", "rounds"])
@pytest.mark.parametrize("game", GAMES)
def test_a_batch_is_many_single_environments(game: str, reward: str, mode: AutoresetMode) -> None:
    """The same deals, the same opponents, the same actions, an illegal one now and then: the same of everything."""
    num, bot, options = 4, First(game), SHORT.get(game, {})
    batch = ours.vector_env(game, num, bot, reward=reward, autoreset_mode=mode, threads=1, **options)
    rows = list(range(num))

    class Dealt(ours.SeatEnv):
        """Deals what the batch deals next in a row."""

        def __init__(self, row: int) -> None:
            super().__init__(game, bot, reward=reward, **options)
            self.row = row
            self.deals = -1

        def reset(self, **given: Any) -> Any:
            while True:
                self.deals += 1
                self.sitting.begin(key(self.row, self.deals), self._names)
                self._let_bots_play()
                if self.sitting.seat >= 0:
                    return self._look()

    def key(row: int, episode: int) -> bytes:
        now = int(batch.arena.episodes[row])
        batch.arena.episodes[row] = episode
        found = batch.arena.key(row)
        batch.arena.episodes[row] = now
        return found

    seen, _ = batch.reset(seed=3)
    single = SyncVectorEnv([lambda row=row: Dealt(row) for row in rows], autoreset_mode=mode)  # type: ignore[misc]
    expected, _ = single.reset()
    rng = random.Random(6)
    ended = 0
    for _ in range(120):
        for name in seen:
            assert np.array_equal(seen[name], expected[name])
        assert batch.observation_space.contains(seen)
        actions = np.zeros(num, np.int64)
        for row in rows:
            want = 0 if rng.random() < 0.02 else 1
            actions[row] = rng.choice(np.flatnonzero(seen["action_mask"][row] == want).tolist())
        seen, *results, info = batch.step(actions)
        expected, *expected_results, expected_info = single.step(actions)
        for one, other in zip(results, expected_results, strict=True):
            assert np.array_equal(one, other) and one.dtype == other.dtype
        assert np.array_equal(info["action_mask"], expected_info["action_mask"]) and info["_action_mask"].all()
        assert seen["action_mask"].any(1).all()
        assert ("final_obs" in info) == ("final_obs" in expected_info)
        if "final_obs" in info:
            assert np.array_equal(info["_final_obs"], expected_info["_final_obs"])
            for row in np.flatnonzero(info["_final_obs"]).tolist():
                for name, last in expected_info["final_obs"][row].items():
                    assert np.array_equal(info["final_obs"][row][name], last)
        ended += int(results[1].sum())
    assert ended


def test_gymnasium_makes_and_wraps_it() -> None:
    env = RecordEpisodeStatistics(gymnasium.make_vec("ludotheque/lobo77-v0", num_envs=16, tokens=1))
    seen, _ = env.reset(seed=1)
    episodes = 0
    for _ in range(60):
        seen, _, _, _, info = env.step(seen["action_mask"].argmax(1))
        episodes += int(info.get("_episode", np.zeros(1)).sum())
    assert episodes


def test_random_opponents_follow_from_the_seed() -> None:
    one, other = (ours.vector_env("skipbo", 8, stock=5) for _ in range(2))
    first, second = one.reset(seed=1)[0], other.reset(seed=1)[0]
    for _ in range(30):
        assert np.array_equal(first["observation"], second["observation"])
        actions = first["action_mask"].argmax(1)
        first, second = one.step(actions)[0], other.step(actions)[0]


def test_any_seat_can_learn_among_different_bots() -> None:
    env = ours.env("loba", ["beginner", First("loba")], players=3, seat=2)
    seen, _ = env.reset(seed=1)
    assert env.sitting.seat == 2
    env.step(int(seen["action_mask"].argmax()))


@pytest.mark.parametrize("opponents", ["random", "casual"])
def test_moves_out_of_turn(opponents: str) -> None:
    env = ours.env("lobo77", opponents, players=3, draw="manual")
    rng = random.Random(1)
    seen, _ = env.reset(seed=1)
    waits = 0
    for _ in range(60):
        waits += int(seen["action_mask"][env.sitting.wait])
        seen, _, over, _, info = env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        assert "illegal" not in info
        if over:
            break
    assert waits
    with pytest.raises(InvalidOptions, match="SyncVectorEnv"):
        ours.vector_env("lobo77", 4, draw="manual")


def test_bad_settings() -> None:
    for wrong in ({"opponents": "nobody"}, {"opponents": ["club", "club"]}, {"seat": 5}, {"opponents": 3}, {"x": 1}):
        with pytest.raises(InvalidOptions):
            ours.env("skipbo", **wrong)
    with pytest.raises(InvalidOptions):
        ours.env("skipbo", render_mode="human")
    with pytest.raises(InvalidOptions):
        ours.vector_env("skipbo", 4, autoreset_mode=AutoresetMode.DISABLED)


def test_bad_actions() -> None:
    env = ours.vector_env("skipbo", 4)
    env.reset(seed=1)
    for wrong in (np.zeros(3, np.int64), np.zeros(4), np.full(4, 148), np.full(4, -1)):
        with pytest.raises(InvalidMove):
            env.step(wrong)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("flat", [False, True])
def test_the_mask_is_where_each_library_looks_for_it(game: str, flat: bool) -> None:
    """In the observation, in the info as Gymnasium samples with it, and under sb3-contrib's name: always the same."""
    env = gymnasium.make(f"ludotheque/{game}-v0", flat=flat, **SHORT.get(game, {}))
    envs = ours.vector_env(game, 3, flat=flat, threads=1, **SHORT.get(game, {}))
    space = env.observation_space
    assert isinstance(space, gymnasium.spaces.Box if flat else gymnasium.spaces.Dict)
    env.action_space.seed(1)
    seen, info = env.reset(seed=1)
    many, infos = envs.reset(seed=1)
    for _ in range(20):
        mask, masks = env.get_wrapper_attr("action_masks")(), envs.action_masks()
        assert space.contains(seen) and envs.observation_space.contains(many)
        assert mask.dtype == masks.dtype == np.bool_ and info["action_mask"].dtype == np.int8
        assert np.array_equal(mask, info["action_mask"]) and np.array_equal(masks, infos["action_mask"])
        if not flat:
            assert np.array_equal(mask, seen["action_mask"]) and np.array_equal(masks, many["action_mask"])
        seen, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        many, _, _, _, infos = envs.step(infos["action_mask"].argmax(1))
        if over:
            seen, info = env.reset()


def test_flat_observations_are_those_of_the_dictionary() -> None:
    flat, whole = (
        ours.vector_env("skipbo", 3, flat=flat, autoreset_mode="SameStep", stock=5) for flat in (True, False)
    )
    seen, _ = flat.reset(seed=1)
    expected, _ = whole.reset(seed=1)
    ended = 0
    for _ in range(200):
        assert np.array_equal(seen, expected["observation"])
        actions = expected["action_mask"].argmax(1)
        seen, _, _, _, info = flat.step(actions)
        expected, _, _, _, infos = whole.step(actions)
        for row in np.flatnonzero(info.get("_final_obs", [])):
            assert np.array_equal(info["final_obs"][row], infos["final_obs"][row]["observation"])
            ended += 1
    assert ended
    with pytest.raises(InvalidOptions, match="flat"):
        ours.env("skipbo", flat="yes")


@pytest.mark.parametrize("game", GAMES)
def test_an_ended_row_offers_one_action_that_plays_nothing(game: str) -> None:
    options = SHORT.get(game, {})
    envs = ours.vector_env(game, 4, threads=1, **options)
    seen, info = envs.reset(seed=1)
    envs.step(seen["action_mask"].argmin(1))  # an illegal action ends a match
    masks = envs.action_masks()
    assert masks.sum(1).tolist() == [1] * 4 and masks[:, ours.AFTER_THE_END].all()
    seen, rewards, over, _, info = envs.step(masks.argmax(1))
    assert not rewards.any() and not over.any() and "illegal" not in info
    assert np.array_equal(seen["action_mask"], envs.arena.masks)


def test_what_a_bot_from_outside_sees_is_what_the_learner_saw() -> None:
    env = ours.env("loba", flat=True)
    seen, _ = env.reset(seed=1)
    record = env.sitting.match.concealed(env.seat)
    assert np.array_equal(Encoder("loba").observe(record, env.seat), seen)
