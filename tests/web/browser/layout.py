"""How a table lies on screens of every size: what is cut off, covered or out of sight, and how it uses the room."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.web.browser.visitor import Visitor

Size = tuple[int, int]

SIZES: tuple[Size, ...] = (
    (360, 640),
    (390, 664),
    (390, 844),
    (740, 360),
    (844, 390),
    (820, 1180),
    (640, 400),
    (1280, 800),
    (1920, 1080),
    (2560, 1440),
)
PHONE: Size = (390, 664)
LARGE: tuple[Size, ...] = ((1920, 1080), (2560, 1440))

FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
DRAWN = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"
)
MEASURES = """() => {
  const main = document.querySelector('main.screen')
  const room = main.getBoundingClientRect()
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1
  const own = [...main.querySelectorAll('.hand button.card, .rolled .die')].filter(seen)
  const things = [...main.querySelectorAll('.card, .mini, .die, .seat, .gauge, button, p, h2, h3, table')].filter(seen)
  const boxes = things.map((node) => node.getBoundingClientRect())
  const reach = (low, high) => Math.max(...boxes.map((box) => box[high])) - Math.min(...boxes.map((box) => box[low]))
  let [end, gap] = [room.top, 0]
  for (const box of boxes.toSorted((a, b) => a.top - b.top)) {
    gap = Math.max(gap, box.top - end)
    end = Math.max(end, box.bottom)
  }
  return {
    card: own.reduce((sum, node) => sum + node.offsetWidth, 0) / own.length,
    across: reach('left', 'right') / room.width,
    down: reach('top', 'bottom') / room.height,
    gap: Math.max(gap, room.bottom - end) / room.height,
  }
}"""


@dataclass(frozen=True)
class Measures:
    """What a table makes of its room."""

    card: float
    """The width of a card of the hand, or of a die, in pixels."""
    across: float
    """The share of the room's width from the leftmost thing to the rightmost."""
    down: float
    """The same of its height."""
    gap: float
    """The share of its height that the highest empty band takes."""


def resize(visitor: Visitor, size: Size) -> None:
    """Another size of the window, drawn."""
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.page.evaluate(DRAWN)


def faults(visitor: Visitor) -> list[str]:
    """What is cut off, covered or out of sight now."""
    found: list[str] = visitor.page.evaluate(FAULTS)
    return found


def measure(visitor: Visitor) -> Measures:
    return Measures(**visitor.page.evaluate(MEASURES))
