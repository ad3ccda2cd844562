"""The command `simulate`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from ludotheque.core.errors import LudothequeError
from ludotheque.core.files import write_text
from ludotheque.core.texts import Catalogue, shared, worded
from ludotheque.lab.arguments import INTERRUPTED, add_arguments, bot_names

if TYPE_CHECKING:
    from ludotheque.core.game import Game
    from ludotheque.lab.runlog import RunLog
    from ludotheque.lab.shards import Plan, Runner
    from ludotheque.lab.simulation import Run, RunBar


def add_simulate(parser: argparse.ArgumentParser, words: Catalogue, games: str) -> None:
    """The arguments of `simulate`."""
    names = "games players bots budget seed vary jobs ray out json report resume force"
    add_arguments(parser, words, games, "simulate", names, games=10_000, seed="simulate", jobs=0)


def simulate(args: argparse.Namespace, game: Game, options: Mapping[str, Any], lang: str) -> int:
    """Run the command; the game's own options are read already."""
    from ludotheque.lab.simulation import RunBar, make_runs

    bots = tuple(bot_names(args.bots)) if args.bots is not None else ()
    runs = make_runs(
        game,
        args.games,
        args.vary,
        players=args.players,
        bots=bots,
        options=dict(options),
        budget=args.budget,
        seed=args.seed,
    )
    bar = RunBar(shared(lang).say("simulate.running", {"game": game.info.name}), lang)
    with ExitStack() as stack:
        runner = stack.enter_context(_runner(args, bar))
        log = _open_log(args, [run.plan for run in runs])
        if log is not None:
            stack.callback(log.close)
        return _play(args, runs, runner, log, bar, lang)


def _play(
    args: argparse.Namespace, runs: Sequence[Run], runner: Runner, log: RunLog | None, bar: RunBar, lang: str
) -> int:
    from ludotheque.lab.lines import comparison_lines, simulation_lines
    from ludotheque.lab.simulation import play, write_outputs

    try:
        played = play(runs, runner, log, bar.show)
    except LudothequeError:  # a cluster that is gone, a disk that is full
        bar.break_off()
        if log is not None and any(log.done(place) for place in range(len(runs))):
            _stopped(log, lang)
        elif log is not None:
            log.remove()
        raise
    summaries = played.summaries()
    comparison = played.comparison()
    if not played.is_whole:
        bar.break_off()
    if comparison is not None:
        print("\n".join(comparison_lines(comparison, summaries, lang)))
    else:
        print("\n\n".join("\n".join(simulation_lines(summary, lang)) for summary in summaries))
    if not played.is_whole:
        return _stopped(log, lang)
    if args.out is not None:
        assert log is not None
        write_outputs(log, runs, args.out)
    if args.json is not None:
        text = summaries[0].dumps()
        if comparison is not None:
            data = {"runs": [summary.to_json() for summary in summaries], "comparison": comparison.to_json()}
            text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        write_text(args.json, text)
    if args.report is not None:
        from ludotheque.lab.page import simulation_page

        write_text(args.report, simulation_page(summaries, lang))
    if log is not None:
        log.remove()
    return 0


@contextmanager
def _runner(args: argparse.Namespace, bar: RunBar) -> Iterator[Runner]:
    """Who plays: this machine, or a cluster, joined before anything is written."""
    from ludotheque.lab.shards import check_jobs, run_local

    jobs = check_jobs(args.jobs)
    if args.ray is None:
        yield partial(run_local, jobs=jobs)
        return
    from ludotheque.lab.cluster import Cluster

    with Cluster(args.ray) as cluster:
        yield partial(cluster.run, watch=bar.watch)


def _open_log(args: argparse.Namespace, plans: Sequence[Plan]) -> RunLog | None:
    """Check where results go, and the log beside them: a new one, or the one of a run that was stopped."""
    from ludotheque.lab.frames import check_arrow
    from ludotheque.lab.outputs import check_outputs
    from ludotheque.lab.runlog import RunLog, log_path

    if args.out is not None:
        check_arrow()
    kept = args.out or args.json
    if kept is None:
        check_outputs([args.report], args.force)
        if args.resume:
            raise worded(LudothequeError, "simulate.resume")
        return None
    path = log_path(kept)
    check_outputs([args.out, args.json, args.report], args.force)
    if args.resume:
        return RunLog.resume(path, plans, args.out is not None)
    if path.exists() and not args.force:
        raise worded(LudothequeError, "simulate.unfinished", file=str(path))
    return RunLog.create(path, plans, args.out is not None)


def _stopped(log: RunLog | None, lang: str) -> int:
    words = shared(lang)
    if log is not None:
        print(words.say("simulate.kept", {"file": str(log.path)}), file=sys.stderr)
    else:
        print(words.say("simulate.not_kept"), file=sys.stderr)
    return INTERRUPTED
