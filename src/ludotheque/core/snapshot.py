"""Reading a record in one go, for those who only look: views, events, logs.

A `Record` reads a field when it is asked for, and writes it back. Showing a match asks for nearly all of them, after
every move and for everybody at the table: taking the bytes apart at once is some ten times faster.
"""

from __future__ import annotations

import struct
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
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
"""Fields of chance, which a concealed record has empty; and the journal, which has its own way."""


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


class Reader:
    """Reads whole records of one kind. Get one with `reader`."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        layout = "<"
        names, places = [], []
        columns: dict[str, int] = {}
        place = 0
        assert dtype.names is not None
        for name in dtype.names:
            field = dtype[name]
            if name in _UNREAD:
                layout += f"{field.itemsize}x"
                continue
            count = prod(field.shape)
            layout += _layout(field)
            names.append(name)
            places.append(slice(place, place + count) if field.shape else place)
            if len(field.shape) == 2:
                columns[name] = field.shape[1]
            assert len(field.shape) <= 2
            place += count
        self._make: Callable[[tuple[Any, ...]], Any] = partial(tuple.__new__, _snapshot(names, columns))
        self._pick: Callable[[tuple[Any, ...]], tuple[Any, ...]] = itemgetter(*places)
        self._unpack: Callable[[Any], tuple[Any, ...]] = struct.Struct(layout).unpack
        assert struct.calcsize(layout) == dtype.itemsize
        assert dtype.fields is not None
        self.peek: Callable[[bytes], Any] = _peek(dtype, columns)
        """The record in some bytes, each field read when it is asked for: if few are, that is faster than `read`."""
        self._count_at = dtype.fields["num_events"][1]
        self._journal = [_journal(dtype, count) for count in range(MAX_EVENTS + 1)]

    def read(self, buf: Buffer | bytes) -> Any:
        """The record in a buffer: its fields as plain numbers, tuples and grids, read-only."""
        return self._make(self._pick(self._unpack(buf)))

    def journal(self, buf: Buffer) -> list[Numbers]:
        """What the last move did, in order."""
        return self._journal[buf[self._count_at]](buf)


def _journal(dtype: np.dtype[Any], count: int) -> Callable[[Buffer], list[Numbers]]:
    """What reads a journal with so many events."""
    assert dtype.fields is not None
    gap = MAX_EVENTS - count
    unpack: Callable[[Any, int], Numbers] = struct.Struct(f"<{count}b{gap}x{count}b{gap}x{3 * count}i").unpack_from
    begin = dtype.fields["event_kind"][1]
    places = [(i, count + i, *range(2 * count + 3 * i, 2 * count + 3 * i + 3)) for i in range(count)]
    picks = [itemgetter(*five) for five in places]

    def read(buf: Buffer) -> list[Numbers]:
        numbers = unpack(buf, begin)
        return [pick(numbers) for pick in picks]

    return read


def _layout(field: np.dtype[Any]) -> str:
    """A field's bytes as `struct` writes them."""
    code = "q" if field.base.char == "l" else field.base.char
    return f"{prod(field.shape)}{code}"


def _snapshot(names: list[str], columns: Mapping[str, int]) -> type:
    """A tuple whose places have the names of a record's fields; those with rows are shown as grids."""

    def grid(place: int, width: int) -> property:
        return property(lambda values: Grid(values[place], width))

    grids = {name: grid(names.index(name), width) for name, width in columns.items()}
    return type("Snapshot", (namedtuple("Fields", names),), {"__slots__": (), **grids})


def _peek(dtype: np.dtype[Any], columns: Mapping[str, int]) -> type:
    """What reads the fields of a record one by one."""

    def init(self: Any, buf: bytes) -> None:
        self.buf = buf

    def field(name: str) -> property:
        assert dtype.fields is not None
        kind, place = dtype.fields[name][:2]
        unpack = struct.Struct("<" + _layout(kind)).unpack_from
        if name in columns:
            return property(lambda self: Grid(unpack(self.buf, place), columns[name]))
        if kind.shape:
            return property(lambda self: unpack(self.buf, place))
        return property(lambda self: unpack(self.buf, place)[0])

    assert dtype.names is not None
    fields = {name: field(name) for name in dtype.names if name not in _UNREAD}
    return type("Peek", (), {"__slots__": ("buf",), "__init__": init, **fields})


@cache
def reader(game: Game) -> Reader:
    """The reader of a game's records; made once."""
    return Reader(game.info.state)
