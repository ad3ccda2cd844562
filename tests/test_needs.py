"""What is missing skips a test, and fails it in CI; no test decides that for itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import needs

TESTS = Path(__file__).parent


@pytest.mark.parametrize(("ci", "outcome"), [("true", pytest.fail.Exception), (None, pytest.skip.Exception)])
def test_what_is_missing_fails_in_ci_and_skips_elsewhere(
    ci: str | None, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match=r"^no_such_part, nor_this is not installed: make setup$"):
        needs.installed("re", "no_such_part", "nor_this")
    with pytest.raises(outcome, match=r"^no_such_part is for others$"):
        needs.module("no_such_part", "is for others")


def test_what_is_there_is_used() -> None:
    needs.installed("re")
    assert needs.module("re") is re


def test_nothing_else_skips_a_test() -> None:
    skips = re.compile(r"importorskip|pytest\.skip\b|mark\.skip|SkipTest")
    files = [path for path in TESTS.rglob("*.py") if path.name not in ("needs.py", "test_needs.py")]
    assert len(files) > 100
    assert not [str(path.relative_to(TESTS)) for path in files if skips.search(path.read_text(encoding="utf-8"))]
