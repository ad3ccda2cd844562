"""The pause after a round: bots and clocks wait until everybody who is here has pressed on, or its time has passed.

A pause is not stored: it changes nothing in the match. Each server waits for the people connected to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ludotheque.server.domain import protocol
from ludotheque.server.session.live import LiveTable, Pause


class Pauses:
    """The pauses of all tables."""

    def __init__(
        self, seconds: float, go_on: Callable[[LiveTable], None], left: Callable[[LiveTable], float | None]
    ) -> None:
        self._seconds = seconds
        self._go_on = go_on
        self._left = left
        self._loop = asyncio.get_running_loop()

    def begin(self, live: LiveTable, seats: list[int]) -> None:
        """Wait for these seats; whoever looks at the table has been told with the event that closed the round."""
        self._stop(live)
        timer = self._loop.call_later(self._seconds, self.end, live)
        live.pause = Pause(set(seats), timer)

    def ready(self, live: LiveTable, seat: int | None) -> None:
        """Somebody has pressed on."""
        if live.pause is not None and seat in live.pause.waiting:
            live.pause.waiting.discard(seat)
            self._told_or_over(live)

    def update(self, live: LiveTable) -> None:
        """Somebody came or went: nobody waits for those who are gone."""
        if live.pause is not None:
            gone = live.pause.waiting.difference(live.audience.pausing())
            if gone:
                live.pause.waiting.difference_update(gone)
                self._told_or_over(live)

    def end(self, live: LiveTable) -> None:
        """Go on."""
        if live.pause is not None:
            self._stop(live)
            self._go_on(live)
            self._tell(live)

    def _told_or_over(self, live: LiveTable) -> None:
        if live.pause is not None and live.pause.waiting:
            self._tell(live)
        else:
            self.end(live)

    def _stop(self, live: LiveTable) -> None:
        if live.pause is not None:
            live.pause.timer.cancel()
            live.pause = None

    def _tell(self, live: LiveTable) -> None:
        data = protocol.encode(protocol.Paused(waiting(live), self._left(live)))
        for viewer in list(live.audience):
            viewer.send(data)


def waiting(live: LiveTable) -> list[int]:
    """The seats that have not pressed on yet; none if there is no pause."""
    return [] if live.pause is None else sorted(live.pause.waiting)
