"""Which games there are: folders of ours, entry points of other packages, and what happens to those that are broken."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludotheque
from ludotheque import BrokenGame, GameWarning, LudothequeError, UnknownGame
from ludotheque.cli import main
from ludotheque.core import registry
from ludotheque.scaffold import new_game


@pytest.fixture(autouse=True)
def forgetful(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is found in a test is not known in the next."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "_LOADED", dict(registry._LOADED))
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    before = set(sys.modules)
    registry._installed.cache_clear()
    yield
    registry._installed.cache_clear()
    for name in set(sys.modules) - before:
        if name.partition(".")[0].endswith("_game"):
            del sys.modules[name]


def install(site: Path, game_id: str, package: str = "") -> Path:
    """A game in a directory of the path, with its entry point; its package."""
    package = package or f"{game_id}_game"
    made = new_game("otter", site / f"{package}-project")
    for path in made.rglob("*.py"):
        path.write_text(path.read_text().replace("otter_game", package).replace('"otter"', f'"{game_id}"'))
    home = (made / "otter_game").rename(site / package)
    point(site, game_id, package)
    return home


def point(site: Path, game_id: str, package: str) -> None:
    """An entry point."""
    meta = site / f"{package.partition(':')[0]}-1.dist-info"
    meta.mkdir(exist_ok=True)
    (meta / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {meta.name[:-12]}\nVersion: 1\n")
    (meta / "entry_points.txt").write_text(f"[ludotheque.games]\n{game_id} = {package}\n")
    registry._installed.cache_clear()


def left_out() -> tuple[list[str], list[str]]:
    """The games that are found besides ours, and what is said about those that are not."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = ludotheque.game_ids()
    assert all(warning.category is GameWarning for warning in caught)
    return [game_id for game_id in found if game_id not in registry.shipped()], [str(w.message) for w in caught]


def test_a_game_of_another_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    install(tmp_path, "heron")
    assert left_out() == (["heron"], [])
    assert registry.folder("heron") == tmp_path / "heron_game"
    game = ludotheque.game("heron")
    assert game.id == "heron" and game.new(seed=1).legal() == ["roll"]


def test_finding_a_game_does_not_import_it(tmp_path: Path) -> None:
    install(tmp_path, "heron")
    assert left_out() == (["heron"], [])
    assert not [name for name in sys.modules if name.startswith("heron_game")]


def test_ours_are_found_without_looking_at_what_is_installed() -> None:
    code = (
        "import sys, ludotheque\n"
        "from ludotheque.core import registry\n"
        "assert 'importlib.metadata' not in sys.modules\n"
        "[registry.folder(game_id) for game_id in registry.shipped()]\n"
        "assert 'importlib.metadata' not in sys.modules\n"
        "ludotheque.game_ids()\n"
        "assert 'importlib.metadata' in sys.modules"
    )
    environment = {"PYTHONPATH": str(Path(ludotheque.__file__).parent.parent), "PATH": os.environ["PATH"]}
    subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"],
                   env=environment, check=True)  # fmt: skip


@pytest.mark.parametrize(
    ("game_id", "package", "why"),
    [
        ("heron", "no_such_game", "there is no package no_such_game"),
        ("heron", "no_such_game.part", "ModuleNotFoundError: No module named 'no_such_game'"),
        ("heron", "json:loads", "there is no package json:loads"),
        ("heron", "json", "it lacks rules.py, notation.py, view.py"),
        ("Big Bird", "json", "cannot be the id of a game"),
        ("skipbo", "json", "there is a game with this id in ludotheque.games.skipbo already"),
    ],
)
def test_a_broken_entry_point_is_named_and_the_others_go_on(
    tmp_path: Path, game_id: str, package: str, why: str
) -> None:
    install(tmp_path, "otter")
    point(tmp_path, game_id, package)
    found, said = left_out()
    assert found == ["otter"]
    assert len(said) == 1 and f"the game {game_id} of {package} is left out: " in said[0] and why in said[0]
    assert ludotheque.game("skipbo").id == "skipbo"


def test_a_text_that_is_missing_is_named(tmp_path: Path) -> None:
    home = install(tmp_path, "heron")
    (home / "texts" / "fr.toml").unlink()
    assert left_out() == ([], ["the game heron of heron_game is left out: it lacks texts/fr.toml"])


def test_of_two_games_with_one_id_the_first_is_kept(tmp_path: Path) -> None:
    install(tmp_path, "heron", "a_game")
    install(tmp_path, "heron", "b_game")
    found, said = left_out()
    assert found == ["heron"] and registry.package("heron") == "a_game"
    assert said == ["the game heron of b_game is left out: there is a game with this id in a_game already"]


def test_a_game_that_cannot_be_imported_is_left_out_where_all_are_loaded(tmp_path: Path) -> None:
    (install(tmp_path, "heron") / "rules.py").write_text("1 / 0\n")
    install(tmp_path, "otter")
    with pytest.raises(BrokenGame, match="heron of heron_game cannot be loaded: ZeroDivisionError: division by zero"):
        ludotheque.game("heron")
    with pytest.warns(GameWarning, match="heron of heron_game is left out: ZeroDivisionError"):
        assert [game.id for game in registry.load_all()] == [*registry.shipped(), "otter"]


def test_a_game_under_another_name_than_its_own_is_refused(tmp_path: Path) -> None:
    home = install(tmp_path, "heron")
    home.joinpath("rules.py").write_text(home.joinpath("rules.py").read_text().replace('id="heron"', 'id="stork"'))
    with pytest.raises(BrokenGame, match="gives it the id 'stork'"):
        ludotheque.game("heron")


def test_the_command_line_says_it_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    point(tmp_path, "heron", "no_such_game")
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main(["rules", "heron", "--lang", "fr"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("ludotheque: le jeu heron de no_such_game est laissé de côté")
    assert len(lines) == 2 and "heron" in lines[1]


def test_registering_needs_an_id() -> None:
    with pytest.raises(LudothequeError, match="cannot be the id"):
        ludotheque.register("No Id", "json")
    with pytest.raises(UnknownGame, match="did you mean skipbo"):
        ludotheque.game("skipboo")
