"""The program that turns a view's cells into JSON, made by walking its declaration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludotheque.core.views import Constant, Each, Exactly, Fields, Flag, Keyed, Maybe, MembersOf, Number, Shape, Word
from ludotheque.server.views.writer import (
    FLAG,
    LIST,
    MAX_DEPTH,
    NEXT,
    NUMBER,
    OBJECT,
    SET,
    STEP,
    STOP,
    TEXT,
    TEXTS,
    WORD,
)


class Program(NamedTuple):
    """What `write_view` writes, step by step."""

    steps: npt.NDArray[np.uint8]
    """The steps, each a `STEP`, as bytes."""
    texts: npt.NDArray[np.uint8]
    """All texts, one after the other."""
    ends: npt.NDArray[np.int32]
    """Text k begins at `ends[k]` and ends at `ends[k + 1]`."""


def encode(value: Any) -> bytes:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def make_program(shown: Fields, moves: Sequence[bytes]) -> Program:
    """The program that writes an object, but for its last brace; and legal moves, whose texts by action are given."""
    builder = _Builder([*TEXTS, *moves])
    builder.write(b"{")
    builder.add_fields(shown, 0)
    builder.step(STOP)
    texts = b"".join(builder.texts)
    return Program(
        np.array(builder.steps, STEP).view(np.uint8),
        np.frombuffer(texts, np.uint8).copy(),
        np.cumsum([0, *map(len, builder.texts)], dtype=np.int32),
    )


class _Builder:
    def __init__(self, texts: Sequence[bytes]) -> None:
        self.texts = list(texts)
        self.steps: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[bytes, ...], int] = {}
        self._pending = b""  # what the next step writes before its value
        self._depth = 0

    def write(self, text: bytes) -> None:
        self._pending += text

    def step(self, op: int, cell: int = 0, text: int = 0, most: int = 0, stride: int = 0, target: int = -1) -> None:
        """Add a step; without a target it leads to the one after it."""
        before = self._text([self._pending])
        self._pending = b""
        self.steps.append((op, before, cell, text, most, stride, target if target >= 0 else len(self.steps) + 1))

    def _text(self, texts: Sequence[bytes]) -> int:
        """The number of the first of some texts that stand side by side; the same ones are kept once."""
        key = tuple(texts)
        if key not in self._numbers:
            self._numbers[key] = len(self.texts)
            self.texts += texts
        return self._numbers[key]

    def _close(self, index: int) -> None:
        """Let a step lead to where we are now."""
        self.steps[index] = (*self.steps[index][:-1], len(self.steps))

    def add(self, shape: Shape, cell: int) -> None:
        """Write a value whose cells begin here."""
        match shape:
            case Number():
                self.step(NUMBER, cell)
            case Flag():
                self.step(FLAG, cell)
            case Word(values):
                self.step(WORD, cell, self._text([encode(value) for value in values]), len(values) - 1)
            case MembersOf(values):
                self.step(SET, cell, self._text([encode(value) for value in values]), (1 << len(values)) - 1)
            case Constant(value):
                self.write(encode(value))
            case Each(one, most):
                self._add_list(one, most, cell)
            case Exactly(count, one):
                self._add_items([b""] * count, one, cell, b"[]")
            case Keyed(names, one):
                self._add_items([encode(name) + b":" for name in names], one, cell, b"{}")
            case Fields():
                self.write(b"{")
                self.add_fields(shape, cell)
                self.write(b"}")
            case Maybe(one) if shape.has_cell:
                begin = len(self.steps)
                self.step(OBJECT, cell)
                self.add(one, cell + 1)
                if self._pending:
                    self.step(TEXT)
                self._close(begin)
            case Maybe(one):
                self.add(one, cell)
            case _:
                raise TypeError(f"{type(shape).__name__} cannot be written")

    def add_fields(self, shape: Fields, cell: int) -> None:
        """Write the keys and values of an object."""
        comma = b""
        for name, one in shape.shapes.items():
            self.write(comma + encode(name) + b":")
            self.add(one, cell)
            cell += one.size
            comma = b","

    def _add_items(self, keys: Sequence[bytes], one: Shape, cell: int, brackets: bytes) -> None:
        self.write(brackets[:1])
        for number, key in enumerate(keys):
            self.write((b"," if number else b"") + key)
            self.add(one, cell + number * one.size)
        self.write(brackets[1:])

    def _add_list(self, one: Shape, most: int, cell: int) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ValueError(f"lists lie deeper within each other than {MAX_DEPTH}")
        begin = len(self.steps)
        self.step(LIST, cell, most=most)
        self.add(one, 0)
        self.step(NEXT, stride=one.size, target=begin + 1)
        self._close(begin)
        self._depth -= 1
