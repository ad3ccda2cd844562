"""Double Lucky 7: fourteen rounds of 1 to 7 and back to 1 cards. Everybody says how many tricks they will take; only
the exact bid scores. The dealer bids first and leads every trick; the last bidder may not make the sum come out even.

Options: `rounds` (D2), `lead` (D8), `forfeits` and `forfeit_list` (D15).

Bounds: a hand has at most 7 cards, so 7 seats use 49 cards and the turned one of 57; bids go from 0 to 7. Points: 14
rounds of at most 10 + 2 x 7, one of them doubled, stay below 400. Cards that are not dealt never come into play, so
the record keeps no deck: a deal draws cards that are not out yet.
"""

from __future__ import annotations

from typing import Any

from ludotheque.core.bits import count, lowest, nth
from ludotheque.core.chance import below, draw_on, drawn, five_draws
from ludotheque.core.chooser import choose
from ludotheque.core.info import Info, Piece
from ludotheque.core.jit import jit
from ludotheque.core.ranking import rank_highest_first
from ludotheque.core.record import NOBODY, Ids, clear_chance, clear_stale_events, emit, state_dtype
from ludotheque.core.record import State as S
from ludotheque.games.double_lucky_7.options import OPTIONS

MAX_SEATS = 7
MAX_CARDS = 7

# Cards: colour * 14 + number - 1, colours R G B Y; then the joker. A set of cards is a mask of 57 bits.
COLOURS = "RGBY"
NUM_NUMBERS = 14
JOKER = 56
NUM_CARDS = 57
ALL_CARDS = (1 << NUM_CARDS) - 1
COLOUR_MASK = (1 << NUM_NUMBERS) - 1
NO_CARD = 127
EMPTY_TRICK = 0x7F7F7F7F7F7F7F  # NO_CARD for each of seven seats
NO_COLOUR = -1

# Actions
#   id       meaning
#   0..56    play that card
#   57..60   choose trump R G B Y
#   61..68   bid 0..7
TRUMP = 57
BID = 61
NUM_ACTIONS = 69

# Phases
CHOOSE_TRUMP, BIDDING, PLAYING, OVER = 0, 1, 2, 3

# Events: kind, then what seat and arguments mean
FIRST_DEALER = 1  # seat: who deals first; the cards drawn are in dealer_draw
DEAL = 2  # seat: dealer; round, cards each, turned card
TRUMP_CHOSEN = 3  # seat: dealer; colour
BID_MADE = 4  # seat; bid, sum of bids so far
PLAY = 5  # seat; card
TRICK = 6  # seat: who takes it; tricks taken by that seat now, its bid
ROUND_END = 7  # points, bids and tricks are in last_points, last_bid, last_tricks
FORFEIT = 8  # seat: who missed the bid; number drawn
MATCH_END = 9

NUM_FORFEIT_DRAWS = 10_000  # the number drawn picks a line of the table's own list, however long it is

State = state_dtype(
    [
        ("played", "<i8"),  # set of cards played in this round
        ("trick", "<i8"),  # cards of the current trick, 8 bits a seat; see trick_card
        ("hand", "<i8", (MAX_SEATS,)),  # sets of cards
        ("rounds", "i1"),  # option: 14 or 7
        ("lead", "i1"),  # option: 0 the dealer leads every trick, 1 its winner leads the next
        ("forfeits", "i1"),  # option: 0 or 1
        ("dealer_draw", "i1", (MAX_SEATS,)),  # the card each seat drew last for the first deal
        ("dealer", "i1"),
        ("num_cards", "i1"),  # cards each in this round, 1..7
        ("turned", "i1"),  # the card turned for trump
        ("trump", "i1"),  # its colour 0..3; NO_COLOUR while the dealer has to choose
        ("void", "i1", (MAX_SEATS,)),  # colours a seat has shown it does not hold, a bit each
        ("bid", "i1", (MAX_SEATS,)),  # -1: not yet
        ("num_bids", "i1"),
        ("bid_sum", "i1"),
        ("tricks", "i1", (MAX_SEATS,)),  # tricks taken in this round
        ("num_tricks", "i1"),  # tricks finished in this round
        ("leader", "i1"),  # who led, or leads, the current trick
        ("led_colour", "i1"),  # NO_COLOUR: nothing asked for yet, or the joker was led
        ("num_played", "i1"),  # cards in the current trick
        ("best_seat", "i1"),  # who is winning the current trick
        ("best_strength", "i1"),
        ("points", "<i2", (MAX_SEATS,)),
        ("last_points", "i1", (MAX_SEATS,)),  # of the round before: points,
        ("last_bid", "i1", (MAX_SEATS,)),  # bids
        ("last_tricks", "i1", (MAX_SEATS,)),  # and tricks
    ]
)

