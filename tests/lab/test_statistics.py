"""Intervals and ratings."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ludotheque.lab.statistics import bootstrap, ratings


def test_the_interval_holds_the_mean_and_narrows_with_more_deals() -> None:
    rng = np.random.default_rng(3)
    few, many = rng.random(50), rng.random(5000)
    wide, narrow = bootstrap(few.tolist()), bootstrap(many.tolist())
    assert wide.low < wide.mean < wide.high
    assert (narrow.high - narrow.low) * 5 < wide.high - wide.low
    assert narrow.low < 0.5 < narrow.high


def test_an_interval_is_about_two_standard_errors_each_way() -> None:
    values = np.random.default_rng(5).normal(10, 2, 400)
    found = bootstrap(values.tolist())
    error = values.std() / math.sqrt(400)
    assert found.high - found.low == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_equal_values_have_no_spread_and_none_have_no_mean() -> None:
    assert (bootstrap([0.5, 0.5]).low, bootstrap([0.5, 0.5]).high) == (0.5, 0.5)
    assert math.isnan(bootstrap([]).mean)


def test_ratings_are_elos() -> None:
    """Ten wins to one are 400 points."""
    above = np.array([[0, 1000.0], [100.0, 0]])
    strong, weak = ratings(above)
    assert strong - weak == pytest.approx(400, abs=5)
    assert strong + weak == pytest.approx(0, abs=1e-6)


def test_who_always_wins_still_gets_a_number() -> None:
    strong, middle, weak = ratings(np.array([[0, 50.0, 50.0], [0, 0, 50.0], [0, 0, 0]]))
    assert strong > middle > weak
    assert math.isfinite(strong - weak)
