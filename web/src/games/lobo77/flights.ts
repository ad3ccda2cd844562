/** What moves over the table when something happens in LOBO 77. */

import type { Flight, GameEvent, View } from '~/lib/play'
import type { Drawn } from './types'
import type { Table } from './view'

const HAND_SIZE = 5

export function flights(event: GameEvent, before: View<Table>, me: number | null): Flight[] {
  const seat = event.seat ?? null
  const table = before.table
  const place = seat === me && me !== null ? 'hand' : `seat:${seat}`
  const draws = (face: Drawn | undefined): Flight => ({ from: 'draw', to: place, face })
  switch (event.type) {
    case 'deal':
      return deal(table, seat ?? 0, me)
    case 'play': {
      const card = event.card as string
      const index = seat === me ? (table.hand ?? []).indexOf(card) : -1
      const from = index >= 0 ? `hand:${index}` : place
      const played: Flight = { from, to: 'played', face: { card } satisfies Drawn }
      return event.drew ? [played, { ...draws({ card: event.drew as string }), delay: 260 }] : [played]
    }
    case 'draw':
    case 'draw_empty':
      return [draws(event.card ? { card: event.card as string } : undefined)]
    case 'owes_two':
      return [{ from: 'played', to: `tokens:${seat}`, face: { owes: true } satisfies Drawn }]
    case 'reshuffle':
    case 'reshuffle_under':
      return [0, 1, 2, 3, 4].map((i) => ({ from: 'played', to: 'draw', delay: 70 * i }))
    case 'token':
    case 'last_token':
      return [{ from: `tokens:${seat}`, to: 'total', face: { token: 'token' } satisfies Drawn }]
    case 'swims':
      return [{ from: 'total', to: `tokens:${seat}`, face: { token: 'swim' } satisfies Drawn }]
    case 'sunk':
      return [{ from: `tokens:${seat}`, to: 'total', face: { token: 'swim' } satisfies Drawn }]
    case 'buried':
      return (event.cards as string[]).map((card, i) => ({
        from: place,
        to: 'played',
        face: { card } satisfies Drawn,
        delay: 80 * i,
      }))
    // Said in words and shown by the new view: who deals first, the new direction, who is out, how a round ended.
    default:
      return []
  }
}

/** Round the table, one card each, beginning left of the dealer. */
function deal(table: Table, dealer: number, me: number | null): Flight[] {
  const count = table.tokens.length
  const order = table.tokens.map((_, i) => (dealer + 1 + i) % count).filter((seat) => !table.out.includes(seat))
  return Array.from({ length: HAND_SIZE * order.length }, (_, i) => {
    const seat = order[i % order.length]!
    return { from: 'draw', to: seat === me ? 'hand' : `seat:${seat}`, delay: 35 * i }
  })
}
