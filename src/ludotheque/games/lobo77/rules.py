"""LOBO 77: everybody plays onto one pile and announces the total. Bringing it onto a doublet costs a token;
bringing it to 77 or more costs one too and ends the round. Who has lost the last token swims, and is out on
the next loss.

Options: `tokens` (L2), `repeat_costs` (L8), `swim` (L18), `keep_top` (L19), `draw` (L20), `end` (L21), `card_76` (L22).

Bounds: eight hands of five leave at least 15 of 55 cards to draw or to reshuffle, all but one of them with
`keep_top`, so a card wanted is always there. Every round costs a token or a player: at most 8 x 7 rounds.
The total has no lower end while the -10s come round again, hence its 32 bits. Only the seat that played the
last card can have a draw to make (L20): the next card played by another takes it away.

What is known: played cards, the hand of a player who goes out (it is laid open under them), and how many
cards everybody holds. A reshuffle (L19) makes known what lies in the draw pile: `hidden.py` tells hidden
cards apart by whether they can have come out of it. That memory goes back to the last reshuffle, not
beyond.

Actions:
    id      meaning
    0..19   play a card of that type
    20      draw (L20, manual only); one past the types, so that it fits into a set of them
"""

from __future__ import annotations

from typing import Any

from ludotheque.core.bits import count, nth
from ludotheque.core.chance import WORD, below, next_word, shuffle
from ludotheque.core.chooser import choose
from ludotheque.core.info import Info, Piece
from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY, Ids, clear_chance, clear_stale_events, emit
from ludotheque.core.record import State as S
from ludotheque.games.lobo77 import audit as checks
from ludotheque.games.lobo77 import hidden
from ludotheque.games.lobo77.cards import (
    MAX_CARDS,
    NO_CARD,
    NUM_TYPES,
    PACK,
    PACK_SIZE,
    REVERSE,
    TWICE,
    VALUE,
    copies_in,
    first_type,
    one,
    type_at,
    types_in,
)
from ludotheque.games.lobo77.options import OPTIONS
from ludotheque.games.lobo77.state import (
    BURIED,
    DEALT,
    DOUBLET_STEP,
    DRAW,
    DREW,
    FIRST_DEALER,
    HAND_SIZE,
    LIMIT,
    MATCH_END,
    MAX_SEATS,
    NUM_ACTIONS,
    OUT,
    OVER,
    OWES_TWO,
    PART_BITS,
    PLAYED,
    RESHUFFLED,
    ROUND_END,
    SUNK,
    SWIMS,
    TOKEN_LOST,
    TURNED,
    State,
    has_ended,
)

OBSERVATION = (
    Piece("hand", NUM_TYPES, "how many cards of each type in the hand"),
    Piece("played", NUM_TYPES, "how many of each type lie among the played cards"),
    Piece("shuffled", NUM_TYPES, "how many of each type went into the draw pile at the last reshuffle"),
    Piece("tokens", MAX_SEATS, "tokens by seat from here clockwise"),
    Piece("out", MAX_SEATS, "0: in, 1: first to go out, 2: second... by seat from here clockwise"),
    Piece("sizes", MAX_SEATS, "cards in hand by seat from here clockwise"),
    Piece("pending", MAX_SEATS, "draws that may still be made by seat from here clockwise"),
    Piece("sure_2x", MAX_SEATS, "2x cards a hand is known to hold by seat from here clockwise"),
    Piece("fresh", MAX_SEATS, "cards drawn since the last reshuffle by seat from here clockwise"),
    Piece("total", 1, "the total"),
    Piece("top", 1, "card last played + 1, 0: none on the table"),
    Piece("direction", 1, "1 clockwise, -1 the other way"),
    Piece("owed", 1, "cards the seat at turn still has to play"),
    Piece("next_two", 1, "1: the next player will owe two cards"),
    Piece("pile", 1, "cards in the draw pile"),
    Piece("actor", 1, "how far clockwise the seat at turn sits"),
    Piece("opener", 1, "how far clockwise the opener of the round sits"),
    Piece("round", 1, "number of the round"),
)

INFO = Info(
    id="lobo77",
    name="LOBO 77",
    min_seats=2,
    max_seats=MAX_SEATS,
    usual_seats=4,
    num_actions=NUM_ACTIONS,
    rules_version=1,
    state=State,
    options=OPTIONS,
    observation=OBSERVATION,
)


@jit
def new_match(s: S, opts: Any) -> None:
    s.start_tokens = opts[0]
    s.repeat_costs = opts[1]
    s.swim = opts[2]
    s.keep_top = opts[3]
    s.manual = opts[4]
    s.last_tokens = opts[5]
    s.card_76 = opts[6]
    for seat in range(s.num_seats):
        s.tokens[seat] = s.start_tokens  # L2
        s.round_tokens[seat] = s.start_tokens
    for k in range(MAX_CARDS):
        s.pile[k] = NO_CARD
        s.played[k] = NO_CARD
    s.dealer = below(s, s.num_seats)  # L4
    emit(s, FIRST_DEALER, s.dealer, 0, 0, 0)
    _deal(s)


