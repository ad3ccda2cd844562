"""The cheater: it sees all hands and the order of the deck. It shows how far luck goes; no table offers it."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ludotheque.bots import kernels as templates
from ludotheque.bots.bot import Bot, Table
from ludotheque.core.errors import InvalidMove
from ludotheque.core.game import Game
from ludotheque.core.ladder import EXACT, FLAT, Level
from ludotheque.core.record import Buffer


@runtime_checkable
class OpenTable(Protocol):
    """A table that shows everything."""

    def to_bytes(self) -> bytes:
        """The whole record."""


class Cheater(Bot):
    """The expert's search in the one true world."""

    def __init__(self, game: Game, name: str, level: Level, seed: int | str | None = None) -> None:
        way = FLAT if level.way == EXACT else level.way
        super().__init__(game, name, replace(level, way=way, rounds=1 if way == FLAT else level.rounds), seed)

    def _concealed(self, table: Table | Buffer, seat: int) -> Buffer:
        if not isinstance(table, OpenTable):
            raise InvalidMove("the cheater wants the match itself")
        return np.frombuffer(table.to_bytes(), np.uint8).copy()

    def _limits(self) -> npt.NDArray[np.int64]:
        limits = super()._limits()
        limits[templates.PEEK] = 1
        return limits
