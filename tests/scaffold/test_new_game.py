"""`ludotheque new-game`: whole projects under any name, clean by the same measures as ours, and nothing overwritten."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ludotheque
from ludotheque.cli import main
from ludotheque.core import registry
from ludotheque.core.errors import LudothequeError
from ludotheque.scaffold import PROJECT, new_game

LONG = "a_" + "very_" * 5 + "big"
IDS = ["pig", "otter", "q7", LONG]


def run(folder: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=folder, env={**os.environ, **environ}, capture_output=True, text=True)


@pytest.mark.parametrize("game_id", IDS)
def test_a_project_bears_its_own_name_everywhere(tmp_path: Path, game_id: str) -> None:
    made = new_game(game_id, tmp_path / "here")
    package = f"{game_id}_game"
    model = {path.relative_to(PROJECT) for path in PROJECT.rglob("*")}
    model = {path for path in model if path.parts[0] != ".ruff_cache" and "__pycache__" not in path.parts}
    assert {path.relative_to(made) for path in made.rglob("*")} == {
        Path(package, *path.parts[1:]) if path.parts[0] == "pig_game" else path for path in model
    }
    for path in made.rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        assert game_id == "pig" or "pig" not in text.lower(), path
    assert f'{game_id} = "{package}"' in (made / "pyproject.toml").read_text(encoding="utf-8")
    assert (
        (made / package / "texts" / "rules.fr.md")
        .read_text(encoding="utf-8")
        .startswith("# " + game_id.replace("_", " ").title())
    )


@pytest.mark.parametrize("game_id", IDS)
def test_a_project_is_linted_and_formatted(tmp_path: Path, game_id: str) -> None:
    made = new_game(game_id, tmp_path / "here")
    for arguments in (("check",), ("format", "--check")):
        done = run(made, "ruff", *arguments, ".")
        assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_project_is_typed(tmp_path: Path) -> None:
    made = new_game("otter", tmp_path / "here")
    done = run(made, "mypy", "--cache-dir", str(tmp_path / "cache"), MYPYPATH=str(made))
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_projects_own_tests_pass_under_another_name(tmp_path: Path) -> None:
    """Found in this process's path as an installed one would be: by its entry point."""
    made = new_game("otter", tmp_path / "here")
    meta = made / "otter_game-0.1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: otter-game\nVersion: 0.1.0\n")
    (meta / "entry_points.txt").write_text("[ludotheque.games]\notter = otter_game\n")
    path = os.pathsep.join([str(made), *filter(None, sys.path)])
    done = run(made, "pytest", "-q", "-p", "no:cacheprovider", PYTHONPATH=path, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stdout
    assert "9 passed" in done.stdout


@pytest.mark.parametrize("name", ["", "x", "Pig", "7up", "two words", "dé", "a-b", "_a", "a" * 31, "../pig", "pig\n"])
def test_bad_names_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LudothequeError, match="cannot be the id of a game"):
        new_game(name)
    assert list(tmp_path.iterdir()) == []


def test_the_id_of_a_game_that_is_there_is_refused(tmp_path: Path) -> None:
    for game_id in registry.shipped():
        with pytest.raises(LudothequeError, match="already"):
            new_game(game_id, tmp_path / "here")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten_and_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", "pig", "--lang", "en"]) == 0
    assert "pip install --editable pig" in capsys.readouterr().out
    rules = tmp_path / "pig" / "pig_game" / "rules.py"
    rules.write_text("mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    for arguments in ([], ["--to", "empty"], ["--to", "file"], ["--to", "link"], ["--to", "."]):
        assert main(["new-game", "pig", *arguments, "--lang", "en"]) == 2
        assert "is there already" in capsys.readouterr().err
    assert main(["new-game", "pig", "--to", "no/such/place", "--lang", "fr"]) == 2
    assert "il n’y a pas de dossier no/such" in capsys.readouterr().err
    assert main(["new-game", "pig", "--to", "file/pig", "--lang", "en"]) == 2
    assert rules.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "link", "pig"]


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("shutil.copytree", refuse)
    with pytest.raises(LudothequeError, match=r"otter cannot be written: Permission denied"):
        new_game("otter", tmp_path / "otter")
    assert list(tmp_path.iterdir()) == []


def test_the_model_is_not_one_of_our_games() -> None:
    assert "pig" not in registry.shipped()
    assert ludotheque.game_ids()[: len(registry.shipped())] == list(registry.shipped())
