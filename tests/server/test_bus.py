"""The bus on Redis: news that could not be sent are sent when it is back."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from ludotheque.server.bus.redis import RedisBus
from tests.server.house import run
from tests.server.services import Redis


class Ear:
    """Remembers what it heard."""

    def __init__(self) -> None:
        self.news: list[tuple[str, int]] = []
        self.gaps = 0

    def heard(self, table: str, seq: int) -> None:
        self.news.append((table, seq))

    def heard_presence(self, table: str, node: str, here: list[int], watching: int) -> None:
        pass

    def heard_gap(self) -> None:
        self.gaps += 1


@asynccontextmanager
async def two_buses(redis: Redis) -> AsyncIterator[tuple[RedisBus, RedisBus, Ear]]:
    """One that tells, and one that listens for a table, with its ear."""
    teller, listener, ear = RedisBus(redis.url), RedisBus(redis.url), Ear()
    await teller.open(Ear())
    await listener.open(ear)
    listener.follow("table")
    await until(lambda: ("table", -1) in ear.news)
    yield teller, listener, ear
    await teller.close()
    await listener.close()


async def until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.02)


def test_news_told_just_after_redis_is_back_arrive(redis: Redis) -> None:
    async def story() -> None:
        async with two_buses(redis) as (teller, listener, ear):
            teller.tell("table", 1)
            await until(lambda: ("table", 1) in ear.news)
            redis.stop(signal.SIGKILL)
            await until(lambda: not listener.is_up)
            redis.start()
            await until(lambda: ear.news.count(("table", -1)) >= 2)  # it listens again; the teller knows nothing yet
            teller.tell("table", 2)
            await until(lambda: ("table", 2) in ear.news)

    run(story(), 30)


def test_news_told_while_redis_is_away_arrive(redis: Redis) -> None:
    async def story() -> None:
        async with two_buses(redis) as (teller, _, ear):
            redis.stop(signal.SIGKILL)
            teller.tell("table", 1)
            await asyncio.sleep(0.1)
            teller.tell("table", 2)
            await asyncio.sleep(0.1)
            redis.start()
            await until(lambda: ear.gaps >= 2 or ("table", 2) in ear.news)

    run(story(), 30)
