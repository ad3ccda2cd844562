"""Where results go, checked before anything is played: files, or `-` for standard output."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ludotheque.core.errors import LudothequeError
from ludotheque.core.files import write_text
from ludotheque.core.texts import worded

STDOUT = Path("-")


def check_output(path: Path | None, force: bool = False) -> None:
    """Refuse a file that could not be written later, or that is there already and not to be replaced. None is fine."""
    if path is None or path == STDOUT:
        return
    try:
        if path.exists():
            _check_existing(path, force)
        folder = path.resolve().parent
        if not folder.is_dir():
            raise worded(LudothequeError, "outputs.no_directory", file=str(path), folder=str(folder))
        handle, name = tempfile.mkstemp(dir=folder, prefix=f".{path.name}.")
        os.close(handle)
        os.unlink(name)
    except OSError as error:
        raise worded(LudothequeError, "outputs.unwritable", file=str(path), why=error.strerror) from None


def _check_existing(path: Path, force: bool) -> None:
    if path.is_dir():
        raise worded(LudothequeError, "outputs.directory", file=str(path))
    if not path.is_file():
        raise worded(LudothequeError, "outputs.special", file=str(path))
    if not force:
        raise worded(LudothequeError, "outputs.exists", file=str(path))


def check_outputs(paths: list[Path | None], force: bool = False) -> None:
    """The same for all files of a command, which must differ."""
    given = [path for path in paths if path is not None]
    for n, path in enumerate(given):
        check_output(path, force)
        if path.resolve() in [other.resolve() for other in given[:n]]:
            raise worded(LudothequeError, "outputs.twice", file=str(path))


def write_result(path: Path | None, text: str) -> None:
    """Write a result where it was asked for, if it was."""
    if path == STDOUT:
        sys.stdout.write(text)
    elif path is not None:
        write_text(path, text)


def show(lines: Iterable[str], outputs: Iterable[Path | None]) -> None:
    """Print lines for people: to standard error if a result goes to standard output."""
    print("\n".join(lines), file=sys.stderr if STDOUT in outputs else sys.stdout)
