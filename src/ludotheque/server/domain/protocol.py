"""Every message that goes over the network, defined once. OpenAPI, JSON Schema and the browser's types come from here.

A client opens the WebSocket of a table and says `hello`. Each of its messages carries an `id` of its own choice, and
those that change the match also the `seq` of the table that they were made for.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

Id = Annotated[str, Meta(min_length=1, max_length=40, description="the client's own name for this message")]
Seq = Annotated[int, Meta(ge=0, le=2**53, description="how many events the table had when the message was made")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Avatar = Annotated[str, Meta(max_length=20, pattern="^[0-9a-z]*$", description="what the avatar is drawn from")]
Lang = Annotated[str, Meta(pattern="^(en|fr)$", description="en or fr")]
Secret = Annotated[str, Meta(min_length=16, max_length=100)]

MARKS = ("thumb", "clap", "smile", "laugh", "wow", "sad", "think", "heart", "party", "wave")
"""The reactions, by name: every front end has its own drawings and words for them."""
MAX_SAID = 500


class Message(msgspec.Struct, tag_field="type", omit_defaults=True, gc=False):
    """A message of either side."""


# What clients send over the WebSocket.


class Hello(Message, tag="hello"):
    """The first message. Who somebody is comes from the token or the browser's identity, never from the message."""

    lang: Lang = "en"
    token: Secret | None = None
    """The secret token of a seat."""
    key: Secret | None = None
    """The secret of a link, to watch a table that is not public, or to write on its pad."""
    after: Seq | None = None
    """The last `seq` seen: everything after it is sent again."""
    pauses: bool = False
    """Whether the person says `ready` after each round: bots and clocks wait for that, for a time."""


class Move(Message, tag="move"):
    """Play a move: its notation, or its number."""

    id: Id
    seq: Seq
    move: Annotated[str, Meta(max_length=200)] | int


class Say(Message, tag="say"):
    """Say something to everybody at the table."""

    id: Id
    text: Annotated[str, Meta(min_length=1, max_length=MAX_SAID)]


class React(Message, tag="react"):
    """Show a reaction."""

    id: Id
    mark: Annotated[str, Meta(max_length=8)]


class Contribute(Message, tag="contribute"):
    """Add random bytes of one's own to the next deal, in hexadecimal."""

    id: Id
    value: Annotated[str, Meta(pattern="^([0-9a-f]{2}){16,64}$")]


class AddBot(Message, tag="add_bot"):
    """Seat a bot."""

    id: Id
    seat: SeatNumber
    level: Annotated[str, Meta(max_length=20)] = "club"


class RemoveBot(Message, tag="remove_bot"):
    """Free a bot's seat."""

    id: Id
    seat: SeatNumber


class TakeSeat(Message, tag="take_seat"):
    """Move to a free seat before the deal, or change places with a bot."""

    id: Id
    seat: SeatNumber


class Arrange(Message, tag="arrange"):
    """Set the table up differently before the deal; only whoever made it can. What is left out stays."""

    id: Id
    options: dict[str, Any] | None = None
    seats: Annotated[int, Meta(ge=1, le=15)] | None = None
    clock: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    public: bool | None = None


class Leave(Message, tag="leave"):
    """Give up one's seat for good."""

    id: Id


class Start(Message, tag="start"):
    """Deal. All seats must be taken."""

    id: Id


class Rematch(Message, tag="rematch"):
    """Get ready for another match with the same people."""

    id: Id


class Undo(Message, tag="undo"):
    """Take back one's last move, at a table with one person and bots."""

    id: Id
    seq: Seq


class Why(Message, tag="why"):
    """Ask whether a move can be played now: `ack`, or `refused` as the move would be. Nothing is played."""

    id: Id
    move: Annotated[str, Meta(max_length=200)] | int


class Hint(Message, tag="hint"):
    """Ask the expert for advice. Only who asks is answered."""

    id: Id


class Ready(Message, tag="ready"):
    """Press on after a round."""

    id: Id


class Hasten(Message, tag="hasten"):
    """Let bots play faster, or at once to the end: from somebody who is out, when nobody else is left to play."""

    id: Id
    to_the_end: bool = False


