"""The HTTP interface: what each address does. `app.py` serves it, `openapi.py` describes it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from ludotheque import __version__
from ludotheque.bots.ladder import PLAYABLE
from ludotheque.core import registry
from ludotheque.core.errors import BrokenGame, UnknownGame
from ludotheque.core.game import Game
from ludotheque.core.info import Option
from ludotheque.core.match import Match
from ludotheque.core.pad import has_pad, pad_defaults
from ludotheque.core.pages import rules_page
from ludotheque.core.recap import tell_ending, tell_rounds
from ludotheque.core.texts import Catalogue, shared
from ludotheque.server.domain import protocol
from ludotheque.server.domain.commands import Command, NewMatch, Sit, Who
from ludotheque.server.domain.identity import digest, new_token
from ludotheque.server.domain.refusals import Refusal, words
from ludotheque.server.lessons import has_lesson, teach, why_not
from ludotheque.server.session.live import LiveTable
from ludotheque.server.session.room import Room
from ludotheque.server.store.base import StoreError
from ludotheque.server.views.shown import history, moments_from
from ludotheque.server.wire.labels import fields_of


@dataclass
class Call:
    """A request, understood."""

    room: Room
    path: Mapping[str, str]
    query: Mapping[str, str]
    lang: str
    identity: str | None
    token: str | None
    body: Any = None
    new_identity: str | None = None
    """An identity given with the answer, signed."""

    def need_identity(self) -> str:
        """Who asks; whoever has no identity yet gets one."""
        if self.identity is None:
            self.new_identity = self.room.signer.new_identity()
            self.identity = self.new_identity.partition(".")[0]
        return self.identity

    async def live(self) -> tuple[LiveTable, Who]:
        """The table that is asked about, and who asks."""
        live = await self.room.live(self.path["table"])
        return live, self.room.who(live, self.token, self.identity, self.query.get("key"))


Handler = Callable[[Call], Awaitable[Any]]


@dataclass(frozen=True)
class Endpoint:
    """One address and method."""

    method: str
    path: str
    handler: Handler
    about: str
    answer: Any
    body: Any = None
    query: tuple[tuple[str, str], ...] = ()
    """Parameters after the question mark, and what they are."""
    errors: tuple[int, ...] = field(default=(400, 429))


STATUS = {
    "unknown_table": 404,
    "not_found": 404,
    "no_such_game": 404,
    "no_such_match": 404,
    "not_allowed": 403,
    "not_seated": 403,
    "not_owner": 403,
    "bad_origin": 403,
    "slow_down": 429,
    "too_many_tables": 429,
    "too_big": 413,
    "wrong_method": 405,
    "internal": 500,
    "broken": 500,
    "disk": 503,
    "shutting_down": 503,
    "bad_message": 400,
    "bad_options": 400,
    "bad_name": 400,
    "unknown_level": 400,
}
"""The HTTP status of a refusal; the others are conflicts with how the table stands."""
CONFLICT = 409
MANY_MOMENTS = 50
"""How many moments of a match are told at once."""


def _game(call: Call) -> Game:
    try:
        return registry.load(call.path["game"])
    except (UnknownGame, BrokenGame):
        raise Refusal("no_such_game") from None


async def _in_thread(work: Callable[[], Any]) -> Any:
    """Loading a game's rules takes a moment, compiling them a minute."""
    return await asyncio.get_running_loop().run_in_executor(None, work)


async def games(call: Call) -> protocol.GameList:
    """All games with their options."""
    infos = await _in_thread(lambda: [_game_info(game.id, call.lang) for game in registry.load_all()])
    return protocol.GameList(infos)


@cache
def _game_info(game_id: str, lang: str) -> protocol.GameInfo:
    game = registry.load(game_id)
    texts = game.catalogue(lang)
    return protocol.GameInfo(
        id=game.id,
        name=game.info.name,
        pitch=texts.say("about.pitch"),
        players=texts.say("about.players"),
        length=texts.say("about.length"),
        min_seats=game.info.min_seats,
        max_seats=game.info.max_seats,
        usual_seats=game.info.company,
        rules_version=game.info.rules_version,
        options=[_option(option, texts) for option in game.info.options],
        levels=list(PLAYABLE),
        has_pad=has_pad(game.id),
        pad_defaults=pad_defaults(game.id) if has_pad(game.id) else {},
        has_lesson=has_lesson(game.id),
    )


