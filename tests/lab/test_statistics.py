"""Intervals and ratings."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ludotheque.lab.statistics import Estimate, bootstrap, ratings


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
    strong, weak = ratings(np.array([[[0, 1000.0], [100.0, 0]]]))
    assert strong.mean - weak.mean == pytest.approx(400, abs=5)
    assert strong.mean + weak.mean == pytest.approx(0, abs=1e-6)
    assert (strong.low, strong.high) == pytest.approx((strong.mean, strong.mean))  # one deal tells no spread


def test_ratings_explain_who_came_before_whom() -> None:
    """At the best fit each bot comes first as often as its rating says, but for the little that everybody gets."""
    above = np.random.default_rng(2).integers(500, 5000, (1, 5, 5)).astype(np.float64)
    above[0, range(5), range(5)] = 0
    strength = 10 ** (np.array([rating.mean for rating in ratings(above)]) / 400)
    share = strength[:, np.newaxis] / (strength[:, np.newaxis] + strength)
    expected = ((above[0] + above[0].T) * share).sum(1)
    assert above[0].sum(1) == pytest.approx(expected, rel=0.001)


def test_the_interval_of_a_rating_narrows_with_more_deals() -> None:
    rng = np.random.default_rng(4)

    def rate(num_deals: int) -> Estimate:
        above = np.zeros((num_deals, 2, 2))
        above[:, 0, 1] = rng.random(num_deals) < 0.7
        above[:, 1, 0] = 1 - above[:, 0, 1]
        return ratings(above)[0]

    few, many = rate(40), rate(4000)
    assert few.low < few.mean < few.high
    assert (many.high - many.low) * 5 < few.high - few.low
    assert many.low < 200 * math.log10(0.7 / 0.3) < many.high


def test_who_always_wins_still_gets_a_number() -> None:
    strong, middle, weak = (rated.mean for rated in ratings(np.array([[[0, 50.0, 50.0], [0, 0, 50.0], [0, 0, 0]]])))
    assert strong > middle > weak
    assert math.isfinite(strong - weak)
