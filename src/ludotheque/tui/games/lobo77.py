"""LOBO 77 on the screen: the total in large figures, tokens, and the hand."""

from __future__ import annotations

from ludotheque.tui.board import Board, View, legal, marks
from ludotheque.tui.canvas import Canvas
from ludotheque.tui.palette import ACCENT, BAD, BLUE, DIM, INK, PURPLE, RED, TEXT
from ludotheque.tui.pieces import Column, Face, back, big, caption, card, card_size, chips, row, seats

LEFT = 42


class Screen(Board):
    """The table of LOBO 77."""

    def heading(self, view: View) -> str:
        """Round, total and direction in words."""
        return self.say("head", view["table"])

    def _face(self, view: View, text: str, playable: bool = False) -> Face:
        ink = {"-10": BLUE, "2x": PURPLE, "rev": PURPLE, "0": BLUE}.get(text, INK)
        if (len(text) == 2 and text[0] == text[1]) or text == "76":
            ink = RED
        moves = legal(view, text) if playable else ()
        return Face("‹›" if text == "rev" else self.words.word("face", text), ink, moves)

    def draw(self, c: Canvas, view: View) -> None:
        """The middle and the hand on the left, the seats on the right."""
        t = view["table"]
        top = 1 if c.large else 0
        wide, tall = card_size(c)
        caption(c, 2, top, self.label("total"))
        big(c, 2, top + 1 + c.large, str(t["total"]).replace("-", "−"))
        caption(c, 16, top, self.label("draw"))
        back(c, 16, top + 1, t["draw_pile"], legal(view, "draw"))
        at = 16 + wide + 3
        caption(c, at, top, self.label("played"))
        card(c, at, top + 1, self._face(view, t["top"]) if t["top"] else None)
        before = [self._face(view, text) for text in t["played"][-7:-1]][::-1]
        chips(c, at + wide + 1, top + 1, before, LEFT - at - wide - 1, tall)
        y = top + 1 + tall
        way = "↻" if t["direction"] > 0 else "↺"
        c.put(2, y, f"{way} {self.words.word('direction', t['direction'])}", TEXT)
        if t["owed"] == 2 or t["next_two"]:
            key = "owes_two" if t["owed"] == 2 else "next_two"
            c.put(2, y + 1, self.say(key, {"seat": view["actor"]}, view), BAD)
        self._hand(c, view, y + 3 + 2 * c.large)
        self._seats(c, view, top)

    def _hand(self, c: Canvas, view: View, y: int) -> None:
        t = view["table"]
        if t["hand"] is None:
            return
        caption(c, 2, y, self.label("hand"))
        row(c, 2, y + 1, [self._face(view, text, True) for text in t["hand"]], LEFT - 2)
        if view["seat"] is not None and (due := t["pending"][view["seat"]]):
            c.put(9, y, self.say("pending", {"seat": view["seat"], "n": due}, view), ACCENT)

    def _seats(self, c: Canvas, view: View, y: int) -> None:
        t = view["table"]
        tokens, cards = [], []
        for seat in range(len(view["players"])):
            if seat in t["out"]:
                tokens.append(self.say("out", {"place": view["places"][seat]}))
                cards.append("")
            else:
                swims = self.label("swimming") if seat in t["swimming"] else ""
                tokens.append("●" * t["tokens"][seat] or swims)
                cards.append(str(t["hand_sizes"][seat]))
        columns = [Column(self.label("cards"), cards, DIM), Column(self.label("tokens"), tokens, ACCENT, right=False)]
        seats(c, LEFT + 2, y, view["players"], marks(view, t["dealer"]), columns, c.width - LEFT - 3)
