"""The engine against the slow referee: every line of play over the next few cards, out of tight situations."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.core.jit import COMPILED
from ludotheque.core.record import Buffer, Ids
from tests.referee.lobo77 import Lobo77, Lobo77Options, full_pack

GAME = ludotheque.game("lobo77")
TEXTS = GAME.moves.texts
IDS = {text: action for action, text in enumerate(TEXTS)}

Situation = dict[str, Any]


def fork(referee: Lobo77) -> Lobo77:
    """The same situation once more."""
    twin = copy.copy(referee)
    twin.hands = [list(hand) for hand in referee.hands]
    twin.draw_pile = list(referee.draw_pile)
    twin.played = list(referee.played)
    twin.tokens = list(referee.tokens)
    twin.out = list(referee.out)
    twin.pending_draws = list(referee.pending_draws)
    twin.places = list(referee.places)
    return twin


def walk(situation: Situation, options: dict[str, Any], depth: int) -> None:
    """Play every line of so many moves with both, and compare them after every move."""
    match = GAME.position({"players": len(situation["hands"]), "options": options, "table": situation})
    table = match.position()["table"]
    referee = Lobo77(
        **{name: table[name] for name in ("hands", "draw", "played", "total", "direction", "actor", "owed")},
        **{name: table[name] for name in ("tokens", "out", "opener")},
        pending_draws=table["pending"],
        shuffle=list,
        options=Lobo77Options(**options),
    )
    buf = np.frombuffer(match.to_bytes(), np.uint8).copy()
    visit(buf, referee, depth, np.empty(GAME.info.num_actions, np.int16))


def visit(buf: Buffer, referee: Lobo77, depth: int, ids: Ids) -> None:
    """Compare, then go through the moves of all seats that have any."""
    n = referee.seats
    row = buf.view(GAME.info.state)[0]
    assert row["tokens"][:n].tolist() == referee.tokens
    gone = row["out_at"][:n].tolist()
    assert gone == [referee.out.index(seat) + 1 if seat in referee.out else 0 for seat in range(n)]
    assert bool(row["over"]) == referee.match_over
    if referee.match_over:
        scores, places = np.zeros((2, GAME.info.max_seats), np.int32)
        GAME.kernels.result(buf, scores, places)
        assert places[:n].tolist() == referee.places
        return
    if referee.round_over:
        assert (row["dealer"], row["opener"], row["actor"]) == (
            referee.next_dealer,
            referee.next_opener,
            referee.next_opener,
        )
        assert (row["total"], row["direction"], row["num_played"]) == (0, 1, 0)
        return
    found = [int(row[name]) for name in ("actor", "total", "direction", "owed", "next_two")]
    wanted = [referee.actor, referee.total, referee.direction, referee.owed, int(referee.next_owes_two)]
    assert found == wanted
    assert row["hand_size"][:n].tolist() == [len(hand) for hand in referee.hands]
    assert (row["pile_size"] - row["num_drawn"], row["num_played"]) == (len(referee.draw_pile), len(referee.played))
    for seat in range(n):
        count = GAME.kernels.moves(buf, seat, ids)
        legal = referee.legal(seat)
        assert {TEXTS[action] for action in ids[:count].tolist()} == legal
        if depth == 0:
            continue
        for move in legal:
            child, twin = buf.copy(), fork(referee)
            GAME.kernels.play(child, seat, IDS[move], ids)
            twin.shuffle = order_in(child)
            twin.play(seat, move)
            visit(child, twin, depth - 1, ids)


def order_in(buf: Buffer) -> Any:
    """A shuffle that gives the order in which a record's draw pile has just been shuffled."""

    def shuffle(cards: list[str]) -> list[str]:
        row = buf.view(GAME.info.state)[0]
        pile = [TEXTS[card] for card in row["pile"][: int(row["pile_size"])]]
        assert sorted(pile) == sorted(cards)
        return pile

    return shuffle


