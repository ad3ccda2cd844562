"""Running the commands of a page as they stand, in a folder of their own."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import termios
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from tests.docs.blocks import ROOT

PATIENCE = 600
"""Seconds until a command counts as hung."""

ROOM = "http://localhost:7707"
"""Where pages say that a game room is; in a test it has a port of its own."""

_SERVES = re.compile(r"(?:^|\s)ludotheque serve\b")
_SCREEN = re.compile(r"ludotheque (play|join|replay|pad)\b")
_ALTERNATE_SCREEN = b"\x1b[?1049h"
_CTRL_Q = b"\x11"


def commands(script: str) -> Iterator[str]:
    """The commands of a block, continued lines joined, comments left out."""
    for line in script.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.strip()


class Shell:
    """Where the commands of one page run, one after the other. A server runs until the page is done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.room = ROOM
        self._servers: list[subprocess.Popen[str]] = []
        (folder / "examples").symlink_to(ROOT / "examples")
        played = json.loads((ROOT / "tests" / "golden" / "skipbo.json").read_text(encoding="utf-8"))
        del played["events_sha256"]
        (folder / "match.json").write_text(json.dumps(played), encoding="utf-8")
        self._environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "LUDOTHEQUE_HOME": str(folder / "home"),
            "LUDOTHEQUE_LANG": "en",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
            "BROWSER": "true",
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        ended = []
        for server in self._servers:
            os.killpg(server.pid, signal.SIGINT)
            ended.append(server.wait(PATIENCE))
            assert server.stdout is not None
            server.stdout.close()
        if kind is None:
            assert not any(ended), f"a server ended with {ended}"

    def run(self, command: str) -> str:
        """Run a command to its end, or start a server; what it printed. A failure is an `AssertionError`."""
        if _check_only(command):
            return ""
        command = command.replace(ROOM, self.room)
        if _SERVES.search(command):
            self._serve(command)
            return ""
        if _SCREEN.match(command) and not re.search(r" --(plain|help)\b|[|>]", command):
            return self._open_and_leave(command)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{command}\nended with {done.returncode}:\n{done.stdout}{done.stderr}"
        return done.stdout

    def _open_and_leave(self, command: str) -> str:
        """Run a command in a terminal of 80 by 24, and press Ctrl+Q as soon as its screen is there."""
        ours, its = pty.openpty()
        termios.tcsetwinsize(its, (24, 80))
        environment = self._environment | {"TERM": "xterm-256color"}
        child = subprocess.Popen(
            ["bash", "-c", f"exec {command}"],
            cwd=self.folder,
            env=environment,
            stdin=its,
            stdout=its,
            stderr=its,
            start_new_session=True,
        )
        os.close(its)
        drawn = b""
        now = pressed = time.monotonic()
        until = now + PATIENCE
        try:
            while now < until:
                if select.select([ours], [], [], 0.2)[0]:
                    drawn += os.read(ours, 1 << 16)
                now = time.monotonic()
                if _ALTERNATE_SCREEN in drawn and now > pressed + 1:  # too early it would not be heard
                    os.write(ours, _CTRL_Q)
                    pressed = now
        except OSError:
            pass  # the other side has closed the terminal: the command has ended
        finally:
            os.close(ours)
            if now >= until:
                child.kill()
        assert child.wait() == 0 and _ALTERNATE_SCREEN in drawn, f"{command}\n{drawn.decode(errors='replace')}"
        return ""

    def _serve(self, command: str) -> None:
        """Start a game room on a free port of this machine, and wait until it is open."""
        server = subprocess.Popen(
            ["bash", "-c", f"exec {command.split('#')[0]} --host 127.0.0.1 --port 0"],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._servers.append(server)
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found, f"{command} did not open"
        self.room = found[0].rstrip("/")
        # Somebody has opened a table there.
        wanted = {"game": "double_lucky_7", "seats": 2, "public": True, "name": "Ann"}
        request = urllib.request.Request(f"{self.room}/api/tables", json.dumps(wanted).encode())
        request.add_header("Content-Type", "application/json")
        urllib.request.urlopen(request, timeout=PATIENCE).close()


def _check_only(command: str) -> bool:
    """Commands about the checkout and the environment itself: they must name what there is, and are not run here."""
    words = shlex.split(command, comments=True)
    if words[0] == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        asked = [word for word in words[1:] if "=" not in word]
        assert asked and set(asked) <= set(targets), f"{command}: no such target"
        return True
    if words[:2] == ["pip", "install"]:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for word in words[2:]:
            for extra in re.findall(r"ludotheque\[(.*)\]", word):
                assert set(extra.split(",")) <= set(project["optional-dependencies"]), f"{command}: no such extra"
        return "&&" not in words
    return False


def check_syntax(command: str) -> None:
    """What can be said about a command without running it: the shell reads it, and so does our command line."""
    read = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True)
    assert read.returncode == 0, read.stderr
    for part in re.split(r"&&|\|", command):
        words = [word for word in shlex.split(part, comments=True) if not re.match(r"[A-Z_]+=", word)]
        if words[:1] == ["ludotheque"]:
            _parse(words[1:])


def _parse(words: list[str]) -> None:
    from ludotheque.cli import make_parser

    try:
        make_parser("en").parse_args(words)
    except SystemExit as error:
        raise AssertionError(f"ludotheque {shlex.join(words)}: not understood") from error
