"""What eyes and fingers need of a screen, measured on it: contrast by its pixels, targets by what a touch hits."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tests.web.browser.visitor import Visitor

ENOUGH, ENOUGH_LARGE = 4.5, 3.0
LARGE, LARGE_BOLD = 24.0, 18.66
"""Pixels from which text counts as large (WCAG 1.4.3)."""

# Texts on the table that can be read now: their boxes, their colour with what makes it paler, their size.
TEXTS = """() => {
  const found = []
  const main = document.querySelector('main')
  const screen = main.getBoundingClientRect()
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent.trim()
    const owner = node.parentElement
    if (!words || !owner.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    // What cannot be pressed now is allowed to be pale, and so is what is on its way.
    if (owner.closest('.dim, :disabled, [aria-disabled=true], .hidden-visually, .stage, style')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    // Nor does what is scrolled halfway below the bar lie on the table.
    if (box.top < screen.top || box.bottom > screen.bottom) continue
    if (box.width < 2 || box.height < 4 || !top || !(top.contains(owner) || owner.contains(top))) continue
    const style = getComputedStyle(owner)
    const isSvg = owner instanceof SVGElement
    const scale = isSvg ? owner.getScreenCTM().a : 1
    let opacity = 1
    for (let one = owner; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity)
    found.push({
      words: words.slice(0, 40),
      box: [box.left, box.top, box.width, box.height],
      colour: isSvg ? style.fill : style.color,
      opacity,
      size: parseFloat(style.fontSize) * scale,
      bold: Number(style.fontWeight) >= 700,
    })
  }
  return found
}"""
BARE = """() => {
  window.bare = new CSSStyleSheet()
  window.bare.replaceSync(
    'main * { color: transparent !important; text-shadow: none !important } main svg text { fill: none !important }',
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, window.bare]
}"""
DRESSED = "() => { document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== window.bare) }"


def contrasts(visitor: Visitor) -> list[str]:
    """Texts of the table that stand out too little from the pixels behind them."""
    page = visitor.page
    texts: list[dict[str, Any]] = page.evaluate(TEXTS)
    page.evaluate(BARE)
    picture = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB"), dtype=float)
    page.evaluate(DRESSED)
    weak = []
    for text in texts:
        left, top, width, height = (round(value) for value in text["box"])
        behind = picture[max(0, top) : top + height, max(0, left) : left + width].reshape(-1, 3)
        if not len(behind):
            continue
        ink = _colour(text["colour"])
        shown = ink[:3] * (alpha := ink[3] * text["opacity"]) + behind * (1 - alpha)
        ratios = _ratio(_luminance(shown), _luminance(behind))
        # The worst place counts, but not the pixels of an edge, nor the drawing of a small card beside its number.
        found = float(np.quantile(ratios, 0.3))
        is_large = text["size"] >= LARGE or (text["bold"] and text["size"] >= LARGE_BOLD)
        if found < (ENOUGH_LARGE if is_large else ENOUGH) - 0.01:
            weak.append(f"contrast {found:.2f} of “{text['words']}” at {left}, {top} ({text['size']:.0f} px)")
    return weak


def _colour(text: str) -> NDArray[Any]:
    """A computed colour as red, green, blue and how opaque it is."""
    inside = text[text.index("(") + 1 : -1].replace(",", " ").replace("/", " ").split()
    if text.startswith("color"):  # color(srgb 0.5 0.5 0.5 / 0.9)
        values = [float(one) for one in inside[1:]]
        rgb, rest = [255 * one for one in values[:3]], values[3:]
    else:
        values = [float(one) for one in inside]
        rgb, rest = values[:3], values[3:]
    return np.array([*rgb, *(rest or [1.0])])


def _luminance(colours: NDArray[Any]) -> NDArray[Any]:
    parts = colours / 255
    linear: NDArray[Any] = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def _ratio(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    high, low = np.maximum(one, other), np.minimum(one, other)
    return np.asarray((high + 0.05) / (low + 0.05))


# What can be pressed: how wide and high the part is that a touch hits, from its middle on. Links in a line of text are
# as high as the line. Cards of a hand overlap: a strip of 24 pixels of each is enough, as arrow keys walk along them.
TARGETS = """(root) => {
  const least = 44
  const strip = 24
  const small = []
  const hits = (node, x, y) => {
    const top = document.elementFromPoint(x, y)
    return top !== null && (node.contains(top) || top.closest('label')?.contains(node) === true)
  }
  const run = (node, x, y, dx, dy) => {
    let n = 0
    while (n < 200 && hits(node, x + n * dx, y + n * dy)) n += 1
    return n
  }
  const open = document.querySelector('dialog[open], .panel.open') ?? document.querySelector(root)
  for (const node of open.querySelectorAll('button, a[href], input, select, summary, [role=button]')) {
    if (!node.checkVisibility({ opacityProperty: false, visibilityProperty: true }) || node.closest('[inert]')) continue
    if (node.matches('a') && getComputedStyle(node).display === 'inline') continue
    node.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const box = (node.matches('label input') ? node.closest('label') : node).getBoundingClientRect()
    const isFan = node.closest('[data-region]') !== null && node.matches('.card')
    let [wide, high] = [0, 0]
    for (const x of isFan ? [0.5, 0.3, 0.15, 0.06] : [0.5]) for (const y of [0.5, 0.25, 0.75]) {
      const [left, top] = [box.left + x * box.width, box.top + y * box.height]
      if (!hits(node, left, top)) continue
      wide = Math.max(wide, run(node, left, top, 1, 0) + run(node, left, top, -1, 0) - 1)
      high = Math.max(high, run(node, left, top, 0, 1) + run(node, left, top, 0, -1) - 1)
    }
    const name = node.ariaLabel || node.textContent.trim().slice(0, 40) || node.outerHTML.slice(0, 80)
    if (wide === 0) continue
    if (Math.ceil(wide) + 1 < (isFan ? strip : least) || Math.ceil(high) + 1 < least)
      small.push(`target of ${wide} × ${high}: ${node.tagName.toLowerCase()} “${name}”`)
  }
  return small
}"""


def small_targets(visitor: Visitor, root: str = "body") -> list[str]:
    """What can be pressed, on the page or in a part of it, but is smaller than a finger."""
    found: list[str] = visitor.page.evaluate(TARGETS, root)
    return found
