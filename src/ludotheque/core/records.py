"""Records: a whole match as one JSON object, or one seat's memory of it; reading, replaying and verifying them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

import numpy as np

from ludotheque.core import registry
from ludotheque.core.chance import commitment
from ludotheque.core.errors import IllegalMove, InvalidMove, InvalidRecord, LudothequeError, MatchOver
from ludotheque.core.match import Match, check_names
from ludotheque.core.texts import worded

if TYPE_CHECKING:
    from ludotheque.core.game import Game

FORMAT = 1
"""Version of the file format itself; the rules have their own."""

SAVE = "ludotheque_save"
"""The key that marks a saved match: a record and which seats are bots'."""


class Record(TypedDict):
    """A match as JSON, what `Match.record` writes: whole, with the `key` of its deal or the position it began in; or
    one seat's own, with what that seat saw.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("lobo77").new(["Ann", "Ben"], seed=7)
        >>> match.play(match.legal()[0])
        >>> record = match.record()
        >>> record["players"], record["moves"], record["result"]
        (['Ann', 'Ben'], ['0: -10'], None)
    """

    ludotheque: int
    """Version of the file format."""
    game: str
    rules_version: int
    players: list[str]
    options: dict[str, Any]
    commitment: str | None
    """The SHA-256 of the key."""
    moves: list[str]
    """`seat: move`, in notation."""
    result: dict[str, list[int]] | None
    """`scores` and `places` of a match that is over."""
    key: NotRequired[str]
    """The key of the deal, in hexadecimal."""
    start: NotRequired[dict[str, Any]]
    """The position it began in, if that was not a deal."""
    seat: NotRequired[int]
    """Whose record it is, if it is one seat's,"""
    seen: NotRequired[list[list[dict[str, Any]]]]
    """and what it saw."""


COMMON_KEYS = {"ludotheque", "game", "rules_version", "players", "options", "commitment", "moves", "result"}


def write_record(match: Match, seat: int | None = None) -> Record:
    """The match as JSON. With a seat: what it saw and nothing more, so neither key nor position."""
    record: Record = {
        "ludotheque": FORMAT,
        "game": match.game.id,
        "rules_version": match.game.info.rules_version,
        "players": list(match.names),
        "options": match.options.to_json(),
        "commitment": match.commitment,
        "moves": [f"{who}: {move}" for who, move in match.moves],
        "result": {"scores": match.scores, "places": match.places} if match.over else None,
    }
    if seat is None:
        if match.key is not None:
            record["key"] = match.key.astype("<u4").tobytes().hex()
        else:
            record["start"] = match.at(0).position()
        return record
    return {**record, "seat": seat, "seen": match.events(seat)}


def read_record(data: Any, key: bytes | None = None) -> Match:
    """The match that a whole record tells, played again move by move. For a seat's record the key must be given."""
    if not isinstance(data, Mapping):
        raise InvalidRecord("a record is a JSON object")
    known = COMMON_KEYS | {"key", "start", "seat", "seen"}
    extra = [name for name in data if name not in known]
    if extra:
        raise InvalidRecord(f"unknown key {extra[0]!r} in the record")
    missing = sorted(COMMON_KEYS - set(data))
    if missing:
        raise InvalidRecord(f"the record lacks {missing[0]!r}; it may have been cut short")
    if data["ludotheque"] != FORMAT or type(data["ludotheque"]) is not int:
        raise InvalidRecord(f"this program reads records of format {FORMAT}, not {data['ludotheque']!r}")
    if not isinstance(data["game"], str):
        raise InvalidRecord("the record's game is a word")
    game = registry.load(data["game"])
    check_owner(game, data)
    version = data["rules_version"]
    if version != game.info.rules_version or type(version) is not int:
        have = game.info.rules_version
        raise InvalidRecord(f"the record was played under rules version {version!r}, this program has {have}")
    match = _beginning(game, data, key)
    moves = data["moves"]
    if not isinstance(moves, list):
        raise InvalidRecord("moves is a list")
    for number, text in enumerate(moves, 1):
        try:
            seat, move = _split_move(text)
            match.play(move, seat)
        except (InvalidMove, IllegalMove, MatchOver) as error:
            raise InvalidRecord(f"move {number} ({text!r:.60}) cannot have been played: {error}") from None
    return match


def check_owner(game: Game, data: Mapping[str, Any]) -> None:
    """Raises `InvalidRecord` if a record, or a pad, names a game but has exactly the options of another."""
    given = data.get("options")
    if not isinstance(given, Mapping) or set(given) <= {option.name for option in game.info.options}:
        return
    for other in registry.ids():
        info = registry.load(other).info
        if set(given) == {option.name for option in info.options}:
            raise worded(InvalidRecord, "record.relabelled", game=game.id, own=info.id)


