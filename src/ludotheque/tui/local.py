"""A match in this process: people at this keyboard, and bots that think in threads."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from ludotheque.bots.bot import Bot
from ludotheque.bots.stand_in import player
from ludotheque.core import background, cache
from ludotheque.core.errors import IllegalMove, InvalidMove, LudothequeError, MatchOver
from ludotheque.core.match import Match
from ludotheque.core.texts import error_text
from ludotheque.core.words import game_words
from ludotheque.tui.advice import Adviser
from ludotheque.tui.prompt import save_match
from ludotheque.tui.saves import free_name, saves
from ludotheque.tui.table import AGAIN, HINT, SAVE, UNDO, Advice, Choice, Line, Refused, Table

STEP_IN_SECONDS = 4.0
"""How long bots wait for somebody who may step in out of turn."""


class LocalTable(Table):
    """A match against bots, or of several people at one keyboard."""

    def __init__(
        self,
        match: Match,
        bots: Mapping[int, str],
        lang: str,
        seed: int | str | None = None,
        pace: float = 0.6,
        keep: bool = True,
    ) -> None:
        super().__init__(game_words(match.game.id), lang)
        self.match = match
        self.levels = dict(bots)
        self.pace = pace
        """Seconds between the moves of bots, so that one can follow."""
        self._seed = secrets.token_hex(8) if seed is None else seed
        self._adviser = Adviser(match.game, self._seed)
        self._wake = asyncio.Event()
        self._changes = 0
        """How often the match has changed: a thought about an older one is thrown away."""
        self._told: list[list[Line]] = []
        self._told_for: tuple[str, int | None] = ("", None)
        self._file = free_name(saves(), match.game.id, datetime.now()) if keep else None
        self._keeps = keep
        self.people = [seat for seat in range(match.num_seats) if seat not in self.levels]
        self._viewer = self.people[0] if self.people else None
        self._shown_to = self._viewer
        self.notice = "\n".join(error_text(error, lang) for error in cache.complaints)
        self._refresh()

    def _refresh(self) -> None:
        """Look at the match anew."""
        if self.match.actor in self.people and self.match.actor != self._viewer:
            self._viewer = self.match.actor
        self.seat = self._viewer
        hidden = len(self.people) > 1 and self._viewer != self._shown_to and not self.match.over
        self.view = self.match.view(self.seat, self.lang)
        if self.match.over:
            self.view["legal"] = []
        self.curtain = self.say("table.curtain", seat=self._viewer) if hidden else ""
        self._tell()
        undo = {UNDO} if len(self.people) == 1 else set()
        playing = {HINT, *undo} if self.people and not self.match.over else undo
        self.can = frozenset({SAVE, *playing, *({AGAIN} if self.match.over else set())})
        self.changed()

    def _tell(self) -> None:
        """The log, with what is new at its end."""
        told_for = self.lang, self.seat
        steps = self.match.events(self.seat)
        if told_for != self._told_for or len(self._told) > len(steps):
            self._told, self._told_for = [], told_for
        for step in steps[len(self._told) :]:
            self._told.append([Line(self.match.sentence(event, self.lang), _kind(event["type"])) for event in step])
        self.log = [line for step in self._told for line in step]

    def lift(self) -> None:
        """The next person sits at the keyboard."""
        self._shown_to = self._viewer
        self._refresh()

    def choices(self) -> list[Choice]:
        """The legal moves; after the match, what can be done next."""
        if self.curtain:
            return [Choice("ok", self.say("table.lift"))]
        if self.match.over:
            return [Choice(word, self.say(f"table.{word}")) for word in ("again", "scores", "save", "quit")]
        return super().choices()

    @property
    def status(self) -> str:
        """Whose turn it is, or who is thinking."""
        if self.curtain:
            return self.curtain
        if self.match.actor in self.levels and not (self.view and self.view["legal"]):
            return self.say("table.thinking", seat=self.match.actor)
        return super().status

    async def run(self) -> None:
        """Let bots move until the match is over; people move by `play`."""
        ticking = asyncio.create_task(self._show_compiling())
        try:
            while True:
                changes = self._changes
                if self.match.over or not await self._let_bots_move():
                    self._wake.clear()
                    if self._changes == changes:
                        await self._wake.wait()
        finally:
            ticking.cancel()
            self._changes += 1  # let bots that still think in a thread stop

    async def _show_compiling(self) -> None:
        """Say every second that the game is being compiled, until it is."""
        seconds = 0
        while background.is_pending(self.match.game.id):
            self.activity = self.say("table.compiling", seconds=seconds)
            self.changed()
            await asyncio.sleep(1)
            seconds += 1
        if self.activity:
            self.activity = ""
            self.changed()

    async def _let_bots_move(self) -> bool:
        """A bot's move, if one is due; True if the match went on."""
        changes = self._changes

        def stop() -> bool:
            return self._changes != changes

        for seat in self.match.movers():
            if seat != self.match.actor and seat in self.levels:
                bot = await self._bot(seat)
                move = None if stop() else bot.unasked(self.match.concealed(seat), seat)
                if move is not None:
                    self._do(move, seat)
                if stop():
                    return True
        actor = self.match.actor
        if actor not in self.levels:
            return False
        bot = await self._bot(actor)
        if stop():
            return True
        steps_in = any(seat in self.people for seat in self.match.movers())
        began = asyncio.get_running_loop().time()
        buf = self.match.concealed(actor)
        chosen = await asyncio.to_thread(bot.choose, buf, actor, None, stop)
        pace = max(self.pace, STEP_IN_SECONDS if steps_in and self.pace else 0)
        rest = pace - (asyncio.get_running_loop().time() - began)
        if rest > 0 and not stop():
            self._wake.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), rest)
        if not stop():
            self._do(chosen, actor)
        return True

    async def _bot(self, seat: int) -> Bot:
        return await asyncio.to_thread(player, self.match.game, self.levels[seat], f"{self._seed} {seat}")

    def _do(self, move: str, seat: int | None) -> None:
        self.match.play(move, seat)
        self._changes += 1
        self._refresh()

    async def play(self, text: str) -> None:
        """Play for the person at the keyboard; a name before it plays for another: `Ann: draw`."""
        if self.curtain:
            self.lift()
            return
        if self.match.over:
            raise Refused(self.say("errors.over"))
        who, colon, move = text.partition(":")
        names = [name.lower() for name in self.match.names]
        seat = self.seat
        if colon and who.strip().lower() in names:
            seat, text = names.index(who.strip().lower()), move.strip()
        if seat is None:
            raise Refused(self.say("table.only_watch"))
        if seat in self.levels:
            raise Refused(self.say("prompt.not_your_seat", other=seat))
        try:
            self._do(text, seat)
        except IllegalMove as error:
            raise Refused(self.match.refusal_text(error, self.lang) if error.key else str(error)) from None
        except InvalidMove:
            raise Refused(self.say("table.not_understood", text=f"{text:.30}")) from None
        except MatchOver:
            raise Refused(self.say("errors.over")) from None
        self._keep()
        self._wake.set()

    def go_on(self) -> None:
        """Stop waiting for those who may step in, and between moves."""
        self._wake.set()

    async def hint(self) -> list[Advice]:
        """What the expert would do with these cards."""
        if self.curtain or self.seat is None or not self.match.legal_ids(self.seat) or self.match.over:
            raise Refused(self.say("table.no_hint"))
        seat, changes, buf = self.seat, self._changes, self.match.concealed(self.seat)
        thought = await asyncio.to_thread(self._adviser.think, buf, seat)
        if self._changes != changes:
            raise Refused(self.say("table.no_hint"))
        return self._adviser.advice(buf, seat, thought, self.match.names, self.lang)

    async def undo(self) -> None:
        """Back to before one's own last move."""
        if len(self.people) != 1:
            raise Refused(self.say("prompt.undo_alone"))
        own = [number for number, (who, _) in enumerate(self.match.moves) if who == self.people[0]]
        if not own:
            raise Refused(self.say("prompt.undo_nothing"))
        self.match.undo(len(self.match.moves) - own[-1])
        self._changes += 1
        self._told_for = ("", None)
        self._refresh()
        self._keep()
        self._wake.set()

    async def save(self, path: Path) -> None:
        """Write the match to a file to go on with, or to replay."""
        save_match(path, self.match, self.levels)

    def _keep(self) -> None:
        """Keep the match in the player's own folder, so that nothing is lost if the terminal is."""
        if self._file is None:
            return
        try:
            self.notice = ""
            if self.match.over:
                self._file.unlink(missing_ok=True)
            else:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                save_match(self._file, self.match, self.levels)
        except (LudothequeError, OSError) as error:
            self.notice = self.say("table.not_kept", reason=str(error))
            self._file = None

    def leave(self) -> str:
        """Say how to go on with the match."""
        if self._file is None or self.match.over or not self._file.exists():
            return self.say("table.left")
        return self.say("table.left_kept", file=str(self._file))

    def resume_in(self, path: Path) -> None:
        """Go on keeping a match in the file it was resumed from, if that is one of those kept by themselves."""
        if self._keeps and path.resolve().parent == saves().resolve():
            self._file = path

    def another(self) -> LocalTable:
        """Another match with the same people, bots and options."""
        options: dict[str, Any] = {name: self.match.options[name] for name in self.match.options}
        match = self.match.game.new(self.match.names, **options)
        return LocalTable(match, self.levels, self.lang, None, self.pace, self._keeps)

    def set_language(self, lang: str) -> None:
        """Speak another language: labels, log and all."""
        self.lang = lang
        self._refresh()


def _kind(event: str) -> str:
    return "end" if event in ("round_end", "match_end") else ""
