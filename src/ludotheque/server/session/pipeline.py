"""The way of every command: judge, store, apply, show, answer. Always for a group of tables at a time.

Commands wait in their table's queue. Whenever the store is free, the first command of every table that has one is
judged, and the events they lead to are stored in one transaction. Only then are they applied, shown and acknowledged.
A table has one event under way at most; what comes for it in between waits. If another server was faster, the table
reads what that server wrote, and the command is judged again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from functools import partial
from typing import NamedTuple, Protocol

from ludotheque.server.domain import events
from ludotheque.server.domain.commands import Command, Who
from ludotheque.server.domain.events import Event
from ludotheque.server.domain.refusals import Refusal
from ludotheque.server.session.live import LiveTable, Origin, Pending, State, Waiter
from ludotheque.server.session.watchdog import Work
from ludotheque.server.store.base import Conflict, Entry, Head, Store, StoreError, Uncertain

log = logging.getLogger("ludotheque.pipeline")

MAX_WAITING = 64
"""Commands that wait at one table."""
MAX_GROUP = 1024
"""Tables whose events are stored together at most."""
MAX_SETTLED = 64
"""How many of them are applied and shown before the loop reads what has come."""
LIST_SECONDS = 0.05
"""How long the list of tables may lag behind, if nothing else is stored."""


class Stats:
    """What the room counts."""

    def __init__(self) -> None:
        self.events = 0
        self.moves = 0
        self.refusals = 0
        self.conflicts = 0
        self.store_errors = 0
        self.failures = 0


class Decided(NamedTuple):
    """A command and the event it leads to."""

    live: LiveTable
    pending: Pending
    event: Event


class Effects(Protocol):
    """What follows once an event is stored: the room's part."""

    def applied(self, live: LiveTable, event: Event, before: int | None, pending: Pending | None) -> None:
        """An event was applied to its table; `before` is the seat that was at turn. Show it, and do what follows."""

    def published(self, live: LiveTable) -> None:
        """An event of ours was applied and shown: other servers may want to know."""

    def read_on(self, live: LiveTable) -> None:
        """Read what other servers wrote, then go on with the table."""


