"""What one seat, or a spectator, is shown of Skip-Bo, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.bits import lowest
from ludotheque.core.info import Options
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.shape import (
    NOTHING,
    Numbers,
    constant,
    each,
    fields,
    flag,
    maybe,
    members_of,
    number,
    put,
    put_first,
    word,
)
from ludotheque.core.texts import Catalogue
from ludotheque.games.skipbo import rules
from ludotheque.games.skipbo.notation import CARDS, MOVES, PHASES, SOURCES
from ludotheque.games.skipbo.piles import first_word, get, top, topmost
from ludotheque.games.skipbo.rules import may_speak, partner
from ludotheque.games.skipbo.state import (
    CALL,
    CALLED,
    CARDS_PER_WORD,
    DEAL,
    DISCARD,
    DISCARDED,
    DISCARDED_EARLY,
    DRAW_PILE,
    DRAWING,
    END,
    ENDED,
    FILL,
    MATCH_END,
    MAX_SEATS,
    NO_CARD,
    NO_FILL,
    NUM_PLACES,
    OWN_STOCK,
    PARTNERS_STOCK,
    PILE_DONE,
    PLAY,
    PLAY_EARLY,
    POINTS,
    REMAKE,
    ROUND_END,
    SAY,
    SEAT_PILES,
    SPOKE,
    STANDS,
    TOO_MANY,
    TOP_NUMBER,
    TURN_UP,
    WILD,
)

partner_of = plain(partner)
shrunk = plain(rules.shrunk)
top_of = plain(top)

_CARDS = each(word(CARDS))

COMMON = fields(
    phase=word(PHASES),
    dealer=number,
    hand_sizes=each(number),
    shown=each(_CARDS),
    stocks=each(fields(left=number, top=word(CARDS), next=word(CARDS))),
    discards=each(each(_CARDS)),
    built=each(_CARDS),
    heights=each(number),
    next=each(number),  # what each building pile takes
    draw=number,
    aside=number,
    partners=maybe(constant([partner_of(seat) for seat in range(MAX_SEATS)])),  # S14: teams are always two and two
    played=flag,
    match=word(("single", "points")),
    target=number,
    points=each(number),
    no_fill=members_of(range(MAX_SEATS)),
    open_play=maybe(fields(seat=number, move=word(MOVES.texts), card=word(CARDS))),
    silent=number,
)
"""The table as everybody sees it. Piles start with the top card, building piles with 1."""


@jit
def common(s: State, out: Numbers) -> None:
    """Put down what `COMMON` shows, from a concealed record."""
    n = s.num_seats
    put(out, s.phase)
    put(out, s.dealer)
    put_first(out, n, s.hand_size)
    put(out, n)
    for other in range(n):
        _put_cards(s.shown[other], out)
    put(out, n)
    for other in range(n):
        _put_stock(s, SEAT_PILES * other, out)
    put(out, n)
    for other in range(n):
        put(out, NUM_PLACES)
        for k in range(NUM_PLACES):
            _put_pile(s, SEAT_PILES * other + 1 + k, out)
    put(out, NUM_PLACES)
    for place in range(NUM_PLACES):
        put(out, s.built[place])
        for height in range(1, s.built[place] + 1):
            put(out, _built_card(s, place, height))
    put_first(out, NUM_PLACES, s.built)
    put(out, NUM_PLACES)
    for place in range(NUM_PLACES):
        put(out, s.built[place] + 1)
    put(out, s.height[DRAW_PILE])
    put(out, s.num_aside)
    put(out, s.teams if s.teams else NOTHING)
    put(out, s.played)
    put(out, s.match)
    put(out, s.target if s.match == POINTS else NOTHING)
    put_first(out, n, s.points)
    no_fill = 0
    for other in range(n):
        if s.no_fill[other]:
            no_fill |= 1 << other
    put(out, no_fill)
    _put_open_play(s, out)
    silent = partner(s.actor)  # S15: the only one whom it could cost cards to speak
    put(out, silent if not s.over and may_speak(s, silent) else NOTHING)


@jit
def _put_cards(packed: int, out: Numbers) -> None:
    """Put down the cards of a hand, lowest first."""
    size = 0
    rest = packed
    while rest:
        size += rest & 15
        rest >>= 4
    put(out, size)
    while packed:
        card = lowest(packed) // 4
        put(out, card)
        packed -= 1 << (4 * card)


@jit
def _put_stock(s: State, pile: int, out: Numbers) -> None:
    """Put down how high a stock is, and of its two topmost cards those that all have seen."""
    cards = topmost(s, pile)
    put(out, s.height[pile])
    for _ in range(2):
        put(out, cards & 15 if cards & 15 != NO_CARD else NOTHING)
        cards >>= 4


@jit
def _put_pile(s: State, pile: int, out: Numbers) -> None:
    """Put down a pile that lies open."""
    height = s.height[pile]
    first = first_word(s, pile) if height > CARDS_PER_WORD else 0
    put(out, height)
    for index in range(height - 1, -1, -1):
        put(out, get(s, pile, first, index))


@jit
def _built_card(s: State, place: int, height: int) -> int:
    return WILD if (s.wild[place] >> height) & 1 else height


@jit
def _put_open_play(s: State, out: Numbers) -> None:
    """Put down what can be called (S17). Nothing has been laid since: its card is the top one where it went."""
    if s.open_seat == NOBODY:
        put(out, NOTHING)
        return
    action = s.open_action
    put(out, 1)
    put(out, s.open_seat)
    put(out, action)
    if action >= DISCARD:
        put(out, (action - DISCARD) // NUM_PLACES + 1)
    else:
        place = action % NUM_PLACES
        put(out, _built_card(s, place, s.built[place]))


OWN = fields(hand=_CARDS)
"""What else the table shows a seat."""


@jit
def own(s: State, seat: int, out: Numbers) -> None:
    """Put down what `OWN` shows, from the seat's own concealed record."""
    if seat == NOBODY:
        put(out, NOTHING)
    else:
        _put_cards(s.hand[seat], out)


