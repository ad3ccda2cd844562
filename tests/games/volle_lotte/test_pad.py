"""The score pad of Volle Lotte!: a story per scoring rule, turns step by step, and the engine's results."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludotheque
from ludotheque import InvalidPosition, MatchOver
from ludotheque.core.match import Match
from ludotheque.core.pad import Pad
from ludotheque.core.pad_entry import InvalidEntry
from ludotheque.games.volle_lotte.dice import scoring_dice
from ludotheque.games.volle_lotte.pad import keep_points
from tests.games.playing import played_at_random

GAME = ludotheque.game("volle_lotte")
NAMES = ["Ana", "Ben", "Cleo", "Dan"]
ANA, BEN, CLEO, DAN = range(4)


def start(players: int = 3, **options: Any) -> Pad:
    return ludotheque.pad("volle_lotte", NAMES[:players], **{"first": ANA, **options})


def score(pad: Pad, *points: int, **more: Any) -> Pad:
    """Turns with these points; the last one with what else there is to say."""
    for k, each in enumerate(points):
        pad = pad.enter({"points": each, **(more if k == len(points) - 1 else {})})
    return pad


def worth(steps: str, **options: Any) -> tuple[int, int, bool]:
    """A turn step by step: its points, ±1000 and clover."""
    turn = start(**options).reckon(steps)
    assert turn.done
    return turn.values["points"], turn.values["plus_minus"], turn.values["clover"]


def refused(steps: str, **options: Any) -> str:
    pad = start(**options)
    with pytest.raises(InvalidEntry) as caught:
        pad.reckon(steps)
    assert pad.refusal_text(caught.value, "fr") != str(caught.value)
    return caught.value.rule


def test_V2_turns_go_round_from_whoever_begins() -> None:
    pad = start(first=CLEO)
    seats = []
    for _ in range(4):
        assert pad.form is not None
        seats.append(pad.form.seat)
        pad = score(pad, 50)
    assert seats == [CLEO, ANA, BEN, CLEO]
    assert [(row.points, row.is_done) for row in pad.rounds] == [([50, 50, 50], True), ([0, 0, 50], False)]


@pytest.mark.parametrize(
    ("dice", "points"),
    [("1", 100), ("5", 50), ("1 1 1", 1000), ("2 2 2", 200), ("3 3 3", 300), ("4 4 4", 400), ("5 5 5", 500)]
    + [("6 6 6", 600), ("1 1", 200), ("1 1 1 1", 1100), ("1 5 2 2 2", 350), ("5 5 5 5", 550), ("666666", 1200)],
)
def test_V3_what_dice_are_worth(dice: str, points: int) -> None:
    assert keep_points("bonus 200", dice) == points
    assert keep_points("fireworks", dice) == points
    for card in ("plusminus", "straight", "clover"):
        assert keep_points(card, dice) == 0


@pytest.mark.parametrize("dice", ["2", "1 2", "2 2", "2 2 2 2", "7", "1 1 1 1 1 1 1", ""])
def test_V3_other_dice_cannot_be_kept(dice: str) -> None:
    with pytest.raises(InvalidPosition):
        keep_points("double", dice)


@pytest.mark.parametrize("points", [25, 110, -50, 100_000_050])
def test_V3_points_come_in_fifties(points: int) -> None:
    with pytest.raises(InvalidEntry, match=r"in steps of 50, not .*\[V3\]"):
        score(start(), points)


def test_V3_combinations_are_made_within_one_roll() -> None:
    assert worth("bonus 200, 1 1, 1, stop") == (300, 0, False)
    assert worth("bonus 200, 1 1 1, stop") == (1000, 0, False)
    assert refused("bonus 200, 2 2, 2") == "V3"


def test_V4_a_roll_that_brings_nothing_loses_the_turn() -> None:
    assert worth("bonus 200, 1 1 1, bust") == (0, 0, False)
    assert score(start(), 0).totals == [0, 0, 0]


def test_V5_stopping_scores_the_turn() -> None:
    assert worth("bonus 200, 1 5 5, 5, stop") == (250, 0, False)
    assert worth("bonus 200, 1 5 5, 2 2 2, stop") == (600, 0, False)
    assert refused("bonus 200, stop") == "V5"


def test_V6_there_are_six_dice() -> None:
    assert refused("bonus 200, 1 1 1 1, 5 5 5") == "V6"


def test_V7_after_a_volle_lotte_a_new_card() -> None:
    assert worth("bonus 200, 1 1 1, 5 5 5, bonus 300, 1, stop") == (1800, 0, False)
    assert refused("bonus 200, 1 1 1, 5 5 5, 1") == "V7"
    assert refused("bonus 200, 1 1 1, double") == "V7"
    assert refused("1 1 1") == "V2"


def test_V8_a_stop_loses_the_turn() -> None:
    assert worth("stop") == (0, 0, False)
    assert worth("bonus 200, 1 1 1, 5 5 5, stop card") == (0, 0, False)
    assert worth("bonus 200, 1 1 1, 5 5 5, stop") == (1700, 0, False)


def test_V9_fireworks_score_when_they_burn_out() -> None:
    assert worth("fireworks, 1, 5 5, bust") == (200, 0, False)
    assert worth("fireworks, 1 1 1, 5 5 5, 5, bust") == (1550, 0, False)
    assert worth("bonus 200, 1 1 1, 5 5 5, fireworks, bust") == (1700, 0, False)
    assert refused("fireworks, 1, stop") == "V9"


def test_V9_by_fireworks_stop_a_turn_may_be_stopped_under_fireworks() -> None:
    free = {"fireworks_stop": True}
    assert worth("fireworks, 1, 5 5, stop", **free) == (200, 0, False)
    assert worth("bonus 200, 1 1 1, 5 5 5, fireworks, 5, stop", **free) == (1750, 0, False)
    # after a Volle Lotte the stop belongs to the roll that made it
    assert worth("fireworks, 1 1 1, 5 5 5, stop", **free) == (1500, 0, False)
    assert worth("fireworks, 1 1 1, 5 5 5, 5, bust", **free) == (1550, 0, False)
    assert start(**free).reckon("fireworks, 1").facts["may_stop"]
    assert not start().reckon("fireworks, 1").facts["may_stop"]
    assert refused("fireworks, stop", **free) == "V5"
    assert refused("bonus 200, 1 1 1, 5 5 5, fireworks, stop", **free) == "V5"


def test_V10_the_bonus_comes_with_the_volle_lotte_only() -> None:
    assert worth("bonus 600, 1 1 1, 5 5, stop") == (1100, 0, False)
    assert worth("bonus 600, 1 1 1, 5 5, 5, stop") == (1750, 0, False)


def test_V11_the_double_doubles_all_of_the_turn() -> None:
    assert worth("bonus 200, 1 1 1, 5 5 5, double, 1 1 1, 5 5 5, stop") == (2 * (1700 + 1500), 0, False)
    assert worth("double, 1 1 1, 5 5, stop") == (1100, 0, False)
    assert worth("±1000, 1 1 1, 5 5 5, double, 1 1 1, 5 5 5, stop") == (2 * 2500, 1, False)


def test_V12_the_turn_gains_1000_and_the_leader_loses_1000() -> None:
    assert worth("±1000, 1 1 1, 5 5 5, stop") == (1000, 1, False)
    assert refused("±1000, 1 1 1, stop") == "V12"
    pad = score(start(), 2000, 1000, plus_minus=1)
    assert pad.totals == [1000, 1000, 0]
    assert [pad.note_text(note) for note in pad.rounds[0].notes] == ["Ana was in the lead and loses 1000 points."]


def test_V12_nobody_loses_if_the_player_leads() -> None:
    assert score(start(), 2000, 0, 0, 1000, plus_minus=1).totals == [3000, 0, 0]
    assert score(start(), 2000, 2000, 0, 1000, plus_minus=1).totals == [3000, 2000, 0]
    assert score(start(), 1000, plus_minus=1).totals == [1000, 0, 0]


def test_V12_several_leaders_each_lose_and_each_card_counts() -> None:
    assert score(start(), 3000, 3000, 1000, plus_minus=1).totals == [2000, 2000, 1000]
    assert score(start(), 3000, 3000, 2050, plus_minus=2).totals == [1000, 1000, 2050]


def test_V12_no_score_falls_below_zero_unless_the_table_wants_it() -> None:
    assert score(start(), 500, 1000, plus_minus=1).totals == [0, 1000, 0]
    assert score(start(negative=True), 500, 1000, plus_minus=1).totals == [-500, 1000, 0]


@pytest.mark.parametrize(("points", "plus_minus"), [(950, 1), (1950, 2), (0, 1)])
def test_V12_a_turn_with_it_brings_at_least_1000(points: int, plus_minus: int) -> None:
    pad = score(start(), 2000)
    before = pad.view()
    with pytest.raises(InvalidEntry, match=r"scores at least .00 points.*\[V12\]|at least \d000 points.*\[V12\]"):
        score(pad, points, plus_minus=plus_minus)
    assert pad.view() == before


def test_V12_at_once_the_loss_stands_whatever_becomes_of_the_turn() -> None:
    lost = "±1000, 1 1 1, 5 5 5, double, bust"
    assert worth(lost) == (0, 0, False)
    assert worth(lost, leader_loses="at_once") == (0, 1, False)
    pad = score(start(leader_loses="at_once"), 2500, 2000, 0, plus_minus=2)
    assert pad.totals == [1500, 1000, 0]  # the second loss hits whoever leads after the first
    assert score(start(leader_loses="at_once"), 2500, 1000, plus_minus=1).totals == [1500, 1000, 0]
    with pytest.raises(InvalidEntry, match=r"\[V12\]"):
        score(start(leader_loses="at_once"), 2500, 950, plus_minus=1)


def test_V13_the_straight_brings_2000_and_ends_the_turn() -> None:
    assert worth("straight, 1 3, 2 4, 5, 6") == (2000, 0, False)
    assert worth("bonus 200, 1 1 1, 5 5 5, suite, 123456") == (3700, 0, False)
    assert worth("straight, 1 3, bust") == (0, 0, False)
    assert refused("straight, 1 3, stop") == "V13"
    assert refused("straight, 1 3, 3") == "V13"
    assert refused("straight, 1 1") == "V13"
    assert worth("straight, 123456, bonus 200, 1, stop", straight_goes_on=True) == (2100, 0, False)
    assert not start(straight_goes_on=True).reckon("straight, 123456").done


def test_V14_the_clover_wins_on_the_spot() -> None:
    assert worth("clover, 1 1 1, 5 5 5, 1 1 1, 5 5 5") == (0, 0, True)
    assert worth("bonus 200, 1 1 1, 5 5 5, clover, 1 1 1, bust") == (0, 0, False)
    assert refused("clover, 1 1 1, 5 5 5, stop") == "V14"
    pad = score(start(), 3000, 2000, 0, clover=True)
    assert (pad.over, pad.totals, pad.places) == (True, [3000, 2000, 0], [2, 3, 1])
    with pytest.raises(MatchOver):
        score(pad, 50)


def test_V14_the_turn_of_the_clover_writes_no_points() -> None:
    for more in ({"points": 500}, {"points": 0, "plus_minus": 1}):
        with pytest.raises(InvalidEntry, match=r"\[V14\]"):
            start().enter({**more, "clover": True})
    at_once = score(start(leader_loses="at_once"), 3000, 0, clover=True, plus_minus=1)
    assert (at_once.totals, at_once.places) == ([2000, 0, 0], [2, 1, 3])


def test_V15_whoever_has_the_fewest_points_has_one_more_turn() -> None:
    pad = score(start(4), 500, 6000)
    assert pad.form is not None and pad.form.seat == CLEO  # of the two with nothing, the first after Ben
    form = pad.form_view("fr")
    assert form is not None and form["title"] == "Dernier tour\N{NO-BREAK SPACE}: à Cleo de jouer."
    assert [note["type"] for note in pad.rounds[-1].notes] == ["last_turn"]
    pad = score(pad, 6000)
    assert (pad.over, pad.places) == (True, [3, 1, 1, 4])


def test_V15_it_is_the_last_turn() -> None:
    form = score(start(4), 500, 6000).form_view("en")
    assert form is not None and form["title"] == "Last turn: Cleo plays."


def test_V3_an_absurd_number_is_asked_about() -> None:
    (question,) = start().check({"points": 30000}).questions
    assert start().question_text(question) == "30000 points in one turn of Ana: is that right?"
    assert (question.key, question.field) == ("pad.ask.many_points", "points")
    assert not start().check({"points": 5000}).questions
    assert start().enter({"points": 30000}).totals == [30000, 0, 0]  # who says so writes it


def test_V15_the_match_ends_even_if_nobody_stands_at_the_target_any_more() -> None:
    pad = score(start(), 6000, 1000, plus_minus=1)
    assert (pad.over, pad.totals, pad.places) == (True, [5000, 1000, 0], [1, 2, 3])


def test_V15_another_target_and_finishing_the_lap() -> None:
    pad = score(start(target=1000, ending="round"), 0, 1000)
    assert not pad.over and pad.form is not None and pad.form.seat == CLEO
    pad = score(pad, 1500)
    assert (pad.over, pad.places) == (True, [3, 2, 1])
    assert score(start(target=1000, ending="round"), 0, 0, 1000).over
    assert not score(start(target=1050), 1000).over


def test_a_running_turn_tells_where_it_stands() -> None:
    turn = start().reckon("bonus 300, 1 5 5")
    assert not turn.done and turn.values["points"] == 200
    assert turn.facts == {"card": "bonus 300", "aside": [1, 5, 5], "dice": 3, "may_stop": True}
    assert start().reckon("").facts == {"card": None, "aside": [], "dice": 0, "may_stop": False}
    assert not start().reckon("±1000, 1").facts["may_stop"]


def test_steps_may_be_french_and_nonsense_is_refused() -> None:
    assert worth("feu d’artifice, garde 1, rien") == (100, 0, False)
    assert worth("trèfle; 1 1 1; perdu") == (0, 0, False)
    assert worth("500\n1 1 1\n5 5 5\nfin") == (2000, 0, False)
    for text in ("bonus 700", "bonus 200, 7", "bonus 200, 1, stop, 1", "bust"):
        refused(text)


options = st.fixed_dictionaries(
    {
        "target": st.sampled_from([1000, 3000]),
        "ending": st.sampled_from(["lowest", "round"]),
        "negative": st.booleans(),
        "leader_loses": st.sampled_from(["when_scored", "at_once"]),
        "straight_goes_on": st.booleans(),
    }
)


def turns(match: Match) -> list[tuple[dict[str, Any], str]]:
    """Every turn of a match as an entry, and step by step."""
    at_once = match.options["leader_loses"] == "at_once"
    found = []
    steps: list[str] = []
    losses = 0
    roll: list[int] = []
    for event in (event for step in match.events() for event in step):
        kind = event["type"]
        entry = None
        if kind == "card":
            steps.append("stop card" if event["card"] == "stop" else event["card"])
        elif kind == "roll":
            roll = event["dice"]
        elif kind == "keep":
            steps.append(" ".join(map(str, event["dice"])))
            roll = []
        elif kind == "straight_roll":
            steps.append(" ".join(map(str, event["new"])))
        elif kind == "stop":
            steps += [" ".join(map(str, scoring_dice(tuple(roll)))), "stop"]
        elif kind == "volle_lotte":
            losses += event["card"] == "plusminus"
            roll = []
        elif kind == "score":
            entry = {"points": event["points"], "plus_minus": losses, "clover": False}
        elif kind in ("bust", "no_new_face", "stop_card"):
            entry = {"points": 0, "plus_minus": losses if at_once else 0, "clover": False}
        elif kind == "clover_wins":
            entry = {"points": 0, "plus_minus": losses if at_once else 0, "clover": True}
        if kind in ("bust", "no_new_face", "burnt_out"):
            steps.append("bust")
        if entry is not None:
            found.append((entry, ", ".join(filter(None, steps))))
            steps, losses, roll = [], 0, []
    return found


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 8), options=options)
def test_the_pad_agrees_with_the_engine(seed: int, players: int, options: dict[str, Any]) -> None:
    match = played_at_random(GAME, players, seed, **options)
    pad = ludotheque.pad("volle_lotte", players, first=match.events()[0][0]["seat"], **options)
    for entry, steps in turns(match):
        turn = pad.reckon(steps)
        assert turn.done and turn.values == entry
        pad = pad.enter(entry)
    assert (pad.over, pad.totals, pad.places) == (True, match.scores, match.places)
    told = [(event["points"], event["scores"]) for event in match.rounds()]
    assert [(row.points, row.totals) for row in pad.rounds] == told
