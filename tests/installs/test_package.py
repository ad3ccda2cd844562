"""`python -m build`: in a fresh clone it builds the pages too; a source distribution holds all that a wheel needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests import needs
from tests.installs.environments import ROOT, clone, run_build

pytestmark = pytest.mark.slow

MODULES = ROOT / "web" / "node_modules"
PAGE = "ludotheque/server/page/"


@pytest.fixture
def without_node(tmp_path: Path) -> str:
    """A PATH on which there is Git and a shell, but no Node."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("git", "sh"):
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    return str(tools)


def test_a_fresh_clone_builds_its_pages(tmp_path: Path, without_node: str) -> None:
    if not MODULES.is_dir() or shutil.which("node") is None:
        needs.missing("what the pages are built with is not installed: make web")
    source = clone(tmp_path / "clone")
    # What `npm ci` would fetch. The build itself is the real one.
    (source / "web" / "node_modules").symlink_to(MODULES.resolve())
    done = run_build(source, tmp_path, "--sdist")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Building the pages" in done.stdout

    [sdist] = tmp_path.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", sdist, "-C", tmp_path], check=True)
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    assert not (unpacked / "web" / "node_modules").exists()
    done = run_build(unpacked, tmp_path, "--wheel", PATH=without_node)
    assert done.returncode == 0, done.stdout + done.stderr

    [wheel] = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"{PAGE}index.html", "ludotheque/py.typed", "ludotheque/texts/fr.toml"} <= names
    assert any(name.startswith(f"{PAGE}assets/") and name.endswith(".js") for name in names)
    assert not [name for name in names if name.startswith(("tests", "web"))]


@pytest.mark.parametrize("lack", ["node", "network"])
def test_where_pages_cannot_be_built_it_says_what_to_run(lack: str, tmp_path: Path, without_node: str) -> None:
    settings = {"npm_config_offline": "true", "npm_config_cache": str(tmp_path / "npm")}
    if lack == "node":
        settings = {"PATH": without_node}
    arguments = ("--wheel", "--skip-dependency-check")
    done = run_build(clone(tmp_path / "clone"), tmp_path, *arguments, **settings)
    assert done.returncode != 0
    assert "run `make web`" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("*.whl"))


def test_the_source_distribution_lists_every_file_at_the_root(tmp_path: Path) -> None:
    """What is neither made here nor private is in it: the tests of an unpacked one can run."""
    hatch = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.hatch.build.targets.sdist]")[2]
    listed = hatch.partition("]\n")[0]
    left_out = {".git", ".gitignore", ".editorconfig", ".ci"}
    made = {".venv", "build", "dist", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache", "site"}
    for name in {path.name for path in ROOT.iterdir()} - left_out - made - {"pyproject.toml"}:
        assert f'"/{name}"' in listed or f'"/*{os.path.splitext(name)[1]}"' in listed, name
