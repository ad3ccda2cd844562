"""What the room shows of a match is what the engine says, to the byte, written by compiled code within its arrays."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludotheque
from ludotheque.core import warm
from ludotheque.core.errors import LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.jit import plain
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY
from ludotheque.core.snapshot import Grid, reader
from ludotheque.core.views import (
    NOTHING,
    Constant,
    Each,
    Exactly,
    Fields,
    Flag,
    Keyed,
    Maybe,
    MembersOf,
    Number,
    Shape,
    Word,
)
from ludotheque.server import views
from ludotheque.server.views import SHOW, Look, ViewWriter, writer
from ludotheque.server.views.program import encode, make_program
from ludotheque.server.views.shown import ShownMatch, history, last_seen, moments_from
from ludotheque.server.views.writer import LOOP, MAX_DEPTH, OUT_OF_BOUNDS, STEP, TOO_SMALL

KEYS = ("ply", "round", "actor", "over", "scores", "places", "table", "legal")


def make_writer(game: Game, lang: str = "fr") -> ViewWriter:
    return ViewWriter(game, [move.label(lang) for move in game.moves])


def moments(game_id: str, num_matches: int, num_moves: int) -> Iterator[Match]:
    """A few matches played at random, after every move."""
    game = ludotheque.game(game_id)
    chance = random.Random(game_id)
    for number in range(num_matches):
        match = game.new(chance.randint(game.info.min_seats, game.info.max_seats), seed=f"writer {number}")
        yield match
        for _ in range(num_moves):
            if not match.over:
                seat = chance.choice(match.movers())
                match.play(chance.choice(match.legal(seat)), seat)
                yield match


def check(look: Look, match: Match, seat: int | None) -> None:
    """What was written is what the engine shows."""
    whole = match.view(seat, "fr")
    assert look.view == encode({key: whole[key] for key in KEYS})
    assert look.record == match.concealed(seat).tobytes()
    of = reader(match.game)
    told = [
        match.game.views.event(of.read(look.record), NOBODY if seat is None else seat, *event) for event in look.events
    ]
    assert told == match.events(seat)[-1]


def check_views(game_id: str, num_matches: int, num_moves: int) -> None:
    write = make_writer(ludotheque.game(game_id)).write
    for match in moments(game_id, num_matches, num_moves):
        for seat in (None, *range(match.num_seats)):
            check(write(match, NOBODY if seat is None else seat), match, seat)


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_views_are_those_of_the_engine(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also as long as Python writes them, until a game is compiled."""
    warm.ensure(game_id, SHOW)
    assert views.is_ready(ludotheque.game(game_id))
    check_views(game_id, 2, 150)
    monkeypatch.setattr(views, "is_ready", lambda game: False)
    check_views(game_id, 2, 20)


@pytest.mark.compiled_only
def test_a_view_of_any_length_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    warm.ensure("loba", SHOW)
    match = ludotheque.game("loba").new(5, seed="long")
    monkeypatch.setattr(views, "FIRST_SIZE", 10)
    check(make_writer(match.game).write(match, 0), match, 0)


@pytest.mark.compiled_only
def test_threads_that_share_a_writer_get_their_own_views() -> None:
    warm.ensure("double_lucky_7", SHOW)
    game = ludotheque.game("double_lucky_7")
    write = make_writer(game).write
    matches = [game.new(2 + number, seed=number) for number in range(4)]
    wanted = [[write(match, seat) for seat in range(match.num_seats)] for match in matches]

    def is_same(number: int) -> bool:
        seats = range(matches[number].num_seats)
        return all([write(matches[number], seat) for seat in seats] == wanted[number] for _ in range(100))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(is_same, range(4)))


def test_only_seats_of_the_same_game_have_views() -> None:
    game = ludotheque.game("double_lucky_7")
    write = make_writer(game).write
    for match, seat in ((game.new(3, seed=1), 3), (game.new(3, seed=1), -2), (ludotheque.game("skipbo").new(), 0)):
        with pytest.raises(LudothequeError, match="has no view"):
            write(match, seat)


@pytest.mark.compiled_only
def test_a_count_beyond_its_bound_is_refused() -> None:
    """No record that rules make has one; if it had, nothing behind the list would be read."""
    warm.ensure("lobo77", SHOW)
    match = ludotheque.game("lobo77").new(3, seed=1)
    match.state.num_out = 9
    with pytest.raises(LudothequeError, match="not as it is declared"):
        make_writer(match.game).write(match, 0)


