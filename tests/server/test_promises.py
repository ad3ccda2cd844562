"""Promised to everybody at a table: a message is carried out once, for whoever sent it, and who is gone is gone."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from tests.server.attack import RawClient, eventually, history, new_cookie, slow_store
from tests.server.house import GAME, Client, House, running, settled

REMEMBERED = 64
"""A message repeated after fewer others of the same sender is known."""
PAD = {"game": GAME, "kind": "pad", "players": ["Ann", "Bob"], "first": 0, "public": True}


async def until_turn(seat: int, player: Client, other: Client) -> dict[str, Any]:
    """Let the other seat play until it is this one's turn; what this one may send then."""
    while True:
        await settled(player, other)
        assert not other.view["over"]
        if other.view["actor"] == seat:
            return {"seq": player.seq, "move": player.view["legal"][0]["move"]}
        assert (await other.move())["type"] == "update"


def said(events: list[dict[str, Any]], text: str) -> int:
    """How often somebody said something."""
    return sum(event["type"] == "said" and event["text"] == text for event in events)


async def talk(client: Client, count: int) -> None:
    """Say many things, each with an id of its own."""
    for number in range(count):
        assert (await client.ask("say", id=f"talk-{number}", text="x"))["type"] == "update"


# Ids belong to who sends.


@pytest.mark.parametrize("is_restarted", [False, True], ids=["running", "restarted"])
async def test_a_move_of_a_new_person_on_a_seat_is_played(tmp_path: Path, is_restarted: bool) -> None:
    """Bob plays `m0` and `m1` and leaves; Eve takes his seat and uses the same ids."""

    async def take_over(house: House) -> None:
        joined = await house.post(f"/api/tables/{table}/join", {"name": "Eve", "key": made["join"], "seat": 1})
        ann, eve = await house.enter(table, made["token"]), await house.enter(table, joined["token"])
        for number in range(2):
            message = await until_turn(1, eve, ann) | {"id": f"m{number}"}
            ply = eve.view["ply"]
            answer = await eve.ask("move", **message)
            assert answer["type"] == "update", f"acknowledged, but never played: {answer}"
            event = answer["events"][0]
            assert (event["type"], event["seat"], event["move"]) == ("moved", 1, message["move"])
            assert answer["view"]["ply"] == ply + 1
            assert (await eve.ask("move", **message))["type"] == "ack"

    async with running(tmp_path) as house:
        made = await house.post("/api/tables", {"game": GAME, "seats": 2, "name": "Ann"})
        table = made["table"]["id"]
        house.http.cookies.clear()
        joined = await house.post(f"/api/tables/{table}/join", {"name": "Bob", "key": made["join"]})
        house.http.cookies.clear()
        ann, bob = await house.enter(table, made["token"]), await house.enter(table, joined["token"])
        await ann.ask("start")
        for number in range(2):
            message = await until_turn(1, bob, ann)
            assert (await bob.ask("move", id=f"m{number}", **message))["type"] == "update"
        await until_turn(0, ann, bob)
        assert (await bob.ask("leave"))["type"] == "update"
        if not is_restarted:
            await take_over(house)
            return
    async with running(tmp_path) as house:
        await take_over(house)


async def test_people_at_one_table_may_use_the_same_ids(house: House) -> None:
    """Also those whom nobody can tell apart by a token or a cookie."""
    table, tokens = await house.table("Ann", "Bob", public=True)
    clients = [await house.enter(table, token) for token in tokens]
    clients += [await house.enter(table, cookie=await new_cookie(house)) for _ in range(2)]
    clients += [await house.enter(table) for _ in range(2)]
    for number, client in enumerate(clients):
        answer = await client.ask("say", id="m0", text=f"number {number}")
        assert answer["type"] == "update", f"acknowledged, but never said: {number}"
    events = await history(house, table)
    assert [said(events, f"number {number}") for number in range(len(clients))] == [1] * len(clients)


async def test_what_was_refused_may_be_tried_again(house: House) -> None:
    table, tokens = await house.table("Ann", seats=2, public=True)
    ann = await house.enter(table, tokens[0])
    assert (await ann.ask("start", id="s"))["code"] == "seats_open"
    await house.post(f"/api/tables/{table}/join", {"name": "Bob"})
    assert (await ann.ask("start", id="s"))["type"] == "update"
    assert (await ann.ask("start", id="s"))["type"] == "ack"


# A message sent twice is carried out once.


