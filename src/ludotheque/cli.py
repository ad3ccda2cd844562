"""The command line. It loads neither NumPy nor Numba until a command needs a game."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludotheque import __version__, game_ids
from ludotheque.core import extras
from ludotheque.core.errors import GameWarning, LudothequeError
from ludotheque.core.registry import check_id
from ludotheque.core.texts import LANGUAGES, Catalogue, error_text, shared, worded
from ludotheque.core.words import game_words
from ludotheque.lab.simulate_command import add_simulate, simulate
from ludotheque.lab.skill_command import add_skill, skill
from ludotheque.lab.tournament_command import add_tournament, tournament
from ludotheque.server.cli import add_admin, add_serve, admin, serve
from ludotheque.server.cli import texts as server_texts
from ludotheque.shell.arguments import BAD_INPUT, PROGRAM, Parser, Values, games
from ludotheque.shell.completion import ASK, SHELLS, answer, script
from ludotheque.tui import command as terminal
from ludotheque.tui.words import texts as terminal_texts

if TYPE_CHECKING:
    from ludotheque.core.game import Game
    from ludotheque.core.match import Match

Args = argparse.Namespace


def default_language() -> str:
    """French where the environment is French, else English."""
    for variable in ("LUDOTHEQUE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable, "")
        if value:
            return "fr" if value.lower().startswith("fr") else "en"
    return "en"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 1 for "no", or 2 for bad input."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    lang = _language_of(arguments)
    with _warnings_in_a_line(lang):
        return _run(arguments, lang)


def _run(arguments: Sequence[str], lang: str) -> int:
    try:
        parser = make_parser(lang)
        if arguments[:1] == [ASK]:
            print(answer(parser, arguments[1], arguments[2:]), end="")
            return 0
        args = parser.parse_args(arguments)
        return COMMANDS[args.command].run(args, lang)
    except LudothequeError as error:
        print(f"ludotheque: {error_text(error, lang)}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


@contextmanager
def _warnings_in_a_line(lang: str) -> Iterator[None]:
    """Say on standard error which games of other packages were left out, without the place in our sources."""
    show: Any = warnings.showwarning

    def say(message: Warning | str, *place: Any) -> None:
        if isinstance(message, GameWarning):
            print(f"ludotheque: {error_text(message, lang)}", file=sys.stderr)
        else:
            show(message, *place)

    warnings.showwarning = say  # type: ignore[assignment]  # hands on what it gets, whatever that is
    try:
        yield
    finally:
        warnings.showwarning = show


def make_parser(lang: str) -> Parser:
    """The arguments of all commands."""
    parser = Parser(shared(lang))
    parser.option("version", action="version", version=f"{PROGRAM} {__version__}")
    for name, command in COMMANDS.items():
        command.add(parser.add_command(name, command.texts(lang), command.takes_game_options))
    return parser


def _language_of(arguments: Sequence[str]) -> str:
    """The language asked for, wherever it stands: help and errors speak it too."""
    for place, word in enumerate(arguments):
        value = word[7:] if word.startswith("--lang=") else ""
        if word == "--lang" and place + 1 < len(arguments):
            value = arguments[place + 1]
        if value in LANGUAGES:
            return value
    return default_language()


def _play(args: Args, lang: str) -> int:
    args.seed = _seed(args.seed)
    if terminal.is_plain(args, lang):
        return _play_plain(args, lang)
    # Wrong options are reported before the screen opens.
    made = _match(args, lang) if args.options else None
    if args.game is None and args.load is None:
        return terminal.play_menu(args, lang)
    title = str(args.load) if args.load is not None else game_words(args.game).name
    return terminal.play_match(title, lambda: made or _match(args, lang), args, lang)


def _match(args: Args, lang: str) -> tuple[Match, dict[int, str]]:
    """The match that the arguments ask for, and which seats are bots of which level."""
    from ludotheque import game as load_game
    from ludotheque.tui.prompt import load_match, parse_players

    if args.load is not None:
        return load_match(args.load)
    game = load_game(args.game)
    names, bots = parse_players(args.players, game.info.min_seats, lang)
    return game.new(names, seed=args.seed, **args.options), bots


def _play_plain(args: Args, lang: str) -> int:
    from ludotheque.tui.prompt import Leave, Prompt, choose_game

    def ask(prompt: str) -> str:
        try:
            return input(prompt)
        except EOFError:
            print()
            raise Leave from None

    try:
        if args.game is None and args.load is None:
            args.game = choose_game(lang, ask)
        match, bots = _match(args, lang)
        Prompt(match, bots, lang, ask, args.seed).run()
    except Leave:
        print(shared(lang).say("prompt.left"))
    return 0


def _seed(text: str | None) -> int | str | None:
    return int(text) if text is not None and re.fullmatch("-?[0-9]{1,18}", text) else text


def _replay(args: Args, lang: str) -> int:
    from ludotheque.core.files import read_text
    from ludotheque.core.records import load_record, tell_record

    data, _ = _room_file(load_record(read_text(args.file)))
    is_whole = isinstance(data, dict) and "seen" not in data
    if is_whole and not terminal.is_plain(args, lang):
        return terminal.replay(args, data, lang)
    for line in tell_record(data, lang, args.seat):
        print(line)
    return 0


def _room_file(data: Any) -> tuple[Any, Any]:
    """The record in a file of the game room, and what its deal was mixed from; of another file itself, and None."""
    if isinstance(data, dict) and "record" in data and set(data) <= {"record", "deal"}:
        return data["record"], data.get("deal")
    return data, None


def _verify(args: Args, lang: str) -> int:
    from ludotheque.core.errors import InvalidRecord
    from ludotheque.core.files import read_text
    from ludotheque.core.records import load_record, verify
    from ludotheque.server.domain.fairness import check as check_deal

    key = None
    if args.key is not None:
        try:
            key = bytes.fromhex(args.key)
        except ValueError:
            raise InvalidRecord("the key is 32 bytes in hexadecimal") from None
    data, proof = _room_file(load_record(read_text(args.file)))
    verdict = verify(data, key)
    words = shared(lang)
    for finding in verdict.findings:
        print(words.say(f"verify.{finding}"))
    true = verdict.true
    if proof is not None:
        mixed = check_deal(data, proof)
        print(server_texts(lang).say("verify.mixed" if mixed else "verify.mixed_wrong"))
        true = true and mixed
    print(words.say("verify.true" if true else "verify.false"))
    return 0 if true else 1


def _rules(args: Args, lang: str) -> int:
    from ludotheque.core.pages import rule_lines

    page = game_words(args.game).rules(lang)
    if args.rule is None:
        print(page)
        return 0
    found = rule_lines(page, args.rule.upper())
    if not found:
        raise LudothequeError(shared(lang).say("prompt.no_such_rule", {"rule": args.rule}))
    print("\n".join(found))
    return 0


def _study(run: Callable[[Args, Game, str], int]) -> Callable[[Args, str], int]:
    """A command of the lab, which studies a game."""

    def study(args: Args, lang: str) -> int:
        from ludotheque import game as load_game

        return run(args, load_game(args.game), lang)

    return study


def _solve(args: Args, lang: str) -> int:
    from importlib import import_module
    from importlib.util import find_spec

    from ludotheque import game as load_game
    from ludotheque.core.arena import num_cores
    from ludotheque.core.progress import Bar
    from ludotheque.core.registry import package

    words = shared(lang)
    game = load_game(args.game)
    if find_spec(f"{package(game.id)}.solver") is None:
        raise LudothequeError(words.say("cli.solve.unsolvable", {"game": game.info.name}))
    solver = import_module(f"{package(game.id)}.solver")
    options = dict(game.options(2, args.options))
    if args.out is None and set(args.options) - {"negative"}:
        raise LudothequeError(words.say("cli.solve.where"))
    path = args.out if args.out is not None else solver.table_path(options["negative"])
    jobs = args.jobs or num_cores()
    bar = Bar(words.say("cli.solve.running", {"game": game.info.name}))
    table = solver.solve_and_write(path, options, jobs, bar.show)
    print(words.say("cli.solve.done", {"value": f"{100 * table.start():.2f} %", "file": str(path)}))
    return 0


def _warm(args: Args, lang: str) -> int:
    from ludotheque.core import cache

    if args.list and args.clear:
        raise worded(LudothequeError, "apart", one="--list", two="--clear")
    wanted = [check_id(game_id) for game_id in args.games]
    if args.list:
        print("\n".join(cache.describe(wanted, lang)))
        return 0
    if args.clear:
        print(cache.clear(wanted, lang))
        return 0
    import ludotheque.bots.searches
    import ludotheque.lab.playing  # these add what they need to what is compiled

    if extras.has("server"):  # without it there is no room to compile for
        import ludotheque.server.views  # noqa: F401
    from ludotheque.core.warm import warm

    warm(wanted or game_ids(), lang)
    return 0


def _completion(args: Args, lang: str) -> int:
    print(script(args.shell), end="")
    return 0


def _new_game(args: Args, lang: str) -> int:
    from ludotheque.scaffold import new_game

    folder = new_game(args.id, args.to)
    print(shared(lang).say("cli.new-game.done", {"folder": str(folder), "id": args.id}))
    return 0


def _add_verify(parser: Parser) -> None:
    parser.argument("file", type=Path)
    parser.option("key", metavar="HEX")


def _add_rules(parser: Parser) -> None:
    parser.argument("game", games())
    parser.argument("rule", nargs="?")


def _add_solve(parser: Parser) -> None:
    parser.argument("game", games())
    parser.option("jobs", 0, metavar="N", bounds=(0, 256))
    parser.option("out", metavar="FILE", type=Path)


def _add_warm(parser: Parser) -> None:
    parser.argument("games", games(), nargs="*")
    parser.option("list", action="store_true")
    parser.option("clear", action="store_true")


def _add_new_game(parser: Parser) -> None:
    parser.argument("id")
    parser.option("to", metavar="DIR", type=Path)


def _add_completion(parser: Parser) -> None:
    parser.argument("shell", Values(dict.fromkeys(SHELLS, "")), choices=SHELLS)


@dataclass(frozen=True)
class Command:
    """A command: what it does, its arguments, and where its texts are."""

    run: Callable[[Args, str], int]
    add: Callable[[Parser], None]
    texts: Callable[[str], Catalogue] = shared
    takes_game_options: bool = False


COMMANDS = {
    "play": Command(_play, terminal.add_play, terminal_texts, takes_game_options=True),
    "join": Command(terminal.join, terminal.add_join, terminal_texts),
    "replay": Command(_replay, terminal.add_replay, terminal_texts),
    "pad": Command(terminal.pad, terminal.add_pad, terminal_texts, takes_game_options=True),
    "verify": Command(_verify, _add_verify),
    "rules": Command(_rules, _add_rules),
    "simulate": Command(_study(simulate), add_simulate, takes_game_options=True),
    "tournament": Command(_study(tournament), add_tournament, takes_game_options=True),
    "skill": Command(_study(skill), add_skill, takes_game_options=True),
    "solve": Command(_solve, _add_solve, takes_game_options=True),
    "warm": Command(_warm, _add_warm),
    "new-game": Command(_new_game, _add_new_game),
    "serve": Command(serve, add_serve, server_texts),
    "admin": Command(admin, add_admin, server_texts),
    "completion": Command(_completion, _add_completion),
}
