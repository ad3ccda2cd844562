"""A slow referee for LOBO 77: one match, from any given situation.

It is an oracle for tests and shares no code with the engine. The numbers in the comments (L1, L2, ...)
are those of the rule ledger.

Cards are strings: "2" to "10", the doublets "11" "22" "33" "44" "55" "66", "76", "-10", "0", "2x", "rev".
A move is a card, or "draw" where the draw is left to the player (L20).
"""

from collections.abc import Callable
from dataclasses import dataclass

DOUBLETS = [11, 22, 33, 44, 55, 66]
END_OF_ROUND = 77


@dataclass(frozen=True)
class Lobo77Options:
    """What a table can choose."""

    tokens: int = 3  # L2: used only by new_match; elsewhere the situation says how many are left
    swim: bool = True  # L18
    repeat_costs: bool = False  # L8
    keep_top: bool = False  # L19
    draw: str = "auto"  # L20: "auto" or "manual"
    end: str = "last_standing"  # L21: "last_standing" or "last_tokens"
    card_76: bool = False  # L22


def full_pack(card_76: bool = False) -> list[str]:
    """All cards of the game, unshuffled (L1, L22)."""
    pack: list[str] = []
    pack += ["0"] * 4
    pack += ["-10"] * 4
    pack += ["2x"] * 4
    pack += ["rev"] * 5
    pack += ["11", "22", "33", "44", "55", "66"]
    pack += ["10"] * 8
    for number in range(2, 10):
        pack += [str(number)] * 3
    if card_76:
        pack += ["76"]
    return pack


def card_value(card: str) -> int:
    """What the card adds to the total (L6, L9, L10, L11, L12, L15, L22)."""
    if card in ("0", "2x", "rev"):
        return 0
    return int(card)


