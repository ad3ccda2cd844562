/** Where something that floats over the page may lie: never over what it speaks of, and over as little else as it can. */

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Place {
  left: number
  top: number
  /** The most it may take there. */
  width: number
  height: number
}

const GAP = 8

function area({ left, top, right, bottom }: Box): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top)
}

export function shared(a: Box, b: Box): number {
  return area({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  })
}

/** What is left of the room above, below, left and right of what must stay free. */
function bands(room: Box, free: Box[]): Box[] {
  if (free.length === 0) return [room]
  const left = Math.min(...free.map((box) => box.left)) - GAP
  const top = Math.min(...free.map((box) => box.top)) - GAP
  const right = Math.max(...free.map((box) => box.right)) + GAP
  const bottom = Math.max(...free.map((box) => box.bottom)) + GAP
  return [
    { ...room, bottom: Math.min(room.bottom, top) },
    { ...room, top: Math.max(room.top, bottom) },
    { ...room, right: Math.min(room.right, left) },
    { ...room, left: Math.max(room.left, right) },
  ]
}

/** Nine places in a band: at its edges and in its middle. */
function places(band: Box, width: number, height: number): Box[] {
  const xs = [(band.left + band.right - width) / 2, band.left, band.right - width]
  const ys = [band.top, (band.top + band.bottom - height) / 2, band.bottom - height]
  return ys.flatMap((top) => xs.map((left) => ({ left, top, right: left + width, bottom: top + height })))
}

/**
 * The place for something of a size: in the part of the room that is left beside what must stay `free`, where it covers
 * the least of the `rest`. If it fits nowhere it takes the largest part, and has to be made smaller.
 */
export function place(size: { width: number; height: number }, room: Box, free: Box[], rest: Box[]): Place {
  const seen = free.filter((box) => shared(box, room) > 0)
  const all = bands(room, seen).map((band) => ({ band, width: band.right - band.left, height: band.bottom - band.top }))
  const fitting = all.filter(({ width, height }) => width >= size.width && height >= size.height)
  const chosen = fitting.length ? fitting : [all.toSorted((a, b) => area(b.band) - area(a.band))[0]!]
  let best: Place | null = null
  let least = Infinity
  for (const { band, width, height } of chosen) {
    for (const spot of places(band, Math.min(size.width, width), Math.min(size.height, height))) {
      const covered = rest.reduce((sum, box) => sum + shared(spot, box), 0)
      if (covered >= least) continue
      least = covered
      best = { left: spot.left, top: spot.top, width, height }
    }
  }
  return best!
}
