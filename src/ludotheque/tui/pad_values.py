"""What is typed for the values of a pad's entry, at the prompt and on the screen alike, and pads as files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludotheque.core.files import write_text
from ludotheque.core.pad import Pad
from ludotheque.core.pad_entry import InvalidEntry

YES = ("y", "yes", "o", "oui", "1", "+", "x")
NO = ("n", "no", "non", "0", "-")
CSV = ".csv"

Slot = tuple[str, int | None]
"""A value of an entry: its field, and the seat if there is one for each."""


def slots(pad: Pad) -> list[Slot]:
    """The values of the next entry in the order asked for."""
    if pad.form is None:
        return []
    order = pad.form.order or range(len(pad.names))
    return [(one.name, seat) for one in pad.form.fields for seat in (order if one.each else [None])]


def entry_of(pad: Pad, values: Mapping[Slot, Any]) -> dict[str, Any]:
    """The entry that values make; what is not there is left empty."""
    assert pad.form is not None
    seats = range(len(pad.names))
    return {
        one.name: [values.get((one.name, seat)) for seat in seats] if one.each else values.get((one.name, None))
        for one in pad.form.fields
    }


def values_of(pad: Pad, entry: Mapping[str, Any]) -> dict[Slot, Any]:
    """The values of an entry, one by one."""
    return {(name, seat): entry[name] if seat is None else entry[name][seat] for name, seat in slots(pad)}


def read_value(one: Mapping[str, Any], text: str) -> Any:
    """What was typed for a field of a form: yes or no, one of the choices, or a text for the pad to read."""
    if one["kind"] == "flag":
        word = text.lower()
        return True if word in YES else False if word in NO else text
    if one["kind"] == "choice":
        return _choice(one["choices"], text)
    return text.replace("−", "-")


def _choice(choices: Sequence[dict[str, Any]], text: str) -> Any:
    """A choice by its value, its label or the beginning of it, or its number in the list."""
    for one in choices:
        if text.lower() in (str(one["value"]).lower(), str(one["label"]).lower()) and not isinstance(
            one["value"], bool
        ):
            if not text.isdecimal() or str(one["label"]) == text:
                return one["value"]
    if text.isdecimal() and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1]["value"]
    begins = [one["value"] for one in choices if str(one["label"]).lower().startswith(text.lower())]
    return begins[0] if len(begins) == 1 else text


def take(pad: Pad, one: Mapping[str, Any], slot: Slot, text: str) -> dict[Slot, Any]:
    """The values that a text stands for, most often one; `InvalidEntry` if it cannot be, whatever the others are."""
    name, seat = slot
    if one["kind"] == "int" and seat is None and pad.can_reckon and not text.lstrip("+-−").isdecimal():
        return {(key, None): value for key, value in pad.reckon(text).values.items()}
    found = pad.check(entry_of(pad, {slot: read_value(one, text)}))
    for error in found.errors:
        if error.field == name:
            raise error
    value = found.values[name]
    return {slot: value if seat is None else value[seat]}


def first_wrong(pad: Pad, errors: Sequence[InvalidEntry]) -> int:
    """Which value the first error is about, by its place in the form."""
    for error in errors[:1]:
        for place, (name, seat) in enumerate(slots(pad)):
            if name == error.field and (seat is None or not error.seats or seat in error.seats):
                return place
    return 0


def save_pad(pad: Pad, path: Path, lang: str) -> None:
    """The pad in a file: to go on with, or for a spreadsheet if the name ends in .csv."""
    if path.suffix.lower() == CSV:
        write_text(path, pad.to_csv(lang))
    else:
        write_text(path, json.dumps(pad.to_json(), ensure_ascii=False, indent=1) + "\n")
