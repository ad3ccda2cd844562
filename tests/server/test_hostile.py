"""Clients that mean harm: refused with typed errors, cut off if need be, and nobody else disturbed."""

from __future__ import annotations

import asyncio
import os
import random
import socket
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from picows import WSError, WSMsgType

from tests.server.house import GAME, Client, House, run, running
from tests.server.load import Roamer, at_play, check, make_tables, played
from tests.server.process import Server


async def still_works(house: House) -> None:
    """A table is set up and a move is played; nothing has failed inside."""
    _, _, clients = await house.match("Cara", "Dan")
    assert clients[0].view is not None
    assert (await clients[clients[0].view["actor"]].move())["type"] == "update"
    assert house.room.stats.failures == 0


BAD_REQUESTS = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b"42",
    b'"hello"',
    b"{",
    b'{"type":"move"}',
    b'{"type":"nonsense","id":"a"}',
    b'{"type":"move","id":"a","seq":-1,"move":"R1"}',
    b'{"type":"move","id":"a","seq":1e99,"move":"R1"}',
    b'{"type":"move","id":"a","seq":"1","move":"R1"}',
    b'{"type":"move","id":"a","seq":1,"move":null}',
    b'{"type":"move","id":"a","seq":1,"move":["R1"]}',
    b'{"type":"move","id":"","seq":1,"move":"R1"}',
    b'{"type":"move","id":1,"seq":1,"move":"R1"}',
    b'{"type":"move","id":"' + b"x" * 41 + b'","seq":1,"move":"R1"}',
    b'{"type":"contribute","id":"a","value":"zz"}',
    b'{"type":"contribute","id":"a","value":"' + b"ab" * 65 + b'"}',
    b'{"type":"say","id":"a","text":""}',
    b'{"type":"say","id":"a","text":"' + b"x" * 501 + b'"}',
    b'{"type":"add_bot","id":"a","seat":99}',
    b'{"type":"say","id":"a","text":"\xff\xfe"}',
    b'{"type":"enter","id":"a","seq":1,"entry":' + b'{"a":' * 2000 + b"1" + b"}" * 2000 + b"}",
]


def test_what_is_no_message_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens = await house.table("Ann", seats=3)
            ann = await house.enter(table, tokens[0])
            for data in BAD_REQUESTS:
                ann.send_raw(data)
                answer = await ann.next("refused", "bye")
                assert (answer["type"], answer["code"]) == ("refused", "bad_message"), data[:80]
            for data in BAD_REQUESTS:
                client = await house.connect(table)
                client.send_raw(data)
                if data != b"{}":
                    assert (await client.next())["type"] == "bye"
            await still_works(house)

    run(story())