OBSERVATION = (
    Piece("hand", NUM_CARDS, "1 for each card in the hand"),
    Piece("played", NUM_CARDS, "1 for each card played in this round"),
    Piece("trick", MAX_SEATS, "card of the current trick + 1 by seat from here clockwise, 0: none"),
    Piece("trump", 1, "colour + 1, 0: not chosen yet"),
    Piece("turned", 1, "turned card + 1"),
    Piece("bids", MAX_SEATS, "bid + 1 by seat from here clockwise, 0: none yet"),
    Piece("tricks", MAX_SEATS, "tricks taken by seat from here clockwise"),
    Piece("points", MAX_SEATS, "points by seat from here clockwise"),
    Piece("void", (MAX_SEATS, 4), "1 for each colour a seat has shown it lacks, by seat from here clockwise"),
    Piece("dealer", 1, "how far clockwise the dealer sits"),
    Piece("actor", 1, "how far clockwise the seat at turn sits"),
    Piece("leader", 1, "how far clockwise the leader of the trick sits"),
    Piece("round", 1, "number of the round"),
    Piece("cards", 1, "cards each in this round"),
)

INFO = Info(
    id="double_lucky_7",
    name="Double Lucky 7",
    min_seats=2,
    max_seats=MAX_SEATS,
    usual_seats=4,
    num_actions=NUM_ACTIONS,
    rules_version=2,
    state=State,
    options=OPTIONS,
    observation=OBSERVATION,
)


@jit
def new_match(s: S, opts: Any) -> None:
    s.rounds = opts[0]
    s.lead = opts[1]
    s.forfeits = opts[2]
    _draw_for_deal(s)
    emit(s, FIRST_DEALER, s.dealer, 0, 0, 0)
    _deal(s)


@jit
def _draw_for_deal(s: S) -> None:
    """D3: everybody draws, those tied for the highest draw again from the rest."""
    drawn = 0
    still_in = (1 << s.num_seats) - 1
    while count(still_in) > 1:
        best = -1
        tied = 0
        for seat in range(s.num_seats):
            if not (still_in >> seat) & 1:
                continue
            if count(drawn) == NUM_CARDS:
                drawn = 0
            card = _draw_card(s, drawn)
            drawn |= 1 << card
            s.dealer_draw[seat] = card
            height = NUM_NUMBERS if card == JOKER else card % NUM_NUMBERS
            if height > best:
                best = height
                tied = 0
            if height == best:
                tied |= 1 << seat
        still_in = tied
    s.dealer = lowest(still_in)


@jit
def _draw_card(s: S, taken: int) -> int:
    """A random card that is not taken."""
    card = below(s, NUM_CARDS)
    while (taken >> card) & 1:
        card = below(s, NUM_CARDS)
    return card


