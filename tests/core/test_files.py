"""Files: whole or not at all, and readable by whom they should be."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ludotheque.core.errors import LudothequeError
from ludotheque.core.files import read_text, write_text


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "été.txt"
    write_text(path, "un")
    write_text(path, "deux")
    assert read_text(path) == "deux"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_as_readable_as_others_are_a_private_one_only_for_its_owner(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_text(tmp_path / "report.html", "")
        write_text(tmp_path / "tokens.json", "", private=True)
    finally:
        os.umask(before)
    assert mode(tmp_path / "report.html") == 0o644
    assert mode(tmp_path / "tokens.json") == 0o600


def test_what_cannot_be_written_leaves_everything_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(LudothequeError, match="cannot be written"):
        write_text(tmp_path / "missing" / "file.txt", "x")
    path = tmp_path / "file.txt"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert read_text(path) == "old"
    assert list(tmp_path.iterdir()) == [path]
