"""Writing views as JSON in compiled code. `write_view` is a template, bound to a game like those of `core/entries.py`.

It fills a record with what a seat is shown, then follows the steps of a program (`program.py`) that turn its
cells into text. It reaches memory through the arrays it is given only; every write checks that there is room, and every
count and every place of a word is checked against what the view declares.
"""

# ruff: noqa: F821 (a template: the names it uses are the game's, put in place when it is bound)

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core.entries import Template
from ludotheque.core.game import Game
from ludotheque.core.jit import VIEW_TEMPLATES, inlined, jit
from ludotheque.core.record import NOBODY, Buffer
from ludotheque.core.views import NOTHING, Each, Fields, Flag, Maybe, Number

# The game's, see docs/adding-a-game.md; and what `kernels` adds below.
legal: Any
outcome: Any
conceal: Any
view: Any
record: Any
SCRATCH: Any
NUM_ACTIONS: int
NUM_CELLS: int
RECORD_AT: int

Bytes = npt.NDArray[np.uint8]

TOO_SMALL, OUT_OF_BOUNDS = -1, -2
"""Instead of a size: the output array is too small; a field holds what its declaration does not allow."""

STEP = np.dtype(
    [
        ("op", "<i4"),  # one of the following
        ("before", "<i4"),  # the text that is written first
        ("cell", "<i4"),  # the cell with the value; within a list counted from the cells of the item
        ("text", "<i4"),  # WORD, SET: the text of the first value
        ("most", "<i8"),  # the highest value; LIST: the most items
        ("stride", "<i4"),  # NEXT: the cells of an item
        ("target", "<i4"),  # LIST, OBJECT: the step after it; NEXT: the first step of an item
    ]
)
"""A step of a program. The value `NOTHING` is written as null."""

NUMBER, FLAG, WORD, SET, LIST, NEXT, OBJECT, TEXT, STOP = range(9)
"""LIST begins a list, and NEXT ends an item of it. OBJECT is null if its cell is 0. TEXT has no value."""

LOOP = np.dtype([("left", "<i8"), ("outer", "<i8")])
"""A list that is being written: how many items are left, and where the cells of what it is in begin."""
MAX_DEPTH = 6
"""How deep lists may lie within lists."""

TEXTS = (b"null", b"true", b"false", b',"legal":[')
NULL, TRUE, FALSE, LEGAL = range(4)
"""The texts that every program has."""
FIRST_MOVE = len(TEXTS)
"""The text of the first action; those of the others follow."""

_ZERO, _MINUS, _COMMA, _OPEN, _CLOSE, _END = b"0-,[]}"


@jit
def show_match(s: Any, ply: int, scores: Any, places: Any, v: Any) -> None:
    """Show how the match stands."""
    v.ply = ply
    v.round = s.round_no
    if s.actor != NOBODY:
        v.actor = s.actor
    v.over = s.over
    v.num_scores = s.num_seats
    v.num_places = s.num_seats
    for seat in range(s.num_seats):
        v.scores[seat] = scores[seat]
        v.places[seat] = places[seat]


@inlined
def write_text(texts: Bytes, ends: Any, k: int, out: Bytes, at: int) -> int:
    """Write a text of the program. Like the next two it returns where it ends, or a negative `at` as it is."""
    first: int = ends[k]
    size: int = ends[k + 1] - first
    if at < 0:
        return at
    if at + size > len(out):
        return TOO_SMALL
    for i in range(size):
        out[at + i] = texts[first + i]
    return at + size


@inlined
def write_byte(value: int, out: Bytes, at: int) -> int:
    """Write one byte."""
    if at < 0:
        return at
    if at >= len(out):
        return TOO_SMALL
    out[at] = value
    return at + 1


@inlined
def write_number(value: int, out: Bytes, at: int) -> int:
    """Write a number in digits."""
    if value < 0:
        at = write_byte(_MINUS, out, at)
        value = -value
    size = 1
    rest = value // 10
    while rest > 0:
        size += 1
        rest //= 10
    if at < 0:
        return at
    if at + size > len(out):
        return TOO_SMALL
    for i in range(size):
        out[at + size - 1 - i] = _ZERO + value % 10
        value //= 10
    return at + size


@jit
def write_set(members: int, texts: Bytes, ends: Any, first: int, out: Bytes, at: int) -> int:
    """Write a list of the texts whose bits are set."""
    at = write_byte(_OPEN, out, at)
    is_first = True
    while members != 0:
        if members & 1:
            if not is_first:
                at = write_byte(_COMMA, out, at)
            at = write_text(texts, ends, first, out, at)
            is_first = False
        members >>= 1
        first += 1
    return write_byte(_CLOSE, out, at)


