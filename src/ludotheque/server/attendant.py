"""What a table does by itself: its bots move, its clock runs, a bot stands in for somebody who is away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from ludotheque.bots.bot import Thought
from ludotheque.server import events, protocol
from ludotheque.server.audience import Guest
from ludotheque.server.commands import Command, Play, StandIn, Who
from ludotheque.server.events import Event
from ludotheque.server.live import NOBODY, Live, Origin
from ludotheque.server.refusals import Refusal
from ludotheque.server.settings import Settings
from ludotheque.server.table import PERSON
from ludotheque.server.thinking import Thinkers
from ludotheque.server.views import phrases

TIME_UP_LEVEL = "club"
"""Who chooses the move when time is up."""
ADVICE = 5
"""How many moves a hint tells."""


class Attendant:
    """Looks after all tables of a room. All times are the loop's, which no change of the wall clock moves."""

    def __init__(self, settings: Settings, submit: Callable[[Live, Command, Who, Origin], None]) -> None:
        self._settings = settings
        self._submit = submit
        self._loop = asyncio.get_running_loop()
        self._thinkers = Thinkers(settings)
        self.closing = False

    def close(self) -> None:
        """Stop; to be called in a thread."""
        self.closing = True
        self._thinkers.close()

    def go_on(self, live: Live) -> None:
        """See to whatever the table needs now: a bot's move, a bot to stand in. To be called after every change."""
        table = live.table
        if table.match is None or table.match.over or not live.audience or self.closing:
            self.stop_timers(live)
            return
        if table.has_bots and not live.thinking:
            self._ask_bots(live)
        if live.away or live.away_timer is not None:
            self._watch_absence(live)

    def _ask_bots(self, live: Live) -> None:
        table = live.table
        seats = table.bots_to_move()
        match = table.match
        if not seats or match is None:
            return
        live.thinking = True
        looks = [(seat, table.seats[seat].bot, match.concealed(seat)) for seat in seats]
        answer = partial(self._thought, live, table.match_seq, self._loop.time(), "")
        self._thinkers.choose(table.game, looks, match.actor, answer)

    def _thought(self, live: Live, seq: int, began: float, by: str, move: tuple[int, int] | None) -> None:
        """A bot has made up its mind; if the table has moved on meanwhile, it thinks again."""
        table = live.table
        match = table.match
        if match is None or table.match_seq != seq or self.closing:
            live.thinking = False
            if by and live.deadline is None:
                self.set_clock(live, None, None)
            self.go_on(live)
            return
        if move is None and not match.over and (table.seats[match.actor].bot or by):
            move = match.actor, match.legal_ids()[0]  # it failed, but the table must go on
        if move is None:
            live.thinking = False
            return
        wait = self._settings.bot_pace - (self._loop.time() - began)
        if wait > 0 and not by:
            self._loop.call_later(wait, self._play, live, seq, by, move)
        else:
            self._play(live, seq, by, move)

    def _play(self, live: Live, seq: int, by: str, move: tuple[int, int]) -> None:
        live.thinking = False
        if self.closing:
            return
        seat, action = move
        stands_in = live.table.seats[seat].kind == PERSON
        self._submit(live, Play(seat, action, seq, by or ("bot" if stands_in else "")), Who(), NOBODY)

    def clock_left(self, live: Live) -> float | None:
        """Seconds left for this turn."""
        return None if live.deadline is None else round(max(0.0, live.deadline - self._loop.time()), 2)

    def set_clock(self, live: Live, event: Event | None, before: int | None) -> None:
        """Start the clock of a turn after an event; `before` is the seat that was at turn."""
        seconds = live.table.created.clock
        if not seconds:
            return
        match = live.table.match
        waiting = match is not None and not match.over and not live.table.seats[match.actor].bot
        if waiting and live.deadline is not None and match is not None and match.actor == before:
            if not isinstance(event, events.Moved) or event.seat != before:
                return  # talk, and moves out of turn, do not give more time
        if live.clock_timer is not None:
            live.clock_timer.cancel()
        live.deadline = live.clock_timer = None
        if waiting and live.audience:
            live.deadline = self._loop.time() + seconds
            live.clock_timer = self._loop.call_at(live.deadline, self._time_up, live, live.deadline)

    def _time_up(self, live: Live, deadline: float) -> None:
        table, match = live.table, live.table.match
        if live.deadline != deadline or match is None or match.over:
            return
        live.deadline = live.clock_timer = None
        live.thinking = True
        looks = [(match.actor, TIME_UP_LEVEL, match.concealed(match.actor))]
        answer = partial(self._thought, live, table.match_seq, self._loop.time(), "clock")
        self._thinkers.choose(table.game, looks, match.actor, answer)

    def stop_timers(self, live: Live) -> None:
        """Nothing happens by itself any more."""
        for timer in (live.clock_timer, live.away_timer):
            if timer is not None:
                timer.cancel()
        live.clock_timer = live.away_timer = live.deadline = None

    def _watch_absence(self, live: Live) -> None:
        """Let a bot stand in if somebody is away for long and it is their turn."""
        if live.away_timer is not None:
            live.away_timer.cancel()
            live.away_timer = None
        match = live.table.match
        if not live.away or match is None or match.over:
            return
        seat = match.actor
        since = live.away.get(seat)
        if since is None or live.table.seats[seat].bot or not live.audience:
            return
        live.away_timer = self._loop.call_at(since + self._settings.away_seconds, self._stand_in, live, seat)

    def _stand_in(self, live: Live, seat: int) -> None:
        live.away_timer = None
        match = live.table.match
        if match is not None and seat in live.away and match.actor == seat and live.audience:
            self._submit(live, StandIn(seat), Who(), NOBODY)

    def hint(self, live: Live, guest: Guest, message: protocol.Hint, origin: Origin) -> None:
        """Advise a seat, from what it sees itself; nobody else is told."""
        match = live.table.match
        seat = guest.who.seat
        if seat is None or match is None or match.over or not match.legal_ids(seat):
            origin.refused(live, Refusal("no_hint"), message.id)
            return
        if seat in live.advising:
            origin.refused(live, Refusal("slow_down"), message.id)
            return
        live.advising.add(seat)
        seq = live.table.seq
        said = phrases(match.game, guest.lang)

        def answer(thought: Thought | None) -> None:
            live.advising.discard(seat)
            if thought is None:
                origin.refused(live, Refusal("internal"), message.id)
                return
            found = thought.candidates[:ADVICE]
            moves = [
                protocol.Advice(
                    one.move, said.label(one.action), round(one.win, 4), round(one.points, 2), round(one.share, 4)
                )
                for one in found
            ] or [protocol.Advice(thought.move, said.label(thought.action), 0.0, 0.0, 1.0)]
            guest.send(protocol.encode(protocol.Hinted(message.id, seq, moves)))

        look = match.concealed(seat)
        self._thinkers.advise(match.game, seat, look, self._settings.hint_seconds, answer)
