"""Tests of the referees themselves: the printed examples, and the tricky cases of the rule ledger."""

import itertools
import random
from collections import Counter

import pytest

from tests.referee import double_lucky_7, loba, lobo77
from tests.referee.double_lucky_7 import DoubleLucky7Round
from tests.referee.loba import Meld
from tests.referee.lobo77 import Lobo77, Lobo77Options

# --- LOBO 77 -----------------------------------------------------------------------------------------------

QUIET_HAND = ["2", "3", "4", "5", "6"]


def backwards(cards: list[str]) -> list[str]:
    """A shuffle whose outcome is known."""
    return list(reversed(cards))


def lobo(
    *hands: list[str],
    draw: list[str] | None = None,
    played: list[str] | None = None,
    total: int = 0,
    direction: int = 1,
    actor: int = 0,
    owed: int = 1,
    tokens: list[int] | None = None,
    out: list[int] | None = None,
    opener: int = 0,
    pending_draws: list[int] | None = None,
    next_owes_two: bool = False,
    options: Lobo77Options | None = None,
) -> Lobo77:
    """A situation in which only what matters need be said."""
    return Lobo77(
        hands=list(hands),
        draw=draw if draw is not None else ["9"] * 20,
        played=played if played is not None else [],
        total=total,
        direction=direction,
        actor=actor,
        owed=owed,
        tokens=tokens if tokens is not None else [3] * len(hands),
        out=out if out is not None else [],
        opener=opener,
        shuffle=backwards,
        pending_draws=pending_draws,
        next_owes_two=next_owes_two,
        options=options,
    )


def test_lobo_pack() -> None:
    """L1, L22."""
    count = Counter(lobo77.full_pack())
    assert sum(count.values()) == 55
    assert count["0"] == count["-10"] == count["2x"] == 4
    assert count["rev"] == 5
    assert count["10"] == 8
    assert all(count[str(number)] == 3 for number in range(2, 10))
    assert all(count[doublet] == 1 for doublet in ("11", "22", "33", "44", "55", "66"))
    assert Counter(lobo77.full_pack(card_76=True)) - count == Counter(["76"])


def test_lobo_printed_example() -> None:
    """L4, L5, L6, L7: Laurent opens with 10, Catherine's 9 makes 19, Pierre's 3 makes 22."""
    game = Lobo77.new_match(
        hands=[["3", *QUIET_HAND[:4]], ["10", *QUIET_HAND[:4]], ["9", *QUIET_HAND[:4]]],
        draw=["0", "rev", "2x"],
        dealer=0,
        shuffle=backwards,
    )
    assert game.actor == 1
    assert game.legal(0) == game.legal(2) == set()
    game.play(1, "10")
    assert game.total == 10
    assert game.hands[1] == ["2", "3", "4", "5", "0"]
    game.play(2, "9")
    assert game.total == 19
    assert game.tokens == [3, 3, 3]
    game.play(0, "3")
    assert game.total == 22
    assert game.tokens == [2, 3, 3]
    assert game.actor == 1
    assert not game.round_over


def test_lobo_doublet_from_above_and_not_below_zero() -> None:
    """L7, L9: 43 - 10 costs a token; 0 and negative numbers do not."""
    game = lobo(["-10"], ["2"], total=43)
    game.play(0, "-10")
    assert (game.total, game.tokens) == (33, [2, 3])
    game = lobo(["-10"], ["2"], total=10)
    game.play(0, "-10")
    assert (game.total, game.tokens) == (0, [3, 3])
    game = lobo(["-10"], ["2"], total=-1)
    game.play(0, "-10")
    assert (game.total, game.tokens) == (-11, [3, 3])


@pytest.mark.parametrize("card", ["0", "rev", "2x"])
@pytest.mark.parametrize("repeat_costs", [False, True])
def test_lobo_repeating_a_doublet(card: str, repeat_costs: bool) -> None:
    """L8, L10."""
    game = lobo([card], ["2"], ["2"], total=44, options=Lobo77Options(repeat_costs=repeat_costs))
    game.play(0, card)
    assert game.total == 44
    assert game.tokens == [2 if repeat_costs else 3, 3, 3]


def test_lobo_reverse() -> None:
    """L11: it lasts until the next reverse; between two it changes nothing."""
    game = lobo(["rev"], ["2"], ["2"], ["rev"])
    game.play(0, "rev")
    assert (game.actor, game.direction) == (3, -1)
    game.play(3, "rev")
    assert (game.actor, game.direction) == (0, 1)
    game = lobo(["rev"], ["2"])
    game.play(0, "rev")
    assert game.actor == 1


def test_lobo_two_cards() -> None:
    """L12, L13: no 2x first; second it is allowed, and the next owes two."""
    game = lobo(["2x", "2"], ["2x", "3", "4"], ["5", "2x"], draw=["6", "7", "8", "9"])
    game.play(0, "2x")
    assert (game.total, game.actor, game.owed) == (0, 1, 2)
    assert game.legal(1) == {"3", "4"}
    game.play(1, "3")
    assert (game.total, game.actor, game.owed) == (3, 1, 1)
    assert game.hands[1] == ["2x", "4", "7"]  # one is drawn after each
    assert game.legal(1) == {"2x", "4", "7"}
    game.play(1, "2x")
    assert (game.actor, game.owed) == (2, 2)
    assert game.legal(2) == {"5"}


