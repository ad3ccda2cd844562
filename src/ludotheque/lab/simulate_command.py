"""The command `simulate`."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import shared, worded
from ludotheque.lab.arguments import INTERRUPTED, add_arguments, bot_names
from ludotheque.lab.limits import MOST_GAMES, MOST_JOBS
from ludotheque.lab.outputs import STDOUT
from ludotheque.shell.arguments import Parser

if TYPE_CHECKING:
    from ludotheque.core.game import Game
    from ludotheque.lab.runlog import RunLog
    from ludotheque.lab.shards import Plan, Runner
    from ludotheque.lab.simulation import Run, RunBar


def add_simulate(parser: Parser) -> None:
    """The arguments of `simulate`."""
    names = "games players bots budget seed vary jobs ray out json report resume force"
    parser.set_defaults(stdout=None)
    add_arguments(
        parser,
        names,
        games={"default": 10_000, "bounds": (1, MOST_GAMES)},
        bots={"values": parser.levels()},
        seed={"default": "simulate"},
        jobs={"default": 0, "bounds": (0, MOST_JOBS)},
    )


def simulate(args: argparse.Namespace, game: Game, lang: str) -> int:
    """Run the command."""
    from ludotheque.lab.simulation import RunBar, make_runs

    bots = tuple(bot_names(args.bots)) if args.bots is not None else ()
    runs = make_runs(
        game,
        args.games,
        args.vary,
        players=args.players,
        bots=bots,
        options=args.options,
        budget=args.budget,
        seed=args.seed,
    )
    bar = RunBar(shared(lang).say("simulate.running", {"game": game.info.name}), lang)
    with ExitStack() as stack:
        if args.out == STDOUT:
            stack.enter_context(_to_stdout(args))
        runner = stack.enter_context(_runner(args, bar))
        log = _open_log(args, [run.plan for run in runs])
        if log is not None:
            stack.callback(log.close)
        return _play(args, runs, runner, log, bar, lang)


def _play(
    args: argparse.Namespace, runs: Sequence[Run], runner: Runner, log: RunLog | None, bar: RunBar, lang: str
) -> int:
    from ludotheque.lab.lines import comparison_lines, simulation_lines
    from ludotheque.lab.outputs import show, write_result
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
        lines = comparison_lines(comparison, summaries, lang)
    else:
        lines = ["\n\n".join("\n".join(simulation_lines(summary, lang)) for summary in summaries)]
    show(lines, [args.stdout, args.json, args.report])
    if not played.is_whole:
        return _stopped(log, lang)
    if args.out is not None:
        assert log is not None
        write_outputs(log, runs, args.out)
    text = summaries[0].dumps()
    if comparison is not None:
        data = {"runs": [summary.to_json() for summary in summaries], "comparison": comparison.to_json()}
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    write_result(args.json, text)
    if args.report is not None:
        from ludotheque.lab.page import simulation_page

        write_result(args.report, simulation_page(summaries, lang))
    if log is not None:
        log.remove()
    return 0


@contextmanager
def _to_stdout(args: argparse.Namespace) -> Iterator[None]:
    """Let the matches go into a file of our own, and from there to standard output."""
    if sys.stdout.isatty():
        raise worded(LudothequeError, "outputs.terminal")
    with tempfile.TemporaryDirectory(prefix="ludotheque-") as folder:
        args.out, args.stdout = Path(folder, "matches.parquet"), STDOUT
        yield
        if args.out.exists():
            with args.out.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)


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
    kept = args.out or (args.json if args.json != STDOUT else None)
    check_outputs([args.stdout, args.out, args.json, args.report], args.force)
    if kept is None:
        if args.resume:
            raise worded(LudothequeError, "simulate.resume")
        return None
    path = log_path(kept)
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
