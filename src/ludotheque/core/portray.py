"""Views as JSON, written by compiled code: what the game room sends after every move, to everybody at a table.

The same as `core/view.py` builds for Python, less what never changes during a match. `portray` is a template that
`kernels` binds to a game, with `common` and `own` of its `view.py`: see there what each puts down.
"""

# ruff: noqa: F821 (templates: the names they use are the game's, put in place when they are bound)

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np

from ludotheque.core import registry, shape, warm
from ludotheque.core.game import Game
from ludotheque.core.jit import COMPILED, VIEW_TEMPLATES, jit
from ludotheque.core.kernels import OK, Template, play
from ludotheque.core.record import MAX_EVENTS, NOBODY, Buffer
from ludotheque.core.shape import MOST_NUMBERS, NOTHING, Sheet, each, fields, flag, number, put, put_first, word

# The game's, see docs/adding-a-game.md.
legal: Any
outcome: Any
conceal: Any
common: Any
own: Any
record: Any
NUM_ACTIONS: int
MAX_SEATS: int

NO_MOVE = -1
"""The action of a job that only shows a match."""
TOLD = 3
"""How a job went that has led to letters."""
TOO_SMALL, TOO_MANY = -1, -2
"""What can be in the way of a view: `out` is too small; it takes more numbers than it may."""

RECORD, PLY, SEAT, ACTION, VIEWERS, NAMES, ROUNDS, ROUNDS_SIZE = range(8)
"""What a job says: where the match's record lies in memory, how many moves it has had before, the seat and action of a
move to be played, and whom to show it to. For letters also where the names lie, see `pack_names`, and the rounds that
have ended, as JSON with commas between them; else 0."""
JOB = 8
MOST_JOBS = 64
"""How many jobs are done in one go."""

DOING, USED, END, REPORTS = range(4)
"""Before the reports: the number of the job that is being done, how much room is used, where the reports end."""
HEAD = 4
"""A report begins with: where it ends, how it went, and from where to where in `out` the part of the views stands that
comes before the rounds."""
VIEWER = 5
"""Then, for spectators and all viewers: who it is, from where to where the rest of the view stands, where the concealed
record stands, or -1, and how many events of the last move they saw. Then their numbers."""
LETTER = 2
"""If there are letters, only this comes for each viewer: from where to where the letter stands."""
AS_SPECTATORS = -1
"""So many events stand for those that spectators saw, who come first."""
EVENT = 5

ROOM = 1 << 19
"""Bytes for views, to begin with."""
MOST_SENTENCES = 20_000
"""How many sentences are kept of a game in a language."""
SHARE = 16
"""A job is not begun unless this part of the room is left for its views."""

Event = tuple[int, ...]
"""The numbers of an event: its kind, its seat, and three more."""


class Portrait(msgspec.Struct, gc=False):
    """What one viewer is shown of a match."""

    viewer: int
    rest: bytes
    """The view as JSON, from the end of its rounds."""
    events: list[Event]
    """What the viewer saw of the last move, or of the deal; if that is what spectators saw, the very same list."""
    look: bytes
    """The record as the viewer may know it; empty if no event needs it to be told."""


NO_PORTRAIT = Portrait(NOBODY, b"", [], b"")


class Painting(msgspec.Struct, gc=False):
    """What became of a match, and what everybody is shown of it. A view is `head`, the rounds, and its own `rest`."""

    status: int
    """`OK`; or `TOLD`, then there are letters and nothing else. Or why no move was played; or what was in the way."""
    head: bytes
    spectators: Portrait
    """Without a view if none is wanted."""
    portraits: list[Portrait]
    """Of those for whom one is wanted, spectators first, then seat by seat."""
    letters: list[bytes] = []
    """For the same: what they saw of the last move in words, `BETWEEN`, and the view."""


COMMON_AT, OWN_AT, SECTIONS = 1, 3, 4
"""Where a sheet says where the orders begin for what all see alike, and for what each sees; and its own first ones."""


def _bytes_at(address: int, size: int) -> Any:
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))


def _move(source: Any, first: int, out: Any, at: int, size: int) -> None:
    out[at : at + size] = source[first : first + size].copy()


bytes_at: Any = _bytes_at
"""The bytes that lie at an address; whoever names it holds on to them."""
move: Any = _move
"""Move so many bytes, as one instruction of the system's library. Nobody looks whether there is room."""

