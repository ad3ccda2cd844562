"""A match as it is shown at its table: to every seat and to spectators, in any language.

Views are written by `writer.py`. Events of the last move are put into words here.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import msgspec

from ludotheque.core.game import Game
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY
from ludotheque.core.snapshot import reader
from ludotheque.server.views import Look, ViewWriter

_encode = msgspec.json.Encoder().encode

ROUND_END = "round_end"
"""The event that closes a round; every game has it."""


class Seen(NamedTuple):
    """What a viewer may know of a match now, as JSON."""

    view: msgspec.Raw
    seen: msgspec.Raw
    """The events of the last move, or of the deal, with sentences."""
    has_ended: bool
    """Whether the last move closed a round."""


@cache
def labels(game: Game, lang: str) -> list[str]:
    """What a button says for each action."""
    return [move.label(lang) for move in game.moves]


@cache
def writer(game: Game, lang: str) -> ViewWriter:
    """What writes the views of a game in a language."""
    return ViewWriter(game, labels(game, lang))


class ShownMatch:
    """A match as it is shown: it keeps the rounds that have ended, and what was said of the last move."""

    __slots__ = ("_ply", "_rounds", "_sentences", "match")

    def __init__(self, match: Match) -> None:
        self.match = match
        self._ply = -1
        """After how many moves it was last looked at."""
        self._rounds = b""
        """The rounds that have ended, as JSON with commas between them."""
        self._sentences: dict[tuple[str, bytes], bytes] = {}
        """The events of the last move with their sentences, by language and event."""

    def look(self, seat: int, lang: str) -> Seen:
        """What a seat, or a spectator (`NOBODY`), may know now."""
        match = self.match
        look = writer(match.game, lang).write(match, seat)
        events = _events(match.game, look, seat)
        self._follow(events)
        view = b'{"rounds":[%b],%b' % (self._rounds, look.view[1:])
        seen = [self._with_sentence(event, lang) for event in events]
        has_ended = any(event["type"] == ROUND_END for event in events)
        return Seen(msgspec.Raw(view), msgspec.Raw(b"[%b]" % b",".join(seen)), has_ended)

    def _follow(self, events: list[dict[str, Any]]) -> None:
        """Keep up with the match; `events` are those of its last move."""
        ply = len(self.match.moves)
        if ply == self._ply:
            return
        if ply == self._ply + 1:
            ended = [_encode(event) for event in events if event["type"] == ROUND_END]
            if ended:
                self._rounds = b",".join([self._rounds, *ended] if self._rounds else ended)
        else:  # a copy is asked: a match remembers what it was asked to tell, and tables are many
            self._rounds = b",".join(_encode(event) for event in self.match.copy().rounds()) if ply else b""
        self._ply = ply
        self._sentences.clear()

    def _with_sentence(self, event: dict[str, Any], lang: str) -> bytes:
        key = lang, _encode(event)
        known = self._sentences.get(key)
        if known is None:
            known = self._sentences[key] = _encode({**event, "text": self.match.sentence(event, lang)})
        return known


def _events(game: Game, look: Look, seat: int) -> list[dict[str, Any]]:
    """The events of the last move as a seat may know them."""
    record = reader(game).read(look.record)
    return [game.views.event(record, seat, *numbers) for numbers in look.events]


def last_seen(match: Match, seat: int | None, lang: str) -> list[dict[str, Any]]:
    """The events of the last move, or of the deal, with sentences; without following the match."""
    viewer = NOBODY if seat is None else seat
    hidden = match.concealed(seat)
    of = reader(match.game)
    events = [match.game.views.event(of.read(hidden), viewer, *numbers) for numbers in of.journal(hidden)]
    return [{**event, "text": match.sentence(event, lang)} for event in events]


def moments_from(match: Match, first: int, count: int, seat: int | None, lang: str) -> list[msgspec.Raw]:
    """The views of `count` moments of a match, the first of them after `first` moves."""
    if not count:
        return []
    past = match.at(first)
    shown = ShownMatch(past)
    viewer = NOBODY if seat is None else seat
    views = [shown.look(viewer, lang).view]
    for mover, move in match.moves[first : first + count - 1]:
        past.play(move, mover)
        views.append(shown.look(viewer, lang).view)
    return views


def history(match: Match, seat: int | None, lang: str) -> list[list[dict[str, Any]]]:
    """Everything a viewer saw: the deal, then every move."""
    past = match.copy()
    return [[{**event, "text": past.sentence(event, lang)} for event in step] for step in past.events(seat)]
