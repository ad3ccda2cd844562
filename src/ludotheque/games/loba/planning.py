"""How far a hand is from its contract, which of its cards count towards it, and which cards would bring it nearer.

A hand and its digits of four bits by rank are as in melds.py. A plan chooses a window for each quarte and the ranks of
the brelans; what it lacks are the cards missing in it, less one for each of its incomplete combinations that gets a
joker (B9). A survey looks at all plans that lack the fewest.

Cards that two combinations could use go to quartes first. With two jokers or more it can be better to give them away,
or to make two brelans of four cards: a survey then can be one card too pessimistic, but not about whether all is there.
"""

from __future__ import annotations

from typing import NamedTuple

from ludotheque.core.bits import count, lowest
from ludotheque.core.jit import jit
from ludotheque.games.loba.cards import ALL_TYPES, JOKER, NO_CARD, take_out
from ludotheque.games.loba.melds import Hand, Rest, can_complete, ranks_of

ONES = 0x1111111111111  # a one in the digit of each rank
EIGHTS = 8 * ONES
WINDOW = 0x1111  # the cards of a window, from its lowest on
STARTS = (1 << 44) - 1  # windows begin at places 0 to 10
FAR = 99  # more cards than any plan lacks


class Survey(NamedTuple):
    """What a look at all plans that lack the fewest has found."""

    lack: int
    """How many cards are lacking."""
    keep: int
    """The cards that count in one of the plans, once at least."""
    keep_twice: int
    """And twice."""
    wants: int
    """The cards that would help in one of them."""
    firm: int
    """The cards that count in the plan with the most helpful cards, once at least."""
    firm_twice: int
    """And twice."""
    outs: int
    """How many helpful cards that plan has."""
    joker_helps: int
    """1 if a joker would help."""


NOTHING = Survey(FAR, 0, 0, 0, 0, 0, -1, 0)


class Quartes(NamedTuple):
    """The quartes of a plan: how many there are, the cards of each, and those of them that the hand has."""

    number: int
    first: int
    first_used: int
    second: int
    second_used: int


@jit
def at_least(ranks: int, number: int) -> int:
    """The ranks with so many cards or more, 1 to 8, as the highest bits of their digits."""
    return (ranks + (8 - number) * ONES) & EIGHTS


@jit
def whole(ranks: int) -> int:
    """Ranks given as the highest bits of their digits, as all their cards."""
    return (ranks >> 3) * 15


@jit
def held_ranks(ranks: int) -> int:
    """The ranks of which there is a card, as the lowest bits of their digits."""
    return at_least(ranks, 1) >> 3


@jit
def window_cards(window: int) -> int:
    """The cards of a window; the place above the king is the ace (B8)."""
    places = WINDOW << window
    return (places & ALL_TYPES) | places >> JOKER


@jit
def windows_with(cards: int, number: int) -> int:
    """The windows of which there are so many cards or more."""
    a = cards | (cards & 15) << JOKER
    b, c, d = a >> 4, a >> 8, a >> 12
    if number == 4:
        return a & b & c & d & STARTS
    if number == 3:
        return ((a & b & (c | d)) | (c & d & (a | b))) & STARTS
    if number == 2:
        return ((a & b) | (c & d) | ((a | b) & (c | d))) & STARTS
    return (a | b | c | d) & STARTS


@jit
def _take_run(once: int, twice: int, window: int, any_suit: int) -> tuple[int, int, int]:
    """What a hand has of a window, and the hand without that."""
    used = window_cards(window)
    if any_suit:
        used &= held_ranks(once)
        return used, once - used, 0
    used &= once
    once, twice = take_out(once, twice, used, 0)
    return used, once, twice


@jit
def lack_of_sets(ranks: int, sets: int) -> tuple[int, int, int]:
    """Of so many brelans: cards missing, how many are incomplete, and how many cards make a rank count (0 to 3)."""
    three = count(at_least(ranks, 3)) + count(at_least(ranks, 6))
    if sets <= three:
        return 0, 0, 3
    left = sets - three
    two = count(at_least(ranks, 2)) + count(at_least(ranks, 5)) - three
    if left <= two:
        return left, left, 2
    rest = left - two
    one = count(at_least(ranks, 1)) + count(at_least(ranks, 4)) - two - three
    if rest <= one:
        return two + 2 * rest, left, 1
    return two + 2 * one + 3 * (rest - one), left, 0


