"""The compile cache: shared by equal sources, wherever they lie; kept up to a size; never taken from a process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import ludotheque
from ludotheque.cli import main
from ludotheque.core import cache, jit, locks
from ludotheque.core.errors import LudothequeError

pytestmark = pytest.mark.compiled_only

IDLE = """
import os
os.environ["LUDOTHEQUE_COMPILING"] = "lobo77"
import numpy as np
from ludotheque.core import registry
game = registry.load("lobo77")
game.kernels.idle(np.zeros(game.info.state.itemsize, np.uint8))
stats = game.kernels.idle.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""

DIGEST = """
from ludotheque.core import cache, registry
print(*(cache.source_digest(registry.folder("lobo77"), templates) for templates in cache._TEMPLATES))
"""


def copy_package(folder: Path) -> Path:
    """Another checkout, whose files are as old as they are written."""
    left_out = shutil.ignore_patterns("__pycache__", "page")
    shutil.copytree(jit.PACKAGE, folder / "ludotheque", ignore=left_out, copy_function=shutil.copyfile)
    return folder


def run(code: str, sources: Path, root: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(sources), "LUDOTHEQUE_CACHE": str(root)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=sources)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_two_checkouts_with_the_same_sources_compile_once(tmp_path: Path) -> None:
    one, other = copy_package(tmp_path / "one"), copy_package(tmp_path / "other" / "deeper")
    assert run(IDLE, one, tmp_path / "cache") == "0 1"
    assert run(IDLE, other, tmp_path / "cache") == "1 0"


def test_the_sources_decide_and_nothing_else(tmp_path: Path) -> None:
    one, other = copy_package(tmp_path / "one"), copy_package(tmp_path / "other")
    digests = run(DIGEST, one, tmp_path)
    for path in other.rglob("*.py"):
        os.utime(path, (1, 1))
    assert run(DIGEST, other, tmp_path) == digests
    hooks = other / "ludotheque" / "games" / "lobo77" / "bots.py"
    hooks.write_text(hooks.read_text() + "# more\n")
    changed = [old != new for old, new in zip(digests.split(), run(DIGEST, other, tmp_path).split(), strict=True)]
    assert changed == [templates in (jit.BOT_TEMPLATES, jit.LAB_TEMPLATES) for templates in cache._TEMPLATES]


ELSEWHERE = """
import llvmlite.binding as binding
class Features(dict):
    def flatten(self):
        return "+old"
binding.get_host_cpu_name = lambda: "another"
binding.get_host_cpu_features = Features
"""


@pytest.mark.parametrize(("name", "is_shared"), [("generic", True), ("", False)])
def test_code_for_any_processor_is_shared_by_all(
    name: str, is_shared: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container image, whose rules are compiled on another machine than they run on."""
    monkeypatch.setenv("NUMBA_CPU_NAME", name) if name else monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    monkeypatch.setenv("NUMBA_ENABLE_AVX", "0")
    here = run(DIGEST, jit.PACKAGE.parent, tmp_path)
    assert (run(ELSEWHERE + DIGEST, jit.PACKAGE.parent, tmp_path) == here) == is_shared
    deposit = "from ludotheque.core import bits; print(bits.HAS_DEPOSIT)"
    assert run(ELSEWHERE + deposit, jit.PACKAGE.parent, tmp_path) == "False"
    if is_shared:
        assert run(deposit, jit.PACKAGE.parent, tmp_path) == "False"


def test_compiled_functions_of_others_are_kept_where_they_were() -> None:
    before = numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES
    assert ludotheque.game("lobo77").kernels
    assert before == (numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with three directories of 400 kB, the last used last, and something that is not ours."""
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path))
    for number in (1, 2, 3):
        folder = tmp_path / "lobo77" / f"{number:016x}"
        folder.mkdir(parents=True)
        (folder / "data.nbc").write_bytes(bytes(400_000))
        (folder / "compiled-play").touch()
        os.utime(folder, (number, number))
    (tmp_path / "lobo77" / "photographs").mkdir()
    return tmp_path


def numbers(root: Path) -> list[str]:
    return sorted(path.name.lstrip("0") for path in (root / "lobo77").iterdir())


def test_what_was_used_last_is_kept_up_to_a_size(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SIZE, "1 MB")
    cache.trim()
    assert numbers(root) == ["2", "3", "photographs"]
    monkeypatch.setenv(cache.SIZE, "0.4m")
    cache.trim()
    assert numbers(root) == ["3", "photographs"]


def test_what_a_process_uses_is_never_removed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SIZE, "0")
    code = f"""
import pathlib
from ludotheque.core import locks
locks.hold_directory(pathlib.Path({str(root / "lobo77" / f"{1:016x}")!r}))
print("held", flush=True)
input()
"""
    environment = {**os.environ, "PYTHONPATH": str(jit.PACKAGE.parent)}
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], env=environment, stdin=pipe, stdout=pipe, text=True) as user:
        assert user.stdout is not None and user.stdout.readline() == "held\n"
        cache.trim()
        assert numbers(root) == ["1", "photographs"]
        user.kill()
    cache.trim()
    assert numbers(root) == ["photographs"]


def test_a_directory_that_is_removed_while_it_is_taken_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    locks.hold_directory(folder)
    assert locks.is_held(folder)
    shutil.rmtree(folder)
    locks.hold_directory(folder)
    assert folder.is_dir() and locks.is_held(folder)


@pytest.mark.parametrize(
    ("text", "size"), [("1 GB", 10**9), ("500MB", 5 * 10**8), ("1.5g", 15 * 10**8), ("12345", 12345), ("2 kib", 2000)]
)
def test_sizes(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SIZE, text)
    assert cache.size_limit() == size


@pytest.mark.parametrize("text", ["large", "-1", "1 TB", "1 2"])
def test_what_is_no_size(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SIZE, text)
    with pytest.raises(LudothequeError, match="LUDOTHEQUE_CACHE_SIZE"):
        cache.size_limit()


def test_the_command_lists_and_clears(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    current = root / "lobo77" / cache.source_digest(jit.PACKAGE / "games" / "lobo77", jit.RULES_TEMPLATES)
    (root / "lobo77" / f"{3:016x}").rename(current)
    assert main(["warm", "--list"]) == 0
    head, first, second, third, total = capsys.readouterr().out.splitlines()
    assert head.split() == ["Game", "Compiled", "for", "Size", "Last", "used", "State"]
    assert first.startswith("LOBO 77  matches") and "0.4 MB" in first and first.endswith("current")
    assert not second.endswith("current") and not third.endswith("current")
    assert total == f"1.2 MB of at most 1000.0 MB in {root}"
    assert main(["warm", "skipbo", "--clear", "--lang", "fr"]) == 0
    assert capsys.readouterr().out == f"0.0 MB supprimés de {root}.\n"
    assert main(["warm", "--clear"]) == 0
    assert capsys.readouterr().out == f"1.2 MB removed from {root}.\n"
    assert numbers(root) == ["photographs"]


def test_a_cache_that_cannot_be_written_is_said_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    code = f"{IDLE}\nprint(os.environ['LUDOTHEQUE_CACHE'])"
    environment = {**os.environ, "PYTHONPATH": str(jit.PACKAGE.parent), "LUDOTHEQUE_CACHE": str(file / "cache")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counts, root = done.stdout.splitlines()
    assert counts == "0 1"
    assert str(file / "cache") in done.stderr and "temporary" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not Path(root).exists()
