"""Finding combinations in a hand, and whether the rest of a contract can follow.

A hand is `once`, `twice` and a number of jokers, as cards.py has them. Numbers of cards by rank are digits of four
bits, ace first. Places of a run are such digits too, fourteen of them. A window is four places that follow each other,
known by the bit of its lowest card. Where runs may mix suits, only the numbers by rank matter: then `once` is these.

`must` is the card taken in this turn, if only one card will be left in the end: it may not be that one (B22).
"""

from __future__ import annotations

from typing import NamedTuple

from ludotheque.core.bits import count, lowest
from ludotheque.core.jit import jit
from ludotheque.core.record import Ids
from ludotheque.core.record import State as S
from ludotheque.games.loba.cards import (
    ACE_SLOT,
    ADD,
    ALL_TYPES,
    BRELAN,
    CHOICES,
    JOKER,
    JOKER_CODE,
    JOKER_HIGH,
    JOKER_LOW,
    LAST_PLACE,
    NO_CARD,
    NO_PLACE,
    NUM_CHOICES,
    NUM_CODES,
    NUM_SLOTS,
    QUARTE,
    RUN,
    SET,
    SEXTUPLE,
    held,
    rank_at,
    run_cards,
    set_cards,
    slot_card,
    take_out,
)

_ONES = 0x1111111111111  # a one in the digit of each rank
_PLACES = 0x11111111111111  # and in that of each place of a run
_EIGHTS = 8 * _ONES
_FIVES = 5 * _ONES
_THREES = 3 * _ONES
_WINDOW = 0x1111  # the cards of a window, from its lowest on
_STARTS = (1 << 44) - 1  # windows begin at places 0 to 10

NOT_POSSIBLE = -2


class Hand(NamedTuple):
    """The cards of a hand."""

    once: int
    twice: int
    jokers: int


class Rest(NamedTuple):
    """What has to be laid from a hand: so many brelans and quartes, and the card that must go."""

    sets: int
    runs: int
    must: int
    any_suit: int


@jit
def hand_at(s: S, seat: int) -> Hand:
    """A seat's hand."""
    # Sums are wide integers: tuples of fields would be of another type than other hands.
    return Hand(s.hand[seat] + 0, s.hand_twice[seat] + 0, s.hand_jokers[seat] + 0)


@jit
def ranks_of(once: int, twice: int) -> int:
    """How many cards of each rank."""
    a = once - ((once >> 1) & _FIVES)
    b = twice - ((twice >> 1) & _FIVES)
    return (a & _THREES) + ((a >> 2) & _THREES) + (b & _THREES) + ((b >> 2) & _THREES)


@jit
def sets_possible(ranks: int, jokers: int, sets: int) -> bool:
    """Whether so many brelans can be made.

    The k-th brelan of a rank costs jokers that its cards alone decide, the more the later: so take the cheapest.
    With c cards of the rank, k brelans cost 3k - c jokers, at least none and at most k.
    """
    if sets == 0:
        return True
    three = (ranks + 5 * _ONES) & _EIGHTS  # ranks with three cards or more; digits are at most 8
    six = (ranks + 2 * _ONES) & _EIGHTS
    sets -= count(three) + count(six)
    if sets <= 0:
        return True
    if jokers < sets:
        return False
    two = (ranks + 6 * _ONES) & _EIGHTS
    five = (ranks + 3 * _ONES) & _EIGHTS
    eight = ranks & _EIGHTS
    one_joker = count(two ^ three) + count(five ^ six) + count(eight)  # the next one of 2, 5 and 8 cards
    if sets <= one_joker:
        return True
    sets -= one_joker
    jokers -= one_joker
    four = (ranks + 4 * _ONES) & _EIGHTS
    seven = (ranks + _ONES) & _EIGHTS
    two_jokers = count(four ^ five) + count(seven ^ eight)  # of 4 and 7 cards
    if sets <= two_jokers:
        return 2 * sets <= jokers
    sets -= two_jokers
    jokers -= 2 * two_jokers
    return sets == 1 and jokers >= 3 and count(six ^ seven) + count(eight) > 0  # of 6 cards, a fourth one of 8


@jit
def _unwrap(cards: int) -> int:
    """Cards by rank as places of a run: the aces once more at the high end (B8)."""
    return cards | (cards & 15) << JOKER


@jit
def _wrap(places: int) -> int:
    """Places of a run as cards by rank."""
    return (places & ALL_TYPES) | places >> JOKER


@jit
def _places(once: int, any_suit: int) -> int:
    """The places for which there is a card: of each suit, or in mixed suits a bit a digit."""
    if any_suit:
        return ((_unwrap(once) + 7 * _PLACES) & (8 * _PLACES)) >> 3
    return _unwrap(once)


