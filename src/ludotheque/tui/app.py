"""The application: one window of characters, in which screens come and go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from ludotheque.core.texts import LANGUAGES
from ludotheque.tui.page import Page
from ludotheque.tui.palette import Ascii, Colourless
from ludotheque.tui.table import Table
from ludotheque.tui.table_screen import TableScreen
from ludotheque.tui.terminal import Look

if TYPE_CHECKING:
    from textual.screen import Screen

CSS = """
Screen { background: #0e1614; color: #e9e4d6; layers: below above; }
#all, #small { width: 100%; height: 100%; }
#small { display: none; }
.-small #all { display: none; }
.-small #small { display: block; }
Bar, #keys { height: 1; }
#middle { height: 1fr; }
#left { width: 1fr; }
#board { height: 1fr; }
#log-below { height: 3; }
#side { width: 38; display: none; }
#log-side { height: 1fr; }
.-wide #side { display: block; }
.-wide #log-below { display: none; }
#moves { height: 5; }
.-tall #moves { height: 8; }
Input, Input:focus { background: #0a100f; color: #e9e4d6; padding: 0 1; height: 1; border: none; }
ModalScreen { align: center middle; background: #0a100f 70%; }
#box { width: 64; height: auto; background: #0e1614; padding: 1 2; }
#box Input { margin-top: 1; }
#box Choices { margin-top: 1; }
#sheet { width: 100%; height: 100%; background: #0e1614; }
#text { width: 1fr; height: 1fr; }
#list { height: 1fr; }
#about { width: 1fr; height: 1fr; }
#columns { height: 1fr; padding: 1 1 0 1; }
#columns #list { width: 36; }
#knobs { height: 1fr; }
#form { height: auto; max-height: 12; }
"""


class LudoApp(App[str]):
    """Ludothèque in the terminal. `first` opens the first screen; what it returns on leaving is printed."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Ludothèque"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "leave_all", priority=True, show=False, system=True),
    ]

    def __init__(self, first: Callable[[LudoApp], Screen[Any]], lang: str, look: Look | None = None) -> None:
        super().__init__()
        self.lang = lang
        self.look = look or Look()
        self.error: Exception | None = None
        """What went wrong while a screen got ready, to be reported on the command line."""
        self._first = first

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, then what this terminal cannot show."""
        filters = [one for one in super().get_line_filters() if self.look.colour or not _greys(one)]
        own: list[LineFilter] = []
        if not self.look.colour:
            own.append(Colourless())
        if self.look.ascii:
            own.append(Ascii())
        return [*filters, *own]

    def on_mount(self) -> None:
        """Open the first screen."""
        self.push_screen(self._first(self))

    @property
    def other_language(self) -> str:
        """The language after this one."""
        return LANGUAGES[(LANGUAGES.index(self.lang) + 1) % len(LANGUAGES)]

    def set_language(self, lang: str) -> None:
        """Speak another language from now on, everywhere."""
        self.lang = lang
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen):
                screen.table.set_language(lang)
            if isinstance(screen, Page):
                screen.retell()

    def leave(self, table: Table) -> None:
        """Leave a table: back to where one came from, or for good."""
        below = self.screen_stack[-2] if len(self.screen_stack) > 2 else None
        if isinstance(self.screen, TableScreen) and isinstance(below, Page):
            text = table.leave()
            self.pop_screen()
            below.tell(text)
            return
        self.exit(table.leave())

    def action_leave_all(self) -> None:
        """Leave the application from wherever one is; a match under way is kept."""
        words = [screen.leave_word() for screen in self.screen_stack if isinstance(screen, Page)]
        self.exit(words[-1] if words else "")

    def again(self, table: Table) -> bool:
        """Another match at the same table, where that is for this process to decide."""
        another = table.another()
        if another is not None:
            self.switch_screen(TableScreen(another))
        return another is not None

    def fail(self, error: Exception) -> None:
        """Leave, and let the command line say why."""
        self.error = error
        self.exit("")


def _greys(one: LineFilter) -> bool:
    return type(one).__name__ in ("Monochrome", "NoColor")
