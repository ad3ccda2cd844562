"""One port for both: uvicorn reads HTTP, and hands a connection that asks for a WebSocket over to picows."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import socket
from collections import Counter
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from picows import WSAutoPingStrategy, WSUpgradeRequest, WSUpgradeResponse, WSUpgradeResponseWithListener
from picows.picows import WSProtocol  # type: ignore[attr-defined]  # missing in its stubs
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ludotheque.server.connection import Connection, feed
from ludotheque.server.limits import Buckets
from ludotheque.server.room import Room

log = logging.getLogger("ludotheque.transport")
log_frames = logging.getLogger("ludotheque.frames")
log_frames.setLevel(logging.CRITICAL)  # what others send wrongly is their affair

COOKIE = "ludotheque"
SOCKET_PATH = re.compile(r"^/ws/([0-9a-z]{1,40})$")
LOOK_SECONDS = 10.0
"""How often somebody looks who is still there."""
READ_BUFFER = 2048
SEND_BUFFER = 65_536
"""What the system keeps for a reader that is slow; it doubles that."""


class Door:
    """Who may come in: addresses, origins, how many and how fast."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.connections: set[Connection] = set()
        self._is_looking = False
        settings = room.settings
        self._rates = Buckets(settings.requests_per_second, settings.requests_at_once)
        self._counts: Counter[str] = Counter()
        self._hosts = {"localhost", socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}
        self._origins = set(settings.origins)
        self._hosts |= {urlsplit(origin).hostname or "" for origin in settings.origins}

    def add(self, connection: Connection) -> None:
        """A connection has opened."""
        self.connections.add(connection)
        if not self._is_looking:
            self._is_looking = True
            asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        """See who is still there. One timer for all: one each would take a kilobyte each."""
        loop = asyncio.get_running_loop()
        for connection in list(self.connections):
            connection.look(loop.time())
        self._is_looking = bool(self.connections)
        if self._is_looking:
            loop.call_later(LOOK_SECONDS, self._look)

    def came(self, address: str) -> bool:
        """Whether one more connection of an address is let in."""
        self._counts[address] += 1
        return self._counts[address] <= self.room.settings.connections_per_address

    def gone(self, address: str) -> None:
        """A connection of an address has ended."""
        self._counts[address] -= 1
        if self._counts[address] <= 0:
            del self._counts[address]

    def is_slow_enough(self, address: str) -> bool:
        """Whether an address may send one more request just now."""
        return self._rates.take(address, asyncio.get_running_loop().time())

    def knows_host(self, host: str) -> bool:
        """Whether a request is for us: an address, our name, or one we were told. Others would be someone's trick."""
        name = (urlsplit(f"//{host}").hostname or "").lower() if re.fullmatch(r"[\w.:\[\]-]+", host, re.ASCII) else ""
        if name in self._hosts and name:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def is_own_origin(self, origin: str | None, host: str) -> bool:
        """Whether a page from this origin may talk to us; programs that are no browsers send none."""
        if origin is None:
            return True
        return origin in self._origins or origin in (f"http://{host}", f"https://{host}")

    def client(self, address: str, forwarded: str | None) -> str:
        """The address of whoever asks; that of the last proxy's client if we trust one."""
        if self.room.settings.trust_proxy and forwarded:
            return forwarded.rpartition(",")[2].strip()[:45]
        return address

    def identity(self, cookies: str | None) -> str | None:
        """The identity in a request's cookies."""
        if not cookies or len(cookies) > 4096:
            return None
        try:
            found = SimpleCookie(cookies).get(COOKIE)
        except CookieError:
            return None
        return self.room.signer.identity(found.value) if found is not None else None

    def close(self) -> None:
        """Send everybody away: we restart."""
        for connection in list(self.connections):
            connection.cut("shutting_down")

    def upgrade(self, address: str, request: WSUpgradeRequest) -> Any:
        """What becomes of a request for a WebSocket."""
        found = SOCKET_PATH.match(request.path.decode("ascii", "replace").partition("?")[0])
        headers = request.headers
        host = headers.get("host", "")
        if found is None:
            return _no(HTTPStatus.NOT_FOUND)
        if not self.knows_host(host) or not self.is_own_origin(headers.get("origin"), host):
            return _no(HTTPStatus.FORBIDDEN)
        if not self.is_slow_enough(address):
            return _no(HTTPStatus.TOO_MANY_REQUESTS)
        return Connection(self.room, self, address, self.identity(headers.get("cookie")), found[1])


def _no(status: HTTPStatus) -> WSUpgradeResponseWithListener:
    return WSUpgradeResponseWithListener(WSUpgradeResponse.create_error_response(status, status.phrase.encode()), None)


class Socket(asyncio.Protocol):
    """Only tells uvicorn that WebSockets are understood here; `http_protocol` takes them."""


def http_protocol(door: Door) -> type[HttpToolsProtocol]:
    """The protocol that uvicorn runs for each connection."""

    class RoomProtocol(HttpToolsProtocol):
        _counted = False
        _late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
            super().connection_made(transport)
            self._peer = self.client[0] if self.client else "local"
            self._counted = True
            # Whoever connects and says nothing is not kept.
            self._late = self.loop.call_later(door.room.settings.hello_seconds, transport.abort)
            if not door.room.settings.trust_proxy and not door.came(self._peer):
                transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._on_time()
            if self._counted and not door.room.settings.trust_proxy:
                door.gone(self._peer)

        def on_headers_complete(self) -> None:
            self._on_time()
            super().on_headers_complete()

        def _on_time(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

        def handle_websocket_upgrade(self) -> None:
            self.connections.discard(self)
            self._on_time()
            headers: list[tuple[bytes, bytes]] = self.scope["headers"]  # type: ignore[assignment]
            forwarded = next((v.decode("latin-1") for k, v in headers if k == b"x-forwarded-for"), None)
            address = door.client(self._peer, forwarded)
            if door.room.settings.trust_proxy and not door.came(address):
                door.gone(address)
                self.transport.abort()
                return
            protocol = _picows(door, address)
            head = [b"GET ", self.url, b" HTTP/1.1\r\n"]
            for name, value in headers:
                head += [name, b": ", value, b"\r\n"]
            transport = self.transport
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            transport.pause_reading()
            transport.set_protocol(protocol)
            protocol.connection_made(transport)
            feed(protocol, b"".join([*head, b"\r\n"]))
            if protocol.listener is None:
                door.gone(address)
            if not transport.is_closing():
                transport.resume_reading()
            # uvloop keeps us as long as the connection lasts: with what reading HTTP took, kilobytes.
            self.__dict__.clear()

    return RoomProtocol


def _picows(door: Door, address: str) -> Any:
    return WSProtocol(
        None,  # host and path: a client's
        None,
        False,
        lambda request: door.upgrade(address, request),
        log_frames,
        True,  # disconnect after an exception
        door.room.settings.hello_seconds,
        False,  # who is silent is pinged by the door
        0.0,
        0.0,
        WSAutoPingStrategy.PING_WHEN_IDLE,
        True,  # answer pings
        door.room.settings.max_frame,
        None,
        READ_BUFFER,
    )
