"""Honest people: they play, talk, lose their connection, come back, resend, leave their seat to somebody else.

Everything they choose comes from seeds; only the times are the machine's.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from benchmarks.room_client import Http, HttpError, Socket, connect
from benchmarks.soak.ledger import Command, Ledger, Outcome, Witness

SHORT = {
    "lobo77": {"tokens": 1},
    "skipbo": {"stock": 5},
    "volle_lotte": {"target": 1000},
    "double_lucky_7": {"rounds": 7},
}
"""Options that make matches short, so that many of them end."""
MARKS = ("👍", "👏", "🎉")
PATIENCE = 45.0
"""How long somebody waits for an answer before connecting anew."""
NEWS_SECONDS = 30.0
"""How long a server may take to hear what another one has stored, while the bus between them is down."""
RECENT = 4
"""How many of one's last messages are repeated after connecting anew."""
NOT_NOW = {"slow_down", "disk", "hello_first", "shutting_down"}
"""Refusals after which the same message is sent again."""


class Gone(Exception):
    """The connection has ended."""


@dataclass(frozen=True)
class Habits:
    """What somebody does besides playing."""

    think: tuple[float, float] = (0.3, 1.5)
    talk: float = 0.05
    """How likely they talk instead of playing on; so for the others."""
    repeat: float = 0.05
    """Send a message twice at once."""
    drop: float = 0.01
    """Close the connection and come back at once, repeating what was sent last."""
    wander: float = 0.0
    """Go away for as long as it takes until a bot stands in."""
    dawdle: float = 0.0
    """Think until the clock moves instead."""
    undo: float = 0.0
    leave_after: int = 0
    """Give the seat to somebody else after so many messages, who begins with the same ids; 0: never."""


@dataclass(frozen=True)
class Place:
    """Where somebody sits, or watches, and how they show who they are."""

    table: str
    seat: int | None
    """None: they watch, or keep a score pad."""
    token: str = ""
    key: str = ""
    cookie: str = ""


class Line(Socket):
    """A connection whose messages wait until they are read."""

    def __init__(self) -> None:
        super().__init__()
        self.inbox: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def on_message(self, data: bytes) -> None:
        """See `Socket`."""
        self.inbox.put_nowait(msgspec.json.decode(data))

    def on_close(self) -> None:
        """See `Socket`."""
        self.inbox.put_nowait(None)


