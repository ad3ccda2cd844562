"""A record on the table: step through it, as any seat saw it."""

from __future__ import annotations

from pathlib import Path

from ludotheque.core.match import Match
from ludotheque.core.words import game_words
from ludotheque.tui.prompt import save_match
from ludotheque.tui.table import SAVE, STEP, Choice, Line, Refused, Table


class ReplayTable(Table):
    """A match that was played, at some moment of it."""

    can = frozenset({STEP, SAVE})
    prompt = "table.jump"

    def __init__(self, match: Match, lang: str, seat: int | None = None) -> None:
        super().__init__(game_words(match.game.id), lang)
        self.match = match
        self.seat = seat
        self.ply = 0
        self._show()

    def _show(self) -> None:
        past = self.match.at(self.ply)
        self.view = past.view(self.seat, self.lang)
        self.view["legal"] = []
        self.log = [
            Line(past.sentence(event, self.lang), "end" if event["type"] in ("round_end", "match_end") else "")
            for step in past.events(self.seat)
            for event in step
        ]
        self.changed()

    def choices(self) -> list[Choice]:
        """Nothing: what was played is played."""
        return []

    @property
    def status(self) -> str:
        """Where in the record this is, and whose eyes one looks through."""
        if self.seat is None:
            eyes = self.say("replay.spectator")
        else:
            eyes = self.say("replay.seat", seat=self.seat)
        moment = self.say("replay.moment", ply=self.ply, total=len(self.match.moves))
        if self.ply == len(self.match.moves) and self.match.over:
            return f"{moment}  {self.result()}"
        return f"{moment}  {eyes}"

    def step(self, key: str, by: int) -> None:
        """Back and forth, or through the seats' eyes."""
        if "tab" in key:
            seats = [None, *range(self.match.num_seats)]
            self.seat = seats[(seats.index(self.seat) + (1 if by > 0 else -1)) % len(seats)]
        else:
            self.ply = max(0, min(self.ply + by, len(self.match.moves)))
        self._show()

    def go_on(self) -> None:
        """The next move."""
        self.step("right", 1)

    async def play(self, text: str) -> None:
        """A number goes to that moment."""
        if not (text.isascii() and text.isdecimal()) or int(text) > len(self.match.moves):
            raise Refused(self.say("replay.number", total=len(self.match.moves)))
        self.ply = int(text)
        self._show()

    async def save(self, path: Path) -> None:
        """Write the record once more."""
        save_match(path, self.match, {})

    def set_language(self, lang: str) -> None:
        """Tell it in another language."""
        self.lang = lang
        self._show()
