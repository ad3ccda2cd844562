"""A story or more for each rule of Double Lucky 7, named after its number in the ledger."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque import InvalidPosition, MatchOver
from ludotheque.core.chance import script, set_key
from ludotheque.core.jit import plain
from ludotheque.core.match import Match
from ludotheque.core.record import Record
from ludotheque.games.double_lucky_7 import rules
from ludotheque.games.double_lucky_7.notation import CARDS, parse_card
from tests.games.playing import refusal

GAME = ludotheque.game("double_lucky_7")
ANA, BEN, CLEO, DAN = 0, 1, 2, 3
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil"]
BOX = [f"{colour}{number}" for colour in "RGBY" for number in range(1, 15)] + ["joker"]
SIZES = [1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1]

Draws = list[tuple[int, int]]


def at(table: dict[str, Any], draws: Draws | None = None, **options: Any) -> Match:
    """A match in a position, with the next draws of chance."""
    names = NAMES[: len(table["hands"])]
    position = {"players": names, "options": options, "table": table, "chance": {"draws": draws or []}}
    return GAME.position(position)


def deal(*cards: str) -> Draws:
    """The draws of chance that deal these cards: each is drawn from those that are left, five with one number."""
    left = [parse_card(card) for card in CARDS]
    draws: Draws = []
    for first in range(0, len(cards), 5):
        group = [parse_card(card) for card in cards[first : first + 5]]
        number, span = 0, 1
        for place in range(5):
            index = left.index(group[place]) if place < len(group) else 0
            number, span = number * len(left) + index, span * len(left)
            del left[index]
        draws.append((number, span))
    return draws


def fresh_hands(players: int, round_no: int) -> list[list[str]]:
    """Hands that leave the joker and the highest yellows undealt."""
    size = SIZES[round_no - 1]
    return [BOX[seat * size : (seat + 1) * size] for seat in range(players)]


def last_trick(
    round_no: int,
    cards: Sequence[str],
    bids: Sequence[int],
    tricks: Sequence[int],
    draws: Draws | None = None,
    turned: str = "R1",
    dealer: int = ANA,
    points: Sequence[int] | None = None,
    **options: Any,
) -> Match:
    """Everybody holds one last card of the round."""
    players = len(cards)
    spare = [card for card in BOX if card not in cards and card != turned]
    table = {
        "round": round_no,
        "turned": turned,
        "dealer": dealer,
        "hands": [[card] for card in cards],
        "played": spare[: players * (SIZES[round_no - 1] - 1)],
        "bids": list(bids),
        "tricks": list(tricks),
        "points": list(points or [0] * players),
    }
    return at(table, draws, **options)


def play(match: Match, *moves: str) -> Match:
    """Play moves for whoever is at turn."""
    for move in moves:
        match.play(move)
    return match


def table(match: Match, seat: int | None = None) -> dict[str, Any]:
    """The table as a seat sees it; as everybody does, if none is named."""
    view: dict[str, Any] = match.view(seat)["table"]
    return view


def last_event(match: Match, kind: str) -> dict[str, Any]:
    """What the last move did, of one type."""
    (event,) = [event for event in match.events()[-1] if event["type"] == kind]
    return event


def whole_match(players: int, **options: Any) -> list[dict[str, Any]]:
    """All events of a match in which everybody makes the first move they find."""
    match = GAME.new(NAMES[:players], seed=players, **options)
    while not match.over:
        match.play(match.legal()[0])
    return [event for step in match.events() for event in step]


# D1


def test_D1_the_box_has_1_to_14_in_four_colours_and_a_joker() -> None:
    assert len(BOX) == 57
    dealt: list[str] = []
    for first in range(0, 57, 15):  # the fifteen cards of a deal for two in round 7, until all 57 have come
        wanted = [CARDS[card % 57] for card in range(first, first + 15)]
        match = last_trick(6, ["R2", "R3"], [0, 0], [2, 3], deal(*wanted))
        play(match, "R2", "R3")
        position = match.position()["table"]
        cards = sum(position["hands"], [position["turned"]])
        assert sorted(cards) == sorted(wanted)
        dealt += cards
    assert set(dealt) == set(BOX)


@pytest.mark.parametrize("card", ["R0", "R15", "P3", "", "joker2"])
def test_D1_there_are_no_other_cards(card: str) -> None:
    with pytest.raises(InvalidPosition):
        at({"turned": "R1", "hands": [[card], ["G1"]]})


def test_D1_no_card_is_there_twice() -> None:
    first_of_what_is_left = [(0, 57 * 56 * 55 * 54 * 53)]
    match = last_trick(1, ["R2", "R3"], [0, 0], [0, 0], first_of_what_is_left)
    play(match, "R2", "R3")
    position = match.position()["table"]
    assert (position["hands"], position["turned"]) == ([["R1", "R2"], ["R3", "R4"]], "R5")


# D2


@pytest.mark.parametrize("players", range(2, 8))
def test_D2_fourteen_rounds_go_up_to_seven_cards_and_down_again(players: int) -> None:
    events = whole_match(players)
    assert [event["n"] for event in events if event["type"] == "deal"] == SIZES
    assert [event["round"] for event in events if event["type"] == "round_end"] == list(range(1, 15))
    assert [sum(event["tricks"]) for event in events if event["type"] == "round_end"] == SIZES
    assert events[-1]["type"] == "match_end"


def test_D2_the_short_game_ends_after_the_seventh_round() -> None:
    events = whole_match(3, rounds=7)
    assert [event["n"] for event in events if event["type"] == "deal"] == SIZES[:7]
    assert events[-1]["type"] == "match_end"
    match = last_trick(7, ["R2", "R3"], [0, 0], [3, 3], rounds=7)
    assert play(match, "R2", "R3").over


def test_D2_everybody_has_the_cards_of_the_round() -> None:
    match = last_trick(7, ["R2", "R3", "R4"], [0, 0, 0], [2, 2, 2])
    play(match, "R2", "R3", "R4")
    assert table(match)["hand_sizes"] == [7, 7, 7]  # the eighth has seven again
    assert [len(table(match, seat)["hand"]) for seat in (ANA, BEN, CLEO)] == [7, 7, 7]
    match = last_trick(8, ["R2", "R3", "R4"], [0, 0, 0], [2, 2, 2])
    play(match, "R2", "R3", "R4")
    assert table(match)["hand_sizes"] == [6, 6, 6]


# D3


def draw_for_deal(players: int, *cards: str) -> tuple[int, list[str]]:
    """Who deals first when these cards are drawn, and the last card each has drawn."""
    s = Record(np.zeros(GAME.info.state.itemsize, np.uint8), GAME.info.state)
    s.num_seats = players
    script(s, [(parse_card(card), 57) for card in cards])
    plain(rules._draw_for_deal)(s)
    assert s.cursor == 16, "not all cards were drawn"
    return s.dealer, [CARDS[s.dealer_draw[seat]] for seat in range(players)]


@pytest.mark.parametrize(
    ("cards", "dealer"),
    [
        (["R14", "G13", "B2"], ANA),
        (["R3", "G12", "B13"], CLEO),
        (["Y2", "R3", "G1"], BEN),
        (["R14", "joker", "G14"], BEN),  # the joker is highest
        (["joker", "R14", "G14"], ANA),
    ],
)
def test_D3_the_highest_card_deals_first(cards: list[str], dealer: int) -> None:
    assert draw_for_deal(3, *cards) == (dealer, cards)


def test_D3_those_tied_for_highest_draw_again() -> None:
    # Ana and Cleo tie whatever the colour, and again; Ben is out of it although he could draw higher.
    drawn = ["R9", "B8", "Y9", "G4", "B4", "R2", "G3"]
    assert draw_for_deal(3, *drawn) == (CLEO, ["R2", "B8", "G3"])
    # All tie, then two of them.
    drawn = ["R9", "B9", "Y9", "R5", "B7", "Y7", "R1", "G1", "R3", "G2"]
    assert draw_for_deal(3, *drawn) == (BEN, ["R5", "R3", "G2"])


def test_D3_they_draw_from_the_cards_not_drawn() -> None:
    # The second R9, the Y9 and the B8 are drawn already: chance has to give other cards.
    drawn = ["R9", "B8", "Y9", "R9", "Y9", "G4", "B8", "G4", "R5"]
    assert draw_for_deal(3, *drawn) == (CLEO, ["G4", "B8", "R5"])


def test_D3_a_new_match_shows_the_cards_drawn() -> None:
    match = GAME.new(5, seed=1)
    assert match.key is not None
    s = Record(np.zeros(GAME.info.state.itemsize, np.uint8), GAME.info.state)
    s.num_seats = 5
    plain(set_key)(s, match.key)
    plain(rules._draw_for_deal)(s)
    drawn = [CARDS[s.dealer_draw[seat]] for seat in range(5)]
    first, dealt = match.events()[0]
    assert first == {"type": "first_dealer", "seat": s.dealer, "drawn": drawn}
    assert dealt["seat"] == match.actor == s.dealer


@pytest.mark.parametrize("players", [2, 3, 7])
def test_D3_the_dealer_moves_left_each_round(players: int) -> None:
    events = whole_match(players)
    dealers = [event["seat"] for event in events if event["type"] == "deal"]
    assert dealers == [(dealers[0] + step) % players for step in range(14)]


def test_D3_all_cards_are_shuffled_for_each_round() -> None:
    # Cards of the round before come again, to whomever chance will have it; so does the turned one.
    match = last_trick(1, ["R2", "R3"], [0, 0], [0, 0], deal("R1", "R3", "R2", "G1", "B5"))
    play(match, "R2", "R3")
    seen = match.position()["table"]
    assert seen["hands"] == [["R1", "R3"], ["R2", "G1"]]
    assert (seen["dealer"], seen["turned"]) == (BEN, "B5")


# D4


@pytest.mark.parametrize("card", ["R1", "G14", "B7", "Y10"])
def test_D4_the_card_after_the_deal_makes_trump(card: str) -> None:
    match = last_trick(1, ["R2", "R3"], [0, 0], [0, 0], deal("R4", "R5", "R6", "R7", card))
    play(match, "R2", "R3")
    for seat in (None, ANA, BEN):
        assert table(match, seat)["turned"] == card
        assert table(match, seat)["trump"] == card[0]
    assert table(match)["phase"] == "bids"
    assert last_event(match, "deal")["card"] == card


def test_D4_the_turned_card_is_in_no_hand() -> None:
    # Chance names the last card dealt once more: another is turned.
    match = last_trick(1, ["R2", "R3"], [0, 0], [0, 0], deal("R4", "R5", "R6", "R7", "G2"))
    play(match, "R2", "R3")
    assert table(match)["turned"] == "G2"


# D5

JOKER_TURNED = {"turned": "joker", "dealer": BEN, "round": 2, "hands": [["R1", "R2"], ["G1", "G2"], ["B1", "B2"]]}


def test_D5_the_dealer_chooses_trump_when_the_joker_is_turned() -> None:
    match = at(JOKER_TURNED)
    assert match.actor == BEN
    assert match.legal() == ["trump R", "trump G", "trump B", "trump Y"]
    assert match.movers() == [BEN]
    assert table(match)["trump"] is None
    play(match, "trump Y")
    assert table(match)["trump"] == "Y"
    assert last_event(match, "trump") == {"type": "trump", "seat": BEN, "colour": "Y"}
    assert match.actor == BEN and match.legal() == ["bid 0", "bid 1", "bid 2"]  # D6: and bids first


@pytest.mark.parametrize(("colour", "winner"), [("R", CLEO), ("G", ANA), ("B", BEN), ("Y", BEN)])
def test_D5_the_colour_chosen_is_trump(colour: str, winner: int) -> None:
    match = at({"turned": "joker", "dealer": BEN, "hands": [["G3"], ["B14"], ["R2"]]})
    play(match, f"trump {colour}", "bid 0", "bid 0", "bid 0", "B14", "R2", "G3")
    assert last_event(match, "trick")["seat"] == winner


def test_D5_the_dealer_has_seen_the_own_hand_and_no_other() -> None:
    match = at(JOKER_TURNED)
    assert table(match, BEN)["hand"] == ["G1", "G2"]
    assert match.game.read(match.concealed(BEN)).hand[ANA] == 0


def test_D5_the_choice_comes_before_everything_else() -> None:
    match = at(JOKER_TURNED)
    assert refusal(match, "G1") == "D5"
    assert refusal(match, "bid 1") == "D6"
    assert match.legal(ANA) == []
    refusal(match, "trump R", ANA)


def test_D5_there_is_no_choice_when_a_colour_is_turned() -> None:
    match = at({"turned": "R9", "hands": [["G3"], ["B4"]]})
    assert refusal(match, "trump G") == "D5"
    joker_dealt = play(last_trick(1, ["R2", "R3"], [0, 0], [0, 0], deal("joker", "R5", "R6", "R7", "G1")), "R2", "R3")
    assert table(joker_dealt)["phase"] == "bids"


def test_D5_a_deal_can_turn_the_joker() -> None:
    match = last_trick(1, ["R2", "R3"], [0, 0], [0, 0], deal("R4", "R5", "R6", "R7", "joker"))
    play(match, "R2", "R3")
    assert table(match)["phase"] == "trump"
    assert (match.actor, table(match)["dealer"]) == (BEN, BEN)


# D6


def test_D6_bids_start_with_the_dealer_and_go_clockwise() -> None:
    match = at({"round": 2, "turned": "Y1", "dealer": CLEO, "hands": fresh_hands(4, 2)})
    order = []
    while table(match)["phase"] == "bids":
        order.append(match.actor)
        assert match.movers() == [match.actor]
        play(match, "bid 1")
    assert order == [CLEO, DAN, ANA, BEN]


@pytest.mark.parametrize("round_no", range(1, 15))
def test_D6_a_bid_is_0_to_the_number_of_cards(round_no: int) -> None:
    size = SIZES[round_no - 1]
    match = at({"round": round_no, "turned": "Y14", "hands": fresh_hands(3, round_no)})
    assert match.legal() == [f"bid {bid}" for bid in range(size + 1)]
    if size < 7:
        assert refusal(match, f"bid {size + 1}") == "D6"


def test_D6_bids_are_open_to_all() -> None:
    match = at({"round": 2, "turned": "Y1", "hands": fresh_hands(3, 2)})
    play(match, "bid 2")
    for seat in (None, ANA, BEN, CLEO):
        assert table(match, seat)["bids"] == [2, None, None]
        assert match.events(seat)[-1] == [{"type": "bid", "seat": ANA, "n": 2, "sum": 2}]


def test_D6_bids_come_before_cards_and_only_then() -> None:
    match = at({"round": 2, "turned": "Y1", "hands": fresh_hands(2, 2)})
    assert refusal(match, "R1") == "D6"
    play(match, "bid 2")
    assert refusal(match, "R3") == "D6"
    play(match, "bid 2")
    assert refusal(match, "bid 1") == "D6"


# D7


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("round_no", range(1, 15))
def test_D7_the_last_bid_may_not_make_the_sum_even(round_no: int, players: int) -> None:
    size = SIZES[round_no - 1]
    everything = [f"bid {bid}" for bid in range(size + 1)]
    start = at({"round": round_no, "turned": "Y14", "dealer": players - 1, "hands": fresh_hands(players, round_no)})
    for first in range(size + 1):
        match = start.copy()
        play(match, f"bid {first}")
        for _ in range(players - 2):  # those in between are free to bid anything
            assert match.legal() == everything
            assert table(match)["forbidden_bid"] is None
            play(match, "bid 0")
        barred = f"bid {size - first}"
        assert match.legal() == [bid for bid in everything if bid != barred]
        assert table(match)["forbidden_bid"] == size - first
        assert refusal(match, barred) == "D7"


def test_D7_nothing_is_barred_when_the_sum_is_too_high_already() -> None:
    match = at({"round": 2, "turned": "Y14", "hands": fresh_hands(3, 2)})
    play(match, "bid 2", "bid 1")
    assert match.legal() == ["bid 0", "bid 1", "bid 2"]
    assert table(match)["forbidden_bid"] is None


# D8

# Trump is yellow, and nobody has any: Ben takes both tricks that Ana leads.
THREE_EACH = {
    "round": 3,
    "turned": "Y14",
    "hands": [["R1", "R2", "G1"], ["R3", "R4", "G2"], ["B1", "B2", "B3"]],
    "bids": [0, 0, 0],
}


def test_D8_the_dealer_leads_every_trick() -> None:
    match = at(THREE_EACH)
    assert match.actor == ANA
    play(match, "R1", "R3", "B1")
    assert table(match)["tricks"] == [0, 1, 0]
    assert (match.actor, table(match)["leader"]) == (ANA, ANA)
    play(match, "G1", "G2", "B2")
    assert (match.actor, table(match)["leader"]) == (ANA, ANA)


def test_D8_option_winner_the_winner_leads_the_next_trick() -> None:
    match = at(THREE_EACH, lead="winner")
    assert match.actor == ANA  # the dealer leads the first
    play(match, "R1", "R3", "B1")
    assert (match.actor, table(match)["leader"]) == (BEN, BEN)
    play(match, "G2", "B2", "G1")
    assert match.actor == BEN


@pytest.mark.parametrize("lead", ["dealer", "winner"])
def test_D8_the_new_dealer_leads_the_new_round(lead: str) -> None:
    # Cleo wins the last trick of the round, Ben deals the next.
    match = last_trick(1, ["R2", "R3", "R4"], [0, 0, 0], [0, 0, 0], lead=lead)
    play(match, "R2", "R3", "R4")
    if table(match)["phase"] == "trump":
        play(match, "trump R")
    play(match, "bid 2", "bid 2", "bid 2")
    assert match.actor == BEN


def test_D8_tricks_go_clockwise_from_the_leader() -> None:
    match = at({**THREE_EACH, "dealer": CLEO, "bids": [0, 0, 0]})
    order = [match.actor]
    for move in ("B1", "R1"):
        play(match, move)
        order.append(match.actor)
    assert order == [CLEO, ANA, BEN]


# D9


def test_D9_the_led_colour_is_followed_if_possible() -> None:
    match = at(
        {
            "round": 3,
            "turned": "Y14",
            "hands": [["R1", "G5", "B6"], ["R3", "R14", "Y2"], ["B1", "B2", "B3"]],
            "bids": [0, 0, 0],
        }
    )
    assert match.legal() == ["R1", "G5", "B6"]  # anything may be led
    play(match, "R1")
    assert match.legal() == ["R3", "R14"]
    assert refusal(match, "Y2") == "D9"  # not even trump
    assert refusal(match, "B1") == ""  # in no hand of this seat: no rule needed


def test_D9_who_cannot_follow_plays_anything() -> None:
    match = at(
        {
            "round": 3,
            "turned": "Y14",
            "hands": [["R1", "G5", "B6"], ["G3", "B14", "Y2"], ["R9", "B2", "Y3"]],
            "bids": [0, 0, 0],
        }
    )
    play(match, "R1")
    assert match.legal() == ["G3", "B14", "Y2"]  # trump included
    play(match, "Y2")
    assert table(match)["void"] == ["", "R", ""]  # everybody has seen it
    assert match.legal() == ["R9"]  # the colour led counts, not the trump played


# D10


def joker_trick(*hands: list[str]) -> Match:
    """A trick of a round of two cards, red trump."""
    return at({"round": 2, "turned": "R1", "hands": list(hands), "bids": [1, 2, 2]})


def test_D10_the_joker_may_be_played_although_one_could_follow() -> None:
    match = play(joker_trick(["G5", "B1"], ["G6", "joker"], ["G7", "B2"]), "G5")
    assert match.legal() == ["G6", "joker"]
    play(match, "joker")
    assert table(match)["void"] == ["", "", ""]  # which shows nothing of the hand
    assert match.legal() == ["G7"]  # the led colour still stands
    play(match, "G7")
    assert last_event(match, "trick")["seat"] == BEN


def test_D10_the_joker_may_be_kept() -> None:
    match = play(joker_trick(["G5", "B1"], ["B6", "joker"], ["G7", "B2"]), "G5")
    assert match.legal() == ["B6", "joker"]
    play(match, "B6")
    assert table(match)["void"] == ["", "G", ""]


def test_D10_a_joker_led_asks_for_no_colour() -> None:
    match = play(joker_trick(["joker", "B1"], ["R14", "B6"], ["G7", "Y2"]), "joker")
    assert match.legal() == ["R14", "B6"]
    play(match, "B6")
    assert match.legal() == ["G7", "Y2"]  # neither does the card after it
    play(match, "Y2")
    assert last_event(match, "trick")["seat"] == ANA
    assert table(match)["void"] == ["", "", ""]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (["joker", "R14", "R13"], ANA),
        (["R14", "joker", "R13"], BEN),
        (["G1", "R14", "joker"], CLEO),
        (["R13", "R14", "joker"], CLEO),
    ],
)
def test_D10_the_joker_always_wins(cards: list[str], winner: int) -> None:
    match = last_trick(1, cards, [0, 0, 0], [0, 0, 0])
    play(match, *cards)
    assert last_event(match, "trick")["seat"] == winner


# D11


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (["G2", "G14", "G7"], BEN),  # the highest of the led colour
        (["G14", "G2", "G7"], ANA),
        (["G2", "B14", "Y14"], ANA),  # other colours win nothing
        (["B2", "G14", "B3"], CLEO),
        (["G14", "R2", "G13"], BEN),  # the lowest trump beats every other card
        (["G14", "R2", "R3"], CLEO),  # the highest trump
        (["G14", "R3", "R2"], BEN),
        (["R5", "R14", "R13"], BEN),  # trump led
        (["R2", "G14", "B14"], ANA),
        (["Y9", "Y10", "R2"], CLEO),
    ],
)
def test_D11_highest_trump_else_highest_of_the_led_colour(cards: list[str], winner: int) -> None:
    match = last_trick(1, cards, [0, 0, 0], [0, 0, 0])
    play(match, *cards)
    assert last_event(match, "trick")["seat"] == winner
    assert last_event(match, "round_end")["tricks"] == [int(seat == winner) for seat in range(3)]


def test_D11_the_1_of_trump_beats_every_14() -> None:
    match = last_trick(1, ["G14", "R1", "B14"], [0, 0, 0], [0, 0, 0], turned="R9")
    play(match, "G14", "R1", "B14")
    assert last_event(match, "trick")["seat"] == BEN


def test_D11_the_table_shows_whose_card_wins_so_far() -> None:
    match = last_trick(1, ["G2", "G14", "B7", "R2", "joker"], [0] * 5, [0] * 5)
    assert table(match)["winning"] is None
    shown = []
    for card in ("G2", "G14", "B7", "R2"):
        play(match, card)
        shown.append([table(match, seat)["winning"] for seat in (ANA, CLEO, None)])
    assert shown == [[seat] * 3 for seat in (ANA, BEN, BEN, 3)]
    play(match, "joker")
    assert table(match)["winning"] is None, "the next round has no card yet"


# D12


@pytest.mark.parametrize("bid", range(6))
@pytest.mark.parametrize("tricks", range(6))
def test_D12_only_the_exact_bid_scores(bid: int, tricks: int) -> None:
    # Ana takes the last of five tricks, or Ben does.
    cards = ["G2", "G1"] if tricks else ["G1", "G2"]
    before = [tricks - 1, 5 - tricks] if tricks else [0, 4]
    match = last_trick(5, cards, [bid, 6 - bid if bid else 0], before, points=[20, 0])
    play(match, *cards)
    end = last_event(match, "round_end")
    assert (end["bids"][ANA], end["tricks"][ANA]) == (bid, tricks)
    points = {0: 10, 1: 12, 2: 14, 3: 16, 4: 18, 5: 20}[bid] if bid == tricks else 0
    assert end["points"][ANA] == points
    assert match.scores[ANA] == 20 + points


# D13


@pytest.mark.parametrize(
    ("round_no", "points"),
    [(6, 10), (7, 20), (8, 10)],
)
def test_D13_only_the_seventh_round_counts_double(round_no: int, points: int) -> None:
    size = SIZES[round_no - 1]
    match = last_trick(round_no, ["G1", "G2", "G3"], [0, 1, size], [0, 0, size - 1])
    assert table(match)["double_round"] == (round_no == 7)
    assert table(match)["double_rounds"] == [7]
    play(match, "G1", "G2", "G3")
    end = last_event(match, "round_end")
    assert end["points"][ANA] == points
    assert end["points"][BEN] == 0  # twice nothing
    assert end["points"][CLEO] == (10 + 2 * size) * (2 if round_no == 7 else 1)


def test_D13_at_most_48_points() -> None:
    match = last_trick(7, ["G2", "G1"], [7, 7], [6, 0])
    assert play(match, "G2", "G1").scores == [48, 0]
    match = last_trick(8, ["G2", "G1"], [7, 7], [6, 0])
    assert play(match, "G2", "G1").scores == [24, 0]


def test_D13_the_short_game_ends_with_the_double_round() -> None:
    match = last_trick(7, ["G2", "G1"], [7, 7], [6, 0], rounds=7)
    assert play(match, "G2", "G1").scores == [48, 0]
    assert match.over


# D14


@pytest.mark.parametrize(
    ("points", "places"),
    [
        ([100, 90, 80, 70], [1, 2, 3, 4]),
        ([90, 100, 100, 80], [3, 1, 1, 4]),  # equals share, and the next place counts them both
        ([100, 80, 80, 80], [1, 2, 2, 2]),
        ([0, 0, 0, 0], [1, 1, 1, 1]),
    ],
)
def test_D14_most_points_win_and_equals_share(points: list[int], places: list[int]) -> None:
    # Nobody makes the bid in this last trick.
    match = last_trick(14, ["G4", "G3", "G2", "G1"], [0, 1, 1, 1], [0, 0, 0, 0], points=points)
    play(match, "G4", "G3", "G2", "G1")
    assert match.over
    assert (match.scores, match.places) == (points, places)
    winners = [seat for seat, place in enumerate(places) if place == 1]
    assert match.ranking[0] == winners
    end = last_event(match, "match_end")
    assert (end["seats"], end["n"]) == (winners, max(points))
    with pytest.raises(MatchOver):
        match.play("R5")


def test_D14_the_last_round_still_counts() -> None:
    match = last_trick(14, ["G2", "G1"], [1, 1], [0, 0], points=[50, 60])
    play(match, "G2", "G1")
    assert (match.scores, match.places) == ([62, 60], [1, 2])


# D15


def forfeits(match: Match) -> list[tuple[int, str]]:
    """Who got which forfeit in the last move."""
    words = match.game.catalogue("en")
    return [
        (event["seat"], str(match.game.views.localise(event, words, match.options)["forfeit"]))
        for event in match.events()[-1]
        if event["type"] == "forfeit"
    ]


def missed(draws: Draws, **options: Any) -> Match:
    """The end of a round in which Ana and Cleo missed their bids, and Ben made it."""
    match = last_trick(1, ["G1", "G3", "G2"], [1, 1, 1], [0, 0, 0], draws, **options)
    return play(match, "G1", "G3", "G2")


def test_D15_forfeits_are_off_by_default() -> None:
    assert missed([]).options["forfeits"] is False
    assert forfeits(missed([])) == []
    assert forfeits(missed([], forfeit_list=["Sing."])) == []


def test_D15_those_who_missed_their_bid_get_a_forfeit() -> None:
    own = ["Sing.", "Dance.", "Whistle."]
    assert forfeits(missed([(1, 10_000), (3, 10_000)], forfeits=True, forfeit_list=own)) == [
        (ANA, "Dance."),
        (CLEO, "Sing."),
    ]


def test_D15_the_last_round_has_them_too() -> None:
    match = last_trick(14, ["G2", "G1"], [0, 0], [0, 0], forfeits=True)
    play(match, "G2", "G1")
    assert [seat for seat, _ in forfeits(match)] == [ANA]


def test_D15_every_line_of_the_list_can_be_drawn() -> None:
    own = [f"line {number}" for number in range(100)]
    drawn = {forfeits(missed([(k, 10_000)], forfeits=True, forfeit_list=own))[0][1] for k in range(100)}
    assert drawn == set(own)


def test_D15_everybody_is_shown_who_has_to_do_what() -> None:
    match = missed([(0, 10_000), (0, 10_000)], forfeits=True, forfeit_list=["Sing."])
    for seat in (None, ANA, BEN):
        told = [event["text"] for event in match.view(seat)["events"] if event["type"] == "forfeit"]
        assert told == ["A forfeit for Ana: Sing.", "A forfeit for Cleo: Sing."]
    assert "Un gage pour Ana\N{NO-BREAK SPACE}: Sing." in match.log("fr")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_D15_the_built_in_list_is_used_and_free_of_alcohol(lang: str) -> None:
    lines = GAME.catalogue(lang).find("forfeits.list")
    assert len(lines) >= 10
    for k, line in enumerate(lines):
        match = missed([(k, 10_000)], forfeits=True)
        assert line in "\n".join(match.log(lang))
    alcohol = r"alcool|alcohol|bière|beer|vin\b|wine|vodka|rhum|\brum\b|whisk[ey]y?\b|cocktail|liqueur|liquor|champagne"
    drinking = r"|\bshots?\b|\bcul sec\b|gorgée|\bsips?\b|\bdrink\b|\bboire\b|\bbois\b|\bbuve|ivre\b|drunk"
    assert not [line for line in lines if re.search(alcohol + drinking, line, re.IGNORECASE)]
