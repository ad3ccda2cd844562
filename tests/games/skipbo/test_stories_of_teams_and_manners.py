"""A story or more for each rule of Skip-Bo from S14 on, named after its number in the ledger."""

from __future__ import annotations

from collections import Counter

import pytest

from ludotheque import IllegalMove, InvalidMove, InvalidOptions
from tests.games.playing import refusal
from tests.games.skipbo.tables import (
    ANA,
    BEN,
    BOX,
    CLEO,
    DAN,
    GAME,
    SINK,
    all_cards,
    at,
    hand,
    last_events,
    play,
    stock,
    table,
)

# S14

TEAMS = {"teams": True}


def test_S14_teams_are_four_players() -> None:
    for players in (2, 3):
        with pytest.raises(InvalidOptions, match="four players"):
            GAME.new(players=players, teams=True)
    assert table(GAME.new(players=4, seed=1, teams=True))["partners"] == [2, 3, 0, 1]


def test_S14_the_partners_stock_and_discard_piles_are_sources_too() -> None:
    discards = [[[]] * 4, [["4"], [], [], []], [[], ["2"], [], []], [[]] * 4]
    match = at(
        [["12"], ["3", "9"], ["1", "9"], ["3"]], players=4, hands=[["5"], [], [], []], discards=discards, options=TEAMS
    )
    assert refusal(match, "S>1") == "S7"
    play(match, "pS>1", "pd2>1")
    t = table(match)
    assert t["heights"] == [2, 0, 0, 0]
    assert t["stocks"][CLEO] == {"left": 1, "top": "9", "next": None}
    assert t["discards"][CLEO] == [[], [], [], []]
    assert not [m for m in match.legal() if m.endswith(">1")]  # the 3s of the others stay theirs


def test_S14_the_player_at_turn_alone_decides() -> None:
    match = at([["1"], ["1"], ["1"], ["1"]], players=4, hands=[["5"], [], ["1"], []], options=TEAMS)
    assert match.movers() == [ANA]
    assert match.legal(CLEO) == []
    with pytest.raises(IllegalMove):
        match.play("S>1", CLEO)


def test_S14_discards_go_on_the_own_piles() -> None:
    match = play(at(players=4, hands=[["5", "6"], [], [], []], options=TEAMS), "5>d1")
    assert table(match)["discards"][ANA][0] == ["5"]
    with pytest.raises(InvalidMove):
        match.play("6>pd1")


def test_S14_a_team_wins_when_both_stocks_are_gone() -> None:
    match = at([["1"], ["9"], ["2"], ["9", "9"]], players=4, hands=[["5"], [], [], []], options=TEAMS)
    play(match, "S>1")
    assert not match.over
    assert last_events(match) == ["play", "stock_gone"]
    play(match, "pS>1")
    assert match.over
    assert match.places == [1, 3, 1, 3]


def test_S14_a_player_whose_stock_is_gone_plays_on() -> None:
    stocks: list[list[str]] = [[], ["9"], ["9", "4"], ["9"]]
    discards = [[["2"], [], [], []], [[]] * 4, [[]] * 4, [[]] * 4]
    match = at(stocks, players=4, hands=[["1", "8"], [], [], []], discards=discards, options=TEAMS)
    assert refusal(match, "S>1") == "S6"
    play(match, "1>1", "d1>1", "8>d1")
    assert match.actor == BEN


def test_S14_a_team_scores_as_one() -> None:
    match = at(
        [[], ["9"] * 3, ["1"], ["8"] * 4],
        players=4,
        hands=[["5"], [], [], []],
        points=[10, 30, 10, 30],
        options={"teams": True, "match": "points"},
    )
    play(match, "pS>1")
    assert match.scores == [70, 30, 70, 30]
    assert match.rounds()[-1]["points"] == [60, 0, 60, 0]


# S15

SILENT = {"teams": True, "manners": True}
FIVE = ["5", "6", "7", "8", "9"]


