/** Dragging cards of the own hand: onto each other, into groups, onto the pile and combinations. */

import type { Attachment } from 'svelte/attachments'

/** Where something is let go: the `data-drop` below the pointer, and whether on its right half. */
export interface Drop {
  to: string
  right: boolean
}

const START = 6

export class Dragging {
  /** The ids that are being dragged. */
  ids = $state.raw<number[]>([])
  /** The place below the pointer. */
  over = $state<string | null>(null)

  #ghost: HTMLElement | null = null
  #nodes = new Map<number, HTMLElement>()

  constructor(
    private together: (id: number) => number[],
    private drop: (ids: number[], drop: Drop, ghost: HTMLElement) => void,
  ) {}

  source(id: number): Attachment<HTMLElement> {
    return (node) => {
      this.#nodes.set(id, node)
      node.style.touchAction = 'none'
      let start: PointerEvent | null = null
      const down = (event: PointerEvent) => {
        if (event.button === 0) start = event
      }
      const move = (event: PointerEvent) => {
        if (!start || start.pointerId !== event.pointerId) return
        if (!this.#ghost) {
          if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < START) return
          node.setPointerCapture(event.pointerId)
          this.#lift(id, node, start)
        }
        this.#move(event)
      }
      const up = (event: PointerEvent) => {
        const isDrag = start !== null && this.#ghost !== null
        start = null
        if (!isDrag) return
        swallowClick(node)
        this.#letGo(event)
      }
      const still = (event: Event) => event.preventDefault()
      const names = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'dragstart'] as const
      const handlers = [down, move, up, up, still] as ((event: Event) => void)[]
      names.forEach((name, i) => node.addEventListener(name, handlers[i]!))
      return () => {
        names.forEach((name, i) => node.removeEventListener(name, handlers[i]!))
        if (this.#nodes.get(id) === node) this.#nodes.delete(id)
      }
    }
  }

  #lift(id: number, node: HTMLElement, start: PointerEvent): void {
    this.ids = this.together(id)
    const box = node.getBoundingClientRect()
    const ghost = document.createElement('div')
    ghost.inert = true
    Object.assign(ghost.style, { position: 'fixed', left: '0', top: '0', zIndex: '60', pointerEvents: 'none' })
    ghost.style.setProperty('--card-w', `${box.width}px`)
    this.ids.forEach((one, i) => {
      const card = (this.#nodes.get(one) ?? node).cloneNode(true) as HTMLElement
      card.removeAttribute('data-spot')
      card.removeAttribute('data-drop')
      Object.assign(card.style, { position: 'absolute', left: `${(i * box.width) / 3}px`, top: '0' })
      Object.assign(card.style, { transform: `rotate(${2 + i}deg)`, transition: 'none' })
      ghost.append(card)
    })
    Object.assign(ghost.style, { width: `${box.width}px`, height: `${box.height}px` })
    ghost.style.marginLeft = `${box.left - start.clientX}px`
    ghost.style.marginTop = `${box.top - start.clientY}px`
    document.body.append(ghost)
    this.#ghost = ghost
  }

  #move(event: PointerEvent): void {
    this.#ghost!.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`
    this.over = this.#below(event)?.dataset.drop ?? null
  }

  #below(event: PointerEvent): HTMLElement | null {
    const found = document.elementFromPoint(event.clientX, event.clientY)
    return found?.closest<HTMLElement>('[data-drop]') ?? null
  }

  #letGo(event: PointerEvent): void {
    const below = event.type === 'pointerup' ? this.#below(event) : null
    const ids = this.ids
    const ghost = this.#ghost!
    this.#ghost = null
    this.ids = []
    this.over = null
    if (below) {
      const box = below.getBoundingClientRect()
      this.drop(ids, { to: below.dataset.drop!, right: event.clientX > box.left + box.width / 2 }, ghost)
    }
    // Whoever plays the cards keeps the picture until they fly.
    if (!ghost.hasAttribute('data-kept')) ghost.remove()
  }
}

/** The click that a browser sends after a drag is no press. */
function swallowClick(node: HTMLElement): void {
  const stop = (event: Event) => {
    event.stopImmediatePropagation()
    event.preventDefault()
  }
  node.addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => node.removeEventListener('click', stop, { capture: true }), 50)
}
