"""What a seat of Skip-Bo cannot know, and what it can work out: concealing and imagining hidden cards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.core.match import Match
from ludotheque.core.record import NOBODY
from tests.games.playing import imagined, table_of
from tests.games.skipbo.test_notation import CORNERS, random_match

GAME = ludotheque.game("skipbo")
ANA, BEN = 0, 1


@pytest.mark.parametrize(("players", "options"), CORNERS)
@pytest.mark.parametrize("num_moves", [0, 30, 100, 250, 3000])
def test_imagined_cards_look_the_same(players: int, options: dict[str, Any], num_moves: int) -> None:
    match = random_match(players, options, num_moves + 1, num_moves)
    for seat in (None, *range(players)):
        concealed = match.concealed(seat)
        assert not concealed[: 32 + 64].any()  # neither key nor block of the generator
        for number in range(3):
            other = imagined(match, seat, number)
            assert other.concealed(seat).tobytes() == concealed.tobytes()
            if seat is not None:
                assert other.legal(seat) == match.legal(seat)
            same = Match(GAME, match.names, match.options, match.buffer, None)
            assert other.view(seat) == same.view(seat)
            seen = [np.zeros(GAME.info.observation_size, np.int16) for _ in range(2)]
            for out, shown in zip(seen, (match, other), strict=True):
                GAME.kernels.watch(shown.buffer, NOBODY if seat is None else seat, out)
            assert np.array_equal(seen[0], seen[1])


@pytest.mark.parametrize("manners", [False, True])
def test_nobody_else_sees_what_is_drawn(manners: bool) -> None:
    twins = []
    for drawn in (["3", "9"], ["9", "3"]):
        table = {"stocks": [["12"], ["12"]], "hands": [["5"], ["1", "2", "4", "7"]], "draw": [*drawn, "..."]}
        match = GAME.position({"options": {"manners": manners}, "table": {**table, "played": True}})
        match.play("5>d1")
        if manners:
            match.play("draw")
        twins.append(match)
    for viewer in (None, ANA):
        assert twins[0].concealed(viewer).tobytes() == twins[1].concealed(viewer).tobytes()
    assert twins[0].concealed(BEN).tobytes() != twins[1].concealed(BEN).tobytes()


def test_imagined_cards_differ() -> None:
    match = GAME.new(players=3, seed=4)
    worlds = {imagined(match, 1, number).to_bytes() for number in range(5)}
    assert len(worlds) == 5


def test_the_pieces_of_an_observation() -> None:
    discards = [[[]] * 4, [["2", "5"], [], [], ["*"]], [[]] * 4]
    table = {"stocks": [["12"], ["1", "8"], ["3"]], "hands": [["5", "*"], ["2"], []], "discards": discards}
    match = GAME.position(
        {
            "players": 3,
            "options": {"manners": True, "match": "points"},
            "table": {**table, "built": [0, 4, 0, ["*"]], "points": [0, 5, 10], "played": True, "aside": 1},
        }
    )
    match.play("S>1", BEN)
    out = np.zeros(GAME.info.observation_size, np.int16)
    GAME.kernels.watch(match.buffer, BEN, out)
    values = iter(out.tolist())
    seen = {piece.name: [next(values) for _ in range(piece.size)] for piece in GAME.info.observation}
    unseen = [12 - 1] * 12 + [18]  # the cards 1 to 12 put aside are seen
    for card in ("12", "1", "8", "3", "2", "2", "5", "*", "1", "2", "3", "4", "*"):
        unseen[12 if card == "*" else int(card) - 1] -= 1
    assert seen == {
        "hand": [0, 1, *[0] * 11],
        "unseen": unseen,
        "shown": [0] * 52,
        "hand_sizes": [1, 0, 2, 0],
        "stock_tops": [8, 3, 12, 0],
        "stock_next": [0] * 4,
        "stock_sizes": [1, 1, 1, 0],
        "discard_sizes": [2, 0, 0, 1, *[0] * 12],
        "discards": [2, 5, 0, 0, *[0] * 8, 13, 0, 0, 0, *[0] * 48],
        "built": [1, 4, 0, 1],
        "draw_pile": [match.state.height[20]],
        "aside": [12],
        "points": [5, 10, 0, 0],
        "no_fill": [0] * 4,
        "open_play": [1, GAME.moves.parse("S>1").id + 1],
        "dealer": [1],
        "actor": [2],
        "phase": [0],
        "played": [1],
        "idle_turns": [0],
        "round": [1],
    }


def remade() -> Match:
    """Ben, without cards, has drawn five of a draw pile that was just made of 1 to 12; only 3s lie in the stocks."""
    return GAME.position(
        {
            "table": {
                "stocks": [["12", "3", "3"], ["12", "3"]],
                "hands": [["8", "9"], []],
                "draw": [],
                "aside": 1,
                "discards": [[["7", "..."], [], [], []], [[]] * 4],
                "played": True,
            },
            "chance": {"draws": [(0, n) for n in range(12, 0, -1)]},
        }
    )


def test_all_know_what_a_remade_draw_pile_is_made_of() -> None:
    match = remade()
    match.play("8>d2")
    assert table_of(match)["draw"] == ["7", "6", "5", "4", "3", "2", "1"]
    drawn: set[tuple[str, ...]] = set()
    for number in range(20):
        table = table_of(imagined(match, ANA, number))
        assert Counter(table["draw"] + table["hands"][BEN]) == Counter(str(n) for n in range(1, 13))
        assert [stock[1:] for stock in table["stocks"]] == [["3", "3"], ["3"]]
        drawn.add(tuple(table["hands"][BEN]))
    assert len(drawn) > 10


def test_who_has_drawn_of_it_knows_what_is_left() -> None:
    match = remade()
    match.play("8>d2")
    for number in range(20):
        table = table_of(imagined(match, BEN, number))
        assert Counter(table["draw"]) == Counter(str(n) for n in range(1, 8))
        hidden = [card for stock in table["stocks"] for card in stock[1:]] + table["hands"][ANA]
        assert Counter(hidden) == Counter(["3", "3", "3", "9"])
    match.play("12>d1")  # Ana draws four: 7 6 5 4
    for number in range(20):
        left = Counter(table_of(imagined(match, BEN, number))["draw"])
        assert left <= Counter(str(n) for n in range(1, 8))


def test_a_card_taken_back_stays_where_all_have_seen_it() -> None:
    match = GAME.position(
        {
            "options": {"manners": True},
            "table": {"stocks": [["12"], ["1", "8", "7"]], "hands": [["5", "6", "7", "8", "9"], ["2", "4"]]},
        }
    )
    for move in ("S>1", "4>d1"):
        match.play(move, BEN)
        match.play("call", ANA)
    for number in range(20):
        table = table_of(imagined(match, ANA, number))
        assert "4" in table["hands"][BEN]
        assert table["stocks"][BEN][:2] == ["1", "8"]
