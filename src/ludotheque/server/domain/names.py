"""Names that people give themselves: one visible line, and no two at a table that look alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ludotheque.core.match import check_names

BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
"""Characters that count as letters or symbols and show nothing."""


def clean_name(name: str) -> str:
    """The name as it is kept; raises `InvalidOptions` if it cannot be one.

    Compatibility forms become plain ones (NFKC): full-width letters would pass for somebody else's name.
    """
    plain = " ".join(unicodedata.normalize("NFKC", name).split())
    return check_names([plain if is_visible(plain) else ""])[0]


def clean_names(names: Sequence[str]) -> list[str]:
    """Names of several players, which must differ."""
    return check_names([clean_name(name) for name in names])


def is_visible(text: str) -> bool:
    """Whether a text shows something, and hides nothing: no blank characters, not only marks on nothing."""
    shows = any(unicodedata.category(char)[0] in "LNPS" for char in text)
    return shows and BLANK.isdisjoint(text)


def skeleton(name: str) -> str:
    """What two names are compared by: as they look, whatever the case, without what shows nothing."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(char for char in plain if char not in BLANK and not _is_ignorable(char))


def _is_ignorable(char: str) -> bool:
    is_selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char in "\u180b\u180c\u180d"
    return is_selector or unicodedata.category(char) == "Cf"