def _option(option: Option, texts: Catalogue) -> protocol.OptionInfo:
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    key = f"options.{option.name}"
    shown = protocol.OptionInfo(
        option.name, texts.say(f"{key}.name"), texts.say(f"{key}.help"), option.kind, default, rule=option.rule
    )
    if option.kind == "choice":
        labels = texts.find(f"{key}.values") or {}
        shown.values = [{"value": value, "label": labels.get(value, value)} for value in option.values]
    elif option.kind == "number" and isinstance(option.values, range):
        shown.low, shown.high, shown.step = option.values.start, option.values[-1], option.values.step
    return shown


async def rules(call: Call) -> protocol.Rules:
    """The rules page of a game."""
    game = await _in_thread(partial(_game, call))
    return protocol.Rules(game.id, call.lang, rules_page(game.texts, call.lang))


async def texts(call: Call) -> protocol.Texts:
    """The words of a game, and those that belong to none: for front ends that put events into words themselves."""
    game = await _in_thread(partial(_game, call))
    own, common = game.catalogue(call.lang), shared(call.lang)
    return protocol.Texts(call.lang, {**_tree(common), **_tree(own), "room": _tree(words(call.lang))["refused"]})


async def view(call: Call) -> protocol.ViewInfo:
    """What the table of a game shows: for front ends that have no screen of their own for it."""
    game = await _in_thread(partial(_game, call))
    return protocol.ViewInfo(game.id, call.lang, fields_of(game.views.VIEW, game.catalogue(call.lang)))


async def lesson(call: Call) -> protocol.Lesson:
    """The guided first match of a game."""
    game = await _taught(call)
    told: protocol.Lesson = await _in_thread(
        partial(teach, game, call.lang, call.query.get("name", ""), _answers(call))
    )
    return told


async def lesson_why(call: Call) -> protocol.Problem:
    """Why a move cannot be played at a step of the guided first match."""
    game = await _taught(call)
    step, move = _number(call.path["step"]), call.query.get("move", "")
    told: protocol.Problem = await _in_thread(partial(why_not, game, call.lang, step, move, _answers(call)))
    return told


async def _taught(call: Call) -> Game:
    """A game that has a lesson."""
    game: Game = await _in_thread(partial(_game, call))
    if not has_lesson(game.id):
        raise Refusal("not_found")
    return game


def _answers(call: Call) -> list[str]:
    return [move for move in call.query.get("moves", "").split(",") if move]


def _tree(catalogue: Catalogue) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key in catalogue.keys():  # noqa: SIM118  # a catalogue is no dictionary
        *folders, name = key.split(".")
        node = tree
        for folder in folders:
            node = node.setdefault(folder, {})
        node[name] = catalogue.find(key)
    return tree


async def create(call: Call) -> protocol.TableMade:
    """Set up a table."""
    return await call.room.create(call.body, call.need_identity())


async def tables(call: Call) -> protocol.TableList:
    """The public tables."""
    return protocol.TableList(await call.room.public_tables())


async def show(call: Call) -> protocol.Shown:
    """A table and its match, as whoever asks may see it."""
    live, who = await call.live()
    return protocol.Shown(live.table.info(), live.table.seq, who.seat, live.audience.view(who.seat, call.lang))


async def join(call: Call) -> protocol.Joined:
    """Sit down."""
    live = await call.room.live(call.path["table"])
    wanted: protocol.Joining = call.body
    identity = call.need_identity()
    if not call.room.may_join(live, identity, wanted.key):
        raise Refusal("not_allowed")
    token = new_token()
    sit = Sit(wanted.name, digest(token), wanted.seat, avatar=wanted.avatar)
    await call.room.do(live, sit, Who(None, identity))
    seat = live.table.seat_of_token(digest(token))
    assert seat is not None
    return protocol.Joined(seat, token, live.table.info())


async def _do(call: Call, command: Command) -> protocol.Shown:
    live, who = await call.live()
    await call.room.do(live, command, who)
    return protocol.Shown(live.table.info(), live.table.seq, who.seat)


async def leave(call: Call) -> protocol.Shown:
    """Give up one's seat."""
    return await _do(call, protocol.Leave(""))


async def add_bot(call: Call) -> protocol.Shown:
    """Seat a bot."""
    return await _do(call, protocol.AddBot("", call.body.seat, call.body.level))


