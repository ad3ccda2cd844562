/** What moves over the table when something happens in Skip-Bo. */

import type { Flight, GameEvent, View } from '~/lib/play'
import { pileSpot, targetSpot } from './moves'
import type { Drawn } from './types'
import type { Table } from './view'

const STEP = 90

export function flights(event: GameEvent, before: View<Table>, me: number | null): Flight[] {
  const seat = event.seat ?? 0
  const table = before.table
  const isMine = seat === me
  const home = isMine ? 'hand' : `seat:${seat}`
  const fromHand = (card: string) => {
    const index = isMine ? (table.hand ?? []).indexOf(card) : -1
    return index >= 0 ? `hand:${index}` : home
  }
  switch (event.type) {
    case 'deal':
      return table.stocks.flatMap((_, other) =>
        [0, 1, 2, 3].map((i) => ({ from: 'draw', to: `stock:${other}`, delay: 45 * (4 * i + other) })),
      )
    case 'draw': {
      const cards = event.cards as string[] | null
      return backs(Number(event.n), 'draw', home).map((flight, i) => {
        const card = cards?.[i]
        return card ? { ...flight, face: { card } satisfies Drawn } : flight
      })
    }
    case 'remake':
      return backs(5, 'aside', 'draw')
    case 'play':
    case 'play_early': {
      const card = event.card as string
      const source = event.source as string
      const from = source === 'hand' ? fromHand(card) : pileSpot(source, seat, table)
      return [{ from, to: `built:${event.place}`, face: { card, as: event.height as number } satisfies Drawn }]
    }
    case 'pile_done':
      return [{ from: `built:${event.place}`, to: 'aside', face: { card: '12' } satisfies Drawn }]
    case 'discard':
    case 'discard_early': {
      const card = event.card as string
      return [{ from: fromHand(card), to: `discard:${seat}:${event.pile}`, face: { card } satisfies Drawn }]
    }
    case 'called': {
      const [source = '', target = ''] = table.open_play?.move.split('>') ?? []
      const other = event.other as number
      const hand = other === me ? 'hand' : `seat:${other}`
      const to = /^p?(S|d\d)$/.test(source) ? pileSpot(source, other, table) : hand
      return [{ from: targetSpot(target, other), to, face: { card: event.card as string } satisfies Drawn }]
    }
    case 'spoke':
      return backs(Number(event.n), 'draw', `stock:${seat}`)
    case 'too_many':
      return backs(1, home, `stock:${seat}`)
    // Said in words and shown by the new view: the next stock card, an empty stock, ends of turns, rounds, the match.
    default:
      return []
  }
}

function backs(n: number, from: string, to: string): Flight[] {
  return Array.from({ length: n }, (_, i) => ({ from, to, delay: STEP * i }))
}
