"""The audit of a record of Loba: every card of the box, combinations that are some, hands and turns that can be."""

from __future__ import annotations

from ludotheque.core.bits import count
from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY
from ludotheque.core.record import State as S
from ludotheque.games.loba.cards import (
    ALL_TYPES,
    JOKER,
    LAST_PLACE,
    MAX_MELDS,
    NO_CARD,
    NO_PLACE,
    NUM_CARDS,
    NUM_JOKERS,
    NUM_RANKS,
    RUN,
    SET,
    held,
    merge,
    num_cards,
    penalty,
    take_out,
)
from ludotheque.games.loba.hidden import pile_cards, table_cards
from ludotheque.games.loba.melds import can_go_on, fits, meld_at
from ludotheque.games.loba.state import (
    CONTRACT,
    CONTRACT_RUNS,
    CONTRACT_SETS,
    DISCARD,
    DRAW,
    MAX_TURNS,
    NUM_DEALT,
    NUM_ROUNDS,
    OVER,
    PLAY,
    SUITED,
)

MOST_POINTS = 191  # of a hand in one round: 4 jokers and 7 kings

FAULTS = {
    1: "the cards are not those of the box",
    2: "something in a pile that is no card",
    4: "a combination that is none",
    8: "a hand with the wrong number of cards",
    16: "whose turn it is does not fit the dealer, the turn and the phase",
    32: "the combinations on the table do not fit who has laid the contract",
    64: "a contract begun that is not one of this round",
    128: "the seat at turn has no way to finish its turn",
    256: "a card taken or known to be held that is not in the hand",
    512: "points that cannot be",
    1024: "a stock of discards that cannot be",
    2048: "the stock is empty and the discard pile is not shuffled, or the pile is empty",
}


@jit
def audit(s: S) -> int:
    faults = _audit_cards(s) | _audit_turn(s)
    if faults:
        return faults  # the rest rests on these
    faults = _audit_hands(s) | _audit_contract(s) | _audit_points(s)
    for seat in range(s.num_seats):
        if not _holds(s, seat, s.known[seat], s.known_twice[seat], s.known_jokers[seat]):
            faults |= 256
    faults |= _audit_recycling(s)
    if not s.over and faults == 0:
        faults |= _audit_end_of_turn(s)
    return faults


@jit
def _audit_cards(s: S) -> int:
    """Every card is in a hand, in the stock, in the pile or in a combination."""
    if s.num_stock < 0 or s.num_stock > NUM_CARDS or s.num_pile < 0 or s.num_pile > NUM_CARDS:
        return 2
    for i in range(NUM_CARDS):
        if i < s.num_stock:
            if s.stock[i] < 0 or s.stock[i] > JOKER:
                return 2
        elif s.stock[i] != NO_CARD:
            return 2
        if i < s.num_pile:
            if s.pile[i] < 0 or s.pile[i] > JOKER:
                return 2
        elif s.pile[i] != NO_CARD:
            return 2
    if s.num_melds < 0 or s.num_melds > MAX_MELDS:
        return 4
    number = s.num_stock + s.num_pile
    for meld in range(MAX_MELDS):
        if not _is_meld(s, meld) if meld < s.num_melds else meld_at(s, meld) != (0, 0, 0, 0, 0):
            return 4
        number += s.meld_length[meld]
    once, twice, jokers = table_cards(s)
    a, b, c = pile_cards(s.stock, s.num_stock)
    once, twice = merge(once, twice, a, b)
    jokers += c
    a, b, c = pile_cards(s.pile, s.num_pile)
    once, twice = merge(once, twice, a, b)
    jokers += c
    for seat in range(s.num_seats):
        a, b, c = s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat]
        if not _is_heap(a, b, c):
            return 1
        once, twice = merge(once, twice, a, b)
        jokers += c
        number += num_cards(a, b, c)
    # Two at least of each, four jokers, and not one card more.
    return 0 if twice == ALL_TYPES and jokers == NUM_JOKERS and number == NUM_CARDS else 1


@jit
def _is_heap(once: int, twice: int, jokers: int) -> bool:
    return once & ~ALL_TYPES == 0 and twice & ~once == 0 and 0 <= jokers <= NUM_JOKERS


