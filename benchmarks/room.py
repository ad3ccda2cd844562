"""The game room under load: `python -m benchmarks.room`.

N tables with two players each on loopback, Double Lucky 7 with its real rules, a view for each seat after every move,
every move on disk before it is acknowledged. The server runs on one core, the players on another.
*Saturated*: whoever is at turn moves at once. *Paced*: one move a second at every table. Latency is from sending a
move to the other seat's seeing it. SERVER_PYTHON in the environment names another interpreter for the server.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

GAME = "double_lucky_7"
SERVER_CORE, CLIENT_CORE = 0, 1
WARM_UP = 2.0
SERVER_PYTHON = os.environ.get("SERVER_PYTHON", sys.executable)


class Choice(msgspec.Struct, gc=False):
    id: int


class View(msgspec.Struct, gc=False):
    actor: int | None
    over: bool
    legal: list[Choice]


class Update(msgspec.Struct, gc=False):
    """What a player reads of a welcome or an update."""

    type: str
    seq: int = 0
    view: View | None = None


decode = msgspec.json.Decoder(Update).decode


class Load:
    """All tables, and what is measured."""

    def __init__(self, paced: bool) -> None:
        self.paced = paced
        self.moves = 0
        self.refused = 0
        self.latencies: list[float] = []
        self.running = True


class Player(WSListener):
    """A seat that plays the first move it may."""

    def __init__(self, load: Load, seat: int, token: str) -> None:
        self.load = load
        self.seat = seat
        self.token = token
        self.other: Player | None = None
        self.sent: dict[int, float] = {}
        """When a move was sent, by the number its event will have."""
        self.due = 0
        self.count = 0
        self.ready = asyncio.Event()
        self.pending: bytes | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        transport.send(WSMsgType.TEXT, msgspec.json.encode({"type": "hello", "token": self.token}))

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        now = time.perf_counter()
        message = decode(frame.get_payload_as_memoryview())
        if message.type == "welcome":
            self.ready.set()
            return
        if message.type != "update":
            self.load.refused += message.type == "refused"
            return
        other = self.other
        assert other is not None
        sent = other.sent.pop(message.seq, None)
        if sent is not None:
            self.load.latencies.append(now - sent)
            self.load.moves += 1
        view = message.view
        self.count += 1
        if view is None:
            if self.seat == 0 and self.pending == b"rematch":
                self.pending = None
                self.tell("start")
        elif view.over:
            if self.seat == 0 and self.load.running:
                self.pending = b"rematch"
                self.tell("rematch")
        elif view.actor == self.seat and self.load.running:
            choice = view.legal[self.count % len(view.legal)].id
            data = b'{"type":"move","id":"%d","seq":%d,"move":%d}' % (self.count, message.seq, choice)
            self.due = message.seq + 1
            if self.load.paced:
                self.pending = data
            else:
                self.play(data)

    def play(self, data: bytes) -> None:
        self.sent[self.due] = time.perf_counter()
        self.transport.send(WSMsgType.TEXT, data)

    def tell(self, what: str) -> None:
        self.transport.send(WSMsgType.TEXT, b'{"type":"%s","id":"%s%d"}' % (what.encode(), what.encode(), self.count))


async def post(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: object
) -> dict[str, object]:
    """A JSON request on an open connection."""
    data = msgspec.json.encode(body)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(data)}"
    writer.write(head.encode() + b"\r\n\r\n" + data)
    answer = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"(?i)content-length: (\d+)", answer)
    assert found is not None
    result: dict[str, object] = msgspec.json.decode(await reader.readexactly(int(found[1])))
    assert b" 200 " in answer[:20], result
    return result


async def make_tables(port: int, count: int) -> list[tuple[str, list[str]]]:
    """Tables with two seats taken: ids and tokens."""
    made: list[tuple[str, list[str]]] = []
    left = count

    async def work() -> None:
        nonlocal left
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while left > 0:
            left -= 1
            new = await post(reader, writer, "/api/tables", {"game": GAME, "name": "Ann"})
            table = new["table"]["id"]  # type: ignore[index]  # JSON
            joined = await post(reader, writer, f"/api/tables/{table}/join", {"name": "Bob", "key": new["join"]})
            made.append((table, [str(new["token"]), str(joined["token"])]))
        writer.close()

    await asyncio.gather(*(work() for _ in range(min(20, count))))
    return made


async def seat_players(port: int, load: Load, tables: Sequence[tuple[str, list[str]]]) -> list[tuple[Player, Player]]:
    """Connect everybody."""
    gate = asyncio.Semaphore(50)

    async def connect(table: str, seat: int, token: str) -> Player:
        async with gate:
            _, player = await ws_connect(lambda: Player(load, seat, token), f"ws://127.0.0.1:{port}/ws/{table}")
            assert isinstance(player, Player)
            await player.ready.wait()
            return player

    pairs = []
    for start in range(0, len(tables), 100):
        part = tables[start : start + 100]
        found = await asyncio.gather(*(connect(table, seat, tokens[seat]) for table, tokens in part for seat in (0, 1)))
        for ann, bob in zip(found[::2], found[1::2], strict=True):
            ann.other, bob.other = bob, ann
            pairs.append((ann, bob))
    return pairs


@dataclass
class Figures:
    """What one run showed."""

    tables: int
    rate: float
    p50: float
    p99: float
    memory: float
    """Megabytes of the server."""
    cpu: float
    """Microseconds of the server's processor time for a move."""
    refused: int


