/** How large the cards of Loba are: the hand, and the combinations on the table, as the room allows. */

import type { Shape } from '~/lib/room.svelte'

interface Given {
  /** The room of the table, in its rem; of a low one the part for the hand. */
  room: { shape: Shape; width: number; height: number }
  others: number
  /** How many cards each group holds, and how many lie loose. */
  groups: number[]
  loose: number
}

export interface HandSizes {
  /** The width of a card, in rem of the table. */
  card: number
  /** From one loose card to the next; less than a card where they overlap. */
  step: number
  /** What the others take, in columns. */
  columns: number
}

const RATIO = 1.4
const GAP = 0.2
const SMALLEST = 2
const LARGEST = 6.8
/** What a group needs beside its cards, and how far its cards reach over each other. */
const GROUP = { width: 1.1, height: 2.9, step: 0.55, gap: 0.5 }
/** How much of a card is seen at least where they overlap. */
const SEEN = { tall: 0.72, low: 0.72, wide: 0.5 }
/** The least for the combinations. */
const MELDS = { tall: 6.5, low: 0, wide: 15 }
const SEAT = 3.2
const PILES = 5
const TOOLS = 3.6
const AIR = 3.5
/** The part of a low table that the hand has. */
export const OWN_PART = 0.52

export function handSizes({ room, others, groups, loose }: Given): HandSizes {
  const { shape } = room
  const columns = shape === 'wide' ? others : 2
  const width = (shape === 'low' ? room.width * OWN_PART : room.width) - (shape === 'wide' ? 2 : 1)
  const above = shape === 'low' ? 2.2 : Math.ceil(others / columns) * SEAT + MELDS[shape] + AIR
  const height = room.height - TOOLS - above - (shape === 'tall' ? PILES : 0)
  const inRow = shape === 'wide' ? loose : Math.min(Math.max(6, Math.ceil(loose / 2)), loose)
  const rows = inRow ? Math.ceil(loose / inRow) : 1

  const fits = (card: number): boolean => {
    const grouped = flow(
      groups.map((num) => card * (1 + GROUP.step * (num - 1)) + GROUP.width),
      width,
      GROUP.gap,
    )
    const tall = grouped * (RATIO * card + GROUP.height + GROUP.gap) + rows * (RATIO * card + GAP)
    return tall <= height && card * (1 + SEEN[shape] * (inRow - 1)) <= width
  }
  const card = largest(SMALLEST, LARGEST, fits)
  const step = inRow > 1 ? Math.min(card + GAP, (width - card) / (inRow - 1)) : card + GAP
  return { card, step, columns }
}

/** How large the cards of the combinations can be in an area, all in the same unit. */
export function meldSize(area: { width: number; height: number }, melds: number[], rem: number): number {
  const fits = (card: number): boolean => {
    const rows = flow(
      melds.map((num) => card * (1 + 0.58 * (num - 1)) + 1.9 * rem),
      area.width,
      0.375 * rem,
    )
    return rows * (Math.max(2.5 * rem, RATIO * card + 0.9 * rem) + 0.375 * rem) <= area.height + 0.375 * rem
  }
  return largest(1.1 * rem, 4.2 * rem, fits)
}

/** In how many rows things of these widths lie, one after the other. */
function flow(widths: number[], width: number, gap: number): number {
  let [rows, used] = [0, Infinity]
  for (const one of widths) {
    if (used + one > width) [rows, used] = [rows + 1, 0]
    used += one + gap
  }
  return rows
}

/** The largest size that fits; the smallest if none does. */
function largest(low: number, high: number, fits: (size: number) => boolean): number {
  if (fits(high)) return high
  let [small, large] = [low, high]
  for (let i = 0; i < 12; i++) {
    const size = (small + large) / 2
    if (fits(size)) small = size
    else large = size
  }
  return small
}