@jit
def _deal(s: S) -> None:
    """D2, D4: shuffle all cards, deal the round's number of them, turn the next for trump."""
    s.round_no += 1
    s.num_cards = s.round_no if s.round_no <= 7 else 15 - s.round_no
    n = s.num_seats
    for seat in range(n):
        s.void[seat] = 0
        s.bid[seat] = -1
        s.tricks[seat] = 0
    _deal_cards(s)
    s.played = 0
    s.num_bids = 0
    s.bid_sum = 0
    s.num_tricks = 0
    s.actor = s.dealer
    if s.turned == JOKER:  # D5
        s.trump = NO_COLOUR
        s.phase = CHOOSE_TRUMP
    else:
        s.trump = s.turned // NUM_NUMBERS
        s.phase = BIDDING
    _open_trick(s, s.dealer)
    emit(s, DEAL, s.dealer, s.round_no, s.num_cards, s.turned)


@jit
def _deal_cards(s: S) -> None:
    """A hand for each seat and the turned card, each drawn from the cards that are left."""
    free = ALL_CARDS
    left = NUM_CARDS  # at least 8 before the last card: five draws can always be made ready
    num_ready = 0
    draws = 0
    for seat in range(s.num_seats + 1):
        card = 0
        hand = 0
        for _ in range(s.num_cards if seat < s.num_seats else 1):
            if num_ready == 0:
                draws = five_draws(s, left)
                num_ready = 5
            card = nth(free, drawn(draws, left))
            draws = draw_on(draws, left)
            num_ready -= 1
            left -= 1
            free ^= 1 << card
            hand |= 1 << card
        if seat < s.num_seats:
            s.hand[seat] = hand
        else:
            s.turned = card


@jit
def trick_card(s: S, seat: int) -> int:
    """The card a seat has played to the current trick, or NO_CARD."""
    return (s.trick >> (8 * seat)) & 127


@jit
def _open_trick(s: S, leader: int) -> None:
    s.trick = EMPTY_TRICK
    s.leader = leader
    s.led_colour = NO_COLOUR
    s.num_played = 0
    s.best_seat = NOBODY
    s.best_strength = -1


@jit
def _pass_turn(s: S) -> None:
    s.actor = s.actor + 1 if s.actor + 1 < s.num_seats else 0


@jit
def _legal_choose_trump(s: S, out: Ids) -> int:
    for colour in range(4):  # D5
        out[colour] = TRUMP + colour
    return 4


@jit
def _apply_choose_trump(s: S, action: int) -> None:
    s.trump = action - TRUMP
    s.phase = BIDDING
    emit(s, TRUMP_CHOSEN, s.actor, s.trump, 0, 0)


@jit
def forbidden_bid(s: S) -> int:
    """D7: the bid with which the last bidder would make the sum come out even; -1 for the others."""
    if s.num_bids < s.num_seats - 1:
        return -1
    return s.num_cards - s.bid_sum


@jit
def _legal_bidding(s: S, out: Ids) -> int:
    forbidden = forbidden_bid(s)
    n = 0
    for bid in range(s.num_cards + 1):  # D6
        if bid != forbidden:
            out[n] = BID + bid
            n += 1
    return n


@jit
def _apply_bidding(s: S, action: int) -> None:
    s.bid[s.actor] = action - BID
    s.num_bids += 1
    s.bid_sum += action - BID
    emit(s, BID_MADE, s.actor, action - BID, s.bid_sum, 0)
    _pass_turn(s)
    if s.num_bids == s.num_seats:
        s.phase = PLAYING
        s.actor = s.dealer  # D8


@jit
def _playable(s: S, seat: int) -> int:
    """D9, D10: cards of the led colour and the joker; everything if the hand has none of that colour."""
    hand = s.hand[seat]
    if s.led_colour != NO_COLOUR:
        colour = COLOUR_MASK << (NUM_NUMBERS * s.led_colour)
        if hand & colour:
            return hand & (colour | (1 << JOKER))
    return hand


@jit
def _legal_playing(s: S, out: Ids) -> int:
    cards = _playable(s, s.actor)
    n = 0
    while cards:
        out[n] = lowest(cards)
        n += 1
        cards &= cards - 1
    return n