def test_lobo_nothing_but_2x() -> None:
    """L13, the ruling: then it may be first; the second is owed, and the next owes two, not more."""
    for second in ("3", "2x"):
        game = lobo(["2x", "2x"], ["4"], ["5"], owed=2, draw=["3", "6"])
        assert game.legal(0) == {"2x"}
        game.play(0, "2x")
        assert (game.actor, game.owed, game.next_owes_two) == (0, 1, True)
        game.play(0, second)
        assert (game.actor, game.owed, game.next_owes_two) == (1, 2, False)


def test_lobo_reverse_first_of_two() -> None:
    """L14: the direction turns, the second card is still owed."""
    game = lobo(["rev", "2"], ["3"], ["4"], owed=2)
    game.play(0, "rev")
    assert (game.actor, game.owed, game.direction) == (0, 1, -1)
    game.play(0, "2")
    assert (game.actor, game.owed) == (2, 1)


def test_lobo_out_with_first_of_two() -> None:
    """L14, L18: nobody inherits the second; the hand goes under the played cards."""
    game = lobo(["3", "7"], ["4"], ["5"], played=["10", "9"], total=19, owed=2, tokens=[0, 1, 1])
    assert game.swimming == [0]
    game.play(0, "3")
    assert game.out == [0]
    assert game.swimming == []
    assert (game.actor, game.owed) == (1, 1)
    assert game.played == ["7", "10", "9", "3"]
    assert game.hands[0] == []
    assert len(game.draw_pile) == 20
    assert not game.match_over


def test_lobo_out_with_a_2x_or_a_reverse() -> None:
    """L12, L14 with L8's option: the card still does to the next player what it does."""
    options = Lobo77Options(repeat_costs=True)
    game = lobo(["2x"], ["4"], ["5"], total=22, tokens=[0, 1, 1], options=options)
    game.play(0, "2x")
    assert (game.out, game.actor, game.owed) == ([0], 1, 2)
    game = lobo(["rev"], ["4"], ["5"], total=22, tokens=[0, 1, 1], options=options)
    game.play(0, "rev")
    assert (game.out, game.actor, game.owed) == ([0], 2, 1)


def test_lobo_77_ends_the_round() -> None:
    """L14, L16, L17: one token, no draw, no second card; the opener deals."""
    for total, owed in ((67, 1), (75, 2)):
        game = lobo(["10", "2"], ["4"], ["5"], total=total, owed=owed, opener=2)
        game.play(0, "10")
        assert game.round_over
        assert not game.match_over
        assert game.tokens == [2, 3, 3]
        assert game.hands[0] == ["2"]
        assert (game.next_dealer, game.next_opener) == (2, 0)
        assert [game.legal(seat) for seat in range(3)] == [set(), set(), set()]
        game.deal([["2"], ["3"], ["4"]], ["5"])
        assert (game.actor, game.opener, game.total, game.direction, game.owed) == (0, 0, 0, 1, 1)


def test_lobo_dealer_who_is_out() -> None:
    """L17, the ruling; L4: the seat left of the dealer that is still in opens."""
    game = lobo(["10"], [], ["5"], [], ["6"], total=70, tokens=[0, 0, 1, 0, 2], out=[3, 1], opener=0)
    game.play(0, "10")
    assert game.out == [3, 1, 0]
    assert (game.next_dealer, game.next_opener) == (2, 4)


def test_lobo_swimming() -> None:
    """L18: on, the loss after the last token puts a player out; off, the last token does."""
    game = lobo(["2"], ["3"], ["4"], total=20, tokens=[1, 1, 1])
    game.play(0, "2")
    assert (game.swimming, game.out, game.actor) == ([0], [], 1)
    game = lobo(["2"], ["3"], ["4"], total=20, tokens=[1, 1, 1], options=Lobo77Options(swim=False))
    game.play(0, "2")
    assert (game.swimming, game.out, game.actor) == ([], [0], 1)


def test_lobo_turn_passes_over_those_out() -> None:
    """L18."""
    game = lobo(["2"], [], ["4"], ["rev"], tokens=[1, 0, 1, 1], out=[1])
    game.play(0, "2")
    assert game.actor == 2
    assert game.legal(1) == set()


def test_lobo_reshuffle() -> None:
    """L19: when a card is wanted; the card just played is among them."""
    game = lobo(["2"], ["3"], draw=["8"], played=["4", "5"])
    game.play(0, "2")
    assert (game.draw_pile, game.played) == ([], ["4", "5", "2"])
    game.play(1, "3")
    assert game.hands[1] == ["3"]
    assert (game.draw_pile, game.played) == (["2", "5", "4"], [])
    assert game.total == 5


def test_lobo_reshuffle_under_the_last_card() -> None:
    """L19, the option: the card just played stays."""
    game = lobo(["2"], ["3"], draw=[], played=["4", "5"], options=Lobo77Options(keep_top=True))
    game.play(0, "2")
    assert (game.draw_pile, game.played, game.hands[0]) == (["4"], ["2"], ["5"])


MANUAL = Lobo77Options(draw="manual")


