"""Stories of what the ledger settles about blocked rounds, targets and manners in Skip-Bo: S11, S13, S15 to S17."""

from __future__ import annotations

from typing import Any

import pytest

from ludotheque import InvalidOptions
from ludotheque.core.match import Match
from tests.games.playing import refusal
from tests.games.skipbo.tables import ANA, BEN, CLEO, DAN, GAME, SINK, at, hand, last_events, play, stock, table

MANNERS = {"manners": True}
SILENT = {"teams": True, "manners": True}
FIVE = ["5", "6", "7", "8", "9"]
NO_PILES: list[Any] = [[]] * 4


def idle_turns(match: Match) -> int:
    turns: int = match.position()["table"]["idle_turns"]
    return turns


# S11


def idle_table(draw: list[str], **facts: Any) -> Match:
    """Ben may not draw, holds nothing and can play nothing; the two others have ended their turns so already."""
    facts = {"hands": [[], [], []], "discards": [*SINK, NO_PILES], "idle_turns": 2, "actor": BEN, **facts}
    manners = {"barred": True}
    return at([["1", "3"], ["7"], ["8"]], players=3, draw=draw, manners=manners, options=MANNERS, **facts)


def test_S11_an_idle_turn_counts_if_nothing_could_be_drawn() -> None:
    match = play(idle_table([]), "end")
    assert match.over
    assert match.rounds()[-1]["ending"] == "blocked"


def test_S11_an_idle_turn_in_which_cards_could_be_drawn_does_not_count() -> None:
    match = play(idle_table(["3"]), "end")
    assert not match.over
    assert idle_turns(match) == 0
    assert match.actor == CLEO


# S13


def test_S13_the_target_ranges_from_50_to_1000() -> None:
    for target in (50, 1000):
        assert GAME.new(2, seed=1, match="points", target=target).options["target"] == target
    for target in (0, 49, 1001):
        with pytest.raises(InvalidOptions, match="50"):
            GAME.new(2, seed=1, match="points", target=target)


@pytest.mark.parametrize("target, is_over", [(50, True), (51, False)])
def test_S13_the_lowest_target_is_reached_with_50_points(target: int, is_over: bool) -> None:
    options = {"match": "points", "target": target}
    match = at([["1"], ["9"] * 5], hands=[["5"], []], options=options)
    play(match, "S>1")
    assert (match.scores, match.over) == ([50, 0], is_over)


# S15


def test_S15_with_nothing_left_to_draw_speaking_costs_nothing_and_is_not_counted() -> None:
    match = at(
        players=4,
        hands=[["12", "8", "9"], [], ["5"], []],
        draw=[],
        built=[11, 0, 0, 0],
        discards=[*SINK, NO_PILES, NO_PILES],
        options=SILENT,
    )
    assert refusal(match, "say", CLEO) == "S15"
    assert table(match)["silent"] is None
    play(match, "12>1")  # the finished pile can be drawn from
    play(match, "say", seat=CLEO)
    assert len(stock(match, CLEO)) == 3
    assert refusal(match, "say", CLEO) == "S15"


def test_S15_it_costs_once_in_a_turn_however_much_is_said() -> None:
    match = at(players=4, hands=[["1", "2", *FIVE[:3]], [], [], []], options=SILENT)
    play(match, "say", seat=CLEO)
    play(match, "1>1", "2>1")
    assert refusal(match, "say", CLEO) == "S15"
    assert len(stock(match, CLEO)) == 3


# S16


def test_S16_the_hand_must_be_filled_before_anything_else() -> None:
    match = at(hands=[["1", "2", "3", "4"], []], draw=["5", "..."], options=MANNERS)
    for move in ("1>1", "1>d1", "end"):
        assert refusal(match, move) == "S16"
    assert match.legal() == ["draw"]


def test_S16_only_the_filling_at_the_beginning_is_the_players_own_act() -> None:
    match = at(hands=[["1"], []], played=True, draw=["2", "3", "4", "5", "6", "7", "..."], options=MANNERS)
    play(match, "1>1")
    assert last_events(match) == ["play", "draw"]
    assert hand(match, ANA) == ["2", "3", "4", "5", "6"]
    assert refusal(match, "draw") == "S16"


