import type { Flight, GameEvent, View } from '~/lib/play'
import type { Thing } from './types'
import type { Table } from './view'

/** Milliseconds a roll, and the end of a turn, stay before the next thing happens. */
const ROLLING = 250
const ENDING = 700
const ENDINGS = new Set(['bust', 'no_new_face', 'burnt_out', 'stop_card', 'volle_lotte', 'clover_lotte', 'straight'])

/** What moves when an event is shown. The dice themselves roll on the screen; a pause lets them. */
export function flights(event: GameEvent, before: View<Table>): Flight[] {
  switch (event.type) {
    case 'card':
      return [fly('pile', 'card', { card: event.card as string })]
    case 'keep':
      return kept(event.dice as number[], before.table)
    case 'score':
      return [fly('turn', `seat:${event.seat}`, { points: event.points as number })]
    case 'roll':
    case 'straight_roll':
      return [fly('turn', 'turn', { pause: true }, ROLLING)]
    default:
      return ENDINGS.has(event.type) ? [fly('turn', 'turn', { pause: true }, ENDING)] : []
  }
}

function fly(from: string, to: string, face: Thing, delay = 0): Flight {
  return { from, to, face, delay }
}

function kept(dice: number[], { roll, aside }: Table): Flight[] {
  const taken: number[] = []
  return dice.map((die, i) => {
    const place = roll.findIndex((face, at) => face === die && !taken.includes(at))
    taken.push(place)
    return fly(`roll:${place}`, `aside:${aside.length + i}`, { die }, 60 * i)
  })
}
