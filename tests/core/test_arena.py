"""Arenas: a batch of matches plays as single matches do."""

from __future__ import annotations

import copy
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque import IllegalMove, InvalidMove, InvalidOptions, InvalidRecord, LudothequeError, UnknownGame
from ludotheque.core.arena import Arena
from ludotheque.core.jit import COMPILED
from ludotheque.core.match import Match

# One game without and one with moves out of turn.
GAMES = ["double_lucky_7", "lobo77"]
OPTIONS: dict[str, dict[str, Any]] = {
    "double_lucky_7": {"rounds": 7, "lead": "winner"},
    "lobo77": {"tokens": 1, "draw": "manual"},
    "skipbo": {"stock": 5, "manners": True},
}
STEPS = 400 if COMPILED else 120


def arena(game_id: str, num_matches: int = 4, **settings: Any) -> Arena:
    return ludotheque.game(game_id).arena(num_matches, players=3, seed=5, **OPTIONS[game_id], **settings)


def single(batch: Arena, index: int) -> Match:
    """The same match by itself, at its beginning."""
    return batch.game.new(batch.players, seed=batch.key(index), **batch.options.to_json())


def assert_same(batch: Arena, index: int, match: Match) -> None:
    """Everything an arena says of a match is what the match says."""
    assert batch.record(index).tobytes() == match.to_bytes()
    assert batch.actors[index] == match.actor
    legal = match.legal_ids()
    assert batch.counts[index] == len(legal)
    assert batch.ids[index, : len(legal)].tolist() == legal
    assert np.flatnonzero(batch.masks[index]).tolist() == sorted(legal)


@pytest.mark.parametrize("game_id", [*GAMES, "skipbo"])  # one that writes its masks itself
def test_a_step_may_leave_matches_out(game_id: str) -> None:
    batch = arena(game_id)
    matches = [single(batch, i) for i in range(len(batch))]
    for k in range(20):
        actions = batch.sample().astype(np.int64)
        for i, match in enumerate(matches):
            if (i + k) % 3:
                match.play(batch.game.moves[actions[i]])
            else:
                actions[i] = -1
        batch.step(actions, partly=True)
        for i, match in enumerate(matches):
            assert_same(batch, i, match)
    for wrong in (-2, 10_000):
        actions = np.array([-1, wrong, -1, -1])
        with pytest.raises(IllegalMove, match=f"match 1: action {wrong} "):
            batch.step(actions, partly=True)
    with pytest.raises(IllegalMove):
        batch.step(np.full(len(batch), -1))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_batch_plays_as_single_matches_do(game_id: str) -> None:
    batch = arena(game_id)
    matches = [single(batch, i) for i in range(len(batch))]
    ended = 0
    for _ in range(STEPS):
        for i, match in enumerate(matches):
            assert_same(batch, i, match)
        actions = batch.sample()
        for i, match in enumerate(matches):
            match.play(batch.game.moves[actions[i]])
        over = batch.step(actions)
        assert over == batch.done.sum() == sum(match.over for match in matches)
        ended += over
        for i, match in enumerate(matches):
            if match.over:
                assert batch.done[i] == 1
                assert batch.scores[i, :3].tolist() == match.scores
                assert batch.places[i, :3].tolist() == match.places
                matches[i] = single(batch, i)  # another has begun in its row, under a key of its own
                assert matches[i].commitment != match.commitment
    assert batch.episodes.sum() == ended > 0


@pytest.mark.parametrize("game_id", GAMES)
def test_without_auto_reset_matches_stay_over(game_id: str) -> None:
    batch = arena(game_id, auto_reset=False)
    matches = [single(batch, i) for i in range(len(batch))]
    ended = 0
    while ended < len(batch):
        actions = batch.sample().copy()
        for i, match in enumerate(matches):
            if match.over:
                assert (batch.actors[i], batch.counts[i], actions[i]) == (-1, 0, -1)
            else:
                match.play(batch.game.moves[actions[i]])
        ended += batch.step(actions)
    for i, match in enumerate(matches):
        assert_same(batch, i, match)
        assert batch.scores[i, :3].tolist() == match.scores
    before = batch.records.copy()
    assert batch.step(batch.sample()) == 0
    assert batch.step([0, 1, 2, 3]) == 0  # what is asked of a match that is over does not matter
    assert (batch.records == before).all()
    assert not batch.masks.any() and not batch.done.any() and not batch.episodes.any()


