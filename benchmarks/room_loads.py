"""Loads for the game room, and the players that make them.

*Saturated*: whoever is at turn moves at once. *Paced*: people think before they move, as in real rooms. The players
take less than the other core, and every measurement says how much of it, so that one sees that the server and not the
load generator was measured.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np

from benchmarks.games import ALL_GAMES, PAIR_GAMES
from benchmarks.room_client import Http, Socket, connect
from benchmarks.room_process import Server, processor_seconds, resident

OURS = "Ludothèque, on disk"
WARM_UP = 2.0
OPENERS = 20
"""How many tables are set up, or clients connected, at a time."""
SEED = 1

GAME = "double_lucky_7"


@dataclass(frozen=True)
class Load:
    """So many tables of a kind."""

    tables: int
    pace: tuple[float, float] | None = None
    """Seconds that people think before a move, at least and at most; None: they move at once."""
    games: tuple[str, ...] = (GAME,)
    """Tables play these in turn."""
    people: int = 2
    bots: int = 0
    """How many of level `club` play at each table."""
    clock: int = 0
    spectators: int = 0

    @property
    def kind(self) -> str:
        """What it is called in results."""
        return "saturated" if self.pace is None else "paced"


EVERY_SECOND = (1.0, 1.0)
LIKE_PEOPLE = (2.0, 4.0)
ROOMS = {
    "pairs": Load(2000, LIKE_PEOPLE, PAIR_GAMES),
    "bots": Load(1000, LIKE_PEOPLE, ALL_GAMES, people=1, bots=2),
    "clocks": Load(500, LIKE_PEOPLE, PAIR_GAMES, clock=30, spectators=1),
}
"""Loads that look like real rooms."""


@dataclass(frozen=True)
class Measurement:
    """What one run showed."""

    server: str
    load: str
    """`saturated` or `paced`, or the name of a room."""
    tables: int
    rate: float
    """Moves a second, all tables and bots together."""
    p50: float
    """Milliseconds from sending a move to another client's seeing it, half of all moves,"""
    p99: float
    """and all but a hundredth of them."""
    memory: float
    """Megabytes of the server."""
    cpu: float
    """Microseconds of the server's processor time, its own and the system's, for a move."""
    client_load: float
    """Part of its core that the players took: near 1, they and not the server set the rate."""
    answer_p50: float = 0.0
    """Milliseconds from sending a move to the answer that it is stored,"""
    answer_p99: float = 0.0
    refused: int = 0


def show(found: Measurement) -> None:
    """Print a measurement as it comes."""
    answers = f"  answers {found.answer_p50:.2f} / {found.answer_p99:.2f} ms" if found.answer_p99 else ""
    refused = f"  {found.refused} refused" if found.refused else ""
    print(
        f"{found.server:<44} {found.load:<9} {found.tables:>6} tables {found.rate:>9,.0f} moves/s"
        f"  p50 {found.p50:>7.2f} ms  p99 {found.p99:>7.2f} ms{answers}  {found.cpu:>5.0f} µs/move"
        f"  {found.memory:>6.0f} MB  players {found.client_load:.0%}{refused}",
        flush=True,
    )


class Choice(msgspec.Struct, gc=False):
    """A legal move."""

    id: int


class View(msgspec.Struct, gc=False):
    """What a player reads of a view."""

    actor: int | None
    over: bool
    legal: list[Choice] = []


class Happened(msgspec.Struct, gc=False):
    """What a player reads of an event."""

    type: str


class Message(msgspec.Struct, gc=False):
    """What a player reads of a message."""

    type: str
    seq: int = 0
    re: str | None = None
    view: View | None = None
    events: list[Happened] = []


_decode = msgspec.json.Decoder(Message).decode


@dataclass
class Tally:
    """What all players of a run count."""

    moves: int = 0
    refused: int = 0
    seen: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    is_running: bool = True


class Table:
    """What the clients of one table share: the move that is under way."""

    def __init__(self, table_id: str, tokens: list[str], watch: str) -> None:
        self.id = table_id
        self.tokens = tokens
        self.watch = watch
        self.mover = -1
        self.due = 0
        """The number that the event of this move has at least; 0: somebody else has seen it."""
        self.sent = 0.0


class Client(Socket):
    """A spectator; seats are `Player`s."""

    def __init__(self, tally: Tally, table: Table, seat: int, hello: dict[str, str]) -> None:
        super().__init__()
        self.tally = tally
        self.table = table
        self.seat = seat
        self.welcomed = asyncio.Event()
        self._hello = hello

    def on_open(self) -> None:
        """See `Socket`."""
        self.send_json(type="hello", **self._hello)

    def on_message(self, data: bytes) -> None:
        """See `Socket`."""
        now = time.perf_counter()
        message = _decode(data)
        table = self.table
        if message.type == "update":
            if table.due and message.seq >= table.due and table.mover != self.seat:
                table.due = 0
                self.tally.seen.append(now - table.sent)
        elif message.type == "welcome":
            self.welcomed.set()
        elif message.type == "refused":
            self.tally.refused += 1
        self.on_parsed(message, now)

    def on_parsed(self, message: Message, now: float) -> None:
        """What a seat does with a message."""