@jit
def _deal(s: S) -> None:
    """L3, L4: shuffle all cards, deal five to each player still in; left of the dealer opens."""
    s.round_no += 1
    for k in range(s.num_played):
        s.played[k] = NO_CARD
    s.num_played = 0
    if s.reshuffled:
        _forget(s)
        s.reshuffled = 0
    s.pile_size = PACK_SIZE + s.card_76  # L1, L22
    for k in range(s.pile_size):
        s.pile[k] = PACK[k]
    _shuffle_pile(s)
    k = 0
    for seat in range(s.num_seats):
        hand = 0
        if s.out_at[seat] == 0:
            for _ in range(HAND_SIZE):
                hand += one(s.pile[k])
                s.pile[k] = NO_CARD
                k += 1
        s.hand[seat] = hand
        s.hand_size[seat] = HAND_SIZE if hand else 0
        s.sure_2x[seat] = 0
        s.sure_at[seat] = 0
    s.num_drawn = k
    s.opener = _next_in(s, s.dealer, 1)
    s.actor = s.opener
    s.direction = 1
    s.total = 0
    s.owed = 1
    s.next_two = 0
    s.pending = 0
    s.pending_seat = NOBODY
    emit(s, DEALT, s.dealer, s.round_no, s.opener, 0)


@jit
def _shuffle_pile(s: S) -> None:
    """Shuffle the whole pile, as `shuffle` does, but with four places from each random word."""
    size = s.pile_size
    while size > 4:
        a, b, c, d = _four_below(s, size)
        _swap(s, size - 1, a)
        _swap(s, size - 2, b)
        _swap(s, size - 3, c)
        _swap(s, size - 4, d)
        size -= 4
    shuffle(s, s.pile, size)


@jit
def _four_below(s: S, n: int) -> tuple[int, int, int, int]:
    """Numbers below n, n - 1, n - 2, n - 3, as `below` finds one: what it leaves over gives the next."""
    product = n * (n - 1) * (n - 2) * (n - 3)
    while True:
        a = next_word(s) * n
        b = (a & WORD) * (n - 1)
        c = (b & WORD) * (n - 2)
        d = (c & WORD) * (n - 3)
        rest = d & WORD
        if rest >= product or rest >= (WORD + 1) % product:
            return a >> 32, b >> 32, c >> 32, d >> 32


@jit
def _swap(s: S, i: int, j: int) -> None:
    card = s.pile[i]
    s.pile[i] = s.pile[j]
    s.pile[j] = card


@jit
def _forget(s: S) -> None:
    for k in range(MAX_CARDS):
        s.drawn_by[k] = 0
        s.played_by[k] = 0
        s.played_at[k] = 0
    for card in range(NUM_TYPES):
        s.shuffled[card] = 0


@jit
def _next_in(s: S, seat: int, step: int) -> int:
    """The next seat still in, going by `step`."""
    n = s.num_seats
    while True:
        seat += step
        if seat >= n:
            seat = 0
        elif seat < 0:
            seat = n - 1
        if s.out_at[seat] == 0:
            return seat


@jit
def open_cards(s: S, seat: int) -> int:
    """The types a seat at turn may play, as `types_in` gives them."""
    types = types_in(s.hand[seat])
    if s.owed == 2 and types != one(TWICE):  # L13: no 2x first, unless there is nothing else
        types &= ~one(TWICE)
    return types


@jit
def _apply_card(s: S, seat: int, card: int) -> None:
    s.hand[seat] -= one(card)
    s.hand_size[seat] -= 1
    before = s.total
    total = before + int(VALUE[card])  # L6, L9, L10, L15
    s.total = total
    emit(s, PLAYED, seat, card, total, 0)
    n = s.num_played
    s.played[n] = card
    s.num_played = n + 1
    if s.reshuffled:
        s.played_by[n] = seat
        s.played_at[n] = s.num_drawn
    if s.manual:
        _look_at_draws(s, seat, card)
    s.owed -= 1
    if card == REVERSE:  # L11
        s.direction = -s.direction
        emit(s, TURNED, seat, s.direction, 0, 0)
    elif card == TWICE:  # L12; a second one in the turn adds nothing, L13
        s.next_two = 1
    if total >= LIMIT:  # L16
        _lose_token(s, seat)
        _close_round(s, seat)
        return
    if total % DOUBLET_STEP == 0 and total > 0 and (total != before or s.repeat_costs):  # L7, L8
        _lose_token(s, seat)
        if has_ended(s):
            _close_round(s, seat)
            return
    if s.out_at[seat] == 0:
        _draw_after_card(s, seat)
        if s.owed > 0:  # L12, L14
            return
    _pass_turn(s, seat)


