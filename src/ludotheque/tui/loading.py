"""A screen that waits for something slow, such as loading a game."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import error_text
from ludotheque.tui.canvas import Canvas, wrap
from ludotheque.tui.page import Page
from ludotheque.tui.palette import BAD, FELT, TEXT
from ludotheque.tui.widgets import Bar, Keys, Painted


class Notice(Painted):
    """A few lines in the middle."""

    ground = FELT

    def __init__(self) -> None:
        super().__init__(id="board")
        self.text = ""
        self.ink = TEXT

    def show(self, text: str, ink: str = TEXT) -> None:
        """Say this."""
        self.text, self.ink = text, ink
        self.repaint()

    def paint(self, c: Canvas) -> None:
        """Centred, line by line."""
        lines = wrap(self.text, c.width - 8)
        for y, line in enumerate(lines, max(1, (c.height - len(lines)) // 2)):
            c.put(4, y, line, self.ink)

    def on_print(self, event: events.Print) -> None:
        """What the work writes to standard error, such as a progress bar."""
        text = re.sub(r"\x1b\[K", "", event.text).split("\r")[-1].strip()
        if text:
            self.show(text)


class Waiting(Page):
    """A page with a notice while something is on its way; says so if it fails, and leads back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter", "back")]

    def __init__(self) -> None:
        super().__init__()
        self._failed = False

    def contents(self) -> ComposeResult:
        """A title and a notice."""
        yield Bar("title")
        yield Notice()
        yield Keys()

    @property
    def _came_from_page(self) -> bool:
        return isinstance(self.app.screen_stack[-2], Page)

    def fail(self, error: LudothequeError) -> None:
        """Say what went wrong: here if one can go back, else when the application has ended."""
        if not self._came_from_page:
            self.ludo.fail(error)
            return
        self._failed = True
        self.query_one(Notice).show(error_text(error, self.ludo.lang), BAD)
        self.query_one(Keys).show([("Esc", self.say("keys.back"), "back")])

    def on_painted_picked(self) -> None:
        """Back, by mouse."""
        self.action_back()

    def action_back(self) -> None:
        """Back to where one came from, once it is clear that this leads nowhere."""
        if self._failed:
            self.app.pop_screen()


class Loading(Waiting):
    """Does work in a thread, then goes on with what came of it."""

    def __init__(self, title: str, work: Callable[[], Any], then: Callable[[Any], Page]) -> None:
        super().__init__()
        self._title = title
        self._work = work
        self._then = then

    def on_mount(self) -> None:
        """Begin once the screen can be seen."""
        self.query_one("#title", Bar).show(self._title)
        self.query_one(Notice).show(self.say("table.getting_ready"))
        self.app.begin_capture_print(self.query_one(Notice), stdout=False)
        self.call_after_refresh(self.run_worker, self._load())

    async def _load(self) -> None:
        notice = self.query_one(Notice)
        try:
            result = await asyncio.to_thread(self._work)
        except LudothequeError as error:
            self.fail(error)
            return
        finally:
            self.app.end_capture_print(notice)
        self.app.switch_screen(self._then(result))
