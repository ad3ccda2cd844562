"""The score sheet: keeping score for people who play with real cards or dice at a real table.

A pad is a list of entries, each what the table writes down at a time: a round, a turn, a token lost. Behind it stands a
real record of the game, on which the rules' own scoring is called and nothing else: sums, who deals next, the end of
the match and the places are the rules'. What an entry contains is a form that any front end can draw
(`pad_entry.py`). Pads do not change: writing, inserting, removing or moving an entry gives a new pad, in which
everything after it is counted anew, and an impossible entry leaves everything as it was.

A game's `pad.py` defines `NOTES`, `begin`, `form` and `write`; if a pad plays by other options than a match unless told
otherwise, `DEFAULTS`; if numbers can be worked out from what lies on the table, `reckon`; if an entry can be that
hardly is, `questions`; if seats score together, `sides`; if what is counted depends on the options, `score`; if a round
is called otherwise, `pad.round` in its texts. Nothing of it is compiled, and nothing is compiled for it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ludotheque.core import registry
from ludotheque.core.chance import key_from_seed, set_key
from ludotheque.core.errors import InvalidOptions, InvalidRecord, LudothequeError, MatchOver
from ludotheque.core.info import Options
from ludotheque.core.jit import plain
from ludotheque.core.match import check_names
from ludotheque.core.pad_entry import (
    MISSING,
    Check,
    Entry,
    Field,
    Form,
    InvalidEntry,
    Question,
    Reckoning,
    Refused,
    read_values,
)
from ludotheque.core.record import NOBODY, Buffer, Record
from ludotheque.core.records import check_owner
from ludotheque.core.texts import SHARED, catalogue, error_text

if TYPE_CHECKING:
    from ludotheque.core.game import Game

FORMAT = 1
"""Version of a pad's JSON."""

MARK = "ludotheque_pad"
"""The key that marks a pad's JSON."""

MAX_ENTRIES = 2000  # eight players have 250 turns each
MAX_SEED = 2**32


@dataclass(frozen=True)
class Row:
    """A round on the sheet, or as much of it as is written.

    Examples:
        >>> import ludotheque
        >>> pad = ludotheque.pad("double_lucky_7", ["Ana", "Ben", "Cleo"], first=0, rounds=7)
        >>> pad = pad.enter({"bids": [0, 1, 1]}).enter({"tricks": [0, 1, 0]})
        >>> pad.rounds[0].points, pad.rounds[0].is_done
        ([10, 12, 0], True)
    """

    round: int
    """1 is the first."""
    points: list[int]
    """What the round brought, by seat (below 0 where tokens are lost)."""
    totals: list[int]
    """The sums after it, by seat."""
    is_done: bool
    entries: list[int]
    """Which entries it consists of."""
    notes: list[dict[str, Any]]
    """What else happened, as events of the game; `Pad.note_text` puts them into words."""


@dataclass(frozen=True)
class _Page:
    """The book before the first entry, and after each."""

    record: Buffer
    round: int
    over: bool
    totals: list[int]
    places: list[int]
    form: Form | None
    notes: list[dict[str, Any]]


