"""Real processes that are killed, and real databases that go away: no acknowledged move is lost, none is doubled."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.server.attack import eventually
from tests.server.load import Roamer, at_play, check, make_tables, played
from tests.server.process import Server
from tests.server.services import Postgres, Redis

pytestmark = pytest.mark.slow

TABLES = 6


async def under_load(
    servers: list[Server], trouble: Callable[[], Awaitable[None]], tables: int = TABLES
) -> tuple[int, list[Roamer]]:
    """Players at several tables, the two of each at different servers, while there is trouble."""
    made = await make_tables(servers[0].url, tables)
    ports = [server.port for server in servers]
    roamers = [
        Roamer(ports if seat == 0 else ports[::-1], table, seat, token)
        for table, tokens in made
        for seat, token in enumerate(tokens)
    ]
    async with at_play(roamers):
        await played(roamers, 30)
        await trouble()
        await played(roamers, 1 + sum(len(roamer.acked) for roamer in roamers))
    return await check(servers[-1].url, roamers), roamers


def in_thread(work: Callable[[], object]) -> Awaitable[object]:
    return asyncio.get_running_loop().run_in_executor(None, work)


async def test_a_server_killed_at_random_moments_loses_nothing(tmp_path: Path) -> None:
    chance = random.Random(7)
    with Server(tmp_path) as server:

        async def kill_and_start() -> None:
            for _ in range(10):
                await asyncio.sleep(chance.uniform(0.05, 0.6))
                await in_thread(lambda: server.stop(signal.SIGKILL))
                await in_thread(server.start)

        for _ in range(5):
            checked, roamers = await under_load([server], kill_and_start)
            assert checked > 20
            assert any(roamer.connects > 1 for roamer in roamers)
        log = (tmp_path / f"log-{server.port}.txt").read_text()
        assert '"critical"' not in log  # no acknowledged event was missed at a start


ENDLESS = """
import sys
from ludotheque.cli import main
from ludotheque.core.match import Match

def hanging(method):
    def hang_or_go_on(match, *given):
        while match.names[0] == "Zoe" and len(match.moves) == 4:
            pass
        return method(match, *given)

    return hang_or_go_on

name = {"playing": "play", "judging": "allows"}[WHERE]
setattr(Match, name, hanging(getattr(Match, name)))
sys.exit(main())
"""


@pytest.mark.parametrize("where", ["playing", "judging"])
async def test_a_rule_that_never_ends_harms_its_own_table_only(tmp_path: Path, where: str) -> None:
    program = tmp_path / "endless.py"
    program.write_text(ENDLESS.replace("WHERE", repr(where)))

    with Server(tmp_path, program=[str(program)], RULE_SECONDS="1") as server:
        assert server.process is not None
        pid = server.process.pid

        async def hang() -> None:
            ((table, tokens),) = await make_tables(server.url, 1, "Zoe")
            zoe_and_bob = [Roamer([server.port], table, seat, token) for seat, token in enumerate(tokens)]
            async with at_play(zoe_and_bob), httpx.AsyncClient(base_url=server.url, timeout=60) as http:
                headers = {"Authorization": f"Bearer {tokens[0]}"}

                async def is_broken() -> bool:  # the server is back, but not for this table
                    try:
                        answer = await http.get(f"/api/tables/{table}", headers=headers)
                        return bool(answer.json().get("code") == "broken")
                    except httpx.HTTPError:
                        return False

                assert await eventually(is_broken)
            assert sum(len(one.acked) for one in zoe_and_bob) == 4

        checked, roamers = await under_load([server], hang)
        assert checked > 20
        assert all(roamer.connects > 1 for roamer in roamers)
        assert server.process.pid == pid and server.process.poll() is None


async def test_a_server_that_is_asked_to_stop_says_goodbye_and_loses_nothing(tmp_path: Path) -> None:
    with Server(tmp_path) as server:

        async def restart() -> None:
            await in_thread(server.stop)
            await in_thread(server.start)

        checked, _ = await under_load([server], restart)
        assert checked > 20
    log = (tmp_path / f"log-{server.port}.txt").read_text()
    assert '"error"' not in log


async def test_two_servers_share_tables_and_survive(tmp_path: Path, database: Postgres, redis: Redis) -> None:
    """One of the servers is killed, then Redis, then PostgreSQL stops; each comes back, and play goes on between."""
    arguments = ("--database", database.url, "--bus", redis.url)
    with Server(tmp_path, *arguments) as one, Server(tmp_path, *arguments) as two:

        async def trouble() -> None:
            for what, how in ((one, signal.SIGKILL), (redis, signal.SIGKILL), (database, signal.SIGINT)):
                await asyncio.sleep(1.0)
                await in_thread(partial(what.stop, how))
                await asyncio.sleep(0.7)
                await in_thread(what.start)
            await asyncio.sleep(1.0)

        checked, _ = await under_load([one, two], trouble)
        assert checked > 20
