"""Pictures of every screen into `docs/images/`: `make screenshots`.

Desktop and phone, light and dark, of a server and matches of their own. Colours are reduced to a palette, which makes
the files small and is not seen.
"""

from __future__ import annotations

import argparse
import io
import itertools
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.server.process import Server
from tests.web.browser import chromium
from tests.web.browser.tour import PARTS, look, prepare
from tests.web.browser.visitor import Visitor
from tests.web.sources import ROOT

IMAGES = ROOT / "docs" / "images"
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
SCHEMES = ("light", "dark")
COLOURS = 256
LEFT_OUT = {
    "about",
    "guide",
    "home-mine",
    "join",
    "loba-later",
    "lobby-bots",
    "lobby-rules",
    "lost",
    "name",
    "replay-open",
}
LEFT_OUT |= {"dead-link", "double_lucky_7-hint", "loba-hint", "lobo77-hint", "settings", "skipbo-later", "pad-share"}
LEFT_OUT |= {
    "volle_lotte-hint",
    "volle_lotte-end",
    "loba-end",
    "skipbo-end",
    "pad-correct",
    "pad-wrong",
    "pad-asked",
    "pad-names",
}
"""Screens that look like others."""


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
                if name not in LEFT_OUT:
                    taken.update(take(visitor, name, given.to))
            visitor.close()
        browser.close()
    if not given.parts:
        for old in set(given.to.glob("*.png")) - taken:
            old.unlink()
    sizes = [file.stat().st_size for file in given.to.glob("*.png")]
    print(f"{len(sizes)} pictures, {sum(sizes) / 2**20:.1f} MB in {given.to}")
    return 0


def take(visitor: Visitor, name: str, folder: Path) -> Iterator[Path]:
    """A picture of the screen in each size, light and dark; where they are."""
    visitor.page.mouse.move(0, 0)
    visitor.page.evaluate("() => document.activeElement?.blur()")
    for (size, box), scheme in itertools.product(SIZES.items(), SCHEMES):
        look(visitor, box, scheme)
        picture = Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB")
        file = folder / f"{name}-{size}-{scheme}.png"
        picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE).save(
            file, optimize=True
        )
        yield file
    look(visitor, SIZES["desktop"], "light")


if __name__ == "__main__":
    sys.exit(main())
