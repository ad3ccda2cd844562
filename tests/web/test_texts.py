"""Everything people read comes from the catalogues, which are the same in both languages and have nothing to spare."""

from __future__ import annotations

import html
import re

import pytest

from tests.web.sources import LANGUAGES, areas, sources, split, texts, without_comments

AREAS = areas()
PARAM = re.compile(r"\{(\w+)(?:\|[^|{}]*\|[^|{}]*)?\}")
USED = re.compile(r"""\bt\(\s*(?:'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`)""")
KEY = re.compile(r"""['"`](\w+\.\w*(?:\$\{[^}]*\}\w*)*)['"`]""")
"""A key may also be put together or chosen first and given to `t` later."""


def test_areas_are_found() -> None:
    assert "shell" in AREAS


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_have_the_same_keys(area: str) -> None:
    english, french = (set(texts(lang, area)) for lang in LANGUAGES)
    assert english == french, f"only in one language: {sorted(english ^ french)}"


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_use_the_same_params(area: str) -> None:
    english, french = (texts(lang, area) for lang in LANGUAGES)
    unequal = [
        key
        for key in english.keys() & french.keys()
        if set(PARAM.findall(english[key])) != set(PARAM.findall(french[key]))
    ]
    assert not unequal


@pytest.mark.parametrize("area", AREAS)
def test_no_text_is_empty_or_badly_formed(area: str) -> None:
    for lang in LANGUAGES:
        for key, text in texts(lang, area).items():
            assert text.strip(" \n\t") == text and text, f"{lang} {area}.{key}"
            assert not re.search(r"[{}]", PARAM.sub("", text)), f"{lang} {area}.{key}"


@pytest.mark.parametrize("area", AREAS)
def test_french_is_typeset(area: str) -> None:
    """No-break spaces before ? ! : ; and inside « », and the typographic apostrophe."""
    wrong = []
    for key, text in texts("fr", area).items():
        plain = re.sub(r"https?://\S+", "", PARAM.sub("x", text))
        if re.search(
            r"(?<![\u00a0\u202f])[?!;»]|(?<=[^\d\s])(?<![\u00a0\u202f]):(?!\w)|«(?![\u00a0\u202f])|\w'\w", plain
        ):
            wrong.append(key)
    assert not wrong


def _patterns() -> tuple[set[str], list[re.Pattern[str]]]:
    """Keys that the code names in full, and patterns of those it puts together."""
    named: set[str] = set()
    composed: list[re.Pattern[str]] = []
    for text in sources().values():
        code = without_comments(text)
        found = [next(filter(None, groups)) for groups in USED.findall(code)] + KEY.findall(code)
        for key in found:
            if "${" not in key:
                named.add(key)
            elif re.match(r"\w+\.", key) or key.startswith("${"):
                pieces = re.split(r"\$\{[^}]*\}", key)
                composed.append(re.compile(r"\w+".join(map(re.escape, pieces))))
    return named, composed


def test_every_text_that_is_asked_for_exists() -> None:
    known = {f"{area}.{key}" for area in AREAS for key in texts("en", area)}
    asked = {
        next(filter(None, groups)) for text in sources().values() for groups in USED.findall(without_comments(text))
    }
    missing = sorted(key for key in asked if "${" not in key and key not in known)
    assert not missing


@pytest.mark.parametrize("area", AREAS)
def test_every_text_is_used(area: str) -> None:
    named, composed = _patterns()
    unused = [
        key
        for key in texts("en", area)
        if f"{area}.{key}" not in named and not any(one.fullmatch(f"{area}.{key}") for one in composed)
    ]
    assert not unused


NAMES = {"Ludothèque"}
"""What is the same in every language."""
NO_SENTENCES = {"Bearer ${token}"}
ATTRIBUTES = r"aria-label|aria-description|aria-roledescription|aria-valuetext|title|placeholder|alt|label|help"


def _bare(markup: str) -> str:
    """Markup without its expressions in braces."""
    out: list[str] = []
    depth = 0
    for letter in markup:
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
        elif depth == 0:
            out.append(letter)
    return "".join(out)


def test_no_text_stands_in_markup() -> None:
    found = []
    for name, text in sources().items():
        if not name.endswith(".svelte"):
            continue
        markup = html.unescape(_bare(split(text)[1]))
        nodes = re.sub(r"<[^<>]*>", "\n", markup).split("\n")
        found += [f"{name}: {node.strip()}" for node in nodes if re.search(r"[^\W\d_]{2}", _allowed(node))]
        found += [
            f"{name}: {attribute}={value}"
            for attribute, value in re.findall(rf'\b({ATTRIBUTES})="([^"]*)"', markup)
            if re.search(r"[^\W\d_]{2}", _allowed(value))
        ]
    assert not found


def _allowed(text: str) -> str:
    for name in NAMES:
        text = text.replace(name, "")
    return text


def test_no_sentence_stands_in_code() -> None:
    """Strings that look like sentences: a capital letter, then several words."""
    sentence = re.compile(r"""(['"`])([A-ZÀ-Ý][a-zà-ÿ’]*[ \u00a0][^'"`\n]*[a-zà-ÿ]{2}[^'"`\n]*)\1""")
    found = []
    for name, text in sources().items():
        code = without_comments(text)
        if name.endswith(".svelte"):
            code = "\n".join(split(text))
        found += [f"{name}: {words}" for _, words in sentence.findall(code) if words not in NO_SENTENCES]
    assert not found
