"""The cards of Volle Lotte! and what each does to a turn."""

from __future__ import annotations

from ludotheque.core.jit import jit

# V1, by kind: cards of a kind are all the same. Bonuses are 200, 300, 400, 500 and 600.
STOP_CARD, FIREWORKS, BONUS, DOUBLE, PLUS_MINUS, STRAIGHT, CLOVER = 0, 1, 2, 7, 8, 9, 10
NUM_KINDS = 11
BOX = (10, 5, 5, 5, 5, 5, 5, 5, 5, 5, 1)  # how many of each kind
NUM_CARDS = 56
NO_CARD = -1

# Doubles may follow each other, so a turn has no bound of its own: it is held at this, which nobody will see.
MOST_POINTS = 100_000_000


@jit
def dice_count(card: int) -> bool:
    """Whether dice bring points: not under ±1000 (V12), the straight (V13) and the clover (V14)."""
    return card <= DOUBLE


@jit
def may_stop(card: int, all_score: bool, fireworks_stop: int) -> bool:
    """V5: whether a player may stop after a roll. `all_score`: that would make it a Volle Lotte."""
    # Never under the straight (V13) and the clover (V14); under ±1000 only so (V12), under fireworks by an option (V9).
    if card == FIREWORKS:
        return fireworks_stop != 0
    return BONUS <= card <= DOUBLE or (card == PLUS_MINUS and all_score)


@jit
def goes_on(card: int) -> bool:
    """V9, V14: whether six dice are rolled again after a Volle Lotte, without a new card."""
    return card in (FIREWORKS, CLOVER)


@jit
def lotte_points(card: int, turn_points: int, card_points: int) -> int:
    """What the turn is worth after a Volle Lotte under this card, with `card_points` of its dice."""
    total = turn_points + card_points
    if card == DOUBLE:
        total = 2 * total  # V11
    elif card == PLUS_MINUS:
        total += 1000  # V12: its dice brought nothing
    elif BONUS <= card < DOUBLE:
        total += 200 + 100 * (card - BONUS)  # V10
    return min(total, MOST_POINTS)


@jit
def straight_points(turn_points: int) -> int:
    """V13: what the turn is worth with all six faces."""
    return min(turn_points + 2000, MOST_POINTS)
