"""Presence: who is connected to a table, at this server and at others, and who is away."""

from __future__ import annotations

import asyncio

from ludotheque.server.bus.base import Bus
from ludotheque.server.domain import protocol
from ludotheque.server.session.live import Elsewhere, LiveTable

ANNOUNCE_SECONDS = 15.0
"""How often other servers are told who is here."""
FORGET_SECONDS = 50.0
"""After that a server that says nothing counts as gone."""


class Presence:
    """Keeps track of who is where. All times are the loop's."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._loop = asyncio.get_running_loop()

    def here(self, live: LiveTable) -> list[int]:
        """The seats whose people are connected, here or at another server."""
        return sorted({*live.audience.here(), *(seat for other in live.elsewhere.values() for seat in other.here)})

    def watching(self, live: LiveTable) -> int:
        """How many watch."""
        return live.audience.watching() + sum(other.watching for other in live.elsewhere.values())

    def update(self, live: LiveTable) -> None:
        """Somebody came or went here: note who is away, and tell everybody."""
        self._show(live)
        self._announce(live)

    def heard(self, live: LiveTable, node: str, here: list[int], watching: int) -> bool:
        """Who is connected at another server. Whether that is news."""
        known = live.elsewhere.get(node)
        live.elsewhere[node] = Elsewhere(self._loop.time(), here, watching)
        if known is None:  # it does not know us either
            self._announce(live)
        is_news = known is None or (known.here, known.watching) != (here, watching)
        if is_news:
            self._show(live)
        return is_news

    def sweep(self, live: LiveTable) -> bool:
        """Forget servers that have been silent for long, and say that we are still here. Whether any is gone."""
        now = self._loop.time()
        gone = [node for node, other in live.elsewhere.items() if now - other.heard > FORGET_SECONDS]
        for node in gone:
            del live.elsewhere[node]
        if live.audience and now - live.announced > ANNOUNCE_SECONDS:
            self._announce(live)
        if gone:
            self._show(live)
        return bool(gone)

    def _announce(self, live: LiveTable) -> None:
        live.announced = self._loop.time()
        self._bus.publish_presence(live.table.id, live.audience.here(), live.audience.watching())

    def _show(self, live: LiveTable) -> None:
        now, here = self._loop.time(), self.here(live)
        live.away = {seat: live.away.get(seat, now) for seat in live.table.people if seat not in here}
        if live.audience:
            data = protocol.encode(protocol.Presence(here, self.watching(live)))
            for viewer in list(live.audience):
                viewer.send(data)
