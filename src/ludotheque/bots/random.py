"""The random bot: any legal move is as good as another."""

from __future__ import annotations

from collections.abc import Callable

from ludotheque.bots.bot import Bot, Table, never
from ludotheque.bots.budget import Budget
from ludotheque.core.record import Buffer


class RandomBot(Bot):
    """Plays uniformly at random among the legal moves. The same seed makes the same choices."""

    def choose(
        self,
        table: Table | Buffer,
        seat: int | None = None,
        budget: Budget | str | float | None = None,
        stop: Callable[[], bool] = never,
    ) -> int:
        """Any legal move."""
        buf, seat, ids, _ = self._look(table, seat)
        return int(ids[int(self._seeds(buf, seat)[0]) % len(ids)])
