"""Loba: six rounds of rummy. A turn is to draw, to lay cards, to discard. What a player lays first in a round is its
contract of brelans (three of a rank) and quartes (four in a row); later everybody adds to anything. Who has no card
left ends the round, the others count theirs, and after six rounds the lowest sum wins.

Options: `runs` (B7), `out_by_discard` (B17).

Bounds: 17 combinations on the table, see cards.py. A hand of 11 cards counts at most 4 x 25 + 7 x 13 = 191 points, so
six rounds stay below 1200. A round ends after 40 turns by each player (B21). Layings are of the least size; a longer
one is a laying and addings in the same turn, which leads to the same (B13, B14, B23).

Actions:
    id           meaning
    0, 1         draw from the stock, take the top of the pile
    2..54        discard that card
    55..392      lay a brelan: 26 * rank + choice of suits
    393..730     lay a sextuple: the same
    731..6362    lay a quarte: 512 * start + code; code < 256: four suits, the lowest place in the lowest two bits;
                 else 256 + 64 * place of the joker + three suits
    6363..7433   add to a combination: 63 * its number + slot
                 slot 0..52: that card, where it fits; 53..60: an ace, 53 + 2 * suit + end; 61, 62: the joker low, high.
                 The last ten are for a run where both ends are possible, and the first then are not.
"""

from __future__ import annotations

from typing import Any

from ludotheque.core.bits import count, lowest, nth
from ludotheque.core.chance import below, shuffle
from ludotheque.core.chooser import choose
from ludotheque.core.info import Info, Piece
from ludotheque.core.jit import jit
from ludotheque.core.ranking import rank_lowest_first
from ludotheque.core.record import NOBODY, Ids, emit
from ludotheque.core.record import State as S
from ludotheque.games.loba import audit as checks
from ludotheque.games.loba import hidden
from ludotheque.games.loba.cards import (
    ADD,
    BRELAN,
    DROP,
    JOKER,
    MAX_MELDS,
    NO_CARD,
    NO_PLACE,
    NUM_ACTIONS,
    NUM_CARDS,
    NUM_SLOTS,
    NUM_TYPES,
    RUN,
    STOCK,
    TAKE,
    held,
    laid_cards,
    num_cards,
    penalty,
    put,
    slot_card,
    take,
    take_out,
)
from ludotheque.games.loba.hidden import pile_cards, table_cards
from ludotheque.games.loba.melds import (
    NOT_POSSIBLE,
    Meld,
    Rest,
    can_complete,
    fits,
    grow,
    hand_at,
    laid_meld,
    list_adds,
    list_runs,
    list_sets,
    meld_at,
    must_go,
)
from ludotheque.games.loba.options import OPTIONS
from ludotheque.games.loba.state import (
    ADDED,
    CONTRACT,
    CONTRACT_RUNS,
    CONTRACT_SETS,
    DEAL,
    DISCARD,
    DRAW,
    DRAWN,
    DROPPED,
    FIRST_DEALER,
    IS_DOWN,
    LAID,
    MATCH_END,
    MAX_SEATS,
    MAX_TURNS,
    NUM_DEALT,
    NUM_ROUNDS,
    OVER,
    PLAY,
    RESHUFFLED,
    ROUND_END,
    SUITED,
    TAKEN,
    TURNS_OVER,
    WENT_OUT,
    State,
)

MELD_KIND, MELD_LOW, MELD_LENGTH, MELD_JOKER, MELD_SUIT, NUM_MELD_FACTS = range(6)
"""What is observed of a combination."""

OBSERVATION = (
    Piece("phase", 1, "0 draw, 1 play, 2 the contract goes on, 3 only a discard is left"),
    Piece("round", 1, "number of the round"),
    Piece("turn", 1, "turns begun in this round"),
    Piece("actor", 1, "how far clockwise the seat at turn sits"),
    Piece("dealer", 1, "how far clockwise the dealer sits"),
    Piece("sets_left", 1, "sets the seat at turn still has to lay of its contract"),
    Piece("runs_left", 1, "runs the seat at turn still has to lay of its contract"),
    Piece("taken", 1, "card taken in this turn that may not go back + 1, 0: none"),
    Piece("stock", 1, "cards in the stock"),
    Piece("top", 1, "top of the discard pile + 1, 0: empty"),
    Piece("hand", NUM_TYPES, "how many of each card in the hand"),
    Piece("pile", NUM_TYPES, "how many of each card in the discard pile"),
    Piece("table", NUM_TYPES, "how many of each card in combinations"),
    Piece("recycled", NUM_TYPES, "how many of each card at most in a stock made of discards; 0 before"),
    Piece("known", (MAX_SEATS - 1, NUM_TYPES), "cards others are known to hold, by seat clockwise from the next"),
    Piece("sizes", MAX_SEATS, "cards in the hand by seat from here clockwise"),
    Piece("is_down", MAX_SEATS, "1 for those who have laid the contract, by seat from here clockwise"),
    Piece("points", MAX_SEATS, "points by seat from here clockwise"),
    Piece(
        "melds",
        (MAX_MELDS, NUM_MELD_FACTS),
        "each combination: 1 set 2 run, rank or first place, cards, joker's place + 1, suit of a run + 1 (0: mixed)",
    ),
)

