/** A short guided first round for each game: what to say, and which part of the table it is about. `me`: my seat. */

export interface Mark {
  /** The text, in the area of the table. */
  text: string
  /** The `data-spot` it points at; the first that is on the page. */
  spots: string[]
}

const SPOTS: Record<string, string[][]> = {
  lobo77: [[], ['total'], ['hand', 'hand:0'], ['tokens:me'], []],
  loba: [[], ['contract'], ['stock', 'pile'], ['hand', 'hand:0'], []],
  skipbo: [[], ['stock:me'], ['built:2', 'built:1'], ['hand', 'hand:0'], []],
  volle_lotte: [[], ['card', 'pile'], ['roll:0', 'aside:0'], ['turn'], []],
  double_lucky_7: [[], ['turned', 'deck'], ['hand'], ['tricks:me', 'seat:me'], []],
}

const KEY = 'ludotheque.guided'

export function marksOf(game: string, seat: number): Mark[] {
  const mine = (spot: string) => spot.replace(':me', `:${seat}`)
  return (SPOTS[game] ?? []).map((spots, i) => ({ text: `table.guide_${game}_${i + 1}`, spots: spots.map(mine) }))
}

function guided(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? found.map(String) : []
  } catch {
    return []
  }
}

/** Whether this device has seen the guide of a game. */
export function isGuided(game: string): boolean {
  return guided().includes(game) || !(game in SPOTS)
}

export function setGuided(game: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...guided(), game])]))
  } catch {
    // Then it is shown again.
  }
}
