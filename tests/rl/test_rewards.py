"""Rewards: who gets what, and that rounds add up to the whole."""

from __future__ import annotations

import numpy as np
import pytest

import ludotheque
from ludotheque import InvalidOptions
from ludotheque.rl import vector
from ludotheque.rl.rewards import Reckoner, direction


def test_few_points_are_good_in_one_game_only() -> None:
    assert {game: direction(game) for game in ludotheque.game_ids()} == {
        game: -1 if game == "loba" else 1 for game in ludotheque.game_ids()
    }


def reckon(kind: str, scores: list[int], places: list[int], game: str = "double_lucky_7") -> list[float]:
    """The rewards at the end of one match."""
    reckoner = Reckoner(ludotheque.game(game), len(scores), kind)
    values: list[float] = reckoner.final(np.array(scores, np.int32), np.array(places, np.int32)).tolist()
    return values


def test_the_first_place_is_shared() -> None:
    assert reckon("win", [30, 50, 10], [2, 1, 3]) == [0, 1, 0]
    assert reckon("win", [50, 50, 10], [1, 1, 3]) == [0.5, 0.5, 0]


def test_centred_rewards_add_up_to_nothing() -> None:
    assert reckon("centred", [30, 50, 10, 0], [2, 1, 3, 4]) == [-0.25, 0.75, -0.25, -0.25]


def test_scores_are_leads_over_the_mean_of_the_others() -> None:
    assert reckon("score", [30, 50, 10], [2, 1, 3]) == [0, 30, -30]
    assert reckon("score", [30, 50, 10], [2, 3, 1], "loba") == [0, -30, 30]


def test_unknown_reward() -> None:
    with pytest.raises(InvalidOptions, match="win, centred, score, rounds"):
        vector.make("loba", 2, reward="money")


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_rounds_add_up_to_the_score(game_id: str) -> None:
    whole, parts = (vector.make(game_id, 32, seed=4, reward=kind, threads=1) for kind in ("score", "rounds"))
    sums = np.zeros_like(parts.rewards)
    finished = 0
    for _ in range(600):
        actions = whole.sample().copy()
        whole.step(actions)
        parts.step(actions)
        sums += parts.rewards
        ended = whole.done.astype(bool)
        assert np.allclose(sums[ended], whole.rewards[ended])
        assert not whole.rewards[~ended].any()
        sums[ended] = 0
        finished += int(ended.sum())
    assert finished or game_id in ("loba", "skipbo")
