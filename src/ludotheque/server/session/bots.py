"""Bots at the tables: they think in threads, a few at a time, each table at most once, so that nothing waits for them.

They play their own turns, move for a person whose time is up, and give hints. Each gets the concealed record of its
seat and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, TypeVar

from ludotheque.bots.advice import advise, why
from ludotheque.bots.bot import Thought
from ludotheque.bots.budget import Budget
from ludotheque.bots.stand_in import player
from ludotheque.core.game import Game
from ludotheque.core.moves import Move
from ludotheque.core.record import Buffer
from ludotheque.server.domain import protocol
from ludotheque.server.domain.commands import Play, Who
from ludotheque.server.domain.refusals import Refusal
from ludotheque.server.domain.table import PERSON
from ludotheque.server.session.clocks import Submit
from ludotheque.server.session.live import NOBODY, Haste, LiveTable, Origin, Player
from ludotheque.server.settings import Settings
from ludotheque.server.views.shown import labels

log = logging.getLogger("ludotheque.bots")

LEAST_SECONDS = 0.02
"""What a bot gets however many wait."""
ADVISER = "expert"
TIME_UP_LEVEL = "club"
"""Who chooses the move when time is up."""
CLOCK = "clock"
PACES = {Haste.NONE: 1.0, Haste.FASTER: 0.2, Haste.TO_THE_END: 0.0}
"""How much of a bot's pace is left."""

T = TypeVar("T")
Choice = tuple[int, Move]
"""A seat and a move."""


class Asked(NamedTuple):
    """A bot that is asked for a move."""

    seat: int
    level: str
    record: Buffer
    """Concealed: what the seat may know."""


class Bots:
    """The bots of all tables."""

    def __init__(self, settings: Settings, submit: Submit, go_on: Callable[[LiveTable], None]) -> None:
        self._settings = settings
        self._submit = submit
        self._go_on = go_on
        self._loop = asyncio.get_running_loop()
        self._threads = settings.bot_threads or max(1, (os.cpu_count() or 2) - 1)
        self._pool = ThreadPoolExecutor(self._threads, "ludotheque-bot")
        self._num_waiting = 0
        self._is_closing = False

    def close(self) -> None:
        """Stop thinking; waits for the threads."""
        self._is_closing = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def go_on(self, live: LiveTable) -> None:
        """Ask the bots that have a move now; to be called after every change."""
        table, match = live.table, live.table.match
        is_seen = bool(live.audience) or live.haste is Haste.TO_THE_END
        is_held = live.is_thinking or live.pause is not None
        if not table.has_bots or is_held or not is_seen or match is None or self._is_closing:
            return
        seats = table.bots_to_move()
        if seats:
            asked = [Asked(seat, table.seats[seat].bot, match.concealed(seat)) for seat in seats]
            self._ask(live, asked, "")

    def move_overdue(self, live: LiveTable) -> None:
        """Move for the person at turn, whose time is up."""
        match = live.table.match
        if match is not None and not match.over and not self._is_closing:
            asked = [Asked(match.actor, TIME_UP_LEVEL, match.concealed(match.actor))]
            self._ask(live, asked, CLOCK)

    def _ask(self, live: LiveTable, asked: Sequence[Asked], by: str) -> None:
        match = live.table.match
        assert match is not None
        live.is_thinking = True
        game, actor = match.game, match.actor
        answer = partial(self._chosen, live, live.table.match_seq, self._loop.time(), by)
        is_hasty = live.haste is Haste.TO_THE_END
        self._run(lambda: _choose(game, asked, actor, self._stop(is_hasty)), answer)

    def _chosen(self, live: LiveTable, seq: int, began: float, by: str, choice: Choice | None) -> None:
        """A bot has chosen. If the table has moved on in the meantime, bots are asked anew."""
        table, match = live.table, live.table.match
        if match is None or match.over or table.match_seq != seq or self._is_closing:
            self._finish(live, by)
            return
        if choice is None and (table.seats[match.actor].bot or by):
            choice = match.actor, match.legal()[0]  # it failed, but the table must go on
        if choice is None:
            live.is_thinking = False  # nobody steps in
            return
        wait = self._settings.bot_pace * PACES[live.haste] - (self._loop.time() - began)
        if wait > 0 and not by:
            self._loop.call_later(wait, self._play, live, seq, by, choice)
        else:
            self._play(live, seq, by, choice)

    def _finish(self, live: LiveTable, by: str) -> None:
        live.is_thinking = False
        if by:
            live.is_overdue = False
        self._go_on(live)

    def _play(self, live: LiveTable, seq: int, by: str, choice: Choice) -> None:
        live.is_thinking = False
        if self._is_closing:
            return
        seat, move = choice
        stands_in = seat < len(live.table.seats) and live.table.seats[seat].kind == PERSON
        self._submit(live, Play(seat, move, seq, by or ("bot" if stands_in else "")), Who(), NOBODY)

    def hint(self, live: LiveTable, guest: Player, message: protocol.Hint) -> None:
        """Advise a seat, from what it sees itself; nobody else is told."""
        origin: Origin = guest
        match, seat = live.table.match, guest.who.seat
        if seat is None or match is None or match.over or not match.legal_ids(seat):
            origin.refused(live, Refusal("no_hint"), message.id)
            return
        if seat in live.advising:
            origin.refused(live, Refusal("slow_down"), message.id)
            return
        live.advising.add(seat)
        game, seq, record = match.game, live.table.seq, match.concealed(seat)
        texts = labels(game, guest.lang)

        names = match.names

        def think() -> tuple[Thought, str]:
            budget = Budget(seconds=self._settings.hint_seconds)
            thought = player(game, ADVISER).think(record, seat, budget, self._stop())
            return thought, why(game, record, seat, thought.move, names, guest.lang)

        def answer(found: tuple[Thought, str] | None) -> None:
            live.advising.discard(seat)
            if found is None:
                origin.refused(live, Refusal("internal"), message.id)
                return
            thought, reason = found
            moves = [
                protocol.Advice(
                    str(one.move), texts[one.move.id], None if one.win is None else round(one.win, 2), one.is_equal
                )
                for one in advise(thought)
            ]
            guest.send(protocol.encode(protocol.Hinted(message.id, seq, moves, reason)))

        self._run(think, answer)

    def _stop(self, is_hasty: bool = False) -> Callable[[], bool]:
        """When a bot that begins now must stop: the more wait, the sooner."""
        share = 0.0 if is_hasty else self._settings.bot_seconds / (1 + self._num_waiting / self._threads)
        end = time.perf_counter() + max(LEAST_SECONDS, share)
        return lambda: self._is_closing or time.perf_counter() > end

    def _run(self, work: Callable[[], T], answer: Callable[[T | None], None]) -> None:
        """Do something in a thread of the pool; the answer comes in the event loop, None if it failed."""
        self._num_waiting += 1

        def done(result: T | None) -> None:
            self._num_waiting -= 1
            answer(result)

        def run() -> None:
            result = None
            try:
                result = work()
            except Exception:
                log.exception("a bot failed")
            with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits
                self._loop.call_soon_threadsafe(done, result)

        self._pool.submit(run)


def _choose(game: Game, asked: Sequence[Asked], actor: int, stop: Callable[[], bool]) -> Choice | None:
    """A bot's move. Those who are not at turn are asked only whether they step in at once."""
    for one in asked:
        if one.seat != actor:
            move = player(game, one.level).unasked(one.record, one.seat)
            if move is not None:
                return one.seat, move
    for one in asked:
        if one.seat == actor:
            return one.seat, player(game, one.level).choose(one.record, one.seat, None, stop)
    return None
