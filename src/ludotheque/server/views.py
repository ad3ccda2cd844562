"""What leaves for a seat or a spectator: the same view as `Match.view`, made anew after every move for little.

A match is shown after every move to everybody at the table, so this is where the room spends its time. Nothing is
followed from the beginning, labels of moves are encoded once per game and language, and sentences that two viewers
share are said once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from ludotheque.core.game import Game
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY
from ludotheque.core.snapshot import reader
from ludotheque.core.view import label

encode = msgspec.json.Encoder().encode

Seen = list[dict[str, Any]]
"""What a viewer saw of one move: the game's events, each with its sentence."""


def _json_list(parts: Sequence[bytes]) -> msgspec.Raw:
    return msgspec.Raw(b"[" + b",".join(parts) + b"]")


_NOTHING = _json_list([])


class Lens:
    """How a game is shown in one language. Get one with `lens`."""

    def __init__(self, game: Game, lang: str) -> None:
        self.game = game
        self.lang = lang
        self._read = reader(game.info.state).read
        self._words = game.catalogue(lang)
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
            if i < len(said) and said[i] == {**told, "text": said[i]["text"]}:
                result.append(said[i])
                continue
            params = localise(told, words, match.options)
            told["text"] = words.say("events." + told["type"], params, match.names)
            result.append(told)
        return result

    def legal(self, match: Match, seat: int | None) -> msgspec.Raw:
        """The legal moves of a seat with their labels, as JSON."""
        if seat is None or match.over:
            return _NOTHING
        labels = self._labels
        parts = []
        for action in match.legal_ids(seat):
            part = labels.get(action)
            if part is None:
                part = labels[action] = self._label(action)
            parts.append(part)
        return _json_list(parts)

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

    __slots__ = ("_lens", "_rounds", "_told_rounds", "seat")

    def __init__(self, match: Match, seat: int | None, lang: str, fresh: bool = False) -> None:
        self._lens = lens(match.game, lang)
        self.seat = seat
        # On a copy: a match remembers what it was asked to tell, and tables are many.
        self._rounds = [] if fresh else [encode(event) for event in match.copy().rounds(seat)]
        self._told_rounds = _json_list(self._rounds)

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
                self._told_rounds = _json_list(self._rounds)
        return seen, self._view(match, record, result)

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
        views.append(eye.after_move(past, past.result(), [])[1])
    return views


def history(match: Match, seat: int | None, lang: str) -> list[Seen]:
    """Everything a viewer saw: the deal, then every move."""
    past = match.copy()
    return [[{**event, "text": past.sentence(event, lang)} for event in step] for step in past.events(seat)]
