"""A slow referee for the melds of Loba: what may be laid, added and discarded, found by brute force.

It is an oracle for tests and shares no code with the engine. The numbers in the comments (B1, B2, ...)
are those of the rule ledger.

Cards are strings: a rank (A 2 3 4 5 6 7 8 9 10 J Q K) and a suit (S H D C), "5S" or "10H"; "*" is a joker.

A meld is (kind, cards). For a set of one rank (kind "brelan", or "sextuple" in a first laying down) the
cards are the sorted strings, a joker last. For a run (kind "quarte") they are the places from low to high,
with "*" where the joker stands; an ace in the first place is the low one, in the last place the high one.
"""

import itertools

Cards = tuple[str, ...]
Meld = tuple[str, Cards]
Addition = tuple[str, int, str]  # card, index of the meld on the table, "low" or "high" or "" for a set

JOKER = "*"
SUITS = ["S", "H", "D", "C"]
# B8: the places of a run, 1 to 14; the ace is the first and the last.
RANK_AT_PLACE = {
    1: "A",
    2: "2",
    3: "3",
    4: "4",
    5: "5",
    6: "6",
    7: "7",
    8: "8",
    9: "9",
    10: "10",
    11: "J",
    12: "Q",
    13: "K",
    14: "A",
}
FIRST_PLACE = 1
LAST_PLACE = 14

# B5
CONTRACTS = {
    1: ["brelan", "brelan"],
    2: ["brelan", "quarte"],
    3: ["quarte", "quarte"],
    4: ["brelan", "brelan", "brelan"],
    5: ["brelan", "brelan", "quarte"],
    6: ["brelan", "quarte", "quarte"],
}


# --- cards -------------------------------------------------------------------------------------------------


def full_pack() -> list[str]:
    """All cards of the game, unshuffled (B1)."""
    one_pack = [RANK_AT_PLACE[place] + suit for place in range(1, 14) for suit in SUITS] + [JOKER, JOKER]
    return one_pack + one_pack


def rank_of(card: str) -> str:
    """The rank of a card that is no joker."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The suit of a card that is no joker."""
    return card[-1]


def penalty(hand: list[str]) -> int:
    """What the cards left in a hand count (B19)."""
    values = {"A": 1, "J": 11, "Q": 12, "K": 13}
    points = 0
    for card in hand:
        if card == JOKER:
            points += 25
        elif rank_of(card) in values:
            points += values[rank_of(card)]
        else:
            points += int(rank_of(card))
    return points


def without(hand: list[str], cards: Cards) -> list[str]:
    """The hand after these cards have left it."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return rest


def holds(hand: list[str], cards: Cards) -> bool:
    """Whether the hand has all these cards, each as often as it is wanted."""
    return all(hand.count(card) >= cards.count(card) for card in cards)


def joker_last(cards: Cards) -> Cards:
    """The canonical order of a set."""
    return tuple(sorted(cards, key=lambda card: (card == JOKER, card)))


# --- single combinations -----------------------------------------------------------------------------------


def sets_of_size(hand: list[str], size: int) -> set[Cards]:
    """All sets of one rank with this many cards (B6, B9)."""
    found: set[Cards] = set()
    for cards in itertools.combinations(hand, size):
        ranks = {rank_of(card) for card in cards if card != JOKER}
        if cards.count(JOKER) <= 1 and len(ranks) == 1:
            found.add(joker_last(cards))
    return found


def runs_of_size(hand: list[str], size: int, any_suit: bool = False) -> set[Cards]:
    """All runs with this many cards (B7, B8, B9)."""
    if any_suit:
        suits_allowed = [SUITS]  # one try, with all suits at once
    else:
        suits_allowed = [[suit] for suit in SUITS]  # one try for each suit
    joker_positions: list[int | None] = [None]
    if JOKER in hand:
        joker_positions += list(range(size))

    found: set[Cards] = set()
    for suits in suits_allowed:
        for start in range(FIRST_PLACE, LAST_PLACE - size + 2):
            for joker_position in joker_positions:
                choices: list[list[str]] = []
                for position in range(size):
                    if position == joker_position:
                        choices.append([JOKER])
                    else:
                        wanted = [RANK_AT_PLACE[start + position] + suit for suit in suits]
                        choices.append([card for card in wanted if card in hand])
                for cards in itertools.product(*choices):
                    if holds(hand, cards):
                        found.add(cards)
    return found


def combinations(hand: list[str], kind: str, any_suit: bool = False) -> set[Cards]:
    """All combinations of the contract's size in this hand: "brelan" 3, "quarte" 4, "sextuple" 6 cards."""
    if kind == "brelan":
        return sets_of_size(hand, 3)  # B6
    if kind == "sextuple":
        return sets_of_size(hand, 6)  # B11
    if kind == "quarte":
        return runs_of_size(hand, 4, any_suit)  # B7
    raise ValueError(f"no such combination: {kind}")


