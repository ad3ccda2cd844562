"""A table of a game room: the server's views, the same screens. A connection that breaks is made again."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from ludotheque.core.files import write_text
from ludotheque.core.words import game_words
from ludotheque.tui.room import Address, ask
from ludotheque.tui.saves import keep_seat, read_seats
from ludotheque.tui.table import HINT, SAVE, SAY, UNDO, Advice, Choice, Line, Refused, Table, verdict
from ludotheque.tui.words import say

ANSWER_SECONDS = 15.0
FATAL = ("unknown_table", "not_allowed", "not_seated", "broken", "bad_origin")
"""Reasons of the server's that will not go away by trying again."""
DEFAULT_LEVEL = "club"


def seat_key(address: Address) -> str:
    """Under what a seat at a table is remembered."""
    return f"{address.base} {address.table}"


def sit_down(address: Address, name: str | None, lang: str) -> RemoteTable:
    """Take a seat at a table, or one's own again; without a name, or where none is free, watch."""
    secret = f"?key={address.key}" if address.key else ""
    kept = read_seats().get(seat_key(address), {})
    token = str(kept.get("token", ""))
    path = f"/api/tables/{address.table}"
    shown = ask(address, f"{path}{secret}", lang, token=token)
    if shown["table"]["kind"] != "match":
        raise Refused(say(lang, "room.is_pad"))
    if shown.get("seat") is None:
        token = ""
    if not token and address.can_join and name:
        body = {"name": name, **({"key": address.key} if address.key else {})}
        joined = ask(address, f"{path}/join", lang, body)
        token = joined["token"]
        keep_seat(seat_key(address), {"token": token, "name": name})
    return RemoteTable(address, shown["table"]["game"], token, lang)


