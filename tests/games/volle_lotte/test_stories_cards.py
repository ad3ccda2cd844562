"""A story or more for each card of Volle Lotte!, named after its rule's number in the ledger."""

from __future__ import annotations

import pytest

from tests.games.playing import refusal
from tests.games.volle_lotte.helpers import ANA, BEN, CLEO, DAN, GAME, PLUS_MINUS, at, last_events, play, table

# V8


def test_V8_a_stop_ends_the_turn() -> None:
    match = at({"scores": [50, 0, 0], "pile": ["stop"]})
    play(match, "go")
    assert match.scores == [50, 0, 0]
    assert match.actor == BEN
    assert last_events(match) == ["card", "stop_card"]


def test_V8_a_stop_loses_the_points_of_the_turn() -> None:
    match = at({"card": "bonus 200", "aside": "1 1 1 1 1 1", "turn_points": 2200, "pile": ["stop"]})
    play(match, "go")
    assert match.scores == [0, 0, 0]
    assert {"type": "lost", "seat": ANA, "points": 2200} in match.events()[-1]
    assert match.actor == BEN


# V9


def test_V9_no_stopping_under_fireworks() -> None:
    match = at({"card": "fireworks", "roll": "1 5 2 3 4 6"})
    assert refusal(match, "stop") == "V9"
    assert refusal(at({"card": "fireworks", "roll": "1 1 1 5 5 5"}), "stop") == "V9"


def test_V9_fireworks_score_when_a_roll_does_not() -> None:
    match = at({"scores": [100, 0, 0], "pile": ["fireworks"]}, ["1 5 2 3 4 6", "1 2 3 4", "2 3 4"])
    play(match, "go", "keep 1 5", "keep 1")
    assert match.scores == [100 + 250, 0, 0]
    assert match.actor == BEN


def test_V9_points_of_earlier_cards_are_scored_too() -> None:
    facts = {"card": "bonus 200", "aside": "1 1 1 1 1 1", "turn_points": 2200, "pile": ["fireworks"]}
    match = at(facts, ["2 2 3 3 4 6"])
    play(match, "go")
    assert match.scores == [2200, 0, 0]
    assert last_events(match) == ["card", "roll", "burnt_out", "score"]


def test_V9_after_a_volle_lotte_six_dice_and_no_new_card() -> None:
    match = at({"card": "fireworks", "aside": "1 1", "roll": "2 2 2 5"}, ["5 2 2 3 4 6", "2 3 3 4 6"])
    play(match, "keep 2 2 2 5")
    seen = table(match)
    assert (seen["card"], seen["pile"], len(seen["roll"]), seen["aside"]) == ("fireworks", 55, 6, [])
    assert seen["turn_points"] == 450
    play(match, "keep 5")
    assert match.scores == [500, 0, 0]


def test_V9_by_default_nobody_may_stop() -> None:
    assert GAME.new(2, seed=1).options["fireworks_stop"] is False
    assert table(at({"card": "fireworks", "roll": "1 5 2 3 4 6"}))["stop_points"] is None


def test_V9_by_fireworks_stop_the_player_may_stop_after_any_scoring_roll() -> None:
    facts = {"scores": [100, 0, 0], "pile": ["fireworks"]}
    match = at(facts, ["1 5 2 3 4 6", "1 1 3 4"], fireworks_stop=True)
    play(match, "go")
    assert set(match.legal()) == {"stop", "keep 1", "keep 5", "keep 1 5"}
    assert table(match)["stop_points"] == 150
    assert play(match.copy(), "stop").scores == [250, 0, 0]
    play(match, "keep 1 5")
    assert table(match)["stop_points"] == 350
    play(match, "stop")
    assert last_events(match) == ["stop", "score"]
    assert match.scores == [100 + 150 + 200, 0, 0]
    assert match.actor == BEN


def test_V9_by_fireworks_stop_earlier_cards_are_scored_too() -> None:
    facts = {"card": "fireworks", "roll": "5 2 2 3 4 6", "turn_points": 2200, "losses": 1, "scores": [0, 3000, 0]}
    match = play(at(facts, fireworks_stop=True), "stop")
    assert match.scores == [2250, 2000, 0]


def test_V9_by_fireworks_stop_a_stop_with_all_dice_is_a_volle_lotte() -> None:
    match = at({"card": "fireworks", "aside": "1 1", "roll": "2 2 2 5"}, fireworks_stop=True)
    assert table(match)["stop_points"] == 450
    play(match, "stop")
    assert last_events(match) == ["stop", "volle_lotte", "score"]
    assert match.scores == [450, 0, 0]


