"""The shape of what is shown: a game puts numbers down one after the other, and its shape says what they are.

Putting numbers down is compiled (`put`), and builds no text. What becomes of them is written once, as a `Shape`: Python
reads them into dictionaries (`read`), compiled code writes the same as JSON (`write`), from a `Sheet` that the shape
was laid out on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from ludotheque.core.jit import lean, plain
from ludotheque.core.raw import move
from ludotheque.core.sets import members

NOTHING = -(1 << 62)
"""Put down for what is not there: null."""

COUNT_BITS = 12
MOST_NUMBERS = 1 << COUNT_BITS
"""How many numbers one view may take."""

Numbers = npt.NDArray[np.int64]
"""Where numbers are put down; the first is the place of the next one."""

MAX_DEPTH = 5
"""How deep lists may lie within lists: as many counts below `MOST_NUMBERS` as 64 bits hold."""

# What a sheet tells the writer to do: pairs of an instruction and its number.
#   LITERAL k   copy text k
#   NUMBER      the next number, in digits
#   SECONDS     the next number, thousandths, as JSON has it in whole ones
#   FLAG        the next number, as true or false
#   WORD k      text k + the next number
#   SET k       the next number is a set: a list of the texts k + each member
#   MAYBE p     the next number says whether there is anything: if not null, and on at p
#   EACH p      the next number says how often all up to p comes, as a list; or null, and on at p
#   AGAIN p     the end of such a list: once more from p, or on
#   SAID        the next number says how many numbers come, as a sentence has them
LITERAL, NUMBER, SECONDS, FLAG, WORD, SET, MAYBE, EACH, AGAIN, SAID = range(10)

_ZERO, _MINUS, _COMMA, _POINT, _SPACE, _OPEN, _CLOSE = b"0-,. []"
NULL, TRUE, FALSE = 0, 1, 2
"""Texts that every sheet has."""


class Sheet:
    """Shapes laid out for the writer: what it does, and the texts it copies."""

    def __init__(self) -> None:
        self._orders: list[int] = []
        self._texts = [b"null", b"true", b"false"]
        self._can_join = False
        self._depth = 0

    def __len__(self) -> int:
        return len(self._orders)

    def literal(self, text: bytes) -> None:
        """Copy a text."""
        if self._can_join:
            self._texts[-1] += text
        else:
            self.order(LITERAL, self.words([text]))
            self._can_join = True

    def order(self, what: int, number: int = 0) -> int:
        """Do something; where that stands."""
        self._orders += (what, number)
        self._can_join = False
        return len(self) - 2

    def words(self, texts: Sequence[bytes]) -> int:
        """Keep texts; the number of the first."""
        self._texts += texts
        self._can_join = False
        return len(self._texts) - len(texts)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Within a list."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ValueError(f"lists lie deeper within each other than {MAX_DEPTH}")
        yield
        self._depth -= 1

    def close(self, place: int) -> None:
        """What began at a place ends here."""
        self._orders[place + 1] = self.part()

    def part(self) -> int:
        """A part begins that can be written by itself: where that is."""
        self._can_join = False
        return len(self)

    def arrays(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
        """The orders, the texts, and where each text begins; the last ends at the last of these."""
        ends = np.cumsum([0, *map(len, self._texts)], dtype=np.int32)
        return np.array(self._orders, np.int32), np.frombuffer(b"".join(self._texts), np.uint8).copy(), ends


class Shape(ABC):
    """What some numbers are."""

    @abstractmethod
    def read(self, numbers: Iterator[int]) -> Any:
        """The numbers as Python has them."""

    @abstractmethod
    def lay(self, sheet: Sheet) -> None:
        """Tell the writer what to do with them."""

    def lay_said(self, sheet: Sheet, say: Callable[[Any], str]) -> bool:
        """Tell the writer how they are said in a sentence, where values are said like this. False if it cannot be."""
        return False


class _Number(Shape):
    def read(self, numbers: Iterator[int]) -> int | None:
        value = next(numbers)
        return None if value == NOTHING else value

    def lay(self, sheet: Sheet) -> None:
        sheet.order(NUMBER)


class _Seconds(Shape):
    def read(self, numbers: Iterator[int]) -> float | None:
        value = next(numbers)
        return None if value == NOTHING else value / 1000

    def lay(self, sheet: Sheet) -> None:
        sheet.order(SECONDS)


class _Flag(Shape):
    def read(self, numbers: Iterator[int]) -> bool:
        return bool(next(numbers))

    def lay(self, sheet: Sheet) -> None:
        sheet.order(FLAG)


number = _Number()
"""A number, or null."""
seconds = _Seconds()
"""A time in seconds, put down in thousandths; or null."""
flag = _Flag()
"""Whether something is so."""


class word(Shape):  # noqa: N801 (these are written like words of a language)
    """One of some values, by its place among them; or null."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = values

    def read(self, numbers: Iterator[int]) -> Any:
        """See `Shape`."""
        value = next(numbers)
        return None if value == NOTHING else self._values[value]

    def lay(self, sheet: Sheet) -> None:
        """See `Shape`."""
        sheet.order(WORD, sheet.words([msgspec.json.encode(value) for value in self._values]))

    def lay_said(self, sheet: Sheet, say: Callable[[Any], str]) -> bool:
        """See `Shape`."""
        sheet.order(WORD, sheet.words([msgspec.json.encode(say(value))[1:-1] for value in self._values]))
        return True


