"""A match is one fixed-size record. Here: the header all games share, the journal, and reading a record in Python.

A game's `State` is `state_dtype(fields)`: the header, then its own fields, packed, so that no padding byte is
undefined and equal bytes mean the same match. All fields but the generator's are signed: Numba then computes in
int64 throughout, as Python does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core.jit import jit

Buffer = npt.NDArray[np.uint8]
"""The bytes of one record."""

Ids = npt.NDArray[np.int16]
"""Action ids, as `legal` writes them."""

State = Any
"""A record as rules see it: Numba's record when compiled, a `Record` when interpreted."""

NOBODY = -1
"""The seat of a spectator, and the actor of a match that is over."""

MAX_EVENTS = 16
"""Journal entries of one move. The longest chain of our games, a card that ends a round and deals the next, has ten."""

HEADER: list[tuple[Any, ...]] = [
    # chance: a ChaCha8 stream, see chance.py
    ("key", "<u4", (8,)),
    ("block", "<u4", (16,)),  # the current block of the stream
    ("counter", "<i8"),  # number of the next block
    ("cursor", "i1"),  # next word of the block, 16: used up
    # the match
    ("num_seats", "i1"),
    ("actor", "i1"),  # the seat the table waits for; NOBODY when over
    ("over", "i1"),  # 1: the match has ended
    ("phase", "i1"),  # the game's own numbering
    ("round_no", "<i2"),  # 1 is the first
    ("ply", "<i4"),  # moves made
    # the journal: what the last move did, in order
    ("num_events", "i1"),
    ("event_kind", "i1", (MAX_EVENTS,)),
    ("event_seat", "i1", (MAX_EVENTS,)),
    ("event_args", "<i4", (MAX_EVENTS, 3)),
]


def state_dtype(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The record type of a game with these fields after the header."""
    return np.dtype((np.record, [*HEADER, *fields]))


@jit
def emit(s: State, kind: int, seat: int, a: int, b: int, c: int) -> None:
    """Write into the journal. What does not fit is dropped; the audit of a full journal says so."""
    n = s.num_events
    if n < MAX_EVENTS:
        s.event_kind[n] = kind
        s.event_seat[n] = seat
        s.event_args[n, 0] = a
        s.event_args[n, 1] = b
        s.event_args[n, 2] = c
        s.num_events = n + 1


@jit
def clear_chance(s: State) -> None:
    """Erase the generator: whoever may not see the cards to come must not be able to compute them."""
    for i in range(8):
        s.key[i] = 0
    for i in range(16):
        s.block[i] = 0
    s.counter = 0
    s.cursor = 0


@jit
def clear_stale_events(s: State) -> None:
    """Erase what earlier moves left in the journal behind its end."""
    for i in range(s.num_events, MAX_EVENTS):
        s.event_kind[i] = 0
        s.event_seat[i] = 0
        for k in range(3):
            s.event_args[i, k] = 0


class Cells:
    """An array field of a `Record`: indexing gives plain integers, records, or the part of it, and writes through."""

    __slots__ = ("_array",)

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array

    def __getitem__(self, index: Any) -> Any:
        value = self._array[index]
        if isinstance(value, np.ndarray):
            return Cells(value)
        if self._array.dtype.names is None:
            return int(value)
        place = index if isinstance(index, tuple) else (index,)
        return Record(self._array[(*place, None)], self._array.dtype)

    def __setitem__(self, index: Any, value: Any) -> None:
        if self._array.dtype.names is not None:
            raise TypeError("an array of records is set field by field")
        self._array[index] = value

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    @property
    def shape(self) -> tuple[int, ...]:
        """As NumPy's."""
        return self._array.shape

    def tolist(self) -> list[Any]:
        """As NumPy's."""
        result: list[Any] = self._array.tolist()
        return result


class Record:
    """A record read and written from Python: fields as attributes, numbers as Python integers.

    Also what rules get in interpreted mode. Python integers neither overflow nor wrap, so that both modes compute
    the same, and a value that does not fit its field raises. A field may be a record itself.
    """

    __slots__ = ("_fields", "_row")

    def __init__(self, buffer: npt.NDArray[Any], dtype: np.dtype[Any]) -> None:
        object.__setattr__(self, "_row", buffer.view(dtype))
        object.__setattr__(self, "_fields", {})

    def _field(self, name: str) -> npt.NDArray[Any]:
        field: npt.NDArray[Any] | None = self._fields.get(name)
        if field is None:
            try:
                field = self._fields[name] = self._row[name]
            except ValueError:
                raise AttributeError(name) from None
        return field

    def __getattr__(self, name: str) -> Any:
        field = self._field(name)
        if field.ndim > 1:
            return Cells(field[0])
        return int(field[0]) if field.dtype.names is None else Record(field, field.dtype)

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._field(name)
        if field.ndim > 1 or field.dtype.names is not None:
            raise TypeError(f"{name} is not one number: it is set part by part")
        field[0] = value
