"""Matches, games, arenas and pads are pickled, copied and compared, also from one process to another."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import random
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from ludotheque import Arena, IllegalMove, InvalidRecord, Match, Options, Pad
from ludotheque.core.pad_entry import InvalidEntry

COPIES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))]
GAMES = ludotheque.game_ids()
PROCESSES = ["spawn", "fork"]


def played(game_id: str, moves: int = 25, seed: int = 1, **options: Any) -> Match:
    """A match somewhere in its middle."""
    match = ludotheque.game(game_id).new(seed=seed, **options)
    rng = random.Random(seed)
    for _ in range(moves):
        if not match.over:
            match.play(rng.choice(match.legal()))
    return match


def played_on(match: Match) -> Match:
    """The match, some moves later."""
    rng = random.Random(5)
    for _ in range(10):
        if not match.over:
            match.play(rng.choice(match.legal()))
    return match


def stepped_on(arena: Arena) -> Arena:
    """The arena, some steps later."""
    for _ in range(3):
        arena.step(arena.sample())
    return arena


def in_process(kind: str, work: Callable[[Any], Any], thing: Any) -> Any:
    """What another process makes of a thing."""
    with warnings.catch_warnings():  # of forking while threads run, which later Pythons tell
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context(kind).Pool(1) as pool:
            return pool.apply(work, (thing,))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_match_goes_on_from_its_copies(game_id: str) -> None:
    match = played(game_id)
    for make in COPIES:
        twin = make(match)
        assert twin == match and twin is not match and twin.to_bytes() == match.to_bytes()
        assert twin.record() == match.record() and twin.view(0) == match.view(0) and twin.log() == match.log()
        assert all(one is other for (_, one), (_, other) in zip(twin.moves, match.moves, strict=True))
        assert played_on(twin) == played_on(match.copy())
        assert (twin == match) == match.over  # the match itself did not go on
        twin.names[0] = "Zoe"
        assert match.names[0] != "Zoe"


def test_a_match_that_began_in_a_position() -> None:
    match = played_on(played("skipbo").game.position(played("skipbo").position()))
    assert pickle.loads(pickle.dumps(match)) == match


@pytest.mark.parametrize("kind", PROCESSES)
def test_a_match_in_another_process(kind: str) -> None:
    match = played("double_lucky_7")
    assert in_process(kind, played_on, match) == played_on(match)


def test_when_two_matches_are_equal() -> None:
    match = played("double_lucky_7", rounds=7)
    assert match == played("double_lucky_7", rounds=7)
    assert match != played("double_lucky_7", rounds=14) and match != played("double_lucky_7", seed=2, rounds=7)
    assert match != match.at(3) and match.at(len(match)) == match
    other = match.copy()
    other.names[1] = "Zoe"
    assert match != other and match != "match"
    with pytest.raises(TypeError, match="unhashable"):
        hash(match)


def test_how_long_a_match_is() -> None:
    match = ludotheque.game("skipbo").new(seed=1)
    assert len(match) == 0 and match  # it is something all the same
    match.play(match.legal()[0])
    assert len(match) == len(match.moves) == 1
    match.undo()
    assert len(match) == 0


@pytest.mark.parametrize("game_id", GAMES)
def test_there_is_one_of_each_game(game_id: str) -> None:
    game = ludotheque.game(game_id)
    assert all(make(game) is game for make in COPIES)
    assert len({game, ludotheque.game(game_id)}) == 1 and game != ludotheque.game(GAMES[GAMES.index(game_id) - 1])


OTHER_RULES = """
from dataclasses import replace
from ludotheque.games.double_lucky_7.rules import *
from ludotheque.games.double_lucky_7 import rules as ours
INFO = replace(ours.INFO, id="elsewhere")
"""
ELSEWHERE = """
import multiprocessing, sys
import ludotheque

def played_on(match):
    match.play(match.legal()[0])
    return match

if __name__ == "__main__":
    ludotheque.register("elsewhere", "elsewhere")
    match = ludotheque.game("elsewhere").new(3, seed=1)
    for kind in ("spawn", "fork"):
        with multiprocessing.get_context(kind).Pool(1) as pool:
            twin = pool.apply(played_on, (match,))
        assert twin.moves == [(match.actor, match.legal()[0])] and twin.game is match.game
        assert twin == played_on(match.copy())
    print("done")
