"""The way of every command: judged, stored in groups, applied, shown and answered, whatever the store does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self, cast

import pytest

import ludotheque
from ludotheque.core.match import Match
from ludotheque.server.bus.memory import MemoryBus
from ludotheque.server.domain import events, protocol
from ludotheque.server.domain.commands import Who
from ludotheque.server.domain.refusals import Refusal
from ludotheque.server.domain.table import fold
from ludotheque.server.session import pipeline
from ludotheque.server.session.live import LiveTable, State
from ludotheque.server.session.room import Room
from ludotheque.server.settings import Settings
from ludotheque.server.store.base import Conflict, Done, Entry, Head, StoreError, Uncertain
from tests.server.house import GAME, House, at_turn, running


class FakeStore:
    """Stores when asked to."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.heads: list[Head] = []
        self.waiting: list[tuple[Sequence[Entry], Done]] = []
        self.fails: dict[str, StoreError] = {}
        """By table."""

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def setting(self, name: str, fresh: bytes) -> bytes:
        return fresh

    async def read(self, table: str, after: int = 0) -> list[str]:
        return [data for entry in self.entries if entry.table == table and entry.seq > after for data in entry.data]

    def append(self, entries: Sequence[Entry], heads: Sequence[Head], done: Done) -> None:
        self.heads += heads
        self.waiting.append((entries, done))

    def write(self) -> None:
        waiting, self.waiting = self.waiting, []
        for entries, done in waiting:
            self.entries += [entry for entry in entries if entry.table not in self.fails]
            done([self.fails.get(entry.table) for entry in entries])


class Visitor:
    """Keeps what it is sent."""

    def __init__(self, seat: int | None, lang: str = "en") -> None:
        self.who = Who(seat, f"id {seat}", sender=f"sender {seat}")
        self.lang = lang
        self.pauses = False
        self.got: list[tuple[Any, ...]] = []

    def send(self, data: bytes, seq: int = 0) -> None:
        self.got.append((data, seq))

    def accepted(self, live: LiveTable, message_id: str, is_shown: bool) -> None:
        self.got.append(("accepted", message_id, is_shown))

    def refused(self, live: LiveTable, refusal: Refusal, message_id: str) -> None:
        self.got.append(("refused", refusal.code, message_id))

    def answers(self) -> list[tuple[Any, ...]]:
        return [one for one in self.got if one[0] in ("accepted", "refused")]


class Place:
    """A room with tables of two in play."""

    def __init__(self, folder: Path) -> None:
        self.store = FakeStore()
        self.room = Room(Settings(data=folder), cast(Any, self.store), MemoryBus())
        self.lives: list[LiveTable] = []
        self.visitors: list[list[Visitor]] = []

    async def __aenter__(self) -> Self:
        await self.room.open()
        version = ludotheque.game(GAME).info.rules_version
        for number in range(8):
            log: list[events.Event] = [events.Created(GAME, 2, {}, b"%032d" % number, "owner", at=1.0)]
            log += [events.Seated(seat, f"P{seat}", b"%032d" % seat, f"id {seat}", at=2.0) for seat in range(2)]
            log.append(events.Started(version, at=3.0))
            live = LiveTable(fold(f"table{number}", log), 0.0)
            self.room.tables[live.table.id] = live
            self.lives.append(live)
            self.visitors.append([Visitor(seat) for seat in range(2)])
            for visitor in self.visitors[-1]:
                live.audience.join(visitor)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.room.close()

    def match(self, table: int) -> Match:
        match = self.lives[table].table.match
        assert match is not None
        return match

    def move(self, table: int) -> Visitor:
        """Whoever is at turn sends the first move they may."""
        live, match = self.lives[table], self.match(table)
        visitor = self.visitors[table][match.actor]
        self.room.request(live, visitor, protocol.Move("m", live.table.seq, str(match.legal()[0])))
        return visitor

    async def rest(self) -> None:
        """Until nothing is left to do."""
        for _ in range(20):
            await asyncio.sleep(0)
        while self.store.waiting or self.room.pipeline.is_busy:
            self.store.write()
            for _ in range(20):
                await asyncio.sleep(0)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def fail(*_: object) -> None:
    raise ZeroDivisionError


