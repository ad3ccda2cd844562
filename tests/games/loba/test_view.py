"""What people read of Loba: views, sentences and refusals, in both languages."""

from __future__ import annotations

import re
from typing import Any

import pytest

import ludotheque
from ludotheque.core.match import Match
from tests.games.loba.test_secrecy import CORNERS, random_match
from tests.games.loba.test_stories import RANKS, at, first_turn, later_turn

GAME = ludotheque.game("loba")


def situations() -> list[Match]:
    """Positions in which moves are refused for all the reasons there are."""
    begun = first_turn("5S 5H 5D 5C 9S 9H 9D")
    begun.play("lay 5S 5H 5D")
    done = first_turn("5S 5H 5D 5C 9S 9H 9D")
    done.play("lay 5S 5H 5D")
    done.play("lay 9S 9H 9D")
    suit = " ".join(f"{rank}D" for rank in RANKS)
    return [
        at({"hands": [None, None, None]}),
        begun,
        done,
        first_turn("7S 7H 7D 7C 8H 9H 10H", 2),
        first_turn("5S 5H 5D 9S 9H 9D 7C 8C 9C 10C"),
        first_turn("7S 7H 7D 9S 9H 9D", taken="7S"),
        later_turn("AS * 4C 2D", "5S 6S 7S *", "* 2S 3S 4S", "6H 7H 8H 9H"),
        later_turn("* 2C", f"{suit} AD"),
        later_turn("AD *", " ".join(suit.split()[1:])),
        later_turn("5C KD", "5S 5H 5D", taken="KD"),
        later_turn("7S 7S 7H 7H 7D 7C"),
        later_turn("9S", "5S 6S 7S 8S", out_by_discard=True),
    ]


def test_every_refusal_can_be_said() -> None:
    said: set[str] = set()
    for match in situations():
        for seat, number in ((match.actor, GAME.info.num_actions), ((match.actor + 1) % match.num_seats, 1)):
            s = GAME.read(match.concealed(seat))
            for action in set(range(number)) - set(match.legal_ids(seat)):
                rule, key, params = GAME.views.explain(s, seat, action)
                assert re.fullmatch(r"(B\d+)?", rule)
                if key not in said:
                    said.add(key)
                    for lang in ("en", "fr"):
                        given = {"seat": seat, "other": match.actor, **params}
                        assert GAME.catalogue(lang).say(f"why.{key}", given, match.names)
    assert said | NO_COMBINATION.keys() == set(GAME.catalogue("en").find("why"))


NO_COMBINATION = {
    "two_jokers": ("* * 5C 5H", "B9", "A combination takes one joker at most."),
    "too_few": ("4C 4D", "B6", "Too few cards: a set takes three of a rank, a run four in a row."),
    "neither": ("4C 5H 7D", "B6", "These are neither three of a rank nor a run of one suit."),
    "same_card": ("4C 4C 5C", "B7", "A run has each card once."),
    "corner": ("KC AC 2C", "B8", "A run does not go round the corner: after the king the ace is the end."),
    "gap": ("4C 6C 8C", "B7", "Not a run yet. Missing: the five of clubs, the seven of clubs."),
    "gap_joker": (
        "10H KH *",
        "B7",
        "Not a run yet: the joker fills one gap only. Missing: the jack of hearts, the queen of hearts.",
    ),
    "short_run": ("QS KS AS", "B7", "A run takes four cards at least."),
}
"""Groups that are no combination by any rule, and what is said of them."""


@pytest.mark.parametrize("key", NO_COMBINATION)
def test_a_group_that_is_no_combination_says_why(key: str) -> None:
    group, rule, text = NO_COMBINATION[key]
    match = at({"hands": [None, None, None]})
    with pytest.raises(ludotheque.InvalidMove) as refused:
        match.play(f"lay {group}")
    assert (refused.value.key, refused.value.rule) == (key, rule)
    assert match.refusal_text(refused.value, "en") == f"{text} [{rule}]"
    assert match.refusal_text(refused.value, "fr").endswith(f"[{rule}]")


