"""Reads our Dockerfile and carries it out without Docker: every step in a folder that stands for the image's root."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

PLACES = re.compile(r"(?<![\w.])/(?=(?:src|opt|data)\b)")
"""Where paths of the image begin: they are moved below the folder."""


def parse(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile and what follows each, without comments and line ends."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines())]


def is_ignored(path: str, patterns: list[str]) -> bool:
    """Whether a .dockerignore leaves a path out; the last pattern that fits it, or a folder above it, decides."""
    parts = path.split("/")
    ways = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    ignored = False
    for pattern in patterns:
        wanted = pattern.lstrip("!").rstrip("/")
        forms = (wanted, wanted.removeprefix("**/"))
        fits = any(
            way.count("/") == form.count("/") and fnmatch.fnmatchcase(way, form) for way in ways for form in forms
        )
        if wanted.startswith("**/"):
            fits = any(fnmatch.fnmatchcase(part, wanted[3:]) for part in parts)
        if fits:
            ignored = not pattern.startswith("!")
    return ignored


def context(root: Path) -> Iterator[str]:
    """The files that are sent to the build."""
    lines = (root / ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    for folder, folders, files in os.walk(root):
        here = Path(folder).relative_to(root).as_posix()
        folders[:] = [name for name in folders if name not in (".git", ".venv", "node_modules")]
        for name in files:
            path = name if here == "." else f"{here}/{name}"
            if not is_ignored(path, patterns):
                yield path


class Image:
    """An image in the making, in a folder. All stages share it: what one copies from another is in place."""

    def __init__(self, folder: Path, source: Path, tools: Path, arguments: dict[str, str], **settings: str) -> None:
        self.folder = folder
        self._source = source
        self._settings = {"PATH": f"{tools}{os.pathsep}{os.defpath}", "HOME": str(folder), **settings}
        """What the machine sets that builds: tools, and where packages come from."""
        self._arguments = arguments
        self._work = folder
        self.variables: dict[str, str] = {}
        self.facts: dict[str, str] = {}
        """USER, CMD and the like, as they are written."""

    def path(self, text: str) -> str:
        """A text of the Dockerfile with its paths below the folder."""
        return PLACES.sub(f"{self.folder}/", text)

    def command(self, name: str) -> list[str]:
        """ENTRYPOINT, CMD or the health check as a command."""
        words: list[str] = json.loads(self.facts[name].partition("CMD ")[2] or self.facts[name])
        return words

    def environment(self) -> dict[str, str]:
        """What the programs of the image find."""
        return {**self._settings, **self.variables}

    def follow(self, name: str, rest: str) -> None:
        """Carry out an instruction."""
        if name == "FROM":
            self.variables, self._work = {}, self.folder
        elif name == "WORKDIR":
            self._work = Path(self.path(rest))
            self._work.mkdir(parents=True, exist_ok=True)
        elif name == "ARG":
            key, _, default = rest.partition("=")
            self.variables[key] = self._arguments.get(key, default.strip('"'))
        elif name == "ENV":
            for word in rest.split():
                key, _, value = word.partition("=")
                self.variables[key] = self.path(value).replace("$PATH", self.environment()["PATH"])
        elif name == "COPY":
            self._copy(rest.split())
        elif name == "RUN":
            subprocess.run(["sh", "-ec", self.path(rest)], cwd=self._work, env=self.environment(), check=True)
        else:
            assert name in ("USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"), name
            self.facts[name] = rest

    def _copy(self, words: list[str]) -> None:
        if words[0].startswith("--from="):
            assert words[1] == words[2] and Path(self.path(words[1])).exists(), words
            return
        assert words == [".", "."]
        for name in context(self._source):
            target = self._work / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self._source / name, target)
