"""A soak of the game room: `python -m benchmarks.soak`.

Honest tables of all five games, with people, bots, clocks, spectators, score pads and seats that change hands, beside
attackers (`attackers.py`) and `kill -9` of the server every few minutes. Everything is on loopback, bounded in count,
and ends by itself. It begins with a control run of the same honest tables alone.

With `--cluster`, two servers share a PostgreSQL and a Redis, which are restarted and cut off by a proxy as well. In
both cases the very first server is killed while it prepares its empty database.

At the end: is every acknowledged command in the store exactly once, was every stored event shown, can every table be
read, are all records true, is the memory within 30 % and the p99 of the honest within three times of the control run?
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import uvloop

from benchmarks.results import write_section
from benchmarks.room_process import CLIENT_CORE, Server, resident
from benchmarks.soak import checks
from benchmarks.soak.checks import Check, Log
from benchmarks.soak.faults import SETTLE_SECONDS, Faults, Proxy, in_thread, kill_while_migrating
from benchmarks.soak.honest import PATIENCE, Person, probe_health
from benchmarks.soak.ledger import Ledger
from benchmarks.soak.tables import Room, open_room
from tests.server.services import Postgres, Redis

SETTINGS = {"AWAY_SECONDS": "5", "BOT_SECONDS": "0.2"}
"""Bots stand in soon, so that it happens often, and leave the few cores of a small machine to the rest."""
CONTROL_PART = 0.2
"""The part of the time that the control run takes,"""
CONTROL_SECONDS = 240.0
"""and at most so long."""
WARM_UP_PART = 0.4
"""The part of the control run whose times do not count, while tables and bots are loaded."""
SAMPLE_SECONDS = 2.0
END_SECONDS = 900.0
"""What starting and the checks may take beside the run itself."""
FAULTS = 6
"""How many faults there are in a run of one server; with a cluster there are more, of more kinds."""
CLUSTER_FAULTS = 18
SHORTEST_PAUSE = 15.0
"""Seconds between two faults, at least."""


@dataclass
class Stage:
    """The servers, and what they depend on."""

    servers: list[Server]
    read_store: Callable[[], dict[str, Log]]
    memory: dict[str, list[float]] = field(default_factory=dict)
    """Megabytes of a server, by the phase of the soak."""
    notes: list[Check] = field(default_factory=list)

    @property
    def ports(self) -> list[int]:
        """Where the servers listen."""
        return [server.port for server in self.servers]

    async def stop(self) -> None:
        """Stop the servers as an operator does."""
        for server in self.servers:
            await in_thread(server.stop)


@contextlib.asynccontextmanager
async def alone(folder: Path, ledger: Ledger, seed: int) -> AsyncIterator[tuple[Stage, Faults]]:
    """One server with SQLite."""
    server = Server(folder, **SETTINGS)
    half_way = await kill_while_migrating(server, None, folder)
    stage = Stage([server], partial(checks.read_sqlite, folder))
    try:
        await in_thread(server.start)
        stage.notes.append(Check("a migration killed half-way is done again", True, _when(half_way)))
        yield stage, Faults(ledger, stage.servers, seed)
    finally:
        await stage.stop()


@contextlib.asynccontextmanager
async def cluster(folder: Path, ledger: Ledger, seed: int) -> AsyncIterator[tuple[Stage, Faults]]:
    """Two servers with one PostgreSQL and one Redis, through proxies."""
    postgres, redis = Postgres(), Redis()
    proxies: list[Proxy] = []
    stage = Stage([], partial(checks.read_postgres, postgres.url))
    try:
        for service in (postgres, redis):
            await in_thread(service.start)
            proxies.append(Proxy(service.port))
            await proxies[-1].start()
        database = postgres.url.replace(str(postgres.port), str(proxies[0].port))
        bus = redis.url.replace(str(redis.port), str(proxies[1].port))
        for number in range(2):
            arguments = ("--database", database, "--bus", bus)
            stage.servers.append(Server(folder / str(number), *arguments, **SETTINGS))
        half_way = await kill_while_migrating(stage.servers[0], proxies[0], folder)
        for server in stage.servers:  # both find the database as it was left
            server.launch()
        for server in stage.servers:
            await in_thread(server.wait_open)
        stage.notes.append(Check("a migration killed half-way is done again", True, _when(half_way)))
        faults = Faults(ledger, stage.servers, seed)
        faults.add_service("PostgreSQL", postgres, proxies[0])
        faults.add_service("Redis", redis, proxies[1])
        yield stage, faults
    finally:
        await stage.stop()
        for proxy in proxies:
            await proxy.stop()
        for service in (postgres, redis):
            service.remove()


def _when(half_way: bool) -> str:
    return "killed in the middle of it" if half_way else "killed too early or too late to meet it"


async def soak(stage: Stage, faults: Faults, ledger: Ledger, args: argparse.Namespace) -> list[Check]:
    """The whole run: control, attack, and what came of it."""
    seconds = args.minutes * 60
    control = min(CONTROL_PART * seconds, CONTROL_SECONDS)
    room = await open_room(ledger, stage.ports, args.tables)
    others = [asyncio.create_task(sample_memory(stage, ledger)), asyncio.create_task(report_progress(ledger))]
    others.append(asyncio.create_task(probe_health(ledger, stage.ports, "127.5.0.1")))
    people = [asyncio.create_task(person.run()) for person in room.people]
    print(f"Control run: {control:.0f} s, {len(room.tables)} tables, {len(people)} clients", flush=True)
    ledger.phase = "warm-up"
    await asyncio.sleep(control * WARM_UP_PART)
    ledger.phase = "control"
    await asyncio.sleep(control * (1 - WARM_UP_PART))
    ledger.phase = "attack"
    left = seconds - control
    print(f"Attack: {left:.0f} s", flush=True)
    attackers = start_attackers(stage.ports, left, args) if not args.calm else None
    count = FAULTS if len(stage.servers) == 1 else CLUSTER_FAULTS
    await faults.run(left, max(SHORTEST_PAUSE, left / count - 2 * SETTLE_SECONDS))
    found = await in_thread(partial(end_attackers, attackers, left)) if attackers is not None else {}
    assert isinstance(found, dict)
    ledger.phase = "end"
    print("Waiting for the last answers", flush=True)
    await finish(room.people)
    await stop_tasks([*others, *people])
    print("Restarting the servers, reading the store", flush=True)
    await stage.stop()
    logs = stage.read_store()
    for server in stage.servers:
        await in_thread(server.start)
    print("Everybody comes back once more", flush=True)
    await catch_up(room, logs)
    print(f"Attackers: {found.get('rounds', {})}", flush=True)
    print(f"Honest: {dict(sorted(ledger.counts.items()))}", flush=True)
    return [
        *stage.notes,
        *checks.check_stored(ledger, logs),
        checks.check_shown(ledger, logs),
        *await checks.check_tables(room, stage.ports[0]),
        checks.check_memory(max(stage.memory["control"]), stage.memory.get("attack", [])),
        *checks.check_times(ledger),
        *checks.check_complaints(ledger, found),
        *([checks.check_log([server.log_path for server in stage.servers])] if len(stage.servers) == 1 else []),
    ]


async def finish(people: Sequence[Person]) -> None:
    """Nobody begins anything more; wait until everything is answered."""
    for person in people:
        person.is_acting = False
    deadline = time.monotonic() + 2 * PATIENCE
    while time.monotonic() < deadline and not all(person.is_done for person in people):
        await asyncio.sleep(0.2)


async def catch_up(room: Room, logs: dict[str, Log]) -> None:
    """Everybody connects once more with the last event they have seen, and is shown the rest."""
    present = [person for person in room.people if person.witness.is_present]
    tasks = [asyncio.create_task(person.run()) for person in present]
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if all(person.witness.seq >= max(logs.get(person.place.table, {0: {}})) for person in present):
            break
        await asyncio.sleep(0.2)
    await stop_tasks(tasks)


async def stop_tasks(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel tasks; what ended them earlier is raised."""
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception):
            raise outcome


