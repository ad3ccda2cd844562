"""The audit of a record of LOBO 77: every card of the box, and hands, tokens and turns that can be."""

from __future__ import annotations

from ludotheque.core.jit import jit
from ludotheque.core.record import NOBODY
from ludotheque.core.record import State as S
from ludotheque.games.lobo77.cards import NUM_TYPES, PACK_SIZE, TWICE, box_copies, copies_in, num_cards
from ludotheque.games.lobo77.hidden import audit_memory
from ludotheque.games.lobo77.state import HAND_SIZE, LIMIT, OVER, has_ended

FAULTS = {
    1: "cards of the box are missing or there twice",
    2: "a hand has the wrong number of cards",
    4: "tokens that cannot be",
    8: "the order in which players went out has gaps",
    16: "the turn is with nobody who is in, or owes a number of cards that cannot be",
    32: "the total is 77 or more and the round goes on",
    64: "a draw is open that cannot be",
    128: "the match should be over, or should not",
    256: "a hand lacks the 2x cards it was shown to hold",
    512: "what is remembered of the reshuffle does not fit the cards",
    1024: "a dealer, an opener or a direction that cannot be",
    2048: "the draw pile or the played cards have the wrong size",
}


@jit
def audit(s: S) -> int:
    faults = _audit_seats(s) | _audit_cards(s)
    n = s.num_seats
    if bool(s.over) != has_ended(s) or s.over != (s.phase == OVER):
        faults |= 128
    if s.over:
        if s.actor != NOBODY or s.owed != 0 or s.next_two != 0:
            faults |= 16
    else:
        if s.total >= LIMIT:
            faults |= 32
        if s.actor < 0 or s.actor >= n or s.out_at[s.actor] != 0 or s.owed < 1 or s.owed > 2:
            faults |= 16
        if s.next_two and (s.owed != 1 or not s.manual):  # L13: only a short hand can begin with a 2x
            faults |= 16
    if s.direction != 1 and s.direction != -1:
        faults |= 1024
    if s.dealer < 0 or s.dealer >= n or s.opener < 0 or s.opener >= n or s.dealer == s.opener:
        faults |= 1024
    return faults


@jit
def _audit_seats(s: S) -> int:
    faults = 0
    seen = 0
    for seat in range(s.num_seats):
        is_in = s.out_at[seat] == 0
        tokens = s.tokens[seat]
        if tokens < 0 or tokens > s.start_tokens or (tokens > 0 and not is_in):
            faults |= 4
        if tokens == 0 and is_in and not s.swim:
            faults |= 4
        if s.round_tokens[seat] < tokens or s.round_tokens[seat] > s.start_tokens:
            faults |= 4
        if s.last_points[seat] > 0 or s.last_points[seat] < -s.start_tokens:
            faults |= 4
        if not is_in:
            if s.out_at[seat] < 0 or s.out_at[seat] > s.num_out or (seen >> s.out_at[seat]) & 1:
                return faults | 8
            seen |= 1 << s.out_at[seat]
        size = s.hand_size[seat]
        if num_cards(s.hand[seat]) != size:
            faults |= 2
        if is_in and not s.over and (size < 1 or size > HAND_SIZE or (size < HAND_SIZE and not s.manual)):
            faults |= 2
        if (is_in and s.over and size > HAND_SIZE) or (not is_in and size != 0):
            faults |= 2
        if copies_in(s.hand[seat], TWICE) < s.sure_2x[seat] or s.sure_2x[seat] < 0:
            faults |= 256
        if s.sure_2x[seat] > 0 and not s.manual:
            faults |= 256
    if seen != (1 << (s.num_out + 1)) - 2:
        faults |= 8
    return faults | _audit_draws(s)


@jit
def _audit_draws(s: S) -> int:
    """L20: at most two draws are open, by a seat that is in and has just played."""
    who = s.pending_seat
    if s.pending == 0:
        return 0 if who == NOBODY else 64
    if not s.manual or s.over or s.pending < 0 or s.pending > 2 or who < 0 or who >= s.num_seats:
        return 64
    if s.out_at[who] != 0 or s.hand_size[who] + s.pending > HAND_SIZE:
        return 64
    if who == s.actor and (s.pending > 1 or s.owed != 1):  # between the two cards owed
        return 64
    return 0


@jit
def _audit_cards(s: S) -> int:
    """Every card of the box: in a hand, in the draw pile, or played."""
    box = PACK_SIZE + s.card_76
    if s.num_played < 0 or s.num_drawn < 0 or s.pile_size > box or s.num_drawn > s.pile_size:
        return 2048
    if s.num_played > box or (not s.reshuffled and s.pile_size != box):
        return 2048
    faults = 0
    for card in range(NUM_TYPES):
        left = box_copies(s, card)
        for seat in range(s.num_seats):
            left -= copies_in(s.hand[seat], card)
        for k in range(s.num_drawn, s.pile_size):
            left -= s.pile[k] == card
        for k in range(s.num_played):
            left -= s.played[k] == card
        if left != 0:
            faults |= 1
    if s.reshuffled and not audit_memory(s):
        faults |= 512
    return faults
