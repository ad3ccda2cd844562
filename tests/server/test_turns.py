"""Moves that go the short way, many tables at a time, come to the same as those that go the long way."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

import ludotheque
from ludotheque.core import painter, portray, warm
from ludotheque.core.painter import MOST_JOBS, SHOW
from ludotheque.server import events, protocol, turns
from ludotheque.server.bus.memory import MemoryBus
from ludotheque.server.commands import Who
from ludotheque.server.live import Live
from ludotheque.server.refusals import Refusal
from ludotheque.server.room import Room
from ludotheque.server.settings import Settings
from ludotheque.server.store.base import Conflict, Done, Head, Row, StoreError
from ludotheque.server.table import fold
from ludotheque.server.turns import Turns
from ludotheque.server.views import phrases
from tests.server.house import Deaf, run

NAMES = ("Ann", "Béa", 'Cy "the\\ Cat"', "%(0)b", "🐺" * 40, "Flo", "Gus", "Hal")


class FakeStore:
    """Stores when asked to."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.waiting: list[tuple[list[Row], Done]] = []
        self.fails: StoreError | None = None

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def setting(self, name: str, fresh: bytes) -> bytes:
        return fresh

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        return [data for id_, seq, data in self.rows if id_ == table and seq > after]

    def append(self, table: str, seq: int, data: tuple[bytes, ...], head: Head | None, done: Done) -> None:
        self.append_rows([(table, seq + n, one) for n, one in enumerate(data)], done)

    def append_rows(self, rows: list[Row], done: Done) -> None:
        self.waiting.append((rows, done))

    def write(self) -> None:
        waiting, self.waiting = self.waiting, []
        for rows, done in waiting:
            if self.fails is None:
                self.rows += rows
            done(self.fails)


class Visitor(Deaf):
    """Keeps what it is sent."""

    def __init__(self, seat: int | None, lang: str = "en") -> None:
        self.who = Who(seat, f"id {seat}")
        self.lang = lang
        self.seq = 0
        self.got: list[object] = []

    def send(self, data: bytes, seq: int = 0) -> None:
        self.got.append((data, seq))

    def done(self, live: Live, message_id: str, shown: bool) -> None:
        self.got.append(("done", message_id, shown))

    def refused(self, live: Live, refusal: Refusal, message_id: str) -> None:
        self.got.append(("refused", refusal.code, refusal.rule, message_id))


class Place:
    """A room with tables in play."""

    def __init__(self, folder: Path, game_ids: list[str]) -> None:
        self.store = FakeStore()
        self.room = Room(Settings(data=folder), cast(Any, self.store), MemoryBus())
        self.lives: list[Live] = []
        self.visitors: list[list[Visitor]] = []
        self._game_ids = game_ids

    async def open(self) -> None:
        await self.room.open()
        for number, game_id in enumerate(self._game_ids):
            info = ludotheque.game(game_id).info
            seats = info.min_seats + number % (info.max_seats - info.min_seats + 1)
            created = events.Created(1.0, game_id, seats, {}, b"%032d" % number, "owner")
            log: list[events.Event] = [created]
            log += [events.Seated(2.0, seat, NAMES[seat], b"t", f"id {seat}") for seat in range(seats)]
            log.append(events.Started(3.0, info.rules_version))
            table = fold(f"table{number}", log)
            live = Live(table, 0.0)
            self.room.tables[table.id] = live
            self.lives.append(live)
            viewers: list[int | None] = [*range(seats), None] if number % 2 else [*range(seats)]
            self.visitors.append([Visitor(seat) for seat in viewers])
            for visitor in self.visitors[-1]:
                live.audience.join(visitor)

    def move_everywhere(self) -> None:
        """Whoever is at turn at a table sends the first move they may."""
        for table in range(len(self.lives)):
            self.move_at(table)

    def move_at(self, table: int, name: str = "m") -> None:
        """Whoever is at turn at this table does."""
        live = self.lives[table]
        match = live.table.match
        assert match is not None
        move = protocol.Move(name, live.table.seq, match.legal_ids()[0])
        self.room.request(live, self.visitors[table][match.actor], move)

    def heard(self) -> Iterator[tuple[Live, list[object]]]:
        """The tables, and what everybody there was sent."""
        for live, visitors in zip(self.lives, self.visitors, strict=True):
            yield live, [one for visitor in visitors for one in visitor.got]

    async def rest(self) -> None:
        """Until nothing is left to do."""
        while self.store.waiting or self.room.turns.is_busy:
            self.store.write()
            await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(time, "time", lambda: 1_700_000_000.125)
    yield


