"""Moves that go the quick way, over real sockets: they come to the same. Whatever is unusual goes the ordinary way."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from picows import WSMsgType

import ludotheque
from ludotheque.core import painter, portray, warm
from ludotheque.core.desks import Desks
from ludotheque.core.painter import SHOW
from ludotheque.server import events, outbox, room
from ludotheque.server.lane import Lanes
from ludotheque.server.live import Live
from ludotheque.server.store.base import Conflict, Row, StoreError
from ludotheque.server.table import Table, fold
from ludotheque.server.turns import Turns
from ludotheque.server.views import phrases
from tests.server.house import GAME, Client, House, run, running
from tests.server.test_turns import Visitor

pytestmark = pytest.mark.compiled_only


@pytest.fixture(autouse=True)
def compiled() -> None:
    for game_id in ludotheque.game_ids():
        warm.ensure(game_id, SHOW)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The sizes of the batches that are played."""
    sizes: list[int] = []
    really = Turns._play_batch

    def count(self: Turns, batch: Any) -> None:
        sizes.append(len(batch.moves))
        really(self, batch)

    monkeypatch.setattr(Turns, "_play_batch", count)
    yield sizes


def actor_of(clients: list[Client]) -> Client:
    newest = max(clients, key=lambda client: client.seq)
    assert newest.view is not None
    seat: int = newest.view["actor"]
    return clients[seat]


async def settled(clients: list[Client]) -> None:
    """Everybody has seen the same."""
    while len({client.seq for client in clients}) > 1:
        await asyncio.sleep(0)


async def play(clients: list[Client], count: int) -> None:
    """So many moves, the first that can be made, by number or as text."""
    for number in range(count):
        await settled(clients)
        if clients[0].view is None or clients[0].view["over"]:
            await clients[0].ask("rematch")
            await clients[0].ask("start")
            await settled(clients)
        actor = actor_of(clients)
        assert actor.view is not None
        choice = actor.view["legal"][0]
        answer = await actor.move(choice["id"] if number % 2 else choice["move"])
        assert answer["type"] == "update", answer
    await settled(clients)


async def is_as_stored(house: House, live: Live) -> None:
    """The table is what its stored events make."""
    stored = [events.decode(row) for row in await house.room.store.read(live.table.id)]
    twin, table = fold(live.table.id, stored), live.table
    assert twin.match is not None and table.match is not None
    assert (twin.seq, twin.match_seq, twin.match.moves) == (table.seq, table.match_seq, table.match.moves)
    assert (twin.match.actor, twin.match.over) == (table.match.actor, table.match.over)
    assert twin.match.to_bytes() == table.match.to_bytes()
    assert set(twin._done) == set(table._done)


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_moves_go_the_quick_way(tmp_path: Path, quick: list[int], game_id: str) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            names = ["Ann", "Bob", "Cy", "Di"][: max(2, ludotheque.game(game_id).info.min_seats)]
            table, _, clients = await house.match(*names, game=game_id)
            live = house.room.tables[table]
            await play(clients, 40)
            assert sum(quick) > 20
            for client in clients:
                seat = clients.index(client)
                view = live.audience.view(seat, "en")
                assert client.view == msgspec.json.decode(msgspec.json.encode(view))
            await is_as_stored(house, live)
            watcher = await house.enter(table, key=house.room.signer.link("watch", table))
            assert watcher.seq == clients[0].seq

    run(story())


