"""Views as JSON, written by compiled code: what the game room sends after every move, to everybody at a table.

The same as `core/view.py` builds for Python, less what never changes during a match. `portray` is a template that
`kernels` binds to a game, with `common`, `own` and `more` of its `view.py`: see there what each puts down. Where it can
it writes whole letters, which `post` sends.
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
from ludotheque.core.raw import bytes_at, move, send
from ludotheque.core.record import NOBODY, Buffer
from ludotheque.core.shape import MOST_NUMBERS, NOTHING, copy, put, put_first

# The game's, see docs/adding-a-game.md.
legal: Any
outcome: Any
conceal: Any
common: Any
own: Any
more: Any
record: Any
NUM_ACTIONS: int
MAX_SEATS: int

NO_MOVE = -1
"""The action of a job that only shows a match."""
NO_SENDER = -2
"""In place of a viewer: nobody's letter has an ending of its own, or may wait."""
TOLD = 3
"""How a job went that has led to letters."""
TOO_SMALL, TOO_MANY = -1, -2
"""What can be in the way of a view: `out` is too small; it takes more numbers than it may."""

RECORD, PLY, SEAT, ACTION, VIEWERS, NAMES, ROUNDS, ROUNDS_SIZE, NUMBER, AT, SENDER, ENDING, ENDING_END = range(13)
"""What a job says: where the match's record lies in memory, how many moves it has had before, the seat and action of a
move to be played, and whom to show it to. For letters also where the names lie, see `pack_names`, and the rounds that
have ended, as JSON with commas between them; the number of the event and when it was, in thousandths of a second; and
whose letter has an ending of its own, and from where to where that stands in `endings`. Else 0."""
JOB = 13

DOING, USED, END, REPORTS = range(4)
"""Before the reports: the number of the job that is being done, how much room is used, where the reports end."""
HEAD = 4
"""A report begins with: where it ends, how it went, and from where to where in `out` the part of the views stands that
comes before the rounds; or, if there are letters, twice whose letter may wait: who has moved and is not at turn."""
VIEWER = 5
"""Then, for spectators and all viewers: who it is, from where to where the rest of the view stands, where the concealed
record stands, or -1, and how many events of the last move they saw. Then their numbers."""
LETTER = 2
"""If there are letters, only this comes for each viewer: from where to where the letter stands. Then, if a round has
ended, from where to where that stands in one of them, as JSON but for the last brace."""
AS_SPECTATORS = -1
"""So many events stand for those that spectators saw, who come first."""
EVENT = 5

SHARE = 16
"""A job is not begun unless this part of the room is left for its views."""

BETWEEN = b'}],"view":'
"""Comes in a letter between the events and the view."""
ANSWERS = b',"re":'
"""Comes in the letter to a sender before the ending."""
SIGNS = b"[,]}"
"""What events are put between, and what ends a letter."""
FIRST_WORDS = BETWEEN + SIGNS + ANSWERS
"""With these a lexicon's words begin."""
BETWEEN_SIZE = len(BETWEEN)
OPEN_AT, COMMA_AT, CLOSE_AT, BRACE_AT, ANSWERS_AT = range(BETWEEN_SIZE, BETWEEN_SIZE + 5)
FIRST_END = len(FIRST_WORDS)
FRAME = 10
"""The space before a letter, for the head of a WebSocket's frame."""
FIRST_MARK = MARKS = 16
"""Bytes in a sentence that stand for the names of the seats: the first, and how many there are."""
NAME = 256
"""The space for a name."""
MOST_FIELDS = 7
"""Bytes in an event that stand for what its record tells more: the fields of `more`, from 1 on as JSON, then all once
more as they are said in a sentence."""
COVERED = 2 * MOST_FIELDS + 1
"""Where the row of an event's fields, and of what comes after the last, ends with the set of places that they cover."""
ROUND_MARK = 15
"""The byte up to which an event is the entry of a round that has ended."""

COMMON_AT, OWN_AT, OPENING_AT, MORE_AT, SECTIONS = 1, 3, 5, 7, 8
"""Where a sheet says where the orders begin for what all see alike, for what each sees, for the opening of a letter and
for the fields of `more`; and its own first ones. An opening is told the event's number, that once more, when it was,
the seat and the action."""

WHOLE_TEXT = 0x81
SHORT, LONG = 126, 1 << 16
"""How a frame begins that is a whole text; sizes from which on its head is longer."""
DESCRIPTOR, FIRST, LAST, HELD = range(4)
"""What `post` is told of a letter: where to send it, from where to where it stands, and whether the system is to hold
it back until another follows."""
PARCEL = 4