class Pad:
    """A score sheet. Get one with `ludotheque.pad`, or from JSON with `Pad.from_json`.

    A pad does not change: `enter`, `correct`, `insert`, `remove`, `move`, `rename` and `back` give another one, and an
    error leaves it as it was.

    Examples:
        >>> import ludotheque
        >>> pad = ludotheque.pad("double_lucky_7", ["Ana", "Ben", "Cleo"], first=0, rounds=7)
        >>> pad = pad.enter({"bids": [0, 1, 1]}).enter({"tricks": [0, 1, 0]})
        >>> pad.totals, pad.places, pad.over
        ([10, 12, 0], [2, 1, 3], False)
        >>> pad.correct(1, {"tricks": [1, 0, 0]}).totals
        [0, 0, 0]
        >>> pad.rename(["Ana", "Bea", "Cleo"]).names
        ['Ana', 'Bea', 'Cleo']
        >>> Pad.from_json(pad.to_json()).totals
        [10, 12, 0]
    """

    def __init__(self, game: Game, names: Sequence[str], options: Options, first: int, seed: int) -> None:
        self.game = game
        self.names = list(names)
        """The players' names by seat, clockwise."""
        self.options = options
        """What the table plays by."""
        self.first = first
        """The seat that deals first, or begins."""
        self.seed = seed
        """What the pad draws by lot (forfeits) comes from this."""
        self.entries: tuple[Entry, ...] = ()
        """What was written."""
        self._module = _load(game.id)
        buf = np.zeros(game.info.state.itemsize, np.uint8)
        s = game.read(buf)
        s.num_seats = len(names)
        plain(game.rules.new_match)(s, options.codes)
        self._module.begin(s, first)
        self._pages: tuple[_Page, ...] = (self._page(buf, []),)

    def __repr__(self) -> str:
        return f"<Pad {self.game.id} {', '.join(self.names)}: {len(self.entries)} entries>"

    def __str__(self) -> str:
        """The sheet: a line for each round, and the sums."""
        head = ["", *self.names]
        rows = [[str(row.round), *map(str, row.points)] for row in self.rounds]
        table = [head, *rows, ["=", *map(str, self.totals)]]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in table]
        return "\n".join([self.game.info.name, *lines])

    def _repr_html_(self) -> str:
        from ludotheque.core.html import pad_html

        return pad_html(self)

    def __len__(self) -> int:
        """How many entries were written."""
        return len(self.entries)

    def __bool__(self) -> bool:
        """A pad is always something, before its first entry too."""
        return True

    def __eq__(self, other: object) -> bool:
        """The same game, names, options, lots and entries."""
        return self.to_json() == other.to_json() if isinstance(other, Pad) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # the list of names can be changed

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_module": None, "rules_version": self.game.info.rules_version}

    def __setstate__(self, state: dict[str, Any]) -> None:
        game: Game = state["game"]
        game.info.check_version(state.pop("rules_version"))
        self.__dict__.update(state)
        self._module = _load(game.id)

    def _page(self, buf: Buffer, notes: list[dict[str, Any]]) -> _Page:
        s = self.game.read(buf)
        totals, places = [0] * s.num_seats, [0] * s.num_seats
        plain(self.game.rules.outcome)(s, totals, places)
        form = None if s.over else self._module.form(s)
        return _Page(buf, s.round_no, bool(s.over), totals, places, form, notes)

    def _with(self, entries: tuple[Entry, ...], pages: tuple[_Page, ...]) -> Pad:
        twin = object.__new__(Pad)
        twin.__dict__ |= {k: v for k, v in self.__dict__.items() if k not in ("rounds", "sides")}
        twin.entries = entries
        twin._pages = pages
        return twin

    @property
    def form(self) -> Form | None:
        """What the next entry contains; None when the match is over."""
        return self._pages[-1].form

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._pages[-1].over

    @property
    def totals(self) -> list[int]:
        """The sums by seat of whatever the game counts. In some games few are good."""
        return list(self._pages[-1].totals)

    @property
    def places(self) -> list[int]:
        """Places as they stand, by seat: 1 is first, equals share."""
        return list(self._pages[-1].places)

    @cached_property
    def sides(self) -> list[list[int]]:
        """The seats that score as one: each alone, or partners."""
        if hasattr(self._module, "sides"):
            result: list[list[int]] = self._module.sides(self._record())
            return result
        return [[seat] for seat in range(len(self.names))]

    @cached_property
    def rounds(self) -> list[Row]:
        """The sheet: a row for each round, the one being written too."""
        rows: list[Row] = []
        for index, (before, after) in enumerate(pairwise(self._pages)):
            start, entries, notes = before, [index], list(after.notes)
            if rows and rows[-1].round == before.round:
                row = rows.pop()
                start, entries, notes = self._pages[row.entries[0]], [*row.entries, index], row.notes + notes
            points = [after.totals[seat] - start.totals[seat] for seat in range(len(self.names))]
            is_done = after.over or after.round != before.round
            rows.append(Row(before.round, points, list(after.totals), is_done, entries, notes))
        return rows

    def _record(self) -> Record:
        return self.game.read(self._pages[-1].record.copy())

    def enter(self, entry: Mapping[str, Any]) -> Pad:
        """The pad with one more entry. `InvalidEntry` says why it cannot be, `MatchOver` that there is no more."""
        form = self.form
        if form is None:
            raise MatchOver(self.say("errors.over"))
        try:
            if len(self.entries) == MAX_ENTRIES:
                raise Refused("", "entry.full", n=MAX_ENTRIES)
            values, refusals = self._read(form, entry)
            for refused in refusals:
                raise refused
            page = self._write(values)
        except Refused as refused:
            raise self._invalid(refused) from None
        return self._with((*self.entries, values), (*self._pages, page))

    def _write(self, values: Entry) -> _Page:
        buf = self._pages[-1].record.copy()
        s = self.game.read(buf)
        # Lots depend on the number of the entry alone, so that a correction does not draw later ones anew.
        plain(set_key)(s, key_from_seed(f"pad {self.seed} {len(self.entries)}"))
        s.num_events = 0
        self._module.write(s, values)
        notes = [
            self.game.views.event(s, NOBODY, s.event_kind[i], s.event_seat[i], *s.event_args[i])
            for i in range(s.num_events)
            if s.event_kind[i] in self._module.NOTES
        ]
        return self._page(buf, notes)

    def check(self, entry: Mapping[str, Any]) -> Check:
        """What can be said of an entry before it is written, also of one with gaps: each error at its field."""
        form = self.form
        if form is None:
            raise MatchOver(self.say("errors.over"))
        values, refusals = self._read(form, entry)
        questions: list[Question] = []
        if not refusals:
            try:
                self._write(values)
                if hasattr(self._module, "questions"):
                    questions = self._module.questions(self._record(), values)
            except Refused as refused:
                refusals = [refused]
        errors = [self._invalid(refused) for refused in refusals if refused.key not in MISSING]
        missing = [self._invalid(refused) for refused in refusals if refused.key in MISSING]
        return Check(values, errors, missing, questions)

    def correct(self, index: int, entry: Mapping[str, Any]) -> Pad:
        """The pad with an entry replaced and everything after it counted anew, or an `InvalidEntry`."""
        after = self._numbered()[self._check_index(index) + 1 :]
        return self._rewrite(index, [(None, entry), *after])

    def insert(self, index: int, entry: Mapping[str, Any]) -> Pad:
        """The pad with one more entry before entry `index`, everything after it counted anew, or an `InvalidEntry`."""
        kept = len(self.at(index))
        return self._rewrite(kept, [(None, entry), *self._numbered()[kept:]])

    def remove(self, index: int) -> Pad:
        """The pad without an entry, everything after it counted anew, or an `InvalidEntry`."""
        return self._rewrite(self._check_index(index), self._numbered()[index + 1 :])

    def move(self, index: int, to: int) -> Pad:
        """The pad with an entry at another place, `to` in the new order, or an `InvalidEntry`."""
        order = self._numbered()
        order.insert(self._check_index(to), order.pop(self._check_index(index)))
        kept = min(index, to)
        return self._rewrite(kept, order[kept:])

    def _numbered(self) -> list[tuple[int | None, Mapping[str, Any]]]:
        return list(enumerate(self.entries))

    def _rewrite(self, kept: int, entries: Sequence[tuple[int | None, Mapping[str, Any]]]) -> Pad:
        """The first entries as they are, and these after them, each with its number on this pad if it has one."""
        pad = self.at(kept)
        for number, entry in entries:
            try:
                pad = pad.enter(entry)
            except (InvalidEntry, MatchOver) as error:
                if number is None:
                    raise
                raise self._invalid(Refused("", "entry.later", entry=number + 1), error) from None
        return pad

    def rename(self, names: Sequence[str]) -> Pad:
        """The same pad with other names, by seat."""
        if isinstance(names, int) or len(names) != len(self.names):
            raise InvalidOptions(f"there are {len(self.names)} players, so as many names")
        twin = self._with(self.entries, self._pages)
        twin.names = check_names(names)
        return twin

    def at(self, count: int) -> Pad:
        """The pad as it was after `count` entries. Its form is the one that entry `count` filled in."""
        if type(count) is not int or not 0 <= count <= len(self.entries):
            raise LudothequeError(f"the pad has {len(self.entries)} entries, there is no moment {count!r}")
        return self._with(self.entries[:count], self._pages[: count + 1])

    def back(self, count: int = 1) -> Pad:
        """The pad without its last entries."""
        return self.at(len(self.entries) - count)

    def _check_index(self, index: int) -> int:
        if type(index) is not int or not 0 <= index < len(self.entries):
            raise LudothequeError(f"there are {len(self.entries)} entries, counted from 0, and no entry {index!r}")
        return index

    def reckon(self, text: str) -> Reckoning:
        """What a text in notation (the cards left in a hand, the steps of a turn) says for the form."""
        if self.form is None:
            raise MatchOver(self.say("errors.over"))
        try:
            return self._reckon(text)
        except Refused as refused:
            raise self._invalid(refused) from None

    @property
    def can_reckon(self) -> bool:
        """Whether the game works numbers out from text."""
        return hasattr(self._module, "reckon")

    def _reckon(self, text: str) -> Reckoning:
        if not self.can_reckon:
            raise Refused("", "entry.no_reckoning")
        result: Reckoning = self._module.reckon(self._record(), text)
        return result

    def _read(self, form: Form, entry: Any) -> tuple[Entry, list[Refused]]:
        return read_values(form, self.names, entry, self._reckon if self.can_reckon else None)

    def _invalid(self, refused: Refused, later: LudothequeError | None = None) -> InvalidEntry:
        error = InvalidEntry("", refused.rule, refused.key, refused.params)
        error.later = later
        error.args = (self.refusal_text(error, "en"),)
        return error

    def refusal_text(self, error: LudothequeError, lang: str = "en") -> str:
        """A refusal in a language."""
        if not isinstance(error, InvalidEntry):
            return self.say("errors.over", {}, lang) if isinstance(error, MatchOver) else error_text(error, lang)
        params = dict(error.params)
        if "names" in params:
            params["names"] = [f"{self._label(name, lang)} ({name})" for name in params["names"]]
        if "choices" in params:
            params["choices"] = self._labels(params["field"], params["kind"], params["choices"], lang)
        if "field" in params:
            params["field"] = self._label(params["field"], lang)
        if error.later is not None:
            params["reason"] = self.refusal_text(error.later, lang)
        text = self.say(error.key, params, lang)
        return f"{text} [{error.rule}]" if error.rule else text

    def question_text(self, question: Question, lang: str = "en") -> str:
        """A question in a language."""
        return self.say(question.key, question.params, lang)

    def say(self, key: str, params: Mapping[str, Any] | None = None, lang: str = "en") -> str:
        """A message of the game's catalogue, of the pads' own, or one that all share."""
        words = self.game.catalogue(lang)
        if words.find(key) is None:
            words = catalogue(SHARED / "pad", lang)
        return words.say(key, params, self.names)

    def score_text(self, lang: str = "en") -> str:
        """What is counted: points, tokens…"""
        key = self._module.score(self._record()) if hasattr(self._module, "score") else "pad.score"
        return self.say(key, {}, lang)

    def note_text(self, note: Mapping[str, Any], lang: str = "en") -> str:
        """A note of the sheet in words."""
        words = self.game.catalogue(lang)
        params = self.game.views.localise(note, words, self.options)
        return words.say(f"events.{note['type']}", params, self.names)

    def entry_text(self, index: int, lang: str = "en") -> str:
        """An entry in words, for a list to choose from when one is wrong."""
        form = self._pages[self._check_index(index)].form
        assert form is not None
        parts = []
        for one in form.fields:
            value = self.entries[index][one.name]
            if value == one.default:
                continue
            if one.each:
                value = ", ".join(f"{name} {each}" for name, each in zip(self.names, value, strict=True))
            elif one.kind == "flag":
                value = self.say("entry.yes", {}, lang)
            elif one.kind != "int":
                value = self._labels(one.name, one.kind, [value], lang)[0]
            parts.append(self.say("entry.part", {"label": self._label(one.name, lang), "value": value}, lang))
        return " · ".join(parts)

    def entry_title(self, index: int, lang: str = "en") -> str:
        """What stood above the form that an entry filled in: which round, whose turn."""
        form = self._pages[self._check_index(index)].form
        assert form is not None
        return self.say(form.key, form.params, lang)

    def _label(self, name: str, lang: str) -> str:
        return self.say(f"pad.fields.{name}", {}, lang)

    def _labels(self, name: str, kind: str, values: Sequence[Any], lang: str) -> list[str]:
        """What there is to choose from, in words."""
        if kind == "seat":
            return [self.names[value] for value in values]
        words = self.game.catalogue(lang)
        return [str(words.find(f"pad.values.{name}.{value}") or value) for value in values]

    def form_view(self, lang: str = "en") -> dict[str, Any] | None:
        """The form with its texts, as JSON."""
        form = self.form
        if form is None:
            return None
        return {
            "title": self.say(form.key, form.params, lang),
            "seat": form.seat,
            "order": list(form.order or range(len(self.names))),
            "fields": self._fields_view(form, lang),
            "reckon": self.say("pad.reckon", {}, lang) if self.can_reckon else None,
            "counts": dict(form.counts) or None,
        }

    def _fields_view(self, form: Form, lang: str) -> list[dict[str, Any]]:
        fields = []
        for one in form.fields:
            shown: dict[str, Any] = {"name": one.name, "label": self._label(one.name, lang), "rule": one.rule}
            shown |= {"kind": "choice" if one.kind == "seat" else one.kind, "each": one.each, "default": one.default}
            if one.kind == "int":
                assert isinstance(one.values, range)
                shown |= {"low": one.values.start, "high": one.values[-1], "step": one.values.step}
            elif one.kind != "flag":
                labels = self._labels(one.name, one.kind, one.values, lang)
                pairs = zip(one.values, labels, strict=True)
                shown["choices"] = [{"value": value, "label": label} for value, label in pairs]
            fields.append(shown)
        return fields

    def _forms_view(self, lang: str) -> tuple[list[list[dict[str, Any]]], list[int]]:
        """The fields that entries were written with, each kind once, and which of them every entry has."""
        kinds: dict[tuple[Field, ...], int] = {}
        forms: list[list[dict[str, Any]]] = []
        which = []
        for page in self._pages[:-1]:
            assert page.form is not None
            if page.form.fields not in kinds:
                kinds[page.form.fields] = len(forms)
                forms.append(self._fields_view(page.form, lang))
            which.append(kinds[page.form.fields])
        return forms, which

    def view(self, lang: str = "en") -> dict[str, Any]:
        """Everything a front end needs to show the pad, as JSON, with texts in `lang`."""
        forms, entry_forms = self._forms_view(lang)
        return {
            **self.to_json(),
            "sides": self.sides,
            "score": self.score_text(lang),
            "rounds": [
                {
                    "round": row.round,
                    "points": row.points,
                    "totals": row.totals,
                    "done": row.is_done,
                    "entries": row.entries,
                    "notes": [{**note, "text": self.note_text(note, lang)} for note in row.notes],
                }
                for row in self.rounds
            ],
            "entry_titles": [self.entry_title(index, lang) for index in range(len(self.entries))],
            "entry_texts": [self.entry_text(index, lang) for index in range(len(self.entries))],
            "forms": forms,  # what entries were written with, for correcting them
            "entry_forms": entry_forms,  # which of those, by entry
            "totals": self.totals,
            "places": self.places,
            "over": self.over,
            "form": self.form_view(lang),
        }

    def to_json(self) -> dict[str, Any]:
        """The pad as JSON; `from_json` reads it back."""
        return {
            MARK: FORMAT,
            "game": self.game.id,
            "players": list(self.names),
            "options": self.options.to_json(),
            "first": self.first,
            "seed": self.seed,
            "entries": [{k: list(v) if isinstance(v, list) else v for k, v in e.items()} for e in self.entries],
        }

    def to_csv(self, lang: str = "en") -> str:
        """The sheet for a spreadsheet: a row for each entry with what it brought, the totals and the places."""
        from ludotheque.core.pad_csv import pad_csv

        return pad_csv(self, lang)

    @property
    def steps(self) -> list[tuple[int, list[int]]]:
        """For each entry its round, and what it brought, by seat."""
        return [
            (before.round, [now - then for now, then in zip(after.totals, before.totals, strict=True)])
            for before, after in pairwise(self._pages)
        ]

    @staticmethod
    def from_json(data: Any) -> Pad:
        """The pad that JSON tells, every entry checked again. `InvalidRecord` says what is wrong with it."""
        return _read_pad(data)


