"""A match: playing, taking back, copying, looking back, and the errors on the way."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ludotheque
from ludotheque import IllegalMove, InvalidMove, LudothequeError, MatchOver, UnknownGame
from ludotheque.core.match import Match

GAME = ludotheque.game("double_lucky_7")
NAMES = ["Ana", "Ben", "Cleo"]


def new(**options: Any) -> Match:
    return GAME.new(NAMES, seed=1, **options)


def played(moves: int, **options: Any) -> Match:
    """A match after so many moves, each the last of the legal ones."""
    match = new(**options)
    for _ in range(moves):
        match.play(match.legal()[-1])
    return match


def finished() -> Match:
    match = new(rounds=7)
    while not match.over:
        match.play(match.legal()[0])
    return match


def near_the_end() -> Match:
    """Ana plays her last card, then Ben does, and he wins."""
    table = {"round": 14, "turned": "R1", "hands": [["G1"], ["G2"]], "bids": [1, 1], "points": [10, 10]}
    return GAME.position({"players": ["Ana", "Ben"], "table": table})


# Playing


def test_moves_are_moves_or_their_texts() -> None:
    one, other = new(), new()
    one.play("bid 1")
    other.play(GAME.moves[62])
    assert one.to_bytes() == other.to_bytes()
    assert one.moves == other.moves == [(new().actor, "bid 1")]
    assert one.legal_ids() == [move.id for move in one.legal()]


def test_the_same_seed_and_moves_give_the_same_bytes() -> None:
    assert played(40).to_bytes() == played(40).to_bytes()
    assert GAME.new(NAMES, seed=2).to_bytes() != new().to_bytes()
    assert GAME.new(NAMES).to_bytes() != GAME.new(NAMES).to_bytes()


def test_only_the_actor_moves_here() -> None:
    match = new()
    assert match.movers() == [match.actor]
    idle = (match.actor + 1) % 3
    assert match.legal(idle) == []
    with pytest.raises(IllegalMove, match="not your turn"):
        match.play("bid 0", idle)
    match.play("bid 0", match.actor)


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    match = new()
    before = match.to_bytes()
    with pytest.raises(IllegalMove) as caught:
        match.play("bid 7")
    assert (match.to_bytes(), match.moves) == (before, [])
    assert (caught.value.rule, caught.value.key) == ("D6", "bid_too_high")
    assert str(caught.value) == "There is only 1 card in this round: bid 0 or 1. [D6]"
    french = match.refusal_text(caught.value, "fr")
    assert french.startswith("Il n’y a qu’une carte") and french.endswith("[D6]")


NO_MOVES: list[Any] = [-1, 0, 61, 69, 10**30, True, False, 1.0, None, [], (0, 61), b"bid 0", "bid 9", ""]


@pytest.mark.parametrize("move", NO_MOVES)
def test_what_is_no_move_cannot_be_played(move: Any) -> None:
    match = new()
    before = match.to_bytes()
    with pytest.raises(InvalidMove):
        match.play(move)
    assert (match.to_bytes(), match.moves) == (before, [])


@pytest.mark.parametrize("move", NO_MOVES)
def test_what_is_no_move_cannot_be_explained(move: Any) -> None:
    with pytest.raises(InvalidMove):
        new().explain(move)


@pytest.mark.parametrize("seat", [-1, 3, 10**30, True, False, 1.0, "0", [0]])
def test_seats_that_are_not_there(seat: Any) -> None:
    match = new()
    before = match.to_bytes()
    for ask in (match.legal, match.legal_ids, match.concealed, match.events, match.view, match.rounds, match.record):
        with pytest.raises(InvalidMove, match="seats go from 0 to 2"):
            ask(seat)
    for play in (match.play, match.explain, match.allows):
        with pytest.raises(InvalidMove, match="seats go from 0 to 2"):
            play("bid 0", seat)
    assert match.to_bytes() == before


def test_explain_says_what_play_would() -> None:
    match = new()
    assert match.explain("bid 0") is None
    assert match.explain(GAME.moves[61]) is None
    refusal = match.explain("bid 7")
    assert refusal is not None and refusal.rule == "D6"
    refusal = match.explain("bid 0", (match.actor + 1) % 3)
    assert refusal is not None and refusal.key == "not_your_turn"
    assert match.moves == []


def test_games_are_played_side_by_side() -> None:
    """The compiled code of one game keeps out of another's, though much of it has the same names."""
    matches = [ludotheque.game(game_id).new(seed=1) for game_id in ludotheque.game_ids()]
    for _ in range(20):
        for match in matches:
            if not match.over:
                match.play(match.legal()[0])
    for match in matches:
        again = match.game.position(match.position())  # which is audited
        assert (again.actor, again.scores) == (match.actor, match.scores)
        assert match.at(len(match.moves)).to_bytes() == match.to_bytes()


# The end