def same_script(monkeypatch: pytest.MonkeyPatch, folder: Path, game_id: str, is_quick: bool) -> list[list[bytes]]:
    """What three people and a spectator are sent in a story that is the same each time; at last what is stored."""
    numbers = iter(range(10**6))
    monkeypatch.setattr(
        room,
        "secrets",
        SimpleNamespace(token_bytes=lambda size: b"%0*d" % (size, next(numbers)), randbelow=lambda most: 0),
    )
    monkeypatch.setattr(time, "time", lambda: 1_700_000_000.125)
    if not is_quick:
        monkeypatch.setattr(Lanes, "lay", lambda self, live: None)
    chance = random.Random(f"script {game_id}")
    sent: list[list[bytes]] = []

    async def story() -> None:
        async with running(folder) as house:
            names = ["Ann", 'Béa "the\\ Cat"', "🐺" * 40]
            table, tokens, clients = await house.match(*names, game=game_id)
            for number in range(120):
                await settled(clients)
                assert clients[0].view is not None
                if clients[0].view["over"]:
                    await clients[0].ask("rematch")
                    await clients[0].ask("start")
                    await settled(clients)
                actor, what = actor_of(clients), chance.random()
                assert actor.view is not None
                choice = chance.choice(actor.view["legal"] or [{"id": 0, "move": "?"}])
                move, seq = choice["id"] if chance.random() < 0.5 else choice["move"], actor.seq
                if what < 0.05:
                    await chance.choice(clients).ask("say", id=f"s{number}", text="well")
                elif what < 0.1:
                    await actor.ask("move", id=f"m{number}", seq=seq, move=chance.choice([-1, 10**6, "no", 0]))
                elif what < 0.15:
                    await actor.ask("move", id=f"m{number}", seq=seq + chance.choice([-2, -1, 1]), move=move)
                elif what < 0.2:
                    await chance.choice(clients).ask("move", id=f"m{number}", seq=seq, move=move)
                elif what < 0.25:
                    await actor.ask("move", id=f"m{chance.randrange(number + 1)}", seq=seq, move=move)
                else:
                    await actor.ask("move", id=f"m{number}", seq=seq, move=move)
                if number == 60:
                    clients.append(await house.enter(table, key=house.room.signer.link("watch", table)))
                if number == 90:
                    clients[1].transport.underlying_transport.abort()
                    back = await house.enter(table, tokens[1], after=clients[1].seq)
                    back.raw = clients[1].raw + back.raw
                    clients[1] = back
            await settled(clients)
            await is_as_stored(house, house.room.tables[table])
            for client in clients:  # but for who is there, which may be told sooner or later
                sent.append([data for data in client.raw if b'"type":"presence"' not in data])
            secret = table.encode()
            sent.append([row for row in await house.room.store.read(table)][2:])
            for some in sent:
                some[:] = [data.replace(secret, b"T") for data in some]
                for token in tokens:
                    assert not any(token.encode() in data for data in some)

    with monkeypatch.context():
        run(story())
    return sent


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_the_quick_way_comes_to_the_same(tmp_path: Path, quick: list[int], game_id: str) -> None:
    """All that is sent is the same to the byte, and so is all that is stored."""
    with pytest.MonkeyPatch.context() as patch:
        short = same_script(patch, tmp_path / "quick", game_id, True)
    count = sum(quick)
    assert count > 30
    with pytest.MonkeyPatch.context() as patch:
        long = same_script(patch, tmp_path / "ordinary", game_id, False)
    assert sum(quick) == count
    for one, other in zip(short[:-1], long[:-1], strict=True):
        assert [without_secrets(data) for data in one] == [without_secrets(data) for data in other]
    assert [without_secrets(data) for data in short[-1]] == [without_secrets(data) for data in long[-1]]


def without_secrets(data: bytes) -> Any:
    """A message but for what is drawn by lot for every table: tokens and identities."""
    message = msgspec.json.decode(data)
    for name in ("token", "owner"):
        message.pop(name, None)
    return message


def test_all_who_ask_get_the_table_as_it_is(tmp_path: Path, quick: list[int]) -> None:
    """Nobody has asked for the table while its moves went the quick way."""

    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens, clients = await house.match("Ann", "Bob")
            live = house.room.tables[table]

            async def lag() -> None:
                for _ in range(100):
                    if live.desk and len(live.lag) >= 4:
                        return
                    await play(clients, 1)
                raise AssertionError("the table is never behind")

            await lag()
            assert (await clients[0].ask("ping"))["seq"] == clients[0].seq and not live.lag
            await lag()
            record = await house.get(f"/api/tables/{table}/record", tokens[0])
            assert (
                clients[0].view is not None and len(record["record"]["moves"]) == clients[0].view["ply"] and live.desk
            )
            await lag()
            ply = clients[0].view["ply"]
            watcher = await house.enter(table, key=house.room.signer.link("watch", table), after=0)
            assert not live.desk
            assert [event["seq"] for event in watcher.welcome["events"]] == list(range(2, clients[0].seq + 1))  # type: ignore[attr-defined]
            assert watcher.view is not None and watcher.view["ply"] == ply
            await lag()  # a spectator may be there too
            await settled([*clients, watcher])
            await is_as_stored(house, live)

    run(story())