class Person:
    """Somebody at a table, whatever happens to the servers."""

    def __init__(
        self, ledger: Ledger, ports: Sequence[int], place: Place, name: str, habits: Habits, source: str
    ) -> None:
        self.ledger = ledger
        self.ports = ports
        self.place = place
        self.name = name
        self.habits = habits
        self.source = source
        self.is_acting = True
        """Whether they still begin anything; unanswered messages are sent on in any case."""
        self.is_leader = False
        """Whether they see to the next match."""
        self.join_key = ""
        self.pending: Command | None = None
        self.status = "waiting"
        self.view: dict[str, Any] | None = None
        self.witness = self._new_witness()
        self._chance = random.Random(f"{source} {name}")
        self._lang = self._chance.choice(("en", "fr"))
        self._ids = itertools.count()
        self._holder = 0
        """How many have had this seat before."""
        self._recent: deque[Command] = deque(maxlen=RECENT)
        self._repeated: dict[str, Command] = {}
        self._sent_by_holder = 0
        self._connects = 0
        self._act_at = 0.0
        self._seq = 0
        """How far the table was by the last message: what a move is made for."""
        self._has_contributed = False
        self._is_vacant = False
        """Whether the seat was left, and nobody has taken it yet."""
        self._is_token_lost = False
        """Whether somebody may have sat down without getting the answer."""
        self._refused_since = 0.0
        self._is_lost = False
        """Whether nobody can go on with this seat."""

    @property
    def is_done(self) -> bool:
        """Whether everything was answered."""
        return self.pending is None

    async def run(self) -> None:
        """Stay at the table until cancelled, or until there is nobody to go on."""
        while not self._is_lost:
            line: Line | None = None
            try:
                if self._is_vacant:
                    await self._take_over()
                port = self.ports[self._connects % len(self.ports)]
                self._connects += 1
                path = f"/ws/{self.place.table}"
                line = await connect(Line, port, path, self.source, self.place.cookie, seconds=PATIENCE)
                await self._greet(line)
                await self._stay(line)
            except (OSError, TimeoutError, Gone, HttpError):
                self.ledger.counts["lost connections"] += 1
            finally:
                if line is not None:
                    line.close()
            await asyncio.sleep(self._chance.uniform(0.1, 0.6))

    # One connection.

    async def _greet(self, line: Line) -> None:
        hello: dict[str, Any] = {"type": "hello", "lang": self._lang, "after": self.witness.seq}
        hello |= {"token": self.place.token} if self.place.token else {}
        hello |= {"key": self.place.key} if self.place.key else {}
        line.send_json(**hello)
        while (await self._hear(line, PATIENCE))["type"] != "welcome":
            pass
        self._refused_since = 0.0
        self._act_at = time.monotonic() + self._chance.uniform(*self.habits.think)
        if self.pending is not None:
            self.ledger.counts["resent after a lost connection"] += 1
            self._transmit(line, self.pending)
        elif self.place.seat is not None or self.place.cookie:
            for command in self._recent:
                self._repeat(line, command)

    async def _stay(self, line: Line) -> None:
        while True:
            now = time.monotonic()
            if self.pending is not None and now - self.pending.sent > PATIENCE:
                self.ledger.counts["unanswered for long"] += 1
                raise Gone
            if self.pending is None and self.is_acting and now >= self._act_at:
                self._act_at = now + self._chance.uniform(*self.habits.think)
                await self._act(line)
            wait = max(0.01, self._act_at - now) if self.pending is None and self.is_acting else 1.0
            try:
                await self._hear(line, wait)
            except TimeoutError:
                continue

    async def _hear(self, line: Line, seconds: float) -> dict[str, Any]:
        """Read a message and note all that it says."""
        message = await asyncio.wait_for(line.inbox.get(), seconds)
        if message is None:
            raise Gone
        kind = message["type"]
        if kind == "bye":
            self._sent_away(message["code"])
            raise Gone
        for wrong in self.witness.take(message):
            self.ledger.complain("shown", wrong)
        for event in message.get("events", ()):
            if event["type"] == "started":
                self.status = "playing"
            elif event["type"] == "rematched":
                self.status, self.view, self._has_contributed = "waiting", None, False
        self._seq = message.get("seq", self._seq)
        if message.get("table") is not None:
            self.status = message["table"]["status"]
        if message.get("view") is not None:
            self.view = message["view"]
            if self.view["over"]:
                self.status = "over"
        if message.get("re") is not None:
            self._answered(line, message)
        return message

    def _sent_away(self, code: str) -> None:
        self.ledger.counts[f"bye: {code}"] += 1
        if code == "not_seated":
            if self.pending is not None and self.pending.message["type"] == "leave":
                self._settle(self.pending, Outcome.STORED)  # its answer was lost
            elif self._is_overdue():
                self._give_up("a seat was refused to its holder", f"{self.name} at {self.place.table}")

    def _is_overdue(self) -> bool:
        """Whether a refusal goes on for longer than a server may need to hear what another one has stored."""
        now = time.monotonic()
        self._refused_since = self._refused_since or now
        return now - self._refused_since > NEWS_SECONDS

    def _give_up(self, kind: str, text: str) -> None:
        self.ledger.complain(kind, text)
        self._is_lost = True
        self.witness.is_present = False

    def _settle(self, command: Command, outcome: Outcome) -> None:
        command.outcome = outcome
        self.pending = None
        if outcome is Outcome.STORED:
            self._recent.append(command)
            if command.message["type"] == "leave":
                self._is_vacant = True
                self._is_token_lost = False
                self.witness.is_present = False

    def _answered(self, line: Line, message: dict[str, Any]) -> None:
        command = self.pending
        if command is None or command.id != message["re"]:
            repeated = self._repeated.pop(message["re"], None)
            is_refused = message["type"] == "refused" and message["code"] not in NOT_NOW
            if is_refused and repeated is not None and repeated.outcome is Outcome.STORED:
                what = f"{repeated.message['type']} {repeated.id} at {repeated.table}: {message['code']}"
                self.ledger.complain("a repeated message was refused", what)
            return
        if message["type"] == "refused":
            self.ledger.counts[f"refused: {command.message['type']} {message['code']}"] += 1
            if message["code"] in NOT_NOW:
                asyncio.get_running_loop().call_later(1.0, self._again, line, command)
                return
            self._settle(command, Outcome.REFUSED)
            return
        self.ledger.answered(command, time.monotonic())
        self._settle(command, Outcome.STORED)
        if self._is_vacant:
            raise Gone

    # What they do.

    async def _act(self, line: Line) -> None:
        habits, chance = self.habits, self._chance
        if chance.random() < habits.drop:
            raise Gone
        if chance.random() < habits.wander:
            line.close()
            self.ledger.counts["went away"] += 1
            await asyncio.sleep(chance.uniform(6, 12))
            raise Gone
        if habits.leave_after and self._sent_by_holder >= habits.leave_after:
            self._send(line, "leave")
        elif chance.random() < habits.talk:
            if chance.random() < 0.5:
                self._send(line, "say", text=f"{self.name} says {chance.getrandbits(32)}")
            else:
                self._send(line, "react", mark=chance.choice(MARKS))
        elif self.place.seat is not None:
            self._act_at_seat(line)

    def _act_at_seat(self, line: Line) -> None:
        view, chance = self.view, self._chance
        if self.status == "waiting":
            if not self._has_contributed:
                self._has_contributed = True
                self._send(line, "contribute", value=chance.randbytes(16).hex())
            elif self.is_leader:
                self._send(line, "start")
        elif self.status == "over":
            if self.is_leader:
                self._send(line, "rematch")
        elif view is not None and chance.random() < self.habits.undo:
            self._send(line, "undo", seq=self._seq)
        elif view is not None and view["actor"] == self.place.seat and view.get("legal"):
            if chance.random() < self.habits.dawdle:
                self._act_at = time.monotonic() + 6
                return  # the clock moves
            choice = chance.choice(view["legal"])
            self._send(line, "move", seq=self._seq, move=chance.choice((choice["move"], choice["id"])))

    async def _take_over(self) -> None:
        """Somebody else sits down on the seat that was left, and begins with the same ids."""
        name = f"{self.name.partition(' ')[0]} {self._holder + 1}"
        http = Http(self.ports[self._connects % len(self.ports)], self.source)
        self._connects += 1
        try:
            wanted = {"name": name, "seat": self.place.seat, "key": self.join_key}
            reply = await http.post(f"/api/tables/{self.place.table}/join", wanted)
        except HttpError as error:
            if error.reply.status == 409 and self._is_token_lost:
                self._is_lost = True  # an earlier try has taken the seat, and nobody knows its token
            elif error.reply.status == 409 and self._is_overdue():
                self._give_up("a seat was left, but is not free", f"{name} at {self.place.table}: {error}")
            raise
        except (OSError, TimeoutError):
            self._is_token_lost = True
            raise
        finally:
            http.close()
        self.ledger.counts["seats changed hands"] += 1
        self._refused_since = 0.0
        self.name, self._holder = name, self._holder + 1
        self._ids, self._sent_by_holder, self._is_vacant = itertools.count(), 0, False
        self.place = replace(self.place, token=reply.body["token"])
        self._recent.clear()
        self._repeated.clear()
        self.witness = self._new_witness()

    def _new_witness(self) -> Witness:
        witness = Witness(self.place.table, self.name)
        self.ledger.witnesses.append(witness)
        return witness

    # Messages.

    def _send(self, line: Line, kind: str, **fields: Any) -> Command:
        number = next(self._ids)
        # Who takes over a seat uses its former holder's ids; all others' are their own.
        message_id = f"m{number}" if self.habits.leave_after else f"{self.name}-{number}"
        message = {"type": kind, "id": message_id, **fields}
        command = Command(self.place.table, self.name, message_id, message)
        self.ledger.commands.append(command)
        self._sent_by_holder += 1
        self.pending = command
        self._transmit(line, command)
        if self._chance.random() < self.habits.repeat:
            self._repeat(line, command)
        return command

    def _transmit(self, line: Line, command: Command) -> None:
        command.tries += 1
        command.sent = time.monotonic()
        command.epoch = self.ledger.epoch if self.ledger.is_calm else -1
        line.send_json(**command.message)

    def _again(self, line: Line, command: Command) -> None:
        if self.pending is command and line.is_open:
            self._transmit(line, command)

    def _repeat(self, line: Line, command: Command) -> None:
        self.ledger.counts["repeated"] += 1
        self._repeated[command.id] = command
        line.send_json(**command.message)


