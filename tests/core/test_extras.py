"""What only an extra brings is looked for before it is needed; a command that lacks it names the extra."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

from ludotheque.cli import main
from ludotheque.core import extras
from ludotheque.core.errors import LudothequeError
from tests import needs

ROOT = Path(__file__).parents[2]
NOT_IMPORTED_BY_NAME = {"open_spiel": "pyspiel"}
"""Distributions that are imported under a name which their metadata does not list."""


def project() -> dict[str, list[str]]:
    """The extras in pyproject.toml, as names of distributions, without those of this package itself."""
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    names = {extra: [line.partition(">")[0].partition("[")[0] for line in lines] for extra, lines in found.items()}
    return {extra: [name for name in lines if name != "ludotheque"] for extra, lines in names.items()}


def test_the_table_of_extras_is_the_projects() -> None:
    needs.installed(*(library for libraries in extras.LIBRARIES.values() for library in libraries))
    imported = packages_distributions()
    for extra, libraries in extras.LIBRARIES.items():
        owners = {name.lower().replace("-", "_") for library in libraries for name in imported.get(library, [])}
        owners |= {name for name, library in NOT_IMPORTED_BY_NAME.items() if library in libraries}
        assert owners == {name.lower().replace("-", "_") for name in project()[extra]}, extra


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment with NumPy and Numba alone, as far as anybody asks."""
    monkeypatch.setattr(extras, "find_spec", lambda name: None)


COMMANDS = {
    "serve": "server",
    "admin backup x": "server",
    "join http://localhost:1/t/x": "tui",
    "tournament volle_lotte --deals 1": "lab",
    "tournament volle_lotte --deals 1 --plot x.svg": "lab",
    "simulate volle_lotte --games 1 --out x.parquet": "lab",
    "simulate volle_lotte --games 1 --ray local": "cluster",
}


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(("lang", "words"), [("en", "not installed"), ("fr", "pas installé")])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_names_the_extra_that_is_missing(
    command: str, lang: str, words: str, capsys: pytest.CaptureFixture[str], in_tmp: Path
) -> None:
    assert main([*command.split(), "--lang", lang]) == 2
    out, err = capsys.readouterr()
    assert not out
    line = err.strip().splitlines()[-1]
    assert words in line and f'pip install "ludotheque[{COMMANDS[command]}]"' in line
    assert "Traceback" not in err
    assert not list(in_tmp.iterdir())


@pytest.fixture
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("address", ["--database=postgresql://x/y", "--bus=redis://x/0"])
def test_several_servers_need_the_cluster(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    needs.installed(*extras.LIBRARIES["server"])
    away = extras.LIBRARIES["cluster"]
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name in away else find_spec(name))
    assert main(["serve", "--port", "0", "--data", str(tmp_path), "--lang", "en", address]) == 2
    assert 'pip install "ludotheque[cluster]"' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("ludotheque.rl.pettingzoo", "pettingzoo", "rl"),
        ("ludotheque.rl.gymnasium", "gymnasium", "rl"),
        ("ludotheque.rl.openspiel", "pyspiel", "openspiel"),
    ],
)
def test_importing_names_the_extra_too(module: str, library: str, extra: str) -> None:
    """As an error of ours, and as the one that Python programs expect of an import."""
    code = (
        f"import sys; sys.modules[{library!r}] = None\n"
        f"try:\n import {module}\n"
        "except ModuleNotFoundError as error:\n print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"MissingExtra not installed: {library};")
    assert f'pip install "ludotheque[{extra}]"' in done.stdout


def test_a_missing_extra_is_an_error_of_ours() -> None:
    with pytest.raises(LudothequeError):
        extras.need("tui", "no_such_library")
    assert extras.has("tui", "re") and not extras.has("tui", "re", "no_such_library")
