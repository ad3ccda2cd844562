"""Painting matches: what compiled code (`portray.py`) has to be told, and what it tells, for Python.

A `Painter` shows one match, or plays and shows the moves of many at once.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from ludotheque.core import registry, shape, warm
from ludotheque.core.desks import MOST_TAKEN, Desks, Tray
from ludotheque.core.game import Game
from ludotheque.core.jit import COMPILED, VIEW_TEMPLATES
from ludotheque.core.kernels import OK, OVER
from ludotheque.core.portray import (
    AS_SPECTATORS,
    COMMON_AT,
    COVERED,
    DOING,
    END,
    EVENT,
    FIRST_WORDS,
    HEAD,
    JOB,
    MORE_AT,
    MOST_FIELDS,
    NAME,
    NAMES,
    NO_MOVE,
    NO_SENDER,
    OPENING_AT,
    OWN_AT,
    PARCEL,
    REPORTS,
    SECTIONS,
    TOLD,
    TOO_MANY,
    VIEWER,
    find_event,
    kernels,
)
from ludotheque.core.raw import CAN_RECEIVE
from ludotheque.core.record import MAX_EVENTS, NOBODY
from ludotheque.core.shape import MOST_NUMBERS, More, Sheet, each, fields, flag, number, word
from ludotheque.core.traffic import COUNTS, LATE, NUM_HELD, SPECIAL, STATUS

MOST_JOBS = MOST_TAKEN
"""How many jobs are done in one go."""
ROOM = 1 << 19
"""Bytes for views, to begin with."""

SHOW = "show"
warm.PURPOSES.setdefault(
    SHOW, warm.Purpose((("portray", "permit", "post", "take_in", "deliver", "let_go"),), VIEW_TEMPLATES, __name__)
)

Event = tuple[int, ...]
"""The numbers of an event: its kind, its seat, and three more."""
Written = npt.NDArray[np.uint8]
"""Where letters stand."""


class Portrait(msgspec.Struct, gc=False):
    """What one viewer is shown of a match."""

    viewer: int
    rest: bytes
    """The view as JSON, from the end of its rounds."""
    events: list[Event]
    """What the viewer saw of the last move, or of the deal; if that is what spectators saw, the very same list."""
    look: bytes
    """The record as the viewer may know it; empty if no event needs it to be told."""


_NO_LETTER = (0,) * (JOB - NAMES)
"""How a job ends that is to lead to a view only."""
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
    letters: list[int] = []
    """For the same: from where to where each one's letter stands, one after the other; then, if a round has ended, its
    entry, but for the last brace."""
    patient: int = NO_SENDER
    """Whose letter may wait: who has moved and is not at turn."""


def _lay_out(game: Game, labels: Sequence[str], opening: Callable[[Sheet], None]) -> Sheet:
    """The sheet of a game's views in a language, whose moves have these labels; and of the openings of letters."""
    moves = [
        msgspec.json.encode({"id": action, "move": game.moves.texts[action], "label": label})
        for action, label in enumerate(labels)
    ]
    sheet = Sheet()
    sections = [sheet.order(shape.LITERAL) for _ in range(4)]  # these only say where sections begin
    assert ([place + 1 for place in sections], len(sheet)) == ([COMMON_AT, OWN_AT, OPENING_AT, MORE_AT], SECTIONS)
    common_at, own_at, opening_at, more_at = sections
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
    sheet.close(opening_at)
    opening(sheet)
    sheet.close(more_at)
    return sheet


def _lay_fields(game: Game, sheet: Sheet, say: Callable[[str, Any], str]) -> npt.NDArray[np.int32]:
    """Lay out what events tell more than their numbers. A row for each kind: see `MOST_FIELDS` and `COVERED`."""
    told = told_more(game)
    rows = np.zeros((1 + max(told, default=0), COVERED + 1), np.int32)
    for kind, more in told.items():
        shapes = list(more.shown)
        assert len(shapes) <= MOST_FIELDS
        for place, (_, one) in enumerate(shapes):
            rows[kind, place] = sheet.part()
            one.lay(sheet)
        rows[kind, len(shapes) : MOST_FIELDS] = sheet.part()
        for place, (name, one) in enumerate(shapes):
            rows[kind, MOST_FIELDS + place] = sheet.part()
            one.lay_said(sheet, partial(say, name))
        rows[kind, MOST_FIELDS + len(shapes) : COVERED] = sheet.part()
        rows[kind, COVERED] = _set_of(more.covers)
    return rows


def told_more(game: Game) -> dict[int, More]:
    """The kinds of events that compiled code can tell although they take more than their numbers."""
    return getattr(game.views, "MORE", {})


def _set_of(kinds: Iterable[int]) -> int:
    return sum(1 << kind for kind in kinds)


def no_opening(sheet: Sheet) -> None:
    """Letters begin with the events."""


def pack_names(names: Sequence[bytes]) -> bytes:
    """Names, JSON without quotes, as letters take them: each with its length before it."""
    return b"".join((bytes([len(name)]) + name).ljust(NAME) for name in names)


