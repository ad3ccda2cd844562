"""Words for people: catalogues of messages in French and English, and filling their templates.

A catalogue is a TOML file. A template is a string with `{holes}`, or a table: `one`/`other` chosen by the number `n`
(0 and 1 are singular in French), `known`/`hidden` chosen by whether every hole is filled. A hole named after a table
under `[words]` is put into words by it: `[words.card]` maps notation to a name for `{card}`, and for `{hand:card}` too.
`{player}` is the name of the seat.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ludotheque.core.errors import LudothequeError

LANGUAGES = ("en", "fr")

SHARED = Path(__file__).resolve().parent.parent / "texts"


Piece = tuple[str, str | None, Mapping[str, Any], str]
"""Of a template: text, the hole after it, the words for what goes in, or which parameter says whose name it is."""


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
        for literal, hole, words, seat in pieces:
            said.append(literal)
            if hole is None:
                continue
            if seat in params:
                said.append(self._name(params[seat], names))
            elif hole in params:
                said.append(_put(params[hole], words))
            else:
                raise Missing(f"message {key!r} in {self.lang} has nothing for {{{hole}}}")
        return "".join(said)

    def holes(self, key: str) -> dict[str, bool]:
        """The parameters that the message under a key depends on, in any of its variants.

        True for those that it only says, each by the words of its own name.
        """
        entry = self.find(key)
        found = {"n": False} if isinstance(entry, dict) else {}
        for text in entry.values() if isinstance(entry, dict) else [entry]:
            for _, hole, words, seat in self._take_apart(text):
                if hole:
                    name = seat or hole
                    found[name] = found.get(name, True) and not seat and words == self._words(hole)
        return found

    def _take_apart(self, template: str) -> list[Piece]:
        pieces = string.Formatter().parse(template)
        return [
            (literal, hole, self._words(table or hole or ""), _SEATS.get(hole or "", ""))
            for literal, hole, table, _ in pieces
        ]

    def _variant(self, entry: Mapping[str, Any], params: Mapping[str, Any]) -> str:
        if "hidden" in entry:
            return "hidden" if any(value is None for value in params.values()) else "known"
        n = params.get("n", 0)
        return "one" if n == 1 or (n == 0 and self.lang == "fr") else "other"

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


E = TypeVar("E", bound=LudothequeError)


def worded(kind: type[E], key: str, **params: Any) -> E:
    """An error that can be said in every language: its message is a shared one, under `errors`."""
    error = kind(shared("en").say(f"errors.{key}", params))
    error.said = key, params
    return error


def error_text(error: BaseException, lang: str) -> str:
    """What went wrong, in a language if it can be said there, else in English."""
    if isinstance(error, LudothequeError) and error.said is not None:
        key, params = error.said
        return shared(lang).say(f"errors.{key}", params)
    return str(error)
