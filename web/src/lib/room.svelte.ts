/**
 * The room that a table has, for its styles: `--cqi` and `--cqb` are a hundredth of its width and height, and `--rem` is
 * what a rem is on the table: more than the page's where there is plenty of room, so that everything on it grows alike. It
 * is measured here because inside a container of CSS (`container-type`) everything that changes is styled in several
 * passes, which takes some three times as long.
 */

import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'

/** One column; two columns, where it is low; or all round the table. */
export type Shape = 'tall' | 'low' | 'wide'

interface Size {
  width: number
  height: number
}

/** Rooms, in rem, in which things have their usual size; in more they grow. */
const USUAL: Size[] = [
  { width: 60, height: 45 },
  { width: 38, height: 56 },
]
const LOW = 28
const WIDE = 56

export function shapeOf(width: number, height: number): Shape {
  if (height < LOW && width > height) return 'low'
  return width >= WIDE && width > height ? 'wide' : 'tall'
}

export function scaleOf(width: number, height: number, usual = USUAL): number {
  return Math.max(1, ...usual.map((one) => Math.min(width / one.width, height / one.height)))
}

export class Room {
  #usual: Size[]
  /** In rem of the table. */
  width = $state(0)
  height = $state(0)
  /** What a rem of the table is in pixels. */
  rem = $state(16)
  readonly shape = $derived(shapeOf(this.width, this.height))

  /** The usual room, for a game that needs less than others. */
  constructor(...usual: Size[]) {
    this.#usual = usual.length ? usual : USUAL
  }

  /** Whether it is so many rem wide, and so many high. */
  fits(rem: number, high = 0): boolean {
    return this.width >= rem && this.height >= high
  }

  /** For an element that fills the room. Its sizes must not depend on what is in it. */
  measure: Attachment<HTMLElement> = (node) => {
    node.dataset.room = ''
    const look = () => {
      const { width, height } = node.getBoundingClientRect()
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
      const own = rem * scaleOf(width / rem, height / rem, this.#usual)
      this.rem = own
      this.width = width / own
      this.height = height / own
      node.style.setProperty('--rem', `${own}px`)
      node.style.setProperty('--cqi', `${width / 100}px`)
      node.style.setProperty('--cqb', `${height / 100}px`)
    }
    // At once, so that nothing is seen at another size.
    untrack(look)
    const observer = new ResizeObserver(look)
    observer.observe(node)
    return () => observer.disconnect()
  }
}
