"""The pieces that all tables are made of: cards, rows of cards, piles, dice, lists of seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from ludotheque.tui.canvas import Canvas, fit
from ludotheque.tui.palette import ACCENT, BACK, CHOSEN, DIM, INK, PAPER, TEXT

DIE_WIDTH, DIE_HEIGHT = 7, 3

Moves = tuple[str, ...]

SUITS = "♠♥♦♣"

_PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}

_BIG = {
    "0": ("╭─╮", "│ │", "╰─╯"),
    "1": ("╶╮ ", " │ ", "╶┴╴"),
    "2": ("╶─╮", "╭─╯", "╰─╴"),
    "3": ("╶─╮", " ─┤", "╶─╯"),
    "4": ("╷ ╷", "╰─┤", "  ╵"),
    "5": ("╭─╴", "╰─╮", "╶─╯"),
    "6": ("╭─╴", "├─╮", "╰─╯"),
    "7": ("╶─╮", "  │", "  ╵"),
    "8": ("╭─╮", "├─┤", "╰─╯"),
    "9": ("╭─╮", "╰─┤", "╶─╯"),
    "−": ("   ", "╶─╴", "   "),
}


@dataclass(frozen=True)
class Face:
    """The front of a card: at most three characters, and their colour."""

    text: str
    ink: str = INK
    moves: Moves = ()
    """The moves it is part of."""


def card_size(c: Canvas) -> tuple[int, int]:
    """How wide and tall a card is."""
    return (7, 5) if c.large else (5, 3)


def card(c: Canvas, x: int, y: int, face: Face | None, moves: Moves = (), note: str = "") -> None:
    """A card; None is an empty place. A note of at most three characters is written over its lower edge."""
    moves = moves or (face.moves if face else ())
    width, height = card_size(c)
    c.hit(x, y, width, height, moves)
    if face is None:
        _frame(c, x, y, "┌╌┐╎╎└╌┘", ACCENT if c.is_lit(moves) else DIM)
        return
    edge = CHOSEN if c.is_lit(moves) else f"#8d8877 {PAPER}"
    ink = f"bold {face.ink} {'on' + CHOSEN.partition('on')[2] if c.is_lit(moves) else PAPER}"
    _frame(c, x, y, "╭─╮││╰─╯", edge, note)
    if c.large:
        c.put(x + 1, y + 1, fit(face.text, 3), ink)
        c.put(x + width - 1 - cell_len(face.text), y + height - 2, face.text, ink)
        if face.text[-1:] in SUITS:
            c.put(x + 3, y + 2, face.text[-1], ink)
    else:
        c.put(x + 1, y + 1, _centre(face.text, 3), ink)


def _frame(c: Canvas, x: int, y: int, lines: str, ink: str, note: str = "") -> None:
    """The outline of a card, drawn with eight characters."""
    width, height = card_size(c)
    inner = width - 2
    c.put(x, y, lines[0] + lines[1] * inner + lines[2], ink)
    for line in range(1, height - 1):
        c.put(x, y + line, lines[3] + " " * inner + lines[4], ink)
    c.put(x, y + height - 1, lines[5] + _centre(note, inner, lines[6]) + lines[7], ink)


def back(c: Canvas, x: int, y: int, count: int, moves: Moves = ()) -> None:
    """A pile of cards that lie face down, with their number."""
    if count == 0:
        card(c, x, y, None, moves)
        return
    width, height = card_size(c)
    c.hit(x, y, width, height, moves)
    ink = CHOSEN if c.is_lit(moves) else BACK
    _frame(c, x, y, "╭─╮││╰─╯", ink)
    if c.large:
        for line in (1, 3):
            c.put(x + 1, y + line, "░" * (width - 2), ink)
    c.put(x + 1, y + height // 2, _centre(str(count), width - 2), f"bold {ink}")


def row(c: Canvas, x: int, y: int, faces: Sequence[Face], width: int) -> int:
    """Cards side by side, overlapping where there are many; the number of lines taken."""
    wide, tall = card_size(c)
    if not faces:
        c.put(x, y + 1, "–", DIM)
        return tall
    step = min(wide + 1, (width - wide) // (len(faces) - 1)) if len(faces) > 1 else 0
    if len(faces) > 1 and step < 4:
        return chips(c, x, y, faces, width)
    for place, face in enumerate(faces):
        card(c, x + place * step, y, face)
    return tall


def chip(c: Canvas, x: int, y: int, face: Face) -> int:
    """A card in one line; the column after it."""
    ink = CHOSEN if c.is_lit(face.moves) else f"bold {face.ink} {PAPER}"
    return c.put(x, y, f" {face.text} ", ink, face.moves)


def chips(c: Canvas, x: int, y: int, faces: Sequence[Face], width: int, most: int = 99) -> int:
    """Cards in lines of their own, with a space between them; the number of lines taken."""
    at, line = x, 0
    for face in faces:
        need = cell_len(face.text) + 2
        if at > x and at + need > x + width:
            at, line = x, line + 1
        if line == most:
            c.put(x + width - 1, y + line - 1, "…", TEXT)
            return line
        at = chip(c, at, y + line, face) + 1
    return line + 1


def die(c: Canvas, x: int, y: int, value: int, moves: Moves = (), ink: str = INK) -> None:
    """A die of 7 by 3 cells."""
    c.hit(x, y, DIE_WIDTH, DIE_HEIGHT, moves)
    lit = c.is_lit(moves)
    for line, pips in enumerate(_PIPS[value]):
        c.put(x, y + line, f"│{pips}│", CHOSEN if lit else f"#8d8877 {PAPER}")
        c.put(x + 1, y + line, pips, CHOSEN if lit else f"bold {ink} {PAPER}")


def big(c: Canvas, x: int, y: int, text: str, ink: str = ACCENT) -> int:
    """A number three lines tall; the column after it."""
    for char in text:
        for line, part in enumerate(_BIG.get(char, ("   ", f" {char} ", "   "))):
            c.put(x, y + line, part, ink)
        x += 4
    return x - 1


@dataclass(frozen=True)
class Column:
    """A column of a list of seats."""

    head: str
    cells: Sequence[str | Face]
    ink: str = TEXT
    right: bool = True

    @property
    def width(self) -> int:
        """How many cells it needs."""
        return max([cell_len(self.head), *(cell_len(_plain(cell)) for cell in self.cells)])


def _plain(cell: str | Face) -> str:
    return f" {cell.text} " if isinstance(cell, Face) else cell


def seats(
    c: Canvas, x: int, y: int, names: Sequence[str], marks: Sequence[str], columns: Sequence[Column], width: int
) -> int:
    """Who sits at the table, a line each under the heads of the columns; the number of lines taken.

    `marks` has two characters for each seat: whose turn it is, and another such as who deals. What does not fit into
    the width is cut from the last column.
    """
    used = sum(column.width + 2 for column in columns[:-1]) + min(columns[-1].width, 8) + 2
    most = max(6, min(max(cell_len(name) for name in names), width - used - 3))
    end = x + width
    at = x + 3 + most + 2
    for column in columns:
        c.put(at, y, f"{column.head:>{column.width}}" if column.right else column.head, DIM)
        at += column.width + 2
    for seat, name in enumerate(names):
        line = y + 1 + seat
        is_actor = marks[seat].startswith("▸")
        c.put(x, line, marks[seat], ACCENT if is_actor else DIM)
        c.put(x + 3, line, fit(name, most), ACCENT if is_actor else TEXT)
        at = x + 3 + most + 2
        for column in columns:
            cell = column.cells[seat]
            text = _plain(cell)
            lead = column.width - cell_len(text) if column.right else 0
            if isinstance(cell, Face):
                chip(c, at + lead, line, cell)
            else:
                c.put(at + lead, line, fit(text, max(0, min(cell_len(text), end - at - lead))), column.ink)
            at += column.width + 2
    return len(names) + 1


def caption(c: Canvas, x: int, y: int, text: str, width: int = 0) -> None:
    """A small heading; centred if it has a width."""
    c.put(x, y, _centre(text, width) if width else text, DIM)


def _centre(text: str, width: int, fill: str = " ") -> str:
    room = max(0, width - cell_len(text))
    return fill * (room - room // 2) + text + fill * (room // 2)
