"""The events a table consists of, as they are stored: the only place that knows their keys.

They hold secrets; `redact.py` makes of them what others may read.
"""

from __future__ import annotations

from typing import Any, TypedDict

import msgspec


class Stamp(TypedDict):
    """What every event says besides what happened."""

    at: float
    id: str
    sender: str


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag=str.lower, gc=False):
    """Something that happened at a table."""

    at: float
    """When, in seconds since 1970. For people to read; nothing is decided by it."""
    id: str = ""
    """The id of the message that led to it; empty: the room did it by itself."""
    sender: str = ""
    """Who sent that message, see `Who.sender`."""


class Created(Event, frozen=True):
    """A table was set up."""

    game: str
    num_seats: int
    options: dict[str, Any]
    secret: bytes
    """What the first deal is committed to."""
    owner: str
    """Who set it up: an identity."""
    public: bool = False
    lang: str = "en"
    """The language bots are named in."""
    clock: int = 0
    """Seconds for a turn; 0 for no clock."""
    title: str = ""
    kind: str = "match"
    """`match`, or `pad` for the score sheet of a real table."""
    names: tuple[str, ...] = ()
    """Of a pad: the players, who sit at a real table."""
    first: int = 0
    """Of a pad: who deals first, or begins."""
    lot: int = 0
    """Of a pad: what it draws by lot comes from this."""


class Seated(Event, frozen=True):
    """A person sat down on a free seat, or in place of a bot."""

    seat: int
    name: str
    token: bytes
    """The SHA-256 of the seat's secret token."""
    owner: str
    avatar: str = ""


class BotSeated(Event, frozen=True):
    """A bot sat down."""

    seat: int
    name: str
    level: str


class Left(Event, frozen=True):
    """A seat is free again; once the match has begun a bot plays on in it."""

    seat: int
    name: str = ""
    """The bot that plays on; empty if the seat is free."""
    level: str = ""


class TookSeat(Event, frozen=True):
    """A person moved to a free seat, or changed places with a bot."""

    seat: int
    left: int
    """Where they sat before."""


class Arranged(Event, frozen=True):
    """The table was set up differently before a deal."""

    options: dict[str, Any]
    num_seats: int
    clock: int
    public: bool


class Contributed(Event, frozen=True):
    """A person's device added its random bytes to the deal."""

    seat: int
    value: bytes


class Started(Event, frozen=True):
    """The cards were dealt."""

    rules_version: int


class Moved(Event, frozen=True):
    """A move was played."""

    seat: int
    action: int
    by: str = ""
    """Empty: the seat itself; `bot`: a bot in its place; `clock`: time was up."""


class Undone(Event, frozen=True):
    """Moves were taken back."""

    ply: int
    """So many moves are left."""
    seat: int


class Said(Event, frozen=True):
    """Somebody said something."""

    text: str
    seat: int = -1
    """-1: a spectator."""
    name: str = ""


class Reacted(Event, frozen=True):
    """Somebody showed a reaction."""

    mark: str
    seat: int = -1
    name: str = ""


class StoodIn(Event, frozen=True):
    """A bot plays for a person who is away."""

    seat: int
    level: str


class Returned(Event, frozen=True):
    """The person plays again."""

    seat: int


class Rematched(Event, frozen=True):
    """The table gets ready for another match."""

    secret: bytes


class PadEntered(Event, frozen=True):
    """A line was written on the score pad."""

    entry: dict[str, Any]
    index: int = -1
    """The entry that it replaces; -1: it is a new one."""
    insert: bool = False
    """Whether it comes before that entry instead."""


class PadBack(Event, frozen=True):
    """A line of the score pad was removed."""

    index: int = -1
    """Which; -1: the last one."""


class PadMoved(Event, frozen=True):
    """A line of the score pad has another place."""

    index: int
    to: int


class PadRenamed(Event, frozen=True):
    """The names on the score pad have changed."""

    names: tuple[str, ...]


class Broken(Event, frozen=True):
    """A rule did not end at this table: nothing more is done there."""


Stored = (
    Created
    | Seated
    | BotSeated
    | Left
    | TookSeat
    | Arranged
    | Contributed
    | Started
    | Moved
    | Undone
    | Said
    | Reacted
    | StoodIn
    | Returned
    | Rematched
    | Broken
    | PadEntered
    | PadBack
    | PadMoved
    | PadRenamed
)
"""Every kind of event."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Stored).decode


def encode(event: Event) -> str:
    """An event as JSON."""
    return _encode(event).decode()


def decode(data: str | bytes) -> Event:
    """An event from its JSON."""
    event: Event = _decode(data)
    return event
