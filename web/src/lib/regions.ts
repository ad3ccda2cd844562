/**
 * The parts of a table that a key jumps between: `data-region` marks them, in the order of the page. And the keyboard's
 * place: when what had the focus is taken away, it goes to the part it was in, never back to the top of the page.
 */

const REGION = '[data-region]'
const FOCUSABLE = 'button:not(:disabled), a[href], input:not(:disabled), select, textarea, summary, [tabindex="0"]'

const regions = () => [...document.querySelectorAll<HTMLElement>(REGION)].filter((one) => one.checkVisibility())

/** Go to the next part, or the one before. */
export function jump(step: 1 | -1): void {
  const all = regions()
  if (all.length === 0) return
  const at = all.indexOf(regionOf(document.activeElement)!)
  const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length
  enter(all[next]!)
}

/** Focus a part: what is first in it, but not what is in a part of its own; or the part itself. */
export function enter(region: HTMLElement): void {
  const inside = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (one) => one.tabIndex >= 0 && regionOf(one) === region && one.checkVisibility(),
  )
  const first = inside[0] ?? region
  if (first === region && !region.matches(FOCUSABLE)) region.tabIndex = -1
  first.focus({ preventScroll: first === region })
}

/** Go to the buttons of the turn, if any can be pressed. */
export function toButtons(): boolean {
  const button = document.querySelector<HTMLElement>(
    '[data-region=buttons] button:not(:disabled, [aria-disabled=true], [aria-pressed])',
  )
  button?.focus()
  return button !== null
}

function regionOf(node: Element | null): HTMLElement | null {
  return node?.closest<HTMLElement>(REGION) ?? null
}

/** Keep the focus on the page. Called once. */
export function keepFocus(): void {
  let last: HTMLElement | null = null
  let home: HTMLElement | null = null
  document.addEventListener('focusin', ({ target }) => {
    last = target as HTMLElement
    home = regionOf(last)
  })
  // Whoever points somewhere else lets go of it.
  document.addEventListener('pointerdown', ({ target }) => {
    if (!(target as Element).closest(FOCUSABLE)) last = null
  })
  const look = () => {
    const active = document.activeElement
    if (!last || (active && active !== document.body)) return
    if (last.isConnected && !last.matches(':disabled') && last.checkVisibility()) return
    last = null
    const open = document.querySelector<HTMLElement>('dialog[open]')
    const known = home?.isConnected && home.checkVisibility() ? home : null
    const place = open ?? known ?? regions().find((one) => one.matches('main')) ?? document.querySelector('main')
    if (place) enter(place)
  }
  let timer = 0
  new MutationObserver(() => {
    // After whatever else moves the focus by itself, such as a dialog that closes.
    clearTimeout(timer)
    timer = setTimeout(look)
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'open'],
  })
}
