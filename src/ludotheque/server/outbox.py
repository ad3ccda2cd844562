"""What is to be sent over all connections, collected for a moment and sent in one go.

Sending wakes a reader that sleeps, and that costs more than the sending. Of many messages sent one right after the
other only the first has to. Letters, which compiled code has written, compiled code sends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from ludotheque.core.painter import Painter, Written
from ludotheque.core.raw import MORE


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

    def push(self) -> None:
        """Let go what the system holds back."""

    def send_rest(self, data: bytes) -> None:
        """Send the rest of a frame that was written to the line in part, or not at all."""


class Keeper(Protocol):
    """Has letters held back by the system on its own."""

    def let_go(self) -> tuple[int, int]:
        """Let go those that wait since the last but one time: how many there were, and how many still waited."""

    @property
    def has_held(self) -> bool:
        """Whether any are held back."""


Letter = tuple[Addressee, int, int, int, bool]
"""Who gets it, from where to where it stands, the event it tells, and whether it may wait, see `Painting.patient`."""

MANY = 16
"""Letters may wait if so many leave at once."""
HOLD_SECONDS = 0.005
"""A letter waits for so long, and at most twice as long."""
REST_SECONDS, MOST_REST_SECONDS = 0.05, 1.6
"""If waiting was of no use to most letters, none waits for so long; and each time that it is of no use again, for twice
as long as before, up to so long."""


class Outbox:
    """Messages that leave together, in the order in which they came.

    If many letters leave at once, those that may wait are held back by the system for a moment: where the next message
    to the same reader follows soon, both go as one packet, and packets are what costs most.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[Sender, bytes, int]] = []
        self._held: list[tuple[Addressee, int]] = []
        """Who has a letter held back, and the event it tells."""
        self._longer: list[tuple[Addressee, int]] = []
        """The same, for longer."""
        self.keepers: list[Keeper] = []
        self._is_pushing = False
        self._rests_until = 0.0
        self._rest = REST_SECONDS

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
        can_hold = self.can_hold(len(letters))
        parcels: list[int] = []
        posted: list[Letter] = []
        for letter in letters:
            guest, first, last, seq, may_wait = letter
            descriptor = guest.line()
            if descriptor < 0:
                guest.send(out[first:last].tobytes(), seq)
                continue
            guest.seq = seq
            is_held = may_wait and can_hold
            parcels += descriptor, first, last, is_held
            posted.append(letter)
            if is_held:
                self._held.append((guest, seq))
        for (guest, _, last, _, _), left in zip(posted, painter.post(out, parcels), strict=True):
            if left:
                guest.send_rest(out[last - left : last].tobytes())

    def can_hold(self, count: int) -> bool:
        """Whether letters may wait now if so many leave; then somebody will look after them."""
        if not MORE or count < MANY:
            return False
        loop = asyncio.get_running_loop()
        if loop.time() < self._rests_until:
            return False
        if not self._is_pushing:
            self._is_pushing = True
            loop.call_later(HOLD_SECONDS, self._push)
        return True

    def _push(self) -> None:
        """Let go what has waited for long enough."""
        loop = asyncio.get_running_loop()
        longer, self._longer, self._held = self._longer, self._held, []
        left = [guest for guest, seq in longer if guest.seq == seq]
        for guest in left:
            guest.push()
        count, num_left = len(longer), len(left)
        for keeper in self.keepers:
            waited, still_waited = keeper.let_go()
            count += waited
            num_left += still_waited
        if 2 * num_left > count:
            self._rests_until = loop.time() + self._rest
            self._rest = min(2 * self._rest, MOST_REST_SECONDS)
        elif count:
            self._rest = REST_SECONDS
        self._is_pushing = bool(self._longer) or any(keeper.has_held for keeper in self.keepers)
        if self._is_pushing:
            loop.call_later(HOLD_SECONDS, self._push)