@pytest.mark.parametrize("below", [[], ["10"], ["10", "11", "12"]])
def test_S16_the_card_face_up_stays(below: list[str]) -> None:
    for place in range(len(below) + 1):
        draws = [(place, len(below) + 1)]
        match = at([["9", *below], ["12"]], hands=[FIVE, []], draw=["4", "..."], options=MANNERS, draws=draws)
        play(match, "draw")
        assert stock(match, ANA)[0] == "9"
        assert stock(match, ANA).index("4") == len(below) + 1 - place
        assert [card for card in stock(match, ANA) if card != "4"] == ["9", *below]


# S17


def test_S17_only_the_filling_at_the_beginning_is_barred() -> None:
    match = at(hands=[FIVE, ["1", "2"]], draw=["3", "..."], options=MANNERS)
    play(match, "1>2", seat=BEN)
    play(match, "call", "5>d1")
    assert (match.actor, len(hand(match, BEN))) == (BEN, 2)
    assert refusal(match, "draw") == "S17"
    play(match, "1>1", "2>1")
    assert len(hand(match, BEN)) == 5


def test_S17_a_barred_player_whose_hand_is_empty_draws_nothing_in_the_whole_turn() -> None:
    stocks = [["12"], ["1", "2", "8"]]
    match = at(stocks, hands=[FIVE, []], draw=["3", "..."], options=MANNERS)
    play(match, "S>1", seat=BEN)
    play(match, "call", "5>d1", "S>1", "S>1")
    assert hand(match, BEN) == []
    assert refusal(match, "draw") == "S17"
    assert match.legal() == ["end"]
    play(match, "end")
    play(match, "draw", "6>d1")
    assert (match.actor, match.legal()) == (BEN, ["draw"])  # one turn only


def test_S17_the_bar_ends_with_the_round() -> None:
    match = at([["1"], ["4", "9"]], hands=[FIVE, ["1", "2"]], options={**MANNERS, "match": "points"})
    play(match, "1>2", seat=BEN)
    play(match, "call")
    assert table(match)["no_fill"] == [BEN]
    play(match, "S>1")
    assert match.view()["round"] == 2
    assert table(match)["no_fill"] == []
    while match.actor != BEN:
        play(match, "draw" if match.legal() == ["draw"] else next(m for m in match.legal() if ">d" in m))
    assert match.legal() == ["draw"]


@pytest.mark.parametrize("move", ["4>d1", "4>1", "S>1", "d1>1", "pS>1", "pd1>1"])
def test_S17_plays_and_discards_are_tried_out_of_turn_also_from_the_partners_piles(move: str) -> None:
    piles = [["4"], [], [], []]
    match = at(
        [["12"], ["4", "9"], ["12"], ["4", "9"]],
        players=4,
        hands=[FIVE, ["4"], FIVE, FIVE],
        built=[3, 0, 0, 0],
        discards=[NO_PILES, piles, NO_PILES, piles],
        options=SILENT,
    )
    play(match, move, seat=BEN)
    assert table(match)["open_play"] == {"seat": BEN, "move": move, "card": "4"}
    assert refusal(match, "6>d1", BEN) == "S17"  # one card lies there: its culprit waits


def lying_card(**facts: Any) -> Match:
    """Ana is at turn, Ben has laid a 1 out of turn."""
    hands = facts.pop("hands", [["2", *FIVE[1:]], ["1", "4"], ["2", "4"]])
    return play(at(players=3, hands=hands, options=MANNERS, **facts), "1>2", seat=BEN)


@pytest.mark.parametrize("moves", [["2>2"], ["6>d1"], ["6>d4"]])
def test_S17_it_stands_with_the_next_card_of_the_player_at_turn(moves: list[str]) -> None:
    match = lying_card()
    assert refusal(match.copy(), "call", BEN) == "S17"
    play(match, *moves)
    assert last_events(match)[0] == "stands"
    assert table(match)["open_play"] is None
    assert refusal(match, "call", CLEO) == "S17"
    assert table(match)["no_fill"] == []