def test_V9_by_fireworks_stop_going_on_is_as_before() -> None:
    # after a Volle Lotte six dice and no new card; a roll that does not score ends and scores the turn
    match = at(
        {"card": "fireworks", "aside": "1 1", "roll": "2 2 2 5"}, ["5 2 2 3 4 6", "2 3 3 4 6"], fireworks_stop=True
    )
    play(match, "keep 2 2 2 5")
    assert (table(match)["card"], len(table(match)["roll"]), table(match)["stop_points"]) == ("fireworks", 6, 500)
    play(match, "keep 5")
    assert last_events(match) == ["keep", "roll", "burnt_out", "score"]
    assert match.scores == [500, 0, 0]


@pytest.mark.parametrize("card, rule", [("plusminus", "V12"), ("straight", "V13"), ("clover", "V14")])
def test_V9_fireworks_stop_is_about_fireworks_only(card: str, rule: str) -> None:
    assert refusal(at({"card": card, "roll": "1 5 2 3 4 4"}, fireworks_stop=True), "stop") == rule


# V10


@pytest.mark.parametrize("bonus", [200, 300, 400, 500, 600])
def test_V10_the_bonus_is_for_a_volle_lotte(bonus: int) -> None:
    match = at({"card": f"bonus {bonus}", "turn_points": 50, "aside": "1 1 1 1 1", "card_points": 500, "roll": "5"})
    play(match, "keep 5", "stop")
    assert match.scores[ANA] == 50 + 500 + 50 + bonus


def test_V10_no_bonus_for_stopping_before() -> None:
    match = at({"card": "bonus 600", "aside": "1 1 1", "roll": "1 5 2"})
    play(match, "stop")
    assert match.scores[ANA] == 1150


# V11


def test_V11_double_counts_everything_so_far() -> None:
    # A bonus card brought 750, a ±1000 the rest.
    match = at({"card": "double", "turn_points": 1750, "losses": 1, "aside": "1 5", "roll": "3 3 3 1"})
    play(match, "keep 1 3 3 3")
    assert table(match)["turn_points"] == 2 * (1750 + 150 + 400)
    play(match, "stop")
    assert match.scores[ANA] == 4600


def test_V11_a_leaders_loss_is_not_doubled() -> None:
    facts = {
        "scores": [0, 5000, 0],
        "card": "double",
        "turn_points": 1000,
        "losses": 1,
        "roll": "1 1 1 1 1 1",
    }
    match = at(facts, target=20000)
    play(match, "stop")
    assert match.scores == [2 * (1000 + 2000), 4000, 0]


def test_V11_nothing_is_doubled_for_stopping_before() -> None:
    match = at({"card": "double", "turn_points": 300, "aside": "1 1", "roll": "5 2 3 4"})
    play(match, "stop")
    assert match.scores[ANA] == 550


def test_V11_a_second_double_doubles_again() -> None:
    facts = {"card": "double", "aside": "1 1", "roll": "2 2 2 5", "pile": ["double"]}
    match = at(facts, ["1 1 1 5 5 5"], target=20000)
    play(match, "keep 2 2 2 5", "go", "stop")
    assert match.scores[ANA] == 2 * (2 * 450 + 1500)


# V12


def test_V12_no_stopping_before_a_volle_lotte() -> None:
    assert refusal(at({"card": "plusminus", "roll": "1 1 1 5 5 6"}), "stop") == "V12"


def test_V12_a_stop_that_makes_the_volle_lotte_is_allowed() -> None:
    match = at({**PLUS_MINUS, "scores": [1800, 3100, 2400]})
    play(match, "stop")
    assert match.scores == [2800, 2100, 2400]


def test_V12_exactly_1000_and_the_leader_loses_as_much() -> None:
    match = at({**PLUS_MINUS, "scores": [1800, 3100, 2400], "turn_points": 750})
    play(match, "keep 1 3 3 3")
    assert table(match)["turn_points"] == 1750
    assert match.scores == [1800, 3100, 2400]  # not before the turn is scored
    assert match.legal() == ["stop", "go"]
    play(match, "stop")
    assert match.scores == [3550, 2100, 2400]
    assert match.events()[-1][-1] == {"type": "leader_loses", "seats": [BEN], "points": 1000, "n": 1}


def test_V12_nobody_loses_if_the_player_leads() -> None:
    match = at({**PLUS_MINUS, "scores": [3100, 1800, 2400]})
    play(match, "keep 1 3 3 3", "stop")
    assert match.scores == [4100, 1800, 2400]