NOT_BY_NUMBERS = frozenset({DEAL, FILL, ROUND_END, MATCH_END})
"""Kinds of events that take more to tell than their own numbers."""
TOLD_APART = frozenset({FILL})
"""Those of them that are not told everybody alike."""


def event(s: Record, viewer: int, kind: int, seat: int, a: int, b: int, c: int) -> dict[str, Any]:
    """A journal entry as the viewer may know it."""
    if kind == DEAL:
        tops = [CARDS[top_of(s, SEAT_PILES * other)] for other in range(s.num_seats)]
        return {"type": "deal", "seat": seat, "round": a, "n": b, "tops": tops}
    if kind == FILL:
        cards = [CARDS[b >> (4 * i) & 15] for i in range(a)] if seat == viewer else None
        return {"type": "draw", "seat": seat, "n": a, "cards": cards}
    if kind == REMAKE:
        return {"type": "remake", "n": a}
    if kind in (PLAY, PLAY_EARLY):
        return {
            "type": "play" if kind == PLAY else "play_early",
            "seat": seat,
            "source": "hand" if a < OWN_STOCK else SOURCES[a],
            "card": CARDS[b],
            "place": c // 16 + 1,
            "height": c % 16,
        }
    if kind == TURN_UP:
        if b == 0:
            return {"type": "stock_gone", "seat": seat}
        return {"type": "turn_up", "seat": seat, "card": CARDS[a], "n": b}
    if kind == PILE_DONE:
        return {"type": "pile_done", "place": a + 1}
    if kind in (DISCARDED, DISCARDED_EARLY):
        name = "discard" if kind == DISCARDED else "discard_early"
        return {"type": name, "seat": seat, "card": CARDS[a], "pile": b + 1}
    if kind == CALLED:
        return {"type": "called", "seat": seat, "other": a, "card": CARDS[b]}
    if kind in _PLAIN_EVENTS:
        return {"type": _PLAIN_EVENTS[kind], "seat": seat}
    if kind in (SPOKE, TOO_MANY):
        return {"type": "spoke" if kind == SPOKE else "too_many", "seat": seat, "n": a}
    return _end(s, kind, a, b, c)


_PLAIN_EVENTS = {ENDED: "ended", STANDS: "stands", NO_FILL: "no_fill"}


def _end(s: Record, kind: int, a: int, b: int, c: int) -> dict[str, Any]:
    seats = range(s.num_seats)
    by_points = s.match == POINTS
    if kind == ROUND_END:
        return {
            "type": "round_end",
            "round": a,
            "ending": "blocked" if b else "stock",
            "seats": [seat for seat in seats if c >> seat & 1],
            "stocks": [s.last_stock[seat] for seat in seats],
            "points": [s.last_points[seat] for seat in seats],
            "scores": [s.points[seat] if by_points else s.last_points[seat] for seat in seats],
        }
    assert kind == MATCH_END
    scores = [s.points[seat] if by_points else shrunk(s, seat) for seat in seats]
    best = max(scores)
    return {"type": "match_end", "seats": [seat for seat in seats if scores[seat] == best], "score": best}


def localise(event: Mapping[str, Any], words: Catalogue, options: Options) -> Mapping[str, Any]:
    """The event with what depends on the options: a round tells points or what is left in the stocks."""
    if event["type"] not in ("round_end", "match_end"):
        return event
    return {**event, "tally": words.say(f"screen.{event['type']}_{options['match']}", event)}