def test_whatever_is_unusual_goes_the_ordinary_way(tmp_path: Path, quick: list[int]) -> None:
    """Bots, a clock, a second device, a second language, or somebody who is away."""

    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens, clients = await house.match("Ann", "Bob", clock=600)
            await play(clients, 6)
            lanes = house.room.turns._lanes
            lanes.lay(house.room.tables[table])
            assert not house.room.tables[table].desk
            table, _, others = await house.match("Ann", "Bob", bots=["beginner"])
            for _ in range(4):
                if others[0].view is not None and others[0].view["actor"] < 2:
                    await others[others[0].view["actor"]].move()
                await asyncio.sleep(0.05)
                await settled(others)
            lanes.lay(house.room.tables[table])
            assert not quick and not house.room.tables[table].desk
            table, tokens, clients = await house.match("Ann", "Bob")
            live = house.room.tables[table]
            await play(clients, 4)
            assert live.desk and quick
            visitor = Visitor(None)
            live.audience.join(visitor)
            assert not live.desk  # at once, and so it is when they leave
            live.audience.leave(visitor)
            await play(clients, 4)
            assert live.desk and live.audience.leave(next(iter(live.audience))) and not live.desk
            live.audience.join(next(c for c in house.door.connections if c._live is live and c.who.seat == 0))
            second = await house.enter(table, tokens[0])
            quick.clear()
            await play(clients, 4)
            assert not quick and not live.desk and second.seq == clients[0].seq
            second.close()
            while live.audience.here() != [0, 1] or len(list(live.audience)) > 2:
                await asyncio.sleep(0.01)
            await play(clients, 4)
            assert live.desk
            reader = await house.enter(table, lang="fr", key=house.room.signer.link("watch", table))
            quick.clear()
            await play(clients, 4)
            assert not quick and reader.seq == clients[0].seq
            reader.close()
            while len(list(live.audience)) > 2:
                await asyncio.sleep(0.01)
            await play(clients, 4)
            assert live.desk
            actor = actor_of(clients)
            clients[1 - clients.index(actor)].transport.underlying_transport.abort()
            while live.desk:
                await asyncio.sleep(0.01)
            quick.clear()
            assert (await actor.move())["type"] == "update" and not live.desk and not quick
            await is_as_stored(house, live)

    run(story())


def test_a_message_is_carried_out_once(tmp_path: Path, quick: list[int]) -> None:
    """Also if it is sent again as if it were made for the newest state of the table."""

    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, clients = await house.match("Ann", "Bob")
            await play(clients, 4)
            live = house.room.tables[table]
            assert live.desk
            actor = actor_of(clients)
            assert actor.view is not None
            first = await actor.ask("move", id="once", seq=actor.seq, move=actor.view["legal"][0]["id"])
            assert first["type"] == "update"
            await settled(clients)
            while actor_of(clients) is not actor:
                await play(clients, 1)
            assert live.desk
            count = sum(quick)
            again = await actor.ask("move", id="once", seq=actor.seq, move=actor.view["legal"][0]["id"])
            assert again == {"type": "ack", "re": "once", "seq": actor.seq}
            await play(clients, 3)
            assert sum(quick) > count
            await is_as_stored(house, live)

    run(story())


def test_moves_for_which_a_tray_has_no_room_come_a_little_later(tmp_path: Path, quick: list[int]) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, clients = await house.match("Ann", "Bob")
            await play(clients, 4)
            live = house.room.tables[table]
            assert live.desk and live.lane is not None
            tray = live.lane._batch.tray
            tray.used = len(tray.texts) - 100
            actor = actor_of(clients)
            assert actor.view is not None
            actor.send("move", id="m", seq=actor.seq, move=actor.view["legal"][0]["id"])
            await asyncio.sleep(0.1)
            assert tray.count == 0 and live.desk and not live.busy
            tray.used = 0
            while (await actor.next("update")).get("re") != "m":
                pass
            await play(clients, 5)
            await is_as_stored(house, live)

    run(story())


