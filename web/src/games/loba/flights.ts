/** What flies over the table of Loba while an event is shown. */

import type { Flight, GameEvent, View } from '~/lib/play'
import { endOf } from './moves'
import { JOKER } from './types'
import type { Table } from './view'

const DEAL_STEP = 40
/** So many rounds of the deal are shown, of the eleven there are. */
const DEAL_ROWS = 4

/** Where cards of a hand start from: one's own where they lie, the second of two equal ones too. */
function fromHand(owner: number, reader: number | null, card: string, copy = 1): string {
  if (owner !== reader) return `seat:${owner}`
  return copy > 1 ? `hand:${card}:${copy}` : `hand:${card}`
}

function toHand(owner: number, reader: number | null): string {
  return owner === reader ? 'hand' : `seat:${owner}`
}

function deal(event: GameEvent, seats: number, reader: number | null): Flight[] {
  const own = Array.isArray(event.dealt) ? (event.dealt as string[]) : []
  const result: Flight[] = []
  for (let row = 0; row < DEAL_ROWS; row++) {
    for (let step = 1; step <= seats; step++) {
      const to = (Number(event.seat) + step) % seats
      const face = to === reader ? own[row] : undefined
      result.push({ from: 'stock', to: toHand(to, reader), face, delay: DEAL_STEP * result.length })
    }
  }
  result.push({ from: 'stock', to: 'pile', face: event.card, delay: DEAL_STEP * result.length + 120 })
  return result
}

function lay(event: GameEvent, reader: number | null): Flight[] {
  const seen = new Map<string, number>()
  return (event.cards as string[]).map((card, i) => {
    const copy = (seen.get(card) ?? 0) + 1
    seen.set(card, copy)
    const from = fromHand(Number(event.seat), reader, card, copy)
    return { from, to: `meld:${event.meld}:${i}`, face: card, delay: 70 * i }
  })
}

function add(event: GameEvent, before: View<Table>, reader: number | null): Flight[] {
  const number = Number(event.meld)
  const card = String(event.card)
  const meld = before.table.melds[number - 1]
  const from = fromHand(Number(event.seat), reader, card)
  if (event.type === 'shift' && meld) {
    // The card takes the joker's place, and the joker moves one place outwards.
    const place = meld.cards.indexOf(JOKER)
    const end = place === 0 ? 'low' : 'high'
    return [
      { from, to: `meld:${number}:${place}`, face: card },
      { from: `meld:${number}:${place}`, to: `meld:${number}:${end}`, face: JOKER, delay: 250 },
    ]
  }
  return [{ from, to: `meld:${number}:${endOf(meld, card, String(event.end ?? ''))}`, face: card }]
}

export function flights(event: GameEvent, before: View<Table>, reader: number | null): Flight[] {
  const seat = Number(event.seat)
  const card = event.card as string | null | undefined
  switch (event.type) {
    case 'deal':
      return deal(event, before.table.hand_sizes.length, reader)
    case 'draw':
      return [{ from: 'stock', to: toHand(seat, reader), face: card ?? undefined }]
    case 'take':
      return [{ from: 'pile', to: toHand(seat, reader), face: card }]
    case 'lay':
      return lay(event, reader)
    case 'add':
    case 'shift':
      return add(event, before, reader)
    case 'drop':
    case 'last_drop':
      return [{ from: fromHand(seat, reader, String(card)), to: 'pile', face: card }]
    case 'reshuffle':
      return [0, 1, 2, 3].map((i) => ({ from: 'pile', to: 'stock', delay: 90 * i }))
    default:
      // The first dealer, a contract completed, the end of a round or of the match: said, not flown.
      return []
  }
}
