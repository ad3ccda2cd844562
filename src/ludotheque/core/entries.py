"""The compiled entry points of a game: templates that `Game.kernels` binds to each game.

The names declared below are the game's own functions from its `rules.py`, put in place by `jit.rebind`. Every entry
takes a match as its bytes. Entries check what must be checked for safety and build no strings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludotheque.core.chance import chacha_block, set_key
from ludotheque.core.chooser import MASK, advance, choose
from ludotheque.core.jit import prange
from ludotheque.core.record import NOBODY, Buffer, Ids

Records = npt.NDArray[np.uint8]
"""Many records, one a row."""

# The game's, see docs/adding-a-game.md.
new_match: Any
legal: Any
others: Any
apply: Any
outcome: Any
audit: Any
conceal: Any
resample: Any
observe: Any
sample: Any
offer: Any

OK, ILLEGAL, OVER = 0, 1, 2


def record(buf: Buffer) -> Any:
    """The match in a row of bytes."""
    return buf.view(STATE)[0]


def records(bufs: Records) -> Any:
    """The matches in many rows. Taken as one array: a slice per row would cost a shared reference count each.

    That holds for every array that is passed on within a loop, so lists of actions are records too, see IDS.
    """
    return bufs.reshape(bufs.size).view(STATE)


def observation(numbers: Any) -> Any:
    """A row of numbers as the record that `observe` fills."""
    return numbers.view(OBSERVATION)[0]


def observations(rows: Any) -> Any:
    """The observations in many rows; taken like `records`."""
    return rows.reshape(rows.size).view(OBSERVATION)


def list_and_choose(s: Any, seat: int, x: int, out: Ids) -> int:
    """The default `sample`: a uniformly random legal action."""
    return int(out[choose(x, legal(s, seat, out))])


def no_offer(s: Any, seat: int, x: int, masks: Any, row: int) -> tuple[int, int]:
    """The default `offer`, which is never called."""
    return 0, -1


def begin(buf: Buffer, key: Any, num_seats: int, opts: Any) -> None:
    """Set up a match under this key and deal its first round."""
    for i in range(len(buf)):  # written out: Numba compiles loops much faster than slices
        buf[i] = 0
    s = record(buf)
    set_key(s, key)
    s.num_seats = num_seats
    new_match(s, opts)


def start(buf: Buffer, key: Any, num_seats: int, opts: Any) -> None:
    """A fresh match."""
    begin(buf, key, num_seats, opts)


def moves(buf: Buffer, seat: int, out: Ids) -> int:
    """The legal actions of a seat, into `out`; how many there are."""
    s = record(buf)
    if s.over:
        return 0
    return legal(s, seat, out)


def idle(buf: Buffer) -> int:
    """The seats that have a move although the table does not wait for them, as a bit mask."""
    s = record(buf)
    if s.over:
        return 0
    return others(s)


def allows(buf: Buffer, seat: int, action: int, scratch: Ids) -> bool:
    """Whether an action is legal for a seat."""
    s = record(buf)
    if s.over:
        return False
    found = False
    for i in range(legal(s, seat, scratch)):
        found |= scratch[i] == action
    return found


def play(buf: Buffer, seat: int, action: int, scratch: Ids) -> int:
    """Play an action if it is legal. OK, ILLEGAL or OVER; nothing changes unless OK."""
    s = record(buf)
    if s.over:
        return OVER
    n = legal(s, seat, scratch)
    for i in range(n):
        if scratch[i] == action:
            s.num_events = 0
            s.ply += 1
            apply(s, seat, action)
            return OK
    return ILLEGAL


def result(buf: Buffer, scores: Any, places: Any) -> None:
    """Scores and places (1 is the winner's, shared by equals) as they stand."""
    outcome(record(buf), scores, places)


def faults(buf: Buffer) -> int:
    """The audit: 0, or a bit for each broken invariant."""
    return audit(record(buf))


def hide(buf: Buffer, seat: int) -> None:
    """Erase what the seat cannot know."""
    conceal(record(buf), seat)


def imagine(buf: Buffer, seat: int, key: Any) -> None:
    """Fill in what the seat cannot know at random, consistent with all it has seen, under a new key."""
    s = record(buf)
    set_key(s, key)
    resample(s, seat)


def watch(buf: Buffer, seat: int, out: Any) -> None:
    """The seat's observation."""
    for k in range(len(out)):
        out[k] = 0
    if seat != NOBODY:
        observe(record(buf), seat, observation(out))


def playouts(start_buf: Buffer, num: int, seed: int, wins: Any) -> int:
    """Play `num` matches to their end from a position with uniformly random moves. Returns the decisions made.

    Each gets a chance stream of its own. `wins` counts each seat's share of first places, in 1/840.
    """
    buf = np.empty(len(start_buf), np.uint8)
    ids = np.zeros(1, IDS)
    key = np.zeros(16, np.uint32)
    scores = np.zeros(MAX_SEATS, np.int32)
    places = np.zeros(MAX_SEATS, np.int32)
    seeds = np.zeros(8, np.uint32)
    seeds[0] = seed & 0xFFFFFFFF
    x = advance(seed & MASK)
    decisions = 0
    for k in range(num):
        for i in range(len(buf)):
            buf[i] = start_buf[i]
        s = record(buf)
        chacha_block(seeds, k, 0, 8, key)
        set_key(s, key)
        first_ply = s.ply
        s.num_events = MAX_EVENTS  # a full journal takes nothing: nobody reads it here
        while not s.over:
            seat = s.actor
            idlers = others(s)
            if idlers != 0:
                x = advance(x)
                pick = choose(x, 2 * MAX_SEATS)  # an idle seat's move now and then
                if pick < MAX_SEATS and (idlers >> pick) & 1:
                    seat = pick
            x = advance(x)
            s.ply += 1
            apply(s, seat, sample(s, seat, x, ids[0].cells))
        decisions += s.ply - first_ply
        outcome(s, scores, places)
        winners = 0
        for seat in range(s.num_seats):
            winners += places[seat] == 1
        for seat in range(s.num_seats):
            if places[seat] == 1:
                wins[seat] += 840 // winners
    return decisions


def fuzz(buf: Buffer, num_moves: int, seed: int, key: Any, num_seats: int, opts: Any, report: Any) -> int:
    """Random moves by all seats that have any, with an audit after each; a finished match is followed by another.

    Returns 0, or the audit's faults, or -1 if no seat could move, -2 if a refused move changed a byte, -3 if the
    journal was full, -4 if a list of legal moves was not distinct ids in range. `report` gets: moves made, matches
    ended, longest match, most legal moves at once.
    """
    out = np.empty(NUM_ACTIONS, np.int16)
    seen = np.zeros(NUM_ACTIONS, np.uint8)
    scratch = np.empty(NUM_ACTIONS, np.int16)
    before = np.empty(len(buf), np.uint8)
    words = np.zeros(16, np.uint32)
    x = advance(seed & MASK)
    match = 0
    begin(buf, key, num_seats, opts)
    for _ in range(num_moves):
        s = record(buf)
        if s.over:
            report[1] += 1
            report[2] = max(report[2], s.ply)
            match += 1
            chacha_block(key, match, 1, 8, words)
            begin(buf, words, num_seats, opts)
            s = record(buf)
        idlers = others(s)
        seat = s.actor
        x = advance(x)
        pick = choose(x, 2 * MAX_SEATS)
        if pick < MAX_SEATS and (idlers >> pick) & 1:
            seat = pick
        n = legal(s, seat, out)
        if n <= 0:
            return -1
        report[3] = max(report[3], n)
        for i in range(n):
            if out[i] < 0 or out[i] >= NUM_ACTIONS or seen[out[i]]:
                return -4
            seen[out[i]] = 1
        # An action that is not in the list, by a seat that may or may not be at turn, must change nothing.
        x = advance(x)
        wrong = choose(x, NUM_ACTIONS)
        if not seen[wrong]:
            for i in range(len(buf)):
                before[i] = buf[i]
            if play(buf, seat, wrong, scratch) == OK:
                return -2
            for i in range(len(buf)):
                if before[i] != buf[i]:
                    return -2
        for i in range(n):
            seen[out[i]] = 0
        x = advance(x)
        play(buf, seat, int(out[choose(x, n)]), scratch)
        report[0] += 1
        fault = audit(s)
        if fault != 0:
            return fault
        if s.num_events >= MAX_EVENTS:
            return -3
    return 0


class Batch(NamedTuple):
    """The arrays of an arena, a row for each match; `arena.py` says what they hold."""

    records: Any
    actors: Any
    ids: Any
    counts: Any
    masks: Any
    done: Any
    scores: Any
    places: Any
    episodes: Any
    chooser: Any
    """The state of the generator that draws random actions."""
    status: Any
    """The answer of each part of the batch, see `arena`."""


class Setup(NamedTuple):
    """What the matches of an arena have in common."""

    base: Any
    """The key that their keys are made from."""
    num_seats: int
    opts: Any
    auto_reset: bool
    """Whether a match that ends is followed by another."""


def batch_start(batch: Batch, setup: Setup, lo: int, hi: int) -> None:
    """Start the matches lo to hi, each under the key of its number and episode."""
    key = np.zeros(16, np.uint32)
    for i in range(lo, hi):
        chacha_block(setup.base, i, batch.episodes[i], 8, key)
        begin(batch.records[i], key, setup.num_seats, setup.opts)


def batch_step(batch: Batch, setup: Setup, lo: int, hi: int, actions: Any, seats: Any, drawn: Any) -> int:
    """Apply checked actions to the matches lo to hi, restart those that end, refresh actors and masks.

    An action of -1 plays nothing. `drawn` gets a random action for the next step: it costs least here. Long masks are
    cleared by `ids`, which are kept for them. Returns how many matches ended.
    """
    ids, counts, masks = batch.ids, batch.counts, batch.masks
    key = np.zeros(16, np.uint32)
    lists = np.zeros(1, IDS)
    matches = records(batch.records)
    ended = 0
    for i in range(lo, hi):
        s = matches[i]
        out = lists[0].cells
        if NUM_ACTIONS > SHORT_MASK:
            for k in range(counts[i]):
                masks[i, ids[i, k]] = 0
        batch.done[i] = 0
        if actions[i] >= 0 and not s.over:
            s.num_events = 0
            s.ply += 1
            apply(s, seats[i], actions[i])
            if s.over:
                batch.done[i] = 1
                ended += 1
                outcome(s, batch.scores[i], batch.places[i])
                if setup.auto_reset:
                    batch.episodes[i] += 1
                    chacha_block(setup.base, i, batch.episodes[i], 8, key)
                    begin(batch.records[i], key, setup.num_seats, setup.opts)
        batch.actors[i] = s.actor
        x = advance(batch.chooser[i])
        batch.chooser[i] = x
        if HAS_OFFER and not s.over:
            counts[i], drawn[i] = offer(s, s.actor, x, masks, i)
            continue
        n = 0
        if not s.over:
            n = legal(s, s.actor, out)
        if NUM_ACTIONS <= SHORT_MASK:
            for k in range(NUM_ACTIONS):
                masks[i, k] = 0
        else:
            for k in range(n):
                ids[i, k] = out[k]
        for k in range(n):
            masks[i, out[k]] = 1
        counts[i] = n
        drawn[i] = out[choose(x, n)] if n > 0 else -1
    return ended


def batch_refused(batch: Batch, lo: int, hi: int, actions: Any, seats: Any, partly: bool) -> int:
    """The first match of lo to hi whose action is not legal, or the number of matches if there is none.

    Changes nothing. With `partly` -1 is legal everywhere.
    """
    actors = batch.actors
    lists = np.zeros(1, IDS)
    matches = records(batch.records)
    for i in range(lo, hi):
        a = actions[i]
        if actors[i] == NOBODY or (partly and a == -1):
            continue
        if a < 0 or a >= NUM_ACTIONS:
            return i
        if seats[i] == actors[i]:
            if not batch.masks[i, a]:
                return i
        else:
            found = False
            out = lists[0].cells
            if 0 <= seats[i] < matches[i].num_seats:
                for k in range(legal(matches[i], seats[i], out)):
                    found = found or out[k] == a
            if not found:
                return i
    return len(batch.records)


def batch_sample(batch: Batch, lo: int, hi: int, drawn: Any) -> None:
    """A uniformly random legal action for each match lo to hi; -1 where there is none."""
    out = np.empty(NUM_ACTIONS, np.int16)
    matches = records(batch.records)
    for i in range(lo, hi):
        x = advance(batch.chooser[i])
        batch.chooser[i] = x
        drawn[i] = -1
        if batch.actors[i] != NOBODY:
            drawn[i] = out[choose(x, legal(matches[i], batch.actors[i], out))]


def batch_list(batch: Batch, lo: int, hi: int) -> None:
    """The legal actions of the matches lo to hi."""
    out = np.empty(NUM_ACTIONS, np.int16)
    matches = records(batch.records)
    for i in range(lo, hi):
        if batch.actors[i] != NOBODY:
            for k in range(legal(matches[i], batch.actors[i], out)):
                batch.ids[i, k] = out[k]


def batch_observe(batch: Batch, lo: int, hi: int, seats: Any, out: Any) -> None:
    """The observations of the matches lo to hi, each for the seat given."""
    matches = records(batch.records)
    seen = observations(out)
    for i in range(lo, hi):
        for k in range(OBSERVATION_SIZE):
            out[i, k] = 0
        if seats[i] != NOBODY:
            observe(matches[i], seats[i], seen[i])


SHORT_MASK = 256
"""Masks of up to so many actions are written as a whole: a loop of unpredictable length costs more."""

START, CHECK, STEP, CHECK_AND_STEP, PARTLY, SAMPLE, LIST, OBSERVE = range(8)


def arena(work: int, parts: int, batch: Batch, setup: Setup, actions: Any, seats: Any, drawn: Any, out: Any) -> None:
    """Do one kind of work on equal parts of a batch in parallel; `status` gets each part's answer.

    CHECK answers with the first match whose action is not legal, or their number. CHECK_AND_STEP steps only if there
    is none; otherwise it changes nothing and `status` is -1 - its number everywhere. PARTLY does the same, but -1 is
    legal and plays nothing. Each core checks what it steps: what another has in its cache is slow to read. A step fills
    `out`, if it has rows, with what the next actors see.

    All kinds of work share this one entry and this one loop because each parallel loop is expensive to compile.
    """
    status = batch.status
    n = len(batch.records)
    twice = work in (CHECK_AND_STEP, PARTLY)
    for turn in range(2 if twice else 1):
        now = work
        if twice:
            now = STEP if turn else CHECK
        for part in prange(parts):
            lo, hi = n * part // parts, n * (part + 1) // parts
            if now == START:
                batch_start(batch, setup, lo, hi)
            elif now == CHECK:
                status[part] = batch_refused(batch, lo, hi, actions, seats, work == PARTLY)
            elif now == STEP:
                status[part] = batch_step(batch, setup, lo, hi, actions, seats, drawn)
                if len(out) == n:  # at once, while the records are in this core's cache
                    batch_observe(batch, lo, hi, batch.actors, out)
            elif now == SAMPLE:
                batch_sample(batch, lo, hi, drawn)
            elif now == LIST:
                batch_list(batch, lo, hi)
            else:
                batch_observe(batch, lo, hi, seats, out)
        if now == CHECK:
            refused = n
            for part in range(parts):
                refused = min(refused, status[part])
            if refused < n:
                for part in range(parts):
                    status[part] = -1 - refused
                return


# Bound per game like the functions above.
STATE: Any
NUM_ACTIONS: int
IDS: Any
MAX_SEATS: int
MAX_EVENTS: int
HAS_OFFER: bool
OBSERVATION_SIZE: int
OBSERVATION: Any

Template = Callable[..., Any]

READERS: tuple[Template, ...] = (record, records, observation, observations)
"""How compiled code reads bytes; interpreted code reads a `Record`."""

SHARED: tuple[Template, ...] = (list_and_choose, no_offer, begin)
"""Called by entries, here and in the files of templates elsewhere."""

INNER: tuple[Template, ...] = (
    batch_start,
    batch_refused,
    batch_step,
    batch_sample,
    batch_list,
    batch_observe,
)
"""Called by entries only."""

ENTRIES: tuple[Template, ...] = (
    start,
    moves,
    idle,
    allows,
    play,
    result,
    faults,
    hide,
    imagine,
    watch,
    playouts,
    fuzz,
)
"""Called from Python."""

PARALLEL: tuple[Template, ...] = (arena,)
"""Called from Python, on several cores at once."""
