"""What leaves for a seat or a spectator: the same view as `Match.view`, built some ten times faster.

A match is shown after every move to everybody at the table, so this is where the room spends its time. The record is
read in one go instead of field by field, labels of moves are encoded once per game and language, and sentences that
two viewers share are said once.
"""

from __future__ import annotations

import string
import struct
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import prod
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ludotheque.core.game import Game
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY, Buffer
from ludotheque.core.texts import _SEATS, Catalogue

encode = msgspec.json.Encoder().encode

Seen = list[dict[str, Any]]
"""What a viewer saw of one move: the game's events, each with its sentence."""

_SECRET = ("key", "block")
"""Fields of chance, which a concealed record has empty: not even read."""


class Grid:
    """An array field with rows: `grid[i]` is a row, `grid[i, j]` a number."""

    __slots__ = ("_columns", "_values")

    def __init__(self, values: tuple[int, ...], columns: int) -> None:
        self._values = values
        self._columns = columns

    def __getitem__(self, index: Any) -> Any:
        if type(index) is tuple:
            return self._values[index[0] * self._columns + index[1]]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._values[index * self._columns : (index + 1) * self._columns]

    def __len__(self) -> int:
        return len(self._values) // self._columns

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (self[row] for row in range(len(self)))


class Reader:
    """Reads whole records of one game at once."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        layout = "<"
        names, places = [], []
        self._grids: list[tuple[int, int]] = []
        place = 0
        assert dtype.names is not None
        for name in dtype.names:
            field = dtype[name]
            if name in _SECRET:
                layout += f"{field.itemsize}x"
                continue
            count = prod(field.shape)
            layout += f"{count}{field.base.char}" if field.base.char != "l" else f"{count}q"
            names.append(name)
            places.append(slice(place, place + count) if field.shape else place)
            if len(field.shape) == 2:
                self._grids.append((len(names) - 1, field.shape[1]))
            assert len(field.shape) <= 2
            place += count
        snapshot: Any = namedtuple("Snapshot", names)  # type: ignore[misc]  # the fields of the game's record
        self._make = snapshot._make
        self._pick: Callable[[tuple[Any, ...]], tuple[Any, ...]] = itemgetter(*places)
        self._unpack: Callable[[Any], tuple[Any, ...]] = struct.Struct(layout).unpack
        assert struct.calcsize(layout) == dtype.itemsize

    def read(self, buf: Buffer) -> Any:
        """The record in a buffer: fields are numbers, tuples and grids."""
        values = list(self._pick(self._unpack(buf)))
        for place, columns in self._grids:
            values[place] = Grid(values[place], columns)
        return self._make(values)


class Phrases(Catalogue):
    """A game's messages with every template taken apart once."""

    def __init__(self, folder: Path, lang: str) -> None:
        super().__init__(folder, lang)
        self._found: dict[str, Any] = {}
        self._parts: dict[str, list[tuple[str, str | None, str]]] = {}

    def find(self, key: str) -> Any:
        """The entry under a dotted key, or None."""
        try:
            return self._found[key]
        except KeyError:
            return self._found.setdefault(key, super().find(key))

    def say(self, key: str, params: Mapping[str, Any] | None = None, names: Sequence[str] = ()) -> str:
        """The message under a key, filled with `params`; seats become names."""
        params = params or {}
        entry = self.find(key)
        if isinstance(entry, dict):
            entry = entry.get(self._variant(entry, params))
        parts = self._parts.get(entry) if isinstance(entry, str) else None
        if parts is None:
            text = super().say(key, params, names)  # also says what is missing
            self._parts[entry] = [(lit, hole, table or hole or "") for lit, hole, table, _ in _PARSER.parse(entry)]
            return text
        said = ""
        for literal, hole, table in parts:
            said += literal
            if hole is None:
                continue
            seat = _SEATS.get(hole)
            if seat is not None and seat in params:
                said += self._name(params[seat], names)
            else:
                value = params[hole]
                said += value if type(value) is str and self.find(f"words.{table}") is None else self.word(table, value)
        return said


_PARSER = string.Formatter()


