"""A score pad: the sheet, and a form for what the table writes down next. Every entry is kept at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from ludotheque.core.errors import LudothequeError
from ludotheque.core.pad import Pad
from ludotheque.core.words import game_words
from ludotheque.tui.canvas import Canvas, fit, wrap
from ludotheque.tui.overlays import Ask, Pick, Read, unwrap
from ludotheque.tui.pad_values import CSV, Slot, entry_of, first_wrong, save_pad, slots, take, values_of
from ludotheque.tui.page import Page
from ludotheque.tui.palette import ACCENT, BAD, CHOSEN, DIM, FELT, GOOD, TEXT
from ludotheque.tui.saves import free_name, pads
from ludotheque.tui.table import Choice
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
        self._at: int | None = None
        """The entry that is corrected, or before which one is inserted; None: the form is for the next."""
        self._inserts = False
        self._slots: list[Slot] = []
        """The values of the form in the order asked for."""
        self._values: dict[Slot, Any] = {}

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
        return self.pad if self._at is None else self.pad.at(self._at)

    def _new_form(self) -> None:
        pad = self._form_pad()
        self._slots, self._values = slots(pad), {}
        if self._at is not None and not self._inserts:
            self._values = values_of(pad, self.pad.entries[self._at])
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
        if self._at is not None:
            word = "pad.inserting" if self._inserts else "pad.correcting"
            entry.title = self.say(word, n=self._at + 1, entry=entry.title)
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
        found = take(pad, self._field(shown, name), (name, seat), text)
        self._values |= found
        if len(found) > 1:
            self.query_one(Entry).index = len(self._slots) - 2  # all is said: Enter once more writes it down

    def action_do(self, command: str) -> None:
        """A command by key or click."""
        match command:
            case "enter":
                self._enter()
            case "wipe":
                if self.pad.entries:
                    self._at = None
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
            case "names":
                items = [Choice(str(seat), name) for seat, name in enumerate(self.pad.names)]
                self.app.push_screen(Pick(self.say("pad.whose_name"), items), self._choose_name)
            case "quit":
                self._quit()
            case "menu":
                self._escape()

    def _escape(self) -> None:
        if self._at is not None:
            self._at = None
            self._new_form()
            return
        words = ("names", "rules", "language", "quit")
        items = [Choice(word, self.say(f"menu.{word}")) for word in words]
        self.app.push_screen(Pick(self.pad.game.info.name, items), lambda word: self.action_do(word) if word else None)

    def _enter(self, confirmed: Sequence[str] = ()) -> None:
        """Write the entry down; what can hardly be is asked about first."""
        before, lang = self._form_pad(), self.ludo.lang
        if before.form is None:
            return
        entry = entry_of(before, self._values)
        check = before.check(entry)
        if wrong := check.errors or check.missing:
            self.query_one(Entry).index = first_wrong(before, wrong)
            self._show(before.refusal_text(wrong[0], lang), BAD)
            return
        if open_questions := [one for one in check.questions if one.key not in confirmed]:
            self._ask_first(before.question_text(open_questions[0], lang), [*confirmed, open_questions[0].key])
            return
        try:
            if self._at is None:
                written = self.pad.enter(entry)
            else:
                written = (self.pad.insert if self._inserts else self.pad.correct)(self._at, entry)
        except LudothequeError as error:
            self._show(self.pad.refusal_text(error, lang), BAD)
            return
        self._at = None
        self._set(written, "")

    def _ask_first(self, question: str, keys: Sequence[str]) -> None:
        """Write the entry if the answer is yes."""
        items = [Choice(word, self.say(f"pad.{word}")) for word in ("ask_no", "ask_yes")]
        self.app.push_screen(Pick(question, items), lambda word: self._enter(keys) if word == "ask_yes" else None)

    def _set(self, pad: Pad, message: str) -> None:
        """Another pad from now on; it is kept at once."""
        self.pad = pad
        self._new_form()
        try:
            if self.path is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                save_pad(self.pad, self.path, self.ludo.lang)
            self._show(message, GOOD)
        except (LudothequeError, OSError):
            self._show(self.say("pad.not_kept", file=str(self.path)), BAD)

    def _save(self, name: str | None) -> None:
        if not name:
            return
        try:
            path = Path(name).expanduser()
            save_pad(self.pad, path, self.ludo.lang)
        except LudothequeError:
            self._show(self.say("table.not_saved", file=name), BAD)
        else:
            self._show(self.say("pad.saved_csv" if path.suffix.lower() == CSV else "pad.saved", file=name), GOOD)

    def _entries(self) -> list[Choice]:
        """All entries, the last one first."""
        lang = self.ludo.lang
        numbers = range(len(self.pad.entries) - 1, -1, -1)
        return [Choice(str(n), f"{n + 1}. {self.pad.entry_text(n, lang)}") for n in numbers]

    def _choose_entry(self) -> None:
        if self.pad.entries:
            self.app.push_screen(Pick(self.say("pad.which_entry"), self._entries()), self._choose_change)

    def _choose_change(self, number: str | None) -> None:
        if number is None:
            return
        index = int(number)
        words = (
            ("correct", "insert", "move", "remove") if len(self.pad.entries) > 1 else ("correct", "insert", "remove")
        )
        items = [Choice(word, self.say(f"pad.do_{word}")) for word in words]
        title = f"{index + 1}. {self.pad.entry_text(index, self.ludo.lang)}"
        self.app.push_screen(Pick(title, items), lambda word: self._change(word, index))

    def _change(self, word: str | None, index: int) -> None:
        match word:
            case "correct" | "insert":
                self._at, self._inserts = index, word == "insert"
                self._new_form()
            case "move":
                self.app.push_screen(
                    Pick(self.say("pad.where_to"), self._entries()),
                    lambda to: None if to is None else self._try(lambda: self.pad.move(index, int(to)), "pad.moved"),
                )
            case "remove":
                self._try(lambda: self.pad.remove(index), "pad.removed")

    def _try(self, change: Callable[[], Pad], done: str) -> None:
        """Another pad from now on, or why not."""
        try:
            changed = change()
        except LudothequeError as error:
            self._show(self.pad.refusal_text(error, self.ludo.lang), BAD)
        else:
            self._set(changed, self.say(done))

    def _choose_name(self, seat: str | None) -> None:
        if seat is None:
            return
        old = self.pad.names[int(seat)]
        self.app.push_screen(Ask(self.say("setup.name"), old), lambda name: self._rename(int(seat), name))

    def _rename(self, seat: int, name: str | None) -> None:
        if name:
            names = [name if number == seat else old for number, old in enumerate(self.pad.names)]
            self._try(lambda: self.pad.rename(names), "pad.renamed")

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
