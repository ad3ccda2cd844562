"""The rules pages: one Markdown file per game and language, each rule marked with its number in brackets."""

from __future__ import annotations

import re
from pathlib import Path

from ludotheque.core.texts import check_language


def rules_page(texts: Path, lang: str) -> str:
    """The rules page in a game's folder of texts."""
    return (texts / f"rules.{check_language(lang)}.md").read_text(encoding="utf-8")


def rule_lines(page: str, rule: str) -> list[str]:
    """The bullets and paragraphs of a page that say a rule."""
    blocks = re.split(r"\n(?=\s*[-*] |\s*\n|#)", page)
    return [block.strip() for block in blocks if f"[{rule}]" in block]