@jit
def _is_meld(s: S, number: int) -> bool:
    """B6 to B9: a set of three or more, a run of four or more, with one joker at most."""
    kind, low, length, joker, suits = meld_at(s, number)
    if kind == SET:
        if low < 0 or low >= NUM_RANKS or suits < 0 or suits > 255 or (suits >> 4) & ~suits:
            return False
        if joker != NO_PLACE and joker != 0:
            return False
        return length >= 3 and length == count(suits) + (0 if joker == NO_PLACE else 1)
    if kind != RUN or low < 0 or length < 4 or low + length - 1 > LAST_PLACE:
        return False
    if joker != NO_PLACE and (joker < low or joker >= low + length):
        return False
    suit = suits >> (2 * (low + 1 if joker == low else low)) & 3
    for place in range(16):
        here = suits >> (2 * place) & 3
        if place < low or place >= low + length or place == joker:
            if here != 0:
                return False
        elif s.runs == SUITED and here != suit:
            return False
    return suits >= 0


@jit
def _audit_turn(s: S) -> int:
    n = s.num_seats
    if s.round_no < 1 or s.round_no > NUM_ROUNDS or s.turn_no < 1 or s.turn_no > MAX_TURNS * n:
        return 16
    if s.dealer < 0 or s.dealer >= n or s.phase < DRAW or s.phase > OVER or (s.phase == OVER) != (s.over == 1):
        return 16
    if s.over:
        return 0 if s.actor == NOBODY and s.round_no == NUM_ROUNDS else 16
    return 0 if s.actor == (s.dealer + s.turn_no) % n else 16


@jit
def _contract_size(s: S) -> int:
    return 3 * CONTRACT_SETS[s.round_no] + 4 * CONTRACT_RUNS[s.round_no]


@jit
def _audit_hands(s: S) -> int:
    """Hands have eleven cards, less those that were laid; one more for the seat at turn once it has drawn."""
    total = 0
    num_out = 0
    most_left = NUM_DEALT - _contract_size(s)
    for seat in range(s.num_seats):
        size = s.size[seat]
        total += size
        if size != num_cards(s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat]):
            return 8
        if s.is_down[seat] < 0 or s.is_down[seat] > 1:
            return 32
        more = 1 if seat == s.actor and s.phase != DRAW else 0
        if size == 0 and s.over and s.is_down[seat]:
            num_out += 1
        elif seat == s.actor and s.phase == CONTRACT:
            if size != NUM_DEALT + 1 - _contract_size(s) + 3 * s.sets_left + 4 * s.runs_left:
                return 8
        elif s.is_down[seat]:
            if size < 1 or size > most_left + more or (s.phase == DISCARD and more == 1 and size != most_left + 1):
                return 8
        elif size != NUM_DEALT + more:
            return 8
    for meld in range(s.num_melds):
        total += s.meld_length[meld]
    dealt = NUM_DEALT * s.num_seats
    if s.over:
        # B17, B21: somebody went out, by a discard or not; or the last turn was played.
        if num_out > 1 or (num_out == 0 and s.turn_no != MAX_TURNS * s.num_seats):
            return 8
        return 0 if total == dealt or (num_out == 1 and total == dealt + 1 and not s.out_by_discard) else 8
    return 0 if total == dealt + (0 if s.phase == DRAW else 1) else 8


@jit
def _audit_contract(s: S) -> int:
    """Who is down has had a turn for it, and the contract of all who are lies on the table."""
    n = s.num_seats
    sets, runs = CONTRACT_SETS[s.round_no], CONTRACT_RUNS[s.round_no]
    begun = 0
    if s.phase == CONTRACT:
        left = 3 * s.sets_left + 4 * s.runs_left
        if s.sets_left < 0 or s.sets_left > sets or s.runs_left < 0 or s.runs_left > runs:
            return 64
        if left == 0 or left == _contract_size(s) or s.is_down[s.actor]:
            return 64
        begun = 1
    elif s.sets_left != 0 or s.runs_left != 0:
        return 64
    num_down = 0
    for seat in range(n):
        if s.is_down[seat]:
            num_down += 1
            first_turn = (seat - s.dealer - 1) % n + 1
            if first_turn > s.turn_no or (first_turn == s.turn_no and s.phase != DISCARD and not s.over):
                return 32
    if s.phase == DISCARD and not s.is_down[s.actor]:
        return 32
    table_sets, table_runs = 0, 0
    for meld in range(s.num_melds):
        if s.meld_kind[meld] == RUN:
            table_runs += 1
        else:
            table_sets += 2 if s.meld_length[meld] >= 6 else 1  # B11
    laid_sets = sets * num_down + begun * (sets - s.sets_left)
    laid_runs = runs * num_down + begun * (runs - s.runs_left)
    if table_sets < laid_sets or table_runs < laid_runs:
        return 32
    return 32 if num_down + begun == 0 and s.num_melds > 0 else 0


