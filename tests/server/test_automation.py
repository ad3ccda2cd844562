"""What tables do by themselves: bots, hints, undo, clocks, standing in."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

import ludotheque
from ludotheque.bots.searches import THINK
from ludotheque.bots.stand_in import player
from ludotheque.core import warm
from tests.server.house import GAME, PATIENCE, Client, House, at_turn, play

pytestmark = pytest.mark.usefixtures("compiled_bots")


@pytest.fixture(scope="module")
def compiled_bots() -> None:
    """Bots may have to be compiled first."""
    for purpose in (warm.PLAY, THINK):
        warm.ensure(GAME, purpose)


async def until(client: Client, what: str) -> dict[str, Any]:
    """Wait for an event of a kind."""
    while True:
        message = await client.next("update")
        for event in message["events"]:
            if event["type"] == what:
                return dict(event)


async def own_turn(client: Client, seat: int) -> None:
    while client.view is None or client.view["actor"] != seat:
        await asyncio.sleep(0.01)


async def test_a_hint_comes_from_the_seats_own_view_and_to_it_alone(house: House) -> None:
    _, _, clients = await house.match("Ann", "Bob")
    actor, other = at_turn(clients)
    hint = await actor.ask("hint")
    assert hint["type"] == "hinted"
    legal = {choice["move"]: choice["label"] for choice in actor.view["legal"]}
    assert {one["move"]: one["label"] for one in hint["moves"]}.items() <= legal.items()
    assert (await other.ask("hint"))["code"] == "no_hint"
    assert not any(b"hinted" in raw for raw in other.raw)


async def test_one_person_takes_back_moves_against_bots(house: House) -> None:
    _, _, (ann,) = await house.match("Ann", bots=["club", "club"])
    await own_turn(ann, 0)
    before = ann.view
    await ann.move()
    await own_turn(ann, 0)
    answer = await ann.ask("undo", seq=ann.seq)
    while answer["type"] == "refused" and answer["code"] == "stale":
        answer = await ann.ask("undo", seq=answer["seq"])
    assert answer["events"][0]["type"] == "undone"
    assert answer["view"] == before


async def test_time_runs_out_and_a_move_is_made(house: House) -> None:
    began = time.monotonic()
    _, _, (ann, _) = await house.match("Ann", "Bob", clock=1)
    moved = await until(ann, "moved")
    assert moved["by"] == "clock" and time.monotonic() - began > 0.8


@pytest.mark.settings(away_seconds=30)
async def test_neither_talking_nor_the_wall_clock_moves_a_clock(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, (ann, _) = await house.match("Ann", "Bob", clock=60)
    first = (await ann.ask("say", text="let me think"))["clock"]
    monkeypatch.setattr(time, "time", lambda: 4e9)
    await ann.ask("say", text="next century")
    monkeypatch.setattr(time, "time", lambda: 0.0)
    await asyncio.sleep(0.5)
    second = (await ann.ask("say", text="long ago"))["clock"]
    assert 50 < second < first <= 60
    assert ann.view["ply"] == 0


@pytest.mark.settings(away_seconds=0.3)
async def test_a_bot_stands_in_and_gives_the_seat_back(house: House) -> None:
    table, tokens, clients = await house.match("Ann", "Bob")
    actor = clients[0].view["actor"]
    other = clients[1 - actor]
    clients[actor].close()
    assert (await until(other, "stood_in"))["seat"] == actor
    moved = await until(other, "moved")
    assert (moved["seat"], moved["by"]) == (actor, "bot")
    assert (await house.enter(table, tokens[actor])).view is not None
    assert (await until(other, "returned"))["seat"] == actor


@pytest.mark.settings(away_seconds=0.1)
async def test_nobody_stands_in_where_nobody_is(house: House) -> None:
    table, tokens, clients = await house.match("Ann", "Bob")
    for client in clients:
        client.close()
    await asyncio.sleep(0.6)
    shown = await house.get(f"/api/tables/{table}", tokens[0])
    assert shown["view"]["ply"] == 0 and all("level" not in seat for seat in shown["table"]["seats"])


async def test_presence_is_told(house: House) -> None:
    _, _, (ann, bob) = await house.match("Ann", "Bob")
    assert bob.welcome["here"] == [0, 1]
    bob.close()
    while (await ann.next("presence"))["here"] != [0]:
        pass


@pytest.mark.settings(bot_threads=1)
async def test_bots_that_think_block_nobody(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a bot has not made up its mind, another table plays on."""
    began, go_on = threading.Event(), threading.Event()

    def think(*_: object) -> int:
        began.set()
        go_on.wait(PATIENCE)
        return 0

    monkeypatch.setattr(player(ludotheque.game(GAME), "expert"), "choose", think)
    table, _, (ann,) = await house.match("Ann", bots=["expert"])
    while ann.view["actor"] == 0:  # twice if the joker is turned
        await ann.move()
    while not began.is_set():
        await asyncio.sleep(0.01)
    _, _, clients = await house.match("Cara", "Dan")
    await play(clients, 20)
    assert house.room.tables[table].is_thinking
    go_on.set()


async def test_a_bot_that_fails_does_not_stop_its_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise RuntimeError("a defect")

    monkeypatch.setattr(player(ludotheque.game(GAME), "casual"), "choose", fail)
    _, _, (ann,) = await house.match("Ann", bots=["casual"])
    for _ in range(4):
        await own_turn(ann, 0)
        await ann.move()
    assert ann.view["ply"] >= 4


async def test_whoever_leaves_watches_from_then_on(house: House) -> None:
    _, _, (ann, bob) = await house.match("Ann", "Bob")
    answer = await bob.ask("leave")
    assert answer["events"][0]["type"] == "left" and answer["events"][0]["level"] == "club"
    while ann.view["actor"] == 0:  # twice if the joker is turned
        await ann.move()
    await until(ann, "moved")
    assert bob.view["legal"] == []
    assert (await bob.ask("move", seq=bob.seq, move=0))["code"] == "not_seated"