async def sample_memory(stage: Stage, ledger: Ledger) -> None:
    """Note the servers' memory."""
    while True:
        for server in stage.servers:
            with contextlib.suppress(OSError, StopIteration, AssertionError):  # it is just being restarted
                stage.memory.setdefault(ledger.phase, []).append(resident(server.pid))
        await asyncio.sleep(SAMPLE_SECONDS)


async def report_progress(ledger: Ledger) -> None:
    """Print now and then how far it is."""
    begin = time.monotonic()
    while True:
        await asyncio.sleep(30)
        complaints = sum(count for what, count in ledger.counts.items() if what.startswith("complaint"))
        print(
            f"  {(time.monotonic() - begin) / 60:.1f} min, {len(ledger.commands):,} commands, {complaints} complaints",
            flush=True,
        )


def start_attackers(ports: Sequence[int], seconds: float, args: argparse.Namespace) -> subprocess.Popen[str]:
    """The attackers, in a process of their own that ends by itself."""
    command = [sys.executable, "-m", "benchmarks.soak.attackers", "--ports", ",".join(map(str, ports))]
    command += ["--seconds", str(seconds), "--seed", str(args.seed), "--only", args.only]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def end_attackers(attackers: subprocess.Popen[str], seconds: float) -> dict[str, dict[str, int]]:
    """What they found."""
    try:
        output, _ = attackers.communicate(timeout=seconds + 60)
    except subprocess.TimeoutExpired:
        attackers.kill()
        attackers.communicate()
        return {"complaints": {"the attackers did not end": 1}}
    found: dict[str, dict[str, int]] = json.loads(output)
    return found


