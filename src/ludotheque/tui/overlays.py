"""Small screens over the others: a list, a line to fill in, a text to read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from ludotheque.tui.canvas import Canvas, wrap
from ludotheque.tui.palette import ACCENT, DIM, TEXT
from ludotheque.tui.table import Choice
from ludotheque.tui.widgets import Bar, Choices, Painted

TITLE_WIDTH = 58
"""As wide as the box that a choice is made in (`app.py`)."""


class Pick(ModalScreen[str | None]):
    """Choose from a list; the answer is what the choice stands for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)"),
        Binding("down,tab,j", "move(1)"),
        Binding("up,shift+tab,k", "move(-1)"),
        Binding("enter,space", "take"),
    ]

    def __init__(self, title: str, items: Sequence[Choice]) -> None:
        super().__init__()
        self._titles = wrap(title, TITLE_WIDTH)
        self._items = items

    def compose(self) -> ComposeResult:
        """A title, in as many lines as it needs, and the list."""
        with Vertical(id="box"):
            for number in range(len(self._titles)):
                yield Bar(f"title-{number}")
            yield Choices(id="list", numbered=False)

    def on_mount(self) -> None:
        """As tall as the list."""
        for bar, title in zip(self.query(Bar), self._titles, strict=True):
            bar.show(title)
        choices = self.query_one(Choices)
        choices.styles.height = min(len(self._items), 18)
        choices.show(self._items, index=0)

    def action_move(self, by: int) -> None:
        """Up or down."""
        self.query_one(Choices).move(by)

    def action_take(self) -> None:
        """The highlighted one."""
        chosen = self.query_one(Choices).chosen
        self.dismiss(chosen.text if chosen else None)

    def on_painted_picked(self, event: Painted.Picked) -> None:
        """The one clicked."""
        self.dismiss(self._items[int(event.moves[0][1:])].text)


class Ask(ModalScreen[str | None]):
    """Ask for a line of text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)")]

    def __init__(self, title: str, value: str = "") -> None:
        super().__init__()
        self._title = title
        self._value = value

    def compose(self) -> ComposeResult:
        """A title and the line."""
        with Vertical(id="box"):
            yield Bar("title")
            yield Input(self._value, compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        """Ready to type."""
        self.query_one("#title", Bar).show(self._title)
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The answer."""
        self.dismiss(event.value.strip() or None)


class Pages(Painted):
    """A long text that scrolls."""

    def __init__(self) -> None:
        super().__init__(id="text")
        self.lines: Sequence[str] = ()
        self.first = 0

    def paint(self, c: Canvas) -> None:
        """From the first line shown on. Headings stand out; of Markdown, only what our pages use is understood."""
        drawn: list[tuple[str, str]] = []
        for text, ink in (one for line in self.lines for one in _lay_out(line, c.width - 4)):
            if text or (drawn and drawn[-1][0]):  # one empty line is enough
                drawn.append((text, ink))
        self.first = max(0, min(self.first, len(drawn) - c.height))
        for y, (text, ink) in enumerate(drawn[self.first : self.first + c.height]):
            c.put(2, y, text, ink)
        left = len(drawn) - c.height - self.first
        if left > 0:
            c.put(c.width - 2, c.height - 1, "↓", ACCENT)

    def scroll(self, by: int) -> None:
        """Down or up."""
        self.first = max(0, self.first + by)
        self.repaint()

    def on_mouse_scroll_down(self) -> None:
        """Down."""
        self.scroll(3)

    def on_mouse_scroll_up(self) -> None:
        """Up."""
        self.scroll(-3)


def _lay_out(line: str, width: int) -> list[tuple[str, str]]:
    """A line of Markdown as lines with their ink."""
    text = re.sub(r"\*\*(.+?)\*\*|`(.+?)`|(?<![\w*])\*([^*\s][^*]*?)\*(?!\w)", lambda m: m[1] or m[2] or m[3], line)
    if heading := re.match(r"#+ (.*)", text):
        return [("", TEXT), (heading[1], ACCENT), ("", TEXT)]
    if re.fullmatch(r"\|[-:| ]+\|", text.strip()):
        return []
    if text.strip().startswith("|"):
        text = "  ".join(cell.strip() for cell in text.strip().strip("|").split("|"))
    if item := re.match(r"(\s*)[-*] (.*)", text):
        lead = item[1] + "· "
        parts = wrap(item[2], width - len(lead))
        return [((lead if n == 0 else " " * len(lead)) + part, TEXT) for n, part in enumerate(parts)]
    return [(part, TEXT) for part in wrap(text, width)]


def unwrap(page: str) -> list[str]:
    """The lines of a Markdown page with its paragraphs and items put together again."""
    lines: list[str] = []
    for line in page.splitlines():
        joins = lines and lines[-1] and line.strip() and not re.match(r"\s*([-*#|]|\d+\.) ?", line)
        if joins and not lines[-1].startswith(("#", "|")):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


class Read(ModalScreen[None]):
    """A text to read: rules, the log, scores."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,enter", "dismiss(None)"),
        Binding("down,j", "scroll(1)"),
        Binding("up,k", "scroll(-1)"),
        Binding("pagedown,space", "scroll(15)"),
        Binding("pageup,b", "scroll(-15)"),
        Binding("home,g", "scroll(-100000)"),
        Binding("end,G", "scroll(100000)"),
    ]

    def __init__(self, title: str, lines: Sequence[str], keys: str, at_end: bool = False) -> None:
        super().__init__()
        self._title = title
        self._keys = keys
        self.lines = lines
        self._at_end = at_end

    def compose(self) -> ComposeResult:
        """The whole screen."""
        with Vertical(id="sheet"):
            yield Bar("title")
            yield Pages()
            yield Bar("hint")

    def on_mount(self) -> None:
        """Show it from the start, or the end."""
        self.query_one("#title", Bar).show(self._title)
        self.query_one("#hint", Bar).show("", self._keys, inks=(DIM, DIM, DIM))
        pages = self.query_one(Pages)
        pages.lines = self.lines
        pages.first = 100000 if self._at_end else 0
        pages.repaint()

    def action_scroll(self, by: int) -> None:
        """Down or up."""
        self.query_one(Pages).scroll(by)


def score_lines(names: Sequence[str], rounds: Sequence[dict[str, list[int]]], head: str, total: str) -> list[str]:
    """A score sheet: a row for each round with its points, and the sums."""
    widths = [max(len(name), 6) for name in names]
    lead = max(len(head), len(total), 4)

    def line(first: str, cells: Sequence[str]) -> str:
        return f"{first:<{lead}}  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))

    lines = [line(head, names)]
    for number, one in enumerate(rounds, 1):
        lines.append(line(str(number), [f"{points:+d}".replace("-", "−") for points in one["points"]]))
    sums = rounds[-1]["scores"] if rounds else [0] * len(names)
    return [*lines, "", line(total, [str(n).replace("-", "−") for n in sums])]
