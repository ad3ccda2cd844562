"""What is announced, labelled and logged is said in words: a screen reader reads no notation and no sign of a suit."""

from __future__ import annotations

import re

import pytest

import ludotheque
from ludotheque import testing
from ludotheque.core.texts import LANGUAGES
from tests.wording import notation


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_no_notation_is_announced(game_id: str, lang: str) -> None:
    game = ludotheque.game(game_id)
    written = notation(game)
    labels = {move.label(lang) for move in game.moves}
    assert not [label for label in labels if written.search(label)]
    for corner in testing.corners(game)[:4]:
        match = corner.new(7)
        for turn in range(150):
            if match.over:
                break
            legal = match.legal()
            match.play(legal[5 * turn % len(legal)])
        log = match.log(lang, 0)
        assert len(log) > 5
        assert not [line for line in log if written.search(line)]


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_round_is_told_with_names(game_id: str) -> None:
    """Numbers in the order of the seats mean nothing to those who do not see the seats."""
    for lang in LANGUAGES:
        words = ludotheque.game(game_id).catalogue(lang).find("events.round_end")
        text = words if isinstance(words, str) else " ".join(words.values())
        holes = re.findall(r"\{(points|scores|stocks)([^}]*)\}", text)
        assert holes and all(spec == ":by seat" for _, spec in holes)
