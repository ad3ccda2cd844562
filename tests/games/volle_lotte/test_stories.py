"""A story or more for each rule of Volle Lotte!, named after its number in the ledger: turns and endings."""

from __future__ import annotations

from collections import Counter

import pytest

import ludotheque
from ludotheque import InvalidMove
from tests.games.playing import refusal
from tests.games.volle_lotte.helpers import (
    ANA,
    BEN,
    BOX,
    CLEO,
    DAN,
    GAME,
    PLUS_MINUS,
    at,
    last_events,
    play,
    table,
)

# V1


def test_V1_the_box_has_56_cards_and_six_dice() -> None:
    match = GAME.new(players=2, seed=1)
    pile = match.position()["table"]["pile"]
    assert Counter(pile) == BOX
    assert len(pile) == 56
    match = at({"pile": ["double"]}, ["1 2 3 4 6 6"])
    play(match, "go")
    assert table(match)["roll"] == [1, 2, 3, 4, 6, 6]


# V2


def test_V2_a_turn_starts_with_a_card_for_all_to_see_and_six_dice() -> None:
    match = at({"actor": BEN, "pile": ["bonus 300"]}, ["1 1 3 4 6 6"])
    assert match.legal() == ["go"]
    play(match, "go")
    seen = match.events(None)[-1]
    assert (seen[0]["type"], seen[0]["seat"], seen[0]["card"]) == ("card", BEN, "bonus 300")
    assert seen[1]["dice"] == [1, 1, 3, 4, 6, 6]
    assert table(match)["card"] == "bonus 300"
    assert match.actor == BEN


def test_V2_turns_go_clockwise() -> None:
    match = at({"actor": CLEO, "pile": ["stop", "stop"]})
    play(match, "go")
    assert match.actor == ANA
    play(match, "go")
    assert match.actor == BEN


def test_V2_chance_decides_who_begins() -> None:
    assert {GAME.new(players=4, seed=seed).actor for seed in range(100)} == {0, 1, 2, 3}


def test_V2_turned_cards_go_to_the_discard() -> None:
    match = at({"pile": ["stop", "double", "bonus 200"]}, ["1 2 3 4 6 6"])
    play(match, "go", "go")
    seen = table(match)
    assert seen["pile"] == 54
    assert {kind: n for kind, n in seen["discard"].items() if n} == {"stop": 1, "double": 1}
    assert seen["left"]["stop"] == 9 and seen["left"]["double"] == 4 and seen["left"]["clover"] == 1


def test_V2_an_empty_pile_is_shuffled_when_a_card_is_wanted() -> None:
    match = at({"pile": ["stop"], "discard": {**BOX, "stop": 9}})
    play(match, "go")
    assert table(match)["pile"] == 0  # not before
    play(match, "go")
    assert last_events(match)[:2] == ["shuffle", "card"]
    position = match.position()["table"]
    assert len(position["pile"]) == 55
    assert Counter(position["pile"]) + Counter(position["discard"]) == BOX
    assert position["discard"] == {position["card"]: 1}


# V3


@pytest.mark.parametrize(
    ("roll", "points"),
    [
        ("1 2 3 4 6 6", 100),
        ("2 3 4 5 6 6", 50),
        ("1 1 2 3 4 5", 250),
        ("2 2 2 3 4 6", 200),
        ("2 3 3 3 4 6", 300),
        ("2 3 4 4 4 6", 400),
        ("2 3 4 5 5 5", 500),
        ("2 3 4 6 6 6", 600),
        ("1 1 1 2 3 4", 1000),
        ("1 1 1 1 2 3", 1100),
        ("2 2 2 2 3 4", 200),
        ("2 5 5 5 5 5", 600),
        ("1 1 1 5 5 6", 1100),
    ],
)
def test_V3_what_a_roll_scores(roll: str, points: int) -> None:
    match = at({"card": "bonus 200", "roll": roll})
    assert table(match)["roll_points"] == points
    play(match, "stop")
    assert match.scores[ANA] == points


@pytest.mark.parametrize(
    ("roll", "points"),
    [("1 1 1 1 1 1", 2000), ("5 5 5 5 5 5", 1000), ("2 2 2 2 2 2", 400), ("1 1 1 6 6 6", 1600)],
)
def test_V3_six_dice_that_all_score(roll: str, points: int) -> None:
    match = at({"card": "bonus 200", "roll": roll})
    play(match, "stop")
    assert match.scores[ANA] == points + 200


