"""The screen of a table: whatever the game, and wherever the match is."""

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from ludotheque.core.errors import LudothequeError
from ludotheque.core.pages import rule_lines
from ludotheque.tui.board import Board, board
from ludotheque.tui.overlays import Ask, Pick, Read, score_lines, unwrap
from ludotheque.tui.page import Page
from ludotheque.tui.palette import ACCENT, BAD, DIM, GOOD, TEXT
from ludotheque.tui.table import HINT, SAVE, SAY, STEP, UNDO, Choice, Refused, Table
from ludotheque.tui.widgets import Bar, BoardView, Choices, Keys, LogView, Painted, TypeLine

COMMANDS = ("rules", "hint", "undo", "save", "language", "scores", "log", "say", "menu", "quit")


class TableScreen(Page):
    """A table: board, log, choices, and a line to type in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "do('rules')"),
        Binding("f2", "do('hint')"),
        Binding("f3", "do('undo')"),
        Binding("f4", "do('save')"),
        Binding("f5", "do('language')"),
        Binding("f6", "do('scores')"),
        Binding("f7", "do('log')"),
        Binding("escape", "do('menu')"),
        Binding("pageup", "log(3)"),
        Binding("pagedown", "log(-3)"),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self._board: Board = board(table.game.id, table.lang)
        self._all: list[Choice] = []
        self._message = ""
        self._ink = TEXT
        self._ply: Any = None
        self._steered = False
        self._typed = ""

    def contents(self) -> ComposeResult:
        """Log beside the board where there is room, else below it."""
        yield Bar("title")
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield BoardView()
                yield LogView("log-below")
            with Vertical(id="side"):
                yield Bar("side-title")
                yield LogView("log-side")
        yield Bar("message")
        yield Choices(id="moves")
        yield TypeLine()
        yield Keys()

    def on_mount(self) -> None:
        """The table is set."""
        self.table.changed = self.refresh_table
        self.retell()
        self.query_one(TypeLine).focus()
        self.call_after_refresh(self._live)

    def _live(self) -> None:
        """Bots are loaded and think once the table can be seen."""
        self.run_worker(self.table.run(), exclusive=True, group="table", exit_on_error=True)

    def retell(self) -> None:
        """All texts anew."""
        self._board = board(self.table.game.id, self.ludo.lang)
        self._ply = None
        self.query_one("#side-title", Bar).show(self.say("table.log"))
        self.query_one(Keys).show(self._keys())
        self.refresh_table()

    def _keys(self) -> list[tuple[str, str, str]]:
        shown = [("F1", "rules"), ("F2", "hint"), ("F3", "undo"), ("F4", "save"), ("F5", "language"), ("F6", "scores")]
        able = {"hint": HINT, "undo": UNDO, "save": SAVE}
        keys = [(key, word, word) for key, word in shown if word not in able or able[word] in self.table.can]
        if STEP in self.table.can:
            keys = [one for one in keys if one[1] in ("rules", "language", "scores")]
            keys = [("← →", "step", "next"), ("Home End", "ends", ""), ("Tab", "seat", "seat"), *keys]
        keys += [("Esc", "menu", "menu"), ("^Q", "quit", "quit")]
        return [(key, self.say(f"keys.{word}"), command) for key, word, command in keys]

    @property
    def _is_open(self) -> bool:
        """Whether the widgets are there: the table may tell something while the screen is being closed."""
        return all(self.query(f"#{name}") for name in ("title", "board", "message", "moves", "typed", "keys"))

    def refresh_table(self) -> None:
        """Show what is new."""
        if not self._is_open:
            return
        table, view = self.table, self.table.view
        heading = self._board.heading(view) if view and not table.curtain else ""
        self.query_one("#title", Bar).show(table.game.name, heading, table.connection or table.activity)
        moment = (view["ply"] if view else None, table.curtain, tuple(table.choices()), table.lang)
        if moment != self._ply:
            if table.connection and table.is_mine and self._ply is not None:
                self.app.bell()  # somebody at a table in the network may be looking elsewhere
            self._ply = moment
            self._message = table.notice
            self._ink = BAD
            details = self._board.details(view) if view else {}
            self._all = [Choice(c.text, c.label, c.detail or details.get(c.text, "")) for c in table.choices()]
            self._filter(self.query_one(TypeLine).value)
            self.query_one(Keys).show(self._keys())
        for log in self.query(LogView):
            log.show([] if table.curtain else table.log)
        self._draw()

    def _draw(self) -> None:
        """The board with the highlighted move lit, and the message above the choices."""
        table = self.table
        chosen = self.query_one(Choices).chosen
        lines = [table.curtain] if table.curtain else (table.lobby or [self.say("table.getting_ready")])
        shown = None if table.curtain else table.view
        self.query_one(BoardView).show(self._board, shown, lines, chosen.text if chosen else "")
        ink = GOOD if table.is_mine or table.curtain else TEXT
        if table.view and table.view["over"]:
            ink = ACCENT
        text, ink = (self._message, self._ink) if self._message else (table.status, ink)
        self.query_one("#message", Bar).show("", text, inks=(ink, f"bold {ink}".replace("bold bold", "bold"), DIM))
        typed = self.query_one(TypeLine)
        typed.placeholder = chosen.text if chosen else self.say(table.prompt)

    def leave_word(self) -> str:
        """How to come back to this table."""
        return self.table.leave()

    def tell(self, text: str, ink: str = BAD) -> None:
        """A message above the choices, until something else happens."""
        self._message, self._ink = text, ink
        if self._is_open:
            self._draw()

    def _filter(self, text: str) -> None:
        """Show the choices that what is typed may become."""
        self._steered = False
        found = self._matches(text)
        only = 0 if len(found) == 1 else None
        if not found:
            found, only = list(range(len(self._all))), None
        self.query_one(Choices).show([self._all[i] for i in found], [i + 1 for i in found], only)

    def _matches(self, text: str) -> list[int]:
        """The places of the choices that begin so, have this number, or say so."""
        text = text.strip().lower()
        places = range(len(self._all))
        if not text:
            return list(places)
        if found := [i for i in places if self._all[i].text.lower().startswith(text)]:
            return found
        number = text.removeprefix("#")
        if number.isascii() and number.isdecimal():
            return [int(number) - 1] if 1 <= int(number) <= len(self._all) else []
        return [i for i in places if text in self._all[i].label.lower()] if len(text) > 1 else []

    def on_input_changed(self, event: Input.Changed) -> None:
        """What is typed narrows the choices down."""
        if isinstance(event.input, TypeLine) and event.value != self._typed:
            self._typed = event.value
            self._message = ""
            self._filter(event.value)
            self._draw()

    def _clear(self) -> None:
        """Empty the line; a message stays."""
        if self._typed:
            self._typed = self.query_one(TypeLine).value = ""
            self._filter("")

    def on_type_line_steered(self, event: TypeLine.Steered) -> None:
        """Through the choices by key."""
        choices = self.query_one(Choices)
        if STEP in self.table.can:
            self._message = ""
            self.table.step(event.key, event.right or 10 * event.down)
        elif event.down:
            choices.move(event.down)
        else:
            choices.sideways(event.right)

    def on_choices_moved(self) -> None:
        """Another choice is highlighted."""
        self._steered = True
        self._message = ""
        self._draw()

    def on_painted_picked(self, event: Painted.Picked) -> None:
        """A click: a key at the bottom, a choice, or a piece on the board."""
        moves = event.moves
        if STEP in self.table.can and moves[0] in ("next", "seat"):
            self.table.step("tab" if moves[0] == "seat" else "right", 1)
        elif len(moves) == 1 and moves[0] in COMMANDS and not any(c.text == moves[0] for c in self._all):
            self.action_do(moves[0])
        elif moves[0].startswith("#"):
            self._play(self.query_one(Choices).items[int(moves[0][1:])].text)
        elif len(moves) == 1:
            self._play(moves[0])
        else:
            found = [i for i, choice in enumerate(self._all) if choice.text in moves]
            self.query_one(Choices).show([self._all[i] for i in found], [i + 1 for i in found], 0)
            self._steered = True
            self.tell(self.say("table.which"), TEXT)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter: play what is highlighted or typed, or do what a word says."""
        if not isinstance(event.input, TypeLine):
            return
        text = event.value.strip()
        chosen = self.query_one(Choices).chosen
        if not text:
            if chosen is not None:
                self._play(chosen.text)
            elif self._all:
                self.tell(self.say("table.choose"), TEXT)
            else:
                self.table.go_on()
            return
        exact = [c.text for c in self._all if c.text.lower() == text.lower()]
        found = self._matches(text)
        if exact:
            self._play(exact[0])
        elif self._is_word(text):
            self._clear()
            self._word(text)
        elif chosen is not None and (self._steered or len(found) == 1):
            self._play(chosen.text)
        elif len(found) > 1:
            self.tell(self.say("table.several", text=text), TEXT)
        else:
            self._play(text)

    def _is_word(self, text: str) -> bool:
        word = text.partition(" ")[0].lower()
        return text[0] in "?'\"" or word in (*COMMANDS, "lang")

    def _word(self, text: str) -> None:
        """A word that is not a move, as at the plain prompt."""
        word, _, rest = text.partition(" ")
        if text[0] in "'\"":
            self._later(self.table.speak(text[1:].strip(" '\"")))
        elif text[0] == "?":
            self._rules(text[1:].strip())
        elif word == "save" and rest:
            self._save(rest.strip())
        elif word == "lang":
            self.ludo.set_language(rest if rest in ("en", "fr") else self.ludo.other_language)
        elif word == "say" and rest:
            self._later(self.table.speak(rest.strip()))
        elif word in COMMANDS:
            self.action_do(word)

    def _play(self, text: str) -> None:
        self._clear()
        if text in ("scores", "save", "quit") and text in [c.text for c in self._all]:
            self.action_do(text)
        elif text == "again" and self.ludo.again(self.table):
            return
        else:
            self._later(self.table.play(text))

    def _later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that may take a moment, and tell if it is refused."""

        async def guarded() -> None:
            try:
                await work
            except Refused as error:
                self.tell(str(error))

        self.run_worker(guarded(), group="work")

    def action_log(self, by: int) -> None:
        """Scroll the log."""
        for log in self.query(LogView):
            log.scroll(by)

    def action_do(self, command: str) -> None:
        """A command, by key, click or word."""
        match command:
            case "rules":
                self._rules("")
            case "hint":
                self.tell(self.say("table.asking"), TEXT)
                self._later(self._hint())
            case "undo":
                self._later(self._undo())
            case "save":
                self._ask_where()
            case "language":
                self.ludo.set_language(self.ludo.other_language)
            case "scores":
                self._scores()
            case "log":
                lines = [] if self.table.curtain else [line.text for line in self.table.log]
                self._read(self.say("table.log"), lines, at_end=True)
            case "say":
                self.app.push_screen(Ask(self.say("table.say_what")), self._said)
            case "menu":
                self._menu()
            case "quit":
                self.ludo.leave(self.table)

    def _said(self, text: str | None) -> None:
        if text:
            self._later(self.table.speak(text))

    def _menu(self) -> None:
        if self._typed:
            self._clear()
            self._draw()
            return
        able = {"hint": HINT, "undo": UNDO, "save": SAVE, "say": SAY}
        words = [word for word in COMMANDS if word != "menu" and (word not in able or able[word] in self.table.can)]
        keys = {"rules": "F1", "hint": "F2", "undo": "F3", "save": "F4", "language": "F5", "scores": "F6", "log": "F7"}
        keys["quit"] = "^Q"
        items = [Choice(word, self.say(f"menu.{word}"), keys.get(word, "")) for word in words]
        self.app.push_screen(Pick(self.table.game.name, items), lambda word: self.action_do(word) if word else None)

    def _read(self, title: str, lines: list[str], at_end: bool = False) -> None:
        self.app.push_screen(Read(title, lines, self.say("app.reading"), at_end))

    def _rules(self, about: str) -> None:
        page = self.table.game.rules(self.ludo.lang)
        if not about:
            self._read(self.say("table.rules", game=self.table.game.name), unwrap(page))
            return
        found = rule_lines(page, about.upper())
        if not found:
            self.tell(self.say("prompt.no_such_rule", rule=about))
            return
        self._read(about.upper(), [" ".join(block.split()) for block in found])

    def _scores(self) -> None:
        view = self.table.view
        if view is None or self.table.curtain:
            return
        lines = score_lines(view["players"], view["rounds"], self.say("table.round"), self.say("table.sum"))
        if not view["rounds"]:
            lines = [self.say("table.no_round_yet")]
        places = sorted(zip(view["places"], view["players"], view["scores"], strict=True))
        standing = [f"{place}. {name}  {score}".replace("-", "−") for place, name, score in places]
        self._read(self.say("table.scores"), [*standing, "", *lines])

    async def _hint(self) -> None:
        advice = await self.table.hint()
        best = advice[0]
        self._clear()
        place = next((i for i, choice in enumerate(self._all) if choice.text == best.move), None)
        if place is not None:
            self.query_one(Choices).show(self._all, index=place)
            self._steered = True
        told = self.say("table.hint", moves=" · ".join(map(str, advice)))
        self.tell(f"{told} {best.reason}".rstrip(), GOOD)

    async def _undo(self) -> None:
        await self.table.undo()
        self.tell(self.say("prompt.undone"), GOOD)

    def _ask_where(self) -> None:
        if SAVE not in self.table.can:
            self.tell(self.say("table.no_save"))
            return
        name = f"{self.table.game.id}.json"
        self.app.push_screen(Ask(self.say("table.save_where"), name), self._save)

    def _save(self, name: str | None) -> None:
        if name:
            self._later(self._write(name))

    async def _write(self, name: str) -> None:
        try:
            await self.table.save(Path(name).expanduser())
        except Refused:
            raise
        except LudothequeError:
            raise Refused(self.say("table.not_saved", file=name)) from None
        self.tell(self.say("table.saved", file=name), GOOD)
