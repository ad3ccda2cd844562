"""The score pad of Volle Lotte!: after each turn its points, how many ±1000 were made, whether the clover won.

A turn can also be followed step by step, as `bonus 300, 1 5 5, 2 2 2, double, 1, stop`: each card that is turned, the
dice set aside of each roll, and `stop` or `bust` in the end. A stop that is turned after a Volle Lotte is `stop card`.
"""

from __future__ import annotations

import re

from ludotheque.core.errors import InvalidPosition
from ludotheque.core.jit import plain
from ludotheque.core.moves import fold
from ludotheque.core.pad_entry import Entry, Field, Form, Question, Reckoning, Refused
from ludotheque.core.record import Record
from ludotheque.games.volle_lotte import cards, rules, state
from ludotheque.games.volle_lotte.audit import POINT_UNIT
from ludotheque.games.volle_lotte.dice import KEEPS, NUM_DICE, ROLL_IDS, Dice, num_packed, pack, points_of, unpack
from ludotheque.games.volle_lotte.notation import CARDS, parse_card, parse_dice
from ludotheque.games.volle_lotte.view import _NO_STOP

dice_count = plain(cards.dice_count)
dice_in = plain(num_packed)
end_turn = plain(rules._end_turn)
keep = plain(rules._keep)
look_for_faces = plain(rules._look_for_faces)
may_stop = plain(cards.may_stop)
pay_lotte = plain(rules._pay_lotte)

NOTES = (state.LEADERS_LOSE, state.LAST_TURN, state.LAST_LAP, state.MATCH_END)

MOST_LOSSES = 2 * cards.BOX[cards.PLUS_MINUS]  # every ±1000 of the box, and all of them again after a reshuffle
MANY_POINTS = 5000  # more in one turn is asked about
THOUSAND = plain(cards.lotte_points)(cards.PLUS_MINUS, 0, 0)  # V12

_STOP_WORDS = ("stop", "s", "arret", "arrete", "fin")
_BUST_WORDS = ("bust", "b", "rien", "perdu", "rate")
_CARD_WORDS = {
    **{word: cards.STOP_CARD for word in ("stop card", "carte stop")},
    **{word: cards.FIREWORKS for word in ("feu", "artifice", "feu d'artifice")},
    **{f"{200 + 100 * k}": cards.BONUS + k for k in range(cards.DOUBLE - cards.BONUS)},
    **{word: cards.DOUBLE for word in ("2x", "x2")},
    **{word: cards.PLUS_MINUS for word in ("±1000", "+-1000", "+/-1000", "1000")},
    **{word: cards.STRAIGHT for word in ("suite",)},
    **{word: cards.CLOVER for word in ("trefle",)},
    **{name: kind for kind, name in enumerate(CARDS) if kind != cards.STOP_CARD},
}


def begin(s: Record, first: int) -> None:
    """A fresh record in which `first` begins."""
    s.first = s.actor = first


def form(s: Record) -> Form:
    """What the turn of one player brought; 0 points if it was lost."""
    fields = (
        Field("points", "int", range(0, cards.MOST_POINTS + 1, POINT_UNIT), "V3"),
        Field("plus_minus", "int", range(MOST_LOSSES + 1), "V12", default=0),
        Field("clover", "flag", rule="V14", default=False),
    )
    return Form("pad.head_last" if s.closing else "pad.head", {"round": s.round_no, "seat": s.actor}, fields, s.actor)


def write(s: Record, values: Entry) -> None:
    """V5, V12, V14, V15: end the turn as the rules do."""
    points, losses, clover = values["points"], values["plus_minus"], values["clover"]
    is_scored = points > 0 or s.leader_loses != state.AT_ONCE
    if clover and (points or (losses and is_scored)):
        raise Refused("V14", "pad.why.clover", field="points")
    if losses and is_scored and points < THOUSAND * losses:
        raise Refused("V12", "pad.why.plus_minus", field="points", n=losses, least=THOUSAND * losses, points=points)
    s.card = cards.PLUS_MINUS
    for _ in range(losses):
        pay_lotte(s)
    s.card = cards.NO_CARD
    s.turn_points = points
    if clover:
        s.clover_winner = s.actor
        end_turn(s, rules.WIN)
    else:
        end_turn(s, rules.SCORE if points else rules.LOSE)


def questions(s: Record, values: Entry) -> list[Question]:
    """V3: so many points in a turn can be, but a 0 too many is likelier."""
    if values["points"] <= MANY_POINTS:
        return []
    return [Question("pad.ask.many_points", {"seat": s.actor, "points": values["points"]}, "points")]


def keep_points(card: str, dice: str) -> int:
    """V3: what dice set aside of one roll bring under a card; 0 where only a Volle Lotte or a straight counts."""
    kept = parse_dice(dice)
    if kept not in KEEPS:
        raise InvalidPosition(f"{dice!r}: dice to keep are 1s, 5s and three of a kind")
    return points_of(kept) if dice_count(parse_card(card)) else 0


