"""What a game says of itself: facts, options with their ranges, the pieces of an observation.

Options are read by help and completion too, which load no NumPy: it is imported where numbers are made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from ludotheque.core.errors import InvalidOptions, InvalidRecord
from ludotheque.core.texts import nearest, shared, worded

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

OptionValue = bool | int | str | tuple[str, ...]


@dataclass(frozen=True)
class Option:
    """One choice a table can make. `values` is a range of integers, a tuple of strings, or `FLAG`.

    An option whose values are `TEXTS` is a list of lines that the table writes itself. Rules never see it.

    Examples:
        >>> import ludotheque
        >>> tokens = ludotheque.game("lobo77").info.options[0]
        >>> tokens.name, tokens.default, tokens.values, tokens.rule
        ('tokens', 3, range(1, 7), 'L2')
        >>> tokens.check("5"), tokens.range_text()
        (5, 'a number from 1 to 6')
    """

    name: str
    default: OptionValue
    values: range | tuple[str, ...]
    rule: str = ""
    """The rule it belongs to, such as `L2`."""

    @property
    def kind(self) -> str:
        """`flag`, `number`, `choice` or `texts`."""
        if self.values is FLAG:
            return "flag"
        if self.values is TEXTS:
            return "texts"
        return "number" if isinstance(self.values, range) else "choice"

    def check(self, value: Any) -> OptionValue:
        """The value if the option takes it; otherwise an error that says what it takes. Text is understood too."""
        kind = self.kind
        if kind == "flag":
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and value.lower() in _FLAG_WORDS:
                return _FLAG_WORDS[value.lower()]
        elif kind == "number":
            if isinstance(value, str) and re.fullmatch("-?[0-9]{1,9}", value):
                value = int(value)
            if isinstance(value, int) and not isinstance(value, bool) and value in self.values:
                return value
        elif kind == "choice":
            if isinstance(value, str) and value in self.values:
                return value
        elif isinstance(value, Sequence) and not isinstance(value, str):
            lines = tuple(value)
            if len(lines) <= MAX_TEXTS and all(isinstance(v, str) and 0 < len(v) <= MAX_TEXT for v in lines):
                return lines
        facts = {"name": self.name, "value": repr(value), **self._range_facts()}
        if kind == "choice" and isinstance(value, str):
            facts["near"] = nearest(value, self.values)  # type: ignore[arg-type]  # a choice is of words
        raise worded(InvalidOptions, f"option.{self._range_key()}", **facts)

    def range_text(self, lang: str = "en") -> str:
        """What the option takes, in words."""
        return shared(lang).say(f"takes.{self._range_key()}", self._range_facts())

    def range_symbols(self) -> str:
        """The same for a line of usage: `1…6`, `dealer|winner`."""
        if self._range_key() == "number":
            return "{low}…{high}".format(**self._range_facts())
        return "|".join(str(value) for value in self.values)

    def _range_key(self) -> str:
        listed = isinstance(self.values, range) and self.values.step > 1
        return "choice" if listed else self.kind

    def _range_facts(self) -> dict[str, Any]:
        if self._range_key() == "choice":
            return {"values": ", ".join(str(value) for value in self.values)}
        if isinstance(self.values, range):
            return {"low": self.values.start, "high": self.values.stop - 1}
        return {"lines": MAX_TEXTS, "characters": MAX_TEXT}

    def encode(self, value: OptionValue) -> int:
        """The value as rules see it: flags and numbers as they are, choices by position."""
        return self.values.index(value) if isinstance(value, str) else int(value)  # type: ignore[arg-type]


FLAG = range(2)
"""The values of an option that is on or off."""

TEXTS: tuple[str, ...] = ("",)
"""The values of an option that is a list of lines."""

MAX_TEXTS = 100
MAX_TEXT = 200

_FLAG_WORDS = {"on": True, "yes": True, "true": True, "oui": True, "1": True}
_FLAG_WORDS |= {"off": False, "no": False, "false": False, "non": False, "0": False}


class Options(Mapping[str, OptionValue]):
    """All options of a match, checked, with defaults filled in. Read-only.

    Examples:
        >>> import ludotheque
        >>> options = ludotheque.game("lobo77").options(3, {"tokens": 5})
        >>> options["tokens"], options["swim"]
        (5, True)
    """

    def __repr__(self) -> str:
        return f"<Options {', '.join(f'{name}={value!r}' for name, value in self._values.items())}>"

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __init__(self, declared: Sequence[Option], given: Mapping[str, Any]) -> None:
        import numpy as np

        known = {option.name: option for option in declared}
        for name in given:
            if name not in known:
                key = "unknown_option" if known else "no_options"
                raise worded(InvalidOptions, key, name=name, known=", ".join(known), near=nearest(name, known))
        self._values = {name: option.check(given.get(name, option.default)) for name, option in known.items()}
        codes = [o.encode(self._values[o.name]) for o in declared if o.kind != "texts"]
        self.codes: npt.NDArray[np.int64] = np.array(codes, dtype=np.int64)
        """The values as rules see them, in the order declared."""

    def __getitem__(self, name: str) -> OptionValue:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def to_json(self) -> dict[str, Any]:
        """Plain values for a file or a message."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in self._values.items()}


@dataclass(frozen=True)
class Piece:
    """A named part of an observation: a number, or an array of them.

    Examples:
        >>> import ludotheque
        >>> ludotheque.game("lobo77").info.observation[0]
        Piece(name='hand', shape=20, meaning='how many cards of each type in the hand')
    """

    name: str
    shape: int | tuple[int, ...]
    """Its length, or its lengths; 1 is a single number."""
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return self.shape if isinstance(self.shape, int) else prod(self.shape)


@dataclass(frozen=True)
class Info:
    """The facts of a game.

    Examples:
        >>> import ludotheque
        >>> info = ludotheque.game("skipbo").info
        >>> info.name, info.min_seats, info.max_seats
        ('Skip-Bo De Luxe', 2, 4)
        >>> [option.name for option in info.options][:2]
        ['stock', 'match']
    """

    id: str
    name: str
    """Its name on the box; the same in every language."""
    min_seats: int
    max_seats: int
    num_actions: int
    """Action ids go from 0 to this, exclusive."""
    rules_version: int
    """Raised whenever the same key and moves would lead elsewhere."""
    state: np.dtype[Any]
    """The type of a match's record."""
    options: tuple[Option, ...]
    observation: tuple[Piece, ...]
    usual_seats: int = 0
    """How many sit at a table where nobody has said a number; 0: one more than the fewest."""
    check: Callable[[int, Options], None] = lambda players, options: None
    """Raises `InvalidOptions` for options that do not go together, or not with that number of players."""

    def check_version(self, version: int) -> None:
        """Raises `InvalidRecord` unless something that was pickled was made under the rules that are here."""
        if version != self.rules_version:
            facts = {"game": self.id, "version": version, "own": self.rules_version}
            raise worded(InvalidRecord, "record.rules_version", **facts)

    @property
    def company(self) -> int:
        """How many sit at a table where nobody has said a number."""
        return min(self.max_seats, self.usual_seats or self.min_seats + 1)

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return sum(piece.size for piece in self.observation)

    @property
    def observation_record(self) -> np.dtype[Any]:
        """An observation as the record that `observe` fills: the pieces by name, int16, one after the other."""
        import numpy as np

        fields = [(p.name, "<i2") if p.shape == 1 else (p.name, "<i2", p.shape) for p in self.observation]
        return np.dtype((np.record, fields))
