"""Bots think here: in threads, a few at a time, each table at most once, so that nothing waits for them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from ludotheque.bots.bot import Bot, Thought
from ludotheque.bots.budget import Budget
from ludotheque.bots.ladder import make_player
from ludotheque.core.game import Game
from ludotheque.core.record import Buffer
from ludotheque.server.meanwhile import interim, lacks_bots
from ludotheque.server.settings import Settings

log = logging.getLogger("ludotheque.bots")

LEAST_SECONDS = 0.02
"""What a bot gets however many wait."""
ADVISER = "expert"


def player(game: Game, level: str) -> Bot:
    """The bot of a level, or what plays for it until it is compiled; threads share it."""
    return interim(game, level) if lacks_bots(game) else _make_player(game, level)


_make_player = cache(make_player)


class Thinkers:
    """A few threads for all tables."""

    def __init__(self, settings: Settings) -> None:
        self._threads = settings.bot_threads or max(1, (os.cpu_count() or 2) - 1)
        self._seconds = settings.bot_seconds
        self._pool = ThreadPoolExecutor(self._threads, "ludotheque-bot")
        self._waiting = 0
        self._stopped = False

    def close(self) -> None:
        """Stop thinking; the best moves so far are the answers."""
        self._stopped = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def choose(
        self,
        game: Game,
        looks: Sequence[tuple[int, str, Buffer]],
        actor: int,
        answer: Callable[[tuple[int, int] | None], None],
    ) -> None:
        """Ask bots for a move, each with its seat, level and concealed record; `answer` gets a seat and an action.

        Whoever is not at turn is asked only whether they step in at once.
        """

        def think() -> tuple[int, int] | None:
            for seat, level, look in looks:
                if seat != actor:
                    action = player(game, level).unasked(look, seat)
                    if action is not None:
                        return seat, action
            for seat, level, look in looks:
                if seat == actor:
                    return seat, player(game, level).choose(look, seat, None, self._stop())
            return None

        self._run(think, answer, None)

    def advise(
        self, game: Game, seat: int, look: Buffer, seconds: float, answer: Callable[[Thought | None], None]
    ) -> None:
        """The expert's advice for a seat, from what the seat sees."""
        self._run(lambda: player(game, ADVISER).think(look, seat, Budget(seconds=seconds), self._stop()), answer, None)

    def _stop(self) -> Callable[[], bool]:
        """When a bot that begins now must stop: the more wait, the sooner."""
        share = self._seconds / (1 + self._waiting / self._threads)
        end = time.perf_counter() + max(LEAST_SECONDS, share)
        return lambda: self._stopped or time.perf_counter() > end

    def _run(self, work: Callable[[], Any], answer: Callable[[Any], None], default: Any) -> None:
        loop = asyncio.get_running_loop()
        self._waiting += 1

        def done(result: Any) -> None:
            self._waiting -= 1
            answer(result)

        def run() -> None:
            try:
                result = work()
            except Exception:
                log.exception("a bot failed")
                result = default
            with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits
                loop.call_soon_threadsafe(done, result)

        self._pool.submit(run)