BOUNDS = """
import sys
from tests.server import test_view_writer as tests
from ludotheque.server import views
import ludotheque
for game_id in sys.argv[1:]:
    game = ludotheque.game(game_id)
    views.load(game)
    tests.check_views(game_id, 2, 60)
    small = tests.make_writer(game)
    views.FIRST_SIZE = 16
    match = game.new(seed=1)
    tests.check(small.write(match, 0), match, 0)
"""


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_no_index_is_out_of_bounds(game_id: str, tmp_path: Path) -> None:
    """All that the writer does, in a process whose compiled code checks every index."""
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join([str(root), str(Path(ludotheque.__file__).parents[1])])
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "LUDOTHEQUE_CACHE": str(tmp_path), "PYTHONPATH": path}
    # Nothing is to be compiled ahead: what is called is compiled in the process itself.
    environment["LUDOTHEQUE_COMPILING"] = "yes"
    subprocess.run([sys.executable, "-c", BOUNDS, game_id], env=environment, check=True, cwd=root)


# Any declaration is written as it is read.

WORDS = ["a", 'é\n"', "", [1, None], {"k": True}]

Made = tuple[Shape, list[int]]
"""A shape and cells that fit it."""

LEAVES: st.SearchStrategy[Made] = st.one_of(
    st.integers(-(2**53), 2**53).map(lambda value: (Number(), [value])),
    st.just((Number(), [NOTHING])),
    st.sampled_from([0, 1, NOTHING]).map(lambda value: (Flag(), [value])),
    st.sampled_from([NOTHING, *range(len(WORDS))]).map(lambda value: (Word(WORDS), [value])),
    st.integers(0, 2 ** len(WORDS) - 1).map(lambda value: (MembersOf(WORDS), [value])),
    st.just((MembersOf(WORDS), [NOTHING])),
)


def _branches(inner: st.SearchStrategy[Made]) -> st.SearchStrategy[Made]:
    def object_of(parts: list[Made]) -> Made:
        shapes = {f"k{i}": one for i, (one, _) in enumerate(parts)}
        return Fields(**shapes, c=Constant(WORDS)), [cell for _, cells in parts for cell in cells]

    def list_of(made: tuple[Made, int]) -> Made:
        (one, cells), count = made
        return Each(one, 3), [count, *cells, *cells, *cells]

    def wrapped(made: tuple[Made, int]) -> Made:
        one, cells = made[0]
        return Maybe(one), ([made[1]] if Maybe(one).has_cell else []) + cells

    return st.one_of(
        st.tuples(inner, st.sampled_from([0, 1, 2, 3, NOTHING])).map(list_of),
        st.tuples(inner, st.sampled_from([0, 1, NOTHING])).map(wrapped),
        inner.map(lambda made: (Exactly(2, made[0]), made[1] * 2)),
        inner.map(lambda made: (Keyed(("±", "x"), made[0]), made[1] * 2)),
        st.lists(inner, max_size=4).map(object_of),
    )


def written(shown: Fields, cells: list[int], size: int = 1 << 14) -> bytes | int:
    program = make_program(shown, [])
    out = np.zeros(size, np.uint8)
    steps = program.steps.view(STEP).view(np.recarray)
    loops = np.zeros(MAX_DEPTH, LOOP).view(np.recarray)
    end: int = plain(writer.write_cells)(steps, program.texts, program.ends, np.array(cells, np.int64), loops, out)
    return end if end < 0 else out[:end].tobytes() + b"}"


def read(shown: Fields, cells: list[int]) -> Any:
    return shown.show(np.array(cells, np.int64))


@given(st.recursive(LEAVES, _branches, max_leaves=8))
@settings(deadline=None)
def test_what_is_written_is_what_is_read(made: Made) -> None:
    shown = Fields(a=Number(), one=made[0], last=Maybe(Constant("x")))
    cells = [1, *made[1], 1]
    assert len(cells) == shown.size
    assert (
        written(shown, cells)
        == encode(read(shown, cells))
        == json.dumps(read(shown, cells), ensure_ascii=False, separators=(",", ":")).encode()
    )