def test_V12_nobody_loses_if_the_player_shares_the_lead() -> None:
    match = at({**PLUS_MINUS, "scores": [3100, 3100, 2400]})
    play(match, "keep 1 3 3 3", "stop")
    assert match.scores == [4100, 3100, 2400]


def test_V12_the_leader_is_found_before_this_turns_points() -> None:
    match = at({**PLUS_MINUS, "scores": [1800, 3100, 2400], "turn_points": 3000})
    play(match, "keep 1 3 3 3", "stop")
    assert match.scores == [5800, 2100, 2400]  # Ana leads now, but did not before


def test_V12_several_leaders_each_lose() -> None:
    match = at({**PLUS_MINUS, "scores": [1800, 3100, 2400, 3100]}, players=4)
    play(match, "keep 1 3 3 3", "stop")
    assert match.scores == [2800, 2100, 2400, 2100]


def test_V12_two_of_them_cost_2000() -> None:
    facts = {**PLUS_MINUS, "scores": [0, 3100, 2400], "pile": ["plusminus"]}
    match = at(facts, ["1 1 1 5 5 5"])
    play(match, "keep 1 3 3 3", "go", "keep 1 1 1 5 5 5", "stop")
    assert match.scores == [2000, 1100, 2400]


def test_V12_a_score_does_not_fall_below_zero() -> None:
    facts = {**PLUS_MINUS, "scores": [0, 600, 400]}
    match = at(facts)
    play(match, "keep 1 3 3 3", "stop")
    assert match.scores == [1000, 0, 400]
    match = at(facts, negative=True)
    play(match, "keep 1 3 3 3", "stop")
    assert match.scores == [1000, -400, 400]


def test_V12_gain_and_loss_go_with_the_turn() -> None:
    facts = {**PLUS_MINUS, "scores": [1800, 2400, 3100], "pile": ["stop", "double"]}
    match = at(facts, ["1 2 2 3 4 6"])
    play(match, "keep 1 3 3 3", "go")
    assert match.scores == [1800, 2400, 3100]
    play(match, "go", "stop")  # nothing of it is left for Ben's turn
    assert match.scores == [1800, 2500, 3100]


def test_V12_the_loss_is_written_when_fireworks_score_the_turn() -> None:
    facts = {**PLUS_MINUS, "scores": [1800, 3100, 2400], "pile": ["fireworks"]}
    match = at(facts, ["2 2 3 3 4 6"])
    play(match, "keep 1 3 3 3", "go")
    assert match.scores == [2800, 2100, 2400]


def test_V12_at_once_the_loss_stands_whatever_becomes_of_the_turn() -> None:
    facts = {**PLUS_MINUS, "scores": [1800, 3100, 2400], "pile": ["stop"]}
    match = at(facts, leader_loses="at_once")
    play(match, "keep 1 3 3 3")
    assert match.scores == [1800, 2100, 2400]
    play(match, "go")
    assert match.scores == [1800, 2100, 2400]


def test_V12_at_once_the_loss_is_taken_once() -> None:
    match = at({**PLUS_MINUS, "scores": [1800, 3100, 2400]}, leader_loses="at_once")
    play(match, "keep 1 3 3 3", "stop")
    assert match.scores == [2800, 2100, 2400]


def test_V12_at_once_the_second_loss_is_for_who_leads_then() -> None:
    facts = {**PLUS_MINUS, "scores": [1800, 3100, 2400], "pile": ["plusminus"]}
    match = at(facts, ["1 1 1 5 5 5"], leader_loses="at_once")
    play(match, "keep 1 3 3 3", "go", "keep 1 1 1 5 5 5")
    assert match.scores == [1800, 2100, 1400]


def test_V12_a_roll_that_fails_loses_the_turn() -> None:
    match = at({"card": "plusminus", "turn_points": 600, "scores": [0, 900, 0], "roll": "1 2 3 4 6 6"}, ["2 3 4 6 6"])
    play(match, "keep 1")
    assert match.scores == [0, 900, 0]


# V13


def test_V13_all_new_faces_are_set_aside_and_the_rest_is_rolled() -> None:
    match = at({"pile": ["straight"]}, ["1 1 3 3 5 5", "3 4 6"])
    play(match, "go")
    assert match.legal() == ["go"]
    assert table(match)["new_faces"] == [1, 3, 5]
    play(match, "go")
    seen = table(match)
    assert (seen["aside"], seen["roll"], seen["new_faces"]) == ([1, 3, 5], [3, 4, 6], [4, 6])


