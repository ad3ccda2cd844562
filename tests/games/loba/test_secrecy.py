"""What a seat of Loba cannot know, and what it can work out: concealing and imagining hidden cards."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.core.match import Match
from ludotheque.core.moves import Move
from ludotheque.core.record import NOBODY
from ludotheque.games.loba.state import DISCARD
from tests.games.loba.test_against_referee import planted_hand
from tests.games.playing import imagined, table_of

GAME = ludotheque.game("loba")
ANA, BEN, CLEO = 0, 1, 2
CORNERS: list[tuple[int, dict[str, Any]]] = [
    (3, {}),
    (4, {"runs": "any_suit"}),
    (5, {"out_by_discard": True}),
    (5, {"runs": "any_suit", "out_by_discard": True}),
]


def random_match(players: int, options: dict[str, Any], seed: int, num_moves: int, eager: float = 0.7) -> Match:
    """A match somewhere in its middle, or at its end; players like to lay cards."""
    choose = random.Random(seed)
    match = GAME.new(players=players, seed=seed, **options)
    for _ in range(num_moves):
        if match.over:
            break
        match.play(eager_move(match, choose, eager))
    return match


def eager_move(match: Match, choose: random.Random, eager: float) -> Move:
    """A random move, mostly one that lays or adds if there is one."""
    legal = match.legal()
    laying = [move for move in legal if move.startswith(("lay", "add"))]
    return choose.choice(laying if laying and choose.random() < eager else legal)


def check_secrecy(match: Match, seat: int | None, worlds: int = 2) -> None:
    """Imagined worlds are all the same to the seat, and in each the seat at turn has a move."""
    concealed = match.concealed(seat)
    assert not concealed[: 32 + 64].any()  # neither key nor block of the generator
    same = Match(GAME, match.names, match.options, match.buffer, None)
    seen = [np.zeros(GAME.info.observation_size, np.int16) for _ in range(2)]
    for number in range(worlds):
        other = imagined(match, seat, number)
        assert other.concealed(seat).tobytes() == concealed.tobytes()
        assert other.over or other.legal_ids()
        if seat is not None:
            assert other.legal_ids(seat) == match.legal_ids(seat)
        assert other.view(seat) == same.view(seat)
        for out, shown in zip(seen, (match, other), strict=True):
            GAME.kernels.watch(shown.buffer, NOBODY if seat is None else seat, out)
        assert np.array_equal(seen[0], seen[1])


@pytest.mark.parametrize(("players", "options"), CORNERS)
@pytest.mark.parametrize("num_moves", [0, 1, 40, 333, 700, 5000])
def test_imagined_cards_look_the_same(players: int, options: dict[str, Any], num_moves: int) -> None:
    match = random_match(players, options, num_moves + 1, num_moves)
    for seat in (None, *range(players)):
        check_secrecy(match, seat)


def test_imagined_cards_differ() -> None:
    match = GAME.new(players=3, seed=4)
    worlds = {imagined(match, 1, number).to_bytes() for number in range(5)}
    assert len(worlds) == 5


def at(table: dict[str, Any], draws: list[tuple[int, int]] | None = None, **options: Any) -> Match:
    """A match in a position, with the next draws of chance."""
    names = ["Ana", "Ben", "Cleo", "Dan", "Eva"][: len(table["hands"])]
    return GAME.position({"players": names, "options": options, "table": table, "chance": {"draws": draws or []}})


def test_a_card_drawn_from_the_stock_is_seen_by_its_drawer_only() -> None:
    match = at({"hands": [None, None, None], "stock": ["*", "KD"]})
    match.play("stock")
    assert match.events(ANA)[-1] == [{"type": "draw", "seat": ANA, "card": "*"}]
    for seat in (BEN, CLEO, None):
        assert match.events(seat)[-1] == [{"type": "draw", "seat": ANA, "card": None}]
    assert match.log("en", BEN)[-1] == "Ana draws from the stock."


def test_a_card_taken_from_the_pile_stays_known() -> None:
    match = at({"hands": [None, None, None], "pile": ["KD", "QD"], "stock": ["9C", "8C", "7C"]})
    match.play("take")
    match.play("drop AS")
    for number in range(10):
        assert "KD" in table_of(imagined(match, BEN, number))["hands"][ANA]
        assert table_of(imagined(match, None, number))["known"] == [["KD"], [], []]
    for move in ("stock", "drop 9C", "stock", "drop 8C", "stock", "drop KD"):
        match.play(move)
    assert table_of(match)["known"] == [[], [], []]
    assert any("KD" not in table_of(imagined(match, BEN, number))["hands"][ANA] for number in range(10))


def test_who_puts_the_taken_card_back_shows_another_like_it() -> None:
    """B22: that is only allowed with two of them, so one is still held."""
    hand = ["KD", "2S", "3S", "5H", "6H", "8D", "9D", "JC", "QC", "AC", "4H"]
    match = at({"hands": [hand, None, None], "pile": ["KD", "QD"]})
    match.play("take")
    match.play("drop KD")
    assert table_of(match)["known"][ANA] == ["KD"]
    for number in range(10):
        assert "KD" in table_of(imagined(match, CLEO, number))["hands"][ANA]


def recycling() -> Match:
    """Ana is about to discard; then the stock is empty, and the pile is shuffled for Ben's turn."""
    hands: list[Any] = [None, None, None]
    return at({"hands": hands, "phase": "play", "rest": "pile", "stock": [], "pile": ["KC"]})