@jit
def _look_at_draws(s: S, seat: int, card: int) -> None:
    """L20: what another seat has not drawn by now is forgotten. And what a 2x tells about its hand (L13)."""
    if s.pending_seat != seat:
        s.pending = 0
        s.pending_seat = NOBODY
    if card == TWICE:
        if s.sure_2x[seat] > 0:
            s.sure_2x[seat] -= 1
            if s.reshuffled:
                s.played_at[s.num_played - 1] = s.sure_at[seat]
        if s.owed == 2:  # L13: lawful only from a hand of nothing else
            s.sure_2x[seat] = s.hand_size[seat]
            s.sure_at[seat] = s.num_drawn if s.reshuffled else 0


@jit
def _draw_after_card(s: S, seat: int) -> None:
    if not s.manual:  # L5
        s.event_args[0, 2] = _take_card(s, seat) + 1  # the card's own event is the first of the move
    elif s.hand_size[seat] > 0:  # L20
        s.pending += 1
        s.pending_seat = seat
    else:  # L20: an empty hand draws by itself
        emit(s, DREW, seat, _take_card(s, seat) + 1, 1, 0)


@jit
def _take_card(s: S, seat: int) -> int:
    if s.num_drawn == s.pile_size:
        _reshuffle(s, seat)
    k = s.num_drawn
    card = s.pile[k]
    s.num_drawn = k + 1
    s.hand[seat] += one(card)
    s.hand_size[seat] += 1
    if s.reshuffled:
        s.drawn_by[k] = seat
    else:
        s.pile[k] = NO_CARD
    return card


@jit
def _reshuffle(s: S, seat: int) -> None:
    """L19: all played cards become the draw pile, the last one too unless it is to stay. The total stands."""
    _forget(s)
    size = s.num_played - s.keep_top
    for k in range(size):
        card = s.played[k]
        s.pile[k] = card
        s.shuffled[card] += 1
        s.played[k] = NO_CARD
    for k in range(size, s.pile_size):
        s.pile[k] = NO_CARD
    s.num_played = s.keep_top
    if s.keep_top:
        s.played[0] = s.played[size]
        s.played[size] = NO_CARD
        s.played_by[0] = NOBODY
    s.num_drawn = 0
    s.pile_size = size
    s.reshuffled = 1
    for other in range(s.num_seats):
        s.sure_at[other] = 0
    _shuffle_pile(s)
    emit(s, RESHUFFLED, seat, size, s.keep_top, 0)


@jit
def _pass_turn(s: S, seat: int) -> None:
    """L12, L13: two cards after a 2x, never more. What a player who went out still owed is gone (L14)."""
    s.actor = _next_in(s, seat, s.direction)
    s.owed = 1 + s.next_two
    if s.next_two:
        s.next_two = 0
        emit(s, OWES_TWO, s.actor, 0, 0, 0)


@jit
def _lose_token(s: S, seat: int) -> None:
    if s.tokens[seat] == 0:  # L18
        emit(s, SUNK, seat, s.total, 0, 0)
        _go_out(s, seat)
        return
    s.tokens[seat] -= 1
    emit(s, TOKEN_LOST, seat, s.total, s.tokens[seat], 0)
    if s.tokens[seat] == 0:
        if s.swim:
            emit(s, SWIMS, seat, 0, 0, 0)
        else:
            _go_out(s, seat)


@jit
def _go_out(s: S, seat: int) -> None:
    """L18: the hand goes under the played cards, open."""
    emit(s, OUT, seat, s.num_seats - s.num_out, 0, 0)
    s.num_out += 1
    s.out_at[seat] = s.num_out
    size = s.hand_size[seat]
    if size > 0:
        hand = s.hand[seat]
        part = (1 << PART_BITS) - 1
        emit(s, BURIED, seat, hand & part, (hand >> PART_BITS) & part, hand >> (2 * PART_BITS))
        for k in range(s.num_played - 1, -1, -1):
            s.played[k + size] = s.played[k]
            s.played_by[k + size] = s.played_by[k]
            s.played_at[k + size] = s.played_at[k]
        s.num_played += size
        k = 0
        while k < size:
            card = first_type(types_in(hand))
            hand -= one(card)
            s.played[k] = card
            s.played_by[k] = seat if s.reshuffled else 0
            s.played_at[k] = s.num_drawn if s.reshuffled else 0
            k += 1
    s.hand[seat] = 0
    s.hand_size[seat] = 0
    s.sure_2x[seat] = 0
    s.sure_at[seat] = 0
    s.pending = 0
    s.pending_seat = NOBODY


