"""The turn solver against plain expectimax; the solved match against its own equations; the tables that are shipped."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludotheque.cli import main
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.jit import entry
from ludotheque.games.volle_lotte import cards, solver, turns
from tests.games.volle_lotte.reference import BOX, SlowTurn


def whole_turn(stand: Any, lose: Any, box: Any, goes_on: int, fireworks_stop: int) -> float:
    """What a turn is worth from its start."""
    losses, cap = len(stand), stand.shape[1] - 1
    best, opened = np.empty((losses, cap + 1)), np.empty((losses, cap + 1, turns.COLUMNS))
    rows = np.empty(((cap + 1 + turns.OVERHANG) * turns.STEPS, turns.COLUMNS))
    chances = np.empty(cards.NUM_KINDS)
    turns.card_chances(box, chances)
    return solver.turn_value(turns.Turn(cap, goes_on, fireworks_stop, chances, stand, lose, best, opened, rows))


@pytest.fixture(scope="module")
def compiled_turn(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return entry(whole_turn, tmp_path_factory.mktemp("turns"))


@pytest.mark.slow
@pytest.mark.parametrize("fireworks_stop", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_turn_is_worth_what_every_roll_and_every_choice_makes_it(
    compiled_turn: Any, seed: int, fireworks_stop: bool
) -> None:
    """Ends are worth anything here, so that no choice is obvious: more points may be worth less."""
    chance = random.Random(seed)
    losses, cap = 2, 11
    stand = np.array([[chance.random() for _ in range(cap + 1)] for _ in range(losses)])
    stand.sort(axis=1)
    stand += np.array([[chance.random() / 5 for _ in range(cap + 1)] for _ in range(losses)])
    lose = np.array([chance.random() / 2 for _ in range(losses)])
    goes_on = seed % 2
    slow = SlowTurn(
        lambda k, x: float(stand[k, x]),
        lambda k: float(lose[k]),
        cap,
        losses - 1,
        bool(goes_on),
        fireworks_stop,
        drawn=False,
    )
    value = compiled_turn(stand, lose, np.array(BOX), goes_on, int(fireworks_stop))
    assert value == pytest.approx(slow.go(0, 0, BOX), abs=1e-12)


def test_stopping_under_fireworks_is_worth_something_where_points_are_not(compiled_turn: Any) -> None:
    """V9: whoever wants exactly 100 points is better off if a roll of a 1 may end the turn."""
    stand = np.zeros((1, 12))
    stand[0, 2] = 1.0
    values = [compiled_turn(stand, np.zeros(1), np.array(BOX), 0, stop) for stop in (0, 1)]
    assert values[1] > values[0] + 0.01


def test_chances_of_a_volle_lotte_and_of_a_straight() -> None:
    slow = SlowTurn(lambda k, x: 1.0, lambda k: 0.0, 20, 1)
    for num_dice in range(1, 7):
        assert turns.LOTTE_CHANCE[num_dice] == pytest.approx(slow.seeking(num_dice, 0, 0, BOX), abs=1e-12)
        assert turns.LOTTE_AVOIDED[num_dice] <= turns.LOTTE_CHANCE[num_dice]
    for aside in range(6):
        faces = frozenset(range(1, aside + 1))
        assert turns.STRAIGHT_CHANCE[aside] == pytest.approx(slow.straight(faces, 0, 0, BOX), abs=1e-12)


SMALL = 1000


@cache
def small_table(jobs: int = 1, fireworks_stop: bool = False) -> solver.Table:
    return solver.solve({"target": SMALL, "fireworks_stop": fireworks_stop}, jobs)


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("fireworks_stop", [False, True])
@pytest.mark.parametrize("own, other", [(0, 0), (0, 19), (19, 0), (19, 19), (7, 12), (12, 7)])
def test_every_value_is_that_of_its_turn(compiled_turn: Any, own: int, other: int, fireworks_stop: bool) -> None:
    """The table solves its own equations, written here once more: V12, V15 and whose turn it is then."""
    table = small_table(fireworks_stop=fireworks_stop)
    size = len(table.values)

    def after(k: int, x: int) -> float:
        rest = max(other - 20 * k, 0) if other > own else other
        score = own + x
        if score < size:
            return 1.0 - float(table.values[rest, score])
        return 1.0 - float(table.replies[min(score - rest, len(table.replies) - 1)])

    cap = size + 2 * solver.ENOUGH
    stand = np.array([[after(k, x) for x in range(cap + 1)] for k in range(4)])
    lose = np.full(4, 1.0 - table.values[other, own])
    value = compiled_turn(stand, lose, np.array(BOX), 0, int(fireworks_stop))
    assert value == pytest.approx(table.values[own, other], abs=2e-6)


@pytest.mark.slow
@pytest.mark.compiled_only
def test_who_plays_well_never_stops_under_fireworks() -> None:
    """V9: going on loses nothing and more points are better, so the tables that are shipped hold either way."""
    assert np.abs(small_table(fireworks_stop=True).values - small_table().values).max() < 1e-9


@pytest.mark.slow
@pytest.mark.compiled_only
def test_two_cores_find_the_same() -> None:
    assert np.array_equal(small_table().values, small_table(jobs=2).values)


@pytest.mark.compiled_only
def test_the_last_turn(compiled_turn: Any) -> None:
    """V15: behind by so much, the player needs more, and half wins with as much."""
    replies = solver.load_table().replies
    for behind in (1, 2, 4, 7):
        slow = SlowTurn(
            lambda k, x, d=behind: 1.0 if x + 20 * k > d else 0.5 if x + 20 * k == d else 0.0,  # type: ignore[misc]
            lambda k: 0.0,
            behind + 1,
            drawn=False,
        )
        assert replies[behind] == pytest.approx(slow.go(0, 0, BOX), abs=1e-6)


def test_options_that_cannot_be_solved_are_refused() -> None:
    for options in ({"ending": "round"}, {"leader_loses": "at_once"}, {"target": 10}, {"nonsense": 1}):
        with pytest.raises(InvalidOptions):
            solver.solve(options)


@pytest.mark.parametrize("negative, start", [(False, 0.52028), (True, 0.51979)])
def test_the_tables_that_are_shipped(negative: bool, start: float) -> None:
    table = solver.load_table(negative)
    assert table.start() == pytest.approx(start, abs=5e-6)
    assert len(table.values) == (160 if negative else 120)
    assert table.values.min() >= 0.0 and table.values.max() <= 1.0
    # More points are better, and so are fewer of the other's.
    assert np.diff(table.values, axis=0).min() > 0
    assert np.diff(table.values, axis=1).max() < 0
    assert np.diff(table.replies).max() < 0
    # To be at turn is never a disadvantage.
    assert (table.values + table.values.T).min() > 1.0
    assert solver.table_path(negative).stat().st_size < 100_000


def test_the_two_tables_agree_where_nobody_can_fall_below_zero() -> None:
    """Nobody goes on after a first ±1000 that takes more than the leader has."""
    without, with_negative = solver.load_table(False).values, solver.load_table(True).values
    assert np.abs(without[20:, 20:] - with_negative[60:, 60:]).max() < 1e-6


def test_a_table_goes_through_a_file(tmp_path: Path) -> None:
    table = solver.load_table()
    solver.write_table(table, tmp_path / "table.npz")
    again = solver.read_table(tmp_path / "table.npz")
    assert np.array_equal(again.values, table.values)
    assert np.array_equal(again.replies, table.replies)
    assert again.floor == table.floor


@pytest.mark.slow
@pytest.mark.compiled_only
def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = tmp_path / "small.npz"
    table = solver.solve_and_write(path, {"target": SMALL}, 2, lambda done, total: told.append((done, total)))
    assert told[-1] == (400, 400)
    assert told == sorted(told)
    assert solver.read_table(path).start() == pytest.approx(table.start(), abs=1e-6)
    assert table.start() == pytest.approx(0.552574, abs=1e-5)


@pytest.mark.compiled_only
@pytest.mark.slow
def test_the_command_solves_a_short_match_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "short.npz"
    assert main(["solve", "volle_lotte", "--target", "1000", "--jobs", "1", "--out", str(path), "--lang", "fr"]) == 0
    assert str(path) in capsys.readouterr().out
    assert 0.5 < solver.read_table(path).start() < 0.6


@pytest.mark.parametrize(
    "arguments",
    [
        ["loba"],
        ["volle_lotte", "--target", "1000"],
        ["volle_lotte", "--jobs", "-1"],
        ["volle_lotte", "--target", "7"],
    ],
    ids=["unsolvable", "no place for it", "jobs", "option"],
)
def test_the_command_refuses(arguments: list[str]) -> None:
    before = [solver.table_path(negative).read_bytes() for negative in (False, True)]
    assert main(["solve", *arguments, "--lang", "en"]) == 2
    assert [solver.table_path(negative).read_bytes() for negative in (False, True)] == before
