"""Views as JSON, written by compiled code: what the game room sends after every move, to everybody at a table.

The same as `core/view.py` builds for Python, less what never changes during a match. `portray` is a template that
`kernels` binds to a game, with `common` and `own` of its `view.py`: see there what each puts down.
"""

# ruff: noqa: F821 (templates: the names they use are the game's, put in place when they are bound)

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np

from ludotheque.core import registry, shape, warm
from ludotheque.core.game import Game
from ludotheque.core.jit import COMPILED, VIEW_TEMPLATES
from ludotheque.core.kernels import Template
from ludotheque.core.record import MAX_EVENTS, NOBODY, Buffer
from ludotheque.core.shape import MOST_NUMBERS, NOTHING, Sheet, copy, each, fields, flag, number, put, put_first, word

# The game's, see docs/adding-a-game.md.
legal: Any
outcome: Any
conceal: Any
common: Any
own: Any
record: Any
NUM_ACTIONS: int
MAX_SEATS: int

TOO_SMALL, TOO_MANY = -1, -2
"""What can be in the way: `out` is too small; a view takes more numbers than it may."""

EVENT = 5
Portrait = tuple[bytes, list["Event"]]
"""A view as JSON, and what the viewer saw of the last move, or of the deal."""
Event = tuple[int, ...]
"""The numbers of an event: its kind, its seat, and three more."""
ROOM = 1 << 14
"""Bytes for the views of one move, to begin with."""
AS_SPECTATORS = -1
"""So many events stand for those that spectators saw."""
SPECTATORS = 2
"""Where a report says how many those are."""


def portray(
    buf: Buffer, ply: int, viewers: int, rounds: Any, orders: Any, texts: Any, ends: Any, out: Any, report: Any
) -> int:
    """Write the views of those whose bits are set in `viewers` (a spectator's is the lowest, then seat by seat).

    What all see alike is put down once, from what a spectator may know. `report` gets for a spectator and for each of
    them: where the view begins in `out` and ends, how many events of the last move it saw, and their numbers; or
    `AS_SPECTATORS` and no more. Returns how much of `report` is filled, or what was in the way.
    """
    s = record(buf)
    seats = s.num_seats
    numbers = np.empty(MOST_NUMBERS, np.int64)
    hidden = np.empty(len(buf), np.uint8)
    look = record(hidden)
    ids = np.empty(NUM_ACTIONS, np.int16)
    scores = np.zeros(MAX_SEATS, np.int32)
    places = np.zeros(MAX_SEATS, np.int32)
    outcome(s, scores, places)
    own_orders = orders[1]
    head = 0
    at = 0
    filled = 0
    for viewer in range(NOBODY, seats):
        is_wanted = (viewers >> (viewer + 1)) & 1
        if not is_wanted and viewer != NOBODY:
            continue
        for i in range(len(buf)):
            hidden[i] = buf[i]
        conceal(look, viewer)
        shape.clear(numbers)
        if viewer == NOBODY:
            put(numbers, ply)
            put(numbers, look.round_no)
            put(numbers, NOTHING if look.actor == NOBODY else look.actor)
            put(numbers, look.over)
            put_first(numbers, seats, scores)
            put_first(numbers, seats, places)
            common(look, numbers)
            if shape.overflows(numbers):
                return TOO_MANY
            head = shape.write(orders, 2, own_orders, numbers, rounds, texts, ends, out, 0)
            if head < 0:
                return TOO_SMALL
            at = head
            shape.clear(numbers)
        report[filled] = at
        if is_wanted:
            own(look, viewer, numbers)
            num_moves = 0
            if viewer != NOBODY and not s.over:
                num_moves = legal(s, viewer, ids)
            put_first(numbers, num_moves, ids)
            if shape.overflows(numbers):
                return TOO_MANY
            at = copy(out, 0, head, out, at)
            at = shape.write(orders, own_orders, len(orders), numbers, rounds, texts, ends, out, at)
            if at < 0:
                return TOO_SMALL
        report[filled + 1] = at
        filled = tell_events(look, report, filled + 2)
    return filled


def tell_events(look: Any, report: Any, at: int) -> int:
    """What a viewer saw of the last move; if that is what spectators saw, who come first, only so much."""
    num_events = look.num_events
    differs = at == SPECTATORS or report[SPECTATORS] != num_events
    i = at + 1
    for k in range(num_events):
        report[i] = look.event_kind[k]
        report[i + 1] = look.event_seat[k]
        for j in range(3):
            report[i + 2 + j] = look.event_args[k, j]
        for j in range(EVENT):
            differs = differs or report[i + j] != report[SPECTATORS + 1 + EVENT * k + j]
        i += EVENT
    report[at] = num_events if differs else AS_SPECTATORS
    return i if differs else at + 1


