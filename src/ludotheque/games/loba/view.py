"""What one seat, or a spectator, is shown of Loba, and how it is said."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludotheque.core.bits import lowest
from ludotheque.core.info import Options
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.shape import NOTHING, Numbers, constant, each, fields, flag, number, put, put_first, word
from ludotheque.core.texts import Catalogue
from ludotheque.games.loba import cards as compiled
from ludotheque.games.loba import melds, state
from ludotheque.games.loba.cards import (
    ACE_SLOT,
    ADD,
    BRELAN,
    DROP,
    JOKER,
    LAST_PLACE,
    NO_CARD,
    NO_PLACE,
    NUM_SLOTS,
    NUM_TYPES,
    QUARTE,
    RANKS,
    RUN,
    SEXTUPLE,
    STOCK,
    TAKE,
    num_cards,
    rank_at,
    take_out,
)
from ludotheque.games.loba.melds import Meld, list_runs, list_sets, meld_at
from ludotheque.games.loba.notation import (
    CARDS,
    MOVES,
    PHASES,
    format_heap,
    format_meld,
    hand_of,
    laid_meld,
    last_hand_of,
    slot_card,
    slot_text,
)
from ludotheque.games.loba.state import (
    CONTRACT,
    CONTRACT_RUNS,
    CONTRACT_SETS,
    DISCARD,
    DRAW,
    MAX_TURNS,
    NUM_ROUNDS,
    SUITED,
)

can_complete = plain(melds.can_complete)
fits = plain(melds.fits)
held = plain(compiled.held)
laid_cards = plain(compiled.laid_cards)
takes_ace_twice = plain(melds.takes_ace_twice)
takes_joker_twice = plain(melds.takes_joker_twice)

Reason = tuple[str, str, dict[str, Any]]
"""A rule's number, a key under `why`, and what fills it."""

_COMBINATIONS = [
    {
        "kind": "set" if action < QUARTE else "run",
        "worth": 2 if SEXTUPLE <= action < QUARTE else 1,
        "cards": MOVES.texts[action].split()[1:],  # what is laid, as written in the move
    }
    for action in range(BRELAN, ADD)
]
"""What can be laid, by the action that lays it: of what kind, for how many of it, in what order."""

_CARDS = each(word(CARDS))

COMMON = fields(
    phase=word(PHASES),
    round=number,
    rounds=constant(NUM_ROUNDS),
    contract=fields(brelans=number, quartes=number),
    needed=fields(brelans=number, quartes=number),
    turn=number,
    turns=number,
    dealer=number,
    stock=number,
    pile=_CARDS,  # its top first
    melds=each(
        fields(
            kind=word(("set", "run")),
            cards=_CARDS,
            joker=word((*CARDS, *RANKS)),  # what it stands for: a card, or in mixed suits and in sets a rank
            low=_CARDS,  # what is added at its low end
        )
    ),
    taken=word(CARDS),
    hand_sizes=each(number),
    down=each(flag),
    known=each(_CARDS),
    points=each(number),
    last_points=each(number),
    last_hands=each(_CARDS),
)
"""The table as everybody sees it."""


@jit
def common(s: State, out: Numbers) -> None:
    """Put down what `COMMON` shows, from a concealed record."""
    n = s.num_seats
    put(out, s.phase)
    put(out, s.round_no)
    put(out, CONTRACT_SETS[s.round_no])
    put(out, CONTRACT_RUNS[s.round_no])
    put(out, s.sets_left)
    put(out, s.runs_left)
    put(out, s.turn_no)
    put(out, MAX_TURNS * n)
    put(out, s.dealer)
    put(out, s.num_stock)
    put(out, s.num_pile)
    for i in range(s.num_pile):
        put(out, s.pile[s.num_pile - 1 - i])
    put(out, s.num_melds)
    for place in range(s.num_melds):
        _put_meld(out, meld_at(s, place), s.runs)
    put(out, NOTHING if s.taken == NO_CARD else s.taken)
    put_first(out, n, s.size)
    put_first(out, n, s.is_down)
    put(out, n)
    for other in range(n):
        _put_heap(out, s.known[other], s.known_twice[other], s.known_jokers[other])
    put_first(out, n, s.points)
    put_first(out, n, s.last_points)
    put(out, n)
    for other in range(n):
        _put_heap(out, s.last_hand[other], s.last_twice[other], s.last_jokers[other])


