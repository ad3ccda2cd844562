"""Words for people: catalogues of messages in French and English, and filling their templates.

A catalogue is a TOML file. A template is a string with `{holes}`, or a table: `one`/`other` chosen by the number `n`
(0 and 1 are singular in French), `known`/`hidden` chosen by whether every hole is filled. A hole named after a table
under `[words]` is put into words by it: `[words.card]` maps notation to a name for `{card}`, and for `{hand:card}` too.
French words before a hole are elided by themselves: `de {player}` becomes “d’Ana”.
`{player}` is the name of the seat. `{scores:by seat}` and `{tops:card by seat}` say each value with its seat's name.

Cards have two tables: `[words.card]` as a sentence says them, `[words.face]` in short, as printed on the card.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ludotheque.core.errors import GameWarning, LudothequeError
from ludotheque.core.grammar import begins_with_vowel, elided, plural

LANGUAGES = ("en", "fr")

SHARED = Path(__file__).resolve().parent.parent / "texts"

MAX_MISTYPED = 40
"""Characters that are looked at when somebody mistypes a name."""

BY_SEAT = "by seat"
"""Behind a hole: its values are one for each seat."""


class Piece(NamedTuple):
    """Of a template: a text, and the hole after it."""

    literal: str
    elided: str | None
    """The text as it is before a vowel, if that is another one."""
    hole: str | None
    words: Mapping[str, Any]
    """For what goes into the hole."""
    seat: str
    """The parameter that says whose name goes in; empty if none does."""
    by_seat: bool


class Missing(LudothequeError):
    """A message that the catalogue does not have, or a hole nothing fills: a defect of ours."""


def check_language(lang: str) -> str:
    """The language if we speak it."""
    if lang not in LANGUAGES:
        raise LudothequeError(f"we speak {' and '.join(LANGUAGES)}, not {lang!r}")
    return lang


@cache
def _load(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


class Catalogue:
    """The messages of one folder in one language, on top of the shared ones."""

    def __init__(self, folder: Path, lang: str) -> None:
        self.lang = check_language(lang)
        self._own = _load(folder / f"{lang}.toml")
        self._shared = _load(SHARED / f"{lang}.toml")
        self._found: dict[str, Any] = {}
        self._pieces: dict[str, list[Piece]] = {}

    def find(self, key: str) -> Any:
        """The entry under a dotted key, or None."""
        try:
            return self._found[key]
        except KeyError:
            found = self._found[key] = self._look_up(key)
            return found

    def _look_up(self, key: str) -> Any:
        for tree in (self._own, self._shared):
            node: Any = tree
            for part in key.split("."):
                node = node.get(part) if isinstance(node, dict) else None
            if node is not None:
                return node
        return None

    def keys(self) -> Iterator[str]:
        """The dotted keys of this folder's own messages."""

        def walk(node: Mapping[str, Any], prefix: str) -> Iterator[str]:
            for name, value in node.items():
                if isinstance(value, dict):
                    yield from walk(value, f"{prefix}{name}.")
                else:
                    yield prefix + name

        return walk(self._own, "")

    def word(self, table: str, value: Any) -> str:
        """A value in words: through `[words.<table>]` if there is such an entry, lists joined, else as it is."""
        return _put(value, self._words(table))

    def _words(self, table: str) -> dict[str, Any]:
        found = self.find("words." + table)
        return found if isinstance(found, dict) else {}

    def shorten(self, text: str) -> str:
        """A text where there is little space: cards as they are printed, not in words."""
        faces = self._words("face")
        for notation, word in sorted(self._words("card").items(), key=lambda entry: -len(entry[1])):
            text = text.replace(word, faces.get(notation, notation))
        return text

    def say(self, key: str, params: Mapping[str, Any] | None = None, names: Sequence[str] = ()) -> str:
        """The message under a key, filled with `params`; seats become names."""
        params = params or {}
        entry = self.find(key)
        if isinstance(entry, dict):
            entry = entry.get(self._variant(entry, params))
        if not isinstance(entry, str):
            raise Missing(f"no message {key!r} in {self.lang}")
        pieces = self._pieces.get(entry)
        if pieces is None:
            pieces = self._pieces[entry] = self._take_apart(entry)
        said = []
        for literal, elision, hole, words, seat, by_seat in pieces:
            if hole is None:
                said.append(literal)
                continue
            if seat in params:
                value = self._name(params[seat], names)
            elif hole not in params:
                raise Missing(f"message {key!r} in {self.lang} has nothing for {{{hole}}}")
            elif by_seat:
                value = self._by_seat([_put(value, words) for value in params[hole]], names)
            else:
                value = _put(params[hole], words)
            said += [literal if elision is None or not begins_with_vowel(value) else elision, value]
        return "".join(said)

    def _take_apart(self, template: str) -> list[Piece]:
        pieces = []
        for literal, hole, spec, _ in string.Formatter().parse(template):
            table = (spec or "").removesuffix(BY_SEAT).rstrip()
            words = self._words(table or hole or "")
            seat, by_seat = _SEATS.get(hole or "", ""), (spec or "").endswith(BY_SEAT)
            pieces.append(Piece(literal, elided(literal, self.lang), hole, words, seat, by_seat))
        return pieces

    def _variant(self, entry: Mapping[str, Any], params: Mapping[str, Any]) -> str:
        if "hidden" in entry:
            return "hidden" if any(value is None for value in params.values()) else "known"
        return plural(self.lang, params.get("n", 0))

    def _by_seat(self, values: Sequence[str], names: Sequence[str]) -> str:
        pairs = zip(values, names, strict=True)
        return ", ".join([self.say("of_seat", {"value": value, "name": name}) for value, name in pairs])

    def _name(self, seat: Any, names: Sequence[str]) -> str:
        if type(seat) is int and 0 <= seat < len(names):
            return names[seat]
        if isinstance(seat, (list, tuple)):
            parts = [self._name(one, names) for one in seat]
            joint = f" {self.find('and')} "
            return joint.join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
        return str(self.find("nobody"))


