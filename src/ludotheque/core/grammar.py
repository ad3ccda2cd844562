"""What a language asks of a sentence once its holes are filled: plural forms, and elision in French."""

from __future__ import annotations

import re
import unicodedata

_ELIDED = re.compile(r"(?:(?<=[\s(«])|^)((?:jusqu|lorsqu|puisqu|qu|[dljmnst])e|la) $", re.IGNORECASE)
"""At the end of a text: a word that loses its vowel before another one."""
_MUTE_H = re.compile(
    r"hadrien|hector|hedwig|hel[eio]|henri|hercul|hermes|hermi|herve|hilaire|hippoly|homere|honor|horace|hortens"
    r"|hub|hug|hyacint|hypat"
)
"""How names begin whose h is silent. Any other h keeps words apart, as in names from elsewhere."""
_GLIDE = re.compile(r"ou[aeiouy]|onz|y(?:[aeiouy]|$)")
"""Vowels that are none for the word before: oui, onze, Yann."""


def plural(lang: str, n: float) -> str:
    """The plural form of a number, `one` or `other`, as CLDR has it: 0, 1 and what lies between are one in French.

    Examples:
        >>> [plural("en", n) for n in (0, 1, 2)], [plural("fr", n) for n in (0, 1, 2)]
        (['other', 'one', 'other'], ['one', 'one', 'other'])
    """
    is_one = abs(n) < 2 if lang == "fr" else abs(n) == 1
    return "one" if is_one else "other"


def elided(text: str, lang: str) -> str | None:
    """How a text ends before a vowel, if its last word loses one there: `Le tour d’` for `Le tour de `.

    Examples:
        >>> elided("Le tour de ", "fr"), elided("Le tour pour ", "fr")
        ('Le tour d’', None)
    """
    found = _ELIDED.search(text) if lang == "fr" else None
    return None if found is None else text[: found.end(1) - 1] + "’"


def begins_with_vowel(word: str) -> bool:
    """Whether French elides before a word or a name.

    Examples:
        >>> [begins_with_vowel(name) for name in ("Éric", "Hugo", "Yves", "Hans", "Yann", "B")]
        [True, True, True, False, False, False]
    """
    start = unicodedata.normalize("NFD", word[:12].replace("œ", "oe").replace("Œ", "oe").replace("Æ", "ae"))
    plain = "".join(char for char in start if not unicodedata.combining(char)).casefold()
    if len(plain) < 2 or not plain[1].isalpha() or _GLIDE.match(plain):
        return False
    return plain[0] in "aeiouyæ" or _MUTE_H.match(plain) is not None