# Hands in which every kind of card is, for three; the last card but one of the draw pile is near.
THREE = [["2x", "rev", "0", "-10", "10"], ["2x", "11", "9", "rev", "-10"], ["2x", "0", "10", "33", "2"]]
TOTALS = [-10, 0, 11, 23, 34, 43, 56, 66, 67, 76]
SOME_TOKENS = [[2, 2, 2], [1, 1, 1], [1, 2, 1], [2, 1, 2]]
SWIMMERS = [[0, 1, 1], [0, 0, 1], [1, 0, 0], [0, 0, 2]]
SHORT_PILE = ["3", "44"]


def without(*cards: str) -> list[str]:
    """All cards but these."""
    pack = full_pack()
    for card in cards:
        pack.remove(card)
    return pack


def options_of(swim: bool, repeat_costs: bool, end: str, draw: str) -> dict[str, Any]:
    options = {"tokens": 2, "swim": swim, "repeat_costs": repeat_costs, "end": end, "draw": draw}
    return {**options, "keep_top": swim != repeat_costs}  # L19: on in half of them


@pytest.mark.slow
@pytest.mark.parametrize("draw", ["auto", "manual"])
@pytest.mark.parametrize("end", ["last_standing", "last_tokens"])
@pytest.mark.parametrize("repeat_costs", [False, True])
@pytest.mark.parametrize("swim", [False, True])
def test_every_line_of_three_players(swim: bool, repeat_costs: bool, end: str, draw: str) -> None:
    options = options_of(swim, repeat_costs, end, draw)
    held = [card for hand in THREE for card in hand]
    all_tokens = SOME_TOKENS + SWIMMERS if swim else SOME_TOKENS
    for number, (total, tokens) in enumerate(itertools.product(TOTALS, all_tokens)):
        if end == "last_tokens" and sum(own > 0 for own in tokens) == 1:
            continue  # over already
        if number % (3 if COMPILED else 31):
            continue
        situation: Situation = {
            "hands": THREE,
            "total": total,
            "tokens": tokens,
            "actor": number // 3 % 3,
            "opener": number // 9 % 3,
            "direction": 1 if number % 4 else -1,
            "owed": 1 + number // 4 % 2,
        }
        if number % 5:
            situation |= {"draw": SHORT_PILE, "played": without(*held, *SHORT_PILE)}
        walk(situation, options, 4 if COMPILED else 3)


@pytest.mark.parametrize("hands", [[["2x"], ["5"]], [["2x", "2x"], ["2x"]], [["2x", "9"], ["2x", "2x", "rev"]]])
@pytest.mark.parametrize("swim", [False, True])
def test_every_line_of_short_hands(hands: list[list[str]], swim: bool) -> None:
    """After forgotten draws: a hand of nothing but 2x, and one that would be empty."""
    options = options_of(swim, False, "last_standing", "manual")
    held = [card for hand in hands for card in hand]
    for total, owed in itertools.product([0, 57, 66, 68], [1, 2]):
        situation: Situation = {"hands": hands, "total": total, "owed": owed, "tokens": [1, 1]}
        walk(situation, options, 8 if COMPILED else 4)
        walk({**situation, "draw": ["2x"], "played": without("2x", *held)}, options, 8 if COMPILED else 4)


def test_every_line_with_a_player_out_and_the_76() -> None:
    hands = [["76", "rev", "10", "66", "2"], [], ["-10", "2x", "rev", "11", "9"], ["2x", "0", "8", "22", "3"]]
    for opener, direction in itertools.product([0, 1, 2, 3], [1, -1]):
        situation: Situation = {
            "hands": hands,
            "out": [1],
            "tokens": [1, 0, 0, 1],
            "total": 1,
            "actor": 3 if direction == 1 else 2,
            "opener": opener,
            "direction": direction,
        }
        options = {"tokens": 2, "card_76": True}
        walk(situation, options, 4 if COMPILED else 2)