def test_lobo_manual_draw() -> None:
    """L20: the draw may be taken until the next player has played, then it is forgotten."""
    game = lobo(["2", "3"], ["4", "5"], draw=["6", "7"], options=MANUAL)
    assert game.legal(0) == {"2", "3"}
    game.play(0, "2")
    assert game.hands[0] == ["3"]
    assert game.legal(0) == {"draw"}
    assert game.legal(1) == {"4", "5"}
    game.play(0, "draw")
    assert game.hands[0] == ["3", "6"]
    assert game.legal(0) == set()
    game.play(1, "4")
    game.play(0, "3")
    assert game.legal(1) == {"5"}  # the draw is forgotten
    assert game.legal(0) == {"draw"}


def test_lobo_manual_draw_of_two() -> None:
    """L20, the ruling: both draws may wait until after the second card."""
    game = lobo(["2", "3", "4"], ["5", "8"], draw=["6", "7"], owed=2, options=MANUAL)
    game.play(0, "2")
    assert game.legal(0) == {"3", "4", "draw"}
    game.play(0, "3")
    assert game.legal(0) == {"draw"}
    game.play(0, "draw")
    game.play(0, "draw")
    assert game.hands[0] == ["4", "6", "7"]
    assert game.legal(0) == set()


def test_lobo_manual_draw_with_an_empty_hand() -> None:
    """L20, the ruling: the draw comes by itself; with it the right to it is used up."""
    game = lobo(["2"], ["5"], draw=["6", "7"], owed=2, options=MANUAL)
    game.play(0, "2")
    assert game.hands[0] == ["6"]
    assert game.legal(0) == {"6"}
    game.play(0, "6")
    assert game.hands[0] == ["7"]
    assert game.legal(0) == set()


def test_lobo_match_ends_in_mid_round() -> None:
    """L21: at once, by a doublet; those who went out later stand higher."""
    game = lobo(["2"], ["4"], [], total=20, tokens=[0, 2, 0], out=[2])
    game.play(0, "2")
    assert game.match_over
    assert not game.round_over
    assert game.places == [2, 1, 3]
    assert game.legal(1) == set()


def test_lobo_last_tokens() -> None:
    """L21, the option: one owner of tokens is left, the swimmers share the second place."""
    hands = [["2"], ["4"], ["5"], []]
    for end in ("last_standing", "last_tokens"):
        options = Lobo77Options(end=end)
        game = lobo(*hands, total=20, tokens=[1, 2, 0, 0], out=[3], options=options)
        game.play(0, "2")
        assert game.match_over == (end == "last_tokens")
        assert game.places == ([2, 1, 2, 4] if end == "last_tokens" else [])


def test_lobo_card_76() -> None:
    """L22."""
    game = lobo(["76"], ["2"], ["2"], total=-10, options=Lobo77Options(card_76=True))
    game.play(0, "76")
    assert (game.total, game.tokens) == (66, [2, 3, 3])
    with pytest.raises(ValueError):
        lobo(["76"], ["2"])


def test_lobo_illegal_moves_are_refused() -> None:
    game = lobo(["2"], ["3"])
    for seat, move in ((1, "3"), (0, "3"), (0, "draw")):
        with pytest.raises(ValueError):
            game.play(seat, move)


@pytest.mark.parametrize("seed", range(60))
def test_lobo_random_matches(seed: int) -> None:
    """No card gets lost, hands keep their size, and every match has one winner and places for all."""
    chance = random.Random(seed)
    options = Lobo77Options(
        tokens=chance.randint(1, 3),
        swim=chance.random() < 0.5,
        keep_top=chance.random() < 0.5,
        repeat_costs=chance.random() < 0.5,
        draw=chance.choice(["auto", "manual"]),
        end=chance.choice(["last_standing", "last_tokens"]),
        card_76=chance.random() < 0.5,
    )
    seats = chance.randint(2, 8)
    pack = lobo77.full_pack(options.card_76)

    def shuffle(cards: list[str]) -> list[str]:
        return chance.sample(cards, len(cards))

    def deal(seats_in: list[int]) -> tuple[list[list[str]], list[str]]:
        cards = shuffle(pack)
        hands: list[list[str]] = [[] for _ in range(seats)]
        for seat in seats_in:
            hands[seat], cards = cards[:5], cards[5:]
        return hands, cards

    hands, draw = deal(list(range(seats)))
    game = Lobo77.new_match(hands=hands, draw=draw, dealer=chance.randrange(seats), shuffle=shuffle, options=options)
    while not game.match_over:
        if game.round_over:
            game.deal(*deal(game.standing))
        moves = [(seat, move) for seat in range(seats) for move in sorted(game.legal(seat))]
        game.play(*chance.choice(moves))
        everything = game.draw_pile + game.played + list(itertools.chain(*game.hands))
        assert sorted(everything) == sorted(pack)
        if not game.round_over and not game.match_over:
            for seat in game.standing:
                assert 1 <= len(game.hands[seat]) <= 5
                if options.draw == "auto":
                    assert len(game.hands[seat]) == 5
    assert game.places.count(1) == 1
    assert all(1 <= place <= seats for place in game.places)


# --- Double Lucky 7 ----------------------------------------------------------------------------------------


def test_lucky_pack_and_rounds() -> None:
    """D1, D2."""
    assert len(set(double_lucky_7.full_pack())) == len(double_lucky_7.full_pack()) == 57
    rounds = [double_lucky_7.cards_in_round(number) for number in range(1, 15)]
    assert rounds == [1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1]


