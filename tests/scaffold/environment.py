"""An environment beside the one that runs the tests: it has all that is installed here, and games on top."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

from tests import needs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding-a-game.md"


def blocks() -> Iterator[tuple[str, str]]:
    """The fenced blocks of the page on adding a game: their language and text."""
    yield from re.findall(r"^```(\w+)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def written_game(folder: Path) -> Environment:
    """An environment with a new game, written and installed as the first block of the page says."""
    place = Environment(folder)
    kind, text = next(blocks())
    assert kind == "sh"
    for command in text.splitlines():
        place.run(command)
    return place


class Environment:
    """A virtual environment and a directory to work in. Nothing in it reaches for the network."""

    def __init__(self, folder: Path) -> None:
        needs.installed("hatchling", "editables", "pip")
        self.work = folder / "work"
        """Where commands run."""
        self.work.mkdir(parents=True)
        root = folder / "environment"
        venv.create(root, symlinks=True)
        self.bin = root / "bin"
        self.python = str(self.bin / "python")
        sites = [path for path in sys.path if path.endswith("site-packages")]
        lines = [f"import site; site.addsitedir({path!r})" for path in sites]
        (self.site / "beside.pth").write_text("\n".join(lines) + "\n")
        command = self.bin / "ludotheque"
        command.write_text(f"#!{self.python}\nimport sys\nfrom ludotheque.cli import main\nsys.exit(main())\n")
        command.chmod(0o755)
        self.env = {
            **os.environ,
            "PATH": f"{self.bin}{os.pathsep}{os.environ.get('PATH', '')}",
            "LANG": "C.UTF-8",
            "LC_ALL": "",
            "LUDOTHEQUE_HOME": str(folder / "home"),
            "LUDOTHEQUE_LANG": "en",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # off: hatchling is installed
            "PIP_NO_INDEX": "1",
        }

    @property
    def site(self) -> Path:
        """The directory that pip installs into."""
        return next(self.bin.parent.glob("lib/python*/site-packages"))

    def run(self, command: str, text: str = "", code: int = 0) -> str:
        """Run a shell command; what it says, with its errors."""
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.work,
            env=self.env,
            input=text,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        assert done.returncode == code, f"{command}\n{done.stdout}"
        return done.stdout

    def run_python(self, source: str) -> str:
        """Run a Python script."""
        script = self.work / "snippet.py"
        script.write_text(source, encoding="utf-8")
        return self.run(f"python {script}")
