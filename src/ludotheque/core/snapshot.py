"""Reading a record that nobody changes: views, events, logs.

A `Record` reads a field of the array whenever it is asked for one, and writes it back. A `Snapshot` takes a field out
of the record's bytes once, as plain numbers: some ten times faster for those who only look.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import cache
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ludotheque.core.record import MAX_EVENTS, Buffer

if TYPE_CHECKING:
    from ludotheque.core.game import Game

Numbers = tuple[int, ...]
"""An event: its kind, seat, and three more numbers."""

_UNREAD = ("key", "block", "event_kind", "event_seat", "event_args")
"""Fields of chance, which a concealed record has empty; and the journal, which `Reader.journal` reads."""


class Grid:
    """An array field with rows: `grid[i]` is a row, `grid[i, j]` a number."""

    __slots__ = ("_columns", "_values")

    def __init__(self, values: tuple[int, ...], columns: int) -> None:
        self._values = values
        self._columns = columns

    def __getitem__(self, index: Any) -> Any:
        if type(index) is tuple:
            return self._values[index[0] * self._columns + index[1]]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._values[index * self._columns : (index + 1) * self._columns]

    def __len__(self) -> int:
        return len(self._values) // self._columns

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (self[row] for row in range(len(self)))


class Snapshot:
    """A record's fields as plain numbers, tuples and grids, each read when it is first asked for."""

    def __init__(self, buf: Buffer | bytes, fields: dict[str, Callable[[Any], Any]]) -> None:
        self._buf = buf
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        try:
            value = self._fields[name](self._buf)
        except KeyError:
            raise AttributeError(name) from None
        setattr(self, name, value)
        return value


class Reader:
    """Reads records of one kind. Get one with `reader`."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        assert dtype.names is not None and dtype.fields is not None
        self.fields = {name: _field(*dtype.fields[name][:2]) for name in dtype.names if name not in _UNREAD}
        """What takes each field out of a record's bytes."""
        self._count_at = dtype.fields["num_events"][1]
        self._journal = [_journal(dtype, count) for count in range(MAX_EVENTS + 1)]

    def read(self, buf: Buffer | bytes) -> Any:
        """The record in a buffer, which must not change."""
        return Snapshot(buf, self.fields)

    def journal(self, buf: Buffer | bytes) -> list[Numbers]:
        """What the last move did, in order."""
        return self._journal[buf[self._count_at]](buf)


def _field(kind: np.dtype[Any], place: int) -> Callable[[Any], Any]:
    """What reads a field at a place of a record."""
    code = "q" if kind.base.char == "l" else kind.base.char
    unpack: Callable[[Any, int], Any] = struct.Struct(f"<{prod(kind.shape)}{code}").unpack_from
    if not kind.shape:
        return lambda buf: unpack(buf, place)[0]
    if len(kind.shape) == 1:
        return lambda buf: unpack(buf, place)
    _, columns = kind.shape
    return lambda buf: Grid(unpack(buf, place), columns)


def _journal(dtype: np.dtype[Any], count: int) -> Callable[[Any], list[Numbers]]:
    """What reads a journal with so many events."""
    assert dtype.fields is not None
    gap = MAX_EVENTS - count
    unpack: Callable[[Any, int], Numbers] = struct.Struct(f"<{count}b{gap}x{count}b{gap}x{3 * count}i").unpack_from
    begin = dtype.fields["event_kind"][1]
    places = [(i, count + i, *range(2 * count + 3 * i, 2 * count + 3 * i + 3)) for i in range(count)]
    picks = [itemgetter(*five) for five in places]

    def read(buf: Any) -> list[Numbers]:
        numbers = unpack(buf, begin)
        return [pick(numbers) for pick in picks]

    return read


@cache
def reader(game: Game) -> Reader:
    """The reader of a game's records; made once."""
    return Reader(game.info.state)
