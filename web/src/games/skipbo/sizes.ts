/** How large things are on the table of Skip-Bo: what the room allows, in rem of the table. */

import type { Shape } from '~/lib/room.svelte'

interface Given {
  room: { shape: Shape; width: number; height: number }
  others: number
  /** Whether there are buttons in the line that says what is to be done. */
  hasButtons: boolean
  /** Whether the score sheet can be opened, beside the piles in the middle. */
  hasSheet: boolean
}

export interface Sizes {
  /** How many of the others stand side by side. */
  columns: number
  /** The most strips of a discard pile of the others, and of one's own. */
  strips: number
  ownStrips: number
  /** The widths of the others' cards, of those in the middle and one's own piles, and of the hand. */
  other: number
  card: number
  hand: number
  /** Whether one's own name stands beside the piles instead of above them. */
  beside: boolean
}

const RATIO = 1.4
const STRIP = 0.8
const GAP = 0.5
/**
 * A name above the piles of the others; the own one; the number below a building pile; the line that says
 * what is to be done, which stands below the others on a low table, and with buttons in it.
 */
const NAME = 1.6
const OWN_NAME = 2.7
const NEXT = 1.75
const LINE = 1.5
const BUTTONS = 2.9
/** A name that stands beside piles. */
const BESIDE = 5.5
/** Edges and air around the own cards. */
const AIR = 3.8
/** Cards in a row: five, the middle ones and the own piles, which are one high each, and the hand, a bit more. */
const FIVE = 5.5
const HAND = 1.1
const HEIGHTS = RATIO * (2 + HAND)
const LARGEST = { other: 3.6, card: 7 }
/** The least that a finger finds, if the others' piles can be made shorter for it. */
const LEAST = 3.2
/** The part of a low table that is one's own, with the middle. */
export const OWN_PART = 0.56

export function sizes(given: Given): Sizes {
  const most = given.room.shape === 'wide' ? 3 : 2
  const tries = Array.from({ length: most }, (_, i) => fit(given, most - i))
  return tries.find(({ fits, card }) => fits && card >= LEAST) ?? tries.at(-1)!
}

function fit({ room, others, hasButtons, hasSheet }: Given, strips: number): Sizes & { fits: boolean } {
  const { shape, width, height } = room
  const isLow = shape === 'low'
  const line = hasButtons ? BUTTONS : LINE
  const columns = shape === 'wide' ? others : isLow ? 1 : Math.min(2, others)
  const rows = Math.ceil(others / columns)
  const across = (isLow ? width * (1 - OWN_PART) : width) - 2 * GAP
  const cell = (across - (columns - 1) * GAP) / columns - 0.75
  const hasNameAbove = columns > 1 || shape === 'wide'
  const name = shape === 'wide' ? OWN_NAME : hasNameAbove ? NAME : 0
  const other = Math.min(LARGEST.other, (cell - 1.25 - (hasNameAbove ? 0 : BESIDE + GAP)) / 5)
  const taken = rows * (RATIO * other + strips * STRIP + name + 2 * GAP)

  const own = isLow ? width * OWN_PART : width
  const left = height - (isLow ? 0 : taken) - NEXT - AIR - (isLow ? 0 : line)
  const above = Math.min((left - OWN_NAME) / HEIGHTS, (own - 2.5) / FIVE)
  const aside = Math.min((left - 2 * STRIP) / HEIGHTS, (own - 1.5 - BESIDE) / FIVE)
  const beside = aside > above
  const middle = (own - 1.5 - (hasSheet ? (shape === 'wide' ? 8 : 3.2) : 0)) / (FIVE + 0.2)
  const card = Math.min(LARGEST.card, middle, Math.max(above, aside))
  return {
    columns,
    strips,
    ownStrips: beside ? 2 : 3,
    other,
    card,
    hand: Math.min(card * HAND, (own - 1.5) / FIVE),
    beside,
    fits: taken + (isLow ? line : 0) <= height - 2 * GAP,
  }
}
