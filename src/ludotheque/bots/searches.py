"""Thinking in compiled code: templates that `kernels` binds to each game.

The names declared below are the game's: its rules, and from its `bots.py` the hooks `rate`, `policy`, `rival`, `worth`,
`aim`, `plausible` and `reflex`. All search works on worlds imagined from a concealed record; nothing else comes in
here. Searching allocates nothing: Python passes the arrays.

Two ways to search. `flat` plays every candidate out in the same worlds, with the same chance, and drops those that
fall behind. `tree` is information-set Monte Carlo tree search from one seat's point of view: one tree for all worlds,
in each of which only the moves legal there are open (Cowling, Powley and Whitehouse 2012).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ludotheque.core import background, registry, warm
from ludotheque.core.chance import chacha_block, set_key
from ludotheque.core.chooser import MASK, advance, choose
from ludotheque.core.game import Game
from ludotheque.core.jit import BOT_TEMPLATES
from ludotheque.core.record import MAX_EVENTS, Buffer, Ids

# The game's, see docs/adding-a-game.md.
legal: Any
others: Any
apply: Any
outcome: Any
resample: Any
sample: Any
begin: Any
rate: Any
policy: Any
rival: Any
worth: Any
aim: Any
plausible: Any
reflex: Any
record: Any
NUM_ACTIONS: int
MAX_SEATS: int

WORLD_TRIES = 16  # how many worlds are drawn at most until a plausible one is taken
FIRST_LOOK = 16  # worlds before, and between, looks at which candidates fall behind
BEHIND = 3.0  # standard errors by which a candidate must be behind to be dropped

# What `limits` holds: see core/ladder.py, Level.
ROUNDS, PLIES, DEPTH, AT_RANDOM, PEEK = 0, 1, 2, 3, 4
NUM_LIMITS = 5

# Columns of what `flat` keeps about each candidate.
ACTIVE, COUNT, WINS, LEAD, LEAD_SQUARED, POINTS = 0, 1, 2, 3, 4, 5
NUM_STATS = 6

# Columns of a node of the tree; number 0 is the root.
CHILD, SIBLING, ACTION, MOVER, VISITS, CHANCES = 0, 1, 2, 3, 4, 5
NUM_LINKS = 6
MAX_PATH = 64  # moves deep; below that playouts take over


class Task(NamedTuple):
    """What a search is about, and what it works with."""

    root: Buffer
    """A record concealed for the seat."""
    seat: int
    """Who thinks."""
    ids: Ids
    """The candidates."""
    seeds: Any
    """What the chance of the worlds comes from."""
    limits: Any
    bufs: Any
    """Two records to work in."""


class Tree(NamedTuple):
    """The nodes of a tree, and scratch."""

    links: Any
    """A row for each node, with the columns above."""
    sums: Any
    """Of each node the wins and the points of who moved there, over its visits."""
    marks: Any
    """A row for the moves legal in a world, one for those in the tree, and in the last row the nodes in use and a stamp
    that makes old marks void."""


def rate_alike(s: Any, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    """`rate` for games without one: all moves are as good."""
    for i in range(n):
        scores[i] = 0.0


def play_anything(s: Any, seat: int, x: int, out: Ids) -> int:
    """`policy` for games without one: any legal move."""
    return int(sample(s, seat, x, out))


def play_alike(s: Any, seat: int, habit: int, x: int, out: Ids) -> int:
    """`rival` for games without one: others play as the thinker does."""
    return int(policy(s, seat, x, out))


def share_of_first(s: Any, values: Any) -> None:
    """`worth` for games without one: who is first now wins, equals share."""
    scores = np.zeros(MAX_SEATS, np.int32)
    places = np.zeros(MAX_SEATS, np.int32)
    outcome(s, scores, places)
    first = 0
    for seat in range(s.num_seats):
        first += places[seat] == 1
    for seat in range(s.num_seats):
        values[seat] = 1.0 / first if places[seat] == 1 else 0.0


def win(s: Any, seat: int, values: Any) -> float:
    """`aim` for games without one: the chance to win."""
    return values[seat] + 0.0


def believe(s: Any, seat: int) -> float:
    """`plausible` for games without one: every world is as likely."""
    return 1.0


def stay_calm(s: Any, seat: int) -> int:
    """`reflex` for games without one: nobody moves out of turn."""
    return -1


def copy_bytes(source: Buffer, target: Buffer) -> None:
    """One record over another."""
    for i in range(len(source)):
        target[i] = source[i]


def world(task: Task, buf: Buffer, number: int, words: Any) -> int:
    """Imagine a world as the seat may; returns a chooser's state for it. With PEEK it is the true one."""
    root, seat, seeds = task.root, task.seat, task.seeds
    copy_bytes(root, buf)
    s = record(buf)
    chacha_block(seeds, number, 0, 8, words)
    x = advance(((int(words[8]) << 30) ^ int(words[9])) & MASK)
    if task.limits[PEEK]:
        return x
    for attempt in range(WORLD_TRIES):
        if attempt > 0:
            copy_bytes(root, buf)
            chacha_block(seeds, number, attempt, 8, words)
        set_key(s, words)
        resample(s, seat)
        x = advance(x)
        if choose(x, 1 << 20) < plausible(s, seat) * (1 << 20):
            break
    return x