@jit
def _windows(places: int, jokers: int) -> int:
    """Windows of which all cards are there, or with a joker all but one."""
    a, b, c, d = places, places >> 4, places >> 8, places >> 12
    if jokers > 0:
        return ((a & b & (c | d)) | (c & d & (a | b))) & _STARTS
    return a & b & c & d


@jit
def _cards_of(window: int, joker: int) -> int:
    """The places of a window but that of the joker, if there is one."""
    cards = _WINDOW << window
    return cards if joker < 0 else cards ^ 1 << (window + 4 * joker)


@jit
def _without(once: int, twice: int, run: int, any_suit: int) -> tuple[int, int]:
    """The hand after the cards of a run have gone."""
    if any_suit:
        return once - _wrap(run), 0
    return take_out(once, twice, _wrap(run), 0)


@jit
def _sets_follow(once: int, twice: int, jokers: int, sets: int, must: int, any_suit: int) -> bool:
    """Whether the hand has so many brelans, and what is left is not the card that must go."""
    ranks = once if any_suit else ranks_of(once, twice)
    if must != NO_CARD:
        # Alone in its rank a card goes into no brelan. Else it, or the joker, takes the place of another card.
        if must == JOKER:
            if jokers > 0 and sets == 0:
                return False
        elif (ranks >> (must & ~3)) & 15 == 1 and (any_suit or (once >> must) & 1):
            return False
    return sets_possible(ranks, jokers, sets)


@jit
def _run_follows(once: int, twice: int, jokers: int, sets: int, must: int, any_suit: int, among: int) -> bool:
    """Whether the hand has a quarte in one of these windows, and then so many brelans."""
    places = _places(once, any_suit)
    windows = _windows(places, jokers) & among
    while windows:
        window = lowest(windows)
        windows &= windows - 1
        for joker in range(-1, 4 if jokers > 0 else 0):
            run = _cards_of(window, joker)
            if run & ~places == 0:
                a, b = _without(once, twice, run, any_suit)
                if _sets_follow(a, b, jokers if joker < 0 else jokers - 1, sets, must, any_suit):
                    return True
    return False


@jit
def _two_runs_follow(once: int, twice: int, jokers: int, sets: int, must: int, any_suit: int) -> bool:
    """Whether the hand has two quartes, and then so many brelans."""
    places = _places(once, any_suit)
    if jokers < 2 and _windows(places, 0) == 0:
        return False
    windows = _windows(places, jokers)
    while windows:
        window = lowest(windows)
        among = windows  # the second quarte lies in this window or a higher one
        windows &= windows - 1
        for joker in range(-1, 4 if jokers > 0 else 0):
            run = _cards_of(window, joker)
            if run & ~places == 0:
                a, b = _without(once, twice, run, any_suit)
                rest = jokers if joker < 0 else jokers - 1
                if _run_follows(a, b, rest, sets, must, any_suit, among):
                    return True
    return False


@jit
def can_complete(hand: Hand, rest: Rest) -> bool:
    """Whether the rest can be laid from a hand (B10). Sextuples are two brelans, so add nothing."""
    once, twice, jokers = hand
    sets, runs, must, any_suit = rest
    if runs == 0:
        return _sets_follow(once, twice, jokers, sets, must, 0)
    if any_suit:
        once = ranks_of(once, twice)
        twice = 0
        if must != NO_CARD and must != JOKER and (once >> (must & ~3)) & 15 > 1:
            must = NO_CARD  # another card of the rank can be left instead
    if runs == 1:
        return _run_follows(once, twice, jokers, sets, must, any_suit, _STARTS)
    return _two_runs_follow(once, twice, jokers, sets, must, any_suit)


@jit
def _still_must(must: int, gone: int, gone_jokers: int) -> int:
    """The card that must go, after cards have gone."""
    if must == NO_CARD or (gone_jokers > 0 if must == JOKER else (gone >> must) & 1):
        return NO_CARD
    return must


@jit
def list_sets(out: Ids, n: int, worth: int, hand: Hand, rest: Rest) -> int:
    """All brelans of a hand, or sextuples, which are worth two of them, after which the rest can be laid."""
    once, twice, jokers = hand
    first = BRELAN if worth == 1 else SEXTUPLE
    row = NUM_CHOICES * (worth - 1)
    least = 3 * worth - (1 if jokers > 0 else 0)
    enough = (ranks_of(once, twice) + (8 - least) * _ONES) & _EIGHTS
    while enough:
        rank = lowest(enough) >> 2
        enough &= enough - 1
        lacking = ~(once >> (4 * rank)) & 15
        lacking_twice = ~(twice >> (4 * rank)) & 15
        for choice in range(NUM_CHOICES):
            gone = int(CHOICES[row + choice, 0])
            gone_twice = int(CHOICES[row + choice, 1])
            joker = int(CHOICES[row + choice, 2])
            if gone & lacking or gone_twice & lacking_twice or joker > jokers:
                continue
            gone <<= 4 * rank
            a, b = take_out(once, twice, gone, gone_twice << (4 * rank))
            must = _still_must(rest.must, gone, joker)
            if can_complete(Hand(a, b, jokers - joker), Rest(rest.sets, rest.runs, must, rest.any_suit)):
                out[n] = first + NUM_CHOICES * rank + choice
                n += 1
    return n


