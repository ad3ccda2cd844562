/** What flies over the table of Double Lucky 7 while an event is shown. */

import type { Flight, GameEvent, View } from '~/lib/play'
import { stage } from '~/lib/stage.svelte'
import type { Table } from './view'

const DEAL_STEP = 45
/** About as long as a card flies. */
const FLIGHT = 400
/** So long a full trick lies on the table before it is collected. */
const TRICK_REST = 300

/** Where a seat's cards are held: one's own in the hand, the others' at the seat. */
function held(owner: number, reader: number | null, card?: string): string {
  if (owner !== reader) return `seat:${owner}`
  return card ? `hand:${card}` : 'hand'
}

function deal(event: GameEvent, seats: number, reader: number | null): Flight[] {
  const dealer = Number(event.seat)
  const own = Array.isArray(event.dealt) ? (event.dealt as string[]) : []
  const result: Flight[] = []
  for (let row = 0; row < Number(event.n); row++) {
    for (let step = 1; step <= seats; step++) {
      const to = (dealer + step) % seats
      const face = to === reader ? own[row] : undefined
      result.push({ from: 'deck', to: held(to, reader), face, delay: DEAL_STEP * result.length })
    }
  }
  result.push({ from: 'deck', to: 'turned', face: event.card, delay: DEAL_STEP * result.length + 150 })
  return result
}

/** The card that completes a trick: it is not yet in the view when the trick is taken. */
let completing: { seat: number; card: string } | null = null

function play(seat: number, card: string, before: View<Table>, reader: number | null): Flight[] {
  completing = { seat, card }
  const flight = { from: held(seat, reader, card), to: `trick:${seat}`, face: card }
  const isLast = before.table.trick.filter(Boolean).length === before.table.trick.length - 1
  // Nothing flies from `rest` to `rest`: it is the time to look at the trick.
  return isLast ? [flight, { from: 'rest', to: 'rest', face: null, delay: FLIGHT + TRICK_REST }] : [flight]
}

function collect(winner: number, before: View<Table>): Flight[] {
  // The card that has just landed is taken along.
  stage.flying = []
  const rest = [...before.table.trick]
  if (completing) rest[completing.seat] ??= completing.card
  return rest.flatMap((face, seat) =>
    face ? [{ from: `trick:${seat}`, to: `tricks:${winner}`, face }] : [],
  )
}

export function flights(event: GameEvent, before: View<Table>, reader: number | null): Flight[] {
  const seats = before.table.trick.length
  const seat = Number(event.seat)
  switch (event.type) {
    case 'first_dealer':
      return (event.drawn as string[]).map((face, to) => ({ from: 'deck', to: `trick:${to}`, face, delay: 80 * to }))
    case 'deal':
      return deal(event, seats, reader)
    case 'play':
      return play(seat, String(event.card), before, reader)
    case 'trick':
      return collect(seat, before)
    default:
      // A trump, a bid, a forfeit, the end of a round or of the match: said, not flown.
      return []
  }
}
