"""The bus of a single server: nobody listens."""

from __future__ import annotations

from ludotheque.server.bus.base import Listener


class MemoryBus:
    """A bus without messages."""

    is_up = True

    async def open(self, listener: Listener) -> None:
        """Nothing to listen to."""

    async def close(self) -> None:
        """Nothing to stop."""

    def subscribe(self, table: str) -> None:
        """Nothing to listen to."""

    def unsubscribe(self, table: str) -> None:
        """Nothing was listened to."""

    def publish(self, table: str, seq: int) -> None:
        """Nobody listens."""

    def publish_presence(self, table: str, here: list[int], watching: int) -> None:
        """Nobody listens."""
