"""Skip-Bo De Luxe: four piles in the middle are built from 1 to 12 by everybody. Players lay cards from their hand,
their four discard piles and their stock; a turn ends with a discard. Who first has no stock left wins.

Options: `stock` (S2), `match`, `target` (S13), `teams` (S14), `manners` (S15 to S17).

Bounds: a hand has at most 5 cards, since cards drawn past five go into the stock (S16). Piles are of any height, see
piles.py. Points: a round is worth at most 25 and 5 for each of 162 cards, the target at most 1000, so that 16 bits do.

With `manners`, three things become moves. The player at turn draws card by card until the hand has five, and may draw
more before the first card of the turn is played: those go unseen into the stock, below what has been seen of it (S16).
The five new cards of S9 come by themselves. The partner may speak, which costs cards once a turn (S15). And any other
seat may lay a card, onto a building pile or an own discard pile. Such a play is open to a call by anybody else until
the player at turn lays the next card or the turn ends. Then it stands, and only then it wins, puts a finished pile
aside or breaks a row of idle turns (S17). Until then nobody else lays a card out of turn: one that settled it would
let a culprit's friends take the call away from the table.

Actions. A move onto a building pile is four times its source plus the place.
    id         source    meaning
    0..51      0..12     hand card 1..12 or Skip-Bo onto place 1..4
    52..55     13        own stock
    56..71     14..17    own discard pile 1..4
    72..75     18        partner's stock
    76..91     19..22    partner's discard pile 1..4
    92..143    -         hand card 1..12 or Skip-Bo onto own discard pile 1..4
    144..147   -         end the turn without a discard; draw a card; speak; call a play out of turn
"""

from __future__ import annotations

from typing import Any

from ludotheque.core.bits import count, lowest, nth, spread
from ludotheque.core.chance import below
from ludotheque.core.chooser import choose
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.info import Info, Options
from ludotheque.core.jit import jit
from ludotheque.core.ranking import rank_highest_first
from ludotheque.core.record import NOBODY, Ids, emit
from ludotheque.core.record import State as S
from ludotheque.core.texts import worded
from ludotheque.games.skipbo import audit as checks
from ludotheque.games.skipbo import hidden
from ludotheque.games.skipbo.cards import (
    back_into_hand,
    can_draw,
    deal_cards,
    draw_into_hand,
    fill,
    into_stock,
    put_aside,
    show_from_hand,
    turn_up,
)
from ludotheque.games.skipbo.options import OPTIONS
from ludotheque.games.skipbo.piles import pop, push, top
from ludotheque.games.skipbo.state import (
    CALL,
    CALLED,
    DEAL,
    DISCARD,
    DISCARDED,
    DISCARDED_EARLY,
    DRAW,
    DRAW_PILE,
    DRAWING,
    END,
    ENDED,
    FILL,
    FROM_PILES,
    HAND,
    MATCH_END,
    MAX_SEATS,
    NO_ACTION,
    NO_FILL,
    NUM_ACTIONS,
    NUM_CARDS,
    NUM_PLACES,
    OVER,
    OWN_STOCK,
    PARTNERS_STOCK,
    PLAY,
    PLAY_EARLY,
    PLAYING,
    POINTS,
    ROUND_END,
    SAY,
    SEAT_PILES,
    SPOKE,
    STANDS,
    TOO_MANY,
    TOP_NUMBER,
    WILD,
    State,
)

EACH_TYPE = 0x11111111111110  # the lowest bit of each card's four
HAND_BITS = 4  # bits below those of card 1: a play from the hand is action (bit - HAND_BITS)

OBSERVATION = hidden.OBSERVATION


def _check(players: int, options: Options) -> None:
    if options["teams"] and players != 4:
        raise worded(InvalidOptions, "teams", players=players)


INFO = Info(
    id="skipbo",
    name="Skip-Bo De Luxe",
    min_seats=2,
    max_seats=MAX_SEATS,
    usual_seats=3,
    num_actions=NUM_ACTIONS,
    rules_version=2,
    state=State,
    options=OPTIONS,
    observation=OBSERVATION,
    check=_check,
)


@jit
def new_match(s: S, opts: Any) -> None:
    s.stock_size = opts[0]
    s.match = opts[1]
    s.target = opts[2]
    s.teams = opts[3]
    s.manners = opts[4]
    s.dealer = below(s, s.num_seats)  # S3
    _deal(s)