def portray(
    jobs: Any, count: int, size: int, long_events: int, no_letters: int, orders: Any, texts: Any, ends: Any,
    fields_at: Any, keys: Any, places_of: Any, words: Any, endings: Any, out: Any, report: Any,
) -> int:  # fmt: skip
    """Do as many of these jobs as there is room for: play the move, if there is one, and write views, or letters.

    Jobs are rows, see `RECORD`; records have this size. Events whose kind is in the set `long_events` take more to tell
    than their numbers; of those in `no_letters` there are no letters. `orders`, `texts` and `ends` are a sheet,
    `fields_at` says where in it the fields of `more` begin, rows by kind; `keys`, `places_of` and `words` are a
    `Lexicon`, `endings` those of letters. Each job gets a report, one after the other, see `HEAD`, `VIEWER` and
    `LETTER`. Before them `report` says which job is being done, for those who wonder why it takes so long; see `DOING`.
    Returns how many were done.
    """
    numbers = np.empty(MOST_NUMBERS, np.int64)
    hidden = np.empty(size, np.uint8)
    ids = np.empty(NUM_ACTIONS, np.int16)
    scores = np.zeros(MAX_SEATS, np.int32)
    places = np.zeros(MAX_SEATS, np.int32)
    letters = np.empty(LETTER * (MAX_SEATS + 2), np.int64)
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
                if jobs[job, NAMES] != 0 and not tells_long(s, no_letters):
                    shape.clear(numbers)
                    put(numbers, jobs[job, NUMBER])
                    put(numbers, jobs[job, NUMBER])
                    put(numbers, jobs[job, AT])
                    put(numbers, jobs[job, SEAT])
                    put(numbers, jobs[job, ACTION])
                    opening = at
                    at = shape.write(orders, orders[OPENING_AT], orders[MORE_AT], numbers, texts, ends, out, at)
                    end, at = write_letters(
                        jobs, job, s.num_seats, orders, texts, ends, fields_at, keys, places_of, words, endings,
                        out, opening, at, report, filled, end, letters, numbers, hidden,
                    )  # fmt: skip
                    if report[filled + 1] == TOLD:
                        report[filled + 2] = NO_SENDER if s.actor == jobs[job, SEAT] else jobs[job, SEAT]
                        report[filled + 3] = report[filled + 2]
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
        move(buf, 0, hidden, 0, len(buf))
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
            at = shape.write(orders, orders[OWN_AT], orders[OPENING_AT], numbers, texts, ends, out, at)
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
    jobs: Any, job: int, num_seats: int, orders: Any, texts: Any, ends: Any, fields_at: Any, keys: Any, places_of: Any,
    words: Any, endings: Any, out: Any, opening: int, begin: int, report: Any, first: int, end: int, letters: Any,
    numbers: Any, hidden: Any,
) -> tuple[int, int]:  # fmt: skip
    """Write letters from what a report tells, and report them instead. If that cannot be, everything is left as it is.

    What all begin with stands from `opening` to `begin`. Returns where the report ends, and what is written.
    """
    names = bytes_at(jobs[job, NAMES], num_seats * NAME)
    rounds = bytes_at(jobs[job, ROUNDS], jobs[job, ROUNDS_SIZE])
    ended = letters[LETTER * (MAX_SEATS + 1) :]  # where it will stand at the furthest
    ended[1] = 0
    spectators = first + HEAD + VIEWER
    entry = first + HEAD
    count = 0
    at = begin
    while entry < end and at >= 0:
        events = entry + VIEWER
        num_events = report[events - 1]
        following = events
        if num_events == AS_SPECTATORS:
            events = spectators
            num_events = report[events - 1]
        else:
            following += EVENT * num_events
        if report[entry + 2] > report[entry + 1]:
            at += FRAME
            letters[count] = at
            at = copy(out, opening, begin, out, at)
            look = report[entry + 3]
            if look >= 0:
                copy(out, look, look + len(hidden), hidden, 0)
            at = say_events(
                keys, places_of, words, names, orders, texts, ends, fields_at, report, events, num_events,
                hidden, report[entry], numbers, ended, out, at,
            )  # fmt: skip
            at = copy(words, 0, BETWEEN_SIZE, out, at)
            at = copy(out, report[first + 2], report[first + 3], out, at)
            at = copy(rounds, 0, len(rounds), out, at)
            if ended[1] != 0:
                if len(rounds) > 0:
                    at = copy(words, COMMA_AT, CLOSE_AT, out, at)
                at = copy(out, ended[0], ended[1], out, at)
                at = copy(words, BRACE_AT, ANSWERS_AT, out, at)
            at = copy(out, report[entry + 1], report[entry + 2], out, at)
            if report[entry] == jobs[job, SENDER]:
                at = copy(words, ANSWERS_AT, FIRST_END, out, at)
                at = copy(endings, jobs[job, ENDING], jobs[job, ENDING_END], out, at)
            at = copy(words, BRACE_AT, ANSWERS_AT, out, at)
            letters[count + 1] = at
            count += LETTER
        entry = following
    if at < 0:
        return end, opening
    if ended[1] != 0:
        letters[count] = ended[0]
        letters[count + 1] = ended[1]
        count += LETTER
    report[first + 1] = TOLD
    back = begin - report[first + 2]  # over what the letters were made of
    move(out, begin, out, begin - back, at - begin)
    for i in range(count):
        report[first + HEAD + i] = letters[i] - back
    return first + HEAD + count, at - back


