"""A declared view with labels: what a front end is told of a game it does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludotheque.core.texts import Catalogue
from ludotheque.core.views import (
    BySeat,
    Each,
    Exactly,
    Fields,
    Keyed,
    Maybe,
    MembersOf,
    Number,
    Seat,
    Seats,
    Shape,
    Word,
)
from ludotheque.server.domain.protocol import FieldInfo
from ludotheque.server.wire.labels import fields_of

TEXTS = """
[view]
turn_total = "This turn"
[words.colour]
R = "red"
G = "green"
[words.card]
joker = "the joker"
R = "the red one"
[words.phase]
R = "rolling"
"""


@pytest.fixture
def texts(tmp_path: Path) -> Catalogue:
    (tmp_path / "en.toml").write_text(TEXTS, "utf-8")
    return Catalogue(tmp_path, "en")


def only(texts: Catalogue, name: str, shape: Shape) -> FieldInfo:
    (field,) = fields_of(Fields(**{name: shape}), texts)
    return field


def test_labels_are_the_games_or_made_from_the_name(texts: Catalogue) -> None:
    declared = Fields(turn_total=Number(), best_roll=Number(), left=Fields(turn_total=Number()))
    assert [field.label for field in fields_of(declared, texts)] == ["This turn", "Best roll", "Left"]
    assert only(texts, "left", declared.shapes["left"]).fields[0].label == "This turn"


def test_seats_are_told_from_numbers(texts: Catalogue) -> None:
    shapes = [Number(), Seat(), Maybe(Seat()), Each(Seat(), 3), Seats(range(4)), MembersOf(range(4))]
    assert [only(texts, "a", shape).seat for shape in shapes] == [False, True, True, True, True, False]


def test_lists_by_seat_are_told_from_others(texts: Catalogue) -> None:
    shapes = [Each(Number(), 4), BySeat(Number(), 4), Maybe(BySeat(Number(), 4)), Each(BySeat(Number(), 4), 2)]
    assert [only(texts, "a", shape).by_seat for shape in shapes] == [False, True, True, False]


def test_values_are_put_into_words(texts: Catalogue) -> None:
    """By the table of the field's name, else by the one that knows most of them; underscores become spaces."""
    assert only(texts, "phase", Word(("R", "to_move"))).words == {"R": "rolling", "to_move": "to move"}
    assert only(texts, "trump", Maybe(Word(("R", "G")))).words == {"R": "red", "G": "green"}
    assert only(texts, "hand", BySeat(Each(Word(("R", "joker")), 2), 3)).words == {
        "R": "the red one",
        "joker": "the joker",
    }
    assert only(texts, "left", Keyed(("R", "G"), Number())).words == {"R": "red", "G": "green"}
    assert only(texts, "roll", Exactly(2, Word([[1, 2], [3, 4]]))).words == {}


def test_seats_and_lists_by_seat_are_numbers_and_lists() -> None:
    """They only say more: a record, and what it shows, is the same."""
    plain = Fields(a=Number(), b=MembersOf(range(3)), c=Each(Number(), 2))
    seats = Fields(a=Seat(), b=Seats(range(3)), c=BySeat(Number(), 2))
    assert plain.dtype == seats.dtype
    cells = plain.new()
    cells[:] = (2, 5, 2, 7, 8)
    assert plain.show(cells) == seats.show(cells) == {"a": 2, "b": [0, 2], "c": [7, 8]}