def react(s: Any) -> None:
    """Let the seats that move out of turn do what they do at once."""
    idlers = others(s)
    if idlers:
        for seat in range(s.num_seats):
            if (idlers >> seat) & 1:
                action = reflex(s, seat)
                if action >= 0:
                    apply(s, seat, action)
                    return


def play_out(s: Any, thinker: int, last_round: int, plies: int, at_random: int, habit: int, x: int, out: Ids) -> int:
    """Play on by policy until the match, the last round or the number of moves ends; the number of moves made.

    The thinker's rivals have a policy of their own; without a thinker (-1) nobody is a rival.
    """
    s.num_events = MAX_EVENTS  # a full journal takes nothing: nobody reads it here
    made = 0
    while not s.over and s.round_no <= last_round and made < plies:
        react(s)
        if s.over or s.round_no > last_round:
            break
        x = advance(x)
        if at_random:
            apply(s, s.actor, sample(s, s.actor, x, out))
        elif thinker < 0 or s.actor == thinker:
            apply(s, s.actor, policy(s, s.actor, x, out))
        else:
            apply(s, s.actor, rival(s, s.actor, habit, x, out))
        made += 1
    return made


def last_round(s: Any, limits: Any) -> int:
    """The round in which playouts end."""
    return s.round_no + limits[ROUNDS] - 1 if limits[ROUNDS] > 0 else 1 << 30


def most_plies(limits: Any) -> int:
    """The number of moves after which playouts end."""
    return limits[PLIES] if limits[PLIES] > 0 else 1 << 30


def flat(task: Task, stats: Any, first: int, budget: int) -> int:
    """Play candidates out in world `first` and those after it, until `budget` playouts are made or one is left.

    Returns how many worlds there were.
    """
    seat, ids, limits = task.seat, task.ids, task.limits
    out = np.empty(NUM_ACTIONS, np.int16)
    words = np.zeros(16, np.uint32)
    values = np.zeros(MAX_SEATS, np.float64)
    scores = np.zeros(MAX_SEATS, np.int32)
    places = np.zeros(MAX_SEATS, np.int32)
    aims = np.zeros(len(ids), np.float64)
    imagined, buf = task.bufs[0], task.bufs[1]
    number = first
    while True:
        active = 0
        for i in range(len(ids)):
            active += stats[i, ACTIVE] > 0
        if active < 2 or (budget < active and number > 0) or budget <= 0:
            return number - first
        x = world(task, imagined, number, words)
        mean = 0.0
        for i in range(len(ids)):
            if stats[i, ACTIVE] == 0:
                continue
            copy_bytes(imagined, buf)
            s = record(buf)
            end, plies = last_round(s, limits), most_plies(limits)
            s.num_events = MAX_EVENTS
            apply(s, seat, int(ids[i]))
            play_out(s, seat, end, plies, limits[AT_RANDOM], x, x, out)
            worth(s, values)
            outcome(s, scores, places)
            aims[i] = aim(s, seat, values)
            mean += aims[i]
            stats[i, WINS] += values[seat]
            stats[i, POINTS] += scores[seat]
        mean /= active
        for i in range(len(ids)):
            if stats[i, ACTIVE] > 0:
                stats[i, COUNT] += 1
                stats[i, LEAD] += aims[i] - mean
                stats[i, LEAD_SQUARED] += (aims[i] - mean) * (aims[i] - mean)
        budget -= active
        number += 1
        if number % FIRST_LOOK == 0:
            drop_those_behind(stats)