@pytest.mark.compiled_only
def test_only_the_answer_to_a_turn_that_is_done_may_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is at turn again, and everybody else, is told at once."""
    game_ids = [game_id for game_id in ludotheque.game_ids() for _ in range(4)]
    for game_id in set(game_ids):
        warm.ensure(game_id, SHOW)
    seen = {True: 0, False: 0}

    async def story() -> None:
        place = Place(tmp_path, game_ids)
        await place.open()
        matches: dict[int, Any] = {
            id(visitor): live.table.match
            for live, visitors in zip(place.lives, place.visitors, strict=True)
            for visitor in visitors
        }
        again = 0

        def look(painter: Any, out: Any, letters: Any) -> None:
            nonlocal again
            for guest, _, _, _, may_wait in letters:
                match = matches[id(guest)]
                mover, _ = match.moves[-1]
                assert may_wait == (guest.who.seat == mover != match.actor)
                seen[may_wait] += 1
                again += guest.who.seat == mover == match.actor

        monkeypatch.setattr(place.room.outbox, "post", look)
        for number in range(60):
            for table, live in enumerate(place.lives):
                if live.table.match is not None and not live.table.match.over:
                    place.move_at(table, f"m{number}")
            await place.rest()
        assert seen[True] > 50 and seen[False] > 300 and again > 20
        await place.room.close()

    run(story())


def some_message(live: Live, chance: random.Random, number: int) -> tuple[int, protocol.Request]:
    """A seat, and what it sends: mostly a legal move."""
    match = live.table.match
    assert match is not None
    seat = chance.choice(match.movers() or [0])
    ids = match.legal_ids(seat) or [0]
    move: Any = chance.choice(ids)
    what = chance.random()
    seq = live.table.seq
    if what < 0.05:
        move = chance.choice([-1, 10**6, "nonsense", chance.randrange(match.game.info.num_actions)])
    elif what < 0.2:
        move = match.game.moves.texts[chance.choice(ids)]
    elif what < 0.25:
        seq += chance.choice([-3, -1, 1])
    elif what < 0.3:
        return seat, protocol.Say(f"s{number}", "hello")
    return seat, protocol.Move("again" if what > 0.97 else f"m{number}", seq, move)


@pytest.mark.compiled_only
def test_the_short_way_comes_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables of both rooms get the same messages, several in one go; all that is sent is the same to the byte."""
    game_ids = [game_id for game_id in ludotheque.game_ids() for _ in range(5)]
    for game_id in set(game_ids):
        warm.ensure(game_id, SHOW)
    short_moves = 0
    really = Turns._play

    def count(self: Turns, painter: Any, scenes: Any) -> None:
        nonlocal short_moves
        short_moves += len(scenes)
        really(self, painter, scenes)

    monkeypatch.setattr(Turns, "_play", count)

    async def story() -> None:
        short, long = Place(tmp_path, game_ids), Place(tmp_path, game_ids)
        await short.open()
        await long.open()
        monkeypatch.setattr(long.room, "_begin", long.room.decide)
        monkeypatch.setattr(long.room.turns, "takes", lambda *_: False)
        chance = random.Random("turns")
        for number in range(250):
            for table in chance.sample(range(len(game_ids)), chance.randint(1, len(game_ids))):
                messages = [some_message(short.lives[table], chance, number) for _ in range(chance.choice([1, 1, 2]))]
                for place in (short, long):
                    for seat, message in messages:
                        place.room.request(place.lives[table], place.visitors[table][seat], message)
            if number == 50:  # from now on somebody looks from a second device
                for place in (short, long):
                    for table in range(0, len(game_ids), 2):
                        place.visitors[table].append(Visitor(0))
                        place.lives[table].audience.join(place.visitors[table][-1])
            if number == 100:  # now two languages are read at some tables, and nobody looks at one
                for place in (short, long):
                    for table in range(0, len(game_ids), 3):
                        place.visitors[table].append(Visitor(None, "fr"))
                        place.lives[table].audience.join(place.visitors[table][-1])
                    for visitor in place.visitors[1]:
                        place.lives[1].audience.leave(visitor)
            await short.rest()
            await long.rest()
            for table in range(len(game_ids)):
                for one, other in zip(short.visitors[table], long.visitors[table], strict=True):
                    assert one.got == other.got
                    one.got, other.got = [], []
                one_table, other_table = short.lives[table].table, long.lives[table].table
                assert one_table.match is not None and other_table.match is not None
                assert one_table.match.to_bytes() == other_table.match.to_bytes()
                assert one_table.match.moves == other_table.match.moves
                assert (one_table.match.actor, one_table.match.over) == (
                    other_table.match.actor,
                    other_table.match.over,
                )
                assert (one_table.seq, one_table.match_seq, one_table._done) == (
                    other_table.seq,
                    other_table.match_seq,
                    other_table._done,
                )
        assert sorted(short.store.rows) == sorted(long.store.rows)
        assert vars(short.room.stats) == vars(long.room.stats)
        assert short_moves > 1000
        await short.room.close()
        await long.room.close()

    run(story())


