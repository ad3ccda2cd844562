"""What tests of several games need: matches at random, refusals, records, and what a game's bots rate and expect."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from ludotheque import IllegalMove
from ludotheque.bots.searches import hooks
from ludotheque.core.chance import key_from_seed
from ludotheque.core.game import Game
from ludotheque.core.jit import plain
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY, Record


def played_at_random(game: Game, players: int, seed: int, **options: Any) -> Match:
    """A whole match of random moves."""
    rng = random.Random(seed)
    match = game.new(players, seed, **options)
    while not match.over:
        match.play(rng.choice(match.legal()))
    return match


def refusal(match: Match, move: str, seat: int | None = None) -> str:
    """The rule by which a move is refused; nothing changes."""
    before = match.to_bytes()
    with pytest.raises(IllegalMove) as caught:
        match.play(move, seat)
    assert match.to_bytes() == before
    return caught.value.rule


def table_of(match: Match) -> dict[str, Any]:
    """The whole table."""
    table: dict[str, Any] = match.position()["table"]
    return table


def imagined(match: Match, seat: int | None, number: int) -> Match:
    """The match as the seat might imagine it."""
    buf, kernels = match.concealed(seat), match.game.kernels
    kernels.imagine(buf, NOBODY if seat is None else seat, key_from_seed(number))
    assert kernels.faults(buf) == 0
    return Match(match.game, match.names, match.options, buf, None)


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
