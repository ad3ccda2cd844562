"""What people do around the cards: change seats and options before the deal, ask why, look at moments of a match."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from ludotheque.core import registry
from ludotheque.server import events, protocol
from ludotheque.server.commands import Sit, Who, check_new
from ludotheque.server.refusals import Refusal
from ludotheque.server.table import Table, fold
from ludotheque.server.views import moments_from
from tests.server.house import GAME, House, run, running

OWNER = Who(None, "owner")


def new_table(**wanted: Any) -> Table:
    created = check_new(protocol.NewTable(GAME, **{"seats": 3, **wanted}), b"s" * 32, "owner", 7, 1.0)
    return Table("t", created)


def do(table: Table, command: Any, who: Who = OWNER) -> events.Event:
    event = table.decide(command, who, 2.0)
    table.apply(event)
    return event


def refused(table: Table, command: Any, who: Who = OWNER) -> str:
    before = table.info()
    with pytest.raises(Refusal) as caught:
        table.decide(command, who, 2.0)
    assert table.info() == before
    return caught.value.code


def seated() -> tuple[Table, Who]:
    table = new_table()
    do(table, Sit("Ann", b"a" * 32))
    return table, Who(0, "owner")


def test_people_move_to_a_free_seat_and_take_everything_along() -> None:
    table, ann = seated()
    do(table, protocol.Contribute("c", "ab" * 16), ann)
    do(table, protocol.TakeSeat("m", 2), ann)
    assert [seat.name for seat in table.seats] == ["", "", "Ann"]
    assert table.seats[2].contribution == b"\xab" * 16
    assert table.seat_of_token(b"a" * 32) == 2
    assert table.is_done(2, "m")


def test_a_bot_takes_the_seat_of_whoever_takes_its_own() -> None:
    table, ann = seated()
    do(table, protocol.AddBot("b", 1), ann)
    bot = table.seats[1].name
    do(table, protocol.TakeSeat("m", 1), ann)
    assert [seat.name for seat in table.seats] == [bot, "Ann", ""]


def test_nobody_is_pushed_off_a_seat_and_nobody_moves_after_the_deal() -> None:
    table, ann = seated()
    do(table, Sit("Bob", b"b" * 32), Who(None, "bob"))
    assert refused(table, protocol.TakeSeat("m", 1), ann) == "seat_taken"
    assert refused(table, protocol.TakeSeat("m", 0), ann) == "seat_taken"
    assert refused(table, protocol.TakeSeat("m", 3), ann) == "no_such_seat"
    assert refused(table, protocol.TakeSeat("m", 2), Who(None, "stranger")) == "not_seated"
    do(table, protocol.AddBot("b", 2), ann)
    do(table, protocol.Start("s"), ann)
    assert refused(table, protocol.TakeSeat("m", 2), ann) == "already_started"


def test_whoever_made_the_table_sets_it_up_differently() -> None:
    table, ann = seated()
    do(table, protocol.Arrange("a", options={"rounds": 7}), ann)
    assert table.info().options["rounds"] == 7 and table.options["rounds"] == 7
    do(table, protocol.Arrange("b", seats=4, clock=60, public=True), ann)
    info = table.info()
    assert [seat.kind for seat in info.seats] == ["person", "free", "free", "free"]
    assert (info.clock, info.public, info.options["rounds"]) == (60, True, 7)
    do(table, protocol.Arrange("c", seats=2), ann)
    assert len(table.seats) == 2 and table.summary(0.0).num_seats == 2


def test_a_table_is_not_set_up_by_others_nor_as_the_game_cannot_be() -> None:
    table, ann = seated()
    do(table, Sit("Bob", b"b" * 32, 2), Who(None, "bob"))
    assert refused(table, protocol.Arrange("a", options={"rounds": 7}), Who(2, "bob")) == "not_owner"
    assert refused(table, protocol.Arrange("a", options={"rounds": 8}), ann) == "bad_options"
    assert refused(table, protocol.Arrange("a", options={"colour": "red"}), ann) == "bad_options"
    assert refused(table, protocol.Arrange("a", seats=2), ann) == "seat_taken"
    assert refused(table, protocol.Arrange("a", seats=15), ann) == "bad_options"
    do(table, protocol.AddBot("b", 1), ann)
    do(table, protocol.Start("s"), ann)
    assert refused(table, protocol.Arrange("a", clock=30), ann) == "already_started"


def test_the_same_events_give_the_same_table() -> None:
    table, ann = seated()
    stored: list[events.Event] = [table.created, events.Seated(2.0, 0, "Ann", b"a" * 32, "owner")]
    for command in (protocol.Arrange("a", options={"rounds": 7}, seats=2), protocol.TakeSeat("m", 1)):
        stored.append(do(table, command, ann))
    again = fold("t", [events.decode(events.encode(event)) for event in stored])
    assert again.info() == table.info()


async def arrange_over_the_network(house: House) -> None:
    made = await house.post("/api/tables", {"game": GAME, "seats": 3, "name": "Ann"})
    table, token = made["table"]["id"], made["token"]
    async with httpx.AsyncClient(base_url=house.url) as other:
        joined = (await other.post(f"/api/tables/{table}/join", json={"name": "Bob", "key": made["join"]})).json()
    ann = await house.enter(table, token)
    bob = await house.enter(table, joined["token"])
    answer = await bob.ask("take_seat", seat=2)
    assert answer["events"][0] == {**answer["events"][0], "type": "took_seat", "seat": 2, "left": 1}
    assert [seat["kind"] for seat in answer["table"]["seats"]] == ["person", "free", "person"]
    await ann.ask("add_bot", seat=1)
    await ann.ask("start")
    while (answer := await bob.next("update"))["events"][0]["type"] != "started":
        pass
    assert bob.view is not None
    # The connection belongs to the new seat: it sees that seat's cards.
    shown = await house.get(f"/api/tables/{table}", joined["token"])
    assert shown["seat"] == 2 and shown["view"]["table"]["hand"] == bob.view["table"]["hand"]


def test_a_connection_follows_to_the_new_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            await arrange_over_the_network(house)

    run(story())


def test_why_is_answered_and_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, (ann, bob) = await house.match("Ann", "Bob")
            watcher = await house.enter(table, key=house.room.signer.link("watch", table), lang="fr")
            assert ann.view is not None and bob.view is not None
            actor, other = (ann, bob) if ann.view["actor"] == 0 else (bob, ann)
            assert actor.view is not None
            seq = ann.seq
            move = actor.view["legal"][0]["move"]
            assert (await actor.ask("why", move=move))["type"] == "ack"
            answer = await other.ask("why", move=move)
            assert answer["type"] == "refused" and answer["code"] == "illegal" and answer["text"]
            assert (await actor.ask("why", move="nonsense"))["code"] == "not_a_move"
            answer = await watcher.ask("why", move=move)
            assert answer["code"] == "not_seated" and "place" in answer["text"]
            assert (await ann.ask("ping"))["seq"] == seq

    run(story())


def test_moments_are_the_views_there_were(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens, clients = await house.match("Ann", "Bob", options={"rounds": 7})
            path = f"/api/tables/{table}/moments"
            views = [clients[0].view]
            chance = random.Random(3)
            while True:
                view = clients[0].view
                assert view is not None
                if view["over"]:
                    break
                if len(views) == 5:
                    await house.get(path, tokens[0], seat=1, status=409)
                    ours = await house.get(path, tokens[0], first=4)
                    assert ours["views"] == [views[-1]] and (ours["seat"], ours["total"]) == (0, 4)
                actor = clients[view["actor"]]
                assert actor.view is not None
                await actor.move(chance.choice(actor.view["legal"])["move"])
                while clients[0].seq != clients[1].seq:
                    await min(clients, key=lambda one: one.seq).next("update")
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

    run(story())


def test_moments_of_every_game_are_its_views() -> None:
    for game_id in registry.ids():
        match = registry.load(game_id).new(seed=5)
        chance = random.Random(1)
        for _ in range(40):
            if match.over:
                break
            match.play(chance.choice(match.legal_ids()))
        for seat in (None, 1):
            shown = moments_from(match, 10, 12, seat, "fr")
            assert len(shown) == 12
            for i, view in enumerate(shown):
                past = match.at(10 + i)
                expected = past.view(seat, "fr")
                told = msgspec.json.decode(protocol.encode(view))
                assert told["ply"] == 10 + i
                for part in ("table", "rounds", "legal"):
                    assert told[part] == msgspec.json.decode(protocol.encode(expected[part]))
    assert moments_from(match, 3, 0, 0, "en") == []
