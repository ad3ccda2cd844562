"""How Loba is played: rules of thumb, a planning player for playouts, chances to win, and the levels.

The rules of thumb look at each card with its neighbours, as most people do; a good player knows besides which cards
bring the contract nearer. The planning player knows how many cards its hand is away from the contract and which ones
these are (planning.py), and discards by that too. Searches let it play all seats.
"""

from __future__ import annotations

import math
from typing import Any

from ludotheque.core.bits import count, lowest
from ludotheque.core.chooser import advance, choose
from ludotheque.core.jit import jit
from ludotheque.core.ladder import FLAT, Level
from ludotheque.core.record import Ids
from ludotheque.core.record import State as S
from ludotheque.games.loba.cards import (
    ADD,
    BRELAN,
    DROP,
    JOKER,
    NUM_SLOTS,
    STOCK,
    TAKE,
    held,
    laid_cards,
    penalty,
    slot_card,
)
from ludotheque.games.loba.imagining import mature, table_fits
from ludotheque.games.loba.melds import ranks_of
from ludotheque.games.loba.planning import (
    NOTHING,
    Survey,
    at_least,
    held_ranks,
    survey,
    whole,
    window_cards,
    windows_with,
)
from ludotheque.games.loba.rules import legal
from ludotheque.games.loba.state import CONTRACT, CONTRACT_RUNS, CONTRACT_SETS, DISCARD, DRAW, NUM_ROUNDS, PLAY

# What `style` tells `rate` about a player.
BLIND = 0  # 0: minds what the next player collects; 1: does not
CLINGING = 1  # 0: gets rid of high cards; 1: does not look at points
GREED = 2  # how much more a card of the discard pile is liked than it deserves
PLANNING = 3  # 1: rates as the planning player does, and nothing else counts
WANTING = 4  # 1: knows which cards bring the contract nearer, and takes these from the pile

# Ratings are in points of penalty. How much a card is liked for those it goes with: by the other cards of its rank,
# and by those in the best four in a row that it is part of.
MATES = (0.0, 14.0, 40.0)
NEIGHBOURS = (0.0, 7.0, 22.0, 40.0)
JOKER_LIKED = 80.0
TAKING = 16.0  # how much a card must be liked to be taken from the pile
GIFT = 6.5  # how bad it is to discard what the next player can use; no whole number, so that it decides ties
HURRY = 2.0  # how much more points count once somebody is down
LAYING = 1000.0  # whoever can lay cards does
HOLDING = 0.5  # the planner's second choice is to hold a whole contract for a turn, ahead of other ways to lay it


@jit
def points_of(card: int) -> int:
    """What a card counts (B19)."""
    return 25 if card == JOKER else (card >> 2) + 1


@jit
def gifts(s: S, seat: int, fits: int) -> int:
    """The cards that would help the next seat, as far as anybody can tell, the joker as bit 52."""
    other = seat + 1 if seat + 1 < s.num_seats else 0
    if s.is_down[other]:
        return fits
    known = s.known[other]
    ranks = ranks_of(known, s.known_twice[other])
    cards = 1 << JOKER
    if CONTRACT_SETS[s.round_no] > 0:
        cards |= whole(at_least(ranks, 1))
    if CONTRACT_RUNS[s.round_no] > 0:
        if s.runs:
            known = whole(at_least(ranks, 1))
        cards |= known << 4 | known >> 4 | known << 8 | known >> 8
    return cards


@jit
def fewest_cards(s: S, seat: int) -> int:
    """The fewest cards another seat that is down has left; 99 if none is down."""
    fewest = 99
    for other in range(s.num_seats):
        if other != seat and s.is_down[other]:
            fewest = min(fewest, s.size[other])
    return fewest


@jit
def can_lay_at_once(s: S, once: int, twice: int, jokers: int, card: int) -> bool:
    """Whether a seat that is down can lay a card as soon as it has it; a quarte it might complete is not looked at."""
    if table_fits(s) >> card & 1:
        return True
    if card == JOKER:
        return False
    return (ranks_of(once, twice) >> (card & ~3)) & 15 >= (1 if jokers > 0 else 2)


@jit
def neighbours(once: int, twice: int, card: int, any_suit: int) -> int:
    """How many other cards a hand has of the best four in a row around a card."""
    places = held_ranks(ranks_of(once, twice)) if any_suit else once
    place = card & ~3 if any_suit else card
    most = 0
    for step in range(4):
        for window in (place - 4 * step, place + JOKER - 4 * step):  # the ace is low or high (B8)
            if 0 <= window < 44 and window_cards(window) >> place & 1:
                most = max(most, count(window_cards(window) & places & ~(1 << place)))
    return most


