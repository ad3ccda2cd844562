"""Whole matches of every game, by keys alone."""

from __future__ import annotations

from typing import Any

import pytest

import ludotheque
from tests.tui.helpers import at_table, local, my_turn, run, text_of

SHORT: dict[str, tuple[str, dict[str, Any]]] = {
    "lobo77": ("en", {"tokens": 1}),
    "loba": ("fr", {}),
    "skipbo": ("en", {"stock": 5}),
    "volle_lotte": ("fr", {"target": 1000}),
    "double_lucky_7": ("en", {"rounds": 7}),
}
"""A language and a short match for each game."""


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_whole_match_by_keys(game_id: str) -> None:
    async def story() -> None:
        lang, options = SHORT[game_id]
        table = local(game_id, lang, level="club" if game_id == "loba" else "random", **options)
        async with at_table(table) as (app, pilot):
            pressed = 0
            while not table.match.over:
                move = table.choices()[pressed % len(table.choices())].text
                ply = len(table.match.moves)
                await pilot.press(*["down"] * (pressed % len(table.choices()) + 1), "enter")
                await my_turn(pilot, table)
                assert table.match.moves[ply][0] == 0
                assert table.match.moves[ply][1] == move
                pressed = (pressed + 1) % 3
            text = text_of(app)
            assert {"en": "The match is over", "fr": "La partie est finie"}[lang] in text
            assert {"en": "Another match", "fr": "Une autre partie"}[lang] in text
            again = table.match
            await pilot.press("down", "enter")
            await pilot.pause()
            screen: Any = app.screen
            assert screen.table.match is not again and screen.table.match.names == again.names

    run(story())
