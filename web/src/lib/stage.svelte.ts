/**
 * Things that fly over the table. `fly` looks up the `data-spot` of each flight and moves a picture from one to the
 * other, drawn by `parts/Stage.svelte`. What has landed stays until the next view is shown (`settle`), so that
 * several events can be played one after the other over the same view.
 *
 * `data-single` on a spot: it is one thing, out of sight while it flies (a card of a hand; not a pile).
 * `data-lands` on a spot: what arrives stays on top of it; elsewhere (a seat) it fades away on arrival.
 */

import type { Component } from 'svelte'
import type { Flight } from './play'

export interface Flying {
  id: number
  face: unknown
  Face: Component<{ face: unknown }>
  width: number
  height: number
  frames: Keyframe[]
  timing: KeyframeAnimationOptions
  done: () => void
}

/** Milliseconds of one flight at speed 1. */
const DURATION = 420

class Air {
  flying = $state.raw<Flying[]>([])
}

export const stage = new Air()

let nextId = 0
let hidden: HTMLElement[] = []
let expected: { from: string; to: string; box: DOMRect | null; ghost?: HTMLElement; node?: HTMLElement } | null = null
let forget: ReturnType<typeof setTimeout> | undefined

const find = (spot: string) => document.querySelector<HTMLElement>(`[data-spot="${CSS.escape(spot)}"]`)

/** Whether the reader wants little movement. */
function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** The reader's own gesture: the flight that follows starts where it was made, not where the game would look. */
export function expect(from: string, to: string, ghost?: HTMLElement): void {
  release()
  const node = ghost ? (find(from) ?? undefined) : undefined
  expected = { from, to, box: ghost?.getBoundingClientRect() ?? null, ghost, node }
  forget = setTimeout(release, 2500)
}

/** Forget the gesture, and let what was dropped appear at home again. */
export function release(): void {
  clearTimeout(forget)
  expected?.ghost?.remove()
  if (expected?.node) expected.node.style.opacity = ''
  expected = null
}

/**
 * Move things between spots; done when all have arrived. `speed` 1 is normal, 2 twice as fast, 0 no movement.
 * Flights whose spots are not on the page are left out.
 */
export async function fly(flights: Flight[], Face: Component<{ face: unknown }>, speed: number): Promise<void> {
  if (speed <= 0 || isStill() || document.hidden) return release()
  const landings = flights.map((flight) => launch(flight, Face, speed))
  await Promise.all(landings)
}

function launch(flight: Flight, Face: Component<{ face: unknown }>, speed: number): Promise<void> | null {
  const own = expected?.to === flight.to ? expected : null
  const from = (own && find(own.from)) || find(flight.from)
  const to = find(flight.to)
  if (!from || !to) return null
  const a = own?.box ?? from.getBoundingClientRect()
  const b = to.getBoundingClientRect()
  if (!a.width || !b.width) return null
  if (from.hasAttribute('data-single')) {
    from.style.visibility = 'hidden'
    hidden.push(from)
  }
  if (own) release()
  return new Promise((done) => {
    const flying: Flying = {
      id: ++nextId,
      face: flight.face,
      Face,
      ...path(a, b, to.hasAttribute('data-lands')),
      timing: {
        duration: (own?.box ? DURATION / 2 : DURATION) / speed,
        delay: (flight.delay ?? 0) / speed,
        easing: 'cubic-bezier(0.3, 0.1, 0.2, 1)',
        fill: 'forwards',
      },
      done,
    }
    stage.flying = [...stage.flying, flying]
  })
}

/** Drawn at a card's size, scaled at the ends; a slight bow makes it look thrown by hand. */
function path(a: DOMRect, b: DOMRect, lands: boolean): Pick<Flying, 'width' | 'height' | 'frames'> {
  const card = cardSize(a, b)
  const at = (box: DOMRect, scale: number, turn: number, lift = 0) => {
    const x = box.left + box.width / 2 - card.width / 2
    const y = box.top + box.height / 2 - card.height / 2 - lift
    return `translate(${x}px, ${y}px) scale(${scale}) rotate(${turn}deg)`
  }
  const start = Math.min(1, fit(a, card))
  const end = Math.min(lands ? 1.6 : 0.6, fit(b, card))
  const far = Math.hypot(b.left - a.left, b.top - a.top)
  const turn = Math.sign(b.left - a.left || 1) * Math.min(7, far / 40)
  const half = (one: number, other: number) => (one + other) / 2
  const middle = new DOMRect(
    half(a.left, b.left),
    half(a.top, b.top),
    half(a.width, b.width),
    half(a.height, b.height),
  )
  return {
    ...card,
    frames: [
      { transform: at(a, start, 0), opacity: 1 },
      { transform: at(middle, (start + end) / 2 + 0.06, turn, Math.min(24, far / 10)), opacity: 1 },
      { transform: at(b, end, 0), opacity: lands ? 1 : 0 },
    ],
  }
}

const fit = (box: DOMRect, card: { width: number; height: number }) =>
  Math.max(0.35, Math.min(box.width / card.width, box.height / card.height))

/** The size to draw at: the narrower end decides unless it is tiny, and never more than a large card. */
function cardSize(a: DOMRect, b: DOMRect): { width: number; height: number } {
  const narrow = [a, b].map((box) => Math.min(box.width, box.height / 1.4, 110))
  const width = Math.max(28, ...narrow)
  return { width, height: width * 1.4 }
}

/** The new view is on the table: what had landed and what was out of sight goes back to normal. */
export function settle(): void {
  release()
  stage.flying = []
  for (const node of hidden) node.style.visibility = ''
  hidden = []
}
