"""The proxy that `deploy/nginx.conf` sets up: two servers behind one address, with sockets, headers and a failure."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from tests import needs
from tests.installs import room_match
from tests.server.process import Server
from tests.server.services import Nginx, Postgres, Redis, find

pytestmark = pytest.mark.slow

MISSING = "nginx is not installed (Debian, Ubuntu: apt-get install nginx-light)"


@pytest.fixture
def servers(database: Postgres, redis: Redis, tmp_path: Path) -> Iterator[list[Server]]:
    """Two servers that share their tables and believe the proxy."""
    shared = ("--database", database.url, "--bus", redis.url)
    with Server(tmp_path, *shared, TRUST_PROXY="yes") as one, Server(tmp_path, *shared, TRUST_PROXY="yes") as other:
        yield [one, other]


@pytest.fixture
def proxy(servers: list[Server]) -> Iterator[Nginx]:
    """nginx in front of them."""
    if find("nginx") is None:
        needs.missing(MISSING)
    service = Nginx([server.port for server in servers])
    service.start()
    yield service
    service.remove()


def connections(server: Server) -> int:
    """How many sockets are open at a server."""
    lines = httpx.get(f"{server.url}/metrics").text.splitlines()
    return int(float(next(line.split()[1] for line in lines if line.startswith("ludotheque_connections "))))


async def test_two_servers_behind_one_address(proxy: Nginx, servers: list[Server]) -> None:
    await room_match.main(proxy.url, proxy.url)
    await room_match.main(servers[0].url, proxy.url)
    made = room_match.post(proxy.url, "/api/tables", {"game": "volle_lotte", "seats": 2, "name": "Ann", "public": True})
    hello = json.dumps({"type": "hello", "after": None, "lang": "en"})
    address = f"{proxy.url.replace('http', 'ws', 1)}/ws/{made['table']['id']}"
    async with connect(address) as one, connect(address) as other:
        for viewer in (one, other):
            await viewer.send(hello)
            assert json.loads(await viewer.recv())["type"] == "welcome"
        # The people of a table meet at one server.
        assert sorted(connections(server) for server in servers) == [0, 2]

    assert "<script" in httpx.get(proxy.url).text or "make web" in httpx.get(proxy.url).text
    assert httpx.get(f"{proxy.url}/healthz").status_code == 200
    assert httpx.get(f"{proxy.url}/metrics").status_code == 404
    # Pages of this very address may set up tables, others may not: the Host header arrives with its port.
    body = {"game": "volle_lotte", "seats": 2, "name": "Ann"}
    assert httpx.post(f"{proxy.url}/api/tables", json=body, headers={"Origin": proxy.url}).status_code == 200
    assert httpx.post(f"{proxy.url}/api/tables", json=body, headers={"Origin": "http://a.example"}).status_code == 403

    servers[0].stop(signal.SIGKILL)
    for _ in range(4):
        assert httpx.get(f"{proxy.url}/healthz").status_code == 200
    await room_match.main(proxy.url, proxy.url)


def test_nginx_finds_nothing_wrong() -> None:
    nginx = find("nginx")
    if nginx is None:
        needs.missing(MISSING)
    service = Nginx([1, 2])
    command = [
        nginx,
        "-t",
        "-p",
        str(service.folder),
        "-c",
        str(service.file),
        "-e",
        str(service.folder / "errors.txt"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    service.remove()
    assert done.returncode == 0 and "warn" not in done.stderr, done.stderr