Index = Annotated[int, Meta(ge=0, le=10_000)]
"""The number of an entry; 0 is the first."""


class Enter(Message, tag="enter"):
    """Write on the score pad: a new entry, one that replaces another, or one before another."""

    id: Id
    seq: Seq
    entry: dict[str, Any]
    index: Index | None = None
    """The entry that it replaces; left out: it is the next one."""
    insert: bool = False
    """Whether it comes before entry `index` instead."""
    confirmed: Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(max_length=10)] = []
    """The keys of questions that were answered with yes."""


class Wipe(Message, tag="wipe"):
    """Remove an entry of the score pad."""

    id: Id
    seq: Seq
    index: Index | None = None
    """Which; left out: the last one."""


class Reorder(Message, tag="reorder"):
    """Move an entry of the score pad to another place."""

    id: Id
    seq: Seq
    index: Index
    to: Index


class Rename(Message, tag="rename"):
    """Change the names on the score pad."""

    id: Id
    seq: Seq
    names: Annotated[list[Name], Meta(max_length=15)]


class Check(Message, tag="check"):
    """Ask what can be said of an entry while it is being written: `checked`. Nothing is written."""

    id: Id
    entry: dict[str, Any]
    index: Index | None = None
    """The entry in whose place it would stand; left out: it is the next one."""


class Ping(Message, tag="ping"):
    """Are you there?"""

    id: Id


Request = (
    Move
    | Say
    | React
    | Contribute
    | AddBot
    | RemoveBot
    | TakeSeat
    | Arrange
    | Leave
    | Start
    | Rematch
    | Undo
    | Why
    | Hint
    | Ready
    | Hasten
    | Enter
    | Wipe
    | Reorder
    | Rename
    | Check
    | Ping
)
"""What a client sends after its `hello`."""


# Events of a table, as the reader may know them.


class TableEvent(Message):
    """Something that happened at the table."""

    seq: int
    at: float


class Seated(TableEvent, tag="seated"):
    """A person sat down."""

    seat: int
    name: str


class BotSeated(TableEvent, tag="bot_seated"):
    """A bot sat down."""

    seat: int
    name: str
    level: str


class Left(TableEvent, tag="left"):
    """A seat became free; or, during a match, a bot's."""

    seat: int
    name: str | None = None
    level: str | None = None


class TookSeat(TableEvent, tag="took_seat"):
    """A person moved to another seat; a bot that sat there has theirs now."""

    seat: int
    left: int
    """Where they sat before."""


class Arranged(TableEvent, tag="arranged"):
    """The table was set up differently; it comes along."""


class Contributed(TableEvent, tag="contributed"):
    """A device added to the next deal."""

    seat: int


class Proof(msgspec.Struct, gc=False):
    """What lets anyone check the deal, once the match is over."""

    commitment: str
    secret: str
    contributions: list[str]
    key: str


class Started(TableEvent, tag="started"):
    """The cards were dealt."""

    match: int
    deal: str
    """The SHA-256 of the key of the deal."""
    seen: list[dict[str, Any]] = []
    """What the reader saw of it, as the game's own events, with sentences."""


class Moved(TableEvent, tag="moved"):
    """A move was played."""

    seat: int
    move: str
    by: str | None = None
    """`bot`: by a bot in the seat's place; `clock`: time was up."""
    seen: list[dict[str, Any]] = []
    proof: Proof | None = None
    """With the last move of a match."""


class Undone(TableEvent, tag="undone"):
    """Moves were taken back."""

    seat: int
    ply: int


class Said(TableEvent, tag="said"):
    """Somebody said something; without a seat: a spectator."""

    text: str
    name: str
    seat: int | None = None


class Reacted(TableEvent, tag="reacted"):
    """Somebody showed a reaction."""

    mark: str
    name: str
    seat: int | None = None


class StoodIn(TableEvent, tag="stood_in"):
    """A bot plays for somebody who is away."""

    seat: int
    level: str


class Returned(TableEvent, tag="returned"):
    """Somebody is back and plays again."""

    seat: int


class Rematched(TableEvent, tag="rematched"):
    """The table gets ready for another match, whose deal is committed to."""

    match: int
    commitment: str