def test_V3_combinations_are_made_within_one_roll() -> None:
    match = at({"card": "bonus 200", "roll": "2 3 3 4 5 5"}, ["2 3 4 5"])
    play(match, "keep 5 5", "stop")
    assert match.scores[ANA] == 150  # not 500
    match = at({"card": "bonus 200", "roll": "1 1 2 3 3 4"}, ["1 2 3 4"])
    play(match, "keep 1 1", "stop")
    assert match.scores[ANA] == 300  # not 1000


def test_V3_a_die_counts_once() -> None:
    match = at({"card": "bonus 200", "roll": "2 3 4 5 5 5"}, ["1 2 3"])
    play(match, "keep 5 5 5", "stop")
    assert match.scores[ANA] == 600  # 500 and 100, no fifties besides


# V4


def test_V4_a_roll_without_a_scoring_die_loses_the_turn() -> None:
    match = at({"scores": [700, 0, 0], "pile": ["bonus 200"]}, ["2 2 3 3 4 6"])
    play(match, "go")
    assert match.scores == [700, 0, 0]
    assert match.actor == BEN


def test_V4_everything_of_the_turn_is_lost() -> None:
    facts = {"scores": [700, 0, 0], "card": "double", "turn_points": 850, "roll": "1 1 3 4 6 6"}
    match = at(facts, ["2 3 4 6"])
    play(match, "keep 1 1")
    assert match.scores == [700, 0, 0]
    assert match.actor == BEN
    assert {"type": "lost", "seat": ANA, "points": 1050} in match.events()[-1]
    assert table(match)["turn_points"] == table(match)["card_points"] == 0


# V5


def test_V5_stopping_scores_all_points_of_the_turn() -> None:
    facts = {
        "scores": [100, 0, 0],
        "card": "bonus 500",
        "turn_points": 750,
        "aside": "1 1",
        "roll": "1 2 5 6",
    }
    match = at(facts)
    assert table(match)["stop_points"] == 750 + 200 + 150
    play(match, "stop")
    assert match.scores == [100 + 1100, 0, 0]
    assert match.actor == BEN


def test_V5_every_scoring_die_of_the_last_roll_counts() -> None:
    match = at({"card": "double", "roll": "1 2 2 2 5 6"})
    play(match, "stop")
    assert match.scores[ANA] == 350


def test_V5_a_stop_that_uses_all_six_dice_is_a_volle_lotte() -> None:
    match = at({"card": "bonus 300", "aside": "1 1", "roll": "2 2 2 5"})
    play(match, "stop")
    assert match.scores[ANA] == 200 + 250 + 300
    assert "volle_lotte" in last_events(match)


# V6


def test_V6_any_scoring_dice_may_be_kept_but_at_least_one() -> None:
    match = at({"card": "bonus 200", "roll": "1 5 5 2 3 6"})
    keeps = {"keep 1", "keep 5", "keep 1 5", "keep 5 5", "keep 1 5 5"}
    assert set(match.legal()) == {"stop", *keeps}
    assert refusal(match, "go") == "V6"


def test_V6_threes_are_kept_whole() -> None:
    match = at({"card": "bonus 200", "roll": "2 2 2 1 1 1"})
    keeps = {"keep 1", "keep 1 1", "keep 1 1 1"}
    assert set(match.legal()) == {"stop", "keep 2 2 2", *keeps, *(k + " 2 2 2" for k in keeps)}
    for move in ("keep 2", "keep 2 2", "keep 1 2"):
        with pytest.raises(InvalidMove):
            match.play(move)


def test_V6_only_dice_of_the_roll_can_be_kept() -> None:
    match = at({"card": "bonus 200", "roll": "1 5 5 2 3 6"})
    assert refusal(match, "keep 1 1") == "V6"
    assert refusal(match, "keep 5 5 5") == "V6"


def test_V6_the_others_are_rolled_again() -> None:
    match = at({"card": "bonus 200", "roll": "1 5 5 2 3 6"}, ["1 2 2 3 4"])
    play(match, "keep 1")
    seen = table(match)
    assert (seen["aside"], seen["roll"], seen["card_points"]) == ([1], [1, 2, 2, 3, 4], 100)
    assert match.actor == ANA


@pytest.mark.parametrize("card", ["fireworks", "plusminus", "clover", "double", "bonus 600"])
def test_V6_the_choice_is_free_under_every_card(card: str) -> None:
    match = at({"card": card, "roll": "1 5 2 3 4 6"})
    assert {"keep 1", "keep 5", "keep 1 5"} <= set(match.legal())


def test_V6_but_not_under_the_straight() -> None:
    match = at({"card": "straight", "roll": "1 5 5 2 2 6"})
    assert match.legal() == ["go"]
    assert refusal(match, "keep 1") == "V13"


# V7


