"""Type checkers know every game's options: an unknown one is an error before anything runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import ludotheque
from ludotheque.core import typed

ROOT = Path(__file__).parent.parent.parent

SNIPPETS = """
import ludotheque
from ludotheque import Arena, Bot, Game, Match, Move, Pad, Record, Thought, Verdict

skipbo = ludotheque.game("skipbo")
match: Match = skipbo.new(4, seed=7, stock=20, teams=True, match="points")
skipbo.new(4, stok=20)  # error: call-arg
skipbo.new(4, stock="many")  # error: arg-type
skipbo.new(4, match="pionts")  # error: arg-type
skipbo.arena(8, players=2, stock=5, manners=True)
skipbo.arena(8, tokens=3)  # error: call-arg
ludotheque.game("lobo77").new(["Ann", "Ben"], tokens=3, draw="manual")
ludotheque.game("lobo77").new(teams=True)  # error: call-arg
ludotheque.game("loba").new(out_by_discard=True, runs="any_suit")
ludotheque.game("volle_lotte").new(target=3000)
ludotheque.game("double_lucky_7").new(forfeits=True, forfeit_list=["Sing."])


def any_game(game_id: str, **options: int) -> Match:
    game: Game = ludotheque.game(game_id)
    return game.new(3, **options)


def both(game: Game) -> Arena:
    return game.arena(8, whatever=1)


both(skipbo)
move: Move = match.legal()[0]
text: str = move
action: int = move  # error: assignment
match.play(move)
match.play(4)  # error: arg-type
bot: Bot = ludotheque.bot("skipbo", "expert")
match.play(bot.choose(match))
thought: Thought = bot.think(match)
move = thought.candidates[0].move
pad: Pad = ludotheque.pad("loba", 3)
record: Record = match.record()
moves: list[str] = record["moves"]
record["mvoes"]  # error: typeddict-item
verdict: Verdict = ludotheque.verify(record)
ludotheque.Mtach  # error: attr-defined
"""


def test_the_file_says_what_the_games_declare() -> None:
    """If this fails: python -m ludotheque.core.typed"""
    assert typed.FILE.read_text(encoding="utf-8") == typed.stub()
    for game_id in ludotheque.game_ids():
        assert f'Literal["{game_id}"]' in typed.stub()


def test_mypy_finds_the_mistakes_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "snippets.py"
    file.write_text(SNIPPETS)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)]
    command += ["--config-file", str(ROOT / "pyproject.toml"), "--follow-imports", "silent"]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout
    said = re.findall(r"snippets\.py:(\d+): error: .*\[([\w-]+)\]", found)
    wanted = [
        (str(number), mark[1])
        for number, line in enumerate(SNIPPETS.splitlines(), 1)
        if (mark := re.search(r"# error: ([\w-]+)$", line))
    ]
    assert said == wanted, found