def label(action: int) -> tuple[str, dict[str, Any]]:
    """What a button for the action says: a key under `moves` and what fills it."""
    place = action % NUM_PLACES + 1
    if action >= END:
        return ("end", "draw", "say", "call")[action - END], {}
    if action >= DISCARD:
        return "discard", {"card": CARDS[(action - DISCARD) // NUM_PLACES + 1], "pile": place}
    source = action // NUM_PLACES
    if source < OWN_STOCK:
        return "play", {"card": CARDS[source + 1], "place": place}
    return "play_from", {"source": SOURCES[source], "place": place}


def explain(s: Record, seat: int, action: int) -> tuple[str, str, dict[str, Any]]:
    """Why an action is not legal: the rule, a key under `why`, and what fills it."""
    if action >= END:
        return _explain_word(s, seat, action)
    if seat != s.actor and not s.manners:
        return "", "not_your_turn", {}
    if seat == s.actor and s.phase == DRAWING:
        return "S16", "draw_first", {}
    if seat == s.open_seat:
        return "S17", "wait", {}
    source = action // NUM_PLACES
    if action >= DISCARD or source < OWN_STOCK:
        card = (action - DISCARD if action >= DISCARD else action) // NUM_PLACES + 1
        if not s.hand[seat] >> (4 * card) & 15:
            return "", "not_in_hand", {"card": CARDS[card]}
    else:
        if source >= PARTNERS_STOCK and not s.teams:
            return "S14", "no_partner", {}
        owner = partner_of(seat) if source >= PARTNERS_STOCK else seat
        first = PARTNERS_STOCK if source >= PARTNERS_STOCK else OWN_STOCK
        card = s.top_word[SEAT_PILES * owner + source - first] & 15
        if card == NO_CARD:
            return "S6", "nothing_there", {"source": SOURCES[source]}
    place = action % NUM_PLACES
    height = s.built[place] % TOP_NUMBER
    rule, key = ("S7", "start_with_1") if height == 0 else ("S5", "next_number")
    return rule, key, {"card": CARDS[card], "place": place + 1, "height": height, "number": height + 1}


def _explain_word(s: Record, seat: int, action: int) -> tuple[str, str, dict[str, Any]]:
    """Why `end`, `draw`, `say` or `call` is not possible."""
    if action == CALL:
        if not s.manners:
            return "S17", "no_manners", {}
        return "S17", "own_play" if s.open_seat == seat else "nothing_to_call", {}
    if action == SAY:
        if not (s.manners and s.teams):
            return "S15", "no_manners", {}
        if seat != partner_of(s.actor):
            return "S15", "not_the_partner", {}
        return "S15", "spoken_already" if s.spoken else "no_cards", {}
    if seat != s.actor:
        return "", "not_your_turn", {}
    if action == END:
        return ("S16", "draw_first", {}) if s.phase == DRAWING else ("S10", "must_discard", {})
    if not s.manners:
        return "S16", "draws_by_itself", {}
    if s.barred:
        return "S17", "barred", {}
    return ("S16", "too_late", {}) if s.played else ("S11", "no_cards", {})


def lines(view: dict[str, Any], words: Catalogue) -> list[str]:
    """The view as plain text for the prompt."""
    t = view["table"]
    say = words.say
    names = view["players"]
    places = [f"{place}: {height if height else '–'}" for place, height in enumerate(t["heights"], 1)]
    result = [
        say("screen.middle", {"built": "   ".join(places)}),
        say("screen.piles", {"draw": t["draw"], "aside": t["aside"], "round": view["round"]}),
    ]
    width = max(len(name) for name in names)
    for seat, name in enumerate(names):
        marks = ("D" if seat == t["dealer"] else " ") + (">" if seat == view["actor"] else " ")
        stock = t["stocks"][seat]
        piles = "  ".join(f"d{k} {_tops(pile)}" for k, pile in enumerate(t["discards"][seat], 1))
        facts = {"top": stock["top"] or "–", "left": stock["left"], "hand": t["hand_sizes"][seat]}
        points = "  " + say("screen.points", {"points": t["points"][seat]}) if t["target"] else ""
        result.append(f" {marks} {name:<{width}}  {say('screen.seat', facts)}{points}")
        result.append(f"    {piles}")
    if t["open_play"]:
        result.append(say("screen.open_play", t["open_play"], names))
    if t["hand"] is not None:
        result.append(say("screen.hand", {"hand": " ".join(t["hand"]) or "–"}))
    return result


def _tops(pile: list[str]) -> str:
    """A discard pile in short: its top cards, top first, and how many more."""
    shown = " ".join(pile[:4]) or "–"
    return f"{shown} +{len(pile) - 4}" if len(pile) > 4 else shown
