"""Moves that come over sockets, and letters that leave over them: compiled code reads, judges and sends many at a time.

What it has to know of a connection is a row of `lines` and of `rates`, by the descriptor of its socket; of a table, a
row of `desks`. Whoever calls it keeps them true. `take_in` takes those moves from the sockets that are as usual and may
be played, and passes on all else as it came. Once they are stored, `portray` plays them and writes letters, and
`deliver` sends these.
"""

# ruff: noqa: F821 (templates: the names they use are the game's, put in place when they are bound)

from __future__ import annotations

from typing import Any

import numpy as np

from ludotheque.core import shape
from ludotheque.core.kernels import OVER, Template
from ludotheque.core.portray import (
    ACTION,
    AT,
    ENDING,
    ENDING_END,
    HEAD,
    JOB,
    LETTER,
    NUMBER,
    PLY,
    RECORD,
    REPORTS,
    SEAT,
    SENDER,
    TOLD,
    VIEWERS,
)
from ludotheque.core.raw import IS_READABLE, READY, await_ready, bytes_at, push, receive, send
from ludotheque.core.record import NOBODY
from ludotheque.core.shape import copy, put

# The game's, see docs/adding-a-game.md; and other templates.
allows: Any
put_frame: Any
record: Any
NUM_ACTIONS: int

DESK, PLACE, IS_CLEAR, SENT = range(4)
"""What a line says: at which desk the table of this connection lies, if anywhere; the seat; whether whole frames can be
written to the socket as it is; and the number of the last event that was sent."""
LINE = 4
HEARD, LEFT, LAST, PER_SECOND, AT_ONCE = range(5)
"""What rates say: when the line was last heard, and how much more may come over it: see `limits.Bucket`."""
RATE = 5

IS_OPEN, FRESH, LINES_AT = range(JOB, JOB + 3)
"""A desk begins like a job, with what is known before a move: so its number is that of the table's next event. Then
comes whether moves are taken in there, what their `seq` must be at least, and the line of every viewer, spectators
first, who have one each at most."""
DESK_SIZE = LINES_AT + 17

DESK_OF, LINE_OF, NUMBER_OF, ACTION_OF, EVENT_AT, ID_AT, EVENT_END = range(JOB, JOB + 7)
"""What a job ends with that was taken in: its desk, the line that it came over, once more the number and the action,
and where its event stands in `texts`, as JSON: from where, where the id of the message begins, which is last, and to
where."""
TAKEN = JOB + 7

AT_DESK, NUM_TAKEN, USED_TEXT, NUM_PASSED = range(4)
"""What the state says: the desk that is being judged at, how many jobs there are, how much of `texts` is used, and how
much is passed on."""
STATES = 4

LINE_PASSED, PASSED_AT, PASSED_END, IS_WHOLE = range(4)
"""What is said of what is passed on: the line, from where to where it stands in `raw`, and whether it is made of whole
frames. If there is nothing, the line has ended or failed."""
PASSED = 4

JOB_SPECIAL, STATUS, ROUND_AT, ROUND_END = range(4)
"""What is said of a job that is not done with: how it went; and from where to where a round stands that has ended, if
one has, see `LETTER`."""
SPECIAL = 4
HELD_LINE, HELD_NUMBER = range(2)
"""What is said of a letter that is held back: over which line, and which event it tells."""
HOLDING = 2
JOB_LATE, LINE_LATE, LATE_AT, LATE_END, IS_BEGUN = range(5)
"""A letter that did not leave: of which job, over which line, and from where to where it stands; or what is left of its
frame, if that has been begun."""
LATE = 5
NUM_SPECIAL, NUM_LATE, NUM_HELD = range(3)
"""What `deliver` counts."""
COUNTS = 3

CHUNK = 2048
"""How much is read from a line in one go."""
MOST_TEXT = 125
"""The size of a message that is looked at here."""
MOST_ID = 40
EVENT_ROOM = 256
"""The space for an event of a move with such a message."""

KEYS = np.frombuffer(b"typeidseqmove", np.uint8)
KEY_ENDS = np.array([0, 4, 6, 9, 13])
TYPE_KEY, ID_KEY, SEQ_KEY, MOVE_KEY = range(4)
ALL_KEYS = 15
NUMBER_FOUND = -1
"""Stands for the end of a text where a number was found."""
MOST_DIGITS = 15

