"""Links between the files of the repository, as somebody who reads them there follows them: files and headings."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, pages

_LINK = re.compile(r"\]\(<?([^)\s>]+)>?\)")
_CODE = re.compile(r"```.*?^ *```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
GENERATED = ("docs/games/",)
"""Made when the site is built; `test_site.py` follows links into these."""


@cache
def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    text = re.sub(r"```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ +(.*?)\s*$", text, re.MULTILINE)
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.lower())) for heading in headings}


@pytest.mark.parametrize("page", [*pages(), ROOT / "CHANGELOG.md"], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    dead = []
    for link in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = (page.parent / path).resolve() if path else page
        if any(target.is_relative_to(ROOT / folder) for folder in GENERATED):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    assert not dead
