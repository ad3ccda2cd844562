"""A match: one record, the moves that led to it, and everything people ask of it.

Playing is two crossings into compiled code a move. Logs, events and round scores are not kept while playing: they
are told afterwards by following the moves again, which costs microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ludotheque.core import entries as templates
from ludotheque.core.chance import Key, commitment
from ludotheque.core.errors import IllegalMove, InvalidMove, InvalidOptions, LudothequeError, MatchOver
from ludotheque.core.info import Options
from ludotheque.core.moves import Move
from ludotheque.core.record import NOBODY, Buffer, Record, state_dtype
from ludotheque.core.snapshot import reader
from ludotheque.core.texts import nearest, shared, worded

if TYPE_CHECKING:
    from ludotheque.core import records
    from ludotheque.core.game import Game

MAX_NAME = 40

_PLACES: Any = state_dtype([]).fields
ACTOR_AT, OVER_AT = _PLACES["actor"][1], _PLACES["over"][1]
"""Where a record says so, in a byte each."""

_FEW = 1000
"""With more moves than that, looking for one that is nearly what was typed takes too long."""


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
    """A match in play. Get one with `Game.new`, `Game.position` or `ludotheque.replay`.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("lobo77").new(["Ann", "Ben", "Cleo"], seed=7)
        >>> match.names[match.actor], " ".join(match.legal())
        ('Ann', '-10 8 10 2x')
        >>> match.play("2x")
        >>> match.log()[-1]
        'Ben has to play two cards.'
        >>> match.view(seat=1)["table"]["hand"]
        ['3', '6', '7', '10', '2x']
        >>> match.undo()
        >>> len(match.moves), match.over
        (0, False)
    """

    def __init__(self, game: Game, names: Sequence[str], options: Options, first: Buffer, key: Key | None) -> None:
        self.game = game
        self.names = list(names)
        """The players' names by seat."""
        self.options = options
        """The options of this match."""
        self.key = key
        """The key of the deal; None if the match began in a position of its own."""
        self.moves: list[tuple[int, Move]] = []
        """What was played: seats and their moves."""
        self._first = first.copy()
        self.buffer: Buffer = first.copy()
        """The record's bytes, for compiled code that reads them."""
        self._signed = self.buffer.data.cast("b")  # which gives a byte several times faster than the array
        self._ids = np.empty(game.info.num_actions, np.int16)
        # Looked up once: these are needed at every move.
        self._game_id = game.id
        self._made = game.moves.made
        self._played = game.moves.played
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
        self.actor = self._signed[ACTOR_AT]
        self.over = self._signed[OVER_AT] != 0

    @classmethod
    def start(cls, game: Game, names: Sequence[str], options: Options, key: Key) -> Match:
        """A fresh match under a key."""
        return cls(game, names, options, game.deal(key, len(names), options), key)

    def __repr__(self) -> str:
        return f"<Match {self.game.id} {', '.join(self.names)}: move {len(self.moves)}>"

    def __str__(self) -> str:
        """The table as the seat at turn sees it; as a spectator does when the match is over."""
        return self.text(None if self.over else self.actor)

    def text(self, seat: int | None = None, lang: str = "en") -> str:
        """The table in lines of text, as a seat sees it.

        Args:
            seat: The seat; None is a spectator.
            lang: `en` or `fr`.
        """
        title = f"{self.game.info.name}: {', '.join(self.names)}"
        return "\n".join([title, *self.game.views.lines(self.view(seat, lang), self.game.catalogue(lang))])

    def _repr_html_(self) -> str:
        from ludotheque.core.html import match_html

        return match_html(self, None if self.over else self.actor)

    def __len__(self) -> int:
        """How many moves were made."""
        return len(self.moves)

    def __bool__(self) -> bool:
        """A match is always something, before its first move too."""
        return True

    def __eq__(self, other: object) -> bool:
        """The same game, names, options, deal and moves."""
        if not isinstance(other, Match):
            return NotImplemented
        return (
            (self.game, self.names, self.options, self.moves) == (other.game, other.names, other.options, other.moves)
            and np.array_equal(self._first, other._first)
            and np.array_equal(self.buffer, other.buffer)
        )

    __hash__ = None  # type: ignore[assignment]  # a match changes

    def __getstate__(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "rules_version": self.game.info.rules_version,
            "names": self.names,
            "options": self.options,
            "key": self.key,
            "first": self._first,
            "buffer": self.buffer,
            "moves": [(seat, move.id) for seat, move in self.moves],
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        game: Game = state["game"]
        game.info.check_version(state["rules_version"])
        Match.__init__(self, game, state["names"], state["options"], state["first"], state["key"])
        self.buffer[:] = state["buffer"]
        self.moves = [(seat, self._made[action]) for seat, action in state["moves"]]
        self._look()

    @property
    def num_seats(self) -> int:
        """How many play."""
        return len(self.names)

    @property
    def state(self) -> Record:
        """The whole record, hidden cards and all. For the engine's own tools, not for players."""
        return self.game.read(self.buffer)

    def to_bytes(self) -> bytes:
        """The record's bytes."""
        return self.buffer.tobytes()

    def movers(self) -> list[int]:
        """All seats that have a move now: the actor, and others who may step in (a draw, a call)."""
        if self.over:
            return []
        idle = self.game.kernels.idle(self.buffer)
        return [seat for seat in range(self.num_seats) if seat == self.actor or idle >> seat & 1]

    def legal_ids(self, seat: int | None = None) -> list[int]:
        """The legal action ids of a seat, of the actor if none is named."""
        seat = self.actor if seat is None else self._check_seat(seat)
        count = self._kernel_moves(self.buffer, seat, self._ids)
        return self._ids[:count].tolist()

    def allows(self, move: str, seat: int | None = None) -> bool:
        """Whether a move is legal now: `move in legal(seat)`, for less.

        Args:
            move: A `Move` or its text.
            seat: Whose move; the actor's without it.

        Raises:
            InvalidMove: If it is no move of the game at all.
        """
        action = move.id if type(move) is Move and move.game == self._game_id else self._action(move)
        if seat is None:
            seat = self.actor
            if seat == NOBODY:
                return False
        return bool(self._kernel_allows(self.buffer, self._check_seat(seat), action, self._ids))

    def legal(self, seat: int | None = None) -> list[Move]:
        """The legal moves of a seat.

        Args:
            seat: Whose moves; the actor's without it.

        Returns:
            The moves, none if the seat has to wait or the match is over.
        """
        made = self._made
        return [made[action] for action in self.legal_ids(seat)]

    def play(self, move: str, seat: int | None = None) -> None:
        """Play a move. If it cannot be played, an error says why and nothing changes.

        Args:
            move: A `Move` or its text, in any spelling.
            seat: Who plays it; the actor without it.

        Raises:
            InvalidMove: If it is no move of the game at all.
            IllegalMove: If it is not allowed now; `rule` says by which rule.
            MatchOver: If the match has ended.
        """
        action = move.id if type(move) is Move and move.game == self._game_id else self._action(move)
        seat = self.actor if seat is None else self._check_seat(seat)
        status = self._kernel_play(self.buffer, seat, action, self._ids)
        if status == templates.OK:
            self.moves.append(self._played[seat, action])
            self._look()
        elif status == templates.OVER:
            raise MatchOver(shared("en").say("errors.over"))
        else:
            raise self._refusal(seat, action)

    def undo(self, count: int = 1) -> None:
        """Take back the last moves.

        Args:
            count: How many.

        Raises:
            LudothequeError: If there are not so many.
        """
        if not 0 <= count <= len(self.moves):
            raise LudothequeError(f"there are {len(self.moves)} moves to take back, not {count}")
        kept = self.moves[: len(self.moves) - count]
        self.buffer[:] = self._first
        for seat, move in kept:
            self.game.kernels.play(self.buffer, seat, move.id, self._ids)
        self.moves = kept
        self._look()
        self._followers.clear()

    def copy(self) -> Match:
        """The same match, to try something out."""
        twin = Match(self.game, self.names, self.options, self._first, self.key)
        twin.buffer[:] = self.buffer
        twin.moves = list(self.moves)
        twin._look()
        return twin

    def at(self, ply: int) -> Match:
        """The match as it was after some moves.

        Args:
            ply: After how many; 0 is the deal.

        Returns:
            A match of its own: this one stays as it is.

        Raises:
            LudothequeError: If there are not so many.
        """
        if not 0 <= ply <= len(self.moves):
            raise LudothequeError(f"the match has {len(self.moves)} moves, there is no moment {ply}")
        past = Match(self.game, self.names, self.options, self._first, self.key)
        for seat, move in self.moves[:ply]:
            past.play(move, seat)
        return past

    @property
    def scores(self) -> list[int]:
        """Points as they stand, by seat: whatever the game counts. In some games few are good."""
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
        self.game.kernels.result(self.buffer, scores, places)
        return scores[: self.num_seats].tolist(), places[: self.num_seats].tolist()

    @cached_property
    def commitment(self) -> str | None:
        """The SHA-256 of the key, which may be shown before the match ends."""
        return None if self.key is None else commitment(self.key)

    def concealed(self, seat: int | None) -> Buffer:
        """A copy of the record without anything the seat cannot know. What bots get.

        Args:
            seat: The seat; None is a spectator.
        """
        buf = self.buffer.copy()
        self.game.kernels.hide(buf, NOBODY if seat is None else self._check_seat(seat))
        return buf

    def events(self, seat: int | None = None) -> list[list[dict[str, Any]]]:
        """What happened, as a seat saw it.

        Args:
            seat: The seat; None is a spectator.

        Returns:
            A list of events for the deal, then one for every move. An event has a `type` and fields, which the game's
            page lists; what the seat may not know is None.
        """
        return self._follower(seat).steps

    def view(self, seat: int | None = None, lang: str = "en") -> dict[str, Any]:
        """Everything a front end needs to show the match to a seat, and nothing more.

        Args:
            seat: The seat; None is a spectator.
            lang: The language of the labels, `en` or `fr`.

        Returns:
            JSON: `ply`, `round`, `actor`, `over`, `scores`, `places`, `rounds`, the seat's `legal` moves, and `table`,
            whose fields the game's page lists.
        """
        from ludotheque.core.match_view import build_view

        return build_view(self, seat, lang)

    def log(self, lang: str = "en", seat: int | None = None) -> list[str]:
        """What happened in sentences, as a seat saw it.

        Args:
            lang: `en` or `fr`.
            seat: The seat; None is a spectator.
        """
        return [self.sentence(event, lang) for step in self.events(seat) for event in step]

    def sentence(self, event: Mapping[str, Any], lang: str = "en") -> str:
        """One event in words.

        Args:
            event: One of those that `events` gives.
            lang: `en` or `fr`.
        """
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

    def record(self, seat: int | None = None) -> records.Record:
        """The match as JSON, for files: `ludotheque.replay` and `ludotheque.verify` read it.

        Args:
            seat: Without one the match is told whole, with the key of its deal; with one, only what that seat saw.
        """
        from ludotheque.core.records import write_record

        return write_record(self, seat)

    def explain(self, move: str, seat: int | None = None) -> IllegalMove | None:
        """Why a move is not legal now.

        Args:
            move: A `Move` or its text.
            seat: Whose move; the actor's without it.

        Returns:
            The error that `play` would raise; None if the move is legal.

        Raises:
            InvalidMove: If it is no move of the game at all.
            MatchOver: If the match has ended.
        """
        action = self._action(move)
        if self.over:
            raise MatchOver(shared("en").say("errors.over"))
        seat = self.actor if seat is None else self._check_seat(seat)
        return None if action in self.legal_ids(seat) else self._refusal(seat, action)

    def _refusal(self, seat: int, action: int) -> IllegalMove:
        rule, key, params = self.game.views.explain(self.game.read(self.concealed(seat)), seat, action)
        given = {"move": self._made[action], "seat": seat, "other": self.actor, **params}
        text = self.game.catalogue("en").say(f"why.{key}", given, self.names)
        return IllegalMove(f"{text} [{rule}]" if rule else text, rule, key, given)

    def refusal_text(self, error: IllegalMove | InvalidMove, lang: str) -> str:
        """A refusal in a language.

        Args:
            error: What `play` raised or `explain` gave; of an `InvalidMove` one with a `key`.
            lang: `en` or `fr`.
        """
        text = self.game.catalogue(lang).say(f"why.{error.key}", error.params, self.names)
        return f"{text} [{error.rule}]" if error.rule else text

    def _action(self, move: str) -> int:
        """The action id of a move; where it is none, one that looks like it is suggested."""
        moves = self.game.moves
        try:
            return moves.parse(move).id
        except InvalidMove as error:
            near = nearest(move, moves.texts) if type(move) is str and len(moves) <= _FEW else None
            if near is None:
                raise
            raise InvalidMove(f"{error}; did you mean {near}?") from None

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

    def catch_up(self, moves: Sequence[tuple[int, Move]]) -> None:
        """Follow the moves not seen yet."""
        for seat, move in moves[len(self.steps) - 1 :]:
            self.game.kernels.play(self._buf, seat, move.id, self._ids)
            self.steps.append(self._seen())

    def _seen(self) -> list[dict[str, Any]]:
        buf = self._buf.copy()
        self.game.kernels.hide(buf, self.viewer)
        of = reader(self.game)
        s = of.read(buf)
        return [self.game.views.event(s, self.viewer, *numbers) for numbers in of.journal(buf)]