def frame(message: dict[str, Any]) -> bytes:
    data = msgspec.json.encode(message)
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


def a_move(client: Client, name: str) -> bytes:
    assert client.view is not None
    return frame({"type": "move", "id": name, "seq": client.seq, "move": client.view["legal"][0]["id"]})


@pytest.mark.parametrize("how", ["in halves", "letter by letter", "with more", "after more", "in frames", "binary"])
def test_frames_may_come_in_any_way(tmp_path: Path, quick: list[int], how: str) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, clients = await house.match("Ann", "Bob")
            await play(clients, 4)
            live = house.room.tables[table]
            assert live.desk
            actor = actor_of(clients)
            wire, before = actor.transport.underlying_transport, actor.seq
            data = a_move(actor, "m")
            talk = frame({"type": "say", "id": "s", "text": "well"})
            if how == "in halves":
                wire.write(data[:20])
                await asyncio.sleep(0.05)
                wire.write(data[20:])
            elif how == "letter by letter":
                for place in range(len(data)):
                    wire.write(data[place : place + 1])
                    await asyncio.sleep(0.001)
            elif how == "with more":
                wire.write(data + talk)
            elif how == "after more":
                wire.write(talk + data)
            elif how == "in frames":
                actor.transport.send(WSMsgType.TEXT, data[6:20], fin=False)
                await asyncio.sleep(0.02)
                actor.transport.send(WSMsgType.CONTINUATION, data[20:])
            else:
                actor.transport.send(WSMsgType.BINARY, data[6:])
                assert (await actor.next("bye"))["code"] == "bad_message"
                while live.desk:
                    await asyncio.sleep(0.01)
                return
            answer = await actor.next("update", "refused")
            while answer.get("re") != "m":
                answer = await actor.next("update", "refused")
            assert answer["type"] == "update"
            while "more" in how and actor.seq < before + 2:
                await asyncio.sleep(0.01)
            await play(clients, 6)
            assert live.desk or how in ("in halves", "letter by letter", "in frames")
            await is_as_stored(house, live)

    run(story())


def test_no_move_is_found_within_another_message(tmp_path: Path, quick: list[int]) -> None:
    """The second half of a message looks like a move by itself."""

    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, clients = await house.match("Ann", "Bob")
            await play(clients, 4)
            live = house.room.tables[table]
            assert live.desk
            actor = actor_of(clients)
            wire, seq, count = actor.transport.underlying_transport, actor.seq, sum(quick)
            inner = a_move(actor, "m")
            begin = b'{"type":"say","id":"s","text":"'
            wire.write(bytes([0x81, 0x80 | (len(begin) + len(inner)), 0, 0, 0, 0]) + begin)
            await asyncio.sleep(0.05)
            wire.write(inner)
            assert (await actor.next("refused"))["code"] == "bad_message"
            assert (await actor.ask("ping"))["seq"] == seq and sum(quick) == count
            await play(clients, 4)
            await is_as_stored(house, live)

    run(story())


