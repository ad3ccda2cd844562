"""The bus on Redis: news that could not be sent are sent when it is back."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from ludotheque.server.bus.redis import RedisBus
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


async def until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.02)


async def test_news_arrive_that_were_told_while_redis_is_away_or_just_back(redis: Redis) -> None:
    teller, listener, ear = RedisBus(redis.url), RedisBus(redis.url), Ear()
    await teller.open(Ear())
    await listener.open(ear)
    listener.subscribe("table")
    await until(lambda: ("table", -1) in ear.news)
    teller.publish("table", 1)
    await until(lambda: ("table", 1) in ear.news)
    redis.stop(signal.SIGKILL)
    await until(lambda: not listener.is_up)
    redis.start()
    await until(lambda: ear.news.count(("table", -1)) >= 2)  # it listens again; the teller knows nothing yet
    teller.publish("table", 2)
    await until(lambda: ("table", 2) in ear.news)
    gaps = ear.gaps
    redis.stop(signal.SIGKILL)
    for seq in (3, 4):
        teller.publish("table", seq)
        await asyncio.sleep(0.1)
    redis.start()
    await until(lambda: ear.gaps > gaps or ("table", 4) in ear.news)
    await teller.close()
    await listener.close()


async def test_it_closes_although_the_client_library_may_swallow_a_cancellation(redis: Redis) -> None:
    for number in range(20):
        bus = RedisBus(redis.url)
        await bus.open(Ear())
        for table in range(20):
            bus.subscribe(f"table{table}")
            bus.publish(f"table{table}", number)
        await asyncio.sleep(0.01 * (number % 4))  # in the middle of one thing or another
        async with asyncio.timeout(60):
            await bus.close()