class Entered(TableEvent, tag="entered"):
    """The score pad has a new entry, or another one in the place of an old one."""

    entry: dict[str, Any]
    index: int
    inserted: bool = False
    """Whether those after it have moved on."""


class Wiped(TableEvent, tag="wiped"):
    """An entry of the score pad was removed."""

    index: int


class Reordered(TableEvent, tag="reordered"):
    """An entry of the score pad has another place."""

    index: int
    to: int


class Renamed(TableEvent, tag="renamed"):
    """The names on the score pad have changed."""

    names: list[str]


Happened = (
    Seated
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
    | Entered
    | Wiped
    | Reordered
    | Renamed
)


class SeatInfo(msgspec.Struct, omit_defaults=True, gc=False):
    """A seat at a table."""

    kind: str
    """`free`, `person` or `bot`."""
    name: str | None = None
    level: str | None = None
    """The bot's level; of a person's seat: a bot plays there while they are away."""
    contributed: bool = False
    avatar: str = ""
    """What the person's avatar is drawn from; empty: the name."""


class TableInfo(msgspec.Struct, omit_defaults=True):
    """What everybody may know of a table besides the cards."""

    id: str
    kind: str
    game: str
    rules_version: int
    status: str
    """`waiting`, `playing` or `over`."""
    seats: list[SeatInfo]
    options: dict[str, Any]
    public: bool
    lang: str
    created: float
    match: int
    """Which match of the table this is; 1 is the first."""
    commitment: str
    """The SHA-256 of the server's secret for the deal."""
    title: str = ""
    clock: int = 0
    deal: str | None = None
    """The SHA-256 of the key, once dealt."""
    proof: Proof | None = None


View = dict[str, Any]
"""A match as one seat or a spectator may see it (docs/protocol.md), or a score pad."""


# What the server sends over the WebSocket.


class Welcome(Message, tag="welcome"):
    """The answer to `hello`: the table as it is, and what happened since `after`."""

    seq: int
    table: TableInfo
    events: list[Happened]
    seat: int | None = None
    """The reader's seat; without it: a spectator."""
    view: View | None = None
    here: list[int] = []
    """The seats whose people are connected."""
    watching: int = 0
    clock: float | None = None
    """Seconds left for this turn."""
    waiting: list[int] = []
    """During the pause after a round: the seats that have not pressed on yet."""
    can_write: bool = False
    can_arrange: bool = False
    """Whether the reader made the table, and may set it up differently before the deal."""


class Update(Message, tag="update"):
    """Something happened. `re` is the message of the reader that did it, which is now stored for good."""

    seq: int
    events: list[Happened]
    view: View | None = None
    table: TableInfo | None = None
    """If more changed than the match."""
    clock: float | None = None
    waiting: list[int] = []
    """If a round was closed and there is a pause: the seats that are to press on."""
    re: str | None = None


class Ack(Message, tag="ack"):
    """The message was understood, and is stored if there was anything to store."""

    re: str
    seq: int


class Refused(Message, tag="refused"):
    """The message was refused and nothing changed. `code` is for programs, `text` for people."""

    code: str
    text: str
    seq: int
    re: str | None = None
    rule: str | None = None
    view: View | None = None
    """After a stale move: the match as it is now."""
    field: str | None = None
    """On a score pad: the field that it is about,"""
    seats: list[int] = []
    """and whose values; empty: those of all."""
    question: str | None = None
    """The entry can be but hardly is: `text` asks, and the entry is written if this key is among its `confirmed`."""


class Advice(msgspec.Struct, gc=False):
    """A move the expert considered."""

    move: str
    label: str
    win: float | None
    """Chance to win the match; null if it is not known to two points in a hundred."""
    equal: bool
    """Whether it is as good as the first, as far as can be told."""


class Hinted(Message, tag="hinted"):
    """The expert's advice, best move first."""

    re: str
    seq: int
    moves: list[Advice]
    reason: str
    """Why the first is good, in sentences; empty if the game has no word for it."""


class PadProblem(msgspec.Struct, omit_defaults=True, gc=False):
    """What is wrong with an entry of a score pad, and where."""

    text: str
    field: str = ""
    """Empty: the entry as a whole."""
    seats: list[int] = []
    """Whose values; empty: those of all."""
    rule: str | None = None


