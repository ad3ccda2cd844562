"""A game in a package of its own that the pages know nothing of: a copy of Double Lucky 7 under another id."""

from __future__ import annotations

import shutil
from pathlib import Path

import ludotheque
from ludotheque.core import registry

ID = "otter"
NAME = "Otter"
MODEL = "double_lucky_7"
START = f"""\
import sys

import ludotheque
from ludotheque.cli import main

ludotheque.register("{ID}", "{ID}_game")
if __name__ == "__main__":
    sys.exit(main())
"""


def write(folder: Path) -> Path:
    """The package, and the program that registers it and is the command line otherwise."""
    model = ludotheque.game(MODEL)
    package = folder / f"{ID}_game"
    shutil.copytree(model.texts.parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in package.rglob("*.py"):
        text = path.read_text("utf-8").replace(registry.package(MODEL), package.name)
        text = text.replace(f'id="{MODEL}"', f'id="{ID}"').replace(f'name="{model.info.name}"', f'name="{NAME}"')
        path.write_text(text, "utf-8")
    for lang, label in (("en", "To go"), ("fr", "Reste")):
        texts = package / "texts" / f"{lang}.toml"
        texts.write_text(texts.read_text("utf-8") + f'\n[view]\ndeck = "{label}"\n', "utf-8")
    program = folder / "start.py"
    program.write_text(START, "utf-8")
    return program
