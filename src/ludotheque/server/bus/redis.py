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


class Message(msgspec.Struct, omit_defaults=True):
    """What is published on a channel."""

    node: str
    seq: int = 0
    here: list[int] | None = None
    watching: int = 0


decode = msgspec.json.Decoder(Message).decode


class RedisBus:
    """Messages over Redis. After it was unreachable, all tables are compared with the store."""

    def __init__(self, url: str) -> None:
        self.node = secrets.token_hex(4)
        try:
            # Trying again is done here, where it is known what was missed.
            self._redis = redis.Redis.from_url(url, socket_connect_timeout=5, retry=Retry(NoBackoff(), 0))
        except ValueError as error:
            raise LudothequeError(f"not the address of a bus: {error}") from None
        self.is_up = False
        """Whether messages get through."""
        self._subscribed: set[str] = set()
        self._changed = asyncio.Event()
        self._waiting: list[tuple[str, bytes]] = []
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._is_closed = False
        """Asked by the tasks, since redis-py may swallow a cancellation."""

    async def open(self, listener: Listener) -> None:
        """See `Bus.open`."""
        self._listener = listener
        self._tasks = [asyncio.create_task(self._listen_on()), asyncio.create_task(self._send_on())]

    async def close(self) -> None:
        """See `Bus.close`."""
        self._is_closed = True
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()

    def subscribe(self, table: str) -> None:
        """See `Bus.subscribe`."""
        self._subscribed.add(table)
        self._changed.set()

    def unsubscribe(self, table: str) -> None:
        """See `Bus.unsubscribe`."""
        self._subscribed.discard(table)
        self._changed.set()

    def publish(self, table: str, seq: int) -> None:
        """See `Bus.publish`."""
        self._send(table, Message(self.node, seq))

    def publish_presence(self, table: str, here: list[int], watching: int) -> None:
        """See `Bus.publish_presence`."""
        self._send(table, Message(self.node, 0, here, watching))

    def _send(self, table: str, message: Message) -> None:
        if len(self._waiting) < MANY_WAITING:  # else Redis is away, and all look again when it is back
            self._waiting.append((PREFIX + table, msgspec.json.encode(message)))
            self._wake.set()

    async def _send_on(self) -> None:
        while not self._is_closed:
            await self._wake.wait()
            self._wake.clear()
            waiting, self._waiting = self._waiting, []
            try:
                pipe = self._redis.pipeline(transaction=False)
                for channel, data in waiting:
                    pipe.publish(channel, data)
                await pipe.execute()
            except (RedisError, OSError) as error:
                log.warning("the bus cannot be reached: %s", type(error).__name__)
                self._waiting = waiting + self._waiting  # others may be listening again before this is noticed here
                self._wake.set()
                await asyncio.sleep(AGAIN_SECONDS)

    async def _listen_on(self) -> None:
        while not self._is_closed:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as pubsub:
                    await self._listen(pubsub)
            except (RedisError, OSError) as error:
                log.warning("the bus cannot be reached: %s", type(error).__name__)
            self.is_up = False
            await asyncio.sleep(AGAIN_SECONDS)

    async def _listen(self, pubsub: Any) -> None:
        subscribed: set[str] = set()
        await pubsub.subscribe(PREFIX)  # so that there is something to listen to
        self._changed.set()
        self.is_up = True
        self._listener.heard_gap()
        while not self._is_closed:
            if self._changed.is_set():
                self._changed.clear()
                new, gone = self._subscribed - subscribed, subscribed - self._subscribed
                if new:
                    await pubsub.subscribe(*(PREFIX + table for table in new))
                if gone:
                    await pubsub.unsubscribe(*(PREFIX + table for table in gone))
                subscribed = set(self._subscribed)
                for table in new:  # what was published before we listened
                    self._listener.heard(table, -1)
            message = await pubsub.get_message(timeout=0.05)
            if message is not None and message["type"] == "message":
                self._hear(message["channel"].decode()[len(PREFIX) :], message["data"])

    def _hear(self, table: str, data: bytes) -> None:
        try:
            message = decode(data)
        except msgspec.DecodeError:
            return
        if message.node == self.node:
            return
        if message.here is not None:
            self._listener.heard_presence(table, message.node, message.here, message.watching)
        else:
            self._listener.heard(table, message.seq)
