/** How large the cards of Loba are: the hand, and the combinations on the table, as the room allows. */

import type { Shape } from '~/lib/room.svelte'

interface Given {
  /** The room of the table, in its rem; of a low one the part for the hand. */
  room: { shape: Shape; width: number; height: number }
  others: number
  /** How many cards each combination on the table holds, and each group of the hand, and how many are loose. */
  melds: number[]
  groups: number[]
  loose: number
}

export interface HandSizes {
  /** The width of a card, in rem of the table. */
  card: number
  /** From one loose card to the next; less than a card where they overlap. */
  step: number
  /** How much of the height of a card is seen where another row lies over it. */
  seen: number
  /** How many of the others stand side by side. */
  columns: number
}

const RATIO = 1.4
const GAP = 0.2
const SMALLEST = 2
const LARGEST = 7.4
/** Cards of about this width are large enough: rows lie over each other only for less. */
const GOOD = 3.7
/** What a group needs beside its cards, and how far its cards reach over each other. */
const GROUP = { width: 1.1, height: 2.9, step: 0.55, gap: 0.5 }
/** How much of a card is seen at least where cards overlap; and where rows do. */
const SEEN = { tall: 0.72, low: 0.72, wide: 0.5 }
const ROWS_SEEN = [1, 0.8, 0.62]
/** What a combination needs beside its cards. */
const MELD = { width: 1.9, height: 0.9, least: 2.5, step: 0.58, gap: 0.375, smallest: 1.2, largest: 5 }
/** The least for all combinations. */
const MELDS = { tall: 4, low: 0, wide: 15 }
const SEAT = 3.2
/** The piles of a tall table: their cards, at least, and the share of its height that they are wide. */
const PILES = { card: 3.1, share: 0.08, air: 0.7 }
/** The line that says what is to be done, and buttons in one row, or in two where nothing else can give way. */
const TOOLS = { tall: 5.1, low: 7.5, wide: 5.4 }
/** A card that is taken up rises. */
const RISE = 0.22
const AIR = 3.5
/** The part of a low table that the hand has. */
export const OWN_PART = 0.52

export function handSizes({ room, others, melds, groups, loose }: Given): HandSizes {
  const { shape } = room
  const columns = shape === 'wide' ? others : 2
  const width = (shape === 'low' ? room.width * OWN_PART : room.width) - (shape === 'wide' ? 2 : 1)
  const piles = Math.max(PILES.card, room.height * PILES.share) * RATIO + PILES.air
  const laid = Math.max(MELDS[shape], meldRows(melds, MELD.smallest, width, 1) * (MELD.least + MELD.gap))
  const above = Math.ceil(others / columns) * SEAT + laid + AIR + (shape === 'tall' ? piles : 0)
  const height = room.height - TOOLS[shape] - (shape === 'low' ? 1.5 : above)
  const inRow = shape === 'wide' ? loose : Math.min(Math.max(6, Math.ceil(loose / 2)), loose)
  const rows = inRow ? Math.ceil(loose / inRow) : 1

  const fits = (card: number, seen: number): boolean => {
    const grouped = flow(
      groups.map((num) => card * (1 + GROUP.step * (num - 1)) + GROUP.width),
      width,
      GROUP.gap,
    )
    const hand = ((rows - 1) * seen + 1) * RATIO * card + rows * GAP + RISE * card
    const tall = grouped * (RATIO * card + GROUP.height + GROUP.gap) + hand
    return tall <= height && card * (1 + SEEN[shape] * (inRow - 1)) <= width
  }
  const tries = ROWS_SEEN.map((seen) => ({ seen, card: largest(SMALLEST, LARGEST, (card) => fits(card, seen)) }))
  const { card, seen } = tries.find(({ card }) => card >= GOOD) ?? tries.at(-1)!
  const step = inRow > 1 ? Math.min(card + GAP, (width - card) / (inRow - 1), width / inRow) : card + GAP
  return { card, step, seen, columns }
}

/** How large the cards of the combinations can be in an area, in pixels, of which a rem of the table has so many. */
export function meldSize(area: { width: number; height: number }, melds: number[], rem: number): number {
  const fits = (card: number): boolean => {
    const row = Math.max(MELD.least * rem, RATIO * card + MELD.height * rem) + MELD.gap * rem
    return meldRows(melds, card, area.width, rem) * row <= area.height + MELD.gap * rem
  }
  return largest(MELD.smallest * rem, MELD.largest * rem, fits)
}

function meldRows(melds: number[], card: number, width: number, rem: number): number {
  const widths = melds.map((num) => card * (1 + MELD.step * (num - 1)) + MELD.width * rem)
  return flow(widths, width, MELD.gap * rem)
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