INFO = Info(
    id="loba",
    name="Loba",
    min_seats=3,
    max_seats=MAX_SEATS,
    usual_seats=3,
    num_actions=NUM_ACTIONS,
    rules_version=1,
    state=State,
    options=OPTIONS,
    observation=OBSERVATION,
)


@jit
def new_match(s: S, opts: Any) -> None:
    s.runs = opts[0]
    s.out_by_discard = opts[1]
    s.dealer = below(s, s.num_seats)  # B3
    emit(s, FIRST_DEALER, s.dealer, 0, 0, 0)
    _deal(s)


@jit
def _deal(s: S) -> None:
    """B1, B2: shuffle all cards, deal them one by one, turn the next to begin the discard pile."""
    s.round_no += 1
    n = s.num_seats
    _clear_round(s)
    for card in range(JOKER):
        s.stock[2 * card] = card
        s.stock[2 * card + 1] = card
    for i in range(2 * JOKER, NUM_CARDS):
        s.stock[i] = JOKER
    shuffle(s, s.stock, NUM_CARDS)
    s.num_stock = NUM_CARDS
    for _ in range(NUM_DEALT):
        for step in range(1, n + 1):
            seat = s.dealer + step
            put(s.hand, s.hand_twice, s.hand_jokers, seat if seat < n else seat - n, _draw(s))
    s.pile[0] = _draw(s)
    s.num_pile = 1
    s.turn_no = 1
    s.actor = s.dealer + 1 if s.dealer + 1 < n else 0  # B3
    s.phase = DRAW
    emit(s, DEAL, s.dealer, s.round_no, s.pile[0], 0)


@jit
def _clear_round(s: S) -> None:
    for seat in range(s.num_seats):
        s.hand[seat] = 0
        s.hand_twice[seat] = 0
        s.hand_jokers[seat] = 0
        s.size[seat] = NUM_DEALT
        s.is_down[seat] = 0
        s.known[seat] = 0
        s.known_twice[seat] = 0
        s.known_jokers[seat] = 0
    _forget_recycling(s)
    for i in range(NUM_CARDS):
        s.pile[i] = NO_CARD
    for meld in range(s.num_melds):
        s.meld_kind[meld] = 0
        s.meld_low[meld] = 0
        s.meld_length[meld] = 0
        s.meld_joker[meld] = 0
        s.meld_suits[meld] = 0
    s.num_melds = 0
    s.sets_left = 0
    s.runs_left = 0
    s.taken = NO_CARD


@jit
def _forget_recycling(s: S) -> None:
    s.is_recycled = 0
    s.recycled = 0
    s.recycled_twice = 0
    s.recycled_jokers = 0
    for seat in range(s.num_seats):
        s.drawn[seat] = 0
        s.drawn_twice[seat] = 0
        s.drawn_jokers[seat] = 0
        s.fresh[seat] = 0


@jit
def _draw(s: S) -> int:
    """The next card of the stock."""
    s.num_stock -= 1
    card = s.stock[s.num_stock]
    s.stock[s.num_stock] = NO_CARD
    return card


@jit
def _legal_draw(s: S, out: Ids) -> int:
    """B4. Neither is ever empty here: 108 cards less 11 a player are in both, and B21 fills the stock from the pile."""
    out[0] = STOCK
    out[1] = TAKE
    return 2


@jit
def _apply_draw(s: S, action: int) -> None:
    seat = s.actor
    if action == STOCK:
        card = _draw(s)
        if s.is_recycled:
            put(s.drawn, s.drawn_twice, s.drawn_jokers, seat, card)
            s.fresh[seat] += 1
        emit(s, DRAWN, seat, card, 0, 0)
    else:
        s.num_pile -= 1
        card = s.pile[s.num_pile]
        s.pile[s.num_pile] = NO_CARD
        put(s.known, s.known_twice, s.known_jokers, seat, card)
        s.taken = card
        emit(s, TAKEN, seat, card, 0, 0)
    put(s.hand, s.hand_twice, s.hand_jokers, seat, card)
    s.size[seat] += 1
    s.phase = PLAY