async def test_commands_that_come_while_the_store_is_busy_are_stored_together(place: Place) -> None:
    """Whatever their kind. Nothing is applied, shown or answered before it is stored."""
    first = place.move(0)
    await asyncio.sleep(0)
    assert [[entry.table for entry in entries] for entries, _ in place.store.waiting] == [["table0"]]
    place.move(1)
    place.room.request(place.lives[2], place.visitors[2][0], protocol.Say("s", "well"))
    place.room.request(place.lives[3], place.visitors[3][1], protocol.React("r", "thumb"))
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(place.store.waiting) == 1 and not first.got
    assert not any(place.match(table).moves for table in range(4))
    place.store.write()
    assert first.answers() == [("accepted", "m", True)]
    await asyncio.sleep(0)
    assert [[entry.table for entry in entries] for entries, _ in place.store.waiting] == [
        ["table1", "table2", "table3"]
    ]
    await place.rest()
    assert all(any(visitor.answers() for visitor in visitors) for visitors in place.visitors[:4])


async def test_a_group_has_a_bound_and_those_who_came_first_are_first(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "MAX_GROUP", 3)
    order = [5, 2, 7, 0, 1, 3, 6, 4]
    for table in order:
        place.move(table)
    await place.rest()
    assert [entry.table for entry in place.store.entries] == [f"table{table}" for table in order]


@pytest.mark.parametrize("error", [StoreError("full"), Conflict("another server")])
async def test_what_cannot_be_stored_is_not_played(place: Place, error: StoreError) -> None:
    """It harms nobody else in the group. After a conflict the command is judged again."""
    place.store.fails = {"table1": error}
    movers = [place.move(table) for table in range(3)]
    await asyncio.sleep(0)
    place.store.write()
    place.store.fails = {}
    await place.rest()
    for number, mover in enumerate(movers):
        assert place.lives[number].state is State.IDLE
        if number == 1 and not isinstance(error, Conflict):
            assert place.match(number).moves == [] and mover.got == [("refused", "disk", "m")]
        else:
            assert len(place.match(number).moves) == 1 and mover.answers() == [("accepted", "m", True)]


