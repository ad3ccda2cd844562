"""What a match is worth to its seats.

| reward | when | how much |
|---|---|---|
| `win` | at the end | 1 for the first place, shared by those who share it; 0 for the others |
| `centred` | at the end | the same less 1 / players: the seats' rewards add up to 0 |
| `score` | at the end | the seat's points less the mean of the others'; where few are good, the other way round |
| `rounds` | as each round ends | what that round added to `score` |
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import registry
from ludotheque.core.arena import Arena
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.game import Game
from ludotheque.core.record import Buffer
from ludotheque.rl.comparing import same_state

WIN, CENTRED, SCORE, ROUNDS = REWARDS = ("win", "centred", "score", "rounds")

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]


def check_reward(kind: str) -> str:
    """The kind of reward if there is one of that name."""
    if kind not in REWARDS:
        raise InvalidOptions(f"rewards are {', '.join(REWARDS)}, not {kind!r:.40}")
    return kind


@cache
def direction(game_id: str) -> int:
    """1 where many points are good, -1 where few are: read off the places of a few matches played at random."""
    game = registry.load(game_id)
    rng = random.Random(1)
    agreement = 0
    for seed in range(4):
        match = game.new(seed=seed)
        while not match.over:
            match.play(rng.choice(match.legal()))
        results = list(zip(*match.result(), strict=True))
        agreement += sum((score - other) * (behind - place) for score, place in results for other, behind in results)
    return -1 if agreement < 0 else 1


def shares(places: Ints) -> Floats:
    """Each seat's part of the first place, in rows of places."""
    first = places == 1
    part: Floats = (first / first.sum(-1, keepdims=True)).astype(np.float32)
    return part


def leads(scores: Ints, sign: int) -> Floats:
    """Each seat's points less the mean of the others', in rows of scores."""
    players = scores.shape[-1]
    total = scores.sum(-1, keepdims=True, dtype=np.float64)
    lead: Floats = (sign * (scores - (total - scores) / (players - 1))).astype(np.float32)
    return lead


class Reckoner:
    """Works out the rewards of one kind, for rows of matches."""

    def __init__(self, game: Game, players: int, kind: str) -> None:
        self.game = game
        self.players = players
        self.kind = check_reward(kind)
        self._sign = direction(game.id) if kind in (SCORE, ROUNDS) else 1
        self._scores = np.zeros(game.info.max_seats, np.int32)
        self._places = np.zeros(game.info.max_seats, np.int32)

    def __eq__(self, other: object) -> bool:
        """The same rewards for as many players of the same game."""
        if not isinstance(other, Reckoner):
            return NotImplemented
        return (self.game, self.players, self.kind) == (other.game, other.players, other.kind)

    def __hash__(self) -> int:
        return hash((self.game, self.players, self.kind))

    @property
    def by_round(self) -> bool:
        """Whether there are rewards before the end."""
        return self.kind == ROUNDS

    def final(self, scores: Ints, places: Ints, before: Ints | None = None) -> Floats:
        """Rewards at the end of matches. `before` are the scores that were rewarded already."""
        if self.kind == WIN:
            return shares(places)
        if self.kind == CENTRED:
            return shares(places) - np.float32(1 / self.players)
        return leads(scores if before is None else scores - before, self._sign)

    def between(self, scores: Ints, before: Ints) -> Floats:
        """Rewards of a round that ended while the match goes on."""
        return leads(scores - before, self._sign)

    def standing(self, buf: Buffer) -> Ints:
        """The scores of a match as they stand."""
        self.game.kernels.result(buf, self._scores, self._places)
        return self._scores[: self.players].copy()


class BatchRewards:
    """The rewards of an arena's matches, kept up to date step by step."""

    def __init__(self, arena: Arena, kind: str) -> None:
        self._arena = arena
        self._reckoner = Reckoner(arena.game, arena.players, kind)
        self.values: Floats = np.zeros((arena.num_matches, arena.players), np.float32)
        """What the last step brought each seat, a row for each match."""
        self._paid: npt.NDArray[np.intp] = np.zeros(0, np.intp)
        self._look_into_arena()
        self._seen_rounds = self._rounds.copy()
        self._rewarded = np.zeros((arena.num_matches, arena.players), np.int32)
        self.begin(np.arange(arena.num_matches))

    def _look_into_arena(self) -> None:
        self._rounds = self._arena.records.view(self._arena.game.info.state)["round_no"][:, 0]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_rounds"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look_into_arena()

    __eq__ = same_state
    __hash__ = None  # type: ignore[assignment]  # it changes

    def begin(self, rows: npt.NDArray[np.intp]) -> None:
        """New matches lie in these rows: what counts from now on."""
        if self._reckoner.by_round:
            for row in rows:
                self._rewarded[row] = self._reckoner.standing(self._arena.records[row])
            self._seen_rounds[rows] = self._rounds[rows]

    def update(self, num_ended: int) -> None:
        """Work out what the step just made was worth."""
        arena = self._arena
        if self._paid.size:
            self.values[self._paid] = 0
        self._paid = np.flatnonzero(arena.done) if num_ended else np.zeros(0, np.intp)
        ended = self._paid
        before = None
        if self._reckoner.by_round:
            before = self._rewarded[ended]
            self._pay_rounds()
        if ended.size:
            players = arena.players
            scores, places = arena.scores[ended, :players], arena.places[ended, :players]
            self.values[ended] = self._reckoner.final(scores, places, before)

    def _pay_rounds(self) -> None:
        """Rewards for rounds that ended in matches that go on; what counts from now on in all that changed."""
        arena = self._arena
        changed = np.flatnonzero((self._rounds != self._seen_rounds) | (arena.done != 0))
        for row in changed:
            scores = self._reckoner.standing(arena.records[row])
            if not arena.done[row]:
                self.values[row] = self._reckoner.between(scores, self._rewarded[row])
            self._rewarded[row] = scores
        self._seen_rounds[changed] = self._rounds[changed]
        self._paid = changed