class Checked(Message, tag="checked"):
    """What can be said of an entry that is being written."""

    re: str
    seq: int
    values: dict[str, Any]
    """What could be read, worked out where that was asked for; null elsewhere."""
    errors: list[PadProblem]
    missing: list[PadProblem]


class Presence(Message, tag="presence"):
    """Who is connected."""

    here: list[int]
    watching: int


class Paused(Message, tag="paused"):
    """Somebody has pressed on, or is gone. Without `waiting` the pause after the round is over."""

    waiting: list[int] = []
    """The seats that have not pressed on yet."""
    clock: float | None = None
    """Seconds left for this turn."""


class Bye(Message, tag="bye"):
    """The last message before the server closes the connection."""

    code: str
    text: str


Answer = Welcome | Update | Ack | Refused | Hinted | Checked | Presence | Paused | Bye


# Bodies of HTTP requests and answers.


class Problem(msgspec.Struct, omit_defaults=True):
    """Why a request was refused."""

    code: str
    text: str
    rule: str | None = None


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to set up."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[int, Meta(ge=1, le=15)] | None = None
    """How many play; the fewest the game takes if left out."""
    options: dict[str, Any] = {}
    public: bool = False
    name: Name | None = None
    """Sit down at once under this name."""
    avatar: Avatar = ""
    bots: list[Annotated[str, Meta(max_length=20)]] = []
    """Levels of bots, seated from the last seat backwards."""
    clock: Annotated[int, Meta(ge=0, le=86_400)] = 0
    title: Annotated[str, Meta(max_length=60)] = ""
    lang: Lang = "en"
    kind: Annotated[str, Meta(pattern="^(match|pad)$")] = "match"
    players: list[Name] = []
    """Of a pad: who plays at the real table, clockwise."""
    first: SeatNumber | None = None
    """Of a pad: the seat that deals first or begins; drawn by lot if left out."""


class TableMade(msgspec.Struct, omit_defaults=True):
    """A new table, with the secrets of its links."""

    table: TableInfo
    join: str
    """The secret that lets others sit down (at a public table nobody needs it)."""
    watch: str
    """The secret that lets others watch."""
    seat: int | None = None
    token: str | None = None
    """The secret token of the seat taken."""


class Joining(msgspec.Struct, forbid_unknown_fields=True):
    """Sit down."""

    name: Name
    seat: SeatNumber | None = None
    """Any free seat if left out."""
    key: Secret | None = None
    """The secret of the link, unless the table is public."""
    avatar: Avatar = ""


class Joined(msgspec.Struct):
    """A seat of one's own."""

    seat: int
    token: str
    table: TableInfo


class Botting(msgspec.Struct, forbid_unknown_fields=True):
    """Seat a bot."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=20)] = "club"


class Summary(msgspec.Struct):
    """A public table in the list."""

    id: str
    game: str
    title: str
    status: str
    taken: int
    num_seats: int
    updated: float


class TableList(msgspec.Struct):
    """The public tables, those with free seats first."""

    tables: list[Summary]


class Shown(msgspec.Struct, omit_defaults=True):
    """A table and what the reader may see of its match."""

    table: TableInfo
    seq: int
    seat: int | None = None
    view: View | None = None


class Replay(msgspec.Struct, omit_defaults=True):
    """A match as the reader saw it: the deal, then what each move showed, in events with sentences."""

    match: int
    moves: list[str]
    seen: list[list[dict[str, Any]]]


class Moments(msgspec.Struct, omit_defaults=True):
    """Moments of a match as one seat or a spectator saw them: the view after each move."""

    match: int
    total: int
    """How many moves there are; there is a moment before each, and one after the last."""
    first: int
    """The number of the first moment told here: so many moves had been played."""
    views: list[View]
    seat: int | None = None


class RoundRecap(msgspec.Struct):
    """A round that has ended: who gained or lost what, and why."""

    round: int
    title: str
    points: list[int]
    """By seat: what the round brought,"""
    scores: list[int]
    """where that left everybody,"""
    reasons: list[str]
    """and why, in words; empty where there is nothing to say."""


class Ending(msgspec.Struct):
    """How a match went, in words."""

    places: str
    results: list[str]
    """By seat: how everybody came out."""
    decided: str
    """The round that decided it; empty if there was only one."""
    best: list[str]
    """By seat: the best moment,"""
    worst: list[str]
    """and the worst; empty where there was none."""
    luck: list[str]
    """What chance alone dealt out."""


class Recap(msgspec.Struct, omit_defaults=True):
    """What is told of a match: its rounds as the reader saw them; once it is over, how it went."""

    match: int
    rounds: list[RoundRecap]
    ending: Ending | None = None


class RecordFile(msgspec.Struct, omit_defaults=True):
    """A match's record, with the proof of its deal once it is over. `ludotheque verify` reads it."""

    record: dict[str, Any]
    deal: Proof | None = None