def test_talk_and_moves_at_once_lose_nothing(tmp_path: Path, quick: list[int]) -> None:
    """Many tables, where everybody talks, asks and moves without waiting for an answer."""

    async def story() -> None:
        async with running(tmp_path) as house:
            chance = random.Random("talk")
            places = [await house.match("Ann", "Bob", game=game_id) for game_id in (GAME, "lobo77") for _ in range(6)]
            said = moved = 0
            for number in range(150):
                for _, _, clients in places:
                    newest = max(clients, key=lambda client: client.seq)
                    if newest.view is None or newest.view["over"] or chance.random() < 0.3:
                        continue
                    actor = actor_of(clients)
                    assert actor.view is not None and actor.view["legal"] is not None
                    if not actor.view["legal"]:  # it has not heard yet that it is at turn
                        continue
                    for client in chance.sample(clients, 2):
                        if chance.random() < 0.04:
                            client.send("say", id=f"s{number}", text="well")
                            said += 1
                    move = chance.choice(actor.view["legal"])["id"]
                    actor.send("move", id=f"m{number}", seq=actor.seq, move=move)
                    moved += 1
                    if chance.random() < 0.1:
                        actor.send("move", id=f"m{number}", seq=actor.seq, move=move)
                    if chance.random() < 0.1:
                        chance.choice(clients).send("ping")
                await asyncio.sleep(chance.choice([0.001, 0.005, 0.01]))
            while house.room.turns.is_busy or any(
                client.seq < house.room.tables[table].table.seq for table, _, clients in places for client in clients
            ):
                await asyncio.sleep(0.01)
            assert sum(quick) > 50 and said > 30 and moved > 600
            stored = [row for table, _, _ in places for row in await house.room.store.read(table)]
            assert sum(isinstance(events.decode(row), events.Said) for row in stored) == said
            for table, _, clients in places:
                live = house.room.tables[table]
                assert not live.busy
                await is_as_stored(house, live)
                for seat, client in enumerate(clients):
                    told = [event for raw in client.raw for event in msgspec.json.decode(raw).get("events", ())]
                    numbers = [event["seq"] for event in told]
                    assert numbers == list(range(numbers[0], live.table.seq + 1))
                    assert client.view == msgspec.json.decode(msgspec.json.encode(live.audience.view(seat, "en")))

    run(story())


def test_what_is_said_while_a_move_is_stored_comes_after_it(tmp_path: Path, quick: list[int]) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, clients = await house.match("Ann", "Bob")
            await play(clients, 4)
            live, store = house.room.tables[table], house.room.store
            waiting: list[tuple[list[Row], Any]] = []
            really = store.append_rows
            store.append_rows = lambda rows, done: waiting.append((rows, done))  # type: ignore[method-assign]
            actor = actor_of(clients)
            other = clients[1 - clients.index(actor)]
            assert live.desk and actor.view is not None
            move = actor.send("move", seq=actor.seq, move=actor.view["legal"][0]["id"])
            while not waiting:
                await asyncio.sleep(0.01)
            assert live.busy and live.desk
            said = other.send("say", text="well")
            while not live.queue:
                await asyncio.sleep(0.01)
            assert live.busy and not live.desk
            store.append_rows = really  # type: ignore[method-assign]
            really(*waiting[0])
            answers = [message.get("re") for message in [await actor.next("update"), await actor.next("update")]]
            while move not in answers:
                answers.append((await actor.next("update")).get("re"))
            heard = await other.next("update")
            while heard.get("re") != said:
                heard = await other.next("update")
            await play(clients, 4)
            assert live.desk
            await is_as_stored(house, live)

    run(story())


@pytest.mark.parametrize("error", [StoreError("full"), Conflict("another server")])
def test_what_cannot_be_stored_is_not_played(tmp_path: Path, quick: list[int], error: StoreError) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, clients = await house.match("Ann", "Bob")
            await play(clients, 4)
            live = house.room.tables[table]
            really = house.room.store.append_rows

            def fail(rows: list[Row], done: Any) -> None:
                house.room.store.append_rows = really  # type: ignore[method-assign]
                asyncio.get_running_loop().call_soon(done, error)

            house.room.store.append_rows = fail  # type: ignore[method-assign]
            actor = actor_of(clients)
            assert actor.view is not None and live.desk
            move, seq = actor.view["legal"][0]["id"], actor.seq
            answer = await actor.ask("move", id="m", seq=seq, move=move)
            if isinstance(error, Conflict):  # it was decided on again
                assert answer["type"] == "update"
            else:
                assert (answer["type"], answer["code"]) == ("refused", "disk") and actor.seq == seq
                assert (await actor.ask("move", id="m", seq=seq, move=move))["type"] == "update"
            await play(clients, 5)
            assert live.desk
            await is_as_stored(house, live)

    run(story())


