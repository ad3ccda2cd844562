"""Imports go one way, `core <- games <- bots <- {lab, rl, server, tui} <- cli`, and only games name a game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludotheque
from ludotheque.core import registry

SOURCES = Path(ludotheque.__file__).parent
PROJECT = SOURCES / "scaffold" / "project"  # what `new-game` copies: a package of its own
MODULES = sorted(p.relative_to(SOURCES) for p in SOURCES.rglob("*.py") if not p.is_relative_to(PROJECT))

ABOVE_BOTS = {"core", "games", "bots", "shell", "ludotheque"}
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    "games": {"core"},
    "ludotheque": {"core", "games", "bots"},  # the package itself: the front door
    "bots": {"core", "games"},
    "shell": {"core"},
    "testing": {"core", "ludotheque"},
    "lab": ABOVE_BOTS,
    "rl": ABOVE_BOTS,
    "server": ABOVE_BOTS,
    "tui": ABOVE_BOTS,
    "scaffold": {"core"},
    "cli": ABOVE_BOTS | {"lab", "rl", "scaffold", "server", "tui"},
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


ROOT = Path(__file__).parent.parent.parent
HOMES = ("src/ludotheque/games", "src/ludotheque/tui/games", "web/src/games")
"""Where a game has a folder or a module of its own."""
WRITTEN = {".py", ".toml", ".md", ".json", ".css", ".ts", ".svelte", ".html", ".js"}


def spelled(game_id: str) -> re.Pattern[str]:
    """A game's id, or its name as people spell it: skip the dashes, spaces and capitals."""
    return re.compile(r"(?<![^\W_])" + r"[\W_]?".join(game_id.replace("_", "")) + r"(?![^\W_])", re.IGNORECASE)


def is_home(path: Path, game_id: str) -> bool:
    """Whether a file is a game's own."""
    return any(path.is_relative_to(f"{home}/{game_id}") or path == Path(f"{home}/{game_id}.py") for home in HOMES)


EXAMPLES = {
    ".py": re.compile(r'^ *>>> .*\n(?: *(?!""")\S.*\n)*', re.MULTILINE),
    ".toml": re.compile(r"^examples = .*\n", re.MULTILINE),
}
"""Examples in docstrings and in help. They are of some game, and run by tests."""


def without_examples(file: Path) -> str:
    """What is written in a file, but for its examples."""
    text = file.read_text(encoding="utf-8")
    return EXAMPLES[file.suffix].sub("", text) if file.suffix in EXAMPLES else text


def naming(folder: str) -> list[str]:
    """The files of a folder that name a game, in their text or in their path, and are not its own."""
    found = []
    for file in sorted((ROOT / folder).rglob("*")):
        path = file.relative_to(ROOT)
        if file.suffix not in WRITTEN or "__pycache__" in path.parts or path.is_relative_to(BUILT):
            continue
        text = f"{path}\n{without_examples(file)}"
        others = [game_id for game_id in registry.shipped() if not is_home(path, game_id)]
        found += [f"{path} names {game_id}" for game_id in others if spelled(game_id).search(text)]
    return found


BUILT = "src/ludotheque/server/page"


@pytest.mark.parametrize("folder", ["src/ludotheque", "web/src"])
def test_nothing_else_names_a_game(folder: str) -> None:
    """But for its screens in the terminal and in the browser, which are in folders of their own, and for examples."""
    assert naming(folder) == []


WITHIN_SERVER: dict[str, set[str]] = {
    "domain": set(),
    "views": set(),
    "store": {"domain"},
    "bus": set(),
    "session": {"domain", "views", "store", "bus", "settings"},
    "wire": {"domain", "views", "store", "session", "settings", "lessons"},
}
"""What the folders of the game room may import of each other; the modules above them may import all."""


@pytest.mark.parametrize(
    "module", [m for m in MODULES if m.parts[0] == "server" and m.parts[1] in WITHIN_SERVER], ids=str
)
def test_imports_within_the_room_go_one_way(module: Path) -> None:
    own = module.parts[1]
    found = {name.split(".")[1] for name in imports(module) if name.startswith("server.")}
    assert found <= WITHIN_SERVER[own] | {own}


PURE = {"asyncio", "selectors", "socket", "sqlite3", "ssl", "threading", "time"}


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[:2] == ("server", "domain")], ids=str)
def test_the_rules_of_the_room_are_pure(module: Path) -> None:
    """No network, no clock, no storage."""
    tree = ast.parse((SOURCES / module).read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not PURE & {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] == "core"], ids=str)
def test_the_core_knows_no_network_and_no_wire_format(module: Path) -> None:
    names = {alias.name for node in ast.walk(ast.parse((SOURCES / module).read_text())) if isinstance(node, ast.Import)
             for alias in node.names}  # fmt: skip
    assert not {"asyncio", "ctypes", "msgspec", "socket", "select"} & names


def test_every_folder_of_a_game_is_found() -> None:
    folders = {module.parts[1] for module in MODULES if module.parts[0] == "games" and len(module.parts) > 2}
    assert folders == set(registry.shipped()) <= set(ludotheque.game_ids())