def main() -> None:
    """Soak, print what held, and write it down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20.0, help="how long it takes, the control run included")
    parser.add_argument("--tables", type=int, default=60, help="honest tables")
    parser.add_argument("--cluster", action="store_true", help="two servers on PostgreSQL and Redis")
    parser.add_argument("--seed", type=int, default=1, help="of everything that clients and faults choose")
    parser.add_argument("--only", default="", help="names of attacks, with commas; all of them if left out")
    parser.add_argument("--calm", action="store_true", help="no attackers: faults only")
    parser.add_argument("--dry", action="store_true", help="print only, do not write RESULTS.md")
    args = parser.parse_args()
    os.sched_setaffinity(0, {CLIENT_CORE})

    async def run(folder: Path) -> tuple[list[Check], Ledger]:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        ledger = Ledger()
        stage = cluster if args.cluster else alone
        async with (
            asyncio.timeout(60 * args.minutes + END_SECONDS),
            stage(folder, ledger, args.seed) as (servers, faults),
        ):
            return await soak(servers, faults, ledger, args), ledger

    with tempfile.TemporaryDirectory(prefix="ludotheque-soak-") as folder:
        found, ledger = uvloop.run(run(Path(folder)))
    print()
    for check in found:
        print(check, flush=True)
    if not args.dry:
        rows = [f"| {check.what} | {'yes' if check.is_good else '**no**'} | {check.detail} |" for check in found]
        faults = ", ".join(
            f"{what.removeprefix('fault: ')} {count}×" for what, count in ledger.counts.items() if "fault: " in what
        )
        notes = f"{args.minutes:g} minutes, {args.tables} honest tables. Faults: {faults}."
        command = f"python -m benchmarks.soak --minutes {args.minutes:g}" + (" --cluster" if args.cluster else "")
        title = "Soak, two servers" if args.cluster else "Soak"
        write_section(title, [notes, "", "| what | held | |", "|---|---|---|", *rows], command)
    sys.exit(0 if all(check.is_good for check in found) else 1)


if __name__ == "__main__":
    main()
