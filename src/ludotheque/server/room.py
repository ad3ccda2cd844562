"""The room: tables in memory, and what reaches them.

A command is decided on, stored, and only then applied and told. While its event is being stored a table takes no
other command; they wait in line. If another server was faster, the room reads what it wrote and decides again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import msgspec

from ludotheque.core.painter import Painting
from ludotheque.server import events, fairness, loading, protocol
from ludotheque.server.attendant import Attendant
from ludotheque.server.audience import ARRANGING, Guest, catch_up
from ludotheque.server.bus.base import Bus
from ludotheque.server.commands import Command, NewMatch, Return, Sit, Who, check_new
from ludotheque.server.events import Event
from ludotheque.server.identity import Signer, digest, is_table_id, new_table_id, new_token
from ludotheque.server.live import NOBODY, Elsewhere, Live, Origin, Player, Stats, Waiter
from ludotheque.server.outbox import Outbox
from ludotheque.server.refusals import Refusal
from ludotheque.server.settings import Settings
from ludotheque.server.store.base import Conflict, Head, Store, StoreError, Uncertain
from ludotheque.server.table import PLAYING, Table, fold
from ludotheque.server.turns import Turns
from ludotheque.server.watchdog import Watchdog, Work

log = logging.getLogger("ludotheque.room")

MAX_WAITING = 64
"""Commands that wait in line at one table."""
SWEEP_SECONDS = 1.0
AGAIN_SECONDS = 0.5
"""How long to wait before asking a store again that is away."""
LOOK_AGAIN_SECONDS = 10.0
"""How often a table that others may have changed is compared with the store, should news be lost."""
WITHOUT_NEWS_SECONDS = 2.0
"""The same while the bus is away."""
PRESENCE_SECONDS = 15.0
"""How often other servers are told who is here."""
FORGET_SECONDS = 50.0
"""After that a server that says nothing counts as gone."""
LIST_SECONDS = 0.05
"""How long the list of tables may lag behind."""
MANY_TABLES = 500
"""How many tables a list shows."""


class Room:
    """All tables of this server."""

    def __init__(self, settings: Settings, store: Store, bus: Bus) -> None:
        self.settings = settings
        self.store = store
        self.bus = bus
        self.stats = Stats()
        self.outbox = Outbox()
        self.tables: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Future[Live]] = {}
        self._news: set[str] = set()
        """Tables that were heard of while they were being read."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._made: dict[str, tuple[int, int]] = {}
        self._changed: dict[Live, float] = {}
        """Tables that the list does not show yet as they are, and since when they are so."""
        self.closing = False
        self.work: Work | None = None
        """What rules compute just now."""

    async def open(self) -> None:
        """Get ready."""
        self._loop = asyncio.get_running_loop()
        self.watchdog = Watchdog(self.settings.rule_seconds, lambda: self.work, self._condemn)
        await self.store.open()
        self.signer = Signer(await self.store.setting("key", secrets.token_bytes(32)))
        self.attendant = Attendant(self.settings, self.submit)
        self.turns = Turns(self)
        await self.bus.open(self)
        self._sweeper = self.spawn(self._sweep())
        self.watchdog.start()

    async def close(self) -> None:
        """Finish what is being stored, then stop."""
        self.closing = self.attendant.closing = True
        self._sweeper.cancel()
        self.watchdog.stop()
        for live in self.tables.values():
            self.attendant.stop_timers(live)
        await self._loop.run_in_executor(None, self.attendant.close)
        while self.turns.is_busy:
            await asyncio.sleep(0)
        self.turns.close()
        self._list()
        await self.bus.close()
        await self.store.close()
        await asyncio.sleep(0)  # the last answers
        for task in list(self._tasks):
            task.cancel()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something beside; if it fails that is logged and counted."""
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

    async def live(self, table_id: str) -> Live:
        """A table, woken if it sleeps."""
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

    async def _load(self, table_id: str) -> Live:
        self.bus.follow(table_id)
        try:
            stored = await self.stored(table_id)
            if isinstance(stored[-1], events.Broken):
                raise Refusal("broken")
            try:
                if isinstance(stored[0], events.Created) and stored[0].kind == "match":
                    await self._loop.run_in_executor(None, loading.load_first, stored[0].game)
                table = await self._loop.run_in_executor(None, fold, table_id, stored)
            except Refusal:
                raise
            except Exception:
                self.stats.failures += 1
                log.exception("a table cannot be read", extra={"table": table_id})
                raise Refusal("broken") from None
            live = Live(table, self._loop.time())
            now = self._loop.time()
            live.away = {seat: now for seat in table.people}
            self.tables[table_id] = live
            if table_id in self._news:
                self._catch_up(live)
            return live
        except BaseException:
            self.bus.unfollow(table_id)
            raise
        finally:
            del self._loading[table_id]
            self._news.discard(table_id)

    def _condemn(self, table_id: str) -> None:
        """Close a table for good; called in another thread while its rules hold up this one."""
        self.store.append_now(table_id, events.encode(events.Broken(time.time())))

    async def stored(self, table_id: str) -> list[Event]:
        """The events of a table."""
        rows = await self.store.read(table_id)
        if not rows:
            raise Refusal("unknown_table")
        return [events.decode(row) for row in rows]

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP_SECONDS, self.settings.sleep_seconds))
            now = self._loop.time()
            patience = LOOK_AGAIN_SECONDS if self.bus.is_up else WITHOUT_NEWS_SECONDS
            for table_id, live in list(self.tables.items()):
                self._forget_servers(live, now)
                idle = not live.audience and not live.busy and not live.thinking
                if idle and now - live.used > self.settings.sleep_seconds:
                    self.attendant.stop_timers(live)
                    self.bus.unfollow(table_id)
                    del self.tables[table_id]
                elif self.settings.bus and now - live.looked > patience and not live.busy:
                    self._catch_up(live)

    def _forget_servers(self, live: Live, now: float) -> None:
        """Servers that have not told anything for long are gone; say that we are still here."""
        if not self.settings.bus:
            return
        gone = [node for node, other in live.elsewhere.items() if now - other.told > FORGET_SECONDS]
        for node in gone:
            del live.elsewhere[node]
        if live.audience and now - live.told_presence > PRESENCE_SECONDS:
            self._announce(live)
        if gone:
            self._look_around(live)
            self._show_presence(live)
            self.attendant.go_on(live)

    async def create(self, wanted: protocol.NewTable, identity: str) -> protocol.TableMade:
        """Set up a table; whoever gives a name sits down at once."""
        day = int(time.time() // 86_400)
        made = self._made.get(identity, (day, 0))
        count = made[1] if made[0] == day else 0
        if count >= self.settings.tables_per_day:
            raise Refusal("too_many_tables", {"n": count})
        table_id, token = new_table_id(), new_token()
        now = time.time()
        work = partial(
            check_new, wanted, secrets.token_bytes(fairness.SECRET_BYTES), identity, secrets.randbelow(2**32)
        )
        created = await self._loop.run_in_executor(None, work, now)
        if created.kind == "match":
            await self._loop.run_in_executor(None, loading.load_first, created.game)
        table = Table(table_id, created)
        log_of: list[Event] = [created]
        who = Who(None, identity)

        def do(command: Command) -> Event:
            event = table.decide(command, who, now)
            table.apply(event)
            log_of.append(event)
            return event

        seat = None
        if wanted.kind == "match":
            if wanted.name is not None:
                event = do(Sit(wanted.name, digest(token), avatar=wanted.avatar))
                assert isinstance(event, events.Seated)
                seat = event.seat
            for number, level in enumerate(wanted.bots):
                do(protocol.AddBot("", len(table.seats) - 1 - number, level))
        stored: asyncio.Future[None] = self._loop.create_future()

        def done(error: StoreError | None) -> None:
            if not stored.done():
                stored.set_exception(error) if error is not None else stored.set_result(None)

        head = Head(table.summary(now), created.public)
        self.store.append(table_id, 1, [events.encode(event) for event in log_of], head, done)
        try:
            await stored
        except StoreError as error:
            self._store_failed(error)
            raise Refusal("disk") from None
        self._made[identity] = day, count + 1
        if len(self._made) > 100_000:
            del self._made[next(iter(self._made))]
        live = Live(table, self._loop.time())
        self.bus.follow(table_id)
        self.tables[table_id] = live
        join, watch = self.signer.link("join", table_id), self.signer.link("watch", table_id)
        return protocol.TableMade(table.info(), join, watch, seat, token if seat is not None else None)

    async def public_tables(self) -> list[protocol.Summary]:
        """The public tables, those where one can sit down first."""
        try:
            found = await self.store.public_tables(MANY_TABLES)
        except StoreError:
            raise Refusal("disk") from None
        return sorted(found, key=lambda one: (one.status != "waiting" or one.taken == one.num_seats, -one.updated))

    # Who may do what.

    def who(self, live: Live, token: str | None, identity: str | None, key: str | None) -> Who:
        """Whoever shows this token, identity and link; a `Refusal` if they may not even watch."""
        table = live.table
        seat = table.seat_of_token(digest(token)) if token is not None else None
        if token is not None and seat is None:
            raise Refusal("not_seated")
        if seat is None and identity is not None:
            seat = table.seat_of_owner(identity)
        owner = identity is not None and identity == table.created.owner
        can_join = owner or self.signer.opens("join", table.id, key)
        may_look = seat is not None or table.created.public or can_join or self.signer.opens("watch", table.id, key)
        if not may_look:
            raise Refusal("not_allowed")
        return Who(seat, identity or "", _spectator_name(identity), can_join)

    def may_join(self, live: Live, identity: str, key: str | None) -> bool:
        """Whether somebody may sit down."""
        created = live.table.created
        return created.public or identity == created.owner or self.signer.opens("join", live.table.id, key)

    # Commands.

    def submit(self, live: Live, command: Command, who: Who, origin: Origin) -> None:
        """Carry out a command, or put it in line."""
        if live.broken:
            origin.refused(live, Refusal("broken"), command.id)
        elif live.busy:
            if live.queue is None:
                live.queue = deque()
            if len(live.queue) >= MAX_WAITING:
                origin.refused(live, Refusal("slow_down"), command.id)
            else:
                live.queue.append((command, who, origin))
                live.shut()
        else:
            self._begin(live, command, who, origin)

    async def do(self, live: Live, command: Command, who: Who) -> None:
        """Carry out a command and wait until it is stored."""
        waiter = Waiter()
        self.submit(live, command, who, waiter)
        await waiter.future

    def _begin(self, live: Live, command: Command, who: Who, origin: Origin) -> None:
        if type(command) is protocol.Move:
            self.turns.add(live, command, who, origin)
        else:
            self.decide(live, command, who, origin)

    def decide(self, live: Live, command: Command, who: Who, origin: Origin) -> None:
        """Decide on a command, and store what it leads to."""
        table = live.table
        if command.id and table.is_done(who.seat, command.id):
            origin.done(live, command.id, False)
            return
        self.work = Work((table.id,))
        try:
            event = table.decide(command, who, round(time.time(), 3))
        except Refusal as refusal:
            self.stats.refusals += 1
            origin.refused(live, refusal, command.id)
            return
        except Exception:
            self.stats.failures += 1
            log.exception("a table failed", extra={"table": table.id})
            origin.refused(live, Refusal("broken"), command.id)
            return
        finally:
            self.work = None
        live.busy = True
        self.turns.put(live, command, who, origin, event)

    def settle(
        self, live: Live, command: Command, who: Who, origin: Origin, event: Event, error: StoreError | None
    ) -> None:
        """The event of a command is stored, or not."""
        if error is None:
            live.busy = False
            if self._apply(live, event, origin, command.id):
                origin.done(live, command.id, True)
                self.bus.tell(live.table.id, live.table.seq)
            else:
                origin.refused(live, Refusal("broken"), command.id)
            self.next(live)
        elif isinstance(error, Conflict | Uncertain):
            # What another server wrote, or our own event after all: read, then decide again. If it is there it is
            # known by its id, and if the table has moved on the command is stale.
            self.stats.conflicts += 1
            self.spawn(self._read_on(live, lambda: self.decide(live, command, who, origin)))
        else:
            self._store_failed(error)
            live.busy = False
            origin.refused(live, Refusal("disk"), command.id)
            self.next(live)

    def _store_failed(self, error: StoreError) -> None:
        self.stats.store_errors += 1
        log.error("the store failed: %s", error)

    def next(self, live: Live) -> None:
        """Go on with what waits in line."""
        while live.queue and not live.busy:
            self._begin(live, *live.queue.popleft())
        if live.behind and not live.busy:
            self._catch_up(live)

    def _apply(self, live: Live, event: Event, origin: object, message_id: str) -> bool:
        """Make an event so and show it. False if that fails, which harms this table only."""
        table = live.table
        self.work = Work((table.id,))
        try:
            before = table.match.actor if table.match is not None else None
            table.apply(event)
            self.attendant.set_clock(live, event, before)
        except Exception:
            self.failed(live)
            return False
        finally:
            self.work = None
        return self.show(live, event, origin, message_id)

    def failed(self, live: Live) -> None:
        """The rules of a table have failed just now: nothing more is done there."""
        self.stats.failures += 1
        live.broken = True
        log.exception("a table failed", extra={"table": live.table.id})

    def show(self, live: Live, event: Event, origin: object, message_id: str, painting: Painting | None = None) -> bool:
        """Show an event that was made so, and see to what comes of it. False if that fails."""
        table, kind = live.table, type(event)
        self.stats.events += 1
        self.stats.moves += kind is events.Moved
        self.work = Work((table.id,))
        try:
            live.audience.show(event, origin, message_id, self.attendant.clock_left(live), painting)
        except Exception:
            self.failed(live)
            return False
        finally:
            self.work = None
        if kind is events.Moved:
            changed = table.match is not None and table.match.over
        else:
            changed = kind in ARRANGING or table.status != PLAYING
        if changed:
            self._list_soon(live)
            if isinstance(event, events.Left):
                self._reseat(live, event.seat, None)
            elif isinstance(event, events.TookSeat):
                self._reseat(live, event.left, event.seat)
        self.attendant.go_on(live)
        return True

    def _list_soon(self, live: Live) -> None:
        """Let the list of tables show one as it is now.

        Events that come without a summary are stored for less, so those of many tables are stored together; and at the
        end of a match, which others follow, one stands for several.
        """
        if not self._changed:
            self._loop.call_later(LIST_SECONDS, self._list)
        self._changed[live] = time.time()

    def _list(self) -> None:
        changed, self._changed = self._changed, {}
        for live, at in changed.items():
            table = live.table
            self.store.append(table.id, 0, (), Head(table.summary(at), table.created.public), _ignore)

    def _reseat(self, live: Live, seat: int, to: int | None) -> None:
        """Connections of a seat that was given up belong to another from now on, or watch."""
        live.away.pop(seat, None)
        for guest in [guest for guest in live.audience if guest.who.seat == seat]:
            live.audience.leave(guest)
            guest.who = msgspec.structs.replace(guest.who, seat=to)
            live.audience.join(guest)
        if to is not None:
            self._tell_presence(live)

    # Several servers.

    def heard(self, table: str, seq: int) -> None:
        """A table has so many events; -1: nobody knows how many."""
        live = self.tables.get(table)
        if live is None:
            if table in self._loading:  # what is being read may be older than the news
                self._news.add(table)
        elif seq > live.table.seq or seq < 0:
            self._catch_up(live)

    def heard_gap(self) -> None:
        """News may have been lost: look at all tables."""
        self._news |= self._loading.keys()
        for live in self.tables.values():
            self._catch_up(live)

    def heard_presence(self, table: str, node: str, here: list[int], watching: int) -> None:
        """Who is connected to a table at another server."""
        live = self.tables.get(table)
        if live is None:
            return
        known = live.elsewhere.get(node)
        live.elsewhere[node] = Elsewhere(self._loop.time(), here, watching)
        if known is None:  # it does not know us either
            self._announce(live)
        if known is None or (known.here, known.watching) != (here, watching):
            self._look_around(live)
            self._show_presence(live)
            self.attendant.go_on(live)

    def _catch_up(self, live: Live) -> None:
        """Read what others wrote, as soon as nothing else is going on."""
        live.shut()
        live.behind = True
        if not live.busy:
            live.busy = True
            self.spawn(self._read_on(live, None))

    async def _refresh(self, live: Live) -> None:
        self._catch_up(live)
        while live.busy or live.behind:
            await asyncio.sleep(0.005)

    async def _read_on(self, live: Live, then: Callable[[], None] | None) -> None:
        """Read what others wrote, then go on. The table is busy meanwhile; if the store is away, until it is back."""
        while not self.closing:
            live.behind = False  # news that come from now on may be newer than what is read
            try:
                rows = await self.store.read(live.table.id, live.table.seq)
                break
            except StoreError as error:
                self._store_failed(error)
                await asyncio.sleep(AGAIN_SECONDS)
        else:
            return
        for row in rows:
            if not self._apply(live, events.decode(row), None, ""):
                break
        live.looked = self._loop.time()
        live.busy = False
        if then is not None:
            then()
        self.next(live)

    # Connections.

    async def welcome(self, live: Live, guest: Guest, after: int | None) -> protocol.Welcome:
        """Let somebody look at the table from now on; what they missed since event `after` comes along."""
        stored: list[Event] = []
        if after is not None and after > live.table.seq:  # another server has told them more than we know
            await self._refresh(live)
        table = live.table
        if after is not None and after < table.seq:
            stored = await self.stored(table.id)
            while len(stored) < live.table.seq:  # it went on meanwhile
                stored = await self.stored(table.id)
            table = live.table
        missed: list[protocol.Happened] = []
        seat = guest.who.seat
        if stored and after is not None:
            missed = catch_up(table.id, stored[: table.seq], after, seat, guest.lang)
        first = not live.audience
        live.audience.join(guest)
        live.used = self._loop.time()
        guest.seq = table.seq
        if first:
            self.attendant.set_clock(live, None, None)
        message = protocol.Welcome(
            seq=table.seq,
            table=table.info(),
            events=missed,
            seat=seat,
            view=live.audience.view(seat, guest.lang),
            here=self.here(live),
            watching=self.watching(live),
            clock=self.attendant.clock_left(live),
            can_write=guest.who.can_write,
            can_arrange=table.is_owner(guest.who),
        )
        self._loop.call_soon(self._came, live, guest)
        return message

    def _came(self, live: Live, guest: Guest) -> None:
        seat = guest.who.seat
        if seat is not None and live.table.seats[seat].stand_in:
            self.submit(live, Return(), guest.who, NOBODY)
        self._tell_presence(live)
        self.attendant.go_on(live)

    def left(self, live: Live, guest: Guest) -> None:
        """A connection is gone."""
        if not live.audience.leave(guest):
            return
        live.used = self._loop.time()
        self._tell_presence(live)
        self.attendant.go_on(live)

    def here(self, live: Live) -> list[int]:
        """The seats whose people are connected, here or at another server."""
        return sorted({*live.audience.here(), *(seat for other in live.elsewhere.values() for seat in other.here)})

    def watching(self, live: Live) -> int:
        """How many watch."""
        return live.audience.watching() + sum(other.watching for other in live.elsewhere.values())

    def _look_around(self, live: Live) -> None:
        """Note who is away, and since when."""
        live.shut()
        now = self._loop.time()
        here = self.here(live)
        live.away = {seat: live.away.get(seat, now) for seat in live.table.people if seat not in here}

    def _tell_presence(self, live: Live) -> None:
        """Tell everybody at the table who is here."""
        self._look_around(live)
        self._show_presence(live)
        self._announce(live)

    def _announce(self, live: Live) -> None:
        live.told_presence = self._loop.time()
        self.bus.tell_presence(live.table.id, live.audience.here(), live.audience.watching())

    def _show_presence(self, live: Live) -> None:
        if live.audience:
            data = protocol.encode(protocol.Presence(self.here(live), self.watching(live)))
            for guest in list(live.audience):
                guest.send(data)

    def request(self, live: Live, player: Player, message: protocol.Request) -> None:
        """A message from somebody at the table."""
        if type(message) is protocol.Move:  # most are
            self.submit(live, message, player.who, player)
        elif isinstance(message, protocol.Hint):
            self.attendant.hint(live, player, message, player)
        elif isinstance(message, protocol.Why):
            try:
                live.table.why(message, player.who)
            except Refusal as refusal:
                player.refused(live, refusal, message.id)
            else:
                player.done(live, message.id, False)
        elif isinstance(message, protocol.Rematch):
            secret = secrets.token_bytes(fairness.SECRET_BYTES)
            self.submit(live, NewMatch(secret, message.id), player.who, player)
        else:
            self.submit(live, message, player.who, player)

    async def past(self, live: Live, number: int | None) -> Table:
        """The table as it was at the end of one of its matches; the match on the table if none is named."""
        if number is None or number == live.table.match_no:
            return live.table
        if not 1 <= number <= live.table.match_no:
            raise Refusal("no_such_match", {"n": live.table.match_no})
        stored = await self.stored(live.table.id)
        return await self._loop.run_in_executor(None, fold, live.table.id, stored, lambda t: t.match_no == number)


def _spectator_name(identity: str | None) -> str:
    return f"*{identity[:4]}" if identity else "*"


def _ignore(error: StoreError | None) -> None:
    pass
