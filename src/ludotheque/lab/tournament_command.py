"""The command `tournament`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ludotheque.core.files import write_text
from ludotheque.core.texts import Catalogue, shared
from ludotheque.lab.arguments import add_arguments, bot_names

if TYPE_CHECKING:
    from ludotheque.core.game import Game


def add_tournament(parser: argparse.ArgumentParser, words: Catalogue, games: str) -> None:
    """The arguments of `tournament`."""
    names = "bots deals players budget seed jobs ray json plot report force"
    usual = {"bots": "expert,club,random", "deals": 100, "seed": "tournament", "jobs": 1}
    add_arguments(parser, words, games, "tournament", names, **usual)


def tournament(args: argparse.Namespace, game: Game, options: Mapping[str, Any], lang: str) -> int:
    """Run the command; the game's own options are read already."""
    from ludotheque.bots.budget import parse_budget
    from ludotheque.core.progress import Bar
    from ludotheque.lab.outputs import check_outputs
    from ludotheque.lab.page import tournament_page
    from ludotheque.lab.plots import check_plot_path, ladder_plot
    from ludotheque.lab.report import tournament_lines
    from ludotheque.lab.tournament import run, save_json

    if args.plot is not None:
        check_plot_path(args.plot)
    check_outputs([args.json, args.plot, args.report], args.force)
    result = run(
        game,
        bot_names(args.bots),
        args.deals,
        game.info.min_seats if args.players is None else args.players,
        dict(options),
        parse_budget(args.budget),
        args.seed,
        args.jobs,
        Bar(shared(lang).say("tournament.running", {"game": game.info.name})).show,
        args.ray,
    )
    for line in tournament_lines(result, lang):
        print(line)
    if args.json is not None:
        save_json(result, args.json)
    if args.plot is not None:
        ladder_plot(result, args.plot, lang)
    if args.report is not None:
        write_text(args.report, tournament_page(result, lang))
    return 0
