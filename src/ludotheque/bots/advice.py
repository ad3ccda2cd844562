"""A hint: what the expert would do with a seat's cards, why in the game's terms, and no figure finer than it is known.

A game says why in its `reasons.py`, if it has one: `reasons(table, seat, move, legal)` yields keys under `[reasons]` of
its texts with what fills them, the weightiest first. It gets what the table shows that seat and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ludotheque.bots.bot import Thought
from ludotheque.core.game import Game
from ludotheque.core.match_view import show_table
from ludotheque.core.moves import Move
from ludotheque.core.record import Buffer
from ludotheque.core.snapshot import reader

MOST = 3
"""How many moves a hint names."""
MOST_REASONS = 2
CERTAIN = 0.02
"""A chance to win is told if its standard error is no larger than this."""

Reason = tuple[str, Mapping[str, Any]]
"""A key of the game's texts and what fills it."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move that a hint names.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.bots.advice import advise
        >>> match = ludotheque.game("double_lucky_7").new(3, seed=1)
        >>> thought = ludotheque.bot("double_lucky_7", "expert", seed=1).think(match, budget="500it")
        >>> advise(thought)[0].move == thought.move
        True
    """

    move: Move
    win: float | None
    """Chance to win the match; None if it is not known to two points in a hundred."""
    is_equal: bool
    """Whether it is as good as the first, as far as can be told."""


def advise(thought: Thought) -> list[Advice]:
    """What to tell of a thought: the chosen move, then those as good as it, then the next best."""
    candidates = thought.candidates
    if not candidates:
        return [Advice(thought.move, None, True)]
    return [Advice(one.move, one.win if one.error <= CERTAIN else None, one.is_equal) for one in candidates[:MOST]]


def why(game: Game, record: Buffer, seat: int, move: str, names: Sequence[str], lang: str) -> str:
    """Why a move is good, from a record concealed for its seat; empty if the game has no word for it."""
    ids = np.empty(game.info.num_actions, np.int16)
    legal = [str(game.moves.made[int(action)]) for action in ids[: game.kernels.moves(record, seat, ids)]]
    found: Iterator[Reason] = iter(())
    if len(legal) > 1:
        table = show_table(game, reader(game).read(record), seat)
        found = getattr(game.module("reasons"), "reasons", lambda *_: iter(()))(table, seat, move, legal)
    words = game.catalogue(lang)
    return " ".join(words.say(f"reasons.{key}", params, names) for key, params in islice(found, MOST_REASONS))
