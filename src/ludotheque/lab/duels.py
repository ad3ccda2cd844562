"""Bots against each other on duplicate deals: one hero through every seat of the same deal, the rest another bot.

The deal is the unit of all statistics. A hero at a table of partners brings its partner along.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ludotheque.bots.bot import Bot
from ludotheque.bots.budget import Budget
from ludotheque.bots.ladder import make_contestant
from ludotheque.core.game import Game
from ludotheque.core.match import Match


@dataclass(slots=True)
class Deal:
    """What came out of one deal, over all seats of the hero."""

    wins: float = 0.0
    """The hero's share of first places, mean over its seats."""
    points: float = 0.0
    """The hero's mean score."""
    others: float = 0.0
    """The mean score of the others."""
    above: float = 0.0
    """How often the hero came before a rival, equals counting half."""
    matches: int = 0
    moves: dict[str, int] = field(default_factory=dict)
    """Moves made by each bot,"""
    seconds: dict[str, float] = field(default_factory=dict)
    """the time they took,"""
    busy: dict[str, float] = field(default_factory=dict)
    """and of that the processor's, whatever else the machine was at."""


def hero_seats(game: Game, players: int, options: dict[str, Any]) -> list[tuple[int, ...]]:
    """The seats a hero takes, one after the other: single ones, or those of partners."""
    if options.get("teams"):
        return [(seat, seat + players // 2) for seat in range(players // 2)]
    return [(seat,) for seat in range(players)]


def play_match(match: Match, bots: list[Bot], budgets: list[Budget | None], spent: Deal) -> None:
    """Let bots play a match to its end."""
    while not match.over:
        movers = match.movers()
        seat, move = match.actor, None
        for other in movers:
            if other != match.actor and (unasked := bots[other].unasked(match, other)) is not None:
                seat, move = other, unasked
        began, began_busy = time.perf_counter(), time.process_time()
        if move is None:
            move = bots[seat].choose(match, seat, budgets[seat])
        name = bots[seat].name
        spent.seconds[name] = spent.seconds.get(name, 0.0) + time.perf_counter() - began
        spent.busy[name] = spent.busy.get(name, 0.0) + time.process_time() - began_busy
        spent.moves[name] = spent.moves.get(name, 0) + 1
        match.play(move, seat)


def play_deal(
    game: Game,
    hero: str,
    rival: str,
    players: int,
    seed: int | str,
    options: dict[str, Any],
    budget: Budget | None = None,
    make: Callable[[Game, str, str], Bot] = make_contestant,
) -> Deal:
    """One deal, played once for every place of the hero among rivals; `make` makes the bots from names and seeds."""
    deal = Deal()
    places = hero_seats(game, players, options)
    for seats in places:
        match = game.new(players, seed=f"deal {seed}", **options)
        names = [hero if seat in seats else rival for seat in range(players)]
        bots = [make(game, name, f"{seed} {seat}") for seat, name in enumerate(names)]
        play_match(match, bots, [budget] * players, deal)
        scores, where = match.scores, match.places
        first = [seat for seat in range(players) if where[seat] == 1]
        pairs = [(a, b) for a in seats for b in range(players) if b not in seats]
        before = sum(1.0 if where[a] < where[b] else 0.5 if where[a] == where[b] else 0.0 for a, b in pairs)
        deal.above += before / len(pairs) / len(places)
        deal.wins += sum(seat in seats for seat in first) / len(first) / len(places)
        deal.points += sum(scores[seat] for seat in seats) / len(seats) / len(places)
        others = [scores[seat] for seat in range(players) if seat not in seats]
        deal.others += sum(others) / len(others) / len(places)
        deal.matches += 1
    return deal
