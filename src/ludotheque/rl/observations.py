"""What a seat sees, as numbers: the named pieces of an observation, their ranges, and how they are scaled.

The engine writes an observation as int16 numbers. `Encoder` makes of them what networks like: float32, each piece
divided by its divisor, or int8, each divided by its step. A piece that is not open lies within its range always; an
open one (a score, the number of a round) lies mostly between -1 and 1 as float32 and is cut off as int8.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import registry
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.game import Game
from ludotheque.core.record import Buffer

KINDS = ("float32", "int16", "int8")
"""How observations come: scaled, as the engine writes them, small."""

_LEAST, _MOST = -32768, 32767
_SMALL = 127


@dataclass(frozen=True)
class Plane:
    """A piece of an observation, where it lies and how it is scaled.

    Examples:
        >>> from ludotheque.rl.observations import layout
        >>> hand = layout("lobo77")[0]
        >>> hand.name, hand.cells, hand.low, hand.high
        ('hand', slice(0, 20, None), 0, 5)
    """

    name: str
    start: int
    size: int
    meaning: str
    low: int
    high: int
    """Its numbers never leave these."""
    divisor: int
    """What float32 divides by."""
    is_open: bool
    """Whether numbers may be larger than the divisor."""

    @property
    def step(self) -> int:
        """What int8 divides by."""
        return -(-self.divisor // _SMALL)

    @property
    def cells(self) -> slice:
        """Where it lies in an observation."""
        return slice(self.start, self.start + self.size)


def _ranges(game: Game) -> dict[str, Any]:
    """What the game's `ranges.toml` says, if it has one: `[low, high]` by piece, or `{ usual = n }`."""
    file = game.folder / "ranges.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


@cache
def layout(game_id: str) -> tuple[Plane, ...]:
    """The planes of a game's observation. A piece nobody has named a range for is open and not scaled.

    Args:
        game_id: The id of the game.

    Returns:
        The planes in the order in which they lie in an observation.

    Raises:
        UnknownGame: If there is no such game.

    Examples:
        >>> from ludotheque.rl.observations import layout
        >>> [plane.name for plane in layout("lobo77")][:3]
        ['hand', 'played', 'shuffled']
    """
    game = registry.load(game_id)
    known = _ranges(game)
    planes: list[Plane] = []
    start = 0
    for piece in game.info.observation:
        given = known.get(piece.name, {"usual": 1})
        if isinstance(given, list):
            low, high = given
            divisor, is_open = max(abs(low), abs(high)), False
        else:
            low, high, divisor, is_open = _LEAST, _MOST, given["usual"], True
        planes.append(Plane(piece.name, start, piece.size, piece.meaning, low, high, divisor, is_open))
        start += piece.size
    return tuple(planes)


class Encoder:
    """Makes float32, int16 or int8 observations of a game out of the engine's.

    Args:
        game: The game, or its id.
        kind: `float32`: each piece divided by its divisor; `int16`: as they are; `int8`: each divided by its step.

    Raises:
        UnknownGame: If there is no such game.
        InvalidOptions: If there is no such kind.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.rl.observations import Encoder
        >>> arena = ludotheque.game("lobo77").arena(2, players=3, seed=1)
        >>> encoder = Encoder("lobo77", "float32")
        >>> pieces = encoder.split(encoder.encode(arena.observe(arena.actors)))
        >>> pieces["hand"].shape, pieces["total"].tolist()
        ((2, 20), [[0.0], [0.0]])
    """

    def __init__(self, game: str | Game, kind: str = "float32") -> None:
        if kind not in KINDS:
            raise InvalidOptions(f"observations are {', '.join(KINDS)}, not {kind!r:.40}")
        self.game = registry.load(game) if isinstance(game, str) else game
        self.kind = kind
        self.planes = layout(self.game.id)
        self.size = self.game.info.observation_size
        """How many numbers an observation has."""
        self.dtype: np.dtype[Any] = np.dtype(kind)
        sizes = [plane.size for plane in self.planes]
        self._factors = np.repeat([np.float32(1 / plane.divisor) for plane in self.planes], sizes)
        steps = np.repeat([plane.step for plane in self.planes], sizes)
        may_overflow = np.repeat([plane.is_open or plane.step > 1 for plane in self.planes], sizes)
        self._wide = np.flatnonzero(may_overflow)
        self._steps = steps[self._wide]
        ends = np.repeat([[plane.low, plane.high] for plane in self.planes], sizes, axis=0).astype(np.int16)
        self.low, self.high = (self.encode(np.ascontiguousarray(column)) for column in ends.T)
        """The least and the largest observation there can be, number by number."""

    def __eq__(self, other: object) -> bool:
        """The same observations of the same game."""
        if not isinstance(other, Encoder):
            return NotImplemented
        return (self.game, self.kind) == (other.game, other.kind)

    def __hash__(self) -> int:
        return hash((self.game, self.kind))

    def encode(self, raw: npt.NDArray[np.int16], out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Observations of this kind, from one or many of the engine's; into `out` if given."""
        if out is None:
            out = np.empty(raw.shape, self.dtype)
        if self.kind == "float32":
            np.multiply(raw, self._factors, out=out)
        elif self.kind == "int16":
            np.copyto(out, raw)
        else:
            np.copyto(out, raw, casting="unsafe")
            if self._wide.size:
                small = np.trunc(raw[..., self._wide] / self._steps)
                out[..., self._wide] = np.clip(small, -_SMALL, _SMALL)
        return out

    def observe(self, record: Buffer, seat: int) -> npt.NDArray[Any]:
        """What a seat sees in a record, such as a bot from outside is given: what it saw as a learner."""
        raw = np.zeros(self.size, np.int16)
        self.game.kernels.watch(record, seat, raw)
        return self.encode(raw)

    def split(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The pieces of an observation, or of many, by name; views, not copies."""
        if observation.shape[-1:] != (self.size,):
            raise InvalidOptions(f"an observation has {self.size} numbers, not {observation.shape[-1:]}")
        return {plane.name: observation[..., plane.cells] for plane in self.planes}
