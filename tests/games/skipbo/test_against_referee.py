"""The engine against the slow referee: whole matches, at random and by habits, compared after every move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from ludotheque import InvalidPosition
from ludotheque.core.jit import COMPILED
from ludotheque.core.match import Match
from tests.games.skipbo.tables import GAME, NAMES
from tests.referee.skipbo import Situation, SkipBo, SkipBoOptions, full_box

Choice = tuple[int, str]
Choose = Callable[[Match, random.Random], Choice]
Seen = Counter[str]


def at_random(match: Match, chance: random.Random) -> Choice:
    """Any move of anybody who has one."""
    seat = chance.choice(match.movers())
    return seat, chance.choice(match.legal(seat))


def by_habit(match: Match, chance: random.Random) -> Choice:
    """Mostly the player at turn, who builds where it goes, stock cards first; sometimes a slip, often called."""
    others = [seat for seat in match.movers() if seat != match.actor]
    callers = [seat for seat in match.movers() if "call" in match.legal(seat)]
    if callers and chance.random() < 0.3:
        return chance.choice(callers), "call"
    seat = chance.choice(others) if others and chance.random() < 0.1 else match.actor
    moves = [move for move in match.legal(seat) if move != "draw" or chance.random() < 0.1] or match.legal(seat)
    builds = [move for move in moves if move[-2:-1] == ">"]
    if builds and chance.random() < 0.85:
        stocks = [move for move in builds if "S>" in move]
        return seat, chance.choice(stocks or builds)
    return seat, chance.choice(moves)


def idly(match: Match, chance: random.Random) -> Choice:
    """Ends turns wherever that is possible; else at random."""
    if "end" in match.legal() and chance.random() < 0.7:
        return match.actor, "end"
    return at_random(match, chance)


def cards_of(pile: Any) -> list[str]:
    return [str(number) for number in range(1, pile + 1)] if isinstance(pile, int) else list(pile)


def compare(match: Match, referee: SkipBo) -> None:
    """Both must agree on everything there is to know."""
    facts = match.position()["table"]
    by_points = match.options["match"] == "points"
    assert (match.over, facts["dealer"]) == (referee.match_over, referee.dealer)
    assert facts["stocks"] == referee.stocks
    assert [sorted(hand) for hand in facts["hands"]] == [sorted(hand) for hand in referee.hands]
    assert facts["discards"] == referee.discards
    assert [cards_of(pile) for pile in facts["built"]] == referee.built
    assert facts["draw"] == referee.draw_pile
    assert sorted(facts["aside"]) == sorted(referee.aside)
    assert facts["points"] == referee.points
    if by_points:
        assert match.scores == referee.points
    if match.over:
        assert match.places == referee.places
        return
    assert (match.actor, facts["played"], facts["idle_turns"]) == (referee.actor, referee.played, referee.idle)
    if match.options["manners"]:
        manners, lying = facts["manners"], referee.lying
        assert manners["open"] == (None if lying is None else {"seat": lying.seat, "move": lying.move})
        assert manners["no_fill"] == referee.no_fill
        assert (manners["barred"], manners["spoken"]) == (referee.barred, referee.spoken)
    for seat in range(match.num_seats):
        assert set(match.legal(seat)) == referee.legal(seat)
    assert match.movers() == [seat for seat in range(match.num_seats) if referee.legal(seat)]


def compare_events(match: Match, referee: SkipBo) -> None:
    """The same things happened, and each fact that the referee tells is the engine's."""

    def order(event: dict[str, Any]) -> tuple[str, int]:
        return event["type"], event.get("seat", -1)

    told, ours = sorted(match.events()[-1], key=order), sorted(referee.events, key=order)
    assert [order(event) for event in told] == [order(event) for event in ours]
    for event, wanted in zip(told, ours, strict=True):
        assert {name: event[name] for name in wanted} == wanted


