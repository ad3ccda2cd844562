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
from ludotheque.core.texts import Catalogue
from ludotheque.core.views import BySeat, Constant, Each, Fields, Flag, Maybe, Number, Seat, View, Word
from ludotheque.games.loba import cards as compiled
from ludotheque.games.loba import melds, state
from ludotheque.games.loba.cards import (
    ACE_SLOT,
    ADD,
    BRELAN,
    DROP,
    JOKER,
    LAST_PLACE,
    MAX_MELDS,
    NO_CARD,
    NO_PLACE,
    NUM_CARDS,
    NUM_SLOTS,
    NUM_TYPES,
    QUARTE,
    RANKS,
    RUN,
    SEXTUPLE,
    STOCK,
    TAKE,
    rank_at,
    take_out,
)
from ludotheque.games.loba.melds import Hand, Meld, Rest, hand_at, list_runs, list_sets, meld_at
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
    MAX_SEATS,
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

_NUMBERS = BySeat(Number(), MAX_SEATS)
_COUNTS = Fields(brelans=Number(), quartes=Number())
_HEAP = Each(Word(CARDS), NUM_CARDS)
_MAX_LENGTH = LAST_PLACE + 1  # of a combination: a run from the low ace to the high one; a set has nine at most

VIEW = Fields(
    phase=Word(PHASES),
    round=Number(),
    rounds=Constant(NUM_ROUNDS),
    contract=_COUNTS,
    needed=Fields("what is still to be laid of a contract that is being laid", brelans=Number(), quartes=Number()),
    turn=Number(),
    turns=Number("after how many the round ends"),
    dealer=Seat(),
    stock=Number("cards in the stock"),
    pile=Each(Word(CARDS), NUM_CARDS, "the discard pile, its top first"),
    melds=Each(
        Fields(
            kind=Word(("set", "run")),
            cards=Each(Word(CARDS), _MAX_LENGTH),
            joker=Maybe(
                Word((*CARDS, *RANKS), "what it stands for: a card, or in mixed suits and in sets a rank"),
            ),
            low=Each(Word(CARDS), 5, "what is added at its low end; anything else goes to the high one"),
        ),
        MAX_MELDS,
    ),
    taken=Maybe(Word(CARDS, "what was taken from the pile in this turn, as long as it is in the hand")),
    hand_sizes=_NUMBERS,
    down=BySeat(Flag(), MAX_SEATS, "who has laid the contract"),
    known=BySeat(_HEAP, MAX_SEATS, "cards that everybody knows to be in each hand"),
    points=_NUMBERS,
    last_points=BySeat(Number(), MAX_SEATS, "what the round before brought"),
    last_hands=BySeat(_HEAP, MAX_SEATS, "the hands at its end"),
    recycled=Maybe(
        Each(
            Word(CARDS),
            NUM_CARDS,
            "what the stock was made of when it was last made of discards, less what the seat has drawn of it",
        )
    ),
    hand=Maybe(Each(Word(CARDS), NUM_CARDS)),
    combinations=Each(
        Word(_COMBINATIONS), ADD - BRELAN, "all that could be laid of the hand if a contract asked for it"
    ),
    can_add=Flag("whether cards may be added to what was laid"),
)
"""What the table shows. Lists of numbers are by seat."""


@jit
def view(s: State, seat: int, v: View) -> None:
    """Show a seat the table, from its concealed record."""
    v.phase = s.phase
    v.round = s.round_no
    v.contract.brelans = CONTRACT_SETS[s.round_no]
    v.contract.quartes = CONTRACT_RUNS[s.round_no]
    v.needed.brelans = s.sets_left
    v.needed.quartes = s.runs_left
    v.turn = s.turn_no
    v.turns = MAX_TURNS * s.num_seats
    v.dealer = s.dealer
    v.stock = s.num_stock
    v.num_pile = s.num_pile
    for i in range(s.num_pile):
        v.pile[i] = s.pile[s.num_pile - 1 - i]
    v.num_melds = s.num_melds
    for place in range(s.num_melds):
        _show_meld(meld_at(s, place), s.runs, v.melds[place])
    if s.taken != NO_CARD:
        v.taken = s.taken
    _show_seats(s, v)
    if s.is_recycled:
        _show_recycled(s, seat, v)
    _show_hand(s, seat, v)


