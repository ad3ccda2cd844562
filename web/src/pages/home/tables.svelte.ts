/** The tables this device has a part in, as they stand: those to go on with, and those that are over. */

import * as api from '~/lib/api'
import { lang } from '~/lib/i18n.svelte'
import { forget, mine, remember, type MyTable } from '~/lib/mine'
import type { Shown } from '~/lib/protocol'

export interface Row {
  id: string
  game: string
  address: string
  people: string
  state: 'turn' | 'playing' | 'waiting' | 'over' | 'pad'
}

const MOST = 6
const GONE = new Set(['unknown_table', 'not_allowed'])
const ORDER = { turn: 0, playing: 1, waiting: 2, pad: 3, over: 4 }

export class Tables {
  /** Those to go on with, where one is awaited first; null until the server has told. */
  going = $state.raw<Row[] | null>(null)
  over = $state.raw<Row[]>([])

  async load(): Promise<void> {
    const found = await Promise.all(mine().slice(0, 2 * MOST).map(look))
    const rows = found.filter((row) => row !== null).sort((a, b) => ORDER[a.state] - ORDER[b.state])
    this.going = rows.filter((row) => row.state !== 'over').slice(0, MOST)
    this.over = rows.filter((row) => row.state === 'over').slice(0, MOST)
  }

  drop(row: Row): void {
    forget(row.id)
    this.going = (this.going ?? []).filter((other) => other.id !== row.id)
    this.over = this.over.filter((other) => other.id !== row.id)
  }
}

async function look(known: MyTable): Promise<Row | null> {
  try {
    return read(known, await api.showTable(known.id))
  } catch (problem) {
    if (problem instanceof api.Problem && GONE.has(problem.code)) forget(known.id)
    return null
  }
}

function read(known: MyTable, { table, view, seat }: Shown): Row {
  const isPad = table.kind === 'pad'
  const isOver = table.status === 'over'
  remember({ id: table.id, game: table.game, kind: isPad ? 'pad' : 'match', at: known.at, over: isOver })
  const people = table.seats.flatMap((one, i) => (one.name && i !== seat ? [one.name] : []))
  const isMine = seat !== null && seat !== undefined && view?.actor === seat
  const state = isPad ? 'pad' : table.status === 'playing' ? (isMine ? 'turn' : 'playing') : table.status
  return {
    id: table.id,
    game: table.game,
    address: `${isPad ? '/pad' : '/t'}/${table.id}`,
    people: table.title || new Intl.ListFormat(lang()).format(people),
    state: state as Row['state'],
  }
}

/** How many there may be to go on with, so that nothing jumps once the server has told. */
export function expected(): number {
  return Math.min(MOST, mine().filter((one) => !one.over).length)
}
