"""What declared views are made into: the pages of documentation and the browser's types are up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludotheque
from ludotheque.core.views import Constant, Each, Exactly, Fields, Flag, Keyed, Maybe, MembersOf, Number, Word
from ludotheque.server.views import describe

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_files_are_up_to_date(game_id: str) -> None:
    found = [(path, text) for path, text in describe.files(ROOT) if game_id in str(path)]
    assert len(found) == 2
    for path, text in found:
        assert path.read_text(encoding="utf-8") == text, "run: python -m ludotheque.server.views.describe"


def test_writing_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["describe", str(tmp_path)])
    describe.main()
    assert {page.stem for page in (tmp_path / "docs" / "views").iterdir()} == set(ludotheque.game_ids())
    assert {file.parent.name for file in tmp_path.rglob("view.ts")} == set(ludotheque.game_ids())


VIEW = Fields(
    a=Maybe(Number("how many")),
    b=Each(Maybe(Word("xy")), 3),
    c=MembersOf([f"card {n}" for n in range(9)]),
    d=Exactly(2, Flag()),
    e=Keyed(("±1", "0"), Number()),
    f=Maybe(Fields("a pair", g=Word([[1, 2], [3, 4]]))),
    h=Constant([11, 22, 33]),
    i=Each(Fields(j=Word([{"k": "x", "n": [1]}, {"k": "y", "n": []}])), 2),
)


def test_types_and_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ludotheque.game("loba").views, "VIEW", VIEW)
    types = describe.types("loba")
    assert (
        types.partition("export interface Table ")[2]
        == """{
  /** How many. */
  a: number | null
  b: ('x' | 'y' | null)[]
  c: string[]
  d: [boolean, boolean]
  e: Record<string, number>
  /** A pair. */
  f: {
    g: [number, number]
  } | null
  h: number[]
  i: {
    j: { k: 'x' | 'y'; n: number[] }
  }[]
}
"""
    )
    page = describe.page("loba")
    assert "| `a` | number; or null | how many |" in page
    assert "| `e` | object with `±1`, `0`: number |  |" in page
    assert '| `i[].j` | one of 2, such as `{"k":"y","n":[]}` |  |' in page
