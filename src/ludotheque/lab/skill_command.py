"""The command `skill`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludotheque.core.files import write_text
from ludotheque.core.texts import Catalogue, shared

if TYPE_CHECKING:
    from ludotheque.core.game import Game

INTERRUPTED = 130


def add_skill(parser: argparse.ArgumentParser, words: Catalogue, games: str) -> None:
    """The arguments of `skill`."""

    def say(key: str) -> str:
        return words.say(f"cli.skill.{key}").replace("%", "%%")

    parser.add_argument("game", metavar="GAME", help=games)
    parser.add_argument("--bots", metavar="BOT,BOT,…", default="club,beginner", help=say("bots"))
    parser.add_argument("--deals", type=int, metavar="N", default=400, help=say("deals"))
    parser.add_argument("--players", type=int, metavar="N", help=say("players"))
    parser.add_argument("--vary", metavar="NAME=A,B,…", help=say("vary"))
    parser.add_argument("--budget", metavar="50ms|2000it", help=say("budget"))
    parser.add_argument("--seed", default="skill", help=say("seed"))
    parser.add_argument("--jobs", type=int, metavar="N", default=1, help=say("jobs"))
    parser.add_argument("--json", metavar="FILE", type=Path, help=say("json"))
    parser.add_argument("--report", metavar="FILE", type=Path, help=say("report"))
    parser.add_argument("--force", action="store_true", help=say("force"))


def skill(args: argparse.Namespace, game: Game, options: Mapping[str, Any], lang: str) -> int:
    """Run the command; the game's own options are read already."""
    from ludotheque.bots.budget import parse_budget
    from ludotheque.core.progress import Bar
    from ludotheque.lab.outputs import check_outputs
    from ludotheque.lab.page import skill_page
    from ludotheque.lab.skill import make_settings, run
    from ludotheque.lab.skill_text import skill_lines

    varied, settings = make_settings(game, args.players, options, args.vary)
    check_outputs([args.json, args.report], args.force)
    result = run(
        game,
        [name.strip() for name in args.bots.split(",")],
        args.deals,
        settings,
        varied,
        parse_budget(args.budget),
        args.seed,
        args.jobs,
        Bar(shared(lang).say("cli.skill.running", {"game": game.info.name})).show,
    )
    is_whole = result.deals == result.asked
    print(*([] if is_whole else [""]), *skill_lines(result, lang), sep="\n")
    if args.json is not None:
        write_text(args.json, result.to_json())
    if args.report is not None:
        write_text(args.report, skill_page(result, lang))
    return 0 if is_whole else INTERRUPTED