class Table:
    """The engine's match and the referee's, side by side. The referee is lent the engine's chance."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.before = match.position()["table"]
        self.seen: Seen = Counter()
        facts = self.before
        start = Situation(
            **{name: facts[name] for name in ("stocks", "hands", "discards", "draw", "aside", "dealer", "actor")},
            built=[cards_of(pile) for pile in facts["built"]],
            played=facts["played"],
            idle=facts["idle_turns"],
            points=facts["points"],
        )
        options = SkipBoOptions(**{name: match.options[name] for name in match.options})  # type: ignore[arg-type]
        self.referee = SkipBo(start, self._same_order, self._same_place, options)
        if match.options["manners"]:
            self.referee.barred = facts["manners"]["barred"]
            self.referee.no_fill = facts["manners"]["no_fill"]
        compare(match, self.referee)

    def play(self, seat: int, move: str) -> None:
        """A move on both sides, and all compared."""
        self.before = self.match.position()["table"]
        self.match.play(move, seat)
        self.referee.play(seat, move)
        if self.referee.round_over:
            facts = self.match.position()["table"]
            drawn = [card for event in self._events() if event["type"] == "draw" for card in event["cards"]]
            pack = [card for stock in facts["stocks"] for card in stock] + drawn + facts["draw"]
            assert sorted(pack) == sorted(full_box())
            assert [len(stock) for stock in facts["stocks"]] == [self.match.options["stock"]] * self.match.num_seats
            self.referee.deal(facts["stocks"], drawn + facts["draw"])
        compare(self.match, self.referee)
        compare_events(self.match, self.referee)
        self.seen.update(event["type"] for event in self.match.events()[-1])
        self.seen.update(event["ending"] for event in self.match.events()[-1] if event["type"] == "round_end")

    def _events(self) -> list[dict[str, Any]]:
        """What the last move did, with the cards that each seat drew."""
        told: list[dict[str, Any]] = [dict(event) for event in self.match.events()[-1]]
        for seat in range(self.match.num_seats):
            for event, own in zip(told, self.match.events(seat)[-1], strict=True):
                if event["type"] == "draw" and event["seat"] == seat:
                    event["cards"] = own["cards"]
        return told

    def _same_order(self, cards: list[str]) -> list[str]:
        """The order of the remade draw pile: what was taken of it in this move, and what is left."""
        facts = self.match.position()["table"]
        taken: list[str] = []
        for event in self._events():
            if event["type"] == "draw":
                taken += event["cards"]
            elif event["type"] == "spoke":
                taken += facts["stocks"][event["seat"]][-event["n"] :]
            elif event["type"] == "too_many":
                before, after = (Counter(table["stocks"][event["seat"]]) for table in (self.before, facts))
                taken += (after - before).elements()
        old = self.before["draw"]
        assert taken[: len(old)] == old
        order: list[str] = taken[len(old) :] + facts["draw"]
        assert sorted(order) == sorted(cards)
        return order

    def _same_place(self, face_down: int) -> int:
        """Where in the stock the card drawn too many has come to lie."""
        seat = self.match.actor
        before, after = (table["stocks"][seat] for table in (self.before, self.match.position()["table"]))
        places = [k for k in range(face_down + 1) if before[: k + 1] + after[k + 1 : k + 2] + before[k + 1 :] == after]
        assert places
        return places[0]


def follow(match: Match, choose: Choose, chance: random.Random, most: int) -> tuple[int, Seen]:
    """Play a match with both to its end, or for so many moves. How many were made, and what happened in them."""
    table = Table(match)
    made = 0
    while not match.over and made < most:
        table.play(*choose(match, chance))
        made += 1
    return made, table.seen


def some_options(players: int, manners: bool, chance: random.Random) -> dict[str, Any]:
    """Options at random, but for manners."""
    return {
        "stock": chance.choice([5, 6, 8, 30]),
        "match": chance.choice(["single", "points"]),
        "target": chance.choice([50, 120, 300, 1000]),
        "teams": players == 4 and chance.random() < 0.6,
        "manners": manners,
    }


def late_position(players: int, options: dict[str, Any], chance: random.Random) -> Match:
    """The end of a round: short stocks, hardly anything to draw, all other cards on the discard piles."""
    cards = full_box()
    chance.shuffle(cards)

    def take(number: int) -> list[str]:
        return [cards.pop() for _ in range(number)]

    stocks = [take(chance.randint(1, 5)) for _ in range(players)]
    bare = chance.random() < 0.4
    hands = [take(0 if bare else chance.choice([0, 0, 1, 3])) for _ in range(players)]
    draw = take(0 if bare else chance.choice([0, 0, 1, 4]))
    actor = chance.randrange(players)
    if not options["manners"] or chance.random() < 0.5:
        hands[actor] += take(5 - len(hands[actor])) if draw else []
    built = []
    for _ in range(4):
        height = chance.choice([0, 3, 10, 11])
        pile = [str(number) if str(number) in cards else "*" for number in range(1, height + 1)]
        if Counter(pile) - Counter(cards):
            pile = []
        for card in pile:
            cards.remove(card)
        built.append(pile)
    discards: list[list[list[str]]] = [[[] for _ in range(4)] for _ in range(players)]
    while cards:
        chance.choice(discards[chance.randrange(players)]).append(cards.pop())
    table = {"stocks": stocks, "hands": hands, "draw": draw, "built": built, "discards": discards}
    table |= {"actor": actor, "dealer": (actor - 1) % players, "played": False}
    if options["manners"] and chance.random() < 0.5:
        table["manners"] = {"barred": True, "no_fill": [chance.random() < 0.3 for _ in range(players)]}
    seed = {"seed": chance.randrange(10**9)}
    try:
        return GAME.position({"players": NAMES[:players], "options": options, "table": table, "chance": seed})
    except InvalidPosition as error:
        if "blocked" not in str(error):
            raise
        return late_position(players, options, chance)  # nobody could lay a card: another deal


@pytest.mark.slow
@pytest.mark.parametrize("choose", [at_random, by_habit])
@pytest.mark.parametrize("manners", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_matches(players: int, manners: bool, choose: Choose) -> None:
    chance = random.Random(10 * players + manners)
    for seed in range(4 if COMPILED else 1):
        options = some_options(players, manners, chance)
        follow(GAME.new(players, seed=seed, **options), choose, chance, 600 if COMPILED else 80)


@pytest.mark.slow
@pytest.mark.parametrize("choose", [at_random, by_habit, idly])
@pytest.mark.parametrize("manners", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_ends_of_rounds(players: int, manners: bool, choose: Choose) -> None:
    chance = random.Random(10 * players + manners)
    for _ in range(12 if COMPILED else 3):
        options = {**some_options(players, manners, chance), "match": "single"}
        follow(late_position(players, options, chance), choose, chance, 200 if COMPILED else 40)


@pytest.mark.slow
def test_everything_that_manners_bring_comes_up() -> None:
    """Else the matches above would compare less than they seem to."""
    chance = random.Random(5)
    seen: Seen = Counter()
    for number in range(60 if COMPILED else 16):
        options = {**some_options(4, True, chance), "teams": number % 2 == 0, "match": "single"}
        choose = (at_random, by_habit, idly)[number % 3]
        early = number % 4 == 0
        match = GAME.new(4, seed=number, **options) if early else late_position(4, options, chance)
        seen += follow(match, choose, chance, 200 if COMPILED else 60)[1]
    wanted = "play_early discard_early stands called spoke too_many no_fill remake pile_done ended blocked stock"
    assert [kind for kind in wanted.split() if not seen[kind]] == []
