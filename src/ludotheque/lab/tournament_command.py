"""The command `tournament`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ludotheque.core.texts import shared
from ludotheque.lab.arguments import INTERRUPTED, add_arguments, bot_names
from ludotheque.lab.limits import MOST_DEALS, MOST_JOBS
from ludotheque.shell.arguments import Parser

if TYPE_CHECKING:
    from ludotheque.core.game import Game


def add_tournament(parser: Parser) -> None:
    """The arguments of `tournament`."""
    names = "bots deals until players budget seed jobs ray json plot report force"
    add_arguments(
        parser,
        names,
        bots={"default": "expert,club,random", "values": parser.levels("cheater")},
        deals={"default": 100, "bounds": (1, MOST_DEALS)},
        seed={"default": "tournament"},
        jobs={"default": 1, "bounds": (1, MOST_JOBS)},
    )


def tournament(args: argparse.Namespace, game: Game, lang: str) -> int:
    """Run the command."""
    from ludotheque.bots.budget import parse_budget
    from ludotheque.core.progress import Bar
    from ludotheque.lab.outputs import check_outputs, show, write_result
    from ludotheque.lab.page import tournament_page
    from ludotheque.lab.plots import check_plot_path, ladder_plot
    from ludotheque.lab.report import tournament_lines
    from ludotheque.lab.tournament import run

    if args.plot is not None:
        check_plot_path(args.plot)
    check_outputs([args.json, args.plot, args.report], args.force)
    result = run(
        game,
        bot_names(args.bots),
        args.deals,
        game.info.min_seats if args.players is None else args.players,
        args.options,
        budget=parse_budget(args.budget),
        seed=args.seed,
        jobs=args.jobs,
        progress=Bar(shared(lang).say("tournament.running", {"game": game.info.name})).show,
        ray=args.ray,
        until=args.until,
    )
    show(tournament_lines(result, lang), [args.json, args.report])
    write_result(args.json, result.to_json())
    if args.plot is not None:
        ladder_plot(result, args.plot, lang)
    if args.report is not None:
        write_result(args.report, tournament_page(result, lang))
    return 0 if result.is_whole else INTERRUPTED
