"""The random bot: any legal move is as good as another."""

from __future__ import annotations

from ludotheque.bots.bot import Bot, Ratings, Seeds
from ludotheque.core.record import Buffer, Ids


class RandomBot(Bot):
    """Plays uniformly at random among the legal moves. The same seed makes the same choices."""

    def _pick(self, buf: Buffer, seat: int, ids: Ids, ratings: Ratings, seeds: Seeds) -> int:
        return int(seeds[0]) % len(ids)
