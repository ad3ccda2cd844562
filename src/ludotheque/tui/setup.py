"""Setting up a match: who plays, and by which options."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ludotheque.bots.ladder import PLAYABLE
from ludotheque.core.errors import LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.info import Option
from ludotheque.core.match import check_names
from ludotheque.core.texts import error_text
from ludotheque.tui.canvas import Canvas, fit
from ludotheque.tui.local import LocalTable
from ludotheque.tui.overlays import Ask
from ludotheque.tui.page import Page
from ludotheque.tui.palette import ACCENT, BAD, CHOSEN, DIM, FELT, TEXT
from ludotheque.tui.prompt import name_bot
from ludotheque.tui.table_screen import TableScreen
from ludotheque.tui.widgets import Bar, Keys, Painted

PERSON = "person"
DEFAULT_LEVEL = "club"
MAX_LIST = 100
"""A number with more values than this is typed rather than stepped through."""


@dataclass(frozen=True)
class Knob:
    """A line of a form: what it is about, its value in words, and a sentence about it."""

    name: str
    label: str
    value: str
    help: str = ""


class Knobs(Painted):
    """A form whose values are changed with left and right."""

    ground = FELT

    def __init__(self) -> None:
        super().__init__(id="knobs")
        self.knobs: Sequence[Knob] = ()
        self.index = 0

    def show(self, knobs: Sequence[Knob]) -> None:
        """Show these, the highlighted line as before."""
        self.knobs = knobs
        self.index = max(0, min(self.index, len(knobs) - 1))
        self.repaint()

    @property
    def chosen(self) -> Knob:
        """The highlighted line."""
        return self.knobs[self.index]

    def move(self, by: int) -> None:
        """Up or down."""
        self.index = (self.index + by) % len(self.knobs)
        self.repaint()

    def paint(self, c: Canvas) -> None:
        """Labels on the left, values on the right of them."""
        label = max(cell_len(knob.label) for knob in self.knobs) + 2
        first = max(0, min(self.index - c.height + 3, len(self.knobs) - c.height + 2))
        for place, knob in enumerate(self.knobs[first : first + c.height - 1], first):
            y = 1 + place - first
            chosen = place == self.index
            if not knob.value:
                c.put(2, y, f" {knob.label} ", CHOSEN if chosen else ACCENT, (knob.name,))
                continue
            c.put(3, y, fit(knob.label, label), ACCENT if chosen else TEXT)
            c.hit(3, y, label, 1, (knob.name,))
            x = c.put(3 + label, y, "‹", ACCENT if chosen else DIM, (f"{knob.name} -1",))
            x = c.put(
                x, y, f" {fit(knob.value, min(cell_len(knob.value), c.width - x - 4))} ", CHOSEN if chosen else TEXT
            )
            c.put(x, y, "›", ACCENT if chosen else DIM, (f"{knob.name} +1",))


class FormScreen(Page):
    """A screen with a form; games and pads set up alike."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab,j", "move(1)"),
        Binding("up,shift+tab,k", "move(-1)"),
        Binding("right,plus,l", "turn(1)"),
        Binding("left,minus,h", "turn(-1)"),
        Binding("enter,space", "take"),
        Binding("f5", "language"),
        Binding("escape", "back"),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.values: dict[str, Any] = {option.name: option.default for option in game.info.options}
        self.names: list[str] = []

    def contents(self) -> ComposeResult:
        """The form, and a sentence about the highlighted line."""
        yield Bar("title")
        yield Knobs()
        yield Bar("message")
        yield Keys()

    @abstractmethod
    def knobs(self) -> list[Knob]:
        """The lines of the form."""

    @abstractmethod
    def turn(self, name: str, by: int) -> None:
        """Another value for a line."""

    @abstractmethod
    def take(self, name: str) -> None:
        """Enter on a line."""

    def retell(self) -> None:
        """All texts anew."""
        self.query_one("#title", Bar).show(self.game.info.name, self.say("setup.title"))
        keys = [("↑ ↓", "choose", ""), ("← →", "change", ""), ("Enter", "take", "take"), ("F5", "language", "language")]
        keys.append(("Esc", "back", "back"))
        self.query_one(Keys).show([(key, self.say(f"keys.{word}"), command) for key, word, command in keys])
        self.update()

    def update(self, problem: str = "") -> None:
        """The form as it is now."""
        knobs = self.query_one(Knobs)
        knobs.show(self.knobs())
        ink = BAD if problem else DIM
        self.query_one("#message", Bar).show("", problem or knobs.chosen.help, inks=(ink, ink, ink))

    def option_knobs(self) -> list[Knob]:
        """A line for each of the game's options."""
        words = self.game.catalogue(self.ludo.lang)
        return [
            Knob(
                option.name,
                words.say(f"options.{option.name}.name"),
                self._value_text(option, self.values[option.name]),
                words.say(f"options.{option.name}.help"),
            )
            for option in self.game.info.options
        ]

    def _value_text(self, option: Option, value: Any) -> str:
        words = self.game.catalogue(self.ludo.lang)
        if option.kind == "flag":
            return self.say("setup.on" if value else "setup.off")
        if option.kind == "texts":
            return self.say("setup.own_list", n=len(value)) if value else self.say("setup.our_list")
        return str((words.find(f"options.{option.name}.values") or {}).get(str(value), value))

    def turn_option(self, option: Option, by: int) -> None:
        """The next value of an option, round and round."""
        if option.kind == "texts":
            return
        values = [False, True] if option.kind == "flag" else list(option.values)
        if len(values) > MAX_LIST:
            by *= max(1, len(values) // 60)
        place = (values.index(self.values[option.name]) + by) % len(values)
        self.values[option.name] = values[place]

    def take_option(self, option: Option) -> None:
        """Type a value, or take the next one."""
        if option.kind == "texts":
            given = "; ".join(self.values[option.name])
            self.app.push_screen(Ask(self.say("setup.list"), given), partial(self._typed, option))
        elif option.kind == "number":
            self.app.push_screen(Ask(self._label(option), str(self.values[option.name])), partial(self._typed, option))
        else:
            self.turn_option(option, 1)
            self.update()

    def _label(self, option: Option) -> str:
        return self.game.catalogue(self.ludo.lang).say(f"options.{option.name}.name")

    def _typed(self, option: Option, text: str | None) -> None:
        problem = ""
        if text is not None or option.kind == "texts":
            given: Any = text
            if option.kind == "texts":
                given = [part.strip() for part in (text or "").split(";") if part.strip()]
            try:
                self.values[option.name] = option.check(given)
            except LudothequeError as error:
                problem = error_text(error, self.ludo.lang)
        self.update(problem)

    def option(self, name: str) -> Option | None:
        """The option of that name."""
        return next((option for option in self.game.info.options if option.name == name), None)

    def action_move(self, by: int) -> None:
        """Up or down."""
        self.query_one(Knobs).move(by)
        self.update()

    def action_turn(self, by: int) -> None:
        """Another value."""
        self.turn(self.query_one(Knobs).chosen.name, by)
        self.update()

    def action_take(self) -> None:
        """Enter."""
        self.take(self.query_one(Knobs).chosen.name)

    def action_language(self) -> None:
        """The other language."""
        self.ludo.set_language(self.ludo.other_language)

    def action_back(self) -> None:
        """Back to the menu."""
        self.app.pop_screen()

    def on_painted_picked(self, event: Painted.Picked) -> None:
        """By mouse: a line, one of its arrows, or a key."""
        word, _, by = event.moves[0].partition(" ")
        if word in ("take", "language", "back"):
            self.run_worker(self.run_action(word), exclusive=False)
            return
        knobs = self.query_one(Knobs)
        places = [place for place, knob in enumerate(knobs.knobs) if knob.name == word]
        if not places:
            return
        knobs.index = places[0]
        if by:
            self.turn(word, int(by))
            self.update()
        else:
            self.take(word)


class SetupScreen(FormScreen):
    """Who plays a match, and by which options."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        low, high = game.info.min_seats, game.info.max_seats
        self.num_seats = max(low, min(high, 3))
        self.kinds = [PERSON] + [DEFAULT_LEVEL] * (high - 1)
        self.own: dict[int, str] = {}
        """Names that were typed, by seat."""

    def knobs(self) -> list[Knob]:
        """Begin, the seats, the options."""
        lines = [Knob("begin", self.say("setup.begin"), "", self.say("setup.begin_help"))]
        lines.append(Knob("seats", self.say("setup.players"), str(self.num_seats), self._players_text()))
        for seat in range(self.num_seats):
            person = self.kinds[seat] == PERSON
            bot = "" if person else self.say("setup.bot", level=self.say(f"levels.{self.kinds[seat]}"))
            help = self.say("setup.person_help" if person else "setup.bot_help")
            lines.append(Knob(f"seat{seat}", self.say("setup.seat", n=seat + 1), bot or self.name_of(seat), help))
        return lines + self.option_knobs()

    def _players_text(self) -> str:
        return self.game.catalogue(self.ludo.lang).say("about.players")

    def name_of(self, seat: int) -> str:
        """The name at a seat."""
        if seat in self.own:
            return self.own[seat]
        return self.say("prompt.you") if seat == 0 else self.say("setup.guest", n=seat + 1)

    def turn(self, name: str, by: int) -> None:
        """More players, another kind of player, another value."""
        if name == "seats":
            low, high = self.game.info.min_seats, self.game.info.max_seats
            self.num_seats = low + (self.num_seats - low + by) % (high - low + 1)
        elif name.startswith("seat"):
            kinds = [PERSON, *PLAYABLE]
            seat = int(name[4:])
            self.kinds[seat] = kinds[(kinds.index(self.kinds[seat]) + by) % len(kinds)]
        elif option := self.option(name):
            self.turn_option(option, by)

    def take(self, name: str) -> None:
        """Begin, type a name, or take the next value."""
        if name == "begin":
            self._begin()
        elif name.startswith("seat") and name != "seats" and self.kinds[int(name[4:])] == PERSON:
            seat = int(name[4:])
            self.app.push_screen(Ask(self.say("setup.name"), self.name_of(seat)), partial(self._named, seat))
        elif option := self.option(name):
            self.take_option(option)
        else:
            self.turn(name, 1)
            self.update()

    def _named(self, seat: int, name: str | None) -> None:
        problem = ""
        if name:
            try:
                self.own[seat] = check_names([name])[0]
            except LudothequeError:
                problem = self.say("setup.bad_name")
        self.update(problem)

    def _begin(self) -> None:
        bots = {seat: kind for seat, kind in enumerate(self.kinds[: self.num_seats]) if kind != PERSON}
        names = [self.name_of(seat) if seat not in bots else "" for seat in range(self.num_seats)]
        for seat, level in bots.items():
            names[seat] = name_bot(level, names, self.ludo.lang)
        try:
            match = self.game.new(names, **self.values)
        except LudothequeError as error:
            self.update(error_text(error, self.ludo.lang))
            return
        self.app.switch_screen(TableScreen(LocalTable(match, bots, self.ludo.lang)))