class OptionInfo(msgspec.Struct, omit_defaults=True):
    """A choice a table can make."""

    name: str
    label: str
    help: str
    kind: str
    """`flag`, `number`, `choice` or `texts`."""
    default: Any
    values: list[dict[str, Any]] = []
    """Of a choice: values and their labels."""
    low: int | None = None
    high: int | None = None
    step: int | None = None
    rule: str = ""


class GameInfo(msgspec.Struct):
    """A game and its options."""

    id: str
    name: str
    pitch: str
    players: str
    """How many play, in words."""
    length: str
    """How long a match takes, in words."""
    min_seats: int
    max_seats: int
    usual_seats: int
    """How many sit at a table that is set up at once."""
    rules_version: int
    options: list[OptionInfo]
    levels: list[str]
    has_pad: bool
    pad_defaults: dict[str, Any]
    """The options that a score pad plays by unless told otherwise, where they differ from those of a match."""
    has_lesson: bool
    """Whether there is a guided first match."""


class GameList(msgspec.Struct):
    """The games."""

    games: list[GameInfo]


class PadFile(msgspec.Struct):
    """The sheet of a score pad for a spreadsheet."""

    csv: str


class Rules(msgspec.Struct):
    """A rules page in Markdown."""

    game: str
    lang: str
    text: str


class Texts(msgspec.Struct):
    """The words of a game, or those all games share."""

    lang: str
    texts: dict[str, Any]


class FieldInfo(msgspec.Struct, omit_defaults=True):
    """A field of a game's view, for a front end that does not know the game. What kind it is shows in its value."""

    name: str
    label: str
    seat: bool = False
    """Whether its numbers are seats."""
    by_seat: bool = False
    """Whether it is a list with an item for each seat."""
    words: dict[str, str] = {}
    """Its values or keys in words, those that have some."""
    fields: list[FieldInfo] = []
    """Of objects in it."""


class ViewInfo(msgspec.Struct):
    """What the table of a game shows."""

    game: str
    lang: str
    fields: list[FieldInfo]


class LessonStep(msgspec.Struct, omit_defaults=True):
    """A step of a guided first match: the learner is asked for a move, somebody else plays, or something is said."""

    id: str
    say: str = ""
    ask: str = ""
    wanted: list[str] = []
    """The moves that are right, any of them."""
    good: str = ""
    """Why they are; if empty, the lesson goes on at once."""
    wrong: dict[str, str] = {}
    """Why particular other moves are not."""
    other: str = ""
    """What is said to any other legal move."""
    rule: str | None = None
    move: str | None = None
    """The move that is played in this step."""
    seen: list[dict[str, Any]] = []
    """What the learner sees of it, as the game's own events, with sentences."""
    after: View | None = None
    """The learner's view after it."""


class Lesson(msgspec.Struct):
    """A guided first match."""

    game: str
    lang: str
    options: dict[str, Any]
    names: list[str]
    seat: int
    """The learner's."""
    view: View
    """The learner's view before the first step."""
    steps: list[LessonStep]


class Health(msgspec.Struct):
    """Whether the server works."""

    status: str
    version: str


encode = msgspec.json.Encoder().encode
decode_hello = msgspec.json.Decoder(Hello).decode
decode_request = msgspec.json.Decoder(Request).decode
decode_answer = msgspec.json.Decoder(Answer).decode
