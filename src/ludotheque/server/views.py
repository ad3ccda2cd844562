"""What leaves for a seat or a spectator: the same view as `Match.view`, made anew after every move for little.

A match is shown after every move to everybody at the table, so this must cost little. Views are written by compiled
code (`core/portray.py`), for all who read one language at once; until a game is compiled, by Python. Sentences are
encoded once per game and language.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from ludotheque.core import painter
from ludotheque.core.game import Game
from ludotheque.core.kernels import OK
from ludotheque.core.match import Match
from ludotheque.core.painter import (
    Event,
    Painter,
    Painting,
    Portrait,
    bit,
    pack_names,
)
from ludotheque.core.portray import FIRST_MARK, MARKS
from ludotheque.core.record import NOBODY
from ludotheque.core.sets import members
from ludotheque.core.snapshot import reader
from ludotheque.core.view import common, label, own

encode = msgspec.json.Encoder().encode
raw = msgspec.Raw

Told = dict[str, Any]
"""An event of the game, without its sentence."""
Known = dict[Event, bytes]
"""Events that all are told in the same words."""
NOTHING_KNOWN: Known = {}
Shown = tuple[msgspec.Raw, msgspec.Raw]
"""What a viewer may know of a match, and what they saw of the last move or of the deal. Encoded already."""

MOST_SENTENCES = 20_000
"""How many sentences are kept of a game in a language."""

_MARKS = [chr(FIRST_MARK + seat) for seat in range(MARKS)]
"""Stand for the names of the seats in a sentence that is kept: characters that no text has."""
_HOLE = re.compile(rb"\\u001([0-9a-f])|%")
"""A mark in JSON, which becomes a hole for a name; or what would be taken for a hole."""


_MARK = re.compile(rb"\\u001([0-9a-f])")


def _unescape(found: re.Match[bytes]) -> bytes:
    return bytes([FIRST_MARK + int(found[1], 16)])


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
        self.notation = [encode(text) for text in game.moves.texts]
        """The moves as text."""
        self.long_events: frozenset[int] = game.views.NOT_BY_NUMBERS
        """Kinds of events that take more to tell than their own numbers."""
        self.told_apart: frozenset[int] = game.views.TOLD_APART
        """Those of them that are not told everybody alike."""

    def label(self, action: int) -> str:
        """What a button for a move says."""
        return label(self._game, action, self.lang)

    def moves(self, actions: Iterable[int]) -> list[dict[str, Any]]:
        """Moves with their labels."""
        texts = self._game.moves.texts
        return [{"id": action, "move": texts[action], "label": self.label(action)} for action in actions]

    def painter(self) -> Painter | None:
        """What writes views; None until that is compiled."""
        if self._painter is None and painter.is_ready(self._game):
            self._painter = Painter(self._game, [self.label(action) for action in range(self._game.info.num_actions)])
            self._forget()  # so that it learns what was said before it came
        return self._painter

    def event(self, numbers: Event, names: Mapping[bytes, bytes]) -> bytes:
        """An event with its sentence, that its own numbers tell. `names` are those by seat, as JSON without quotes."""
        sentence = self._sentences.get(numbers)
        if sentence is None:
            told = self._game.views.event(None, NOBODY, *numbers)
            if len(self._sentences) >= MOST_SENTENCES:
                self._forget()
            text = self._words.say("events." + told["type"], told, _MARKS)
            marked = encode({**told, "text": text})
            sentence = self._sentences[numbers] = _HOLE.sub(_hole, marked)
            if self._painter is not None:
                self._painter.learn(numbers, _MARK.sub(_unescape, marked))
        return sentence % names

    def _forget(self) -> None:
        self._sentences.clear()
        if self._painter is not None:
            self._painter.forget()


@cache
def phrases(game: Game, lang: str) -> Phrases:
    """The phrases of a game in a language; made once."""
    return Phrases(game, lang)


class Stage:
    """A match as it is shown at its table: to all seats and spectators, in any language."""

    __slots__ = ("_names", "_packed", "_rounds", "match", "ply")

    def __init__(self, match: Match, looks_back: bool = True) -> None:
        self.match = match
        names = [encode(name)[1:-1] for name in match.names]
        self._names = {b"%d" % seat: name for seat, name in enumerate(names)}
        self._packed = array("B", pack_names(names))
        self._rounds = array("B")
        """The rounds that have ended, as JSON with commas between them."""
        self.ply = 0
        """How many moves the match had when it was last shown."""
        if looks_back:
            self._look_back()

    def _look_back(self) -> None:
        """Find out which rounds have ended so far."""
        self.ply = len(self.match.moves)
        self._rounds = array("B")
        if self.ply:  # a copy is asked: a match remembers what it was asked to tell, and tables are many
            for event in self.match.copy().rounds():
                self._add_round(event)

    def _add_round(self, event: Told) -> None:
        self._rounds.frombytes(b"," + encode(event) if self._rounds else encode(event))

    def job(self, seat: int, action: int, viewers: int) -> tuple[int, ...]:
        """A move to be played and shown, as `Painter.do` asks for it."""
        names, _ = self._packed.buffer_info()
        return self.match.address, self.ply, seat, action, viewers, names, *self._rounds.buffer_info()

    def show(self, viewers: int, lang: str) -> list[Shown]:
        """What some viewers, a set as in `Painter.paint`, may know of the match now, and saw of the last move."""
        said = phrases(self.match.game, lang)
        painter = said.painter()
        painting = self.match.paint(painter, viewers) if painter is not None else self._draw(viewers, said)
        told = self.tell(painting, said)
        return [(raw(b"".join((head, rounds, rest))), raw(seen)) for head, rounds, rest, seen in told]

    def tell(self, painting: Painting, said: Phrases) -> list[tuple[bytes, array[int], bytes, bytes]]:
        """What everybody in a painting of the match as it is now sees: the three parts of the view, and the events."""
        spectators = painting.spectators
        passed = len(self.match.moves) - self.ply
        self.ply += passed
        if passed not in (0, 1):
            self._look_back()
        known, is_shared = NOTHING_KNOWN, True
        if spectators.look:
            known = self._tell_all(spectators, said, passed == 1)
            is_shared = said.told_apart.isdisjoint([event[0] for event in spectators.events])
        common = b""
        told = []
        for one in painting.portraits:
            if is_shared and one.events is spectators.events:
                seen = common = common or self._tell(one, said, known)
            else:
                seen = self._tell(one, said, known)
            told.append((painting.head, self._rounds, one.rest, seen))
        return told

    def _tell_all(self, spectators: Portrait, said: Phrases, is_new: bool) -> Known:
        """The events that take long and are told to all in the same words. If they are new, rounds are noted."""
        known: Known = {}
        views, record = self.match.game.views, reader(self.match.game).peek(spectators.look)
        for event in spectators.events:
            if event[0] in said.long_events and event[0] not in said.told_apart:
                told = views.event(record, NOBODY, *event)
                known[event] = self._say(told, said)
                if told["type"] == "round_end" and is_new:
                    self._add_round(told)
        return known

    def _tell(self, portrait: Portrait, said: Phrases, known: Known) -> bytes:
        """What a viewer saw of the last move, with sentences; `known` is what others were told as well."""
        parts = []
        record: Any = None
        for event in portrait.events:
            if event[0] not in said.long_events:
                parts.append(said.event(event, self._names))
            elif event in known:
                parts.append(known[event])
            else:
                game = self.match.game
                record = record or reader(game).peek(portrait.look)
                parts.append(self._say(game.views.event(record, portrait.viewer, *event), said))
        return _json_list(parts)

    def _say(self, told: Told, said: Phrases) -> bytes:
        return encode({**told, "text": self.match.sentence(told, said.lang)})

    def seen(self, viewer: int, said: Phrases) -> msgspec.Raw:
        """What a viewer saw of the last move, or of the deal."""
        return raw(self._tell(self._look(viewer), said, {}))

    def _look(self, viewer: int) -> Portrait:
        look = self.match.concealed(None if viewer == NOBODY else viewer)
        return Portrait(viewer, b"", reader(self.match.game).journal(look), look.tobytes())

    def _draw(self, viewers: int, said: Phrases) -> Painting:
        """What compiled code paints, by Python."""
        match, game = self.match, self.match.game
        spectators = self._look(NOBODY)
        everybody = reader(game).read(spectators.look)
        scores, places = match.result()
        head = {
            "ply": len(match.moves),
            "round": everybody.round_no,
            "actor": everybody.actor if everybody.actor != NOBODY else None,
            "over": bool(everybody.over),
            "scores": scores,
            "places": places,
        }
        portraits = []
        for place in members(viewers):
            portrait = self._look(place + NOBODY)
            seat, record = portrait.viewer, reader(game).read(portrait.look)
            table = {**common(game, everybody), **own(game, record, seat)}
            legal = [] if seat == NOBODY else said.moves(match.legal_ids(seat))
            portrait.rest = b"]," + encode({"table": table, "legal": legal})[1:]
            portraits.append(portrait)
        return Painting(OK, encode(head)[:-1] + b',"rounds":[', spectators, portraits)


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
