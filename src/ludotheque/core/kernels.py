"""The compiled doors into a game: templates that `jit.bind` makes into entry points, one set per game.

The names declared below are not here: they are the game's own functions from its `rules.py`, put in place by `bind`.
Every entry takes a match as its bytes. Entries check what must be checked for safety and build no strings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core.chance import chacha_block, set_key
from ludotheque.core.jit import jit
from ludotheque.core.record import Buffer, Ids

Records = npt.NDArray[np.uint8]
"""Many records, one a row."""

# The game's, see docs/adding-a-game.md.
record: Any
new_match: Any
legal: Any
others: Any
apply: Any
outcome: Any
audit: Any
conceal: Any
resample: Any
observe: Any

OK, ILLEGAL, OVER = 0, 1, 2

# A 62-bit linear generator for choosing moves in playouts, never for the cards: its products may wrap, its low 62
# bits are the same with and without wrapping.
_A, _C, _M = 6364136223846793005, 1442695040888963407, (1 << 62) - 1


@jit
def advance(x: int) -> int:
    """The chooser's next state."""
    return (x * _A + _C) & _M


@jit
def choose(x: int, n: int) -> int:
    """A number below n from the chooser's state."""
    return ((x >> 30) * n) >> 32


def start(buf: Buffer, key: Any, num_seats: int, opts: Any) -> None:
    """Set up a match under this key and deal its first round."""
    buf[:] = 0
    s = record(buf)
    set_key(s, key)
    s.num_seats = num_seats
    new_match(s, opts)


def moves(buf: Buffer, seat: int, out: Ids) -> int:
    """The legal actions of a seat, into `out`; how many there are."""
    s = record(buf)
    if s.over:
        return 0
    return legal(s, seat, out)  # type: ignore[no-any-return]


def idle(buf: Buffer) -> int:
    """The seats that have a move although the table does not wait for them, as a bit mask."""
    s = record(buf)
    if s.over:
        return 0
    return others(s)  # type: ignore[no-any-return]


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
    return audit(record(buf))  # type: ignore[no-any-return]


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
    out[:] = 0
    observe(record(buf), seat, out)


def playouts(start_buf: Buffer, num: int, seed: int, wins: Any) -> int:
    """Play `num` matches to their end from a position with uniformly random moves. Returns the decisions made.

    Each gets a chance stream of its own. `wins` counts each seat's share of first places, in 1/840.
    """
    buf = start_buf.copy()
    out = np.empty(NUM_ACTIONS, np.int16)
    key = np.zeros(16, np.uint32)
    scores = np.zeros(MAX_SEATS, np.int32)
    places = np.zeros(MAX_SEATS, np.int32)
    seeds = np.zeros(8, np.uint32)
    seeds[0] = seed & 0xFFFFFFFF
    x = advance(seed & _M)
    decisions = 0
    for k in range(num):
        buf[:] = start_buf
        s = record(buf)
        chacha_block(seeds, k, 0, 8, key)
        set_key(s, key)
        first_ply = s.ply
        while not s.over:
            seat = s.actor
            idlers = others(s)
            if idlers != 0:
                x = advance(x)
                pick = choose(x, 2 * MAX_SEATS)  # an idle seat's move now and then
                if pick < MAX_SEATS and (idlers >> pick) & 1:
                    seat = pick
            n = legal(s, seat, out)
            x = advance(x)
            s.num_events = 0
            s.ply += 1
            apply(s, seat, out[choose(x, n)])
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
    before = buf.copy()
    words = np.zeros(16, np.uint32)
    x = advance(seed & _M)
    match = 0
    start(buf, key, num_seats, opts)
    for _ in range(num_moves):
        s = record(buf)
        if s.over:
            report[1] += 1
            report[2] = max(report[2], s.ply)
            match += 1
            chacha_block(key, match, 1, 8, words)
            start(buf, words, num_seats, opts)
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
            before[:] = buf
            if play(buf, seat, wrong, scratch) == OK or not np.array_equal(before, buf):
                return -2
        for i in range(n):
            seen[out[i]] = 0
        x = advance(x)
        play(buf, seat, out[choose(x, n)], scratch)
        report[0] += 1
        fault = audit(s)
        if fault != 0:
            return fault  # type: ignore[no-any-return]
        if s.num_events >= MAX_EVENTS:
            return -3
    return 0


