"""The page of leaderboards, and the command that writes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludotheque
from benchmarks import leaderboard
from benchmarks.results import rows
from ludotheque.bots.ladder import make_contestant
from ludotheque.core import registry
from ludotheque.lab import tournament
from tests import needs

pytestmark = pytest.mark.compiled_only
SHIPPED = registry.shipped()


@pytest.mark.parametrize("game_id", SHIPPED)
def test_everybody_is_on_the_board(game_id: str) -> None:
    """Wins with intervals, points and milliseconds of every contestant, the best first."""
    game = ludotheque.game(game_id)
    board = rows(game.info.name, leaderboard.PAGE)
    assert set(board) >= {*leaderboard.contestants(game), "club"}
    for name, row in board.items():
        if name != "club":
            assert re.match(rf"\| {name} \| [\d.]+ % \([\d.]+–[\d.]+\) \| \S+ \(.+ … .+\) \| [\d.e+-]+ \| \d+ \|", row)
    wins = [float(row.split(" | ")[1].split(" %")[0]) for row in board.values()]
    assert wins == sorted(wins, reverse=True)
    assert f"python -m benchmarks.leaderboard {game_id}" in leaderboard.PAGE.read_text(encoding="utf-8")


def test_one_command_writes_a_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A level, and somebody's own player; what stood there before stays."""
    page, mine = tmp_path / "page.md", tmp_path / "mine.py"
    page.write_text("# Boards\n\nWords.\n", encoding="utf-8")
    mine.write_text("def player(game, seed):\n    return lambda record, seat, legal: legal[0]\n", encoding="utf-8")
    monkeypatch.setattr(leaderboard, "PAGE", page)
    leaderboard.main(["double_lucky_7", "--only", "random", f"{mine}:player", "--deals", "2", "--jobs", "1"])
    assert page.read_text(encoding="utf-8").startswith("# Boards\n\nWords.\n\n## Double Lucky 7\n")
    assert set(rows("Double Lucky 7", page)) == {"random", "club", f"{mine}:player"}


def test_tournaments_deal_the_same(tmp_path: Path) -> None:
    """The command on the page for one's own player repeats what the board has."""
    needs.module("choix")
    game = ludotheque.game("double_lucky_7")
    board = [leaderboard.one_deal(game.id, "random", number) for number in range(2)]
    played = tournament.run(game, ["random", "club"], 2, leaderboard.seats(game), {}, seed=leaderboard.SEED)
    assert played.cell("random", "club").wins.mean == pytest.approx(sum(deal.wins for deal in board) / 2)
    assert played.cell("random", "club").score == pytest.approx(sum(deal.points for deal in board) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", SHIPPED)
def test_openspiels_search_plays_every_game(game_id: str) -> None:
    needs.module("pyspiel")
    game = ludotheque.game(game_id)
    match, bot = game.new(seed=1), make_contestant(game, f"{leaderboard.OUTSIDE[leaderboard.ISMCTS]}:20", 1)
    for _ in range(12):
        match.play(bot.choose(match))
