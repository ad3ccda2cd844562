"""The table as text and as a picture, from what a seat, or a spectator, may see."""

from __future__ import annotations

import textwrap
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ludotheque.core import extras
from ludotheque.core.match import Match

WIDTH, HEIGHT = 960, 720
MARGIN, TOP = 28, 68
SIZES = ((20, 33, 74), (16, 26, 92), (12, 20, 124))
"""Font size, height of a line and characters in it: the first with room for all lines serves."""
CARD_WIDTH, CARD_HEIGHT, GAP = 58, 82, 8

FELT, BAR, LIT = "#1d5b45", "#123c2e", "#2a7a5d"
PALE, DIM, GOLD = "#f4f1e6", "#a9cbbd", "#ffd76a"
PAPER, INK, RED = "#fffdf6", "#1c1c1c", "#c22f2f"
RED_SIGNS = "♥♦"


def screen(match: Match, seat: int | None, lang: str = "en") -> str:
    """The table in lines of text, below what happened last."""
    view = match.view(seat, lang)
    return "\n".join([*_news(view), "", *match.game.views.lines(view, match.game.catalogue(lang))])


def picture(match: Match, seat: int | None, lang: str = "en") -> npt.NDArray[np.uint8]:
    """The table as a picture, 720 by 960 points in red, green and blue."""
    extras.need("rl", "PIL")
    extras.need("lab", "matplotlib")
    from PIL import Image, ImageDraw

    view = match.view(seat, lang)
    image = Image.new("RGB", (WIDTH, HEIGHT), FELT)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 52), fill=BAR)
    draw.text((MARGIN, 12), match.game.info.name, font=_font(22, bold=True), fill=GOLD)
    who = "" if seat is None else match.names[seat]
    draw.text((WIDTH - MARGIN, 15), who, font=_font(17), fill=PALE, anchor="ra")
    hand = _hand(match, view, lang)
    _write(draw, match, view, lang, HEIGHT - MARGIN - (CARD_HEIGHT + GAP if hand else 0) - TOP)
    _lay_out(draw, hand)
    return np.asarray(image, np.uint8).copy()


def _write(draw: Any, match: Match, view: dict[str, Any], lang: str, room: int) -> None:
    """What happened and the table, in the largest letters there is room for; the line of who is at turn lit up."""
    parts = [(line, DIM) for line in _news(view)]
    parts += [(line, PALE) for line in match.game.views.lines(view, match.game.catalogue(lang))]
    for size, leading, columns in SIZES:
        font = _font(size)
        lines = [
            (line, colour)
            for text, colour in parts
            for line in textwrap.wrap(text, columns, subsequent_indent="    ", drop_whitespace=False) or [""]
        ]
        if len(lines) * leading <= room:
            break
    actor = None if view["actor"] is None else match.names[view["actor"]]
    for number, (line, colour) in enumerate(lines[: room // leading]):
        top = TOP + number * leading
        if actor is not None and colour == PALE and actor in line and ">" in line.partition(actor)[0]:
            draw.rounded_rectangle((MARGIN - 10, top - 3, WIDTH - MARGIN + 10, top + leading - 6), 6, fill=LIT)
        draw.text((MARGIN, top), line, font=font, fill=colour)


def _news(view: dict[str, Any]) -> list[str]:
    return [event["text"] for event in view["events"]]


def _hand(match: Match, view: dict[str, Any], lang: str) -> list[str]:
    """The cards of the seat's hand in short, as a language writes them."""
    words = match.game.catalogue(lang)
    return [words.word("face", card) for card in view["table"].get("hand") or []]


def _lay_out(draw: Any, hand: list[str]) -> None:
    """Cards side by side at the lower edge, closer together where they are many."""
    if not hand:
        return
    step = min(CARD_WIDTH + GAP, (WIDTH - 2 * MARGIN - CARD_WIDTH) // max(1, len(hand) - 1))
    top = HEIGHT - MARGIN - CARD_HEIGHT
    for number, card in enumerate(hand):
        left = MARGIN + number * step
        draw.rounded_rectangle((left, top, left + CARD_WIDTH, top + CARD_HEIGHT), 7, fill=PAPER, outline=INK)
        size = 22 if len(card) <= 3 else max(11, 88 // len(card))
        colour = RED if any(sign in card for sign in RED_SIGNS) else INK
        centre = (left + CARD_WIDTH / 2, top + CARD_HEIGHT / 2)
        draw.text(centre, card, font=_font(size, bold=True), fill=colour, anchor="mm")


@cache
def _font(size: int, bold: bool = False) -> Any:
    """DejaVu Sans Mono, which has the signs of the suits; it comes with matplotlib."""
    import matplotlib
    from PIL import ImageFont

    name = "DejaVuSansMono-Bold.ttf" if bold else "DejaVuSansMono.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name), size)
