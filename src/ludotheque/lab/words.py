"""The words of the lab's pages and of `skill`, and numbers as people write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import floor, isfinite, log10
from pathlib import Path
from typing import Any

from ludotheque.core.game import Game
from ludotheque.core.texts import catalogue
from ludotheque.lab.statistics import Estimate

TEXTS = Path(__file__).resolve().parent / "page_texts"
SPACE = "\N{NO-BREAK SPACE}"
BEFORE = re.compile(" (?=[%:;?!»])|(?<=«) ")
NARROW = "\N{NARROW NO-BREAK SPACE}"
UP, DOWN = "▲", "▼"


def say(lang: str, key: str, **params: Any) -> str:
    """A message of the lab's own, which does not break where it must not."""
    return BEFORE.sub(SPACE, catalogue(TEXTS, lang).say(key, params))


def number(lang: str, value: float, digits: int | None = None, sign: bool = False) -> str:
    """A number with three digits that matter, or so many after the point."""
    if not isfinite(value):
        return "–"
    if digits is None:
        digits = 0 if value == int(value) else max(0, 2 - floor(log10(abs(value))))
        digits = min(digits, 3)
    text = f"{value:{'+' if sign else ''},.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-+")
    whole, point, rest = text.partition(".")
    whole = whole.replace(",", NARROW).replace("-", "−")
    return whole + (("," if lang == "fr" else ".") + rest if point else "")


def even(lang: str, values: Sequence[float], sign: bool = False) -> Callable[[float], str]:
    """How to write the numbers of an axis: all with as many digits as the finest of them needs."""
    digits = next((d for d in range(3) if all(abs(round(value, d) - value) < 1e-9 for value in values)), 3)
    return partial(number, lang, digits=digits, sign=sign)


def percent(lang: str, share: float, digits: int = 1, sign: bool = False) -> str:
    """A share in percent."""
    return f"{number(lang, 100 * share, digits, sign)}{SPACE}%"


def mark(lang: str, change: float, is_share: bool) -> str:
    """The mark of a difference: its direction and its size, of shares in percentage points."""
    size = abs(100 * change if is_share else change)
    digits = 1 if is_share and size >= 0.1 else None  # as many as the shares themselves are told with
    return f"{UP if change > 0 else DOWN}{SPACE}{number(lang, size, digits)}"


def range_of(lang: str, estimate: Estimate, digits: int | None = None) -> str:
    """An interval of numbers."""
    return f"{number(lang, estimate.low, digits)} … {number(lang, estimate.high, digits)}"


def percent_range(lang: str, estimate: Estimate, digits: int = 1) -> str:
    """An interval of shares."""
    return f"{number(lang, 100 * estimate.low, digits)}{SPACE}–{SPACE}{percent(lang, estimate.high, digits)}"


def level(lang: str, name: str) -> str:
    """A bot's name; levels are known in both languages."""
    found = catalogue(TEXTS, lang).find(f"levels.{name}")
    return found if isinstance(found, str) else name


def option_name(game: Game, lang: str, name: str) -> str:
    """What a game calls one of its options; what else can be varied has names too."""
    for texts, key in ((game.catalogue(lang), f"options.{name}.name"), (catalogue(TEXTS, lang), f"varied.{name}")):
        found = texts.find(key)
        if isinstance(found, str):
            return found
    return name


def option_value(game: Game, lang: str, name: str, value: Any) -> str:
    """What a game calls a value of an option."""
    found = game.catalogue(lang).find(f"options.{name}.values.{value}")
    if isinstance(found, str):
        return found
    if isinstance(value, bool) or value in ("on", "off", "true", "false"):
        return say(lang, "on" if value in (True, "on", "true") else "off")
    return str(value)


def options_line(game: Game, lang: str, options: dict[str, Any]) -> str:
    """Options in a line."""
    pairs = [f"{option_name(game, lang, name)}: {option_value(game, lang, name, v)}" for name, v in options.items()]
    return " · ".join(pairs)