def _beginning(game: Game, data: Mapping[str, Any], key: bytes | None) -> Match:
    if "start" in data:
        if not isinstance(data["start"], Mapping):
            raise InvalidRecord("start is a position")
        match = game.position(data["start"])
        if data["players"] != match.names or not _are_options(data["options"], match):
            raise InvalidRecord("players and options are not those of the position the match began in")
        return match
    if key is None:
        if "key" not in data:
            raise InvalidRecord("this is one seat's record: it replays only with the key of the deal")
        try:
            key = bytes.fromhex(data["key"])
        except (TypeError, ValueError):
            key = b""
    if len(key) != 32:
        raise InvalidRecord("the key is 32 bytes in hexadecimal")
    if not isinstance(data["players"], list) or not isinstance(data["options"], Mapping):
        raise InvalidRecord("players is a list of names and options an object")
    try:
        names = check_names(data["players"])
        options = game.options(len(names), data["options"])
    except LudothequeError as error:
        raise InvalidRecord(str(error)) from None
    return Match.start(game, names, options, np.frombuffer(key, "<u4").astype(np.uint32))


def _are_options(given: Any, match: Match) -> bool:
    """Whether these are the match's options. An option that a record lacks is younger than it, and at its default."""
    if not isinstance(given, Mapping):
        return False
    defaults = match.game.options(match.num_seats, {}).to_json()
    return {**defaults, **given} == match.options.to_json()


def _split_move(text: Any) -> tuple[int, str]:
    if isinstance(text, str):
        who, colon, move = text.partition(": ")
        if colon and who.isascii() and who.isdecimal() and len(who) < 3:
            return int(who), move
    raise InvalidMove('a move in a record is written "seat: move"')


@dataclass(frozen=True)
class Verdict:
    """What verifying a record found. `true` only if everything could be checked and holds.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("lobo77").new(2, seed=1)
        >>> ludotheque.verify(match.record())
        Verdict(true=True, findings=('commitment', 'moves', 'unfinished'))
        >>> key = match.key.astype("<u4").tobytes()
        >>> ludotheque.verify(match.record(seat=0), key).true  # a seat's record says no key
        True
    """

    true: bool
    findings: tuple[str, ...]
    """Keys of messages under `verify` in the shared catalogue, in the order checked."""


def verify(data: Any, key: bytes | None = None) -> Verdict:
    """Deal and play a record again, and compare everything it claims. A broken record is an `InvalidRecord`."""
    match = read_record(data, key)
    findings = []
    if match.key is None:
        findings.append("position" if data["commitment"] is None else "commitment_wrong")
    else:
        findings.append("commitment" if data["commitment"] == commitment(match.key) else "commitment_wrong")
    findings.append("moves")
    expected = {"scores": match.scores, "places": match.places} if match.over else None
    if data["result"] != expected:
        findings.append("result_wrong")
    else:
        findings.append("result" if match.over else "unfinished")
    if "seat" in data or "seen" in data:
        seat = data.get("seat")
        good = type(seat) is int and 0 <= seat < match.num_seats
        told = json.loads(json.dumps(match.events(seat))) if good else None
        findings.append("seen" if good and told == data.get("seen") else "seen_wrong")
    return Verdict(not any(f.endswith("_wrong") for f in findings), tuple(findings))


def tell_record(data: Any, lang: str, seat: int | None = None) -> list[str]:
    """A record in sentences: the whole match as a spectator or a seat saw it, or one seat's own record."""
    if isinstance(data, Mapping) and "seen" in data:
        return _tell_seen(data, lang)
    match = read_record(data)
    if seat is not None and not 0 <= seat < match.num_seats:
        raise InvalidRecord(f"seats go from 0 to {match.num_seats - 1}, there is no seat {seat}")
    return match.log(lang, seat)


def _tell_seen(data: Mapping[str, Any], lang: str) -> list[str]:
    """One seat's memories need no replay, but everything in them may be wrong."""
    game = registry.load(str(data.get("game")))
    words = game.catalogue(lang)
    check_owner(game, data)
    try:
        names = check_names(list(data["players"]))
        options = game.options(len(names), data["options"])
        events = [event for step in data["seen"] for event in step]
        told = [game.views.localise(event, words, options) for event in events]
        return [words.say(f"events.{event['type']}", event, names) for event in told]
    except (LudothequeError, AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise InvalidRecord(f"what the seat saw cannot be read: {error}") from None


def load_record(text: str) -> Any:
    """Parse a record's JSON; of a saved match, the record in it."""
    data = load_json(text)
    return data.get("record") if isinstance(data, dict) and SAVE in data else data


def load_json(text: str) -> Any:
    """Parse JSON from a file somebody may have edited."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidRecord(f"not a record: {error}") from None
