"""Painting matches: what compiled code (`portray.py`) has to be told, and what it tells, for Python.

A `Painter` shows one match, or plays and shows the moves of many at once.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from ludotheque.core import registry, shape, warm
from ludotheque.core.game import Game
from ludotheque.core.jit import COMPILED, VIEW_TEMPLATES
from ludotheque.core.kernels import OK
from ludotheque.core.portray import (
    AS_SPECTATORS,
    BETWEEN,
    COMMON_AT,
    DOING,
    EVENT,
    HEAD,
    JOB,
    LETTER,
    NAME,
    NO_MOVE,
    OWN_AT,
    REPORTS,
    SECTIONS,
    TOLD,
    TOO_MANY,
    USED,
    VIEWER,
    find_event,
    kernels,
)
from ludotheque.core.record import MAX_EVENTS, NOBODY
from ludotheque.core.shape import MOST_NUMBERS, Sheet, each, fields, flag, number, word

MOST_JOBS = 64
"""How many jobs are done in one go."""
ROOM = 1 << 19
"""Bytes for views, to begin with."""

SHOW = "show"
warm.PURPOSES.setdefault(SHOW, warm.Purpose((("portray", "permit"),), VIEW_TEMPLATES, __name__))

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
    letters: list[memoryview] = []
    """For the same: what they saw of the last move in words, `BETWEEN`, and the view."""


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


def pack_names(names: Sequence[bytes]) -> bytes:
    """Names, JSON without quotes, as letters take them: each with its length before it."""
    return b"".join((bytes([len(name)]) + name).ljust(NAME) for name in names)


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
        self._add_words(BETWEEN + b"[,]")

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
            if len(rows) > MOST_JOBS:
                raise ValueError(f"{len(rows)} jobs at once; at most {MOST_JOBS}")
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


def _read(report: list[int], count: int, out: bytes, size: int) -> list[Painting]:
    paintings = []
    parts = memoryview(out)
    at = REPORTS
    for _ in range(count):
        end, status, begin, head_end = report[at : at + HEAD]
        at += HEAD
        if status == TOLD:
            letters = [parts[report[k] : report[k + 1]] for k in range(at, end, LETTER)]
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
