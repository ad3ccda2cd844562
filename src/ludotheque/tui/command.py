"""`ludotheque play`, `join`, `replay` and `pad`: into the application, or to the plain prompt where there is none."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludotheque.core import extras
from ludotheque.core.errors import LudothequeError
from ludotheque.shell.arguments import Parser, games
from ludotheque.tui.terminal import look, why_plain
from ludotheque.tui.words import say

if TYPE_CHECKING:
    from ludotheque.tui.page import Page

Opener = Callable[[], Any]


def add_play(parser: Parser) -> None:
    """The arguments of `play`."""
    parser.argument("game", games(), nargs="?")
    parser.option("players", values=parser.levels(), metavar="NAME,NAME,…")
    parser.option("seed")
    parser.option("load", metavar="FILE", type=Path)
    _add_look(parser)


def add_pad(parser: Parser) -> None:
    """The arguments of `pad`."""
    parser.argument("game", games(), nargs="?")
    parser.option("players", metavar="NAME,NAME,…")
    parser.option("first", metavar="NAME")
    parser.option("load", metavar="FILE", type=Path)
    _add_look(parser)


def add_replay(parser: Parser) -> None:
    """The arguments of `replay`."""
    parser.argument("file", type=Path)
    parser.option("seat", metavar="N", bounds=(0, None))
    _add_look(parser)


def add_join(parser: Parser) -> None:
    """The arguments of `join`."""
    parser.argument("url")
    parser.option("name")
    parser.option("watch", action="store_true")
    parser.option("ascii", action="store_true")


def _add_look(parser: Parser) -> None:
    parser.option("plain", action="store_true")
    parser.option("ascii", action="store_true")


def is_plain(args: argparse.Namespace, lang: str) -> bool:
    """Whether the plain prompt must do; says what to install if that is all that is missing."""
    reason = "asked" if args.plain else why_plain()
    if reason == "missing":
        print(say(lang, "cli.play.missing"), file=sys.stderr)
    return bool(reason)


def _run(first: Callable[[], Page], args: argparse.Namespace, lang: str) -> int:
    """Run the application until it is closed, then print its last message."""
    from ludotheque.tui.app import LudoApp

    app = LudoApp(lambda _: first(), lang, look(ascii_wanted=args.ascii))
    text = app.run()
    if app.error is not None:
        raise app.error
    if text:
        print(text)
    return app.return_code or 0


def play_menu(args: argparse.Namespace, lang: str) -> int:
    """Choose a game from the menu."""

    def first() -> Page:
        from ludotheque.tui.menu import MenuScreen

        return MenuScreen()

    return _run(first, args, lang)


def play_match(title: str, make: Opener, args: argparse.Namespace, lang: str) -> int:
    """Straight to a table: `make` deals the match and says who the bots are, once the screen is there."""

    def work() -> Any:
        from ludotheque.tui.local import LocalTable
        from ludotheque.tui.opening import load_table, ready

        if args.load is not None:
            return load_table(args.load, lang)
        ready(args.game)
        match, bots = make()
        return LocalTable(match, bots, lang, args.seed)

    return _run(partial(_loading, title, work), args, lang)


def _loading(title: str, work: Opener) -> Page:
    from ludotheque.tui.loading import Loading
    from ludotheque.tui.opening import table_page

    return Loading(title, work, table_page)


def replay(args: argparse.Namespace, data: Any, lang: str) -> int:
    """Step through a whole record."""

    def work() -> Any:
        from ludotheque.core.records import read_record
        from ludotheque.tui.replay import ReplayTable

        match = read_record(data)
        if args.seat is not None and not 0 <= args.seat < match.num_seats:
            raise LudothequeError(f"seats go from 0 to {match.num_seats - 1}, there is no seat {args.seat}")
        return ReplayTable(match, lang, args.seat)

    return _run(partial(_loading, str(args.file), work), args, lang)


def join(args: argparse.Namespace, lang: str) -> int:
    """Sit down at a table of a game room."""
    from ludotheque.tui.room import parse_address

    extras.need("tui")
    parse_address(args.url, lang)
    if why_plain():
        raise LudothequeError(say(lang, "cli.join.terminal"))

    def first() -> Page:
        from ludotheque.tui.opening import join_page

        return join_page(args.url, args.name, lang, args.watch)

    return _run(first, args, lang)


def pad(args: argparse.Namespace, lang: str) -> int:
    """Keep score."""
    from ludotheque import game as load_game
    from ludotheque.core.pad import new_pad
    from ludotheque.tui.opening import load_pad, pad_page, pad_setup

    plain = is_plain(args, lang)
    loaded: tuple[Any, Path | None]
    if args.load is not None:
        loaded = load_pad(args.load, lang)
    elif args.game is None:
        raise LudothequeError(say(lang, "cli.pad.which"))
    else:
        game = load_game(args.game)
        if args.players is None and not plain and not args.options:
            return _run(lambda: pad_setup(game), args, lang)
        names = _names(args.players, game.info.min_seats, lang)
        first = None
        if args.first is not None:
            if args.first not in names:
                facts = {"text": args.first, "names": names}
                raise LudothequeError(say(lang, "cli.pad.not_first", facts))
            first = names.index(args.first)
        loaded = new_pad(game.id, names, first, **args.options), None
    if plain:
        from ludotheque.tui.pad_prompt import PadPrompt

        PadPrompt(loaded[0], lang, loaded[1]).run()
        return 0
    return _run(lambda: pad_page(loaded), args, lang)


def _names(text: str | None, fewest: int, lang: str) -> Sequence[str]:
    if text is None:
        return [say(lang, "setup.guest", {"n": n + 1}) for n in range(fewest)]
    return [part.strip() for part in text.split(",")]
