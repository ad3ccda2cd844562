"""A story or more for each rule of Skip-Bo up to S13, named after its number in the ledger."""

from __future__ import annotations

from collections import Counter

import pytest

from ludotheque import InvalidMove, InvalidOptions
from ludotheque.core.match import Match
from tests.games.playing import refusal
from tests.games.skipbo.tables import (
    ANA,
    BEN,
    BOX,
    GAME,
    SINK,
    all_cards,
    at,
    hand,
    last_events,
    play,
    table,
)

# S1


def test_S1_the_box_has_162_cards() -> None:
    for players in (2, 3, 4):
        match = GAME.new(players=players, seed=players)
        assert Counter(all_cards(match)) == BOX
        assert len(all_cards(match)) == 162


# S2


def test_S2_everybody_gets_a_stock_of_30_and_the_rest_is_drawn_from() -> None:
    match = GAME.new(players=4, seed=1)
    t = table(match)
    assert [s["left"] for s in t["stocks"]] == [30, 30, 30, 30]
    assert t["draw"] == 162 - 4 * 30 - 5  # the first player has filled the hand


def test_S2_the_top_card_is_open_to_all_and_those_below_to_nobody() -> None:
    match = at([["7", "3", "9"], ["8", "4"]], hands=[["1"], []])
    for viewer in (None, ANA, BEN):
        stocks = table(match, viewer)["stocks"]
        assert stocks[ANA] == {"left": 3, "top": "7", "next": None}
        assert stocks[BEN] == {"left": 2, "top": "8", "next": None}
    other = at([["7", "9", "3"], ["8", "4"]], hands=[["1"], []])
    assert match.to_bytes() != other.to_bytes()
    assert match.concealed(ANA).tobytes() == other.concealed(ANA).tobytes()


def test_S2_a_played_stock_card_uncovers_the_next() -> None:
    match = play(at([["1", "9", "3"], ["12"]], hands=[["5"], []]), "S>1")
    assert table(match, BEN)["stocks"][ANA] == {"left": 2, "top": "9", "next": None}
    assert match.events(BEN)[-1][1] == {"type": "turn_up", "seat": ANA, "card": "9", "n": 2}


def test_S2_the_faster_game_has_smaller_stocks() -> None:
    assert [s["left"] for s in table(GAME.new(players=3, seed=1, stock=5))["stocks"]] == [5, 5, 5]
    for size in (4, 31):
        with pytest.raises(InvalidOptions):
            GAME.new(players=2, stock=size)


# S3


def test_S3_left_of_the_dealer_begins() -> None:
    dealers = set()
    for seed in range(60):
        match = GAME.new(players=3, seed=seed)
        dealer = table(match)["dealer"]
        assert match.actor == (dealer + 1) % 3
        dealers.add(dealer)
    assert dealers == {0, 1, 2}


def test_S3_the_deal_moves_left_each_round() -> None:
    match = at([["1"], ["9"], ["9"]], players=3, dealer=2, hands=[["5"], [], []], options={"match": "points"})
    play(match, "S>1")
    assert match.view()["round"] == 2
    assert table(match)["dealer"] == ANA
    assert match.actor == BEN


# S4


def test_S4_a_turn_begins_with_filling_the_hand_to_five() -> None:
    match = at(hands=[["1", "2", "3", "4", "5"], ["6", "7"]], draw=["8", "9", "10", "11", "..."])
    play(match, "5>d1")
    assert match.actor == BEN
    assert hand(match, BEN) == ["6", "7", "8", "9", "10"]
    assert match.events(BEN)[-1][-1]["cards"] == ["8", "9", "10"]
    assert match.events(ANA)[-1][-1] == {"type": "draw", "seat": BEN, "n": 3, "cards": None}


def test_S4_a_full_hand_draws_nothing() -> None:
    match = at(hands=[["1", "2"], ["1", "2", "3", "4", "5"]], draw=["8", "..."])
    play(match, "2>d1")
    assert hand(match, BEN) == ["1", "2", "3", "4", "5"]
    assert last_events(match) == ["discard"]


# S5


