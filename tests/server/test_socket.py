"""Tables over real sockets: playing, resuming, duplicates, stale moves, refusals."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import ludotheque
from ludotheque.server import connection, fairness, transport
from tests.server.house import Client, run, running


async def settled(*clients: Client) -> None:
    """Wait until all have been told the same."""
    while len({client.seq for client in clients}) > 1:
        await asyncio.sleep(0.001)


def test_whoever_is_gone_without_a_word_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(connection, "PING_SECONDS", 0.1)
    monkeypatch.setattr(connection, "GONE_SECONDS", 0.5)

    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens = await house.table("Ann", "Bob")
            ann, bob = [await house.enter(table, token) for token in tokens]
            bob.transport.underlying_transport.pause_reading()  # answers no ping
            while len(house.door.connections) > 1:
                await asyncio.sleep(0.02)
            await asyncio.sleep(1)
            assert (await ann.ask("ping"))["type"] == "ack"  # silent, but there
            assert list(house.room.tables[table].away) == [1]

    run(story())


def test_two_people_play_a_match_over_the_network(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens = await house.table("Ann", "Bob", options={"rounds": 7})
            ann, bob = [await house.enter(table, token) for token in tokens]
            watcher_key = house.room.signer.link("watch", table)
            watcher = await house.enter(table, key=watcher_key, lang="fr")
            await ann.ask("contribute", value="ab" * 32)
            answer = await ann.ask("start")
            assert answer["events"][0]["type"] == "started"
            chance = random.Random(1)
            players = [ann, bob]
            while True:
                await settled(*players)
                assert ann.view is not None and bob.view is not None
                if ann.view["over"]:
                    break
                actor = players[ann.view["actor"]]
                assert actor.view is not None
                answer = await actor.move(chance.choice(actor.view["legal"])["move"])
                assert answer["type"] == "update" and answer["events"][0]["seat"] == players.index(actor)
            await settled(ann, watcher)
            last = msgspec.json.decode(watcher.raw[-1])
            assert last["events"][0]["seen"][-1]["type"] == "match_end"
            assert "La partie est" in last["events"][0]["seen"][-1]["text"]
            assert last["table"]["status"] == "over" and last["events"][0]["proof"]["secret"]
            record = await house.get(f"/api/tables/{table}/record", tokens[1])
            assert ludotheque.verify(record["record"]).true
            assert fairness.check(record["record"], record["deal"])
            assert record["deal"]["contributions"][0] == "ab" * 32
            assert record["deal"]["commitment"] == ann.welcome["table"]["commitment"]  # type: ignore[attr-defined]
            replay = await house.get(f"/api/tables/{table}/replay", tokens[0], seat=1)
            assert len(replay["seen"]) == len(replay["moves"]) + 1

    run(story())


def test_a_client_resumes_and_misses_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens, (ann, bob) = await house.match("Ann", "Bob")
            told: dict[int, dict[str, object]] = {}
            clients = [ann, bob]
            for number in range(30):
                await settled(*clients)
                assert ann.view is not None
                answer = await clients[ann.view["actor"]].move()
                assert answer["type"] == "update"
                if number % 7 == 0:
                    await ann.ask("say", text=f"number {number}")
            await settled(ann, bob)
            for raw in bob.raw:
                message = msgspec.json.decode(raw)
                for event in message.get("events", []) if message["type"] == "update" else []:
                    told[event["seq"]] = event
            bob.close()
            chance = random.Random(2)
            for _ in range(20):
                after = chance.randint(min(told), ann.seq)
                again = await house.enter(table, tokens[1], after=after)
                events = again.welcome["events"]  # type: ignore[attr-defined]
                assert [event["seq"] for event in events] == list(range(after + 1, ann.seq + 1))
                assert events == [told[event["seq"]] for event in events]
                assert again.welcome["view"] == bob.view  # type: ignore[attr-defined]
                again.close()

    run(story())


@pytest.mark.slow
def test_a_thousand_random_cuts_bring_exactly_what_was_missed(tmp_path: Path) -> None:
    """Bob plays in two windows: one is never cut and knows what was told, the other is cut while play goes on."""

    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens, players = await house.match("Ann", "Bob")
            ann, bob = players
            chance = random.Random(3)
            is_over = asyncio.Event()

            async def play_on() -> None:
                while not is_over.is_set():
                    await settled(ann, bob)
                    assert ann.view is not None
                    if ann.view["over"]:
                        await ann.ask("rematch")
                        await ann.ask("start")
                    else:
                        await players[ann.view["actor"]].move()
                    await asyncio.sleep(chance.random() * 0.01)

            play = asyncio.create_task(play_on())
            cut = await house.enter(table, tokens[1])
            first = cut.seq
            got: list[dict[str, Any]] = []
            for _ in range(1000):
                await asyncio.sleep(chance.random() * 0.01)
                cut.transport.underlying_transport.abort()
                got += events_of(cut)
                cut = await house.enter(table, tokens[1], after=cut.seq)
            is_over.set()
            await play
            await settled(ann, bob, cut)
            got += events_of(cut)
            told = {event["seq"]: event for event in events_of(bob)}
            assert [event["seq"] for event in got] == list(range(first + 1, ann.seq + 1))
            assert got == [told[event["seq"]] for event in got]
            assert len(got) > 300 and cut.view == bob.view

    run(story(), 300)


def events_of(client: Client) -> list[dict[str, Any]]:
    """All that a client was told since it asked to be, in order."""
    messages = map(msgspec.json.decode, client.raw)
    return [event for message in messages for event in message.get("events", ())]


def test_duplicates_do_nothing_and_stale_moves_bring_the_fresh_view(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, clients = await house.match("Ann", "Bob")
            assert clients[0].view is not None
            actor = clients[clients[0].view["actor"]]
            other = clients[1 - clients[0].view["actor"]]
            assert actor.view is not None
            seq, move = actor.seq, actor.view["legal"][0]["move"]
            first = await actor.ask("move", id="x", seq=seq, move=move)
            again = await actor.ask("move", id="x", seq=seq, move=move)
            assert first["type"] == "update" and again == {"type": "ack", "re": "x", "seq": first["seq"]}
            stale = await other.ask("move", seq=seq, move=move)
            assert (stale["type"], stale["code"]) == ("refused", "stale")
            assert stale["view"]["ply"] == 1 and stale["text"]
            turn = await actor.ask("move", seq=first["seq"], move=move)
            assert turn["code"] in ("illegal", "not_a_move") and turn["text"]

    run(story())


def test_a_table_wakes_years_later_with_everything(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens, clients = await house.match("Ann", "Bob")
            assert clients[0].view is not None
            await clients[clients[0].view["actor"]].move()
            seen = await house.get(f"/api/tables/{table}", tokens[0])
        async with running(tmp_path) as house:
            assert not house.room.tables
            assert await house.get(f"/api/tables/{table}", tokens[0]) == seen
            ann = await house.enter(table, tokens[0], after=0)
            types = [event["type"] for event in ann.welcome["events"]]  # type: ignore[attr-defined]
            assert types == ["seated", "seated", "started", "moved"]

    run(story())


def test_tables_sleep_when_nobody_is_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, sleep_seconds=0.1) as house:
            table, tokens, clients = await house.match("Ann", "Bob")
            for client in clients:
                client.close()
            while house.room.tables:
                await asyncio.sleep(0.05)
            again = await house.enter(table, tokens[0])
            assert again.view is not None and again.view["ply"] == 0

    run(story())


def test_links_open_tables_that_are_not_public(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, _ = await house.table("Ann", seats=3)
            stranger = await house.connect(table)
            stranger.send("hello")
            assert (await stranger.next())["code"] == "not_allowed"
            await asyncio.wait_for(stranger.closed.wait(), 60)
            await house.get(f"/api/tables/{table}", status=403)
            await house.post(f"/api/tables/{table}/join", {"name": "Eve"}, status=403)
            key = house.room.signer.link("watch", table)
            await house.post(f"/api/tables/{table}/join", {"name": "Eve", "key": key}, status=403)
            assert (await house.get(f"/api/tables/{table}", key=key))["table"]["id"] == table
            joined = await house.post(
                f"/api/tables/{table}/join", {"name": "Eve", "key": house.room.signer.link("join", table)}
            )
            assert joined["seat"] == 1
            public, _ = await house.table("Ann", seats=3, public=True, title="Come in")
            listed = await house.get("/api/tables")
            assert [one["id"] for one in listed["tables"]] == [public]
            await house.enter(public)

    run(story())


def test_a_browser_is_known_by_its_cookie(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house, httpx.AsyncClient(base_url=house.url) as browser:
            made = (await browser.post("/api/tables", json={"game": "double_lucky_7", "name": "Ann"})).json()
            table = made["table"]["id"]
            cookie = browser.cookies["ludotheque"]
            assert (await browser.get(f"/api/tables/{table}")).json()["seat"] == 0
            client = await house.connect(table, Cookie=f"ludotheque={cookie}")
            client.send("hello")
            assert (await client.next())["seat"] == 0
            forged = cookie[:-2] + ("AA" if cookie[-2:] != "AA" else "BB")
            other = await house.connect(table, Cookie=f"ludotheque={forged}")
            other.send("hello")
            assert (await other.next())["code"] == "not_allowed"
            header = (await browser.post("/api/tables", json={"game": "double_lucky_7"})).headers.get("set-cookie", "")
            assert header == ""
            async with httpx.AsyncClient(base_url=house.url) as other_browser:
                fresh = await other_browser.post("/api/tables", json={"game": "double_lucky_7"})
            assert "HttpOnly" in fresh.headers["set-cookie"] and "SameSite=lax" in fresh.headers["set-cookie"]

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_bots_play_every_game_to_its_end(tmp_path: Path, game_id: str) -> None:
    ludotheque.bot(game_id, "club")  # compiles, if need be

    async def story() -> None:
        async with running(tmp_path) as house:
            game = ludotheque.game(game_id)
            bots = ["club"] * (game.info.min_seats - 1)
            options = {"double_lucky_7": {"rounds": 7}, "volle_lotte": {}}.get(game_id, {})
            _, _, (ann,) = await house.match("Ann", game=game_id, bots=bots, options=options)
            for _ in range(60):
                assert ann.view is not None
                if ann.view["over"]:
                    break
                if ann.view["actor"] == 0 and ann.view["legal"]:
                    answer = await ann.move()
                    assert answer["type"] == "update" or answer["code"] == "stale"
                    if answer["type"] == "refused":
                        ann.view, ann.seq = answer["view"], answer["seq"]
                else:
                    await ann.next("update")

    run(story())