"""


def test_a_game_that_only_one_process_has_registered(tmp_path: Path) -> None:
    """A game of another package goes along with its package's name."""
    home = Path(ludotheque.__file__).parent / "games" / "double_lucky_7"
    package = tmp_path / "elsewhere"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(OTHER_RULES)
    for name in ("notation", "view"):
        (package / f"{name}.py").write_text(f"from ludotheque.games.double_lucky_7.{name} import *\n")
    shutil.copytree(home / "texts", package / "texts")
    (tmp_path / "main.py").write_text(ELSEWHERE)
    path = os.pathsep.join([str(tmp_path), str(Path(ludotheque.__file__).parent.parent)])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    made = subprocess.run([sys.executable, "main.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert made.stdout == "done\n", made.stderr


@pytest.mark.parametrize("game_id", ["double_lucky_7", "lobo77"])
@pytest.mark.parametrize("auto_reset", [True, False])
def test_an_arena_goes_on_from_its_copies(game_id: str, auto_reset: bool) -> None:
    arena = ludotheque.game(game_id).arena(5, players=3, seed=1, auto_reset=auto_reset)
    for drawn in range(2):
        stepped_on(arena)
        if drawn:
            arena.sample()
        for make in COPIES[1:]:
            twin = make(arena)
            assert twin == arena and twin is not arena and len(twin) == 5
            assert stepped_on(twin) != arena
            assert twin == stepped_on(make(arena))
    assert twin.key(2) == arena.key(2) or auto_reset


def test_when_two_arenas_are_equal() -> None:
    def make(seed: int = 1, **options: Any) -> Arena:
        return ludotheque.game("double_lucky_7").arena(3, seed=seed, **options)

    assert make() == make(threads=1) and make() != make(2) and make() != make(rounds=7) and make() != make(players=4)
    assert make() != stepped_on(make()) and make() != "arena"
    one, other = make(), make()
    one.sample()
    assert one != other  # the next sample will not be the same
    other.sample()
    assert one == other
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@pytest.mark.parametrize("kind", PROCESSES)
def test_an_arena_in_another_process(kind: str) -> None:
    arena = stepped_on(ludotheque.game("double_lucky_7").arena(8, players=3, seed=1))
    assert in_process(kind, stepped_on, arena) == stepped_on(arena)


def some_pad(entries: int = 3) -> Pad:
    pad = ludotheque.pad("lobo77", ["Ann", "Ben", "Cleo"], first=0, seed=1)
    for number in range(entries):
        pad = pad.enter({"player": number % 3, "total": 11})
    return pad


def _entered(pad: Pad) -> Pad:
    return pad.enter({"player": 1, "total": 77})


def test_a_pad_goes_on_from_its_copies() -> None:
    pad = some_pad()
    for make in COPIES:
        twin = make(pad)
        assert twin == pad and twin.view() == pad.view() and len(twin) == 3
        assert _entered(twin) == _entered(pad) != pad
    assert len(some_pad(0)) == 0 and some_pad(0)
    assert some_pad(2) == pad.back() and some_pad(2) != pad and pad != "pad"
    with pytest.raises(TypeError, match="unhashable"):
        hash(pad)


@pytest.mark.parametrize("kind", PROCESSES)
def test_a_pad_in_another_process(kind: str) -> None:
    assert in_process(kind, _entered, some_pad()) == _entered(some_pad())


def test_options_are_values() -> None:
    options = ludotheque.game("double_lucky_7").options(3, {"rounds": 7, "forfeit_list": ["Sing."]})
    for make in COPIES:
        twin: Options = make(options)
        assert twin == options and hash(twin) == hash(options) and list(twin.codes) == list(options.codes)
    assert options != ludotheque.game("double_lucky_7").options(3, {})
    assert "rounds=7" in repr(options)


def test_records_verdicts_and_errors_are_pickled() -> None:
    match = played("double_lucky_7")
    verdict = ludotheque.verify(match.record())
    assert pickle.loads(pickle.dumps((match.record(), verdict))) == (match.record(), verdict)
    with pytest.raises(IllegalMove) as refused:
        ludotheque.game("double_lucky_7").new(3, seed=1).play("bid 7")
    with pytest.raises(InvalidEntry) as entry:
        some_pad().enter({"player": 9, "total": 11})
    for error in (refused.value, entry.value):
        twin = pickle.loads(pickle.dumps(error))
        assert (str(twin), twin.rule, twin.key, twin.params) == (str(error), error.rule, error.key, error.params)


@pytest.mark.parametrize("thing", [played("lobo77", 3), ludotheque.game("lobo77").arena(2, seed=1), some_pad(1)])
def test_what_other_rules_made_is_refused(thing: Any) -> None:
    state = {**thing.__getstate__(), "rules_version": 0}
    with pytest.raises(InvalidRecord, match="version 0 of the rules of lobo77"):
        object.__new__(type(thing)).__setstate__(state)