@jit
def _legal_discard(s: S, seat: int) -> int:
    """The cards that may be discarded, the joker as bit 52: not the one just taken, without another like it (B22)."""
    if s.phase == CONTRACT:
        return 0  # B23
    jokers = s.hand_jokers[seat]
    cards = s.hand[seat] | (1 if jokers > 0 else 0) << JOKER
    taken = s.taken
    if taken != NO_CARD and held(s.hand[seat], s.hand_twice[seat], jokers, taken) == 1:
        cards &= ~(1 << taken)
    return cards


@jit
def _apply_discard(s: S, card: int) -> None:
    seat = s.actor
    shows_another = s.taken == card  # B22: whoever may put the taken card back holds one more
    if card == JOKER:
        _spend(s, seat, 0, 0, 1, 1)
    else:
        _spend(s, seat, 1 << card, 0, 0, 1)
    if shows_another and held(s.known[seat], s.known_twice[seat], s.known_jokers[seat], card) == 0:
        put(s.known, s.known_twice, s.known_jokers, seat, card)
        _limit_fresh(s, seat)
    s.pile[s.num_pile] = card
    s.num_pile += 1
    s.taken = NO_CARD
    emit(s, DROPPED, seat, card, s.size[seat], 0)
    if s.size[seat] == 0:
        _close_round(s, seat)  # B17, B18
    elif s.turn_no == MAX_TURNS * s.num_seats:
        _close_round(s, NOBODY)  # B21
    else:
        _begin_turn(s)


@jit
def _begin_turn(s: S) -> None:
    s.turn_no += 1
    s.actor = s.actor + 1 if s.actor + 1 < s.num_seats else 0
    s.phase = DRAW
    if s.num_stock == 0:
        _recycle(s)


@jit
def _recycle(s: S) -> None:
    """B21: the discard pile without its top card becomes the stock."""
    _forget_recycling(s)
    last = s.num_pile - 1
    for i in range(last):
        card = s.pile[i]
        s.stock[i] = card
        s.pile[i] = NO_CARD
        if card == JOKER:
            s.recycled_jokers += 1
        else:
            s.recycled_twice |= s.recycled & (1 << card)
            s.recycled |= 1 << card
    s.pile[0] = s.pile[last]
    s.pile[last] = NO_CARD
    s.num_pile = 1
    s.num_stock = last
    s.is_recycled = 1
    shuffle(s, s.stock, last)
    emit(s, RESHUFFLED, NOBODY, last, 0, 0)


@jit
def _spend(s: S, seat: int, gone: int, gone_twice: int, gone_jokers: int, number: int) -> None:
    """Cards leave a hand, seen by all."""
    take(s.hand, s.hand_twice, s.hand_jokers, seat, gone, gone_twice, gone_jokers)
    take(s.known, s.known_twice, s.known_jokers, seat, gone, gone_twice, gone_jokers)
    s.size[seat] -= number
    taken = s.taken
    if taken != NO_CARD and (gone_jokers > 0 if taken == JOKER else gone >> taken & 1):
        s.taken = NO_CARD  # B22: of two like cards the one taken goes first
    _limit_fresh(s, seat)


@jit
def _limit_fresh(s: S, seat: int) -> None:
    """No more cards can come from the recycled stock than are unknown."""
    if s.is_recycled:
        unknown = s.size[seat] - num_cards(s.known[seat], s.known_twice[seat], s.known_jokers[seat])
        s.fresh[seat] = min(s.fresh[seat], unknown)


@jit
def _legal_lay(s: S, seat: int, out: Ids) -> int:
    """Combinations that may be laid: such that the contract can be completed, or in later turns any (B13)."""
    n = 0
    is_free = s.is_down[seat] == 1
    sets, runs, must, any_suit = s.sets_left + 0, s.runs_left + 0, NO_CARD, s.runs + 0
    hand = hand_at(s, seat)
    if not is_free:
        if s.phase == PLAY:
            sets, runs = CONTRACT_SETS[s.round_no] + 0, CONTRACT_RUNS[s.round_no] + 0
        must = must_go(s, seat, 3 * sets + 4 * runs)
        if must == NOT_POSSIBLE or not can_complete(hand, Rest(sets, runs, must, any_suit)):
            return n
    for worth in range(1, 3):  # a brelan, or a sextuple that counts as two (B11)
        if worth <= sets or (is_free and worth == 1):
            n = list_sets(out, n, worth, hand, Rest(max(sets - worth, 0), runs, must, any_suit))
    if is_free or runs > 0:
        n = list_runs(out, n, hand, Rest(sets, max(runs - 1, 0), must, any_suit))
    return n