def test_S5_building_piles_go_up_one_by_one() -> None:
    match = at(built=[4, 0, 0, 0], hands=[["5", "6", "7", "4"], []])
    assert refusal(match, "6>1") == "S5"
    assert refusal(match, "4>1") == "S5"
    play(match, "5>1")
    assert refusal(match, "7>1") == "S5"
    play(match, "6>1", "7>1")
    assert table(match)["heights"] == [7, 0, 0, 0]
    assert match.actor == ANA


def test_S5_as_many_cards_as_wished_on_four_piles() -> None:
    match = at(built=[1, 2, 3, 4], hands=[["2", "3", "4", "5", "9"], []])
    assert table(match)["next"] == [2, 3, 4, 5]
    play(match, "2>1", "3>2", "4>3", "5>4")
    assert table(match)["heights"] == [2, 3, 4, 5]
    assert match.actor == ANA


# S6


def test_S6_cards_come_from_stock_discards_and_hand() -> None:
    match = at([["1", "9"], ["12"]], hands=[["2", "8"], []], discards=[[["3", "1"], [], ["4"], []], [[]] * 4])
    assert {m for m in match.legal() if m.endswith(">1")} == {"S>1"}
    play(match, "S>1", "2>1", "d1>1", "d3>1")
    assert table(match)["heights"] == [4, 0, 0, 0]
    assert table(match)["discards"][ANA] == [["1"], [], [], []]
    assert hand(match, ANA) == ["8"]


def test_S6_only_the_top_of_a_pile_can_be_played() -> None:
    match = at([["9", "1"], ["12"]], hands=[["8"], []], discards=[[["3", "1"], [], [], []], [[]] * 4])
    assert refusal(match, "S>1") == "S7"
    assert refusal(match, "d1>1") == "S7"
    assert refusal(match, "d2>1") == "S6"
    play(match, "8>d4")
    assert match.actor == BEN


def test_S6_others_piles_are_not_a_source() -> None:
    match = at([["9"], ["1", "5"]], hands=[["8"], []], discards=[[[]] * 4, [["1"], [], [], []]])
    assert not [m for m in match.legal() if m.split(">")[1] in "1234"]
    assert refusal(match, "pS>1") == "S14"
    assert refusal(match, "1>1") == ""


# S7


def test_S7_an_empty_place_is_started_with_a_1() -> None:
    match = at(hands=[["1", "2", "*"], []], built=[3, 0, 0, 0])
    assert refusal(match, "2>2") == "S7"
    assert "1>2" in match.legal() and "1>4" in match.legal()
    play(match, "1>2", "2>2")
    assert table(match)["heights"] == [3, 2, 0, 0]


@pytest.mark.parametrize("height", range(12))
def test_S7_a_skip_bo_stands_for_any_number(height: int) -> None:
    match = at([["10", "9"], ["10"]], hands=[["*", "5"], []], built=[height, 0, 0, 0])
    play(match, "*>1")
    assert table(match)["heights"][0] == (height + 1) % 12
    if height < 11:
        assert table(match)["built"][0][-1] == "*"


def test_S7_a_skip_bo_fits_on_every_pile() -> None:
    match = at(hands=[["*", "5"], []], built=[0, 3, 7, 10])
    assert [m for m in match.legal() if m.startswith("*>") and "d" not in m] == ["*>1", "*>2", "*>3", "*>4"]


def test_S7_a_skip_bo_on_top_of_the_stock_or_a_discard_pile_too() -> None:
    match = at([["*", "9"], ["12"]], hands=[["5"], []], discards=[[["*"], [], [], []], [[]] * 4], built=[5, 0, 0, 0])
    play(match, "S>2", "d1>1")
    assert table(match)["heights"] == [6, 1, 0, 0]


# S8


def test_S8_a_finished_pile_is_put_aside_at_once() -> None:
    match = at(hands=[["12", "1"], []], built=[11, 0, 0, 0])
    play(match, "12>1")
    t = table(match)
    assert t["heights"] == [0, 0, 0, 0]
    assert t["aside"] == 12
    assert last_events(match) == ["play", "pile_done"]
    play(match, "1>1")
    assert table(match)["heights"] == [1, 0, 0, 0]


def test_S8_a_skip_bo_put_aside_stays_a_skip_bo() -> None:
    pile = ["1", "2", "*", "4", "5", "6", "*", "8", "9", "10", "11"]
    match = at(hands=[["*", "1"], []], built=[pile, 0, 0, 0])
    play(match, "*>1")
    assert Counter(match.position()["table"]["aside"]) == Counter([*pile, "*"])
    assert Counter(all_cards(match)) == BOX