@pytest.mark.parametrize("game_id", GAMES)
def test_an_illegal_action_is_named_and_changes_nothing(game_id: str) -> None:
    batch = arena(game_id)
    for _ in range(10):
        batch.step(batch.sample())
    for row in (3, 1):
        actions = batch.sample().copy()
        illegal = int(np.flatnonzero(batch.masks[row] == 0)[0])
        for wrong in (illegal, -1, -7, batch.game.info.num_actions, 30_000):
            actions[row] = wrong
            before = [array.copy() for array in (batch.records, batch.masks, batch.actors, batch.counts, batch.done)]
            with pytest.raises(IllegalMove, match=f"match {row}"):
                batch.step(actions)
            after = (batch.records, batch.masks, batch.actors, batch.counts, batch.done)
            assert all((old == new).all() for old, new in zip(before, after, strict=True))
    actions = batch.sample().copy()
    actions[1] = actions[2] = -1
    with pytest.raises(IllegalMove, match="match 1"):
        batch.step(actions)


def test_a_seat_may_be_named() -> None:
    batch = arena("lobo77")
    match = single(batch, 0)
    draw = batch.game.moves.parse("draw").id
    actions, opener = batch.sample().copy(), match.actor
    while "draw" not in match.legal(opener):  # the first plays, and may draw while the second thinks
        match.play(batch.game.moves[actions[0]])
        batch.step(actions)
    assert match.actor != opener
    actions = batch.sample().copy()
    actions[0] = draw
    with pytest.raises(IllegalMove, match="match 0"):
        batch.step(actions)
    seats = batch.actors.copy()
    seats[0] = opener
    card = actions.copy()
    card[0] = match.legal_ids()[0]
    with pytest.raises(IllegalMove, match=rf"match 0: action {card[0]} \(.+\) is not legal for seat {opener}"):
        batch.step(card, seats)  # that is the other's to play
    batch.step(actions, seats)
    match.play("draw", opener)
    assert_same(batch, 0, match)


def test_it_must_be_the_seats_turn() -> None:
    batch = arena("double_lucky_7")
    seats = (batch.actors + 1) % 3
    with pytest.raises(IllegalMove, match="match 0"):
        batch.step(batch.sample(), seats)
    batch.step(batch.sample(), batch.actors)


@pytest.mark.parametrize(
    "actions",
    [[61], [61] * 5, [[61] * 4], 61, [61.0] * 4, [True] * 4, [], None, np.zeros((4, 1), np.int16)],
)
def test_wrong_shapes_and_types_of_actions(actions: Any) -> None:
    batch = arena("double_lucky_7")
    before = batch.records.copy()
    with pytest.raises(InvalidMove, match="actions is an array of 4 integers"):
        batch.step(actions)
    assert (batch.records == before).all()


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_any_type_of_integer_will_do(kind: type[np.integer[Any]]) -> None:
    one, other = arena("double_lucky_7"), arena("double_lucky_7")
    one.step(one.sample())
    other.step(other.sample().astype(kind))
    other_list = arena("double_lucky_7")
    other_list.step(other_list.sample().tolist())
    assert (one.records == other.records).all() and (one.records == other_list.records).all()


def test_large_numbers_are_not_cut_down_to_legal_ones() -> None:
    batch = arena("double_lucky_7")
    actions = batch.sample().astype(np.int64)
    with pytest.raises(IllegalMove):
        batch.step(actions + 2**16)
    with pytest.raises(IllegalMove):
        batch.step(actions - 2**16)