def test_V13_six_faces_are_2000_points_and_end_the_turn() -> None:
    facts = {"card": "straight", "scores": [100, 0, 0], "turn_points": 750, "aside": "1 3 5", "roll": "3 4 6"}
    match = at(facts, ["2"])
    play(match, "go")
    assert match.scores == [100 + 750 + 2000, 0, 0]
    assert match.actor == BEN


def test_V13_a_straight_in_one_roll() -> None:
    match = at({"pile": ["straight"]}, ["6 5 4 3 2 1"])
    play(match, "go")
    assert match.scores == [2000, 0, 0]


def test_V13_a_roll_without_a_new_face_loses_the_turn() -> None:
    match = at({"card": "straight", "turn_points": 750, "aside": "1 3 5", "roll": "3 4 6"}, ["1"])
    play(match, "go")
    assert match.scores == [0, 0, 0]
    assert match.actor == BEN
    assert last_events(match) == ["roll", "no_new_face", "lost"]


def test_V13_no_stopping_before() -> None:
    assert refusal(at({"card": "straight", "aside": "1 3 5", "roll": "3 4 6"}), "stop") == "V13"


def test_V13_dice_bring_no_points_of_their_own() -> None:
    match = at({"card": "straight", "roll": "1 1 1 5 5 5"})
    assert table(match)["roll_points"] == 0


def test_V13_with_the_option_a_straight_is_like_a_volle_lotte() -> None:
    facts = {"card": "straight", "turn_points": 50, "aside": "1 3 5", "roll": "3 4 6", "pile": ["double"]}
    match = at(facts, ["2", "1 1 1 5 5 5"], straight_goes_on=True, target=20000)
    play(match, "go")
    assert match.legal() == ["stop", "go"]
    assert match.scores == [0, 0, 0]
    stopped = match.copy()
    play(stopped, "stop")
    assert stopped.scores == [2050, 0, 0]
    play(match, "go", "stop")
    assert match.scores == [2 * (2050 + 1500), 0, 0]


# V14


def test_V14_two_volle_lotte_win_on_the_spot() -> None:
    facts = {"card": "clover", "scores": [0, 5000, 300], "turn_points": 900, "roll": "1 1 1 5 5 5"}
    match = at(facts, ["1 1 1 1 2 3", "5 5"])
    play(match, "keep 1 1 1 5 5 5")
    seen = table(match)
    assert (seen["card"], seen["pile"], seen["roll"], seen["lottes"]) == ("clover", 55, [1, 1, 1, 1, 2, 3], 1)
    play(match, "keep 1 1 1 1", "keep 5 5")
    assert match.over
    assert match.scores == [0, 5000, 300]  # the turn is not written
    assert match.ranking == [[ANA], [BEN], [CLEO]]


def test_V14_the_others_are_ranked_by_score() -> None:
    facts = {"card": "clover", "lottes": 1, "scores": [700, 300, 700, 900], "roll": "1 1 1 5 5 5"}
    match = at(facts, players=4)
    play(match, "keep 1 1 1 5 5 5")
    assert match.ranking == [[ANA], [DAN], [CLEO], [BEN]]
    match = at({**facts, "scores": [0, 300, 700, 300]}, players=4)
    play(match, "keep 1 1 1 5 5 5")
    assert match.places == [1, 3, 2, 3]


def test_V14_anything_else_scores_nothing() -> None:
    facts = {"card": "clover", "lottes": 1, "turn_points": 900, "aside": "1 1", "roll": "5 2 3 4"}
    match = at(facts, ["2 3 4"])
    play(match, "keep 5")
    assert match.scores == [0, 0, 0]
    assert match.actor == BEN and not match.over


def test_V14_no_stopping() -> None:
    assert refusal(at({"card": "clover", "roll": "1 2 3 4 6 6"}), "stop") == "V14"
    assert refusal(at({"card": "clover", "lottes": 1, "roll": "1 1 1 5 5 5"}), "stop") == "V14"


def test_V14_a_volle_lotte_of_an_earlier_card_does_not_count() -> None:
    facts = {"card": "double", "aside": "1 1 1 1 1 1", "turn_points": 4000, "pile": ["clover"]}
    match = at(facts, ["1 1 1 5 5 5", "2 2 3 3 4 6"])
    play(match, "go", "keep 1 1 1 5 5 5")
    assert not match.over
    assert match.scores == [0, 0, 0]