# S9


def test_S9_who_has_played_the_whole_hand_draws_five_more() -> None:
    match = at(
        hands=[["1", "2", "3", "4", "5"], []], draw=["6", "9", "9", "*", "1", "7", "..."], discards=[[[]] * 4] * 2
    )
    play(match, "1>1", "2>1", "3>1", "4>1")
    assert hand(match, ANA) == ["5"]
    play(match, "5>1")
    assert hand(match, ANA) == ["1", "6", "9", "9", "*"]
    assert match.actor == ANA
    play(match, "6>1")
    assert table(match)["heights"] == [6, 0, 0, 0]


def test_S9_the_hand_may_have_been_short() -> None:
    match = at(hands=[["1"], []], draw=["6", "9", "9", "*", "1", "7", "..."])
    play(match, "1>1")
    assert hand(match, ANA) == ["1", "6", "9", "9", "*"]


# S10


def test_S10_a_discard_ends_the_turn() -> None:
    match = at(hands=[["1", "9"], []])
    play(match, "9>d3")
    assert match.actor == BEN
    assert table(match)["discards"][ANA] == [[], [], ["9"], []]
    assert hand(match, ANA) == ["1"]


def test_S10_nobody_is_forced_to_play_before() -> None:
    match = at([["1", "2"], ["12"]], hands=[["1", "2"], []])
    assert {"1>d1", "1>d4", "2>d2"} <= set(match.legal())
    play(match, "1>d1")
    assert match.actor == BEN


def test_S10_discard_piles_take_any_card_in_any_order() -> None:
    pile = ["3", "*", "12", "3"] * 6
    match = at(hands=[["7", "9"], []], discards=[[pile[:12], [], [], []], [[]] * 4])
    play(match, "7>d1")
    assert table(match)["discards"][ANA][0] == ["7", *pile[:12]]


@pytest.mark.parametrize("height", [14, 15, 16, 29, 30, 31, 45, 60])
def test_S10_piles_can_grow_without_end(height: int) -> None:
    tall = [str(1 + n % 12) for n in range(height)]
    piles = [tall, ["4"], [str(12 - n % 12) for n in range(35)], ["*"] * 17]
    match = at(hands=[["7", "9"], []], discards=[piles, [["5"] * 3, [], [], []]])
    play(match, "7>d1")
    assert table(match)["discards"][ANA] == [["7", *tall], *piles[1:]]
    assert table(match)["discards"][BEN] == [["5"] * 3, [], [], []]
    match = at(hands=[["7", "9"], []], discards=[piles, [["5"] * 3, [], [], []]])
    for n in range(1, 13):
        play(match, "d1>1")  # the cards come up again in order
        assert table(match)["discards"][ANA] == [tall[n:], *piles[1:]]


def test_S10_stock_cards_are_never_discarded() -> None:
    match = at([["7"], ["12"]], hands=[["1"], []])
    with pytest.raises(InvalidMove):
        match.play("S>d1")
    assert refusal(match, "7>d1") == ""


def test_S10_a_turn_with_cards_in_hand_does_not_end_without_a_discard() -> None:
    assert refusal(at(hands=[["1"], []]), "end") == "S10"


# S11

DRAWN_12_TO_1 = [(0, n) for n in range(12, 0, -1)]
"""A shuffle of a pile 1 to 12 that puts the 12 on top, then the 11..."""


def test_S11_an_empty_draw_pile_is_remade_from_the_piles_put_aside_when_a_card_is_wanted() -> None:
    match = at(
        hands=[["5", "6", "7", "8", "4"], ["1"]], draw=["2", "3", "4", "5"], aside=1, discards=SINK, draws=DRAWN_12_TO_1
    )
    play(match, "5>d2")
    assert hand(match, BEN) == ["1", "2", "3", "4", "5"]
    assert table(match)["draw"] == 0
    assert table(match)["aside"] == 12  # nobody wants a card yet
    play(match, "1>1")
    assert table(match)["draw"] == 0
    play(match, "5>d1")
    assert hand(match, ANA) == ["4", "6", "7", "8", "12"]
    assert (table(match)["draw"], table(match)["aside"]) == (11, 0)
    assert last_events(match) == ["discard", "remake", "draw"]


