"""A simulation cut into shards: what one plays, what comes out of it, and playing them on this machine.

A run is a `Plan`. Its matches are numbered; match m is dealt under a key made of the run's seed and m, and everybody's
choices in it come from there too. A shard is a stretch of them. What comes out of one is a `Part`: counts in whole
numbers, which add up to the same bytes in any grouping and order, and the rows of its matches. So it does not matter
which process or machine plays a shard, nor when.
"""

from __future__ import annotations

import json
import multiprocessing
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.bots.bot import Bot
from ludotheque.bots.budget import parse_budget
from ludotheque.bots.ladder import CLUB, RANDOM, extras, levels, make_contestant
from ludotheque.core import registry, warm
from ludotheque.core.chance import Key, chacha_block, key_from_seed
from ludotheque.core.errors import InvalidOptions, LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.jit import plain
from ludotheque.core.ladder import LEVELS, Level
from ludotheque.core.match import Match
from ludotheque.core.texts import worded
from ludotheque.lab import playing as templates
from ludotheque.lab.duels import Deal, play_match
from ludotheque.lab.limits import MOST_GAMES, MOST_JOBS

Array = npt.NDArray[Any]

WHOLE = 840
"""A win in parts that any number of seats up to eight can share."""

RANDOM_SHARD = 4096
"""Matches in a shard of random play, some tens of milliseconds; a game of long matches says `SHARD` itself."""
RATED_SHARD = 256
"""Matches in a shard of players who go by ratings that take little time,"""
QUICK = (*LEVELS[: LEVELS.index(CLUB) + 1], RANDOM)
"""which are these."""
BOT_SHARD = 4
ALONE = 2.0
"""Seconds that a run with bots is played in one process before others are started."""
BATCH = 128
"""Matches dealt at a time: few enough for their records to stay in a core's own cache."""