@jit
def _apply_playing(s: S, card: int) -> None:
    seat = s.actor
    led = s.led_colour
    colour = card // NUM_NUMBERS  # the joker counts as a fifth
    bit = 1 << card
    s.hand[seat] ^= bit
    s.played |= bit
    s.trick ^= (NO_CARD ^ card) << (8 * seat)
    n = s.num_played
    if n == 0:
        led = colour if card != JOKER else NO_COLOUR  # D10
        s.led_colour = led
    # Whoever answers a colour with another has shown it lacks it.
    s.void[seat] |= (1 if (led != NO_COLOUR) & (colour != led) & (card != JOKER) else 0) << (led & 3)
    # D10, D11: the joker beats trumps, trumps beat the led colour; a card of neither cannot win.
    strength = card - NUM_NUMBERS * colour + (50 if colour == s.trump else 0) + (100 if card == JOKER else 0)
    if (strength >= 50) | (colour == led) and strength > s.best_strength:
        s.best_strength = strength
        s.best_seat = seat
    emit(s, PLAY, seat, card, 0, 0)
    s.num_played = n + 1
    if n + 1 < s.num_seats:
        _pass_turn(s)
    else:
        _close_trick(s)


@jit
def _close_trick(s: S) -> None:
    winner = s.best_seat
    s.tricks[winner] += 1
    s.num_tricks += 1
    emit(s, TRICK, winner, s.tricks[winner], s.bid[winner], 0)
    if s.num_tricks == s.num_cards:
        _close_round(s)
        return
    _open_trick(s, winner if s.lead == 1 else s.dealer)  # D8
    s.actor = s.leader


@jit
def round_points(bid: int, tricks: int, round_no: int) -> int:
    """D12, D13: 10 and 2 a trick for the exact bid, twice that in the seventh round."""
    if bid != tricks:
        return 0
    points = 10 + 2 * tricks
    return 2 * points if round_no == 7 else points


@jit
def _close_round(s: S) -> None:
    for seat in range(s.num_seats):
        points = round_points(s.bid[seat], s.tricks[seat], s.round_no)
        s.points[seat] += points
        s.last_points[seat] = points
        s.last_bid[seat] = s.bid[seat]
        s.last_tricks[seat] = s.tricks[seat]
    emit(s, ROUND_END, NOBODY, s.round_no, s.num_cards, 0)
    if s.forfeits:  # D15
        for seat in range(s.num_seats):
            if s.last_bid[seat] != s.last_tricks[seat]:
                emit(s, FORFEIT, seat, below(s, NUM_FORFEIT_DRAWS), 0, 0)
    if s.round_no == s.rounds:
        s.over = 1
        s.phase = OVER
        s.actor = NOBODY
        emit(s, MATCH_END, NOBODY, 0, 0, 0)
        return
    s.dealer = s.dealer + 1 if s.dealer + 1 < s.num_seats else 0  # D3
    _deal(s)


@jit
def legal(s: S, seat: int, out: Ids) -> int:
    if seat != s.actor:
        return 0
    if s.phase == PLAYING:
        return _legal_playing(s, out)
    if s.phase == BIDDING:
        return _legal_bidding(s, out)
    return _legal_choose_trump(s, out)


@jit
def sample(s: S, seat: int, x: int, out: Ids) -> int:
    """A uniformly random legal action, as `legal` has them, without listing them."""
    if s.phase == PLAYING:
        cards = _playable(s, seat)
        return nth(cards, choose(x, count(cards)))
    if s.phase == BIDDING:
        forbidden = forbidden_bid(s)
        if 0 <= forbidden <= s.num_cards:
            bid = choose(x, s.num_cards)
            return BID + bid + (1 if bid >= forbidden else 0)
        return BID + choose(x, s.num_cards + 1)
    return TRUMP + choose(x, 4)


@jit
def others(s: S) -> int:
    """Nobody moves out of turn."""
    return 0


@jit
def apply(s: S, seat: int, action: int) -> None:
    if s.phase == PLAYING:
        _apply_playing(s, action)
    elif s.phase == BIDDING:
        _apply_bidding(s, action)
    else:
        _apply_choose_trump(s, action)


