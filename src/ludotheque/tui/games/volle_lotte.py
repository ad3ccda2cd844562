"""Volle Lotte! on the screen: the card that sets the stakes, the dice, what the turn is worth, and the scores."""

from __future__ import annotations

from ludotheque.tui.board import Board, View, legal, marks
from ludotheque.tui.canvas import Canvas, wrap
from ludotheque.tui.palette import ACCENT, BAD, DIM, GOOD, INK, PAPER, TEXT
from ludotheque.tui.pieces import DIE_WIDTH, Column, Face, big, caption, chip, die, seats

LEFT = 51


class Screen(Board):
    """The table of Volle Lotte!"""

    def heading(self, view: View) -> str:
        """The round, the target and the pile."""
        return self.say("head_target", {**view["table"], "round": view["round"]})

    def draw(self, c: Canvas, view: View) -> None:
        """Dice and card on the left, scores on the right."""
        t = view["table"]
        live = t["phase"] in ("rolled", "lotte")
        y = 1 if c.height > 16 else 0
        self._card(c, view, y, live)
        for place, value in enumerate(t["roll"]):
            moves = legal(view, word=str(value))
            die(c, 2 + place * (DIE_WIDTH + 1), y + 3, value, moves, INK if live else "#9a9483")
        at = 2
        if t["aside"]:
            at = c.put(2, y + 7, self.label("aside") + " ", DIM)
            for value in t["aside"]:
                at = chip(c, at, y + 7, Face(str(value))) + 1
        self._worth(c, view, y + 8 + (c.height > 16), live)
        columns = [Column(self.label("points"), [self.words.word("score", n) for n in t["scores"]], ACCENT)]
        seats(c, LEFT + 1, y, view["players"], marks(view), columns, c.width - LEFT - 2)

    def _card(self, c: Canvas, view: View, y: int, live: bool) -> None:
        """The card in words: it changes what the dice are worth."""
        t = view["table"]
        caption(c, 2, y, self.label("card") if live or t["card"] is None else self.label("last_card"))
        if t["card"] is None:
            c.put(2, y + 1, "–", DIM)
            return
        name = self.words.word("kind", t["card"]).upper()
        c.put(2, y + 1, f"  {name}  ", f"bold {INK} {PAPER}" if live else f"#6d6858 {PAPER}")

    def _worth(self, c: Canvas, view: View, y: int, live: bool) -> None:
        """What the turn is worth, and what may become of it."""
        t = view["table"]
        lines: list[tuple[str, str]] = []
        if live:
            points = t["turn_points"] + t["card_points"]
            lines.append((self.say("turn", {"n": points}), TEXT))
            if t["stop_points"] is not None:
                lines.append((self.say("stop", {"n": t["stop_points"]}), GOOD))
            if t["leaders"]:
                lines.append((self.say("leaders", {"seats": t["leaders"], "n": len(t["leaders"])}, view), BAD))
        if t["new_faces"]:
            new = " ".join(map(str, t["new_faces"]))
            lines.append((self.say("new", {"new": new, "chance": percent(t["go_bust"])}), TEXT))
        if t["phase"] in ("turn", "lotte"):
            lines.append((self.say("next", {"chance": percent(t["stop_chance"])}), DIM))
        if t["closing"] and not view["over"]:
            lines.append((self.say("closing"), BAD))
        for text, ink in lines:
            for part in wrap(text, LEFT - 2):
                c.put(2, y, part, ink)
                y += 1
        if live and c.height > 16:
            big(c, 30, 1, str(t["turn_points"] + t["card_points"]))

    def details(self, view: View) -> dict[str, str]:
        """Beside each keep: its points and the risk of the next roll."""
        result = {}
        for keep in view["table"]["keeps"]:
            facts = {"points": keep["points"], "n": keep["rolls"]}
            if keep["lotte"]:
                result[keep["move"]] = self.say("detail_lotte", {"points": keep["turn_points"]})
            else:
                result[keep["move"]] = self.say("detail", {**facts, "chance": percent(keep["bust"])})
        return result


def percent(chance: list[int]) -> int:
    """A chance in percent."""
    return round(100 * chance[0] / chance[1])
