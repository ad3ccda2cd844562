"""A drawing of characters: cells with a style, and what a click on them means."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from ludotheque.tui.palette import FELT, style


@dataclass(frozen=True)
class Hit:
    """A part of the drawing that can be clicked."""

    x: int
    y: int
    width: int
    height: int
    moves: tuple[str, ...]
    """What it stands for: moves in notation, or commands."""

    def covers(self, x: int, y: int) -> bool:
        """Whether a cell belongs to it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Canvas:
    """Cells to draw on. What lies outside is left out."""

    def __init__(self, width: int, height: int, ground: str = FELT, chosen: str = "") -> None:
        self.width = width
        self.height = height
        self.ground = ground
        self.chosen = chosen
        """The move somebody is about to play: its pieces are lit."""
        self.large = width >= 80 and height >= 24
        """Whether there is room for large cards."""
        self.hits: list[Hit] = []
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[ground] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, ink: str = "", moves: tuple[str, ...] = ()) -> int:
        """Write from a cell on; the column after the text. An ink without a ground gets the canvas's."""
        if moves:
            self.hits.append(Hit(x, y, cell_len(text), 1, moves))
        if not 0 <= y < self.height:
            return x + cell_len(text)
        full = ink if " on " in ink else f"{ink} {self.ground}"
        for char in text:
            width = cell_len(char)
            if width == 0:
                continue
            if x >= 0 and x + width <= self.width:
                self._chars[y][x] = char
                self._styles[y][x] = full
                if width == 2:
                    self._chars[y][x + 1] = ""
                    self._styles[y][x + 1] = full
            x += width
        return x

    def hit(self, x: int, y: int, width: int, height: int, moves: tuple[str, ...]) -> None:
        """Let a rectangle be clicked."""
        if moves:
            self.hits.append(Hit(x, y, width, height, moves))

    def is_lit(self, moves: tuple[str, ...]) -> bool:
        """Whether a piece takes part in the move somebody is about to play."""
        return bool(self.chosen) and self.chosen in moves

    def moves_at(self, x: int, y: int) -> tuple[str, ...]:
        """What a click there means; the piece drawn last lies on top."""
        return next((hit.moves for hit in reversed(self.hits) if hit.covers(x, y)), ())

    def strip(self, y: int) -> Strip:
        """A line for Textual."""
        if not 0 <= y < self.height:
            return Strip.blank(self.width, style(self.ground))
        segments = []
        chars, styles = self._chars[y], self._styles[y]
        start = 0
        for x in range(1, self.width + 1):
            if x == self.width or styles[x] != styles[start]:
                segments.append(Segment("".join(chars[start:x]), style(styles[start])))
                start = x
        return Strip(segments, self.width)


def fit(text: str, width: int) -> str:
    """The text in so many cells, cut short with an ellipsis, filled up with spaces."""
    if cell_len(text) > width:
        while text and cell_len(text) > width - 1:
            text = text[:-1]
        text = text.rstrip() + "…" if width > 0 else ""
    return text + " " * (width - cell_len(text))


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """The text in lines of at most so many cells; a word that is longer is cut."""
    lines, line = [], ""
    for word in text.split(" "):
        while cell_len(word) > width - len(indent):
            if line.strip():
                lines.append(line)
            lines.append(indent * bool(lines) + word[: width - len(indent)])
            word, line = word[width - len(indent) :], indent
        joined = f"{line} {word}" if line.strip() else line + word
        if cell_len(joined) <= width:
            line = joined
        else:
            lines.append(line)
            line = indent + word
    return [*lines, line] if line.strip() or not lines else lines
