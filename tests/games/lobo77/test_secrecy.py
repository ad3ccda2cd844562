"""What a seat of LOBO 77 knows, and what it can imagine of the rest."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from ludotheque.core.chance import key_from_seed
from ludotheque.core.jit import COMPILED
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY
from tests.games.lobo77.helpers import (
    ANA,
    BEN,
    BOX,
    CLEO,
    DAN,
    EIGHT,
    FIFTEEN,
    GAME,
    HUGO,
    at,
    in_order,
    play,
    says,
    table,
)
from tests.games.lobo77.test_against_referee import cautious

WORLDS = 200 if COMPILED else 10


def worlds(match: Match, seat: int | None, number: int = WORLDS) -> list[dict[str, Any]]:
    """Tables as the seat may imagine them, each checked: possible, and the same to the seat."""
    viewer = NOBODY if seat is None else seat
    found = []
    for key in range(number):
        buf = match.concealed(seat)
        GAME.kernels.imagine(buf, viewer, key_from_seed(key))
        assert GAME.kernels.faults(buf) == 0
        found.append(GAME.notation.format_position(GAME.read(buf.copy())))
        GAME.kernels.hide(buf, viewer)
        assert buf.tobytes() == match.concealed(seat).tobytes()
    return found


def hands(tables: list[dict[str, Any]], seat: int) -> Counter[str]:
    """In how many of the tables a seat holds each card."""
    return Counter(card for facts in tables for card in set(facts["hands"][seat]))


def test_own_draws_are_told_others_are_not() -> None:
    match = play(at("2", "3", "4", table={"next": ["44"]}), "2")
    told = {seat: match.events(seat)[-1][0]["drew"] for seat in (ANA, BEN, None)}
    assert told == {ANA: "44", BEN: None, None: None}
    manual = play(at("2", "3", "4", table={"next": ["44"]}, draw="manual"), "2")
    manual.play("draw", ANA)
    told = {seat: manual.events(seat)[-1][0]["card"] for seat in (ANA, BEN, None)}
    assert told == {ANA: "44", BEN: None, None: None}
    empty = play(at("2", "3", fill=False, table={"next": ["44"]}, draw="manual"), "2")
    assert (says(empty, seat=ANA)[1], says(empty, seat=BEN)[1]) == (
        "Ana has no card left and draws the 44.",
        "Ana has no card left and draws one.",
    )


def test_a_concealed_record_has_no_card_that_is_not_seen() -> None:
    match = play(at(*EIGHT, table={"draw": [], "played": FIFTEEN}, draws=in_order(16)), "2", "3")
    for seat in (None, *range(8)):
        s = GAME.read(match.concealed(seat))
        assert [other for other in range(8) if s.hand[other]] == ([] if seat is None else [seat])
        seen = [k for k in range(s.pile_size) if s.pile[k] != -1]
        assert seen == {ANA: [0], BEN: [1]}.get(NOBODY if seat is None else seat, [])
        assert sum(s.key.tolist()) + sum(s.block.tolist()) == 0


def test_before_a_reshuffle_any_unseen_card_may_be_anywhere() -> None:
    match = play(at("2 2 2 3 3", "4", "5"), "2", "4")
    tables = worlds(match, ANA, 300)
    own = match.position()["table"]["hands"][ANA]
    unseen = Counter(BOX) - Counter(own) - Counter(["2", "4"])
    assert set(hands(tables, BEN)) == set(hands(tables, CLEO)) == set(unseen)
    assert all(facts["hands"][ANA] == own for facts in tables)
    # ten hidden cards in hands of 48: each of the eight 10s is there about once in five
    tens = sum(facts["hands"][seat].count("10") for facts in tables for seat in (BEN, CLEO))
    assert 0.7 < tens / len(tables) / (unseen["10"] * 10 / unseen.total()) < 1.3


def test_the_hand_of_a_player_who_went_out_is_known() -> None:
    match = play(at("3 66 55 44 33", "4", "5", table={"total": 19, "tokens": [0, 1, 1]}), "3")
    assert table(match, BEN)["played"] == ["33", "44", "55", "66", "3"]
    for facts in worlds(match, BEN):
        assert facts["played"] == ["33", "44", "55", "66", "3"]


def test_after_a_reshuffle_who_has_not_drawn_holds_old_cards_only() -> None:
    # Ana plays a 2 and draws the first of the sixteen reshuffled cards; nobody else has drawn since.
    match = play(at(*EIGHT, table={"draw": [], "played": FIFTEEN}, draws=in_order(16)), "2")
    for viewer in (None, *range(8)):
        tables = worlds(match, viewer)
        for seat in range(BEN, 8):
            assert not set(hands(tables, seat)) & (set(FIFTEEN) - {"rev"})
    drawn = hands(worlds(match, DAN, 400), ANA)
    assert set(FIFTEEN) <= set(drawn)  # she may have drawn any of them
    for facts in worlds(match, DAN):
        assert sum(card in FIFTEEN and card != "rev" for card in facts["hands"][ANA]) <= 1
        assert facts["reshuffle"]["drawn"][0] in facts["hands"][ANA]


def test_after_a_reshuffle_a_played_card_tells_what_was_drawn() -> None:
    # Ana draws the 44 from the new pile and plays it in her next turn: all her other cards but the next draw are old.
    order = ["44", *[card for card in FIFTEEN if card != "44"]]
    facts = {"draw": [], "played": order, "total": -60}
    match = play(at(*EIGHT, table=facts, draws=in_order(16)), "2", "2", "2", "7", "8", "10", "10", "rev", "10")
    assert match.actor == 5
    play(match, "10", "10", "7", "3", "3", "44")
    for viewer in (BEN, DAN, HUGO, None):
        for world in worlds(match, viewer):
            assert world["reshuffle"]["drawn"][0] == "44"
            new = [card for card in world["hands"][ANA] if card in set(FIFTEEN) - {"rev"}]
            assert len(new) <= 1


@pytest.mark.parametrize("viewer", [None, ANA, BEN, HUGO])
def test_the_card_that_stayed_on_the_table_is_in_no_imagined_hand_or_pile(viewer: int | None) -> None:
    # L19, keep_top: the 66 has been played, stays, and there is no other; nor was it ever in the new pile.
    cards = ["66", *EIGHT[0].split()[1:]]
    played = [*(card for card in FIFTEEN if card != "66"), "2"]
    facts = {"draw": [], "played": played, "total": -100}
    match = play(at(" ".join(cards), *EIGHT[1:], table=facts, keep_top=True), "66")
    for _ in range(3):
        for world in worlds(match, viewer):
            assert world["played"][0] == "66"
            assert world["reshuffle"]["played_by"][0] == NOBODY
            everywhere = [*world["draw"], *world["reshuffle"]["drawn"], *(c for h in world["hands"] for c in h)]
            assert "66" not in everywhere
        play(match, match.legal()[0])


def test_the_own_draws_from_a_reshuffled_pile_are_remembered() -> None:
    match = play(at(*EIGHT, table={"draw": [], "played": FIFTEEN}, draws=in_order(16)), "2", "2")
    for world in worlds(match, ANA):
        assert world["reshuffle"]["drawn"][0] == FIFTEEN[0]
        assert world["reshuffle"]["drawn"][1] in [*FIFTEEN[1:], "2"]


@pytest.mark.parametrize("seat", [None, BEN, CLEO])
def test_a_2x_played_first_of_two_tells_the_whole_hand(seat: int | None) -> None:
    match = at("2x 2x 2x", "4 5 6", "7 8 9", fill=False, table={"owed": 2, "next": ["3"]}, draw="manual")
    play(match, "2x")
    assert all(world["hands"][ANA] == ["2x", "2x"] for world in worlds(match, seat))
    play(match, "draw")
    assert all(world["hands"][ANA].count("2x") >= 2 for world in worlds(match, seat))
    assert len(hands(worlds(match, seat, 100), ANA)) > 5
    play(match, "2x")
    assert all("2x" in world["hands"][ANA] for world in worlds(match, seat))
    assert table(match)["sure_2x"] == [1, 0, 0]


def test_a_2x_known_to_be_held_is_remembered_across_a_reshuffle() -> None:
    new = ["-10", "-10", "44", "55"]
    used = Counter([*"345666", "2x", "2x", "2x", *new])
    old = list((Counter(BOX) - used).elements())
    facts = {"draw": [], "played": old + new, "owed": 2}
    match = at("2x 2x 2x", "3 4", "5 6 6 6", fill=False, table=facts, draw="manual")
    play(match, "2x")
    match.play("draw")
    assert table(match)["reshuffled"]
    for seat in (None, BEN, CLEO):
        for world in worlds(match, seat):
            assert world["hands"][ANA].count("2x") >= 2
            assert len(world["reshuffle"]["drawn"]) == 1
    play(match, "2x", "3")
    for world in worlds(match, BEN):
        assert "2x" in world["hands"][ANA]


@pytest.mark.slow
@pytest.mark.parametrize("keep_top", [False, True])
@pytest.mark.parametrize("draw", ["auto", "manual"])
def test_all_along_a_long_round_every_world_imagined_is_possible(draw: str, keep_top: bool) -> None:
    chance = random.Random(1)
    match = at(*EIGHT, table={"draw": [], "played": FIFTEEN, "total": -2000}, draw=draw, keep_top=keep_top)
    for _ in range(110):  # two thousand below zero: the round does not end so soon
        seat, move = cautious(match, chance)
        match.play(move, seat)
        for viewer in (ANA, BEN, HUGO, None):
            worlds(match, viewer, 10 if COMPILED else 1)
    assert match.view()["round"] == 1


def test_out_of_a_full_record_the_same_can_be_imagined() -> None:
    match = play(at(*EIGHT, table={"draw": [], "played": FIFTEEN}, draws=in_order(16)), "2", "2", "2")
    buf = np.frombuffer(match.to_bytes(), np.uint8).copy()
    GAME.kernels.imagine(buf, BEN, key_from_seed(1))
    assert GAME.kernels.faults(buf) == 0
    GAME.kernels.hide(buf, BEN)
    assert buf.tobytes() == match.concealed(BEN).tobytes()


def test_an_observation_says_what_the_seat_knows() -> None:
    match = play(at(*EIGHT, table={"draw": [], "played": FIFTEEN, "total": 21}, draws=in_order(16)), "2", "3")
    out = np.zeros(GAME.info.observation_size, np.int16)
    GAME.kernels.watch(np.frombuffer(match.to_bytes(), np.uint8).copy(), BEN, out)
    pieces = {}
    start = 0
    for piece in GAME.info.observation:
        pieces[piece.name] = out[start : start + piece.size].tolist()
        start += piece.size
    ids = {text: action for action, text in enumerate(GAME.moves.texts)}
    held = Counter(table(match, BEN)["hand"])
    assert pieces["hand"] == [held[text] for text in GAME.moves.texts[:20]]
    assert pieces["played"] == [int(text == "3") for text in GAME.moves.texts[:20]]
    assert pieces["shuffled"] == [Counter([*FIFTEEN, "2"])[text] for text in GAME.moves.texts[:20]]
    assert (pieces["total"], pieces["top"], pieces["pile"]) == ([26], [ids["3"] + 1], [14])
    assert (pieces["fresh"], pieces["sizes"]) == ([1, 0, 0, 0, 0, 0, 0, 1], [5] * 8)
    assert (pieces["actor"], pieces["opener"], pieces["tokens"]) == ([1], [7], [3] * 8)