def test_lucky_printed_points() -> None:
    """D12, D13: the printed examples."""
    assert double_lucky_7.points_for(0, 0, 1) == 10
    assert double_lucky_7.points_for(2, 2, 2) == 14
    assert double_lucky_7.points_for(1, 2, 2) == 0
    assert double_lucky_7.points_for(7, 7, 7) == 48
    assert double_lucky_7.points_for(0, 0, 7) == 20
    assert double_lucky_7.points_for(7, 7, 8) == 24
    assert double_lucky_7.points_for(6, 7, 7) == 0


def test_lucky_bidding() -> None:
    """D6, D7."""
    game = DoubleLucky7Round(hands=[["R1", "R2"], ["G1", "G2"], ["B1", "B2"]], trump="Y", dealer=1, round_no=2)
    assert game.actor == 1
    assert game.legal(1) == {"bid 0", "bid 1", "bid 2"}
    assert game.legal(0) == game.legal(2) == set()
    game.play(1, "bid 1")
    game.play(2, "bid 0")
    assert game.actor == 0
    assert game.legal(0) == {"bid 0", "bid 2"}
    game.play(0, "bid 2")
    assert game.actor == 1
    assert game.legal(1) == {"G1", "G2"}


def test_lucky_last_bid_is_free_when_the_sum_is_past() -> None:
    """D7: three already bid for two tricks."""
    game = DoubleLucky7Round(
        hands=[["R1", "R2"], ["G1", "G2"], ["B1", "B2"]],
        trump="Y",
        dealer=0,
        round_no=13,
        bids=[2, 1, None],
    )
    assert game.legal(2) == {"bid 0", "bid 1", "bid 2"}


def test_lucky_dealer_chooses_trump() -> None:
    """D5: before the bids."""
    game = DoubleLucky7Round(hands=[["R1"], ["G1"]], trump=None, dealer=1, round_no=1)
    assert game.legal(0) == set()
    assert game.legal(1) == {"trump R", "trump G", "trump B", "trump Y"}
    game.play(1, "trump B")
    assert game.trump == "B"
    assert game.legal(1) == {"bid 0", "bid 1"}


def test_lucky_follow_and_trump() -> None:
    """D8, D9, D11: trump 1 beats the led 14; the dealer leads again; D12."""
    hands = [["R14", "G2"], ["Y1", "G3"], ["R2", "Y5"]]
    game = DoubleLucky7Round(hands=hands, trump="Y", dealer=0, round_no=2, bids=[1, 1, 1])
    game.play(0, "R14")
    assert game.legal(1) == {"Y1", "G3"}
    game.play(1, "Y1")
    assert game.legal(2) == {"R2"}
    game.play(2, "R2")
    assert game.tricks == [0, 1, 0]
    assert game.actor == 0
    game.play(0, "G2")
    game.play(1, "G3")
    game.play(2, "Y5")
    assert game.over
    assert game.actor is None
    assert game.tricks == [0, 1, 1]
    assert game.points == [0, 12, 12]


def test_lucky_winner_leads() -> None:
    """D8, the option: the dealer leads only the first trick."""
    hands = [["R1", "G2"], ["R3", "G3"], ["R2", "Y5"]]
    game = DoubleLucky7Round(hands=hands, trump="Y", dealer=0, round_no=2, bids=[1, 1, 1], lead="winner")
    game.play(0, "R1")
    game.play(1, "R3")
    game.play(2, "R2")
    assert game.actor == 1
    game.play(1, "G3")
    assert game.actor == 2


def test_lucky_off_colour_card_does_not_win() -> None:
    """D11: neither trump nor the led colour."""
    assert double_lucky_7.trick_winner([(2, "R3"), (0, "G14"), (1, "R2")], "Y") == 2


def test_lucky_joker() -> None:
    """D10: always playable, always wins; when led, no colour is asked for."""
    hands = [["R14", "Y1"], ["joker", "R1"], ["R2", "Y14"]]
    game = DoubleLucky7Round(hands=hands, trump="Y", dealer=0, round_no=2, bids=[1, 1, 1])
    game.play(0, "R14")
    assert game.legal(1) == {"joker", "R1"}
    game.play(1, "joker")
    assert game.legal(2) == {"R2"}  # red is still asked for
    game.play(2, "R2")
    assert game.tricks == [0, 1, 0]

    hands = [["R14", "Y1"], ["joker", "R1"], ["R2", "Y14"]]
    game = DoubleLucky7Round(hands=hands, trump="Y", dealer=1, round_no=2, bids=[1, 1, 1])
    game.play(1, "joker")
    assert game.legal(2) == {"R2", "Y14"}
    game.play(2, "R2")
    assert game.legal(0) == {"R14", "Y1"}  # the second card asks for nothing either
    game.play(0, "Y1")
    assert game.tricks == [0, 1, 0]


def test_lucky_following_hand_with_joker_only_besides() -> None:
    """D9, D10: the joker is no obstacle to discarding freely when the colour is missing."""
    game = DoubleLucky7Round(hands=[["R14", "R3"], ["joker", "G1"]], trump="Y", dealer=0, round_no=2, bids=[1, 0])
    game.play(0, "R14")
    assert game.legal(1) == {"joker", "G1"}


