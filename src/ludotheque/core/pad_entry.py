"""An entry of a score pad: its fields, what is wrong or missing in it, what is asked before it is written.

A front end draws a `Form`, and any value is looked at as soon as it is there: `read_values` tells of each by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludotheque.core.errors import IllegalMove, LudothequeError
from ludotheque.core.info import FLAG

Entry = dict[str, Any]
"""Values by field: one for the table, or a list with one for each seat."""


class InvalidEntry(IllegalMove):
    """An entry that cannot be: `rule`, `key` and `params` as of an `IllegalMove`. Nothing was written.

    Examples:
        >>> import ludotheque
        >>> pad = ludotheque.pad("double_lucky_7", ["Ana", "Ben", "Cleo"], first=0, rounds=7)
        >>> try:
        ...     pad.enter({"bids": [2, 0, 0]})
        ... except InvalidEntry as error:
        ...     print(error)
        Bid goes from 0 to 1; Ana cannot have 2. [D6]
    """

    later: LudothequeError | None = None
    """After a change: why another entry no longer fits."""

    @property
    def field(self) -> str:
        """The field that it is about; empty: the entry as a whole."""
        return str(self.params.get("field", ""))

    @property
    def seats(self) -> list[int]:
        """Whose values it is about; empty: those of all."""
        return _seats_in(self.params)


class Refused(Exception):
    """Raised by a game's `pad.py`: the rule, the key of the reason in its catalogue, and what fills it.

    `field` and `seat` or `seats` among the latter say where the reason is shown.
    """

    def __init__(self, rule: str, key: str, **params: Any) -> None:
        super().__init__(key)
        self.rule = rule
        self.key = key
        self.params = params


@dataclass(frozen=True)
class Field:
    """One thing that an entry says. Its label is the message `pad.fields.<name>`.

    Examples:
        >>> import ludotheque
        >>> pad = ludotheque.pad("double_lucky_7", ["Ana", "Ben", "Cleo"], first=0, rounds=7)
        >>> bids = pad.form.fields[0]
        >>> bids.name, bids.kind, bids.values, bids.each
        ('bids', 'int', range(0, 2), True)
    """

    name: str
    kind: str
    """`int`, `flag`, `choice` (of words or numbers) or `seat` (a choice of players)."""
    values: range | tuple[Any, ...] = FLAG
    """A range of integers, or what there is to choose from."""
    rule: str = ""
    """The rule that bounds it."""
    each: bool = False
    """Whether there is a value for each seat."""
    default: Any = None
    """What it is if left out; None: it must be there."""


@dataclass(frozen=True)
class Form:
    """What the next entry contains. `Pad.form_view` is the same as JSON with all labels.

    Examples:
        >>> import ludotheque
        >>> pad = ludotheque.pad("double_lucky_7", ["Ana", "Ben", "Cleo"], first=0, rounds=7)
        >>> [field.name for field in pad.form.fields], pad.form.seat
        (['bids'], 0)
    """

    key: str
    """The message above it, in the game's catalogue."""
    params: Mapping[str, Any]
    """What fills that."""
    fields: tuple[Field, ...]
    seat: int
    """Whom the table looks at: who deals, or whose turn it is."""
    order: tuple[int, ...] = ()
    """The seats in the order in which they speak, if that is not from 0 on."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """What each kind of card counts, where hands are counted."""


@dataclass(frozen=True)
class Reckoning:
    """What a text says about the table: values for fields of the form.

    Examples:
        >>> import ludotheque
        >>> pad = ludotheque.pad("loba", ["Ana", "Ben", "Cleo"], first=0)
        >>> pad.reckon("5S 10H *").values
        {'points': 40}
    """

    values: dict[str, Any]
    done: bool = True
    """Whether that is all; otherwise the values are those so far."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What else there is to tell, for a front end that knows the game."""


@dataclass(frozen=True)
class Question:
    """What to ask before an entry is written that can be but hardly is. Its message is `key` in the game's catalogue.

    Examples:
        >>> import ludotheque
        >>> pad = ludotheque.pad("loba", ["Ana", "Ben", "Cleo"], first=0)
        >>> question = pad.check({"points": [5, 12, 30]}).questions[0]
        >>> question.key, question.field
        ('pad.ask.nobody_out', 'points')
    """

    key: str
    params: Mapping[str, Any]
    """What fills the message."""
    field: str = ""
    """The field that it is about; empty: the entry as a whole."""

    @property
    def seats(self) -> list[int]:
        """Whose values it is about; empty: those of all."""
        return _seats_in(self.params)


