"""Plural forms and elision: the same in Python as in the pages, whose cases are read here."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from ludotheque.core.grammar import begins_with_vowel, elided, plural
from ludotheque.core.texts import Catalogue

CASES = json.loads(
    (Path(__file__).parents[2] / "web" / "src" / "lib" / "grammar.cases.json").read_text(encoding="utf-8")
)
ELIDING = ("de", "le", "la", "que", "ne", "se", "je", "jusque", "lorsque", "De", "Que")


@pytest.fixture
def fr(tmp_path: Path) -> Catalogue:
    lines = [f'{word}_{n} = "Vu {word} {{name}}."' for n, word in enumerate(ELIDING)]
    (tmp_path / "fr.toml").write_text("\n".join([*lines, 'turn = "Au tour de {player}"']), encoding="utf-8")
    return Catalogue(tmp_path, "fr")


def test_elision_before_names(fr: Catalogue) -> None:
    for n, word in enumerate(ELIDING):
        for name in CASES["elided"]:
            assert fr.say(f"{word}_{n}", {"name": name}) == f"Vu {word[:-1]}’{name}."
        for name in CASES["kept"]:
            assert fr.say(f"{word}_{n}", {"name": name}) == f"Vu {word} {name}."


def test_a_seat_is_a_name_too(fr: Catalogue) -> None:
    assert fr.say("turn", {"seat": 0}, ["Ana", "Ben"]) == "Au tour d’Ana"
    assert fr.say("turn", {"seat": 1}, ["Ana", "Ben"]) == "Au tour de Ben"


def test_only_words_that_elide_do() -> None:
    assert not [text for text in ("à ", "code ", "pour ", "une ", "vide ", "de", "de  x ", "") if elided(text, "fr")]
    assert elided("de ", "en") is None


def test_a_name_with_a_consonant_never_elides() -> None:
    """Whatever follows it; and a vowel always does before a consonant."""
    chance = random.Random(7)
    for _ in range(2000):
        rest = "".join(chance.choices("abcdefghijklmnopqrstuvwxyzéèï", k=chance.randint(1, 10)))
        assert not begins_with_vowel(chance.choice("bcdfgjklmnpqrstvwxzç") + rest)
        assert begins_with_vowel(chance.choice("aeiuéèâîœÉÀ") + chance.choice("bcdflmnprst") + rest)


def test_plural_forms() -> None:
    for n in range(-30, 1031):
        assert plural("en", n) == ("one" if abs(n) == 1 else "other")
        assert plural("fr", n) == ("one" if abs(n) < 2 else "other")
    assert [plural("fr", n) for n in (0.5, 1.5, 1.99, 2.0)] == ["one", "one", "one", "other"]
    assert [plural("en", n) for n in (0.5, 1.5)] == ["other", "other"]
