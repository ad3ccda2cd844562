"""The WebSocket of a table as an ASGI endpoint: who may open one, and what reads and writes it."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from ludotheque.server.wire.connection import UNSUPPORTED, Connection
from ludotheque.server.wire.gate import Gate

MAX_QUEUED = 65_536
"""Bytes that wait to be sent: with more the client lags."""
CLOSE_SECONDS = 2.0
"""How long the reason for closing may take to be sent."""


class QueuedSocket:
    """What a connection sends over: messages wait in a queue until the server takes them."""

    __slots__ = ("_closing", "_is_paused", "_num_queued", "_queue", "_send", "_wake", "connection", "reader")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._queue: list[bytes] = []
        self._num_queued = 0
        self._wake = asyncio.Event()
        self._is_paused = False
        self._closing: tuple[int, str] | None = None
        self.connection: Connection
        self.reader: asyncio.Task[None] | None = None
        """The task that reads messages."""

    def is_closing(self) -> bool:
        """Whether nothing more is sent."""
        return self._closing is not None

    def send(self, data: bytes) -> None:
        """See `Socket.send`."""
        if self._closing is None:
            self._queue.append(data)
            self._num_queued += len(data)
            self._wake.set()
            if self._num_queued > MAX_QUEUED and not self._is_paused:
                self._is_paused = True
                self.connection.paused()

    def close(self, code: int, reason: str) -> None:
        """See `Socket.close`."""
        self._closing = self._closing or (code, reason)
        self._wake.set()

    def abort(self) -> None:
        """See `Socket.abort`."""
        self.close(0, "")
        self._queue.clear()
        if self.reader is not None:
            self.reader.cancel()

    async def write(self) -> None:
        """Send what is queued, as fast as the client reads; if that fails, the client is disconnected."""
        try:
            await self._write()
        except (OSError, RuntimeError):  # the client is gone, or the server has closed already
            self.connection.drop()
        except Exception as error:
            self.connection.failed(error)

    async def _write(self) -> None:
        while self._closing is None or self._queue:
            if not self._queue:
                self._wake.clear()
                await self._wake.wait()
            queue, self._queue = self._queue, []
            for data in queue:
                await self._send({"type": "websocket.send", "text": data.decode()})
                self._num_queued -= len(data)
            if self._is_paused and not self._queue:
                self._is_paused = False
                self.connection.resumed()
        code, reason = self._closing
        if code:
            await self._send({"type": "websocket.close", "code": code, "reason": reason})


class TableSocket:
    """The endpoint: an ASGI application for the WebSocket of a table."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        websocket = WebSocket(scope, receive, send)
        gate, headers = self._gate, websocket.headers
        address = gate.client(websocket.client.host if websocket.client else "local", headers.get("x-forwarded-for"))
        socket = QueuedSocket(send)
        refused = self._refuses(websocket, address, socket)
        if refused is not None:
            if "websocket.http.response" in scope.get("extensions", {}):
                await websocket.send_denial_response(Response(refused.phrase, refused.value))
            else:  # which servers answer with 403
                await websocket.close()
            return
        await websocket.accept()
        identity = gate.identity(headers.get("cookie"))
        connection = socket.connection = Connection(gate.room, socket, identity, websocket.path_params["table"])
        gate.connections.add(connection)
        writer = asyncio.create_task(socket.write())
        socket.reader = asyncio.current_task()
        try:
            await _read(receive, connection)
            if socket.is_closing():
                await asyncio.wait([writer], timeout=CLOSE_SECONDS)
        except asyncio.CancelledError:
            if not socket.is_closing():
                raise  # the server stops
        finally:
            writer.cancel()
            gate.connections.discard(connection)
            if gate.room.settings.trust_proxy:
                gate.release(address, socket)
            connection.lost()

    def _refuses(self, websocket: WebSocket, address: str, socket: QueuedSocket) -> HTTPStatus | None:
        gate, host = self._gate, websocket.headers.get("host", "")
        if not gate.knows_host(host) or not gate.is_own_origin(websocket.headers.get("origin"), host):
            return HTTPStatus.FORBIDDEN
        if not gate.is_slow_enough(address):
            return HTTPStatus.TOO_MANY_REQUESTS
        if gate.room.settings.trust_proxy and not gate.admits(address, socket):
            return HTTPStatus.TOO_MANY_REQUESTS
        return None


async def _read(receive: Receive, connection: Connection) -> None:
    """Hand on messages until the client is gone."""
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None:
            connection.cut("bad_message", UNSUPPORTED)
        else:
            connection.received(text.encode())
