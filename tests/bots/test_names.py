"""Bots have names and faces of their own: no two alike at a table, and a face drawn for every name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludotheque
from ludotheque.bots.names import NAMES, bot_name
from ludotheque.core.grammar import begins_with_vowel
from ludotheque.core.match import check_names

FACES = (Path(__file__).parents[2] / "web" / "src" / "parts" / "BotFace.svelte").read_text(encoding="utf-8")


def seated(count: int, people: tuple[str, ...] = (), start: int = 0) -> list[str]:
    """The names of so many bots that sit down one after the other beside people."""
    names = list(people)
    for _ in range(count):
        names.append(bot_name(lambda name: name in names, "Robot", start))
    return names[len(people) :]


def test_every_name_has_a_face_of_its_own() -> None:
    drawn = re.findall(r"(?:#if|:else if) name === '(\w+)'\}\n(.*?)(?=\{:else|\{/if)", FACES, re.DOTALL)
    assert [name for name, _ in drawn] == list(NAMES)
    assert re.findall(r"'(\w+)',", FACES) == list(NAMES)
    assert len({drawing for _, drawing in drawn}) == len(NAMES)
    assert all(drawing.count("<") >= 5 for _, drawing in drawn)


@pytest.mark.parametrize("start", range(2 * len(NAMES)))
def test_no_two_are_alike_at_the_largest_table(start: int) -> None:
    most = max(ludotheque.game(game_id).info.max_seats for game_id in ludotheque.game_ids())
    assert most == 8
    names = check_names(seated(most, start=start))
    assert len({*names}) == most and {*names} <= {*NAMES}
    assert names[0] == NAMES[start % len(NAMES)]


def test_people_keep_their_names() -> None:
    assert seated(3, ("Panda", "Ann", "Koala")) == ["Lion", "Toucan", "Bison"]


def test_a_number_is_given_only_where_nothing_else_is_free() -> None:
    assert seated(3, (*NAMES[1:], "Robot 1")) == [NAMES[0], "Robot 2", "Robot 3"]


def test_names_can_be_said_in_sentences() -> None:
    """Nobody stumbles over an elision before an animal."""
    assert not [name for name in NAMES if begins_with_vowel(name)]
