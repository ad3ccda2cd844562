"""A WebSocket connection to a table: reads messages, sends answers and updates.

What waits to be sent is bounded. When a client reads slowly, nothing more is queued for it; once it reads again it gets
what it missed and how things stand. One that stays stalled is disconnected, and can reconnect and resume.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from enum import Enum
from typing import Protocol

import msgspec

from ludotheque.server.domain import protocol
from ludotheque.server.domain.commands import Who
from ludotheque.server.domain.refusals import Refusal, words
from ludotheque.server.session.live import LiveTable
from ludotheque.server.session.room import Room
from ludotheque.server.wire.limits import MAX_STRIKES, Bucket

log = logging.getLogger("ludotheque.connection")

MAX_HELD = 256
"""How many updates wait while the history of a table is read for a client."""

UNSUPPORTED, POLICY, INTERNAL, RESTART = 1003, 1008, 1011, 1012
"""Codes of RFC 6455 with which a WebSocket is closed."""

_NOT_UNDERSTOOD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class State(Enum):
    """What a connection is doing."""

    OPENED = "opened"
    """Nobody has said hello yet."""
    LOADING = "loading"
    """The table is being loaded."""
    CATCHING_UP = "catching up"
    """It looks at the table, but what it missed is still being read: updates are held."""
    LIVE = "live"
    LAGGING = "lagging"
    """It does not read: nothing more is sent until it does."""
    CLOSED = "closed"


class Socket(Protocol):
    """What a connection sends over."""

    def send(self, data: bytes) -> None:
        """Queue a text message."""

    def close(self, code: int, reason: str) -> None:
        """Say goodbye, then close."""

    def abort(self) -> None:
        """Close at once."""


class Connection:
    """Somebody's connection to a table."""

    __slots__ = (
        "_bucket",
        "_held",
        "_identity",
        "_live",
        "_loop",
        "_room",
        "_seq",
        "_socket",
        "_state",
        "_strikes",
        "_table_id",
        "_timer",
        "lang",
        "pauses",
        "who",
    )

    def __init__(self, room: Room, socket: Socket, identity: str | None, table_id: str) -> None:
        self.who = Who(None, identity or "")
        self.lang = "en"
        self.pauses = False
        self._room = room
        self._socket = socket
        self._identity = identity
        self._table_id = table_id
        self._loop = asyncio.get_running_loop()
        self._state = State.OPENED
        self._live: LiveTable | None = None
        """The table, once the connection looks at it."""
        self._seq = 0
        """The last event that was sent."""
        self._held: list[tuple[bytes, int]] = []
        """Answers that wait while it is lagging; while it is catching up, updates too, each with its last event."""
        self._strikes = 0
        settings = room.settings
        self._bucket = Bucket(settings.messages_per_second, settings.messages_at_once, self._loop.time())
        self._timer: asyncio.TimerHandle | None = None
        self._start_timer(settings.hello_seconds, lambda: self.cut("hello_first"))

    # From the socket.

    def received(self, data: bytes) -> None:
        """A message has come."""
        if not self._takes():
            if self._state is not State.CLOSED:
                self._refuse(Refusal("slow_down"), None)
            return
        try:
            if self._state is State.OPENED:
                self._hello(data)
            else:
                self._message(data)
        except Exception:
            self._room.stats.failures += 1
            log.exception("a message could not be handled")
            self.cut("internal", INTERNAL)

    def _takes(self) -> bool:
        """Whether one more message is taken just now. Who sends far too many is disconnected."""
        if self._state is State.CLOSED:
            return False
        if self._bucket.take(self._loop.time()):
            return True
        self._strikes += 1
        if self._strikes > MAX_STRIKES:
            self.cut("slow_down")
        return False

    def paused(self) -> None:
        """The client does not read: send nothing more, and disconnect if that lasts."""
        if self._state in (State.LIVE, State.CATCHING_UP):
            self._state = State.LAGGING
            self._held = [(data, seq) for data, seq in self._held if not seq]
        if self._state is not State.CLOSED:
            self._start_timer(self._room.settings.stall_seconds, self.drop)

    def resumed(self) -> None:
        """The client reads again."""
        if self._state is State.LAGGING and self._live is not None:
            self._stop_timer()
            live = self._live
            self._state = State.CATCHING_UP
            self._room.spawn(self._catch_up(live, self._room.welcome(live, self), self._seq))
        elif self._state is not State.OPENED:
            self._stop_timer()

    def failed(self, error: Exception) -> None:
        """Sending has failed."""
        if self._state is not State.CLOSED:
            self._room.stats.failures += 1
            log.error("a message could not be sent", exc_info=error)
            self.drop()

    def lost(self) -> None:
        """The connection is gone."""
        self._leave()

    # Messages.

    def _hello(self, data: bytes) -> None:
        try:
            hello = protocol.decode_hello(data)
        except _NOT_UNDERSTOOD:
            self.cut("hello_first")
            return
        self._stop_timer()
        self._state = State.LOADING
        self.lang = hello.lang
        self.pauses = hello.pauses
        self._room.spawn(self._greet(hello))

    def _message(self, data: bytes) -> None:
        try:
            message = protocol.decode_request(data)
        except _NOT_UNDERSTOOD:
            self._refuse(Refusal("bad_message"), None)
            return
        live = self._live
        if live is None:  # it is being loaded
            self._refuse(Refusal("hello_first"), message.id)
        elif type(message) is protocol.Ping:
            self._answer(protocol.Ack(message.id, live.table.seq))
        else:
            self._room.request(live, self, message)

    async def _greet(self, hello: protocol.Hello) -> None:
        try:
            live = await self._room.up_to_date(self._table_id, hello.after or 0)
            who = self._room.who(live, hello.token, self._identity, hello.key)
        except Refusal as refusal:
            self.cut(refusal.code)
            return
        if self._state is State.LOADING:
            self.who = who
            self._live = live
            self._state = State.CATCHING_UP
            welcome = self._room.join(live, self)
            await self._catch_up(live, welcome, welcome.seq if hello.after is None else hello.after)

    async def _catch_up(self, live: LiveTable, welcome: protocol.Welcome, after: int) -> None:
        """Send how things stood a moment ago with what was missed, then what has happened since."""
        self._seq = min(after, welcome.seq)
        try:
            welcome.events = await self._room.missed(live.table.id, after, welcome.seq, self)
        except Refusal as refusal:
            self.cut(refusal.code)
            return
        if self._state is not State.CATCHING_UP:
            return
        self._state = State.LIVE
        self._seq = welcome.seq
        self._answer(welcome)
        held, self._held = self._held, []
        for data, seq in held:
            self.send(data, seq)

    # Answers.

    def send(self, data: bytes, seq: int = 0) -> None:
        """See `Viewer.send`."""
        if self._state is State.LIVE:
            self._seq = seq or self._seq
            self._socket.send(data)
        elif self._state is State.CATCHING_UP:
            self._hold(data, seq)

    def _hold(self, data: bytes, seq: int) -> None:
        self._held.append((data, seq))
        if len(self._held) > MAX_HELD:
            self.drop()

    def _answer(self, message: protocol.Answer) -> None:
        """Send something that is for this connection alone; it is not lost if the client lags."""
        if self._state in (State.LAGGING, State.CATCHING_UP):
            self._hold(protocol.encode(message), 0)
        elif self._state is not State.CLOSED:
            self._socket.send(protocol.encode(message))

    def accepted(self, live: LiveTable, message_id: str, is_shown: bool) -> None:
        """See `Origin.accepted`. An update that is not sent, or may not be, is no answer."""
        if not is_shown or self._state is not State.LIVE:
            self._answer(protocol.Ack(message_id, live.table.seq))

    def refused(self, live: LiveTable, refusal: Refusal, message_id: str) -> None:
        """See `Origin.refused`."""
        self._refuse(refusal, message_id)

    def _refuse(self, refusal: Refusal, message_id: str | None) -> None:
        live = self._live
        view = subject = None
        seq = 0
        if live is not None:
            seq = live.table.seq
            subject = live.table.match or live.table.pad
            if refusal.code in ("stale", "from_the_future"):
                view = live.audience.view(self.who.seat, self.lang)
        text = refusal.say(self.lang, subject)
        answer = protocol.Refused(refusal.code, text, seq, message_id, refusal.rule, view)
        answer.field, answer.seats, answer.question = refusal.field, refusal.seats, refusal.question
        self._answer(answer)

    # Closing.

    def cut(self, code: str, close: int = POLICY) -> None:
        """Close the connection and say why."""
        if self._state is not State.CLOSED:
            bye = protocol.Bye(code, words(self.lang).say(f"refused.{code}", {"n": ""}))
            if self._state is not State.LAGGING:
                self._socket.send(protocol.encode(bye))
            self._leave()
            self._socket.close(close, code)

    def drop(self) -> None:
        """Disconnect without a word: nothing gets through."""
        if self._state is not State.CLOSED:
            self._leave()
            self._socket.abort()

    def _leave(self) -> None:
        if self._state is not State.CLOSED:
            self._state = State.CLOSED
            self._stop_timer()
            self._held.clear()
            if self._live is not None:
                self._room.left(self._live, self)

    def _start_timer(self, seconds: float, action: Callable[[], None]) -> None:
        self._stop_timer()
        self._timer = self._loop.call_later(seconds, action)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
