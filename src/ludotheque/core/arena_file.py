"""A saved arena: three lines of text (what this is, a digest, a header in JSON), then the arrays' bytes.

The digest is of all that follows it: damaged records would lead compiled code, which checks nothing, astray.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import registry
from ludotheque.core.errors import InvalidRecord

if TYPE_CHECKING:
    from ludotheque.core.arena import Arena
    from ludotheque.core.game import Game

_KIND = b"ludotheque arena"
_FORMAT = b"1"

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Saved:
    """What a file says."""

    game: Game
    players: int
    options: dict[str, Any]
    num_matches: int
    auto_reset: bool
    is_drawn: bool
    arrays: Arrays

    def check(self, wanted: Arrays) -> None:
        """Raises `InvalidRecord` unless the arrays are like those of such an arena, and all matches can be."""
        for name, array in wanted.items():
            found = self.arrays.get(name)
            if found is None or (found.shape, found.dtype) != (array.shape, array.dtype):
                raise InvalidRecord(f"the saved arena does not fit its game: {name} is missing or of another shape")
        for row, record in enumerate(self.arrays["records"]):
            if self.game.kernels.faults(record.copy()):
                raise InvalidRecord(f"the saved arena is damaged: match {row} cannot be")


def pack(arena: Arena, arrays: Arrays) -> bytes:
    """An arena as bytes."""
    header = {
        "game": arena.game.id,
        "rules_version": arena.game.info.rules_version,
        "players": arena.players,
        "options": arena.options.to_json(),
        "num_matches": arena.num_matches,
        "auto_reset": arena.auto_reset,
        "is_drawn": arena._is_drawn,
        "arrays": {name: [array.dtype.str, array.shape] for name, array in arrays.items()},
    }
    body = json.dumps(header).encode() + b"\n" + b"".join(array.tobytes() for array in arrays.values())
    return b"\n".join([_KIND + b" " + _FORMAT, _digest(body), body])


def unpack(content: bytes) -> Saved:
    """What `pack` was given; `InvalidRecord` says what is wrong with other bytes."""
    kind, _, rest = content.partition(b"\n")
    if not kind.startswith(_KIND + b" "):
        raise InvalidRecord("this is not a saved arena")
    if kind != _KIND + b" " + _FORMAT:
        raise InvalidRecord(f"the arena was saved in another format: {kind[:40].decode(errors='replace')!r}")
    digest, _, body = rest.partition(b"\n")
    if digest != _digest(body):
        raise InvalidRecord("the saved arena is damaged: it is not as it was written")
    try:
        return _parsed(body)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidRecord(f"the saved arena is not as arenas are saved: {error}") from None


def _parsed(body: bytes) -> Saved:
    first, _, data = body.partition(b"\n")
    header = json.loads(first)
    game = registry.load(header["game"])
    game.info.check_version(header["rules_version"])
    arrays, start = {}, 0
    for name, (kind_of, shape) in header["arrays"].items():
        dtype = np.dtype(kind_of)
        end = start + dtype.itemsize * int(np.prod(shape))
        arrays[name] = np.frombuffer(data[start:end], dtype).reshape(shape)
        start = end
    facts = {name: header[name] for name in ("players", "options", "num_matches", "auto_reset", "is_drawn")}
    return Saved(game, arrays=arrays, **facts)


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=16).hexdigest().encode()