def say_events(
    keys: Any, places_of: Any, words: Any, names: Any, orders: Any, texts: Any, ends: Any, fields_at: Any, report: Any,
    events: int, num_events: int, hidden: Any, viewer: int, numbers: Any, ended: Any, out: Any, at: int,
) -> int:  # fmt: skip
    """Write events in words, from a report; a negative number if one is not in the lexicon, or has nothing for a field.

    What more they tell is in `hidden`, the record as the viewer may know it. If a round has ended, `ended` becomes from
    where to where that stands.
    """
    look = record(hidden)
    at = copy(words, OPEN_AT, COMMA_AT, out, at)
    for k in range(num_events):
        if k > 0:
            at = copy(words, COMMA_AT, CLOSE_AT, out, at)
        i = events + EVENT * k
        kind = report[i]
        covered = fields_at[kind, COVERED] if kind < len(fields_at) else 0
        place = find_event(
            keys, places_of, kind, report[i + 1],
            0 if covered & 4 else report[i + 2], 0 if covered & 8 else report[i + 3],
            0 if covered & 16 else report[i + 4],
        )  # fmt: skip
        if places_of[place, 1] == 0 or at < 0:
            return TOO_SMALL
        begin = at
        j = places_of[place, 0]
        end = places_of[place, 1]
        while True:
            mark = j
            while mark < end and words[mark] >= FIRST_MARK + MARKS:
                mark += 1
            at = copy(words, j, mark, out, at)
            if mark == end:
                break
            j = mark + 1
            letter = words[mark]
            if letter >= FIRST_MARK:
                name = (letter - FIRST_MARK) * NAME
                at = copy(names, name + 1, name + 1 + names[name], out, at)
            elif letter == ROUND_MARK:
                ended[0] = begin
                ended[1] = at
            else:
                shape.clear(numbers)
                more(look, viewer, kind, (letter - 1) % MOST_FIELDS, numbers)
                if numbers[0] == 1:  # nothing was put down: Python knows how to tell that
                    return TOO_SMALL
                first, last = fields_at[kind, letter - 1], fields_at[kind, letter]
                at = shape.write(orders, first, last, numbers, texts, ends, out, at)
    return copy(words, CLOSE_AT, BRACE_AT, out, at)


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


def post(out: Any, parcels: Any, left: Any) -> None:
    """Send letters, each as a frame of a WebSocket, without waiting; `parcels` are rows, see `DESCRIPTOR`.

    There must be space before each, see `FRAME`. Says how many bytes of each frame are left: 0 if it went well.
    """
    for k in range(len(parcels)):
        first = put_frame(out, parcels[k, FIRST], parcels[k, LAST] - parcels[k, FIRST])
        size = parcels[k, LAST] - first
        left[k] = size - max(0, send(parcels[k, DESCRIPTOR], out, first, size, parcels[k, HELD]))


def put_frame(out: Any, first: int, size: int) -> int:
    """Write the head of a frame before a text of this size. Returns where it begins."""
    if size < SHORT:
        out[first - 1] = size
        first -= 1
    elif size < LONG:
        out[first - 1] = size & 255
        out[first - 2] = size >> 8
        out[first - 3] = SHORT
        first -= 3
    else:
        for i in range(8):
            out[first - 1 - i] = (size >> 8 * i) & 255
        out[first - 9] = SHORT + 1
        first -= 9
    out[first - 1] = WHOLE_TEXT
    return first - 1


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


def put_no_more(s: Any, viewer: int, kind: int, field: int, out: Any) -> None:
    """`more` for games whose events tell nothing that is not in their numbers."""


LEAN: tuple[Template, ...] = (tells_long, tell_events, find_event, put_frame)
INNER: tuple[Template, ...] = (allows, play, show, say_events, write_letters)
ENTRIES: tuple[Template, ...] = (portray, permit, post)
STAND_INS: dict[str, Template] = {"common": put_nothing, "own": put_nothing_own, "more": put_no_more}


@cache
def kernels(game: Game) -> SimpleNamespace:
    """The compiled entry points of this module, and of `traffic.py`, for a game."""
    from ludotheque.core import traffic

    lean_ones, entries = (*LEAN, *traffic.LEAN), (*ENTRIES, *traffic.ENTRIES)
    return game.bind(VIEW_TEMPLATES, INNER, entries, lean_ones=lean_ones, hooks=game.views, stand_ins=STAND_INS)