@jit
def _holds(s: S, seat: int, once: int, twice: int, jokers: int) -> bool:
    if not _is_heap(once, twice, jokers):
        return False
    return once & ~s.hand[seat] == 0 and twice & ~s.hand_twice[seat] == 0 and jokers <= s.hand_jokers[seat]


@jit
def _audit_points(s: S) -> int:
    rounds = s.round_no if s.over else s.round_no - 1
    for seat in range(s.num_seats):
        last = s.last_points[seat]
        once, twice, jokers = s.last_hand[seat], s.last_twice[seat], s.last_jokers[seat]
        if not _is_heap(once, twice, jokers) or last != penalty(once, twice, jokers):
            return 512
        if last > MOST_POINTS or last > s.points[seat] or s.points[seat] > MOST_POINTS * rounds:
            return 512
        if s.over:
            if once != s.hand[seat] or twice != s.hand_twice[seat] or jokers != s.hand_jokers[seat]:
                return 512
    return 0


@jit
def _audit_recycling(s: S) -> int:
    """B21: the stock, and what was drawn from it since, are the discards it was made of."""
    a, b, c = s.recycled, s.recycled_twice, s.recycled_jokers
    if not _is_heap(a, b, c) or s.is_recycled < 0 or s.is_recycled > 1:
        return 1024
    if not s.is_recycled and num_cards(a, b, c) > 0:
        return 1024
    if s.is_recycled:
        a, b, c = _less(a, b, c, pile_cards(s.stock, s.num_stock))
    for seat in range(s.num_seats):
        drawn = (s.drawn[seat] + 0, s.drawn_twice[seat] + 0, s.drawn_jokers[seat] + 0)  # wide integers, see meld_at
        if not _is_heap(drawn[0], drawn[1], drawn[2]):
            return 1024
        a, b, c = _less(a, b, c, drawn)
        unknown = s.size[seat] - num_cards(s.known[seat], s.known_twice[seat], s.known_jokers[seat])
        if s.fresh[seat] < 0 or s.fresh[seat] > (unknown if s.is_recycled else 0):
            return 1024
    return 1024 if c < 0 else 0


@jit
def _less(once: int, twice: int, jokers: int, gone: tuple[int, int, int]) -> tuple[int, int, int]:
    """A heap without some of its cards; the number of jokers becomes negative if it did not have them all."""
    if jokers < 0 or gone[2] > jokers or gone[0] & ~once or gone[1] & ~twice:
        return 0, 0, -1
    once, twice = take_out(once, twice, gone[0], gone[1])
    return once, twice, jokers - gone[2]


@jit
def _audit_end_of_turn(s: S) -> int:
    seat = s.actor
    if s.phase == DRAW:
        if s.taken != NO_CARD:
            return 256
        return 2048 if s.num_pile == 0 or s.num_stock == 0 else 0
    taken = s.taken
    if taken < NO_CARD or taken > JOKER:
        return 256
    if taken != NO_CARD and held(s.known[seat], s.known_twice[seat], s.known_jokers[seat], taken) == 0:
        return 256
    if s.phase == CONTRACT:
        return 0 if can_go_on(s, seat, s.sets_left, s.runs_left) else 128
    if taken == NO_CARD or s.size[seat] > 1:
        return 0
    # B22: the taken card alone is left; it may not be discarded, so it must be added.
    if s.phase == PLAY and not s.out_by_discard:
        for number in range(s.num_melds):
            if fits(taken, meld_at(s, number), s.runs):
                return 0
    return 128