@jit
def _close_round(s: S, seat: int) -> None:
    for other in range(s.num_seats):
        s.last_points[other] = s.tokens[other] - s.round_tokens[other]
        s.round_tokens[other] = s.tokens[other]
    emit(s, ROUND_END, seat, s.round_no, 0, 0)
    if has_ended(s):
        s.over = 1
        s.phase = OVER
        s.actor = NOBODY
        s.owed = 0
        s.next_two = 0
        s.pending = 0
        s.pending_seat = NOBODY
        emit(s, MATCH_END, NOBODY, 0, 0, 0)
        return
    s.dealer = s.opener  # L17
    if s.out_at[s.dealer] != 0:
        s.dealer = _next_in(s, s.dealer, 1)
    _deal(s)


@jit
def _apply_draw(s: S, seat: int) -> None:
    """L20."""
    s.pending -= 1
    if s.pending == 0:
        s.pending_seat = NOBODY
    card = _take_card(s, seat)
    emit(s, DREW, seat, card + 1, 0, 0)


@jit
def _moves(s: S, seat: int) -> int:
    """The actions open to a seat, as a set of types; the draw is one past them."""
    moves = open_cards(s, seat) if seat == s.actor else 0
    if s.pending > 0 and s.pending_seat == seat:  # L20
        moves |= one(DRAW)
    return moves


@jit
def legal(s: S, seat: int, out: Ids) -> int:
    moves = _moves(s, seat)
    n = 0
    while moves:
        out[n] = first_type(moves)
        n += 1
        moves &= moves - 1
    return n


@jit
def sample(s: S, seat: int, x: int, out: Ids) -> int:
    """A uniformly random legal action, as `legal` has them, without listing them."""
    moves = _moves(s, seat)
    return type_at(nth(moves, choose(x, count(moves))))


@jit
def others(s: S) -> int:
    """L20: who has played may still draw while the next player thinks."""
    if s.pending > 0 and s.pending_seat != s.actor:
        return 1 << s.pending_seat
    return 0


@jit
def apply(s: S, seat: int, action: int) -> None:
    if action == DRAW:
        _apply_draw(s, seat)
    else:
        _apply_card(s, seat, action)


@jit
def outcome(s: S, scores: Any, places: Any) -> None:
    """L21: scores are tokens. Those in are placed by tokens, behind them those out, the last to go first."""
    for seat in range(s.num_seats):
        scores[seat] = s.tokens[seat]
        better = 0
        for other in range(s.num_seats):
            if s.out_at[seat] != 0:
                better += s.out_at[other] == 0 or s.out_at[other] > s.out_at[seat]
            else:
                better += s.out_at[other] == 0 and s.tokens[other] > s.tokens[seat]
        places[seat] = better + 1


FAULTS = checks.FAULTS
audit = checks.audit


@jit
def conceal(s: S, seat: int) -> None:
    """A seat knows its hand, and what it drew from a reshuffled pile; nobody knows chance."""
    clear_chance(s)
    clear_stale_events(s)
    for other in range(s.num_seats):
        if other != seat:
            s.hand[other] = 0
    for k in range(s.pile_size):
        if k >= s.num_drawn or s.drawn_by[k] != seat:
            s.pile[k] = NO_CARD
    for i in range(s.num_events):
        if s.event_seat[i] != seat:
            if s.event_kind[i] == PLAYED:
                s.event_args[i, 2] = 0
            elif s.event_kind[i] == DREW:
                s.event_args[i, 0] = 0


resample = hidden.resample


@jit
def observe(s: S, seat: int, out: Any) -> None:
    n = s.num_seats
    hand = s.hand[seat]
    for card in range(NUM_TYPES):
        out.hand[card] = copies_in(hand, card)
    for k in range(s.num_played):
        out.played[s.played[k]] += 1
    for step in range(n):
        other = (seat + step) % n
        out.tokens[step] = s.tokens[other]
        out.out[step] = s.out_at[other]
        out.sizes[step] = s.hand_size[other]
        out.pending[step] = s.pending if other == s.pending_seat else 0
        out.sure_2x[step] = s.sure_2x[other]
    if s.reshuffled:
        for card in range(NUM_TYPES):
            out.shuffled[card] = s.shuffled[card]
        for k in range(s.num_drawn):
            out.fresh[(s.drawn_by[k] - seat) % n] += 1
    out.total = max(s.total, -32768)
    out.top = s.played[s.num_played - 1] + 1 if s.num_played > 0 else 0
    out.direction = s.direction
    out.owed = s.owed
    out.next_two = s.next_two
    out.pile = s.pile_size - s.num_drawn
    out.actor = (s.actor - seat) % n if not s.over else 0
    out.opener = (s.opener - seat) % n
    out.round = s.round_no
