"""Means with intervals, and ratings from who came before whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludotheque.core import extras

RESAMPLES = 2000
RATING_RESAMPLES = 1000
ELO = 400 / np.log(10)

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


def confidence_sequence(values: Sequence[float], error: float = 0.05) -> Estimate:
    """The mean of independent values from 0 to 1, with an interval that may be looked at after every one of them.

    All intervals that are ever looked at hold together with the given error, so a contest may stop when one is narrow
    enough. Predictable plug-in empirical Bernstein, by Waudby-Smith and Ramdas (2024); wider than `bootstrap`.
    """
    data = np.asarray(values, np.float64)
    steps = np.arange(1, len(data) + 1)
    # What each value is weighed with depends on those before it alone.
    means = (0.5 + np.cumsum(data)) / (steps + 1)
    before = np.concatenate([[0.5], means[:-1]])
    spreads = (0.25 + np.cumsum((data - means) ** 2)) / (steps + 1)
    earlier = np.concatenate([[0.25], spreads[:-1]])
    doubt = np.log(2 / error)
    weights = np.minimum(np.sqrt(2 * doubt / (earlier * steps * np.log(1 + steps))), 0.5)
    surprise = (data - before) ** 2 * (-np.log(1 - weights) - weights)
    half = (doubt + surprise.sum()) / weights.sum()
    centre = float((weights * data).sum() / weights.sum())
    return Estimate(float(data.mean()), max(0.0, centre - half), min(1.0, centre + half))


def ratings(above: Array, seed: int = 1) -> list[Estimate]:
    """Bradley-Terry ratings on Elo's scale, their mean 0, with intervals by resampling the deals.

    `above[d, i, j]` is how often i came before j in deal d.
    """
    extras.need("lab", "choix")
    import choix

    def fit(counts: Array) -> Array:
        # A little prior keeps a rating finite for who never won, or never lost.
        logs = choix.ilsr_pairwise_dense(counts, alpha=0.5)
        found: Array = ELO * (logs - logs.mean())
        return found

    num_deals = len(above)
    drawn = np.random.default_rng(seed).multinomial(num_deals, np.full(num_deals, 1 / num_deals), RATING_RESAMPLES)
    again = [fit(counts) for counts in np.tensordot(drawn.astype(np.float64), above, 1)]
    low, high = np.quantile(again, [0.025, 0.975], axis=0)
    rows = zip(fit(above.sum(0)), low, high, strict=True)
    return [Estimate(*(float(x) for x in row)) for row in rows]
