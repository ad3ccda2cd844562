"""A story or more for each rule of Loba, named after its number in the ledger."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque import IllegalMove, InvalidMove, InvalidPosition, MatchOver
from ludotheque.core.chance import key_from_seed, script, set_key
from ludotheque.core.jit import plain
from ludotheque.core.match import Match
from ludotheque.core.match_view import show_table
from ludotheque.core.record import NOBODY
from ludotheque.games.loba import rules
from tests.games.playing import table_of

GAME = ludotheque.game("loba")
ANA, BEN, CLEO = 0, 1, 2
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva"]
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
BOX = Counter({rank + suit: 2 for rank in RANKS for suit in "SHDC"} | {"*": 4})


def cards(text: str) -> list[str]:
    """Cards, written in a row."""
    return text.split()


DULL = cards("AS 3S 5S 7S 9S JS KS 2H 4H 6H 8H 10H")
"""Twelve cards that nobody can lay: no two of a rank, no two in a row."""


def at(table: dict[str, Any], draws: list[tuple[int, int]] | None = None, **options: Any) -> Match:
    """A match in a position, with the next draws of chance."""
    names = NAMES[: len(table["hands"])]
    return GAME.position({"players": names, "options": options, "table": table, "chance": {"draws": draws or []}})


def hand_of(match: Match, seat: int) -> list[str]:
    """A hand."""
    hand: list[str] = table_of(match)["hands"][seat]
    return hand


def melds_of(match: Match) -> list[str]:
    """The combinations on the table as text."""
    return [" ".join(cards) for cards in table_of(match)["melds"]]


def first_turn(hand: str, round_no: int = 1, taken: str | None = None, **options: Any) -> Match:
    """Ana has drawn and holds these cards, filled up to twelve with dull ones; nobody has laid anything."""
    cards = hand.split()
    spare = [card for card in DULL if card not in cards]
    table = {
        "hands": [cards + spare[: 12 - len(cards)], None, None],
        "round": round_no,
        "phase": "play",
        "taken": taken,
    }
    return at(table, **options)


def later_turn(hand: str, *melds: str, taken: str | None = None, **options: Any) -> Match:
    """A later turn in round 1: Ana has drawn and holds these cards; these combinations lie on the table as m1, m2...

    Behind them lie long sets: the contracts of Ana, Ben and, if there are so many cards, others, who hold what is left.
    """
    cards = hand.split()
    rows = [meld.split() for meld in melds]
    left = BOX - Counter(cards + [card for row in rows for card in row])
    ranks = [rank for rank in reversed(RANKS) if rank not in {card[:-1] for card in cards}]  # nothing to add there
    sets = [[card for card in left.elements() if card[:-1] == rank] for rank in ranks]
    sets = [row for row in sets if len(row) >= 6]
    for down in (2, 3, 4, 5):
        fillers = [row[:6] for row in sets[:down]]
        due = 5 * down + 1 - len(cards) - sum(map(len, rows))  # for the others' hands
        for filler, row in zip(fillers, sets, strict=False):
            while due > 5 * (down - 1) and len(filler) < len(row):
                filler.append(row[len(filler)])
                due -= 1
        if due >= down - 1:
            break
    num_players = max(down, 3)
    table = {
        "hands": [cards] + [None] * (num_players - 1),
        "down": [seat < down for seat in range(num_players)],
        "phase": "play",
        "melds": rows + fillers,
        "taken": taken,
    }
    return at(table, **options)


def refused(match: Match, move: str) -> str:
    """The rule that forbids a move; it changes nothing."""
    before = match.to_bytes()
    with pytest.raises(IllegalMove) as caught:
        match.play(move)
    assert match.to_bytes() == before
    assert match.refusal_text(caught.value, "fr")
    return caught.value.rule


def fresh(draws: list[tuple[int, int]], players: int = 3) -> Match:
    """A new match whose first draws of chance are chosen."""
    buf = np.zeros(GAME.info.state.itemsize, np.uint8)
    s = GAME.read(buf)
    plain(set_key)(s, key_from_seed("fresh"))
    script(s, draws)
    s.num_seats = players
    options = GAME.options(players, {})
    plain(rules.new_match)(s, options.codes)
    return Match(GAME, NAMES[:players], options, buf, None)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_B1_two_packs_with_four_jokers(players: int) -> None:
    table = table_of(GAME.new(players=players, seed=1))
    cards = Counter(table["stock"] + table["pile"] + [card for hand in table["hands"] for card in hand])
    assert cards == BOX
    assert cards.total() == 108


def test_B1_a_third_card_of_a_kind_is_refused() -> None:
    with pytest.raises(InvalidPosition, match="KD"):
        at({"hands": [["KD", "KD"], None, None], "pile": ["KD"]})


@pytest.mark.parametrize(("players", "stock"), [(3, 74), (4, 63), (5, 52)])
def test_B2_eleven_cards_each_and_one_turned(players: int, stock: int) -> None:
    match = GAME.new(players=players, seed=2)
    table = table_of(match)
    assert [len(hand) for hand in table["hands"]] == [11] * players
    assert len(table["stock"]) == stock
    assert len(table["pile"]) == 1
    deal = match.events()[0][-1]
    assert (deal["type"], deal["round"], deal["card"]) == ("deal", 1, table["pile"][0])


@pytest.mark.parametrize("dealer", [ANA, BEN, CLEO])
def test_B3_the_first_dealer_is_drawn_and_left_of_the_dealer_begins(dealer: int) -> None:
    match = fresh([(dealer, 3)])
    assert match.state.dealer == dealer
    assert match.actor == (dealer + 1) % 3


def test_B3_the_deal_moves_left() -> None:
    match = later_turn("5S", "5H 5D 5C")
    assert match.state.dealer == CLEO
    match.play("drop 5S")
    assert (match.state.round_no, match.state.dealer, match.actor) == (2, ANA, BEN)


def test_B4_draw_then_discard() -> None:
    match = at({"hands": [DULL[:11], None, None], "pile": ["QD"], "stock": ["QC"]})
    assert sorted(match.legal()) == ["stock", "take"]
    assert refused(match, "drop AS") == "B4"
    match.play("stock")
    assert "QC" in hand_of(match, ANA)
    assert refused(match, "take") == "B4"
    assert sorted(match.legal()) == sorted(f"drop {card}" for card in [*DULL[:11], "QC"])  # and no passing
    match.play("drop AS")
    assert table_of(match)["pile"] == ["AS", "QD"]
    assert match.actor == BEN
    match.play("take")
    assert "AS" in hand_of(match, BEN)
    assert table_of(match)["pile"] == ["QD"]


def test_B4_only_who_is_at_turn_plays() -> None:
    match = at({"hands": [None, None, None]})
    assert match.movers() == [ANA]
    with pytest.raises(IllegalMove, match="Ana"):
        match.play("stock", BEN)


CONTRACTS = [
    (1, ["5S 5H 5D", "9S 9H 9D"], 6),
    (2, ["5S 5H 5D", "7C 8C 9C 10C"], 7),
    (3, ["2D 3D 4D 5D", "7C 8C 9C 10C"], 8),
    (4, ["5S 5H 5D", "9S 9H 9D", "JS JH JD"], 9),
    (5, ["5S 5H 5D", "9S 9H 9D", "JC QC KC AC"], 10),
    (6, ["5S 5H 5D", "AD 2D 3D 4D", "JC QC KC AC"], 11),
]


@pytest.mark.parametrize(("round_no", "melds", "size"), CONTRACTS)
def test_B5_each_round_has_its_contract(round_no: int, melds: list[str], size: int) -> None:
    match = first_turn(" ".join(melds), round_no)
    for meld in melds:
        assert not table_of(match)["down"][ANA]
        match.play(f"lay {meld}")
    table = table_of(match)
    assert (table["down"], table["phase"], table["melds"]) == (
        [True, False, False],
        "discard",
        [m.split() for m in melds],
    )
    assert len(table["hands"][ANA]) == 12 - size
    assert match.events()[-1][-1] == {"type": "down", "seat": ANA}


@pytest.mark.parametrize(("round_no", "melds", "size"), CONTRACTS)
def test_B5_in_any_order_but_nothing_less(round_no: int, melds: list[str], size: int) -> None:
    match = first_turn(" ".join(melds), round_no)
    for meld in reversed(melds[1:]):
        match.play(f"lay {meld}")
    assert all(move.startswith("lay ") for move in match.legal())
    match.play(f"lay {melds[0]}")
    assert table_of(match)["phase"] == "discard"


def test_B5_whoever_lays_in_the_sixth_round_goes_out() -> None:
    _, melds, _ = CONTRACTS[5]
    match = first_turn(" ".join([*melds, "8H"]), 6)
    for meld in melds:
        match.play(f"lay {meld}")
    assert match.legal() == ["drop 8H"]
    match.play("drop 8H")
    assert match.over


def test_B6_two_of_a_brelan_may_be_of_the_same_suit() -> None:
    match = first_turn("5S 5S 5H 9D 9D 9C")
    for meld in ("5S 5S 5H", "9D 9D 9C"):
        match.play(f"lay {meld}")
    assert melds_of(match) == ["5S 5S 5H", "9D 9D 9C"]


def test_B6_a_brelan_is_of_one_rank() -> None:
    with pytest.raises(InvalidMove):
        GAME.moves.parse("lay 5S 5H 6D")
    with pytest.raises(InvalidMove):
        GAME.moves.parse("lay 5S 5H")


def test_B7_a_quarte_is_of_one_suit() -> None:
    match = first_turn("5S 5H 5D 7C 8C 9C 10C", 2)
    match.play("lay 7C 8C 9C 10C")
    match = first_turn("5S 5H 5D 7C 8C 9C 10D", 2)
    assert refused(match, "lay 7C 8C 9C 10D") == "B7"
    assert not any(move.startswith("lay") for move in match.legal())
    with pytest.raises(InvalidMove):
        GAME.moves.parse("lay 7C 8C 9C")


def test_B7_or_of_any_suits() -> None:
    match = first_turn("5S 5H 5D 7C 8C 9C 10D", 2, runs="any_suit")
    match.play("lay 7C 8C 9C 10D")
    match.play("lay 5S 5H 5D")
    assert melds_of(match) == ["7C 8C 9C 10D", "5S 5H 5D"]
    match = later_turn("JH JC", "7C 8C 9S 10D", runs="any_suit")
    match.play("add JH m1")
    assert melds_of(match)[0] == "7C 8C 9S 10D JH"
    match = later_turn("JH JC", "7C 8C 9C 10C")
    assert refused(match, "add JH m1") == "B14"


@pytest.mark.parametrize("meld", ["AD 2D 3D 4D", "JD QD KD AD"])
def test_B8_the_ace_is_low_or_high(meld: str) -> None:
    match = first_turn(f"{meld} 7C 8C 9C 10C", 3)
    match.play(f"lay {meld}")
    assert melds_of(match) == [meld]


@pytest.mark.parametrize("meld", ["QD KD AD 2D", "KD AD 2D 3D"])
def test_B8_not_round_the_corner(meld: str) -> None:
    with pytest.raises(InvalidMove):
        GAME.moves.parse(f"lay {meld}")
    match = first_turn(f"{meld} 7C 8C 9C 10C", 3)
    assert not any(move.startswith("lay") for move in match.legal())
    run = later_turn("2D 9D", "JD QD KD AD")
    assert refused(run, "add 2D m1") == "B14"


def test_B8_a_run_may_grow_from_ace_to_ace() -> None:
    run = " ".join(f"{rank}D" for rank in RANKS[1:])
    match = later_turn("AD AD", run)
    assert {"add AD m1 low", "add AD m1 high"} <= set(match.legal())
    assert refused(match, "add AD m1") == "B23"
    match.play("add AD m1 low")
    assert melds_of(match)[0] == f"AD {run}"
    assert [move for move in match.legal() if move.startswith("add")] == ["add AD m1"]
    assert refused(match, "add AD m1 high") == "B23"
    ended = match.copy()
    ended.play("add AD m1")
    assert ended.state.round_no == 2
    match = later_turn("* 3D", f"AD {run} AD")
    assert refused(match, "add * m1") == "B23"  # no fifteenth place
    assert refused(match, "add 3D m1") == "B14"


def test_B9_a_joker_stands_for_any_card() -> None:
    match = first_turn("5S 5H * 9S 9H *")
    match.play("lay 5S 5H *")
    match.play("lay 9S 9H *")
    match = first_turn("5S 5H 5D 7C * 9C 10C", 2)
    match.play("lay 7C * 9C 10C")
    assert show_table(GAME, match.state, NOBODY)["melds"] == [
        {"kind": "run", "cards": ["7C", "*", "9C", "10C"], "joker": "8C", "low": ["6C"]}
    ]


def test_B9_one_joker_a_combination() -> None:
    for text in ("lay 5S * *", "lay 7C * * 10C"):
        with pytest.raises(InvalidMove):
            GAME.moves.parse(text)
    match = first_turn("5S * * 9S 9H 9D")
    assert not any(move.startswith("lay") for move in match.legal())
    match = later_turn("* 2D", "5S 5S 5H 5H 5D *", "6C 7C 8C 9C *")
    assert refused(match, "add * m1") == "B9"
    assert refused(match, "add * m2 low") == "B9"


def test_B10_the_first_laying_down_is_exactly_the_contract() -> None:
    match = first_turn("5S 5H 5D 5C 9S 9H 9D 7C 8C 10C")
    assert refused(match, "lay 7C 8C 9C 10C") == ""  # no 9C
    match = first_turn("5S 5H 5D 5C 9S 9H 9D 7C 8C 9C 10C")
    assert refused(match, "lay 7C 8C 9C 10C") == "B10"  # no quarte in round 1
    match.play("lay 5S 5H 5D")
    assert refused(match, "add 5C m1") == "B23"  # not longer either
    match.play("lay 9S 9H 9D")
    assert match.legal() == [f"drop {card}" for card in hand_of(match, ANA)]


def test_B10_what_breaks_the_rest_is_not_laid() -> None:
    # The quarte needs the 7H: the brelan of sevens must do without it.
    match = first_turn("7S 7H 7D 7C 8H 9H 10H", 2)
    assert refused(match, "lay 7S 7H 7D") == "B10"
    assert {m for m in match.legal() if m.startswith("lay")} == {"lay 7S 7D 7C", "lay 7H 8H 9H 10H"}
    match = first_turn("7S 7H 7D 9S 9H JC")  # one brelan only
    assert refused(match, "lay 7S 7H 7D") == "B10"


def test_B11_six_of_a_rank_are_two_brelans() -> None:
    match = first_turn("7S 7S 7H 7H 7D 7C")
    match.play("lay 7S 7S 7H 7H 7D 7C")
    table = table_of(match)
    assert table["melds"] == [["7S", "7S", "7H", "7H", "7D", "7C"]]
    assert (table["phase"], table["down"][ANA]) == ("discard", True)


def test_B11_with_a_joker_and_beside_a_brelan() -> None:
    match = first_turn("7S 7S 7H 7H 7D * 9S 9H 9D", 4)
    match.play("lay 7S 7S 7H 7H 7D *")
    assert table_of(match)["needed"] == {"brelans": 1, "quartes": 0}
    match.play("lay 9S 9H 9D")
    assert table_of(match)["phase"] == "discard"


def test_B11_only_where_two_brelans_are_needed() -> None:
    match = first_turn("7S 7S 7H 7H 7D 7C 8C 9C 10C", 2)
    assert refused(match, "lay 7S 7S 7H 7H 7D 7C") == "B10"
    match = later_turn("7S 7S 7H 7H 7D 7C")
    assert refused(match, "lay 7S 7S 7H 7H 7D 7C") == "B11"


def test_B12_nothing_more_in_the_turn_of_the_contract() -> None:
    match = first_turn("5S 5H 5D 5C 9S 9H 9D JS JH JD")
    match.play("lay 5S 5H 5D")
    match.play("lay 9S 9H 9D")
    assert refused(match, "add 5C m1") == "B12"
    assert refused(match, "lay JS JH JD") == "B12"
    match.play("drop JS")
    for move in ("stock", f"drop {hand_of(match, BEN)[0]}", "stock", f"drop {hand_of(match, CLEO)[0]}", "stock"):
        match.play(move)
    match.play("add 5C m1")  # but in the next


def test_B13_later_further_combinations() -> None:
    match = later_turn("5S 5H 5D 5C 2C", "3D 4D 5D 6D")
    match.play("lay 5S 5H 5D")
    match.play("add 5C m4")
    assert melds_of(match)[3] == "5S 5H 5D 5C"
    match = later_turn("5S 6S 7S 8S 9S 2C")
    match.play("lay 5S 6S 7S 8S")
    match.play("add 9S m3")
    assert melds_of(match)[2] == "5S 6S 7S 8S 9S"


def test_B13_not_before_the_contract() -> None:
    match = at({"hands": [cards("5S 5H 5D 2S 4S 6S 8S 10S QS AC 3C 7C"), None, None], "phase": "play"})
    assert refused(match, "lay 5S 5H 5D") == "B10"


def test_B14_add_to_any_combination() -> None:
    match = later_turn("4S 9S 6C 2C", "5S 6S 7S 8S", "6H 6D 6S")
    match.play("add 9S m1")
    match.play("add 4S m1")
    match.play("add 6C m2")  # whoever laid it
    assert melds_of(match)[:2] == ["4S 5S 6S 7S 8S 9S", "6S 6H 6D 6C"]
    assert hand_of(match, ANA) == ["2C"]


def test_B14_an_ace_at_either_end() -> None:
    match = later_turn("AS AH 9C", "2S 3S 4S 5S", "10H JH QH KH")
    match.play("add AS m1")
    match.play("add AH m2")
    assert melds_of(match)[:2] == ["AS 2S 3S 4S 5S", "10H JH QH KH AH"]


def test_B14_only_what_fits() -> None:
    match = later_turn("10S 6C 2C", "5S 6S 7S 8S")
    for move in ("add 10S m1", "add 6C m1"):
        assert refused(match, move) == "B14"
    assert refused(match, "add 2C m9") == ""


def test_B14_not_before_the_contract() -> None:
    table = {"hands": [["9S", *DULL[:4], *DULL[5:11], "6D"], None, None], "phase": "play", "actor": ANA}
    table |= {"down": [False, True, False], "melds": [["6S", "6H", "6C"], ["QS", "QH", "QC"]]}
    match = at(table)
    assert refused(match, "add 6D m1") == "B14"


def test_B15_a_joker_stays_on_the_table() -> None:
    match = later_turn("6S 8H 2C", "5S * 7S 8S", "8S 8D *")
    assert refused(match, "add 6S m1") == "B14"  # the joker stands for it, inside the run
    match.play("add 8H m2")
    assert melds_of(match)[1] == "8S 8H 8D *"
    assert hand_of(match, ANA) == ["2C", "6S"]
    match = later_turn("8S 2C", "5S 6S 7S *")
    match.play("add 8S m1")
    assert hand_of(match, ANA) == ["2C"]
    assert "*" in melds_of(match)[0]


def test_B16_the_joker_at_the_end_moves_on() -> None:
    match = later_turn("8S 4H 2C", "5S 6S 7S *", "* 5H 6H 7H")
    match.play("add 8S m1")
    match.play("add 4H m2")
    assert melds_of(match)[:2] == ["5S 6S 7S 8S *", "* 4H 5H 6H 7H"]
    assert [event["type"] for step in match.events()[-2:] for event in step] == ["shift", "shift"]


def test_B16_up_to_the_ace_but_not_beyond() -> None:
    match = later_turn("KS 2C", "10S JS QS *")
    match.play("add KS m1")
    assert melds_of(match)[0] == "10S JS QS KS *"
    match = later_turn("AS 2C", "JS QS KS *", "* 2S 3S 4S")
    assert refused(match, "add AS m1") == "B16"
    assert refused(match, "add AS m2") == "B16"


def test_B17_the_round_ends_with_the_last_card() -> None:
    match = later_turn("2C", "5S 6S 7S 8S")
    match.play("drop 2C")
    assert [event["type"] for event in match.events()[-1]] == ["last_drop", "out", "round_end", "deal"]
    match = later_turn("9S", "5S 6S 7S 8S")
    match.play("add 9S m1")
    assert [event["type"] for event in match.events()[-1]] == ["add", "out", "round_end", "deal"]
    match = later_turn("3S 3H 3D", "5S 6S 7S 8S")
    match.play("lay 3S 3H 3D")
    assert [event["type"] for event in match.events()[-1]] == ["lay", "out", "round_end", "deal"]
    assert match.state.round_no == 2


def test_B17_or_only_by_a_discard() -> None:
    match = later_turn("9S", "5S 6S 7S 8S", out_by_discard=True)
    assert match.legal() == ["drop 9S"]
    assert refused(match, "add 9S m1") == "B17"
    match = later_turn("3S 3H 3D", "5S 6S 7S 8S", out_by_discard=True)
    assert refused(match, "lay 3S 3H 3D") == "B17"
    match = later_turn("9S 2C", "5S 6S 7S 8S", out_by_discard=True)
    match.play("add 9S m1")
    match.play("drop 2C")
    assert match.state.round_no == 2


def test_B18_a_joker_may_be_the_last_card() -> None:
    for move in ("drop *", "add * m2", "add * m1 high"):
        match = later_turn("*", "5S 6S 7S 8S", "3S 3H 3D")
        match.play(move)
        assert match.state.round_no == 2
        assert match.rounds()[-1]["points"][ANA] == 0


def test_B19_cards_left_count_against_their_holder() -> None:
    ben = cards("AS 2S 10D JC KC")
    cleo = cards("AS 2H 3H 4D 5C 6C 7D 8D 9H * QC")
    kings, queens = cards("KS KS KH KH KD KD KC"), cards("QS QS QH QH QD QD QC")
    table = {"hands": [["3C"], ben, cleo], "down": [True, True, False], "phase": "play"}
    match = at({**table, "melds": [kings, queens, ["4S", "4H", "4C"]], "points": [0, 0, 0]})
    match.play("drop 3C")
    end = match.rounds()[-1]
    assert (end["round"], end["seat"]) == (1, ANA)
    assert end["points"] == [0, 1 + 2 + 10 + 11 + 13, 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 25 + 12]
    assert [sorted(hand) for hand in end["hands"]] == [[], sorted(ben), sorted(cleo)]
    assert match.scores == end["scores"] == [0, 37, 82]
    assert match.places == [1, 2, 3]


@pytest.mark.parametrize(
    ("points", "scores", "places", "winners"),
    [
        ([90, 50, 52], [90, 89, 91], [2, 1, 3], [BEN]),
        ([90, 51, 51], [90, 90, 90], [1, 1, 1], [ANA, BEN, CLEO]),
        ([90, 52, 51], [90, 91, 90], [1, 3, 1], [ANA, CLEO]),
    ],
)
def test_B20_the_lowest_sum_wins(points: list[int], scores: list[int], places: list[int], winners: list[int]) -> None:
    low = cards("AS AH 2S 2C 3S 3H 4S 4H 6S 6H 7S")  # 39 points
    hand = cards("5S 5H 5D AD 2D 3D 4D JC QC KC AC 8H")
    match = at({"hands": [hand, low, low], "round": 6, "phase": "play", "points": points})
    for move in ("lay 5S 5H 5D", "lay AD 2D 3D 4D", "lay JC QC KC AC", "drop 8H"):
        assert not match.over
        match.play(move)
    assert match.over
    assert match.actor == -1
    assert match.scores == scores
    assert match.places == places
    assert match.events()[-1][-1] == {"type": "match_end", "seats": winners, "n": min(scores)}
    with pytest.raises(MatchOver):
        match.play("stock")


def test_B20_six_rounds_and_no_more() -> None:
    for round_no in range(1, 7):
        match = at({"hands": [DULL, None, None], "phase": "play", "round": round_no, "turn": 120, "dealer": ANA})
        match.play("drop AS")
        assert match.over == (round_no == 6)
        if not match.over:
            assert (match.state.round_no, match.actor) == (round_no + 1, CLEO)


def test_B21_an_empty_stock_is_made_of_the_pile() -> None:
    to_the_bottom = [
        (0, n) for n in range(74, 58, -1)
    ]  # each of the top sixteen in turn changes places with the lowest
    table = {"hands": [DULL, None, None], "phase": "play", "stock": [], "pile": ["KC", "QC"], "rest": "pile"}
    match = at(table, to_the_bottom)
    pile = table_of(match)["pile"]
    assert len(pile) == 74
    match.play("drop AS")
    after = table_of(match)
    assert after["pile"] == ["AS"]
    assert after["stock"][:16] == [pile[-1], *pile[:15]]
    assert Counter(after["stock"]) == Counter(pile)
    assert match.events()[-1][-1] == {"type": "reshuffle", "n": 74}
    assert match.actor == BEN
    match.play("stock")
    assert hand_of(match, BEN).count(pile[-1]) > 0


def test_B21_who_drew_the_last_card_finishes_the_turn() -> None:
    match = at({"hands": [DULL[:11], None, None], "stock": ["9C"], "pile": ["KC"], "rest": "pile"})
    match.play("stock")
    assert table_of(match)["stock"] == []
    assert len(table_of(match)["pile"]) == 74
    match.play("drop 9C")
    assert len(table_of(match)["stock"]) == 74
    assert table_of(match)["pile"] == ["9C"]


def test_B21_a_round_ends_after_forty_turns_each() -> None:
    for turn, is_last in ((119, False), (120, True)):
        dealer = (ANA - turn) % 3
        match = at({"hands": [DULL, None, None], "phase": "play", "turn": turn, "dealer": dealer})
        match.play("drop AS")
        assert (match.state.round_no == 2) == is_last
        if is_last:
            types = [event["type"] for event in match.events()[-1]]
            assert types == ["drop", "turns_over", "round_end", "deal"]
            end = match.rounds()[-1]
            assert end["seat"] is None
            assert end["points"][ANA] == 3 + 5 + 7 + 9 + 11 + 13 + 2 + 4 + 6 + 8 + 10
            assert min(end["points"]) > 0


def test_B22_the_taken_card_does_not_go_back() -> None:
    match = at({"hands": [DULL[:11], None, None], "pile": ["QD"]})
    match.play("take")
    assert table_of(match)["taken"] == "QD"
    assert refused(match, "drop QD") == "B22"
    match.play("drop AS")
    for move in (
        "stock",
        f"drop {hand_of(match, BEN)[0]}",
        "stock",
        f"drop {hand_of(match, CLEO)[0]}",
        "stock",
        "drop QD",
    ):
        match.play(move)  # in the next turn it may go


def test_B22_unless_there_is_another_like_it() -> None:
    match = at({"hands": [["QD", *DULL[:10]], None, None], "pile": ["QD"]})
    match.play("take")
    match.play("drop QD")
    assert table_of(match)["pile"] == ["QD"]
    assert hand_of(match, ANA).count("QD") == 1


def test_B22_no_adding_that_leaves_the_taken_card_alone() -> None:
    fives, nines = "5S 5H 5D", "9S 9H 9D"
    match = later_turn("5C KD", fives, nines, taken="KD")
    assert refused(match, "add 5C m1") == "B22"
    assert match.legal() == ["drop 5C"]
    match = later_turn("5C KD", fives, nines)
    match.play("add 5C m1")  # drawn from the stock it may be discarded
    match = later_turn("5C 9C", fives, nines, taken="9C")
    match.play("add 5C m1")  # the taken card has a place of its own
    assert match.legal() == ["add 9C m2"]
    match = later_turn("5C 9C", fives, nines, taken="9C", out_by_discard=True)
    assert refused(match, "add 5C m1") == "B22"
    match.play("add 9C m2")
    match.play("drop 5C")


def test_B22_of_two_like_cards_the_taken_one_goes_first() -> None:
    match = later_turn("5C 5C", "5S 5H 5D", taken="5C", out_by_discard=True)
    match.play("add 5C m1")
    assert match.legal() == ["drop 5C"]


def test_B22_no_laying_that_leaves_the_taken_card_alone() -> None:
    match = later_turn("2S 3S 4S 5S 8S", taken="8S")
    assert refused(match, "lay 2S 3S 4S 5S") == "B22"
    match = later_turn("2S 3S 4S 5S 6S", taken="6S")
    match.play("lay 2S 3S 4S 5S")  # it opens a place for it
    assert match.legal() == ["add 6S m3"]


def test_B22_no_contract_that_leaves_the_taken_card_alone() -> None:
    _, melds, _ = CONTRACTS[5]
    cards = " ".join([*melds, "8H"])
    match = first_turn(cards, 6, taken="8H")
    for meld in melds:
        assert refused(match, f"lay {meld}") == "B22"
    match = first_turn(cards, 6, taken="5S")
    match.play("lay 5S 5H 5D")
    # A fifth of the rank: only brelans with the taken card in them leave another one to discard.
    match = first_turn(" ".join([*melds, "5C"]), 6, taken="5C")
    assert refused(match, "lay 5S 5H 5D") == "B22"
    match.play("lay 5S 5H 5C")


def test_B23_later_everything_in_any_order() -> None:
    match = later_turn("3S 3H 3D 9S 4S 2C", "5S 6S 7S 8S")
    for move in ("add 9S m1", "lay 3S 3H 3D", "add 4S m1", "drop 2C"):
        match.play(move)
    assert match.state.round_no == 2


def test_B23_a_contract_that_has_begun_goes_on() -> None:
    match = first_turn("5S 5H 5D 9S 9H 9D")
    match.play("lay 5S 5H 5D")
    assert match.legal() == ["lay 9S 9H 9D"]
    assert refused(match, "drop 9S") == "B23"
    assert refused(match, "drop AS") == "B23"


def test_B23_a_joker_may_be_added_where_there_is_none() -> None:
    match = later_turn("* * * 2C", "5S 6S 7S 8S", "3S 3H 3D", "JH QH KH AH")
    assert refused(match, "add * m1") == "B23"  # at which end?
    assert refused(match, "add * m3 low") == "B23"  # there is only one
    match.play("add * m1 low")
    match.play("add * m2")
    match.play("add * m3")
    assert melds_of(match)[:3] == ["* 5S 6S 7S 8S", "3S 3H 3D *", "* JH QH KH AH"]


@pytest.mark.parametrize(("card", "run"), [("8S", "5S 6S 7S 8S *"), ("9S", "5S 6S 7S * 9S"), ("4S", "4S 5S 6S 7S *")])
def test_B23_the_card_in_place_of_the_joker_or_the_one_after_it(card: str, run: str) -> None:
    match = later_turn("4S 8S 9S 2C", "5S 6S 7S *")
    match.play(f"add {card} m1")
    assert melds_of(match)[0] == run
