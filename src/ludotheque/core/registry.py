"""Which games there are. A game is a package with `rules`, `notation`, `view` and `texts`, loaded when asked for.

Ours are the folders of `ludotheque/games`. Others are found by their entry points in the group `ludotheque.games`,
which name a package each: `pig = "pig_game"`. Those are only looked for when somebody asks for all games or for one
that is not ours, since reading what is installed takes longer than importing this package.
"""

from __future__ import annotations

import os
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ludotheque.core.errors import BrokenGame, GameWarning, LudothequeError, UnknownGame

if TYPE_CHECKING:
    from pathlib import Path

    from ludotheque.core.game import Game

GROUP = "ludotheque.games"
"""The group of entry points, and the package that ours are in."""

NEEDED = (
    "rules.py", "notation.py", "view.py", "texts/en.toml", "texts/fr.toml", "texts/rules.en.md", "texts/rules.fr.md",
)  # fmt: skip
"""The files without which a folder is no game."""

MAX_ID = 30
_LETTERS = set("abcdefghijklmnopqrstuvwxyz")

_REGISTERED: dict[str, str] = {}
_LOADED: dict[str, Game] = {}

E = TypeVar("E", bound=LudothequeError | GameWarning)


def _worded(kind: type[E], key: str, **params: Any) -> E:
    from ludotheque.core.texts import worded  # what reads texts is imported when there is something to say

    return worded(kind, key, **params)


def register(game_id: str, package: str) -> None:
    """Make a game known under its id in this process, also in place of another. The package is not imported yet.

    Args:
        game_id: The id: small letters, digits and underscores.
        package: The package that holds the game's `rules`, `notation`, `view` and `texts`.

    Raises:
        LudothequeError: If that cannot be an id.

    Examples:
        >>> import ludotheque
        >>> ludotheque.register("lobo77", "ludotheque.games.lobo77")
    """
    _REGISTERED[check_new_id(game_id)] = package


def check_new_id(text: str) -> str:
    """The text if it can be the id of a game: it is part of names in code, of file names and of addresses."""
    if not (2 <= len(text) <= MAX_ID and text[0] in _LETTERS and set(text) <= _LETTERS | set("0123456789_")):
        raise _worded(LudothequeError, "game_id", id=repr(text), most=MAX_ID)
    return text


@cache
def shipped() -> dict[str, str]:
    """Our own games: id and package."""
    home = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "games")
    found = [name for name in os.listdir(home) if os.path.exists(os.path.join(home, name, "rules.py"))]
    return {name: f"{GROUP}.{name}" for name in sorted(found)}


@cache
def _installed() -> dict[str, str]:
    """The games of other packages. One that is broken, or whose id is taken, is left out with a warning."""
    from importlib.metadata import entry_points

    found: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP)):
        taken = {**shipped(), **found}.get(point.name)
        if taken == point.value:
            continue  # the same package, seen twice
        try:
            if taken is not None:
                raise _worded(LudothequeError, "game_taken", package=taken)
            check_new_id(point.name)
            _check_files(_home(point.value))
        except Exception as error:  # also what another package raises when it is imported
            _leave_out(point.name, point.value, error)
        else:
            found[point.name] = point.value
    return found


def _check_files(home: Path) -> None:
    missing = [name for name in NEEDED if not (home / name).is_file()]
    if missing:
        raise _worded(LudothequeError, "game_lacks", files=", ".join(missing))


def _leave_out(game_id: str, home: str, error: BaseException) -> None:
    facts = {"game": game_id, "package": home, "why": _reason(error)}
    warnings.warn(_worded(GameWarning, "game_left_out", **facts), stacklevel=3)


def _reason(error: BaseException) -> str:
    text = str(error)
    return text if isinstance(error, LudothequeError) else f"{type(error).__name__}: {text}" if text else repr(error)


def _home(package: str) -> Path:
    from importlib.util import find_spec
    from pathlib import Path

    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise _worded(LudothequeError, "no_package", package=package)
    return Path(spec.origin).parent


def folder(game_id: str) -> Path:
    """The folder of a game's package. The game is not loaded."""
    return _home(package(game_id))


def _packages() -> dict[str, str]:
    return {**shipped(), **_installed(), **_REGISTERED}


def ids() -> list[str]:
    """The ids of all games: ours, those of other packages, those registered in this process.

    Examples:
        >>> import ludotheque
        >>> ludotheque.game_ids()[:3]
        ['double_lucky_7', 'loba', 'lobo77']
    """
    return list(_packages())


def check_id(game_id: str) -> str:
    """The id if there is such a game."""
    package(game_id)
    return game_id


def package(game_id: str) -> str:
    """The package a game lives in."""
    for known in (_REGISTERED, shipped()):
        if game_id in known:
            return known[game_id]
    packages = _packages()
    if game_id not in packages:
        from ludotheque.core.texts import nearest

        given = {"game": repr(game_id), "games": ", ".join(packages), "near": nearest(game_id, packages)}
        raise _worded(UnknownGame, "game", **given)
    return packages[game_id]


def load(game_id: str) -> Game:
    """The game under an id.

    Args:
        game_id: One of `ludotheque.game_ids()`.

    Returns:
        The game; the same object for the same id.

    Raises:
        UnknownGame: If there is none, with the id that was perhaps meant.
        BrokenGame: If it cannot be loaded, and why not.

    Examples:
        >>> import ludotheque
        >>> ludotheque.game("skipbo")
        <Game skipbo>
    """
    if game_id not in _LOADED:
        from ludotheque.core.game import Game

        home = package(game_id)
        try:
            game = Game(home)
            if game.id != game_id:
                raise _worded(LudothequeError, "game_misnamed", id=repr(game.id))
        except Exception as error:  # whatever another package does when it is imported
            facts = {"game": game_id, "package": home, "why": _reason(error)}
            raise _worded(BrokenGame, "game_broken", **facts) from error
        _LOADED[game_id] = game
    return _LOADED[game_id]


def load_all() -> list[Game]:
    """All games. One that cannot be loaded is left out with a warning."""
    loaded = []
    for game_id in ids():
        try:
            loaded.append(load(game_id))
        except BrokenGame as error:
            _leave_out(game_id, package(game_id), error.__cause__ or error)
    return loaded


def restore(game_id: str, package: str) -> Game:
    """The game that was pickled: one that only the other process had registered is registered here too."""
    if game_id not in ids():
        register(game_id, package)
    return load(game_id)