class Lens:
    """How a game is shown in one language. Get one with `lens`."""

    def __init__(self, game: Game, lang: str) -> None:
        self.game = game
        self.lang = lang
        self._read = Reader(game.info.state).read
        self._words = Phrases(game.texts, lang)
        self._labels: dict[int, bytes] = {}

    def look(self, match: Match, seat: int | None) -> Any:
        """What a viewer may know of the match now."""
        return self._read(match.concealed(seat))

    def table(self, record: Any, seat: int | None) -> dict[str, Any]:
        """The table as the viewer sees it."""
        shown: dict[str, Any] = self.game.views.table(record, NOBODY if seat is None else seat)
        return shown

    def seen(self, match: Match, record: Any, seat: int | None, said: Seen) -> Seen:
        """What the viewer saw of the last move. `said` has what others saw of it, so that nothing is said twice."""
        viewer = NOBODY if seat is None else seat
        result = []
        event, localise, words = self.game.views.event, self.game.views.localise, self._words
        kinds, seats, args = record.event_kind, record.event_seat, record.event_args
        for i in range(record.num_events):
            told = event(record, viewer, kinds[i], seats[i], *args[i])
            if i < len(said) and told.items() <= said[i].items():
                told["text"] = said[i]["text"]
            else:
                params = localise(told, words, match.options)
                told["text"] = words.say(f"events.{told['type']}", params, match.names)
            result.append(told)
        return result

    def legal(self, match: Match, seat: int | None) -> msgspec.Raw:
        """The legal moves of a seat with their labels, as JSON."""
        if seat is None or match.over:
            return msgspec.Raw(b"[]")
        labels = self._labels
        parts = []
        for action in match.legal_ids(seat):
            part = labels.get(action)
            if part is None:
                part = labels[action] = self._label(action)
            parts.append(part)
        return msgspec.Raw(b"[" + b",".join(parts) + b"]")

    def label(self, action: int) -> str:
        """What a button for a move says."""
        key, params = self.game.views.label(action)
        return self._words.say(f"moves.{key}", params)

    def _label(self, action: int) -> bytes:
        return encode({"id": action, "move": self.game.moves.texts[action], "label": self.label(action)})


@cache
def lens(game: Game, lang: str) -> Lens:
    """The lens of a game in a language; made once."""
    return Lens(game, lang)


class Eye:
    """One viewer of one match in one language: makes the view after every move."""

    __slots__ = ("_lens", "_rounds", "seat")

    def __init__(self, match: Match, seat: int | None, lang: str, fresh: bool = False) -> None:
        self._lens = lens(match.game, lang)
        self.seat = seat
        # On a copy: a match remembers what it was asked to tell, and tables are many.
        self._rounds = [] if fresh else [encode(event) for event in match.copy().rounds(seat)]

    def seen(self, match: Match) -> Seen:
        """What the viewer saw of the last move, or of the deal."""
        return self._lens.seen(match, self._lens.look(match, self.seat), self.seat, [])

    def view(self, match: Match, result: tuple[Sequence[int], Sequence[int]]) -> dict[str, Any]:
        """The view now. `result` is scores and places, which all viewers share."""
        return self._view(match, self._lens.look(match, self.seat), result)

    def after_move(
        self, match: Match, result: tuple[Sequence[int], Sequence[int]], said: Seen
    ) -> tuple[Seen, dict[str, Any]]:
        """What the viewer saw of the last move, and the view after it. To be called once for every move."""
        record = self._lens.look(match, self.seat)
        seen = self._lens.seen(match, record, self.seat, said)
        for event in seen:
            if event["type"] == "round_end":
                self._rounds.append(encode({key: value for key, value in event.items() if key != "text"}))
        return seen, self._view(match, record, result)

    def _view(self, match: Match, record: Any, result: tuple[Sequence[int], Sequence[int]]) -> dict[str, Any]:
        return {
            "ply": len(match.moves),
            "round": record.round_no,
            "actor": record.actor if record.actor != NOBODY else None,
            "over": bool(record.over),
            "scores": result[0],
            "places": result[1],
            "rounds": msgspec.Raw(b"[" + b",".join(self._rounds) + b"]"),
            "table": self._lens.table(record, self.seat),
            "legal": self._lens.legal(match, self.seat),
        }


def history(match: Match, seat: int | None, lang: str) -> list[Seen]:
    """Everything a viewer saw: the deal, then every move."""
    past = match.copy()
    return [[{**event, "text": past.sentence(event, lang)} for event in step] for step in past.events(seat)]
