"""What leaves for a seat or a spectator: the same view as `Match.view`, made anew after every move for little.

A match is shown after every move to everybody at the table, so this is where the room spends its time. Nothing is
followed from the beginning, and labels of moves and sentences are encoded once per game and language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np

from ludotheque.core.game import Game
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY
from ludotheque.core.snapshot import reader
from ludotheque.core.view import label

encode = msgspec.json.Encoder().encode

Told = dict[str, Any]
"""An event of the game, without its sentence."""

MOST_SENTENCES = 20_000
"""How many sentences are kept of a game in a language."""
LONG = 80
"""Bytes of an event that tells of a whole deal or round: its sentence will hardly be wanted again."""

Names = Mapping[bytes, bytes]
"""The names by seat, as JSON without quotes."""
Said = dict[bytes, bytes]
"""Events as JSON, without and with their sentences."""

_MARKS = [chr(16 + seat) for seat in range(16)]
"""Stand for the names of the seats in a sentence that is kept: characters that no text has."""
_HOLE = re.compile(rb"\\u001([0-9a-f])|%")
"""A mark in JSON, which becomes a hole for a name; or what would be taken for a hole."""


def _hole(found: re.Match[bytes]) -> bytes:
    return b"%%(%d)b" % int(found[1], 16) if found[1] else b"%%"


def _json_list(parts: Sequence[bytes]) -> msgspec.Raw:
    return msgspec.Raw(b"[" + b",".join(parts) + b"]")


NOTHING = _json_list([])


class Lens:
    """How a game is shown in one language. Get one with `lens`."""

    def __init__(self, game: Game, lang: str) -> None:
        self.game = game
        self.lang = lang
        self._read = reader(game.info.state).read
        empty = self._read(np.zeros(game.info.state.itemsize, np.uint8))
        self._place_of_args = empty._fields.index("event_args")  # read as they lie, three numbers an event
        self._words = game.catalogue(lang)
        self._labels: dict[int, bytes] = {}
        self._sentences: dict[bytes, bytes] = {}

    def look(self, match: Match, seat: int | None) -> Any:
        """What a viewer may know of the match now."""
        return self._read(match.concealed(seat))

    def table(self, record: Any, seat: int | None) -> dict[str, Any]:
        """The table as the viewer sees it."""
        shown: dict[str, Any] = self.game.views.table(record, NOBODY if seat is None else seat)
        return shown

    def events(self, record: Any, seat: int | None) -> list[Told]:
        """What the viewer saw of the last move."""
        viewer = NOBODY if seat is None else seat
        event = self.game.views.event
        kinds, seats, args = record.event_kind, record.event_seat, record[self._place_of_args]
        return [event(record, viewer, kinds[i], seats[i], *args[3 * i : 3 * i + 3]) for i in range(record.num_events)]

    def say(self, events: Sequence[Told], match: Match, names: Names, said: Said) -> msgspec.Raw:
        """Events with their sentences, as JSON. `said` has what others saw of the same: nothing is said twice."""
        parts = []
        for told in events:
            key = encode(told)
            part = said.get(key)
            if part is None:
                part = said[key] = self._say(told, key, match, names)
            parts.append(part)
        return _json_list(parts)

    def _say(self, told: Told, key: bytes, match: Match, names: Names) -> bytes:
        params = self.game.views.localise(told, self._words, match.options)
        if params is not told or len(key) > LONG:  # it has words of this table's own, or much to tell
            return self._sentence(told, params, match.names)
        sentence = self._sentences.get(key)
        if sentence is None:
            if len(self._sentences) >= MOST_SENTENCES:
                self._sentences.clear()
            sentence = _HOLE.sub(_hole, self._sentence(told, told, _MARKS))
            self._sentences[key] = sentence
        return sentence % names

    def _sentence(self, told: Told, params: Mapping[str, Any], names: Sequence[str]) -> bytes:
        return encode({**told, "text": self._words.say("events." + told["type"], params, names)})

    def legal(self, match: Match, seat: int | None) -> msgspec.Raw:
        """The legal moves of a seat with their labels, as JSON."""
        if seat is None:
            return NOTHING
        labels = self._labels
        parts = []
        for action in match.legal_ids(seat):
            part = labels.get(action)
            if part is None:
                part = labels[action] = self._label(action)
            parts.append(part)
        return _json_list(parts) if parts else NOTHING

    def label(self, action: int) -> str:
        """What a button for a move says."""
        return label(self.game, action, self.lang)

    def _label(self, action: int) -> bytes:
        return encode({"id": action, "move": self.game.moves.texts[action], "label": self.label(action)})


@cache
def lens(game: Game, lang: str) -> Lens:
    """The lens of a game in a language; made once."""
    return Lens(game, lang)


class Eye:
    """One viewer of one match in one language: makes the view after every move."""

    __slots__ = ("_lens", "_names", "_rounds", "_told_rounds", "seat")

    def __init__(self, match: Match, seat: int | None, lang: str, fresh: bool = False) -> None:
        self._lens = lens(match.game, lang)
        self._names = {b"%d" % number: encode(name)[1:-1] for number, name in enumerate(match.names)}
        self.seat = seat
        # On a copy: a match remembers what it was asked to tell, and tables are many.
        self._rounds = [] if fresh else [encode(event) for event in match.copy().rounds(seat)]
        self._told_rounds = _json_list(self._rounds)

    def seen(self, match: Match) -> msgspec.Raw:
        """What the viewer saw of the last move, or of the deal: events with sentences."""
        return self._lens.say(self._lens.events(self._lens.look(match, self.seat), self.seat), match, self._names, {})

    def view(self, match: Match, result: tuple[Sequence[int], Sequence[int]]) -> dict[str, Any]:
        """The view now. `result` is scores and places, which all viewers share."""
        return self._view(match, self._lens.look(match, self.seat), result)

    def after_move(
        self, match: Match, result: tuple[Sequence[int], Sequence[int]], said: Said
    ) -> tuple[msgspec.Raw, dict[str, Any]]:
        """What the viewer saw of the last move, and the view after it. To be called once for every move.

        `said` is shared by all who see this move in the same language.
        """
        record = self._lens.look(match, self.seat)
        events = self._lens.events(record, self.seat)
        for told in events:
            if told["type"] == "round_end":
                self._rounds.append(encode(told))
                self._told_rounds = _json_list(self._rounds)
        return self._lens.say(events, match, self._names, said), self._view(match, record, result)

    def _view(self, match: Match, record: Any, result: tuple[Sequence[int], Sequence[int]]) -> dict[str, Any]:
        return {
            "ply": len(match.moves),
            "round": record.round_no,
            "actor": record.actor if record.actor != NOBODY else None,
            "over": bool(record.over),
            "scores": result[0],
            "places": result[1],
            "rounds": self._told_rounds,
            "table": self._lens.table(record, self.seat),
            "legal": self._lens.legal(match, self.seat),
        }


def moments_from(match: Match, first: int, count: int, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The views of `count` moments of a match, the first of them after `first` moves."""
    past = match.at(first)
    eye = Eye(past, seat, lang)
    views = [eye.view(past, past.result())] if count else []
    for mover, action in match.moves[first : first + count - 1] if count else ():
        past.play(action, mover)
        views.append(eye.after_move(past, past.result(), {})[1])
    return views


def history(match: Match, seat: int | None, lang: str) -> list[list[Told]]:
    """Everything a viewer saw: the deal, then every move."""
    past = match.copy()
    return [[{**event, "text": past.sentence(event, lang)} for event in step] for step in past.events(seat)]
