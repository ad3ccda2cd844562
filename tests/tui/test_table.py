"""A table as a person at the terminal meets it: keys, mouse, typed moves, refusals, hints, and nothing lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from ludotheque.tui.board import board
from ludotheque.tui.canvas import Canvas
from ludotheque.tui.opening import load_table
from ludotheque.tui.table_screen import TableScreen
from ludotheque.tui.terminal import Look
from ludotheque.tui.widgets import Choices, TypeLine
from tests.tui.helpers import LARGE, at_table, click_at, local, my_turn, opened, run, shown, text_of, until, words_of

pytestmark = pytest.mark.slow

ENTER = "enter"


async def typed(pilot: Any, text: str) -> None:
    """Type a line and press Enter."""
    keys = {" ": "space", ">": "greater_than_sign", "*": "asterisk", "?": "question_mark", "'": "apostrophe"}
    keys |= {"/": "slash", ".": "full_stop", "#": "number_sign", "-": "minus", "_": "underscore"}
    await pilot.press(*(keys.get(char, char) for char in text), ENTER)
    await pilot.pause()


def test_a_typed_move_is_played_and_a_wrong_one_explained() -> None:
    async def story() -> None:
        table = local("double_lucky_7")
        async with at_table(table) as (app, pilot):
            ply = len(table.match.moves)
            await typed(pilot, "R14")
            assert "Everyone bids before the first card is played. [D6]" in text_of(app)
            await typed(pilot, "abracadabra")
            assert "abracadabra: not a move I know" in text_of(app)
            assert len(table.match.moves) == ply
            await typed(pilot, "bid 1")
            await until(pilot, lambda: len(table.match.moves) > ply)
            assert table.match.moves[ply][1] == "bid 1"

    run(story())


def test_typing_narrows_the_list_down_and_several_are_asked_about() -> None:
    async def story() -> None:
        table = local("skipbo", stock=5)
        async with at_table(table) as (app, pilot):
            choices = app.screen.query_one(Choices)
            every = len(choices.items)
            card = table.match.view(0)["table"]["hand"][0]
            await pilot.press(*("asterisk" if char == "*" else char for char in card))
            await pilot.pause()
            assert 0 < len(choices.items) < every
            await pilot.press(ENTER)
            await pilot.pause()
            assert "choose with the arrows" in text_of(app)
            await pilot.press("escape")
            await pilot.pause()
            assert len(choices.items) == every and app.screen.query_one(TypeLine).value == ""

    run(story())


def test_the_mouse_plays_from_the_list_the_board_and_the_keys() -> None:
    async def story() -> None:
        table = local("lobo77")
        async with at_table(table) as (app, pilot):
            ply = len(table.match.moves)
            label = table.choices()[0].label
            await pilot.click(offset=click_at(app, label))
            await until(pilot, lambda: len(table.match.moves) > ply)
            await my_turn(pilot, table)
            ply = len(table.match.moves)
            x, y = click_at(app, "Hand")
            await pilot.click(offset=(x + 2, y + 2))
            await until(pilot, lambda: len(table.match.moves) > ply)
            assert table.match.moves[ply][0] == 0
            await my_turn(pilot, table)
            await pilot.click(offset=click_at(app, "F1"))
            await pilot.pause()
            assert "Rules of LOBO 77" in text_of(app)

    run(story())


def test_a_piece_with_several_moves_asks_which() -> None:
    async def story() -> None:
        table = local("skipbo", stock=5)
        async with at_table(table) as (app, pilot):
            ply = len(table.match.moves)
            x, y = click_at(app, "Hand")
            await pilot.click(offset=(x + 1, y + 2))
            await pilot.pause()
            assert "Which of these?" in text_of(app)
            assert len(table.match.moves) == ply
            chosen = app.screen.query_one(Choices).chosen
            assert chosen is not None
            await pilot.press(ENTER)
            await until(pilot, lambda: len(table.match.moves) > ply)
            assert table.match.moves[ply][1] == chosen.text

    run(story())


def test_hint_and_undo() -> None:
    async def story() -> None:
        table = local("double_lucky_7")
        async with at_table(table) as (app, pilot):
            await pilot.press("f3")
            await until(pilot, lambda: "You have not played yet" in text_of(app))
            await pilot.press("f2")
            await until(pilot, lambda: "The expert’s choice: Bid" in text_of(app))
            ply, before = len(table.match.moves), table.match.to_bytes()
            await pilot.press(ENTER)
            await until(pilot, lambda: len(table.match.moves) > ply)
            await my_turn(pilot, table)
            await pilot.press("f3")
            await until(pilot, lambda: "Move taken back" in text_of(app))
            assert table.match.to_bytes() == before

    run(story())


def test_the_language_changes_everything_at_once() -> None:
    async def story() -> None:
        table = local("volle_lotte")
        async with at_table(table) as (app, pilot):
            assert "Your turn, Ann." in text_of(app)
            await pilot.press("f5")
            await pilot.pause()
            text = text_of(app)
            assert "À vous, Ann." in text and "Lancer les dés" in text and "Objectif" in text and "quitter" in text
            await typed(pilot, "lang en")
            assert "Roll the dice" in text_of(app)

    run(story())


def test_one_rule_all_rules_the_log_and_the_scores() -> None:
    async def story() -> None:
        table = local("double_lucky_7", rounds=7)
        async with at_table(table) as (app, pilot):
            await typed(pilot, "?d7")
            assert "[D7]" in text_of(app)
            await pilot.press("escape")
            await typed(pilot, "? zz9")
            assert "There is no rule zz9" in text_of(app)
            await pilot.press("f6")
            await pilot.pause()
            assert "Nothing has been scored yet" in text_of(app)
            await pilot.press("escape", "f7")
            await pilot.pause()
            assert "deals first" in words_of(app)
            await pilot.press("escape", "escape")
            await pilot.pause()
            assert "A hint from the expert" in text_of(app)

    run(story())


def test_save_resume_and_a_broken_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def story() -> None:
        table = local("double_lucky_7")
        async with at_table(table) as (app, pilot):
            await typed(pilot, "#1")
            await my_turn(pilot, table)
            await typed(pilot, "save nowhere/match.json")
            await until(pilot, lambda: "cannot be written" in text_of(app))
            await pilot.press("f4")
            await pilot.pause()
            await pilot.press(ENTER)
            await until(pilot, lambda: "Saved in double_lucky_7.json" in text_of(app))
        resumed = load_table(tmp_path / "double_lucky_7.json", "fr")
        assert resumed.match.moves == table.match.moves and resumed.levels == table.levels
        async with at_table(resumed) as (app, _):
            assert "À vous, Ann." in text_of(app)

    run(story())
    file = tmp_path / "double_lucky_7.json"
    broken = file.read_text(encoding="utf-8")[:-40]
    file.write_text(broken, encoding="utf-8")
    with pytest.raises(ludotheque.LudothequeError, match="not a record"):
        load_table(file, "en")
    assert file.read_text(encoding="utf-8") == broken


def test_a_match_is_kept_by_itself_and_forgotten_when_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDOTHEQUE_HOME", str(tmp_path))

    async def story() -> None:
        from ludotheque.tui.local import LocalTable

        match = ludotheque.game("volle_lotte").new(["Ann", "Bot"], seed=3, target=1000)
        table = LocalTable(match, {1: "random"}, "en", 3, pace=0)
        async with at_table(table) as (app, pilot):
            await typed(pilot, "#1")
            await my_turn(pilot, table)
            (kept,) = (tmp_path / "matches").iterdir()
            assert json.loads(kept.read_text(encoding="utf-8"))["record"]["moves"]
            assert str(kept) in table.leave()
            while not table.match.over:
                await typed(pilot, "#1")
                await my_turn(pilot, table)
            assert not list((tmp_path / "matches").iterdir())
            assert "The match is over" in text_of(app)

    run(story())


def test_people_at_one_keyboard_do_not_see_each_others_cards() -> None:
    async def story() -> None:
        table = local("double_lucky_7", people=2, bots=1)
        async with at_table(table) as (app, pilot):
            first = table.match.actor
            assert "Hand" in text_of(app)
            await typed(pilot, "#1")
            await until(pilot, lambda: bool(table.curtain))
            text = text_of(app)
            assert table.match.actor != first and "looks away" in text
            assert "Hand" not in text and "deals" not in text
            await pilot.press(ENTER)
            await until(pilot, lambda: not table.curtain)
            assert "Hand" in text_of(app) and f"Your turn, {table.match.names[table.match.actor]}" in text_of(app)

    run(story())


def test_a_draw_that_is_due_can_be_made_out_of_turn() -> None:
    """L20: with manual draws a person draws while the next player thinks."""

    async def story() -> None:
        table = local("lobo77", draw="manual")
        table.pace = 0.5
        async with at_table(table) as (app, pilot):
            await typed(pilot, "#1")
            await until(pilot, lambda: [c.text for c in table.choices()] == ["draw"])
            assert "you may step in" in text_of(app)
            await typed(pilot, "draw")
            await until(pilot, lambda: any(move == "draw" for _, move in table.match.moves))

    run(story())


def test_a_terminal_that_is_too_small_says_so_and_nothing_is_lost() -> None:
    async def story() -> None:
        table = local("skipbo", stock=5)
        async with at_table(table) as (app, pilot):
            before = shown(app)
            await pilot.resize_terminal(60, 15)
            await pilot.pause()
            text = " ".join(text_of(app).split())
            assert "60 × 15" in text and "80 × 24" in text
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert shown(app) == before

    run(story())


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_ascii_and_no_colour(game_id: str) -> None:
    async def story() -> None:
        table = local(game_id, "fr")
        async with at_table(table, look=Look(ascii=True, colour=False)) as (app, pilot):
            await pilot.press("down")
            await pilot.pause()
            text = text_of(app)
            assert (text.isascii() and "+---+" in text) or game_id == "volle_lotte"
            assert "A vous, Ann." in text
            styles = [segment.style for strip in app.screen._compositor.render_strips() for segment in strip]
            colours = {(style.color, style.bgcolor) for style in styles if style is not None}
            assert all(one is None or one.is_default for pair in colours for one in pair)
            assert any(style.reverse for style in styles if style is not None)

    run(story())


def test_a_large_terminal_shows_the_log_beside_the_table() -> None:
    async def story() -> None:
        async with at_table(local("lobo77"), LARGE) as (app, _):
            assert "What happened" in text_of(app)

    run(story())


def test_leaving_says_goodbye() -> None:
    async def story() -> None:
        table = local("lobo77")
        async with opened(lambda: TableScreen(table)) as (app, pilot):
            await pilot.press("ctrl+q")
            await pilot.pause()
        assert app.return_value == "See you next time!"

    run(story())


def test_a_crowded_loba_table_still_shows_every_combination() -> None:
    """Five players with three combinations each, and the hand, at 80 by 24."""
    match = ludotheque.game("loba").new(["Ann", "Ben", "Cleo", "Dan", "Eve"], seed=3)
    view = match.view(match.actor)
    cards = ["10S", "10H", "10D", "*"]
    view["table"]["melds"] = [{"kind": "set", "cards": cards, "joker": "10"} for _ in range(15)]
    c = Canvas(80, 12)
    board("loba", "en").draw(c, view)
    text = "\n".join(c.strip(y).text for y in range(12))
    assert all(f"m{number} " in text for number in range(1, 16)) and text.count("10♥") >= 15, text
    words = ludotheque.game("loba").catalogue("en")
    hand = [words.word("face", card).replace("joker", "★") for card in view["table"]["hand"]]
    assert text.splitlines()[-1].split() == hand


def test_bots_among_themselves_can_be_watched() -> None:
    async def story() -> None:
        table = local("skipbo", people=0, stock=5)
        async with opened(lambda: TableScreen(table)) as (app, pilot):
            await until(pilot, lambda: table.match.over)
            text = text_of(app)
            assert "The match is over" in text and "Hand" not in text
            await pilot.press("f2")
            await until(pilot, lambda: "nothing to suggest" in text_of(app))

    run(story())