@jit
def liking(s: S, once: int, twice: int, card: int) -> float:
    """How well a card of a hand goes with the others, by a look at its rank and at its suit."""
    if card == JOKER:
        return JOKER_LIKED
    like = 0.0
    if CONTRACT_SETS[s.round_no] > 0:
        mates = ((ranks_of(once, twice) >> (card & ~3)) & 15) - 1
        like = MATES[min(mates, 2)]
    if CONTRACT_RUNS[s.round_no] > 0 and not twice >> card & 1:
        like = max(like, NEIGHBOURS[neighbours(once, twice, card, s.runs)])
    return like


# The planning player weighs discards in quarters of points: what a card costs that ...
GIVEN = 20  # ... the next seat can use,
NEAR = 16  # ... has a neighbour, though no best plan has it,
PAIRED = 12  # ... is one of a pair,
PAIRED_DOWN = 8  # ... is one of a pair when the contract is laid,
FITTING = 12  # ... can be added to the table once the contract is laid,
PLANNED = 200  # ... some best plan for the contract has,
FIRM = 400  # ... the best of these plans has.
JOKER_KEPT = -1000
# Plans cost little if the contract is far while somebody is about to go out, and nothing to who leads in the last round
# and, with fewer points in hand, may stay in the lead.
FAR_OFF, ABOUT_OUT = 2, 2
PLANNED_LATE, FIRM_LATE = 20, 40
MARGIN = 60

Costs = tuple[int, int, int, int, int, int, int, int, int, int]
"""The cards given, near, paired, fitting, planned and firm, the costs of the paired, planned and firm, and the score of
a joker."""


@jit
def wants_top(s: S, seat: int, found: Survey) -> bool:
    """Whether the top of the discard pile helps a seat; `found` is only looked at while the contract is not laid."""
    top = s.pile[s.num_pile - 1] + 0
    if s.is_down[seat]:
        return can_lay_at_once(s, s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat], top)
    return found.joker_helps == 1 if top == JOKER else found.wants >> top & 1 == 1


@jit
def policy(s: S, seat: int, x: int, out: Ids) -> int:
    """Draw what brings the contract nearer, lay it when it is there, discard what costs the plans least."""
    once, twice, jokers = s.hand[seat] + 0, s.hand_twice[seat] + 0, s.hand_jokers[seat] + 0
    sets, runs = CONTRACT_SETS[s.round_no], CONTRACT_RUNS[s.round_no]
    if s.phase == DRAW:
        found = NOTHING if s.is_down[seat] else survey(once, twice, jokers, sets, runs, s.runs)
        return TAKE if wants_top(s, seat, found) else STOCK
    if s.phase == CONTRACT:
        return _best_laying(out, legal(s, seat, out))
    if s.phase == DISCARD or s.is_down[seat]:
        if s.phase == PLAY and _may_lay_more(once, twice, jokers, table_fits(s), s.runs):
            action = _best_laying(out, legal(s, seat, out))
            if action >= 0:
                return action
        return _best_discard(s, seat, NOTHING, x)
    found = survey(once, twice, jokers, sets, runs, s.runs)
    if found.lack == 0:
        action = _best_laying(out, legal(s, seat, out))
        if action >= 0:  # B17, B22 can stand against it
            return action
    return _best_discard(s, seat, found, x)


@jit
def _may_lay_more(once: int, twice: int, jokers: int, fits: int, any_suit: int) -> bool:
    """Whether a seat that is down perhaps has something to lay or to add; if not, there is nothing to list."""
    if once & fits or (jokers > 0 and fits >> JOKER & 1):
        return True
    ranks = ranks_of(once, twice)
    if at_least(ranks, 2 if jokers > 0 else 3):
        return True
    return windows_with(held_ranks(ranks) if any_suit else once, 3 if jokers > 0 else 4) != 0


@jit
def laying_score(action: int) -> int:
    """How good it is to lay or add: combinations first, then high cards, then jokers; -1 if it does neither."""
    if action >= ADD:
        card = slot_card((action - ADD) % NUM_SLOTS)
        return 0 if card == JOKER else points_of(card)
    if action >= BRELAN:
        gone, gone_twice, gone_jokers, _ = laid_cards(action)
        return 100 + penalty(gone, gone_twice, 0) + 12 * gone_jokers
    return -1


