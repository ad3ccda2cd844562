"""The bus on Redis: a channel for each table. It carries numbers only, no moves and no cards."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from typing import Any

import msgspec
import redis.asyncio as redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from ludotheque.core.errors import LudothequeError
from ludotheque.server.bus.base import Listener

log = logging.getLogger("ludotheque.bus")

PREFIX = "ludotheque:"
AGAIN_SECONDS = 0.5
"""How long to wait before connecting again."""
MANY_WAITING = 100_000


class News(msgspec.Struct, omit_defaults=True):
    """What goes over a channel."""

    node: str
    seq: int = 0
    here: list[int] | None = None
    watching: int = 0


decode = msgspec.json.Decoder(News).decode


class RedisBus:
    """News over Redis. While it is away nothing is heard; afterwards everything is looked at again."""

    def __init__(self, url: str) -> None:
        self.node = secrets.token_hex(4)
        try:
            # Trying again is done here, where it is known what was missed meanwhile.
            self._redis = redis.Redis.from_url(url, socket_connect_timeout=5, retry=Retry(NoBackoff(), 0))
        except ValueError as error:
            raise LudothequeError(f"not the address of a bus: {error}") from None
        self.is_up = False
        """Whether news are heard."""
        self._followed: set[str] = set()
        self._changed = asyncio.Event()
        self._waiting: list[tuple[str, bytes]] = []
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, listener: Listener) -> None:
        """See `Bus.open`."""
        self._listener = listener
        self._tasks = [asyncio.create_task(self._listen_on()), asyncio.create_task(self._send_on())]

    async def close(self) -> None:
        """See `Bus.close`."""
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()

    def follow(self, table: str) -> None:
        """See `Bus.follow`."""
        self._followed.add(table)
        self._changed.set()

    def unfollow(self, table: str) -> None:
        """See `Bus.unfollow`."""
        self._followed.discard(table)
        self._changed.set()

    def tell(self, table: str, seq: int) -> None:
        """See `Bus.tell`."""
        self._send(table, News(self.node, seq))

    def tell_presence(self, table: str, here: list[int], watching: int) -> None:
        """See `Bus.tell_presence`."""
        self._send(table, News(self.node, 0, here, watching))

    def _send(self, table: str, news: News) -> None:
        if len(self._waiting) < MANY_WAITING:  # else Redis is away, and all look again when it is back
            self._waiting.append((PREFIX + table, msgspec.json.encode(news)))
            self._wake.set()

    async def _send_on(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            waiting, self._waiting = self._waiting, []
            try:
                pipe = self._redis.pipeline(transaction=False)
                for channel, data in waiting:
                    pipe.publish(channel, data)
                await pipe.execute()
            except (RedisError, OSError) as error:
                log.warning("the bus is away: %s", type(error).__name__)
                self._waiting = waiting + self._waiting  # others may be listening again before this is noticed here
                self._wake.set()
                await asyncio.sleep(AGAIN_SECONDS)

    async def _listen_on(self) -> None:
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as pubsub:
                    await self._listen(pubsub)
            except (RedisError, OSError) as error:
                log.warning("the bus is away: %s", type(error).__name__)
            self.is_up = False
            await asyncio.sleep(AGAIN_SECONDS)

    async def _listen(self, pubsub: Any) -> None:
        subscribed: set[str] = set()
        await pubsub.subscribe(PREFIX)  # so that there is something to listen to
        self._changed.set()
        self.is_up = True
        self._listener.heard_gap()
        while True:
            if self._changed.is_set():
                self._changed.clear()
                new, gone = self._followed - subscribed, subscribed - self._followed
                if new:
                    await pubsub.subscribe(*(PREFIX + table for table in new))
                if gone:
                    await pubsub.unsubscribe(*(PREFIX + table for table in gone))
                subscribed = set(self._followed)
                for table in new:  # what was told before we listened
                    self._listener.heard(table, -1)
            message = await pubsub.get_message(timeout=0.05)
            if message is not None and message["type"] == "message":
                self._hear(message["channel"].decode()[len(PREFIX) :], message["data"])

    def _hear(self, table: str, data: bytes) -> None:
        try:
            news = decode(data)
        except msgspec.DecodeError:
            return
        if news.node == self.node:
            return
        if news.here is not None:
            self._listener.heard_presence(table, news.node, news.here, news.watching)
        else:
            self._listener.heard(table, news.seq)
