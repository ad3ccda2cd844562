"""Declaring what a table shows: fields by name, from which a record type, dictionaries, JSON, types and pages come.

A game's `view.py` declares `VIEW` with the classes below. A view is a record too: `VIEW.dtype` is a structured type
all of whose cells are 64-bit integers, and the game's compiled `view(s, seat, v)` sets its fields by name.

| declared as | set as |
|---|---|
| `total=Number()` | `v.total = 5` |
| `over=Flag()` | `v.over = 1` |
| `dealer=Seat()` | `v.dealer = 3` |
| `phase=Word(PHASES)` | `v.phase = 2`, the place of a value |
| `hand=MembersOf(CARDS)` | `v.hand = mask`, a bit for each value |
| `leaders=Seats(range(8))` | `v.leaders = mask`, a bit for each seat |
| `bids=Each(Number(), 7)` | `v.bids[i] = 3`, then `v.num_bids = 4` |
| `tokens=BySeat(Number(), 8)` | `v.tokens[seat] = 3`, then `v.num_tokens = num_seats` |
| `melds=Each(Fields(kind=...), 9)` | `v.melds[i].kind = 1` |
| `known=Each(Each(Word(CARDS), 12), 5)` | `v.known[i].items[k] = 7`, then `v.known[i].num_items = 2` |
| `heights=Exactly(4, Number())` | `v.heights[i] = 3` |
| `left=Keyed(NAMES, Number())` | `v.left[i] = 3`, the place of a name |
| `open=Maybe(Fields(seat=...))` | `v.open.seat = 1`, then `v.has_open = 1` |
| `traps=Constant([11, 22])` | never |

A cell that is not set holds `NOTHING`, which is null: a field that was forgotten shows as null, and so does a list
whose count was not set. `Maybe` declares that null is a value of a field. `Seat`, `Seats` and `BySeat` are numbers and
lists like others; a front end that knows the game only by its declaration shows them as players.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core.sets import members

NOTHING = -(1 << 62)
"""The cell of what is not there: null."""

Cells = npt.NDArray[np.int64]
"""The cells of a view."""

View = Any
"""A view, or a record within it, as `view` sees it: Numba's record when compiled, a `Record` when interpreted."""

CELL = np.dtype("<i8")
Element = tuple[np.dtype[Any], tuple[int, ...]]
"""A type of field, and its dimensions."""


class Shape(ABC):
    """What a part of a view is."""

    text: str
    """What a reader must know of it beyond its name."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many cells it takes."""

    @abstractmethod
    def read(self, cells: memoryview, at: int) -> Any:
        """What the cells from a place on show, as JSON has it."""

    def fields(self, name: str) -> list[tuple[Any, ...]]:
        """The fields of a record that hold it under a name."""
        return [(name, *self.element())]

    def element(self) -> Element:
        """What holds it as an item of a list."""
        return CELL, ()


@dataclass(frozen=True)
class Number(Shape):
    """A whole number."""

    text: str = ""

    @property
    def size(self) -> int:
        """See `Shape`."""
        return 1

    def read(self, cells: memoryview, at: int) -> int | None:
        """See `Shape`."""
        return None if cells[at] == NOTHING else cells[at]


@dataclass(frozen=True)
class Seat(Number):
    """A seat."""


@dataclass(frozen=True)
class Flag(Shape):
    """Whether something is so."""

    text: str = ""

    @property
    def size(self) -> int:
        """See `Shape`."""
        return 1

    def read(self, cells: memoryview, at: int) -> bool | None:
        """See `Shape`."""
        return None if cells[at] == NOTHING else cells[at] != 0


@dataclass(frozen=True)
class Word(Shape):
    """One of some values, given by its place among them."""

    values: Sequence[Any]
    text: str = ""

    @property
    def size(self) -> int:
        """See `Shape`."""
        return 1

    def read(self, cells: memoryview, at: int) -> Any:
        """See `Shape`."""
        return None if cells[at] == NOTHING else self.values[_checked(cells[at], len(self.values) - 1)]


@dataclass(frozen=True)
class MembersOf(Shape):
    """A list of those of some values whose bits are set, the lowest first."""

    values: Sequence[Any]
    text: str = ""

    def __post_init__(self) -> None:
        if len(self.values) > 62:
            raise ValueError("a set has at most 62 values")

    @property
    def size(self) -> int:
        """See `Shape`."""
        return 1

    def read(self, cells: memoryview, at: int) -> list[Any] | None:
        """See `Shape`."""
        if cells[at] == NOTHING:
            return None
        return [self.values[place] for place in members(_checked(cells[at], (1 << len(self.values)) - 1))]


@dataclass(frozen=True)
class Seats(MembersOf):
    """A list of those seats whose bits are set."""


@dataclass(frozen=True)
class Constant(Shape):
    """What is always the same, and takes no cell."""

    value: Any
    text: str = ""

    @property
    def size(self) -> int:
        """See `Shape`."""
        return 0

    def read(self, cells: memoryview, at: int) -> Any:
        """See `Shape`."""
        return self.value

    def fields(self, name: str) -> list[tuple[Any, ...]]:
        """See `Shape`."""
        return []

    def element(self) -> Element:
        """See `Shape`."""
        raise ValueError("a list has no constants for items")


