"""The rules pages: one Markdown file per game and language, each rule marked with its number in brackets."""

from __future__ import annotations

import re
from pathlib import Path

from ludotheque.core import registry
from ludotheque.core.texts import check_language


def rules_page(texts: Path, lang: str) -> str:
    """The rules page in a game's folder of texts."""
    return (texts / f"rules.{check_language(lang)}.md").read_text(encoding="utf-8")


def game_name(game_id: str) -> str:
    """A game's name on the box, the title of its rules page. The game is not loaded."""
    return rules_page(registry.folder(game_id) / "texts", "en").partition("\n")[0].removeprefix("#").strip()


def rule_lines(page: str, rule: str) -> list[str]:
    """The bullets and paragraphs of a page that say a rule."""
    blocks = re.split(r"\n(?=\s*[-*] |\s*\n|#)", page)
    return [block.strip() for block in blocks if f"[{rule}]" in block]
