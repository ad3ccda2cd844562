"""A story or more for each rule of LOBO 77, named after its number in the ledger."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ludotheque import IllegalMove, InvalidPosition, MatchOver
from ludotheque.core.chance import script
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.jit import plain
from ludotheque.games.lobo77 import rules
from tests.games.lobo77.helpers import (
    ACTIONS,
    ANA,
    BEN,
    BOX,
    CLEO,
    DAN,
    DOUBLETS,
    EIGHT,
    EVA,
    FIFTEEN,
    GAME,
    NAMES,
    NUMBERS,
    at,
    events,
    hand,
    in_order,
    pile,
    play,
    says,
    table,
)
from tests.games.playing import refusal

# L1


def test_L1_the_box_has_55_cards() -> None:
    assert len(BOX) == 55
    for players in (2, 8):
        start = GAME.new(players, seed=1).position()["table"]
        dealt = [card for cards in start["hands"] for card in cards]
        assert Counter(dealt + start["draw"]) == Counter(BOX)


def test_L1_a_position_has_each_card_as_often_as_the_box() -> None:
    with pytest.raises(InvalidPosition, match="not so many of these cards: 44"):
        at("44", "44")
    with pytest.raises(InvalidPosition, match="not so many of these cards: 7"):
        at("7 7 7 7", "2")
    with pytest.raises(InvalidPosition, match="missing"):
        at("7", "2", table={"draw": ["9"], "played": ["8"]})


# L2


def test_L2_everybody_starts_with_three_tokens_or_as_many_as_agreed() -> None:
    assert GAME.new(3, seed=1).scores == [3, 3, 3]
    for tokens in range(1, 7):
        assert GAME.new(2, seed=1, tokens=tokens).scores == [tokens, tokens]
    for tokens in (0, 7):
        with pytest.raises(InvalidOptions):
            GAME.new(2, seed=1, tokens=tokens)


# L3


@pytest.mark.parametrize("players", range(2, 9))
def test_L3_five_cards_each_and_the_rest_is_the_draw_pile(players: int) -> None:
    seen = table(GAME.new(players, seed=1))
    assert seen["hand_sizes"] == [5] * players
    assert seen["draw_pile"] == 55 - 5 * players
    assert seen["played"] == []


def test_L3_a_new_round_deals_to_those_still_in() -> None:
    match = at("10", "2", "-", "3", table={"total": 70, "out": [CLEO]})
    play(match, "10")
    seen = table(match)
    assert (match.view()["round"], seen["hand_sizes"], seen["draw_pile"]) == (2, [5, 5, 0, 5], 40)
    assert seen["played"] == []


# L4


@pytest.mark.parametrize("dealer", range(4))
def test_L4_chance_names_the_first_dealer_and_left_of_the_dealer_opens(dealer: int) -> None:
    buf = np.zeros(GAME.info.state.itemsize, np.uint8)
    s = GAME.read(buf)
    s.num_seats = 4
    script(s, [(dealer, 4)])
    plain(rules.new_match)(s, GAME.options(4, {}).codes)
    assert (s.dealer, s.opener, s.actor) == (dealer, (dealer + 1) % 4, (dealer + 1) % 4)
    assert (s.direction, s.total) == (1, 0)


def test_L4_each_round_begins_clockwise_at_zero() -> None:
    match = at("10", "2", "3", table={"total": 70, "direction": -1})
    play(match, "10")
    seen = table(match)
    assert (seen["direction"], seen["total"], seen["owed"]) == (1, 0, 1)


def test_L4_left_of_the_dealer_means_the_next_still_in() -> None:
    match = at("10", "-", "3", "4", table={"total": 70, "out": [BEN], "opener": ANA})
    play(match, "10")
    assert (table(match)["dealer"], match.actor) == (ANA, CLEO)


# L5


def test_L5_play_a_card_announce_the_total_and_draw() -> None:
    match = at("10 2 3 4 5", "9 6 7 8 8", table={"next": ["0", "rev"]})
    play(match, "10")
    assert hand(match, ANA) == sorted(["0", "2", "3", "4", "5"])
    assert says(match) == ["Ana plays a 10: 10."]
    assert says(match, "fr") == ["Ana joue un 10\u00a0: 10."]
    assert match.actor == BEN
    play(match, "9")
    assert hand(match, BEN) == sorted(["6", "7", "8", "8", "rev"])
    assert table(match)["hand_sizes"] == [5, 5]
    assert says(match) == ["Ben plays a 9: 19."]


def test_L5_only_the_player_at_turn_plays_and_only_cards_held() -> None:
    match = at("10 2 3 4 5", "9 6 7 8 8")
    assert match.legal(ANA) == ["2", "3", "4", "5", "10"]
    assert match.legal(BEN) == []
    assert match.movers() == [ANA]
    refusal(match, "9", BEN)
    refusal(match, "9", ANA)


# L6


@pytest.mark.parametrize("card", [str(number) for number in range(2, 11)])
def test_L6_a_number_card_adds_its_value(card: str) -> None:
    match = play(at(card, "2" if card != "2" else "3", table={"total": 23}), card)
    assert table(match)["total"] == 23 + int(card)


def test_L6_the_printed_example() -> None:
    match = at("10", "9", "3")
    play(match, "10", "9")
    assert table(match)["total"] == 19
    play(match, "3")
    assert (table(match)["total"], match.scores) == (22, [3, 3, 2])


# L7


@pytest.mark.parametrize("doublet", [11, 22, 33, 44, 55, 66])
def test_L7_reaching_a_doublet_costs_a_token_and_play_goes_on(doublet: int) -> None:
    for card, before in (("3", doublet - 3), ("10", doublet - 10), ("-10", doublet + 10)):
        if before >= 77:
            continue
        match = play(at(card, "2", "4", table={"total": before}), card)
        assert match.scores == [2, 3, 3]
        assert (table(match)["total"], match.actor, match.view()["round"]) == (doublet, BEN, 1)
        assert says(match)[1] == f"{doublet}! Ana loses a token and has 2 left."


@pytest.mark.parametrize(
    ("before", "card", "after"), [(10, "-10", 0), (-1, "-10", -11), (-12, "-10", -22), (-10, "10", 0)]
)
def test_L7_zero_and_below_are_no_doublets(before: int, card: str, after: int) -> None:
    match = play(at(card, "2", table={"total": before}), card)
    assert (table(match)["total"], match.scores) == (after, [3, 3])


def test_L7_other_totals_cost_nothing() -> None:
    for before in range(-20, 74):
        if (before + 3) not in (11, 22, 33, 44, 55, 66):
            assert play(at("3", "2", table={"total": before}), "3").scores == [3, 3]


# L8


@pytest.mark.parametrize("card", ["0", "rev", "2x"])
def test_L8_staying_on_a_doublet_costs_nothing_unless_agreed(card: str) -> None:
    assert play(at(card, "2", "3", table={"total": 44}), card).scores == [3, 3, 3]
    assert play(at(card, "2", "3", table={"total": 44}, repeat_costs=True), card).scores == [2, 3, 3]
    assert play(at(card, "2", "3", table={"total": 43}, repeat_costs=True), card).scores == [3, 3, 3]
    assert play(at(card, "2", "3", table={"total": 0}, repeat_costs=True), card).scores == [3, 3, 3]


# L9


def test_L9_minus_10_subtracts_ten_and_may_go_below_zero() -> None:
    match = play(at("-10", "-10", "3", table={"total": 4}), "-10")
    assert table(match)["total"] == -6
    assert says(match) == ["Ana plays a −10: −6."]
    assert table(play(match, "-10"))["total"] == -16
    assert table(play(match, "3"))["total"] == -13


# L10


def test_L10_zero_repeats_the_total() -> None:
    match = play(at("0", "2", table={"total": 76}), "0")
    assert (table(match)["total"], match.actor, match.scores) == (76, BEN, [3, 3])


# L11


def test_L11_reverse_turns_the_direction_until_the_next_reverse() -> None:
    match = at("rev 2", "3", "4", "rev 5", table={"total": 9})
    play(match, "rev")
    assert (table(match)["total"], table(match)["direction"], match.actor) == (9, -1, DAN)
    assert says(match)[-1] == "The direction changes: play now goes counter-clockwise."
    play(match, "5", "4", "3")
    assert match.actor == ANA
    play(match, "2")
    assert match.actor == DAN
    play(match, "rev")
    assert (table(match)["direction"], match.actor) == (1, ANA)


def test_L11_between_two_players_reverse_changes_nothing() -> None:
    match = play(at("rev", "rev 3"), "rev")
    assert match.actor == BEN
    assert play(match, "rev").actor == ANA
    match = play(at("rev", "-", "2", table={"out": [BEN]}), "rev")
    assert match.actor == CLEO


# L12


def test_L12_after_a_2x_the_next_player_plays_two_cards_drawing_after_each() -> None:
    match = at("2x", "2 3 4 5 5", "6", table={"total": 12, "next": ["0", "rev", "7"]})
    play(match, "2x")
    assert (table(match)["total"], match.actor, table(match)["owed"]) == (12, BEN, 2)
    assert says(match) == ["Ana plays a times 2: 12.", "Ben has to play two cards."]
    play(match, "2")
    assert (table(match)["total"], match.actor, table(match)["owed"]) == (14, BEN, 1)
    assert hand(match, BEN) == sorted(["rev", "3", "4", "5", "5"])
    play(match, "3")
    assert (table(match)["total"], match.actor, table(match)["owed"]) == (17, CLEO, 1)
    assert hand(match, BEN) == sorted(["rev", "4", "5", "5", "7"])


# L13


def test_L13_the_first_of_two_is_no_2x_the_second_may_be() -> None:
    match = at("2x", "2x 3", "2x 4", table={"next": ["5", "6", "7"]})
    play(match, "2x")
    assert "2x" not in match.legal()
    assert refusal(match, "2x") == "L13"
    play(match, "3")
    assert "2x" in match.legal()
    play(match, "2x")
    assert (match.actor, table(match)["owed"]) == (CLEO, 2)
    assert refusal(match, "2x") == "L13"


def test_L13_a_player_who_owes_one_card_may_play_a_2x() -> None:
    assert "2x" in at("2x", "2").legal()


@pytest.mark.parametrize("second", ["2x", "3"])
def test_L13_a_hand_of_nothing_but_2x_may_begin_with_one(second: str) -> None:
    match = at("2x 2x", "4", "5", fill=False, table={"owed": 2, "next": ["3"]}, draw="manual")
    assert match.legal() == ["2x"]
    play(match, "2x")
    assert (match.actor, table(match)["owed"], table(match)["next_two"]) == (ANA, 1, True)
    play(match, "draw", second)
    assert (match.actor, table(match)["owed"], table(match)["next_two"]) == (BEN, 2, False)
    play(match, "4")
    assert (match.actor, table(match)["owed"]) == (BEN, 1)  # two cards, not four


def test_L13_one_other_card_is_enough_to_forbid_it() -> None:
    match = at("2x 2x 2x 9", "4", fill=False, table={"owed": 2}, draw="manual")
    assert match.legal() == ["9"]
    assert refusal(match, "2x") == "L13"


# L14


def test_L14_a_reverse_as_the_first_of_two_turns_and_the_second_is_still_owed() -> None:
    match = at("rev 2", "3", "4", table={"owed": 2})
    play(match, "rev")
    assert (match.actor, table(match)["owed"], table(match)["direction"]) == (ANA, 1, -1)
    play(match, "2")
    assert (match.actor, table(match)["owed"]) == (CLEO, 1)


def test_L14_a_first_card_that_ends_the_round_leaves_nothing_owed() -> None:
    match = play(at("10", "3", "4", table={"total": 70, "owed": 2, "opener": CLEO, "actor": ANA}), "10")
    assert match.view()["round"] == 2
    assert (match.actor, table(match)["owed"], match.scores) == (ANA, 1, [2, 3, 3])


def test_L14_nobody_inherits_the_second_card_of_a_player_who_goes_out() -> None:
    match = play(at("3", "4", "5", table={"total": 19, "owed": 2, "tokens": [0, 1, 1]}), "3")
    assert table(match)["out"] == [ANA]
    assert (match.actor, table(match)["owed"]) == (BEN, 1)


def test_L14_what_the_last_card_does_to_the_next_player_it_still_does() -> None:
    swimming = {"total": 22, "tokens": [0, 1, 1]}
    match = play(at("2x", "4", "5", table=swimming, repeat_costs=True), "2x")
    assert (table(match)["out"], match.actor, table(match)["owed"]) == ([ANA], BEN, 2)
    match = play(at("rev", "4", "5", table=swimming, repeat_costs=True), "rev")
    assert (table(match)["out"], match.actor, table(match)["owed"]) == ([ANA], CLEO, 1)


# L15


@pytest.mark.parametrize("card", DOUBLETS)
def test_L15_doublet_cards_are_added_like_any_other(card: str) -> None:
    match = play(at(card, "2", table={"total": -3}), card)
    assert (table(match)["total"], match.scores) == (int(card) - 3, [3, 3])


@pytest.mark.parametrize("card", DOUBLETS)
def test_L15_opening_with_one_reaches_that_doublet(card: str) -> None:
    match = play(at(card, "2"), card)
    assert (table(match)["total"], match.scores) == (int(card), [2, 3])


# L16


@pytest.mark.parametrize(("total", "card"), [(67, "10"), (75, "2"), (70, "10"), (76, "66"), (33, "44")])
def test_L16_77_or_more_ends_the_round_and_costs_one_token(total: int, card: str) -> None:
    match = play(at(card, "3", "4", table={"total": total}), card)
    assert match.scores == [2, 3, 3]
    assert match.view()["round"] == 2
    assert table(match)["total"] == 0
    assert events(match) == ["play", "token", "round_end", "deal"]
    (ended,) = match.rounds()
    assert (ended["round"], ended["points"], ended["scores"]) == (1, [-1, 0, 0], [2, 3, 3])
    assert says(match)[:2] == [
        f"Ana plays {'a' if int(card) < 11 else 'the'} {card}: {total + int(card)}.",
        f"{total + int(card)}! Ana loses a token and has 2 left.",
    ]


def test_L16_76_does_not_end_it() -> None:
    match = play(at("6", "3", table={"total": 70}), "6")
    assert (table(match)["total"], match.scores, match.view()["round"]) == (76, [3, 3], 1)


# L17


def test_L17_the_opener_deals_the_next_round() -> None:
    match = at("10", "3", "4", "5", table={"total": 70, "dealer": BEN, "opener": CLEO, "actor": ANA})
    play(match, "10")
    assert (table(match)["dealer"], match.actor) == (CLEO, DAN)
    assert says(match)[-1] == "Round 2: Cleo deals, Dan opens."


def test_L17_an_opener_who_is_out_is_followed_by_the_next_still_in() -> None:
    facts = {"total": 70, "tokens": [0, 0, 2, 0, 1], "out": [DAN, BEN], "dealer": EVA, "opener": ANA}
    match = play(at("10", "-", "3", "-", "4", table=facts), "10")
    assert table(match)["out"] == [DAN, BEN, ANA]
    assert (table(match)["dealer"], match.actor) == (CLEO, EVA)


# L18


def test_L18_the_last_token_gone_a_player_swims_and_the_next_loss_is_the_end() -> None:
    match = at("3", "9 2", "0", table={"total": 19, "tokens": [1, 2, 2], "next": ["2"]})
    play(match, "3")
    assert (table(match)["swimming"], table(match)["out"], match.scores) == ([ANA], [], [0, 2, 2])
    assert says(match)[1:] == [
        "22! Ana loses their last token.",
        "Ana is swimming: one more loss and they are out.",
    ]
    play(match, "9", "0")
    assert match.actor == ANA
    play(match, "2")
    assert (table(match)["total"], match.scores, table(match)["swimming"]) == (33, [0, 2, 2], [])
    assert table(match)["out"] == [ANA]
    assert says(match)[1:3] == [
        "33! Ana was swimming and has nothing left to pay with.",
        "Ana is out of the match, in 3rd place.",
    ]


def test_L18_without_swimming_the_last_token_takes_its_player_out() -> None:
    match = play(at("3", "4", "5", table={"total": 19, "tokens": [1, 1, 1]}, swim=False), "3")
    assert (table(match)["out"], table(match)["swimming"], match.actor) == ([ANA], [], BEN)


def test_L18_the_hand_goes_under_the_played_cards_open_and_the_turn_passes() -> None:
    facts = {"total": 19, "tokens": [0, 1, 1], "played": ["10", "9"]}
    match = play(at("3 6 6 7 rev", "4", "5", table=facts), "3")
    assert table(match)["played"] == ["6", "6", "7", "rev", "10", "9", "3"]
    assert table(match)["top"] == "3"
    assert table(match)["hand_sizes"] == [0, 5, 5]
    assert table(match, ANA)["hand"] == []
    assert match.actor == BEN
    assert says(match)[-1] == "Ana's hand goes under the played cards: a 6, a 6, a 7, a reverse."


def test_L18_the_turn_passes_over_players_who_are_out() -> None:
    match = at("2", "-", "rev", "5", table={"out": [BEN]})
    assert play(match, "2").actor == CLEO
    assert play(match, "rev").actor == ANA
    assert refusal(match, "2", BEN) == "L18"


# L19


def test_L19_the_pile_is_made_anew_only_when_a_card_is_wanted() -> None:
    match = at(*EIGHT, table={"draw": ["55"], "played": [card for card in FIFTEEN if card != "55"], "total": 30})
    play(match, "2")
    assert events(match) == ["play"]
    assert (table(match)["draw_pile"], len(table(match)["played"])) == (0, 15)


def test_L19_all_played_cards_are_shuffled_the_last_one_too_and_the_total_stands() -> None:
    match = at(*EIGHT, table={"draw": [], "played": FIFTEEN, "total": 30}, draws=in_order(16))
    play(match, "2")
    assert events(match) == ["play", "reshuffle"]
    assert says(match)[-1] == "The draw pile is empty: the 16 cards played are shuffled to form a new one."
    assert hand(match, ANA) == sorted(["3", "4", "5", "6", "-10"])
    assert pile(match) == [*FIFTEEN[1:], "2"]
    assert (table(match)["played"], table(match)["top"]) == ([], None)
    assert table(match)["total"] == 32


def test_L19_chance_decides_the_order() -> None:
    # Of sixteen cards the last changes places with the first, all others stay.
    ways = 16 * 15 * 14 * 13
    first = [(15 * 14 * 13 - 1, ways)]
    match = at(*EIGHT, table={"draw": [], "played": FIFTEEN}, draws=first + in_order(12))
    play(match, "2")
    assert hand(match, ANA) == sorted(["3", "4", "5", "6", "2"])
    assert pile(match) == [*FIFTEEN[1:], FIFTEEN[0]]


def test_L19_the_hands_of_players_who_went_out_are_among_them() -> None:
    facts = {"draw": [], "played": FIFTEEN, "total": 19, "tokens": [0] + [1] * 7}
    match = play(at(*EIGHT, table=facts, draws=in_order(21)), "3")
    assert (table(match)["out"], table(match)["draw_pile"]) == ([ANA], 0)
    play(match, "4")
    assert events(match) == ["play", "reshuffle"]
    drawn = table(match, BEN)["hand"]
    assert sorted(pile(match) + drawn) == sorted([*"2456", *FIFTEEN, "3", *"23564"])
    assert len(pile(match)) == 20


def test_L19_by_default_the_last_card_does_not_stay() -> None:
    assert GAME.new(2, seed=1).options["keep_top"] is False


def test_L19_keep_top_leaves_the_card_last_played_on_the_table() -> None:
    match = at(*EIGHT, table={"draw": [], "played": FIFTEEN, "total": 30}, draws=in_order(15), keep_top=True)
    play(match, "2")
    assert events(match) == ["play", "reshuffle_under"]
    assert says(match)[-1] == (
        "The draw pile is empty: the 15 cards under the last one played are shuffled to form a new one."
    )
    assert hand(match, ANA) == sorted(["3", "4", "5", "6", "-10"])
    assert pile(match) == FIFTEEN[1:]
    assert (table(match)["played"], table(match)["top"]) == (["2"], "2")
    assert sorted(table(match)["reshuffled"]) == sorted(FIFTEEN)
    assert table(match)["total"] == 32
    play(match, "3")
    assert table(match)["played"] == ["2", "3"]


def test_L19_keep_top_puts_a_hand_under_the_card_that_stayed() -> None:
    facts = {"draw": [], "played": FIFTEEN, "total": 17, "tokens": [1, 0, *[1] * 6]}
    match = play(at(*EIGHT, table=facts, keep_top=True), "2", "3")
    after = match.position()["table"]
    assert after["out"] == [BEN]
    assert after["played"] == ["2", "4", "5", "6", "2", "3"]
    assert after["reshuffle"]["played_by"] == [BEN, BEN, BEN, BEN, -1, BEN]
    assert table(match)["top"] == "3"


def test_L19_keep_top_leaves_a_card_to_draw_even_for_eight() -> None:
    match = at(*EIGHT, table={"draw": [], "played": FIFTEEN, "total": -100}, keep_top=True)
    for _ in range(40):
        play(match, match.legal()[0])
        assert table(match)["hand_sizes"] == [5] * 8 or match.view()["round"] > 1


def test_L19_keep_top_is_what_a_position_must_agree_with() -> None:
    match = play(at(*EIGHT, table={"draw": [], "played": FIFTEEN}, keep_top=True), "2")
    whole = match.position()
    assert GAME.position(whole).position() == whole
    for options, error in (({"keep_top": False}, "from 0 to 7"), ({"keep_top": True}, "reshuffle does not fit")):
        table_facts = dict(whole["table"])
        if options["keep_top"]:
            table_facts["reshuffle"] = {**table_facts["reshuffle"], "played_by": [ANA]}
        with pytest.raises(InvalidPosition, match=error):
            GAME.position({"players": NAMES, "options": options, "table": table_facts})


# L20


def test_L20_by_default_the_draw_comes_by_itself() -> None:
    match = at("2", "3", table={"next": ["7"]})
    assert refusal(match, "draw") == "L20"
    play(match, "2")
    assert "7" in hand(match, ANA)
    assert refusal(match, "draw", ANA) == "L20"


def test_L20_a_manual_draw_may_be_made_until_the_next_player_has_played() -> None:
    match = at("2 3 4 5 6", "9 8 7 7 7", "0", table={"next": ["rev"]}, draw="manual")
    assert "draw" not in match.legal()
    play(match, "2")
    assert (hand(match, ANA), table(match)["pending"]) == (["3", "4", "5", "6"], [1, 0, 0])
    assert (match.legal(ANA), match.movers()) == (["draw"], [ANA, BEN])
    match.play("draw", ANA)
    assert hand(match, ANA) == ["3", "4", "5", "6", "rev"]
    assert match.actor == BEN
    assert (match.legal(ANA), match.movers()) == ([], [BEN])
    assert says(match) == ["Ana draws a card."]
    assert says(match, seat=ANA) == ["Ana draws a reverse."]
    assert refusal(match, "draw", ANA) == "L20"


def test_L20_a_forgotten_draw_leaves_the_hand_shorter_until_the_round_ends() -> None:
    match = at("2 3 4 5 6", "9 8 7 7 7", "10", table={"total": 50}, draw="manual")
    play(match, "2", "9")
    assert (match.legal(ANA), match.legal(BEN)) == ([], ["draw"])
    assert refusal(match, "draw", ANA) == "L20"
    play(match, "10")
    assert (table(match)["hand_sizes"], match.actor) == ([4, 4, 4], ANA)
    match.play("draw", CLEO)
    assert table(match)["hand_sizes"] == [4, 4, 5]
    play(match, "3", "8")  # 52, 61, 71, 74, 82
    assert table(match)["hand_sizes"] == [5, 5, 5]
    assert table(match)["pending"] == [0, 0, 0]


def test_L20_both_draws_of_two_cards_owed_may_wait_until_after_the_second() -> None:
    match = at("2 3 4 5 6", "9 8", fill=False, table={"owed": 2, "next": ["rev", "0"]}, draw="manual")
    play(match, "2")
    assert match.legal() == ["3", "4", "5", "6", "draw"]
    play(match, "3")
    assert (match.actor, table(match)["pending"], match.legal(ANA)) == (BEN, [2, 0], ["draw"])
    match.play("draw", ANA)
    match.play("draw", ANA)
    assert hand(match, ANA) == sorted(["4", "5", "6", "rev", "0"])
    assert match.legal(ANA) == []


def test_L20_the_first_draw_may_also_be_made_between_the_two_cards() -> None:
    match = at("2 3 4 5 6", "9 8", fill=False, table={"owed": 2, "next": ["rev", "0"]}, draw="manual")
    play(match, "2", "draw", "rev")
    assert (table(match)["pending"], match.actor) == ([1, 0], BEN)
    assert hand(match, ANA) == ["3", "4", "5", "6"]


def test_L20_a_hand_that_would_be_empty_draws_one_card_by_itself() -> None:
    match = at("2", "9 8", fill=False, table={"owed": 2, "next": ["rev", "0"]}, draw="manual")
    play(match, "2")
    assert (hand(match, ANA), table(match)["pending"], match.legal()) == (["rev"], [0, 0], ["rev"])
    assert says(match)[-1] == "Ana has no card left and draws one."
    play(match, "rev")
    assert (hand(match, ANA), table(match)["pending"]) == (["0"], [0, 0])
    # with a draw still open from the first card, one comes by itself and one stays open
    match = play(at("2 3", "9 8", fill=False, table={"owed": 2, "next": ["rev"]}, draw="manual"), "2", "3")
    assert (hand(match, ANA), table(match)["pending"], match.legal(ANA)) == (["rev"], [1, 0], ["draw"])


def test_L20_an_empty_pile_is_made_anew_for_a_manual_draw() -> None:
    match = at(*EIGHT, table={"draw": [], "played": FIFTEEN}, draws=in_order(16), draw="manual")
    play(match, "2")
    assert (events(match), table(match)["draw_pile"]) == (["play"], 0)
    match.play("draw", ANA)
    assert events(match) == ["reshuffle", "draw"]
    assert hand(match, ANA) == sorted(["3", "4", "5", "6", "-10"])


def test_L20_going_out_or_ending_the_round_closes_the_draw() -> None:
    facts = {"total": 17, "owed": 2, "tokens": [0, 1, 1]}
    match = play(at("2 3", "9", "8", table=facts, draw="manual"), "2")
    assert table(match)["pending"] == [1, 0, 0]
    play(match, "3")
    assert (table(match)["out"], table(match)["pending"], match.movers()) == ([ANA], [0, 0, 0], [BEN])
    match = play(at("2 10", "9", "8", table={"total": 66, "owed": 2}, draw="manual"), "2", "10")
    assert (match.view()["round"], table(match)["pending"]) == (2, [0, 0, 0])


# L21


def test_L21_the_last_player_left_wins_at_once_even_in_mid_round() -> None:
    match = at("3", "4", "-", table={"total": 19, "tokens": [0, 2, 0], "out": [CLEO]})
    play(match, "3")
    assert match.over
    assert (match.actor, match.scores, match.places) == (-1, [0, 2, 0], [2, 1, 3])
    assert table(match)["total"] == 22
    assert says(match)[-1] == "The match is over: Ben wins!"
    assert says(match, "fr")[-1] == "La partie est finie\u00a0: Ben gagne\u00a0!"
    assert [ended["round"] for ended in match.rounds()] == [1]
    with pytest.raises(MatchOver):
        match.play("4", BEN)


def test_L21_a_swimmer_can_win() -> None:
    match = play(at("10", "3", table={"total": 70, "tokens": [0, 0]}), "10")
    assert match.over
    assert (match.places, match.scores) == ([2, 1], [0, 0])
    assert events(match)[-2:] == ["round_end", "match_end"]


def test_L21_swimming_it_goes_on_while_two_are_in() -> None:
    match = play(at("3", "4", table={"total": 19, "tokens": [1, 0]}), "3")
    assert not match.over
    assert table(match)["swimming"] == [ANA, BEN]


def test_L21_places_go_by_the_order_of_going_out() -> None:
    facts = {"total": 70, "tokens": [0, 0, 0, 1], "out": [CLEO, ANA]}
    match = play(at("-", "10", "-", "4", table={**facts, "actor": BEN}), "10")
    assert match.over
    assert (match.places, match.ranking) == ([3, 2, 4, 1], [[DAN], [BEN], [ANA], [CLEO]])


def test_L21_as_they_stand_places_go_by_tokens_then_by_going_out() -> None:
    facts = {"tokens": [2, 0, 2, 0, 0, 3], "out": [EVA, DAN]}
    assert at("2", "3", "4", "-", "-", "5", table=facts).places == [2, 4, 2, 5, 6, 1]


def test_L21_by_tokens_the_match_ends_when_one_player_alone_owns_any() -> None:
    facts = {"total": 19, "tokens": [1, 2, 0, 0], "out": [DAN]}
    match = play(at("3", "4", "5", "-", table=facts, end="last_tokens"), "3")
    assert match.over
    assert (match.scores, match.places) == ([0, 2, 0, 0], [2, 1, 2, 4])
    assert events(match) == ["play", "last_token", "swims", "round_end", "match_end"]
    assert not play(at("3", "4", "5", "-", table=facts), "3").over


def test_L21_by_tokens_it_goes_on_while_two_own_some() -> None:
    facts = {"total": 19, "tokens": [0, 2, 1]}
    match = play(at("3", "4", "5", table=facts, end="last_tokens"), "3")
    assert not match.over
    assert table(match)["out"] == [ANA]


def test_L21_without_swimming_both_endings_are_one() -> None:
    for end in ("last_standing", "last_tokens"):
        match = play(at("3", "4", table={"total": 19, "tokens": [1, 1]}, swim=False, end=end), "3")
        assert (match.over, match.places) == (True, [2, 1])


# L22


def test_L22_the_76_is_there_only_if_agreed() -> None:
    start = GAME.new(2, seed=1, card_76=True).position()["table"]
    dealt = [card for cards in start["hands"] for card in cards]
    assert Counter(dealt + start["draw"]) == Counter([*BOX, "76"])
    with pytest.raises(InvalidPosition):
        at("76", "2")
    assert refusal(at("2", "3"), "76") == "L22"


def test_L22_the_76_adds_its_value() -> None:
    match = play(at("76", "2", table={"total": -10}, card_76=True), "76")
    assert (table(match)["total"], match.scores) == (66, [2, 3])
    match = play(at("76", "2", card_76=True), "76")
    assert (table(match)["total"], match.scores, match.view()["round"]) == (76, [3, 3], 1)
    assert play(at("76", "2", table={"total": 1}, card_76=True), "76").view()["round"] == 2


# Beyond the numbers


def test_every_refusal_is_said_in_both_languages() -> None:
    manual = at("2x 2x 3", "4", "-", fill=False, table={"owed": 2, "out": [CLEO]}, draw="manual")
    auto = at("2", "3", "-", table={"out": [CLEO]})
    tries = [(manual, "2x", ANA), (manual, "draw", BEN), (auto, "draw", ANA), (auto, "3", BEN), (auto, "3", CLEO)]
    tries += [(auto, "7", ANA), (auto, "76", ANA)]
    said = set()
    for match, move, seat in tries:
        error = match.explain(move, seat)
        assert isinstance(error, IllegalMove)
        said.add(match.refusal_text(error, "en"))
        said.add(match.refusal_text(error, "fr"))
    assert len(said) == 2 * len(tries)


def test_the_prompt_shows_the_table() -> None:
    facts = {"total": -3, "tokens": [1, 0, 0, 3], "out": [CLEO], "owed": 2, "played": ["10", "rev"], "direction": -1}
    match = at("2", "3", "-", "4", table={**facts, "pending": [0, 1, 0, 0]}, draw="manual", fill=False)
    shown = GAME.views.lines(match.view(ANA), GAME.catalogue("en"))
    assert shown == [
        "Round 1. Total: −3. Play goes counter-clockwise.",
        "Draw pile: 50 cards. Played: 10, rev",
        "  > Ana   tokens 1  cards 1",
        "    Ben   swimming  cards 1",
        "    Cleo  out, 4th place",
        " D  Dan   tokens 3  cards 1",
        "Ana has to play two cards.",
        "Ben may still draw a card.",
        "Your hand: 2",
    ]
    for lang in ("en", "fr"):
        full = at(*EIGHT, table={"draw": [], "played": FIFTEEN})
        shown = GAME.views.lines(full.view(ANA, lang), GAME.catalogue(lang))
        assert len(shown) <= 20
        assert max(map(len, shown)) <= 80


def test_the_names_of_the_cards_cover_the_box() -> None:
    assert {*ACTIONS, *DOUBLETS, *NUMBERS, "76", "draw"} == set(GAME.moves.texts)
    assert len(NAMES) == GAME.info.max_seats
    for lang in ("en", "fr"):
        assert set(GAME.catalogue(lang).find("words.card")) == set(GAME.moves.texts) - {"draw"}