class Lobo77:
    """One match. Ask `legal`, then `play`; read the attributes in between.

    `actor` is None once the round or the match is over. When a round ends and the match goes on,
    `round_over` is True and `next_dealer` and `next_opener` say who deals and who opens; the next round
    begins with `deal`. When the match is over, `match_over` is True, `round_over` is not set, and `places`
    holds the place of each seat (1 is the winner).
    """

    def __init__(
        self,
        *,
        hands: list[list[str]],
        draw: list[str],
        played: list[str],
        total: int,
        direction: int,
        actor: int,
        owed: int,
        tokens: list[int],
        out: list[int],
        opener: int,
        shuffle: Callable[[list[str]], list[str]],
        pending_draws: list[int] | None = None,
        next_owes_two: bool = False,
        options: Lobo77Options | None = None,
    ) -> None:
        """Take over a situation.

        draw: the first element is the next card drawn. played: the last element is on top.
        owed: cards the actor still owes in this turn; 2 means that the first of two is to be played now.
        out: seats that went out, the first to go first.
        pending_draws: for each seat, the draws it may still take (L20, manual draw only).
        next_owes_two: the actor has already played a 2x as the first of two (L13, the ruling).
        shuffle: is given the cards to be reshuffled (L19) and returns them in their new order.
        """
        self.options = options if options is not None else Lobo77Options()
        self.seats = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.draw_pile = list(draw)
        self.played = list(played)
        self.total = total
        self.direction = direction
        self.actor: int | None = actor
        self.owed = owed
        self.tokens = list(tokens)
        self.out = list(out)
        self.opener = opener
        self.shuffle = shuffle
        self.pending_draws = list(pending_draws) if pending_draws is not None else [0] * self.seats
        self.next_owes_two = next_owes_two
        self.round_over = False
        self.match_over = False
        self.next_dealer: int | None = None
        self.next_opener: int | None = None
        self.places: list[int] = []
        self._check_situation(actor)

    @classmethod
    def new_match(
        cls,
        *,
        hands: list[list[str]],
        draw: list[str],
        dealer: int,
        shuffle: Callable[[list[str]], list[str]],
        options: Lobo77Options | None = None,
    ) -> "Lobo77":
        """The beginning of a match (L2, L3, L4): the cards are dealt, nothing is played yet."""
        options = options if options is not None else Lobo77Options()
        opener = (dealer + 1) % len(hands)
        return cls(
            hands=hands,
            draw=draw,
            played=[],
            total=0,
            direction=1,
            actor=opener,
            owed=1,
            tokens=[options.tokens] * len(hands),
            out=[],
            opener=opener,
            shuffle=shuffle,
            options=options,
        )

    def deal(self, hands: list[list[str]], draw: list[str]) -> None:
        """Begin the next round with these cards (L3, L4)."""
        if not self.round_over or self.next_opener is None:
            raise ValueError("no round is to be dealt now")
        self.hands = [list(hand) for hand in hands]
        self.draw_pile = list(draw)
        self.played = []
        self.total = 0
        self.direction = 1
        self.opener = self.next_opener
        self.actor = self.next_opener
        self.owed = 1
        self.next_owes_two = False
        self.pending_draws = [0] * self.seats
        self.round_over = False
        self.next_dealer = None
        self.next_opener = None

    @property
    def swimming(self) -> list[int]:
        """Seats without a token that are still in (L18)."""
        return [seat for seat in range(self.seats) if self.tokens[seat] == 0 and seat not in self.out]

    @property
    def standing(self) -> list[int]:
        """Seats still in."""
        return [seat for seat in range(self.seats) if seat not in self.out]

    def legal(self, seat: int) -> set[str]:
        """All moves this seat may make now."""
        moves: set[str] = set()
        if self.round_over or self.match_over or seat in self.out:
            return moves
        # L20: with manual draw, a draw not yet forgotten may be taken at any moment.
        if self.options.draw == "manual" and self.pending_draws[seat] > 0:
            moves.add("draw")
        if seat == self.actor:
            cards = set(self.hands[seat])
            # L13: the first of two is no 2x, unless the hand holds nothing else.
            if self.owed == 2 and cards != {"2x"}:
                cards.discard("2x")
            moves |= cards
        return moves

    def play(self, seat: int, move: str) -> None:
        """Make one move."""
        if move not in self.legal(seat):
            raise ValueError(f"seat {seat} may not play {move}")
        if move == "draw":
            self.pending_draws[seat] -= 1
            self._take_card(seat)
        else:
            self._play_card(seat, move)

    def _play_card(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.played.append(card)
        self.owed -= 1

        # L20: now that this player has played, what the others did not draw is forgotten.
        for other in range(self.seats):
            if other != seat:
                self.pending_draws[other] = 0

        total_before = self.total
        self.total += card_value(card)
        if card == "rev":
            self.direction = -self.direction  # L11
        if card == "2x":
            self.next_owes_two = True  # L12; twice 2x in one turn is still two, L13

        # L16: 77 or more ends the round and costs one token.
        if self.total >= END_OF_ROUND:
            self._lose_token(seat)
            if not self.match_over:
                self._end_round()
            return

        # L7, and L8 for a card that leaves the total where it is.
        if self.total in DOUBLETS and (self.total != total_before or self.options.repeat_costs):
            self._lose_token(seat)
            if self.match_over:
                return

        if seat not in self.out:
            self._draw_after_card(seat)

        # L14: a player who is out owes nothing more.
        if seat in self.out or self.owed == 0:
            self._pass_turn(seat)

    def _draw_after_card(self, seat: int) -> None:
        if self.options.draw == "auto":
            self._take_card(seat)  # L5
            return
        self.pending_draws[seat] += 1  # L20
        if self.hands[seat] == []:
            self.pending_draws[seat] -= 1
            self._take_card(seat)  # L20: nobody sits there without a card

    def _take_card(self, seat: int) -> None:
        # L19: looked at when a card is wanted; every played card is reshuffled, the last one too unless it stays.
        if self.draw_pile == []:
            lying = self.played[-1:] if self.options.keep_top else []
            self.draw_pile = list(self.shuffle(self.played[: len(self.played) - len(lying)]))
            self.played = lying
        if self.draw_pile != []:
            self.hands[seat].append(self.draw_pile.pop(0))

    def _lose_token(self, seat: int) -> None:
        if self.tokens[seat] == 0:
            self._go_out(seat)  # L18: the swimmer's next loss
        else:
            self.tokens[seat] -= 1
            if self.tokens[seat] == 0 and not self.options.swim:
                self._go_out(seat)  # L18: option swim off
        self._look_for_end_of_match()

    def _go_out(self, seat: int) -> None:
        self.out.append(seat)
        # L18: the hand goes under the played cards.
        self.played = self.hands[seat] + self.played
        self.hands[seat] = []
        self.pending_draws[seat] = 0

    def _look_for_end_of_match(self) -> None:
        # L21
        winner: int | None = None
        if len(self.standing) == 1:
            winner = self.standing[0]
        if self.options.end == "last_tokens":
            owners = [seat for seat in self.standing if self.tokens[seat] > 0]
            if len(owners) == 1:
                winner = owners[0]
        if winner is None:
            return
        self.match_over = True
        self.actor = None
        self.places = [0] * self.seats
        for seat in self.standing:
            self.places[seat] = 2  # those still swimming share the place behind the winner
        self.places[winner] = 1
        for number_gone_before, seat in enumerate(self.out):
            self.places[seat] = self.seats - number_gone_before

    def _end_round(self) -> None:
        self.round_over = True
        self.actor = None
        # L17: the opener deals; if out, the next to the left still in.
        dealer = self.opener
        while dealer in self.out:
            dealer = (dealer + 1) % self.seats
        self.next_dealer = dealer
        # L4: left of the dealer opens.
        opener = (dealer + 1) % self.seats
        while opener in self.out:
            opener = (opener + 1) % self.seats
        self.next_opener = opener

    def _pass_turn(self, seat: int) -> None:
        following = (seat + self.direction) % self.seats
        while following in self.out:
            following = (following + self.direction) % self.seats
        self.actor = following
        # L12, L13: two after a 2x, never more. L14: what a player who is out still owed is not inherited.
        self.owed = 2 if self.next_owes_two else 1
        self.next_owes_two = False

    def _check_situation(self, actor: int) -> None:
        """Refuse situations that make no sense, so that a wrong test fails early."""
        if len(self.tokens) != self.seats or len(self.pending_draws) != self.seats:
            raise ValueError("tokens and pending draws are given for each seat")
        if self.direction not in (1, -1) or self.owed not in (1, 2):
            raise ValueError("direction is 1 or -1, and 1 or 2 cards are owed")
        if actor in self.out or self.hands[actor] == []:
            raise ValueError("the actor is in and has a card")
        if self.options.draw not in ("auto", "manual"):
            raise ValueError("draw is auto or manual")
        if self.options.end not in ("last_standing", "last_tokens"):
            raise ValueError("end is last_standing or last_tokens")
        if not self.options.swim and self.swimming != []:
            raise ValueError("nobody swims with the option swim off")
        cards = self.draw_pile + self.played
        for hand in self.hands:
            cards = cards + hand
        pack = set(full_pack(self.options.card_76))
        for card in cards:
            if card not in pack:
                raise ValueError(f"no such card: {card}")
