"""Bots from outside: somebody's function at the table, named by its file or module."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludotheque
from ludotheque.bots.ladder import make_contestant
from ludotheque.bots.outside import OutsideBot
from ludotheque.cli import main
from ludotheque.core.errors import InvalidOptions, LudothequeError
from ludotheque.core.moves import Move
from ludotheque.core.record import Buffer

GAME = ludotheque.game("double_lucky_7")

SOURCE = """
def last(game, seed, text="last"):
    seen = []
    def choose(record, seat, legal):
        seen.append(record)
        return legal[-1] if text == "last" else legal[0]
    choose.seen = seen
    return choose

number = 7

def nothing(game, seed):
    return None

def illegal(game, seed):
    return lambda record, seat, legal: 9999
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file with bots in it."""
    path = tmp_path / "my_bots.py"
    path.write_text(SOURCE)
    return path


def test_a_file_names_a_bot_and_what_it_is_given(source: Path) -> None:
    match = GAME.new(4, seed=1)
    assert make_contestant(GAME, f"{source}:last").choose(match) == match.legal()[-1]
    assert make_contestant(GAME, f"{source}:last:first:x").choose(match) == match.legal()[0]


def test_a_module_names_a_bot(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(source.parent)
    match = GAME.new(4, seed=1)
    assert make_contestant(GAME, "my_bots:last").choose(match) == match.legal()[-1]


def test_it_sees_what_its_seat_sees() -> None:
    seen: list[tuple[Buffer, int]] = []

    def choose(record: Buffer, seat: int, legal: list[Move]) -> str:
        seen.append((record, seat))
        assert legal == match.legal(seat)
        return str(legal[0])  # its text will do

    match = GAME.new(4, seed=1)
    OutsideBot(GAME, "mine", choose).choose(match)
    ((record, seat),) = seen
    assert seat == match.actor
    assert np.array_equal(record, match.concealed(seat))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("{}:number", "no function or class 'number'"),
        ("{}:none_such", "no function or class"),
        ("{}:nothing", "must return a function"),
        ("{}:nothing:text", "cannot be called with"),
        ("{}:", "file.py:NAME or module:NAME"),
        (":last", "file.py:NAME or module:NAME"),
        ("{}x.py:last", "there is no file"),
        ("no_such_module_here:last", "cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_what_cannot_be_loaded_says_why(source: Path, name: str, reason: str) -> None:
    with pytest.raises(InvalidOptions, match=reason):
        make_contestant(GAME, name.format(source))


def test_a_broken_file_says_why(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("1 / 0\n")
    with pytest.raises(InvalidOptions, match="ZeroDivisionError"):
        make_contestant(GAME, f"{path}:any")


def test_an_illegal_choice_is_refused(source: Path) -> None:
    match = GAME.new(4, seed=1)
    with pytest.raises(LudothequeError, match="not one of its legal moves"):
        make_contestant(GAME, f"{source}:illegal").choose(match)


def test_a_tournament_seats_it(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bots = f"{source}:last,random"
    assert main(["tournament", GAME.id, "--bots", bots, "--deals", "2", "--rounds", "7"]) == 0
    assert "my_bots.py:last" in capsys.readouterr().out
    assert main(["tournament", GAME.id, "--bots", f"{source}:none_such,random", "--deals", "1"]) == 2
    assert "no function or class" in capsys.readouterr().err
