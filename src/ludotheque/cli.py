"""The command line. It loads neither NumPy nor Numba until a command needs a game."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludotheque import __version__, game_ids
from ludotheque.core.errors import LudothequeError
from ludotheque.core.registry import check_id
from ludotheque.core.starting import quickly
from ludotheque.core.texts import LANGUAGES, Catalogue, error_text, shared
from ludotheque.lab.simulate_command import add_simulate, simulate
from ludotheque.lab.skill_command import add_skill, skill
from ludotheque.lab.tournament_command import add_tournament, tournament
from ludotheque.server.command import add_admin, add_serve, admin, serve
from ludotheque.server.command import texts as server_texts
from ludotheque.tui import command as terminal
from ludotheque.tui.words import game_words
from ludotheque.tui.words import texts as terminal_texts

if TYPE_CHECKING:
    from ludotheque.core.info import Option
    from ludotheque.core.match import Match

BAD_INPUT = 2
TAKE_OPTIONS = ("play", "pad", "simulate", "tournament", "skill", "solve")
"""Commands that take a game's own options too."""


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
    try:
        parser = _parser(shared(lang))
        args, rest = parser.parse_known_args(arguments)
        if rest and args.command not in TAKE_OPTIONS:
            parser.error(shared(lang).say("cli.unknown_argument", {"text": rest[0]}))
        return int(_COMMANDS[args.command](args, rest, lang))
    except LudothequeError as error:
        print(f"ludotheque: {error_text(error, lang)}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _language_of(arguments: Sequence[str]) -> str:
    """The language asked for, wherever it stands: help and errors speak it too."""
    for place, word in enumerate(arguments):
        value = word[7:] if word.startswith("--lang=") else ""
        if word == "--lang" and place + 1 < len(arguments):
            value = arguments[place + 1]
        if value in LANGUAGES:
            return value
    return default_language()


class _Formatter(argparse.HelpFormatter):
    words: Catalogue

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, self.words.say("cli.usage") if prefix is None else prefix)


def _parser(words: Catalogue) -> argparse.ArgumentParser:
    def say(key: str) -> str:
        return words.say(f"cli.{key}").replace("%", "%%")

    class Formatter(_Formatter):
        pass

    Formatter.words = words
    parser = argparse.ArgumentParser(
        "ludotheque", description=say("about"), add_help=False, formatter_class=Formatter, allow_abbrev=False
    )
    _common(parser, words)
    parser.add_argument("--version", action="version", version=f"ludotheque {__version__}", help=say("version"))
    commands = parser.add_subparsers(dest="command", required=True, metavar=say("command"), title=say("commands"))

    def add(name: str, texts: Catalogue = words) -> argparse.ArgumentParser:
        text = texts.say(f"cli.{name}.help").replace("%", "%%")
        child = commands.add_parser(
            name, help=text, description=text, add_help=False, formatter_class=Formatter, allow_abbrev=False
        )
        if name not in ("play", "pad"):
            _common(child, words)
        return child

    games = ", ".join(game_ids())
    for name in ("play", "join", "replay", "pad"):
        terminal.add_arguments(name, add(name, terminal_texts(words.lang)), words.lang, games)
    verify = add("verify")
    verify.add_argument("file", metavar="FILE", type=Path, help=say("record_file"))
    verify.add_argument("--key", metavar="HEX", help=say("verify.key"))
    rules = add("rules")
    rules.add_argument("game", metavar="GAME", help=games)
    rules.add_argument("rule", nargs="?", metavar="RULE", help=say("rules.rule"))
    add_simulate(add("simulate"), words, games)
    add_tournament(add("tournament"), words, games)
    add_skill(add("skill"), words, games)
    solve = add("solve")
    solve.add_argument("game", metavar="GAME", help=games)
    solve.add_argument("--jobs", type=int, metavar="N", default=0, help=say("solve.jobs"))
    solve.add_argument("--out", metavar="FILE", type=Path, help=say("solve.out"))
    warm = add("warm")
    warm.add_argument("games", nargs="*", metavar="GAME", help=games)
    add_serve(add("serve", server_texts(words.lang)), words.lang)
    add_admin(add("admin", server_texts(words.lang)), words.lang)
    return parser


def _common(parser: argparse.ArgumentParser, words: Catalogue) -> None:
    parser._positionals.title = words.say("cli.arguments")
    parser._optionals.title = words.say("cli.options")
    parser.add_argument("-h", "--help", action="help", help=words.say("cli.help"))
    if parser.prog != "ludotheque":
        parser.add_argument("--lang", choices=LANGUAGES, help=words.say("cli.lang"))


