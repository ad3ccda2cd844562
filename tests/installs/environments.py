"""Builds the wheel, makes fresh environments from it, and runs there what people run.

Other packages come from a folder of wheels, which is filled on the first run from wherever pip gets packages here, and
needs no network after that: `LUDOTHEQUE_WHEELS`, or `ludotheque-wheels` in the user's cache directory.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ludotheque.core.cache import cache_root
from tests import needs

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINTS = ROOT / "constraints.txt"
INTERPRETED = {"NUMBA_DISABLE_JIT": "1"}
"""For commands in which compiling is not the point."""
NOT_COPIED = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "build", "dist", "node_modules")
"""What a fresh clone does not have, besides the pages."""


def wheel_cache() -> Path:
    """The folder of wheels."""
    named = os.environ.get("LUDOTHEQUE_WHEELS")
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(named) if named else (Path(base) if base else Path.home() / ".cache") / "ludotheque-wheels"


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Alone among the processes of a run."""
    with open(file, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def clone(folder: Path) -> Path:
    """The checkout as a fresh clone has it: no pages, nothing built, nothing installed."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True)
    for pages in (folder / "src" / "ludotheque" / "server").glob("page*/"):
        shutil.rmtree(pages)
    return folder


def run_build(source: Path, out: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """`python -m build` in a folder, with the tools that are installed here."""
    needs.installed("build", "hatchling")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), *arguments, str(source)]
    return subprocess.run(command, env={**_outside(), **variables}, capture_output=True, text=True)


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout; built once for all processes of a run that share the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock"):
        if not (found := list(folder.glob("*.whl"))):
            done = run_build(ROOT, folder, "--wheel")
            if "pages could not be built" in done.stdout + done.stderr:
                needs.missing("the pages are not built: make web")
            assert done.returncode == 0, done.stdout + done.stderr
            found = list(folder.glob("*.whl"))
    [wheel] = found
    return wheel


class Environment:
    """A fresh environment with the wheel and one extra in it."""

    def __init__(self, folder: Path, wheel: Path, extra: str = "") -> None:
        self.home = folder / "home"
        self.work = folder / "work"
        self.bin = folder / "venv" / "bin"
        for made in (self.home, self.work):
            made.mkdir(parents=True)
        venv.create(folder / "venv", with_pip=False, symlinks=True)
        install(self.bin / "python", f"{wheel}[{extra}]" if extra else str(wheel))
        where = self.python("-c", "import ludotheque; print(ludotheque.__file__)").strip()
        assert Path(where).is_relative_to(folder), f"{where} is not the one that was installed"

    def variables(self, **more: str) -> dict[str, str]:
        """The environment variables of a person who has installed this and nothing else."""
        path = os.pathsep.join([str(self.bin), os.defpath])
        # Compiled rules are those of the checkout, so that nothing is compiled again.
        return {"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8", "LUDOTHEQUE_CACHE": str(cache_root()), **more}

    def run(self, command: Sequence[str], text: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, in a folder outside the checkout."""
        program = str(self.bin / command[0])
        given = self.variables(**more)
        return subprocess.run(
            [program, *command[1:]], input=text, env=given, cwd=self.work, capture_output=True, text=True, timeout=1200
        )

    def python(self, *arguments: str, **more: str) -> str:
        """What Python prints there; it must end well."""
        return _well(self.run(["python", *arguments], **more))

    def ludotheque(self, command: str, text: str = "", **more: str) -> str:
        """What a command prints there; it must end well."""
        return _well(self.run(["ludotheque", *command.split()], text, **more))

    def snippets(self, page: Path, **more: str) -> int:
        """Run the Python snippets of a page, one after the other in one program; how many there are."""
        found = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        self.python("-c", "\n".join(found), **more)
        return len(found)

    def distributions(self) -> set[str]:
        """What is installed."""
        code = "from importlib.metadata import distributions as d; print(*(one.name.lower() for one in d()))"
        return set(self.python("-c", code).split())

    @contextmanager
    def serving(self, port: int, *arguments: str, **more: str) -> Iterator[str]:
        """A game room of the environment; its address."""
        address = f"http://127.0.0.1:{port}"
        command = [str(self.bin / "ludotheque"), "serve", "--port", str(port), "--data", f"data-{port}", *arguments]
        with open(self.work / f"log-{port}.txt", "w") as log:
            server = subprocess.Popen(
                command, env=self.variables(**more), cwd=self.work, stdout=subprocess.PIPE, stderr=log, text=True
            )
            with server:
                try:
                    assert server.stdout is not None and "http://" in server.stdout.readline()
                    assert fetch(f"{address}/healthz")
                    yield address
                finally:
                    server.send_signal(signal.SIGINT)
            assert server.returncode == 0


def fetch(url: str) -> str:
    """What an address answers."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        text: str = answer.read().decode()
    return text


def _well(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, f"{done.args}: {done.stdout}\n{done.stderr}"
    return done.stdout


def _outside() -> dict[str, str]:
    """This process's environment for tools: without what would lead them back into the checkout."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


def _pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, env=_outside(), capture_output=True, text=True)


def install(python: Path, *wanted: str, dry: bool = False) -> None:
    """Install from the folder of wheels; what it lacks is put there first. `dry` does no more than that."""
    folder = wheel_cache()
    folder.mkdir(parents=True, exist_ok=True)
    chosen = ["--quiet", "--constraint", str(CONSTRAINTS), "--find-links", str(folder), *wanted]
    # Without bytecode, which most of the environment never needs.
    how = ["--no-compile", "--no-index", "--ignore-installed", *(["--dry-run"] if dry else [])]
    command = ["--python", str(python), "install", *how, *chosen]
    with locked(folder / ".lock"):
        if _pip(*command).returncode == 0:
            return
        fetched = _pip("wheel", "--wheel-dir", str(folder), *chosen)
        for own in folder.glob("ludotheque-*.whl"):
            own.unlink()
    if fetched.returncode != 0:
        names = ", ".join(name.rpartition("/")[2] for name in wanted)
        needs.missing(f"what {names} needs cannot be fetched:\n{fetched.stderr}")
    done = _pip(*command)
    assert done.returncode == 0, done.stderr