@jit
def outcome(s: S, scores: Any, places: Any) -> None:
    for seat in range(s.num_seats):
        scores[seat] = s.points[seat]
    rank_highest_first(scores, s.num_seats, places)  # D14


FAULTS = {
    1: "a card is in two places",
    2: "a hand has the wrong number of cards",
    4: "tricks taken and tricks played do not agree",
    8: "bids do not fit the round, or their sum is even with the tricks",
    16: "the trump does not fit the turned card",
    32: "the number of cards does not fit the round",
    64: "a card that is not in the box",
    128: "the current trick does not fit who led it",
    256: "points that cannot be",
    512: "a hand holds a colour it was shown to lack",
}


@jit
def hand_size(s: S, seat: int) -> int:
    """How many cards a seat holds: known to all."""
    if s.over:
        return 0
    return s.num_cards - s.num_tricks - (1 if trick_card(s, seat) != NO_CARD else 0)


@jit
def audit(s: S) -> int:
    faults = 0
    if s.num_cards != (s.round_no if s.round_no <= 7 else 15 - s.round_no) or s.round_no > s.rounds:
        faults |= 32
    if (s.trump == NO_COLOUR) != (s.phase == CHOOSE_TRUMP):
        faults |= 16
    if s.turned != JOKER and s.trump != s.turned // NUM_NUMBERS:
        faults |= 16
    # Every card of the box: in one hand, played, turned, or not dealt.
    seen = s.played | (1 << s.turned)
    if (s.played >> s.turned) & 1:
        faults |= 1
    held = 0
    tricks = 0
    in_trick = 0
    for seat in range(s.num_seats):
        hand = s.hand[seat]
        if hand & ~ALL_CARDS:
            faults |= 64
        if hand & (seen | held):
            faults |= 1
        if count(hand) != hand_size(s, seat):
            faults |= 2
        for colour in range(4):
            if (s.void[seat] >> colour) & 1 and hand & (COLOUR_MASK << (NUM_NUMBERS * colour)):
                faults |= 512
        held |= hand
        tricks += s.tricks[seat]
        if s.points[seat] < 0 or s.points[seat] > 400 or s.points[seat] % 2:
            faults |= 256
        if trick_card(s, seat) != NO_CARD:
            in_trick += 1
            if not (s.played >> trick_card(s, seat)) & 1:
                faults |= 128
    if count(s.played) != s.num_seats * s.num_tricks + (0 if s.over else s.num_played):
        faults |= 2
    if tricks != s.num_tricks or s.num_tricks > s.num_cards:
        faults |= 4
    if s.phase < PLAYING and (s.num_tricks or s.num_played):
        faults |= 4
    if not s.over and in_trick != s.num_played:
        faults |= 128
    tricks_before = s.num_tricks - s.over  # those before the one that was led last
    if s.lead == 1 and tricks_before > 0:  # D8
        if s.tricks[s.leader] == 0:
            faults |= 128
    elif s.leader != s.dealer:
        faults |= 128
    return faults | _audit_bids(s)


@jit
def _audit_bids(s: S) -> int:
    bids = 0
    total = 0
    for seat in range(s.num_seats):
        if s.bid[seat] >= 0:
            bids += 1
            total += s.bid[seat]
            if s.bid[seat] > s.num_cards:
                return 8
    if bids != s.num_bids or total != s.bid_sum:
        return 8
    if (s.phase == PLAYING and bids != s.num_seats) or (s.phase == CHOOSE_TRUMP and bids):
        return 8
    return 8 if bids == s.num_seats and total == s.num_cards else 0


@jit
def conceal(s: S, seat: int) -> None:
    """A seat knows its own hand; everything else hidden is other hands and chance."""
    clear_chance(s)
    clear_stale_events(s)
    for other in range(s.num_seats):
        if other != seat:
            s.hand[other] = 0