@jit
def _deal(s: S) -> None:
    s.round_no += 1
    deal_cards(s)
    for seat in range(MAX_SEATS):
        s.no_fill[seat] = 0
    s.open_seat = NOBODY
    s.open_action = NO_ACTION
    s.idle_turns = 0
    emit(s, DEAL, s.dealer, s.round_no, s.stock_size, 0)
    s.actor = s.dealer + 1 if s.dealer + 1 < s.num_seats else 0  # S3
    _begin_turn(s)


@jit
def partner(seat: int) -> int:
    """S14: partners sit opposite."""
    return seat ^ 2


@jit
def _begin_turn(s: S) -> None:
    seat = s.actor
    s.played = 0
    s.barred = 0
    s.spoken = 0
    s.phase = PLAYING
    if s.no_fill[seat]:  # S17
        s.no_fill[seat] = 0
        s.barred = 1
        emit(s, NO_FILL, seat, 0, 0, 0)
    elif s.manners:
        _set_phase(s)
    else:
        fill(s, seat)


@jit
def _set_phase(s: S) -> None:
    """S16: with manners the player draws, until the hand is full or there is nothing left."""
    must_draw = s.hand_size[s.actor] < HAND and not s.played and not s.barred and can_draw(s)
    s.phase = DRAWING if must_draw else PLAYING


@jit
def _pass_turn(s: S) -> None:
    s.actor = s.actor + 1 if s.actor + 1 < s.num_seats else 0
    _begin_turn(s)
    if s.hand_size[s.actor] == 0 and _is_blocked(s):
        _close_round(s, True)


@jit
def _go_on(s: S) -> None:
    """The turn goes on: who has no hand left draws five (S9), as soon as there are cards again (S11)."""
    if s.manners:
        _set_phase(s)
    if s.phase == PLAYING and s.hand_size[s.actor] == 0:
        if not s.barred:
            fill(s, s.actor)
        if s.hand_size[s.actor] == 0 and _is_blocked(s):
            _close_round(s, True)


@jit
def _is_blocked(s: S) -> bool:
    """S11: nobody can play or discard, nor ever will."""
    if can_draw(s) or s.open_seat != NOBODY:
        return False
    fits = fitting(s)
    left = 0
    for seat in range(s.num_seats):
        left += s.hand_size[seat] + _from_own_piles(s, seat, fits)
    return left == 0


@jit
def fitting(s: S) -> int:
    """What the building piles take: bit 4 * card + place. A Skip-Bo fits everywhere (S7)."""
    fits = 15 << (4 * WILD)
    for place in range(NUM_PLACES):
        height = s.built[place]
        # A finished pile still lies there while it can be called back; laying the next card clears its place.
        number = height + 1 if height < TOP_NUMBER else 1
        fits |= 1 << (4 * number + place)
    return fits


@jit
def _from_own_piles(s: S, seat: int, fits: int) -> int:
    """S6: which tops of the seat's stock and discard piles fit where: bit 4 * pile + place."""
    first = SEAT_PILES * seat
    plays = (fits >> (4 * top(s, first))) & 15
    for k in range(1, SEAT_PILES):
        plays |= ((fits >> (4 * top(s, first + k))) & 15) << (4 * k)
    return plays


@jit
def _from_piles(s: S, seat: int, fits: int) -> int:
    """Those, and with a partner theirs too (S14)."""
    plays = _from_own_piles(s, seat, fits)
    if s.teams:
        plays |= _from_own_piles(s, partner(seat), fits) << (4 * SEAT_PILES)
    return plays


@jit
def _held(s: S, seat: int) -> int:
    """All four bits of each card that is in the hand."""
    hand = s.hand[seat]  # at most five of a card: three bits
    return ((hand | (hand >> 1) | (hand >> 2)) & EACH_TYPE) * 15


@jit
def _may_lay(s: S, seat: int) -> bool:
    """The player at turn may lay cards, after drawing (S16); others lay out of turn, one card at a time (S17)."""
    if seat == s.actor:
        return s.phase == PLAYING
    return s.manners != 0 and s.open_seat == NOBODY