def batch_start(bufs: Records, lo: int, hi: int, base: Any, episodes: Any, num_seats: int, opts: Any) -> None:
    """Start the matches lo to hi of a batch, each under the key of its number and episode."""
    key = np.zeros(16, np.uint32)
    for i in range(lo, hi):
        chacha_block(base, i, episodes[i], 8, key)
        start(bufs[i], key, num_seats, opts)


def batch_legal(bufs: Records, lo: int, hi: int, actors: Any, ids: Any, counts: Any, masks: Any) -> None:
    """Actors, legal ids and masks of the matches lo to hi."""
    for i in range(lo, hi):
        for k in range(counts[i]):
            masks[i, ids[i, k]] = 0
        s = record(bufs[i])
        actors[i] = s.actor
        n = 0
        if not s.over:
            n = legal(s, s.actor, ids[i])
        counts[i] = n
        for k in range(n):
            masks[i, ids[i, k]] = 1


def batch_step(
    bufs: Records,
    lo: int,
    hi: int,
    actions: Any,
    seats: Any,
    actors: Any,
    ids: Any,
    counts: Any,
    masks: Any,
    done: Any,
    scores: Any,
    places: Any,
    base: Any,
    episodes: Any,
    auto_reset: bool,
    num_seats: int,
    opts: Any,
) -> int:
    """Apply checked actions to the matches lo to hi, restart those that end, refresh actors, ids and masks."""
    key = np.zeros(16, np.uint32)
    ended = 0
    for i in range(lo, hi):
        s = record(bufs[i])
        done[i] = 0
        if s.over:
            continue
        for k in range(counts[i]):
            masks[i, ids[i, k]] = 0
        s.num_events = 0
        s.ply += 1
        apply(s, seats[i], actions[i])
        if s.over:
            done[i] = 1
            ended += 1
            outcome(s, scores[i], places[i])
            if auto_reset:
                episodes[i] += 1
                chacha_block(base, i, episodes[i], 8, key)
                start(bufs[i], key, num_seats, opts)
        actors[i] = s.actor
        n = 0
        if not s.over:
            n = legal(s, s.actor, ids[i])
        counts[i] = n
        for k in range(n):
            masks[i, ids[i, k]] = 1
    return ended


def batch_refused(
    bufs: Records, lo: int, hi: int, actions: Any, seats: Any, actors: Any, masks: Any, scratch: Ids
) -> int:
    """The first match of lo to hi whose action is not legal, or -1. Looks only."""
    for i in range(lo, hi):
        s = record(bufs[i])
        if s.over:
            continue
        a = actions[i]
        if a < 0 or a >= NUM_ACTIONS:
            return i
        if seats[i] == actors[i]:
            if not masks[i, a]:
                return i
        else:
            found = False
            if 0 <= seats[i] < s.num_seats:
                n = legal(s, seats[i], scratch)
                for k in range(n):
                    found = found or scratch[k] == a
            if not found:
                return i
    return -1


def batch_sample(lo: int, hi: int, ids: Any, counts: Any, states: Any, out: Any) -> None:
    """A uniformly random legal action for each match lo to hi; -1 where there is none."""
    for i in range(lo, hi):
        x = advance(states[i])
        states[i] = x
        n = counts[i]
        if n > 0:
            out[i] = ids[i, choose(x, n)]
        else:
            out[i] = -1


def batch_observe(bufs: Records, lo: int, hi: int, seats: Any, out: Any) -> None:
    """The observations of the matches lo to hi, each for the seat given."""
    for i in range(lo, hi):
        out[i, :] = 0
        observe(record(bufs[i]), seats[i], out[i])


# Bound per game like the functions above.
NUM_ACTIONS: int
MAX_SEATS: int
MAX_EVENTS: int

ENTRIES = (start, moves, idle, play, result, faults, hide, imagine, watch, playouts, fuzz) + (
    batch_start,
    batch_legal,
    batch_step,
    batch_refused,
    batch_sample,
    batch_observe,
)