_SEATS = {"player": "seat", "other": "other", "players": "seats"}
"""Holes that are seats, and the parameter that says which."""


def _put(value: Any, words: Mapping[str, Any]) -> str:
    """A value in words, lists joined; if there are none, as it is."""
    if isinstance(value, str):
        return str(words.get(value, value))
    if isinstance(value, (list, tuple)):
        return ", ".join([_put(item, words) for item in value])
    text = str(value)
    if text in words:
        return str(words[text])
    return text.replace("-", "−") if isinstance(value, int) and value < 0 else text


@cache
def catalogue(folder: Path, lang: str) -> Catalogue:
    """The catalogue of a folder; read once."""
    return Catalogue(folder, lang)


def shared(lang: str) -> Catalogue:
    """The messages that belong to no game."""
    return catalogue(SHARED, lang)


E = TypeVar("E", bound=LudothequeError | GameWarning)


def worded(kind: type[E], key: str, **params: Any) -> E:
    """An error or warning that can be said in every language: its message is a shared one, under `errors`.

    A parameter `near` that is not None is asked about at the end: did you mean it?
    """
    error = kind(_error(key, params, "en"))
    error.said = key, params
    return error


def _error(key: str, params: Mapping[str, Any], lang: str) -> str:
    text = shared(lang).say(f"errors.{key}", params)
    return text if params.get("near") is None else text + shared(lang).say("errors.did_you_mean", params)


def nearest(text: Any, known: Iterable[str], alike: float = 0.6) -> str | None:
    """What somebody may have meant who wrote something that is not among what is known.

    `alike` says how much it must resemble that, from 0 to 1.
    """
    import difflib

    names = {name.lower(): name for name in known}
    found = difflib.get_close_matches(str(text)[:MAX_MISTYPED].lower(), names, 1, alike)
    return names[found[0]] if found else None


def error_text(error: BaseException, lang: str) -> str:
    """What went wrong, in a language if it can be said there, else in English."""
    if isinstance(error, LudothequeError | GameWarning) and error.said is not None:
        key, params = error.said
        return _error(key, params, lang)
    return str(error)
