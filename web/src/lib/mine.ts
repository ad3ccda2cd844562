/** The tables this device has a part in, with their secrets. They stay on the device. */

export interface MyTable {
  id: string
  game: string
  kind: 'match' | 'pad'
  /** When it was last opened, in milliseconds. */
  at: number
  title?: string
  seat?: number
  /** The secret token of my seat. */
  token?: string
  /** The secrets of the links, to invite others. */
  join?: string
  watch?: string
  /** Whether its match was over when it was last looked at. */
  over?: boolean
}

const KEY = 'ludotheque.tables'
/** How many matches are kept; pads all are. */
const MOST = 60

function all(): Record<string, MyTable> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return found && typeof found === 'object' ? (found as Record<string, MyTable>) : {}
  } catch {
    return {}
  }
}

function keep(tables: Record<string, MyTable>): void {
  const newest = Object.values(tables).sort((a, b) => b.at - a.at)
  const matches = newest.filter((one) => one.kind !== 'pad').slice(0, MOST)
  const kept = newest.filter((one) => one.kind === 'pad' || matches.includes(one))
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept.map((one) => [one.id, one]))))
  } catch {
    // A full or forbidden storage only forgets.
  }
}

/** My tables, the last opened first. */
export function mine(): MyTable[] {
  return Object.values(all()).sort((a, b) => b.at - a.at)
}

export function myTable(id: string): MyTable | undefined {
  return all()[id]
}

/** Add to what is known of a table, and put it first. */
export function remember(known: Partial<MyTable> & Pick<MyTable, 'id'>): MyTable {
  const tables = all()
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined && value !== null))
  const table = { game: '', kind: 'match' as const, ...tables[known.id], at: Date.now(), ...given, id: known.id }
  keep({ ...tables, [known.id]: table })
  return table
}

export function forget(id: string): void {
  const tables = all()
  delete tables[id]
  keep(tables)
}

/** The seat's token at a table. */
export function tokenOf(id: string): string | undefined {
  return all()[id]?.token || undefined
}

/** The best key we have to a table that is not public. */
export function keyOf(id: string): string | undefined {
  const table = all()[id]
  return table?.join ?? table?.watch
}

/** A link to a table. Secrets stand behind the `#`, so that no server's log has them. */
export function linkTo(id: string, secret?: { join?: string; watch?: string }, path = '/t'): string {
  const hash = secret?.join ? `#join=${secret.join}` : secret?.watch ? `#watch=${secret.watch}` : ''
  return `${location.origin}${path}/${id}${hash}`
}
