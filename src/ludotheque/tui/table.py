"""A table as the screens see it: the same for a match in this process, one in a game room, and a record replayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import shared
from ludotheque.core.words import GameWords
from ludotheque.tui.words import say

View = dict[str, Any]

HINT, UNDO, SAVE, SAY, AGAIN, STEP = "hint", "undo", "save", "say", "again", "step"
"""What a table may be able to do, besides playing."""


class Refused(LudothequeError):
    """Something that cannot be done now, in the words of the person's language."""


@dataclass(frozen=True)
class Choice:
    """Something to choose: a move, or what a table offers between matches."""

    text: str
    """What is typed for it: a move in notation, or a word."""
    label: str
    detail: str = ""


@dataclass(frozen=True)
class Line:
    """A line of the log."""

    text: str
    kind: str = ""
    """`end` for the end of a round or a match, `said` for what people say, `note` for the table's own."""


@dataclass(frozen=True)
class Advice:
    """A move the expert considered."""

    move: str
    label: str
    verdict: str = ""
    """Its chances, or how it compares with the first; empty if nothing is known of that."""
    reason: str = ""
    """Why it is good, in sentences."""

    def __str__(self) -> str:
        return f"{self.label} ({self.verdict})" if self.verdict else self.label


def verdict(win: float | None, is_equal: bool, is_first: bool, lang: str) -> str:
    """What is said of a move in a hint: its chances, or how it compares with the first."""
    words = shared(lang)
    if is_equal and not is_first:
        return words.say("advice.equal")
    if win is not None:
        return words.say("advice.win", {"n": round(100 * win)})
    return "" if is_first else words.say("advice.weaker")


class Table:
    """A table to look at, and maybe to play at. `changed` is called whenever there is something new to show."""

    game: GameWords
    lang: str
    seat: int | None = None
    """Whose view this is; None: a spectator's."""
    view: View | None = None
    log: list[Line]
    curtain: str = ""
    """What to say before the next view is shown to another person at the same keyboard."""
    can: frozenset[str] = frozenset()
    prompt: str = "table.type_here"
    """The message in the empty line where moves are typed."""
    notice: str = ""
    """Something to tell once."""
    connection: str = ""
    """How the connection is, in a word."""
    activity: str = ""
    """What goes on beside the match, in a word or two."""
    lobby: Sequence[str] = ()
    """What to say where there is no view yet."""

    def __init__(self, game: GameWords, lang: str) -> None:
        self.game = game
        self.lang = lang
        self.log = []
        self.changed: Callable[[], None] = lambda: None

    def say(self, key: str, **params: Any) -> str:
        """A message of the terminal's own."""
        names = self.view["players"] if self.view else ()
        return say(self.lang, key, params, names)

    @property
    def is_mine(self) -> bool:
        """Whether the table waits for this seat."""
        return self.view is not None and self.seat is not None and self.view["actor"] == self.seat

    @property
    def status(self) -> str:
        """Whose turn it is, or what else the table waits for."""
        if self.view is None:
            return ""
        if self.view["over"]:
            return self.result()
        if self.is_mine:
            return self.say("table.your_turn", seat=self.seat)
        if self.view["legal"]:
            return self.say("table.step_in", seat=self.seat)
        return self.say("table.waiting", seat=self.view["actor"])

    def result(self) -> str:
        """Who won."""
        assert self.view is not None
        winners = [seat for seat, place in enumerate(self.view["places"]) if place == 1]
        return self.say("table.over", seats=winners, n=len(winners))

    def choices(self) -> list[Choice]:
        """What can be chosen now."""
        if self.view is None:
            return []
        shorten = self.game.catalogue(self.lang).shorten
        return [Choice(move["move"], shorten(move["label"])) for move in self.view["legal"]]

    async def run(self) -> None:
        """Keep the table going for as long as its screen is open."""

    async def play(self, text: str) -> None:
        """Play a move, or do what a choice says; `Refused` says why not."""
        raise Refused(self.say("table.only_watch"))

    def go_on(self) -> None:
        """Let the others go on at once."""

    def step(self, key: str, by: int) -> None:
        """Go through a record."""

    async def hint(self) -> list[Advice]:
        """The expert's advice, the best move first."""
        raise Refused(self.say("table.no_hint"))

    async def undo(self) -> None:
        """Take back one's last move."""
        raise Refused(self.say("table.no_undo"))

    async def speak(self, text: str) -> None:
        """Say something to everybody."""
        raise Refused(self.say("table.nobody_hears"))

    async def save(self, path: Path) -> None:
        """Write the match to a file."""
        raise Refused(self.say("table.no_save"))

    def another(self) -> Table | None:
        """A table for another match, if that is for this process to decide."""
        return None

    def leave(self) -> str:
        """What to tell on leaving the table."""
        return self.say("table.left")

    def set_language(self, lang: str) -> None:
        """Speak another language."""
        self.lang = lang
        self.changed()