@jit
def _words(s: S, seat: int) -> int:
    """The legal actions that lay no card, as bits: 0 is END, and so on."""
    words = 0
    if seat == s.actor:
        if s.phase == DRAWING or (s.manners and not s.played and not s.barred and can_draw(s)):  # S16
            words = 1 << (DRAW - END)
        if s.phase == PLAYING and s.hand_size[seat] == 0:  # S11
            words |= 1
    elif may_speak(s, seat):
        words = 1 << (SAY - END)
    if may_call(s, seat):
        words |= 1 << (CALL - END)
    return words


@jit
def _choices(s: S, seat: int) -> tuple[int, int, int, int]:
    """All legal actions as sets, in the order of their ids.

    S5 to S7: cards of the hand onto building piles, bit 4 * card + place, and tops of piles, as `_from_piles`; S10:
    discards, bit 4 * card + pile; and the words.
    """
    plays = from_piles = held = 0
    if _may_lay(s, seat):
        fits = fitting(s)
        held = _held(s, seat)
        plays = held & fits
        from_piles = _from_piles(s, seat, fits)
    return plays, from_piles, held, _words(s, seat)


@jit
def _apply_play(s: S, seat: int, action: int) -> None:
    if s.open_seat != NOBODY and _let_stand(s):
        return
    early = seat != s.actor
    place = action % NUM_PLACES
    source = action // NUM_PLACES
    height = s.built[place] + 1
    s.built[place] = height
    stock = NOBODY  # the seat whose stock it comes from
    if source < OWN_STOCK:
        card = source + 1
        show_from_hand(s, seat, card)
    else:
        owner = seat if source < PARTNERS_STOCK else partner(seat)
        pile = source - OWN_STOCK if source < PARTNERS_STOCK else source - PARTNERS_STOCK
        if pile == 0:
            stock = owner
        card = pop(s, SEAT_PILES * owner + pile)
    if card == WILD:
        s.wild[place] |= 1 << height
    emit(s, PLAY_EARLY if early else PLAY, seat, source, card, 16 * place + height)
    if stock != NOBODY:
        turn_up(s, stock)
    if early:
        _open_to_call(s, seat, action)
        return
    s.played = 1
    if height == TOP_NUMBER:
        put_aside(s, place)
    if stock != NOBODY and _has_won(s, stock):
        _close_round(s, False)
        return
    if s.hand_size[seat] == 0:
        if source < OWN_STOCK:
            s.barred = 0  # S9 has its way again
        _go_on(s)


@jit
def _has_won(s: S, seat: int) -> bool:
    """S12: no stock left; a team needs both gone (S14)."""
    if s.height[SEAT_PILES * seat] > 0:
        return False
    return not s.teams or s.height[SEAT_PILES * partner(seat)] == 0


@jit
def _apply_discard(s: S, seat: int, action: int) -> None:
    """S10: the discard ends the turn."""
    if s.open_seat != NOBODY and _let_stand(s):
        return
    pile = action % NUM_PLACES
    card = (action - DISCARD) // NUM_PLACES + 1
    show_from_hand(s, seat, card)
    push(s, SEAT_PILES * seat + 1 + pile, card)
    if seat != s.actor:
        emit(s, DISCARDED_EARLY, seat, card, pile, 0)
        _open_to_call(s, seat, action)
        return
    emit(s, DISCARDED, seat, card, pile, 0)
    s.idle_turns = 0
    _pass_turn(s)


@jit
def _apply_end(s: S) -> None:
    """S11: without a hand the turn ends without a discard; when all in turn do no more than that, nobody will."""
    if s.open_seat != NOBODY and _let_stand(s):
        return
    emit(s, ENDED, s.actor, 0, 0, 0)
    s.idle_turns = s.idle_turns + 1 if not s.played and not can_draw(s) else 0
    if s.idle_turns == s.num_seats:
        _close_round(s, True)
    else:
        _pass_turn(s)


@jit
def _apply_draw(s: S) -> None:
    """S16: one card into the hand, or past five one that is shuffled into the stock."""
    seat = s.actor
    if s.hand_size[seat] < HAND:
        emit(s, FILL, seat, 1, draw_into_hand(s, seat), 0)
    else:
        stock = SEAT_PILES * seat
        unseen = max(s.height[stock] - 1 - s.next_seen[seat], 0)
        emit(s, TOO_MANY, seat, s.height[stock] + 1, 0, 0)
        into_stock(s, seat, below(s, unseen + 1))
    _go_on(s)


