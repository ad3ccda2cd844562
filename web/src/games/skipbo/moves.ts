/** Moves of Skip-Bo as gestures: the notation's sources and targets as spots of the table. */

import type { Option } from '~/lib/picking.svelte'
import type { Table } from './view'

/** The words that are moves by themselves. */
export const WORDS = ['end', 'draw', 'say', 'call']

/** The spot of a pile as the notation names it for a seat: `S`, `d3`, `pS`, `pd3`. */
export function pileSpot(source: string, seat: number, table: Table): string {
  const isPartners = source.startsWith('p')
  const owner = isPartners ? (table.partners?.[seat] ?? seat) : seat
  const pile = isPartners ? source.slice(1) : source
  return pile === 'S' ? `stock:${owner}` : `discard:${owner}:${pile.slice(1)}`
}

/** Where a move goes: a building pile, or one's own discard pile. */
export function targetSpot(target: string, seat: number): string {
  return target.startsWith('d') ? `discard:${seat}:${target.slice(1)}` : `built:${target}`
}

/** All ways to make a move by hand: equal cards of a hand are equally good. */
export function gestures(move: string, seat: number, table: Table): Option[] {
  if (move === 'draw') return [{ move, from: 'draw', to: 'hand' }]
  const [source, target] = move.split('>')
  if (!source || !target) return []
  const to = targetSpot(target, seat)
  if (/^p?(S|d\d)$/.test(source)) return [{ move, from: pileSpot(source, seat, table), to }]
  return (table.hand ?? []).flatMap((card, i) => (card === source ? [{ move, from: `hand:${i}`, to }] : []))
}

/** The notation of what somebody tried, to ask why it is not possible. */
export function tried(from: string, to: string, seat: number, table: Table): string | null {
  const source = sourceOf(from, seat, table)
  const [kind, place, pile] = to.split(':')
  const target = kind === 'built' ? place : kind === 'discard' && Number(place) === seat ? `d${pile}` : null
  return source && target ? `${source}>${target}` : null
}

function sourceOf(spot: string, seat: number, table: Table): string | null {
  const [kind, owner, pile] = spot.split(':')
  if (kind === 'hand') return table.hand?.[Number(owner)] ?? null
  const prefix = Number(owner) === seat ? '' : table.partners?.[seat] === Number(owner) ? 'p' : null
  if (prefix === null) return null
  if (kind === 'stock') return `${prefix}S`
  return kind === 'discard' ? `${prefix}d${pile}` : null
}

/** How many strips the deepest of some discard piles shows, at most so many. */
export function deepest(piles: string[][], most: number): number {
  return Math.min(most, Math.max(1, ...piles.map((cards) => cards.length - 1)))
}
