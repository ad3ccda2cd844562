"""The random bot: any legal move is as good as another."""

from __future__ import annotations

import random

import numpy as np

from ludotheque.core.game import Game
from ludotheque.core.record import Buffer


class RandomBot:
    """Plays uniformly at random among the legal moves. The same seed makes the same choices."""

    def __init__(self, game: Game, seed: int | str | None = None) -> None:
        self.game = game
        self._random = random.Random(seed)
        self._ids = np.empty(game.info.num_actions, np.int16)

    def choose(self, concealed: Buffer, seat: int) -> int:
        """An action id for a seat that is at turn, from the record concealed for it."""
        count = self.game.kernels.moves(concealed, seat, self._ids)
        return int(self._ids[self._random.randrange(count)])

    def unasked(self, concealed: Buffer, seat: int) -> int | None:
        """A move out of turn that any player would make, such as taking the card due; None if there is none."""
        count = self.game.kernels.moves(concealed, seat, self._ids)
        wanted = getattr(self.game.views, "UNASKED", ())
        found = [int(a) for a in self._ids[:count] if self.game.moves.texts[a] in wanted]
        return found[0] if found else None
