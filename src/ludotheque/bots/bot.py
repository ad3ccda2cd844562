"""A bot: a level of the ladder at one game. It gets a concealed record and a budget, and gives a move and its reasons.

Nothing is kept between two moves: the same seed, the same record and the same number of iterations give the same move
in any order and on any thread. A tree is therefore not carried over; what it knew would also be about worlds that the
moves since have ruled out.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ludotheque.bots import searches as templates
from ludotheque.bots.budget import Budget, parse_budget
from ludotheque.core import warm
from ludotheque.core.errors import InvalidMove, LudothequeError, MatchOver
from ludotheque.core.game import Game
from ludotheque.core.ladder import EXACT, FLAT, RULES, TREE, Level
from ludotheque.core.moves import Move
from ludotheque.core.record import NOBODY, Buffer, Ids
from ludotheque.core.texts import worded

Ratings = npt.NDArray[np.float64]
"""How good each legal move looks to a player of the game."""
Seeds = npt.NDArray[np.uint32]
"""The seeds of a bot's own chance."""

STYLE_LENGTH = 8
SLICE = 0.004
"""Seconds of compiled search at a time: how long a bot takes to notice that it should stop."""
MOST_NODES = 1 << 19
"""Room for a search tree; when it is full the search goes on without growing it."""
FLOOR = templates.FIRST_LOOK
"""Playouts for each move that a search looks at; with fewer it decides nothing, and the best rated move is played."""
ERRORS = 2.0
"""Standard errors that make a difference: moves closer than that are as good as each other."""
SAME = 5e-4
"""Of chances that were computed: a difference that nobody would notice."""
REASONS_BUDGET = Budget(iterations=2000)
"""What is spent on reasons by a bot that chose without a search, unless a budget is given."""


class Table(Protocol):
    """Where a bot may look: it can ask for its own concealed record, and nothing else."""

    @property
    def game(self) -> Game:
        """What is played there."""

    @property
    def actor(self) -> int:
        """The seat at turn."""

    def concealed(self, seat: int | None) -> Buffer:
        """The record without what a seat cannot know."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was considered.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("double_lucky_7").new(3, seed=1)
        >>> best = ludotheque.bot("double_lucky_7", "expert", seed=1).think(match, budget="50it").candidates[0]
        >>> 0 <= best.win <= 1
        True
    """

    move: Move
    win: float
    """Estimated chance to win the match, equals sharing."""
    points: float
    """Estimated score of the seat where the search stopped looking: at the end of the round, or of the match."""
    share: float
    """How much of the thinking went into it, 0 to 1."""
    error: float = 0.0
    """The standard error of `win`, at most; 0 where it was computed and not estimated."""
    is_equal: bool = False
    """Whether it is as good as the chosen move, as far as can be told from chance."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A choice and its reasons.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("double_lucky_7").new(3, seed=1)
        >>> thought = ludotheque.bot("double_lucky_7", "expert", seed=1).think(match, budget="50it")
        >>> thought.move == thought.candidates[0].move
        True
    """

    move: Move
    candidates: tuple[Candidate, ...]
    """The moves considered, the chosen one first, then the best."""
    iterations: int
    """Playouts made."""
    seconds: float

    def _repr_html_(self) -> str:
        from ludotheque.bots.html import thought_html

        return thought_html(self)


def never() -> bool:
    """Do not stop before the budget is used up."""
    return False