def test_V7_after_a_volle_lotte_stop() -> None:
    match = at({"card": "bonus 300", "aside": "1 1", "roll": "2 2 2 5"})
    play(match, "keep 2 2 2 5")
    assert match.actor == ANA
    assert match.legal() == ["stop", "go"]
    assert table(match)["turn_points"] == 750
    play(match, "stop")
    assert match.scores == [750, 0, 0]


def test_V7_after_a_volle_lotte_go_on_with_a_new_card_and_six_dice() -> None:
    match = at({"card": "bonus 300", "aside": "1 1", "roll": "2 2 2 5", "pile": ["double"]}, ["1 2 3 4 6 6"])
    play(match, "keep 2 2 2 5", "go")
    seen = table(match)
    assert (seen["card"], seen["roll"], seen["aside"]) == ("double", [1, 2, 3, 4, 6, 6], [])
    assert (seen["turn_points"], seen["card_points"]) == (750, 0)
    play(match, "stop")
    assert match.scores == [850, 0, 0]


def test_V7_a_volle_lotte_comes_in_several_rolls() -> None:
    match = at({"pile": ["bonus 200"]}, ["1 2 3 4 6 6", "5 2 3 4 6", "2 2 2 3", "1"])
    play(match, "go", "keep 1", "keep 5", "keep 2 2 2", "keep 1")
    assert last_events(match) == ["keep", "volle_lotte"]
    assert table(match)["aside"] == [1, 1, 2, 2, 2, 5]
    assert table(match)["turn_points"] == 100 + 50 + 200 + 100 + 200


def test_V7_dice_that_all_score_may_be_kept_in_part() -> None:
    match = at({"card": "bonus 200", "aside": "1 1 1", "roll": "1 5 5"}, ["2 3"])
    assert "keep 1" in match.legal()
    play(match, "keep 1")
    assert match.scores == [0, 0, 0]  # and it went wrong
    assert match.actor == BEN


def test_V7_there_is_nothing_to_keep_after_a_volle_lotte() -> None:
    match = at({"card": "bonus 200", "aside": "1 1 1 1 1 1", "turn_points": 2200})
    assert refusal(match, "keep 1") == "V7"


# V15


def test_V15_at_the_target_the_lowest_has_one_more_turn() -> None:
    facts = {
        "scores": [5500, 3000, 1200, 2000],
        "card": "bonus 200",
        "roll": "2 3 4 5 5 5",
        "pile": ["double"],
    }
    match = at(facts, ["1 2 3 4 6 6"], players=4)
    play(match, "stop")
    assert match.scores[ANA] == 6000
    assert not match.over and match.actor == CLEO
    assert last_events(match)[-1] == "last_turn"
    play(match, "go", "stop")
    assert match.over
    assert match.ranking == [[ANA], [BEN], [DAN], [CLEO]]


def test_V15_below_the_target_play_goes_on() -> None:
    match = at({"scores": [5500, 3000, 1200], "card": "bonus 200", "roll": "2 3 4 4 4 6"})
    play(match, "stop")
    assert match.scores[ANA] == 5900
    assert match.actor == BEN and not table(match)["closing"]


def test_V15_of_several_lowest_the_first_after_who_reached_it() -> None:
    facts = {"scores": [1200, 5500, 3000, 1200], "actor": BEN, "card": "bonus 200", "roll": "2 3 4 5 5 5"}
    match = at(facts, players=4)
    play(match, "stop")
    assert match.actor == DAN


def test_V15_the_lowest_is_found_after_the_leaders_loss() -> None:
    facts = {**PLUS_MINUS, "scores": [5000, 5900, 5300], "turn_points": 500}
    match = at(facts)
    play(match, "keep 1 3 3 3", "stop")
    assert match.scores == [6500, 4900, 5300]
    assert match.actor == BEN


def test_V15_the_highest_score_wins_whoever_reached_the_target() -> None:
    facts = {
        "scores": [6000, 5900],
        "closing": True,
        "actor": BEN,
        "card": "bonus 600",
        "roll": "1 5 5 2 3 6",
    }
    match = at(facts, players=2)
    play(match, "stop")
    assert match.over
    assert match.ranking == [[BEN], [ANA]]


def test_V15_equal_highest_scores_share_the_win() -> None:
    facts = {
        "scores": [6000, 5900],
        "closing": True,
        "actor": BEN,
        "card": "bonus 600",
        "roll": "1 2 2 3 4 6",
    }
    match = at(facts, players=2)
    play(match, "stop")
    assert match.over
    assert match.ranking == [[ANA, BEN]]


