"""The pause after a round: bots and clocks wait for the people who press on, and for nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from ludotheque.bots.searches import THINK
from ludotheque.core import warm
from tests.server.house import GAME, Client, House, settled

pytestmark = [pytest.mark.usefixtures("compiled_bots"), pytest.mark.settings(pause_seconds=3600)]


@pytest.fixture(scope="module")
def compiled_bots() -> None:
    """Bots may have to be compiled first."""
    for game in (GAME, "lobo77"):
        for purpose in (warm.PLAY, THINK):
            warm.ensure(game, purpose)


async def sit(house: House, *names: str, **wanted: Any) -> tuple[list[str], list[Client]]:
    """A table in play; everybody presses on after rounds."""
    table, tokens = await house.table(*names, **wanted)
    clients = [await house.enter(table, token, pauses=True) for token in tokens]
    clients[0].send("start")
    for client in clients:
        while client.view is None:
            await client.next("update")
    return tokens, clients


async def end_a_round(clients: Sequence[Client]) -> dict[str, Any]:
    """Play until a round is over; the update that said so, as the first client had it."""
    while True:
        for seat, client in enumerate(clients):
            if client.view["actor"] == seat and client.view["legal"] and not client.view["rounds"]:
                client.send("move", seq=client.seq, move=client.view["legal"][0]["move"])
        message = await clients[0].next("update")
        if message["view"] and message["view"]["rounds"]:
            await settled(*clients)
            return message


async def bots_wait(client: Client) -> None:
    """Nothing is played, though a bot could in that time."""
    ply = client.view["ply"]
    for _ in range(5):
        await asyncio.sleep(0.05)
        assert (await client.ask("ping"))["type"] == "ack"
    assert client.view["ply"] == ply


async def bots_play(client: Client) -> None:
    """A bot moves, or it is a person's turn."""
    while client.view["actor"] not in (0, 1) and not client.view["legal"]:
        await client.next("update")


async def paused(client: Client) -> list[int]:
    return list((await client.next("paused")).get("waiting", []))


async def test_bots_wait_until_both_have_pressed_on(house: House) -> None:
    _, (ann, bob) = await sit(house, "Ann", "Bob", bots=["beginner"])
    ended = await end_a_round([ann, bob])
    assert ended["waiting"] == [0, 1]
    await bots_wait(ann)
    assert (await ann.ask("ready"))["type"] == "ack"
    assert await paused(bob) == [1]
    await bots_wait(bob)
    bob.send("ready")
    assert await paused(bob) == []
    await bots_play(ann)


async def test_who_leaves_is_not_waited_for(house: House) -> None:
    _, (ann, bob) = await sit(house, "Ann", "Bob", bots=["beginner"])
    await end_a_round([ann, bob])
    ann.send("ready")
    bob.close()
    while await paused(ann):
        pass
    await bots_play(ann)


@pytest.mark.settings(pause_seconds=0.2)
async def test_the_time_of_a_pause_passes(house: House) -> None:
    _, (ann, bob) = await sit(house, "Ann", "Bob", bots=["beginner"])
    assert (await end_a_round([ann, bob]))["waiting"] == [0, 1]
    assert await paused(ann) == []
    await bots_play(ann)


async def test_no_clock_runs_in_a_pause(house: House) -> None:
    _, (ann, bob) = await sit(house, "Ann", "Bob", clock=3600)
    ended = await end_a_round([ann, bob])
    assert ended["waiting"] and "clock" not in ended
    ann.send("ready")
    bob.send("ready")
    over = await ann.next("paused")
    while over.get("waiting"):
        over = await ann.next("paused")
    assert 3590 < over["clock"] <= 3600


async def test_whoever_comes_back_is_told_who_is_waited_for(house: House) -> None:
    tokens, (ann, bob) = await sit(house, "Ann", "Bob", bots=["beginner"])
    await end_a_round([ann, bob])
    table = ann.welcome["table"]["id"]
    again = await house.enter(table, tokens[1], pauses=True)
    assert again.welcome["waiting"] == [0, 1]


async def test_nobody_waits_for_clients_that_do_not_press_on(house: House) -> None:
    _, _, (ann, bob) = await house.match("Ann", "Bob", bots=["beginner"])
    assert "waiting" not in await end_a_round([ann, bob])


async def test_only_who_is_out_hastens_and_only_bots(house: House) -> None:
    _, (ann, bob) = await sit(house, "Ann", "Bob", bots=["beginner"])
    assert (await ann.ask("hasten"))["code"] == "not_out"
    assert (await bob.ask("hasten", to_the_end=True))["code"] == "not_out"


async def test_whoever_is_out_lets_the_bots_play_to_the_end_and_may_leave(house: House) -> None:
    """The result is there later, also if nobody has looked on."""
    table, tokens = await house.table("Ann", game="lobo77", bots=["beginner", "beginner"], options={"tokens": 1})
    ann = await house.enter(table, tokens[0])
    ann.send("start")
    while ann.view is None or (0 not in ann.view["table"]["out"] and not ann.view["over"]):
        if ann.view is not None and ann.view["actor"] == 0:
            highest = max(ann.view["legal"], key=lambda one: _raise(one["move"]))
            await ann.ask("move", seq=ann.seq, move=highest["move"])
        else:
            await ann.next("update")
    if not ann.view["over"]:
        assert (await ann.ask("hasten", to_the_end=True))["type"] in ("ack", "refused")
        ann.close()
    while not (await house.get(f"/api/tables/{table}", tokens[0]))["view"]["over"]:
        await asyncio.sleep(0.02)


def _raise(card: str) -> int:
    return int(card) if card.lstrip("-").isdecimal() else 0
