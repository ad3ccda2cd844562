"""What is to be sent over all connections, collected for a moment and sent in one go.

Sending wakes a reader that sleeps, and that costs more than the sending. Of many messages sent one right after the
other only the first has to.
"""

from __future__ import annotations

import asyncio
from typing import Protocol


class Sender(Protocol):
    """A connection that has something to send."""

    def transmit(self, data: bytes, seq: int) -> None:
        """Send it now. `seq` is the last event it tells; 0: it tells none."""


class Outbox:
    """Messages that leave together, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Sender, bytes, int]] = []

    def put(self, sender: Sender, data: bytes, seq: int) -> None:
        """Send something as soon as the loop has done what it is at."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.flush)
        self._waiting.append((sender, data, seq))

    def flush(self) -> None:
        """Send what waits."""
        waiting, self._waiting = self._waiting, []
        for sender, data, seq in waiting:
            sender.transmit(data, seq)