@pytest.mark.compiled_only
def test_views_for_which_there_is_no_room_come_a_little_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables' views do not fit at once, and for one's alone more room is made."""
    monkeypatch.setattr(painter, "ROOM", 900)
    phrases.cache_clear()

    async def story() -> None:
        place = Place(tmp_path, ["double_lucky_7"] * 6)
        await place.open()
        place.move_everywhere()
        await place.rest()
        for live, visitors in zip(place.lives, place.visitors, strict=True):
            assert live.table.match is not None and len(live.table.match.moves) == 1 and not live.busy
            for visitor in visitors:
                data, seq = cast(tuple[bytes, int], visitor.got[0])
                assert seq == live.table.seq and msgspec.json.decode(data)["view"]["ply"] == 1
        await place.room.close()

    try:
        run(story())
    finally:
        phrases.cache_clear()


@pytest.mark.parametrize("num_waiting", [1, MOST_JOBS])
def test_few_that_wait_are_stored_with_those_who_answer_what_is_shown(tmp_path: Path, num_waiting: int) -> None:
    """And if many wait they are stored at once, before what is stored is shown."""

    async def story() -> None:
        place = Place(tmp_path, ["double_lucky_7"] * (2 + num_waiting))
        await place.open()
        first = place.lives[0].table.match
        assert first is not None
        place.move_at(0)
        await asyncio.sleep(0)
        assert [len(rows) for rows, _ in place.store.waiting] == [1]
        for table in range(2, 2 + num_waiting):
            place.move_at(table)
        place.store.write()
        if num_waiting == 1:
            await asyncio.sleep(0)
            assert not place.store.waiting and first.moves
            place.move_at(0)
            for _ in range(turns.LOOKS - 1):
                await asyncio.sleep(0)
            place.room.request(place.lives[1], place.visitors[1][0], protocol.Say("s", "well"))
            await asyncio.sleep(0)
            assert sorted(table for table, _, _ in place.store.waiting[0][0]) == ["table0", "table1", "table2"]
        else:
            assert not first.moves
        assert len(place.store.waiting) == 1
        await place.rest()
        assert all(("done", "m", True) in got for live, got in place.heard() if live is not place.lives[1])
        await place.room.close()

    run(story())


@pytest.mark.parametrize("error", [StoreError("full"), Conflict("another server")])
def test_what_cannot_be_stored_is_not_played(tmp_path: Path, error: StoreError) -> None:
    async def story() -> None:
        place = Place(tmp_path, ["double_lucky_7"] * 2)
        await place.open()
        place.store.fails = error
        place.move_everywhere()
        await asyncio.sleep(0)
        place.store.write()
        place.store.fails = None
        for _ in range(20):
            await asyncio.sleep(0)
        await place.rest()
        for live, got in place.heard():
            match = live.table.match
            assert match is not None and not live.busy
            if isinstance(error, Conflict):  # it was decided on again
                assert len(match.moves) == 1 and ("done", "m", True) in got
            else:
                assert match.moves == [] and got == [("refused", "disk", None, "m")]
        await place.room.close()

    run(story())


@pytest.mark.compiled_only
def test_rules_that_fail_harm_their_own_table_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those before it in the same call are played, those after it are played in the next."""
    warm.ensure("double_lucky_7", SHOW)
    really = portray.kernels(ludotheque.game("double_lucky_7")).portray

    async def story() -> None:
        place = Place(tmp_path, ["double_lucky_7"] * 5)
        await place.open()

        def fail(jobs: Any, count: int, *given: Any) -> Any:
            if count == 5:
                really(jobs, 2, *given)
                given[-1][portray.DOING] = 2
                raise ZeroDivisionError
            return really(jobs, count, *given)

        shared = phrases(ludotheque.game("double_lucky_7"), "en").painter()
        monkeypatch.setattr(shared, "_portray", fail)
        place.move_everywhere()
        await place.rest()
        for number, (live, got) in enumerate(place.heard()):
            assert not live.busy and live.broken == (number == 2)
            assert (("refused", "broken", None, "m") in got) == (number == 2)
            assert (("done", "m", True) in got) == (number != 2)
        await place.room.close()

    run(story())