def test_S11_the_last_cards_are_drawn_before_the_remake() -> None:
    match = at(hands=[["5"], ["1", "2"]], draw=["3"], aside=1, discards=SINK, draws=DRAWN_12_TO_1, played=True)
    play(match, "5>d2")
    assert hand(match, BEN) == ["1", "2", "3", "11", "12"]


def test_S11_building_and_discard_piles_do_not_come_back() -> None:
    match = at(hands=[["5"], ["1", "2"]], draw=[], aside=1, built=[11, 3, 0, 0], discards=SINK, played=True)
    play(match, "5>d2")
    assert table(match)["heights"] == [11, 3, 0, 0]
    assert len(table(match)["discards"][ANA][0]) > 100


def test_S11_fewer_cards_than_wanted_are_drawn() -> None:
    match = at(hands=[["5"], ["1"]], draw=["2", "3"], discards=SINK, played=True)
    play(match, "5>d2")
    assert hand(match, BEN) == ["1", "2", "3"]
    assert "end" not in match.legal()


def test_S11_without_a_hand_and_without_cards_the_turn_ends_without_a_discard() -> None:
    match = at([["1", "2", "9"], ["12"]], hands=[["3"], ["5"]], draw=[], discards=SINK)
    play(match, "S>1", "S>1", "3>1")
    assert hand(match, ANA) == []
    assert match.actor == ANA
    assert match.legal() == ["end"]
    play(match, "end")
    assert match.actor == BEN
    assert last_events(match) == ["ended"]


def test_S11_who_has_no_hand_may_play_on_and_need_not() -> None:
    match = at([["1", "2"], ["12"]], hands=[[], ["5"]], draw=[], discards=SINK)
    assert set(match.legal()) == {"S>1", "S>2", "S>3", "S>4", "end"}


def test_S11_cards_that_turn_up_in_the_turn_are_drawn() -> None:
    match = at(
        [["12", "2"], ["12"]], hands=[[], ["5"]], draw=[], built=[11, 0, 0, 0], discards=SINK, draws=DRAWN_12_TO_1
    )
    play(match, "S>1")
    assert last_events(match) == ["play", "turn_up", "pile_done", "remake", "draw"]
    assert hand(match, ANA) == ["8", "9", "10", "11", "12"]


def test_S11_a_round_in_which_nobody_can_play_or_discard_is_blocked() -> None:
    match = at([["5", "3"], ["7"]], hands=[["5"], []], draw=[], discards=SINK)
    play(match, "5>d2")
    assert match.over
    assert last_events(match) == ["discard", "round_end", "match_end"]
    assert match.rounds()[-1]["ending"] == "blocked"
    assert match.places == [2, 1]  # the smallest stock wins


def test_S11_it_is_blocked_in_the_middle_of_a_turn_too() -> None:
    match = at([["1", "3"], ["7"]], hands=[[], []], draw=[], discards=SINK)
    play(match, "S>1")
    assert match.over
    assert match.places == [1, 1]
    assert last_events(match) == ["play", "turn_up", "round_end", "match_end"]


def test_S11_somebody_who_can_still_discard_or_play_keeps_the_round_going() -> None:
    for seats in ([["5", "3"], ["1"]], [["5", "1"], ["7"]]):
        hands: list[list[str]] = [["5"], ["6"] if seats[1] == ["7"] else []]
        match = play(at(seats, hands=hands, draw=[], discards=SINK), "5>d2")
        assert not match.over
        assert match.actor == BEN


def test_S11_a_round_in_which_all_in_turn_end_without_a_card_is_blocked() -> None:
    match = at([["1", "3"], ["7"], ["8"]], players=3, hands=[[], [], []], draw=[], discards=[*SINK, [[]] * 4])
    play(match, "end", "end")
    assert not match.over
    play(match, "end")
    assert match.over
    assert match.places == [3, 1, 1]  # equal stocks share


def test_S11_a_card_in_between_begins_the_count_anew() -> None:
    discards = [SINK[0], [["1"], [], [], []]]
    match = at([["1", "3"], ["7"]], hands=[[], []], draw=[], discards=discards)
    play(match, "end", "d1>1", "end")
    assert not match.over
    play(match, "end")
    assert not match.over  # Ben's turn before had a card in it
    play(match, "end")
    assert match.over