QUOTE, BACKSLASH, COLON, COMMA, OPEN_BRACE, CLOSE_BRACE, SPACE, ZERO, NINE = b'"\\:,{} 09'
DELETE = 127

WHOLE, LAST_CONTROL, CONTROL, MASKED = 0x80, 10, 8, 0x80
WHOLE_TEXT = 0x81
MASK = 4
"""The bytes that a client's message is masked with."""
SHORT, MIDDLE = 126, 127
"""How a frame says that its size comes after."""


def take_in(
    poll: int, now: float, at: int, size: int, ready: Any, lines: Any, rates: Any, desks: Any, raw: Any, passed: Any,
    jobs: Any, texts: Any, moves: Any, move_ends: Any, move_places: Any, orders: Any, words: Any, word_ends: Any,
    state: Any,
) -> None:  # fmt: skip
    """Take in the moves that have come over the lines of an epoll object, as jobs; pass on what else has come.

    It is `now` by the loop's clock, and `at` in thousandths of a second since 1970; records have this size. `moves` are
    the moves as text, see `find_move`; `orders`, `words` and `word_ends` a sheet for the event of a move, up to its id.
    A desk is closed when a move is taken in there.
    """
    ids = np.empty(NUM_ACTIONS, np.int16)
    text = np.empty(MOST_TEXT, np.uint8)
    found = np.empty(2 * len(KEY_ENDS), np.int64)
    numbers = np.empty(4, np.int64)
    state[NUM_PASSED] = 0
    read = 0
    for k in range(await_ready(poll, ready, len(raw) // CHUNK)):
        job = state[NUM_TAKEN]
        if job == len(jobs) or state[USED_TEXT] + EVENT_ROOM > len(texts):
            break
        # All is passed on that does not come to the end of this; so it is if the rules fail.
        line = number_in(ready, (k + 1) * READY - 8)
        place = state[NUM_PASSED]
        state[NUM_PASSED] = place + 1
        passed[place, LINE_PASSED] = line
        passed[place, PASSED_AT] = read
        passed[place, PASSED_END] = read
        passed[place, IS_WHOLE] = 0
        if number_in(ready, k * READY) != IS_READABLE:
            continue
        count = receive(line, raw, read, CHUNK)
        if count <= 0:
            continue
        first = read
        read += count
        passed[place, PASSED_END] = read
        passed[place, IS_WHOLE] = is_whole(raw, first, read)
        length = unmask(raw, first, read, text)
        if length < 0 or not find_keys(text, length, found):
            continue
        desk = lines[line, DESK]
        seat = lines[line, PLACE]
        id_at, id_end, seq = found[2 * ID_KEY], found[2 * ID_KEY + 1], found[2 * SEQ_KEY]
        if (
            not desks[desk, IS_OPEN]
            or seat == NOBODY
            or desks[desk, LINES_AT + 1 + seat] != line
            or not desks[desk, FRESH] <= seq < desks[desk, NUMBER]
            or not 0 < id_end - id_at <= MOST_ID
        ):
            continue
        action = found[2 * MOVE_KEY]
        if found[2 * MOVE_KEY + 1] != NUMBER_FOUND:
            action = find_move(text, action, found[2 * MOVE_KEY + 1], moves, move_ends, move_places)
        if not 0 <= action < NUM_ACTIONS:
            continue
        state[AT_DESK] = desk
        if not allows(bytes_at(desks[desk, RECORD], size), seat, action, ids) or not spend(rates, line, now):
            continue
        state[NUM_PASSED] = place
        rates[line, HEARD] = now
        for i in range(JOB):
            jobs[job, i] = desks[desk, i]
        numbers[0] = 1
        put(numbers, at)
        put(numbers, seat)
        put(numbers, action)
        begin = state[USED_TEXT]
        end = shape.write(orders, 0, len(orders), numbers, words, word_ends, texts, begin)
        jobs[job, ENDING] = end
        end = copy(text, id_at - 1, id_end + 1, texts, end)  # with its quotes
        jobs[job, ENDING_END] = end
        texts[end] = CLOSE_BRACE
        jobs[job, SEAT] = seat
        jobs[job, SENDER] = seat
        jobs[job, ACTION] = action
        jobs[job, AT] = at
        jobs[job, DESK_OF] = desk
        jobs[job, LINE_OF] = line
        jobs[job, NUMBER_OF] = jobs[job, NUMBER]
        jobs[job, ACTION_OF] = action
        jobs[job, EVENT_AT] = begin
        jobs[job, ID_AT] = jobs[job, ENDING] + 1
        jobs[job, EVENT_END] = end + 1
        state[USED_TEXT] = end + 1
        state[NUM_TAKEN] = job + 1
        desks[desk, IS_OPEN] = 0


def number_in(entries: Any, at: int) -> int:
    """The number in four bytes."""
    return entries[at] | entries[at + 1] << 8 | entries[at + 2] << 16 | entries[at + 3] << 24


def is_whole(raw: Any, first: int, end: int) -> bool:
    """Whether a part of `raw` is made of whole frames, none of which is but a part of a message."""
    while first + 2 <= end:
        kind, size = raw[first] ^ WHOLE, raw[first + 1] & ~MASKED
        if not (0 < kind < 3 or CONTROL <= kind <= LAST_CONTROL):
            return False
        head = 2 + (MASK if raw[first + 1] & MASKED else 0)
        if size >= SHORT:
            num_bytes = 2 if size == SHORT else 8
            if first + 2 + num_bytes > end:
                return False
            size = 0
            for i in range(num_bytes):
                size = size << 8 | raw[first + 2 + i]
            head += num_bytes
        if size < 0 or size > end - first - head:
            return False
        first += head + size
    return first == end


def unmask(raw: Any, first: int, end: int, text: Any) -> int:
    """The size of the text that a part of `raw` is the frame of, and nothing else; -1 if it is something else."""
    size = end - first - 2 - MASK
    if not 0 < size <= MOST_TEXT or raw[first] != WHOLE_TEXT or raw[first + 1] != MASKED | size:
        return -1
    for i in range(size):
        text[i] = raw[first + 2 + MASK + i] ^ raw[first + 2 + i % MASK]
    return size


def find_keys(text: Any, size: int, found: Any) -> bool:
    """Whether a text is a message with a move, and simple enough; where it says what, by the numbers of the keys.

    Texts are found from where to where they stand without quotes; numbers as they are, and `NUMBER_FOUND`.
    """
    at = skip(text, 0, size)
    if at == size or text[at] != OPEN_BRACE:
        return False
    seen = 0
    while True:
        at = skip(text, at + 1, size)
        last = end_of_text(text, at, size)
        key = find_key(text, at + 1, last)
        if key < 0 or (seen >> key) & 1:
            return False
        seen |= 1 << key
        at = skip(text, last + 1, size)
        if at == size or text[at] != COLON:
            return False
        at = skip(text, at + 1, size)
        last = end_of_text(text, at, size)
        found[2 * key] = at + 1
        found[2 * key + 1] = last
        if last < 0:
            last = at
            value = 0
            while last < size and ZERO <= text[last] <= NINE:
                value = 10 * value + text[last] - ZERO
                last += 1
            if not 0 < last - at <= MOST_DIGITS or (text[at] == ZERO and last > at + 1) or key < SEQ_KEY:
                return False
            found[2 * key] = value
            found[2 * key + 1] = NUMBER_FOUND
            last -= 1
        elif key == SEQ_KEY or (key == TYPE_KEY and find_key(text, at + 1, last) != MOVE_KEY):
            return False
        at = skip(text, last + 1, size)
        if at < size and text[at] == CLOSE_BRACE:
            return seen == ALL_KEYS and skip(text, at + 1, size) == size
        if at == size or text[at] != COMMA:
            return False


def skip(text: Any, at: int, size: int) -> int:
    """Where the next byte stands that is no space."""
    while at < size and text[at] == SPACE:
        at += 1
    return at


def end_of_text(text: Any, at: int, size: int) -> int:
    """Where the quotes are that end what begins with quotes here; -1 if nothing does, or not in plain letters."""
    if at >= size or text[at] != QUOTE:
        return -1
    at += 1
    while at < size and text[at] != QUOTE:
        if text[at] < SPACE or text[at] >= DELETE or text[at] == BACKSLASH:
            return -1
        at += 1
    return at if at < size else -1


def find_key(text: Any, first: int, end: int) -> int:
    """The number of the key that stands here, or -1."""
    for key in range(len(KEY_ENDS) - 1):
        size = KEY_ENDS[key + 1] - KEY_ENDS[key]
        same = end - first == size
        for i in range(size if same else 0):
            same &= text[first + i] == KEYS[KEY_ENDS[key] + i]
        if same:
            return key
    return -1


def find_move(text: Any, first: int, end: int, moves: Any, ends: Any, places: Any) -> int:
    """The move that stands here, or -1. `places` is a table with open places: a move's number and one, or 0."""
    place = place_of_move(text, first, end, len(places))
    while places[place] != 0:
        action = places[place] - 1
        same = ends[action + 1] - ends[action] == end - first
        for i in range(end - first if same else 0):
            same &= text[first + i] == moves[ends[action] + i]
        if same:
            return action
        place = (place + 1) % len(places)
    return -1


def place_of_move(text: Any, first: int, end: int, num_places: int) -> int:
    """Where one begins to look for a move."""
    place = 0
    for i in range(first, end):
        place = (place * 31 + text[i]) % num_places
    return place


def spend(rates: Any, line: int, now: float) -> bool:
    """Whether one more message may come over a line; if so it is counted. The same as `limits.Bucket.take`."""
    left = min(rates[line, AT_ONCE], rates[line, LEFT] + (now - rates[line, LAST]) * rates[line, PER_SECOND])
    if left < 1:
        return False
    rates[line, LAST] = now
    rates[line, LEFT] = left - 1
    return True


def deliver(
    jobs: Any, count: int, size: int, report: Any, lines: Any, desks: Any, can_hold: bool, out: Any, special: Any,
    late: Any, held: Any, counts: Any,
) -> None:  # fmt: skip
    """Send the letters of so many jobs that were taken in, and open their desks for what comes next.

    `report` is that of `portray`. Where there are no letters, or the match is over, nothing is sent, the desk stays
    closed, and the job is special; it is too if a round has ended. For letters that did not leave see `JOB_LATE`. Those
    held back are added to `held` if there is room. `counts` becomes how many there are of the three, see `NUM_SPECIAL`.
    """
    num_special = 0
    num_late = 0
    num_held = counts[NUM_HELD]
    at = REPORTS
    for job in range(count):
        end, status, patient = report[at], report[at + 1], report[at + 2]
        letter = at + HEAD
        at = end
        if status == TOLD and record(bytes_at(jobs[job, RECORD], size)).over:
            status = OVER
        special[num_special, JOB_SPECIAL] = job
        special[num_special, STATUS] = status
        if status != TOLD:
            num_special += 1
            continue
        desk, number = jobs[job, DESK_OF], jobs[job, NUMBER]
        viewers = jobs[job, VIEWERS]
        viewer = NOBODY
        while viewers != 0:
            if viewers & 1:
                line = desks[desk, LINES_AT + 1 + viewer]
                begin, last = report[letter], report[letter + 1]
                letter += LETTER
                is_begun = lines[line, IS_CLEAR] != 0
                if is_begun:
                    begin = put_frame(out, begin, last - begin)
                    is_held = can_hold and viewer == patient and num_held < len(held)
                    begin += max(0, send(line, out, begin, last - begin, is_held))
                    lines[line, SENT] = number
                    if is_held:
                        held[num_held, HELD_LINE] = line
                        held[num_held, HELD_NUMBER] = number
                        num_held += 1
                if begin < last:
                    lines[line, IS_CLEAR] = 0
                    late[num_late, JOB_LATE] = job
                    late[num_late, LINE_LATE] = line
                    late[num_late, LATE_AT] = begin
                    late[num_late, LATE_END] = last
                    late[num_late, IS_BEGUN] = is_begun
                    num_late += 1
            viewers >>= 1
            viewer += 1
        if letter < end:
            special[num_special, ROUND_AT] = report[letter]
            special[num_special, ROUND_END] = report[letter + 1]
            num_special += 1
        desks[desk, PLY] += 1
        desks[desk, FRESH] = number
        desks[desk, NUMBER] = number + 1
        desks[desk, IS_OPEN] = 1
    counts[NUM_SPECIAL] = num_special
    counts[NUM_LATE] = num_late
    counts[NUM_HELD] = num_held


def let_go(held: Any, count: int, lines: Any) -> int:
    """Let go the letters that are still held back, of so many. How many these were."""
    left = 0
    for k in range(count):
        line = held[k, HELD_LINE]
        if lines[line, SENT] == held[k, HELD_NUMBER]:
            push(line)
            left += 1
    return left


LEAN: tuple[Template, ...] = (
    number_in, skip, end_of_text, find_key, find_keys, is_whole, unmask, place_of_move, find_move, spend,
)  # fmt: skip
ENTRIES: tuple[Template, ...] = (take_in, deliver, let_go)
