"""Of several builds of Python the clearly fastest one is taken, if it can be used."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "fastest_python.py"
VERSION = "{}.{}".format(*sys.version_info[:2])
SAME = "{} {}".format(*sys.version_info[:2])


def found(folder: Path, monkeypatch: pytest.MonkeyPatch, *answers: str) -> str:
    """What the tool prints if there are builds that answer like this."""
    folders = []
    for number, answer in enumerate(answers):
        build = folder / str(number) / f"python{VERSION}"
        build.parent.mkdir()
        build.write_text(f"#!/bin/sh\n{answer}\n")
        build.chmod(0o755)
        folders.append(str(build.parent))
    monkeypatch.setenv("PATH", ":".join(folders))
    ran = subprocess.run([sys.executable, TOOL], capture_output=True, text=True, check=True)
    return ran.stdout.strip().removeprefix(f"{folder}/")


def test_the_fastest_of_several_builds_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = "echo", f"echo {SAME} 1e-8", f"echo {SAME} 1e-9", "echo 3 7 1e-10", "exit 1"
    assert found(tmp_path, monkeypatch, *answers) == f"2/python{VERSION}"


@pytest.mark.parametrize(
    "answer",
    [f"echo {SAME} 1000", "echo 3 7 1e-9", "echo no venv >&2; exit 1", "echo what", "echo a b c", "kill -9 $$"],
    ids=["slower", "another version", "unusable", "strange", "stranger", "killed"],
)
def test_what_is_no_better_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    taken = found(tmp_path, monkeypatch, answer)
    assert taken != f"0/python{VERSION}"
    assert subprocess.run([taken, "-c", "import venv"], check=False).returncode == 0


def test_whoever_asks_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is kept if no other is clearly faster, wherever on the path it is found again."""
    other = tmp_path / f"python{VERSION}"
    other.touch(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{Path(sys.executable).resolve().parent}")
    builds: list[str] = runpy.run_path(str(TOOL))["builds"]()
    assert builds[:2] == [sys.executable, str(other)]