async def measure(port: int, pid: int, num_tables: int, seconds: float, paced: bool) -> Figures:
    """One run."""
    load = Load(paced)
    pairs = await seat_players(port, load, await make_tables(port, num_tables))
    for ann, _ in pairs:
        ann.tell("start")
    pacers = [asyncio.create_task(pace(load, pair, number / num_tables)) for number, pair in enumerate(pairs) if paced]
    await asyncio.sleep(WARM_UP)
    load.moves, load.latencies = 0, []
    begin, used = time.perf_counter(), processor_seconds(pid)
    await asyncio.sleep(seconds)
    rate = load.moves / (time.perf_counter() - begin)
    cpu = (processor_seconds(pid) - used) / max(1, load.moves) * 1e6
    latencies = np.array(load.latencies) * 1000
    memory = resident(pid)
    load.running = False
    for task in pacers:
        task.cancel()
    await asyncio.sleep(0.5)
    for player in (player for pair in pairs for player in pair):
        player.transport.disconnect()
    p50, p99 = np.percentile(latencies, [50, 99])
    return Figures(num_tables, rate, float(p50), float(p99), memory, cpu, load.refused)


async def pace(load: Load, pair: tuple[Player, Player], offset: float) -> None:
    """One move a second at a table."""
    due = time.perf_counter() + offset
    while load.running:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        due += 1.0
        for player in pair:
            data = player.pending
            if data is not None and data != b"rematch":
                player.pending = None
                player.play(data)


def resident(pid: int) -> float:
    """Megabytes of memory a process holds."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


def processor_seconds(pid: int) -> float:
    """Processor time a process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start_server(folder: str) -> tuple[subprocess.Popen[str], int]:
    """A server on its own core."""
    limits = {"MESSAGES_PER_SECOND": "1e9", "MESSAGES_AT_ONCE": "1000000000", "REQUESTS_PER_SECOND": "1e9"}
    limits |= {"REQUESTS_AT_ONCE": "1000000000", "CONNECTIONS_PER_ADDRESS": "1000000", "TABLES_PER_DAY": "10000000"}
    server = subprocess.Popen(
        [SERVER_PYTHON, "-m", "ludotheque", "serve", "--port", "0", "--data", folder, "--lang", "en"],
        env={**os.environ, **{f"LUDOTHEQUE_{name}": value for name, value in limits.items()}},
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {SERVER_CORE}),
    )
    assert server.stdout is not None
    found = re.search(r":(\d+)/", server.stdout.readline())
    assert found is not None
    return server, int(found[1])


async def idle(port: int, pid: int, num_tables: int) -> float:
    """Megabytes of the server with so many tables in play, a connection at each, and nothing happening."""
    load = Load(True)
    tables = await make_tables(port, num_tables)
    gate = asyncio.Semaphore(50)
    players = []

    async def connect(table: str, token: str) -> None:
        async with gate:
            _, player = await ws_connect(
                lambda: Player(load, 0, token), f"ws://127.0.0.1:{port}/ws/{table}", read_buffer_init_size=2048
            )
            assert isinstance(player, Player)
            player.other = player
            await player.ready.wait()
            player.tell("start")
            players.append(player)

    for begin in range(0, num_tables, 200):
        await asyncio.gather(*(connect(table, tokens[0]) for table, tokens in tables[begin : begin + 200]))
    await asyncio.sleep(2)
    memory = resident(pid)
    for player in players:
        player.transport.disconnect()
    return memory


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default="50,500,2000")
    parser.add_argument("--paced", default="2000")
    parser.add_argument("--idle", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    os.sched_setaffinity(0, {CLIENT_CORE})
    runs = [(int(count), False) for count in args.tables.split(",") if count]
    runs += [(int(count), True) for count in args.paced.split(",") if count]
    random.seed(1)
    for count, paced in runs:
        with tempfile.TemporaryDirectory() as folder:
            server, port = start_server(folder)
            try:
                time.sleep(4)  # it loads all games in the background
                found = uvloop.run(measure(port, server.pid, count, args.seconds, paced))
            finally:
                server.terminate()
                server.wait()
        kind = "paced" if paced else "saturated"
        print(
            f"{kind:<9} {count:>6} tables {found.rate:>9,.0f} moves/s  "
            f"p50 {found.p50:>7.2f} ms  p99 {found.p99:>7.2f} ms  "
            f"{found.cpu:>5.0f} µs/move  {found.memory:>6.0f} MB  {found.refused} refused",
            flush=True,
        )
    if args.idle:
        with tempfile.TemporaryDirectory() as folder:
            server, port = start_server(folder)
            try:
                memory = uvloop.run(idle(port, server.pid, args.idle))
            finally:
                server.terminate()
                server.wait()
        print(f"idle      {args.idle:>6} tables {memory:>6.0f} MB")


if __name__ == "__main__":
    main()
