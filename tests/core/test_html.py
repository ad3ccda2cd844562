"""What notebooks show: well-formed, without script, everything escaped, in light and dark."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import ludotheque
from ludotheque import Match
from ludotheque.core import cards
from ludotheque.core.html import match_html
from ludotheque.core.texts import LANGUAGES
from ludotheque.testing import other_world

EVIL = ["Ann", '<script>alert("&")</script>', "</div><b>", "' onload='x"]


def played(game_id: str, moves: int = 30, names: Any = 3, **options: Any) -> Match:
    match = ludotheque.game(game_id).new(names, seed=3, **options)
    rng = random.Random(5)
    for _ in range(moves):
        if not match.over:
            match.play(rng.choice(match.legal()))
    return match


def parsed(html: str) -> ET.Element:
    """The block as a tree: it is well-formed, and has neither script nor anything from elsewhere."""
    tree = ET.fromstring(html)
    assert tree.tag == "div" and tree.get("class") == "ludotheque"
    for one in tree.iter():
        assert one.tag not in ("script", "link", "img", "iframe", "object")
        assert not [name for name in one.attrib if name.startswith("on") or name in ("src", "href", "style")]
    assert "url(" not in html and "@import" not in html
    return tree


def text(tree: ET.Element) -> str:
    return " ".join(tree.itertext())


def drawn(tree: ET.Element, kind: str = "card") -> list[str]:
    return [one.get("aria-label", "") for one in tree.iter("svg") if one.get("class", "").split()[0] == kind]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_match_shows_what_its_seat_sees(game_id: str, lang: str) -> None:
    for moves in (0, 7, 30, 2000):
        match = played(game_id, moves, EVIL[:3])
        for seat in (0, 1, None):
            tree = parsed(match_html(match, seat, lang))
            shown = text(tree)
            assert match.game.info.name in shown and all(name in shown for name in match.names)
            assert match.game.views.lines(match.view(seat, lang), match.game.catalogue(lang))[0] in shown
            legal = [] if seat is None else match.legal(seat)
            assert [one.text for one in tree.iter("code")] == legal[:12]


@pytest.mark.parametrize("game_id", ["lobo77", "loba", "skipbo", "double_lucky_7"])
def test_the_hand_is_drawn_for_its_seat_only(game_id: str) -> None:
    match = played(game_id)
    match = match if not match.over else played(game_id, 3)
    hand, words = match.view(0)["table"]["hand"], match.game.catalogue("en")
    rows = [one for one in parsed(match_html(match, 0)).iter("div") if one.get("class") == "part"]
    (row,) = [one for one in rows if text(one).startswith("hand ")]
    assert drawn(row) == [words.word("card", card) for card in hand]
    assert not [one for one in parsed(match_html(match, None)).iter("div") if text(one).startswith("hand ")]


def test_dice_are_dice() -> None:
    match = played("volle_lotte", 40)
    dice = [str(face) for name in ("roll", "aside") for face in match.view(0)["table"][name]]
    assert dice and drawn(parsed(match_html(match, 0)), "die")[: len(dice)] == dice


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_nothing_hidden_is_shown(game_id: str) -> None:
    """The same HTML, and the same text, in every world that the seat cannot tell apart."""
    rng = random.Random(1)
    match = played(game_id, 12)
    for seat in (0, 1, None):
        twin = match.copy()
        twin.buffer[:] = other_world(match, seat, rng)
        twin._followers = match._followers
        match.events(seat)
        assert match_html(match, seat) == match_html(twin, seat)
        assert match.text(seat) == twin.text(seat)


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_printing_shows_the_table_of_the_seat_at_turn(game_id: str) -> None:
    match = played(game_id, 5)
    assert str(match) == match.text(match.actor) != match.text(match.actor, "fr")
    title, *lines = str(match).splitlines()
    assert title == f"{match.game.info.name}: Player 1, Player 2, Player 3"
    assert lines == match.game.views.lines(match.view(match.actor), match.game.catalogue("en"))
    assert match._repr_html_() == match_html(match, match.actor)
    over = played(game_id, 10**6, target=1000) if game_id == "volle_lotte" else played(game_id, 10**6)
    assert over.over and str(over) == over.text(None) and over._repr_html_() == match_html(over, None)


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_game_shows_its_options(game_id: str) -> None:
    game = ludotheque.game(game_id)
    shown = text(parsed(game._repr_html_()))
    assert game.info.name in shown and all(option.name in shown for option in game.info.options)
    assert f'ludotheque.game("{game_id}").new(' in shown


def test_a_pad_shows_its_sheet() -> None:
    pad = ludotheque.pad("lobo77", EVIL, first=0, seed=1)
    for entry in ({"player": 1, "total": 11}, {"player": 1, "total": 77}):
        pad = pad.enter(entry)
    tree = parsed(pad._repr_html_())
    table = [[" ".join(cell.itertext()) for cell in row] for row in tree.iter("tr")]
    assert table[0] == ["round", *EVIL]
    assert table[1] == ["1", *(str(points).replace("-", "−") for points in pad.rounds[0].points)]
    assert table[-1][0] == "sum" and [cell.split()[0] for cell in table[-1][1:]] == [str(total) for total in pad.totals]
    assert [one.text for one in tree.iter("code")] == ["player", "total"]
    lines = str(pad).splitlines()
    assert lines[0] == "LOBO 77" and lines[-1].split() == ["=", *map(str, pad.totals)]
    parsed(ludotheque.pad("loba", 3)._repr_html_())


def test_a_thought_shows_its_reasons() -> None:
    game = ludotheque.game("double_lucky_7")
    match = game.new(3, seed=5)
    thought = ludotheque.bot(game.id, "club", seed=1).think(match, budget="40it")
    tree = parsed(thought._repr_html_())
    assert [one.text for one in tree.iter("code")] == [one.move for one in thought.candidates][:10]
    assert thought.move.label() in text(tree) and f"{100 * thought.candidates[0].win:.0f} ±" in text(tree)
    alone = type(thought)(thought.move, (), 0, 0.0)
    assert thought.move.label() in text(parsed(alone._repr_html_()))


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_every_card_has_a_face(game_id: str) -> None:
    game = ludotheque.game(game_id)
    every = [card for card in game.notation.CARDS if card]
    for words in map(game.catalogue, LANGUAGES):
        faces = [cards.card(card, words.word("face", card), words.word("card", card), every) for card in every]
        assert len(set(faces)) == len(every)
        for face in faces:
            ET.fromstring(face)
    assert len({cards.die(face) for face in cards.PIPS}) == 6


def test_it_is_small() -> None:
    for game_id in ludotheque.game_ids():
        assert len(played(game_id)._repr_html_()) < 24_000