class members_of(Shape):  # noqa: N801
    """A list of some values: those whose bits are set, the lowest first; or null."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = values

    def read(self, numbers: Iterator[int]) -> list[Any] | None:
        """See `Shape`."""
        value = next(numbers)
        return None if value == NOTHING else [self._values[place] for place in members(value)]

    def lay(self, sheet: Sheet) -> None:
        """See `Shape`."""
        sheet.order(SET, sheet.words([msgspec.json.encode(value) for value in self._values]))


class constant(Shape):  # noqa: N801
    """What is always the same, and takes no number."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def read(self, numbers: Iterator[int]) -> Any:
        """See `Shape`."""
        return self._value

    def lay(self, sheet: Sheet) -> None:
        """See `Shape`."""
        sheet.literal(msgspec.json.encode(self._value))


class each(Shape):  # noqa: N801
    """A list: how many there are, then the numbers of each; or null."""

    def __init__(self, one: Shape) -> None:
        self._one = one

    def read(self, numbers: Iterator[int]) -> list[Any] | None:
        """See `Shape`."""
        count = next(numbers)
        return None if count == NOTHING else [self._one.read(numbers) for _ in range(count)]

    def lay(self, sheet: Sheet) -> None:
        """See `Shape`."""
        begin = sheet.order(EACH)
        with sheet.deeper():
            self._one.lay(sheet)
        sheet.order(AGAIN, begin + 2)
        sheet.close(begin)

    def lay_said(self, sheet: Sheet, say: Callable[[Any], str]) -> bool:
        """See `Shape`."""
        if self._one is number:
            sheet.order(SAID)
        return self._one is number


class fields(Shape):  # noqa: N801
    """An object, or what some keys of one hold, in this order."""

    def __init__(self, given: Mapping[str, Shape] | None = None, /, **named: Shape) -> None:
        self._shapes = {**(given or {}), **named}

    def read(self, numbers: Iterator[int]) -> dict[str, Any]:
        """See `Shape`."""
        return {name: shape.read(numbers) for name, shape in self._shapes.items()}

    def lay(self, sheet: Sheet) -> None:
        """See `Shape`."""
        sheet.literal(b"{")
        self.lay_within(sheet)
        sheet.literal(b"}")

    def __iter__(self) -> Iterator[tuple[str, Shape]]:
        return iter(self._shapes.items())

    def lay_within(self, sheet: Sheet, is_first: bool = True) -> None:
        """The same amid an object."""
        for name, shape in self._shapes.items():
            sheet.literal((b"" if is_first else b",") + msgspec.json.encode(name) + b":")
            shape.lay(sheet)
            is_first = False


class More(NamedTuple):
    """What an event tells more than its numbers."""

    shown: fields
    """The fields, which stand last."""
    covers: tuple[int, ...] = ()
    """The places of those of its numbers that the fields tell."""


class maybe(Shape):  # noqa: N801
    """Something after a number of its own, whichever; or null."""

    def __init__(self, one: Shape) -> None:
        self._one = one

    def read(self, numbers: Iterator[int]) -> Any:
        """See `Shape`."""
        return None if next(numbers) == NOTHING else self._one.read(numbers)

    def lay(self, sheet: Sheet) -> None:
        """See `Shape`."""
        begin = sheet.order(MAYBE)
        self._one.lay(sheet)
        sheet.close(begin)


# Putting down.


@lean
def clear(out: Numbers) -> None:
    """Nothing is put down yet."""
    out[0] = 1


@lean
def put(out: Numbers, value: int) -> None:
    """Put a number down. What does not fit is only counted, see `overflows`."""
    at = out[0]
    if at < len(out):
        out[at] = value
    out[0] = at + 1


