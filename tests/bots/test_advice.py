"""Hints: reasons in the game's own terms, and no figure finer than it is known."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

import ludotheque
from ludotheque import testing
from ludotheque.bots.advice import CERTAIN, advise, why
from ludotheque.bots.bot import Candidate, Thought
from ludotheque.core.match import Match
from ludotheque.core.match_view import show_table
from ludotheque.core.snapshot import reader
from ludotheque.core.texts import LANGUAGES

GAMES = ludotheque.game_ids()


def positions(game_id: str, most: int) -> list[Match]:
    """Moments of a match in which there is a choice: half of it played by rules of thumb, half at random."""
    game, rng = ludotheque.game(game_id), random.Random(game_id)
    found: list[Match] = []
    for seed in range(4):
        match, bot = game.new(seed=seed), ludotheque.bot(game_id, "club", seed=seed)
        while not match.over and len(found) < most * (seed + 1) // 4:
            if len(match.legal_ids()) > 1:
                found.append(match.copy())
            match.play(bot.choose(match) if rng.random() < 0.7 else rng.choice(match.legal()))
    return found


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", GAMES)
def test_every_reason_has_words_and_most_choices_have_a_reason(game_id: str) -> None:
    """Of any legal move, good or bad, it can be said what is good about it, or nothing is said."""
    game = ludotheque.game(game_id)
    told, keys, choices = 0, set(), 0
    for match in positions(game_id, 240):
        record, seat = match.concealed(match.actor), match.actor
        choice = ludotheque.bot(game_id, "club", seed=1).choose(match)
        for move in {choice, *islice(match.legal(), 6)}:
            said = [why(game, record, seat, move, match.names, lang) for lang in LANGUAGES]
            assert "{" not in said[0] + said[1] and bool(said[0]) == bool(said[1])
        told += bool(why(game, record, seat, choice, match.names, "en"))
        choices += 1
        table = show_table(game, reader(game).read(record), seat)
        keys |= {key for key, _ in game.module("reasons").reasons(table, seat, choice, [str(m) for m in match.legal()])}
    assert told >= 0.8 * choices, f"{told} of {choices}"
    assert len(keys) >= 5, keys


@pytest.mark.parametrize("game_id", GAMES)
def test_reasons_come_from_what_the_seat_knows(game_id: str) -> None:
    """Other hidden cards, the same words."""
    game, rng = ludotheque.game(game_id), random.Random(1)
    for match in positions(game_id, 12):
        seat = match.actor
        world = testing.other_world(match, seat, rng)
        game.kernels.hide(world, seat)
        for move in match.legal()[:4]:
            said = [why(game, buf, seat, move, match.names, "en") for buf in (match.concealed(seat), world)]
            assert said[0] == said[1]


REASONS: list[tuple[str, dict[str, Any], str, list[str]]] = [
    ("lobo77", {"total": 71}, "0", ["only"]),
    ("lobo77", {"total": 71, "hand": ["0", "-10", "3", "9", "9"]}, "3", ["avoids", "presses", "keeps"]),
    ("lobo77", {"total": 40, "hand": ["4", "2x", "9"]}, "2x", ["avoids", "two"]),
    ("lobo77", {"total": 76, "hand": ["5", "9"]}, "5", ["all_cost"]),
    ("volle_lotte", {}, "stop", ["stop"]),
    ("volle_lotte", {"scores": [5900, 3000]}, "stop", ["target"]),
    ("volle_lotte", {}, "keep 1 1 5", ["risk", "all_points"]),
    ("volle_lotte", {}, "keep 1", ["risk", "more_dice"]),
    ("skipbo", {}, "S>1", ["stock"]),
    ("skipbo", {}, "6>1", ["opens"]),
    ("skipbo", {"hand": ["6"]}, "6>1", ["opens", "refills"]),
    ("skipbo", {}, "9>d1", ["one_below", "keeps_wild"]),
    ("skipbo", {}, "9>d2", ["empty_pile", "keeps_wild"]),
    ("double_lucky_7", {"phase": "bids"}, "bid 1", ["strong"]),
    ("double_lucky_7", {"phase": "bids", "hand": ["B2", "G3"], "forbidden_bid": 1}, "bid 0", ["nothing", "hook"]),
    ("double_lucky_7", {"tricks": [1, 0]}, "B3", ["enough"]),
    ("double_lucky_7", {}, "B12", ["takes"]),
    ("double_lucky_7", {"trick": [None, None]}, "R9", ["leads_trump"]),
    ("loba", {"phase": "draw"}, "take", ["take_fits"]),
    ("loba", {"phase": "draw", "pile": ["KD"]}, "stock", ["stock_no_use"]),
    ("loba", {}, "drop QC", ["loose", "dear", "keeps_joker"]),
    ("loba", {"down": [True, False, False]}, "add 5S m1", ["rids"]),
    ("loba", {"hand_sizes": [5, 2, 9]}, "lay 5S 5H *", ["contract", "hurry"]),
]
TABLES: dict[str, dict[str, Any]] = {
    "lobo77": {"total": 0, "hand": ["0", "7", "9"], "traps": [11, 22, 33, 44, 55, 66, 77], "next": 1},
    "volle_lotte": {
        "phase": "rolled",
        "scores": [1000, 3000],
        "target": 6000,
        "stop_points": 250,
        "closing": False,
        "loss": 0,
        "keeps": [
            {"move": "keep 1", "points": 100, "turn_points": 100, "lotte": False, "rolls": 5, "bust": [600, 7776]},
            {"move": "keep 1 1 5", "points": 250, "turn_points": 250, "lotte": False, "rolls": 3, "bust": [60, 216]},
        ],
    },
    "skipbo": {
        "stocks": [{"left": 5, "top": "7"}, {"left": 5, "top": "2"}],
        "next": [6, 1, 1, 1],
        "discards": [[["10"], [], [], []], [[], [], [], []]],
        "partners": None,
        "hand": ["6", "9", "*"],
    },
    "double_lucky_7": {
        "phase": "play",
        "trump": "R",
        "hand": ["B12", "B3", "R9"],
        "bids": [1, 0],
        "tricks": [0, 0],
        "cards": 3,
        "leader": 1,
        "trick": [None, "B7"],
        "played": ["B7"],
        "turned": "R1",
        "forbidden_bid": None,
    },
    "loba": {
        "phase": "play",
        "hand": ["5S", "5H", "*", "QC", "9D", "10D"],
        "pile": ["5D"],
        "down": [False, False, False],
        "hand_sizes": [6, 9, 9],
    },
}


@pytest.mark.parametrize(("game_id", "change", "move", "keys"), REASONS)
def test_what_a_person_would_say(game_id: str, change: dict[str, Any], move: str, keys: list[str]) -> None:
    table = {**TABLES[game_id], **change}
    legal = {"lobo77": table.get("hand"), "double_lucky_7": table.get("hand"), "volle_lotte": ["stop", "keep 1"]}
    found = ludotheque.game(game_id).module("reasons").reasons(table, 0, move, legal.get(game_id) or [move])
    assert [key for key, _ in found][: len(keys)] == keys


def candidates(*given: tuple[float, bool]) -> tuple[Candidate, ...]:
    moves = ludotheque.game("double_lucky_7").moves
    return tuple(Candidate(moves[n], 0.5, 0.0, 0.3, error, equal) for n, (error, equal) in enumerate(given))


def test_a_chance_is_told_only_if_it_is_known() -> None:
    known, unknown = advise(
        Thought(ludotheque.game("double_lucky_7").moves[0], candidates((0.02, True), (0.03, False)), 99, 0.1)
    )
    assert known.win == 0.5 and unknown.win is None
    assert known.is_equal and not unknown.is_equal


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_shown_is_certain(game_id: str) -> None:
    """A chance that is told is the same when somebody asks again, within what its error allows."""
    match = positions(game_id, 8)[-1]
    told = [
        advise(ludotheque.bot(game_id, "expert", seed=seed).think(match, budget="3000it"))[0].win for seed in range(6)
    ]
    known = [win for win in told if win is not None]
    assert max(known, default=0.0) - min(known, default=0.0) <= 8 * CERTAIN


@pytest.mark.compiled_only
def test_moves_that_do_not_differ_are_equal() -> None:
    """Two cards that are the same to the rest of the match: whatever chance says, neither is called better."""
    game = ludotheque.game("skipbo")
    match = game.new(2, seed=5)
    thought = ludotheque.bot("skipbo", "expert", seed=1).think(match, budget="300it")
    first, *others = advise(thought)
    assert first.move == thought.move and first.is_equal and first.win is None
    assert any(one.is_equal for one in others)
