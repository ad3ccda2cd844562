"""Attackers: whatever a hostile client may send, bounded in rate, in count and in time, on loopback only.

They run in a process of their own (`python -m benchmarks.soak.attackers`), so that they do not delay the honest
clients themselves. Each has an address of its own, since the server limits each address. A line of JSON at the end says
what each has done, and what the server let pass that it should not.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import socket
import struct
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import msgspec
import uvloop

from benchmarks.room_client import BINARY, FIN, LOOPBACK, PING, TEXT, UPGRADE, Http, frame
from benchmarks.room_process import CLIENT_CORE
from ludotheque.server.session.presence import ANNOUNCE_SECONDS, FORGET_SECONDS

T = TypeVar("T")

HELD_SECONDS = 45.0
"""A connection that sends no whole request, or no hello, should be closed before that."""
MOST_BYTES = 4 << 20
"""More than that of one request should not be taken in; some of it waits in the system's buffers."""
GONE_SECONDS = 5.0
"""A closed connection should be noticed before that, at its own server."""
LOST = (OSError, TimeoutError, EOFError)


class Raw:
    """A TCP connection without any manners."""

    def __init__(self, target: Target, source: str, small_window: bool = False) -> None:
        self._loop = asyncio.get_running_loop()
        self._target = target
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.bind((source, 0))
        if small_window:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)

    async def __aenter__(self) -> Raw:
        try:
            await self._within(self._loop.sock_connect(self.socket, (LOOPBACK, self._target.port)), 10)
        except BaseException:
            self.socket.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self.socket.close()

    async def send(self, data: bytes, seconds: float = 10) -> None:
        """Send; a `TimeoutError` if the server takes nothing for so long."""
        await self._within(self._loop.sock_sendall(self.socket, data), seconds)

    async def read(self, seconds: float = 5) -> bytes:
        """Some bytes; none at the end."""
        return await self._within(self._loop.sock_recv(self.socket, 1 << 16), seconds)

    async def upgrade(self, table: str) -> None:
        """Ask for a WebSocket, and wait until it is there."""
        await self.send(UPGRADE.format(path=f"/ws/{table}", extra="").encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            part = await self.read(10)
            if not part:
                raise EOFError
            answer += part
        if b" 101 " not in answer[:20]:
            raise ConnectionRefusedError(answer[:40])

    async def hello(self, table: Own, seat: int | None) -> None:
        """Say who one is at an own table."""
        await self.upgrade(table.id)
        who = {"key": table.watch} if seat is None else {"token": table.tokens[seat]}
        await self.send(frame(msgspec.json.encode({"type": "hello", **who})))

    async def is_closed_within(self, seconds: float) -> bool:
        """Read until the server closes; False if it does not in time."""
        deadline = time.monotonic() + seconds
        try:
            while time.monotonic() < deadline:
                if not await self.read(max(0.01, deadline - time.monotonic())):
                    return True
        except TimeoutError:
            return False
        except OSError:
            return True
        return False

    def reset(self) -> None:
        """Close with a reset, not politely."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    @staticmethod
    async def _within(work: Awaitable[T], seconds: float) -> T:
        async with asyncio.timeout(seconds):
            return await work


class Own:
    """A table that attackers have set up for themselves."""

    def __init__(self, made: dict[str, Any], tokens: Sequence[str]) -> None:
        self.id: str = made["table"]["id"]
        self.watch: str = made["watch"]
        self.tokens = tokens


class Target:
    """The server, and what is found out about it."""

    def __init__(self, ports: Sequence[int], seconds: float, seed: int) -> None:
        self.ports = ports
        self.ends = time.monotonic() + seconds
        self.chance = random.Random(seed)
        self.rounds: Counter[str] = Counter()
        self.complaints: Counter[str] = Counter()

    @property
    def port(self) -> int:
        """One of the servers."""
        return self.chance.choice(self.ports)

    @property
    def is_over(self) -> bool:
        """Whether it is time to end."""
        return time.monotonic() >= self.ends

    async def own_table(self, source: str) -> Own:
        """A table with two seats, in play."""
        http = Http(self.port, source)
        try:
            wanted = {"game": "double_lucky_7", "name": "Mallory"}
            made = (await http.post("/api/tables", wanted)).body
            path = f"/api/tables/{made['table']['id']}"
            joined = (await http.post(f"{path}/join", {"name": "Eve", "key": made["join"]})).body
            await http.post(f"{path}/start", token=made["token"])
            return Own(made, [made["token"], joined["token"]])
        finally:
            http.close()

    async def public_table(self, source: str) -> str:
        """A table of honest people that anybody may watch."""
        http = Http(self.port, source)
        try:
            return str(self.chance.choice((await http.get("/api/tables"))["tables"])["id"])
        finally:
            http.close()


Attack = Callable[[Target, str], Awaitable[None]]


async def garbage(target: Target, source: str) -> None:
    """Random bytes instead of HTTP."""
    for _ in range(10):
        async with Raw(target, source) as raw:
            head = target.chance.choice(
                (b"", b"GET / HTTP/1.1\r\n", b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\n")
            )
            await raw.send(head + target.chance.randbytes(target.chance.choice((10, 1000, 60_000))))
            await raw.is_closed_within(0.3)


def fuzzed_frame(chance: random.Random) -> bytes:
    """A frame with something wrong, or at least odd."""
    noise = chance.randbytes(chance.choice((0, 1, 125, 126, 4000)))
    deep = b"[" * 8000 + b"]" * 8000
    return chance.choice(
        (
            noise,
            bytes((FIN | TEXT, 5)) + b"hello",  # not masked
            bytes((FIN | TEXT, 0x80 | 127)) + (1 << 62).to_bytes(8, "big") + bytes(4) + noise,
            bytes((FIN | TEXT, 0x80 | 127)) + b"\xff" * 8 + bytes(4),
            bytes((FIN | TEXT, 0x80 | 126)) + (65535).to_bytes(2, "big") + bytes(4) + bytes(65535),
            frame(b"\xff\xfe\xed broken \xc3("),
            frame(b'{"type":"say","id":"a","text":"\xed\xa0\x80"}'),
            frame(noise, chance.choice((0, 3, 7, 11, 15))),  # reserved, or a continuation of nothing
            frame(noise, BINARY),
            bytes((PING, 0x80)) + bytes(4),  # a control frame in parts
            frame(bytes(200), PING),  # a control frame that is too long
            bytes((0x70 | FIN | TEXT, 0x80)) + bytes(4),  # reserved bits
            frame(deep),
            frame(b'{"type":"hello","key":' + deep[:8000]),
            b"".join(bytes((TEXT if not n else 0, 0x81)) + bytes(4) + b"x" for n in range(200)),  # parts without end
        )
    )


async def fuzzed_frames(target: Target, source: str) -> None:
    """Broken frames, before and after a hello."""
    table = await target.own_table(source)
    for _ in range(20):
        async with Raw(target, source) as raw:
            if target.chance.random() < 0.5:
                await raw.upgrade(table.id)
            else:
                await raw.hello(table, target.chance.choice((0, 1, None)))
            for _ in range(target.chance.randrange(1, 4)):
                await raw.send(fuzzed_frame(target.chance))
            await raw.is_closed_within(0.5)


KINDS = "hello move say react contribute add_bot remove_bot take_seat arrange start rematch undo why hint ping"
FIELDS = ("id", "seq", "move", "text", "mark", "value", "seat", "level", "options", "seats", "clock", "entry", "index")


def fuzzed_message(chance: random.Random) -> bytes:
    """A message of the protocol with values that do not belong there."""

    def value(depth: int = 0) -> str:
        simple = [
            "null", "true", "-1", "1e400", "NaN", "9" * 400, '""', '"\\ud800"', '"\\u0000"', '"' + "x" * 300 + '"',
            '"ㅤ⠀ᅟ"', "2.5", "[]", "{}", '"m0"', "0",
        ]  # fmt: skip
        if depth < 3 and chance.random() < 0.2:
            return f'{{"{chance.choice(FIELDS)}":{value(depth + 1)}}}'
        return chance.choice(simple)

    kind = chance.choice([*KINDS.split(), "enter", "wipe", "created", "", "x" * 1000])
    parts = [f'"type":"{kind}"'] + [f'"{name}":{value()}' for name in chance.sample(FIELDS, chance.randrange(5))]
    if chance.random() < 0.5:
        parts.append(f'"id":"m{chance.randrange(5)}"')
    chance.shuffle(parts)
    text = "{" + ",".join(parts) + "}"
    return (text if chance.random() < 0.9 else text[: chance.randrange(len(text))]).encode("utf-8", "surrogatepass")


async def fuzzed_messages(target: Target, source: str) -> None:
    """Messages that are nearly of the protocol, by somebody who sits at a table."""
    table = await target.own_table(source)
    for _ in range(5):
        async with Raw(target, source) as raw:
            await raw.hello(table, target.chance.choice((0, 1)))
            for _ in range(60):
                message = fuzzed_message(target.chance)
                await raw.send(frame(message))
                await asyncio.sleep(0.05)
                try:
                    answer = await raw.read(0.05)
                except TimeoutError:
                    continue
                if not answer:
                    break
                if b'"code":"internal"' in answer or b'"code":"broken"' in answer:
                    target.complaints[f"an internal error for {message[:200]!r}"] += 1


async def ping_flood(target: Target, source: str) -> None:
    """Pings at some megabytes a second, by somebody who does not read the answers."""
    table = await target.own_table(source)

    async def flood() -> None:
        async with Raw(target, source, small_window=True) as raw:
            await raw.hello(table, None)
            pings = frame(bytes(120), PING) * 500
            for _ in range(500):
                await raw.send(pings, 30)
                await asyncio.sleep(0.02)

    await asyncio.gather(*(flood() for _ in range(4)), return_exceptions=True)


async def message_flood(target: Target, source: str) -> None:
    """Lawful messages, but far too many."""
    table = await target.own_table(source)
    async with Raw(target, source) as raw:
        await raw.hello(table, 0)
        for _ in range(2000):
            await raw.send(frame(b'{"type":"ping","id":"p"}') * 10)
            await asyncio.sleep(0.01)
        target.complaints["20,000 messages of a connection were taken in"] += 1


async def endless_headers(target: Target, source: str) -> None:
    """A request whose headers do not end."""
    async with Raw(target, source) as raw:
        await raw.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        sent = 0
        for number in range(600):
            line = b"X-%d: %s\r\n" % (number, b"a" * 60_000)
            await raw.send(line)
            sent += len(line)
            if sent > MOST_BYTES:
                target.complaints["more than 4 MB of headers were taken in"] += 1
                return
            await asyncio.sleep(0.02)


async def endless_body(target: Target, source: str) -> None:
    """A chunked body that does not end."""
    async with Raw(target, source) as raw:
        await raw.send(
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        sent = 0
        while sent <= MOST_BYTES:
            await raw.send(b"8000\r\n" + b" " * 0x8000 + b"\r\n")
            sent += 0x8000
            await asyncio.sleep(0.02)
        target.complaints["more than 4 MB of a chunked body were taken in"] += 1


async def hold(target: Target, source: str, opening: bytes, drip: bytes, count: int, what: str) -> None:
    """Open connections that never get to their end, and see whether they are closed."""

    async def one() -> bool:
        async with Raw(target, source) as raw:
            await raw.send(opening)
            closing = asyncio.create_task(raw.is_closed_within(HELD_SECONDS))
            try:
                while drip and not closing.done():
                    await raw.send(drip)
                    await asyncio.wait([closing], timeout=2.0)
            except OSError:
                pass
            return await closing

    closed = await asyncio.gather(*(one() for _ in range(count)), return_exceptions=True)
    if all(isinstance(one, BaseException) for one in closed):
        raise ConnectionError
    if any(one is False for one in closed):
        target.complaints[f"held for {HELD_SECONDS:g} s: {what}"] += 1


async def slow_headers(target: Target, source: str) -> None:
    """Headers that come a line at a time."""
    await hold(target, source, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Slow: 1\r\n", 10, "headers without an end")


async def missing_body(target: Target, source: str) -> None:
    """Requests whose body does not come."""
    opening = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    await hold(target, source, opening + b"Content-Length: 1000\r\n\r\n{", b"", 30, "a request without its body")


async def half_open(target: Target, source: str) -> None:
    """Connections that say nothing, half a request, or no hello."""
    table = await target.own_table(source)
    upgrade = UPGRADE.format(path=f"/ws/{table.id}", extra="").encode()
    kinds = {"a silent connection": b"\r\n"[:0], "half a request": upgrade[:40], "a WebSocket without hello": upgrade}
    await asyncio.gather(*(hold(target, source, opening, b"", 15, what) for what, opening in kinds.items()))


async def no_key(target: Target, source: str) -> None:
    """More upgrade requests without a key than one address may have connections, at a lawful pace."""
    table = await target.own_table(source)
    request = UPGRADE.format(path=f"/ws/{table.id}", extra="").replace("Sec-WebSocket-Key: ", "X-Not-A-Key: ")
    for number in range(520):
        async with Raw(target, source) as raw:
            await raw.send(request.encode())
            await raw.is_closed_within(0.05)
        if number > 150:  # so many at once are lawful
            await asyncio.sleep(0.05)
    await asyncio.sleep(2)
    for _ in range(5):
        try:
            async with Raw(target, source) as raw:
                await raw.hello(table, 0)
                return
        except LOST:
            await asyncio.sleep(1)
    async with Raw(target, source.replace("127.2.", "127.3.")) as raw:  # another address gets in, so the server is up
        await raw.hello(table, 0)
        target.complaints["an address was locked out by upgrade requests without a key"] += 1


async def stalled_seat(target: Target, source: str) -> None:
    """A seat whose connections do not read while others talk, then read what waits for them and close at once."""
    table = await target.own_table(source)
    for _ in range(5):
        async with contextlib.AsyncExitStack() as stack:
            stalled = [await stack.enter_async_context(Raw(target, source, small_window=True)) for _ in range(10)]
            for raw in stalled:
                await raw.hello(table, 0)
            await asyncio.gather(*(_talk(target, source, table) for _ in range(6)), return_exceptions=True)
            await asyncio.gather(*(_read_and_close(target, raw) for raw in stalled))
        if not await _is_gone(target, source, table):
            target.complaints["a seat was still shown as here long after its last connection was closed"] += 1
            return


async def _is_gone(target: Target, source: str, table: Own) -> bool:
    """Whether the first seat is soon no longer here. Of a server that was killed, others know that later."""
    patience = GONE_SECONDS if len(target.ports) == 1 else FORGET_SECONDS + ANNOUNCE_SECONDS
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        await asyncio.sleep(1)
        with contextlib.suppress(*LOST):
            here = await _here(target, source, table)
            if here is None or 0 not in here:
                return True
    return False


async def _read_and_close(target: Target, raw: Raw) -> None:
    """Read about as much as a server keeps for a reader that is slow, then close: it is just about to go on."""
    left = target.chance.randrange(80_000, 200_000)
    with contextlib.suppress(*LOST):
        while left > 0 and (data := await raw.read(0.05)):
            left -= len(data)
    raw.reset() if target.chance.random() < 0.5 else raw.socket.close()


async def _talk(target: Target, source: str, table: Own) -> None:
    """Say much at a table, within the limits."""
    async with Raw(target, source) as raw:
        await raw.hello(table, 1)
        for number in range(80):
            text = f"{number} " + "blah " * 95
            await raw.send(frame(msgspec.json.encode({"type": "say", "id": f"s{number}-{id(raw)}", "text": text})))
            await asyncio.sleep(0.05)
            with contextlib.suppress(TimeoutError):
                await raw.read(0.001)


async def _here(target: Target, source: str, table: Own) -> list[int] | None:
    """Who is at a table, as somebody is greeted who comes to watch."""
    async with Raw(target, source) as raw:
        await raw.hello(table, None)
        data = b""
        while b'"watching":' not in data:  # it comes after `here`, which is left out if nobody is
            part = await raw.read(5)
            if not part:
                return None
            data += part
    rest = data.partition(b'"here":')[2]
    return list(json.loads(rest[: rest.index(b"]") + 1])) if rest else []


async def impostor(target: Target, source: str) -> None:
    """Somebody without a seat, or with a made-up token, who tries to play at honest tables."""
    table = await target.public_table(source)
    async with Raw(target, source) as raw:
        await raw.upgrade(table)
        await raw.send(frame(b'{"type":"hello","token":"%s"}' % target.chance.randbytes(16).hex().encode()))
        if b'"type":"welcome"' in await raw.read():
            target.complaints["a made-up token was welcomed"] += 1
    async with Raw(target, source) as raw:
        await raw.upgrade(table)
        await raw.send(frame(b'{"type":"hello"}'))
        await asyncio.sleep(0.5)
        forbidden = ("move", "undo", "start", "rematch", "leave", "contribute", "take_seat", "add_bot", "remove_bot")
        for number, kind in enumerate(forbidden):
            message = {"type": kind, "id": f"i{number}", "seq": 5, "move": 0, "value": "ab" * 16, "seat": 0}
            await raw.send(frame(msgspec.json.encode(message)))
            await asyncio.sleep(0.1)
            answer = await raw.read()
            if b'"re":"i%d"' % number in answer and b'"type":"refused"' not in answer:
                target.complaints[f"a spectator's {kind} was not refused"] += 1


async def resets(target: Target, source: str) -> None:
    """Connections to honest tables that are reset at any moment."""
    table = await target.public_table(source)
    for _ in range(20):
        async with Raw(target, source) as raw:
            await raw.send(UPGRADE.format(path=f"/ws/{table}", extra="").encode())
            await asyncio.sleep(target.chance.uniform(0, 0.05))
            await raw.send(frame(b'{"type":"hello","after":0}'))
            await asyncio.sleep(target.chance.uniform(0, 0.1))
            raw.reset()
        await asyncio.sleep(0.1)


ATTACKS: tuple[Attack, ...] = (
    garbage,
    fuzzed_frames,
    fuzzed_messages,
    ping_flood,
    message_flood,
    endless_headers,
    endless_body,
    slow_headers,
    missing_body,
    half_open,
    no_key,
    stalled_seat,
    impostor,
    resets,
)


async def keep_on(attack: Attack, target: Target, source: str) -> None:
    """Attack again and again, until it is time to end; a server that is down is tried again."""
    while not target.is_over:
        try:
            async with asyncio.timeout(max(1.0, target.ends - time.monotonic())):
                await attack(target, source)
            target.rounds[attack.__name__] += 1
        except LOST:
            target.rounds[f"{attack.__name__}, cut short"] += 1
        except Exception as error:
            target.rounds[f"{attack.__name__}, {type(error).__name__}"] += 1
        await asyncio.sleep(target.chance.uniform(0.2, 1.0))


async def attack_all(target: Target, names: Sequence[str]) -> None:
    """All attacks at once, each from an address of its own."""
    attacks = [(n, attack) for n, attack in enumerate(ATTACKS) if not names or attack.__name__ in names]
    await asyncio.gather(*(keep_on(attack, target, f"127.2.0.{1 + n}") for n, attack in attacks))


def main() -> None:
    """Attack servers on this machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ports", required=True, help="of the servers, with commas")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="names of attacks, with commas; all of them if left out")
    args = parser.parse_args()
    os.sched_setaffinity(0, {CLIENT_CORE})
    os.nice(5)  # the honest clients on the same core go first

    async def attack() -> Target:
        target = Target([int(port) for port in args.ports.split(",")], args.seconds, args.seed)
        await attack_all(target, args.only.split(",") if args.only else [])
        return target

    target = uvloop.run(attack())
    print(json.dumps({"rounds": target.rounds, "complaints": target.complaints}), flush=True)


if __name__ == "__main__":
    main()
