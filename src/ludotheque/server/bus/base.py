"""What the room asks of a bus: to hear from other servers that a table has new events, and who is there."""

from __future__ import annotations

from typing import Protocol


class Listener(Protocol):
    """Who is told the news, in the event loop."""

    def heard(self, table: str, seq: int) -> None:
        """A table has so many events now."""

    def heard_presence(self, table: str, node: str, here: list[int], watching: int) -> None:
        """Who is connected to a table at another server."""

    def heard_gap(self) -> None:
        """News may have been lost."""


class Bus(Protocol):
    """News between servers. Losing some is harmless: the store decides, and tables are looked at again now and then."""

    is_up: bool
    """Whether news are heard."""

    async def open(self, listener: Listener) -> None:
        """Start listening."""

    async def close(self) -> None:
        """Stop."""

    def follow(self, table: str) -> None:
        """Listen for news of a table."""

    def unfollow(self, table: str) -> None:
        """Listen no longer."""

    def tell(self, table: str, seq: int) -> None:
        """Tell the others that a table has so many events."""

    def tell_presence(self, table: str, here: list[int], watching: int) -> None:
        """Tell the others who is connected to a table here."""
