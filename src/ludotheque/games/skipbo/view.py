"""What one seat, or a spectator, is shown of Skip-Bo, and how it is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.core.info import Options
from ludotheque.core.jit import plain
from ludotheque.core.record import NOBODY, Record
from ludotheque.core.texts import Catalogue
from ludotheque.games.skipbo import rules
from ludotheque.games.skipbo.notation import (
    CARDS,
    MOVES,
    PHASES,
    SOURCES,
    format_built,
    format_counts,
    format_pile,
)
from ludotheque.games.skipbo.state import (
    CALL,
    CALLED,
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
)

may_speak = plain(rules.may_speak)
partner = plain(rules.partner)
shrunk = plain(rules.shrunk)


def common(s: Record) -> dict[str, Any]:
    """The table as everybody sees it, from a concealed record. Piles start with the top card, building piles with 1."""
    n = s.num_seats
    return {
        "phase": PHASES[s.phase],
        "dealer": s.dealer,
        "hand_sizes": [s.hand_size[other] for other in range(n)],
        "shown": [format_counts(s.shown[other]) for other in range(n)],
        "stocks": [_stock(s, other) for other in range(n)],
        "discards": [[format_pile(s, SEAT_PILES * o + 1 + k) for k in range(NUM_PLACES)] for o in range(n)],
        "built": [format_built(s, place) for place in range(NUM_PLACES)],
        "heights": [s.built[place] for place in range(NUM_PLACES)],
        "next": [s.built[place] + 1 for place in range(NUM_PLACES)],  # what each building pile takes
        "draw": s.height[DRAW_PILE],
        "aside": s.num_aside,
        "partners": [partner(other) for other in range(n)] if s.teams else None,
        "played": bool(s.played),
        "match": "points" if s.match == POINTS else "single",
        "target": s.target if s.match == POINTS else None,
        "points": [s.points[other] for other in range(n)],
        "no_fill": [other for other in range(n) if s.no_fill[other]],
        "open_play": None
        if s.open_seat == NOBODY
        else {"seat": s.open_seat, "move": MOVES.texts[s.open_action], "card": _open_card(s)},
        "silent": None if s.over else next((o for o in range(n) if may_speak(s, o)), None),
    }


def own(s: Record, seat: int) -> dict[str, Any]:
    """What else the table shows a seat, from its own concealed record."""
    return {"hand": None if seat == NOBODY else format_counts(s.hand[seat])}


def _stock(s: Record, seat: int) -> dict[str, Any]:
    top, following = (*format_pile(s, SEAT_PILES * seat), "", "")[:2]
    return {"left": s.height[SEAT_PILES * seat], "top": top or None, "next": following or None}


def _open_card(s: Record) -> str:
    action, place = s.open_action, s.open_action % NUM_PLACES
    if action >= DISCARD:
        return CARDS[(action - DISCARD) // NUM_PLACES + 1]
    return format_built(s, place)[-1]


NOT_BY_NUMBERS = frozenset({DEAL, FILL, ROUND_END, MATCH_END})
"""Kinds of events that take more to tell than their own numbers."""


def event(s: Record, viewer: int, kind: int, seat: int, a: int, b: int, c: int) -> dict[str, Any]:
    """A journal entry as the viewer may know it."""
    if kind == DEAL:
        tops = [_stock(s, other)["top"] for other in range(s.num_seats)]
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
        owner = partner(seat) if source >= PARTNERS_STOCK else seat
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
        if seat != partner(s.actor):
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
