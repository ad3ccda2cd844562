"""The fenced blocks of the pages, and the marks that say how a test takes them.

A mark is a comment in the line before the block, invisible to readers: `<!-- test: CLAUSE; CLAUSE -->`.

    OLD => NEW          NEW stands for OLD in the test, such as a small number of matches for a large one
    not run: REASON     nothing is run; commands of ours still have to parse
    file: PATH          the block is to be found in that file of the repository
    save: NAME          the block is written to that file first, for the blocks that follow
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_FENCE = re.compile(
    r"(?:^ *<!-- test: (?P<mark>[^\n]*?) -->\n)?^(?P<indent> *)```(?P<language>[^\n]*)\n(?P<text>.*?)^ *```$",
    re.DOTALL | re.MULTILINE,
)
_MARK = re.compile(r"^ *<!-- test:", re.MULTILINE)


@dataclass
class Block:
    """A fenced block. `line` is the number of its first line in the page."""

    page: Path
    line: int
    language: str
    text: str
    replaced: list[tuple[str, str]] = field(default_factory=list)
    not_run: str = ""
    file: str = ""
    save: str = ""

    @property
    def where(self) -> str:
        """The page and the line, for messages."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def tried(self) -> str:
        """The text that a test runs."""
        text = self.text
        for old, new in self.replaced:
            assert old in text, f"{self.where}: the mark replaces {old!r}, which is not in the block"
            text = text.replace(old, new)
        return text


def pages() -> list[Path]:
    """All pages that readers are given."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    source = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(source):
        indent, text = match["indent"], match["text"]
        lines = [line.removeprefix(indent) for line in text.splitlines(keepends=True)]
        line = source.count("\n", 0, match.start("text")) + 1
        block = Block(page, line, match["language"].strip(), "".join(lines))
        _read_mark(block, match["mark"] or "")
        found.append(block)
    marked = sum(1 for match in _FENCE.finditer(source) if match["mark"])
    assert marked == len(_MARK.findall(source)), f"{page.name}: a mark does not stand right before a block"
    return found


def _read_mark(block: Block, mark: str) -> None:
    for clause in filter(None, (part.strip() for part in mark.split(";"))):
        old, arrow, new = clause.partition(" => ")
        verb, _, rest = clause.partition(": ")
        if arrow:
            block.replaced.append((old, new))
        elif verb == "not run" and rest:
            block.not_run = rest
        elif verb == "file" and rest:
            block.file = rest
        elif verb == "save" and rest:
            block.save = rest
        else:
            raise AssertionError(f"{block.where}: no such clause in a mark: {clause!r}")
