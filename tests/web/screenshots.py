"""Pictures for the documents into `docs/images/`: `make screenshots`.

Of each game a contact sheet with the ten sizes of screen that `tests/web/browser/layout.py` names, light and dark, and
single pictures of what README and documents show. Server and matches are their own. Colours are reduced to a palette,
which makes the files small and is not seen.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import sync_playwright

from tests.server.process import Server
from tests.web.browser import chromium
from tests.web.browser.layout import SIZES, Size
from tests.web.browser.tour import PARTS, look, prepare
from tests.web.browser.visitor import Visitor
from tests.web.sources import ROOT

IMAGES = ROOT / "docs" / "images"
SINGLE: dict[str, Size] = {"desktop": (1280, 800), "phone": (390, 844)}
SCHEMES = ("light", "dark")
COLOURS = 256
SHEETS = {"home", "lobo77", "loba", "skipbo", "volle_lotte", "double_lucky_7"}
"""Screens that have a contact sheet."""
ROWS: tuple[dict[Size, float], ...] = (
    {(390, 844): 0.5, (390, 664): 0.5, (360, 640): 0.5, (820, 1180): 0.5},
    {(844, 390): 0.5, (740, 360): 0.5, (640, 400): 0.5},
    {(1280, 800): 0.435, (1920, 1080): 0.29},
    {(2560, 1440): 0.44},
)
"""How a sheet is laid out, and how far each size is reduced."""
GAP, CAPTION = 12, 18
assert {size for row in ROWS for size in row} == set(SIZES)


def main() -> int:
    """Take the pictures; an exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these: {', '.join(PARTS)}")
    parser.add_argument("--lang", default="en", choices=["en", "fr"])
    parser.add_argument("--to", type=Path, default=IMAGES, metavar="FOLDER")
    given = parser.parse_args()
    path = chromium.find()
    if path is None:
        print(chromium.MISSING, file=sys.stderr)
        return 1
    given.to.mkdir(parents=True, exist_ok=True)
    wanted = shown()
    taken: set[Path] = set()
    with (
        tempfile.TemporaryDirectory() as data,
        Server(Path(data), BOT_SECONDS="0.2", HINT_SECONDS="0.5") as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright, path, "--hide-scrollbars")
        for part in given.parts or PARTS:
            visitor = Visitor(browser, server.url, lang=given.lang, reduced_motion="reduce")
            prepare(visitor)
            for name in PARTS[part](visitor):
                taken.update(take(visitor, name, wanted, given.to))
            visitor.close()
        browser.close()
    if not given.parts:
        for old in set(given.to.glob("*.png")) - taken:
            old.unlink()
    sizes = [file.stat().st_size for file in given.to.glob("*.png")]
    print(f"{len(sizes)} pictures, {sum(sizes) / 2**20:.1f} MB in {given.to}")
    return 0


def shown() -> set[str]:
    """The names of the pictures that README and documents show."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return {name for page in pages for name in re.findall(r"images/([\w-]+)\.png", page.read_text(encoding="utf-8"))}


def take(visitor: Visitor, name: str, wanted: set[str], folder: Path) -> Iterator[Path]:
    """The contact sheets of a screen, and single pictures of it as far as they are wanted; where they are."""
    visitor.page.mouse.move(0, 0)
    visitor.page.evaluate("() => document.activeElement?.blur()")
    for scheme in SCHEMES:
        for kind, size in SINGLE.items():
            if f"{name}-{kind}-{scheme}" in wanted:
                yield keep(picture(visitor, size, scheme), folder / f"{name}-{kind}-{scheme}.png")
        if name in SHEETS:
            yield keep(sheet(visitor, scheme), folder / f"{name}-{scheme}.png")
    look(visitor, SINGLE["desktop"], "light")


def picture(visitor: Visitor, size: Size, scheme: str) -> Image.Image:
    """What the visitor sees in a size."""
    look(visitor, size, scheme)
    return Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB")


def sheet(visitor: Visitor, scheme: str) -> Image.Image:
    """All sizes on one sheet, each with its name."""
    paper, ink = ("#ffffff", "#333333") if scheme == "light" else ("#111111", "#cccccc")
    font = ImageFont.load_default(13)
    placed: list[tuple[int, int, str, Image.Image]] = []
    width, top = 0, GAP
    for row in ROWS:
        left, height = GAP, 0
        for size, scale in row.items():
            whole = picture(visitor, size, scheme)
            small = whole.resize((round(size[0] * scale), round(size[1] * scale)), Image.Resampling.LANCZOS)
            placed.append((left, top, f"{size[0]} x {size[1]}", small))
            left, height = left + small.width + GAP, max(height, small.height)
        width, top = max(width, left), top + CAPTION + height + GAP
    drawn = Image.new("RGB", (width, top), paper)
    pen = ImageDraw.Draw(drawn)
    for left, top, caption, small in placed:
        pen.text((left, top), caption, ink, font)
        drawn.paste(small, (left, top + CAPTION))
    return drawn


def keep(image: Image.Image, file: Path) -> Path:
    """Save a picture, small."""
    image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE).save(file, optimize=True)
    return file


if __name__ == "__main__":
    sys.exit(main())
