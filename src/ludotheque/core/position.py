"""Positions as JSON, both ways: the part all games share. What is on the table is each game's own `notation.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ludotheque.core.chance import key_from_seed, script, set_key
from ludotheque.core.errors import InvalidOptions, InvalidPosition
from ludotheque.core.jit import plain
from ludotheque.core.match import Match, check_names
from ludotheque.core.record import Record

if TYPE_CHECKING:
    from ludotheque.core.game import Game

SHARED_KEYS = frozenset({"game", "players", "options", "chance", "ply", "table"})


def write_position(match: Match) -> dict[str, Any]:
    """The whole position of a match."""
    s = match.state
    return {
        "game": match.game.id,
        "players": list(match.names),
        "options": match.options.to_json(),
        "ply": s.ply,
        "table": match.game.notation.format_position(s),
        "chance": {
            "key": np.array(s.key.tolist(), dtype="<u4").tobytes().hex(),
            "counter": s.counter,
            "cursor": s.cursor,
            "block": np.array(s.block.tolist(), dtype="<u4").tobytes().hex(),
        },
    }


def read_position(game: Game, data: Mapping[str, Any]) -> Match:
    """A match in the position described. Only `table` must be there; the rest has defaults.

    `chance` may give the generator's exact state, or a `seed`, or `draws`: pairs (value, n) that the next draws
    below n shall give, for stories.
    """
    check = Fields(data, "position")
    check.only(SHARED_KEYS)
    if check.get("game", str, game.id) != game.id:
        raise InvalidPosition(f"this is a position of {data['game']!r}, not of {game.id}")
    players = data.get("players", game.info.min_seats)
    if not isinstance(players, int) and not (isinstance(players, list) and players):
        raise InvalidPosition("players is their number or the list of their names")
    try:
        names = check_names(players)
        options = game.options(len(names), check.get("options", dict, {}))
    except InvalidOptions as error:
        raise InvalidPosition(str(error)) from None
    buf = np.zeros(game.info.state.itemsize, np.uint8)
    game.kernels.start(buf, key_from_seed("position"), len(names), options.codes)
    s = game.read(buf)
    s.num_events = 0
    try:
        game.notation.parse_position(Fields(check.get("table", dict), "table"), s)
        s.ply = check.number("ply", 0, 2**31 - 1, 0)
        _read_chance(Fields(check.get("chance", dict, {}), "chance"), s)
    except InvalidOptions as error:
        raise InvalidPosition(str(error)) from None
    except (OverflowError, ValueError, TypeError, KeyError, IndexError) as error:
        raise InvalidPosition(f"not a position of {game.id}: {error}") from None
    _clear_journal(s)
    faults = game.kernels.faults(buf)
    if faults:
        reasons = [text for bit, text in game.rules.FAULTS.items() if faults & bit]
        raise InvalidPosition("impossible position: " + "; ".join(reasons))
    return Match(game, names, options, buf, None)


def _clear_journal(s: Record) -> None:
    s.num_events = 0
    s.event_kind[:] = 0
    s.event_seat[:] = 0
    s.event_args[:] = 0


def _read_chance(check: Fields, s: Record) -> None:
    check.only({"key", "counter", "cursor", "block", "seed", "draws"})
    data = check.data
    plain(set_key)(s, key_from_seed(data.get("seed", "position")))
    if "key" in data:
        s.key[:] = np.frombuffer(check.hexadecimal("key", 32), "<u4")
        s.block[:] = np.frombuffer(check.hexadecimal("block", 64), "<u4")
        s.counter = check.number("counter", 0, 2**62)
        s.cursor = check.number("cursor", 0, 16)
    if "draws" in data:
        script(s, [(int(value), int(n)) for value, n in check.get("draws", list)])


class Fields:
    """A JSON object that is read with care: every miss is an `InvalidPosition` that names the place."""

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, Mapping):
            raise InvalidPosition(f"{where} is an object, not {type(data).__name__}")
        self.data = data
        self.where = where

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def only(self, names: frozenset[str] | set[str]) -> None:
        """No other keys than these."""
        for name in self.data:
            if name not in names:
                raise InvalidPosition(f"unknown key {name!r} in {self.where}; there are: {', '.join(sorted(names))}")

    def get(self, name: str, kind: type, default: Any = None) -> Any:
        """A value of a type; an error if it is missing and has no default."""
        value = self.data.get(name, default)
        if value is None and name not in self.data:
            raise InvalidPosition(f"{self.where} lacks {name!r}")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise InvalidPosition(f"{self.where}.{name} must be of type {kind.__name__}, not {value!r:.80}")
        return value

    def number(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """An integer in a range."""
        value: int = self.get(name, int, default)
        if not low <= value <= high:
            raise InvalidPosition(f"{self.where}.{name} goes from {low} to {high}, not {value}")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false."""
        return bool(self.get(name, bool, default))

    def choice(self, name: str, values: tuple[str, ...], default: str | None = None) -> int:
        """One of some words, as its index."""
        value = self.get(name, str, default)
        if value not in values:
            raise InvalidPosition(f"{self.where}.{name} is {' or '.join(values)}, not {value!r}")
        return values.index(value)

    def numbers(self, name: str, length: int, low: int, high: int, default: list[int] | None = None) -> list[int]:
        """A list of so many integers in a range."""
        values = self.get(name, list, default)
        bad = [v for v in values if type(v) is not int or not low <= v <= high]
        if len(values) != length or bad:
            raise InvalidPosition(f"{self.where}.{name} is {length} numbers from {low} to {high}, not {values!r:.80}")
        return list(values)

    def texts(self, name: str, default: list[str] | None = None) -> list[str]:
        """A list of strings."""
        values = self.get(name, list, default)
        if not all(isinstance(v, str) for v in values):
            raise InvalidPosition(f"{self.where}.{name} is a list of strings, not {values!r:.80}")
        return list(values)

    def lists(self, name: str, length: int, default: list[list[str]] | None = None) -> list[list[str]]:
        """So many lists of strings: a hand a seat, say."""
        values = self.get(name, list, default)
        if len(values) != length or not all(isinstance(v, list) and all(isinstance(x, str) for x in v) for v in values):
            raise InvalidPosition(f"{self.where}.{name} is {length} lists of strings, not {values!r:.80}")
        return [list(v) for v in values]

    def hexadecimal(self, name: str, length: int) -> bytes:
        """So many bytes in hexadecimal."""
        text = self.get(name, str)
        try:
            value = bytes.fromhex(text)
        except ValueError:
            value = b""
        if len(value) != length:
            raise InvalidPosition(f"{self.where}.{name} is {length} bytes in hexadecimal")
        return value