async def remove_bot(call: Call) -> protocol.Shown:
    """Free a bot's seat."""
    return await _do(call, protocol.RemoveBot("", _number(call.path["seat"])))


async def start(call: Call) -> protocol.Shown:
    """Deal."""
    return await _do(call, protocol.Start(""))


async def rematch(call: Call) -> protocol.Shown:
    """Get ready for another match."""
    return await _do(call, NewMatch(secrets.token_bytes(32)))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise Refusal("bad_message")
    return int(text)


async def record(call: Call) -> protocol.RecordFile:
    """The record of a match: whole with the proof of its deal once it is over, before that what one's seat saw."""
    live, who = await call.live()
    past = await call.room.past(live, _number(call.query["match"]) if "match" in call.query else None)
    return protocol.RecordFile(past.record(who.seat), past.proof())


async def sheet(call: Call) -> protocol.PadFile:
    """The sheet of a score pad as CSV."""
    live, _ = await call.live()
    if live.table.pad is None:
        raise Refusal("is_no_pad")
    return protocol.PadFile(live.table.pad.to_csv(call.lang))


async def replay(call: Call) -> protocol.Replay:
    """A match move by move, as one's seat or a spectator saw it; `seat` asks for another's view once it is over."""
    number, twin, seat = await _past_match(call)
    seen = await _in_thread(partial(history, twin, seat, call.lang))
    moves = [f"{mover}: {move}" for mover, move in twin.moves[: len(seen) - 1]]
    return protocol.Replay(number, moves, seen)


async def moments(call: Call) -> protocol.Moments:
    """Views of a match from a moment on, as one's seat or a spectator saw them, or another seat once it is over."""
    number, twin, seat = await _past_match(call)
    total = len(twin.moves)
    first = min(_number(call.query.get("first", "0")), total)
    count = min(_number(call.query.get("count", "1")), MANY_MOMENTS, total + 1 - first)
    views = await _in_thread(partial(moments_from, twin, first, count, seat, call.lang))
    return protocol.Moments(number, total, first, views, seat)


async def recap(call: Call) -> protocol.Recap:
    """What is told of a match: who gained what in each round and why; once it is over, how it went."""
    number, twin, seat = await _past_match(call)
    rounds = await _in_thread(partial(tell_rounds, twin, seat, call.lang))
    ending = await _in_thread(partial(tell_ending, twin, call.lang))
    told = [protocol.RoundRecap(*one) for one in rounds]
    return protocol.Recap(number, told, None if ending is None else protocol.Ending(*ending))


async def _past_match(call: Call) -> tuple[int, Match, int | None]:
    """A match of a table, its number, and the seat from which whoever asks may see it."""
    live, who = await call.live()
    past = await call.room.past(live, _number(call.query["match"]) if "match" in call.query else None)
    match = past.match
    if match is None:
        raise Refusal("not_started")
    seat = who.seat
    if "seat" in call.query:
        wanted = _number(call.query["seat"])
        if wanted >= match.num_seats:
            raise Refusal("no_such_seat", {"n": match.num_seats - 1})
        if wanted != seat and not match.over:
            raise Refusal("not_over")
        seat = wanted
    return past.match_no, match.copy(), seat


async def health(call: Call) -> protocol.Health:
    """Whether the server works and its store can be written."""
    if call.room.closing:
        raise Refusal("shutting_down")
    try:
        await call.room.store.check()
    except StoreError:
        raise Refusal("disk") from None
    return protocol.Health("ok", __version__)


async def schema(call: Call) -> Any:
    """The messages of the WebSocket as JSON Schema."""
    from ludotheque.server.wire.openapi import message_schema

    return message_schema()


async def openapi(call: Call) -> Any:
    """This interface, described."""
    from ludotheque.server.wire.openapi import describe

    return describe(ENDPOINTS)


LANG = ("lang", "en or fr; else the browser's language")
KEY = ("key", "the secret of a link, for a table that is not public")
MATCH = ("match", "which match of the table; the latest if left out")
MOVES = ("moves", "what the learner has answered so far, with commas between; else what the script expects")
SEEN = (400, 403, 404, 429)
CHANGED = (400, 403, 404, 409, 429, 503)

