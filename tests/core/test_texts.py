"""Catalogues: filling templates, and the same messages in French and English for every game."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

import ludotheque
from ludotheque import LudothequeError
from ludotheque.core.texts import LANGUAGES, Catalogue, Missing, catalogue, shared
from ludotheque.scaffold import PROJECT

EN = """
plain = "It rains."
hole = "{player} plays {card}."
many = { one = "{n} card", other = "{n} cards" }
drawn = { known = "{player} draws {card}.", hidden = "{player} draws a card." }
winners = "{players} won."
turn = "It is {other}'s turn."
list = "{hand:card}"
total = "Total: {total}."
braces = "{{{card}}}"
sums = "Points: {points:by seat}."
tops = "Turned: {tops:card by seat}."
[words.card]
G1 = "green 1"
G11 = "green 11"
[words.face]
G11 = "g11"
"""
FR = """
plain = "Il pleut."
hole = "{player} joue {card}."
many = { one = "{n} carte", other = "{n} cartes" }
drawn = { known = "{player} pioche {card}.", hidden = "{player} pioche une carte." }
winners = "Victoire pour {players}."
"""
NAMES = ["Ana", "Ben", "Cleo"]


@pytest.fixture
def en(tmp_path: Path) -> Catalogue:
    (tmp_path / "en.toml").write_text(EN, encoding="utf-8")
    return Catalogue(tmp_path, "en")


@pytest.fixture
def fr(tmp_path: Path) -> Catalogue:
    (tmp_path / "fr.toml").write_text(FR, encoding="utf-8")
    return Catalogue(tmp_path, "fr")


def test_templates_are_filled(en: Catalogue) -> None:
    assert en.say("plain") == "It rains."
    assert en.say("hole", {"seat": 1, "card": "R2"}, NAMES) == "Ben plays R2."
    assert en.say("hole", {"seat": 1, "card": "G1"}, NAMES) == "Ben plays green 1."
    assert en.say("list", {"hand": ["R2", "G1"]}) == "R2, green 1"
    assert en.say("total", {"total": -10}) == "Total: −10."
    assert en.say("total", {"total": 0}) == "Total: 0."
    assert en.say("braces", {"card": 3}) == "{3}"
    assert en.say("turn", {"other": 2}, NAMES) == "It is Cleo's turn."


def test_cards_are_short_where_space_is(en: Catalogue) -> None:
    assert en.shorten("Lay green 11, green 1 and nothing else") == "Lay g11, G1 and nothing else"


def test_values_of_seats_are_said_with_names(en: Catalogue) -> None:
    assert en.say("sums", {"points": [3, -1, 0]}, NAMES) == "Points: 3 for Ana, −1 for Ben, 0 for Cleo."
    assert en.say("tops", {"tops": ["G1", "R2"]}, NAMES[:2]) == "Turned: green 1 for Ana, R2 for Ben."
    with pytest.raises(ValueError):
        en.say("sums", {"points": [1, 2]}, NAMES)


@pytest.mark.parametrize(("n", "text"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (11, "11 cards")])
def test_english_numbers(en: Catalogue, n: int, text: str) -> None:
    assert en.say("many", {"n": n}) == text


@pytest.mark.parametrize(("n", "text"), [(0, "0 carte"), (1, "1 carte"), (2, "2 cartes"), (11, "11 cartes")])
def test_french_numbers(fr: Catalogue, n: int, text: str) -> None:
    assert fr.say("many", {"n": n}) == text


def test_what_is_hidden_is_said_otherwise(en: Catalogue, fr: Catalogue) -> None:
    assert en.say("drawn", {"seat": 0, "card": "G1"}, NAMES) == "Ana draws green 1."
    assert en.say("drawn", {"seat": 0, "card": None}, NAMES) == "Ana draws a card."
    assert fr.say("drawn", {"seat": 0, "card": None}, NAMES) == "Ana pioche une carte."


def test_several_players(en: Catalogue, fr: Catalogue) -> None:
    assert en.say("winners", {"seats": [1]}, NAMES) == "Ben won."
    assert en.say("winners", {"seats": [0, 2]}, NAMES) == "Ana and Cleo won."
    assert en.say("winners", {"seats": [0, 1, 2]}, NAMES) == "Ana, Ben and Cleo won."
    assert fr.say("winners", {"seats": [0, 1, 2]}, NAMES) == "Victoire pour Ana, Ben et Cleo."
    assert en.say("turn", {"other": -1}, NAMES) == "It is nobody's turn."


def test_shared_messages_are_there_too(en: Catalogue) -> None:
    assert en.say("errors.over") == shared("en").say("errors.over") == "The match is over."
    assert "errors.over" not in list(en.keys())
    assert {"plain", "many.one", "many.other", "words.card.G1"} <= set(en.keys())


@pytest.mark.parametrize("key", ["absent", "plain.more", "words", "words.card", "many.two", ""])
def test_a_message_that_is_not_there_is_a_defect(en: Catalogue, key: str) -> None:
    with pytest.raises(Missing, match="no message"):
        en.say(key)


def test_a_hole_that_nothing_fills_is_a_defect(en: Catalogue) -> None:
    with pytest.raises(Missing, match="card"):
        en.say("hole", {"seat": 1}, NAMES)


def test_other_languages_are_not_spoken(tmp_path: Path) -> None:
    with pytest.raises(LudothequeError, match="en and fr"):
        Catalogue(tmp_path, "de")


# The real catalogues

VARIANTS = ({"one", "other"}, {"known", "hidden"})
MODEL = "new-game"
CATALOGUES = ["shared", MODEL, *ludotheque.game_ids()]


def load(name: str, lang: str) -> Catalogue:
    if name == MODEL:
        return catalogue(PROJECT / "pig_game" / "texts", lang)
    return shared(lang) if name == "shared" else ludotheque.game(name).catalogue(lang)


def messages(words: Catalogue) -> dict[str, set[str]]:
    """The holes of every message, those of its variants taken together. Lists of texts are a message a line."""
    found: dict[str, set[str]] = {}
    for key in sorted(words.keys()):
        head = key.rpartition(".")[0]
        message = head if head and set(words.find(head)) in VARIANTS else key
        if message.startswith("words."):
            continue  # a word that is the same in a language is left out there
        entry = words.find(key)
        for number, text in enumerate(entry if isinstance(entry, list) else [entry]):
            name = f"{message}[{number}]" if isinstance(entry, list) else message
            holes = {hole for _, hole, _, _ in string.Formatter().parse(text) if hole is not None}
            found.setdefault(name, set()).update(holes)
    return found


@pytest.mark.parametrize("name", CATALOGUES)
def test_both_languages_have_the_same_messages_and_holes(name: str) -> None:
    english, french = messages(load(name, "en")), messages(load(name, "fr"))
    assert english.keys() == french.keys()
    assert english == french


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", CATALOGUES)
def test_variants_are_complete(name: str, lang: str) -> None:
    words = load(name, lang)
    for key in sorted(words.keys()):
        head, _, last = key.rpartition(".")
        if last in ("one", "hidden"):
            assert set(words.find(head)) in VARIANTS, key


@pytest.mark.parametrize("name", [MODEL, *ludotheque.game_ids()])
def test_french_typography(name: str) -> None:
    """A no-break space stands before double punctuation, and apostrophes are curly."""
    words = load(name, "fr")
    for key in sorted(words.keys()):
        entry = words.find(key)
        for text in entry if isinstance(entry, list) else [entry]:
            spoken = "".join(literal for literal, *_ in string.Formatter().parse(text))
            assert not any(f" {mark}" in spoken for mark in ":;!?»"), key
            assert "'" not in spoken, key
