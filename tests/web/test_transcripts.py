"""The transcripts of what is announced: every game, both languages, in words, written as the tool writes them."""

from __future__ import annotations

import pytest

import ludotheque
from tests.web import transcripts
from tests.web.browser.ears import EARS, beginning, plain, said
from tests.web.sources import LANGUAGES, texts
from tests.wording import notation


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_transcripts_are_current(lang: str) -> None:
    text = (transcripts.FOLDER / f"{lang}.md").read_text("utf-8")
    rounds = transcripts.parse(text)
    assert text == transcripts.page(lang, rounds), "write them anew: python -m tests.web.transcripts"
    assert list(rounds) == list(EARS) and set(EARS) == set(ludotheque.game_ids())
    turn = plain(texts(lang, "table")["your_turn"])
    for game, lines in rounds.items():
        assert turn in lines, game
        assert any(line.startswith(f"{turn}. ") for line in lines), f"{game}: nobody read the table"
        assert any(beginning(lang, "table.hint_said").search(line) for line in lines), f"{game}: no hint"
        ends = [said(game, lang, f"events.{key}") for key in ("round_end", "match_end")]
        assert any(end.fullmatch(line) for end in ends for line in lines), f"{game}: no end"
        written = notation(ludotheque.game(game))
        assert not [line for line in lines if written.search(line)], game