@jit
def may_speak(s: S, seat: int) -> bool:
    """S15: whether it would cost this seat cards to speak now."""
    if not s.manners or not s.teams or s.spoken:
        return False
    return seat == partner(s.actor) and can_draw(s)


@jit
def _apply_say(s: S, seat: int) -> None:
    """S15: two cards go unseen under the partner's stock, or as many as there are."""
    s.spoken = 1
    taken = min(2, s.height[DRAW_PILE] + s.num_aside)
    emit(s, SPOKE, seat, taken, 0, 0)
    for _ in range(taken):
        into_stock(s, seat, 0)
    _go_on(s)


@jit
def may_call(s: S, seat: int) -> bool:
    """S17: anybody but the culprit."""
    return s.open_seat != NOBODY and s.open_seat != seat


@jit
def _open_to_call(s: S, seat: int, action: int) -> None:
    s.open_seat = seat
    s.open_action = action


@jit
def _let_stand(s: S) -> bool:
    """S17: nobody has called the play out of turn, so it counts. Whether that ends the round."""
    seat = s.open_seat
    action = s.open_action
    s.open_seat = NOBODY
    s.open_action = NO_ACTION
    s.idle_turns = 0
    emit(s, STANDS, seat, 0, 0, 0)
    if action >= DISCARD:
        return False
    place = action % NUM_PLACES
    if s.built[place] == TOP_NUMBER:
        put_aside(s, place)
    source = action // NUM_PLACES
    owner = seat if source < PARTNERS_STOCK else partner(seat)
    from_stock = source in (OWN_STOCK, PARTNERS_STOCK)
    if from_stock and _has_won(s, owner):
        _close_round(s, False)
        return True
    return False


@jit
def _apply_call(s: S, caller: int) -> None:
    """S17: the play out of turn is taken back as if it had never been made, but all have seen the card."""
    seat = s.open_seat
    action = s.open_action
    s.open_seat = NOBODY
    s.open_action = NO_ACTION
    s.no_fill[seat] = 1
    if action >= DISCARD:
        card = pop(s, SEAT_PILES * seat + 1 + action % NUM_PLACES)
        back_into_hand(s, seat, card)
    else:
        place = action % NUM_PLACES
        height = s.built[place]
        card = WILD if (s.wild[place] >> height) & 1 else height
        s.wild[place] &= ~(1 << height)
        s.built[place] = height - 1
        source = action // NUM_PLACES
        if source < OWN_STOCK:
            back_into_hand(s, seat, card)
        else:
            owner = seat if source < PARTNERS_STOCK else partner(seat)
            pile = source - OWN_STOCK if source < PARTNERS_STOCK else source - PARTNERS_STOCK
            if pile == 0 and s.height[SEAT_PILES * owner] > 0:
                s.next_seen[owner] = 1
            push(s, SEAT_PILES * owner + pile, card)
    emit(s, CALLED, caller, seat, card, 0)


@jit
def stock_left(s: S, seat: int) -> int:
    """Cards in the stock; a team's count together (S11, S14)."""
    left = s.height[SEAT_PILES * seat]
    if s.teams:
        left += s.height[SEAT_PILES * partner(seat)]
    return left


@jit
def shrunk(s: S, seat: int) -> int:
    """By how many cards the stock has shrunk since the deal: the score of a single match."""
    return (2 if s.teams else 1) * s.stock_size - stock_left(s, seat)


@jit
def _close_round(s: S, blocked: bool) -> None:
    """S12: no stock is left, or the smallest wins a blocked round (S11). S13: points, and the end of the match."""
    smallest = NUM_CARDS
    for seat in range(s.num_seats):
        smallest = min(smallest, stock_left(s, seat))
    winners = 0
    lost_cards = 0
    for seat in range(s.num_seats):
        s.last_stock[seat] = s.height[SEAT_PILES * seat]
        if stock_left(s, seat) == smallest:
            winners |= 1 << seat
        else:
            lost_cards += s.height[SEAT_PILES * seat]
    ends = s.match != POINTS
    for seat in range(s.num_seats):
        if s.match == POINTS:
            points = 25 + 5 * lost_cards if (winners >> seat) & 1 else 0
            s.points[seat] += points
            ends = ends or s.points[seat] >= s.target
        else:
            points = shrunk(s, seat)
        s.last_points[seat] = points
    emit(s, ROUND_END, NOBODY, s.round_no, 1 if blocked else 0, winners)
    if ends:
        s.over = 1
        s.phase = OVER
        s.actor = NOBODY
        emit(s, MATCH_END, NOBODY, 0, 0, 0)
        return
    s.dealer = s.dealer + 1 if s.dealer + 1 < s.num_seats else 0  # S3
    _deal(s)