@dataclass(frozen=True)
class Check:
    """What can be said of an entry while it is being written. Nothing is written by it.

    Examples:
        >>> import ludotheque
        >>> pad = ludotheque.pad("loba", ["Ana", "Ben", "Cleo"], first=0)
        >>> check = pad.check({"points": ["5 10 K", 999, None]})
        >>> check.values["points"], [str(error) for error in check.errors]
        ([28, None, None], ['Points in hand goes from 0 to 191; Ben cannot have 999. [B19]'])
        >>> [(error.field, error.seats) for error in check.missing]
        [('points', [2])]
    """

    values: Entry
    """What can be read of it, worked out where that was asked for; None elsewhere."""
    errors: list[InvalidEntry]
    """What cannot be, each at its field."""
    missing: list[InvalidEntry]
    """What is not there yet."""
    questions: list[Question]
    """What to ask before it is written; nothing while something is wrong or missing."""


def _seats_in(params: Mapping[str, Any]) -> list[int]:
    seats = params.get("seats", [params["seat"]] if "seat" in params else [])
    return list(seats)


MISSING = ("entry.missing", "entry.missing_of")


def read_values(
    form: Form, names: Sequence[str], entry: Any, work_out: Callable[[str], Reckoning] | None
) -> tuple[Entry, list[Refused]]:
    """The values of an entry as far as the form can tell, and all that is wrong or missing in it.

    Where a field has a value for each player, a text that is no number is worked out.
    """
    if not isinstance(entry, Mapping):
        return {}, [Refused("", "entry.not_an_entry", value=f"{entry!r:.60}")]
    reader = _Reader(names, work_out)
    known = [one.name for one in form.fields]
    for name in entry:
        if name not in known:
            reader.refusals.append(Refused("", "entry.unknown", value=f"{name!s:.60}", names=known))
    return {one.name: reader.field(one, entry.get(one.name)) for one in form.fields}, reader.refusals


class _Reader:
    def __init__(self, names: Sequence[str], work_out: Callable[[str], Reckoning] | None) -> None:
        self.names = names
        self.work_out = work_out
        self.refusals: list[Refused] = []

    def field(self, one: Field, value: Any) -> Any:
        """The value of a field, or the values; None where there is none to be had."""
        if not one.each:
            return self._value(one, value)
        values = [None] * len(self.names) if value is None else value
        if not isinstance(values, (list, tuple)) or len(values) != len(self.names):
            self.refusals.append(Refused(one.rule, "entry.each", field=one.name, n=len(self.names)))
            values = [None] * len(self.names)
            return values
        return [self._value(one, each, seat) for seat, each in enumerate(values)]

    def _value(self, one: Field, value: Any, seat: int | None = None) -> Any:
        try:
            return self._read(one, value, seat)
        except Refused as refused:
            where = {"field": one.name} if seat is None else {"field": one.name, "seat": seat}
            self.refusals.append(Refused(refused.rule, refused.key, **{**refused.params, **where}))
            return None

    def _read(self, one: Field, value: Any, seat: int | None) -> Any:
        of = "" if seat is None else "_of"
        if value is None or (isinstance(value, str) and not value.strip()):  # an empty field says nothing, not 0
            if one.default is None:
                raise Refused(one.rule, f"entry.missing{of}")
            return one.default
        about = {"value": f"{value!s:.60}"}
        if one.kind == "int":
            return self._number(one, value, of, about)
        if one.kind == "flag":
            if isinstance(value, bool):
                return value
            raise Refused(one.rule, "entry.flag", **about)
        for choice in one.values:
            spellings = (str(choice), self.names[choice]) if one.kind == "seat" else (str(choice),)
            if (type(value) is type(choice) and value == choice) or (isinstance(value, str) and value in spellings):
                return choice
        raise Refused(one.rule, "entry.choice", choices=list(one.values), kind=one.kind, **about)

    def _number(self, one: Field, value: Any, of: str, about: Mapping[str, Any]) -> int:
        if isinstance(value, str):
            if re.fullmatch("[+-]?[0-9]{1,9}", value.strip()):
                value = int(value)
            elif one.each and self.work_out is not None:  # elsewhere a text fills several fields
                value = self.work_out(value).values.get(one.name, value)
        assert isinstance(one.values, range)
        if type(value) is not int or value not in one.values:
            low, high, step = one.values.start, one.values[-1], one.values.step
            key = "entry.range" if step == 1 else "entry.steps"
            raise Refused(one.rule, key + of, low=low, high=high, step=step, **about)
        return value