def drop_those_behind(stats: Any) -> None:
    """Look at no candidate any longer that is behind the best by more than chance explains."""
    best = -1
    for i in range(len(stats)):
        if stats[i, ACTIVE] > 0 and (best < 0 or stats[i, LEAD] > stats[best, LEAD]):
            best = i
    n = stats[best, COUNT]
    top = stats[best, LEAD] / n
    spread = stats[best, LEAD_SQUARED] / n - top * top
    for i in range(len(stats)):
        if i != best and stats[i, ACTIVE] > 0:
            mean = stats[i, LEAD] / n
            variance = spread + stats[i, LEAD_SQUARED] / n - mean * mean
            if top - mean > BEHIND * math.sqrt(max(variance, 0.0) / n) + 1e-9:
                stats[i, ACTIVE] = 0


def tree(task: Task, nodes: Tree, first: int, budget: int, exploration: float) -> int:
    """Grow a tree by `budget` worlds from number `first` on; returns the number of nodes."""
    seat, ids, limits = task.seat, task.ids, task.limits
    links, sums, marks = nodes
    out = np.empty(NUM_ACTIONS, np.int16)
    spare = np.empty(NUM_ACTIONS, np.int16)
    words = np.zeros(16, np.uint32)
    values = np.zeros(MAX_SEATS, np.float64)
    scores = np.zeros(MAX_SEATS, np.int32)
    places = np.zeros(MAX_SEATS, np.int32)
    path = np.zeros(MAX_PATH + 1, np.int32)
    buf = task.bufs[1]
    used, stamp = max(marks[2, 0], 1), marks[2, 1]
    deepest = min(limits[DEPTH], MAX_PATH) if limits[DEPTH] > 0 else MAX_PATH
    for number in range(first, first + budget):
        habit = world(task, buf, number, words)
        x = habit
        s = record(buf)
        end, plies = last_round(s, limits), most_plies(limits)
        s.num_events = MAX_EVENTS
        node, depth, grown = 0, 0, False
        while not s.over and s.round_no <= end and depth < deepest and not grown:
            mover = seat
            if depth > 0:
                react(s)
                if s.over or s.round_no > end:
                    break
                mover = s.actor
            n = legal(s, mover, out) if depth > 0 else len(ids)
            stamp += 1
            for i in range(n):
                action = int(out[i]) if depth > 0 else int(ids[i])
                marks[0, action] = stamp
            best, best_bound, found = -1, -1.0, 0
            child = links[node, CHILD]
            while child > 0:
                action = links[child, ACTION]
                if marks[0, action] == stamp:
                    marks[1, action] = stamp
                    found += 1
                    links[child, CHANCES] += 1
                    visits = links[child, VISITS]
                    bound = sums[child, 0] / visits + exploration * math.sqrt(math.log(links[child, CHANCES]) / visits)
                    if bound > best_bound:
                        best, best_bound = child, bound
                child = links[child, SIBLING]
            x = advance(x)
            # Below the root a new move is tried only as often as the old ones have been looked at.
            if found < n and used < len(links) and (depth == 0 or found * found <= links[node, VISITS]):
                action = -1
                if depth > 0 and not limits[AT_RANDOM]:
                    action = policy(s, mover, x, spare) if mover == seat else rival(s, mover, habit, x, spare)
                if action < 0 or marks[0, action] != stamp or marks[1, action] == stamp:
                    pick = choose(x, n - found)
                    for i in range(n):
                        action = int(out[i]) if depth > 0 else int(ids[i])
                        if marks[1, action] != stamp:
                            if pick == 0:
                                break
                            pick -= 1
                best = used
                used += 1
                links[best, CHILD] = 0
                links[best, SIBLING] = links[node, CHILD]
                links[best, ACTION] = action
                links[best, MOVER] = mover
                links[best, VISITS] = 0
                links[best, CHANCES] = 1
                sums[best, 0] = 0.0
                sums[best, 1] = 0.0
                links[node, CHILD] = best
                grown = True
            if best < 0:  # no room for a new node
                break
            node = best
            path[depth] = node
            depth += 1
            apply(s, mover, links[node, ACTION])
        play_out(s, seat, end, plies, limits[AT_RANDOM], habit, x, out)
        worth(s, values)
        outcome(s, scores, places)
        links[0, VISITS] += 1
        for i in range(depth):
            node = path[i]
            links[node, VISITS] += 1
            sums[node, 0] += values[links[node, MOVER]]
            sums[node, 1] += scores[links[node, MOVER]]
    marks[2, 0] = used
    marks[2, 1] = stamp
    return used


