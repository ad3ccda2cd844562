"""Bots from outside this package: somebody's function that chooses a move, named as `file.py:NAME` or `module:NAME`.

What is named makes the function: it is called with the game and a seed, and with the text after a second colon if
there is one (`file.py:NAME:TEXT`, the file of a trained network, say). The function gets a record concealed for its
seat, the seat and its legal moves, and returns one of them.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from ludotheque.bots.bot import Bot, Ratings, Seeds
from ludotheque.core.errors import InvalidOptions, LudothequeError
from ludotheque.core.game import Game
from ludotheque.core.ladder import Level
from ludotheque.core.moves import Move
from ludotheque.core.record import Buffer, Ids

Choose = Callable[[Buffer, int, list[Move]], str]
"""A concealed record, a seat and its legal moves: one of them."""


class OutsideBot(Bot):
    """A function at the table. It sees what its seat sees, and what it answers is checked."""

    def __init__(self, game: Game, name: str, function: Choose, seed: int | str | None = None) -> None:
        super().__init__(game, name, Level(), seed)
        self._function = function

    def _identity(self) -> tuple[Any, ...]:
        return self.game, self.name, None if is_outside(self.name) else self._function, self.seed

    def __reduce__(self) -> tuple[Any, ...]:
        if is_outside(self.name):  # what its file made may be impossible to pickle
            return load_bot, (self.game, self.name, self.seed)
        return super().__reduce__()

    def _pick(self, buf: Buffer, seat: int, ids: Ids, ratings: Ratings, seeds: Seeds) -> int:
        made = self.game.moves.made
        legal = [made[action] for action in ids.tolist()]
        move = self._function(buf, seat, list(legal))
        if not isinstance(move, str) or move not in legal:
            raise LudothequeError(f"{self.name} chose {move!r:.40}, which is not one of its legal moves")
        return legal.index(move)  # type: ignore[arg-type]  # its text will do


def is_outside(name: str) -> bool:
    """Whether a bot's name is that of a function somewhere else."""
    return ":" in name


def load_bot(game: Game, name: str, seed: int | str | None = None) -> Bot:
    """The bot a name such as `file.py:NAME` stands for. This runs the code of that file or module."""
    where, what, text = _parts(name)
    module = _module(where)
    make = getattr(module, what, None)
    if not callable(make):
        raise InvalidOptions(f"{where} has no function or class {what!r:.40}")
    try:
        function = make(game, seed, text) if text else make(game, seed)
    except TypeError as error:
        wanted = "game, seed, text" if text else "game, seed"
        raise InvalidOptions(f"{where}:{what} cannot be called with ({wanted}): {error}") from None
    if not callable(function):
        raise InvalidOptions(
            f"{where}:{what} must return a function (record, seat, legal) -> move, not {function!r:.40}"
        )
    return OutsideBot(game, name, function, seed)


def _parts(name: str) -> tuple[str, str, str]:
    """Where, what, and the text for it. A path may have colons of its own, before `.py`."""
    path, is_file, rest = name.partition(".py:")
    if is_file:
        where = f"{path}.py"
    else:
        where, _, rest = name.partition(":")
    what, _, text = rest.partition(":")
    if not where or not what.isidentifier():
        raise InvalidOptions(f"{name!r:.80} is no bot: one from outside is named file.py:NAME or module:NAME")
    return where, what, text


@cache
def _module(where: str) -> ModuleType:
    try:
        if not where.endswith(".py"):
            return importlib.import_module(where)
        path = Path(where).resolve()
        if not path.is_file():
            raise InvalidOptions(f"there is no file {where}")
        name = f"ludotheque_outside_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look their module up there
        spec.loader.exec_module(module)
    except LudothequeError:
        raise
    except Exception as error:  # any error of an outside file is a message, not a traceback
        raise InvalidOptions(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    return module
