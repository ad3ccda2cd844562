"""What is told of rounds and matches, from events written by hand."""

from __future__ import annotations

from typing import Any

import pytest

import ludotheque
from ludotheque.core.recap import Course, Event, Teller

NAMES = ["Ann", "Ben", "Cleo"]
PULLED_AWAY = "Ann led from the first round on, and pulled away in round 3."


def end(number: int, points: list[int], scores: list[int], **more: Any) -> Event:
    return {"type": "round_end", "round": number, "points": points, "scores": scores, **more}


class Over:
    """A match that is over, as the teller asks of it."""

    def __init__(self, game: str, scores: list[int], places: list[int], **options: Any) -> None:
        self.game = ludotheque.game(game)
        self.names = NAMES[: len(scores)]
        self.num_seats = len(scores)
        self.scores, self.places = scores, places
        self.options = {"match": "single", **options}
        self.ranking = [[s for s, p in enumerate(places) if p == place] for place in sorted(set(places))]


def teller(over: Over, rounds: list[list[Event]], own: list[list[Event]] | None = None, lang: str = "en") -> Teller:
    course = Course(over.num_seats, over.options, rounds, own or [[] for _ in over.names])
    return Teller(over, course, lang)  # type: ignore[arg-type]  # it asks for no more than this


def points_match(*scores: list[int], places: list[int], game: str = "volle_lotte") -> Teller:
    """A match with these scores after each round."""
    before = [[0] * len(scores[0]), *scores]
    rounds = [
        [end(n + 1, [b - a for a, b in zip(before[n], after, strict=True)], after)] for n, after in enumerate(scores)
    ]
    return teller(Over(game, scores[-1], places), rounds)


@pytest.mark.parametrize(
    ("scores", "places", "told"),
    [
        (
            [[5, 9, 0], [8, 9, 0], [20, 9, 0], [21, 9, 0]],
            [1, 2, 3],
            "Round 3 decided it: Ann took the lead and kept it.",
        ),
        (
            [[5, 0, 0], [6, 0, 0], [20, 0, 0], [21, 9, 0]],
            [1, 2, 3],
            PULLED_AWAY,
        ),
        ([[5, 0, 0], [5, 1, 0], [5, 2, 0]], [1, 2, 3], "Ann led from the first round to the last."),
        ([[5, 9, 0], [8, 9, 0], [20, 9, 0]], [1, 2, 3], "It was open to the end: the last round, round 3, decided it."),
        ([[20, 9, 0]], [1, 2, 3], ""),
        ([[7, 7, 7], [9, 9, 9]], [1, 1, 1], ""),
    ],
)
def test_the_round_that_decided(scores: list[list[int]], places: list[int], told: str) -> None:
    assert points_match(*scores, places=places).ending().decided == told


def test_few_points_may_be_good() -> None:
    """In Loba the lead is the fewest points."""
    hands: dict[str, Any] = {"seat": 0, "hands": [[], ["AS"], ["AS", "KD"]]}
    rounds = [[end(1, [30, 0, 9], [30, 0, 9], **hands)], [end(2, [0, 40, 9], [30, 40, 18], **hands)]]
    rounds += [[end(3, [0, 40, 90], [30, 80, 108], **hands)]]
    ending = teller(Over("loba", [30, 80, 108], [1, 2, 3]), rounds).ending()
    assert ending.decided == "It was open to the end: the last round, round 3, decided it."
    assert ending.best[0] == "out first in round 3" and ending.worst[2] == "caught with 90 points in round 3"


@pytest.mark.parametrize(
    ("places", "lang", "told"),
    [
        ([2, 1, 3], "en", "Ben wins, Ann is second, Cleo is third."),
        ([1, 1, 3], "en", "Ann and Ben share first place, Cleo is third."),
        ([1, 2, 2], "fr", "Ann gagne, Ben et Cleo se partagent la deuxième place."),
    ],
)
def test_places_in_words(places: list[int], lang: str, told: str) -> None:
    assert (
        teller(Over("volle_lotte", [1, 2, 3], places), [[end(1, [1, 2, 3], [1, 2, 3])]], lang=lang).ending().places
        == told
    )


