"""Which games there are. A game is a package with `rules`, `notation`, `view` and `texts`, loaded when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludotheque.core.errors import UnknownGame

if TYPE_CHECKING:
    from ludotheque.core.game import Game

_PACKAGES: dict[str, str] = {}
_LOADED: dict[str, Game] = {}


def register(game_id: str, package: str) -> None:
    """Make a game known under its id. The package is not imported yet."""
    _PACKAGES[game_id] = package


def ids() -> list[str]:
    """The ids of all games, in the order registered."""
    return list(_PACKAGES)


def check_id(game_id: str) -> str:
    """The id if there is such a game."""
    if game_id not in _PACKAGES:
        import difflib

        from ludotheque.core.texts import worded

        near = difflib.get_close_matches(str(game_id), _PACKAGES, 1)
        if near:
            raise worded(UnknownGame, "game_like", game=repr(game_id), near=near[0])
        raise worded(UnknownGame, "game", game=repr(game_id), games=", ".join(_PACKAGES))
    return game_id


def package(game_id: str) -> str:
    """The package a game lives in."""
    return _PACKAGES[check_id(game_id)]


def load(game_id: str) -> Game:
    """The game under an id."""
    if check_id(game_id) not in _LOADED:
        from ludotheque.core.game import Game

        _LOADED[game_id] = Game(package(game_id))
    return _LOADED[game_id]
