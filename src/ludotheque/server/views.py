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
    told_more,
)
from ludotheque.core.portray import FIRST_MARK, MARKS, MOST_FIELDS, ROUND_MARK
from ludotheque.core.record import NOBODY
from ludotheque.core.sets import members
from ludotheque.core.shape import Sheet, number, seconds, word
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
UPDATE = b'{"type":"update","seq":%d,"events":[{"type":"moved","seq":%d,"at":%b,"seat":%d,"move":%b,"seen":'
"""How a `protocol.Update` on the move of a person begins."""

_HOLE = re.compile(rb"\\u001([0-9a-f])|%")
"""A mark in JSON, which becomes a hole for a name; or what would be taken for a hole."""


_MARK = re.compile(rb"\\u001([0-9a-f])")
_FIELD = re.compile(rb'"\\u000([1-7])"|\\u000([1-7])')
"""What an event tells more: as JSON, or in its sentence."""


def _field(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1]) if found[1] else int(found[2]) + MOST_FIELDS])


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
        self._more = told_more(game)
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
            labels = [self.label(action) for action in range(self._game.info.num_actions)]
            self._painter = Painter(self._game, labels, self._lay_opening, self._words.word)
            self._forget()  # so that it learns what was said before it came
        return self._painter

    def _lay_opening(self, sheet: Sheet) -> None:
        """Letters begin like an `UPDATE`."""
        parts = iter(re.split(rb"%[db]", UPDATE))
        for shape in (number, number, seconds, number, word([raw(text) for text in self.notation])):
            sheet.literal(next(parts))
            shape.lay(sheet)
        sheet.literal(next(parts))

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

    def add_text(self, told: Told, event: bytes, match: Match) -> bytes:
        """An event of a match, which is encoded, with its sentence."""
        params = self._game.views.localise(told, self._words, match.options)
        text = self._words.say("events." + told["type"], params, match.names)
        return b'%b,"text":%b}' % (event[:-1], encode(text))

    def learn(self, numbers: Event, told: Told) -> None:
        """Let the painter tell an event that tells more than its numbers, if that can be, the next time."""
        more = self._more.get(numbers[0])
        if more is None or self._painter is None:
            return
        for place in more.covers:
            numbers = (*numbers[:place], 0, *numbers[place + 1 :])
        if numbers in self._sentences:
            return
        if len(self._sentences) >= MOST_SENTENCES:
            self._forget()
        self._sentences[numbers] = b""
        key = "events." + told["type"]
        names = dict(more.shown)
        holes = self._words.holes(key)
        can_say = all(holes[name] and one.lay_said(Sheet(), str) for name, one in names.items() if name in holes)
        if not can_say or "hidden" in self._words.find(key):  # then it depends on what a viewer may know
            return
        marked = {**told, **{name: chr(1 + place) for place, name in enumerate(names)}}
        event = encode(marked)[:-1] + (bytes([ROUND_MARK]) if told["type"] == "round_end" else b"")
        text = encode({"text": self._words.say(key, marked, _MARKS)})
        self._painter.learn(numbers, _MARK.sub(_unescape, _FIELD.sub(_field, event + b"," + text[1:])))

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

    __slots__ = ("_names", "_packed", "_rounds", "_texts_at", "match", "ply")

    def __init__(self, match: Match, looks_back: bool = True, before: Stage | None = None) -> None:
        self.match = match
        self._names: dict[bytes, bytes]
        self._packed: array[int]
        if before is not None and before.match.names == match.names:  # most play again at the same table
            self._names, self._packed = before._names, before._packed
        else:
            names = [encode(name)[1:-1] for name in match.names]
            self._names = {b"%d" % seat: name for seat, name in enumerate(names)}
            self._packed = array("B", pack_names(names))
        self._set_rounds(array("B"))
        self.ply = 0
        """How many moves the match had when it was last shown."""
        if looks_back:
            self._look_back()

    def _look_back(self) -> None:
        """Find out which rounds have ended so far."""
        self.ply = len(self.match.moves)
        self._set_rounds(array("B"))
        if self.ply:  # a copy is asked: a match remembers what it was asked to tell, and tables are many
            for event in self.match.copy().rounds():
                self.add_round(encode(event))

    def _set_rounds(self, rounds: array[int]) -> None:
        """The rounds that have ended are these, as JSON with commas between them."""
        self._rounds = rounds
        self._texts_at = self._packed.buffer_info()[0], *rounds.buffer_info()
        """Where compiled code finds the names and the rounds, and the size of these."""

    def add_round(self, entry: bytes) -> None:
        """One more round has ended: its entry as JSON."""
        self._rounds.frombytes(b"," + entry if self._rounds else entry)
        self._set_rounds(self._rounds)

    @property
    def rounds_at(self) -> tuple[int, int]:
        """Where compiled code finds the rounds, and their size."""
        return self._texts_at[1], self._texts_at[2]

    def job(self, seat: int, action: int, viewers: int, *letter: int) -> tuple[int, ...]:
        """A move to be played and shown, as `Painter.do` asks for it; `letter` is what comes last."""
        return self.match.address, self.ply, seat, action, viewers, *self._texts_at, *letter

    def show(self, viewers: int, lang: str, painting: Painting | None = None) -> list[Shown]:
        """What some viewers, a set as in `Painter.paint`, may know of the match now, and saw of the last move.

        If it has been painted already that is used.
        """
        said = phrases(self.match.game, lang)
        if painting is None:
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
                said.learn(event, told)
                entry = encode(told)
                known[event] = said.add_text(told, entry, self.match)
                if told["type"] == "round_end" and is_new:
                    self.add_round(entry)
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
                told = game.views.event(record, portrait.viewer, *event)
                said.learn(event, told)
                parts.append(said.add_text(told, encode(told), self.match))
        return _json_list(parts)

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
