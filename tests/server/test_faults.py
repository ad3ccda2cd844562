"""Real processes that are killed, and real databases that go away: no acknowledged move is lost, none is doubled."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import psycopg
import pytest

from tests.server.house import PATIENCE, run
from tests.server.load import Roamer, at_play, check, greeted, make_tables, played
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


def test_a_server_killed_at_random_moments_loses_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        chance = random.Random(7)
        kills = 0
        with Server(tmp_path) as server:
            while kills < 50:

                async def kill_and_start() -> None:
                    nonlocal kills
                    for _ in range(10):
                        await asyncio.sleep(chance.uniform(0.05, 0.6))
                        await in_thread(lambda: server.stop(signal.SIGKILL))
                        await in_thread(server.start)
                        kills += 1

                checked, roamers = await under_load([server], kill_and_start)
                assert checked > 20
                assert any(roamer.connects > 1 for roamer in roamers)

    run(story(), 900)


def test_a_server_killed_a_few_times_loses_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        chance = random.Random(8)
        with Server(tmp_path) as server:

            async def kill_and_start() -> None:
                for _ in range(3):
                    await asyncio.sleep(chance.uniform(0.1, 0.8))
                    await in_thread(lambda: server.stop(signal.SIGKILL))
                    await in_thread(server.start)

            checked, _ = await under_load([server], kill_and_start)
            assert checked > 20

    run(story(), 300)


ENDLESS = """
import sys
from ludotheque.cli import main
from ludotheque.core.desks import Desks
from ludotheque.core.match import Match
from ludotheque.core.painter import Painter, Referee
from ludotheque.core.portray import DOING, JOB, PLY, RECORD
from ludotheque.core.traffic import AT_DESK

init, play, do, allows = Match.__init__, Match.play, Painter.do, Referee.allows
tell, take_in = Painter.tell, Desks.take_in
zoes = {}

def init_and_note(match, game, names, *given):
    init(match, game, names, *given)
    if names[0] == "Zoe":
        zoes[match.address] = match

def play_or_hang(match, move, seat=None):
    while match.names[0] == "Zoe" and len(match.moves) == 4:
        pass
    play(match, move, seat)

def do_or_hang(painter, jobs, *given):
    for first in range(0, len(jobs), JOB):
        while jobs[first + RECORD] in zoes and jobs[first + PLY] == 4:
            painter._report[DOING] = first // JOB
    return do(painter, jobs, *given)

def allows_or_hangs(referee, questions):
    for number, record in enumerate(questions[::3]):
        while record in zoes and len(zoes[record].moves) == 4:
            referee._asking[0] = number
    return allows(referee, questions)

def tell_or_hang(painter, tray, *given):
    for job in range(tray.count):
        while tray.jobs[job, RECORD] in zoes and tray.jobs[job, PLY] == 4:
            painter._report[DOING] = job
    return tell(painter, tray, *given)

def take_in_or_hang(desks, *given):
    for desk in range(1, desks._num_used):
        while desks.is_open(desk) and desks.desks[desk, RECORD] in zoes and desks.desks[desk, PLY] == 4:
            desks._state[AT_DESK] = desk
    return take_in(desks, *given)

Match.__init__ = init_and_note
if WHERE == "playing":
    Match.play, Painter.do, Painter.tell = play_or_hang, do_or_hang, tell_or_hang
else:
    Referee.allows, Desks.take_in = allows_or_hangs, take_in_or_hang
sys.exit(main())
"""


@pytest.mark.parametrize("where", ["playing", "judging"])
def test_a_rule_that_never_ends_harms_its_own_table_only(tmp_path: Path, where: str) -> None:
    program = tmp_path / "endless.py"
    program.write_text(ENDLESS.replace("WHERE", repr(where)))

    async def story() -> None:
        with Server(tmp_path, program=[str(program)], RULE_SECONDS="1") as server:
            assert server.process is not None
            pid = server.process.pid

            async def hang() -> None:
                ((table, tokens),) = await make_tables(server.url, 1, "Zoe")
                zoe_and_bob = [Roamer([server.port], table, seat, token) for seat, token in enumerate(tokens)]
                async with at_play(zoe_and_bob), asyncio.timeout(PATIENCE):
                    answer = None
                    while answer is None or answer["type"] != "bye":  # the server is back, but not for this table
                        await asyncio.sleep(0.05)
                        answer = await greeted(server.port, table, tokens[0])
                    assert answer["code"] == "broken"
                assert sum(len(one.acked) for one in zoe_and_bob) == 4

            checked, roamers = await under_load([server], hang)
            assert checked > 20
            assert all(roamer.connects > 1 for roamer in roamers)
            assert server.process.pid == pid and server.process.poll() is None

    run(story(), 300)


def test_a_server_that_is_asked_to_stop_says_goodbye_and_loses_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        with Server(tmp_path) as server:

            async def restart() -> None:
                await in_thread(server.stop)
                await in_thread(server.start)

            checked, _ = await under_load([server], restart)
            assert checked > 20
        log = (tmp_path / f"log-{server.port}.txt").read_text()
        assert '"error"' not in log

    run(story(), 300)


@pytest.fixture
def clean(postgres: Postgres) -> Postgres:
    """A PostgreSQL with nothing in it."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres


@pytest.mark.parametrize("what", ["nothing", "server", "redis", "postgres", "everything"])
def test_two_servers_share_tables_and_survive(tmp_path: Path, clean: Postgres, redis: Redis, what: str) -> None:
    async def story() -> None:
        arguments = ("--database", clean.url, "--bus", redis.url)
        with Server(tmp_path, *arguments) as one, Server(tmp_path, *arguments) as two:

            async def trouble() -> None:
                await asyncio.sleep(1.0)
                if what in ("server", "everything"):
                    await in_thread(lambda: one.stop(signal.SIGKILL))
                    await asyncio.sleep(0.5)
                    await in_thread(one.start)
                if what in ("redis", "everything"):
                    await in_thread(lambda: redis.stop(signal.SIGKILL))
                    await asyncio.sleep(0.7)
                    await in_thread(redis.start)
                if what in ("postgres", "everything"):
                    await in_thread(lambda: clean.stop(signal.SIGINT))
                    await asyncio.sleep(0.7)
                    await in_thread(clean.start)
                await asyncio.sleep(1.0)

            checked, _ = await under_load([one, two], trouble)
            assert checked > 20

    run(story(), 300)
