"""Measuring: simulations, tournaments, their statistics and pictures.

Importing this loads neither NumPy nor Numba: that waits until something is played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludotheque.lab.luck import Skill
    from ludotheque.lab.simulation import Simulation

__all__ = ["simulate", "skill"]


def simulate(game: str, games: int = 10_000, **arguments: Any) -> Simulation:
    """Play many matches and count what happens in them; see `ludotheque.lab.simulation.simulate` for all arguments."""
    from ludotheque.lab.simulation import simulate as run

    return run(game, games, **arguments)


def skill(game: str, **arguments: Any) -> Skill:
    """Measure how much of a game is luck and how much is skill; see `ludotheque.lab.luck.skill` for all arguments."""
    from ludotheque.lab.luck import skill as measure

    return measure(game, **arguments)
