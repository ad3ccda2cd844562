/** The server's legal moves, read as what can be done with cards of the hand. */

import type { LegalMove } from '~/lib/play'
import { JOKER, sameCards, without, type Combination, type Counts, type Meld } from './types'

export interface Lay extends Combination {
  move: string
}

export interface Add {
  move: string
  label: string
  card: string
  meld: number
  end: string
}

/** The combinations of the hand that may be laid now. */
export function laysOf(legal: LegalMove[], combinations: Combination[]): Lay[] {
  const moves = new Set(legal.map(({ move }) => move))
  return combinations
    .map((combination) => ({ ...combination, move: `lay ${combination.cards.join(' ')}` }))
    .filter(({ move }) => moves.has(move))
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

/** What a combination counts for in a contract. */
function countsOf({ kind, worth }: Combination): Counts {
  return { brelans: kind === 'set' ? worth : 0, quartes: kind === 'run' ? worth : 0 }
}

/** What combinations count for together. */
export function sumOf(combinations: Combination[]): Counts {
  const counts = combinations.map(countsOf)
  return {
    brelans: counts.reduce((sum, { brelans }) => sum + brelans, 0),
    quartes: counts.reduce((sum, { quartes }) => sum + quartes, 0),
  }
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

/**
 * For drawing only, what cards look like: a combination, or the largest part that is one if each of the others belongs
 * to one of that kind too. Whether they may be laid is for the server to say.
 */
export function shapeOf(cards: string[], combinations: Combination[]): Combination | null {
  const exact = combinations.find((one) => sameCards(one.cards, cards))
  if (exact) return exact
  for (const kind of ['set', 'run'] as const) {
    const parts = combinations.filter((one) => one.kind === kind && without(cards, one.cards))
    const isCovered = cards.every((card) => parts.some((part) => count(part.cards, card) === count(cards, card)))
    if (isCovered) return parts.reduce((best, part) => (part.worth > best.worth ? part : best))
  }
  return null
}

const count = (cards: string[], card: string) => cards.filter((one) => one === card).length

/** At which end of a combination an added card arrives. */
export function endOf(meld: Meld | undefined, card: string, end: string): 'low' | 'high' {
  if (end === 'low' || end === 'high') return end
  return meld?.low.includes(card) ? 'low' : 'high'
}
