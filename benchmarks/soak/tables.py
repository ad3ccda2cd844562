"""The honest tables: all five games, with people, bots, clocks, spectators, seats that change hands, and score pads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.games import ALL_GAMES
from benchmarks.room_client import Http
from benchmarks.soak.honest import SHORT, Habits, PadKeeper, Person, Place
from benchmarks.soak.ledger import Ledger

PLAIN = Habits()


@dataclass(frozen=True)
class Kind:
    """A kind of table."""

    name: str
    people: tuple[Habits, ...]
    bots: int = 0
    clock: int = 0
    spectators: int = 0
    public: bool = False
    wanted: dict[str, Any] = field(default_factory=dict)
    """What else is asked for."""


KINDS = (
    Kind("people", (PLAIN, PLAIN, PLAIN), spectators=1, public=True),
    Kind("bots", (Habits(undo=0.03),), bots=2),
    Kind("clock", (Habits(dawdle=0.05), Habits(dawdle=0.1), PLAIN), clock=5, spectators=1),
    Kind("changing", (PLAIN, Habits(leave_after=4), Habits(leave_after=6)), spectators=1),
    Kind("wanderers", (PLAIN, Habits(wander=0.02), Habits(drop=0.1, repeat=0.2)), public=True),
    Kind("pad", (Habits(repeat=0.3, drop=0.05),), wanted={"kind": "pad", "players": ["Una", "Duo", "Tre"]}),
)
SPECTATOR = Habits(think=(1.0, 4.0), talk=0.3, repeat=0.2, drop=0.03)


@dataclass
class Room:
    """All honest tables."""

    people: list[Person] = field(default_factory=list)
    tables: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Of each table its kind and the secret that lets one watch it."""


def source(number: int) -> str:
    """An address of this machine for the honest, each of whom has one, as the server counts by address."""
    return f"127.1.{number // 200}.{1 + number % 200}"


async def open_room(ledger: Ledger, ports: Sequence[int], count: int) -> Room:
    """Set up so many tables with everybody seated; nobody is connected yet."""
    room = Room()
    watchers: list[tuple[str, str, str]] = []
    cookies: list[str] = []
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        game = "loba" if kind.name == "pad" else ALL_GAMES[number // len(KINDS) % len(ALL_GAMES)]
        made, cookie = await _make_table(ports[number % len(ports)], kind, game, source(len(room.people)))
        table = made["table"]["id"]
        room.tables[table] = kind.name, made["watch"]
        cookies.append(cookie)
        for seat, habits in enumerate(kind.people):
            address = source(len(room.people))
            name = f"P{len(room.people)}"
            if kind.name == "pad":
                place = Place(table, None, key=made["join"], cookie=cookie)
                room.people.append(PadKeeper(ledger, _turned(ports, number), place, name, habits, address))
                continue
            token = made["token"] if seat == 0 else await _join(ports[0], table, made["join"], name, address)
            person = Person(ledger, _turned(ports, number + seat), Place(table, seat, token), name, habits, address)
            person.join_key = made["join"]
            person.is_leader = seat == 0
            room.people.append(person)
        watchers += [(table, made["watch"], f"W{number}")] * kind.spectators
    for number, (table, watch, name) in enumerate(watchers):
        # Browsers of spectators have an identity too: that of whoever set up a neighbouring table.
        cookie = next(c for t, c in zip(room.tables, cookies[1:] + cookies[:1], strict=True) if t == table)
        place = Place(table, None, key=watch, cookie=cookie)
        address = source(len(room.people))
        room.people.append(Person(ledger, _turned(ports, number), place, name, SPECTATOR, address))
    return room


def _turned(ports: Sequence[int], by: int) -> list[int]:
    """The servers in the order in which somebody tries them."""
    by %= len(ports)
    return [*ports[by:], *ports[:by]]


async def _make_table(port: int, kind: Kind, game: str, address: str) -> tuple[dict[str, Any], str]:
    wanted: dict[str, Any] = {"game": game, "public": kind.public, **kind.wanted}
    if kind.name != "pad":
        wanted |= {"seats": len(kind.people) + kind.bots, "clock": kind.clock, "bots": ["club"] * kind.bots}
        wanted |= {"name": "Founder", "options": SHORT.get(game, {})}
    http = Http(port, address)
    try:
        reply = await http.post("/api/tables", wanted)
        return reply.body, reply.cookie
    finally:
        http.close()


async def _join(port: int, table: str, key: str, name: str, address: str) -> str:
    http = Http(port, address)
    try:
        reply = await http.post(f"/api/tables/{table}/join", {"name": name, "key": key})
        token: str = reply.body["token"]
        return token
    finally:
        http.close()
