"""The tables of observations in docs/ are up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludotheque
from ludotheque.core.texts import LANGUAGES, catalogue
from ludotheque.rl import tables, text

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_tables_are_up_to_date(game_id: str) -> None:
    written = (DOCS / "observations" / f"{game_id}.md").read_text(encoding="utf-8")
    assert written == tables.page(game_id), "run: python -m ludotheque.rl.tables"


def test_writing_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["tables", str(tmp_path / "pages")])
    tables.main()
    assert {page.stem for page in (tmp_path / "pages").iterdir()} == set(ludotheque.game_ids())


def test_both_languages_say_the_same() -> None:
    english, french = (set(catalogue(Path(text.__file__).with_name("texts"), lang).keys()) for lang in LANGUAGES)
    assert english == french
