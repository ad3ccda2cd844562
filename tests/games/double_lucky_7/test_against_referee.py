"""The engine against the slow referee: whole trees of bids and plays of small rounds, and long random matches."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.core.jit import COMPILED
from ludotheque.core.record import Buffer, Ids
from tests.referee.double_lucky_7 import DoubleLucky7Round

GAME = ludotheque.game("double_lucky_7")
TEXTS = GAME.moves.texts
IDS = {text: action for action, text in enumerate(TEXTS)}

Hands = tuple[tuple[str, ...], ...]


def deals(pack: list[str], seats: int, size: int) -> Iterator[Hands]:
    """All ways to give each seat so many cards of a small pack."""
    if seats == 0:
        yield ()
        return
    for hand in itertools.combinations(pack, size):
        rest = [card for card in pack if card not in hand]
        yield from ((hand, *others) for others in deals(rest, seats - 1, size))


def fork(referee: DoubleLucky7Round) -> DoubleLucky7Round:
    """The same situation once more."""
    twin = copy.copy(referee)
    twin.hands = [list(hand) for hand in referee.hands]
    twin.bids = list(referee.bids)
    twin.tricks = list(referee.tricks)
    twin.trick = list(referee.trick)
    twin.points = list(referee.points)
    return twin


def walk(hands: Hands, turned: str, dealer: int, round_no: int, lead: str) -> None:
    """Play every line of bids and cards of one deal with both, and compare them at every step."""
    dealt = [list(hand) for hand in hands]
    table = {"round": round_no, "turned": turned, "dealer": dealer, "hands": dealt}
    match = GAME.position({"players": len(hands), "options": {"lead": lead}, "table": table})
    trump = None if turned == "joker" else turned[0]
    referee = DoubleLucky7Round(hands=dealt, trump=trump, dealer=dealer, round_no=round_no, lead=lead)
    visit(np.frombuffer(match.to_bytes(), np.uint8).copy(), referee, np.empty(GAME.info.num_actions, np.int16))


def visit(buf: Buffer, referee: DoubleLucky7Round, ids: Ids) -> None:
    """Compare, then go through all moves."""
    n = referee.seats
    row = buf.view(GAME.info.state)[0]
    if referee.over:
        found = [row[name][:n].tolist() for name in ("last_bid", "last_tricks", "last_points")]
        assert found == [referee.bids, referee.tricks, referee.points]
        return
    actor = referee.actor
    assert actor is not None
    assert row["actor"] == actor
    assert row["tricks"][:n].tolist() == referee.tricks
    for seat in range(n):
        count = GAME.kernels.moves(buf, seat, ids)
        moves = {TEXTS[action] for action in ids[:count].tolist()}
        assert moves == referee.legal(seat)
    for move in referee.legal(actor):
        child, twin = buf.copy(), fork(referee)
        GAME.kernels.play(child, actor, IDS[move], ids)
        twin.play(actor, move)
        visit(child, twin, ids)


# Small packs in which colours are followed, trumped and thrown off, and in which the joker is.
PACK = ["R1", "R2", "G1", "G3", "B1", "joker"]
LARGER_PACK = ["R1", "R2", "R3", "G1", "G3", "G4", "B1", "B2", "joker"]
# Red is trump, blue is, nobody has any, or the dealer chooses.
TURNED = ["R14", "B14", "Y14", "joker"]


@pytest.mark.slow
@pytest.mark.parametrize("lead", ["dealer", "winner"])
@pytest.mark.parametrize(
    ("seats", "size", "rounds", "pack", "stride"),
    [
        (2, 1, (1, 14), PACK, 1),
        (3, 1, (14, 1), PACK, 1),
        (2, 2, (2, 13), PACK, 1),
        (3, 2, (2, 13), LARGER_PACK, 331),
        (2, 3, (12, 3), LARGER_PACK, 101),
    ],
)
def test_whole_trees(seats: int, size: int, rounds: tuple[int, int], pack: list[str], stride: int, lead: str) -> None:
    every = stride if COMPILED else 30 * stride
    cases = ((hands, turned) for turned in TURNED for hands in deals(pack, seats, size))
    fitting = ((hands, turned) for hands, turned in cases if not any(turned in hand for hand in hands))
    for number, (hands, turned) in enumerate(itertools.islice(fitting, 0, None, every)):
        walk(hands, turned, number % seats, rounds[number // seats % 2], lead)


@pytest.mark.compiled_only  # thousands of lines
@pytest.mark.parametrize("lead", ["dealer", "winner"])
def test_a_whole_tree_of_three_cards_each_for_three(lead: str) -> None:
    walk((("R1", "G4", "B2"), ("R2", "G1", "joker"), ("R3", "G3", "B1")), "B14", 1, 3, lead)


@pytest.mark.parametrize("lead", ["dealer", "winner"])
@pytest.mark.parametrize("players", range(2, 8))
def test_whole_matches(players: int, lead: Any) -> None:
    chooser = random.Random(players)
    for seed in range(8 if COMPILED else 1):
        match = GAME.new(players, seed=seed, lead=lead)
        scores = [0] * players
        while not match.over:
            dealt = match.position()["table"]
            referee = DoubleLucky7Round(
                hands=dealt["hands"],
                trump=dealt["trump"],
                dealer=dealt["dealer"],
                round_no=dealt["round"],
                lead=lead,
            )
            while not referee.over:
                assert match.actor == referee.actor
                for seat in range(players):
                    assert set(match.legal(seat)) == referee.legal(seat)
                actor, move = match.actor, chooser.choice(match.legal())
                match.play(move)
                referee.play(actor, move)
            scores = [sum(pair) for pair in zip(scores, referee.points, strict=True)]
            assert match.scores == scores
        assert match.places == [1 + sum(other > own for other in scores) for own in scores]
