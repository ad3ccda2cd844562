"""Whatever is typed, pasted or edited: an error of ours, or something that plays on; never anything else."""

from __future__ import annotations

import copy
import json
import random
import string
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ludotheque
from ludotheque import testing
from ludotheque.core.jit import COMPILED
from ludotheque.core.match import Match
from ludotheque.core.records import load_record, tell_record
from ludotheque.testing import Corner

GAMES = ludotheque.game_ids()
EXAMPLES = 300 if COMPILED else 30

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)

quiet = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def some_match(game_id: str, seed: int, moves: int) -> Match:
    game = ludotheque.game(game_id)
    rng = random.Random(seed)
    corner: Corner = rng.choice(testing.corners(game))
    match = corner.new(seed)
    for _ in range(moves):
        if match.over:
            break
        seat, move = testing.random_move(match, rng)
        match.play(move, seat)
    return match


def edited(data: Any, rng: random.Random, value: Any) -> Any:
    """A copy of JSON data with one place changed: replaced, removed, doubled, nudged or swapped with a neighbour."""
    data = copy.deepcopy(data)
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, child in items:
            places.append((node, key))
            walk(child)

    walk(data)
    node, key = rng.choice(places)
    kind = rng.randrange(5)
    if kind == 0:
        node[key] = value
    elif kind == 1:
        del node[key]
    elif kind == 2 and isinstance(node, list):
        node.insert(key, copy.deepcopy(node[key]))
    elif kind == 3 and type(node[key]) is int:
        node[key] += rng.choice((-1, 1, -100, 200, 70_000, -(2**40)))
    else:
        other, other_key = rng.choice(places)
        node[key] = copy.deepcopy(other[other_key])
    return data


def must_play_on(match: Match, rng: random.Random) -> None:
    """A position that was accepted keeps its invariants through random moves."""
    for _ in range(40):
        assert match.game.kernels.faults(match.buffer) == 0
        if match.over:
            break
        assert match.legal_ids(), "the actor has no move"
        seat, move = testing.random_move(match, rng)
        match.play(move, seat)
    match.view(0)
    match.log("fr")


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
@quiet
@given(text=st.text(max_size=20) | st.text(alphabet=string.printable, max_size=20), data=st.data())
def test_any_text_is_a_move_or_an_error(game_id: str, text: str, data: st.DataObject) -> None:
    game = ludotheque.game(game_id)
    words = data.draw(st.lists(st.sampled_from(game.moves.texts), min_size=1, max_size=2))
    for candidate in (text, " ".join(words), text + words[0], words[0][: len(text)]):
        match = game.new(game.info.min_seats, seed=1)
        before = match.to_bytes()
        try:
            match.play(candidate)
        except ludotheque.LudothequeError:
            assert match.to_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
@quiet
@given(move=JSON, seat=JSON)
def test_any_value_is_a_move_or_an_error(game_id: str, move: Any, seat: Any) -> None:
    match = ludotheque.game(game_id).new(seed=1)
    before = match.to_bytes()
    for text, by in ((move, None), (match.legal()[0], seat)):
        try:
            match.play(text, by)
        except ludotheque.LudothequeError:
            assert match.to_bytes() == before
        else:
            match.undo()


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
@quiet
@given(seed=st.integers(0, 10**6), moves=st.integers(0, 60), edits=st.integers(1, 3), value=JSON)
def test_an_edited_position_is_refused_or_plays_on(game_id: str, seed: int, moves: int, edits: int, value: Any) -> None:
    rng = random.Random(seed)
    data = json.loads(json.dumps(some_match(game_id, seed % 50, moves).position()))
    for _ in range(edits):
        data = edited(data, rng, value)
    try:
        match = ludotheque.game(game_id).position(data)
    except ludotheque.LudothequeError as error:
        assert str(error)
    else:
        must_play_on(match, rng)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
@quiet
@given(data=JSON)
def test_any_json_is_a_position_or_an_error(game_id: str, data: Any) -> None:
    with pytest.raises(ludotheque.InvalidPosition):
        ludotheque.game(game_id).position(data)
    try:
        match = ludotheque.game(game_id).position({"table": data})
    except ludotheque.LudothequeError as error:
        assert str(error)
    else:
        must_play_on(match, random.Random(1))
    with pytest.raises(ludotheque.LudothequeError):
        ludotheque.replay(data)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
@quiet
@given(seed=st.integers(0, 10**6), moves=st.integers(1, 40), edits=st.integers(1, 2), value=JSON)
def test_an_edited_record_is_refused_or_replays(game_id: str, seed: int, moves: int, edits: int, value: Any) -> None:
    rng = random.Random(seed)
    match = some_match(game_id, seed % 50, moves)
    whole = json.loads(json.dumps(match.record()))
    own = json.loads(json.dumps(match.record(0)))
    for data in (whole, own):
        for _ in range(edits):
            data = edited(data, rng, value)
        for use in (ludotheque.replay, ludotheque.verify, lambda d: tell_record(d, "fr")):
            try:
                use(data)
            except ludotheque.LudothequeError as error:
                assert str(error)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_record_cut_anywhere_is_refused(game_id: str) -> None:
    text = json.dumps(some_match(game_id, 1, 10).record())
    for end in range(0, len(text) - 1, 7):
        with pytest.raises(ludotheque.InvalidRecord):
            load_record(text[:end])


@pytest.mark.parametrize("game_id", GAMES)
def test_options_and_seats_out_of_range(game_id: str) -> None:
    game = ludotheque.game(game_id)
    info = game.info
    counts: list[Any] = [0, 1, info.min_seats - 1, info.max_seats + 1, -1, True, 2.5, "3", b"3"]
    for players in counts:
        with pytest.raises(ludotheque.InvalidOptions):
            game.new(players)
    for option in info.options:
        bad: list[Any] = [None, -1, 10**9, 1.5, "nonsense", [1], {}]
        if option.kind == "number" and isinstance(option.values, range):
            bad += [option.values.start - 1, option.values[-1] + 1]
        for value in bad:
            with pytest.raises(ludotheque.InvalidOptions) as caught:
                game.new(info.max_seats, **{option.name: value})
            assert option.name in str(caught.value)
    with pytest.raises(ludotheque.InvalidOptions, match="unknown option"):
        game.new(unheard_of=1)
    for seed in (b"short", 1.5, [1], True):
        with pytest.raises(ludotheque.InvalidOptions):
            game.new(seed=seed)  # type: ignore[arg-type]


def test_unknown_games() -> None:
    with pytest.raises(ludotheque.UnknownGame, match="did you mean skipbo"):
        ludotheque.game("skipboo")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_batch_takes_only_what_fits(game_id: str) -> None:
    game = ludotheque.game(game_id)
    arena = game.arena(4, seed=1)
    before = arena.records.copy()
    bad: list[Any] = [[0], [[0] * 4], ["a"] * 4, [0.5] * 4, None, np.full(4, -1), np.full(4, 10**6), [10**12] * 4]
    for actions in bad:
        with pytest.raises(ludotheque.LudothequeError):
            arena.step(actions)
    for size in (0, -1, 2.0, True, 10**9):
        with pytest.raises(ludotheque.InvalidOptions):
            game.arena(size)  # type: ignore[arg-type]
    assert np.array_equal(arena.records, before)
