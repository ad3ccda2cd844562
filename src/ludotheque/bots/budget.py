"""How long a bot may think: a time, or a number of playouts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludotheque.core.errors import InvalidOptions

MOST_SECONDS = 3600.0
MOST_ITERATIONS = 10**9


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds, or iterations (playouts of imagined worlds). The same number of iterations gives the same move.

    Examples:
        >>> from ludotheque import Budget
        >>> str(Budget(seconds=0.5)), str(Budget(iterations=2000))
        ('500ms', '2000it')
    """

    seconds: float | None = None
    iterations: int | None = None

    def __str__(self) -> str:
        return f"{self.iterations}it" if self.iterations is not None else f"{1000 * (self.seconds or 0):g}ms"


def parse_budget(given: Budget | str | float | None) -> Budget | None:
    """A budget from `50ms`, `1.5s`, `2000it`, or a number of seconds; None stays None."""
    if given is None or isinstance(given, Budget):
        budget = given
    elif isinstance(given, str):
        budget = _parse_text(given)
    elif isinstance(given, int | float) and not isinstance(given, bool):
        budget = Budget(seconds=float(given))
    else:
        raise _wrong(given)
    if budget is not None:
        seconds, iterations = budget.seconds, budget.iterations
        if (seconds is None) == (iterations is None):
            raise InvalidOptions("a budget is either a time or a number of iterations")
        if seconds is not None and not 0 <= seconds <= MOST_SECONDS:  # also refuses what is not a number
            raise InvalidOptions(f"a budget in time is 0 to {MOST_SECONDS:g} s, not {seconds:g} s")
        if iterations is not None and (type(iterations) is not int or not 0 <= iterations <= MOST_ITERATIONS):
            raise InvalidOptions(f"a budget in iterations is 0 to {MOST_ITERATIONS}, not {iterations}")
    return budget


def _parse_text(text: str) -> Budget:
    found = re.fullmatch(r"\s*([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*(ms|s|it)\s*", text, re.ASCII)
    if not found:
        raise _wrong(text)
    number, unit = found.groups()
    if unit == "it":
        if "." in number:
            raise _wrong(text)
        return Budget(iterations=int(number))
    return Budget(seconds=float(number) / (1000 if unit == "ms" else 1))


def _wrong(given: object) -> InvalidOptions:
    return InvalidOptions(f"{given!r:.40} is not a budget: 50ms, 1.5s or 2000it")
