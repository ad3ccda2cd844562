/** The names of people who have played at this device's pads, kept on the device. */

const KEY = 'ludotheque.pad.players'
const MOST = 24

export interface Known {
  /** Names, the last used first. */
  names: string[]
  /** Who played last, by game. */
  tables: Record<string, string[]>
}

export function knownNames(): Known {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Known>
    return { names: Array.isArray(found.names) ? found.names : [], tables: found.tables ?? {} }
  } catch {
    return { names: [], tables: {} }
  }
}

export function keepNames(game: string, players: string[]): void {
  const { names, tables } = knownNames()
  const all = [...new Set([...players, ...names])].slice(0, MOST)
  try {
    localStorage.setItem(KEY, JSON.stringify({ names: all, tables: { ...tables, [game]: players } }))
  } catch {
    // A full or forbidden storage only forgets.
  }
}
