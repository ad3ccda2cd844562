/**
 * How a move is made by hand: tap a card, and a place if there are several; drag one onto the other; or use the keyboard.
 * A card that goes somewhere by itself is taken up instead if it is held for a moment, or with Shift and Enter.
 */

import type { Attachment } from 'svelte/attachments'
import type { Play } from './play'
import { expect, release } from './stage.svelte'

/** How a card or pile stands out. `dim` things can still be pressed: they say why they are no move. */
export type Look = 'plain' | 'legal' | 'picked' | 'dim' | 'hinted'

/** A legal move as a gesture: from a spot to a spot. With an empty `to`, or the same, one press is enough. */
export interface Option {
  move: string
  from: string
  to: string
}

/** What `Picking` needs of a match. */
type Hand = Pick<Play, 'canPlay' | 'hinted' | 'play' | 'why'> & { view?: { ply: number; legal: unknown[] } }

/** Pixels a pointer moves before a press becomes a drag. */
const DRAG_START = 6
/** Milliseconds a pointer rests on a card until it is taken up. */
const HOLD = 450
/** Milliseconds after a move in which a second tap is taken for the end of a double one. */
const TWICE = 300
const POINTER = ['pointermove', 'pointerup', 'pointercancel'] as const

export class Picking {
  /** Gives the move to ask `play.why` about when a spot is pressed that is no move now. */
  whyNot?: (spot: string, picked: string | null) => string | null
  /** What a press plays at once: by default the only move there is. */
  choose: (options: Option[]) => Option | null = (options) => (options.length === 1 ? options[0]! : null)
  /** The target under the card that is being dragged. */
  over = $state<string | null>(null)

  #play: Hand
  #list: () => Option[]
  #raw = $state<string | null>(null)
  /** When the last move was made here, and after how many moves of the match. */
  #went = { at: -Infinity, ply: 0 }
  #targetNodes = new Map<string, HTMLElement>()
  #sourceNodes = new Map<string, HTMLElement>()
  #options = $derived.by(() => this.#offered())
  #picked = $derived(this.#options.some((option) => option.from === this.#raw) ? this.#raw : null)
  #targets = $derived(new Set(this.#fitting(this.#picked).map((option) => option.to)))

  /** Made while a component is set up, since it listens to the keyboard as long as that lives. */
  constructor(play: Hand, options: () => Option[]) {
    this.#play = play
    this.#list = options
    $effect(() => {
      // A move that was refused: what was dropped goes home.
      if (play.canPlay) release()
    })
    $effect(() => {
      const onKey = (event: KeyboardEvent) => this.#key(event)
      window.addEventListener('keydown', onKey)
      return () => window.removeEventListener('keydown', onKey)
    })
  }

  /** The spot that was taken up and waits for its target. */
  get picked(): string | null {
    return this.#picked
  }

  /** Where what is picked may go. */
  get targets(): Set<string> {
    return this.#targets
  }

