/**
 * What is wrong with how a table lies on the screen: a list of sentences, empty if nothing is.
 *
 * Things are cards and dice (what has a spot on the table), buttons and pieces of text. Cards may overlap, as in a fan: of
 * a card its corner with the rank counts, and a badge may stand on the rest. Everything else is whole and apart.
 */
() => {
  const CARD = '.card[data-spot], .mini[data-spot], .die'
  const SLACK = 1.5
  const faults = []

  const main = document.querySelector('main.screen')
  const bar = document.querySelector('.shell > header')
  // What lies below the pointer is what is seen, also where presses go through.
  const through = new CSSStyleSheet()
  through.replaceSync('* { pointer-events: auto !important } .floats, .stage, .stage * { pointer-events: none !important }')
  document.adoptedStyleSheets.push(through)

  const isShown = (node) =>
    node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !node.closest('.hidden-visually, .sr-only, [aria-hidden="true"].stage, [popover], dialog:not([open]), .ring')
  const named = (node) => {
    const text = node.getAttribute('aria-label') || node.textContent || ''
    const names = [...node.classList].filter((name) => !name.startsWith('svelte-'))
    return `${[node.tagName.toLowerCase(), ...names].join('.')} "${text.trim().replace(/\s+/g, ' ').slice(0, 30)}"`
  }
  /** Of a line of text what its letters take: above and below there is air, into which the next line may reach. */
  const letters = (box) => DOMRect.fromRect({ ...box.toJSON(), y: box.y + box.height * 0.2, height: box.height * 0.6 })

  const things = []
  const add = (node, kind, box) => box.width > 1 && box.height > 1 && things.push({ node, kind, box })
  for (const node of main.querySelectorAll(CARD)) if (isShown(node)) add(node, 'card', node.getBoundingClientRect())
  for (const place of [bar, main]) {
    for (const node of place.querySelectorAll('button, summary, input, [role=button]')) {
      if (!node.matches(CARD) && isShown(node)) add(node, 'button', node.getBoundingClientRect())
    }
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const node = text.parentElement
      if (!text.data.trim() || node.closest('.card, .mini, .die') || !isShown(node)) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      for (const box of range.getClientRects()) add(node, 'text', letters(box))
    }
    for (const node of place.querySelectorAll('[data-text]')) {
      if (isShown(node)) add(node, 'text', node.getBoundingClientRect())
    }
  }

  const inside = (box, around) =>
    box.left >= around.left - SLACK &&
    box.top >= around.top - SLACK &&
    box.right <= around.right + SLACK &&
    box.bottom <= around.bottom + SLACK
  const shared = (a, b) => ({
    w: Math.min(a.right, b.right) - Math.max(a.left, b.left),
    h: Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
  })
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }

  /** The corner with a card's rank; the ends and the middle of everything else. */
  function points({ kind, node, box }) {
    const at = (x, y) => [box.left + x * box.width, box.top + y * box.height]
    if (kind === 'card') return node.matches('.die') ? [at(0.5, 0.5), at(0.2, 0.3), at(0.8, 0.7)] : [at(0.2, 0.15)]
    return kind === 'text' ? [at(0.5, 0.5), at(0.05, 0.5), at(0.95, 0.5)] : [at(0.5, 0.5), at(0.12, 0.2), at(0.88, 0.8)]
  }

  for (const thing of things) {
    const { node, box, kind } = thing
    if (!inside(box, screen)) {
      faults.push(`outside the screen: ${named(node)}`)
      continue
    }
    let cut = false
    for (let up = node; up && up !== document.body && !cut; up = up.parentElement) {
      if (up === node && kind !== 'text') continue
      const { overflowX, overflowY } = getComputedStyle(up)
      if (overflowX === 'visible' && overflowY === 'visible') continue
      const frame = up.getBoundingClientRect()
      const around = {
        left: overflowX === 'visible' ? -Infinity : frame.left,
        right: overflowX === 'visible' ? Infinity : frame.right,
        top: overflowY === 'visible' ? -Infinity : frame.top,
        bottom: overflowY === 'visible' ? Infinity : frame.bottom,
      }
      cut = !inside(box, around)
      if (cut) faults.push(`cut off by ${named(up)}: ${named(node)}`)
    }
    if (cut) continue
    for (const [x, y] of points(thing)) {
      const top = document.elementFromPoint(x, y)
      if (top === node || node.contains(top) || (kind === 'text' && top?.contains(node))) continue
      faults.push(`${top ? named(top) : 'nothing'} lies over ${named(node)}`)
      break
    }
  }

  const isOf = (a, b) => a.contains(b) || b.contains(a)
  for (let i = 0; i < things.length; i++) {
    for (let k = i + 1; k < things.length; k++) {
      const [a, b] = [things[i], things[k]]
      const { w, h } = shared(a.box, b.box)
      if (w <= SLACK || h <= SLACK || isOf(a.node, b.node)) continue
      const kinds = [a.kind, b.kind]
      if (kinds.every((kind) => kind === 'card')) continue
      if (kinds.every((kind) => kind === 'text') && a.node === b.node) continue
      if (kinds.includes('card')) {
        const card = a.kind === 'card' ? a : b
        if (w * h <= 0.25 * card.box.width * card.box.height) continue
      }
      faults.push(`${named(a.node)} and ${named(b.node)} lie over each other`)
    }
  }
  const seats = [...main.querySelectorAll('section.seat')].filter(isShown)
  for (const [i, seat] of seats.entries()) {
    const box = seat.getBoundingClientRect()
    const others = [
      ...seats.slice(i + 1).map((node) => ({ node, box: node.getBoundingClientRect() })),
      ...things.filter(({ node }) => main.contains(node)),
    ]
    for (const other of others) {
      const { w, h } = shared(box, other.box)
      if (w <= SLACK || h <= SLACK || isOf(seat, other.node) || seat.parentElement.contains(other.node)) continue
      faults.push(`${named(other.node)} lies over the seat ${named(seat)}`)
    }
  }

  document.adoptedStyleSheets.pop()
  return [...new Set(faults)]
}