class Bot:
    """A player. Get one with `ludotheque.bot(game, level)`. Threads may share it.

    It sees what its seat sees: of a match it asks for the concealed record and nothing else.

    Examples:
        >>> import ludotheque
        >>> match = ludotheque.game("double_lucky_7").new(3, seed=1)
        >>> bot = ludotheque.bot("double_lucky_7", "club", seed=1)
        >>> match.play(bot.choose(match))
        >>> match.play(bot.choose(match.concealed(match.actor), seat=match.actor))
        >>> len(match.moves)
        2
    """

    explains = True
    """Whether it can give reasons."""

    def __init__(self, game: Game, name: str, level: Level, seed: int | str | None = None) -> None:
        self.game = game
        self.name = name
        """The level's name."""
        self.level = level
        self.seed = seed
        self._kernels = templates.kernels(game)
        self._style = np.zeros(STYLE_LENGTH, np.float64)
        self._style[: len(level.style)] = level.style
        self._advisor = templates.hooks(game).Advisor(game) if level.way == EXACT else None

    def __repr__(self) -> str:
        return f"<Bot {self.name} at {self.game.id}>"

    def _identity(self) -> tuple[Any, ...]:
        """What makes it the bot that it is; a bot is made again from that."""
        return self.game, self.name, self.level, self.seed

    def __eq__(self, other: object) -> bool:
        """The same game, level and seed: the same choices."""
        return type(other) is type(self) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._identity()

    def choose(
        self,
        table: Table | Buffer,
        seat: int | None = None,
        budget: Budget | str | float | None = None,
        stop: Callable[[], bool] = never,
    ) -> Move:
        """A move for a seat, the one at turn unless named.

        Args:
            table: A match, or a record concealed for the seat.
            seat: Whose move; that of the seat at turn without it.
            budget: How long to think: a time (`"500ms"`, or seconds as a number) or a number of playouts (`"2000it"`);
                the level's own without it.
            stop: Asked every few milliseconds; when it says yes, the best move so far is the answer.

        Raises:
            LudothequeError: If the seat has no move, or the record shows more than the seat may know.
        """
        return self._think(table, seat, budget, stop, False).move

    def think(
        self,
        table: Table | Buffer,
        seat: int | None = None,
        budget: Budget | str | float | None = None,
        stop: Callable[[], bool] = never,
    ) -> Thought:
        """As `choose`, with the reasons: the moves considered and what they are worth."""
        return self._think(table, seat, budget, stop, self.explains)

    def unasked(self, table: Table | Buffer, seat: int) -> Move | None:
        """A move out of turn that the bot makes at once, such as taking the card due; None if there is none."""
        action = self._kernels.impulse(self._concealed(table, seat), seat)
        return None if action < 0 else self.game.moves.made[int(action)]

    def _think(
        self,
        table: Table | Buffer,
        seat: int | None,
        budget: Budget | str | float | None,
        stop: Callable[[], bool],
        explain: bool,
    ) -> Thought:
        given = parse_budget(budget)
        if explain or self.level.way != RULES:  # a search, which interpreted rules are too slow for
            warm.ensure(self.game.id, templates.THINK)
        began = time.perf_counter()
        buf, seat, ids, ratings = self._look(table, seat)
        seeds = self._seeds(buf, seat)
        found: _Found
        if self._advisor is not None:
            wins, points = self._advisor.weigh(buf, seat, ids)
            found = _Found(wins, points, np.full(len(ids), 1 / len(ids)), 0)
            ratings = wins
        elif len(ids) > 1 and self.level.way in (FLAT, TREE):
            found = self._search(buf, seat, ids, ratings, seeds, given, stop)
        else:
            found = _Found(np.zeros(0), np.zeros(0), np.zeros(0), 0)
        if found.is_enough:
            chosen = found.best(ratings, self.level.ties)
        else:
            chosen = self._pick(buf, seat, ids, ratings, seeds)
        if explain and not len(found.wins):
            found = self._flat(buf, seat, ids, ratings, seeds, given or REASONS_BUDGET, stop, False)
        known = found.iterations > 0 or self._advisor is not None
        candidates = self._candidates(ids, found, chosen) if explain and known else ()
        move = self.game.moves.made[int(ids[chosen])]
        return Thought(move, candidates, found.iterations, time.perf_counter() - began)

    def _look(self, table: Table | Buffer, seat: int | None) -> tuple[Buffer, int, Ids, Ratings]:
        """What a seat sees, its legal moves and the game's rating of each."""
        if seat is None:
            at_turn = table.view(self.game.info.state)["actor"][0] if isinstance(table, np.ndarray) else table.actor
            seat = int(at_turn)
            if seat == NOBODY:
                raise worded(MatchOver, "over")
        buf = self._concealed(table, seat)
        ids = np.empty(self.game.info.num_actions, np.int16)
        ratings = np.empty(self.game.info.num_actions, np.float64)
        count = self._kernels.ratings(buf, seat, ids, self._style, ratings)
        if count == 0:
            raise LudothequeError(f"seat {seat} has no move now")
        return buf, seat, ids[:count].copy(), ratings[:count]

    def _concealed(self, table: Table | Buffer, seat: int) -> Buffer:
        """The record to think about. One that shows more than the seat may see is refused."""
        if not isinstance(table, np.ndarray):
            self._check_game(table.game)
            return table.concealed(seat)
        if table.dtype != np.uint8 or table.shape != (self.game.info.state.itemsize,):
            raise InvalidMove(f"a record of {self.game.id} is {self.game.info.state.itemsize} bytes")
        state = table.view(self.game.info.state)
        num_seats = int(state["num_seats"][0])
        if type(seat) is not int or not 0 <= seat < num_seats:
            raise InvalidMove(f"seats go from 0 to {num_seats - 1}, there is no seat {seat!r}")
        buf = table.copy()
        self.game.kernels.hide(buf, seat)
        if not np.array_equal(buf, table):
            raise InvalidMove(f"the record is not concealed for seat {seat}: bots do not look at others' cards")
        return buf

    def _check_game(self, game: Game) -> None:
        if game is not self.game:
            raise worded(InvalidMove, "bot_of", bot=repr(self), own=self.game.info.name, game=game.info.name)

    def _seeds(self, buf: Buffer, seat: int) -> Seeds:
        """The seeds of the bot's own chance: from its seed, its level, and what it sees."""
        head = f"{self.seed!r} {self.name} {seat}\0".encode()
        return np.frombuffer(hashlib.sha256(head + buf.tobytes()).digest(), "<u4").astype(np.uint32)

    def _pick(self, buf: Buffer, seat: int, ids: Ids, ratings: Ratings, seeds: Seeds) -> int:
        """The place of the move to make without a search: the best rated one, or softly one of the good ones.

        Never one that is worse by more than the cap.
        """
        behind = ratings.max() - ratings
        if self.level.temperature <= 0:
            good = np.flatnonzero(behind <= 1e-12)
            return int(good[int(seeds[0]) % len(good)])
        weights = np.where(behind <= self.level.cap, np.exp(-behind / self.level.temperature), 0.0)
        at = (int(seeds[0]) + 0.5) / 2**32 * weights.sum()
        return int(min(np.searchsorted(np.cumsum(weights), at), np.flatnonzero(weights)[-1]))

    def _search(
        self,
        buf: Buffer,
        seat: int,
        ids: Ids,
        ratings: Ratings,
        seeds: Seeds,
        given: Budget | None,
        stop: Callable[[], bool],
    ) -> _Found:
        budget = given
        if budget is None:
            budget = Budget(iterations=self.level.playouts) if self.level.playouts else Budget(self.level.seconds)
        if self.level.way == FLAT:
            return self._flat(buf, seat, ids, ratings, seeds, budget, stop)
        return self._tree(buf, seat, ids, ratings, seeds, budget, stop)

    def _task(self, buf: Buffer, seat: int, ids: Ids, seeds: Seeds) -> templates.Task:
        return templates.Task(buf, seat, ids, seeds, self._limits(), np.zeros((2, len(buf)), np.uint8))

    def _limits(self) -> npt.NDArray[np.int64]:
        limits = np.zeros(templates.NUM_LIMITS, np.int64)
        limits[templates.ROUNDS] = self.level.rounds
        limits[templates.PLIES] = self.level.plies
        limits[templates.DEPTH] = self.level.depth
        limits[templates.AT_RANDOM] = self.level.at_random
        return limits

    def _widest(self, ratings: Ratings) -> npt.NDArray[np.intp]:
        """The places of the best rated moves, best first; those rated too far behind are not worth a look."""
        order = np.argsort(-ratings, kind="stable")
        return order[: self.level.width] if self.level.width else order

    def _flat(
        self,
        buf: Buffer,
        seat: int,
        ids: Ids,
        ratings: Ratings,
        seeds: Seeds,
        budget: Budget,
        stop: Callable[[], bool],
        narrow: bool = True,
    ) -> _Found:
        places = self._widest(ratings) if narrow else np.arange(len(ids))
        tried = np.ascontiguousarray(ids[places])
        stats = np.zeros((len(tried), templates.NUM_STATS))
        stats[:, templates.ACTIVE] = 1
        task = self._task(buf, seat, tried, seeds)
        worlds = 0

        def run(iterations: int) -> int:
            nonlocal worlds
            before = stats[:, templates.COUNT].sum()
            worlds += self._kernels.flat(task, stats, worlds, iterations)
            return int(stats[:, templates.COUNT].sum() - before)

        iterations = _spend(budget, stop, run, len(tried))
        count = np.maximum(stats[:, templates.COUNT], 1)
        found = _Found(np.zeros(len(ids)), np.zeros(len(ids)), np.zeros(len(ids)), iterations)
        found.wins[places] = stats[:, templates.WINS] / count
        found.points[places] = stats[:, templates.POINTS] / count
        found.shares[places] = stats[:, templates.COUNT] / max(iterations, 1)
        order = np.lexsort((-stats[:, templates.LEAD] / count, -stats[:, templates.ACTIVE]))
        found.rank(places[order], _behind(stats)[order], worlds >= FLOOR)
        return found

    def _tree(
        self,
        buf: Buffer,
        seat: int,
        ids: Ids,
        ratings: Ratings,
        seeds: Seeds,
        budget: Budget,
        stop: Callable[[], bool],
    ) -> _Found:
        places = self._widest(ratings)
        tried = np.ascontiguousarray(ids[places])
        nodes = MOST_NODES if budget.iterations is None else min(MOST_NODES, budget.iterations + 2)
        tree = templates.new_tree(nodes, self.game.info.num_actions)
        task = self._task(buf, seat, tried, seeds)
        done = 0

        def run(iterations: int) -> int:
            nonlocal done
            self._kernels.tree(task, tree, done, iterations, self.level.exploration)
            done += iterations
            return iterations

        iterations = _spend(budget, stop, run, 1)
        found = _Found(np.zeros(len(ids)), np.zeros(len(ids)), np.zeros(len(ids)), iterations)
        where = {int(action): place for place, action in enumerate(ids)}
        links, sums = tree.links, tree.sums
        child = int(links[0, templates.CHILD])
        while child > 0:
            place = where[int(links[child, templates.ACTION])]
            visits = int(links[child, templates.VISITS])
            found.wins[place] = sums[child, 0] / visits
            found.points[place] = sums[child, 1] / visits
            found.shares[place] = visits / max(iterations, 1)
            child = int(links[child, templates.SIBLING])
        looks = iterations * found.shares[places]
        order = np.argsort(-looks, kind="stable")
        # Moves that are as good are looked at about as often.
        behind = (looks.max() - looks) / np.sqrt(np.maximum(looks.max() + looks, 1.0))
        found.rank(places[order], behind[order], iterations >= FLOOR * len(tried))
        return found

    def _candidates(self, ids: Ids, found: _Found, chosen: int) -> tuple[Candidate, ...]:
        order = [int(place) for place in (found.order if found.order is not None else np.argsort(-found.wins))]
        equal = found.equal(chosen)
        order.sort(key=lambda place: (place != chosen, place not in equal))
        made = self.game.moves.made
        return tuple(
            Candidate(
                made[int(ids[place])],
                float(found.wins[place]),
                float(found.points[place]),
                float(found.shares[place]),
                _error(float(found.wins[place]), float(found.shares[place]) * found.iterations),
                place in equal,
            )
            for place in order
        )