@pytest.mark.compiled_only
@pytest.mark.parametrize("is_compiled", [True, False])
def test_moves_that_cannot_be_judged_together_are_judged_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_compiled: bool
) -> None:
    """The rules fail while they are judged together, and then for one table; or there is no compiled code yet."""

    async def story() -> None:
        place = Place(tmp_path, ["double_lucky_7"] * 3)
        await place.open()
        broken = place.lives[1]

        def fail(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(turns, "is_ready", lambda *_: is_compiled)
        monkeypatch.setattr(turns.referee(broken.table.game), "_permit", fail)
        if is_compiled:
            monkeypatch.setattr(broken.table.match, "allows", fail)
        place.move_everywhere()
        await place.rest()
        for live, got in place.heard():
            assert live.table.match is not None and not live.busy
            if is_compiled and live is broken:
                assert got == [("refused", "broken", None, "m")] and not live.table.match.moves
            else:
                assert ("done", "m", True) in got and len(live.table.match.moves) == 1
        assert place.room.stats.failures == is_compiled
        await place.room.close()

    run(story())


@pytest.mark.compiled_only
def test_what_waits_behind_a_refused_move_is_carried_out(tmp_path: Path) -> None:
    async def story() -> None:
        place = Place(tmp_path, ["double_lucky_7"])
        await place.open()
        [live], [visitors] = place.lives, place.visitors
        match, seq = live.table.match, live.table.seq
        assert match is not None
        ann = visitors[match.actor]
        move = match.legal_ids()[0]
        messages: list[protocol.Request] = [
            protocol.Move("m0", seq + 5, move),
            protocol.Move("m1", seq, move),
            protocol.Move("m1", seq, move),
            protocol.Say("m3", "well"),
        ]
        for number, message in enumerate(messages):
            place.room.request(live, ann, message)
            assert live.busy and len(live.queue or ()) == number
        await place.rest()
        told = [one for one in ann.got if isinstance(one, tuple) and one[0] in ("done", "refused")]
        assert told == [("refused", "from_the_future", None, "m0"), ("done", "m1", True), ("done", "m1", False)] + [
            ("done", "m3", True)
        ]
        assert len(match.moves) == 1 and not live.busy and not live.queue
        await place.room.close()

    run(story())


@pytest.mark.compiled_only
def test_a_table_that_fails_harms_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        place = Place(tmp_path, ["double_lucky_7"] * 3)
        await place.open()
        broken = place.lives[1]

        def fail(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(broken.table, "note", fail)
        place.move_everywhere()
        await place.rest()
        for live, got in place.heard():
            if live is broken:
                assert got == [("refused", "broken", None, "m")] and live.broken
            else:
                assert ("done", "m", True) in got and not live.broken
        assert place.room.stats.failures == 1
        await place.room.close()

    run(story())