def test_S15_a_partner_who_speaks_takes_two_cards_under_the_stock() -> None:
    stocks = [["12"], ["12"], ["10", "11"], ["12"]]
    match = at(stocks, players=4, hands=[FIVE, [], [], []], draw=["3", "4", "..."], options=SILENT)
    assert CLEO in match.movers()
    play(match, "say", seat=CLEO)
    assert stock(match, CLEO) == ["10", "11", "3", "4"]
    assert match.actor == ANA
    for viewer in (None, ANA, CLEO):
        assert table(match, viewer)["stocks"][CLEO] == {"left": 4, "top": "10", "next": None}
        assert match.events(viewer)[-1] == [{"type": "spoke", "seat": CLEO, "n": 2}]


def test_S15_as_many_cards_as_there_are() -> None:
    match = at(players=4, hands=[FIVE, [], [], []], draw=["3"], discards=[*SINK, [[]] * 4, [[]] * 4], options=SILENT)
    play(match, "say", seat=CLEO)
    assert stock(match, CLEO) == ["12", "3"]
    play(match, "5>d2")
    assert refusal(match, "say", DAN) == "S15"  # nothing left to take


def test_S15_a_player_whose_stock_was_gone_has_one_again() -> None:
    stocks: list[list[str]] = [["12"], ["12"], [], ["12"]]
    match = at(stocks, players=4, hands=[FIVE, [], [], []], draw=["3", "4", "..."], options=SILENT)
    play(match, "say", seat=CLEO)
    assert stock(match, CLEO) == ["3", "4"]
    assert table(match)["stocks"][CLEO] == {"left": 2, "top": "3", "next": None}
    assert last_events(match) == ["spoke", "turn_up"]


def test_S15_only_the_partner_of_the_player_at_turn_pays_and_once_a_turn() -> None:
    match = at(players=4, hands=[FIVE, FIVE, FIVE, FIVE], options=SILENT)
    assert refusal(match, "say", BEN) == "S15"
    assert refusal(match, "say", ANA) == "S15"
    play(match, "say", seat=CLEO)
    assert refusal(match, "say", CLEO) == "S15"
    play(match, "5>d1")
    play(match, "say", seat=DAN)
    play(match, "5>d1")
    play(match, "say", seat=ANA)
    assert [len(stock(match, seat)) for seat in range(4)] == [3, 1, 3, 3]


def test_S15_speech_is_free_without_manners_or_without_teams() -> None:
    assert refusal(at(players=4, hands=[FIVE, [], [], []], options=TEAMS), "say", CLEO) == "S15"
    assert refusal(at(players=4, hands=[FIVE, [], [], []], options={"manners": True}), "say", CLEO) == "S15"


# S16

MANNERS = {"manners": True}


def test_S16_with_manners_the_player_draws() -> None:
    match = at(hands=[["1", "2", "3"], []], draw=["4", "5", "6", "..."], options=MANNERS)
    assert match.legal() == ["draw"]
    assert refusal(match, "1>1") == "S16"
    play(match, "draw")
    assert match.legal() == ["draw"]
    play(match, "draw")
    assert hand(match, ANA) == ["1", "2", "3", "4", "5"]
    assert "1>1" in match.legal()
    assert match.events(ANA)[-1] == [{"type": "draw", "seat": ANA, "n": 1, "cards": ["5"]}]
    assert match.events(BEN)[-1] == [{"type": "draw", "seat": ANA, "n": 1, "cards": None}]


def test_S16_a_card_past_five_is_shuffled_into_the_stock_unseen() -> None:
    match = at([["9", "10", "11"], ["12"]], hands=[FIVE, []], draw=["4", "1", "..."], options=MANNERS, draws=[(1, 3)])
    play(match, "draw")
    assert stock(match, ANA) == ["9", "10", "4", "11"]
    assert hand(match, ANA) == FIVE
    assert match.events(ANA)[-1] == [{"type": "too_many", "seat": ANA, "n": 4}]
    assert table(match, ANA)["stocks"][ANA] == {"left": 4, "top": "9", "next": None}
    play(match, "draw")
    assert len(stock(match, ANA)) == 5


