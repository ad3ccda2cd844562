"""What `import ludotheque` offers: names of its own, typed, and loaded when they are asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ludotheque

CLASSES = [
    "Arena",
    "Bot",
    "Budget",
    "Candidate",
    "Game",
    "Match",
    "Move",
    "Options",
    "Pad",
    "Record",
    "Thought",
    "Verdict",
]


def test_dir_shows_the_public_names_only() -> None:
    assert dir(ludotheque) == sorted(ludotheque.__all__)
    assert not [name for name in dir(ludotheque) if name.startswith("_") and name != "__version__"]
    assert set(CLASSES) <= set(dir(ludotheque))


@pytest.mark.parametrize("name", ludotheque.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(ludotheque, name) is getattr(ludotheque, name)


def test_they_are_the_classes_of_what_one_gets() -> None:
    game = ludotheque.game("double_lucky_7")
    match, bot = game.new(3, seed=1), ludotheque.bot(game.id, "club", seed=1)
    assert isinstance(game, ludotheque.Game) and isinstance(match, ludotheque.Match)
    assert isinstance(match.options, ludotheque.Options) and isinstance(match.legal()[0], ludotheque.Move)
    assert isinstance(bot, ludotheque.Bot) and isinstance(bot.think(match, budget="8it"), ludotheque.Thought)
    assert isinstance(game.arena(2, seed=1), ludotheque.Arena)
    assert isinstance(ludotheque.pad(game.id, 3), ludotheque.Pad)
    assert isinstance(ludotheque.verify(match.record()), ludotheque.Verdict)
    assert set(match.record()) <= set(ludotheque.Record.__annotations__)
    assert set(match.record(0)) <= set(ludotheque.Record.__annotations__)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Mtach'"):
        ludotheque.Mtach  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(ludotheque, "_nothing")


def test_none_of_it_is_loaded_before_it_is_asked_for() -> None:
    code = "import sys, ludotheque; dir(ludotheque); assert not {'numpy', 'numba', 'msgspec'} & set(sys.modules)"
    code += "; ludotheque.Move; ludotheque.Budget; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