@pytest.mark.parametrize("where", ["judging", "playing"])
def test_rules_that_fail_harm_their_own_table_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            places = [await house.match("Ann", "Bob") for _ in range(3)]
            for _, _, clients in places:
                await play(clients, 4)
            lives = [house.room.tables[table] for table, _, _ in places]
            assert all(live.desk for live in lives)
            lane, broken = lives[1].lane, lives[1]
            assert lane is not None and broken.table.match is not None
            address, desk = broken.table.match.address, broken.desk
            take_in, play_jobs = lane.desks._take_in, lane.painter._portray

            def judge(*given: Any) -> None:
                given[7][desk, 13], was_open = 0, given[7][desk, 13]  # it is not asked there, but passed on
                take_in(*given)
                given[7][desk, 13] = was_open
                if any(lane.riders[line].who.seat is not None for line, _, _ in lane.desks.passed()):
                    raise ZeroDivisionError

            def play_some(jobs: Any, count: int, *given: Any) -> Any:
                for job in range(count):
                    if jobs[job, 0] == address:
                        play_jobs(jobs, job, *given)
                        given[-1][portray.DOING] = job
                        raise ZeroDivisionError
                return play_jobs(jobs, count, *given)

            def never(*_: object) -> Any:
                raise ZeroDivisionError

            if where == "judging":
                monkeypatch.setattr(lane.desks, "_take_in", judge)
                monkeypatch.setattr(broken.table.match, "_kernel_allows", never)
                monkeypatch.setattr("ludotheque.server.turns.is_ready", lambda *_: False)
            else:
                monkeypatch.setattr(lane.painter, "_portray", play_some)
            actors = [actor_of(clients) for _, _, clients in places]
            names = [
                actor.send("move", seq=actor.seq, move=actor.view["legal"][0]["id"])
                for actor in actors
                if actor.view is not None
            ]
            for number, (actor, name) in enumerate(zip(actors, names, strict=True)):
                answer = await actor.next("update", "refused")
                while answer.get("re") != name:
                    answer = await actor.next("update", "refused")
                assert answer["type"] == ("refused" if number == 1 else "update")
                assert number != 1 or answer["code"] == "broken"
            monkeypatch.undo()
            for place in (0, 2):
                await play(places[place][2], 5)
                await is_as_stored(house, lives[place])

    run(story())


def test_views_for_which_there_is_no_room_come_a_little_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painter, "ROOM", 6000)
    phrases.cache_clear()

    async def story() -> None:
        async with running(tmp_path) as house:
            places = [await house.match("Ann", "Bob") for _ in range(6)]
            await asyncio.gather(*(play(clients, 30) for _, _, clients in places))
            for table, _, clients in places:
                await is_as_stored(house, house.room.tables[table])
                assert clients[0].view is not None and clients[0].view["ply"] == 30

    try:
        run(story())
    finally:
        phrases.cache_clear()