@pytest.mark.parametrize("seats", [[0], [0.0] * 4, [3] * 4, [-2] * 4, [0, 0, 0, 256], "0000"])
def test_wrong_seats(seats: Any) -> None:
    batch = arena("double_lucky_7")
    with pytest.raises(InvalidMove, match="seats"):
        batch.step(batch.sample(), seats)
    with pytest.raises(InvalidMove, match="seats"):
        batch.observe(seats)


@pytest.mark.parametrize("game_id", GAMES)
def test_observations_are_those_of_single_matches(game_id: str) -> None:
    batch = arena(game_id)
    game = batch.game
    for step in range(30):
        batch.step(batch.sample())
        seats = [(step + i) % 3 for i in range(4)]
        seen = batch.observe(seats)
        assert seen.shape == (4, game.info.observation_size) and seen.dtype == np.int16
        for i, seat in enumerate(seats):
            own = np.zeros(game.info.observation_size, np.int16)
            game.kernels.watch(batch.record(i), seat, own)
            assert seen[i].tolist() == own.tolist()


def test_observations_into_an_array_of_ones_own() -> None:
    batch = arena("double_lucky_7")
    out = np.full((4, batch.game.info.observation_size), 99, np.int16)
    assert batch.observe([0, 1, 2, 0], out) is out
    assert out.tolist() == batch.observe([0, 1, 2, 0]).tolist()
    wrongs: list[Any] = [out[:3], out.astype(np.int32), np.asfortranarray(out), out.ravel()]
    for wrong in wrongs:
        with pytest.raises(InvalidOptions, match="an array for observations is contiguous, int16"):
            batch.observe([0, 1, 2, 0], wrong)
        before = batch.records.copy()
        with pytest.raises(InvalidOptions, match="an array for observations is contiguous, int16"):
            batch.step(batch.sample(), observations=wrong)
        assert (batch.records == before).all()


@pytest.mark.parametrize("auto_reset", [True, False])
def test_a_step_fills_what_the_next_actors_see(auto_reset: bool) -> None:
    batch = ludotheque.game("double_lucky_7").arena(4, players=3, seed=1, auto_reset=auto_reset)
    seen = np.full((4, batch.game.info.observation_size), 99, np.int16)
    for _ in range(200 if COMPILED else 40):
        batch.step(batch.sample(), observations=seen)
        assert (seen == batch.observe(batch.actors)).all()


def test_nobody_observes_nothing() -> None:
    batch = ludotheque.game("double_lucky_7").arena(4, players=7, seed=1)
    assert not batch.observe([-1] * 4).any()  # as the actors of matches that are over are


@pytest.mark.compiled_only  # interpreted code has one thread
@pytest.mark.parametrize("game_id", GAMES)
def test_the_number_of_threads_changes_nothing(game_id: str) -> None:
    one, two, many = (arena(game_id, 37, threads=threads) for threads in (1, 2, 40))
    for _ in range(120):  # some matches end in the meantime
        assert one.step(one.sample()) == two.step(two.sample()) == many.step(many.sample())
    for other in (two, many):
        assert (one.records == other.records).all()
        assert (one.masks == other.masks).all() and (one.episodes == other.episodes).all() and one.episodes.any()
        assert (one.scores == other.scores).all() and (one.places == other.places).all()
        seats = np.arange(37) % 3
        assert (one.observe(seats) == other.observe(seats)).all()


def test_sampled_actions_are_legal_and_spread() -> None:
    batch = arena("double_lucky_7", 300)
    actions = batch.sample()
    assert all(batch.masks[i, action] for i, action in enumerate(actions))
    assert set(actions.tolist()) >= {61, 62}  # some bid 0, some bid 1


def test_the_same_seed_is_the_same_batch() -> None:
    game = ludotheque.game("double_lucky_7")
    one, two, other = game.arena(3, seed=1), game.arena(3, seed=1), game.arena(3, seed=2)
    assert one.players == 2 and len(one) == 3
    assert (one.records == two.records).all() and (one.sample() == two.sample()).all()
    assert (one.records != other.records).any()
    assert len({one.key(i) for i in range(3)}) == 3