@pytest.mark.parametrize("means", ["at once", "reconnected", "slept", "restarted"])
async def test_a_message_sent_twice_is_carried_out_once(tmp_path: Path, means: str) -> None:
    """A seat's move and word, however much others said since, a spectator's word, what is written on a pad."""

    async def come_in(house: House) -> list[Client]:
        seated = await house.enter(table, tokens[seat])
        watcher = await house.enter(table, cookie=cookie)
        return [seated, watcher, await house.enter(pad["table"]["id"], cookie=cookie, key=pad["join"])]

    async def repeat(house: House, people: list[Client]) -> None:
        for who, kind, fields in messages:
            again = await people[who].ask(kind, **fields)
            assert (again["type"], again.get("re")) == ("ack", fields["id"]), (kind, again)
        events = await history(house, table)
        assert (said(events, "seated"), said(events, "watching")) == (1, 1)
        assert sum(event["type"] == "moved" for event in events) == 1
        assert (await house.get(f"/api/tables/{pad['table']['id']}"))["view"]["entries"] == []
        # Another writer's `x` is another message.
        other = await house.enter(pad["table"]["id"], cookie=await new_cookie(house), key=pad["join"])
        answer = await other.ask("enter", id="x", seq=other.seq, entry={"bids": [1, 1]})
        assert answer["type"] == "update" and answer["view"]["entries"] == [{"bids": [1, 1]}]

    async with running(tmp_path, sleep_seconds=0.1 if means == "slept" else 120.0) as house:
        table, tokens, players = await house.match("Ann", "Bob", public=True)
        pad = await house.post("/api/tables", PAD)
        cookie = await new_cookie(house)
        seat = players[0].view["actor"]
        people = await come_in(house)
        move = {"id": "m", "seq": people[0].seq, "move": people[0].view["legal"][0]["move"]}
        messages: list[tuple[int, str, dict[str, Any]]] = [
            (0, "move", move),
            (0, "say", {"id": "x", "text": "seated"}),
            (1, "say", {"id": "x", "text": "watching"}),
            (2, "enter", {"id": "x", "seq": people[2].seq, "entry": {"bids": [1, 1]}}),
            (2, "wipe", {"id": "y", "seq": people[2].seq + 1}),
        ]
        for who, kind, fields in messages:
            assert (await people[who].ask(kind, **fields))["type"] == "update"
        await talk(people[0], REMEMBERED - 2)
        await talk(players[1 - seat], REMEMBERED)
        await talk(people[1], REMEMBERED - 1)
        if means == "at once":
            await repeat(house, people)
        if means in ("slept", "reconnected"):
            for client in house.clients:
                client.close()

            async def sleeps() -> bool:
                return not house.room.tables

            assert means == "reconnected" or await eventually(sleeps)
            await repeat(house, await come_in(house))
    if means == "restarted":
        async with running(tmp_path) as house:
            await repeat(house, await come_in(house))


async def test_whoever_writes_with_a_link_only_is_known_as_long_as_connected(house: House) -> None:
    pad = await house.post("/api/tables", PAD)
    writer = await house.enter(pad["table"]["id"], key=pad["join"])
    entry = {"id": "x", "seq": writer.seq, "entry": {"bids": [1, 1]}}
    assert [(await writer.ask("enter", **entry))["type"] for _ in range(2)] == ["update", "ack"]


@pytest.mark.parametrize("who", ["seat", "spectator"])
async def test_the_same_message_from_two_windows_is_carried_out_once(house: House, who: str) -> None:
    """Sent at the same moment, before either is stored."""
    table, tokens = await house.table("Ann", "Bob", public=True)
    known = {"token": tokens[0]} if who == "seat" else {"cookie": await new_cookie(house)}
    for number in range(10):
        windows = [await house.enter(table, **known) for _ in range(2)]
        asked = [window.ask("say", id=f"x{number}", text=f"number {number}") for window in windows]
        answers = await asyncio.gather(*asked)
        assert sorted(answer["type"] for answer in answers) == ["ack", "update"]
    events = await history(house, table)
    assert [said(events, f"number {number}") for number in range(10)] == [1] * 10


# Who is gone is gone.


@pytest.mark.slow
@pytest.mark.settings(stall_seconds=60.0)
@pytest.mark.parametrize("moments", [(0.5, 0.5, 0.5), (0.0005, 0.001, 0.002, 0.005, 0.02, 0.1)], ids=["held", "free"])
async def test_a_seat_that_stalled_read_everything_and_closed_is_not_here(
    house: House, moments: tuple[float, ...]
) -> None:
    """At whatever moment it closes; also while it catches up, when the store has not read yet what it missed."""
    table, tokens, (ann, bob) = await house.match("Ann", "Bob", public=True)
    bob.close()

    async def is_here() -> bool:
        looking = await house.enter(table, tokens[0])
        looking.close()
        return 1 in looking.welcome["here"]

    async def is_gone() -> bool:
        return not await is_here()

    async def is_alone() -> bool:
        return len(house.gate.connections) == 1

    for attempt, moment in enumerate(moments):
        async with RawClient(house.port, receive_buffer=4096) as stalled:
            await stalled.enter(table, token=tokens[1])
            assert await eventually(is_here)
            for number in range(20):  # more than the system and the server keep for somebody who does not read
                await talk_at_once(ann, 32, f"{attempt}-{number}")
            async with slow_store(house) if moment == 0.5 else contextlib.nullcontext():
                await read_what_waits(stalled, moment)
                stalled.abort() if attempt % 2 else stalled.socket.close()
                await eventually(is_alone, 2)
        assert await eventually(is_gone, 10), "somebody who is gone is here for good"


async def talk_at_once(client: Client, count: int, first: str) -> None:
    """Say many long things without waiting for each to be said."""
    ids = {client.send("say", id=f"{first}-{number}", text="x" * 490) for number in range(count)}
    while ids:
        ids.discard((await client.next("update")).get("re", ""))


async def read_what_waits(client: RawClient, moment: float) -> None:
    """Read until nothing more comes for a moment."""
    with contextlib.suppress(TimeoutError):
        while True:
            async with asyncio.timeout(moment):
                if not await client.receive():
                    return
