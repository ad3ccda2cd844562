"""The bus of a server that is alone: nobody to tell."""

from __future__ import annotations

from ludotheque.server.bus.base import Listener


class MemoryBus:
    """No news from anywhere."""

    is_up = True

    async def open(self, listener: Listener) -> None:
        """Nothing to listen to."""

    async def close(self) -> None:
        """Nothing to stop."""

    def follow(self, table: str) -> None:
        """Nothing to follow."""

    def unfollow(self, table: str) -> None:
        """Nothing to leave."""

    def tell(self, table: str, seq: int) -> None:
        """Nobody to tell."""

    def tell_presence(self, table: str, here: list[int], watching: int) -> None:
        """Nobody to tell."""