@jit
def _put_heap(out: Numbers, once: int, twice: int, jokers: int) -> None:
    """Cards in no order: ace to king, then jokers."""
    put(out, num_cards(once, twice, jokers))
    while once:
        card = lowest(once)
        once &= once - 1
        put(out, card)
        if twice >> card & 1:
            put(out, card)
    for _ in range(jokers):
        put(out, JOKER)


@jit
def _put_meld(out: Numbers, meld: Meld, any_suit: int) -> None:
    """A combination on the table."""
    kind, low, length, joker, suits = meld
    put(out, kind)
    if kind == RUN:
        _put_run(out, low, length, joker, suits, any_suit)
        return
    put(out, length)
    for suit in range(4):
        for _ in range((suits >> suit & 1) + (suits >> (suit + 4) & 1)):
            put(out, 4 * low + suit)
    if joker == NO_PLACE:
        put(out, NOTHING)
    else:
        put(out, JOKER)
        put(out, NUM_TYPES + low)
    put(out, 0)


@jit
def _put_run(out: Numbers, low: int, length: int, joker: int, suits: int, any_suit: int) -> None:
    """A run from low to high, what its joker stands for, and what is added at its low end."""
    put(out, length)
    for place in range(low, low + length):
        put(out, JOKER if place == joker else 4 * rank_at(place) + (suits >> (2 * place) & 3))
    shown = low + 1 if joker == low else low
    suit = suits >> (2 * shown) & 3
    if joker == NO_PLACE:
        put(out, NOTHING)
    else:
        put(out, NUM_TYPES + rank_at(joker) if any_suit else 4 * rank_at(joker) + suit)
    if low == 0:
        put(out, 0)
        return
    takes_joker = low + length > LAST_PLACE  # there is no place left at the high end
    put(out, (4 if any_suit else 1) + (1 if takes_joker else 0))
    for other in range(4):
        if any_suit or other == suit:
            put(out, 4 * (low - 1) + other)
    if takes_joker:
        put(out, JOKER)


OWN = fields(
    recycled=_CARDS,  # what the stock was made of when it was last made of discards, less what the seat has drawn of it
    hand=_CARDS,
    combinations=each(word(_COMBINATIONS)),  # all that could be laid of the hand if a contract asked for it
    can_add=flag,
)
"""What else the table shows a seat."""


@jit
def own(s: State, seat: int, out: Numbers) -> None:
    """Put down what `OWN` shows, from the seat's own concealed record."""
    once, twice, jokers = s.recycled, s.recycled_twice, s.recycled_jokers
    if seat != NOBODY:
        once, twice = take_out(once, twice, s.drawn[seat], s.drawn_twice[seat])
        jokers -= s.drawn_jokers[seat]
    if s.is_recycled:
        _put_heap(out, once, twice, jokers)
    else:
        put(out, NOTHING)
    if seat == NOBODY:
        put(out, NOTHING)
        put(out, 0)
        put(out, 0)
        return
    _put_heap(out, s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat])
    _put_combinations(out, s.hand[seat], s.hand_twice[seat], s.hand_jokers[seat], s.runs)
    put(out, s.is_down[seat])


@jit
def _put_combinations(out: Numbers, once: int, twice: int, jokers: int, any_suit: int) -> None:
    found = np.empty(ADD, np.int16)
    count = list_sets(found, 0, 1, once, twice, jokers, 0, 0, NO_CARD, any_suit)
    count = list_sets(found, count, 2, once, twice, jokers, 0, 0, NO_CARD, any_suit)
    count = list_runs(found, count, once, twice, jokers, 0, 0, NO_CARD, any_suit)
    put(out, count)
    for i in range(count):
        put(out, found[i] - BRELAN)


NOT_BY_NUMBERS = frozenset({state.DEAL, state.ROUND_END, state.MATCH_END})
"""Kinds of events that take more to tell than their own numbers."""
TOLD_APART = frozenset({state.DEAL})
"""Those of them that are not told everybody alike."""


