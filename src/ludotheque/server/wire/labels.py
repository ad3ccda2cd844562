"""A declared view with labels for people: what a front end needs to show a game it does not know."""

from __future__ import annotations

from collections.abc import Iterable

from ludotheque.core.texts import Catalogue
from ludotheque.core.views import BySeat, Each, Exactly, Fields, Keyed, Maybe, MembersOf, Seat, Seats, Shape, Word
from ludotheque.server.domain.protocol import FieldInfo


def fields_of(declared: Fields, texts: Catalogue) -> list[FieldInfo]:
    """The fields in the order declared. Labels are the texts under `view`, else made from the names."""
    return [_field(name, shape, texts) for name, shape in declared.shapes.items()]


def _field(name: str, shape: Shape, texts: Catalogue) -> FieldInfo:
    field = FieldInfo(name, str(texts.find(f"view.{name}") or _spaced(name).capitalize()))
    if isinstance(shape, Maybe):
        shape = shape.one
    field.by_seat = isinstance(shape, BySeat)
    while isinstance(shape, Each | Exactly | Keyed | Maybe):
        if isinstance(shape, Keyed):
            field.words |= _in_words(name, shape.names, texts)
        shape = shape.one
    field.seat = isinstance(shape, Seat | Seats)
    if isinstance(shape, Fields):
        field.fields = fields_of(shape, texts)
    elif isinstance(shape, Word | MembersOf):
        field.words |= _in_words(name, (value for value in shape.values if isinstance(value, str)), texts)
    return field


def _in_words(name: str, values: Iterable[str], texts: Catalogue) -> dict[str, str]:
    """The values that read otherwise than they are written.

    They are looked up in the table under `words` that is called like the field, else in the one that knows most of
    them.
    """
    values = [value for value in values if value]
    tables = {table: known for table, known in (texts.find("words") or {}).items() if isinstance(known, dict)}
    empty: dict[str, str] = {}
    known = tables.get(name) or max(
        tables.values(), key=lambda table: sum(value in table for value in values), default=empty
    )
    said = {value: str(known.get(value, _spaced(value))) for value in values}
    return {value: text for value, text in said.items() if text != value}


def _spaced(name: str) -> str:
    return name.replace("_", " ")
