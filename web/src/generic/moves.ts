/** Legal moves in an order that can be looked through. */

import type { LegalMove } from '~/lib/play'

export interface Group {
  key: string
  title: string
  moves: LegalMove[]
}

/** Moves by the first word of their notation: bids with bids, discards with discards. */
export function groupMoves(moves: LegalMove[]): Group[] {
  const found = new Map<string, LegalMove[]>()
  for (const one of moves) {
    const [first = '', ...rest] = one.move.split(' ')
    // A word that stands alone belongs to no kind.
    const key = rest.length > 0 ? first : ''
    found.set(key, [...(found.get(key) ?? []), one])
  }
  return [...found].map(([key, moves]) => ({ key, title: titleOf(key, moves), moves }))
}

/** What the labels of a group begin with, else the word they share in notation. */
function titleOf(key: string, moves: LegalMove[]): string {
  const [first = [], ...others] = moves.map(({ label }) => label.split(' '))
  const end = first.findIndex((word, i) => others.some((words) => words[i] !== word))
  const shared = others.length > 0 ? first.slice(0, end < 0 ? first.length : end).join(' ') : (first[0] ?? '')
  return shared || key.charAt(0).toUpperCase() + key.slice(1)
}

/** Those whose label or notation has all words that were typed. */
export function filterMoves(moves: LegalMove[], typed: string): LegalMove[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  return moves.filter(({ move, label }) => words.every((word) => fold(`${label} ${move}`).includes(word)))
}

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