@jit
def _set_cards(once: int, twice: int, ranks: int, sets: int, level: int) -> tuple[int, int]:
    """The cards that count towards brelans, if ranks do from this number of cards on."""
    if level <= 1:
        return once, twice
    cards = whole(at_least(ranks, level))
    keep, keep_twice = once & cards, twice & cards
    # A fourth card of a rank is spare, and a fifth unless a sixth would make two brelans of the rank.
    spare = at_least(ranks, 4)
    while spare:
        digit = lowest(spare) & ~3
        spare &= spare - 1
        number = (ranks >> digit) & 15
        most = 6 if sets > 1 and number >= (5 if level == 2 else 6) else 3
        for _ in range(number - most):
            both = keep_twice & (15 << digit)
            if both:
                keep_twice ^= both & -both
            else:
                single = keep & (15 << digit)
                keep ^= single & -single
    return keep, keep_twice


@jit
def _set_wants(ranks: int, level: int, is_third_wanted: bool) -> int:
    """The cards that bring brelans nearer."""
    if level == 0:
        return ALL_TYPES
    wanted = 0
    if level <= 2 and is_third_wanted:
        wanted = (at_least(ranks, 2) ^ at_least(ranks, 3)) | (at_least(ranks, 5) ^ at_least(ranks, 6))
    if level == 1:
        wanted |= (at_least(ranks, 1) ^ at_least(ranks, 2)) | (at_least(ranks, 4) ^ at_least(ranks, 5))
    return whole(wanted)


@jit
def _compare(best: Survey, quartes: Quartes, hand: Hand, sets: int, any_suit: int) -> Survey:
    """The survey after one more plan: its quartes, and the hand left for the brelans."""
    runs, first, first_used, second, second_used = quartes
    once, twice, jokers = hand
    missing = 0
    incomplete = 0
    first_missing = 0
    second_missing = 0
    if runs > 0:
        first_missing = 4 - count(first_used)
        missing = first_missing
        incomplete = 1 if first_missing > 0 else 0
    if runs > 1:
        second_missing = 4 - count(second_used)
        missing += second_missing
        incomplete += 1 if second_missing > 0 else 0
    ranks = once if any_suit else ranks_of(once, twice)
    level = 3
    if sets > 0:
        more, more_incomplete, level = lack_of_sets(ranks, sets)
        missing += more
        incomplete += more_incomplete
    lack = missing - min(jokers, incomplete)
    if lack > best.lack:
        return best
    keep = first_used | second_used
    keep_twice = first_used & second_used
    wants = 0
    # Where every incomplete combination has a joker, the last card of one of them only sets a joker free.
    is_joker_wanted = jokers < incomplete
    if first_missing > 1 or (first_missing == 1 and is_joker_wanted):
        wants = first & ~first_used
    if second_missing > 1 or (second_missing == 1 and is_joker_wanted):
        wants |= second & ~second_used
    if any_suit:
        wants *= 15
        keep |= keep_twice * 15  # two cards of a rank: then it counts whole
    if sets > 0:
        if any_suit:
            keep |= whole(at_least(ranks, max(level, 1)))
        else:
            a, b = _set_cards(once, twice, ranks, sets, level)
            keep_twice |= b | (a & keep)
            keep |= a
        wants |= _set_wants(ranks, level, is_joker_wanted)
    outs = count(wants)
    joker_helps = 1 if is_joker_wanted else 0
    if lack < best.lack:
        return Survey(lack, keep, keep_twice, wants, keep, keep_twice, outs, joker_helps)
    firm, firm_twice, most_outs = best.firm, best.firm_twice, best.outs
    if outs > most_outs:
        firm, firm_twice, most_outs = keep, keep_twice, outs
    keep |= best.keep
    keep_twice |= best.keep_twice
    wants |= best.wants
    joker_helps |= best.joker_helps
    return Survey(lack, keep, keep_twice, wants, firm, firm_twice, most_outs, joker_helps)


