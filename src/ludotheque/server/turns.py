"""Moves, of many tables at a time: most of what a busy room does.

A move that was decided on is stored together with all others that have come in one go, and then played and shown
together with others that are stored: one call into compiled code does that for many tables, and what is left for Python
is little. Where something else is to be done as well, the room settles it as any other event, which comes to the same:
a clock runs, the match is over, people read in different languages, or nobody looks.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ludotheque.core.kernels import OK
from ludotheque.core.painter import MOST_JOBS, JobFailed, Painter, Painting
from ludotheque.core.portray import TOLD
from ludotheque.server.audience import Scene
from ludotheque.server.commands import Command, Who
from ludotheque.server.events import Moved, encode
from ludotheque.server.live import Live, Origin
from ludotheque.server.refusals import Refusal
from ludotheque.server.store.base import StoreError
from ludotheque.server.table import Table
from ludotheque.server.watchdog import Work

if TYPE_CHECKING:
    from ludotheque.server.room import Room

Turn = tuple[Live, Command, Who, Origin, Moved]
"""A table, a command, who gave it and where the answer goes, and the event it has led to."""


class Turns:
    """The moves that are on their way just now."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._loop = asyncio.get_running_loop()
        self._drafts: list[Turn] = []
        """Not given to the store yet."""
        self._stored: deque[Turn] = deque()
        """To be played and shown."""

    def takes(self, table: Table, event: Moved) -> bool:
        """Whether a move goes this way."""
        return not event.by and not table.created.clock

    def add(self, turn: Turn) -> None:
        """Store a move together with all others that have come in one go, then play and show it."""
        if not self._drafts:
            self._loop.call_soon(self.store)
        self._drafts.append(turn)

    @property
    def is_busy(self) -> bool:
        """Whether any move is on its way to the store, or from there to the table."""
        return bool(self._drafts or self._stored)

    def store(self) -> None:
        """Give the store what has come together."""
        if self._drafts:
            drafts, self._drafts = self._drafts, []
            rows = [(live.table.id, live.table.seq + 1, encode(event)) for live, _, _, _, event in drafts]
            self._room.store.append_rows(rows, partial(self._told, drafts))

    def _told(self, turns: list[Turn], error: StoreError | None) -> None:
        """They are stored, or not."""
        if error is not None:
            for turn in turns:
                self._room.settle(*turn, error)
            return
        if not self._stored:
            self._loop.call_soon(self._go_on)
        self._stored.extend(turns)

    def _go_on(self) -> None:
        """Play and show some, before the loop looks what else has come."""
        scenes: dict[Painter, list[tuple[Turn, Scene]]] = {}
        for _ in range(min(MOST_JOBS, len(self._stored))):
            turn = self._stored.popleft()
            try:
                scene = turn[0].audience.scene()
            except Exception:  # the long way meets it too, and knows what to say
                scene = None
            if scene is None:
                self._room.settle(*turn, None)
            elif scene[0] in scenes:
                scenes[scene[0]].append((turn, scene))
            else:
                scenes[scene[0]] = [(turn, scene)]
        for painter, some in scenes.items():
            self._play(painter, some)
        if self._stored:
            self._loop.call_soon(self._go_on)

    def _play(self, painter: Painter, scenes: list[tuple[Turn, Scene]]) -> None:
        room = self._room
        jobs: list[int] = []
        for (_, _, _, _, event), (_, stage, group, _) in scenes:
            jobs += stage.job(event.seat, event.action, group.viewers)
        done: Sequence[Painting | None]
        room.work = Work([turn[0].table.id for turn, _ in scenes], painter.doing)
        try:
            done = painter.do(jobs)
        except JobFailed as failure:
            failed, _ = scenes.pop(failure.number)
            room.failed(failed[0])
            self._answer(failed, False)
            done = [None] * failure.number
        finally:
            room.work = None
        for (turn, scene), painting in zip(scenes, done, strict=False):
            self._answer(turn, self._show(turn, scene, painting))
        self._stored.extendleft(turn for turn, _ in reversed(scenes[len(done) :]))  # there was no room for their views

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

    def _show(self, turn: Turn, scene: Scene, painting: Painting | None) -> bool:
        """Show what became of a move. False if that fails, which harms this table only."""
        live, command, _, origin, event = turn
        table, room = live.table, self._room
        try:
            table.note(event)
            assert table.match is not None
            if table.match.over or painting is None or painting.status not in (OK, TOLD):
                return room.show(live, event, origin, command.id)
            live.audience.show_move(scene, event, origin, command.id, painting)
        except Exception:
            room.failed(live)
            return False
        room.stats.events += 1
        room.stats.moves += 1
        if table.has_bots or live.away or live.away_timer is not None:
            room.attendant.go_on(live)
        return True
