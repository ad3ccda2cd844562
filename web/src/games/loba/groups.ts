/** A player's groups, read against what the server tells of the hand and offers. */

import { exactLays, partLay, shapeOf, sumOf, type Lay } from './moves'
import { without, type Combination, type Counts } from './types'

export interface GroupView {
  key: number
  /** In the order in which the group would be laid. */
  ids: number[]
  /** What it looks like. */
  shape: Combination | null
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

/** What the server says of the hand: all it has, what may be laid, whether more may be added then. */
interface Hand {
  combinations: Combination[]
  lays: Lay[]
  canAdd: boolean
}

export function readGroup({ key, ids, cards, way }: Given, { combinations, lays, canAdd }: Hand): GroupView {
  const exact = exactLays(cards, lays)
  const shape = shapeOf(cards, combinations)
  const alike = canAdd ? lays.filter(({ kind }) => kind === shape?.kind) : []
  const lay = exact[way % exact.length] ?? partLay(cards, alike)
  const first = lay ?? shape
  const rest = first ? without(cards, first.cards)! : cards
  const free = cards.map((card, i) => ({ card, id: ids[i]! }))
  const sorted = [...(first?.cards ?? []), ...rest].map(
    (card) => free.splice(free.findIndex((one) => one.card === card), 1)[0]!.id,
  )
  return { key, ids: sorted, shape, lay, ways: exact.length, extra: lay ? rest : [] }
}

/** How much of a contract the groups look like. */
export function lookedFor(groups: GroupView[]): Counts {
  return sumOf(groups.flatMap(({ shape }) => shape ?? []))
}

/** Whether the layings are just what is needed. */
export function isComplete(groups: GroupView[], need: Counts): boolean {
  const { brelans, quartes } = sumOf(groups.flatMap(({ lay }) => lay ?? []))
  return brelans === need.brelans && quartes === need.quartes
}
