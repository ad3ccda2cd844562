"""The file beside a simulation's output that keeps what has been played, so that a run can be stopped and resumed.

The first line is JSON and says which runs it belongs to. Frames follow, one per shard: a head with the run's and the
shard's number, length and checksum, then the part's bytes. A frame cut short by a crash is dropped on resuming.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import worded
from ludotheque.lab.shards import Part, Plan

SUFFIX = ".part"
_FORMAT = "ludotheque simulation 1"
_HEAD = struct.Struct("<4sIQII")  # mark, run, shard, length, checksum
_MARK = b"shrd"


def log_path(output: Path) -> Path:
    """Where the log of a run that writes `output` lies."""
    return output.with_name(output.name + SUFFIX)


def unwritable(path: Path, error: OSError) -> LudothequeError:
    """The error for a file that cannot be written."""
    return worded(LudothequeError, "simulate.unwritable", file=str(path), why=error.strerror or str(error))


class RunLog:
    """The log of one or several runs. Make one with `create` or `resume`."""

    def __init__(self, path: Path, file: IO[bytes], with_rows: bool) -> None:
        self.path = path
        self.with_rows = with_rows
        """Whether the rows of the matches are kept too."""
        self._file = file
        self._places: dict[tuple[int, int], tuple[int, int]] = {}

    @classmethod
    def create(cls, path: Path, plans: Sequence[Plan], with_rows: bool) -> RunLog:
        """An empty log, in place of any that lies there."""
        try:
            file = path.open("w+b")
            file.write(_first_line(plans, with_rows))
            file.flush()
        except OSError as error:
            raise unwritable(path, error) from None
        return cls(path, file, with_rows)

    @classmethod
    def resume(cls, path: Path, plans: Sequence[Plan], with_rows: bool) -> RunLog:
        """The log of exactly these runs, with what has been played of them; another one's is refused."""
        try:
            file = path.open("r+b")
        except FileNotFoundError:
            raise worded(LudothequeError, "simulate.nothing", file=str(path)) from None
        except OSError as error:
            raise unwritable(path, error) from None
        first = file.readline(1 << 20)
        if first != _first_line(plans, with_rows):
            file.close()
            raise _another(path, first, plans, with_rows)
        log = cls(path, file, with_rows)
        log._read_places()
        return log

    def _read_places(self) -> None:
        """Find the frames; cut off what is not a whole one."""
        good = self._file.tell()
        end = os.fstat(self._file.fileno()).st_size
        while len(head := self._file.read(_HEAD.size)) == _HEAD.size:
            mark, run, number, length, checksum = _HEAD.unpack(head)
            if mark != _MARK or length > end - good:
                break
            if zlib.crc32(self._file.read(length)) != checksum:
                break
            self._places[run, number] = good + _HEAD.size, length
            good += _HEAD.size + length
        self._file.truncate(good)

    def done(self, run: int) -> set[int]:
        """The shards of a run that have been played."""
        return {number for found, number in self._places if found == run}

    def append(self, run: int, number: int, part: Part) -> None:
        """Keep a shard."""
        data = (part if self.with_rows else part.without_rows()).to_bytes()
        try:
            place = self._file.seek(0, os.SEEK_END)
            self._file.write(_HEAD.pack(_MARK, run, number, len(data), zlib.crc32(data)) + data)
            self._file.flush()
        except OSError as error:
            raise unwritable(self.path, error) from None
        self._places[run, number] = place + _HEAD.size, len(data)

    def parts(self, run: int) -> Iterator[Part]:
        """The parts of a run, in the order of their numbers."""
        for number in sorted(self.done(run)):
            place, length = self._places[run, number]
            self._file.seek(place)
            yield Part.from_bytes(self._file.read(length))

    def close(self) -> None:
        """Close the file, which stays where it is."""
        try:
            self._file.close()
        except OSError as error:
            raise unwritable(self.path, error) from None

    def remove(self) -> None:
        """Close the file and throw it away: everything has been written elsewhere."""
        self.close()
        self.path.unlink(missing_ok=True)


def _first_line(plans: Sequence[Plan], with_rows: bool) -> bytes:
    data = {"format": _FORMAT, "rows": with_rows, "plans": [plan.to_json() for plan in plans]}
    return json.dumps(data, sort_keys=True).encode() + b"\n"


def _another(path: Path, first: bytes, plans: Sequence[Plan], with_rows: bool) -> LudothequeError:
    """The error for a log of other runs, naming the first thing that differs."""
    try:
        found = json.loads(first)
        assert found["format"] == _FORMAT
    except (ValueError, TypeError, KeyError, AssertionError):
        return worded(LudothequeError, "simulate.no_log", file=str(path))
    if len(found["plans"]) != len(plans) or found["rows"] != with_rows:
        return worded(LudothequeError, "simulate.other_kind", file=str(path))
    for theirs, plan in zip(found["plans"], plans, strict=True):
        for name, value in plan.to_json().items():
            if theirs.get(name) != value:
                return _differs(path, name, theirs.get(name), value)
    return worded(LudothequeError, "simulate.no_log", file=str(path))


def _differs(path: Path, name: str, theirs: Any, ours: Any) -> LudothequeError:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        name = next((key for key in ours if theirs.get(key) != ours[key]), name)
        theirs, ours = theirs.get(name), ours.get(name)
    return worded(LudothequeError, "simulate.another", file=str(path), what=name, theirs=str(theirs), ours=str(ours))