# --- the first laying down ---------------------------------------------------------------------------------


def contracts(round_no: int) -> list[str]:
    """What must be laid first in this round, 1 to 6 (B5)."""
    return list(CONTRACTS[round_no])


def next_layings(hand: list[str], needed: list[str], any_suit: bool = False) -> set[Meld]:
    """All combinations in the hand that are a part of what is needed, whatever comes after them."""
    found: set[Meld] = set()
    for kind in ("brelan", "quarte"):
        if kind in needed:
            found |= {(kind, cards) for cards in combinations(hand, kind, any_suit)}
    # B11: six of a rank count as two brelans.
    if needed.count("brelan") >= 2:
        found |= {("sextuple", cards) for cards in combinations(hand, "sextuple", any_suit)}
    return found


def still_needed(needed: list[str], kind: str) -> list[str]:
    """What is needed after a combination of this kind has been laid."""
    rest = list(needed)
    if kind == "sextuple":
        rest.remove("brelan")
        rest.remove("brelan")
    else:
        rest.remove(kind)
    return rest


def can_lay(hand: list[str], needed: list[str], any_suit: bool = False) -> bool:
    """Whether all that is needed can be laid from this hand."""
    if needed == []:
        return True
    for kind, cards in next_layings(hand, needed, any_suit):
        if can_lay(without(hand, cards), still_needed(needed, kind), any_suit):
            return True
    return False


def first_layings(
    hand: list[str],
    round_no: int,
    already: list[Meld] | None = None,
    any_suit: bool = False,
    *,
    taken: str | None = None,
    out_by_discard: bool = False,
) -> set[Meld]:
    """The combinations that may be laid now, as the first or a further part of the first laying down.

    hand: what the player holds now. already: what the player has laid of the contract in this turn.
    After the combination the rest of the contract must be possible (B10, B23), and after that the end of
    the turn (B22). taken: the card taken from the discard pile in this turn, None if the stock was drawn.
    """
    needed = contracts(round_no)
    for kind, cards in already if already is not None else []:
        needed = still_needed(needed, kind)
        taken = taken_after(taken, cards)
    found: set[Meld] = set()
    for kind, cards in next_layings(hand, needed, any_suit):
        rest = without(hand, cards)
        rest_needed = still_needed(needed, kind)
        if _can_complete(rest, rest_needed, any_suit, taken_after(taken, cards), out_by_discard):
            found.add((kind, cards))
    return found


def _can_complete(hand: list[str], needed: list[str], any_suit: bool, taken: str | None, out_by_discard: bool) -> bool:
    """Whether the rest of a first laying down is possible, and the end of the turn after it."""
    if needed == []:
        # B12: nothing more is laid in this turn; it ends with a discard, or with no card left (B17).
        if hand == []:
            return not out_by_discard
        return discards(hand, taken) != set()
    for kind, cards in next_layings(hand, needed, any_suit):
        rest = without(hand, cards)
        rest_needed = still_needed(needed, kind)
        if _can_complete(rest, rest_needed, any_suit, taken_after(taken, cards), out_by_discard):
            return True
    return False


# --- the discard -------------------------------------------------------------------------------------------


def taken_after(taken: str | None, laid: Cards) -> str | None:
    """The taken card after these cards have been laid: None once it, or one like it, is on the table.

    Two like cards cannot be told apart, so the one that was laid counts as the one that was taken (B22).
    """
    if taken is not None and taken in laid:
        return None
    return taken


def discards(hand: list[str], taken: str | None = None) -> set[str]:
    """The cards that may be discarded (B22): not the only card like the one taken in this turn."""
    return {card for card in hand if card != taken or hand.count(card) >= 2}


# --- later turns -------------------------------------------------------------------------------------------


def run_start(cards: Cards) -> int:
    """The place, 1 to 14, where a run begins. A run of four or more has a card that is neither * nor ace."""
    for position, card in enumerate(cards):
        if card == JOKER or rank_of(card) == "A":
            continue
        for place in range(FIRST_PLACE, LAST_PLACE + 1):
            if RANK_AT_PLACE[place] == rank_of(card):
                return place - position
    raise ValueError("this run does not show where it begins")


def _cards_at_place(place: int, run: Cards, any_suit: bool) -> list[str]:
    """The cards, jokers apart, that may stand at this place of this run: none beyond an ace (B8)."""
    if place < FIRST_PLACE or place > LAST_PLACE:
        return []
    if any_suit:
        suits = SUITS
    else:
        suits = [suit_of(card) for card in run if card != JOKER][:1]
    return [RANK_AT_PLACE[place] + suit for suit in suits]


