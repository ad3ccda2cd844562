"""Observations: within their ranges at every corner, scaled as said, the same in worlds a seat cannot tell apart."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

import ludotheque
from ludotheque import InvalidOptions
from ludotheque.core.chance import key_from_seed
from ludotheque.core.info import Piece
from ludotheque.core.record import Record
from ludotheque.rl.observations import KINDS, Encoder, layout
from ludotheque.testing import corners, random_move

GAMES = ludotheque.game_ids()


@pytest.mark.parametrize("game_id", GAMES)
def test_every_piece_has_a_range(game_id: str) -> None:
    planes = layout(game_id)
    assert [plane.name for plane in planes] == [piece.name for piece in ludotheque.game(game_id).info.observation]
    assert all(plane.divisor > 1 or not plane.is_open for plane in planes)
    assert sum(plane.size for plane in planes) == Encoder(game_id).size


@pytest.mark.parametrize("game_id", GAMES)
def test_pieces_lie_where_rules_write_them(game_id: str) -> None:
    info = ludotheque.game(game_id).info
    numbers = np.arange(info.observation_size, dtype=np.int16)
    seen = numbers.view(info.observation_record)[0]
    assert seen.dtype.itemsize == numbers.nbytes
    for plane in layout(game_id):
        assert np.array_equal(np.ravel(seen[plane.name]), numbers[plane.cells])


def test_shapes_of_pieces() -> None:
    pieces = Piece("one", 1, ""), Piece("row", 3, ""), Piece("grid", (2, 3), "")
    assert [piece.size for piece in pieces] == [1, 3, 6]
    info = replace(ludotheque.game("loba").info, observation=pieces)
    seen = np.zeros(10, np.int16)
    record = Record(seen.view(np.uint8), info.observation_record)
    record.one, record.row[2], record.grid[1, 0] = 5, 6, 7
    assert seen.tolist() == [5, 0, 0, 6, 0, 0, 0, 7, 0, 0]


@pytest.mark.parametrize("game_id", GAMES)
def test_ranges_hold_in_thousands_of_positions(game_id: str) -> None:
    game = ludotheque.game(game_id)
    encoders = [Encoder(game, kind) for kind in KINDS]
    low, high = Encoder(game, "int16").low, Encoder(game, "int16").high
    usual = np.repeat([plane.divisor for plane in layout(game_id)], [plane.size for plane in layout(game_id)])
    beyond = seen = 0
    for corner in corners(game, every_count=False):
        arena = game.arena(24, corner.players, seed=5, threads=1, **corner.options)
        for step in range(40):
            arena.step(arena.sample())
            raw = arena.observe((arena.actors + step) % corner.players)
            assert (raw >= low).all() and (raw <= high).all(), f"{corner}: {np.argwhere((raw < low) | (raw > high))}"
            beyond += int((np.abs(raw) > usual).sum())
            seen += raw.size
            for encoder in encoders:
                encoded = encoder.encode(raw)
                assert encoded.dtype == encoder.dtype
                assert (encoded >= encoder.low).all() and (encoded <= encoder.high).all()
    assert beyond < seen / 100  # what is open rarely leaves what is usual


@pytest.mark.parametrize("game_id", GAMES)
def test_scaling(game_id: str) -> None:
    game = ludotheque.game(game_id)
    raw = np.stack([plane_values(game_id, level) for level in (0, 1)])
    scaled, small = Encoder(game, "float32").encode(raw), Encoder(game, "int8").encode(raw)
    for plane in layout(game_id):
        ends = raw[:, plane.start].astype(float)
        assert np.allclose(scaled[:, plane.start], ends / plane.divisor)
        assert np.array_equal(small[:, plane.start], np.clip(np.trunc(ends / plane.step), -127, 127))
        assert plane.is_open or np.abs(scaled[:, plane.cells]).max() <= 1
    out = np.empty_like(scaled)
    assert Encoder(game, "float32").encode(raw, out) is out


def plane_values(game_id: str, level: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """An observation with every number at the low or the high end of its range."""
    planes = layout(game_id)
    return np.concatenate([np.full(p.size, (p.low, p.high)[level], np.int16) for p in planes])


def test_pieces_by_name_are_views() -> None:
    encoder = Encoder("double_lucky_7", "int16")
    batch = np.zeros((3, encoder.size), np.int16)
    encoder.split(batch)["bids"][1] = 5
    start = next(plane.start for plane in encoder.planes if plane.name == "bids")
    assert batch[1, start] == 5 and batch[0, start] == 0
    with pytest.raises(InvalidOptions):
        encoder.split(batch[:, :-1])


def test_unknown_kind() -> None:
    with pytest.raises(InvalidOptions, match="float32, int16, int8"):
        Encoder("loba", "float64")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_seat_sees_nothing_hidden(game_id: str) -> None:
    game = ludotheque.game(game_id)
    encoder = Encoder(game)
    rng = random.Random(3)
    for corner in corners(game, every_count=False):
        match = corner.new(3)
        for _ in range(40):
            if match.over:
                break
            mover, move = random_move(match, rng)
            match.play(move, mover)
            seat = rng.randrange(corner.players)
            world = match.concealed(seat)
            game.kernels.imagine(world, seat, key_from_seed(rng.getrandbits(64)))
            seen = np.zeros((2, encoder.size), np.int16)
            game.kernels.watch(np.frombuffer(match.to_bytes(), np.uint8).copy(), seat, seen[0])
            game.kernels.watch(world, seat, seen[1])
            one, other = encoder.encode(seen)
            assert np.array_equal(one, other), f"{corner}: seat {seat}"
            assert (one >= encoder.low).all() and (one <= encoder.high).all()  # moves out of turn are in it
