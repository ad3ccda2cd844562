"""Every game at every option corner: audits, refusals, secrecy, positions, records, batches, both modes."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest

import ludotheque
from ludotheque import testing
from ludotheque.core.jit import COMPILED, plain
from ludotheque.testing import Corner

CORNERS = [c for game_id in ludotheque.game_ids() for c in testing.corners(ludotheque.game(game_id))]
ENDS = [c for game_id in ludotheque.game_ids() for c in testing.corners(ludotheque.game(game_id), every_count=False)]
FUZZ_MOVES = 20_000 if COMPILED else 40


@pytest.mark.slow
@pytest.mark.parametrize("corner", CORNERS, ids=str)
def test_random_moves_keep_every_invariant(corner: Corner) -> None:
    assert testing.check_fuzz(corner, FUZZ_MOVES, seed=3) == FUZZ_MOVES


@pytest.mark.slow
@pytest.mark.parametrize("corner", CORNERS, ids=str)
def test_a_match_as_python_users_see_it(corner: Corner) -> None:
    testing.check_walk(corner, seed=5, max_moves=300, every=25)


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_short_walk_at_the_defaults(game_id: str) -> None:
    game = ludotheque.game(game_id)
    testing.check_walk(Corner(game, game.info.max_seats, {}), seed=11, max_moves=60, every=10)


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("corner", ENDS, ids=str)
def test_every_match_ends(corner: Corner) -> None:
    """The fuzzer starts a new match when one is over: in many moves it must see many ends."""
    game = corner.game
    buf = np.zeros(game.info.state.itemsize, np.uint8)
    report = np.zeros(4, np.int64)
    options = game.options(corner.players, corner.options)
    key = np.arange(8, dtype=np.uint32)
    moves = 400_000
    assert game.kernels.fuzz(buf, moves, 9, key, corner.players, options.codes, report) == 0
    assert report[1] >= 3, f"only {report[1]} matches ended in {moves} moves; the longest had {report[2]}"


@pytest.mark.slow
@pytest.mark.parametrize("corner", ENDS, ids=str)
def test_a_batch_is_many_single_matches(corner: Corner) -> None:
    rng = np.random.default_rng(1)
    arena = corner.game.arena(5, corner.players, seed=2, **corner.options)
    singles = [corner.game.new(corner.players, seed=arena.key(i), **corner.options) for i in range(5)]
    for _ in range(60 if COMPILED else 10):
        actions = np.array([rng.choice(single.legal_ids()) for single in singles], np.int16)
        arena.step(actions)
        for i, single in enumerate(singles):
            single.play(corner.game.moves[actions[i]])
            if arena.done[i]:
                assert single.over
                assert arena.scores[i, : corner.players].tolist() == single.scores
                assert arena.places[i, : corner.players].tolist() == single.places
                singles[i] = single = corner.game.new(corner.players, seed=arena.key(i), **corner.options)
            assert arena.record(i).tobytes() == single.to_bytes()
            assert sorted(np.flatnonzero(arena.masks[i])) == sorted(single.legal_ids())


DIGESTS = """
import sys
import ludotheque
from ludotheque import testing
game = ludotheque.game(sys.argv[1])
for corner in testing.corners(game, every_count=False):
    print(corner, testing.walk_digest(corner, seed=int(sys.argv[2]), moves=int(sys.argv[3])))
"""


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_compiled_and_interpreted_rules_agree_to_the_byte(game_id: str) -> None:
    def digests(interpreted: bool) -> list[str]:
        env = {**os.environ, "NUMBA_DISABLE_JIT": "1" if interpreted else "0"}
        command = [sys.executable, "-c", DIGESTS, game_id, "4", "250"]
        run = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        return run.stdout.splitlines()

    compiled = digests(interpreted=False)
    assert len(compiled) > 2
    assert compiled == digests(interpreted=True)


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_playouts_sample_legal_moves_uniformly(game_id: str) -> None:
    """A game's own `sample` gives exactly the moves that `legal` lists, and each as often as the others."""
    game = ludotheque.game(game_id)
    sample = getattr(game.rules, "sample", None)
    if sample is None:
        sample = game.kernels.list_and_choose
    sample = plain(sample)
    rng = random.Random(3)
    match = game.new(game.info.max_seats, seed=8)
    ids = np.empty(game.info.num_actions, np.int16)
    for _ in range(25):
        seat, move = testing.random_move(match, rng)
        match.play(move, seat)
        legal = match.legal_ids()
        if match.over or len(legal) > 40:
            continue
        draws = 12 * len(legal)
        counts = dict.fromkeys(legal, 0)
        for i in range(draws):
            x = ((2 * i + 1) << 61) // draws
            counts[int(sample(match.state, match.actor, x, ids))] += 1
        assert all(abs(count - 12) <= 1 for count in counts.values()), counts


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_both_languages_have_all_texts(game_id: str) -> None:
    testing.check_texts(ludotheque.game(game_id))


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_the_record_is_small(game_id: str) -> None:
    limit = 2048 if game_id == "loba" else 1024
    assert ludotheque.game(game_id).info.state.itemsize <= limit
