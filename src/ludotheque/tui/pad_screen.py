"""A score pad: the sheet, and a form for what the table writes down next. Every entry is kept at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from ludotheque.core.errors import LudothequeError
from ludotheque.core.files import write_text
from ludotheque.core.game import Game
from ludotheque.core.pad import Pad, new_pad
from ludotheque.core.texts import error_text
from ludotheque.core.words import game_words
from ludotheque.tui.canvas import Canvas, fit, wrap
from ludotheque.tui.overlays import Ask, Pick, Read, unwrap
from ludotheque.tui.page import Page
from ludotheque.tui.palette import ACCENT, BAD, CHOSEN, DIM, FELT, GOOD, TEXT
from ludotheque.tui.saves import free_name, pads
from ludotheque.tui.setup import FormScreen, Knob
from ludotheque.tui.table import Choice, Refused
from ludotheque.tui.widgets import Bar, Keys, Painted
from ludotheque.tui.words import say


class Sheet(Painted):
    """The sums by round, the latest at the bottom."""

    ground = FELT

    def __init__(self) -> None:
        super().__init__(id="board")
        self.pad: Pad | None = None
        self.lang = "en"
        self.back = 0

    def paint(self, c: Canvas) -> None:
        """A row for each round, notes below it, and the sums."""
        if self.pad is None:
            return
        pad = self.pad
        width = max(7, min(16, (c.width - 10) // len(pad.names) - 2))
        seat_now = pad.form.seat if pad.form else -1
        for seat, name in enumerate(pad.names):
            mark = "▸" if seat == seat_now else " "
            c.put(8 + seat * (width + 2), 0, mark + fit(name, width - 1), ACCENT if seat == seat_now else TEXT)
        rows: list[tuple[str, Sequence[str], str]] = []
        for row in pad.rounds:
            points = [f"{n:+d}".replace("-", "−") if n or row.is_done else "·" for n in row.points]
            rows.append((str(row.round), points, TEXT if row.is_done else DIM))
            for note in row.notes:
                rows += [(part, (), DIM) for part in wrap(pad.note_text(note, self.lang), c.width - 10)]
        room = c.height - 3
        self.back = max(0, min(self.back, len(rows) - room))
        start = max(0, len(rows) - room - self.back)
        for y, (first, cells, ink) in enumerate(rows[start : start + room], 1):
            c.put(8 if not cells else 2, y, first, DIM)
            self._row(c, y, cells, width, ink)
        y = min(c.height - 2, len(rows) + 1)
        c.put(1, y, "─" * (c.width - 2), DIM)
        places = pad.places
        totals = [str(n).replace("-", "−") for n in pad.totals]
        c.put(2, y + 1, fit(pad.score_text(self.lang), 7), DIM)
        self._row(c, y + 1, totals, width, TEXT)
        for seat, place in enumerate(places):
            if place == 1 and max(places) > 1:
                c.put(8 + seat * (width + 2), y + 1, "★", ACCENT)

    def _row(self, c: Canvas, y: int, cells: Sequence[str], width: int, ink: str) -> None:
        for seat, cell in enumerate(cells):
            c.put(8 + seat * (width + 2) + width - cell_len(cell), y, cell, f"bold {ink}" if ink == TEXT else ink)

    def scroll(self, by: int) -> None:
        """Further back, or forward again."""
        self.back = max(0, self.back + by)
        self.repaint()


class Entry(Painted):
    """The form of an entry: a line for each value, the one being written highlighted."""

    def __init__(self) -> None:
        super().__init__(id="form")
        self.lines: list[tuple[str, str]] = []
        self.index = 0
        self.title = ""

    def paint(self, c: Canvas) -> None:
        """The message above, then the fields, in two columns if they are many."""
        for y, part in enumerate(wrap(self.title, c.width - 2)[:2]):
            c.put(1, y, part, ACCENT)
        label = max((cell_len(one[0]) for one in self.lines), default=0)
        for place, (name, value) in enumerate(self.lines):
            column, y = divmod(place, c.height - 2)
            x = 2 + column * (c.width // 2)
            chosen = place == self.index
            c.put(x, 2 + y, fit(name, label) + " ", ACCENT if chosen else TEXT, (f"#{place}",))
            text = value if value else "…" if chosen else "–"
            c.put(x + label + 1, 2 + y, f" {text} ", CHOSEN if chosen else TEXT, (f"#{place}",))


class PadScreen(Page):
    """A score pad for a real table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "move(1)"),
        Binding("up,shift+tab", "move(-1)"),
        Binding("f1", "do('rules')"),
        Binding("f3", "do('wipe')"),
        Binding("f4", "do('save')"),
        Binding("f5", "do('language')"),
        Binding("f7", "do('correct')"),
        Binding("pageup", "scroll(3)"),
        Binding("pagedown", "scroll(-3)"),
        Binding("escape", "do('menu')"),
    ]

    def __init__(self, pad: Pad, path: Path | None = None, keep: bool = True) -> None:
        super().__init__()
        self.pad = pad
        self.path = path or (free_name(pads(), pad.game.id, datetime.now()) if keep else None)
        self._correcting: int | None = None
        self._slots: list[tuple[str, int | None]] = []
        """The values of the form in the order asked for: field, and seat if there is one for each."""
        self._values: dict[tuple[str, int | None], Any] = {}

    def contents(self) -> ComposeResult:
        """The sheet above, the form below."""
        yield Bar("title")
        yield Sheet()
        yield Bar("message")
        yield Entry()
        yield Input(id="typed", compact=True, select_on_focus=False)
        yield Keys()

    def on_mount(self) -> None:
        """Ready to write."""
        self.query_one("#typed", Input).focus()
        self._new_form()

    def retell(self) -> None:
        """All texts anew."""
        if not self._slots and self.pad.form is not None:
            self._new_form()
        self._show()

    def _form_pad(self) -> Pad:
        """The pad whose form is being filled in: as it was before the entry that is corrected."""
        return self.pad if self._correcting is None else self.pad.at(self._correcting)

    def _new_form(self) -> None:
        pad = self._form_pad()
        self._slots, self._values = [], {}
        if pad.form is not None:
            order = pad.form.order or range(len(pad.names))
            for one in pad.form.fields:
                self._slots += [(one.name, seat) for seat in order] if one.each else [(one.name, None)]
        if self._correcting is not None:
            old = self.pad.entries[self._correcting]
            for name, seat in self._slots:
                self._values[name, seat] = old[name] if seat is None else old[name][seat]
        self.query_one(Entry).index = 0
        self._show()

    def _show(self, message: str = "", ink: str = DIM) -> None:
        lang = self.ludo.lang
        pad = self._form_pad()
        self.query_one("#title", Bar).show(self.pad.game.info.name, self.say("pad.title"))
        sheet = self.query_one(Sheet)
        sheet.pad, sheet.lang = self.pad, lang
        sheet.repaint()
        shown = pad.form_view(lang)
        entry = self.query_one(Entry)
        entry.title = shown["title"] if shown else self._result()
        if self._correcting is not None:
            entry.title = self.say("pad.correcting", n=self._correcting + 1, entry=entry.title)
        entry.lines = self._lines(shown) if shown else []
        self.query_one("#typed", Input).placeholder = (shown and shown["reckon"]) or ""
        entry.styles.height = 2 + min(8, max(1, len(entry.lines)))
        entry.repaint()
        if not message and shown:
            message = self._help(shown)
        self.query_one("#message", Bar).show("", message, inks=(ink, ink, ink))
        words = [
            ("Enter", "enter", "enter"),
            ("F3", "wipe", "wipe"),
            ("F7", "correct", "correct"),
            ("F4", "save", "save"),
        ]
        words += [("F1", "rules", "rules"), ("F5", "language", "language"), ("^Q", "quit", "quit")]
        self.query_one(Keys).show([(key, self.say(f"keys.{word}"), command) for key, word, command in words])

    def _result(self) -> str:
        winners = [seat for seat, place in enumerate(self.pad.places) if place == 1]
        facts = {"seats": winners, "n": len(winners)}
        return say(self.ludo.lang, "table.over", facts, self.pad.names)

    def _field(self, shown: dict[str, Any], name: str) -> dict[str, Any]:
        return next(one for one in shown["fields"] if one["name"] == name)

    def _lines(self, shown: dict[str, Any]) -> list[tuple[str, str]]:
        lines = []
        for name, seat in self._slots:
            one = self._field(shown, name)
            label = one["label"] if seat is None else f"{one['label']}, {self.pad.names[seat]}"
            lines.append((label, self._value_text(one, self._values.get((name, seat)))))
        return lines

    def _value_text(self, one: dict[str, Any], value: Any) -> str:
        if value is None:
            default = one["default"]
            return "" if default is None else f"({self._value_text(one, default)})"
        if one["kind"] == "flag":
            return self.say("setup.on" if value else "setup.off")
        for choice in one.get("choices", ()):
            if choice["value"] == value:
                return str(choice["label"])
        return str(value).replace("-", "−")

    def _help(self, shown: dict[str, Any]) -> str:
        """What the highlighted field takes."""
        if not self._slots:
            return ""
        one = self._field(shown, self._slots[self.query_one(Entry).index][0])
        if one["kind"] == "flag":
            return self.say("pad.flag")
        if one["kind"] == "int":
            return self.say("pad.range", low=one["low"], high=one["high"])
        labels = " · ".join(f"{n} {choice['label']}" for n, choice in enumerate(one["choices"], 1))
        return self.say("pad.choice", choices=labels)

    def action_move(self, by: int) -> None:
        """Another field."""
        if self._slots:
            entry = self.query_one(Entry)
            entry.index = (entry.index + by) % len(self._slots)
            self._show()

    def action_scroll(self, by: int) -> None:
        """Back through the rounds."""
        self.query_one(Sheet).scroll(by)

    def on_painted_picked(self, event: Painted.Picked) -> None:
        """By mouse: a field, or a key."""
        word = event.moves[0]
        if word.startswith("#"):
            self.query_one(Entry).index = int(word[1:])
            self._show()
        else:
            self.action_do(word)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter: the value of the field; after the last one the entry is written."""
        if event.input.id != "typed" or not self._slots:
            return
        text = event.value.strip()
        entry = self.query_one(Entry)
        name, seat = self._slots[entry.index]
        try:
            if text:
                self._take(name, seat, text)
            elif self._missing(name, seat):
                self._show(self.say("pad.missing"), BAD)
                return
        except LudothequeError as error:
            self._show(self.pad.refusal_text(error, self.ludo.lang), BAD)
            return
        event.input.value = ""
        if entry.index + 1 < len(self._slots):
            entry.index += 1
            self._show()
        else:
            self.action_do("enter")

    def _missing(self, name: str, seat: int | None) -> bool:
        pad = self._form_pad()
        assert pad.form is not None
        default = next(one.default for one in pad.form.fields if one.name == name)
        return (name, seat) not in self._values and default is None

    def _take(self, name: str, seat: int | None, text: str) -> None:
        """What was typed for a field: a number, a choice, yes or no, or something to work out."""
        pad = self._form_pad()
        shown = pad.form_view(self.ludo.lang)
        assert shown is not None
        one = self._field(shown, name)
        if one["kind"] == "flag":
            self._values[name, seat] = text.lower() in ("y", "yes", "o", "oui", "1", "+", "x")
        elif one["kind"] == "choice":
            self._values[name, seat] = _choice(one["choices"], text)
        elif text.lstrip("+-−").isdecimal():
            number = int(text.replace("−", "-"))
            if not one["low"] <= number <= one["high"]:
                raise Refused(self.say("pad.not_in_range", text=text, low=one["low"], high=one["high"]))
            self._values[name, seat] = number
        elif shown["reckon"]:
            for key, value in pad.reckon(text).values.items():
                self._values[key, seat] = value
            if seat is None:
                self.query_one(Entry).index = len(self._slots) - 2  # all is said: Enter once more writes it down
        else:
            self._values[name, seat] = text

    def action_do(self, command: str) -> None:
        """A command by key or click."""
        match command:
            case "enter":
                self._enter()
            case "wipe":
                if self.pad.entries:
                    self._correcting = None
                    self._set(self.pad.back(), self.say("pad.wiped"))
            case "correct":
                self._choose_entry()
            case "save":
                self.app.push_screen(Ask(self.say("table.save_where"), f"{self.pad.game.id}-pad.json"), self._save)
            case "rules":
                words = game_words(self.pad.game.id)
                lines = unwrap(words.rules(self.ludo.lang))
                title = self.say("table.rules", game=words.name)
                self.app.push_screen(Read(title, lines, self.say("app.reading")))
            case "language":
                self.ludo.set_language(self.ludo.other_language)
            case "quit":
                self._quit()
            case "menu":
                self._escape()

    def _escape(self) -> None:
        if self._correcting is not None:
            self._correcting = None
            self._new_form()
            return
        words = ("rules", "language", "quit")
        items = [Choice(word, self.say(f"menu.{word}")) for word in words]
        self.app.push_screen(Pick(self.pad.game.info.name, items), lambda word: self.action_do(word) if word else None)

    def _enter(self) -> None:
        """Write the entry down."""
        pad = self._form_pad()
        if pad.form is None:
            return
        entry: dict[str, Any] = {}
        for one in pad.form.fields:
            if one.each:
                seats = range(len(pad.names))
                entry[one.name] = [self._values.get((one.name, seat), one.default) for seat in seats]
                if None in entry[one.name]:
                    self._show(self.say("pad.missing"), BAD)
                    return
            elif (one.name, None) in self._values:
                entry[one.name] = self._values[one.name, None]
        try:
            index = self._correcting
            written = self.pad.enter(entry) if index is None else self.pad.correct(index, entry)
        except LudothequeError as error:
            self._show(self.pad.refusal_text(error, self.ludo.lang), BAD)
            return
        self._correcting = None
        self._set(written, "")

    def _set(self, pad: Pad, message: str) -> None:
        """Another pad from now on; it is kept at once."""
        self.pad = pad
        self._new_form()
        try:
            if self.path is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._write(self.path)
            self._show(message, GOOD)
        except (LudothequeError, OSError):
            self._show(self.say("pad.not_kept", file=str(self.path)), BAD)

    def _write(self, path: Path) -> None:
        write_text(path, json.dumps(self.pad.to_json(), ensure_ascii=False, indent=1) + "\n")

    def _save(self, name: str | None) -> None:
        if not name:
            return
        try:
            self._write(Path(name).expanduser())
        except LudothequeError:
            self._show(self.say("table.not_saved", file=name), BAD)
        else:
            self._show(self.say("pad.saved", file=name), GOOD)

    def _choose_entry(self) -> None:
        if not self.pad.entries:
            return
        lang = self.ludo.lang
        numbers = range(len(self.pad.entries) - 1, -1, -1)
        items = [Choice(str(n), f"{n + 1}. {self.pad.entry_text(n, lang)}") for n in numbers]
        self.app.push_screen(Pick(self.say("pad.which_entry"), items), self._correct)

    def _correct(self, number: str | None) -> None:
        if number is not None:
            self._correcting = int(number)
            self._new_form()

    def _quit(self) -> None:
        text = self.leave_word() or self.say("table.left")
        below = self.app.screen_stack[-2] if len(self.app.screen_stack) > 2 else None
        if isinstance(below, Page):
            self.app.pop_screen()
            below.tell(text)
        else:
            self.app.exit(text)

    def leave_word(self) -> str:
        """How to go on with the pad."""
        kept = self.path is not None and self.path.exists()
        return self.say("pad.left_kept", file=str(self.path)) if kept else ""


def _choice(choices: Sequence[dict[str, Any]], text: str) -> Any:
    """A choice by its value, its label or the beginning of it, or its number in the list."""
    for one in choices:
        if text.lower() in (str(one["value"]).lower(), str(one["label"]).lower()) and not isinstance(
            one["value"], bool
        ):
            if not text.isdecimal() or str(one["label"]) == text:
                return one["value"]
    if text.isdecimal() and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1]["value"]
    begins = [one["value"] for one in choices if str(one["label"]).lower().startswith(text.lower())]
    return begins[0] if len(begins) == 1 else text


class PadSetup(FormScreen):
    """Who plays at the real table, and by which options."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.num_seats = max(game.info.min_seats, min(game.info.max_seats, 3))
        self.own: dict[int, str] = {}
        self.first: int | None = None

    def knobs(self) -> list[Knob]:
        """Begin, the players, who is first, the options."""
        words = self.game.catalogue(self.ludo.lang)
        lines = [Knob("begin", self.say("setup.begin"), "", self.say("pad.begin_help"))]
        lines.append(Knob("seats", self.say("setup.players"), str(self.num_seats), words.say("about.players")))
        for seat in range(self.num_seats):
            label = self.say("setup.seat", n=seat + 1)
            lines.append(Knob(f"seat{seat}", label, self.name_of(seat), self.say("pad.name_help")))
        first = self.say("setup.drawn") if self.first is None else self.name_of(self.first)
        lines.append(Knob("first", self.say("setup.first"), first, words.say("pad.first")))
        return lines + self.option_knobs()

    def name_of(self, seat: int) -> str:
        """The name at a seat."""
        return self.own.get(seat) or self.say("setup.guest", n=seat + 1)

    def turn(self, name: str, by: int) -> None:
        """More players, another first, another value."""
        if name == "seats":
            low, high = self.game.info.min_seats, self.game.info.max_seats
            self.num_seats = low + (self.num_seats - low + by) % (high - low + 1)
            if self.first is not None and self.first >= self.num_seats:
                self.first = None
        elif name == "first":
            seats = [None, *range(self.num_seats)]
            self.first = seats[(seats.index(self.first) + by) % len(seats)]
        elif option := self.option(name):
            self.turn_option(option, by)

    def take(self, name: str) -> None:
        """Begin, type a name, or take the next value."""
        if name == "begin":
            names = [self.name_of(seat) for seat in range(self.num_seats)]
            try:
                pad = new_pad(self.game.id, names, self.first, **self.values)
            except LudothequeError as error:
                self.update(error_text(error, self.ludo.lang))
                return
            self.app.switch_screen(PadScreen(pad))
        elif name.startswith("seat") and name != "seats":
            seat = int(name[4:])
            self.app.push_screen(Ask(self.say("setup.name"), self.own.get(seat, "")), partial(self._named, seat))
        elif option := self.option(name):
            self.take_option(option)
        else:
            self.turn(name, 1)
            self.update()

    def _named(self, seat: int, name: str | None) -> None:
        if name:
            self.own[seat] = name[:40]
        self.update()