def put_nothing(s: Any, out: Any) -> None:
    """`common` for games that show nothing to all."""


def put_nothing_own(s: Any, seat: int, out: Any) -> None:
    """`own` for games that show a seat no more than all see."""


INNER: tuple[Template, ...] = (tell_events,)
ENTRIES: tuple[Template, ...] = (portray,)
STAND_INS: dict[str, Template] = {"common": put_nothing, "own": put_nothing_own}

SHOW = "show"
warm.PURPOSES.setdefault(SHOW, warm.Purpose((("portray",),), VIEW_TEMPLATES, __name__))


@cache
def kernels(game: Game) -> SimpleNamespace:
    """The compiled entry point of this module for a game."""
    return game.bind(VIEW_TEMPLATES, INNER, ENTRIES, hooks=game.views, stand_ins=STAND_INS)


def _lay_out(game: Game, labels: Sequence[str]) -> Sheet:
    """The sheet of a game's views in a language, whose moves have these labels."""
    moves = [
        msgspec.json.encode({"id": action, "move": game.moves.texts[action], "label": label})
        for action, label in enumerate(labels)
    ]
    sheet = Sheet()
    place = sheet.order(shape.LITERAL)  # says where what each viewer sees begins, and is passed over
    head = fields(ply=number, round=number, actor=number, over=flag, scores=each(number), places=each(number))
    sheet.literal(b"{")
    head.lay_within(sheet)
    sheet.literal(b',"rounds":[')
    sheet.order(shape.RAW)
    sheet.literal(b'],"table":{')
    game.views.COMMON.lay_within(sheet)
    sheet.close(place)
    game.views.OWN.lay_within(sheet, is_first=False)
    sheet.literal(b'},"legal":')
    each(word([msgspec.Raw(move) for move in moves])).lay(sheet)
    sheet.literal(b"}")
    return sheet


class Painter:
    """Writes views of a game in one language, whose moves have these labels. Threads may share it."""

    def __init__(self, game: Game, labels: Sequence[str]) -> None:
        self._portray = kernels(game).portray
        self._sheet = _lay_out(game, labels).arrays()
        self._report = np.zeros((game.info.max_seats + 1) * (3 + EVENT * MAX_EVENTS), np.int64)
        self._lock = threading.Lock()
        self._make_room(ROOM)

    def _make_room(self, size: int) -> None:
        self._out = np.zeros(size, np.uint8)
        self._bytes = self._out.data

    def paint(self, buf: Buffer, ply: int, viewers: int, rounds: Any) -> tuple[list[Event], list[Portrait]]:
        """What spectators saw of the last move, and the portraits for those whose bits are set in `viewers`.

        The lowest bit is a spectator's, then seat by seat; so are the portraits. The match has had `ply` moves, and
        `rounds` are those that have ended, as JSON with commas between them. Whoever saw what spectators saw gets the
        very same list of events.
        """
        with self._lock:
            filled = TOO_SMALL
            while filled < 0:
                filled = self._portray(buf, ply, viewers, rounds, *self._sheet, self._out, self._report)
                if filled == TOO_MANY:
                    raise OverflowError(f"a view takes more than {MOST_NUMBERS - 1} numbers")
                if filled == TOO_SMALL:
                    self._make_room(2 * len(self._out))
            report = self._report[:filled].tolist()
            at = SPECTATORS + 1 + EVENT * report[SPECTATORS]
            common = _events(report, SPECTATORS + 1, at)
            portraits = [(bytes(self._bytes[report[0] : report[1]]), common)] if viewers & 1 else []
            while at < filled:
                begin, end, count = report[at : at + 3]
                at += 3
                events = common
                if count != AS_SPECTATORS:
                    events = _events(report, at, at + EVENT * count)
                    at += EVENT * count
                portraits.append((bytes(self._bytes[begin:end]), events))
        return common, portraits


def _events(report: list[int], begin: int, end: int) -> list[Event]:
    return [tuple(report[at : at + EVENT]) for at in range(begin, end, EVENT)]


def bit(viewer: int) -> int:
    """The bit of a seat, or of spectators (`NOBODY`), in a set of viewers."""
    return 1 << (viewer + 1)


def is_ready(game: Game) -> bool:
    """Whether views of a game can be written by compiled code: it has been compiled for that."""
    return COMPILED and warm.is_warm(game.id, SHOW)


def compile_entries(game_id: str, names: Sequence[str], done: Callable[[], None]) -> None:
    """Compile the entry for a game in this process, by calling it once; that puts it into the cache too."""
    load(registry.load(game_id))
    done()


def load(game: Game) -> None:
    """Read the entry into this process, or compile it."""
    painter = Painter(game, [""] * game.info.num_actions)
    game.new(seed=0).paint(painter, bit(0), np.zeros(0, np.uint8))
