"""What the expert would do with a seat's cards, and why: the same on the screens and at the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludotheque.bots.advice import advise, why
from ludotheque.bots.bot import Thought
from ludotheque.bots.stand_in import player
from ludotheque.core.game import Game
from ludotheque.core.record import Buffer
from ludotheque.tui.table import Advice, verdict

ADVISER = "expert"
BUDGET = "700ms"


class Adviser:
    """The expert at somebody's shoulder."""

    def __init__(self, game: Game, seed: int | str | None) -> None:
        self._game = game
        self._seed = seed

    def think(self, buf: Buffer, seat: int) -> Thought:
        """Think about what a seat sees; this takes a moment."""
        return player(self._game, ADVISER, f"{self._seed} hint").think(buf, seat, BUDGET)

    def advice(self, buf: Buffer, seat: int, thought: Thought, names: Sequence[str], lang: str) -> list[Advice]:
        """What came of it: the move to play and why, then the next best."""
        told = advise(thought)
        reason = why(self._game, buf, seat, thought.move, names, lang)
        said = [verdict(one.win, one.is_equal, one is told[0], lang) for one in told]
        first, *others = (Advice(one.move, one.move.label(lang), text) for one, text in zip(told, said, strict=True))
        return [replace(first, reason=reason), *others]