def reckon(s: Record, text: str) -> Reckoning:
    """A turn of the player whose turn it is, as far as its steps go."""
    turn = _Turn(s)
    for step in re.split("[,;\n]", text):
        if step.strip():
            turn.take(step)
    return turn.reckoning()


class _Turn:
    """A turn that is followed on a record, with the rules' own functions."""

    def __init__(self, s: Record) -> None:
        self.s = s
        self.losses = 0
        self.how = rules.CHOICE  # SCORE, LOSE or WIN once the turn is over
        self.has_kept = False  # whether dice have been set aside under the card in force
        s.phase = state.TURN
        s.card = cards.NO_CARD
        s.aside = 0

    def take(self, step: str) -> None:
        """One step: a card, dice, or the end."""
        word = fold(step).replace("’", "'")
        phase = self.s.phase
        if self.how != rules.CHOICE:
            raise Refused("", "pad.why.turn_over", step=step.strip())
        if word == "stop" and phase == state.TURN:  # nobody stops before the first card
            self._turn_card(cards.STOP_CARD)
        elif word in _STOP_WORDS:
            self._stop()
        elif word in _BUST_WORDS:
            self._bust()
        elif word in _CARD_WORDS:
            self._turn_card(_CARD_WORDS[word])
        elif re.fullmatch("(?:keep |garde )?[1-6 ]+", word):
            self._set_aside(tuple(sorted(int(c) for c in word if c.isdecimal())))
        else:
            raise Refused("", "pad.why.no_step", step=step.strip())

    def _turn_card(self, card: int) -> None:
        s = self.s
        if s.phase == state.ROLLED:
            raise Refused("V7", "pad.why.no_card", card=CARDS[card])
        s.card = card
        s.aside = 0
        s.phase = state.ROLLED
        self.has_kept = False
        if card == cards.STOP_CARD:
            self.how = rules.LOSE  # V8

    def _set_aside(self, dice: Dice) -> None:
        s = self.s
        left = NUM_DICE - dice_in(s.aside)
        if s.phase != state.ROLLED:
            raise Refused("V2" if s.phase == state.TURN else "V7", "pad.why.card_first")
        if len(dice) > left:
            raise Refused("V6", "pad.why.dice_left", n=left)
        if s.card == cards.STRAIGHT:
            self._set_faces_aside(dice)
            return
        if dice not in KEEPS:
            raise Refused("V3", "pad.why.no_keep", dice=list(dice))
        s.roll = ROLL_IDS[(1,) * left]  # only how many dice were rolled matters
        how = keep(s, KEEPS.index(dice))
        self.has_kept = True
        if s.phase == state.LOTTE and s.card == cards.PLUS_MINUS:
            self.losses += 1
        if how < 0:
            self.how = how

    def _set_faces_aside(self, dice: Dice) -> None:
        s = self.s
        new = pack(dice)
        if len(set(dice)) < len(dice) or new & s.aside:
            raise Refused("V13", "pad.why.no_new_face", dice=list(dice))
        how = look_for_faces(s, new)
        if how < 0:
            self.how = how
        s.aside |= new

    def may_stop(self) -> bool:
        """V5, V7: after a Volle Lotte, or with a die aside under a card that allows it."""
        s = self.s
        if s.phase == state.LOTTE:
            return True
        # Under fireworks a Volle Lotte leaves no dice aside; stopping there is to stop after that roll (V9).
        return s.phase == state.ROLLED and self.has_kept and may_stop(s.card, False, s.fireworks_stop)

    def _stop(self) -> None:
        s = self.s
        if not self.may_stop():
            if s.card in _NO_STOP and not (s.card == cards.FIREWORKS and s.fireworks_stop):
                raise Refused(_NO_STOP[s.card], "why.no_stop", card=CARDS[s.card])
            raise Refused("V5", "pad.why.nothing_aside")
        self.how = rules.SCORE

    def _bust(self) -> None:
        s = self.s
        if s.phase != state.ROLLED:
            raise Refused("V2" if s.phase == state.TURN else "V7", "pad.why.card_first")
        self.how = rules.SCORE if s.card == cards.FIREWORKS else rules.LOSE  # V4, V9

    def reckoning(self) -> Reckoning:
        """The entry for the turn, or what it would be if it were scored now."""
        s = self.s
        points = s.turn_points + s.card_points if self.how in (rules.SCORE, rules.CHOICE) else 0
        losses = self.losses
        if self.how in (rules.LOSE, rules.WIN) and s.leader_loses != state.AT_ONCE:
            losses = 0  # V12: lost with the turn
        facts = {
            "card": None if s.card == cards.NO_CARD else CARDS[s.card],
            "aside": list(unpack(s.aside)),
            "dice": NUM_DICE - dice_in(s.aside) if s.phase == state.ROLLED else 0,
            "may_stop": self.how == rules.CHOICE and self.may_stop(),
        }
        values = {"points": points, "plus_minus": losses, "clover": self.how == rules.WIN}
        return Reckoning(values, self.how != rules.CHOICE, facts)
