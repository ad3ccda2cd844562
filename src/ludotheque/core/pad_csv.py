"""The sheet of a score pad as CSV (RFC 4180): UTF-8 with the mark that spreadsheets know it by."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludotheque.core.pad import Pad

BYTE_ORDER_MARK = "\ufeff"
FORMULA = ("=", "+", "-", "@")
"""How a text begins that a spreadsheet would work out."""


def pad_csv(pad: Pad, lang: str) -> str:
    """A row for each entry with what it brought to each side, then the totals and the places."""
    columns = [side[0] for side in pad.sides]
    names = [" + ".join(pad.names[seat] for seat in side) for side in pad.sides]
    places = [1 + sum(pad.places[other] < pad.places[seat] for other in columns) for seat in columns]
    head = [pad.say(key, {}, lang) for key in ("csv.entry", "pad.round", "csv.written")]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(map(_text, [*head, *names]))
    for index, (round_no, points) in enumerate(pad.steps):
        writer.writerow([index + 1, round_no, _text(pad.entry_text(index, lang)), *(points[seat] for seat in columns)])
    writer.writerow(["", "", pad.say("csv.total", {}, lang), *(pad.totals[seat] for seat in columns)])
    writer.writerow(["", "", pad.say("csv.place", {}, lang), *places])
    return BYTE_ORDER_MARK + file.getvalue()


def _text(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
