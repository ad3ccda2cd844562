/** The server's legal moves, read as what can be done with cards of the hand. */

import type { LegalMove } from '~/lib/play'
import { JOKER, RANKS, rankIndex, sameCards, suitOf, without, type Counts, type Meld } from './types'

export interface Lay {
  move: string
  cards: string[]
}

export interface Add {
  move: string
  label: string
  card: string
  meld: number
  end: string
}

export function laysOf(legal: LegalMove[]): Lay[] {
  return legal.flatMap(({ move }) => (move.startsWith('lay ') ? [{ move, cards: move.slice(4).split(' ') }] : []))
}

export function addsOf(legal: LegalMove[]): Add[] {
  return legal.flatMap(({ move, label }) => {
    const [verb, card = '', meld = '', end = ''] = move.split(' ')
    return verb === 'add' ? [{ move, label, card, meld: Number(meld.slice(1)), end }] : []
  })
}

/** The layings that are exactly these cards: several if a joker can stand in several places. */
export function exactLays(cards: string[], lays: Lay[]): Lay[] {
  return lays.filter((lay) => sameCards(lay.cards, cards))
}

/** The laying that uses most of these cards; the others may be added to it afterwards. */
export function partLay(cards: string[], lays: Lay[]): Lay | null {
  const fitting = lays.filter((lay) => lay.cards.length < cards.length && without(cards, lay.cards))
  return fitting.sort((a, b) => jokers(a) - jokers(b))[0] ?? null
}

const jokers = (lay: Lay) => lay.cards.filter((card) => card === JOKER).length

/** What a laying counts for in a contract, by its size: three cards, four in a row, six of a rank. */
export function countsOf(lay: Lay): Counts {
  return { brelans: lay.cards.length === 4 ? 0 : lay.cards.length / 3, quartes: lay.cards.length === 4 ? 1 : 0 }
}

/** Layings that share no card and make up what is needed, with few jokers; without a need, as many as there are. */
export function propose(hand: string[], lays: Lay[], need: Counts | null): Lay[] {
  const best = new Map<string, Lay>()
  for (const lay of lays) best.set([...lay.cards].sort().join(), lay)
  const choices = [...best.values()].sort((a, b) => jokers(a) - jokers(b) || b.cards.length - a.cards.length)
  let steps = 0

  function search(from: number, left: string[], brelans: number, quartes: number): Lay[] | null {
    if (!brelans && !quartes) return []
    for (let i = from; i < choices.length && steps < 20000; i++) {
      steps += 1
      const lay = choices[i]!
      const counts = countsOf(lay)
      const rest = without(left, lay.cards)
      if (!rest || counts.brelans > brelans || counts.quartes > quartes) continue
      const others = search(i, rest, brelans - counts.brelans, quartes - counts.quartes)
      if (others) return [lay, ...others]
    }
    return null
  }

  if (need) return search(0, hand, need.brelans, need.quartes) ?? []
  let left = hand
  return choices.filter((lay) => {
    const rest = without(left, lay.cards)
    if (rest) left = rest
    return rest !== null
  })
}

/** For drawing only, what cards look like; whether they may be laid is for the server to say. */
export function shapeOf(cards: string[], anySuit: boolean): Meld['kind'] | null {
  const naturals = cards.filter((card) => card !== JOKER)
  if (cards.length < 3 || cards.length - naturals.length > 1) return null
  if (new Set(naturals.map(rankIndex)).size === 1) return 'set'
  if (cards.length < 4 || (!anySuit && new Set(naturals.map(suitOf)).size > 1)) return null
  return runOrder(cards) ? 'run' : null
}

/** The cards from low to high as a run, the joker in its gap or at an end; null if they are none. */
export function runOrder(cards: string[]): string[] | null {
  const naturals = cards.filter((card) => card !== JOKER)
  for (const ace of [0, RANKS.length]) {
    const place = (card: string) => rankIndex(card) || ace
    const sorted = [...naturals].sort((a, b) => place(a) - place(b))
    const gaps = sorted.slice(1).map((card, i) => place(card) - place(sorted[i]!) - 1)
    const missing = gaps.reduce((sum, gap) => sum + gap, 0)
    const spare = cards.length - naturals.length - missing
    if (gaps.some((gap) => gap < 0) || spare < 0 || spare > 1) continue
    if (!missing) return spare ? [...sorted, JOKER] : sorted
    const gap = gaps.findIndex((one) => one > 0) + 1
    return [...sorted.slice(0, gap), JOKER, ...sorted.slice(gap)]
  }
  return null
}

/** At which end of a combination an added card arrives. */
export function endOf(meld: Meld | undefined, card: string, end: string): 'low' | 'high' {
  if (end === 'low' || end === 'high') return end
  if (!meld || meld.kind === 'set') return 'high'
  const at = meld.cards.findIndex((one) => one !== JOKER)
  const first = rankIndex(meld.cards[at]!) || (at > 0 ? RANKS.length : 0)
  const low = first - at
  if (card === JOKER) return low + meld.cards.length > RANKS.length ? 'low' : 'high'
  const index = rankIndex(card)
  return index === 0 ? (low <= 2 ? 'low' : 'high') : index <= low ? 'low' : 'high'
}
