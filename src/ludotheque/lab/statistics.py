"""Means with intervals, and ratings from who came before whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RESAMPLES = 2000
RATING_RESAMPLES = 1000
ELO = 400 / np.log(10)
PRIOR = 0.5
"""A little of everything keeps a rating finite for who never won, or never lost."""
PRECISION, MOST_STEPS = 1e-8, 100

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the interval that holds it with 95 % confidence."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3g} ({self.low:.3g} to {self.high:.3g})"


def bootstrap(values: Sequence[float], seed: int = 1) -> Estimate:
    """The mean of independent values, its interval by resampling them."""
    data = np.asarray(values, np.float64)
    if not len(data):
        return Estimate(float("nan"), float("nan"), float("nan"))
    rng = np.random.default_rng(seed)
    means = np.empty(RESAMPLES)
    for k in range(RESAMPLES):
        means[k] = data[rng.integers(0, len(data), len(data))].mean()
    low, high = np.quantile(means, [0.025, 0.975])
    return Estimate(float(data.mean()), float(low), float(high))


def ratings(above: Array, seed: int = 1) -> list[Estimate]:
    """Bradley-Terry ratings on Elo's scale, their mean 0, with intervals by resampling the deals.

    `above[d, i, j]` is how often i came before j in deal d.
    """
    num_deals = len(above)
    drawn = np.random.default_rng(seed).multinomial(num_deals, np.full(num_deals, 1 / num_deals), RATING_RESAMPLES)
    again = ELO * _log_strengths(np.tensordot(drawn.astype(np.float64), above, 1))
    low, high = np.quantile(again, [0.025, 0.975], axis=0)
    means = ELO * _log_strengths(above.sum(0)[np.newaxis])[0]
    return [Estimate(*(float(x) for x in row)) for row in zip(means, low, high, strict=True)]


def _log_strengths(above: Array) -> Array:
    """The strengths, as logarithms with mean 0, of the bots of many tournaments: those that explain best who came
    before whom, as the balance of a chain that goes from each bot to those who came before it, step by step.
    """
    num_bots = above.shape[-1]
    behind = above.swapaxes(-1, -2)
    logs = np.zeros(above.shape[:-1])
    others = ~np.eye(num_bots, dtype=bool)
    for _ in range(MOST_STEPS):
        weights = np.exp(logs)
        weights *= num_bots / weights.sum(-1, keepdims=True)
        rates = (PRIOR + behind / (weights[..., np.newaxis] + weights[..., np.newaxis, :])) * others
        flows = rates.swapaxes(-1, -2) - rates.sum(-1)[..., np.newaxis] * np.eye(num_bots)
        flows[..., -1, :] = 1  # one balance follows from the others; instead the shares add up to 1
        shares = np.linalg.solve(flows, np.eye(num_bots)[:, -1:])[..., 0]
        before, logs = logs, np.log(shares)
        logs -= logs.mean(-1, keepdims=True)
        if np.abs(logs - before).max() < PRECISION:
            break
    return logs