def test_lucky_situation_in_mid_trick() -> None:
    game = DoubleLucky7Round(
        hands=[["R14"], ["R3", "G1"], ["Y1", "Y2"]],
        trump="Y",
        dealer=1,
        round_no=3,
        bids=[1, 1, 0],
        tricks=[1, 0, 0],
        trick=[(0, "R2")],
        leader=0,
        lead="winner",
    )
    assert game.actor == 1
    assert game.legal(1) == {"R3"}


@pytest.mark.parametrize("seed", range(60))
def test_lucky_random_rounds(seed: int) -> None:
    """Every round ends, all tricks are won by somebody, and somebody misses the bid (D7)."""
    chance = random.Random(seed)
    seats = chance.randint(2, 7)
    round_no = chance.randint(1, 14)
    size = double_lucky_7.cards_in_round(round_no)
    cards = chance.sample(double_lucky_7.full_pack(), 57)
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(seats)]
    game = DoubleLucky7Round(
        hands=hands,
        trump=double_lucky_7.colour_of(cards[seats * size]),
        dealer=chance.randrange(seats),
        round_no=round_no,
        lead=chance.choice(["dealer", "winner"]),
    )
    while not game.over:
        actor = game.actor
        assert actor is not None
        game.play(actor, chance.choice(sorted(game.legal(actor))))
    assert sum(game.tricks) == size
    assert 0 in game.points


# --- Loba --------------------------------------------------------------------------------------------------


def test_loba_pack() -> None:
    """B1."""
    count = Counter(loba.full_pack())
    assert sum(count.values()) == 108
    assert count["*"] == 4
    assert len(count) == 53
    assert all(number == 2 for card, number in count.items() if card != "*")


def test_loba_contract_sizes() -> None:
    """B5: 6 to 11 cards, as printed."""
    size = {"brelan": 3, "quarte": 4}
    sizes = [sum(size[kind] for kind in loba.contracts(number)) for number in range(1, 7)]
    assert sizes == [6, 7, 8, 9, 10, 11]


def test_loba_brelans() -> None:
    """B6, B9."""
    hand = ["5S", "5S", "5H", "*", "*", "6D"]
    assert loba.combinations(hand, "brelan") == {
        ("5H", "5S", "5S"),
        ("5S", "5S", "*"),
        ("5H", "5S", "*"),
    }


def test_loba_sextuples() -> None:
    """B9, B11: one joker at most."""
    five = ["7S", "7S", "7H", "7H", "7D"]
    assert loba.combinations([*five, "*", "*"], "sextuple") == {("7D", "7H", "7H", "7S", "7S", "*")}
    assert loba.combinations([*five[:4], "*", "*"], "sextuple") == set()
    assert loba.combinations([*five, "7C"], "sextuple") == {("7C", "7D", "7H", "7H", "7S", "7S")}


def test_loba_quartes() -> None:
    """B7, B8, B9."""
    assert loba.combinations(["9S", "10S", "JS", "QS", "KH"], "quarte") == {("9S", "10S", "JS", "QS")}
    assert loba.combinations(["9S", "10S", "JS", "QH"], "quarte") == set()
    assert loba.combinations(["9S", "10S", "JS", "QH"], "quarte", any_suit=True) == {("9S", "10S", "JS", "QH")}
    # one card is missing inside, or at either end
    assert loba.combinations(["9S", "JS", "QS", "*"], "quarte") == {("9S", "*", "JS", "QS")}
    assert loba.combinations(["5S", "6S", "7S", "*"], "quarte") == {
        ("*", "5S", "6S", "7S"),
        ("5S", "6S", "7S", "*"),
    }
    # only one joker
    assert loba.combinations(["5S", "6S", "*", "*"], "quarte") == set()


def test_loba_ace_low_and_high() -> None:
    """B8: no corner."""
    assert loba.combinations(["AS", "2S", "3S", "4S"], "quarte") == {("AS", "2S", "3S", "4S")}
    assert loba.combinations(["JS", "QS", "KS", "AS"], "quarte") == {("JS", "QS", "KS", "AS")}
    assert loba.combinations(["QS", "KS", "AS", "2S"], "quarte") == set()
    assert loba.combinations(["KS", "AS", "2S", "3S", "*"], "quarte") == {
        ("AS", "2S", "3S", "*"),
    }
    assert loba.combinations(["2S", "3S", "4S", "*"], "quarte") == {
        ("*", "2S", "3S", "4S"),
        ("2S", "3S", "4S", "*"),
    }
    assert loba.combinations(["QS", "KS", "AS", "*"], "quarte") == {("*", "QS", "KS", "AS")}


def test_loba_whole_suit() -> None:
    """B8: from the low to the high ace, 14 cards, which needs two aces."""
    suit = [loba.RANK_AT_PLACE[place] + "H" for place in range(1, 14)]
    assert loba.runs_of_size([*suit, "AH"], 14) == {(*suit, "AH")}
    assert loba.runs_of_size(suit, 14) == set()
    assert loba.runs_of_size([*suit, "*"], 14) == {(*suit, "*"), ("*", *suit[1:], "AH")}
    assert loba.run_start(("*", *suit[1:], "AH")) == 1


