"""The random bot: any legal move is as good as another."""

from __future__ import annotations

from ludotheque.bots.bot import SimpleBot
from ludotheque.core.record import Buffer, Ids


class RandomBot(SimpleBot):
    """Plays uniformly at random among the legal moves. The same seed makes the same choices."""

    def _answer(self, buf: Buffer, seat: int, ids: Ids) -> int:
        return int(ids[int(self._seeds(buf, seat)[0]) % len(ids)])
