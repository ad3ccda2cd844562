"""Matches by the thousand, for self-play."""

from __future__ import annotations

import numpy as np
import pytest

import ludotheque
from ludotheque import IllegalMove, InvalidMove, InvalidOptions
from ludotheque.rl import vector
from ludotheque.rl.observations import Encoder

GAMES = ludotheque.game_ids()


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("kind", ["int16", "float32", "int8"])
def test_rows_are_the_matches_one_would_play_alone(game_id: str, kind: str) -> None:
    env = vector.make(game_id, 6, seed=2, threads=1, observations=kind)
    game, encoder = ludotheque.game(game_id), Encoder(game_id, kind)
    matches = [game.new(env.players, seed=env.arena.key(row)) for row in range(6)]
    raw = np.zeros(encoder.size, np.int16)
    for _ in range(60):
        for row, match in enumerate(matches):
            game.kernels.watch(np.frombuffer(match.to_bytes(), np.uint8).copy(), match.actor, raw)
            assert np.array_equal(env.observations[row], encoder.encode(raw))
            assert np.flatnonzero(env.masks[row]).tolist() == sorted(match.legal_ids())
            assert env.actors[row] == match.actor
        actions = env.sample().copy()
        observations, rewards, done = env.step(actions)
        assert observations is env.observations and rewards is env.rewards and done is env.done
        for row, match in enumerate(matches):
            match.play(match.game.moves[actions[row]])
            assert bool(done[row]) == match.over
            if match.over:
                firsts = [place == 1 for place in match.places]
                assert rewards[row].tolist() == pytest.approx([first / sum(firsts) for first in firsts])
                matches[row] = game.new(env.players, seed=env.arena.key(row))
            else:
                assert not rewards[row].any()


def test_the_same_seed_deals_the_same() -> None:
    one, other = (vector.make("skipbo", 8, players=3, seed=9) for _ in range(2))
    assert np.array_equal(one.observations, other.observations)
    assert not np.array_equal(one.reset(10), other.observations)
    assert np.array_equal(one.reset(9), other.observations)


def test_masks_and_observations_are_not_copied() -> None:
    env = vector.make("lobo77", 4, seed=1)
    masks, seen = env.masks, env.observations
    env.step(env.sample())
    assert env.masks is masks is env.arena.masks and env.observations is seen


def test_all_seats_together_for_a_critic() -> None:
    env = vector.make("double_lucky_7", 5, players=3, seed=1, observations="float32")
    state = env.state()
    assert state.shape == (5, 3 * env.encoder.size)
    assert np.array_equal(state[:, : env.encoder.size], env.observations)
    assert np.array_equal(state[:, env.encoder.size : 2 * env.encoder.size], env.observe((env.actors + 1) % 3))


def test_an_illegal_action_changes_nothing() -> None:
    env = vector.make("double_lucky_7", 4, seed=1)
    actions = env.sample().copy()
    actions[2] = int(np.flatnonzero(env.masks[2] == 0)[0])
    before = env.arena.records.copy()
    with pytest.raises(IllegalMove, match="match 2"):
        env.step(actions)
    assert np.array_equal(before, env.arena.records)


def test_bad_input() -> None:
    env = vector.make("loba", 4, seed=1)
    with pytest.raises(InvalidMove):
        env.step(np.zeros(3, np.int16))
    with pytest.raises(InvalidMove):
        env.step(np.zeros(4))
    with pytest.raises(InvalidOptions):
        vector.make("loba", 0)
    with pytest.raises(InvalidOptions):
        vector.make("loba", 4, players=9)
    with pytest.raises(InvalidOptions, match="no_such"):
        vector.make("loba", 4, no_such=1)
    with pytest.raises(ludotheque.UnknownGame):
        vector.make("chess", 4)


def test_a_match_to_look_at() -> None:
    env = vector.make("skipbo", 3, seed=1)
    match = env.match(1)
    assert match.actor == env.actors[1]
    assert sorted(match.legal_ids()) == np.flatnonzero(env.masks[1]).tolist()
    match.play(match.legal()[0])
    assert match.to_bytes() != env.arena.record(1).tobytes()


def test_a_seat_out_of_turn_may_be_named() -> None:
    env = vector.make("lobo77", 1, players=3, seed=1, draw="manual")
    player = int(env.actors[0])
    env.step(env.sample())
    match = env.match(0)
    assert player in match.movers() and player != match.actor
    env.step([match.legal_ids(player)[0]], [player])
    assert env.actors[0] == match.actor