def test_lobo_tells_tokens_and_never_that_all_have_none() -> None:
    rounds: list[list[Event]] = [
        [
            {"type": "play", "seat": 0, "card": "9", "total": 22, "drew": None},
            {"type": "token", "seat": 0, "total": 22, "n": 1},
            {"type": "play", "seat": 2, "card": "66", "total": 75, "drew": None},
            {"type": "play", "seat": 1, "card": "0", "total": 75, "drew": None},
            {"type": "play", "seat": 0, "card": "3", "total": 78, "drew": None},
            {"type": "last_token", "seat": 0, "total": 78, "n": 0},
            {"type": "swims", "seat": 0},
            end(1, [-2, 0, 0], [0, 1, 1], seat=0, out=[]),
        ],
        [
            {"type": "sunk", "seat": 0, "total": 33},
            {"type": "out", "seat": 0, "place": 3},
            {"type": "sunk", "seat": 2, "total": 80},
            {"type": "out", "seat": 2, "place": 2},
            end(2, [0, 0, 0], [0, 0, 0], seat=2, out=[0, 2]),
        ],
    ]
    own: list[list[Event]] = [[{"type": "deal", "dealt": ["-10", "9", "rev"]}], [{"type": "deal", "dealt": ["2"]}], []]
    told = teller(Over("lobo77", [0, 0, 0], [3, 1, 2]), rounds, own)
    first, second = told.rounds()
    assert first.reasons[0] == "Lost 2 tokens, at 22, 78, the last one too: swimming now"
    assert first.reasons[1] == "Lost nothing"
    assert second.reasons == ["Was swimming and reached 33: out", "Lost nothing", "Was swimming and reached 80: out"]
    ending = told.ending()
    assert ending.results == ["out in round 2", "still in at the end, without a token", "out in round 2"]
    assert ending.worst[0] == "2 tokens lost in round 1"
    assert ending.best[1] == "a 0 when the total stood at 75, in round 1"
    assert "2 of 3 for Ann, 0 of 1 for Ben" in ending.luck[0]


def test_a_turn_of_volle_lotte_ends_for_a_reason() -> None:
    events: list[Event] = [
        {"type": "stop_card", "seat": 0},
        {"type": "lost", "seat": 0, "points": 600},
        {"type": "volle_lotte", "seat": 1, "card": "double", "points": 1200},
        {"type": "score", "seat": 1, "points": 1200, "score": 1200},
        {"type": "bust", "seat": 2},
        end(1, [0, 1200, 0], [0, 1200, 0]),
    ]
    told = teller(Over("volle_lotte", [0, 1200, 0], [2, 1, 2]), [events])
    assert told.rounds()[0].reasons == [
        "A stop card: the 600 of the turn are lost",
        "Wrote down 1200, with a Volle Lotte",
        "Nothing scored",
    ]
    ending = told.ending()
    assert ending.worst[0] == "600 points lost in round 1" and ending.best[1] == "1200 points written down in round 1"
    assert ending.luck == ["Stop cards turned: 1 for Ann, 0 for Ben, 0 for Cleo."]


def test_a_bid_is_made_or_missed() -> None:
    events = [end(1, [12, 0, 10], [12, 0, 10], bids=[1, 2, 0], tricks=[1, 0, 0])]
    own: list[list[Event]] = [
        [{"type": "deal", "card": "R7", "dealt": ["R1", "B2", "joker"]}],
        [{"type": "deal", "card": "joker", "dealt": ["G1", "B2"]}, {"type": "trump", "colour": "G"}],
        [],
    ]
    told = teller(Over("double_lucky_7", [12, 0, 10], [1, 3, 2]), [events], own)
    assert told.rounds()[0].reasons == [
        "Bid 1 trick and took it: bid made",
        "Bid 2 but took 0 tricks: bid missed",
        "Bid 0 tricks and took 0: bid made",
    ]
    ending = told.ending()
    assert ending.worst[1] == "a bid of 2 and 0 tricks, in round 1"
    assert "2 of 3 for Ann, 1 of 2 for Ben" in ending.luck[0]


def test_skip_bo_tells_what_is_left_of_a_stock() -> None:
    play = {"type": "play", "source": "S", "card": "1", "place": 1, "height": 1}
    discard = {"type": "discard", "card": "2", "pile": 1}
    turns: list[Event] = [{**play, "seat": 0}, {**play, "seat": 0}, {**discard, "seat": 0}]
    turns += [{**discard, "seat": 1}] * 3
    turns += [end(1, [2, 0], [2, 0], ending="stock", seats=[0], stocks=[0, 1])]
    ending = teller(Over("skipbo", [2, 0], [1, 2]), [turns]).ending()
    assert ending.results == ["Played out the whole stock", "One card left in the stock"]
    assert ending.best[0] == "2 cards of the stock in one turn"
    assert ending.worst[1] == "3 turns in a row without a card of the stock"
    assert ending.luck == ["Nobody had a joker."]


def test_a_game_without_a_recap_is_told_too() -> None:
    """What is common to all games needs nothing of the game's own."""
    told = points_match([5, 9, 0], [8, 9, 30], places=[3, 2, 1])
    told._own = object()
    assert told.rounds()[0].reasons == ["", "", ""]
    ending = told.ending()
    assert ending.results == ["8 points", "9 points", "30 points"]
    assert ending.best[2] == "30 points in round 2"
    assert ending.luck == []
