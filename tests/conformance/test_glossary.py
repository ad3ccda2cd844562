"""One word per thing: nothing that people read says what the glossary rules out, in catalogues, rules and documents."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ludotheque

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
SOURCES = ROOT / "src" / "ludotheque"
GAMES = {ludotheque.game(game_id).info.name: game_id for game_id in ludotheque.game_ids()}
LANGUAGES = {"en": (1, 2), "fr": (3, 4)}
"""The columns of a language: the words to use, and those not to."""
TYPED = ("Volle Lotte!", "Anne: draw", "Anne,bot,expert", "(ou bot)", "players, bots ou budget", "bots=")
"""What is typed is the same in every language."""


class Text(NamedTuple):
    """Something people read, and where it stands."""

    file: str
    key: str
    lang: str
    game: str | None
    text: str

    @property
    def place(self) -> str:
        return f"{self.file}: {self.key}"

    @property
    def spoken(self) -> str:
        """Without what is typed, names of files and holes."""
        text = re.sub(r"`[^`]*`|https?://\S+|\]\([^)]*\)", "x", self.text)
        for typed in TYPED:
            text = text.replace(typed, "x")
        return re.sub(r"\{\w*[^{}|]*", "x", text)


def leaves(node: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a catalogue with its dotted key."""
    if isinstance(node, str):
        yield key, node
    elif isinstance(node, dict | list):
        for name, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from leaves(value, f"{key}.{name}".lstrip("."))


def language(path: Path) -> str:
    found = re.search(r"(?:^|[/.])(en|fr)(?=[/.])", path.relative_to(ROOT).as_posix())
    return found[1] if found else "en"


def texts() -> list[Text]:
    """Everything there is to read."""
    catalogues = [*SOURCES.rglob("*texts/**/*.toml"), *(ROOT / "web" / "src").rglob("texts/**/*.json")]
    found = []
    for path in sorted({*catalogues, *SOURCES.rglob("texts/rules.*.md")}):
        if "page" in path.relative_to(SOURCES if SOURCES in path.parents else ROOT).parts:
            continue  # built from web/src
        game = next((part for part in path.parts if part in GAMES.values()), None)
        content = path.read_text(encoding="utf-8")
        if path.suffix == ".md":
            entries = iter([("page", content)])
        else:
            entries = leaves(tomllib.loads(content) if path.suffix == ".toml" else json.loads(content))
        file = path.relative_to(ROOT).as_posix()
        found += [Text(file, key, language(path), game, text) for key, text in entries]
    return found


def documents() -> list[Text]:
    """The lines of the documents; one that names games counts for them."""
    found = []
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if path == GLOSSARY:
            continue
        content = re.sub(
            r"^```.*?^```",
            lambda block: "\n" * block[0].count("\n"),
            path.read_text(encoding="utf-8"),
            flags=re.M | re.S,
        )
        own = path.stem if path.stem in GAMES.values() else None
        for number, line in enumerate(content.split("\n"), 1):
            named = {game for name, game in GAMES.items() if name in line} | ({own} - {None})
            file = path.relative_to(ROOT).as_posix()
            found += [Text(file, f"line {number}", "en", game, line) for game in (named or {None})]
    return found


def rows() -> Iterator[tuple[str | None, list[str]]]:
    """The rows of the glossary: the game it is about, or None, and the cells."""
    game = None
    for line in GLOSSARY.read_text(encoding="utf-8").split("\n"):
        if line.startswith("## "):
            game = None if line == "## Everywhere" else GAMES[line[3:]]
        elif line.startswith("| ") and not line.startswith("| thing"):
            yield game, [cell.strip() for cell in line.strip("|").split("|")]


def ruled_out(lang: str) -> list[tuple[str | None, re.Pattern[str]]]:
    """Words that are not to be used, and in which game's texts; None: in all."""
    found = []
    for game, cells in rows():
        words = [word.strip() for word in cells[LANGUAGES[lang][1]].split(",") if word.strip()]
        found += [(game, re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])", re.IGNORECASE)) for word in words]
    return found


def slips(found: list[Text]) -> list[str]:
    """Where a word stands that should not. In brackets, as a game's other name for it, it may once on a page."""
    wrong = []
    patterns = {lang: ruled_out(lang) for lang in LANGUAGES}
    for text in found:
        for game, pattern in patterns[text.lang]:
            if game not in (None, text.game):
                continue
            said = text.spoken
            if text.key == "page":
                said = re.sub(rf"\({pattern.pattern}\)", "", said, count=1, flags=re.IGNORECASE)
            wrong += [f"{text.place}: {match[0]}" for match in pattern.finditer(said)]
    return wrong


