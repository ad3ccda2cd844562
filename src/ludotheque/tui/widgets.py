"""The widgets that all screens share: the board, the list of choices, the log, the bars above and below."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from ludotheque.tui.board import Board, View
from ludotheque.tui.canvas import Canvas, fit, wrap
from ludotheque.tui.palette import ACCENT, BAR, CHOSEN, DIM, FELT, PANEL, TEXT
from ludotheque.tui.table import Choice, Line

FAR = 10**6
"""As far as it goes."""


class Painted(Widget):
    """A widget that draws on a canvas, parts of which can be clicked."""

    ground = PANEL

    class Picked(Message):
        """A part was clicked: these are the moves or commands it stands for."""

        def __init__(self, moves: tuple[str, ...]) -> None:
            super().__init__()
            self.moves = moves

    _canvas: Canvas | None = None

    def paint(self, c: Canvas) -> None:
        """Draw."""

    def repaint(self) -> None:
        """Draw anew."""
        self._canvas = None
        self.refresh()

    def new_canvas(self) -> Canvas:
        """An empty canvas of the widget's size."""
        return Canvas(self.size.width, self.size.height, self.ground)

    @property
    def canvas(self) -> Canvas:
        """The drawing, made when it is needed."""
        c = self._canvas
        if c is None or (c.width, c.height) != tuple(self.size):
            c = self._canvas = self.new_canvas()
            if c.width > 0 and c.height > 0:
                self.paint(c)
        return c

    def render_line(self, y: int) -> Strip:
        """A line of the drawing, for Textual."""
        return self.canvas.strip(y)

    def on_click(self, event: events.Click) -> None:
        """Tell the screen what was clicked."""
        if moves := self.canvas.moves_at(event.x, event.y):
            event.stop()
            self.post_message(self.Picked(moves))