def test_everybody_knows_what_a_recycled_stock_is_made_of() -> None:
    match = recycling()
    before = Counter(table_of(match)["pile"])
    match.play("drop AS")
    stock = Counter(table_of(match)["stock"])
    assert stock == before  # all but the discard on top
    for number in range(5):
        table = table_of(imagined(match, BEN, number))
        assert Counter(table["stock"]) == stock
        assert table["stock"] != table_of(match)["stock"]
    match.play("stock")
    match.play("drop 3S" if "drop 3S" in match.legal() else match.legal()[-1])
    drawn = table_of(match)["recycled"]["drawn"]
    assert len(drawn[BEN]) == 1
    assert drawn[ANA] == drawn[CLEO] == []
    own = Counter(drawn[BEN])
    strangers = 0
    for number in range(20):
        table = table_of(imagined(match, BEN, number))
        assert Counter(table["stock"]) == stock - own  # Ben knows what it has become
        table = table_of(imagined(match, CLEO, number))
        assert Counter(table["stock"]) <= stock
        strangers += Counter(table["stock"]) != stock - own
    assert strangers > 0


def test_who_has_not_drawn_from_a_recycled_stock_holds_none_of_it() -> None:
    match = recycling()
    match.play("drop AS")
    recycled = set(table_of(match)["recycled"]["cards"])
    for draw in ("stock", "take"):  # Ben, Cleo; both discard a card they had before
        seat = match.actor
        old = next(card for card in table_of(match)["hands"][seat] if card not in recycled)
        match.play(draw)
        match.play(f"drop {old}")
    assert table_of(match)["recycled"]["fresh"] == [0, 1, 0]
    both = {card for card, number in Counter(table_of(match)["recycled"]["cards"]).items() if number == 2}
    held = 0
    for number in range(20):
        hands = table_of(imagined(match, ANA, number))["hands"]
        assert not both & set(hands[CLEO])
        assert len(both & set(hands[BEN])) <= 1
        held += len(both & set(hands[BEN]))
    assert held > 0


@pytest.mark.parametrize("round_no", range(1, 7))
@pytest.mark.parametrize("runs", ["suited", "any_suit"])
@pytest.mark.parametrize("seed", range(4))
def test_B23_who_has_begun_a_contract_can_complete_it(round_no: int, runs: str, seed: int) -> None:
    """Everybody knows that; also if some cards are known already, and the stock is known to be others."""
    chance = random.Random(100 * round_no + seed)
    hand: list[str] = []
    while len(hand) != 12:
        hand = planted_hand(chance, round_no, runs == "any_suit", 6)
    known = chance.sample(hand, chance.choice([0, 3, 7]))
    table: dict[str, Any] = {"hands": [hand, None, None], "phase": "play", "round": round_no, "known": [known, [], []]}
    if known and chance.random() < 0.5:
        table["taken"] = known[0]
    if seed % 2:
        table["recycled"] = {"cards": table_of(at(table, runs=runs))["stock"]}
    match = at(table, runs=runs)
    while match.state.phase != DISCARD:
        layings = [move for move in match.legal() if move.startswith("lay")]
        if not layings:
            assert table.get("taken")  # the one card that would be left is the one just taken
            return
        match.play(chance.choice(layings))
        for seat in (BEN, None):
            check_secrecy(match, seat, 1)
            if seed % 2:
                assert Counter(table_of(imagined(match, seat, 9))["stock"]) == Counter(table_of(match)["stock"])


def test_who_has_drawn_one_of_two_recycled_cards_knows_where_the_other_is_not() -> None:
    cleo = ["KC", "2S", "3S", "5H", "6H", "8D", "9D", "JC", "QC", "AC", "4H"]
    table = {"hands": [None, None, cleo], "phase": "play", "rest": "pile", "stock": [], "pile": ["KC"]}
    match = at(table, [(73, 74)])  # the card under the discard stays on top of the new stock
    match.play("drop AS")
    match.play("stock")
    assert "KC" in table_of(match)["hands"][BEN]
    for number in range(10):
        assert "KC" not in table_of(imagined(match, BEN, number))["stock"]
    assert any("KC" in table_of(imagined(match, ANA, number))["stock"] for number in range(10))
