"""The menu, setting up a match, stepping through a record, keeping score: the screens around the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from ludotheque.core.pad import Pad, new_pad
from ludotheque.tui.menu import MenuScreen
from ludotheque.tui.opening import load_pad
from ludotheque.tui.pad_screen import PadScreen
from ludotheque.tui.replay import ReplayTable
from ludotheque.tui.table_screen import TableScreen
from ludotheque.tui.widgets import Choices
from tests.tui.helpers import click_at, opened, run, shown, text_of, until, words_of

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDOTHEQUE_HOME", str(tmp_path))
    return tmp_path


def test_from_the_menu_through_the_options_to_a_table_and_back(home: Path) -> None:
    async def story() -> None:
        async with opened(MenuScreen) as (app, pilot):
            await pilot.press("enter")
            await until(pilot, lambda: "Who plays, and how?" in text_of(app))
            # One player fewer, a weaker bot, the short match.
            await pilot.press("down", "left", "down", "down", "left", "left", "down", "right")
            await pilot.pause()
            text = text_of(app)
            assert "‹ 2 ›" in text and "‹ bot, beginner ›" in text and "‹ 7 ›" in text
            await pilot.press("up", "up", "enter")
            await pilot.pause()
            await pilot.press(*["backspace"] * 4, *"Zoe", "enter", "up", "up", "enter")
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
            table: Any = app.screen.table  # type: ignore[attr-defined]
            assert table.match.names == ["Zoe", "Panda (beginner)"] and table.match.options["rounds"] == 7
            table.pace = 0
            await until(pilot, lambda: table.is_mine)
            await pilot.press("1", "enter")
            await until(pilot, lambda: any(seat == 0 for seat, _ in table.match.moves))
            await pilot.press("escape")
            await pilot.pause()
            await pilot.click(offset=click_at(app, "Quit"))
            await until(pilot, lambda: isinstance(app.screen, MenuScreen))
            text = text_of(app)
            assert "Continue this match" in text and "Continue: Double Lucky 7" in text

    run(story())


def test_going_on_with_a_match_and_a_broken_file_left_alone(home: Path) -> None:
    match = ludotheque.game("skipbo").new(["Ann", "Bot"], seed=3, stock=5)
    folder = home / "matches"
    folder.mkdir()
    record = {"ludotheque_save": 1, "bots": {"1": "random"}, "record": match.record()}
    (folder / "good.json").write_text(json.dumps(record), encoding="utf-8")
    (folder / "broken.json").write_text('{"ludotheque_save": 1, "bots": {}, "rec', encoding="utf-8")

    async def story() -> None:
        async with opened(MenuScreen) as (app, pilot):
            assert "Continue: broken.json" in text_of(app)
            x, y = click_at(app, "Continue: broken.json")
            await pilot.click(offset=(x, y))
            await until(pilot, lambda: "not a record" in words_of(app))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, MenuScreen))
            await pilot.click(offset=click_at(app, "Continue: Skip-Bo"))
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
            await until(pilot, lambda: "Stock ×5" in text_of(app))

    run(story())
    assert (folder / "broken.json").read_text(encoding="utf-8").endswith('"rec')


def test_the_menu_speaks_french_and_leaves() -> None:
    async def story() -> None:
        async with opened(MenuScreen) as (app, pilot):
            await pilot.press("f5")
            await pilot.pause()
            assert "Rejoindre une salle de jeu" in text_of(app)
            await pilot.press("up", "enter")
            await pilot.pause()
        assert app.return_value == ""

    run(story())


def test_stepping_through_a_record() -> None:
    match = ludotheque.game("volle_lotte").new(["Ann", "Ben"], seed=3, target=1000)
    while not match.over:
        match.play(match.legal()[0])
    total = len(match.moves)

    async def story() -> None:
        table = ReplayTable(match, "en")
        async with opened(lambda: TableScreen(table)) as (app, pilot):
            assert f"Move 0 of {total}." in text_of(app)
            await pilot.press("right", "right", "enter", "left")
            await pilot.pause()
            assert f"Move 2 of {total}." in text_of(app) and table.view == match.at(2).view(None, "en") | {"legal": []}
            await pilot.press("down")
            await pilot.pause()
            assert f"Move {min(12, total)} of {total}." in text_of(app)
            await pilot.press("end")
            await pilot.pause()
            text = text_of(app)
            assert f"Move {total} of {total}." in text and "won!" in text
            await pilot.press("5", "enter", "tab")
            await pilot.pause()
            assert f"Move 5 of {total}." in text_of(app) and "Seen by Ann" in text_of(app)
            await pilot.press(*"9999", "enter")
            await pilot.pause()
            assert f"a number from 0 to {total}" in text_of(app)
            await pilot.press("home", "f5")
            await pilot.pause()
            assert f"Coup 0 sur {total}." in text_of(app)

    run(story())


def test_a_pad_is_filled_in_corrected_wiped_and_kept(home: Path) -> None:
    async def write(pilot: Any, *values: str) -> None:
        for value in values:
            await pilot.press(*value, "enter")
        await pilot.pause()

    async def story() -> None:
        screen = PadScreen(new_pad("double_lucky_7", ["Ana", "Ben", "Cleo"], 0, 1, rounds=7))
        async with opened(lambda: screen) as (app, pilot):
            await write(pilot, "0", "1", "1", "0", "1", "0")
            assert screen.pad.totals == [10, 12, 0]
            await write(pilot, "9")
            assert "Bid goes from 0 to 2; Ben cannot have 9." in text_of(app)
            await pilot.press("backspace")
            await pilot.press("f7")
            await pilot.pause()
            assert "Change which entry?" in text_of(app)
            await pilot.press("enter")
            await pilot.pause()
            await pilot.press("enter")
            await pilot.pause()
            await write(pilot, "0", "0", "1")
            assert screen.pad.totals == [10, 0, 12]
            await pilot.press("f3")
            await pilot.pause()
            assert screen.pad.totals == [0, 0, 0] and len(screen.pad.entries) == 1
            await pilot.press("f5")
            await pilot.pause()
            assert "feuille de score" in text_of(app)
            await pilot.press("ctrl+q")
            await pilot.pause()
        assert "ludotheque pad --load" in (app.return_value or "")

    run(story())
    (kept,) = (home / "pads").iterdir()
    pad, path = load_pad(kept, "en")
    assert path == kept and len(pad.entries) == 1
    kept.write_text(kept.read_text(encoding="utf-8")[:50], encoding="utf-8")
    with pytest.raises(ludotheque.LudothequeError):
        load_pad(kept, "en")


def test_all_pads_are_listed_in_the_menu(home: Path) -> None:
    (home / "pads").mkdir(parents=True)
    for number in range(7):
        pad = new_pad("loba", ["Ana", f"Ben {number}", "Cleo"], 0, 1)
        (home / "pads" / f"loba-{number}.json").write_text(json.dumps(pad.to_json()), encoding="utf-8")

    async def story() -> None:
        async with opened(MenuScreen) as (app, _):
            items = app.screen.query_one(Choices).items
            assert sum(item.text.startswith("pad ") for item in items) == 7

    run(story())


def test_a_pad_works_a_turn_out() -> None:
    async def story() -> None:
        screen = PadScreen(new_pad("volle_lotte", ["Ana", "Ben"], 0, 1), keep=False)
        async with opened(lambda: screen) as (app, pilot):
            await pilot.press(
                *[{" ": "space", ",": "comma"}.get(c, c) for c in "bonus 300, 1 5 5, stop"], "enter", "enter"
            )
            await pilot.pause()
            assert screen.pad.totals == [200, 0], shown(app)

    run(story())


def test_entries_and_names_are_changed_on_the_screen(tmp_path: Path) -> None:
    async def press(pilot: Any, *keys: str) -> None:
        for key in keys:
            await pilot.press(key)
            await pilot.pause()

    async def story() -> None:
        pad = new_pad("loba", ["Ana", "Ben", "Cleo"], 0, 1)
        screen = PadScreen(pad.enter({"points": [0, 1, 2]}).enter({"points": [3, 0, 4]}), keep=False)
        async with opened(lambda: screen) as (app, pilot):
            await press(pilot, "f7", "down", "enter", "down", "enter")  # one before the first
            assert "New, before entry 1." in text_of(app)
            await press(pilot, "7", "enter", "8", "enter", "0", "enter")
            assert [entry["points"][0] for entry in screen.pad.entries] == [7, 0, 3]
            await press(pilot, "f7", "enter", "down", "down", "enter", "down", "enter")  # the last to the second place
            assert [entry["points"][0] for entry in screen.pad.entries] == [7, 3, 0]
            await press(pilot, "f7", "enter", "up", "enter")  # remove the last
            assert screen.pad.totals == [10, 8, 4]
            await press(pilot, "escape", "enter", "down", "enter", "a", "enter")  # Ben is Bena
            assert screen.pad.names == ["Ana", "Bena", "Cleo"]
            await press(pilot, "5", "space", "k", "enter", "enter")
            assert "still missing" in text_of(app)  # an empty field is not 0
            await press(pilot, "6", "enter", "7", "enter")
            assert "did everybody play 40" in text_of(app)
            await press(pilot, "enter")
            assert len(screen.pad.entries) == 2  # nothing is written, nothing is lost
            await press(pilot, "enter", "down", "enter")
            assert screen.pad.entries[-1] == {"points": [18, 6, 7]}

    run(story())


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_every_game_has_a_pad_on_the_screen(game_id: str) -> None:
    async def story() -> None:
        names = ["Ana", "Ben", "Cleo"]
        screen = PadScreen(new_pad(game_id, names, 0, 1), keep=False)
        async with opened(lambda: screen) as (app, _):
            assert all(name in text_of(app) for name in names)
            assert isinstance(screen.pad, Pad)

    run(story())