def test_loba_can_lay() -> None:
    """B9, B10, B11: cards and jokers are used once."""
    assert loba.can_lay(["5S", "5H", "*", "6S", "6H", "*"], ["brelan", "brelan"])
    assert not loba.can_lay(["5S", "5H", "*", "6S", "6H", "7H"], ["brelan", "brelan"])
    assert loba.can_lay(["5S", "5H", "5D", "6S", "7S", "8S", "*"], ["brelan", "quarte"])
    # the 5S is wanted in both
    assert not loba.can_lay(["5S", "5H", "5D", "6S", "7S", "8S"], ["brelan", "quarte"])
    assert loba.can_lay(["7S", "7S", "7H", "7H", "7D", "*"], ["brelan", "brelan"])
    assert not loba.can_lay(["7S", "7S", "7H", "7H", "*"], ["brelan", "brelan"])


def test_loba_can_lay_must_search() -> None:
    """The first brelan one sees spoils the contract."""
    hand = ["5S", "6S", "7S", "8S", "5H", "5D", "5C", "2C"]
    assert loba.can_lay(hand, ["brelan", "quarte"])
    layings = loba.first_layings(hand, 2)
    assert ("brelan", ("5C", "5D", "5H")) in layings
    assert ("brelan", ("5D", "5H", "5S")) not in layings
    assert ("quarte", ("5S", "6S", "7S", "8S")) in layings


def test_loba_first_layings_with_sextuple() -> None:
    """B11: in place of two brelans, in rounds 1, 4 and 5; not when one is already laid in round 1."""
    seven = ["7C", "7D", "7H", "7H", "7S", "7S"]
    sextuple = ("sextuple", tuple(seven))
    assert sextuple in loba.first_layings([*seven, "2S"], 1)
    assert sextuple not in loba.first_layings([*seven, "2S", "3S", "4S", "5S"], 2)
    assert sextuple in loba.first_layings([*seven, "2S", "2H", "2D", "KC"], 4)
    already: list[Meld] = [("brelan", ("2D", "2H", "2S"))]
    assert sextuple in loba.first_layings([*seven, "KC"], 4, already)
    assert sextuple not in loba.first_layings([*seven, "KC"], 1, already)
    assert loba.first_layings(["KC", "9C"], 4, [*already, sextuple]) == set()


def test_loba_first_layings_keep_the_rest_possible() -> None:
    """B23: the joker is needed for the second brelan."""
    hand = ["5S", "5H", "5D", "6S", "6H", "*", "KC"]
    assert loba.first_layings(hand, 1) == {
        ("brelan", ("5D", "5H", "5S")),
        ("brelan", ("6H", "6S", "*")),
    }
    already: list[Meld] = [("brelan", ("5D", "5H", "5S"))]
    assert loba.first_layings(["6S", "6H", "*", "KC"], 1, already) == {("brelan", ("6H", "6S", "*"))}


ROUND_6 = ["2S", "2H", "2D", "5S", "6S", "7S", "8S", "9H", "10H", "JH", "QH"]


def test_loba_round_6_and_the_taken_card() -> None:
    """B5, B22: after eleven cards one is left, and it must be one that may be discarded."""
    assert loba.first_layings([*ROUND_6, "KC"], 6) != set()
    assert loba.first_layings([*ROUND_6, "KC"], 6, taken="KC") == set()
    assert loba.first_layings([*ROUND_6, "KC"], 6, taken="2S") != set()
    # held twice: one may go back, whichever was laid
    assert loba.first_layings([*ROUND_6, "2S"], 6, taken="2S") != set()
    # the taken 2C must be among those laid, so the brelan without it is not legal
    layings = loba.first_layings([*ROUND_6, "2C"], 6, taken="2C")
    brelans = {cards for kind, cards in layings if kind == "brelan"}
    assert brelans == {("2C", "2D", "2H"), ("2C", "2D", "2S"), ("2C", "2H", "2S")}
    # once it is on the table, nothing stands in the way
    already: list[Meld] = [("brelan", ("2C", "2D", "2H"))]
    rest = [card for card in ROUND_6 if card not in ("2D", "2H")]
    assert len(loba.first_layings(rest, 6, already, taken="2C")) == 2
    # the same with the other 2S left: the one on the table counts as the one taken
    already = [("brelan", ("2D", "2H", "2S"))]
    assert len(loba.first_layings(rest, 6, already, taken="2S")) == 2


def test_loba_first_laying_of_the_last_card() -> None:
    """B17: only without the option out_by_discard (a hand this short is possible only in a test)."""
    hand = ["2S", "2H", "2D", "3S", "3H", "3D"]
    assert loba.first_layings(hand, 1) != set()
    assert loba.first_layings(hand, 1, out_by_discard=True) == set()
    assert loba.first_layings([*hand, "4D"], 1, out_by_discard=True) != set()


def test_loba_discards() -> None:
    """B18, B22."""
    assert loba.discards(["5S", "*"]) == {"5S", "*"}
    assert loba.discards(["5S", "*"], taken="5S") == {"*"}
    assert loba.discards(["5S", "5S"], taken="5S") == {"5S"}
    assert loba.discards(["5S"], taken="5S") == set()
    assert loba.discards(["*", "*", "2C"], taken="*") == {"*", "2C"}