def event(s: Record, viewer: int, kind: int, seat: int, a: int, b: int, c: int) -> dict[str, Any]:
    """A journal entry as the viewer may know it."""
    if kind == state.FIRST_DEALER:
        return {"type": "first_dealer", "seat": seat}
    if kind == state.DEAL:
        hand = None if viewer == NOBODY else format_heap(hand_of(s, viewer))
        return {"type": "deal", "seat": seat, "round": a, "card": CARDS[b], "dealt": hand}
    if kind == state.DRAWN:
        return {"type": "draw", "seat": seat, "card": None if a == NO_CARD else CARDS[a]}
    if kind == state.TAKEN:
        return {"type": "take", "seat": seat, "card": CARDS[a]}
    if kind == state.LAID:
        return {"type": "lay", "seat": seat, "cards": format_meld(laid_meld(a)), "meld": b + 1, "n": c}
    if kind == state.ADDED:
        card, end = slot_text((a - ADD) % NUM_SLOTS)
        number = (a - ADD) // NUM_SLOTS + 1
        return {"type": "shift" if b else "add", "seat": seat, "card": card, "meld": number, "end": end, "n": c}
    if kind == state.DROPPED:
        return {"type": "drop" if b else "last_drop", "seat": seat, "card": CARDS[a], "n": b}
    if kind == state.IS_DOWN:
        return {"type": "down", "seat": seat}
    if kind == state.RESHUFFLED:
        return {"type": "reshuffle", "n": a}
    if kind == state.WENT_OUT:
        return {"type": "out", "seat": seat}
    if kind == state.TURNS_OVER:
        return {"type": "turns_over", "n": MAX_TURNS}
    n = s.num_seats
    if kind == state.ROUND_END:
        return {
            "type": "round_end",
            "round": a,
            "seat": None if seat == NOBODY else seat,
            "points": [s.last_points[i] for i in range(n)],
            "scores": [s.points[i] for i in range(n)],
            "hands": [format_heap(last_hand_of(s, i)) for i in range(n)],
        }
    best = min(s.points[i] for i in range(n))
    return {"type": "match_end", "seats": [i for i in range(n) if s.points[i] == best], "n": best}


def localise(event: Mapping[str, Any], words: Catalogue, options: Options) -> Mapping[str, Any]:
    """The event as it is: nothing in it depends on the language or on the table's own texts."""
    return event


