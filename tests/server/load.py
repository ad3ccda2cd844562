"""Players that go on whatever happens: they reconnect, resume, and remember what was acknowledged and told."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx
import msgspec
from picows import WSError, ws_connect

import ludotheque
from ludotheque.server.domain import fairness
from tests.server.house import GAME, PATIENCE, Client


class Roamer:
    """A seat that plays at random, at whichever server answers."""

    def __init__(self, ports: Sequence[int], table: str, seat: int, token: str) -> None:
        self.ports = list(ports)
        self.table = table
        self.seat = seat
        self.token = token
        self.acked: list[tuple[int, str]] = []
        """Moves that a server said are stored: the table's seq after them, and the move."""
        self.told: dict[int, dict[str, Any]] = {}
        """Everything told, by seq."""
        self.seq = 0
        self.view: dict[str, Any] | None = None
        self.connects = 0
        self.running = True
        self._chance = random.Random(f"{table} {seat}")
        self._count = 0

    async def run(self) -> None:
        """Play until told to stop."""
        while self.running:
            with contextlib.suppress(OSError, WSError, Lost):
                await self._session(self.ports[self.connects % len(self.ports)])
            self.connects += 1
            await asyncio.sleep(0.1)

    async def _session(self, port: int) -> None:
        _, client = await asyncio.wait_for(ws_connect(Client, f"ws://127.0.0.1:{port}/ws/{self.table}"), 5)
        if not isinstance(client, Client):
            return
        try:
            client.send("hello", token=self.token, after=self.seq)
            waiting: tuple[str, str] | None = None
            patience = 0.0
            while self.running:
                if client.closed.is_set() and client.inbox.empty():
                    raise Lost
                try:
                    message = await asyncio.wait_for(client.inbox.get(), 0.5)
                except TimeoutError:
                    patience += 0.5
                    if patience > 15:
                        raise Lost from None
                    continue
                patience = 0.0
                self._hear(message)
                if waiting is not None and message.get("re") == waiting[0]:
                    if message["type"] in ("update", "ack"):
                        self.acked.append((message["seq"], waiting[1]))
                    waiting = None
                if waiting is None:
                    waiting = self._act(client)
        finally:
            client.transport.disconnect()

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "bye":
            raise Lost
        for event in message.get("events", []):
            known = self.told.get(event["seq"])
            assert known is None or known == event, f"an event has changed: {known} {event}"
            assert event["seq"] <= self.seq + 1 or message["type"] == "welcome", "an event was left out"
            self.told[event["seq"]] = event
        if message["type"] in ("welcome", "update"):
            self.seq = max(self.seq, message["seq"])
        if message.get("view") is not None:
            self.view = message["view"]

    def _act(self, client: Client) -> tuple[str, str] | None:
        """Send what is due; the id of the message and the move."""
        self._count += 1
        message_id = f"{self.seat}-{self.connects}-{self._count}"
        if self.view is None:
            return None
        if self.view["over"]:
            if self.seat == 0:  # the next match
                client.send("start" if self.told[max(self.told)]["type"] == "rematched" else "rematch", id=message_id)
            return None
        if self.view["actor"] != self.seat or not self.view["legal"]:
            return None
        move = self._chance.choice(self.view["legal"])["move"]
        client.send("move", id=message_id, seq=self.seq, move=move)
        return message_id, move


class Lost(Exception):
    """The connection is gone."""


@contextlib.asynccontextmanager
async def at_play(roamers: Sequence[Roamer]) -> AsyncIterator[None]:
    """They play, and stop at the end, whatever happens."""
    tasks = [asyncio.create_task(roamer.run()) for roamer in roamers]
    try:
        yield
    finally:
        for roamer in roamers:
            roamer.running = False
        await asyncio.gather(*tasks)


async def played(roamers: Sequence[Roamer], moves: int) -> None:
    """Wait until so many moves have been acknowledged."""
    async with asyncio.timeout(PATIENCE):
        while sum(len(roamer.acked) for roamer in roamers) < moves:
            await asyncio.sleep(0.05)


async def make_tables(url: str, count: int, first: str = "Ann") -> list[tuple[str, list[str]]]:
    """Tables in play: ids and tokens."""
    made = []
    for _ in range(count):
        async with httpx.AsyncClient(base_url=url) as ann, httpx.AsyncClient(base_url=url) as bob:
            new = (await ann.post("/api/tables", json={"game": GAME, "name": first})).json()
            path = f"/api/tables/{new['table']['id']}"
            joined = (await bob.post(f"{path}/join", json={"name": "Bob", "key": new["join"]})).json()
            await bob.post(f"{path}/start", headers={"Authorization": f"Bearer {joined['token']}"})
            made.append((new["table"]["id"], [new["token"], joined["token"]]))
    return made


async def check(url: str, roamers: Sequence[Roamer]) -> int:
    """Everything acknowledged and told is there, once, and every record is true. How many moves that was."""
    checked = 0
    for roamer in roamers:
        address = f"{url.replace('http', 'ws')}/ws/{roamer.table}"
        _, client = await ws_connect(Client, address, websocket_handshake_timeout=PATIENCE)
        assert isinstance(client, Client)
        client.send("hello", token=roamer.token, after=0)
        welcome = await client.next("welcome", "bye")
        assert welcome["type"] == "welcome", welcome
        while client.seq < max(roamer.told):  # another server told it; it comes
            welcome["events"] += (await client.next("update"))["events"]
            welcome["seq"] = client.seq
        log = {event["seq"]: event for event in welcome["events"]}
        assert sorted(log) == list(range(2, welcome["seq"] + 1))
        for seq, event in roamer.told.items():
            assert log[seq] == event
        for seq, move in roamer.acked:
            moves = [log[seq]] if log[seq]["type"] == "moved" and log[seq]["seat"] == roamer.seat else []
            # An acknowledgement of a duplicate tells how far the table is, not where the move was.
            moves = moves or [
                e for s, e in log.items() if s <= seq and e["type"] == "moved" and e["seat"] == roamer.seat
            ]
            assert any(event["move"] == move for event in moves)
            checked += 1
        client.transport.disconnect()
        headers = {"Authorization": f"Bearer {roamer.token}"}
        async with httpx.AsyncClient(base_url=url, headers=headers) as http:
            match = welcome["table"]["match"] - (welcome["table"]["status"] == "waiting")
            answer = (await http.get(f"/api/tables/{roamer.table}/record", params={"match": match})).json()
        last = max(seq for seq, event in log.items() if event["type"] == "started")
        moves_told = [f"{e['seat']}: {e['move']}" for s, e in sorted(log.items()) if e["type"] == "moved" and s > last]
        assert answer["record"]["moves"] == moves_told
        if "deal" in answer:
            assert ludotheque.verify(answer["record"]).true and fairness.check(answer["record"], answer["deal"])
        else:
            assert msgspec.json.encode(answer["record"]["seen"])
    return checked