def test_the_glossary_covers_every_game_of_ours() -> None:
    assert {game for game, _ in rows()} == {None, *GAMES.values()}
    assert all(len(cells) == 5 for _, cells in rows())


def test_catalogues_and_rules_use_the_words_of_the_glossary() -> None:
    found = texts()
    assert {text.lang for text in found} == {"en", "fr"} and len({text.file for text in found}) > 40
    assert slips(found) == []


def test_documents_use_the_words_of_the_glossary() -> None:
    assert slips(documents()) == []


@pytest.mark.parametrize(
    ("game", "lang", "text"),
    [
        ("loba", "fr", "Six manches, chacune avec un contrat."),
        ("loba", "en", "two brelans and (quarte)"),
        ("skipbo", "fr", "Votre réserve : la carte du dessus."),
        ("double_lucky_7", "fr", "Votre mise est notée."),
        ("volle_lotte", "fr", "C’est la Volle Lotte !"),
        (None, "fr", "Un bot joue."),
        (None, "en", "Open a score pad."),
    ],
)
def test_a_slip_is_found(game: str | None, lang: str, text: str) -> None:
    assert slips([Text("catalogue", "key", lang, game, text)])


# French typography, gender and plurals

FRENCH = [text for text in texts() if text.lang == "fr"]


def test_french_has_a_no_break_space_before_double_punctuation() -> None:
    """And inside quotation marks; no other kind of narrow space, and the typographic apostrophe."""
    marks = (
        "(?<=[^\u00a0\\W])[!?;»](?![\\w=&])|(?<=[\\w)»}]):(?=\\s|$)|(?<! )[ \u202f][:;!?»%](?=\\s|$)|«(?!\u00a0)|\u202f"
    )
    wrong = re.compile(marks + r"|(?<=[^\W\d])'(?=[^\W\d])")
    found = []
    for text in FRENCH:
        plain = text.spoken
        found += [f"{text.place}: …{plain[max(0, m.start() - 12) : m.end() + 5]}" for m in wrong.finditer(plain)]
    assert not found


def test_no_sentence_knows_a_gender() -> None:
    bracketed = re.compile(r"\w\((?:e|s|es|ne|le|se)\)|\w·e|\{(?:player|name|other)\} (?:est|sera|était) \w+é(?!\w)")
    assert not [text.place for text in FRENCH if bracketed.search(text.text) and "errors." not in text.key]


def test_de_does_not_stand_before_a_list_of_names() -> None:
    """Each name of a list would want its own."""
    lists = re.compile(r"\b(?:de|que) \{(?:players|names|winners)\}")
    assert not [text.place for text in FRENCH if lists.search(text.text)]


COUNTED = (
    "cards|tokens|points|tricks|turns|rounds|moves|matches|dice|seats|players|deals|entries|tables|messages"
    "|cartes|jetons|plis|tours|manches|mènes|coups|parties|dés|places|joueurs|donnes|lignes"
)
PLURAL = re.compile(rf"\{{(?!player|other|name)(\w+)\}} (?:{COUNTED})\b")
NEVER_ONE = {
    "target": "a target is hundreds of points",
    "least": "as many as a card brings at least",
    "colour": "no number",
    "points": "dice bring 50 points and more",
    "total": "sums that are too large",
    "score": "a round won brings 25 points",
    "cards": "a pile that was turned has dozens",
    "high": "the most players of a game",
    "players": "two and more",
}
"""Numbers that are plural whatever comes."""
NEVER_ONE_THERE = {
    "pad.head_bids_double": "the double round has seven cards",
    "pad.head_tricks_double": "the double round has seven cards",
    "events.turns_over": "forty turns",
    "pad.ask.nobody_out": "forty turns",
    "pad.ask.grown": "a stock of five cards and more",
    "reasons.dear": "eight points and more",
    "recap.good_turn": "two cards and more",
    "recap.dry_spell": "several turns in a row",
    "pad.why.too_heavy": "two hands and more",
    "refused.too_many_tables": "a limit",
    "entry.each": "two players and more",
    "entry.full": "a limit",
}


def test_numbers_have_both_forms() -> None:
    """“The 1 tricks there are” was seen in every round of one card."""
    found = []
    for text in texts():
        if text.key.endswith(".other") or text.key in NEVER_ONE_THERE or "/lab/" in text.file:
            continue
        if "pig_game" in text.file or text.key.startswith(("errors.", "takes.", "tournament.", "simulate.")):
            continue  # for those who build and measure, where numbers are large
        found += [f"{text.place}: {hole[0]}" for hole in PLURAL.finditer(text.text) if hole[1] not in NEVER_ONE]
    assert not found
