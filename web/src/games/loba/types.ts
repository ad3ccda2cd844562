/** How the cards of Loba are read: `5S`, `10H`, `KD`, and `*` for a joker. */

import type { Table } from './view'

export type Suit = 'S' | 'H' | 'D' | 'C'

export const SUITS: Suit[] = ['S', 'H', 'D', 'C']
export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K']
export const JOKER = '*'

export type Counts = Table['contract']
/** Cards of the hand that go together, in the order in which they would be laid. */
export type Combination = Table['combinations'][number]
/** A combination on the table. */
export type Meld = Table['melds'][number]

/** The suit of a card; null for a joker, and for a rank without a suit. */
export function suitOf(card: string): Suit | null {
  const letter = card.slice(-1) as Suit
  return card !== JOKER && !RANKS.includes(card) && SUITS.includes(letter) ? letter : null
}

export function rankOf(card: string): string {
  return suitOf(card) ? card.slice(0, -1) : card
}

/** Where a card stands among the ranks, the ace first, jokers after all. */
export function rankIndex(card: string): number {
  return card === JOKER ? RANKS.length : RANKS.indexOf(rankOf(card))
}

/** The same cards, however they lie. */
export function sameCards(a: string[], b: string[]): boolean {
  return a.length === b.length && [...a].sort().join() === [...b].sort().join()
}

/** What is left of `cards` without `others`; null if not all of `others` are among them. */
export function without(cards: string[], others: string[]): string[] | null {
  const left = [...cards]
  for (const card of others) {
    const at = left.indexOf(card)
    if (at < 0) return null
    left.splice(at, 1)
  }
  return left
}