def label(action: int) -> tuple[str, dict[str, Any]]:
    """What a button for the action says: a key under `moves` and what fills it."""
    if action < DROP:
        return "stock" if action == STOCK else "take", {}
    if action < BRELAN:
        return "drop", {"card": CARDS[action - DROP]}
    if action < ADD:
        return "lay", {"cards": format_meld(laid_meld(action))}
    card, end = slot_text((action - ADD) % NUM_SLOTS)
    return f"add_{end}" if end else "add", {"card": card, "meld": (action - ADD) // NUM_SLOTS + 1}


def explain(s: Record, seat: int, action: int) -> Reason:
    """Why an action is not legal: the rule, a key under `why`, and what fills it."""
    if seat != s.actor:
        return "", "not_your_turn", {}
    if action in (STOCK, TAKE):
        return "B4", "drawn_already", {}
    if s.phase == DRAW:
        return "B4", "draw_first", {}
    missing = _not_held(s, seat, action)
    if missing is not None:
        return "", "not_in_hand", {"card": missing}
    if action < BRELAN:
        if s.phase == CONTRACT:
            return "B23", "contract_first", _needed(s)
        return "B22", "just_taken", {"card": CARDS[action - DROP]}
    if s.phase == DISCARD:
        return "B12", "only_discard", {}
    if action < ADD:
        return _explain_lay(s, seat, action)
    return _explain_add(s, seat, action)


def _not_held(s: Record, seat: int, action: int) -> str | None:
    """The first card of a move that is not in the hand, or not often enough."""
    if action < BRELAN:
        wanted = [CARDS[action - DROP]]
    elif action < ADD:
        wanted = format_meld(laid_meld(action))
    else:
        wanted = [CARDS[slot_card((action - ADD) % NUM_SLOTS)]]
    for card in wanted:
        if wanted.count(card) > held(*hand_of(s, seat), CARDS.index(card)):
            return card
    return None


def _needed(s: Record) -> dict[str, Any]:
    """What is still to be laid of the contract."""
    if s.phase == CONTRACT:
        return {"brelans": s.sets_left, "quartes": s.runs_left}
    return {"brelans": CONTRACT_SETS[s.round_no], "quartes": CONTRACT_RUNS[s.round_no]}


def _no_end(s: Record, left: int) -> Reason:
    """Why a turn could not be finished with so many cards left."""
    return ("B17", "last_by_discard", {}) if left == 0 else ("B22", "no_end", {})


def _explain_lay(s: Record, seat: int, action: int) -> Reason:
    gone, gone_twice, jokers, number = laid_cards(action)
    cards = format_meld(laid_meld(action))
    if action >= QUARTE and s.runs == SUITED and len({card[-1] for card in cards if card != "*"}) > 1:
        return "B7", "not_suited", {}
    is_sextuple = SEXTUPLE <= action < QUARTE
    left = s.size[seat] - number
    if s.is_down[seat]:
        return ("B11", "no_sextuple", {}) if is_sextuple else _no_end(s, left)
    needed = _needed(s)
    sets, runs = needed["brelans"], needed["quartes"]
    sets, runs = (sets, runs - 1) if action >= QUARTE else (sets - (2 if is_sextuple else 1), runs)
    if sets < 0 or runs < 0:
        return ("B23" if s.phase == CONTRACT else "B10"), "not_in_contract", needed
    once, twice = plain(take_out)(s.hand[seat], s.hand_twice[seat], gone, gone_twice)
    if can_complete(once, twice, s.hand_jokers[seat] - jokers, sets, runs, NO_CARD, s.runs):
        return _no_end(s, left - 3 * sets - 4 * runs)
    return "B10", "rest_missing", needed


def _explain_add(s: Record, seat: int, action: int) -> Reason:
    number, slot = divmod(action - ADD, NUM_SLOTS)
    card = slot_card(slot)
    if s.phase == CONTRACT:
        return "B23", "contract_first", _needed(s)
    if not s.is_down[seat]:
        return "B14", "not_down", {}
    if number >= s.num_melds:
        return "", "no_such_meld", {"meld": number + 1}
    meld = plain(meld_at)(s, number)
    kind, low, length, joker, _ = meld
    facts = {"card": CARDS[card], "meld": number + 1, "cards": format_meld(meld)}
    if not fits(card, meld, s.runs):
        if card == JOKER:
            return ("B9", "joker_there", facts) if joker != NO_PLACE else ("B23", "run_full", facts)
        if kind == RUN and joker in (low, low + length - 1) and card >> 2 == plain(rank_at)(joker):
            return "B16", "joker_stuck", facts
        return "B14", "does_not_fit", facts
    has_two_ends = takes_joker_twice(meld) if card == JOKER else card < 4 and takes_ace_twice(meld)
    if has_two_ends and slot < ACE_SLOT:
        return "B23", "which_end", facts
    if not has_two_ends and slot >= ACE_SLOT:
        return "B23", "one_end", facts
    return _no_end(s, s.size[seat] - 1)


def _row(words: Catalogue, cards: Sequence[str]) -> str:
    """Cards in short, with spaces between."""
    return " ".join(words.word("card", card) for card in cards) or "–"


def lines(view: dict[str, Any], words: Catalogue) -> list[str]:
    """The view as plain text for the prompt."""
    t = view["table"]
    say = words.say
    result = [say("screen.head", t)]
    top = words.word("card", t["pile"][0]) if t["pile"] else "–"
    result.append(say("screen.piles", {"stock": t["stock"], "top": top, "n": len(t["pile"])}))
    rows = [f"m{number} {_row(words, meld['cards'])}" for number, meld in enumerate(t["melds"], 1)]
    # Combinations are kept whole: their own spaces do not break.
    text = "   ".join(row.replace(" ", "\N{NO-BREAK SPACE}") for row in rows)
    wrapped = textwrap.wrap(text, 76, break_long_words=False, break_on_hyphens=False)
    result += ["  " + line.replace("\N{NO-BREAK SPACE}", " ") for line in wrapped]
    width = max(len(name) for name in view["players"])
    for seat, name in enumerate(view["players"]):
        marks = ("D" if seat == t["dealer"] else " ") + (">" if seat == view["actor"] else " ")
        facts = say("screen.seat", {"n": t["hand_sizes"][seat], "points": t["points"][seat]})
        if t["down"][seat]:
            facts += "  " + say("screen.down")
        if t["known"][seat] and seat != view["seat"]:
            facts += "  " + say("screen.known", {"cards": _row(words, t["known"][seat])})
        result.append(f" {marks} {name:<{width}}  {facts}")
    if t["phase"] == "contract":
        result.append(say("screen.needed", t["needed"]))
    if t["hand"] is not None:
        result.append(say("screen.hand", {"cards": _row(words, t["hand"])}))
    return result