@jit
def legal(s: S, seat: int, out: Ids) -> int:
    plays, from_piles, held, words = _choices(s, seat)
    n = 0
    while plays:
        out[n] = lowest(plays) - HAND_BITS
        n += 1
        plays &= plays - 1
    while from_piles:
        out[n] = FROM_PILES + lowest(from_piles)
        n += 1
        from_piles &= from_piles - 1
    while held:
        first = lowest(held)
        for pile in range(NUM_PLACES):
            out[n + pile] = DISCARD - HAND_BITS + first + pile
        n += NUM_PLACES
        held ^= 15 << first
    while words:
        out[n] = END + lowest(words)
        n += 1
        words &= words - 1
    return n


@jit
def _pick(plays: int, from_piles: int, held: int, words: int, x: int) -> tuple[int, int]:
    """How many choices there are, and the action that x chooses among them. What cannot be foreseen is no branch."""
    num_plays = count(plays)
    num_cards = num_plays + count(from_piles)
    num_laid = num_cards + count(held)
    n = num_laid + count(words)
    k = choose(x, n)
    found = plays if k < num_plays else from_piles
    base = -HAND_BITS if k < num_plays else FROM_PILES
    before = 0 if k < num_plays else num_cards - count(from_piles)
    if k >= num_cards:
        found = held if k < num_laid else words
        base = DISCARD - HAND_BITS if k < num_laid else END
        before = num_cards if k < num_laid else num_laid
    return n, base + nth(found, k - before)


@jit
def sample(s: S, seat: int, x: int, out: Ids) -> int:
    """A uniformly random legal action, found without listing them all."""
    plays, from_piles, held, words = _choices(s, seat)
    return _pick(plays, from_piles, held, words, x)[1]


@jit
def offer(s: S, seat: int, x: int, masks: Any, row: int) -> tuple[int, int]:
    """The legal actions as a row of masks, how many there are, and the one that `sample` gives."""
    plays, from_piles, held, words = _choices(s, seat)
    onto_places, onto_discards = plays >> HAND_BITS, held >> HAND_BITS
    last = NUM_ACTIONS - 64  # the last 64 cells overlap those before
    spread(onto_places | (from_piles << FROM_PILES), masks, row, 0)
    spread((from_piles >> (64 - FROM_PILES)) | (onto_discards << (DISCARD - 64)), masks, row, 64)
    rest = (from_piles >> (last - FROM_PILES)) | (onto_discards << (DISCARD - last))
    spread(rest | (words << (END - last)), masks, row, last)
    return _pick(plays, from_piles, held, words, x)


@jit
def others(s: S) -> int:
    """S15, S17: with manners, whoever has cards to lay, may call or may speak. All of this is open knowledge."""
    if not s.manners:
        return 0
    movers = 0
    fits = fitting(s)
    for seat in range(s.num_seats):
        if seat == s.actor:
            continue
        can_lay = s.hand_size[seat] > 0 or _from_piles(s, seat, fits) != 0
        if (can_lay and s.open_seat == NOBODY) or may_call(s, seat) or may_speak(s, seat):
            movers |= 1 << seat
    return movers


@jit
def apply(s: S, seat: int, action: int) -> None:
    if action < DISCARD:
        _apply_play(s, seat, action)
    elif action < END:
        _apply_discard(s, seat, action)
    elif action == END:
        _apply_end(s)
    elif action == DRAW:
        _apply_draw(s)
    elif action == SAY:
        _apply_say(s, seat)
    else:
        _apply_call(s, seat)


@jit
def outcome(s: S, scores: Any, places: Any) -> None:
    """S13: points; in a single match how far the stock has shrunk, so that the fewest stock cards come first."""
    for seat in range(s.num_seats):
        scores[seat] = s.points[seat] if s.match == POINTS else shrunk(s, seat)
    rank_highest_first(scores, s.num_seats, places)


FAULTS = checks.FAULTS
audit = checks.audit
conceal = hidden.conceal
resample = hidden.resample
observe = hidden.observe