@jit
def _cards_of_ranks(once: int, ranks: int) -> int:
    """One card of each rank, given as the lowest bits of their digits."""
    cards = 0
    while ranks:
        held = once & (15 << lowest(ranks))
        cards |= held & -held
        ranks &= ranks - 1
    return cards


@jit
def _as_cards(found: Survey, once: int, twice: int) -> Survey:
    """A survey in mixed suits, where a rank counts with one card or whole, in cards of the hand."""
    lack, keep, _, wants, firm, _, outs, joker_helps = found
    all_of = ((keep >> 1) & ONES) * 15
    firm_all_of = ((firm >> 1) & ONES) * 15
    a = (once & all_of) | _cards_of_ranks(once, keep & ONES & ~all_of)
    b = (once & firm_all_of) | _cards_of_ranks(once, firm & ONES & ~firm_all_of)
    return Survey(lack, a, twice & all_of, wants, b, twice & firm_all_of, outs, joker_helps)


@jit
def _alike(window: int, windows: int, cards: int, used: int) -> tuple[int, int]:
    """The cards of a window and of those next to it that have the same cards of a hand, and the windows left."""
    wide = window_cards(window)
    window += 4
    while windows >> window & 1 and window_cards(window) & cards == used:
        wide |= window_cards(window)
        windows ^= 1 << window
        window += 4
    return wide, windows


@jit
def _exactly(four: int, three: int, two: int, one: int, level: int) -> int:
    """The windows of which there are exactly so many cards."""
    if level == 4:
        return four
    if level == 3:
        return three & ~four
    if level == 2:
        return two & ~three
    return one & ~two


@jit
def _settle(found: Survey, hand: Hand, sets: int, runs: int, any_suit: int) -> Survey:
    """A survey with no wish for a third card of a kind (B1), and exact about whether anything is lacking."""
    lack, keep, keep_twice, wants, firm, firm_twice, outs, joker_helps = found
    if lack > 0 and hand.jokers > 1 and can_complete(hand, Rest(sets, runs, NO_CARD, any_suit)):
        lack = 0
    return Survey(lack, keep, keep_twice, wants & ~hand.twice, firm, firm_twice, outs, joker_helps)


@jit
def survey(once: int, twice: int, jokers: int, sets: int, runs: int, any_suit: int) -> Survey:
    """What a hand lacks for so many brelans and quartes, over all plans that lack the fewest."""
    best = NOTHING
    hand = Hand(once, twice, jokers)
    if runs == 0:
        best = _compare(best, Quartes(0, 0, 0, 0, 0), hand, sets, 0)
        return _settle(best, hand, sets, 0, 0)
    a, b = (ranks_of(once, twice), 0) if any_suit else (once, twice)
    places = held_ranks(a) if any_suit else a
    spare = jokers - lack_of_sets(ranks_of(once, twice), sets)[0]  # a plan lacks what its quartes miss, less this
    four = windows_with(places, 4)
    three = windows_with(places, 3)
    two = windows_with(places, 2)
    one = windows_with(places, 1)
    for level in range(4, 0, -1):
        windows = _exactly(four, three, two, one, level)
        while windows:
            window = lowest(windows)
            among = windows  # the second quarte lies in this window, in a later one as good, or in a worse one
            windows &= windows - 1
            used, c, d = _take_run(a, b, window, any_suit)
            first, windows = _alike(window, windows, places, used)
            if runs == 1:
                if 4 - level - spare <= best.lack:
                    best = _compare(best, Quartes(1, first, used, 0, 0), Hand(c, d, jokers), sets, any_suit)
                continue
            rest = held_ranks(c) if any_suit else c
            for second_level in range(level, 0, -1):
                if 8 - level - second_level - spare > best.lack:
                    break
                others = among if second_level == level else _exactly(four, three, two, one, second_level)
                while others:
                    window = lowest(others)
                    others &= others - 1
                    second_used, e, f = _take_run(c, d, window, any_suit)
                    second, others = _alike(window, others, rest, second_used)
                    if 8 - level - count(second_used) - spare <= best.lack:
                        quartes = Quartes(2, first, used, second, second_used)
                        best = _compare(best, quartes, Hand(e, f, jokers), sets, any_suit)
    if any_suit:
        best = _as_cards(best, once, twice)
    return _settle(best, hand, sets, runs, any_suit)
