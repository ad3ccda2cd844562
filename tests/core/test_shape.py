"""Numbers become the same JSON whether Python reads them or compiled code writes them."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludotheque.core import shape
from ludotheque.core.jit import plain
from ludotheque.core.shape import (
    MAX_DEPTH,
    NOTHING,
    Shape,
    Sheet,
    constant,
    each,
    fields,
    flag,
    maybe,
    members_of,
    number,
    numbers_in,
    seconds,
    word,
)

WORDS = ["a", 'é\n"', "", [1, None], {"k": True}]

Made = tuple[Shape, list[int]]
"""A shape and numbers that fit it."""

LEAVES: st.SearchStrategy[Made] = st.one_of(
    st.integers(-(2**53), 2**53).map(lambda value: (number, [value])),
    st.just((number, [NOTHING])),
    st.integers(0, 2**43).map(lambda value: (seconds, [value])),
    st.booleans().map(lambda value: (flag, [int(value)])),
    st.sampled_from([NOTHING, *range(len(WORDS))]).map(lambda value: (word(WORDS), [value])),
    st.integers(0, 2 ** len(WORDS) - 1).map(lambda value: (members_of(WORDS), [value])),
    st.just((members_of(WORDS), [NOTHING])),
    st.sampled_from(WORDS).map(lambda value: (constant(value), [])),
)


def _branches(inner: st.SearchStrategy[Made]) -> st.SearchStrategy[Made]:
    def object_of(parts: list[Made]) -> Made:
        return fields({f"k{i}": one for i, (one, _) in enumerate(parts)}), [n for _, ns in parts for n in ns]

    return st.one_of(
        st.tuples(inner, st.integers(0, 3)).map(lambda made: (each(made[0][0]), [made[1], *made[0][1] * made[1]])),
        inner.map(lambda made: (each(made[0]), [NOTHING])),
        inner.map(lambda made: (maybe(made[0]), [1, *made[1]])),
        inner.map(lambda made: (maybe(made[0]), [NOTHING])),
        st.lists(inner, max_size=4).map(object_of),
    )


def put_down(numbers: list[int], size: int = 4096) -> Any:
    out = np.zeros(size, np.int64)
    plain(shape.clear)(out)
    for value in numbers:
        plain(shape.put)(out, value)
    return out


def written(one: Shape, numbers: list[int], size: int = 1 << 16) -> bytes | None:
    sheet = Sheet()
    one.lay(sheet)
    orders, texts, ends = sheet.arrays()
    out = np.zeros(size, np.uint8)
    end = plain(shape.write)(orders, 0, len(orders), put_down(numbers), texts, ends, out, 0)
    return None if end < 0 else out[:end].tobytes()


@given(st.recursive(LEAVES, _branches, max_leaves=12))
@settings(deadline=None)
def test_what_is_written_is_what_is_read(made: Made) -> None:
    one, numbers = made
    values = numbers_in(put_down(numbers))
    read = one.read(values)
    assert next(values, None) is None, "all numbers belong to the shape"
    assert written(one, numbers) == msgspec.json.encode(read)


def test_lists_within_lists_up_to_the_depth_there_is_room_for() -> None:
    one: Shape = number
    for _ in range(MAX_DEPTH):
        one = each(one)
    numbers = [1] * MAX_DEPTH + [7]
    assert written(one, numbers) == b"[" * MAX_DEPTH + b"7" + b"]" * MAX_DEPTH
    with pytest.raises(ValueError, match="deeper"):
        each(one).lay(Sheet())


@given(st.integers(0, 40))
def test_what_does_not_fit_is_not_written_at_all(size: int) -> None:
    one, numbers = fields(a=each(number), b=members_of(WORDS), c=word(WORDS)), [3, 1, -20, 300, 0b11, 1]
    whole = written(one, numbers)
    assert whole is not None
    assert written(one, numbers, size) == (whole if size >= len(whole) else None)


def test_too_many_numbers_are_noticed() -> None:
    assert list(numbers_in(put_down([1, 2, 3], size=4))) == [1, 2, 3]
    with pytest.raises(OverflowError, match="3 numbers"):
        numbers_in(put_down([1, 2, 3, 4], size=4))


def said(one: Shape, numbers: list[int]) -> bytes | None:
    sheet = Sheet()
    if not one.lay_said(sheet, lambda value: f"<{value}>"):
        return None
    orders, texts, ends = sheet.arrays()
    out = np.zeros(200, np.uint8)
    end = plain(shape.write)(orders, 0, len(orders), put_down(numbers), texts, ends, out, 0)
    return out[:end].tobytes()


def test_some_shapes_can_be_said_in_a_sentence() -> None:
    assert said(each(number), [3, 10, -7, 0]) == "10, −7, 0".encode()
    assert said(each(number), [0]) == b""
    assert said(word(["a", 'é"']), [1]) == '<é\\">'.encode()
    assert [said(one, [0]) for one in (number, flag, members_of(WORDS), each(flag), constant(1))] == [None] * 5


def test_a_part_of_a_sheet_is_written_by_itself() -> None:
    sheet = Sheet()
    constant("one").lay(sheet)
    middle = sheet.part()
    constant("two").lay(sheet)
    orders, texts, ends = sheet.arrays()
    out = np.zeros(20, np.uint8)
    for first, last, text in ((0, middle, b'"one"'), (middle, len(orders), b'"two"')):
        end = plain(shape.write)(orders, first, last, put_down([]), texts, ends, out, 0)
        assert out[:end].tobytes() == text