@jit
def _best_laying(out: Ids, n: int) -> int:
    """Of legal moves the best that lays or adds; -1 if there is none."""
    best, best_score = -1, -1
    for i in range(n):
        score = laying_score(int(out[i]))
        if score > best_score:
            best, best_score = int(out[i]), score
    return best


@jit
def discard_costs(s: S, seat: int, found: Survey) -> Costs:
    """What discards cost a seat. `found` is only looked at while the contract is not laid."""
    once, twice = s.hand[seat] + 0, s.hand_twice[seat] + 0
    fits = table_fits(s)
    given = gifts(s, seat, fits)
    pairs = whole(at_least(ranks_of(once, twice), 2))
    if s.is_down[seat]:
        return given, 0, pairs, fits, 0, 0, PAIRED_DOWN, 0, 0, JOKER_KEPT
    lack, keep, keep_twice, _, firm, firm_twice, _, _ = found
    planned = keep & ~(twice & ~keep_twice)
    firmly = firm & ~(twice & ~firm_twice)
    near = 0
    if CONTRACT_RUNS[s.round_no] > 0 and not s.runs:
        windows = windows_with(once, 2)
        near = windows | windows << 4 | windows << 8 | windows << 12
        near |= near >> JOKER
    if CONTRACT_SETS[s.round_no] == 0:
        pairs = 0
    if lack >= FAR_OFF and _lead_may_last(s, seat):
        return given, near, pairs, fits, 0, 0, PAIRED, 0, 0, 4 * points_of(JOKER)
    if lack >= FAR_OFF and fewest_cards(s, seat) <= ABOUT_OUT:
        return given, near, pairs, fits, planned, firmly, PAIRED, PLANNED_LATE, FIRM_LATE, JOKER_KEPT
    return given, near, pairs, fits, planned, firmly, PAIRED, PLANNED, FIRM, JOKER_KEPT


@jit
def discard_score(card: int, costs: Costs) -> int:
    """How good it is to discard a card."""
    given, near, pairs, fits, planned, firmly, pair_cost, planned_cost, firm_cost, joker_score = costs
    if card == JOKER:
        return joker_score
    score = 4 * points_of(card) - GIVEN * (given >> card & 1) - NEAR * (near >> card & 1)
    score -= pair_cost * (pairs >> card & 1) + FITTING * (fits >> card & 1)
    return score - planned_cost * (planned >> card & 1) - firm_cost * (firmly >> card & 1)


@jit
def _best_discard(s: S, seat: int, found: Survey, x: int) -> int:
    """The discard that costs least; chance decides between those about as good."""
    once, twice, jokers, taken = s.hand[seat] + 0, s.hand_twice[seat] + 0, s.hand_jokers[seat] + 0, s.taken + 0
    costs = discard_costs(s, seat, found)
    cards = once | (1 if jokers > 0 else 0) << JOKER
    if taken >= 0 and held(once, twice, jokers, taken) == 1:
        cards &= ~(1 << taken)  # B22
    best, best_score = JOKER, -10000
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        x = advance(x)
        score = discard_score(card, costs) + choose(x, 4)
        if score > best_score:
            best, best_score = card, score
    return DROP + best


@jit
def _lead_may_last(s: S, seat: int) -> bool:
    """Whether a seat leads in the last round, and by nearly as much as it has to count."""
    if s.round_no < NUM_ROUNDS:
        return False
    points = penalty(s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat])
    lead = 10000
    for other in range(s.num_seats):
        if other != seat:
            lead = min(lead, s.points[other] - s.points[seat])
    return lead > 0 and points < lead + MARGIN


