"""Make the fonts of the pages from those of the packages in `node_modules`: `python web/fonts.py`.

A sans for text (Nunito) and a serif for headings (Fraunces), both under the Open Font License, cut down to French and
English and the weights in use. What they lack we draw ourselves: suits, arrows and marks. Needs `fonttools[woff]`.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

WEB = Path(__file__).resolve().parent
PACKAGES = WEB / "node_modules" / "@fontsource-variable"
FONTS = WEB / "src" / "fonts"

TEXT = "".join(map(chr, range(0x20, 0x7F))) + "   ÀÂÄÆÇÈÉÊËÎÏÔÖŒÙÛÜŸàâäæçèéêëîïôöœùûüÿ«»‹›’‘“”…–—·×±°−•€"
"""What both languages are written with."""

SQUARE = 24
"""The side of the square that signs are drawn in."""
SIGNS = {
    "★": "M12 1.5l3.2 7 7.6.8-5.7 5.1 1.6 7.5L12 18.1l-6.7 3.8 1.6-7.5L1.2 9.3l7.6-.8Z",
    "●": "M12 4a8 8 0 0 1 0 16a8 8 0 0 1 0-16Z",
    "▲": "M12 4L21 20H3Z",
    "→": "M13 5l7 7-7 7-1.6-1.6 4.3-4.3H4v-2.2h11.7L11.4 6.6Z",
}
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def suits() -> dict[str, str]:
    """The drawings of the suits, as the game that has them gives them to its cards."""
    found: dict[str, str] = {}
    for file in sorted((WEB / "src" / "games").glob("*/suits.ts")):
        drawings = file.read_text("utf-8").split("SUIT_PATHS", 1)[1].split("\n}", 1)[0]
        for letter, lines in re.findall(r"^  ([SHDC]):((?:\s*'[^']*' ?[+,])+)", drawings, re.MULTILINE):
            found[SUITS[letter]] = "".join(re.findall(r"'([^']*)'", lines))
    assert len(found) == len(SUITS), found.keys()
    return found


def add_sign(font: Any, sign: str, drawing: str) -> None:
    """A glyph of our own, as tall as a capital letter and a bit."""
    height = font["OS/2"].sCapHeight * 1.12
    scale = height / (SQUARE - 3)
    pen = TTGlyphPen(None)
    # Drawings count downwards, fonts upwards from the line.
    turned = TransformPen(Cu2QuPen(pen, max_err=1.0, reverse_direction=True), (scale, 0, 0, -scale, 0, 22.2 * scale))
    parse_path(drawing, turned)
    name = f"uni{ord(sign):04X}"
    font["glyf"][name] = glyph = pen.glyph()
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (round(SQUARE * scale), glyph.xMin)
    font.setGlyphOrder([*(one for one in font.getGlyphOrder() if one != name), name])
    if "gvar" in font:
        font["gvar"].variations[name] = []
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[ord(sign)] = name


def make(name: str, file: str, axes: dict[str, Any], signs: dict[str, str]) -> int:
    """One font and its licence; its size."""
    source = PACKAGES / name
    font = TTFont(source / "files" / file, recalcTimestamp=False)
    options = subset.Options(layout_features=["kern", "liga", "locl", "ccmp", "mark", "tnum", "lnum"], hinting=False)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    cutter = subset.Subsetter(options)
    cutter.populate(text=TEXT)
    cutter.subset(font)
    instancer.instantiateVariableFont(font, axes, inplace=True)
    if "HVAR" in font:  # a shortcut to widths that stand in gvar too; it has no place for new glyphs
        del font["HVAR"]
    for sign, drawing in signs.items():
        add_sign(font, sign, drawing)
    font.flavor = "woff2"
    target = FONTS / f"{name}.woff2"
    font.save(target)
    shutil.copy(source / "LICENSE", FONTS / f"{name}.license.txt")
    return target.stat().st_size


def main() -> int:
    """Make both; an exit status."""
    if not PACKAGES.exists():
        print("The packages of the fonts are not installed: make web", file=sys.stderr)
        return 1
    FONTS.mkdir(exist_ok=True)
    signs = {**suits(), **SIGNS}
    print("nunito", make("nunito", "nunito-latin-wght-normal.woff2", {"wght": (400, 800)}, signs))
    axes = {"wght": 640, "opsz": 36, "SOFT": 50, "WONK": 0}
    print("fraunces", make("fraunces", "fraunces-latin-full-normal.woff2", axes, {}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
