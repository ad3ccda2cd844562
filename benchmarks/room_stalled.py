"""What a reader that takes nothing for a minute costs the others: `python -m benchmarks.room_stalled`.

Pairs of tables side by side in one server, play as fast as it goes. At one table of each pair somebody watches who
never reads; the other is the control. The server is told to bear with it for longer than the run, so that nobody is
cut off before the end; a test shows that they are after 10 seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import tempfile
import time

import msgspec
import numpy as np
import uvloop

from benchmarks import room
from benchmarks.results import Line, show, table, write_section

PAIRS = 4
HEAD = "GET /ws/{table} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
KEY = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"


def stall(port: int, table_id: str, token: str) -> socket.socket:
    """A connection that says who it is and then reads nothing."""
    stalled = socket.socket()
    stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stalled.connect(("127.0.0.1", port))
    stalled.sendall((HEAD.format(table=table_id) + KEY).encode())
    time.sleep(0.2)
    hello = msgspec.json.encode({"type": "hello", "token": token})
    assert len(hello) < 126
    stalled.sendall(bytes([0x81, 0x80 | len(hello)]) + b"\0\0\0\0" + hello)
    return stalled


async def measure(port: int, pid: int, seconds: float) -> tuple[float, float, float]:
    """The p99 in milliseconds with a stalled reader and without, and the megabytes that one holds at most."""
    loads = [room.Load(False), room.Load(False)]
    made = await room.make_tables(port, 2 * PAIRS)
    sides = [made[:PAIRS], made[PAIRS:]]
    players: list[room.Player] = []
    for load, tables in zip(loads, sides, strict=True):
        for pair in await room.seat_players(port, load, tables):
            players += pair
    for player in players[::2]:
        player.tell("start")
    await asyncio.sleep(room.WARM_UP)
    before = room.resident(pid)
    # A second connection of a seat: it is shown everything that the first one is.
    stalled = [stall(port, table_id, tokens[0]) for table_id, tokens in sides[0]]
    await asyncio.sleep(2.0)
    held = (room.resident(pid) - before) / PAIRS
    for load in loads:
        load.latencies = []
    await asyncio.sleep(seconds)
    for load in loads:
        load.running = False
    await asyncio.sleep(0.5)
    for player in players:
        player.transport.disconnect()
    for one in stalled:
        one.close()
    p99 = [float(np.percentile(np.array(load.latencies) * 1000, 99)) for load in loads]
    return p99[0], p99[1], held


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    os.environ["LUDOTHEQUE_STALL_SECONDS"] = str(args.seconds + 60)
    os.sched_setaffinity(0, {room.CLIENT_CORE})
    with tempfile.TemporaryDirectory() as folder:
        server, port = room.start_server(folder)
        try:
            time.sleep(4)  # it loads all games in the background
            stalled, control, held = uvloop.run(measure(port, server.pid, args.seconds))
        finally:
            server.terminate()
            server.wait()
    lines = [
        Line(f"p99 in ms beside a reader stalled for {args.seconds:g} s ÷ without", stalled, control, 1.2, "ms", True),
        Line("memory held for a stalled reader, MB ÷ 1", max(held, 0.0), 1, 1, "MB", True),
    ]
    for line in lines:
        show(line)
    if not args.dry:
        write_section("Stalled readers", table(lines), "python -m benchmarks.room_stalled")


if __name__ == "__main__":
    main()