@jit
def _rate_by_thumb(s: S, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    """As people play: keep what goes together, get rid of high cards, lay what can be laid."""
    once, twice, jokers = s.hand[seat] + 0, s.hand_twice[seat] + 0, s.hand_jokers[seat] + 0
    is_down = s.is_down[seat] == 1
    if s.phase == DRAW:
        top = s.pile[s.num_pile - 1] + 0
        scores[0] = 0.0
        if is_down:
            scores[1] = TAKING if can_lay_at_once(s, once, twice, jokers, top) else -TAKING
        elif style[WANTING] > 0:
            found = survey(once, twice, jokers, CONTRACT_SETS[s.round_no], CONTRACT_RUNS[s.round_no], s.runs)
            scores[1] = TAKING if wants_top(s, seat, found) else -TAKING
        else:
            scores[1] = liking(s, once | 1 << top, twice | (once & 1 << top), top) - TAKING
        scores[1] += style[GREED]
        return
    given = gifts(s, seat, table_fits(s))
    weight = (1.0 if is_down or fewest_cards(s, seat) == 99 else HURRY) * (1.0 - style[CLINGING])
    for i in range(n):
        action = int(ids[i])
        if action >= BRELAN:
            scores[i] = LAYING + laying_score(action)
        else:
            card = action - DROP
            scores[i] = weight * points_of(card)
            if given >> card & 1:
                scores[i] -= GIFT * (1.0 - style[BLIND])
            if not is_down:
                scores[i] -= liking(s, once, twice, card)


@jit
def _rate_by_plan(s: S, seat: int, ids: Ids, n: int, scores: Any) -> None:
    """As the planning player does."""
    once, twice, jokers = s.hand[seat] + 0, s.hand_twice[seat] + 0, s.hand_jokers[seat] + 0
    found = NOTHING
    if not s.is_down[seat]:
        found = survey(once, twice, jokers, CONTRACT_SETS[s.round_no], CONTRACT_RUNS[s.round_no], s.runs)
    if s.phase == DRAW:
        scores[0] = 0.0
        scores[1] = 1.0 if wants_top(s, seat, found) else -1.0
        return
    costs = discard_costs(s, seat, found)
    laying, keeping = -1, -1  # where the best of each stands
    for i in range(n):
        action = int(ids[i])
        if action >= BRELAN:
            scores[i] = LAYING + laying_score(action)
            if laying < 0 or scores[i] > scores[laying]:
                laying = i
        else:
            scores[i] = discard_score(action - DROP, costs) / 4
            if keeping < 0 or scores[i] > scores[keeping]:
                keeping = i
    if laying >= 0 and keeping >= 0 and not s.is_down[seat]:
        scores[keeping] = scores[laying] + HOLDING / 2
        scores[laying] += HOLDING


@jit
def rate(s: S, seat: int, ids: Ids, n: int, scores: Any, style: Any) -> None:
    """By the rules of thumb, or as one who plans."""
    if style[PLANNING] > 0:
        _rate_by_plan(s, seat, ids, n, scores)
    else:
        _rate_by_thumb(s, seat, ids, n, scores, style)


@jit
def plausible(s: S, seat: int) -> float:
    """Every world is, once the hands in it are as good as their turns make likely."""
    mature(s, seat)
    return 1.0


SPREAD = (0.0, 74.0, 70.0, 66.0, 61.0, 56.0, 43.0)
"""By the round that comes: how many points more make the chance to win e times less among three, as it was measured
between planning players; with more seats a little fewer."""


@jit
def worth(s: S, values: Any) -> None:
    """Chances to win: at the end who has the fewest points, equals sharing (B20); before, by how far apart they are."""
    n = s.num_seats
    best = s.points[0] + 0
    for seat in range(1, n):
        best = min(best, s.points[seat])
    spread = SPREAD[s.round_no] - 4.0 * (n - 3)
    total = 0.0
    for seat in range(n):
        behind = s.points[seat] - best
        if s.over:
            values[seat] = 1.0 if behind == 0 else 0.0
        else:
            values[seat] = math.exp(-behind / spread)
        total += values[seat]
    for seat in range(n):
        values[seat] /= total


PLANNER = (0.0, 0.0, 0.0, 1.0)
"""The style of one who plans."""

LADDER = {
    "beginner": Level(temperature=4.0, cap=16.0, style=(1.0, 0.4, 6.0)),
    "casual": Level(temperature=1.5, cap=8.0, style=(1.0, 0.3, 4.0)),
    "club": Level(style=(0.0, 0.0, 0.0, 0.0, 1.0)),
    "strong": Level(FLAT, playouts=150, width=6, style=PLANNER),
    "expert": Level(FLAT, seconds=0.2, width=6, style=PLANNER),
}
"""From one who clings to cards and takes what glitters to one who plans, and plays it out in thousands of worlds."""

EXTRAS = {
    "planner": Level(style=PLANNER),
    "expert-1": Level(FLAT, playouts=50_000, ties=0.0, width=6, style=PLANNER),
}
"""The expert without its search, and as it was."""