def test_S17_it_stands_with_the_end_of_the_turn() -> None:
    match = lying_card(hands=[[], ["1", "4"], ["2"]], draw=[], discards=[*SINK, NO_PILES])
    play(match, "end")
    assert last_events(match)[0] == "stands"
    assert (match.actor, table(match)["open_play"], table(match)["heights"][1]) == (BEN, None, 1)


@pytest.mark.parametrize("move", ["2>2", "4>d1", "1>1"])
def test_S17_no_other_card_out_of_turn_settles_it(move: str) -> None:
    match = lying_card(hands=[FIVE, ["1", "4"], ["1", "2", "4"]])
    assert refusal(match, move, CLEO) == "S17"
    assert table(match)["open_play"]["seat"] == BEN
    play(match, "call", seat=CLEO)
    assert table(match)["no_fill"] == [BEN]


def test_S17_neither_a_draw_nor_a_word_settles_it() -> None:
    match = at(players=4, hands=[FIVE, ["1"], FIVE, FIVE], options=SILENT)
    play(match, "1>2", seat=BEN)
    play(match, "draw")
    play(match, "say", seat=CLEO)
    assert table(match)["open_play"]["seat"] == BEN
    play(match, "call", seat=ANA)
    assert hand(match, BEN) == ["1"]


@pytest.mark.parametrize("caller", [ANA, CLEO, DAN])
def test_S17_anybody_but_the_culprit_may_call_the_partner_too(caller: int) -> None:
    match = at(players=4, hands=[FIVE, ["1"], FIVE, FIVE], options=SILENT)
    play(match, "1>2", seat=BEN)
    assert refusal(match, "call", BEN) == "S17"
    play(match, "call", seat=caller)
    assert table(match)["no_fill"] == [BEN]


def test_S17_a_pile_completed_out_of_turn_and_called_is_never_put_aside() -> None:
    match = at(hands=[["1", *FIVE[1:]], ["12"]], built=[11, 0, 0, 0], options=MANNERS)
    play(match, "12>1", seat=BEN)
    assert (table(match)["heights"][0], table(match)["aside"]) == (12, 0)
    play(match, "call")
    assert (table(match)["heights"][0], table(match)["aside"]) == (11, 0)
    assert hand(match, BEN) == ["12"]


def test_S17_a_stock_emptied_out_of_turn_and_called_wins_nothing() -> None:
    match = at([["9", "9"], ["1"]], hands=[FIVE, ["4"]], options=MANNERS)
    play(match, "S>1", seat=BEN)
    play(match, "call", "5>d1")
    assert not match.over
    assert stock(match, BEN) == ["1"]


def idle_row() -> Match:
    """Ana has ended a turn without a card, nothing is left to draw, and now lays one out of turn in Ben's."""
    match = at([["1", "2", "9"], ["7"]], hands=[[], []], draw=[], discards=SINK, options=MANNERS)
    play(match, "end")
    assert idle_turns(match) == 1
    return play(match, "S>1", seat=ANA)


def test_S17_a_card_that_was_called_counts_as_never_played_in_a_row_of_idle_turns() -> None:
    match = idle_row()
    play(match, "call", seat=BEN)
    assert idle_turns(match) == 1
    play(match, "end")
    assert match.over
    assert match.rounds()[-1]["ending"] == "blocked"
    assert match.places == [2, 1]


def test_S17_a_card_that_stands_breaks_a_row_of_idle_turns() -> None:
    match = idle_row()
    play(match, "end")
    assert not match.over
    assert idle_turns(match) == 1  # Ben's own


def test_S17_a_called_discard_counts_as_never_made_too() -> None:
    match = at([["3"], ["7"]], hands=[[], ["5"]], draw=[], discards=SINK, idle_turns=1, options=MANNERS)
    before = match.position()["table"]
    play(match, "5>d3", seat=BEN)
    play(match, "call", seat=ANA)
    after = match.position()["table"]
    changed = [name for name in before if before[name] != after[name]]
    assert changed == ["manners"]
    assert after["manners"] == {**before["manners"], "no_fill": [False, True], "shown": [[], ["5"]]}