def test_what_does_not_fit_is_not_written_at_all() -> None:
    shown, cells = Fields(a=Each(Number(), 4), b=MembersOf(WORDS), c=Word(WORDS)), [3, 1, -20, 300, 0, 0b11, 1]
    whole = written(shown, cells)
    assert isinstance(whole, bytes)
    for size in range(len(whole) + 2):
        assert written(shown, cells, size) == (whole if size >= len(whole) - 1 else TOO_SMALL)


@pytest.mark.parametrize("cells", [[4, 0, 0, 0, 0, 0], [-1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 8, 0], [0, 0, 0, 0, 0, 5]])
def test_what_is_not_declared_is_not_written(cells: list[int]) -> None:
    shown = Fields(a=Each(Number(), 3), b=MembersOf("xyz"), c=Word(WORDS))
    assert written(shown, cells) == OUT_OF_BOUNDS
    with pytest.raises(IndexError):
        read(shown, cells)


def test_lists_lie_within_lists_only_so_deep() -> None:
    one: Shape = Number()
    for _ in range(MAX_DEPTH):
        one = Each(one, 1)
    assert written(Fields(a=one), [1] * MAX_DEPTH + [7]) == b'{"a":' + b"[" * MAX_DEPTH + b"7" + b"]" * MAX_DEPTH + b"}"
    with pytest.raises(ValueError, match="deeper"):
        make_program(Fields(a=Each(one, 1)), [])


# A match as it is shown: views, and events in sentences.

LANGS = ("en", "fr")


def decoded(value: object) -> object:
    return json.loads(msgspec.json.encode(value, enc_hook=str))


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_match_is_shown_as_the_engine_says(game_id: str) -> None:
    """After every move, and after moves that nobody looked at."""
    chance = random.Random(game_id)
    shown: ShownMatch | None = None
    seen: dict[tuple[int | None, str], list[object]] = {}
    for match in moments(game_id, 1, 60):
        seats = (None, *range(match.num_seats))
        shown = shown or ShownMatch(match)
        is_watched = chance.random() < 0.8
        for seat, lang in product(seats, LANGS):
            whole = match.view(seat, lang)
            events = decoded(whole["events"])
            seen.setdefault((seat, lang), []).append(events)
            assert decoded(last_seen(match, seat, lang)) == events
            if is_watched:
                look = shown.look(NOBODY if seat is None else seat, lang)
                assert decoded(look.seen) == events
                hidden = {"game", "rules_version", "options", "players", "seat", "events"}
                assert decoded(look.view) == {key: decoded(whole[key]) for key in whole if key not in hidden}
    for (seat, lang), steps in seen.items():
        assert decoded(history(match, seat, lang)) == steps


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_moments_are_the_views_of_the_time(game_id: str) -> None:
    views: list[Any] = []
    for match in moments(game_id, 1, 30):
        views.append(decoded(match.view(0)))
    found: list[Any] = [decoded(view) for view in moments_from(match, 3, 20, 0, "en")]
    assert len(found) == 20
    for view, wanted in zip(found, views[3:], strict=False):
        assert view == {key: wanted[key] for key in view}
    assert moments_from(match, 0, 0, 0, "en") == []


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_snapshot_reads_what_the_record_holds(game_id: str) -> None:
    for match in moments(game_id, 1, 10):
        buf = match.concealed(0)
        read, whole = reader(match.game).read(buf), match.game.read(buf)
        for name in reader(match.game).fields:
            value = getattr(read, name)
            assert np.array_equal(list(value) if isinstance(value, Grid) else value, getattr(whole, name))
        kinds, seats, args = whole.event_kind, whole.event_seat, whole.event_args
        journal = [(kinds[i], seats[i], *args[i]) for i in range(whole.num_events)]
        assert reader(match.game).journal(buf) == journal
        with pytest.raises(AttributeError):
            _ = read.key


def test_names_are_shown_as_they_are() -> None:
    names = ["%(1)b 100%", "\\u0010\\u0011", 'a"b\\']
    match = ludotheque.game("double_lucky_7").new(names, seed="names")
    shown = ShownMatch(match)
    for _ in range(30):
        match.play(match.legal()[0])
        for seat in range(3):
            assert decoded(shown.look(seat, "en").seen) == decoded(match.view(seat)["events"])
