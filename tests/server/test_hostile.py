"""Clients that mean harm: refused with typed errors, cut off if need be, and nobody else disturbed."""

from __future__ import annotations

import asyncio
import random
import socket
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from picows import WSError, WSMsgType

from ludotheque.server.wire.connection import State
from tests.server.attack import RawClient, Wire, ask, message, upgrade
from tests.server.house import GAME, House, at_turn
from tests.server.load import Roamer, at_play, check, make_tables, played
from tests.server.process import Server


async def still_works(house: House) -> None:
    """A table is set up and a move is played; nothing has failed inside."""
    _, _, clients = await house.match("Cara", "Dan")
    assert (await at_turn(clients)[0].move())["type"] == "update"
    assert house.room.stats.failures == 0


BAD_REQUESTS = b"""
null
[]
{}
"hello"
{
{"type":"move"}
{"type":"nonsense","id":"a"}
{"type":"move","id":"a","seq":-1,"move":"R1"}
{"type":"move","id":"a","seq":"1","move":"R1"}
{"type":"move","id":"a","seq":1,"move":null}
{"type":"move","id":"","seq":1,"move":"R1"}
{"type":"contribute","id":"a","value":"zz"}
{"type":"say","id":"a","text":""}
{"type":"add_bot","id":"a","seat":99}""".split(b"\n")
BAD_REQUESTS += [
    b'{"type":"move","id":"' + b"x" * 41 + b'","seq":1,"move":"R1"}',
    b'{"type":"contribute","id":"a","value":"' + b"ab" * 65 + b'"}',
    b'{"type":"say","id":"a","text":"' + b"x" * 501 + b'"}',
    b'{"type":"enter","id":"a","seq":1,"entry":' + b'{"a":' * 2000 + b"1" + b"}" * 2000 + b"}",
]


async def test_what_is_no_message_is_refused(house: House) -> None:
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


async def test_moves_that_are_no_moves(house: House) -> None:
    _, _, clients = await house.match("Ann", "Bob")
    actor, other = at_turn(clients)
    for move in ("", "x" * 200, -1, 10**12, 2**63, "R1; DROP TABLE events", "../..", "<script>", "\x00"):
        answer = await actor.ask("move", seq=actor.seq, move=move)
        assert answer["code"] in ("illegal", "not_a_move", "bad_message"), move
    # A seat cannot be named in a message.
    move, seat = actor.view["legal"][0]["move"], actor.view["actor"]
    answer = await other.ask("move", seq=other.seq, move=move, seat=seat, who=seat)
    assert (answer["type"], answer["code"]) == ("refused", "illegal")
    assert actor.view["ply"] == 0
    await still_works(house)


@pytest.mark.parametrize("kind", ["large", "binary", "endless", "torn", "no UTF-8"])
async def test_frames_that_are_not_ours_end_the_connection(house: House, kind: str) -> None:
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
    elif kind == "torn":
        ann.transport.send(WSMsgType.CONTINUATION, b"x")
    else:
        ann.send_raw(b'{"type":"say","id":"a","text":"\xff\xfe"}')
    await asyncio.wait_for(ann.closed.wait(), 60)
    assert kind != "no UTF-8" or ann.close_code == 1007
    await still_works(house)


async def test_a_message_may_come_in_several_frames(house: House) -> None:
    table, tokens = await house.table("Ann", seats=3)
    ann = await house.enter(table, tokens[0])
    ann.transport.send(WSMsgType.TEXT, b'{"type":"pi', fin=False)
    ann.transport.send(WSMsgType.CONTINUATION, b'ng","id"', fin=False)
    ann.transport.send(WSMsgType.CONTINUATION, b':"a"}')
    assert (await ann.next("ack"))["re"] == "a"