def test_loba_add_to_a_set() -> None:
    """B9, B14, B23: any suit, one joker."""
    table: list[Meld] = [("brelan", ("5D", "5H", "5S")), ("brelan", ("6H", "6S", "*"))]
    assert loba.additions(["5S", "6C", "*", "7C"], table) == {("5S", 0, ""), ("6C", 1, ""), ("*", 0, "")}
    assert loba.after_adding("5C", table[0], "") == ("brelan", ("5C", "5D", "5H", "5S"))
    sextuple: Meld = ("sextuple", ("7C", "7D", "7H", "7H", "7S", "7S"))
    assert loba.additions(["7C", "*"], [sextuple]) == {("7C", 0, ""), ("*", 0, "")}


def test_loba_add_to_a_run() -> None:
    """B7, B14, B23."""
    table: list[Meld] = [("quarte", ("5S", "6S", "7S", "8S"))]
    hand = ["4S", "9S", "9H", "10S", "*"]
    suited = {("4S", 0, "low"), ("9S", 0, "high"), ("*", 0, "low"), ("*", 0, "high")}
    assert loba.additions(hand, table) == suited
    assert loba.additions(hand, table, any_suit=True) == suited | {("9H", 0, "high")}


def test_loba_add_at_the_aces() -> None:
    """B8: an ace goes to either end of 2 to K, nothing goes beyond an ace."""
    low: Meld = ("quarte", ("AS", "2S", "3S", "4S"))
    assert loba.additions(["KS", "5S", "*"], [low]) == {("5S", 0, "high"), ("*", 0, "high")}
    high: Meld = ("quarte", ("JS", "QS", "KS", "AS"))
    assert loba.additions(["2S", "10S", "*"], [high]) == {("10S", 0, "low"), ("*", 0, "low")}
    long: Meld = ("quarte", tuple(loba.RANK_AT_PLACE[place] + "S" for place in range(2, 14)))
    assert loba.additions(["AS"], [long]) == {("AS", 0, "low"), ("AS", 0, "high")}
    longer = loba.after_adding("AS", long, "low")
    assert loba.additions(["AS", "AS"], [longer]) == {("AS", 0, "high")}
    longest = loba.after_adding("AS", longer, "high")
    assert len(longest[1]) == 14
    assert loba.additions(["AS", "2S", "*"], [longest]) == set()


def test_loba_joker_moves_on() -> None:
    """B16, B23: the card it stands for, or the card after it; no second joker (B9)."""
    meld: Meld = ("quarte", ("5S", "6S", "7S", "*"))
    assert loba.additions(["8S", "9S", "4S", "8H", "*"], [meld]) == {
        ("8S", 0, "high"),
        ("9S", 0, "high"),
        ("4S", 0, "low"),
    }
    assert loba.after_adding("8S", meld, "high") == ("quarte", ("5S", "6S", "7S", "8S", "*"))
    assert loba.after_adding("9S", meld, "high") == ("quarte", ("5S", "6S", "7S", "*", "9S"))
    meld = ("quarte", ("*", "5S", "6S", "7S"))
    assert loba.additions(["4S", "3S"], [meld]) == {("4S", 0, "low"), ("3S", 0, "low")}
    assert loba.after_adding("4S", meld, "low") == ("quarte", ("*", "4S", "5S", "6S", "7S"))
    assert loba.after_adding("3S", meld, "low") == ("quarte", ("3S", "*", "5S", "6S", "7S"))


def test_loba_joker_does_not_move() -> None:
    """B16: not from inside the run, not beyond the ace."""
    assert loba.additions(["6S"], [("quarte", ("5S", "*", "7S", "8S"))]) == set()
    assert loba.additions(["AS"], [("quarte", ("JS", "QS", "KS", "*"))]) == set()
    assert loba.additions(["AS"], [("quarte", ("*", "2S", "3S", "4S"))]) == set()
    # onto the ace's place it may
    meld: Meld = ("quarte", ("10S", "JS", "QS", "*"))
    assert loba.additions(["KS", "AS"], [meld]) == {("KS", 0, "high"), ("AS", 0, "high")}
    assert loba.after_adding("KS", meld, "high") == ("quarte", ("10S", "JS", "QS", "KS", "*"))
    meld = ("quarte", ("*", "3S", "4S", "5S"))
    assert loba.after_adding("2S", meld, "low") == ("quarte", ("*", "2S", "3S", "4S", "5S"))
    assert loba.after_adding("AS", meld, "low") == ("quarte", ("AS", "*", "3S", "4S", "5S"))


def test_loba_later_layings() -> None:
    """B13: three or more, four or more."""
    hand = ["5S", "5H", "5D", "5C", "KC"]
    assert {len(cards) for _, cards in loba.later_layings(hand, [])} == {3, 4}
    hand = ["5S", "6S", "7S", "8S", "9S"]
    assert loba.later_layings(hand, []) == {
        ("quarte", ("5S", "6S", "7S", "8S")),
        ("quarte", ("6S", "7S", "8S", "9S")),
        ("quarte", ("5S", "6S", "7S", "8S", "9S")),
    }


