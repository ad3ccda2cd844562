"""Cards and dice as small SVG drawings of our own, for any game: a face is made from its notation alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

SUITS = {"♠": "ink", "♣": "ink", "♥": "red", "♦": "red"}
COLOURS = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
WILD = ("*", "joker")
STAR = "M25 15l5.9 13.2 14.3 1.4-10.8 9.5 3.2 14L25 45.8l-12.6 7.3 3.2-14L4.8 29.6l14.3-1.4z"

PIPS = {
    1: [(25, 25)],
    2: [(14, 14), (36, 36)],
    3: [(13, 13), (25, 25), (37, 37)],
    4: [(14, 14), (36, 14), (14, 36), (36, 36)],
    5: [(13, 13), (37, 13), (25, 25), (13, 37), (37, 37)],
    6: [(14, 12), (36, 12), (14, 25), (36, 25), (14, 38), (36, 38)],
}


def card(notation: str, face: str, word: str, cards: Sequence[str]) -> str:
    """A card of a game whose cards are these: its face in short, such as `Q♥` for `QH`, and what a person calls it."""
    if notation in WILD:
        return _drawing("card yellow", word, f'<path class="sign" d="{STAR}"/>')
    suit = face[-1:] if face[-1:] in SUITS else ""
    if suit:
        rank = escape(face[:-1])
        inside = f'<text class="rank" x="25" y="30">{rank}</text><text class="suit" x="25" y="59">{suit}</text>'
        return _drawing(f"card {SUITS[suit]}", word, inside)
    found = re.fullmatch(r"([RGBY])(\d+)", notation)
    tone, text = (COLOURS[found[1]], found[2]) if found else (_tone(notation, cards), notation.replace("-", "−"))
    lines = [text] if len(text) < 5 else text.split()
    size = min(27, 68 // max(len(line) for line in lines))
    first = 35 + size / 3 - (len(lines) - 1) * 0.55 * size
    written = "".join(
        f'<text x="25" y="{first + number * 1.1 * size:.1f}" font-size="{size}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    corner = f'<text class="corner" x="5.5" y="14">{escape(text)}</text>' if len(text) < 3 else ""
    return _drawing(f"card {tone}", word, written + corner)


def _tone(notation: str, cards: Sequence[str]) -> str:
    """Numbers by size, in three colours; what is no number has a fourth."""
    numbers = [int(one) for one in cards if re.fullmatch(r"-?\d+", one)]
    if not re.fullmatch(r"-?\d+", notation):
        return "plum"
    return ("blue", "green", "red")[min(2, 3 * sorted(numbers).index(int(notation)) // len(numbers))]


def die(face: int) -> str:
    """A die."""
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="4.6"/>' for x, y in PIPS[face])
    return _drawing("die", str(face), pips)


def _drawing(kind: str, label: str, inside: str) -> str:
    size = "50 50" if kind == "die" else "50 70"
    ground = '<rect x="3" y="3" width="44" height="64" rx="4"/>' if kind != "die" else ""
    title = escape(label, quote=True)
    return f'<svg class="{kind}" viewBox="0 0 {size}" role="img" aria-label="{title}">{ground}{inside}</svg>'


CSS = """
.card, .die { background: #fffdf7; border: 1px solid #cfc3ab; border-radius: 5px; box-shadow: 0 1px 2px #0003;
  flex: none; font: 700 20px system-ui, sans-serif; }
.card { width: var(--card); height: calc(1.4 * var(--card)); }
.die { width: calc(.84 * var(--card)); border-radius: 16%; }
.card text { text-anchor: middle; letter-spacing: -.04em; }
.card .corner { font-size: 11px; text-anchor: start; } .card .rank { font-size: 25px; } .card .suit { font-size: 30px; }
.card rect { fill: var(--tint); } .card text, .card .sign { fill: var(--tone); } .die circle { fill: #2a2420; }
.card.ink { --tone: #2a2420; --tint: #f4efe4; } .card.red { --tone: #b3261e; --tint: #fbe3de; }
.card.blue { --tone: #1d4f91; --tint: #e3ebf5; } .card.green { --tone: #2a6b3c; --tint: #dfeee0; }
.card.yellow { --tone: #a06f00; --tint: #fbeecb; } .card.plum { --tone: #86406b; --tint: #f5e2ee; }
"""
"""How they look; to be nested in a block that says how wide a `--card` is."""
