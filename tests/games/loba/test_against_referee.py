"""The compiled rules of Loba against the slow referee: what may be laid, added and discarded, on random hands."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

import ludotheque
from ludotheque.core.chance import key_from_seed
from ludotheque.core.match_view import show_table
from ludotheque.core.record import NOBODY, Buffer, Record
from ludotheque.games.loba.cards import JOKER, NO_CARD
from ludotheque.games.loba.notation import CARDS, as_run, as_set, parse_card, parse_heap
from ludotheque.games.loba.state import CONTRACT, CONTRACT_RUNS, CONTRACT_SETS, PLAY
from tests.referee import loba as referee
from tests.referee.loba import Meld

GAME = ludotheque.game("loba")
ANA = 0
PACK = referee.full_pack()

# Few ranks or suits, so that there is something to lay; the whole pack, so that nothing is left out.
PACKS = {
    "two suits": [card for card in PACK if card == "*" or card[-1] in "SH"],
    "five ranks": [card for card in PACK if card == "*" or card[:-1] in ("5", "6", "7", "8", "9")],
    "aces and kings": [card for card in PACK if card == "*" or card[:-1] in ("A", "2", "3", "4", "J", "Q", "K")],
    "three ranks": [card for card in PACK if card == "*" or card[:-1] in ("A", "2", "K")],
    "one suit and a rank": [card for card in PACK if card == "*" or card[-1] == "D" or card[:-1] == "7"],
    "all": PACK,
}


def bare_record(any_suit: bool, out_by_discard: bool) -> tuple[Buffer, Record]:
    """A record in which Ana is at turn; hand and table are put in afterwards, however few cards that is."""
    buf = np.zeros(GAME.info.state.itemsize, np.uint8)
    options = GAME.options(3, {"runs": "any_suit" if any_suit else "suited", "out_by_discard": out_by_discard})
    GAME.kernels.start(buf, key_from_seed(1), 3, options.codes)
    s = GAME.read(buf)
    s.actor = ANA
    s.phase = PLAY
    return buf, s


def give(s: Record, hand: list[str], taken: str | None) -> None:
    """Put cards into Ana's hand."""
    s.hand[ANA], s.hand_twice[ANA], s.hand_jokers[ANA] = parse_heap(hand)
    s.size[ANA] = len(hand)
    s.taken = NO_CARD if taken is None else parse_card(taken)


def lay_out(s: Record, table: list[Meld]) -> None:
    """Put combinations on the table."""
    s.num_melds = len(table)
    for number, (kind, texts) in enumerate(table):
        cards = [parse_card(text) for text in texts]
        meld = as_run(cards) if kind == "quarte" else as_set(cards)
        assert meld is not None
        s.meld_kind[number], s.meld_low[number], s.meld_length[number], s.meld_joker[number], s.meld_suits[number] = (
            meld
        )


def moves(buf: Buffer) -> list[str]:
    """Ana's legal moves, by verb and rest."""
    ids = np.zeros(GAME.info.num_actions, np.int16)
    number = GAME.kernels.moves(buf, ANA, ids)
    return [GAME.moves.texts[action] for action in ids[:number]]


def laid(texts: list[str]) -> set[Meld]:
    """The layings among moves, as the referee has them."""
    found: set[Meld] = set()
    for text in texts:
        if text.startswith("lay "):
            cards = tuple(text.split()[1:])
            if len({card[:-1] for card in cards if card != "*"}) > 1:
                found.add(("quarte", cards))
            else:
                found.add(("brelan" if len(cards) == 3 else "sextuple", referee.joker_last(cards)))
    return found


def dropped(texts: list[str]) -> set[str]:
    """The discards among moves."""
    return {text.split()[1] for text in texts if text.startswith("drop ")}


def added(texts: list[str]) -> Counter[tuple[str, int]]:
    """The addings among moves: card and index of the combination, as often as there are ends for it."""
    return Counter((text.split()[1], int(text.split()[2][1:]) - 1) for text in texts if text.startswith("add "))


def random_hand(chance: random.Random, sizes: range) -> list[str]:
    """Some cards of one of the packs; now and then without jokers."""
    pack = PACKS[chance.choice(sorted(PACKS))]
    if chance.random() < 0.3:
        pack = [card for card in pack if card != "*"]
    return chance.sample(pack, min(chance.choice(sizes), len(pack)))


