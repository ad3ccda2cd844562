"""The room between store and tables: conflicts, failures of the store, duplicates, resuming."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ludotheque.server import protocol
from ludotheque.server import room as room_module
from ludotheque.server.commands import Who
from ludotheque.server.live import Live
from ludotheque.server.refusals import Refusal
from ludotheque.server.room import MAX_WAITING
from ludotheque.server.store.base import Head, StoreError, Uncertain
from tests.server.house import Client, House, run, running


async def settled(*clients: Client) -> None:
    while len({client.seq for client in clients}) > 1:
        await asyncio.sleep(0.001)


def test_two_servers_on_one_file_write_each_event_once(tmp_path: Path) -> None:
    """Without a bus neither hears of the other: the store finds the conflict, and both end up with the same table."""

    async def story() -> None:
        async with running(tmp_path) as one, running(tmp_path) as two:
            table, tokens = await one.table("Ann", "Bob")
            ann, bob = await one.enter(table, tokens[0]), await two.enter(table, tokens[1])
            for number in range(10):
                await asyncio.gather(ann.ask("say", text=f"ann {number}"), bob.ask("say", text=f"bob {number}"))
            assert one.room.stats.conflicts + two.room.stats.conflicts > 0
            said = [event for event in await one.room.stored(table) if type(event).__name__ == "Said"]
            assert sorted(event.text for event in said) == sorted(  # type: ignore[attr-defined]  # they are Said
                f"{name} {number}" for name in ("ann", "bob") for number in range(10)
            )
            assert len(await two.room.stored(table)) == 23

    run(story())


def fail_with(error: StoreError) -> Any:
    def fail(*_: object) -> None:
        raise error

    return fail


def test_when_nothing_can_be_stored_nothing_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens, clients = await house.match("Ann", "Bob")
            assert clients[0].view is not None
            actor = clients[clients[0].view["actor"]]
            with monkeypatch.context() as patch:
                patch.setattr(house.room.store, "_store", fail_with(StoreError("database or disk is full")))
                answer = await actor.move()
                assert (answer["type"], answer["code"]) == ("refused", "disk") and answer["text"]
                assert (await house.get(f"/api/tables/{table}", tokens[0]))["view"]["ply"] == 0
                refused = await house.http.post("/api/tables", json={"game": "double_lucky_7"})
                assert refused.status_code == 503
            assert (await actor.move())["type"] == "update"

    run(story())


@pytest.mark.parametrize("written", [True, False])
def test_an_uncertain_outcome_is_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bool) -> None:
    """The connection to the database breaks while storing: whether the move is there, it is acknowledged once."""

    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, clients = await house.match("Ann", "Bob")
            store: Any = house.room.store
            really = store._store
            broken = 0

            def store_and_break(connection: object, rows: object, heads: object) -> None:
                nonlocal broken
                given = connection, rows, heads
                if broken or not rows:  # what the list of tables shows may still be waiting from the start
                    return really(*given)  # type: ignore[no-any-return]  # None
                broken += 1
                if written:
                    really(*given)
                raise Uncertain("gone")

            monkeypatch.setattr(store, "_store", store_and_break)
            assert clients[0].view is not None
            answer = await clients[clients[0].view["actor"]].move()
            assert answer["type"] == ("ack" if written else "update")
            moves = [event for event in await house.room.stored(table) if type(event).__name__ == "Moved"]
            assert len(moves) == 1

    run(story())


def test_a_duplicate_is_known_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens, clients = await house.match("Ann", "Bob")
            assert clients[0].view is not None
            seat = clients[0].view["actor"]
            seq, move = clients[seat].seq, clients[0].view["legal"] or clients[1].view["legal"]  # type: ignore[index]
            message = {"id": "once", "seq": seq, "move": move[0]["move"]}
            assert (await clients[seat].ask("move", **message))["type"] == "update"
        async with running(tmp_path) as house:
            again = await house.enter(table, tokens[seat])
            assert (await again.ask("move", **message))["type"] == "ack"
            assert again.view is not None and again.view["ply"] == 1

    run(story())


def test_too_many_commands_at_one_table_are_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, _ = await house.match("Ann", "Bob")
            live = house.room.tables[table]
            refused: list[str] = []
            done: list[str] = []

            class Origin:
                def done(self, live: Live, message_id: str, shown: bool) -> None:
                    done.append(message_id)

                def refused(self, live: Live, refusal: Refusal, message_id: str) -> None:
                    refused.append(refusal.code)

            for number in range(MAX_WAITING + 10):
                house.room.submit(live, protocol.Say(f"s{number}", "x"), Who(0), Origin())
            assert refused == ["slow_down"] * 9
            while len(done) < MAX_WAITING + 1:
                await asyncio.sleep(0.01)

    run(story())


async def resume_often(house: House, times: int) -> None:
    """Cut a client off at random moments of a match; each time it is told exactly what it missed."""
    table, tokens, clients = await house.match("Ann", "Bob")
    chance = random.Random(3)
    told: dict[int, Any] = {}
    seat = 1
    wanderer = clients[seat]
    ann = clients[0]

    def note() -> None:
        for raw in wanderer.raw:
            for event in msgspec.json.decode(raw).get("events", []):
                assert told.setdefault(event["seq"], event) == event
        wanderer.raw.clear()

    for _ in range(times):
        for _ in range(chance.randint(0, 3)):
            await settled(ann, wanderer)
            assert ann.view is not None
            if ann.view["over"]:
                await ann.ask("rematch")
                await ann.ask("start")
            else:
                await (ann, wanderer)[ann.view["actor"]].move()
        note()
        after = wanderer.seq
        wanderer.transport.underlying_transport.abort()
        await wanderer.closed.wait()
        if ann.view is not None and ann.view["actor"] == 0 and chance.random() < 0.7:
            await ann.move()
        if chance.random() < 0.3:
            await ann.ask("say", text="are you there?")
        wanderer = await house.enter(table, tokens[seat], after=after)
        missed = [event["seq"] for event in wanderer.welcome["events"]]  # type: ignore[attr-defined]
        assert missed == list(range(after + 1, ann.seq + 1))
        assert wanderer.seq == ann.seq
    note()
    assert sorted(told) == list(range(min(told), ann.seq + 1))


def test_resuming_brings_exactly_what_was_missed(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            await resume_often(house, 50)

    run(story())


@pytest.mark.slow
def test_resuming_a_thousand_times(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            for _ in range(10):
                await resume_often(house, 100)

    run(story(), 300)


def test_the_list_of_tables_is_told_once_what_became_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of changes that come one right after the other the last one counts, which is not lost when the server stops."""
    told: list[tuple[str, Head | None]] = []

    async def listed(house: House) -> list[tuple[str, int]]:
        return [(one["status"], one["taken"]) for one in (await house.get("/api/tables"))["tables"]]

    async def story() -> None:
        async with running(tmp_path) as house:
            really = house.room.store.append

            def append(table: str, seq: int, data: Any, head: Head | None, done: Any) -> None:
                told.append((table, head))
                really(table, seq, data, head, done)

            table, tokens = await house.table("Ann", "Bob", public=True)
            await asyncio.sleep(10 * room_module.LIST_SECONDS)
            assert await listed(house) == [("waiting", 2)]
            monkeypatch.setattr(house.room.store, "append", append)
            ann = await house.enter(table, tokens[0])
            await ann.ask("contribute", value="ab" * 16)
            await ann.ask("start")
            while not told:
                await asyncio.sleep(0.01)
            assert [(id_, head and head.summary.status) for id_, head in told] == [(table, "playing")]
            await asyncio.sleep(10 * room_module.LIST_SECONDS)
            assert await listed(house) == [("playing", 2)] and len(told) == 1
            monkeypatch.setattr(room_module, "LIST_SECONDS", 600.0)
            await house.table("Cy", "Dee", "Eve", public=True)
            assert ("waiting", 3) not in await listed(house)
        async with running(tmp_path) as house:
            assert sorted(await listed(house)) == [("playing", 2), ("waiting", 3)]

    run(story())