@jit
def resample(s: S, seat: int) -> None:
    """Deal the unseen cards to the other seats: as many as each holds, none of a colour it has shown it lacks."""
    known = s.played | (1 << s.turned)
    if seat != NOBODY:
        known |= s.hand[seat]
    for _ in range(64):  # nearly always the first few deals fit, and all that fit are equally likely
        if _try_deal(s, seat, known):
            return
    _deal_by_exchange(s, seat, known)


@jit
def _holdable(s: S, seat: int) -> int:
    """The cards a seat may hold, going by the colours it has shown it lacks."""
    cards = ALL_CARDS
    for colour in range(4):
        if (s.void[seat] >> colour) & 1:
            cards &= ~(COLOUR_MASK << (NUM_NUMBERS * colour))
    return cards


@jit
def _try_deal(s: S, seat: int, known: int) -> bool:
    taken = known
    for other in range(s.num_seats):
        if other == seat:
            continue
        holdable = _holdable(s, other)
        hand = 0
        for _ in range(hand_size(s, other)):
            card = _draw_card(s, taken)
            if not (holdable >> card) & 1:
                return False
            taken |= 1 << card
            hand |= 1 << card
        s.hand[other] = hand
    return True


@jit
def _deal_by_exchange(s: S, seat: int, known: int) -> None:
    """Fill hands card by card; where nothing fits, another seat gives up a card and takes a new one.

    The true deal fits, so by the marriage theorem such chains of exchanges always lead to one that fits.
    """
    free = ALL_CARDS & ~known
    for other in range(s.num_seats):
        if other != seat:
            s.hand[other] = 0
    for other in range(s.num_seats):
        if other == seat:
            continue
        while count(s.hand[other]) < hand_size(s, other):
            free = _give_one(s, seat, other, free)


@jit
def _give_one(s: S, seat: int, taker: int, free: int) -> int:
    """One more card for `taker`, along the shortest chain of exchanges; returns the cards still free."""
    # Breadth first from the taker: through[x] is who would hand a card on to whom.
    through = 0  # 4 bits per seat: the seat one step nearer to the taker
    reached = 1 << taker
    frontier = 1 << taker
    while frontier:
        onward = 0
        for giver in range(s.num_seats):
            if not (frontier >> giver) & 1:
                continue
            choice = free & _holdable(s, giver)
            if choice:
                card = _random_member(s, choice)
                free &= ~(1 << card)
                s.hand[giver] |= 1 << card
                while giver != taker:
                    nearer = (through >> (4 * giver)) & 15
                    card = _random_member(s, s.hand[giver] & _holdable(s, nearer) & ~(1 << card))
                    s.hand[giver] &= ~(1 << card)
                    s.hand[nearer] |= 1 << card
                    giver = nearer
                return free
            for other in range(s.num_seats):
                if other == seat or (reached >> other) & 1:
                    continue
                if s.hand[other] & _holdable(s, giver):
                    reached |= 1 << other
                    onward |= 1 << other
                    through |= giver << (4 * other)
        frontier = onward
    return free


@jit
def _random_member(s: S, cards: int) -> int:
    return nth(cards, below(s, count(cards)))


@jit
def observe(s: S, seat: int, out: Any) -> None:
    n = s.num_seats
    for card in range(NUM_CARDS):
        out.hand[card] = (s.hand[seat] >> card) & 1
        out.played[card] = (s.played >> card) & 1
    for step in range(n):
        other = (seat + step) % n
        card = trick_card(s, other)
        out.trick[step] = card + 1 if card != NO_CARD else 0
        out.bids[step] = s.bid[other] + 1
        out.tricks[step] = s.tricks[other]
        out.points[step] = s.points[other]
        for colour in range(4):
            out.void[step, colour] = (s.void[other] >> colour) & 1
    out.trump = s.trump + 1
    out.turned = s.turned + 1
    out.dealer = (s.dealer - seat) % n
    out.actor = (s.actor - seat) % n if not s.over else 0
    out.leader = (s.leader - seat) % n
    out.round = s.round_no
    out.cards = s.num_cards
