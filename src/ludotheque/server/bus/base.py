"""What the room asks of a bus: to hear from other servers that a table has new events, and who is connected."""

from __future__ import annotations

from typing import Protocol


class Listener(Protocol):
    """What a bus calls, in the event loop."""

    def heard(self, table: str, seq: int) -> None:
        """A table has so many events now."""

    def heard_presence(self, table: str, node: str, here: list[int], watching: int) -> None:
        """Who is connected to a table at another server."""

    def heard_gap(self) -> None:
        """Messages may have been lost."""


class Bus(Protocol):
    """Messages between servers. Losing some is harmless: the store decides, and tables are compared with it."""

    is_up: bool
    """Whether messages get through."""

    async def open(self, listener: Listener) -> None:
        """Start listening."""

    async def close(self) -> None:
        """Stop."""

    def subscribe(self, table: str) -> None:
        """Listen for messages about a table."""

    def unsubscribe(self, table: str) -> None:
        """Listen no longer."""

    def publish(self, table: str, seq: int) -> None:
        """Say that a table has so many events."""

    def publish_presence(self, table: str, here: list[int], watching: int) -> None:
        """Say who is connected to a table here."""