@jit
def _legal_play(s: S, seat: int, out: Ids) -> int:
    """What may be laid, and added to combinations on the table (B14, B23). Few cards left: if the turn can then end."""
    if s.phase == DISCARD:
        return 0  # B12
    n = _legal_lay(s, seat, out)
    if not s.is_down[seat]:
        return n
    for number in range(s.num_melds):
        n = list_adds(out, n, number, meld_at(s, number), s.hand[seat], s.hand_jokers[seat], s.runs)
    if s.size[seat] > 5 or not (s.out_by_discard or s.taken != NO_CARD):
        return n
    kept = 0
    for i in range(n):
        if _can_finish(s, seat, int(out[i])):
            out[kept] = out[i]
            kept += 1
    return kept


@jit
def _can_finish(s: S, seat: int, action: int) -> bool:
    """B22: whether the turn can be finished after this laying or adding of a later turn."""
    taken = s.taken
    if action >= ADD:
        number = 1
        goes = slot_card((action - ADD) % NUM_SLOTS) == taken
    else:
        gone, _, jokers, number = laid_cards(action)
        goes = taken != NO_CARD and (jokers if taken == JOKER else gone >> taken & 1) > 0
    left = s.size[seat] - number
    if left == 0:
        return not s.out_by_discard  # B17
    if left > 1 or taken == NO_CARD or goes:
        return True
    # Only the taken card is left: it must be added, and that must end the round.
    return not s.out_by_discard and _fits_after(s, action, taken)


@jit
def _fits_after(s: S, action: int, card: int) -> bool:
    """Whether a card may be added somewhere once this laying or adding is done."""
    grown = -1
    if action >= ADD:
        grown = (action - ADD) // NUM_SLOTS
    elif fits(card, laid_meld(action), s.runs):
        return True
    for number in range(s.num_melds):
        meld = meld_at(s, number)
        if number == grown:
            meld = grow(meld, (action - ADD) % NUM_SLOTS)
        if fits(card, meld, s.runs):
            return True
    return False


@jit
def _write_meld(s: S, number: int, meld: Meld) -> None:
    kind, low, length, joker, suits = meld
    s.meld_kind[number] = kind
    s.meld_low[number] = low
    s.meld_length[number] = length
    s.meld_joker[number] = joker
    s.meld_suits[number] = suits


@jit
def _apply_lay(s: S, action: int) -> None:
    seat = s.actor
    meld = laid_meld(action)
    _write_meld(s, s.num_melds, meld)
    gone, gone_twice, gone_jokers, number = laid_cards(action)
    _spend(s, seat, gone, gone_twice, gone_jokers, number)
    emit(s, LAID, seat, action, s.num_melds, s.size[seat])
    s.num_melds += 1
    if not s.is_down[seat]:
        _count_contract(s, seat, meld[0], meld[2])
    if s.size[seat] == 0:
        _close_round(s, seat)  # B17, B18


@jit
def _count_contract(s: S, seat: int, kind: int, length: int) -> None:
    """B10, B12, B23: the contract goes on until it is complete, and then only the discard is left."""
    if s.phase == PLAY:
        s.phase = CONTRACT
        s.sets_left = CONTRACT_SETS[s.round_no]
        s.runs_left = CONTRACT_RUNS[s.round_no]
    if kind == RUN:
        s.runs_left -= 1
    else:
        s.sets_left -= length // 3  # B11
    if s.sets_left == 0 and s.runs_left == 0:
        s.is_down[seat] = 1
        s.phase = DISCARD
        emit(s, IS_DOWN, seat, 0, 0, 0)


@jit
def _apply_add(s: S, action: int) -> None:
    seat = s.actor
    number = (action - ADD) // NUM_SLOTS
    slot = (action - ADD) % NUM_SLOTS
    old = meld_at(s, number)
    new = grow(old, slot)
    _write_meld(s, number, new)
    card = slot_card(slot)
    if card == JOKER:
        _spend(s, seat, 0, 0, 1, 1)
    else:
        _spend(s, seat, 1 << card, 0, 0, 1)
    moved = old[3] != NO_PLACE and new[3] != old[3]
    emit(s, ADDED, seat, action, 1 if moved else 0, s.size[seat])
    if s.size[seat] == 0:
        _close_round(s, seat)  # B17, B18


