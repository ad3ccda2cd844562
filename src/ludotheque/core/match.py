"""A match: one record, the moves that led to it, and everything people ask of it.

Playing is two crossings into compiled code a move. Logs, events and round scores are not kept while playing: they
are told afterwards by following the moves again, which costs microseconds.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ludotheque.core import kernels as templates
from ludotheque.core import warm
from ludotheque.core.chance import Key, commitment
from ludotheque.core.errors import IllegalMove, InvalidMove, InvalidOptions, LudothequeError, MatchOver
from ludotheque.core.info import Options
from ludotheque.core.record import NOBODY, Buffer, Record, state_dtype
from ludotheque.core.snapshot import reader
from ludotheque.core.texts import shared, worded

if TYPE_CHECKING:
    from ludotheque.core.game import Game
    from ludotheque.core.painter import Painter, Painting

MAX_NAME = 40

_PLACES: Any = state_dtype([]).fields
ACTOR_AT, OVER_AT = _PLACES["actor"][1], _PLACES["over"][1]
"""Where a record says so, in a byte each."""

Move = tuple[int, int]
"""A seat and an action id."""


_SAME: dict[Move, Move] = {}
"""Every move that was ever played, once: the same ones are in the lists of thousands of matches."""


def check_names(players: int | Sequence[str]) -> list[str]:
    """The players' names; for a number, names made up. Distinct, not empty, at most 40 characters."""
    if isinstance(players, int):
        if isinstance(players, bool) or not 0 < players < 100:
            raise worded(InvalidOptions, "no_number", players=repr(players))
        return [f"Player {seat + 1}" for seat in range(players)]
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise worded(InvalidOptions, "no_players", players=repr(players))
    names = list(players)
    for name in names:
        if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME or not name.isprintable():
            raise worded(InvalidOptions, "name", most=MAX_NAME, name=repr(name))
    if len(set(names)) != len(names):
        raise worded(InvalidOptions, "same_name", names=", ".join(names))
    return names