class BoardView(Painted):
    """The table of a game, or a few lines where there is none yet."""

    ground = FELT

    def __init__(self) -> None:
        super().__init__(id="board")
        self._board: Board | None = None
        self._view: View | None = None
        self._lines: Sequence[str] = ()
        self._chosen = ""

    def show(self, board: Board, view: View | None, lines: Sequence[str] = (), chosen: str = "") -> None:
        """Show a view; without one, lines of text."""
        self._board, self._view, self._lines, self._chosen = board, view, lines, chosen
        self.repaint()

    def new_canvas(self) -> Canvas:
        """A canvas that knows which move is about to be played."""
        return Canvas(self.size.width, self.size.height, self.ground, self._chosen)

    def paint(self, c: Canvas) -> None:
        """The game's own drawing."""
        if self._board is not None and self._view is not None:
            self._board.draw(c, self._view)
            return
        lines = [part for text in self._lines for part in wrap(text, c.width - 6)]
        for y, text in enumerate(lines, max(1, (c.height - len(lines)) // 2)):
            c.put(3, y, text, TEXT)


class Choices(Painted):
    """A list to choose from, in as many columns as fit. The highlighted one is shown reversed."""

    class Moved(Message):
        """Another choice is highlighted."""

    def __init__(self, id: str | None = None, numbered: bool = True) -> None:
        super().__init__(id=id)
        self.items: list[Choice] = []
        self.index: int | None = None
        self._numbers: list[int] = []
        self._first = 0
        self._numbered = numbered

    def show(self, items: Sequence[Choice], numbers: Sequence[int] | None = None, index: int | None = None) -> None:
        """Show these; `numbers` are theirs in the whole list."""
        self.items = list(items)
        self._numbers = list(numbers if numbers is not None else range(1, len(items) + 1))
        self.index = index if index is not None and index < len(items) else None
        self._first = 0
        self.repaint()

    @property
    def chosen(self) -> Choice | None:
        """The highlighted choice."""
        return None if self.index is None else self.items[self.index]

    def move(self, by: int) -> None:
        """Highlight another."""
        if not self.items:
            return
        if self.index is None:
            self.index = 0 if by > 0 else len(self.items) - 1
        else:
            self.index = (self.index + by) % len(self.items) if abs(by) == 1 else self._clamp(self.index + by)
        self.repaint()
        self.post_message(self.Moved())

    def sideways(self, by: int) -> None:
        """Highlight the one in the next column."""
        self.move(by * max(1, self.size.height))

    def _clamp(self, index: int) -> int:
        return max(0, min(index, len(self.items) - 1))

    def paint(self, c: Canvas) -> None:
        """Column by column, the highlighted one always in sight."""
        if not self.items:
            return
        digits = len(str(max(self._numbers))) if self._numbered else 0
        detail = max(cell_len(item.detail) for item in self.items)
        label = max(cell_len(item.label) for item in self.items)
        width = min(c.width - 2, digits + 1 + label + (2 + detail if detail else 0) + 2)
        across = max(1, (c.width - 1) // width)
        rows = c.height
        columns = -(-len(self.items) // rows)
        if columns > across and rows > 1:
            rows, columns = rows - 1, -(-len(self.items) // (rows - 1))
        if self.index is not None:
            column = self.index // rows
            self._first = max(min(self._first, column), column - across + 1)
        self._first = max(0, min(self._first, columns - across))
        shown = range(self._first * rows, min(len(self.items), (self._first + across) * rows))
        for place in shown:
            self._paint_one(c, place, 1 + (place // rows - self._first) * width, place % rows, width - 1, digits, label)
        left = len(self.items) - len(shown)
        if left:
            c.put(1, c.height - 1, f"… +{left}  ← →", DIM)

    def _paint_one(self, c: Canvas, place: int, x: int, y: int, width: int, digits: int, label: int) -> None:
        item, moves = self.items[place], (f"#{place}",)
        text = fit(item.label, min(label, max(8, width - digits - 1)))
        number = f"{self._numbers[place]:>{digits}} " if self._numbered else ""
        detail = f"  {item.detail}" if item.detail else ""
        if place == self.index:
            c.put(x, y, fit(f"{number}{text}{detail}", width), CHOSEN, moves)
            return
        at = c.put(x, y, number, DIM)
        at = c.put(at, y, text, TEXT)
        c.put(at, y, fit(detail, max(0, x + width - at)), DIM)
        c.hit(x, y, width, 1, moves)

    def on_mouse_scroll_down(self) -> None:
        """Down the list."""
        self.move(1)

    def on_mouse_scroll_up(self) -> None:
        """Up the list."""
        self.move(-1)


class LogView(Painted):
    """What happened, the latest at the bottom. It can be scrolled back."""

    def __init__(self, id: str = "log") -> None:
        super().__init__(id=id)
        self.lines: Sequence[Line] = ()
        self._back = 0

    def show(self, lines: Sequence[Line]) -> None:
        """Show these; new ones scroll to the end."""
        if list(lines) != list(self.lines):
            self.lines = list(lines)
            self._back = 0
            self.repaint()

    def scroll(self, by: int) -> None:
        """Further back, or forward again."""
        self._back = max(0, self._back + by)
        self.repaint()

    def paint(self, c: Canvas) -> None:
        """As many lines as fit, wrapped."""
        inks = {"end": ACCENT, "said": "bold #a9d5ff", "note": DIM}
        needed = c.height + self._back
        drawn: list[tuple[str, str]] = []
        for line in reversed(self.lines):
            parts = wrap(line.text, c.width - 2, "  ")
            drawn = [(part, inks.get(line.kind, TEXT)) for part in parts] + drawn
            if len(drawn) >= needed:
                break
        self._back = max(0, min(self._back, len(drawn) - c.height))
        end = len(drawn) - self._back
        for y, (text, ink) in enumerate(drawn[max(0, end - c.height) : end]):
            c.put(1, y, text, ink)

    def on_mouse_scroll_up(self) -> None:
        """Back."""
        self.scroll(2)

    def on_mouse_scroll_down(self) -> None:
        """Forward."""
        self.scroll(-2)


class Bar(Painted):
    """A line of text with a part at the left, one that follows, and one at the right."""

    ground = BAR

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._parts = ("", "", "")
        self._inks = (ACCENT, TEXT, DIM)

    def show(
        self, left: str, text: str = "", right: str = "", inks: tuple[str, str, str] = (ACCENT, TEXT, DIM)
    ) -> None:
        """Show these."""
        if (left, text, right) != self._parts or inks != self._inks:
            self._parts, self._inks = (left, text, right), inks
            self.repaint()

    def paint(self, c: Canvas) -> None:
        """One line."""
        left, text, right = self._parts
        at = c.put(1, 0, left, self._inks[0])
        end = c.width - 1 - cell_len(right)
        if text:
            at = at + 2 if left else at
            c.put(at, 0, fit(text, max(0, end - at - 1)), self._inks[1])
        c.put(end, 0, right, self._inks[2])


class Keys(Painted):
    """The keys that do something here; each can be clicked."""

    ground = BAR

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._keys: Sequence[tuple[str, str, str]] = ()

    def show(self, keys: Sequence[tuple[str, str, str]]) -> None:
        """Show keys: what is on the key, what it does in a word, and the command."""
        self._keys = keys
        self.repaint()

    def paint(self, c: Canvas) -> None:
        """One line."""
        x = 1
        wide = sum(cell_len(key) + cell_len(text) + 3 for key, text, _ in self._keys)
        gap = 2 if wide <= c.width else 1
        for key, text, command in self._keys:
            if x + cell_len(key) + cell_len(text) + 1 > c.width:
                return
            c.hit(x, 0, cell_len(key) + cell_len(text) + 1, 1, (command,))
            x = c.put(x, 0, key, ACCENT)
            x = c.put(x + 1, 0, text, DIM) + gap


class TypeLine(Input):
    """Where moves and words are typed. It has the focus all the time; up and down go through the choices."""

    class Steered(Message):
        """A key that goes through the choices: so many down, so many columns to the right."""

        def __init__(self, key: str, down: int, right: int) -> None:
            super().__init__()
            self.key = key
            self.down = down
            self.right = right

    def __init__(self) -> None:
        super().__init__(id="typed", compact=True, select_on_focus=False)

    def on_key(self, event: events.Key) -> None:
        """Steer, or let Textual's own handling type."""
        steer = {"down": (1, 0), "up": (-1, 0), "tab": (1, 0), "shift+tab": (-1, 0)}
        if not self.value:
            steer |= {"left": (0, -1), "right": (0, 1), "home": (0, -FAR), "end": (0, FAR)}
        if event.key in steer:
            event.stop()
            event.prevent_default()
            self.post_message(self.Steered(event.key, *steer[event.key]))