@pytest.mark.parametrize(("players", "options"), CORNERS)
@pytest.mark.parametrize("num_moves", [0, 55, 200, 5000])
def test_screens_are_small(players: int, options: dict[str, Any], num_moves: int) -> None:
    match = random_match(players, options, num_moves + 9, num_moves)
    for lang in ("en", "fr"):
        assert all(match.log(lang))
        for seat in (None, 0, players - 1):
            view = match.view(seat, lang)
            screen = GAME.views.lines(view, GAME.catalogue(lang))
            assert len(screen) <= 20
            assert all(len(line) <= 100 for line in screen), screen
            assert (view["table"]["hand"] is None) == (seat is None)
            assert all(move["label"] for move in view["legal"])


def test_the_log_tells_a_turn() -> None:
    match = later_turn("8S 3S 3H 3D 2C", "5S 6S 7S *")
    for move in ("add 8S m1", "lay 3S 3H 3D", "drop 2C"):
        match.play(move)
    assert match.log("en")[:5] == [
        "Ana puts the eight of spades in place of the joker of combination 1, and the joker moves along.",
        "Ana lays down the three of spades, the three of hearts, the three of diamonds.",
        "Ana discards the two of clubs, their last card.",
        "Ana goes out!",
        f"Round 1 is over. Points: {_row(match, 'points')}. Total: {_row(match, 'scores')}.",
    ]
    assert match.log("fr")[1] == "Ana pose le trois de pique, le trois de cœur, le trois de carreau."


def _row(match: Match, name: str) -> str:
    return ", ".join(f"{n} for {player}" for n, player in zip(match.rounds()[-1][name], match.names, strict=True))


def test_a_joker_in_mixed_suits_stands_for_a_rank() -> None:
    match = later_turn("2C 2D", "5S 6H 7S *", runs="any_suit")
    meld = match.view(0)["table"]["melds"][0]
    assert (meld["kind"], meld["cards"], meld["joker"]) == ("run", ["5S", "6H", "7S", "*"], "8")


@pytest.mark.parametrize(
    ("meld", "runs", "low"),
    [
        ("5S 6S 7S 8S", "suited", "4S"),
        ("* 6S 7S 8S", "suited", "4S"),
        ("2S 3S 4S 5S", "suited", "AS"),
        ("AS 2S 3S 4S", "suited", ""),
        ("JS QS KS AS", "suited", "10S *"),
        ("5S 6H 7S 8D", "any_suit", "4S 4H 4D 4C"),
        ("8S 8H 8D", "suited", ""),
    ],
)
def test_a_combination_tells_what_goes_to_its_low_end(meld: str, runs: str, low: str) -> None:
    match = later_turn("2C 2D", meld, runs=runs)
    assert match.view(0)["table"]["melds"][0]["low"] == low.split()


def test_a_hand_tells_its_combinations() -> None:
    match = first_turn("5S 6S 7S * 9S 9H 9D 9C", 2)
    table = match.view(0)["table"]
    found = {(one["kind"], one["worth"], " ".join(one["cards"])) for one in table["combinations"]}
    assert {("set", 1, "9S 9H 9D"), ("set", 1, "9S 9H *"), ("run", 1, "5S 6S 7S *"), ("run", 1, "* 5S 6S 7S")} <= found
    assert ("run", 1, "6S 7S * 9S") in found
    assert not table["can_add"]
    assert match.view(None)["table"]["combinations"] == []
    six = first_turn("7S 7S 7H 7H 7D 7C").view(0)["table"]["combinations"]
    assert {"kind": "set", "worth": 2, "cards": ["7S", "7S", "7H", "7H", "7D", "7C"]} in six
    assert later_turn("8S 2D").view(0)["table"]["can_add"]


@pytest.mark.parametrize(("players", "options"), CORNERS)
def test_what_may_be_laid_is_a_combination_of_the_hand(players: int, options: dict[str, Any]) -> None:
    for num_moves in (60, 130, 240):
        match = random_match(players, options, num_moves, num_moves)
        for seat in range(players):
            view = match.view(seat)
            lays = {move["move"] for move in view["legal"] if move["move"].startswith("lay")}
            assert lays <= {"lay " + " ".join(one["cards"]) for one in view["table"]["combinations"]}