async def test_a_table_that_fails_harms_no_other(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its event is stored, but cannot be applied: it is closed, and what waits there is refused."""
    monkeypatch.setattr(place.lives[1].table, "apply", fail)
    movers = [place.move(table) for table in range(3)]
    place.room.request(place.lives[1], movers[1], protocol.Say("s", "well"))
    await place.rest()
    for number, mover in enumerate(movers):
        assert (place.lives[number].state is State.BROKEN) == (number == 1)
        refused = {("refused", "broken", "m"), ("refused", "broken", "s")}
        assert set(mover.answers()) == (refused if number == 1 else {("accepted", "m", True)})
    assert place.room.stats.failures == 1
    place.room.request(place.lives[1], movers[1], protocol.Say("t", "hello?"))
    assert movers[1].answers()[-1] == ("refused", "broken", "t")


async def test_a_command_that_cannot_be_judged_changes_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place.match(0), "allows", fail)
    movers = [place.move(table) for table in range(2)]
    await place.rest()
    assert movers[0].got == [("refused", "internal", "m")] and place.match(0).moves == []
    assert movers[1].answers() == [("accepted", "m", True)]


async def test_what_waits_behind_a_refused_move_is_carried_out(place: Place) -> None:
    live, match = place.lives[0], place.match(0)
    ann, seq, move = place.visitors[0][match.actor], live.table.seq, str(match.legal()[0])
    messages: list[protocol.Request] = [
        protocol.Move("m0", seq + 5, move),
        protocol.Move("m1", seq, move),
        protocol.Move("m1", seq, move),
        protocol.Say("m3", "well"),
    ]
    for message in messages:
        place.room.request(live, ann, message)
    await place.rest()
    assert ann.answers() == [
        ("refused", "from_the_future", "m0"),
        ("accepted", "m1", True),
        ("accepted", "m1", False),
        ("accepted", "m3", True),
    ]
    assert len(match.moves) == 1 and live.state is State.IDLE and not live.queue


async def test_too_many_commands_at_one_table_are_refused(place: Place) -> None:
    ann = place.visitors[0][0]
    for number in range(pipeline.MAX_WAITING + 10):
        place.room.request(place.lives[0], ann, protocol.Say(f"s{number}", "x"))
    assert [one[:2] for one in ann.answers()] == [("refused", "slow_down")] * 10
    await place.rest()
    assert sum(one[0] == "accepted" for one in ann.answers()) == pipeline.MAX_WAITING


async def test_two_servers_on_one_file_write_each_event_once(tmp_path: Path) -> None:
    """Without a bus neither hears of the other: the store finds the conflict, and both end up with the same table."""
    async with running(tmp_path) as one, running(tmp_path) as two:
        table, tokens = await one.table("Ann", "Bob")
        ann, bob = await one.enter(table, tokens[0]), await two.enter(table, tokens[1])
        for number in range(10):
            await asyncio.gather(ann.ask("say", text=f"ann {number}"), bob.ask("say", text=f"bob {number}"))
        assert one.room.stats.conflicts + two.room.stats.conflicts > 0
        said = [event.text for event in await one.room.stored(table) if isinstance(event, events.Said)]
        assert sorted(said) == sorted(f"{name} {number}" for name in ("ann", "bob") for number in range(10))
        assert len(await two.room.stored(table)) == 23


@pytest.mark.parametrize("written", [True, False])
async def test_an_uncertain_outcome_is_looked_up(house: House, monkeypatch: pytest.MonkeyPatch, written: bool) -> None:
    """The connection to the database breaks while storing: whether the move is there, it is acknowledged once."""
    table, _, clients = await house.match("Ann", "Bob")
    store: Any = house.room.store
    really = store._store

    def store_and_break(connection: object, rows: object, heads: object) -> None:
        if rows:  # what the list of tables shows may still be waiting from the start
            monkeypatch.setattr(store, "_store", really)
        if written or not rows:
            really(connection, rows, heads)
        if rows:
            raise Uncertain("gone")

    monkeypatch.setattr(store, "_store", store_and_break)
    answer = await at_turn(clients)[0].move()
    assert answer["type"] == ("ack" if written else "update")
    assert sum(isinstance(event, events.Moved) for event in await house.room.stored(table)) == 1


async def test_the_list_of_tables_is_told_once_what_became_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of changes that come one right after the other the last one counts, which is not lost when the server stops."""
    listings: list[Head] = []

    async def listed(house: House) -> list[tuple[str, int]]:
        return [(one["status"], one["taken"]) for one in (await house.get("/api/tables"))["tables"]]

    async with running(tmp_path) as house:
        really = house.room.store.append

        def append(entries: Sequence[Entry], heads: Sequence[Head], done: Done) -> None:
            listings.extend(heads)
            really(entries, heads, done)

        table, tokens = await house.table("Ann", "Bob", public=True)
        await asyncio.sleep(10 * pipeline.LIST_SECONDS)
        assert await listed(house) == [("waiting", 2)]
        monkeypatch.setattr(house.room.store, "append", append)
        ann = await house.enter(table, tokens[0])
        await ann.ask("contribute", value="ab" * 16)
        await ann.ask("start")
        while not listings:
            await asyncio.sleep(0.01)
        await asyncio.sleep(10 * pipeline.LIST_SECONDS)
        assert await listed(house) == [("playing", 2)]
        assert {head.summary.id for head in listings} == {table} and listings[-1].summary.status == "playing"
        monkeypatch.setattr(pipeline, "LIST_SECONDS", 600.0)
        made = 0
        while (await listed(house)).count(("waiting", 3)) == made:  # until the list lags behind
            await house.table("Cy", "Dee", "Eve", public=True)
            made += 1
    async with running(tmp_path) as house:
        assert sorted(await listed(house)) == [("playing", 2), *[("waiting", 3)] * made]