class Pipeline:
    """Carries out the commands of all tables."""

    def __init__(self, store: Store, effects: Effects) -> None:
        self._store = store
        self._effects = effects
        self._loop = asyncio.get_running_loop()
        self._ready: dict[LiveTable, None] = {}
        """Tables with a command to be judged, in the order in which they came."""
        self._unlisted: dict[LiveTable, float] = {}
        """Tables that the list of tables does not show as they are, and since when they are so."""
        self._is_scheduled = False
        self._is_storing = False
        self._settling: deque[tuple[Decided, StoreError | None]] = deque()
        """What is stored, and not applied yet."""
        self.stats = Stats()
        self.work: Work | None = None
        """What rules compute just now, for the watchdog."""

    @property
    def is_busy(self) -> bool:
        """Whether anything is on its way."""
        return bool(self._ready or self._unlisted or self._is_storing or self._settling)

    def submit(self, live: LiveTable, command: Command, who: Who, origin: Origin) -> None:
        """Carry out a command, after those that wait at its table."""
        if live.state is State.BROKEN:
            origin.refused(live, Refusal("broken"), command.id)
        elif len(live.queue) >= MAX_WAITING:
            origin.refused(live, Refusal("slow_down"), command.id)
        else:
            live.queue.append(Pending(command, who, origin))
            self.go_on(live)

    async def do(self, live: LiveTable, command: Command, who: Who) -> None:
        """Carry out a command and wait until that is done."""
        waiter = Waiter()
        self.submit(live, command, who, waiter)
        await waiter.future

    def go_on(self, live: LiveTable) -> None:
        """Go on with what waits at a table, if it is free for that."""
        if live.state is State.IDLE:
            if live.is_outdated:
                self._effects.read_on(live)
            elif live.queue:
                self._ready[live] = None
                if not self._settling:
                    self._schedule()

    def list_soon(self, live: LiveTable) -> None:
        """Let the list of tables show one as it is now, with the next group or by itself."""
        if not self._unlisted:
            self._loop.call_later(LIST_SECONDS, self._schedule)
        self._unlisted[live] = time.time()

    async def finish(self) -> None:
        """Wait until everything that is on its way is stored and shown."""
        while self.is_busy:
            self._schedule()
            await asyncio.sleep(0.001)

    def _schedule(self) -> None:
        """Store what waits once the loop has read what else has come."""
        if not self._is_scheduled and not self._is_storing and (self._ready or self._unlisted):
            self._is_scheduled = True
            self._loop.call_soon(self._store_group)

    def _store_group(self) -> None:
        """Judge the commands that wait, and give the store the events they lead to."""
        self._is_scheduled = False
        if self._is_storing:
            return
        group: list[Decided] = []
        while self._ready and len(group) < MAX_GROUP:
            live = next(iter(self._ready))
            del self._ready[live]
            decided = self._judge(live)
            if decided is not None:
                group.append(decided)
        heads = [Head(live.table.summary(at), live.table.created.public) for live, at in self._unlisted.items()]
        self._unlisted.clear()
        if group or heads:
            self._is_storing = True
            entries = [Entry(one.live.table.id, one.live.table.seq + 1, [events.encode(one.event)]) for one in group]
            self._store.append(entries, heads, partial(self._stored, group))

    def _judge(self, live: LiveTable) -> Decided | None:
        """The first command of a table that leads to an event. Those before it are answered."""
        while live.queue and live.state is State.IDLE:
            pending = live.queue.pop(0)
            event = self._decide(live, pending)
            if event is not None:
                live.state = State.STORING
                return Decided(live, pending, event)
        return None

    def _decide(self, live: LiveTable, pending: Pending) -> Event | None:
        command, who, origin = pending
        table = live.table
        if command.id and table.is_done(who, command.id):
            origin.accepted(live, command.id, False)
            return None
        self.work = Work(table.id)
        try:
            return table.decide(command, who, round(time.time(), 3))
        except Refusal as refusal:
            self.stats.refusals += 1
            origin.refused(live, refusal, command.id)
        except Exception:
            self.stats.failures += 1
            log.exception("a command failed", extra={"table": table.id})
            origin.refused(live, Refusal("internal"), command.id)
        finally:
            self.work = None
        return None

    def _stored(self, group: list[Decided], results: list[StoreError | None]) -> None:
        """A group is stored, or some of it is not."""
        self._is_storing = False
        self._settling.extend(zip(group, results[: len(group)], strict=True))
        self._settle_some()

    def _settle_some(self) -> None:
        """Apply and show what is stored. The next group is stored once all of it is shown, or when many wait.

        A flush costs the same for few as for many, and those who are shown something answer soon.
        """
        for _ in range(min(MAX_SETTLED, len(self._settling))):
            decided, error = self._settling.popleft()
            try:
                self._settle(decided, error)
            except Exception:
                self.stats.failures += 1
                log.exception("an answer could not be given", extra={"table": decided.live.table.id})
        if self._settling:
            self._loop.call_soon(self._settle_some)
        if len(self._ready) >= MAX_SETTLED or not self._settling:
            self._schedule()

    def _settle(self, decided: Decided, error: StoreError | None) -> None:
        live, pending, event = decided
        live.state = State.IDLE
        if error is None:
            if self.apply(live, event, pending):
                pending.origin.accepted(live, pending.command.id, True)
                self._effects.published(live)
            else:
                pending.origin.refused(live, Refusal("broken"), pending.command.id)
        elif isinstance(error, Conflict | Uncertain):
            # Another server's event is there, or ours after all: read it, then judge the command again. If it was
            # stored it is known by its id, and if the match has moved on it is stale.
            self.stats.conflicts += 1
            live.queue.insert(0, pending)
            live.is_outdated = True
        else:
            self.store_failed(error)
            pending.origin.refused(live, Refusal("disk"), pending.command.id)
        self.go_on(live)

    def apply(self, live: LiveTable, event: Event, pending: Pending | None = None) -> bool:
        """Apply a stored event and show it. False if that fails, which harms this table only."""
        table = live.table
        self.work = Work(table.id)
        try:
            before = table.match.actor if table.match is not None else None
            table.apply(event)
            self._effects.applied(live, event, before, pending)
        except Exception:
            self.stats.failures += 1
            log.exception("a table failed", extra={"table": table.id})
            live.state = State.BROKEN
            self._refuse_all(live)
            return False
        finally:
            self.work = None
        self.stats.events += 1
        self.stats.moves += type(event) is events.Moved
        return True

    def _refuse_all(self, live: LiveTable) -> None:
        waiting, live.queue = live.queue, []
        for command, _, origin in waiting:
            origin.refused(live, Refusal("broken"), command.id)

    def store_failed(self, error: StoreError) -> None:
        """Count and log a failure of the store."""
        self.stats.store_errors += 1
        log.error("the store failed: %s", error)

    async def store_alone(self, table: str, data: list[str], head: Head) -> None:
        """Store the first events of a table. Raises a `StoreError`."""
        stored: asyncio.Future[None] = self._loop.create_future()

        def done(results: list[StoreError | None]) -> None:
            if not stored.done():
                stored.set_exception(results[0]) if results[0] is not None else stored.set_result(None)

        self._store.append([Entry(table, 1, data)], [head], done)
        await stored