@dataclass(slots=True)
class _Found:
    """What a search found out about each legal move."""

    wins: npt.NDArray[np.float64]
    points: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]
    iterations: int
    order: npt.NDArray[Any] | None = None
    """Places of the moves that were looked at, best first,"""
    behind: npt.NDArray[np.float64] | None = None
    """and by how many standard errors each is behind the first."""
    is_enough: bool = False
    """Whether enough was looked at to decide."""

    def rank(self, order: npt.NDArray[Any], behind: npt.NDArray[np.float64], is_enough: bool) -> None:
        """What the search says about the moves at these places, best first."""
        self.order, self.behind, self.is_enough = order, behind, is_enough

    def best(self, ratings: Ratings, ties: float) -> int:
        """The best rated of the moves that are as good as the best."""
        assert self.order is not None and self.behind is not None
        tied = self.order[self.behind <= ties]
        return int(tied[np.argmax(ratings[tied])])

    def equal(self, chosen: int) -> set[int]:
        """The places of the moves that are as good as the chosen one as far as can be told; it is one of them."""
        if self.order is None or self.behind is None:  # computed, not estimated
            return {int(place) for place in np.flatnonzero(self.wins >= self.wins[chosen] - SAME)}
        behind = dict(zip(map(int, self.order), map(float, self.behind), strict=True))
        limit = behind.get(chosen, 0.0) + ERRORS
        return {chosen, *(place for place, far in behind.items() if far <= limit)}


