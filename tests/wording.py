"""What is said to people is said in words: how to tell that something is not."""

from __future__ import annotations

import re

from ludotheque.core.game import Game

SIGNS = "♠♥♦♣*×±→·"


def notation(game: Game) -> re.Pattern[str]:
    """Cards as they are written, unless that is a plain word or a number; a combination's short name; signs."""
    cards = [card for card in getattr(game.notation, "CARDS", ()) if not re.fullmatch(r"-?\d*|[a-z]{4,}( \d+)?", card)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, [*cards, *SIGNS]))}|[a-zA-Z]\d+|>|\d+x)(?!\w)")