def new_room() -> Written:
    """Room for views or letters."""
    return np.zeros(ROOM, np.uint8)


class Lexicon:
    """Events in words, in one language, for compiled code: a table with open places."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.keys = np.zeros((1 << 9, EVENT), np.int64)
        self.places = np.zeros((1 << 9, 2), np.int64)
        """From where to where the words of an event stand; (0, 0) for a free place."""
        self.words = np.zeros(1 << 16, np.uint8)
        self._used = 0
        self._count = 0
        self._add_words(FIRST_WORDS)

    def _add_words(self, text: bytes) -> None:
        end = self._used + len(text)
        if end > len(self.words):
            self.words = np.concatenate([self.words, np.zeros(end, np.uint8)])
        self.words[self._used : end] = np.frombuffer(text, np.uint8)
        self._used = end

    def _make_places(self) -> None:
        """Have twice as many."""
        keys, places = self.keys, self.places
        self.keys, self.places = np.zeros_like(keys).repeat(2, 0), np.zeros_like(places).repeat(2, 0)
        for old in np.flatnonzero(places[:, 1]):
            place = find_event(self.keys, self.places, *keys[old].tolist())
            self.keys[place], self.places[place] = keys[old], places[old]

    def learn(self, event: Event, text: bytes) -> None:
        """Say an event like this: JSON, in which bytes from `FIRST_MARK` on stand for names."""
        if 2 * self._count >= len(self.keys):
            self._make_places()
        place = find_event(self.keys, self.places, *event)
        if self.places[place, 1] == 0:
            first = self._used
            self._add_words(text)
            self.keys[place], self.places[place] = event, (first, self._used)
            self._count += 1


class Told(NamedTuple):
    """What became of the moves on a tray."""

    num_played: int
    special: list[list[int]]
    """Those that are not done with, see `traffic.STATUS`."""
    late: list[list[int]]
    """Letters that did not leave, see `traffic.JOB_LATE`."""
    paintings: list[Painting]
    """Of all, if there is any whose status is neither `TOLD` nor `OVER`."""


class JobFailed(Exception):
    """The rules have failed at a job. Those before it were done, but not shown."""

    def __init__(self, number: int) -> None:
        super().__init__(f"the rules have failed at job {number}")
        self.number = number


class Painter:
    """Writes views of a game in one language, whose moves have these labels. Threads may share it.

    `opening` lays out what letters begin with, see `OPENING_AT`; `say` tells how a value of some name is said.
    """

    def __init__(
        self,
        game: Game,
        labels: Sequence[str],
        opening: Callable[[Sheet], None] = no_opening,
        say: Callable[[str, Any], str] = lambda name, value: str(value),
    ) -> None:
        self._portray = kernels(game).portray
        self._post = kernels(game).post
        self._deliver = kernels(game).deliver
        sheet = _lay_out(game, labels, opening)
        fields_at = _lay_fields(game, sheet, say)
        self._sheet = *sheet.arrays(), fields_at
        long_events: frozenset[int] = game.views.NOT_BY_NUMBERS
        self._kinds = _set_of(long_events), _set_of(long_events - told_more(game).keys())
        self._size = game.info.state.itemsize
        most = HEAD + (game.info.max_seats + 1) * (VIEWER + EVENT * MAX_EVENTS)
        self._report = np.zeros(REPORTS + MOST_JOBS * most, np.int64)
        self._special = np.zeros((MOST_JOBS + 1, SPECIAL), np.int64)
        self._counts = np.zeros(COUNTS, np.int64)
        self._late = np.zeros((MOST_JOBS * (game.info.max_seats + 1), LATE), np.int64)
        self._out = new_room()
        self._lexicon = Lexicon()
        self._lock = threading.Lock()

    def paint(self, record: int, ply: int, viewers: int) -> Painting:
        """What those see whose bits are set in `viewers`: the lowest is a spectator's, then seat by seat.

        The match whose record lies at this address has had `ply` moves.
        """
        while True:
            [painting] = self.do([record, ply, NOBODY, NO_MOVE, viewers, *_NO_LETTER])
            if painting.status == OK:
                return painting
            if painting.status == TOO_MANY:
                raise OverflowError(f"a view takes more than {MOST_NUMBERS - 1} numbers")
            with self._lock:
                self._out = np.zeros(2 * len(self._out), np.uint8)

    def do(self, jobs: Sequence[int], endings: bytes = b"", out: Written | None = None) -> list[Painting]:
        """Play moves, at most `MOST_JOBS`, each of another match, and show what became of them.

        Jobs are the numbers that `RECORD` tells of, one job after the other. As many are done as there is room for. For
        letters there must be an `out` where they are to stand. Raises a `JobFailed` if rules fail.
        """
        with self._lock:
            out = self._out if out is None else out
            rows = np.frombuffer(array("q", jobs), np.int64).reshape(-1, JOB)
            if len(rows) > MOST_JOBS:
                raise ValueError(f"{len(rows)} jobs at once; at most {MOST_JOBS}")
            return self._read(self._do(rows, len(rows), np.frombuffer(endings or b"}", np.uint8), out), out)

    def _do(self, jobs: npt.NDArray[np.int64], count: int, endings: Written, out: Written) -> int:
        known = self._lexicon
        texts = known.keys, known.places, known.words, endings
        try:
            done: int = self._portray(jobs, count, self._size, *self._kinds, *self._sheet, *texts, out, self._report)
        except Exception as error:
            raise JobFailed(self.doing()) from error
        return done

    def _read(self, count: int, out: Written) -> list[Painting]:
        return _read(self._report[: self._report[END]].tolist(), count, out, self._size)

    def tell(self, tray: Tray, desks: Desks, can_hold: bool, out: Written) -> Told:
        """Play the moves on a tray, and send what became of them. Raises a `JobFailed` if rules fail.

        As many are done as there is room for in `out`.
        """
        with self._lock:
            done = self._do(tray.jobs, tray.count, tray.endings, out)
            counts = self._counts
            counts[NUM_HELD] = desks.num_held
            self._deliver(
                tray.jobs, done, self._size, self._report, desks.lines, desks.desks, can_hold, out, self._special,
                self._late, desks.held, counts,
            )  # fmt: skip
            num_special, num_late, desks.num_held = counts.tolist()
            special = self._special[:num_special].tolist()
            paintings: list[Painting] = []
            if any(one[STATUS] not in (TOLD, OVER) for one in special):
                paintings = self._read(done, out)
            return Told(done, special, self._late[:num_late].tolist(), paintings)

    def post(self, out: Written, parcels: Sequence[int]) -> list[int]:
        """Send letters over sockets that do not wait: how many bytes of each are left, which stand last.

        Parcels are the numbers that `DESCRIPTOR` tells of, one parcel after the other.
        """
        rows = np.frombuffer(array("q", parcels), np.int64).reshape(-1, PARCEL)
        left = np.empty(len(rows), np.int64)
        self._post(out, rows, left)
        return left.tolist()

    def learn(self, event: Event, text: bytes) -> None:
        """Say an event like this in letters, see `Lexicon.learn`."""
        with self._lock:
            self._lexicon.learn(event, text)

    def forget(self) -> None:
        """Forget all that was learnt."""
        with self._lock:
            self._lexicon.forget()

    def doing(self) -> int:
        """The number of the job that is being done just now."""
        return int(self._report[DOING])


class Referee:
    """Says of many moves at once whether they are legal. For one thread."""

    def __init__(self, game: Game) -> None:
        self._permit = kernels(game).permit
        self._size = game.info.state.itemsize
        self._asking = np.zeros(1, np.int64)

    def allows(self, questions: Sequence[int]) -> list[bool]:
        """Whether each is legal: three numbers for each, the address of a match's record, a seat and an action."""
        rows = np.frombuffer(array("q", questions), np.int64).reshape(-1, 3)
        answers = np.zeros(len(rows), np.bool_)
        self._permit(rows, self._size, answers, self._asking)
        return answers.tolist()

    def asking(self) -> int:
        """The number of the question that is being answered just now."""
        return int(self._asking[0])