@dataclass(frozen=True)
class Each(Shape):
    """A list of at most so many items. Its count has a cell of its own, before those of the items."""

    one: Shape
    most: int
    text: str = ""

    @property
    def size(self) -> int:
        """See `Shape`."""
        return 1 + self.most * self.one.size

    def read(self, cells: memoryview, at: int) -> list[Any] | None:
        """See `Shape`."""
        if cells[at] == NOTHING:
            return None
        size = self.one.size
        return [self.one.read(cells, at + 1 + i * size) for i in range(_checked(cells[at], self.most))]

    def fields(self, name: str) -> list[tuple[Any, ...]]:
        """See `Shape`."""
        kind, dimensions = self.one.element()
        return [(f"num_{name}", CELL), (name, kind, (self.most, *dimensions))]

    def element(self) -> Element:
        """See `Shape`."""
        return np.dtype(self.fields("items")), ()


@dataclass(frozen=True)
class BySeat(Each):
    """A list with an item for each seat."""


@dataclass(frozen=True)
class Exactly(Shape):
    """A list of so many items, always."""

    count: int
    one: Shape
    text: str = ""

    @property
    def size(self) -> int:
        """See `Shape`."""
        return self.count * self.one.size

    def read(self, cells: memoryview, at: int) -> list[Any]:
        """See `Shape`."""
        size = self.one.size
        return [self.one.read(cells, at + i * size) for i in range(self.count)]

    def element(self) -> Element:
        """See `Shape`."""
        kind, dimensions = self.one.element()
        return kind, (self.count, *dimensions)


@dataclass(frozen=True)
class Keyed(Shape):
    """An object with an item for each of some names, given by the place of the name."""

    names: Sequence[str]
    one: Shape
    text: str = ""

    @property
    def size(self) -> int:
        """See `Shape`."""
        return len(self.names) * self.one.size

    def read(self, cells: memoryview, at: int) -> dict[str, Any]:
        """See `Shape`."""
        size = self.one.size
        return {name: self.one.read(cells, at + i * size) for i, name in enumerate(self.names)}

    def element(self) -> Element:
        """See `Shape`."""
        kind, dimensions = self.one.element()
        return kind, (len(self.names), *dimensions)


class Fields(Shape):
    """An object with these keys, in this order."""

    def __init__(self, text: str = "", /, **shapes: Shape) -> None:
        self.text = text
        self.shapes: Mapping[str, Shape] = shapes
        names = [field[0] for name, shape in shapes.items() for field in shape.fields(name)]
        if len(set(names)) != len(names):
            raise ValueError(f"two fields have one name: {', '.join(names)}")

    @cached_property
    def size(self) -> int:
        """See `Shape`."""
        return sum(shape.size for shape in self.shapes.values())

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The type of the record."""
        found = np.dtype([field for name, shape in self.shapes.items() for field in shape.fields(name)])
        assert found.itemsize == CELL.itemsize * self.size
        return found

    def new(self) -> Cells:
        """A record in which nothing is set."""
        return np.full(self.size, NOTHING, np.int64)

    def show(self, cells: Cells) -> dict[str, Any]:
        """What a record shows."""
        return self.read(cells.data, 0)

    def read(self, cells: memoryview, at: int) -> dict[str, Any]:
        """See `Shape`."""
        result = {}
        for name, shape in self.shapes.items():
            result[name] = shape.read(cells, at)
            at += shape.size
        return result

    def element(self) -> Element:
        """See `Shape`."""
        return self.dtype, ()


@dataclass(frozen=True)
class Maybe(Shape):
    """Something, or null. What has no cell of its own that could be `NOTHING` has one before it that says so."""

    one: Shape
    text: str = ""

    @property
    def has_cell(self) -> bool:
        """Whether there is such a cell; null if it is `NOTHING` or 0."""
        return isinstance(self.one, Constant | Exactly | Keyed | Fields)

    @property
    def size(self) -> int:
        """See `Shape`."""
        return self.has_cell + self.one.size

    def read(self, cells: memoryview, at: int) -> Any:
        """See `Shape`."""
        if not self.has_cell:
            return self.one.read(cells, at)
        return None if cells[at] in (NOTHING, 0) else self.one.read(cells, at + 1)

    def fields(self, name: str) -> list[tuple[Any, ...]]:
        """See `Shape`."""
        return [(f"has_{name}", CELL), *self.one.fields(name)] if self.has_cell else self.one.fields(name)

    def element(self) -> Element:
        """See `Shape`."""
        return (np.dtype(self.fields("item")), ()) if self.has_cell else self.one.element()


def _checked(value: int, most: int) -> int:
    if not 0 <= value <= most:
        raise IndexError(f"a view has {value} where 0 to {most} is declared")
    return value
