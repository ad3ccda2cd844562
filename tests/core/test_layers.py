"""Imports go one way, `core <- games <- bots <- {lab, rl, server, tui} <- cli`, and only games name a game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludotheque
from ludotheque import games

SOURCES = Path(ludotheque.__file__).parent
MODULES = sorted(path.relative_to(SOURCES) for path in SOURCES.rglob("*.py"))

ABOVE_BOTS = {"core", "games", "bots", "ludotheque"}
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "games": {"core"},
    "ludotheque": {"core", "games", "bots"},  # the package itself: the front door
    "bots": {"core", "games"},
    "testing": {"core", "ludotheque"},
    "lab": ABOVE_BOTS,
    "rl": ABOVE_BOTS,
    "server": ABOVE_BOTS,
    "tui": ABOVE_BOTS,
    "cli": ABOVE_BOTS | {"lab", "rl", "server", "tui"},
    "__main__": {"cli"},
}


def layer(module: Path) -> str:
    """The first part of a module's name within the package."""
    return "ludotheque" if module.parts == ("__init__.py",) else module.parts[0].removesuffix(".py")


def imports(module: Path) -> Iterator[str]:
    """The modules of this package that a module imports, those inside functions too, without the package's name."""
    for node in ast.walk(ast.parse((SOURCES / module).read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno} imports relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "ludotheque":
                yield rest


def target(name: str) -> str:
    """The layer that an imported name belongs to."""
    first = name.partition(".")[0]
    is_module = (SOURCES / first).is_dir() or (SOURCES / f"{first}.py").exists()
    return first if first and is_module else "ludotheque"


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_go_one_way(module: Path) -> None:
    own = layer(module)
    assert own in MAY_IMPORT, f"{own} has no place among the layers"
    wrong = [name for name in imports(module) if target(name) not in MAY_IMPORT[own] | {own}]
    assert not wrong


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] == "games"], ids=str)
def test_games_do_not_know_each_other(module: Path) -> None:
    own = module.parts[1]
    others = [name for name in imports(module) if name.startswith("games.") and name.split(".")[1] != own]
    assert not others


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] != "games"], ids=str)
def test_nothing_else_names_a_game(module: Path) -> None:
    """But for the screens of a game in the terminal, which bear its name."""
    if module.parts[0] == "tui" and module.stem in games.IDS:
        return
    tree = ast.parse((SOURCES / module).read_text(encoding="utf-8"))
    words = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    words += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    words += list(imports(module))
    pattern = re.compile(rf"\b({'|'.join(games.IDS)})\b")
    assert not [word for word in words if pattern.search(word)]


def test_every_folder_of_a_game_is_registered() -> None:
    folders = {module.parts[1] for module in MODULES if module.parts[0] == "games" and len(module.parts) > 2}
    assert folders == set(games.IDS) == set(ludotheque.game_ids())