class Player(Client):
    """A seat that plays, and sees to the next match if it is the first."""

    def __init__(self, tally: Tally, table: Table, seat: int, pace: tuple[float, float] | None) -> None:
        super().__init__(tally, table, seat, {"token": table.tokens[seat]})
        self._pace = pace
        self._chance = random.Random(f"{SEED} {seat}")
        self._count = 0
        self._move_id = ""
        self._rematch_id = ""
        self._sent = 0.0
        self._loop = asyncio.get_running_loop()

    def on_parsed(self, message: Message, now: float) -> None:
        """See `Client`."""
        if message.type == "update":
            if message.re is not None and message.re == self._move_id:
                self.tally.answers.append(now - self._sent)
            if self.seat == 0:
                self.tally.moves += sum(event.type == "moved" for event in message.events)
            if message.re is not None and message.re == self._rematch_id:
                self.tell("start")
        if message.view is None or message.type == "welcome" or not self.tally.is_running:
            return
        if message.view.over:
            if self.seat == 0:
                self._rematch_id = self.tell("rematch")
        elif message.view.actor == self.seat and message.view.legal:
            legal = message.view.legal
            # Spread over all moves, and the same in every run.
            choice = legal[(self._count * 7919) % len(legal)].id
            if self._pace is None:
                self._play(message.seq, choice)
            else:
                self._loop.call_later(self._chance.uniform(*self._pace), self._play, message.seq, choice)

    def _play(self, seq: int, choice: int) -> None:
        if not self.tally.is_running:
            return
        self._count += 1
        self._move_id = f"m{self._count}"
        table = self.table
        table.mover, table.due = self.seat, seq + 1
        self._sent = table.sent = time.perf_counter()
        self.send(b'{"type":"move","id":"m%d","seq":%d,"move":%d}' % (self._count, seq, choice))

    def tell(self, what: str) -> str:
        """Send a message without anything but an id, and return that."""
        self._count += 1
        message_id = f"{what}{self._count}"
        self.send_json(type=what, id=message_id)
        return message_id


async def make_tables(port: int, load: Load) -> list[Table]:
    """Tables with all seats taken."""
    made: list[Table] = []
    numbers = iter(range(load.tables))

    async def work() -> None:
        http = Http(port)
        for number in numbers:
            game = load.games[number % len(load.games)]
            wanted = {"game": game, "seats": load.people + load.bots, "name": "Ann", "clock": load.clock}
            reply = await http.post("/api/tables", {**wanted, "bots": ["club"] * load.bots})
            new = reply.body
            tokens = [new["token"]]
            for _ in range(load.people - 1):
                path = f"/api/tables/{new['table']['id']}/join"
                tokens.append((await http.post(path, {"name": "Bob", "key": new["join"]})).body["token"])
            made.append(Table(new["table"]["id"], tokens, new["watch"]))
        http.close()

    await asyncio.gather(*(work() for _ in range(OPENERS)))
    return made


async def connect_all(port: int, tally: Tally, load: Load, tables: Sequence[Table]) -> list[Client]:
    """Everybody connected and greeted: the first players of all tables, then the others, then the spectators."""
    gate = asyncio.Semaphore(OPENERS)

    async def enter(table: Table, seat: int) -> Client:
        def make() -> Client:
            if seat < load.people:
                return Player(tally, table, seat, load.pace)
            return Client(tally, table, seat, {"key": table.watch})

        async with gate:
            client = await connect(make, port, f"/ws/{table.id}")
            await client.welcomed.wait()
            return client

    seats = range(load.people + load.spectators)
    return list(await asyncio.gather(*(enter(table, seat) for seat in seats for table in tables)))


async def start_all(clients: Sequence[Client], load: Load) -> None:
    """Deal at all tables; paced, spread over the time a move takes, so that tables do not move in step."""
    spread = load.pace[1] if load.pace else 0.0
    for number, client in enumerate(clients[: load.tables]):
        assert isinstance(client, Player)
        client.tell("start")
        if spread and number % 50 == 49:
            await asyncio.sleep(spread * 50 / load.tables)


async def measure(server: Server, load: Load, seconds: float, name: str = "") -> Measurement:
    """One run of our own server."""
    tally = Tally()
    clients = await connect_all(server.port, tally, load, await make_tables(server.port, load))
    await start_all(clients, load)
    await asyncio.sleep(WARM_UP + (load.pace[1] if load.pace else 0.0))
    tally.moves, tally.seen, tally.answers = 0, [], []
    begin, used, own = time.perf_counter(), processor_seconds(server.pid), time.process_time()
    await asyncio.sleep(seconds)
    passed, taken = time.perf_counter() - begin, time.process_time() - own
    cpu = (processor_seconds(server.pid) - used) / max(1, tally.moves) * 1e6
    memory = resident(server.pid)
    p50, p99 = percentiles(tally.seen or tally.answers)
    answer_p50, answer_p99 = percentiles(tally.answers)
    tally.is_running = False
    await asyncio.sleep(0.5)
    for client in clients:
        client.close()
    return Measurement(
        OURS,
        name or load.kind,
        load.tables,
        tally.moves / passed,
        p50,
        p99,
        memory,
        cpu,
        taken / passed,
        answer_p50,
        answer_p99,
        tally.refused,
    )


async def idle_memory(server: Server, tables: int) -> float:
    """Megabytes of the server with so many tables in play, a connection at each, and nothing happening."""
    tally = Tally(is_running=False)
    made = await make_tables(server.port, Load(tables))
    clients = await connect_all(server.port, tally, Load(tables, people=1), made)
    for client in clients:
        assert isinstance(client, Player)
        client.tell("start")
    await asyncio.sleep(2)
    memory = resident(server.pid)
    for client in clients:
        client.close()
    return memory


def percentiles(seconds: Sequence[float]) -> tuple[float, float]:
    """The half and the 99th percentile in milliseconds; zeros of nothing."""
    if not seconds:
        return 0.0, 0.0
    p50, p99 = np.percentile(np.array(seconds) * 1000, [50, 99])
    return float(p50), float(p99)
