"""Colours and characters. Nothing is shown by colour alone: black and white, and ASCII, show it all."""

from __future__ import annotations

import unicodedata
from functools import cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter, NoColor

FELT = "on #14241f"
PANEL = "on #0e1614"
BAR = "on #0a100f"

TEXT = "#e9e4d6"
DIM = "#8ea399"
ACCENT = "bold #f0b94d"
GOOD = "#7fd18b"
BAD = "bold #ff8a70"
CHOSEN = "bold #14241f on #f0b94d"

PAPER = "on #f4efe1"
INK = "#22262b"
RED = "#b3261e"
GREEN = "#17703f"
BLUE = "#1f4fa3"
YELLOW = "#8a6400"
PURPLE = "#6b2f8a"
BACK = "#9fc0cc on #274a59"


@cache
def style(text: str) -> Style:
    """A style from its description."""
    return Style.parse(text)


_ASCII = str.maketrans(
    {
        "╭": "+", "╮": "+", "╰": "+", "╯": "+", "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+",
        "╌": ".", "╎": ":", "╶": "-", "╴": "-", "╷": "|", "╵": "|", "┴": "+", "┤": "+", "├": "+",
        "━": "=", "┃": "|", "┏": "+", "┓": "+", "┗": "+", "┛": "+", "▸": ">", "▾": "v", "▴": "^", "●": "o", "○": ".",
        "★": "*", "♠": "S", "♥": "H", "♦": "D", "♣": "C", "░": ":", "▒": ":", "█": "#", "▁": "_", "▔": "-",
        "…": ".", "–": "-", "—": "-", "−": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"',
        "·": ".", "×": "x", "±": "~", "↑": "^", "↓": "v", "←": "<", "→": ">", "↻": ">", "↺": "<", "›": ">", "‹": "<",
        "œ": "e", "Œ": "E", "æ": "e", "Æ": "E", "ß": "s", "ø": "o", "Ø": "O", "€": "E", "°": "o", "✓": "x",
    }
)  # fmt: skip


@cache
def to_ascii(text: str) -> str:
    """The text in ASCII, as wide as before."""
    if text.isascii():
        return text
    result = []
    for char in text.translate(_ASCII):
        plain = unicodedata.normalize("NFKD", char)[:1]
        if char.isascii():
            result.append(char)
        elif unicodedata.combining(char):
            continue
        else:
            result.append(plain if plain.isascii() else "??" if unicodedata.east_asian_width(char) in "WF" else "?")
    return "".join(result)


class Ascii(LineFilter):
    """Draws everything in ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments in ASCII."""
        return [Segment(to_ascii(text), style, control) for text, style, control in segments]


class Colourless(NoColor):
    """Leaves colours out; what its background set apart is shown reversed."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments without colour."""
        chosen = style(CHOSEN).bgcolor
        marked = [
            Segment(text, one + Style(reverse=True) if one is not None and one.bgcolor == chosen else one, control)
            for text, one, control in segments
        ]
        return super().apply(marked, background)
