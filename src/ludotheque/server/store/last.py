"""A note beside an SQLite file of the last event that was committed to it.

SQLite silently drops the end of a write-ahead log that is damaged. The note reveals it: it is written after each
commit, without a flush, so it is never ahead of the file unless the file has lost something.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

_FORMAT = re.compile(rb"[0-9]{20}\n")
_BYTES = 21


class LastEvent:
    """The note. It is only a safeguard, so a note that cannot be read or written is no reason to refuse anything."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1

    def open(self) -> None:
        """Open the file, or create it."""
        with contextlib.suppress(OSError):
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def read(self) -> int:
        """The number of the last event; 0 if the note is empty or not one of ours."""
        if self._file < 0:
            return 0
        try:
            found = os.pread(self._file, _BYTES, 0)
        except OSError:
            return 0
        return int(found) if _FORMAT.fullmatch(found) else 0

    def raise_to(self, number: int) -> None:
        """Note an event that was committed, unless another server noted a later one."""
        if number > self.read():
            self.set(number)

    def set(self, number: int) -> None:
        """Note this number, whatever was noted before."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.pwrite(self._file, b"%020d\n" % number, 0)