def test_V15_that_turn_closes_the_match_even_below_the_target() -> None:
    facts = {**PLUS_MINUS, "scores": [6000, 1000, 2000], "closing": True, "actor": BEN}
    match = at(facts)
    play(match, "keep 1 3 3 3", "stop")
    assert match.over
    assert match.scores == [5000, 2000, 2000]
    assert match.ranking == [[ANA], [BEN, CLEO]]


def test_V15_a_lost_last_turn_ends_the_match_too() -> None:
    match = at({"scores": [6000, 0, 0], "closing": True, "actor": BEN, "pile": ["stop"]})
    play(match, "go")
    assert match.over


def test_V15_the_clover_can_still_win_the_last_turn() -> None:
    facts = {"scores": [6000, 0], "closing": True, "actor": BEN, "card": "clover", "lottes": 1}
    match = at({**facts, "roll": "1 1 1 5 5 5"}, players=2)
    play(match, "keep 1 1 1 5 5 5")
    assert match.over
    assert match.ranking == [[BEN], [ANA]]


@pytest.mark.parametrize("target", [1000, 6000, 20000])
def test_V15_the_target_can_be_chosen(target: int) -> None:
    facts = {"scores": [target - 200, 0, 0], "card": "bonus 200"}
    match = at({**facts, "roll": "1 1 2 3 4 6"}, target=target)
    play(match, "stop")
    assert table(match)["closing"]
    match = at({**facts, "roll": "1 5 2 3 4 6"}, target=target)
    play(match, "stop")
    assert not table(match)["closing"]


@pytest.mark.parametrize("target", [999, 20001])
def test_V15_the_target_has_bounds(target: int) -> None:
    with pytest.raises(ludotheque.InvalidOptions):
        GAME.new(players=2, target=target)


def test_V15_round_everybody_up_to_the_seat_before_the_first_finishes() -> None:
    # Cleo began; Dan reaches the target, Ana and Ben play once more.
    facts = {"first": CLEO, "actor": DAN, "scores": [1000, 500, 3000, 5900], "card": "double"}
    match = at({**facts, "roll": "1 2 2 3 4 6", "pile": ["stop", "stop"]}, players=4, ending="round")
    play(match, "stop")
    assert match.actor == ANA
    assert last_events(match)[-1] == "last_lap"
    play(match, "go")
    assert match.actor == BEN and not match.over
    play(match, "go")
    assert match.over
    assert match.ranking[0] == [DAN]


def test_V15_round_ends_at_once_if_the_lap_is_complete() -> None:
    facts = {
        "first": CLEO,
        "actor": BEN,
        "scores": [1000, 5900, 3000],
        "card": "double",
        "roll": "1 2 2 3 4 6",
    }
    match = at(facts, ending="round")
    play(match, "stop")
    assert match.over


def test_V15_round_the_first_player_reaches_it_and_all_others_follow() -> None:
    facts = {
        "first": CLEO,
        "actor": CLEO,
        "scores": [1000, 500, 5900],
        "card": "double",
        "roll": "1 2 2 3 4 6",
    }
    match = at({**facts, "pile": ["stop", "stop"]}, ending="round")
    play(match, "stop", "go", "go")
    assert match.over
    assert [step[0]["seat"] for step in match.events()[-2:]] == [ANA, BEN]


def test_rounds_are_laps_of_the_table() -> None:
    facts = {"first": BEN, "actor": ANA, "scores": [0, 350, 0], "lap_points": [0, 350, 0], "card": "double"}
    match = at({**facts, "roll": "1 2 2 3 4 6", "round": 4})
    play(match, "stop")
    assert match.rounds() == [{"type": "round_end", "round": 4, "points": [100, 350, 0], "scores": [100, 350, 0]}]
    assert match.view()["round"] == 5


def test_the_last_turn_belongs_to_the_round_in_which_the_target_was_reached() -> None:
    facts = {"first": ANA, "actor": CLEO, "scores": [0, 2000, 5900], "card": "double", "roll": "1 2 2 3 4 6"}
    match = at({**facts, "pile": ["stop"]})
    play(match, "stop")
    assert match.actor == ANA and match.rounds() == []
    play(match, "go")
    assert match.over
    assert [end["points"] for end in match.rounds()] == [[0, 0, 100]]


def test_a_turn_is_held_where_scores_still_fit_the_record() -> None:
    match = at({"card": "double", "turn_points": 99_000_000, "roll": "1 1 1 5 5 5"})
    play(match, "stop")
    assert match.scores[ANA] == 100_000_000
    facts = {"card": "double", "aside": "1 1 1 5 5 5", "turn_points": 100_000_000, "pile": ["straight"]}
    match = at(facts, ["1 2 3 4 5 6"])
    play(match, "go")
    assert match.scores[ANA] == 100_000_000