@jit
def _close_round(s: S, winner: int) -> None:
    """B19: everybody counts; who went out has nothing to count."""
    for seat in range(s.num_seats):
        once, twice, jokers = s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat]
        s.last_hand[seat] = once
        s.last_twice[seat] = twice
        s.last_jokers[seat] = jokers
        s.last_points[seat] = penalty(once, twice, jokers)
        s.points[seat] += s.last_points[seat]
    emit(s, TURNS_OVER if winner == NOBODY else WENT_OUT, winner, 0, 0, 0)
    emit(s, ROUND_END, winner, s.round_no, 0, 0)
    if s.round_no == NUM_ROUNDS:  # B20
        s.over = 1
        s.phase = OVER
        s.actor = NOBODY
        emit(s, MATCH_END, NOBODY, 0, 0, 0)
        return
    s.dealer = s.dealer + 1 if s.dealer + 1 < s.num_seats else 0  # B3
    _deal(s)


@jit
def legal(s: S, seat: int, out: Ids) -> int:
    if seat != s.actor:
        return 0
    if s.phase == DRAW:
        return _legal_draw(s, out)
    n = _legal_play(s, seat, out)
    cards = _legal_discard(s, seat)
    while cards:
        out[n] = DROP + lowest(cards)
        n += 1
        cards &= cards - 1
    return n


@jit
def sample(s: S, seat: int, x: int, out: Ids) -> int:
    """A uniformly random legal action, as `legal` has them, without listing the discards."""
    if s.phase == DRAW:
        return STOCK + choose(x, 2)
    n = _legal_play(s, seat, out)
    cards = _legal_discard(s, seat)
    k = choose(x, n + count(cards))
    return int(out[k]) if k < n else DROP + nth(cards, k - n)


@jit
def others(s: S) -> int:
    """Nobody moves out of turn."""
    return 0


@jit
def apply(s: S, seat: int, action: int) -> None:
    move = int(action)  # from the list of legal moves it is a short integer
    if move < DROP:
        _apply_draw(s, move)
    elif move < BRELAN:
        _apply_discard(s, move - DROP)
    elif move < ADD:
        _apply_lay(s, move)
    else:
        _apply_add(s, move)


@jit
def outcome(s: S, scores: Any, places: Any) -> None:
    for seat in range(s.num_seats):
        scores[seat] = s.points[seat]
    rank_lowest_first(scores, s.num_seats, places)  # B20


FAULTS = checks.FAULTS
audit = checks.audit
conceal = hidden.conceal
resample = hidden.resample


@jit
def _count_cards(counts: Any, once: int, twice: int, jokers: int) -> None:
    """How many of each card."""
    for card in range(JOKER):
        counts[card] = (once >> card & 1) + (twice >> card & 1)
    counts[JOKER] = jokers


@jit
def observe(s: S, seat: int, out: Any) -> None:
    n = s.num_seats
    out.phase = s.phase
    out.round = s.round_no
    out.turn = s.turn_no
    out.actor = (s.actor - seat) % n if not s.over else 0
    out.dealer = (s.dealer - seat) % n
    out.sets_left = s.sets_left
    out.runs_left = s.runs_left
    out.taken = s.taken + 1
    out.stock = s.num_stock
    out.top = s.pile[s.num_pile - 1] + 1 if s.num_pile > 0 else 0
    _count_cards(out.hand, s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat])
    once, twice, jokers = pile_cards(s.pile, s.num_pile)
    _count_cards(out.pile, once, twice, jokers)
    once, twice, jokers = table_cards(s)
    _count_cards(out.table, once, twice, jokers)
    once, twice = take_out(s.recycled, s.recycled_twice, s.drawn[seat], s.drawn_twice[seat])
    _count_cards(out.recycled, once, twice, s.recycled_jokers - s.drawn_jokers[seat])
    for step in range(n):
        other = (seat + step) % n
        if step > 0:
            _count_cards(out.known[step - 1], s.known[other], s.known_twice[other], s.known_jokers[other])
        out.sizes[step] = s.size[other]
        out.is_down[step] = s.is_down[other]
        out.points[step] = s.points[other]
    for number in range(s.num_melds):
        kind, low, length, joker, suits = meld_at(s, number)
        meld = out.melds[number]
        meld[MELD_KIND] = kind + 1
        meld[MELD_LOW] = low
        meld[MELD_LENGTH] = length
        meld[MELD_JOKER] = joker + 1
        if kind == RUN and s.runs == SUITED:
            meld[MELD_SUIT] = (suits >> (2 * (low + 1 if joker == low else low)) & 3) + 1
