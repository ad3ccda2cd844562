"""Measuring: simulations, tournaments, their statistics and pictures.

Importing this loads neither NumPy nor Numba: that waits until something is played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludotheque.lab.simulation import Simulation

__all__ = ["simulate"]


def simulate(game: str, games: int = 10_000, **arguments: Any) -> Simulation:
    """Play many matches and count what happens in them; see `ludotheque.lab.simulation.simulate` for all arguments."""
    from ludotheque.lab.simulation import simulate as run

    return run(game, games, **arguments)
