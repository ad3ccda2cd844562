"""The room: the tables in memory, who may do what there, and who comes and goes.

Commands go through `pipeline.py`; this is what happens around them.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine
from functools import partial
from typing import Any

import msgspec

from ludotheque.server.bus.base import Bus
from ludotheque.server.domain import events, fairness, pad_table, protocol
from ludotheque.server.domain.commands import Command, NewMatch, Return, Sit, Who, check_new
from ludotheque.server.domain.events import Event
from ludotheque.server.domain.identity import Signer, digest, is_table_id, new_table_id, new_token
from ludotheque.server.domain.refusals import Refusal
from ludotheque.server.domain.table import PLAYING, Table, fold
from ludotheque.server.session import compiling
from ludotheque.server.session.audience import ARRANGING, missed_events
from ludotheque.server.session.bots import Bots
from ludotheque.server.session.clocks import Clocks
from ludotheque.server.session.live import NOBODY, Haste, LiveTable, Pending, Player, State
from ludotheque.server.session.pauses import Pauses, waiting
from ludotheque.server.session.pipeline import Pipeline
from ludotheque.server.session.presence import Presence
from ludotheque.server.session.watchdog import Watchdog
from ludotheque.server.settings import Settings
from ludotheque.server.store.base import Head, Store, StoreError

log = logging.getLogger("ludotheque.room")

SWEEP_SECONDS = 1.0
RETRY_SECONDS = 0.5
"""How long to wait before a store that failed is asked again."""
CHECK_SECONDS = 10.0
"""How often a table that other servers may have changed is compared with the store, should the bus lose a message."""
CHECK_SECONDS_WITHOUT_BUS = 2.0
"""The same while the bus is down."""
MAX_LISTED = 500
"""How many tables the list shows."""
MAX_COUNTED = 100_000
"""Of how many identities the tables set up in a day are counted."""


class Room:
    """All tables of this server."""

    def __init__(self, settings: Settings, store: Store, bus: Bus) -> None:
        self.settings = settings
        self.store = store
        self.bus = bus
        self.tables: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._outdated: set[str] = set()
        """Tables that another server has written to while they were being loaded."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._made: dict[str, tuple[int, int]] = {}
        """By identity: a day, and how many tables it has set up on it."""
        self.closing = False

    async def open(self) -> None:
        """Get ready."""
        self._loop = asyncio.get_running_loop()
        await self.store.open()
        self.signer = Signer(await self.store.setting("key", secrets.token_bytes(32)))
        self.pipeline = Pipeline(self.store, self)
        self.stats = self.pipeline.stats
        self.presence = Presence(self.bus)
        self.bots = Bots(self.settings, self.pipeline.submit, self.go_on)
        self.clocks = Clocks(self.settings.away_seconds, self.pipeline.submit, self.bots.move_overdue)
        self.pauses = Pauses(self.settings.pause_seconds, self.go_on, self.clocks.left)
        self.watchdog = Watchdog(self.settings.rule_seconds, lambda: self.pipeline.work, self._condemn)
        await self.bus.open(self)
        self._sweeper = self.spawn(self._sweep())
        self.watchdog.start()

    async def close(self) -> None:
        """Finish what is being stored, then stop."""
        self.closing = True
        self._sweeper.cancel()
        self.watchdog.stop()
        for live in self.tables.values():
            self.clocks.stop(live)
        await self._loop.run_in_executor(None, self.bots.close)
        await self.pipeline.finish()
        await self.bus.close()
        await self.store.close()
        await asyncio.sleep(0)  # the last answers
        for task in list(self._tasks):
            task.cancel()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something in the background; if it fails that is logged and counted."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.stats.failures += 1
            log.error("a task failed", exc_info=task.exception())

    # Tables come and go.

    async def live(self, table_id: str) -> LiveTable:
        """A table, loaded if it is not in memory."""
        live = self.tables.get(table_id)
        if live is not None:
            live.used = self._loop.time()
            if self.settings.bus:  # whoever asks here may have acted at another server just before
                await self._refresh(live)
            return live
        if not is_table_id(table_id):
            raise Refusal("unknown_table")
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = self._loop.create_task(self._load(table_id))
        try:
            return await asyncio.shield(loading)
        except StoreError:
            raise Refusal("disk") from None

    async def _load(self, table_id: str) -> LiveTable:
        self.bus.subscribe(table_id)
        try:
            stored = await self.stored(table_id)
            if isinstance(stored[-1], events.Broken):
                raise Refusal("broken")
            live = LiveTable(await self._fold(table_id, stored), self._loop.time())
            live.away = {seat: live.used for seat in live.table.people}
            live.is_outdated = table_id in self._outdated
            self.tables[table_id] = live
            self.pipeline.go_on(live)
            return live
        except BaseException:
            self.bus.unsubscribe(table_id)
            raise
        finally:
            del self._loading[table_id]
            self._outdated.discard(table_id)

    async def _fold(self, table_id: str, stored: list[Event]) -> Table:
        """The table that stored events make."""
        try:
            if isinstance(stored[0], events.Created) and stored[0].kind == "match":
                await self._loop.run_in_executor(None, compiling.load_first, stored[0].game)
            return await self._loop.run_in_executor(None, fold, table_id, stored)
        except Refusal:
            raise
        except Exception:
            self.stats.failures += 1
            log.exception("a table cannot be read", extra={"table": table_id})
            raise Refusal("broken") from None

    def _condemn(self, table_id: str) -> None:
        """Close a table for good; called in another thread while its rules hold up this one."""
        self.store.append_now(table_id, events.encode(events.Broken(at=time.time())))

    async def stored(self, table_id: str) -> list[Event]:
        """The events of a table."""
        rows = await self.store.read(table_id)
        if not rows:
            raise Refusal("unknown_table")
        return await self._loop.run_in_executor(None, lambda: [events.decode(row) for row in rows])

    async def _sweep(self) -> None:
        """Put tables where nobody is to sleep, and check those that other servers may have changed."""
        while True:
            await asyncio.sleep(min(SWEEP_SECONDS, self.settings.sleep_seconds))
            now = self._loop.time()
            patience = CHECK_SECONDS if self.bus.is_up else CHECK_SECONDS_WITHOUT_BUS
            for table_id, live in list(self.tables.items()):
                if self.settings.bus and self.presence.sweep(live):
                    self.go_on(live)
                is_unused = not live.audience and not live.is_thinking and live.state is not State.STORING
                if is_unused and not live.queue and now - live.used > self.settings.sleep_seconds:
                    self.clocks.stop(live)
                    self.bus.unsubscribe(table_id)
                    del self.tables[table_id]
                elif self.settings.bus and now - live.checked > patience:
                    self._outdate(live)

    async def create(self, wanted: protocol.NewTable, identity: str) -> protocol.TableMade:
        """Set up a table; whoever gives a name sits down at once."""
        day = int(time.time() // 86_400)
        made = self._made.get(identity, (day, 0))
        count = made[1] if made[0] == day else 0
        if count >= self.settings.tables_per_day:
            raise Refusal("too_many_tables", {"n": count})
        secret, lot = secrets.token_bytes(fairness.SECRET_BYTES), secrets.randbelow(2**32)
        now = time.time()
        check = partial(check_new, wanted, secret, identity, lot, now)
        created = await self._loop.run_in_executor(None, check)
        if created.kind == "match":
            await self._loop.run_in_executor(None, compiling.load_first, created.game)
        table_id, token = new_table_id(), new_token()
        table, first_events, seat = _set_up(table_id, created, wanted, identity, token, now)
        head = Head(table.summary(now), created.public)
        try:
            await self.pipeline.store_alone(table_id, [events.encode(event) for event in first_events], head)
        except StoreError as error:
            self.pipeline.store_failed(error)
            raise Refusal("disk") from None
        self._made[identity] = day, count + 1
        if len(self._made) > MAX_COUNTED:
            del self._made[next(iter(self._made))]
        self.bus.subscribe(table_id)
        self.tables[table_id] = LiveTable(table, self._loop.time())
        join, watch = self.signer.link("join", table_id), self.signer.link("watch", table_id)
        return protocol.TableMade(table.info(), join, watch, seat, token if seat is not None else None)

    async def public_tables(self) -> list[protocol.Summary]:
        """The public tables, those where one can sit down first."""
        try:
            found = await self.store.public_tables(MAX_LISTED)
        except StoreError:
            raise Refusal("disk") from None
        return sorted(found, key=lambda one: (one.status != "waiting" or one.taken == one.num_seats, -one.updated))

    async def past(self, live: LiveTable, number: int | None) -> Table:
        """The table as it was at the end of one of its matches; the match on the table if none is named."""
        if number is None or number == live.table.match_no:
            return live.table
        if not 1 <= number <= live.table.match_no:
            raise Refusal("no_such_match", {"n": live.table.match_no})
        stored = await self.stored(live.table.id)
        return await self._loop.run_in_executor(None, fold, live.table.id, stored, lambda t: t.match_no == number)

    # Who may do what.

    def who(self, live: LiveTable, token: str | None, identity: str | None, key: str | None) -> Who:
        """Whoever shows this token, identity and link; a `Refusal` if they may not even watch."""
        table = live.table
        seat = table.seat_of_token(digest(token)) if token is not None else None
        if token is not None and seat is None:
            raise Refusal("not_seated")
        if seat is None and identity is not None:
            seat = table.seat_of_owner(identity)
        is_owner = identity is not None and identity == table.created.owner
        can_join = is_owner or self.signer.opens("join", table.id, key)
        may_look = seat is not None or table.created.public or can_join or self.signer.opens("watch", table.id, key)
        if not may_look:
            raise Refusal("not_allowed")
        return self._who(table, seat, Who(None, identity or "", f"*{(identity or '')[:4]}", can_join))

    def _who(self, table: Table, seat: int | None, who: Who) -> Who:
        """Somebody on a seat, or on none. A connection without an identity is a sender of its own."""
        found = table.who(seat, who.identity, who.name, who.can_write)
        return found if found.sender else msgspec.structs.replace(found, sender=secrets.token_hex(8))

    def may_join(self, live: LiveTable, identity: str, key: str | None) -> bool:
        """Whether somebody may sit down."""
        created = live.table.created
        return created.public or identity == created.owner or self.signer.opens("join", live.table.id, key)

    # Commands.

    def request(self, live: LiveTable, player: Player, message: protocol.Request) -> None:
        """A message from somebody at the table: a question is answered, everything else is a command."""
        if isinstance(message, protocol.Hint):
            self.bots.hint(live, player, message)
        elif isinstance(message, protocol.Why | protocol.Ready | protocol.Hasten):
            try:
                self._answer(live, player.who, message)
            except Refusal as refusal:
                player.refused(live, refusal, message.id)
            else:
                player.accepted(live, message.id, False)
        elif isinstance(message, protocol.Check):
            try:
                player.send(protocol.encode(pad_table.check(live.table, message, player.who, player.lang)))
            except Refusal as refusal:
                player.refused(live, refusal, message.id)
        elif isinstance(message, protocol.Rematch):
            secret = secrets.token_bytes(fairness.SECRET_BYTES)
            self.pipeline.submit(live, NewMatch(secret, message.id), player.who, player)
        else:
            self.pipeline.submit(live, message, player.who, player)

    def _answer(self, live: LiveTable, who: Who, message: protocol.Why | protocol.Ready | protocol.Hasten) -> None:
        """What leaves the match as it is, and is not stored. Raises a `Refusal`."""
        if isinstance(message, protocol.Why):
            live.table.why(message, who)
        elif isinstance(message, protocol.Ready):
            self.pauses.ready(live, who.seat)
        else:
            live.table.may_hasten(who)
            live.haste = Haste.TO_THE_END if message.to_the_end else Haste.FASTER
            self.go_on(live)

    async def do(self, live: LiveTable, command: Command, who: Who) -> None:
        """Carry out a command and wait until that is done."""
        await self.pipeline.do(live, command, who)

    def applied(self, live: LiveTable, event: Event, before: int | None, pending: Pending | None) -> None:
        """See `Effects.applied`."""
        table, kind = live.table, type(event)
        self.clocks.turn(live, event, before)
        origin, message_id = (pending.origin, pending.command.id) if pending is not None else (None, "")
        waits_for = live.audience.show(event, origin, message_id, self.clocks.left(live))
        if waits_for:
            self.pauses.begin(live, waits_for)
        elif kind is events.Moved or kind is events.Undone:
            self.pauses.end(live)  # somebody has played on
        if table.status != PLAYING:
            live.haste = Haste.NONE
        if kind in ARRANGING or table.status != PLAYING:
            self.pipeline.list_soon(live)
            if isinstance(event, events.Left):
                self._reseat(live, event.seat, None)
            elif isinstance(event, events.TookSeat):
                self._reseat(live, event.left, event.seat)
        self.go_on(live)

    def published(self, live: LiveTable) -> None:
        """See `Effects.published`."""
        self.bus.publish(live.table.id, live.table.seq)

    def go_on(self, live: LiveTable) -> None:
        """See to what a table does by itself now: clocks, bots, a bot that stands in."""
        if not self.closing:
            self.clocks.go_on(live)
            self.bots.go_on(live)

    def _reseat(self, live: LiveTable, seat: int, to: int | None) -> None:
        """Connections of a seat that was given up belong to another from now on, or watch."""
        live.away.pop(seat, None)
        for viewer in [viewer for viewer in live.audience if viewer.who.seat == seat]:
            live.audience.leave(viewer)
            viewer.who = self._who(live.table, to, viewer.who)
            live.audience.join(viewer)
        self.presence.update(live)
        self.pauses.update(live)

    # Several servers.

    def heard(self, table: str, seq: int) -> None:
        """See `Listener.heard`."""
        live = self.tables.get(table)
        if live is None:
            if table in self._loading:  # what is being read may be older
                self._outdated.add(table)
        elif seq > live.table.seq or seq < 0:
            self._outdate(live)

    def heard_gap(self) -> None:
        """See `Listener.heard_gap`."""
        self._outdated |= self._loading.keys()
        for live in self.tables.values():
            self._outdate(live)

    def heard_presence(self, table: str, node: str, here: list[int], watching: int) -> None:
        """See `Listener.heard_presence`."""
        live = self.tables.get(table)
        if live is not None and self.presence.heard(live, node, here, watching):
            self.go_on(live)

    def _outdate(self, live: LiveTable) -> None:
        """Read what others wrote, as soon as the table is free for that."""
        live.is_outdated = True
        self.pipeline.go_on(live)

    async def _refresh(self, live: LiveTable) -> None:
        self._outdate(live)
        while live.is_outdated or live.state is State.READING:
            await asyncio.sleep(0.005)

    def read_on(self, live: LiveTable) -> None:
        """See `Effects.read_on`."""
        live.state = State.READING
        self.spawn(self._read_on(live))

    async def _read_on(self, live: LiveTable) -> None:
        """Read what others wrote; while the store is down, until it is back."""
        while not self.closing:
            live.is_outdated = False  # what is published from now on may be newer than what is read
            try:
                rows = await self.store.read(live.table.id, live.table.seq)
                break
            except StoreError as error:
                self.pipeline.store_failed(error)
                await asyncio.sleep(RETRY_SECONDS)
        else:
            return
        live.checked = self._loop.time()
        live.state = State.IDLE
        if all(self.pipeline.apply(live, events.decode(row)) for row in rows):
            self.pipeline.go_on(live)

    # Connections.

    def join(self, live: LiveTable, player: Player) -> protocol.Welcome:
        """Somebody looks at the table from now on: how things stand."""
        live.audience.join(player)
        live.used = self._loop.time()
        self.clocks.go_on(live)
        self._loop.call_soon(self._joined, live, player)
        return self.welcome(live, player)

    def welcome(self, live: LiveTable, player: Player) -> protocol.Welcome:
        """How things stand, for somebody who looks at the table."""
        table, who = live.table, player.who
        return protocol.Welcome(
            seq=table.seq,
            table=table.info(),
            events=[],
            seat=who.seat,
            view=live.audience.view(who.seat, player.lang),
            here=self.presence.here(live),
            watching=self.presence.watching(live),
            clock=self.clocks.left(live),
            waiting=waiting(live),
            can_write=who.can_write,
            can_arrange=table.is_owner(who),
        )

    async def missed(self, table_id: str, after: int, seq: int, player: Player) -> list[protocol.Happened]:
        """What happened after event `after` up to event `seq`, as a viewer may know it. Computed in a thread."""
        if after >= seq:
            return []
        try:
            rows = (await self.store.read(table_id))[:seq]
        except StoreError:
            raise Refusal("disk") from None
        work = partial(missed_events, table_id, rows, after, player.who.seat, player.lang)
        return await self._loop.run_in_executor(None, work)

    async def up_to_date(self, table_id: str, seq: int) -> LiveTable:
        """A table that has at least so many events, of which another server may have shown some."""
        live = await self.live(table_id)
        if seq > live.table.seq:
            await self._refresh(live)
        return live

    def _joined(self, live: LiveTable, player: Player) -> None:
        seat = player.who.seat
        if seat is not None and live.table.seats[seat].stand_in:
            self.pipeline.submit(live, Return(), player.who, NOBODY)
        self.presence.update(live)
        self.go_on(live)

    def left(self, live: LiveTable, player: Player) -> None:
        """A connection is gone."""
        if live.audience.leave(player):
            live.used = self._loop.time()
            self.presence.update(live)
            self.pauses.update(live)
            self.go_on(live)


def _set_up(
    table_id: str, created: events.Created, wanted: protocol.NewTable, identity: str, token: str, now: float
) -> tuple[Table, list[Event], int | None]:
    """A new table, its first events, and the seat of whoever set it up."""
    table = Table(table_id, created)
    first_events: list[Event] = [created]

    def do(command: Command) -> Event:
        event = table.decide(command, Who(None, identity), now)
        table.apply(event)
        first_events.append(event)
        return event

    seat = None
    if wanted.kind == "match":
        if wanted.name is not None:
            event = do(Sit(wanted.name, digest(token), avatar=wanted.avatar))
            assert isinstance(event, events.Seated)
            seat = event.seat
        for number, level in enumerate(wanted.bots):
            do(protocol.AddBot("", len(table.seats) - 1 - number, level))
    return table, first_events, seat
