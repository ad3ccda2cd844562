"""A real server on loopback, and clients that talk to it over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
from collections.abc import AsyncIterator, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import uvicorn
import uvloop
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from ludotheque.server.cli import make_bus, make_store
from ludotheque.server.session.room import Room
from ludotheque.server.settings import Settings
from ludotheque.server.wire.app import make_app
from ludotheque.server.wire.gate import Gate
from ludotheque.server.wire.transport import uvicorn_config

T = TypeVar("T")
GAME = "double_lucky_7"
PATIENCE = 60.0

QUICK: dict[str, Any] = {
    "bot_pace": 0.0,
    "bot_seconds": 0.05,
    "hint_seconds": 0.05,
    "messages_per_second": 100_000.0,
    "messages_at_once": 100_000,
    "requests_per_second": 100_000.0,
    "requests_at_once": 100_000,
}


def run(work: Coroutine[Any, Any, T], seconds: float = 600) -> T:
    """Run a test on the loop the server uses, but not for ever."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(asyncio.wait_for(work, seconds))


class Client(WSListener):
    """A client of a table that keeps what it is sent."""

    _ids = itertools.count()
    """Of all clients: somebody who comes back does not use an id again."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.raw: list[bytes] = []
        self.closed = asyncio.Event()
        self.close_code: int | None = None
        self.seq = 0
        self.view: Any = None
        """The last one it was sent."""
        self.welcome: dict[str, Any] = {}

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            self.close_code = int(frame.get_close_code())  # type: ignore[call-overload]  # an enum of integers
            transport.disconnect()
            return
        data = frame.get_payload_as_bytes()
        self.raw.append(data)
        message = msgspec.json.decode(data)
        if message["type"] in ("welcome", "update"):
            self.seq = message["seq"]
            if message.get("view") is not None:
                self.view = message["view"]
        self.inbox.put_nowait(message)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.closed.set()

    def send_raw(self, data: bytes, kind: WSMsgType = WSMsgType.TEXT) -> None:
        self.transport.send(kind, data)

    def send(self, kind: str, **fields: Any) -> str:
        """Send a message; its id."""
        message_id = fields.setdefault("id", f"c{next(self._ids)}") if kind != "hello" else ""
        self.send_raw(msgspec.json.encode({"type": kind, **fields}))
        return message_id

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next message of these kinds; others are dropped."""
        while True:
            message = await asyncio.wait_for(self.inbox.get(), PATIENCE)
            if not kinds or message["type"] in kinds:
                return message

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a message and wait for its answer."""
        message_id = self.send(kind, **fields)
        while True:
            message = await self.next("update", "ack", "refused", "hinted", "checked", "bye")
            if message.get("re") == message_id or message["type"] == "bye":
                return message

    async def move(self, move: str | int | None = None) -> dict[str, Any]:
        """Play a move, the first legal one if none is named."""
        return await self.ask("move", seq=self.seq, move=self.view["legal"][0]["move"] if move is None else move)

    def close(self) -> None:
        self.transport.send_close(WSCloseCode.OK)
        self.transport.disconnect()


async def settled(*clients: Client) -> None:
    """Wait until all have been told the same."""
    while len({client.seq for client in clients}) > 1:
        await asyncio.sleep(0.001)


def at_turn(clients: Sequence[Client]) -> tuple[Client, Client]:
    """Of two at a table, whoever is to move and the other one."""
    actor = clients[0].view["actor"]
    return clients[actor], clients[1 - actor]


async def play(clients: Sequence[Client], moves: int = 10**6) -> None:
    """Two people play, at most to the end of the match."""
    for _ in range(moves):
        await settled(*clients)
        if clients[0].view["over"]:
            return
        assert (await at_turn(clients)[0].move())["type"] == "update"
    await settled(*clients)


class House:
    """A running server."""

    def __init__(self, room: Room, gate: Gate, port: int) -> None:
        self.room = room
        self.gate = gate
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.http = httpx.AsyncClient(base_url=self.url, timeout=PATIENCE)
        self.clients: list[Client] = []

    async def post(self, path: str, body: Any = None, token: str | None = None, status: int = 200) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await self.http.post(path, json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def get(self, path: str, token: str | None = None, status: int = 200, **query: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await self.http.get(path, params=query, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def table(self, *names: str, **wanted: Any) -> tuple[str, list[str]]:
        """A table with people on its seats; its id and their tokens."""
        bots = len(wanted.get("bots", ()))
        async with httpx.AsyncClient(base_url=self.url, timeout=PATIENCE) as fresh:
            body = {"game": GAME, "seats": len(names) + bots, "name": names[0], **wanted}
            answer = await fresh.post("/api/tables", json=body)
            assert answer.status_code == 200, answer.text
        made = answer.json()
        tokens = [made["token"]]
        for name in names[1:]:
            async with httpx.AsyncClient(base_url=self.url, timeout=PATIENCE) as other:
                path = f"/api/tables/{made['table']['id']}/join"
                joined = await other.post(path, json={"name": name, "key": made["join"]})
                assert joined.status_code == 200, joined.text
                tokens.append(joined.json()["token"])
        return made["table"]["id"], tokens

    async def connect(self, table: str, **headers: str) -> Client:
        """Open the WebSocket of a table, and say nothing yet."""
        url = f"ws://127.0.0.1:{self.port}/ws/{table}"
        _, client = await ws_connect(Client, url, extra_headers=headers or None, websocket_handshake_timeout=PATIENCE)
        if not isinstance(client, Client):
            raise ConnectionResetError
        self.clients.append(client)
        return client

    async def enter(self, table: str, token: str | None = None, cookie: str = "", **hello: Any) -> Client:
        """Connect and say hello."""
        client = await self.connect(table, **({"Cookie": cookie} if cookie else {}))
        if token is not None:
            hello["token"] = token
        client.send("hello", **hello)
        client.welcome = await client.next()
        assert client.welcome["type"] == "welcome", client.welcome
        return client

    async def match(self, *names: str, **wanted: Any) -> tuple[str, list[str], list[Client]]:
        """A table in play with everybody connected."""
        table, tokens = await self.table(*names, **wanted)
        clients = [await self.enter(table, token) for token in tokens]
        clients[0].send("start")
        for client in clients:
            while client.view is None:
                await client.next("update")
        return table, tokens, clients


@contextlib.asynccontextmanager
async def running(
    data: Path, port: int = 0, uvicorn_settings: dict[str, Any] | None = None, **settings: Any
) -> AsyncIterator[House]:
    """A server for the time of a test."""
    chosen = Settings(data=data, **{**QUICK, **settings})
    room = Room(chosen, make_store(chosen), make_bus(chosen))
    gate = Gate(room)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn_config(make_app(room, gate), gate, **(uvicorn_settings or {})))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
        if task.done():
            task.result()
    house = House(room, gate, listener.getsockname()[1])
    try:
        yield house
    finally:
        for client in house.clients:
            client.transport.disconnect()
        await house.http.aclose()
        server.should_exit = True
        await task
        listener.close()
