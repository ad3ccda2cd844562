"""Records: the header, the journal, and reading and writing from Python."""

from __future__ import annotations

import numpy as np
import pytest

from ludotheque.core import record
from ludotheque.core.jit import plain
from ludotheque.core.record import HEADER, MAX_EVENTS, Cells, Record, state_dtype

STATE = state_dtype([("small", "i1"), ("large", "<i8"), ("row", "<i2", (3,)), ("grid", "i1", (2, 3))])

emit = plain(record.emit)
clear_stale_events = plain(record.clear_stale_events)
clear_chance = plain(record.clear_chance)


@pytest.fixture
def s() -> Record:
    return Record(np.zeros(STATE.itemsize, np.uint8), STATE)


def test_a_state_is_the_header_and_the_fields_without_padding() -> None:
    assert STATE.names is not None
    assert list(STATE.names) == [field[0] for field in HEADER] + ["small", "large", "row", "grid"]
    fields = [STATE[name] for name in STATE.names]
    assert STATE.itemsize == sum(field.itemsize for field in fields)
    unsigned = {name for name in STATE.names if STATE[name].base.kind == "u"}
    assert unsigned == {"key", "block"}  # all others are signed, for arithmetic that is alike in both modes


def test_fields_are_python_integers(s: Record) -> None:
    s.small, s.large = -128, 2**62
    assert (s.small, s.large) == (-128, 2**62)
    assert type(s.small) is int and type(s.large) is int
    s.large += 1
    s.large |= 2
    assert s.large == 2**62 + 3


def test_array_fields(s: Record) -> None:
    s.row[1] = 7
    s.row[2] -= 3
    assert type(s.row[1]) is int
    assert (list(s.row), s.row.tolist(), len(s.row), s.row.shape) == ([0, 7, -3], [0, 7, -3], 3, (3,))
    s.row[:2] = [5, 6]
    assert s.row[:2].tolist() == [5, 6]
    s.row[:] = 0
    assert s.row.tolist() == [0, 0, 0]


def test_fields_of_two_dimensions(s: Record) -> None:
    s.grid[1, 2] = 4
    s.grid[0][1] = 3
    assert s.grid[1, 2] == s.grid[1][2] == 4
    assert s.grid.tolist() == [[0, 3, 0], [0, 0, 4]]
    assert [row.tolist() for row in s.grid] == [[0, 3, 0], [0, 0, 4]]
    assert isinstance(s.grid[1], Cells) and s.grid.shape == (2, 3)


def test_writing_goes_to_the_bytes() -> None:
    buffer = np.zeros(STATE.itemsize, np.uint8)
    one, other = Record(buffer, STATE), Record(buffer, STATE)
    one.small = 5
    one.row[2] = 300
    assert (other.small, other.row[2]) == (5, 300)
    assert np.frombuffer(buffer.tobytes(), STATE)["row"][0, 2] == 300


@pytest.mark.parametrize("value", [128, -129, 2**40])
def test_what_does_not_fit_raises(s: Record, value: int) -> None:
    with pytest.raises(OverflowError):
        s.small = value
    with pytest.raises(OverflowError):
        s.grid[0, 0] = value
    assert s.small == s.grid[0, 0] == 0


def test_unknown_fields_raise(s: Record) -> None:
    with pytest.raises(AttributeError):
        _ = s.colour
    with pytest.raises((AttributeError, ValueError)):
        s.colour = 1
    with pytest.raises(IndexError):
        s.row[3] = 1


def test_the_journal_keeps_entries_in_order(s: Record) -> None:
    emit(s, 3, 1, 10, -20, 2_000_000_000)
    emit(s, 4, -1, 0, 0, 1)
    assert s.num_events == 2
    assert (s.event_kind[:2].tolist(), s.event_seat[:2].tolist()) == ([3, 4], [1, -1])
    assert s.event_args[:2].tolist() == [[10, -20, 2_000_000_000], [0, 0, 1]]


def test_a_full_journal_takes_nothing(s: Record) -> None:
    for number in range(MAX_EVENTS + 3):
        emit(s, number, 0, 0, 0, 0)
    assert s.num_events == MAX_EVENTS
    assert s.event_kind.tolist() == list(range(MAX_EVENTS))


def test_stale_entries_are_erased(s: Record) -> None:
    for _ in range(3):
        emit(s, 1, 2, 3, 4, 5)
    s.num_events = 1
    clear_stale_events(s)
    assert s.event_kind.tolist() == [1] + [0] * (MAX_EVENTS - 1)
    assert s.event_seat.tolist() == [2] + [0] * (MAX_EVENTS - 1)
    assert s.event_args.tolist() == [[3, 4, 5]] + [[0, 0, 0]] * (MAX_EVENTS - 1)


def test_chance_is_erased(s: Record) -> None:
    s.key[:] = 7
    s.block[:] = 8
    s.counter, s.cursor, s.large = 9, 10, 11
    clear_chance(s)
    assert not any(s.key) and not any(s.block)
    assert (s.counter, s.cursor, s.large) == (0, 0, 11)
