"""Running simulations: shards are played, counted, kept in a log, and in the end summed up and written."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ludotheque.core import registry
from ludotheque.core.errors import InvalidOptions, LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.progress import WIDTH
from ludotheque.core.texts import shared, worded
from ludotheque.lab import frames
from ludotheque.lab.runlog import RunLog
from ludotheque.lab.shards import Array, Part, Plan, Runner, check_jobs, make_plan, merge, run_local
from ludotheque.lab.summary import Summary, summarise
from ludotheque.lab.vary import Comparison, Vary, compare, parse_vary, settings
from ludotheque.lab.words import number

Progress = Callable[[int, int], None]
"""Called with how many matches have been played, and of how many."""


@dataclass(frozen=True)
class Run:
    """One of the runs of a simulation."""

    plan: Plan
    value: str = ""
    """What is varied in it, such as `stock=20`; empty if it is the only one."""


def make_runs(game: Game, games: int, vary: Vary | None = None, **arguments: Any) -> list[Run]:
    """The runs of a simulation, one for each value varied. `arguments` are those of `make_plan`."""
    if vary is None:
        return [Run(make_plan(game, games, **arguments))]
    name, values = parse_vary(game, vary)
    given = {**(arguments.get("options") or {}), **arguments}.get(name)
    if given is not None and given != ():
        raise worded(InvalidOptions, "simulate.twice", name=name)
    runs = []
    for value in values:
        changed = settings(name, value)
        options = {**(arguments.get("options") or {}), **changed.pop("options", {})}
        runs.append(Run(make_plan(game, games, **{**arguments, **changed, "options": options}), f"{name}={value}"))
    return runs


@dataclass
class Played:
    """What has been played of some runs."""

    runs: list[Run]
    counts: list[Part | None] = field(default_factory=list)
    """By run; None where nothing has been played."""
    is_whole: bool = False
    """Whether all runs were played to their end."""

    def summaries(self) -> list[Summary]:
        """A summary of each run of which something has been played."""
        pairs = zip(self.runs, self.counts, strict=True)
        return [summarise(run.plan, part, run.value) for run, part in pairs if part is not None]

    def comparison(self) -> Comparison | None:
        """The runs side by side, if there are several and all have been begun."""
        summaries = self.summaries()
        if len(self.runs) < 2 or len(summaries) < len(self.runs):
            return None
        name = self.runs[0].value.partition("=")[0]
        return compare(name, [run.value.partition("=")[2] for run in self.runs], summaries)


def play(
    runs: Sequence[Run],
    runner: Runner,
    log: RunLog | None = None,
    progress: Progress = lambda done, total: None,
    keep: Callable[[int, Part], None] = lambda run, part: None,
) -> Played:
    """Play what the log does not have yet. Ctrl-C ends it early: what has been played stays, and is returned.

    `keep` gets every part played here, in the order of runs and shards. Parts are counted in that order too: when a run
    is broken off, the log may have a few more.
    """
    played = Played(list(runs), [None] * len(runs))
    total = sum(run.plan.games for run in runs)
    done = 0
    try:
        for place, run in enumerate(runs):
            ready = log.done(place) if log is not None else set()
            if log is not None and ready:
                played.counts[place] = merge(log.parts(place))
                done += _games(played.counts[place])
            progress(done, total)
            for part in _in_order(run.plan, runner, ready, partial(_keep, log, place)):
                counted = [played.counts[place], part]
                played.counts[place] = merge(one for one in counted if one is not None)
                done += _games(part)
                keep(place, part)
                progress(done, total)
        played.is_whole = True
    except KeyboardInterrupt:
        pass
    return played


def _keep(log: RunLog | None, run: int, number: int, part: Part) -> None:
    if log is not None:
        log.append(run, number, part)


def _in_order(plan: Plan, runner: Runner, ready: set[int], arrived: Callable[[int, Part], None]) -> Iterator[Part]:
    """The missing parts of a run in the order of their numbers; `arrived` gets each as soon as it is there."""
    missing = (number for number in range(plan.num_shards) if number not in ready)
    following = (number for number in range(plan.num_shards) if number not in ready)
    turn = next(following, None)
    waiting: dict[int, Part] = {}
    parts = runner(plan, missing)
    try:
        for number, part in parts:
            arrived(number, part)
            waiting[number] = part
            while turn in waiting:
                yield waiting.pop(turn)
                turn = next(following, None)
    finally:
        if isinstance(parts, Generator):
            parts.close()


def _games(part: Part | None) -> int:
    return int(part.sums["games"][0]) if part is not None else 0


class Simulation:
    """What `simulate` returns: summary, arrays and tables of one run, or of several side by side.

    Examples:
        >>> from ludotheque import lab
        >>> found = lab.simulate("double_lucky_7", games=20, players=2, bots="random", seed=1, jobs=1)
        >>> found.arrays()["score"].shape  # an element per match and seat
        (40,)
        >>> found.comparison is None  # nothing was varied
        True
    """

    def __init__(self, played: Played, parts: list[list[Part]]) -> None:
        self.summaries = played.summaries()
        """A summary of each run."""
        self.comparison = played.comparison()
        """The runs side by side; None of one."""
        self._runs = played.runs
        self._parts = parts

    @property
    def summary(self) -> Summary:
        """The summary of the run, of the first if there are several."""
        return self.summaries[0]

    def arrays(self, run: int = 0) -> dict[str, Array]:
        """The matches of a run as NumPy arrays: an element per match and seat, see docs/lab.md."""
        return frames.columns(self._runs[run].plan, self._parts[run], self._runs[run].value)

    def table(self) -> Any:
        """All runs as one Arrow table, a row per match and seat; needs pyarrow."""
        return frames.table([run.plan for run in self._runs], [run.value for run in self._runs], self._parts)

    def frame(self) -> Any:
        """The same as a data frame of pandas."""
        table = self.table()
        try:
            return table.to_pandas()
        except ImportError:
            raise worded(LudothequeError, "simulate.pandas") from None


def simulate(
    game: str | Game,
    games: int = 10_000,
    players: int | None = None,
    bots: str | Sequence[str] = (),
    budget: str | None = None,
    seed: int | str = "simulate",
    jobs: int = 0,
    vary: Vary | None = None,
    runner: Runner | None = None,
    progress: Progress = lambda done, total: None,
    **options: Any,
) -> Simulation:
    """Play many matches and count. `bots` are names by seat, or one for all: `club` unless named.

    The same arguments give the same result on any machine, however many `jobs` (0: all cores) play side by side, unless
    bots think for a time instead of a number of iterations. `vary={"stock": [10, 20]}` makes a run for each value.
    Matches are kept in memory; the command `ludotheque simulate --out` keeps them in a file instead.

    Args:
        game: The game, or its id.
        games: How many matches, of each run.
        players: How many play; as few as can, or as many as there are bots, without it.
        bots: Who plays: a name for all seats, or one for each.
        budget: How long bots think, such as `2000it` or `50ms`.
        seed: Another seed, other matches.
        jobs: Threads or processes; 0 is one for each core.
        vary: What to vary: an option, `players`, `bots` or `budget`, and its values.
        runner: Who plays the shards, such as `Cluster.run`; this machine without it.
        progress: Called with how many matches have been played, and of how many.
        **options: The game's options.

    Returns:
        Summaries, tables and arrays of what was played.

    Raises:
        InvalidOptions: If the game does not take the players, the bots or an option; nothing is played.

    Examples:
        >>> from ludotheque import lab
        >>> found = lab.simulate("double_lucky_7", games=20, players=2, bots="random", seed=1, jobs=1)
        >>> found.summary.games, len(found.summary.seats)
        (20, 2)
    """
    loaded = registry.load(game) if isinstance(game, str) else game
    names = tuple(bots.split(",")) if isinstance(bots, str) else tuple(bots)
    runs = make_runs(loaded, games, vary, players=players, bots=names, options=options, budget=budget, seed=seed)
    parts: list[list[Part]] = [[] for _ in runs]
    if runner is None:
        runner = partial(run_local, jobs=check_jobs(jobs))
    played = play(runs, runner, None, progress, lambda run, part: parts[run].append(part))
    if not played.is_whole:
        raise KeyboardInterrupt
    return Simulation(played, parts)


class RunBar:
    """A progress bar with matches per second and time left, on standard error; one line where that is no terminal."""

    EVERY = 0.1

    def __init__(self, text: str, lang: str = "en") -> None:
        self.text = text
        self.lang = lang
        self.began = time.monotonic()
        self._first: int | None = None
        self._last = 0, 0
        self._at_work = ""
        self._drawn = 0.0

    def show(self, done: int, total: int) -> None:
        """So many matches have been played."""
        self._last = done, total
        now = time.monotonic()
        if self._first is None:
            self._first, self.began = done, now
            if not sys.stderr.isatty():
                print(self.text, file=sys.stderr, flush=True)
        if not sys.stderr.isatty() or (now - self._drawn < self.EVERY and 0 < done < total):
            return
        self._drawn = now
        filled = WIDTH * done // max(total, 1)
        rate = (done - self._first) / max(now - self.began, 1e-9)
        facts = {"done": number(self.lang, done), "total": number(self.lang, total), "rate": number(self.lang, rate)}
        facts["left"] = number(self.lang, (total - done) / rate, 0) if rate > 0 else "–"
        text = shared(self.lang).say("simulate.progress" if done < total else "simulate.progress_done", facts)
        sys.stderr.write(f"\r\x1b[K{self.text} [{'#' * filled}{'.' * (WIDTH - filled)}] {text}{self._at_work}")
        sys.stderr.write("\n" if done >= total else "")
        sys.stderr.flush()

    def watch(self, machines: int) -> None:
        """So many machines of a cluster are at work."""
        self._at_work = ", " + shared(self.lang).say("simulate.machines", {"n": machines})
        done, total = self._last
        if done < total:
            self.show(done, total)

    def break_off(self) -> None:
        """End the line."""
        if sys.stderr.isatty():
            sys.stderr.write("\n")


def write_outputs(log: RunLog, runs: Sequence[Run], path: Path) -> None:
    """Write all matches in a log to a Parquet file."""
    plans: list[Plan] = [run.plan for run in runs]
    frames.write_parquet(path, plans, [run.value for run in runs], (log.parts(n) for n in range(len(runs))))