def ratings(buf: Buffer, seat: int, ids: Ids, style: Any, scores: Any) -> int:
    """The legal actions of a seat and the game's rating of each; how many there are."""
    s = record(buf)
    if s.over:
        return 0
    n = legal(s, seat, ids)
    if n > 0:
        rate(s, seat, ids, n, scores, style)
    return n


def impulse(buf: Buffer, seat: int) -> int:
    """What a seat that is not at turn does at once; -1 for nothing."""
    s = record(buf)
    if s.over or seat == s.actor or not (others(s) >> seat) & 1:
        return -1
    return int(reflex(s, seat))


def rollout(buf: Buffer, seed: int, limits: Any, values: Any) -> int:
    """Play a record on, and what it is worth then; returns the moves made. For tuning and comparing."""
    out = np.empty(NUM_ACTIONS, np.int16)
    s = record(buf)
    x = advance(seed & MASK)
    made = play_out(s, -1, last_round(s, limits), most_plies(limits), limits[AT_RANDOM], x, x, out)
    worth(s, values)
    return made


def vet(buf: Buffer, num_moves: int, seed: int, key: Any, num_seats: int, opts: Any, style: Any) -> int:
    """Let the policy play, with random moves now and then to get it into odd positions, and look at what it does.

    Returns 0, or 1 if a policy or reflex chose what is not legal, 2 if a rating is not a number, 3 if what standing
    is worth is not a chance for each seat, together 1. For tests.
    """
    ids = np.empty(NUM_ACTIONS, np.int16)
    spare = np.empty(NUM_ACTIONS, np.int16)
    scores = np.empty(NUM_ACTIONS, np.float64)
    values = np.zeros(MAX_SEATS, np.float64)
    words = np.zeros(16, np.uint32)
    x = advance(seed & MASK)
    match = 0
    begin(buf, key, num_seats, opts)
    for number in range(num_moves):
        s = record(buf)
        if number % 16 == 0 or s.over:
            worth(s, values)
            total = 0.0
            for seat in range(num_seats):
                if not 0.0 <= values[seat] <= 1.0:
                    return 3
                total += values[seat]
            if not abs(total - 1.0) < 1e-6:
                return 3
        if s.over:
            match += 1
            chacha_block(key, match, 1, 8, words)
            begin(buf, words, num_seats, opts)
            s = record(buf)
        s.num_events = 0
        seat = s.actor
        action = -1
        idlers = others(s)
        for other in range(num_seats):
            if (idlers >> other) & 1 and action < 0:
                action = reflex(s, other)
                if action >= 0:
                    seat = other
        n = legal(s, seat, ids)
        if number % 16 == 0:
            rate(s, seat, ids, n, scores, style)
            for i in range(n):
                if not -1e12 < scores[i] < 1e12:
                    return 2
        x = advance(x)
        if action < 0:
            x = advance(x)
            kind = choose(x, 4)
            if kind == 0:
                action = sample(s, seat, x, spare)
            elif kind == 1:
                action = rival(s, seat, advance(x), x, spare)
            else:
                action = policy(s, seat, x, spare)
        found = False
        for i in range(n):
            found = found or ids[i] == action
        if not found:
            return 1
        apply(s, seat, action)
    return 0


