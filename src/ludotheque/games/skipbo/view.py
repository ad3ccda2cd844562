"""What one seat, or a spectator, is shown of Skip-Bo, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.bits import lowest
from ludotheque.core.info import Options
from ludotheque.core.jit import jit, plain
from ludotheque.core.record import NOBODY, Record, State
from ludotheque.core.texts import Catalogue
from ludotheque.core.views import BySeat, Constant, Each, Exactly, Fields, Flag, Maybe, Number, Seat, Seats, View, Word
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
    HAND,
    MATCH_END,
    MAX_SEATS,
    NO_CARD,
    NO_FILL,
    NUM_CARDS,
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

_NUMBERS = BySeat(Number(), MAX_SEATS)
_HAND = Each(Word(CARDS), HAND)
_PILE = Each(Word(CARDS), NUM_CARDS)

VIEW = Fields(
    phase=Word(PHASES),
    dealer=Seat(),
    hand_sizes=_NUMBERS,
    shown=BySeat(_HAND, MAX_SEATS, "cards of each hand that everybody has seen"),
    stocks=BySeat(
        Fields(
            left=Number(),
            top=Maybe(Word(CARDS)),
            next=Maybe(Word(CARDS, "the card below the top, if everybody has seen it")),
        ),
        MAX_SEATS,
    ),
    discards=BySeat(Exactly(NUM_PLACES, _PILE), MAX_SEATS, "the discard piles of each seat, top card first"),
    built=Exactly(NUM_PLACES, Each(Word(CARDS), TOP_NUMBER), "the building piles, from the 1 up"),
    heights=Exactly(NUM_PLACES, Number(), "how high each building pile is"),
    next=Exactly(NUM_PLACES, Number(), "the number each building pile takes next"),
    draw=Number("cards in the draw pile"),
    aside=Number("cards put aside"),
    partners=Maybe(Constant([partner_of(seat) for seat in range(MAX_SEATS)], "in teams: the partner of each seat")),
    played=Flag("whether a card was played in this turn"),
    match=Word(("single", "points")),
    target=Maybe(Number("the points that win")),
    points=_NUMBERS,
    no_fill=Seats(range(MAX_SEATS), "who may not fill the hand at the next turn"),
    open_play=Maybe(
        Fields("a play out of turn that can still be called", seat=Seat(), move=Word(MOVES.texts), card=Word(CARDS))
    ),
    silent=Maybe(Seat("the partner who may not speak")),
    hand=Maybe(_HAND),
)
"""What the table shows. Lists of numbers are by seat."""


@jit
def view(s: State, seat: int, v: View) -> None:
    """Show a seat the table, from its concealed record."""
    v.phase = s.phase
    v.dealer = s.dealer
    v.draw = s.height[DRAW_PILE]
    v.aside = s.num_aside
    v.has_partners = s.teams  # S14: teams are always two and two
    v.played = s.played
    v.match = s.match
    if s.match == POINTS:
        v.target = s.target
    silent = partner(s.actor)  # S15: the only one whom it could cost cards to speak
    if not s.over and may_speak(s, silent):
        v.silent = silent
    _show_seats(s, v)
    _show_middle(s, v)
    if s.open_seat != NOBODY:
        _show_open_play(s, v)
    if seat != NOBODY:
        v.num_hand = _list_cards(s.hand[seat], v.hand)


@jit
def _show_seats(s: State, v: View) -> None:
    n = s.num_seats
    v.num_hand_sizes = v.num_shown = v.num_stocks = v.num_discards = v.num_points = n
    v.no_fill = 0
    for other in range(n):
        v.hand_sizes[other] = s.hand_size[other]
        v.points[other] = s.points[other]
        v.shown[other].num_items = _list_cards(s.shown[other], v.shown[other].items)
        if s.no_fill[other]:
            v.no_fill |= 1 << other
        stock = SEAT_PILES * other
        _show_stock(s, stock, v.stocks[other])
        for k in range(NUM_PLACES):
            _show_pile(s, stock + 1 + k, v.discards[other, k])


@jit
def _list_cards(packed: int, items: Any) -> int:
    """The cards of a hand, lowest first; how many there are."""
    size = 0
    while packed:
        card = lowest(packed) // 4
        items[size] = card
        size += 1
        packed -= 1 << (4 * card)
    return size


@jit
def _show_stock(s: State, pile: int, stock: View) -> None:
    """How high a stock is, and of its two topmost cards those that all have seen."""
    cards = topmost(s, pile)
    stock.left = s.height[pile]
    if cards & 15 != NO_CARD:
        stock.top = cards & 15
    if (cards >> 4) & 15 != NO_CARD:
        stock.next = (cards >> 4) & 15


@jit
def _show_pile(s: State, pile: int, shown: View) -> None:
    """A pile that lies open."""
    height = s.height[pile]
    first = first_word(s, pile) if height > CARDS_PER_WORD else 0
    shown.num_items = height
    for i in range(height):
        shown.items[i] = get(s, pile, first, height - 1 - i)


@jit
def _show_middle(s: State, v: View) -> None:
    """The building piles."""
    for place in range(NUM_PLACES):
        height = s.built[place]
        v.heights[place] = height
        v.next[place] = height + 1
        v.built[place].num_items = height
        for i in range(height):
            v.built[place].items[i] = _built_card(s, place, i + 1)


@jit
def _built_card(s: State, place: int, height: int) -> int:
    return WILD if (s.wild[place] >> height) & 1 else height


@jit
def _show_open_play(s: State, v: View) -> None:
    """What can be called (S17). Nothing has been laid since: its card is the top one where it went."""
    action = s.open_action
    v.has_open_play = 1
    v.open_play.seat = s.open_seat
    v.open_play.move = action
    if action >= DISCARD:
        v.open_play.card = (action - DISCARD) // NUM_PLACES + 1
    else:
        place = action % NUM_PLACES
        v.open_play.card = _built_card(s, place, s.built[place])


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
    """The event with what depends on the options: points are told only in a match for points."""
    told = {"round_end": "points", "match_end": "score"}.get(event["type"])
    return event if told is None or options["match"] == "points" else {**event, told: None}


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
    if seat != s.actor and s.open_seat != NOBODY:
        return "S17", "wait" if seat == s.open_seat else "one_at_a_time", {}
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
