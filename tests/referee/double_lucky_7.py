"""A slow referee for Double Lucky 7: one round, from a dealt situation to its points.

It is an oracle for tests and shares no code with the engine. The numbers in the comments (D1, D2, ...)
are those of the rule ledger.

Cards are strings: a colour letter and a number, "R14" or "B1" (colours R G B Y), and "joker".
A move is "trump R" (the dealer's choice), "bid 2", or a card.
"""

COLOURS = ["R", "G", "B", "Y"]
CARDS_IN_ROUND = [1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1]


def full_pack() -> list[str]:
    """All cards of the game, unshuffled (D1)."""
    return [colour + str(number) for colour in COLOURS for number in range(1, 15)] + ["joker"]


def cards_in_round(round_no: int) -> int:
    """How many cards each player has in this round, 1 to 14 (D2)."""
    return CARDS_IN_ROUND[round_no - 1]


def colour_of(card: str) -> str | None:
    """The colour of a card; the joker has none."""
    if card == "joker":
        return None
    return card[0]


def number_of(card: str) -> int:
    """The number of a coloured card."""
    return int(card[1:])


def trick_winner(trick: list[tuple[int, str]], trump: str) -> int:
    """The seat that wins a complete trick, given as (seat, card) in the order played."""
    # D10: the joker always wins.
    for seat, card in trick:
        if card == "joker":
            return seat
    # D11: the highest trump, without trump the highest of the led colour.
    wanted = colour_of(trick[0][1])
    for _, card in trick:
        if colour_of(card) == trump:
            wanted = trump
    best_seat = -1
    best_number = 0
    for seat, card in trick:
        if colour_of(card) == wanted and number_of(card) > best_number:
            best_seat = seat
            best_number = number_of(card)
    return best_seat


def points_for(bid: int, tricks: int, round_no: int) -> int:
    """What one player scores in a round (D12, D13)."""
    if bid != tricks:
        return 0
    points = 10 + 2 * tricks
    if round_no == 7:
        points = points * 2
    return points


class DoubleLucky7Round:
    """One round. Ask `legal`, then `play`; read the attributes in between.

    `actor` is None, `over` is True and `points` holds each seat's points once the round is over.
    """

    def __init__(
        self,
        *,
        hands: list[list[str]],
        trump: str | None,
        dealer: int,
        round_no: int,
        num_cards: int | None = None,
        bids: list[int | None] | None = None,
        lead: str = "dealer",
        tricks: list[int] | None = None,
        trick: list[tuple[int, str]] | None = None,
        leader: int | None = None,
    ) -> None:
        """Take over a situation.

        trump: None when the joker was turned and the dealer has yet to choose (D5).
        num_cards: the cards (and tricks) of the round; what D2 says if not given.
        bids: for each seat, the bid or None.
        lead: the option, "dealer" or "winner" (D8).
        tricks, trick, leader: only for a situation in the middle of the play: the tricks won by each seat,
        the cards on the table as (seat, card), and the seat that led or leads this trick.
        """
        self.seats = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.trump = trump
        self.dealer = dealer
        self.round_no = round_no
        self.num_cards = num_cards if num_cards is not None else cards_in_round(round_no)
        self.bids: list[int | None] = list(bids) if bids is not None else [None] * self.seats
        self.lead = lead
        self.tricks = list(tricks) if tricks is not None else [0] * self.seats
        self.trick = list(trick) if trick is not None else []
        self.leader = leader if leader is not None else dealer  # D8
        self.points: list[int] = []
        self.over = False
        self._check_situation()
        self._look_for_end()

    @property
    def actor(self) -> int | None:
        """The seat that has to move now."""
        if self.over:
            return None
        if self.trump is None:
            return self.dealer  # D5
        # D6: the dealer bids first, then clockwise.
        for seat in self._clockwise_from(self.dealer):
            if self.bids[seat] is None:
                return seat
        # D8: then the cards, clockwise from who leads.
        return (self.leader + len(self.trick)) % self.seats

    def legal(self, seat: int) -> set[str]:
        """All moves this seat may make now."""
        if self.over or seat != self.actor:
            return set()
        if self.trump is None:
            return {"trump " + colour for colour in COLOURS}  # D5
        if None in self.bids:
            return {f"bid {bid}" for bid in self._legal_bids()}
        return self._legal_cards(seat)

    def play(self, seat: int, move: str) -> None:
        """Make one move."""
        if move not in self.legal(seat):
            raise ValueError(f"seat {seat} may not play {move}")
        if move.startswith("trump "):
            self.trump = move.removeprefix("trump ")
        elif move.startswith("bid "):
            self.bids[seat] = int(move.removeprefix("bid "))
        else:
            self._play_card(seat, move)

    def _clockwise_from(self, seat: int) -> list[int]:
        return [(seat + step) % self.seats for step in range(self.seats)]

    def _legal_bids(self) -> list[int]:
        made = [bid for bid in self.bids if bid is not None]
        bids = list(range(self.num_cards + 1))  # D6
        # D7: the last may not make the sum equal the number of tricks.
        if len(made) == self.seats - 1:
            bids = [bid for bid in bids if sum(made) + bid != self.num_cards]
        return bids

    def _legal_cards(self, seat: int) -> set[str]:
        hand = self.hands[seat]
        if self.trick == []:
            return set(hand)
        led = colour_of(self.trick[0][1])
        if led is None:
            return set(hand)  # D10: the joker was led, no colour is asked for
        following = {card for card in hand if colour_of(card) == led}
        if following == set():
            return set(hand)  # D9
        if "joker" in hand:
            following.add("joker")  # D10
        return following

    def _play_card(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) < self.seats:
            return
        assert self.trump is not None
        winner = trick_winner(self.trick, self.trump)
        self.tricks[winner] += 1
        self.trick = []
        if self.lead == "winner":
            self.leader = winner  # D8, the option
        else:
            self.leader = self.dealer  # D8
        self._look_for_end()

    def _look_for_end(self) -> None:
        if self.trick != [] or any(hand != [] for hand in self.hands):
            return
        self.over = True
        for seat in range(self.seats):
            bid = self.bids[seat]
            assert bid is not None
            self.points.append(points_for(bid, self.tricks[seat], self.round_no))

    def _check_situation(self) -> None:
        """Refuse situations that make no sense, so that a wrong test fails early."""
        if self.lead not in ("dealer", "winner"):
            raise ValueError("lead is dealer or winner")
        if self.trump is not None and self.trump not in COLOURS:
            raise ValueError("trump is a colour or None")
        if len(self.bids) != self.seats or len(self.tricks) != self.seats:
            raise ValueError("bids and tricks are given for each seat")
        pack = full_pack()
        for card in sum(self.hands, [card for _, card in self.trick]):
            if card not in pack:
                raise ValueError(f"no such card: {card}")
            pack.remove(card)
        for position, (seat, _) in enumerate(self.trick):
            if seat != (self.leader + position) % self.seats:
                raise ValueError("the trick is played clockwise from the leader")
        played_in_trick = [seat for seat, _ in self.trick]
        for seat in range(self.seats):
            cards = len(self.hands[seat]) + (1 if seat in played_in_trick else 0) + sum(self.tricks)
            if cards != self.num_cards:
                raise ValueError("each hand has the cards of the round, less those played")
        if (sum(self.tricks) > 0 or self.trick != []) and (self.trump is None or None in self.bids):
            raise ValueError("trump and bids come before the first card")