@pytest.mark.parametrize("index", range(3))
def test_S16_it_may_come_to_lie_anywhere_below_the_top(index: int) -> None:
    match = at([["9", "10", "11"], ["12"]], hands=[FIVE, []], draw=["4", "..."], options=MANNERS, draws=[(index, 3)])
    play(match, "draw")
    assert stock(match, ANA).index("4") == 3 - index


def test_S16_too_many_are_drawn_only_before_the_first_card_is_played() -> None:
    match = at(hands=[["1", *FIVE[1:]], []], options=MANNERS)
    assert "draw" in match.legal()
    play(match, "1>1")
    assert refusal(match, "draw") == "S16"


def test_S16_the_five_new_cards_of_an_empty_hand_come_by_themselves() -> None:
    match = at(hands=[["1"], []], played=True, draw=["2", "3", "4", "5", "6", "7", "..."], options=MANNERS)
    play(match, "1>1")
    assert hand(match, ANA) == ["2", "3", "4", "5", "6"]


def test_S16_without_manners_the_hand_fills_itself() -> None:
    assert refusal(at(hands=[FIVE, []]), "draw") == "S16"


# S17


def test_S17_a_play_out_of_turn_that_is_called_is_taken_back() -> None:
    match = at(hands=[FIVE, ["1", "4"]], options=MANNERS)
    before = match.position()["table"]
    play(match, "1>2", seat=BEN)
    assert table(match)["heights"] == [0, 1, 0, 0]
    assert table(match)["open_play"] == {"seat": BEN, "move": "1>2", "card": "1"}
    assert match.actor == ANA
    play(match, "call", seat=ANA)
    after = match.position()["table"]
    assert after["manners"].pop("no_fill") == [False, True]
    assert after["manners"].pop("shown") == [[], ["1"]]
    del before["manners"]["no_fill"], before["manners"]["shown"]
    assert after == before


@pytest.mark.parametrize("move", ["S>1", "S>2", "d1>1", "d1>4", "*>1", "9>d2", "*>d1", "pS>3", "pd4>1"])
def test_S17_whatever_was_played_goes_back_where_it_was(move: str) -> None:
    eleven = ["1", "2", "*", "4", "5", "6", "7", "8", "9", "10", "11"]
    match = at(
        [["12"], ["12", "3"], ["5"], ["*", "3"]],
        players=4,
        hands=[FIVE, ["*", "9"], FIVE, FIVE],
        built=[eleven, ["*", *eleven[1:]], 0, 11],
        discards=[[[]] * 4, [["12", "4"], [], [], []], [[]] * 4, [[], [], [], ["*"]]],
        draw=["3", "4", "..."],
        options=SILENT,
    )
    before = match.position()["table"]
    play(match, move, seat=BEN)
    play(match, "draw")  # the player at turn, who draws one too many, does not settle it
    play(match, "call", seat=DAN)
    after = match.position()["table"]
    for part in ("hands", "discards", "built", "aside"):
        assert after[part] == before[part]
    assert after["stocks"][1:] == before["stocks"][1:]
    assert Counter(all_cards(match)) == BOX


def test_S17_the_culprit_may_not_fill_the_hand_at_the_next_turn() -> None:
    match = at(hands=[FIVE, ["1", "4"]], draw=["2", "3", "..."], options=MANNERS)
    play(match, "1>2", seat=BEN)
    play(match, "call", "5>d1")
    assert match.actor == BEN
    assert "no_fill" in last_events(match)
    assert refusal(match, "draw") == "S17"
    play(match, "1>1", "4>d1")
    assert match.legal() == ["draw"]  # Ana's turn
    play(match, "draw", "9>d1")
    assert match.legal() == ["draw"]  # the turn after, Ben fills the hand again
    assert table(match)["no_fill"] == []


def test_S17_a_culprit_who_empties_the_hand_draws_five_all_the_same() -> None:
    match = at(hands=[FIVE, ["1", "2"]], options=MANNERS)
    play(match, "1>2", seat=BEN)
    play(match, "call", "5>d1", "1>1", "2>1")
    assert match.actor == BEN
    assert len(hand(match, BEN)) == 5