@pytest.mark.parametrize("is_open", [False, True], ids=["HTTP", "WebSocket"])
async def test_random_bytes_crash_nothing(house: House, is_open: bool) -> None:
    table, tokens = await house.table("Ann", seats=3)
    chance = random.Random(4)
    loop = asyncio.get_running_loop()
    wire: Any
    for number in range(100):
        data = bytearray(message("ping", id="a") if is_open else upgrade(table))
        for _ in range(chance.randint(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if is_open:
            wire = (await house.enter(table, tokens[0])).transport.underlying_transport
        else:
            wire, _ = await loop.create_connection(asyncio.Protocol, "127.0.0.1", house.port)
        wire.write(bytes(data) if number % 3 else chance.randbytes(300))
        await asyncio.sleep(0.003)
        wire.abort()
    await still_works(house)


@pytest.mark.settings(messages_per_second=1, messages_at_once=20)
async def test_floods_are_slowed_down_then_cut_off(house: House) -> None:
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


@pytest.mark.settings(requests_per_second=1, requests_at_once=10)
async def test_http_floods_are_slowed_down(house: House) -> None:
    codes = [(await house.http.get("/healthz")).status_code for _ in range(30)]
    assert codes[0] == 200 and codes.count(429) > 10


@pytest.mark.settings(tables_per_day=3)
async def test_tables_of_one_identity_are_limited(house: House) -> None:
    async with httpx.AsyncClient(base_url=house.url) as browser:
        codes = [(await browser.post("/api/tables", json={"game": GAME})).status_code for _ in range(5)]
    assert codes == [200, 200, 200, 429, 429]


async def test_tokens_of_others_open_nothing(house: House) -> None:
    table, tokens = await house.table("Ann", "Bob")
    other, _ = await house.table("Cara", "Dan")
    for token in (tokens[0], "x" * 32, tokens[0][:-1] + "A" + "A"):
        client = await house.connect(other)
        client.send("hello", token=token)
        assert (await client.next())["code"] == "not_seated"
    await house.post(f"/api/tables/{other}/leave", token=tokens[0], status=403)
    await house.get(f"/api/tables/{other}", key=house.room.signer.link("join", table), status=403)


@pytest.mark.settings(origins=("https://games.example",))
async def test_pages_of_others_may_not_talk_to_us_but_our_own_may(house: House) -> None:
    table, _ = await house.table("Ann", seats=3, public=True)
    others = [{"Origin": origin} for origin in ("https://evil.example", "null", "http://127.0.0.1.evil.example")]
    others += [{"Host": "evil.example"}, {"Host": "evil.example", "Origin": "http://evil.example"}]
    for headers in others:
        with pytest.raises(WSError):
            await house.connect(table, **headers)
        answer = await house.http.post("/api/tables", json={"game": GAME}, headers=headers)
        assert answer.status_code == 403 and answer.json()["code"] == "bad_origin", headers
    own = "https://games.example"
    for headers in ({"Origin": house.url}, {"Origin": own}, {"Host": "games.example", "Origin": own}):
        client = await house.connect(table, **headers)
        client.send("hello")
        assert (await client.next())["type"] == "welcome"


BAD_BODIES = rb"""
null
[1]
{
{"game":1}
{"game":"double_lucky_7","seats":"two"}
{"game":"double_lucky_7","nonsense":1}
{"game":"double_lucky_7","options":{"rounds":1e400}}
{"game":"double_lucky_7","name":"\u0000"}
{"game":"double_lucky_7","lang":"xx"}
{"game":"double_lucky_7","bots":["club","club","club","club","club","club","club","club","club"]}
{"game":"double_lucky_7","clock":-5}
{"game":"double_lucky_7","kind":"pad"}
{"game":"../../../etc/passwd"}""".split(b"\n")


async def test_bodies_that_are_not_understood(house: House) -> None:
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


PATHS = "/../../etc/passwd /%2e%2e/%2e%2e/etc/passwd /api/tables/../../x /api/games/..%2f..%2fcli/rules /api/tables/%00"
PATHS += f" /api/tables/{'x' * 3000} /ws/%2e%2e /.git/config //evil.example/ /api/tables/%F0%9F"


async def test_paths_that_lead_nowhere(house: House) -> None:
    for path in PATHS.split():
        async with Wire(house.port) as wire:
            await wire.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            assert await wire.answered() in (400, 403, 404), path
            assert await wire.is_closed() and b"root:" not in wire.received


async def test_nothing_that_people_write_becomes_script(house: House) -> None:
    script = "<script>alert(1)</script>"
    table, tokens = await house.table('<img src=x onerror="alert(1)">', seats=3, title=script)
    ann = await house.enter(table, tokens[0])
    assert (await ann.ask("say", text=script))["events"][0]["text"] == script
    shown = await house.http.get(f"/api/tables/{table}", headers={"Authorization": f"Bearer {tokens[0]}"})
    assert shown.headers["content-type"] == "application/json"
    for path in ("/", "/healthz", "/api/games", "/nowhere", "/metrics", f"/api/tables/{table}"):
        headers = (await house.http.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "referrer-policy" in headers and "x-frame-options" in headers and "server" not in headers


@pytest.mark.slow
@pytest.mark.settings(stall_seconds=1.0)
async def test_a_stalled_reader_costs_others_nothing_and_is_cut_off(house: House) -> None:
    table, tokens, (ann, _) = await house.match("Ann", "Bob")
    async with RawClient(house.port, receive_buffer=4096) as stalled:
        await stalled.enter(table, key=house.room.signer.link("watch", table))
        audience = house.room.tables[table].audience
        while audience.watching() == 0:
            await asyncio.sleep(0.01)
        while audience.watching() == 1:
            await ann.ask("say", text="x" * 490)
    again = await house.enter(table, tokens[1], after=ann.seq - 5)
    assert len(again.welcome["events"]) == 5


async def test_a_connection_that_fails_costs_others_nothing(house: House) -> None:
    async def fail(*_: object) -> None:
        raise OSError("the cable is cut")

    _, _, (ann, bob) = await house.match("Ann", "Bob")
    broken = next(c for c in house.gate.connections if c.who.seat == 0)
    link: Any = broken._socket
    link._send = fail
    await bob.ask("say", text="still here")
    assert await bob.ask("say", text="and heard")
    while len(house.gate.connections) > 1:
        await asyncio.sleep(0.01)
    assert broken._state is State.CLOSED and house.room.stats.failures == 0
    assert ann.seq < bob.seq


@pytest.mark.slow
@pytest.mark.settings(stall_seconds=30.0)
async def test_a_slow_reader_is_told_what_it_missed(house: House) -> None:
    _, _, (ann, bob) = await house.match("Ann", "Bob")
    bob.transport.underlying_transport.pause_reading()
    target = next(c for c in house.gate.connections if c.who.seat == 1)
    for number in range(20_000):
        await ann.ask("say", text="x" * 490 + f" {number}")
        if target._state is State.LAGGING:
            break
    assert target._state is State.LAGGING
    await ann.ask("say", text="the last")
    bob.transport.underlying_transport.resume_reading()
    while bob.seq < ann.seq:
        await asyncio.sleep(0.01)
    messages = map(msgspec.json.decode, bob.raw)
    seqs = [event["seq"] for one in messages for event in one.get("events", []) if event["type"] == "said"]
    assert seqs == list(range(seqs[0], ann.seq + 1))


@pytest.mark.slow
async def test_thousands_of_half_open_connections(tmp_path: Path) -> None:
    """Others play on; each is closed in time, with a word or without."""
    with Server(tmp_path, HELLO_SECONDS="10") as server:
        quiet: list[socket.socket] = []
        try:
            for _ in range(5_000):
                one = socket.create_connection(("127.0.0.1", server.port))
                one.send(b"GET /ws/abc HTTP/1.1\r\nHost: loc")
                quiet.append(one)
            ((table, tokens),) = await make_tables(server.url, 1)
            roamers = [Roamer([server.port], table, seat, token) for seat, token in enumerate(tokens)]
            async with at_play(roamers):
                await played(roamers, 30)
            assert await check(server.url, roamers) > 20
            assert all(one.recv(12) in (b"", b"HTTP/1.1 408") for one in quiet)
            assert await ask(server.port) == 200
        finally:
            for one in quiet:
                one.close()
