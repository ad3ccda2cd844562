"""What the expert would do with a seat's cards, and why: the same on the screens and at the prompt."""

from __future__ import annotations

from math import sqrt

from ludotheque.bots.bot import Thought
from ludotheque.bots.stand_in import player
from ludotheque.core.game import Game
from ludotheque.core.record import Buffer
from ludotheque.tui.table import Advice

ADVISER = "expert"
BUDGET = "700ms"
MOST = 3
"""How many moves are shown."""


class Adviser:
    """The expert at somebody's shoulder."""

    def __init__(self, game: Game, seed: int | str | None) -> None:
        self._game = game
        self._seed = seed

    def think(self, buf: Buffer, seat: int) -> Thought:
        """Think about what a seat sees; this takes a moment."""
        return player(self._game, ADVISER, f"{self._seed} hint").think(buf, seat, BUDGET)


def advice(thought: Thought, lang: str) -> list[Advice]:
    """What came of it: the move to play, then the next best."""
    found = [
        Advice(c.move, c.move.label(lang), c.win, _error(c.win, c.share * thought.iterations))
        for c in thought.candidates[:MOST]
    ]
    return found or [Advice(thought.move, thought.move.label(lang), -1)]


def _error(win: float, playouts: float) -> float:
    """The standard error of a chance to win, at most: a playout counts as a match won or lost, which it may not be.
    Where nothing was played out, the chance is exact.
    """
    if playouts == 0:
        return 0.0
    share = (win * playouts + 1) / (playouts + 2)  # a few wins in a row are no certainty
    return sqrt(share * (1 - share) / (playouts + 2))
