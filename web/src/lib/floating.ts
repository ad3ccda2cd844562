/**
 * What floats over the page: a hint, a reason, a notice. It lies beside what it speaks of, closes with Escape (the newest
 * first), and gives the focus back to where it was.
 */

import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import { place, type Box } from './placing'

interface Floating {
  /** What it speaks of. */
  about: () => Iterable<Element>
  onclose: () => void
}

/** What lies open, the newest last. */
const open: { node: HTMLElement; close: () => void }[] = []
const EDGE = 8
/** What had better not be covered. */
const REST = 'header button, main :is(button, .card, .die, .seat, input)'

const boxOf = (node: Element): Box => node.getBoundingClientRect()
const isSeen = (node: Element) => node.checkVisibility() && node.getBoundingClientRect().width > 0

let pressed: Element | null = null
for (const kind of ['pointerdown', 'keydown'] as const) {
  addEventListener(kind, ({ target }) => (pressed = target instanceof Element ? target : null), true)
}

/** What was pressed last: a notice that comes of it speaks of it. */
export function lastPressed(): Element[] {
  const found = pressed?.closest('button, a, [role=button], [data-spot]')
  return found?.isConnected ? [found] : []
}

function escape(event: KeyboardEvent): void {
  const last = open.at(-1)
  if (event.key !== 'Escape' || !last || document.querySelector('dialog[open]')) return
  event.preventDefault()
  event.stopImmediatePropagation()
  last.close()
}

export function floating({ about, onclose }: Floating): Attachment<HTMLElement> {
  return (node) => {
    const one = { node, close: onclose }
    if (open.length === 0) addEventListener('keydown', escape, true)
    open.push(one)

    let frame = 0
    let known = ''
    const look = () => {
      frame = requestAnimationFrame(look)
      const others = open.slice(0, open.indexOf(one)).map((other) => other.node)
      const free = [...about(), ...others].filter((other) => other !== node && isSeen(other)).map(boxOf)
      const { innerWidth: width, innerHeight: height } = window
      const now = JSON.stringify([width, height, node.scrollHeight, node.scrollWidth, free])
      if (now === known) return
      known = now
      node.style.maxWidth = node.style.maxHeight = ''
      const room = { left: EDGE, top: EDGE, right: width - EDGE, bottom: height - EDGE }
      const rest = [...document.querySelectorAll(REST)].filter((other) => !node.contains(other)).map(boxOf)
      const found = place({ width: node.offsetWidth, height: node.offsetHeight }, room, free, rest)
      Object.assign(node.style, {
        left: `${found.left}px`,
        top: `${found.top}px`,
        maxWidth: `${found.width}px`,
        maxHeight: `${found.height}px`,
      })
    }
    untrack(look)

    let before: HTMLElement | null = null
    let isInside = false
    const enter = ({ relatedTarget }: FocusEvent) => {
      if (!isInside && relatedTarget instanceof HTMLElement) before = relatedTarget
      isInside = true
    }
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !node.contains(relatedTarget)) isInside = false
    }
    // A press takes the focus from where it was before it comes here.
    const press = () => {
      const active = document.activeElement
      if (!isInside && active instanceof HTMLElement && active !== document.body) before = active
    }
    node.addEventListener('focusin', enter)
    node.addEventListener('focusout', leave)
    node.addEventListener('pointerdown', press)

    return () => {
      cancelAnimationFrame(frame)
      open.splice(open.indexOf(one), 1)
      if (open.length === 0) removeEventListener('keydown', escape, true)
      const isLost = document.activeElement === document.body || node.contains(document.activeElement)
      if (isInside && isLost) (before?.isConnected ? before : document.querySelector<HTMLElement>('.page'))?.focus()
    }
  }
}
