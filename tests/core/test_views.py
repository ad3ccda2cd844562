"""Declaring views: the record types they make, and what a record shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ludotheque.core.jit import jit, plain
from ludotheque.core.record import Record
from ludotheque.core.views import (
    NOTHING,
    Cells,
    Constant,
    Each,
    Exactly,
    Fields,
    Flag,
    Keyed,
    Maybe,
    MembersOf,
    Number,
    View,
    Word,
)

CARDS = ("7", "8", "9")
VIEW = Fields(
    total=Number(),
    over=Flag(),
    phase=Word(("bids", "play")),
    hand=MembersOf(CARDS),
    bids=Each(Maybe(Number()), 3),
    melds=Each(Fields(kind=Word(("set", "run")), cards=Each(Word(CARDS), 4)), 2),
    known=Each(Each(Word(CARDS), 2), 2),
    piles=Each(Exactly(2, Each(Number(), 2)), 2),
    chance=Exactly(2, Number()),
    left=Keyed(("±1", "stop"), Number()),
    open=Maybe(Fields(seat=Number())),
    partners=Maybe(Constant([2, 3])),
    traps=Constant([11, 22]),
)
NULLS = {"chance": [None, None], "left": {"±1": None, "stop": None}, "traps": [11, 22]}
"""What a view shows in which nothing is set, besides null."""


@pytest.fixture
def cells() -> Cells:
    return VIEW.new()


@pytest.fixture
def v(cells: Cells) -> Record:
    return Record(cells, VIEW.dtype)


def test_a_view_is_a_record_of_numbers() -> None:
    assert VIEW.dtype.itemsize == 8 * VIEW.size == VIEW.new().nbytes
    assert VIEW.dtype.names == (
        "total", "over", "phase", "hand", "num_bids", "bids", "num_melds", "melds", "num_known", "known",
        "num_piles", "piles", "chance", "left", "has_open", "open", "has_partners",
    )  # fmt: skip
    assert VIEW.dtype["bids"].shape == (3,) and VIEW.dtype["piles"].shape == (2, 2)
    assert VIEW.dtype["melds"].base.names == ("kind", "num_cards", "cards")
    assert VIEW.dtype["known"].base.names == ("num_items", "items")


def test_what_is_not_set_is_null(cells: Cells) -> None:
    assert set(cells) == {NOTHING}
    assert VIEW.show(cells) == {name: NULLS.get(name) for name in VIEW.shapes}
    assert list(VIEW.show(cells)) == list(VIEW.shapes)


def fill(v: View) -> None:
    """Set all fields, as compiled code would."""
    v.total = -5
    v.over = 1
    v.phase = 1
    v.hand = 0b101
    v.num_bids = 2
    v.bids[1] = 4
    v.num_melds = 2
    v.melds[0].num_cards = 0
    meld = v.melds[1]
    meld.kind = 1
    meld.num_cards = 3
    for i in range(3):
        meld.cards[i] = 2 - i
    v.num_known = 2
    v.known[0].num_items = 1
    v.known[0].items[0] = 2
    v.num_piles = 1
    v.piles[0, 1].num_items = 2
    v.piles[0, 1].items[1] = 9
    v.chance[0] = 1
    v.chance[1] = 36
    v.left[1] = 0
    v.has_open = 1
    v.open.seat = 3
    v.has_partners = 1


SHOWN = {
    "total": -5,
    "over": True,
    "phase": "play",
    "hand": ["7", "9"],
    "bids": [None, 4],
    "melds": [{"kind": None, "cards": []}, {"kind": "run", "cards": ["9", "8", "7"]}],
    "known": [["9"], None],
    "piles": [[None, [None, 9]]],
    "chance": [1, 36],
    "left": {"±1": None, "stop": 0},
    "open": {"seat": 3},
    "partners": [2, 3],
    "traps": [11, 22],
}


def test_fields_are_set_by_name(v: Record, cells: Cells) -> None:
    fill(v)
    assert VIEW.show(cells) == SHOWN
    assert (v.melds[1].cards.tolist(), v.open.seat, [meld.num_cards for meld in v.melds]) == (
        [2, 1, 0, NOTHING],
        3,
        [0, 3],
    )


def call_compiled(fn: Callable[[View], None], cells: Cells) -> None:
    """Call a function that fills a view, compiled."""
    import numba

    inner, dtype = jit(fn), VIEW.dtype

    def call(buf: Any) -> None:
        inner(buf.view(dtype)[0])

    numba.njit(call)(cells.view(np.uint8))


@pytest.mark.compiled_only
def test_compiled_code_sets_the_same_fields(cells: Cells) -> None:
    call_compiled(fill, cells)
    assert VIEW.show(cells) == SHOWN


def no_such_field(v: View) -> None:
    v.totals = 1


def no_such_inner_field(v: View) -> None:
    v.melds[0].sort = 1


def a_list_is_no_number(v: View) -> None:
    v.bids = 3


def a_constant_has_no_field(v: View) -> None:
    v.traps = 3


WRONG = [no_such_field, no_such_inner_field, a_list_is_no_number, a_constant_has_no_field]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_name_fails_loudly(v: Record, cells: Cells, wrong: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        wrong(v)
    assert set(cells) == {NOTHING}


@pytest.mark.compiled_only
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_name_is_not_even_compiled(cells: Cells, wrong: Any) -> None:
    import numba

    with pytest.raises((numba.core.errors.TypingError, KeyError)):
        call_compiled(wrong, cells)


def test_a_record_within_a_view_is_set_field_by_field(v: Record) -> None:
    with pytest.raises(TypeError):
        v.open = 1
    with pytest.raises(TypeError):
        v.melds[0] = 1
    with pytest.raises(IndexError):
        v.melds[2].kind = 1
    with pytest.raises(IndexError):
        v.bids[3] = 1


@pytest.mark.parametrize(
    ("name", "value"), [("num_bids", 4), ("num_bids", -1), ("phase", 2), ("phase", -1), ("hand", 8), ("hand", -1)]
)
def test_what_is_not_declared_is_not_shown(v: Record, cells: Cells, name: str, value: int) -> None:
    setattr(v, name, value)
    with pytest.raises(IndexError, match=f"has {value} where 0 to"):
        VIEW.show(cells)


def test_what_may_be_missing(v: Record, cells: Cells) -> None:
    v.open.seat = 1
    v.has_open = v.has_partners = 0
    assert VIEW.show(cells)["open"] is None and VIEW.show(cells)["partners"] is None
    one = Fields(items=Each(Maybe(Fields(a=Number())), 2))
    assert one.dtype["items"].base.names == ("has_item", "item")


def test_impossible_declarations() -> None:
    with pytest.raises(ValueError, match="one name"):
        Fields(bids=Each(Number(), 3), num_bids=Number())
    with pytest.raises(ValueError, match="at most 62"):
        MembersOf(range(63))
    with pytest.raises(ValueError, match="no constants"):
        Fields(all=Each(Constant(1), 3))


def test_the_plain_version_of_a_compiled_view_is_python(v: Record, cells: Cells) -> None:
    plain(jit(fill))(v)
    assert VIEW.show(cells) == SHOWN