def has_pad(game_id: str) -> bool:
    """Whether there is a score sheet for a game."""
    return find_spec(f"{registry.package(game_id)}.pad") is not None


def _load(game_id: str) -> ModuleType:
    if not has_pad(game_id):
        raise LudothequeError(f"{game_id} has no score sheet")
    return import_module(f"{registry.package(game_id)}.pad")


def pad_defaults(game_id: str) -> dict[str, Any]:
    """The options that a pad plays by unless told otherwise, where they differ from those of a match."""
    return dict(getattr(_load(game_id), "DEFAULTS", {}))


def new_pad(
    game_id: str,
    names: int | Sequence[str],
    first: int | None = None,
    seed: int | None = None,
    **options: Any,
) -> Pad:
    """An empty pad. `first` is the seat that deals first or begins; without it, it is drawn by lot."""
    game = registry.load(game_id)
    players = check_names(names)
    checked = game.options(len(players), {**pad_defaults(game_id), **options})
    if first is None:
        first = secrets.randbelow(len(players))
    if seed is None:
        seed = secrets.randbelow(MAX_SEED)
    if type(first) is not int or not 0 <= first < len(players):
        raise InvalidOptions(f"first is a seat from 0 to {len(players) - 1}, not {first!r}")
    if type(seed) is not int or not 0 <= seed < MAX_SEED:
        raise InvalidOptions(f"a pad's seed is a number from 0 to {MAX_SEED - 1}, not {seed!r}")
    return Pad(game, players, checked, first, seed)


