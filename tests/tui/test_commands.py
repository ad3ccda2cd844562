"""The commands of the terminal: what opens, what says no, and what the plain prompt does instead."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ludotheque
from ludotheque.cli import main
from ludotheque.core import extras
from ludotheque.core.words import game_words
from ludotheque.tui import terminal
from ludotheque.tui.canvas import fit, wrap
from ludotheque.tui.palette import to_ascii
from ludotheque.tui.room import Address, parse_address
from ludotheque.tui.table import Refused
from ludotheque.tui.words import TEXTS


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_both_languages_say_the_same_things() -> None:
    def keys(tree: dict[str, object], prefix: str = "") -> set[str]:
        found = set()
        for name, value in tree.items():
            found |= keys(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name}
        return found

    english, french = (tomllib.loads((TEXTS / f"{lang}.toml").read_text(encoding="utf-8")) for lang in ("en", "fr"))
    assert keys(english) == keys(french)


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_game_has_its_name_without_being_loaded(game_id: str) -> None:
    assert game_words(game_id).name == ludotheque.game(game_id).info.name


def test_help_loads_neither_textual_nor_numba() -> None:
    code = (
        "import sys; sys.argv[1:] = ['--help']\ntry:\n import ludotheque.cli as c; c.main()\nexcept SystemExit: pass\n"
    )
    code += "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "replay" in done.stdout and "join" in done.stdout and "pad" in done.stdout
    assert not {"textual", "rich", "numba", "numpy", "websockets"} & set(done.stderr.split())


def test_how_to_draw_comes_from_the_environment() -> None:
    assert terminal.look({"LANG": "fr_FR.UTF-8"}) == terminal.Look(False, True)
    assert terminal.look({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}) == terminal.Look(True, True)
    assert terminal.look({"LANG": "C.UTF-8", "NO_COLOR": "1"}) == terminal.Look(False, False)
    assert terminal.look({"LANG": "C", "LC_CTYPE": "C.UTF-8"}).ascii
    assert terminal.look({"LANG": "de_DE.ISO-8859-1"}).ascii
    assert terminal.look({"LANG": "en_GB.utf8"}, ascii_wanted=True).ascii


def test_without_a_terminal_or_textual_the_prompt_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert terminal.why_plain() == "pipe"
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    assert terminal.why_plain({"TERM": "dumb"}) == "dumb"
    assert terminal.why_plain({"TERM": "xterm"}) == ""
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    assert terminal.why_plain({"TERM": "xterm"}) == "missing"
    type_in(monkeypatch, "quit")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert main(["play", "double_lucky_7", "--lang", "en", "--seed", "3"]) == 0
    out = capsys.readouterr()
    assert 'pip install "ludotheque[tui]"' in out.err and "See you next time" in out.out
    assert main(["join", "localhost:1", "--lang", "fr"]) == 2
    assert 'pip install "ludotheque[tui]"' in capsys.readouterr().err


def test_plain_is_the_prompt(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    type_in(monkeypatch, "#1", "quit")
    assert main(["play", "double_lucky_7", "--plain", "--lang", "en", "--seed", "3"]) == 0
    assert "Alex>" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://localhost:7707", Address("http://localhost:7707")),
        ("localhost", Address("http://localhost:7707")),
        ("https://games.example/t/abc#join=S3cret-_x", Address("https://games.example", "abc", "S3cret-_x")),
        ("games.example/t/abc#watch=Key", Address("http://games.example", "abc", "Key", False)),
        ("http://192.168.1.7:7707/t/abc/", Address("http://192.168.1.7:7707", "abc")),
    ],
)
def test_addresses(text: str, expected: Address) -> None:
    assert parse_address(text, "en") == expected
    assert parse_address(expected.link, "fr") == expected


@pytest.mark.parametrize("text", ["ftp://x/t/a", "http://", "http://x:99999999", "http://x/a/b/c/d", "http://[::1"])
def test_addresses_that_are_none(text: str) -> None:
    with pytest.raises(Refused, match="not the address of a game room"):
        parse_address(text, "en")


def test_join_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["join", "http://localhost:1/t/x", "--lang", "en"]) == 2
    assert "needs a terminal" in capsys.readouterr().err
    assert main(["join", "http://x/a/b/c", "--lang", "fr"]) == 2
    assert "n’est pas l’adresse" in capsys.readouterr().err


def test_a_pad_at_the_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pad.json"
    lines = ["0", "1", "1", "0", "1", "0", "undo", "0", "1", "9", "0", f"save {file}", "quit"]
    type_in(monkeypatch, *lines)
    arguments = [
        "pad",
        "double_lucky_7",
        "--players",
        "Ana,Ben,Cleo",
        "--first",
        "Ana",
        "--lang",
        "en",
        "--rounds",
        "7",
    ]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "Points: Ana 10, Ben 12, Cleo 0" in out
    assert "Points: Ana 0, Ben 0, Cleo 0" in out  # wiped
    assert "goes from 0 to 1" in out
    assert f"Saved in {file}" in out
    type_in(monkeypatch, "quit")
    assert main(["pad", "--load", str(file), "--lang", "fr"]) == 0
    assert "Points: Ana 10, Ben 12, Cleo 0" in capsys.readouterr().out


def pad_at_prompt(monkeypatch: pytest.MonkeyPatch, game: str, *lines: str, lang: str = "en") -> int:
    type_in(monkeypatch, *lines)
    return main(["pad", game, "--players", "Ana,Ben,Cleo", "--first", "Ana", "--lang", lang])


def test_an_error_at_the_prompt_is_told_at_once_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # 999 cannot be: Ben is asked again, and Ana's points stay. Two at 0 cannot be: only Ben's points are typed anew.
    assert pad_at_prompt(monkeypatch, "loba", "5 10 K", "", "999", "0", "0", "", "9", "", "quit") == 0
    out = capsys.readouterr().out
    assert "Points in hand goes from 0 to 191; Ben cannot have 999. [B19]" in out
    assert "Only one player can go out in a round, so Ben and Cleo cannot all have 0. [B17]" in out
    assert "Points in hand, Ana [28]: Points in hand, Ben [0]: Points in hand, Cleo [0]: " in out
    assert "Points: Ana 28, Ben 9, Cleo 0" in out


def test_what_can_hardly_be_is_asked_about_at_the_prompt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["5", "6", "7", "n", "", "", "0", "1", "2", "3", "o", "quit"]
    assert pad_at_prompt(monkeypatch, "loba", *lines, lang="fr") == 0
    out = capsys.readouterr().out
    assert out.count("est-ce que tout le monde a joué 40 tours") == 2
    assert "Points: Ana 5, Ben 6, Cleo 0" in out and "Points: Ana 6, Ben 8, Cleo 3" in out
    assert pad_at_prompt(monkeypatch, "volle_lotte", "30000", "", "", "n", "3000", "", "", "quit") == 0
    out = capsys.readouterr().out
    assert "30000 points in one turn of Ana: is that right? (y/n)" in out and "Ana 3000, Ben 0, Cleo 0" in out


def test_entries_are_changed_at_the_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "sheet.csv"
    lines = ["0", "1", "2", "3", "0", "4", "list", "insert 1", "7", "8", "0", "move 1 3", "correct 2", "", "", "9"]
    lines += ["remove 1", "rename 2 Béa B", "correct 9", "insert 1", "cancel", f"save {table}", "quit"]
    assert pad_at_prompt(monkeypatch, "loba", *lines) == 0
    out = capsys.readouterr().out
    assert "2. Round 2 of 6: a set and a run. Ben deals. Points in hand: Ana 3, Ben 0, Cleo 4" in out
    rows = table.read_text(encoding="utf-8-sig").splitlines()
    assert rows[0] == "Entry,Round,Written,Ana,Béa B,Cleo"
    assert [row.rpartition('",')[2] for row in rows[1:3]] == ["3,0,9", "7,8,0"]
    assert rows[3:] == [",,Total,10,8,9", ",,Place,3,1,2"]
    assert out.count("Commands: undo") == 2  # at the beginning, and after a number that is none


def test_a_skipbo_pad_is_for_points(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert pad_at_prompt(monkeypatch, "skipbo", "0", "7", "7", "", "quit") == 0
    assert "Points: Ana 95, Ben 0, Cleo 0" in capsys.readouterr().out


def test_a_pad_with_wrong_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"ludotheque_pad": 1', encoding="utf-8")
    for arguments, reason in [
        (["pad"], "Say which game"),
        (["pad", "chess"], "no game"),
        (["pad", "--load", str(broken)], "not a record"),
        (["pad", "--load", str(tmp_path / "missing")], "cannot be read"),
        (["pad", "loba", "--players", "A,B"], "3 to 5 players"),
        (["pad", "loba", "--players", "A,B,C", "--first", "Z"], "not one of the players"),
    ]:
        assert main([*arguments, "--lang", "en"]) == 2, arguments
        assert reason in capsys.readouterr().err, arguments


def test_text_is_cut_and_wrapped_by_cells() -> None:
    assert fit("Ann", 5) == "Ann  " and fit("Annabelle", 5) == "Anna…"
    assert wrap("one two three", 7, "  ") == ["one two", "  three"]
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert to_ascii("╭5♥╮ été … œuf") == "+5H+ ete . euf"


def test_starting_is_quick() -> None:
    """The first screen is there within a second of processor time: Textual is loaded, and no rule yet."""
    code = (
        "import asyncio, sys\n"
        "from ludotheque.tui.app import LudoApp\n"
        "from ludotheque.tui.menu import MenuScreen\n"
        "async def main():\n"
        "    app = LudoApp(lambda _: MenuScreen(), 'en')\n"
        "    async with app.run_test(size=(80, 24)) as pilot:\n"
        "        await pilot.pause()\n"
        "asyncio.run(main())\n"
        "assert 'numba' not in sys.modules\n"
        "import time; print(time.process_time())\n"
    )
    run = [sys.executable, "-c", code]
    times = [
        float(subprocess.run(run, capture_output=True, text=True, check=True, env=os.environ).stdout) for _ in range(3)
    ]
    assert min(times) < 1
