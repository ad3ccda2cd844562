"""Nothing leaves for a seat or a spectator that depends on cards they may not know."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

import ludotheque
from ludotheque.server.domain import events, protocol
from ludotheque.server.domain.commands import Play, Who
from ludotheque.server.domain.events import Event
from ludotheque.server.domain.refusals import Refusal
from ludotheque.server.domain.table import Table
from ludotheque.server.session.audience import Audience, missed_events
from ludotheque.testing import other_world
from tests.server.house import House, play
from tests.server.test_table import Bench

LANGS = ("en", "fr")


class Ear:
    """A connection that keeps the bytes it is sent."""

    def __init__(self, seat: int | None, lang: str) -> None:
        self.who = Who(seat)
        self.lang = lang
        self.pauses = False
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


def table_in_play(game_id: str, num_seats: int, chance: random.Random) -> Bench:
    bench = Bench(chance.randbytes(32), game=game_id, seats=num_seats)
    for number in range(num_seats):
        bench.sit(f"P{number}")
    bench.do(protocol.Start("s"), 0)
    return bench


def moves(bench: Bench, chance: random.Random, count: int) -> Iterator[Event]:
    """Play at random."""
    for _ in range(count):
        if bench.match.over:
            return
        mover = chance.choice(bench.match.movers())
        yield bench.do(Play(mover, chance.choice(bench.match.legal(mover)), bench.table.seq))


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_what_is_sent_is_the_same_in_every_world_one_cannot_tell_apart(game_id: str) -> None:
    """The whole way of a move, for each viewer, in the real world and in one with the hidden cards drawn anew."""
    game = ludotheque.game(game_id)
    chance = random.Random(f"secrecy {game_id}")
    compared = differed = 0
    for _ in range(12):
        num_seats = chance.randint(game.info.min_seats, game.info.max_seats)
        bench = table_in_play(game_id, num_seats, chance)
        table, match = bench.table, bench.match
        for _ in moves(bench, chance, chance.randint(5, 60)):
            pass
        if match.over:
            continue
        mover, move = match.moves[-1]
        event = events.Moved(mover, move.id, at=1.0)
        for seat in [None, *range(num_seats)]:
            heard = []
            for world in (match.buffer.copy(), other_world(match, seat, chance)):
                differed += world.tobytes() != match.buffer.tobytes()
                twin = table_in_play(game_id, num_seats, random.Random(1)).table
                twin.seq, twin.match_seq = table.seq, table.match_seq
                twin.match = match.copy()
                twin.match.buffer[:] = world
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
    assert compared > 40 and differed > 10


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_catching_up_tells_what_was_told_at_the_time(game_id: str) -> None:
    chance = random.Random(f"catching up {game_id}")
    num_seats = ludotheque.game(game_id).info.min_seats
    bench = table_in_play(game_id, num_seats, chance)
    audience = Audience(bench.table)
    ears = [Ear(seat, "fr") for seat in [None, *range(num_seats)]]
    for ear in ears:
        audience.join(ear)
    since = bench.table.seq
    for event in moves(bench, chance, 40):
        audience.show(event, None, "", None)
    for ear in ears:
        told = [event for data in ear.heard for event in msgspec.json.decode(data)["events"]]
        again = missed_events("t", [events.encode(one) for one in bench.log], since, ear.who.seat, "fr")
        assert msgspec.json.decode(msgspec.json.encode(again)) == told


async def test_no_secret_leaves_before_its_time(house: House) -> None:
    """Secrets of the deal, contributions, tokens, links: in nothing that clients, lists and pages are sent."""
    table, tokens = await house.table("Ann", "Bob", public=True)
    ann, bob = [await house.enter(table, token) for token in tokens]
    watcher = await house.enter(table)
    await ann.ask("contribute", value="5a" * 32)
    await bob.ask("start")
    everything: list[bytes] = []
    own = f"/api/tables/{table}"
    for _ in range(4):
        await play((ann, bob), 3)
        for path in (own, "/api/tables", "/metrics", f"{own}/replay", f"{own}/record"):
            everything.append((await house.http.get(path)).content)
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
