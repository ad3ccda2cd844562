"""A turn of Volle Lotte! worked out the slow way, straight from the rules: every roll, every keep, every card.

Shares nothing with `turns.py` but the numbers of the cards. Points are counted in fifties.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ludotheque.games.volle_lotte import cards
from tests.games.volle_lotte.test_dice_exhaustive import all_rolls, best_points, keeps_of

Pile = tuple[int, ...]
"""How many cards of each kind; none: the box is shuffled anew."""

BOX: Pile = tuple(cards.BOX)
WAYS = [1, 6, 36, 216, 1296, 7776, 46656]
PAID = {cards.BONUS + i: 4 + 2 * i for i in range(5)}


@cache
def rolls(num_dice: int) -> list[tuple[tuple[int, ...], int]]:
    """Every roll of so many dice, and in how many ways it falls."""
    return list(all_rolls(num_dice).items())


@dataclass(frozen=True)
class SlowTurn:
    """What a turn is worth for the best play, given what its ends are worth."""

    stand: Callable[[int, int], float]
    """Scoring the turn with so many ±1000 and points."""
    lose: Callable[[int], float]
    cap: int
    """A turn with as many points counts as scored."""
    most_losses: int = 2
    goes_on: bool = False
    fireworks_stop: bool = False
    """V9: whether the player may stop under fireworks."""
    drawn: bool = True
    """Whether cards turned are missing from the pile; else every card comes from the box."""

    def __post_init__(self) -> None:
        for name in ("go", "rolling", "seeking", "straight", "clover"):
            object.__setattr__(self, name, cache(getattr(self, name)))

    def after_lotte(self, k: int, x: int, pile: Pile) -> float:
        """V7: all six dice are aside."""
        stop = self.stand(k, min(x, self.cap))
        if x >= self.cap or stop == 1.0:  # nothing is better than that
            return stop
        return max(stop, self.go(k, x, pile))

    def go(self, k: int, x: int, pile: Pile) -> float:
        """V2: a new card."""
        if not self.drawn or sum(pile) == 0:
            pile = BOX
        value = 0.0
        for card, number in enumerate(pile):
            if number:
                left = tuple(n - (kind == card and self.drawn) for kind, n in enumerate(pile))
                value += number / sum(pile) * self.turned(card, k, x, left)
        return value

    def turned(self, card: int, k: int, x: int, pile: Pile) -> float:
        """A card has just been turned."""
        if card == cards.STOP_CARD:
            return self.lose(k)
        if card == cards.PLUS_MINUS:
            return self.seeking(6, k, x, pile)
        if card == cards.STRAIGHT:
            return self.straight(frozenset(), k, x, pile)
        if card == cards.CLOVER:
            return self.clover(6, 0, k)
        return self.rolling(card, 6, k, x, pile)

    def rolling(self, card: int, num_dice: int, k: int, x: int, pile: Pile) -> float:
        """V4 to V7, V9 to V11: about to roll so many dice, `x` points at stake."""
        if x >= self.cap:
            return self.stand(k, self.cap)
        value = 0.0
        for roll, ways in rolls(num_dice):
            keeps = keeps_of(roll)
            choices = [self.kept(card, num_dice - len(keep), k, x + best_points(keep) // 50, pile) for keep in keeps]
            if not choices:
                choices = [self.stand(k, x) if card == cards.FIREWORKS else self.lose(k)]
            elif self.fireworks_stop if card == cards.FIREWORKS else all(len(keep) < num_dice for keep in keeps):
                choices.append(self.stand(k, min(x + best_points(roll) // 50, self.cap)))
            value += ways * max(choices)
        return value / WAYS[num_dice]

    def kept(self, card: int, left: int, k: int, x: int, pile: Pile) -> float:
        """Dice have been set aside, so many are left."""
        if left or x >= self.cap:
            return self.rolling(card, left, k, x, pile)
        if card == cards.FIREWORKS:
            return self.rolling(card, 6, k, x, pile)
        return self.after_lotte(k, 2 * x if card == cards.DOUBLE else x + PAID[card], pile)

    def seeking(self, num_dice: int, k: int, x: int, pile: Pile) -> float:
        """V12: about to roll so many dice under ±1000."""
        if num_dice == 0:
            return self.after_lotte(min(k + 1, self.most_losses), min(x + 20, self.cap), pile)
        value = 0.0
        for roll, ways in rolls(num_dice):
            choices = [self.seeking(num_dice - len(keep), k, x, pile) for keep in keeps_of(roll)]
            value += ways * max(choices, default=self.lose(k))
        return value / WAYS[num_dice]

    def straight(self, aside: frozenset[int], k: int, x: int, pile: Pile) -> float:
        """V13: about to roll the dice left with these faces aside."""
        left = 6 - len(aside)
        if left == 0:
            points = min(x + 40, self.cap)
            return self.after_lotte(k, points, pile) if self.goes_on else self.stand(k, points)
        value = 0.0
        for roll, ways in rolls(left):
            faces = aside | set(roll)
            value += ways * (self.lose(k) if faces == aside else self.straight(faces, k, x, pile))
        return value / WAYS[left]

    def clover(self, num_dice: int, lottes: int, k: int) -> float:
        """V14: about to roll so many dice under the clover."""
        if num_dice == 0:
            return self.clover(6, 1, k) if lottes == 0 else 1.0
        value = 0.0
        for roll, ways in rolls(num_dice):
            choices = [self.clover(num_dice - len(keep), lottes, k) for keep in keeps_of(roll)]
            value += ways * max(choices, default=self.lose(k))
        return value / WAYS[num_dice]
