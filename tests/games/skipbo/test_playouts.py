"""Random play of Skip-Bo: it ends, its shortcut for choosing moves is honest, and idle seats are told exactly."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.core.chooser import MASK, advance, choose
from ludotheque.core.jit import plain
from ludotheque.games.skipbo import rules
from tests.games.skipbo.test_notation import CORNERS

GAME = ludotheque.game("skipbo")


@pytest.mark.parametrize(("players", "options"), [*CORNERS, (2, {}), (4, {"teams": True})])
def test_random_play_ends(players: int, options: dict[str, Any]) -> None:
    legal, sample = plain(rules.legal), plain(rules.sample)
    chooser = random.Random(players)
    match = GAME.new(players=players, seed=players, **options)
    ids = np.empty(GAME.info.num_actions, np.int16)
    x = plain(advance)(chooser.getrandbits(61) & MASK)
    while not match.over:
        movers = match.movers()
        assert movers == [seat for seat in range(players) if match.legal_ids(seat)]
        seat = chooser.choice(movers) if chooser.random() < 0.2 else match.actor
        x = plain(advance)(x)
        s = match.state
        count = legal(s, seat, ids)
        assert sample(s, seat, x, ids.copy()) == ids[plain(choose)(x, count)]
        match.play(match.legal(seat)[chooser.randrange(count)], seat)
        assert GAME.kernels.faults(match.buffer) == 0
        assert len(match.moves) < 20_000