class Match:
    """A match in play. Get one with `Game.new`, `Game.position` or `ludotheque.replay`."""

    def __init__(self, game: Game, names: Sequence[str], options: Options, first: Buffer, key: Key | None) -> None:
        warm.ensure(game.id)
        self.game = game
        self.names = list(names)
        """The players' names by seat."""
        self.options = options
        """The options of this match."""
        self.key = key
        """The key of the deal; None if the match began in a position of its own."""
        self.moves: list[Move] = []
        """What was played: seat and action id."""
        self._first = first.copy()
        # An array of Python's own tells its address and its cells at once, which one of NumPy's takes long to do.
        self._cells = array("b")
        self._cells.frombytes(self._first.data)
        self._buf: Buffer = np.frombuffer(self._cells, np.uint8)
        self.address = self._cells.buffer_info()[0]
        """Where the record lies in memory, for compiled code that does much at once."""
        self._ids = np.empty(game.info.num_actions, np.int16)
        self._texts = game.moves.texts
        self._num_actions = game.info.num_actions
        # Looked up once: these are crossed into at every move.
        self._kernel_play = game.kernels.play
        self._kernel_moves = game.kernels.moves
        self._kernel_allows = game.kernels.allows
        self._followers: dict[int, Follower] = {}
        self.actor = NOBODY
        """The seat the table waits for; -1 when the match is over."""
        self.over = False
        """Whether the match has ended."""
        self._look()

    def _look(self) -> None:
        """Take from the record what is asked for most."""
        self.actor = self._cells[ACTOR_AT]
        self.over = self._cells[OVER_AT] != 0

    @classmethod
    def start(cls, game: Game, names: Sequence[str], options: Options, key: Key) -> Match:
        """A fresh match under a key."""
        return cls(game, names, options, game.deal(key, len(names), options), key)

    def __repr__(self) -> str:
        return f"<Match {self.game.id} {', '.join(self.names)}: move {len(self.moves)}>"

    @property
    def num_seats(self) -> int:
        """How many play."""
        return len(self.names)

    @property
    def state(self) -> Record:
        """The whole record, hidden cards and all. For the engine's own tools, not for players."""
        return self.game.read(self._buf)

    def to_bytes(self) -> bytes:
        """The record's bytes."""
        return self._buf.tobytes()

    def movers(self) -> list[int]:
        """All seats that have a move now: the actor, and others who may step in (a draw, a call)."""
        if self.over:
            return []
        idle = self.game.kernels.idle(self._buf)
        return [seat for seat in range(self.num_seats) if seat == self.actor or idle >> seat & 1]

    def legal_ids(self, seat: int | None = None) -> list[int]:
        """The legal action ids of a seat, of the actor if none is named."""
        seat = self.actor if seat is None else self._check_seat(seat)
        count = self._kernel_moves(self._buf, seat, self._ids)
        return self._ids[:count].tolist()

    def allows(self, action: int, seat: int) -> bool:
        """Whether an action is legal for a seat now: `action in legal_ids(seat)`, for less."""
        if type(action) is not int or not 0 <= action < self._num_actions:
            return False
        return bool(self._kernel_allows(self._buf, self._check_seat(seat), action, self._ids))

    def legal(self, seat: int | None = None) -> list[str]:
        """The legal moves of a seat, of the actor if none is named, as text."""
        texts = self._texts
        return [texts[action] for action in self.legal_ids(seat)]

    def play(self, move: str | int, seat: int | None = None) -> None:
        """Play a move, as text or action id. If it cannot be played, an error says why and nothing changes."""
        action = self._action(move)
        seat = self.actor if seat is None else self._check_seat(seat)
        status = self._kernel_play(self._buf, seat, action, self._ids)
        if status == templates.OK:
            self.note(seat, action)
        elif status == templates.OVER:
            raise MatchOver(shared("en").say("errors.over"))
        else:
            raise self._refusal(seat, action)

    def note(self, seat: int, action: int) -> None:
        """Take note of a move that compiled code has played on the record."""
        move = seat, action
        self.moves.append(_SAME.setdefault(move, move))
        self._look()

    def note_all(self, moves: Sequence[Move]) -> None:
        """Take note of several."""
        self.moves += [_SAME.setdefault(move, move) for move in moves]
        self._look()

    def undo(self, count: int = 1) -> None:
        """Take back the last moves."""
        if not 0 <= count <= len(self.moves):
            raise LudothequeError(f"there are {len(self.moves)} moves to take back, not {count}")
        kept = self.moves[: len(self.moves) - count]
        self._buf[:] = self._first
        for seat, action in kept:
            self.game.kernels.play(self._buf, seat, action, self._ids)
        self.moves = kept
        self._look()
        self._followers.clear()

    def copy(self) -> Match:
        """The same match, to try something out."""
        twin = Match(self.game, self.names, self.options, self._first, self.key)
        twin._buf[:] = self._buf
        twin.moves = list(self.moves)
        twin._look()
        return twin

    def at(self, ply: int) -> Match:
        """The match as it was after `ply` moves."""
        if not 0 <= ply <= len(self.moves):
            raise LudothequeError(f"the match has {len(self.moves)} moves, there is no moment {ply}")
        past = Match(self.game, self.names, self.options, self._first, self.key)
        for seat, action in self.moves[:ply]:
            past.play(action, seat)
        return past

    @property
    def scores(self) -> list[int]:
        """Points as they stand, by seat (tokens in LOBO 77). In Loba few are good."""
        return self.result()[0]

    @property
    def places(self) -> list[int]:
        """Places as they stand, by seat: 1 is first, equals share."""
        return self.result()[1]

    @property
    def ranking(self) -> list[list[int]]:
        """Seats from first to last; those who share a place together."""
        places = self.places
        return [[s for s, p in enumerate(places) if p == place] for place in sorted(set(places))]

    def result(self) -> tuple[list[int], list[int]]:
        """Scores and places as they stand, in one go."""
        scores = np.zeros(self.game.info.max_seats, np.int32)
        places = np.zeros(self.game.info.max_seats, np.int32)
        self.game.kernels.result(self._buf, scores, places)
        return scores[: self.num_seats].tolist(), places[: self.num_seats].tolist()

    @cached_property
    def commitment(self) -> str | None:
        """The SHA-256 of the key, which may be shown before the match ends."""
        return None if self.key is None else commitment(self.key)

    def concealed(self, seat: int | None) -> Buffer:
        """A copy of the record without anything the seat (None: a spectator) cannot know. What bots get."""
        buf = self._buf.copy()
        self.game.kernels.hide(buf, NOBODY if seat is None else self._check_seat(seat))
        return buf

    def events(self, seat: int | None = None) -> list[list[dict[str, Any]]]:
        """What happened, as a seat (None: a spectator) saw it: the deal first, then a list for every move."""
        return self._follower(seat).steps

    def view(self, seat: int | None = None, lang: str = "en") -> dict[str, Any]:
        """Everything a front end needs to show the match to a seat (None: a spectator), and nothing more."""
        from ludotheque.core.view import build_view

        return build_view(self, seat, lang)

    def paint(self, painter: Painter, viewers: int) -> Painting:
        """Views of the match as JSON, see `Painter.paint`."""
        return painter.paint(self.address, len(self.moves), viewers)

    def log(self, lang: str = "en", seat: int | None = None) -> list[str]:
        """What happened in sentences, as a seat (None: a spectator) saw it."""
        return [self.sentence(event, lang) for step in self.events(seat) for event in step]

    def sentence(self, event: Mapping[str, Any], lang: str = "en") -> str:
        """One event in words."""
        words = self.game.catalogue(lang)
        params = self.game.views.localise(event, words, self.options)
        return words.say(f"events.{event['type']}", params, self.names)

    def rounds(self, seat: int | None = None) -> list[dict[str, Any]]:
        """The rounds that have ended: the events that closed them, with points and sums by seat."""
        return [e for step in self.events(seat) for e in step if e["type"] == "round_end"]

    def position(self) -> dict[str, Any]:
        """The whole position as JSON, hidden cards and all; `Game.position` reads it back."""
        from ludotheque.core.position import write_position

        return write_position(self)

    def record(self, seat: int | None = None) -> dict[str, Any]:
        """The match as JSON: whole, or only what one seat saw of it."""
        from ludotheque.core.records import write_record

        return write_record(self, seat)

    def explain(self, move: str | int, seat: int | None = None) -> IllegalMove | None:
        """Why a move is not legal now; None if it is."""
        action = self._action(move)
        if self.over:
            raise MatchOver(shared("en").say("errors.over"))
        seat = self.actor if seat is None else self._check_seat(seat)
        return None if action in self.legal_ids(seat) else self._refusal(seat, action)

    def _refusal(self, seat: int, action: int) -> IllegalMove:
        rule, key, params = self.game.views.explain(self.game.read(self.concealed(seat)), seat, action)
        given = {"move": self._texts[action], "seat": seat, "other": self.actor, **params}
        text = self.game.catalogue("en").say(f"why.{key}", given, self.names)
        return IllegalMove(f"{text} [{rule}]" if rule else text, rule, key, given)

    def refusal_text(self, error: IllegalMove, lang: str) -> str:
        """A refusal in a language."""
        text = self.game.catalogue(lang).say(f"why.{error.key}", error.params, self.names)
        return f"{text} [{error.rule}]" if error.rule else text

    def _action(self, move: str | int) -> int:
        action = self.game.moves.parse(move) if isinstance(move, str) else move
        if type(action) is not int or not 0 <= action < self._num_actions:
            raise InvalidMove(f"{move!r:.80} is not a move: text, or a number below {self._num_actions}")
        return action

    def _check_seat(self, seat: int) -> int:
        if type(seat) is not int or not 0 <= seat < len(self.names):
            raise InvalidMove(f"seats go from 0 to {len(self.names) - 1}, there is no seat {seat!r}")
        return seat

    def _follower(self, seat: int | None) -> Follower:
        viewer = NOBODY if seat is None else self._check_seat(seat)
        if viewer not in self._followers:
            self._followers[viewer] = Follower(self.game, self._first, viewer)
        follower = self._followers[viewer]
        follower.catch_up(self.moves)
        return follower


class Follower:
    """One viewer's memory of a match: it follows the moves on a copy and writes down what the viewer saw."""

    def __init__(self, game: Game, first: Buffer, viewer: int) -> None:
        self.game = game
        self.viewer = viewer
        self._buf = first.copy()
        self._ids = np.empty(game.info.num_actions, np.int16)
        self.steps: list[list[dict[str, Any]]] = [self._seen()]

    def catch_up(self, moves: Sequence[Move]) -> None:
        """Follow the moves not seen yet."""
        for seat, action in moves[len(self.steps) - 1 :]:
            self.game.kernels.play(self._buf, seat, action, self._ids)
            self.steps.append(self._seen())

    def _seen(self) -> list[dict[str, Any]]:
        buf = self._buf.copy()
        self.game.kernels.hide(buf, self.viewer)
        of = reader(self.game)
        s = of.read(buf)
        return [self.game.views.event(s, self.viewer, *numbers) for numbers in of.journal(buf)]
