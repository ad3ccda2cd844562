"""Lessons: a guided first match of a game, played on the engine.

A game has one if there is a `lesson.toml` in its folder, the script: who plays, how the table lies, and the steps. Its
words are in `texts/lesson.<lang>.toml`, by step. A step is a move that the learner is asked for, a move of somebody
else, or only words. Everything the learner sees is what a table would show.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ludotheque.core import registry
from ludotheque.core.errors import IllegalMove, InvalidMove
from ludotheque.core.game import Game
from ludotheque.core.match import MAX_NAME, Match
from ludotheque.core.position import read_position
from ludotheque.core.texts import check_language
from ludotheque.server.domain import protocol
from ludotheque.server.domain.refusals import Refusal
from ludotheque.server.views.shown import ShownMatch

SCRIPT = "lesson.toml"

decode = msgspec.json.decode


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """A step of a script. With neither `wanted` nor `play` something is only said."""

    id: str = ""
    """Under which its words are found; without it nothing is said."""
    wanted: list[str] = []
    """The moves the learner is asked for, any of them; one that the script cannot follow does not count."""
    play: list[str] = []
    """The move of the seat at turn: the first of these that is legal."""
    rule: str = ""
    """The rule it is about."""


class Script(msgspec.Struct, forbid_unknown_fields=True):
    """A lesson without its words."""

    players: list[str]
    """Their names; that of the learner gives way to the reader's own."""
    seat: int
    """The learner's."""
    table: dict[str, Any]
    """The position at the beginning, in the game's own notation."""
    steps: list[Step]
    options: dict[str, Any] = {}
    rolls: list[str] = []
    """In a game with dice: what is rolled, in order."""


class Words(msgspec.Struct, forbid_unknown_fields=True):
    """The words of a step."""

    say: str = ""
    """Told without being asked for a move; of somebody else's move: after it."""
    ask: str = ""
    good: str = ""
    """Why the move that was asked for is good. Without it the lesson goes on at once."""
    wrong: dict[str, str] = {}
    """Why particular other moves are not; ` | ` stands between moves that get the same answer."""
    other: str = ""
    """What is said to any other legal move."""


def has_lesson(game_id: str) -> bool:
    """Whether there is a guided first match of a game."""
    return (registry.folder(game_id) / SCRIPT).exists()


@cache
def script_of(folder: Path) -> Script:
    """The script in a game's folder."""
    return msgspec.convert(tomllib.loads((folder / SCRIPT).read_text(encoding="utf-8")), Script)


@cache
def words_of(folder: Path, lang: str) -> dict[str, Words]:
    """The words of a lesson, by step."""
    path = folder / "texts" / f"lesson.{check_language(lang)}.toml"
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, Words])


def begin(game: Game, name: str = "") -> Match:
    """The match of a lesson before its first step; the learner may have a name of their own."""
    script = script_of(game.folder)
    players = list(script.players)
    if name and name.isprintable() and len(name) <= MAX_NAME and name not in players:
        players[script.seat] = name
    position = {"players": players, "options": script.options, "table": script.table}
    if script.rolls:
        position["chance"] = {"draws": game.notation.script_rolls(*script.rolls)}
    return read_position(game, position)


def teach(game: Game, lang: str, name: str = "", moves: Sequence[str] = ()) -> protocol.Lesson:
    """A whole lesson. `moves` are what the learner has answered so far, where several moves are right."""
    script = script_of(game.folder)
    words = words_of(game.folder, lang)
    match = begin(game, name)
    shown = ShownMatch(match)
    answers = iter(moves)
    steps = []
    first = decode(shown.look(script.seat, lang).view)
    for number, step in enumerate(script.steps, 1):
        said = words[step.id] if step.id else Words()
        told = protocol.LessonStep(step.id, rule=step.rule or None, say=said.say, ask=said.ask, good=said.good)
        if step.wanted:
            told.wanted = [move for move in step.wanted if _leads_on(match, move, script.steps[number:])]
            told.wrong = {move: text for moves, text in said.wrong.items() for move in moves.split(" | ")}
            told.other = said.other
            told.move = next(answers, told.wanted[0])
            if told.move not in told.wanted:
                raise Refusal("bad_message")
        elif step.play:
            told.move = next(move for move in step.play if match.allows(move))
        if told.move:
            match.play(told.move)
            look = shown.look(script.seat, lang)
            told.after, told.seen = decode(look.view), decode(look.seen)
        steps.append(told)
    return protocol.Lesson(game.id, lang, match.options.to_json(), match.names, script.seat, first, steps)


def _leads_on(match: Match, move: str, rest: Sequence[Step]) -> bool:
    """Whether a move is legal, and the next move of the script is possible after it."""
    if not match.allows(move):
        return False
    after = match.copy()
    after.play(move)
    following = next((options for step in rest if (options := step.wanted or step.play)), [])
    return not following or any(after.allows(option) for option in following)


def why_not(game: Game, lang: str, step: int, move: str, moves: Sequence[str] = ()) -> protocol.Problem:
    """Why a move cannot be played at a step of a lesson."""
    script = script_of(game.folder)
    match = begin(game)
    answers = iter(moves)
    for one in script.steps[:step]:
        options = one.wanted or one.play
        if options:
            answer = next(answers, None) if one.wanted else None
            match.play(answer or next(move for move in options if match.allows(move)))
    error: IllegalMove | InvalidMove | None
    try:
        error = match.explain(move, script.seat)
    except InvalidMove as invalid:
        error = invalid
    if error is None or not error.key:
        raise Refusal("bad_message")
    text = game.catalogue(lang).say(f"why.{error.key}", error.params, match.names)
    return protocol.Problem("illegal", text, error.rule or None)