def planted_hand(chance: random.Random, round_no: int, any_suit: bool, most_more: int) -> list[str]:
    """A hand with a contract in it, and a few more cards that may or may not go with it."""
    pack = PACKS[chance.choice(sorted(PACKS))]
    while True:
        hand: list[str] = []
        for kind in referee.contracts(round_no):
            if kind == "brelan":
                rank = referee.rank_of(chance.choice([card for card in pack if card != "*"]))
                cards = chance.sample([card for card in PACK if card != "*" and referee.rank_of(card) == rank], 3)
            else:
                start = chance.randint(1, 11)
                suits = [chance.choice("SHDC") for _ in range(4)] if any_suit else [chance.choice("SHDC")] * 4
                cards = [referee.RANK_AT_PLACE[start + step] + suits[step] for step in range(4)]
            if chance.random() < 0.4:
                cards[chance.randrange(len(cards))] = "*"
            hand += cards
        hand += chance.sample(pack, chance.randint(0, most_more))
        if fits_table(hand, []):
            chance.shuffle(hand)
            return hand


def check_first_layings(seed: int, any_suit: bool, sizes: range) -> int:
    """One random hand in a contract, begun or not. Returns how much could be laid."""
    chance = random.Random(seed)
    out_by_discard = chance.random() < 0.3
    buf, s = bare_record(any_suit, out_by_discard)
    round_no = s.round_no = chance.randint(1, 6)
    if chance.random() < 0.6:
        hand = planted_hand(chance, round_no, any_suit, max(2, sizes[-1] - 9))
    else:
        hand = random_hand(chance, sizes)
    taken = chance.choice(hand) if chance.random() < 0.7 else None
    give(s, hand, taken)
    already: list[Meld] = []
    found = len(referee.first_layings(hand, round_no, [], any_suit, taken=taken, out_by_discard=out_by_discard))
    while True:
        expected = referee.first_layings(hand, round_no, already, any_suit, taken=taken, out_by_discard=out_by_discard)
        texts = moves(buf)
        assert laid(texts) == expected, (hand, round_no, already, taken)
        if not already:
            assert dropped(texts) == referee.discards(hand, taken)
        if not expected:
            return found
        meld = chance.choice(sorted(expected))
        hand = referee.without(hand, meld[1])
        already.append(meld)
        give(s, hand, referee.taken_after(taken, tuple(card for _, laid in already for card in laid)))
        laid_sets = sum({"brelan": 1, "sextuple": 2, "quarte": 0}[one] for one, _ in already)
        s.phase = CONTRACT
        s.sets_left = CONTRACT_SETS[round_no] - laid_sets
        s.runs_left = CONTRACT_RUNS[round_no] - sum(one == "quarte" for one, _ in already)
        if s.sets_left == s.runs_left == 0:
            return found


@pytest.mark.slow
@pytest.mark.parametrize("any_suit", [False, True])
@pytest.mark.parametrize("part", range(10))
def test_B10_first_layings(part: int, any_suit: bool) -> None:
    """B5 to B11, B22, B23: on small hands of all kinds."""
    found = sum(check_first_layings(1000 * part + number, any_suit, range(3, 11)) > 0 for number in range(100))
    assert found > 40


@pytest.mark.parametrize("any_suit", [False, True])
def test_B10_first_layings_from_whole_hands(any_suit: bool) -> None:
    """The same with the twelve cards of a real turn."""
    for number in range(100):
        check_first_layings(-1 - number, any_suit, range(12, 13))