def test_S17_a_culprit_without_a_hand_ends_the_turn_without_a_discard() -> None:
    match = at([["12"], ["1", "5"]], hands=[FIVE, []], options=MANNERS)
    play(match, "S>1", seat=BEN)
    play(match, "call", "5>d1")
    assert set(match.legal()) == {"S>1", "S>2", "S>3", "S>4", "end"}
    play(match, "S>1")
    assert match.legal() == ["end"]
    play(match, "end")
    assert match.actor == ANA


def test_S17_a_play_that_nobody_calls_stands_with_the_next_card() -> None:
    match = at(hands=[["2", *FIVE[1:]], ["1", "4"]], options=MANNERS)
    play(match, "1>2", seat=BEN)
    play(match, "2>2")
    assert table(match)["heights"] == [0, 2, 0, 0]
    assert table(match)["open_play"] is None
    assert refusal(match, "call") == "S17"
    play(match, "6>d1")
    assert match.legal() == ["draw"]  # no penalty for Ben


def test_S17_the_culprit_cannot_settle_it_by_another_card() -> None:
    match = at([["12"], ["1"]], hands=[FIVE, ["2", "4"]], options=MANNERS)
    play(match, "S>1", seat=BEN)
    assert refusal(match, "2>1", BEN) == "S17"
    assert refusal(match, "4>d1", BEN) == "S17"
    assert match.movers() == [ANA]


def test_S17_a_pile_finished_out_of_turn_is_put_aside_when_it_stands() -> None:
    match = at(hands=[["1", *FIVE[1:]], ["12"]], built=[11, 0, 0, 0], options=MANNERS)
    play(match, "12>1", seat=BEN)
    assert (table(match)["heights"][0], table(match)["aside"]) == (12, 0)
    play(match, "1>1")  # its place is free for the next pile
    assert (table(match)["heights"][0], table(match)["aside"]) == (1, 12)


def test_S17_anybody_but_the_culprit_may_call() -> None:
    match = at(players=3, hands=[FIVE, ["1", "4"], FIVE], options=MANNERS)
    assert refusal(match, "call", CLEO) == "S17"
    play(match, "1>2", seat=BEN)
    assert refusal(match, "call", BEN) == "S17"
    for caller in (ANA, CLEO):
        called = play(match.copy(), "call", seat=caller)
        assert table(called)["no_fill"] == [BEN]
        assert called.events()[-1] == [{"type": "called", "seat": caller, "other": BEN, "card": "1"}]


def test_S17_a_stock_emptied_out_of_turn_wins_when_it_stands() -> None:
    match = at([["9", "9"], ["1"]], hands=[FIVE, ["4"]], options=MANNERS)
    play(match, "S>1", seat=BEN)
    assert not match.over
    taken_back = play(match.copy(), "call")
    assert stock(taken_back, BEN) == ["1"]
    play(match, "5>d1")
    assert match.over
    assert match.places == [2, 1]
    assert last_events(match) == ["stands", "round_end", "match_end"]
    assert hand(match, ANA) == FIVE  # the round was over before that card


def test_S17_without_manners_nobody_plays_out_of_turn() -> None:
    match = at(hands=[FIVE, ["1"]])
    assert match.movers() == [ANA]
    assert refusal(match, "1>1", BEN) == ""
    assert refusal(match, "call", BEN) == "S17"


def test_S17_a_card_that_was_shown_is_known_to_all() -> None:
    match = at([["12"], ["1", "8", "7"]], hands=[FIVE, ["2", "4"]], options=MANNERS)
    play(match, "S>1", seat=BEN)
    play(match, "call")
    play(match, "4>d1", seat=BEN)
    play(match, "call")
    for viewer in (None, ANA):
        t = table(match, viewer)
        assert t["shown"] == [[], ["4"]]
        assert t["stocks"][BEN] == {"left": 3, "top": "1", "next": "8"}
    play(match, "5>d1", "S>1")
    assert table(match)["stocks"][BEN] == {"left": 2, "top": "8", "next": None}
    play(match, "4>d2")
    assert table(match)["shown"] == [[], []]