@dataclass(frozen=True)
class Plan:
    """A run: everything its result depends on. Make one with `make_plan`, which checks it."""

    game: str
    players: int
    games: int
    """How many matches."""
    seed: str
    options: dict[str, Any]
    """All options of the game."""
    bots: tuple[str, ...]
    """Who sits where."""
    budget: str | None
    """How long bots think, as `budget.parse_budget` reads it. With a time a run cannot be repeated exactly."""
    shard: int
    """Matches of a shard; the last may have fewer."""
    rules_version: int

    @property
    def num_shards(self) -> int:
        """How many shards there are; they are numbered from 0."""
        return -(-self.games // self.shard)

    def span(self, number: int) -> range:
        """The matches of a shard."""
        first = number * self.shard
        return range(first, min(first + self.shard, self.games))

    def to_json(self) -> dict[str, Any]:
        """Plain values for a file or a message."""
        return {**asdict(self), "bots": list(self.bots)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """The plan that `to_json` wrote."""
        return cls(**{**data, "bots": tuple(data["bots"])})


def make_plan(
    game: str | Game,
    games: int,
    players: int | None = None,
    bots: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    budget: str | None = None,
    seed: int | str = "simulate",
) -> Plan:
    """A checked plan. One bot's name stands for all seats; without any, `club` plays.

    Args:
        game: The game, or its id.
        games: How many matches.
        players: How many play; as few as can, or as many as there are bots, without it.
        bots: Who sits where.
        options: The game's options.
        budget: How long bots think, such as `2000it` or `50ms`.
        seed: Another seed, other matches.

    Raises:
        InvalidOptions: If the game does not take the players, the bots or an option.

    Examples:
        >>> from ludotheque.lab.shards import make_plan
        >>> plan = make_plan("loba", 1000, 3, seed=1)
        >>> plan.game, plan.games, plan.bots
        ('loba', 1000, ('club', 'club', 'club'))
    """
    loaded = registry.load(game) if isinstance(game, str) else game
    if type(games) is not int or not 1 <= games <= MOST_GAMES:
        raise worded(InvalidOptions, "simulate.games", most=MOST_GAMES, games=repr(games))
    if players is None:
        players = len(bots) if len(bots) > 1 else loaded.info.min_seats
    checked = loaded.options(players, options or {})
    named = tuple(bots) or (CLUB,)
    names = named * players if len(named) == 1 else named
    if len(names) != players:
        raise worded(InvalidOptions, "simulate.bots", bots=len(names), players=players)
    compiled = _players(loaded, names) is not None
    for name in () if compiled else dict.fromkeys(names):
        make_contestant(loaded, name)
    checked_budget = parse_budget(budget)
    given = None if compiled else checked_budget
    if all(name == RANDOM for name in names):
        shard = int(getattr(templates.hooks(loaded), "SHARD", RANDOM_SHARD))
    else:
        shard = RATED_SHARD if all(name in QUICK for name in names) else BOT_SHARD
    return Plan(
        game=loaded.id,
        players=players,
        games=games,
        seed=str(seed),
        options=checked.to_json(),
        bots=names,
        budget=str(given) if given is not None else None,
        shard=shard,
        rules_version=loaded.info.rules_version,
    )


@dataclass(frozen=True)
class Part:
    """What came out of some matches."""

    sums: dict[str, Array]
    """Whole numbers that add up: `games`; `wins` by seat, in 840ths; `places` by seat and place; `moves` made; the
    game's counters summed over matches (`totals`), their `squares`, and the `products` that its cells need."""
    histograms: dict[str, Array]
    """How often each value came up, as two rows, values in order and counts: `score 0` and on by seat, `moves` and
    `rounds` of a match."""
    rows: dict[str, Array] = field(default_factory=dict)
    """The matches, if they are kept: `match`, `moves`, `rounds`; `score` and `place` have a column a seat."""

    def without_rows(self) -> Part:
        """The counts alone."""
        return Part(self.sums, self.histograms)

    def to_bytes(self) -> bytes:
        """All of it; equal parts give equal bytes."""
        groups = {"sums": self.sums, "histograms": self.histograms, "rows": self.rows}
        arrays = [(group, name, array) for group, found in groups.items() for name, array in found.items()]
        head = json.dumps([[group, name, array.dtype.str, array.shape] for group, name, array in arrays]).encode()
        body = b"".join(np.ascontiguousarray(array).tobytes() for _, _, array in arrays)
        return struct.pack("<I", len(head)) + head + body

    @classmethod
    def from_bytes(cls, data: bytes) -> Part:
        """The part that `to_bytes` wrote."""
        (length,) = struct.unpack_from("<I", data)
        place = 4 + length
        groups: dict[str, dict[str, Array]] = {"sums": {}, "histograms": {}, "rows": {}}
        for group, name, kind, shape in json.loads(data[4:place]):
            count = int(np.prod(shape, dtype=np.int64))
            array = np.frombuffer(data, np.dtype(kind), count, place).reshape(shape)
            groups[group][name] = array
            place += array.nbytes
        return cls(**groups)


def merge(parts: Iterable[Part]) -> Part | None:
    """The counts of all these matches together, without their rows; None of none. The order does not matter."""
    merged: Part | None = None
    for part in parts:
        merged = part.without_rows() if merged is None else _add(merged, part)
    return merged


def _add(one: Part, other: Part) -> Part:
    sums = {name: array + other.sums[name] for name, array in one.sums.items()}
    return Part(sums, {name: _join(array, other.histograms[name]) for name, array in one.histograms.items()})


def _join(one: Array, other: Array) -> Array:
    values, places = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    counts = np.zeros(len(values), np.int64)
    np.add.at(counts, places, np.concatenate([one[1], other[1]]))
    return np.stack([values, counts])


def _histogram(values: Array) -> Array:
    """Values that came up, and how often."""
    low, high = int(values.min()), int(values.max())
    if high - low > 8 * len(values) + 1024:
        return np.stack(np.unique(values.astype(np.int64), return_counts=True)).astype(np.int64)
    counts = np.bincount(values.astype(np.int64) - low)
    found = np.flatnonzero(counts)
    return np.stack([found + low, counts[found]]).astype(np.int64)


def run_key(plan: Plan) -> Key:
    """What the keys of a run's matches are made of."""
    return key_from_seed(f"simulate {plan.seed}")


def match_key(plan: Plan, match: int) -> bytes:
    """The key of one match: `game.new(plan.players, seed=match_key(plan, m), **plan.options)` deals it again.

    Args:
        plan: The plan of the run.
        match: The number of the match in it, from 0.

    Returns:
        32 bytes.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.lab.shards import make_plan, match_key
        >>> plan = make_plan("loba", 1000, 3, ["random"], seed=1)
        >>> ludotheque.game("loba").new(3, seed=match_key(plan, 17)).num_seats
        3
    """
    words = np.zeros(16, np.uint32)
    plain(chacha_block)(run_key(plan), match, 0, 8, words)
    return words[:8].astype("<u4").tobytes()


def play_shard(plan: Plan, number: int) -> Part:
    """Play one shard of a run. Nothing but the plan and the number matters."""
    game = registry.load(plan.game)
    if game.info.rules_version != plan.rules_version:
        raise worded(
            LudothequeError, "simulate.rules", game=game.id, theirs=plan.rules_version, ours=game.info.rules_version
        )
    warm.ensure(game.id, templates.SIMULATE)
    span, seats = plan.span(number), game.info.max_seats
    scores = np.zeros((len(span), seats), np.int32)
    places = np.zeros((len(span), seats), np.int32)
    lengths = np.zeros((len(span), 2), np.int32)
    pairs = templates.pairs(game)
    totals, squares = np.zeros((2, templates.num_counters(game)), np.int64)
    products = np.zeros(len(pairs), np.int64)
    results = templates.Results(scores, places, lengths)
    sums_of_counts = templates.Sums(pairs, totals, squares, products)
    players = _players(game, plan.bots)
    if players is not None:
        _play_compiled(plan, game, players, span, results, sums_of_counts)
    else:
        _play_with_bots(plan, game, span, results, sums_of_counts)
    moves, rounds = lengths.T.copy()
    n = plan.players
    scores, places = scores[:, :n], places[:, :n]
    firsts = places == 1
    sums = {
        "games": np.array([len(span)], np.int64),
        "wins": (firsts * (WHOLE // firsts.sum(axis=1, keepdims=True))).sum(axis=0, dtype=np.int64),
        "places": np.stack([(places == place).sum(axis=0) for place in range(1, n + 1)], axis=1).astype(np.int64),
        "moves": np.array([moves.sum()], np.int64),
        "totals": totals,
        "squares": squares,
        "products": products,
    }
    histograms = {f"score {seat}": _histogram(scores[:, seat]) for seat in range(n)}
    histograms |= {"moves": _histogram(moves), "rounds": _histogram(rounds)}
    rows: dict[str, Array] = {
        "match": np.arange(span.start, span.stop, dtype=np.int64),
        "score": np.ascontiguousarray(scores),
        "place": places.astype(np.int8),
        "moves": moves,
        "rounds": rounds,
    }
    return Part(sums, histograms, rows)


def _players(game: Game, names: Sequence[str]) -> templates.Players | None:
    """How these choose, if all of them can be played in compiled code: random players and those without a search."""
    known: dict[str, Level | None] = {**extras(game), **levels(game), RANDOM: None}
    if not all(name in known and templates.is_compiled(known[name]) for name in names):
        return None
    return templates.make_players([known[name] for name in names])


def is_compiled(plan: Plan) -> bool:
    """Whether a run is played in compiled code, whole matches at a time."""
    return _players(registry.load(plan.game), plan.bots) is not None


def _play_compiled(
    plan: Plan,
    game: Game,
    players: templates.Players,
    span: range,
    results: templates.Results,
    sums: templates.Sums,
) -> None:
    opts = game.options(plan.players, plan.options).codes
    kernels = templates.kernels(game)
    base = run_key(plan)
    for start in range(0, len(span), BATCH):
        batch = templates.Results(*(column[start : start + BATCH] for column in results))
        bufs = np.empty((len(batch.scores), game.info.state.itemsize), np.uint8)
        choosers = np.empty(len(bufs), np.int64)
        kernels.deals(bufs, choosers, span[start], base, plan.players, opts)
        kernels.matches(bufs, choosers, players, batch, sums)


class _Counted(Match):
    """A match whose moves are counted as they are played."""

    def count(self) -> templates.Counts:
        """Count from now on, beginning with the deal; where that is counted."""
        self._books = np.zeros(1, templates.BOOK)
        self._follow = templates.kernels(self.game).follow
        self._follow(self.buffer, self._books)
        tally: templates.Counts = self._books["tally"][0, : templates.num_counters(self.game)]
        return tally

    def play(self, move: str, seat: int | None = None) -> None:
        """Play a move and count."""
        super().play(move, seat)
        self._follow(self.buffer, self._books)


def _play_with_bots(plan: Plan, game: Game, span: range, results: templates.Results, sums: templates.Sums) -> None:
    scores, places, lengths = results
    budgets = [parse_budget(plan.budget)] * plan.players
    options = game.options(plan.players, plan.options)
    names = [f"{seat + 1}" for seat in range(plan.players)]
    for row, number in enumerate(span):
        key = key_from_seed(match_key(plan, number))
        match = _Counted.start(game, names, options, key)
        assert isinstance(match, _Counted)
        tally = match.count()
        bots: list[Bot] = [
            make_contestant(game, name, f"{plan.seed} {number} {seat}") for seat, name in enumerate(plan.bots)
        ]
        play_match(match, bots, budgets, Deal())
        scores[row, : plan.players], places[row, : plan.players] = match.result()
        lengths[row] = len(match.moves), match.state.round_no
        templates.add_up(tally, sums)


Runner = Callable[[Plan, Iterable[int]], Iterator[tuple[int, Part]]]
"""Plays shards somewhere and gives number and part of each exactly once, in any order."""


def check_jobs(jobs: int) -> int:
    """A number of threads or processes; 0 stands for all cores."""
    from ludotheque.core.arena import num_cores

    if type(jobs) is not int or not 0 <= jobs <= MOST_JOBS:
        raise worded(InvalidOptions, "simulate.jobs", most=MOST_JOBS, jobs=repr(jobs))
    return jobs or num_cores()


def run_local(plan: Plan, numbers: Iterable[int], jobs: int = 0) -> Iterator[tuple[int, Part]]:
    """Play these shards on this machine, in their order: compiled play in threads, other bots in processes.

    Compiled play leaves Python's interpreter lock alone; bots spend too much of their time in Python for that. As
    processes take seconds to start, this one plays alone for a while first.
    """
    numbers = iter(numbers)
    jobs = check_jobs(jobs)
    warm.ensure(plan.game, templates.SIMULATE)
    if jobs == 1:
        for number in numbers:
            yield number, play_shard(plan, number)
        return
    pool: Executor
    if not is_compiled(plan):
        until = time.monotonic() + ALONE
        for number in numbers:
            yield number, play_shard(plan, number)
            if time.monotonic() > until:
                break
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _leave_interrupts)
    else:
        pool = ThreadPoolExecutor(jobs)
    running: deque[tuple[int, Future[Part]]] = deque()
    others = set(multiprocessing.active_children())
    is_done = False
    try:
        for number in numbers:
            running.append((number, pool.submit(play_shard, plan, number)))
            if len(running) > 2 * jobs:
                number, future = running.popleft()
                yield number, future.result()
        while running:
            number, future = running.popleft()
            yield number, future.result()
        is_done = True
    except BrokenExecutor:
        raise worded(LudothequeError, "simulate.broken") from None
    finally:
        if not is_done:  # a bot may think for minutes
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that waits for us."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
