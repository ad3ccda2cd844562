"""No bot learns a card it cannot see: exchange all it cannot know, and it thinks the very same."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import numpy as np
import pytest

import ludotheque
from ludotheque.bots.ladder import PLAYABLE, make_player
from ludotheque.core.errors import InvalidMove
from ludotheque.core.game import Game
from ludotheque.core.match import Match
from ludotheque.core.record import Buffer
from ludotheque.testing import corners, other_world

SOURCES = Path(ludotheque.__file__).parent
BUDGET = "100it"


class Shown:
    """What a table shows of a record: it conceals, as a match does."""

    def __init__(self, match: Match, buf: Buffer) -> None:
        self._match, self._buf = match, buf

    @property
    def game(self) -> Game:
        return self._match.game

    @property
    def actor(self) -> int:
        return self._match.actor

    def concealed(self, seat: int | None) -> Buffer:
        buf = self._buf.copy()
        self._match.game.kernels.hide(buf, -1 if seat is None else seat)
        return buf


def moments(game_id: str, count: int) -> list[Match]:
    """Positions from matches under many options, in all phases."""
    game = ludotheque.game(game_id)
    found = corners(game, every_count=False)
    rng = random.Random(7)
    result = []
    for n in range(count):
        corner = found[n % len(found)]
        match = game.new(corner.players, seed=n, **corner.options)
        for _ in range(rng.randrange(1, 120)):
            seat = rng.choice(match.movers())
            match.play(rng.choice(match.legal(seat)), seat)
            if match.over:
                match = game.new(corner.players, seed=n, **corner.options)
        result.append(match)
    return result


@pytest.mark.compiled_only
@pytest.mark.parametrize("level", PLAYABLE)
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_hidden_cards_change_neither_move_nor_reasons(game_id: str, level: str) -> None:
    rng = random.Random(f"{game_id} {level}")
    differ = 0
    for match in moments(game_id, 8):
        for seat in match.movers():
            bot = make_player(match.game, level, seed=5)
            swapped = other_world(match, seat, rng)
            differ += swapped.tobytes() != match.to_bytes()
            here = bot.think(match, seat, BUDGET)
            there = bot.think(Shown(match, swapped), seat, BUDGET)
            assert (here.move, here.candidates, here.iterations) == (there.move, there.candidates, there.iterations)
            assert bot.unasked(match, seat) == bot.unasked(Shown(match, swapped), seat)
    assert differ > 4  # there was something to exchange


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_record_that_shows_more_is_refused(game_id: str) -> None:
    match = ludotheque.game(game_id).new(2 if game_id != "loba" else 3, seed=1)
    bot = ludotheque.bot(game_id, "club")
    whole = np.frombuffer(match.to_bytes(), np.uint8).copy()
    with pytest.raises(InvalidMove, match="not concealed"):
        bot.choose(whole, match.actor)
    assert bot.choose(match.concealed(match.actor)) in match.legal()


def bot_modules() -> list[Path]:
    return sorted([*(SOURCES / "bots").glob("*.py"), *(SOURCES / "games").glob("*/bots.py")])


@pytest.mark.parametrize("path", bot_modules(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_bot_module_reaches_into_a_match(path: Path) -> None:
    forbidden = {"to_bytes", "state", "_buf", "position", "record_of", "key"} if path.name != "cheater.py" else set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
            assert not any(name.endswith(("core.match", "core.records")) for name in names), f"{path}:{node.lineno}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("match", "table"):
            assert node.attr not in forbidden, f"{path}:{node.lineno} reads {node.attr}"