def _read_pad(data: Any) -> Pad:
    keys = {MARK, "game", "players", "options", "first", "seed", "entries"}
    if not isinstance(data, Mapping) or MARK not in data:
        raise InvalidRecord("not a score sheet")
    if data[MARK] != FORMAT or type(data[MARK]) is not int:
        raise InvalidRecord(f"this program reads score sheets of format {FORMAT}, not {data[MARK]!r:.60}")
    for name in sorted(keys - set(data)):
        raise InvalidRecord(f"the score sheet lacks {name!r}; it may have been cut short")
    for name in data:
        if name not in keys:
            raise InvalidRecord(f"unknown key {name!r:.60} in the score sheet")
    if not isinstance(data["game"], str) or not isinstance(data["players"], list):
        raise InvalidRecord("the score sheet's game is a word and its players are a list of names")
    if not isinstance(data["options"], Mapping) or not all(isinstance(name, str) for name in data["options"]):
        raise InvalidRecord("the score sheet's options are an object")
    if data["first"] is None or data["seed"] is None or not isinstance(data["entries"], list):
        raise InvalidRecord("the score sheet's first and seed are numbers and its entries are a list")
    game = registry.load(data["game"])
    check_owner(game, data)
    try:
        names = check_names(data["players"])
        checked = game.options(len(names), data["options"]).to_json()
        pad = new_pad(game.id, names, data["first"], data["seed"], **checked)
    except InvalidOptions as error:
        raise InvalidRecord(str(error)) from None
    for number, entry in enumerate(data["entries"], 1):
        try:
            pad = pad.enter(entry)
        except LudothequeError as error:
            raise InvalidRecord(f"entry {number} of the score sheet cannot be: {error}") from None
    return pad
