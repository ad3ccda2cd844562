"""What tables do by themselves: bots, hints, undo, clocks, standing in."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from ludotheque.server import thinking
from tests.server.house import GAME, PATIENCE, Client, House, run, running

pytestmark = pytest.mark.usefixtures("compiled_bots")


@pytest.fixture(scope="module")
def compiled_bots() -> None:
    """Bots may have to be compiled first."""
    for level in ("club", "expert"):
        ludotheque.bot(GAME, level)


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


def test_a_hint_comes_from_the_seats_own_view_and_to_it_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, clients = await house.match("Ann", "Bob")
            assert clients[0].view is not None
            actor = clients[0].view["actor"]
            hint = await clients[actor].ask("hint")
            assert hint["type"] == "hinted"
            legal = {choice["move"]: choice["label"] for choice in clients[actor].view["legal"]}
            assert {one["move"]: one["label"] for one in hint["moves"]}.items() <= legal.items()
            assert (await clients[1 - actor].ask("hint"))["code"] == "no_hint"
            assert not any(b"hinted" in raw for raw in clients[1 - actor].raw)

    run(story())


def test_one_person_takes_back_moves_against_bots(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, (ann,) = await house.match("Ann", bots=["club", "club"])
            await own_turn(ann, 0)
            assert ann.view is not None
            before = ann.view
            await ann.move()
            await own_turn(ann, 0)
            answer = await ann.ask("undo", seq=ann.seq)
            while answer["type"] == "refused" and answer["code"] == "stale":
                answer = await ann.ask("undo", seq=answer["seq"])
            assert answer["events"][0]["type"] == "undone"
            assert answer["view"] == {**before, "ply": answer["view"]["ply"]} and answer["view"]["ply"] == before["ply"]

    run(story())


def test_time_runs_out_and_a_move_is_made(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            began = time.monotonic()
            _, _, (ann, _) = await house.match("Ann", "Bob", clock=1)
            moved = await until(ann, "moved")
            assert moved["by"] == "clock" and time.monotonic() - began > 0.8

    run(story())


def test_talking_gives_no_more_time(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, (ann, _) = await house.match("Ann", "Bob", clock=60)
            first = (await ann.ask("say", text="let me think"))["clock"]
            await asyncio.sleep(0.1)
            second = (await ann.ask("say", text="a little longer"))["clock"]
            assert 50 < second < first <= 60

    run(story())


def test_a_stepped_wall_clock_fires_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with running(tmp_path, away_seconds=30) as house:
            _, _, (ann, _) = await house.match("Ann", "Bob", clock=60)
            monkeypatch.setattr(time, "time", lambda: 4e9)
            await ann.ask("say", text="next century")
            monkeypatch.setattr(time, "time", lambda: 0.0)
            await ann.ask("say", text="long ago")
            await asyncio.sleep(0.5)
            assert ann.view is not None and ann.view["ply"] == 0

    run(story())


def test_a_bot_stands_in_and_gives_the_seat_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, away_seconds=0.3) as house:
            table, tokens, clients = await house.match("Ann", "Bob")
            assert clients[0].view is not None
            actor = clients[0].view["actor"]
            other = clients[1 - actor]
            clients[actor].close()
            assert (await until(other, "stood_in"))["seat"] == actor
            moved = await until(other, "moved")
            assert (moved["seat"], moved["by"]) == (actor, "bot")
            back = await house.enter(table, tokens[actor])
            assert back.view is not None
            assert (await until(other, "returned"))["seat"] == actor

    run(story())


def test_nobody_stands_in_where_nobody_is(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path, away_seconds=0.1) as house:
            table, tokens, clients = await house.match("Ann", "Bob")
            for client in clients:
                client.close()
            await asyncio.sleep(0.6)
            shown = await house.get(f"/api/tables/{table}", tokens[0])
            assert shown["view"]["ply"] == 0 and all("level" not in seat for seat in shown["table"]["seats"])

    run(story())


def test_presence_is_told(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, (ann, bob) = await house.match("Ann", "Bob")
            assert bob.welcome["here"] == [0, 1]  # type: ignore[attr-defined]
            bob.close()
            while (await ann.next("presence"))["here"] != [0]:
                pass

    run(story())


def test_bots_that_think_block_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a bot has not made up its mind, another table plays on."""
    slow = thinking.player(ludotheque.game(GAME), "expert")
    began, go_on = threading.Event(), threading.Event()

    def think(*_: object) -> int:
        began.set()
        go_on.wait(PATIENCE)
        return 0

    monkeypatch.setattr(slow, "choose", think)

    async def story() -> None:
        async with running(tmp_path, bot_threads=1) as house:
            table, _, (ann,) = await house.match("Ann", bots=["expert"])
            assert ann.view is not None
            while ann.view["actor"] == 0:  # twice if the joker is turned
                await ann.move()
            while not began.is_set():
                await asyncio.sleep(0.01)
            _, _, clients = await house.match("Cara", "Dan")
            for _ in range(20):
                while clients[0].seq != clients[1].seq:
                    await asyncio.sleep(0.001)
                assert clients[0].view is not None
                await clients[clients[0].view["actor"]].move()
            assert house.room.tables[table].thinking
            go_on.set()

    run(story())


def test_a_bot_that_fails_does_not_stop_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = thinking.player(ludotheque.game(GAME), "casual")

    def fail(*_: object) -> int:
        raise RuntimeError("a defect")

    monkeypatch.setattr(bot, "choose", fail)

    async def story(house: House) -> None:
        _, _, (ann,) = await house.match("Ann", bots=["casual"])
        for _ in range(4):
            await own_turn(ann, 0)
            await ann.move()
        assert ann.view is not None and ann.view["ply"] >= 4

    async def whole() -> None:
        async with running(tmp_path) as house:
            await story(house)

    run(whole())


def test_a_rule_that_throws_harms_its_own_table_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, clients = await house.match("Ann", "Bob")
            _, _, others = await house.match("Cara", "Dan")
            match = house.room.tables[table].table.match
            assert match is not None

            def fail(*_: object) -> None:
                raise ZeroDivisionError

            monkeypatch.setattr(match, "_kernel_play", fail)
            monkeypatch.setattr(house.room.turns, "takes", lambda *_: False)  # where that fails: see `test_turns.py`
            assert clients[0].view is not None and others[0].view is not None
            answer = await clients[clients[0].view["actor"]].move()
            assert (answer["type"], answer["code"]) == ("refused", "broken")
            assert (await clients[0].ask("say", text="hello?"))["code"] == "broken"
            assert (await others[others[0].view["actor"]].move())["type"] == "update"

    run(story())


def test_whoever_leaves_watches_from_then_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, (ann, bob) = await house.match("Ann", "Bob")
            answer = await bob.ask("leave")
            assert answer["events"][0]["type"] == "left" and answer["events"][0]["level"] == "club"
            assert ann.view is not None
            while ann.view["actor"] == 0:  # twice if the joker is turned
                await ann.move()
            await until(ann, "moved")
            assert bob.view is not None and bob.view["legal"] == []
            assert (await bob.ask("move", seq=bob.seq, move=0))["code"] == "not_seated"

    run(story())