@pytest.mark.parametrize(
    "settings",
    [
        {"num_matches": 0},
        {"num_matches": -1},
        {"num_matches": 1 << 40},
        {"num_matches": True},
        {"num_matches": 2.0},
        {"players": 1},
        {"players": 8},
        {"players": True},
        {"threads": 0},
        {"threads": 5000},
        {"threads": "2"},
        {"seed": 1.5},
        {"rounds": 3},
        {"colour": "red"},
    ],
)
def test_settings_that_will_not_do(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptions):
        ludotheque.game("double_lucky_7").arena(**{"num_matches": 2, **settings})


@pytest.mark.parametrize("game_id", GAMES)
def test_actions_handed_out_outlive_the_step_they_are_played_in(game_id: str) -> None:
    batch = arena(game_id)
    actions = batch.sample()
    kept = actions.copy()
    batch.step(actions)
    assert actions.tolist() == kept.tolist()
    again = [batch.sample().tolist() for _ in range(40)]  # without a step: drawn anew each time
    assert len({tuple(row) for row in again}) > 1
    assert all(batch.masks[i, action] for row in again for i, action in enumerate(row))


@pytest.mark.parametrize("game_id", [*GAMES, "skipbo"])
@pytest.mark.parametrize("auto_reset", [True, False])
def test_a_saved_arena_goes_on_as_the_original(game_id: str, auto_reset: bool, tmp_path: Path) -> None:
    batch = arena(game_id, auto_reset=auto_reset)
    for _ in range(STEPS // 8):
        batch.step(batch.sample())
    file = tmp_path / "batch"
    saved = batch.save(file)
    assert file.read_bytes() == saved
    twins = [Arena.load(saved, threads=1), Arena.load(str(file)), copy.copy(batch), copy.deepcopy(batch)]
    for twin in twins:
        assert twin == batch and twin.save() == saved
        assert np.array_equal(twin.masks, batch.masks) and np.array_equal(twin.counts, batch.counts)
    for _ in range(STEPS // 8):
        actions = batch.sample().copy()
        batch.step(actions)
        for twin in twins:
            assert np.array_equal(twin.sample(), actions)
            twin.step(actions)
    assert all(twin == batch for twin in twins)


def test_what_is_no_saved_arena_says_so(tmp_path: Path) -> None:
    saved = arena("double_lucky_7").save()
    kind, _, body = saved.split(b"\n", 2)

    def signed(body: bytes) -> bytes:
        return b"\n".join([kind, hashlib.blake2b(body, digest_size=16).hexdigest().encode(), body])

    header, data = body.split(b"\n", 1)
    wrong = {
        "not a saved arena": [b"", b"PK\x03\x04 something else"],
        "another format": [saved.replace(b"arena 1", b"arena 9", 1)],
        "damaged": [saved[:-1], saved[:-9] + bytes([saved[-9] ^ 1]) + saved[-8:], kind, kind + b"\n\n"],
        "not as arenas": [signed(b"{}\n"), signed(b"[1]\n"), signed(header + b"\n" + data[:-1])],
        "does not fit": [signed(body.replace(b'"num_matches": 4', b'"num_matches": 3', 1))],
        "match 0 cannot be": [signed(header + b"\n" + bytes(200) + data[200:])],
        "rules": [signed(body.replace(b'"rules_version": ', b'"rules_version": 9', 1))],
    }
    for said, files in wrong.items():
        for content in files:
            with pytest.raises(InvalidRecord, match=said):
                Arena.load(content)
    with pytest.raises(UnknownGame):
        Arena.load(signed(body.replace(b"double_lucky_7", b"doublets", 1)))
    with pytest.raises(InvalidOptions):
        Arena.load(signed(body.replace(b'"rounds": 7', b'"rounds": 77', 1)))
    with pytest.raises(LudothequeError, match="cannot be read"):
        Arena.load(tmp_path / "none")
    with pytest.raises(LudothequeError, match="cannot be written"):
        arena("double_lucky_7").save(tmp_path / "no" / "folder")