@jit
def list_runs(out: Ids, n: int, hand: Hand, rest: Rest) -> int:
    """All quartes of a hand after which the rest can be laid."""
    places = _places(ranks_of(hand.once, hand.twice), 1) if rest.any_suit else _places(hand.once, 0)
    windows = _windows(places, hand.jokers)
    while windows:
        window = lowest(windows)
        windows &= windows - 1
        for joker in range(-1, 4 if hand.jokers > 0 else 0):
            if _cards_of(window, joker) & ~places == 0:
                suits = 15 if rest.any_suit else 1 << (window & 3)
                n = _list_suits(out, n, window >> 2, joker, suits, hand, rest)
    return n


@jit
def _suits_at(once: int, place: int, suits: int, is_joker: bool) -> int:
    """The suits there are at a place of a run; where the joker stands, one for all."""
    return 1 if is_joker else (once >> (4 * rank_at(place))) & suits


@jit
def _list_suits(out: Ids, n: int, start: int, joker: int, suits: int, hand: Hand, rest: Rest) -> int:
    """The quartes that begin at a place and have the joker at a place (-1: none), in all suits there are."""
    once, twice, jokers = hand
    rest_jokers = jokers if joker < 0 else jokers - 1
    rest_must = _still_must(rest.must, 0, 0 if joker < 0 else 1)
    known = -1  # whether the rest can be laid: in mixed suits it is the same for all, unless a card must go
    a = _suits_at(once, start, suits, joker == 0)
    while a:
        b = _suits_at(once, start + 1, suits, joker == 1)
        while b:
            c = _suits_at(once, start + 2, suits, joker == 2)
            while c:
                d = _suits_at(once, start + 3, suits, joker == 3)
                while d:
                    code = lowest(a) | lowest(b) << 2 | lowest(c) << 4 | lowest(d) << 6
                    if known < 0 or rest_must != NO_CARD:
                        gone = _run_mask(start, joker, code)
                        e, f = take_out(once, twice, gone, 0)
                        still = _still_must(rest_must, gone, 0)
                        after = Rest(rest.sets, rest.runs, still, rest.any_suit)
                        known = 1 if can_complete(Hand(e, f, rest_jokers), after) else 0
                    if known:
                        if joker >= 0:
                            below = (1 << (2 * joker)) - 1
                            code = JOKER_CODE + 64 * joker + ((code & below) | (code >> 2) & ~below)
                        out[n] = QUARTE + NUM_CODES * start + code
                        n += 1
                    d &= d - 1
                c &= c - 1
            b &= b - 1
        a &= a - 1
    return n


@jit
def _run_mask(start: int, joker: int, code: int) -> int:
    """The cards of a quarte as a mask: four suits in the code, that of the joker's place meaning nothing."""
    cards = 0
    for step in range(4):
        if step != joker:
            cards |= 1 << (4 * rank_at(start + step) + ((code >> (2 * step)) & 3))
    return cards


@jit
def must_go(s: S, seat: int, number: int) -> int:
    """B22: the card that has to be among so many cards to lay, NO_CARD, or NOT_POSSIBLE if the turn could not end."""
    left = s.size[seat] - number
    if left < 0 or (left == 0 and s.out_by_discard):
        return NOT_POSSIBLE
    taken = s.taken
    if left == 1 and taken != NO_CARD:
        if held(s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat], taken) == 1:
            return taken
    return NO_CARD


@jit
def can_go_on(s: S, seat: int, sets: int, runs: int) -> bool:
    """Whether a seat can lay so many brelans and quartes, and finish its turn (B10, B22)."""
    must = must_go(s, seat, 3 * sets + 4 * runs)
    if must == NOT_POSSIBLE:
        return False
    return can_complete(hand_at(s, seat), Rest(sets, runs, must, s.runs + 0))


# Combinations on the table: kind, low, length, joker, suits.
# A set: its rank, its number of cards, 0 if it has a joker or NO_PLACE, suits once in four bits, twice in four more.
# A run: its first place, its number of cards, the joker's place or NO_PLACE, two bits of suit for each of 14 places.
Meld = tuple[int, int, int, int, int]


@jit
def meld_at(s: S, number: int) -> Meld:
    """A combination on the table."""
    return (  # sums as in `hand_at`
        s.meld_kind[number] + 0,
        s.meld_low[number] + 0,
        s.meld_length[number] + 0,
        s.meld_joker[number] + 0,
        s.meld_suits[number] + 0,
    )


