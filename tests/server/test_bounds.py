"""Bounds on what one connection may send: pings, requests for WebSockets, headers, addresses and bodies."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from picows import WSError

from tests.server.attack import (
    KEY,
    MEGABYTE,
    PING,
    PONG,
    TEXT,
    RawClient,
    Wire,
    ask,
    frame,
    message,
    resident,
    status_of,
    upgrade,
)
from tests.server.house import GAME, Client, House
from tests.server.process import Server

GROWTH = 20 * MEGABYTE
"""So much more memory a server may take while it is attacked."""
MOST = MEGABYTE
"""No request is read beyond that, and most are cut off long before."""
PIECE = 32_768
LATE = 15.0
"""How long one waits for a server that has two seconds."""


@pytest.fixture(scope="module")
def roomy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has much time: what it cuts off it cuts off for its size."""
    with Server(tmp_path_factory.mktemp("roomy"), HELLO_SECONDS="600") as server:
        yield server


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits two seconds."""
    with Server(tmp_path_factory.mktemp("strict"), HELLO_SECONDS="2") as server:
        yield server


async def new_pad(server: Server) -> str:
    """A public score pad: a table that needs no rules to be loaded."""
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        body = {"game": GAME, "kind": "pad", "players": ["Ann", "Bob"], "public": True}
        answer = await http.post("/api/tables", json=body)
    assert answer.status_code == 200, answer.text
    table: str = answer.json()["table"]["id"]
    return table


# Pings.


async def flood(client: Wire, piece: bytes, total: int) -> bool:
    """Send the same as fast as the server takes it, and read nothing; whether the server stopped it."""
    try:
        while client.sent < total:
            await asyncio.wait_for(client.send(piece), LATE)
    except (ConnectionError, TimeoutError):
        return True
    return False


@pytest.mark.slow
async def test_a_ping_flood_takes_no_memory_and_holds_nobody_up(tmp_path: Path) -> None:
    """Four at once that send pings and read nothing."""
    with Server(tmp_path, MESSAGES_PER_SECOND="20", MESSAGES_AT_ONCE="60") as server:
        assert server.process is not None
        pid = server.process.pid
        table = await new_pad(server)
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(RawClient(server.port)) for _ in range(5)]
            for client in clients:
                await client.enter(table)
                assert await pong(client, b"before")
            polite = clients.pop()
            before = peak = resident(pid)
            pings = frame(PING, b"x" * 125) * 1000
            floods = [asyncio.create_task(flood(client, pings, 32 * MEGABYTE)) for client in clients]
            num_answered = 0
            while not all(task.done() for task in floods):
                assert await ask(server.port) == 200
                num_answered += 1
                peak = max(peak, resident(pid))
            peak = max(peak, resident(pid))
            assert peak - before < GROWTH, f"took {(peak - before) // MEGABYTE} MB"
            # Either the flood was stopped, or others were served while it went on.
            assert all(task.result() for task in floods) or num_answered > 3
            assert await pong(polite, b"after")


async def pong(client: RawClient, payload: bytes) -> bool:
    """Whether a ping is answered."""
    await client.send(frame(PING, payload))
    async with asyncio.timeout(LATE):
        async for kind, data in client.frames():
            if kind == PONG and data == payload:
                return True
    return False


@pytest.mark.settings(messages_per_second=1, messages_at_once=20)
async def test_pings_count_as_messages(house: House) -> None:
    """Polite ones are answered; who sends too many gets no answer to the rest, also if it reads, or is cut off."""
    table, tokens = await house.table("Ann", seats=3)
    async with RawClient(house.port) as client:
        await client.enter(table, token=tokens[0])
        for payload in (b"", b"a", b"x" * 125):
            assert await pong(client, payload)
        pongs = 0
        with contextlib.suppress(ConnectionError):
            for number in range(20):
                await client.send(b"".join(frame(PING, b"%d" % (50 * number + n)) for n in range(50)))
            await client.send(message("ping", id="last"))
            async for kind, data in client.frames():
                pongs += kind == PONG
                if kind == TEXT and b'"last"' in data:
                    break
        # Twenty at once, and one a second for as long as it took.
        assert pongs < 100, f"{pongs} of 1000 pings answered"


# Requests for WebSockets.

NOWHERE = upgrade("abcdefghjkmn")

MALFORMED = {
    "no key": upgrade("abcdefghjkmn", Sec_WebSocket_Key=None),
    "key garbage": upgrade("abcdefghjkmn", Sec_WebSocket_Key="!!!!"),
    "two keys": NOWHERE.replace(b"\r\n\r\n", f"\r\nSec-WebSocket-Key: {KEY}\r\n\r\n".encode()),
    "old version": upgrade("abcdefghjkmn", Sec_WebSocket_Version="8"),
    "no such path": upgrade("../../x"),
    "bad host": upgrade("abcdefghjkmn", Host="evil.example"),
    "not a get": NOWHERE.replace(b"GET ", b"POST "),
    "with a body": upgrade("abcdefghjkmn", Content_Length="5").replace(b"\r\n\r\n", b"\r\n\r\nhello"),
    "half a request": NOWHERE[:-2],
    "another protocol": upgrade("abcdefghjkmn", Upgrade="h2c"),
}
"""Upgrades that are refused, or lead nowhere."""


@pytest.mark.settings(connections_per_address=20)
@pytest.mark.parametrize("what", MALFORMED)
async def test_connections_of_an_address_are_counted_as_long_as_they_last(house: House, what: str) -> None:
    """Malformed upgrades are forgotten with their connection; nor do they make room for others."""
    table, tokens = await house.table("Ann", seats=3)
    held = [await house.enter(table, tokens[0]) for _ in range(5)]
    for number in range(60):
        async with Wire(house.port) as wire:
            with contextlib.suppress(ConnectionError):
                await wire.send(MALFORMED[what])
                if number % 5 == 0:
                    await wire.answered(0.1)
            if number % 5 == 1:
                wire.abort()
    with pytest.raises((WSError, OSError, TimeoutError)):  # the limit is still there
        for _ in range(40):
            held.append(await lawful(house, table, tokens[0]))
    assert 15 <= len(held) <= 20, f"{len(held)} of 20 lawful connections were let in"
    for client in held:
        client.close()
    await lawful(house, table, tokens[0])


async def lawful(house: House, table: str, token: str) -> Client:
    """A connection that is let in as soon as the server has noticed that others are gone."""
    for _ in range(20):
        with contextlib.suppress(WSError, OSError):
            return await house.enter(table, token)
        await asyncio.sleep(0.05)
    raise ConnectionRefusedError


# HTTP: sizes.

JSON = b"Host: localhost\r\nContent-Type: application/json\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/tables HTTP/1.1\r\n" + JSON
FIRST = GET + b"\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
PADDING = (b"X-Padding: " + b"a" * 500 + b"\r\n") * 64
CHUNK = b"8000\r\n" + b" " * PIECE + b"\r\n"
VAST = b"Content-Length: 1000000000000\r\n\r\n"

ENDLESS: dict[str, tuple[bytes, bytes]] = {
    "headers": (GET, PADDING),
    "one header": (GET + b"X-Padding: ", b"a" * PIECE),
    "the name of a header": (GET, b"a" * PIECE),
    "an address": (b"GET /", b"a" * PIECE),
    "a method": (b"", b"G" * PIECE),
    "empty lines": (b"", b"\r\n" * (PIECE // 2)),
    "headers of an upgrade": (NOWHERE[:-2], PADDING),
    "a chunked body": (CHUNKED, CHUNK),
    "tiny chunks": (CHUNKED, b"1\r\n \r\n" * 5000),
    "a chunk's extension": (CHUNKED + b"1;", b"a" * PIECE),
    "trailers": (CHUNKED + b"2\r\n{}\r\n0\r\n", PADDING),
    "a long body": (POST + VAST, b" " * PIECE),
    "a body that nobody asked for": (GET + b"Transfer-Encoding: chunked\r\n\r\n", CHUNK),
    "a body that is refused": (b"POST /nowhere HTTP/1.1\r\n" + JSON + VAST, b" " * PIECE),
}
"""What never ends: its beginning, and what follows over and over."""


@pytest.mark.parametrize("is_second", [False, True], ids=["first", "second"])
@pytest.mark.parametrize("what", ENDLESS)
async def test_what_never_ends_is_cut_off(roomy: Server, what: str, is_second: bool) -> None:
    """Also as the second request of a connection that is kept."""
    head, piece = ENDLESS[what]
    async with Wire(roomy.port) as wire:
        if is_second:
            await wire.send(FIRST)
            assert await wire.answered() == 200
            wire.received.clear()
        with contextlib.suppress(ConnectionError):
            await wire.send(head)
            while wire.sent < 2 * MOST and not await wire.is_closed(0.01):
                await wire.send(piece)
                assert await ask(roomy.port) == 200  # so it has had the time to read the piece, too
        assert await wire.is_closed(1.0) and wire.sent <= MOST + 2 * PIECE
    status = status_of(wire.received)
    assert status in ({0, 200, 404} if what.startswith("a body") else {0}) or 400 <= status < 500


async def test_a_body_announced_as_too_long_is_refused_before_it_comes(roomy: Server) -> None:
    for length in (65_537, 10**12, 10**30):
        async with Wire(roomy.port) as wire:
            head = POST + b"Content-Length: %d\r\n\r\n" % length
            await wire.send(head)
            assert await wire.answered(LATE) in (0, 400, 413), length
            assert await wire.is_closed(LATE), length


@pytest.mark.slow
async def test_endless_requests_take_no_memory(roomy: Server) -> None:
    """Many at once, each as fast as it is read."""
    assert roomy.process is not None
    pid = roomy.process.pid

    async def pour_out(head: bytes, piece: bytes) -> None:
        async with Wire(roomy.port) as wire:
            with contextlib.suppress(ConnectionError):
                await wire.send(head)
                await flood(wire, piece, 8 * MEGABYTE)
                await wire.answered(1.0)

    before = resident(pid)
    for _ in range(2):
        await asyncio.gather(*(pour_out(*given) for given in ENDLESS.values()))
    after = resident(pid)
    assert after - before < GROWTH, f"took {(after - before) // MEGABYTE} MB"
    assert await ask(roomy.port) == 200


# HTTP: times.


UNFINISHED = {
    "address": b"GET /",
    "headers": GET + b"X-Padding: ",
    "upgrade": NOWHERE[:-2] + b"X-Padding: ",
    "body": POST + b"Content-Length: 60000\r\n\r\n",
    "half a body": POST + b'Content-Length: 60000\r\n\r\n{"game":',
    "body with permission": POST + b"Content-Length: 60000\r\nExpect: 100-continue\r\n\r\n",
    "chunked body": CHUNKED + b"8000\r\n",
    "refused body": b"POST /nowhere HTTP/1.1\r\n" + JSON + b"Content-Length: 60000\r\n\r\n",
}
"""Requests that do not come to their end."""


@pytest.mark.slow
async def test_requests_that_do_not_come_to_their_end_are_not_waited_for(strict: Server) -> None:
    """Two hundred at once, silent or with a byte every now and then, as the first or the second request."""

    async def wait(number: int) -> bool:
        async with Wire(strict.port) as wire:
            if number & 1:
                await wire.send(FIRST)
                assert await wire.answered() == 200
                wire.received.clear()
            try:
                await wire.send(list(UNFINISHED.values())[number // 4 % len(UNFINISHED)])
                for _ in range(int(LATE / 0.25)):
                    if number & 2:
                        await wire.send(b"a")
                    if await wire.is_closed(0.25):
                        return status_of(wire.received) in (0, 100, 400, 404, 408)
            except ConnectionError:
                return True
            return False

    waiting = asyncio.gather(*(wait(number) for number in range(200)))
    await asyncio.sleep(0.5)
    assert await ask(strict.port) == 200
    held = {list(UNFINISHED)[number // 4 % len(UNFINISHED)] for number, over in enumerate(await waiting) if not over}
    assert not held


@pytest.mark.slow
async def test_patient_clients_are_not_hurt(strict: Server) -> None:
    """Connections that are kept, with pauses longer than a request may take, bodies in parts, and WebSockets."""
    table = await new_pad(strict)
    async with Wire(strict.port) as wire, RawClient(strict.port) as client:
        await client.enter(table)
        for _ in range(100):
            await wire.send(FIRST)
            assert await wire.answered() == 200
        await asyncio.sleep(3)
        await wire.send(FIRST)
        assert await wire.answered() == 200
        body = b'{"game":"%s","name":"Ann"}' % GAME.encode()
        for _ in range(2):
            await wire.send(POST + b"Content-Length: %d\r\n\r\n" % len(body))
            for part in (body[:5], body[5:]):
                await asyncio.sleep(0.2)
                await wire.send(part)
            assert await wire.answered() == 200
        await wire.send(CHUNKED + b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))
        assert await wire.answered() == 200
        await wire.send(POST + b"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n" % len(body))
        assert await wire.answered() == 100
        await wire.send(body)
        assert await wire.answered() == 200
        long_cookie = b"Cookie: ludotheque=%s\r\n" % (b"a" * 4000)
        await wire.send(b"GET /healthz?%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (b"a" * 2000, long_cookie))
        assert await wire.answered() == 200
        assert await pong(client, b"still here")
