"""Views as JSON: what the game room sends to a seat or to spectators after every move.

Written by compiled code once a game is compiled for it, and by Python before that; the bytes are the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ludotheque.core import registry, warm
from ludotheque.core.errors import LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.jit import COMPILED, VIEW_TEMPLATES
from ludotheque.core.match import Match
from ludotheque.core.match_view import show_table
from ludotheque.core.record import NOBODY
from ludotheque.core.snapshot import Numbers, reader
from ludotheque.server.views.program import encode, make_program
from ludotheque.server.views.writer import TOO_SMALL, kernels, match_fields, scratch_dtype

SHOW = "show"
"""What is compiled for writing views."""
warm.PURPOSES.setdefault(SHOW, warm.Purpose((("write_view",),), VIEW_TEMPLATES, __name__, 1))

FIRST_SIZE = 1 << 13
"""Bytes of the first output array."""


class Look(NamedTuple):
    """What a seat or a spectator may know of a match now."""

    view: bytes
    """A JSON object: ply, round, actor, over, scores, places, table and legal."""
    events: list[Numbers]
    """The journal of the last move, or of the deal: kind, seat and three more numbers of each event."""
    record: bytes
    """The concealed record, from which a game's `event` tells them."""


class ViewWriter:
    """Writes views of a game, with buttons in one language. Threads may share it."""

    def __init__(self, game: Game, labels: Sequence[str]) -> None:
        self._game = game
        texts = game.moves.texts
        self._moves = [
            encode({"id": action, "move": texts[action], "label": label}) for action, label in enumerate(labels)
        ]
        self._compiled: _Compiled | None = None

    def write(self, match: Match, seat: int) -> Look:
        """What a seat, or with `NOBODY` a spectator, may know of a match now."""
        if match.game is not self._game or not NOBODY <= seat < match.num_seats:
            raise LudothequeError(f"{match!r} has no view of {self._game.id} for seat {seat}")
        if self._compiled is None and is_ready(self._game):
            self._compiled = _Compiled(self._game, self._moves)
        if self._compiled is None:
            return self._write_interpreted(match, seat)
        return self._compiled.write(match, seat)

    def _write_interpreted(self, match: Match, seat: int) -> Look:
        record = match.concealed(None if seat == NOBODY else seat).tobytes()
        s = reader(self._game).read(record)
        scores, places = match.result()
        view = encode(
            {
                "ply": len(match.moves),
                "round": s.round_no,
                "actor": None if match.over else match.actor,
                "over": match.over,
                "scores": scores,
                "places": places,
                "table": show_table(self._game, s, seat),
            }
        )
        moves = [] if seat == NOBODY else [self._moves[action] for action in match.legal_ids(seat)]
        legal = b',"legal":[%b]}' % b",".join(moves)
        return Look(view[:-1] + legal, reader(self._game).journal(record), record)


class _Compiled:
    """The entry of `writer.py`, with the memory it works in."""

    def __init__(self, game: Game, moves: Sequence[bytes]) -> None:
        self._game = game
        self._write = kernels(game).write_view
        self._program = make_program(match_fields(game), moves)
        dtype = scratch_dtype(game)
        self._scratch = np.zeros(dtype.itemsize, np.uint8)
        assert dtype.fields is not None
        self._record = self._scratch.data[dtype.fields["record"][1] :]
        self._journal = reader(game).journal
        self._lock = threading.Lock()
        self._make_room(FIRST_SIZE)

    def _make_room(self, size: int) -> None:
        self._out = np.zeros(size, np.uint8)
        self._written = self._out.data

    def write(self, match: Match, seat: int) -> Look:
        """See `ViewWriter.write`."""
        with self._lock:
            while True:
                given = match.buffer, seat, len(match.moves)
                size = self._write(*given, *self._program, self._scratch, self._out)
                if size >= 0:
                    view, record = bytes(self._written[:size]), bytes(self._record)
                    break
                if size != TOO_SMALL:
                    raise LudothequeError(f"a view of {self._game.id} is not as it is declared")
                self._make_room(2 * len(self._out))
        return Look(view, self._journal(record), record)


def is_ready(game: Game) -> bool:
    """Whether views of a game can be written by compiled code: it has been compiled for that."""
    return COMPILED and warm.is_warm(game.id, SHOW)


def load(game: Game) -> None:
    """Read the compiled entry into this process, or compile it."""
    _Compiled(game, [b""] * game.info.num_actions).write(game.new(seed=0), 0)


def compile_entries(game_id: str, names: Sequence[str], done: Callable[[], None]) -> None:
    """Compile the entry for a game in this process, by calling it once; that puts it into the cache too."""
    load(registry.load(game_id))
    for _ in names:
        done()
