"""The examples that help shows are run as they stand, by a shell, in both languages."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludotheque
from ludotheque.cli import COMMANDS
from ludotheque.core.texts import LANGUAGES, shared
from ludotheque.shell.arguments import find_examples
from tests import needs
from tests.server.process import Server
from tests.tui.test_join import new_table
from tests.tui.test_tmux import Terminal

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]


def examples() -> Iterator[tuple[str, str]]:
    """Every example with the language of its help."""
    for lang in LANGUAGES:
        yield from ((lang, line) for line in find_examples(shared(lang)))
        for name, command in COMMANDS.items():
            yield from ((lang, line) for line in find_examples(command.texts(lang), name))


ALL = list(examples())
WORDS = re.compile(r"(?:source <\()?ludotheque ([a-z-]+)")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the record of a match, and the program by its name."""
    program = tmp_path / "bin" / "ludotheque"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ludotheque "$@"\n')
    program.chmod(0o755)
    match = ludotheque.game("double_lucky_7").new(["Ann", "Ben"], seed=3, rounds=7)
    while not match.over:
        match.play(match.legal()[0])
    (tmp_path / "match.json").write_text(json.dumps(match.record()), encoding="utf-8")
    return tmp_path


def environment(place: Path, lang: str) -> dict[str, str]:
    own = {"PATH": f"{place / 'bin'}:{os.environ['PATH']}", "LUDOTHEQUE_DATA": str(place / "data")}
    return {**os.environ, **own, "LUDOTHEQUE_LANG": lang, "BROWSER": "true", "PYTHONPATH": os.pathsep.join(sys.path)}


def shell_of(line: str) -> list[str]:
    """The shell that an example is for; any example but those of completion is for all of them."""
    name = next((name for name in ("zsh", "fish") if f"completion {name}" in line), "bash")
    if shutil.which(name) is None:
        needs.missing(f"{name} is not installed (Debian, Ubuntu: apt-get install {name})")
    if name == "zsh":
        line = f"autoload -Uz compinit; compinit -u -D; {line}"
    return [name, "-c", line]


def test_every_command_has_examples() -> None:
    for lang in LANGUAGES:
        shown = {found[1] for of, line in ALL if of == lang and (found := WORDS.match(line))}
        assert shown == {*COMMANDS}


@pytest.mark.parametrize(("lang", "line"), [one for one in ALL if WORDS.match(one[1])[1] not in ("serve", "join")])  # type: ignore[index]
def test_an_example_works(lang: str, line: str, place: Path) -> None:
    if line.startswith("ludotheque admin"):
        (place / "data").mkdir()
        with Server(place / "data"):
            pass
    before = {path.name for path in place.iterdir()}
    done = subprocess.run(
        shell_of(line),
        cwd=place,
        env=environment(place, lang),
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done
    assert "Traceback" not in done.stderr
    assert done.stdout or line.startswith("ludotheque warm") or "completion" in line
    named = re.findall(r"--(?:out|report|to) (\S+)|backup (\S+)", line)
    assert {path.name for path in place.iterdir()} - before == {word for pair in named for word in pair if word}


@pytest.mark.parametrize(("lang", "line"), [one for one in ALL if one[1].startswith("ludotheque serve")])
def test_an_example_opens_the_room(lang: str, line: str, place: Path) -> None:
    """But for the port, which may be taken here."""
    process = subprocess.Popen(
        ["bash", "-c", f"exec {line} --port 0"],
        cwd=place,
        env=environment(place, lang),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert "http://localhost:" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 0


@pytest.mark.parametrize(("lang", "line"), [one for one in ALL if one[1].startswith("ludotheque join")])
def test_an_example_sits_down_in_a_room(lang: str, line: str, tmp_path: Path) -> None:
    """But for the port, which may be taken here."""
    if shutil.which("tmux") is None:
        needs.missing("tmux is not installed (Debian, Ubuntu: apt-get install tmux)")
    terminal = Terminal(tmp_path)
    with Server(tmp_path) as server:
        new_table(server, public=True)
        arguments = line.removeprefix("ludotheque ").replace(":7707", f":{server.port}")
        terminal.run(arguments, 80, 24, LUDOTHEQUE_LANG=lang)
        try:
            title = {"en": "Tables in this game room", "fr": "Tables de cette salle"}[lang]
            terminal.wait(lambda text: title in text)
        finally:
            terminal.close()
