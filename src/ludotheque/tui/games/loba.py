"""Loba on the screen: the contract, the pile, the combinations on the table, and the hand."""

from __future__ import annotations

from rich.cells import cell_len

from ludotheque.tui.board import Board, View, legal, marks
from ludotheque.tui.canvas import Canvas
from ludotheque.tui.palette import ACCENT, DIM, INK, PAPER, PURPLE, RED, TEXT
from ludotheque.tui.pieces import Column, Face, back, caption, card, card_size, chip, chips, row, seats


class Screen(Board):
    """The table of Loba."""

    def heading(self, view: View) -> str:
        """The round and its contract."""
        return self.say("head", view["table"])

    def _face(self, view: View, text: str, playable: bool = False) -> Face:
        shown = "★" if text == "*" else self.words.word("face", text)
        ink = PURPLE if text == "*" else RED if text[-1] in "HD" else INK
        moves = legal(view, word=text) if playable else ()
        return Face(shown, ink, moves)

    def draw(self, c: Canvas, view: View) -> None:
        """Piles and seats above, combinations in the middle, the hand below."""
        t = view["table"]
        wide, tall = card_size(c)
        y = 1 if c.large else 0
        caption(c, 2, y, self.label("talon"))
        back(c, 2, y + 1, t["stock"], legal(view, "stock"))
        x = 2 + wide + 3
        caption(c, x, y, self.label("pile"))
        top = self._face(view, t["pile"][0]) if t["pile"] else None
        left = f"+{len(t['pile']) - 1}" if len(t["pile"]) > 1 else ""
        card(c, x, y + 1, top, legal(view, "take"), left)
        for number, text in enumerate(t["pile"][1 : tall + 1]):
            chip(c, x + wide + 1, y + 1 + number, self._face(view, text))
        lines = self._seats(c, view, x + wide + 8, y)
        if t["phase"] == "contract":
            c.put(2, y + tall + 1, self.say("needed", t["needed"]), ACCENT)
        line = y + max(lines, tall + 2) + c.large
        faces = [self._face(view, text, True) for text in t["hand"] or ()]
        layout = self._lay_out(view, c.width - 1, 2)
        hand = c.height - tall - 1 - c.large
        tight = bool(layout) and line + layout[-1][0] >= hand - c.large
        if tight:
            layout = self._lay_out(view, c.width - 1, 1)
            hand = c.height - (1 if sum(cell_len(face.text) + 3 for face in faces) <= c.width - 3 else 2)
        self._melds(c, view, layout, line, hand, "" if tight else " ")
        if tight:
            chips(c, 2, hand, faces, c.width - 4, 2)
        elif t["hand"] is None:
            return
        else:
            caption(c, 2, hand, f"{self.label('hand')} ({len(faces)})")
            row(c, 2, hand + 1, faces, c.width - 4)

    def _lay_out(self, view: View, width: int, room: int) -> list[tuple[int, int, int]]:
        """Where the combinations go, as many in a line as fit: line, column and width of each. Cards get some room."""
        places = []
        at, line = 2, 0
        for number, meld in enumerate(view["table"]["melds"], 1):
            cells = sum(cell_len(self._face(view, text).text) + room for text in meld["cards"])
            need = 2 + len(str(number)) + cells
            if at > 2 and at + need > width:
                at, line = 2, line + 1
            places.append((line, at, need))
            at += need + 2
        return places

    def _melds(self, c: Canvas, view: View, layout: list[tuple[int, int, int]], y: int, end: int, before: str) -> None:
        """The combinations on the table, with their numbers."""
        for number, (meld, (line, x, need)) in enumerate(zip(view["table"]["melds"], layout, strict=True), 1):
            if y + line >= end:
                c.put(c.width - 2, end - 1, "…", TEXT)
                return
            moves = legal(view, word=f"m{number}")
            c.hit(x, y + line, need, 1, moves)
            at = c.put(x, y + line, f"m{number}", ACCENT if c.is_lit(moves) else DIM) + 1
            for text in meld["cards"]:
                face = self._face(view, text)
                at = c.put(at, y + line, f"{before}{face.text} ", f"bold {face.ink} {PAPER}")

    def _seats(self, c: Canvas, view: View, x: int, y: int) -> int:
        t = view["table"]
        known = [
            "" if seat == view["seat"] else " ".join(self._face(view, text).text for text in cards)
            for seat, cards in enumerate(t["known"])
        ]
        columns = [
            Column(self.label("cards"), [str(n) for n in t["hand_sizes"]]),
            Column(self.label("points"), [str(n) for n in t["points"]]),
            Column("", [self.say("down") if down else "" for down in t["down"]], ACCENT, right=False),
            Column(self.label("known"), known, DIM, right=False),
        ]
        return seats(c, x, y, view["players"], marks(view, t["dealer"]), columns, c.width - x - 1)
