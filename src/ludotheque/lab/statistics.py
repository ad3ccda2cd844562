"""Means with intervals, and ratings from who came before whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludotheque.core.errors import LudothequeError

RESAMPLES = 2000
ELO = 400 / np.log(10)


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


def ratings(above: npt.NDArray[np.float64]) -> list[float]:
    """Bradley-Terry ratings on Elo's scale, their mean 0; `above[i, j]` is how often i came before j."""
    try:
        import choix
    except ImportError:
        raise LudothequeError("ratings need the extra `lab`: pip install 'ludotheque[lab]'") from None
    # A little prior keeps a rating finite for who never won, or never lost.
    strengths = choix.ilsr_pairwise_dense(above, alpha=0.5)
    return [float(x) for x in ELO * (strengths - strengths.mean())]