def _error(win: float, playouts: float) -> float:
    """The standard error of a chance to win, at most: a playout counts as a match won or lost, which it may not be.
    Where nothing was played out, the chance is exact.
    """
    if playouts == 0:
        return 0.0
    share = (win * playouts + 1) / (playouts + 2)  # a few wins in a row are no certainty
    return math.sqrt(share * (1 - share) / (playouts + 2))


def _behind(stats: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """By how many standard errors each candidate of a flat search is behind the best; those dropped are far behind.

    Leads are over the mean of all candidates, which takes a part of their spread away: of two it takes half.
    """
    active = stats[:, templates.ACTIVE] > 0
    count = np.maximum(stats[:, templates.COUNT], 1)
    lead = stats[:, templates.LEAD] / count
    variance = np.maximum(stats[:, templates.LEAD_SQUARED] / count - lead * lead, 0.0)
    best = int(np.argmax(np.where(active, lead, -np.inf)))
    num = max(int(active.sum()), 2)
    error = np.sqrt((variance + variance[best]) * num / (num - 1) / count[best])
    distance = lead[best] - lead
    behind = np.where(distance > 0, np.inf, 0.0)
    np.divide(distance, error, out=behind, where=error > 0)
    return np.where(active, behind, np.inf)


def _spend(budget: Budget, stop: Callable[[], bool], run: Callable[[int], int], least: int) -> int:
    """Run a search in slices until the budget is used up, the search is done, or somebody says stop."""
    spent = 0
    if budget.iterations is not None:
        portion = 256
        while spent < budget.iterations and not stop():
            wanted = min(max(portion, least), budget.iterations - spent)
            began = time.perf_counter()
            made = run(wanted)
            spent += made
            if made == 0:
                break
            if time.perf_counter() - began < SLICE:
                portion *= 2
        return spent
    assert budget.seconds is not None
    end = time.perf_counter() + budget.seconds
    portion = 2 * least
    while (left := end - time.perf_counter()) > 0 and not stop():
        began = time.perf_counter()
        made = run(portion)
        spent += made
        if made == 0:
            break
        took = max(time.perf_counter() - began, 1e-6)
        portion = max(least, min(2 * portion, int(portion * min(SLICE, left) / took)))
    return spent
