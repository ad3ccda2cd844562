"""The rules pages say every rule, in both languages, in the same order of sections."""

from __future__ import annotations

import re

import pytest

import ludotheque
from ludotheque.core.pages import rule_lines
from ludotheque.core.texts import LANGUAGES

NUMBERS = {
    "lobo77": [f"L{n}" for n in range(1, 23)],
    "loba": [f"B{n}" for n in range(1, 24)],
    "skipbo": [f"S{n}" for n in range(1, 18)],
    "volle_lotte": [f"V{n}" for n in range(1, 16)],
    "double_lucky_7": [f"D{n}" for n in range(1, 16)],
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_every_rule_is_said(game_id: str, lang: str) -> None:
    page = ludotheque.game(game_id).rules_text(lang)
    assert [number for number in NUMBERS[game_id] if not rule_lines(page, number)] == []
    known = set(NUMBERS[game_id])
    assert set(re.findall(r"\[([LBSVD]\d+)\]", page)) == known


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_every_option_is_explained(game_id: str) -> None:
    game = ludotheque.game(game_id)
    for lang in LANGUAGES:
        page = game.rules_text(lang)
        assert [o.name for o in game.info.options if f"`{o.name}`" not in page] == []


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_both_languages_have_the_same_sections(game_id: str) -> None:
    game = ludotheque.game(game_id)
    shapes = [re.findall(r"^(#+) ", game.rules_text(lang), re.MULTILINE) for lang in LANGUAGES]
    assert shapes[0] == shapes[1]