@jit
def write_cells(steps: Any, texts: Bytes, ends: Any, cells: Any, loops: Any, out: Bytes) -> int:
    """Follow the steps of a program, from the first cell of `out` on. Returns the size, or what was in the way."""
    at = 0
    base = 0  # where the cells of the innermost item begin
    depth = 0
    i = 0
    while True:
        step = steps[i]
        i += 1
        at = write_text(texts, ends, step.before, out, at)
        op = step.op
        if op == STOP or at < 0:
            return at
        if op == TEXT:
            continue
        if op == NEXT:
            loop = loops[depth - 1]
            loop.left -= 1
            if loop.left > 0:
                at = write_byte(_COMMA, out, at)
                base += step.stride
                i = step.target
            else:
                at = write_byte(_CLOSE, out, at)
                base = loop.outer
                depth -= 1
            continue
        value = cells[base + step.cell]
        if value == NOTHING or (op == OBJECT and value == 0):
            at = write_text(texts, ends, NULL, out, at)
            i = step.target
        elif op == NUMBER:
            at = write_number(value, out, at)
        elif op == FLAG:
            at = write_text(texts, ends, TRUE if value != 0 else FALSE, out, at)
        elif op == OBJECT:
            continue
        elif value < 0 or value > step.most:
            return OUT_OF_BOUNDS
        elif op == WORD:
            at = write_text(texts, ends, step.text + value, out, at)
        elif op == SET:
            at = write_set(value, texts, ends, step.text, out, at)
        elif value == 0:
            at = write_byte(_CLOSE, out, write_byte(_OPEN, out, at))
            i = step.target
        else:
            at = write_byte(_OPEN, out, at)
            loops[depth].left = value
            loops[depth].outer = base
            base += step.cell + 1
            depth += 1


@jit
def write_moves(ids: Any, count: int, texts: Bytes, ends: Any, out: Bytes, at: int) -> int:
    """Write the legal moves, and the end of the view."""
    at = write_text(texts, ends, LEGAL, out, at)
    for i in range(count):
        if i > 0:
            at = write_byte(_COMMA, out, at)
        at = write_text(texts, ends, FIRST_MOVE + ids[i], out, at)
    return write_byte(_END, out, write_byte(_CLOSE, out, at))


def write_view(
    buf: Buffer, seat: int, ply: int, program: Bytes, texts: Bytes, ends: Any, scratch: Bytes, out: Bytes
) -> int:
    """Write what a seat (`NOBODY`: a spectator) is shown of a match that has had `ply` moves, as JSON.

    `program`, `texts` and `ends` are a `Program`. `scratch` is a `SCRATCH`, in which the concealed record is left
    behind. Returns the size, or what was in the way.
    """
    work = scratch.view(SCRATCH)[0]
    cells = scratch[: 8 * NUM_CELLS].view(np.int64)
    for i in range(NUM_CELLS):
        cells[i] = NOTHING
    for i in range(len(buf)):
        scratch[RECORD_AT + i] = buf[i]
    s = record(buf)
    outcome(s, work.scores, work.places)
    show_match(s, ply, work.scores, work.places, work.shown)
    conceal(work.record, seat)
    view(work.record, seat, work.shown.table)
    at = write_cells(program.view(STEP), texts, ends, cells, work.loops, out)
    num_moves = 0
    if seat != NOBODY and not s.over:
        num_moves = legal(s, seat, work.ids)
    return write_moves(work.ids, num_moves, texts, ends, out, at)


ENTRIES: tuple[Template, ...] = (write_view,)


def match_fields(game: Game) -> Fields:
    """What is written of a match, but for the legal moves, which come last."""
    by_seat = Each(Number(), game.info.max_seats)
    return Fields(
        ply=Number(),
        round=Number(),
        actor=Maybe(Number()),
        over=Flag(),
        scores=by_seat,
        places=by_seat,
        table=game.views.VIEW,
    )


@cache
def scratch_dtype(game: Game) -> np.dtype[Any]:
    """The memory that writing a view takes."""
    info = game.info
    return np.dtype(
        [
            ("shown", match_fields(game).dtype),
            ("loops", LOOP, (MAX_DEPTH,)),
            ("scores", "<i4", (info.max_seats,)),
            ("places", "<i4", (info.max_seats,)),
            ("ids", "<i2", (info.num_actions,)),
            ("record", info.state),
        ]
    )


@cache
def kernels(game: Game) -> SimpleNamespace:
    """The compiled entry point of this module for a game."""
    scratch = scratch_dtype(game)
    assert scratch.fields is not None
    given = {
        "view": game.views.view,
        "SCRATCH": scratch,
        "NUM_CELLS": match_fields(game).size,
        "RECORD_AT": scratch.fields["record"][1],
    }
    return game.bind(VIEW_TEMPLATES, (), ENTRIES, given=given)
