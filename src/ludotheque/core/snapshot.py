"""Reading a record in one go, for those who only look: views, events, logs.

A `Record` reads a field when it is asked for, and writes it back. Showing a match asks for nearly all of them, after
every move and for everybody at the table: taking the bytes apart at once is some ten times faster.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import cache
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np

from ludotheque.core.record import Buffer

_SECRET = ("key", "block")
"""Fields of chance, which a concealed record has empty: not even read."""


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
    """A record's fields as plain numbers, tuples and grids; read-only."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__ = fields


class Reader:
    """Reads whole records of one kind. Get one with `reader`."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        layout = "<"
        names, places = [], []
        self._grids: list[tuple[str, int]] = []
        place = 0
        assert dtype.names is not None
        for name in dtype.names:
            field = dtype[name]
            if name in _SECRET:
                layout += f"{field.itemsize}x"
                continue
            count = prod(field.shape)
            layout += f"{count}{field.base.char}" if field.base.char != "l" else f"{count}q"
            names.append(name)
            places.append(slice(place, place + count) if field.shape else place)
            if len(field.shape) == 2:
                self._grids.append((name, field.shape[1]))
            assert len(field.shape) <= 2
            place += count
        self._names = tuple(names)
        self._pick: Callable[[tuple[Any, ...]], tuple[Any, ...]] = itemgetter(*places)
        self._unpack: Callable[[Any], tuple[Any, ...]] = struct.Struct(layout).unpack
        assert struct.calcsize(layout) == dtype.itemsize

    def read(self, buf: Buffer) -> Any:
        """The record in a buffer."""
        fields: dict[str, Any] = dict(zip(self._names, self._pick(self._unpack(buf)), strict=True))
        for name, columns in self._grids:
            fields[name] = Grid(fields[name], columns)
        return Snapshot(fields)


@cache
def reader(dtype: np.dtype[Any]) -> Reader:
    """The reader of a kind of records; made once."""
    return Reader(dtype)
