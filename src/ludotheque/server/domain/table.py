"""A table: the fold of its events, and the rules of the room.

`decide` says which event a command leads to, or refuses; `apply` makes it so. Nothing is applied before it is stored.
The same events give the same table anywhere.
"""

from __future__ import annotations

import hmac
import zlib
from collections.abc import Callable
from typing import Any

import msgspec

from ludotheque.bots.names import bot_name
from ludotheque.core import registry
from ludotheque.core.chance import key_from_seed
from ludotheque.core.errors import IllegalMove, InvalidMove, InvalidOptions, LudothequeError, MatchOver
from ludotheque.core.match import Match, check_names
from ludotheque.core.match_view import show_table
from ludotheque.core.pad import Pad, new_pad
from ludotheque.core.record import NOBODY
from ludotheque.server.domain import events, fairness, pad_table, protocol
from ludotheque.server.domain.commands import (
    MATCH,
    PAD,
    STAND_IN,
    Command,
    NewMatch,
    Play,
    Return,
    Sit,
    StandIn,
    Who,
    check_level,
    check_text,
)
from ludotheque.server.domain.events import Event, Stamp
from ludotheque.server.domain.names import clean_name, skeleton
from ludotheque.server.domain.refusals import Refusal, words

WAITING, PLAYING, OVER = "waiting", "playing", "over"
FREE, PERSON, BOT = "free", "person", "bot"

REMEMBERED = 64
"""How many of a sender's last messages are known by their ids, so that a repeated one does nothing."""
MAX_SENDERS = 256
"""Of how many senders, those who sent last; who has a seat is never forgotten."""


class Seat:
    """A seat at the table."""

    __slots__ = ("avatar", "contribution", "kind", "level", "name", "owner", "stand_in", "token")

    def __init__(self) -> None:
        self.free()

    def free(self) -> None:
        """Nobody sits here."""
        self.kind = FREE
        self.name = ""
        self.avatar = ""
        self.token = b""
        self.owner = ""
        self.level = ""
        self.stand_in = ""
        self.contribution = b""

    @property
    def bot(self) -> str:
        """The level of the bot that plays here now; empty if a person does."""
        return self.level if self.kind == BOT else self.stand_in

    @property
    def sender(self) -> str:
        """Whoever holds the seat, as a sender of messages."""
        return self.token.hex()[:16]


