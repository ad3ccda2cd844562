"""Clients that keep to no rule: sockets spoken by hand, and what is needed to see what they do to a server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec

from tests.server.house import GAME, PATIENCE, House

MEGABYTE = 1_000_000
TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
"""Kinds of WebSocket frames."""
KEY = "AAAAAAAAAAAAAAAAAAAAAA=="


async def eventually(is_so: Callable[[], Awaitable[bool]], seconds: float = PATIENCE) -> bool:
    """Whether something becomes true while one waits for it."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not await is_so():
                await asyncio.sleep(0.05)
            return True
    return False


def resident(pid: int) -> int:
    """The memory of a process, in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# People whose browser has a cookie.


async def new_cookie(house: House) -> str:
    """The cookie of a browser that nobody has seen before."""
    async with httpx.AsyncClient(base_url=house.url) as browser:
        made = await browser.post("/api/tables", json={"game": GAME})
        assert made.status_code == 200, made.text
        return f"ludotheque={browser.cookies['ludotheque']}"


async def history(house: House, table: str, token: str | None = None, **hello: Any) -> list[dict[str, Any]]:
    """All events of a table, as somebody who comes in sees them."""
    reader = await house.enter(table, token, after=0, **hello)
    reader.close()
    events: list[dict[str, Any]] = reader.welcome["events"]
    return events


@contextlib.asynccontextmanager
async def slow_store(house: House) -> AsyncIterator[asyncio.Event]:
    """A store that reads nothing before the event is set; it is set at the end."""
    store: Any = house.room.store
    read = store.read
    is_free = asyncio.Event()

    async def read_late(*given: Any, **named: Any) -> Any:
        await is_free.wait()
        return await read(*given, **named)

    store.read = read_late
    try:
        yield is_free
    finally:
        is_free.set()
        store.read = read


# HTTP, by hand.


def status_of(data: bytes | bytearray) -> int:
    """The status of the last answer among these bytes; 0 if there is none."""
    _, found, last = data.rpartition(b"HTTP/1.1 ")
    return int(last[:3]) if found else 0


class Wire:
    """A TCP connection to a server."""

    def __init__(self, port: int, receive_buffer: int = 0) -> None:
        self._loop = asyncio.get_running_loop()
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.setblocking(False)
        self._port = port
        self.received = bytearray()
        self.sent = 0

    async def __aenter__(self) -> Self:
        await self._loop.sock_connect(self.socket, ("127.0.0.1", self._port))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.socket.close()

    async def send(self, data: bytes) -> None:
        """Send bytes; a `ConnectionError` if the server has closed the connection."""
        await self._loop.sock_sendall(self.socket, data)
        self.sent += len(data)

    async def receive(self, most: int = 65_536) -> bytes:
        """Some bytes; none once the server has closed the connection."""
        try:
            data = await self._loop.sock_recv(self.socket, most)
        except ConnectionError:
            data = b""
        self.received += data
        return data

    async def answered(self, seconds: float = PATIENCE) -> int:
        """The status of the next answer; 0 if the connection was closed without one, -1 if nothing came."""
        self.received.clear()
        try:
            async with asyncio.timeout(seconds):
                while b"\r\n\r\n" not in self.received:
                    if not await self.receive():
                        break
        except TimeoutError:
            return -1
        return status_of(self.received)

    async def is_closed(self, seconds: float = PATIENCE) -> bool:
        """Whether the server closes the connection while one waits."""
        try:
            async with asyncio.timeout(seconds):
                while await self.receive():
                    pass
        except TimeoutError:
            return False
        return True

    def abort(self) -> None:
        """Close at once, as when a cable is cut: what was not read is thrown away."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


async def ask(port: int, path: str = "/healthz") -> int:
    """The status of a polite request on a connection of its own; 0 if it is not answered."""
    try:
        async with Wire(port) as wire:
            await wire.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            return max(0, await wire.answered())
    except ConnectionError:
        return 0


# WebSockets, by hand.


def upgrade(table: str, **changed: str | None) -> bytes:
    """The request for a WebSocket; headers may be changed, or left out if they are None."""
    headers: dict[str, str | None] = {
        "Host": "localhost",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": KEY,
    }
    headers.update({name.replace("_", "-"): value for name, value in changed.items()})
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"GET /ws/{table} HTTP/1.1", *lines, "", ""]).encode()


def frame(kind: int, payload: bytes = b"") -> bytes:
    """A frame as clients send it, under a mask of zeros."""
    size = len(payload)
    assert size < 65_536
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size)
    return bytes([0x80 | kind]) + length + b"\0\0\0\0" + payload


def message(kind: str, **fields: Any) -> bytes:
    """A message in its frame."""
    return frame(TEXT, msgspec.json.encode({"type": kind, **fields}))


class RawClient(Wire):
    """A WebSocket whose frames are read when one wants them to be."""

    async def enter(self, table: str, **hello: Any) -> None:
        """Connect to a table and say hello; the welcome is left unread."""
        await self.send(upgrade(table))
        while b"\r\n\r\n" not in self.received:
            assert await self.receive(1), "no answer to the request for a WebSocket"
        assert status_of(self.received) == 101, bytes(self.received)
        self.received.clear()
        await self.send(message("hello", **hello))

    async def frames(self) -> AsyncIterator[tuple[int, bytes]]:
        """Frames as they come, until the server closes the connection."""
        while True:
            while (taken := self._take()) is not None:
                yield taken
            if not await self.receive():
                return

    def _take(self) -> tuple[int, bytes] | None:
        data = self.received
        if len(data) < 2:
            return None
        start, size = 2, data[1]
        if size == 126:
            start, size = 4, int.from_bytes(data[2:4], "big")
        elif size == 127:
            start, size = 10, int.from_bytes(data[2:10], "big")
        if len(data) < start or len(data) < start + size:
            return None
        kind, payload = data[0] & 0xF, bytes(data[start : start + size])
        del data[: start + size]
        return kind, payload
