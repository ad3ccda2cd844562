"""A slow referee for Skip-Bo De Luxe: one match, from any given situation, with all options.

It is an oracle for tests and shares no code with the engine. The numbers in the comments (S1, S2, ...)
are those of the rule ledger.

Cards are strings: "1" to "12", and "*" for the Skip-Bo. A move is what is laid and where: "7>2" from the hand onto
building pile 2, "S>1" from the stock, "d3>1" from discard pile 3, "pS>1" and "pd2>1" from the partner's; "7>d2" is a
discard; "end", "draw", "say" and "call" lay nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

FULL_HAND = 5
LAST_NUMBER = 12

Event = dict[str, Any]


@dataclass(frozen=True)
class SkipBoOptions:
    """What a table can choose."""

    stock: int = 30  # S2: used only to know how far stocks have shrunk
    match: str = "single"  # S13: "single" or "points"
    target: int = 500  # S13
    teams: bool = False  # S14
    manners: bool = False  # S15 to S17


def full_box() -> list[str]:
    """All cards (S1)."""
    return [str(number) for number in range(1, 13) for _ in range(12)] + ["*"] * 18


@dataclass
class Lying:
    """A card laid out of turn that can still be called (S17)."""

    seat: int
    move: str
    card: str


@dataclass
class Situation:
    """What lies where, and whose turn it is."""

    stocks: list[list[str]]  # the first card is the one face up
    hands: list[list[str]]
    discards: list[list[list[str]]]  # by seat and pile; the first card is the top one
    built: list[list[str]]  # from the 1 up
    draw: list[str]  # the first card is the next
    aside: list[str]
    dealer: int
    actor: int
    played: bool = False
    idle: int = 0
    points: list[int] = field(default_factory=list)


class SkipBo:
    """One match. Ask `legal`, then `play`; read the attributes in between.

    When a round ends and the match goes on, `round_over` is True until the next is dealt with `deal`. When the match
    is over, `match_over` is True and `places` holds the place of each seat.
    """

    def __init__(
        self,
        start: Situation,
        shuffle: Callable[[list[str]], list[str]],
        place: Callable[[int], int],
        options: SkipBoOptions,
    ) -> None:
        """Take over a situation.

        shuffle: is given the cards put aside and returns them in their new order (S11).
        place: is given how many cards lie face down in a stock and returns below how many of them a card goes (S16).
        """
        self.options = options
        self.seats = len(start.stocks)
        self.stocks = [list(stock) for stock in start.stocks]
        self.hands = [list(hand) for hand in start.hands]
        self.discards = [[list(pile) for pile in piles] for piles in start.discards]
        self.built = [list(pile) for pile in start.built]
        self.draw_pile = list(start.draw)
        self.aside = list(start.aside)
        self.dealer = start.dealer
        self.actor: int | None = start.actor
        self.played = start.played
        self.idle = start.idle
        self.points = list(start.points) or [0] * self.seats
        self.shuffle = shuffle
        self.place = place
        self.lying: Lying | None = None
        self.no_fill = [False] * self.seats  # S17: for the next turn
        self.barred = False  # S17: in this turn
        self.spoken = False  # S15: in this turn
        self.round_over = False
        self.match_over = False
        self.places: list[int] = []
        self.events: list[Event] = []

    def deal(self, stocks: list[list[str]], draw: list[str]) -> None:
        """The next round with these cards (S2, S3)."""
        self.dealer = (self.dealer + 1) % self.seats
        self.stocks = [list(stock) for stock in stocks]
        self.draw_pile = list(draw)
        self.hands = [[] for _ in range(self.seats)]
        self.discards = [[[] for _ in range(4)] for _ in range(self.seats)]
        self.built = [[] for _ in range(4)]
        self.aside = []
        self.idle = 0
        self.lying = None
        self.no_fill = [False] * self.seats  # S17: the bar ends with the round
        self.round_over = False
        self._tell("deal", self.dealer)
        self._begin_turn((self.dealer + 1) % self.seats)

    # What may be done

    def legal(self, seat: int) -> set[str]:
        """All moves this seat may make now."""
        if self.round_over or self.match_over:
            return set()
        moves: set[str] = set()
        if seat == self.actor:
            if self._may_draw():
                moves.add("draw")
            if not self._must_draw():
                moves |= self._lays(seat)
                if not self.hands[seat]:
                    moves.add("end")  # S11
        elif self.options.manners:
            if self.lying is None:
                moves |= self._lays(seat)  # S17
            if self._speaking_costs(seat):
                moves.add("say")
        if self.lying is not None and self.lying.seat != seat:
            moves.add("call")  # S17
        return moves

    def _can_draw(self) -> bool:
        return bool(self.draw_pile or self.aside)

    def _may_draw(self) -> bool:
        """S16: the player's own act, before a card is played; S17: unless barred."""
        return self.options.manners and not self.played and not self.barred and self._can_draw()

    def _must_draw(self) -> bool:
        assert self.actor is not None
        return self._may_draw() and len(self.hands[self.actor]) < FULL_HAND

    def _speaking_costs(self, seat: int) -> bool:
        """S15"""
        assert self.actor is not None
        is_partner = self.options.teams and seat == self._partner(self.actor)
        return self.options.manners and is_partner and not self.spoken and self._can_draw()

    def _partner(self, seat: int) -> int:
        return (seat + 2) % 4  # S14

    def _fits(self, card: str, pile: list[str]) -> bool:
        """S5, S7; a finished pile that is still lying there (S17) is out of the way before the next card."""
        number = 1 if len(pile) == LAST_NUMBER else len(pile) + 1
        return card == "*" or card == str(number)

    def _tops(self, seat: int) -> dict[str, str]:
        """S6, S14: the cards on top of piles that the seat may play from."""
        owners = {"": seat}
        if self.options.teams:
            owners["p"] = self._partner(seat)
        tops: dict[str, str] = {}
        for prefix, owner in owners.items():
            if self.stocks[owner]:
                tops[f"{prefix}S"] = self.stocks[owner][0]
            for number, pile in enumerate(self.discards[owner], 1):
                if pile:
                    tops[f"{prefix}d{number}"] = pile[0]
        return tops

    def _lays(self, seat: int) -> set[str]:
        sources = {**self._tops(seat), **{card: card for card in self.hands[seat]}}
        moves = {f"{card}>d{number}" for card in self.hands[seat] for number in range(1, 5)}  # S10
        for source, card in sources.items():
            moves |= {f"{source}>{n}" for n, pile in enumerate(self.built, 1) if self._fits(card, pile)}
        return moves

    # Moves

    def play(self, seat: int, move: str) -> None:
        """Make one move."""
        if move not in self.legal(seat):
            raise ValueError(f"seat {seat} may not play {move}")
        self.events = []
        if move == "draw":
            self._draw(seat)
        elif move == "say":
            self._say(seat)
        elif move == "call":
            self._call(seat)
        elif seat != self.actor:
            card = self._lay(seat, move, "_early")
            self.lying = Lying(seat, move, card)  # S17
        elif self.lying is None or not self._stands():  # S17: it stands with the next card, or the end of the turn
            if move == "end":
                self._end(seat)
            elif ">d" in move:
                self._lay(seat, move, "")
                self.idle = 0
                self._begin_turn((seat + 1) % self.seats)  # S10
            else:
                self._play(seat, move)

    def _lay(self, seat: int, move: str, how: str) -> str:
        """Move a card from where it is to where it goes."""
        source, target = move.split(">")
        pile, owner = self._source(seat, source)
        card = source if pile is self.hands[seat] else pile[0]
        pile.remove(card)  # the first: of a pile, the top card
        if target.startswith("d"):
            self.discards[seat][int(target[1]) - 1].insert(0, card)
            self._tell(f"discard{how}", seat, card=card, pile=int(target[1]))
            return card
        built = self.built[int(target) - 1]
        built.append(card)
        name = "hand" if owner is None else source
        self._tell(f"play{how}", seat, source=name, card=card, place=int(target), height=len(built))
        if owner is not None and source.endswith("S"):
            self._turn_up(owner)
        return card

    def _source(self, seat: int, source: str) -> tuple[list[str], int | None]:
        """Where cards come from, and whose pile it is; None for the hand."""
        owner = self._partner(seat) if source.startswith("p") else seat
        name = source.removeprefix("p")
        if name == "S":
            return self.stocks[owner], owner
        if name.startswith("d"):
            return self.discards[owner][int(name[1]) - 1], owner
        return self.hands[seat], None

    def _turn_up(self, owner: int) -> None:
        """S2: the next card of a stock lies face up."""
        if self.stocks[owner]:
            self._tell("turn_up", owner, card=self.stocks[owner][0], n=len(self.stocks[owner]))
        else:
            self._tell("stock_gone", owner)

    def _play(self, seat: int, move: str) -> None:
        source, target = move.split(">")
        self._lay(seat, move, "")
        self.played = True
        self._clear(int(target))
        if source.endswith("S") and self._has_won(self._source(seat, source)[1]):
            self._end_round(False)  # S12
            return
        if self.hands[seat] == [] and self._source(seat, source)[1] is None:
            self.barred = False  # S17: who plays the hand out draws as by S9
        self._refill(seat)

    def _clear(self, place: int) -> None:
        """S8"""
        if len(self.built[place - 1]) == LAST_NUMBER:
            self.aside += self.built[place - 1]
            self.built[place - 1] = []
            self._tell("pile_done", None, place=place)

    def _has_won(self, owner: int | None) -> bool:
        """S12, S14"""
        assert owner is not None
        return self._left(owner) == 0

    def _left(self, seat: int) -> int:
        """Cards in the stock; those of a team together."""
        left = len(self.stocks[seat])
        return left + len(self.stocks[self._partner(seat)]) if self.options.teams else left

    def _end(self, seat: int) -> None:
        """S11: the turn ends without a discard."""
        self._tell("ended", seat)
        if not self.played and not self._can_draw():
            self.idle += 1
        else:
            self.idle = 0
        if self.idle == self.seats:
            self._end_round(True)
        else:
            self._begin_turn((seat + 1) % self.seats)

    # Turns and draws

    def _begin_turn(self, seat: int) -> None:
        self.actor = seat
        self.played = False
        self.spoken = False
        self.barred = self.no_fill[seat]
        self.no_fill[seat] = False
        if self.barred:
            self._tell("no_fill", seat)
        elif not self.options.manners:
            self._fill(seat)  # S4
        self._look_whether_blocked()

    def _refill(self, seat: int) -> None:
        """S9, S11: five new cards for an empty hand, as soon as there are any."""
        if self.hands[seat] == [] and not self.barred and not self._must_draw():
            self._fill(seat)
        self._look_whether_blocked()

    def _fill(self, seat: int) -> None:
        drawn = 0
        while len(self.hands[seat]) < FULL_HAND and self._can_draw():
            self.hands[seat].append(self._take())
            drawn += 1
        if drawn:
            self._tell("draw", seat, n=drawn)

    def _take(self) -> str:
        """S11: the draw pile is remade at the moment a card is wanted."""
        if not self.draw_pile:
            self._tell("remake", None, n=len(self.aside))
            self.draw_pile = self.shuffle(self.aside)
            self.aside = []
        return self.draw_pile.pop(0)

    def _draw(self, seat: int) -> None:
        """S16"""
        if len(self.hands[seat]) < FULL_HAND:
            self.hands[seat].append(self._take())
            self._tell("draw", seat, n=1)
        else:
            stock = self.stocks[seat]
            self._tell("too_many", seat, n=len(stock) + 1)
            card = self._take()
            if stock:
                stock.insert(1 + self.place(len(stock) - 1), card)  # the card face up stays
            else:
                self._under(seat, card)
        self._look_whether_blocked()

    def _under(self, seat: int, card: str) -> None:
        """Under the stock; where there is none left it is one again, face up."""
        self.stocks[seat].append(card)
        if len(self.stocks[seat]) == 1:
            self._turn_up(seat)

    def _say(self, seat: int) -> None:
        """S15: two cards, or as many as there are."""
        self.spoken = True
        number = min(2, len(self.draw_pile) + len(self.aside))
        self._tell("spoke", seat, n=number)
        for _ in range(number):
            self._under(seat, self._take())
        self._look_whether_blocked()

    # Playing out of turn

    def _call(self, caller: int) -> None:
        """S17: the card goes back where it was."""
        lying = self.lying
        assert lying is not None
        self.lying = None
        source, target = lying.move.split(">")
        if target.startswith("d"):
            self.discards[lying.seat][int(target[1]) - 1].pop(0)
        else:
            self.built[int(target) - 1].pop()
        pile, owner = self._source(lying.seat, source)
        pile.insert(0 if owner is not None else len(pile), lying.card)
        self.no_fill[lying.seat] = True
        self._tell("called", caller, other=lying.seat, card=lying.card)

    def _stands(self) -> bool:
        """S17: nobody has called it. Whether that ends the round."""
        lying = self.lying
        assert lying is not None
        self.lying = None
        self.idle = 0
        self._tell("stands", lying.seat)
        source, target = lying.move.split(">")
        if target.startswith("d"):
            return False
        self._clear(int(target))
        if source.endswith("S") and self._has_won(self._source(lying.seat, source)[1]):
            self._end_round(False)
            return True
        return False

    # Ends

    def _look_whether_blocked(self) -> None:
        """S11: nobody can play or discard."""
        if self.round_over or self.match_over or self.lying is not None or self._can_draw():
            return
        if not any(self._lays(seat) for seat in range(self.seats)):
            self._end_round(True)

    def _end_round(self, blocked: bool) -> None:
        left = [self._left(seat) for seat in range(self.seats)]
        winners = [seat for seat in range(self.seats) if left[seat] == min(left)]
        self._tell("round_end", None, ending="blocked" if blocked else "stock", seats=winners)
        self.actor = None
        if self.options.match == "points":  # S13
            lost = sum(len(self.stocks[seat]) for seat in range(self.seats) if seat not in winners)
            for seat in winners:
                self.points[seat] += 25 + 5 * lost
            if max(self.points) < self.options.target:
                self.round_over = True
                return
            better = [-points for points in self.points]
        else:
            better = left
        self.match_over = True
        self.places = [1 + sum(other < own for other in better) for own in better]
        self._tell("match_end", None)

    def _tell(self, kind: str, seat: int | None, **facts: Any) -> None:
        who = {} if seat is None else {"seat": seat}
        self.events.append({"type": kind, **who, **facts})