class PadKeeper(Person):
    """Somebody who keeps a score pad of Loba for three."""

    async def _act(self, line: Line) -> None:
        if self._chance.random() < self.habits.drop:
            raise Gone
        if self.view is None:
            return
        if self.view["over"] or self._chance.random() < 0.2:
            self._send(line, "wipe", seq=self._seq)
        else:
            points = [0, self._chance.randrange(1, 40), self._chance.randrange(1, 40)]
            self._send(line, "enter", seq=self._seq, entry={"points": points})


async def probe_health(ledger: Ledger, ports: Sequence[int], source: str) -> None:
    """Ask every second how the servers are, and note how long the answer takes."""
    for turn in itertools.count():
        http = Http(ports[turn % len(ports)], source)
        begin, epoch = time.monotonic(), ledger.epoch
        try:
            reply = await http.ask("GET", "/healthz")
            if ledger.is_calm and epoch == ledger.epoch:
                ledger.health.setdefault(ledger.phase, []).append(time.monotonic() - begin)
                ledger.counts[f"healthz: {reply.status}"] += 1
        except (OSError, TimeoutError):
            if ledger.is_calm and epoch == ledger.epoch:
                ledger.complain("no answer from /healthz", f"in the phase {ledger.phase}")
        http.close()
        await asyncio.sleep(1.0)