INNER: tuple[Callable[..., Any], ...] = (
    copy_bytes,
    world,
    react,
    play_out,
    last_round,
    most_plies,
    drop_those_behind,
)
"""Called by entries only, in the order of who calls whom."""

ENTRIES: tuple[Callable[..., Any], ...] = (ratings, impulse, flat, tree, rollout, vet)
"""Called from Python."""

HOOKS: dict[str, Callable[..., Any]] = {
    "rate": rate_alike,
    "policy": play_anything,
    "rival": play_alike,
    "worth": share_of_first,
    "aim": win,
    "plausible": believe,
    "reflex": stay_calm,
}
"""What a game's `bots.py` may define, and what stands in for it."""

THINK = "think"
warm.PURPOSES.setdefault(
    THINK, warm.Purpose((("ratings", "impulse", "rollout", "tree"), ("flat",)), BOT_TEMPLATES, __name__, 2)
)


def hooks(game: Game) -> Any:
    """The game's `bots.py`."""
    return game.module("bots")


@cache
def kernels(game: Game) -> SimpleNamespace:
    """The entry points of this module for a game. Choosing without a search runs interpreted until it is compiled;
    searches do not, they would take minutes.
    """
    bound = game.bind(BOT_TEMPLATES, INNER, ENTRIES, hooks=hooks(game), stand_ins=HOOKS)
    return background.until_compiled(game, THINK, bound, ("ratings", "impulse"))


def new_tree(num_nodes: int, num_actions: int) -> Tree:
    """An empty tree."""
    links = np.zeros((num_nodes, NUM_LINKS), np.int32)
    return Tree(links, np.zeros((num_nodes, 2), np.float64), np.zeros((3, max(num_actions, 2)), np.int64))


def compile_entries(game_id: str, names: Sequence[str], done: Callable[[], None]) -> None:
    """Compile some entries for a game in this process, by calling each once; that puts them into the cache too."""
    game = registry.load(game_id)
    compiled, info = kernels(game), game.info
    buf = np.zeros(info.state.itemsize, np.uint8)
    bufs = np.zeros((2, info.state.itemsize), np.uint8)
    ids = np.zeros(info.num_actions, np.int16)
    limits = np.zeros(NUM_LIMITS, np.int64)
    floats = np.zeros(info.num_actions, np.float64)
    over = buf.copy()
    over.view(info.state)["over"] = 1
    task = Task(over, 0, ids[:0], np.zeros(8, np.uint32), limits, bufs)

    def touch_ratings() -> None:
        compiled.ratings(over, 0, ids, np.zeros(8, np.float64), floats)
        if hasattr(hooks(game), "Advisor"):  # its own compiled entry
            fresh = game.new(seed=1)
            first = np.array(fresh.legal_ids(), np.int16)
            hooks(game).Advisor(game).weigh(fresh.concealed(fresh.actor), fresh.actor, first)

    calls: dict[str, Callable[[], object]] = {
        "ratings": touch_ratings,
        "impulse": lambda: compiled.impulse(over, 0),
        "flat": lambda: compiled.flat(task, np.zeros((0, NUM_STATS)), 0, 0),
        "tree": lambda: compiled.tree(task, new_tree(2, info.num_actions), 0, 0, 0.7),
        "rollout": lambda: compiled.rollout(over, 1, limits, np.zeros(info.max_seats, np.float64)),
    }
    for name in names:
        calls[name]()
        done()
