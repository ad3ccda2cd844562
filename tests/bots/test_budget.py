"""Budgets as people write them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ludotheque import InvalidOptions
from ludotheque.bots.budget import Budget, parse_budget


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("50ms", Budget(seconds=0.05)),
        (" 1.5 s ", Budget(seconds=1.5)),
        ("2000it", Budget(iterations=2000)),
        ("0ms", Budget(seconds=0.0)),
        ("0it", Budget(iterations=0)),
        (0.25, Budget(seconds=0.25)),
        (2, Budget(seconds=2.0)),
    ],
)
def test_budgets_are_times_or_iterations(text: str | float, budget: Budget) -> None:
    assert parse_budget(text) == budget
    assert parse_budget(budget) is budget


def test_no_budget_stays_none() -> None:
    assert parse_budget(None) is None


@pytest.mark.parametrize("budget", [Budget(seconds=0.05), Budget(seconds=12.5), Budget(iterations=2000)])
def test_a_budget_as_text_reads_back(budget: Budget) -> None:
    assert parse_budget(str(budget)) == budget


@pytest.mark.parametrize(
    "given",
    [
        "",
        "fast",
        "50",
        "ms",
        "-5ms",
        "1e3it",
        "2.5it",
        "5 minutes",
        "99999999s",
        "99999999999it",
        -1,
        math.nan,
        math.inf,
    ]
    + [True, [50], Budget(), Budget(1.0, 5), Budget(iterations=-1), Budget(seconds=-0.1)],
)
def test_impossible_budgets_are_refused(given: Any) -> None:
    with pytest.raises(InvalidOptions):
        parse_budget(given)
