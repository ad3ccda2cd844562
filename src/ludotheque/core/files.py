"""Reading and writing files with errors people understand, and never half a file."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from ludotheque.core.errors import LudothequeError

MAX_FILE = 64 * 1024 * 1024  # a record of a million moves has about 20 MB


def read_text(path: Path) -> str:
    """A text file's content."""
    try:
        if path.stat().st_size > MAX_FILE:
            raise LudothequeError(f"{path} is too large to be a record")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise LudothequeError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LudothequeError(f"{path} is not a text file") from None


def read_bytes(path: Path) -> bytes:
    """A file's content."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise LudothequeError(f"{path} cannot be read: {error.strerror}") from None


def write_text(path: Path, text: str, private: bool = False) -> None:
    """Write a whole text file or nothing, see `write_bytes`."""
    write_bytes(path, text.encode(), private)


def write_bytes(path: Path, content: bytes, private: bool = False) -> None:
    """Write a whole file or nothing: an existing file stays as it is if anything goes wrong.

    A private one can be read by its owner alone; others by whom the system lets read new files.
    """
    beside = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(beside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise
    except OSError as error:
        raise LudothequeError(f"{path} cannot be written: {error.strerror}") from None
