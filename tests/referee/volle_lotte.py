"""A slow referee for Volle Lotte!: one match, from its beginning.

It is an oracle for tests and shares no code with the engine. The numbers in the comments (V1, V2, ...)
are those of the rule ledger.

Cards are strings: "stop", "fireworks", "bonus 200" to "bonus 600", "double", "plusminus", "straight", "clover".
A move is "go", "stop", or "keep" with the dice in ascending order: "keep 1 5 5".
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

COUNTING = ["fireworks", "bonus 200", "bonus 300", "bonus 400", "bonus 500", "bonus 600", "double"]

Event = dict[str, Any]


@dataclass(frozen=True)
class VolleLotteOptions:
    """What a table can choose."""

    target: int = 6000  # V15
    ending: str = "lowest"  # V15: "lowest" or "round"
    negative: bool = False  # V12
    leader_loses: str = "when_scored"  # V12: "when_scored" or "at_once"
    straight_goes_on: bool = False  # V13
    fireworks_stop: bool = False  # V9


def full_box() -> list[str]:
    """All cards (V1)."""
    box = ["stop"] * 10 + ["clover"]
    for kind in ("fireworks", "double", "plusminus", "straight", *(f"bonus {n}00" for n in range(2, 7))):
        box += [kind] * 5
    return box


def points_of(dice: list[int]) -> int | None:
    """What dice of one roll bring if each of them counts; None if one does not (V3)."""
    points = 0
    for face in range(1, 7):
        threes, singles = divmod(dice.count(face), 3)
        points += threes * (1000 if face == 1 else 100 * face)
        if singles and face not in (1, 5):
            return None
        points += singles * (100 if face == 1 else 50 if face == 5 else 0)
    return points


def scoring(dice: list[int]) -> list[int]:
    """All dice of a roll that count (V3)."""
    result: list[int] = []
    for face in range(1, 7):
        number = dice.count(face)
        result += [face] * (number if face in (1, 5) else 3 * (number // 3))
    return result


class VolleLotte:
    """One match. Ask `legal`, then `play`; read the attributes in between.

    `card` and `roll` are asked for the next card and for dice; `shuffle` for the pile in its new order.
    `events` are what the last move did: the kind, and what it is about.
    """

    def __init__(
        self,
        seats: int,
        first: int,
        pile: list[str],
        roll: Callable[[int], list[int]],
        shuffle: Callable[[list[str]], list[str]],
        options: VolleLotteOptions,
    ) -> None:
        self.seats = seats
        self.first = first
        self.pile = list(pile)  # the first element is the next card
        self.roll_dice = roll
        self.shuffle = shuffle
        self.options = options
        self.turned: list[str] = []
        self.scores = [0] * seats
        self.actor: int | None = first
        self.round_no = 1
        self.closing = False
        self.clover_winner: int | None = None
        self.match_over = False
        self.places: list[int] = []
        self.events: list[Event] = []
        self._clear_turn()

    def _clear_turn(self) -> None:
        self.card: str | None = None
        self.roll: list[int] = []  # the dice that lie there; none: a card is to be turned
        self.aside: list[int] = []
        self.card_points = 0  # of the dice aside, under the card in force
        self.turn_points = 0  # of everything before
        self.losses = 0  # ±1000 of this turn, to be paid when it is scored
        self.lottes = 0  # under this clover
        self.lotte = False  # all six dice are aside, the player stops or goes on

    def legal(self, seat: int) -> set[str]:
        """All moves this seat may make now."""
        if seat != self.actor:
            return set()
        if self.card is None:
            return {"go"}  # V2
        if self.lotte:
            return {"stop", "go"}  # V7
        if self.card == "straight":
            return {"go"}  # V13: what is set aside is no choice
        moves = {"keep " + " ".join(map(str, keep)) for keep in self._keeps()}  # V6
        if self._may_stop():
            moves.add("stop")
        return moves

    def _keeps(self) -> set[tuple[int, ...]]:
        dice = sorted(self.roll)
        subsets = {part for n in range(1, len(dice) + 1) for part in combinations(dice, n)}
        return {part for part in subsets if points_of(list(part)) is not None}

    def _all_score(self) -> bool:
        return len(scoring(self.roll)) == len(self.roll)

    def _may_stop(self) -> bool:
        if self.card == "fireworks":
            return self.options.fireworks_stop  # V9
        if self.card == "plusminus":
            return self._all_score()  # V12: stopping would make the Volle Lotte (V5)
        return self.card != "clover"  # V14

    def play(self, seat: int, move: str) -> None:
        """Make one move."""
        if move not in self.legal(seat):
            raise ValueError(f"seat {seat} may not play {move}")
        self.events = []
        if move == "stop":
            self._stop()
        elif move == "go":
            self._go()
        else:
            self._keep([int(face) for face in move.split()[1:]])

    def _go(self) -> None:
        if self.card == "straight" and not self.lotte:  # V13
            self.aside += sorted(set(self.roll) - set(self.aside))
            self._throw(6 - len(self.aside))
            return
        if not self.pile:  # V2
            self.pile = self.shuffle(self.turned)
            self.turned = []
            self._tell("shuffle", cards=len(self.pile))
        self.card = self.pile.pop(0)
        self.turned.append(self.card)
        self.lotte = False
        self.aside = []
        self.lottes = 0
        self._tell("card", card=self.card)
        if self.card == "stop":
            self._tell("stop_card")
            self._lose()  # V8
        else:
            self._throw(6)

    def _throw(self, number: int) -> None:
        self.roll = self.roll_dice(number)
        if self.card == "straight":
            self._look_for_new_faces()
            return
        self._tell("roll", dice=sorted(self.roll))
        if scoring(self.roll):
            return
        if self.card == "fireworks":  # V9
            self._tell("burnt_out")
            self._score()
        else:  # V4
            self._tell("bust")
            self._lose()

    def _look_for_new_faces(self) -> None:
        """V13"""
        new = sorted(set(self.roll) - set(self.aside))
        self._tell("straight_roll" if new else "roll", dice=sorted(self.roll))
        if not new:
            self._tell("no_new_face")
            self._lose()
        elif len(self.aside) + len(new) == 6:
            self.aside += new
            self.turn_points += 2000
            self._tell("straight", points=self.turn_points)
            if self.options.straight_goes_on:
                self.lotte = True
            else:
                self._score()

    def _keep(self, dice: list[int]) -> None:
        points = points_of(dice)
        assert points is not None
        self.aside += dice
        self.card_points += points if self.card in COUNTING else 0
        left = len(self.roll) - len(dice)
        self._tell("keep", dice=dice, left=left)
        if left > 0:
            self._throw(left)
        elif self.card == "clover":  # V14
            self.lottes += 1
            if self.lottes == 2:
                self._tell("clover_wins")
                self.clover_winner = self.actor
                self._end_match()
            else:
                self._tell("clover_lotte")
                self.aside = []
                self._throw(6)
        else:
            self._pay()
            if self.card == "fireworks":  # V9: six dice, no new card
                self.aside = []
                self._throw(6)
            else:
                self.lotte = True

    def _pay(self) -> None:
        """A Volle Lotte (V7) under a card other than the clover."""
        self.turn_points += self.card_points
        self.card_points = 0
        assert self.card is not None
        if self.card.startswith("bonus"):
            self.turn_points += int(self.card.split()[1])  # V10
        elif self.card == "double":
            self.turn_points *= 2  # V11
        elif self.card == "plusminus":
            self.turn_points += 1000  # V12
        self._tell("volle_lotte", points=self.turn_points)
        if self.card == "plusminus":
            if self.options.leader_loses == "at_once":
                self._take(self._leaders(), 1000)
            else:
                self.losses += 1

    def _stop(self) -> None:
        self._tell("stop")
        if not self.lotte:  # V5: every scoring die of the last roll counts
            points = points_of(scoring(self.roll))
            assert points is not None
            self.card_points += points if self.card in COUNTING else 0
            if self._all_score():
                self._pay()
        self._score()

    def _leaders(self) -> list[int]:
        """V12: who is highest before this turn's points; nobody if the player is."""
        best = max(self.scores)
        found = [seat for seat in range(self.seats) if self.scores[seat] == best]
        return [] if self.actor in found else found

    def _take(self, seats: list[int], points: int) -> None:
        if not seats:
            return
        taken = points if self.options.negative else min(points, self.scores[seats[0]])  # V12
        for seat in seats:
            self.scores[seat] -= taken
        self._tell("leader_loses", seats=seats, points=taken)

    def _score(self) -> None:
        assert self.actor is not None
        leaders = self._leaders()
        points = self.turn_points + self.card_points
        self.scores[self.actor] += points
        self._tell("score", points=points, score=self.scores[self.actor])
        if self.losses:
            self._take(leaders, 1000 * self.losses)
        self._end_turn()

    def _lose(self) -> None:
        lost = self.turn_points + self.card_points
        if lost:
            self._tell("lost", points=lost)
        self._end_turn()

    def _end_turn(self) -> None:
        """V15, or on to the next."""
        seat = self.actor
        assert seat is not None
        self._clear_turn()
        following = (seat + 1) % self.seats
        if self.closing:
            over = self.options.ending == "lowest" or following == self.first
        elif self.scores[seat] >= self.options.target:
            self.closing = True
            if self.options.ending == "lowest":
                behind = [(seat + step) % self.seats for step in range(1, self.seats)]
                following = min(behind, key=lambda other: self.scores[other])  # the first of equals
                self._tell("last_turn", about=following)
                over = False
            else:
                over = following == self.first
                if not over:
                    self._tell("last_lap")
        else:
            over = False
            if following == self.first:
                self.round_no += 1
        if over:
            self._end_match()
        else:
            self.actor = following

    def _end_match(self) -> None:
        winner = self.clover_winner
        self._clear_turn()
        self.match_over = True
        self.actor = None
        for seat in range(self.seats):
            better = [other for other in range(self.seats) if self.scores[other] > self.scores[seat]]
            self.places.append(1 + len(better))
        if winner is not None:  # V14: first, whatever the scores
            for seat in range(self.seats):
                ahead = [s for s in range(self.seats) if s != winner and self.scores[s] > self.scores[seat]]
                self.places[seat] = 1 if seat == winner else 2 + len(ahead)
        self._tell("match_end", about=None)

    def _tell(self, kind: str, about: int | None = -1, **facts: Any) -> None:
        who = self.actor if about == -1 else about
        self.events.append({"type": kind, "seat": who, **facts})
