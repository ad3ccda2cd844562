"""All 6 + 36 + ... + 46,656 rolls: scores, keeps, bust chances and throws against plain brute force.

Nothing here looks at how the tables are made: points are found by trying every way of counting the dice.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

import ludotheque
from ludotheque.core.chance import script
from ludotheque.core.jit import plain
from ludotheque.core.record import Record
from ludotheque.games.volle_lotte import cards, dice, rules, state

Roll = tuple[int, ...]

GAME = ludotheque.game("volle_lotte")
COUNTS = range(1, 7)

COMBINATIONS: dict[Roll, int] = {
    (1,): 100,
    (5,): 50,
    (1, 1, 1): 1000,
    (2, 2, 2): 200,
    (3, 3, 3): 300,
    (4, 4, 4): 400,
    (5, 5, 5): 500,
    (6, 6, 6): 600,
}


def without(roll: Roll, part: Roll) -> Roll | None:
    """The roll without some of its dice; None if it does not have them."""
    left = list(roll)
    for die in part:
        if die not in left:
            return None
        left.remove(die)
    return tuple(left)


@cache
def best_points(roll: Roll) -> int:
    """The most points, over all ways of counting dice alone or with others."""
    rests = [(points, without(roll, part)) for part, points in COMBINATIONS.items()]
    return max((points + best_points(rest) for points, rest in rests if rest is not None), default=0)


@cache
def uses_every_die(roll: Roll) -> bool:
    """Whether the dice can be counted so that none is left over."""
    rests = [without(roll, part) for part in COMBINATIONS]
    return roll == () or any(rest is not None and uses_every_die(rest) for rest in rests)


@cache
def keeps_of(roll: Roll) -> frozenset[Roll]:
    """All sets of dice of a roll, one die at least, of which every die scores."""
    parts = {part for size in range(1, len(roll) + 1) for part in combinations(roll, size)}
    return frozenset(part for part in parts if uses_every_die(part))


def all_rolls(num_dice: int) -> Counter[Roll]:
    """Every roll, sorted, with the number of ways it can fall."""
    return Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=num_dice))


@pytest.mark.parametrize("num_dice", COUNTS)
def test_V3_points_of_every_roll(num_dice: int) -> None:
    for roll in all_rolls(num_dice):
        assert dice.ROLL_POINTS[dice.ROLL_IDS[roll]] == best_points(roll), roll
        longest = max((len(keep) for keep in keeps_of(roll)), default=0)
        assert dice.ROLL_SCORING[dice.ROLL_IDS[roll]] == longest, roll


def record(card: int, roll: Roll) -> tuple[np.ndarray[tuple[int], np.dtype[np.uint8]], Record]:
    """A record in which seat 0 has rolled this under a card."""
    buf = np.zeros(rules.INFO.state.itemsize, np.uint8)
    s = GAME.read(buf)
    s.num_seats = 2
    s.phase = state.ROLLED
    s.card = card
    s.roll = dice.ROLL_IDS[roll]
    return buf, s


@pytest.mark.parametrize("num_dice", COUNTS)
def test_V6_keeps_of_every_roll(num_dice: int) -> None:
    out = np.empty(state.NUM_ACTIONS, np.int16)
    for roll in all_rolls(num_dice):
        buf, _ = record(cards.DOUBLE, roll)
        actions = out[: GAME.kernels.moves(buf, 0, out)].tolist()
        assert len(set(actions)) == len(actions)
        assert state.STOP in actions
        kept = [dice.KEEPS[action - state.KEEP] for action in actions if action >= state.KEEP]
        assert set(kept) == keeps_of(roll), roll
        for keep in kept:
            k = dice.KEEPS.index(keep)
            assert dice.KEEP_POINTS[k] == best_points(keep)
            assert dice.KEEP_DICE[k] == len(keep)
            assert dice.unpack(int(dice.KEEP_PACKED[k])) == keep


@pytest.mark.parametrize("card", [cards.FIREWORKS, cards.DOUBLE, cards.PLUS_MINUS, cards.CLOVER])
def test_V5_stopping_is_offered_where_it_is_allowed(card: int) -> None:
    out = np.empty(state.NUM_ACTIONS, np.int16)
    for num_dice in COUNTS:
        for roll in all_rolls(num_dice):
            buf, _ = record(card, roll)
            actions = out[: GAME.kernels.moves(buf, 0, out)].tolist()
            allowed = card == cards.DOUBLE or (card == cards.PLUS_MINUS and uses_every_die(roll))
            assert (state.STOP in actions) == allowed, roll


def test_every_legal_action_is_sampled() -> None:
    sample = plain(rules.sample)
    out = np.empty(state.NUM_ACTIONS, np.int16)
    for num_dice in COUNTS:
        for roll in all_rolls(num_dice):
            for card in (cards.DOUBLE, cards.FIREWORKS):
                buf, s = record(card, roll)
                n = GAME.kernels.moves(buf, 0, out)
                picks = [sample(s, 0, (((2 * k + 1) << 31) // n) << 30, out) for k in range(n)]
                assert sorted(picks) == sorted(out[:n].tolist())


@pytest.mark.parametrize("num_dice", COUNTS)
def test_V4_chance_of_a_bust(num_dice: int) -> None:
    busts = sum(ways for roll, ways in all_rolls(num_dice).items() if best_points(roll) == 0)
    assert (dice.BUSTS[num_dice], dice.WAYS[num_dice]) == (busts, 6**num_dice)


def test_V4_the_chances_as_everybody_knows_them() -> None:
    assert dice.BUSTS[1:] == (4, 16, 60, 204, 600, 1440)


@pytest.mark.parametrize("num_aside", range(6))
def test_V13_chance_of_no_new_face(num_aside: int) -> None:
    aside = set(range(1, num_aside + 1))
    rolls = product(range(1, 7), repeat=6 - num_aside)
    assert dice.straight_busts(num_aside) == sum(set(roll) <= aside for roll in rolls)


@pytest.mark.parametrize("num_dice", COUNTS)
def test_V2_every_draw_is_a_roll_and_all_rolls_are_as_likely_as_with_dice(num_dice: int) -> None:
    throw = plain(dice.throw)
    _, s = record(cards.DOUBLE, (1,))
    thrown: Counter[Roll] = Counter()
    for value in range(6**num_dice):
        script(s, [(value, 6**num_dice)])
        thrown[dice.ROLLS[throw(s, num_dice)]] += 1
    assert thrown == all_rolls(num_dice)


@pytest.mark.parametrize("num_dice", COUNTS)
def test_a_scripted_roll_is_thrown(num_dice: int) -> None:
    throw = plain(dice.throw)
    _, s = record(cards.DOUBLE, (1,))
    for roll in all_rolls(num_dice):
        script(s, [dice.draw_for(roll)])
        assert dice.ROLLS[throw(s, num_dice)] == roll


def test_points_of_dice_aside_are_those_of_some_history() -> None:
    """All points that dice can have brought, over all ways of splitting them into rolls."""

    @cache
    def histories(aside: Roll) -> frozenset[int]:
        if aside == ():
            return frozenset({0})
        return frozenset(
            best_points(keep) + rest
            for keep in keeps_of(aside)
            for left in [without(aside, keep)]
            if left is not None
            for rest in histories(left)
        )

    are_worth = plain(dice.are_worth)
    all_can_score = plain(dice.all_can_score)
    for num_dice in range(6):
        for aside in all_rolls(num_dice):
            possible = histories(aside)
            assert bool(possible) == all_can_score(dice.pack(aside)), aside
            if possible:
                worth = {points for points in range(0, 3001, 50) if are_worth(dice.pack(aside), points)}
                assert worth == possible, aside
