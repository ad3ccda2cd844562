"""What leaves for a seat or a spectator: the same view as `Match.view`, made anew after every move for little.

A match is shown after every move to everybody at the table, so this is where the room spends its time. What all see
alike is made once, from what a spectator may know; only the rest is made for each of them. Nothing is followed from
the beginning, and labels of moves and sentences are encoded once per game and language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, cast

import msgspec

from ludotheque.core.game import Game
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY
from ludotheque.core.snapshot import Numbers, reader
from ludotheque.core.view import label
from ludotheque.server.protocol import View

encode = msgspec.json.Encoder().encode

Told = dict[str, Any]
"""An event of the game, without its sentence."""
Names = Mapping[bytes, bytes]
"""The names by seat, as JSON without quotes."""

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
        self._views = game.views
        self._lang = lang
        self._words = game.catalogue(lang)
        self._moves: dict[int, bytes] = {}
        self._sentences: dict[Numbers, bytes] = {}

    def label(self, action: int) -> str:
        """What a button for a move says."""
        return label(self._game, action, self._lang)

    def moves(self, actions: Iterable[int]) -> bytes:
        """Moves with their labels."""
        known = self._moves
        parts = []
        for action in actions:
            part = known.get(action)
            if part is None:
                move = {"id": action, "move": self._game.moves.texts[action], "label": self.label(action)}
                part = known[action] = encode(move)
            parts.append(part)
        return _json_list(parts)

    def event(self, match: Match, names: Names, record: Any, viewer: int, numbers: Numbers) -> bytes:
        """An event with its sentence. `numbers` are its kind, seat, and three more."""
        sentence = self._sentences.get(numbers)
        if sentence is None:
            told = self._views.event(record, viewer, *numbers)
            if numbers[0] in self._views.NOT_BY_NUMBERS:
                return encode({**told, "text": match.sentence(told, self._lang)})
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

    __slots__ = ("_rounds", "match", "names")

    def __init__(self, match: Match, rounds: list[bytes] | None = None) -> None:
        self.match = match
        self.names = {b"%d" % seat: encode(name)[1:-1] for seat, name in enumerate(match.names)}
        if rounds is None:  # ask a copy: a match remembers what it was asked to tell, and tables are many
            rounds = [encode(event) for event in match.copy().rounds()]
        self._rounds = rounds

    def now(self) -> Scene:
        """The match as it stands."""
        return Scene(self, self._rounds)

    def after_move(self) -> Scene:
        """The match after another move. To be called once for every move."""
        scene = Scene(self, self._rounds)
        self._rounds += scene.round_ends()
        return scene


class Scene:
    """A moment of a match."""

    __slots__ = ("_head", "_journal", "_match", "_names", "_record", "_rounds", "_views")

    def __init__(self, stage: Stage, rounds: list[bytes]) -> None:
        self._match = stage.match
        self._names = stage.names
        self._rounds = rounds
        self._views = stage.match.game.views
        look, of = stage.match.concealed(None), reader(stage.match.game)
        self._record = of.read(look)
        self._journal = of.journal(look)
        self._head = b""

    def show(self, seat: int | None, lang: str) -> tuple[View, msgspec.Raw]:
        """What a viewer may know of the match, and what they saw of the last move or of the deal. Encoded already."""
        match, said = self._match, phrases(self._match.game, lang)
        if seat is None:
            viewer, record, journal, moves = NOBODY, self._record, self._journal, b"[]"
        else:
            look, of = match.concealed(seat), reader(match.game)
            viewer, record, journal = seat, of.read(look), of.journal(look)
            moves = said.moves(match.legal_ids(seat))
        if not self._head:
            self._head = self._begin()
        own = encode(self._views.own(record, viewer))[1:-1]
        view = b"".join((self._head, own and b",", own, b'},"legal":', moves, b"}"))
        seen = [said.event(match, self._names, record, viewer, numbers) for numbers in journal]
        return cast(View, msgspec.Raw(view)), msgspec.Raw(_json_list(seen))

    def _begin(self) -> bytes:
        """The beginning of everybody's view, which ends amid the table."""
        match, record = self._match, self._record
        scores, places = match.result()
        shared = {
            "ply": len(match.moves),
            "round": record.round_no,
            "actor": record.actor if record.actor != NOBODY else None,
            "over": bool(record.over),
            "scores": scores,
            "places": places,
            "rounds": msgspec.Raw(_json_list(self._rounds)),
            "table": self._views.common(record),
        }
        return encode(shared)[:-2]

    def round_ends(self) -> list[bytes]:
        """What closed a round just now."""
        record, views = self._record, self._views
        told = [views.event(record, NOBODY, *n) for n in self._journal if n[0] in views.NOT_BY_NUMBERS]
        return [encode(event) for event in told if event["type"] == "round_end"]


def moments_from(match: Match, first: int, count: int, seat: int | None, lang: str) -> list[View]:
    """The views of `count` moments of a match, the first of them after `first` moves."""
    past = match.at(first)
    stage = Stage(past)
    views = [stage.now().show(seat, lang)[0]] if count else []
    for mover, action in match.moves[first : first + count - 1] if count else ():
        past.play(action, mover)
        views.append(stage.after_move().show(seat, lang)[0])
    return views


def history(match: Match, seat: int | None, lang: str) -> list[list[Told]]:
    """Everything a viewer saw: the deal, then every move."""
    past = match.copy()
    return [[{**event, "text": past.sentence(event, lang)} for event in step] for step in past.events(seat)]
