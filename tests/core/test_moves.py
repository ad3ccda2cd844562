"""One type for a move: a string that is its notation and knows its action id."""

from __future__ import annotations

import copy
import json
import pickle
import random
from typing import Any

import pytest

import ludotheque
from ludotheque import InvalidMove, Move
from ludotheque.core.texts import LANGUAGES

GAME = ludotheque.game("double_lucky_7")
SKIPBO = ludotheque.game("skipbo")


def new() -> ludotheque.Match:
    return GAME.new(3, seed=1)


def test_a_move_is_its_notation() -> None:
    move = GAME.move("bid 1")
    assert isinstance(move, str) and type(move) is Move
    assert move == "bid 1" and str(move) == "bid 1" and f"{move:>7}" == "  bid 1"
    by_text: dict[str, int] = {move: 1}
    assert by_text["bid 1"] == 1
    assert json.loads(json.dumps({"move": move})) == {"move": "bid 1"}
    assert (move.id, move.game) == (62, "double_lucky_7")
    assert [move.label(lang) for lang in LANGUAGES] == ["Bid 1 trick", "Annoncer 1 pli"]


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_there_is_one_for_each_action(game_id: str) -> None:
    game = ludotheque.game(game_id)
    assert len(game.moves) == game.info.num_actions
    for action in (0, 1, len(game.moves) - 1):
        move = game.moves[action]
        assert move.id == action and move is game.move(action) is game.move(str(move)) is game.move(move)
        assert move == game.moves.texts[action] and move in game.moves
        for twin in (copy.copy(move), copy.deepcopy(move), pickle.loads(pickle.dumps(move))):
            assert twin is move
    assert game.moves[-1] is game.moves[len(game.moves) - 1]
    assert game.moves[:2] == [game.moves[0], game.moves[1]]


def test_any_spelling_is_understood() -> None:
    assert SKIPBO.move("discard 3 -> pile 1") is SKIPBO.move("d3>1")


def test_what_one_gives_the_others_take() -> None:
    match, bot = new(), ludotheque.bot(GAME.id, "club", seed=1)
    rng = random.Random(1)
    while len(match) < 30:
        legal = match.legal()
        assert all(type(move) is Move and match.allows(move) and match.explain(move) is None for move in legal)
        chosen, thought = bot.choose(match), bot.think(match, budget="20it")
        assert chosen in legal and type(chosen) is Move
        assert thought.move in legal and {one.move for one in thought.candidates} <= set(legal)
        assert thought.candidates == () or thought.candidates[0].move is thought.move
        assert [one["move"] for one in match.view(match.actor)["legal"]] == legal
        seat, move = match.actor, rng.choice([chosen, *legal])
        match.play(move)
        assert match.moves[-1] == (seat, move) and match.moves[-1][1] is move
        assert match.record()["moves"][-1] == f"{seat}: {move}"


def test_an_arena_takes_and_gives_moves_too() -> None:
    one, other = (GAME.arena(4, players=3, seed=1) for _ in range(2))
    moves = [one.legal(row)[0] for row in range(4)]
    assert all(type(move) is Move for move in moves)
    one.step(moves)
    other.step([move.id for move in moves])
    assert one == other
    with pytest.raises(ludotheque.IllegalMove, match=r"match 0: action 0 \(R1\) is not legal"):
        one.step(["R1"] * 4)
    with pytest.raises(InvalidMove, match="move of lobo77"):
        one.step([ludotheque.game("lobo77").moves[0]] * 4)


def test_a_move_out_of_turn_is_one_too() -> None:
    match = ludotheque.game("lobo77").new(3, seed=1, draw="manual")
    seat = match.actor
    match.play(match.legal()[0])
    assert ludotheque.bot("lobo77", "club", seed=1).unasked(match, seat) is match.game.move("draw")


@pytest.mark.parametrize("ask", ["play", "explain", "allows"])
def test_a_move_of_another_game_is_named(ask: str) -> None:
    match = new()
    before = match.to_bytes()
    with pytest.raises(InvalidMove, match="S>1 is a move of skipbo; this is double_lucky_7"):
        getattr(match, ask)(SKIPBO.move("S>1"))
    assert match.to_bytes() == before and not match.moves


def test_even_one_that_is_spelt_the_same() -> None:
    lobo, double = ludotheque.game("lobo77"), ludotheque.game("skipbo")
    assert lobo.move("draw") == double.move("draw")
    with pytest.raises(InvalidMove, match="draw is a move of lobo77"):
        double.new(seed=1, manners=True).play(lobo.move("draw"))


@pytest.mark.parametrize("ask", ["play", "explain", "allows"])
@pytest.mark.parametrize("move", [0, 61, True, None, 1.0, b"bid 0", ["bid 0"]])
def test_a_move_is_no_number(ask: str, move: Any) -> None:
    with pytest.raises(InvalidMove, match="a move is one of"):
        getattr(new(), ask)(move)


@pytest.mark.parametrize("action", [-1, 69, True, 1.0, None])
def test_an_action_that_is_not_there(action: Any) -> None:
    with pytest.raises(InvalidMove, match="they go from 0 to 68"):
        GAME.move(action)


def test_a_mistyped_move_is_asked_about() -> None:
    with pytest.raises(InvalidMove, match=r"did you mean bid 1\?"):
        new().play("bit 1")
    with pytest.raises(InvalidMove) as refused:
        new().play("?!")
    assert "did you mean" not in str(refused.value)
