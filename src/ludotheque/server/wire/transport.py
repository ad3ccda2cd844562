"""Bounds for uvicorn: the size and time of a request, the connections of an address, floods of pings, stalled readers.

The room is an ordinary ASGI application (`app.py`), which any ASGI server runs. uvicorn leaves the bounds that a good
proxy has to a proxy; here they are, for a room without one. They extend two classes that uvicorn's documentation does
not describe, `HttpToolsProtocol` and `WebSocketsSansIOProtocol`. Nothing else does, `pyproject.toml` caps uvicorn's
version, and `tests/server/test_bounds.py` covers what is taken for granted here.
"""

from __future__ import annotations

import asyncio
import socket
from http import HTTPStatus
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ludotheque.server.wire.gate import Gate
from ludotheque.server.wire.limits import MAX_BODY, MAX_HEAD, MAX_STRIKES, MAX_URL, Bucket

SEND_BUFFER = 65_536
"""What the system keeps for a client that reads slowly; it doubles that."""
SLICE = 1_024
"""So many bytes are parsed before anybody looks whether the connection is still wanted."""
MAX_UNREAD = 256
"""Messages of a client that wait to be read; one more, and it is disconnected."""


def uvicorn_config(app: Any, gate: Gate, **given: Any) -> uvicorn.Config:
    """How uvicorn runs the room."""
    trusts_proxy = gate.room.settings.trust_proxy
    settings: dict[str, Any] = {
        "http": _http_protocol(gate),
        "ws": _websocket_protocol(gate),
        "loop": "uvloop",
        "lifespan": "on",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "proxy_headers": trusts_proxy,
        "forwarded_allow_ips": "*" if trusts_proxy else None,
        "timeout_keep_alive": 30,
        "timeout_graceful_shutdown": 10,
        "ws_max_size": gate.room.settings.max_frame,
        "ws_per_message_deflate": False,
        "ws_ping_interval": 30.0,
        "ws_ping_timeout": 20.0,
        "backlog": 4096,
    }
    return uvicorn.Config(app, **{**settings, **given})


class _Timer:
    """Something that happens unless it is stopped in time."""

    __slots__ = ("_handle",)

    def __init__(self) -> None:
        self._handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float, action: Any, *given: Any) -> None:
        """Start, or start again."""
        self.stop()
        self._handle = asyncio.get_running_loop().call_later(seconds, action, *given)

    def stop(self) -> None:
        """Let it not happen."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    @property
    def is_running(self) -> bool:
        """Whether it will happen."""
        return self._handle is not None


def _http_protocol(gate: Gate) -> type[HttpToolsProtocol]:
    """HTTP, with every request, and the silence before it, bounded in bytes and seconds."""
    settings = gate.room.settings

    class BoundedHttpProtocol(HttpToolsProtocol):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._address = "local"
            self._timer = _Timer()
            self._num_bytes = 0
            """Of the request that is being read, or before one."""
            self._num_head_bytes = 0
            """Of its headers, as they are parsed: a large read may hold all of them."""
            self._is_head = True
            """Whether its headers are still to come."""
            self._is_long = False
            """Whether it announces a body that is too long."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
            super().connection_made(transport)
            self._address = self.client[0] if self.client else "local"
            self._start_timer()
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            if not settings.trust_proxy and not gate.admits(self._address, transport):
                transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._timer.stop()
            gate.release(self._address, self.transport)

        def data_received(self, data: bytes) -> None:
            self._num_bytes += len(data)
            if not self._timer.is_running:
                self._start_timer()
            super().data_received(data)
            if self._num_bytes > (MAX_HEAD if self._is_head else MAX_HEAD + MAX_BODY):
                too_large = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                self._reject(too_large[not self._is_head])

        def on_message_begin(self) -> None:
            self._num_bytes = self._num_head_bytes = 0
            self._is_head, self._is_long = True, False
            self._start_timer()
            super().on_message_begin()

        def on_url(self, url: bytes) -> None:
            super().on_url(url)
            if len(self.url) > MAX_URL:
                self._reject(HTTPStatus.REQUEST_URI_TOO_LONG)

        def on_header(self, name: bytes, value: bytes) -> None:
            super().on_header(name, value)
            self._num_head_bytes += len(name) + len(value)
            if name.lower() == b"content-length":
                self._is_long = not value.isdigit() or len(value) > 9 or int(value) > MAX_BODY

        def on_headers_complete(self) -> None:
            if self._is_long:
                self._reject(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            elif self._num_head_bytes > MAX_HEAD:
                self._reject(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            self._is_head = False
            if not self.transport.is_closing():
                super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            if not self.transport.is_closing():
                super().on_body(body)

        def on_message_complete(self) -> None:
            self._timer.stop()
            self._num_bytes = 0
            self._is_head = True
            if not self.transport.is_closing():
                super().on_message_complete()

        def handle_websocket_upgrade(self) -> None:
            self._timer.stop()
            self._num_bytes = 0
            super().handle_websocket_upgrade()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._timer.start(settings.stall_seconds, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._timer.stop()

        def _start_timer(self) -> None:
            self._timer.start(settings.hello_seconds, self._reject, HTTPStatus.REQUEST_TIMEOUT)

        def _reject(self, status: HTTPStatus) -> None:
            """Answer if nothing was answered yet, and close."""
            self._timer.stop()
            if self.transport.is_closing():
                return
            if self.cycle is not None and not self.cycle.response_complete:
                self.cycle.disconnected = True
                self.cycle.message_event.set()
                if self.cycle.response_started:
                    self.transport.abort()
                    return
            elif not self._is_head:
                self.transport.close()
                return
            line = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            self.transport.write(line.encode())
            self.transport.close()

    return BoundedHttpProtocol


def _websocket_protocol(gate: Gate) -> type[WebSocketsSansIOProtocol]:
    """WebSockets, on which pings count as messages, nothing is queued for who does not read, and floods end."""
    settings = gate.room.settings

    class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._stall = _Timer()
            self._pings = Bucket(settings.messages_per_second, settings.messages_at_once, self.loop.time())
            self._strikes = 0

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._stall.stop()
            gate.release(self.client[0] if self.client else "local", self.transport)

        def data_received(self, data: bytes) -> None:
            for at in range(0, len(data), SLICE):
                super().data_received(data[at : at + SLICE])
                if self.transport.is_closing():
                    return

        def pause_writing(self) -> None:
            super().pause_writing()
            self._stall.start(settings.stall_seconds, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._stall.stop()

        def shutdown(self) -> None:
            if self.handshake_complete and not self.close_sent:
                gate.close()  # which says why; uvicorn waits for that
            else:
                super().shutdown()

        def handle_ping(self) -> None:
            if self._is_welcome() and self.writable.is_set():
                super().handle_ping()
            else:
                self.conn.data_to_send()  # the pong, which is dropped

        def handle_pong(self, event: Any) -> None:
            if self._is_welcome():
                super().handle_pong(event)

        def send_receive_event_to_app(self) -> None:
            super().send_receive_event_to_app()
            if self.queue.qsize() > MAX_UNREAD:
                self.transport.abort()

        def _is_welcome(self) -> bool:
            """Whether one more ping, or pong, is within the limit. Who sends far too many is disconnected."""
            if self._pings.take(self.loop.time()):
                return True
            self._strikes += 1
            if self._strikes > MAX_STRIKES:
                self.transport.abort()
            return False

    return BoundedWebSocketProtocol