class Table:
    """The state of a table. `apply` its events in order, beginning with `Created`."""

    def __init__(self, table_id: str, created: events.Created) -> None:
        self.id = table_id
        self.seq = 1
        """How many events there are."""
        self.created = created
        self.game = registry.load(created.game)
        self.options = self.game.options(created.num_seats, created.options)
        self.secret = created.secret
        self.commitment = fairness.commit(created.secret)
        """What is shown of the secret before the deal."""
        self.match: Match | None = None
        self.pad: Pad | None = None
        self.match_no = 1
        self.match_seq = 1
        """After which event the match, or the pad, is as it is. Moves made for less are stale."""
        self.seats = [Seat() for _ in range(created.num_seats)] if created.kind == MATCH else []
        self.has_bots = False
        """Whether a bot plays on any seat."""
        self._contributions: list[bytes] = []
        self._proof: protocol.Proof | None = None
        """Once it has been asked for, until the next match."""
        self._done: dict[str, dict[str, None]] = {}
        """The ids of messages that were carried out, by sender; the oldest first."""
        if created.kind == PAD:
            names = list(created.names)
            self.pad = new_pad(self.game.id, names, created.first, created.lot, **self.options.to_json())

    # What can be asked.

    @property
    def status(self) -> str:
        """`waiting`, `playing` or `over`."""
        if self.pad is not None:
            return OVER if self.pad.over else PLAYING
        if self.match is None:
            return WAITING
        return OVER if self.match.over else PLAYING

    @property
    def title(self) -> str:
        """What the table is called; a pad after its players unless it was named."""
        return self.created.title or ("" if self.pad is None else ", ".join(self.pad.names))

    @property
    def people(self) -> list[int]:
        """The seats that belong to people."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == PERSON]

    def seat_of_token(self, token: bytes) -> int | None:
        """The seat whose token has this SHA-256. Every seat is compared, in constant time."""
        found = None
        for number, seat in enumerate(self.seats):
            if hmac.compare_digest(seat.token or b"-" * 32, token) and seat.kind == PERSON:
                found = number
        return found

    def seat_of_owner(self, identity: str) -> int | None:
        """The seat that an identity sits on."""
        if not identity:
            return None
        return next((n for n, s in enumerate(self.seats) if s.kind == PERSON and s.owner == identity), None)

    def is_owner(self, who: Who) -> bool:
        """Whether they set the table up."""
        return bool(who.identity) and who.identity == self.created.owner

    def who(self, seat: int | None, identity: str, name: str = "", can_write: bool = False) -> Who:
        """Somebody with an identity, on a seat or on none."""
        sender = identity if seat is None else self.seats[seat].sender
        return Who(seat, identity, name, can_write, sender)

    def is_done(self, who: Who, message_id: str) -> bool:
        """Whether this message was carried out already."""
        return message_id in self._done.get(who.sender, ())

    def bots_to_move(self) -> list[int]:
        """The seats with a move now on which a bot plays, the one at turn first."""
        if self.match is None or self.match.over:
            return []
        actor = self.match.actor
        seats = [actor] + [seat for seat in self.match.movers() if seat != actor]
        return [seat for seat in seats if self.seats[seat].bot]

    def info(self) -> protocol.TableInfo:
        """What everybody may know besides the cards."""
        created = self.created
        return protocol.TableInfo(
            id=self.id,
            kind=created.kind,
            game=created.game,
            rules_version=self.game.info.rules_version,
            status=self.status,
            seats=[
                protocol.SeatInfo(seat.kind, seat.name or None, seat.bot or None, bool(seat.contribution), seat.avatar)
                for seat in self.seats
            ],
            options=created.options,
            public=created.public,
            lang=created.lang,
            created=created.at,
            match=self.match_no,
            commitment=self.commitment,
            title=self.title,
            clock=created.clock,
            deal=self.match.commitment if self.match is not None else None,
            proof=self.proof(),
        )

    def summary(self, now: float) -> protocol.Summary:
        """A line in the list of tables."""
        taken = sum(seat.kind != FREE for seat in self.seats) if self.pad is None else self.created.num_seats
        created = self.created
        return protocol.Summary(self.id, created.game, self.title, self.status, taken, created.num_seats, round(now, 3))

    def proof(self) -> protocol.Proof | None:
        """What lets anyone check the deal; None before the match is over."""
        if self.match is None or not self.match.over or self.match.key is None:
            return None
        if self._proof is None:
            contributions = [seat.hex() for seat in self._contributions]
            key = self.match.key.astype("<u4").tobytes().hex()
            self._proof = protocol.Proof(self.commitment, self.secret.hex(), contributions, key)
        return self._proof

    def record(self, seat: int | None) -> dict[str, Any]:
        """The record of the match: whole once it is over, else what a seat saw of it."""
        if self.match is None:
            raise Refusal("not_started")
        if self.match.over:
            return dict(self.match.copy().record())
        if seat is None:
            raise Refusal("not_over")
        return dict(self.match.copy().record(seat))

    # What can be done.

    def decide(self, command: Command, who: Who, now: float) -> Event:
        """The event that a command leads to. A `Refusal` says why there is none."""
        handler = _HANDLERS.get(type(command))
        if handler is None:
            raise Refusal("bad_message")
        return handler(self, command, who, {"at": now, "id": command.id, "sender": who.sender})

    def _seat(self, who: Who) -> int:
        if who.seat is None or who.seat >= len(self.seats) or self.seats[who.seat].kind != PERSON:
            raise Refusal("not_seated")
        return who.seat

    def _running(self) -> Match:
        if self.match is None:
            raise Refusal("not_started")
        if self.match.over:
            raise Refusal("match_over", cause=MatchOver())
        return self.match

    def _waiting(self) -> None:
        if self.pad is not None:
            raise Refusal("is_pad")
        if self.match is not None:
            raise Refusal("already_started")

    def check_fresh(self, seq: int) -> None:
        """Refuse what was meant for another state of the match or pad."""
        if seq < self.match_seq:
            raise Refusal("stale")
        if seq > self.seq:
            raise Refusal("from_the_future")

    def _move(self, command: protocol.Move, who: Who, stamp: Stamp) -> Event:
        seat = self._seat(who)
        match = self._running()
        self.check_fresh(command.seq)
        return events.Moved(seat, self._legal(match, command.move, seat), **stamp)

    def _play(self, command: Play, who: Who, stamp: Stamp) -> Event:
        match = self._running()
        self.check_fresh(command.seq)
        return events.Moved(command.seat, self._legal(match, command.move, command.seat), command.by, **stamp)

    def may_hasten(self, who: Who) -> None:
        """Refuse unless who asks is out of the match, and only bots are left to play."""
        match = self._running()
        out = show_table(match.game, match.state, NOBODY).get("out", ())
        if self._seat(who) not in out:
            raise Refusal("not_out")
        if any(seat not in out for seat in self.people):
            raise Refusal("others_play")

    def why(self, command: protocol.Why, who: Who) -> None:
        """Refuse as the move would be refused; nothing happens if it can be played."""
        self._legal(self._running(), command.move, self._seat(who))

    def _legal(self, match: Match, wanted: str | int, seat: int) -> int:
        """The action id of a move, if it is legal. Over the network a move is its text or its id."""
        try:
            move = match.game.moves.parse(wanted) if type(wanted) is str else match.game.move(wanted)
            if match.allows(move, seat):
                return move.id
            why = match.explain(move, seat)
        except InvalidMove as error:
            raise Refusal("not_a_move", {"move": f"{wanted!s:.60}"}, error) from None
        assert isinstance(why, IllegalMove)
        raise Refusal("illegal", cause=why)

    def _sit(self, command: Sit, who: Who, stamp: Stamp) -> Event:
        if self.pad is not None:
            raise Refusal("is_pad")
        if self.seat_of_owner(who.identity) is not None:
            raise Refusal("seated_already")
        number = command.seat
        if number is None:
            number = next((n for n, seat in enumerate(self.seats) if seat.kind == FREE), None)
            if number is None:
                raise Refusal("no_free_seat")
        self._check_number(number)
        if self.seats[number].kind == PERSON:
            raise Refusal("seat_taken")
        name = self._name(command.name, number)
        return events.Seated(number, name, command.token, who.identity, command.avatar, **stamp)

    def _check_number(self, number: int) -> None:
        if not 0 <= number < len(self.seats):
            raise Refusal("no_such_seat", {"n": len(self.seats) - 1})

    def _name(self, name: str, number: int) -> str:
        try:
            name = clean_name(name)
        except InvalidOptions as error:
            raise Refusal("bad_name", cause=error) from None
        if skeleton(name) in map(skeleton, self._names_beside(number)):
            raise Refusal("name_taken", {"name": name})
        return name

    def bot_name(self, number: int) -> str:
        """What a bot on a seat is called."""
        taken = {skeleton(name) for name in self._names_beside(number)}
        otherwise = words(self.created.lang).say("bot")
        return bot_name(lambda name: skeleton(name) in taken, otherwise, zlib.crc32(self.id.encode()))

    def _names_beside(self, number: int) -> list[str]:
        """What the others at the table are called, and in the match."""
        names = [seat.name for n, seat in enumerate(self.seats) if n != number and seat.kind != FREE]
        return names + ([] if self.match is None else [name for n, name in enumerate(self.match.names) if n != number])

    def _add_bot(self, command: protocol.AddBot, who: Who, stamp: Stamp) -> Event:
        self._may_arrange(who)
        self._waiting()
        self._check_number(command.seat)
        if self.seats[command.seat].kind != FREE:
            raise Refusal("seat_taken")
        level = check_level(command.level)
        return events.BotSeated(command.seat, self.bot_name(command.seat), level, **stamp)

    def _may_arrange(self, who: Who) -> None:
        """Whoever sits here, or has set the table up, may arrange it."""
        if who.seat is None and not self.is_owner(who):
            raise Refusal("not_seated")

    def _remove_bot(self, command: protocol.RemoveBot, who: Who, stamp: Stamp) -> Event:
        self._may_arrange(who)
        self._waiting()
        self._check_number(command.seat)
        if self.seats[command.seat].kind != BOT:
            raise Refusal("no_bot_there")
        return events.Left(command.seat, **stamp)

    def _take_seat(self, command: protocol.TakeSeat, who: Who, stamp: Stamp) -> Event:
        seat = self._seat(who)
        self._waiting()
        self._check_number(command.seat)
        if self.seats[command.seat].kind == PERSON:
            raise Refusal("seat_taken")
        return events.TookSeat(command.seat, seat, **stamp)

    def _arrange(self, command: protocol.Arrange, who: Who, stamp: Stamp) -> Event:
        if not self.is_owner(who):
            raise Refusal("not_owner")
        self._waiting()
        created = self.created
        num_seats = created.num_seats if command.seats is None else command.seats
        if any(seat.kind != FREE for seat in self.seats[num_seats:]):
            raise Refusal("seat_taken")
        wanted = created.options if command.options is None else {**created.options, **command.options}
        try:
            options = self.game.options(num_seats, wanted).to_json()
        except (LudothequeError, TypeError) as error:
            cause = error if isinstance(error, InvalidOptions) else InvalidOptions(str(error))
            raise Refusal("bad_options", {}, cause) from None
        clock = created.clock if command.clock is None else command.clock
        public = created.public if command.public is None else command.public
        return events.Arranged(options, num_seats, clock, public, **stamp)

    def _leave(self, command: protocol.Leave, who: Who, stamp: Stamp) -> Event:
        seat = self._seat(who)
        if self.status != PLAYING:
            return events.Left(seat, **stamp)
        return events.Left(seat, self.bot_name(seat), STAND_IN, **stamp)

    def _contribute(self, command: protocol.Contribute, who: Who, stamp: Stamp) -> Event:
        seat = self._seat(who)
        self._waiting()
        if self.seats[seat].contribution:
            raise Refusal("contributed_already")
        return events.Contributed(seat, bytes.fromhex(command.value), **stamp)

    def _start(self, command: protocol.Start, who: Who, stamp: Stamp) -> Event:
        self._may_arrange(who)
        self._waiting()
        if any(seat.kind == FREE for seat in self.seats):
            raise Refusal("seats_open")
        return events.Started(self.game.info.rules_version, **stamp)

    def _new_match(self, command: NewMatch, who: Who, stamp: Stamp) -> Event:
        self._may_arrange(who)
        if self.pad is not None:
            raise Refusal("is_pad")
        if self.status != OVER:
            raise Refusal("not_over")
        return events.Rematched(command.secret, **stamp)

    def _undo(self, command: protocol.Undo, who: Who, stamp: Stamp) -> Event:
        seat = self._seat(who)
        if self.match is None:
            raise Refusal("not_started")
        if self.people != [seat] or self.match.over:
            raise Refusal("cannot_undo")
        self.check_fresh(command.seq)
        own = [ply for ply, (mover, _) in enumerate(self.match.moves) if mover == seat]
        if not own:
            raise Refusal("nothing_to_undo")
        return events.Undone(own[-1], seat, **stamp)

    def _say(self, command: protocol.Say, who: Who, stamp: Stamp) -> Event:
        text = check_text(command.text)
        seat, name = self._speaker(who)
        return events.Said(text, seat, name, **stamp)

    def _react(self, command: protocol.React, who: Who, stamp: Stamp) -> Event:
        if command.mark not in protocol.MARKS:
            raise Refusal("bad_mark", {"marks": list(protocol.MARKS)})
        seat, name = self._speaker(who)
        return events.Reacted(command.mark, seat, name, **stamp)

    def _speaker(self, who: Who) -> tuple[int, str]:
        if who.seat is None:
            return -1, who.name
        return who.seat, self.seats[self._seat(who)].name

    def _stand_in(self, command: StandIn, who: Who, stamp: Stamp) -> Event:
        self._running()
        seat = self.seats[command.seat]
        if seat.kind != PERSON or seat.stand_in:
            raise Refusal("seat_taken")
        return events.StoodIn(command.seat, command.level, **stamp)

    def _return(self, command: Return, who: Who, stamp: Stamp) -> Event:
        seat = self._seat(who)
        if not self.seats[seat].stand_in:
            raise Refusal("not_away")
        return events.Returned(seat, **stamp)

    # What has happened.

    def apply(self, event: Event) -> None:
        """Make a stored event so."""
        kind = type(event)
        _APPLY[kind](self, event)
        self.seq += 1
        if kind in _CHANGES_MATCH:
            self.match_seq = self.seq
        if kind is not events.Moved:
            self.has_bots = any(seat.bot for seat in self.seats)
        if event.id and event.sender:
            self._remember(event.sender, event.id)

    def _remember(self, sender: str, message_id: str) -> None:
        """Remember that a message was carried out."""
        ids = self._done[sender] = self._done.pop(sender, {})  # last, as the latest
        ids[message_id] = None
        if len(ids) > REMEMBERED:
            del ids[next(iter(ids))]
        if len(self._done) > MAX_SENDERS:
            seated = {seat.sender for seat in self.seats}
            del self._done[next(one for one in self._done if one not in seated)]

    def _moved(self, event: events.Moved) -> None:
        assert self.match is not None
        self.match.play(self.match.game.moves.made[event.action], event.seat)

    def _seated(self, event: events.Seated) -> None:
        seat = self.seats[event.seat]
        seat.free()
        seat.kind, seat.name, seat.token, seat.owner = PERSON, event.name, event.token, event.owner
        seat.avatar = event.avatar

    def _bot_seated(self, event: events.BotSeated) -> None:
        seat = self.seats[event.seat]
        seat.free()
        seat.kind, seat.name, seat.level = BOT, event.name, event.level

    def _left(self, event: events.Left) -> None:
        seat = self.seats[event.seat]
        seat.free()
        if event.level:
            seat.kind, seat.name, seat.level = BOT, event.name, event.level

    def _took_seat(self, event: events.TookSeat) -> None:
        seats = self.seats
        seats[event.seat], seats[event.left] = seats[event.left], seats[event.seat]

    def _arranged(self, event: events.Arranged) -> None:
        self.created = msgspec.structs.replace(
            self.created, options=event.options, num_seats=event.num_seats, clock=event.clock, public=event.public
        )
        self.options = self.game.options(event.num_seats, event.options)
        del self.seats[event.num_seats :]
        self.seats += [Seat() for _ in range(event.num_seats - len(self.seats))]

    def _contributed(self, event: events.Contributed) -> None:
        self.seats[event.seat].contribution = event.value

    def _started(self, event: events.Started) -> None:
        if event.rules_version != self.game.info.rules_version:
            raise Refusal("old_rules")
        # Kept apart from the seats: people may leave before the deal is checked.
        self._contributions = [seat.contribution for seat in self.seats]
        names = check_names([seat.name for seat in self.seats])
        key = key_from_seed(fairness.mix(self.secret, self._contributions))
        self.match = Match.start(self.game, names, self.options, key)  # as `Game.new` does with options to be checked

    def _undone(self, event: events.Undone) -> None:
        assert self.match is not None
        self.match.undo(len(self.match.moves) - event.ply)

    def _nothing(self, event: Event) -> None:
        pass

    def _stood_in(self, event: events.StoodIn) -> None:
        self.seats[event.seat].stand_in = event.level

    def _returned(self, event: events.Returned) -> None:
        self.seats[event.seat].stand_in = ""

    def _rematched(self, event: events.Rematched) -> None:
        self.match = None
        self.match_no += 1
        self.secret = event.secret
        self.commitment = fairness.commit(event.secret)
        self._proof = None
        for seat in self.seats:
            seat.contribution = b""
            seat.stand_in = ""

    def _broken(self, event: events.Broken) -> None:
        raise Refusal("broken")

    def _pad_changed(self, event: Event) -> None:
        assert self.pad is not None
        self.pad = pad_table.after(self.pad, event)


def fold(table_id: str, stored: list[Event], until: Callable[[Table], bool] | None = None) -> Table:
    """The table that stored events make; if asked, only up to a moment."""
    first = stored[0]
    assert isinstance(first, events.Created)
    table = Table(table_id, first)
    for event in stored[1:]:
        if until is not None and until(table) and isinstance(event, events.Rematched):
            break
        table.apply(event)
    return table


_HANDLERS: dict[type, Callable[[Table, Any, Who, Stamp], Event]] = {
    protocol.Move: Table._move,
    protocol.Say: Table._say,
    protocol.React: Table._react,
    protocol.Contribute: Table._contribute,
    protocol.AddBot: Table._add_bot,
    protocol.RemoveBot: Table._remove_bot,
    protocol.TakeSeat: Table._take_seat,
    protocol.Arrange: Table._arrange,
    protocol.Leave: Table._leave,
    protocol.Start: Table._start,
    protocol.Undo: Table._undo,
    **pad_table.HANDLERS,
    Sit: Table._sit,
    Play: Table._play,
    StandIn: Table._stand_in,
    Return: Table._return,
    NewMatch: Table._new_match,
}

_APPLY: dict[type, Callable[[Table, Any], None]] = {
    events.Moved: Table._moved,
    events.Seated: Table._seated,
    events.BotSeated: Table._bot_seated,
    events.Left: Table._left,
    events.TookSeat: Table._took_seat,
    events.Arranged: Table._arranged,
    events.Contributed: Table._contributed,
    events.Started: Table._started,
    events.Undone: Table._undone,
    events.Said: Table._nothing,
    events.Reacted: Table._nothing,
    events.StoodIn: Table._stood_in,
    events.Returned: Table._returned,
    events.Rematched: Table._rematched,
    events.Broken: Table._broken,
    **dict.fromkeys(pad_table.EVENTS, Table._pad_changed),
}

_CHANGES_MATCH = {
    events.Moved,
    events.Started,
    events.Undone,
    events.Rematched,
    *pad_table.EVENTS,
}
