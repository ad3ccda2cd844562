"""The map in docs/architecture.md is true: its folders, its pages, and the way of a move."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SOURCES = ROOT / "src" / "ludotheque"
STEP = re.compile(r"^(\d+)\. `([\w/]+\.py):([\w.]+)`: ", re.MULTILINE)


def functions(path: Path) -> set[str]:
    """The functions of a module, methods as `Class.method`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{one.name}" for one in node.body if isinstance(one, ast.FunctionDef)}
    return found


def test_every_step_of_a_moves_way_is_there() -> None:
    steps = STEP.findall((DOCS / "architecture.md").read_text(encoding="utf-8"))
    assert [int(number) for number, _, _ in steps] == list(range(1, len(steps) + 1))
    assert 10 <= len(steps) <= 14
    for _, file, name in steps:
        assert name in functions(SOURCES / file), f"{file} has no {name}"


def test_the_pages_of_the_map_name_files_that_exist() -> None:
    for page in ("room.md", "engine.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        tree = text.split("```")[1]
        folder = SOURCES
        for line in tree.strip().splitlines():
            depth = len(line) - len(line.lstrip())
            for word in re.findall(r"[\w*]+(?:\.py|/)(?=\s|$)", line):
                if word.endswith("/"):
                    folder = SOURCES / word if depth == 0 else SOURCES / "server" / word
                    assert folder.is_dir(), f"{page}: {word}"
                else:
                    parent = SOURCES / "server" if page == "room.md" and word in TOP else folder
                    assert (parent / word).exists(), f"{page}: {word} is not in {parent}"


TOP = ("settings.py", "logs.py", "cli.py", "admin.py")
"""Modules of the server that stand above its folders."""