class RemoteTable(Table):
    """A table of a game room, over its WebSocket."""

    def __init__(self, address: Address, game_id: str, token: str, lang: str) -> None:
        super().__init__(game_words(game_id), lang)
        self.address = address
        self._token = token
        self._socket: ClientConnection | None = None
        self._seq = 0
        self._seen: int | None = 0
        """The last event received; the server sends what comes after it, at first everything."""
        self._info: dict[str, Any] | None = None
        self._here: list[int] = []
        self._ids = itertools.count()
        self._prefix = secrets.token_hex(4)
        self._open: dict[str, tuple[dict[str, Any], asyncio.Future[dict[str, Any]]]] = {}
        """Messages without an answer yet; they are sent again after a lost connection."""
        self._again = asyncio.Event()
        self.retry_seconds = 1.0
        self.lobby = [self.say("room.connecting", address=address.base)]

    @property
    def names(self) -> list[str]:
        """The players' names by seat."""
        seats = self._info["seats"] if self._info else []
        return [seat.get("name") or self.say("room.free") for seat in seats]

    async def run(self) -> None:
        """Stay connected until the screen is closed, or the server says that there is no point."""
        wait = self.retry_seconds
        while True:
            try:
                async with connect(self.address.socket, open_timeout=10, max_size=None, proxy=None) as socket:
                    wait = self.retry_seconds
                    try:
                        if await self._talk(socket):
                            return
                    except asyncio.CancelledError:
                        socket.transport.close()  # do not wait for the server to close
                        raise
            except (OSError, WebSocketException, ValueError, KeyError):
                pass
            self._socket = None
            self.connection = self.say("room.lost")
            self.notice = self.say("room.lost_long")
            self.changed()
            try:
                await asyncio.wait_for(self._again.wait(), wait)
            except TimeoutError:
                wait = min(wait * 1.6, 15.0)
            self._again.clear()

    async def _talk(self, socket: ClientConnection) -> bool:
        """Read until the connection ends; True if it should stay so."""
        hello = {"type": "hello", "lang": self.lang, "after": self._seen}
        if self._token:
            hello["token"] = self._token
        if self.address.key and not self._token:
            hello["key"] = self.address.key
        await socket.send(json.dumps(hello))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "bye" and message["code"] in FATAL:
                self.connection = ""
                self.lobby = [message["text"]]
                self.notice = message["text"]
                self.changed()
                return True
            await self._take(socket, message)
        return False

    async def _take(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "welcome":
            self._socket = socket
            self.seat = message.get("seat")
            self.notice = ""
            if self._seen == 0:
                self.log = []
            for waiting, _ in list(self._open.values()):
                await socket.send(json.dumps(waiting))
        if "seq" in message and kind != "hinted":
            self._seq = self._seen = message["seq"]
        if "table" in message:
            self._info = message["table"]
        if "here" in message:
            self._here = message["here"]
        if kind in ("welcome", "update") and self._info and self._info["status"] == "waiting":
            self.view = None
        for event in message.get("events", []):
            self.log.extend(self._tell(event))
        if message.get("view"):
            self.view = self._complete(message["view"])
        self._settle(message)
        await self._contribute(socket)
        self._refresh()

    def _complete(self, view: dict[str, Any]) -> dict[str, Any]:
        """The view with what the table's own description says."""
        assert self._info is not None
        about = {"game": self._info["game"], "options": self._info["options"], "players": self.names}
        return {**view, **about, "seat": self.seat}

    def _settle(self, message: dict[str, Any]) -> None:
        """Hand an answer to whoever waits for it."""
        _, future = self._open.pop(message.get("re") or "", (None, None))
        if future is not None and not future.done():
            future.set_result(message)

    async def _contribute(self, socket: ClientConnection) -> None:
        """Add random bytes of this device's own to the next deal."""
        if self._info is None or self.seat is None or self._info["status"] != "waiting":
            return
        if not self._info["seats"][self.seat].get("contributed") and not self._open:
            value = secrets.token_hex(32)
            await socket.send(json.dumps({"type": "contribute", "id": self._new_id(), "value": value}))
            self._info["seats"][self.seat]["contributed"] = True

    def _refresh(self) -> None:
        self.connection = self.say("room.connected") if self.seat is not None else self.say("room.watching")
        can = {SAY}
        if self.view is not None:
            can.add(SAVE)
            if self.seat is not None and not self.view["over"]:
                can.add(HINT)
                if self._info and sum(seat["kind"] == "person" for seat in self._info["seats"]) == 1:
                    can.add(UNDO)
        self.can = frozenset(can)
        self.lobby = self._lobby()
        self.changed()

    def _lobby(self) -> list[str]:
        """Who sits at the table before the deal."""
        if self._info is None:
            return list(self.lobby)
        lines = [self.say("room.before"), ""]
        for seat, one in enumerate(self._info["seats"]):
            name = one.get("name") or self.say("room.free")
            mark = "▸" if seat == self.seat else "●" if seat in self._here or one["kind"] == "bot" else " "
            lines.append(f"{mark} {seat + 1}. {name}")
        return [*lines, "", self.say("room.invite", link=self.address.link)]

    def _tell(self, event: dict[str, Any]) -> list[Line]:
        """An event of the table as lines of the log."""
        kind = event["type"]
        if kind in ("started", "moved"):
            ends = ("round_end", "match_end")
            lines = [Line(one["text"], "end" if one["type"] in ends else "") for one in event.get("seen", [])]
            by = event.get("by")
            return [*([Line(self._of(event, f"room.by_{by}"), "note")] if by else []), *lines]
        if kind == "said":
            return [Line(f"{event['name']}: {event['text']}", "said")]
        if kind == "reacted":
            return [Line(self.say("room.reacted", name=event["name"], mark=self.say(f"marks.{event['mark']}")), "said")]
        if kind in ("seated", "bot_seated", "left", "stood_in", "returned", "undone", "rematched", "arranged"):
            return [Line(self._of(event, f"room.{kind}"), "note")]
        return []

    def _of(self, event: dict[str, Any], key: str) -> str:
        names = self.names
        seat = event.get("seat")
        name = event.get("name") or (names[seat] if seat is not None and seat < len(names) else "")
        return self.say(key, name=name)

    @property
    def status(self) -> str:
        """What the table waits for."""
        if self.view is not None:
            return super().status
        if self._info is None:
            return self.say("room.connecting", address=self.address.base)
        free = sum(seat["kind"] == "free" for seat in self._info["seats"])
        return self.say("room.waiting", n=free) if free else self.say("room.can_start")

    def choices(self) -> list[Choice]:
        """Moves during a match; before and after it, what whoever sits here can do."""
        if self._socket is None:
            return []
        if self.view is not None and not self.view["over"]:
            return super().choices()
        if self._info is None or self.seat is None:
            return [Choice("quit", self.say("table.quit"))]
        if self.view is not None:
            words = [Choice("rematch", self.say("room.rematch"))]
            return [*words, *(Choice(word, self.say(f"table.{word}")) for word in ("scores", "save", "quit"))]
        free = [seat for seat, one in enumerate(self._info["seats"]) if one["kind"] == "free"]
        seats = [Choice(f"bot {seat + 1}", self.say("room.add_bot", n=seat + 1)) for seat in free]
        start = [] if free else [Choice("start", self.say("room.start"))]
        return [*start, *seats, Choice("leave", self.say("room.leave")), Choice("quit", self.say("table.quit"))]

    async def play(self, text: str) -> None:
        """A move, or what a choice before or after the match says."""
        if self.view is not None and not self.view["over"]:
            if self.seat is None:
                raise Refused(self.say("table.only_watch"))
            await self._request({"type": "move", "seq": self._seq, "move": text})
        elif text in ("start", "rematch", "leave"):
            await self._request({"type": text})
            if text == "leave":
                keep_seat(seat_key(self.address), None)
                self._token = ""
                self._hang_up()
        elif text.startswith("bot "):
            await self._request({"type": "add_bot", "seat": int(text[4:]) - 1, "level": DEFAULT_LEVEL})
        else:
            raise Refused(self.say("table.not_understood", text=f"{text:.30}"))

    async def _request(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message and wait for its answer; sent again if the connection breaks in between."""
        if self._socket is None:
            raise Refused(self.say("room.lost_long"))
        message = {**message, "id": self._new_id()}
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._open[message["id"]] = message, future
        try:
            try:
                await self._socket.send(json.dumps(message))
            except WebSocketException:
                self._again.set()  # it goes out once the table is there again
            answer = await asyncio.wait_for(future, ANSWER_SECONDS)
        except TimeoutError:
            raise Refused(self.say("room.no_answer")) from None
        finally:
            self._open.pop(message["id"], None)
        if answer["type"] == "refused":
            rule = f" [{answer['rule']}]" if answer.get("rule") and f"[{answer['rule']}]" not in answer["text"] else ""
            raise Refused(answer["text"] + rule)
        return answer

    def _new_id(self) -> str:
        return f"{self._prefix}-{next(self._ids)}"

    async def hint(self) -> list[Advice]:
        """The server's expert, from this seat's own view."""
        answer = await self._request({"type": "hint"})
        first, *others = (
            Advice(one["move"], one["label"], verdict(one["win"], one["equal"], place == 0, self.lang))
            for place, one in enumerate(answer["moves"])
        )
        return [replace(first, reason=answer["reason"]), *others]

    async def undo(self) -> None:
        """Take back, at a table with one person and bots."""
        await self._request({"type": "undo", "seq": self._seq})

    async def speak(self, text: str) -> None:
        """Say something to everybody."""
        if text:
            await self._request({"type": "say", "text": text[:500]})

    async def save(self, path: Path) -> None:
        """Fetch the record: whole once the match is over, before that what this seat saw."""
        secret = f"?key={self.address.key}" if self.address.key else ""
        where = f"/api/tables/{self.address.table}/record{secret}"
        record = await asyncio.to_thread(ask, self.address, where, self.lang, None, self._token)
        write_text(path, json.dumps(record, ensure_ascii=False, indent=1) + "\n")

    def leave(self) -> str:
        """The seat stays one's own."""
        if self.seat is None:
            return self.say("table.left")
        return self.say("room.come_back", link=self.address.link)

    def _hang_up(self) -> None:
        """Drop the connection, and fetch everything again."""
        self._seen = 0
        if self._socket is not None:
            self._closing = asyncio.ensure_future(self._socket.close())
        self._again.set()

    def set_language(self, lang: str) -> None:
        """Have the server speak another language."""
        self.lang = lang
        self._hang_up()
