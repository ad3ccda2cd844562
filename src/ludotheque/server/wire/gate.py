"""The gate: which hosts, origins and addresses are let in, how many connections they have, and how fast they ask."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from http.cookies import CookieError, SimpleCookie
from typing import Protocol
from urllib.parse import urlsplit

from ludotheque.server.session.room import Room
from ludotheque.server.wire.connection import RESTART, Connection
from ludotheque.server.wire.limits import Buckets

COOKIE = "ludotheque"


class Countable(Protocol):
    """Something that is open or not: a transport, a socket."""

    def is_closing(self) -> bool:
        """Whether it is closed, or about to be."""


class Gate:
    """Who may come in, and who is in."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.connections: set[Connection] = set()
        """The open WebSockets."""
        settings = room.settings
        self._rates = Buckets(settings.requests_per_second, settings.requests_at_once)
        self._open: dict[str, set[Countable]] = {}
        """The open connections of each address."""
        self._origins = set(settings.origins)
        name = socket.gethostname().lower()
        self._hosts = {"localhost", name, f"{name}.local"}
        self._hosts |= {urlsplit(origin).hostname or "" for origin in settings.origins}

    def admits(self, address: str, one: Countable) -> bool:
        """Whether an address may have one more connection: this one.

        What is counted are connections that are open, so that nobody is locked out by a count that went wrong.
        """
        most = self.room.settings.connections_per_address
        known = self._open.setdefault(address, set())
        if len(known) >= most:
            known = self._open[address] = {other for other in known if not other.is_closing()}
        if len(known) >= most:
            return False
        known.add(one)
        return True

    def release(self, address: str, one: Countable) -> None:
        """A connection of an address has ended."""
        known = self._open.get(address, set())
        known.discard(one)
        if not known:
            self._open.pop(address, None)

    def is_slow_enough(self, address: str) -> bool:
        """Whether an address may send one more request just now."""
        return self._rates.take(address, asyncio.get_running_loop().time())

    def knows_host(self, host: str) -> bool:
        """Whether a request is for us: an address, our name, or one we were given. Else it may be DNS rebinding."""
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
        """Disconnect everybody: the server stops or restarts."""
        for connection in list(self.connections):
            connection.cut("shutting_down", RESTART)
