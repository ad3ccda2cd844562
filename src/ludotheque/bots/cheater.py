"""The cheater: it sees all hands and the order of the deck. It shows how far luck goes; no table offers it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ludotheque.bots import searches as templates
from ludotheque.bots.bot import Bot, Table
from ludotheque.core.errors import InvalidMove
from ludotheque.core.game import Game
from ludotheque.core.record import Buffer


@runtime_checkable
class OpenTable(Protocol):
    """A table that shows everything."""

    @property
    def game(self) -> Game:
        """What is played there."""

    def to_bytes(self) -> bytes:
        """The whole record."""


class Cheater(Bot):
    """Searches the one true world, all cards and dice to come included."""

    def _concealed(self, table: Table | Buffer, seat: int) -> Buffer:
        if not isinstance(table, OpenTable):
            raise InvalidMove("the cheater wants the match itself")
        self._check_game(table.game)
        return np.frombuffer(table.to_bytes(), np.uint8).copy()

    def _limits(self) -> npt.NDArray[np.int64]:
        limits = super()._limits()
        limits[templates.PEEK] = 1
        return limits
