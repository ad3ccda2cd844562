"""Clocks: the time for a turn, and the time after which a bot stands in for somebody who is away.

All times are the loop's, which no change of the wall clock moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ludotheque.server.domain import events
from ludotheque.server.domain.commands import Command, StandIn, Who
from ludotheque.server.domain.events import Event
from ludotheque.server.session.live import NOBODY, LiveTable, Origin

Submit = Callable[[LiveTable, Command, Who, Origin], None]


class Clocks:
    """The clocks of all tables."""

    def __init__(self, away_seconds: float, submit: Submit, time_up: Callable[[LiveTable], None]) -> None:
        self._away_seconds = away_seconds
        self._submit = submit
        self._time_up = time_up
        self._loop = asyncio.get_running_loop()

    def left(self, live: LiveTable) -> float | None:
        """Seconds left for this turn."""
        return None if live.deadline is None else round(max(0.0, live.deadline - self._loop.time()), 2)

    def turn(self, live: LiveTable, event: Event, before: int | None) -> None:
        """After an event: a new turn has its full time. `before` is the seat that was at turn."""
        if not live.table.created.clock:
            return
        match = live.table.match
        is_same_turn = match is not None and match.actor == before
        if is_same_turn and not (isinstance(event, events.Moved) and event.seat == before):
            return  # talk, and moves out of turn, do not give more time
        self._stop_clock(live)
        live.is_overdue = False
        self._start_clock(live)

    def go_on(self, live: LiveTable) -> None:
        """See to it that the clocks run which should; to be called after every change."""
        if not live.audience or live.table.match is None or live.table.match.over or live.pause is not None:
            self.stop(live)
            return
        if live.deadline is None and not live.is_overdue:
            self._start_clock(live)
        elif self._is_bots_turn(live):
            self._stop_clock(live)
        if live.away or live.away_timer is not None:
            self._watch_absence(live)

    def stop(self, live: LiveTable) -> None:
        """Stop the clocks of a table."""
        self._stop_clock(live)
        if live.away_timer is not None:
            live.away_timer.cancel()
            live.away_timer = None

    def _is_bots_turn(self, live: LiveTable) -> bool:
        match = live.table.match
        return match is not None and not match.over and bool(live.table.seats[match.actor].bot)

    def _start_clock(self, live: LiveTable) -> None:
        seconds, match = live.table.created.clock, live.table.match
        if not seconds or match is None or match.over or self._is_bots_turn(live):
            return
        if live.audience:
            live.deadline = self._loop.time() + seconds
            live.clock_timer = self._loop.call_at(live.deadline, self._run_out, live, live.deadline)

    def _stop_clock(self, live: LiveTable) -> None:
        if live.clock_timer is not None:
            live.clock_timer.cancel()
        live.deadline = live.clock_timer = None

    def _run_out(self, live: LiveTable, deadline: float) -> None:
        match = live.table.match
        if live.deadline == deadline and match is not None and not match.over:
            self._stop_clock(live)
            live.is_overdue = True
            self._time_up(live)

    def _watch_absence(self, live: LiveTable) -> None:
        """Let a bot stand in if somebody is away for long and it is their turn."""
        if live.away_timer is not None:
            live.away_timer.cancel()
            live.away_timer = None
        match = live.table.match
        if match is None or match.over or match.actor not in live.away or self._is_bots_turn(live):
            return
        when = live.away[match.actor] + self._away_seconds
        live.away_timer = self._loop.call_at(when, self._stand_in, live, match.actor)

    def _stand_in(self, live: LiveTable, seat: int) -> None:
        live.away_timer = None
        match = live.table.match
        if match is not None and seat in live.away and match.actor == seat and live.audience:
            self._submit(live, StandIn(seat), Who(), NOBODY)
