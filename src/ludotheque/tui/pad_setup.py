"""Setting up a score pad: who plays at the real table, and by which options."""

from __future__ import annotations

from functools import partial

from ludotheque.core.errors import LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.pad import new_pad, pad_defaults
from ludotheque.core.texts import error_text
from ludotheque.tui.overlays import Ask
from ludotheque.tui.pad_screen import PadScreen
from ludotheque.tui.setup import FormScreen, Knob


class PadSetup(FormScreen):
    """Who plays at the real table, and by which options."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.values |= pad_defaults(game.id)
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
