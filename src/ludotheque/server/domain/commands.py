"""Commands: who asks a table for something, what they can ask for, and what is checked before there is a table."""

from __future__ import annotations

import msgspec

from ludotheque.bots.ladder import PLAYABLE
from ludotheque.core import registry
from ludotheque.core.errors import InvalidOptions, LudothequeError
from ludotheque.core.pad import has_pad, new_pad
from ludotheque.server.domain import events, protocol
from ludotheque.server.domain.names import clean_names
from ludotheque.server.domain.refusals import Refusal

MATCH, PAD = "match", "pad"

STAND_IN = "club"
"""Who plays for somebody who is away or has left."""


class Who(msgspec.Struct, frozen=True, gc=False):
    """Who sends a command: found out from a token or an identity, never from what the command says."""

    seat: int | None = None
    identity: str = ""
    name: str = ""
    """What a spectator is called."""
    can_write: bool = False
    """Whether they may write on a pad."""
    sender: str = ""
    """Whose message ids are theirs: a seat's holder, or the identity of somebody without a seat; empty: nobody's."""


# Commands that do not come over the network as they are.


class Sit(msgspec.Struct, gc=False):
    """Sit down with a fresh token."""

    name: str
    token: bytes
    """Its SHA-256."""
    seat: int | None = None
    id: str = ""
    avatar: str = ""


class Play(msgspec.Struct, gc=False):
    """A move that the room makes for a seat: a bot's, or the one made when time is up."""

    seat: int
    move: str
    seq: int
    by: str = ""
    id: str = ""


class StandIn(msgspec.Struct, gc=False):
    """Let a bot play for somebody who is away."""

    seat: int
    level: str = STAND_IN
    id: str = ""


class Return(msgspec.Struct, gc=False):
    """Play again oneself."""

    id: str = ""


class NewMatch(msgspec.Struct, gc=False):
    """Get ready for another match, with a fresh secret."""

    secret: bytes
    id: str = ""


Command = protocol.Request | Sit | Play | StandIn | Return | NewMatch


def check_new(wanted: protocol.NewTable, secret: bytes, owner: str, lot: int, now: float) -> events.Created:
    """The event that sets up a table, or a refusal."""
    try:
        game = registry.load(registry.check_id(wanted.game))
        if wanted.kind == PAD:
            if not has_pad(game.id):
                raise Refusal("no_pad")
            names = clean_names(wanted.players)
            game.options(len(names), wanted.options)  # also says that there must be players
            first = lot % len(names) if wanted.first is None else wanted.first
            pad = new_pad(game.id, names, first, lot, **wanted.options)
            num_seats, options = len(names), pad.options.to_json()
        else:
            names, first = [], 0
            num_seats = game.info.min_seats if wanted.seats is None else wanted.seats
            options = game.options(num_seats, wanted.options).to_json()
        for level in wanted.bots:
            check_level(level)
    except (LudothequeError, TypeError) as error:
        if isinstance(error, Refusal):
            raise
        cause = error if isinstance(error, LudothequeError) else InvalidOptions(str(error))
        raise Refusal("bad_options", {}, cause) from None
    return events.Created(
        at=now,
        game=game.id,
        num_seats=num_seats,
        options=options,
        secret=secret,
        owner=owner,
        public=wanted.public,
        lang=wanted.lang,
        clock=wanted.clock,
        title=check_text(wanted.title, 60) if wanted.title.strip() else "",
        kind=wanted.kind,
        names=tuple(names),
        first=first,
        lot=lot if wanted.kind == PAD else 0,
    )


def check_text(text: str, longest: int = protocol.MAX_SAID) -> str:
    """What somebody writes, on one line, without control characters."""
    line = " ".join(text.split())
    if not line or len(line) > longest or not line.isprintable():
        raise Refusal("bad_text", {"n": longest})
    return line


def check_level(level: str) -> str:
    if level not in PLAYABLE:
        raise Refusal("unknown_level", {"levels": list(PLAYABLE)})
    return level
