"""Locks between processes, on files. The system lets go of them when their process ends, however it ends."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class FileLock:
    """A lock that one holder at a time has, among all processes and threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1

    def try_acquire(self) -> bool:
        """Take the lock if nobody holds it."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if sys.platform == "win32":
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Let the next one have it."""
        os.close(self._file)
        self._file = -1


_held: list[int] = []
"""The directories that this process uses, open until it ends."""


def hold_directory(directory: Path) -> None:
    """Make a directory if need be, and keep others from removing it as long as this process runs.

    Where directories cannot be locked, which is on Windows, nothing is held.
    """
    while True:
        directory.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            return
        file = os.open(directory, os.O_RDONLY)
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_SH)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), directory.stat()):
                _held.append(file)
                return
        os.close(file)  # it was being removed


def is_held(directory: Path) -> bool:
    """Whether some process uses a directory, as far as the system knows."""
    if sys.platform == "win32":
        return False
    file = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False
