"""What leaves for a seat or a spectator: the same view as `Match.view`, made anew after every move for little.

A match is shown after every move to everybody at the table, so this must cost little. Views are written by compiled
code (`core/portray.py`), for all who read one language at once; until a game is compiled, by Python. Sentences are
encoded once per game and language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np

from ludotheque.core import portray
from ludotheque.core.game import Game
from ludotheque.core.match import Match
from ludotheque.core.portray import Event, Painter, bit
from ludotheque.core.record import NOBODY
from ludotheque.core.sets import members
from ludotheque.core.snapshot import reader
from ludotheque.core.view import common, label, own

encode = msgspec.json.Encoder().encode
raw = msgspec.Raw

Told = dict[str, Any]
"""An event of the game, without its sentence."""
Shown = tuple[msgspec.Raw, msgspec.Raw]
"""What a viewer may know of a match, and what they saw of the last move or of the deal. Encoded already."""

MOST_SENTENCES = 20_000
"""How many sentences are kept of a game in a language."""

_MARKS = [chr(16 + seat) for seat in range(16)]
"""Stand for the names of the seats in a sentence that is kept: characters that no text has."""
_HOLE = re.compile(rb"\\u001([0-9a-f])|%")
"""A mark in JSON, which becomes a hole for a name; or what would be taken for a hole."""


def _hole(found: re.Match[bytes]) -> bytes:
    return b"%%(%d)b" % int(found[1], 16) if found[1] else b"%%"


def _json_list(parts: Iterable[bytes]) -> bytes:
    return b"[" + b",".join(parts) + b"]"


class Phrases:
    """What is said of a game in one language, as JSON. Get them with `phrases`."""

    def __init__(self, game: Game, lang: str) -> None:
        self._game = game
        self.lang = lang
        self._words = game.catalogue(lang)
        self._painter: Painter | None = None
        self._sentences: dict[Event, bytes] = {}
        self.long_events: frozenset[int] = game.views.NOT_BY_NUMBERS
        """Kinds of events that take more to tell than their own numbers."""

    def label(self, action: int) -> str:
        """What a button for a move says."""
        return label(self._game, action, self.lang)

    def moves(self, actions: Iterable[int]) -> list[dict[str, Any]]:
        """Moves with their labels."""
        texts = self._game.moves.texts
        return [{"id": action, "move": texts[action], "label": self.label(action)} for action in actions]

    def painter(self) -> Painter | None:
        """What writes views; None until that is compiled."""
        if self._painter is None and portray.is_ready(self._game):
            self._painter = Painter(self._game, [self.label(action) for action in range(self._game.info.num_actions)])
        return self._painter

    def event(self, numbers: Event, names: Mapping[bytes, bytes]) -> bytes:
        """An event with its sentence, that its own numbers tell. `names` are those by seat, as JSON without quotes."""
        sentence = self._sentences.get(numbers)
        if sentence is None:
            told = self._game.views.event(None, NOBODY, *numbers)
            if len(self._sentences) >= MOST_SENTENCES:
                self._sentences.clear()
            text = self._words.say("events." + told["type"], told, _MARKS)
            sentence = self._sentences[numbers] = _HOLE.sub(_hole, encode({**told, "text": text}))
        return sentence % names


@cache
def phrases(game: Game, lang: str) -> Phrases:
    """The phrases of a game in a language; made once."""
    return Phrases(game, lang)


class Stage:
    """A match as it is shown at its table: to all seats and spectators, in any language."""

    __slots__ = ("_names", "_ply", "_raw", "_rounds", "match")

    def __init__(self, match: Match, looks_back: bool = True) -> None:
        self.match = match
        self._names = {b"%d" % seat: encode(name)[1:-1] for seat, name in enumerate(match.names)}
        if looks_back:
            self._look_back()

    def _look_back(self) -> None:
        """Find out which rounds have ended so far."""
        self._ply = len(self.match.moves)
        # A copy is asked: a match remembers what it was asked to tell, and tables are many.
        self._add_rounds([], [encode(event) for event in self.match.copy().rounds()])

    def _add_rounds(self, rounds: Sequence[bytes], ended: Sequence[bytes]) -> None:
        self._rounds = [*rounds, *ended]
        self._raw = np.frombuffer(
            bytearray(b",").join(self._rounds), np.uint8
        )  # writable, as `portray` was compiled for

    def show(self, viewers: int, lang: str) -> list[Shown]:
        """What some viewers, a set as in `Painter.paint`, may know of the match now, and saw of the last move."""
        match, said = self.match, phrases(self.match.game, lang)
        painter = said.painter()
        if painter is None:
            self._follow(is_long=True)
            return [self._draw(place + NOBODY, said) for place in members(viewers)]
        events, portraits = match.paint(painter, viewers, self._raw)
        is_long = not said.long_events.isdisjoint([event[0] for event in events])
        if self._follow(is_long):
            events, portraits = match.paint(painter, viewers, self._raw)
        if is_long:
            who = zip(members(viewers), portraits, strict=True)
            known: dict[bytes, bytes] = {}
            return [(raw(view), self._tell(place + NOBODY, seen, said, known)) for place, (view, seen) in who]
        common = self._tell(NOBODY, events, said)
        return [(raw(view), common if seen is events else self._tell(NOBODY, seen, said)) for view, seen in portraits]

    def _follow(self, is_long: bool) -> bool:
        """Note the rounds that were ended since the match was last shown. False if there were none."""
        passed = len(self.match.moves) - self._ply
        if passed == 0:
            return False
        self._ply += passed
        if passed != 1:
            self._look_back()
            return True
        told = [event for event in self._long_events(NOBODY) if event["type"] == "round_end"] if is_long else []
        if told:
            self._add_rounds(self._rounds, [encode(event) for event in told])
        return bool(told)

    def _long_events(self, viewer: int) -> list[Told]:
        match, views = self.match, self.match.game.views
        look, of = match.concealed(None if viewer == NOBODY else viewer), reader(match.game)
        record, kinds = of.read(look), views.NOT_BY_NUMBERS
        return [views.event(record, viewer, *numbers) for numbers in of.journal(look) if numbers[0] in kinds]

    def _tell(
        self, viewer: int, events: Sequence[Event], said: Phrases, known: dict[bytes, bytes] | None = None
    ) -> msgspec.Raw:
        """Events with their sentences; `known` are those that take long, as others were told them."""
        names, long_ones = self._names, said.long_events
        if long_ones.isdisjoint([event[0] for event in events]):
            return raw(_json_list([said.event(event, names) for event in events]))
        known = {} if known is None else known
        told = iter(self._long_events(viewer))
        parts = [self._say(next(told), said, known) if e[0] in long_ones else said.event(e, names) for e in events]
        return raw(_json_list(parts))

    def _say(self, told: Told, said: Phrases, known: dict[bytes, bytes]) -> bytes:
        event = encode(told)
        if event not in known:
            known[event] = encode({**told, "text": self.match.sentence(told, said.lang)})
        return known[event]

    def seen(self, viewer: int, said: Phrases) -> msgspec.Raw:
        """What a viewer saw of the last move, or of the deal."""
        look = self.match.concealed(None if viewer == NOBODY else viewer)
        return self._tell(viewer, reader(self.match.game).journal(look), said)

    def _draw(self, viewer: int, said: Phrases) -> Shown:
        """What `portray` writes, by Python."""
        match, game = self.match, self.match.game
        seat = None if viewer == NOBODY else viewer
        everybody, record = (reader(game).read(match.concealed(one)) for one in (None, seat))
        scores, places = match.result()
        view = {
            "ply": len(match.moves),
            "round": record.round_no,
            "actor": record.actor if record.actor != NOBODY else None,
            "over": bool(record.over),
            "scores": scores,
            "places": places,
            "rounds": msgspec.Raw(_json_list(self._rounds)),
            "table": {**common(game, everybody), **own(game, record, viewer)},
            "legal": [] if seat is None else said.moves(match.legal_ids(seat)),
        }
        return raw(encode(view)), self.seen(viewer, said)


def last_seen(match: Match, seat: int | None, lang: str) -> msgspec.Raw:
    """What a viewer saw of the last move, or of the deal; without following the match."""
    stage = Stage(match, looks_back=False)
    return stage.seen(NOBODY if seat is None else seat, phrases(match.game, lang))


def moments_from(match: Match, first: int, count: int, seat: int | None, lang: str) -> list[msgspec.Raw]:
    """The views of `count` moments of a match, the first of them after `first` moves."""
    past = match.at(first)
    stage = Stage(past)
    viewer = bit(NOBODY if seat is None else seat)
    views = [stage.show(viewer, lang)[0][0]] if count else []
    for mover, action in match.moves[first : first + count - 1] if count else ():
        past.play(action, mover)
        views.append(stage.show(viewer, lang)[0][0])
    return views


def history(match: Match, seat: int | None, lang: str) -> list[list[Told]]:
    """Everything a viewer saw: the deal, then every move."""
    past = match.copy()
    return [[{**event, "text": past.sentence(event, lang)} for event in step] for step in past.events(seat)]
