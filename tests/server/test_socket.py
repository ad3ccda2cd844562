"""Tables over real sockets: playing, resuming, stale moves, links, seats, moments; the examples work as they stand."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import ludotheque
from ludotheque.server.domain import fairness
from tests.server.house import GAME, Client, House, at_turn, play, running, settled

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.settings(uvicorn_settings={"ws_ping_interval": 0.2, "ws_ping_timeout": 0.5})
async def test_whoever_is_gone_without_a_word_is_noticed(house: House) -> None:
    table, tokens = await house.table("Ann", "Bob")
    ann, bob = [await house.enter(table, token) for token in tokens]
    bob.transport.underlying_transport.pause_reading()  # answers no ping
    while len(house.gate.connections) > 1:
        await asyncio.sleep(0.02)
    await asyncio.sleep(1)
    assert (await ann.ask("ping"))["type"] == "ack"  # silent, but there
    assert list(house.room.tables[table].away) == [1]


async def test_two_people_play_a_match_over_the_network(house: House) -> None:
    table, tokens = await house.table("Ann", "Bob", options={"rounds": 7})
    players = ann, _ = [await house.enter(table, token) for token in tokens]
    watcher = await house.enter(table, key=house.room.signer.link("watch", table), lang="fr")
    await ann.ask("contribute", value="ab" * 32)
    assert (await ann.ask("start"))["events"][0]["type"] == "started"
    await play(players)
    await settled(ann, watcher)
    last = msgspec.json.decode(watcher.raw[-1])
    assert last["events"][0]["seen"][-1]["type"] == "match_end"
    assert "La partie est" in last["events"][0]["seen"][-1]["text"]
    assert last["table"]["status"] == "over" and last["events"][0]["proof"]["secret"]
    record = await house.get(f"/api/tables/{table}/record", tokens[1])
    assert ludotheque.verify(record["record"]).true
    assert fairness.check(record["record"], record["deal"])
    assert record["deal"]["contributions"][0] == "ab" * 32
    assert record["deal"]["commitment"] == ann.welcome["table"]["commitment"]
    replay = await house.get(f"/api/tables/{table}/replay", tokens[0], seat=1)
    assert len(replay["seen"]) == len(replay["moves"]) + 1


@pytest.mark.parametrize("num_cuts", [50, pytest.param(1000, marks=pytest.mark.slow)])
async def test_who_is_cut_off_is_told_exactly_what_it_missed(house: House, num_cuts: int) -> None:
    """Bob plays in two windows: one is never cut and knows what was said, the other is cut while play goes on."""
    table, tokens, players = await house.match("Ann", "Bob")
    ann, bob = players
    chance = random.Random(3)
    is_over = asyncio.Event()

    async def play_on() -> None:
        while not is_over.is_set():
            await settled(ann, bob)
            if ann.view["over"]:
                await ann.ask("rematch")
                await ann.ask("start")
            else:
                await at_turn(players)[0].move()
            await asyncio.sleep(chance.random() * 0.01)

    playing = asyncio.create_task(play_on())
    cut = await house.enter(table, tokens[1])
    first = cut.welcome["seq"]
    got: list[dict[str, Any]] = []
    for _ in range(num_cuts):
        await asyncio.sleep(chance.random() * 0.01)
        cut.transport.underlying_transport.abort()
        got += events_of(cut)
        cut = await house.enter(table, tokens[1], after=cut.seq)
    is_over.set()
    await playing
    await settled(ann, bob, cut)
    got += events_of(cut)
    wanted = {event["seq"]: event for event in events_of(bob)}
    assert [event["seq"] for event in got] == list(range(first + 1, ann.seq + 1))
    assert got == [wanted[event["seq"]] for event in got]
    assert len(got) > num_cuts // 4 and cut.view == bob.view
    for _ in range(20):  # from any moment on
        after = chance.randint(first, ann.seq)
        again = await house.enter(table, tokens[1], after=after)
        assert again.welcome["events"] == [wanted[seq] for seq in range(after + 1, ann.seq + 1)]
        assert again.welcome["view"] == bob.view
        again.close()


def events_of(client: Client) -> list[dict[str, Any]]:
    """All that a client was told since it asked to be, in order."""
    messages = map(msgspec.json.decode, client.raw)
    return [event for message in messages for event in message.get("events", ())]


async def test_duplicates_do_nothing_and_stale_moves_bring_the_fresh_view(house: House) -> None:
    _, _, clients = await house.match("Ann", "Bob")
    actor, other = at_turn(clients)
    seq, move = actor.seq, actor.view["legal"][0]["move"]
    first = await actor.ask("move", id="x", seq=seq, move=move)
    again = await actor.ask("move", id="x", seq=seq, move=move)
    assert first["type"] == "update" and again == {"type": "ack", "re": "x", "seq": first["seq"]}
    stale = await other.ask("move", seq=seq, move=move)
    assert (stale["type"], stale["code"]) == ("refused", "stale")
    assert stale["view"]["ply"] == 1 and stale["text"]
    turn = await actor.ask("move", seq=first["seq"], move=move)
    assert turn["code"] in ("illegal", "not_a_move") and turn["text"]


@pytest.mark.parametrize("how", ["slept", "restarted"])
async def test_a_table_wakes_years_later_with_everything(tmp_path: Path, how: str) -> None:
    async def wake(house: House) -> None:
        assert not house.room.tables
        assert await house.get(f"/api/tables/{table}", tokens[0]) == seen
        ann = await house.enter(table, tokens[0], after=0)
        types = [event["type"] for event in ann.welcome["events"]]
        assert types == ["seated", "seated", "started", "moved"]

    async with running(tmp_path, sleep_seconds=0.1) as house:
        table, tokens, clients = await house.match("Ann", "Bob")
        await play(clients, 1)
        seen = await house.get(f"/api/tables/{table}", tokens[0])
        for client in clients:
            client.close()
        while house.room.tables:
            await asyncio.sleep(0.05)
        if how == "slept":
            await wake(house)
            return
    async with running(tmp_path) as house:
        await wake(house)


async def test_links_open_tables_that_are_not_public(house: House) -> None:
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
    body = {"name": "Eve", "key": house.room.signer.link("join", table)}
    assert (await house.post(f"/api/tables/{table}/join", body))["seat"] == 1
    public, _ = await house.table("Ann", seats=3, public=True, title="Come in")
    listed = await house.get("/api/tables")
    assert [one["id"] for one in listed["tables"]] == [public]
    await house.enter(public)


async def test_a_browser_is_known_by_its_cookie(house: House) -> None:
    async with httpx.AsyncClient(base_url=house.url) as browser:
        first = await browser.post("/api/tables", json={"game": GAME, "name": "Ann"})
        assert "HttpOnly" in first.headers["set-cookie"] and "SameSite=lax" in first.headers["set-cookie"]
        table, cookie = first.json()["table"]["id"], browser.cookies["ludotheque"]
        assert (await browser.get(f"/api/tables/{table}")).json()["seat"] == 0
        assert "set-cookie" not in (await browser.post("/api/tables", json={"game": GAME})).headers
    client = await house.enter(table, cookie=f"ludotheque={cookie}")
    assert client.welcome["seat"] == 0
    forged = cookie[:-2] + ("AA" if cookie[-2:] != "AA" else "BB")
    other = await house.connect(table, Cookie=f"ludotheque={forged}")
    other.send("hello")
    assert (await other.next())["code"] == "not_allowed"


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
async def test_every_game_is_played_with_bots(house: House, game_id: str) -> None:
    bots = ["club"] * (ludotheque.game(game_id).info.min_seats - 1)
    _, _, (ann,) = await house.match("Ann", game=game_id, bots=bots)
    for _ in range(60):
        if ann.view["over"]:
            break
        if ann.view["actor"] == 0 and ann.view["legal"]:
            answer = await ann.move()
            assert answer["type"] == "update" or answer["code"] == "stale"
            if answer["type"] == "refused":
                ann.view, ann.seq = answer["view"], answer["seq"]
        else:
            await ann.next("update")


async def test_why_is_answered_and_changes_nothing(house: House) -> None:
    table, _, (ann, bob) = await house.match("Ann", "Bob")
    watcher = await house.enter(table, key=house.room.signer.link("watch", table), lang="fr")
    actor, other = at_turn((ann, bob))
    seq, move = ann.seq, actor.view["legal"][0]["move"]
    assert (await actor.ask("why", move=move))["type"] == "ack"
    answer = await other.ask("why", move=move)
    assert answer["type"] == "refused" and answer["code"] == "illegal" and answer["text"]
    assert (await actor.ask("why", move="nonsense"))["code"] == "not_a_move"
    answer = await watcher.ask("why", move=move)
    assert answer["code"] == "not_seated" and "place" in answer["text"]
    assert (await ann.ask("ping"))["seq"] == seq


async def test_moments_are_the_views_there_were(house: House) -> None:
    table, tokens, clients = await house.match("Ann", "Bob", options={"rounds": 7})
    path = f"/api/tables/{table}/moments"
    views = [clients[0].view]
    while not clients[0].view["over"]:
        if len(views) == 5:
            await house.get(path, tokens[0], seat=1, status=409)
            ours = await house.get(path, tokens[0], first=4)
            assert ours["views"] == [views[-1]] and (ours["seat"], ours["total"]) == (0, 4)
        await play(clients, 1)
        views.append(clients[0].view)
    found: list[Any] = []
    while len(found) < len(views):
        part = await house.get(path, tokens[0], first=len(found), count=999)
        assert len(part["views"]) == min(50, len(views) - len(found)) and part["first"] == len(found)
        found += part["views"]
    assert found == views
    theirs = await house.get(path, tokens[0], seat=1, first=3, count=2, lang="fr")
    assert len(theirs["views"]) == 2 and theirs["views"][0]["ply"] == 3
    beyond = await house.get(path, tokens[0], first=99_999)
    assert beyond["first"] == beyond["total"] == len(views) - 1 and len(beyond["views"]) == 1
    await house.get(path, tokens[0], first="x", status=400)
    await house.get(path, tokens[0], seat=7, status=409)
    await house.get(path, status=403)


async def test_a_connection_follows_to_the_new_seat(house: House) -> None:
    table, tokens = await house.table("Ann", "Bob", seats=3)
    ann, bob = [await house.enter(table, token) for token in tokens]
    answer = await bob.ask("take_seat", seat=2)
    assert answer["events"][0] == {**answer["events"][0], "type": "took_seat", "seat": 2, "left": 1}
    assert [seat["kind"] for seat in answer["table"]["seats"]] == ["person", "free", "person"]
    await ann.ask("add_bot", seat=1)
    await ann.ask("start")
    while bob.view is None:
        await bob.next("update")
    # It sees that seat's cards.
    shown = await house.get(f"/api/tables/{table}", tokens[1])
    assert shown["seat"] == 2 and shown["view"]["table"]["hand"] == bob.view["table"]["hand"]


@pytest.mark.parametrize("program", ["client.py", "bot.py"])
async def test_an_example_plays_a_match(house: House, program: str) -> None:
    table, tokens = await house.table("Ann", seats=2, public=True, options={"rounds": 7})
    ann = await house.enter(table, tokens[0])
    example = await asyncio.create_subprocess_exec(
        sys.executable, str(EXAMPLES / program), house.url, table, stdout=asyncio.subprocess.PIPE
    )
    while not any(b'"seated"' in raw for raw in ann.raw):
        await asyncio.sleep(0.05)
    await ann.ask("start")
    while ann.view is None or not ann.view["over"]:
        if ann.view and ann.view["actor"] == 0:
            answer = await ann.move()
            assert answer["type"] == "update"
        await asyncio.sleep(0.002)
    told, _ = await asyncio.wait_for(example.communicate(), 60)
    assert example.returncode == 0 and b"The match is over" in told
