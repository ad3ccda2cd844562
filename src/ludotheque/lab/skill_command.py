"""The command `skill`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ludotheque.core.texts import shared
from ludotheque.lab.arguments import INTERRUPTED, add_arguments, bot_names
from ludotheque.lab.limits import MOST_JOBS, MOST_SKILL_DEALS
from ludotheque.shell.arguments import Parser

if TYPE_CHECKING:
    from ludotheque.core.game import Game


def add_skill(parser: Parser) -> None:
    """The arguments of `skill`."""
    names = "bots deals players vary budget seed jobs json report force"
    add_arguments(
        parser,
        names,
        bots={"default": "club,beginner", "values": parser.levels("cheater")},
        deals={"default": 400, "bounds": (2, MOST_SKILL_DEALS)},
        seed={"default": "skill"},
        jobs={"default": 1, "bounds": (1, MOST_JOBS)},
    )


def skill(args: argparse.Namespace, game: Game, lang: str) -> int:
    """Run the command."""
    from ludotheque.bots.budget import parse_budget
    from ludotheque.core.progress import Bar
    from ludotheque.lab.luck import make_settings, run
    from ludotheque.lab.outputs import check_outputs, show, write_result
    from ludotheque.lab.page import skill_page
    from ludotheque.lab.skill_text import skill_lines

    varied, settings = make_settings(game, args.players, args.options, args.vary)
    check_outputs([args.json, args.report], args.force)
    result = run(
        game,
        bot_names(args.bots),
        args.deals,
        settings,
        varied=varied,
        budget=parse_budget(args.budget),
        seed=args.seed,
        jobs=args.jobs,
        progress=Bar(shared(lang).say("cli.skill.running", {"game": game.info.name})).show,
    )
    is_whole = result.deals == result.asked
    show([*([] if is_whole else [""]), *skill_lines(result, lang)], [args.json, args.report])
    write_result(args.json, result.to_json())
    if args.report is not None:
        write_result(args.report, skill_page(result, lang))
    return 0 if is_whole else INTERRUPTED
