"""Double Lucky 7 on the screen: trump, bids and tricks, the cards of the trick, and the hand."""

from __future__ import annotations

from ludotheque.tui.board import Board, View, legal, marks
from ludotheque.tui.canvas import Canvas
from ludotheque.tui.palette import ACCENT, BLUE, DIM, GREEN, INK, PURPLE, RED, TEXT, YELLOW
from ludotheque.tui.pieces import Column, Face, caption, card, card_size, row, seats

INKS = {"R": RED, "G": GREEN, "B": BLUE, "Y": YELLOW}


class Screen(Board):
    """The table of Double Lucky 7."""

    def heading(self, view: View) -> str:
        """Round, number of cards and trump."""
        t = view["table"]
        return self.say("head", {**t, "n": t["cards"], "trump": t["trump"] or "?"})

    def _face(self, view: View, text: str, playable: bool = False) -> Face:
        moves = legal(view, text) if playable else ()
        return Face("★" if text == "joker" else self.words.word("face", text), INKS.get(text[0], PURPLE), moves)

    def draw(self, c: Canvas, view: View) -> None:
        """Trump and seats above, the hand below."""
        t = view["table"]
        y = 1 if c.large else 0
        _, tall = card_size(c)
        caption(c, 2, y, self.label("trump"))
        card(c, 2, y + 1, self._face(view, t["turned"]))
        if t["trump"]:
            c.put(2, y + 1 + tall, self.words.word("colour", t["trump"]), TEXT)
        self._seats(c, view, y)
        below = y + max(len(view["players"]) + 1, tall + 3) + 3 * c.large
        if t["hand"] is not None:
            caption(c, 2, below, self.label("hand"))
            if t["double_round"]:
                c.put(16, below, self.say("double"), ACCENT)
            row(c, 2, below + 1, [self._face(view, text, True) for text in t["hand"]], c.width - 4)

    def _seats(self, c: Canvas, view: View, y: int) -> None:
        t = view["table"]
        trick = [self._face(view, text) if text else "" for text in t["trick"]]
        bids = ["–" if bid is None else str(bid) for bid in t["bids"]]
        columns = [
            Column(self.label("bid"), bids, ACCENT),
            Column(self.label("tricks"), [str(n) for n in t["tricks"]]),
            Column(self.label("trick"), trick, INK, right=False),
            Column(self.label("points"), [str(n) for n in t["points"]]),
            Column(self.label("cards"), [str(n) for n in t["hand_sizes"]], DIM),
        ]
        seats(c, 16, y, view["players"], marks(view, t["dealer"]), columns, c.width - 18)
