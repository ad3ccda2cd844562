"""Views as JSON, written by compiled code: what the game room sends after every move, to everybody at a table.

The same as `core/view.py` builds for Python, less what never changes during a match. `portray` is a template that
`kernels` binds to a game, with `common` and `own` of its `view.py`: see there what each puts down.
"""

# ruff: noqa: F821 (templates: the names they use are the game's, put in place when they are bound)

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from ludotheque.core import shape
from ludotheque.core.game import Game
from ludotheque.core.jit import VIEW_TEMPLATES
from ludotheque.core.kernels import OK, Template, allows, play
from ludotheque.core.raw import bytes_at, move
from ludotheque.core.record import NOBODY, Buffer
from ludotheque.core.shape import MOST_NUMBERS, NOTHING, copy, put, put_first

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

SHARE = 16
"""A job is not begun unless this part of the room is left for its views."""

BETWEEN = b'}],"view":'
"""Comes in a letter between the events and the view."""
BETWEEN_SIZE = len(BETWEEN)
FIRST_MARK = MARKS = 16
"""Bytes in a sentence that stand for the names of the seats: the first, and how many there are."""
NAME = 256
"""The space for a name."""

COMMON_AT, OWN_AT, SECTIONS = 1, 3, 4
"""Where a sheet says where the orders begin for what all see alike, and for what each sees; and its own first ones."""


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


def permit(questions: Any, size: int, answers: Any, asking: Any) -> None:
    """Whether moves are legal, each of them in a match of its own: rows of where its record lies, a seat, an action.

    `asking` says which question is being answered, for those who wonder why it takes so long.
    """
    ids = np.empty(NUM_ACTIONS, np.int16)
    for k in range(len(questions)):
        asking[0] = k
        answers[k] = allows(bytes_at(questions[k, 0], size), questions[k, 1], questions[k, 2], ids)


def put_nothing(s: Any, out: Any) -> None:
    """`common` for games that show nothing to all."""


def put_nothing_own(s: Any, seat: int, out: Any) -> None:
    """`own` for games that show a seat no more than all see."""


INNER: tuple[Template, ...] = (allows, play, tells_long, tell_events, show, find_event, say_events, write_letters)
ENTRIES: tuple[Template, ...] = (portray, permit)
STAND_INS: dict[str, Template] = {"common": put_nothing, "own": put_nothing_own}


@cache
def kernels(game: Game) -> SimpleNamespace:
    """The compiled entry points of this module for a game."""
    return game.bind(VIEW_TEMPLATES, INNER, ENTRIES, hooks=game.views, stand_ins=STAND_INS)
