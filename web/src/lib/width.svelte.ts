/**
 * How wide a table is, for its styles: `--cqi` is a hundredth of it. It is measured here because inside a container of
 * CSS (`container-type`) everything that changes is styled in several passes, which takes some three times as long.
 */

import type { Attachment } from 'svelte/attachments'

export class Width {
  #rem = $state(0)

  /** Whether there is room for so many rem. */
  fits(rem: number): boolean {
    return this.#rem >= rem
  }

  measure: Attachment<HTMLElement> = (node) => {
    const observer = new ResizeObserver(([entry]) => {
      const px = entry!.contentRect.width
      this.#rem = px / parseFloat(getComputedStyle(document.documentElement).fontSize)
      node.style.setProperty('--cqi', `${px / 100}px`)
    })
    observer.observe(node)
    return () => observer.disconnect()
  }
}