ENDPOINTS = (
    Endpoint("GET", "/api/games", games, "the games, their options and bots", protocol.GameList, query=(LANG,)),
    Endpoint(
        "GET", "/api/games/{game}/rules", rules, "the rules page", protocol.Rules, query=(LANG,), errors=(400, 404, 429)
    ),
    Endpoint(
        "GET", "/api/games/{game}/texts", texts, "all words", protocol.Texts, query=(LANG,), errors=(400, 404, 429)
    ),
    Endpoint(
        "GET",
        "/api/games/{game}/view",
        view,
        "what its table shows, with labels",
        protocol.ViewInfo,
        query=(LANG,),
        errors=(400, 404, 429),
    ),
    Endpoint(
        "GET",
        "/api/games/{game}/lesson",
        lesson,
        "the guided first match",
        protocol.Lesson,
        query=(("name", "the learner's name; else one is made up"), MOVES, LANG),
        errors=(400, 404, 429),
    ),
    Endpoint(
        "GET",
        "/api/games/{game}/lesson/{step}/why",
        lesson_why,
        "why a move cannot be played at a step of it",
        protocol.Problem,
        query=(("move", "the move"), MOVES, LANG),
        errors=(400, 404, 429),
    ),
    Endpoint("GET", "/api/tables", tables, "the public tables", protocol.TableList, errors=(400, 429, 503)),
    Endpoint(
        "POST",
        "/api/tables",
        create,
        "set up a table or a score pad",
        protocol.TableMade,
        protocol.NewTable,
        errors=(400, 403, 409, 413, 429, 503),
    ),
    Endpoint(
        "GET", "/api/tables/{table}", show, "a table and its match", protocol.Shown, query=(LANG, KEY), errors=SEEN
    ),
    Endpoint(
        "POST",
        "/api/tables/{table}/join",
        join,
        "sit down",
        protocol.Joined,
        protocol.Joining,
        errors=(*CHANGED, 413),
    ),
    Endpoint("POST", "/api/tables/{table}/leave", leave, "leave for good", protocol.Shown, errors=CHANGED),
    Endpoint(
        "POST",
        "/api/tables/{table}/bots",
        add_bot,
        "seat a bot",
        protocol.Shown,
        protocol.Botting,
        errors=(*CHANGED, 413),
    ),
    Endpoint(
        "DELETE", "/api/tables/{table}/bots/{seat}", remove_bot, "free a bot's seat", protocol.Shown, errors=CHANGED
    ),
    Endpoint("POST", "/api/tables/{table}/start", start, "deal", protocol.Shown, errors=CHANGED),
    Endpoint("POST", "/api/tables/{table}/rematch", rematch, "another match", protocol.Shown, errors=CHANGED),
    Endpoint(
        "GET",
        "/api/tables/{table}/record",
        record,
        "the record of a match",
        protocol.RecordFile,
        query=(MATCH, KEY),
        errors=(*SEEN, 409),
    ),
    Endpoint(
        "GET",
        "/api/tables/{table}/sheet",
        sheet,
        "the sheet of a score pad as CSV",
        protocol.PadFile,
        query=(LANG, KEY),
        errors=(*SEEN, 409),
    ),
    Endpoint(
        "GET",
        "/api/tables/{table}/replay",
        replay,
        "a match move by move, as seen",
        protocol.Replay,
        query=(MATCH, ("seat", "as this seat saw it, once the match is over"), LANG, KEY),
        errors=(*SEEN, 409),
    ),
    Endpoint(
        "GET",
        "/api/tables/{table}/moments",
        moments,
        "views of a match, move after move, as seen",
        protocol.Moments,
        query=(
            MATCH,
            ("seat", "as this seat saw it, once the match is over"),
            ("first", "after so many moves; 0 if left out"),
            ("count", f"how many moments, at most {MANY_MOMENTS}; 1 if left out"),
            LANG,
            KEY,
        ),
        errors=(*SEEN, 409),
    ),
    Endpoint(
        "GET",
        "/api/tables/{table}/recap",
        recap,
        "the rounds of a match, and how it went",
        protocol.Recap,
        query=(MATCH, ("seat", "as this seat saw it, once the match is over"), LANG, KEY),
        errors=(*SEEN, 409),
    ),
    Endpoint("GET", "/api/messages.json", schema, "the WebSocket's messages as JSON Schema", dict[str, Any]),
    Endpoint("GET", "/openapi.json", openapi, "this description", dict[str, Any]),
    Endpoint("GET", "/healthz", health, "whether the server works", protocol.Health, errors=(429, 503)),
)
