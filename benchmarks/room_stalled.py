"""What a reader that takes nothing for a minute costs the others: `python -m benchmarks.room_stalled`.

Pairs of tables side by side in one server, play as fast as it goes. At one table of each pair a second connection of a
seat never reads; the other table is the control. The server is set to bear with it for longer than the run, so that
nobody is disconnected before the end; a test shows that they are after 10 seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import tempfile
import time
from pathlib import Path

import msgspec
import uvloop

from benchmarks.results import Line, show, table, write_section
from benchmarks.room_client import LOOPBACK, UPGRADE, frame
from benchmarks.room_loads import WARM_UP, Load, Table, Tally, connect_all, make_tables, percentiles, start_all
from benchmarks.room_process import CLIENT_CORE, NO_LIMITS, Server, resident

PAIRS = 4
LOAD = Load(PAIRS)


def stall(port: int, at: Table) -> socket.socket:
    """A connection that says who it is and then reads nothing."""
    stalled = socket.socket()
    stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stalled.connect((LOOPBACK, port))
    stalled.sendall(UPGRADE.format(path=f"/ws/{at.id}", extra="").encode())
    time.sleep(0.2)
    stalled.sendall(frame(msgspec.json.encode({"type": "hello", "token": at.tokens[0]})))
    return stalled


async def measure(server: Server, seconds: float) -> tuple[float, float, float]:
    """The p99 in milliseconds with a stalled reader and without, and the megabytes that one holds at most."""
    tallies = [Tally(), Tally()]
    tables = [await make_tables(server.port, LOAD) for _ in tallies]
    clients = []
    for tally, side in zip(tallies, tables, strict=True):
        clients.append(await connect_all(server.port, tally, LOAD, side))
        await start_all(clients[-1], LOAD)
    await asyncio.sleep(WARM_UP)
    before = resident(server.pid)
    stalled = [stall(server.port, at) for at in tables[0]]
    await asyncio.sleep(2.0)
    held = (resident(server.pid) - before) / PAIRS
    for tally in tallies:
        tally.seen = []
    await asyncio.sleep(seconds)
    p99 = [percentiles(tally.seen)[1] for tally in tallies]
    for tally in tallies:
        tally.is_running = False
    await asyncio.sleep(0.5)
    for client in (client for side in clients for client in side):
        client.close()
    for one in stalled:
        one.close()
    return p99[0], p99[1], held


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    os.sched_setaffinity(0, {CLIENT_CORE})
    settings = {**NO_LIMITS, "STALL_SECONDS": str(args.seconds + 60)}
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), **settings) as server:
        server.settle()
        stalled, control, held = uvloop.run(measure(server, args.seconds))
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
