"""The command `skill`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ludotheque.core.files import write_text
from ludotheque.core.texts import Catalogue, shared
from ludotheque.lab.arguments import INTERRUPTED, add_arguments, bot_names

if TYPE_CHECKING:
    from ludotheque.core.game import Game


def add_skill(parser: argparse.ArgumentParser, words: Catalogue, games: str) -> None:
    """The arguments of `skill`."""
    names = "bots deals players vary budget seed jobs json report force"
    add_arguments(parser, words, games, "skill", names, bots="club,beginner", deals=400, seed="skill", jobs=1)


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
        bot_names(args.bots),
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
