/** Which games this device has played to the end: the first match of each goes at a calm pace. */

const KEY = 'ludotheque.played'

function played(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? found.map(String) : []
  } catch {
    return []
  }
}

export function hasPlayed(game: string): boolean {
  return played().includes(game)
}

export function setPlayed(game: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...played(), game])]))
  } catch {
    // Then the next one is calm too.
  }
}