@jit
def laid_meld(action: int) -> Meld:
    """A combination as it is laid."""
    if action >= QUARTE:
        low, joker, _, suits = run_cards(action)
        return RUN, low, 4, joker, suits
    low, once, twice, jokers, length = set_cards(action)
    return SET, low, length, 0 if jokers > 0 else NO_PLACE, once | twice << 4


@jit
def fitting(meld: Meld, any_suit: int) -> int:
    """The types, jokers apart, that may be added to a combination, as a mask (B14, B16)."""
    kind, low, length, joker, suits = meld
    if kind == SET:
        return 15 << (4 * low)
    allowed = 15
    if not any_suit:
        shown = low + 1 if joker == low else low
        allowed = 1 << (suits >> (2 * shown) & 3)
    high = low + length - 1
    cards = 0
    if low > 0:
        cards |= allowed << (4 * (low - 1))
        if joker == low:  # B16: the joker moves on
            cards |= allowed << (4 * low)
    if high < LAST_PLACE:
        cards |= allowed << (4 * rank_at(high + 1))
        if joker == high:
            cards |= allowed << (4 * high)
    return cards


@jit
def joker_fits(meld: Meld) -> bool:
    """Whether a joker may be added (B9, B23)."""
    kind, _, length, joker, _ = meld
    return joker == NO_PLACE and (kind == SET or length <= LAST_PLACE)


@jit
def fits(card: int, meld: Meld, any_suit: int) -> bool:
    """Whether a card may be added to a combination."""
    if card == JOKER:
        return joker_fits(meld)
    return fitting(meld, any_suit) >> card & 1 == 1


@jit
def takes_ace_twice(meld: Meld) -> bool:
    """Whether an ace may be added at both ends: of a run from 2 to king."""
    kind, low, length, _, _ = meld
    return kind == RUN and low == 1 and length == LAST_PLACE - 1


@jit
def takes_joker_twice(meld: Meld) -> bool:
    """Whether there is a next place at both ends of a run."""
    kind, low, length, _, _ = meld
    return kind == RUN and low > 0 and low + length <= LAST_PLACE


@jit
def grow(meld: Meld, slot: int) -> Meld:
    """A combination after a card has been added."""
    kind, low, length, joker, suits = meld
    length += 1
    card = slot_card(slot)
    if kind == SET:
        if card == JOKER:
            return kind, low, length, 0, suits
        suit = card & 3
        return kind, low, length, joker, suits | 1 << (suit + (4 if suits >> suit & 1 else 0))
    next_high = low + length - 1
    if card == JOKER:
        if slot == JOKER_LOW or (slot == JOKER and next_high > LAST_PLACE):
            return kind, low - 1, length, low - 1, suits
        return kind, low, length, next_high, suits
    place = card >> 2
    if place == 0:
        is_low = (slot - ACE_SLOT) & 1 == 0 if slot >= ACE_SLOT else low == 1
        place = 0 if is_low else LAST_PLACE
    suits |= (card & 3) << (2 * place)
    if place == low:  # B16: in the place of the joker, which moves on
        return kind, low - 1, length, low - 1, suits
    if place == next_high - 1:
        return kind, low, length, next_high, suits
    return kind, min(low, place), length, joker, suits


@jit
def list_adds(out: Ids, n: int, number: int, meld: Meld, hand: int, jokers: int, any_suit: int) -> int:
    """All ways to add a card of a hand to the combination with this number on the table."""
    first = ADD + NUM_SLOTS * number
    cards = hand & fitting(meld, any_suit)
    if cards & 15 and takes_ace_twice(meld):
        for suit in range(4):
            if cards >> suit & 1:
                out[n] = first + ACE_SLOT + 2 * suit
                out[n + 1] = first + ACE_SLOT + 2 * suit + 1
                n += 2
        cards &= ~15
    while cards:
        out[n] = first + lowest(cards)
        n += 1
        cards &= cards - 1
    if jokers > 0 and joker_fits(meld):
        if takes_joker_twice(meld):
            out[n] = first + JOKER_LOW
            out[n + 1] = first + JOKER_HIGH
            n += 2
        else:
            out[n] = first + JOKER
            n += 1
    return n


@jit
def meld_cards(meld: Meld) -> tuple[int, int, int]:
    """The cards of a combination: once, twice and jokers."""
    kind, low, length, joker, suits = meld
    jokers = 0 if joker == NO_PLACE else 1
    if kind == SET:
        return (suits & 15) << (4 * low), (suits >> 4) << (4 * low), jokers
    once = 0
    twice = 0
    for place in range(low, low + length):
        if place != joker:
            card = 1 << (4 * rank_at(place) + (suits >> (2 * place) & 3))
            twice |= once & card  # the low ace and the high one
            once |= card
    return once, twice, jokers