  look(spot: string): Look {
    if (!this.#play.canPlay) return 'plain'
    const picked = this.#picked
    if (picked === spot) return 'picked'
    const hint = this.#options.find((option) => option.move === this.#play.hinted)
    if (hint && (hint.from === spot || hint.to === spot)) return 'hinted'
    const isSource = this.#options.some((option) => option.from === spot)
    if (picked !== null) return this.#targets.has(spot) ? 'legal' : isSource ? 'plain' : 'dim'
    if (isSource) return 'legal'
    return this.#options.some((option) => option.to === spot) ? 'plain' : 'dim'
  }

  /** A tap or the Enter key: play what fits in one place only, take up what fits in several, put down on a target. */
  press(spot: string): void {
    const picked = this.#picked
    // A move is on its way or being shown: a press that comes too soon needs no explanation.
    if (!this.#play.canPlay && this.#play.view?.legal.length) return
    if (picked !== null && picked !== spot && this.#targets.has(spot)) {
      // The keyboard goes on where the card came from, not where it went.
      this.#sourceNodes.get(picked)?.focus({ preventScroll: true })
      this.#put(picked, spot)
    } else if (this.#options.some((option) => option.from === spot)) {
      const option = picked === spot ? null : this.choose(this.#fitting(spot))
      if (option && this.#isTwice(option)) return
      if (option) this.#go(option)
      else if (picked === spot) this.drop()
      else this.take(spot)
    } else {
      const move = this.whyNot?.(spot, picked)
      if (move) this.#play.why(move)
    }
  }

  /** Take something up, to be put where one likes. */
  take(spot: string): void {
    this.#raw = spot
  }

  /** Put what is picked back where it was. */
  drop(): void {
    this.#raw = null
    this.over = null
  }

  /** Makes an element draggable from this spot. */
  source(spot: string): Attachment<HTMLElement> {
    return (node) => {
      this.#sourceNodes.set(spot, node)
      const stop = this.#draggable(node, spot)
      return () => {
        stop()
        if (this.#sourceNodes.get(spot) === node) this.#sourceNodes.delete(spot)
      }
    }
  }

  /** Makes an element a place to drop on. */
  target(spot: string): Attachment<HTMLElement> {
    return (node) => {
      this.#targetNodes.set(spot, node)
      // While it waits for what is picked, a place that is no button otherwise is one for the keyboard.
      const isPlain = !node.matches('button') && !node.querySelector('button')
      $effect(() => {
        if (!isPlain || !this.#targets.has(spot)) return
        node.tabIndex = 0
        node.role = 'button'
        return () => {
          node.removeAttribute('tabindex')
          node.role = null
        }
      })
      return () => {
        if (this.#targetNodes.get(spot) === node) this.#targetNodes.delete(spot)
      }
    }
  }

  /** Both: a pile to take from and to put on. */
  both(spot: string): Attachment<HTMLElement> {
    return (node) => {
      const stops = [this.source(spot)(node), this.target(spot)(node)]
      return () => stops.forEach((stop) => stop?.())
    }
  }

  #offered(): Option[] {
    return this.#play.canPlay ? this.#list() : []
  }

  #fitting(spot: string | null): Option[] {
    return spot === null ? [] : this.#options.filter((option) => option.from === spot)
  }

  #put(from: string, to: string): void {
    const option = this.#options.find((one) => one.from === from && one.to === to)
    if (option) this.#go(option)
  }

  #go(option: Option, ghost?: HTMLElement): void {
    this.drop()
    this.#went = { at: performance.now(), ply: this.#play.view?.ply ?? 0 }
    expect(option.from, option.to, ghost)
    this.#play.play(option.move)
  }

  /** The second half of a double tap, which may hit what has just moved up. Cards are drawn as fast as one likes. */
  #isTwice({ to }: Option): boolean {
    const others = (this.#play.view?.ply ?? 0) - this.#went.ply > 1
    return to !== 'hand' && !others && performance.now() - this.#went.at < TWICE
  }

  #key(event: KeyboardEvent): void {
    const picked = this.#picked
    if (event.key === 'Enter' && event.shiftKey) {
      const held = [...this.#sourceNodes].find(([, node]) => node === document.activeElement)?.[0]
      if (held === undefined || !this.#fitting(held).length) return
      event.preventDefault()
      return this.take(held)
    }
    if (picked === null) return
    const here = [...this.#targets].find((spot) => this.#targetNodes.get(spot) === document.activeElement)
    if (event.key === 'Enter' && here !== undefined && !document.activeElement!.matches('button')) {
      event.preventDefault()
      return this.press(here)
    }
    if (event.key === 'Escape') {
      event.preventDefault()
      this.drop()
      this.#sourceNodes.get(picked)?.focus()
      return
    }
    // From what is picked the next stop of the Tab key is where it may go.
    if (event.key === 'Tab' && !event.shiftKey && this.#sourceNodes.get(picked) === document.activeElement) {
      const first = [...this.#targets].flatMap((spot) => this.#targetNodes.get(spot) ?? [])[0]
      if (!first) return
      event.preventDefault()
      return first.focus()
    }
    const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1 }
    if (here !== undefined) Object.assign(steps, { ArrowRight: 1, ArrowLeft: -1 })
    const step = steps[event.key]
    if (step === undefined) return
    const nodes = [...this.#targets].flatMap((spot) => this.#targetNodes.get(spot) ?? [])
    if (!nodes.length) return
    event.preventDefault()
    const at = nodes.indexOf(document.activeElement as HTMLElement)
    nodes[at < 0 ? (step > 0 ? 0 : nodes.length - 1) : (at + step + nodes.length) % nodes.length]!.focus()
  }

  /** Pointer events of one source: a press stays a press until the pointer has moved a little. */
  #draggable(node: HTMLElement, spot: string): () => void {
    const stopTouch = $effect.root(() => {
      $effect(() => {
        node.style.touchAction = this.#fitting(spot).length ? 'none' : ''
      })
    })
    let drag: Drag | null = null
    let start: PointerEvent | null = null
    let hold: ReturnType<typeof setTimeout> | undefined
    let isHeld = false
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || start || !this.#fitting(spot).length) return
      start = event
      isHeld = false
      hold = setTimeout(() => {
        isHeld = this.#fitting(spot).length > 0
        if (isHeld) this.take(spot)
      }, HOLD)
      for (const name of POINTER) window.addEventListener(name, follow)
    }
    const follow = (event: PointerEvent) => {
      if (!start || event.pointerId !== start.pointerId) return
      if (event.type !== 'pointermove') return up(event)
      if (!drag) {
        if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < DRAG_START) return
        if (!this.#fitting(spot).length) return end()
        clearTimeout(hold)
        this.take(spot)
        drag = new Drag(node, start)
      }
      drag.move(event)
      this.over = this.#under(event)
    }
    const up = (event: PointerEvent) => {
      const dragged = drag
      const to = this.over
      drag = null
      end()
      if (dragged || isHeld) swallowClick()
      if (!dragged) return
      const option = this.#options.find((one) => one.from === spot && one.to === to)
      this.drop()
      if (event.type === 'pointerup' && option) this.#go(option, dragged.ghost)
      else dragged.back()
    }
    const end = () => {
      clearTimeout(hold)
      for (const name of POINTER) window.removeEventListener(name, follow)
      start = null
      drag?.back()
      drag = null
    }
    const still = (event: Event) => event.preventDefault()
    // A finger that rests here takes the card up: it asks for no menu.
    const menu = (event: Event) => start?.pointerType === 'touch' && event.preventDefault()
    node.addEventListener('pointerdown', down)
    node.addEventListener('dragstart', still)
    node.addEventListener('contextmenu', menu)
    return () => {
      stopTouch()
      end()
      node.removeEventListener('pointerdown', down)
      node.removeEventListener('dragstart', still)
      node.removeEventListener('contextmenu', menu)
    }
  }

  /** The allowed target at the pointer, with some room around it for thumbs. */
  #under(event: PointerEvent): string | null {
    let best: string | null = null
    let nearest = 28
    for (const spot of this.#targets) {
      const box = this.#targetNodes.get(spot)?.getBoundingClientRect()
      if (!box) continue
      const dx = Math.max(box.left - event.clientX, 0, event.clientX - box.right)
      const dy = Math.max(box.top - event.clientY, 0, event.clientY - box.bottom)
      const far = Math.hypot(dx, dy)
      if (far < nearest) {
        nearest = far
        best = spot
      }
    }
    return best
  }
}

/** The picture of a card under the pointer, while the card itself is out of sight. */
class Drag {
  ghost: HTMLElement
  #dx: number
  #dy: number

  constructor(
    private node: HTMLElement,
    start: PointerEvent,
  ) {
    const box = node.getBoundingClientRect()
    this.#dx = start.clientX - box.left
    this.#dy = start.clientY - box.top
    this.ghost = node.cloneNode(true) as HTMLElement
    this.ghost.removeAttribute('data-spot')
    this.ghost.setAttribute('aria-hidden', 'true')
    this.ghost.inert = true
    Object.assign(this.ghost.style, {
      position: 'fixed',
      left: '0',
      top: '0',
      margin: '0',
      zIndex: '60',
      width: `${node.offsetWidth}px`,
      height: `${node.offsetHeight}px`,
      pointerEvents: 'none',
      transition: 'none',
    })
    this.ghost.style.setProperty('--card-w', `${node.offsetWidth}px`)
    document.body.append(this.ghost)
    node.style.opacity = '0'
    this.move(start)
  }

  move(event: PointerEvent): void {
    this.ghost.style.transform = `translate(${event.clientX - this.#dx}px, ${event.clientY - this.#dy}px) rotate(2deg)`
  }

  /** Glide home. */
  back(): void {
    const box = this.node.getBoundingClientRect()
    const home = { transform: `translate(${box.left}px, ${box.top}px)` }
    const glide = this.ghost.animate([home], { duration: 140, easing: 'ease-out', fill: 'forwards' })
    const done = () => {
      this.ghost.remove()
      this.node.style.opacity = ''
    }
    glide.finished.then(done, done)
  }
}

/** The click that a browser sends after a drag is no press. */
function swallowClick(): void {
  const stop = (event: Event) => {
    event.stopImmediatePropagation()
    event.preventDefault()
  }
  window.addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', stop, { capture: true }), 50)
}