def _play(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    words = shared(lang)
    if args.game is None and any(word in ("-h", "--help") for word in rest):
        print(terminal_texts(lang).say("cli.play.usage"))
        return 0
    args.seed = _seed(args.seed)
    if terminal.is_plain(args, lang):
        return _play_plain(args, rest, lang)
    if args.game is None and rest:
        raise LudothequeError(words.say("cli.unknown_argument", {"text": rest[0]}))
    # What is wrong with the options is told before the screen opens.
    with quickly():
        made = _match(args, rest, lang, words) if rest else None
    if args.game is None and args.load is None:
        return terminal.play_menu(args, lang)
    title = str(args.load) if args.load is not None else game_words(check_id(args.game)).name
    return terminal.play_match(title, lambda: made or _match(args, rest, lang, words), args, lang)


def _match(args: argparse.Namespace, rest: Sequence[str], lang: str, words: Catalogue) -> tuple[Match, dict[int, str]]:
    """The match that the arguments ask for, and which seats are bots of which level."""
    from ludotheque import game as load_game
    from ludotheque.tui.prompt import load_match, parse_players

    if args.load is not None:
        return load_match(args.load)
    game = load_game(args.game)
    options = _game_options(game.info.options, game.catalogue(lang), game.id, rest, words)
    names, bots = parse_players(args.players, game.info.min_seats, lang)
    return game.new(names, seed=args.seed, **options), bots


def _play_plain(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
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
        match, bots = _match(args, rest, lang, shared(lang))
        Prompt(match, bots, lang, ask, args.seed).run()
    except Leave:
        print(shared(lang).say("prompt.left"))
    return 0


def _seed(text: str | None) -> int | str | None:
    return int(text) if text is not None and re.fullmatch("-?[0-9]{1,18}", text) else text


def _game_options(
    options: Sequence[Option], texts: Catalogue, game_id: str, rest: Sequence[str], words: Catalogue
) -> dict[str, Any]:
    """The game's own options among the remaining arguments: `--stock 20`, `--teams`, `--no-swim`."""
    parser = argparse.ArgumentParser(f"ludotheque … {game_id}", add_help=False, allow_abbrev=False)
    _Formatter.words = words
    parser.formatter_class = _Formatter
    parser._optionals.title = words.say("cli.options")
    parser.add_argument("-h", "--help", action="help", help=words.say("cli.help"))
    for option in options:
        flag = "--" + option.name.replace("_", "-")
        text = texts.say(f"options.{option.name}.help").replace("%", "%%")
        if option.kind == "flag":
            parser.add_argument(flag, dest=option.name, action=argparse.BooleanOptionalAction, help=text)
        elif option.kind == "texts":
            parser.add_argument(flag, dest=option.name, action="append", metavar="TEXT", help=text)
        else:
            parser.add_argument(flag, dest=option.name, metavar=option.range_symbols(), help=text)
    found, unknown = parser.parse_known_args(list(rest))
    if unknown:
        parser.error(words.say("cli.unknown_argument", {"text": unknown[0]}))
    return {name: value for name, value in vars(found).items() if value is not None}


def _replay(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    from ludotheque.core.files import read_text
    from ludotheque.core.records import load_record, tell_record

    data, _ = _room_file(load_record(read_text(args.file)))
    is_whole = isinstance(data, dict) and "seen" not in data
    if is_whole and not terminal.is_plain(args, lang):
        return terminal.replay(args, data, lang)
    for line in tell_record(data, lang, args.seat):
        print(line)
    return 0


def _join(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    return terminal.join(args, lang)


def _pad(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    if args.game is None and any(word in ("-h", "--help") for word in rest):
        print(terminal_texts(lang).say("cli.pad.usage"))
        return 0
    words = shared(lang)
    return terminal.pad(
        args, lambda game: _game_options(game.info.options, game.catalogue(lang), game.id, rest, words), lang
    )


def _room_file(data: Any) -> tuple[Any, Any]:
    """The record in a file of the game room, and what its deal was mixed from; of another file itself, and None."""
    if isinstance(data, dict) and "record" in data and set(data) <= {"record", "deal"}:
        return data["record"], data.get("deal")
    return data, None


def _verify(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    from ludotheque.core.errors import InvalidRecord
    from ludotheque.core.files import read_text
    from ludotheque.core.records import load_record, verify
    from ludotheque.server.fairness import check as check_deal

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


def _rules(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    from importlib.util import find_spec

    from ludotheque.core.pages import rule_lines, rules_page
    from ludotheque.core.registry import package

    spec = find_spec(package(check_id(args.game)))
    assert spec is not None and spec.origin is not None
    page = rules_page(Path(spec.origin).parent / "texts", lang)
    if args.rule is None:
        print(page)
        return 0
    found = rule_lines(page, args.rule.upper())
    if not found:
        raise LudothequeError(shared(lang).say("prompt.no_such_rule", {"rule": args.rule}))
    print("\n".join(found))
    return 0


_STUDIES = {"simulate": simulate, "skill": skill, "tournament": tournament}


def _study(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    """The lab's commands, which take a game and its options."""
    from ludotheque import game as load_game

    game = load_game(args.game)
    options = _game_options(game.info.options, game.catalogue(lang), game.id, rest, shared(lang))
    return _STUDIES[args.command](args, game, options, lang)


def _solve(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
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
    given = _game_options(game.info.options, game.catalogue(lang), game.id, rest, words)
    options = {option.name: game.options(2, given)[option.name] for option in game.info.options}
    if args.out is None and set(given) - {"negative"}:
        raise LudothequeError(words.say("cli.solve.where"))
    if not 0 <= args.jobs <= 256:
        raise LudothequeError(words.say("cli.solve.jobs_range"))
    path = args.out if args.out is not None else solver.table_path(options["negative"])
    jobs = args.jobs or num_cores()
    bar = Bar(words.say("cli.solve.running", {"game": game.info.name}))
    table = solver.solve_and_write(path, options, jobs, bar.show)
    print(words.say("cli.solve.done", {"value": f"{100 * table.start():.2f} %", "file": str(path)}))
    return 0


def _warm(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    import ludotheque.bots.kernels
    import ludotheque.core.painter
    import ludotheque.lab.kernels  # noqa: F401  # these add what they need to what is compiled
    from ludotheque.core.warm import warm

    warm([check_id(game_id) for game_id in args.games] or game_ids(), lang)
    return 0


def _admin(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    return admin(args, lang)


def _serve(args: argparse.Namespace, rest: Sequence[str], lang: str) -> int:
    return serve(args, lang)


_COMMANDS = {
    "play": _play,
    "join": _join,
    "replay": _replay,
    "pad": _pad,
    "verify": _verify,
    "rules": _rules,
    **dict.fromkeys(_STUDIES, _study),
    "solve": _solve,
    "warm": _warm,
    "serve": _serve,
    "admin": _admin,
}
