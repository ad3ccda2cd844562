"""What type checkers know of the games' options: `games/typed.pyi`, which `python -m ludotheque.core.typed` writes.

`ludotheque.game("...")` with the id of one of our games is a class of its own there, whose `new` and `arena` take that
game's options and no others. At run time they are all a `Game`.
"""

from __future__ import annotations

from pathlib import Path

from ludotheque.core import registry
from ludotheque.core.files import write_text
from ludotheque.core.game import Game
from ludotheque.core.info import Option
from ludotheque.core.jit import PACKAGE

FILE = PACKAGE / "games" / "typed.pyi"

HEAD = '''"""The games and their options, for type checkers. Written by `python -m ludotheque.core.typed`."""

from collections.abc import Sequence
from typing import Literal, TypedDict, Unpack, overload

from ludotheque.core.arena import Arena
from ludotheque.core.game import Game
from ludotheque.core.match import Match
'''

CLASSES = '''
class {name}Options(TypedDict, total=False):
    """The options of {title}."""

{options}

class {name}(Game):
    """{title}, with its own options."""

    def new(  # type: ignore[override]  # fewer options than any game takes
        self,
        players: int | Sequence[str] | None = None,
        seed: int | str | bytes | None = None,
        **options: Unpack[{name}Options],
    ) -> Match: ...
    def arena(  # type: ignore[override]  # fewer options than any game takes
        self,
        num_matches: int,
        players: int | None = None,
        seed: int | str | bytes | None = None,
        threads: int | None = None,
        auto_reset: bool = True,
        **options: Unpack[{name}Options],
    ) -> Arena: ...
'''

OVERLOAD = """
@overload
def game(game_id: Literal["{id}"]) -> {name}: ..."""

LAST = """
@overload
def game(game_id: str) -> Game: ...
"""


def stub() -> str:
    """The text of `games/typed.pyi`."""
    games = [registry.load(game_id) for game_id in registry.ids()]
    own = [game for game in games if game.rules.__name__.startswith(f"{PACKAGE.name}.")]
    classes = "".join(
        CLASSES.format(
            name=_class_name(game),
            title=game.info.name,
            options="\n".join(_field(option) for option in game.info.options),
        )
        for game in own
    )
    overloads = "".join(OVERLOAD.format(id=game.id, name=_class_name(game)) for game in own)
    return HEAD + classes + overloads + LAST


def _class_name(game: Game) -> str:
    return "".join(part.capitalize() for part in game.id.split("_"))


def _field(option: Option) -> str:
    kinds = {"flag": "bool", "number": "int", "texts": "Sequence[str]"}
    words = ", ".join(f'"{value}"' for value in option.values)
    kind = kinds.get(option.kind, f"Literal[{words}]")
    return f'    {option.name}: {kind}\n    """{option.range_text().capitalize()}; {option.default!r} unless given."""'


def main() -> None:
    """Write the file anew."""
    write_text(Path(FILE), stub())


if __name__ == "__main__":
    main()
