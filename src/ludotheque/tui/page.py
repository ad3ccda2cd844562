"""What all screens share: a notice if the terminal is too small, and a language that can change at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen

from ludotheque.tui.canvas import Canvas, wrap
from ludotheque.tui.palette import ACCENT
from ludotheque.tui.widgets import Painted
from ludotheque.tui.words import say

if TYPE_CHECKING:
    from ludotheque.tui.app import LudoApp

MIN_WIDTH, MIN_HEIGHT = 80, 24


class TooSmall(Painted):
    """Says that the terminal is too small."""

    def __init__(self) -> None:
        super().__init__(id="small")

    def paint(self, c: Canvas) -> None:
        """A sentence, wherever there is room."""
        lang = getattr(self.app, "lang", "en")
        facts = {"width": c.width, "height": c.height, "least_width": MIN_WIDTH, "least_height": MIN_HEIGHT}
        for y, line in enumerate(wrap(say(lang, "app.too_small", facts), max(10, c.width - 2))):
            c.put(1, y + 1, line, ACCENT)


class Page(Screen[Any]):
    """A screen of ours. Its widgets come from `contents`, its texts are put in place by `retell`."""

    @property
    def ludo(self) -> LudoApp:
        """The application, by its own type."""
        app: LudoApp = self.app  # type: ignore[assignment]  # these screens live nowhere else
        return app

    def say(self, key: str, **params: Any) -> str:
        """A message in the language of the moment."""
        return say(self.ludo.lang, key, params)

    def compose(self) -> ComposeResult:
        """Everything in one container, so that it can step aside."""
        with Vertical(id="all"):
            yield from self.contents()
        yield TooSmall()

    def contents(self) -> ComposeResult:
        """The widgets of the screen."""
        yield from ()

    def retell(self) -> None:
        """Put all texts in place, in the language of the moment."""

    def leave_word(self) -> str:
        """What to print when the application is left from here."""
        return ""

    def tell(self, text: str) -> None:
        """Say something, where the screen has a place for it."""

    def on_mount(self) -> None:
        """Texts are put in place once the widgets are there."""
        self.retell()

    def on_resize(self, event: events.Resize) -> None:
        """Step aside where there is no room."""
        small = event.size.width < MIN_WIDTH or event.size.height < MIN_HEIGHT
        self.set_class(small, "-small")
        self.set_class(event.size.width >= 108, "-wide")
        self.set_class(event.size.height >= 32, "-tall")
