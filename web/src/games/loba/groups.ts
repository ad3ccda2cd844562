/** A player's groups, read against what the server offers. */

import { countsOf, exactLays, partLay, runOrder, shapeOf, type Lay } from './moves'
import type { Counts, Meld } from './types'

export interface GroupView {
  key: number
  /** In the order in which the group would be laid. */
  ids: number[]
  shape: Meld['kind'] | null
  /** The laying it is, if the server offers it now. */
  lay: Lay | null
  /** How many ways there are to lay it. */
  ways: number
  /** Cards that would be added to the laying afterwards. */
  extra: string[]
}

interface Given {
  key: number
  ids: number[]
  cards: string[]
  way: number
}

/** `isDown`: more than a contract's exact combinations may be laid. */
export function readGroup(given: Given, lays: Lay[], isDown: boolean, anySuit: boolean): GroupView {
  const { key, ids, cards } = given
  const exact = exactLays(cards, lays)
  const lay = exact.length ? exact[given.way % exact.length]! : isDown ? partLay(cards, lays) : null
  const shape = shapeOf(cards, anySuit)
  const order = exact.length ? lay!.cards : ((shape === 'run' && runOrder(cards)) || cards)
  const free = cards.map((card, i) => ({ card, id: ids[i]! }))
  const sorted = order.map((card) => free.splice(free.findIndex((one) => one.card === card), 1)[0]!.id)
  const extra = [...cards]
  for (const card of lay?.cards ?? []) extra.splice(extra.indexOf(card), 1)
  return { key, ids: sorted, shape, lay, ways: exact.length, extra: lay ? extra : [] }
}

/** How much of a contract the groups look like. */
export function lookedFor(groups: GroupView[]): Counts {
  const sets = groups.filter(({ shape }) => shape === 'set')
  return {
    brelans: sets.reduce((sum, { ids }) => sum + (ids.length >= 6 ? 2 : 1), 0),
    quartes: groups.filter(({ shape }) => shape === 'run').length,
  }
}

/** Whether the layings are just what is needed. */
export function isComplete(groups: GroupView[], need: Counts): boolean {
  const counts = groups.flatMap(({ lay }) => (lay ? [countsOf(lay)] : []))
  return (
    counts.reduce((sum, { brelans }) => sum + brelans, 0) === need.brelans &&
    counts.reduce((sum, { quartes }) => sum + quartes, 0) === need.quartes
  )
}