def random_table(chance: random.Random, any_suit: bool) -> list[Meld]:
    """Up to four combinations that have grown a little. Their cards are not taken out of the pack."""
    table: list[Meld] = []
    for _ in range(chance.randint(0, 4)):
        hand = PACK if chance.random() < 0.1 else random_hand(chance, range(8, 14))
        if chance.random() < 0.3:
            rank = chance.choice("A357JK")
            naturals = chance.sample([card for card in PACK if card[:-1] == rank], 2)
            table.append(("brelan", referee.joker_last((*naturals, "*"))))
        elif chance.random() < 0.7:
            suits = [chance.choice("SHDC") for _ in range(14)] if any_suit else [chance.choice("SHDC")] * 14
            length = chance.choice([4, 4, 4, 5, 6, 11, 12, 13, 14])
            start = chance.randint(1, 15 - length)
            run = [referee.RANK_AT_PLACE[start + step] + suits[step] for step in range(length)]
            if chance.random() < 0.6:
                run[chance.choice([0, length - 1, chance.randrange(length)])] = "*"
            table.append(("quarte", tuple(run)))
        else:
            found = sorted(referee.sets_of_size(hand[:14], 3))
            if found:
                table.append(("brelan", chance.choice(found)))
    return table


def fits_table(hand: list[str], table: list[Meld]) -> bool:
    """Whether the box has all these cards."""
    used = Counter(hand) + Counter(card for _, cards in table for card in cards)
    return all(number <= (4 if card == "*" else 2) for card, number in used.items())


def check_later_turn(seed: int, any_suit: bool) -> int:
    """One random later turn: what may be laid, added and discarded. Returns how much there was."""
    chance = random.Random(seed)
    out_by_discard = chance.random() < 0.5
    buf, s = bare_record(any_suit, out_by_discard)
    s.is_down[ANA] = 1
    while True:
        table = random_table(chance, any_suit)
        hand = random_hand(chance, range(1, 8))
        if fits_table(hand, table):
            break
    taken = chance.choice(hand) if chance.random() < 0.6 else None
    give(s, hand, taken)
    lay_out(s, table)
    texts = moves(buf)
    adds = referee.additions(hand, table, any_suit, check_finish=True, taken=taken, out_by_discard=out_by_discard)
    assert added(texts) == Counter((card, index) for card, index, _ in adds), (hand, table, taken)
    lays = referee.later_layings(hand, table, any_suit, check_finish=True, taken=taken, out_by_discard=out_by_discard)
    least = {(kind, cards) for kind, cards in lays if len(cards) == (4 if kind == "quarte" else 3)}
    assert laid(texts) == least, (hand, table, taken)
    assert dropped(texts) == referee.discards(hand, taken)
    check_growth(buf, table, texts, any_suit)
    return len(adds) + len(least)


def check_growth(buf: Buffer, table: list[Meld], texts: list[str], any_suit: bool) -> None:
    """Every adding makes of the combination what the referee makes of it."""
    ids = np.zeros(GAME.info.num_actions, np.int16)
    for text in texts:
        verb, card, *where = text.split()
        if verb != "add":
            continue
        index = int(where[0][1:]) - 1
        ends = [end for end in ("", "low", "high") if referee.fits(card, table[index], end, any_suit)]
        end = where[1] if len(where) > 1 else ends[0]
        assert len(where) > 1 or len(ends) == 1
        kind, cards = referee.after_adding(card, table[index], end, any_suit)
        after = buf.copy()
        s = GAME.read(after)
        assert GAME.kernels.play(after, ANA, GAME.moves.parse(text).id, ids) == 0
        if s.round_no == 1 and s.num_melds:  # else it was the last card and a new round began
            shown = show_table(GAME, s, NOBODY)["melds"][index]["cards"]
            assert (tuple(shown) if kind == "quarte" else referee.joker_last(tuple(shown))) == cards


@pytest.mark.slow
@pytest.mark.parametrize("any_suit", [False, True])
@pytest.mark.parametrize("part", range(10))
def test_B14_later_turns(part: int, any_suit: bool) -> None:
    """B8, B9, B13, B14, B16, B17, B22, B23."""
    found = sum(check_later_turn(1000 * part + number, any_suit) > 0 for number in range(150))
    assert found > 30


@pytest.mark.parametrize("part", range(4))
def test_B19_points(part: int) -> None:
    from ludotheque.core.jit import plain
    from ludotheque.games.loba import cards

    chance = random.Random(part)
    for _ in range(250):
        hand = chance.sample(PACK, chance.randint(0, 12))
        assert plain(cards.penalty)(*parse_heap(hand)) == referee.penalty(hand)
    assert CARDS[JOKER] == "*"
