"""A WebSocket connection to a table, on picows.

What goes out is bounded: when the network or the reader is slow, nothing more is queued, and once it reads again it is
told what it missed and how things stand now. A reader that stays stalled is cut off; it can come back and resume.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from typing import TYPE_CHECKING, Any

import msgspec
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from ludotheque.core.raw import CAN_SEND
from ludotheque.server import protocol
from ludotheque.server.commands import Who
from ludotheque.server.limits import Bucket
from ludotheque.server.live import Live
from ludotheque.server.refusals import Refusal, words
from ludotheque.server.room import Room

if TYPE_CHECKING:
    from ludotheque.server.lane import Lane
    from ludotheque.server.transport import Door

log = logging.getLogger("ludotheque.connection")

MANY_STRIKES = 100
"""So many messages over the limit, and the connection is closed."""
PING_SECONDS = 30.0
"""Whoever is silent for so long is asked whether they are still there."""
GONE_SECONDS = 50.0
"""Whoever is silent for so long is not."""
CLOSE_SECONDS = 2.0
"""How long a closing connection may take to read the reason."""

TEXT = WSMsgType.TEXT
HEAD = bytearray(14)
"""Space for what is sent before a message."""

_NOT_UNDERSTOOD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Connection(WSListener):
    """Somebody's connection: reads messages, carries answers."""

    __slots__ = (
        "_acks",
        "_address",
        "_behind",
        "_bucket",
        "_closed",
        "_descriptor",
        "_door",
        "_greeted",
        "_heard",
        "_identity",
        "_is_closing",
        "_is_odd",
        "_lane",
        "_live",
        "_loop",
        "_num_buffered",
        "_outbox",
        "_parts",
        "_paused",
        "_room",
        "_seq",
        "_strikes",
        "_table_id",
        "_timer",
        "_transport",
        "lang",
        "who",
    )

    def __init__(self, room: Room, door: Door, address: str, identity: str | None, table_id: str) -> None:
        self.who = Who(None, identity or "")
        self.lang = "en"
        self._seq = 0
        self._room = room
        self._door = door
        self._outbox = room.outbox
        self._address = address
        self._identity = identity
        self._table_id = table_id
        self._loop = asyncio.get_running_loop()
        settings = room.settings
        self._bucket = Bucket(settings.messages_per_second, settings.messages_at_once, self._loop.time())
        self._strikes = 0
        self._heard = self._loop.time()
        self._live: Live | None = None
        self._greeted = False
        self._closed = False
        self._behind = False
        """Whether something could not be sent, so that the reader must be told anew."""
        self._paused = False
        self._acks: list[str] = []
        """Messages carried out while the reader was behind."""
        self._parts: list[bytes] = []
        self._lane: Lane | None = None
        """Through which compiled code reads what comes, instead of picows."""
        self._is_odd = False
        """Whether something came in parts: then only picows knows where a message ends."""
        self._timer: asyncio.TimerHandle | None = None

    # From picows.

    def on_ws_connected(self, transport: WSTransport) -> None:
        """The handshake is done."""
        self._transport = transport
        below = transport.underlying_transport
        self._is_closing = below.is_closing
        self._num_buffered = below.get_write_buffer_size
        is_plain = CAN_SEND and below.get_extra_info("sslcontext") is None
        self._descriptor = below.get_extra_info("socket").fileno() if is_plain else -1
        transport.request.headers.clear()  # kilobytes that nobody asks for again
        transport.response.headers.clear()
        self._door.add(self)
        self._timer = self._loop.call_later(self._room.settings.hello_seconds, self.cut, "hello_first")

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The connection is gone."""
        self._closed = True
        self._leave_lane()
        self._door.connections.discard(self)
        self._door.gone(self._address)
        self._stop_timer()
        if self._live is not None:
            self._room.left(self._live, self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """A frame has come."""
        if self._closed:
            return
        try:
            if frame.msg_type == TEXT and frame.fin and not self._parts:
                self._message(frame.get_payload_as_bytes())
            elif frame.msg_type == WSMsgType.CLOSE:
                self._close(WSCloseCode.OK, b"")
            elif frame.msg_type == WSMsgType.BINARY:
                self.cut("bad_message", WSCloseCode.UNSUPPORTED_DATA)
            elif frame.msg_type in (TEXT, WSMsgType.CONTINUATION):
                self._part(frame)
            else:
                self._heard = self._loop.time()
        except Exception:
            self._room.stats.failures += 1
            log.exception("a message could not be handled")
            self.cut("internal", WSCloseCode.INTERNAL_ERROR)

    def pause_writing(self) -> None:
        """The reader is slow: send nothing more for now, and close if that lasts."""
        self._paused = True
        self._stop_timer()
        self._timer = self._loop.call_later(self._room.settings.stall_seconds, self._drop)

    def resume_writing(self) -> None:
        """The reader reads again."""
        self._paused = False
        self._stop_timer()
        if self._behind and not self._closed:
            self._room.spawn(self._tell_anew())

    # The quick way, see `lane.py`.

    @property
    def is_behind(self) -> bool:
        """See `Guest.is_behind`."""
        return self._behind

    def enlist(self, lane: Lane) -> int:
        """See `Guest.enlist`."""
        if self._lane is None and not self._closed and not self._is_odd and not self._parts and self._descriptor >= 0:
            bucket = self._bucket
            rate = self._heard, bucket.left, bucket.last, bucket.per_second, bucket.at_once
            if lane.desks.join(self._descriptor, rate):
                self._lane = lane
                lane.riders[self._descriptor] = self
                self._transport.underlying_transport.pause_reading()
        return self._descriptor if self._lane is lane else -1

    def pass_on(self, data: bytes, is_whole: bool) -> None:
        """See `Rider.pass_on`."""
        lane, line, bucket = self._lane, self._descriptor, self._bucket
        assert lane is not None
        below = self._transport.underlying_transport
        self._heard, bucket.left, bucket.last = lane.desks.rate(line)
        self._set_clear(False)  # picows may answer
        if not is_whole:
            self._is_odd = True
            self._leave_lane()
        try:
            feed(below.get_protocol(), data)
        except Exception:
            self._fail()
        if self._lane is not None:
            lane.desks.set_rate(line, self._heard, bucket.left, bucket.last)
        elif not below.is_closing():
            below.resume_reading()

    @property
    def seq(self) -> int:
        """The last event that was sent."""
        return self._seq if self._lane is None else max(self._seq, self._lane.desks.sent(self._descriptor))

    @seq.setter
    def seq(self, seq: int) -> None:
        self._seq = seq

    def _leave_lane(self) -> None:
        if self._lane is not None:
            self._seq = self.seq
            self._lane.leave(self._descriptor)
            self._lane = None

    def _set_clear(self, is_clear: bool) -> None:
        """Let compiled code write whole frames as long as nothing else is written, or not."""
        if self._lane is not None:
            self._lane.desks.set_clear(self._descriptor, is_clear)

    # Messages.

    def _part(self, frame: WSFrame) -> None:
        """Part of a message in several frames."""
        is_first = frame.msg_type == TEXT
        if is_first == bool(self._parts):
            self.cut("bad_message", WSCloseCode.PROTOCOL_ERROR)
            return
        self._parts.append(frame.get_payload_as_bytes())
        if sum(map(len, self._parts)) > self._room.settings.max_frame or len(self._parts) > 64:
            self.cut("too_big", WSCloseCode.MESSAGE_TOO_BIG)
        elif frame.fin:
            whole, self._parts = b"".join(self._parts), []
            self._message(whole)

    def _message(self, data: bytes) -> None:
        self._heard = now = self._loop.time()
        if not self._bucket.take(now):
            self._strikes += 1
            if self._strikes > MANY_STRIKES:
                self.cut("slow_down", WSCloseCode.POLICY_VIOLATION)
            else:
                self._refuse(Refusal("slow_down"), None)
            return
        if self._greeted:
            try:
                message = protocol.decode_request(data)
            except _NOT_UNDERSTOOD:
                self._refuse(Refusal("bad_message"), None)
                return
            if self._live is None:  # the table is being loaded
                self._refuse(Refusal("hello_first"), message.id)
            elif type(message) is protocol.Ping:
                self._answer(protocol.Ack(message.id, self._live.table.seq))
            else:
                self._room.request(self._live, self, message)
            return
        try:
            hello = protocol.decode_hello(data)
        except _NOT_UNDERSTOOD:
            self.cut("hello_first", WSCloseCode.POLICY_VIOLATION)
            return
        self._greeted = True
        self.lang = hello.lang
        self._room.spawn(self._greet(hello))

    async def _greet(self, hello: protocol.Hello) -> None:
        try:
            live = await self._room.live(self._table_id)
            self.who = self._room.who(live, hello.token, self._identity, hello.key)
            welcome = await self._room.welcome(live, self, hello.after)
        except Refusal as refusal:
            self.cut(refusal.code, WSCloseCode.POLICY_VIOLATION)
            return
        if self._closed:
            self._room.left(live, self)
            return
        self._live = live
        self._stop_timer()
        self._answer(welcome)

    async def _tell_anew(self) -> None:
        """After a pause: everything missed, and how things stand."""
        assert self._live is not None
        self._live.audience.leave(self)
        try:
            welcome = await self._room.welcome(self._live, self, self.seq)
        except Refusal as refusal:
            self.cut(refusal.code, WSCloseCode.TRY_AGAIN_LATER)
            return
        self._behind = False
        self._answer(welcome)
        acks, self._acks = self._acks, []
        for message_id in acks:
            self._answer(protocol.Ack(message_id, self._live.table.seq))

    # Answers.

    def send(self, data: bytes, seq: int = 0) -> None:
        """See `Addressee.send`."""
        if self._paused or self._behind:
            self._behind = True
        elif not self._closed:
            self._outbox.put(self, data, seq)

    def transmit(self, data: bytes, seq: int) -> None:
        """See `Sender.transmit`."""
        self._set_clear(False)
        if self._paused or (self._behind and seq):
            self._behind = True
        elif not self._closed:
            try:
                # In a buffer of its own, with space for the frame's head: else picows keeps one for each connection.
                self._transport.send_reuse_external_bytearray(TEXT, HEAD + data, len(HEAD))
                self.seq = seq or self.seq
            except Exception:
                self._fail()

    def _fail(self) -> None:
        """Sending has failed; others have something to send as well."""
        self._room.stats.failures += 1
        log.exception("a connection failed")
        self._drop()

    def line(self) -> int:
        """See `Addressee.line`."""
        if self._closed or self._paused or self._behind or self._is_closing() or self._num_buffered():
            return -1
        self._set_clear(True)
        return self._descriptor

    def push(self) -> None:
        """See `Addressee.push`."""
        if not self._closed:
            with contextlib.suppress(Exception):  # it may be gone already
                line = self._transport.underlying_transport.get_extra_info("socket")
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # setting it once more does that

    def send_rest(self, data: bytes) -> None:
        """See `Addressee.send_rest`."""
        self._set_clear(False)
        try:
            self._transport.underlying_transport.write(data)
        except Exception:
            self._fail()

    def _answer(self, message: protocol.Answer) -> None:
        if not self._closed and not self._paused:
            self._outbox.put(self, protocol.encode(message), 0)

    def done(self, live: Live, message_id: str, shown: bool) -> None:
        """See `Origin.done`."""
        if self._behind:
            self._acks.append(message_id)
        elif not shown:
            self._answer(protocol.Ack(message_id, live.table.seq))

    def refused(self, live: Live, refusal: Refusal, message_id: str) -> None:
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
        self._answer(protocol.Refused(refusal.code, text, seq, message_id, refusal.rule, view))

    def look(self, now: float) -> None:
        """See whether anybody is still there."""
        if self._lane is not None:
            self._heard = self._lane.desks.rate(self._descriptor)[0]
        silent = now - self._heard
        if silent > GONE_SECONDS:
            self._drop()
        elif silent > PING_SECONDS and not self._closed:
            self._set_clear(False)
            self._transport.send_ping()

    # Closing.

    def _drop(self) -> None:
        if not self._closed:
            self._closed = True
            self._leave_lane()
            if self._live is not None:
                self._room.left(self._live, self)
            self._transport.underlying_transport.abort()

    def cut(self, code: str, close: WSCloseCode = WSCloseCode.POLICY_VIOLATION) -> None:
        """Close the connection and say why."""
        if not self._closed:
            self._answer(protocol.Bye(code, words(self.lang).say(f"refused.{code}", {"n": ""})))
            self._close(close, code.encode())

    def _close(self, close: WSCloseCode, reason: bytes) -> None:
        self._outbox.flush()
        self._closed = True
        self._leave_lane()
        self._stop_timer()
        if self._live is not None:
            self._room.left(self._live, self)
        with contextlib.suppress(Exception):  # it may be gone already
            self._transport.send_close(close, reason)
        self._transport.disconnect()
        self._loop.call_later(CLOSE_SECONDS, self._transport.underlying_transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def feed(protocol: Any, data: bytes) -> None:
    """Give a buffered protocol bytes that somebody else has read."""
    while data:
        buffer = protocol.get_buffer(len(data))
        count = min(len(buffer), len(data))
        buffer[:count] = data[:count]
        protocol.buffer_updated(count)
        data = data[count:]