def test_moves_that_are_no_moves(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, clients = await house.match("Ann", "Bob")
            assert clients[0].view is not None
            actor = clients[clients[0].view["actor"]]
            for move in ("", "x" * 200, -1, 10**12, 2**63, "R1; DROP TABLE events", "../..", "<script>", "\x00"):
                answer = await actor.ask("move", seq=actor.seq, move=move)
                assert answer["code"] in ("illegal", "not_a_move", "bad_message"), move
            assert actor.view is not None and actor.view["ply"] == 0
            await still_works(house)

    run(story())


@pytest.mark.parametrize("kind", ["large", "binary", "endless", "torn"])
def test_frames_that_are_not_ours(tmp_path: Path, kind: str) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens = await house.table("Ann", seats=3)
            ann = await house.enter(table, tokens[0])
            if kind == "large":
                ann.send_raw(b"x" * 20_000)
            elif kind == "binary":
                ann.send_raw(b'{"type":"ping","id":"a"}', WSMsgType.BINARY)
            elif kind == "endless":
                ann.transport.send(WSMsgType.TEXT, b"[", fin=False)
                for _ in range(70):
                    ann.transport.send(WSMsgType.CONTINUATION, b"x" * 300, fin=False)
            else:
                ann.transport.send(WSMsgType.CONTINUATION, b"x")
            await asyncio.wait_for(ann.closed.wait(), 60)
            await still_works(house)

    run(story())


def test_a_message_may_come_in_several_frames(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens = await house.table("Ann", seats=3)
            ann = await house.enter(table, tokens[0])
            ann.transport.send(WSMsgType.TEXT, b'{"type":"pi', fin=False)
            ann.transport.send(WSMsgType.CONTINUATION, b'ng","id"', fin=False)
            ann.transport.send(WSMsgType.CONTINUATION, b':"a"}')
            assert (await ann.next("ack"))["re"] == "a"

    run(story())


def test_random_bytes_on_the_wire_crash_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens = await house.table("Ann", seats=3)
            chance = random.Random(4)
            hello = msgspec.json.encode({"type": "hello", "token": tokens[0]})
            for _ in range(60):
                client = await house.connect(table)
                client.send_raw(hello)
                await client.next()
                raw = client.transport.underlying_transport
                frame = bytes([0x81, 0x80 | 24]) + b"\0\0\0\0" + b'{"type":"ping","id":"a"}'
                broken = bytearray(frame)
                for _ in range(chance.randint(1, 6)):
                    broken[chance.randrange(len(broken))] = chance.randrange(256)
                raw.write(bytes(broken) if chance.random() < 0.7 else chance.randbytes(chance.randint(1, 200)))
                await asyncio.sleep(0.005)
                raw.abort()
            await still_works(house)

    run(story())


def test_random_bytes_instead_of_http_crash_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            chance = random.Random(5)
            request = (
                b"GET /ws/abcdefghjkmn HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            )
            request += b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            for number in range(150):
                _, writer = await asyncio.open_connection("127.0.0.1", house.port)
                data = bytearray(request)
                for _ in range(chance.randint(0, 8)):
                    data[chance.randrange(len(data))] = chance.randrange(256)
                writer.write(bytes(data) if number % 3 else chance.randbytes(300))
                writer.write(chance.randbytes(20))
                await asyncio.sleep(0.002)
                writer.transport.abort()
            await still_works(house)

    run(story())


def test_floods_are_slowed_down_then_cut_off(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, messages_per_second=1, messages_at_once=20) as house:
            table, tokens = await house.table("Ann", seats=3)
            ann = await house.enter(table, tokens[0])
            for number in range(60):
                ann.send("ping", id=f"p{number}")
            codes = [(await ann.next("ack", "refused"))["type"] for _ in range(60)]
            assert codes.count("ack") < 25
            # One by one: what a server has not read yet when it hangs up may take its last word along.
            answer = {"type": ""}
            while answer["type"] != "bye":
                ann.send("ping", id="q")
                answer = await ann.next("ack", "refused", "bye")
            assert answer["code"] == "slow_down"
            await asyncio.wait_for(ann.closed.wait(), 60)

    run(story())


def test_http_floods_are_slowed_down(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, requests_per_second=1, requests_at_once=10) as house:
            codes = [(await house.http.get("/healthz")).status_code for _ in range(30)]
            assert codes[0] == 200 and codes.count(429) > 10

    run(story())


def test_tokens_of_others_open_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens = await house.table("Ann", "Bob")
            other, _ = await house.table("Cara", "Dan")
            for token in (tokens[0], "x" * 32, tokens[0][:-1] + "A" + "A"):
                client = await house.connect(other)
                client.send("hello", token=token)
                assert (await client.next())["code"] == "not_seated"
            answer = await house.http.post(
                f"/api/tables/{other}/leave", headers={"Authorization": f"Bearer {tokens[0]}"}
            )
            assert answer.status_code == 403
            key = house.room.signer.link("join", table)
            assert (await house.http.get(f"/api/tables/{other}", params={"key": key})).status_code == 403

    run(story())


def test_a_seat_cannot_be_named_in_a_message(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, clients = await house.match("Ann", "Bob")
            assert clients[0].view is not None
            actor = clients[0].view["actor"]
            other = clients[1 - actor]
            assert clients[actor].view is not None
            move = clients[actor].view["legal"][0]["move"]
            answer = await other.ask("move", seq=other.seq, move=move, seat=actor, who=actor)
            assert answer["type"] == "refused" and answer["code"] == "illegal"

    run(story())


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Host": "evil.example"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
    ],
)
def test_pages_of_others_may_not_talk_to_us(tmp_path: Path, headers: dict[str, str]) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, _ = await house.table("Ann", seats=3, public=True)
            with pytest.raises(WSError):
                await house.connect(table, **headers)
            answer = await house.http.post("/api/tables", json={"game": GAME}, headers=headers)
            assert answer.status_code == 403 and answer.json()["code"] == "bad_origin"

    run(story())


def test_our_own_pages_may(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, origins=("https://games.example",)) as house:
            table, _ = await house.table("Ann", seats=3, public=True)
            for headers in (
                {"Origin": house.url},
                {"Origin": "https://games.example"},
                {"Host": "games.example", "Origin": "https://games.example"},
            ):
                client = await house.connect(table, **headers)
                client.send("hello")
                assert (await client.next())["type"] == "welcome"

    run(story())


BAD_BODIES: list[Any] = [
    b"",
    b"null",
    b"[1]",
    b"{",
    b'{"game":1}',
    b'{"game":"double_lucky_7","seats":"two"}',
    b'{"game":"double_lucky_7","seats":-1}',
    b'{"game":"double_lucky_7","nonsense":1}',
    b'{"game":"double_lucky_7","options":{"rounds":1e400}}',
    b'{"game":"double_lucky_7","options":{"rounds":[[]]}}',
    b'{"game":"double_lucky_7","name":""}',
    b'{"game":"double_lucky_7","name":"\\u0000"}',
    b'{"game":"double_lucky_7","lang":"xx"}',
    b'{"game":"double_lucky_7","bots":["cheater"]}',
    b'{"game":"double_lucky_7","bots":["club","club","club","club","club","club","club","club","club"]}',
    b'{"game":"double_lucky_7","clock":-5}',
    b'{"game":"double_lucky_7","kind":"pad"}',
    b'{"game":"double_lucky_7","kind":"pad","players":[]}',
    b'{"game":"double_lucky_7","kind":"pad","players":["a"]}',
    b'{"game":"../../../etc/passwd"}',
    b'{"game":"' + b"x" * 5000 + b'"}',
]


def test_bodies_that_are_not_understood(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            headers = {"content-type": "application/json"}
            for body in BAD_BODIES:
                answer = await house.http.post("/api/tables", content=body, headers=headers)
                assert 400 <= answer.status_code < 500, body
                assert set(answer.json()) <= {"code", "text", "rule"} and answer.json()["text"]
            answer = await house.http.post("/api/tables", content=b"{}", headers={"content-type": "text/plain"})
            assert answer.status_code == 400
            answer = await house.http.post("/api/tables", content=b" " * 100_000, headers=headers)
            assert answer.status_code == 413
            await still_works(house)

    run(story())


@pytest.mark.parametrize(
    "path",
    ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/tables/../../x", "/api/games/..%2f..%2fcli/rules"]
    + [
        "/api/tables/%00",
        "/api/tables/" + "x" * 3000,
        "/ws/%2e%2e",
        "/.git/config",
        "//evil.example/",
        "/api/tables/%F0%9F",
    ],
)
def test_paths_that_lead_nowhere(tmp_path: Path, path: str) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            answer = await reader.read()
            writer.close()
            assert answer.split(b" ")[1] in (b"400", b"403", b"404")
            assert b"root:" not in answer

    run(story())


def test_script_in_names_and_messages_stays_text(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            name = '<img src=x onerror="alert(1)">'
            table, tokens = await house.table(name, seats=3, title="<script>alert(1)</script>")
            ann = await house.enter(table, tokens[0])
            answer = await ann.ask("say", text="</script><script>alert(1)</script>")
            assert answer["events"][0]["text"] == "</script><script>alert(1)</script>"
            shown = await house.http.get(f"/api/tables/{table}", headers={"Authorization": f"Bearer {tokens[0]}"})
            assert shown.headers["content-type"] == "application/json"
            assert shown.headers["x-content-type-options"] == "nosniff"
            assert "script-src 'self'" in shown.headers["content-security-policy"]

    run(story())


def test_headers_are_on_every_answer(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            for path in ("/", "/healthz", "/api/games", "/nowhere", "/metrics", "/api/tables/zzzzzzzzzzzz"):
                headers = (await house.http.get(path)).headers
                for name in ("content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options"):
                    assert name in headers, (path, name)
                assert "server" not in headers

    run(story())


def test_whoever_connects_and_says_nothing_is_sent_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, hello_seconds=0.3) as house:
            table, _ = await house.table("Ann", seats=3)
            quiet: list[socket.socket] = []
            for _ in range(300):
                one = socket.create_connection(("127.0.0.1", house.port))
                one.setblocking(False)
                one.send(b"GET / HT")
                quiet.append(one)
            mute = await house.connect(table)
            await still_works(house)
            await asyncio.wait_for(mute.closed.wait(), 60)
            for one in quiet:
                assert await asyncio.get_running_loop().sock_recv(one, 100) == b""
                one.close()

    run(story())


def test_too_many_connections_of_one_address(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, connections_per_address=20) as house:
            table, tokens = await house.table("Ann", seats=3)
            clients: list[Client] = []
            with pytest.raises((WSError, OSError)):
                for _ in range(40):
                    clients.append(await house.enter(table, tokens[0]))
            assert 10 < len(clients) <= 20
            for client in clients:
                client.close()
                await asyncio.wait_for(client.closed.wait(), 60)
            while house.door.connections:
                await asyncio.sleep(0.01)
            await house.enter(table, tokens[0])

    run(story())


def test_tables_of_one_identity_are_limited(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, tables_per_day=3) as house, httpx.AsyncClient(base_url=house.url) as browser:
            codes = [(await browser.post("/api/tables", json={"game": GAME})).status_code for _ in range(5)]
            assert codes == [200, 200, 200, 429, 429]

    run(story())


@pytest.mark.slow
def test_a_stalled_reader_costs_others_nothing_and_is_cut_off(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, stall_seconds=1.0) as house:
            table, tokens, (ann, _) = await house.match("Ann", "Bob")
            stalled = socket.create_connection(("127.0.0.1", house.port))
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            head = f"GET /ws/{table} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            stalled.setblocking(False)
            stalled.send(head.encode())
            assert b"101" in await asyncio.get_running_loop().sock_recv(stalled, 1000)
            hello = msgspec.json.encode({"type": "hello", "key": house.room.signer.link("watch", table)})
            mask = os.urandom(4)
            masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(hello))
            assert len(hello) < 126
            stalled.send(bytes([0x81, 0x80 | len(hello)]) + mask + masked)
            while house.room.tables[table].audience.watching() == 0:
                await asyncio.sleep(0.01)
            while house.room.tables[table].audience.watching() == 1:
                await ann.ask("say", text="x" * 490)
            stalled.close()
            again = await house.enter(table, tokens[1], after=ann.seq - 5)
            assert len(again.welcome["events"]) == 5  # type: ignore[attr-defined]

    run(story())


def test_a_connection_that_fails_costs_others_nothing(tmp_path: Path) -> None:
    class Broken:
        def __init__(self, underlying: object) -> None:
            self.underlying_transport = underlying

        def send(self, *given: object) -> None:
            raise OSError("the cable is cut")

    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, (ann, bob) = await house.match("Ann", "Bob")
            broken = next(c for c in house.door.connections if c.who.seat == 0)
            broken._transport = Broken(broken._transport.underlying_transport)  # type: ignore[assignment]
            await bob.ask("say", text="still here")
            assert await bob.ask("say", text="and heard")
            assert broken._closed and house.room.stats.failures == 1
            assert len(house.door.connections) == 1
            assert ann.seq < bob.seq

    run(story())


@pytest.mark.slow
def test_a_slow_reader_is_told_what_it_missed(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, stall_seconds=30.0) as house:
            _, _, (ann, bob) = await house.match("Ann", "Bob")
            bob.transport.underlying_transport.pause_reading()
            target = next(c for c in house.door.connections if c.who.seat == 1)
            for number in range(20_000):
                await ann.ask("say", text="x" * 490 + f" {number}")
                if target._behind:
                    break
            assert target._behind
            await ann.ask("say", text="the last")
            bob.transport.underlying_transport.resume_reading()
            while bob.seq < ann.seq:
                await asyncio.sleep(0.01)
            told: list[int] = []
            for raw in bob.raw:
                message = msgspec.json.decode(raw)
                told += [event["seq"] for event in message.get("events", []) if event["type"] == "said"]
            assert told == list(range(told[0], ann.seq + 1))

    run(story())


@pytest.mark.slow
def test_ten_thousand_half_open_connections(tmp_path: Path) -> None:
    async def story() -> None:
        with Server(tmp_path, HELLO_SECONDS="15") as server:
            quiet: list[socket.socket] = []
            try:
                for _ in range(9_500):
                    one = socket.create_connection(("127.0.0.1", server.port))
                    one.send(b"GET /ws/abc HTTP/1.1\r\nHost: loc")
                    quiet.append(one)
                made = await make_tables(server.url, 1)
                roamers = [Roamer([server.port], made[0][0], seat, made[0][1][seat]) for seat in (0, 1)]
                async with at_play(roamers):
                    await played(roamers, 30)
                assert await check(server.url, roamers) > 20
                assert all(one.recv(100) == b"" for one in quiet)
            finally:
                for one in quiet:
                    one.close()

    run(story())
