"""Clients of the game room that cost little: WebSocket and JSON over HTTP, straight on asyncio's transports.

A load generator has to be much cheaper than the server it loads, so a frame is parsed in a few lines and nothing is
copied but the payload. Both can send from any loopback address, since the server limits each address.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import msgspec

S = TypeVar("S", bound="Socket")

LOOPBACK = "127.0.0.1"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
FIN = 0x80
UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{extra}\r\n"
)
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
_COOKIE = re.compile(rb"(?i)\r\nset-cookie: *([^;\r]+)")
_NO_MASK = b"\0\0\0\0"


class NotUpgraded(ConnectionError):
    """The server did not open a WebSocket."""


def frame(payload: bytes, opcode: int = TEXT) -> bytes:
    """A client's frame. Its mask is zero, which is lawful and leaves the payload as it is."""
    size = len(payload)
    if size < 126:
        head = bytes((FIN | opcode, 0x80 | size))
    elif size < 65536:
        head = bytes((FIN | opcode, 0x80 | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((FIN | opcode, 0x80 | 127)) + size.to_bytes(8, "big")
    return head + _NO_MASK + payload


class Socket(asyncio.Protocol):
    """A WebSocket: subclasses say what happens with `on_open`, `on_message` and `on_close`."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_open = False
        self._rest = b""
        self._parts = b""

    def on_open(self) -> None:
        """The handshake is done."""

    def on_message(self, data: bytes) -> None:
        """A whole text message has come."""

    def on_close(self) -> None:
        """The connection is gone."""

    def send(self, payload: bytes, opcode: int = TEXT) -> None:
        """Send a message, unless the connection is gone."""
        if self.is_open:
            self.transport.write(frame(payload, opcode))

    def send_json(self, **message: object) -> None:
        """Send a message of the protocol."""
        self.send(msgspec.json.encode(message))

    def close(self) -> None:
        """Close the connection without ceremony."""
        self.is_open = False
        self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass of it

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self.is_open = False
        if not self.opened.done():
            self.opened.set_exception(NotUpgraded("closed during the handshake"))
        else:
            self.on_close()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        if self._rest:
            data = self._rest + data
        if not self.is_open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            self._rest = b""
            if not self._upgraded(head):
                return
        position, size = 0, len(data)
        while size - position >= 2:
            length = data[position + 1]
            start = position + 2
            if length == 126:
                start += 2
            elif length == 127:
                start += 8
            if length >= 126:
                if start > size:
                    break
                length = int.from_bytes(data[position + 2 : start], "big")
            end_of_frame = start + length
            if end_of_frame > size:
                break
            if data[position] == FIN | TEXT:
                self.on_message(data[start:end_of_frame])
            else:
                self._other_frame(data[position], data[start:end_of_frame])
            position = end_of_frame
        self._rest = data[position:]

    def _upgraded(self, head: bytes) -> bool:
        if not self.opened.done():
            if head.startswith(b"HTTP/1.1 101"):
                self.is_open = True
                self.opened.set_result(None)
                self.on_open()
            else:
                self.opened.set_exception(NotUpgraded(head.partition(b"\r\n")[0].decode("latin-1")))
                self.transport.abort()
        return self.is_open

    def _other_frame(self, first: int, payload: bytes) -> None:
        opcode = first & 15
        if opcode == PING:
            self.send(payload, PONG)
        elif opcode == CLOSE:
            self.send(payload[:2], CLOSE)
            self.transport.close()
        elif opcode in (0, TEXT):
            self._parts += payload
            if first & FIN:
                whole, self._parts = self._parts, b""
                self.on_message(whole)


async def connect(
    make: Callable[[], S], port: int, path: str, source: str = LOOPBACK, cookie: str = "", seconds: float = 30
) -> S:
    """Open a WebSocket; an `OSError` if the server does not."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(seconds):
        transport, socket = await loop.create_connection(make, LOOPBACK, port, local_addr=(source, 0))
        extra = f"Cookie: {cookie}\r\n" if cookie else ""
        transport.write(UPGRADE.format(path=path, extra=extra).encode())
        try:
            await socket.opened
        except BaseException:
            transport.abort()
            raise
    return socket


@dataclass(frozen=True)
class Reply:
    """An answer over HTTP."""

    status: int
    body: Any
    cookie: str
    """The identity given with it; empty if there was none."""


class HttpError(Exception):
    """An answer that was not 200."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(f"{reply.status} {reply.body}")
        self.reply = reply


class Http:
    """JSON over one HTTP connection that is kept alive, for one request at a time."""

    def __init__(self, port: int, source: str = LOOPBACK) -> None:
        self._port = port
        self._source = source
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: object = None, token: str = "", cookie: str = "", seconds: float = 60
    ) -> Reply:
        """Any answer, whatever its status; an `OSError` if there is none."""
        data = msgspec.json.encode(body) if body is not None else b""
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(data)}"]
        head += ["Content-Type: application/json"] if data else []
        head += [f"Authorization: Bearer {token}"] if token else []
        head += [f"Cookie: {cookie}"] if cookie else []
        try:
            async with asyncio.timeout(seconds):
                if self._streams is None:
                    self._streams = await asyncio.open_connection(LOOPBACK, self._port, local_addr=(self._source, 0))
                reader, writer = self._streams
                writer.write(("\r\n".join(head) + "\r\n\r\n").encode() + data)
                answer = await reader.readuntil(b"\r\n\r\n")
                length = _LENGTH.search(answer)
                content = await reader.readexactly(int(length[1]) if length else 0)
        except (asyncio.IncompleteReadError, OSError) as error:
            self.close()
            raise ConnectionError(f"no answer to {method} {path}") from error
        cookie_given = _COOKIE.search(answer)
        try:
            decoded = msgspec.json.decode(content)
        except msgspec.DecodeError:
            decoded = content.decode("utf-8", "replace")  # a refusal of the HTTP server itself
        return Reply(int(answer[9:12]), decoded, cookie_given[1].decode("latin-1") if cookie_given else "")

    async def get(self, path: str, token: str = "", cookie: str = "") -> Any:
        """The body of a good answer; an `HttpError` for others."""
        reply = await self.ask("GET", path, token=token, cookie=cookie)
        if reply.status != 200:
            raise HttpError(reply)
        return reply.body

    async def post(self, path: str, body: object = None, token: str = "", cookie: str = "") -> Reply:
        """A good answer; an `HttpError` for others."""
        reply = await self.ask("POST", path, body, token, cookie)
        if reply.status != 200:
            raise HttpError(reply)
        return reply

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None
