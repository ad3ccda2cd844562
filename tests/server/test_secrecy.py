"""Nothing leaves for a seat or a spectator that depends on cards they may not know."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

import ludotheque
from ludotheque.core import warm
from ludotheque.core.painter import SHOW, bit, new_room
from ludotheque.core.portray import NO_MOVE, NO_SENDER, RECORD
from ludotheque.core.record import NOBODY
from ludotheque.server import events, protocol
from ludotheque.server.audience import Audience, catch_up
from ludotheque.server.commands import Play, Sit, Who, check_new
from ludotheque.server.events import Event
from ludotheque.server.refusals import Refusal
from ludotheque.server.table import Table
from ludotheque.server.views import Stage, phrases
from ludotheque.testing import other_world
from tests.server.house import Client, Deaf, run, running

LANGS = ("en", "fr")


class Ear(Deaf):
    """A connection that keeps the bytes it is sent."""

    def __init__(self, seat: int | None, lang: str) -> None:
        self.who = Who(seat)
        self.lang = lang
        self.seq = 0
        self.heard: list[bytes] = []

    def send(self, data: bytes, seq: int = 0) -> None:
        self.heard.append(data)


def refusals(table: Table, seat: int) -> list[tuple[str, str]]:
    """What is said about every move of the game, legal or not."""
    found = []
    for action in range(table.game.info.num_actions):
        try:
            table.decide(protocol.Move("m", table.seq, action), Who(seat), 0.0)
        except Refusal as refusal:
            found += [(refusal.code, refusal.say(lang, table.match)) for lang in LANGS]
    return found


def table_in_play(game_id: str, num_seats: int, chance: random.Random) -> tuple[Table, list[Event]]:
    wanted = protocol.NewTable(game_id, num_seats)
    log: list[Event] = [check_new(wanted, chance.randbytes(32), "owner", 1, 0.0)]
    first = log[0]
    assert isinstance(first, events.Created)
    table = Table("t", first)
    commands: list[tuple[Any, Who]] = [(Sit(f"P{n}", bytes([n]) * 32), Who(None, f"p{n}")) for n in range(num_seats)]
    commands.append((protocol.Start("s"), Who(0)))
    for command, who in commands:
        log.append(table.decide(command, who, 0.0))
        table.apply(log[-1])
    return table, log


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_what_is_sent_is_the_same_in_every_world_one_cannot_tell_apart(game_id: str) -> None:
    """The whole way of a move, for each viewer, in the real world and in one with the hidden cards drawn anew."""
    game = ludotheque.game(game_id)
    chance = random.Random(f"secrecy {game_id}")
    compared = differed = 0
    for _ in range(6):
        num_seats = chance.randint(game.info.min_seats, game.info.max_seats)
        table, _ = table_in_play(game_id, num_seats, chance)
        match = table.match
        assert match is not None
        for _ in range(chance.randint(5, 60)):
            if match.over:
                break
            mover = chance.choice(match.movers())
            table.apply(table.decide(Play(mover, chance.choice(match.legal_ids(mover)), table.seq), Who(), 0.0))
        if match.over:
            continue
        event = events.Moved(1.0, *match.moves[-1])
        for seat in [None, *range(num_seats)]:
            heard = []
            for world in (match._buf.copy(), other_world(match, seat, chance)):
                differed += world.tobytes() != match._buf.tobytes()
                twin, _ = table_in_play(game_id, num_seats, random.Random(1))
                twin.seq, twin.match_seq = table.seq, table.match_seq
                twin.match = match.copy()
                twin.match._buf[:] = world
                audience = Audience(twin)
                ears = [Ear(seat, lang) for lang in LANGS]
                for ear in ears:
                    audience.join(ear)
                audience.show(event, None, "", None)
                sent = [data for ear in ears for data in ear.heard]
                sent += [msgspec.json.encode(audience.view(seat, lang)) for lang in LANGS]
                heard.append((sent, refusals(twin, seat) if seat is not None else []))
            assert heard[0] == heard[1], f"{game_id}, seat {seat}"
            compared += len(heard[0][0])
    assert compared > 20 and differed > 5


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_what_compiled_code_writes_is_the_same_in_every_world(game_id: str) -> None:
    """Views, events, concealed records and whole letters, to the byte, at a moment of each of hundreds of matches."""
    warm.ensure(game_id, SHOW)
    game = ludotheque.game(game_id)
    chance = random.Random(f"painted {game_id}")
    painter = phrases(game, "fr").painter()
    assert painter is not None
    out, other_out = new_room(), new_room()
    differed = letters = 0
    for number in range(500):
        match = game.new(chance.randint(game.info.min_seats, game.info.max_seats), seed=f"painted {number}")
        for _ in range(chance.randint(1, 60)):
            if not match.over:
                mover = chance.choice(match.movers())
                match.play(chance.choice(match.legal_ids(mover)), mover)
        stage = Stage(match)
        stage.show(bit(NOBODY), "fr")  # so that there are words for what was seen
        for seat in (None, *range(match.num_seats)):
            viewer = bit(NOBODY if seat is None else seat)
            job = list(stage.job(NOBODY, NO_MOVE, viewer, 7, 1_700_000_000_125, NO_SENDER, 0, 0))
            twin = match.copy()
            twin._buf[:] = other_world(match, seat, chance)
            differed += twin.to_bytes() != match.to_bytes()
            assert match.paint(painter, viewer) == twin.paint(painter, viewer), f"{game_id} {number}, seat {seat}"
            [written] = painter.do(job, out=out)
            job[RECORD] = twin.address
            assert [written] == painter.do(job, out=other_out), f"{game_id} {number}, seat {seat}"
            for first, last in zip(written.letters[::2], written.letters[1::2], strict=True):
                assert out[first:last].tobytes() == other_out[first:last].tobytes(), f"{game_id} {number}, seat {seat}"
                letters += 1
    assert differed > 1000 and letters > 200


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_catching_up_tells_what_was_told_at_the_time(game_id: str) -> None:
    game = ludotheque.game(game_id)
    chance = random.Random(f"catching up {game_id}")
    num_seats = game.info.min_seats
    table, log = table_in_play(game_id, num_seats, chance)
    match = table.match
    assert match is not None
    audience = Audience(table)
    ears = [Ear(seat, "fr") for seat in [None, *range(num_seats)]]
    for ear in ears:
        audience.join(ear)
    since = table.seq
    for _ in range(40):
        if match.over:
            break
        mover = chance.choice(match.movers())
        log.append(table.decide(Play(mover, chance.choice(match.legal_ids(mover)), table.seq), Who(), 0.0))
        table.apply(log[-1])
        audience.show(log[-1], None, "", None)
    for ear in ears:
        told = [event for data in ear.heard for event in msgspec.json.decode(data)["events"]]
        again = catch_up("t", log, since, ear.who.seat, "fr")
        assert msgspec.json.decode(msgspec.json.encode(again)) == told


def test_no_secret_leaves_before_its_time(tmp_path: Path) -> None:
    """Secrets of the deal, contributions, tokens, links: in nothing that clients, lists and pages are sent."""

    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens = await house.table("Ann", "Bob", public=True)
            ann, bob = [await house.enter(table, token) for token in tokens]
            watcher = await house.enter(table)
            await ann.ask("contribute", value="5a" * 32)
            await bob.ask("start")
            everything: list[bytes] = []
            for number in range(12):
                while ann.seq != bob.seq:
                    await bob.next("update")
                assert ann.view is not None
                actor: Client = (ann, bob)[ann.view["actor"]]
                await actor.move()
                if number % 3 == 0:
                    for path in (f"/api/tables/{table}", "/api/tables", "/metrics", f"/api/tables/{table}/replay"):
                        everything.append((await house.http.get(path)).content)
                    everything.append((await house.http.get(f"/api/tables/{table}/record")).content)
            assert (await house.http.get(f"/api/tables/{table}/replay", params={"seat": 0})).status_code == 409
            for client in (ann, bob, watcher):
                everything += client.raw
            state = house.room.tables[table].table
            assert state.match is not None and state.match.key is not None
            key = state.match.key.astype("<u4").tobytes()
            hidden = [state.secret.hex(), "5a" * 32, key.hex(), *tokens, house.room.signer.link("join", table)]
            for data in everything:
                for secret in hidden:
                    assert secret.encode() not in data

    run(story())
