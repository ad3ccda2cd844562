"""The rules pages say every rule, in both languages, in the same order of sections."""

from __future__ import annotations

import re

import pytest

import ludotheque
from ludotheque.core.pages import rule_lines
from ludotheque.core.texts import LANGUAGES

LEDGER = {
    "lobo77": ("L", 22),
    "loba": ("B", 23),
    "skipbo": ("S", 17),
    "volle_lotte": ("V", 15),
    "double_lucky_7": ("D", 15),
}
"""The letter of a game's rules, and how many the ledger has."""


def numbers(game_id: str) -> list[str]:
    """The rules of a game. One that the ledger does not have says them on its page, from 1 on without a gap."""
    page = ludotheque.game(game_id).rules_text()
    found = re.findall(r"\[([A-Z])(\d+)\]", page)
    letter, count = LEDGER.get(game_id, (found[0][0], max(int(number) for _, number in found)))
    return [f"{letter}{n}" for n in range(1, count + 1)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_every_rule_is_said(game_id: str, lang: str) -> None:
    page = ludotheque.game(game_id).rules_text(lang)
    assert [number for number in numbers(game_id) if not rule_lines(page, number)] == []
    assert set(re.findall(r"\[([A-Z]\d+)\]", page)) == set(numbers(game_id))


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_both_languages_have_the_same_sections(game_id: str) -> None:
    game = ludotheque.game(game_id)
    shapes = [re.findall(r"^(#+) ", game.rules_text(lang), re.MULTILINE) for lang in LANGUAGES]
    assert shapes[0] == shapes[1]
