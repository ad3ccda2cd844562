"""What has been decided, on its way to the store and back: of many tables at a time, and most of it moves.

All moves that have come while the store was busy are judged together, stored together, then played and shown together:
one call into compiled code does that for many tables, and what is left for Python is little. Least is left of those
that come the quick way (`lane.py`), judged already. Whatever is not as usual is stored with them, but the room decides
on it and settles it by itself, which comes to the same: any other command, a move that is refused, a clock that runs,
the end of a match, people who read different languages, or nobody who looks.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, TypeGuard

from ludotheque.core.game import Game
from ludotheque.core.kernels import OK
from ludotheque.core.painter import MOST_JOBS, JobFailed, Painter, Painting, Referee, is_ready, new_room
from ludotheque.core.portray import NO_SENDER, TOLD
from ludotheque.server.audience import Scene
from ludotheque.server.commands import Command, Who
from ludotheque.server.events import Event, Moved, encode
from ludotheque.server.lane import Batch, Lanes
from ludotheque.server.live import Live, Origin
from ludotheque.server.outbox import Letter
from ludotheque.server.protocol import Move
from ludotheque.server.refusals import Refusal
from ludotheque.server.store.base import StoreError
from ludotheque.server.views import encode as encode_text
from ludotheque.server.watchdog import Work

if TYPE_CHECKING:
    from ludotheque.server.room import Room

log = logging.getLogger("ludotheque.turns")

LOOKS = 3
"""How often the loop looks what has come, once a group is shown, before the next one is stored."""

Draft = tuple[Live, Move, Who, Origin]
"""A table, a move that is wanted there, by whom, and where the answer goes."""

Turn = tuple[Live, Command, Who, Origin, Event]
"""A table, a command, who gave it and where the answer goes, and the event it has led to."""

MoveTurn = tuple[Live, Command, Who, Origin, Moved]
"""A turn that is a move, see `Turns.takes`."""


class Turns:
    """All that is on its way just now."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._loop = asyncio.get_running_loop()
        self._drafts: list[Draft] = []
        """To be judged."""
        self._decided: list[Turn] = []
        """To be stored."""
        self.is_waking = False
        """Whether those that wait will be stored without anybody's asking."""
        self._is_storing = False
        """Whether the store has some of them. It gets no more until it has answered."""
        self._stored: deque[Turn | Batch] = deque()
        """To be played and shown."""
        self._lanes = Lanes(room)
        self._out = new_room()
        """Where letters stand until they are posted."""

    def takes(self, turn: Turn) -> TypeGuard[MoveTurn]:
        """Whether it is played and shown together with others: a move that a person has made, and no clock runs."""
        event = turn[4]
        return isinstance(event, Moved) and not event.by and not turn[0].table.created.clock

    def add(self, live: Live, move: Move, who: Who, origin: Origin) -> None:
        """Judge, store, play and show a move together with others."""
        live.busy = True
        self._drafts.append((live, move, who, origin))
        self.wake()

    def put(self, live: Live, command: Command, who: Who, origin: Origin, event: Event) -> None:
        """Store what was decided on, then make it so and show it."""
        self._decided.append((live, command, who, origin, event))
        self.wake()

    def close(self) -> None:
        """Nothing more will come."""
        self._lanes.close()

    def wake(self) -> None:
        """See to it that what has come is stored."""
        if not self.is_waking and not self._is_storing:
            self.is_waking = True
            self._loop.call_soon(self._store)

    @property
    def is_busy(self) -> bool:
        """Whether anything is on its way to the store, or from there to the table."""
        return bool(self._num_waiting or self._is_storing or self._stored)

    @property
    def _num_waiting(self) -> int:
        """How many are to be judged, or to be stored."""
        return len(self._drafts) + len(self._decided) + self._lanes.num_waiting

    def _store(self) -> None:
        """Give the store what has come together."""
        self.is_waking = False
        if self._is_storing:
            return
        self._lanes.read()
        if self._drafts:
            self._judge()
        batches = self._lanes.take()
        if self._decided or batches:
            self._is_storing = True
            turns, self._decided = self._decided, []
            rows = [(live.table.id, live.table.seq + 1, encode(event)) for live, _, _, _, event in turns]
            for batch in batches:
                rows += batch.rows
            self._room.store.append_rows(rows, partial(self._told, turns, batches))

    def _judge(self) -> None:
        """Decide on the drafts. What cannot be played the room refuses, and says why."""
        drafts, self._drafts = self._drafts, []
        now = round(time.time(), 3)
        asked: dict[Game, tuple[list[Turn], list[int]]] = {}
        for draft in drafts:
            live, move, who, _ = draft
            table = live.table
            try:
                event = table.draft(move, who, now)
            except Exception:  # the room meets it too, and knows what to say
                event = None
            if event is None or table.match is None:
                self._decide_alone(*draft)
                continue
            if table.game not in asked:
                asked[table.game] = [], []
            turns, questions = asked[table.game]
            turns.append((*draft, event))
            questions += table.match.address, event.seat, event.action
        for game, (turns, questions) in asked.items():
            for turn, is_legal in zip(turns, self._allowed(game, turns, questions), strict=True):
                if is_legal:
                    self._decided.append(turn)
                else:
                    self._decide_alone(turn[0], turn[1], turn[2], turn[3])

    def _decide_alone(self, live: Live, command: Command, who: Who, origin: Origin) -> None:
        live.busy = False
        self._room.decide(live, command, who, origin)
        self._room.next(live)

    def _allowed(self, game: Game, turns: list[Turn], questions: list[int]) -> list[bool]:
        """Which moves are legal; none where that cannot be said of many at once."""
        judge = referee(game) if is_ready(game) else None
        if judge is None:
            return [False] * len(turns)
        self._room.work = Work([turn[0].table.id for turn in turns], judge.asking)
        try:
            return judge.allows(questions)
        except Exception:  # the room finds out whose rules have failed
            log.exception("rules failed")
            return [False] * len(turns)
        finally:
            self._room.work = None

    def _told(self, turns: list[Turn], batches: list[Batch], error: StoreError | None) -> None:
        """They are stored, or not. If many have come meanwhile these are next, else after the stored ones are shown.

        A flush costs the same for few as for many, and those who are shown something answer soon.
        """
        self._is_storing = False
        if error is not None:
            for batch in batches:
                turns += batch.turns()
                batch.lane.give_back(batch)
            for turn in turns:
                self._room.settle(*turn, error)
        else:
            if not self._stored:
                self._loop.call_soon(self._go_on)
            self._stored.extend(batches)
            self._stored.extend(turns)
        if not self._stored or self._num_waiting >= MOST_JOBS:
            self._store()
        else:
            self.is_waking = True

    def _go_on(self) -> None:
        """Play and show some, before the loop looks what else has come."""
        try:
            self._play_some()
        finally:
            if self._stored:
                self._loop.call_soon(self._go_on)
            else:
                self._loop.call_soon(self._look, LOOKS)

    def _look(self, times: int) -> None:
        """Store what has come after the loop has looked so often."""
        if times > 1:
            self._loop.call_soon(self._look, times - 1)
        else:
            self._store()

    def _play_some(self) -> None:
        scenes: dict[Painter, list[tuple[MoveTurn, Scene]]] = {}
        for _ in range(min(MOST_JOBS, len(self._stored))):
            turn = self._stored.popleft()
            if isinstance(turn, Batch):
                if scenes:  # first come, first served
                    self._stored.appendleft(turn)
                else:
                    self._play_batch(turn)
                break
            if self.takes(turn):
                try:
                    scene = turn[0].audience.scene()
                except Exception:  # the room meets it too, and knows what to say
                    scene = None
                if scene is not None:
                    scenes.setdefault(scene[0], []).append((turn, scene))
                    continue
            self._room.settle(*turn, None)
        for painter, some in scenes.items():
            self._play(painter, some)

    def _play(self, painter: Painter, scenes: list[tuple[MoveTurn, Scene]]) -> None:
        room = self._room
        jobs: list[int] = []
        ids: list[bytes] = []
        end = 0
        for (live, command, _, origin, event), (_, stage, group, _) in scenes:
            seat, begin = event.seat, end
            ids.append(encode_text(command.id))
            end += len(ids[-1])
            sender = seat if origin in group.guests.get(seat, ()) else NO_SENDER
            at = round(event.at * 1000)
            jobs += stage.job(seat, event.action, group.viewers, live.table.seq + 1, at, sender, begin, end)
        done: Sequence[Painting | None]
        room.work = Work([turn[0].table.id for turn, _ in scenes], painter.doing)
        try:
            done = painter.do(jobs, b"".join(ids), self._out)
        except JobFailed as failure:
            failed, _ = scenes.pop(failure.number)
            self._fail(failed)
            done = [None] * failure.number
        finally:
            room.work = None
        letters: list[Letter] = []
        shown = [
            self._show(turn, scene, painting, letters) for (turn, scene), painting in zip(scenes, done, strict=False)
        ]
        room.outbox.post(painter, self._out, letters)
        for (turn, _), is_shown in zip(scenes, shown, strict=False):
            self._answer(turn, is_shown)
        self._stored.extendleft(turn for turn, _ in reversed(scenes[len(done) :]))  # there was no room for their views

    def _play_batch(self, batch: Batch) -> None:
        """What `_play` does, for moves that have come the quick way."""
        room, lane, out = self._room, batch.lane, self._out
        moves, outbox = batch.moves, room.outbox
        outbox.flush()
        if not lane.has_all(batch):
            self._stored.extendleft(reversed(batch.turns()))
            lane.give_back(batch)
            return
        room.work = Work(batch, lane.painter.doing)
        try:
            told = lane.painter.tell(batch.tray, lane.desks, outbox.can_hold(2 * len(moves)), out)
        except JobFailed as failure:
            turns = batch.turns()
            for turn in turns[: failure.number]:  # they were played, but not shown
                self._answer(turn, self._show(turn, None, None, []))
            self._fail(turns[failure.number])
            self._stored.extendleft(reversed(turns[failure.number + 1 :]))
            lane.give_back(batch)
            return
        finally:
            room.work = None
        by_python = set()
        for job, status, round_at, round_end in told.special:
            live, _, stage, _, _, desk, _ = moves[job][0]
            if status == TOLD:
                stage.add_round(out[round_at:round_end].tobytes() + b"}")
                lane.desks.set_rounds(desk, *stage.rounds_at)
                continue
            by_python.add(job)
            scene = live.audience.scene()
            turn = batch.turn(job)
            painting = told.paintings[job] if told.paintings else None
            self._answer(turn, self._show(turn, scene, painting, []))
        if told.late:
            self._post_late(batch, told.late)
        room.stats.events += told.num_played - len(by_python)
        room.stats.moves += told.num_played - len(by_python)
        if room.settings.bus:
            for job in set(range(told.num_played)) - by_python:
                room.bus.tell(batch[job], batch.tray.number_of(job))
        self._stored.extendleft(reversed(batch.turns(told.num_played)))  # there was no room for their views
        lane.give_back(batch)

    def _post_late(self, batch: Batch, late: list[list[int]]) -> None:
        """Send letters that compiled code could not send, or not whole."""
        out = self._out
        letters: list[Letter] = []
        for job, line, first, end, is_begun in late:
            spot = batch.moves[job][0]
            if is_begun:
                spot.guests[line].send_rest(out[first:end].tobytes())
            else:
                letters.append((spot.guests[line], first, end, batch.tray.number_of(job), False))
        self._room.outbox.post(batch.lane.painter, out, letters)
        for job in {job for job, _, _, _, _ in late}:
            spot, _, message_id = batch.moves[job]
            spot.rider.done(spot.live, message_id, True)
            if any(guest.is_behind for guest in spot.guests.values()):
                spot.live.shut()

    def _fail(self, turn: Turn) -> None:
        """Its rules have failed just now."""
        self._room.failed(turn[0])
        self._answer(turn, False)

    def _answer(self, turn: Turn, is_shown: bool) -> None:
        live, command, _, origin, _ = turn
        live.busy = False
        if is_shown:
            origin.done(live, command.id, True)
            self._room.bus.tell(live.table.id, live.table.seq)
        else:
            origin.refused(live, Refusal("broken"), command.id)
        if live.queue or live.behind:
            self._room.next(live)
        elif is_shown:
            self._lanes.lay(live)

    def _show(self, turn: MoveTurn, scene: Scene | None, painting: Painting | None, letters: list[Letter]) -> bool:
        """Show what became of a move, or add to the letters that do. False if that fails: it harms this table only."""
        live, command, _, origin, event = turn
        table, room = live.table, self._room
        try:
            table.note(event.seat, event.action, event.id)
            assert table.match is not None
            if scene is None or painting is None or painting.status not in (OK, TOLD):
                return room.show(live, event, origin, command.id)
            if table.match.over:
                return room.show(live, event, origin, command.id, painting if painting.status == OK else None)
            if painting.status == TOLD:
                live.audience.address(scene, turn, painting, self._out, letters)
            else:
                live.audience.show_move(scene, event, origin, command.id, painting)
        except Exception:
            room.failed(live)
            return False
        room.stats.events += 1
        room.stats.moves += 1
        if table.has_bots or live.away or live.away_timer is not None:
            room.attendant.go_on(live)
        return True


@cache
def referee(game: Game) -> Referee:
    """Who judges the moves of a game; made once."""
    return Referee(game)
