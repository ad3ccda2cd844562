"""What tests of several games need: matches at random, records, and what a game's bots rate and expect."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from ludotheque.bots.kernels import hooks
from ludotheque.core.game import Game
from ludotheque.core.jit import plain
from ludotheque.core.match import Match
from ludotheque.core.record import Record


def played_at_random(game: Game, players: int, seed: int, **options: Any) -> Match:
    """A whole match of random moves."""
    rng = random.Random(seed)
    match = game.new(players, seed, **options)
    while not match.over:
        match.play(rng.choice(match.legal_ids()))
    return match


def record(match: Match) -> Record:
    """A copy of the whole record of a match."""
    return match.game.read(np.frombuffer(match.to_bytes(), np.uint8).copy())


def ratings(match: Match, style: tuple[float, ...] = ()) -> dict[str, float]:
    """How the game's bots rate the moves of the seat at turn."""
    game, s = match.game, record(match)
    ids, scores, given = np.zeros(game.info.num_actions, np.int16), np.zeros(game.info.num_actions), np.zeros(8)
    given[: len(style)] = style
    n = plain(game.rules.legal)(s, s.actor, ids)
    plain(hooks(game).rate)(s, s.actor, ids, n, scores, given)
    return {game.moves.texts[ids[i]]: float(scores[i]) for i in range(n)}


def chances(game: Game, s: Record) -> list[float]:
    """What the game's bots think of everybody's chances."""
    values = np.zeros(game.info.max_seats)
    plain(hooks(game).worth)(s, values)
    return [float(value) for value in values[: s.num_seats]]
