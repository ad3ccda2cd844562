"""The whole thing in a real terminal: tmux, keys pressed, the screen captured."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests import needs

pytestmark = pytest.mark.slow


class Terminal:
    """A terminal with a program in it."""

    def __init__(self, folder: Path) -> None:
        self._name = f"ludotheque-{uuid.uuid4().hex[:8]}"
        self._folder = folder

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self._name, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout

    def run(self, arguments: str, width: int, height: int, **environ: str) -> None:
        """Start `ludotheque` with these arguments."""
        given = {"LUDOTHEQUE_HOME": str(self._folder), "LANG": "C.UTF-8", "LC_ALL": "", **environ}
        self.run_command(f"{sys.executable} -m ludotheque {arguments}", width, height, given)

    def run_command(self, command: str, width: int, height: int, given: Mapping[str, str]) -> None:
        """Start a command with these variables in its environment."""
        words = " ".join(f"{name}={shlex.quote(value)}" for name, value in given.items())
        # The readline of whoever runs the tests has put the size of their own terminal into the environment.
        unset = "env -u NO_COLOR -u COLUMNS -u LINES"
        after = "code=$?; echo; echo left with $code; sleep 600"
        started = f"{unset} {words} {command}; {after}"
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), started)

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names for them."""
        self._tmux("send-keys", *keys)

    def resize(self, width: int, height: int) -> None:
        """Make the window another size."""
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def screen(self, *options: str) -> str:
        """What is on the screen."""
        return self._tmux("capture-pane", "-p", *options)

    def wait(self, test: Callable[[str], bool], seconds: float = 120) -> str:
        """The screen once it is as expected."""
        end = time.monotonic() + seconds
        while not test(text := self.screen()):
            assert time.monotonic() < end, text
            time.sleep(0.1)
        return text

    def close(self) -> None:
        """End it, whatever runs in it."""
        subprocess.run(["tmux", "-L", self._name, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        needs.missing("tmux is not installed (Debian, Ubuntu: apt-get install tmux)")
    one = Terminal(tmp_path)
    yield one
    one.close()


def test_a_match_in_a_real_terminal(terminal: Terminal, tmp_path: Path) -> None:
    terminal.run("play double_lucky_7 --players Ann,random,random --seed 3 --rounds 7 --lang en", 80, 24)
    text = terminal.wait(lambda text: "Your turn, Ann." in text)
    lines = text.splitlines()
    assert lines[0].startswith(" Double Lucky 7  Round 1 of 7") and lines[23].startswith(" F1 rules")
    assert "╭───╮" in text and "\x1b[" in terminal.screen("-e")
    terminal.press("Down", "Enter")
    terminal.wait(lambda text: "Ann bids 0 tricks." in text or "Ann plays" in text or "takes the trick" in text)
    terminal.resize(60, 15)
    terminal.wait(lambda text: "80 × 24" in " ".join(text.split()))
    terminal.resize(120, 40)
    assert "Ann bids 0 tricks." in terminal.wait(lambda text: "What happened" in text)
    terminal.press("F5")
    terminal.wait(lambda text: "Ce qui s’est passé" in text)
    terminal.press("C-q")
    text = terminal.wait(lambda text: "left with 0" in text)
    (kept,) = (tmp_path / "matches").iterdir()
    assert "ludotheque play --load" in " ".join(text.split()) and kept.name in re.sub(r"\s", "", text)


def test_ascii_without_colour_in_a_real_terminal(terminal: Terminal) -> None:
    terminal.run("play skipbo --players Ann,random --seed 3 --lang fr", 80, 24, LANG="C", NO_COLOR="1")
    text = terminal.wait(lambda text: "A vous, Ann." in text)
    assert text.isascii() and "+---+" in text
    coloured = re.findall(r"\x1b\[(?:[0-9;]*;)?(3[0-7]|4[0-7]|38|48)[;m]", terminal.screen("-e"))
    assert not coloured


def test_a_broken_file_is_told_on_the_command_line(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    file.write_text("{", encoding="utf-8")
    terminal.run(f"play --load {file} --lang en", 80, 24)
    text = terminal.wait(lambda text: "left with 2" in text)
    assert "not a record" in " ".join(text.split())
    assert file.read_text(encoding="utf-8") == "{"
