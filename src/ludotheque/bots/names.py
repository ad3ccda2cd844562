"""What bots are called: creatures with the same name in every language we speak, and each with a face in the pages."""

from __future__ import annotations

import itertools
from collections.abc import Callable

NAMES = (
    "Panda",
    "Lion",
    "Koala",
    "Toucan",
    "Bison",
    "Fennec",
    "Husky",
    "Dragon",
)
"""As many as there are seats at the largest table, and short: they stand in narrow places."""


def bot_name(is_taken: Callable[[str], bool], otherwise: str, start: int = 0) -> str:
    """The first name that is not taken, from the one at `start` on; if all are, `otherwise` with a free number.

    Examples:
        >>> bot_name(lambda name: name == "Panda", "Bot")
        'Lion'
        >>> bot_name(lambda name: name in NAMES, "Bot")
        'Bot 1'
    """
    for step in range(len(NAMES)):
        name = NAMES[(start + step) % len(NAMES)]
        if not is_taken(name):
            return name
    numbered = (f"{otherwise} {number}" for number in itertools.count(1))
    return next(name for name in numbered if not is_taken(name))