def test_answers_that_may_wait_come_nevertheless(
    tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are held back for a moment, also if nothing follows."""
    held: list[tuple[int, int]] = []
    really = Desks.let_go

    def count(self: Desks) -> tuple[int, int]:
        held.append(really(self))
        return held[-1]

    monkeypatch.setattr(Desks, "let_go", count)
    monkeypatch.setattr(outbox, "MANY", 2)

    async def story() -> None:
        async with running(tmp_path) as house:
            _, _, clients = await house.match("Ann", "Bob")
            for _ in range(30):
                await play(clients, 1)
                if sum(waited for waited, _ in held) >= 3:
                    return
                await asyncio.sleep(outbox.REST_SECONDS)
            raise AssertionError("no answer waits")

    run(story())


@pytest.mark.slow
def test_whoever_does_not_read_is_told_later(tmp_path: Path, quick: list[int]) -> None:
    """Bob's socket takes a letter in part only, then no more. His moves are answered once he reads again."""

    async def story() -> None:
        async with running(tmp_path, stall_seconds=60.0) as house:
            table, _, clients = await house.match("Ann", "Bob", "Cy")
            await play(clients, 3)
            ann, bob, cy = clients
            live = house.room.tables[table]
            target = next(c for c in house.door.connections if c.who.seat == 1)
            bob.transport.underlying_transport.pause_reading()
            names = []
            for number in range(20_000):
                match, seq = live.table.match, live.table.seq
                assert match is not None
                if match.over:
                    await ann.ask("rematch")
                    await ann.ask("start")
                    continue
                name = clients[match.actor].send("move", seq=seq, move=match.legal_ids()[0])
                if match.actor == 1:
                    names.append(name)
                while live.table.seq == seq:
                    await asyncio.sleep(0)
                if target._behind and number % 3 == 0:
                    break
            assert target._behind and sum(quick) > 100
            bob.transport.underlying_transport.resume_reading()
            while bob.seq < live.table.seq:
                await asyncio.sleep(0.01)
            await settled([ann, bob, cy])
            told = [msgspec.json.decode(raw) for raw in bob.raw]
            numbers = [event["seq"] for message in told for event in message.get("events", ())]
            assert numbers == list(range(numbers[0], ann.seq + 1))
            while (await bob.ask("ping"))["type"] != "ack":
                pass
            answered = [message["re"] for raw in bob.raw if "re" in (message := msgspec.json.decode(raw))]
            assert [name for name in answered if name in names] == names
            assert bob.view == msgspec.json.decode(msgspec.json.encode(live.audience.view(1, "en")))
            await play(clients, 6)
            await is_as_stored(house, live)

    run(story(), 300)


@pytest.mark.slow
def test_a_second_device_that_does_not_read_changes_nothing(tmp_path: Path, quick: list[int]) -> None:
    """Once it is behind, moves go the quick way without it; when it reads again it is told all that it missed."""

    async def story() -> None:
        async with running(tmp_path, stall_seconds=60.0) as house:
            table, tokens, clients = await house.match("Ann", "Bob")
            live = house.room.tables[table]
            second = await house.enter(table, tokens[0])
            target = next(c for c in live.audience if c.who.seat == 0 and c is not next(iter(live.audience)))
            second.transport.underlying_transport.pause_reading()
            for _ in range(5000):
                await clients[0].ask("say", text="x" * 490)
                if target.is_behind:
                    break
            assert target.is_behind
            quick.clear()
            await play(clients, 12)
            assert live.desk and sum(quick) >= 6
            second.transport.underlying_transport.resume_reading()
            while second.seq < live.table.seq:
                await asyncio.sleep(0.01)
            told = [event["seq"] for raw in second.raw for event in msgspec.json.decode(raw).get("events", ())]
            assert told == list(range(told[0], live.table.seq + 1)) and not live.desk
            assert second.view == clients[0].view
            await play(clients, 4)
            await settled([*clients, second])
            await is_as_stored(house, live)

    run(story())


def test_floods_are_slowed_down(tmp_path: Path, quick: list[int]) -> None:
    """What comes the quick way counts, and so does what comes the other way over the same connection."""

    async def story() -> None:
        async with running(tmp_path, messages_per_second=0.001, messages_at_once=30) as house:
            table, _, clients = await house.match("Ann", "Bob")
            await play(clients, 20)
            assert house.room.tables[table].desk and sum(quick) > 10
            codes = []
            for client in clients:
                for _ in range(30):
                    client.send("ping")
                    message = await client.next("ack", "refused")
                    codes.append(message.get("code", "ack"))
                    if codes[-1] == "slow_down":
                        break
            assert codes.count("slow_down") == 2
            # 60 in all: two greetings, a start and 20 moves before, and as many as were left
            assert codes.count("ack") == 60 - 2 - 1 - 20
            await is_as_stored(house, house.room.tables[table])

    run(story())


def test_other_servers_are_told(tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every move once, whichever way it goes."""

    async def story() -> None:
        async with running(tmp_path) as house:
            table, _, clients = await house.match("Ann", "Bob")
            await play(clients, 4)
            told: list[tuple[str, int]] = []
            monkeypatch.setattr(house.room.bus, "tell", lambda table, seq: told.append((table, seq)))
            alone = house.room.settings
            house.room.settings = dataclasses.replace(alone, bus="redis://127.0.0.1:1")  # as if there were others
            first = clients[0].seq
            assert house.room.tables[table].desk
            await play(clients, 5)
            house.room.settings = alone
            assert told == [(table, seq) for seq in range(first + 1, first + 6)] and sum(quick) > 5

    run(story())


def test_a_table_remembers_messages(tmp_path: Path) -> None:
    created = events.Created(1.0, GAME, 2, {}, b"0" * 32, "owner")
    table = Table("t", created)
    assert table.remember(0, "a") and not table.remember(0, "a") and table.remember(1, "a")
    table.forget(0, "a")
    assert table.remember(0, "a")