def test_after_the_end() -> None:
    match = finished()
    assert (match.over, match.actor, match.legal(), match.legal(0), match.movers()) == (True, -1, [], [], [])
    before = match.to_bytes()
    for seat in (None, 0, 2):
        with pytest.raises(MatchOver):
            match.play("bid 0", seat)
    assert match.to_bytes() == before
    assert match.view(0)["actor"] is None and match.view(0)["legal"] == []
    assert match.log()[-1].startswith("The match is over")


def test_explain_after_the_end() -> None:
    match = finished()
    with pytest.raises(MatchOver):
        match.explain("bid 0")
    with pytest.raises(MatchOver):
        match.explain("bid 0", 0)


def test_scores_places_and_ranking() -> None:
    match = near_the_end()
    assert (match.scores, match.places, match.ranking) == ([10, 10], [1, 1], [[0, 1]])  # as they stand
    match.play("G1")
    match.play("G2")
    assert (match.scores, match.places, match.ranking) == ([10, 22], [2, 1], [[1], [0]])
    assert len(match.rounds()) == 1
    assert match.rounds()[0]["points"] == [0, 12]


# Back and forth


def test_undo() -> None:
    match = played(20)
    states = [played(count).to_bytes() for count in range(21)]
    match.events(0)
    match.undo()
    assert (match.to_bytes(), len(match.moves)) == (states[19], 19)
    match.undo(5)
    assert match.to_bytes() == states[14]
    match.undo(0)
    assert match.to_bytes() == states[14]
    assert match.events(0) == played(14).events(0)  # what was taken back is forgotten
    match.play(match.legal()[-1])
    assert match.to_bytes() == states[15]
    match.undo(15)
    assert match.to_bytes() == new().to_bytes()
    for count in (1, -1):
        with pytest.raises(LudothequeError):
            match.undo(count)


def test_undo_the_last_move_of_the_match() -> None:
    match = near_the_end()
    match.play("G1")
    match.play("G2")
    match.undo()
    assert (match.over, match.actor, match.legal()) == (False, 1, ["G2"])


def test_at_looks_back_without_changing_anything() -> None:
    match = played(20)
    for ply in (0, 7, 20):
        past = match.at(ply)
        assert past.to_bytes() == played(ply).to_bytes()
        assert past.moves == match.moves[:ply]
    assert len(match.moves) == 20
    for ply in (-1, 21):
        with pytest.raises(LudothequeError):
            match.at(ply)


def test_a_copy_goes_its_own_way() -> None:
    match = played(10)
    twin = match.copy()
    assert (twin.to_bytes(), twin.moves, twin.names) == (match.to_bytes(), match.moves, match.names)
    twin.play(twin.legal()[0])
    assert (len(twin.moves), len(match.moves)) == (11, 10)
    assert match.to_bytes() == played(10).to_bytes()
    twin.undo(11)
    assert twin.to_bytes() == new().to_bytes()


# Views and events


def test_events_have_a_list_for_the_deal_and_one_for_each_move() -> None:
    match = played(15)
    for seat in (None, 0, 1, 2):
        events = match.events(seat)
        assert len(events) == 16
        assert [event["type"] for event in events[0]] == ["first_dealer", "deal"]
        json.dumps(events)


def test_a_view_is_json_and_has_what_the_seat_may_know() -> None:
    match = played(15)
    hands = match.position()["table"]["hands"]
    for seat in (None, 0, 1, 2):
        view = json.loads(json.dumps(match.view(seat)))
        assert (view["game"], view["players"], view["seat"], view["ply"]) == ("double_lucky_7", NAMES, seat, 15)
        assert (view["actor"], view["over"]) == (match.actor, False)
        assert view["table"]["hand"] == (None if seat is None else hands[seat])
        moves = [move["move"] for move in view["legal"]]
        assert moves == ([] if seat is None else match.legal(seat))
        text = json.dumps([view["table"], view["legal"]])
        hidden = [card for other, hand in enumerate(hands) if other != seat for card in hand]
        assert not [card for card in hidden if f'"{card}"' in text]


def test_views_speak_the_language_asked_for() -> None:
    match = new()
    english = match.view(match.actor, "en")["legal"][0]
    french = match.view(match.actor, "fr")["legal"][0]
    assert (english["label"], french["label"]) == ("Bid 0 tricks", "Annoncer 0 pli")
    assert len(match.log("en")) == len(match.log("fr")) == 2
    with pytest.raises(LudothequeError):
        match.view(0, "de")


def test_the_commitment_is_known_from_the_start() -> None:
    match = new()
    commitment = match.commitment
    assert commitment is not None and len(commitment) == 64
    match.play(match.legal()[0])
    assert match.commitment == commitment
    assert near_the_end().commitment is None


def test_unknown_games() -> None:
    with pytest.raises(UnknownGame, match="did you mean skipbo"):
        ludotheque.game("skippo")
    with pytest.raises(UnknownGame, match="there are: double_lucky_7, "):
        ludotheque.game("chess")