def _read(report: list[int], count: int, out: Written, size: int) -> list[Painting]:
    paintings = []
    at = REPORTS
    for _ in range(count):
        end, status, begin, head_end = report[at : at + HEAD]
        at += HEAD
        if status == TOLD:
            paintings.append(Painting(status, b"", NO_PORTRAIT, [], report[at:end], begin))
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
            record = out[look : look + size].tobytes() if look >= 0 else b""
            portrait = Portrait(viewer, out[first:last].tobytes(), events, record)
            if viewer == NOBODY:
                spectators = portrait
            if portrait.rest:
                portraits.append(portrait)
        paintings.append(Painting(status, out[begin:head_end].tobytes(), spectators, portraits))
    return paintings


def bit(viewer: int) -> int:
    """The bit of a seat, or of spectators (`NOBODY`), in a set of viewers."""
    return 1 << (viewer + 1)


def is_ready(game: Game) -> bool:
    """Whether views of a game can be written by compiled code: it has been compiled for that."""
    return COMPILED and warm.is_warm(game.id, SHOW)


def compile_entries(game_id: str, names: Sequence[str], done: Callable[[], None]) -> None:
    """Compile the entries for a game in this process, by calling them once; that puts them into the cache too."""
    load(registry.load(game_id))
    for _ in names:
        done()


def load(game: Game) -> None:
    """Read the entries into this process, or compile them."""
    painter = Painter(game, [""] * game.info.num_actions)
    match = game.new(seed=0)
    match.paint(painter, bit(0))
    Referee(game).allows([match.address, 0, 0])
    painter.post(np.zeros(1, np.uint8), [])
    if CAN_RECEIVE:
        desks, tray = Desks(game, no_opening), Tray()
        desks.take_in(tray, 0.0, 0)
        painter.tell(tray, desks, False, new_room())
        desks.let_go()
        desks.close()