def test_S11_teams_of_a_blocked_round_count_both_stocks() -> None:
    stocks = [["5", "3", "3"], ["7", "3"], ["8"], ["8", "3", "2"]]
    match = at(
        stocks,
        players=4,
        options={"teams": True},
        hands=[["5"], [], [], []],
        draw=[],
        discards=[*SINK, *[[[]] * 4] * 2],
    )
    play(match, "5>d2")
    assert match.places == [1, 3, 1, 3]  # 3 + 1 against 2 + 3, though the smallest stocks are 1 and 2
    assert match.scores == [56, 55, 56, 55]


# S12


def test_S12_the_first_without_stock_wins_whatever_else_is_left() -> None:
    match = at([["3"], ["9"]], hands=[["5", "6", "7"], ["1"]], built=[2, 0, 0, 0], discards=SINK, draw=["1"])
    play(match, "S>1")
    assert match.over and match.actor == -1
    assert match.places == [1, 2]
    assert last_events(match) == ["play", "stock_gone", "round_end", "match_end"]
    assert hand(match, ANA) == ["5", "6", "7"]


def test_S12_the_last_stock_card_may_finish_a_pile_or_be_a_skip_bo() -> None:
    match = play(at([["*"], ["9"]], hands=[["5"], []], built=[11, 0, 0, 0]), "S>1")
    assert match.places == [1, 2]
    assert Counter(all_cards(match)) == BOX


# S13


def test_S13_in_a_single_match_places_go_by_fewest_stock_cards() -> None:
    match = at([["1"], ["9", "9"], ["9"], ["9", "8"]], players=4, hands=[["5"], [], [], []], options={"stock": 5})
    play(match, "S>1")
    assert match.over
    assert match.places == [1, 3, 2, 3]
    assert match.scores == [5, 3, 4, 3]  # by how many cards each stock has shrunk
    assert match.rounds()[-1]["points"] == match.scores


def test_S13_the_winner_scores_25_and_5_for_each_card_in_the_others_stocks() -> None:
    stocks = [["1"], ["9"] * 6, ["8"] * 9]
    match = play(at(stocks, players=3, hands=[["5"], [], []], options={"match": "points"}), "S>1")
    assert match.scores == [100, 0, 0]
    assert match.rounds()[-1]["points"] == [100, 0, 0]
    assert match.rounds()[-1]["stocks"] == [0, 6, 9]
    assert not match.over
    assert [s["left"] for s in table(match)["stocks"]] == [30, 30, 30]  # the next round is dealt
    assert Counter(all_cards(match)) == BOX


def test_S13_the_first_to_reach_the_target_wins_the_match() -> None:
    options = {"match": "points", "target": 500}
    match = at([["1"], ["9"] * 6], hands=[["5"], []], points=[440, 495], options=options)
    play(match, "S>1")
    assert not match.over  # 495
    match = at([["1"], ["9"] * 6], hands=[["5"], []], points=[445, 495], options=options)
    play(match, "S>1")
    assert match.over
    assert match.scores == [500, 495]
    assert match.places == [1, 2]


def blocked_for_points(points: list[int]) -> Match:
    stocks = [["5", "3"], ["7", "3"], ["8"] * 4]
    options = {"match": "points", "target": 100}
    discards = [*SINK, [[]] * 4]
    match = at(stocks, players=3, hands=[["5"], [], []], draw=[], discards=discards, points=points, options=options)
    return play(match, "5>d2")


def test_S13_sharers_of_a_blocked_round_score_25_and_5_for_each_card_of_those_who_did_not_win() -> None:
    match = blocked_for_points([0, 0, 0])
    assert match.scores == [45, 45, 0]
    assert not match.over
    assert match.rounds()[-1]["seats"] == [ANA, BEN]


def test_S13_of_several_past_the_target_the_highest_wins() -> None:
    match = blocked_for_points([60, 70, 95])
    assert match.over
    assert match.scores == [105, 115, 95]
    assert match.places == [2, 1, 3]


def test_S13_equals_past_the_target_share_the_match() -> None:
    match = blocked_for_points([60, 60, 5])
    assert match.over
    assert match.places == [1, 1, 3]
