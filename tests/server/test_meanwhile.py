"""Playing before a game is compiled: at once, with bots, and to the byte as it is played afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ludotheque
from ludotheque.core import registry, warm
from ludotheque.core.game import Game
from ludotheque.server import meanwhile

GAMES = registry.ids()

AT_ONCE = """
import json, sys
from ludotheque.core import registry
from ludotheque.core.ladder import LEVELS
from ludotheque.server import loading
from ludotheque.server.thinking import player


def play(game_id):
    loading.load_first(game_id)
    game = registry.load(game_id)
    match = game.new(4, seed=7)
    while not match.over and len(match.moves) < 40:
        bot = player(game, ("random", *LEVELS)[len(match.moves) % 6])
        bot.unasked(match.concealed(match.actor), match.actor)
        match.play(bot.choose(match.concealed(match.actor), match.actor))
    expert = player(game, "expert")
    advised = match.over or expert.think(match.concealed(match.actor), match.actor).move in match.legal()
    print(json.dumps([game_id, match.moves, match.to_bytes().hex(), match.view(0), advised]))

loading._COMMAND = (sys.executable, "-c", "import time; time.sleep(600)")
loading.start("en")
try:
    for game_id in registry.ids():
        play(game_id)
finally:
    loading.stop()
"""


@pytest.mark.compiled_only
@pytest.mark.slow
def test_all_games_are_played_at_once_after_a_fresh_install(tmp_path: Path) -> None:
    environment = {**os.environ, "LUDOTHEQUE_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", AT_ONCE], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.rglob("*.nbc")), "something was compiled"
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one[0] for one in told] == list(GAMES)
    for game_id, moves, state, view, advised in told:
        match = ludotheque.game(game_id).new(4, seed=7)
        for seat, action in moves:
            match.play(action, seat)
        assert match.to_bytes().hex() == state
        assert json.loads(json.dumps(match.view(0))) == view
        assert advised


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Game]:
    """Games of one's own, so that others' stay compiled."""
    for names in ("_begun", "_compiled"):
        monkeypatch.setattr(meanwhile, names, set())
    monkeypatch.setattr(warm, "_excused", set())
    return lambda game_id: Game(registry.package(game_id))


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", GAMES)
def test_a_match_goes_on_compiled(game_id: str, fresh: Callable[[str], Game]) -> None:
    game = fresh(game_id)
    meanwhile.begin(game)
    match, twin = game.new(3, seed=5), ludotheque.game(game_id).new(3, seed=5)
    chance = np.random.default_rng(1)
    for count in range(60):
        if match.over:
            break
        if count == 30:
            meanwhile.end(game)
        assert match.movers() == twin.movers()
        assert match.legal_ids() == twin.legal_ids()
        move = int(chance.choice(match.legal_ids()))
        match.play(move)
        twin.play(move)
        assert match.to_bytes() == twin.to_bytes()
        assert match.result() == twin.result()
        for seat in (*range(3), None):
            assert np.array_equal(match.concealed(seat), twin.concealed(seat))
    assert match.log() == twin.log()


@pytest.mark.compiled_only
def test_bots_that_search_are_replaced_until_they_are_compiled(
    fresh: Callable[[str], Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = fresh("skipbo")
    assert not meanwhile.lacks_bots(game), "nobody has wanted it yet"
    meanwhile.begin(game)
    ready: set[str] = set()
    monkeypatch.setattr(warm, "is_warm", lambda game_id, purpose: purpose in ready)
    assert meanwhile.lacks_bots(game)
    ready.add(warm.PLAY)
    assert meanwhile.lacks_bots(game)
    ready.add("think")
    assert not meanwhile.lacks_bots(game)