if COMPILED:
    from numba import carray, types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def _pointer(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(types.voidptr))

        return types.voidptr(types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def move(typingctx: Any, source: Any, first: Any, out: Any, at: Any, size: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            begin = make_array(signature.args[0])(context, builder, args[0]).data
            end = make_array(signature.args[2])(context, builder, args[2]).data
            cgutils.raw_memmove(builder, builder.gep(end, [args[3]]), builder.gep(begin, [args[1]]), args[4], 1)
            return context.get_dummy_value()

        return types.void(source, types.int64, out, types.int64, types.int64), codegen

    @jit
    def bytes_at(address: int, size: int) -> Any:
        """The bytes that lie at an address; whoever names it holds on to them."""
        return carray(_pointer(address), size, np.uint8)


def portray(
    jobs: Any, count: int, size: int, long_events: int, orders: Any, texts: Any, ends: Any,
    keys: Any, places_of: Any, words: Any, out: Any, report: Any,
) -> int:  # fmt: skip
    """Do as many of these jobs as there is room for: play the move, if there is one, and write views, or letters.

    Jobs are rows, see `RECORD`; records have this size. `orders`, `texts` and `ends` are a sheet; `keys`, `places_of`
    and `words` a `Lexicon`. Each job gets a report, one after the other, see `HEAD`, `VIEWER` and `LETTER`. Before them
    `report` says which job is being done, for those who wonder why it takes so long; see `DOING`. Returns how many were
    done.
    """
    numbers = np.empty(MOST_NUMBERS, np.int64)
    hidden = np.empty(size, np.uint8)
    ids = np.empty(NUM_ACTIONS, np.int16)
    scores = np.zeros(MAX_SEATS, np.int32)
    places = np.zeros(MAX_SEATS, np.int32)
    letters = np.empty(LETTER * (MAX_SEATS + 1), np.int64)
    at = 0
    filled = REPORTS
    for job in range(count):
        if job > 0 and (len(out) - at) * SHARE < len(out):
            return job
        report[DOING] = job
        buf = bytes_at(jobs[job, RECORD], size)
        status = OK
        ply = jobs[job, PLY]
        if jobs[job, ACTION] != NO_MOVE:
            status = play(buf, jobs[job, SEAT], jobs[job, ACTION], ids)
            ply += 1
        s = record(buf)
        end = filled + HEAD
        report[filled + 1] = status
        report[filled + 2] = at
        report[filled + 3] = at
        if status == OK:
            shape.clear(numbers)
            outcome(s, scores, places)
            put(numbers, ply)
            put(numbers, s.round_no)
            put(numbers, NOTHING if s.actor == NOBODY else s.actor)
            put(numbers, s.over)
            put_first(numbers, s.num_seats, scores)
            put_first(numbers, s.num_seats, places)
            head = shape.write(orders, SECTIONS, orders[COMMON_AT], numbers, texts, ends, out, at)
            end = show(
                buf, jobs[job, VIEWERS], long_events, orders, texts, ends, out, head, report, end, numbers, hidden, ids
            )
            if end < 0:
                report[filled + 1] = end
                end = filled + HEAD
            else:
                report[filled + 3] = head
                at = report[USED]
                if jobs[job, NAMES] != 0 and not tells_long(s, long_events):
                    end, at = write_letters(
                        jobs, job, s.num_seats, keys, places_of, words, out, at, report, filled, end, letters
                    )
        report[filled] = end
        filled = end
        report[USED] = at
        report[END] = filled
    return count


def show(
    buf: Buffer, viewers: int, long_events: int, orders: Any, texts: Any, ends: Any, out: Any, begin: int,
    report: Any, filled: int, numbers: Any, hidden: Any, ids: Any,
) -> int:  # fmt: skip
    """Write the views of those whose bits are set in `viewers` (a spectator's is the lowest, then seat by seat).

    What all see alike is put down once, from what a spectator may know. `report[USED]` becomes where all of it ends in
    `out`. Returns where the report ends, or what was in the way.
    """
    if begin < 0:
        return TOO_SMALL
    s = record(buf)
    look = record(hidden)
    spectators = filled + VIEWER
    common_end = begin
    at = begin
    for viewer in range(NOBODY, s.num_seats):
        is_wanted = (viewers >> (viewer + 1)) & 1
        if not is_wanted and viewer != NOBODY:
            continue
        for i in range(len(buf)):
            hidden[i] = buf[i]
        conceal(look, viewer)
        shape.clear(numbers)
        if viewer == NOBODY:
            common(look, numbers)
            if shape.overflows(numbers):
                return TOO_MANY
            common_end = shape.write(orders, orders[COMMON_AT], orders[OWN_AT], numbers, texts, ends, out, begin)
            at = common_end
            shape.clear(numbers)
        report[filled] = viewer
        report[filled + 1] = at
        if is_wanted:
            own(look, viewer, numbers)
            num_moves = 0
            if viewer != NOBODY and not s.over:
                num_moves = legal(s, viewer, ids)
            put_first(numbers, num_moves, ids)
            if shape.overflows(numbers):
                return TOO_MANY
            at = copy(out, begin, common_end, out, at)
            at = shape.write(orders, orders[OWN_AT], len(orders), numbers, texts, ends, out, at)
        report[filled + 2] = at
        report[filled + 3] = -1
        if tells_long(look, long_events):
            report[filled + 3] = at
            at = copy(hidden, 0, len(hidden), out, at)
        if at < 0:
            return TOO_SMALL
        filled = tell_events(look, report, spectators, filled + VIEWER)
    report[USED] = at
    return filled


def tells_long(look: Any, long_events: int) -> bool:
    """Whether any event of the last move takes more to tell than its numbers: its kind is in that set."""
    found = False
    for k in range(look.num_events):
        found |= (long_events >> look.event_kind[k]) & 1 != 0
    return found


def tell_events(look: Any, report: Any, spectators: int, at: int) -> int:
    """What a viewer saw of the last move, from `at` on, its count before it; or only that it is what spectators saw."""
    num_events = look.num_events
    differs = at == spectators or report[spectators - 1] != num_events
    i = at
    for k in range(num_events):
        report[i] = look.event_kind[k]
        report[i + 1] = look.event_seat[k]
        for j in range(3):
            report[i + 2 + j] = look.event_args[k, j]
        for j in range(EVENT):
            differs = differs or report[i + j] != report[spectators + EVENT * k + j]
        i += EVENT
    report[at - 1] = num_events if differs else AS_SPECTATORS
    return i if differs else at


def write_letters(
    jobs: Any, job: int, num_seats: int, keys: Any, places_of: Any, words: Any, out: Any, begin: int,
    report: Any, first: int, end: int, letters: Any,
) -> tuple[int, int]:  # fmt: skip
    """Write letters from what a report tells, and report them instead. If that cannot be, everything is left as it is.

    Returns where the report ends, and what is written.
    """
    names = bytes_at(jobs[job, NAMES], num_seats * NAME)
    rounds = bytes_at(jobs[job, ROUNDS], jobs[job, ROUNDS_SIZE])
    spectators = first + HEAD + VIEWER
    entry = first + HEAD
    count = 0
    at = begin
    while entry < end:
        events = entry + VIEWER
        num_events = report[events - 1]
        following = events
        if num_events == AS_SPECTATORS:
            events = spectators
            num_events = report[events - 1]
        else:
            following += EVENT * num_events
        if report[entry + 2] > report[entry + 1]:
            letters[count] = at
            at = say_events(keys, places_of, words, names, report, events, num_events, out, at)
            at = copy(words, 0, BETWEEN_SIZE, out, at)
            at = copy(out, report[first + 2], report[first + 3], out, at)
            at = copy(rounds, 0, len(rounds), out, at)
            at = copy(out, report[entry + 1], report[entry + 2], out, at)
            if at < 0:
                return end, begin
            letters[count + 1] = at
            count += LETTER
        entry = following
    report[first + 1] = TOLD
    back = begin - report[first + 2]  # over what the letters were made of
    move(out, begin, out, begin - back, at - begin)
    for i in range(count):
        report[first + HEAD + i] = letters[i] - back
    return first + HEAD + count, at - back


def copy(source: Any, first: int, end: int, out: Any, at: int) -> int:
    """Copy a part of some bytes."""
    if at < 0 or at + end - first > len(out):
        return TOO_SMALL
    move(source, first, out, at, end - first)
    return at + end - first


def say_events(
    keys: Any, places_of: Any, words: Any, names: Any, report: Any, events: int, num_events: int, out: Any, at: int
) -> int:
    """Write events in words, from a report; a negative number if one is not in the lexicon."""
    at = copy(words, BETWEEN_SIZE, BETWEEN_SIZE + 1, out, at)
    for k in range(num_events):
        if k > 0:
            at = copy(words, BETWEEN_SIZE + 1, BETWEEN_SIZE + 2, out, at)
        i = events + EVENT * k
        place = find_event(keys, places_of, report[i], report[i + 1], report[i + 2], report[i + 3], report[i + 4])
        if places_of[place, 1] == 0 or at < 0:
            return TOO_SMALL
        for j in range(places_of[place, 0], places_of[place, 1]):
            letter = words[j]
            if FIRST_MARK <= letter < FIRST_MARK + MARKS:
                name = (letter - FIRST_MARK) * NAME
                at = copy(names, name + 1, name + 1 + names[name], out, at)
            elif at < 0 or at >= len(out):
                return TOO_SMALL
            else:
                out[at] = letter
                at += 1
    return copy(words, BETWEEN_SIZE + 2, BETWEEN_SIZE + 3, out, at)


def find_event(keys: Any, places_of: Any, kind: int, seat: int, a: int, b: int, c: int) -> int:
    """The place of an event in a lexicon, or the free one where it would be."""
    mask = len(keys) - 1
    place = (kind * 73 ^ seat * 1_009 ^ a * 31_337 ^ b * 7_919 ^ c * 104_729) & mask
    while places_of[place, 1] != 0 and not (
        keys[place, 0] == kind
        and keys[place, 1] == seat
        and keys[place, 2] == a
        and keys[place, 3] == b
        and keys[place, 4] == c
    ):
        place = (place + 1) & mask
    return place


def put_nothing(s: Any, out: Any) -> None:
    """`common` for games that show nothing to all."""


def put_nothing_own(s: Any, seat: int, out: Any) -> None:
    """`own` for games that show a seat no more than all see."""


INNER: tuple[Template, ...] = (copy, play, tells_long, tell_events, show, find_event, say_events, write_letters)
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
    common_at, own_at = sheet.order(shape.LITERAL), sheet.order(shape.LITERAL)  # only say where sections begin
    assert (common_at + 1, own_at + 1, len(sheet)) == (COMMON_AT, OWN_AT, SECTIONS)
    sheet.literal(b"{")
    head = fields(ply=number, round=number, actor=number, over=flag, scores=each(number), places=each(number))
    head.lay_within(sheet)
    sheet.literal(b',"rounds":[')
    sheet.close(common_at)
    sheet.literal(b'],"table":{')
    game.views.COMMON.lay_within(sheet)
    sheet.close(own_at)
    game.views.OWN.lay_within(sheet, is_first=False)
    sheet.literal(b'},"legal":')
    each(word([msgspec.Raw(move) for move in moves])).lay(sheet)
    sheet.literal(b"}")
    return sheet


BETWEEN = b'}],"view":'
"""Comes in a letter between the events and the view."""
BETWEEN_SIZE = len(BETWEEN)
FIRST_MARK = MARKS = 16
"""Bytes in a sentence that stand for the names of the seats: the first, and how many there are."""
NAME = 256
"""The space for a name."""


def pack_names(names: Sequence[bytes]) -> bytes:
    """Names, JSON without quotes, as letters take them: each with its length before it."""
    return b"".join((bytes([len(name)]) + name).ljust(NAME) for name in names)


def address(data: bytes) -> int:
    """Where bytes lie in memory, as long as somebody holds on to them."""
    return np.frombuffer(data, np.uint8).ctypes.data if data else 0


class Lexicon:
    """Events in words, in one language, for compiled code: a table with open places."""

    def __init__(self) -> None:
        self._texts: dict[Event, bytes] = {}
        self._make(1 << 9)

    def _make(self, size: int) -> None:
        """Put everything into new arrays, with so many places."""
        words = BETWEEN + b"[,]" + b"".join(self._texts.values())
        self.keys = np.zeros((size, EVENT), np.int64)
        self.places = np.zeros((size, 2), np.int64)
        self.words = np.zeros(max(1 << 16, 2 * len(words)), np.uint8)
        self.words[: len(words)] = np.frombuffer(words, np.uint8)
        self._used = BETWEEN_SIZE + 3
        for event, text in self._texts.items():
            self._put(event, len(text))

    def _put(self, event: Event, size: int) -> None:
        place = find_event(self.keys, self.places, *event)
        self.keys[place] = event
        self.places[place] = self._used, self._used + size
        self._used += size

    def learn(self, event: Event, text: bytes) -> None:
        """Say an event like this: JSON, in which bytes from `FIRST_MARK` on stand for names."""
        if event in self._texts:
            return
        if len(self._texts) >= MOST_SENTENCES:
            self._texts.clear()
            self._make(1 << 9)
        self._texts[event] = text
        if 2 * len(self._texts) > len(self.keys):
            self._make(2 * len(self.keys))
        elif self._used + len(text) > len(self.words):
            self._make(len(self.keys))
        else:
            self.words[self._used : self._used + len(text)] = np.frombuffer(text, np.uint8)
            self._put(event, len(text))


class JobFailed(Exception):
    """The rules have failed at a job. Those before it were done, but not shown."""

    def __init__(self, number: int) -> None:
        super().__init__(f"the rules have failed at job {number}")
        self.number = number


class Painter:
    """Writes views of a game in one language, whose moves have these labels. Threads may share it."""

    def __init__(self, game: Game, labels: Sequence[str]) -> None:
        self._portray = kernels(game).portray
        self._sheet = _lay_out(game, labels).arrays()
        self._long_events = sum(1 << kind for kind in game.views.NOT_BY_NUMBERS)
        self._size = game.info.state.itemsize
        most = HEAD + (game.info.max_seats + 1) * (VIEWER + EVENT * MAX_EVENTS)
        self._report = np.zeros(REPORTS + MOST_JOBS * most, np.int64)
        self._out = np.zeros(ROOM, np.uint8)
        self._lexicon = Lexicon()
        self._lock = threading.Lock()

    def paint(self, record: int, ply: int, viewers: int) -> Painting:
        """What those see whose bits are set in `viewers`: the lowest is a spectator's, then seat by seat.

        The match whose record lies at this address has had `ply` moves.
        """
        while True:
            painting = self.do([record, ply, NOBODY, NO_MOVE, viewers, 0, 0, 0])[0]
            if painting.status == OK:
                return painting
            if painting.status == TOO_MANY:
                raise OverflowError(f"a view takes more than {MOST_NUMBERS - 1} numbers")
            with self._lock:
                self._out = np.zeros(2 * len(self._out), np.uint8)

    def do(self, jobs: Sequence[int]) -> list[Painting]:
        """Play moves, at most `MOST_JOBS`, each of another match, and show what became of them.

        Jobs are the numbers that `RECORD` tells of, one job after the other. As many are done as there is room for.
        Raises a `JobFailed` if rules fail.
        """
        with self._lock:
            rows = np.frombuffer(array("q", jobs), np.int64).reshape(-1, JOB)
            known = self._lexicon
            lexicon = known.keys, known.places, known.words
            try:
                count = self._portray(
                    rows, len(rows), self._size, self._long_events, *self._sheet, *lexicon, self._out, self._report
                )
            except Exception as error:
                raise JobFailed(self.doing()) from error
            used, end = self._report[USED:REPORTS].tolist()
            report, out = self._report[:end].tolist(), self._out[:used].tobytes()
        return _read(report, count, out, self._size)

    def learn(self, event: Event, text: bytes) -> None:
        """Say an event like this in letters, see `Lexicon.learn`."""
        with self._lock:
            self._lexicon.learn(event, text)

    def doing(self) -> int:
        """The number of the job that is being done just now."""
        return int(self._report[DOING])


def _read(report: list[int], count: int, out: bytes, size: int) -> list[Painting]:
    paintings = []
    at = REPORTS
    for _ in range(count):
        end, status, begin, head_end = report[at : at + HEAD]
        at += HEAD
        if status == TOLD:
            letters = [out[report[k] : report[k + 1]] for k in range(at, end, LETTER)]
            paintings.append(Painting(status, b"", NO_PORTRAIT, [], letters))
            at = end
            continue
        spectators = NO_PORTRAIT
        portraits = []
        while at < end:
            viewer, first, last, look, num_events = report[at : at + VIEWER]
            at += VIEWER
            events = spectators.events
            if num_events != AS_SPECTATORS:
                events = [tuple(report[k : k + EVENT]) for k in range(at, at + EVENT * num_events, EVENT)]
                at += EVENT * num_events
            portrait = Portrait(viewer, out[first:last], events, out[look : look + size] if look >= 0 else b"")
            if viewer == NOBODY:
                spectators = portrait
            if portrait.rest:
                portraits.append(portrait)
        paintings.append(Painting(status, out[begin:head_end], spectators, portraits))
    return paintings


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
    game.new(seed=0).paint(painter, bit(0))