def fits(card: str, meld: Meld, end: str, any_suit: bool = False) -> bool:
    """Whether the card may be added to the meld at this end ("low", "high"; "" for a set)."""
    kind, cards = meld
    if kind != "quarte":
        if end != "":
            return False
        if card == JOKER:
            return JOKER not in cards  # B9, B23
        ranks = {rank_of(other) for other in cards if other != JOKER}
        return rank_of(card) in ranks  # B14
    start = run_start(cards)
    if end == "low":
        end_place = start
        next_place = start - 1
        end_card = cards[0]
    elif end == "high":
        end_place = start + len(cards) - 1
        next_place = end_place + 1
        end_card = cards[-1]
    else:
        return False
    if next_place < FIRST_PLACE or next_place > LAST_PLACE:
        return False  # B8; and B16: the joker cannot move beyond an ace
    if card == JOKER:
        return JOKER not in cards  # B9, B23
    if card in _cards_at_place(next_place, cards, any_suit):
        return True  # B14; also next to a joker, B23
    # B16: the card the joker at this end stands for.
    return end_card == JOKER and card in _cards_at_place(end_place, cards, any_suit)


def after_adding(card: str, meld: Meld, end: str, any_suit: bool = False) -> Meld:
    """The meld after a card has been added at this end."""
    if not fits(card, meld, end, any_suit):
        raise ValueError(f"{card} does not fit {meld} at {end}")
    kind, cards = meld
    if kind != "quarte":
        return (kind, joker_last((*cards, card)))
    start = run_start(cards)
    if end == "low":
        if cards[0] == JOKER and card in _cards_at_place(start, cards, any_suit):
            return (kind, (JOKER, card, *cards[1:]))  # B16: the joker moves on
        return (kind, (card, *cards))
    end_place = start + len(cards) - 1
    if cards[-1] == JOKER and card in _cards_at_place(end_place, cards, any_suit):
        return (kind, (*cards[:-1], card, JOKER))  # B16: the joker moves on
    return (kind, (*cards, card))


def additions(
    hand: list[str],
    table: list[Meld],
    any_suit: bool = False,
    *,
    check_finish: bool = False,
    taken: str | None = None,
    out_by_discard: bool = False,
) -> set[Addition]:
    """All (card, meld index, end) a player who laid in an earlier turn may add (B8, B9, B14, B16, B23).

    With check_finish only those after which the turn can be finished (B22); taken is then the card taken
    from the discard pile in this turn, None if there is none or it has been laid (see taken_after).
    """
    found: set[Addition] = set()
    for card in set(hand):
        for index, meld in enumerate(table):
            for end in ("low", "high", ""):
                if not fits(card, meld, end, any_suit):
                    continue
                if check_finish:
                    table_after = list(table)
                    table_after[index] = after_adding(card, meld, end, any_suit)
                    hand_after = without(hand, (card,))
                    taken_left = taken_after(taken, (card,))
                    if not can_finish(
                        hand_after, table_after, any_suit, taken=taken_left, out_by_discard=out_by_discard
                    ):
                        continue
                found.add((card, index, end))
    return found


def later_layings(
    hand: list[str],
    table: list[Meld],
    any_suit: bool = False,
    *,
    check_finish: bool = False,
    taken: str | None = None,
    out_by_discard: bool = False,
) -> set[Meld]:
    """All further combinations a player who laid in an earlier turn may lay (B13), of any size.

    A set of three or more is a "brelan", a run of four or more a "quarte". The table, check_finish, taken
    and out_by_discard are for B22, as in additions.
    """
    found: set[Meld] = set()
    for size in range(3, len(hand) + 1):
        found |= {("brelan", cards) for cards in sets_of_size(hand, size)}
    for size in range(4, min(len(hand), LAST_PLACE) + 1):
        found |= {("quarte", cards) for cards in runs_of_size(hand, size, any_suit)}
    if not check_finish:
        return found
    lawful: set[Meld] = set()
    for meld in found:
        hand_after = without(hand, meld[1])
        taken_left = taken_after(taken, meld[1])
        if can_finish(hand_after, [*table, meld], any_suit, taken=taken_left, out_by_discard=out_by_discard):
            lawful.add(meld)
    return lawful


def can_finish(
    hand: list[str],
    table: list[Meld],
    any_suit: bool = False,
    *,
    taken: str | None = None,
    out_by_discard: bool = False,
) -> bool:
    """Whether a later turn that stands like this, cards laid or added, can still be finished (B22)."""
    if hand == []:
        return not out_by_discard  # B17
    if discards(hand, taken) != set():
        return True
    # No card may be discarded: the turn is saved only if more can be laid or added.
    if additions(hand, table, any_suit, check_finish=True, taken=taken, out_by_discard=out_by_discard):
        return True
    more = later_layings(hand, table, any_suit, check_finish=True, taken=taken, out_by_discard=out_by_discard)
    return more != set()