@jit
def _show_seats(s: State, v: View) -> None:
    n = s.num_seats
    v.num_hand_sizes = v.num_down = v.num_known = v.num_points = v.num_last_points = v.num_last_hands = n
    for other in range(n):
        v.hand_sizes[other] = s.size[other]
        v.down[other] = s.is_down[other]
        v.points[other] = s.points[other]
        v.last_points[other] = s.last_points[other]
        known, last = v.known[other], v.last_hands[other]
        known.num_items = _list_heap(s.known[other], s.known_twice[other], s.known_jokers[other], known.items)
        last.num_items = _list_heap(s.last_hand[other], s.last_twice[other], s.last_jokers[other], last.items)


@jit
def _list_heap(once: int, twice: int, jokers: int, items: Any) -> int:
    """Cards in no order: ace to king, then jokers; how many there are."""
    size = 0
    while once:
        card = lowest(once)
        once &= once - 1
        items[size] = card
        size += 1
        if twice >> card & 1:
            items[size] = card
            size += 1
    for _ in range(jokers):
        items[size] = JOKER
        size += 1
    return size


@jit
def _show_meld(meld: Meld, any_suit: int, v: View) -> None:
    """A combination on the table."""
    kind, low, length, joker, suits = meld
    v.kind = kind
    if kind == RUN:
        _show_run(low, length, joker, suits, any_suit, v)
        return
    size = 0
    for suit in range(4):
        for _ in range((suits >> suit & 1) + (suits >> (suit + 4) & 1)):
            v.cards[size] = 4 * low + suit
            size += 1
    if joker != NO_PLACE:
        v.cards[size] = JOKER
        size += 1
        v.joker = NUM_TYPES + low
    v.num_cards = size
    v.num_low = 0


@jit
def _show_run(low: int, length: int, joker: int, suits: int, any_suit: int, v: View) -> None:
    """A run from low to high, what its joker stands for, and what is added at its low end."""
    v.num_cards = length
    for i in range(length):
        place = low + i
        v.cards[i] = JOKER if place == joker else 4 * rank_at(place) + (suits >> (2 * place) & 3)
    shown = low + 1 if joker == low else low
    suit = suits >> (2 * shown) & 3
    if joker != NO_PLACE:
        v.joker = NUM_TYPES + rank_at(joker) if any_suit else 4 * rank_at(joker) + suit
    size = 0
    if low > 0:
        for other in range(4):
            if any_suit or other == suit:
                v.low[size] = 4 * (low - 1) + other
                size += 1
        if low + length > LAST_PLACE:  # there is no place left at the high end
            v.low[size] = JOKER
            size += 1
    v.num_low = size


@jit
def _show_recycled(s: State, seat: int, v: View) -> None:
    once, twice, jokers = s.recycled, s.recycled_twice, s.recycled_jokers
    if seat != NOBODY:
        once, twice = take_out(once, twice, s.drawn[seat], s.drawn_twice[seat])
        jokers -= s.drawn_jokers[seat]
    v.num_recycled = _list_heap(once, twice, jokers, v.recycled)


@jit
def _show_hand(s: State, seat: int, v: View) -> None:
    """The hand, and what could be done with it."""
    v.num_combinations = 0
    v.can_add = 0
    if seat == NOBODY:
        return
    hand, nothing = hand_at(s, seat), Rest(0, 0, NO_CARD, s.runs + 0)
    v.num_hand = _list_heap(hand.once, hand.twice, hand.jokers, v.hand)
    found = np.empty(ADD, np.int16)
    count = list_sets(found, 0, 1, hand, nothing)
    count = list_sets(found, count, 2, hand, nothing)
    count = list_runs(found, count, hand, nothing)
    v.num_combinations = count
    for i in range(count):
        v.combinations[i] = found[i] - BRELAN
    v.can_add = s.is_down[seat]


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
    if can_complete(Hand(once, twice, s.hand_jokers[seat] - jokers), Rest(sets, runs, NO_CARD, s.runs)):
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
    return " ".join(words.word("face", card) for card in cards) or "–"


def lines(view: dict[str, Any], words: Catalogue) -> list[str]:
    """The view as plain text for the prompt."""
    t = view["table"]
    say = words.say
    result = [say("screen.head", t)]
    top = words.word("face", t["pile"][0]) if t["pile"] else "–"
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
