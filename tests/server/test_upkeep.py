"""A server that is slow, short of space or damaged: it says so, and nobody pays for it who need not."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import pytest
from picows import ws_connect

from tests.server.attack import ask, eventually, slow_store
from tests.server.house import GAME, Client, House, play, running
from tests.server.process import Server

# A hello is answered, however long that takes.


async def test_who_said_hello_in_time_is_not_cut_off_while_the_table_is_loaded(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        table, tokens, _ = await house.match("Ann", "Bob")
    async with running(tmp_path, hello_seconds=0.5) as house, slow_store(house) as is_free:
        players = [await house.connect(table) for _ in tokens]
        for player, token, after in zip(players, tokens, (None, 0), strict=True):
            player.send("hello", token=token, after=after)
        mute = await house.connect(table)
        await asyncio.wait_for(mute.closed.wait(), 60)  # so much time has passed by now
        await asyncio.sleep(0.5)
        is_free.set()
        for player in players:
            answer = await player.next()
            assert answer["type"] == "welcome", answer
            assert (await player.ask("ping"))["type"] == "ack"


# What has happened is not computed again where everybody waits for it.


@contextlib.contextmanager
def counted_calls() -> Iterator[Callable[[], int]]:
    """How many functions this thread, which is the event loop's, has called so far: work, whatever the clock says."""
    calls = 0

    def count(_frame: FrameType, what: str, _argument: Any) -> None:
        nonlocal calls
        calls += what in ("call", "c_call")

    sys.setprofile(count)
    try:
        yield lambda: calls
    finally:
        sys.setprofile(None)


@pytest.mark.slow
async def test_history_is_not_computed_in_the_event_loop(house: House) -> None:
    """Resuming after the last few events takes no more of the loop at a table with a long history."""

    async def work(table: str, token: str, seq: int) -> int:
        least = sys.maxsize
        for _ in range(3):
            with counted_calls() as calls:
                client = await house.enter(table, token, after=seq - 5)
                least = min(least, calls())
            assert len(client.welcome["events"]) == 5
            client.close()
            await asyncio.wait_for(client.closed.wait(), 60)
        return least

    costs: list[int] = []
    for num_said in (25, 2500):
        table, tokens, clients = await house.match("Ann", "Bob")
        ann = clients[0]
        for first in range(0, num_said, 25):
            ids = {ann.send("say", id=f"{first}-{n}", text="hello") for n in range(25)}
            while ids:
                ids.discard((await ann.next("update")).get("re", ""))
        await play(clients, 6)
        costs.append(await work(table, tokens[0], ann.seq))
        for client in clients:
            client.close()
    short, long = costs
    assert long < 2 * short + 1000, f"{short} calls at a young table, {long} at an old one"


# Health.


async def enter(server: Server, made: httpx.Response, **hello: Any) -> tuple[Client, dict[str, Any]]:
    """Ann at her table of a server process, and the first answer."""
    assert made.status_code == 200, made.text
    _, client = await ws_connect(Client, f"ws://127.0.0.1:{server.port}/ws/{made.json()['table']['id']}")
    assert isinstance(client, Client)
    client.send("hello", token=made.json()["token"], **hello)
    return client, await client.next("welcome", "bye")


async def new_table(server: Server) -> httpx.Response:
    """A table where Ann waits for somebody."""
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        return await http.post("/api/tables", json={"game": GAME, "name": "Ann"})


@pytest.mark.slow
async def test_a_full_disk_is_no_good_health(tmp_path: Path) -> None:
    """Files may not grow any more: what is said is refused, and health says so until there is space again."""
    with Server(tmp_path) as server:
        assert server.process is not None
        pid = server.process.pid
        ann, _ = await enter(server, await new_table(server))
        assert (await ann.ask("say", text="before"))["type"] == "update"
        assert await ask(server.port) == 200
        limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, limits[1]))
        refused = await ann.ask("say", text="during")
        assert (refused["type"], refused["code"]) == ("refused", "disk") and refused["text"]
        assert (await new_table(server)).status_code == 503
        for _ in range(3):
            assert await ask(server.port) == 503
        assert server.process.poll() is None
        resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)

        async def is_well() -> bool:
            return await ask(server.port) == 200

        assert await eventually(is_well)
        assert (await ann.ask("say", text="after"))["type"] == "update"
        assert await is_well()


# Acknowledged events that are gone.


@pytest.mark.slow
async def test_acknowledged_events_that_are_gone_are_reported_at_start(tmp_path: Path) -> None:
    """After a kill nothing is; after a torn write-ahead log a critical line says so, and the server runs."""
    with Server(tmp_path) as server:
        made = await new_table(server)
        for is_torn in (False, True):
            ann, _ = await enter(server, made)
            for _ in range(40):
                assert (await ann.ask("say", text="well"))["type"] == "update"
            ann.transport.disconnect()
            server.stop(signal.SIGKILL)
            if is_torn:
                (wal,) = tmp_path.glob("*-wal")
                assert wal.stat().st_size > 40_000
                os.truncate(wal, wal.stat().st_size // 2)
            server.start()
            _, first = await enter(server, made, after=0)
            assert (first["type"] == "bye" or first["seq"] < ann.seq) == is_torn
            assert ('"critical"' in (tmp_path / f"log-{server.port}.txt").read_text()) == is_torn
            assert await ask(server.port) == 200
