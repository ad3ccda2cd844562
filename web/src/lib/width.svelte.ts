/**
 * How much room a table has, for its styles: `--cqi` and `--cqb` are a hundredth of its width and height, `--scale` is
 * how much larger than on a phone type and space may be (with the class `scaled`). It is measured here because inside
 * a container of CSS (`container-type`) everything that changes is styled in several passes, which takes some three
 * times as long. What is measured must not grow with what is in it.
 */

import type { Attachment } from 'svelte/attachments'

/** In so many rem by so many a table is drawn at its plain size; with more, larger, up to a limit. */
const [WIDE, HIGH, LARGEST] = [44, 32, 3]

export class Width {
  #wide = $state(0)
  #high = $state(0)

  /** Whether there is room for so many rem. */
  fits(wide: number, high = 0): boolean {
    return this.#wide >= wide && this.#high >= high
  }

  /** Whether it is low and wide: a phone on its side, or a page that was zoomed. */
  get isLow(): boolean {
    return this.#high > 0 && this.#high < 28 && this.#wide > this.#high
  }

  /** How much larger than on a phone type and space are. */
  get scale(): number {
    return Math.max(1, Math.min(this.#wide / WIDE, this.#high / HIGH, LARGEST))
  }

  measure: Attachment<HTMLElement> = (node) => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
      this.#wide = width / rem
      this.#high = height / rem
      node.style.setProperty('--cqi', `${width / 100}px`)
      node.style.setProperty('--cqb', `${height / 100}px`)
      node.style.setProperty('--scale', this.scale.toFixed(3))
    })
    observer.observe(node)
    return () => observer.disconnect()
  }
}
