"""Simulations: known odds, the same bytes however they are played, arrays and tables, comparisons."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque import InvalidOptions, LudothequeError
from ludotheque.lab import shards, simulate
from ludotheque.lab.frames import COLUMNS
from ludotheque.lab.shards import Part, Plan, make_plan, match_key, merge, play_shard, run_local
from ludotheque.lab.summary import Summary, ratio, spread, summarise, wilson
from ludotheque.lab.vary import parse_vary

pytestmark = pytest.mark.compiled_only

SAFE = 4.5
"""Standard errors within which a known value must lie: a wrong alarm in a hundred thousand."""


def run(plan: Plan, jobs: int = 1) -> Summary:
    part = merge(part for _, part in run_local(plan, range(plan.num_shards), jobs))
    assert part is not None
    return summarise(plan, part)


def near(value: float | None, error: float | None, known: float) -> bool:
    assert value is not None and error is not None
    return abs(value - known) <= SAFE * error + 1e-12


# Odds that can be worked out by hand


@pytest.fixture(scope="module")
def volle_lotte() -> Summary:
    return run(make_plan("volle_lotte", 4096, 2, bots=["random"], seed="odds"))


def test_dice_bust_as_often_as_they_should(volle_lotte: Summary) -> None:
    known = {1: 2 / 3, 2: 4 / 9, 3: 60 / 216, 4: 204 / 1296, 5: 600 / 7776, 6: 1440 / 46656}
    for row in volle_lotte.figure("bust_by_dice").rows:
        assert row.count > 10_000
        assert near(row.value, row.error, known[int(row.label)]), row


def test_the_straight_misses_as_often_as_it_should(volle_lotte: Summary) -> None:
    """With n dice thrown 6 - n faces are aside: all dice must show one of those."""
    rows = {int(row.label): row for row in volle_lotte.figure("straight_by_dice").rows}
    for dice in (1, 2, 3, 4):
        assert near(rows[dice].value, rows[dice].error, ((6 - dice) / 6) ** dice), dice
    assert rows[6].value == 0  # six dice always show a new face


def test_a_stop_always_loses_the_turn(volle_lotte: Summary) -> None:
    lost = {row.label: row.value for row in volle_lotte.figure("lost_by_card").rows}
    assert lost["stop"] == 1
    assert lost["fireworks"] == 0


def test_the_joker_is_turned_once_in_57_deals() -> None:
    row = run(make_plan("double_lucky_7", 8192, 4, bots=["random"], seed="odds")).figure("joker").rows[0]
    assert near(row.value, row.error, 1 / 57)


def test_with_one_card_each_one_of_two_hits() -> None:
    """The hook makes two bids of one card equal, and one of the two takes the trick: always one hit."""
    summary = run(make_plan("double_lucky_7", 64, 2, bots=["random"], seed="odds"))
    row = summary.figure("hit_by_size").rows[0]
    assert (row.label, row.value, row.error) == ("1", 0.5, 0.0)


def test_random_players_take_every_other_card_from_the_pile() -> None:
    row = run(make_plan("loba", 64, 3, bots=["random"], seed="odds")).figure("taken").rows[0]
    assert near(row.value, row.error, 1 / 2)


def test_without_swimming_a_match_of_one_token_is_one_loss() -> None:
    summary = run(make_plan("lobo77", 512, 2, options={"tokens": 1, "swim": False}, bots=["random"], seed="odds"))
    assert sum(row.value or 0 for row in summary.figure("tokens").rows) == pytest.approx(1)
    assert summary.figure("losses").rows[0].count == 512


def test_short_skip_bo_stocks_are_played_out_and_long_ones_block() -> None:
    """30 cards in each of four stocks leave 42 to draw: random play never gets through."""
    rows = {
        row.label: row.value
        for row in run(make_plan("skipbo", 512, 4, bots=["random"], seed="odds")).figure("draw_pile").rows
    }
    assert rows["blocked"] == 1


@pytest.mark.parametrize("game", ludotheque.game_ids())
def test_no_seat_is_better_where_chance_decides_who_begins(game: str) -> None:
    summary = run(make_plan(game, 256 if game == "loba" else 4096, 3, bots=["random"], seed="seats"))
    for seat in summary.seats:
        assert near(seat.wins, (1 / 3 * 2 / 3 / summary.games) ** 0.5, 1 / 3)
        assert sum(seat.places) == summary.games
        assert seat.wins_low < seat.wins < seat.wins_high
    assert sum(seat.wins for seat in summary.seats) == pytest.approx(1)


# The same whoever plays it


@pytest.fixture(scope="module")
def parts() -> list[Part]:
    plan = Plan(**{**make_plan("volle_lotte", 500, 3, bots=["random"], seed="merge").to_json(), "shard": 64})
    return [part for _, part in run_local(plan, range(plan.num_shards), 2)]


def test_parts_add_up_to_the_same_bytes_in_any_order_and_grouping(parts: list[Part]) -> None:
    whole = merge(parts)
    assert whole is not None
    shuffled = random.Random(1).sample(parts, len(parts))
    grouped = [merge(shuffled[:3]), merge(shuffled[3:4]), merge(shuffled[4:])]
    again = merge(part for part in grouped if part is not None)
    assert again is not None
    assert again.to_bytes() == whole.to_bytes()
    one = play_shard(make_plan("volle_lotte", 500, 3, bots=["random"], seed="merge"), 0)
    assert one.without_rows().to_bytes() == whole.to_bytes()
    assert int(whole.sums["games"][0]) == 500


def test_parts_go_through_bytes_and_back(parts: list[Part]) -> None:
    data = parts[1].to_bytes()
    assert Part.from_bytes(data).to_bytes() == data
    assert Part.from_bytes(data).rows["match"].tolist() == list(range(64, 128))


@pytest.mark.parametrize("bots", [(), pytest.param(("club", "random"), marks=pytest.mark.slow)])
def test_threads_and_processes_play_alike(bots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "ALONE", 0.0)
    plan = make_plan("double_lucky_7", 10, 2, bots, {"rounds": 7}, seed=3)
    plan = Plan(**{**plan.to_json(), "bots": plan.bots, "shard": 4})
    alone = [(number, part.to_bytes()) for number, part in run_local(plan, range(3), 1)]
    together = [(number, part.to_bytes()) for number, part in run_local(plan, [2, 1, 0], 2)]
    assert sorted(alone) == sorted(together)
    assert len({data for _, data in alone}) == 3


def test_a_plan_goes_through_json() -> None:
    plan = make_plan("skipbo", 10, 4, ["club"], {"teams": True}, "20it", 7)
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert plan.bots == ("club",) * 4


def test_a_match_of_a_run_can_be_dealt_again() -> None:
    plan = make_plan("loba", 3, 3, bots=["random"], seed="again")
    game = ludotheque.game("loba")
    one, two = (game.new(3, seed=match_key(plan, number)).to_bytes() for number in (1, 2))
    assert one != two


_INTERPRETED = """
import sys, hashlib
from ludotheque.lab.shards import make_plan, play_shard
for game in sys.argv[1:]:
    for bots in (["random"], ["club"], ["beginner"]):
        part = play_shard(make_plan(game, 2, 3, bots=bots, seed="modes"), 0)
        print(game, hashlib.sha256(part.to_bytes()).hexdigest())
