"""Faults: servers killed, PostgreSQL and Redis restarted and cut off, a migration killed half-way."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.room_client import LOOPBACK
from benchmarks.room_process import Server
from benchmarks.soak.ledger import Ledger
from tests.server.services import Service

SETTLE_SECONDS = 10.0
"""After a fault has passed: clients come back, tables are loaded again."""
DELAY = 0.2
CUT_SECONDS = 8.0


class Mode(enum.Enum):
    """What a proxy does with what passes."""

    PASS = enum.auto()
    DELAY = enum.auto()
    DROP = enum.auto()
    """Connections are closed, and new ones too."""
    SWALLOW = enum.auto()
    """Connections stay open, but nothing passes: a black hole."""


class Proxy:
    """A TCP proxy on loopback between a server and what it depends on."""

    def __init__(self, upstream: int) -> None:
        self.port = 0
        self.mode = Mode.PASS
        self._upstream = upstream
        self._listener: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._awaited = b""
        self._seen = asyncio.Event()

    async def start(self) -> None:
        """Listen on a free port."""
        self._listener = await asyncio.start_server(self._accept, LOOPBACK, 0)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close everything."""
        if self._listener is not None:
            self._listener.close()
        self._close_all()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def set(self, mode: Mode) -> None:
        """Change what happens from now on."""
        self.mode = mode
        if mode is not Mode.DELAY:  # who was swallowed or dropped must begin anew
            self._close_all()

    async def wait_for(self, text: bytes, seconds: float) -> bool:
        """Wait until a client sends this; False if none does in time."""
        self._awaited = text
        self._seen.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._seen.wait(), seconds)
        return self._seen.is_set()

    def _close_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.mode is Mode.DROP:
            writer.transport.abort()
            return
        self._writers.add(writer)
        try:
            there, back = await asyncio.open_connection(LOOPBACK, self._upstream)
        except OSError:
            writer.transport.abort()
            return
        self._writers.add(back)
        for task in (
            asyncio.create_task(self._pump(reader, back, True)),
            asyncio.create_task(self._pump(there, writer)),
        ):
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, to_service: bool = False) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                if to_service and self._awaited and self._awaited in data:
                    self._seen.set()
                if self.mode is Mode.DELAY:
                    await asyncio.sleep(DELAY)
                if writer.is_closing():
                    break
                if self.mode is not Mode.SWALLOW:
                    writer.write(data)
                    await writer.drain()
        self._writers.discard(writer)
        writer.transport.abort()


def in_thread(work: Callable[[], object]) -> Awaitable[object]:
    """Do what waits for a process without holding up the clients."""
    return asyncio.get_running_loop().run_in_executor(None, work)


class Faults:
    """What goes wrong during a soak, one thing at a time."""

    def __init__(self, ledger: Ledger, servers: Sequence[Server], seed: int) -> None:
        self._ledger = ledger
        self._servers = servers
        self._chance = random.Random(seed)
        self._kinds: list[tuple[str, Callable[[], Awaitable[None]]]] = [("kill -9 of a server", self._kill)]

    def add_service(self, name: str, service: Service, proxy: Proxy) -> None:
        """A service that can fail, and the proxy in front of it."""
        self._kinds += [
            (f"{name} killed and restarted", partial(self._restart, service)),
            (f"{name} slow by {DELAY:g} s", partial(self._cut, proxy, Mode.DELAY)),
            (f"{name} unreachable", partial(self._cut, proxy, Mode.DROP)),
            (f"{name} in a black hole", partial(self._cut, proxy, Mode.SWALLOW)),
        ]

    async def run(self, seconds: float, pause: float) -> None:
        """A fault every so often, until the time is over; the first ones take turns, so that each has had its own."""
        ends = time.monotonic() + seconds
        turn = 0
        while time.monotonic() + pause + SETTLE_SECONDS < ends:
            await asyncio.sleep(pause * self._chance.uniform(0.7, 1.0))
            name, fault = self._kinds[turn % len(self._kinds)]
            turn += 1
            print(f"  {name}", flush=True)
            self._ledger.counts[f"fault: {name}"] += 1
            self._ledger.set_calm(False)
            await fault()
            await asyncio.sleep(SETTLE_SECONDS)
            self._ledger.set_calm(True)
        await asyncio.sleep(max(0.0, ends - time.monotonic()))

    async def _kill(self) -> None:
        server = self._chance.choice(self._servers)
        await in_thread(partial(server.stop, signal.SIGKILL))
        await asyncio.sleep(self._chance.uniform(0, 2))
        await in_thread(server.start)

    async def _restart(self, service: Service) -> None:
        await in_thread(partial(service.stop, self._chance.choice((signal.SIGINT, signal.SIGKILL))))
        await asyncio.sleep(self._chance.uniform(0.5, 3))
        await in_thread(service.start)

    async def _cut(self, proxy: Proxy, mode: Mode) -> None:
        proxy.set(mode)
        await asyncio.sleep(CUT_SECONDS)
        proxy.set(Mode.PASS)


async def kill_while_migrating(server: Server, proxy: Proxy | None, data: Path) -> bool:
    """Kill a server that prepares an empty database. Whether that was half-way; then start it as usual."""
    server.launch()
    if proxy is not None:
        half_way = await proxy.wait_for(b"CREATE TABLE", 60)
    else:
        half_way = await _appears(data, 60)
    await in_thread(partial(server.stop, signal.SIGKILL))
    return half_way


async def _appears(folder: Path, seconds: float) -> bool:
    """Wait until there is something in an SQLite file."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if any(path.stat().st_size for path in folder.glob("*.sqlite3*")):
            return True
        await asyncio.sleep(0.001)
    return False
