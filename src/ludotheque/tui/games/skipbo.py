"""Skip-Bo on the screen: the building piles in the middle, everybody's stock and discards, and the hand."""

from __future__ import annotations

from typing import Any

from ludotheque.tui.board import Board, View, legal, marks
from ludotheque.tui.canvas import Canvas, fit
from ludotheque.tui.palette import ACCENT, BAD, BLUE, DIM, GREEN, PURPLE, RED, TEXT
from ludotheque.tui.pieces import Face, back, caption, card, card_size, chip


class Screen(Board):
    """The table of Skip-Bo."""

    def heading(self, view: View) -> str:
        """Which round it is, and what the piles in the middle still hold."""
        t = view["table"]
        return self.say("piles", {"draw": t["draw"], "aside": t["aside"], "round": view["round"]})

    def _face(self, text: str, moves: tuple[str, ...] = ()) -> Face:
        if text == "*":
            return Face("★", PURPLE, moves)
        return Face(text, BLUE if int(text) < 5 else GREEN if int(text) < 9 else RED, moves)

    def draw(self, c: Canvas, view: View) -> None:
        """The middle above, the others between, one's own piles and hand below."""
        t = view["table"]
        _, tall = card_size(c)
        y = 1 if c.large else 0
        self._middle(c, view, y)
        own = view["seat"]
        line = y + tall + 1 + c.large
        for seat in range(len(view["players"])):
            if seat != own:
                self._other(c, view, seat, line)
                line += 1 + c.large
        if t["open_play"]:
            c.put(1, line, self.say("open_play", t["open_play"], view), BAD)
        if own is not None:
            self._own(c, view, own, max(line + 1, y + tall + 5))

    def _middle(self, c: Canvas, view: View, y: int) -> None:
        t = view["table"]
        wide, tall = card_size(c)
        caption(c, 2, y, self.label("middle"))
        for place, height in enumerate(t["heights"], 1):
            x = 14 + (wide + 4) * (place - 1)
            c.put(x - 2, y + tall // 2, str(place), DIM)
            built = t["built"][place - 1]
            top = built[-1] if built else None
            face = None if top is None else Face(str(height), PURPLE) if top == "*" else self._face(top)
            card(c, x, y, face, legal(view, ends=f">{place}"), "★" if top == "*" else "")
        x = 14 + (wide + 4) * 4
        c.put(x, y, self.label("draw"), DIM)
        back(c, x + 8, y, t["draw"], legal(view, "draw"))

    def _other(self, c: Canvas, view: View, seat: int, y: int) -> None:
        """Another player in a line: stock, the tops of the discard piles, cards in hand."""
        t = view["table"]
        mark = marks(view, t["dealer"])[seat]
        ink = ACCENT if seat == view["actor"] else TEXT
        c.put(1, y, mark, ink)
        c.put(4, y, fit(view["players"][seat], 16), ink)
        stock = t["stocks"][seat]
        partner = t["partners"] is not None and view["seat"] is not None and t["partners"][view["seat"]] == seat
        at = c.put(21, y, f"{self.label('stock')} ", DIM)
        at = self._chip(c, view, at, y, stock["top"], "pS" if partner else "")
        c.put(at + 1, y, f"×{stock['left']}", TEXT)
        at = 37
        for place, pile in enumerate(t["discards"][seat], 1):
            c.put(at, y, f"d{place}", DIM)
            at = self._chip(c, view, at + 3, y, pile[0] if pile else None, f"pd{place}" if partner else "")
            at = 37 + 8 * place
        self._facts(c, view, seat, 37 + 8 * 4 + 1, y)

    def _facts(self, c: Canvas, view: View, seat: int, x: int, y: int) -> None:
        t = view["table"]
        text = self.own.say("board.num_cards", {"n": t["hand_sizes"][seat]})
        if t["target"]:
            text += f"  {self.say('points', {'points': t['points'][seat]})}"
        c.put(x, y, text, DIM)

    def _chip(self, c: Canvas, view: View, x: int, y: int, text: str | None, source: str) -> int:
        if text is None:
            return c.put(x, y, "  – ", DIM)
        face = self._face(text, legal(view, begins=f"{source}>") if source else ())
        return chip(c, x, y, Face(f"{face.text:>2}", face.ink, face.moves))

    def _own(self, c: Canvas, view: View, seat: int, y: int) -> None:
        """One's own stock, discard piles and hand as cards."""
        t = view["table"]
        step = card_size(c)[0] + (0 if c.large else 1)
        stock: dict[str, Any] = t["stocks"][seat]
        mark = marks(view, t["dealer"])[seat]
        c.put(1, y, f"{mark} {self.label('stock')} ×{stock['left']}", ACCENT if seat == view["actor"] else TEXT)
        card(c, 4, y + 1, self._face(stock["top"], legal(view, begins="S>")) if stock["top"] else None)
        x = 15 if c.large else 17
        caption(c, x + 2, y, self.label("discards"))
        for place, pile in enumerate(t["discards"][seat], 1):
            left = f"+{len(pile) - 1}" if len(pile) > 1 else ""
            moves = legal(view, begins=f"d{place}>", ends=f">d{place}")
            card(c, x, y + 1, self._face(pile[0]) if pile else None, moves, left)
            x += step
        x += 2 if c.large else 3
        caption(c, x, y, self.label("hand"))
        for text in t["hand"] or []:
            card(c, x, y + 1, self._face(text, legal(view, begins=f"{text}>")))
            x += step
        if not t["hand"]:
            c.put(x, y + 2, "–", DIM)
        if t["target"]:
            c.put(c.width - 14, y, self.say("points", {"points": t["points"][seat]}), DIM)