"""


@pytest.mark.slow
def test_compiled_and_interpreted_play_alike() -> None:
    games = ludotheque.game_ids()
    told = []
    for mode in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": mode}
        command = [sys.executable, "-c", _INTERPRETED, *games]
        told.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert told[0].count("\n") == 3 * len(games)
    assert told[0] == told[1]


# What Python users get


def test_arrays_and_frames_have_a_row_per_match_and_seat() -> None:
    simulation = simulate("lobo77", 50, players=3, seed=4, jobs=1)
    arrays = simulation.arrays()
    assert tuple(arrays) == COLUMNS
    assert all(len(column) == 150 for column in arrays.values())
    assert arrays["seat"].tolist() == [0, 1, 2] * 50
    assert arrays["win"].reshape(50, 3).sum(axis=1).tolist() == [1.0] * 50
    assert set(arrays["bot"]) == {"club"}
    wins = arrays["win"].reshape(50, 3).mean(axis=0)
    assert [seat.wins for seat in simulation.summary.seats] == pytest.approx(wins.tolist())
    assert simulation.summary.moves_spread.mean == pytest.approx(arrays["moves"].mean())
    scores = arrays["score"].reshape(50, 3)[:, 1]
    assert simulation.summary.seats[1].score.mean == pytest.approx(scores.mean())
    assert simulation.summary.seats[1].score.sd == pytest.approx(scores.std(ddof=1))
    frame = simulation.frame()
    assert frame.groupby("seat")["win"].sum().sum() == 50
    assert simulation.table().num_rows == 150


def test_several_runs_are_compared() -> None:
    simulation = simulate("volle_lotte", 400, vary="target=1000,6000", seed=5, jobs=2)
    comparison = simulation.comparison
    assert comparison is not None
    assert comparison.values == ("1000", "6000")
    marks = {(line.group, line.label): [entry.mark for entry in line.entries] for line in comparison.lines}
    assert marks["length", "moves"] == [0, 1]
    assert marks["score", ""] == [0, 1]
    assert marks["bust_by_dice", "6"] == [0, 0]
    assert marks["wins", "0"] == [0, 0]
    assert set(simulation.table().column("run").to_pylist()) == {"target=1000", "target=6000"}


def test_marks_are_rare_where_nothing_differs() -> None:
    """Two runs that differ in name only: among all their numbers hardly one may be marked."""
    simulation = simulate("double_lucky_7", 2000, players=3, vary="forfeits=off,on", seed=6)
    assert simulation.comparison is not None
    assert sum(abs(entry.mark) for line in simulation.comparison.lines for entry in line.entries) == 0
    assert simulation.comparison.comparisons > 15


def test_the_players_and_bots_can_be_varied() -> None:
    plans = [s.plan for s in simulate("double_lucky_7", 5, vary="players=2,3", seed=1, jobs=1).summaries]
    assert [plan.players for plan in plans] == [2, 3]
    assert parse_vary(ludotheque.game("loba"), "bots=club+club+random, random") == (
        "bots",
        ["club+club+random", "random"],
    )


# Numbers


def test_spreads_are_what_numpy_says() -> None:
    values = np.random.default_rng(1).integers(-50, 3000, 999)
    found = spread(np.stack(np.unique(values, return_counts=True)))
    assert found.mean == pytest.approx(values.mean())
    assert found.sd == pytest.approx(values.std(ddof=1))
    assert found.quantiles == tuple(np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95], method="inverted_cdf"))
    assert (found.least, found.most) == (values.min(), values.max())
    assert sum(bar.count for bar in found.histogram) == 999
    assert len(found.histogram) <= 41
    assert all(one.high + 1 == other.low for one, other in pairwise(found.histogram))


def test_ratios_have_the_error_of_a_ratio_over_matches() -> None:
    rng = np.random.default_rng(2)
    of = rng.integers(1, 9, 5000)
    number = rng.binomial(of, 0.3)
    value, error = ratio(number.sum(), of.sum(), (number**2).sum(), (of**2).sum(), (number * of).sum())
    assert value == pytest.approx(0.3, abs=5 * error)
    assert error == pytest.approx((0.3 * 0.7 / of.sum()) ** 0.5, rel=0.1)


def test_intervals_of_shares_stay_between_0_and_1() -> None:
    assert wilson(0.0, 100) == pytest.approx((0.0, 0.037), abs=0.001)
    assert wilson(1.0, 100) == pytest.approx((0.963, 1.0), abs=0.001)
    low, high = wilson(0.5, 10_000)
    assert (low, high) == pytest.approx((0.4902, 0.5098), abs=0.0001)


# Refusals


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"games": 0}, "the number of matches is 1 to"),
        ({"games": 10**11}, "the number of matches is 1 to"),
        ({"games": True}, "not True"),
        ({"players": 9}, "2 to 7 players, not 9"),
        ({"bots": ["club", "club", "club"], "players": 2}, "3 bots for 2 players"),
        ({"bots": ["nobody"]}, "is no bot here"),
        ({"jobs": -1}, "number of jobs"),
        ({"budget": "soon", "bots": "club"}, "is not a budget"),
        ({"rounds": 8}, "option rounds"),
        ({"vary": "colour=1,2"}, "cannot be varied"),
        ({"vary": "rounds=7"}, "different values"),
        ({"vary": "rounds=7,7"}, "different values"),
        ({"vary": "rounds=7,8"}, "option rounds"),
        ({"vary": "players=two,three"}, "not two"),
        ({"vary": "rounds=7,14", "rounds": 7}, "given twice"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOptions, match=said):
        simulate("double_lucky_7", **{"games": 10, **arguments})


def test_a_plan_for_other_rules_is_refused() -> None:
    plan = Plan(**{**make_plan("loba", 1).to_json(), "rules_version": 99})
    with pytest.raises(LudothequeError, match="version 99"):
        play_shard(plan, 0)


def test_importing_the_lab_is_light() -> None:
    heavy = "('numpy', 'numba', 'pyarrow')"
    code = f"import sys, ludotheque.lab, ludotheque.cli; sys.exit(any(name in sys.modules for name in {heavy}))"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent).returncode == 0
