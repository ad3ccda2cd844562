"""What is to be sent over all connections, collected for a moment and sent in one go.

Sending wakes a reader that sleeps, and that costs more than the sending. Of many messages sent one right after the
other only the first has to. Letters, which compiled code has written, compiled code sends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from ludotheque.core.painter import Painter, Written


class Sender(Protocol):
    """A connection that has something to send."""

    def transmit(self, data: bytes, seq: int) -> None:
        """Send it now. `seq` is the last event it tells; 0: it tells none."""


class Addressee(Protocol):
    """A connection that letters can be sent over."""

    seq: int
    """The last event that was sent."""

    def send(self, data: bytes, seq: int = 0) -> None:
        """Send something; `seq` is the last event it tells, if any. Who does not read gets the newest later."""

    def line(self) -> int:
        """The descriptor of a socket to which whole frames can be written just now; -1 if there is none."""

    def send_rest(self, data: bytes) -> None:
        """Send the rest of a frame that was written to the line in part, or not at all."""


Letter = tuple[Addressee, int, int, int]
"""Who gets it, from where to where it stands, and the event it tells."""


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

    def post(self, painter: Painter, out: Written, letters: Sequence[Letter]) -> None:
        """Send letters of a painter now, after what waits."""
        self.flush()
        parcels: list[int] = []
        posted: list[Letter] = []
        for letter in letters:
            guest, first, last, seq = letter
            descriptor = guest.line()
            if descriptor < 0:
                guest.send(out[first:last].tobytes(), seq)
            else:
                guest.seq = seq
                parcels += descriptor, first, last
                posted.append(letter)
        for (guest, _, last, _), left in zip(posted, painter.post(out, parcels), strict=True):
            if left:
                guest.send_rest(out[last - left : last].tobytes())
