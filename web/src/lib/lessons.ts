/** How far this device has come in the guided first matches. */

import { mine } from '~/lib/mine'

/** Where a guided match was left: the step, and what was played in it so far. */
export interface Place {
  step: number
  moves: string[]
}

const KEY = 'ludotheque.lessons'

/** A game whose guided match was finished or turned down is not offered again. */
type Known = Place | 'done' | 'skipped'

function all(): Record<string, Known> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return found && typeof found === 'object' ? (found as Record<string, Known>) : {}
  } catch {
    return {}
  }
}

function keep(game: string, known: Known): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [game]: known }))
  } catch {
    // Then it begins anew.
  }
}

/** Where the guided match of a game was left, if it was begun and not finished. */
export function placeIn(game: string): Place | null {
  const known = all()[game]
  return known && typeof known === 'object' && Array.isArray(known.moves) ? known : null
}

/** Whether the guided match is still worth offering: it was left in the middle, or the game was never played here. */
export function isNew(game: string): boolean {
  if (placeIn(game)) return true
  return !(game in all()) && !mine().some((table) => table.game === game && table.kind === 'match')
}

export const keepPlace = (game: string, place: Place): void => keep(game, place)
export const finish = (game: string): void => keep(game, 'done')
export const skip = (game: string): void => keep(game, 'skipped')