def test_loba_last_card_added() -> None:
    """B17, B18, B22: by adding, unless the last card must be a discard."""
    table: list[Meld] = [("brelan", ("5D", "5H", "5S"))]
    for card in ("5C", "*"):
        assert loba.additions([card], table, check_finish=True) == {(card, 0, "")}
        assert loba.additions([card], table, check_finish=True, out_by_discard=True) == set()
    assert loba.additions(["5C", "KC"], table, check_finish=True, out_by_discard=True) == {("5C", 0, "")}
    assert loba.later_layings(["6C", "6H", "6S"], table, check_finish=True, out_by_discard=True) == set()
    assert loba.later_layings(["6C", "6H", "6S"], table, check_finish=True) != set()


def test_loba_taken_card_must_not_be_left_alone() -> None:
    """B22: adding the other card would leave the taken card, which may not be discarded."""
    table: list[Meld] = [("brelan", ("5D", "5H", "5S")), ("brelan", ("9D", "9H", "9S"))]
    # KC would be left alone and fits nowhere
    assert loba.additions(["5C", "KC"], table, check_finish=True, taken="KC") == set()
    assert loba.additions(["5C", "KC"], table, check_finish=True) == {("5C", 0, "")}
    # 9C would be left alone but can be added too, unless the last card must be a discard
    both = {("5C", 0, ""), ("9C", 1, "")}
    assert loba.additions(["5C", "9C"], table, check_finish=True, taken="9C") == both
    assert loba.additions(["5C", "9C"], table, check_finish=True, taken="9C", out_by_discard=True) == {("9C", 1, "")}
    # two like cards: the one added counts as the one taken
    assert loba.additions(["5C", "5C"], table, check_finish=True, taken="5C", out_by_discard=True) == {("5C", 0, "")}
    # a laying that leaves the taken card alone, and one that opens a place for it
    hand = ["2S", "3S", "4S", "5S", "6S"]
    assert loba.later_layings(hand, [], check_finish=True, taken="6S") == {
        ("quarte", ("2S", "3S", "4S", "5S")),
        ("quarte", ("3S", "4S", "5S", "6S")),
        ("quarte", ("2S", "3S", "4S", "5S", "6S")),
    }
    assert loba.later_layings(["2S", "3S", "4S", "5S", "8S"], [], check_finish=True, taken="8S") == set()


def test_loba_penalty() -> None:
    """B19."""
    assert loba.penalty(["AS", "10H", "JS", "QS", "KS", "*"]) == 1 + 10 + 11 + 12 + 13 + 25
    assert loba.penalty([]) == 0


def is_run(cards: tuple[str, ...], any_suit: bool) -> bool:
    """A second way to judge places from low to high, written against a list of all places."""
    if cards.count("*") > 1:
        return False
    suits = {card[-1] for card in cards if card != "*"}
    if len(suits) > 1 and not any_suit:
        return False
    order = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    windows = [order[start : start + len(cards)] for start in range(len(order) - len(cards) + 1)]
    return any(
        all(card == "*" or card[:-1] == rank for card, rank in zip(cards, window, strict=True)) for window in windows
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("any_suit", [False, True])
def test_loba_runs_against_all_permutations(seed: int, any_suit: bool) -> None:
    """B7, B8, B9, judged in another way on random hands; few suits, so that there are runs."""
    chance = random.Random(seed)
    pack = [card for card in loba.full_pack() if card == "*" or card[-1] in "SH"]
    hand = chance.sample(pack, 11)
    expected = {cards for cards in itertools.permutations(hand, 4) if is_run(cards, any_suit)}
    assert loba.combinations(hand, "quarte", any_suit) == expected


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("round_no", range(1, 7))
def test_loba_first_layings_against_can_lay(seed: int, round_no: int) -> None:
    """B10: there is a first laying exactly if the contract can be laid and some card is left to discard."""
    chance = random.Random(seed)
    pack = [card for card in loba.full_pack() if card == "*" or card[:-1] in ("5", "6", "7", "8", "9")]
    hand = chance.sample(pack, 12)
    layings = loba.first_layings(hand, round_no)
    assert (layings != set()) == loba.can_lay(hand, loba.contracts(round_no))
    for kind, cards in layings:
        further = loba.first_layings(loba.without(hand, cards), round_no, [(kind, cards)])
        done = loba.still_needed(loba.contracts(round_no), kind) == []
        assert (further == set()) == done


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("any_suit", [False, True])
def test_loba_additions_grow_melds_into_melds(seed: int, any_suit: bool) -> None:
    """B8, B9, B14, B16: whatever is added, the meld is a meld again and has just that card more."""
    chance = random.Random(seed)
    pack = loba.full_pack()
    hand = chance.sample(pack, 12)
    start = chance.randint(1, 11)
    places = [loba.RANK_AT_PLACE[start + step] + "S" for step in range(4)]
    if chance.random() < 0.7:
        places[chance.randrange(4)] = "*"
    table: list[Meld] = [("quarte", tuple(places))]
    for _ in range(30):
        found = loba.additions(hand, table, any_suit)
        for card, index, end in found:
            grown = loba.after_adding(card, table[index], end, any_suit)[1]
            assert is_run(grown, any_suit)
            assert Counter(grown) == Counter(table[index][1]) + Counter([card])
        if found:
            card, index, end = chance.choice(sorted(found))
            table[index] = loba.after_adding(card, table[index], end, any_suit)
        hand = chance.sample(pack, 12)