@lean
def put_first(out: Numbers, count: int, values: Any) -> None:
    """Put a list down: its length, then so many numbers."""
    put(out, count)
    for i in range(count):
        put(out, values[i])


@lean
def overflows(out: Numbers) -> bool:
    """Whether too many numbers were put down."""
    return out[0] > len(out)


def numbers_in(out: Numbers) -> Iterator[int]:
    """What was put down, for `Shape.read`."""
    if plain(overflows)(out):
        raise OverflowError(f"a view takes more than {len(out) - 1} numbers")
    return iter(out[1 : out[0]].tolist())


# Writing. All return how far `out` is filled, or -1 once something did not fit.


@lean
def copy(source: Any, first: int, end: int, out: Any, at: int) -> int:
    """Copy a part of some bytes."""
    if at < 0 or at + end - first > len(out):
        return -1
    move(source, first, out, at, end - first)
    return at + end - first


@lean
def _byte(out: Any, at: int, value: int) -> int:
    if at < 0 or at >= len(out):
        return -1
    out[at] = value
    return at + 1


@lean
def _digits(out: Any, at: int, value: int) -> int:
    if value < 0:
        at = _byte(out, at, _MINUS)
        value = -value
    size = 1
    rest = value // 10
    while rest > 0:
        size += 1
        rest //= 10
    if at < 0 or at + size > len(out):
        return -1
    for i in range(size):
        out[at + size - 1 - i] = _ZERO + value % 10
        value //= 10
    return at + size


@lean
def _seconds(out: Any, at: int, value: int) -> int:
    """Thousandths of a time, not negative, as whole ones: no zero stands last but right after the point."""
    at = _byte(out, _digits(out, at, value // 1000), _POINT)
    rest = value % 1000
    at = _byte(out, at, _ZERO + rest // 100)
    if rest % 100 != 0:
        at = _byte(out, at, _ZERO + rest // 10 % 10)
    if rest % 10 != 0:
        at = _byte(out, at, _ZERO + rest % 10)
    return at


@lean
def _word(texts: Any, ends: Any, k: int, out: Any, at: int) -> int:
    return copy(texts, ends[k], ends[k + 1], out, at)


@lean
def _said(numbers: Numbers, first: int, count: int, out: Any, at: int) -> int:
    for i in range(count):
        if i > 0:
            at = _byte(out, _byte(out, at, _COMMA), _SPACE)
        value = numbers[first + i]
        if value < 0:
            at = _byte(out, _byte(out, _byte(out, at, 0xE2), 0x88), 0x92)  # a minus sign, which is no hyphen
        at = _digits(out, at, abs(value))
    return at


@lean
def write(orders: Any, place: int, stop: int, numbers: Numbers, texts: Any, ends: Any, out: Any, at: int) -> int:
    """Write numbers as JSON from `out[at]` on, as the orders from one place to another say."""
    left = 0  # how often the lists around us still come, the innermost last
    i = 1
    while place < stop:
        what, k = orders[place], orders[place + 1]
        place += 2
        if what == LITERAL:
            at = _word(texts, ends, k, out, at)
            continue
        if what == AGAIN:
            left -= 1
            if left & (MOST_NUMBERS - 1) > 0:
                at = _byte(out, at, _COMMA)
                place = k
            else:
                at = _byte(out, at, _CLOSE)
                left >>= COUNT_BITS
            continue
        value = numbers[i]
        i += 1
        if value == NOTHING:
            at = _word(texts, ends, NULL, out, at)
            if what in (MAYBE, EACH):
                place = k
        elif what == NUMBER:
            at = _digits(out, at, value)
        elif what == SECONDS:
            at = _seconds(out, at, value)
        elif what == FLAG:
            at = _word(texts, ends, TRUE if value else FALSE, out, at)
        elif what == WORD:
            at = _word(texts, ends, k + value, out, at)
        elif what == SET:
            at = _byte(out, at, _OPEN)
            first = True
            while value != 0:
                if value & 1:
                    if not first:
                        at = _byte(out, at, _COMMA)
                    at = _word(texts, ends, k, out, at)
                    first = False
                value >>= 1
                k += 1
            at = _byte(out, at, _CLOSE)
        elif what == SAID:
            at = _said(numbers, i, value, out, at)
            i += value
        elif what == EACH:
            at = _byte(out, at, _OPEN)
            if value > 0:
                left = left << COUNT_BITS | value
            else:
                at = _byte(out, at, _CLOSE)
                place = k
    return at
