/** Which games' guided first rounds this device has seen. */

const KEY = 'ludotheque.guided'

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
  return guided().includes(game)
}

export function setGuided(game: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...guided(), game])]))
  } catch {
    // Then it is shown again.
  }
}
